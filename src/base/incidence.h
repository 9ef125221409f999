// base/incidence.h -- the links of each node of a graph, in the order of the links.
//
// What links add to their nodes is gathered node by node by threads that need not wait for each
// other, and each node sees its links in the same order as one thread after the other would.
#pragma once

#include "base/memory.h"

typedef struct cn_incidence {
    int *start; // node_count + 1
    int *end;   // 2 n + side for end `side` (0 or 1) of link n; links of a node ascend
    size_t start_capacity, end_capacity;
} cn_incidence;

// Link n joins the nodes in the upper and the lower half of the number `stride` bytes after that of
// link n - 1.
cn_status cn_incidence_build(cn_incidence *g, const cn_hooks *hooks, int node_count,
                             const uint64_t *link, size_t stride, int link_count, cn_error *err);
void cn_incidence_free(cn_incidence *g, const cn_hooks *hooks);

// The nodes of link n.
static inline void cn_link_nodes(const uint64_t *link, size_t stride, int n, int node[2])
{
    uint64_t both = *(const uint64_t *)((const char *)link + stride * (size_t)n);
    node[0] = (int)(both >> 32);
    node[1] = (int)(both & 0xffffffffu);
}
