// geometry/hull.c -- a convex polyhedron from points.
//
// Points are scaled to a box of size 1 before the facets are found, so tolerances are relative to
// the size and nothing is lost far from the origin. What is stored does not depend on the order in
// which facets were found: vertices keep the order of the points, a loop starts at its lowest
// vertex, faces and edges are sorted. Edges are checked to close the surface: each belongs to two
// faces, which run along it in opposite directions, and V - E + F = 2.
#include <stdlib.h>

#include "geometry/space/solid_parts.h"

static const double FLAT = 1e-9; // thickness of points that count as coplanar, of their size [-]

void cn_hull_destroy(const cn_hooks *hooks, cn_hull *hull)
{
    if (hull == NULL) {
        return;
    }
    cn_release(hooks, hull->vertex);
    cn_release(hooks, hull->face_start);
    cn_release(hooks, hull->face_vertex);
    cn_release(hooks, hull->normal);
    cn_release(hooks, hull->offset);
    cn_release(hooks, hull->edge);
    cn_release(hooks, hull->edge_face);
    cn_release(hooks, hull->neighbour_start);
    cn_release(hooks, hull->neighbour);
    cn_release(hooks, hull);
}

static cn_vec3 point_of(const double *point, int k)
{
    return cn_v3(point[3 * k], point[3 * k + 1], point[3 * k + 2]);
}

static cn_status check_points(const double *point, int count, cn_error *err)
{
    if (count < 4 || point == NULL) {
        return cn_fail(err, CN_BAD_INPUT, "a polyhedron needs at least 4 points, got %d",
                       count > 0 && point != NULL ? count : 0);
    }
    for (int k = 0; k < count; k++) {
        cn_vec3 p = point_of(point, k);
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "point %d of the polyhedron is (%g, %g, %g): not finite", k, p.x, p.y,
                           p.z);
        }
    }
    return CN_OK;
}

// Moves the points to the middle of their box and divides them by its largest side.
static cn_status normalise(const double *point, int count, double *scaled, cn_error *err)
{
    double lo[3], hi[3], size = 0.0;
    for (int i = 0; i < 3; i++) {
        lo[i] = hi[i] = point[i];
        for (int k = 1; k < count; k++) {
            lo[i] = fmin(lo[i], point[3 * k + i]);
            hi[i] = fmax(hi[i], point[3 * k + i]);
        }
        size = fmax(size, hi[i] - lo[i]);
    }
    if (!(size > 0.0) || !isfinite(size) || !isfinite(1.0 / size)) {
        return cn_fail(err, CN_BAD_INPUT, "the %d points of the polyhedron fill a box of size %g m",
                       count, size);
    }
    for (int k = 0; k < 3 * count; k++) {
        int i = k % 3;
        scaled[k] = (point[k] - (lo[i] + 0.5 * (hi[i] - lo[i]))) / size;
    }
    return CN_OK;
}

// Point farthest from p0, from the line p0 p1 or from the plane p0 p1 p2, by the directions given.
static int farthest(const double *point, int count, int known, const cn_vec3 *axis, double *far)
{
    int best = 0;
    *far = 0.0;
    for (int k = 1; k < count; k++) {
        cn_vec3 rest = cn_sub3(point_of(point, k), point_of(point, 0));
        double distance = 0.0;
        if (known == 2) {
            distance = fabs(cn_dot3(axis[0], rest));
        } else {
            distance = cn_norm3(known == 0 ? rest : cn_cross3(axis[0], rest));
        }
        if (distance > *far) {
            *far = distance;
            best = k;
        }
    }
    return best;
}

// Refuses points in one plane: the farthest from point 0, from the line and from the plane so
// found.
static cn_status check_spread(const double *scaled, int count, cn_error *err)
{
    double far = 0.0;
    cn_vec3 base = point_of(scaled, 0);
    cn_vec3 along = cn_sub3(point_of(scaled, farthest(scaled, count, 0, NULL, &far)), base);
    along = cn_mul3(1.0 / far, along);
    cn_vec3 aside = cn_sub3(point_of(scaled, farthest(scaled, count, 1, &along, &far)), base);
    if (!(far > FLAT)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the %d points of the polyhedron lie on one line: it has no volume", count);
    }
    cn_vec3 across = cn_cross3(along, aside);
    across = cn_mul3(1.0 / cn_norm3(across), across);
    farthest(scaled, count, 2, &across, &far);
    if (!(far > FLAT)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the %d points of the polyhedron lie in one plane: move one out of it",
                       count);
    }
    return CN_OK;
}

// Gives the points in use their numbers as vertices, in order, and renames the loops.
static int number_vertices(cn_facets *facets, int *number, int count)
{
    for (int k = 0; k < count; k++) {
        number[k] = -1;
    }
    for (int f = 0; f < facets->count; f++) {
        for (int k = 0; k < facets->facet[f].count; k++) {
            number[facets->facet[f].point[k]] = 0;
        }
    }
    int vertex_count = 0;
    for (int k = 0; k < count; k++) {
        number[k] = number[k] == 0 ? vertex_count++ : -1;
    }
    for (int f = 0; f < facets->count; f++) {
        for (int k = 0; k < facets->facet[f].count; k++) {
            facets->facet[f].point[k] = number[facets->facet[f].point[k]];
        }
    }
    return vertex_count;
}

static cn_status copy_vertices(const cn_hooks *hooks, const double *point, int count,
                               cn_facets *facets, cn_hull *hull, cn_error *err)
{
    int *number = NULL;
    CN_TRY(cn_array(hooks, &number, count, err));
    hull->vertex_count = number_vertices(facets, number, count);
    cn_status status = cn_array(hooks, &hull->vertex, hull->vertex_count, err);
    for (int k = 0; status == CN_OK && k < count; k++) {
        if (number[k] >= 0) {
            hull->vertex[number[k]] = point_of(point, k);
        }
    }
    cn_release(hooks, number);
    if (status == CN_OK && hull->vertex_count > CN_HULL_VERTEX_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "a polyhedron may have at most %d vertices, got %d",
                       CN_HULL_VERTEX_MAX, hull->vertex_count);
    }
    return status;
}

// Twice the area of a loop, as a vector along its normal.
static cn_vec3 loop_area(const cn_vec3 *vertex, const int *loop, int count)
{
    cn_vec3 area = {0.0, 0.0, 0.0}, base = vertex[loop[0]];
    for (int k = 1; k + 1 < count; k++) {
        cn_vec3 p = cn_sub3(vertex[loop[k]], base), q = cn_sub3(vertex[loop[k + 1]], base);
        area = cn_add3(area, cn_cross3(p, q));
    }
    return area;
}

static cn_vec3 mean_vertex(const cn_hull *hull)
{
    cn_vec3 sum = {0.0, 0.0, 0.0}, base = hull->vertex[0];
    for (int k = 1; k < hull->vertex_count; k++) {
        sum = cn_add3(sum, cn_sub3(hull->vertex[k], base));
    }
    return cn_add_mul3(base, 1.0 / hull->vertex_count, sum);
}

static void reverse(int *list, int count)
{
    for (int k = 0; k < count / 2; k++) {
        int one = list[k];
        list[k] = list[count - 1 - k];
        list[count - 1 - k] = one;
    }
}

// Counterclockwise from outside, lowest vertex first; false if the loop has no area.
static bool orient(const cn_hull *hull, cn_vec3 inside, cn_facet *facet)
{
    cn_vec3 area = loop_area(hull->vertex, facet->point, facet->count);
    if (cn_dot3(area, cn_sub3(hull->vertex[facet->point[0]], inside)) < 0.0) {
        reverse(facet->point, facet->count);
    }
    int lowest = 0;
    for (int k = 1; k < facet->count; k++) {
        lowest = facet->point[k] < facet->point[lowest] ? k : lowest;
    }
    reverse(facet->point, lowest); // turns the loop in place: (A^r B^r)^r = B A
    reverse(facet->point + lowest, facet->count - lowest);
    reverse(facet->point, facet->count);
    double size = cn_norm3(area);
    return size > 0.0 && isfinite(1.0 / size);
}

static int compare_facets(const void *p, const void *q)
{
    const cn_facet *f = p, *g = q;
    int least = f->count < g->count ? f->count : g->count;
    for (int k = 0; k < least; k++) {
        if (f->point[k] != g->point[k]) {
            return f->point[k] - g->point[k];
        }
    }
    return f->count - g->count;
}

static cn_status copy_faces(const cn_hooks *hooks, cn_facets *facets, cn_hull *hull, cn_error *err)
{
    cn_vec3 inside = mean_vertex(hull);
    int total = 0;
    for (int f = 0; f < facets->count; f++) {
        if (facets->facet[f].count < 3 || !orient(hull, inside, &facets->facet[f])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "the polyhedron has a face without area: remove points that lie close "
                           "together");
        }
        total += facets->facet[f].count;
    }
    qsort(facets->facet, (size_t)facets->count, sizeof *facets->facet, compare_facets);
    CN_TRY(cn_array(hooks, &hull->face_start, facets->count + 1, err));
    CN_TRY(cn_array(hooks, &hull->face_vertex, total, err));
    CN_TRY(cn_array(hooks, &hull->normal, facets->count, err));
    CN_TRY(cn_array(hooks, &hull->offset, facets->count, err));
    hull->face_count = facets->count;
    hull->face_start[0] = 0;
    for (int f = 0; f < facets->count; f++) {
        int start = hull->face_start[f], count = facets->facet[f].count;
        for (int k = 0; k < count; k++) {
            hull->face_vertex[start + k] = facets->facet[f].point[k];
        }
        hull->face_start[f + 1] = start + count;
    }
    return CN_OK;
}

void cn_hull_planes(cn_hull *hull)
{
    for (int f = 0; f < hull->face_count; f++) {
        const int *loop = hull->face_vertex + hull->face_start[f];
        int count = hull->face_start[f + 1] - hull->face_start[f];
        cn_vec3 area = loop_area(hull->vertex, loop, count);
        cn_vec3 n = cn_mul3(1.0 / cn_norm3(area), area);
        double sum = 0.0;
        for (int k = 0; k < count; k++) {
            sum += cn_dot3(n, hull->vertex[loop[k]]);
        }
        hull->normal[f] = n;
        hull->offset[f] = sum / count;
    }
}

// One side of an edge: a face that runs from lower to higher vertex (is_back 0) or back.
typedef struct side {
    int lower, higher, is_back, face;
} side;

static int compare_sides(const void *p, const void *q)
{
    const side *s = p, *t = q;
    int order = s->lower - t->lower;
    order = order != 0 ? order : s->higher - t->higher;
    order = order != 0 ? order : s->is_back - t->is_back;
    return order != 0 ? order : s->face - t->face;
}

static void list_sides(const cn_hull *hull, side *sides)
{
    for (int f = 0; f < hull->face_count; f++) {
        int start = hull->face_start[f], end = hull->face_start[f + 1];
        for (int k = start; k < end; k++) {
            int u = hull->face_vertex[k], v = hull->face_vertex[k + 1 == end ? start : k + 1];
            sides[k] = u < v ? (side){u, v, 0, f} : (side){v, u, 1, f};
        }
    }
}

static bool is_edge(const side *s, const side *t)
{
    return s->lower == t->lower && s->higher == t->higher && s->is_back == 0 && t->is_back == 1;
}

static cn_status pair_sides(const cn_hooks *hooks, side *sides, int side_count, cn_hull *hull,
                            cn_error *err)
{
    list_sides(hull, sides);
    qsort(sides, (size_t)side_count, sizeof *sides, compare_sides);
    int edge_count = side_count / 2;
    CN_TRY(cn_array(hooks, &hull->edge, edge_count, err));
    CN_TRY(cn_array(hooks, &hull->edge_face, edge_count, err));
    bool is_closed = hull->vertex_count - edge_count + hull->face_count == 2;
    for (int e = 0; e < edge_count; e++) {
        const side *s = &sides[2 * e];
        is_closed = is_closed && is_edge(&s[0], &s[1]);
        hull->edge[e][0] = s->lower;
        hull->edge[e][1] = s->higher;
        hull->edge_face[e][0] = s[0].face;
        hull->edge_face[e][1] = s[1].face;
    }
    hull->edge_count = edge_count;
    if (!is_closed || side_count % 2 != 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the hull of the points is not a closed surface (%d vertices, %d edges, %d "
                       "faces): remove points that lie close together",
                       hull->vertex_count, edge_count, hull->face_count);
    }
    return CN_OK;
}

static cn_status find_edges(const cn_hooks *hooks, cn_hull *hull, cn_error *err)
{
    side *sides = NULL;
    int side_count = hull->face_start[hull->face_count];
    CN_TRY(cn_array(hooks, &sides, side_count, err));
    cn_status status = pair_sides(hooks, sides, side_count, hull, err);
    cn_release(hooks, sides);
    return status;
}

// Edges are sorted, so each list comes out ascending: lower neighbours first.
static cn_status find_neighbours(const cn_hooks *hooks, cn_hull *hull, cn_error *err)
{
    int n = hull->vertex_count;
    CN_TRY(cn_array(hooks, &hull->neighbour_start, n + 1, err));
    CN_TRY(cn_array(hooks, &hull->neighbour, 2 * hull->edge_count, err));
    int *start = hull->neighbour_start;
    for (int k = 0; k <= n; k++) {
        start[k] = 0;
    }
    for (int e = 0; e < hull->edge_count; e++) {
        start[hull->edge[e][0]]++;
        start[hull->edge[e][1]]++;
    }
    int total = 0;
    for (int k = 0; k <= n; k++) {
        total += start[k];
        start[k] = total; // the end of each list; filled from the back, it becomes the start
    }
    for (int e = hull->edge_count - 1; e >= 0; e--) {
        int u = hull->edge[e][0], v = hull->edge[e][1];
        hull->neighbour[--start[u]] = v;
        hull->neighbour[--start[v]] = u;
    }
    return CN_OK;
}

static cn_status find_facets(const cn_hooks *hooks, const double *point, int count,
                             cn_facets *facets, cn_error *err)
{
    double *scaled = NULL;
    CN_TRY(cn_array(hooks, &scaled, 3 * (size_t)count, err));
    cn_status status = normalise(point, count, scaled, err);
    if (status == CN_OK) {
        status = check_spread(scaled, count, err);
    }
    if (status == CN_OK) {
        status = cn_facets_find(hooks, scaled, count, facets, err);
    }
    cn_release(hooks, scaled);
    return status;
}

static cn_status build(const cn_hooks *hooks, const double *point, int count, cn_facets *facets,
                       cn_hull *hull, cn_error *err)
{
    CN_TRY(find_facets(hooks, point, count, facets, err));
    CN_TRY(copy_vertices(hooks, point, count, facets, hull, err));
    CN_TRY(copy_faces(hooks, facets, hull, err));
    CN_TRY(find_edges(hooks, hull, err));
    CN_TRY(find_neighbours(hooks, hull, err));
    cn_hull_planes(hull);
    return CN_OK;
}

cn_status cn_hull_create(const cn_hooks *hooks, const double *point, int count, cn_hull **hull,
                         cn_error *err)
{
    CN_TRY(check_points(point, count, err));
    cn_hull *made = NULL;
    CN_TRY(cn_array(hooks, &made, 1, err));
    *made = (cn_hull){0};
    cn_facets facets = {0};
    cn_status status = build(hooks, point, count, &facets, made, err);
    cn_facets_free(hooks, &facets);
    if (status != CN_OK) {
        cn_hull_destroy(hooks, made);
        return status;
    }
    *hull = made;
    return CN_OK;
}
