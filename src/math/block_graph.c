// math/block_graph.c -- see block_graph.h.
#include "math/block_graph.h"

cn_status cn_block_graph_make(const cn_hooks *hooks, cn_block_graph *graph, const cn_sparse *A,
                              int block_count, const int *block_start, cn_error *err)
{
    size_t blocks = (size_t)block_count;
    CN_TRY(cn_reserve(hooks, &graph->block_of, &graph->block_of_capacity, (size_t)A->size, err));
    CN_TRY(cn_reserve(hooks, &graph->order, &graph->order_capacity, blocks, err));
    CN_TRY(cn_reserve(hooks, &graph->start, &graph->start_capacity, blocks + 1, err));
    int *mark = graph->order; // free until somebody orders
    for (int k = 0; k < block_count; k++) {
        mark[k] = -1;
        for (int n = block_start[k]; n < block_start[k + 1]; n++) {
            graph->block_of[n] = k;
        }
    }
    int count = 0;
    for (int k = 0; k < block_count; k++) {
        int column = block_start[k];
        graph->start[k] = count;
        size_t most = (size_t)(count + A->start[column + 1] - A->start[column]);
        CN_TRY(cn_reserve(hooks, &graph->row, &graph->row_capacity, most, err));
        for (int n = A->start[column]; n < A->start[column + 1]; n++) {
            int other = graph->block_of[A->row[n]];
            if (other <= k && mark[other] != k) {
                mark[other] = k;
                graph->row[count++] = other;
            }
        }
    }
    graph->start[block_count] = count;
    return CN_OK;
}

void cn_block_graph_rows(const cn_block_graph *graph, int block_count, const int *block_start,
                         int *permutation)
{
    int count = 0;
    for (int k = 0; k < block_count; k++) {
        int block = graph->order[k];
        for (int n = block_start[block]; n < block_start[block + 1]; n++) {
            permutation[count++] = n;
        }
    }
}

void cn_block_graph_free(const cn_hooks *hooks, cn_block_graph *graph)
{
    cn_release(hooks, graph->start);
    cn_release(hooks, graph->row);
    cn_release(hooks, graph->order);
    cn_release(hooks, graph->block_of);
    *graph = (cn_block_graph){0};
}
