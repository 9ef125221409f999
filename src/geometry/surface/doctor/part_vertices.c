// geometry/surface/doctor/part_vertices.c -- where surfaces only touch, in a point or along an
// edge, each gets vertices of its own. Corners of a vertex belong together if edges join their
// triangles; an edge of more than two is taken as several, each with the two triangles that bound
// solid between them. Of two triangles on each other the one that ends a solid comes first: blocks
// whose faces touch are two solids.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/surface/topology.h"
#include "geometry/surface/weld.h"

enum { CROWD_MAX = 16 };

static const double SAME_ANGLE = 1e-9; // of triangles on each other [rad]

typedef struct spoke {
    int half;
    double angle; // of its triangle about the edge [rad]
    bool is_end;  // solid lies at smaller angles
} spoke;

static bool comes_before(const spoke *a, const spoke *b)
{
    bool is_same = fabs(a->angle - b->angle) <= SAME_ANGLE;
    return is_same ? a->is_end && !b->is_end : a->angle < b->angle;
}

// Triangles of an edge in the order of their angles, seen along the edge from its smaller vertex.
// False: one has no area beside the edge.
static bool list_spokes(const cn_surface *s, const int *half, int count, spoke *list)
{
    int a = cn_half_from(s, half[0]), b = cn_half_to(s, half[0]);
    cn_vec3 from = cn_vertex_at(s, a < b ? a : b), to = cn_vertex_at(s, a < b ? b : a);
    cn_vec3 along = cn_sub3(to, from), axis = cn_mul3(1.0 / cn_norm3(along), along);
    cn_vec3 x = {0}, y = {0};
    for (int k = 0; k < count; k++) {
        int third = half[k] / 3 * 3 + (half[k] + 2) % 3;
        cn_vec3 side = cn_sub3(cn_vertex_at(s, s->triangle[third]), from);
        side = cn_sub3(side, cn_mul3(cn_dot3(side, axis), axis));
        if (!(cn_norm3(side) > 0.0)) {
            return false;
        }
        if (k == 0) {
            x = cn_mul3(1.0 / cn_norm3(side), side);
            y = cn_cross3(axis, x);
        }
        spoke made = {half[k], atan2(cn_dot3(side, y), cn_dot3(side, x)),
                      cn_half_is_forward(s, half[k])};
        made.angle += made.angle < -SAME_ANGLE ? 2.0 * CN_PI : 0.0; // those at the first stay there
        made.angle -= made.angle > 2.0 * CN_PI - SAME_ANGLE ? 2.0 * CN_PI : 0.0;
        int n = k;
        for (; n > 0 && comes_before(&made, &list[n - 1]); n--) {
            list[n] = list[n - 1];
        }
        list[n] = made;
    }
    return true;
}

// Orders the half-edges of a crowded edge so that those at 2 n and 2 n + 1 bound solid. False: they
// do not, as at walls inside or triangles twice.
static bool pair_halves(const cn_surface *s, const int *half, int count, int *pair)
{
    spoke list[CROWD_MAX];
    if (count % 2 != 0 || count > CROWD_MAX || !list_spokes(s, half, count, list)) {
        return false;
    }
    bool is_paired = true;
    int first = list[0].is_end ? 1 : 0;
    for (int k = 0; k < count; k++) {
        const spoke *here = &list[(first + k) % count];
        is_paired = is_paired && here->is_end == (k % 2 == 1);
        pair[k] = here->half;
    }
    return is_paired;
}

static void unite_edge(const cn_surface *s, const int *half, int count, int *parent)
{
    int pair[CROWD_MAX];
    bool is_paired = count > 2 && pair_halves(s, half, count, pair);
    const int *use = is_paired ? pair : half;
    for (int n = 1; n < count; n += is_paired ? 2 : 1) {
        cn_unite_corners(s, parent, use[n - 1], use[n]);
    }
}

// The first set of corners of a vertex keeps it. Returns how many sets need a copy.
static int find_owners(const cn_surface *s, const cn_topology *topology, int *parent, int *owner)
{
    int count = 0;
    for (int n = 0; n < 3 * s->triangle_count; n++) {
        if (topology->part[n / 3] < 0 || cn_root_of(parent, n) != n) {
            continue;
        }
        if (owner[s->triangle[n]] < 0) {
            owner[s->triangle[n]] = n;
        } else {
            count++;
        }
    }
    return count;
}

static cn_status grow(cn_surface *s, int count, cn_error *err)
{
    size_t room = 3 * ((size_t)s->vertex_count + (size_t)count);
    double *grown = realloc(s->vertex, room * sizeof *grown);
    if (grown == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %zu vertices", room / 3);
    }
    s->vertex = grown;
    return CN_OK;
}

// Roots come before the other corners of their set.
static void take_copies(cn_surface *s, const cn_topology *topology, int *parent, const int *owner)
{
    for (int n = 0; n < 3 * s->triangle_count; n++) {
        int root = cn_root_of(parent, n), vertex = s->triangle[n];
        if (topology->part[n / 3] < 0 || owner[vertex] == n) {
            continue;
        }
        if (root == n) {
            memcpy(s->vertex + 3 * (size_t)s->vertex_count, s->vertex + 3 * (size_t)vertex,
                   3 * sizeof *s->vertex);
            s->triangle[n] = s->vertex_count++;
        } else {
            s->triangle[n] = s->triangle[root];
        }
    }
}

static cn_status part_with(cn_surface *s, const cn_topology *topology, int *parent, int *owner,
                           int *made_count, cn_error *err)
{
    for (int n = 0; n < 3 * s->triangle_count; n++) {
        parent[n] = n;
        owner[s->triangle[n]] = -1;
    }
    for (int e = 0; e < topology->edge_count; e++) {
        int start = topology->edge_start[e];
        unite_edge(s, topology->half + start, topology->edge_start[e + 1] - start, parent);
    }
    *made_count = find_owners(s, topology, parent, owner);
    if (*made_count > 0) {
        CN_TRY(grow(s, *made_count, err));
        take_copies(s, topology, parent, owner);
    }
    return CN_OK;
}

cn_status cn_surface_part(cn_surface *s, int *made_count, cn_error *err)
{
    cn_topology topology;
    CN_TRY(cn_topology_make(s, &topology, err));
    int *parent = malloc((3 * (size_t)s->triangle_count + 1) * sizeof *parent);
    int *owner = malloc(((size_t)s->vertex_count + 1) * sizeof *owner);
    cn_status status =
        parent != NULL && owner != NULL
            ? part_with(s, &topology, parent, owner, made_count, err)
            : cn_fail(err, CN_NO_MEMORY, "out of memory for %d vertices", s->vertex_count);
    free(parent);
    free(owner);
    cn_topology_free(&topology);
    return status;
}
