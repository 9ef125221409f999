# `cairn bench solve`: problems made on the spot, times of every solver, a profile.
. "$(dirname "$0")/common"
data=$source_dir/tests/data/fclib

expect 0 "Usage: cairn bench" "$cairn" bench --help
expect 2 "missing operand" "$cairn" bench
expect 2 "not 'sing'" "$cairn" bench sing
expect 2 "not 'magic'" "$cairn" bench solve --solver magic
expect 2 "must be > 0" "$cairn" bench solve --tol 0
expect 2 "--start is zero" "$cairn" bench solve --start here
expect 2 "must end in .png, .svg or .csv" "$cairn" bench solve -o profile.jpg
expect 0 "viaduct of 30 spans" "$cairn" bench solve --list
expect 4 "No such file" "$cairn" bench solve none.hdf5
expect 4 "cannot make the folder" "$cairn" bench solve --folder no/such --size 200

# The two smallest problems of the library; the second time they are found.
expect 0 "making stress/tower_1000.hdf5" "$cairn" bench solve --size 200 --solver auto --solver nncg --tol 1e-3
grep -q "profile.png" out || bad "bench does not name its picture"
head -c 8 profile.png | od -An -tx1 | grep -q "89 50 4e 47" || bad "profile.png is no PNG"
expect 0 "arch_41.hdf5" "$cairn" bench solve --size 200 --tol 1e-3 --json -o profile.csv
grep -q "making" err && bad "bench makes files again that are there"
python3 - <<'P' || bad "bench --json does not hold what was promised"
import json
lines = [json.loads(line) for line in open("out")]
names = {d["solver"] for d in lines}
assert {"auto", "nncg", "admm", "ipm", "lemke"} <= names and len(lines) == 2 * len(names)
for d in lines:
    assert d["contacts"] in (124, 168) and d["seconds"] >= 0.0
    assert d["status"] != "converged" or d["err_natural"] <= 1e-3
assert all(d["status"] == "converged" for d in lines if d["solver"] == "auto")
P
head -n 1 profile.csv | grep -q "curve,x,y" || bad "profile.csv has no table"

# A peer is any program that prints its times in the agreed form.
cat >peer.sh <<'P'
#!/bin/sh
echo "this line is skipped"
echo "theirs 1e-9 1e-5 3 converged"
echo "slow 4.0 0.1 9 failed"
P
chmod +x peer.sh
expect 0 "theirs" "$cairn" bench solve "$data/fc3d_one_contact.hdf5" --solver auto --peer ./peer.sh
expect 4 "cannot be run" "$cairn" bench solve "$data/fc3d_one_contact.hdf5" --peer ./none.sh
finish
