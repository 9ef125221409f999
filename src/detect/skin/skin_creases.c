// detect/skin/skin_creases.c -- sharp edges of deformable bodies in space against rigid shapes.
//
// Between the nodes of a crease neither a node nor the foot of a probe on a facet says that a ball
// leans on it or that an edge crosses it. The normal of such a point leads away from both facets of
// the crease, and, at an edge of a polyhedron, into both of its faces (11.15).
#include <math.h>

#include "detect/skin/skin_parts.h"

static const double AT_END = 1e-3;   // of the crease: nearer to a node than this the node meets it
static const double LEVEL = 1e-6;    // sine up to which a normal counts as that of a facet
static const double PARALLEL = 1e-3; // sine up to which edges side by side do not cross

// A crease at the moment at which the pair is looked at.
typedef struct crease {
    int mesh, facet, edge;
    cn_vec3 end[2], along; // its nodes; along is not of unit length
    cn_vec3 beyond[2];     // unit, in each of its facets, away from it
} crease;

// An edge of a shape, rounded or with the normals of its faces.
typedef struct rod {
    cn_vec3 end[2], along, face[2];
    double radius;
    bool is_sharp;
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

static bool leads_away(const crease *x, cn_vec3 n)
{
    return cn_dot3(n, x->beyond[0]) >= -LEVEL && cn_dot3(n, x->beyond[1]) >= -LEVEL;
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
        if (is_between(place) && gap > 0.0 && leads_away(&x, unit(away))) {
            hit->spot = spot_of(&x, place, unit(away), gap);
            return true;
        }
    }
    return false;
}

static int rod_count(const cn_solid *s)
{
    return s->hull != NULL ? s->hull->edge_count : cn_solid_corner_count(s) - 1;
}

static rod rod_at(const cn_posed3 *p, double radius, int k)
{
    const cn_solid *solid = p->solid;
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
    return !e->is_sharp || (cn_dot3(n, beyond) <= LEVEL && cn_dot3(n, beyond_other) <= LEVEL);
}

// Where an edge crosses a crease: both have their point between their ends, whichever is behind.
static bool find_crossing(const crease *x, const rod *e, cn_hit *hit)
{
    cn_vec3 apart = cn_sub3(e->end[0], x->end[0]), across = cn_cross3(x->along, e->along);
    double squared = cn_dot3(across, across);
    double least = PARALLEL * PARALLEL * cn_dot3(x->along, x->along) * cn_dot3(e->along, e->along);
    if (!(squared > least)) {
        return false;
    }
    double place = cn_dot3(cn_cross3(apart, e->along), across) / squared;
    double place_rod = cn_dot3(cn_cross3(apart, x->along), across) / squared;
    if (!is_between(place) || !is_between(place_rod)) {
        return false;
    }
    cn_vec3 n = cn_mul3(1.0 / sqrt(squared), across);
    n = cn_dot3(n, cn_add3(x->beyond[0], x->beyond[1])) < 0.0 ? cn_neg3(n) : n;
    double gap = cn_dot3(n, apart);
    if (!leads_away(x, n) || !leads_into(e, n) || (!e->is_sharp && !(gap > 0.0))) {
        return false;
    }
    hit->spot = spot_of(x, place, n, gap);
    hit->gap = gap - e->radius;
    hit->point = cn_add_mul3(cn_add_mul3(e->end[0], place_rod, e->along), -e->radius, n);
    return true;
}

cn_status cn_skin_meet_creases(cn_detect *d, const cn_bodies *b, int s, int other, double reach,
                               cn_error *err)
{
    const cn_deformables *m = b->deformables;
    int l = cn_skin_mesh(d, other), f = cn_skin_facet(d, m, other);
    const cn_skin *skin = &cn_deformable_model(m, l)->skin;
    bool is_fast = cn_skin_is_fast(d, b, cn_shape_body(b, s), l);
    cn_posed3 p = is_fast ? cn_body_posed3(b, s, b->q) : cn_body_posed3_mid(b, s);
    double radius = cn_skin_rounding(b, s);
    reach *= is_fast ? 2.0 : 1.0;
    for (int edge = 0; edge < 3; edge++) {
        if (skin->crease[3 * f + edge] < 0) {
            continue;
        }
        crease x = crease_at(m, l, f, edge, is_fast);
        for (int k = 0; k < rod_count(&b->solid[s]); k++) {
            rod e = rod_at(&p, radius, k);
            uint32_t name = (uint32_t)k * 0x9e3779b1u + (uint32_t)(3 * f + edge);
            cn_hit hit = {.probe = cn_skin_probe(s, CN_SKIN_CROSSING | (name & 0xfffffffu)),
                          .mesh = l,
                          .facet = f,
                          .is_fast = is_fast};
            if (find_crossing(&x, &e, &hit) && hit.spot.gap >= -skin->depth[f]) {
                CN_TRY(cn_skin_add_hit(d, m, &hit, reach, err));
            }
        }
    }
    return CN_OK;
}
