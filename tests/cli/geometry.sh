# cairn check on geometry files: report, repaired copy, damaged files.
. "$(dirname "$0")/common"

# cube NAME LINES: a cube of side 1 as OBJ, its last face and whatever else in LINES.
cube()
{
    cat >"$1" <<OBJ
g stone
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
$2
OBJ
}
value()
{
    python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print($2)" "$1"
}

# A sound surface: exit code 0, and what it weighs.
cube good.obj "f 4 1 5 8"
expect 0 "it bounds a solid" "$cairn" check good.obj
grep -q "^volume: 1 m3" out || bad "volume of the cube: $(grep volume out)"
grep -q "group 'stone': 12 triangles" out || bad "no group"
[ ! -s err ] || bad "a sound surface writes to stderr"
expect 0 "" "$cairn" check good.obj --json
cp out good.json
same "triangles" "$(value good.json "d['triangles'], d['vertices'], d['errors']")" "12 8 0"
same "inertia" "$(value good.json "round(6 * d['inertia'][1][1], 12)")" 1.0

# Defects: exit code 3, faces named.
cube open.obj ""
expect 3 "error: 4 x open edge" "$cairn" check open.obj
grep -q "face 5 at (0, 1, 0.5)" out || bad "open edges without their place"
grep -q "have no meaning" out || bad "the volume of an open surface is told as if it were one"
expect 3 "" "$cairn" check open.obj --json
cp out open.json
same "open edges" "$(value open.json "d['defects']['open_edges']['count']")" 4
same "face" "$(value open.json "d['defects']['open_edges']['places'][0]['faces']")" "[1]"
for unit in 0.0001 5000; do
    expect 0 "warning: 1 x implausible size" "$cairn" check good.obj --scale $unit
    grep -q -- "--scale 0.001" out || bad "no remedy for a wrong unit"
done

# Repair: a copy, a log, the input untouched.
cube turned.obj "f 8 5 1 4
f 8 5 1
v 0 0 0
v 9 9 9"
cp turned.obj before.obj
expect 3 "triangle given twice" "$cairn" check turned.obj
expect 0 "wrote fixed.stl" "$cairn" check turned.obj --fix -o fixed.stl
grep -q "1 triangle given twice removed: face 7" out || bad "duplicates are not in the log"
grep -q "2 triangles turned to the side of the neighbours: face 6" out || bad "turns are not told"
cmp -s turned.obj before.obj || bad "the input was changed"
grep -q "turned" fixed.stl.log || bad "no log beside the repaired copy"
expect 0 "it bounds a solid" "$cairn" check fixed.stl
expect 0 "" "$cairn" check turned.obj --fix -o fixed.obj --json
cp out fixed.json
same "json of a repair" "$(value fixed.json "d['errors'], d['volume']")" "0 1"
grep -q "wrote fixed.obj" err || bad "the log of a repair with --json is not in stderr"
expect 0 "group 'stone'" "$cairn" check fixed.obj
expect 3 "not repaired: 4 x open edge" "$cairn" check open.obj --fix -o patched.obj
sed 's/^v 0 1 1$/v -0.002 1 1/' good.obj >moved.obj
printf 'v 0 1 1\nf 5 7 9\n' >>moved.obj
expect 3 "" "$cairn" check moved.obj
expect 0 "" "$cairn" check moved.obj --weld 0.01 --fix -o welded.obj
grep -q "vertices joined with others at most 0.01 m away" out || bad "welding is not told"

# The input and other files are never lost.
expect 2 "give the copy another name" "$cairn" check turned.obj --fix -o turned.obj
ln -s turned.obj link.obj
expect 2 "give the copy another name" "$cairn" check turned.obj --fix -o link.obj
cmp -s turned.obj before.obj || bad "the input was overwritten"
expect 4 "no/such" "$cairn" check turned.obj --fix -o no/such/a.stl
mkdir -p locked.stl.log # a log that cannot be written is no silent loss
expect 4 "cannot write 'locked.stl.log'" "$cairn" check turned.obj --fix -o locked.stl
expect 2 "go together" "$cairn" check turned.obj --fix
expect 2 "go together" "$cairn" check turned.obj -o a.stl
expect 2 "must end in .stl or .obj" "$cairn" check turned.obj --fix -o a.ply
expect 2 "--weld must be >= 0" "$cairn" check turned.obj --weld=-1
expect 2 "--scale must be > 0" "$cairn" check turned.obj --scale 0
expect 2 "are for scenes" "$cairn" check turned.obj --explain
write_scene shake.yaml
expect 2 "copy of a scene is a scene" "$cairn" check shake.yaml --fix -o a.stl
expect 2 "are for geometry files" "$cairn" check shake.yaml --json
cp fixed.stl keep.stl
(
    ulimit -f 0
    exec "$cairn" check turned.obj --fix -o keep.stl
) >out 2>err
[ $? -eq 4 ] || bad "a full disk does not give exit code 4"
cmp -s fixed.stl keep.stl || bad "a failed write lost the older copy"
[ ! -e keep.stl.part ] || bad "a failed write left a part"

# Damaged files: exit code 3 with file and place; missing ones 4.
expect 4 "none.stl" "$cairn" check none.stl
: >empty.ply
expect 3 "empty.ply: the file is empty" "$cairn" check empty.ply
head -c 300 fixed.stl >cut.stl
expect 3 "cut.stl: byte 300: the header promises 12 triangles" "$cairn" check cut.stl
cube wrong.obj "f 4 1 5 88"
expect 3 "wrong.obj:15: a face names vertex 88" "$cairn" check wrong.obj
for ending in stl obj ply msh; do
    head -c 5000 "$cairn" >garbage.$ending
    expect 3 "garbage.$ending" "$cairn" check garbage.$ending
    expect 3 "garbage.$ending" "$cairn" check garbage.$ending --fix -o never.stl
done
[ ! -e never.stl ] || bad "a copy of nothing was written"
for file in "$source_dir"/tests/fuzz/corpus/mesh_*/*; do
    "$cairn" check "$file" >out 2>err
    code=$?
    case $(basename "$file") in
    bad*) [ $code -eq 3 ] && grep -q "$file" err || bad "$file gave exit code $code: $(cat err)" ;;
    *) [ $code -eq 0 ] || [ $code -eq 3 ] || bad "$file gave exit code $code: $(cat err)" ;;
    esac
done
finish
