// solve/problem/extract.c -- see extract.h.
#include "solve/problem/extract.h"

#include <math.h>
#include <string.h>

#include "solve/problem/blocks.h"

void cn_extract_release(cn_extract *x, const cn_hooks *hooks)
{
    cn_release(hooks, x->constraint);
    cn_release(hooks, x->local);
    cn_release(hooks, x->integers);
    cn_release(hooks, x->numbers);
    cn_release(hooks, x->kind);
}

size_t cn_extract_bytes(const cn_extract *x)
{
    return sizeof(int) * (x->constraint_capacity + x->local_capacity + x->integers_capacity) +
           sizeof(double) * x->numbers_capacity + x->kind_capacity;
}

cn_status cn_extract_begin(cn_extract *x, const cn_hooks *hooks, const cn_problem *p, int most,
                           cn_error *err)
{
    size_t bodies = (size_t)p->W.factors.body_count;
    CN_TRY(cn_reserve(hooks, &x->constraint, &x->constraint_capacity, (size_t)most, err));
    CN_TRY(cn_reserve(hooks, &x->local, &x->local_capacity, bodies, err));
    memset(x->local, 0xff, sizeof *x->local * bodies);
    x->count = x->row_count = x->body_count = x->dof_count = 0;
    return CN_OK;
}

void cn_extract_add(cn_extract *x, const cn_problem *p, const cn_packed *c)
{
    const cn_factors *f = &p->W.factors;
    x->constraint[x->count++] = c->a;
    x->row_count += c->rows;
    for (int side = 0; side < 2; side++) {
        int i = f->body[2 * c->a + side];
        if (i >= 0 && x->local[i] < 0) {
            x->local[i] = x->body_count++;
            x->dof_count += f->dof_start[i + 1] - f->dof_start[i];
        }
    }
}

// Room for the problem of the part.
static cn_status reserve(cn_extract *x, const cn_hooks *hooks, cn_error *err)
{
    size_t count = (size_t)x->count, rows = (size_t)x->row_count;
    size_t bodies = (size_t)x->body_count, dofs = (size_t)x->dof_count;
    CN_TRY(cn_reserve(hooks, &x->kind, &x->kind_capacity, count, err));
    CN_TRY(cn_reserve(hooks, &x->integers, &x->integers_capacity, 5 * count + bodies + 2, err));
    return cn_reserve(hooks, &x->numbers, &x->numbers_capacity,
                      count + 5 * rows + CN_ROOT_SIZE * bodies + dofs, err);
}

// The next `count` of an array.
static int *take_integers(int **from, int count)
{
    int *taken = *from;
    *from += count;
    return taken;
}

static double *take_numbers(double **from, int count)
{
    double *taken = *from;
    *from += count;
    return taken;
}

// Rows of the part in an array of rows; NULL stays NULL.
static double *copy_rows(const cn_extract *x, const cn_problem *p, const double *rows,
                         double **room)
{
    if (rows == NULL) {
        return NULL;
    }
    double *to = take_numbers(room, x->row_count);
    for (int n = 0, row = 0; n < x->count; n++) {
        int a = x->constraint[n];
        for (int k = p->row_start[a]; k < p->row_start[a + 1]; k++) {
            to[row++] = rows[k];
        }
    }
    return to;
}

static void copy_bodies(cn_extract *x, const cn_problem *p, int **integers, double **numbers)
{
    const cn_factors *f = &p->W.factors;
    int *dof_start = take_integers(integers, x->body_count + 1);
    double *root = f->root != NULL ? take_numbers(numbers, CN_ROOT_SIZE * x->body_count) : NULL;
    dof_start[0] = 0;
    for (int n = 0, next = 0; n < 2 * x->count; n++) {
        int i = f->body[2 * x->constraint[n / 2] + n % 2];
        if (i < 0 || x->local[i] != next) {
            continue; // not its first mention
        }
        dof_start[next + 1] = dof_start[next] + f->dof_start[i + 1] - f->dof_start[i];
        if (root != NULL) {
            memcpy(root + CN_ROOT_SIZE * next, f->root + CN_ROOT_SIZE * i,
                   CN_ROOT_SIZE * sizeof *root);
        }
        next++;
    }
    x->problem.W.factors =
        (cn_factors){.body_count = x->body_count, .dof_start = dof_start, .G = f->G, .root = root};
}

static void copy_constraints(cn_extract *x, const cn_problem *p, int **integers, double **numbers)
{
    const cn_factors *f = &p->W.factors;
    int *body = take_integers(integers, 2 * x->count);
    int *block_start = take_integers(integers, 2 * x->count);
    int *row_start = take_integers(integers, x->count + 1);
    double *mu = take_numbers(numbers, x->count);
    row_start[0] = 0;
    for (int n = 0; n < x->count; n++) {
        int a = x->constraint[n];
        for (int side = 0; side < 2; side++) {
            int i = f->body[2 * a + side];
            body[2 * n + side] = i >= 0 ? x->local[i] : -1;
            block_start[2 * n + side] = f->block_start[2 * a + side];
        }
        row_start[n + 1] = row_start[n] + p->row_start[a + 1] - p->row_start[a];
        x->kind[n] = p->kind[a];
        mu[n] = p->mu[a];
    }
    x->problem.W.factors.body = body;
    x->problem.W.factors.block_start = block_start;
    x->problem.row_start = row_start;
    x->problem.mu = mu;
}

// u_free of the part: with the impulses of all others, without its own.
static void subtract_own(cn_extract *x)
{
    const cn_problem *own = &x->problem;
    const cn_factors *f = &own->W.factors;
    memset(x->w, 0, sizeof(double) * (size_t)x->dof_count);
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < 2 * x->count; n++) {
            int a = n / 2, i = f->body[n], row = own->row_start[a];
            if (i < 0) {
                continue;
            }
            int rows = own->row_start[a + 1] - row, dof = f->dof_start[i + 1] - f->dof_start[i];
            double *w = x->w + f->dof_start[i], u[CN_ROW_MAX] = {0};
            if (pass == 0) {
                cn_side_scatter(f, a, n % 2, rows, dof, own->r + row, w);
                continue;
            }
            cn_side_gather(f, a, n % 2, rows, dof, w, u);
            for (int k = 0; k < rows; k++) {
                x->u_free[row + k] -= u[k];
            }
        }
    }
}

cn_status cn_extract_copy(cn_extract *x, const cn_hooks *hooks, const cn_problem *p,
                          const double *u, cn_error *err)
{
    CN_TRY(reserve(x, hooks, err));
    int *integers = x->integers;
    double *numbers = x->numbers;
    x->problem = (cn_problem){.dim = p->dim, .contact_count = x->count, .kind = x->kind};
    copy_bodies(x, p, &integers, &numbers);
    copy_constraints(x, p, &integers, &numbers);
    x->problem.b = copy_rows(x, p, p->b, &numbers);
    x->problem.c = copy_rows(x, p, p->c, &numbers);
    x->problem.r0 = copy_rows(x, p, p->r0, &numbers);
    x->problem.r = copy_rows(x, p, p->r, &numbers);
    x->problem.u_free = x->u_free = copy_rows(x, p, u, &numbers);
    x->w = take_numbers(&numbers, x->dof_count);
    // whatever moves, moves in the part
    x->problem.v_before = p->v_before * sqrt((double)p->W.factors.body_count / x->body_count);
    subtract_own(x);
    return CN_OK;
}

void cn_extract_return(const cn_extract *x, const cn_problem *p)
{
    for (int n = 0; n < x->count; n++) {
        int a = x->constraint[n], rows = p->row_start[a + 1] - p->row_start[a];
        memcpy(p->r + p->row_start[a], x->problem.r + x->problem.row_start[n],
               sizeof(double) * (size_t)rows);
    }
}
