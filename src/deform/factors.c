// deform/factors.c -- see factors.h.
#include "deform/factors.h"

#include <string.h>

#include "math/dense.h"

static void free_item(const cn_hooks *hooks, cn_mesh_factor *f)
{
    cn_factor_destroy(f->sparse);
    void *owned[] = {f->held, f->L, f->A.value, f->active, f->active_place, f->response, f->right};
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
    *list = (cn_factors_list){0};
}

bool cn_mesh_factor_fits(const cn_mesh_factor *f, const cn_mesh_factor *like)
{
    return f->model == like->model && f->owner == like->owner && f->h == like->h &&
           f->theta == like->theta && f->is_static == like->is_static &&
           f->is_mass_only == like->is_mass_only && f->size == like->size &&
           memcmp(f->held, like->held, (size_t)f->size) == 0;
}

cn_status cn_factors_find(const cn_hooks *hooks, cn_factors_list *list, const cn_mesh_factor *like,
                          int *found, cn_error *err)
{
    int empty = list->count;
    for (int n = list->count - 1; n >= 0; n--) {
        if (list->item[n].users > 0 && cn_mesh_factor_fits(&list->item[n], like)) {
            list->item[n].users++;
            *found = n;
            return CN_OK;
        }
        empty = list->item[n].users == 0 ? n : empty;
    }
    CN_TRY(cn_reserve(hooks, &list->item, &list->capacity, (size_t)empty + 1, err));
    if (empty == list->count) {
        list->item[empty] = (cn_mesh_factor){0};
        list->count++;
    }
    cn_mesh_factor *f = &list->item[empty];
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

static cn_status set_dense(const cn_hooks *hooks, cn_mesh_factor *f, const cn_fem *fem,
                           const double *value, cn_error *err)
{
    int n = f->size;
    const int *start = fem->col_start, *row = fem->row;
    if (f->L == NULL) {
        cn_dense_start();
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

static cn_status analyze(const cn_hooks *hooks, cn_mesh_factor *f, const cn_fem *fem, cn_error *err)
{
    int nodes = f->size / f->dim;
    f->A =
        (cn_sparse){.size = f->size, .start = fem->col_start, .row = fem->row, .value = f->A.value};
    CN_TRY(cn_reserve(hooks, &f->A.value, &f->value_capacity, (size_t)fem->entry_count, err));
    CN_TRY(cn_reserve(hooks, &f->active_place, &f->place_capacity, (size_t)nodes + 1, err));
    for (int k = 0; k <= nodes; k++) { // starts of blocks, until responses are asked for
        f->active_place[k] = f->dim * k;
    }
    CN_TRY(cn_factor_create(hooks, CN_FACTOR_CHOLESKY, &f->sparse, err));
    cn_status status = cn_factor_analyze(f->sparse, &f->A, nodes, f->active_place, err);
    if (status != CN_OK) {
        cn_factor_destroy(f->sparse);
        f->sparse = NULL;
    }
    return status;
}

static cn_status set_sparse(const cn_hooks *hooks, cn_mesh_factor *f, const cn_fem *fem,
                            const double *value, cn_error *err)
{
    if (f->sparse == NULL) {
        CN_TRY(analyze(hooks, f, fem, err));
    }
    for (int column = 0; column < f->size; column++) {
        for (int k = f->A.start[column]; k < f->A.start[column + 1]; k++) {
            bool is_out = f->held[column] || f->held[f->A.row[k]];
            f->A.value[k] = is_out ? (f->A.row[k] == column ? 1.0 : 0.0) : value[k];
        }
    }
    f->active_count = 0;
    for (int k = 0; k < f->size / f->dim; k++) {
        f->active_place[k] = -1;
    }
    return cn_factor_numeric(f->sparse, &f->A, err);
}

cn_status cn_mesh_factor_set(const cn_hooks *hooks, cn_mesh_factor *factor, const cn_fem *fem,
                             const double *value, cn_error *err)
{
    factor->is_current = false;
    CN_TRY(factor->size <= CN_DENSE_MAX ? set_dense(hooks, factor, fem, value, err)
                                        : set_sparse(hooks, factor, fem, value, err));
    factor->is_current = true;
    return CN_OK;
}

cn_status cn_mesh_factor_solve(cn_mesh_factor *factor, const double *b, double *x, cn_error *err)
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

void cn_mesh_factor_root(const cn_mesh_factor *factor, int rows, double *H)
{
    for (int k = 0; k < rows; k++) {
        cn_dense_forward(factor->size, factor->L, H + factor->size * k);
    }
}

enum { NODES_AT_ONCE = 8 }; // columns that are solved together make a triangular solve fast

// Unit right sides of some nodes; held degrees of freedom do not respond.
static void fill_right(const cn_mesh_factor *f, const int *node, int count, double *right)
{
    memset(right, 0, sizeof *right * (size_t)(f->size * f->dim * count));
    for (int k = 0; k < count; k++) {
        for (int d = 0; d < f->dim; d++) {
            int dof = f->dim * node[k] + d;
            right[f->size * (f->dim * k + d) + dof] = f->held[dof] ? 0.0 : 1.0;
        }
    }
}

// Blocks of new active node b (its place) with all before it, from its columns of A^-1.
static void keep_response(cn_mesh_factor *f, int b, const double *columns)
{
    int dim = f->dim;
    for (int a = 0; a <= b; a++) {
        double *block =
            f->response + (size_t)(dim * dim) * ((size_t)b * (size_t)(b + 1) / 2 + (size_t)a);
        for (int i = 0; i < dim; i++) {
            for (int j = 0; j < dim; j++) {
                block[dim * i + j] = columns[f->size * j + dim * f->active[a] + i];
            }
        }
    }
}

static cn_status respond(cn_factors_list *list, cn_mesh_factor *f, const int *node, int count,
                         cn_error *err)
{
    int columns = f->dim * count;
    const double *found;
    fill_right(f, node, count, f->right);
    CN_TRY(cn_factor_solve_many(f->sparse, columns, f->right, &found, err));
    list->solve_count += (size_t)columns;
    for (int k = 0; k < count; k++) {
        f->active_place[node[k]] = f->active_count;
        f->active[f->active_count++] = node[k];
        keep_response(f, f->active_count - 1, found + f->size * f->dim * k);
    }
    return CN_OK;
}

cn_status cn_mesh_factor_activate(const cn_hooks *hooks, cn_factors_list *list, int n,
                                  const int *node, int count, cn_error *err)
{
    cn_mesh_factor *f = &list->item[n];
    int fresh[NODES_AT_ONCE], fresh_count = 0, dim = f->dim;
    size_t most = (size_t)(f->active_count + count);
    CN_TRY(cn_reserve(hooks, &f->active, &f->active_capacity, most, err));
    for (int k = 0; k < count; k++) {
        bool is_new = f->active_place[node[k]] < 0;
        for (int l = 0; l < fresh_count && is_new; l++) {
            is_new = fresh[l] != node[k];
        }
        if (is_new) {
            fresh[fresh_count++] = node[k];
        }
        if (fresh_count == NODES_AT_ONCE || (k == count - 1 && fresh_count > 0)) {
            size_t total = (size_t)(f->active_count + fresh_count);
            CN_TRY(cn_reserve(hooks, &f->response, &f->response_capacity,
                              (size_t)(dim * dim) * (total * (total + 1) / 2), err));
            CN_TRY(cn_reserve(hooks, &f->right, &f->right_capacity,
                              (size_t)(f->size * dim) * NODES_AT_ONCE, err));
            CN_TRY(respond(list, f, fresh, fresh_count, err));
            fresh_count = 0;
        }
    }
    return CN_OK;
}

void cn_mesh_factor_block(const cn_mesh_factor *factor, int node_a, int node_b, double *block)
{
    int dim = factor->dim;
    size_t a = (size_t)factor->active_place[node_a], b = (size_t)factor->active_place[node_b];
    bool is_turned = a > b;
    size_t low = is_turned ? b : a, high = is_turned ? a : b;
    const double *from = factor->response + (size_t)(dim * dim) * (high * (high + 1) / 2 + low);
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) {
            block[dim * i + j] = is_turned ? from[dim * j + i] : from[dim * i + j];
        }
    }
}
