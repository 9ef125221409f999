// limit/program.c -- a limit program checked and scaled, products with its matrix.
//
// The rows of motions are brought to norm 1, forces to the mean load and the live load to the size
// of the dead one: the interior point does not converge on numbers of different size.
#include <math.h>
#include <string.h>

#include "cairn/view.h"
#include "limit/interior.h"
#include "solve/direct/linear_system.h"
#include "solve/problem/blocks.h"

enum { AXES = 6 };

static int dofs_of(const cn_limit_program *p, int body)
{
    return body < 0 ? 0 : p->dof_start[body + 1] - p->dof_start[body];
}

static cn_status check_body(const cn_limit_program *p, int i, cn_error *err)
{
    int count = dofs_of(p, i);
    if (count < 0 || count > AXES) {
        return cn_fail(err, CN_BAD_INPUT, "body %d has %d free motions; 0 to %d exist", i, count,
                       AXES);
    }
    double sum = p->at[3 * i] + p->at[3 * i + 1] + p->at[3 * i + 2];
    for (int k = AXES * p->dof_start[i]; k < AXES * p->dof_start[i + 1]; k++) {
        sum += p->dof[k];
    }
    for (int k = p->dof_start[i]; k < p->dof_start[i + 1]; k++) {
        sum += p->dead[k] + (p->live != NULL ? p->live[k] : 0.0);
    }
    return isfinite(sum) ? CN_OK
                         : cn_fail(err, CN_BAD_INPUT, "body %d has numbers that are not finite", i);
}

static cn_status check_strength(const cn_limit_program *p, int a, cn_error *err)
{
    double cohesion = p->cohesion != NULL ? p->cohesion[a] : 0.0;
    double tension = p->tension != NULL ? p->tension[a] : 0.0;
    double crush = p->crush != NULL ? p->crush[a] : INFINITY;
    if (!(cohesion >= 0.0) || !(tension >= 0.0) || !isfinite(cohesion + tension) ||
        !(crush > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "contact %d: cohesion %g, tension %g and crush %g N: they must be >= 0 and "
                       "finite, the last > 0",
                       a, cohesion, tension, crush);
    }
    return cohesion == 0.0 || p->friction[a] > 0.0
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT,
                         "contact %d has a cohesion of %g N and no friction, which is no cone", a,
                         cohesion);
}

static cn_status check_contact(const cn_limit_program *p, int a, cn_error *err)
{
    const double *n = p->normal + 3 * a, *x = p->point + 3 * a;
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double shift = p->shift != NULL ? p->shift[a] : 0.0;
    if (!(fabs(length - 1.0) < 1e-6) || !isfinite(x[0] + x[1] + x[2])) {
        return cn_fail(err, CN_BAD_INPUT, "contact %d: normal of length %g, point %g %g %g", a,
                       length, x[0], x[1], x[2]);
    }
    if (!(p->friction[a] >= 0.0) || !isfinite(p->friction[a]) || !(shift >= 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "contact %d: friction %g and shift %g, they must be >= 0",
                       a, p->friction[a], shift);
    }
    for (int side = 0; side < 2; side++) {
        if (p->body[2 * a + side] >= p->body_count) {
            return cn_fail(err, CN_BAD_INPUT, "contact %d acts on body %d of %d", a,
                           p->body[2 * a + side], p->body_count);
        }
    }
    return check_strength(p, a, err);
}

static cn_status check(const cn_limit_program *p, cn_error *err)
{
    CN_NEED(err, p);
    if (p->dim != 2 && p->dim != 3) {
        return cn_fail(err, CN_BAD_INPUT, "a limit program has 2 or 3 dimensions, not %d", p->dim);
    }
    if (p->body_count < 1 || p->contact_count < 1) {
        return cn_fail(err, CN_BAD_INPUT, "%d bodies and %d contacts: nothing to analyse",
                       p->body_count, p->contact_count);
    }
    CN_NEED(err, p->dof_start, p->dof, p->at, p->dead, p->body, p->point, p->normal, p->friction);
    for (int i = 0; i < p->body_count; i++) {
        CN_TRY(check_body(p, i, err));
    }
    for (int a = 0; a < p->contact_count; a++) {
        CN_TRY(check_contact(p, a, err));
    }
    return CN_OK;
}

// Takes arrays one after the other out of one block of memory, or counts what they need.
typedef struct taking {
    char *at;
    size_t size;
} taking;

static void *take(taking *t, size_t count, size_t size)
{
    size_t first = (t->size + 15) & ~(size_t)15;
    t->size = first + count * size;
    return t->at != NULL ? t->at + first : NULL;
}

static void take_arrays(const cn_limit_program *p, taking *t, cn_cones *c)
{
    size_t dofs = (size_t)c->dof_count, contacts = (size_t)p->contact_count;
    size_t cones = (size_t)c->cone_count, rows = contacts * (size_t)p->dim;
    c->scale = take(t, dofs, sizeof(double));
    c->dead = take(t, dofs, sizeof(double));
    c->live = take(t, dofs, sizeof(double));
    c->cost = take(t, cones, sizeof(double));
    c->mu = take(t, cones, sizeof(double));
    c->tip = take(t, contacts, sizeof(double));
    c->cutoff = take(t, cones - contacts, sizeof(cn_cutoff));
    c->row_start = take(t, contacts + 1, sizeof(int));
    c->block_start = take(t, 2 * contacts, sizeof(int));
    size_t entries = 0;
    for (int a = 0; a < p->contact_count; a++) {
        entries += (size_t)(dofs_of(p, p->body[2 * a]) + dofs_of(p, p->body[2 * a + 1]));
    }
    c->G = take(t, entries * (size_t)p->dim, sizeof(double));
    c->nothing = take(t, rows, sizeof(double));
    c->kind = take(t, contacts, 1);
}

// Entry of H of one row: what a motion moves the contact along an axis.
static double entry_of(const double *motion, const double *arm, const double *axis)
{
    double turn[3];
    cn_cross(motion + 3, arm, turn);
    double sum = 0.0;
    for (int d = 0; d < 3; d++) {
        sum += axis[d] * (motion[d] + turn[d]);
    }
    return sum;
}

// Rows of H^T of one side of contact a, a row for each axis.
static void fill_block(const cn_limit_program *p, int a, int side, double *block)
{
    int body = p->body[2 * a + side], count = dofs_of(p, body);
    cn_contact x = {0};
    double axis[3][3] = {{0.0}}, arm[3];
    memcpy(x.normal, p->normal + 3 * a, sizeof x.normal);
    memcpy(axis[0], x.normal, sizeof x.normal);
    cn_contact_tangents(&x, p->dim, axis[1], axis[2]);
    for (int d = 0; d < 3; d++) {
        arm[d] = p->point[3 * a + d] - p->at[3 * body + d];
    }
    for (int k = 0; k < p->dim; k++) {
        for (int m = 0; m < count; m++) {
            double entry = entry_of(p->dof + AXES * (p->dof_start[body] + m), arm, axis[k]);
            block[count * k + m] = side == 0 ? entry : -entry;
        }
    }
}

static void fill_blocks(const cn_limit_program *p, cn_cones *c)
{
    int at = 0;
    for (int a = 0; a < p->contact_count; a++) {
        c->row_start[a] = p->dim * a;
        for (int side = 0; side < 2; side++) {
            int count = dofs_of(p, p->body[2 * a + side]);
            c->block_start[2 * a + side] = at;
            if (count > 0) {
                fill_block(p, a, side, c->G + at);
            }
            at += p->dim * count;
        }
    }
    c->row_start[p->contact_count] = p->dim * p->contact_count;
}

// Adds up the squares of the rows of H, or multiplies these by D.
static void scale_rows(const cn_limit_program *p, cn_cones *c, bool is_measured)
{
    for (int a = 0; a < p->contact_count; a++) {
        for (int side = 0; side < 2; side++) {
            int body = p->body[2 * a + side], count = dofs_of(p, body);
            double *block = c->G + c->block_start[2 * a + side];
            for (int k = 0; k < p->dim * count; k++) {
                double *scale = &c->scale[p->dof_start[body] + k % count];
                if (is_measured) {
                    *scale += block[k] * block[k];
                } else {
                    block[k] *= *scale;
                }
            }
        }
    }
}

// D: rows of norm 1; a motion that moves no contact is left as it is.
static void find_scale(const cn_limit_program *p, cn_cones *c)
{
    memset(c->scale, 0, sizeof(double) * (size_t)c->dof_count);
    scale_rows(p, c, true);
    for (int k = 0; k < c->motion_count; k++) {
        c->scale[k] = c->scale[k] > 0.0 ? 1.0 / sqrt(c->scale[k]) : 1.0;
    }
    scale_rows(p, c, false);
}

static double norm_of(const double *x, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

// Loads in units of the mean load; without a dead load the live one gives the unit.
static cn_status scale_loads(const cn_limit_program *p, cn_cones *c, cn_error *err)
{
    for (int k = 0; k < c->dof_count; k++) {
        bool is_motion = k < c->motion_count;
        c->dead[k] = is_motion ? c->scale[k] * p->dead[k] : 0.0;
        c->live[k] = is_motion && p->live != NULL ? c->scale[k] * p->live[k] : 0.0;
    }
    double dead = norm_of(c->dead, c->dof_count), live = norm_of(c->live, c->dof_count);
    if (p->live != NULL && !(live > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the live load does no work on any motion: it is zero, or acts on what is "
                       "fixed only");
    }
    double unit = (dead > 0.0 ? dead : live) / sqrt((double)p->body_count);
    c->force = unit > 0.0 ? unit : 1.0;
    c->load = live > 0.0 ? (dead > 0.0 ? dead : live) / live : 1.0;
    for (int k = 0; k < c->dof_count; k++) {
        c->dead[k] /= c->force;
        c->live[k] *= c->load / c->force;
    }
    return CN_OK;
}

// Shifts belong to l . v = 1; the scaled y has l' . y = 1, v = D y / (force load).
static void fill_cones(const cn_limit_program *p, cn_cones *c)
{
    memset(c->nothing, 0, sizeof(double) * (size_t)(p->dim * p->contact_count));
    memset(c->kind, CN_CORE_CONE, (size_t)p->contact_count);
    for (int a = 0; a < c->cone_count; a++) {
        c->mu[a] = a < p->contact_count ? p->friction[a] : 0.0;
        c->cost[a] = 0.0;
    }
    for (int a = 0; a < p->contact_count; a++) {
        double shift = p->shift != NULL ? p->shift[a] * c->force * c->load : 0.0;
        c->cost[a] = shift * cn_cone_weight(c, a, 0);
    }
}

static cn_status check_touch(const cn_limit_program *p, cn_error *err)
{
    unsigned char *touched = cn_resize(NULL, NULL, (size_t)p->body_count);
    if (touched == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d bodies", p->body_count);
    }
    memset(touched, 0, (size_t)p->body_count);
    for (int k = 0; k < 2 * p->contact_count; k++) {
        if (p->body[k] >= 0) {
            touched[p->body[k]] = 1;
        }
    }
    int alone = -1;
    for (int i = p->body_count - 1; i >= 0; i--) {
        alone = dofs_of(p, i) > 0 && touched[i] == 0 ? i : alone;
    }
    cn_release(NULL, touched);
    return alone < 0 ? CN_OK
                     : cn_fail(err, CN_BAD_INPUT, "body %d can move and touches nothing", alone);
}

static cn_status make(const cn_limit_program *p, cn_cones *c, cn_error *err)
{
    taking t = {0};
    take_arrays(p, &t, c);
    t.at = c->memory = cn_resize(NULL, NULL, t.size);
    t.size = 0;
    if (c->memory == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a limit program of %d contacts",
                       p->contact_count);
    }
    take_arrays(p, &t, c);
    c->problem = (cn_problem){.dim = p->dim,
                              .contact_count = p->contact_count,
                              .row_start = c->row_start,
                              .W.factors = {.body_count = p->body_count,
                                            .dof_start = p->dof_start,
                                            .body = p->body,
                                            .block_start = c->block_start,
                                            .G = c->G},
                              .u_free = c->nothing,
                              .kind = c->kind,
                              .mu = p->friction,
                              .r = c->nothing};
    fill_blocks(p, c);
    find_scale(p, c);
    CN_TRY(scale_loads(p, c, err));
    fill_cones(p, c);
    cn_cutoffs_fill(p, c);
    cn_cutoffs_add_tips(c);
    CN_TRY(cn_solver_create(NULL, &c->solver, err));
    cn_solver_def def = cn_solver_def_default();
    CN_TRY(cn_solver_list(c->solver, &c->problem, &def, err));
    return cn_system_begin(c->solver, &c->problem, err);
}

cn_status cn_cones_make(const cn_limit_program *program, cn_cones *cones, cn_error *err)
{
    *cones = (cn_cones){0};
    CN_TRY(check(program, err));
    CN_TRY(check_touch(program, err));
    cones->dim = program->dim;
    cones->motion_count = program->dof_start[program->body_count];
    cones->contact_count = program->contact_count;
    int cutoffs = cn_cutoffs_count(program);
    cones->dof_count = cones->motion_count + cutoffs;
    cones->cone_count = cones->contact_count + cutoffs;
    cones->has_live = program->live != NULL;
    return make(program, cones, err);
}

void cn_cones_free(cn_cones *cones)
{
    cn_solver_destroy(cones->solver);
    cn_release(NULL, cones->memory);
    *cones = (cn_cones){0};
}

void cn_cones_push_contacts(const cn_cones *c, const double *x, double *out)
{
    const cn_factors *f = &c->problem.W.factors;
    for (int a = 0; a < c->contact_count; a++) {
        double r[3] = {0.0};
        for (int k = 0; k < cn_cone_rows(c, a); k++) {
            r[k] = cn_cone_weight(c, a, k) * x[c->dim * a + k];
        }
        for (int side = 0; side < 2; side++) {
            int body = f->body[2 * a + side];
            int count = body < 0 ? 0 : f->dof_start[body + 1] - f->dof_start[body];
            if (count > 0) {
                cn_side_scatter(f, a, side, c->dim, count, r, out + f->dof_start[body]);
            }
        }
    }
}

void cn_cones_move_contacts(const cn_cones *c, const double *y, double *out)
{
    const cn_factors *f = &c->problem.W.factors;
    for (int a = 0; a < c->contact_count; a++) {
        double u[3] = {0.0};
        for (int side = 0; side < 2; side++) {
            int body = f->body[2 * a + side];
            int count = body < 0 ? 0 : f->dof_start[body + 1] - f->dof_start[body];
            if (count > 0) {
                cn_side_gather(f, a, side, c->dim, count, y + f->dof_start[body], u);
            }
        }
        for (int k = 0; k < c->dim; k++) {
            out[c->dim * a + k] = k < cn_cone_rows(c, a) ? cn_cone_weight(c, a, k) * u[k] : 0.0;
        }
    }
}

void cn_cones_push(const cn_cones *c, const double *x, double *out)
{
    memset(out, 0, sizeof *out * (size_t)c->dof_count);
    cn_cones_push_contacts(c, x, out);
    for (int n = 0; n < c->dof_count - c->motion_count; n++) {
        const cn_cutoff *cut = &c->cutoff[n];
        out[c->motion_count + n] =
            cut->on * x[c->dim * cut->contact] + cut->own * x[c->dim * (c->contact_count + n)];
    }
}

void cn_cones_move(const cn_cones *c, const double *y, double *out)
{
    cn_cones_move_contacts(c, y, out);
    for (int n = 0; n < c->dof_count - c->motion_count; n++) {
        const cn_cutoff *cut = &c->cutoff[n];
        double *own = out + c->dim * (c->contact_count + n), moved = y[c->motion_count + n];
        memset(own, 0, sizeof *own * (size_t)c->dim);
        out[c->dim * cut->contact] += cut->on * moved;
        own[0] = cut->own * moved;
    }
}
