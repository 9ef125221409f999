# Studies: a block on a slope begins to slide at tan(angle) = mu; tables do not depend on jobs or
# interruptions; nothing is overwritten.
. "$(dirname "$0")/common"

cat >slope.yaml <<'END'
cairn: 1
dimension: 2
params: {angle: 0.4, mu: 0.5, bad: 0}
gravity: ["=9.81*sin(angle)", "=-9.81*cos(angle)"]
materials: {stone: {density: 2400}}
laws: {dry: {type: coulomb, friction: "=mu"}}
contacts: [{between: [any, any], law: dry}]
bodies:
  ground: {shape: {half_plane: {}}, fixed: true}
  block: {shape: {box: [0.4, "=0.2-bad"]}, at: [0, 0.1], material: stone}
stages: [{step: 1e-2, duration: 1.0, stop_when: {moved: {group: block, more_than: 0.01}}}]
observe: [{name: block, track: {body: block}}]
END
# A plain list is a list.
printf 'study: 1\nscene: slope.yaml\nparams: {mu: [0.25, 0.5], angle: {list: [0.125, 0.25]}}\n' >plain.yaml
expect 0 "4 runs, 0 broken" "$cairn" sweep plain.yaml
awk -F, 'NR > 1 {print $2, $3}' plain.csv >out
printf '0.25 0.125\n0.25 0.25\n0.5 0.125\n0.5 0.25\n' | cmp -s - out || bad "a plain list gives other runs: $(cat out)"
printf 'study: 1\nscene: slope.yaml\nparams: {mu: {}}\n' >none.yaml
expect 3 "param takes exactly one of list, range" "$cairn" sweep none.yaml
cat >limit.yaml <<'END'
study: 1
scene: slope.yaml
params:
  mu: {list: [0.25, 0.5]}
  angle: {bisect: {from: 0.0, to: 1.0, tolerance: 1e-3}}
fails_when: {value: {series: block.vx, above: 1e-3}}
report: {slid: block.x, fastest: {series: block.vx, take: most}}
END
expect 0 "mu = 0.5: angle begins to fail between" "$cairn" sweep limit.yaml -j 2
# The speed of failure, 1e-3 m/s after 1 s, shifts the angle by 1e-4 at most.
python3 - <<'END' || bad "the limit angle is not atan(mu)"
import csv, math
rows = list(csv.DictReader(open("limit.csv")))
assert len(rows) == 24 and [int(r["run"]) for r in rows] == list(range(1, 25))
for mu in (0.25, 0.5):
    mine = [r for r in rows if float(r["mu"]) == mu]
    holds = max(float(r["angle"]) for r in mine if r["failed"] == "0")
    slides = min(float(r["angle"]) for r in mine if r["failed"] == "1")
    assert slides - holds <= 1e-3 and holds <= math.atan(mu) + 1e-4 and math.atan(mu) <= slides
assert all(r["status"] == "done" and float(r["energy_error"]) < 1e-10 for r in rows)
END
expect 2 "--resume goes on with it" "$cairn" sweep limit.yaml
expect 0 "" "$cairn" sweep limit.yaml -o one.csv -q
cmp -s limit.csv one.csv || bad "the table depends on the number of jobs"

# Rows that are lost are run again; those of another study are not believed.
rm one.runs/run-000003.row one.runs/run-000024.row
sed -i 's/^[0-9a-f]* /0123456789abcdef /' one.runs/run-000007.row
expect 0 "3 runs, 0 broken" "$cairn" sweep limit.yaml -o one.csv --resume
cmp -s limit.csv one.csv || bad "a resumed study gives another table"

# Draws: between their ends, the same each time.
cat >draws.yaml <<'END'
study: 1
scene: slope.yaml
draws: 3
params: {mu: {uniform: {from: 0.2, to: 0.3}}, angle: {range: {from: 0.1, to: 0.2, count: 2}}}
fails_when: stopped
END
expect 0 "6 runs" "$cairn" sweep draws.yaml
python3 - <<'END' || bad "draws are not what they should be"
import csv
rows = list(csv.DictReader(open("draws.csv")))
mus = [float(r["mu"]) for r in rows]
assert len(set(mus)) == 6 and all(0.2 <= m < 0.3 for m in mus)
assert [r["angle"] for r in rows] == ["0.10000000000000001"] * 3 + ["0.20000000000000001"] * 3
END

# Interrupted, then resumed: the same table.
cat >long.yaml <<'END'
study: 1
scene: slope.yaml
params: {angle: {range: {from: 0.0, to: 0.4, count: 40}}}
END
"$cairn" sweep long.yaml -q 2>err &
pid=$!
while [ ! -e long.runs/run-000002.row ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -INT $pid 2>/dev/null
wait $pid
code=$?
[ $code -eq 130 ] || [ $code -eq 0 ] || bad "an interrupted sweep gave exit code $code"
expect 0 "" "$cairn" sweep long.yaml --resume -q
[ "$(wc -l <long.csv)" -eq 41 ] || bad "a resumed sweep has lost rows"
[ -z "$(ls long.runs/*.h5 2>/dev/null)" ] || bad "results are kept that nobody asked for"

# A bisection that is interrupted tells what it knows so far, one line for each combination.
cat >halves.yaml <<'END'
study: 1
scene: slope.yaml
params: {mu: {list: [0.2, 0.3, 0.4]}, angle: {bisect: {from: 0.0, to: 1.0, tolerance: 1e-6}}}
fails_when: stopped
END
"$cairn" sweep halves.yaml -q >told 2>err &
pid=$!
while [ ! -e halves.runs/run-000003.row ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -INT $pid 2>/dev/null
wait $pid
grep -q "^mu = 0.2: angle begins to fail between .* so far$" told && grep -q "^mu = 0.4: not run yet$" told ||
    bad "an interrupted bisection said: $(cat told)"

# A run that cannot be carried out is a row, not the end.
cat >broken.yaml <<'END'
study: 1
scene: slope.yaml
params: {bad: {list: [0, 0.3]}}
END
expect 1 "1 broken" "$cairn" sweep broken.yaml
grep -q '^2,.*,broken,' broken.csv || bad "the broken run is not in the table"
grep -q "error" broken.runs/run-000002.log || bad "its log does not say why"

# Studies that make no sense.
study() { printf 'study: 1\nscene: slope.yaml\n%s\n' "$1" >bad.yaml; }
study 'params: {nu: {list: [1]}}'
expect 3 "unknown param 'nu'" "$cairn" sweep bad.yaml
study 'params: {mu: {lists: [1]}}'
expect 3 "did you mean 'list'" "$cairn" sweep bad.yaml
study 'params: {mu: {bisect: {from: 0, to: 1, tolerance: 0.1}}}'
expect 3 "nothing says what failure is" "$cairn" sweep bad.yaml
study 'params: {mu: {range: {from: 1, to: 1, count: 3}}}'
expect 3 "choose two different ends" "$cairn" sweep bad.yaml
study 'params: {mu: {list: [0.1, 0.2]}, angle: {list: [0.1]}}
combine: together'
expect 3 "lists of equal length" "$cairn" sweep bad.yaml
study 'params: {mu: {range: {from: 0, to: 1, count: 1000000}}, angle: {range: {from: 0, to: 1, count: 9}}}'
expect 3 "split the study" "$cairn" sweep bad.yaml
study 'params: {}'
expect 3 "at least one param" "$cairn" sweep bad.yaml
study 'params: {mu: {list: [0.1]}}
report: {x: nothing.x}'
expect 3 "no series 'nothing.x'" "$cairn" sweep bad.yaml
[ ! -e bad.csv ] || bad "a study that makes no sense leaves a table"
: >bad.yaml
expect 3 "empty" "$cairn" sweep bad.yaml -o none.csv
expect 4 "no-such.yaml" "$cairn" sweep no-such.yaml
# Incremental dynamic analysis: a block of 0.2 x 0.8 m under four rectangular pulses, each scaled until it falls.
# The capacities are those of validation case B03, their lognormal fit that of B46.
for d in 1:0.1 2:0.2 3:0.3 4:0.5; do
    awk -v d="${d#*:}" 'BEGIN { printf "t,a [g]\n0,1\n%.5f,1\n%.5f,0\n%.5f,0\n", d - 5e-5, d + 5e-5, d + 0.2 }' \
        >"pulse${d%:*}.csv"
done
cat >rocking.yaml <<'END'
cairn: 1
params: {pulse: 1, a: 0.4}
materials: {stone: {density: 2000}}
laws: {dry: {type: coulomb, friction: 2}}
contacts: [{between: [any, any], law: dry}]
bodies:
  ground: {shape: {half_plane: {}}, fixed: true}
  block: {shape: {box: [0.2, 0.8]}, at: [0, 0.4], material: stone}
stages:
  - step: 1e-3
    duration: 2.0
    drive:
      ground:
        acceleration:
          x: {record: {file: [pulse1.csv, pulse2.csv, pulse3.csv, pulse4.csv], number: "=pulse", scale: "=a"}}
    stop_when: {turned: {group: block, more_than: 0.6}}
END
cat >ida.yaml <<'END'
study: 1
scene: rocking.yaml
params: {pulse: [1, 2, 3, 4], a: {bisect: {from: 0.25, to: 0.8, tolerance: 4e-3}}}
fails_when: stopped
fragility: a
END
expect 0 "of 4 capacities" "$cairn" sweep ida.yaml -j 2
awk '/begins to fail between/ { gsub(/[:a-z=]/, " "); c[++n] = 0.5*($2 + $3) }
     /fragility: median/ { m = $3 + 0; b = $10 + 0 }
     END { split("0.727887 0.438678 0.347883 0.284115", want)
           for (k = 1; k <= 4; k++) if (n != 4 || c[k] > 1.01*want[k] || c[k] < 0.99*want[k]) exit 1
           exit !(m > 0.99*0.421487 && m < 1.01*0.421487 && b > 0.98*0.405174 && b < 1.02*0.405174) }' out ||
    bad "capacities and fragility of a rocking block: $(cat out)"
[ -s ida.fragility.svg ] && head -n 1 ida.fragility.csv | grep -q . || bad "no fragility curve"
sed 's/number: "=pulse"/number: 5/' rocking.yaml >five.yaml
expect 3 "number 5 of a record that has 4 files" "$cairn" check five.yaml

# At given intensities, where outcomes do not overlap nothing can be fitted.
printf 'study: 1\nscene: rocking.yaml\nparams: {a: [0.3, 0.9]}\nfails_when: stopped\nfragility: a\n' >apart.yaml
expect 3 "do not overlap" "$cairn" sweep apart.yaml
sed 's/fragility: a/fragility: pulse/' apart.yaml >no_param.yaml
expect 3 "'pulse' is not a param of this study" "$cairn" sweep no_param.yaml
sed 's/fragility: a/fragility: pulse/' ida.yaml >other.yaml
expect 3 "'a' is bisected: the fragility is over that one" "$cairn" sweep other.yaml
sed '/fails_when/d' apart.yaml >no_failure.yaml
expect 3 "a fragility needs 'fails_when'" "$cairn" sweep no_failure.yaml
finish
