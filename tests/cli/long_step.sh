# A step that would take minutes: it tells how far it is, and a signal ends it. The step is dropped,
# the checkpoint is that of the step before, and a restart goes on from there.
. "$(dirname "$0")/common"

# Some steps, then one that does not end: more digits than there are, and a patience that outlives
# every machine (with that of the method a step gave up after 4000 sweeps, some seconds, and the
# signal could come between two steps).
cat >long.yaml <<'Y'
cairn: 1
materials: {m: 2000}
laws: {c: {type: coulomb, friction: 0.4}}
contacts: [{between: [any, any], law: c}]
solver: {method: nlgs, accuracy: 1e-15, patience: 1000000000, sweep_max: 1000000000}
bodies:
  ground: {shape: {half_plane: {}}, fixed: true}
  left: {shape: {half_plane: {}}, at: [-1, 0], angle: "=-pi/2", fixed: true}
  right: {shape: {half_plane: {}}, at: [1, 0], angle: "=pi/2", fixed: true}
  disks: {generate: {pack: {inside: {box: [1.98, 20]}, shape: {disk: {radius: {uniform: [0.018, 0.022]}}}, count: 20000, method: dense, seed: 1}}, at: [0, 10.01], velocity: [0, -1], material: m}
stages: [{step: 1e-3, duration: 1}]
Y
for signal in INT:130 TERM:143; do
    name=${signal%:*}
    "$cairn" run long.yaml -o long.h5 -j 1 2>err &
    run=$!
    for k in $(seq 1 120); do # the heart-beat comes after 5 s of a step
        grep -q "goes on for" err && break
        kill -0 $run 2>/dev/null || break
        sleep 0.5
    done
    grep -q "goes on for .* contacts, nlgs, .* iterations, .* times what is asked, worst at the contact of '" err ||
        bad "no heart-beat within a long step: $(tail -n 3 err)"
    before=$(date +%s)
    kill -$name $run
    wait $run
    code=$?
    after=$(date +%s)
    same "exit code after SIG$name" "$code" "${signal#*:}"
    # Within 2 s of a machine that has nothing else to do; the step itself would take minutes.
    [ $((after - before)) -le 15 ] || bad "SIG$name was answered after $((after - before)) s"
    grep -q "within step" err || bad "the dropped step is not told: $(tail -n 5 err)"
    [ -e long.ckpt.h5 ] || bad "no checkpoint after SIG$name"
    expect 0 "" "$cairn" info long.h5
    rm -f long.h5 long.ckpt.h5 long.ckpt.h5.old
done

finish
