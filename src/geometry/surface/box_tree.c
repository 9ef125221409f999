// geometry/surface/box_tree.c
#include "geometry/surface/box_tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/morton.h"
#include "geometry/surface/topology.h"

enum { LEAF = 4 }; // items of a leaf

cn_box cn_triangle_box(const cn_surface *s, int t)
{
    const int *corner = cn_corners(s, t);
    cn_box box;
    for (int k = 0; k < 3; k++) {
        double a = s->vertex[3 * (size_t)corner[0] + (size_t)k];
        double b = s->vertex[3 * (size_t)corner[1] + (size_t)k];
        double c = s->vertex[3 * (size_t)corner[2] + (size_t)k];
        box.lo[k] = fmin(a, fmin(b, c));
        box.hi[k] = fmax(a, fmax(b, c));
    }
    return box;
}

cn_box cn_box_empty(void)
{
    return (cn_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

void cn_box_join(cn_box *to, const cn_box *other)
{
    for (int k = 0; k < 3; k++) {
        to->lo[k] = fmin(to->lo[k], other->lo[k]);
        to->hi[k] = fmax(to->hi[k], other->hi[k]);
    }
}

typedef struct curve_place {
    uint64_t code;
    int item;
} curve_place;

static int compare(const void *a, const void *b)
{
    const curve_place *p = a, *q = b;
    if (p->code != q->code) {
        return p->code < q->code ? -1 : 1;
    }
    return (p->item > q->item) - (p->item < q->item);
}

static uint64_t code_of(const cn_box *box, const cn_box *all)
{
    uint64_t code = 0;
    for (int k = 0; k < 3; k++) {
        double size = all->hi[k] - all->lo[k];
        double middle = 0.5 * box->lo[k] + 0.5 * box->hi[k];
        double share = size > 0.0 ? (middle - all->lo[k]) / size : 0.0;
        share = share >= 0.0 ? fmin(share, 1.0) : 0.0; // also catches an infinite size
        code |= cn_spread_by_three((uint64_t)(share * 2097151.0)) << k;
    }
    return code;
}

static void fill(const cn_box *box, cn_tree *tree, curve_place *place)
{
    cn_box all = cn_box_empty();
    for (int k = 0; k < tree->count; k++) {
        cn_box_join(&all, &box[k]);
    }
    for (int k = 0; k < tree->count; k++) {
        place[k] = (curve_place){code_of(&box[k], &all), k};
    }
    qsort(place, (size_t)tree->count, sizeof *place, compare);
    for (int n = 0; n < 2 * tree->leaf_from; n++) {
        tree->box[n] = cn_box_empty();
    }
    for (int k = 0; k < tree->count; k++) {
        tree->order[k] = place[k].item;
        cn_box_join(&tree->box[tree->leaf_from + k / LEAF], &box[place[k].item]);
    }
    for (int n = tree->leaf_from - 1; n >= 1; n--) {
        cn_box_join(&tree->box[n], &tree->box[2 * n]);
        cn_box_join(&tree->box[n], &tree->box[2 * n + 1]);
    }
}

cn_status cn_tree_make(const cn_box *box, int count, cn_tree *tree, cn_error *err)
{
    *tree = (cn_tree){.count = count, .leaf_from = 1};
    while ((int64_t)tree->leaf_from * LEAF < tree->count) {
        tree->leaf_from *= 2;
    }
    tree->order = malloc(((size_t)count + 1) * sizeof *tree->order);
    tree->box = malloc(2 * (size_t)tree->leaf_from * sizeof *tree->box);
    curve_place *place = malloc(((size_t)count + 1) * sizeof *place);
    if (tree->order == NULL || tree->box == NULL || place == NULL) {
        free(place);
        cn_tree_free(tree);
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a tree of %d boxes", count);
    }
    fill(box, tree, place);
    free(place);
    return CN_OK;
}

void cn_tree_free(cn_tree *tree)
{
    free(tree->order);
    free(tree->box);
    *tree = (cn_tree){0};
}

static bool visit_leaf(const cn_tree *tree, int leaf, bool (*visit)(void *context, int item),
                       void *context)
{
    int first = leaf * LEAF;
    for (int k = first; k < first + LEAF && k < tree->count; k++) {
        if (!visit(context, tree->order[k])) {
            return false;
        }
    }
    return true;
}

bool cn_tree_visit(const cn_tree *tree, const cn_box *box, bool (*visit)(void *context, int item),
                   void *context)
{
    int stack[64], depth = 0;
    stack[depth++] = 1;
    while (depth > 0) {
        int n = stack[--depth];
        if (!cn_box_touches(&tree->box[n], box)) {
            continue;
        }
        if (n < tree->leaf_from) {
            stack[depth++] = 2 * n + 1;
            stack[depth++] = 2 * n;
        } else if (!visit_leaf(tree, n - tree->leaf_from, visit, context)) {
            return false;
        }
    }
    return true;
}
