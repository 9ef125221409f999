// geometry/surface/topology.c -- half-edges sorted by their two ends in two passes of counting:
// linear, and the same for the same input.
#include "geometry/surface/topology.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// One pass of counting: from[] reordered into to[] by one key.
static void count_pass(int count, int key_count, const int *key, int key_max, const int *from,
                       int *to, int *start)
{
    memset(start, 0, ((size_t)key_max + 2) * sizeof *start);
    for (int k = 0; k < count; k++) {
        start[key[(size_t)k * (size_t)key_count] + 1]++;
    }
    for (int v = 0; v <= key_max; v++) {
        start[v + 1] += start[v];
    }
    for (int n = 0; n < count; n++) {
        int k = from[n];
        to[start[key[(size_t)k * (size_t)key_count]]++] = k;
    }
}

cn_status cn_sort_keys(int count, int key_count, const int *key, int key_max, int *order,
                       cn_error *err)
{
    int *other = malloc(((size_t)count + 1) * sizeof *other);
    int *start = malloc(((size_t)key_max + 3) * sizeof *start);
    if (other == NULL || start == NULL) {
        free(other);
        free(start);
        return cn_fail(err, CN_NO_MEMORY, "out of memory to sort %d entries", count);
    }
    for (int k = 0; k < count; k++) {
        order[k] = k;
    }
    for (int pass = 0; pass < key_count; pass++) {
        count_pass(count, key_count, key + pass, key_max, order, other, start);
        memcpy(order, other, (size_t)count * sizeof *order);
    }
    free(other);
    free(start);
    return CN_OK;
}

int cn_root_of(int *parent, int k)
{
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

void cn_unite(int *parent, int a, int b)
{
    int p = cn_root_of(parent, a), q = cn_root_of(parent, b);
    if (p < q) {
        parent[q] = p;
    } else {
        parent[p] = q;
    }
}

void cn_unite_corners(const cn_surface *s, int *parent, int g, int h)
{
    int g_to = g % 3 == 2 ? g - 2 : g + 1, h_to = h % 3 == 2 ? h - 2 : h + 1;
    bool is_same_way = s->triangle[g] == s->triangle[h];
    cn_unite(parent, g, is_same_way ? h : h_to);
    cn_unite(parent, g_to, is_same_way ? h_to : h);
}

// Keys of each half-edge that counts: larger end, smaller end. Returns how many there are.
static int list_halves(const cn_surface *s, int *half, int *key)
{
    int count = 0;
    for (int t = 0; t < s->triangle_count; t++) {
        if (cn_is_collapsed(cn_corners(s, t))) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            int a = cn_half_from(s, 3 * t + k), b = cn_half_to(s, 3 * t + k);
            key[2 * (size_t)count] = a > b ? a : b;
            key[2 * (size_t)count + 1] = a > b ? b : a;
            half[count++] = 3 * t + k;
        }
    }
    return count;
}

static cn_status sort_halves(cn_topology *topology, int *half, int *key, int *order, cn_error *err)
{
    const cn_surface *s = topology->s;
    int count = list_halves(s, half, key);
    CN_TRY(cn_sort_keys(count, 2, key, s->vertex_count, order, err));
    for (int n = 0; n < count; n++) {
        size_t k = 2 * (size_t)order[n], before = n > 0 ? 2 * (size_t)order[n - 1] : 0;
        topology->half[n] = half[order[n]];
        if (n == 0 || key[k] != key[before] || key[k + 1] != key[before + 1]) {
            topology->edge_start[topology->edge_count++] = n;
        }
    }
    topology->edge_start[topology->edge_count] = count;
    return CN_OK;
}

// Numbers the parts in the order of their first triangle.
static void number_parts(cn_topology *topology, int *parent)
{
    int triangle_count = topology->s->triangle_count;
    for (int t = 0; t < triangle_count; t++) {
        parent[t] = t;
    }
    for (int e = 0; e < topology->edge_count; e++) {
        for (int n = topology->edge_start[e] + 1; n < topology->edge_start[e + 1]; n++) {
            cn_unite(parent, topology->half[n] / 3, topology->half[n - 1] / 3);
        }
    }
    for (int t = 0; t < triangle_count; t++) {
        int root = cn_root_of(parent, t);
        topology->part[t] = cn_is_collapsed(cn_corners(topology->s, t)) ? -1
                            : root == t                                 ? topology->part_count++
                                                                        : topology->part[root];
    }
}

cn_status cn_topology_make(const cn_surface *s, cn_topology *topology, cn_error *err)
{
    size_t count = 3 * (size_t)s->triangle_count;
    *topology = (cn_topology){.s = s,
                              .half = malloc((count + 1) * sizeof(int)),
                              .edge_start = malloc((count + 2) * sizeof(int)),
                              .part = malloc((count + 1) * sizeof(int))};
    int *key = calloc(2 * count + 1, sizeof *key);
    int *half = malloc((count + 1) * sizeof *half);
    int *order = malloc((count + 1) * sizeof *order);
    cn_status status = CN_OK;
    if (!topology->half || !topology->edge_start || !topology->part || !key || !half || !order) {
        status = cn_fail(err, CN_NO_MEMORY, "out of memory for the edges of %d triangles",
                         s->triangle_count);
    }
    if (status == CN_OK) {
        status = sort_halves(topology, half, key, order, err);
    }
    if (status == CN_OK) {
        number_parts(topology, half);
    } else {
        cn_topology_free(topology);
    }
    free(key);
    free(half);
    free(order);
    return status;
}

void cn_topology_free(cn_topology *topology)
{
    free(topology->half);
    free(topology->edge_start);
    free(topology->part);
    *topology = (cn_topology){0};
}
