// solve/problem/extract.h -- some constraints of a problem over bodies, as a problem of its own.
//
// The impulses of all others stay as they are: a principal part of W, with u_free' = u - W_pp r_p
// (theory chapter 13, "Subproblems"). It knows its own bodies and constraints only, so that its
// cost does not depend on the size of the whole.
#pragma once

#include "solve/solver.h"

typedef struct cn_extract {
    int *constraint; // those of the part, in the order of visits
    int count, row_count, body_count, dof_count;
    cn_problem problem; // after cn_extract_copy; its arrays belong to the part
    int *local;         // of the bodies of the whole: number in the part; -1: none
    int *integers;
    double *numbers;
    unsigned char *kind;
    double *u_free, *w;
    size_t constraint_capacity, local_capacity, integers_capacity, numbers_capacity, kind_capacity;
} cn_extract;

void cn_extract_release(cn_extract *x, const cn_hooks *hooks);
size_t cn_extract_bytes(const cn_extract *x);

// An empty part of p, with room for so many constraints.
cn_status cn_extract_begin(cn_extract *x, const cn_hooks *hooks, const cn_problem *p, int most,
                           cn_error *err);

// Adds a constraint, for which there is room; bodies are numbered as constraints name them.
void cn_extract_add(cn_extract *x, const cn_problem *p, const cn_packed *c);

// Copies the part of p at p->r and u, the velocities of the whole.
cn_status cn_extract_copy(cn_extract *x, const cn_hooks *hooks, const cn_problem *p,
                          const double *u, cn_error *err);

// Makes the impulses of the part those of p.
void cn_extract_return(const cn_extract *x, const cn_problem *p);
