#!/bin/sh
# Fuzzes the reader of problem files: tools/fuzz_problem.sh [seconds] [corpus folder to grow]
# Needs clang (packages.txt, section fuzz). Crashing inputs are left in build-fuzz/.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
grown=${2:-build-fuzz/corpus-problem}
mkdir -p build-fuzz "$grown"
# Solvers add offsets of zero to absent factors, which is harmless.
clang -std=c11 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    -fno-sanitize=pointer-overflow \
    -D_GNU_SOURCE -Iinclude -Isrc -o build-fuzz/fuzz_problem \
    tests/fuzz/fuzz_problem.c src/base/*.c src/solve/*.c \
    src/output/hdf.c src/output/disk.c src/output/problem_*.c \
    $(pkg-config --cflags --libs hdf5-serial) -lm
cd build-fuzz
case $grown in /*) ;; *) grown=../$grown ;; esac
# HDF5 itself loses memory when it refuses a damaged file and asks for sizes it has read there; that
# is not ours to fix.
echo "leak:libhdf5" >lsan.supp
ASAN_OPTIONS=allocator_may_return_null=1 LSAN_OPTIONS=suppressions=lsan.supp:print_suppressions=0 ./fuzz_problem \
    -max_total_time="$seconds" -max_len=20000 -timeout=20 -rss_limit_mb=4096 -malloc_limit_mb=100000000 \
    "$grown" ../tests/fuzz/corpus/problem
