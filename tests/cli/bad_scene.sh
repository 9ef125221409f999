# Scenes that cannot be run: exit code 3, file, line and what is wrong; nothing is written.
. "$(dirname "$0")/common"
write_scene good.yaml

# refuse WORDS SED-EXPRESSION: the good scene with one change
refuse()
{
    sed "$2" good.yaml >bad.yaml
    cmp -s good.yaml bad.yaml && bad "'$2' changes nothing"
    refuse_scene "$1" bad.yaml
}

# the same, and the message starts with the place
refuse_at()
{
    refuse "$2" "$3"
    grep -q "^bad.yaml:$1:[0-9]*: error: " err || bad "'$3' was not found at line $1: $(head -n 1 err)"
}

refuse_at 9 "unknown key 'shap'" 's/table: {shape/table: {shap/'
grep -q "did you mean 'shape'?" err || bad "no nearest key"
grep -q "\^" err || bad "no caret"
refuse_at 6 "coulom" 's/type: coulomb/type: coulom/'
refuse_at 7 "wet" 's/law: dry/law: wet/'
refuse_at 5 "density" 's/density: 2400/density: 0/'
refuse_at 5 "density" 's/density: 2400/density: -1/'
refuse_at 5 "density" 's/density: 2400/density: .nan/'
refuse_at 10 "mass" 's/at: \[0, 0.1\], material: stone/at: [0, 0.1], mass: 0/'
refuse_at 10 "mass" 's/at: \[0, 0.1\], material: stone/at: [0, 0.1], mass: -3/'
refuse_at 10 "" 's/at: \[0, 0.1\]/at: [nan, 0.1]/'
refuse_at 10 "" 's/at: \[0, 0.1\]/at: ["=0\/0", 0.1]/'
refuse_at 10 "material" 's/at: \[0, 0.1\], material: stone/at: [0, 0.1]/'
refuse_at 12 "radius" 's/disk: 0.1/disk: -0.1/'
refuse_at 14 "step" 's/step: 1e-3, duration: 0.1/step: 0, duration: 0.1/'
refuse_at 14 "step" 's/step: 1e-3, duration: 0.1/step: -1e-3, duration: 0.1/'
refuse_at 14 "duration" 's/duration: 0.1/duration: 0/'
refuse_at 6 "friction" 's/friction: "=mu"/friction: -0.1/'
refuse_at 6 "muu" 's/friction: "=mu"/friction: "=muu"/'
refuse_at 21 "hig" 's/body: high/body: hig/'
refuse "clockwise" 's/low: {shape: {box: \[0.4, 0.2\]}/low: {shape: {polygon: [[0, 0], [0, 1], [1, 0]]}/'
refuse "convex" 's/low: {shape: {box: \[0.4, 0.2\]}/low: {shape: {polygon: [[0, 0], [1, 0], [0.1, 0.1], [0, 1]]}/'
refuse "3 vertices" 's/low: {shape: {box: \[0.4, 0.2\]}/low: {shape: {polygon: [[0, 0], [1, 0]]}/'
refuse "overlap" 's/at: \[0.05, 0.305\]/at: [0.05, 0.25]/'
grep -q "high" err || bad "the message on overlaps does not name the bodies: $(cat err)"
refuse "half_plane" 's/shape: {disk: 0.1}/shape: {half_plane: {}}/'
refuse "twice" 's/^gravity:/title: again\n&/'

# bodies without a rule are an error once they meet
sed 's/between: \[any, any\]/between: [table, any]/' good.yaml >norule.yaml
expect 3 "bodies 'low' and 'high' come into reach but no rule" "$cairn" run norule.yaml
rm -f norule.h5

: >empty.yaml
expect 3 "empty" "$cairn" run empty.yaml
printf 'cairn: 1\nbodies: {}\nstages: [{step: 1e-3, duration: 1}]\n' >nobody.yaml
expect 3 "bod" "$cairn" run nobody.yaml
printf 'cairn: 1\nbodies: {a: {shape: {disk: 1}, mass: 1}}\nstages: []\n' >nothing.yaml
expect 3 "stage" "$cairn" run nothing.yaml
printf 'cairn: 1\nbodies: {a: [\n' >torn.yaml
expect 3 "torn.yaml:" "$cairn" run torn.yaml
printf 'cairn: 2\nbodies: {a: {shape: {disk: 1}, mass: 1}}\n' >future.yaml
expect 3 "future.yaml:1:" "$cairn" check future.yaml
head -c 4096 /dev/urandom >noise.yaml
expect 3 "noise.yaml" "$cairn" check noise.yaml
expect 4 "missing.yaml" "$cairn" run missing.yaml
expect 4 "" "$cairn" check .
ls ./*.h5 >/dev/null 2>&1 && bad "a scene that was refused left a result"

# Bodies from CSV.
sed 's/^  ball:.*/  balls: {from: balls.csv, shape: {disk: 0.1}, material: stone}/' good.yaml >csv.yaml
printf 'x,y\n1.0,0.2\n1.5,0.2\n' >balls.csv
expect 0 "" "$cairn" check csv.yaml
printf 'x,y\n1.0,0.2\n1.5,abc\n' >balls.csv
expect 3 "balls.csv:3" "$cairn" check csv.yaml
printf 'x,y\n1.0\n' >balls.csv
expect 3 "balls.csv:2" "$cairn" check csv.yaml
printf 'x,colour\n1.0,2\n' >balls.csv
expect 3 "colour" "$cairn" check csv.yaml
printf 'x,y,mass\n1.0,0.2,0\n' >balls.csv
expect 3 "mass" "$cairn" check csv.yaml
: >balls.csv
expect 3 "balls.csv" "$cairn" check csv.yaml
rm balls.csv
"$cairn" check csv.yaml >out 2>err
code=$?
[ $code -eq 3 ] || [ $code -eq 4 ] || bad "a missing CSV file gave exit code $code"
grep -q "balls.csv" err || bad "a missing CSV file is not named"
finish
