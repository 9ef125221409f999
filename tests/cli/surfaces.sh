# Bodies from surface files: obstacles, convex parts, cuts; files that cannot be used: exit code 3,
# the file, the face and what is wrong, and nothing is written.
. "$(dirname "$0")/common"

# cuboid FILE X0 Y0 Z0 X1 Y1 Z1: a block as OBJ
cuboid()
{
    {
        for z in "$4" "$7"; do
            printf 'v %s %s %s\nv %s %s %s\nv %s %s %s\nv %s %s %s\n' \
                "$2" "$3" "$z" "$5" "$3" "$z" "$5" "$6" "$z" "$2" "$6" "$z"
        done
        printf 'f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n'
    } >"$1"
}

cuboid ground.obj -2 -2 -1 2 2 0
cuboid low.obj 0 0 0 2 1 1
cuboid high.obj 0 1 0 1 2 1

# An angle: low and high in one surface.
cat >angle.obj <<'OBJ'
v 0 0 0
v 2 0 0
v 2 1 0
v 1 1 0
v 1 2 0
v 0 2 0
v 0 0 1
v 2 0 1
v 2 1 1
v 1 1 1
v 1 2 1
v 0 2 1
f 1 3 2
f 1 4 3
f 1 6 4
f 4 6 5
f 7 8 9
f 7 9 10
f 7 10 12
f 10 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
f 6 1 7 12
OBJ

# scene BODY: with a fixed ground
scene()
{
    cat >scene.yaml <<YAML
cairn: 1
dimension: 3
materials: {stone: {density: 2000}}
laws: {dry: {type: coulomb, friction: 0.5}}
contacts: [{between: [any, any], law: dry}]
bodies:
  ground: {shape: {mesh: ground.obj}, fixed: true}
  rock: {$1}
stages: [{step: 1e-3, duration: 0.3}]
YAML
}

# settles HEIGHT BODY: it falls on the ground, where its mass centre is that high
settles()
{
    scene "$2"
    "$cairn" run -o out.h5 scene.yaml >/dev/null 2>err || bad "$2: $(cat err)"
    "$cairn" export --csv -o out_csv out.h5 >/dev/null 2>err || bad "csv: $(cat err)"
    python3 - "$1" <<'PYTHON' || bad "$2: not at height $1"
import csv, glob, sys
rows = list(csv.DictReader(open(glob.glob('out_csv/*bodies*.csv')[0])))
rock = [row for row in rows if row['id'] == '2'][-1]
sys.exit(abs(float(rock['z']) - float(sys.argv[1])) > 1e-6)
PYTHON
}

settles 0.5 'shape: {mesh: {parts: [low.obj, high.obj]}}, material: stone, at: [-0.5, -0.5, 0.01]'
settles 0.5 'shape: {mesh: {file: angle.obj, cuts: [{point: [1, 0, 0], normal: [1, 0, 0]}]}},
    material: stone, at: [-0.5, -0.5, 0.01]'
settles 0.5 'shape: {mesh: {file: low.obj, cuts: []}}, material: stone, at: [-0.5, -0.5, 0.01]'

# refuse WORDS BODY
refuse()
{
    scene "$2"
    refuse_scene "$1" scene.yaml
}

free='material: stone, at: [0, 0, 3]'
refuse "it must be 'fixed: true'" "shape: {mesh: low.obj}, $free"
refuse "'cuts: []' if it is convex" "shape: {mesh: low.obj}, $free"
refuse "'angle.obj': a piece is not convex: it reaches 1 m beyond face" \
    "shape: {mesh: {parts: [low.obj, angle.obj]}}, $free"
refuse "a piece is not convex" \
    "shape: {mesh: {file: angle.obj, cuts: [{point: [0.5, 0, 0], normal: [1, 0, 0]}]}}, $free"
refuse "no plane" "shape: {mesh: {file: low.obj, cuts: [{point: [0, 0, 0], normal: [0, 0, 0]}]}}, $free"
refuse "a mesh is a file" "shape: {mesh: {scale: 1}}, $free"
refuse "a mesh is a file" "shape: {mesh: {file: low.obj, parts: [low.obj]}}, $free"
refuse "none of .stl" "shape: {mesh: low.txt}, $free"
sed '$d' low.obj >open.obj
refuse "'open.obj' does not bound a solid: 4 x open edge, the first at face 1" "shape: {mesh: open.obj}, fixed: true"
sed 's/^f \(.\) \(.\) \(.\) \(.\)/f \4 \3 \2 \1/' low.obj >inverted.obj
refuse "inside out" "shape: {mesh: inverted.obj}, fixed: true, at: [9, 9, 9]"
cat low.obj high.obj | awk '/^v/ { n++ } /^f/ && n > 8 { for (k = 2; k <= 5; k++) $k += 8 } { print }' |
    sed 's/^v 0 1 0$/v 0 0.5 0/;s/^v 1 1 0$/v 1 0.5 0/' >crossing.obj
refuse "cross" "shape: {mesh: crossing.obj}, fixed: true, at: [9, 9, 9]"
printf 'solid nothing\nendsolid nothing\n' >empty.stl
refuse "empty.stl" "shape: {mesh: empty.stl}, fixed: true"
head -c 300 "$cairn" >garbage.stl
refuse "garbage.stl" "shape: {mesh: garbage.stl}, fixed: true"
printf 'ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n' >cut.ply
refuse "cut.ply" "shape: {mesh: cut.ply}, fixed: true"

# Wrong unit: a remark, not an error.
scene 'shape: {mesh: mm.obj}, fixed: true, at: [9, 9, 9]'
cuboid mm.obj 0 0 0 9000 9000 9000
"$cairn" check scene.yaml >out 2>&1 || bad "a large file is no error: $(cat out)"
grep -q "is its unit the metre" out || bad "no remark on the unit: $(cat out)"
scene 'shape: {mesh: {file: mm.obj, scale: 0.001}}, fixed: true, at: [9, 9, 9]'
"$cairn" check scene.yaml >out 2>&1 || bad "scale: $(cat out)"
grep -q "is its unit the metre" out && bad "scale is not used"

cuboid mm.obj 0 0 0 900 900 900 # plausible alone, but not beside a ball of 0.1 m
scene 'shape: {mesh: mm.obj}, fixed: true, at: [9, 9, 9]'
sed -i 's/^stages/  ball: {shape: {sphere: 0.1}, material: stone, at: [0, 0, 1]}\n&/' scene.yaml
"$cairn" check scene.yaml >out 2>&1 || bad "a large file is no error: $(cat out)"
grep -q "this surface is 900 m thin, other bodies 0.2 m" out || bad "no remark on the ratio: $(cat out)"

# The results show it: exports and a picture.
"$cairn" render -o shown.png out.h5 >/dev/null 2>err || bad "render: $(cat err)"
[ -s shown.png ] || bad "no picture"
"$cairn" export --obj -o shown out.h5 >/dev/null 2>err || bad "obj: $(cat err)"
[ "$(cat shown/*.obj | grep -c '^f ')" -eq 18 ] || bad "not 12 triangles and 6 faces in the OBJ"
finish
