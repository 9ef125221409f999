// world/wear.c -- sides of polygons move inward as they slide under load, theory "Wear".
#include "world/wear.h"

#include <math.h>

#include "body/gravity.h"

static const double LEAST_SIDE = 1e-6; // what must be left of a side, of what it was [-]

void cn_wear_free(cn_wear *wear)
{
    cn_release(wear->hooks, wear->body);
    cn_release(wear->hooks, wear->corner);
    cn_release(wear->hooks, wear->depth);
    cn_release(wear->hooks, wear->vertex);
    cn_release(wear->hooks, wear->of_slot);
    *wear = (cn_wear){.hooks = wear->hooks};
}

static int find(const cn_wear *wear, cn_body_id id)
{
    for (int n = 0; n < wear->count; n++) {
        if (wear->body[n].id == id) {
            return n;
        }
    }
    return -1;
}

static const cn_shape *polygon_of(const cn_bodies *b, int i)
{
    bool is_one =
        b->dim == 2 && b->deformable[i] < 0 && b->shape_start[i + 1] == b->shape_start[i] + 1;
    const cn_shape *shape = is_one ? &b->shape[b->shape_start[i]] : NULL;
    return is_one && shape->kind == CN_SHAPE_POLYGON ? shape : NULL;
}

static cn_status measure(const cn_bodies *b, int i, cn_shape_mass *mass, cn_error *err)
{
    return cn_shapes_measure(&b->shape_def[b->shape_start[i]], 1, mass, err);
}

cn_status cn_wear_add(cn_wear *wear, const cn_bodies *b, int i, double coefficient, cn_error *err)
{
    unsigned long long id = b->id[i];
    const cn_shape *shape = polygon_of(b, i);
    cn_shape_mass mass;
    int n = find(wear, b->id[i]);
    if (!(coefficient > 0.0) || !isfinite(coefficient)) {
        return cn_fail(err, CN_BAD_INPUT, "wear of body %llu must be > 0 1/Pa, got %g", id,
                       coefficient);
    }
    if (shape == NULL) {
        return cn_fail(err, CN_BAD_INPUT,
                       "body %llu cannot wear: it must be one convex polygon in the plane; give it "
                       "a material without wear, and let the other body wear",
                       id);
    }
    if (n >= 0) {
        wear->body[n].coefficient = coefficient;
        return CN_OK;
    }
    CN_TRY(measure(b, i, &mass, err));
    if (hypot(mass.centre[0], mass.centre[1]) > 1e-9 * mass.size) {
        return cn_fail(err, CN_BAD_INPUT,
                       "body %llu cannot wear: its mass centre is not that of its shape; leave "
                       "out its centre",
                       id);
    }
    size_t sides = (size_t)(wear->side_count + shape->vertex_count);
    CN_TRY(
        cn_reserve(wear->hooks, &wear->body, &wear->body_capacity, (size_t)wear->count + 1, err));
    CN_TRY(cn_reserve(wear->hooks, &wear->corner, &wear->corner_capacity, sides, err));
    CN_TRY(cn_reserve(wear->hooks, &wear->depth, &wear->depth_capacity, sides, err));
    CN_TRY(cn_reserve(wear->hooks, &wear->vertex, &wear->vertex_capacity, 2 * sides, err));
    double even = b->mass[i] / mass.area * mass.inertia;
    wear->body[wear->count++] =
        (cn_worn_body){.id = b->id[i],
                       .coefficient = coefficient,
                       .density = b->mass[i] / mass.area,
                       .inertia_ratio = even > 0.0 ? b->inertia[i] / even : 1.0,
                       .first = wear->side_count,
                       .count = shape->vertex_count};
    for (int k = 0; k < shape->vertex_count; k++) {
        wear->corner[wear->side_count + k] = shape->vertex[k];
        wear->depth[wear->side_count + k] = 0.0;
    }
    wear->side_count += shape->vertex_count;
    return CN_OK;
}

void cn_wear_forget(cn_wear *wear, cn_body_id id)
{
    int n = find(wear, id);
    if (n < 0) {
        return;
    }
    int first = wear->body[n].first, sides = wear->body[n].count;
    cn_close_gap(wear->corner, sizeof *wear->corner, first, sides, wear->side_count);
    cn_close_gap(wear->depth, sizeof *wear->depth, first, sides, wear->side_count);
    cn_close_gap(wear->body, sizeof *wear->body, n, 1, wear->count);
    wear->count--;
    wear->side_count -= sides;
    for (int k = n; k < wear->count; k++) {
        wear->body[k].first -= sides;
    }
}

// Outward normal of side k as new.
static cn_vec2 normal_of(const cn_wear *wear, const cn_worn_body *worn, int k)
{
    const cn_vec2 *corner = wear->corner + worn->first;
    cn_vec2 along = cn_sub2(corner[(k + 1) % worn->count], corner[k]);
    return cn_mul2(-1.0 / cn_norm2(along), cn_left2(along));
}

// Corner k: where the sides before and after it meet, each moved inward by its depth.
static cn_vec2 corner_of(const cn_wear *wear, const cn_worn_body *worn, int k)
{
    int before = (k + worn->count - 1) % worn->count;
    const double *depth = wear->depth + worn->first;
    cn_vec2 m = normal_of(wear, worn, before), n = normal_of(wear, worn, k);
    double turn = cn_cross2(m, n); // x = corner + s with m.s = -depth before, n.s = -depth after
    cn_vec2 s = cn_sub2(cn_mul2(depth[before], cn_left2(n)), cn_mul2(depth[k], cn_left2(m)));
    return cn_add_mul2(wear->corner[worn->first + k], 1.0 / turn, s);
}

// Whether something is left of all sides, with the corners in `vertex`.
static cn_status check_sides(const cn_wear *wear, const cn_worn_body *worn, cn_error *err)
{
    const double *x = wear->vertex;
    for (int k = 0; k < worn->count; k++) {
        int next = (k + 1) % worn->count;
        cn_vec2 was = cn_sub2(wear->corner[worn->first + next], wear->corner[worn->first + k]);
        cn_vec2 now = cn_v2(x[2 * next] - x[2 * k], x[2 * next + 1] - x[2 * k + 1]);
        if (!(cn_dot2(now, was) > LEAST_SIDE * cn_dot2(was, was))) {
            return cn_fail(err, CN_BAD_INPUT,
                           "side %d of body %llu is worn away: its neighbours have met; end the "
                           "run before, or let it wear less",
                           k, (unsigned long long)worn->id);
        }
    }
    return CN_OK;
}

// The shape that belongs to the depths of a body in the slot i; its frame moves to `centre`, to the
// mass centre if that is NULL.
static cn_status reshape(cn_wear *wear, cn_worn_body *worn, cn_bodies *b, int i,
                         const cn_vec2 *centre, cn_error *err)
{
    cn_shape_mass mass;
    for (int k = 0; k < worn->count; k++) {
        cn_vec2 at = corner_of(wear, worn, k);
        wear->vertex[2 * k] = at.x;
        wear->vertex[2 * k + 1] = at.y;
    }
    CN_TRY(check_sides(wear, worn, err));
    cn_shape_def def = {
        .kind = CN_SHAPE_POLYGON, .vertex_count = worn->count, .vertex = wear->vertex};
    CN_TRY(cn_shapes_measure(&def, 1, &mass, err));
    worn->centre = centre != NULL ? *centre : cn_v2(mass.centre[0], mass.centre[1]);
    cn_bodies_reshape(b, i, &def, worn->centre, mass.size);
    b->mass[i] = worn->density * mass.area;
    b->inertia[i] = worn->inertia_ratio * worn->density * mass.inertia;
    return CN_OK;
}

// q and v of a body whose frame has moved on it by `way` of this frame.
static void move_frame(cn_bodies *b, int i, cn_vec2 way)
{
    double *q = b->q + 3 * i, *v = b->v + 3 * i;
    cn_vec2 turned = cn_turn2(way, cos(q[2]), sin(q[2]));
    q[0] += turned.x;
    q[1] += turned.y;
    v[0] -= v[2] * turned.y;
    v[1] += v[2] * turned.x;
}

// The side of a body at a contact: that which looks most along the normal of the contact.
static int side_at(const cn_bodies *b, int i, cn_vec2 outward)
{
    const cn_shape *shape = polygon_of(b, i);
    double angle = cn_body_q(b, b->q_mid, i)[2], most = -INFINITY;
    cn_vec2 own = cn_turn2(outward, cos(angle), -sin(angle));
    int side = 0;
    for (int k = 0; k < shape->vertex_count; k++) {
        double looks = cn_dot2(shape->normal[k], own);
        if (looks > most) {
            most = looks;
            side = k;
        }
    }
    return side;
}

// Archard: the volume that a contact takes from one of its bodies, as a depth of a side.
static cn_status wear_side(cn_wear *wear, const cn_contacts *c, const cn_bodies *b, int a, int side,
                           cn_error *err)
{
    const cn_contact *x = &c->contact[a];
    int i = side == 0 ? x->i : x->j, n = wear->of_slot[i];
    if (n < 0) {
        return CN_OK;
    }
    if (c->is_bond[a]) {
        return cn_fail(err, CN_BAD_INPUT,
                       "body %llu wears and is bonded: a bond needs a surface that stays; give it "
                       "a material without wear, or a law that does not bond",
                       (unsigned long long)b->id[i]);
    }
    if (x->status != CN_STATUS_SLIDE) {
        return CN_OK;
    }
    cn_worn_body *worn = &wear->body[n];
    double speed = fabs((1.0 - c->theta) * x->u_before[1] + c->theta * x->u[1]);
    double volume = worn->coefficient * fmax(x->r[0], 0.0) * speed;
    cn_vec2 outward = cn_mul2(side == 0 ? -1.0 : 1.0, cn_v2(x->normal[0], x->normal[1]));
    int k = side_at(b, i, outward);
    const cn_vec2 *corner = polygon_of(b, i)->vertex;
    double length = cn_norm2(cn_sub2(corner[(k + 1) % worn->count], corner[k]));
    wear->depth[worn->first + k] += volume / length;
    return CN_OK;
}

static double kinetic_of(const cn_bodies *b, int i)
{
    double p[3];
    return b->kind->momentum(b, i, cn_body_q(b, b->q, i), cn_body_v(b, b->v, i), p);
}

// What was worn off moves on as a part of the body did: its kinetic and potential energy.
static double energy_of_piece(const cn_bodies *b, int i, const cn_vec2 *moved, const double mass[2],
                              const double inertia[2])
{
    const double *q = cn_body_q(b, b->q, i), *v = cn_body_v(b, b->v, i);
    double m = mass[0] - mass[1];
    cn_vec2 way = *moved;
    if (!(m > 0.0)) {
        return 0.0;
    }
    // m_0 c_0 = m_1 c_1 + m c: the piece is at c_1 - (m_0 / m) (c_1 - c_0)
    cn_vec2 from_new = cn_turn2(cn_mul2(-mass[0] / m, way), cos(q[2]), sin(q[2]));
    double own = inertia[0] - inertia[1] - mass[1] * cn_dot2(way, way) -
                 m * pow((mass[0] / m - 1.0) * cn_norm2(way), 2.0);
    cn_vec2 velocity = cn_add_mul2(cn_v2(v[0], v[1]), v[2], cn_left2(from_new));
    cn_vec2 at = cn_add2(cn_v2(q[0], q[1]), from_new);
    return 0.5 * m * cn_dot2(velocity, velocity) + 0.5 * own * v[2] * v[2] -
           m * (b->gravity[0] * at.x + b->gravity[1] * at.y);
}

// A body gets the shape of its depths.
static cn_status renew(cn_wear *wear, int n, cn_joints *joints, cn_bodies *b,
                       cn_worn_energy *energy, cn_error *err)
{
    cn_worn_body *worn = &wear->body[n], old = *worn;
    int i = cn_bodies_find(b, worn->id);
    double mass[2] = {b->mass[i]}, inertia[2] = {b->inertia[i]};
    double kinetic = kinetic_of(b, i), potential = cn_body_potential(b, i);
    CN_TRY(reshape(wear, worn, b, i, cn_body_is_held(b, i) ? &old.centre : NULL, err));
    cn_vec2 way = cn_sub2(worn->centre, old.centre);
    move_frame(b, i, way);
    cn_joint_move_frame(joints, i, cn_v3(way.x, way.y, 0.0));
    mass[1] = b->mass[i];
    inertia[1] = b->inertia[i];
    energy->kinetic += kinetic_of(b, i) - kinetic;
    energy->potential += cn_body_potential(b, i) - potential;
    energy->taken += energy_of_piece(b, i, &way, mass, inertia);
    return CN_OK;
}

static cn_status list_slots(cn_wear *wear, const cn_bodies *b, cn_error *err)
{
    size_t slots = (size_t)b->count;
    CN_TRY(cn_reserve(wear->hooks, &wear->of_slot, &wear->slot_capacity, slots, err));
    for (int i = 0; i < b->count; i++) {
        wear->of_slot[i] = -1;
    }
    for (int n = 0; n < wear->count; n++) {
        wear->of_slot[cn_bodies_find(b, wear->body[n].id)] = n;
    }
    return CN_OK;
}

cn_status cn_wear_step(cn_wear *wear, const cn_contacts *c, cn_joints *joints, cn_bodies *b,
                       cn_worn_energy *energy, cn_error *err)
{
    *energy = (cn_worn_energy){0};
    CN_TRY(list_slots(wear, b, err));
    for (int a = 0; a < c->count && wear->count > 0; a++) {
        CN_TRY(wear_side(wear, c, b, a, 0, err));
        CN_TRY(wear_side(wear, c, b, a, 1, err));
    }
    for (int n = 0; n < wear->count; n++) {
        CN_TRY(renew(wear, n, joints, b, energy, err));
    }
    return CN_OK;
}

size_t cn_wear_reals(const cn_wear *wear)
{
    return (size_t)(wear->side_count + 2 * wear->count);
}

void cn_wear_gather(const cn_wear *wear, double *real)
{
    double *centre = real + wear->side_count;
    for (int k = 0; k < wear->side_count; k++) {
        real[k] = wear->depth[k];
    }
    for (int n = 0; n < wear->count; n++) {
        centre[2 * n] = wear->body[n].centre.x;
        centre[2 * n + 1] = wear->body[n].centre.y;
    }
}

cn_status cn_wear_restore(cn_wear *wear, const double *real, cn_bodies *b, cn_error *err)
{
    const double *centre = real + wear->side_count;
    for (int k = 0; k < wear->side_count; k++) {
        wear->depth[k] = real[k];
    }
    for (int n = 0; n < wear->count; n++) {
        cn_vec2 at = cn_v2(centre[2 * n], centre[2 * n + 1]);
        CN_TRY(reshape(wear, &wear->body[n], b, cn_bodies_find(b, wear->body[n].id), &at, err));
    }
    return CN_OK;
}
