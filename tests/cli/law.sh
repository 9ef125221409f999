# cairn law: the list names every law, a driven joint gives the curve of its shape, and what cannot be
# understood is said.
. "$(dirname "$0")/common"
"$cairn" law >out 2>err
for name in coulomb elastic viscoelastic glue cohesive mohr compliant bond wet sliding rock_joint film; do
    grep -q "^$name: " out || bad "the list has no $name"
done
zone="-D shape=linear -D stiffness=1e12 -D strength=5e6 -D energy=100"
expect 0 "" "$cairn" law cohesive $zone --path open:20e-6,open:0.2e-6,open:50e-6 --steps 100 \
    --csv curve.csv --plot curve.svg
same "rows of the table" 301 "$(wc -l <curve.csv)"
grep -q '<svg' curve.svg || bad "no picture"
# At 20 um 42.857 J/m2 are spent, at the end all 100; half a step lies between a row and the opening.
spent=$(awk -F, 'NR == 101 {a = $7} END {printf "%.4f %.4f", a, $7}' curve.csv)
same "energy spent at 20 and 50 um" "42.8571 100.0000" "$spent"
"$cairn" law coulomb -D friction=0.3 --press 1e5 --path shear:1e-3,shear:0 --steps 3 >out 2>err
same "friction under a pressure, both ways" "30000 -30000" \
    "$(awk -F, 'NR == 3 {a = $3} END {printf "%.0f %.0f", a, $3}' out)"
grep -q 'ledger closes' err || bad "no word of the ledger: $(cat err)"
# What the table of LMGC90 says of laws that exist is read as a scene: words in place of numbers apart.
"$cairn" law --lmgc90 all | grep -o '{type: .*}' | sed 's/   #.*//' >known
while read -r law; do
    type=$(printf '%s' "$law" | sed 's/{type: \([a-z]*\).*/\1/')
    for key in $(printf '%s' "$law" | tr '{,}' '\n' | sed -n 's/^ *\([a-z_]*\):.*/\1/p'); do
        "$cairn" law | sed -n "/^$type:/,/^[a-z]*:/p" | grep -q "^  $key \|^type$" ||
            [ "$key" = type ] || bad "$type has no '$key', which stands for LMGC90's"
    done
done <known
expect 0 "shape: mac" "$cairn" law --lmgc90 IQS_MAC_CZM
# All that interaction_law_type of its parameters.f90 lists, each once.
"$cairn" law --lmgc90 all | sed 's/: .*//' | tr ' ' '\n' | sort >names
same "names of LMGC90, and different ones" "94 94" "$(grep -c . names) $(uniq names | grep -c .)"
expect 0 "refused" "$cairn" law --lmgc90 TEX_SOL
expect 0 "strength: smax" "$cairn" law --lmgc90 MP3_CZM
expect 2 "no law of LMGC90" "$cairn" law --lmgc90 MAC
expect 2 "no law 'mortar'" "$cairn" law mortar
expect 2 "KEY=VALUE" "$cairn" law coulomb -D friction
expect 2 "shear:M under a pressure" "$cairn" law coulomb --press 1 --path open:1e-6
expect 3 "stiffness" "$cairn" law cohesive
expect 3 "no parameter 'shpe'" "$cairn" law cohesive -D shpe=1
# Bonded points of a frame: 0.4 m pulled by 4 kN bears 10 kPa at each of three points, half of what
# begins to damage them.
cat >pulled.yaml <<'S'
cairn: 1
dimension: 2
gravity: none
scheme: {theta: 1}
materials: {stone: {density: 1000}}
laws: {mortar: {type: cohesive, shape: linear, stiffness: 1e9, strength: 20e3, energy: 1, friction: 0.5}}
contacts: [{between: [any, any], law: mortar}]
bodies:
  low: {shape: {box: [0.4, 0.2]}, at: [0, -0.1], fixed: true}
  high: {shape: {box: [0.4, 0.2]}, at: [0, 0.1], material: stone}
stages: [{step: 1e-3, duration: 0.5, force: {high: {y: 4000}}}]
S
expect 0 "reached" "$cairn" run pulled.yaml -o pulled.h5 -j 1
expect 0 "body,other,law,x,y,nx,ny,area,damage,opening,slip,traction_n,traction_t,mode,spent" \
    "$cairn" patches pulled.h5 --bonds
"$cairn" patches pulled.h5 --bonds >bonds.csv
awk -F, 'NR > 1 { n++; area += $8; pull += $8 * $12; wide += $9 > 0 || $14 > 1e-6 }
    END { if (n != 3 || wide || (area - 0.4) ^ 2 > 1e-18 || (pull - 4000) ^ 2 > 1) { print n, area, pull, wide; exit 1 } }' \
    bonds.csv || bad "three points bear 4 kN together: $(cat bonds.csv)"
finish
