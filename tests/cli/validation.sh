# The fast cases of the validation book pass through the program, and its lines keep their form.
program=$1
scratch=$2
mkdir -p "$scratch"
cd "$scratch" || exit 1

fail() {
    echo "validation: $1" >&2
    exit 1
}

"$program" validate --fast --json >book.jsonl 2>book.err
code=$?
if [ $code -ne 0 ]; then
    grep '"pass":false' book.jsonl
    cat book.err
    fail "the fast cases end with code $code"
fi
keys='"id" "quantity" "measured" "reference" "error" "tolerance" "pass" "seconds"'
for key in $keys; do
    [ "$(grep -c "$key:" book.jsonl)" -eq "$(wc -l <book.jsonl)" ] || fail "a line without $key"
done
grep -q '"id":"A01"' book.jsonl || fail "A01 is missing"
grep -q '"quantity":"every run: energy ledger closes"' book.jsonl || fail "no audit lines"

# One case by name gives a table; a name that does not exist is a usage error.
"$program" validate E01 >table.txt || fail "E01 alone does not pass"
grep -q '^1 cases: .* 0 fail' table.txt || fail "no summary line"
"$program" validate X99 >none.txt 2>none.err
[ $? -eq 2 ] || fail "an unknown case must end with code 2"
grep -q "X99" none.err || fail "an unknown case must be named"

# What is only a bound is told as such; the end tells each case and what is open again.
"$program" validate E05 >end.txt 2>&1 || fail "E05 fails"
grep -q '^E05 .* at least .* pass$' end.txt || fail "a bound is not told as one"
grep -q '^| E05  | indeterminacy with friction .* 0 |    1 |' end.txt || fail "no line for E05"
grep -q '^OPEN E05  mean stress' end.txt || fail "what is open is not told again"
