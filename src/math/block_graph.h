// math/block_graph.h -- dense blocks of rows of a sparse matrix as single nodes, which is what
// factorizations order: the graph is smaller by the square of the block size.
#pragma once

#include "math/factor.h"

typedef struct cn_block_graph {
    int *start, *row; // by columns, only row <= column; no values
    int *order;       // of blocks: made here, filled by who orders
    int *block_of;    // of each row
    size_t start_capacity, row_capacity, order_capacity, block_of_capacity;
} cn_block_graph;

cn_status cn_block_graph_make(const cn_hooks *hooks, cn_block_graph *graph, const cn_sparse *A,
                              int block_count, const int *block_start, cn_error *err);

// The order of blocks, written out for rows.
void cn_block_graph_rows(const cn_block_graph *graph, int block_count, const int *block_start,
                         int *permutation);

void cn_block_graph_free(const cn_hooks *hooks, cn_block_graph *graph);
