// audit/overlap/overlap_region.c -- shapes, solids and meshes placed in the world, and how deep a
// point is in each of them, by its own formula (9.11).
#include <string.h>

#include "audit/overlap/overlap.h"
#include "body/deformable/deformables.h"
#include "geometry/space/solid_kind.h"

// A frame in the world: of a body, or of a shape on it.
typedef struct frame {
    cn_vec3 x;
    cn_mat3 R;
} frame;

static cn_vec3 point_in(const frame *f, cn_vec3 local)
{
    return cn_add3(f->x, cn_mat3_mul(&f->R, local));
}

// The frame of a shape in the plane: turned about z.
static frame shape_frame(const cn_shape_def *def, const cn_body_pose *body)
{
    frame own = {body->x, body->R};
    double c = cos(def->angle), s = sin(def->angle);
    own.x = point_in(&own, cn_v3(def->at[0], def->at[1], 0.0));
    cn_mat3 turn = {{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
    for (int k = 0; k < 3; k++) {
        own.R.row[k] = cn_mat3_mul_transposed(&turn, body->R.row[k]);
    }
    return own;
}

static frame solid_frame(const cn_solid_def *def, const cn_body_pose *body)
{
    frame own = {body->x, body->R};
    own.x = point_in(&own, cn_v3(def->at[0], def->at[1], def->at[2]));
    cn_mat3 turn = cn_quat_matrix(
        (cn_quat){def->rotation[0], def->rotation[1], def->rotation[2], def->rotation[3]});
    for (int k = 0; k < 3; k++) {
        own.R.row[k] = cn_mat3_mul_transposed(&turn, body->R.row[k]);
    }
    return own;
}

// Ends of a shape of this half length along an axis of its frame.
static void set_ends(cn_region *r, const frame *f, cn_vec3 axis, double half)
{
    r->axis = cn_mat3_mul(&f->R, axis);
    r->end[0] = cn_add_mul3(f->x, -half, r->axis);
    r->end[1] = cn_add_mul3(f->x, half, r->axis);
}

static cn_status place_hull(const cn_hooks *hooks, const frame *f, int count, const double *point,
                            cn_region *r, cn_error *err)
{
    size_t room = 0;
    CN_TRY(cn_reserve(hooks, &r->hull.corner, &room, (size_t)count, err));
    r->hull.corner_count = count;
    for (int k = 0; k < count; k++) {
        const double *p = point + r->dim * k;
        r->hull.corner[k] = point_in(f, cn_v3(p[0], p[1], r->dim == 3 ? p[2] : 0.0));
    }
    return cn_deep_hull_wrap(hooks, r->dim, &r->hull, err);
}

static cn_status place_surface(const cn_hooks *hooks, const frame *f, const cn_solid_def *def,
                               cn_region *r, cn_error *err)
{
    cn_vec3 *point = NULL;
    size_t room = 0;
    CN_TRY(cn_reserve(hooks, &point, &room, (size_t)def->point_count, err));
    for (int k = 0; k < def->point_count; k++) {
        const double *p = def->point + 3 * k;
        point[k] = point_in(f, cn_v3(p[0], p[1], p[2]));
    }
    cn_status status = cn_deep_skin_of_surface(hooks, def->point_count, point, &r->skin, err);
    cn_release(hooks, point);
    return status;
}

static cn_status place_shape(const cn_hooks *hooks, const cn_shape_def *def,
                             const cn_body_pose *body, cn_region *r, cn_error *err)
{
    static const cn_region_kind kind[CN_SHAPE_KIND_COUNT] = {
        [CN_SHAPE_DISK] = CN_REGION_ROUND,      [CN_SHAPE_CAPSULE] = CN_REGION_ROUND,
        [CN_SHAPE_POLYGON] = CN_REGION_HULL,    [CN_SHAPE_HOLLOW_DISK] = CN_REGION_SHELL,
        [CN_SHAPE_HALF_PLANE] = CN_REGION_HALF,
    };
    frame f = shape_frame(def, body);
    r->kind = kind[def->kind];
    r->radius = def->radius;
    r->thickness = r->kind == CN_REGION_SHELL ? def->thickness : 0.0;
    bool is_long = def->kind == CN_SHAPE_CAPSULE, is_half = def->kind == CN_SHAPE_HALF_PLANE;
    set_ends(r, &f, is_half ? cn_v3(0.0, 1.0, 0.0) : cn_v3(1.0, 0.0, 0.0),
             is_long ? 0.5 * def->length : 0.0);
    return r->kind == CN_REGION_HULL ? place_hull(hooks, &f, def->vertex_count, def->vertex, r, err)
                                     : CN_OK;
}

static cn_status place_solid(const cn_hooks *hooks, const cn_solid_def *def,
                             const cn_body_pose *body, cn_region *r, cn_error *err)
{
    static const cn_region_kind kind[CN_SOLID_KIND_COUNT] = {
        [CN_SOLID_SPHERE] = CN_REGION_ROUND,
        [CN_SOLID_CAPSULE] = CN_REGION_ROUND,
        [CN_SOLID_HULL] = CN_REGION_HULL,
        [CN_SOLID_HALF_SPACE] = CN_REGION_HALF,
        [CN_SOLID_CYLINDER] = CN_REGION_CYLINDER,
        [CN_SOLID_HOLLOW_SPHERE] = CN_REGION_SHELL,
        [CN_SOLID_HOLLOW_CYLINDER] = CN_REGION_TUBE,
        [CN_SOLID_SURFACE] = CN_REGION_SKIN,
    };
    frame f = solid_frame(def, body);
    r->kind = kind[def->kind];
    r->def = def;
    r->R = f.R;
    r->radius = def->radius;
    bool is_hollow = r->kind == CN_REGION_SHELL || r->kind == CN_REGION_TUBE;
    r->thickness = is_hollow ? def->thickness : 0.0;
    r->ends = def->ends;
    bool is_long =
        def->kind == CN_SOLID_CAPSULE || r->kind == CN_REGION_CYLINDER || r->kind == CN_REGION_TUBE;
    set_ends(r, &f, cn_v3(0.0, 0.0, 1.0), is_long ? 0.5 * def->length : 0.0);
    if (r->kind == CN_REGION_HULL) {
        return place_hull(hooks, &f, def->point_count, def->point, r, err);
    }
    return r->kind == CN_REGION_SKIN ? place_surface(hooks, &f, def, r, err) : CN_OK;
}

// ---- boxes

// A box around the ends, grown by what surrounds them.
static void box_ends(cn_region *r, double by)
{
    cn_vec3 all = cn_v3(by, by, r->dim == 3 ? by : 0.0);
    for (int k = 0; k < 2; k++) {
        cn_deep_box_add(&r->box, cn_sub3(r->end[k], all));
        cn_deep_box_add(&r->box, cn_add3(r->end[k], all));
    }
}

static void set_box(cn_region *r)
{
    r->box = cn_deep_no_box;
    switch (r->kind) {
    case CN_REGION_SOLID:
        for (int k = 0; k < 6; k++) {
            cn_vec3 n = {0.0, 0.0, 0.0};
            (&n.x)[k / 2] = k % 2 == 0 ? 1.0 : -1.0;
            cn_deep_box_add(&r->box, cn_region_farthest(r, n));
        }
        break;
    case CN_REGION_ROUND:
        box_ends(r, r->radius);
        break;
    case CN_REGION_HALF:
        box_ends(r, INFINITY);
        break;
    case CN_REGION_SHELL:
        box_ends(r, r->radius + r->thickness);
        break;
    case CN_REGION_CYLINDER:
    case CN_REGION_TUBE:
        box_ends(r, r->radius + 2.0 * r->thickness); // closed ends and side, whatever the direction
        break;
    case CN_REGION_HULL:
        for (int k = 0; k < r->hull.corner_count; k++) {
            cn_deep_box_add(&r->box, r->hull.corner[k]);
        }
        break;
    case CN_REGION_SKIN:
        for (int k = 0; k < r->skin.vertex_count; k++) {
            cn_deep_box_add(&r->box, r->skin.vertex[k]);
        }
        break;
    }
    r->centre = cn_mul3(0.5, cn_add3(r->box.lo, r->box.hi));
    r->reach = cn_norm3(cn_sub3(r->box.hi, r->centre));
    if (r->kind == CN_REGION_ROUND || r->kind == CN_REGION_SHELL) {
        double half = 0.5 * cn_norm3(cn_sub3(r->end[1], r->end[0]));
        r->reach = half + r->radius + r->thickness;
    }
}

cn_status cn_region_place(const cn_bodies *b, const double *q, int s, cn_region *region,
                          cn_error *err)
{
    int slot = cn_shape_body(b, s);
    cn_body_pose body = b->kind->pose(cn_body_q(b, q, slot));
    *region = (cn_region){.dim = b->dim, .slot = slot, .size = cn_shape_size(b, s)};
    CN_TRY(b->dim == 2 ? place_shape(b->hooks, &b->shape_def[s], &body, region, err)
                       : place_solid(b->hooks, &b->solid_def[s], &body, region, err));
    set_box(region);
    return CN_OK;
}

cn_status cn_region_place_mesh(const cn_bodies *b, const double *x, int k, cn_region *region,
                               cn_error *err)
{
    const cn_deformables *m = b->deformables;
    const cn_model *model = cn_deformable_model(m, k);
    *region = (cn_region){.kind = CN_REGION_SKIN, .dim = b->dim, .slot = m->body[k].slot};
    CN_TRY(cn_deep_skin_of_mesh(b->hooks, model->mesh, x, &region->skin, err));
    region->size = fmin(model->size, region->skin.thickness);
    region->skin.is_mid_face = m->body[k].is_mid_face;
    set_box(region);
    return CN_OK;
}

void cn_region_free(const cn_hooks *hooks, cn_region *region)
{
    cn_deep_hull_free(hooks, &region->hull);
    cn_deep_skin_free(hooks, &region->skin);
}

// ---- depths

static double depth_in_round(const cn_region *r, cn_vec3 p)
{
    cn_vec3 e = cn_sub3(r->end[1], r->end[0]), d = cn_sub3(p, r->end[0]);
    double length2 = cn_dot3(e, e);
    double s = length2 > 0.0 ? cn_deep_min(cn_deep_max(cn_dot3(d, e) / length2, 0.0), 1.0) : 0.0;
    return r->radius - cn_norm3(cn_add_mul3(d, -s, e));
}

static double depth_in_shell(const cn_region *r, cn_vec3 p)
{
    double from = cn_norm3(cn_sub3(p, r->end[0])) - r->radius;
    return cn_deep_min(from, r->thickness - from);
}

static double depth_in_hull(const cn_deep_hull *hull, cn_vec3 p)
{
    double least = INFINITY;
    for (int k = 0; k < hull->plane_count; k++) {
        least = cn_deep_min(least, hull->plane[k].offset - cn_dot3(hull->plane[k].normal, p));
    }
    return least;
}

// In a rectangle of the half-plane of radius and height: how far inside along each, or outside.
static double depth_in_rectangle(double across, double along)
{
    return across >= 0.0 && along >= 0.0
               ? cn_deep_min(across, along)
               : -hypot(cn_deep_min(across, 0.0), cn_deep_min(along, 0.0));
}

// Height above the middle, and distance from the axis, of a point.
static double place_along(const cn_region *r, cn_vec3 p, double *radial, double *half)
{
    cn_vec3 d = cn_sub3(p, cn_mul3(0.5, cn_add3(r->end[0], r->end[1])));
    double along = cn_dot3(d, r->axis);
    *radial = cn_norm3(cn_add_mul3(d, -along, r->axis));
    *half = 0.5 * cn_norm3(cn_sub3(r->end[1], r->end[0]));
    return along;
}

static double depth_in_cylinder(const cn_region *r, cn_vec3 p)
{
    double radial, half, along = place_along(r, p, &radial, &half);
    return depth_in_rectangle(r->radius - radial, half - fabs(along));
}

// The wall, and the plates of closed ends, which the wall goes around.
static double depth_in_tube(const cn_region *r, cn_vec3 p)
{
    double radial, half, along = place_along(r, p, &radial, &half);
    double t = r->thickness, outer = r->radius + t - radial;
    double low = half + ((r->ends & 1u) != 0 ? t : 0.0);
    double high = half + ((r->ends & 2u) != 0 ? t : 0.0);
    double depth = depth_in_rectangle(cn_deep_min(radial - r->radius, outer),
                                      cn_deep_min(along + low, high - along));
    for (unsigned k = 0; k < 2; k++) {
        double beyond = (k == 0 ? -along : along) - half;
        if ((r->ends & 1u << k) != 0) {
            depth = cn_deep_max(depth, depth_in_rectangle(outer, cn_deep_min(beyond, t - beyond)));
        }
    }
    return depth;
}

cn_vec3 cn_region_farthest(const cn_region *r, cn_vec3 n)
{
    cn_vec3 local = cn_mat3_mul_transposed(&r->R, n);
    frame f = {r->end[0], r->R};
    return point_in(&f, cn_solid_ops_of(r->def->kind)->farthest(r->def, local));
}

cn_vec3 cn_region_surface(const cn_region *r, cn_vec3 direction)
{
    frame f = {r->end[0], r->R};
    return point_in(&f, cn_solid_ops_of(r->def->kind)->surface(r->def, direction));
}

static double depth_in_solid(const cn_region *r, cn_vec3 p)
{
    cn_vec3 local = cn_mat3_mul_transposed(&r->R, cn_sub3(p, r->end[0]));
    return cn_solid_ops_of(r->def->kind)->depth(r->def, local);
}

double cn_region_depth(const cn_region *region, cn_vec3 p, double worth, cn_deep_sag *sag)
{
    *sag = (cn_deep_sag){0.0, 0.0};
    switch (region->kind) {
    case CN_REGION_SOLID:
        return depth_in_solid(region, p);
    case CN_REGION_ROUND:
        return depth_in_round(region, p);
    case CN_REGION_SHELL:
        return depth_in_shell(region, p);
    case CN_REGION_HALF:
        return cn_dot3(region->axis, cn_sub3(region->end[0], p));
    case CN_REGION_HULL:
        return depth_in_hull(&region->hull, p);
    case CN_REGION_CYLINDER:
        return depth_in_cylinder(region, p);
    case CN_REGION_TUBE:
        return depth_in_tube(region, p);
    default:
        return cn_deep_skin_depth(&region->skin, p, worth, sag);
    }
}
