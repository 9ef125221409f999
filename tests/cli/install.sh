# `cmake --install`, then a project of its own finds cairn by CMake and by pkg-config, and runs.
. "$(dirname "$0")/common"

build=$(dirname "$cairn")
consumer=$source_dir/tests/consumer
if grep -q '^CAIRN_SANITIZE:BOOL=ON' "$build/CMakeCache.txt"; then
    echo "install: a library with sanitizers cannot be linked by a plain program: skipped"
    exit 77
fi

expect 0 "" cmake --install "$build" --prefix "$PWD/installed"
expect 0 "cairn" installed/bin/cairn --version
expect 0 "SYNOPSIS" cat installed/share/man/man1/cairn.1
expect 0 "complete -o default -F _cairn cairn" cat installed/share/bash-completion/completions/cairn
expect 0 "#compdef cairn" cat installed/share/zsh/vendor-completions/_cairn
expect 0 "complete -c cairn" cat installed/share/fish/vendor_completions.d/cairn.fish
expect 0 "urn:cairn:scene:1" cat installed/share/cairn/scene.schema.json
expect 0 "schema=$PWD/installed/share/cairn/scene.schema.json" installed/bin/cairn new balls -o -

expect 0 "" cmake -S "$consumer" -B by-cmake -DCMAKE_PREFIX_PATH="$PWD/installed"
expect 0 "" cmake --build by-cmake
expect 0 "fell 0.049050 m" by-cmake/fall
expect 0 "refused (bad input)" by-cmake/slope
expect 0 "100 steps, 0 missed" by-cmake/picture
expect 0 "restart equal" by-cmake/own_law
expect 0 "ledger closes" env CAIRN_LAWS=by-cmake/libsticky.so installed/bin/cairn law sticky -D cohesion=1000 --path open:1e-6
expect 2 "there is no law 'sticky'" installed/bin/cairn law sticky -D cohesion=1000
expect 4 "none.so" env CAIRN_LAWS=./none.so installed/bin/cairn --version
[ "$(head -c 4 blocks.png | tail -c 3)" = PNG ] || bad "picture drew no PNG file"

libraries=$(find "$PWD/installed" -name pkgconfig)
flags=$(PKG_CONFIG_PATH=$libraries pkg-config --cflags --libs cairn) || bad "pkg-config does not find cairn"
# shellcheck disable=SC2086 -- flags are several words
expect 0 "" cc "$consumer/fall.c" -o fall $flags -lm
expect 0 "fell 0.049050 m" env LD_LIBRARY_PATH="$(dirname "$libraries")" ./fall
flags=$(PKG_CONFIG_PATH=$libraries pkg-config --cflags --libs cairn-view) || bad "pkg-config does not find cairn-view"
# shellcheck disable=SC2086
expect 0 "" cc "$consumer/picture.c" -o picture $flags
expect 0 "picture blocks.png" env LD_LIBRARY_PATH="$(dirname "$libraries")" ./picture
finish
