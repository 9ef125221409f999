// solve/direct/system_rows.c -- M + N W over the rows of stored problems, theory 13.8.
//
// W is gathered once per problem, stored blocks and what bodies add to them; its pattern is made
// symmetric, so that one layout serves Cholesky and LU.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "solve/direct/linear_system.h"

// What the pattern of W depends on.
static uint64_t hash_pattern(const cn_linear_system *k, const cn_solver *s, const cn_problem *p)
{
    const cn_rows *stored = &p->W.rows;
    size_t constraints = (size_t)p->contact_count;
    uint64_t hash = cn_hash_bytes(2, stored->row, sizeof(int) * (constraints + 1));
    hash = cn_hash_bytes(hash, stored->col, sizeof(int) * (size_t)stored->row[p->contact_count]);
    hash = cn_hash_bytes(hash, k->block_of, sizeof(int) * constraints);
    hash = cn_hash_bytes(hash, k->block_start, sizeof(int) * (size_t)(s->packed_count + 1));
    return p->W.factors.body_count > 0
               ? cn_hash_bytes(hash, p->W.factors.body, sizeof(int) * 2 * constraints)
               : hash;
}

cn_status cn_system_number_rows(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                                cn_error *err)
{
    size_t count = (size_t)s->packed_count;
    CN_TRY(
        cn_reserve(&k->hooks, &k->block_of, &k->block_of_capacity, (size_t)p->contact_count, err));
    CN_TRY(cn_reserve(&k->hooks, &k->block_start, &k->block_start_capacity, count + 1, err));
    CN_TRY(cn_reserve(&k->hooks, &k->column, &k->column_capacity, count, err));
    for (int a = 0; a < p->contact_count; a++) {
        k->block_of[a] = -1;
    }
    int column = 0;
    for (int n = 0; n < s->packed_count; n++) {
        k->block_of[s->packed[n].a] = n;
        k->block_start[n] = k->column[n] = column;
        column += s->packed[n].rows;
    }
    k->block_count = s->packed_count;
    k->block_start[k->block_count] = column;
    k->hash = hash_pattern(k, s, p);
    return CN_OK;
}

// Called for block (n, m) of W, row-major, rows of n times rows of m.
typedef void visit_block(void *context, int n, int m, const double *block);

// The blocks of the stored part between constraints that are not free.
static void visit_stored(const cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                         visit_block *visit, void *context)
{
    const cn_rows *stored = &p->W.rows;
    for (int n = 0; n < s->packed_count; n++) {
        int a = s->packed[n].a;
        for (int l = stored->row[a]; l < stored->row[a + 1]; l++) {
            int m = k->block_of[stored->col[l]];
            if (m >= 0) {
                visit(context, n, m, stored->block + stored->block_start[l]);
            }
        }
    }
}

// One side of a constraint, in the chain of those that act on the same body.
typedef struct side_chain {
    int *first; // of each body, -1: none
    int *next;  // of each side 2 n + side
} side_chain;

static void visit_shared(const cn_solver *s, const cn_problem *p, const side_chain *chain,
                         visit_block *visit, void *context)
{
    const cn_factors *f = &p->W.factors;
    for (int from = 0; from < 2 * s->packed_count; from++) {
        const cn_packed *c = &s->packed[from / 2];
        int dof = from % 2 == 0 ? c->dof_i : c->dof_j;
        double room_a[CN_BLOCK_ROOM], room_b[CN_BLOCK_ROOM];
        const double *G_a = cn_problem_factor(p, c->a, from % 2, room_a);
        int body = dof > 0 ? f->body[2 * c->a + from % 2] : -1;
        for (int to = body < 0 ? -1 : chain->first[body]; to >= 0; to = chain->next[to]) {
            const cn_packed *e = &s->packed[to / 2];
            const double *G_b = cn_problem_factor(p, e->a, to % 2, room_b);
            double block[CN_ROW_MAX * CN_ROW_MAX] = {0};
            for (int i = 0; i < c->rows; i++) {
                for (int j = 0; j < e->rows; j++) {
                    for (int d = 0; d < dof; d++) {
                        block[e->rows * i + j] += G_a[dof * i + d] * G_b[dof * j + d];
                    }
                }
            }
            visit(context, from / 2, to / 2, block);
        }
    }
}

// All blocks of W; those of bodies are G_a^T G_b of every two constraints on one body.
static cn_status visit_all(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                           visit_block *visit, void *context, cn_error *err)
{
    visit_stored(k, s, p, visit, context);
    int bodies = p->W.factors.body_count;
    if (bodies == 0) {
        return CN_OK;
    }
    size_t need = (size_t)bodies + 2 * (size_t)s->packed_count;
    CN_TRY(cn_reserve(&k->hooks, &k->chain, &k->chain_capacity, need, err));
    side_chain chain = {k->chain, k->chain + bodies};
    memset(chain.first, -1, sizeof(int) * (size_t)bodies);
    for (int side = 2 * s->packed_count - 1; side >= 0; side--) {
        const cn_packed *c = &s->packed[side / 2];
        int body = p->W.factors.body[2 * c->a + side % 2];
        if ((side % 2 == 0 ? c->dof_i : c->dof_j) > 0) {
            chain.next[side] = chain.first[body];
            chain.first[body] = side;
        }
    }
    visit_shared(s, p, &chain, visit, context);
    return CN_OK;
}

typedef struct linking {
    cn_linear_system *k;
    int pass; // 0: count, 1: write
} linking;

// Both (n, m) and (m, n) enter the pattern.
static void link_block(void *context, int n, int m, const double *block)
{
    (void)block;
    linking *l = context;
    int *next = l->k->pair_start + 1;
    for (int turn = 0; turn < (n == m ? 1 : 2); turn++) {
        int row = turn == 0 ? n : m, column = turn == 0 ? m : n;
        if (l->pass == 0) {
            next[column + 1]++;
        } else {
            l->k->pair[next[column]++] = row;
        }
    }
}

cn_status cn_system_link_rows(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                              cn_error *err)
{
    size_t count = (size_t)k->block_count;
    CN_TRY(cn_reserve(&k->hooks, &k->pair_start, &k->pair_start_capacity, count + 2, err));
    memset(k->pair_start, 0, sizeof(int) * (count + 2));
    linking l = {.k = k};
    CN_TRY(visit_all(k, s, p, link_block, &l, err));
    for (int J = 0; J < k->block_count; J++) {
        k->pair_start[J + 2] += k->pair_start[J + 1];
    }
    CN_TRY(
        cn_reserve(&k->hooks, &k->pair, &k->pair_capacity, (size_t)k->pair_start[count + 1], err));
    l.pass = 1;
    CN_TRY(visit_all(k, s, p, link_block, &l, err));
    return cn_system_layout(k, &k->full, err);
}

static int stride_of(const cn_linear_system *k, int m)
{
    const int *start = k->full.A.start;
    return start[k->block_start[m] + 1] - start[k->block_start[m]];
}

static int width_of(const cn_linear_system *k, int m)
{
    return k->block_start[m + 1] - k->block_start[m];
}

// W += block (n, m).
static void store_block(void *context, int n, int m, const double *block)
{
    cn_linear_system *k = context;
    double *to = k->W_value + cn_system_find(k, &k->full, n, m);
    int rows = width_of(k, n), columns = width_of(k, m), stride = stride_of(k, m);
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < rows; i++) {
            to[stride * j + i] += block[columns * i + j];
        }
    }
}

// Whether W_nm = W_mn^T to rounding, for all blocks of the column m above the diagonal.
static bool is_symmetric_column(const cn_linear_system *k, int m, double largest)
{
    const cn_sparse *A = &k->full.A;
    int first = k->block_start[m], stride_m = stride_of(k, m);
    for (int at = A->start[first]; at < A->start[first + 1] && A->row[at] <= first;) {
        int n = k->row_block[A->row[at]];
        const double *above = k->W_value + at;
        const double *below = k->W_value + cn_system_find(k, &k->full, m, n);
        for (int j = 0; j < width_of(k, m); j++) {
            for (int i = 0; i < width_of(k, n); i++) {
                double difference = above[stride_m * j + i] - below[stride_of(k, n) * i + j];
                if (!(fabs(difference) <= 1e-13 * largest)) {
                    return false;
                }
            }
        }
        at += width_of(k, n);
    }
    return true;
}

cn_status cn_system_store_rows(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                               cn_error *err)
{
    const cn_sparse *A = &k->full.A;
    size_t count = (size_t)A->start[A->size];
    CN_TRY(cn_reserve(&k->hooks, &k->W_value, &k->W_value_capacity, count, err));
    CN_TRY(cn_reserve(&k->hooks, &k->row_block, &k->row_block_capacity, (size_t)A->size, err));
    memset(k->W_value, 0, sizeof(double) * count);
    CN_TRY(visit_all(k, s, p, store_block, k, err));
    double largest = 0.0;
    for (size_t n = 0; n < count; n++) {
        largest = fmax(largest, fabs(k->W_value[n]));
    }
    for (int m = 0; m < k->block_count; m++) {
        for (int row = k->block_start[m]; row < k->block_start[m + 1]; row++) {
            k->row_block[row] = m;
        }
    }
    for (int m = 0; m < k->block_count && k->is_symmetric; m++) {
        k->is_symmetric = is_symmetric_column(k, m, largest);
    }
    return CN_OK;
}

// The column of one block of W times N_n, row-major rows x rows.
static void multiply_column(int rows, const double *N, const double *W, double *value)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        for (int l = 0; l < rows; l++) {
            sum += N[rows * i + l] * W[l];
        }
        value[i] = sum;
    }
}

void cn_system_assemble_rows(cn_linear_system *k)
{
    cn_sparse *A = &k->full.A;
    memcpy(A->value, k->W_value, sizeof(double) * (size_t)A->start[A->size]);
    for (int column = 0; column < A->size; column++) {
        int m = k->row_block[column];
        for (int at = A->start[column]; at < A->start[column + 1];) {
            int n = k->row_block[A->row[at]], rows = width_of(k, n);
            if (k->has_N) {
                multiply_column(rows, k->N + k->block_at[n], k->W_value + at, A->value + at);
            }
            for (int i = 0; i < rows && n == m; i++) {
                int j = column - k->block_start[m];
                A->value[at + i] += k->M[k->block_at[n] + rows * i + j];
            }
            at += rows;
        }
    }
}
