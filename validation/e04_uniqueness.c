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

// Grains fall between walls and settle for half a second at the accuracy of flows. They start a
// little off a lattice: else its columns come to rest one on the other, and are no pile.
static cn_trial settle(cn_book *book, const cn_place *place)
{
    const bool is_flat = place->dim == 2;
    const int columns = is_flat ? 40 : 10, rows = is_flat ? 1 : 10;
    const double R = 0.01, pitch = 2.45 * R, half = 0.5 * columns * pitch;
    cn_world_def def = cn_trial_def();
    def.solver.eps_v = def.solver.tol = 1e-2;
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, 0.0, 0.0);
    cn_build_bin(&t, half, (double[]){0.0, 0.0, 0.0});
    uint64_t seed = 4;
    for (int k = 0; k < GRAIN_COUNT; k++) {
        int layer = k / (columns * rows), row = k / columns % rows;
        double radius = R * (0.8 + 0.4 * cn_random(&seed));
        double off = 0.04 * R * (cn_random(&seed) - 0.5);
        cn_body_def grain = {.density = 2000.0,
                             .at = {(k % columns + 0.5) * pitch - half + off, (layer + 0.5) * pitch,
                                    is_flat ? 0.0 : (row + 0.5) * pitch - half}};
        cn_build_disk(&t, radius, grain);
    }
    cn_trial_run(&t, STEP, 250);
    return t;
}

static int dof_of(const cn_trial *t)
{
    return t->place.dim == 2 ? 3 : 6;
}

// Repeats the step from the saved state; v gets the velocities.
static void repeat(cn_trial *t, const cn_saved *saved, const cn_solver_def *solver, double *v)
{
    cn_error err;
    cn_save_restore(saved, t);
    cn_trial_ok(t, t->is_broken ? CN_OK : cn_world_set_solver(t->world, solver, &err), &err);
    if (cn_trial_step(t, STEP)) {
        cn_view view = cn_world_view(t->world);
        memcpy(v, view.v, (size_t)(dof_of(t) * view.body_count) * sizeof *v);
    }
}

// Of the velocities of mass centres, over g h.
static double difference(const cn_trial *t, const double *a, const double *b)
{
    double most = 0.0;
    int body_count = t->is_broken ? 0 : cn_world_view(t->world).body_count;
    for (int i = 0; i < body_count; i++) {
        double sum = 0.0;
        for (int d = 0; d < t->place.dim; d++) {
            double off = a[dof_of(t) * i + d] - b[dof_of(t) * i + d];
            sum += off * off;
        }
        most = fmax(most, sqrt(sum));
    }
    return most / (CN_G * STEP);
}

// Largest difference of velocities over g h between random orders, and to the other solver.
static void measure(cn_trial *t, const cn_saved *saved, double eps, double *orders, double *methods)
{
    const size_t room = 6 * (GRAIN_COUNT + CN_BIN_WALL_MAX);
    double *first = calloc(2 * room, sizeof *first), *next = first + room;
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
        *orders = fmax(*orders, difference(t, first, next));
    }
    solver.order = CN_ORDER_FIXED;
    solver.method = CN_METHOD_NLGS;
    repeat(t, saved, &solver, next);
    *methods = difference(t, first, next);
    free(first);
}

static void check_pile(cn_book *book, cn_place place)
{
    double orders = NAN, methods = NAN, coarse = NAN;
    cn_trial t = settle(book, &place);
    cn_saved saved = cn_save(&t);
    measure(&t, &saved, 1e-6, &coarse, &methods);
    measure(&t, &saved, 1e-10, &orders, &methods);
    cn_check(book, cn_name(book, "spread of v over g h, 20 orders, residual 1e-10%s", place.name),
             orders, 0.0, 1e-6);
    cn_check(book, cn_name(book, "NLGS against auto, residual 1e-10%s", place.name), methods, 0.0,
             1e-6);
    cn_check(book, cn_name(book, "spread at 1e-10 over spread at 1e-6%s", place.name),
             orders / coarse, 0.0, 0.1);
    cn_save_free(&saved);
    cn_trial_end(&t);
}

void cn_case_E04(cn_book *book)
{
    check_pile(book, cn_place_plane());
    check_pile(book, cn_place_space(0.0));
}
