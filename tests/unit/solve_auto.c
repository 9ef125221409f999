// The policy: which methods it takes where, what it does without memory, and that it repeats.
#include <stdlib.h>

#include "masonry.h"
#include "packings.h"
#include "strict.h"
#include "test.h"

static cn_status solve_with(cn_problem *p, const cn_solver_def *def, const cn_hooks *hooks,
                            cn_solver_report *report)
{
    cn_solver *s = NULL;
    for (int k = 0; k < p->row_start[p->contact_count]; k++) {
        p->r[k] = 0.0;
    }
    cn_status status = cn_solver_create(hooks, &s, &test_error);
    if (status == CN_OK) {
        status = test_solve(p, def, s, report, &test_error);
    }
    cn_solver_destroy(s);
    return status;
}

static cn_solver_def tight(void)
{
    cn_solver_def def = cn_solver_def_default();
    def.tol = 1e-9;
    return def;
}

static made *resting_wall(void)
{
    wall_def def = {3, 8, 12, 0.5, 0.1, 0.02, 0.0, true};
    return made_wall(&def);
}

CN_TEST(it_is_the_default)
{
    CN_TRUE(cn_solver_def_default().method == CN_METHOD_AUTO);
    CN_TRUE(strcmp(cn_method_name(CN_METHOD_AUTO), "auto") == 0);
}

// Loose tolerances need no more than sweeps; a wall near rest gets a matrix; one that moves does
// not start with it.
CN_TEST(methods_follow_the_regime)
{
    made *m = resting_wall();
    cn_solver_report report;
    cn_solver_def def = tight(), loose = cn_solver_def_default();
    loose.eps_v = loose.tol = 0.3;
    CN_DO(solve_with(&m->problem, &loose, NULL, &report));
    CN_TRUE(report.chain_count == 1 && report.chain[0] == CN_METHOD_NNCG);
    CN_TRUE(report.factorization_count == 0);
    CN_DO(solve_with(&m->problem, &def, NULL, &report));
    CN_TRUE(report.chain_count == 2 && report.chain[1] == CN_METHOD_ADMM);
    CN_TRUE(report.factorization_count == 1 && !report.is_factor_refused);
    m->problem.v_before = 2.0; // m/s, against a fall of 1 m/s
    CN_DO(solve_with(&m->problem, &def, NULL, &report));
    CN_TRUE(report.chain_count == 1 || report.chain[1] != CN_METHOD_ADMM);
    made_destroy(m);
}

// Solves from zero to what is loosely accepted, then again from there, of bodies that move; sweeps
// of the second solve.
static int sweeps_from_accepted(int bricks)
{
    wall_def def = {3, bricks, 12, 0.5, 0.1, 0.02, 0.0, true};
    made *m = made_wall(&def);
    cn_solver_def loose = cn_solver_def_default();
    cn_solver_report report;
    cn_solver *s = NULL;
    loose.eps_v = loose.tol = 0.3;
    m->problem.v_before = 1.0; // m/s, as fast as a fall
    CN_DO(solve_with(&m->problem, &loose, NULL, &report));
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(test_solve(&m->problem, &loose, s, &report, &test_error));
    CN_TRUE(report.is_converged);
    cn_solver_destroy(s);
    made_destroy(m);
    return report.sweep_count;
}

// A start that is accepted costs nothing, in large walls and in small ones.
CN_TEST(accepted_starts_cost_nothing)
{
    CN_TRUE(sweeps_from_accepted(30) == 0);
    CN_TRUE(sweeps_from_accepted(6) == 0);
}

// With no memory for a factor the same wall is solved without one, and the report says so.
CN_TEST(no_memory_for_a_factor)
{
    made *m = resting_wall();
    cn_solver_report report;
    cn_solver_def def = tight();
    def.factor_memory = 1000.0; // bytes
    def.tol = 1e-6;
    def.sweep_max = 200000;
    CN_DO(solve_with(&m->problem, &def, NULL, &report));
    CN_TRUE(report.is_converged && report.is_factor_refused && report.factorization_count == 0);
    made_destroy(m);
}

// Memory that ends after so many requests.
typedef struct scarce {
    int left;
} scarce;

static void *resize_scarce(void *context, void *memory, size_t size)
{
    scarce *s = context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return s->left-- > 0 ? realloc(memory, size) : NULL;
}

// Wherever memory ends, the call ends with a status, and nothing is lost.
CN_TEST(memory_ends_anywhere)
{
    wall_def wall = {3, 3, 5, 0.5, 0.1, 0.02, 0.0, true};
    made *m = made_wall(&wall);
    cn_solver_def def = tight();
    int solved = 0, refused = 0, failed = 0;
    for (int left = 0; left < 120; left++) {
        scarce memory = {left};
        cn_hooks hooks = {resize_scarce, &memory};
        cn_solver_report report = {0};
        cn_status status = solve_with(&m->problem, &def, &hooks, &report);
        CN_TRUE(status == CN_OK || status == CN_NO_MEMORY || status == CN_MISSED);
        solved += status == CN_OK;
        failed += status == CN_NO_MEMORY;
        refused += report.is_factor_refused;
    }
    CN_TRUE(solved > 0 && failed > 0 && refused > 0);
    made_destroy(m);
}

CN_TEST(same_input_same_bits)
{
    made *m = resting_wall();
    cn_solver_report report;
    cn_solver_def def = tight();
    size_t size = sizeof(double) * (size_t)(3 * m->contact_count);
    double *r = malloc(size);
    CN_DO(solve_with(&m->problem, &def, NULL, &report));
    memcpy(r, m->problem.r, size);
    CN_DO(solve_with(&m->problem, &def, NULL, &report));
    CN_TRUE(memcmp(r, m->problem.r, size) == 0);
    free(r);
    made_destroy(m);
}

// An interrupted call ends at once, whatever the chain would have gone on with.
static bool at_once(void *context)
{
    (void)context;
    return true;
}

CN_TEST(interruption_ends_the_chain)
{
    made *m = resting_wall();
    cn_solver_report report;
    cn_solver_def def = tight();
    def.is_interrupted = at_once;
    CN_TRUE(solve_with(&m->problem, &def, NULL, &report) == CN_MISSED);
    CN_TRUE(report.sweep_count <= 2 && report.chain_count == 1);
    made_destroy(m);
}

// Sweeps that a method takes to the next step of a flow.
static int sweeps_of(cn_method method, const cn_problem *p, const double *guess)
{
    size_t rows = (size_t)p->row_start[p->contact_count];
    cn_problem copy = *p;
    cn_solver *s = NULL;
    cn_solver_report report = {0};
    cn_solver_def def = cn_solver_def_default();
    def.method = method;
    copy.r = malloc(sizeof(double) * rows);
    memcpy(copy.r, guess, sizeof(double) * rows);
    CN_DO(cn_solver_create(NULL, &s, &test_error));
    CN_DO(test_solve(&copy, &def, s, &report, &test_error));
    cn_solver_destroy(s);
    free(copy.r);
    return report.sweep_count;
}

// NNCG alone goes forward and back among few bodies; those that flow need half of that.
CN_TEST(small_flows_are_swept_one_way)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        const cn_packing_def grains = {CN_GRAIN_SPHERE, 200, 0.5, true, 60, seed};
        cn_world *w;
        cn_problem p;
        const double *guess;
        CN_DO(cn_packing_make(&grains, &w, &test_error));
        CN_DO(cn_world_problem(w, &p, &guess, &test_error));
        int one_way = sweeps_of(CN_METHOD_AUTO, &p, guess);
        CN_TRUE(p.contact_count < 1000 && 4 * one_way < 3 * sweeps_of(CN_METHOD_NNCG, &p, guess));
        cn_world_destroy(w);
    }
}

CN_MAIN(CN_RUN(it_is_the_default); CN_RUN(accepted_starts_cost_nothing);
        CN_RUN(methods_follow_the_regime); CN_RUN(no_memory_for_a_factor);
        CN_RUN(memory_ends_anywhere); CN_RUN(same_input_same_bits);
        CN_RUN(interruption_ends_the_chain); CN_RUN(small_flows_are_swept_one_way);)
