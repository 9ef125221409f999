// geometry/surface/doctor/check_surface.c -- the doctor: each function looks for one or two kinds
// of defects.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/surface/doctor/crossing.h"
#include "geometry/surface/doctor/doctor.h"
#include "geometry/surface/nested_parts.h"
#include "geometry/surface/weld.h"

typedef struct doctor {
    const cn_surface *s;
    const cn_surface_check_def *def;
    cn_surface_report *report;
    cn_error *err;
} doctor;

cn_surface_check_def cn_surface_check_def_default(void)
{
    return (cn_surface_check_def){
        .sliver = 1e-3, .degenerate = 1e-9, .touch = 1e-7, .size_lo = 1e-3, .size_hi = 1e3};
}

// t, u: triangles concerned, -1: none.
static void note(doctor *d, cn_defect defect, int t, int u, cn_vec3 at)
{
    int64_t n = d->report->count[defect]++;
    if (n < CN_DEFECT_PLACES) {
        d->report->place[defect][n] = (cn_defect_place){
            {t >= 0 ? cn_element_of(d->s, t) : 0, u >= 0 ? cn_element_of(d->s, u) : 0}, at};
    }
}

cn_status cn_surface_validate(const cn_surface *s, cn_error *err)
{
    const double most = 1e30; // larger ones have no finite inertia
    for (size_t n = 0; n < 3 * (size_t)s->vertex_count; n++) {
        if (!(fabs(s->vertex[n]) <= most)) {
            return cn_fail(err, CN_BAD_INPUT, "vertex %zu of the surface has a coordinate %g m",
                           n / 3 + 1, s->vertex[n]);
        }
    }
    for (size_t n = 0; n < 3 * (size_t)s->triangle_count; n++) {
        if (s->triangle[n] < 0 || s->triangle[n] >= s->vertex_count) {
            return cn_fail(err, CN_BAD_INPUT,
                           "triangle %zu of the surface names vertex %d of %d (counted from 0)",
                           n / 3 + 1, s->triangle[n], s->vertex_count);
        }
    }
    return CN_OK;
}

double cn_triangle_flatness(const cn_surface *s, int t)
{
    const int *corner = cn_corners(s, t);
    cn_vec3 a = cn_vertex_at(s, corner[0]), b = cn_vertex_at(s, corner[1]),
            c = cn_vertex_at(s, corner[2]);
    double ab = cn_norm3(cn_sub3(b, a)), bc = cn_norm3(cn_sub3(c, b)), ca = cn_norm3(cn_sub3(a, c));
    double longest = fmax(ab, fmax(bc, ca));
    double area2 = cn_norm3(cn_cross3(cn_sub3(b, a), cn_sub3(c, a)));
    return longest > 0.0 && !cn_is_collapsed(corner) ? area2 / longest / longest : 0.0;
}

static void check_triangles(doctor *d)
{
    for (int t = 0; t < d->s->triangle_count; t++) {
        double flatness = cn_triangle_flatness(d->s, t);
        cn_vec3 at = cn_vertex_at(d->s, cn_corners(d->s, t)[0]);
        if (!(flatness > d->def->degenerate)) {
            note(d, CN_DEFECT_DEGENERATE, t, -1, at);
        } else if (flatness < d->def->sliver) {
            note(d, CN_DEFECT_SLIVER, t, -1, at);
        }
    }
}

static void check_edge(doctor *d, const int *half, int count)
{
    int a = cn_half_from(d->s, half[0]), b = cn_half_to(d->s, half[0]);
    cn_vec3 at = cn_mul3(0.5, cn_add3(cn_vertex_at(d->s, a), cn_vertex_at(d->s, b)));
    if (count == 1) {
        note(d, CN_DEFECT_OPEN_EDGE, half[0] / 3, -1, at);
    } else if (count > 2) {
        note(d, CN_DEFECT_CROWDED_EDGE, half[0] / 3, half[1] / 3, at);
    } else if (cn_half_is_forward(d->s, half[0]) == cn_half_is_forward(d->s, half[1])) {
        note(d, CN_DEFECT_ORIENTATION, half[0] / 3, half[1] / 3, at);
    }
}

static void check_edges(doctor *d, const cn_topology *topology)
{
    for (int e = 0; e < topology->edge_count; e++) {
        int start = topology->edge_start[e];
        check_edge(d, topology->half + start, topology->edge_start[e + 1] - start);
    }
}

// A vertex is crowded if its corners fall into several sets joined by edges.
static void note_crowded(doctor *d, const cn_topology *topology, int *parent, int *fan)
{
    const cn_surface *s = d->s;
    const int told = -2;
    for (int n = 0; n < 3 * s->triangle_count; n++) {
        int vertex = s->triangle[n], root = cn_root_of(parent, n);
        if (topology->part[n / 3] < 0 || fan[vertex] == told) {
            continue;
        }
        if (fan[vertex] >= 0 && fan[vertex] != root) {
            note(d, CN_DEFECT_CROWDED_VERTEX, fan[vertex] / 3, n / 3, cn_vertex_at(s, vertex));
            fan[vertex] = told;
        } else {
            fan[vertex] = root;
        }
    }
}

static cn_status check_fans(doctor *d, const cn_topology *topology)
{
    const cn_surface *s = d->s;
    int count = 3 * s->triangle_count;
    int *parent = malloc(((size_t)count + 1) * sizeof *parent);
    int *fan = malloc(((size_t)s->vertex_count + 1) * sizeof *fan);
    if (parent == NULL || fan == NULL) {
        free(parent);
        free(fan);
        return cn_fail(d->err, CN_NO_MEMORY, "out of memory for %d vertices", s->vertex_count);
    }
    for (int n = 0; n < count; n++) {
        parent[n] = n;
        fan[s->triangle[n]] = -1;
    }
    for (int e = 0; e < topology->edge_count; e++) {
        for (int n = topology->edge_start[e] + 1; n < topology->edge_start[e + 1]; n++) {
            cn_unite_corners(s, parent, topology->half[n - 1], topology->half[n]);
        }
    }
    note_crowded(d, topology, parent, fan);
    free(parent);
    free(fan);
    return CN_OK;
}

cn_status cn_find_duplicates(const cn_surface *s, void (*found)(void *context, int t, int earlier),
                             void *context, cn_error *err)
{
    int count = s->triangle_count;
    int *key = calloc(3 * (size_t)count + 1, sizeof *key);
    int *order = malloc(((size_t)count + 1) * sizeof *order);
    cn_status status = CN_OK;
    if (key == NULL || order == NULL) {
        status = cn_fail(err, CN_NO_MEMORY, "out of memory for %d triangles", count);
    }
    for (int t = 0; t < count && status == CN_OK; t++) {
        const int *v = cn_corners(s, t);
        int *k = key + 3 * (size_t)t;
        int lo = v[0] < v[1] ? v[0] : v[1], hi = v[0] < v[1] ? v[1] : v[0];
        k[0] = hi > v[2] ? hi : v[2];
        k[2] = lo < v[2] ? lo : v[2];
        k[1] = v[2] < lo ? lo : v[2] > hi ? hi : v[2];
    }
    if (status == CN_OK) {
        status = cn_sort_keys(count, 3, key, s->vertex_count, order, err);
    }
    for (int n = 1, first = 0; n < count && status == CN_OK; n++) {
        const int *a = key + 3 * (size_t)order[first], *b = key + 3 * (size_t)order[n];
        if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2]) {
            first = n;
        } else if (!cn_is_collapsed(a)) {
            found(context, order[n], order[first]);
        }
    }
    free(key);
    free(order);
    return status;
}

static void note_duplicate(void *context, int t, int earlier)
{
    doctor *d = context;
    note(d, CN_DEFECT_DUPLICATE, t, earlier, cn_vertex_at(d->s, cn_corners(d->s, t)[0]));
}

static cn_status check_vertices(doctor *d)
{
    const cn_surface *s = d->s;
    int *stands_for = malloc(((size_t)s->vertex_count + 1) * sizeof *stands_for);
    if (stands_for == NULL) {
        return cn_fail(d->err, CN_NO_MEMORY, "out of memory for %d vertices", s->vertex_count);
    }
    cn_status status = cn_weld_find(s->vertex, s->vertex_count, 0.0, stands_for, d->err);
    for (int v = 0; v < s->vertex_count && status == CN_OK; v++) {
        if (stands_for[v] != v) {
            note(d, CN_DEFECT_DUPLICATE_VERTEX, -1, -1, cn_vertex_at(s, v));
        }
        stands_for[v] = 0;
    }
    for (size_t n = 0; n < 3 * (size_t)s->triangle_count && status == CN_OK; n++) {
        stands_for[s->triangle[n]] = 1; // from here on: whether it is used
    }
    for (int v = 0; v < s->vertex_count && status == CN_OK; v++) {
        if (stands_for[v] == 0) {
            note(d, CN_DEFECT_UNUSED_VERTEX, -1, -1, cn_vertex_at(s, v));
        }
    }
    free(stands_for);
    return status;
}

static cn_status check_parts(doctor *d, const cn_topology *topology)
{
    cn_parts parts;
    CN_TRY(cn_parts_make(topology, &parts, d->err));
    d->report->part_count = parts.count;
    d->report->is_cut_short = d->report->is_cut_short || parts.is_cut_short;
    for (int k = 0; k < parts.count; k++) {
        cn_vec3 at = cn_vertex_at(d->s, cn_corners(d->s, parts.part[k].first)[0]);
        if (k > 0) {
            note(d, CN_DEFECT_PARTS, parts.part[k].first, -1, at);
        }
        if (cn_part_is_inverted(&parts.part[k])) {
            note(d, CN_DEFECT_INVERTED, parts.part[k].first, -1, at);
        }
    }
    cn_parts_free(&parts);
    return CN_OK;
}

static double largest_extent(const cn_surface_mass *mass)
{
    cn_vec3 size = cn_sub3(mass->box_hi, mass->box_lo);
    return fmax(size.x, fmax(size.y, size.z));
}

static void check_unit(doctor *d)
{
    double size = largest_extent(&d->report->mass);
    if (size < d->def->size_lo || size > d->def->size_hi) {
        note(d, CN_DEFECT_UNIT, -1, -1, d->report->mass.centre);
    }
}

static void note_crossing(void *context, int t, int u, cn_vec3 at)
{
    note(context, CN_DEFECT_INTERSECTION, t, u, at);
}

static cn_status check_crossings(doctor *d)
{
    const cn_surface_mass *mass = &d->report->mass;
    double size = largest_extent(mass);
    size = fmax(size, fmax(fabs(mass->box_lo.x), fabs(mass->box_hi.x)));
    size = fmax(size, fmax(fabs(mass->box_lo.y), fabs(mass->box_hi.y)));
    size = fmax(size, fmax(fabs(mass->box_lo.z), fabs(mass->box_hi.z)));
    bool is_cut_short = false;
    CN_TRY(cn_find_crossings(d->s, d->def->touch * size, note_crossing, d, &is_cut_short, d->err));
    d->report->is_cut_short = d->report->is_cut_short || is_cut_short;
    return CN_OK;
}

static cn_status check_with(doctor *d, const cn_topology *topology)
{
    check_edges(d, topology);
    CN_TRY(check_fans(d, topology));
    return check_parts(d, topology);
}

cn_status cn_surface_check(const cn_surface *surface, const cn_surface_check_def *def,
                           cn_surface_report *report, cn_error *err)
{
    CN_NEED(err, surface, def, report);
    *report = (cn_surface_report){0};
    doctor d = {surface, def, report, err};
    cn_topology topology;
    CN_TRY(cn_surface_validate(surface, err));
    report->mass = cn_surface_measure(surface);
    check_unit(&d);
    check_triangles(&d);
    CN_TRY(check_vertices(&d));
    CN_TRY(cn_find_duplicates(surface, note_duplicate, &d, err));
    CN_TRY(cn_topology_make(surface, &topology, err));
    cn_status status = check_with(&d, &topology);
    cn_topology_free(&topology);
    CN_TRY(status);
    return check_crossings(&d);
}
