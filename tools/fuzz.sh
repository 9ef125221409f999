#!/bin/sh
# Fuzzes a reader: tools/fuzz.sh [target] [seconds] [corpus folder to grow]
# Targets: scene (the default), result, problem, mesh_stl, mesh_obj, mesh_ply, mesh_msh,
# volume_msh, volume_vtu.
# Needs clang (packages.txt, section fuzz). Crashing inputs are left in build-fuzz/. With COVERAGE=1
# the target only replays its corpora and prints the line coverage of the reader.
set -eu
cd "$(dirname "$0")/.."
target=${1:-scene}
seconds=${2:-60}
grown=${3:-build-fuzz/corpus-$target}
mkdir -p build-fuzz "$grown"
core=$(find src -name '*.c' ! -path 'src/scene/*' ! -path 'src/output/*' ! -path 'src/study/*')
options="-max_len=4096 -dict=../tests/fuzz/$target.dict"
seeds="../tests/fuzz/corpus/$target"
main=$target
case $target in
scene)
    sources="$core $(ls src/scene/*.c | grep -v /starters) $(ls src/output/*.c)"
    packages="yaml-0.1 qhull_r zlib hdf5-serial"
    ;;
result) # HDF5 itself fails on some files: keep what was found and go on
    sources="tests/fuzz/hdf_mutator.c $core src/output/*.c"
    packages="hdf5-serial zlib qhull_r"
    options="-max_len=200000 -detect_leaks=0 -fork=1 -ignore_crashes=1 -ignore_ooms=1"
    options="$options -ignore_timeouts=1"
    ;;
problem) # HDF5 itself loses memory on damaged files and asks for sizes it has read there
    sources="$(ls src/base/*.c src/math/*.c src/solve/*.c src/output/problem_*.c) src/output/hdf.c"
    sources="$sources src/output/disk.c -fno-sanitize=pointer-overflow"
    packages=hdf5-serial
    options="-max_len=20000 -malloc_limit_mb=100000000"
    seeds="$seeds ../tests/data/fclib"
    echo "leak:libhdf5" >build-fuzz/hdf5.supp
    export ASAN_OPTIONS=allocator_may_return_null=1
    export LSAN_OPTIONS=suppressions=hdf5.supp:print_suppressions=0
    ;;
mesh_stl | mesh_obj | mesh_ply | mesh_msh)
    sources=$(ls src/base/*.c src/mesh/*.c)
    packages=
    ;;
volume_msh | volume_vtu) # one reader that looks at the format itself
    sources=$(ls src/base/*.c src/mesh/*.c src/volume/*.c src/element/*.c | grep -v /fill.c)
    packages=zlib
    main=volume_msh
    seeds="$seeds ../tests/fuzz/corpus/mesh_msh"
    [ "$target" = volume_vtu ] || options="-max_len=4096 -dict=../tests/fuzz/mesh_msh.dict"
    ;;
*)
    echo "fuzz.sh: no target '$target'; there are scene, result, problem, mesh_stl, mesh_obj," \
        "mesh_ply, mesh_msh, volume_msh and volume_vtu" >&2
    exit 2
    ;;
esac
checks="-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined"
[ -z "${COVERAGE:-}" ] || checks="-fsanitize=fuzzer -fprofile-instr-generate -fcoverage-mapping"
libraries=
[ -z "$packages" ] || libraries="$(pkg-config --cflags --libs $packages) -lcholmod -lumfpack -llapack -lblas"
clang -std=c11 -O1 -g -Wno-psabi $checks -D_GNU_SOURCE -DCN_PIECES_MAX=2000 -Iinclude -Isrc \
    -isystem /usr/include/suitesparse \
    -o "build-fuzz/fuzz_$target" "tests/fuzz/fuzz_$main.c" $sources $libraries -fopenmp -lm
cd build-fuzz
case $grown in /*) ;; *) grown=../$grown ;; esac
if [ -n "${COVERAGE:-}" ]; then
    LLVM_PROFILE_FILE=$target.profraw "./fuzz_$target" -runs=0 "$grown" $seeds
    llvm-profdata merge -o "$target.profdata" "$target.profraw"
    llvm-cov report "./fuzz_$target" -instr-profile="$target.profdata"
    exit
fi
"./fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 $options \
    "$grown" $seeds
