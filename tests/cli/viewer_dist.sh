#!/bin/sh
# The page that is embedded in the program is made from the sources of the viewer.
set -eu
cd "$CAIRN_SOURCE_DIR/viewer"

sha256sum --quiet -c dist/sources.sha256 || {
    echo "viewer/dist is older than viewer/src: run 'npm ci && npm run build' in viewer/"
    exit 1
}
for file in src/*; do
    grep -q "  $file\$" dist/sources.sha256 || {
        echo "$file is not in viewer/dist: run 'npm run build' in viewer/"
        exit 1
    }
done
# Nothing is fetched from elsewhere.
if grep -oE '(src|href)="https?:[^"]*"|import\("https?:[^"]*"|url\(https?:[^)]*' dist/viewer.html; then
    echo "the page refers to other machines"
    exit 1
fi
grep -q 'MIT License' dist/viewer.html # of three.js
# Where the tools are there, byte by byte.
if [ -d node_modules/esbuild ] && command -v node >/dev/null; then
    node build.mjs --check
fi
