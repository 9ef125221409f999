// problem_file/problem_rows.c -- W as block rows of constraints, and operators of any form as
// entries.
#include <string.h>

#include "base/memory.h"
#include "problem_file/problem_parts.h"

void cn_row_store_free(cn_row_store *store)
{
    CN_RELEASE(store->row, store->column, store->block_start, store->block);
    *store = (cn_row_store){0};
}

// Which constraint each row belongs to.
static void map_rows(int constraint_count, const int *row_start, int *constraint_of)
{
    for (int a = 0; a < constraint_count; a++) {
        for (int k = row_start[a]; k < row_start[a + 1]; k++) {
            constraint_of[k] = a;
        }
    }
}

cn_status cn_sparse_add_diagonal(cn_sparse *W, int constraint_count, const int *row_start,
                                 cn_error *err)
{
    unsigned char *is_there;
    CN_TRY(cn_new(&is_there, (size_t)W->row_count, err));
    for (int n = 0; n < W->count; n++) {
        if (W->row[n] == W->column[n]) {
            is_there[W->row[n]] = 1;
        }
    }
    cn_status status = CN_OK;
    for (int a = 0; status == CN_OK && a < constraint_count; a++) {
        int row = row_start[a];
        status = is_there[row] ? CN_OK : cn_sparse_add(W, row, row, 0.0, err);
    }
    cn_release(NULL, is_there);
    return status;
}

// What the steps of building block rows share: entries by rows of constraints, columns ascending.
typedef struct builder {
    const cn_sparse *W;
    const int *row_start;
    int *constraint_of; // each row
    int *line;          // constraint of the row of each entry
    int *order;
} builder;

// Counts the blocks and the numbers in them; with a store, also writes them.
static int64_t walk_blocks(const builder *b, int *block_count, cn_row_store *store)
{
    int64_t size = 0;
    int count = 0, last_a = -1, last_b = -1, at = 0;
    for (int n = 0; n < b->W->count; n++) {
        int item = b->order[n], i = b->W->row[item], k = b->W->column[item];
        int a = b->constraint_of[i], c = b->constraint_of[k];
        int columns = b->row_start[c + 1] - b->row_start[c];
        if (a != last_a || c != last_b) {
            last_a = a;
            last_b = c;
            if (store != NULL) {
                at = (int)size;
                store->row[a + 1]++;
                store->column[count] = c;
                store->block_start[count] = at;
            }
            count++;
            size += (int64_t)(b->row_start[a + 1] - b->row_start[a]) * columns;
        }
        if (store != NULL) {
            store->block[at + columns * (i - b->row_start[a]) + k - b->row_start[c]] +=
                b->W->value[item];
        }
    }
    *block_count = count;
    return size;
}

static cn_status build(builder *b, int constraint_count, cn_row_store *store, cn_error *err)
{
    const cn_sparse *W = b->W;
    CN_TRY(cn_new(&b->constraint_of, (size_t)W->row_count, err));
    CN_TRY(cn_new(&b->line, (size_t)W->count, err));
    CN_TRY(cn_new(&b->order, (size_t)W->count, err));
    map_rows(constraint_count, b->row_start, b->constraint_of);
    for (int n = 0; n < W->count; n++) {
        b->line[n] = b->constraint_of[W->row[n]];
    }
    CN_TRY(cn_order_by_key(W->count, b->line, constraint_count, NULL, b->order, err));
    int block_count = 0;
    int64_t size = walk_blocks(b, &block_count, NULL);
    if (size > INT32_MAX) {
        return cn_fail(err, CN_NO_MEMORY, "the blocks of W hold %lld numbers, more than 2^31",
                       (long long)size);
    }
    CN_TRY(cn_new(&store->row, (size_t)constraint_count + 1, err));
    CN_TRY(cn_new(&store->column, (size_t)block_count, err));
    CN_TRY(cn_new(&store->block_start, (size_t)block_count, err));
    CN_TRY(cn_new(&store->block, (size_t)size, err));
    walk_blocks(b, &block_count, store);
    for (int a = 0; a < constraint_count; a++) {
        store->row[a + 1] += store->row[a];
    }
    return CN_OK;
}

cn_status cn_row_store_make(const cn_sparse *W, int constraint_count, const int *row_start,
                            cn_row_store *store, cn_error *err)
{
    builder b = {.W = W, .row_start = row_start};
    cn_status status = build(&b, constraint_count, store, err);
    CN_RELEASE(b.constraint_of, b.line, b.order);
    return status;
}

// Adds G_x^T G_y of two sides x = (a, s), y = (b, t) of one body.
static cn_status add_sides(const cn_problem *p, int x, int y, cn_sparse *W, cn_error *err)
{
    const cn_factors *f = &p->W.factors;
    int body = f->body[x], dof = f->dof_start[body + 1] - f->dof_start[body];
    int row = p->row_start[x / 2], rows = p->row_start[x / 2 + 1] - row;
    int column = p->row_start[y / 2], columns = p->row_start[y / 2 + 1] - column;
    double room_x[CN_BLOCK_ROOM], room_y[CN_BLOCK_ROOM];
    const double *G_x = cn_problem_factor(p, x / 2, x % 2, room_x);
    const double *G_y = cn_problem_factor(p, y / 2, y % 2, room_y);
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < columns; k++) {
            double sum = 0.0;
            for (int d = 0; d < dof; d++) {
                sum += G_x[dof * i + d] * G_y[dof * k + d];
            }
            CN_TRY(cn_sparse_add(W, row + i, column + k, sum, err));
        }
    }
    return CN_OK;
}

// All pairs of sides that meet at a body: sides in order of bodies, then constraints.
static cn_status add_factors(const cn_problem *p, int *key, int *side, cn_sparse *W, cn_error *err)
{
    const cn_factors *f = &p->W.factors;
    int count = 2 * p->contact_count;
    for (int x = 0; x < count; x++) {
        key[x] = f->body[x] < 0 ? f->body_count : f->body[x];
    }
    CN_TRY(cn_order_by_key(count, key, f->body_count + 1, NULL, side, err));
    for (int start = 0, end; start < count; start = end) {
        int body = key[side[start]];
        for (end = start; end < count && key[side[end]] == body;) {
            end++;
        }
        for (int x = start; body < f->body_count && x < end; x++) {
            for (int y = start; y < end; y++) {
                CN_TRY(add_sides(p, side[x], side[y], W, err));
            }
        }
    }
    return CN_OK;
}

static cn_status add_rows(const cn_problem *p, cn_sparse *W, cn_error *err)
{
    const cn_rows *stored = &p->W.rows;
    for (int a = 0; a < p->contact_count; a++) {
        int row = p->row_start[a], rows = p->row_start[a + 1] - row;
        for (int n = stored->row[a]; n < stored->row[a + 1]; n++) {
            int column = p->row_start[stored->col[n]];
            int columns = p->row_start[stored->col[n] + 1] - column;
            const double *block = stored->block + stored->block_start[n];
            for (int k = 0; k < rows * columns; k++) {
                CN_TRY(cn_sparse_add(W, row + k / columns, column + k % columns, block[k], err));
            }
        }
    }
    return CN_OK;
}

cn_status cn_sparse_add_operator(const cn_problem *p, cn_sparse *W, cn_error *err)
{
    if (p->W.rows.row != NULL) {
        CN_TRY(add_rows(p, W, err));
    }
    if (p->W.factors.body_count == 0) {
        return CN_OK;
    }
    int *key = NULL, *side = NULL;
    cn_status status = cn_new(&key, 2 * (size_t)p->contact_count, err);
    CN_THEN(status, cn_new(&side, 2 * (size_t)p->contact_count, err));
    CN_THEN(status, add_factors(p, key, side, W, err));
    CN_RELEASE(key, side);
    return status;
}
