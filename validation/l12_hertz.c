// validation/l12_hertz.c -- L12, L13: contacts whose force is not linear: Hertz, and crushing.
//
// Question: how deep, how hard and how long do two steel balls meet, and what does a contact that
// is crushed give back? Reference: Hertz's closed forms and his integral of the contact time,
// 2.943275 d/v; quarter periods of two springs. Source: Hertz 1882, Mindlin 1949; Walton and Braun
// 1986; derived.
#include <math.h>

#include "builders.h"
#include "table.h"

static const double R = 10e-3;

static cn_trial begin_balls(cn_book *book)
{
    cn_law_def law = cn_law_default("hertz");
    cn_law_set(&law, "young", 210e9, NULL);
    cn_law_set(&law, "poisson", 0.3, NULL);
    cn_law_set(&law, "friction", 0.5, NULL);
    cn_law_set_word(&law, "tangential", "mindlin", NULL);
    cn_world_def def = cn_trial_def();
    cn_place place = cn_place_along_axes(0.0);
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin_at(book, &def, &place);
    cn_trial_law(&t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    return t;
}

static cn_body_id add_ball(cn_trial *t, double y, double v, unsigned fixed)
{
    return cn_build_disk(
        t, R,
        (cn_body_def){.density = 7800.0, .at = {0.0, y}, .velocity = {0.0, v}, .fixed = fixed});
}

typedef struct impact {
    double deepest, force, duration, restitution;
    double slowed; // speed of approach after 16 us [m/s]
} impact;

static impact meet(cn_book *book, double h)
{
    cn_trial t = begin_balls(book);
    cn_body_id a = add_ball(&t, -R, 0.5, 0), b = add_ball(&t, R, -0.5, 0);
    impact x = {0};
    double before = 0.0;
    for (int n = 0; n * h < 80e-6 && cn_trial_step(&t, h); n++) {
        double y = cn_trial_state(&t, b).position[1] - cn_trial_state(&t, a).position[1];
        double depth = 2.0 * R - y;
        x.deepest = fmax(x.deepest, depth);
        x.force = fmax(x.force, cn_trial_push(&t, a, b).y / h);
        if (before > 0.0 && depth <= 0.0) { // where the line between two steps is zero
            x.duration = h * (n + before / (before - depth));
        }
        before = depth;
        if (n + 1 == lround(16e-6 / h)) {
            x.slowed = cn_trial_state(&t, a).velocity[1] - cn_trial_state(&t, b).velocity[1];
        }
    }
    x.restitution = cn_trial_state(&t, b).velocity[1] - cn_trial_state(&t, a).velocity[1];
    cn_trial_end(&t);
    return x;
}

static void push(cn_trial *t, cn_body_id id, double x, double y, double force)
{
    cn_force_def load = {.body = id, .direction = {x, y, 0.0}, .f = cn_constant(force), .t0 = NAN};
    cn_error err;
    cn_trial_ok(t, cn_force_add(t->world, &load, &err), &err);
}

// A ball pressed on a held one by 1000 N, at rest, and what gives when 1 N is added along both.
static void press(cn_book *book)
{
    cn_trial t = begin_balls(book);
    cn_error err;
    const unsigned way = 1u << CN_DOF_X | 1u << CN_DOF_Y;
    cn_trial_ok(&t, cn_world_set_scheme(t.world, 1.0, 0.0, &err), &err); // springs settle
    add_ball(&t, -R, 0.0, CN_FIXED_ALL);
    cn_body_id ball = add_ball(&t, R, 0.0, CN_FIXED_ALL & ~way);
    push(&t, ball, 0.0, -1.0, 1000.0);
    cn_trial_run(&t, 1e-4, 200);
    double y = cn_trial_state(&t, ball).position[1];
    cn_check_rel(book, "approach under 1000 N [um]", 1e6 * (R - y), 20.368181, 2e-3);
    push(&t, ball, 0.0, -1.0, 1.0);
    push(&t, ball, 1.0, 0.0, 1.0);
    cn_trial_run(&t, 1e-4, 200);
    cn_body_state s = cn_trial_state(&t, ball);
    cn_check_rel(book, "give along the surface over that across it",
                 s.position[0] / (y - s.position[1]), 1.0 / 0.823529, 2e-3);
    cn_trial_end(&t);
}

void cn_case_L12(cn_book *book)
{
    impact x = meet(book, 0.2e-6), coarse = meet(book, 1.6e-6), fine = meet(book, 0.8e-6);
    impact finer = meet(book, 0.4e-6);
    cn_check_rel(book, "largest approach [um]", 1e6 * x.deepest, 20.389033, 2e-3);
    cn_check_rel(book, "largest force [N]", x.force, 1001.536, 2e-3);
    cn_check_rel(book, "contact time [us]", 1e6 * x.duration, 60.010532, 5e-3);
    cn_check(book, "restitution", x.restitution, 1.0, 1e-3);
    double change = coarse.slowed - fine.slowed, finer_change = fine.slowed - finer.slowed;
    cn_check_least(book, "order of the speed after 16 us", log2(fabs(change / finer_change)), 1.8);
    press(book);
}

void cn_case_L13(cn_book *book)
{
    const double h = 1e-5, r = 0.1;
    cn_law_def law = cn_law_default("crush");
    cn_law_set(&law, "stiffness", 1e5, NULL);
    cn_law_set(&law, "stiffness_unloading", 4e5, NULL);
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_law(&t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id disk = cn_build_disk(
        &t, r,
        (cn_body_def){.density = 1.0 / (CN_PI * r * r), .at = {0.0, r}, .velocity = {0.0, -1.0}});
    double deepest = 0.0, depth[2] = {0.0, 0.0}, force[2] = {0.0, 0.0}, middle = 0.0, before = 0.0;
    for (int n = 0; n < 900 && cn_trial_step(&t, h); n++) {
        double now = r - cn_trial_state(&t, disk).position[1];
        double F = cn_trial_impulse(&t, disk, &(int){0}).y / h;
        deepest = fmax(deepest, now);
        if (F > 0.0) { // of the means of two steps, the last ones with a force
            depth[0] = depth[1];
            force[0] = force[1];
            depth[1] = 0.5 * (before + now);
            force[1] = F;
            middle = h * (n + 0.5);
        }
        before = now;
    }
    // Where the line through both has no force left.
    double more = force[1] / (force[0] - force[1]);
    const cn_ledger *ledger = cn_world_view(t.world).ledger;
    cn_check_rel(book, "restitution", cn_trial_state(&t, disk).velocity[1], 0.5, 2e-3);
    cn_check_rel(book, "deepest [mm]", 1e3 * deepest, 3.162278, 2e-3);
    cn_check_rel(book, "left behind [mm]", 1e3 * (depth[1] + more * (depth[1] - depth[0])),
                 2.371708, 2e-3);
    cn_check_rel(book, "contact time [ms]", 1e3 * (middle + more * h), 7.450941, 2e-3);
    cn_check_rel(book, "crushing [J]", ledger->total[CN_ENERGY_PLASTIC], 0.375, 2e-3);
    cn_trial_end(&t);
}
