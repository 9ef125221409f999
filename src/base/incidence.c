// base/incidence.c -- a counting sort of the ends of links by node.
#include "base/incidence.h"

#include <string.h>

cn_status cn_incidence_build(cn_incidence *g, const cn_hooks *hooks, int node_count, cn_links links,
                             cn_error *err)
{
    CN_TRY(cn_reserve(hooks, &g->start, &g->start_capacity, (size_t)node_count + 1, err));
    CN_TRY(cn_reserve(hooks, &g->end, &g->end_capacity, 2 * (size_t)links.count, err));
    g->node_count = node_count;
    memset(g->start, 0, sizeof *g->start * ((size_t)node_count + 1));
    int node[2];
    for (int n = 0; n < links.count; n++) {
        cn_link_nodes(&links, n, node);
        g->start[node[0]]++;
        g->start[node[1]]++;
    }
    for (int i = 0, sum = 0; i <= node_count; i++) { // now where the links of the node end
        sum += g->start[i];
        g->start[i] = sum;
    }
    for (int n = links.count - 1; n >= 0; n--) { // from the last one down, so that links ascend
        cn_link_nodes(&links, n, node);
        g->end[--g->start[node[1]]] = 2 * n + 1;
        g->end[--g->start[node[0]]] = 2 * n;
    }
    return CN_OK;
}

void cn_incidence_free(cn_incidence *g, const cn_hooks *hooks)
{
    cn_release(hooks, g->start);
    cn_release(hooks, g->end);
    *g = (cn_incidence){0};
}
