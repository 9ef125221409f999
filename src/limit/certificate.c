// limit/certificate.c -- what forces and a mechanism prove, found anew from the program: theory
// 16.7 and 16.8.
//
// Shares no code with the solver: forces are vectors at points here, mechanisms motions of bodies,
// sums are compensated. A bound whose proof has a hole is taken back.
#include <math.h>
#include <string.h>

#include "cairn/vec.h"
#include "cairn/view.h"
#include "limit/interior.h"

// Of the mean load, or of the largest motion: what of a proof may be rounding.
static const double HOLE = 1e-7;

// Sum with its rounding (Neumaier).
typedef struct sum {
    double value, rest;
} sum;

static void add(sum *s, double x)
{
    double total = s->value + x;
    s->rest += fabs(s->value) >= fabs(x) ? (s->value - total) + x : (x - total) + s->value;
    s->value = total;
}

static double total(const sum *s)
{
    return s->value + s->rest;
}

static cn_vec3 vector(const double *x)
{
    return cn_v3(x[0], x[1], x[2]);
}

static void axes_of(const cn_limit_program *p, int a, cn_vec3 axis[3])
{
    cn_contact x = {0};
    double t1[3], t2[3];
    memcpy(x.normal, p->normal + 3 * a, sizeof x.normal);
    cn_contact_tangents(&x, p->dim, t1, t2);
    axis[0] = vector(x.normal);
    axis[1] = vector(t1);
    axis[2] = vector(t2);
}

// Arm of the body of a side, from its mass centre.
static cn_vec3 arm_of(const cn_limit_program *p, int a, int side)
{
    const double *at = p->at + 3 * p->body[2 * a + side];
    return cn_sub3(vector(p->point + 3 * a), vector(at));
}

// Power of a force at an arm on a motion.
static double power_of(const double *motion, cn_vec3 arm, cn_vec3 force)
{
    cn_vec3 turn = cn_cross3(vector(motion + 3), arm);
    return cn_dot3(cn_add3(vector(motion), turn), force);
}

static double strength(const double *of, int a)
{
    return of != NULL ? of[a] : 0.0;
}

// Largest tension of a contact: its own, and not beyond the tip of its cone.
static double tension_of(const cn_limit_program *p, int a)
{
    double tension = strength(p->tension, a), mu = p->friction[a];
    return mu > 0.0 ? fmin(tension, strength(p->cohesion, a) / mu) : tension;
}

// By how much a force is outside of what the contact bears, with `share` of its strength (16.9).
static double excess_of(const cn_limit_program *p, int a, const double *r, double share)
{
    double slip = hypot(r[1], p->dim == 3 ? r[2] : 0.0), excess;
    excess = fmax(slip - p->friction[a] * r[0] - share * strength(p->cohesion, a),
                  -r[0] - share * tension_of(p, a));
    bool has_end = p->crush != NULL && isfinite(p->crush[a]);
    return has_end ? fmax(excess, r[0] - share * p->crush[a]) : excess;
}

// Forces of contacts into the sums of motions; returns the largest excess over friction and
// strength, of which `share` counts.
static double add_forces(const cn_limit_program *p, const double *r, double share, sum *of_motion)
{
    double outside = 0.0;
    for (int a = 0; a < p->contact_count; a++) {
        cn_vec3 axis[3], force = cn_v3(0.0, 0.0, 0.0);
        axes_of(p, a, axis);
        for (int k = 0; k < p->dim; k++) {
            force = cn_add_mul3(force, r[3 * a + k], axis[k]);
        }
        outside = fmax(outside, excess_of(p, a, r + 3 * a, share));
        for (int side = 0; side < 2; side++) {
            int body = p->body[2 * a + side];
            for (int k = body < 0 ? 0 : p->dof_start[body]; body >= 0 && k < p->dof_start[body + 1];
                 k++) {
                cn_vec3 acting = side == 0 ? force : cn_mul3(-1.0, force);
                add(&of_motion[k], power_of(p->dof + 6 * k, arm_of(p, a, side), acting));
            }
        }
    }
    return outside;
}

// Longest arm of each motion's body, to compare moments with forces.
static void find_arms(const cn_limit_program *p, double *arm)
{
    memset(arm, 0, sizeof *arm * (size_t)p->dof_start[p->body_count]);
    for (int a = 0; a < p->contact_count; a++) {
        for (int side = 0; side < 2; side++) {
            int body = p->body[2 * a + side];
            double length = body < 0 ? 0.0 : cn_norm3(arm_of(p, a, side));
            for (int k = body < 0 ? 0 : p->dof_start[body]; body >= 0 && k < p->dof_start[body + 1];
                 k++) {
                arm[k] = fmax(arm[k], length);
            }
        }
    }
}

// Largest speed that a motion gives a point of the body.
static double speed_of(const cn_limit_program *p, int k, double arm)
{
    const double *motion = p->dof + 6 * k;
    return hypot(cn_norm3(vector(motion)), arm * cn_norm3(vector(motion + 3)));
}

// A generalized force as a force: over the speed that its motion gives the body.
static double as_force(const cn_limit_program *p, int k, double load, double arm)
{
    double speed = speed_of(p, k, arm);
    return speed > 0.0 ? fabs(load) / speed : fabs(load);
}

// Mean load of a body: of the dead ones, or of the live ones where there are none.
static double unit_of(const cn_limit_program *p, const double *arm)
{
    for (int pass = 0; pass < 2; pass++) {
        const double *load = pass == 0 ? p->dead : p->live;
        double square = 0.0;
        for (int k = 0; load != NULL && k < p->dof_start[p->body_count]; k++) {
            double force = as_force(p, k, load[k], arm[k]);
            square += force * force;
        }
        if (square > 0.0) {
            return sqrt(square / p->body_count);
        }
    }
    return 1.0;
}

// Balance and cones of the forces at multiplier `lambda` (16.7); dead and live loads count with
// the factors given.
static void check_forces(const cn_limit_program *p, cn_limit *limit, double dead, double live,
                         sum *of_motion, double *arm)
{
    int dofs = p->dof_start[p->body_count];
    memset(of_motion, 0, sizeof *of_motion * (size_t)dofs);
    find_arms(p, arm);
    double unit = unit_of(p, arm), outside = add_forces(p, limit->r, dead, of_motion);
    limit->check.imbalance = 0.0;
    for (int k = 0; k < dofs; k++) {
        add(&of_motion[k], dead * p->dead[k]);
        add(&of_motion[k], p->live != NULL ? live * p->live[k] : 0.0);
        double left = as_force(p, k, total(&of_motion[k]), arm[k]);
        limit->check.imbalance = fmax(limit->check.imbalance, left / unit);
    }
    limit->check.outside = fmax(outside, 0.0) / unit;
}

static cn_vec3 velocity_of(const cn_limit_program *p, const double *v, int a, int side)
{
    int body = p->body[2 * a + side];
    cn_vec3 speed = cn_v3(0.0, 0.0, 0.0);
    for (int k = body < 0 ? 0 : p->dof_start[body]; body >= 0 && k < p->dof_start[body + 1]; k++) {
        cn_vec3 turn = cn_cross3(vector(p->dof + 6 * k + 3), arm_of(p, a, side));
        speed = cn_add_mul3(speed, v[k], cn_add3(vector(p->dof + 6 * k), turn));
    }
    return speed;
}

static double power_sum(const cn_limit_program *p, const double *load, const double *v)
{
    sum s = {0.0, 0.0};
    for (int k = 0; load != NULL && k < p->dof_start[p->body_count]; k++) {
        add(&s, load[k] * v[k]);
    }
    return total(&s);
}

// What the strength of a contact takes of a mechanism (16.10); *sink: what no force can bear.
static double taken_by(const cn_limit_program *p, int a, double u_n, double slip, double *sink)
{
    double apart = u_n - p->friction[a] * slip, taken = strength(p->cohesion, a) * slip;
    if (apart >= 0.0) {
        return taken + tension_of(p, a) * apart;
    }
    if (p->crush != NULL && isfinite(p->crush[a])) {
        return taken - p->crush[a] * apart;
    }
    double shift = p->shift != NULL ? p->shift[a] : 0.0;
    *sink = fmax(*sink, -apart - shift);
    return taken;
}

// Cones of the mechanism, and its powers: the bound (16.8).
static void check_mechanism(const cn_limit_program *p, cn_limit *limit, const double *arm)
{
    double fastest = 0.0, sink = 0.0;
    sum taken = {0.0, 0.0};
    for (int k = 0; k < p->dof_start[p->body_count]; k++) {
        fastest = fmax(fastest, fabs(limit->v[k]) * speed_of(p, k, arm[k]));
    }
    for (int a = 0; a < p->contact_count; a++) {
        cn_vec3 axis[3], one = velocity_of(p, limit->v, a, 0),
                         other = velocity_of(p, limit->v, a, 1);
        cn_vec3 u = cn_sub3(one, other);
        axes_of(p, a, axis);
        double slip = hypot(cn_dot3(u, axis[1]), cn_dot3(u, axis[2]));
        add(&taken, taken_by(p, a, cn_dot3(u, axis[0]), slip, &sink));
    }
    double dead = power_sum(p, p->dead, limit->v) - total(&taken);
    double live = power_sum(p, p->live, limit->v);
    bool is_proof = limit->outcome == CN_LIMIT_FALLS;
    limit->check.sink = fmax(sink, 0.0) / fastest;
    limit->check.power = is_proof ? fabs(live / dead) : fabs(live - 1.0);
    limit->upper = is_proof ? NAN : -dead / live;
}

double cn_limit_misfit(const cn_limit_program *p, const cn_limit *limit)
{
    double worst = 0.0, sink = 0.0, fastest = 0.0, load = 0.0;
    int bodies = 0;
    for (int a = 0; a < p->contact_count; a++) {
        cn_vec3 axis[3], one = velocity_of(p, limit->v, a, 0);
        cn_vec3 u = cn_sub3(one, velocity_of(p, limit->v, a, 1));
        const double *r = limit->r + 3 * a;
        axes_of(p, a, axis);
        double u_t[2] = {cn_dot3(u, axis[1]), cn_dot3(u, axis[2])};
        double u_n = cn_dot3(u, axis[0]) + p->friction[a] * hypot(u_t[0], u_t[1]);
        double work = fabs(r[0] * u_n + r[1] * u_t[0] + r[2] * u_t[1]);
        worst = isfinite(work) ? fmax(worst, work) : NAN;
        sink = fmax(sink, -cn_dot3(u, axis[0]));
        fastest = fmax(fastest, cn_norm3(u));
    }
    for (int i = 0; i < p->body_count; i++) {
        double square = 0.0;
        for (int k = p->dof_start[i]; k < p->dof_start[i + 1]; k++) {
            bool is_translation = cn_norm3(vector(p->dof + 6 * k + 3)) == 0.0;
            square += is_translation ? p->dead[k] * p->dead[k] : 0.0;
        }
        load += sqrt(square);
        bodies++;
    }
    return fmax(worst / (load / bodies * fastest), sink / fastest) + 0.0 * worst;
}

// Whether a proof has no hole; a number that is none is one.
static bool holds(double miss, double other)
{
    return miss <= HOLE && other <= HOLE;
}

static void conclude(cn_limit *limit)
{
    cn_limit_check *c = &limit->check;
    if (limit->outcome == CN_LIMIT_FALLS) { // there are no forces
        c->imbalance = c->outside = NAN;
    } else if (limit->outcome == CN_LIMIT_UNBOUNDED) { // there is no mechanism
        c->sink = c->power = NAN;
    }
    bool is_static = holds(c->imbalance, c->outside), is_moving = holds(c->sink, c->power);
    bool is_known = (limit->outcome == CN_LIMIT_FALLS && is_moving) ||
                    (limit->outcome == CN_LIMIT_UNBOUNDED && is_static);
    if (limit->outcome == CN_LIMIT_BOUNDED) {
        limit->lower = is_static ? limit->lower : NAN;
        limit->upper = is_moving ? limit->upper : NAN;
        is_known = is_static && is_moving;
    }
    if (!is_known) {
        limit->outcome = CN_LIMIT_UNDECIDED;
    }
    double size = fmax(fmax(fabs(limit->lower), fabs(limit->upper)), CN_LIMIT_ZERO * limit->unit);
    limit->gap = limit->upper - limit->lower;
    limit->gap = limit->gap <= 0.0 ? 0.0 : limit->gap / size;
}

cn_status cn_limit_verify(const cn_limit_program *p, cn_limit *limit, cn_error *err)
{
    size_t dofs = (size_t)p->dof_start[p->body_count];
    sum *of_motion = cn_resize(NULL, NULL, (sizeof(sum) + sizeof(double)) * (dofs + 1));
    if (of_motion == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory to check a limit of %zu motions", dofs);
    }
    bool is_ray = limit->outcome == CN_LIMIT_UNBOUNDED, has_live = p->live != NULL;
    check_forces(p, limit, is_ray ? 0.0 : 1.0, is_ray ? 1.0 : (has_live ? limit->lower : 0.0),
                 of_motion, (double *)(of_motion + dofs + 1));
    check_mechanism(p, limit, (double *)(of_motion + dofs + 1));
    cn_release(NULL, of_motion);
    if (!has_live && limit->outcome == CN_LIMIT_BOUNDED) { // it stands: forces alone are the proof
        limit->lower = limit->upper = limit->gap = 0.0;
        limit->check.sink = limit->check.power = NAN;
        limit->outcome = holds(limit->check.imbalance, limit->check.outside) ? CN_LIMIT_BOUNDED
                                                                             : CN_LIMIT_UNDECIDED;
        return CN_OK;
    }
    conclude(limit);
    if (limit->outcome == CN_LIMIT_BOUNDED && p->shift == NULL) {
        // Forces that miss their balance a little may be found beyond what the mechanism allows.
        limit->lower = fmin(limit->lower, limit->upper);
    }
    return CN_OK;
}
