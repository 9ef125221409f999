# cairn limit: bounds, proofs, mechanisms as results, and what it refuses.
. "$(dirname "$0")/common"

head='cairn: 1
materials: {stone: {density: 2000}}
laws: {dry: {type: coulomb, friction: 0.7}}
contacts: [{between: [any, any], law: dry}]'
cat > block.yaml <<S
$head
params: {mu: 0.7}
bodies:
  ground: {shape: {box: [8, 1]}, at: [0, -0.5], fixed: true}
  block: {shape: {box: [1, 4]}, at: [0, 2], material: stone}
limit: [{name: quake, load: {acceleration: [1, 0]}}]
S

# Half width over height of the centre, to all printed digits.
expect 0 "at least     0.25 " "$cairn" limit block.yaml
grep -q "at most      0.25 " out || bad "no upper bound"
grep -q "1 joints hinge, 0 slide" out || bad "the block does not turn"
grep -q "leans by 14.0362 degrees" out || bad "no slope"
expect 0 '"outcome": "stands"' "$cairn" limit block.yaml --json -o none
grep -q '"outcome": "bounded", "lower": 0.2' out || bad "no bounds in JSON"
# The weight acts at the middle: joints may shrink to nothing and friction vanish, to the gap.
expect 0 "joints       stands at 9.536743e-07 of them" "$cairn" limit block.yaml -o none --safety
grep -q "friction     stands at 9.536743e-07" out || bad "no least friction"
expect 0 '"least": "joints", "stands": 9.5367' "$cairn" limit block.yaml -o none --safety --json
# The forces of the lower bound act at the toe.
expect 0 "body,other,x,y" "$cairn" patches block.limit.h5 --frame 0
grep -q "^ground,block,0.5,0,-0,-1,78480,19620,0.25,-39240,1,1,0,2" out || bad "no resultant at the toe"
expect 0 "" "$cairn" patches block.limit.h5 --frame 0 -o patches.csv
expect 0 "" "$cairn" render block.limit.h5 --frame 0 --thrust -o block.png
# Everything that shows results shows the mechanism.
expect 0 "limit analysis, quake: bounded" "$cairn" info block.limit.h5
expect 0 "" "$cairn" render block.limit.h5 --paint opening -o block.png
expect 0 "" "$cairn" export block.limit.h5 --csv -o csv
# The last frame turns about the right toe: the block goes with the push.
awk -F, 'NR > 1 { x[$2] = $0 } END { exit !(NR > 20) }' csv/bodies.csv || bad "no frames of the mechanism"

# Forces by name, at a point, beside a dead load (B36 of the book): H = (W + V)/4 at the top of 1 x 2 m.
cat > push.yaml <<S
$head
bodies:
  ground: {shape: {box: [8, 1]}, at: [0, -0.5], fixed: true}
  block: {shape: {box: [1, 2]}, at: [0, 1], material: stone}
limit:
  - {name: pushed, load: {force: {block: {force: [1, 0], at: [0, 1]}}}}
  - {name: held down, load: {force: {block: {force: [1, 0], at: [0, 1]}}}, dead: {force: {block: [0, -10760]}}}
  - {name: twisted, load: {force: {block: {torque: -1}}}, above: 1e5}
  - {name: pressed, load: {force: {block: [0, -1]}}}
S
expect 5 "pushed       bounded 9810 .. 9810" "$cairn" limit push.yaml -q
grep -q "held down    bounded 12500 .. 12500" out || bad "the dead load does not count"
grep -q "twisted      bounded 19620 .. 19620" out || bad "the torque is not W/2"
grep -q "not carried" out || bad "what is asked is not judged"
grep -q "pressed      unbounded" out || bad "pressing down has a limit"
[ -s "push.held_down.h5" ] || bad "no result of a load with a blank in its name"

# The thrust of an arch, B25 of the book: W is 1106981 N, H/W 0.175568 to 0.227373.
cat > arch.yaml <<S
$head
bodies:
  arch:
    generate: {arch: {form: semicircular, blocks: 27, radius: 10.0, thickness: 1.5}}
    material: stone
limit:
  - {name: most, support: "arch[2,2]", along: [-1, 0]}
  - {name: least, support: "arch[2,2]", along: [1, 0]}
S
expect 0 "" "$cairn" limit arch.yaml --json -o none
python3 - <<'P' || bad "the thrust is not that of Heyman"
import json
rows = [json.loads(line) for line in open("out")]
weight = rows[0]["weight_n"]
assert abs(rows[1]["lower"] / weight - 0.227373) < 1e-6, rows[1]
assert abs(-rows[2]["lower"] / weight - 0.175568) < 1e-6, rows[2]
P

# The example: B30 of the book.
expect 0 "at least     0.105262" "$cairn" limit "$source_dir/examples/piers.yaml" -o piers.h5
[ -s piers.quake.h5 ] && [ -s piers.wagon.h5 ] || bad "several loads do not have a result each"
# Bodies that move as one stay together at any amplitude: but for the four hinges nothing opens.
expect 0 "" "$cairn" export piers.quake.h5 --csv -o piers
python3 - <<'P' || bad "the mechanism opens joints that stay"
import csv, math
rows = [r for r in csv.DictReader(open("piers/bodies.csv")) if r["frame"] in ("0", "20")]
bodies = {}
for r in rows:
    bodies.setdefault(r["name"], []).append((float(r["x"]), float(r["y"]), float(r["angle"])))
stones = [bodies[f"arch[1,{k}]"] for k in range(1, 21)]
apart = 0
for (a0, a1), (b0, b1) in zip(stones, stones[1:]):
    same_turn = abs((a1[2] - a0[2]) - (b1[2] - b0[2])) < 1e-9
    before, after = math.dist(a0[:2], b0[:2]), math.dist(a1[:2], b1[:2])
    apart += not same_turn
    assert not same_turn or abs(after - before) < 1e-9, (before, after)
assert apart == 3, apart  # the fourth hinge is under a pier
P

# Without dilatancy: a wedge in a groove of 45 degrees, pulled along it; on paper 0.4/cos(45 degrees).
cat > wedge.yaml <<S
cairn: 1
dimension: 3
materials: {stone: {density: 2500}}
laws: {dry: {type: coulomb, friction: 0.4}}
contacts: [{between: [any, any], law: dry}]
bodies:
  left: {shape: {polyhedron: [[-6, 0, 0], [6, 0, 0], [-6, -3, 3], [6, -3, 3], [-6, -3, 0], [6, -3, 0]]}, fixed: true}
  right: {shape: {polyhedron: [[-6, 0, 0], [6, 0, 0], [-6, 3, 3], [6, 3, 3], [-6, 3, 0], [6, 3, 0]]}, fixed: true}
  wedge: {shape: {polyhedron: [[-2, 0, 0], [2, 0, 0], [-2, -1, 1], [2, -1, 1], [-2, 1, 1], [2, 1, 1]]}, material: stone}
limit: [{name: pull, load: {acceleration: [1, 0, 0]}}]
S
expect 0 "at most      0.617213" "$cairn" limit wedge.yaml --coulomb --starts 1 -o none
grep -q "solution   0.5656" out || bad "no solution without dilatancy"
grep -q "at least   -   no proof" out || bad "a proof that does not exist is not denied"

# A structure that falls, with its mechanism; the state of a run.
sed 's/0.7}/0.2}/' block.yaml | sed 's/limit:/gravity: [4, -9.81]\nlimit:/' > slope.yaml
expect 0 "dead load    falls" "$cairn" limit slope.yaml -o none
sed 's/limit:/stages: [{step: 1e-3, duration: 0.02}]\nlimit:/' block.yaml > run.yaml
expect 0 "" "$cairn" run run.yaml -q
expect 0 "frame 1 at t" "$cairn" limit run.yaml --from run.h5 --frame 1 -o none
grep -q "at least     0.25" out || bad "the state of a run is not that of the scene"
expect 3 "frame 999" "$cairn" limit run.yaml --from run.h5 --frame 999

# What is carried while a mechanism goes on: hinges of an arch on piers, of second order in the step.
curve()
{
    sed "s/- {name: quake,.*/- {name: quake, load: {acceleration: [1, 0]}, curve: {control: 'arch[1,10]', until: $1, steps: $2}}/" \
        "$source_dir/examples/piers.yaml" > curve.yaml
    "$cairn" limit curve.yaml > out 2> err
}
for n in 4 8 16; do
    curve 0.15 $n || bad "a curve of $n steps ends with exit code $?"
    tail -n 1 curve.quake.curve.csv | cut -d, -f7 >> ends
    grep -q "the way that was asked for" out || bad "the curve does not say how it ends: $(cat out)"
done
awk '{ x[NR] = $1 } END { ratio = (x[1] - x[2])/(x[2] - x[3]); exit !(ratio > 3.8 && ratio < 4.2) }' ends ||
    bad "not of second order: $(cat ends)"
curve 1.0 40
[ $? -eq 6 ] || bad "a curve that ends early ends well"
grep -q "NOT to its end" out || bad "a curve that ends early does not say so"
sed 's/0.7}/0.2}/; s/\[1, 0\]}/[1, 0]}, curve: {control: block, until: 0.1}/' block.yaml > slides.yaml
expect 6 "the mechanism slides" "$cairn" limit slides.yaml
sed 's/\[1, 0\]}/[1, 0]}, curve: {control: ground, until: 0.1}/' block.yaml > bad.yaml
expect 3 "'ground' is fixed and has no way to measure" "$cairn" limit bad.yaml
sed 's/\[1, 0\]}/[1, 0]}, curve: {control: block, at: [-0.5, 2], until: 5}/' block.yaml > turns.yaml
expect 0 '"curve": "quake"' "$cairn" limit turns.yaml --json
grep -q '"whole": true, "ending": "nothing is carried any more"' out || bad "the block is not followed to its end"

# A slab of 29430 N on the middle third of its length: a wheel of 1 kN beyond it turns it with 14715 N m over its
# arm. Of a wheel that is half on the slab half counts, with the arm of that half.
cat > slab.yaml <<S
$head
bodies:
  ground: {shape: {box: [1, 1]}, at: [0, -0.5], fixed: true}
  slab: {shape: {box: [3, 0.5]}, at: [0, 0.25], material: stone}
limit: [{name: cart, axles: {loads: [[0, 1e3], [0.5, 500]], on: slab, from: -2.8, to: 1.2, steps: 20, spread: 0.4}}]
S
expect 0 "axles        at 21 places, the worst with the first at x = -1.4 m" "$cairn" limit slab.yaml -o cart.h5
cp out cart
at()
{
    awk -F, -v x="$1" -v want="$2" '$1 == x { exit !($2 == "bounded" && $4 > want*(1 - 1e-7) && $4 < want*(1 + 1e-7)) }' \
        cart.influence.csv || bad "wheels at $1: $(grep "^$1," cart.influence.csv)"
}
at -1.2 18.39375
at -1.4 17.57014925
at 0.4 147.15
at 1 20.2965517
at 1.2 21.0214286
grep -q "^-2.8,unbounded,nan,nan" cart.influence.csv || bad "wheels beside the slab count"
grep -q "at most      17.5701493" cart || bad "the mechanism is not that of the worst place"
sed 's/on: slab/on: nobody/' slab.yaml > bad.yaml
expect 3 "nobody" "$cairn" limit bad.yaml
sed 's/from: -2.8/from: 2/' slab.yaml > bad.yaml
expect 3 "axles roll from 2 m to 1.2 m: 'from' is less" "$cairn" limit bad.yaml
sed 's/\[0.5, 500\]/[0.5, -500]/' slab.yaml > bad.yaml
expect 3 "an axle load is > 0 N, got -500" "$cairn" limit bad.yaml
sed 's/axles: {/load: {acceleration: [1, 0]}, axles: {/' slab.yaml > bad.yaml
expect 3 "takes either 'load' or 'support'" "$cairn" limit bad.yaml

# The gap that was asked for is beyond rounding.
expect 6 "" "$cairn" limit arch.yaml --gap 1e-30 -o none

# What it cannot take is refused by name.
refuse()
{
    sed "$2" block.yaml > bad.yaml
    expect 3 "$1" "$cairn" limit bad.yaml
}
refuse "nothing is fixed" 's/, fixed: true//; s/at: \[0, -0.5\]/at: [0, -0.5], material: stone/'
refuse "do not touch anything that leads to a support: 'block'" 's/at: \[0, 2\]/at: [0, 2.1]/'
refuse "law 'dry' is glue" 's/type: coulomb, friction: 0.7/type: glue/'
refuse "takes either 'load' or 'support'" 's/load: {acc.*}}/dead: {}}/'
refuse "needs 'along'" 's/load: {acceleration: \[1, 0\]}/support: ground/'
refuse "'block' is not fixed" 's/load: {acceleration: \[1, 0\]}/support: block, along: [1, 0]/'
refuse "the live load does no work" 's/\[1, 0\]}/[0, 0]}/'
refuse "gap must be > 0" 's/load:/gap: 0, load:/'
refuse "two limits are called 'quake'" 's/}}\]/}}, {name: quake, load: {}}]/'
refuse "is deformable" 's/box: \[1, 4\]}/box: [1, 4]}, pseudo_rigid: true/; s/density: 2000/density: 2000, young: 1e9, poisson: 0.2/'
refuse "missing key 'stages'" 's/^limit.*//'
expect 3 "has no stages: nothing to run" "$cairn" run block.yaml
expect 0 "" "$cairn" check block.yaml

# Joints with strength: B48 of the book, 0.4 + 5000 0.4^2/(7848 1); what is left of them without bonds.
sed 's/{type: coulomb.*/{type: mohr, cohesion: 1e6, cohesion_tangential: 8e5, tension: 5000, friction: 0.7}}/
     s/\[1, 4\]}, at: \[0, 2\]/[0.4, 1]}, at: [0, 0.5]/' block.yaml > bonded.yaml
expect 0 "at least     0.5019367" "$cairn" limit bonded.yaml -o none
grep -q "0.4 m of joints with strength" out || bad "the area of joints with strength is not told"
grep -q "forces within friction and strength" out || bad "forces beyond friction are said to be within it"
grep -q "joints that break at once bear less" out || bad "brittle joints are taken for ductile silently"
grep -q "leans by" out && bad "a table that leans is not an acceleration where joints have strength"
expect 3 "bond: off" "$cairn" limit bonded.yaml -o none --coulomb
sed 's/friction: 0.7}/friction: 0.7, bond: off}/' bonded.yaml > dry.yaml
expect 0 "its friction alone counts" "$cairn" limit dry.yaml -o none
grep -q "at least     0.4 " out || bad "what does not bond has strength"
sed 's/\[1, 0\]}/[1, 0]}, curve: {control: block, until: 0.1}/' bonded.yaml > bad.yaml
expect 3 "joints with strength break as they open" "$cairn" limit bad.yaml
sed 's/limit:/stages: [{step: 1e-3, duration: 0.01}]\nlimit:/' bonded.yaml > run.yaml
expect 0 "" "$cairn" run run.yaml -q
expect 0 "which joints are broken is not looked up" "$cairn" limit run.yaml --from run.h5 -o none
grep -q "at least     0.4 " out || bad "joints of a run have strength that nobody knows"

# Two loads together: H to the right and a torque on a block of weight 1: |H| is at most mu, the moment about
# a toe decides the rest. The domain is an oblique box of 2 0.6 by 1.
cat > both.yaml <<S
$head
bodies:
  ground: {shape: {box: [8, 1]}, at: [0, -0.5], fixed: true}
  block: {shape: {box: [1, 2]}, at: [0, 1], material: stone}
limit:
  - name: both
    load: {force: {block: {force: [39240, 0], at: [0, 1]}}}
    domain: {load: {force: {block: {torque: 39240}}}, directions: 64}
S
expect 0 "domain       64 directions, 0 without limit; area at least 1.3" "$cairn" limit both.yaml -o both.h5
grep -q "at most 1.4$" out || bad "the outer polygon is not 1.4 by 1"
head -n 1 both.domain.csv | grep -q "outcome,inner_1,inner_2,outer_1,outer_2" || bad "no table of the domain"
expect 0 '"outer_area": 1.' "$cairn" limit both.yaml -o none --json
sed 's/load: {force: {block: {force.*/support: ground\n    along: [1, 0]/' both.yaml > bad.yaml
expect 3 "a domain is of two loads" "$cairn" limit bad.yaml

# A push that grows with the height: four blocks of 1 m turn together at b/2 sum(h)/sum(h^2) = 4/21.
cat > stack.yaml <<S
$head
bodies:
  ground: {shape: {box: [8, 1]}, at: [0, -0.5], fixed: true}
  stack: {generate: {stack: {blocks: 4, block: [1, 1]}}, material: stone}
limit: [{name: push, load: {acceleration: [1, 0], pattern: height, base: 0}}]
S
expect 0 "at least     0.19047619 " "$cairn" limit stack.yaml -o none
sed 's/base: 0/base: 9/' stack.yaml > bad.yaml
expect 3 "acts on nothing that is above" "$cairn" limit bad.yaml

# Water: a wall of 4 m turns where its weight is too small for rho g d^3/6; what cannot be is refused.
cat > flood.yaml <<S
$head
params: {depth: 2.0}
bodies:
  ground: {shape: {box: [8, 1]}, at: [0, -0.5], fixed: true}
  stack: {generate: {stack: {blocks: 4, block: [1, 1]}}, material: stone}
limit: [{name: push, dead: {force: {stack: {water: {level: "=depth", x: [-5, 0]}}}}, load: {acceleration: [1, 0]}}]
S
expect 0 "at least     0.166666667 " "$cairn" limit flood.yaml -o none # 1/4 - d^3/96
sed 's/"=depth"/{table: [[0, 1], [1, 2]]}/' flood.yaml > bad.yaml
expect 3 "limit analysis knows no time" "$cairn" limit bad.yaml
sed 's/\[-5, 0\]/[0, -5]/' flood.yaml > bad.yaml
expect 3 "x goes from 0 m to -5 m" "$cairn" limit bad.yaml
sed 's/^params/gravity: [1, -9.81]\nparams/' flood.yaml > bad.yaml
expect 3 "gravity that points straight down" "$cairn" limit bad.yaml
sed 's/stack: {generate.*/stack: {shape: {disk: {radius: 1}}, at: [0, 1], material: stone}/' flood.yaml > bad.yaml
expect 3 "body 'stack' is none: select others" "$cairn" limit bad.yaml

finish
