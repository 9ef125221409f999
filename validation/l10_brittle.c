// validation/l10_brittle.c -- L10, A20: points with cohesion that break at once.
//
// Question: at which pull, shear, press and pressure in it does a brittle joint break or close,
// what is left, and does it bond again? Reference: tension cut-off and cap times area; shear
// c_t/c_n (N
// + c_n A), then mu N. Source: the law of Acary and Jean 2000 through Bagi; derived.
#include <math.h>

#include "builders.h"
#include "table.h"

// A body on a held one, which it can leave but not turn on; loads act at their joint.
typedef struct joint {
    cn_trial trial;
    cn_body_id body;
    double first, rate, since; // of the load that grows [N, N/s, s]
} joint;

static cn_law_def law_of(double cohesion, double shear, double tension, double area)
{
    cn_law_def law = cn_law_default("mohr");
    cn_law_set(&law, "cohesion", cohesion, NULL);
    cn_law_set(&law, "cohesion_tangential", shear, NULL);
    cn_law_set(&law, "tension", tension, NULL);
    cn_law_set(&law, "friction", 0.4, NULL);
    cn_law_set(&law, "area", area, NULL);
    return law;
}

// Along y from the joint at the origin; arm: from the mass centre of the body to the joint [m].
static void load(joint *j, cn_vec3 direction, double arm, double first, double rate)
{
    static const double time[2] = {0.0, 100.0};
    const double value[2] = {first, first + 100.0 * rate};
    cn_vec3 d = cn_place_out(&j->trial.place, direction);
    cn_vec3 at = cn_place_out(&j->trial.place, cn_v3(0.0, arm, 0.0));
    cn_force_def force = {
        .body = j->body,
        .direction = {d.x, d.y, d.z},
        .point = {at.x, at.y, at.z},
        .f = {.kind = CN_FUNCTION_TABLE, .count = 2, .time = time, .value = value},
        .t0 = NAN};
    cn_error err;
    cn_trial_ok(&j->trial, cn_force_add(j->trial.world, &force, &err), &err);
    if (rate > 0.0) {
        j->first = first;
        j->rate = rate;
        j->since = cn_world_view(j->trial.world).time;
    }
}

static double load_now(const joint *j)
{
    return j->first + j->rate * (cn_world_view(j->trial.world).time - j->since);
}

// Steps until the body moves; the mean load of the last one [N].
static double load_at_break(joint *j, double h, int most)
{
    for (int n = 0; n < most && cn_trial_speed(&j->trial) < 1e-6; n++) {
        cn_trial_run(&j->trial, h, 1);
    }
    return load_now(j) - 0.5 * h * j->rate;
}

// Resistance along x while it slides: what the load does not turn into acceleration [N].
static double resistance(joint *j, double h)
{
    cn_body_state before = cn_trial_state(&j->trial, j->body);
    double from = load_now(j);
    cn_trial_run(&j->trial, h, 10);
    cn_body_state after = cn_trial_state(&j->trial, j->body);
    double force = after.mass * (after.velocity[0] - before.velocity[0]) / (10.0 * h);
    return 0.5 * (from + load_now(j)) - force;
}

// L10: a cube of 0.1 m on another, whose joint has 0.01 m2.
static joint cube_on_cube_of(cn_book *book, const cn_law_def *law)
{
    cn_world_def def = cn_trial_def();
    cn_place place = cn_place_along_axes(0.1);
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    joint j = {.trial = cn_trial_begin_at(book, &def, &place)};
    const unsigned upright = 1u << CN_DOF_RX | 1u << CN_DOF_RY | 1u << CN_DOF_RZ;
    cn_trial_law(&j.trial, CN_GROUP_ANY, CN_GROUP_ANY, law);
    cn_build_box(&j.trial, 0.1, 0.1,
                 (cn_body_def){.density = 1000.0, .at = {0.0, -0.05}, .fixed = CN_FIXED_ALL});
    j.body = cn_build_box(&j.trial, 0.1, 0.1,
                          (cn_body_def){.density = 1000.0, .at = {0.0, 0.05}, .fixed = upright});
    return j;
}

static joint cube_on_cube(cn_book *book, double tension)
{
    cn_law_def law = law_of(1e5, 5e4, tension, 0.0);
    return cube_on_cube_of(book, &law);
}

// Least pressure in the joint that opens it under 50 N, by halving [Pa].
static double opening_pressure(cn_book *book, double h)
{
    cn_bracket p = {1.0e5, 1.1e5};
    while (p.high - p.low > 5.0) {
        cn_law_def law = law_of(1e5, 5e4, 0.0, 0.0);
        cn_law_set(&law, "pressure", cn_middle(p), NULL);
        joint j = cube_on_cube_of(book, &law);
        load(&j, cn_v3(0.0, -1.0, 0.0), -0.05, 50.0, 0.0);
        cn_trial_run(&j.trial, h, 1); // what opens lets the pressure out
        p = cn_halve(p, cn_trial_speed(&j.trial) >= 1e-6);
        cn_trial_end(&j.trial);
    }
    return cn_middle(p);
}

// Pressed beyond its cap.
static void check_crushing(cn_book *book, double h)
{
    cn_law_def law = law_of(1e5, 5e4, 6e4, 0.0);
    cn_law_set(&law, "crushing", 2e6, NULL);
    joint j = cube_on_cube_of(book, &law);
    load(&j, cn_v3(0.0, -1.0, 0.0), -0.05, 19800.0, 1000.0);
    cn_check(book, "press that closes it [N]", load_at_break(&j, h, 400), 20000.0, 1.0);
    cn_body_state before = cn_trial_state(&j.trial, j.body);
    double from = load_now(&j);
    cn_trial_run(&j.trial, h, 20);
    cn_body_state after = cn_trial_state(&j.trial, j.body);
    double force = after.mass * (before.velocity[1] - after.velocity[1]) / (20.0 * h);
    cn_check(book, "what it bears while it closes [N]", 0.5 * (from + load_now(&j)) - force,
             20000.0, 1.0);
    double closure = 0.05 - after.position[1];
    double plastic = cn_world_view(j.trial.world).ledger->total[CN_ENERGY_PLASTIC];
    cn_check_rel(book, "energy of crushing over force and closure", plastic / (20000.0 * closure),
                 1.0, 1e-4);
    cn_loads_clear(j.trial.world); // pressed less, and pulled off as before
    load(&j, cn_v3(0.0, -1.0, 0.0), -0.05, 100.0, 0.0);
    cn_trial_run(&j.trial, h, 20);
    cn_loads_clear(j.trial.world);
    load(&j, cn_v3(0.0, 1.0, 0.0), -0.05, 400.0, 1000.0);
    cn_check(book, "pull-off afterwards [N]", load_at_break(&j, h, 400), 600.0, 1.0);
    cn_trial_end(&j.trial);
}

void cn_case_L10(cn_book *book)
{
    const double h = 1e-3; // 1 N a step
    joint j = cube_on_cube(book, 6e4);
    load(&j, cn_v3(0.0, 1.0, 0.0), -0.05, 400.0, 1000.0);
    cn_check(book, "pull-off [N]", load_at_break(&j, h, 400), 600.0, 1.0);
    cn_trial_end(&j.trial);
    j = cube_on_cube(book, 0.0);
    load(&j, cn_v3(0.0, 1.0, 0.0), -0.05, 800.0, 1000.0);
    cn_check(book, "pull-off without cut-off [N]", load_at_break(&j, h, 400), 1000.0, 1.0);
    cn_trial_end(&j.trial);
    j = cube_on_cube(book, 0.0); // a pressure in the crack, with 50 N on it
    load(&j, cn_v3(0.0, -1.0, 0.0), -0.05, 50.0, 0.0);
    load(&j, cn_v3(0.0, 1.0, 0.0), -0.05, 900.0, 1000.0);
    cn_check(book, "pressure that opens it, as a force [Pa]", 100.0 * load_at_break(&j, h, 400),
             1.05e5, 100.0);
    cn_trial_end(&j.trial);
    j = cube_on_cube(book, 6e4);
    load(&j, cn_v3(0.0, -1.0, 0.0), -0.05, 500.0, 0.0);
    load(&j, cn_v3(1.0, 0.0, 0.0), -0.05, 600.0, 1000.0);
    cn_check(book, "shear under 500 N, peak [N]", load_at_break(&j, h, 400), 750.0, 1.0);
    cn_check(book, "shear under 500 N, then [N]", resistance(&j, h), 200.0, 1.0);
    cn_trial_end(&j.trial);
    check_crushing(book, h);
    cn_check(book, "pressure in it that opens it [Pa]", opening_pressure(book, h), 1.05e5, 10.0);
}

// A20: a ball that does not turn, hung under a ceiling or pressed against it, with one point of
// 0.01 m2; 5 N heavy.
static joint ball_under_ceiling(cn_book *book, const cn_place *place)
{
    cn_law_def law = law_of(1000.0, 500.0, 0.0, 0.01);
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    joint j = {.trial = cn_trial_begin_at(book, &def, place)};
    const unsigned upright = 1u << CN_DOF_RX | 1u << CN_DOF_RY | 1u << CN_DOF_RZ;
    double size = place->dim == 2 ? CN_PI * 0.05 * 0.05 : 4.0 / 3.0 * CN_PI * pow(0.05, 3.0);
    cn_trial_law(&j.trial, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    cn_build_plane(&j.trial, (cn_body_def){.angle = CN_PI});
    j.body = cn_build_disk(&j.trial, 0.05,
                           (cn_body_def){.density = 5.0 / CN_G / size,
                                         .at = {0.0, -0.05},
                                         .fixed = place->dim == 2 ? 1u << CN_DOF_RZ : upright});
    return j;
}

static void check_ceiling(cn_book *book, cn_place place)
{
    const double h = 0.01; // 0.01 N a step
    joint j = ball_under_ceiling(book, &place);
    load(&j, cn_v3(0.0, -1.0, 0.0), 0.05, 0.0, 1.0);
    cn_check(book, cn_name(book, "pull that detaches it, its weight with it [N]%s", place.name),
             5.0 + load_at_break(&j, h, 1000), 10.0, 0.01);
    cn_body_state s = cn_trial_state(&j.trial, j.body); // put back and held up: free to go again
    cn_loads_clear(j.trial.world);
    load(&j, cn_v3(0.0, 1.0, 0.0), 0.05, 25.0, 0.0);
    cn_trial_run(&j.trial, h, 100);
    cn_loads_clear(j.trial.world);
    load(&j, cn_v3(0.0, -1.0, 0.0), 0.05, 1.0, 0.0);
    double y = cn_trial_state(&j.trial, j.body).position[1];
    cn_trial_run(&j.trial, h, 10);
    s = cn_trial_state(&j.trial, j.body);
    cn_check_rel(book, cn_name(book, "fall over free fall, after a new touch%s", place.name),
                 (y - s.position[1]) / (0.5 * 6.0 / s.mass * 0.01), 1.0, 0.02);
    cn_trial_end(&j.trial);

    j = ball_under_ceiling(book, &place);
    load(&j, cn_v3(0.0, 1.0, 0.0), 0.05, 25.0, 0.0); // 20 N on the point
    load(&j, cn_v3(1.0, 0.0, 0.0), 0.05, 10.0, 1.0);
    cn_check(book, cn_name(book, "shear under 20 N, peak [N]%s", place.name),
             load_at_break(&j, h, 1000), 15.0, 0.01);
    cn_check(book, cn_name(book, "shear under 20 N, then [N]%s", place.name), resistance(&j, h),
             8.0, 0.01);
    cn_trial_end(&j.trial);
}

void cn_case_A20(cn_book *book)
{
    check_ceiling(book, cn_place_plane());
    check_ceiling(book, cn_place_space(0.0));
}
