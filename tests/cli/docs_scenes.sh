#!/bin/sh
# tests/cli/docs_scenes.sh PROGRAM SCRATCH -- what README and docs/ promise: every scene printed there passes
# `cairn check`, those marked "run by the tests" run to their end, every relative link leads to a file.
set -eu
program=$1
scratch=$2/docs_scenes # emptied below: a folder of our own
source_dir=${CAIRN_SOURCE_DIR:?CAIRN_SOURCE_DIR is not set}
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$source_dir"
pages=$(find README.md CHANGELOG.md docs -name '*.md' | sort)
failures=0

# shellcheck disable=SC2086 -- one word per page is wanted; no name here has blanks
awk -v scratch="$scratch" '
    /^```yaml/ { text = ""; first = 1; inside = 1; next }
    /^```/ && inside {
        if (is_scene) {
            name = FILENAME
            gsub("/", "-", name)
            file = scratch "/" name "-" FNR ".yaml"
            printf "%s", text >file
            close(file)
        }
        inside = is_scene = 0
    }
    inside {
        is_scene = is_scene || (first && /^cairn:/)
        first = 0
        text = text $0 "\n"
    }' $pages
cp examples/bridge.obj "$scratch"
for scene in "$scratch"/*.yaml; do
    "$program" check "$scene" >"$scratch/out" 2>&1 || {
        echo "$scene does not pass cairn check:"
        cat "$scratch/out"
        failures=$((failures + 1))
    }
done
for scene in $(grep -l "run by the tests" "$scratch"/*.yaml); do
    "$program" run "$scene" -q --strict -o "$scratch/run.h5" 2>"$scratch/out" || {
        echo "$scene does not run:"
        cat "$scratch/out"
        failures=$((failures + 1))
    }
done
[ "$(ls "$scratch"/*.yaml | wc -l)" -ge 4 ] || {
    echo "fewer than 4 scenes found in $pages"
    failures=$((failures + 1))
}

for page in $pages; do
    for link in $(sed -n 's/](\([^)#]*\)[^)]*)/\n<\1>\n/gp' "$page" | sed -n 's/^<\([^<>]*\)>$/\1/p'); do
        case $link in
        http*) ;;
        *)
            [ -e "$(dirname "$page")/$link" ] || {
                echo "$page: no such file: $link"
                failures=$((failures + 1))
            }
            ;;
        esac
    done
done

# The reference page is the one that the program writes.
"$program" schema --reference | cmp -s - "$CAIRN_SOURCE_DIR/docs/scene.md" || {
    echo "docs/scene.md is out of date: cairn schema --reference >docs/scene.md"
    failures=$((failures + 1))
}
[ "$failures" = 0 ]
