# cairn import on models that ship with LMGC90, held against its own results (tests/data/lmgc90).
. "$(dirname "$0")/common"
here=$source_dir/tests/cli
tests=$source_dir/tests

# model NAME STEP THETA STEPS [OPTION...]: unpacks and imports; nothing may be lost.
model()
{
    tar xzf "$tests/data/lmgc90/$1.tar.gz"
    name=$1 step=$2 theta=$3 steps=$4
    shift 4
    expect 0 "wrote $name.yaml" "$cairn" import "$name" --step $step --theta $theta --steps $steps -f --strict "$@"
}

# start NAME COMMON: masses, moments and places to 1e-6 (files have eight digits), and the same pairs.
start()
{
    step=$(sed -n 's/^  - step: //p' "$1.yaml")
    sed "s/^    duration: .*/    duration: $step/" "$1.yaml" >one.yaml
    expect 0 "" "$cairn" run one.yaml -q
    rm -rf tables
    "$cairn" export one.h5 --csv -o tables >exported
    set -- "$1" "$2" $(python3 "$here/lmgc90_compare.py" "$1" start)
    awk "BEGIN {exit !($3 < 1e-6)}" || bad "$1: mass, inertia or place is off by $3"
    [ "$6" -ge "$2" ] || bad "$1: of $5 pairs of LMGC90 $6 are met"
    [ "$4" = "$5" ] || [ "$2" -lt "$5" ] || bad "$1: $4 pairs, LMGC90 has $5"
}

# finish_run NAME CONDITION: runs, then a condition on centre x y z, energy (mean, last), depth d, force f.
finish_run()
{
    "$cairn" run "$1.yaml" -q >ran 2>&1 || bad "$1: $(tail -n 1 ran)"
    rm -rf tables
    "$cairn" export "$1.h5" --csv -o tables >exported
    set -- "$1" "$2" $(python3 "$here/lmgc90_compare.py" "$1" end)
    awk -v x="$3" -v y="$4" -v z="$5" -v mean="$6" -v last="$7" -v d="$8" -v f="$9" \
        "function near(a, b, most) {a -= b; return (a < 0 ? -a : a) <= most} BEGIN {exit !($2)}" ||
        bad "$1: $2 does not hold of: $*"
}

# Pairs within 1e-4 m (drum 1e-5): all of them and no other. Deepest overlaps of LMGC90: 3.4e-2, 8.9e-4 m.
model drum_xksid 1e-2 0.5 100
start drum_xksid 1004
finish_run drum_xksid 'near(x, 50.202, 0.05) && near(y, 27.884, 0.05) && near(last, 9.31e5, 9.31e4) && d < 3e-3'
model wall_polyg 1e-3 0.5 200
start wall_polyg 277
finish_run wall_polyg 'near(x, 0.99998, 5e-4) && near(y, 0.25392, 5e-4) && near(mean, 5.81, 0.87) && near(f, 2.14e5, 1.3e4)'
# At rest the sum of normal forces is the weight, 0.48071 kg g.
model cluster_mixed 2e-4 0.5 3000
finish_run cluster_mixed 'near(y, 0.00314663, 1e-6) && near(f, 4.7158, 4.7e-3) && last < 1e-12 && d < 1e-6'
# Capsules for cylinders, mass centres that are not those of the capsules. They begin 0.0711 m deep.
model cylinders 1e-3 0.5 1000
start cylinders 1
finish_run cylinders 'near(x, 2.2834, 0.15) && near(y, 3.0638, 0.15) && near(z, 3.8767, 0.15) && near(mean, 1.78e4, 1.78e3) && d < 0.071139'
# 321 stones; of 1274 pairs in LMGC90 260 touch along edges only and carry 0.7 % of its force.
model aqueduct 1e-4 0.5 20
start aqueduct 1000
finish_run aqueduct 'near(x, 39.559217, 1e-6) && near(y, 0.45, 1e-6) && near(z, 0.517568, 1e-6) && last < 1e-6'
# Meshes. The lower cube is held by its nodes; of the bricks the sum of normal forces at the end.
model cubes_h8 1e-2 0.505 20
start cubes_h8 1
finish_run cubes_h8 'near(f, 27901, 27.9) && near(mean, 4.79e-3, 9.6e-5)'
model bricks_q4 1e-4 0.505 200
start bricks_q4 99
# Disks on bonded blocks come to rest and stay within 2e-4 m of where they began; no block falls.
model marble 1e-3 0.51 500 --accuracy masonry
finish_run marble 'near(x, 1.5443, 1e-3) && near(y, 0.8324, 1e-3) && last < 1e-9'
model spheres_box 2e-3 0.5 120
start spheres_box 477
model disks_box 2e-4 0.5 1000
model wires_2d 1e-3 0.5 1000
start wires_2d 0
model wires_3d 1e-3 0.5 400
start wires_3d 3
# Two bonded joints under 100 kN are sheared: the force that takes, at its peak and at the end.
model shear_czm 1e-4 0.5 6000
printf 'observe: [{name: on4, resultant: {between: [b4, any]}}]\n' >>shear_czm.yaml
expect 0 "" "$cairn" run shear_czm.yaml -q
"$cairn" plot shear_czm.h5 series/on4.fy -o on4.csv >plotted
awk -F, 'NR > 1 {f = $2 < 0 ? -$2 : $2; peak = f > peak ? f : peak}
    END {exit !(peak > 507.3e3 * 0.97 && peak < 507.3e3 * 1.03 && f > 307.3e3 * 0.95 && f < 307.3e3 * 1.05)}' on4.csv ||
    bad "shear_czm: peak or end of the force is off: $(tail -n 1 on4.csv)"
# 990 spheres fall in a cell that repeats along x and y.
model depot_perio 1e-2 0.5 200 --period 15,15
finish_run depot_perio 'near(z, 3.679, 0.05) && near(mean, 30979, 3098)'
finish
