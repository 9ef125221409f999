// validation/place.c -- one case, told in the plane, in the plane and in space.
#include "place.h"

#include <string.h>

cn_place cn_place_plane(void)
{
    return (cn_place){.dim = 2, .turn = {1.0, 0.0, 0.0, 0.0}, .name = ""};
}

static cn_quat about_z(double angle)
{
    return (cn_quat){cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
}

static double angle_about_z(cn_quat q)
{
    return 2.0 * atan2(q.w < 0.0 ? -q.z : q.z, fabs(q.w));
}

cn_place cn_place_turned(double angle)
{
    return (cn_place){.dim = 2, .turn = about_z(angle), .name = ""};
}

cn_place cn_place_along_axes(double depth)
{
    return (cn_place){.dim = 3, .turn = {1.0, 0.0, 0.0, 0.0}, .depth = depth, .name = ", in space"};
}

cn_place cn_place_space(double depth)
{
    cn_place place = cn_place_along_axes(depth);
    place.turn = cn_quat_unit((cn_quat){0.8, 0.3, -0.4, 0.6});
    return place;
}

cn_vec3 cn_place_out(const cn_place *place, cn_vec3 a)
{
    cn_mat3 R = cn_quat_matrix(place->turn);
    return cn_mat3_mul(&R, a);
}

cn_vec3 cn_place_back(const cn_place *place, cn_vec3 a)
{
    cn_mat3 R = cn_quat_matrix(place->turn);
    return cn_mat3_mul_transposed(&R, a);
}

static cn_quat quat_of(const double turn[4])
{
    bool is_none = turn[0] == 0.0 && turn[1] == 0.0 && turn[2] == 0.0 && turn[3] == 0.0;
    return (cn_quat){is_none ? 1.0 : turn[0], turn[1], turn[2], turn[3]};
}

static void write_quat(cn_quat q, double turn[4])
{
    memcpy(turn, (double[]){q.w, q.x, q.y, q.z}, 4 * sizeof *turn);
}

static void write_vec(cn_vec3 a, double to[3])
{
    memcpy(to, (double[]){a.x, a.y, a.z}, 3 * sizeof *to);
}

// Local z of a solid lies along local x of a capsule and along local y of a half-plane.
static cn_quat axis_of(cn_shape_kind kind)
{
    const double s = sqrt(0.5);
    switch (kind) {
    case CN_SHAPE_CAPSULE:
        return (cn_quat){s, 0.0, s, 0.0};
    case CN_SHAPE_HALF_PLANE:
        return (cn_quat){s, -s, 0.0, 0.0};
    default:
        return (cn_quat){1.0, 0.0, 0.0, 0.0};
    }
}

static cn_solid_def solid_of(const cn_shape_def *shape, double depth, double *point)
{
    static const cn_solid_kind kind[CN_SHAPE_KIND_COUNT] = {
        [CN_SHAPE_DISK] = CN_SOLID_SPHERE,
        [CN_SHAPE_CAPSULE] = CN_SOLID_CAPSULE,
        [CN_SHAPE_POLYGON] = CN_SOLID_HULL,
        [CN_SHAPE_HALF_PLANE] = CN_SOLID_HALF_SPACE,
    };
    cn_solid_def solid = {.kind = kind[shape->kind],
                          .radius = shape->radius,
                          .length = shape->length,
                          .point_count = 2 * shape->vertex_count,
                          .point = point,
                          .at = {shape->at[0], shape->at[1], shape->at[2]}};
    for (int n = 0; n < 2 * shape->vertex_count; n++) {
        const double *vertex = shape->vertex + 2 * (n / 2);
        write_vec(cn_v3(vertex[0], vertex[1], (n % 2 - 0.5) * depth), point + 3 * n);
    }
    write_quat(cn_quat_mul(about_z(shape->angle), axis_of(shape->kind)), solid.rotation);
    return solid;
}

// Shapes as solids, kept in `room`; the angle as a rotation.
static void enter_space(const cn_place *place, const cn_body_def *def, cn_placed *room,
                        cn_body_def *body)
{
    int shapes = def->type == CN_BODY_SHAPES ? def->shapes.count : 0;
    for (int k = 0; k < shapes && k < CN_PLACED_SHAPE_MAX; k++) {
        room->solid[k] = solid_of(&def->shapes.item[k], place->depth, room->point[k]);
    }
    if (def->type == CN_BODY_SHAPES) {
        body->type = CN_BODY_SOLIDS;
        body->solids = (cn_solid_parts){shapes, room->solid};
    }
    cn_quat turn = cn_quat_mul(about_z(def->angle), quat_of(def->rotation));
    write_quat(cn_quat_mul(place->turn, turn), body->rotation);
    write_vec(cn_place_out(place, cn_v3(def->angular_velocity[0], def->angular_velocity[1],
                                        def->angular_velocity[2])),
              body->angular_velocity);
    bool is_round = def->inertia[0] == 0.0; // of the plane, given about z alone
    for (int k = 0; k < 2 && is_round; k++) {
        body->inertia[k] = def->inertia[2];
    }
    body->angle = 0.0;
}

cn_body_def cn_place_body(const cn_place *place, const cn_body_def *def, cn_placed *room)
{
    cn_body_def body = *def;
    write_vec(cn_place_out(place, cn_v3(def->at[0], def->at[1], def->at[2])), body.at);
    write_vec(cn_place_out(place, cn_v3(def->velocity[0], def->velocity[1], def->velocity[2])),
              body.velocity);
    if (place->dim == 3) {
        enter_space(place, def, room, &body);
    } else {
        body.angle += angle_about_z(place->turn);
    }
    return body;
}

cn_body_state cn_place_state(const cn_place *place, cn_body_state s)
{
    write_vec(cn_place_back(place, cn_v3(s.position[0], s.position[1], s.position[2])), s.position);
    write_vec(cn_place_back(place, cn_v3(s.velocity[0], s.velocity[1], s.velocity[2])), s.velocity);
    if (place->dim == 2) {
        s.angle -= angle_about_z(place->turn);
        return s;
    }
    write_vec(cn_place_back(place, cn_v3(s.angular_velocity[0], s.angular_velocity[1],
                                         s.angular_velocity[2])),
              s.angular_velocity);
    cn_quat p = place->turn, back = {p.w, -p.x, -p.y, -p.z};
    cn_quat turn = cn_quat_mul(back, quat_of(s.rotation));
    write_quat(turn, s.rotation);
    s.angle = angle_about_z(turn);
    return s;
}
