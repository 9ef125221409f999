// scene/make/make_shapes.c -- shapes of the file as shapes of the library, in the plane. One shape
// of the language may be several of those: a hollow box is four walls.
#include <math.h>
#include <string.h>

#include "scene/make/make_bodies.h"

static bool set_box(cn_reading *r, double width, double height, double x, double y,
                    cn_shape_def *shape)
{
    double *vertex = cn_reading_take(r, 8, sizeof *vertex);
    if (vertex == NULL) {
        return false;
    }
    cn_box_vertices(width, height, vertex);
    *shape = (cn_shape_def){
        .kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = vertex, .at = {x, y, 0.0}};
    return true;
}

double cn_thickness_of(cn_reading *r, const cn_value *v, double length)
{
    double t = cn_value_number(v, "thickness");
    if (isnan(t)) {
        t = 0.1 * length;
        cn_value_put(r, v, "thickness", t);
    }
    return t;
}

// Floor and ceiling as wide as the outside, side walls between them.
static bool set_hollow_box(cn_reading *r, const cn_value *v, cn_shape_def *shape)
{
    double size[3] = {0.0};
    cn_value_point(v, "size", size);
    double t = cn_thickness_of(r, v, fmin(size[0], size[1]));
    double x = 0.5 * (size[0] + t), y = 0.5 * (size[1] + t);
    return set_box(r, size[0] + 2.0 * t, t, 0.0, -y, &shape[0]) &&
           set_box(r, size[0] + 2.0 * t, t, 0.0, y, &shape[1]) &&
           set_box(r, t, size[1], -x, 0.0, &shape[2]) && set_box(r, t, size[1], x, 0.0, &shape[3]);
}

static bool set_polygon(cn_reading *r, const cn_value *v, cn_shape_def *shape)
{
    const cn_value *points = cn_value_get(v, "vertices");
    double *vertex = cn_reading_take(r, 2 * (size_t)points->count, sizeof *vertex);
    if (vertex == NULL) {
        return false;
    }
    for (int k = 0; k < points->count; k++) {
        vertex[2 * k] = points->item[k]->item[0]->number;
        vertex[2 * k + 1] = points->item[k]->item[1]->number;
    }
    *shape =
        (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = points->count, .vertex = vertex};
    return true;
}

static cn_shape_kind kind_of(const char *name)
{
    int kind = 0;
    while (kind + 1 < CN_SHAPE_KIND_COUNT &&
           strcmp(cn_shape_kind_name((cn_shape_kind)kind), name) != 0) {
        kind++;
    }
    return (cn_shape_kind)kind;
}

// A shape of the library: its keys have the names of the members of its definition.
static cn_shape_def shape_of(cn_reading *r, const char *name, const cn_value *v)
{
    cn_shape_def shape = {.kind = kind_of(name)};
    const cn_value *radius = cn_value_get(v, "radius"), *length = cn_value_get(v, "length");
    shape.radius = radius != NULL ? radius->number : 0.0;
    shape.length = length != NULL ? length->number : 0.0;
    if (strncmp(name, "hollow", 6) == 0) {
        shape.thickness = cn_thickness_of(r, v, shape.radius);
    }
    return shape;
}

// Fills shape[0..3] in the frame of the shape; *count of them.
static bool set_shape(cn_reading *r, const char *name, const cn_value *v, cn_shape_def *shape,
                      int *count)
{
    double size[3] = {0.0};
    *count = 1;
    if (strcmp(name, "box") == 0) {
        cn_value_point(v, "size", size);
        return set_box(r, size[0], size[1], 0.0, 0.0, shape);
    }
    if (strcmp(name, "hollow_box") == 0) {
        *count = 4;
        return set_hollow_box(r, v, shape);
    }
    if (strcmp(name, "polygon") == 0) {
        return set_polygon(r, v, shape);
    }
    *shape = shape_of(r, name, v);
    return true;
}

bool cn_parts_of(cn_reading *r, const cn_value *shape, const cn_pose *pose, cn_parts *parts)
{
    if (r->dim == 3) {
        return cn_solids_of(r, shape, pose, parts);
    }
    cn_shape_def *made = cn_reading_take(r, CN_PARTS_PER_SHAPE, sizeof *made);
    *parts = (cn_parts){.shape = made};
    if (made == NULL || !set_shape(r, shape->name[0], shape->item[0], made, &parts->count)) {
        return false;
    }
    double c = cos(pose->angle), s = sin(pose->angle);
    for (int k = 0; k < parts->count; k++) {
        cn_vec2 moved = cn_turn2(cn_v2(made[k].at[0], made[k].at[1]), c, s);
        made[k].at[0] = pose->at[0] + moved.x;
        made[k].at[1] = pose->at[1] + moved.y;
        made[k].angle = pose->angle;
    }
    return true;
}
