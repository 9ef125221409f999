# The forces in a wall are not unique, their resultant is; a ball on the ground leaves nothing open.
. "$(dirname "$0")/common"

cat >wall.yaml <<'END'
cairn: 1
dimension: 2
materials: {stone: {density: 2400}}
laws: {dry: {type: coulomb, friction: 0.6}}
contacts: [{between: [any, any], law: dry}]
bodies:
  ground: {shape: {half_plane: {}}, fixed: true}
  wall: {generate: {wall: {length: 1.2, courses: 4, block: [0.4, 0.2]}}, material: stone}
stages: [{step: 1e-3, duration: 0.02}]
solver: {accuracy: 1e-8}
observe: [{name: base, resultant: {between: [wall, ground]}}]
END
expect 0 "lower bounds" "$cairn" spread wall.yaml -n 6 -q
python3 - <<'END' || bad "the spread of a wall is not what it must be"
import csv
contacts = list(csv.DictReader(open("wall.spread/contacts.csv")))
series = {r["series"]: r for r in csv.DictReader(open("wall.spread/series.csv"))}
weight = 1.2 * 4 * 0.2 * 2400 * 9.81  # unit thickness; half bricks close the courses
base = series["base.fy"]
# Residual 1e-8 of h g: forces are as exact.
assert abs(float(base["mean"]) / weight - 1) < 1e-6, base
assert float(base["most"]) - float(base["least"]) < 1e-6 * weight, base
widest = max(float(c["normal_most"]) - float(c["normal_least"]) for c in contacts)
assert widest > 0.01 * weight, widest
assert all(int(c["seen"]) == 6 for c in contacts)
assert all(float(c["normal_least"]) <= float(c["normal_mean"]) <= float(c["normal_most"]) for c in contacts)
END
for file in forces.png histogram.png first.h5; do
    [ -s wall.spread/$file ] || bad "there is no $file"
done
expect 0 "" "$cairn" spread wall.yaml -n 6 -q -o again
cmp -s wall.spread/contacts.csv again/contacts.csv || bad "the same seed gives other solutions"
expect 0 "lower bounds" "$cairn" spread wall.yaml -n 6 -q -o last --last-step
python3 -c '
import csv
c = list(csv.DictReader(open("last/contacts.csv")))
assert max(float(x["normal_most"]) - float(x["normal_least"]) for x in c) > 100
' || bad "random starts of the last step all lead to the same forces"

sed -e 's/^  wall:.*/  wall: {shape: {disk: 0.1}, at: [0, 0.1], material: stone}/' wall.yaml >ball.yaml
expect 0 "contacts         1, 1 of them" "$cairn" spread ball.yaml -n 4 -q
python3 -c '
import csv, math
c = list(csv.DictReader(open("ball.spread/contacts.csv")))
weight = math.pi * 0.01 * 2400 * 9.81
assert len(c) == 1 and abs(float(c[0]["normal_mean"]) / weight - 1) < 1e-6
assert float(c[0]["normal_most"]) - float(c[0]["normal_least"]) < 1e-6 * weight
' || bad "the force on a ball is not its weight"

expect 2 "--runs must be 2" "$cairn" spread wall.yaml -n 1
expect 4 "" "$cairn" spread none.yaml
finish
