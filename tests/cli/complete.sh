# Completion: what the program offers for a command line under way, and the rules of three shells.
. "$(dirname "$0")/common"

offered() { "$cairn" help --complete -- "$@" | cut -f1 | tr '\n' ' '; }
is_offered() { # WORDS... = CANDIDATES
    wanted=$1
    shift
    [ "$(offered "$@")" = "$wanted" ] || bad "'$*' offers '$(offered "$@")', not '$wanted'"
}
write_scene shake.yaml
expect 0 "" "$cairn" run shake.yaml -q
is_offered "render report record " re
is_offered "--json --scene --help " info -
is_offered ":files .h5 " info ""
is_offered ":files .yaml .yml .stl .obj .ply .msh .dxf " check ""
is_offered ":folders " import ""
is_offered "fixed reversed alternating random " solve --order ""
is_offered "--order=fixed " solve --order=f
is_offered "fixed " solve --order = f    # as bash cuts it
is_offered "wall wall_push " new wall
is_offered "stress strain " analyse shake.h5 s
is_offered "penetration penetration_rel " plot shake.h5 pen
is_offered "" info shake.h5 ""           # one operand only
is_offered "" plot nothing.h5 energy --body ""
is_offered "" nonsense ""
expect 0 "" "$cairn" help --complete -- plot shake.h5 energy --body ""
grep -q "^table" out || bad "bodies of the result are not offered: $(cat out)"
for command in $("$cairn" help --complete -- "" | grep -v ^- | cut -f1); do
    "$cairn" "$command" --help >/dev/null || bad "offers the command '$command', which there is not"
done
expect 2 "--completion is bash, zsh or fish, not 'tcsh'" "$cairn" help --completion tcsh

PATH=$(dirname "$cairn"):$PATH
touch data.csv
cat >in_bash <<'BASH'
. ./rules
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_cairn 2>/dev/null
echo "${COMPREPLY[*]}"
BASH
if command -v bash >/dev/null; then
    "$cairn" help --completion bash >rules
    [ "$(bash in_bash cairn solve --order = r)" = "reversed random" ] || bad "bash does not complete a value"
    [ "$(bash in_bash cairn run s)" = shake.yaml ] || bad "bash offers for run s: $(bash in_bash cairn run s)"
fi
if command -v fish >/dev/null; then
    "$cairn" help --completion fish >rules
    [ "$(HOME=$PWD fish -c '. rules; complete -C "cairn solve --order=f"')" = --order=fixed ] || bad "fish does not complete"
fi
if command -v zsh >/dev/null; then
    "$cairn" help --completion zsh >rules
    zsh -n rules || bad "the rules are no zsh"
fi
finish
