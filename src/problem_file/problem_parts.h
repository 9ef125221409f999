// problem_file/problem_parts.h -- what the files problem_*.c share: a problem as stored and as
// solved.
#pragma once

#include "cairn/problem_file.h"
#include "problem_file/sparse_entries.h"

// Block rows that own their arrays.
typedef struct cn_row_store {
    int *row, *column, *block_start;
    double *block;
} cn_row_store;

// Bodies and factors G that own their arrays; body_count 0: there are none.
typedef struct cn_body_store {
    int body_count;
    int *dof_start, *body, *block_start;
    double *G;
} cn_body_store;

// Factors of a mass matrix that falls apart into small blocks: one dense LU with row exchanges per
// set of degrees of freedom that M couples.
typedef struct cn_mass {
    int dof_count, part_count;
    int *part;       // of each degree of freedom
    int *place;      // of each degree of freedom in its part
    int *part_start; // part_count + 1: its degrees of freedom in `member`
    int *member;
    size_t *factor_start; // part_count: its LU in `factor`, row-major
    double *factor;
    int *pivot; // by part_start: row exchanged at each step
} cn_mass;

struct cn_problem_file {
    cn_problem_info info;
    cn_problem problem; // its arrays are those below
    char *title, *description;
    int row_count;
    cn_sparse W; // local: as stored, with V, R and their mirror; global: the reduction, or nothing
                 // where bodies are kept
    cn_sparse M; // global problems: M, [H G] and f
    cn_sparse H;
    double *f;
    double *w; // of [H G]
    cn_mass mass;
    cn_row_store rows;
    cn_body_store bodies;
    double *q; // u_free
    double *mu, *mu_roll, *r, *solution, *guess;
    int *row_start;
    unsigned char *kind;
};

// Blocks of a sorted W for constraints with the given rows; W must hold the first entry of every
// diagonal block, be it zero.
cn_status cn_row_store_make(const cn_sparse *W, int constraint_count, const int *row_start,
                            cn_row_store *store, cn_error *err);
void cn_row_store_free(cn_row_store *store);

// Adds a zero at the first entry of every diagonal block that has none there.
cn_status cn_sparse_add_diagonal(cn_sparse *W, int constraint_count, const int *row_start,
                                 cn_error *err);

// Adds all entries of an operator, factors and rows, to W.
cn_status cn_sparse_add_operator(const cn_problem *p, cn_sparse *W, cn_error *err);

// The bodies of a global problem with sorted M and H, `size` degrees of freedom each; none if M and
// H do not fall apart in this way.
cn_status cn_body_store_make(const cn_sparse *M, const cn_sparse *H, int size, int constraint_count,
                             const int *row_start, cn_body_store *store, cn_error *err);
void cn_body_store_free(cn_body_store *store);

// Factorizes a sorted M; `name` is used in messages.
cn_status cn_mass_factorize(const cn_sparse *M, const char *name, cn_mass *mass, cn_error *err);
void cn_mass_free(cn_mass *mass);

// x = M^-1 x.
void cn_mass_solve(const cn_mass *mass, double *x);

// Adds H^T M^-1 H to W, for a sorted H.
cn_status cn_mass_reduce(const cn_mass *mass, const cn_sparse *H, cn_sparse *W, cn_error *err);

// The diagonal of H^T M^-1 H alone, for a sorted H.
void cn_mass_diagonal(const cn_mass *mass, const cn_sparse *H, double *diagonal);
