#!/bin/sh
# tools/bench_viewer.sh CAIRN CASES -- time to the first picture of 10^4 bodies in headless Chromium; says so
# where the browser or its driver is missing.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
chromium=$(command -v chromium || true)
if [ -z "$chromium" ] || ! command -v node >/dev/null || [ ! -d "$here/viewer/node_modules/puppeteer-core" ]; then
    echo "viewer             first picture: needs chromium, node and tools/setup_viewer.sh"
    exit 0
fi
scratch=$(mktemp -d)
"$2" spheres "$scratch/spheres.h5" 10000
node "$here/viewer/bench.mjs" "$chromium" "$1" "$scratch/spheres.h5"
rm -r "$scratch"
