// detect/skin/skin_facets.c -- what lies over facets of deformable bodies, theory 11.14 and 11.15.
//
// A probe, that is a node, a corner of a rigid shape, the centre of its rounding or the lowest
// point of a round solid, meets the facets of skins. Which of them it touches is chosen in
// skin_choose.c.
#include <math.h>
#include <string.h>

#include "detect/skin/skin_parts.h"

static const double FACING = -0.1; // cosine of normals that look at each other, at most
// How far a corner may be above its neighbours, of the distance [-].
static const double LEANING = -0.35;
// Beyond a sharp edge, of the smaller body [-]: by less than this meshes that match may slip and
// widen against each other.
static const double PAST = 5e-4;

static cn_vec3 outward(int dim, const cn_vec3 *corner)
{
    cn_vec3 across = dim == 3 ? cn_sub3(corner[2], corner[0]) : cn_v3(0.0, 0.0, 1.0);
    return cn_cross3(cn_sub3(corner[1], corner[0]), across);
}

static bool is_smooth_with(const cn_skin *skin, int corner, int facet)
{
    bool is_found = false;
    for (int n = skin->smooth_start[corner]; n < skin->smooth_start[corner + 1]; n++) {
        is_found = is_found || skin->smooth[n] == facet;
    }
    return is_found;
}

// Height of a point over facet g, if that sticks out from facet f, behind its plane; else 0.
static double height_past(const cn_deformables *m, int k, int f, int g, cn_vec3 point,
                          bool is_at_start)
{
    cn_vec3 own[3], other[3], normal[3];
    cn_skin_see_facet(m, k, f, is_at_start, own, normal);
    cn_skin_see_facet(m, k, g, is_at_start, other, normal);
    cn_vec3 n = outward(m->dim, own), n_other = outward(m->dim, other);
    double below = 0.0;
    for (int c = 0; c < m->dim; c++) {
        below += cn_dot3(n, cn_sub3(other[c], own[0]));
    }
    return below < 0.0 ? cn_dot3(n_other, cn_sub3(point, other[0])) / cn_norm3(n_other) : 0.0;
}

// Whether a point whose foot is beside facet f is past a sharp edge that sticks out: it is not over
// f, nor is its distance behind the plane of f a depth. The nodes of the edge look for it there.
static bool is_past_edge(const cn_deformables *m, int k, int f, cn_vec3 point, bool is_at_start,
                         const double *weight, double size)
{
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    bool is_beside = false;
    int corner = m->dim * f; // the nearest
    for (int a = 0; a < m->dim; a++) {
        is_beside = is_beside || weight[a] < 0.0;
        corner = weight[a] > weight[corner - m->dim * f] ? m->dim * f + a : corner;
    }
    int place = skin->place[skin->facet[corner]];
    for (int n = skin->ring_start[place]; n < skin->ring_start[place + 1] && is_beside; n++) {
        int g = skin->ring[n];
        if (!is_smooth_with(skin, corner, g) &&
            height_past(m, k, f, g, point, is_at_start) > PAST * size) {
            return true;
        }
    }
    return false;
}

// Foot on facet f of body k of a point of a body; the smaller of both has the size. The point may
// be behind it by the depth that counts; how much of a rounded shape is behind does not matter, but
// its centre does.
static bool find_spot(const cn_deformables *m, int k, int f, cn_vec3 point, bool is_at_start,
                      double size, cn_spot *spot)
{
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    cn_vec3 corner[4], normal[3];
    cn_skin_see_facet(m, k, f, is_at_start, corner, normal);
    if (!cn_skin_find(m->dim, corner, normal, point, spot) ||
        is_past_edge(m, k, f, point, is_at_start, spot->weight, size)) {
        return false;
    }
    if (skin->fourth[f] >= 0 && (!is_at_start || m->gamma == 0.0)) {
        corner[3] = cn_skin_place(m, k, skin->fourth[f]);
        cn_skin_find_bilinear(corner, point, spot);
    }
    return spot->gap >= -skin->depth[f];
}

// Distance of a node from the middle of a facet in the reference position: the far side of a thin
// body is no contact.
static double reference_distance(const cn_deformables *m, const cn_anchor *anchor, int f)
{
    const cn_model *model = cn_deformable_model(m, anchor->mesh);
    const double *X = model->mesh->X;
    cn_vec3 apart = cn_v3(0.0, 0.0, 0.0);
    for (int axis = 0; axis < m->dim; axis++) {
        for (int n = 0; n < m->dim; n++) {
            (&apart.x)[axis] += X[m->dim * model->skin.facet[m->dim * f + n] + axis] / m->dim;
        }
        for (int n = 0; n < anchor->count; n++) {
            (&apart.x)[axis] -= anchor->weight[n] * X[m->dim * anchor->node[n] + axis];
        }
    }
    return cn_norm3(apart);
}

static cn_status meet_facet_with_node(cn_detect *d, const cn_bodies *b, int box, int other,
                                      double reach, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    int k = cn_skin_mesh(d, box), node = cn_skin_node(d, m, box), l = cn_skin_mesh(d, other);
    int f = cn_skin_facet(d, m, other);
    cn_anchor own = cn_skin_anchor(m, k, node);
    cn_vec3 start = cn_anchor_velocity(m, &own, m->x), mid = cn_skin_anchor_place(m, &own);
    bool is_fast =
        cn_skin_is_fast(d, b, m->body[k].slot, l) && !cn_skin_slides_over(m, l, f, start, mid);
    cn_vec3 point = is_fast ? start : mid;
    double size = fmin(b->size[m->body[k].slot], b->size[m->body[l].slot]);
    cn_spot spot;
    if (!find_spot(m, l, f, point, is_fast, size, &spot) ||
        !cn_skin_is_facing(m, k, node, spot.normal, FACING) ||
        (k == l && spot.gap < -0.5 * reference_distance(m, &own, f))) {
        return CN_OK;
    }
    reach *= is_fast ? 2.0 : 1.0;
    cn_hit hit = {(uint64_t)(box - d->shape_count), l, f, spot.gap, spot, point, is_fast, false};
    return cn_skin_add_hit(d, m, &hit, reach, err);
}

// Corner c of a shape: its place, its rounding, and whether it is the lowest as seen along the
// normal, or nearly so.
static cn_vec3 cn_skin_corner_at(const cn_bodies *b, int s, int c, bool is_at_start)
{
    if (b->dim == 3) {
        cn_posed3 posed = is_at_start ? cn_body_posed3(b, s, b->q) : cn_body_posed3_mid(b, s);
        return cn_posed3_point(&posed, cn_solid_corner(&b->solid[s], c));
    }
    cn_posed posed = is_at_start ? cn_body_posed(b, s, b->q) : cn_body_posed_mid(b, s);
    cn_vec2 v = cn_posed_vertex(&posed, c);
    return cn_v3(v.x, v.y, 0.0);
}

static int cn_skin_corner_count(const cn_bodies *b, int s)
{
    return b->dim == 2 ? b->shape[s].vertex_count : cn_solid_corner_count(&b->solid[s]);
}

static bool is_lower(const cn_bodies *b, int s, int c, int other, cn_vec3 n)
{
    cn_vec3 along =
        cn_sub3(cn_skin_corner_at(b, s, other, false), cn_skin_corner_at(b, s, c, false));
    return cn_dot3(n, along) >= LEANING * cn_norm3(along);
}

static bool is_low_corner(const cn_bodies *b, int s, int c, cn_vec3 n)
{
    const cn_hull *hull = b->dim == 3 ? b->solid[s].hull : NULL;
    if (hull != NULL) {
        for (int k = hull->neighbour_start[c]; k < hull->neighbour_start[c + 1]; k++) {
            if (!is_lower(b, s, c, hull->neighbour[k], n)) {
                return false;
            }
        }
        return true;
    }
    int count = cn_skin_corner_count(b, s);
    return count == 1 ||
           (is_lower(b, s, c, (c + 1) % count, n) && is_lower(b, s, c, (c + count - 1) % count, n));
}

// The half-space behind the plane of a facet.
static cn_solid half_space(const cn_deformables *m, int l, int f, bool is_at_start)
{
    cn_vec3 corner[4], normal[3];
    cn_skin_see_facet(m, l, f, is_at_start, corner, normal);
    return (cn_solid){.kind = CN_SOLID_HALF_SPACE,
                      .body = -1,
                      .end = {corner[0], corner[0]},
                      .axis = cn_skin_facet_normal(m, l, f)};
}

static int touch_half_space(const cn_bodies *b, int s, const cn_solid *below, bool is_at_start,
                            double reach, cn_touch3 *touch)
{
    cn_posed3 plane = {below, cn_v3(0.0, 0.0, 0.0), {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    cn_posed3 posed = is_at_start ? cn_body_posed3(b, s, b->q) : cn_body_posed3_mid(b, s);
    return cn_narrow3(&posed, &plane, is_at_start ? 2.0 * reach : reach, touch);
}

// Where a round solid would touch the plane of a facet: these points are its probes (11.15).
static cn_status meet_facet_with_round(cn_detect *d, const cn_bodies *b, int s, int other,
                                       double reach, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    int l = cn_skin_mesh(d, other), f = cn_skin_facet(d, m, other);
    bool is_fast = cn_skin_is_fast(d, b, cn_shape_body(b, s), l);
    cn_solid below = half_space(m, l, f, is_fast);
    cn_touch3 touch[CN_TOUCH3_MAX];
    // Points out of reach of this facet tell that they are not deep behind another one.
    double wide = fmax(reach, 0.5 * cn_deformable_model(m, l)->skin.edge);
    int count = touch_half_space(b, s, &below, is_fast, wide, touch);
    if (is_fast && count > 0) {
        cn_solid below_mid = half_space(m, l, f, false);
        cn_touch3 mid[CN_TOUCH3_MAX];
        int found = touch_half_space(b, s, &below_mid, false, wide, mid);
        if (found > 0 &&
            cn_skin_slides(m, cn_skin_deepest(touch, count), cn_skin_deepest(mid, found),
                           cn_deformable_model(m, l)->skin.depth[f])) {
            is_fast = false;
            below = below_mid;
            count = found;
            memcpy(touch, mid, (size_t)found * sizeof *mid);
        }
    }
    double size = fmin(cn_shape_size(b, s), b->size[m->body[l].slot]);
    for (int k = 0; k < count; k++) {
        cn_hit hit = {.probe = cn_skin_probe(s, touch[k].feature & 0xffffffu),
                      .mesh = l,
                      .facet = f,
                      .is_fast = is_fast};
        // Points of a patch are in one plane, but gaps are heights over the half-space.
        double height = cn_dot3(below.axis, cn_sub3(touch[k].point, below.end[0]));
        hit.point = cn_add_mul3(touch[k].point, touch[k].gap - height, below.axis);
        if (!find_spot(m, l, f, hit.point, is_fast, size, &hit.spot)) {
            continue;
        }
        hit.gap = hit.spot.gap;
        CN_TRY(cn_skin_add_hit(d, m, &hit, is_fast ? 2.0 * reach : reach, err));
    }
    return m->body[l].is_mid_face ? CN_OK : cn_skin_meet_creases(d, b, s, other, reach, err);
}

// Whether a facet at this distance from the centre of a ring is inside it: its nodes meet the wall.
static bool is_inside_ring(const cn_bodies *b, int s, double distance)
{
    return b->dim == 2 && cn_shape_is_hollow(b, s) &&
           distance < b->shape[s].radius + 0.5 * b->shape[s].thickness;
}

static cn_status meet_facet_with_shape(cn_detect *d, const cn_bodies *b, int s, int other,
                                       double reach, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    int l = cn_skin_mesh(d, other), f = cn_skin_facet(d, m, other);
    double radius = cn_skin_rounding(b, s);
    bool may_be_fast = cn_skin_is_fast(d, b, cn_shape_body(b, s), l);
    bool has_creases = b->dim == 3 && !m->body[l].is_mid_face;
    double size = fmin(cn_shape_size(b, s), b->size[m->body[l].slot]);
    for (int c = 0; c < cn_skin_corner_count(b, s); c++) {
        cn_vec3 start = cn_skin_corner_at(b, s, c, true), mid = cn_skin_corner_at(b, s, c, false);
        bool is_fast = may_be_fast && !cn_skin_slides_over(m, l, f, start, mid);
        cn_vec3 centre = is_fast ? start : mid;
        cn_hit hit = {.probe = cn_skin_probe(s, (uint32_t)c),
                      .mesh = l,
                      .facet = f,
                      .point = centre,
                      .is_fast = is_fast};
        bool is_over =
            find_spot(m, l, f, centre, is_fast, size, &hit.spot) ||
            (has_creases && radius > 0.0 && cn_skin_find_crease(m, centre, is_fast, &hit));
        if (!is_over || !is_low_corner(b, s, c, hit.spot.normal) ||
            is_inside_ring(b, s, hit.spot.gap)) {
            continue;
        }
        hit.gap = hit.spot.gap - radius;
        hit.point = cn_add_mul3(centre, -radius, hit.spot.normal);
        CN_TRY(cn_skin_add_hit(d, m, &hit, is_fast ? 2.0 * reach : reach, err));
    }
    return has_creases ? cn_skin_meet_creases(d, b, s, other, reach, err) : CN_OK;
}

cn_status cn_skin_meet_facet(cn_detect *d, const cn_bodies *b, int box, int other, double reach,
                             cn_error *err)
{
    if (cn_skin_box_kind(d, box) == CN_BOX_NODE) {
        return meet_facet_with_node(d, b, box, other, reach, err);
    }
    return cn_skin_is_round(b, box) ? meet_facet_with_round(d, b, box, other, reach, err)
                                    : meet_facet_with_shape(d, b, box, other, reach, err);
}
