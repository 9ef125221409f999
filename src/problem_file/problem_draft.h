// problem_file/problem_draft.h -- a contact problem in the terms of the FCLIB layout, ready to be
// written.
#pragma once

#include "problem_file/problem_parts.h"

// The problem in the terms of the layout. Rows are renumbered: contacts first, then bilateral rows;
// rows without a place have the number -1. A contact of the file has `space_dim` rows:
//     cone     as it is; rows that it lacks (a cable, a contact that does not roll) stay empty
//     bounded  each row is the tangent of a contact of its own, with friction 1 under a normal
//              impulse that can only be the bound m: u_n = w (r_n - m)
// Over bodies W is kept as the factors G, which is a mass matrix of ones and H = G.
typedef struct cn_draft {
    const cn_problem *p;
    bool is_global, is_rolling;
    cn_sparse W, V, R;       // local
    cn_sparse G;             // global: degrees of freedom x all rows
    int *number;             // of each row of the problem in the file
    double *q;               // contacts, then s of the bilateral rows
    double *r;               // r + r0, likewise
    double *u;               // velocities, likewise
    double *guess, *u_guess; // the same for the first guess, if there is one
    double *mu, *mu_roll;
    int contact_count, contact_rows, bilateral_rows, space_dim;
} cn_draft;

// Makes the draft of a problem; `note` says whether it has a solution and a guess. To be freed also
// after a failure.
cn_status cn_draft_make(const cn_problem *p, const cn_problem_note *note, cn_draft *d,
                        cn_error *err);
void cn_draft_free(cn_draft *d);

// Rows of the file: of contacts and of bilateral constraints.
int cn_draft_rows(const cn_draft *d);
