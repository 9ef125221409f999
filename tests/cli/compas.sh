# cairn export --to compas: blocks, supports and forces of joints, read by other programs and by cairn again.
. "$(dirname "$0")/common"

cat > box.yaml <<'Y'
cairn: 1
dimension: 3
gravity: [0, 0, -9.81]
materials: {stone: {density: 2000}}
laws: {dry: {type: coulomb, friction: 0.6}}
contacts: [{between: [any, any], law: dry}]
bodies:
  ground: {shape: {box: [4, 4, 1]}, at: [0, 0, -0.5], fixed: true}
  low: {shape: {box: [1, 1, 1]}, at: [0, 0, 0.5], material: stone}
  high: {shape: {box: [1, 1, 1]}, at: [0.2, 0.1, 1.5], rotation: {axis: [0, 0, 1], angle: 0.3}, material: stone}
stages: [{step: 1e-3, duration: 0.01}]
limit: [{name: push, load: {acceleration: [1, 0, 0]}}]
Y
expect 0 "" "$cairn" run box.yaml -q
expect 0 "boxes/assembly.json" "$cairn" export box.h5 --to compas -o boxes
cat > check.py <<'P'
import json, math, sys
def graph(path):
    return json.load(open(path))["data"]["graph"]["data"]
def cross(a, b):
    return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]
g = graph(sys.argv[1])
names = [n["block"]["name"] for n in g["node"].values()]
assert names == ["ground", "low", "high"], names
assert [n["is_support"] for n in g["node"].values()] == [True, False, False]
assert all(len(n["block"]["data"]["vertex"]) == 8 and len(n["block"]["data"]["face"]) == 6 for n in g["node"].values())
joints = [(i, j, x["data"]) for i, e in g["edge"].items() for j, y in e.items() for x in y["interfaces"]]
assert [(i, j) for i, j, _ in joints] == [("0", "1"), ("1", "2")]
for (i, j, x), weight in zip(joints, (2, 1)):
    f = x["frame"]["data"]
    # Forces act on the first block, which is below: the weight above it presses down.
    normal = cross(f["xaxis"], f["yaxis"])
    assert abs(sum(c["c_np"] - c["c_nn"] for c in x["forces"]) / (weight * 19620) - 1) < 1e-6
    assert math.dist(normal, (0, 0, -1)) < 1e-12
    assert len(x["points"]) == len(x["forces"]) == 4
assert abs(joints[0][2]["size"] - 1) < 1e-9
P
python3 check.py boxes/assembly.json || bad "the assembly is not that of the run"

# Back again: the same blocks and supports, to the bit as far as frames of bodies allow.
sed '/^bodies:/,/^  high/d' box.yaml > back.yaml
echo 'bodies: {a: {blocks: boxes/assembly.json, material: stone}}' >> back.yaml
expect 0 "3 blocks of boxes/assembly.json, 4 x 4 x 3 m, 18 m3, 1 supports" "$cairn" check back.yaml
expect 0 "" "$cairn" run back.yaml -q
expect 0 "" "$cairn" export back.h5 --to compas --frame 0 -o again
expect 0 "" "$cairn" export box.h5 --to compas --frame -1 -o boxes
sed 's/"a\.\([a-z]*\)"/"\1"/g' again/assembly.json > again.json
python3 - <<'P' || bad "a round trip moves vertices"
import json, math
def blocks(path):
    nodes = json.load(open(path))["data"]["graph"]["data"]["node"].values()
    return {n["block"]["name"]: sorted((v["x"], v["y"], v["z"]) for v in n["block"]["data"]["vertex"].values()) for n in nodes}
a, b = blocks("boxes/assembly.json"), blocks("again.json")
assert a.keys() == b.keys(), (a.keys(), b.keys())
for name in a: # of equal x in another order: nearest ones
    assert all(min(math.dist(p, q) for q in b[name]) < 1e-12 for p in a[name]), name
P

# The forces of a limit analysis; what has no assembly.
expect 0 "" "$cairn" limit box.yaml -o push.h5
expect 0 "" "$cairn" export push.h5 --to compas --frame 0 -o pushed
python3 check.py pushed/assembly.json || bad "the forces of the lower bound are not those of the weights"

cat > plane.yaml <<'Y'
cairn: 1
materials: {stone: {density: 2000}}
bodies: {a: {shape: {disk: 1}, material: stone}}
stages: [{step: 1e-3, duration: 0.01}]
Y
expect 0 "" "$cairn" run plane.yaml -q
expect 3 "COMPAS knows assemblies in space" "$cairn" export plane.h5 --to compas
finish
