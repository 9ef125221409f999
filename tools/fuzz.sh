#!/bin/sh
# Fuzzes a reader: tools/fuzz.sh [scene|result] [seconds] [corpus folder to grow]
# Needs clang (packages.txt, section fuzz). Crashing inputs are left in build-fuzz/.
set -eu
cd "$(dirname "$0")/.."
target=${1:-scene}
seconds=${2:-60}
grown=${3:-build-fuzz/corpus-$target}
mkdir -p build-fuzz "$grown"
core=$(find src -name '*.c' ! -path 'src/scene/*' ! -path 'src/output/*')
case $target in
scene)
    sources="$core $(ls src/scene/*.c | grep -v -e /run -e /starters)"
    packages="yaml-0.1 qhull_r"
    options="-max_len=4096 -dict=../tests/fuzz/scene.dict"
    ;;
result) # HDF5 itself fails on some files: keep what was found and go on
    sources="tests/fuzz/hdf_mutator.c $core src/output/*.c"
    packages="hdf5-serial zlib qhull_r"
    options="-max_len=200000 -detect_leaks=0 -fork=1 -ignore_crashes=1 -ignore_ooms=1"
    options="$options -ignore_timeouts=1"
    ;;
*)
    echo "fuzz.sh: no target '$target'; there are scene and result" >&2
    exit 2
    ;;
esac
clang -std=c11 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    -D_GNU_SOURCE -DCN_PIECES_MAX=2000 -Iinclude -Isrc -o "build-fuzz/fuzz_$target" \
    "tests/fuzz/fuzz_$target.c" $sources $(pkg-config --cflags --libs $packages) -fopenmp -lm
cd build-fuzz
case $grown in /*) ;; *) grown=../$grown ;; esac
"./fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 $options \
    "$grown" "../tests/fuzz/corpus/$target"
