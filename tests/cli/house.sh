# The house is in order: includes, file names, format, and the columns of documents (tools/house says which).
. "$(dirname "$0")/common"

python3 "$source_dir/tools/house" >faults 2>&1 || bad "$(head -n 5 faults)"

# The check itself sees what it is for: a room that reaches too far, a name used twice, a long line.
mkdir -p wrong/src/law wrong/src/base wrong/tools
cp "$source_dir/tools/house" wrong/tools/
printf '| room | what | may include |\n|---|---|---|\n| `base` | x | |\n| `law` | x | base |\n' >wrong/src/README.md
printf '// law/spring.c -- a spring.\n#include "detect/detect.h"\n' >wrong/src/law/spring.c
printf '// base/spring.c -- another.\n' >wrong/src/base/spring.c
printf '%0150d\nword %0120d\nmany words %090d %020d\n' 1 2 3 4 >wrong/long.md
(cd wrong && git init -q . 2>/dev/null && git add -A 2>/dev/null)
expect 1 "law may not include detect" python3 wrong/tools/house includes
expect 1 "spring.c: a name used twice" python3 wrong/tools/house names
expect 1 "long.md:3: " python3 wrong/tools/house columns
finish
