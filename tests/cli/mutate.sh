# tools/mutate on a program of two functions: changes of the one that is tested well are killed, those
# of the one whose result nobody looks at survive, and a second run takes them from the journal.
. "$(dirname "$0")/common"
for needed in python3 cmake ninja gcov; do
    command -v $needed >/dev/null || exit 77
done

mkdir -p toy/src/law toy/tests/unit
cat >toy/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES C)
enable_testing()
add_library(toy STATIC src/law/spring.c)
add_executable(test-unit-spring tests/unit/spring.c)
target_link_libraries(test-unit-spring toy)
add_test(NAME unit/spring COMMAND test-unit-spring)
add_test(NAME unit/spring_lgpl COMMAND test-unit-spring) # without a source of its own: left out
set_tests_properties(unit/spring unit/spring_lgpl PROPERTIES LABELS unit)
END
cat >toy/src/law/spring.c <<'END'
double force(double k, double x);
double heat(double c, double v);

double force(double k, double x)
{
    if (x < 0.0) { // "x + x" here is no code
        return -k * x;
    }
    return 0.0;
}

double heat(double c, double v)
{
    double power = c * v;
    return power * v;
}

double never(double x);

double never(double x)
{
    return x * x;
}
END
cat >toy/tests/unit/spring.c <<'END'
double force(double k, double x);
double heat(double c, double v);

int main(void)
{
    heat(2.0, 3.0);
    return !(force(2.0, -3.0) == 6.0 && force(2.0, 3.0) == 0.0 && force(2.0, 0.5) == 0.0);
}
END
mutate="python3 $source_dir/tools/mutate --source toy --work work --folders law --count 100"
expect 1 "5 of 7 changes killed" $mutate # `never` is executed by no test and left alone
for place in "spring.c:14: factor '\*' -> '/'" "spring.c:15: factor '\*' -> '/'"; do
    grep -q "survived src/law/$place" out || bad "no survivor $place: $(cat out)"
done
grep -q "^src/law/spring.c: 20 22\$" work/unexecuted.txt || bad "unexecuted: $(cat work/unexecuted.txt)"
cp work/journal.jsonl before.jsonl
expect 1 "5 of 7 changes killed" $mutate
cmp -s before.jsonl work/journal.jsonl || bad "the second run judged again"

# A test of what was missed: survivors are judged anew, and none is left.
sed -i 's/    heat(2.0, 3.0);/    if (heat(2.0, 3.0) != 18.0) {\n        return 1;\n    }/' toy/tests/unit/spring.c
expect 0 "7 of 7 changes killed" $mutate
finish
