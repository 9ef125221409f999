# Stopped and continued equals never stopped, bit for bit: in the middle of a stage, between stages,
# after Ctrl-C, and after kill -9.
. "$(dirname "$0")/common"
write_scene shake.yaml
expect 0 "" "$cairn" run shake.yaml -q -o straight.h5
hash=$(info straight.h5 state_hash)

for until in 0.033 0.1 0.217; do
    rm -f parts.h5
    expect 0 "" "$cairn" run shake.yaml -q --until $until -o parts.h5
    expect 0 "" "$cairn" run shake.yaml -q --restart parts.ckpt.h5 -o parts.h5 -j 2
    same "restart at $until" "$hash" "$(info parts.h5 state_hash)"
    same "steps after restart at $until" "$(info parts.h5 steps)" 300
done
same "steps without convergence" "$(info parts.h5 nonconverged_steps)" \
    "$(info straight.h5 nonconverged_steps)"
same "sweeps" "$(info parts.h5 sweeps_total)" "$(info straight.h5 sweeps_total)"
expect 0 "" "$cairn" plot straight.h5 series/top.x,kinetic,total_friction -o straight.csv
expect 0 "" "$cairn" plot parts.h5 series/top.x,kinetic,total_friction -o parts.csv
cmp -s straight.csv parts.csv || bad "the history of a continued run differs"

# A restart may start a result of its own.
expect 0 "" "$cairn" run shake.yaml -q --until 0.05 -o first.h5
expect 0 "" "$cairn" run shake.yaml -q --restart first.ckpt.h5 -o second.h5
same "result of its own" "$hash" "$(info second.h5 state_hash)"

# A finished run has nothing left to do.
expect 0 "reached the end" "$cairn" run shake.yaml --restart second.ckpt.h5 -o second.h5
same "finished run" "$hash" "$(info second.h5 state_hash)"

# Steps of another length from amid a stage on, which then ends where it did; and back again.
expect 0 "117 to t = 0.1 s" "$cairn" run shake.yaml --restart first.ckpt.h5 --step 7.5e-4 --until 0.1 \
    -o third.h5 --checkpoint third.ckpt.h5
expect 0 "317 to t = 0.3 s" "$cairn" run shake.yaml --restart third.ckpt.h5 -o third.h5

# A step that breaks: a body too fast for numbers. The state before it is saved.
sed 's/0.305\]/0.305], velocity: [1e308, 0]/; s/step: 1e-3/step: 1000/; s/duration: 0.[12]/duration: 1e4/' \
    shake.yaml >fast.yaml
expect 1 "step 1 from t = 0 s: body 'high'" "$cairn" run fast.yaml -o fast.h5
grep -q "the state before is in 'fast.ckpt.h5'" err || bad "no word of the checkpoint: $(cat err)"
expect 1 "step 1 from t = 0 s: body 'high'" "$cairn" run fast.yaml --restart fast.ckpt.h5 -o again.h5

# The wrong scene, the wrong parameters, the wrong result.
sed 's/0.305/0.306/' shake.yaml >other.yaml
expect 3 "belongs to another scene" "$cairn" run other.yaml --restart first.ckpt.h5 -o x.h5
expect 3 "belongs to another scene" "$cairn" run shake.yaml -D mu=0.4 --restart first.ckpt.h5 -o x.h5
[ ! -e x.h5 ] || bad "a restart that was refused left a result"
expect 0 "" "$cairn" run other.yaml -q --until 0.02 -o other.h5
expect 3 "another scene" "$cairn" run shake.yaml --restart first.ckpt.h5 -o other.h5
expect 0 "" "$cairn" run shake.yaml -q --until 0.02 -o short.h5
expect 3 "ends at step 20" "$cairn" run shake.yaml --restart first.ckpt.h5 -o short.h5

# Longer, so that a signal finds it running: wait for a first frame, then send it.
sed 's/duration: 0.2/duration: 20/; s/every: 0.02/every: 0.02, checkpoint_every: 0.1/' \
    shake.yaml >long.yaml
expect 0 "" "$cairn" run long.yaml -q -o long.h5 --until 15
long_hash=$(info long.h5 state_hash)

# start OUT: runs in the background until a checkpoint is there
start()
{
    rm -f "$1".h5 "$1".ckpt.h5*
    "$cairn" run long.yaml -o "$1".h5 2>err &
    process=$!
    tries=0
    while [ ! -e "$1".ckpt.h5.old ] && [ $tries -lt 200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

for signal in INT:130 TERM:143; do
    start stopped
    kill -${signal%:*} $process
    wait $process
    same "exit code after ${signal%:*}" $? ${signal#*:}
    grep -q "interrupted" err || bad "${signal%:*}: the log does not say so: $(tail -n 2 err)"
    grep -q -- "--restart stopped.ckpt.h5" err || bad "${signal%:*}: no hint how to go on"
    expect 0 "stopped on request" "$cairn" info stopped.h5
    python3 -c "assert $(info stopped.h5 time) < 15" || bad "too fast for this test"
    expect 0 "" "$cairn" run long.yaml -q --restart stopped.ckpt.h5 -o stopped.h5 --until 15
    same "restart after ${signal%:*}" "$long_hash" "$(info stopped.h5 state_hash)"
done

start killed
kill -KILL $process
wait $process 2>/dev/null
expect 0 "incomplete" "$cairn" info killed.h5
expect 0 "" "$cairn" render killed.h5 -o killed.png
for checkpoint in killed.ckpt.h5 killed.ckpt.h5.old; do
    cp killed.h5 continued.h5
    expect 0 "" "$cairn" run long.yaml -q --restart $checkpoint -o continued.h5 --until 15
    same "restart from $checkpoint after kill -9" "$long_hash" "$(info continued.h5 state_hash)"
    same "complete after $checkpoint" "$(info continued.h5 complete)" True
done
expect 0 "equal" "$cairn" compare long.h5 continued.h5
finish
