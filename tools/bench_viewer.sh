#!/bin/sh
# tools/bench_viewer.sh CAIRN CASES -- pictures of 10^4 and 10^5 bodies in headless Chromium; says so
# where the browser or its driver is missing.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
chromium=$(command -v chromium || true)
if [ -z "$chromium" ] || ! command -v node >/dev/null || [ ! -d "$here/viewer/node_modules/puppeteer-core" ]; then
    echo "viewer             first picture: needs chromium, node and tools/setup_viewer.sh"
    exit 0
fi
scratch=$(mktemp -d)
for count in 10000 100000; do
    "$2" spheres "$scratch/spheres.h5" $count
    node "$here/viewer/bench.mjs" "$chromium" "$1" "$scratch/spheres.h5"
done
rm -r "$scratch"
