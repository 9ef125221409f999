// solve/problem/blocks.h -- products with the block of G of one side of a constraint, stored or
// given by the geometry of the contact (4.8). Sizes passed as literals make all loops unroll.
#pragma once

#include "cairn/solver.h"

// u += G^T w for one side.
static inline void cn_gather(int rows, int dof, const double *G, const double *w, double *u)
{
    for (int k = 0; k < rows; k++) {
        for (int d = 0; d < dof; d++) {
            u[k] += G[dof * k + d] * w[d];
        }
    }
}

// w += G dr for one side.
static inline void cn_scatter(int rows, int dof, const double *G, const double *dr, double *w)
{
    for (int d = 0; d < dof; d++) {
        for (int k = 0; k < rows; k++) {
            w[d] += G[dof * k + d] * dr[k];
        }
    }
}

// Third side of a constraint: the periodic cell, the last body; its place in w is that of the
// problem.
enum { CN_SIDE_CELL = 2 };

static inline int cn_cell_dof_of(const cn_factors *f)
{
    return f->cell == NULL ? 0 : f->dof_start[f->body_count] - f->dof_start[f->body_count - 1];
}

static inline int cn_cell_w(const cn_factors *f)
{
    return f->dof_start[f->body_count - 1];
}

// A side of a contact that is given by its geometry.
typedef struct cn_geometry {
    const double *n, *t1, *arm;
    const double *S, *F; // A^-1/2 of the body: diagonal, rows
    double sign;
} cn_geometry;

static inline bool cn_is_geometry(const cn_factors *f, int a)
{
    return f->block_start[2 * a] < 0;
}

static inline cn_geometry cn_geometry_of(const cn_factors *f, int a, int side)
{
    const double *x = f->G + ~f->block_start[2 * a + side];
    const double *root = f->root + CN_ROOT_SIZE * f->body[2 * a + side];
    return (cn_geometry){x, x + 3, x + 6 + 3 * side, root, root + 3, side == 0 ? 1.0 : -1.0};
}

static inline void cn_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

// u += G^T w: with (arm x a) . y = a . (y x arm) all rows share one vector.
static inline void cn_geometry_gather(const cn_geometry *x, const double *w, double *u)
{
    double y[3], z[3], t2[3];
    for (int d = 0; d < 3; d++) {
        y[d] = x->F[d] * w[3] + x->F[3 + d] * w[4] + x->F[6 + d] * w[5];
    }
    cn_cross(y, x->arm, z);
    cn_cross(x->n, x->t1, t2);
    for (int d = 0; d < 3; d++) {
        z[d] = x->sign * (z[d] + x->S[d] * w[d]);
    }
    cn_gather(1, 3, x->n, z, u);
    cn_gather(1, 3, x->t1, z, u + 1);
    cn_gather(1, 3, t2, z, u + 2);
}

// w += G dr.
static inline void cn_geometry_scatter(const cn_geometry *x, const double *dr, double *w)
{
    double push[3], twist[3], t2[3];
    cn_cross(x->n, x->t1, t2);
    for (int d = 0; d < 3; d++) {
        push[d] = x->sign * (x->n[d] * dr[0] + x->t1[d] * dr[1] + t2[d] * dr[2]);
        w[d] += x->S[d] * push[d];
    }
    cn_cross(x->arm, push, twist);
    cn_gather(3, 3, x->F, twist, w + 3);
}

// The same for a side in either form, of a constraint with `rows` rows on a body of `dof` degrees
// of freedom; 0: there is none.
static inline void cn_side_gather(const cn_factors *f, int a, int side, int rows, int dof,
                                  const double *w, double *u)
{
    if (dof == 0) {
        return;
    }
    int at = f->block_start[2 * a + side];
    if (at < 0) {
        cn_geometry x = cn_geometry_of(f, a, side);
        cn_geometry_gather(&x, w, u);
    } else if (rows == 3 && dof == 6) {
        cn_gather(3, 6, f->G + at, w, u);
    } else if (rows == 2 && dof == 3) {
        cn_gather(2, 3, f->G + at, w, u);
    } else {
        cn_gather(rows, dof, f->G + at, w, u);
    }
}

static inline void cn_side_scatter(const cn_factors *f, int a, int side, int rows, int dof,
                                   const double *dr, double *w)
{
    if (dof == 0) {
        return;
    }
    int at = f->block_start[2 * a + side];
    if (at < 0) {
        cn_geometry x = cn_geometry_of(f, a, side);
        cn_geometry_scatter(&x, dr, w);
    } else if (rows == 3 && dof == 6) {
        cn_scatter(3, 6, f->G + at, dr, w);
    } else if (rows == 2 && dof == 3) {
        cn_scatter(2, 3, f->G + at, dr, w);
    } else {
        cn_scatter(rows, dof, f->G + at, dr, w);
    }
}
