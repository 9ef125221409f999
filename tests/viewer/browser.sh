# The viewer in headless Chromium: what is on the page is what is in the file. Needs chromium, node and the
# packages of viewer/package-lock.json (tools/setup_viewer.sh); skipped, and said so, without them.
cases=$(readlink -f "$3")
. "$(dirname "$0")/../cli/common"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
skip()
{
    echo "browser tests skipped: $*"
    exit 77
}
[ -n "$chromium" ] || skip "no chromium"
! "$cairn" view none.h5 --no-open 2>&1 | grep -q "built without" || skip "built without the server"
command -v node >/dev/null || skip "no node"
[ -d "$source_dir/viewer/node_modules/puppeteer-core" ] || skip "run tools/setup_viewer.sh first"

for scene in plane space soft soft3 cell bond; do
    expect 0 "" "$cairn" run "$source_dir/tests/viewer/$scene.yaml" -o $scene.h5 -q
    expect 0 "" "$cairn" export $scene.h5 --csv --html --paraview
done
sed 's/cell: {size: \[1, 0.8\]}/cell: {size: [1, 0.8], periodic: [x]}/' "$source_dir/tests/viewer/cell.yaml" >strip.yaml
expect 0 "" "$cairn" run strip.yaml -o strip.h5 -q
sed -e 's/velocity: \[0.5, 0\]/velocity: [2, 0]/' -e 's/every: 0.02/every: 0.01/' "$source_dir/tests/viewer/plane.yaml" >softer.yaml
expect 0 "" "$cairn" run softer.yaml -o softer.h5 -q
expect 0 "" "$cairn" export softer.h5 --csv
echo >blank.html
cat >long.yaml <<'SCENE'
cairn: 1
gravity: none
materials: {gum: {density: 1000, young: 1e5, poisson: 0.3}}
bodies:
  slab: {mesh: {box: [1, 1], cells: [2, 2], elements: quad4}, material: gum, velocity: [-0.1, 0]}
  ball: {shape: {disk: {radius: 0.3}}, material: gum, at: [2, 0]}
stages: [{step: 1e-3, duration: 1e4}]
output: {every: 0.1}
SCENE
for name in empty2 empty3 one guests far; do
    expect 0 "" "$cases" $name $name.h5
done
expect 0 "" "$cases" spheres spheres.h5 2000
expect 0 "" "$cases" spheres crowd.h5 5200
[ $failures -eq 0 ] || exit 1
CAIRN="$cairn" CHROMIUM="$chromium" exec node "$source_dir/tests/viewer/browser.mjs" "$@"
