// detect/skin/pseudo_rigid_points.c -- pseudo-rigid polyhedra in space, theory 11.30.
//
// They meet rigid shapes and each other as rigid polyhedra would: the same narrow phase, asked with
// corners where the affine motion has taken them, finds faces, edges and corners. Skins of elements
// meet them with nodes and facets, like any other skin (skin_points.c).
#include <math.h>
#include <string.h>

#include "detect/skin/skin_parts.h"
#include "detect/space/nearest_space.h"

// Cosine between normals of one side; distance of places that are one, of the size [-].
static const double SAME_SIDE = 0.5, NEAR = 1e-2;

#define CORNER (UINT32_C(0x1f) << 24) // names of corners beside the points of a pair

bool cn_hulls_has(const cn_bodies *b, int mesh)
{
    const cn_deformables *m = b->deformables;
    return cn_deformable_model(m, mesh)->hull != NULL && !m->body[mesh].is_mid_face;
}

static cn_status reserve(cn_detect *d, const cn_bodies *b, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    size_t vertices = 0, faces = 0;
    d->hull_count = 0;
    for (int k = 0; k < m->count; k++) {
        if (cn_hulls_has(b, k)) {
            vertices += (size_t)cn_deformable_model(m, k)->hull->vertex_count;
            faces += (size_t)cn_deformable_model(m, k)->hull->face_count;
            d->hull_count++;
        }
    }
    size_t count = (size_t)d->hull_count, parts = (size_t)(d->node_count + d->facet_count) + count;
    CN_TRY(cn_reserve(d->hooks, &d->owner, &d->owner_capacity, parts, err));
    CN_TRY(cn_reserve(d->hooks, &d->box, &d->box_capacity, (size_t)d->shape_count + parts, err));
    CN_TRY(cn_reserve(d->hooks, &d->hull, &d->hull_capacity, count, err));
    CN_TRY(cn_reserve(d->hooks, &d->hull_vertex, &d->hull_vertex_capacity, 2 * vertices, err));
    CN_TRY(cn_reserve(d->hooks, &d->hull_normal, &d->hull_normal_capacity, 2 * faces, err));
    return cn_reserve(d->hooks, &d->hull_offset, &d->hull_offset_capacity, 2 * faces, err);
}

// The polyhedron of body k at a field of positions. Its arrays are in place; corners are taken
// from their mean, so that nothing is lost far from the origin.
static void place(const cn_bodies *b, int k, const double *field, cn_hull *hull, cn_solid *solid,
                  cn_vec3 *centre)
{
    const cn_deformables *m = b->deformables;
    const cn_model *model = cn_deformable_model(m, k);
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    cn_deformable_hull_vertices(m, k, field, hull->vertex);
    for (int v = 0; v < hull->vertex_count; v++) {
        sum = cn_add3(sum, hull->vertex[v]);
    }
    *centre = cn_mul3(1.0 / hull->vertex_count, sum);
    double reach = 0.0;
    for (int v = 0; v < hull->vertex_count; v++) {
        hull->vertex[v] = cn_sub3(hull->vertex[v], *centre);
        reach = fmax(reach, cn_norm3(hull->vertex[v]));
    }
    cn_hull_planes(hull);
    *solid = (cn_solid){.kind = CN_SOLID_HULL,
                        .body = m->body[k].slot,
                        .hull = hull,
                        .reach = reach,
                        .size = model->width};
}

static cn_posed3 posed(const cn_soft_hull *h, bool is_at_start)
{
    return (cn_posed3){
        &h->solid[is_at_start], h->centre[is_at_start], {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
}

static cn_box3 box_of(const cn_soft_hull *h, double by)
{
    cn_posed3 mid = posed(h, false), start = posed(h, true);
    cn_box3 a = cn_posed3_box(&mid), c = cn_posed3_box(&start);
    return (cn_box3){
        {fmin(a.lo.x, c.lo.x) - by, fmin(a.lo.y, c.lo.y) - by, fmin(a.lo.z, c.lo.z) - by},
        {fmax(a.hi.x, c.hi.x) + by, fmax(a.hi.y, c.hi.y) + by, fmax(a.hi.z, c.hi.z) + by}};
}

cn_status cn_hulls_place(cn_detect *d, const cn_bodies *b, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    CN_TRY(reserve(d, b, err));
    size_t vertex = 0, face = 0;
    for (int k = 0, n = 0; k < m->count; k++) {
        if (!cn_hulls_has(b, k)) {
            continue;
        }
        cn_soft_hull *h = &d->hull[n];
        for (int start = 0; start < 2; start++) {
            h->hull[start] =
                *cn_deformable_model(m, k)->hull; // faces and edges are those of the model
            h->hull[start].vertex = d->hull_vertex + vertex;
            h->hull[start].normal = d->hull_normal + face;
            h->hull[start].offset = d->hull_offset + face;
            vertex += (size_t)h->hull[start].vertex_count;
            face += (size_t)h->hull[start].face_count;
            place(b, k, start != 0 ? m->x : m->x_mid, &h->hull[start], &h->solid[start],
                  &h->centre[start]);
        }
        int part = d->node_count + d->facet_count + n++;
        d->owner[part] = k;
        d->box[d->shape_count + part] = box_of(h, d->motion[m->body[k].slot]);
    }
    return CN_OK;
}

// One side of a pair: a rigid shape, or a polyhedron.
typedef struct side {
    int slot;
    int shape;             // -1: a polyhedron,
    const cn_soft_hull *h; // this one
    double size;           // smallest extent [m]
} side;

static side side_of(const cn_detect *d, const cn_bodies *b, int box)
{
    if (box < d->shape_count) {
        return (side){cn_shape_body(b, box), box, NULL, cn_shape_size(b, box)};
    }
    const cn_soft_hull *h = &d->hull[box - d->shape_count - d->node_count - d->facet_count];
    return (side){h->solid[0].body, -1, h, h->solid[0].size};
}

static cn_posed3 pose(const cn_bodies *b, const side *s, bool is_at_start)
{
    if (s->shape < 0) {
        return posed(s->h, is_at_start);
    }
    return is_at_start ? cn_body_posed3(b, s->shape, b->q) : cn_body_posed3_mid(b, s->shape);
}

// Where a contact acts on a polyhedron; -1 on a rigid shape.
static cn_status anchor_at(cn_detect *d, const cn_bodies *b, const side *s, bool is_at_start,
                           cn_vec3 point, int *anchor, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    *anchor = -1;
    if (s->shape >= 0) {
        return CN_OK;
    }
    const double *field = is_at_start ? m->x : m->x_mid;
    return cn_skins_add_anchor(
        d, cn_deformable_hull_anchor(m, b->deformable[s->slot], field, point), anchor, err);
}

static bool is_hull(const cn_posed3 *p)
{
    return p->solid->kind == CN_SOLID_HULL;
}

// Whether a place, seen along the normal, is one that is listed.
static bool is_listed(const cn_touch3 *touch, int count, const cn_touch3 *one, double near)
{
    for (int k = 0; k < count; k++) {
        cn_vec3 way = cn_sub3(touch[k].point, one->point);
        double along = cn_dot3(way, one->normal);
        if (cn_dot3(way, way) - along * along < near * near) {
            return true;
        }
    }
    return false;
}

// Corners of polyhedron x that the motion may bring down on a solid beside the points that are
// listed, on their side. `sign` is 1 if x is named first.
static int add_corners(const cn_posed3 *x, const cn_posed3 *other, double sign, double sweep,
                       cn_touch3 *touch, int count)
{
    double size = fmin(x->solid->size, other->solid->size);
    cn_skin_look deepest = cn_skin_deepest(touch, count);
    for (int v = 0; v < x->solid->hull->vertex_count; v++) {
        cn_solid solid = {.kind = CN_SOLID_SPHERE, .body = -1};
        cn_posed3 corner = {&solid,
                            cn_posed3_point(x, x->solid->hull->vertex[v]),
                            {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
        cn_touch3 found[CN_TOUCH3_MAX];
        if (cn_narrow3(&corner, other, sweep, found) == 0) {
            continue;
        }
        cn_touch3 one = {.point = found[0].point,
                         .normal = cn_mul3(sign, found[0].normal),
                         .gap = found[0].gap,
                         .feature = CORNER | (uint32_t)v};
        if (cn_dot3(one.normal, deepest.normal) > SAME_SIDE && one.gap >= deepest.gap &&
            !is_listed(touch, count, &one, NEAR * size)) {
            cn_touch3_keep(touch, &count, one);
        }
    }
    return count;
}

// Points as of rigid shapes, and places that the motion of the two, `sweep`, may close (5.3): no
// later look at the rotation of a body that deforms brings them up.
static int touches(const cn_bodies *b, const side *i, const side *j, double sweep, double reach,
                   cn_touch3 *touch)
{
    cn_posed3 x = pose(b, i, false), y = pose(b, j, false);
    cn_hint none = {0};
    int count = cn_narrow3_warm(&x, &y, reach, sweep, &none, touch);
    if (count == 0 || (is_hull(&x) && is_hull(&y))) {
        return count;
    }
    return is_hull(&x) ? add_corners(&x, &y, 1.0, sweep, touch, count)
                       : add_corners(&y, &x, -1.0, sweep, touch, count);
}

static int touches_at_start(const cn_bodies *b, const side *i, const side *j, double reach,
                            cn_touch3 *touch)
{
    cn_posed3 x = pose(b, i, true), y = pose(b, j, true);
    return cn_narrow3(&x, &y, 2.0 * reach, touch);
}

cn_status cn_hulls_meet(cn_detect *d, const cn_bodies *b, int a, int c, int law, double reach,
                        cn_error *err)
{
    side i = side_of(d, b, a), j = side_of(d, b, c);
    if (b->id[i.slot] > b->id[j.slot]) {
        side swap = i;
        i = j;
        j = swap;
    }
    double size = fmin(i.size, j.size), sweep = cn_detect_between(d, b, i.slot, j.slot);
    bool is_fast = sweep > 0.5 * size;
    cn_touch3 touch[CN_TOUCH3_MAX];
    int count = is_fast ? touches_at_start(b, &i, &j, reach, touch)
                        : touches(b, &i, &j, sweep, reach, touch);
    if (is_fast && count > 0) {
        cn_touch3 mid[CN_TOUCH3_MAX];
        int found = touches(b, &i, &j, sweep, reach, mid);
        if (found > 0 && cn_skin_slides(b->deformables, cn_skin_deepest(touch, count),
                                        cn_skin_deepest(mid, found), 0.5 * size)) {
            is_fast = false;
            count = found;
            memcpy(touch, mid, (size_t)found * sizeof *mid);
        }
    }
    for (int k = 0; k < count; k++) {
        cn_point point = {
            .i = i.slot,
            .j = j.slot,
            .law = law,
            .feature = cn_skins_feature(b, i.slot, i.shape, j.slot, j.shape, touch[k].feature),
            .point = touch[k].point,
            .normal = touch[k].normal,
            .gap = touch[k].gap,
            .is_fast = is_fast};
        CN_TRY(anchor_at(d, b, &i, is_fast, point.point, &point.anchor[0], err));
        CN_TRY(anchor_at(d, b, &j, is_fast, point.point, &point.anchor[1], err));
        CN_TRY(cn_skins_add_point(d, b, &point, err));
    }
    return CN_OK;
}
