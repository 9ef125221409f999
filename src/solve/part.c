// solve/part.c -- see part.h. A part is a set of bodies; its constraints are all that touch one of
// them. It is copied into a problem of its own, which knows its bodies and constraints only, so
// that its cost does not depend on the size of the whole.
#include "solve/part.h"

#include <math.h>
#include <string.h>

#include "solve/blocks.h"
#include "solve/project.h"
#include "solve/still.h"
#include "solve/support.h"

enum {
    LEAST = 100,  // constraints of a whole that is worth a try
    STRIDE = 16,  // of the constraints that are asked first
    SHARE = 4,    // of the whole that a part may be
    MOST = 16384, // constraints of a part: it has a solver of its own, whose memory is kept
    TRIES = 3,    // each with twice as many neighbours
    WORK_MAX = 12 // sweeps over the whole that all tries may cost
};
// Errors of what is disturbed, over those of what is at rest. Less is creep, of all at once.
static const double clearly = 1e2;
// Errors of the part, over those accepted: room for those of what is left out.
static const double deep = 0.7;

// A body may be in, or about to come in.
enum { IS_OUT, IS_IN, COMES_IN };

struct cn_part {
    cn_solver *inner;
    unsigned char *place; // of bodies: in or out
    int *local;           // of bodies: number in the part
    int *integers;
    double *numbers;
    unsigned char *kind;
    size_t place_capacity, local_capacity, integers_capacity, numbers_capacity, kind_capacity;
    int *constraint; // those of the part, in the order of visits
    int count, row_count, body_count, dof_count;
    double visits; // to constraints, of all tries
    cn_problem problem;
    double *u_free, *r, *w;
};

void cn_part_destroy(cn_solver *s)
{
    struct cn_part *part = s->part;
    if (part == NULL) {
        return;
    }
    cn_solver_destroy(part->inner);
    cn_release(&s->hooks, part->place);
    cn_release(&s->hooks, part->local);
    cn_release(&s->hooks, part->integers);
    cn_release(&s->hooks, part->numbers);
    cn_release(&s->hooks, part->kind);
    cn_release(&s->hooks, part);
}

size_t cn_part_bytes(const cn_solver *s)
{
    const struct cn_part *part = s->part;
    return part == NULL
               ? 0
               : sizeof *part + part->place_capacity + part->kind_capacity +
                     sizeof(int) * (part->local_capacity + part->integers_capacity) +
                     sizeof(double) * part->numbers_capacity + cn_solver_bytes(part->inner);
}

static cn_status create(cn_solver *s, cn_error *err)
{
    if (s->part != NULL) {
        return CN_OK;
    }
    struct cn_part *part = cn_resize(&s->hooks, NULL, sizeof *part);
    if (part == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a part of the problem");
    }
    memset(part, 0, sizeof *part);
    cn_status status = cn_solver_create(&s->hooks, &part->inner, err);
    if (status != CN_OK) {
        cn_release(&s->hooks, part);
        return status;
    }
    part->inner->is_inner = true;
    s->part = part;
    return CN_OK;
}

static bool has_impulse(const cn_problem *p, const cn_packed *c)
{
    bool found = false;
    for (int k = c->row; k < c->row + c->rows; k++) {
        found = found || p->r[k] + cn_row_or_zero(p->r0, k) != 0.0;
    }
    return found;
}

// Whether most constraints that carry something meet their laws, by the word of some of them. Those
// that are open tell nothing: a heap that falls is not at rest.
static bool is_calm(const cn_solver *s, const cn_problem *p, const cn_rest_limits *limits)
{
    int held = 0, missed = 0;
    for (int n = 0; n < s->packed_count; n += STRIDE) {
        bool is_missed = cn_rest_misses(s, p, s->packed[n].a, limits);
        missed += is_missed;
        held += !is_missed && has_impulse(p, &s->packed[n]);
    }
    return held > 0 && SHARE * missed <= missed + held;
}

static bool is_member(const struct cn_part *part, const int *body)
{
    return (body[0] >= 0 && part->place[body[0]] == IS_IN) ||
           (body[1] >= 0 && part->place[body[1]] == IS_IN);
}

static void invite(struct cn_part *part, const int *body)
{
    for (int side = 0; side < 2; side++) {
        if (body[side] >= 0 && part->place[body[side]] == IS_OUT) {
            part->place[body[side]] = COMES_IN;
        }
    }
}

static void let_in(struct cn_part *part, const cn_problem *p)
{
    for (int i = 0; i < p->W.factors.body_count; i++) {
        part->place[i] = part->place[i] == COMES_IN ? IS_IN : part->place[i];
    }
}

// Lets in the bodies of constraints outside that miss their laws. Returns how many of these could
// creep.
static int add_disturbed(const cn_solver *s, const cn_problem *p, const cn_rest_limits *limits,
                         struct cn_part *part)
{
    int found = 0;
    for (int n = 0; n < s->packed_count; n++) {
        int a = s->packed[n].a;
        const int *body = p->W.factors.body + 2 * a;
        if (!is_member(part, body) && cn_rest_misses(s, p, a, limits)) {
            invite(part, body);
            found += !cn_is_still(s, p, a);
        }
    }
    let_in(part, p);
    return found;
}

// Lets in, for each body that is in, those that carry it to the ground, one below the other.
static void add_support(const cn_support *support, const cn_problem *p, struct cn_part *part)
{
    for (int i = 0; i < p->W.factors.body_count; i++) {
        int below = part->place[i] == IS_IN ? cn_support_below(support, p, i) : -1;
        while (below >= 0 && part->place[below] == IS_OUT) {
            part->place[below] = COMES_IN;
            below = cn_support_below(support, p, below);
        }
    }
    let_in(part, p);
}

// Lets in what touches a body that is in, so many times.
static void add_neighbours(const cn_solver *s, const cn_problem *p, int times, struct cn_part *part)
{
    for (int k = 0; k < times; k++) {
        for (int n = 0; n < s->packed_count; n++) {
            const int *body = p->W.factors.body + 2 * s->packed[n].a;
            if (is_member(part, body)) {
                invite(part, body);
            }
        }
        let_in(part, p);
    }
}

// Lists the constraints of the part, up to `most`; bodies are numbered as these name them. False:
// there are more.
static bool list_members(const cn_solver *s, const cn_problem *p, int most, struct cn_part *part)
{
    const cn_factors *f = &p->W.factors;
    part->count = part->row_count = part->body_count = part->dof_count = 0;
    memset(part->local, 0xff, sizeof *part->local * (size_t)f->body_count);
    for (int n = 0; n < s->packed_count; n++) {
        const int *body = f->body + 2 * s->packed[n].a;
        if (!is_member(part, body)) {
            continue;
        }
        if (part->count == most) {
            return false;
        }
        part->constraint[part->count++] = s->packed[n].a;
        part->row_count += s->packed[n].rows;
        for (int side = 0; side < 2; side++) {
            int i = body[side];
            if (i >= 0 && part->local[i] < 0) {
                part->local[i] = part->body_count++;
                part->dof_count += f->dof_start[i + 1] - f->dof_start[i];
            }
        }
    }
    return true;
}

// Room for the problem of the part.
static cn_status reserve(cn_solver *s, struct cn_part *part, cn_error *err)
{
    size_t count = (size_t)part->count, rows = (size_t)part->row_count;
    size_t bodies = (size_t)part->body_count, dofs = (size_t)part->dof_count;
    CN_TRY(cn_reserve(&s->hooks, &part->kind, &part->kind_capacity, count, err));
    CN_TRY(cn_reserve(&s->hooks, &part->integers, &part->integers_capacity, 5 * count + bodies + 2,
                      err));
    return cn_reserve(&s->hooks, &part->numbers, &part->numbers_capacity,
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
static double *copy_rows(const struct cn_part *part, const cn_problem *p, const double *rows,
                         double **room)
{
    if (rows == NULL) {
        return NULL;
    }
    double *to = take_numbers(room, part->row_count);
    for (int n = 0, row = 0; n < part->count; n++) {
        int a = part->constraint[n];
        for (int k = p->row_start[a]; k < p->row_start[a + 1]; k++) {
            to[row++] = rows[k];
        }
    }
    return to;
}

static void copy_bodies(const cn_problem *p, struct cn_part *part, int **integers, double **numbers)
{
    const cn_factors *f = &p->W.factors;
    int *dof_start = take_integers(integers, part->body_count + 1);
    double *root = f->root != NULL ? take_numbers(numbers, CN_ROOT_SIZE * part->body_count) : NULL;
    dof_start[0] = 0;
    for (int n = 0, next = 0; n < 2 * part->count; n++) {
        int i = f->body[2 * part->constraint[n / 2] + n % 2];
        if (i < 0 || part->local[i] != next) {
            continue; // not its first mention
        }
        dof_start[next + 1] = dof_start[next] + f->dof_start[i + 1] - f->dof_start[i];
        if (root != NULL) {
            memcpy(root + CN_ROOT_SIZE * next, f->root + CN_ROOT_SIZE * i,
                   CN_ROOT_SIZE * sizeof *root);
        }
        next++;
    }
    part->problem.W.factors = (cn_factors){
        .body_count = part->body_count, .dof_start = dof_start, .G = f->G, .root = root};
}

static void copy_constraints(const cn_problem *p, struct cn_part *part, int **integers,
                             double **numbers)
{
    const cn_factors *f = &p->W.factors;
    int *body = take_integers(integers, 2 * part->count);
    int *block_start = take_integers(integers, 2 * part->count);
    int *row_start = take_integers(integers, part->count + 1);
    double *mu = take_numbers(numbers, part->count);
    row_start[0] = 0;
    for (int n = 0; n < part->count; n++) {
        int a = part->constraint[n];
        for (int side = 0; side < 2; side++) {
            int i = f->body[2 * a + side];
            body[2 * n + side] = i >= 0 ? part->local[i] : -1;
            block_start[2 * n + side] = f->block_start[2 * a + side];
        }
        row_start[n + 1] = row_start[n] + p->row_start[a + 1] - p->row_start[a];
        part->kind[n] = p->kind[a];
        mu[n] = p->mu[a];
    }
    part->problem.W.factors.body = body;
    part->problem.W.factors.block_start = block_start;
    part->problem.row_start = row_start;
    part->problem.mu = mu;
}

// u_free of the part: with the impulses of all others, without its own.
static void subtract_own(struct cn_part *part)
{
    const cn_problem *own = &part->problem;
    const cn_factors *f = &own->W.factors;
    memset(part->w, 0, sizeof(double) * (size_t)part->dof_count);
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < 2 * part->count; n++) {
            int a = n / 2, i = f->body[n], row = own->row_start[a];
            if (i < 0) {
                continue;
            }
            int rows = own->row_start[a + 1] - row, dof = f->dof_start[i + 1] - f->dof_start[i];
            double *w = part->w + f->dof_start[i], u[CN_ROW_MAX] = {0};
            if (pass == 0) {
                cn_side_scatter(f, a, n % 2, rows, dof, own->r + row, w);
                continue;
            }
            cn_side_gather(f, a, n % 2, rows, dof, w, u);
            for (int k = 0; k < rows; k++) {
                part->u_free[row + k] -= u[k];
            }
        }
    }
}

// Copies the part of p at p->r and s->u.
static cn_status copy(cn_solver *s, const cn_problem *p, double v_ref, struct cn_part *part,
                      cn_error *err)
{
    CN_TRY(reserve(s, part, err));
    int *integers = part->integers;
    double *numbers = part->numbers;
    part->problem = (cn_problem){.dim = p->dim,
                                 .contact_count = part->count,
                                 .kind = part->kind,
                                 .v_floor = v_ref,
                                 .v_before = p->v_before};
    copy_bodies(p, part, &integers, &numbers);
    copy_constraints(p, part, &integers, &numbers);
    part->problem.b = copy_rows(part, p, p->b, &numbers);
    part->problem.c = copy_rows(part, p, p->c, &numbers);
    part->problem.r0 = copy_rows(part, p, p->r0, &numbers);
    part->problem.r = copy_rows(part, p, p->r, &numbers);
    part->problem.u_free = part->u_free = copy_rows(part, p, s->u, &numbers);
    part->w = take_numbers(&numbers, part->dof_count);
    // whatever moves, moves in the part
    part->problem.v_before *= sqrt((double)p->W.factors.body_count / part->body_count);
    subtract_own(part);
    return CN_OK;
}

static void put_back(const cn_problem *p, const struct cn_part *part)
{
    for (int n = 0; n < part->count; n++) {
        int a = part->constraint[n], rows = p->row_start[a + 1] - p->row_start[a];
        memcpy(p->r + p->row_start[a], part->problem.r + part->problem.row_start[n],
               sizeof(double) * (size_t)rows);
    }
}

// What the errors of constraints are compared with (5.9, 5.10).
typedef struct scale {
    double v2, energy_r, energy_u;
} scale;

static void add_scale(double w_a, int rows, const double *r, const double *r0, const double *u,
                      const double *b, scale *sum)
{
    for (int k = 0; k < rows && w_a > 0.0; k++) {
        double r_k = r[k] + cn_row_or_zero(r0, k), u_k = u[k] + cn_row_or_zero(b, k);
        sum->v2 += u_k * u_k;
        sum->energy_r += w_a * r_k * r_k;
        sum->energy_u += u_k * u_k / w_a;
    }
}

static const double *rows_at(const double *rows, int row)
{
    return rows != NULL ? rows + row : NULL;
}

static double energy_of_whole(const cn_solver *s, const cn_problem *p)
{
    scale sum = {0};
    for (int n = 0; n < s->packed_count; n++) {
        const cn_packed *c = &s->packed[n];
        add_scale(s->W_diag[c->a], c->rows, p->r + c->row, rows_at(p->r0, c->row),
                  p->u_free + c->row, rows_at(p->b, c->row), &sum);
    }
    return fmax(sum.energy_r, sum.energy_u);
}

static scale scale_of_part(const cn_solver *s, const struct cn_part *part)
{
    const cn_problem *own = &part->problem;
    scale sum = {0};
    for (int n = 0; n < part->count; n++) {
        int row = own->row_start[n], rows = own->row_start[n + 1] - row;
        add_scale(s->W_diag[part->constraint[n]], rows, own->r + row, rows_at(own->r0, row),
                  own->u_free + row, rows_at(own->b, row), &sum);
    }
    return sum;
}

// What is asked of the part: errors far below those accepted, compared with what those of the part
// are.
static cn_solver_def def_of(const cn_watch *watch, const cn_solver *s, const cn_problem *p,
                            const struct cn_part *part)
{
    scale sum = scale_of_part(s, part);
    double v_ref = watch->residual.v_ref, v_part = fmax(v_ref, sqrt(sum.v2 / part->count));
    double energy = fmax(sum.energy_r, sum.energy_u);
    cn_solver_def def = *watch->def;
    def.order = def.order == CN_ORDER_ALTERNATING ? def.order : CN_ORDER_FIXED;
    def.elastic_c = def.contact_stiffness = 0.0;
    def.eps_v *= deep * v_ref / v_part;
    def.tol *= deep * (energy > 0.0 ? sqrt(energy_of_whole(s, p) / energy) : 1.0);
    return def;
}

// Solves the part, if it takes no more work than a try may; then its impulses are those of p.
static cn_status solve(cn_watch *watch, cn_solver *s, const cn_problem *p, bool *is_solved,
                       cn_error *err)
{
    struct cn_part *part = s->part;
    CN_TRY(copy(s, p, watch->residual.v_ref, part, err));
    cn_solver_def def = def_of(watch, s, p, part);
    double most = fmax(((double)WORK_MAX * s->packed_count - part->visits) / part->count, 1.0);
    def.sweep_max = most < def.sweep_max ? (int)most : def.sweep_max;
    cn_solver_report report;
    cn_error why = {0};
    cn_status status = cn_problem_solve(&part->problem, &def, part->inner, &report, &why);
    if (status != CN_OK && status != CN_NOT_CONVERGED && status != CN_BROKEN) {
        return cn_fail(err, status, "%s", why.text);
    }
    part->visits += (double)report.sweep_count * part->count;
    watch->sweep_count += report.sweep_count;
    watch->iteration_count += report.iteration_count;
    watch->factorization_count += report.factorization_count;
    for (int k = 0; k < report.chain_count; k++) {
        cn_watch_begin(watch, report.chain[k], 0);
    }
    *is_solved = status == CN_OK;
    if (*is_solved) {
        put_back(p, part);
    }
    return CN_OK;
}

static void measure(cn_watch *watch, cn_solver *s, const cn_problem *p)
{
    cn_solver_apply(s, p, p->r);
    cn_solver_velocity(s, p, p->r, s->u);
    cn_solver_residual(s, p, s->u, &watch->residual);
}

// Constraints that a part may have.
static int room_of(const cn_solver *s)
{
    int share = s->packed_count / SHARE;
    return share < MOST ? share : MOST;
}

// Parts that grow, by the bodies that they disturb and by neighbours, until the whole is accepted.
static cn_status grow(cn_watch *watch, cn_solver *s, const cn_problem *p,
                      const cn_rest_limits *limits, cn_error *err)
{
    struct cn_part *part = s->part;
    bool is_solved = false, is_all_still;
    cn_support support;
    CN_TRY(cn_support_find(s, p, &support, err));
    for (int k = 0; k <= TRIES; k++) {
        int found = add_disturbed(s, p, limits, part);
        watch->is_converged =
            is_solved && found == 0 && cn_watch_distance(watch, &watch->residual) <= 1.0;
        if (watch->is_converged || k == TRIES) {
            return CN_OK;
        }
        add_support(&support, p, part);
        add_neighbours(s, p, 1 << k, part);
        if (!list_members(s, p, room_of(s), part) || part->count == 0) {
            return CN_OK;
        }
        CN_TRY(solve(watch, s, p, &is_solved, err));
        if (is_solved) {
            measure(watch, s, p);
            CN_TRY(cn_still_find(s, p, limits->tie, &is_all_still, err));
        }
    }
    return CN_OK;
}

// A time step of rigid bodies, in which most are at rest.
static bool is_worth(const cn_watch *watch, const cn_solver *s, const cn_problem *p,
                     const cn_rest_limits *limits)
{
    return !s->is_inner && s->packed_count >= LEAST && p->W.rows.row == NULL && !s->has_lengths &&
           p->W.factors.body_count > 0 && p->v_floor > 0.0 &&
           watch->def->method == CN_METHOD_AUTO && watch->def->measure == CN_MEASURE_VELOCITY &&
           watch->residual.e_max > clearly * limits->loose && is_calm(s, p, limits);
}

cn_status cn_part_run(cn_watch *watch, cn_solver *s, const cn_problem *p,
                      const cn_rest_limits *limits, int *visited, cn_error *err)
{
    size_t bodies = (size_t)p->W.factors.body_count, room = (size_t)room_of(s);
    size_t rows_size = sizeof(double) * (size_t)p->row_start[p->contact_count];
    *visited = 0;
    if (!is_worth(watch, s, p, limits)) {
        return CN_OK;
    }
    CN_TRY(create(s, err));
    struct cn_part *part = s->part;
    CN_TRY(cn_reserve(&s->hooks, &part->place, &part->place_capacity, bodies, err));
    CN_TRY(cn_reserve(&s->hooks, &part->local, &part->local_capacity, bodies + room, err));
    part->constraint = part->local + bodies;
    memset(part->place, IS_OUT, bodies);
    part->visits = 0.0;
    cn_watch before = *watch;
    CN_TRY(grow(watch, s, p, limits, err));
    if (watch->is_converged) {
        *visited = part->count;
        watch->err_best = cn_watch_distance(watch, &watch->residual);
        memcpy(s->r_best, p->r, rows_size);
        return CN_OK;
    }
    before.factorization_count = watch->factorization_count; // work that was done all the same
    *watch = before;
    watch->sweeps_in_vain = (int)ceil(part->visits / s->packed_count);
    if (memcmp(p->r, s->r_best, rows_size) != 0) {
        memcpy(p->r, s->r_best, rows_size);
        measure(watch, s, p);
    }
    return CN_OK;
}
