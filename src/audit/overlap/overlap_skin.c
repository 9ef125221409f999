// audit/overlap/overlap_skin.c -- how deep a point is in a closed surface or in a mesh: the
// distance to the nearest facet; elements tell whether the point is inside, or how often a ray
// leaves the surface.
#include <string.h>

#include "audit/overlap/overlap.h"

static const double BEND = 1.0;    // angle of facets that may stand for a round surface [rad]
static const double EDGE = 1e-9;   // weight of a corner that is none: a ray that grazes an edge [-]
static const double BESIDE = 1e-2; // what theory 11.13 allows of a facet [-]
enum { RAYS = 4 };

void cn_deep_skin_free(const cn_hooks *hooks, cn_deep_skin *skin)
{
    cn_release(hooks, skin->vertex);
    cn_release(hooks, skin->facet);
    cn_release(hooks, skin->sag);
    cn_deep_tree_free(hooks, &skin->facets);
    cn_deep_tree_free(hooks, &skin->elements);
    *skin = (cn_deep_skin){0};
}

cn_status cn_deep_skin_add(const cn_hooks *hooks, cn_deep_skin *skin, int a, int b, int c,
                           cn_error *err)
{
    CN_TRY(
        cn_reserve(hooks, &skin->facet, &skin->facet_capacity, (size_t)skin->facet_count + 1, err));
    memcpy(skin->facet[skin->facet_count++], (int[3]){a, b, c}, sizeof *skin->facet);
    return CN_OK;
}

// Outward normal of a facet; its length is that of the segment, or twice the area.
static cn_vec3 facet_area(const cn_deep_skin *skin, int f)
{
    const int *c = skin->facet[f];
    cn_vec3 u = cn_sub3(skin->vertex[c[1]], skin->vertex[c[0]]);
    cn_vec3 v = cn_sub3(skin->vertex[c[2]], skin->vertex[c[0]]);
    return skin->dim == 2 ? cn_v3(u.y, -u.x, 0.0) : cn_cross3(u, v);
}

static double facet_length(const cn_deep_skin *skin, int f)
{
    const int *c = skin->facet[f];
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, cn_norm3(cn_sub3(skin->vertex[c[k]], skin->vertex[c[(k + 1) % 3]])));
    }
    return most;
}

static cn_vec3 unit(cn_vec3 a)
{
    double size = cn_norm3(a);
    return size > 0.0 ? cn_mul3(1.0 / size, a) : a;
}

// Facets around each vertex.
typedef struct rings {
    int *start, *facet; // of vertex k: facet[start[k]] .. facet[start[k+1]-1]
    cn_vec3 *normal;    // of facets
    size_t start_capacity, facet_capacity, normal_capacity;
} rings;

static void find_rings(const cn_deep_skin *skin, rings *r)
{
    memset(r->start, 0, ((size_t)skin->vertex_count + 2) * sizeof *r->start);
    for (int f = 0; f < skin->facet_count; f++) {
        r->normal[f] = unit(facet_area(skin, f));
        for (int k = 0; k < skin->dim; k++) {
            r->start[skin->facet[f][k] + 2]++;
        }
    }
    for (int n = 0; n < skin->vertex_count; n++) {
        r->start[n + 2] += r->start[n + 1];
    }
    for (int f = 0; f < skin->facet_count; f++) {
        for (int k = 0; k < skin->dim; k++) {
            r->facet[r->start[skin->facet[f][k] + 1]++] = f;
        }
    }
}

// Largest angle to a facet around that is no edge [rad].
static double bend_of(const cn_deep_skin *skin, const rings *r, int f)
{
    double most = 0.0;
    for (int k = 0; k < skin->dim; k++) {
        int n = skin->facet[f][k];
        for (int g = r->start[n]; g < r->start[n + 1]; g++) {
            cn_vec3 m = r->normal[r->facet[g]];
            double a = atan2(cn_norm3(cn_cross3(r->normal[f], m)), cn_dot3(r->normal[f], m));
            most = a < BEND ? fmax(most, a) : most;
        }
    }
    return most;
}

// What the facets of a mesh leave of a round surface: a chord of length L between two others that
// are turned by the angle a is off by L a / 8 (9.13). Sharper bends are edges.
static cn_status measure_sag(const cn_hooks *hooks, cn_deep_skin *skin, rings *r, cn_error *err)
{
    size_t sags = 0, facets = (size_t)skin->facet_count;
    CN_TRY(cn_reserve(hooks, &skin->sag, &sags, facets, err));
    memset(skin->sag, 0, facets * sizeof *skin->sag);
    if (skin->fem == NULL) {
        return CN_OK; // triangles are the surface
    }
    size_t vertices = (size_t)skin->vertex_count;
    CN_TRY(cn_reserve(hooks, &r->start, &r->start_capacity, vertices + 2, err));
    CN_TRY(cn_reserve(hooks, &r->facet, &r->facet_capacity, 3 * facets, err));
    CN_TRY(cn_reserve(hooks, &r->normal, &r->normal_capacity, facets, err));
    find_rings(skin, r);
    for (int f = 0; f < skin->facet_count; f++) {
        double length = facet_length(skin, f);
        skin->sag[f] = 0.125 * length * bend_of(skin, r, f);
        skin->beside = fmax(skin->beside, BESIDE * length);
    }
    return CN_OK;
}

// Twice the volume over the surface: the thickness of a sheet.
static double thickness_of(const cn_deep_skin *skin)
{
    double volume = 0.0, surface = 0.0;
    for (int f = 0; f < skin->facet_count; f++) {
        cn_vec3 area = facet_area(skin, f), from = skin->vertex[skin->facet[0][0]];
        volume += cn_dot3(area, cn_sub3(skin->vertex[skin->facet[f][0]], from));
        surface += cn_norm3(area);
    }
    return 2.0 * volume / (skin->dim * surface);
}

cn_status cn_deep_skin_finish(const cn_hooks *hooks, cn_deep_skin *skin, cn_error *err)
{
    cn_box3 *box = NULL;
    size_t room = 0;
    rings r = {0};
    skin->thickness = thickness_of(skin);
    cn_status measured = measure_sag(hooks, skin, &r, err);
    cn_release(hooks, r.start);
    cn_release(hooks, r.facet);
    cn_release(hooks, r.normal);
    CN_TRY(measured);
    CN_TRY(cn_reserve(hooks, &box, &room, (size_t)skin->facet_count, err));
    for (int f = 0; f < skin->facet_count; f++) {
        box[f] = cn_deep_no_box;
        for (int k = 0; k < 3; k++) {
            cn_deep_box_add(&box[f], skin->vertex[skin->facet[f][k]]);
        }
    }
    cn_status status = cn_deep_tree_build(hooks, box, skin->facet_count, &skin->facets, err);
    cn_release(hooks, box);
    return status;
}

cn_status cn_deep_skin_of_surface(const cn_hooks *hooks, int count, const cn_vec3 *point,
                                  cn_deep_skin *skin, cn_error *err)
{
    size_t room = 0;
    *skin = (cn_deep_skin){.dim = 3, .vertex_count = count};
    CN_TRY(cn_reserve(hooks, &skin->vertex, &room, (size_t)count, err));
    memcpy(skin->vertex, point, (size_t)count * sizeof *point);
    for (int k = 0; k + 2 < count; k += 3) {
        CN_TRY(cn_deep_skin_add(hooks, skin, k, k + 1, k + 2, err));
    }
    return cn_deep_skin_finish(hooks, skin, err);
}

static double segment_distance(cn_vec3 p, cn_vec3 a, cn_vec3 b)
{
    cn_vec3 e = cn_sub3(b, a), d = cn_sub3(p, a);
    double length2 = cn_dot3(e, e);
    double s = length2 > 0.0 ? cn_deep_min(cn_deep_max(cn_dot3(d, e) / length2, 0.0), 1.0) : 0.0;
    return cn_norm3(cn_add_mul3(d, -s, e));
}

// Distance from a facet: over its inside along the normal, else to the nearest of its sides.
static double facet_distance(const cn_deep_skin *skin, int f, cn_vec3 p)
{
    const int *c = skin->facet[f];
    const cn_vec3 *x = skin->vertex;
    double least = segment_distance(p, x[c[0]], x[c[1]]);
    if (skin->dim == 2) {
        return least;
    }
    least = cn_deep_min(least, segment_distance(p, x[c[1]], x[c[2]]));
    least = cn_deep_min(least, segment_distance(p, x[c[2]], x[c[0]]));
    cn_vec3 n = unit(facet_area(skin, f));
    bool is_over = cn_dot3(n, n) > 0.0;
    for (int k = 0; k < 3; k++) {
        cn_vec3 e = cn_sub3(x[c[(k + 1) % 3]], x[c[k]]);
        is_over = is_over && cn_dot3(n, cn_cross3(e, cn_sub3(p, x[c[k]]))) >= 0.0;
    }
    return is_over ? fabs(cn_dot3(n, cn_sub3(p, x[c[0]]))) : least;
}

// Distance of the nearest facet, from the near side of the tree to the far one.
static double nearest_distance(const cn_deep_skin *skin, cn_vec3 p, int *nearest)
{
    const cn_deep_tree *tree = &skin->facets;
    int stack[CN_DEEP_STACK], height = 0;
    double least = INFINITY;
    stack[height++] = 0;
    while (height > 0) {
        int n = stack[--height];
        const cn_deep_node *node = &tree->node[n];
        if (cn_deep_box_distance(&node->box, p) >= least) {
            continue;
        }
        for (int k = node->first; k < node->first + node->count; k++) {
            double d = facet_distance(skin, tree->item[k], p);
            *nearest = d < least ? tree->item[k] : *nearest;
            least = cn_deep_min(d, least);
        }
        if (node->count == 0) {
            int near = n + 1, far = node->first;
            bool is_crossed = cn_deep_box_distance(&tree->node[far].box, p) <
                              cn_deep_box_distance(&tree->node[near].box, p);
            stack[height++] = is_crossed ? near : far;
            stack[height++] = is_crossed ? far : near;
        }
    }
    return least;
}

// Whether a ray passes through facet f; *is_grazing if it is too near to an edge to tell.
static bool is_crossed(const cn_deep_skin *skin, int f, cn_vec3 p, cn_vec3 ray, bool *is_grazing)
{
    const int *c = skin->facet[f];
    cn_vec3 a = skin->vertex[c[0]];
    cn_vec3 u = cn_sub3(skin->vertex[c[1]], a), v = cn_sub3(skin->vertex[c[2]], a);
    cn_vec3 h = cn_cross3(ray, v), from = cn_sub3(p, a);
    double det = cn_dot3(u, h);
    if (det == 0.0) {
        return false;
    }
    double s = cn_dot3(from, h) / det;
    cn_vec3 g = cn_cross3(from, u);
    double t = cn_dot3(ray, g) / det, way = cn_dot3(v, g) / det;
    double least = cn_deep_min(cn_deep_min(s, t), 1.0 - s - t);
    *is_grazing = *is_grazing || (fabs(least) < EDGE && way > 0.0);
    return least > 0.0 && way > 0.0;
}

// Whether a ray comes at a box.
static bool meets_box(const cn_box3 *box, cn_vec3 p, cn_vec3 ray)
{
    const double *lo = &box->lo.x, *hi = &box->hi.x, *x = &p.x, *d = &ray.x;
    double from = 0.0, to = INFINITY;
    for (int k = 0; k < 3; k++) { // no ray of ours is along an axis
        double one = (lo[k] - x[k]) / d[k], other = (hi[k] - x[k]) / d[k];
        from = cn_deep_max(from, cn_deep_min(one, other));
        to = cn_deep_min(to, cn_deep_max(one, other));
    }
    return from <= to;
}

static int crossings(const cn_deep_skin *skin, cn_vec3 p, cn_vec3 ray, bool *is_grazing)
{
    const cn_deep_tree *tree = &skin->facets;
    int stack[CN_DEEP_STACK], height = 0, count = 0;
    stack[height++] = 0;
    while (height > 0) {
        int n = stack[--height];
        const cn_deep_node *node = &tree->node[n];
        if (!meets_box(&node->box, p, ray)) {
            continue;
        }
        for (int k = node->first; k < node->first + node->count; k++) {
            count += is_crossed(skin, tree->item[k], p, ray, is_grazing);
        }
        if (node->count == 0) {
            stack[height++] = node->first;
            stack[height++] = n + 1;
        }
    }
    return count;
}

// Inside a closed surface every ray leaves once more than it enters.
static bool surface_holds(const cn_deep_skin *skin, cn_vec3 p)
{
    static const cn_vec3 ray[RAYS] = {{0.5377, 0.8116, 0.2289},
                                      {-0.6713, 0.3187, 0.6691},
                                      {0.2931, -0.5419, 0.7876},
                                      {-0.3571, -0.7193, -0.5959}};
    bool is_inside = false, is_grazing = true;
    for (int k = 0; k < RAYS && is_grazing; k++) {
        is_grazing = false;
        is_inside = crossings(skin, p, ray[k], &is_grazing) % 2 == 1;
    }
    return is_inside;
}

// Weights of the corners of facet f at the foot of a point over it, as if it had no end.
static void foot_weights(const cn_deep_skin *skin, int f, cn_vec3 p, double N[3])
{
    const int *c = skin->facet[f];
    const cn_vec3 *x = skin->vertex;
    cn_vec3 u = cn_sub3(x[c[1]], x[c[0]]), v = cn_sub3(x[c[2]], x[c[0]]), d = cn_sub3(p, x[c[0]]);
    double uu = cn_dot3(u, u), uv = cn_dot3(u, v), vv = cn_dot3(v, v);
    double du = cn_dot3(d, u), dv = cn_dot3(d, v), det = uu * vv - uv * uv;
    N[1] = skin->dim == 2 ? du / uu : (du * vv - dv * uv) / det;
    N[2] = skin->dim == 2 ? 0.0 : (dv * uu - du * uv) / det;
    N[0] = 1.0 - N[1] - N[2];
}

double cn_deep_bulge(const double N[3])
{
    double square = N[0] * N[0] + N[1] * N[1] + N[2] * N[2];
    return cn_deep_min(cn_deep_max(2.0 * (1.0 - square), 0.0), 1.0);
}

double cn_deep_skin_depth(const cn_deep_skin *skin, cn_vec3 p, double worth, cn_deep_sag *sag)
{
    int nearest = 0;
    double distance = nearest_distance(skin, p, &nearest);
    double N[3];
    foot_weights(skin, nearest, p, N);
    *sag = (cn_deep_sag){skin->sag[nearest], cn_deep_bulge(N)};
    if (distance <= worth) {
        return -distance;
    }
    bool is_inside = skin->fem != NULL ? cn_deep_mesh_holds(skin, p) : surface_holds(skin, p);
    return is_inside ? distance : -distance;
}
