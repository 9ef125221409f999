// geometry/plane/table.c -- the kinds of shapes, and what is the same for all of them: placement in
// the frame of the body, boxes, clusters.
#include "geometry/plane/shape_kind.h"

static const cn_shape_ops *const OPS[CN_SHAPE_KIND_COUNT] = {
    [CN_SHAPE_DISK] = &cn_disk_ops,
    [CN_SHAPE_CAPSULE] = &cn_capsule_ops,
    [CN_SHAPE_POLYGON] = &cn_polygon_ops,
    [CN_SHAPE_HOLLOW_DISK] = &cn_hollow_disk_ops,
    [CN_SHAPE_HALF_PLANE] = &cn_half_plane_ops,
};

static bool is_kind(cn_shape_kind kind)
{
    return (int)kind >= 0 && kind < CN_SHAPE_KIND_COUNT;
}

const cn_shape_ops *cn_shape_ops_of(cn_shape_kind kind)
{
    return OPS[kind];
}

const char *cn_shape_kind_name(cn_shape_kind kind)
{
    return is_kind(kind) ? OPS[kind]->name : "unknown shape";
}

cn_status cn_length_check(const char *shape, const char *what, double length, cn_error *err)
{
    if (!(length > 0.0) || !isfinite(length)) {
        return cn_fail(err, CN_BAD_INPUT, "the %s of a %s must be > 0 m and finite, got %g", what,
                       shape, length);
    }
    return CN_OK;
}

cn_status cn_shape_measure(const cn_shape_def *def, cn_shape_mass *mass, cn_error *err)
{
    CN_NEED(err, def, mass);
    if (!is_kind(def->kind)) {
        return cn_fail(err, CN_BAD_INPUT, "there is no shape of kind %d", (int)def->kind);
    }
    if (!isfinite(def->at[0]) || !isfinite(def->at[1]) || !isfinite(def->angle)) {
        return cn_fail(err, CN_BAD_INPUT, "a %s is placed at (%g, %g), angle %g: not finite",
                       OPS[def->kind]->name, def->at[0], def->at[1], def->angle);
    }
    cn_shape_mass found = {0};
    CN_TRY(OPS[def->kind]->measure(def, &found, err));
    if (!OPS[def->kind]->is_unbounded && !(found.inertia > 0.0 && isfinite(found.inertia))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s of area %g m2 has inertia %g m4: too small or too large to compute",
                       OPS[def->kind]->name, found.area, found.inertia);
    }
    *mass = found;
    return CN_OK;
}

static void add_shape(const cn_shape_def *def, const cn_shape_mass *mass, cn_shape_mass *total)
{
    cn_vec2 local = cn_v2(mass->centre[0], mass->centre[1]);
    cn_vec2 turned = cn_turn2(local, cos(def->angle), sin(def->angle));
    cn_vec2 centre = cn_add2(cn_v2(def->at[0], def->at[1]), turned);
    if (mass->area > 0.0) {
        // Parallel axes between the two centres: the area that counts is the reduced one.
        double area = total->area + mass->area;
        cn_vec2 apart = cn_sub2(centre, cn_v2(total->centre[0], total->centre[1]));
        double reduced = total->area * (mass->area / area);
        total->inertia += mass->inertia + reduced * cn_dot2(apart, apart);
        total->centre[0] += mass->area / area * apart.x;
        total->centre[1] += mass->area / area * apart.y;
        total->area = area;
    }
    total->size = fmin(total->size, mass->size);
}

cn_status cn_shapes_measure(const cn_shape_def *def, int count, cn_shape_mass *total, cn_error *err)
{
    cn_shape_mass sum = {.size = INFINITY};
    for (int k = 0; k < count; k++) {
        cn_shape_mass mass = {0};
        cn_error inner = {0};
        cn_status status = cn_shape_measure(&def[k], &mass, &inner);
        if (status != CN_OK) {
            return count == 1 ? cn_fail(err, status, "%s", inner.text)
                              : cn_fail(err, status, "shape %d: %s", k, inner.text);
        }
        add_shape(&def[k], &mass, &sum);
    }
    *total = sum;
    return CN_OK;
}

void cn_box_vertices(double width, double height, double vertex[8])
{
    if (vertex == NULL) {
        return;
    }
    double x = 0.5 * width, y = 0.5 * height;
    const double corner[8] = {-x, -y, x, -y, x, y, -x, y};
    for (int k = 0; k < 8; k++) {
        vertex[k] = corner[k];
    }
}

int cn_shape_vertex_count(const cn_shape_def *def)
{
    return OPS[def->kind]->vertex_count(def);
}

void cn_shape_place(const cn_shape_def *def, cn_vec2 centre, cn_vec2 *vertex, cn_vec2 *normal,
                    cn_shape *shape)
{
    shape->kind = def->kind;
    shape->vertex_count = cn_shape_vertex_count(def);
    shape->vertex = vertex;
    shape->normal = normal;
    shape->radius = shape->thickness = 0.0;
    OPS[def->kind]->skeleton(def, vertex, normal, shape);
    cn_vec2 at = cn_sub2(cn_v2(def->at[0], def->at[1]), centre);
    double c = cos(def->angle), s = sin(def->angle), farthest = 0.0;
    for (int k = 0; k < shape->vertex_count; k++) {
        vertex[k] = cn_add2(at, cn_turn2(vertex[k], c, s));
        normal[k] = cn_turn2(normal[k], c, s);
        farthest = fmax(farthest, cn_norm2(vertex[k]));
    }
    bool has_end = !OPS[def->kind]->is_unbounded;
    shape->reach = has_end ? farthest + shape->radius + shape->thickness : INFINITY;
}

cn_skeleton cn_skeleton_of(const cn_shape_def *def)
{
    cn_skeleton s = {.ops = OPS[def->kind], .count = cn_shape_vertex_count(def)};
    if (s.ops->has_vertices) {
        s.named = def->vertex;
        return s;
    }
    cn_shape shape = {0};
    cn_vec2 normal[2];
    s.ops->skeleton(def, s.own, normal, &shape);
    s.radius = shape.radius;
    s.thickness = shape.thickness;
    return s;
}

cn_box2 cn_posed_box(const cn_posed *p)
{
    if (OPS[p->shape->kind]->is_unbounded) {
        return (cn_box2){{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    }
    cn_vec2 lo = cn_posed_vertex(p, 0), hi = lo;
    for (int k = 1; k < p->shape->vertex_count; k++) {
        cn_vec2 v = cn_posed_vertex(p, k);
        lo = cn_v2(v.x < lo.x ? v.x : lo.x, v.y < lo.y ? v.y : lo.y);
        hi = cn_v2(v.x > hi.x ? v.x : hi.x, v.y > hi.y ? v.y : hi.y);
    }
    double margin = p->shape->radius + p->shape->thickness;
    return (cn_box2){{lo.x - margin, lo.y - margin}, {hi.x + margin, hi.y + margin}};
}
