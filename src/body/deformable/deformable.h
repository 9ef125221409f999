// body/deformable/deformable.h -- one deformable body at work: views of its arrays, and scratch.
#pragma once

#include "body/deformable/deformables.h"

// Views of the arrays of one body.
typedef struct cn_deformable_work {
    int n;
    const cn_model *model;
    cn_deformable *body;
    double *x, *v, *f, *v_imposed, *v_free, *v_guess, *x_before, *v_before, *force_before, *force;
    double *force_new, *impulse, *energy;
    const unsigned char *held;
    const double *history;
    double *history_new;
    const double *C; // damping, NULL: none
    double *work;    // 4 n, then room for a vector, or for one matrix if not linear
} cn_deformable_work;

// The scratch is that of thread number `slot`.
static inline cn_deformable_work cn_deformable_work_of(cn_deformables *m, int k, int slot)
{
    int at = m->dof_start[k];
    return (cn_deformable_work){.n = cn_deformable_dof(m, k),
                                .model = cn_deformable_model(m, k),
                                .body = &m->body[k],
                                .x = m->x + at,
                                .v = m->v + at,
                                .f = m->f + at,
                                .v_imposed = m->v_imposed + at,
                                .v_free = m->v_free + at,
                                .v_guess = m->v_guess + at,
                                .x_before = m->x_before + at,
                                .v_before = m->v_before + at,
                                .force_before = m->force_before + at,
                                .force = m->force + at,
                                .force_new = m->force_new + at,
                                .impulse = m->impulse + at,
                                .energy = &m->energy[k],
                                .held = m->held + at,
                                .history = m->history + m->history_start[k],
                                .history_new = m->history_new + m->history_start[k],
                                .C = m->body[k].C != NULL ? m->body[k].C
                                                          : cn_deformable_model(m, k)->C,
                                .work = m->work + m->work_size * (size_t)slot};
}

static inline double *cn_deformable_matrix(const cn_deformable_work *p)
{
    return p->work + 4 * p->n;
}

// Position where velocities v take the body by the end of the step (3.1).
void cn_deformable_end_position(const cn_deformables *m, const cn_deformable_work *p,
                                const double *v, double *x);

// Positions in the axes of the model.
void cn_deformable_to_model(const cn_deformables *m, const cn_deformable_work *p, const double *x,
                            double *local);

// Internal force and energies at x; K may be NULL.
cn_status cn_deformable_internal_force(const cn_deformables *m, const cn_deformable_work *p,
                                       const double *x, double *f, double *K, cn_fem_energy *energy,
                                       cn_error *err);

// Internal force of the step that ends with the velocities v (11.2), and the tangent unless K is
// NULL. Uses the scratch, but not the room for a matrix.
cn_status cn_deformable_weigh_force(const cn_deformables *m, const cn_deformable_work *p,
                                    const double *v, double *K, cn_error *err);

// Balance of impulses without contacts when the step ends with the velocities v (11.3), zero at
// held degrees of freedom; and the largest of its terms. The force of v must be known.
void cn_deformable_balance(const cn_deformables *m, const cn_deformable_work *p, const double *v,
                           double *rest);

// Share of the last correction, from v_guess to v, after which a body is linearized again (11.8).
cn_status cn_deformable_find_share(const cn_deformables *m, const cn_deformable_work *p,
                                   double *share, cn_error *err);

// y = M x.
static inline void cn_model_multiply_mass(const cn_model *model, int n, const double *x, double *y)
{
    if (model->M != NULL) {
        cn_fem_multiply(model->fem, model->M, x, y);
        return;
    }
    for (int k = 0; k < n; k++) {
        y[k] = model->fem->mass[k] * x[k];
    }
}
