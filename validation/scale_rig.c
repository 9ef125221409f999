#include "scale_rig.h"

#include <stdlib.h>
#include <string.h>

// Where steps are solved to rounding, what was asked of them does not matter.
static const double EXACT = 1e-10;

cn_scale_scene cn_scale_begin(cn_book *book, const char *text, double h)
{
    cn_scale_scene s = {.book = book, .h = h};
    cn_error err = {0};
    cn_scene_source source = {.name = "scale.yaml", .text = text};
    if (cn_scene_read(&source, NULL, NULL, &s.scene, &err) != CN_OK ||
        cn_scene_build(s.scene, 1, &s.world, &err) != CN_OK) {
        cn_book_failure(book, err.text);
        s.world = NULL;
    }
    return s;
}

void cn_scale_end(cn_scale_scene *s)
{
    cn_world_destroy(s->world);
    cn_scene_destroy(s->scene);
    s->world = NULL;
    s->scene = NULL;
}

cn_scale_count cn_scale_steps(cn_scale_scene *s, int steps)
{
    cn_scale_count count = {0};
    cn_error err = {0};
    for (int k = 0; k < steps && s->world != NULL; k++) {
        if (cn_world_step(s->world, s->h, &err) != CN_OK) {
            cn_book_failure(s->book, err.text);
            break;
        }
        cn_view view = cn_world_view(s->world);
        const cn_certificate *c = view.certificate;
        double asked = c->eps_v * fmax(cn_accuracy_row(c->accuracy)->worst, 1.0);
        cn_book_accuracy(s->book, fmin(asked, fmax(c->solver.residual.err_v, EXACT)));
        cn_book_step(s->book, c, view.ledger);
        count.steps++;
        count.missed += !c->solver.is_converged;
        count.sweeps += c->solver.sweep_count;
        count.kinetic = view.ledger->kinetic;
        count.penetration = fmax(count.penetration, c->penetration);
        count.creep = fmax(count.creep, c->creep);
    }
    return count;
}

// Solves p from `r` on; how far it came.
static cn_scale_answer solve(cn_book *book, const cn_problem *p, const cn_solver_def *def,
                             double *r)
{
    cn_scale_answer answer = {.natural = NAN};
    cn_problem again = *p;
    cn_solver *solver = NULL;
    cn_solver_report report;
    cn_error err = {0};
    again.r = r;
    if (cn_solver_create(NULL, &solver, &err) != CN_OK ||
        cn_problem_solve(&again, def, solver, &report, &err) != CN_OK) {
        cn_book_failure(book, err.text);
    } else {
        answer =
            (cn_scale_answer){report.sweep_count, report.is_converged, report.residual.err_natural};
    }
    cn_solver_destroy(solver);
    return answer;
}

cn_scale_answer cn_scale_again(cn_scale_scene *s, const cn_scale_solve *how)
{
    cn_scale_answer answer = {.natural = NAN};
    cn_problem p;
    const double *guess;
    cn_error err = {0};
    if (s->world == NULL || cn_world_problem(s->world, &p, &guess, &err) != CN_OK) {
        return answer;
    }
    size_t rows = (size_t)p.row_start[p.contact_count];
    double *r = calloc(rows + 1, sizeof *r);
    if (r != NULL) {
        if (how->from_guess) {
            memcpy(r, guess, rows * sizeof *r);
        }
        answer = solve(s->book, &p, &how->def, r);
    }
    free(r);
    return answer;
}
