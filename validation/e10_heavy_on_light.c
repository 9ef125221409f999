// validation/e10_heavy_on_light.c -- E10: cubes of 1, 10, 100 and 1000 kg, the lightest below.
//
// Question: does a solver carry a heavy load through light bodies? Reference: each contact carries
// all that is above it, and nothing sinks. Plain Gauss-Seidel needs some 6e5 sweeps for the first
// step in the plane; here the solver is the one that scenes get. Source: practice.
#include "builders.h"
#include "table.h"

#define SIDE 0.1  // [m]
#define STEP 1e-3 // [s]
#define CUBE_COUNT 4

typedef struct tower {
    cn_trial trial;
    cn_body_id floor, cube[CUBE_COUNT];
} tower;

static const double mass[CUBE_COUNT] = {1.0, 10.0, 100.0, 1000.0}; // from below [kg]

static tower build(cn_book *book, const cn_place *place)
{
    cn_world_def def = cn_trial_def();
    def.solver.method = CN_METHOD_AUTO;
    tower w = {.trial = cn_trial_begin_at(book, &def, place)};
    cn_trial_coulomb(&w.trial, 0.5, 0.0);
    w.floor = cn_build_plane(&w.trial, (cn_body_def){0});
    double size = SIDE * SIDE * (place->dim == 3 ? place->depth : 1.0);
    for (int k = 0; k < CUBE_COUNT; k++) {
        cn_body_def rest = {.density = mass[k] / size, .at = {0.0, (k + 0.5) * SIDE}};
        w.cube[k] = cn_build_box(&w.trial, SIDE, SIDE, rest);
    }
    return w;
}

// Largest error of the force under a cube, over the weight above that contact.
static double force_error(const tower *w)
{
    double error = 0.0, weight = 0.0;
    for (int k = CUBE_COUNT - 1; k >= 0; k--) {
        cn_body_id below = k > 0 ? w->cube[k - 1] : w->floor;
        weight += CN_G * mass[k] * STEP;
        cn_vec3 push = cn_trial_push(&w->trial, below, w->cube[k]);
        error = fmax(error, cn_norm3(cn_sub3(push, cn_v3(0.0, weight, 0.0))) / weight);
    }
    return error;
}

static double drop(const tower *w)
{
    double most = 0.0;
    for (int k = 0; k < CUBE_COUNT; k++) {
        double y = cn_trial_state(&w->trial, w->cube[k]).position[1];
        most = fmax(most, fabs(y - (k + 0.5) * SIDE));
    }
    return most / SIDE;
}

static void check_tower(cn_book *book, cn_place place)
{
    tower w = build(book, &place);
    double error = 0.0, first = NAN;
    int most = 0;
    for (int n = 0; n < 1000 && cn_trial_step(&w.trial, STEP); n++) {
        const cn_solver_report *report = &cn_world_view(w.trial.world).certificate->solver;
        most = report->sweep_count > most ? report->sweep_count : most;
        error = fmax(error, force_error(&w));
        first = n == 0 ? force_error(&w) : first;
    }
    cn_check(book, cn_name(book, "forces between cubes, first step%s", place.name), first, 0.0,
             1e-6);
    cn_check(book, cn_name(book, "forces between cubes, 1000 steps%s", place.name), error, 0.0,
             1e-6);
    cn_check(book, cn_name(book, "sunk or risen over a side%s", place.name), drop(&w), 0.0, 1e-6);
    cn_check(book, cn_name(book, "sweeps of the worst step%s", place.name), most, 0.0, 6e5);
    cn_trial_end(&w.trial);
}

void cn_case_E10(cn_book *book)
{
    check_tower(book, cn_place_plane());
    check_tower(book, cn_place_space(SIDE));
}
