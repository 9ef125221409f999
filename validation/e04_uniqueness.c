// validation/e04_uniqueness.c -- E04: without friction the velocities of a step are unique.
//
// Question: do sweep orders and solvers agree? Reference: the problem is strictly convex in v, so
// the velocities of one step of a pile are unique, whatever the impulses. Source: Moreau 1988.
#include "builders.h"
#include "table.h"
#include <stdlib.h>
#include <string.h>

#define GRAIN_COUNT 1000
#define ORDER_COUNT 20
#define STEP 2e-3 // [s]

// Grains fall between two walls and settle for half a second at the accuracy of flows.
static cn_trial settle(cn_book *book)
{
    const double R = 0.01, pitch = 2.45 * R, width = 40.0 * pitch;
    cn_world_def def = cn_trial_def();
    def.solver.eps_v = def.solver.tol = 1e-2;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, 0.0);
    cn_build_plane(&t, (cn_body_def){0});
    cn_build_plane(&t, (cn_body_def){.at = {-0.5 * width, 0.0}, .angle = -0.5 * CN_PI});
    cn_build_plane(&t, (cn_body_def){.at = {0.5 * width, 0.0}, .angle = 0.5 * CN_PI});
    uint64_t seed = 4;
    for (int k = 0; k < GRAIN_COUNT; k++) {
        double x = (k % 40 - 19.5) * pitch, y = (k / 40 + 0.5) * pitch;
        double radius = R * (0.8 + 0.4 * cn_random(&seed));
        cn_build_disk(&t, radius, (cn_body_def){.density = 2000.0, .at = {x, y}});
    }
    cn_trial_run(&t, STEP, 250);
    return t;
}

// Repeats the step from the saved state; v gets the velocities.
static void repeat(cn_trial *t, const cn_saved *saved, const cn_solver_def *solver, double *v)
{
    cn_error err;
    cn_save_restore(saved, t);
    cn_trial_ok(t, t->is_broken ? CN_OK : cn_world_set_solver(t->world, solver, &err), &err);
    if (cn_trial_step(t, STEP)) {
        cn_view view = cn_world_view(t->world);
        memcpy(v, view.v, 3 * (size_t)view.body_count * sizeof *v);
    }
}

static double difference(const double *a, const double *b, size_t body_count)
{
    double most = 0.0;
    for (size_t i = 0; i < body_count; i++) {
        most = fmax(most, hypot(a[3 * i] - b[3 * i], a[3 * i + 1] - b[3 * i + 1]));
    }
    return most / (CN_G * STEP);
}

// Largest difference of velocities over g h between random orders, and to the other solver.
static void measure(cn_trial *t, const cn_saved *saved, double eps, double *orders, double *methods)
{
    const size_t body_count = GRAIN_COUNT + 3;
    double *first = calloc(6 * body_count, sizeof *first), *next = first + 3 * body_count;
    if (!first) {
        return;
    }
    cn_solver_def solver = cn_trial_def().solver;
    solver.eps_v = solver.tol = eps;
    repeat(t, saved, &solver, first);
    solver.order = CN_ORDER_RANDOM;
    *orders = *methods = 0.0;
    for (int k = 0; k < ORDER_COUNT; k++) {
        solver.seed = (uint64_t)k + 1;
        repeat(t, saved, &solver, next);
        *orders = fmax(*orders, difference(first, next, body_count));
    }
    solver.order = CN_ORDER_FIXED;
    solver.method = CN_METHOD_NLGS;
    repeat(t, saved, &solver, next);
    *methods = difference(first, next, body_count);
    free(first);
}

void cn_case_E04(cn_book *book)
{
    double orders = NAN, methods = NAN, coarse = NAN;
    cn_trial t = settle(book);
    cn_saved saved = cn_save(&t);
    measure(&t, &saved, 1e-6, &coarse, &methods);
    measure(&t, &saved, 1e-10, &orders, &methods);
    cn_check(book, "spread of v over g h, 20 orders, residual 1e-10", orders, 0.0, 1e-6);
    cn_check(book, "NLGS against NNCG, residual 1e-10", methods, 0.0, 1e-6);
    cn_check(book, "spread at 1e-10 over spread at 1e-6", orders / coarse, 0.0, 0.1);
    cn_save_free(&saved);
    cn_trial_end(&t);
}
