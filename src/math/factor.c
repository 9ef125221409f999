// math/factor.c -- Cholesky by CHOLMOD, LU by UMFPACK, both under the GPL; factor_lgpl.c is what
// CAIRN_GPL=OFF takes.
//
// Both report what they could not do in place of stopping the program, which is why they are here.
// Blocks of bodies or contacts are ordered as one node each, and the supernodes come out as whole
// blocks. Minimum degree is quick and does well in the plane, but its trees may be long chains;
// nested dissection halves the factor of a body in space, and the way from any supernode to the
// root is short.
#include "math/factor.h"

#include <cholmod.h>
#include <omp.h>
#include <string.h>
#include <umfpack.h>

#include "math/block_graph.h"

// Of OpenBLAS, where that is the BLAS of the system.
extern void openblas_set_num_threads(int count) __attribute__((weak));

// METIS, where CHOLMOD was built with it.
#pragma weak cholmod_metis

struct cn_factor {
    cn_hooks hooks;
    cn_factor_kind kind;
    int size;
    size_t dissect_from; // blocks
    cholmod_common common;
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E; // work of cholmod_solve2
    void *symbolic, *numeric; // of UMFPACK
    double control[UMFPACK_CONTROL];
    double lu_flops, lu_bytes;
    int *work_index;
    double *work;
    int *permutation;
    size_t work_index_capacity, work_capacity, permutation_capacity;
    cn_block_graph graph;
    int *place, *super_of, *parent; // of cn_supernodes, NULL: not asked for
    size_t place_capacity, super_of_capacity, parent_capacity;
    bool has_tree;
};

cn_status cn_factor_create(const cn_hooks *hooks, cn_factor_kind kind, cn_factor **factor,
                           cn_error *err)
{
    cn_factor *f = cn_resize(hooks, NULL, sizeof *f);
    if (f == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a factorization");
    }
    memset(f, 0, sizeof *f);
    if (hooks != NULL) {
        f->hooks = *hooks;
    }
    f->kind = kind;
    if (openblas_set_num_threads != NULL) {
        openblas_set_num_threads(1);
    }
    cholmod_start(&f->common);
    f->common.print = 0;
    f->common.final_ll = 1; // LDL^T would take indefinite matrices without a word
    f->dissect_from = SIZE_MAX;
    if (kind == CN_FACTOR_NESTED) {
        f->common.supernodal = CHOLMOD_SUPERNODAL;
        f->dissect_from = 256; // below, nested dissection gains nothing
    }
    umfpack_di_defaults(f->control);
    f->control[UMFPACK_IRSTEP] = 1;
    *factor = f;
    return CN_OK;
}

void cn_factor_dissect(cn_factor *factor, int block_count)
{
    factor->dissect_from = (size_t)block_count;
}

static void forget(cn_factor *f)
{
    f->has_tree = false;
    cholmod_free_factor(&f->L, &f->common);
    if (f->numeric != NULL) {
        umfpack_di_free_numeric(&f->numeric);
    }
    if (f->symbolic != NULL) {
        umfpack_di_free_symbolic(&f->symbolic);
    }
}

void cn_factor_destroy(cn_factor *factor)
{
    if (factor == NULL) {
        return;
    }
    forget(factor);
    cholmod_free_dense(&factor->X, &factor->common);
    cholmod_free_dense(&factor->Y, &factor->common);
    cholmod_free_dense(&factor->E, &factor->common);
    cholmod_finish(&factor->common);
    cn_hooks hooks = factor->hooks;
    cn_block_graph_free(&hooks, &factor->graph);
    void *owned[] = {factor->work_index, factor->work,     factor->permutation,
                     factor->place,      factor->super_of, factor->parent};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(&hooks, owned[k]);
    }
    cn_release(&hooks, factor);
}

// The matrix as CHOLMOD sees it; nothing is copied and nothing is written.
static cholmod_sparse view_of(const cn_sparse *A)
{
    size_t size = (size_t)A->size;
    return (cholmod_sparse){.nrow = size,
                            .ncol = size,
                            .nzmax = (size_t)A->start[A->size],
                            .p = A->start,
                            .i = A->row,
                            .x = A->value,
                            .stype = 1,
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}

static cn_status no_memory(const cn_factor *f, cn_error *err)
{
    return cn_fail(err, CN_NO_MEMORY, "no memory for the factor of a matrix of %d rows", f->size);
}

// Order of blocks in f->graph. METIS seeds and draws from rand(), which all threads of a program
// share: two at a time would get each other's numbers, and orders that differ from run to run.
static int find_order(cn_factor *f, cholmod_sparse *graph)
{
    if (graph->nrow < f->dissect_from || cholmod_metis == NULL) {
        return cholmod_amd(graph, NULL, 0, f->graph.order, &f->common);
    }
    int is_done;
#pragma omp critical(cn_metis)
    is_done = cholmod_metis(graph, NULL, 0, 1, f->graph.order, &f->common);
    return is_done;
}

static cn_status order_rows(cn_factor *f, const cn_sparse *A, int block_count,
                            const int *block_start, cn_error *err)
{
    CN_TRY(cn_block_graph_make(&f->hooks, &f->graph, A, block_count, block_start, err));
    CN_TRY(cn_reserve(&f->hooks, &f->permutation, &f->permutation_capacity, (size_t)f->size, err));
    cn_sparse graph = {.size = block_count, .start = f->graph.start, .row = f->graph.row};
    cholmod_sparse view = view_of(&graph);
    view.xtype = CHOLMOD_PATTERN;
    if (!find_order(f, &view)) {
        return no_memory(f, err);
    }
    cn_block_graph_rows(&f->graph, block_count, block_start, f->permutation);
    return CN_OK;
}

static void drop_order(cn_factor *f)
{
    cn_block_graph_free(&f->hooks, &f->graph);
    cn_release(&f->hooks, f->permutation);
    f->permutation = NULL;
    f->permutation_capacity = 0;
}

static cn_status analyze_cholesky(cn_factor *f, const cn_sparse *A, int block_count,
                                  const int *block_start, cn_error *err)
{
    CN_TRY(order_rows(f, A, block_count, block_start, err));
    f->common.nmethods = 1;
    f->common.method[0].ordering = CHOLMOD_GIVEN;
    f->common.postorder = 1;
    cholmod_sparse view = view_of(A);
    view.xtype = CHOLMOD_PATTERN;
    f->L = cholmod_analyze_p(&view, f->permutation, NULL, 0, &f->common);
    if (f->kind == CN_FACTOR_NESTED) { // analysed once
        drop_order(f);
    }
    return f->L != NULL ? CN_OK : no_memory(f, err);
}

static cn_status analyze_lu(cn_factor *f, const cn_sparse *A, cn_error *err)
{
    double info[UMFPACK_INFO];
    CN_TRY(cn_reserve(&f->hooks, &f->work_index, &f->work_index_capacity, (size_t)f->size, err));
    CN_TRY(cn_reserve(&f->hooks, &f->work, &f->work_capacity, 6 * (size_t)f->size, err));
    int status = umfpack_di_symbolic(f->size, f->size, A->start, A->row, NULL, &f->symbolic,
                                     f->control, info);
    if (status < 0) {
        return no_memory(f, err);
    }
    f->lu_flops = info[UMFPACK_FLOPS_ESTIMATE];
    f->lu_bytes = info[UMFPACK_NUMERIC_SIZE_ESTIMATE] * info[UMFPACK_SIZE_OF_UNIT];
    return CN_OK;
}

cn_status cn_factor_analyze(cn_factor *factor, const cn_sparse *A, int block_count,
                            const int *block_start, cn_error *err)
{
    forget(factor);
    factor->size = A->size;
    return factor->kind == CN_FACTOR_LU
               ? analyze_lu(factor, A, err)
               : analyze_cholesky(factor, A, block_count, block_start, err);
}

double cn_factor_flops(const cn_factor *factor)
{
    return factor->kind == CN_FACTOR_LU ? factor->lu_flops : factor->common.fl;
}

double cn_factor_bytes(const cn_factor *factor)
{
    return factor->kind == CN_FACTOR_LU ? factor->lu_bytes : sizeof(double) * factor->common.lnz;
}

double cn_factor_stored(const cn_factor *factor)
{
    const cholmod_factor *L = factor->L;
    return L == NULL ? 0.0
                     : sizeof(double) * (double)L->xsize +
                           sizeof(int) * (double)(L->ssize + 3 * L->nsuper + 2 * L->n);
}

double cn_factor_held(const cn_factor *factor)
{
    return (double)factor->common.memory_inuse;
}

// CHOLMOD shares small loops among four threads of its own, whatever number is set: they wait for
// each other longer than they work. Without levels of parallelism it stays alone.
static int factorize_alone(cholmod_sparse *A, cn_factor *f)
{
    int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
    int is_done;
#pragma omp critical(cn_blas) // as in dense.c
    is_done = cholmod_factorize(A, f->L, &f->common);
    omp_set_max_active_levels(levels);
    return is_done;
}

static cn_status factor_cholesky(cn_factor *f, const cn_sparse *A, cn_error *err)
{
    cholmod_sparse view = view_of(A);
    if (!factorize_alone(&view, f)) {
        return no_memory(f, err);
    }
    if (f->L->minor < f->L->n) {
        return cn_fail(err, CN_BROKEN, "a matrix of %d rows is not positive definite at row %zu",
                       f->size, f->L->minor);
    }
    return CN_OK;
}

static cn_status factor_lu(cn_factor *f, const cn_sparse *A, cn_error *err)
{
    double info[UMFPACK_INFO];
    if (f->numeric != NULL) {
        umfpack_di_free_numeric(&f->numeric);
    }
    int status;
#pragma omp critical(cn_blas)
    status =
        umfpack_di_numeric(A->start, A->row, A->value, f->symbolic, &f->numeric, f->control, info);
    if (status == UMFPACK_OK) {
        return CN_OK;
    }
    return status == UMFPACK_WARNING_singular_matrix
               ? cn_fail(err, CN_BROKEN, "a matrix of %d rows is singular", f->size)
               : no_memory(f, err);
}

cn_status cn_factor_numeric(cn_factor *factor, const cn_sparse *A, cn_error *err)
{
    return factor->kind == CN_FACTOR_LU ? factor_lu(factor, A, err)
                                        : factor_cholesky(factor, A, err);
}

static cn_status solve_cholesky(cn_factor *factor, const double *b, double *x, cn_error *err)
{
    size_t size = (size_t)factor->size;
    union { // CHOLMOD takes a pointer to what it only reads
        const double *read;
        void *write;
    } right = {.read = b};
    cholmod_dense B = {.nrow = size,
                       .ncol = 1,
                       .nzmax = size,
                       .d = size,
                       .x = right.write,
                       .xtype = CHOLMOD_REAL,
                       .dtype = CHOLMOD_DOUBLE};
    int is_done;
#pragma omp critical(cn_blas)
    is_done = cholmod_solve2(CHOLMOD_A, factor->L, &B, NULL, &factor->X, NULL, &factor->Y,
                             &factor->E, &factor->common);
    if (!is_done) {
        return no_memory(factor, err);
    }
    memcpy(x, factor->X->x, sizeof *x * size);
    return CN_OK;
}

cn_status cn_factor_solve(cn_factor *factor, const cn_sparse *A, const double *b, double *x,
                          cn_error *err)
{
    size_t size = (size_t)factor->size;
    if (factor->kind == CN_FACTOR_LU) {
        double info[UMFPACK_INFO];
        double *copy = factor->work + 5 * size; // b and x may be the same
        memcpy(copy, b, sizeof *b * size);
        int status;
#pragma omp critical(cn_blas)
        status = umfpack_di_wsolve(UMFPACK_A, A->start, A->row, A->value, x, copy, factor->numeric,
                                   factor->control, info, factor->work_index, factor->work);
        return status >= 0 ? CN_OK : no_memory(factor, err);
    }
    return solve_cholesky(factor, b, x, err);
}

// Order, supernodes of columns and their tree, made once after an analysis.
static cn_status find_tree(cn_factor *f, cn_error *err)
{
    const cholmod_factor *L = f->L;
    const int *first = L->super, *row_start = L->pi, *row = L->s, *order = L->Perm;
    int count = (int)L->nsuper;
    CN_TRY(cn_reserve(&f->hooks, &f->place, &f->place_capacity, L->n, err));
    CN_TRY(cn_reserve(&f->hooks, &f->super_of, &f->super_of_capacity, L->n, err));
    CN_TRY(cn_reserve(&f->hooks, &f->parent, &f->parent_capacity, L->nsuper, err));
    for (int k = 0; k < count; k++) {
        for (int n = first[k]; n < first[k + 1]; n++) {
            f->place[order[n]] = n;
            f->super_of[n] = k;
        }
    }
    for (int k = 0; k < count; k++) {
        int other = row_start[k] + first[k + 1] - first[k]; // the first row below its own
        f->parent[k] = other < row_start[k + 1] ? f->super_of[row[other]] : -1;
    }
    f->has_tree = true;
    return CN_OK;
}

cn_status cn_factor_supernodes(cn_factor *factor, cn_supernodes *L, cn_error *err)
{
    if (!factor->has_tree) {
        CN_TRY(find_tree(factor, err));
    }
    const cholmod_factor *from = factor->L;
    *L = (cn_supernodes){.size = factor->size,
                         .count = (int)from->nsuper,
                         .first = from->super,
                         .row_start = from->pi,
                         .row = from->s,
                         .value_start = from->px,
                         .value = from->x,
                         .order = from->Perm,
                         .place = factor->place,
                         .of = factor->super_of,
                         .parent = factor->parent};
    return CN_OK;
}
