// body/deformable/iteration_matrix.h -- factors of iteration matrices A = M + theta h C + theta^2
// h^2 K, theory 11.3.
//
// Small bodies have a dense Cholesky factor, large ones that of CHOLMOD together with the
// responses A^-1 of the nodes that contacts have asked for. Bodies with the same matrix share one.
#pragma once

#include "fem/assembly/fem.h"
#include "math/factor.h"
#include "math/inverse_blocks.h"

enum { CN_DENSE_MAX = 96 }; // degrees of freedom of a small body

typedef struct cn_iteration_matrix {
    // What the matrix depends on.
    int model; // -1: not used
    int owner; // body it belongs to alone, -1: shared
    double h, theta;
    bool is_static, is_mass_only;
    unsigned char *held;
    int users;
    int size, dim;
    bool is_current; // numbers are those of the matrix above
    int number;      // of the factorization, none is used twice
    // Small.
    double *L; // size x size, rows first, lower triangle
    // Large.
    cn_factor *sparse;
    cn_sparse A; // upper triangle, on the pattern of the model; values are kept by an owner only
    // Responses of nodes (11.20): for the active nodes a <= b in order of arrival the dim x dim
    // block of A^-1 at b (b+1)/2 + a, rows of a first.
    int active_count;
    int *active;       // nodes
    int *active_place; // per node, -1: not active
    int *strip_place;  // places of active nodes in the order of strips
    double *response;
    cn_roots roots; // of active nodes, strip after strip, if kept
    size_t held_capacity, L_capacity, value_capacity, active_capacity, place_capacity,
        strip_place_capacity, response_capacity;
} cn_iteration_matrix;

typedef struct cn_factors_list {
    int count;
    cn_iteration_matrix *item;
    size_t capacity;
    int factorization_count; // since the start, for tests and reports
    size_t solve_count;      // columns of responses, likewise
    int thread_count;        // that find responses; the bits do not depend on it
    cn_scratch_block room;   // what finding them may use and give back
    double kept_flops;       // roots that take as much or more to find again are kept
} cn_factors_list;

void cn_factors_free(const cn_hooks *hooks, cn_factors_list *list);

// A factor with that description, shared if there is one; otherwise a free or new one that is not
// current. owner >= 0 asks for one of its own.
cn_status cn_factors_find(const cn_hooks *hooks, cn_factors_list *list,
                          const cn_iteration_matrix *like, int *found, cn_error *err);
void cn_factors_leave(cn_factors_list *list, int n);

// Whether a factor is that of the description.
bool cn_iteration_matrix_fits(const cn_iteration_matrix *factor, const cn_iteration_matrix *like);

// Factors the matrix with the values on the pattern of fem; held degrees of freedom get the unit
// matrix, in `value` itself if the factor has no owner.
cn_status cn_iteration_matrix_set(const cn_hooks *hooks, cn_iteration_matrix *factor,
                                  const cn_fem *fem, double *value, cn_error *err);

// x = A^-1 b; b may be x.
cn_status cn_iteration_matrix_solve(cn_iteration_matrix *factor, const double *b, double *x,
                                    cn_error *err);

// G = L^-1 H in place, small bodies only.
void cn_iteration_matrix_root(const cn_iteration_matrix *factor, int rows, double *H);

// Makes the responses of these nodes known.
cn_status cn_iteration_matrix_activate(const cn_hooks *hooks, cn_factors_list *list, int n,
                                       const int *node, int count, cn_error *err);
