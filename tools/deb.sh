#!/bin/sh
# tools/deb.sh [FOLDER] -- builds the Debian packages cairn, libcairn0, libcairn-dev and python3-cairn from a
# clean copy of the sources and leaves them in FOLDER (out/deb).
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$here/out/deb}
mkdir -p "$out"
out=$(cd "$out" && pwd)
version=$(sed -n 's/^#define CN_VERSION "\(.*\)"/\1/p' "$here/include/cairn/base.h")
date=$(git -C "$here" log -1 --format=%cD 2>/dev/null || date -R -r "$here/CHANGELOG.md")

scratch=$out/build # of one name: compiler caches know it again
trap 'rm -rf "$scratch"' EXIT
rm -rf "$scratch"
tree=$scratch/cairn-$version
mkdir -p "$tree"
cd "$here"
# Of a git checkout what is tracked or new; of an unpacked archive all but what builds leave.
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard | tar c --null --ignore-failed-read -T -
else
    tar c --exclude=./build --exclude='./build-*' --exclude=./out --exclude=./viewer/node_modules .
fi | tar x -C "$tree"

cp -r "$tree/packaging/debian" "$tree/debian"
cat >"$tree/debian/changelog" <<TEXT
cairn ($version) unstable; urgency=medium

  * See /usr/share/doc/cairn/CHANGELOG.md.

 -- The cairn authors <cairn@localhost>  $date
TEXT
cd "$tree"
DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$(nproc)${DEB_BUILD_OPTIONS:+ $DEB_BUILD_OPTIONS}" \
    dpkg-buildpackage -us -uc -b >"$scratch/log" 2>&1 || {
    tail -n 30 "$scratch/log" >&2
    cp "$scratch/log" "$out/build.log"
    echo "deb: the build failed; all of it is in $out/build.log" >&2
    exit 1
}
mv "$scratch"/*.deb "$out"
(cd "$out" && ls -1 ./*_"$version"_*.deb)
