// load/span.c -- pressures on walls: over the length or area between other bodies (3.11).
#include <math.h>

#include "load/load.h"

static const double ALONG = 1.0 - 1e-9; // of a half-plane's normal and the axis that it bounds [-]

// The side of shape s that looks up the axis (`up` 1) or down it (-1), at q; infinite if it has
// none.
static double shape_side(const cn_bodies *b, int s, int axis, double up)
{
    cn_vec3 base, normal, lo, hi;
    bool is_half = cn_shape_is_unbounded(b, s);
    if (b->dim == 3) {
        cn_posed3 p = cn_body_posed3(b, s, b->q);
        cn_box3 box = cn_posed3_box(&p);
        base = cn_posed3_point(&p, p.solid->end[0]);
        normal = cn_mat3_mul(&p.R, p.solid->axis);
        lo = box.lo;
        hi = box.hi;
    } else {
        cn_posed p = cn_body_posed(b, s, b->q);
        cn_box2 box = cn_posed_box(&p);
        cn_vec2 x = cn_posed_vertex(&p, 0), n = is_half ? cn_posed_normal(&p, 0) : cn_v2(0.0, 0.0);
        base = cn_v3(x.x, x.y, 0.0);
        normal = cn_v3(n.x, n.y, 0.0);
        lo = cn_v3(box.lo.x, box.lo.y, 0.0);
        hi = cn_v3(box.hi.x, box.hi.y, 0.0);
    }
    const double at[3] = {base.x, base.y, base.z}, n[3] = {normal.x, normal.y, normal.z};
    const double low[3] = {lo.x, lo.y, lo.z}, high[3] = {hi.x, hi.y, hi.z};
    if (is_half) {
        return up * n[axis] >= ALONG ? at[axis] : up * INFINITY;
    }
    return up > 0.0 ? high[axis] : low[axis];
}

// The side of a body at q + dt v.
static double body_side(const cn_bodies *b, int i, int axis, double up, double dt)
{
    double side = -up * INFINITY;
    for (int s = b->shape_start[i]; s < b->shape_start[i + 1]; s++) {
        double own = shape_side(b, s, axis, up);
        side = up > 0.0 ? fmax(side, own) : fmin(side, own);
    }
    return side + dt * cn_body_v(b, b->v, i)[axis];
}

cn_status cn_span_check(const cn_force_def *def, const cn_bodies *b, cn_error *err)
{
    if (def->span_count < 0 || def->span_count > CN_SPAN_MAX || def->span_count >= b->dim ||
        (def->span_count > 0 && def->is_torque)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a pressure on body %llu spans %d pairs of bodies: one in the plane, one or "
                       "two in space, and none for a torque",
                       (unsigned long long)def->body, def->span_count);
    }
    for (int k = 0; k < def->span_count; k++) {
        if ((int)def->span[k].axis < 0 || (int)def->span[k].axis >= b->dim) {
            return cn_fail(err, CN_BAD_INPUT, "the span of a pressure has axis %d: it is x, y or z",
                           (int)def->span[k].axis);
        }
    }
    double size;
    return cn_span_measure(def, 0.0, b, &size, err);
}

cn_status cn_span_measure(const cn_force_def *def, double dt, const cn_bodies *b, double *size,
                          cn_error *err)
{
    *size = 1.0;
    for (int k = 0; k < def->span_count; k++) {
        const cn_span *span = &def->span[k];
        int from = cn_bodies_find(b, span->from), to = cn_bodies_find(b, span->to);
        if (from < 0 || to < 0 || b->deformable[from] >= 0 || b->deformable[to] >= 0) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "a pressure on body %llu acts between body %llu and body %llu: both must "
                "be there and rigid",
                (unsigned long long)def->body, (unsigned long long)span->from,
                (unsigned long long)span->to);
        }
        int axis = (int)span->axis;
        double length = body_side(b, to, axis, -1.0, dt) - body_side(b, from, axis, 1.0, dt);
        if (!(length > 0.0) || !isfinite(length)) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "a pressure on body %llu acts between body %llu and body %llu, which are "
                "%g m apart along %c: name the lower one first; a half-plane looks along "
                "the axis",
                (unsigned long long)def->body, (unsigned long long)span->from,
                (unsigned long long)span->to, length, "xyz"[axis]);
        }
        *size *= length;
    }
    return CN_OK;
}
