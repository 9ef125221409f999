# `cairn info`: the JSON object holds what was promised, with the right types.
. "$(dirname "$0")/common"
write_scene shake.yaml
expect 0 "" "$cairn" run shake.yaml -q
expect 0 "" "$cairn" info shake.h5 --json
python3 - <<'P' || bad "info --json does not hold what was promised"
import json, re
lines = open("out").read().splitlines()
assert len(lines) == 1
d = json.loads(lines[0])
for key in ("steps bodies contacts_max nonconverged_steps sweeps_total seed".split()):
    assert type(d[key]) is int, key
for key in ("time residual_max penetration_max_m penetration_max_rel energy_error "
            "wall_seconds".split()):
    assert type(d[key]) in (int, float), key
assert d["steps"] == 300 and d["bodies"] == 4 and abs(d["time"] - 0.3) < 1e-9
assert d["contacts_max"] >= 4 and d["sweeps_total"] >= 300
assert 0 < d["residual_max"] < 1e-2 and 0 <= d["penetration_max_rel"] < 0.01
assert 0 <= d["energy_error"] < 1e-10, d["energy_error"]
assert d["overlap_looks"] == 15 and d["overlap_missed"] == 0 # frames but the first
assert 0 <= d["overlap_max_m"] < 1e-3 and 0 <= d["overlap_unseen_m"] < 1e-6
assert 0 <= d["overlap_phantom_m"] < 1e-4
assert re.fullmatch("('.*' and '.*')?", d["overlap_max_pair"]), d["overlap_max_pair"]
assert set("broad narrow solve audit".split()) <= set(d["seconds_by_stage"])
assert d["wall_seconds"] > 0
assert re.fullmatch("[0-9a-f]{16}", d["state_hash"])
assert d["complete"] is True and d["frames"] == 16
P
expect 0 "Three blocks on a table that shakes" "$cairn" info shake.h5
for words in "reached the end" "300 to t = 0.3 s" "residual" "penetration" "friction" \
    "state hash" "series/base.fx" "series/top.angle"; do
    grep -qF -- "$words" out || bad "info does not say '$words'"
done
expect 4 "nothing.h5" "$cairn" info nothing.h5

# When overlaps are looked for.
expect 0 "" "$cairn" run shake.yaml -q --audit deep -o deep.h5
same "looks of --audit deep" "$(info deep.h5 overlap_looks)" 300
expect 0 "" "$cairn" run shake.yaml -q --audit off -o off.h5
same "looks of --audit off" "$(info off.h5 overlap_looks)" 0
same "state with and without looks" "$(info deep.h5 state_hash)" "$(info off.h5 state_hash)"
expect 2 "frames, deep or off" "$cairn" run shake.yaml --audit often
expect 3 "not a cairn result" "$cairn" info shake.ckpt.h5

# What a run missed, and where: a block that a plate is driven into, in rows of a step and of ten.
cat >squeeze.yaml <<'S'
cairn: 1
dimension: 2
laws: {l: {type: coulomb, friction: 0.3}}
contacts: [{between: [any, any], law: l}]
bodies:
  floor: {shape: {half_plane: {}}, fixed: true}
  block: {shape: {box: [0.2, 0.2]}, at: [0, 0.1], mass: 1}
  plate: {shape: {box: [1, 1]}, at: [0, 0.7], fixed: true}
stages: [{step: 1e-3, duration: 0.03, drive: {plate: {velocity: {y: -0.1}}}}]
output: {history: HISTORY}
S
for history in all 10; do
    sed "s/HISTORY/$history/" squeeze.yaml >squeezed.yaml
    expect 6 "MISSED" "$cairn" run squeezed.yaml -o squeezed.h5
    expect 0 "approach that no impulses stop" "$cairn" info squeezed.h5
    grep -q "^ *most in step [0-9]*: .* at '.*' and '.*'" out || bad "info: where it is missed"
    grep -q "penetration .*: '.*' and 'block'\|penetration .*: 'block' and '.*'" out ||
        bad "info: which bodies are deepest"
    grep -q "residual .* worst at '.*' and '.*'" out || bad "info: where the residual is largest"
    grep -q "largest misfit of a contact" out || bad "info: what the accuracy promises in millimetres"
done
finish
