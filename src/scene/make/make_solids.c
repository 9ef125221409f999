// scene/make/make_solids.c -- shapes of the file as solids of the library, in space; orientations.
#include <math.h>
#include <string.h>

#include "scene/make/make_bodies.h"

// Accepted error of the length of a quaternion: what rounding to four digits leaves [-].
static const double UNIT = 1e-3;

// ---- orientations

cn_vec3 cn_axis_of(cn_reading *r, const cn_value *map, const char *name)
{
    const cn_value *value = cn_value_get(map, name);
    double x[3] = {0.0, 0.0, value == NULL ? 1.0 : 0.0};
    cn_value_point(map, name, x);
    double most = fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
    if (!(most > 0.0)) {
        cn_complain(r->report, value->at, "%s has no direction: all its numbers are 0", name);
        return cn_v3(0.0, 0.0, 1.0);
    }
    cn_vec3 scaled = cn_v3(x[0] / most, x[1] / most, x[2] / most);
    return cn_mul3(1.0 / cn_norm3(scaled), scaled);
}

static cn_quat quaternion_of(cn_reading *r, const cn_value *value)
{
    const cn_quat none = {1.0, 0.0, 0.0, 0.0};
    if (value->count != 4) {
        cn_complain(r->report, value->at, "a quaternion is four numbers [w, x, y, z], got %d",
                    value->count);
        return none;
    }
    cn_quat q = {value->item[0]->number, value->item[1]->number, value->item[2]->number,
                 value->item[3]->number};
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(fabs(length - 1.0) <= UNIT)) {
        cn_complain(r->report, value->at,
                    "a quaternion [w, x, y, z] has length 1, this one has %g; {axis: [x, y, z], "
                    "angle: a} is the other way to say a rotation",
                    length);
        return none;
    }
    return cn_quat_unit(q);
}

static cn_quat turn_of(cn_reading *r, const cn_value *turn)
{
    const cn_value *quaternion = cn_value_get(turn, "quaternion");
    const cn_value *angle = cn_value_get(turn, "angle");
    if ((quaternion == NULL) == (angle == NULL)) {
        cn_complain(
            r->report, turn->at,
            "a rotation is either {axis: [x, y, z], angle: a} or a quaternion [w, x, y, z]");
        return (cn_quat){1.0, 0.0, 0.0, 0.0};
    }
    if (quaternion != NULL) {
        return quaternion_of(r, quaternion);
    }
    cn_vec3 axis = cn_axis_of(r, turn, "axis");
    double c = cos(0.5 * angle->number), s = sin(0.5 * angle->number);
    return cn_quat_unit((cn_quat){c, s * axis.x, s * axis.y, s * axis.z});
}

// The shortest turn that takes z to a unit vector.
static cn_quat turn_to(cn_vec3 axis)
{
    if (axis.z <= -1.0 + 1e-12) {
        return (cn_quat){0.0, 1.0, 0.0, 0.0};
    }
    return cn_quat_unit((cn_quat){1.0 + axis.z, -axis.y, axis.x, 0.0});
}

cn_pose cn_pose_of(cn_reading *r, const cn_value *map)
{
    cn_pose pose = CN_POSE_NONE;
    const cn_value *rotation = cn_value_get(map, "rotation");
    cn_value_point(map, "at", pose.at);
    if (rotation != NULL && r->dim == 2) {
        pose.angle = rotation->number;
    } else if (rotation != NULL) {
        pose.turn = turn_of(r, rotation);
    }
    const cn_value *axis = cn_value_get(map, "axis");
    if (axis != NULL && rotation != NULL) {
        cn_complain(r->report, axis->at, "give either an axis or a rotation, not both");
    } else if (axis != NULL) {
        pose.turn = turn_to(cn_axis_of(r, map, "axis"));
    }
    return pose;
}

// ---- solids

static bool set_block(cn_reading *r, const double side[3], double x, double y, double z,
                      cn_solid_def *solid)
{
    double *point = cn_reading_take(r, 24, sizeof *point);
    if (point == NULL) {
        return false;
    }
    cn_box_corners(side[0], side[1], side[2], point);
    *solid =
        (cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 8, .point = point, .at = {x, y, z}};
    return true;
}

// Floor and ceiling cover all, walls along x reach between the walls along y.
static bool set_hollow_box(cn_reading *r, const cn_value *v, cn_solid_def *solid)
{
    double s[3] = {0.0};
    cn_value_point(v, "size", s);
    double t = cn_thickness_of(r, v, fmin(s[0], fmin(s[1], s[2])));
    const double level[3] = {s[0] + 2.0 * t, s[1] + 2.0 * t, t};
    const double along_x[3] = {s[0] + 2.0 * t, t, s[2]}, along_y[3] = {t, s[1], s[2]};
    double x = 0.5 * (s[0] + t), y = 0.5 * (s[1] + t), z = 0.5 * (s[2] + t);
    return set_block(r, level, 0.0, 0.0, -z, &solid[0]) &&
           set_block(r, level, 0.0, 0.0, z, &solid[1]) &&
           set_block(r, along_x, 0.0, -y, 0.0, &solid[2]) &&
           set_block(r, along_x, 0.0, y, 0.0, &solid[3]) &&
           set_block(r, along_y, -x, 0.0, 0.0, &solid[4]) &&
           set_block(r, along_y, x, 0.0, 0.0, &solid[5]);
}

static bool set_polyhedron(cn_reading *r, const cn_value *v, cn_solid_def *solid)
{
    const cn_value *vertices = cn_value_get(v, "vertices");
    double *point = cn_reading_take(r, 3 * (size_t)vertices->count, sizeof *point);
    if (point == NULL) {
        return false;
    }
    for (int k = 0; k < vertices->count; k++) {
        for (int d = 0; d < 3; d++) {
            point[3 * k + d] = vertices->item[k]->item[d]->number;
        }
    }
    *solid = (cn_solid_def){.kind = CN_SOLID_HULL, .point_count = vertices->count, .point = point};
    return true;
}

static cn_solid_kind kind_of(const char *name)
{
    int kind = 0;
    while (kind + 1 < CN_SOLID_KIND_COUNT &&
           strcmp(cn_solid_kind_name((cn_solid_kind)kind), name) != 0) {
        kind++;
    }
    return (cn_solid_kind)kind;
}

// A solid of the library: its keys have the names of the members of its definition.
static cn_solid_def solid_of(cn_reading *r, const char *name, const cn_value *v)
{
    cn_solid_def solid = {.kind = kind_of(name)};
    const cn_value *radius = cn_value_get(v, "radius"), *length = cn_value_get(v, "length");
    const cn_value *ends = cn_value_get(v, "ends");
    cn_value_point(v, "size", solid.size);
    solid.radius = radius != NULL ? radius->number : 0.0;
    solid.length = length != NULL ? length->number : 0.0;
    solid.ends = ends != NULL ? (unsigned)ends->number : 0u;
    if (strncmp(name, "hollow", 6) == 0) {
        solid.thickness = cn_thickness_of(r, v, solid.radius);
    }
    return solid;
}

// Fills solids in the frame of the shape; *count of them.
static bool set_solids(cn_reading *r, const char *name, const cn_value *v, cn_solid_def *solid,
                       int *count)
{
    *count = 1;
    if (strcmp(name, "box") == 0 || strcmp(name, "plate") == 0) {
        double side[3] = {0.0, 0.0, name[0] == 'p' ? cn_value_number(v, "thickness") : 0.0};
        cn_value_point(v, "size", side);
        return set_block(r, side, 0.0, 0.0, 0.0, solid);
    }
    if (strcmp(name, "hollow_box") == 0) {
        *count = 6;
        return set_hollow_box(r, v, solid);
    }
    if (strcmp(name, "polyhedron") == 0) {
        return set_polyhedron(r, v, solid);
    }
    *solid = solid_of(r, name, v);
    return true;
}

bool cn_solids_of(cn_reading *r, const cn_value *shape, const cn_pose *pose, cn_parts *parts)
{
    cn_solid_list made = {0, NULL};
    if (strcmp(shape->name[0], "mesh") == 0) {
        if (!cn_surface_solids(r, shape->item[0], &made)) {
            return false;
        }
    } else {
        cn_solid_def part[CN_PARTS_PER_SHAPE] = {0};
        if (!set_solids(r, shape->name[0], shape->item[0], part, &made.count)) {
            return false;
        }
        made.solid = cn_reading_take(r, (size_t)made.count, sizeof *made.solid);
        if (made.solid == NULL) {
            return false;
        }
        memcpy(made.solid, part, (size_t)made.count * sizeof *part);
    }
    *parts = (cn_parts){.solid = made.solid, .count = made.count};
    cn_mat3 R = cn_quat_matrix(pose->turn);
    const double turn[4] = {pose->turn.w, pose->turn.x, pose->turn.y, pose->turn.z};
    for (int k = 0; k < made.count; k++) {
        double *at = made.solid[k].at;
        cn_vec3 moved = cn_mat3_mul(&R, cn_v3(at[0], at[1], at[2]));
        at[0] = pose->at[0] + moved.x;
        at[1] = pose->at[1] + moved.y;
        at[2] = pose->at[2] + moved.z;
        memcpy(made.solid[k].rotation, turn, sizeof turn);
    }
    return true;
}
