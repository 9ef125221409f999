// solve/problem/fold_rows.c -- terms beside cores where W is stored: the operator that contacts see
// is formed, island by island, theory 8.23.
//
//     W~ = W - W S M^-1 S W,   M = I + S W S,   S = k^1/2,
//     u~_free = x - W S M^-1 S x,   x = u_free - W r0
// so that every method sees a problem with stored rows and no such terms. What is left of the
// residual keeps the weights of the problem that it was made of.
#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "solve/problem/blocks.h"
#include "solve/problem/parallel.h"
#include "solve/solver.h"

static int rows_of(const cn_problem *p, int a)
{
    return p->row_start[a + 1] - p->row_start[a];
}

// Integers of the folded rows, in one array.
typedef struct layout {
    int *island;         // constraints: the first one of its island
    int *size;           // constraints: of a first one, how many are in its island
    int *place;          // constraints: first row in the matrix of its island
    int *member;         // constraints, island by island
    int *row;            // constraints + 1: first block of each
    int *term;           // rows: those of an island with a term
    int *first;          // bodies: a constraint of each, -1: none
    int *col, *block_at; // blocks
} layout;

// One island: its members are member[start] .. member[end - 1].
typedef struct linked {
    int start, end, width;
    double *D; // W, then W~
} linked;

static cn_status reserve_layout(cn_solver *s, const cn_problem *p, size_t blocks, layout *x,
                                cn_error *err)
{
    size_t count = (size_t)p->contact_count, rows = (size_t)p->row_start[p->contact_count];
    size_t bodies = (size_t)p->W.factors.body_count;
    CN_TRY(cn_reserve(&s->hooks, &s->fold.blocks, &s->fold.blocks_capacity,
                      5 * count + 1 + rows + bodies + 2 * blocks, err));
    *x = (layout){.island = s->fold.blocks};
    x->size = x->island + count;
    x->place = x->size + count;
    x->member = x->place + count;
    x->row = x->member + count;
    x->term = x->row + count + 1;
    x->first = x->term + rows;
    x->col = x->first + bodies;
    x->block_at = x->col + blocks;
    return CN_OK;
}

static int root_of(int *island, int a)
{
    while (island[a] != a) {
        island[a] = island[island[a]];
        a = island[a];
    }
    return a;
}

static void join(int *island, int a, int b)
{
    int i = root_of(island, a), j = root_of(island, b);
    island[i > j ? i : j] = i > j ? j : i;
}

// Islands of constraints that W links.
static void find_islands(const cn_problem *p, layout *x)
{
    const cn_factors *f = &p->W.factors;
    const cn_rows *stored = &p->W.rows;
    for (int i = 0; i < f->body_count; i++) {
        x->first[i] = -1;
    }
    for (int a = 0; a < p->contact_count; a++) {
        x->island[a] = a;
        x->size[a] = 0;
    }
    for (int a = 0; a < p->contact_count; a++) {
        for (int side = 0; side < 2 && f->body_count > 0; side++) {
            int i = f->body[2 * a + side];
            if (i >= 0 && x->first[i] >= 0) {
                join(x->island, a, x->first[i]);
            } else if (i >= 0) {
                x->first[i] = a;
            }
        }
        for (int n = stored->row ? stored->row[a] : 0; stored->row && n < stored->row[a + 1]; n++) {
            join(x->island, a, stored->col[n]);
        }
    }
    for (int a = 0; a < p->contact_count; a++) { // roots come first
        x->island[a] = x->island[x->island[a]];
        x->size[x->island[a]]++;
    }
}

// Members of islands in their order, rows of each; blocks and numbers of all, rows of the widest.
static void measure_islands(const cn_problem *p, layout *x, size_t *blocks, size_t *numbers,
                            size_t *widest)
{
    int count = 0;
    *blocks = *numbers = *widest = 0;
    for (int first = 0; first < p->contact_count; first++) {
        size_t width = 0, members = (size_t)x->size[first];
        for (int a = first, left = x->size[first]; left > 0; a++) {
            if (x->island[a] == first) {
                x->place[a] = (int)width;
                width += (size_t)rows_of(p, a);
                x->member[count++] = a;
                left--;
            }
        }
        *blocks += members * members;
        *numbers += width * width;
        *widest = width > *widest ? width : *widest;
    }
}

// Adds G_a G_b^T of the bodies that both act on.
static void add_factors(const cn_problem *p, int a, int b, int width, double *D)
{
    const cn_factors *f = &p->W.factors;
    for (int n = 0; n < 4 && f->body_count > 0; n++) {
        int i = f->body[2 * a + n / 2], j = f->body[2 * b + n % 2];
        if (i < 0 || i != j) {
            continue;
        }
        double room_a[CN_BLOCK_ROOM], room_b[CN_BLOCK_ROOM];
        const double *G_a = cn_problem_factor(p, a, n / 2, room_a);
        const double *G_b = cn_problem_factor(p, b, n % 2, room_b);
        int dof = f->dof_start[i + 1] - f->dof_start[i];
        for (int k = 0; k < rows_of(p, a); k++) {
            for (int m = 0; m < rows_of(p, b); m++) {
                double sum = 0.0;
                for (int d = 0; d < dof; d++) {
                    sum += G_a[dof * k + d] * G_b[dof * m + d];
                }
                D[width * k + m] += sum;
            }
        }
    }
}

// W of one island, dense.
static void fill_island(const cn_problem *p, const layout *x, const linked *is)
{
    const cn_rows *stored = &p->W.rows;
    int width = is->width;
    memset(is->D, 0, sizeof *is->D * (size_t)width * (size_t)width);
    for (int n = is->start; n < is->end; n++) {
        int a = x->member[n];
        double *row = is->D + (size_t)width * (size_t)x->place[a];
        for (int m = is->start; m < is->end; m++) {
            add_factors(p, a, x->member[m], width, row + x->place[x->member[m]]);
        }
        for (int k = stored->row ? stored->row[a] : 0; stored->row && k < stored->row[a + 1]; k++) {
            int b = stored->col[k], columns = rows_of(p, b);
            for (int i = 0; i < rows_of(p, a) * columns; i++) {
                row[width * (i / columns) + x->place[b] + i % columns] +=
                    stored->block[stored->block_start[k] + i];
            }
        }
    }
}

static bool is_symmetric(const linked *is)
{
    const double rounding = 1e-9;
    size_t width = (size_t)is->width;
    double most = 0.0, worst = 0.0;
    for (size_t i = 0; i < width; i++) {
        most = fmax(most, fabs(is->D[(width + 1) * i]));
        for (size_t j = 0; j < i; j++) {
            worst = fmax(worst, fabs(is->D[width * i + j] - is->D[width * j + i]));
        }
    }
    return worst <= rounding * most;
}

// Terms k^1/2 of the rows of an island that have one, and these rows. Returns their number.
static int list_terms(const cn_problem *p, const layout *x, const linked *is, double *root)
{
    int count = 0;
    for (int n = is->start; n < is->end; n++) {
        int a = x->member[n];
        for (int k = 0; k < rows_of(p, a); k++) {
            double term = p->k[p->row_start[a] + k];
            if (term > 0.0) {
                x->term[count] = x->place[a] + k;
                root[count++] = sqrt(term);
            }
        }
    }
    return count;
}

// u~_free of one island, from the factor of M; `y` is work of one number per term. The shorter
// formula with W~ (k u_free + r0) loses digits by (k W)^2.
static void free_island(const cn_problem *p, const layout *x, const linked *is, int terms,
                        const double *M, double *y, double *u_free)
{
    const double *root = is->D + (size_t)is->width * (size_t)is->width;
    for (int n = is->start; n < is->end; n++) {
        int a = x->member[n];
        for (int i = 0; i < rows_of(p, a); i++) {
            const double *D = is->D + (size_t)is->width * (size_t)(x->place[a] + i);
            double sum = p->u_free[p->row_start[a] + i];
            for (int m = is->start; m < is->end && p->r0 != NULL; m++) {
                int b = x->member[m];
                for (int j = 0; j < rows_of(p, b); j++) {
                    sum -= D[x->place[b] + j] * p->r0[p->row_start[b] + j];
                }
            }
            u_free[p->row_start[a] + i] = sum;
        }
    }
    for (int n = is->start, t = 0; n < is->end; n++) {
        int a = x->member[n];
        for (int i = 0; i < rows_of(p, a); i++) {
            if (t < terms && x->term[t] == x->place[a] + i) {
                y[t] = root[t] * u_free[p->row_start[a] + i];
                t++;
            }
        }
    }
    cn_dense_solve(terms, M, y);
    for (int n = is->start; n < is->end; n++) {
        int a = x->member[n];
        for (int i = 0; i < rows_of(p, a); i++) {
            const double *D = is->D + (size_t)is->width * (size_t)(x->place[a] + i);
            for (int t = 0; t < terms; t++) {
                u_free[p->row_start[a] + i] -= D[x->term[t]] * root[t] * y[t];
            }
        }
    }
}

// D <- W~; room for roots, and for two matrices more, is behind D. False: W is not symmetric.
static bool fold_island(const cn_problem *p, const layout *x, const linked *is, double *u_free)
{
    size_t width = (size_t)is->width;
    double *root = is->D + width * width, *M = root + width;
    size_t terms = (size_t)list_terms(p, x, is, root);
    double *Y = M + terms * terms;
    for (size_t i = 0; i < terms; i++) {
        const double *row = is->D + width * (size_t)x->term[i];
        for (size_t j = 0; j < terms; j++) {
            M[terms * i + j] = (i == j ? 1.0 : 0.0) + root[i] * row[x->term[j]] * root[j];
        }
    }
    if (!is_symmetric(is) || !cn_dense_factor((int)terms, M)) {
        return false;
    }
    free_island(p, x, is, (int)terms, M, Y, u_free);
    for (size_t j = 0; j < width; j++) {
        for (size_t i = 0; i < terms; i++) {
            Y[terms * j + i] = root[i] * is->D[width * j + (size_t)x->term[i]];
        }
    }
    cn_dense_forward_rows((int)terms, M, is->width, Y);
    cn_dense_subtract_products((int)terms, is->width, Y, is->D);
    return true;
}

// Blocks of one island from its matrix. Returns how many numbers there are now.
static int store_island(const cn_problem *p, const layout *x, const linked *is, int number,
                        double *to)
{
    for (int n = is->start; n < is->end; n++) {
        int a = x->member[n], block = x->row[a];
        const double *row = is->D + (size_t)is->width * (size_t)x->place[a];
        for (int m = is->start; m < is->end; m++) {
            int b = x->member[m], columns = rows_of(p, b);
            x->col[block] = b;
            x->block_at[block++] = number;
            for (int i = 0; i < rows_of(p, a) * columns; i++) {
                to[number++] = row[is->width * (i / columns) + x->place[b] + i % columns];
            }
        }
    }
    return number;
}

// r' of the impulses that p starts from, for one island.
static void start_island(const cn_problem *p, const layout *x, const linked *is, double *r_core)
{
    for (int n = is->start; n < is->end; n++) {
        int a = x->member[n], row = p->row_start[a], rows = rows_of(p, a);
        double W[CN_ROW_MAX * CN_ROW_MAX], u[CN_ROW_MAX];
        for (int i = 0; i < rows; i++) {
            const double *D = is->D + (size_t)is->width * (size_t)(x->place[a] + i);
            u[i] = p->u_free[row + i];
            for (int m = is->start; m < is->end; m++) {
                int b = x->member[m];
                for (int j = 0; j < rows_of(p, b); j++) {
                    u[i] += D[x->place[b] + j] * p->r[p->row_start[b] + j];
                }
            }
            memcpy(W + rows * i, D + x->place[a], sizeof *W * (size_t)rows);
        }
        cn_parallel_guess(p, a, W, p->r + row, u, r_core + row);
    }
}

// All islands; the numbers of W~ come first, then work. False: W is not symmetric.
static bool fold_islands(const cn_problem *p, layout *x, size_t numbers, double *dense,
                         double *r_core, double *u_free)
{
    int number = 0;
    x->row[0] = 0;
    for (int a = 0; a < p->contact_count; a++) {
        x->row[a + 1] = x->row[a] + x->size[x->island[a]];
    }
    for (int start = 0; start < p->contact_count;) {
        linked is = {.start = start, .D = dense + numbers};
        is.end = start + x->size[x->island[x->member[start]]];
        for (int n = is.start; n < is.end; n++) {
            is.width += rows_of(p, x->member[n]);
        }
        fill_island(p, x, &is);
        start_island(p, x, &is, r_core);
        if (!fold_island(p, x, &is, u_free)) {
            return false;
        }
        number = store_island(p, x, &is, number, dense);
        start = is.end;
    }
    return true;
}

// Weights w_a of the problem as it is.
static void find_weights(const cn_problem *p, double *weight)
{
    for (int a = 0; a < p->contact_count; a++) {
        int first = p->row_start[a], size = rows_of(p, a);
        double W[CN_ROW_MAX * CN_ROW_MAX], trace = 0.0;
        cn_problem_block(p, a, W);
        cn_parallel_soften(size, p->k + first, W);
        for (int k = 0; k < size; k++) {
            trace += W[(size + 1) * k] + cn_row_or_zero(p->c, first + k);
        }
        weight[a] = trace / size;
    }
}

cn_status cn_fold_rows(cn_solver *s, const cn_problem *p, double memory, cn_problem *folded,
                       bool *is_folded, cn_error *err)
{
    size_t rows = (size_t)p->row_start[p->contact_count], count = (size_t)p->contact_count;
    size_t blocks, numbers, widest;
    layout x;
    *folded = *p;
    *is_folded = false;
    CN_TRY(reserve_layout(s, p, 0, &x, err));
    find_islands(p, &x);
    measure_islands(p, &x, &blocks, &numbers, &widest);
    size_t all = numbers + 3 * widest * widest + widest;
    if (count == 0 || numbers > INT32_MAX || blocks > INT32_MAX ||
        (double)(all * sizeof(double)) > memory) {
        return CN_OK;
    }
    CN_TRY(cn_dense_start(err));
    CN_TRY(reserve_layout(s, p, blocks, &x, err)); // keeps what is known
    CN_TRY(cn_reserve(&s->hooks, &s->fold.dense, &s->fold.dense_capacity, all, err));
    CN_TRY(
        cn_reserve(&s->hooks, &s->fold.numbers, &s->fold.numbers_capacity, 3 * rows + count, err));
    double *r = s->fold.numbers, *u_free = r + rows, *guess = u_free + rows, *weight = guess + rows;
    if (!fold_islands(p, &x, numbers, s->fold.dense, r, u_free)) {
        return CN_OK;
    }
    folded->W = (cn_operator){.rows = {x.row, x.col, x.block_at, s->fold.dense}};
    find_weights(p, weight);
    memcpy(guess, s->r_guess, sizeof *r * rows);
    memcpy(s->r_guess, r, sizeof *r * rows);
    folded->r = r;
    folded->u_free = u_free;
    folded->r0 = folded->k = NULL;
    s->fold.u_free = p->u_free;
    s->fold.weight = weight;
    *is_folded = true;
    return CN_OK;
}

cn_status cn_problem_fold(const cn_problem *p, cn_solver *solver, cn_problem *folded, cn_error *err)
{
    CN_NEED(err, p, solver, folded);
    CN_TRY(cn_problem_check(p, 1, err));
    size_t rows = (size_t)p->row_start[p->contact_count];
    *folded = *p;
    if (!cn_has_parallel(p, 0, (int)rows)) {
        folded->k = NULL;
        return CN_OK;
    }
    CN_TRY(cn_reserve(&solver->hooks, &solver->r_guess, &solver->r_guess_capacity, rows, err));
    bool is_folded;
    double memory = cn_solver_def_default().factor_memory;
    CN_TRY(cn_fold_rows(solver, p, memory, folded, &is_folded, err));
    solver->fold.u_free = solver->fold.weight = NULL;
    return is_folded ? CN_OK
                     : cn_fail(err, CN_BAD_INPUT,
                               "parallel terms of %d rows are not folded: W is not symmetric, or "
                               "the matrix of what is linked takes more than %g GB",
                               (int)rows, 1e-9 * memory);
}

void cn_fold_rows_return(cn_solver *s, const cn_problem *folded, cn_problem *p)
{
    int rows = p->row_start[p->contact_count];
    s->fold.u_free = s->fold.weight = NULL;
    memcpy(s->r_guess, s->fold.numbers + 2 * rows, sizeof(double) * (size_t)rows);
    for (int k = 0; k < rows; k++) {
        p->r[k] = folded->r[k] - cn_row_or_zero(p->r0, k) - p->k[k] * s->u[k];
    }
}
