#!/bin/sh
# Fuzzes a reader: tools/fuzz.sh [target] [seconds] [corpus folder to grow]
# Targets are the files tests/fuzz/fuzz_TARGET.c: scene (the default), mesh_stl, mesh_obj, mesh_ply,
# mesh_msh; `all` runs each of them. Needs clang (packages.txt, section fuzz). Crashing inputs are
# left in build-fuzz/. With COVERAGE=1 the target is built to replay its corpora and print the line
# coverage of the reader instead.
set -eu
cd "$(dirname "$0")/.."
target=scene
case ${1:-} in
[a-z]*)
    target=$1
    shift
    ;;
esac
seconds=${1:-60}
if [ "$target" = all ]; then
    for file in tests/fuzz/fuzz_*.c; do
        name=$(basename "$file" .c)
        "tools/$(basename "$0")" "${name#fuzz_}" "$seconds"
    done
    exit
fi
[ -f "tests/fuzz/fuzz_$target.c" ] || {
    echo "there is no target '$target': $(cd tests/fuzz && echo fuzz_*.c)"
    exit 2
}
grown=${2:-build-fuzz/corpus_$target}
mkdir -p build-fuzz "$grown"
case $target in
scene)
    sources=$(find src -name '*.c' | grep -v -e /output/ -e /mesh/ -e /scene/run -e /scene/starters | sort)
    libraries="$(pkg-config --cflags --libs yaml-0.1 qhull_r) -fopenmp"
    ;;
mesh_*)
    sources="src/base/*.c src/mesh/*.c"
    libraries=
    ;;
esac
checks="-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined"
[ -z "${COVERAGE:-}" ] || checks="-fsanitize=fuzzer -fprofile-instr-generate -fcoverage-mapping"
# shellcheck disable=SC2086 -- lists of words
clang -std=c11 -O1 -g $checks -D_GNU_SOURCE -DCN_PIECES_MAX=2000 -Iinclude -Isrc \
    -o "build-fuzz/fuzz_$target" "tests/fuzz/fuzz_$target.c" $sources $libraries -lm
cd build-fuzz
case $grown in /*) ;; *) grown=../$grown ;; esac
if [ -n "${COVERAGE:-}" ]; then
    LLVM_PROFILE_FILE=$target.profraw "./fuzz_$target" -runs=0 "$grown" "../tests/fuzz/corpus/$target"
    llvm-profdata merge -o "$target.profdata" "$target.profraw"
    llvm-cov report "./fuzz_$target" -instr-profile="$target.profdata"
    exit
fi
dictionary=../tests/fuzz/$target.dict
[ ! -f "$dictionary" ] || set -- -dict="$dictionary"
[ -f "$dictionary" ] || set --
"./fuzz_$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 "$@" \
    "$grown" "../tests/fuzz/corpus/$target"
