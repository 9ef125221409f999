#!/bin/sh
# Fuzzes a reader: tools/fuzz.sh [target] [seconds] [corpus folder to grow]
# Targets: scene (the default), result, problem, mesh_stl, mesh_obj, mesh_ply, mesh_msh, mesh_dxf,
# volume_msh, volume_vtu, datbox; `all` is all of them, one after the other.
# With FUZZ_RUNS=N it ends after N inputs instead of seconds; `all` shares them out.
# Needs clang (packages.txt, section fuzz). Crashing inputs are left in build-fuzz/. With COVERAGE=1
# the target only replays its corpora and prints the line coverage of the reader.
set -eu
cd "$(dirname "$0")/.."
target=${1:-scene}
seconds=${2:-60}
if [ "$target" = all ]; then # parts of a hundred: slow readers get fewer
    for share in scene:20 problem:5 result:5 mesh_stl:12 mesh_obj:12 mesh_ply:12 mesh_msh:8 mesh_dxf:4 \
        volume_msh:11 volume_vtu:6 datbox:5; do
        runs=${FUZZ_RUNS:+$((FUZZ_RUNS * ${share#*:} / 100))}
        FUZZ_RUNS=$runs "$0" "${share%:*}" "$seconds"
    done
    exit
fi
grown=${3:-build-fuzz/corpus-$target}
mkdir -p build-fuzz "$grown"
base="$(find src/base -name '*.c' ! -name libraries.c)" # which names all libraries
core=$(find src -name '*.c' ! -path 'src/picture/*' ! -path 'src/viewer/*' ! -path 'src/study/*' ! -name starters.c \
    ! -name libraries.c ! -name factor_lgpl.c)
options="-max_len=4096 -dict=../tests/fuzz/$target.dict"
seeds="../tests/fuzz/corpus/$target"
main=$target
case $target in
scene) # values, keys and nesting are changed, from all examples
    sources="tests/fuzz/scene_mutator.c $core"
    packages="yaml-0.1 qhull_r zlib hdf5-serial jansson"
    options="-max_len=8192 -dict=../tests/fuzz/$target.dict"
    seeds="$seeds ../examples"
    ;;
result) # HDF5 itself fails on some files: keep what was found and go on
    sources="tests/fuzz/hdf_mutator.c $core"
    packages="yaml-0.1 hdf5-serial zlib qhull_r jansson"
    options="-max_len=200000 -detect_leaks=0 -fork=1 -ignore_crashes=1 -ignore_ooms=1"
    options="$options -ignore_timeouts=1"
    ;;
problem) # HDF5 itself loses memory on damaged files and asks for sizes it has read there
    sources="$base $(find src/math src/solve src/problem_file -name '*.c' \
        ! -name factor_lgpl.c) src/result/hdf/hdf.c"
    sources="$sources src/result/hdf/hdf_driver.c src/result/hdf/header_check.c"
    packages="hdf5-serial zlib"
    options="-max_len=20000 -malloc_limit_mb=100000000"
    seeds="$seeds ../tests/data/fclib"
    echo "leak:libhdf5" >build-fuzz/hdf5.supp
    export ASAN_OPTIONS=allocator_may_return_null=1
    export LSAN_OPTIONS=suppressions=hdf5.supp:print_suppressions=0
    ;;
mesh_stl | mesh_obj | mesh_ply | mesh_msh | mesh_dxf)
    sources="$base $(find src/geometry src/math -name '*.c' ! -name factor_lgpl.c)"
    packages="jansson qhull_r"
    ;;
volume_msh | volume_vtu) # one reader that looks at the format itself
    sources="$base $(find src/geometry src/math src/fem/mesh src/fem/element -name '*.c' ! -name mesh_fill.c \
        ! -name factor_lgpl.c)"
    packages="zlib jansson qhull_r"
    main=volume_msh
    seeds="$seeds ../tests/fuzz/corpus/mesh_msh"
    [ "$target" = volume_vtu ] || options="-max_len=4096 -dict=../tests/fuzz/mesh_msh.dict"
    ;;
datbox) # all files of a folder in one input, up to the text of the scene
    sources="$base $(find src/import -name '*.c' ! -name import_lmgc90.c) src/math/mat3_quat.c"
    sources="$sources src/scene/language/report.c src/scene/language/arena.c"
    packages=
    ;;
*)
    echo "fuzz.sh: no target '$target'; there are scene, result, problem, mesh_stl, mesh_obj," \
        "mesh_ply, mesh_msh, mesh_dxf, volume_msh, volume_vtu, datbox and all" >&2
    exit 2
    ;;
esac
# Nothing plus zero is nothing, whatever C says of empty arrays.
checks="-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -fno-sanitize=pointer-overflow"
[ -z "${COVERAGE:-}" ] || checks="-fsanitize=fuzzer -fprofile-instr-generate -fcoverage-mapping"
libraries=
[ -z "$packages" ] || libraries="$(pkg-config --cflags --libs $packages) -lcholmod -lumfpack -lldl -lklu -lamd -llapack -lblas"
cache=$(command -v ccache || true) # targets share most of their sources
objects=
for source in "tests/fuzz/fuzz_$main.c" $sources; do
    object=build-fuzz/$(echo "$source" | tr / -).o
    $cache clang -std=c11 -O1 -gline-tables-only -Wno-psabi $checks -D_GNU_SOURCE -DCN_PIECES_MAX=2000 -Iinclude \
        -Isrc -isystem /usr/include/suitesparse ${packages:+$(pkg-config --cflags $packages)} -fopenmp \
        -c -o "$object" "$source"
    objects="$objects $object"
done
clang $checks -o "build-fuzz/fuzz_$target" $objects $libraries -fopenmp -lm
cd build-fuzz
case $grown in /*) ;; *) grown=../$grown ;; esac
if [ -n "${COVERAGE:-}" ]; then
    LLVM_PROFILE_FILE=$target.profraw "./fuzz_$target" -runs=0 "$grown" $seeds
    llvm-profdata merge -o "$target.profdata" "$target.profraw"
    llvm-cov report "./fuzz_$target" -instr-profile="$target.profdata"
    exit
fi
limit=-max_total_time=$seconds
[ -z "${FUZZ_RUNS:-}" ] || limit=-runs=$FUZZ_RUNS
"./fuzz_$target" $limit -timeout=120 -rss_limit_mb=2048 -print_final_stats=1 $options "$grown" $seeds
