// validation/l15_ropes.c -- L15, L18: ropes around a disk, cables that hold.
//
// Question: does a row of beads slip around a disk as Euler and Eytelwein say, and do cables bear
// what statics says, and break beyond? Reference: the discrete form, derived. Source:
// Euler-Eytelwein; statics.
#include <math.h>

#include "builders.h"
#include "table.h"

// ---- L15

typedef struct rope {
    cn_trial trial;
    cn_body_id last;
} rope;

// N beads joined by rods around a fixed disk, each of which turns the rope by the same angle; the
// first one is held back by T1, the last one pulled by a force that grows from T1 by `rate` [N/s].
static rope make_rope(cn_book *book, double mu, double turn, int beads, double T1, double rate)
{
    const double R = 1.0, r = 1e-3, part = turn / beads;
    const double time[2] = {0.0, 10.0}, force[2] = {T1, T1 + 10.0 * rate};
    cn_world_def def = cn_trial_def();
    cn_error err;
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    rope x = {.trial = cn_trial_begin(book, &def)};
    cn_trial_coulomb(&x.trial, mu, 0.0);
    cn_build_disk(&x.trial, R, (cn_body_def){.fixed = CN_FIXED_ALL});
    cn_body_id first = 0, before = 0;
    for (int k = 0; k < beads; k++) {
        double a = -(k + 0.5) * part; // clockwise
        cn_body_def bead = {
            .mass = 1e-2, .at = {(R + r) * cos(a), (R + r) * sin(a)}, .fixed = 1u << CN_DOF_RZ};
        x.last = cn_build_disk(&x.trial, r, bead);
        first = k == 0 ? x.last : first;
        if (k > 0) {
            cn_joint_def rod = {.kind = CN_JOINT_ROD,
                                .body = x.last,
                                .other = before,
                                .at = {bead.at[0], bead.at[1]},
                                .to = {(R + r) * cos(a + part), (R + r) * sin(a + part)}};
            cn_trial_join(&x.trial, &rod);
        }
        before = x.last;
    }
    cn_force_def hold = {.body = first, .direction = {0.0, 1.0}, .f = {.c = T1}, .t0 = NAN};
    cn_force_def pull = {.body = x.last,
                         .direction = {-sin(turn), -cos(turn)},
                         .f = {.kind = CN_FUNCTION_TABLE, .count = 2, .time = time, .value = force},
                         .t0 = NAN};
    cn_trial_ok(&x.trial, cn_force_add(x.trial.world, &hold, &err), &err);
    cn_trial_ok(&x.trial, cn_force_add(x.trial.world, &pull, &err), &err);
    return x;
}

static void check_rope(cn_book *book, double mu, double turn, int beads, double reference)
{
    const double T1 = 100.0, rate = 100.0, h = 1e-3;
    rope x = make_rope(book, mu, turn, beads, T1, rate);
    double ratio = 1.0;
    for (int n = 0; n < 3000 && cn_trial_speed(&x.trial) < 1e-6; n++) {
        cn_trial_step(&x.trial, h);
        ratio = (T1 + rate * cn_world_view(x.trial.world).time) / T1;
    }
    cn_check_rel(book, cn_name(book, "mu %g, %d beads: ratio of tensions", mu, beads), ratio,
                 reference, 5e-3);
    cn_view v = cn_world_view(x.trial.world);
    double step = pow(reference, 1.0 / beads), worst = 0.0;
    for (int k = 1; k < v.joint_count; k++) {
        const double *p = v.joint[k].impulse, *q = v.joint[k - 1].impulse;
        worst = fmax(worst, fabs(hypot(p[0], p[1]) / hypot(q[0], q[1]) / step - 1.0));
    }
    cn_check(book, cn_name(book, "mu %g, %d beads: tensions are geometric", mu, beads), worst, 0.0,
             1e-2);
    cn_trial_end(&x.trial);
}

void cn_case_L15(cn_book *book)
{
    check_rope(book, 0.3, CN_PI, 18, 2.573057);
    check_rope(book, 0.3, CN_PI, 36, 2.568007);
    check_rope(book, 0.5, 0.5 * CN_PI, 9, 2.198776);
}

// ---- L18

// A disk on two others without friction, which a cable holds together: how fast it is after 0.2 s,
// and the force of the cable at first, over the weight of a disk.
static double pyramid(cn_book *book, double strength, double *force)
{
    const double R = 0.1, h = 1e-3;
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, 0.0);
    cn_build_plane(&t, (cn_body_def){.fixed = CN_FIXED_ALL});
    cn_body_id low[2];
    for (int k = 0; k < 2; k++) {
        low[k] = cn_build_disk(
            &t, R, (cn_body_def){.density = 1.0 / (CN_PI * R * R), .at = {k == 0 ? -R : R, R}});
    }
    cn_body_id top = cn_build_disk(
        &t, R, (cn_body_def){.density = 1.0 / (CN_PI * R * R), .at = {0.0, R + sqrt(3.0) * R}});
    cn_joint_def cable = {.kind = CN_JOINT_CABLE,
                          .body = low[0],
                          .other = low[1],
                          .at = {-R, R},
                          .to = {R, R},
                          .strength = strength * CN_G};
    cn_joint_id id = cn_trial_join(&t, &cable);
    cn_trial_run(&t, h, 1);
    *force = fabs(cn_trial_joint(&t, id).impulse[0]) / h / CN_G;
    cn_trial_run(&t, h, 199);
    double speed = fabs(cn_trial_state(&t, top).velocity[1]);
    cn_trial_end(&t);
    return speed;
}

// A block of 10 kN on a slope of 45 degrees, held by a horizontal cable: its speed after 0.2 s.
static double slope(cn_book *book, double strength)
{
    const double h = 1e-3, mass = 1e4 / CN_G, c = sqrt(0.5);
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.5, 0.0);
    cn_build_plane(&t, (cn_body_def){.angle = 0.25 * CN_PI, .fixed = CN_FIXED_ALL});
    cn_body_id block = cn_build_box(
        &t, 1.0, 0.4,
        (cn_body_def){.density = mass / 0.4, .at = {-0.2 * c, 0.2 * c}, .angle = 0.25 * CN_PI});
    // The cable acts where the resultant of weight and force goes through the foot: at the centre.
    cn_joint_def cable = {.kind = CN_JOINT_CABLE,
                          .body = block,
                          .at = {-0.2 * c, 0.2 * c},
                          .to = {5.0, 0.2 * c},
                          .strength = strength};
    cn_trial_join(&t, &cable);
    cn_trial_run(&t, h, 200);
    cn_body_state s = cn_trial_state(&t, block);
    cn_trial_end(&t);
    return hypot(s.velocity[0], s.velocity[1]);
}

void cn_case_L18(cn_book *book)
{
    double force;
    double held = pyramid(book, 0.30, &force), fallen = pyramid(book, 0.28, &force);
    cn_check_rel(book, "pyramid: force of the cable over W", force, 0.288675, 5e-3);
    cn_check(book, "pyramid: speed with 0.30 W", held, 0.0, 1e-9);
    cn_check_true(book, "pyramid: it falls with 0.28 W", fallen > 0.1);
    cn_check(book, "block: speed with 3400 N", slope(book, 3400.0), 0.0, 1e-9);
    cn_check_true(book, "block: it slides with 3300 N", slope(book, 3300.0) > 0.1);
}
