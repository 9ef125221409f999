#!/bin/sh
# tools/deb_test.sh [FOLDER [SUITE]] -- installs the packages that tools/deb.sh left in FOLDER (out/deb) into a
# fresh root of Debian made by debootstrap, and uses each of them there. Takes root and a network.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
packages=${1:-$here/out/deb}
suite=${2:-bookworm}
command -v debootstrap >/dev/null || { echo "deb_test: debootstrap is not installed" >&2; exit 77; }
[ "$(id -u)" = 0 ] || { echo "deb_test: needs root, to install into a root of its own" >&2; exit 77; }
root=$(mktemp -d "${TMPDIR:-/tmp}/cairn-root.XXXXXX")
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase "$suite" "$root" >"$root.log" 2>&1 || {
    tail -n 5 "$root.log" >&2
    exit 1
}
rm "$root.log"
mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages"
rm -f "$root"/packages/*dbgsym*
cp "$here/tests/consumer/CMakeLists.txt" "$here"/tests/consumer/*.c "$root/packages"

inside() {
    echo "deb_test: $1"
    shift
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive sh -ec "$*" >"$root/log" 2>&1 || {
        tail -n 20 "$root/log" >&2
        echo "deb_test: failed" >&2
        exit 1
    }
}
# The program alone, by its own dependencies.
inside "cairn installs" "apt-get update -q && apt-get install -qy --no-install-recommends /packages/cairn_*.deb"
inside "cairn runs, draws and serves" "cd /tmp && cairn new wall && cairn check wall.yaml && cairn run wall.yaml \
    && cairn info wall.h5 && cairn render wall.h5 -o wall.png && cairn plot wall.h5 energy -o wall.svg \
    && cairn export wall.h5 --html && cairn export wall.h5 --paraview \
    && { timeout 5 cairn view wall.h5 --no-open >view.log 2>&1 || test \$? = 124 -o \$? = 143; } \
    && grep -q http://127.0.0.1 view.log"
inside "the module installs beside its libraries" \
    "apt-get install -qy --no-install-recommends /packages/libcairn0_*.deb /packages/python3-cairn_*.deb"
inside "the module runs a scene" "cd /tmp && python3 -c 'import cairn; s = cairn.starter(\"wall\"); s.run(\"p.h5\")
print(cairn.__version__, cairn.Result(\"p.h5\")[\"kinetic\"].max())'"
inside "headers install, and a project finds them" "apt-get install -qy --no-install-recommends /packages/libcairn-dev_*.deb \
    gcc libc6-dev cmake make pkg-config && cmake -S /packages -B /tmp/by-cmake && cmake --build /tmp/by-cmake \
    && /tmp/by-cmake/fall && cc /packages/fall.c -o /tmp/fall \$(pkg-config --cflags --libs cairn) -lm && /tmp/fall"
inside "all are removed without a trace" "apt-get purge -qy cairn libcairn0 libcairn-dev python3-cairn \
    && ! find /usr -name '*cairn*' ! -path '*/zoneinfo/*' | grep ."
echo "deb_test: the packages of $packages work on a fresh $suite"
