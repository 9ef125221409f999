# cairn plot: statistics of frames and tables of studies, as a user draws them; what the tables say is known.
. "$(dirname "$0")/common"

# A square lattice of disks in a box, pressed a little from all sides; the lid is driven down by 1 mm.
cat >lattice.yaml <<'SCENE'
cairn: 1
title: Square lattice
gravity: none
materials: {m: {density: 1000}}
laws: {soft: {type: viscoelastic, stiffness: 1e5, damping: 100}}
contacts: [{between: [any, any], law: soft}]
bodies:
  floor: {shape: {box: [2, 0.1]}, at: [0, -0.05], fixed: true}
  left: {shape: {box: [0.1, 2]}, at: [-0.25, 0.5], fixed: true}
  right: {shape: {box: [0.1, 2]}, at: [0.25, 0.5], fixed: true}
  lid: {shape: {box: [0.38, 0.1]}, at: [0, 0.4499], fixed: true}
  disks:
    generate: {grid: {columns: 4, rows: 4, spacing: [0.1, 0.1], shape: {disk: {radius: 0.05001}}}}
    material: m
    at: [0, 0.2]
stages: [{step: 1e-3, duration: 0.05, drive: {lid: {velocity: {y: -0.02}}}}]
observe: [{name: lid, track: lid}, {name: push, resultant: [lid, disks]}]
output: {every: 0.01}
SCENE
expect 0 "" "$cairn" run lattice.yaml -q
for what in forces rose profile fraction; do
    for ending in svg png csv; do
        expect 0 "$what.$ending" "$cairn" plot lattice.h5 $what -o $what.$ending
    done
    expect 0 "$what.svg" "$cairn" plot lattice.h5 $what --frames 3
done
# Layers from the lowest to the highest centres: three rows of a square lattice, pi/4, disks 2e-4 too large.
expect 0 first.csv "$cairn" plot lattice.h5 fraction --frame 0 --bins 7 -o first.csv
awk -F, 'NR > 1 {s += $2 / 7} END {d = s - 0.785398; exit !(d * d < 1e-6)}' first.csv ||
    bad "a square lattice is not filled by pi/4: $(cat first.csv)"
# Four petals: columns and rows in contact, nothing between.
awk -F, 'NR > 1 && $2 > 0 {petals++; sum += $2; at = at " " $1} END {exit !(petals == 4 && at == " 0 90 180 270")}' rose.csv ||
    bad "the rose of a square lattice has other petals: $(awk -F, 'NR > 1 && $2 > 0 {print $1, $2}' rose.csv)"
grep -q "<polygon" rose.svg && grep -q "weighted by normal force" rose.svg || bad "rose.svg shows no petals"
# Walls are left out, held or only driven: two disks pressed between a fixed wall and a driven plate, on a floor that is
# driven at rest. Between the disks all is horizontal; with walls there are the weights of the disks as well.
cat >walls.yaml <<'SCENE'
cairn: 1
materials: {m: {density: 1000}}
laws: {soft: {type: viscoelastic, stiffness: 1e6, damping: 1000}}
contacts: [{between: [any, any], law: soft}]
bodies:
  floor: {shape: {box: [2, 0.1]}, at: [0, -0.05], material: m, fixed: [rotation]}
  wall: {shape: {box: [0.1, 1]}, at: [-0.25, 0.55], fixed: true}
  plate: {shape: {box: [0.1, 1]}, at: [0.25, 0.55], material: m, fixed: [rotation]}
  a: {shape: {disk: 0.1}, at: [-0.1, 0.1], material: m}
  b: {shape: {disk: 0.1}, at: [0.1, 0.1], material: m}
stages: [{step: 1e-3, duration: 0.1, drive: {plate: {velocity: {x: -0.01, y: 0}}, floor: {velocity: {x: 0, y: 0}}}}]
output: {every: 0.1}
SCENE
expect 0 "" "$cairn" run walls.yaml -q
petals() { awk -F, 'NR > 1 && $2 > 0 {printf " %s", $1}' rose.csv; }
expect 0 rose.csv "$cairn" plot walls.h5 rose -o rose.csv
[ "$(petals)" = " 0 180" ] || bad "without walls there are petals at$(petals)"
expect 0 rose.csv "$cairn" plot walls.h5 rose --with-walls -o rose.csv
[ "$(petals)" = " 0 90 180 270" ] || bad "with walls there are petals at$(petals)"
expect 0 forces.csv "$cairn" plot walls.h5 forces -o forces.csv
expect 3 "or count walls with --with-walls" "$cairn" plot walls.h5 forces --frame 0
expect 2 "for forces and rose" "$cairn" plot walls.h5 profile --with-walls
expect 2 "for forces and rose" "$cairn" plot walls.h5 energy --with-walls
# Force over displacement: from frames, and from what was observed; both say the same.
expect 0 reaction.csv "$cairn" plot lattice.h5 reaction --body lid -o reaction.csv
expect 0 observed.csv "$cairn" plot lattice.h5 series/push.fy --against series/lid.y -o observed.csv
tail -1 reaction.csv >a; tail -1 observed.csv >b
paste -d, a b | awk -F, '{d = $2 - $4; exit !($1 < -9.8e-4 && $1 > -1.01e-3 && $2 > 1 && d * d < 1e-12 * $2 * $2)}' ||
    bad "the reaction of frames is not that of the series: $(cat a) and $(cat b)"
# Pressures in space: a block under its weight presses with rho g H everywhere, seen from above or from the side; a
# ball has one point and no area.
cat >space.yaml <<'SCENE'
cairn: 1
dimension: 3
gravity: [0, 0, -10]
materials: {gum: {density: 1000, young: 1e6, poisson: 0}}
laws: {dry: {type: coulomb, friction: 0.5}}
contacts: [{between: [any, any], law: dry}]
bodies:
  ground: {shape: half_space, fixed: true}
  block: {mesh: {box: [1, 2, 1], cells: [2, 3, 2]}, at: [0, 0, 0.5], material: gum}
  ball: {shape: {sphere: 0.2}, at: [3, 0, 0.2], material: gum}
solver: {accuracy: 1e-8}
stages: [{step: 1, duration: 1, scheme: {theta: 1, quasi_static: true}}]
SCENE
expect 0 "" "$cairn" run space.yaml -q
for ending in svg png csv; do
    expect 0 "pressure.$ending" "$cairn" plot space.h5 pressure --body ground -o pressure.$ending
done
expect 0 side.svg "$cairn" plot space.h5 pressure --body block --axis x -o side.svg
grep -q "seen along x" side.svg || bad "--axis does not turn the map"
[ "$(grep -c '<polygon' pressure.svg)" -ge 12 ] || bad "the map has no cells"
awk -F, '/^block/ {n++; f += $5; a += $6; d = $7 - 1e4; worst = d * d > worst ? d * d : worst}
    END {exit !(n == 12 && (f - 2e4)^2 < 1 && (a - 2)^2 < 1e-20 && worst < 1)}' pressure.csv ||
    bad "the block does not press with its weight per area: $(cat pressure.csv)"
grep -q "^ball,3,.*,0,nan" pressure.csv || bad "a point has no area: $(grep ball pressure.csv)"
expect 0 ball.svg "$cairn" plot space.h5 pressure --body ball -o ball.svg
grep -q "force of each point" ball.svg || bad "without areas forces are drawn"
expect 3 "nothing presses 'ball' in frame 0" "$cairn" plot space.h5 pressure --body ball --frame 0
expect 3 "rings are for the plane" "$cairn" plot space.h5 fraction --axis r
expect 3 "no bodies are called 'sky'" "$cairn" plot space.h5 pressure --body sky
# Energies with their sum; names and unit of what was observed.
expect 0 mechanical.csv "$cairn" plot lattice.h5 mechanical -o mechanical.csv
head -1 mechanical.csv | grep -q "kinetic.*total" || bad "mechanical.csv has no total: $(head -1 mechanical.csv)"
awk -F, 'NR > 1 {s = 0; for (k = 2; k < NF; k++) s += $k; d = s - $NF; if (d * d > 1e-20) exit 1}' mechanical.csv ||
    bad "the total is not the sum of the energies"
expect 0 both.svg "$cairn" plot lattice.h5 series/push.fx,series/push.fy -o both.svg
grep -q ">\[N\]<" both.svg && grep -q ">push.fy<" both.svg || bad "both.svg names no unit, or curves by their columns"
# Formulas of columns, in lists and as axes; a quotient by hand is the same. What has no value leaves a gap.
expect 0 half.csv "$cairn" plot lattice.h5 "push.fy / width, max(push.fx, push.fy)" -D width=0.5 --against "2*lid.y" -o half.csv
head -1 half.csv | grep -q '^2\*lid.y,push.fy / width,"max(push.fx, push.fy)"$' || bad "columns of formulas: $(head -1 half.csv)"
tail -1 half.csv >c
paste -d, b c | awk -F, '{exit !($3 == 2 * $1 && $4 == 2 * $2)}' || bad "formulas say $(cat c), the columns $(cat b)"
expect 0 gap.csv "$cairn" plot lattice.h5 "1 / (step - 1)" -o gap.csv
sed -n 2p gap.csv | grep -q "nan$" || bad "a row without a value is no gap: $(sed -n 2p gap.csv)"
expect 3 "unknown name 'psh.fy' in 'psh.fy / 2' (did you mean 'push.fy'?)" "$cairn" plot lattice.h5 "psh.fy / 2"
expect 3 "a number was expected" "$cairn" plot lattice.h5 "push.fy / "
expect 3 "gives inf" "$cairn" plot lattice.h5 "push.fy / 0"
expect 3 "has no column in it" "$cairn" plot lattice.h5 "1 + 1"
expect 3 "'time' is a column" "$cairn" plot lattice.h5 "time * 2" -D time=3
# A formula has no unit that is known, even where it begins like a column.
expect 0 unit.svg "$cairn" plot lattice.h5 "kinetic / width" -D width=2 -o unit.svg
grep -q "\[J\]" unit.svg && bad "a formula got the unit of its first column"
# Several runs in one chart, under the names of their files.
sed 's/-0.02/-0.01/' lattice.yaml >slower.yaml
expect 0 "" "$cairn" run slower.yaml -q
expect 0 runs.csv "$cairn" plot lattice.h5 slower.h5 push.fy -o runs.csv
head -1 runs.csv | grep -q "^time \[s\],lattice,slower$" || bad "runs are not named: $(head -1 runs.csv)"
expect 0 runs.svg "$cairn" plot lattice.h5 slower.h5 push.fx,push.fy -o runs.svg
grep -q ">slower: push.fx<" runs.svg || bad "curves of several runs do not name both"
expect 3 "shows one run" "$cairn" plot lattice.h5 slower.h5 rose
# Words, ranges, logarithms and size as the user wants them.
expect 0 look.svg "$cairn" plot lattice.h5 lid.y --title "The lid" --x-label "t / s" --y-label "y / m" \
    --x-range 0.01,0.02 --y-range 0.4,0.5 --size 700x500 -o look.svg
for word in 'width="700"' ">The lid<" ">t / s<" ">y / m<" ">0.010<" ">0.020<"; do
    grep -q "$word" look.svg || bad "the chart does not look as wanted: no $word"
done
# The line ends where the axis does: no point of it is left or right of the plot.
expect 0 cut.svg "$cairn" plot lattice.h5 lid.y --x-range 0.0105,0.0115 -o cut.svg
grep -q "no data" cut.svg && bad "a line through the range is not drawn"
expect 0 none.svg "$cairn" plot lattice.h5 lid.y --x-range 7,8 -o none.svg
grep -q "no data" none.svg || bad "an empty range is not told"
expect 0 log.svg "$cairn" plot lattice.h5 "time" --against "time" --log-x --log-y -o log.svg
expect 0 rose.svg "$cairn" plot lattice.h5 rose --title "Petals" -o rose.svg
grep -q ">Petals<" rose.svg || bad "a rose has no title of its own"
expect 3 "takes a title, but has no axes" "$cairn" plot lattice.h5 rose --log-x
expect 3 "begins above 0" "$cairn" plot lattice.h5 time --log-x --x-range 0,1
expect 3 "200 to 20000 pixels wide, not 10" "$cairn" plot lattice.h5 time --size 10x300
expect 2 "WIDTHxHEIGHT" "$cairn" plot lattice.h5 time --size 10
expect 2 "LOW,HIGH" "$cairn" plot lattice.h5 time --x-range 2,1
expect 2 "name=number" "$cairn" plot lattice.h5 "a * time" -D a=x
# The table of a study.
printf 'run,mu,angle,failed\n0,0.1,5,no\n1,0.2,11,no\n2,0.4,21.5,yes\n' >study.csv
expect 0 study.svg "$cairn" plot study.csv angle --against mu -o study.svg
[ "$(grep -c '<circle' study.svg)" -eq 3 ] || bad "three runs are not three points"
expect 0 out.csv "$cairn" plot study.csv angle -o out.csv
[ "$(tail -1 out.csv)" = "2,21.5" ] || bad "without --against the first column is the axis: $(tail -1 out.csv)"
expect 0 twice.csv "$cairn" plot study.csv "2 * angle" --against mu -o twice.csv
[ "$(tail -1 twice.csv | cut -d, -f2)" = 43 ] || bad "a formula of a study: $(tail -1 twice.csv)"
expect 2 "for results, not for tables" "$cairn" plot study.csv angle --title A
# What cannot be drawn is told.
expect 3 "unknown plot 'speed'; known are the columns run, mu" "$cairn" plot study.csv speed
expect 3 "no bodies are called 'cover'; there are" "$cairn" plot lattice.h5 reaction --body cover
expect 3 "needs the name of a body" "$cairn" plot lattice.h5 reaction
expect 3 "no contact presses between bodies that move freely in frames 0 to 0" "$cairn" plot lattice.h5 rose --frame 0
expect 3 "has the axes x y" "$cairn" plot lattice.h5 profile --axis z
expect 2 "are for forces" "$cairn" plot lattice.h5 energy --bins 3
expect 2 "for columns" "$cairn" plot lattice.h5 rose --from 1
expect 2 "x, y, z or r" "$cairn" plot lattice.h5 profile --axis w
finish
