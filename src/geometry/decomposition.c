// geometry/decomposition.c -- a closed surface cut by planes into convex pieces.
//
// Every triangle is cut by every plane; its pieces are polygons, each in one cell of the planes. A
// crossing is computed from the ends of its edge in a fixed order, so that neighbours agree on it
// to the last bit. The polygons of a cell bound one convex piece if none of their planes cuts the
// others; or else each set of polygons that share corners must. What a cell has inside the body,
// the points where three planes meet, is added. In the end the pieces must fill the body.
#include <stdlib.h>
#include <string.h>

#include "geometry/concave_cuts.h"
#include "geometry/space/solid_parts.h"
#include "geometry/surface/topology.h"
#include "geometry/surface/weld.h"

static const double CONVEX = 1e-6; // how far a piece may bulge and still be convex, of the size [-]
static const double FILL = 1e-6;   // volume that pieces may miss, of that of the body [-]
static const double ON = 1e-9;     // distance of points on a plane, of the size [-]
// Of bodies that are cut automatically, whose faces may be warped:
static const double FLAT =
    1e-3; // distance of points on a plane, of the cube root of the volume [-]
static const double FLAT_BULGE = 4.0; // how far pieces may bulge, of that distance [-]
static const double FLAT_FILL = 1e-2; // volume that the hulls of their pieces may add or miss [-]

enum { CORNER_MAX = 3 + CN_CUT_MAX }; // of a piece of a triangle

typedef struct loop {
    int count;
    cn_vec3 corner[CORNER_MAX];
} loop;

// A piece of a triangle.
typedef struct polygon {
    uint32_t cell; // bit k: on the side of cut k that its normal points to
    int triangle;
    int start, count; // corners
} polygon;

typedef struct work {
    const cn_surface *s;
    cn_cuts cuts;
    double size;        // largest side of the box
    double on;          // distance of points on a plane [m]
    double bulge, fill; // how far pieces may bulge [m], and the volume that they may miss [-]
    polygon *polygon;
    cn_vec3 *corner;
    int polygon_count, corner_count;
    int *group; // per polygon: the piece of its cell
    size_t polygon_room, corner_room, group_room;
    cn_split *split;
    size_t solid_room, point_room;
    int point_count;
} work;

// ---- cutting

static bool comes_first(cn_vec3 a, cn_vec3 b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

static cn_vec3 crossing(cn_vec3 a, cn_vec3 b, double at_a, double at_b)
{
    if (!comes_first(a, b)) {
        return crossing(b, a, at_b, at_a);
    }
    return cn_add_mul3(a, at_a / (at_a - at_b), cn_sub3(b, a));
}

// The part of a loop on one side of a plane (sign 1: where the normal points).
static loop clip(const work *w, const loop *in, int cut, double sign)
{
    loop out = {0};
    double on = w->on;
    for (int k = 0; k < in->count; k++) {
        cn_vec3 x = in->corner[k], y = in->corner[(k + 1) % in->count];
        double at_x = sign * (cn_dot3(w->cuts.normal[cut], x) - w->cuts.offset[cut]);
        double at_y = sign * (cn_dot3(w->cuts.normal[cut], y) - w->cuts.offset[cut]);
        if (at_x >= -on && out.count < CORNER_MAX) {
            out.corner[out.count++] = x;
        }
        bool is_crossed = (at_x > on && at_y < -on) || (at_x < -on && at_y > on);
        if (is_crossed && out.count < CORNER_MAX) {
            out.corner[out.count++] = crossing(x, y, at_x, at_y);
        }
    }
    return out;
}

// Whether more of the loop than its rim lies on that side.
static bool is_inside(const work *w, const loop *l, int cut, double sign)
{
    double most = -INFINITY;
    for (int k = 0; k < l->count; k++) {
        most =
            fmax(most, sign * (cn_dot3(w->cuts.normal[cut], l->corner[k]) - w->cuts.offset[cut]));
    }
    return most > w->on;
}

static cn_status keep_polygon(work *w, const loop *l, int triangle, uint32_t cell, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &w->polygon, &w->polygon_room, (size_t)w->polygon_count + 1, err));
    CN_TRY(
        cn_reserve(NULL, &w->corner, &w->corner_room, (size_t)(w->corner_count + l->count), err));
    w->polygon[w->polygon_count++] = (polygon){cell, triangle, w->corner_count, l->count};
    memcpy(w->corner + w->corner_count, l->corner, sizeof *l->corner * (size_t)l->count);
    w->corner_count += l->count;
    return CN_OK;
}

// A loop that lies in the plane belongs to the side that its own normal does not point to.
static cn_status cut_loop(work *w, const loop *l, int cut, int triangle, uint32_t cell,
                          cn_error *err)
{
    if (cut == w->cuts.count) {
        return keep_polygon(w, l, triangle, cell, err);
    }
    if (!cn_cut_is_in(&w->cuts, cut, cell)) {
        return cut_loop(w, l, cut + 1, triangle, cell, err);
    }
    bool is_above = is_inside(w, l, cut, 1.0), is_below = is_inside(w, l, cut, -1.0);
    if (!is_above && !is_below) {
        cn_vec3 n =
            cn_cross3(cn_sub3(l->corner[1], l->corner[0]), cn_sub3(l->corner[2], l->corner[0]));
        is_above = cn_dot3(n, w->cuts.normal[cut]) < 0.0;
        is_below = !is_above;
    }
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? 1.0 : -1.0;
        if (side == 0 ? is_above : is_below) {
            loop part = is_above && is_below ? clip(w, l, cut, sign) : *l;
            uint32_t bit = side == 0 ? 1u << cut : 0u;
            if (part.count >= 3) {
                CN_TRY(cut_loop(w, &part, cut + 1, triangle, cell | bit, err));
            }
        }
    }
    return CN_OK;
}

static cn_status cut_surface(work *w, cn_error *err)
{
    for (int t = 0; t < w->s->triangle_count; t++) {
        const int *corner = cn_corners(w->s, t);
        loop l = {3,
                  {cn_vertex_at(w->s, corner[0]), cn_vertex_at(w->s, corner[1]),
                   cn_vertex_at(w->s, corner[2])}};
        CN_TRY(cut_loop(w, &l, 0, t, 0u, err));
    }
    return CN_OK;
}

// ---- pieces

static int compare_cells(const void *a, const void *b)
{
    const polygon *p = a, *q = b;
    return p->cell != q->cell ? (p->cell < q->cell ? -1 : 1)
                              : (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

// Polygons from `start` to `end` that share a corner get one group: the number of the first of
// them. `place` says which corners are the same; `last` is the last polygon at each, -1 before the
// first.
static void group_cell(work *w, int start, int end, const int *place, int *last)
{
    for (int p = start; p < end; p++) {
        w->group[p] = p;
        for (int k = w->polygon[p].start; k < w->polygon[p].start + w->polygon[p].count; k++) {
            if (last[place[k]] >= start) {
                cn_unite(w->group, last[place[k]], p);
            }
            last[place[k]] = p;
        }
    }
    for (int p = start; p < end; p++) {
        w->group[p] = cn_root_of(w->group, p);
    }
}

static int cell_end(const work *w, int start)
{
    int end = start;
    while (end < w->polygon_count && w->polygon[end].cell == w->polygon[start].cell) {
        end++;
    }
    return end;
}

static cn_status group_polygons(work *w, cn_error *err)
{
    int *scratch = NULL;
    qsort(w->polygon, (size_t)w->polygon_count, sizeof *w->polygon, compare_cells);
    CN_TRY(cn_reserve(NULL, &w->group, &w->group_room, (size_t)w->polygon_count, err));
    CN_TRY(cn_array(NULL, &scratch, 2 * w->corner_count, err));
    int *place = scratch, *last = scratch + w->corner_count;
    cn_status status = cn_weld_find(&w->corner[0].x, w->corner_count, ON * w->size, place, err);
    for (int k = 0; k < w->corner_count; k++) {
        last[k] = -1;
    }
    for (int start = 0; status == CN_OK && start < w->polygon_count;) {
        int end = cell_end(w, start);
        group_cell(w, start, end, place, last);
        start = end;
    }
    cn_release(NULL, scratch);
    return status;
}

// Polygons start .. end of a cell that are of one group (-1: all).
typedef struct batch {
    int start, end, group;
} batch;

static bool is_of(const work *w, batch b, int p)
{
    return b.group < 0 || w->group[p] == b.group;
}

// How far any corner of a batch lies along n, one by one.
static double farthest(const work *w, batch b, cn_vec3 n)
{
    double most = -INFINITY;
    for (int q = b.start; q < b.end; q++) {
        for (int k = 0; is_of(w, b, q) && k < w->polygon[q].count; k++) {
            most = fmax(most, cn_dot3(n, w->corner[w->polygon[q].start + k]));
        }
    }
    return most;
}

// Hull of the corners of a batch; NULL if they have none, lying in one plane, or too many corners.
static cn_status wrap(const work *w, batch b, cn_hull **hull, cn_error *err)
{
    cn_vec3 *corner = NULL;
    int count = 0;
    *hull = NULL;
    CN_TRY(cn_array(NULL, &corner, w->corner_count, err));
    for (int q = b.start; q < b.end; q++) {
        for (int k = 0; is_of(w, b, q) && k < w->polygon[q].count; k++) {
            corner[count++] = w->corner[w->polygon[q].start + k];
        }
    }
    cn_error why;
    cn_status status = cn_hull_create(NULL, &corner[0].x, count, hull, &why);
    cn_release(NULL, corner);
    return status == CN_NO_MEMORY ? cn_fail(err, status, "%s", why.text) : CN_OK;
}

// How far the corners of a batch stick out of the plane of one of its polygons: at most, and of
// which. The farthest corner of a plane is near that of the last one on the hull of all: a walk of
// a few edges instead of a look at every corner.
static cn_status bulge(const work *w, batch b, double *most, int *worst, cn_error *err)
{
    cn_hull *hull;
    CN_TRY(wrap(w, b, &hull, err));
    *most = 0.0;
    for (int p = b.start, at = 0; p < b.end; p++) {
        if (!is_of(w, b, p)) {
            continue;
        }
        const int *t = cn_corners(w->s, w->polygon[p].triangle);
        cn_vec3 a = cn_vertex_at(w->s, t[0]);
        cn_vec3 n =
            cn_cross3(cn_sub3(cn_vertex_at(w->s, t[1]), a), cn_sub3(cn_vertex_at(w->s, t[2]), a));
        at = hull != NULL ? cn_hull_climb(hull, n, at) : 0;
        double far = hull != NULL ? cn_dot3(n, hull->vertex[at]) : farthest(w, b, n);
        double out = (far - cn_dot3(n, a)) / cn_norm3(n);
        *worst = out > *most ? w->polygon[p].triangle : *worst;
        *most = fmax(*most, out);
    }
    cn_hull_destroy(NULL, hull);
    return CN_OK;
}

static cn_status add_point(work *w, cn_vec3 x, cn_error *err)
{
    CN_TRY(
        cn_reserve(NULL, &w->split->point, &w->point_room, 3 * (size_t)(w->point_count + 1), err));
    double *to = w->split->point + 3 * (size_t)w->point_count++;
    to[0] = x.x;
    to[1] = x.y;
    to[2] = x.z;
    return CN_OK;
}

// Begins a piece; its points follow, and its address is filled in when all are there.
static cn_status add_piece(work *w, batch b, cn_error *err)
{
    cn_split *split = w->split;
    CN_TRY(cn_reserve(NULL, &split->solid, &w->solid_room, (size_t)split->count + 1, err));
    int first = w->point_count;
    for (int p = b.start; p < b.end; p++) {
        for (int k = 0; is_of(w, b, p) && k < w->polygon[p].count; k++) {
            CN_TRY(add_point(w, w->corner[w->polygon[p].start + k], err));
        }
    }
    split->solid[split->count++] =
        (cn_solid_def){.kind = CN_SOLID_HULL, .point_count = w->point_count - first};
    return CN_OK;
}

// Solid angle under which a point sees the surface, over 4 pi: 1 inside, 0 outside.
static double winding(const cn_surface *s, cn_vec3 x)
{
    double sum = 0.0;
    for (int t = 0; t < s->triangle_count; t++) {
        const int *corner = cn_corners(s, t);
        cn_vec3 a = cn_sub3(cn_vertex_at(s, corner[0]), x),
                b = cn_sub3(cn_vertex_at(s, corner[1]), x);
        cn_vec3 c = cn_sub3(cn_vertex_at(s, corner[2]), x);
        double la = cn_norm3(a), lb = cn_norm3(b), lc = cn_norm3(c);
        double under = la * lb * lc + cn_dot3(a, b) * lc + cn_dot3(b, c) * la + cn_dot3(c, a) * lb;
        sum += 2.0 * atan2(cn_dot3(a, cn_cross3(b, c)), under);
    }
    return sum / (4.0 * CN_PI);
}

// The point of three planes; false if they have none.
static bool meet(const work *w, const int cut[3], cn_vec3 *x)
{
    cn_vec3 a = w->cuts.normal[cut[0]], b = w->cuts.normal[cut[1]], c = w->cuts.normal[cut[2]];
    double det = cn_dot3(a, cn_cross3(b, c));
    if (!(fabs(det) > 1e-9)) {
        return false;
    }
    cn_vec3 sum = cn_mul3(w->cuts.offset[cut[0]], cn_cross3(b, c));
    sum = cn_add_mul3(sum, w->cuts.offset[cut[1]], cn_cross3(c, a));
    *x = cn_mul3(1.0 / det, cn_add_mul3(sum, w->cuts.offset[cut[2]], cn_cross3(a, b)));
    return true;
}

static bool is_in_cell(const work *w, uint32_t cell, cn_vec3 x)
{
    for (int k = 0; k < w->cuts.count; k++) {
        if (!cn_cut_is_in(&w->cuts, k, cell)) {
            continue;
        }
        double at = cn_dot3(w->cuts.normal[k], x) - w->cuts.offset[k];
        if ((cell >> k & 1u ? at : -at) < -w->on) {
            return false;
        }
    }
    return true;
}

// Points of the cell inside the body, where three cuts meet, belong to its last piece.
static cn_status add_inner_points(work *w, uint32_t cell, cn_error *err)
{
    int count = 0, cut[CN_CUT_MAX]; // those that bound the cell
    for (int k = 0; k < w->cuts.count; k++) {
        if (cn_cut_is_in(&w->cuts, k, cell)) {
            cut[count++] = k;
        }
    }
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            for (int k = j + 1; k < count; k++) {
                cn_vec3 x;
                if (meet(w, (const int[3]){cut[i], cut[j], cut[k]}, &x) && is_in_cell(w, cell, x) &&
                    winding(w->s, x) > 0.5) {
                    CN_TRY(add_point(w, x, err));
                    w->split->solid[w->split->count - 1].point_count++;
                }
            }
        }
    }
    return CN_OK;
}

static cn_status refuse(const work *w, int triangle, double by, cn_error *err)
{
    cn_vec3 at = cn_vertex_at(w->s, cn_corners(w->s, triangle)[0]);
    return cn_fail(err, CN_BAD_INPUT,
                   "a piece is not convex: it reaches %.3g m beyond face %lld at (%.6g, %.6g, "
                   "%.6g); cut along that face, or give convex parts",
                   by, (long long)cn_element_of(w->s, triangle), at.x, at.y, at.z);
}

static cn_status take_cell(work *w, int start, int end, cn_error *err)
{
    int worst = 0;
    double by, most = w->bulge;
    CN_TRY(bulge(w, (batch){start, end, -1}, &by, &worst, err));
    if (by <= most) {
        CN_TRY(add_piece(w, (batch){start, end, -1}, err));
        return add_inner_points(w, w->polygon[start].cell, err);
    }
    for (int p = start; p < end; p++) {
        if (w->group[p] != p) {
            continue;
        }
        CN_TRY(bulge(w, (batch){start, end, p}, &by, &worst, err));
        if (by > most) {
            return refuse(w, worst, by, err);
        }
        CN_TRY(add_piece(w, (batch){start, end, p}, err));
    }
    return CN_OK;
}

// ---- all together

static cn_status set_cuts(work *w, const cn_cut *cut, int count, cn_error *err)
{
    if (count < 0 || count > CN_CUT_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "a surface takes at most %d cuts, got %d", CN_CUT_MAX,
                       count);
    }
    for (int k = 0; k < count; k++) {
        const double *x = cut[k].point, *n = cut[k].normal;
        double length = cn_norm3(cn_v3(n[0], n[1], n[2]));
        if (!(length > 0.0) || !isfinite(length) || !isfinite(x[0] + x[1] + x[2])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "cut %d goes through (%g, %g, %g) across (%g, %g, %g): no plane", k + 1,
                           x[0], x[1], x[2], n[0], n[1], n[2]);
        }
        w->cuts.normal[k] = cn_mul3(1.0 / length, cn_v3(n[0], n[1], n[2]));
        w->cuts.offset[k] = cn_dot3(w->cuts.normal[k], cn_v3(x[0], x[1], x[2]));
    }
    w->cuts.count = count;
    return CN_OK;
}

static cn_status check_volume(const work *w, double volume, cn_error *err)
{
    cn_solid_mass mass;
    CN_TRY(cn_solids_measure(w->split->solid, w->split->count, &mass, err));
    if (!(fabs(mass.volume - volume) <= w->fill * volume)) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "the %d convex pieces hold %.9g m3, the surface %.9g m3: they do not fill it; "
            "is it closed, without cavities, and cut into convex pieces?",
            w->split->count, mass.volume, volume);
    }
    return CN_OK;
}

static cn_status measure(work *w, double *volume, cn_error *err)
{
    cn_surface_mass mass = cn_surface_measure(w->s);
    cn_vec3 side = cn_sub3(mass.box_hi, mass.box_lo);
    w->size = fmax(side.x, fmax(side.y, side.z));
    *volume = mass.volume;
    if (!(mass.volume > 0.0) || !isfinite(w->size)) {
        return cn_fail(err, CN_BAD_INPUT, "a surface that encloses %g m3 cannot be split",
                       mass.volume);
    }
    return CN_OK;
}

static cn_status take_cells(work *w, double volume, cn_error *err)
{
    CN_TRY(cut_surface(w, err));
    CN_TRY(group_polygons(w, err));
    for (int start = 0; start < w->polygon_count;) {
        int end = cell_end(w, start);
        CN_TRY(take_cell(w, start, end, err));
        start = end;
    }
    double *point = w->split->point;
    for (int k = 0; k < w->split->count; k++) {
        w->split->solid[k].point = point;
        point += 3 * (size_t)w->split->solid[k].point_count;
    }
    return check_volume(w, volume, err);
}

static cn_status finish(work *w, cn_status status)
{
    cn_release(NULL, w->polygon);
    cn_release(NULL, w->corner);
    cn_release(NULL, w->group);
    if (status != CN_OK) {
        cn_split_free(w->split);
    }
    return status;
}

cn_status cn_surface_split(const cn_surface *surface, const cn_cut *cut, int cut_count,
                           cn_split *result, cn_error *err)
{
    CN_NEED(err, surface, result);
    if (cut_count > 0) {
        CN_NEED(err, cut);
    }
    *result = (cn_split){0};
    work w = {.s = surface, .fill = FILL, .split = result};
    double volume = 0.0;
    cn_status status = measure(&w, &volume, err);
    w.on = ON * w.size;
    w.bulge = CONVEX * w.size;
    CN_THEN(status, set_cuts(&w, cut, cut_count, err));
    CN_THEN(status, take_cells(&w, volume, err));
    return finish(&w, status);
}

cn_status cn_surface_decompose(const cn_surface *surface, cn_split *result, cn_error *err)
{
    CN_NEED(err, surface, result);
    *result = (cn_split){0};
    work w = {.s = surface, .fill = FLAT_FILL, .split = result};
    double volume = 0.0;
    cn_status status = measure(&w, &volume, err);
    w.on = status == CN_OK ? FLAT * cbrt(volume) : 0.0;
    w.bulge = FLAT_BULGE * w.on;
    CN_THEN(status, cn_concave_cuts(surface, w.on, &w.cuts, err));
    CN_THEN(status, take_cells(&w, volume, err));
    return finish(&w, status);
}

void cn_split_free(cn_split *result)
{
    if (result == NULL) {
        return;
    }
    cn_release(NULL, result->solid);
    cn_release(NULL, result->point);
    *result = (cn_split){0};
}
