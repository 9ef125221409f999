#!/bin/sh
# tools/demo.sh PROGRAM -- runs an example and makes a picture of it: from nothing to a result.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
program=${1:-$here/build/cairn}
name=drum
out=$here/out
mkdir -p "$out"

"$program" run "$here/examples/$name.yaml" -o "$out/$name.h5"
"$program" render "$out/$name.h5" -o "$out/$name.png" --paint velocity

# Paths as the reader would type them from here.
short=${out#"$PWD"/}
tool=${program#"$PWD"/}
cat <<TEXT

result   $short/$name.h5
picture  $short/$name.png

next, try:
  $tool info $short/$name.h5                                # how well was it solved?
  $tool plot $short/$name.h5 energy -o $short/energy.svg      # where did the energy go?
  $tool new arch && $tool run arch.yaml                   # a scene of your own
TEXT
