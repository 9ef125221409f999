# `cairn solve`: stored problems, what is promised of the JSON, and no success without one.
. "$(dirname "$0")/common"
data=$source_dir/tests/data/fclib

expect 0 "Usage: cairn solve" "$cairn" solve --help
expect 2 "missing operand" "$cairn" solve
expect 2 "not 'magic'" "$cairn" solve a.hdf5 --solver magic
expect 2 "--measure is natural, scaled or velocity" "$cairn" solve a.hdf5 --measure good
expect 2 "--order is fixed" "$cairn" solve a.hdf5 --order up
expect 2 "must be > 0" "$cairn" solve a.hdf5 --tol 0
expect 2 "--max-seconds must be >= 0" "$cairn" solve a.hdf5 --max-seconds=-1
expect 2 "--patience must be >= 1" "$cairn" solve a.hdf5 --patience=-1
expect 2 "--threads must be" "$cairn" solve a.hdf5 -j 0
expect 2 "--start is zero" "$cairn" solve a.hdf5 --start here
expect 2 "takes the answer of one FILE" "$cairn" solve a.hdf5 b.hdf5 -o c.hdf5
expect 4 "No such file" "$cairn" solve none.hdf5

expect 0 "converged" "$cairn" solve "$data/fc3d_one_contact.hdf5"
cp "$data/fc3d_one_contact.hdf5" one.hdf5
expect 2 "give the answer another name" "$cairn" solve one.hdf5 -o one.hdf5
cmp -s one.hdf5 "$data/fc3d_one_contact.hdf5" || bad "the problem was overwritten by its answer"
expect 0 "it holds no guess, started from zero" "$cairn" solve one.hdf5 --start guess
small="$data/fc2d_slidercrank_0.hdf5 $data/fc2d_problem_00237.hdf5 $data/fc3d_oneobject_138.hdf5
$data/fc3d_confeti_ex03.hdf5 $data/gfc3d_boxstacks_082.hdf5 $data/fc3d_capsules_i100_1090.hdf5"

# An answer that is in the file is one, and nothing is iterated.
expect 0 "converged" "$cairn" solve "$data/fc3d_capsules_i100_1090.hdf5" --tol 1e-6 -o answer.hdf5
expect 0 '"iterations": 0,' "$cairn" solve answer.hdf5 --start solution --tol 1e-6 --json

# The object holds what was promised; every measure means what it says.
for measure in natural scaled velocity; do
    expect 0 "" "$cairn" solve $small --measure $measure --tol 1e-5 --json
    python3 - $measure <<'P' || bad "solve --json with $measure does not hold what was promised"
import json, sys
lines = [json.loads(line) for line in open("out")]
assert len(lines) == 6
keys = "file dim contacts solver iterations iterations_by_method seconds_by_method err_natural err_scaled approach_left seconds_setup seconds_solve status".split()
keys += ["err_velocity"] if sys.argv[1] == "velocity" else []
for d in lines:
    assert sorted(d) == sorted(keys), d
    assert d["status"] == "converged" and "nncg" in d["solver"].split(">") and d["file"].endswith("hdf5")
    assert d["err_" + sys.argv[1]] <= 1e-5, d
    for key in "dim contacts iterations".split():
        assert type(d[key]) is int and d[key] > 0, key
    for key in "err_natural err_scaled approach_left seconds_setup seconds_solve".split():
        assert type(d[key]) in (int, float) and d[key] >= 0, key
assert [d["dim"] for d in lines] == [2, 2, 3, 3, 3, 3]
assert [d["contacts"] for d in lines] == [2, 376, 23, 54, 82, 276]
P
done

# Both methods and all orders; the same command gives the same errors, digit for digit.
keep='import json; [print(d["iterations"], d["err_natural"]) for d in map(json.loads, open("out"))]'
for order in fixed reversed alternating random; do
    expect 0 "" "$cairn" solve $small --solver nlgs --tol 1e-4 --order $order --seed 5 --json
    first=$(python3 -c "$keep")
    expect 0 "" "$cairn" solve $small --solver nlgs --tol 1e-4 --order $order --seed 5 --json
    same "order $order" "$first" "$(python3 -c "$keep")"
done

# Not reached: exit code 1, and the word converged nowhere.
expect 1 "" "$cairn" solve "$data/fc2d_sim_disks484_a.hdf5" --tol 1e-13 --max-seconds 0.2
grep -q converged out && bad "a problem that was given up is called converged"
grep -q time_limit out || bad "a time limit is not named"
expect 1 "stalled" "$cairn" solve "$data/fc3d_oneobject_138.hdf5" --tol 1e-40
expect 1 "converged" "$cairn" solve "$data/fc3d_one_contact.hdf5" "$data/fc3d_oneobject_138.hdf5" \
    --tol 1e-16 --max-seconds 0.2

# Rolling friction, local and global, with every method.
for solver in nlgs nncg prox apgd admm; do
    expect 0 "" "$cairn" solve "$data"/*rfc3d_*.hdf5 --solver $solver
    same "rolling files with $solver" "$(grep -c converged out)" "$(ls "$data"/*rfc3d_*.hdf5 | wc -l)"
done

# What cannot be read says so.
head -c 5000 "$data/fc3d_one_contact.hdf5" >cut.hdf5
expect 3 "cut.hdf5" "$cairn" solve cut.hdf5
grep -q unreadable out || bad "a truncated file is not called unreadable"
echo "not a problem" >text.hdf5
expect 3 "not an HDF5 file" "$cairn" solve text.hdf5

zero=$source_dir/tests/fuzz/corpus/problem/good_zero_row.hdf5
expect 3 "contact 0 approaches, but its normal row of W is zero" "$cairn" solve "$zero"
grep -q infeasible out || bad "a problem without solution is not called infeasible"

# Impulses of 1e16 make every relative error small; they are no answer.
none=$source_dir/tests/fuzz/corpus/problem/good_no_solution.hdf5
expect 3 "there is no solution" "$cairn" solve "$none"
grep -q converged out && bad "a problem without solution is called converged"
for solver in nncg ipm newton prox-newton; do
    "$cairn" solve "$none" --tol 1e-4 --solver $solver >out 2>err && bad "$solver solves what has no solution"
done

# Where the system refuses memory for a factor it is done without, or fails with a message; OpenBLAS
# alone would wait for ever. A program with sanitizers does not even start within such limits.
for limit in 120000 160000 200000; do
    (ulimit -v $limit && "$cairn" cite >out 2>&1)
    [ $? -eq 134 ] && continue
    (ulimit -v $limit && exec timeout 60 "$cairn" solve "$data/fc3d_kaplastower_part_68.hdf5" \
        --solver ipm >out 2>err)
    code=$?
    [ $code -eq 0 ] || [ $code -eq 1 ] || [ $code -eq 127 ] || bad "memory of $limit kB: exit code $code"
done

# The answer can be kept and is an answer.
expect 0 "" "$cairn" solve "$data/gfc3d_boxstacks_082.hdf5" --tol 1e-10 -o answer.hdf5
expect 0 "" "$cairn" solve answer.hdf5 --tol 1e-10
expect 4 "no-such-folder" "$cairn" solve "$data/fc3d_one_contact.hdf5" -o no-such-folder/a.hdf5
# A step of the example drum, recorded by the program: accelerated sweeps cycle at five times what is
# accepted, plain ones go on.
expect 0 "nlgs" "$cairn" solve "$source_dir/tests/data/drum_step_1983.hdf5" --measure velocity --tol 1e-3

# Damaged problems end soon, by counted work, and are not called converged.
for measure in natural scaled velocity; do
    for name in zero_normal_row rolling_huge_entry; do
        timeout 20 "$cairn" solve "$source_dir/tests/data/$name.hdf5" --measure $measure >out 2>err
        code=$?
        test $code = 3 || test $code = 1 || bad "$name with $measure ends with exit code $code"
        ! grep -q converged out || bad "$name with $measure is called converged"
    done
done

finish
