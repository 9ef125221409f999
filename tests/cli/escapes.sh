# Texts of others reach the terminal without their control characters: titles, names, paths; and
# what is said when memory is short is that memory is short.
. "$(dirname "$0")/common"
write_scene shake.yaml
{
    printf 'cairn: 1\ntitle: "red \\e[31m, bell \\a, csi \\x9b, wide é\\n"\n'
    sed -n '3,$p' shake.yaml | sed 's/name: settle/name: "se\\e]0;x\\attle"/'
} >escape.yaml
controls() { LC_ALL=C grep -c "$(printf '[\001-\010\013-\037\177]')\|$(printf '\302[\200-\237]')" "$1"; }

"$cairn" run escape.yaml --until 0.02 -o escape.h5 >out 2>err
same "control characters of run" 0 "$(cat out err >both; controls both)"
if [ -e escape.h5 ]; then
    grep -qF 'red \x1b[31m, bell \x07' err || bad "the title is not escaped: $(cat -v err | head -n 3)"
    grep -qF 'wide é' err || bad "letters are escaped as well: $(cat -v err | head -n 3)"
    for command in "info escape.h5" "info escape.h5 --json" "check escape.yaml" \
        "plot escape.h5 no.such" "run escape.yaml --until 0.02 -o escape.h5 --log-json"; do
        "$cairn" $command >out 2>err
        cat out err >both
        same "control characters of '$command'" 0 "$(controls both)"
    done
else
    bad "no result: $(cat -v err)"
fi
name=$(printf 'no\033[31msuch.yaml')
for command in run check info view render; do
    "$cairn" $command "$name" >out 2>err
    same "control characters of '$command' of a path" 0 "$(controls err)"
    grep -qF 'no\x1b[31msuch' err || bad "$command does not name the file: $(cat -v err)"
done

# Memory from too little to start up to enough: never the fault of the file.
expect 0 "" "$cairn" run shake.yaml -q --until 0.05
said=0 limit=60000
while [ $limit -lt 160000 ]; do
    limit=$((limit + limit / 300))
    (
        ulimit -v $limit
        OMP_NUM_THREADS=1 exec "$cairn" info shake.h5
    ) >out 2>err
    code=$?
    if [ $code -eq 139 ]; then # a library that crashes before main does so in any command
        (
            ulimit -v $limit
            OMP_NUM_THREADS=1 exec "$cairn" --version
        ) >/dev/null 2>&1
        [ $? -eq 139 ] || bad "$limit KiB: it crashes"
    fi
    grep -q "not a cairn\|not an HDF5\|not the table\|damaged" err && bad "$limit KiB: $(cat err)"
    [ $code -ne 0 ] || break
    if grep -q "cairn info: error" err; then
        said=$((said + 1))
        [ $code -eq 1 ] && grep -q "out of memory" err || bad "$limit KiB gave $code: $(cat err)"
    fi
done
finish
