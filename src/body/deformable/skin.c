// body/deformable/skin.c -- see skin.h. Theory 11.13 to 11.15, 11.17.
#include "body/deformable/skin.h"

#include <math.h>
#include <string.h>

static const double FEATURE_COSINE =
    0.70710678118654752;           // edges sharper than 45 degrees stay sharp
static const double BESIDE = 0.01; // of a facet
static const double FLAT = 1e-3;   // bend of a facet that counts for little [rad]

void cn_skin_free(const cn_hooks *hooks, cn_skin *skin)
{
    void *owned[] = {skin->facet,  skin->node,         skin->place,  skin->ring_start,
                     skin->ring,   skin->smooth_start, skin->smooth, skin->is_smooth,
                     skin->crease, skin->fourth,       skin->depth};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(hooks, owned[k]);
    }
    *skin = (cn_skin){0};
}

static cn_vec3 vec_of(int dim, const double *x)
{
    return cn_v3(x[0], x[1], dim == 3 ? x[2] : 0.0);
}

static void put_vec(int dim, cn_vec3 a, double *x)
{
    x[0] = a.x;
    x[1] = a.y;
    if (dim == 3) {
        x[2] = a.z;
    }
}

// Outward vector of a facet, as long as the facet is large.
static cn_vec3 outward(int dim, const int *facet, const double *x)
{
    cn_vec3 a = vec_of(dim, x + dim * facet[0]), b = vec_of(dim, x + dim * facet[1]);
    cn_vec3 along = cn_sub3(b, a);
    if (dim == 2) {
        return cn_v3(along.y, -along.x, 0.0);
    }
    return cn_cross3(along, cn_sub3(vec_of(dim, x + dim * facet[2]), a));
}

static cn_vec3 unit(cn_vec3 a)
{
    double length = cn_norm3(a);
    return length > 0.0 ? cn_mul3(1.0 / length, a) : a;
}

static cn_status take(const cn_hooks *hooks, int **array, size_t count, cn_error *err)
{
    size_t capacity = 0;
    *array = NULL;
    return cn_reserve(hooks, array, &capacity, count, err);
}

// Surface nodes in order, and their places.
static cn_status list_nodes(const cn_hooks *hooks, int mesh_nodes, cn_skin *skin, cn_error *err)
{
    CN_TRY(take(hooks, &skin->place, (size_t)mesh_nodes, err));
    for (int n = 0; n < mesh_nodes; n++) {
        skin->place[n] = -1;
    }
    for (int k = 0; k < skin->dim * skin->facet_count; k++) {
        skin->place[skin->facet[k]] = 0;
    }
    for (int n = 0; n < mesh_nodes; n++) {
        if (skin->place[n] == 0) {
            skin->place[n] = skin->node_count++;
        }
    }
    CN_TRY(take(hooks, &skin->node, (size_t)skin->node_count, err));
    for (int n = 0; n < mesh_nodes; n++) {
        if (skin->place[n] >= 0) {
            skin->node[skin->place[n]] = n;
        }
    }
    return CN_OK;
}

// Facets around every surface node.
static cn_status list_rings(const cn_hooks *hooks, cn_skin *skin, cn_error *err)
{
    int corners = skin->dim * skin->facet_count;
    CN_TRY(take(hooks, &skin->ring_start, (size_t)skin->node_count + 2, err));
    CN_TRY(take(hooks, &skin->ring, (size_t)corners, err));
    int *next = skin->ring_start + 1;
    memset(skin->ring_start, 0, sizeof(int) * ((size_t)skin->node_count + 2));
    for (int k = 0; k < corners; k++) {
        next[skin->place[skin->facet[k]] + 1]++;
    }
    for (int n = 0; n < skin->node_count; n++) {
        next[n + 1] += next[n];
    }
    for (int k = 0; k < corners; k++) {
        skin->ring[next[skin->place[skin->facet[k]]]++] = k / skin->dim;
    }
    return CN_OK;
}

// For every corner of a facet the facets around it that bend less than the feature angle.
static cn_status list_smooth(const cn_hooks *hooks, const double *X, cn_skin *skin, cn_error *err)
{
    int dim = skin->dim, corners = dim * skin->facet_count, count = 0;
    CN_TRY(take(hooks, &skin->smooth_start, (size_t)corners + 1, err));
    size_t most = 0;
    for (int k = 0; k < corners; k++) {
        int place = skin->place[skin->facet[k]];
        most += (size_t)(skin->ring_start[place + 1] - skin->ring_start[place]);
    }
    CN_TRY(take(hooks, &skin->smooth, most, err));
    CN_TRY(take(hooks, &skin->is_smooth, (size_t)skin->node_count, err));
    for (int n = 0; n < skin->node_count; n++) {
        skin->is_smooth[n] = 1;
    }
    for (int k = 0; k < corners; k++) {
        cn_vec3 own = unit(outward(dim, skin->facet + dim * (k / dim), X));
        int place = skin->place[skin->facet[k]];
        skin->smooth_start[k] = count;
        for (int n = skin->ring_start[place]; n < skin->ring_start[place + 1]; n++) {
            cn_vec3 other = unit(outward(dim, skin->facet + dim * skin->ring[n], X));
            if (cn_dot3(own, other) > FEATURE_COSINE) {
                skin->smooth[count++] = skin->ring[n];
            } else {
                skin->is_smooth[place] = 0;
            }
        }
    }
    skin->smooth_start[corners] = count;
    return CN_OK;
}

// The facet across the edge from node a to node b of facet f, -1: none.
static int facet_across(const cn_skin *skin, int f, int a, int b)
{
    int place = skin->place[a], found = -1;
    for (int n = skin->ring_start[place]; n < skin->ring_start[place + 1]; n++) {
        const int *node = skin->facet + 3 * skin->ring[n];
        for (int k = 0; k < 3 && skin->ring[n] != f; k++) {
            found = node[k] == b && node[(k + 1) % 3] == a ? skin->ring[n] : found;
        }
    }
    return found;
}

static cn_status list_creases(const cn_hooks *hooks, const double *X, cn_skin *skin, cn_error *err)
{
    int edges = skin->dim == 3 ? 3 * skin->facet_count : 0;
    CN_TRY(take(hooks, &skin->crease, (size_t)edges, err));
    for (int k = 0; k < edges; k++) {
        const int *node = skin->facet + 3 * (k / 3);
        int a = node[k % 3], across = facet_across(skin, k / 3, a, node[(k + 1) % 3]);
        skin->crease[k] = -1;
        if (across > k / 3) {
            cn_vec3 own = unit(outward(3, node, X));
            cn_vec3 other = unit(outward(3, skin->facet + 3 * across, X));
            cn_vec3 middle = cn_v3(0.0, 0.0, 0.0);
            for (int n = 0; n < 3; n++) {
                middle =
                    cn_add_mul3(middle, 1.0 / 3.0, vec_of(3, X + 3 * skin->facet[3 * across + n]));
            }
            bool sticks_out = cn_dot3(own, cn_sub3(middle, vec_of(3, X + 3 * a))) < 0.0;
            skin->crease[k] = sticks_out && cn_dot3(own, other) <= FEATURE_COSINE ? across : -1;
        }
    }
    return CN_OK;
}

static double mean_edge(const cn_skin *skin, const double *X)
{
    int dim = skin->dim, edges = dim == 2 ? 1 : 3;
    double sum = 0.0;
    for (int f = 0; f < skin->facet_count; f++) {
        for (int k = 0; k < edges; k++) {
            const int *facet = skin->facet + dim * f;
            sum += cn_norm3(cn_sub3(vec_of(dim, X + dim * facet[(k + 1) % dim]),
                                    vec_of(dim, X + dim * facet[k])));
        }
    }
    return skin->facet_count > 0 ? sum / (edges * skin->facet_count) : 0.0;
}

cn_status cn_skin_create(const cn_hooks *hooks, const cn_skin_def *def, cn_skin *skin,
                         cn_error *err)
{
    size_t corners = (size_t)(def->dim * def->facet_count);
    *skin = (cn_skin){.dim = def->dim, .facet_count = def->facet_count};
    cn_status status = take(hooks, &skin->facet, corners, err);
    status = status == CN_OK ? take(hooks, &skin->fourth, (size_t)def->facet_count, err) : status;
    if (status == CN_OK) {
        memcpy(skin->facet, def->facet, sizeof(int) * corners);
        for (int f = 0; f < def->facet_count; f++) {
            skin->fourth[f] = def->fourth != NULL ? def->fourth[f] : -1;
        }
        status = list_nodes(hooks, def->mesh_nodes, skin, err);
    }
    status = status == CN_OK ? list_rings(hooks, skin, err) : status;
    status = status == CN_OK ? list_smooth(hooks, def->X, skin, err) : status;
    status = status == CN_OK ? list_creases(hooks, def->X, skin, err) : status;
    if (status != CN_OK) {
        cn_skin_free(hooks, skin);
        return status;
    }
    skin->edge = mean_edge(skin, def->X);
    return CN_OK;
}

void cn_skin_normals(const cn_skin *skin, const double *x, double *facet_normal,
                     double *corner_normal)
{
    int dim = skin->dim;
    for (int f = 0; f < skin->facet_count; f++) {
        put_vec(dim, outward(dim, skin->facet + dim * f, x), facet_normal + dim * f);
    }
    for (int k = 0; k < dim * skin->facet_count; k++) { // weighted by the size of the facets
        cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
        for (int n = skin->smooth_start[k]; n < skin->smooth_start[k + 1]; n++) {
            sum = cn_add3(sum, vec_of(dim, facet_normal + dim * skin->smooth[n]));
        }
        put_vec(dim, unit(sum), corner_normal + dim * k);
    }
    for (int f = 0; f < skin->facet_count; f++) {
        put_vec(dim, unit(vec_of(dim, facet_normal + dim * f)), facet_normal + dim * f);
    }
}

double cn_skin_turn(const cn_skin *skin, const double *x, const double *facet_normal)
{
    int dim = skin->dim;
    double least = 1.0;
    for (int f = 0; f < skin->facet_count; f++) {
        cn_vec3 now = unit(outward(dim, skin->facet + dim * f, x));
        least = fmin(least, cn_dot3(now, vec_of(dim, facet_normal + dim * f)));
    }
    return least;
}

static cn_vec3 mix(int dim, const cn_vec3 *at, const double *weight)
{
    cn_vec3 sum = cn_mul3(weight[0], at[0]);
    for (int k = 1; k < dim; k++) {
        sum = cn_add_mul3(sum, weight[k], at[k]);
    }
    return sum;
}

bool cn_skin_project(int dim, const cn_vec3 *corner, cn_vec3 along, cn_vec3 point, double *weight)
{
    cn_vec3 e = cn_sub3(corner[1], corner[0]), d = cn_sub3(point, corner[0]);
    if (dim == 2) { // cross out the direction
        double down = e.x * along.y - e.y * along.x;
        weight[1] = (d.x * along.y - d.y * along.x) / down;
        weight[0] = 1.0 - weight[1];
        return isfinite(weight[1]);
    }
    cn_vec3 g = cn_sub3(corner[2], corner[0]);
    double volume = cn_dot3(along, cn_cross3(e, g));
    weight[1] = cn_dot3(along, cn_cross3(d, g)) / volume;
    weight[2] = cn_dot3(along, cn_cross3(e, d)) / volume;
    weight[0] = 1.0 - weight[1] - weight[2];
    return isfinite(weight[1]) && isfinite(weight[2]);
}

// Height over a facet of the surface that has its normals, an arc over a chord (11.14). Fades away
// where normals differ by less than FLAT, so that contacts keep flat what is meant to be flat.
static double bulge(int dim, const cn_vec3 *corner, const cn_vec3 *normal, cn_vec3 foot,
                    const double *weight)
{
    double sum = 0.0, bend = 0.0;
    for (int k = 0; k < dim; k++) {
        cn_vec3 turn = cn_sub3(normal[(k + 1) % dim], normal[k]);
        sum += 0.5 * weight[k] * cn_dot3(normal[k], cn_sub3(corner[k], foot));
        bend = fmax(bend, cn_dot3(turn, turn));
    }
    return sum * bend / (bend + FLAT * FLAT);
}

bool cn_skin_find(int dim, const cn_vec3 *corner, const cn_vec3 *normal, cn_vec3 point,
                  cn_spot *spot)
{
    enum { STEPS = 12 }; // of a fixed point that contracts with gap over radius of curvature
    const double third[3] = {1.0 / dim, 1.0 / dim, 1.0 / dim};
    memcpy(spot->weight, third, sizeof third);
    spot->weight[3] = 0.0;
    spot->is_exact = false;
    for (int k = 0; k < STEPS; k++) {
        double before[3];
        memcpy(before, spot->weight, sizeof before);
        spot->normal = unit(mix(dim, normal, spot->weight)); // (11.14)
        if (!cn_skin_project(dim, corner, spot->normal, point, spot->weight)) {
            return false;
        }
        double change = fabs(spot->weight[0] - before[0]) + fabs(spot->weight[1] - before[1]);
        spot->is_exact = change <= 1e-6;
        if (change <= 1e-14) {
            break;
        }
    }
    for (int k = 0; k < dim; k++) {
        if (!(spot->weight[k] >= -BESIDE)) {
            return false;
        }
    }
    cn_vec3 foot = mix(dim, corner, spot->weight);
    spot->gap = cn_dot3(spot->normal, cn_sub3(point, foot)) -
                bulge(dim, corner, normal, foot, spot->weight);
    return true;
}

void cn_skin_find_bilinear(const cn_vec3 corner[4], cn_vec3 point, cn_spot *spot)
{
    enum { STEPS = 12 }; // of Newton's method, exact at once for parallelograms
    double s = spot->weight[1] + spot->weight[2], t = spot->weight[2];
    cn_vec3 n = spot->normal;
    for (int k = 0; k < STEPS; k++) {
        cn_vec3 low = cn_add_mul3(corner[0], s, cn_sub3(corner[1], corner[0]));
        cn_vec3 high = cn_add_mul3(corner[3], s, cn_sub3(corner[2], corner[3]));
        cn_vec3 along_t = cn_sub3(high, low), off = cn_sub3(point, cn_add_mul3(low, t, along_t));
        cn_vec3 along_s = cn_add_mul3(cn_mul3(1.0 - t, cn_sub3(corner[1], corner[0])), t,
                                      cn_sub3(corner[2], corner[3]));
        double volume = cn_dot3(n, cn_cross3(along_s, along_t));
        double ds = cn_dot3(n, cn_cross3(off, along_t)) / volume;
        double dt = cn_dot3(n, cn_cross3(along_s, off)) / volume;
        s += ds;
        t += dt;
        if (fabs(ds) + fabs(dt) <= 1e-14) {
            const double weight[4] = {(1.0 - s) * (1.0 - t), s * (1.0 - t), s * t, (1.0 - s) * t};
            memcpy(spot->weight, weight, sizeof weight);
            spot->gap = cn_dot3(n, off);
            return;
        }
    }
}
