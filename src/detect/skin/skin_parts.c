// detect/skin/skin_parts.c -- see skin_parts.h.
#include "detect/skin/skin_parts.h"

#include <math.h>

static const double SAME_SIDE = 0.5; // cosine between normals of a place that slides [-]

cn_skin_box cn_skin_box_kind(const cn_detect *d, int box)
{
    int nodes = d->shape_count, facets = nodes + d->node_count, hulls = facets + d->facet_count;
    return box < nodes    ? CN_BOX_SHAPE
           : box < facets ? CN_BOX_NODE
           : box < hulls  ? CN_BOX_FACET
                          : CN_BOX_HULL;
}

int cn_skin_mesh(const cn_detect *d, int box)
{
    return d->owner[box - d->shape_count];
}

int cn_skin_node(const cn_detect *d, const cn_deformables *m, int box)
{
    return box - d->shape_count - m->node_start[cn_skin_mesh(d, box)];
}

int cn_skin_facet(const cn_detect *d, const cn_deformables *m, int box)
{
    return box - d->shape_count - d->node_count - m->facet_start[cn_skin_mesh(d, box)];
}

cn_vec3 cn_skin_place(const cn_deformables *m, int k, int node)
{
    const double *x = cn_deformable_mid(m, k) + m->dim * node;
    return cn_v3(x[0], x[1], m->dim == 3 ? x[2] : 0.0);
}

cn_anchor cn_skin_anchor(const cn_deformables *m, int k, int node)
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

cn_vec3 cn_skin_anchor_place(const cn_deformables *m, const cn_anchor *anchor)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    for (int n = 0; n < anchor->count; n++) {
        sum = cn_add_mul3(sum, anchor->weight[n], cn_skin_place(m, anchor->mesh, anchor->node[n]));
    }
    return sum;
}

uint32_t cn_skin_name(const cn_deformables *m, int k, int node)
{
    return (uint32_t)(m->body[k].is_mid_face ? node : cn_deformable_model(m, k)->skin.node[node]);
}

bool cn_skin_is_searching(const cn_deformables *m, int k, int l)
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

double cn_skin_rounding(const cn_bodies *b, int s)
{
    if (b->dim == 2) { // of rings that outside
        return b->shape[s].radius + b->shape[s].thickness;
    }
    return cn_solid_corner_count(&b->solid[s]) == 0 || b->solid[s].hull != NULL
               ? 0.0
               : b->solid[s].radius;
}

bool cn_skin_has_corners(const cn_bodies *b, int s)
{
    if (b->dim == 2) {
        return !cn_shape_is_unbounded(b, s);
    }
    return cn_solid_corner_count(&b->solid[s]) > 0;
}

bool cn_skin_is_round(const cn_bodies *b, int s)
{
    return b->dim == 3 && !cn_skin_has_corners(b, s) &&
           (cn_solid_is_convex(&b->solid[s]) || cn_solid_is_hollow(&b->solid[s]));
}

cn_vec3 cn_skin_facet_normal(const cn_deformables *m, int k, int f)
{
    const double *at = m->facet_normal + m->dim * (m->facet_start[k] + f);
    return cn_v3(at[0], at[1], m->dim == 3 ? at[2] : 0.0);
}

bool cn_skin_is_facing(const cn_deformables *m, int k, int node, cn_vec3 n, double cosine)
{
    if (m->body[k].is_mid_face) {
        return cn_dot3(cn_skin_facet_normal(m, k, node), n) < cosine;
    }
    const cn_skin *skin = &cn_deformable_model(m, k)->skin;
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    for (int r = skin->ring_start[node]; r < skin->ring_start[node + 1]; r++) {
        cn_vec3 own = cn_skin_facet_normal(m, k, skin->ring[r]);
        if (cn_dot3(own, n) < cosine) {
            return true;
        }
        sum = cn_add3(sum, own);
    }
    return cn_dot3(sum, n) < cosine * cn_norm3(sum);
}

void cn_skin_see_facet(const cn_deformables *m, int k, int f, bool is_at_start, cn_vec3 *corner,
                       cn_vec3 *normal)
{
    int dim = m->dim;
    const int *node = cn_deformable_model(m, k)->skin.facet + dim * f;
    is_at_start = is_at_start && m->gamma > 0.0;
    for (int n = 0; n < dim; n++) {
        const double *at = m->corner_normal + dim * (dim * (m->facet_start[k] + f) + n);
        corner[n] =
            is_at_start ? cn_deformable_at(m, k, node[n], m->x) : cn_skin_place(m, k, node[n]);
        normal[n] = cn_v3(at[0], at[1], dim == 3 ? at[2] : 0.0);
    }
    if (is_at_start) {
        cn_vec3 along = cn_sub3(corner[1], corner[0]);
        cn_vec3 across = dim == 3 ? cn_sub3(corner[2], corner[0]) : cn_v3(0.0, 0.0, 1.0);
        cn_vec3 n = cn_cross3(along, across);
        normal[0] = normal[1] = normal[2] = cn_mul3(1.0 / cn_norm3(n), n);
    }
}

// Whether a spot tells something of its probe: it is within reach, or so near that others, which
// the probe is behind of, are the far side of a body that it stands before (11.15).
static bool is_telling(const cn_deformables *m, const cn_hit *hit, double reach)
{
    double near = 0.5 * cn_deformable_model(m, hit->mesh)->skin.edge;
    return hit->gap <= reach || hit->spot.gap <= near;
}

cn_status cn_skin_add_hit(cn_detect *d, const cn_deformables *m, cn_hit *hit, double reach,
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

bool cn_skin_is_fast(const cn_detect *d, const cn_bodies *b, int slot, int l)
{
    int other = b->deformables->body[l].slot;
    double depth = cn_deformable_model(b->deformables, l)->skin.depth_least;
    return slot != other && cn_detect_between(d, b, slot, other) > depth;
}

cn_skin_look cn_skin_deepest(const cn_touch3 *touch, int count)
{
    int least = 0;
    for (int k = 1; k < count; k++) {
        least = touch[k].gap < touch[least].gap ? k : least;
    }
    return (cn_skin_look){touch[least].normal, touch[least].gap};
}

bool cn_skin_slides(const cn_deformables *m, cn_skin_look start, cn_skin_look mid, double most)
{
    return m->gamma > 0.0 && cn_dot3(start.normal, mid.normal) > SAME_SIDE &&
           fabs(mid.gap - start.gap) <= m->gamma * most;
}

bool cn_skin_slides_over(const cn_deformables *m, int k, int f, cn_vec3 start, cn_vec3 mid)
{
    cn_skin_look look[2];
    for (int now = 0; now < 2; now++) {
        cn_vec3 corner[3], normal[3];
        cn_skin_see_facet(m, k, f, now == 0, corner, normal);
        look[now].normal = now == 0 ? normal[0] : cn_skin_facet_normal(m, k, f);
        look[now].gap = cn_dot3(look[now].normal, cn_sub3(now == 0 ? start : mid, corner[0]));
    }
    return cn_skin_slides(m, look[0], look[1], cn_deformable_model(m, k)->skin.depth[f]);
}
