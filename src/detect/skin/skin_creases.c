// detect/skin/skin_creases.c -- sharp edges of deformable bodies in space against rigid shapes and
// against each other.
//
// Between the nodes of a crease neither a node nor the foot of a probe on a facet says that a ball
// leans on it or that an edge crosses it. The normal of such a point leads away from both facets of
// the crease, and, at an edge of a polyhedron or of another mesh, into both of its faces (11.15).
#include <math.h>

#include "base/hash.h"
#include "detect/skin/skin_parts.h"

static const double AT_END = 1e-3; // of the crease: nearer to a node than this the node meets it
static const double LEVEL = 1e-6;  // sine up to which a normal counts as that of a facet
static const double TILT = 5e-2;   // the same where edges cross: flat faces that lie on each other
                                   // bend by strains, and their crossings do not come and go
static const double PARALLEL = 1e-3; // sine up to which edges side by side do not cross

enum { HALVINGS = 40 }; // of a crease, to where it is deepest in a solid without edges

// A crease at the moment at which the pair is looked at.
typedef struct crease {
    int mesh, facet, edge;
    cn_vec3 end[2], along; // its nodes; along is not of unit length
    cn_vec3 beyond[2];     // unit, in each of its facets, away from it
} crease;

// An edge of a shape, rounded or with the normals of its faces; or a solid without edges.
typedef struct rod {
    cn_vec3 end[2], along, face[2];
    double radius;
    bool is_sharp;
    const cn_posed3 *round;
} rod;

static cn_vec3 unit(cn_vec3 a)
{
    return cn_mul3(1.0 / cn_norm3(a), a);
}

static crease crease_at(const cn_deformables *m, int k, int f, int edge, bool is_at_start)
{
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    cn_vec3 corner[4], normal[3];
    cn_skin_see_facet(m, k, f, is_at_start, corner, normal);
    crease x = {.mesh = k, .facet = f, .edge = edge};
    x.end[0] = corner[edge];
    x.end[1] = corner[(edge + 1) % 3];
    x.along = cn_sub3(x.end[1], x.end[0]);
    x.beyond[0] = unit(cn_cross3(x.along, cn_skin_facet_normal(m, k, f)));
    x.beyond[1] = unit(cn_cross3(cn_skin_facet_normal(m, k, skin->crease[3 * f + edge]), x.along));
    return x;
}

static bool leads_away(const crease *x, cn_vec3 n, double level)
{
    return cn_dot3(n, x->beyond[0]) >= -level && cn_dot3(n, x->beyond[1]) >= -level;
}

static bool is_between(double place)
{
    return place > AT_END && place < 1.0 - AT_END;
}

// The spot of a point that stands over the crease at `place` along n.
static cn_spot spot_of(const crease *x, double place, cn_vec3 n, double gap)
{
    cn_spot spot = {.normal = n, .gap = gap, .is_exact = true};
    spot.weight[x->edge] = 1.0 - place;
    spot.weight[(x->edge + 1) % 3] = place;
    return spot;
}

bool cn_skin_find_crease(const cn_deformables *m, cn_vec3 point, bool is_at_start, cn_hit *hit)
{
    const int *across = cn_deformable_model(m, hit->mesh)->skin.crease + 3 * hit->facet;
    for (int edge = 0; edge < 3; edge++) {
        if (across[edge] < 0) {
            continue;
        }
        crease x = crease_at(m, hit->mesh, hit->facet, edge, is_at_start);
        double place = cn_dot3(x.along, cn_sub3(point, x.end[0])) / cn_dot3(x.along, x.along);
        cn_vec3 away = cn_sub3(point, cn_add_mul3(x.end[0], place, x.along));
        double gap = cn_norm3(away);
        if (is_between(place) && gap > 0.0 && leads_away(&x, unit(away), LEVEL)) {
            hit->spot = spot_of(&x, place, unit(away), gap);
            return true;
        }
    }
    return false;
}

static bool is_round(const cn_solid *s)
{
    return cn_solid_corner_count(s) == 0;
}

static int rod_count(const cn_solid *s)
{
    return s->hull != NULL ? s->hull->edge_count : is_round(s) ? 1 : cn_solid_corner_count(s) - 1;
}

static rod rod_at(const cn_posed3 *p, double radius, int k)
{
    const cn_solid *solid = p->solid;
    if (is_round(solid)) {
        return (rod){.round = p};
    }
    rod x = {.radius = radius, .is_sharp = solid->hull != NULL};
    for (int side = 0; side < 2; side++) {
        int corner = x.is_sharp ? solid->hull->edge[k][side] : side;
        x.end[side] = cn_posed3_point(p, cn_solid_corner(solid, corner));
        if (x.is_sharp) {
            x.face[side] = cn_mat3_mul(&p->R, solid->hull->normal[solid->hull->edge_face[k][side]]);
        }
    }
    x.along = cn_sub3(x.end[1], x.end[0]);
    return x;
}

// Whether n leads into both faces of a sharp edge: its opposite is between their normals.
static bool leads_into(const rod *e, cn_vec3 n)
{
    double bend = cn_dot3(e->face[0], e->face[1]);
    cn_vec3 beyond = cn_add_mul3(e->face[1], -bend, e->face[0]);
    cn_vec3 beyond_other = cn_add_mul3(e->face[0], -bend, e->face[1]);
    return !e->is_sharp || (cn_dot3(n, beyond) <= TILT && cn_dot3(n, beyond_other) <= TILT);
}

// A point of a crease against a solid without edges: its gap, the normal to it, and how that
// changes along the crease. False if it is out of reach.
typedef struct stand {
    double gap, slope;
    cn_vec3 n;
} stand;

static bool stand_at(const crease *x, double place, const cn_posed3 *round, stand *s)
{
    cn_solid solid = {.kind = CN_SOLID_SPHERE, .body = -1};
    cn_posed3 point = {
        &solid, cn_add_mul3(x->end[0], place, x->along), {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    cn_touch3 touch[CN_TOUCH3_MAX];
    int count = cn_narrow3(&point, round, cn_norm3(x->along), touch);
    if (count == 0) {
        return false;
    }
    cn_skin_look look = cn_skin_deepest(touch, count);
    *s = (stand){look.gap, cn_dot3(look.normal, x->along), look.normal};
    return true;
}

// Where a crease is deepest in a solid without edges, or nearest to it: its distance from what is
// convex is convex. Where the nearest face of the solid changes there, the normal is across the
// crease between the normals of both, and the gap is the way along it (11.16).
static bool find_round(const crease *x, const cn_posed3 *round, cn_hit *hit)
{
    stand at[2], middle;
    double low = 0.0, high = 1.0;
    if (!stand_at(x, low, round, &at[0]) || !stand_at(x, high, round, &at[1]) ||
        !(at[0].slope < 0.0) || !(at[1].slope > 0.0)) {
        return false;
    }
    for (int k = 0; k < HALVINGS; k++) {
        double place = 0.5 * (low + high);
        if (!stand_at(x, place, round, &middle)) {
            return false;
        }
        bool is_before = middle.slope < 0.0;
        low = is_before ? place : low;
        high = is_before ? high : place;
        at[is_before ? 0 : 1] = middle;
    }
    cn_vec3 across =
        cn_sub3(cn_mul3(at[1].slope, at[0].n), cn_mul3(at[0].slope, at[1].n)); // towards the crease
    double length = cn_norm3(across);
    cn_vec3 n = length > 0.0 ? cn_mul3(-1.0 / length, across) : cn_neg3(at[1].n);
    if (!is_between(low) || !leads_away(x, n, TILT)) {
        return false;
    }
    hit->gap = length > 0.0 ? at[0].gap * (at[1].slope - at[0].slope) / length : at[1].gap;
    hit->spot = spot_of(x, low, n, hit->gap);
    hit->point = cn_add_mul3(cn_add_mul3(x->end[0], low, x->along), hit->gap, n);
    return true;
}

// Where an edge crosses a crease: both have their point between their ends, whichever is behind.
// *place is that on the edge.
static bool find_crossing(const crease *x, const rod *e, cn_hit *hit, double *place)
{
    if (e->round != NULL) {
        return find_round(x, e->round, hit);
    }
    cn_vec3 apart = cn_sub3(e->end[0], x->end[0]), across = cn_cross3(x->along, e->along);
    double squared = cn_dot3(across, across);
    double least = PARALLEL * PARALLEL * cn_dot3(x->along, x->along) * cn_dot3(e->along, e->along);
    if (!(squared > least)) {
        return false;
    }
    double own = cn_dot3(cn_cross3(apart, e->along), across) / squared;
    *place = cn_dot3(cn_cross3(apart, x->along), across) / squared;
    if (!is_between(own) || !is_between(*place)) {
        return false;
    }
    cn_vec3 n = cn_mul3(1.0 / sqrt(squared), across);
    n = cn_dot3(n, cn_add3(x->beyond[0], x->beyond[1])) < 0.0 ? cn_neg3(n) : n;
    double gap = cn_dot3(n, apart);
    if (!leads_away(x, n, TILT) || !leads_into(e, n) || (!e->is_sharp && !(gap > 0.0))) {
        return false;
    }
    hit->spot = spot_of(x, own, n, gap);
    hit->gap = gap - e->radius;
    hit->point = cn_add_mul3(cn_add_mul3(e->end[0], *place, e->along), -e->radius, n);
    return true;
}

// Whether what is `deep` behind a crease along n is no deeper behind either of its facets than the
// body is thick there (11.15): the edge of a plate reaches no farther in than the plate.
static bool is_within(const cn_deformables *m, const crease *x, cn_vec3 n, double deep)
{
    const cn_skin *skin = &cn_deformable_model(m, x->mesh)->skin;
    const int facet[2] = {x->facet, skin->crease[3 * x->facet + x->edge]};
    for (int k = 0; k < 2; k++) {
        if (deep * cn_dot3(n, cn_skin_facet_normal(m, x->mesh, facet[k])) > skin->depth[facet[k]]) {
            return false;
        }
    }
    return true;
}

// A crease and an edge at q_mid and, of a fast pair, where it starts; of two meshes the crease that
// is the edge.
typedef struct crossing {
    crease x[2], own;
    rod e[2];
    bool is_fast;
} crossing;

// Where they cross: at q_mid, or where a fast pair starts if it does not just slide there.
static bool choose_crossing(const cn_deformables *m, const crossing *c, cn_hit *hit, double *place)
{
    double depth = cn_deformable_model(m, hit->mesh)->skin.depth[hit->facet], place_start;
    cn_hit start = *hit;
    bool is_there = find_crossing(&c->x[0], &c->e[0], hit, place);
    if (c->is_fast) {
        if (!find_crossing(&c->x[1], &c->e[1], &start, &place_start)) {
            return false;
        }
        is_there = is_there && cn_skin_slides(m, (cn_skin_look){start.spot.normal, start.gap},
                                              (cn_skin_look){hit->spot.normal, hit->gap}, depth);
        if (!is_there) {
            *hit = start;
            *place = place_start;
            hit->is_fast = is_there = true;
        }
    }
    return is_there && hit->spot.gap >= -depth &&
           is_within(m, &c->x[0], hit->spot.normal, -hit->spot.gap);
}

cn_status cn_skin_meet_creases(cn_detect *d, const cn_bodies *b, int s, int other, double reach,
                               cn_error *err)
{
    const cn_deformables *m = b->deformables;
    int l = cn_skin_mesh(d, other), f = cn_skin_facet(d, m, other);
    const cn_skin *skin = &cn_deformable_model(m, l)->skin;
    crossing c = {.is_fast = cn_skin_is_fast(d, b, cn_shape_body(b, s), l)};
    cn_posed3 mid = cn_body_posed3_mid(b, s), start = cn_body_posed3(b, s, b->q);
    double radius = cn_skin_rounding(b, s), place = 0.0;
    for (int edge = 0; edge < 3; edge++) {
        if (skin->crease[3 * f + edge] < 0) {
            continue;
        }
        for (int then = 0; then < (c.is_fast ? 2 : 1); then++) {
            c.x[then] = crease_at(m, l, f, edge, then != 0);
        }
        for (int k = 0; k < rod_count(&b->solid[s]); k++) {
            for (int then = 0; then < (c.is_fast ? 2 : 1); then++) {
                c.e[then] = rod_at(then == 0 ? &mid : &start, radius, k);
            }
            uint32_t name = (uint32_t)k * 0x9e3779b1u + (uint32_t)(3 * f + edge);
            cn_hit hit = {.probe = cn_skin_probe(s, CN_SKIN_CROSSING | (name & 0xfffffffu)),
                          .mesh = l,
                          .facet = f};
            if (choose_crossing(m, &c, &hit, &place)) {
                CN_TRY(cn_skin_add_hit(d, m, &hit, hit.is_fast ? 2.0 * reach : reach, err));
            }
        }
    }
    return CN_OK;
}

// ---- two meshes

bool cn_skin_has_crease(const cn_deformables *m, int k, int f)
{
    const int *across = cn_deformable_model(m, k)->skin.crease + 3 * f;
    return m->dim == 3 && !m->body[k].is_mid_face &&
           (across[0] >= 0 || across[1] >= 0 || across[2] >= 0);
}

static rod rod_of_crease(const cn_deformables *m, const crease *x)
{
    int across = cn_deformable_model(m, x->mesh)->skin.crease[3 * x->facet + x->edge];
    return (rod){.end = {x->end[0], x->end[1]},
                 .along = x->along,
                 .face = {cn_skin_facet_normal(m, x->mesh, x->facet),
                          cn_skin_facet_normal(m, x->mesh, across)},
                 .is_sharp = true};
}

static cn_anchor anchor_on(const cn_deformables *m, const crease *x, double place)
{
    const int *node = cn_deformable_model(m, x->mesh)->skin.facet + 3 * x->facet;
    return (cn_anchor){.mesh = x->mesh,
                       .count = 2,
                       .node = {node[x->edge], node[(x->edge + 1) % 3]},
                       .weight = {1.0 - place, place}};
}

// A crossing of creases of bodies i and j as a contact.
static cn_status add_crossing(cn_detect *d, const cn_bodies *b, const crossing *c,
                              const cn_hit *hit, double place, int law, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    const crease *x = &c->x[0], *own = &c->own;
    double along = hit->spot.weight[(x->edge + 1) % 3];
    int i = m->body[own->mesh].slot, j = m->body[x->mesh].slot;
    uint64_t name =
        cn_mix2((uint64_t)(3 * own->facet + own->edge), (uint64_t)(3 * x->facet + x->edge));
    cn_point point = {.i = i,
                      .j = j,
                      .law = law,
                      .feature = cn_skins_feature(b, i, -1, j, -1,
                                                  CN_SKIN_CREASES | (uint32_t)(name & 0x7fffffffu)),
                      .point = cn_add_mul3(hit->point, -0.5 * hit->gap, hit->spot.normal),
                      .normal = hit->spot.normal,
                      .gap = hit->gap,
                      .is_fast = hit->is_fast};
    CN_TRY(cn_skins_add_anchor(d, anchor_on(m, own, place), &point.anchor[0], err));
    CN_TRY(cn_skins_add_anchor(d, anchor_on(m, x, along), &point.anchor[1], err));
    return cn_skins_add_point(d, b, &point, err);
}

cn_status cn_skin_cross_creases(cn_detect *d, const cn_bodies *b, int box, int other, int law,
                                double reach, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    bool is_first = b->id[cn_skins_slot(d, b, box)] < b->id[cn_skins_slot(d, b, other)];
    int one = is_first ? box : other, two = is_first ? other : box;
    int k = cn_skin_mesh(d, one), l = cn_skin_mesh(d, two);
    int f = cn_skin_facet(d, m, one), g = cn_skin_facet(d, m, two);
    const int *of_f = cn_deformable_model(m, k)->skin.crease + 3 * f;
    const int *of_g = cn_deformable_model(m, l)->skin.crease + 3 * g;
    double depth = cn_deformable_model(m, k)->skin.depth[f], place;
    crossing c = {.is_fast = cn_skin_is_fast(d, b, m->body[k].slot, l) ||
                             cn_skin_is_fast(d, b, m->body[l].slot, k)};
    for (int n = 0; n < 9; n++) {
        int edge = n / 3, across = n % 3;
        if (of_f[edge] < 0 || of_g[across] < 0) {
            continue;
        }
        for (int then = c.is_fast ? 1 : 0; then >= 0; then--) {
            c.own = crease_at(m, k, f, edge, then != 0);
            c.e[then] = rod_of_crease(m, &c.own);
            c.x[then] = crease_at(m, l, g, across, then != 0);
        }
        cn_hit hit = {.mesh = l, .facet = g};
        if (choose_crossing(m, &c, &hit, &place) && hit.gap >= -depth &&
            is_within(m, &c.own, cn_neg3(hit.spot.normal), -hit.gap) &&
            hit.gap <= (hit.is_fast ? 2.0 * reach : reach)) {
            CN_TRY(add_crossing(d, b, &c, &hit, place, law, err));
        }
    }
    return CN_OK;
}
