# cairn check as doctor of scenes: overlaps, slits, repaired copies; solids and joints that cannot
# be. Exit code 3 for errors, bodies by name, and nothing is written.
. "$(dirname "$0")/common"

# scene LINE...: bodies, beside a fixed slab whose top is z = 0
scene()
{
    {
        cat <<'YAML'
cairn: 1
dimension: 3
materials: {stone: {density: 2000}}
laws: {dry: {type: coulomb, friction: 0.5}}
contacts: [{between: [any, any], law: dry}]
bodies:
  slab: {shape: {box: [4, 4, 1]}, at: [0, 0, -0.5], fixed: true}
YAML
        printf '  %s\n' "$@"
        echo 'stages: [{step: 1e-3, duration: 0.01}]'
    } >scene.yaml
}

# refuse WORDS LINE...: check and run say so and write nothing
refuse()
{
    words=$1
    shift
    scene "$@"
    refuse_scene "$words" scene.yaml
}

low='low: {shape: {box: [1, 1, 1]}, at: [0, 0, 0.5], material: stone}'

# Overlaps: one line per pair, with depth and remedy.
refuse "bodies 'slab' and 'deep' overlap by 0.05 m, 5 % of the smaller one (accepted: 1 %); move them apart" \
    'deep: {shape: {box: [1, 1, 1]}, at: [0, 0, 0.45], material: stone}'
"$cairn" check scene.yaml >out 2>err
same "lines about one overlap" "$(cat out err | grep -c "overlap by")" 1
sed -i 's/^stages/overlap_max: 0.06\n&/' scene.yaml
expect 0 "warning: bodies 'slab' and 'deep' overlap by 0.05 m" "$cairn" check scene.yaml
expect 0 "" "$cairn" run -o allowed.h5 scene.yaml
refuse "several bodies overlap; the deepest: bodies 'one' and 'two'" \
    'one: {shape: {sphere: 0.5}, at: [0, 0, 0.48], material: stone}' \
    'two: {shape: {sphere: 0.5}, at: [0, 0, 0.5], material: stone}'
scene "$low" # just touching: not a word
expect 0 "" "$cairn" check scene.yaml
grep -q "warning" out && bad "a body that touches is warned about: $(grep warning out)"

# Wholly inside a surface, where nothing touches; and around one.
printf 'v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n' >cube.obj
printf 'f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n' >>cube.obj
rock='rock: {shape: {mesh: cube.obj}, at: [0, 0, 9], fixed: true}'
for solid in '{sphere: 0.1}' '{box: [0.2, 0.2, 0.2]}' '{capsule: {radius: 0.1, length: 0.2}}' \
    '{cylinder: {radius: 0.1, length: 0.2}}'; do
    refuse "bodies 'rock' and 'lost' overlap" "$rock" \
        "lost: {shape: $solid, at: [0.7, 0.9, 9.9], material: stone}"
done
refuse "bodies 'rock' and 'shell' overlap" "$rock" \
    'shell: {shape: {box: [5, 5, 5]}, at: [1, 1, 10.2], material: stone}'

# Slits between faces: warnings. Wider ones, and points over faces, are meant.
scene "$low" 'high: {shape: {box: [1, 1, 1]}, at: [0, 0, 1.5004], material: stone}'
expect 0 "warning: faces of 'low' and 'high' are 0.0004 m apart, 0.04 % of the smaller one" \
    "$cairn" check scene.yaml
scene "$low" 'high: {shape: {box: [1, 1, 1]}, at: [0, 0, 1.5001], rotation: {axis: [0, 1, 0], angle: 2e-4}, material: stone}'
expect 0 "warning: faces of 'low' and 'high' are 1e-08 to 0.0002 m apart" "$cairn" check scene.yaml
scene "$low" 'high: {shape: {box: [1, 1, 1]}, at: [0, 0, 1.52], material: stone}' \
    'ball: {shape: {sphere: 0.5}, at: [1.5, 0, 0.5002], material: stone}'
expect 0 "" "$cairn" check scene.yaml
grep -q "warning" out && bad "gaps that are meant are warned about: $(grep warning out)"

# Parts of one body: what they share would count twice.
for cluster in '{shape: {sphere: 0.5}, at: [0.5, 0, 0]}:1' '{shape: {sphere: 0.5}, at: [1, 0, 0]}:0'; do
    scene "pair: {cluster: [{shape: {sphere: 0.5}}, ${cluster%:*}], at: [0, 0, 0.5], material: stone}"
    expect 0 "" "$cairn" check scene.yaml
    same "warnings about ${cluster%:*}" "$(grep -c "parts 1 and 2 of 'pair' overlap by 0.5 m" out)" ${cluster##*:}
done
scene "pair: {cluster: [{shape: {sphere: 0.5}}, {shape: {sphere: 0.5}, at: [0.5, 0, 0]}], at: [0, 0, 0.5], mass: 1, inertia: [1, 1, 1]}"
expect 0 "" "$cairn" check scene.yaml
grep -q "warning" out && bad "a body whose mass is given is warned about: $(grep warning out)"

# Repair: a copy with bodies moved, a log, the input untouched.
scene 'low: {shape: {box: [1, 1, 1]}, at: [0, 0, 0.47], material: stone}' \
    'high: {shape: {box: [1, 1, 1]}, at: [0.2, 0, 1.5004], material: stone}' \
    'wall: {generate: {wall: {length: 1, courses: 2, block: [0.5, 0.2, 0.2]}}, at: [-2, -1.5, 2e-4], material: stone}'
cp scene.yaml before.yaml
expect 0 "wrote fixed.yaml, 3 entries moved" "$cairn" check scene.yaml --fix -o fixed.yaml
grep -q "moved 'low' by (0, 0, 0.03) m" out || bad "the log lacks a move: $(grep moved out)"
grep -q "moved 'wall', all its bodies, by (0, 0, -0.0002) m" out || bad "no move of a group: $(grep moved out)"
cmp -s scene.yaml before.yaml || bad "the input was changed"
grep "moved\|wrote" out >told
grep "moved\|wrote" fixed.yaml.log | cmp -s - told || bad "the log file lacks repairs: $(cat fixed.yaml.log)"
expect 0 "" "$cairn" check fixed.yaml
grep -q "warning" out && bad "the repaired copy is not sound: $(grep warning out)"
expect 0 "" "$cairn" run -o fixed.h5 fixed.yaml
scene "$low" 'high: {shape: {box: [1, 1, 1]}, at: [0, 0, 1.5004], material: stone}' # rounding is no move
expect 0 "wrote fixed.yaml, 1 entry moved" "$cairn" check scene.yaml --fix -o fixed.yaml
scene 'wall: {generate: {wall: {length: 1, courses: 2, block: [0.5, 0.2, 0.2], bed_gap: 1e-4}}, material: stone}'
expect 0 "change the numbers of the entry that makes both" "$cairn" check scene.yaml # no move of entries helps
scene 'deep: {shape: {box: [1, 1, 1]}, at: [0, 0, 0.2], material: stone}' # no slip: left alone
expect 3 "overlap by 0.3 m" "$cairn" check scene.yaml --fix -o left.yaml
grep -q "overlap by 0.3 m" left.yaml.log || bad "the log does not say what is left: $(cat left.yaml.log)"
expect 2 "give the copy another name" "$cairn" check scene.yaml --fix -o scene.yaml
expect 2 "goes with neither" "$cairn" check scene.yaml --fix --joints -o left.yaml
expect 0 "of faces" "$cairn" check "$source_dir/examples/bridge.yaml" --joints -o joints.csv
grep -q '^"bridge.spandrel_01","bridge.spandrel_02","joint",4,' joints.csv ||
    bad "no joint of named blocks in joints.csv"
expect 2 "go together" "$cairn" check scene.yaml --fix
expect 4 "no/such" "$cairn" check scene.yaml --fix -o no/such.yaml

# Solids that are none.
for points in '[[0, 0, 0], [1, 0, 0], [0, 1, 0]]:needs at least 4 points, got 3' \
    '[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]:lie in one plane' \
    '[[1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 1, 1]]:fill a box of size 0 m'; do
    refuse "body 'flat': " "flat: {shape: {polyhedron: ${points%%:*}}, at: [0, 0, 3], material: stone}"
    grep -q "${points#*:}" err || bad "${points%%:*}: $(cat err)"
done

# Surfaces that touch themselves along an edge or in a corner.
# second Z: the cube and another one beside it, Z higher
second()
{
    awk -v z="$1" 'function number(p) { if (!(p in of)) { of[p] = ++n; v[n] = p; }; return of[p] }
        /^v/ { number($2 " " $3 " " $4) }
        /^f/ { f[++m] = $2 " " $3 " " $4 " " $5 }
        END {
            for (k = 1; k <= 8; k++) {
                split(v[k], x, " ")
                other[k] = number(x[1] + 2 " " x[2] + 2 " " x[3] + z)
            }
            for (k = 1; k <= n; k++) print "v", v[k]
            for (k = 1; k <= m; k++) {
                print "f", f[k]
                split(f[k], x, " ")
                print "f", other[x[1]], other[x[2]], other[x[3]], other[x[4]]
            }
        }' cube.obj
}
second 0 >edge.obj
second 2 >corner.obj
refuse "body 'rock': 'edge.obj' does not bound a solid: 1 x edge of more than two triangles, the first at face 6" \
    'rock: {shape: {mesh: edge.obj}, at: [0, 0, 9], fixed: true}'
refuse "'corner.obj' does not bound a solid: 1 x vertex where separate surfaces meet" \
    'rock: {shape: {mesh: corner.obj}, at: [0, 0, 9], fixed: true}'

# Joints that cannot be.
for joint in "ball: [0, 0, 2], between: [low, low]:joins body 'low' to itself" \
    'ball: [0, 0, 2], between: [low, nobody]:unknown body or group' \
    'ball: [0, 0, 2], between: [slab, base]:both fixed' \
    'hinge: {at: [0, 0, 2], axis: [0, 0, 0]}, between: [low, slab]:axis has no direction' \
    'rod: {from: [0, 0, 0.5], to: [0, 0, 0.5]}, between: [low, slab]:rod has both ends' \
    'rod: {to: [0, 0, 0.5]}, between: [low, world]:rod has both ends' \
    'cable: {from: [0, 0, 0.5], to: [0, 0, 3], length: -1}, between: [low, slab]:length must be > 0'; do
    refuse "${joint##*:}" "$low" 'base: {shape: {box: [1, 1, 1]}, at: [9, 9, 9], fixed: true}' \
        "z: {shape: {sphere: 0.1}, at: [9, 0, 9], material: stone}
joints: {pin: {${joint%:*}}}"
    grep -q "pin\|scene.yaml:[0-9]" err || bad "${joint%:*}: neither joint nor line: $(cat err)"
done
scene "$low
joints: {pin: {ball: [0, 0, 2], between: [low, world]}}"
sed -i 's/duration: 0.01/&, drive: {low: {velocity: {x: 1, y: 0, z: 0, rx: 0, ry: 0, rz: 0}}}/' scene.yaml
refuse_scene "joint 'pin', a ball between body 'low' and the world, is torn open at 1 m/s" scene.yaml
sed -i 's/ x: 1, y: 0, z: 0, / x: 1, /' scene.yaml # z is free and cannot help
refuse_scene "joint 'pin'" scene.yaml
finish
