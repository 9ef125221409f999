// contact/interface_place.c -- see interface_place.h.
#include "contact/interface_place.h"

#include <math.h>

#include "body/deformable/deformables.h"

static cn_vec3 three_of(const double *x)
{
    return cn_v3(x[0], x[1], x[2]);
}

static void put_three(cn_vec3 v, double *to)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static const double *configuration(const cn_bodies *b, cn_when when)
{
    return when == CN_WHEN_START ? b->q_before : (when == CN_WHEN_MID ? b->q_mid : b->q);
}

// ---- rigid bodies

cn_vec3 cn_interface_centre(const cn_bodies *b, cn_when when, int body)
{
    const double *x = cn_body_q(b, configuration(b, when), body);
    return cn_v3(x[0], x[1], b->dim == 3 ? x[2] : 0.0);
}

static cn_mat3 frame_of_body(const cn_bodies *b, cn_when when, int body)
{
    const double *x = cn_body_q(b, configuration(b, when), body);
    if (b->dim == 3) {
        return cn_quat_matrix((cn_quat){x[3], x[4], x[5], x[6]});
    }
    double c = cos(x[2]), s = sin(x[2]);
    return (cn_mat3){{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
}

void cn_interface_put_on_body(const cn_bodies *b, int body, cn_vec3 place, double *kept)
{
    cn_mat3 R = frame_of_body(b, CN_WHEN_START, body);
    cn_vec3 arm = cn_sub3(place, cn_interface_centre(b, CN_WHEN_START, body));
    put_three(cn_mat3_mul_transposed(&R, arm), kept);
}

// ---- meshes

cn_vec3 cn_interface_node(const cn_bodies *b, cn_when when, int body, int node)
{
    const cn_deformables *m = b->deformables;
    const double *field =
        when == CN_WHEN_START ? m->x_before : (when == CN_WHEN_MID ? m->x_mid : m->x);
    return cn_deformable_at(m, b->deformable[body], node, field);
}

cn_facet cn_interface_facet(const cn_bodies *b, int body, int facet)
{
    const cn_skin *skin = &cn_deformable_model(b->deformables, b->deformable[body])->skin;
    cn_facet f = {.count = b->dim};
    for (int k = 0; k < b->dim; k++) {
        f.node[k] = skin->facet[b->dim * facet + k];
    }
    if (b->dim == 3 && skin->fourth[facet] >= 0) {
        f.node[f.count++] = skin->fourth[facet];
    }
    return f;
}

static cn_mat3 columns(cn_vec3 x, cn_vec3 y, cn_vec3 z)
{
    return (cn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

static cn_vec3 unit(cn_vec3 a)
{
    double length = cn_norm3(a);
    return length > 0.0 ? cn_mul3(1.0 / length, a) : a;
}

cn_mat3 cn_interface_frame(const cn_bodies *b, cn_when when, int body, int facet)
{
    if (b->deformable[body] < 0) {
        return frame_of_body(b, when, body);
    }
    cn_facet f = cn_interface_facet(b, body, facet);
    cn_vec3 p[CN_ANCHOR_NODES];
    for (int k = 0; k < f.count; k++) {
        p[k] = cn_interface_node(b, when, body, f.node[k]);
    }
    cn_vec3 along = unit(cn_sub3(p[1], p[0]));
    if (b->dim == 2) {
        return columns(along, cn_v3(-along.y, along.x, 0.0), cn_v3(0.0, 0.0, 1.0));
    }
    cn_vec3 normal = f.count == 3 ? cn_cross3(along, cn_sub3(p[2], p[0]))
                                  : cn_cross3(cn_sub3(p[2], p[0]), cn_sub3(p[3], p[1]));
    normal = unit(normal);
    along = unit(cn_sub3(along, cn_mul3(cn_dot3(along, normal), normal)));
    return columns(along, cn_cross3(normal, along), normal);
}

// ---- points

static const double *kept_of(const double *state, int side)
{
    return state + (side == 0 ? CN_BOND_PLACE_I : CN_BOND_PLACE_J);
}

int cn_interface_facet_of(const cn_bodies *b, int body, const double *state, int side)
{
    return b->deformable[body] < 0 ? -1 : (int)kept_of(state, side)[0];
}

// Shape functions of a facet at s along its first edge and t along its last.
static cn_anchor anchor_at(const cn_bodies *b, int body, const double *kept)
{
    double s = kept[1], t = kept[2];
    cn_facet f = cn_interface_facet(b, body, (int)kept[0]);
    cn_anchor anchor = {.mesh = b->deformable[body], .count = f.count};
    const double weight[3][CN_ANCHOR_NODES] = {
        {1.0 - s, s, 0.0, 0.0},
        {1.0 - s - t, s, t, 0.0},
        {(1.0 - s) * (1.0 - t), s * (1.0 - t), s * t, (1.0 - s) * t}};
    for (int k = 0; k < f.count; k++) {
        anchor.node[k] = f.node[k];
        anchor.weight[k] = weight[f.count - 2][k];
    }
    return anchor;
}

cn_anchor cn_interface_anchor(const cn_bodies *b, int body, const double *state, int side)
{
    return anchor_at(b, body, kept_of(state, side));
}

// A place as a state keeps it.
static cn_vec3 place_of(const cn_bodies *b, cn_when when, int body, const double *kept)
{
    if (b->deformable[body] < 0) {
        cn_mat3 R = frame_of_body(b, when, body);
        return cn_add3(cn_interface_centre(b, when, body), cn_mat3_mul(&R, three_of(kept)));
    }
    cn_anchor anchor = anchor_at(b, body, kept);
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    for (int k = 0; k < anchor.count; k++) {
        sum = cn_add_mul3(sum, anchor.weight[k], cn_interface_node(b, when, body, anchor.node[k]));
    }
    return sum;
}

// Axes from normals and the tangent of both sides.
static void find_axes(const cn_bodies *b, const cn_mat3 R[2], const double *state, cn_vec3 axis[3])
{
    cn_vec3 n_i = cn_mat3_mul(&R[0], three_of(state + CN_BOND_NORMAL_I));
    cn_vec3 n = cn_add3(n_i, cn_mat3_mul(&R[1], three_of(state + CN_BOND_NORMAL_J)));
    double length = cn_norm3(n);
    axis[0] = length > 0.0 ? cn_mul3(1.0 / length, n) : n_i;
    axis[1] = cn_v3(-axis[0].y, axis[0].x, 0.0);
    axis[2] = cn_v3(0.0, 0.0, 0.0);
    if (b->dim == 3) {
        cn_vec3 t = cn_mat3_mul(&R[0], three_of(state + CN_BOND_TANGENT_I));
        t = cn_sub3(t, cn_mul3(cn_dot3(t, axis[0]), axis[0]));
        length = cn_norm3(t);
        cn_tangents3(axis[0], &axis[1], &axis[2]);
        axis[1] = length > 0.0 ? cn_mul3(1.0 / length, t) : axis[1];
        axis[2] = cn_cross3(axis[0], axis[1]);
    }
}

cn_placed cn_interface_place(const cn_bodies *b, cn_when when, const int body[2],
                             const double *state)
{
    cn_placed x;
    cn_mat3 R[2];
    for (int side = 0; side < 2; side++) {
        const double *kept = kept_of(state, side);
        R[side] = cn_interface_frame(b, when, body[side], (int)kept[0]);
        x.at[side] = place_of(b, when, body[side], kept);
    }
    find_axes(b, R, state, x.axis);
    x.at[1] = cn_add_mul3(x.at[1], state[CN_BOND_APART], x.axis[0]);
    return x;
}

void cn_interface_sow(const cn_bodies *b, const cn_bond_seed *seed, double *state)
{
    const int *to_normal = (const int[2]){CN_BOND_NORMAL_I, CN_BOND_NORMAL_J};
    cn_vec3 at[2];
    state[CN_BOND_ALIVE] = 1.0;
    state[CN_BOND_AREA] = seed->area;
    for (int side = 0; side < 2; side++) {
        const double *kept = seed->anchor[side];
        cn_mat3 R = cn_interface_frame(b, CN_WHEN_START, seed->body[side], (int)kept[0]);
        put_three(three_of(kept), state + (side == 0 ? CN_BOND_PLACE_I : CN_BOND_PLACE_J));
        put_three(cn_mat3_mul_transposed(&R, seed->normal), state + to_normal[side]);
        if (side == 0) {
            put_three(cn_mat3_mul_transposed(&R, seed->tangent), state + CN_BOND_TANGENT_I);
        }
        at[side] = place_of(b, CN_WHEN_START, seed->body[side], kept);
    }
    bool are_meshes = b->deformable[seed->body[0]] >= 0 && b->deformable[seed->body[1]] >= 0;
    state[CN_BOND_APART] = are_meshes ? cn_dot3(seed->normal, cn_sub3(at[0], at[1])) : 0.0;
}
