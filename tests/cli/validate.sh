# `cairn validate`: one JSON object per quantity; unknown cases are refused.
. "$(dirname "$0")/common"
expect 0 "" "$cairn" validate A01 --json
python3 - <<'P' || bad "validate --json does not hold what was promised"
import json
lines = [json.loads(line) for line in open("out")]
assert lines
for d in lines:
    assert set("id quantity measured reference error tolerance pass".split()) <= set(d), d
    assert d["id"] == "A01" and d["pass"] is True, d
P
expect 0 "A01" "$cairn" validate A01
expect 2 "Z99" "$cairn" validate Z99
expect 2 "not one of the fast cases" "$cairn" validate --fast C03
finish
