// validation/l21_friction.c -- L21: a block on a spring whose friction falls as it slides.
//
// Question: does a block stick and slip as on paper if friction falls at once, and does it creep or
// jerk, by the stiffness of the spring, if it falls over a distance? Reference: half a period of
// the spring; k D = (mu_s - mu_d) N; and a block on a floor with a grain: the ellipse. Source:
// derived.
#include <math.h>

#include "builders.h"
#include "table.h"

static const double MASS = 2.0, STATIC = 0.6, SLIDING = 0.4, H = 1e-4;

typedef struct sledge {
    cn_trial trial;
    cn_body_id block, grip;
    double stiffness, start; // of the spring [N/m], its stretch at the start [m]
} sledge;

// The block is pulled at a speed, and the spring nearly makes it slide already.
static sledge make_sledge(cn_book *book, double stiffness, double slip_distance, double v)
{
    cn_law_def law = cn_law_default("sliding");
    cn_law_set(&law, "friction", SLIDING, NULL);
    cn_law_set(&law, "friction_static", STATIC, NULL);
    cn_law_set(&law, "slip_distance", slip_distance, NULL);
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    sledge s = {.trial = cn_trial_begin(book, &def),
                .stiffness = stiffness,
                .start = 0.9999 * STATIC * MASS * CN_G / stiffness};
    cn_trial_law(&s.trial, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    cn_build_plane(&s.trial, (cn_body_def){.fixed = CN_FIXED_ALL});
    s.block =
        cn_build_box(&s.trial, 0.2, 0.1,
                     (cn_body_def){.mass = MASS, .at = {0.0, 0.05}, .fixed = 1u << CN_DOF_RZ});
    s.grip = cn_build_box(&s.trial, 0.2, 0.1,
                          (cn_body_def){.mass = 1.0, .at = {1.0, 0.3}, .fixed = CN_FIXED_ALL});
    cn_joint_def spring = {.kind = CN_JOINT_ROD,
                           .body = s.block,
                           .other = s.grip,
                           .at = {0.0, 0.05},
                           .to = {1.0, 0.05},
                           .length = 1.0 - s.start,
                           .stiffness = stiffness};
    cn_error err;
    cn_trial_join(&s.trial, &spring);
    cn_drive_def drive = {
        .body = s.grip, .kind = CN_DRIVE_VELOCITY, .dof = CN_DOF_X, .f = {.c = v}, .t0 = NAN};
    cn_trial_ok(&s.trial, cn_drive_add(s.trial.world, &drive, &err), &err);
    return s;
}

static double speed(const sledge *s)
{
    return cn_trial_state(&s->trial, s->block).velocity[0];
}

static double force(const sledge *s)
{
    double way = cn_trial_state(&s->trial, s->grip).position[0] - 1.0 -
                 cn_trial_state(&s->trial, s->block).position[0];
    return s->stiffness * (s->start + way);
}

static void check_stick_slip(cn_book *book)
{
    sledge s = make_sledge(book, 500.0, 0.0, 1e-4);
    double most = 0.0, before = 0.0, began = 0.0, ended = 0.0, top = 0.0;
    for (int n = 1; n <= 4000 && ended == 0.0 && cn_trial_step(&s.trial, H); n++) {
        bool is_slipping = speed(&s) > 1e-5; // a tenth of that of the grip
        before = fmax(before, force(&s));
        if (is_slipping && began == 0.0) {
            began = (n - 1) * H;
            most = before;
        }
        ended = !is_slipping && began > 0.0 ? n * H : 0.0;
        top = fmax(top, speed(&s));
    }
    cn_check_rel(book, "slip [m]", cn_trial_state(&s.trial, s.block).position[0], 15.696e-3, 5e-3);
    cn_check_rel(book, "duration [s]", ended - began, 0.198692, 5e-3);
    cn_check_rel(book, "top speed [m/s]", top, 0.124088, 5e-3);
    cn_check_rel(book, "force that begins it [N]", most, 11.772, 5e-3);
    cn_check_rel(book, "force that is left [N]", force(&s), 3.924, 5e-3);
    cn_trial_end(&s.trial);
}

// Largest speed over that of the grip while friction falls over 10 mm.
static double largest(cn_book *book, double stiffness)
{
    const double v = 1e-3;
    sledge s = make_sledge(book, stiffness, 10e-3, v);
    double top = 0.0;
    for (int n = 0; n < 6000 && cn_trial_step(&s.trial, 10.0 * H); n++) {
        top = fmax(top, speed(&s));
        if (cn_trial_state(&s.trial, s.block).position[0] > 10e-3) {
            break;
        }
    }
    cn_trial_end(&s.trial);
    return top / v;
}

// A block of 1 kg that is pulled on a floor with a grain along x: where it goes after 20 ms.
static cn_body_state pull_on_grain(cn_book *book, double angle, double force)
{
    const char *text = "{cairn: 1, dimension: 3, gravity: [0, 0, -9.81],\n"
                       "materials: {wood: {density: 1000}},\n"
                       "laws: {grain: {type: coulomb, friction: 0.6, friction_2: 0.3}},\n"
                       "contacts: [{between: [any, any], law: grain}],\n"
                       "bodies: {floor: {shape: {half_space: {}}, fixed: true},\n"
                       "  block: {shape: {box: [0.1, 0.1, 0.1]}, at: [0, 0, 0.05], material: wood,"
                       " fixed: [rx, ry, rz]}}, stages: [{step: 1e-3, duration: 0.02}]}\n";
    cn_error err;
    cn_solver_def solver = cn_trial_def().solver;
    solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin_scene(book, text, &solver);
    cn_body_id block = cn_world_view(t.world).id[1];
    cn_force_def push = {
        .body = block, .direction = {cos(angle), sin(angle), 0.0}, .f = {.c = force}, .t0 = NAN};
    cn_trial_ok(&t, cn_force_add(t.world, &push, &err), &err);
    cn_trial_run(&t, 1e-3, 20);
    cn_body_state s = cn_trial_state(&t, block);
    cn_trial_end(&t);
    return s;
}

static void check_ellipse(cn_book *book)
{
    static const struct {
        double angle, force, way; // [degrees, N, degrees]
    } at[] = {{0, 5.886, 0},
              {30, 4.449398, 66.586776},
              {45, 3.722633, 75.963757},
              {60, 3.264965, 81.786789},
              {90, 2.943, 90}};
    for (int k = 0; k < (int)(sizeof at / sizeof *at); k++) {
        double angle = cn_degrees(at[k].angle);
        cn_body_state held = pull_on_grain(book, angle, 0.9999 * at[k].force);
        cn_body_state slid = pull_on_grain(book, angle, 1.0001 * at[k].force);
        double speed = hypot(held.velocity[0], held.velocity[1]);
        cn_check(book, cn_name(book, "%g degrees: speed below the threshold", at[k].angle), speed,
                 0.0, 1e-9);
        cn_check(book, cn_name(book, "%g degrees: direction above it", at[k].angle),
                 atan2(slid.velocity[1], slid.velocity[0]) * 180.0 / CN_PI, at[k].way, 0.1);
    }
}

void cn_case_L21(cn_book *book)
{
    check_stick_slip(book);
    check_ellipse(book);
    double stiff = largest(book, 500.0), soft = largest(book, 300.0);
    cn_say(book, "speed over that of the grip: %.3g at 500 N/m, %.3g at 300 N/m", stiff, soft);
    cn_check_true(book, "500 N/m: it creeps (critical 392.4)", stiff < 20.0);
    cn_check_true(book, "300 N/m: it jerks", soft > 20.0);
}
