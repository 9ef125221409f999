#!/bin/sh
# tools/setup.sh SECTION... -- install the Debian packages of these sections of packages.txt, if any
# is missing. Uses sudo when not root; does nothing and says so where apt-get is not available.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)

wanted=$(awk -v sections=" $* " '
    /^\[/ { section = substr($0, 2, length($0) - 2); next }
    /^#/ || NF == 0 { next }
    index(sections, " " section " ") { print $1 (NF > 1 ? "=" $2 : "") }' "$here/packages.txt")

missing=
for item in $wanted; do
    package=${item%%=*}
    case $item in *=*) command -v "${item#*=}" >/dev/null 2>&1 && continue ;; esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: please install by hand:$missing" >&2
    exit 1
fi
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
echo "setup: installing$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 -- one word per package is wanted
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing
