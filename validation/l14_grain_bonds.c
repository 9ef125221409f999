// validation/l14_grain_bonds.c -- L14: a beam of bonded grains.
//
// Question: does a row of cemented grains bend like the beam that its bonds add up to, and does it
// break at the root under the load on paper? Reference: springs in series, P [R2 n (4 n2 - 1) / (3
// k_roll) + n / k_t]; M R / I at the root. Source: derived.
#include <math.h>

#include "builders.h"
#include "table.h"

enum { N = 10 }; // bonds
static const double R = 0.01, H = 1e-3;

typedef struct chain {
    cn_trial trial;
    cn_body_id last;
} chain;

// Loads are late by the damping: the ramp has little of it [s].
static chain make_chain(cn_book *book, int dim, double damping)
{
    cn_law_def law = cn_law_default("bond");
    cn_law_set(&law, "young", 1e8, NULL);
    cn_law_set(&law, "ratio", 0.4, NULL);
    cn_law_set(&law, "radius", 0.8, NULL);
    cn_law_set(&law, "strength", 1e5, NULL);
    cn_law_set(&law, "damping", damping, NULL);
    cn_world_def def = cn_trial_def();
    cn_place place = cn_place_plane();
    def.gravity[1] = 0.0;
    def.solver.method = CN_METHOD_AUTO;
    place.dim = dim;
    chain c = {.trial = cn_trial_begin_at(book, &def, &place)};
    cn_trial_law(&c.trial, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    for (int k = 0; k <= N; k++) {
        cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = R};
        cn_solid_def ball = {.kind = CN_SOLID_SPHERE, .radius = R};
        cn_body_def body = {
            .density = 1000.0, .at = {2.0 * R * k, 0.0, 0.0}, .fixed = k == 0 ? CN_FIXED_ALL : 0};
        if (dim == 2) {
            body.shapes = (cn_shape_parts){1, &disk};
        } else {
            body.type = CN_BODY_SOLIDS;
            body.solids = (cn_solid_parts){1, &ball};
        }
        c.last = cn_trial_add(&c.trial, &body);
    }
    return c;
}

// A force on the last grain that grows from `first` by `rate` per second [N, N/s].
static void load(chain *c, const double direction[3], double first, double rate)
{
    static const double time[2] = {0.0, 100.0};
    const double value[2] = {first, first + 100.0 * rate};
    cn_force_def force = {
        .body = c->last,
        .direction = {direction[0], direction[1], direction[2]},
        .f = {.kind = CN_FUNCTION_TABLE, .count = 2, .time = time, .value = value},
        .t0 = NAN};
    cn_error err;
    cn_trial_ok(&c->trial, cn_force_add(c->trial.world, &force, &err), &err);
}

// Bonds that hold; *root tells whether the first one does.
static int count_bonds(const chain *c, bool *root)
{
    cn_view view = cn_world_view(c->trial.world);
    int count = 0;
    *root = false;
    for (int a = 0; a < view.contact_count; a++) {
        const double *state = view.state + view.state_start[a];
        bool holds = state[0] == 1.0 && state[1] < 1.0;
        const cn_contact *x = &view.contact[a];
        count += holds;
        *root = *root || (holds && (x->i == 0 || x->j == 0));
    }
    return count;
}

static void check_compliance(cn_book *book, int dim, double P, double expected)
{
    chain c = make_chain(book, dim, 0.01);
    load(&c, (double[3]){0.0, dim == 2 ? 1.0 : 0.6, dim == 2 ? 0.0 : 0.8}, P, 0.0);
    cn_trial_run(&c.trial, H, 400);
    cn_body_state s = cn_trial_state(&c.trial, c.last);
    cn_check_rel(book, cn_name(book, "%dD: compliance [m/N]", dim),
                 hypot(s.position[1], s.position[2]) / P, expected, 1e-4);
    cn_trial_end(&c.trial);
}

// Load at which the first bond breaks, by a slow ramp. Pulled, all of them bear the same.
static void check_break(cn_book *book, const char *name, const double direction[3], double expected,
                        double fraction)
{
    chain c = make_chain(book, 2, 0.002);
    bool root = true;
    double rate = 0.8 * expected; // per second, from nothing: it does not swing
    load(&c, direction, 0.0, rate);
    int n = 0;
    while (n < 3000 && !c.trial.is_broken && (n == 0 || count_bonds(&c, &root) == N)) {
        cn_trial_run(&c.trial, H, 1);
        n++;
    }
    cn_body_state s = cn_trial_state(&c.trial, c.last);
    cn_check_rel(book, cn_name(book, "%s: load that breaks it [N]", name), rate * H * n, expected,
                 fraction);
    if (direction[1] != 0.0) {
        cn_check_rel(book, "deflection then [m]", s.position[1], 1.757018e-3, 5e-3);
        cn_check_true(book, "the root bond is broken", !root);
        cn_trial_run(&c.trial, H, 20);
        cn_check(book, "bonds that hold, then and later", count_bonds(&c, &root), N - 1, 0.0);
    }
    cn_trial_end(&c.trial);
}

void cn_case_L14(cn_book *book)
{
    const double a = 0.8 * R, E = 1e8, l = 2.0 * R;
    double k_t = 0.4 * E * CN_PI * a * a / l, k_roll = E * CN_PI * pow(a, 4.0) / 4.0 / l;
    double solid = R * R * N * (4.0 * N * N - 1.0) / (3.0 * k_roll) + N / k_t;
    check_compliance(book, 2, 1e-2, 7.824219e-5);
    check_compliance(book, 3, 1e-4, solid);
    check_break(book, "bent", (double[3]){0.0, 1.0, 0.0}, 22.456140, 5e-3);
    check_break(book, "pulled", (double[3]){1.0, 0.0, 0.0}, 1600.0, 5e-3);
}
