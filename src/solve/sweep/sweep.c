// solve/sweep/sweep.c -- visit constraints in order, solve each one with the others frozen,
// theory 8.3.
//
// Bodies enter through w = A^1/2 (v - v_free), kept up to date by each visit, so W is never formed
// (8.4). Stored rows add sum_b W_ab r_b. Contacts of rigid bodies go through the wide kernels,
// those on deformable bodies, stored rows and in a cell under stress through visit_plain, all other
// constraints (joints, bodies with held axes) through cn_visit.
#include "solve/problem/blocks.h"
#include "solve/problem/parallel.h"
#include "solve/solver.h"
#include "solve/sweep/local.h"

// u += W_ab r_b.
static inline void add_block(const double *block, int rows, int columns, const double *r, double *u)
{
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < columns; k++) {
            u[i] += block[columns * i + k] * r[k];
        }
    }
}

// u += sum_{b != a} W_ab r_b over the stored part, whose diagonal block is in W' already.
static inline void gather_rows(const cn_problem *p, int a, int rows, double *u)
{
    const cn_rows *stored = &p->W.rows;
    for (int n = stored->row[a]; n < stored->row[a + 1]; n++) {
        int b = stored->col[n];
        if (b == a) {
            continue;
        }
        add_block(stored->block + stored->block_start[n], rows,
                  p->row_start[b + 1] - p->row_start[b], p->r + p->row_start[b], u);
    }
}

// u -= G^T G r: what w carries of the constraint itself.
static inline void subtract_own(int rows, int dof, const double *G, const double *r, double *u)
{
    for (int d = 0; d < dof; d++) {
        double own = 0.0;
        for (int k = 0; k < rows; k++) {
            own += G[dof * k + d] * r[k];
        }
        for (int k = 0; k < rows; k++) {
            u[k] -= G[dof * k + d] * own;
        }
    }
}

// r' less k u of a core with a term beside it (8.22), for the velocity u that the others leave of
// w; the numbers are those of the stream.
static void solve_parallel(const cn_core *core, int rows, const double *W, double *x,
                           cn_local_solver *solve, const double *u, double *r)
{
    const double *shift = W + rows * rows, *E = x + CN_DISC_MAX;
    double left[CN_ROW_MAX], moved[CN_ROW_MAX];
    cn_parallel_multiply(rows, E, u, left);
    for (int k = 0; k < rows; k++) {
        left[k] += shift[k];
        r[k] = 0.0;
    }
    solve(core, rows, W, left, x, r);
    cn_parallel_multiply(rows, W, r, moved);
    for (int k = 0; k < rows; k++) {
        double u_k = left[k] - core->b[k] + moved[k] - core->c[k] * r[k];
        r[k] -= core->k[k] * u_k;
    }
}

void cn_visit(cn_solver *s, const cn_problem *p, const cn_packed *c, double *numbers,
              cn_local_solver *solve)
{
    int rows = c->rows;
    double room_i[CN_BLOCK_ROOM], room_j[CN_BLOCK_ROOM];
    const double *G_i = cn_problem_factor(p, c->a, 0, room_i);
    const double *G_j = cn_problem_factor(p, c->a, 1, room_j);
    double *w_i = s->w + cn_packed_w(s, &p->W.factors, c, 0);
    double *w_j = s->w + cn_packed_w(s, &p->W.factors, c, 1);
    double *W = numbers;
    const double *shift = W + rows * rows;
    double *x = W + rows * (rows + 1); // roots of the last visit
    const cn_core core = cn_problem_core(p, c->a);
    double *r = p->r + c->row;
    double u[CN_ROW_MAX], r_new[CN_ROW_MAX], dr[CN_ROW_MAX];
    bool has_parallel = cn_has_parallel(p, c->row, rows);
    for (int k = 0; k < rows; k++) {
        u[k] = has_parallel ? 0.0 : shift[k];
    }
    cn_gather(rows, c->dof_i, G_i, w_i, u);
    cn_gather(rows, c->dof_j, G_j, w_j, u);
    const double *G_cell = cn_problem_factor(p, c->a, CN_SIDE_CELL, room_i);
    int cell_dof = cn_cell_dof_of(&p->W.factors);
    double *w_cell = cell_dof > 0 ? s->w + cn_cell_w(&p->W.factors) : NULL;
    cn_gather(rows, cell_dof, G_cell, w_cell, u);
    subtract_own(rows, cell_dof, G_cell, r, u);
    subtract_own(rows, c->dof_i, G_i, r, u);
    subtract_own(rows, c->dof_j, G_j, r, u);
    if (p->W.rows.row != NULL) {
        gather_rows(p, c->a, rows, u);
    }
    if (has_parallel) {
        solve_parallel(&core, rows, W, x, solve, u, r_new);
    } else {
        for (int k = 0; k < rows; k++) {
            r_new[k] = r[k] + core.r0[k];
        }
        solve(&core, rows, W, u, x, r_new);
    }
    for (int k = 0; k < rows; k++) {
        r_new[k] -= core.r0[k];
        dr[k] = r_new[k] - r[k];
        r[k] = r_new[k];
    }
    cn_scatter(rows, c->dof_i, G_i, dr, w_i);
    cn_scatter(rows, c->dof_j, G_j, dr, w_j);
    cn_scatter(rows, cell_dof, G_cell, dr, w_cell);
}

// u += G^T (w - G r) of a side of any size, in one pass over its numbers; d is a literal.
static inline void gather_side(int d, int dof, const double *G, const double *w, const double *r,
                               double *u)
{
    double sum[3][4] = {{0.0}};
    int n = 0;
    for (; n + 4 <= dof; n += 4) { // four sums side by side, added in a fixed order
        for (int lane = 0; lane < 4; lane++) {
            double others = w[n + lane];
            for (int k = 0; k < d; k++) {
                others -= G[dof * k + n + lane] * r[k];
            }
            for (int k = 0; k < d; k++) {
                sum[k][lane] += G[dof * k + n + lane] * others;
            }
        }
    }
    for (; n < dof; n++) {
        double others = w[n];
        for (int k = 0; k < d; k++) {
            others -= G[dof * k + n] * r[k];
        }
        for (int k = 0; k < d; k++) {
            sum[k][0] += G[dof * k + n] * others;
        }
    }
    for (int k = 0; k < d; k++) {
        u[k] += (sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]);
    }
}

// u += sum_{b != a} W_ab r_b over the stored part, most blocks of which are square.
static inline void gather_stored(const cn_problem *p, int a, int d, double *u)
{
    const cn_rows *stored = &p->W.rows;
    for (int n = stored->row[a]; n < stored->row[a + 1]; n++) {
        int b = stored->col[n];
        const double *block = stored->block + stored->block_start[n];
        const double *r_b = p->r + p->row_start[b];
        if (b == a) {
            continue;
        }
        if (p->row_start[b + 1] - p->row_start[b] == d) {
            for (int i = 0; i < d; i++) {
                for (int k = 0; k < d; k++) {
                    u[i] += block[d * i + k] * r_b[k];
                }
            }
        } else {
            add_block(block, d, p->row_start[b + 1] - p->row_start[b], r_b, u);
        }
    }
}

// The rows of G of a side.
static inline const double *rows_of_side(const cn_problem *p, int a, int side, double *room)
{
    const cn_factors *f = &p->W.factors;
    bool is_plain_block = f->body_count > 0 && f->body[2 * a + side] >= 0 && !cn_is_geometry(f, a);
    return is_plain_block ? f->G + f->block_start[2 * a + side]
                          : cn_problem_factor(p, a, side, room);
}

// A visit of a cone of d rows, a literal, on deformable bodies or stored rows.
static inline void visit_plain(cn_solver *s, const cn_problem *p, const cn_packed *c, double *W,
                               int d)
{
    double *x = W + d * (d + 1), *r = p->r + c->row;
    double room_i[CN_BLOCK_ROOM], room_j[CN_BLOCK_ROOM];
    const double *G_i = rows_of_side(p, c->a, 0, room_i);
    const double *G_j = rows_of_side(p, c->a, 1, room_j);
    double *w_i = s->w + cn_packed_w(s, &p->W.factors, c, 0);
    double *w_j = s->w + cn_packed_w(s, &p->W.factors, c, 1);
    double u[3], r_new[3], dr[3];
    for (int k = 0; k < d; k++) {
        u[k] = W[d * d + k];
    }
    gather_side(d, c->dof_i, G_i, w_i, r, u);
    gather_side(d, c->dof_j, G_j, w_j, r, u);
    const double *G_cell = cn_problem_factor(p, c->a, CN_SIDE_CELL, room_i);
    int cell_dof = cn_cell_dof_of(&p->W.factors);
    double *w_cell = cell_dof > 0 ? s->w + cn_cell_w(&p->W.factors) : NULL;
    gather_side(d, cell_dof, G_cell, w_cell, r, u);
    if (p->W.rows.row != NULL) {
        gather_stored(p, c->a, d, u);
    }
    if (d == 3) {
        cn_cone3_solve(W, c->mu, u, x, r_new);
    } else {
        cn_cone2_solve(W, cn_inverse_det2(W), c->mu, u[0], u[1], r_new);
    }
    bool has_changed = false;
    for (int k = 0; k < d; k++) {
        r_new[k] = p->r0 != NULL ? r_new[k] - p->r0[c->row + k] : r_new[k];
        dr[k] = r_new[k] - r[k];
        has_changed = has_changed || dr[k] != 0.0;
        r[k] = r_new[k];
    }
    if (has_changed) {
        cn_scatter(d, c->dof_i, G_i, dr, w_i);
        cn_scatter(d, c->dof_j, G_j, dr, w_j);
        cn_scatter(d, cell_dof, G_cell, dr, w_cell);
    }
}

// A contact without moments on deformable bodies, stored rows or a cell.
static bool is_plain(const cn_problem *p, const cn_packed *c)
{
    bool is_wide = c->dof_i > 6 || c->dof_j > 6;
    bool is_stored = c->dof_i == 0 && c->dof_j == 0 && p->W.rows.row != NULL;
    return c->kind == CN_CORE_CONE && (c->rows == 2 || c->rows == 3) && !c->has_moments &&
           (is_wide || is_stored || p->W.factors.cell != NULL) &&
           !cn_has_parallel(p, c->row, c->rows);
}

// Steps of the scalar equation (8.7) per visit: few in early sweeps, where all that counts is to
// move on, unless they start from what is nearly right: a contact whose root is not known yet would
// get other impulses. The root is kept from visit to visit. Small problems are not worth the
// economy.
static int newton_max_of(const cn_solver *s)
{
    enum { SMALL = 256, EARLY_SWEEPS = 200, FEW = 1, ENOUGH = 100 };
    bool is_early = s->sweep_number < EARLY_SWEEPS && !s->is_start_good;
    return s->packed_count > SMALL && is_early ? FEW : ENOUGH;
}

// What a sweep of zones works on: their batches before `end`.
typedef struct zone_sweep {
    cn_simd_task task;
    cn_simd_sweep_fn *sweep_range;
    const int *start, *end;
    bool is_backward;
} zone_sweep;

static void sweep_zone(void *context, int zone)
{
    const zone_sweep *x = context;
    x->sweep_range(&x->task, x->start[zone], x->end[zone], x->is_backward);
}

// All batches, or those before `end` of each zone.
static void sweep_batches(cn_solver *s, const cn_problem *p, const int *end, bool is_backward)
{
    const cn_batches *b = &s->batches;
    zone_sweep x = {.task = {.batch = b->batch,
                             .stream = b->stream,
                             .c = p->c,
                             .r0 = p->r0,
                             .root = s->has_body_order ? s->root : p->W.factors.root,
                             .w = s->w,
                             .r = p->r,
                             .newton_max = newton_max_of(s),
                             .is_far = s->packed_count >= CN_MANY},
                    .sweep_range = cn_simd_sweep_pick(),
                    .start = b->zone_start,
                    .end = end,
                    .is_backward = is_backward};
    cn_zones_run(&b->zones, s->thread_count, is_backward, sweep_zone, &x);
}

static void sweep_rest(cn_solver *s, const cn_problem *p, bool is_backward)
{
    const cn_batches *b = &s->batches;
    for (int n = 0; n < b->rest_count; n++) {
        const cn_lone *lone = &b->rest[is_backward ? b->rest_count - 1 - n : n];
        const cn_packed *c = &s->packed[lone->packed];
        double *numbers = s->stream + lone->at;
        if (!is_plain(p, c)) {
            cn_visit(s, p, c, numbers, cn_local_solve);
        } else if (c->rows == 3) {
            visit_plain(s, p, c, numbers, 3);
        } else {
            visit_plain(s, p, c, numbers, 2);
        }
    }
}

static void sweep(cn_solver *s, const cn_problem *p, const int *end, bool is_backward)
{
    if (is_backward) {
        sweep_rest(s, p, is_backward);
        sweep_batches(s, p, end, is_backward);
    } else {
        sweep_batches(s, p, end, is_backward);
        sweep_rest(s, p, is_backward);
    }
    s->sweep_number++;
    s->sweeps_on_w++;
}

void cn_sweep(cn_solver *s, const cn_problem *p, bool is_backward)
{
    sweep(s, p, s->batches.zone_start + 1, is_backward);
}

void cn_sweep_closed(cn_solver *s, const cn_problem *p, bool is_backward)
{
    sweep(s, p, s->batches.zone_closed, is_backward);
}
