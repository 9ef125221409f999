# What is made from results: pictures, curves, exports, comparisons; and starter scenes.
. "$(dirname "$0")/common"
write_scene shake.yaml
expect 0 "" "$cairn" run shake.yaml -q

is_png()
{
    [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || bad "$1 is no PNG"
}

expect 0 "shake.png" "$cairn" render shake.h5
expect 2 "end 'shake.jpg' in .png" "$cairn" render shake.h5 -o shake.jpg
is_png shake.png
for paint in group velocity pressure opening damage; do
    expect 0 "$paint.png" "$cairn" render shake.h5 -o $paint.png --paint $paint --frame 3
    is_png $paint.png
done
cmp -s group.png velocity.png && bad "--paint has no effect"
expect 0 "" "$cairn" render shake.h5 -o plain.png --no-forces --frame 3
cmp -s group.png plain.png && bad "--no-forces has no effect"
expect 0 "" "$cairn" render shake.h5 -o view.png --view=-1,-0.5,1,1 --width 320 --frame=-2
is_png view.png
python3 -c "import struct; assert struct.unpack('>I', open('view.png', 'rb').read()[16:20])[0] == 320" ||
    bad "--width has no effect"
expect 0 "" "$cairn" render shake.h5 -o film.png --frame all --width 160
same "pictures of all frames" "$(ls film_*.png | wc -l)" "$(info shake.h5 frames)"
is_png film_0015.png
expect 3 "99" "$cairn" render shake.h5 --frame 99

# Sequences: numbered without gaps, one view for all, names with or without a place for the number.
expect 0 "clip_000.png" "$cairn" render shake.h5 -o clip_%03d.png --frames 1:-1:4 --width 160
same "pictures of every fourth frame" "$(ls clip_*.png | wc -l)" 4
expect 0 "" "$cairn" render shake.h5 -o two.png --frames=-2:-1 --width 160
same "pictures of the last frames" "$(ls two_*.png | tr '\n' ' ')" "two_0000.png two_0001.png "
size_of() { head -c 24 "$1" | tail -c 8 | od -An -tx1; }
same "size of all pictures" "$(size_of clip_000.png)" "$(size_of clip_003.png)"
expect 3 "frames 0 to 15" "$cairn" render shake.h5 --frames 0:99
expect 3 "frames 0 to 15" "$cairn" render shake.h5 --frames 5:2
expect 2 "A:B:STEP" "$cairn" render shake.h5 --frames 0:9:0
expect 2 "A:B:STEP" "$cairn" render shake.h5 --frames some
expect 2 "either" "$cairn" render shake.h5 --frames all --frame 3
for name in a_%s.png a_%d_%d.png 'a_%' a_%012345d.png; do
    expect 2 "turn_%04d.png" "$cairn" render shake.h5 -o "$name" --frames all
done
expect 2 "names a sequence" "$cairn" render shake.h5 -o a_%04d.png
expect 2 "X0,Y0,X1,Y1 for" "$cairn" render shake.h5 --view 0,0,0,1,1,1
expect 2 "opening" "$cairn" render shake.h5 --paint rainbow
expect 2 "--range" "$cairn" render shake.h5 --range=-1
expect 3 "in space" "$cairn" render shake.h5 --turntable 4
expect 2 "1 to 10000" "$cairn" render shake.h5 --turntable 0
expect 2 "one frame" "$cairn" render shake.h5 --turntable 4 --frames all
ls a_*.png >/dev/null 2>&1 && bad "a refused command left a picture"
expect 0 "" "$cairn" run "$source_dir/examples/blocks.yaml" -o blocks.h5 -q --until 0.04
expect 0 "turn_2.png" "$cairn" render blocks.h5 -o turn_%d.png --turntable 3 --width 200
cmp -s turn_0.png turn_1.png && bad "the turntable does not turn"
same "size of all pictures" "$(size_of turn_0.png)" "$(size_of turn_1.png)"
expect 0 "" "$cairn" render blocks.h5 -o near.png --view=-0.5,-0.5,0.5,0.5,0.5,1.5 --width 200
cmp -s near.png turn_0.png && bad "--view has no effect in space"
expect 2 "X0,Y0,Z0,X1,Y1,Z1" "$cairn" render blocks.h5 --view 0,0,1,1

for what in energy residual sweeps penetration contacts; do
    expect 0 "$what.svg" "$cairn" plot shake.h5 $what
    grep -q "<svg" $what.svg || bad "$what.svg is no SVG"
done
expect 0 "" "$cairn" plot shake.h5 energy -o energy.png
is_png energy.png
expect 0 "series-base.fx.svg" "$cairn" plot shake.h5 series/base.fx
expect 0 "" "$cairn" plot shake.h5 energy --from 0.1 --until 0.2 -o part.svg
expect 3 "no step lies between 5" "$cairn" plot shake.h5 energy --from 5
expect 3 "nonsense" "$cairn" plot shake.h5 nonsense
expect 3 "energy.gif" "$cairn" plot shake.h5 energy -o energy.gif

expect 0 "shake-export" "$cairn" export shake.h5 --paraview --csv --obj
ls shake-export/*.pvd >/dev/null 2>&1 || bad "no ParaView collection"
ls shake-export/*.csv >/dev/null 2>&1 || bad "no CSV table"
[ -s shake-export/frame.obj ] || bad "no OBJ file"
expect 0 "" "$cairn" export shake.h5 --csv -o tables
while read -r file; do
    [ -s "$file" ] || bad "export names '$file', which is not there"
done <out

expect 0 "equal" "$cairn" compare shake.h5 shake.h5
expect 0 "" "$cairn" run shake.yaml -q -D speed=0.30000001 -o near.h5
expect 5 "" "$cairn" compare shake.h5 near.h5
[ -s out ] || bad "compare does not say what differs"
expect 0 "equal" "$cairn" compare shake.h5 near.h5 --rtol 1e-3
expect 4 "gone.h5" "$cairn" compare shake.h5 gone.h5

# Starters: each is a scene without fault, none is written over a file.
expect 0 "" "$cairn" new --list
for name in $(sed -n 's/^  \([^ ]*\) .*/\1/p' out); do
    expect 0 "$name.yaml" "$cairn" new "$name"
    expect 0 "" "$cairn" check "$name.yaml"
    expect 4 "exists" "$cairn" new "$name"
done
expect 0 "" "$cairn" new wall -o -
cmp -s out wall.yaml || bad "new -o - prints another scene"
head -n 1 wall.yaml | grep -q '^# yaml-language-server: $schema=.*scene.schema.json$' || bad "no line for editors"
expect 4 "no/such" "$cairn" new wall -o no/such/wall.yaml
finish
