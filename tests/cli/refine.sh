# A ball on a spring: the observed order of theta = 1/2 is 2, and the limit is the closed form.
. "$(dirname "$0")/common"

cat >spring.yaml <<'END'
cairn: 1
dimension: 2
materials: {stone: {density: 2400}}
laws: {spring: {type: elastic, stiffness: 1e6}}
contacts: [{between: [any, any], law: spring}]
bodies:
  ground: {shape: {half_plane: {}}, fixed: true}
  ball: {shape: {disk: 0.1}, at: [0, 0.1], material: stone}
stages: [{step: 1e-3, duration: 0.02}]
solver: {accuracy: 1e-10}
observe: [{name: ball, track: {body: ball}}]
END
expect 0 "h/8: 160 steps" "$cairn" run spring.yaml --refine 3
python3 - <<'END' || bad "the order or the limit is wrong"
import csv, math
rows = {r["series"]: r for r in csv.DictReader(open("out"))}
m = math.pi * 0.01 * 2400
w = math.sqrt(1e6 / m)
y = 0.1 - 9.81 / w**2 * (1 - math.cos(0.02 * w))
assert abs(float(rows["ball.y"]["order"]) - 2) < 0.01
# Error of fourth order, 1e-3 of the last difference (1e-7 m).
assert abs(float(rows["ball.y"]["extrapolated"]) - y) < 1e-10
assert rows["ball.x"]["order"] == "" and float(rows["ball.x"]["extrapolated"]) == 0
END
[ ! -e spring.h5 ] || bad "--refine leaves a result"
sed -i '/^observe/d' spring.yaml
expect 3 "observes nothing" "$cairn" run spring.yaml --refine 2
expect 2 "--refine must be 2 to 20" "$cairn" run spring.yaml --refine 1
expect 2 "--refine writes no result" "$cairn" run spring.yaml --refine 2 -o a.h5
finish
