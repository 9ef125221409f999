// base/incidence.h -- the links of each node of a graph, in the order of the links.
//
// What links add to their nodes is gathered node by node by threads that need not wait for each
// other, and each node sees its links in the same order as one thread that goes from link to link.
#pragma once

#include "base/memory.h"
#include "base/tasks.h"

typedef struct cn_incidence {
    int *start; // node_count + 1
    int *end;   // 2 n + side for end `side` (0 or 1) of link n; links of a node ascend
    int node_count;
    int *place; // scratch: where each part of the links puts its next one, for each node
    size_t start_capacity, end_capacity, place_capacity;
} cn_incidence;

// Runs a statement for every end of every link, 2 n + side, in the order of the links of each node.
// Several threads go from node to node, by the incidence `of`; one goes from link to link, since
// links are near in memory, and needs none.
#define CN_SHARED_ENDS(threads, of, link_count, item, ...)                                         \
    do {                                                                                           \
        if ((threads) > 1) {                                                                       \
            CN_PRAGMA(omp parallel for num_threads(threads) schedule(dynamic, 256))                \
            for (int node_ = 0; node_ < (of)->node_count; node_++) {                               \
                for (int n_ = (of)->start[node_]; n_ < (of)->start[node_ + 1]; n_++) {             \
                    int item = (of)->end[n_];                                                      \
                    __VA_ARGS__                                                                    \
                }                                                                                  \
            }                                                                                      \
        } else {                                                                                   \
            for (int n_ = 0; n_ < (link_count); n_++) {                                            \
                for (int item = 2 * n_; item < 2 * n_ + 2; item++)                                 \
                    __VA_ARGS__                                                                    \
            }                                                                                      \
        }                                                                                          \
    } while (0)

// Links as someone stores them: link n joins the nodes in the upper and the lower half of the
// number `stride` bytes after that of link n - 1.
typedef struct cn_links {
    const uint64_t *link;
    size_t stride;
    int count;
} cn_links;

cn_status cn_incidence_build(cn_incidence *g, const cn_hooks *hooks, int node_count, cn_links links,
                             int thread_count, cn_error *err);
void cn_incidence_free(cn_incidence *g, const cn_hooks *hooks);

// The nodes of link n.
static inline void cn_link_nodes(const cn_links *links, int n, int node[2])
{
    uint64_t both = *(const uint64_t *)((const char *)links->link + links->stride * (size_t)n);
    node[0] = (int)(both >> 32);
    node[1] = (int)(both & 0xffffffffu);
}
