# cairn record, and a scene whose ground moves by a record.
. "$(dirname "$0")/common"

# 0.3 g sin(2 pi t), 10 s in intervals of 5 ms, as PEER writes it.
awk 'BEGIN {
    print "PEER\nHILL, 90\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=   2001, DT=   .0050 SEC"
    for (k = 0; k < 2001; k++) printf "%14.7E%s", 0.3 * sin(6.283185307179586 * 0.005 * k), k % 5 == 4 ? "\n" : ""
}' > sine.AT2
expect 0 "peak acceleration     2.943 m/s2" "$cairn" record sine.AT2 -o sine.svg
[ -s sine.svg ] || bad "no picture"
expect 0 '"pga_m_s2": 2.943, ' "$cairn" record sine.AT2 --json
expect 3 "names no unit" "$cairn" record "$source_dir/examples/quake.csv"
expect 2 "baseline is none" "$cairn" record sine.AT2 --baseline cubic
expect 4 "missing.AT2" "$cairn" record missing.AT2

# The step does not divide the interval; the ground has the velocity of the record all the same: at 0.481 s
# that of the sine but for the chords, (w dt)^2/12 = 8e-5 of it. After the record it rests.
cat > shake.yaml <<'S'
cairn: 1
bodies: {ground: {shape: {box: [2, 1]}, fixed: true}}
stages:
  - {step: 3.7e-3, duration: 10.36, drive: {ground: {acceleration: {x: {record: sine.AT2}}}}}
observe: [{name: ground, track: ground}]
S
expect 0 "" "$cairn" run shake.yaml -q
expect 0 "" "$cairn" plot shake.h5 series/ground.vx -o v.csv
awk -F, 'NR > 1 { exact = 0.3 * 9.81 / 6.283185307179586 * (1 - cos(6.283185307179586 * $1))
    d = $2 - ($1 < 10 ? exact : 0); d = d < 0 ? -d : d; most = d > most ? d : most }
    END { exit !(NR == 2801 && most < 1e-4) }' v.csv || bad "the ground does not move as the record"
# A sine of 1 Hz for 10 periods: its oscillator has 2 pi 10/2 times it without damping but for the start,
# and (1 - exp(-2 pi 10 0.05))/(2 0.05) times it with 5 %.
expect 0 '"spectrum_most_m_s2": 28' "$cairn" record sine.AT2 --spectrum sine.csv --json
awk -F, 'NR > 1 && $1 > 0.98 && $1 < 1.02 { n++; d = $2/2.943 - 9.57; if (d*d < 0.01) good++ } END { exit !(n > 0 && good > 0) }' \
    sine.csv || bad "the oscillator of 1 s does not resonate: $(head -3 sine.csv)"
# What is left of it above 4 Hz is its two ends.
expect 0 "peak acceleration     0.24" "$cairn" record sine.AT2 --band 4,0
expect 0 "" "$cairn" record sine.AT2 --spectrum sine.svg
expect 2 "LOW,HIGH" "$cairn" record sine.AT2 --band 4
expect 3 "below 100 Hz" "$cairn" record sine.AT2 --band 0,200
# What a block feels is a record as well.
expect 0 "largest in spectrum" "$cairn" record v.csv --unit m/s2 --spectrum floor.csv --damping 0.02
finish
