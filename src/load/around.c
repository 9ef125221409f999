// load/around.c -- see around.h.
#include "load/around.h"

#include <math.h>
#include <string.h>

#include "body/cell.h"
#include "load/load.h"

// Most of h^2 times the square of a frequency of the pressure alone: (3.1) and (3.19) swing up
// beyond [-].
static const double STABLE = 4.0;

static cn_status check_body(const cn_bodies *b, cn_body_id id, cn_error *err)
{
    int i = cn_bodies_find(b, id);
    if (i < 0 || b->deformable[i] >= 0 || !isfinite(b->reach[i])) {
        return cn_fail(err, CN_BAD_INPUT, "a pressure around bodies names body %llu, which %s",
                       (unsigned long long)id,
                       i < 0                   ? "does not exist"
                       : b->deformable[i] >= 0 ? "is deformable: give a pressure on its sides"
                                               : "has no end: it may be a platen");
    }
    return CN_OK;
}

static bool is_platen(const cn_bodies *b, int i)
{
    bool is_flat = b->deformable[i] < 0;
    for (int s = b->shape_start[i]; s < b->shape_start[i + 1]; s++) {
        is_flat = is_flat && (b->dim == 2 ? b->shape[s].kind == CN_SHAPE_POLYGON ||
                                                b->shape[s].kind == CN_SHAPE_HALF_PLANE
                                          : b->solid[s].kind == CN_SOLID_HULL ||
                                                b->solid[s].kind == CN_SOLID_HALF_SPACE);
    }
    return is_flat;
}

static cn_status check_lists(const cn_bodies *b, const cn_around_def *def, cn_error *err)
{
    if (def->body_count <= b->dim || def->body == NULL || def->platen_count < 0 ||
        (def->platen_count > 0 && def->platen == NULL)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a pressure is given around %d bodies: %d at least enclose something",
                       def->body_count, b->dim + 1);
    }
    for (int k = 0; k < def->body_count; k++) {
        CN_TRY(check_body(b, def->body[k], err));
        for (int n = 0; n < k && def->is_chain; n++) {
            if (def->body[n] == def->body[k]) {
                return cn_fail(err, CN_BAD_INPUT, "body %llu is twice in a ring of beads",
                               (unsigned long long)def->body[k]);
            }
        }
    }
    for (int k = 0; k < def->platen_count; k++) {
        int i = cn_bodies_find(b, def->platen[k]);
        if (i < 0 || !is_platen(b, i)) {
            return cn_fail(err, CN_BAD_INPUT, "body %llu is named as a platen and %s",
                           (unsigned long long)def->platen[k],
                           i < 0 ? "does not exist"
                                 : "is none: a box, a polygon or polyhedron, a half-plane or "
                                   "half-space");
        }
    }
    return CN_OK;
}

static cn_status check_def(const cn_bodies *b, const cn_around_def *def, cn_error *err)
{
    if (b->cell != NULL && b->cell->is_there) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "a pressure around bodies is given in a periodic cell, which has no outside; "
            "give the cell a stress");
    }
    if (def->is_chain && (b->dim == 3 || def->platen_count > 0 || def->probe != 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       b->dim == 3 ? "rings of beads are for the plane"
                                   : "a ring of beads is closed: it takes no probe and no platens");
    }
    if (!(def->probe >= 0.0) || !isfinite(def->probe)) {
        return cn_fail(err, CN_BAD_INPUT, "the probe of a pressure around bodies has radius %g m",
                       def->probe);
    }
    return check_lists(b, def, err);
}

static cn_status copy_ids(const cn_hooks *hooks, int count, const cn_body_id **id, cn_error *err)
{
    size_t capacity = 0;
    cn_body_id *own = NULL;
    CN_TRY(cn_reserve(hooks, &own, &capacity, (size_t)count + 1, err));
    if (count > 0) {
        memcpy(own, *id, sizeof *own * (size_t)count);
    }
    *id = own;
    return CN_OK;
}

cn_status cn_around_own(const cn_hooks *hooks, const cn_bodies *b, const cn_around_def *def,
                        double t, cn_around *a, cn_error *err)
{
    CN_TRY(check_def(b, def, err));
    *a = (cn_around){.def = *def};
    a->def.t0 = isnan(def->t0) ? t : def->t0;
    CN_TRY(cn_function_own(hooks, &a->def.f, err));
    cn_status status = copy_ids(hooks, def->body_count, &a->def.body, err);
    if (status != CN_OK) {
        cn_function_free(hooks, &a->def.f);
        return status;
    }
    status = copy_ids(hooks, def->platen_count, &a->def.platen, err);
    if (status != CN_OK) {
        cn_release(hooks, (void *)a->def.body);
        cn_function_free(hooks, &a->def.f);
    }
    return status;
}

void cn_around_free(const cn_hooks *hooks, cn_around *a)
{
    cn_function_free(hooks, &a->def.f);
    cn_release(hooks, (void *)a->def.body);
    cn_release(hooks, (void *)a->def.platen);
    cn_release(hooks, a->ball);
    cn_release(hooks, a->stiff);
    cn_release(hooks, a->outside.corner);
    cn_release(hooks, a->is_pressed);
    *a = (cn_around){0};
}

static void forget(cn_body_id *list, int *count, cn_body_id id)
{
    int kept = 0;
    for (int k = 0; k < *count; k++) {
        if (list[k] != id) {
            list[kept++] = list[k];
        }
    }
    *count = kept;
}

void cn_around_forget(cn_around *a, cn_body_id id)
{
    forget((cn_body_id *)a->def.body, &a->def.body_count, id);
    forget((cn_body_id *)a->def.platen, &a->def.platen_count, id);
    a->outside.count = 0;
}

// ---- facets

// Mass centres at q + dt v, and radii that include that of the probe.
static void place_balls(cn_around *a, double dt, const cn_bodies *b)
{
    int size = b->dim + 1;
    double probe = a->def.probe;
    for (int k = 0; k < a->def.body_count; k++) {
        int i = cn_bodies_find(b, a->def.body[k]);
        const double *q = cn_body_q(b, b->q, i), *v = cn_body_v(b, b->v, i);
        for (int d = 0; d < b->dim; d++) {
            a->ball[size * k + d] = q[d] + dt * v[d];
        }
        a->ball[size * k + b->dim] = b->reach[i];
        probe = a->def.probe > 0.0 ? probe : fmax(probe, b->reach[i]);
    }
    for (int k = 0; k < a->def.body_count; k++) {
        a->ball[size * k + b->dim] += probe;
    }
    a->probe = probe;
}

static const double *corner(const cn_around *a, int dim, int f, int k)
{
    return a->ball + (dim + 1) * a->outside.corner[dim * f + k];
}

// Area or volume between facet f and the first body, times 2 or 6; the outside of an edge is on its
// right.
static double content_of(const cn_around *a, int dim, int f)
{
    double x[3][3] = {{0.0}};
    for (int k = 0; k < dim; k++) {
        for (int d = 0; d < dim; d++) {
            x[k][d] = corner(a, dim, f, k)[d] - a->ball[d];
        }
    }
    if (dim == 2) {
        return x[0][0] * x[1][1] - x[0][1] * x[1][0];
    }
    cn_vec3 p = cn_v3(x[0][0], x[0][1], x[0][2]), q = cn_v3(x[1][0], x[1][1], x[1][2]);
    return cn_dot3(cn_cross3(p, q), cn_v3(x[2][0], x[2][1], x[2][2]));
}

static double content(const cn_around *a, int dim)
{
    double sum = 0.0;
    for (int f = 0; f < a->outside.count; f++) {
        sum += content_of(a, dim, f);
    }
    return sum / (dim == 2 ? 2.0 : 6.0);
}

// The edges of a ring of beads, with the outside on their right.
static cn_status join_beads(const cn_hooks *hooks, cn_around *a, cn_error *err)
{
    int count = a->def.body_count;
    cn_outside *out = &a->outside;
    CN_TRY(cn_reserve(hooks, &out->corner, &out->capacity, 2 * (size_t)count, err));
    out->count = count;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < count; k++) {
            out->corner[2 * k + pass] = k;
            out->corner[2 * k + 1 - pass] = (k + 1) % count;
        }
        if (content(a, 2) >= 0.0) {
            break;
        }
    }
    return CN_OK;
}

// Vector across a facet, outwards, as long as it is or, in space, has area.
static cn_vec3 across(const cn_around *a, int dim, int f)
{
    const double *x = corner(a, dim, f, 0), *y = corner(a, dim, f, 1);
    if (dim == 2) {
        return cn_v3(y[1] - x[1], x[0] - y[0], 0.0);
    }
    const double *z = corner(a, dim, f, 2);
    cn_vec3 from = cn_v3(x[0], x[1], x[2]);
    cn_vec3 side = cn_sub3(cn_v3(y[0], y[1], y[2]), from);
    cn_vec3 other = cn_sub3(cn_v3(z[0], z[1], z[2]), from);
    return cn_mul3(0.5, cn_cross3(side, other));
}

// Where the probe stands that touches the corners of a facet from outside: the point of its plane
// with equal powers to their balls, and then outwards. False for a facet without extent.
static bool place_probe(const cn_around *a, int dim, int f, cn_vec3 *place)
{
    const double *ball[3];
    double at[3] = {0.0}, power;
    for (int k = 0; k < dim; k++) {
        ball[k] = corner(a, dim, f, k);
    }
    cn_vec3 out = across(a, dim, f);
    double size = cn_norm3(out);
    if (!cn_outside_power(dim, ball, at, &power) || !(size > 0.0)) {
        return false;
    }
    double off = sqrt(fmax(0.0, -power)) / size;
    *place = cn_add3(cn_v3(at[0], at[1], at[2]), cn_mul3(off, out));
    return true;
}

// How far a point is off the sides of shape s of a platen, along the normal of the farthest one.
static double height_above(const cn_bodies *b, int s, cn_vec3 point)
{
    double most = -INFINITY;
    if (b->dim == 2) {
        cn_posed p = cn_body_posed(b, s, b->q);
        for (int k = 0; k < p.shape->vertex_count; k++) {
            cn_vec2 from = cn_sub2(cn_v2(point.x, point.y), cn_posed_vertex(&p, k));
            most = fmax(most, cn_dot2(cn_posed_normal(&p, k), from));
        }
        return most;
    }
    cn_posed3 p = cn_body_posed3(b, s, b->q);
    cn_vec3 local = cn_mat3_mul_transposed(&p.R, cn_sub3(point, p.x));
    if (p.solid->hull == NULL) {
        return cn_dot3(p.solid->axis, cn_sub3(local, p.solid->end[0]));
    }
    for (int k = 0; k < p.solid->hull->face_count; k++) {
        most = fmax(most, cn_dot3(p.solid->hull->normal[k], local) - p.solid->hull->offset[k]);
    }
    return most;
}

// Whether platens leave room for the probe of a facet.
static bool has_room(const cn_around *a, int f, double dt, const cn_bodies *b)
{
    cn_vec3 probe;
    if (a->def.platen_count == 0) {
        return true;
    }
    if (!place_probe(a, b->dim, f, &probe)) {
        return false;
    }
    for (int k = 0; k < a->def.platen_count; k++) {
        int i = cn_bodies_find(b, a->def.platen[k]);
        const double *v = cn_body_v(b, b->v, i);
        cn_vec3 now = cn_sub3(probe, cn_mul3(dt, cn_v3(v[0], v[1], b->dim == 3 ? v[2] : 0.0)));
        for (int s = b->shape_start[i]; s < b->shape_start[i + 1]; s++) {
            if (height_above(b, s, now) < a->probe) {
                return false;
            }
        }
    }
    return true;
}

static cn_status find_facets(const cn_hooks *hooks, cn_around *a, double dt, const cn_bodies *b,
                             cn_error *err)
{
    int count = a->def.body_count, size = b->dim + 1;
    if (count <= b->dim) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a pressure is given around %d bodies that are left: they enclose nothing",
                       count);
    }
    CN_TRY(cn_reserve(hooks, &a->ball, &a->ball_capacity, (size_t)(size * count), err));
    CN_TRY(cn_reserve(hooks, &a->stiff, &a->stiff_capacity, (size_t)count, err));
    place_balls(a, dt, b);
    CN_TRY(a->def.is_chain ? join_beads(hooks, a, err)
                           : cn_outside_find(hooks, b->dim, count, a->ball, &a->outside, err));
    size_t facets = (size_t)a->outside.count;
    CN_TRY(cn_reserve(hooks, &a->is_pressed, &a->pressed_capacity, facets, err));
    a->pressed_count = 0;
    for (int f = 0; f < a->outside.count; f++) {
        a->is_pressed[f] = has_room(a, f, dt, b);
        a->pressed_count += a->is_pressed[f];
    }
    if (a->pressed_count > 0) {
        return CN_OK;
    }
    return cn_fail(err, CN_BAD_INPUT,
                   "a pressure around %d bodies acts on nothing: a probe of radius %g m %s", count,
                   a->probe,
                   facets > 0 ? "has no room beside the platens"
                              : "passes between all of them; give a larger one");
}

// ---- forces

// Adds the force of a facet (3.19) to its bodies, and to the bound of what it changes with their
// places.
static void press(cn_around *a, int f, double p, cn_bodies *b)
{
    int dim = b->dim;
    cn_vec3 out = across(a, dim, f);
    const double share[3] = {p / dim * out.x, p / dim * out.y, p / dim * out.z};
    double bound = 0.0, own[3];
    for (int k = 0; k < dim; k++) { // of the edge opposite to corner k; of an edge itself 1
        const double *x = corner(a, dim, f, (k + 1) % dim), *y = corner(a, dim, f, (k + 2) % dim);
        own[k] = dim == 2 ? 0.5 * fabs(p)
                          : fabs(p) / 6.0 * hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
        bound += own[k];
    }
    for (int k = 0; k < dim; k++) {
        int n = a->outside.corner[dim * f + k], i = cn_bodies_find(b, a->def.body[n]);
        for (int d = 0; d < dim; d++) {
            b->f[b->kind->dof * i + d] -= share[d];
        }
        a->stiff[n] += bound - own[k];
    }
}

// (3.21).
static cn_status check_step(const cn_around *a, double h, const cn_bodies *b, cn_error *err)
{
    for (int k = 0; k < a->def.body_count; k++) {
        int i = cn_bodies_find(b, a->def.body[k]);
        if (!cn_body_is_held(b, i) && h * h * a->stiff[k] > STABLE * b->mass[i]) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a pressure of %g Pa moves body %llu, %g kg, to and fro faster than "
                           "steps of %g s can follow: take steps of %.2g s or heavier bodies",
                           a->pressure, (unsigned long long)a->def.body[k], b->mass[i], h,
                           sqrt(STABLE * b->mass[i] / a->stiff[k]));
        }
    }
    return CN_OK;
}

cn_status cn_around_eval(const cn_hooks *hooks, cn_around *a, double t, double h, double theta,
                         cn_bodies *b, cn_error *err)
{
    cn_load_value value;
    CN_TRY(cn_load_value_of(&a->def.f, a->def.body[0], t, h, a->def.t0, &value, err));
    CN_TRY(find_facets(hooks, a, (1.0 - theta) * h, b, err));
    a->pressure = theta * value.f_1 + (1.0 - theta) * value.f_0;
    memset(a->stiff, 0, sizeof *a->stiff * (size_t)a->def.body_count);
    for (int f = 0; f < a->outside.count; f++) {
        if (a->is_pressed[f]) {
            press(a, f, a->pressure, b);
        }
    }
    return check_step(a, h, b, err);
}

void cn_around_show(cn_around *a, const cn_bodies *b, cn_around_state *state)
{
    *state = (cn_around_state){.facet_count = a->outside.count};
    if (a->outside.count > 0) {
        place_balls(a, 0.0, b);
        state->pressed_count = a->pressed_count;
        state->content = content(a, b->dim);
        state->pressure = a->pressure;
    }
}
