# `cairn check --explain` prints a scene that runs to the same bits.
. "$(dirname "$0")/common"
write_scene shake.yaml
expect 0 "" "$cairn" check shake.yaml --explain
mv out explained.yaml
for key in "theta" "restitution" "sweep_max" "overlap_max"; do
    grep -q "$key" explained.yaml || bad "the explained scene does not show $key"
done
expect 0 "" "$cairn" run shake.yaml -q
expect 0 "" "$cairn" run explained.yaml -q
same "explained scene" "$(info shake.h5 state_hash)" "$(info explained.h5 state_hash)"
expect 0 "" "$cairn" check shake.yaml -D mu=0.9 --explain
grep -q "0.9" out || bad "--explain does not follow -D"

# A generated scene too: generators become bodies or stay, the result is the same.
expect 0 "" "$cairn" new wall
expect 0 "" "$cairn" check wall.yaml --explain
mv out wall2.yaml
expect 0 "" "$cairn" run wall.yaml -q --until 0.05
expect 0 "" "$cairn" run wall2.yaml -q --until 0.05
same "explained wall" "$(info wall.h5 state_hash)" "$(info wall2.h5 state_hash)"

expect 0 "bodies" "$cairn" check shake.yaml
grep -q "^sizes  .* m (" out || bad "no sizes: $(cat out)"

# Where nothing but a half-plane is, there is no size to tell.
printf 'cairn: 1\ndimension: 2\nlaws: {d: {type: coulomb, friction: 0}}\ncontacts: [{between: [any, any], law: d}]\n' >bare.yaml
printf 'bodies: {ground: {shape: {half_plane: {}}, fixed: true}}\nstages: [{step: 0.1, duration: 1}]\n' >>bare.yaml
expect 0 "nothing can move" "$cairn" check bare.yaml
if grep -q "^sizes" out; then bad "sizes of nothing: $(cat out)"; fi
finish
