// fem/assembly/pattern.c -- where the entries of element matrices go: the upper triangle by
// columns, rows ascending. Rows of one node are neighbours in a column, so an element remembers for
// each pair of its nodes and each axis of the later node one place only.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fem/assembly/element_work.h"

// Elements around each node, and nodes that share an element with node b and are not after it.
typedef struct graph {
    int *element_start, *element;
    int *start, *neighbour;
    int *mark;
} graph;

static void drop(const cn_fem *fem, graph *g)
{
    cn_release(&fem->hooks, g->element_start);
    cn_release(&fem->hooks, g->element);
    cn_release(&fem->hooks, g->start);
    cn_release(&fem->hooks, g->neighbour);
    cn_release(&fem->hooks, g->mark);
}

static cn_status list_elements(const cn_fem *fem, graph *g, cn_error *err)
{
    int listed = fem->element_start[fem->element_count];
    CN_TRY(cn_fem_new(fem, &g->element_start, (size_t)fem->node_count + 2, err));
    CN_TRY(cn_fem_new(fem, &g->element, (size_t)listed, err));
    int *next = g->element_start + 1; // one ahead while filling
    for (int k = 0; k < listed; k++) {
        next[fem->element_node[k] + 1]++;
    }
    for (int a = 0; a < fem->node_count; a++) {
        next[a + 1] += next[a];
    }
    for (int e = 0; e < fem->element_count; e++) {
        for (int k = fem->element_start[e]; k < fem->element_start[e + 1]; k++) {
            g->element[next[fem->element_node[k]]++] = e;
        }
    }
    return CN_OK;
}

static int compare_ints(const void *p, const void *q)
{
    int a = *(const int *)p, b = *(const int *)q;
    return (a > b) - (a < b);
}

// Neighbours of node b up to b itself, ascending, into out (may be NULL: only counted).
static int gather(const cn_fem *fem, graph *g, int b, int *out)
{
    int count = 0;
    for (int n = g->element_start[b]; n < g->element_start[b + 1]; n++) {
        int e = g->element[n];
        for (int k = fem->element_start[e]; k < fem->element_start[e + 1]; k++) {
            int a = fem->element_node[k];
            int stamp = out != NULL ? b + 1 : -(b + 1);
            if (a <= b && g->mark[a] != stamp) {
                g->mark[a] = stamp;
                if (out != NULL) {
                    out[count] = a;
                }
                count++;
            }
        }
    }
    if (out != NULL) {
        qsort(out, (size_t)count, sizeof *out, compare_ints);
    }
    return count;
}

static cn_status list_neighbours(const cn_fem *fem, graph *g, cn_error *err)
{
    CN_TRY(cn_fem_new(fem, &g->start, (size_t)fem->node_count + 1, err));
    CN_TRY(cn_fem_new(fem, &g->mark, (size_t)fem->node_count, err));
    int64_t total = 0;
    for (int b = 0; b < fem->node_count; b++) {
        total += gather(fem, g, b, NULL);
        if (total > INT32_MAX / 9) {
            return cn_fail(err, CN_BAD_INPUT, "the matrix of a mesh of %d nodes is too large",
                           fem->node_count);
        }
        g->start[b + 1] = (int)total;
    }
    CN_TRY(cn_fem_new(fem, &g->neighbour, (size_t)total, err));
    for (int b = 0; b < fem->node_count; b++) {
        gather(fem, g, b, g->neighbour + g->start[b]);
    }
    return CN_OK;
}

static cn_status fill_columns(cn_fem *fem, const graph *g, cn_error *err)
{
    int d = fem->dim;
    CN_TRY(cn_fem_new(fem, &fem->col_start, (size_t)fem->dof_count + 1, err));
    for (int c = 0; c < fem->dof_count; c++) {
        int before = g->start[c / d + 1] - g->start[c / d] - 1;
        fem->col_start[c + 1] = fem->col_start[c] + d * before + c % d + 1;
    }
    fem->entry_count = fem->col_start[fem->dof_count];
    CN_TRY(cn_fem_new(fem, &fem->row, (size_t)fem->entry_count, err));
    for (int c = 0; c < fem->dof_count; c++) {
        const int *neighbour = g->neighbour + g->start[c / d];
        for (int n = fem->col_start[c]; n < fem->col_start[c + 1]; n++) {
            int k = n - fem->col_start[c];
            fem->row[n] = d * neighbour[k / d] + k % d;
        }
    }
    return CN_OK;
}

// Where the block of two nodes of an element begins in the columns of the later one.
static void find_slots(const cn_fem *fem, int a, int b, int *slot)
{
    int d = fem->dim, early = a < b ? a : b, late = a < b ? b : a, row = d * early;
    for (int j = 0; j < d; j++) {
        int start = fem->col_start[d * late + j], end = fem->col_start[d * late + j + 1];
        const int *at =
            bsearch(&row, fem->row + start, (size_t)(end - start), sizeof row, compare_ints);
        slot[j] = (int)(at - fem->row);
    }
}

// Places of one element: pairs a <= b of its nodes, dim places each.
static int *fill_slots(const cn_fem *fem, int e, int *slot)
{
    int n = fem->element_start[e + 1] - fem->element_start[e];
    const int *node = fem->element_node + fem->element_start[e];
    for (int a = 0; a < n; a++) {
        for (int b = a; b < n; b++, slot += fem->dim) {
            find_slots(fem, node[a], node[b], slot);
        }
    }
    return slot;
}

// A linear model is put together once and finds its places then.
static cn_status keep_slots(cn_fem *fem, cn_error *err)
{
    CN_TRY(cn_fem_new(fem, &fem->slot_start, (size_t)fem->element_count + 1, err));
    for (int e = 0; e < fem->element_count; e++) {
        int n = fem->element_start[e + 1] - fem->element_start[e];
        fem->slot_start[e + 1] = fem->slot_start[e] + (size_t)(n * (n + 1) / 2 * fem->dim);
    }
    CN_TRY(cn_fem_new(fem, &fem->slot, fem->slot_start[fem->element_count], err));
    int *slot = fem->slot;
    for (int e = 0; e < fem->element_count; e++) {
        slot = fill_slots(fem, e, slot);
    }
    return CN_OK;
}

static cn_status build(cn_fem *fem, graph *g, cn_error *err)
{
    CN_TRY(list_elements(fem, g, err));
    CN_TRY(list_neighbours(fem, g, err));
    CN_TRY(fill_columns(fem, g, err));
    return fem->is_linear ? CN_OK : keep_slots(fem, err);
}

cn_status cn_fem_build_pattern(cn_fem *fem, cn_error *err)
{
    graph g = {0};
    cn_status status = build(fem, &g, err);
    drop(fem, &g);
    return status;
}

void cn_fem_scatter(const cn_fem *fem, int element, const double *local, double *value)
{
    int d = fem->dim, n = fem->element_start[element + 1] - fem->element_start[element];
    const int *node = fem->element_node + fem->element_start[element];
    const int *kept = fem->slot != NULL ? fem->slot + fem->slot_start[element] : NULL;
    for (int a = 0; a < n; a++) {
        for (int b = a; b < n; b++) {
            int found[3];
            const int *slot = kept != NULL ? kept : found;
            if (kept != NULL) {
                kept += d;
            } else {
                find_slots(fem, node[a], node[b], found);
            }
            const double *block = local + (size_t)(n * d) * (size_t)(d * a) + d * b;
            bool is_turned = node[a] > node[b]; // the block is below the diagonal: transpose it
            for (int j = 0; j < d; j++) {
                int rows = a == b ? j + 1 : d;
                for (int i = 0; i < rows; i++) {
                    value[slot[j] + i] += is_turned ? block[n * d * j + i] : block[n * d * i + j];
                }
            }
        }
    }
}

void cn_fem_multiply(const cn_fem *fem, const double *A, const double *v, double *y)
{
    memset(y, 0, (size_t)fem->dof_count * sizeof *y);
    for (int c = 0; c < fem->dof_count; c++) {
        int last = fem->col_start[c + 1] - 1;
        double sum = A[last] * v[c];
        for (int n = fem->col_start[c]; n < last; n++) {
            sum += A[n] * v[fem->row[n]];
            y[fem->row[n]] += A[n] * v[c];
        }
        y[c] += sum;
    }
}
