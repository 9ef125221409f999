// geometry/surface/box_tree.h -- boxes in a balanced binary tree: in the order of a curve that
// fills space, halved again and again.
#pragma once

#include "cairn/surface.h"

typedef struct cn_box {
    double lo[3], hi[3]; // [m]
} cn_box;

typedef struct cn_tree {
    int count;     // items
    int leaf_from; // first leaf node: nodes 1 .. 2 leaf_from - 1, children of n are 2 n and 2 n + 1
    int *order;    // items along the curve
    cn_box *box;   // of each node; empty ones have lo > hi
} cn_tree;

// Item k has box[k].
cn_status cn_tree_make(const cn_box *box, int count, cn_tree *tree, cn_error *err);
void cn_tree_free(cn_tree *tree);

// Calls `visit` for each item of the leaves that touch the box, until it returns false. Returns
// whether it never did.
bool cn_tree_visit(const cn_tree *tree, const cn_box *box, bool (*visit)(void *context, int item),
                   void *context);

cn_box cn_box_empty(void);
void cn_box_join(cn_box *to, const cn_box *other);
cn_box cn_triangle_box(const cn_surface *s, int t);

static inline bool cn_box_touches(const cn_box *a, const cn_box *b)
{
    for (int k = 0; k < 3; k++) {
        if (!(a->lo[k] <= b->hi[k] && b->lo[k] <= a->hi[k])) {
            return false;
        }
    }
    return true;
}

// Whether b lies within a.
static inline bool cn_box_contains(const cn_box *a, const cn_box *b)
{
    for (int k = 0; k < 3; k++) {
        if (!(a->lo[k] <= b->lo[k] && b->hi[k] <= a->hi[k])) {
            return false;
        }
    }
    return true;
}
