// geometry/space/surface_solid.c -- a closed triangle surface, ready to be touched.
//
// Each edge has two triangles that run along it in opposite directions. It is convex, concave or
// flat by the angle between their normals; flat ones are seams that nothing may feel. Triangles
// joined by seams are a patch, whose name contacts keep when they move over a seam.
#include <math.h>
#include <string.h>

#include "geometry/space/solid_parts.h"
#include "geometry/surface/topology.h"
#include "geometry/surface/weld.h"

static const double FLAT = 1e-3;     // angle below which an edge is a seam [rad]
static const double STRAIGHT = 1e-3; // angle below which two edges are one ridge [rad]

void cn_surface_solid_destroy(const cn_hooks *hooks, cn_surface_solid *mesh)
{
    if (mesh == NULL) {
        return;
    }
    void *owned[] = {mesh->corner, mesh->vertex,     mesh->triangle, mesh->normal,
                     mesh->offset, mesh->twin,       mesh->bend,     mesh->spread,
                     mesh->patch,  mesh->ring_start, mesh->ring,     mesh->is_corner};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(hooks, owned[k]);
    }
    cn_tree_free(&mesh->tree);
    cn_release(hooks, mesh);
}

static cn_status reserve(const cn_hooks *hooks, int triangles, cn_surface_solid *m, cn_error *err)
{
    int halves = 3 * triangles;
    CN_TRY(cn_array(hooks, &m->vertex, halves, err));
    CN_TRY(cn_array(hooks, &m->triangle, triangles, err));
    CN_TRY(cn_array(hooks, &m->normal, triangles, err));
    CN_TRY(cn_array(hooks, &m->offset, triangles, err));
    CN_TRY(cn_array(hooks, &m->twin, halves, err));
    CN_TRY(cn_array(hooks, &m->bend, halves, err));
    CN_TRY(cn_array(hooks, &m->spread, halves, err));
    CN_TRY(cn_array(hooks, &m->patch, triangles, err));
    CN_TRY(cn_array(hooks, &m->ring_start, halves + 1, err));
    CN_TRY(cn_array(hooks, &m->ring, halves, err));
    CN_TRY(cn_array(hooks, &m->is_corner, halves, err));
    m->triangle_count = triangles;
    return CN_OK;
}

// Equal corners become one vertex, in the order of their first use. `number` is scratch.
static cn_status weld(cn_surface_solid *m, int *stands_for, int *number, cn_error *err)
{
    int halves = 3 * m->triangle_count;
    CN_TRY(cn_weld_find(&m->corner[0].x, halves, 0.0, stands_for, err));
    for (int k = 0; k < halves; k++) {
        if (stands_for[k] == k) {
            number[k] = m->vertex_count;
            m->vertex[m->vertex_count++] = m->corner[k];
        }
        m->triangle[k / 3][k % 3] = number[stands_for[k]];
    }
    return CN_OK;
}

static cn_status find_planes(cn_surface_solid *m, cn_error *err)
{
    for (int t = 0; t < m->triangle_count; t++) {
        cn_vec3 a = m->vertex[m->triangle[t][0]], b = m->vertex[m->triangle[t][1]];
        cn_vec3 n = cn_cross3(cn_sub3(b, a), cn_sub3(m->vertex[m->triangle[t][2]], a));
        double size = cn_norm3(n);
        if (!(size > 0.0) || !isfinite(size)) {
            return cn_fail(err, CN_BAD_INPUT, "triangle %d of a surface has no area", t + 1);
        }
        m->normal[t] = cn_mul3(1.0 / size, n);
        m->offset[t] = cn_dot3(m->normal[t], a);
    }
    return CN_OK;
}

static cn_status pair_halves(const cn_topology *topology, cn_surface_solid *m, cn_error *err)
{
    for (int e = 0; e < topology->edge_count; e++) {
        int start = topology->edge_start[e], count = topology->edge_start[e + 1] - start;
        int a = topology->half[start], b = count == 2 ? topology->half[start + 1] : a;
        if (count != 2 ||
            cn_half_is_forward(topology->s, a) == cn_half_is_forward(topology->s, b)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a surface is not closed: an edge of triangle %d has %d triangles or "
                           "runs the same way in both; examine the file with `cairn check`",
                           a / 3 + 1, count);
        }
        m->twin[a] = b;
        m->twin[b] = a;
    }
    return CN_OK;
}

static cn_status join(cn_surface_solid *m, cn_error *err)
{
    cn_surface s = {.vertex_count = m->vertex_count,
                    .triangle_count = m->triangle_count,
                    .vertex = &m->vertex[0].x,
                    .triangle = &m->triangle[0][0]};
    cn_topology topology;
    CN_TRY(cn_topology_make(&s, &topology, err));
    cn_status status = pair_halves(&topology, m, err);
    cn_topology_free(&topology);
    return status;
}

static cn_vec3 along_of(const cn_surface_solid *m, int half)
{
    return cn_sub3(m->vertex[cn_surface_to(m, half)], m->vertex[cn_surface_from(m, half)]);
}

// The normals turn about the edge by the angle: towards each other's back if it is convex.
static void find_bends(cn_surface_solid *m)
{
    for (int half = 0; half < 3 * m->triangle_count; half++) {
        cn_vec3 n = m->normal[half / 3], other = m->normal[m->twin[half] / 3];
        cn_vec3 e = along_of(m, half);
        double sine = cn_dot3(cn_cross3(n, other), e) / cn_norm3(e), cosine = cn_dot3(n, other);
        double angle = atan2(sine, cosine);
        m->bend[half] = (signed char)(angle > FLAT ? 1 : angle < -FLAT ? -1 : 0);
        m->spread[half] = tan(0.5 * fabs(angle));
    }
}

static void find_patches(cn_surface_solid *m)
{
    for (int t = 0; t < m->triangle_count; t++) {
        m->patch[t] = t;
    }
    for (int half = 0; half < 3 * m->triangle_count; half++) {
        if (m->bend[half] == 0) {
            cn_unite(m->patch, half / 3, m->twin[half] / 3);
        }
    }
    for (int t = 0; t < m->triangle_count; t++) {
        m->patch[t] = cn_root_of(m->patch, t);
    }
}

static void find_rings(cn_surface_solid *m)
{
    int halves = 3 * m->triangle_count;
    memset(m->ring_start, 0, sizeof *m->ring_start * (size_t)(m->vertex_count + 1));
    for (int half = 0; half < halves; half++) {
        m->ring_start[cn_surface_from(m, half) + 1]++;
    }
    for (int v = 0; v < m->vertex_count; v++) {
        m->ring_start[v + 1] += m->ring_start[v];
    }
    // Filled from the back, so that starts are their own counters.
    for (int half = halves - 1; half >= 0; half--) {
        m->ring[--m->ring_start[cn_surface_from(m, half) + 1]] = half;
    }
    for (int v = 0; v < m->vertex_count; v++) {
        m->ring_start[v] = m->ring_start[v + 1];
    }
    m->ring_start[m->vertex_count] = halves;
}

static void find_corners(cn_surface_solid *m)
{
    for (int v = 0; v < m->vertex_count; v++) {
        int convex = 0;
        cn_vec3 ridge[2];
        for (int k = m->ring_start[v]; k < m->ring_start[v + 1]; k++) {
            if (m->bend[m->ring[k]] > 0) {
                cn_vec3 e = along_of(m, m->ring[k]);
                ridge[convex % 2] = cn_mul3(1.0 / cn_norm3(e), e);
                convex++;
            }
        }
        bool is_straight = convex == 2 && cn_norm3(cn_add3(ridge[0], ridge[1])) < STRAIGHT;
        m->is_corner[v] = convex > 0 && !is_straight;
    }
}

static cn_status grow_tree(const cn_hooks *hooks, cn_surface_solid *m, cn_error *err)
{
    cn_surface s = {.vertex_count = m->vertex_count,
                    .triangle_count = m->triangle_count,
                    .vertex = &m->vertex[0].x,
                    .triangle = &m->triangle[0][0]};
    cn_box *box = NULL;
    CN_TRY(cn_array(hooks, &box, m->triangle_count, err));
    for (int t = 0; t < m->triangle_count; t++) {
        box[t] = cn_triangle_box(&s, t);
    }
    cn_status status = cn_tree_make(box, m->triangle_count, &m->tree, err);
    cn_release(hooks, box);
    return status;
}

static cn_status build(const cn_hooks *hooks, int triangles, cn_surface_solid *m, cn_error *err)
{
    int *scratch = NULL;
    CN_TRY(reserve(hooks, triangles, m, err));
    CN_TRY(cn_array(hooks, &scratch, 6 * triangles, err));
    cn_status status = weld(m, scratch, scratch + 3 * triangles, err);
    cn_release(hooks, scratch);
    CN_TRY(status);
    CN_TRY(find_planes(m, err));
    CN_TRY(join(m, err));
    find_bends(m);
    find_patches(m);
    find_rings(m);
    find_corners(m);
    return grow_tree(hooks, m, err);
}

cn_status cn_surface_solid_create(const cn_hooks *hooks, cn_vec3 *corner, int triangle_count,
                                  cn_surface_solid **mesh, cn_error *err)
{
    *mesh = NULL;
    cn_surface_solid *made = NULL;
    cn_status status = cn_array(hooks, &made, 1, err);
    if (status != CN_OK) {
        cn_release(hooks, corner);
        return status;
    }
    *made = (cn_surface_solid){.corner = corner};
    status = build(hooks, triangle_count, made, err);
    if (status != CN_OK) {
        cn_surface_solid_destroy(hooks, made);
        return status;
    }
    *mesh = made;
    return CN_OK;
}
