// analyse/percolation.c -- clusters of bodies that press each other strongly, and whether one goes
// on for ever (14.10).
//
// Clusters are found by union-find. Every body knows how many cells of a periodic cell lie between
// it and its root along the way that joined them; two ways that differ close a loop which winds
// around the cell.
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

enum { CELLS = 3, ALONE = -1 }; // of `room`: root or next body on the way to it, then cells

static int *cells_of(const cn_sample *s, int i)
{
    return s->room + s->body_count + CELLS * i;
}

// The root of body i; the way to it is made short, and its cells are summed.
static int find_root(const cn_sample *s, int i)
{
    int root = i, sum[CELLS] = {0};
    for (; s->room[root] != root; root = s->room[root]) {
        for (int d = 0; d < CELLS; d++) {
            sum[d] += cells_of(s, root)[d];
        }
    }
    while (i != root) {
        int next = s->room[i], own[CELLS];
        memcpy(own, cells_of(s, i), sizeof own);
        memcpy(cells_of(s, i), sum, sizeof sum);
        s->room[i] = root;
        for (int d = 0; d < CELLS; d++) {
            sum[d] -= own[d];
        }
        i = next;
    }
    return root;
}

static void begin(const cn_sample *s)
{
    for (int i = 0; i < s->body_count; i++) {
        s->room[i] = ALONE;
        memset(cells_of(s, i), 0, CELLS * sizeof(int));
    }
}

static void enter(const cn_sample *s, int i)
{
    s->room[i] = s->room[i] == ALONE ? i : s->room[i];
}

// Joins the clusters of a pair, or marks the axes along which it closes a winding loop.
static void join(const cn_sample *s, const cn_sample_pair *p, bool winds[CELLS])
{
    enter(s, p->i);
    enter(s, p->j);
    int a = find_root(s, p->i), b = find_root(s, p->j), between[CELLS];
    for (int d = 0; d < CELLS; d++) { // from the root of i to that of j, by way of the pair
        between[d] = p->shift[d] + cells_of(s, p->j)[d] - cells_of(s, p->i)[d];
    }
    if (a == b) {
        for (int d = 0; d < CELLS; d++) {
            winds[d] = winds[d] || between[d] != 0;
        }
        return;
    }
    s->room[a] = b;
    memcpy(cells_of(s, a), between, sizeof between);
}

// Clusters of two bodies and more, and the size of the largest; a body that only its own images
// press is one, too.
static void count_clusters(const cn_sample *s, int *clusters, int *largest)
{
    *clusters = *largest = 0;
    for (int i = 0; i < s->body_count; i++) {
        if (s->room[i] != ALONE) {
            find_root(s, i);
        }
    }
    for (int i = 0; i < s->body_count; i++) { // cells are no longer needed: the first counts bodies
        *cells_of(s, i) = 0;
    }
    for (int i = 0; i < s->body_count; i++) {
        if (s->room[i] != ALONE) {
            int size = ++*cells_of(s, s->room[i]);
            *clusters += size == 1;
            *largest = size > *largest ? size : *largest;
        }
    }
}

static void find(const cn_sample *s, double *out)
{
    bool winds[CELLS] = {false};
    double least = s->param[0] * cn_sample_mean_force(s);
    int clusters, largest, bodies = 0;
    begin(s);
    cn_sample_pair p;
    for (int a = 0; cn_sample_next_inner(s, &a, &p);) {
        if (p.f_n > least) {
            join(s, &p, winds);
        }
    }
    count_clusters(s, &clusters, &largest);
    for (int i = 0; i < s->body_count; i++) {
        bodies += s->is_in[i];
    }
    *out++ = isnan(least) ? NAN : clusters;
    *out++ = isnan(least) ? NAN : (double)largest / bodies;
    for (int d = 0; d < s->dim; d++) {
        *out++ = s->cell == NULL || isnan(least) ? NAN : winds[d];
    }
}

static const cn_param param[] = {
    {"above", "-", "forces that count are larger than this part of the mean; 0: all that press",
     0.0, 1e6, 1.0, NULL}};

const cn_analysis cn_analysis_percolation = {
    .name = "percolation",
    .help = "clusters of bodies that press each other more than the mean pair; share of the bodies "
            "in the largest; 1 if one goes around a periodic cell along an axis, else 0",
    .param_count = 1,
    .param = param,
    .plane = "clusters largest x y",
    .space = "clusters largest x y z",
    .find = find};
