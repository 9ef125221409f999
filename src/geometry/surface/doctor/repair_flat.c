// geometry/surface/doctor/repair_flat.c -- flips the longest edge of flat triangles.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/surface/doctor/repair_steps.h"

enum { PASS_MAX = 8 };

// What a pass knows. Vertices and triangles that it has changed wait for the next one.
typedef struct pass {
    const cn_repair *r;
    cn_surface before; // with triangles of its own, which the topology refers to
    cn_topology topology;
    int *twin; // the other half-edge of an edge of two that run opposite ways, -1: none
    bool *is_changed;
    bool *is_busy;
    cn_tally tally;
} pass;

static void find_twins(pass *p)
{
    const cn_topology *topology = &p->topology;
    for (int n = 0; n < 3 * topology->s->triangle_count; n++) {
        p->twin[n] = -1;
    }
    for (int e = 0; e < topology->edge_count; e++) {
        const int *half = topology->half + topology->edge_start[e];
        if (topology->edge_start[e + 1] - topology->edge_start[e] == 2 &&
            cn_half_is_forward(topology->s, half[0]) != cn_half_is_forward(topology->s, half[1])) {
            p->twin[half[0]] = half[1];
            p->twin[half[1]] = half[0];
        }
    }
}

// Edges are sorted by their smaller, then their larger end.
static bool has_edge(const cn_topology *topology, int a, int b)
{
    int lo = a < b ? a : b, hi = a < b ? b : a;
    int from = 0, to = topology->edge_count;
    while (from < to) {
        int e = from + (to - from) / 2;
        int half = topology->half[topology->edge_start[e]];
        int c = cn_half_from(topology->s, half), d = cn_half_to(topology->s, half);
        int e_lo = c < d ? c : d, e_hi = c < d ? d : c;
        if (e_lo == lo && e_hi == hi) {
            return true;
        }
        if (e_lo < lo || (e_lo == lo && e_hi < hi)) {
            from = e + 1;
        } else {
            to = e;
        }
    }
    return false;
}

static int longest_half(const cn_surface *s, int t)
{
    int longest = 3 * t;
    double most = -1.0;
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        double length = cn_norm3(
            cn_sub3(cn_vertex_at(s, cn_half_from(s, half)), cn_vertex_at(s, cn_half_to(s, half))));
        if (length > most) {
            most = length;
            longest = half;
        }
    }
    return longest;
}

static int apex_of(const cn_surface *s, int half)
{
    return s->triangle[half - half % 3 + (half + 2) % 3];
}

static void set_corners(cn_surface *s, int t, int a, int b, int c)
{
    s->triangle[3 * (size_t)t] = a;
    s->triangle[3 * (size_t)t + 1] = b;
    s->triangle[3 * (size_t)t + 2] = c;
}

// t = (x y z) and u = (y x w) become (z x w) and (y z w), both of the face of u.
static bool flip(pass *p, int t)
{
    cn_surface *s = p->r->s;
    int half = longest_half(s, t);
    int u = p->twin[half] >= 0 ? p->twin[half] / 3 : -1;
    if (u < 0 || p->is_changed[t] || p->is_changed[u]) {
        return false;
    }
    int x = cn_half_from(s, half), y = cn_half_to(s, half);
    int z = apex_of(s, half), w = apex_of(s, p->twin[half]);
    if (z == w || p->is_busy[z] || p->is_busy[w] || has_edge(&p->topology, z, w)) {
        return false;
    }
    // Half-edges are places of corners: what is not flipped must keep its order.
    const int *at = s->triangle;
    int old_t[3] = {at[3 * t], at[3 * t + 1], at[3 * t + 2]};
    int old_u[3] = {at[3 * u], at[3 * u + 1], at[3 * u + 2]};
    set_corners(s, t, z, x, w);
    set_corners(s, u, y, z, w);
    if (!(cn_triangle_flatness(s, t) > p->r->def->check.degenerate) ||
        !(cn_triangle_flatness(s, u) > p->r->def->check.degenerate)) {
        set_corners(s, t, old_t[0], old_t[1], old_t[2]);
        set_corners(s, u, old_u[0], old_u[1], old_u[2]);
        return false;
    }
    cn_tally_add(&p->tally, cn_element_of(s, t));
    if (s->element != NULL) {
        s->element[t] = s->element[u];
    }
    if (s->group != NULL) {
        s->group[t] = s->group[u];
    }
    p->is_changed[t] = p->is_changed[u] = p->is_busy[z] = p->is_busy[w] = true;
    return true;
}

static bool flip_all(pass *p)
{
    const cn_surface *s = p->r->s;
    bool is_any = false;
    for (int t = 0; t < s->triangle_count; t++) {
        if (!(cn_triangle_flatness(s, t) > p->r->def->check.degenerate)) {
            is_any = flip(p, t) || is_any;
        }
    }
    return is_any;
}

static cn_status flip_with_topology(pass *p, bool *is_done)
{
    size_t triangle_count = (size_t)p->r->s->triangle_count;
    CN_TRY(cn_topology_make(&p->before, &p->topology, p->r->err));
    p->twin = malloc((3 * triangle_count + 1) * sizeof *p->twin);
    p->is_changed = calloc(triangle_count + 1, sizeof *p->is_changed);
    p->is_busy = calloc((size_t)p->r->s->vertex_count + 1, sizeof *p->is_busy);
    cn_status status = CN_OK;
    if (p->twin == NULL || p->is_changed == NULL || p->is_busy == NULL) {
        status =
            cn_fail(p->r->err, CN_NO_MEMORY, "out of memory for %zu triangles", triangle_count);
    } else {
        find_twins(p);
        *is_done = !flip_all(p);
    }
    free(p->twin);
    free(p->is_changed);
    free(p->is_busy);
    cn_topology_free(&p->topology);
    return status;
}

// *is_done: nothing was left to flip.
static cn_status run_pass(pass *p, bool *is_done)
{
    const cn_surface *s = p->r->s;
    size_t size = 3 * (size_t)s->triangle_count * sizeof *s->triangle;
    p->before = *s;
    p->before.triangle = malloc(size + 1);
    if (p->before.triangle == NULL) {
        return cn_fail(p->r->err, CN_NO_MEMORY, "out of memory for %d triangles",
                       s->triangle_count);
    }
    memcpy(p->before.triangle, s->triangle, size);
    cn_status status = flip_with_topology(p, is_done);
    free(p->before.triangle);
    return status;
}

cn_status cn_repair_flat(const cn_repair *r)
{
    pass p = {.r = r};
    bool is_done = false;
    for (int k = 0; k < PASS_MAX && !is_done; k++) {
        CN_TRY(run_pass(&p, &is_done));
    }
    cn_repair_tell(r, &p.tally, "flat triangle", "removed by flipping the longest edge");
    return CN_OK;
}
