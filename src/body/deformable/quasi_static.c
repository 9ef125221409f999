// body/deformable/quasi_static.c -- quasi-static bodies that only contacts hold, theory 11.11.
//
// Without inertia the matrix of a body is singular along the rigid motions that nothing holds. A
// fictitious mass in the matrix alone, not in the balance, makes it regular: each iteration is a
// proximal step towards equilibrium, and where the iterations end the mass has no share.
#include <math.h>

#include "body/deformable/quasi_static.h"

// Of the matrix, in the softest homogeneous stretch. What is left of an error after an iteration is
// about this; what rigid motions yield to an impulse is that much more than what stretches do, and
// solvers of contacts do not like it.
const double CN_LOOSE_SHARE = 0.01;

enum { MODES_MAX = 6 };

// Velocity of degree of freedom d of a node at `arm` in each rigid motion; their number.
static int rigid_motions(const cn_fem *fem, cn_vec3 arm, int d, double motion[MODES_MAX])
{
    if (fem->plane == CN_AXISYMMETRIC && fem->dim == 2) {
        motion[0] = d == 1; // along the axis
        return 1;
    }
    for (int k = 0; k < fem->dim; k++) {
        motion[k] = k == d;
    }
    if (fem->dim == 2) {
        motion[2] = d == 0 ? -arm.y : arm.x;
        return 3;
    }
    for (int k = 0; k < 3; k++) {
        cn_vec3 turn = cn_cross3(cn_v3(k == 0, k == 1, k == 2), arm);
        motion[3 + k] = (&turn.x)[d];
    }
    return 6;
}

// Whether a symmetric matrix, rows first, has a pivot that is none beside the first.
static bool is_singular(int n, double *G)
{
    double least = 1e-12 * G[0];
    for (int k = 0; k < n; k++) {
        double pivot = G[MODES_MAX * k + k];
        if (!(pivot > least)) {
            return true;
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = k + 1; j < n; j++) {
                G[MODES_MAX * i + j] -= G[MODES_MAX * i + k] * G[MODES_MAX * k + j] / pivot;
            }
        }
    }
    return false;
}

bool cn_deformable_is_floating(const cn_model *model, const unsigned char *held)
{
    const cn_fem *fem = model->fem;
    double G[MODES_MAX * MODES_MAX] = {0.0}, motion[MODES_MAX];
    int count = rigid_motions(fem, model->centre, 0, motion);
    for (int k = 0; k < fem->dof_count; k++) {
        const double *X = fem->X + fem->dim * (k / fem->dim);
        cn_vec3 arm = cn_sub3(cn_v3(X[0], X[1], fem->dim == 3 ? X[2] : 0.0), model->centre);
        rigid_motions(fem, cn_mul3(1.0 / model->reach, arm), k % fem->dim, motion);
        for (int n = 0; n < count * count && held[k]; n++) {
            G[MODES_MAX * (n / count) + n % count] += motion[n / count] * motion[n % count];
        }
    }
    return is_singular(count, G);
}

// Stretch or shear in the axes i and j, about the mass centre; round an axis only along it.
static void stretch(const cn_model *model, int i, int j, double *u)
{
    const cn_fem *fem = model->fem;
    for (int k = 0; k < fem->dof_count; k++) {
        const double *X = fem->X + fem->dim * (k / fem->dim);
        int d = k % fem->dim;
        u[k] = d == i ? X[j] - (&model->centre.x)[j] : d == j ? X[i] - (&model->centre.x)[i] : 0.0;
    }
}

// Square of the angular frequency of the slowest homogeneous stretch [1/s2]; work has 2 numbers per
// degree of freedom.
static double stretch_rate2(const cn_model *model, double *work)
{
    const cn_fem *fem = model->fem;
    double least = INFINITY, *u = work, *y = work + fem->dof_count;
    bool is_round = fem->plane == CN_AXISYMMETRIC && fem->dim == 2;
    for (int i = is_round ? 1 : 0; i < fem->dim; i++) {
        for (int j = i; j < fem->dim; j++) {
            double energy = 0.0, inertia = 0.0;
            stretch(model, i, j, u);
            cn_fem_multiply(fem, model->K, u, y);
            for (int k = 0; k < fem->dof_count; k++) {
                energy += u[k] * y[k];
                inertia += fem->mass[k] * u[k] * u[k];
            }
            least = fmin(least, energy / inertia);
        }
    }
    return least;
}

double cn_deformable_fictitious_mass(const cn_deformables *m, const cn_deformable_work *p)
{
    double share = p->body->shift;
    return share > 0.0 ? share * m->h * m->h * stretch_rate2(p->model, p->work + 2 * p->n) : 0.0;
}

double cn_deformables_accuracy(const cn_deformables *m)
{
    for (int k = 0; k < m->count; k++) {
        if (m->body[k].is_floating) {
            return CN_LOOSE_SHARE;
        }
    }
    return 1.0;
}
