// base/incidence.c -- a counting sort of the ends of links by node.
//
// The links are cut into parts, one for each thread; each part counts its ends at each node. The
// parts put their ends one after the other, so the order is that of the links.
#include "base/incidence.h"

#include <string.h>

enum { PART_MAX = 8, SHARED_MIN = 16384 }; // links per thread

typedef struct sort {
    cn_incidence *g;
    cn_links links;
    int parts;
} sort;

static int part_start(const sort *x, int part)
{
    return (int)((int64_t)x->links.count * part / x->parts);
}

static int *places_of(const sort *x, int part)
{
    return x->g->place + (size_t)x->g->node_count * (size_t)part;
}

static void count_ends(const sort *x, int part)
{
    int *count = places_of(x, part), node[2];
    memset(count, 0, sizeof *count * (size_t)x->g->node_count);
    for (int n = part_start(x, part); n < part_start(x, part + 1); n++) {
        cn_link_nodes(&x->links, n, node);
        count[node[0]]++;
        count[node[1]]++;
    }
}

// From counts to places.
static void add_up(const sort *x)
{
    cn_incidence *g = x->g;
    int sum = 0;
    for (int i = 0; i < g->node_count; i++) {
        g->start[i] = sum;
        for (int part = 0; part < x->parts; part++) {
            int *at = places_of(x, part) + i, here = *at;
            *at = sum;
            sum += here;
        }
    }
    g->start[g->node_count] = sum;
}

static void put_ends(const sort *x, int part)
{
    int *place = places_of(x, part), *end = x->g->end, node[2];
    for (int n = part_start(x, part); n < part_start(x, part + 1); n++) {
        cn_link_nodes(&x->links, n, node);
        end[place[node[0]]++] = 2 * n;
        end[place[node[1]]++] = 2 * n + 1;
    }
}

cn_status cn_incidence_build(cn_incidence *g, const cn_hooks *hooks, int node_count, cn_links links,
                             int thread_count, cn_error *err)
{
    int parts = cn_share(thread_count, links.count, SHARED_MIN);
    sort x = {g, links, parts < PART_MAX ? parts : PART_MAX};
    size_t nodes = (size_t)node_count;
    CN_TRY(cn_reserve(hooks, &g->start, &g->start_capacity, nodes + 1, err));
    CN_TRY(cn_reserve(hooks, &g->end, &g->end_capacity, 2 * (size_t)links.count, err));
    CN_TRY(cn_reserve(hooks, &g->place, &g->place_capacity, nodes * (size_t)x.parts, err));
    g->node_count = node_count;
    CN_SHARED_FOR(x.parts, (schedule(static, 1)), k, x.parts, { count_ends(&x, k); });
    add_up(&x);
    CN_SHARED_FOR(x.parts, (schedule(static, 1)), k, x.parts, { put_ends(&x, k); });
    return CN_OK;
}

void cn_incidence_free(cn_incidence *g, const cn_hooks *hooks)
{
    cn_release(hooks, g->start);
    cn_release(hooks, g->end);
    cn_release(hooks, g->place);
    *g = (cn_incidence){0};
}
