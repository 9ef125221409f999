// detect/skin/skin_points.c -- contact points of deformable bodies, theory 11.13 to 11.17.
//
// A node of a skin is a disk or sphere of radius 0 and meets rigid shapes as such; of bodies that
// want it so the middles of facets stand for the nodes. A probe, that is a node, a corner of a
// rigid shape, the centre of its rounding or the lowest point of a round solid, meets the facets of
// skins: of all facets of one body near it the nearest is taken, so that a probe has one point with
// each body, wherever between the nodes it slides.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/deformable/deformables.h"
#include "detect/detect.h"

static const double FACING = -0.1;       // cosine of normals that look at each other, at most
static const double FACING_SHAPE = -0.7; // the same for nodes that meet rigid shapes
static const double APART = 0.05;        // of an edge: feet of one probe on facets that differ
static const double RESOLVED = 1.0;      // radius over edge of facets from which nodes see a shape
static const double TWICE = 1e-3;        // of a facet: a foot this near to a node is that node
static const double LEANING =
    -0.35; // how far a corner may be above its neighbours, of the distance

static const uint64_t CORNER = UINT64_C(1) << 63; // probe is a corner of a rigid shape

typedef enum box_kind { SHAPE, NODE, FACET, HULL } box_kind;

static box_kind kind_of(const cn_detect *d, int box)
{
    int nodes = d->shape_count, facets = nodes + d->node_count, hulls = facets + d->facet_count;
    return box < nodes ? SHAPE : box < facets ? NODE : box < hulls ? FACET : HULL;
}

static int mesh_of(const cn_detect *d, int box)
{
    return d->owner[box - d->shape_count];
}

// Node of the skin (or facet whose middle stands for one), and facet behind a box.
static int node_of(const cn_detect *d, const cn_deformables *m, int box)
{
    return box - d->shape_count - m->node_start[mesh_of(d, box)];
}

static int facet_of(const cn_detect *d, const cn_deformables *m, int box)
{
    return box - d->shape_count - d->node_count - m->facet_start[mesh_of(d, box)];
}

int cn_skins_slot(const cn_detect *d, const cn_bodies *b, int box)
{
    return box < d->shape_count ? cn_shape_body(b, box)
                                : b->deformables->body[mesh_of(d, box)].slot;
}

static cn_vec3 place_of(const cn_deformables *m, int k, int node)
{
    const double *x = cn_deformable_mid(m, k) + m->dim * node;
    return cn_v3(x[0], x[1], m->dim == 3 ? x[2] : 0.0);
}

// Where a node of a skin acts: there, or all over the facet whose middle it is.
static cn_anchor anchor_of(const cn_deformables *m, int k, int node)
{
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    cn_anchor anchor = {k, 1, {skin->node[node]}, {1.0}};
    if (!m->body[k].is_mid_face) {
        return anchor;
    }
    anchor.count = m->dim;
    for (int n = 0; n < m->dim; n++) {
        anchor.node[n] = skin->facet[m->dim * node + n];
        anchor.weight[n] = 1.0 / m->dim;
    }
    return anchor;
}

static cn_vec3 anchor_place(const cn_deformables *m, const cn_anchor *anchor)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    for (int n = 0; n < anchor->count; n++) {
        sum = cn_add_mul3(sum, anchor->weight[n], place_of(m, anchor->mesh, anchor->node[n]));
    }
    return sum;
}

// Its name: the node of the mesh, or the facet.
static uint32_t name_of(const cn_deformables *m, int k, int node)
{
    return (uint32_t)(m->body[k].is_mid_face ? node : cn_deformable_model(m, k)->skin.node[node]);
}

static cn_box3 grown(cn_vec3 lo, cn_vec3 hi, double by)
{
    cn_vec3 all = cn_v3(by, by, by);
    return (cn_box3){cn_sub3(lo, all), cn_add3(hi, all)};
}

static cn_box3 facet_box(const cn_deformables *m, int k, const int *facet, double by)
{
    cn_vec3 lo = place_of(m, k, facet[0]), hi = lo;
    for (int n = 1; n < m->dim; n++) {
        cn_vec3 x = place_of(m, k, facet[n]);
        lo = cn_v3(fmin(lo.x, x.x), fmin(lo.y, x.y), fmin(lo.z, x.z));
        hi = cn_v3(fmax(hi.x, x.x), fmax(hi.y, x.y), fmax(hi.z, x.z));
    }
    return grown(lo, hi, by);
}

cn_status cn_skins_boxes(cn_detect *d, const cn_bodies *b, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    d->node_count = m->node_start[m->count];
    d->facet_count = m->facet_start[m->count];
    size_t parts = (size_t)(d->node_count + d->facet_count);
    CN_TRY(cn_reserve(d->hooks, &d->owner, &d->owner_capacity, parts, err));
    CN_TRY(cn_reserve(d->hooks, &d->box, &d->box_capacity, (size_t)d->shape_count + parts, err));
    for (int k = 0; k < m->count; k++) {
        const cn_skin *skin = &cn_deformable_model(m, k)->skin;
        double by = d->motion[m->body[k].slot];
        for (int part = m->node_start[k]; part < m->node_start[k + 1]; part++) {
            cn_anchor anchor = anchor_of(m, k, part - m->node_start[k]);
            cn_vec3 x = anchor_place(m, &anchor), start = cn_anchor_velocity(m, &anchor, m->x);
            d->owner[part] = k;
            d->box[d->shape_count + part] =
                grown(cn_v3(fmin(x.x, start.x), fmin(x.y, start.y), fmin(x.z, start.z)),
                      cn_v3(fmax(x.x, start.x), fmax(x.y, start.y), fmax(x.z, start.z)), by);
        }
        for (int f = 0; f < skin->facet_count; f++) {
            int part = d->node_count + m->facet_start[k] + f;
            d->owner[part] = k;
            d->box[d->shape_count + part] = // what is behind it touches it, too
                facet_box(m, k, skin->facet + m->dim * f, by + skin->depth[f]);
        }
    }
    return cn_hulls_place(d, b, err);
}

// Whether all nodes of body k look for facets of body l: those of the finer skin, or of both
// (11.17).
static bool is_searching(const cn_deformables *m, int k, int l)
{
    const cn_deformable *own = &m->body[k], *other = &m->body[l];
    if (k == l) {
        return own->is_self_contact;
    }
    double edge = cn_deformable_model(m, k)->skin.edge,
           edge_other = cn_deformable_model(m, l)->skin.edge;
    bool is_finer = edge < edge_other || (edge == edge_other && own->slot < other->slot);
    return is_finer || own->is_two_pass || other->is_two_pass;
}

// Whether a node is at a corner or an edge of its body: it would dig in between the nodes of a
// finer skin, so it looks for facets, too (11.17).
static bool is_sharp(const cn_deformables *m, int k, int node)
{
    return !m->body[k].is_mid_face && !cn_deformable_model(m, k)->skin.is_smooth[node];
}

// Radius of what rounds the corners of a shape; none for polygons, polyhedra and what has no
// corner.
static double rounding_of(const cn_bodies *b, int s)
{
    if (b->dim == 2) {
        return b->shape[s].radius;
    }
    return cn_solid_corner_count(&b->solid[s]) == 0 || b->solid[s].hull != NULL
               ? 0.0
               : b->solid[s].radius;
}

// Shapes whose corners and roundings look for facets. Others surround a skin: nodes find them.
static bool has_corners(const cn_bodies *b, int s)
{
    if (b->dim == 2) {
        return !cn_shape_is_hollow(b, s) && !cn_shape_is_unbounded(b, s);
    }
    return cn_solid_corner_count(&b->solid[s]) > 0;
}

// Solids without corners, of which the points that are lowest over a facet look for it.
static bool is_round(const cn_bodies *b, int s)
{
    return b->dim == 3 && !has_corners(b, s) &&
           (cn_solid_is_convex(&b->solid[s]) || cn_solid_is_hollow(&b->solid[s]));
}

// Whether a facet has a node that a node of the same skin acts on.
static bool is_shared(const cn_deformables *m, int facet, const cn_anchor *anchor)
{
    const cn_skin *skin = &cn_deformable_model(m, anchor->mesh)->skin;
    const int *corner = skin->facet + m->dim * facet;
    bool is_found = false;
    for (int n = 0; n < anchor->count; n++) {
        int node = anchor->node[n];
        is_found = is_found || corner[0] == node || corner[1] == node ||
                   (m->dim == 3 && corner[2] == node) || skin->fourth[facet] == node;
    }
    return is_found;
}

bool cn_skins_may_pair(const cn_detect *d, const cn_bodies *b, int a, int c)
{
    const cn_deformables *m = b->deformables;
    box_kind first = kind_of(d, a), second = kind_of(d, c); // in this order, since a < c
    if (second == HULL) {                                   // as a whole
        return first == SHAPE || first == HULL;
    }
    if (cn_hulls_has(b, mesh_of(d, c)) && (first == SHAPE || cn_hulls_has(b, mesh_of(d, a)))) {
        return false;
    }
    if (first == SHAPE) {
        return second == NODE || has_corners(b, a) || is_round(b, a);
    }
    if (first == second) {
        return false;
    }
    int k = mesh_of(d, a), l = mesh_of(d, c);
    if (!is_searching(m, k, l) && (k == l || !is_sharp(m, k, node_of(d, m, a)))) {
        return false;
    }
    cn_anchor anchor = anchor_of(m, k, node_of(d, m, a));
    return k != l || !is_shared(m, facet_of(d, m, c), &anchor);
}

cn_status cn_skins_add_anchor(cn_detect *d, cn_anchor anchor, int *place, cn_error *err)
{
    CN_TRY(cn_reserve(d->hooks, &d->anchor, &d->anchor_capacity, (size_t)d->anchor_count + 1, err));
    *place = d->anchor_count;
    d->anchor[d->anchor_count++] = anchor;
    return CN_OK;
}

// Whether an impulse along n can move a side.
static bool can_move(const cn_detect *d, const cn_bodies *b, int slot, int anchor, cn_vec3 n)
{
    if (anchor < 0) {
        return !cn_body_is_held(b, slot);
    }
    return cn_anchor_can_move(b->deformables, &d->anchor[anchor], n);
}

cn_status cn_skins_add_point(cn_detect *d, const cn_bodies *b, const cn_point *point, cn_error *err)
{
    if (!can_move(d, b, point->i, point->anchor[0], point->normal) &&
        !can_move(d, b, point->j, point->anchor[1], point->normal)) {
        return CN_OK;
    }
    CN_TRY(cn_reserve(d->hooks, &d->point, &d->point_capacity, (size_t)d->point_count + 1, err));
    d->point[d->point_count++] = *point;
    return CN_OK;
}

// A node as a shape of radius 0 against shape s, at q_mid or at q; the normal points to the node.
static bool touch_node(const cn_bodies *b, int s, cn_vec3 node, bool is_at_start, double reach,
                       cn_touch3 *found)
{
    int count;
    if (b->dim == 3) {
        cn_solid solid = {.kind = CN_SOLID_SPHERE, .body = -1};
        cn_posed3 point = {&solid, node, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
        cn_posed3 shape = is_at_start ? cn_body_posed3(b, s, b->q) : cn_body_posed3_mid(b, s);
        cn_touch3 touch[CN_TOUCH3_MAX];
        count = cn_narrow3(&point, &shape, reach, touch);
        *found = touch[0];
        for (int k = 1; k < count; k++) {
            *found = touch[k].gap < found->gap ? touch[k] : *found;
        }
        return count > 0;
    }
    const cn_vec2 origin = {0.0, 0.0};
    cn_shape disk = {
        .kind = CN_SHAPE_DISK, .body = -1, .vertex_count = 1, .vertex = &origin, .normal = &origin};
    cn_posed point = {&disk, cn_v2(node.x, node.y), 1.0, 0.0};
    cn_posed shape = is_at_start ? cn_body_posed(b, s, b->q) : cn_body_posed_mid(b, s);
    cn_touch touch[CN_TOUCH_MAX];
    count = cn_narrow(&point, &shape, reach, touch);
    int least = 0;
    for (int k = 1; k < count; k++) {
        least = touch[k].gap < touch[least].gap ? k : least;
    }
    *found = (cn_touch3){.point = {touch[least].point.x, touch[least].point.y, 0.0},
                         .normal = {touch[least].normal.x, touch[least].normal.y, 0.0},
                         .gap = touch[least].gap};
    return count > 0;
}

uint64_t cn_skins_feature(const cn_bodies *b, int slot_i, int shape_i, int slot_j, int shape_j,
                          uint32_t name)
{
    uint64_t of_i = shape_i < 0 ? 0 : (uint64_t)(shape_i - b->shape_start[slot_i]);
    uint64_t of_j = shape_j < 0 ? 0 : (uint64_t)(shape_j - b->shape_start[slot_j]);
    return of_i << 48 | of_j << 32 | name;
}

static cn_vec3 facet_normal(const cn_deformables *m, int k, int f)
{
    const double *at = m->facet_normal + m->dim * (m->facet_start[k] + f);
    return cn_v3(at[0], at[1], m->dim == 3 ? at[2] : 0.0);
}

// Whether some facet around a node, or their mean, looks against the normal; or the facet whose
// middle it is.
static bool is_facing(const cn_deformables *m, int k, int node, cn_vec3 n, double cosine)
{
    if (m->body[k].is_mid_face) {
        return cn_dot3(facet_normal(m, k, node), n) < cosine;
    }
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    for (int r = skin->ring_start[node]; r < skin->ring_start[node + 1]; r++) {
        cn_vec3 own = facet_normal(m, k, skin->ring[r]);
        if (cn_dot3(own, n) < cosine) {
            return true;
        }
        sum = cn_add3(sum, own);
    }
    return cn_dot3(sum, n) < cosine * cn_norm3(sum);
}

// Outward normal of a skin at a node around which it is smooth.
static cn_vec3 node_normal(const cn_deformables *m, int k, int node)
{
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    int dim = m->dim, f = skin->ring[skin->ring_start[node]], corner = 0;
    while (skin->facet[dim * f + corner] != skin->node[node]) {
        corner++;
    }
    const double *n = m->corner_normal + dim * (dim * (m->facet_start[k] + f) + corner);
    return cn_v3(n[0], n[1], dim == 3 ? n[2] : 0.0);
}

// A node of a smooth skin and a shape whose rounding is not wide against facets: the gap is along
// the normal of the skin, so that a ball that rolls over a node does not run into it (11.16). False
// if the shape is beside that normal, or its centre behind the skin.
static bool turn_to_skin(const cn_bodies *b, int s, int k, int node, cn_vec3 place,
                         cn_touch3 *touch)
{
    const cn_deformables *m = b->deformables;
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    double radius = rounding_of(b, s);
    if (!has_corners(b, s) || !(radius > 0.0) || radius > RESOLVED * skin->edge ||
        m->body[k].is_mid_face || !skin->is_smooth[node]) {
        return true;
    }
    cn_vec3 n = node_normal(m, k, node), away = cn_mul3(-(touch->gap + radius), touch->normal);
    double height = cn_dot3(away, n), beside2 = cn_dot3(away, away) - height * height;
    if (!(beside2 < radius * radius && height > 0.0)) {
        return false;
    }
    touch->gap = height - sqrt(radius * radius - fmax(beside2, 0.0));
    touch->normal = cn_neg3(n);
    touch->point = cn_add_mul3(place, 0.5 * touch->gap, n);
    return true;
}

static cn_status meet_node(cn_detect *d, const cn_bodies *b, int s, int box, int law, double reach,
                           cn_error *err)
{
    const cn_deformables *m = b->deformables;
    int k = mesh_of(d, box), node = node_of(d, m, box);
    int of_node = m->body[k].slot, of_shape = cn_shape_body(b, s), anchor;
    cn_anchor own = anchor_of(m, k, node);
    cn_touch3 touch;
    // A node that moves past the thickness of the shape is met where it starts (6.1).
    bool is_fast = cn_detect_between(d, b, of_node, of_shape) > 0.5 * cn_shape_size(b, s);
    cn_vec3 place = is_fast ? cn_anchor_velocity(m, &own, m->x) : anchor_place(m, &own);
    // The skin looks at the shape there: a corner that slides along it does not run into the node.
    if (!touch_node(b, s, place, is_fast, is_fast ? 2.0 * reach : reach, &touch) ||
        !is_facing(m, k, node, touch.normal, FACING_SHAPE) ||
        !turn_to_skin(b, s, k, node, place, &touch)) {
        return CN_OK;
    }
    CN_TRY(cn_skins_add_anchor(d, own, &anchor, err));
    bool is_first = b->id[of_node] < b->id[of_shape];
    int i = is_first ? of_node : of_shape, j = is_first ? of_shape : of_node;
    return cn_skins_add_point(
        d, b,
        &(cn_point){.i = i,
                    .j = j,
                    .law = law,
                    .feature = cn_skins_feature(b, i, is_first ? -1 : s, j, is_first ? s : -1,
                                                name_of(m, k, node)),
                    .point = touch.point,
                    .normal = is_first ? touch.normal : cn_neg3(touch.normal),
                    .gap = touch.gap,
                    .is_fast = is_fast,
                    .anchor = {is_first ? anchor : -1, is_first ? -1 : anchor}},
        err);
}

// Corners of facet f of body k and the normals there. Where the body starts the facet is flat,
// unless that is where contacts are set up anyway: a hit does not snag on a node.
static void see_facet(const cn_deformables *m, int k, int f, bool is_at_start, cn_vec3 *corner,
                      cn_vec3 *normal)
{
    int dim = m->dim;
    const int *node = cn_deformable_model(m, k)->skin.facet + dim * f;
    is_at_start = is_at_start && m->gamma > 0.0;
    for (int n = 0; n < dim; n++) {
        const double *at = m->corner_normal + dim * (dim * (m->facet_start[k] + f) + n);
        corner[n] = is_at_start ? cn_deformable_at(m, k, node[n], m->x) : place_of(m, k, node[n]);
        normal[n] = cn_v3(at[0], at[1], dim == 3 ? at[2] : 0.0);
    }
    if (is_at_start) {
        cn_vec3 along = cn_sub3(corner[1], corner[0]);
        cn_vec3 across = dim == 3 ? cn_sub3(corner[2], corner[0]) : cn_v3(0.0, 0.0, 1.0);
        cn_vec3 n = cn_cross3(along, across);
        normal[0] = normal[1] = normal[2] = cn_mul3(1.0 / cn_norm3(n), n);
    }
}

// Foot of a point on facet f of body k. A point may be behind it by the depth that counts; how much
// of a rounded shape is behind does not matter, but its centre does.
static bool find_spot(const cn_deformables *m, int k, int f, cn_vec3 point, bool is_at_start,
                      cn_spot *spot)
{
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    cn_vec3 corner[4], normal[3];
    see_facet(m, k, f, is_at_start, corner, normal);
    if (!cn_skin_find(m->dim, corner, normal, point, spot)) {
        return false;
    }
    if (skin->fourth[f] >= 0 && (!is_at_start || m->gamma == 0.0)) {
        corner[3] = place_of(m, k, skin->fourth[f]);
        cn_skin_find_bilinear(corner, point, spot);
    }
    return spot->gap >= -skin->depth[f];
}

// Whether a spot tells something of its probe: it is within reach, or so near that others, which
// the probe is behind of, are the far side of a body that it stands before (11.15).
static bool is_telling(const cn_deformables *m, const cn_hit *hit, double reach)
{
    double near = 0.5 * cn_deformable_model(m, hit->mesh)->skin.edge;
    return hit->gap <= reach || hit->spot.gap <= near;
}

static cn_status add_hit(cn_detect *d, const cn_deformables *m, cn_hit *hit, double reach,
                         cn_error *err)
{
    hit->is_far = hit->gap > reach;
    if (!is_telling(m, hit, reach)) {
        return CN_OK;
    }
    CN_TRY(cn_reserve(d->hooks, &d->hit, &d->hit_capacity, (size_t)d->hit_count + 1, err));
    d->hit[d->hit_count++] = *hit;
    return CN_OK;
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

// Whether a body moves past the depth that counts behind the facets of body l within a step: they
// then meet where they start (6.1).
static bool is_fast_pair(const cn_detect *d, const cn_bodies *b, int slot, int l)
{
    int other = b->deformables->body[l].slot;
    double depth = cn_deformable_model(b->deformables, l)->skin.depth_least;
    return slot != other && cn_detect_between(d, b, slot, other) > depth;
}

static cn_status meet_facet_with_node(cn_detect *d, const cn_bodies *b, int box, int other,
                                      double reach, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    int k = mesh_of(d, box), node = node_of(d, m, box), l = mesh_of(d, other);
    int f = facet_of(d, m, other);
    cn_anchor own = anchor_of(m, k, node);
    bool is_fast = is_fast_pair(d, b, m->body[k].slot, l);
    cn_vec3 point = is_fast ? cn_anchor_velocity(m, &own, m->x) : anchor_place(m, &own);
    cn_spot spot;
    if (!find_spot(m, l, f, point, is_fast, &spot) || !is_facing(m, k, node, spot.normal, FACING) ||
        (k == l && spot.gap < -0.5 * reference_distance(m, &own, f))) {
        return CN_OK;
    }
    reach *= is_fast ? 2.0 : 1.0;
    cn_hit hit = {(uint64_t)(box - d->shape_count), l, f, spot.gap, spot, point, is_fast, false};
    return add_hit(d, m, &hit, reach, err);
}

// Corner c of a shape: its place, its rounding, and whether it is the lowest as seen along the
// normal, or nearly so.
static cn_vec3 corner_at(const cn_bodies *b, int s, int c, bool is_at_start)
{
    if (b->dim == 3) {
        cn_posed3 posed = is_at_start ? cn_body_posed3(b, s, b->q) : cn_body_posed3_mid(b, s);
        return cn_posed3_point(&posed, cn_solid_corner(&b->solid[s], c));
    }
    cn_posed posed = is_at_start ? cn_body_posed(b, s, b->q) : cn_body_posed_mid(b, s);
    cn_vec2 v = cn_posed_vertex(&posed, c);
    return cn_v3(v.x, v.y, 0.0);
}

static int corner_count(const cn_bodies *b, int s)
{
    return b->dim == 2 ? b->shape[s].vertex_count : cn_solid_corner_count(&b->solid[s]);
}

static bool is_lower(const cn_bodies *b, int s, int c, int other, cn_vec3 n)
{
    cn_vec3 along = cn_sub3(corner_at(b, s, other, false), corner_at(b, s, c, false));
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
    int count = corner_count(b, s);
    return count == 1 ||
           (is_lower(b, s, c, (c + 1) % count, n) && is_lower(b, s, c, (c + count - 1) % count, n));
}

// Where a round solid would touch the plane of a facet: these points are its probes (11.15).
static cn_status meet_facet_with_round(cn_detect *d, const cn_bodies *b, int s, int other,
                                       double reach, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    int l = mesh_of(d, other), f = facet_of(d, m, other);
    bool is_fast = is_fast_pair(d, b, cn_shape_body(b, s), l);
    reach *= is_fast ? 2.0 : 1.0;
    cn_vec3 corner[4], normal[3], origin = cn_v3(0.0, 0.0, 0.0);
    see_facet(m, l, f, is_fast, corner, normal);
    cn_solid below = {.kind = CN_SOLID_HALF_SPACE,
                      .body = -1,
                      .end = {corner[0], corner[0]},
                      .axis = facet_normal(m, l, f)};
    cn_posed3 plane = {&below, origin, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    cn_posed3 posed = is_fast ? cn_body_posed3(b, s, b->q) : cn_body_posed3_mid(b, s);
    cn_touch3 touch[CN_TOUCH3_MAX];
    int count = cn_narrow3(&posed, &plane, reach, touch);
    for (int k = 0; k < count; k++) {
        cn_hit hit = {.probe = CORNER | (uint64_t)s << 24 | (touch[k].feature & 0xffffffu),
                      .mesh = l,
                      .facet = f,
                      .is_fast = is_fast};
        // Points of a patch are in one plane, but gaps are heights over the half-space.
        double height = cn_dot3(below.axis, cn_sub3(touch[k].point, corner[0]));
        hit.point = cn_add_mul3(touch[k].point, touch[k].gap - height, below.axis);
        if (!find_spot(m, l, f, hit.point, is_fast, &hit.spot)) {
            continue;
        }
        hit.gap = hit.spot.gap;
        CN_TRY(add_hit(d, m, &hit, reach, err));
    }
    return CN_OK;
}

static cn_status meet_facet_with_shape(cn_detect *d, const cn_bodies *b, int s, int other,
                                       double reach, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    int l = mesh_of(d, other), f = facet_of(d, m, other);
    double radius = rounding_of(b, s);
    bool is_fast = is_fast_pair(d, b, cn_shape_body(b, s), l);
    reach *= is_fast ? 2.0 : 1.0;
    for (int c = 0; c < corner_count(b, s); c++) {
        cn_vec3 centre = corner_at(b, s, c, is_fast);
        cn_hit hit = {.probe = CORNER | (uint64_t)s << 24 | (uint64_t)c,
                      .mesh = l,
                      .facet = f,
                      .point = centre,
                      .is_fast = is_fast};
        if (!find_spot(m, l, f, centre, is_fast, &hit.spot) ||
            !is_low_corner(b, s, c, hit.spot.normal)) {
            continue;
        }
        hit.gap = hit.spot.gap - radius;
        hit.point = cn_add_mul3(centre, -radius, hit.spot.normal);
        CN_TRY(add_hit(d, m, &hit, reach, err));
    }
    return CN_OK;
}

cn_status cn_skins_meet(cn_detect *d, const cn_bodies *b, int a, int c, int law, double reach,
                        cn_error *err)
{
    if (kind_of(d, c) == HULL) {
        return cn_hulls_meet(d, b, a, c, law, reach, err);
    }
    if (kind_of(d, c) == NODE) {
        return meet_node(d, b, a, c, law, reach, err);
    }
    if (kind_of(d, a) == NODE) {
        return meet_facet_with_node(d, b, a, c, reach, err);
    }
    return is_round(b, a) ? meet_facet_with_round(d, b, a, c, reach, err)
                          : meet_facet_with_shape(d, b, a, c, reach, err);
}

// By probe and body, then the nearest facet first.
static int compare_hits(const void *x, const void *y)
{
    const cn_hit *a = x, *b = y;
    if (a->probe != b->probe) {
        return a->probe < b->probe ? -1 : 1;
    }
    if (a->mesh != b->mesh) {
        return a->mesh - b->mesh;
    }
    double gap_a = fabs(a->spot.gap), gap_b = fabs(b->spot.gap); // of the centre
    if (gap_a != gap_b) {
        return gap_a < gap_b ? -1 : 1;
    }
    return a->facet - b->facet;
}

static cn_anchor facet_anchor(const cn_deformables *m, const cn_hit *hit)
{
    cn_anchor anchor = {.mesh = hit->mesh, .count = m->dim};
    for (int k = 0; k < m->dim; k++) {
        anchor.node[k] = cn_deformable_model(m, hit->mesh)->skin.facet[m->dim * hit->facet + k];
        anchor.weight[k] = hit->spot.weight[k];
    }
    int fourth = cn_deformable_model(m, hit->mesh)->skin.fourth[hit->facet];
    if (fourth >= 0) {
        anchor.node[3] = fourth;
        anchor.weight[anchor.count++] = hit->spot.weight[3];
    }
    return anchor;
}

static int shape_of(const cn_hit *hit)
{
    return (int)(hit->probe >> 24 & 0x7fffffff);
}

static cn_status add_spot(cn_detect *d, const cn_bodies *b, const cn_rules *rules,
                          const cn_hit *hit, bool is_nearest, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    bool is_corner = (hit->probe & CORNER) != 0;
    int shape = is_corner ? shape_of(hit) : -1, own = -1, facet;
    int box = is_corner ? -1 : d->shape_count + (int)hit->probe;
    int of_probe = is_corner ? cn_shape_body(b, shape) : cn_skins_slot(d, b, box);
    int of_facet = m->body[hit->mesh].slot;
    uint32_t corner = (uint32_t)(hit->probe & 0xffffff) | 0x80000000u;
    if (!is_nearest) { // one for each facet, of at most two rounded corners
        corner = 0xa0000000u | (corner & 1u) << 28 | ((uint32_t)hit->facet & 0x0fffffffu);
    }
    uint32_t name = is_corner ? corner : name_of(m, mesh_of(d, box), node_of(d, m, box));
    CN_TRY(cn_skins_add_anchor(d, facet_anchor(m, hit), &facet, err));
    if (!is_corner) {
        cn_anchor anchor = anchor_of(m, mesh_of(d, box), node_of(d, m, box));
        CN_TRY(cn_skins_add_anchor(d, anchor, &own, err));
    }
    bool is_first = b->id[of_probe] <= b->id[of_facet];
    int i = is_first ? of_probe : of_facet, j = is_first ? of_facet : of_probe;
    // Two passes: nodes of the second body have names of their own.
    name |= !is_corner && !is_first ? 0x40000000u : 0;
    return cn_skins_add_point(
        d, b,
        &(cn_point){.i = i,
                    .j = j,
                    .law = rules->law[rules->group_count * b->group[i] + b->group[j]],
                    .feature = cn_skins_feature(b, i, is_first ? shape : -1, j,
                                                is_first ? -1 : shape, name),
                    .point = cn_add_mul3(hit->point, -0.5 * hit->gap, hit->spot.normal),
                    .normal = is_first ? hit->spot.normal : cn_neg3(hit->spot.normal),
                    .gap = hit->gap,
                    .is_fast = hit->is_fast,
                    .anchor = {is_first ? own : facet, is_first ? facet : own}},
        err);
}

static bool is_rounded(const cn_bodies *b, const cn_hit *hit)
{
    return (hit->probe & CORNER) != 0 && rounding_of(b, shape_of(hit)) > 0.0;
}

static bool is_of_round(const cn_bodies *b, const cn_hit *hit)
{
    return (hit->probe & CORNER) != 0 && is_round(b, shape_of(hit));
}

// Whether a probe is a sharp node of the coarser of two skins, where but one pass is made.
static bool is_sharp_only(const cn_detect *d, const cn_bodies *b, const cn_hit *hit)
{
    return (hit->probe & CORNER) == 0 &&
           !is_searching(b->deformables, mesh_of(d, d->shape_count + (int)hit->probe), hit->mesh);
}

// Whether the foot of a rounded corner, a round solid or a sharp node is a node, which meets the
// other itself.
static bool is_node(const cn_detect *d, const cn_bodies *b, const cn_hit *hit)
{
    const double *N = hit->spot.weight;
    double most = fmax(fmax(N[0], N[1]), b->dim == 3 ? fmax(N[2], N[3]) : 0.0);
    bool is_met = is_rounded(b, hit) || is_of_round(b, hit) || is_sharp_only(d, b, hit);
    return is_met && most > 1.0 - TWICE && !b->deformables->body[hit->mesh].is_mid_face;
}

// Whether a rounded corner meets another facet besides the nearest: a body that bends around it
// does so in many places, and nothing but these keeps it out between nodes (11.16).
static bool is_another(const cn_bodies *b, const cn_hit *hit, const cn_hit *nearest)
{
    const double *N = hit->spot.weight;
    double edge = cn_deformable_model(b->deformables, hit->mesh)->skin.edge;
    bool is_inside = N[0] >= 0.0 && N[1] >= 0.0 && (b->dim == 2 || N[2] >= 0.0);
    bool is_apart = cn_norm3(cn_sub3(hit->point, nearest->point)) > APART * edge;
    return is_rounded(b, hit) && is_inside && is_apart && hit->spot.is_exact &&
           hit->spot.gap > 0.0 && !hit->is_far;
}

cn_status cn_skins_choose(cn_detect *d, const cn_bodies *b, const cn_rules *rules, cn_error *err)
{
    if (d->hit_count == 0) {
        return CN_OK;
    }
    qsort(d->hit, (size_t)d->hit_count, sizeof *d->hit, compare_hits);
    const cn_hit *nearest = d->hit;
    for (int n = 0; n < d->hit_count; n++) {
        const cn_hit *hit = &d->hit[n];
        bool is_first = n == 0 || hit->probe != hit[-1].probe || hit->mesh != hit[-1].mesh;
        nearest = is_first ? hit : nearest;
        bool is_met = is_first ? !hit->is_far : is_another(b, hit, nearest);
        if (is_met && !is_node(d, b, hit)) {
            CN_TRY(add_spot(d, b, rules, hit, is_first, err));
        }
    }
    return CN_OK;
}
