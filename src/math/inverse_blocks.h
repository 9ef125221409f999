// math/inverse_blocks.h -- blocks of A^-1 from columns of Z = L^-1 P E, theory 11.20: E^T A^-1 E =
// Z^T Z.
//
// A column of Z that belongs to a unit vector is not zero only on the way from its supernode to the
// root of the tree, and two columns meet only where their ways have met: no right side is solved
// over the whole factor, and nothing is solved back. Columns are kept in strips, side by side. An
// entry of A^-1 has the same bits whatever strips its columns are in and whoever asks for it when.
#pragma once

#include "base/memory.h"
#include "math/strip.h"
#include "math/supernodes.h"

enum { CN_STRIP_WIDTH = 48 }; // columns of a strip at most

// A supernode on the way of a strip, and the row of the strip where its columns begin.
typedef struct cn_root_step {
    int node, row;
} cn_root_step;

typedef struct cn_root_strip {
    int count, groups;       // columns, and groups of eight
    int dof[CN_STRIP_WIDTH]; // unit vectors, -1: zero instead
    int rows;
    int step_start, step_count;
    size_t start; // in Z
} cn_root_strip;

typedef struct cn_roots {
    int count;
    cn_root_strip *strip;
    cn_root_step *step;
    double *Z;
    int *row_of; // scratch: per thread and supernode, where its columns begin
    int *mark;   // scratch per supernode
    int stamp;
    size_t strip_capacity, step_capacity, Z_capacity, row_of_capacity, mark_capacity;
} cn_roots;

void cn_roots_free(const cn_hooks *hooks, cn_roots *roots);

// Plans one more strip for these unit vectors.
cn_status cn_roots_add(const cn_hooks *hooks, cn_roots *roots, const cn_supernodes *L, int count,
                       const int *dof, cn_error *err);

// Forgets strips from number `count` on.
void cn_roots_cut(cn_roots *roots, int count);

// Computes strips from number `first` on.
cn_status cn_roots_find(const cn_hooks *hooks, cn_roots *roots, const cn_supernodes *L, int first,
                        int threads, cn_error *err);

// What that takes for all strips [floating point operations].
double cn_roots_flops(const cn_roots *roots, const cn_supernodes *L);

// The block of A^-1 between two strips, a row for each column of s, CN_STRIP_STEP t->groups numbers
// each.
void cn_roots_product(const cn_roots *roots, const cn_root_strip *s, const cn_root_strip *t,
                      double *tile);
