# output: {history: ...}: fewer rows, and the summary of all steps; nothing bad is hidden between rows.
. "$(dirname "$0")/common"
write_scene shake.yaml
sed -i 's/output: {every: 0.02}/solver: {sweep_max: 3, accuracy: 1e-6}\noutput: {every: 0.05, history: all}/' shake.yaml
for history in all 1 7 frames; do
    sed "s/history: all/history: $history/" shake.yaml >$history.yaml
    expect 6 "" "$cairn" run $history.yaml -q -o $history.h5
    "$cairn" plot $history.h5 step,residual,sweeps,step_friction,total_friction,nonconverged -o $history.csv >out 2>err ||
        bad "no curves: $(cat err)"
done
# 300 steps; every seventh and six frames, of which steps 0 has no row and none is a multiple of seven
# but step 0; frames alone.
same "rows of all" 301 "$(wc -l <all.csv)"
same "rows of 1" 301 "$(wc -l <1.csv)"
same "rows of 7" $((42 + 6 + 1)) "$(wc -l <7.csv)"
same "rows of frames" 7 "$(wc -l <frames.csv)"
for key in steps nonconverged_steps sweeps_total residual_max penetration_max_m energy_error contacts_max \
    painleve_steps state_hash energy_J; do
    for history in 1 7 frames; do
        same "$key with history $history" "$(info all.h5 $key)" "$(info $history.h5 $key)"
    done
done
[ "$(info all.h5 nonconverged_steps)" -gt 0 ] || bad "no step of this test misses what is asked"
# A row stands for the steps since the one before: sums and worst of them.
python3 - <<'END' || bad "rows do not stand for their steps"
import csv, math
def table(name):
    return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(open(name))]
every = table("all.csv")
for name in ("7.csv", "frames.csv"):
    at = 0
    for row in table(name):
        part = [r for r in every if at < r["step"] <= row["step"]]
        assert row["residual"] == max(r["residual"] for r in part)
        assert row["sweeps"] == sum(r["sweeps"] for r in part)
        assert row["nonconverged"] == sum(r["nonconverged"] for r in part)
        assert row["total_friction"] == part[-1]["total_friction"]
        assert math.isclose(row["step_friction"], sum(r["step_friction"] for r in part), rel_tol=1e-12, abs_tol=1e-15)
        at = row["step"]
    assert at == 300
END
# Stopped and continued, the rows are the same.
expect 6 "" "$cairn" run 7.yaml -q -o parts.h5 --until 0.15
expect 6 "" "$cairn" run 7.yaml -q -o parts.h5 --restart parts.ckpt.h5
"$cairn" plot parts.h5 step,residual,sweeps,step_friction,total_friction,nonconverged -o parts.csv >out 2>err
cmp -s parts.csv 7.csv || bad "the thinned history of a continued run differs"
for wrong in 0 -3 2.5 some; do
    sed "s/history: all/history: $wrong/" shake.yaml >wrong.yaml
    refuse_scene "history" wrong.yaml
done
# Contacts of every third frame and of the last one, numbers rounded: the run is the same.
sed "s/history: all/contacts: 3, precision: reduced/" shake.yaml >small.yaml
expect 6 "" "$cairn" run small.yaml -q -o small.h5
same "state hash with fewer contacts" "$(info all.h5 state_hash)" "$(info small.h5 state_hash)"
for frame in 0 1 2 3 4 5 6; do
    case $frame in
    1 | 2 | 4 | 5) expect 3 "frame $frame of small.h5 was written without its contacts" "$cairn" patches small.h5 --frame $frame ;;
    3 | 6) expect 0 "" "$cairn" patches small.h5 --frame $frame ;;
    esac
done
expect 5 "frame 1: only one result has the contacts" "$cairn" compare all.h5 small.h5
for wrong in 0 2.5 some; do
    sed "s/history: all/contacts: $wrong/" shake.yaml >wrong.yaml
    refuse_scene "contacts" wrong.yaml
done
finish
