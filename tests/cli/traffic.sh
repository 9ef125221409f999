# Bodies that enter and leave during a run: places and times, energy, restarts, threads, bad input.
. "$(dirname "$0")/common"
begin() {
    cat <<'SCENE'
cairn: 1
gravity: [0, -10]
materials: {stone: {density: 1000}}
laws: {dry: {type: coulomb, friction: 0.5}}
contacts: [{between: [any, any], law: dry}]
SCENE
}
value() { python3 -c "
import csv
print(list(csv.DictReader(open('csv/$1')))[-1]['$2'])"; }
near() { python3 -c "import sys; sys.exit(not abs($2 - ($3)) <= 1e-9 * abs($3))" || bad "$1: $2, exact $3"; }

# Five disks of 10 pi kg, ten a second, fall from 2 m without meeting: those that came after the first step bring
# m g y. One that falls below -1 m takes its energy along: m g 2 m, as much as it brought.
{ begin; cat <<'SCENE'
bodies:
  rain: {generate: {grid: {columns: 5, rows: 1, shape: {disk: 0.1}, spacing: [0.5, 0.5]}}, at: [0, 2], material: stone}
stages:
  - {step: 1e-3, duration: 1, enter: {rain: 10}, leave: {rain: {low: [-5, -1], high: [5, 5]}}}
observe: [{name: n, bodies: rain}]
output: {every: 0.1}
SCENE
} >rain.yaml
expect 0 "bodies          0 (0 can move)" "$cairn" check rain.yaml
expect 0 "" "$cairn" run rain.yaml -q -o rain.h5
expect 0 "" "$cairn" export rain.h5 --csv -o csv
same "bodies at the end" 2 "$(value series.csv n.count | cut -d. -f1)"
near "what came" "$(value history.csv total_inflow)" "-4 * 10 * 3.14159265358979 * 10 * 2"
near "what went" "$(value history.csv total_outflow)" "3 * 10 * 3.14159265358979 * 10 * 2"
near "energy of those that are there" "$(value history.csv kinetic) + $(value history.csv potential)" \
    "2 * 10 * 3.14159265358979 * 10 * 2"
near "change of kinetic energy" "$(value history.csv total_kinetic)" "$(value history.csv kinetic)"
expect 0 "count,mass,x,y,vx,vy" "$cairn" analyse rain.h5 bodies
same "bodies of frame 2" 2 "$(sed -n 4p out | cut -d, -f3)"

# A cup that is filled at random places and loses what jumps over its rim: the same bits after a restart, with 1 to
# 3 threads, and in a result that names who is there.
{ begin; cat <<'SCENE'
bodies:
  floor: {shape: {box: [1, 0.1]}, at: [0, -0.05], fixed: true}
  left: {shape: {box: [0.1, 0.4]}, at: [-0.45, 0.2], fixed: true}
  right: {shape: {box: [0.1, 0.4]}, at: [0.45, 0.2], fixed: true}
  grains:
    generate: {pack: {inside: {box: [4, 4]}, method: lattice, count: 60, shape: {polygon: {radius: 0.06, sides: [5, 7]}}, seed: 1}}
    at: [0, 9]
    material: stone
stages:
  - step: 2e-3
    duration: 1.2
    enter: {grains: {per_second: 60, within: {low: [-0.1, 0.9], high: [0.1, 1.1]}}}
    leave: {grains: {low: [-0.5, -0.2], high: [0.5, 5]}}
observe: [{name: n, bodies: grains}]
output: {every: 0.1, checkpoint_every: 0.4}
SCENE
} >cup.yaml
expect 0 "" "$cairn" run cup.yaml -o whole.h5 --checkpoint whole.ckpt
whole=$(sed -n 's/.*state hash *//p' err out)
[ -n "$whole" ] || bad "a run does not tell its state hash"
expect 0 "" "$cairn" run cup.yaml -o part.h5 --checkpoint part.ckpt --until 0.6
expect 0 "" "$cairn" run cup.yaml -o part.h5 --checkpoint part.ckpt --restart part.ckpt
same "after a restart" "$whole" "$(sed -n 's/.*state hash *//p' err out)"
for threads in 2 3; do
    expect 0 "" "$cairn" run cup.yaml -o threads.h5 -j $threads
    same "with $threads threads" "$whole" "$(sed -n 's/.*state hash *//p' err out)"
done
expect 0 "" "$cairn" info whole.h5
expect 0 "" "$cairn" render whole.h5 -o cup.png
expect 0 "" "$cairn" export whole.h5 --csv -o csv
python3 - <<'CHECK' || bad "nobody left, or nobody stayed: $(value series.csv n.count)"
import csv, sys
count = [float(row["n.count"]) for row in csv.DictReader(open("csv/series.csv"))]
left = float(list(csv.DictReader(open("csv/history.csv")))[-1]["total_outflow"])
sys.exit(not (20 < count[-1] <= 60 and max(count) >= count[-1]))
CHECK

# Who finds no room all the time, or has no turn, is told.
{ begin; cat <<'SCENE'
bodies:
  post: {shape: {box: [1, 1]}, at: [0, 2], fixed: true}
  late: {shape: {disk: 0.1}, at: [0, 2], material: stone}
stages: [{step: 1e-3, duration: 0.1, enter: {late: 100}}]
SCENE
} >full.yaml
expect 0 "not entered    1 body, late first" "$cairn" run full.yaml
expect 0 '"not_entered": 1' "$cairn" run full.yaml -f --log-json

# What cannot be.
wrong() { # MESSAGE SED-EXPRESSION
    sed "$2" rain.yaml >bad.yaml
    refuse_scene "$1" bad.yaml
}
wrong "rain[1,1] is held: only bodies that move freely enter" 's/material: stone}$/material: stone, fixed: true}/'
wrong "per_second" 's/rain: 10/rain: 0/'
wrong "the box ends at -9 m along y, before it begins at -1 m" 's/high: \[5, 5\]/high: [5, -9]/'
wrong "the force on 'rain' would miss bodies that enter" 's/enter: {/force: {rain: {x: 1}}, enter: {/'
{ cat rain.yaml; echo 'start: {from: rain.h5}'; } >bad.yaml
refuse_scene "starts as its bodies say, not from a file" bad.yaml
wrong "rane" 's/enter: {rain/enter: {rane/'
finish
