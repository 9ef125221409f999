#!/bin/sh
# tests/cli/theory_numbers.sh PROGRAM SCRATCH -- every equation number cited in a comment of the sources, or
# in a page of docs/, exists in a chapter of docs/theory/, and every number there is given once.
#
# A citation is "theory 5.8", with "to 5.10", "and 5.10" or ", 5.9" after it if there are several, or
# numbers alone in parentheses: (3.1), (4.2-4.5), (5.6, 5.7). Only comments are read in source files, so a
# number in code is never taken for a citation.
set -eu
scratch=$2/theory_numbers # emptied below: a folder of our own
source_dir=${CAIRN_SOURCE_DIR:?CAIRN_SOURCE_DIR is not set}
rm -rf "$scratch"
mkdir -p "$scratch"

# Prints "file:line: number" for each citation in the files named.
citations() {
    awk '
        # What a reader sees as prose: comments of C, shell, YAML and CMake; all of a page.
        function prose(line,    at) {
            if (FILENAME ~ /\.md$/) { return line }
            if (FILENAME !~ /\.[ch]$/) {
                at = index(line, "#")
                return at ? substr(line, at) : ""
            }
            if (in_block) {
                if (index(line, "*/")) { in_block = 0 }
                return line
            }
            at = match(line, "//|/[*]")
            if (!at) { return "" }
            if (substr(line, at, 2) == "/*" && !index(substr(line, at), "*/")) { in_block = 1 }
            return substr(line, at)
        }
        function cite(group) {
            while (match(group, /[0-9]+\.[0-9]+/)) {
                print FILENAME ":" FNR ": " substr(group, RSTART, RLENGTH)
                group = substr(group, RSTART + RLENGTH)
            }
        }
        # Cites every match of the pattern; what follows a match is searched again.
        function search(text, pattern,    rest) {
            while (match(text, pattern)) {
                rest = substr(text, RSTART + RLENGTH)
                cite(substr(text, RSTART, RLENGTH))
                text = rest
            }
        }
        BEGIN {
            number = "([2-6]|1[01])\\.[1-9][0-9]?"
            more = "((, | ?- ?| to | and )" number ")*"
        }
        FNR == 1 { in_block = 0 }
        {
            text = prose($0)
            search(text, "\\(" number more "\\)")
            search(text, "theory [0-9]+\\.[0-9]+" more)
        }' "$@"
}

# Prints the citations of $2... that are not among the numbers in the file $1.
unknown() {
    numbers=$1
    shift
    citations "$@" | awk -v numbers="$numbers" '
        BEGIN { while ((getline line < numbers) > 0) { known[line] = 1 } }
        !($NF in known)'
}

theory=$source_dir/docs/theory
sed -n 's/.*\\tag{\([0-9.]*\)}.*/\1/p' "$theory"/*.md >"$scratch/numbers"
[ "$(wc -l <"$scratch/numbers")" -ge 40 ] || {
    echo "only $(wc -l <"$scratch/numbers") equation numbers found in $theory"
    exit 1
}
twice=$(sort "$scratch/numbers" | uniq -d)
[ -z "$twice" ] || {
    echo "numbers given twice in $theory: $twice"
    exit 1
}

# The check itself sees a wrong number in each place where one may stand, and nothing in code.
cat >"$scratch/wrong.c" <<'END'
double x = f(2.99) + (3.99);  // as (4.99) says
/* a block
   with (5.98, 5.1), */
/// theory 6.98 to 6.97; fine: (3.1), theory 5.8 to 5.10
END
printf '%s\n' 'x: (2.98)  # see (2.97)' >"$scratch/wrong.yaml"
seen=$(unknown "$scratch/numbers" "$scratch/wrong.c" "$scratch/wrong.yaml" | sed 's/.*: //' | tr '\n' ' ')
[ "$seen" = "4.99 5.98 6.98 6.97 2.97 " ] || {
    echo "the check finds \"$seen\" in its own example"
    exit 1
}

cd "$source_dir"
find README.md docs include src cli validation tests bench examples -type f \
    \( -name '*.[ch]' -o -name '*.sh' -o -name '*.yaml' -o -name '*.md' -o -name CMakeLists.txt \) \
    ! -path tests/cli/theory_numbers.sh 2>/dev/null | sort >"$scratch/files"
# shellcheck disable=SC2046 -- one word per file is wanted; no name here has blanks
unknown "$scratch/numbers" $(cat "$scratch/files") >"$scratch/unknown"
if [ -s "$scratch/unknown" ]; then
    echo "cited, but not in docs/theory:"
    cat "$scratch/unknown"
    exit 1
fi
