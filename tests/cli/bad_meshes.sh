#!/bin/sh
# tests/cli/bad_meshes.sh PROGRAM SCRATCH -- what is wrong with a mesh, its material or a step of it is told
# with the file and element, the line of the scene, or body, element and time; nothing of it is silent.
. "$(dirname "$0")/common"

# Nodes 1 to 4 of the unit square and the lines of elements.
square()
{
    name=$1
    shift
    {
        printf '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n'
        printf '%s\n' 4 '1 0 0 0' '2 1 0 0' '3 1 1 0' '4 0 1 0' '$EndNodes' '$Elements' "$#" "$@"
        printf '$EndElements\n'
    } >"$name"
}

# scene MATERIAL MESH REST: one body 'pad' of material gum.
scene()
{
    {
        echo "cairn: 1"
        echo "gravity: none"
        echo "materials: {gum: {$1}}"
        echo "bodies: {pad: {mesh: {$2}, material: gum${3:-}}}"
        echo "${4:-$short}"
    } >pad.yaml
}

short="stages: [{step: 0.01, duration: 0.02}]"
good="density: 1000, young: 1e5, poisson: 0.3"
box="box: [1, 1], cells: [2, 2]"

square turned.msh '11 2 2 7 1 1 2 3' '12 2 2 7 1 1 4 3'
scene "$good" "file: turned.msh"
expect 3 "turned.msh: element 12 (tri3) is inside out" "$cairn" run pad.yaml -o pad.h5

square flat.msh '11 2 2 7 1 1 2 3' '12 2 2 7 1 1 3 4' '13 2 2 7 1 1 3 3'
scene "$good" "file: flat.msh"
expect 3 "flat.msh: element 13 (tri3) is without volume" "$cairn" run pad.yaml -o pad.h5

square lone.msh '11 2 2 7 1 1 2 3'
scene "$good" "file: lone.msh"
expect 3 "lone.msh: node 4 belongs to no element" "$cairn" run pad.yaml -o pad.h5

square fine.msh '11 2 2 7 1 1 2 3' '12 2 2 7 1 1 3 4'
scene "$good" "file: fine.msh"
sed -i 's/gravity: none/dimension: 3/' pad.yaml
expect 3 "fine.msh: no elements of dimension 3, only of lower dimension" "$cairn" run pad.yaml -o pad.h5
scene "$good" "file: fine.stl"
expect 3 "neither a .msh file of gmsh nor a .vtu file of VTK" "$cairn" run pad.yaml -o pad.h5
scene "$good" "file: none.vtu"
expect 4 "cannot read 'none.vtu'" "$cairn" run pad.yaml -o pad.h5
cp "$source_dir/tests/fuzz/corpus/volume_vtu/good_hex8_big.vtu" cube.vtu
scene "$good" "file: cube.vtu"
expect 3 "cube.vtu: 1 elements have a higher dimension than 2: this is a mesh in space" "$cairn" run pad.yaml -o pad.h5

scene "$good" "$box" ", fixed_sets: {botom: true}"
expect 3 "pad.yaml:4:" "$cairn" run pad.yaml -o pad.h5
grep -q "unknown set 'botom' in pad (did you mean 'bottom'?)" err || bad "set not named: $(cat err)"
scene "$good" "$box" "" "stages: [{step: 0.01, duration: 0.02, force: {pad.upper: {y: 1}}}]"
expect 3 "unknown set 'upper' in pad" "$cairn" run pad.yaml -o pad.h5
scene "density: 1000, young: 1e5, poisson: 0.5" "$box"
expect 3 "poisson must be > -1 and < 0.5, got 0.5" "$cairn" run pad.yaml -o pad.h5
scene "young: 1e5, poisson: 0.3" "$box"
expect 3 "missing key 'density' in material" "$cairn" run pad.yaml -o pad.h5
scene "density: 1000" "$box"
expect 3 "material 'gum' has a density only" "$cairn" run pad.yaml -o pad.h5
scene "$good" "box: [1, 1], cells: [2]"
expect 3 "cells takes a number for each of 2 axes, got 1" "$cairn" run pad.yaml -o pad.h5
scene "$good" "$box, elements: hex8"
expect 3 "elements hex8 are for scenes of dimension 3" "$cairn" run pad.yaml -o pad.h5
scene "$good" "$box" ", pseudo_rigid: true, fixed_sets: {bottom: true}"
expect 3 "'pad' is pseudo-rigid: it is held as a whole" "$cairn" run pad.yaml -o pad.h5

# In the run: an element is pressed through itself, and Newton's method is left without iterations. The result
# ends with the last good state.
rubber="density: 1000, model: neo_hookean, young: 1e5, poisson: 0.3"
scene "$rubber" "$box" ", fixed_sets: {bottom: true}" \
    "stages: [{step: 0.01, duration: 1, drive: {pad.top: {velocity: {y: -20}}}}]"
expect 1 "body 'pad': element" "$cairn" run pad.yaml -o pad.h5
grep -Eq "step [0-9]+ from t = 0\.05[0-9]* s: body 'pad': element [0-3] \(quad4 of neo_hookean\) is turned inside out" err ||
    bad "no time, body and element: $(cat err)"
told=$(sed -n 's/.* from t = \([0-9.]*\) s: body.*/\1/p' err)
"$cairn" export pad.h5 --csv >/dev/null || bad "the result of a broken run cannot be read"
tail -n 1 pad-export/bodies.csv | grep -q ",$told" || bad "the last frame is not the last good state, t = $told"
expect 0 "failed: step" "$cairn" info pad.h5

scene "$rubber" "$box" ", fixed_sets: {bottom: true}" \
    "stages: [{step: 0.01, duration: 1, scheme: {newton_max: 1}, force: {pad.top: {y: -2e4}}}]"
expect 1 "Newton's method does not converge, after 1 iterations" "$cairn" run pad.yaml -o pad.h5
grep -q "body 'pad': Newton's method" err || bad "no body: $(cat err)"

# A load that comes too fast for one iteration, amid a step that was halved before: the checkpoint is of the state
# before, and shorter steps go on from it to the end of the stage, interrupted or not.
scene "$rubber" "$box" ", fixed_sets: {bottom: true}" "stages: [{step: 0.02, duration: 0.1, \
    scheme: {newton_max: 1, newton_tol: 1e-10}, force: {pad.top: {y: {table: [[0.05, 0], [0.0501, -1e4]]}}}}]"
rm -f pad*.h5
expect 1 "the state before is in 'pad.ckpt.h5': go on with --restart and a --step below 0.0003125 s" \
    "$cairn" run pad.yaml -o pad.h5
cp pad.h5 parts.h5
expect 1 "step 5 from t = 0.0503125 s: body 'pad': Newton" "$cairn" run pad.yaml -o same.h5 --restart pad.ckpt.h5
expect 0 "501 to t = 0.1 s" "$cairn" run pad.yaml -o pad.h5 --restart pad.ckpt.h5 --step 1e-4
expect 1 "" "$cairn" run pad.yaml -q -o first.h5
expect 0 "" "$cairn" run pad.yaml -q -o parts.h5 --restart first.ckpt.h5 --step 1e-4 --until 0.07
expect 0 "" "$cairn" run pad.yaml -q -o parts.h5 --restart parts.ckpt.h5 --step 1e-4
expect 0 "equal" "$cairn" compare pad.h5 parts.h5
same "state" "$(info pad.h5 state_hash)" "$(info parts.h5 state_hash)"
expect 2 "--step must be > 0, got '-1'" "$cairn" run pad.yaml --step -1

finish
