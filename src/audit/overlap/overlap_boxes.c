// audit/overlap/overlap_boxes.c -- a tree of boxes, halved at the median of their middles.
#include "audit/overlap/overlap.h"

enum { LEAF = 4 };

const cn_box3 cn_deep_no_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

double cn_deep_box_distance(const cn_box3 *box, cn_vec3 p)
{
    double x = cn_deep_max(cn_deep_max(box->lo.x - p.x, p.x - box->hi.x), 0.0);
    double y = cn_deep_max(cn_deep_max(box->lo.y - p.y, p.y - box->hi.y), 0.0);
    double z = cn_deep_max(cn_deep_max(box->lo.z - p.z, p.z - box->hi.z), 0.0);
    return sqrt(x * x + y * y + z * z);
}

// Twice the middle of a box along an axis.
static double middle(const cn_box3 *box, int axis)
{
    const double *lo = &box->lo.x, *hi = &box->hi.x;
    return lo[axis] + hi[axis];
}

// Brings the item that belongs to place `at` of the order along an axis there, smaller ones before
// it.
static void select_item(const cn_box3 *box, int axis, int *item, int count, int at)
{
    int lo = 0, hi = count - 1;
    while (lo < hi) {
        double pivot = middle(&box[item[(lo + hi) / 2]], axis);
        int i = lo, j = hi;
        while (i <= j) {
            while (middle(&box[item[i]], axis) < pivot) {
                i++;
            }
            while (middle(&box[item[j]], axis) > pivot) {
                j--;
            }
            if (i <= j) {
                int swapped = item[i];
                item[i++] = item[j];
                item[j--] = swapped;
            }
        }
        if (at <= j) {
            hi = j;
        } else if (at >= i) {
            lo = i;
        } else {
            return;
        }
    }
}

static int longest_axis(const cn_box3 *box)
{
    cn_vec3 d = cn_sub3(box->hi, box->lo);
    return d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
}

// Makes the node of items first .. first + count - 1 and those below it; returns its number.
static int build(cn_deep_tree *tree, const cn_box3 *box, int first, int count)
{
    int n = tree->node_count++;
    cn_deep_node *node = &tree->node[n];
    node->box = cn_deep_no_box;
    for (int k = first; k < first + count; k++) {
        cn_deep_box_add(&node->box, box[tree->item[k]].lo);
        cn_deep_box_add(&node->box, box[tree->item[k]].hi);
    }
    node->first = first;
    node->count = count;
    if (count > LEAF) {
        int half = count / 2;
        select_item(box, longest_axis(&node->box), tree->item + first, count, half);
        build(tree, box, first, half);
        node->first = build(tree, box, first + half, count - half);
        node->count = 0;
    }
    return n;
}

cn_status cn_deep_tree_build(const cn_hooks *hooks, const cn_box3 *box, int count,
                             cn_deep_tree *tree, cn_error *err)
{
    size_t items = 0, nodes = 0;
    *tree = (cn_deep_tree){.item_count = count};
    CN_TRY(cn_reserve(hooks, &tree->item, &items, (size_t)count, err));
    cn_status status = cn_reserve(hooks, &tree->node, &nodes, (size_t)count + 1, err);
    if (status != CN_OK) {
        cn_deep_tree_free(hooks, tree);
        return status;
    }
    for (int k = 0; k < count; k++) {
        tree->item[k] = k;
    }
    if (count > 0) {
        build(tree, box, 0, count);
    }
    return CN_OK;
}

void cn_deep_tree_free(const cn_hooks *hooks, cn_deep_tree *tree)
{
    cn_release(hooks, tree->item);
    cn_release(hooks, tree->node);
    *tree = (cn_deep_tree){0};
}

cn_deep_walk cn_deep_walk_in(const cn_deep_tree *tree, cn_box3 box)
{
    cn_deep_walk walk = {.tree = tree, .box = box};
    walk.height = tree->node_count > 0;
    return walk;
}

int cn_deep_walk_next(cn_deep_walk *walk)
{
    while (walk->next == walk->end) {
        if (walk->height == 0) {
            return -1;
        }
        int n = walk->stack[--walk->height];
        const cn_deep_node *node = &walk->tree->node[n];
        if (!cn_deep_boxes_meet(&node->box, &walk->box)) {
            continue;
        }
        if (node->count > 0) {
            walk->next = node->first;
            walk->end = node->first + node->count;
        } else {
            walk->stack[walk->height++] = node->first;
            walk->stack[walk->height++] = n + 1;
        }
    }
    return walk->tree->item[walk->next++];
}
