# Files that cannot be read or written: damaged results and checkpoints, a full disk, no folder.
. "$(dirname "$0")/common"
write_scene shake.yaml
expect 0 "" "$cairn" run shake.yaml -q --until 0.1
size=$(wc -c <shake.h5)
checkpoint_size=$(wc -c <shake.ckpt.h5)

# Truncated anywhere: a message that names the file, never a crash. (A cut behind the last committed
# byte may leave a result that is still whole.)
for part in 0 1 100 $((size / 4)) $((size / 2)) $((size * 3 / 4)); do
    head -c $part shake.h5 >cut.h5
    for command in "info cut.h5" "render cut.h5" "export cut.h5 --csv" "plot cut.h5 energy" \
        "compare shake.h5 cut.h5"; do
        "$cairn" $command >out 2>err
        code=$?
        case $code in
        3 | 4) grep -q "cut.h5" err || bad "$command at $part bytes does not name the file" ;;
        *) bad "$command of a result cut at $part of $size bytes gave exit code $code" ;;
        esac
    done
done
for part in 0 1 100 $((checkpoint_size / 4)) $((checkpoint_size / 2)) $((checkpoint_size - 1)); do
    head -c $part shake.ckpt.h5 >cut.ckpt.h5
    "$cairn" run shake.yaml --restart cut.ckpt.h5 -o cut-run.h5 >out 2>err
    code=$?
    case $code in
    3 | 4) grep -q "cut.ckpt.h5" err || bad "checkpoint cut at $part: file not named" ;;
    *) bad "a checkpoint cut at $part of $checkpoint_size bytes gave exit code $code" ;;
    esac
    [ ! -e cut-run.h5 ] || bad "a damaged checkpoint left a result"
done
printf 'x, y\n1, 2\n' >table.h5
for command in "info table.h5" "run shake.yaml --restart table.h5 -o t.h5"; do
    "$cairn" $command >out 2>err
    code=$?
    [ $code -eq 3 ] || [ $code -eq 4 ] || bad "'$command' on a text file gave exit code $code"
done
expect 3 "shake.h5" "$cairn" run shake.yaml --restart shake.h5 -o t.h5
expect 4 "none.ckpt.h5" "$cairn" run shake.yaml --restart none.ckpt.h5

# No folder, and a folder in the place of a file.
expect 4 "no/such" "$cairn" run shake.yaml -o no/such/shake.h5
mkdir folder.h5
expect 4 "folder.h5" "$cairn" run shake.yaml -o folder.h5
expect 4 "no/such" "$cairn" run shake.yaml -o a.h5 --checkpoint no/such/a.ckpt.h5
[ ! -e a.h5 ] || bad "a run that cannot write its checkpoint left a result"
expect 4 "no/such" "$cairn" render shake.h5 -o no/such/a.png
expect 4 "no/such" "$cairn" plot shake.h5 energy -o no/such/a.svg
: >file
expect 4 "file" "$cairn" export shake.h5 --csv -o file/csv
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked
    chmod a-w locked
    expect 4 "locked" "$cairn" run shake.yaml -o locked/shake.h5
fi
same "result after failures" "$(info shake.h5 steps)" 100

# A full disk: a limit on the size of files, then the device that is always full.
cp shake.h5 before.h5
for limit in 2 40; do
    (
        ulimit -f $limit
        exec "$cairn" run shake.yaml -o shake.h5
    ) >out 2>err
    code=$?
    [ $code -eq 4 ] || bad "a file limit of $limit blocks gave exit code $code: $(tail -n 2 err)"
    grep -q "error: .*shake" err || bad "a full disk is not named: $(tail -n 2 err)"
done
(
    ulimit -f 2
    exec "$cairn" run shake.yaml -o shake.h5
) >out 2>err
expect 0 "" "$cairn" info shake.h5
for ending in svg png csv; do
    ln -s /dev/full full.$ending
    expect 4 "full.$ending" "$cairn" plot shake.h5 energy -o full.$ending
done
expect 4 "full.png" "$cairn" render shake.h5 -o full.png
expect 4 "" sh -c "'$cairn' info before.h5 --json >/dev/full"
finish
