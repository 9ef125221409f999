// geometry/concave_cuts.c -- where to cut a concave surface so that its pieces are convex.
//
// A plane through a reflex edge that runs into the body between the extensions of both its faces
// leaves no reflex edge there, and a cut makes no new ones. Planes that are tried: those of the two
// faces of each edge, the one halfway between them, and those through two edges that meet, such as
// the mitre of a groin. The one that takes care of the greatest length of edges is taken, then both
// sides are cut on their own.
#include "geometry/concave_cuts.h"

#include "base/memory.h"
#include "geometry/surface/topology.h"

static const double SLIVER = 1e-12; // area of triangles that have no plane, of the square size [-]
static const double ALONG = 1e-3;   // sine by which a cut may leave the body at a reflex edge [-]

enum { EDGES_MAX = 2000 }; // of a body: more are those of a scan

// A reflex edge, or what cuts have left of it.
typedef struct reflex {
    cn_vec3 end[2];
    cn_vec3 normal[2]; // of its faces, outwards
} reflex;

typedef struct plane {
    cn_vec3 normal;
    double offset;
} plane;

typedef struct work {
    const cn_surface *s;
    double flat; // [m]
    cn_cuts *cuts;
} work;

// The reflex edges of a cell.
typedef struct cell {
    uint32_t mask, value;
    int count;
    size_t room;
    reflex *edge;
} cell;

// ---- reflex edges

static cn_vec3 normal_of(const cn_surface *s, int triangle)
{
    const int *c = cn_corners(s, triangle);
    cn_vec3 a = cn_vertex_at(s, c[0]);
    return cn_cross3(cn_sub3(cn_vertex_at(s, c[1]), a), cn_sub3(cn_vertex_at(s, c[2]), a));
}

static cn_vec3 far_corner(const cn_surface *s, int half)
{
    return cn_vertex_at(s, s->triangle[half / 3 * 3 + (half + 2) % 3]);
}

// False where the edge is not reflex.
static bool read_edge(const work *w, const int half[2], double sliver, reflex *edge)
{
    for (int n = 0; n < 2; n++) {
        cn_vec3 normal = normal_of(w->s, half[n] / 3);
        double area = cn_norm3(normal);
        if (!(area > sliver)) {
            return false;
        }
        edge->normal[n] = cn_mul3(1.0 / area, normal);
    }
    edge->end[0] = cn_vertex_at(w->s, cn_half_from(w->s, half[0]));
    edge->end[1] = cn_vertex_at(w->s, cn_half_to(w->s, half[0]));
    for (int n = 0; n < 2; n++) {
        cn_vec3 far = cn_sub3(far_corner(w->s, half[1 - n]), edge->end[0]);
        if (!(cn_dot3(edge->normal[n], far) > w->flat)) {
            return false;
        }
    }
    return true;
}

static cn_status add_edge(cell *c, const reflex *edge, cn_error *err)
{
    if (c->count == EDGES_MAX) {
        return cn_fail(err, CN_BAD_INPUT,
                       "it has more than %d reflex edges, like the scan of a rough stone",
                       (int)EDGES_MAX);
    }
    CN_TRY(cn_reserve(NULL, &c->edge, &c->room, (size_t)c->count + 1, err));
    c->edge[c->count++] = *edge;
    return CN_OK;
}

static cn_status list_edges(const work *w, cell *root, cn_error *err)
{
    cn_topology topology;
    cn_surface_mass mass = cn_surface_measure(w->s);
    cn_vec3 side = cn_sub3(mass.box_hi, mass.box_lo);
    double sliver = SLIVER * cn_dot3(side, side);
    CN_TRY(cn_topology_make(w->s, &topology, err));
    cn_status status = CN_OK;
    for (int e = 0; status == CN_OK && e < topology.edge_count; e++) {
        reflex edge;
        bool is_closed = topology.edge_start[e + 1] - topology.edge_start[e] == 2;
        if (is_closed && read_edge(w, topology.half + topology.edge_start[e], sliver, &edge)) {
            status = add_edge(root, &edge, err);
        }
    }
    cn_topology_free(&topology);
    return status;
}

// ---- which plane

static double height(const plane *p, cn_vec3 x)
{
    return cn_dot3(p->normal, x) - p->offset;
}

static bool has_on(const work *w, const plane *p, const reflex *edge)
{
    return fabs(height(p, edge->end[0])) <= w->flat && fabs(height(p, edge->end[1])) <= w->flat;
}

// Whether no reflex edge is left there: the plane runs into the body behind both faces.
static bool resolves(const work *w, const plane *p, const reflex *edge)
{
    cn_vec3 along = cn_sub3(edge->end[1], edge->end[0]);
    cn_vec3 in = cn_cross3(p->normal, along);
    double length = cn_norm3(in);
    if (!has_on(w, p, edge) || !(length > 0.0)) {
        return false;
    }
    double first = cn_dot3(edge->normal[0], in) / length,
           second = cn_dot3(edge->normal[1], in) / length;
    return fmax(first, second) <= ALONG || fmin(first, second) >= -ALONG;
}

typedef struct choice {
    plane best;
    double length; // of the edges that it resolves [m]
} choice;

static void try_plane(const work *w, const cell *c, cn_vec3 normal, cn_vec3 through, choice *chosen)
{
    double size = cn_norm3(normal), length = 0.0;
    if (!(size > ALONG)) {
        return;
    }
    plane p = {cn_mul3(1.0 / size, normal), 0.0};
    p.offset = cn_dot3(p.normal, through);
    for (int k = 0; k < c->count; k++) {
        const reflex *edge = &c->edge[k];
        length += resolves(w, &p, edge) ? cn_norm3(cn_sub3(edge->end[1], edge->end[0])) : 0.0;
    }
    if (length > chosen->length * (1.0 + ALONG)) {
        *chosen = (choice){p, length};
    }
}

static bool do_meet(const work *w, const reflex *a, const reflex *b)
{
    for (int n = 0; n < 4; n++) {
        if (cn_norm3(cn_sub3(a->end[n / 2], b->end[n % 2])) <= w->flat) {
            return true;
        }
    }
    return false;
}

static cn_vec3 direction_of(const reflex *edge)
{
    cn_vec3 along = cn_sub3(edge->end[1], edge->end[0]);
    return cn_mul3(1.0 / cn_norm3(along), along);
}

static plane choose_plane(const work *w, const cell *c)
{
    choice chosen = {.length = 0.0};
    for (int k = 0; k < c->count; k++) {
        const reflex *edge = &c->edge[k];
        try_plane(w, c, edge->normal[0], edge->end[0], &chosen);
        try_plane(w, c, edge->normal[1], edge->end[0], &chosen);
        try_plane(w, c, cn_sub3(edge->normal[0], edge->normal[1]), edge->end[0], &chosen);
    }
    for (int k = 0; k < c->count; k++) {
        for (int n = 0; n < k; n++) {
            if (do_meet(w, &c->edge[k], &c->edge[n])) {
                try_plane(w, c, cn_cross3(direction_of(&c->edge[k]), direction_of(&c->edge[n])),
                          c->edge[k].end[0], &chosen);
            }
        }
    }
    return chosen.best;
}

// ---- cutting

// What is left of an edge on one side of the plane (sign 1: where its normal points). An edge in
// the plane that it does not resolve is on the side of the body behind it.
static bool clip(const work *w, const plane *p, double sign, reflex *edge)
{
    if (has_on(w, p, edge)) {
        cn_vec3 outwards = cn_add3(edge->normal[0], edge->normal[1]);
        return sign * cn_dot3(p->normal, outwards) < 0.0;
    }
    double from = sign * height(p, edge->end[0]), to = sign * height(p, edge->end[1]);
    if (from * to < 0.0) {
        cn_vec3 x =
            cn_add_mul3(edge->end[0], from / (from - to), cn_sub3(edge->end[1], edge->end[0]));
        edge->end[from < 0.0 ? 0 : 1] = x;
        return cn_norm3(cn_sub3(edge->end[1], edge->end[0])) > w->flat;
    }
    return fmax(from, to) > w->flat;
}

static cn_status side_of(const work *w, const plane *p, int bit, double sign, const cell *c,
                         cell *side, cn_error *err)
{
    *side = (cell){.mask = c->mask | 1u << bit, .value = c->value | (sign > 0.0 ? 1u << bit : 0u)};
    for (int k = 0; k < c->count; k++) {
        reflex edge = c->edge[k];
        if (!resolves(w, p, &c->edge[k]) && clip(w, p, sign, &edge)) {
            CN_TRY(add_edge(side, &edge, err));
        }
    }
    return CN_OK;
}

// At most CN_CUT_MAX deep: every level takes a cut.
static cn_status cut_cell(work *w, const cell *c, cn_error *err)
{
    cn_cuts *cuts = w->cuts;
    if (c->count == 0) {
        return CN_OK;
    }
    if (cuts->count == CN_CUT_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "it takes more than %d cuts to make it convex",
                       CN_CUT_MAX);
    }
    plane p = choose_plane(w, c);
    int bit = cuts->count++;
    cuts->normal[bit] = p.normal;
    cuts->offset[bit] = p.offset;
    cuts->mask[bit] = c->mask;
    cuts->value[bit] = c->value;
    cn_status status = CN_OK;
    for (int n = 0; status == CN_OK && n < 2; n++) {
        cell side;
        status = side_of(w, &p, bit, n == 0 ? 1.0 : -1.0, c, &side, err);
        CN_THEN(status, cut_cell(w, &side, err));
        CN_RELEASE(side.edge);
    }
    return status;
}

cn_status cn_concave_cuts(const cn_surface *surface, double flat, cn_cuts *cuts, cn_error *err)
{
    *cuts = (cn_cuts){0};
    work w = {.s = surface, .flat = flat, .cuts = cuts};
    cell root = {0};
    cn_status status = list_edges(&w, &root, err);
    CN_THEN(status, cut_cell(&w, &root, err));
    CN_RELEASE(root.edge);
    return status;
}
