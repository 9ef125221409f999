#!/bin/sh
# Fuzzes the scene reader: tools/fuzz.sh [seconds] [corpus folder to grow]
# Needs clang (packages.txt, section fuzz). Crashing inputs are left in build-fuzz/.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
grown=${2:-build-fuzz/corpus}
mkdir -p build-fuzz "$grown"
clang -std=c11 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    -D_GNU_SOURCE -DCN_PIECES_MAX=2000 -Iinclude -Isrc -o build-fuzz/fuzz_scene \
    tests/fuzz/fuzz_scene.c src/base/*.c src/shape/*.c src/law/*.c src/solve/*.c src/load/*.c \
    src/body/*.c src/detect/*.c src/detect/narrow/*.c src/contact/*.c src/audit/*.c src/world/*.c \
    $(ls src/scene/*.c | grep -v -e /run -e /starters) \
    $(pkg-config --cflags --libs yaml-0.1) -fopenmp -lm
cd build-fuzz
case $grown in /*) ;; *) grown=../$grown ;; esac
./fuzz_scene -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -dict=../tests/fuzz/scene.dict "$grown" ../tests/fuzz/corpus/scene
