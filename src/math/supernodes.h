// math/supernodes.h -- a Cholesky factor as blocks of columns: what a reader of it has to know.
//
// P A P^T = L L^T. Columns first[k] .. first[k+1]-1 of L make supernode k; all have the rows
// row[row_start[k]] .. row[row_start[k+1]-1], ascending, its own columns first. Rows that follow
// them belong to supernodes on the way from k along `parent` to the root.
#pragma once

typedef struct cn_supernodes {
    int size, count;
    const int *first;     // count + 1
    const int *row_start; // count + 1
    const int *row;
    const int *value_start; // count + 1: block k begins there, by columns
    const double *value;
    const int *order;  // row of A at each place of L
    const int *place;  // and back
    const int *of;     // supernode of each column of L
    const int *parent; // of each supernode, -1: root
} cn_supernodes;
