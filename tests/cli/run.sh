# A run from scene to result: files, log, names, the same bits for every repetition and thread count.
. "$(dirname "$0")/common"
write_scene shake.yaml

expect 0 "reached the end" "$cairn" run shake.yaml -j 1
[ ! -s out ] || bad "run writes to stdout"
for file in shake.h5 shake.ckpt.h5; do
    [ -s $file ] || bad "run left no $file"
done
grep -q "^cairn .* 1 thread, scene shake.yaml, hash [0-9a-f]\{16\}$" err || bad "no header"
grep -q "step .*time .*dt .*contacts .*iters .*residual .*gap_min .*E_kin .*wall .*ETA" err ||
    bad "no columns"
for words in "stage settle" "stage shake" "steps          300" "m of penetration" "energy  " \
    "not converged" "result         shake.h5" "next: cairn render shake.h5"; do
    grep -qF -- "$words" err || bad "the log does not say '$words'"
done
if grep -q "$(printf '\033')" err; then
    bad "escape codes although stderr is not a terminal"
fi
same steps "$(info shake.h5 steps)" 300
hash=$(info shake.h5 state_hash)

expect 0 "" "$cairn" run shake.yaml -q -o again.h5
[ ! -s err ] || bad "-q is not quiet"
same "second run" "$hash" "$(info again.h5 state_hash)"
for threads in 2 3 8; do
    expect 0 "" "$cairn" run shake.yaml -q -j $threads -o threads.h5
    same "$threads threads" "$hash" "$(info threads.h5 state_hash)"
    expect 0 "equal" "$cairn" compare shake.h5 threads.h5
done

expect 0 "" "$cairn" run shake.yaml --log-json -o json.h5
python3 - <<'P' || bad "--log-json is not one JSON object per line"
import json
events = [json.loads(line) for line in open("err")]
assert events[0]["event"] == "start" and len(events[0]["scene_hash"]) == 16
steps = [e for e in events if e["event"] == "step"]
assert len(steps) >= 10 and all("gap_min" in e and "residual" in e for e in steps)
end = events[-1]
assert end["event"] == "end" and end["steps"] == 300
used = sum(end["cpu_seconds_by_stage"].values())
assert 0 < used < end["cpu_seconds"] and 0 < end["output_seconds"] < end["wall_seconds"]
P

# At a terminal a result that is there is replaced only on request; scripts say what they want.
answer()
{
    words=$1
    shift
    (sleep 0.5; echo "$words") | script -qec "$cairn run shake.yaml -q -o again.h5 $*" /dev/null >said 2>&1
    same "exit code of the answer '$words' $*" "$code" $?
}
if command -v script >/dev/null; then
    touch -d 2001-01-01 again.h5
    code=2
    answer n
    grep -q "again.h5 is there already" said && grep -q "nothing was done" said || bad "it does not ask: $(cat said)"
    [ again.h5 -ot shake.yaml ] || bad "a result was replaced against the answer"
    code=0
    answer y
    [ again.h5 -nt shake.yaml ] || bad "a result was not replaced on request"
    answer "" --force
fi

# Parameters change the run, and the result says from what it was made.
expect 0 "" "$cairn" run shake.yaml -q -D speed=0.1 -o slow.h5
[ "$hash" != "$(info slow.h5 state_hash)" ] || bad "-D has no effect"
expect 5 "" "$cairn" compare shake.h5 slow.h5
expect 3 "sped" "$cairn" run shake.yaml -D sped=0.1
expect 0 "Three blocks" "$cairn" info shake.h5 --scene

expect 0 "stopped at t = 0.15 s as asked" "$cairn" run shake.yaml --until 0.15 -o part.h5
same "steps until 0.15" "$(info part.h5 steps)" 150

# The observers: the table carries both blocks at rest, and the block tracked does not move.
expect 0 "" "$cairn" plot part.h5 series/base.fy,series/top.y -o base.csv
python3 - <<'P' || bad "the observers do not show the weight of the blocks"
import csv
rows = [[float(x) for x in row] for row in list(csv.reader(open("base.csv")))[1:]]
t, fy, y = rows[98][:3]
weight = 2400 * 0.2 * (0.4 + 0.3) * 9.81
assert abs(t - 0.099) < 1e-9 and abs(fy + weight) < 0.01 * weight, (t, fy, weight)
assert abs(y - 0.3) < 1e-4, y
P

# Steps that do not converge are counted; with --strict the first one ends the run.
sed 's/^output:/solver: {accuracy: 1e-12, sweep_max: 1}\n&/' shake.yaml >hard.yaml
expect 6 "MISSED" "$cairn" run hard.yaml
[ "$(info hard.h5 nonconverged_steps)" -gt 0 ] || bad "steps that did not converge are not counted"
expect 1 "did not converge" "$cairn" run hard.yaml --strict -o strict.h5

# What the residual means is said in metres, for such steps every time.
expect 6 "this step may add" "$cairn" run hard.yaml -v -o metres.h5 --dump-problems=none
[ -e metres.problems ] && bad "--dump-problems=none records problems"

# Up to ten of them are recorded as problems that can be studied; others on request.
same "problems recorded by themselves" 10 "$(ls hard.problems | wc -l)"
expect 0 "" "$cairn" solve hard.problems/*.hdf5 --tol 1e-9
expect 0 "2 recorded: cairn solve some.problems" "$cairn" run shake.yaml -o some.h5 --dump-problems=7-8
same "problems asked for" "step_000007.hdf5 step_000008.hdf5" "$(echo $(cd some.problems && ls))"
expect 0 "problems       none: no step" "$cairn" run shake.yaml -o late.h5 --dump-problems=100000
expect 0 "" "$cairn" run shake.yaml -q -o one.h5 --dump-problems=8
expect 0 "" "$cairn" solve one.problems/*.hdf5 some.problems/step_000008.hdf5 --json
keep='import json; print(*(json.loads(line)["err_natural"] for line in open("out")))'
same "the problem of a step, whatever else is recorded" $(python3 -c "$keep")
for start in zero guess solution; do
    expect 0 "" "$cairn" solve some.problems/step_000008.hdf5 --tol 1e-4 --start $start --json
    python3 -c 'import json; print(json.load(open("out"))["iterations"])' >>iterations
done
same "starts" "$(sort -rn iterations)" "$(cat iterations)"
expect 2 "not '8-7'" "$cairn" run shake.yaml --dump-problems=8-7
expect 2 "not 'some'" "$cairn" run shake.yaml --dump-problems=some
expect 0 "failed: step" "$cairn" info strict.h5

# Cables and motors are recorded exactly: what the run found solves the file. Spinning has no place.
awk '/^```/ { fences++; next } fences == 1' "$source_dir/docs/howto/joints.md" |
    sed 's/duration: 1.0/duration: 0.02/' >mill.yaml
expect 0 "" "$cairn" run mill.yaml -q --dump-problems=all
expect 0 "" "$cairn" solve mill.problems/*.hdf5 --start solution --tol 1e-5 --json
python3 -c 'import json, sys; sys.exit(sum(json.loads(l)["iterations"] > 2 for l in open("out")))' ||
    bad "the impulses of a motor or a cable do not solve the recorded problem"
cat >spin.yaml <<'P'
cairn: 1
dimension: 3
materials: {steel: {density: 7800}}
laws: {dry: {type: coulomb, friction: 0.3, rolling: 0.01, spinning: 0.01}}
contacts: [{between: [any, any], law: dry}]
bodies:
  ground: {shape: half_space, fixed: true}
  ball: {shape: {sphere: {radius: 0.1}}, material: steel, at: [0, 0, 0.1]}
stages: [{name: run, step: 1e-3, duration: 0.01}]
P
expect 3 "leave \`spinning\` out of the law" "$cairn" run spin.yaml -q --dump-problems=3
sed 's/, spinning: 0.01//' spin.yaml >roll.yaml
expect 0 "" "$cairn" run roll.yaml -q --dump-problems=3
expect 0 "converged" "$cairn" solve roll.problems/*.hdf5

# An old result is not touched by a run that does not start.
cp shake.h5 kept.h5
sed 's/type: coulomb/type: coulom/' shake.yaml >broken.yaml
expect 3 "coulom" "$cairn" run broken.yaml -o shake.h5
cmp -s shake.h5 kept.h5 || bad "a run that did not start changed an old result"
expect 2 "is the scene" "$cairn" run shake.yaml -o shake.yaml
expect 2 "the same file" "$cairn" run shake.yaml -o a.h5 --checkpoint a.h5
finish
