// limit/without_dilatancy.c -- multipliers of joints that do not dilate: theory 16.14 to 16.16.
//
// With the shift s_a = mu |u_t| of De Saxce a mechanism of Coulomb's law is the solution of a limit
// program whose shift is its own. The shift is found by a fixed point: no proof says that it
// settles, nor that what it settles at is the only one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "cairn/vec.h"
#include "limit/interior.h"

// Share of the new shift in the next one; residual at which the shift has settled, and from which
// on there is no solution.
static const double RELAX = 0.5, SETTLED = 1e-7, SOLVED = 1e-6;
enum { PROGRAMS_MAX = 80 };

typedef struct fixed_point {
    const cn_limit_program *given;
    cn_limit_program program; // with the shift
    cn_limit_def def;
    double *shift;
    cn_limit *limit; // of the last program
    double change, residual;
    int program_count;
} fixed_point;

// Velocity of contact a of a mechanism as a vector.
static cn_vec3 velocity_of(const cn_limit_program *p, const double *v, int a)
{
    cn_vec3 u = cn_v3(0.0, 0.0, 0.0);
    for (int side = 0; side < 2; side++) {
        int body = p->body[2 * a + side];
        for (int k = body < 0 ? 0 : p->dof_start[body]; body >= 0 && k < p->dof_start[body + 1];
             k++) {
            const double *m = p->dof + 6 * k, *x = p->point + 3 * a, *at = p->at + 3 * body;
            cn_vec3 arm = cn_v3(x[0] - at[0], x[1] - at[1], x[2] - at[2]);
            cn_vec3 turn = cn_cross3(cn_v3(m[3], m[4], m[5]), arm);
            double sign = side == 0 ? v[k] : -v[k];
            u = cn_add_mul3(u, sign, cn_add3(cn_v3(m[0], m[1], m[2]), turn));
        }
    }
    return u;
}

// Tangential part of a velocity, and the normal one.
static cn_vec3 tangential(const cn_limit_program *p, int a, cn_vec3 u, double *u_n)
{
    cn_vec3 n = cn_v3(p->normal[3 * a], p->normal[3 * a + 1], p->normal[3 * a + 2]);
    *u_n = cn_dot3(u, n);
    return cn_add_mul3(u, -*u_n, n);
}

static double fastest_of(const cn_limit_program *p, const double *v)
{
    double most = 0.0;
    for (int a = 0; a < p->contact_count; a++) {
        most = fmax(most, cn_norm3(velocity_of(p, v, a)));
    }
    return most;
}

// One program, and the shift of the next one.
static cn_status advance(fixed_point *f, double relax, cn_error *err)
{
    cn_limit_destroy(f->limit);
    f->limit = NULL;
    CN_TRY(cn_limit_solve(&f->program, &f->def, &f->limit, err));
    f->program_count++;
    f->change = f->residual = INFINITY;
    if (f->limit->outcome != CN_LIMIT_BOUNDED) {
        return CN_OK;
    }
    double most = fastest_of(f->given, f->limit->v), change = 0.0;
    for (int a = 0; a < f->given->contact_count; a++) {
        double u_n, *s = &f->shift[a];
        cn_vec3 u_t = tangential(f->given, a, velocity_of(f->given, f->limit->v, a), &u_n);
        double next = f->given->friction[a] * cn_norm3(u_t);
        change = fmax(change, fabs(next - *s));
        *s += relax * (next - *s);
    }
    f->change = change / most;
    f->residual = cn_limit_misfit(f->given, f->limit);
    return CN_OK;
}

static cn_status settle(fixed_point *f, cn_error *err)
{
    for (int k = 0; k < PROGRAMS_MAX; k++) {
        CN_TRY(advance(f, k == 0 ? 1.0 : RELAX, err));
        if (f->limit->outcome != CN_LIMIT_BOUNDED || f->residual <= SETTLED) {
            break;
        }
    }
    return CN_OK;
}

// The program of all forces that go with a mechanism (16.16): open contacts are left out, those
// that slide push along the edge of their cone, which is a normal without friction.
static int restrict_contacts(const cn_limit_program *p, const double *v, double tolerance,
                             cn_limit_program *to)
{
    double least = tolerance * fastest_of(p, v);
    int *body = (int *)to->body, count = 0;
    double *point = (double *)to->point, *normal = (double *)to->normal;
    double *friction = (double *)to->friction;
    for (int a = 0; a < p->contact_count; a++) {
        double u_n;
        cn_vec3 u_t = tangential(p, a, velocity_of(p, v, a), &u_n);
        double slip = cn_norm3(u_t), mu = p->friction[a];
        if (u_n > least) {
            continue;
        }
        cn_vec3 n = cn_v3(p->normal[3 * a], p->normal[3 * a + 1], p->normal[3 * a + 2]);
        bool is_sliding = slip > least;
        if (is_sliding) {
            n = cn_add_mul3(n, -mu / slip, u_t);
            n = cn_mul3(1.0 / cn_norm3(n), n);
        }
        memcpy(body + 2 * count, p->body + 2 * a, 2 * sizeof *body);
        memcpy(point + 3 * count, p->point + 3 * a, 3 * sizeof *point);
        memcpy(normal + 3 * count, &n, sizeof n);
        friction[count++] = is_sliding ? 0.0 : mu;
    }
    return count;
}

// Least and largest multiplier of the forces that go with a mechanism; NaN where there is none.
static cn_status find_range(const cn_limit_program *p, const cn_limit_def *def, const double *v,
                            double tolerance, double range[2], cn_error *err)
{
    size_t contacts = (size_t)p->contact_count, dofs = (size_t)p->dof_start[p->body_count];
    double *memory = calloc(8 * contacts + dofs + 1, sizeof *memory);
    if (memory == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for the range of %zu contacts", contacts);
    }
    cn_limit_program q = *p;
    double *live = memory + 7 * contacts;
    q.point = memory;
    q.normal = memory + 3 * contacts;
    q.friction = memory + 6 * contacts;
    q.body = (int *)(live + dofs);
    q.live = live;
    q.shift = NULL;
    q.contact_count = restrict_contacts(p, v, tolerance, &q);
    cn_status status = CN_OK;
    for (int side = 0; side < 2 && status == CN_OK; side++) {
        double sign = side == 0 ? -1.0 : 1.0;
        cn_limit *limit = NULL;
        for (size_t k = 0; k < dofs; k++) {
            live[k] = sign * p->live[k];
        }
        status = cn_limit_solve(&q, def, &limit, err);
        bool is_known = status == CN_OK && limit->outcome == CN_LIMIT_BOUNDED;
        range[side] = is_known ? sign * limit->lower : NAN;
        status = status == CN_BAD_INPUT ? CN_OK : status; // a body without contacts: no range
        cn_limit_destroy(limit);
    }
    free(memory);
    return status;
}

// Shifts to start from: none, then up to what the first solution had, at random.
static void draw_shift(fixed_point *f, double most, uint64_t *state)
{
    for (int a = 0; a < f->given->contact_count; a++) {
        f->shift[a] = most * cn_random(state);
    }
}

static cn_status run(fixed_point *f, int start_count, uint64_t seed, cn_limit_coulomb *found,
                     cn_error *err)
{
    const cn_limit_program *p = f->given;
    uint64_t state = seed;
    double most = 0.0;
    for (int n = 0; n <= start_count; n++) {
        if (n > 0) {
            draw_shift(f, most, &state);
        }
        CN_TRY(settle(f, err));
        if (f->limit->outcome != CN_LIMIT_BOUNDED) {
            continue; // nothing was found from here
        }
        for (int a = 0; a < p->contact_count && n == 0; a++) {
            most = fmax(most, f->shift[a]);
        }
        cn_limit_coulomb one = {.multiplier = f->limit->lower, .change = f->change};
        one.residual = f->residual;
        if (!(one.residual < SOLVED)) {
            continue;
        }
        found->least = fmin(found->least, one.multiplier);
        if (found->solution_count++ == 0 || one.residual < found->residual) {
            found->multiplier = one.multiplier;
            found->change = one.change;
            found->residual = one.residual;
            CN_TRY(find_range(p, &f->def, f->limit->v, 1e-6, found->range, err));
            CN_TRY(find_range(p, &f->def, f->limit->v, 1e-5, found->range_coarse, err));
        }
    }
    return CN_OK;
}

cn_status cn_limit_coulomb_solve(const cn_limit_program *program, const cn_limit_def *def,
                                 int start_count, uint64_t seed, cn_limit_coulomb *found,
                                 cn_error *err)
{
    CN_NEED(err, program, def, found);
    CN_NEED(err, program->live);
    if (program->cohesion != NULL || program->tension != NULL || program->crush != NULL) {
        return cn_fail(err, CN_BAD_INPUT,
                       "joints without dilatancy are looked at with friction alone: give laws with "
                       "cohesion or tension `bond: off`");
    }
    fixed_point f = {.given = program, .program = *program, .def = *def};
    f.def.gap = fmin(def->gap, 1e-8); // the shift is asked to settle
    f.shift = calloc((size_t)program->contact_count + 1, sizeof *f.shift);
    if (f.shift == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d shifts", program->contact_count);
    }
    f.program.shift = f.shift;
    *found = (cn_limit_coulomb){.multiplier = NAN,
                                .residual = NAN,
                                .change = NAN,
                                .range = {NAN, NAN},
                                .range_coarse = {NAN, NAN},
                                .least = INFINITY};
    cn_status status = run(&f, start_count, seed, found, err);
    found->program_count = f.program_count;
    found->start_count = start_count + 1;
    cn_limit_destroy(f.limit);
    free(f.shift);
    return status;
}
