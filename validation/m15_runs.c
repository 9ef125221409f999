// validation/m15_runs.c -- M15 to M18, M20, M21: models of LMGC90 with wires, cracks, meshes, a
// cell.
//
// Question: do they behave as in LMGC90, and as on paper? References: a brick of 23.76 kg on a
// cable of 5000/0.07 N/m keeps its amplitude at theta = 1/2, and at theta = 1 loses it at the rate
// w^2 h/2 (M15); blocks sheared under 100 kN by a law whose formula gives the peak (M16); weights
// and sums of normal forces of meshes (M17, M18); grains on bonded blocks that rest (M20); a
// deposit in a periodic cell (M21). Source: derived here; LMGC90 3.0.0, its own examples
// (tests/data/lmgc90).
#include "import_rig.h"
#include "table.h"

#include <math.h>

// ---- M15

typedef struct swing {
    double frequency, mean;     // [rad/s], [m]
    double first_low, last_low; // least values in the first and in the last tenth of the time [m]
} swing;

// Of a column that swings about its mean: crossings upwards, and what it reaches.
static swing swing_of(cn_column time, cn_column y)
{
    swing s = {.first_low = 0.0, .last_low = 0.0};
    double first = NAN, last = NAN, low = 0.0, high = -INFINITY, end = time.value[time.count - 1];
    int count = 0;
    for (int64_t n = 0; n < y.count; n++) {
        double part = time.value[n] / end;
        low = fmin(low, y.value[n]);
        high = part > 0.9 ? fmax(high, y.value[n]) : high;
        s.first_low = part < 0.15 ? fmin(s.first_low, y.value[n]) : s.first_low;
        s.last_low = part > 0.9 ? fmin(s.last_low, y.value[n]) : s.last_low;
    }
    s.mean = 0.5 * (s.last_low + high);
    for (int64_t n = 1; n < y.count; n++) {
        double before = y.value[n - 1] - s.mean, now = y.value[n] - s.mean;
        if (before < 0.0 && now >= 0.0) {
            double h = time.value[n] - time.value[n - 1];
            last = time.value[n] - h * now / (now - before);
            first = count++ == 0 ? last : first;
        }
    }
    s.frequency = 2.0 * CN_PI * (count - 1) / (last - first);
    return s;
}

static swing run_brick(cn_book *book, double theta)
{
    cn_import_trial m = cn_import_trial_begin(book, "wires_2d");
    m.set.theta = theta;
    cn_import_trial_import(&m);
    cn_import_trial_add(&m, "observe: [{name: brick, track: b1}]\n");
    swing s = {NAN, NAN, NAN, NAN};
    if (cn_import_trial_run(&m, INFINITY)) {
        s = swing_of(cn_import_trial_column(&m, "time"),
                     cn_import_trial_column(&m, "series/brick.y"));
    }
    cn_import_trial_close(&m);
    return s;
}

void cn_case_M15(cn_book *book)
{
    const double h = 1e-3, stiffness = 5000.0 / 0.07, mass = 23.76, g = 9.81;
    const double w = sqrt(stiffness / mass), stretch = mass * g / stiffness;
    swing kept = run_brick(book, 0.5), damped = run_brick(book, 1.0);
    cn_check_rel(book, "frequency in steps of 1 ms [rad/s]", kept.frequency,
                 2.0 / h * atan(0.5 * w * h), 1e-3);
    cn_check_rel(book, "mean stretch [m]", -kept.mean, stretch, 5e-3);
    double amplitude = (kept.last_low + stretch) / (kept.first_low + stretch);
    cn_check_least(book, "amplitude at 1 s over the first", amplitude, 0.99);
    // The lows lie at half a period, T/2, and at the last odd half within the second.
    double half = CN_PI / w, count = floor((1.0 / half - 1.0) / 2.0);
    double ratio = (damped.last_low + stretch) / (damped.first_low + stretch);
    cn_check_rel(book, "decay at theta = 1 [1/s]", -log(ratio) / (2.0 * count * half),
                 0.5 * w * w * h, 0.02);
}

// ---- M16

// Force of both joints slid by d: the exponential zone of 200 kPa and 100 J/m2 on 1 m2 each, and
// the friction of 100 kN that its damage frees.
static double joint_force(double d)
{
    const double stiffness = 1e11, strength = 2e5, energy = 100.0, friction = 0.73, normal = 1e5;
    const double onset = strength / stiffness;
    double decay = strength / (energy - 0.5 * strength * onset);
    double traction = d < onset ? stiffness * d : strength * exp(-decay * (d - onset));
    return 2.0 * (traction + friction * normal * (1.0 - traction / (stiffness * d)));
}

void cn_case_M16(cn_book *book)
{
    cn_import_trial m = cn_import_trial_made(book, "shear_czm");
    cn_import_trial_add(&m, "observe:\n  - {name: on4, resultant: {between: [b4, any]}}\n"
                            "  - {name: joint, resultant: {between: [b1, b2]}}\n");
    cn_import_trial_run(&m, INFINITY);
    cn_column time = cn_import_trial_column(&m, "time"),
              on4 = cn_import_trial_column(&m, "series/on4.fy"),
              pressed = cn_import_trial_column(&m, "series/joint.fx");
    double peak = 0.0, at = NAN, off = 0.0, wanted = 0.0,
           last = on4.count > 0 ? -on4.value[on4.count - 1] : NAN;
    for (int64_t n = 0; n < on4.count; n++) {
        at = -on4.value[n] > peak ? time.value[n] : at;
        peak = fmax(peak, -on4.value[n]);
        off = fmax(off, fabs(fabs(pressed.value[n]) / 1e5 - 1.0));
    }
    for (int k = 1; k < 100000; k++) {
        wanted = fmax(wanted, joint_force(1e-9 * k));
    }
    cn_check_rel(book, "peak of the law's formula [N]", peak, wanted, 1e-3);
    cn_check_rel(book, "peak [N]", peak, 507280.0, 0.03);
    cn_open(book, "the law's own formula has its peak there, 5.5 ms before LMGC90's");
    cn_check(book, "time of the peak [s]", at, 0.175, 0.005);
    cn_check_rel(book, "force at 0.6 s [N]", last, 307310.0, 0.05);
    cn_check(book, "normal force of a joint over 100 kN, less 1", off, 0.0, 1e-6);
    cn_import_trial_close(&m);
}

// ---- M17, M18

// Mean over the frames of the second half of the sum of normal forces [N].
static double mean_sum(const cn_import_trial *m)
{
    double sum = 0.0;
    int count = 0, frames = m->reader != NULL ? cn_reader_summary(m->reader)->frames : 0;
    for (int k = frames / 2 + 1; k < frames; k++) {
        cn_frame frame;
        if (cn_reader_frame(m->reader, k, &frame, NULL) != CN_OK) {
            return NAN;
        }
        for (int a = 0; a < frame.contact_count; a++) {
            sum += frame.contact[a].r[0] / frame.h;
        }
        count++;
    }
    return sum / count;
}

static double mean_from(cn_column column, int64_t from)
{
    double sum = 0.0;
    for (int64_t n = from; n < column.count; n++) {
        sum += column.value[n];
    }
    return sum / (double)(column.count - from);
}

void cn_case_M17(cn_book *book)
{
    cn_open_ledger(book, "bricks that hardly move: the ledger closes to 1.2e-10 of what they have");
    cn_import_trial m = cn_import_trial_made(book, "bricks_q4");
    cn_import_trial_add(&m, "observe: [{name: bar, resultant: {between: [b1, any]}}]\n");
    cn_import_trial_run(&m, INFINITY);
    cn_column bar = cn_import_trial_column(&m, "series/bar.fy");
    cn_check_rel(book, "force on the bar, second half, the weight [N]",
                 -mean_from(bar, bar.count / 2), 351.0 * 9.81, 5e-3);
    cn_check_rel(book, "sum of normal forces at the end [N]", cn_import_trial_end_of(&m).force,
                 16921.0, 0.04);
    cn_check_rel(book, "its mean over the second half [N]", mean_sum(&m), 16830.0, 0.02);
    cn_open(book, "contact of chosen sides of meshes is not built: whole skins may touch");
    cn_check_true(book, "no contact between vertical and horizontal sides", false);
    cn_import_trial_close(&m);
}

// Mean height of the nodes of the lowest mesh of a frame [m].
static double lowest_mesh(const cn_import_trial *m, int index)
{
    cn_frame frame;
    double lowest = NAN;
    if (m->reader == NULL || cn_reader_frame(m->reader, index, &frame, NULL) != CN_OK) {
        return NAN;
    }
    for (int k = 0; k < frame.mesh_count; k++) {
        double sum = 0.0;
        for (int n = 0; n < frame.mesh[k].node_count; n++) {
            sum += frame.mesh[k].x[frame.dim * n + frame.dim - 1] / frame.mesh[k].node_count;
        }
        lowest = fmin(sum, lowest);
    }
    return lowest;
}

void cn_case_M18(cn_book *book)
{
    cn_import_trial m = cn_import_trial_made(book, "cubes_h8");
    cn_import_trial_run(&m, INFINITY);
    cn_import_trial_end end = cn_import_trial_end_of(&m);
    cn_check_rel(book, "contact force of the last step [N]", end.force, 27901.0, 1e-3);
    cn_check_rel(book, "mean kinetic energy [J]", end.kinetic_mean, 4.79e-3, 0.02);
    cn_check(book, "the lower cube has moved [m]", lowest_mesh(&m, -1) - lowest_mesh(&m, 0), 0.0,
             1e-6);
    cn_import_trial_close(&m);
}

// ---- M20, M21

// Largest way of the mean of the nodes of a mesh between the first and the last frame [m].
static double meshes_moved(const cn_import_trial *m)
{
    double mean[8] = {0.0}, moved = 0.0;
    for (int last = 0; last < 2; last++) {
        cn_frame frame;
        if (m->reader == NULL || cn_reader_frame(m->reader, -last, &frame, NULL) != CN_OK) {
            return NAN;
        }
        for (int k = 0; k < frame.mesh_count && k < 8; k++) {
            double sum = 0.0;
            for (int n = 0; n < frame.mesh[k].node_count; n++) {
                sum += frame.mesh[k].x[frame.dim * n + frame.dim - 1] / frame.mesh[k].node_count;
            }
            moved = last == 1 ? fmax(moved, fabs(sum - mean[k])) : moved;
            mean[k] = sum;
        }
    }
    return moved;
}

void cn_case_M20(cn_book *book)
{
    cn_import_trial m = cn_import_trial_made(book, "marble");
    cn_import_trial_run(&m, INFINITY);
    cn_import_trial_end end = cn_import_trial_end_of(&m);
    cn_check(book, "steps missed", m.missed, 0.0, 0.0);
    cn_check(book, "centre of the disks, x [m]", end.centre[0], 1.5443, 1e-3);
    cn_check(book, "centre of the disks, y [m]", end.centre[1], 0.8324, 1e-3);
    cn_check(book, "blocks have moved [m]", meshes_moved(&m), 0.0, 1e-3);
    cn_check(book, "kinetic energy [J]", end.kinetic, 0.0, 1e-9);
    cn_import_trial_close(&m);
}

void cn_case_M21(cn_book *book)
{
    cn_import_trial m = cn_import_trial_made(book, "depot_perio");
    cn_import_trial_run(&m, INFINITY);
    cn_import_trial_end end = cn_import_trial_end_of(&m);
    cn_check(book, "height of the mass centre [m]", end.centre[2], 3.679, 0.05);
    cn_check_rel(book, "mean kinetic energy [J]", end.kinetic_mean, 30979.0, 0.1);
    cn_frame frame;
    int outside = m.reader != NULL && cn_reader_frame(m.reader, -1, &frame, NULL) == CN_OK ? 0 : -1;
    for (int k = 0; outside >= 0 && k < frame.body_count; k++) {
        const double *q = frame.q + frame.q_size * k;
        outside += fabs(q[0] - 7.5) > 7.5 || fabs(q[1] - 7.5) > 7.5;
    }
    cn_check(book, "bodies outside the cell", outside, 0.0, 0.0);
    cn_import_trial_close(&m);
}
