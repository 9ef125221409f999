// detect/space/surface/surface_near.c
#include "detect/space/surface/surface_near.h"

#include "base/hash.h"

static const double SAME = 1e-6;      // distance of touches that are one, of the size [-]
static const double SAME_TURN = 1e-3; // and chord between their normals [-]
static const double GENTLE = 0.6; // tangent of half the angle of ridges that bodies ride over [-]
static const double ALONG = 0.9;  // cosine between normals that push the same way [-]
static const double ASIDE = 0.7;  // cosine between normals that push different ways [-]

enum { NEAR_MAX = 64 }; // faces that one point is over; more are left out

uint32_t cn_surface_name(cn_surface_feature feature, int of_mesh, uint32_t of_body)
{
    uint64_t first = (uint64_t)feature << 32 | (uint32_t)of_mesh;
    static const uint32_t rank[] = {
        [CN_MESH_FACE] = 0u, [CN_MESH_EDGE] = 1u, [CN_MESH_CORNER] = 3u, [CN_MESH_OVERLAP] = 3u};
    return ((uint32_t)(cn_mix2(first, of_body) >> 32) & ~3u) | rank[feature];
}

// Whether the body leaves along a touch by its gap: no other part of it is deeper along that
// normal.
static bool is_way_out(const cn_surface_gather *g, const cn_touch3 *t, double level)
{
    double offset = cn_dot3(t->normal, t->point) - 0.5 * t->gap;
    return g->behind == NULL || g->behind(g->body, t->normal, offset) <= level - t->gap;
}

// Whether another touch lets the body out by a much shorter way.
static bool has_way_out(const cn_surface_gather *g, const cn_touch3 *deep)
{
    for (int k = 0; k < g->count; k++) {
        const cn_touch3 *t = &g->touch[k];
        double level = CN_HULL_LEVEL * g->size; // a touch that is about to be one counts as well
        if (t->gap < level && deep->gap < 3.0 * fmin(t->gap, 0.0) - level &&
            cn_dot3(t->normal, deep->normal) < ASIDE && is_way_out(g, t, level)) {
            return true;
        }
    }
    return false;
}

// Leaves out edges and corners of the surface that are much deeper in the body than another touch
// that pushes another way: a body does not part from a surface like that, it only reaches far
// behind the face that it entered.
static void prune(cn_surface_gather *g)
{
    bool is_left_out[CN_TOUCH3_MAX];
    int kept = 0;
    for (int k = 0; k < g->count; k++) {
        bool is_on_face = (g->touch[k].feature & 1u) == 0;
        is_left_out[k] = !is_on_face && has_way_out(g, &g->touch[k]);
    }
    for (int k = 0; k < g->count; k++) {
        if (!is_left_out[k]) {
            g->touch[kept++] = g->touch[k];
        }
    }
    g->count = kept;
}

static bool has_name(const cn_surface_gather *g, uint32_t name)
{
    for (int k = 0; k < g->count; k++) {
        if (g->touch[k].feature == name) {
            return true;
        }
    }
    return false;
}

// Names of faces come first, then those of edges, then the lower one.
static bool is_before(uint32_t name, uint32_t other)
{
    return (name & 3u) != (other & 3u) ? (name & 3u) < (other & 3u) : name < other;
}

void cn_surface_add(cn_surface_gather *g, cn_vec3 point, cn_vec3 n, double gap, uint32_t name)
{
    cn_touch3 one = {point, n, gap, name};
    for (int k = 0; k < g->count; k++) {
        cn_vec3 apart = cn_sub3(point, g->touch[k].point), turn = cn_sub3(n, g->touch[k].normal);
        if (cn_norm3(apart) <= SAME * g->size && cn_norm3(turn) <= SAME_TURN) {
            bool is_first =
                gap <= g->reach && is_before(name, g->touch[k].feature) && !has_name(g, name);
            g->touch[k] = is_first ? one : g->touch[k];
            return;
        }
    }
    while (has_name(g, name)) {
        name += 4;
    }
    if (gap <= g->reach) {
        one.feature = name;
        cn_touch3_keep(g->touch, &g->count, one);
    }
}

void cn_surface_add_corner(cn_surface_gather *g, int vertex, cn_vec3 n, double gap, double nearest)
{
    cn_vec3 point = cn_add_mul3(g->m->vertex[vertex], 0.5 * gap, n);
    uint32_t name = cn_surface_name(CN_MESH_CORNER, vertex, 0u);
    if (gap >= 3.0 * fmin(nearest, 0.0) - CN_HULL_LEVEL * g->size) {
        cn_surface_add(g, point, n, gap, name);
    } else if (!g->is_doubted || gap > g->doubt.gap) {
        g->is_doubted = true;
        g->doubt = (cn_touch3){point, n, gap, name};
    }
}

void cn_surface_meet(cn_surface_gather *g, cn_vec3 point, cn_vec3 n, double gap, uint32_t name)
{
    if (gap <= g->reach && (!g->is_met || is_before(name, g->meeting.feature))) {
        g->is_met = true;
        g->meeting = (cn_touch3){point, n, gap, name};
    }
}

// Adds the place where corners meet, if no touch is near it.
static void find_meeting(cn_surface_gather *g)
{
    for (int k = 0; k < g->count && g->is_met; k++) {
        cn_vec3 apart = cn_sub3(g->touch[k].point, g->meeting.point);
        g->is_met = cn_norm3(apart) > 10.0 * CN_HULL_CORNER * g->size;
    }
    if (g->is_met) {
        cn_surface_add(g, g->meeting.point, g->meeting.normal, g->meeting.gap, g->meeting.feature);
    }
}

void cn_surface_overlap(cn_surface_gather *g, cn_vec3 point, cn_vec3 n, double gap, uint32_t name)
{
    if (gap < g->lost.gap && gap >= -g->depth) {
        g->lost = (cn_touch3){point, n, gap, name};
    }
}

// Adds the deepest overlap if no touch is about as deep.
static void find_lost(cn_surface_gather *g)
{
    double least = 0.0;
    for (int k = 0; k < g->count; k++) {
        least = fmin(least, g->touch[k].gap);
    }
    if (g->lost.gap < least - CN_HULL_LEVEL * g->size) {
        cn_surface_add(g, g->lost.point, g->lost.normal, g->lost.gap, g->lost.feature);
    }
}

int cn_surface_finish(cn_surface_gather *g, const cn_posed3 *a, const cn_posed3 *b)
{
    prune(g);
    find_meeting(g);
    if (g->count == 0 && g->is_doubted) {
        g->touch[g->count++] = g->doubt;
    }
    find_lost(g);
    if (g->count == 0 && g->is_near && cn_surface_sunk(a, b, g->touch)) {
        return g->touch[0].gap >= -g->depth;
    }
    for (int k = 0; k < g->count; k++) {
        g->touch[k].point = cn_posed3_point(b, g->touch[k].point);
        g->touch[k].normal = cn_mat3_mul(&b->R, g->touch[k].normal);
    }
    return g->count;
}

typedef struct walker {
    cn_surface_gather *g;
    cn_surface_visit *visit;
    void *context;
} walker;

static bool take_step(void *context, int triangle)
{
    walker *w = context;
    w->g->is_near = true;
    w->visit(w->g, triangle, w->context);
    return true;
}

void cn_surface_walk(cn_surface_gather *g, cn_box3 box, double by, cn_surface_visit *visit,
                     void *context)
{
    cn_box wide = {{box.lo.x - by, box.lo.y - by, box.lo.z - by},
                   {box.hi.x + by, box.hi.y + by, box.hi.z + by}};
    walker w = {g, visit, context};
    cn_tree_visit(&g->m->tree, &wide, take_step, &w);
}

static double height_of(const cn_surface_solid *m, int t, cn_vec3 p)
{
    return cn_dot3(m->normal[t], p) - m->offset[t];
}

// Unit vector in the plane of the triangle, out of it across the half-edge.
static cn_vec3 outward_of(const cn_surface_solid *m, int half)
{
    cn_vec3 e = cn_sub3(m->vertex[cn_surface_to(m, half)], m->vertex[cn_surface_from(m, half)]);
    cn_vec3 out = cn_cross3(e, m->normal[half / 3]);
    return cn_mul3(1.0 / cn_norm3(out), out);
}

// Whether p is over the triangle. Over gentle ridges corners would find no face at all: there each
// face is wider, by what the ridge opens at that height.
bool cn_surface_is_over(const cn_surface_gather *g, int t, cn_vec3 p, double height)
{
    const cn_surface_solid *m = g->m;
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        bool is_gentle = g->behind != NULL && m->bend[half] > 0 && m->spread[half] < GENTLE;
        double wider = is_gentle ? fabs(height) * m->spread[half] : 0.0;
        cn_vec3 d = cn_sub3(p, m->vertex[cn_surface_from(m, half)]);
        if (cn_dot3(outward_of(m, half), d) > CN_MESH_BORDER * g->size + wider) {
            return false;
        }
    }
    return true;
}

// Whether triangle t lies behind the plane of u.
static bool is_behind(const cn_surface_gather *g, int t, int u)
{
    const int *corner = g->m->triangle[t];
    for (int k = 0; k < 3; k++) {
        if (height_of(g->m, u, g->m->vertex[corner[k]]) > 1e-6 * g->size) {
            return false;
        }
    }
    return true;
}

static bool is_ridge(const cn_surface_gather *g, int t, int u)
{
    return is_behind(g, t, u) && is_behind(g, u, t);
}

// Whether the body lies on the face u or passes it, so that along n it must not be stopped. A point
// of it that is well above the plane of u, by its gap along n, does not lie on u, whatever else of
// the body is level with that plane.
static bool is_passed(const cn_surface_gather *g, int u, cn_vec3 n, double gap)
{
    double along = cn_dot3(n, g->m->normal[u]);
    return g->behind != NULL && along < ALONG && gap * along < CN_HULL_LEVEL * g->size &&
           fabs(g->behind(g->body, g->m->normal[u], g->m->offset[u])) < CN_HULL_LEVEL * g->size;
}

// ---- faces

// Faces that a point is over, but for those of far sides.
typedef struct near_faces {
    cn_vec3 p;
    uint32_t of_body;
    double radius;
    bool is_below; // clearly below the plane of some face near it, whether over that face or not
    int count;
    int triangle[NEAR_MAX];
    double height[NEAR_MAX];
} near_faces;

static void visit_face(cn_surface_gather *g, int t, void *context)
{
    near_faces *f = context;
    double height = height_of(g->m, t, f->p);
    bool is_near = height - f->radius <= g->reach && height >= -g->depth;
    f->is_below = f->is_below || (is_near && height < -CN_HULL_LEVEL * g->size);
    if (f->count == NEAR_MAX || !is_near || !cn_surface_is_over(g, t, f->p, height)) {
        return;
    }
    if (g->sticks_out == NULL || !g->sticks_out(g->body, f->of_body, f->p, g->m->normal[t])) {
        f->triangle[f->count] = t;
        f->height[f->count++] = height;
    }
}

// Whether the point is inside a ridge and nearer to its other face, or level with a face that lies
// wholly below this one, as on the far side of a hill.
static bool is_taken(const cn_surface_gather *g, const near_faces *f, int k)
{
    for (int m = 0; m < f->count; m++) {
        bool is_level = f->height[m] > -CN_HULL_LEVEL * g->size;
        if (f->height[k] < 0.0 && f->height[m] > f->height[k] &&
            is_behind(g, f->triangle[m], f->triangle[k]) &&
            (is_level || is_behind(g, f->triangle[k], f->triangle[m]))) {
            return true;
        }
    }
    return false;
}

// A place on a triangle, and whether the body passes another one there.
typedef struct foot {
    cn_vec3 p;
    int triangle;
    bool is_passed;
} foot;

static void visit_foot(cn_surface_gather *g, int u, void *context)
{
    foot *f = context;
    bool is_level = fabs(height_of(g->m, u, f->p)) <= CN_HULL_LEVEL * g->size;
    if (is_level && !f->is_passed && is_passed(g, u, g->m->normal[f->triangle], 0.0)) {
        f->is_passed = is_ridge(g, f->triangle, u);
    }
}

static bool may_pass(cn_surface_gather *g, const near_faces *near, int k)
{
    int t = near->triangle[k];
    foot f = {.p = cn_add_mul3(near->p, -near->height[k], g->m->normal[t]), .triangle = t};
    if (g->behind != NULL) {
        cn_surface_walk(g, (cn_box3){f.p, f.p}, CN_HULL_LEVEL * g->size, visit_foot, &f);
    }
    return f.is_passed;
}

// Whether a point below a face, and outside, has come through a thin part: the body reaches from
// there up to the face.
static bool has_come_through(const cn_surface_gather *g, const near_faces *f, int k)
{
    cn_vec3 n = g->m->normal[f->triangle[k]];
    cn_vec3 above = cn_add_mul3(f->p, -f->height[k], n);
    return g->holds != NULL && g->holds(g->body, above, CN_HULL_LEVEL * g->size);
}

// Leaves out faces that the point is far below but not inside of, as the far side of a plate.
static void leave_far_sides(const cn_surface_gather *g, near_faces *f)
{
    double deep = -CN_HULL_LEVEL * g->size;
    int kept = 0, is_inside = -1; // not known
    for (int k = 0; k < f->count; k++) {
        if (f->height[k] < deep && is_inside < 0) {
            is_inside = cn_surface_holds(g->m, f->p);
        }
        if (f->height[k] >= deep || is_inside == 1 || has_come_through(g, f, k)) {
            f->triangle[kept] = f->triangle[k];
            f->height[kept++] = f->height[k];
        }
    }
    f->count = kept;
}

// A corner of the body that is inside and touches no face, as below a valley: it leaves by the
// shortest way.
static void lose_corner(cn_surface_gather *g, cn_vec3 p, uint32_t of_body)
{
    if (!cn_surface_holds(g->m, p)) {
        return;
    }
    cn_vec3 out = cn_sub3(cn_surface_nearest(g->m, p, g->size), p);
    double depth = cn_norm3(out);
    if (depth > CN_HULL_LEVEL * g->size) {
        cn_surface_overlap(g, cn_add_mul3(p, 0.5, out), cn_mul3(1.0 / depth, out), -depth,
                           cn_surface_name(CN_MESH_OVERLAP, -1, of_body));
    }
}

static void touch_faces(cn_surface_gather *g, cn_vec3 p, double radius, uint32_t of_body)
{
    near_faces f = {.p = p, .of_body = of_body, .radius = radius};
    cn_surface_walk(g, (cn_box3){p, p}, fmax(radius + g->reach, g->depth), visit_face, &f);
    leave_far_sides(g, &f);
    bool has_touch = false;
    for (int k = 0; k < f.count; k++) {
        int t = f.triangle[k];
        bool may_touch = g->may_touch == NULL || g->may_touch(g->body, of_body, g->m->normal[t]);
        if (may_touch && !is_taken(g, &f, k) && !may_pass(g, &f, k)) {
            double gap = f.height[k] - radius;
            cn_vec3 point = cn_add_mul3(p, -(radius + 0.5 * gap), g->m->normal[t]);
            cn_surface_add(g, point, g->m->normal[t], gap,
                           cn_surface_name(CN_MESH_FACE, g->m->patch[t], of_body));
            has_touch = true;
        }
    }
    if (f.is_below && !has_touch && g->has_lost_corners) {
        lose_corner(g, p, of_body);
    }
}

void cn_surface_point(cn_surface_gather *g, cn_vec3 p, uint32_t of_body)
{
    touch_faces(g, p, 0.0, of_body);
}

void cn_surface_point_in(cn_surface_gather *g, cn_vec3 p, uint32_t of_body, cn_box3 *box)
{
    box->lo = cn_v3(fmin(box->lo.x, p.x), fmin(box->lo.y, p.y), fmin(box->lo.z, p.z));
    box->hi = cn_v3(fmax(box->hi.x, p.x), fmax(box->hi.y, p.y), fmax(box->hi.z, p.z));
    cn_surface_point(g, p, of_body);
}

// ---- edges and corners

bool cn_surface_edge_sees(const cn_surface_solid *m, int half, cn_vec3 n, double slack)
{
    return cn_dot3(outward_of(m, half), n) >= -slack &&
           cn_dot3(outward_of(m, m->twin[half]), n) >= -slack &&
           cn_dot3(cn_add3(m->normal[half / 3], m->normal[m->twin[half] / 3]), n) > 0.0;
}

bool cn_surface_corner_sees(const cn_surface_solid *m, int vertex, cn_vec3 n, double slack)
{
    double seen = -INFINITY;
    for (int k = m->ring_start[vertex]; k < m->ring_start[vertex + 1]; k++) {
        cn_vec3 e = cn_sub3(m->vertex[cn_surface_to(m, m->ring[k])], m->vertex[vertex]);
        if (cn_dot3(e, n) > slack * cn_norm3(e)) {
            return false;
        }
        seen = fmax(seen, cn_dot3(m->normal[m->ring[k] / 3], n));
    }
    return seen > 0.0;
}

bool cn_surface_edge_allows(const cn_surface_gather *g, int half, cn_vec3 n, double gap)
{
    return !is_passed(g, half / 3, n, gap) && !is_passed(g, g->m->twin[half] / 3, n, gap);
}

bool cn_surface_corner_allows(const cn_surface_gather *g, int vertex, cn_vec3 n, double gap)
{
    const cn_surface_solid *m = g->m;
    for (int k = m->ring_start[vertex]; k < m->ring_start[vertex + 1]; k++) {
        if (is_passed(g, m->ring[k] / 3, n, gap)) {
            return false;
        }
    }
    return true;
}

// ---- balls

typedef struct ball {
    cn_vec3 p;
    double radius;
    uint32_t of_body;
} ball;

static void add_ball(cn_surface_gather *g, const ball *b, cn_vec3 on, cn_vec3 way, double distance,
                     uint32_t name)
{
    cn_vec3 n = cn_mul3(1.0 / distance, way);
    double gap = distance - b->radius;
    cn_surface_add(g, cn_add_mul3(on, 0.5 * gap, n), n, gap, name);
}

static void touch_edge(cn_surface_gather *g, const ball *b, int half)
{
    const cn_surface_solid *m = g->m;
    cn_vec3 from = m->vertex[cn_surface_from(m, half)], to = m->vertex[cn_surface_to(m, half)];
    cn_vec3 along = cn_sub3(to, from);
    double square = cn_dot3(along, along), place = cn_dot3(along, cn_sub3(b->p, from)) / square;
    double slack = CN_MESH_BORDER * g->size / sqrt(square);
    cn_vec3 on = cn_add_mul3(from, place, along), way = cn_sub3(b->p, on);
    double distance = cn_norm3(way);
    if (place > -slack && place < 1.0 + slack && distance > 0.0 &&
        distance - b->radius <= g->reach &&
        cn_surface_edge_sees(m, half, way, CN_MESH_BORDER * distance)) {
        add_ball(g, b, on, way, distance, cn_surface_name(CN_MESH_EDGE, half, b->of_body));
    }
}

static void touch_corner(cn_surface_gather *g, const ball *b, int vertex)
{
    cn_vec3 on = g->m->vertex[vertex], way = cn_sub3(b->p, on);
    double distance = cn_norm3(way);
    if (distance > 0.0 && distance - b->radius <= g->reach &&
        cn_surface_corner_sees(g->m, vertex, way, CN_MESH_BORDER * distance)) {
        add_ball(g, b, on, way, distance, cn_surface_name(CN_MESH_CORNER, vertex, b->of_body));
    }
}

static void visit_edges(cn_surface_gather *g, int t, void *context)
{
    const ball *b = context;
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        if (cn_surface_owns_edge(g->m, half)) {
            touch_edge(g, b, half);
        }
        int v = cn_surface_from(g->m, half);
        if (g->m->ring[g->m->ring_start[v]] == half) {
            touch_corner(g, b, v);
        }
    }
}

void cn_surface_ball(cn_surface_gather *g, cn_vec3 p, double radius, uint32_t of_body)
{
    ball b = {p, radius, of_body};
    touch_faces(g, p, radius, of_body);
    cn_surface_walk(g, (cn_box3){p, p}, radius + g->reach, visit_edges, &b);
}
