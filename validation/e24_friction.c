// validation/e24_friction.c -- E24: friction of 1 and 3 with the elastic step that is tied to it.
//
// Question: is a packing solved whose rigid law nobody solves? With c = 25/mu^2 of each contact
// (`c: auto`) no step of a dense packing is missed, in few sweeps, and the last problem has one
// solution: from zero and from the impulses of the step it is reached with the same velocities.
// Reference: 0 missed, at most 200 sweeps a step; velocities to 1e-6 of the reference velocity at
// residual 1e-8; c = 25 and 25/9. Source: derived here (theory 13.5).
#include "table.h"
#include <stdlib.h>
#include <string.h>

enum { STEPS = 12 };

static const char text[] =
    "cairn: 1\n"
    "dimension: 3\n"
    "materials: {m: {density: 2600}}\n"
    "laws: {dry: {type: coulomb, friction: %g}}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "solver: {accuracy: flow, c: auto}\n"
    "bodies:\n"
    "  floor: {shape: {half_space: {}}, fixed: true}\n"
    "  balls: {generate: {pack: {inside: {box: [0.1, 0.1, 0.2]}, method: dense, count: 1500, "
    "shape: {sphere: {radius: {uniform: [0.0045, 0.0055]}}}, seed: 3}}, material: m, "
    "at: [0, 0, 0.1]}\n"
    "stages: [{step: 1e-3, duration: 0.012}]\n";

// Velocities of the problem solved from r; false: not solved.
static bool solve_from(cn_problem *p, cn_solver *solver, double *u)
{
    cn_solver_def def = cn_solver_def_default();
    cn_solver_report report;
    def.method = CN_METHOD_NNCG;
    def.eps_v = def.tol = 1e-8;
    return cn_problem_solve(p, &def, solver, &report, NULL) == CN_OK && report.is_converged &&
           cn_problem_velocity(p, solver, u, NULL) == CN_OK;
}

// Largest difference of velocities from zero and from the impulses of the step, over v_ref.
static double starts_apart(const cn_world *w)
{
    cn_problem p;
    cn_solver *solver = NULL;
    double most = NAN;
    if (cn_world_problem(w, &p, NULL, NULL) != CN_OK ||
        cn_solver_create(NULL, &solver, NULL) != CN_OK) {
        return most;
    }
    size_t rows = (size_t)p.row_start[p.contact_count];
    double *at = calloc(4 * rows + 1, sizeof *at);
    if (at != NULL) {
        memcpy(at, p.r, rows * sizeof *at);
        cn_problem warm = p, cold = p;
        warm.r = at;
        cold.r = at + rows;
        if (solve_from(&warm, solver, at + 2 * rows) && solve_from(&cold, solver, at + 3 * rows)) {
            most = 0.0;
            for (size_t k = 0; k < rows; k++) {
                most = fmax(most, fabs(at[2 * rows + k] - at[3 * rows + k]));
            }
            most /= cn_world_view(w).certificate->solver.residual.v_ref;
        }
    }
    free(at);
    cn_solver_destroy(solver);
    return most;
}

static void run(cn_book *book, double mu, const char *missed, const char *sweeps, const char *apart)
{
    char scene_text[1024];
    snprintf(scene_text, sizeof scene_text, text, mu);
    cn_scene *scene = NULL;
    cn_world *w = NULL;
    cn_error err = {0};
    if (cn_scene_read(&(cn_scene_source){.name = "e24", .text = scene_text}, NULL, NULL, &scene,
                      &err) != CN_OK ||
        cn_scene_build(scene, 1, &w, &err) != CN_OK) {
        cn_book_failure(book, err.text);
        cn_scene_destroy(scene);
        return;
    }
    const cn_accepted *word = cn_accuracy_row(CN_ACCURACY_FLOW);
    cn_book_accuracy(book, word->worst * word->eps_v);
    int missed_count = 0, sweeps_most = 0;
    double c_least = INFINITY;
    for (int k = 0; k < STEPS; k++) {
        if (cn_world_step(w, 1e-3, &err) != CN_OK) {
            cn_book_failure(book, err.text);
            break;
        }
        cn_view view = cn_world_view(w);
        cn_book_step(book, view.certificate, view.ledger);
        const cn_solver_report *report = &view.certificate->solver;
        missed_count += !report->is_converged;
        sweeps_most = report->sweep_count > sweeps_most ? report->sweep_count : sweeps_most;
        c_least = fmin(c_least, report->elastic_c);
    }
    cn_check(book, missed, missed_count, 0.0, 0.0);
    cn_check(book, sweeps, sweeps_most, 0.0, 200.0);
    cn_check_rel(book, "hardness", c_least, 25.0 / (mu * mu), 1e-12);
    cn_check(book, apart, starts_apart(w), 0.0, 1e-6);
    cn_world_destroy(w);
    cn_scene_destroy(scene);
}

void cn_case_E24(cn_book *book)
{
    run(book, 1.0, "steps missed, friction 1", "sweeps of a step, friction 1",
        "two starts apart, friction 1");
    run(book, 3.0, "steps missed, friction 3", "sweeps of a step, friction 3",
        "two starts apart, friction 3");
}
