// detect/skin/skin_choose.c -- contact points of the probes that lie over facets, theory 11.15 and
// 11.16.
//
// Of all facets of one body near a probe the nearest is taken, so that a probe has one point with
// each body, wherever between the nodes it slides.
#include <math.h>
#include <stdlib.h>

#include "detect/skin/skin_parts.h"

static const double DEEP = 1e-2;  // of an edge: depths that are doubted, and by how much less the
static const double NEARER = 0.9; // skin has to be away [-]
static const double APART = 0.05; // of an edge: feet of one probe on facets that differ
static const double TWICE = 1e-3; // of a facet: a foot this near to a node is that node
static const double SHARP = 0.1;  // the same for sharp nodes of matching meshes that have slipped
static const double OPPOSITE = -0.9; // cosine of the normals there: they lie on each other [-]

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
    return (int)(hit->probe >> 32 & 0x7fffffff);
}

static cn_status add_spot(cn_detect *d, const cn_bodies *b, const cn_rules *rules,
                          const cn_hit *hit, bool is_nearest, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    bool is_corner = (hit->probe & CN_SKIN_CORNER) != 0;
    int shape = is_corner ? shape_of(hit) : -1, own = -1, facet;
    int box = is_corner ? -1 : d->shape_count + (int)hit->probe;
    int of_probe = is_corner ? cn_shape_body(b, shape) : cn_skins_slot(d, b, box);
    int of_facet = m->body[hit->mesh].slot;
    uint32_t corner = (uint32_t)hit->probe | 0x80000000u;
    if (!is_nearest) { // one for each facet, of at most two rounded corners
        corner = 0xa0000000u | (corner & 1u) << 28 | ((uint32_t)hit->facet & 0x0fffffffu);
    }
    uint32_t name =
        is_corner ? corner : cn_skin_name(m, cn_skin_mesh(d, box), cn_skin_node(d, m, box));
    CN_TRY(cn_skins_add_anchor(d, facet_anchor(m, hit), &facet, err));
    if (!is_corner) {
        cn_anchor anchor = cn_skin_anchor(m, cn_skin_mesh(d, box), cn_skin_node(d, m, box));
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
    return (hit->probe & CN_SKIN_CORNER) != 0 && cn_skin_rounding(b, shape_of(hit)) > 0.0;
}

static bool is_of_round(const cn_bodies *b, const cn_hit *hit)
{
    return (hit->probe & CN_SKIN_CORNER) != 0 && cn_skin_is_round(b, shape_of(hit));
}

// Whether a probe is a sharp node of the coarser of two skins, where but one pass is made.
static bool is_sharp_only(const cn_detect *d, const cn_bodies *b, const cn_hit *hit)
{
    return (hit->probe & CN_SKIN_CORNER) == 0 &&
           !cn_skin_is_searching(b->deformables, cn_skin_mesh(d, d->shape_count + (int)hit->probe),
                                 hit->mesh);
}

// Whether the node of a facet that is nearest to the foot of a sharp node meets the body of that
// node, and on the face that lies there: where bodies have slipped it may be beside that body, or
// beside the corner, at its other face.
static bool is_node_met(const cn_detect *d, const cn_deformables *m, const cn_hit *hit)
{
    const cn_skin *skin = &cn_deformable_model(m, hit->mesh)->skin;
    cn_anchor foot = facet_anchor(m, hit);
    int nearest = 0, of_probe = cn_skin_mesh(d, d->shape_count + (int)hit->probe);
    for (int n = 1; n < foot.count; n++) {
        nearest = foot.weight[n] > foot.weight[nearest] ? n : nearest;
    }
    uint64_t node = (uint64_t)(m->node_start[hit->mesh] + skin->place[foot.node[nearest]]);
    int low = 0, high = d->hit_count; // hits of a probe follow each other, the nearest first
    while (low < high) {
        int middle = low + (high - low) / 2;
        const cn_hit *at = &d->hit[middle];
        bool is_before = at->probe < node || (at->probe == node && at->mesh < of_probe);
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low < d->hit_count && d->hit[low].probe == node && d->hit[low].mesh == of_probe &&
           !d->hit[low].is_far && cn_dot3(d->hit[low].spot.normal, hit->spot.normal) < OPPOSITE;
}

// Whether the foot of a rounded corner, a round solid or a sharp node is a node, which meets the
// other itself.
static bool is_node(const cn_detect *d, const cn_bodies *b, const cn_hit *hit)
{
    const double *N = hit->spot.weight;
    double most = fmax(fmax(N[0], N[1]), b->dim == 3 ? fmax(N[2], N[3]) : 0.0);
    bool is_sharp = is_sharp_only(d, b, hit);
    bool is_met = is_rounded(b, hit) || is_of_round(b, hit) || is_sharp;
    return is_met && most > 1.0 - (is_sharp ? SHARP : TWICE) &&
           !b->deformables->body[hit->mesh].is_mid_face &&
           (!is_sharp || is_node_met(d, b->deformables, hit));
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

// Square of the distance of a point from a facet in space.
static double distance2_from_facet(const cn_vec3 corner[3], cn_vec3 point)
{
    cn_vec3 n = cn_cross3(cn_sub3(corner[1], corner[0]), cn_sub3(corner[2], corner[0]));
    double least = INFINITY;
    bool is_over = true;
    for (int k = 0; k < 3; k++) {
        cn_vec3 along = cn_sub3(corner[(k + 1) % 3], corner[k]), way = cn_sub3(point, corner[k]);
        double place = cn_dot3(way, along) / cn_dot3(along, along);
        cn_vec3 off = cn_add_mul3(way, -fmin(fmax(place, 0.0), 1.0), along);
        least = fmin(least, cn_dot3(off, off));
        is_over = is_over && cn_dot3(cn_cross3(n, along), way) >= 0.0;
    }
    double height = cn_dot3(n, cn_sub3(point, corner[0]));
    return is_over ? height * height / cn_dot3(n, n) : least;
}

// Whether the skin is nearer to a point of a round solid than the facet behind which it is: lowest
// points are those of one facet, and no other facet has looked at them.
static bool is_beside_skin(const cn_bodies *b, const cn_hit *hit)
{
    const cn_deformables *m = b->deformables;
    const cn_skin *skin = &cn_deformable_model(m, hit->mesh)->skin;
    if (!is_of_round(b, hit) || !(hit->spot.gap < -DEEP * skin->edge)) {
        return false;
    }
    double deep = NEARER * hit->spot.gap;
    for (int f = 0; f < skin->facet_count; f++) {
        cn_vec3 corner[4], normal[3];
        cn_skin_see_facet(m, hit->mesh, f, hit->is_fast, corner, normal);
        if (distance2_from_facet(corner, hit->point) < deep * deep) {
            return true;
        }
    }
    return false;
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
        if (is_met && !is_node(d, b, hit) && !is_beside_skin(b, hit)) {
            CN_TRY(add_spot(d, b, rules, hit, is_first, err));
        }
    }
    return CN_OK;
}
