// detect/space/surface/surface_hull.c -- a convex polyhedron on a triangle surface, in the frame of
// the surface: its vertices on faces, corners of the surface on its faces, edges on edges.
#include "detect/space/surface/surface_near.h"

static const double SLACK = 1e-3;    // sine by which a normal may be outside of what is seen [-]
static const double PARALLEL = 2e-3; // sine below which edges are parallel (5.4) [-]
static const double AT = CN_HULL_CORNER; // nearer corners have no direction, of the size [-]
static const double DRAWN = 1e-3;        // how strongly a place is drawn to the middle (5.8) [-]
static const double DEPTH = 0.5;         // deepest touch, of the size of the body [-]

enum { HALVINGS = 48 }; // thirds are left out: to 1e-9 of a ridge

// The polyhedron seen from the surface.
typedef struct block {
    const cn_hull *h;
    cn_mat3 R;
    cn_vec3 x;
} block;

static block block_of(const cn_posed3 *a, const cn_posed3 *b)
{
    return (block){.h = a->solid->hull,
                   .R = cn_turn_between(&b->R, &a->R),
                   .x = cn_mat3_mul_transposed(&b->R, cn_sub3(a->x, b->x))};
}

static cn_vec3 vertex_of(const block *s, int v)
{
    return cn_add3(s->x, cn_mat3_mul(&s->R, s->h->vertex[v]));
}

static double behind(const void *body, cn_vec3 n, double offset)
{
    const block *s = body;
    cn_vec3 local = cn_mat3_mul_transposed(&s->R, n);
    int v = cn_hull_furthest(s->h, cn_neg3(local));
    return offset - cn_dot3(n, vertex_of(s, v));
}

// Of a corner that sticks out along n most edges lead down.
static bool sticks_out(const void *body, uint32_t v, cn_vec3 p, cn_vec3 n)
{
    (void)p;
    const block *s = body;
    cn_vec3 x = s->h->vertex[v], edges = cn_v3(0.0, 0.0, 0.0);
    for (int k = s->h->neighbour_start[v]; k < s->h->neighbour_start[v + 1]; k++) {
        cn_vec3 e = cn_sub3(s->h->vertex[s->h->neighbour[k]], x);
        edges = cn_add_mul3(edges, 1.0 / cn_norm3(e), e);
    }
    return cn_dot3(cn_mat3_mul(&s->R, edges), n) < -SLACK;
}

// The face through which a corner inside leaves: of those that it sees the nearest.
static bool find_way_out(const cn_surface_gather *g, const block *s, int vertex, cn_vec3 local,
                         cn_foot *foot)
{
    foot->distance = -INFINITY;
    for (int f = 0; f < s->h->face_count; f++) {
        double height = cn_dot3(s->h->normal[f], local) - s->h->offset[f];
        cn_vec3 n = cn_neg3(cn_mat3_mul(&s->R, s->h->normal[f]));
        if (height > foot->distance && cn_surface_corner_sees(g->m, vertex, n, SLACK)) {
            *foot = (cn_foot){s->h->normal[f], height, true};
        }
    }
    return foot->distance >= -g->depth;
}

// Whether a corner of the surface is as near to an edge of the polyhedron as AT; *n is the mean of
// the normals of the faces there.
static bool is_at_edge(const cn_surface_gather *g, const block *s, cn_vec3 local, cn_vec3 *n)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    int count = 0;
    for (int f = 0; f < s->h->face_count; f++) {
        if (cn_dot3(s->h->normal[f], local) - s->h->offset[f] > -AT * g->size) {
            sum = cn_add3(sum, s->h->normal[f]);
            count++;
        }
    }
    *n = count > 1 ? cn_mul3(1.0 / cn_norm3(sum), sum) : sum;
    return count > 1;
}

// A corner of the surface against the faces of the polyhedron.
static void touch_corner(cn_surface_gather *g, const block *s, int vertex)
{
    cn_vec3 x = g->m->vertex[vertex];
    cn_foot foot;
    cn_vec3 local = cn_mat3_mul_transposed(&s->R, cn_sub3(x, s->x));
    if (!cn_hull_foot(s->h, local, g->reach, &foot)) {
        return;
    }
    double nearest = foot.distance;
    cn_vec3 out;
    if (fabs(nearest) <= AT * g->size && is_at_edge(g, s, local, &out)) {
        cn_vec3 n = cn_neg3(cn_mat3_mul(&s->R, out));
        if (cn_surface_corner_allows(g, vertex, n, nearest)) {
            cn_surface_meet(g, x, n, nearest, cn_surface_name(CN_MESH_CORNER, vertex, 0u));
        }
        return; // faces and crossings of edges say all, if there are some
    }
    if (nearest < 0.0 && !find_way_out(g, s, vertex, local, &foot)) {
        return;
    }
    cn_vec3 n = cn_neg3(cn_mat3_mul(&s->R, foot.n));
    if (cn_surface_corner_sees(g->m, vertex, n, SLACK) &&
        cn_surface_corner_allows(g, vertex, n, foot.distance)) {
        cn_surface_add_corner(g, vertex, n, foot.distance, nearest);
    }
}

// Whether -n lies between the normals of the faces of an edge of the polyhedron.
static bool is_seen(const block *s, int edge, cn_vec3 n)
{
    const cn_hull *h = s->h;
    cn_vec3 m = cn_neg3(cn_mat3_mul_transposed(&s->R, n));
    cn_vec3 n0 = h->normal[h->edge_face[edge][0]], n1 = h->normal[h->edge_face[edge][1]];
    double cosine = cn_dot3(n0, n1);
    cn_vec3 out0 = cn_add_mul3(n1, -cosine, n0), out1 = cn_add_mul3(n0, -cosine, n1);
    double sine = cn_norm3(out0);
    return cn_dot3(m, out0) >= -SLACK * sine && cn_dot3(m, out1) >= -SLACK * sine &&
           cn_dot3(m, cn_add3(n0, n1)) > 0.0;
}

// How deep a point, in the frame of the polyhedron, is inside.
static double depth_of(const cn_hull *h, cn_vec3 x)
{
    double least = INFINITY;
    for (int f = 0; f < h->face_count; f++) {
        least = fmin(least, h->offset[f] - cn_dot3(h->normal[f], x));
    }
    return least;
}

static bool holds(const void *body, cn_vec3 p, double slack)
{
    const block *s = body;
    return depth_of(s->h, cn_mat3_mul_transposed(&s->R, cn_sub3(p, s->x))) >= -slack;
}

// Whether edges that cross at a negative gap do so where the bodies overlap: a place on the one
// edge is then inside of the other body. Past a thin part of a body they cross without touching.
static bool is_overlap(const cn_surface_gather *g, const block *s, cn_vec3 on_mesh,
                       cn_vec3 on_block)
{
    cn_vec3 local = cn_mat3_mul_transposed(&s->R, cn_sub3(on_mesh, s->x));
    return depth_of(s->h, local) > -CN_HULL_LEVEL * g->size || cn_surface_holds(g->m, on_block);
}

static void touch_edges(cn_surface_gather *g, const block *s, int half, int edge)
{
    const cn_surface_solid *m = g->m;
    cn_vec3 p = m->vertex[cn_surface_from(m, half)],
            e = cn_sub3(m->vertex[cn_surface_to(m, half)], p);
    cn_vec3 q = vertex_of(s, s->h->edge[edge][0]);
    cn_vec3 f = cn_sub3(vertex_of(s, s->h->edge[edge][1]), q);
    cn_vec3 across = cn_cross3(e, f), apart = cn_sub3(q, p);
    double square = cn_dot3(across, across);
    if (!(square > PARALLEL * PARALLEL * cn_dot3(e, e) * cn_dot3(f, f))) {
        return;
    }
    double on_e = cn_dot3(cn_cross3(apart, f), across) / square;
    double on_f = cn_dot3(cn_cross3(apart, e), across) / square;
    double slack = CN_MESH_BORDER * g->size;
    if (!(fabs(on_e - 0.5) <= 0.5 + slack / cn_norm3(e) &&
          fabs(on_f - 0.5) <= 0.5 + slack / cn_norm3(f))) {
        return;
    }
    cn_vec3 n = cn_mul3(1.0 / sqrt(square), across);
    n = cn_dot3(n, cn_add3(m->normal[half / 3], m->normal[m->twin[half] / 3])) < 0.0 ? cn_neg3(n)
                                                                                     : n;
    double gap = cn_dot3(n, apart);
    if (gap <= g->reach && gap >= -g->depth && cn_surface_edge_sees(m, half, n, SLACK) &&
        is_seen(s, edge, n) && cn_surface_edge_allows(g, half, n, gap)) {
        cn_vec3 on_mesh = cn_add_mul3(p, on_e, e);
        if (gap >= 0.0 || is_overlap(g, s, on_mesh, cn_add_mul3(q, on_f, f))) {
            cn_surface_add(g, cn_add_mul3(on_mesh, 0.5 * gap, n), n, gap,
                           cn_surface_name(CN_MESH_EDGE, half, (uint32_t)edge));
        }
    }
}

// Whether no edge of a vertex of the polyhedron runs along -n: then it is the nearest along n.
static bool is_lowest(const block *s, int v, cn_vec3 n)
{
    cn_vec3 local = cn_mat3_mul_transposed(&s->R, n), x = s->h->vertex[v];
    for (int k = s->h->neighbour_start[v]; k < s->h->neighbour_start[v + 1]; k++) {
        cn_vec3 e = cn_sub3(s->h->vertex[s->h->neighbour[k]], x);
        if (cn_dot3(e, local) < 0.0) {
            return false;
        }
    }
    return true;
}

// A vertex of the polyhedron over a sharp edge, beside both its faces: it approaches the edge.
static void touch_ridge(cn_surface_gather *g, const block *s, int half, int v)
{
    const cn_surface_solid *m = g->m;
    cn_vec3 from = m->vertex[cn_surface_from(m, half)], to = m->vertex[cn_surface_to(m, half)];
    cn_vec3 x = vertex_of(s, v);
    cn_vec3 along = cn_sub3(to, from);
    double square = cn_dot3(along, along), place = cn_dot3(along, cn_sub3(x, from)) / square;
    double slack = CN_MESH_BORDER * g->size / sqrt(square);
    cn_vec3 on = cn_add_mul3(from, place, along), way = cn_sub3(x, on);
    double distance = cn_norm3(way);
    if (!(fabs(place - 0.5) < 0.5 + slack && distance <= g->reach)) {
        return;
    }
    uint32_t name = cn_surface_name(CN_MESH_CORNER, half, 1u << 31 | (uint32_t)v);
    if (!(distance > AT * g->size)) {
        cn_vec3 out = cn_add3(m->normal[half / 3], m->normal[m->twin[half] / 3]);
        out = cn_mul3(1.0 / cn_norm3(out), out);
        if (is_lowest(s, v, out) && cn_surface_edge_allows(g, half, out, distance)) {
            cn_surface_meet(g, on, out, distance, name);
        }
        return;
    }
    cn_vec3 n = cn_mul3(1.0 / distance, way);
    if (cn_surface_edge_sees(m, half, n, 0.0) && is_lowest(s, v, n) &&
        cn_surface_edge_allows(g, half, n, distance)) {
        cn_surface_add(g, cn_add_mul3(on, 0.5 * distance, n), n, distance, name);
    }
}

// Of the faces that are about as near as `depth` the one that looks most against n: where a ridge
// is deepest two faces or more are equally near.
static int face_against(const cn_hull *h, cn_vec3 x, double depth, cn_vec3 n)
{
    int face = 0;
    double least = INFINITY;
    for (int f = 0; f < h->face_count; f++) {
        double along = cn_dot3(h->normal[f], n);
        if (h->offset[f] - cn_dot3(h->normal[f], x) <= depth && along < least) {
            least = along;
            face = f;
        }
    }
    return face;
}

// The part of a segment from x to x + e that is inside; false if there is none.
static bool clip(const cn_hull *h, cn_vec3 x, cn_vec3 e, double part[2])
{
    part[0] = 0.0;
    part[1] = 1.0;
    for (int f = 0; f < h->face_count; f++) {
        double below = h->offset[f] - cn_dot3(h->normal[f], x), rate = cn_dot3(h->normal[f], e);
        if (rate > 0.0) {
            part[1] = fmin(part[1], below / rate);
        } else if (rate < 0.0) {
            part[0] = fmax(part[0], below / rate);
        } else if (below < 0.0) {
            return false;
        }
        if (!(part[0] < part[1])) {
            return false;
        }
    }
    return true;
}

// A ridge inside of the polyhedron: where it is deepest, it leaves by the nearest face. The depth
// is concave along the ridge; its largest place is drawn to the middle of what is inside.
static void pierce(cn_surface_gather *g, const block *s, int half)
{
    cn_vec3 from = g->m->vertex[cn_surface_from(g->m, half)],
            to = g->m->vertex[cn_surface_to(g->m, half)];
    cn_vec3 x = cn_mat3_mul_transposed(&s->R, cn_sub3(from, s->x));
    cn_vec3 e = cn_mat3_mul_transposed(&s->R, cn_sub3(to, from));
    double part[2];
    if (!clip(s->h, x, e, part)) {
        return;
    }
    double middle = 0.5 * (part[0] + part[1]), draw = DRAWN * cn_norm3(e);
    for (int k = 0; k < HALVINGS; k++) {
        double third = (part[1] - part[0]) / 3.0, low = part[0] + third, high = part[1] - third;
        double more = draw * ((high - middle) * (high - middle) - (low - middle) * (low - middle));
        bool is_rising =
            depth_of(s->h, cn_add_mul3(x, low, e)) + more < depth_of(s->h, cn_add_mul3(x, high, e));
        part[is_rising ? 0 : 1] += is_rising ? third : -third;
    }
    double at = 0.5 * (part[0] + part[1]), depth = depth_of(s->h, cn_add_mul3(x, at, e));
    cn_vec3 out = cn_add3(g->m->normal[half / 3], g->m->normal[g->m->twin[half] / 3]);
    int face = face_against(s->h, cn_add_mul3(x, at, e), depth + CN_HULL_LEVEL * g->size,
                            cn_mat3_mul_transposed(&s->R, out));
    cn_vec3 n = cn_neg3(cn_mat3_mul(&s->R, s->h->normal[face]));
    cn_vec3 point = cn_add_mul3(from, at, cn_sub3(to, from));
    cn_surface_overlap(g, cn_add_mul3(point, -0.5 * depth, n), n, -depth,
                       cn_surface_name(CN_MESH_OVERLAP, half, 0u));
}

// ---- edges of the polyhedron inside

enum { CROSSINGS_MAX = 32 };

// An edge of the polyhedron from p to p + e, and where it passes through the surface, in order.
typedef struct chord {
    cn_vec3 p, e;
    int count;
    double place[CROSSINGS_MAX], slope[CROSSINGS_MAX]; // slope: of the height over that triangle
} chord;

static void cross_triangle(cn_surface_gather *g, int t, void *context)
{
    chord *c = context;
    cn_vec3 n = g->m->normal[t];
    double from = cn_dot3(n, c->p) - g->m->offset[t], way = cn_dot3(n, c->e);
    double place = -from / way;
    if (!(place > 0.0 && place < 1.0) || c->count == CROSSINGS_MAX) {
        return;
    }
    cn_vec3 x = cn_add_mul3(c->p, place, c->e);
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        cn_vec3 start = g->m->vertex[cn_surface_from(g->m, half)];
        cn_vec3 side = cn_sub3(g->m->vertex[cn_surface_to(g->m, half)], start);
        double within = cn_dot3(cn_cross3(n, side), cn_sub3(x, start));
        if (within < -CN_MESH_BORDER * g->size * cn_norm3(side)) {
            return;
        }
    }
    int k = c->count++;
    for (; k > 0 && c->place[k - 1] > place; k--) {
        c->place[k] = c->place[k - 1];
        c->slope[k] = c->slope[k - 1];
    }
    c->place[k] = place;
    c->slope[k] = way;
}

// Distance of a place of an edge from the surface, and the way to it.
static double depth_at(const cn_surface_gather *g, const chord *c, double place, cn_vec3 *out)
{
    cn_vec3 x = cn_add_mul3(c->p, place, c->e);
    *out = cn_sub3(cn_surface_nearest(g->m, x, g->size), x);
    return cn_norm3(*out);
}

// What the depth between two places where an edge passes through the surface is at most: that below
// the planes of both triangles. Where edges touch it is less than their depth.
static double deepest_between(const chord *c, int k)
{
    double down = -c->slope[k], up = c->slope[k + 1];
    return down > 0.0 && up > 0.0 ? down * up / (down + up) * (c->place[k + 1] - c->place[k]) : 0.0;
}

// The deepest place of an edge between two places where it passes through the surface. Two faces or
// more are equally near there: it leaves by the one that looks most against the edge.
// `known` is how deep the bodies are where they touch.
static void sink(cn_surface_gather *g, const block *s, int edge, const chord *c, int k,
                 double known)
{
    double low = c->place[k], high = c->place[k + 1], width = high - low;
    cn_vec3 middle = cn_add_mul3(c->p, low + 0.5 * width, c->e), out;
    if (!(deepest_between(c, k) > known + CN_HULL_LEVEL * g->size) ||
        !cn_surface_holds(g->m, middle)) {
        return;
    }
    for (int n = 0; n < HALVINGS; n++) {
        double third = (high - low) / 3.0;
        bool is_rising = depth_at(g, c, low + third, &out) < depth_at(g, c, high - third, &out);
        low += is_rising ? third : 0.0;
        high -= is_rising ? 0.0 : third;
    }
    const cn_hull *h = s->h;
    cn_vec3 against = cn_mat3_mul(
        &s->R, cn_add3(h->normal[h->edge_face[edge][0]], h->normal[h->edge_face[edge][1]]));
    double at = 0.5 * (low + high), depth = depth_at(g, c, at, &out), least = INFINITY;
    cn_vec3 n = {0.0, 0.0, 0.0};
    for (int side = -1; side <= 1; side += 2) {
        double beside = depth_at(g, c, at + 1e-6 * side * width, &out);
        cn_vec3 way = beside > 0.0 ? cn_mul3(1.0 / beside, out) : out;
        n = cn_dot3(way, against) < least ? way : n;
        least = fmin(least, cn_dot3(way, against));
    }
    cn_surface_overlap(g, cn_add_mul3(cn_add_mul3(c->p, at, c->e), 0.5 * depth, n), n, -depth,
                       cn_surface_name(CN_MESH_OVERLAP, -2, (uint32_t)edge));
}

// An edge of the polyhedron that passes through a thin part of the surface: both its ends may be
// outside, and the ridges of that part, too.
static void sink_edges(cn_surface_gather *g, const block *s)
{
    double known = 0.0;
    for (int k = 0; k < g->count; k++) {
        known = fmax(known, -g->touch[k].gap);
    }
    for (int edge = 0; edge < s->h->edge_count; edge++) {
        cn_vec3 p = vertex_of(s, s->h->edge[edge][0]), q = vertex_of(s, s->h->edge[edge][1]);
        chord c = {.p = p, .e = cn_sub3(q, p)};
        cn_box3 box = {{fmin(p.x, q.x), fmin(p.y, q.y), fmin(p.z, q.z)},
                       {fmax(p.x, q.x), fmax(p.y, q.y), fmax(p.z, q.z)}};
        cn_surface_walk(g, box, 0.0, cross_triangle, &c);
        for (int k = 0; k + 1 < c.count; k++) {
            sink(g, s, edge, &c, k, known);
        }
    }
}

static void visit(cn_surface_gather *g, int t, void *context)
{
    const block *s = context;
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        if (cn_surface_owns_corner(g->m, half)) {
            touch_corner(g, s, cn_surface_from(g->m, half));
        }
        if (cn_surface_owns_edge(g->m, half)) {
            pierce(g, s, half);
        }
        for (int e = 0; cn_surface_owns_edge(g->m, half) && e < s->h->edge_count; e++) {
            touch_edges(g, s, half, e);
        }
        for (int v = 0; cn_surface_owns_edge(g->m, half) && v < s->h->vertex_count; v++) {
            touch_ridge(g, s, half, v);
        }
    }
}

int cn_hull_surface(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    block s = block_of(a, b);
    cn_surface_gather g = {.m = b->solid->mesh,
                           .reach = reach,
                           .size = a->solid->size,
                           .depth = DEPTH * a->solid->size,
                           .behind = behind,
                           .sticks_out = sticks_out,
                           .holds = holds,
                           .has_lost_corners = true,
                           .body = &s,
                           .touch = touch};
    cn_box3 box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int v = 0; v < s.h->vertex_count; v++) {
        cn_vec3 x = vertex_of(&s, v);
        cn_surface_point_in(&g, x, (uint32_t)v, &box);
    }
    cn_surface_walk(&g, box, reach, visit, &s);
    sink_edges(&g, &s);
    return cn_surface_finish(&g, a, b);
}
