# Equations of docs/theory are numbered in reading order, and every number or section cited in a comment of
# the sources or in a page of docs/ exists (tools/renumber says what a citation is).
. "$(dirname "$0")/common"

python3 "$source_dir/tools/renumber" --check >faults 2>&1 || bad "$(head -n 5 faults)"
count=$(cat "$source_dir"/docs/theory/*.md | grep -c 'tag{')
[ "$count" -ge 40 ] || bad "only $count equation numbers found"

renumber()
{
    python3 "$source_dir/tools/renumber" --root book "$@"
}

# A book of two chapters, where 2.3 and 2.9 stand before 2.2, and what cites it.
mkdir -p book/docs/theory book/src
printf '1. [Laws](1-laws.md)\n2. [Steps](2-steps.md)\n' >book/docs/theory/README.md
printf '# 1. Laws\n\nx \\tag{1.1}\n\n## Rest\n\nsee (2.1) to (2.3)\n' >book/docs/theory/1-laws.md
printf '# 2. Steps\n\n\\tag{2.1} \\tag{2.3}\n\\tag{2.9} \\tag{2.2}\n' >book/docs/theory/2-steps.md
cat >book/src/a.c <<'END'
double x = f(2.3) + (2.3); // as (2.3) says, and theory 2.1, 2.9 and
                           // 2.2. Not 2.2 alone.
/* a block with (2.1-2.3) and (2.9,
   2.2); theory chapter 2, "Rest" */
END
printf '%s\n' 'x: (2.3)  # see (2.3)' >book/src/a.yaml

expect 1 "out of reading order: 2.3 -> 2.2" renumber --check
cp -r book before
expect 0 "src/a.c:3: 2.1-2.3 -> 2.1, 2.2, 2.4" renumber --dry-run
expect 0 "by hand: (2.1) to (2.3) is 2.1, 2.2, 2.4" renumber --dry-run
diff -r before book >changed || bad "--dry-run changed something"
expect 0 "3 of 5 numbers, 4 files" renumber
cat >wanted.c <<'END'
double x = f(2.3) + (2.3); // as (2.2) says, and theory 2.1, 2.3 and
                           // 2.4. Not 2.2 alone.
/* a block with (2.1, 2.2, 2.4) and (2.3,
   2.4); theory chapter 1, "Rest" */
END
diff wanted.c book/src/a.c >changed || bad "citations are not those wanted: $(head -n 4 changed)"
same "comment of YAML" "x: (2.3)  # see (2.2)" "$(cat book/src/a.yaml)"
expect 0 "" renumber --check
expect 0 "0 of 5 numbers, 0 files" renumber

# What does not exist is named, wherever it stands, and nothing is changed then.
printf '%s\n' '// (2.7), theory 1.9 to 1.1, theory chapter 7, theory chapter 1, "Sleep"' >book/src/wrong.c
expect 1 "src/wrong.c:1: 2.7 is cited and not given" renumber
expect 1 "src/wrong.c:1: 1.9 is cited and not given" renumber --check
expect 1 "src/wrong.c:1: there is no chapter 7" renumber --check
expect 1 'src/wrong.c:1: no section is called "Sleep"' renumber --check
rm book/src/wrong.c
printf 'y \\tag{1.1}\n' >>book/docs/theory/2-steps.md
expect 1 "docs/theory/2-steps.md:5: 1.1 is given twice" renumber --check
finish
