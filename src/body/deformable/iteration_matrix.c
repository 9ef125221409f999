// body/deformable/iteration_matrix.c -- see iteration_matrix.h.
#include "body/deformable/iteration_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/tasks.h"
#include "math/dense.h"

static void free_item(const cn_hooks *hooks, cn_iteration_matrix *f)
{
    cn_factor_destroy(f->sparse);
    cn_roots_free(hooks, &f->roots);
    void *owned[] = {f->held,         f->L,           f->A.value, f->active,
                     f->active_place, f->strip_place, f->response};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(hooks, owned[k]);
    }
}

void cn_factors_free(const cn_hooks *hooks, cn_factors_list *list)
{
    for (int n = 0; n < list->count; n++) {
        free_item(hooks, &list->item[n]);
    }
    cn_release(hooks, list->item);
    cn_release(hooks, list->room.memory);
    *list = (cn_factors_list){0};
}

bool cn_iteration_matrix_fits(const cn_iteration_matrix *f, const cn_iteration_matrix *like)
{
    return f->model == like->model && f->owner == like->owner && f->h == like->h &&
           f->theta == like->theta && f->is_static == like->is_static &&
           f->is_mass_only == like->is_mass_only && f->size == like->size &&
           memcmp(f->held, like->held, (size_t)f->size) == 0;
}

cn_status cn_factors_find(const cn_hooks *hooks, cn_factors_list *list,
                          const cn_iteration_matrix *like, int *found, cn_error *err)
{
    int empty = list->count;
    for (int n = list->count - 1; n >= 0; n--) {
        if (list->item[n].users > 0 && cn_iteration_matrix_fits(&list->item[n], like)) {
            list->item[n].users++;
            *found = n;
            return CN_OK;
        }
        empty = list->item[n].users == 0 ? n : empty;
    }
    CN_TRY(cn_reserve(hooks, &list->item, &list->capacity, (size_t)empty + 1, err));
    if (empty == list->count) {
        list->item[empty] = (cn_iteration_matrix){0};
        list->count++;
    }
    cn_iteration_matrix *f = &list->item[empty];
    CN_TRY(cn_reserve(hooks, &f->held, &f->held_capacity, (size_t)like->size, err));
    memcpy(f->held, like->held, (size_t)like->size);
    if (f->model != like->model || f->size != like->size) { // another pattern
        cn_factor_destroy(f->sparse);
        f->sparse = NULL;
    }
    f->model = like->model;
    f->owner = like->owner;
    f->h = like->h;
    f->theta = like->theta;
    f->is_static = like->is_static;
    f->is_mass_only = like->is_mass_only;
    f->size = like->size;
    f->dim = like->dim;
    f->users = 1;
    f->is_current = false;
    *found = empty;
    return CN_OK;
}

void cn_factors_leave(cn_factors_list *list, int n)
{
    if (n >= 0) {
        list->item[n].users--;
    }
}

static cn_status set_dense(const cn_hooks *hooks, cn_iteration_matrix *f, const cn_fem *fem,
                           const double *value, cn_error *err)
{
    int n = f->size;
    const int *start = fem->col_start, *row = fem->row;
    if (f->L == NULL) {
        CN_TRY(cn_dense_start(err));
    }
    CN_TRY(cn_reserve(hooks, &f->L, &f->L_capacity, (size_t)(n * n), err));
    memset(f->L, 0, sizeof(double) * (size_t)(n * n));
    for (int column = 0; column < n; column++) {
        for (int k = start[column]; k < start[column + 1]; k++) {
            bool is_out = f->held[column] || f->held[row[k]];
            f->L[n * column + row[k]] = is_out ? (row[k] == column ? 1.0 : 0.0) : value[k];
        }
    }
    return cn_dense_factor(n, f->L)
               ? CN_OK
               : cn_fail(err, CN_BROKEN, "its iteration matrix is not positive definite");
}

static cn_status analyze(const cn_hooks *hooks, cn_iteration_matrix *f, const cn_fem *fem,
                         cn_error *err)
{
    int nodes = f->size / f->dim;
    f->A.size = f->size;
    f->A.start = fem->col_start;
    f->A.row = fem->row;
    CN_TRY(cn_reserve(hooks, &f->active_place, &f->place_capacity, (size_t)nodes + 1, err));
    for (int k = 0; k <= nodes; k++) { // starts of blocks, until responses are asked for
        f->active_place[k] = f->dim * k;
    }
    CN_TRY(cn_dense_start(err));
    CN_TRY(cn_factor_create(hooks, CN_FACTOR_NESTED, &f->sparse, err));
    cn_status status = cn_factor_analyze(f->sparse, &f->A, nodes, f->active_place, err);
    if (status != CN_OK) {
        cn_factor_destroy(f->sparse);
        f->sparse = NULL;
    }
    return status;
}

static cn_status set_sparse(const cn_hooks *hooks, cn_iteration_matrix *f, const cn_fem *fem,
                            double *value, cn_error *err)
{
    if (f->sparse == NULL) {
        CN_TRY(analyze(hooks, f, fem, err));
    }
    cn_sparse A = f->A;
    A.value = value;
    if (f->owner >= 0) { // it may be asked for products with the matrix as it was
        size_t entries = (size_t)fem->entry_count;
        CN_TRY(cn_reserve(hooks, &f->A.value, &f->value_capacity, entries, err));
        A.value = f->A.value;
    }
    for (int column = 0; column < f->size; column++) {
        for (int k = A.start[column]; k < A.start[column + 1]; k++) {
            bool is_out = f->held[column] || f->held[A.row[k]];
            A.value[k] = is_out ? (A.row[k] == column ? 1.0 : 0.0) : value[k];
        }
    }
    f->active_count = 0;
    cn_roots_cut(&f->roots, 0);
    for (int k = 0; k < f->size / f->dim; k++) {
        f->active_place[k] = -1;
    }
    return cn_factor_numeric(f->sparse, &A, err);
}

cn_status cn_iteration_matrix_set(const cn_hooks *hooks, cn_iteration_matrix *factor,
                                  const cn_fem *fem, double *value, cn_error *err)
{
    factor->is_current = false;
    CN_TRY(factor->size <= CN_DENSE_MAX ? set_dense(hooks, factor, fem, value, err)
                                        : set_sparse(hooks, factor, fem, value, err));
    factor->is_current = true;
    return CN_OK;
}

cn_status cn_iteration_matrix_solve(cn_iteration_matrix *factor, const double *b, double *x,
                                    cn_error *err)
{
    if (factor->sparse != NULL && factor->size > CN_DENSE_MAX) {
        return cn_factor_solve(factor->sparse, &factor->A, b, x, err);
    }
    if (b != x) {
        memcpy(x, b, sizeof *x * (size_t)factor->size);
    }
    cn_dense_solve(factor->size, factor->L, x);
    return CN_OK;
}

void cn_iteration_matrix_root(const cn_iteration_matrix *factor, int rows, double *H)
{
    for (int k = 0; k < rows; k++) {
        cn_dense_forward(factor->size, factor->L, H + factor->size * k);
    }
}

enum {
    STRIP_NODES = 16, // active nodes of a strip
    STRIPS_AT_ONCE = 4
};

static int compare_ints(const void *p, const void *q)
{
    int a = *(const int *)p, b = *(const int *)q;
    return (a > b) - (a < b);
}

// Appends nodes that are not active yet. In strips they are in the order of the factor, where
// neighbours share most of their way to the root. Returns how many there are; active_count is as
// before.
static int append_fresh(cn_iteration_matrix *f, const cn_supernodes *L, const int *node, int count)
{
    int *fresh = f->active + f->active_count, *place = f->strip_place + f->active_count;
    int fresh_count = 0;
    for (int k = 0; k < count; k++) {
        if (f->active_place[node[k]] < 0) {
            f->active_place[node[k]] = f->active_count + fresh_count;
            place[fresh_count] = L->place[f->dim * node[k]];
            fresh[fresh_count++] = node[k];
        }
    }
    qsort(place, (size_t)fresh_count, sizeof *place, compare_ints);
    for (int k = 0; k < fresh_count; k++) {
        place[k] = f->active_place[L->order[place[k]] / f->dim];
    }
    return fresh_count;
}

// Strips of active nodes up to `total`, from number `first` on; held degrees of freedom do not
// respond.
static cn_status add_strips(const cn_hooks *hooks, cn_iteration_matrix *f, const cn_supernodes *L,
                            int first, int total, cn_error *err)
{
    cn_roots_cut(&f->roots, first);
    for (int start = STRIP_NODES * first; start < total; start += STRIP_NODES) {
        int dof[CN_STRIP_WIDTH], count = 0;
        for (int k = start; k < start + STRIP_NODES && k < total; k++) {
            for (int d = 0; d < f->dim; d++) {
                int at = f->dim * f->active[f->strip_place[k]] + d;
                dof[count++] = f->held[at] ? -1 : at;
            }
        }
        CN_TRY(cn_roots_add(hooks, &f->roots, L, count, dof, err));
    }
    return CN_OK;
}

// The block of two active nodes, from `tile` with the columns of b by rows, `width` each.
static void keep_block(cn_iteration_matrix *f, int a, int b, const double *tile, int width)
{
    int dim = f->dim, high = a > b ? a : b, low = a > b ? b : a;
    size_t at = (size_t)high * (size_t)(high + 1) / 2 + (size_t)low;
    double *block = f->response + (size_t)(dim * dim) * at;
    for (int k = 0; k < dim * dim; k++) {
        int i = k / dim, j = k % dim; // of the lower one, of the higher one
        block[k] = a > b ? tile[width * i + j] : tile[width * j + i];
    }
}

// Blocks of the nodes of strip s that are not before `fresh` with those of strip t <= s.
static void keep_blocks(cn_iteration_matrix *f, int s, int t, int fresh)
{
    double tile[CN_STRIP_WIDTH * CN_STRIP_WIDTH];
    const cn_root_strip *own = &f->roots.strip[s], *theirs = &f->roots.strip[t];
    int dim = f->dim, width = CN_STRIP_STEP * theirs->groups;
    const int *b = f->strip_place + STRIP_NODES * s, *a = f->strip_place + STRIP_NODES * t;
    cn_roots_product(&f->roots, own, theirs, tile);
    int first = fresh > STRIP_NODES * s ? fresh - STRIP_NODES * s : 0;
    for (int l = first; l < own->count / dim; l++) {
        for (int k = 0; k < (s == t ? l + 1 : theirs->count / dim); k++) {
            keep_block(f, a[k], b[l], tile + dim * (width * l + k), width);
        }
    }
}

// Responses of the nodes from place `fresh` to all before them. Several strips share what is read
// of the others.
static void find_blocks(cn_iteration_matrix *f, int fresh, int threads)
{
    for (int s = fresh / STRIP_NODES; s < f->roots.count; s += STRIPS_AT_ONCE) {
        int end = s + STRIPS_AT_ONCE < f->roots.count ? s + STRIPS_AT_ONCE : f->roots.count;
        CN_SHARED_FOR(threads, (schedule(dynamic, 1)), t, end, {
            for (int k = t > s ? t : s; k < end; k++) {
                keep_blocks(f, k, t, fresh);
            }
        });
    }
}

// Makes responses known up to `total` active nodes; fresh ones are those from active_count on.
static cn_status respond(const cn_hooks *hooks, cn_factors_list *list, cn_iteration_matrix *f,
                         const cn_supernodes *L, int total, cn_error *err)
{
    size_t blocks = (size_t)total * (size_t)(total + 1) / 2, dim = (size_t)f->dim;
    cn_scratch_user Z = {(void **)&f->roots.Z, &f->roots.Z_capacity, sizeof *f->roots.Z};
    int first = f->roots.count > 0 ? f->active_count / STRIP_NODES : 0;
    CN_TRY(cn_reserve(hooks, &f->response, &f->response_capacity, dim * dim * blocks, err));
    cn_scratch_give(&list->room, Z);
    CN_TRY(add_strips(hooks, f, L, first, total, err));
    CN_TRY(cn_roots_find(hooks, &f->roots, L, first, list->thread_count, err));
    find_blocks(f, f->active_count, cn_share(list->thread_count, f->roots.count, 2));
    if (cn_roots_flops(&f->roots, L) < list->kept_flops) {
        cn_roots_cut(&f->roots, 0);
        cn_scratch_take(&list->room, Z);
    }
    list->room.size = list->room.memory != NULL ? list->room.size : 0; // it is kept
    return CN_OK;
}

cn_status cn_iteration_matrix_activate(const cn_hooks *hooks, cn_factors_list *list, int n,
                                       const int *node, int count, cn_error *err)
{
    cn_iteration_matrix *f = &list->item[n];
    cn_supernodes L;
    CN_TRY(cn_factor_supernodes(f->sparse, &L, err));
    size_t most = (size_t)(f->active_count + count);
    CN_TRY(cn_reserve(hooks, &f->active, &f->active_capacity, most, err));
    CN_TRY(cn_reserve(hooks, &f->strip_place, &f->strip_place_capacity, most, err));
    int fresh = append_fresh(f, &L, node, count);
    cn_status status =
        fresh > 0 ? respond(hooks, list, f, &L, f->active_count + fresh, err) : CN_OK;
    if (status != CN_OK) {
        cn_roots_cut(&f->roots, 0);
        for (int k = f->active_count; k < f->active_count + fresh; k++) {
            f->active_place[f->active[k]] = -1;
        }
        return status;
    }
    f->active_count += fresh;
    list->solve_count += (size_t)(f->dim * fresh);
    return CN_OK;
}
