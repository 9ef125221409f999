# cairn doctor: the machine and this build; what it says of results that are good, bad, or half a run.
. "$(dirname "$0")/common"

expect 0 "HDF5 1" "$cairn" doctor
[ "$(grep -c ' ok  ' out)" = 4 ] || bad "not all checks are ok: $(cat out)"
expect 0 "OMP_NUM_THREADS=99999 is more than the cores" env OMP_NUM_THREADS=99999 "$cairn" doctor
expect 4 "TMPDIR names another place" env TMPDIR=/no/such/place "$cairn" doctor

cat >pile.yaml <<'SCENE'
cairn: 1
materials: {stone: {density: 2400}}
laws: {dry: {type: coulomb, friction: 0.5}, wet: {type: coulomb, friction: 0.1}}
contacts: [{between: [any, any], law: dry}]
bodies:
  ground: {shape: {half_plane: {}}, fixed: true}
  wall: {generate: {wall: {length: 3, courses: 8, block: [0.4, 0.2]}}, material: stone}
stages: [{step: 1e-3, duration: 0.02}]
SCENE
expect 0 "" "$cairn" run pile.yaml -q
expect 0 "law 2 of the scene (coulomb) met no contact" "$cairn" doctor pile.h5
sed -i 's/, wet: {type: coulomb, friction: 0.1}//' pile.yaml
expect 0 "" "$cairn" run pile.yaml -q
expect 0 "fine     nothing to change" "$cairn" doctor pile.h5
# One sweep a step is not enough for eight courses.
echo "solver: {method: nlgs, sweep_max: 1, accuracy: 1e-6}" >>pile.yaml
expect 6 "" "$cairn" run pile.yaml -q -o poor.h5
expect 5 "20 of 20 steps missed their accuracy" "$cairn" doctor poor.h5
grep -q "cairn run SCENE --step 0.0005" out || bad "there is no remedy: $(cat out)"
expect 4 "nothing.h5" "$cairn" doctor nothing.h5
finish
