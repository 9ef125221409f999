# cairn import: models of LMGC90 written by hand, whose places, masses and motion are known on paper.
. "$(dirname "$0")/common"

# Pieces of a DATBOX folder.
begin()
{
    rm -rf "$1" "$1".yaml "$1".files
    mkdir -p "$1/DATBOX"
    box=$1/DATBOX
    cat >"$box/BULK_BEHAV.DAT" <<'D'
$gravy
                   grv1= 0.0000000D+00  grv2=-0.9810000D+01  grv3= 0.0000000D+00
$behav  lawty
 STONE  RIGID                           Umas= 1.0000000D+03
D
    cat >"$box/TACT_BEHAV.DAT" <<'D'
$behav  lawty
 iqsc0  IQS_CLB                         fric= 0.3000000D+00
$seety
 cdbdy  cdtac  cdcol  behav  anbdy  antac  ancol       alert
 RBDY2  DISKx  BLEUx  iqsc0  RBDY2  DISKx  BLEUx       0.5000000D-03
D
    : >"$box/BODIES.DAT"
}

# body X Y: head of a rigid body of the plane; then its contactor from stdin.
body()
{
    {
        printf '$bdyty\n RBDY2      7\n$blmty\n PLAIN      1  behav  STONE  avrd= 0.0000000D+00  gyrd= 0.0000000D+00\n'
        printf '$nodty\n NO3xx      1                coo1= %.7E  coo2= %.7E  coo3= 0.0000000E+00\n$tacty\n' "$1" "$2"
        cat
        printf '$$$$$$\n'
    } >>"$box/BODIES.DAT"
}

# square X Y: its lower left corner in the frame of the body.
square()
{
    printf ' POLYG      1  color  REDxx  nb_vertex=      4\n'
    for corner in "0 0" "1 0" "1 1" "0 1"; do
        set -- "$1" "$2" $corner
        awk "BEGIN {printf \"                             coo1= %.7E  coo2= %.7E\\n\", $1 + $3, $2 + $4}"
    done
}

disk()
{
    printf ' DISKx      1  color  BLEUx  byrd= 0.5000000D+00\n'
}

import()
{
    "$cairn" import "$@" --step 0.01 --steps 2 --force
}

# The line of a body in the scene, or a value of it.
line()
{
    sed -n "s/^  $2: //p" "$1.yaml"
}

# A bar: area 4ab + pi b2, and the moment that LMGC90 gives it; that of a stadium is 168.9 kg m2.
begin bar
printf ' JONCx      1  color  WALLx  axe1= 1.0000000D+00  axe2= 1.0000000D-01\n' | body 0 0
expect 0 "inertia 233.573 kg m2 is as in the file, not that of the shape" import bar
same "mass and moment of a bar" "431.4159265 233.5730062" \
    "$(line bar b1 | sed 's/.*mass: \([0-9.]*\), inertia: \([0-9.]*\).*/\1 \2/' | awk '{printf "%.7f %.7f", $1, $2}')"

# Where polygons are: node at zero, they are in the world; else the node is their centre unless their centroid
# is more than 1e-3 m off.
begin squares
square 0 0 | body 0 0
square 0 0 | body 5 0
square -0.4995 -0.5 | body 5 3
square -0.498 -0.5 | body 5 6
expect 0 "4 rigid bodies" import squares
places=$(for k in 1 2 3 4; do line squares b$k | sed 's/.*at: \[\([^]]*\)\].*/\1;/'; done | tr -d '\n')
same "places of squares" "0.5, 0.5;5.5, 0.5;5, 3;5.002, 6;" "$places"
line squares b3 | grep -q 'centre: \[0, 0\]' || bad "a centre that is not the centroid is lost"
line squares b4 | grep -q centre && bad "a centre without need"

# Time functions in absolute time, an evolution that goes on along its last slope, a drive without a ramp.
begin drives
for k in 1 2 3; do disk | body $((2 * k)) 0; done
drive()
{
    printf '$bdyty\n RBDY2      %d\n$nodty\n NO3xx      1\n$dofty\n vlocy      1  %s\n vlocy      2  %s\n vlocy      3  %s\n$$$$$$\n' \
        "$1" "$2" "$zero" "$zero" >>"$box/DRV_DOF.DAT"
}
zero='0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  1.0000000D+00  0.0000000D+00'
drive 1 '1.0000000D-01  2.0000000D-01  1.0000000D+01  3.0000000D-01  0.0000000D+00  2.0000000D+00'
drive 2 'evolution f.dat'
drive 3 '5.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00  0.0000000D+00'
printf '0.0D0 0.0D0\n1.0D0 1.0D0\n' >"$box/f.dat"
printf '$steps      5                time= 2.5000000D-01\n' >"$box/DOF.INI"
expect 0 "RAMPI and RAMP are 0" "$cairn" import drives --step 0.25 --duration 1.75
printf 'observe:\n  - {name: one, track: b1}\n  - {name: two, track: b2}\n  - {name: three, track: b3}\n' >>drives.yaml
expect 0 "" "$cairn" run drives.yaml -q
velocity()
{
    "$cairn" plot drives.h5 "series/$1.vx" -o v.csv >plotted
    awk -F, -v t="$2" 'NR > 1 && $1 - t < 1e-9 && t - $1 < 1e-9 {printf "%.9f", $2}' v.csv
}
same "cosine with a ramp at 0.75 s" 0.110791084 "$(velocity one 0.5)"
same "evolution at 2 s" 2.000000000 "$(velocity two 1.75)"
same "no ramp" 0.000000000 "$(velocity three 1)"

# Periods are a cell; a bar that is as long as the cell may meet its images.
begin ring
disk | body 0.7 0
expect 0 "1 rigid bodies" import ring --period 4
same "a cell along x" "{size: [4, 1], periodic: [x]}   # of the script" "$(sed -n 's/^cell: //p' ring.yaml)"
printf ' JONCx      1  color  WALLx  axe1= 2.0000000D+00  axe2= 1.0000000D-01\n' | body 2 -2
expect 0 "2 rigid bodies" import ring --period 4
grep -q '^cell: .*allow_self: true' ring.yaml || bad "a bar across the cell: $(grep ^cell ring.yaml)"
expect 0 "" "$cairn" run ring.yaml -q

# The command script is read, not run: whatever it says of files stays undone.
script()
{
    rm -f squares.yaml
    cat >squares/command.py
    expect 0 "$1" "$cairn" import squares
    same "settings of a script" "$2" "$(sed -n 's/^  - step: //p; s/^    duration: //p; s/^scheme: //p; s/^output: //p' squares.yaml | tr '\n' ' ')"
}
script "2 steps, theta 0.505" "{theta: 0.505} 0.0025 0.005 " <<'P'
import os, math
os.remove('squares/DATBOX/BODIES.DAT')
dt = 1e-2/4  # a quarter
chipy.TimeEvolution_SetTimeStep(dt)
chipy.Integrator_InitTheta(0.505)
for k in range(0, 2):
    chipy.IncrementStep()
while True: pass
P
script "is kept" "{theta: 0.5} 0.001 0.4 {every: 0.01} " <<'P'
from pylmgc90.chipy import *
h, T = 1e-3, 2*(0.1 +
    0.1)
Integrator_InitTheta(theta=0.5)
if big:
    TimeEvolution_SetTimeStep(h)
else:
    TimeEvolution_SetTimeStep(10*h)
while TimeEvolution_GetTime() < T:
    IncrementStep()
    WriteDisplayFiles(10)
P
script "by squares" "{theta: 0.7} 0.002 0.198 " <<'P'
initialize(dim, 2e-3, theta=0.7)
nb = int(0.0199 / 2e-4)//1
for k in range(1, nb + 1):
    one_step(freq)
P
rm squares/command.py

# Files as they are: CR, tabs, labels missing or misspelt, columns one off.
begin odd
disk | sed 's/  color  BLEUx/ color BLEUx /; s/byrd= /bird=/' | body 0 0
sed 's/fric=/fric /' "$box/TACT_BEHAV.DAT" | tr ' ' '\t' | sed 's/$/\r/' >t && mv t "$box/TACT_BEHAV.DAT"
sed 's/$/\r/' "$box/BODIES.DAT" >t && mv t "$box/BODIES.DAT"
expect 0 "1 rigid bodies" import odd
grep -q 'friction: 0.3' odd.yaml || bad "a label without '=': $(cat odd.yaml)"

# What cannot be understood names file, line and column; no number is ever taken for zero.
refuse()
{
    words=$1
    shift
    begin bad
    { disk; } | body 0 0
    printf '$bdyty\n RBDY2      1\n$nodty\n NO3xx      1\n$dofty\n vlocy      1  %s\n$$$$$$\n' "$zero" >"$box/DRV_DOF.DAT"
    eval "$*"
    expect 3 "$words" import bad
    [ ! -e bad.yaml ] || bad "$words: a scene was written"
}
refuse "BODIES.DAT:8:36: error: this is no number" "sed -i 's/byrd= 0.5000000D+00/byrd= 0.5O00000D+00/' bad/DATBOX/BODIES.DAT"
refuse "the file ends within this" "head -c -25 bad/DATBOX/BODIES.DAT >t; mv t bad/DATBOX/BODIES.DAT"
refuse "the file ends within this line" "printf ' iqsc1  IQS_CLB      fric= 0.3' >>bad/DATBOX/TACT_BEHAV.DAT"
refuse "there is no RBDY2 9999: BODIES.DAT has 1 of them" "sed -i 's/RBDY2      1/RBDY2   9999/' bad/DATBOX/DRV_DOF.DAT"
refuse "from 1 to 3" "sed -i 's/vlocy      1/vlocy      4/' bad/DATBOX/DRV_DOF.DAT"
refuse "has 6 numbers, here are 5" "sed -i 's/  1.0000000D+00  0.0000000D+00$/  1.0000000D+00/' bad/DATBOX/DRV_DOF.DAT"
refuse "law 'iqsc9' is not defined" "sed -i 's/BLEUx  iqsc0/BLEUx  iqsc9/' bad/DATBOX/TACT_BEHAV.DAT"
refuse "size 1 of this DISKx must be above 0" "sed -i 's/byrd= 0.5/byrd= 0.0/' bad/DATBOX/BODIES.DAT"
refuse "needs a density" "sed -i 's/Umas= 1.0/Umas= 0.0/' bad/DATBOX/BULK_BEHAV.DAT"
refuse "'STONE' of this body is not in" "sed -i 's/STONE/STEEL/' bad/DATBOX/BULK_BEHAV.DAT"
refuse "this body has no element" "sed -i 's/RBDY2/MAILx/' bad/DATBOX/BODIES.DAT; rm bad/DATBOX/DRV_DOF.DAT"
refuse "this POLYG needs nb_vertex" "sed -i 's/DISKx      1  color  BLEUx.*/POLYG      1  color  BLEUx/' bad/DATBOX/BODIES.DAT"
refuse "the file is empty" ": >bad/DATBOX/BODIES.DAT"
begin bad
expect 4 "No such file" import nowhere
rm bad/DATBOX/BODIES.DAT
expect 4 "BODIES.DAT" import bad
expect 3 "--step" "$cairn" import squares -o other.yaml

# What has no counterpart is told with its line, in the scene, too; with --strict nothing is written.
begin partly
disk | body 0 0
disk | body 1 0
sed -i 's/IQS_CLB     /IQS_WET_DS_CLB/' "$box/TACT_BEHAV.DAT"
expect 5 "TACT_BEHAV.DAT:2:2: law IQS_WET_DS_CLB" import partly --strict
[ ! -e partly.yaml ] || bad "a scene was written though something is lost"
expect 0 "warning: 1 thing above is not in the scene" import partly
grep -q '^# not taken over: .*TACT_BEHAV.DAT:2:2: law IQS_WET_DS_CLB' partly.yaml || bad "the scene does not say what it lacks"
expect 0 "" "$cairn" check partly.yaml
expect 2 "is there already" "$cairn" import partly --step 1 --steps 1

# A brick on a wire: frequency 2/h atan(w h/2) with w2 = k/m, mean stretch m g/k, amplitude kept (theta 1/2).
begin wire
sed -i 's/BLEUx/REDxx/g; s/DISKx/PT2Dx/g; s/IQS_CLB       /ELASTIC_WIRE  /; s/fric= 0.3000000D+00/Fstr= 5.0000000D+03  prst= 0.0D+00/; s/0.5000000D-03/1.0000000D-01/' "$box/TACT_BEHAV.DAT"
for y in 0 0.07; do
    { square 0 0 | sed 's/coo1= 0.00*E+00/coo1=-1.1E-1/; s/coo1= 1.00*E+00/coo1= 1.1E-1/; s/coo2= 0.00*E+00/coo2=-3.0E-2/; s/coo2= 1.00*E+00/coo2= 3.0E-2/'
        printf ' PT2Dx      2  color  REDxx  coo1= 0.0000000E+00  coo2= 0.0000000E+00\n'; } | body 0 $y
done
printf '$bdyty\n RBDY2      2\n$nodty\n NO3xx      1\n$dofty\n vlocy      1  %s\n vlocy      2  %s\n vlocy      3  %s\n$$$$$$\n' "$zero" "$zero" "$zero" >"$box/DRV_DOF.DAT"
expect 0 "ELASTIC_WIRE is a joint" "$cairn" import wire --step 1e-3 --duration 1.1462
printf 'observe:\n  - {name: brick, track: b1}\n' >>wire.yaml
expect 0 "" "$cairn" run wire.yaml -q
"$cairn" plot wire.h5 series/brick.y -o y.csv >plotted
# The mass is 13.2 kg here: w = sqrt(71428.571/13.2) = 73.5612 rad/s, in steps of 1 ms 73.5280; 2 m g/k = 3.62578 mm.
awk -F, 'NR > 2 { if ($2 < low) low = $2; if ($2 > top + 1e-9 && $1 > 0.9) last = $2 > last || !last ? $2 : last
    if (before < -0.00181289 && $2 >= -0.00181289) { cross = $1 - 0.001 * ($2 + 0.00181289) / ($2 - before); if (!first) first = cross; n++ } }
    { before = $2 }
    END { w = 6.283185307 * (n - 1) / (cross - first)
          exit !(w > 73.5280 * 0.9995 && w < 73.5280 * 1.0005 && low > -0.00362578 * 1.001 && low < -0.00362578 * 0.999) }' y.csv ||
    bad "the brick does not swing as it should"
finish
