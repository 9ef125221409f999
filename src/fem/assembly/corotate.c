// fem/assembly/corotate.c -- linear strains in axes that turn with each element (theory 10.8
// to 10.10). In the plane the third components are zero and the formulas of space hold as they are.
#include <math.h>
#include <string.h>

#include "fem/assembly/element_work.h"
#include "math/tensor.h"

#define NODES CN_ELEMENT_NODES_MAX
#define DOFS CN_ELEMENT_DOFS_MAX

// The turned element: all vectors in its own axes, three components per node.
typedef struct turned {
    double R[9], U[9], H_inverse[9];
    double g[3 * NODES]; // mean gradients
    double x[3 * NODES]; // R^T x
    double y[3];         // H^-1 m
} turned;

// Mean gradient of the shape functions over the element.
static void mean_gradient(const cn_cell *c, double *g)
{
    double volume = 0.0;
    memset(g, 0, 3 * NODES * sizeof *g);
    for (int p = 0; p < c->point_count; p++) {
        volume += c->weight[p];
        for (int a = 0; a < c->n; a++) {
            for (int k = 0; k < c->dim; k++) {
                g[3 * a + k] += c->weight[p] * c->gradient[c->width * (c->n * p + a) + k];
            }
        }
    }
    for (int k = 0; k < 3 * c->n; k++) {
        g[k] /= volume;
    }
}

// (10.8); false if the element is turned inside out.
static bool find_axes(const cn_cell *c, const double *x, turned *t)
{
    double F[9] = {0.0}, Rt[9], H[9];
    mean_gradient(c, t->g);
    for (int a = 0; a < c->n; a++) {
        for (int i = 0; i < c->dim; i++) {
            for (int j = 0; j < c->dim; j++) {
                F[3 * i + j] += x[c->dim * a + i] * t->g[3 * a + j];
            }
        }
    }
    F[8] = c->dim == 2 ? 1.0 : F[8];
    if (!cn_tensor_polar(F, t->R)) {
        return false;
    }
    cn_tensor_transpose(t->R, Rt);
    cn_tensor_mul(Rt, F, t->U);
    double trace = t->U[0] + t->U[4] + t->U[8];
    for (int k = 0; k < 9; k++) {
        H[k] = (k % 4 == 0 ? trace : 0.0) - t->U[k];
    }
    cn_tensor_inverse(H, t->H_inverse);
    for (int a = 0; a < c->n; a++) {
        double at[3] = {0.0}; // from the first node: far from the origin no digits are lost
        for (int k = 0; k < c->dim; k++) {
            at[k] = x[c->dim * a + k] - x[k];
        }
        cn_tensor_apply(Rt, at, t->x + 3 * a);
    }
    return true;
}

// Turn of the axes by a unit step of one degree of freedom in turned axes (10.9).
static void turn_of(const cn_cell *c, const turned *t, int q, double omega[3])
{
    double unit[3] = {0.0}, axis[3];
    unit[q % c->dim] = 1.0;
    cn_tensor_cross(t->g + 3 * (q / c->dim), unit, axis);
    cn_tensor_apply(t->H_inverse, axis, omega);
}

// f_a -= (G^T m)_a, where y = H^-1 m: G^T m = y x g_a.
static void subtract_moment(const cn_cell *c, const turned *t, const double y[3], double *f)
{
    for (int a = 0; a < c->n; a++) {
        double part[3];
        cn_tensor_cross(y, t->g + 3 * a, part);
        for (int k = 0; k < c->dim; k++) {
            f[c->dim * a + k] -= part[k];
        }
    }
}

// sum of x_a x f_a, with x of three and f of dim components per node
static void moment_of(const cn_cell *c, const double *x, const double *f, double m[3])
{
    memset(m, 0, 3 * sizeof *m);
    for (int a = 0; a < c->n; a++) {
        double force[3] = {f[c->dim * a], f[c->dim * a + 1], c->dim == 3 ? f[c->dim * a + 2] : 0.0};
        double part[3];
        cn_tensor_cross(x + 3 * a, force, part);
        for (int k = 0; k < 3; k++) {
            m[k] += part[k];
        }
    }
}

// (dH) y for a unit step of q that turns the axes by omega: dH = tr(dU) - dU, dU = dF - Omega U.
static void change_of_H(const cn_cell *c, const turned *t, int q, const double omega[3],
                        double out[3])
{
    const double Omega[9] = {0.0,       -omega[2], omega[1], omega[2], 0.0,
                             -omega[0], -omega[1], omega[0], 0.0};
    double dU[9];
    cn_tensor_mul(Omega, t->U, dU);
    for (int k = 0; k < 9; k++) {
        dU[k] = -dU[k];
    }
    for (int j = 0; j < 3; j++) {
        dU[3 * (q % c->dim) + j] += t->g[3 * (q / c->dim) + j];
    }
    double trace = dU[0] + dU[4] + dU[8];
    cn_tensor_apply(dU, t->y, out);
    for (int k = 0; k < 3; k++) {
        out[k] = trace * t->y[k] - out[k];
    }
}

// The element in turned axes as small strains see it.
typedef struct small_strain {
    const double *f;         // forces, before their moment is subtracted
    double K[DOFS * DOFS];   // tangent
    double K_turn[3 * DOFS]; // its product with the three rotations of the element
} small_strain;

// Column q of the tangent in turned axes (10.10); `f` are the forces without their moment.
static void make_column(const cn_cell *c, const turned *t, const small_strain *small,
                        const double *f, int q, double *column)
{
    int nd = c->n * c->dim;
    double omega[3], du[3 * NODES], m[3], part[3], dm[3], dHy[3], y[3];
    turn_of(c, t, q, omega);
    for (int a = 0; a < c->n; a++) {
        cn_tensor_cross(t->x + 3 * a, omega, du + 3 * a);
    }
    du[3 * (q / c->dim) + q % c->dim] += 1.0;
    for (int i = 0; i < nd; i++) { // K du
        const double *turn = small->K_turn + 3 * i;
        column[i] =
            small->K[nd * q + i] + turn[0] * omega[0] + turn[1] * omega[1] + turn[2] * omega[2];
    }
    moment_of(c, t->x, column, dm);
    moment_of(c, du, small->f, m);
    change_of_H(c, t, q, omega, dHy);
    for (int k = 0; k < 3; k++) {
        dm[k] += m[k] - dHy[k];
    }
    cn_tensor_apply(t->H_inverse, dm, y);
    subtract_moment(c, t, y, column);
    for (int a = 0; a < c->n; a++) {
        double force[3] = {f[c->dim * a], f[c->dim * a + 1], c->dim == 3 ? f[c->dim * a + 2] : 0.0};
        cn_tensor_cross(omega, force, part);
        for (int k = 0; k < c->dim; k++) {
            column[c->dim * a + k] += part[k];
        }
    }
}

// K times the motions x_a x e_k.
static void turn_stiffness(const cn_cell *c, const turned *t, const double *K, double *K_turn)
{
    int nd = c->n * c->dim;
    for (int i = 0; i < nd; i++) {
        double m[3];
        moment_of(c, t->x, K + nd * i, m);
        for (int k = 0; k < 3; k++) {
            K_turn[3 * i + k] = -m[k]; // row . (x x e_k) = - (x x row)_k
        }
    }
}

// Blocks of a matrix, or a vector, into world axes.
static void turn_vector(const cn_cell *c, const double R[9], double *v)
{
    for (int a = 0; a < c->n; a++) {
        double *at = v + c->dim * a, out[3] = {0.0};
        for (int i = 0; i < c->dim; i++) {
            for (int j = 0; j < c->dim; j++) {
                out[i] += R[3 * i + j] * at[j];
            }
        }
        memcpy(at, out, (size_t)c->dim * sizeof *at);
    }
}

static void turn_matrix(const cn_cell *c, const double R[9], double *K)
{
    int nd = c->n * c->dim;
    for (int i = 0; i < nd; i++) {
        turn_vector(c, R, K + nd * i);
    }
    for (int j = 0; j < nd; j++) {
        double column[DOFS];
        for (int i = 0; i < nd; i++) {
            column[i] = K[nd * i + j];
        }
        turn_vector(c, R, column);
        for (int i = 0; i < nd; i++) {
            K[nd * i + j] = column[i];
        }
    }
}

static void make_tangent(const cn_cell *c, const turned *t, const double *f_small, cn_cell_sums *s)
{
    int nd = c->n * c->dim;
    double column[DOFS];
    small_strain small;
    small.f = f_small;
    for (int i = 0; i < nd; i++) {
        for (int j = 0; j < nd; j++) {
            small.K[nd * i + j] = s->K[i < j ? nd * i + j : nd * j + i];
        }
    }
    turn_stiffness(c, t, small.K, small.K_turn);
    for (int q = 0; q < nd; q++) {
        make_column(c, t, &small, s->f, q, column);
        for (int i = 0; i < nd; i++) {
            s->K[nd * i + q] = column[i];
        }
    }
    turn_matrix(c, t->R, s->K);
}

// Stress and strain of all points into world axes (10.37).
static void turn_points(const cn_cell *c, const double R[9])
{
    for (int p = 0; p < c->point_count; p++) {
        double A[9], turned_A[9];
        cn_tensor_full(c->stress + 6 * p, 1.0, A);
        cn_tensor_turn(R, A, turned_A);
        cn_tensor_voigt(turned_A, 1.0, c->stress + 6 * p);
        cn_tensor_full(c->strain + 6 * p, 0.5, A);
        cn_tensor_turn(R, A, turned_A);
        cn_tensor_voigt(turned_A, 2.0, c->strain + 6 * p);
    }
}

bool cn_cell_corotate(const cn_cell *c, const double *x, cn_cell_sums *s)
{
    int nd = c->n * c->dim;
    double X[DOFS], u[DOFS], f_small[DOFS], m[3];
    turned t;
    if (!find_axes(c, x, &t)) {
        return false;
    }
    cn_cell_gather(c, c->fem->X, X);
    for (int q = 0; q < nd; q++) {
        u[q] = t.x[3 * (q / c->dim) + q % c->dim] - (X[q] - X[q % c->dim]);
    }
    if (!cn_cell_small(c, u, s)) {
        return false;
    }
    if (c->stress != NULL) {
        turn_points(c, t.R);
    }
    memcpy(f_small, s->f, (size_t)nd * sizeof *f_small);
    moment_of(c, t.x, f_small, m);
    cn_tensor_apply(t.H_inverse, m, t.y);
    subtract_moment(c, &t, t.y, s->f);
    if (c->wants_tangent) {
        make_tangent(c, &t, f_small, s);
    }
    turn_vector(c, t.R, s->f);
    return true;
}
