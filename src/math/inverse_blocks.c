// math/inverse_blocks.c -- see inverse_blocks.h.
#include "math/inverse_blocks.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/tasks.h"

enum {
    PANEL = 128,      // columns of L at a time: their rows of a strip stay in cache
    PRODUCT_ROWS = 96 // rows of two strips at a time, likewise
};

void cn_roots_free(const cn_hooks *hooks, cn_roots *roots)
{
    void *owned[] = {roots->strip, roots->step, roots->Z, roots->row_of, roots->mark};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(hooks, owned[k]);
    }
    *roots = (cn_roots){0};
}

static int compare_steps(const void *p, const void *q)
{
    int a = ((const cn_root_step *)p)->node, b = ((const cn_root_step *)q)->node;
    return (a > b) - (a < b);
}

// Supernodes on the ways of all columns of a strip, in order, with their places.
static cn_status find_way(const cn_hooks *hooks, cn_roots *r, const cn_supernodes *L,
                          cn_root_strip *strip, cn_error *err)
{
    size_t known = r->mark_capacity;
    CN_TRY(cn_reserve(hooks, &r->mark, &r->mark_capacity, (size_t)L->count, err));
    for (size_t k = known; k < r->mark_capacity; k++) {
        r->mark[k] = 0;
    }
    r->stamp++;
    // Columns that are all held have no way to the root, and then room for none is enough.
    CN_TRY(cn_reserve(hooks, &r->step, &r->step_capacity, (size_t)strip->step_start + 1, err));
    for (int c = 0; c < strip->count; c++) {
        int node = strip->dof[c] >= 0 ? L->of[L->place[strip->dof[c]]] : -1;
        for (; node >= 0 && r->mark[node] != r->stamp; node = L->parent[node]) {
            size_t end = (size_t)(strip->step_start + strip->step_count);
            CN_TRY(cn_reserve(hooks, &r->step, &r->step_capacity, end + 1, err));
            r->mark[node] = r->stamp;
            r->step[end].node = node;
            strip->step_count++;
        }
    }
    cn_root_step *step = r->step + strip->step_start;
    qsort(step, (size_t)strip->step_count, sizeof *step, compare_steps);
    strip->rows = 0;
    for (int k = 0; k < strip->step_count; k++) {
        step[k].row = strip->rows;
        strip->rows += L->first[step[k].node + 1] - L->first[step[k].node];
    }
    return CN_OK;
}

// Numbers of one group of columns, with a row to spare for kernels, and of a strip.
static size_t stride_of(const cn_root_strip *strip)
{
    return CN_STRIP_STEP * ((size_t)strip->rows + 1);
}

static size_t size_of(const cn_root_strip *strip)
{
    return stride_of(strip) * (size_t)strip->groups;
}

cn_status cn_roots_add(const cn_hooks *hooks, cn_roots *roots, const cn_supernodes *L, int count,
                       const int *dof, cn_error *err)
{
    CN_TRY(cn_reserve(hooks, &roots->strip, &roots->strip_capacity, (size_t)roots->count + 1, err));
    const cn_root_strip *last = roots->count > 0 ? &roots->strip[roots->count - 1] : NULL;
    cn_root_strip strip = {.count = count, .groups = (count + CN_STRIP_STEP - 1) / CN_STRIP_STEP};
    if (last != NULL) {
        strip.step_start = last->step_start + last->step_count;
        strip.start = last->start + size_of(last);
    }
    memcpy(strip.dof, dof, sizeof *dof * (size_t)count);
    CN_TRY(find_way(hooks, roots, L, &strip, err));
    roots->strip[roots->count++] = strip;
    return CN_OK;
}

void cn_roots_cut(cn_roots *roots, int count)
{
    roots->count = count < roots->count ? count : roots->count;
}

double cn_roots_flops(const cn_roots *roots, const cn_supernodes *L)
{
    double flops = 0.0;
    for (int s = 0; s < roots->count; s++) {
        const cn_root_strip *strip = &roots->strip[s];
        for (int k = 0; k < strip->step_count; k++) {
            int node = roots->step[strip->step_start + k].node;
            double columns = L->first[node + 1] - L->first[node];
            double rows = L->row_start[node + 1] - L->row_start[node];
            flops += CN_STRIP_STEP * strip->groups * columns * (2.0 * rows - columns);
        }
    }
    return flops;
}

// One supernode of the factor at work on one strip.
typedef struct block {
    const double *L; // `rows` numbers per column
    int columns, rows;
    const int *row; // of the factor
    cn_strip X;     // rows of the strip that belong to the columns
    double *Z;      // all its rows
    double *spare;  // the one that is none
    const int *row_of;
} block;

// Rows i .. i + count - 1 of columns k .. k + columns - 1, eight numbers per column; those that
// come next are fetched meanwhile.
static void pack(const block *b, int i, int count, int k, int columns, double *packed)
{
    for (int c = 0; c < columns; c++) {
        const double *from = b->L + (size_t)b->rows * (size_t)(k + c) + i;
        __builtin_prefetch(from + 2 * CN_STRIP_STEP - 1);
        for (int r = 0; r < CN_STRIP_STEP; r++) {
            packed[CN_STRIP_STEP * c + r] = r < count ? from[r] : 0.0;
        }
    }
}

// Rows i .. i + count - 1 of the columns themselves, after the products with columns before i.
static void substitute(const block *b, int i, int count)
{
    for (int g = 0; g < b->X.groups; g++) {
        double *X = b->X.at + b->X.stride * (size_t)g;
        for (int r = i; r < i + count; r++) {
            double *x = X + CN_STRIP_STEP * r;
            for (int k = i; k < r; k++) {
                double l = b->L[(size_t)b->rows * (size_t)k + (size_t)r];
                for (int c = 0; c < CN_STRIP_STEP; c++) {
                    x[c] -= l * X[CN_STRIP_STEP * k + c];
                }
            }
            double pivot = b->L[(size_t)b->rows * (size_t)r + (size_t)r];
            for (int c = 0; c < CN_STRIP_STEP; c++) {
                x[c] /= pivot;
            }
        }
    }
}

// Where the rows i .. i + count - 1 of the block are in the strip; those beyond are spare.
static void locate(const block *b, const cn_supernodes *L, int i, int count, double **row)
{
    for (int r = 0; r < CN_STRIP_STEP; r++) {
        if (r >= count) {
            row[r] = b->spare;
        } else if (i + r < b->columns) {
            row[r] = b->X.at + CN_STRIP_STEP * (i + r);
        } else {
            int at = b->row[i + r], node = L->of[at];
            row[r] = b->Z + CN_STRIP_STEP * (size_t)(b->row_of[node] + at - L->first[node]);
        }
    }
}

// X = L_JJ^-1 X for the columns J of a supernode, then Z_I -= L_IJ X for its other rows.
static void eliminate(const block *b, const cn_supernodes *L, const cn_strip_kernels *kernel)
{
    double packed[CN_STRIP_STEP * PANEL];
    double *row[CN_STRIP_STEP];
    for (int k = 0; k < b->columns; k += PANEL) {
        int end = k + PANEL < b->columns ? k + PANEL : b->columns;
        cn_strip X = {b->X.groups, b->X.stride, b->X.at + CN_STRIP_STEP * k};
        for (int i = k, count; i < b->rows; i += count) {
            bool is_own = i < end;
            count = (is_own ? end : b->rows) - i;
            count = count < CN_STRIP_STEP ? count : CN_STRIP_STEP;
            int columns = is_own ? i - k : end - k;
            pack(b, i, count, k, columns, packed);
            locate(b, L, i, count, row);
            kernel->update(columns, packed, &X, row);
            if (is_own) {
                substitute(b, i, count);
            }
        }
    }
}

// Z of one strip: unit vectors, then one supernode of its way after the other.
static void find_strip(const cn_roots *r, const cn_supernodes *L, const cn_strip_kernels *kernel,
                       const cn_root_strip *strip, int *row_of)
{
    const cn_root_step *step = r->step + strip->step_start;
    double *Z = r->Z + strip->start;
    size_t stride = stride_of(strip);
    memset(Z, 0, sizeof *Z * size_of(strip));
    for (int k = 0; k < strip->step_count; k++) {
        row_of[step[k].node] = step[k].row;
    }
    for (int c = 0; c < strip->count; c++) {
        if (strip->dof[c] >= 0) {
            int at = L->place[strip->dof[c]], node = L->of[at];
            size_t row = (size_t)(row_of[node] + at - L->first[node]);
            Z[stride * (size_t)(c / CN_STRIP_STEP) + CN_STRIP_STEP * row +
              (size_t)(c % CN_STRIP_STEP)] = 1.0;
        }
    }
    for (int k = 0; k < strip->step_count; k++) {
        int node = step[k].node;
        block b = {.L = L->value + L->value_start[node],
                   .columns = L->first[node + 1] - L->first[node],
                   .rows = L->row_start[node + 1] - L->row_start[node],
                   .row = L->row + L->row_start[node],
                   .X = {strip->groups, stride, Z + CN_STRIP_STEP * (size_t)step[k].row},
                   .Z = Z,
                   .spare = Z + CN_STRIP_STEP * (size_t)strip->rows,
                   .row_of = row_of};
        eliminate(&b, L, kernel);
    }
}

cn_status cn_roots_find(const cn_hooks *hooks, cn_roots *roots, const cn_supernodes *L, int first,
                        int threads, cn_error *err)
{
    if (first >= roots->count) {
        return CN_OK;
    }
    const cn_root_strip *last = &roots->strip[roots->count - 1];
    size_t need = last->start + size_of(last);
    int shared = cn_share(threads, roots->count - first, 1);
    cn_strip_kernels kernel = cn_strip_kernels_pick();
    CN_TRY(cn_reserve(hooks, &roots->Z, &roots->Z_capacity, need, err));
    CN_TRY(cn_reserve(hooks, &roots->row_of, &roots->row_of_capacity,
                      (size_t)shared * (size_t)L->count, err));
    CN_SHARED_FOR(shared, (schedule(dynamic, 1)), k, roots->count - first, {
        int slot = shared > 1 ? omp_get_thread_num() : 0;
        find_strip(roots, L, &kernel, &roots->strip[first + k],
                   roots->row_of + (size_t)slot * (size_t)L->count);
    });
    return CN_OK;
}

void cn_roots_product(const cn_roots *roots, const cn_root_strip *s, const cn_root_strip *t,
                      double *tile)
{
    const cn_root_step *a = roots->step + s->step_start, *b = roots->step + t->step_start;
    const cn_root_step *a_end = a + s->step_count, *b_end = b + t->step_count;
    cn_strip_kernels kernel = cn_strip_kernels_pick();
    memset(tile, 0, sizeof *tile * CN_STRIP_STEP * CN_STRIP_STEP * (size_t)(s->groups * t->groups));
    while (a < a_end && b < b_end) {
        if (a->node != b->node) {
            *(a->node < b->node ? &a : &b) += 1;
            continue;
        }
        cn_strip x = {s->groups, stride_of(s), roots->Z + s->start + CN_STRIP_STEP * a->row};
        cn_strip y = {t->groups, stride_of(t), roots->Z + t->start + CN_STRIP_STEP * b->row};
        int first = a->row;
        for (; a < a_end && b < b_end && a->node == b->node; a++, b++) {
        }
        int count = (a < a_end ? a->row : s->rows) - first;
        for (int k = 0; k < count; k += PRODUCT_ROWS) {
            kernel.product(count - k < PRODUCT_ROWS ? count - k : PRODUCT_ROWS, &x, &y, tile);
            x.at += CN_STRIP_STEP * PRODUCT_ROWS;
            y.at += CN_STRIP_STEP * PRODUCT_ROWS;
        }
    }
}
