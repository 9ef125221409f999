#!/bin/sh
# tools/setup_viewer.sh -- fetch what tests and builds of the viewer need besides Debian packages, in
# the versions of viewer/package-lock.json. Building cairn needs none of it; where it cannot be
# fetched, the tests in a browser are skipped and say so.
set -eu
cd "$(dirname "$0")/../viewer"
command -v npm >/dev/null 2>&1 || exit 0
[ ! node_modules/.package-lock.json -nt package-lock.json ] || exit 0
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null ||
    echo "setup: the packages of the viewer's tests cannot be fetched; its browser tests will be skipped" >&2
