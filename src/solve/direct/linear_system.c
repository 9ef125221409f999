// solve/direct/linear_system.c -- (I + E W) x = b over bodies or over stored rows, theory 13.7
// and 13.8.
#include "solve/direct/linear_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense.h"

static void destroy_matrix(const cn_hooks *hooks, cn_system_matrix *m)
{
    cn_factor_destroy(m->factor[CN_FACTOR_CHOLESKY]);
    cn_factor_destroy(m->factor[CN_FACTOR_LU]);
    void *owned[] = {m->A.start, m->A.row, m->A.value, m->at};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(hooks, owned[k]);
    }
}

void cn_system_destroy(cn_linear_system *system)
{
    if (system == NULL) {
        return;
    }
    cn_hooks hooks = system->hooks;
    destroy_matrix(&hooks, &system->upper);
    destroy_matrix(&hooks, &system->full);
    void *owned[] = {system->block_at,  system->E,           system->M,        system->N,
                     system->column,    system->block_start, system->block_of, system->W_value,
                     system->rhs,       system->pair_start,  system->pair,     system->chain,
                     system->row_block, system->gmres};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(&hooks, owned[k]);
    }
    cn_release(&hooks, system);
}

// Room for one block per constraint.
static cn_status reserve_blocks(cn_linear_system *k, const cn_solver *s, cn_error *err)
{
    CN_TRY(cn_reserve(&k->hooks, &k->block_at, &k->block_at_capacity, (size_t)s->packed_count + 1,
                      err));
    int count = 0;
    for (int n = 0; n < s->packed_count; n++) {
        k->block_at[n] = count;
        count += s->packed[n].rows * s->packed[n].rows;
    }
    k->block_at[s->packed_count] = count;
    size_t size = (size_t)count;
    if (!k->is_stored) {
        return cn_reserve(&k->hooks, &k->E, &k->E_capacity, size, err);
    }
    CN_TRY(cn_reserve(&k->hooks, &k->M, &k->M_capacity, size, err));
    return cn_reserve(&k->hooks, &k->N, &k->N_capacity, size, err);
}

static int ascending(const void *a, const void *b)
{
    int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

// Sorts the block rows of one block column, drops repeats; returns how many are left.
static int thin(int *pair, int count)
{
    qsort(pair, (size_t)count, sizeof *pair, ascending);
    int kept = 0;
    for (int n = 0; n < count; n++) {
        if (n == 0 || pair[n] != pair[n - 1]) {
            pair[kept++] = pair[n];
        }
    }
    return kept;
}

cn_status cn_system_layout(cn_linear_system *k, cn_system_matrix *m, cn_error *err)
{
    int size = k->block_start[k->block_count];
    CN_TRY(cn_reserve(&k->hooks, &m->A.start, &m->start_capacity, (size_t)size + 1, err));
    m->A.size = size;
    size_t count = 0;
    for (int J = 0; J < k->block_count; J++) {
        int *pair = k->pair + k->pair_start[J];
        int kept = thin(pair, k->pair_start[J + 1] - k->pair_start[J]);
        size_t height = 0;
        for (int n = 0; n < kept; n++) {
            height += (size_t)(k->block_start[pair[n] + 1] - k->block_start[pair[n]]);
        }
        size_t width = (size_t)(k->block_start[J + 1] - k->block_start[J]);
        if (count + height * width > INT32_MAX) {
            return cn_fail(err, CN_NO_MEMORY, "a matrix of %d rows has too many entries", size);
        }
        CN_TRY(cn_reserve(&k->hooks, &m->A.row, &m->row_capacity, count + height * width, err));
        for (int column = k->block_start[J]; column < k->block_start[J + 1]; column++) {
            m->A.start[column] = (int)count;
            for (int n = 0; n < kept; n++) {
                for (int row = k->block_start[pair[n]]; row < k->block_start[pair[n] + 1]; row++) {
                    m->A.row[count++] = row;
                }
            }
        }
    }
    m->A.start[size] = (int)count;
    return cn_reserve(&k->hooks, &m->A.value, &m->value_capacity, count, err);
}

int cn_system_find(const cn_linear_system *k, const cn_system_matrix *m, int I, int J)
{
    int low = m->A.start[k->block_start[J]], high = m->A.start[k->block_start[J] + 1];
    int row = k->block_start[I];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (m->A.row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < m->A.start[k->block_start[J] + 1] && m->A.row[low] == row ? low : -1;
}

// The layout of a matrix, made anew when the graph has changed.
static cn_status relink(cn_linear_system *k, const cn_solver *s, const cn_problem *p,
                        cn_system_matrix *m, cn_error *err)
{
    if (m->hash == k->hash) {
        return CN_OK;
    }
    m->hash = 0;
    m->is_analyzed[CN_FACTOR_CHOLESKY] = m->is_analyzed[CN_FACTOR_LU] = false;
    if (k->is_stored) {
        CN_TRY(cn_system_link_rows(k, s, p, err));
    } else {
        CN_TRY(cn_system_link_bodies(k, s, p, m == &k->full, m, err));
    }
    m->hash = k->hash;
    return CN_OK;
}

static cn_status create(cn_solver *s, cn_error *err)
{
    s->system = cn_resize(&s->hooks, NULL, sizeof *s->system);
    if (s->system == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for the matrices of a solver");
    }
    memset(s->system, 0, sizeof *s->system);
    s->system->hooks = s->hooks;
    return CN_OK;
}

cn_status cn_system_lay_out(cn_solver *s, const cn_problem *p, cn_error *err)
{
    CN_TRY(cn_cell_refuse(p, err));
    if (s->system == NULL) {
        CN_TRY(create(s, err));
    }
    cn_linear_system *k = s->system;
    k->is_stored = p->W.rows.row != NULL;
    k->is_symmetric = true;
    k->has_N = false;
    k->current = NULL;
    if (!k->is_stored) {
        return cn_system_number_bodies(k, s, p, err);
    }
    CN_TRY(cn_system_number_rows(k, s, p, err));
    CN_TRY(relink(k, s, p, &k->full, err));
    return cn_system_store_rows(k, s, p, err);
}

cn_status cn_system_begin(cn_solver *s, const cn_problem *p, cn_error *err)
{
    CN_TRY(cn_system_lay_out(s, p, err));
    cn_linear_system *k = s->system;
    CN_TRY(reserve_blocks(k, s, err));
    size_t columns = (size_t)k->block_start[k->block_count];
    return cn_reserve(&k->hooks, &k->rhs, &k->rhs_capacity, 2 * columns, err);
}

// Bodies from which nested dissection pays: of 2748 blocks of a bridge it makes the operations 1.25
// times those of minimum degree, of 5034 stones of a house 0.84, of 3465 blocks of a slope 0.54, of
// 16 088 blocks of a bridge 0.77.
enum { DISSECT_FROM = 3000 };

// Layout and analysis of the matrix to be factored.
static cn_status prepare(cn_solver *s, const cn_problem *p, cn_factor_kind kind, cn_error *err)
{
    cn_linear_system *k = s->system;
    cn_system_matrix *m = k->is_stored || kind == CN_FACTOR_LU ? &k->full : &k->upper;
    k->current = m;
    k->kind = kind;
    CN_TRY(relink(k, s, p, m, err));
    if (m->is_analyzed[kind]) {
        return CN_OK;
    }
    if (!k->has_blas) {
        CN_TRY(cn_dense_start(err));
        k->has_blas = true;
    }
    if (m->factor[kind] == NULL) {
        CN_TRY(cn_factor_create(&k->hooks, kind, &m->factor[kind], err));
        cn_factor_dissect(m->factor[kind], DISSECT_FROM);
    }
    if (m->A.size > 0) {
        CN_TRY(cn_factor_analyze(m->factor[kind], &m->A, k->block_count, k->block_start, err));
    }
    m->is_analyzed[kind] = true;
    return CN_OK;
}

cn_status cn_system_factor(cn_solver *s, const cn_problem *p, cn_factor_kind kind, cn_error *err)
{
    cn_linear_system *k = s->system;
    CN_TRY(prepare(s, p, kind, err));
    if (k->is_stored) {
        cn_system_assemble_rows(k);
    } else {
        cn_system_assemble_bodies(k, s, p, k->current);
    }
    return k->current->A.size > 0 ? cn_factor_numeric(k->current->factor[kind], &k->current->A, err)
                                  : CN_OK;
}

cn_status cn_system_measure(cn_solver *s, const cn_problem *p, cn_factor_kind kind, double *bytes,
                            cn_error *err)
{
    CN_TRY(prepare(s, p, kind, err));
    const cn_system_matrix *m = s->system->current;
    *bytes = m->A.size > 0 ? cn_factor_bytes(m->factor[kind]) : 0.0;
    return CN_OK;
}

// Counted in nanoseconds of a machine of 2020, of which only the ratio enters: a visit to a contact
// of bodies in the plane and in space, or to one with stored rows and to each of their entries.
static double sweep_cost(const cn_solver *s, const cn_problem *p)
{
    const cn_linear_system *k = s->system;
    double visits = s->packed_count, entries = k->current->A.start[k->current->A.size];
    return k->is_stored ? 200.0 * visits + 1.5 * entries : (p->dim == 2 ? 20.0 : 60.0) * visits;
}

// Likewise: assembling; an entry and an operation of the factor.
int cn_system_sweeps(const cn_solver *s, const cn_problem *p)
{
    const cn_linear_system *k = s->system;
    if (k->current->A.size == 0 || s->packed_count == 0) {
        return 1;
    }
    const cn_factor *f = k->current->factor[k->kind];
    double visits = s->packed_count, entries = k->current->A.start[k->current->A.size];
    double assembly = k->is_stored ? 3.0 * entries : (p->dim == 2 ? 100.0 : 500.0) * visits;
    bool is_cholesky = k->kind == CN_FACTOR_CHOLESKY;
    double factor = is_cholesky ? 1.5 * cn_factor_bytes(f) + 0.05 * cn_factor_flops(f)
                                : 2.0 * cn_factor_bytes(f) + 0.1 * cn_factor_flops(f);
    return 1 + (int)fmin((assembly + factor) / sweep_cost(s, p), 1e8);
}

// The factor is read twice from memory.
double cn_system_solve_sweeps(const cn_solver *s, const cn_problem *p)
{
    const cn_linear_system *k = s->system;
    if (k->current->A.size == 0 || s->packed_count == 0) {
        return 0.0;
    }
    return 0.2 * cn_factor_bytes(k->current->factor[k->kind]) / sweep_cost(s, p);
}

// u -= E v, one constraint.
static void subtract_product(int rows, const double *E, const double *v, double *u)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            u[i] -= E[rows * i + j] * v[j];
        }
    }
}

// y = W x, both in the order of the matrix.
static void multiply_rows(const cn_linear_system *k, const double *x, double *y)
{
    const cn_sparse *A = &k->current->A;
    memset(y, 0, sizeof *y * (size_t)A->size);
    for (int column = 0; column < A->size; column++) {
        for (int n = A->start[column]; n < A->start[column + 1]; n++) {
            y[A->row[n]] += k->W_value[n] * x[column];
        }
    }
}

void cn_system_imbalance(const cn_solver *s, const cn_problem *p, const double *r, const double *b,
                         const double *w, double *f)
{
    const cn_linear_system *k = s->system;
    int columns = k->block_start[k->block_count];
    memset(f, 0, sizeof *f * (size_t)columns);
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        double t[CN_ROW_MAX];
        for (int i = 0; i < c->rows; i++) {
            t[i] = r[c->row + i] + b[c->row + i];
        }
        if (s->fold.k != NULL) { // B(k) w in place of w (8.23)
            double u[CN_ROW_MAX];
            cn_system_collect(k, c, &p->W.factors, n, w, u);
            for (int i = 0; i < c->rows; i++) {
                t[i] -= s->fold.k[c->row + i] * u[i];
            }
        }
        cn_system_deposit(k, c, &p->W.factors, n, t, f);
    }
    for (int i = 0; i < columns; i++) {
        f[i] -= w[i];
    }
}

cn_status cn_system_solve_columns(cn_linear_system *k, double *f, cn_error *err)
{
    return k->current->A.size > 0
               ? cn_factor_solve(k->current->factor[k->kind], &k->current->A, f, f, err)
               : CN_OK;
}

cn_status cn_system_solve(cn_solver *s, const cn_problem *p, const double *b, double *x, double *Wx,
                          cn_error *err)
{
    cn_linear_system *k = s->system;
    const cn_factors *G = &p->W.factors;
    double *y = k->rhs + k->current->A.size;
    memset(k->rhs, 0, sizeof(double) * (size_t)k->current->A.size);
    for (int n = 0; n < s->packed_count; n++) {
        cn_system_deposit(k, &s->packed[n], G, n, b + s->packed[n].row, k->rhs);
    }
    CN_TRY(cn_system_solve_columns(k, k->rhs, err));
    if (k->is_stored) {
        multiply_rows(k, k->rhs, y);
    }
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        cn_system_collect(k, c, G, n, k->is_stored ? y : k->rhs, Wx + c->row);
        if (k->is_stored) {
            cn_system_collect(k, c, G, n, k->rhs, x + c->row);
        } else {
            memcpy(x + c->row, b + c->row, sizeof *x * (size_t)c->rows);
            subtract_product(c->rows, k->E + k->block_at[n], Wx + c->row, x + c->row);
        }
    }
    return CN_OK;
}
