# Stress, fabric and coordination: observers at every step, and the same of a result.
. "$(dirname "$0")/common"
cat >box.yaml <<'SCENE'
cairn: 1
gravity: [0, -9.81]
materials: {stone: {density: 1000}}
laws: {dry: {type: coulomb, friction: 0.5}}
contacts: [{between: [any, any], law: dry}]
bodies:
  ground: {shape: {half_plane: {}}, fixed: true}
  ball: {shape: {disk: 0.1}, at: [0, 0.1], material: stone}
stages: [{name: rest, step: 1e-3, duration: 0.01}]
observe:
  - {name: sigma, stress: {of: ball, volume: 0.5}}
  - {name: open, stress: ball}
  - {name: z, coordination: ball}
  - {name: f, fabric: ball}
output: {every: 0.005}
SCENE
expect 0 "" "$cairn" run box.yaml -q -o box.h5

# The weight 1000 pi R^2 g [N/m] at the arm R over the volume.
column() { tail -n 1 "$1" | cut -d, -f"$2"; }
near() { python3 -c "import sys; sys.exit(not abs($2 - $3) <= 1e-9 * abs($3))" || bad "$1: $2, exact $3"; }
exact=$(python3 -c "import math; print(1000 * math.pi * 0.1**2 * 9.81 * 0.1 / 0.5)")
expect 0 "frame,time,xx,xy,yx,yy,p,q,kinetic,volume" "$cairn" analyse box.h5 stress -D volume=0.5
near "yy of the last frame" "$(column out 6)" "$exact"
same "lines" 4 "$(wc -l <out)"
cp out define.csv
expect 0 "" "$cairn" analyse box.h5 stress --volume 0.5
same "the other way to give a volume" "$(cat define.csv)" "$(cat out)"
expect 2 "--volume must be" "$cairn" analyse box.h5 stress --volume=-1
expect 0 "" "$cairn" export box.h5 --csv -o csv
near "yy of the observer" "$(python3 -c "
import csv
rows = list(csv.DictReader(open('csv/series.csv')))
print(rows[-1]['sigma.yy'])")" "$exact"
expect 0 "z,z_held" "$cairn" analyse box.h5 coordination --of ball
expect 0 "" "$cairn" analyse box.h5 coordination --of ball -o z.csv
same "neighbours" 1 "$(column z.csv 3)"

# Without walls on all sides there is no volume: no number is better than a wrong one.
expect 0 "nan" "$cairn" analyse box.h5 stress
same "stress without a volume" nan "$(column out 6)"

expect 0 "fraction,void_ratio" "$cairn" analyse box.h5 fraction -D volume=0.5
near "solid fraction" "$(column out 3)" "$(python3 -c "import math; print(math.pi * 0.1**2 / 0.5)")"

# Ways are counted from a frame: the ball rests.
expect 0 "frame,time,xx,xy,yx,yy,volume,shear,non_affine" "$cairn" analyse box.h5 strain
expect 0 "nan" "$cairn" analyse box.h5 strain --from -1
expect 3 "there is no frame 9 to count from" "$cairn" analyse box.h5 strain --from 9

expect 3 "there is no quantity 'porridge'; there are stress, fabric, anisotropy" \
    "$cairn" analyse box.h5 porridge
expect 3 "no bodies are called 'bell'" "$cairn" analyse box.h5 stress --of bell
expect 3 "volume is a number from 0" "$cairn" analyse box.h5 stress -D volume=-1
expect 3 "'fabric' is given no 'volume'" "$cairn" analyse box.h5 fabric -D volume=1
expect 3 "'stress' is given no 'area'" "$cairn" analyse box.h5 stress -D area=1
expect 2 "missing operand" "$cairn" analyse box.h5
expect 0 "-D volume=0" "$cairn" analyse
sed 's/of: ball, volume: 0.5/of: bell/' box.yaml >bad.yaml
refuse_scene "bell" bad.yaml
sed 's/fabric: ball/fraction: ground/' box.yaml >bad.yaml
refuse_scene "which has no volume that is known" bad.yaml
# Fields: the ball is the only mass, and its weight goes from its mass centre to the ground.
expect 0 "x,y,density,fraction,vx,vy,sxx" "$cairn" fields box.h5 --box=-1,-1,1,1 --grid 50,50 --width 0.1
cp out fields.csv
field() { python3 -c "
import csv
print(sum(float(row['$1']) for row in csv.DictReader(open('fields.csv'))) * 0.04 * 0.04)"; }
near "integral of the density" "$(field density)" "$(python3 -c "import math; print(1000 * math.pi * 0.1**2)")"
near "integral of the fraction" "$(field fraction)" "$(python3 -c "import math; print(math.pi * 0.1**2)")"
near "integral of the stress" "$(field syy)" "$(python3 -c "print($exact * 0.5)")"
near "force of the ground" "$(field wy)" "$(python3 -c "import math; print(1000 * math.pi * 0.1**2 * 9.81)")"
expect 0 "" "$cairn" fields box.h5 --of ball --box=-1,-1,1,1 -o fields.vti
expect 0 "ImageData" cat fields.vti
expect 0 "nan" "$cairn" fields box.h5 --frame 0 --box=-1,-1,1,1 --grid 2,2
expect 3 "the box of the fields is 0 m along x" "$cairn" fields box.h5
expect 3 "volumes of the bodies are not known" "$cairn" fields box.h5 --of ground --box=-1,-1,1,1
expect 3 "no bodies are called 'bell'" "$cairn" fields box.h5 --of bell
expect 3 "there are no 9 frames up to frame -1" "$cairn" fields box.h5 --frames 9
expect 3 "at most" "$cairn" fields box.h5 --box=-1,-1,1,1 --width 1e-6
expect 2 "--grid wants 2 numbers" "$cairn" fields box.h5 --grid 4
expect 2 "--box wants 4 numbers" "$cairn" fields box.h5 --box 1,2
expect 2 "must end in .csv or .vti" "$cairn" fields box.h5 -o fields.txt

# How a cell moves is in the result, too: a shear of 0.5 1/s of one grain that meets its images.
cat >cell.yaml <<'SCENE'
cairn: 1
gravity: none
cell: {size: [0.2, 0.2], allow_self: true}
materials: {stone: {density: 1000}}
laws: {dry: {type: coulomb, friction: 0.5}}
contacts: [{between: [any, any], law: dry}]
bodies: {ball: {shape: {disk: 0.05}, at: [0.1, 0.1], material: stone}}
stages: [{step: 1e-3, duration: 0.01, cell: {strain_rate: {xy: 0.5}}}]
output: {every: 0.005}
SCENE
expect 0 "" "$cairn" run cell.yaml -q -o cell.h5
expect 0 "frame,time,xx,xy" "$cairn" analyse cell.h5 flow
near "rate of the cell" "$(column out 4)" 0.5
expect 0 "cell.csv" "$cairn" export cell.h5 --csv -o cell
same "its vectors and rates, 0.01 s later" "0.2 0.001 0 0.2 0 0.5 0 0" "$(python3 -c "
print(*('%g' % float(x) for x in open('cell/cell.csv').read().split()[-1].split(',')[3:]))")"
same "columns of contacts" "shift_x,shift_y" "$(head -n 1 cell/contacts.csv | rev | cut -d, -f1,2 | rev)"
expect 0 "" "$cairn" export cell.h5 --to xyz -o cell
same "lattice for OVITO" 'Lattice="0.2 0 0 0 0.2 0 0 0 1" pbc="T T F"' "$(sed -n 2p cell/balls.xyz | cut -d' ' -f1-12)"
expect 0 "" "$cairn" fields cell.h5 --width 0.1 --grid 8,8 -o fields.csv
near "mean density of the cell" "$(python3 -c "print($(field density) / 0.04 / 0.04 / 64)")" \
    "$(python3 -c "import math; print(1000 * math.pi * 0.05**2 / 0.04)")"
finish
