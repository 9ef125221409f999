# Help everywhere, and a command line that cannot be understood: exit code 2 and the way to help.
. "$(dirname "$0")/common"

commands="run check info export render plot analyse fields view compare validate solve sweep spread limit import new schema doctor cite help"
expect 0 "Usage: cairn COMMAND" "$cairn" --help
for command in $commands; do
    grep -q "^  $command " out || bad "'cairn --help' does not list $command"
done
for command in $commands; do
    expect 0 "Usage: cairn $command" "$cairn" "$command" --help
    grep -q -- "-h, --help" out || bad "help of $command does not list its options"
    [ ! -s err ] || bad "help of $command writes to stderr"
    expect 2 "unknown option '--no-such-thing'" "$cairn" "$command" --no-such-thing
    expect 2 "Try 'cairn $command --help'" "$cairn" "$command" -Z
    [ ! -s out ] || bad "a usage error of $command writes to stdout"
done
expect 0 "Apache-2.0" "$cairn" --version
grep -q "^cairn [0-9]*\.[0-9]*\.[0-9]*$" out || bad "--version does not start with the version"
grep -q "^laws:.*coulomb" out || bad "--version does not list the laws"

expect 2 "Usage: cairn COMMAND" "$cairn"
expect 2 "unknown command 'rum' (did you mean 'run'?)" "$cairn" rum
expect 2 "missing operand" "$cairn" run
expect 2 "missing operand" "$cairn" compare a.h5
expect 2 "unexpected operand 'b'" "$cairn" info a b
expect 2 "(did you mean '--strict'?)" "$cairn" run a.yaml --strickt
expect 2 "--threads wants a whole number, got 'two'" "$cairn" run a.yaml -j two
expect 2 "--threads must be 1 to 1024" "$cairn" run a.yaml -j 0
expect 2 "--until wants a number, got 'nan'" "$cairn" run a.yaml --until nan
expect 2 "--output needs a value" "$cairn" run a.yaml --output
expect 2 "-o needs a value" "$cairn" run a.yaml -o
expect 2 "--strict takes no value" "$cairn" run a.yaml --strict=1
expect 2 "is ambiguous" "$cairn" run a.yaml --re=1 --check=1
expect 2 "--define wants name=value" "$cairn" run a.yaml -D mu
expect 2 "exclude each other" "$cairn" run a.yaml -qv
expect 2 "--rtol must be >= 0" "$cairn" compare a b --rtol=-1
expect 2 "choose --paraview, --csv, --obj, --html or --to" "$cairn" export a.h5
expect 2 "--paint is group, velocity, pressure, opening, damage, displacement, mises or principal" "$cairn" render a.h5 --paint blue
expect 2 "--view wants X0,Y0,X1,Y1" "$cairn" render a.h5 --view 0,0,1
expect 2 "--frame wants a number or all" "$cairn" render a.h5 --frame last
expect 2 "--width must be 16 to 20000" "$cairn" render a.h5 --width 3
expect 2 "--frames wants all, A:B or A:B:STEP" "$cairn" render a.h5 --frames 0:99999999999
expect 2 "--frames wants all, A:B or A:B:STEP" "$cairn" render a.h5 --frames 1:2:3:4
expect 2 "--view wants X0,Y0,X1,Y1" "$cairn" render a.h5 --view=-inf,0,1,inf
expect 2 "--port must be 0 to 65535" "$cairn" view a.h5 --port 70000
# Numbers of options: what is no number, and what is out of their range, by name.
for command in $commands bench; do
    "$cairn" "$command" --help >help
    for option in $(sed -n 's/^ .*--\([a-z-]*\) \(N\|K\|S\|X\|TIME\|METRES\|PIXELS\|FACTOR\|MOST\) .*/\1/p' help); do
        [ $command:$option != render:frame ] || continue # a number or `all`
        for value in nan 1e999 1x ""; do
            expect 2 "--$option wants a" "$cairn" "$command" --"$option"="$value"
        done
        case $command:$option in
        export:frame | fields:frame | limit:frame | plot:frame | view:frame | analyse:from | plot:from | plot:until) continue ;; # frames from the end, times of any sign
        esac
        expect 2 "--$option must be" "$cairn" "$command" --"$option"=-1
        case $command:$option in
        *:seed | *:port | *:weld | *:rtol | *:until | *:checkpoint-every | solve:max-seconds) continue ;;
        esac
        expect 2 "--$option must be" "$cairn" "$command" --"$option"=0
        count=$((${count:-0} + 1))
    done
done
[ "${count:-0}" -ge 20 ] || bad "only ${count:-0} options with numbers were found"
expect 2 "one of:" "$cairn" new
expect 2 "unknown scene 'cathedral'" "$cairn" new cathedral
expect 2 "unknown scene 'wal' (did you mean 'wall'?)" "$cairn" new wal

expect 0 "" "$cairn" cite
grep -q "@software{cairn" out || bad "cite prints no entry"
expect 0 "Usage: cairn render" "$cairn" help render
expect 2 "no command 'rendr' (did you mean 'render'?)" "$cairn" help rendr
expect 0 ".SS cairn run SCENE" "$cairn" help --man
grep -q 'checkpoint\\-every' out || bad "the manual page lacks options"
expect 4 "standard output" sh -c "'$cairn' cite >/dev/full"
# A reader that has seen enough is no error: silence, and the end that a pipe gives to other programs.
for command in schema "help --man" cite --version --help; do
    { sleep 0.2; "$cairn" $command 2>err; echo $? >code; } | true
    [ ! -s err ] || bad "'$command | head' says $(cat err)"
    [ "$(cat code)" = 141 ] || bad "'$command | head' ends with code $(cat code)"
done
finish
