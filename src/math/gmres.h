// math/gmres.h -- generalized minimal residuals with a preconditioner on the right, no restart.
#pragma once

#include "cairn/base.h"

enum { CN_GMRES_MAX = 60 }; // vectors

// y = A x, or y = P^-1 x; x and y differ.
typedef cn_status cn_gmres_map(void *context, const double *x, double *y, cn_error *err);

typedef struct cn_gmres {
    int size;
    cn_gmres_map *multiply, *precondition;
    void *context;
    double tol;        // on |b - A x| / |b|
    double *work;      // cn_gmres_work(size) numbers
    int vector_count;  // out: vectors used
    bool is_converged; // out
} cn_gmres;

size_t cn_gmres_work(int size);

// x = A^-1 b to the tolerance, or the best in CN_GMRES_MAX vectors; x and b differ.
cn_status cn_gmres_solve(cn_gmres *g, const double *b, double *x, cn_error *err);
