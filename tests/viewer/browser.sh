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

for scene in plane space; do
    expect 0 "" "$cairn" run "$source_dir/tests/viewer/$scene.yaml" -o $scene.h5 -q
    expect 0 "" "$cairn" export $scene.h5 --csv --html
done
sed 's/duration: 0.1/duration: 60/' "$source_dir/tests/viewer/plane.yaml" >long.yaml
for name in empty2 empty3 one guests far; do
    expect 0 "" "$cases" $name $name.h5
done
expect 0 "" "$cases" spheres spheres.h5 2000
[ $failures -eq 0 ] || exit 1
CAIRN="$cairn" CHROMIUM="$chromium" exec node "$source_dir/tests/viewer/browser.mjs" "$@"
