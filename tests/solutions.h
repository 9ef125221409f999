// tests/solutions.h -- moving packings of spheres and how many exact solutions their steps have.
#pragma once

#include <stdlib.h>

#include "base/hash.h"
#include "cairn/cairn.h"
#include "io/files.h"
#include "scenes.h"
#include "strict.h"
#include "test.h"

enum { SOLUTIONS_MAX = 8 };

// A fixed half-space through a point, whose outward normal is z turned about an axis in the plane.
static inline void add_wall(cn_world *w, double x, double y, double axis_x, double axis_y)
{
    cn_solid_def solid = {.kind = CN_SOLID_HALF_SPACE};
    cn_body_def def = {
        .type = CN_BODY_SOLIDS, .solids = {1, &solid}, .fixed = CN_FIXED_ALL, .at = {x, y, 0}};
    const double half = sqrt(0.5);
    bool is_floor = axis_x == 0.0 && axis_y == 0.0;
    memcpy(def.rotation, (double[4]){is_floor ? 1.0 : half, half * axis_x, half * axis_y, 0.0},
           sizeof def.rotation);
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
}

// n x n x layers spheres of unequal size falling into a box that is just wide enough.
static inline cn_world *falling_spheres(int n, int layers, double mu, double theta, uint64_t seed)
{
    cn_world_def settings = cn_world_def_default();
    settings.dim = 3;
    settings.gravity[1] = 0.0;
    settings.gravity[2] = -10.0;
    settings.theta = theta;
    settings.gamma = 0.5;
    settings.solver.tol = 1e-2;
    settings.solver.sweep_max = 2000;
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    cn_world *w = scene_world_with(&settings, &law);
    const double spacing = 1.22, L = n * spacing;
    add_wall(w, 0.0, 0.0, 0.0, 0.0);
    add_wall(w, 0.0, 0.0, 0.0, 1.0);
    add_wall(w, L, 0.0, 0.0, -1.0);
    add_wall(w, 0.0, 0.0, -1.0, 0.0);
    add_wall(w, 0.0, L, 1.0, 0.0);
    for (int k = 0; k < n * n * layers; k++) {
        cn_solid_def solid = {.kind = CN_SOLID_SPHERE, .radius = 0.4 + 0.2 * cn_random(&seed)};
        cn_body_def def = {.type = CN_BODY_SOLIDS,
                           .solids = {1, &solid},
                           .density = 6.0 / CN_PI,
                           .at = {spacing * (k % n + 0.5), spacing * (k / n % n + 0.5),
                                  spacing * (k / n / n + 0.5)}};
        def.velocity[0] = 0.5 * (cn_random(&seed) - 0.5);
        def.velocity[1] = 0.5 * (cn_random(&seed) - 0.5);
        def.velocity[2] = -1.0;
        CN_DO(cn_body_add(w, &def, NULL, &test_error));
    }
    return w;
}

// Impulses to start from: the warm ones, zero, then random ones inside the cones.
static inline void set_start(const cn_problem *p, const double *guess, int start, uint64_t *seed)
{
    int rows = p->row_start[p->contact_count];
    memcpy(p->r, guess, sizeof(double) * (size_t)rows);
    for (int a = 0; a < p->contact_count && start > 0; a++) {
        double *r = p->r + p->row_start[a];
        double normal = 2.0 * cn_random(seed) * fmax(r[0], 0.02),
               angle = 2.0 * CN_PI * cn_random(seed);
        double friction = p->mu[a] * cn_random(seed) * normal;
        r[0] = start > 1 ? normal : 0.0;
        r[1] = start > 1 ? friction * cos(angle) : 0.0;
        r[2] = start > 1 ? friction * sin(angle) : 0.0;
    }
}

// The different velocities that solve one problem.
typedef struct solutions {
    int count, failed; // found; starts that led to none
    double spread;     // largest difference over the change of velocity
    double *u[SOLUTIONS_MAX];
} solutions;

static inline double distance(int rows, const double *u, const double *v)
{
    double sum = 0.0;
    for (int k = 0; k < rows; k++) {
        sum += (u[k] - v[k]) * (u[k] - v[k]);
    }
    return sqrt(sum);
}

// Keeps u unless it was found before.
static inline void keep_solution(const cn_problem *p, double *u, solutions *found)
{
    int rows = p->row_start[p->contact_count];
    double change = distance(rows, u, p->u_free);
    for (int k = 0; k < found->count; k++) {
        double apart = distance(rows, u, found->u[k]) / change;
        found->spread = fmax(found->spread, apart);
        if (apart < 1e-6 || found->count == SOLUTIONS_MAX) {
            free(u);
            return;
        }
    }
    found->u[found->count++] = u;
}

// Solves from many starts to 1e-10, each answer certified by the independent checker, until
// `wanted` solutions are found. `patience` as in cn_solver_def.
static inline solutions find_solutions(cn_problem *p, const double *guess, int starts, int wanted,
                                       int patience)
{
    solutions found = {0};
    uint64_t seed = 5;
    cn_solver *solver;
    cn_problem_file *file = NULL;
    CN_DO(cn_solver_create(NULL, &solver, &test_error));
    set_start(p, guess, 0, &seed);
    CN_DO(cn_problem_write(files_path("packing.hdf5"), p, NULL, &test_error));
    CN_DO(cn_problem_file_read(files_path("packing.hdf5"), &file, &test_error));
    cn_solver_def def = cn_solver_def_default();
    def.method = CN_METHOD_NNCG;
    def.measure = CN_MEASURE_NATURAL;
    def.tol = 1e-10;
    def.sweep_max = 400000;
    def.patience = patience;
    for (int k = 0; k < starts && found.count < wanted; k++) {
        cn_solver_report report;
        cn_problem_errors errors = {.natural = 1.0};
        set_start(p, guess, k, &seed);
        if (test_solve(p, &def, solver, &report, &test_error) == CN_OK) {
            CN_DO(cn_problem_file_check(file, p->r, NULL, &errors, &test_error));
        }
        if (errors.natural > 2e-10) {
            found.failed++;
            continue;
        }
        double *u = malloc(sizeof *u * (size_t)p->row_start[p->contact_count]);
        CN_DO(cn_problem_velocity(p, solver, u, &test_error));
        keep_solution(p, u, &found);
    }
    cn_problem_file_destroy(file);
    cn_solver_destroy(solver);
    return found;
}

static inline void free_solutions(solutions *found)
{
    for (int k = 0; k < found->count; k++) {
        free(found->u[k]);
    }
}
