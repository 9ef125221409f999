#!/bin/sh
# tools/demo.sh [PROGRAM [EXAMPLE [FOLDER]]] -- runs an example and makes a picture of it: from
# nothing to a result.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
program=${1:-$here/build/cairn}
name=${2:-drum}
out=${3:-$here/out}
mkdir -p "$out"

# Paths as one would type them from here.
program=${program#"$PWD"/}
out=${out#"$PWD"/}

"$program" run "$here/examples/$name.yaml" -o "$out/$name.h5"
"$program" render "$out/$name.h5" -o "$out/$name.png" --paint velocity >/dev/null

cat <<TEXT

result   $out/$name.h5
picture  $out/$name.png

next, try:
  $program view $out/$name.h5
  $program info $out/$name.h5
  $program plot $out/$name.h5 energy -o $out/energy.svg
  $program new arch && $program run arch.yaml && $program render arch.h5
TEXT
