// detect/skin/skin_points.c -- contact points of deformable bodies, theory 11.13 to 11.17.
//
// A node of a skin is a disk or sphere of radius 0 and meets rigid shapes as such; of bodies that
// want it so the middles of facets stand for the nodes. What meets facets is in skin_facets.c.
#include <math.h>

#include "detect/skin/skin_parts.h"

static const double FACING_SHAPE = -0.7; // cosine of normals of nodes and of shapes, at most
static const double RESOLVED = 1.0;      // radius over edge of facets from which nodes see a shape

int cn_skins_slot(const cn_detect *d, const cn_bodies *b, int box)
{
    return box < d->shape_count ? cn_shape_body(b, box)
                                : b->deformables->body[cn_skin_mesh(d, box)].slot;
}

static cn_box3 grown(cn_vec3 lo, cn_vec3 hi, double by)
{
    cn_vec3 all = cn_v3(by, by, by);
    return (cn_box3){cn_sub3(lo, all), cn_add3(hi, all)};
}

// What is covered stands where it is, so that little looks at it.
static bool is_covered(const cn_detect *d, int part)
{
    return d->covered != NULL && d->covered[part] != 0;
}

static cn_box3 facet_box(const cn_deformables *m, int k, const int *facet, double by)
{
    cn_vec3 lo = cn_skin_place(m, k, facet[0]), hi = lo;
    for (int n = 1; n < m->dim; n++) {
        cn_vec3 x = cn_skin_place(m, k, facet[n]);
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
            cn_anchor anchor = cn_skin_anchor(m, k, part - m->node_start[k]);
            cn_vec3 x = cn_skin_anchor_place(m, &anchor),
                    start = cn_anchor_velocity(m, &anchor, m->x);
            d->owner[part] = k;
            if (is_covered(d, part)) {
                d->box[d->shape_count + part] = grown(x, x, 0.0);
                continue;
            }
            d->box[d->shape_count + part] =
                grown(cn_v3(fmin(x.x, start.x), fmin(x.y, start.y), fmin(x.z, start.z)),
                      cn_v3(fmax(x.x, start.x), fmax(x.y, start.y), fmax(x.z, start.z)), by);
        }
        for (int f = 0; f < skin->facet_count; f++) {
            int part = d->node_count + m->facet_start[k] + f;
            d->owner[part] = k;
            if (is_covered(d, part)) {
                cn_vec3 corner = cn_skin_place(m, k, skin->facet[m->dim * f]);
                d->box[d->shape_count + part] = grown(corner, corner, 0.0);
                continue;
            }
            d->box[d->shape_count + part] = // what is behind it touches it, too
                facet_box(m, k, skin->facet + m->dim * f, by + skin->depth[f]);
        }
    }
    return cn_hulls_place(d, b, err);
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

// Whether a node is at a corner or an edge of its body: it would dig in between the nodes of a
// finer skin, so it looks for facets, too (11.17).
static bool is_sharp(const cn_deformables *m, int k, int node)
{
    return !m->body[k].is_mid_face && !cn_deformable_model(m, k)->skin.is_smooth[node];
}

bool cn_skins_may_pair(const cn_detect *d, const cn_bodies *b, int a, int c)
{
    const cn_deformables *m = b->deformables;
    cn_skin_box first = cn_skin_box_kind(d, a),
                second = cn_skin_box_kind(d, c); // in this order, since a < c
    if (second == CN_BOX_HULL) {                 // as a whole
        return first == CN_BOX_SHAPE || first == CN_BOX_HULL;
    }
    if (cn_hulls_has(b, cn_skin_mesh(d, c)) &&
        (first == CN_BOX_SHAPE || cn_hulls_has(b, cn_skin_mesh(d, a)))) {
        return false;
    }
    if (is_covered(d, c - d->shape_count) ||
        (first != CN_BOX_SHAPE && is_covered(d, a - d->shape_count))) {
        return false;
    }
    if (first == CN_BOX_SHAPE) {
        return second == CN_BOX_NODE || cn_skin_has_corners(b, a) || cn_skin_is_round(b, a);
    }
    int k = cn_skin_mesh(d, a), l = cn_skin_mesh(d, c);
    if (first == CN_BOX_FACET && second == CN_BOX_FACET) {
        return k != l && cn_skin_has_crease(m, k, cn_skin_facet(d, m, a)) &&
               cn_skin_has_crease(m, l, cn_skin_facet(d, m, c));
    }
    if (first == second) {
        return false;
    }
    if (!cn_skin_is_searching(m, k, l) && (k == l || !is_sharp(m, k, cn_skin_node(d, m, a)))) {
        return false;
    }
    cn_anchor anchor = cn_skin_anchor(m, k, cn_skin_node(d, m, a));
    return k != l || !is_shared(m, cn_skin_facet(d, m, c), &anchor);
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
    double radius = cn_skin_rounding(b, s);
    if (!cn_skin_has_corners(b, s) || cn_shape_is_hollow(b, s) || !(radius > 0.0) ||
        radius > RESOLVED * skin->edge || m->body[k].is_mid_face || !skin->is_smooth[node]) {
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
    int k = cn_skin_mesh(d, box), node = cn_skin_node(d, m, box);
    int of_node = m->body[k].slot, of_shape = cn_shape_body(b, s), anchor;
    cn_anchor own = cn_skin_anchor(m, k, node);
    cn_touch3 touch;
    // A node that moves past the thickness of the shape is met where it starts (6.1).
    bool is_fast = cn_detect_between(d, b, of_node, of_shape) > 0.5 * cn_shape_size(b, s);
    cn_vec3 place = is_fast ? cn_anchor_velocity(m, &own, m->x) : cn_skin_anchor_place(m, &own);
    bool is_met = touch_node(b, s, place, is_fast, is_fast ? 2.0 * reach : reach, &touch);
    cn_vec3 place_mid = cn_skin_anchor_place(m, &own);
    cn_touch3 mid;
    if (is_fast && is_met && touch_node(b, s, place_mid, false, reach, &mid) &&
        cn_skin_slides(m, cn_skin_deepest(&touch, 1), cn_skin_deepest(&mid, 1),
                       0.5 * cn_shape_size(b, s))) {
        is_fast = false;
        place = place_mid;
        touch = mid;
    }
    // The skin looks at the shape there: a corner that slides along it does not run into the node.
    if (!is_met || !cn_skin_is_facing(m, k, node, touch.normal, FACING_SHAPE) ||
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
                                                cn_skin_name(m, k, node)),
                    .point = touch.point,
                    .normal = is_first ? touch.normal : cn_neg3(touch.normal),
                    .gap = touch.gap,
                    .is_fast = is_fast,
                    .anchor = {is_first ? anchor : -1, is_first ? -1 : anchor}},
        err);
}

cn_status cn_skins_meet(cn_detect *d, const cn_bodies *b, int a, int c, int law, double reach,
                        cn_error *err)
{
    if (cn_skin_box_kind(d, c) == CN_BOX_HULL) {
        return cn_hulls_meet(d, b, a, c, law, reach, err);
    }
    if (cn_skin_box_kind(d, a) == CN_BOX_FACET) {
        return cn_skin_cross_creases(d, b, a, c, law, reach, err);
    }
    return cn_skin_box_kind(d, c) == CN_BOX_NODE ? meet_node(d, b, a, c, law, reach, err)
                                                 : cn_skin_meet_facet(d, b, a, c, reach, err);
}
