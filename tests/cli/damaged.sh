# Results with flipped bits and zeroed tails: what is damaged is named, nothing of it is shown, the
# rest is; files of older versions still open.
. "$(dirname "$0")/common"
write_scene shake.yaml
expect 0 "" "$cairn" run shake.yaml -q
expect 0 "" "$cairn" info shake.h5
cp out whole.txt
size=$(wc -c <shake.h5)

# 40 bits at places that a generator chooses: info ends with exit code 4 and a name (3 if it is no
# HDF5 file any more), or it, the curves and the tables are those of the whole file.
"$cairn" plot shake.h5 residual,series/base.fx,kinetic -o whole.csv >out 2>err
"$cairn" export shake.h5 --csv -o whole >out 2>err
python3 - "$size" >places <<'END'
import random, sys
chosen = random.Random(17)
for _ in range(40):
    print(chosen.randrange(int(sys.argv[1])), chosen.randrange(8))
END
told=0
while read -r place bit; do
    python3 - "$place" "$bit" <<'END'
import sys
place, bit = int(sys.argv[1]), int(sys.argv[2])
data = bytearray(open("shake.h5", "rb").read())
data[place] ^= 1 << bit
open("flip.h5", "wb").write(data)
END
    "$cairn" info flip.h5 >flip.txt 2>err
    code=$?
    if [ $code -eq 4 ] || { [ $code -eq 3 ] && grep -q "cannot open this\|not an HDF5" err; }; then
        told=$((told + 1))
        grep -q "flip.h5" err || bad "damage at $place is not named: $(head -n 1 err)"
    elif [ $code -eq 0 ]; then
        sed 's/flip/shake/' flip.txt | cmp -s - whole.txt || bad "a flip at $place changes info"
        "$cairn" plot flip.h5 residual,series/base.fx,kinetic -o flip.csv >out 2>err
        cmp -s flip.csv whole.csv || bad "a flip at $place changes curves"
        "$cairn" export flip.h5 --csv -o flip >out 2>err
        diff -r whole flip >/dev/null || bad "a flip at $place changes tables"
    else
        bad "a flip at $place gave exit code $code: $(cat err)"
    fi
done <places
[ $told -ge 4 ] || bad "only $told of 40 flips are told"

# A zeroed tail.
for part in 90 70 50 30 10; do
    keep=$((size * part / 100))
    { head -c $keep shake.h5; head -c $((size - keep)) /dev/zero; } >tail.h5
    expect 4 "tail.h5" "$cairn" info tail.h5
done

# A damaged result is not continued.
expect 0 "" "$cairn" run shake.yaml -q --until 0.1 -o part.h5
python3 - <<'END'
data = bytearray(open("part.h5", "rb").read())
place = data.find(b"\x78\x01", len(data) // 4)  # a compressed chunk
data[place + 20] ^= 4
open("part.h5", "wb").write(data)
END
expect 4 "is damaged" "$cairn" info part.h5
expect 4 "cannot be continued" "$cairn" run shake.yaml -q --restart part.ckpt.h5 -o part.h5

# Older files.
gunzip -c "$source_dir/tests/data/version5.h5.gz" >version5.h5
expect 0 "A file of version 5" "$cairn" info version5.h5
expect 0 "" "$cairn" plot version5.h5 series/ball.x,residual -o version5.csv
cmp -s version5.csv "$source_dir/tests/data/version5.csv" || bad "an older file reads otherwise"
expect 0 "" "$cairn" render version5.h5
finish
