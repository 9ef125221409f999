// validation/l04_damage.c -- L04, L05, L09: damage that takes time, fracture in a few steps, and a
// joint that is bent.
//
// Question: does viscous damage follow its equation, does the energy of a fracture depend on the
// step, and does a joint of finite width turn and fail as a section does? Reference: the equation
// of damage, d beta/dt = -(beta c d^2 - w)+/b, by Runge-Kutta in 200 000 steps; the energy of the
// law; the section of a beam, b^3/12. Source: Monerie and Acary 2001; derived.
#include <math.h>

#include "builders.h"
#include "law_rig.h"
#include "table.h"

// L04: a joint of 1e12 Pa/m and 100 J/m2, opened to 60 um at the rate v.
typedef struct curve {
    double peak, at, work, beta; // [MPa, um, J/m2, -]
} curve;

// The largest of three equally spaced values and where it lies, by a parabola.
static void crest(const double y[3], double x, double dx, double *peak, double *at)
{
    double bend = y[0] - 2.0 * y[1] + y[2], slope = 0.5 * (y[2] - y[0]);
    double shift = bend < 0.0 ? -slope / bend : 0.0;
    *at = x + shift * dx;
    *peak = y[1] + 0.5 * slope * shift;
}

static curve open_joint(cn_book *book, double v, double viscosity, int steps)
{
    const double way = 60e-6, c = 1e12;
    cn_law_def law = cn_law_default("cohesive");
    cn_law_set(&law, "stiffness", c, NULL);
    cn_law_set(&law, "energy", 100.0, NULL);
    cn_law_set(&law, "viscosity", viscosity, NULL);
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_law(&t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    cn_law_rig rig = {0};
    cn_error err;
    cn_trial_ok(&t, cn_law_rig_add(t.world, 0.0, (double[2]){0.0, v}, &rig, &err), &err);
    curve x = {0};
    double T[3] = {0.0, 0.0, 0.0}, dx = 1e6 * way / steps;
    for (int n = 1; n <= steps && cn_trial_step(&t, way / v / steps); n++) {
        double opening = cn_law_rig_state(&rig, "opening");
        double secant = 1.0 - cn_law_rig_state(&rig, "damage"); // beta^2
        x.beta = sqrt(secant);
        T[0] = T[1];
        T[1] = T[2];
        T[2] = 1e-6 * secant * c * opening;
        if (T[1] >= T[0] && T[1] > T[2]) {
            crest(T, dx * (n - 1), dx, &x.peak, &x.at);
        }
    }
    const cn_ledger *ledger = cn_world_view(t.world).ledger;
    x.work = -ledger->total[CN_ENERGY_DRIVE];
    cn_trial_end(&t);
    return x;
}

void cn_case_L04(cn_book *book)
{
    static const struct {
        double v, viscosity;
        curve exact;
    } row[] = {
        {1e-3, 0.1, {10.132600, 10.2744, 105.87097, 0.027804}},
        {1e-3, 1.0, {11.079535, 12.0750, 150.05408, 0.028041}},
        {1e-2, 1.0, {15.489835, 19.2633, 370.17261, 0.032219}},
    };
    for (int k = 0; k < 3; k++) {
        double v = row[k].v, b = row[k].viscosity;
        curve x = open_joint(book, v, b, 600), fine = open_joint(book, v, b, 1200);
        const curve *exact = &row[k].exact;
        const char *name = cn_name(book, "%g m/s, %g J s/m2", v, b);
        char start[64];
        snprintf(start, sizeof start, "%s", name);
        cn_check_rel(book, cn_name(book, "%s: peak [MPa]", start), x.peak, exact->peak, 5e-3);
        cn_check_rel(book, cn_name(book, "%s: opening there [um]", start), x.at, exact->at, 5e-3);
        cn_check_rel(book, cn_name(book, "%s: work [J/m2]", start), x.work, exact->work, 5e-3);
        cn_check_rel(book, cn_name(book, "%s: beta at last", start), x.beta, exact->beta, 5e-3);
        double order = log2(fabs(x.work - exact->work) / fabs(fine.work - exact->work));
        cn_check_least(book, cn_name(book, "%s: order of the work", start), order, 1.0);
    }
}

// L05: a mass of 1 kg on a zone of 10 J, drawn by a spring whose end moves at 0.5 m/s.
typedef struct draw {
    cn_trial trial;
    cn_body_id grip;
} draw;

static draw begin_draw(cn_book *book)
{
    static const double time[4] = {0.0, 0.05, 0.0500001, 1.0};
    static const double speed[4] = {0.5, 0.5, -0.5, -0.5};
    cn_law_def law = cn_law_default("cohesive");
    cn_law_set_word(&law, "shape", "linear", NULL);
    cn_law_set(&law, "stiffness", 1e6, NULL);
    cn_law_set(&law, "strength", 2236.068, NULL);
    cn_law_set(&law, "energy", 10.0, NULL);
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    draw d = {.trial = cn_trial_begin(book, &def)};
    cn_trial *t = &d.trial;
    cn_trial_law(t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    cn_build_box(t, 1.0, 1.0,
                 (cn_body_def){.density = 1.0, .at = {0.0, -0.5}, .fixed = CN_FIXED_ALL});
    cn_body_id mass = cn_build_box(t, 1.0, 1.0, (cn_body_def){.density = 1.0, .at = {0.0, 0.5}});
    d.grip = cn_build_box(t, 1.0, 1.0, (cn_body_def){.density = 1.0, .at = {0.0, 5.0}});
    cn_joint_def spring = {.kind = CN_JOINT_ROD,
                           .body = mass,
                           .other = d.grip,
                           .at = {0.0, 0.5, 0.0},
                           .to = {0.0, 5.0, 0.0},
                           .stiffness = 3e5};
    cn_trial_join(t, &spring);
    for (int dof = 0; dof < 3 && !t->is_broken; dof++) {
        cn_drive_def drive = {.body = d.grip,
                              .kind = CN_DRIVE_VELOCITY,
                              .dof = dof == 2 ? CN_DOF_RZ : (cn_dof)dof,
                              .t0 = NAN};
        if (dof == 1) {
            drive.f =
                (cn_function){.kind = CN_FUNCTION_TABLE, .count = 4, .time = time, .value = speed};
        }
        cn_error err;
        cn_trial_ok(t, cn_drive_add(t->world, &drive, &err), &err);
    }
    return d;
}

static void check_draw(cn_book *book, int steps_per_period, double extra_most)
{
    const double h = 2.0 * CN_PI / sqrt(1.3e6) / steps_per_period;
    draw d = begin_draw(book);
    const cn_ledger *ledger = cn_world_view(d.trial.world).ledger;
    int solves = 0, steps = 0;
    while (steps * h < 0.06 && cn_trial_step(&d.trial, h)) {
        const cn_certificate *c = cn_world_view(d.trial.world).certificate;
        solves += 1 + c->repeat_count[CN_REPEAT_LAWS];
        steps++;
    }
    double fracture = ledger->total[CN_ENERGY_FRACTURE], extra = ledger->total[CN_ENERGY_THETA];
    cn_check_rel(book, cn_name(book, "T0/%d: fracture [J]", steps_per_period), fracture, 10.0,
                 1e-9);
    cn_check(book, cn_name(book, "T0/%d: taken besides, over 10 J", steps_per_period),
             0.1 * fabs(extra), 0.0, extra_most);
    cn_check(book, cn_name(book, "T0/%d: solves per step beyond 1", steps_per_period),
             (double)solves / steps - 1.0, 0.0, 1.0);
    cn_trial_end(&d.trial);
}

void cn_case_L05(cn_book *book)
{
    check_draw(book, 8, 0.06);
    check_draw(book, 32, 0.004);
    check_draw(book, 128, 0.0004);
    check_draw(book, 512, 0.0001);
}

// L09: a block of 0.4 m on its equal under a moment, K = 1e10 Pa/m.
static const double WIDTH = 0.4, K = 1e10, STRENGTH = 1e5;

typedef struct bent {
    cn_trial trial;
    cn_body_id block;
} bent;

static bent begin_bent(cn_book *book, const cn_law_def *law, double eps_v)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0; // comes to rest
    def.solver.method = CN_METHOD_AUTO;
    def.solver.eps_v = def.solver.tol = eps_v;
    bent x = {.trial = cn_trial_begin(book, &def)};
    cn_trial_law(&x.trial, CN_GROUP_ANY, CN_GROUP_ANY, law);
    cn_build_box(
        &x.trial, WIDTH, WIDTH,
        (cn_body_def){.density = 1000.0, .at = {0.0, -0.5 * WIDTH}, .fixed = CN_FIXED_ALL});
    x.block = cn_build_box(&x.trial, WIDTH, WIDTH,
                           (cn_body_def){.density = 1000.0, .at = {0.0, 0.5 * WIDTH}});
    return x;
}

// In the middle of the joint, so that it has no arm when the block turns.
static void press(bent *x, double force)
{
    cn_force_def def = {.body = x->block,
                        .direction = {0.0, -1.0, 0.0},
                        .point = {0.0, -0.5 * WIDTH, 0.0},
                        .f = cn_constant(force),
                        .t0 = NAN};
    cn_error err;
    cn_trial_ok(&x->trial, cn_force_add(x->trial.world, &def, &err), &err);
}

static void turn(bent *x, double first, double rate)
{
    static const double time[2] = {0.0, 10.0};
    const double value[2] = {first, first + 10.0 * rate};
    cn_force_def moment = {
        .body = x->block,
        .is_torque = true,
        .f = {.kind = CN_FUNCTION_TABLE, .count = 2, .time = time, .value = value},
        .t0 = NAN};
    cn_error err;
    cn_trial_ok(&x->trial, cn_force_add(x->trial.world, &moment, &err), &err);
}

static double turn_at_rest(cn_book *book, const cn_law_def *law, double pressing, double M)
{
    bent x = begin_bent(book, law, 1e-13); // turns of 1e-6, to 1e-9 of them
    turn(&x, M, 0.0);
    press(&x, pressing);
    cn_trial_run(&x.trial, 1e-3, 400);
    double angle = cn_trial_state(&x.trial, x.block).angle;
    cn_trial_end(&x.trial);
    return angle;
}

// Turn over moment of a small moment: what grows with the angle is taken off by a second one.
static double flexibility(cn_book *book, const cn_law_def *law, double pressing)
{
    const double M = 100.0;
    return (2.0 * turn_at_rest(book, law, pressing, M) -
            0.5 * turn_at_rest(book, law, pressing, 2.0 * M)) /
           M;
}

// Largest damage of the points; 1 if none is left.
static double damage_of(const bent *x)
{
    cn_view view = cn_world_view(x->trial.world);
    double most = view.contact_count > 0 ? 0.0 : 1.0;
    for (int a = 0; a < view.contact_count; a++) {
        most = fmax(most, view.state[view.state_start[a] + 1]);
    }
    return most;
}

static double moment_at_failure(cn_book *book, const cn_law_def *law, double expected)
{
    const double h = 1e-3, rate = expected; // in increments of a thousandth
    bent x = begin_bent(book, law, 1e-10);
    turn(&x, 0.0, rate);
    int n = 0;
    while (n < 3000 && (n < 2 || damage_of(&x) == 0.0) && cn_trial_step(&x.trial, h)) {
        n++;
    }
    cn_trial_end(&x.trial);
    return rate * h * n;
}

void cn_case_L09(cn_book *book)
{
    const double section = WIDTH * WIDTH * WIDTH / 12.0;
    cn_law_def pressed = cn_law_default("compliant"), held = cn_law_default("cohesive");
    cn_law_set(&pressed, "stiffness", K, NULL);
    cn_law_set(&pressed, "friction", 0.6, NULL);
    cn_law_set_word(&held, "shape", "linear", NULL);
    cn_law_set(&held, "stiffness", K, NULL);
    cn_law_set(&held, "strength", STRENGTH, NULL);
    cn_law_set(&held, "energy", 0.51, NULL); // of which 0.5 are stored at the peak: brittle
    cn_law_def layer = held;                 // that gives where it is pressed, too
    cn_law_set_word(&layer, "pressed", "elastic", NULL);
    cn_check_rel(book, "pressed joint: turn over moment [rad/(N m)]",
                 flexibility(book, &pressed, 1e4), 1.0 / (K * section), 1e-9);
    double bonded = flexibility(book, &held, 0.0);
    cn_check_rel(book, "bonded layer: turn over moment [rad/(N m)]", flexibility(book, &layer, 0.0),
                 1.875e-8, 1e-9);
    cn_check_rel(book, "faces that do not give: turn over moment, about their edge", bonded,
                 0.25 / (K * section), 1e-9);
    cn_check_rel(book, "bonded layer: first failure [N m]",
                 moment_at_failure(book, &layer, 2666.667), 2666.667, 1e-3);
    cn_check_rel(book, "faces that do not give: first failure, about their edge",
                 moment_at_failure(book, &held, 5333.333), 5333.333, 1e-3);
}
