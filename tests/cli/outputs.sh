# Where files are written: devices, pipes, links, names that are empty, and two writers of one file.
. "$(dirname "$0")/common"
write_scene shake.yaml
expect 0 "" "$cairn" run shake.yaml -q --until 0.02 -o shake.h5
problem=$source_dir/tests/data/drum_step_1983.hdf5

kind() { stat -c %F "$1"; }

# A pipe is refused by what needs a file, and left alone; a device likewise, where we may make one.
mkfifo pipe.h5
places=pipe.h5
mknod null.h5 c 1 3 2>/dev/null && places="$places null.h5"
for place in $places; do
    before=$(kind $place)
    expect 4 "device or a pipe" "$cairn" run shake.yaml -q -o $place
    expect 4 "device or a pipe" "$cairn" run shake.yaml -q -o a.h5 --checkpoint $place
    expect 4 "device or a pipe" "$cairn" solve "$problem" --tol 1e-2 -o $place
    expect 4 "$place" "$cairn" spread shake.yaml --runs 2 -o $place
    same "$place" "$before" "$(kind $place)"
    [ ! -e a.h5 ] || bad "a refused checkpoint left a result"
done

# What is a stream of bytes is written to it.
for what in "plot shake.h5 energy -o pipe.svg" "plot shake.h5 energy -o pipe.csv" \
    "plot shake.h5 energy -o pipe.png" "render shake.h5 -o pipe.png" \
    "check shake.yaml --fix -o pipe.yaml"; do
    pipe=${what##* }
    [ -p "$pipe" ] || mkfifo "$pipe"
    cat "$pipe" >bytes &
    reader=$!
    expect 0 "" "$cairn" $what
    wait $reader
    [ -p "$pipe" ] || bad "'$what' replaced the pipe"
    [ -s bytes ] || bad "'$what' wrote nothing to the pipe"
    [ ! -e "$pipe.log" ] || bad "'$what' left a log beside a pipe"
done
expect 4 "exists" "$cairn" new wall -o pipe.h5
if [ -c null.h5 ]; then
    ln -s null.h5 void.csv
    expect 0 "" "$cairn" plot shake.h5 energy -o void.csv
    same "a device behind a link" "character special file" "$(kind null.h5)"
fi

# Links are followed: the file behind is replaced, also one that is not there yet; the link stays.
mkdir behind
for name in run.h5 plot.svg render.png solve.hdf5 check.yaml; do
    ln -s behind/$name there.$name
    ln -s "$PWD/behind/late.$name" late.$name
    echo old >behind/$name
done
for to in there late; do
    expect 0 "" "$cairn" run shake.yaml -q --until 0.02 -o $to.run.h5
    expect 0 "" "$cairn" plot shake.h5 energy -o $to.plot.svg
    expect 0 "" "$cairn" render shake.h5 -o $to.render.png
    expect 0 "" "$cairn" solve "$problem" --tol 1e-2 -o $to.solve.hdf5
    expect 0 "" "$cairn" check shake.yaml --fix -o $to.check.yaml
    expect 0 "" "$cairn" info $to.run.h5
    for name in run.h5 plot.svg render.png solve.hdf5 check.yaml; do
        [ -L $to.$name ] || bad "the link $to.$name was replaced"
        [ "$(wc -c <$to.$name)" -gt 100 ] || bad "the file behind $to.$name is not written"
    done
done
ls behind/*.part >/dev/null 2>&1 && bad "parts are left over"
ln -s circle.h5 circle.h5
expect 4 "Too many levels" "$cairn" run shake.yaml -q -o circle.h5
ln -s shake.yaml scene.h5
expect 2 "is the scene" "$cairn" run shake.yaml -q -o scene.h5
ln -s behind/same.h5 one.h5
ln -s behind/same.h5 two.h5
expect 4 "in use" "$cairn" run shake.yaml -q -o one.h5 --checkpoint two.h5

# A name that is empty; a part in the way.
for command in "run shake.yaml" "solve $problem" "plot shake.h5 energy" "render shake.h5" \
    "export shake.h5 --csv" "check shake.yaml --fix" "new wall" "spread shake.yaml" \
    "run shake.yaml --checkpoint"; do
    option=-o
    [ "${command##* }" = --checkpoint ] && option=
    expect 2 "is empty" "$cairn" $command $option ''
done
mkfifo way.h5.part
expect 4 "in the way" "$cairn" run shake.yaml -q -o way.h5

# Two runs with one result: the second is refused at once, the first goes on; info and a run of
# another name are not disturbed. After kill -9 the name is free again.
sed 's/duration: 0.2/duration: 2000/' shake.yaml >long.yaml
"$cairn" run long.yaml -q -o both.h5 --checkpoint-every 0.5 2>first.err &
first=$!
tries=0
while [ ! -e both.ckpt.h5 ] && [ $tries -lt 400 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
ln -s both.h5 alias.h5
for name in both.h5 alias.h5 ./both.h5; do
    expect 4 "the file is in use" "$cairn" run shake.yaml -q -o $name --checkpoint c.h5
done
expect 4 "the file is in use" "$cairn" run long.yaml -q --restart both.ckpt.h5 -o both.h5
expect 4 "the file is in use" "$cairn" run shake.yaml -q -o other.h5 --checkpoint both.ckpt.h5
expect 4 "the file is in use" "$cairn" run long.yaml -q --restart both.ckpt.h5 -o other.h5 \
    --checkpoint both.ckpt.h5
[ ! -e other.h5 ] || bad "a refused run left a result"
expect 0 "incomplete" "$cairn" info both.h5
kill -0 $first 2>/dev/null || bad "the first run has ended: $(cat first.err)"
kill -9 $first
wait $first 2>/dev/null
expect 0 "" "$cairn" run long.yaml -q --restart both.ckpt.h5 -o both.h5 --until 1
expect 0 "" "$cairn" run shake.yaml -q -o both.h5

# Many at once: one of them writes, whole; all others are refused.
rm -f many.*
for k in 1 2 3 4 5 6 7 8; do
    "$cairn" run shake.yaml -q -o many.h5 2>many.err.$k &
    pids="${pids:-} $!"
done
won=0
for pid in $pids; do
    wait "$pid" && won=$((won + 1))
done
[ $won -ge 1 ] || bad "none of eight runs could write"
same "refused of eight" $((8 - won)) "$(cat many.err.* | grep -c 'the file is in use')"
same "steps of the one that wrote" 300 "$(info many.h5 steps)"
ls ./*.part >left 2>/dev/null
same "parts left" "./way.h5.part" "$(cat left)"

# A folder of a sweep has one sweep.
cat >study.yaml <<'STUDY'
study: 1
scene: long.yaml
params: {mu: {list: [0.4, 0.5]}}
report: {x: {series: top.x}}
STUDY
"$cairn" sweep study.yaml -q -o study.csv 2>sweep.err &
sweep=$!
tries=0
while [ ! -e study.runs/run-000001.h5 ] && [ $tries -lt 200 ]; do
    sleep 0.05
    tries=$((tries + 1))
done
expect 4 "the file is in use" "$cairn" sweep study.yaml -q --resume -o study.csv
kill -TERM $sweep
wait $sweep
expect 4 "device or a pipe" "$cairn" sweep study.yaml -q --resume -o pipe.h5
finish
