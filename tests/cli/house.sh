# The house is in order: includes, file names, format, columns of documents, functions that are written once
# (tools/house says which).
. "$(dirname "$0")/common"

python3 "$source_dir/tools/house" >faults 2>&1 || bad "$(head -n 5 faults)"

# The check itself sees what it is for: a room that reaches too far, a name used twice, a long line, a function that
# is there twice under other names, one with too many parameters, words that were given up.
mkdir -p wrong/src/law wrong/src/base wrong/tools
cp "$source_dir/tools/house" wrong/tools/
printf '| room | what | may include |\n|---|---|---|\n| `base` | x | |\n| `law` | x | base |\n' >wrong/src/README.md
printf '// law/spring.c -- a spring.\n#include "detect/detect.h"\n' >wrong/src/law/spring.c
printf '// base/spring.c -- another.\n' >wrong/src/base/spring.c
printf '%0150d\nword %0120d\nmany words %090d %020d\n' 1 2 3 4 >wrong/long.md
for name in north south; do
    printf '// base/%s.c -- sums.\ndouble cn_%s_sum(const double *%s, int n)\n{\n' $name $name $name
    printf '    double sum = 0.0;\n'
    for k in 1 2 3 4 5 6; do
        printf '    for (int k = 0; k < n; k++) {\n        sum += %d * %s[k] * (k + %d);\n    }\n' $k $name $k
    done
    printf '    return sum;\n}\n'
done >both
sed -n '1,/^}/p' both >wrong/src/base/north.c
sed '1,/^}/d' both >wrong/src/base/south.c
mkdir -p wrong/include/cairn wrong/src/scene/keys
printf 'int cn_sum(int a, int b, int c, int d, int e, int f, int g, int (*h)(int, int));\nvoid cn_memory_lend(void);\n' \
    >wrong/include/cairn/sum.h
printf '// scene/keys/body.c -- keys.\n{.name = "turn", .unit = "rad"},\n' >wrong/src/scene/keys/body.c
(cd wrong && git init -q . 2>/dev/null && git add -A 2>/dev/null)
expect 1 "law may not include detect" python3 wrong/tools/house includes
expect 1 "spring.c: a name used twice" python3 wrong/tools/house names
expect 1 "long.md:3: " python3 wrong/tools/house columns
expect 1 "cn_north_sum is 100 % the same as cn_south_sum" python3 wrong/tools/house duplicates
expect 1 "cn_sum has 8 parameters" python3 wrong/tools/house parameters
expect 1 "cn_memory_lend: instead of 'lend' we say workspace" python3 wrong/tools/house words
expect 1 "body.c:2: key turn: say rotation" python3 wrong/tools/house words
expect 1 "cn_north_sum is used here only" python3 wrong/tools/house privates
finish
