// tests/unit/solid_turn.h -- pairs of solids of all kinds near contact, and how far their points
// move if one is turned by 1e-9: theory 5.4.
#pragma once

#include "block_mesh.h"
#include "unit/hull_turn.h"

#define SOLID_POOL 12

// Solids of one kind and several shapes.
typedef struct solid_pool {
    cn_solid_kind kind;
    cn_solid solid[SOLID_POOL];
} solid_pool;

static inline bool is_container(cn_solid_kind kind)
{
    return kind == CN_SOLID_HOLLOW_SPHERE || kind == CN_SOLID_HOLLOW_CYLINDER;
}

static inline void fill_solid(cn_solid_kind kind, int k, uint64_t *state, cn_solid *solid)
{
    static const cn_mat3 level = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    double point[3 * BLOCK_MESH_POINTS(3)];
    cn_solid_def def = {.kind = kind,
                        .radius = is_container(kind) ? 1.5 + 0.5 * uniform(state)
                                                     : 0.3 + 0.3 * uniform(state),
                        .length = is_container(kind) ? 2.0 + uniform(state) : 0.5 + uniform(state),
                        .thickness = is_container(kind) ? 0.1 : 0.0,
                        .size = {0.4 + uniform(state), 0.7, 0.5},
                        .ends = (unsigned)(k % 4),
                        .point = point};
    if (kind == CN_SOLID_SURFACE) {
        def.point_count = block_mesh(1.0, 0.8, 0.7, 1 + k % 3, point);
    } else if (kind == CN_SOLID_HULL && k % 2 == 0) { // a block
        def.point_count = block_mesh(0.5 + uniform(state), 0.7, 0.5, 1, point);
    } else if (kind == CN_SOLID_HULL) { // a lump
        def.point_count = 12;
        for (int m = 0; m < 12; m++) {
            cn_vec3 x = on_sphere(state);
            point[3 * m] = 0.6 * x.x, point[3 * m + 1] = 0.6 * x.y, point[3 * m + 2] = 0.6 * x.z;
        }
    }
    *solid = (cn_solid){.body = 0};
    CN_DO(cn_solid_place(&def, cn_v3(0.0, 0.0, 0.0), &level, NULL, solid, &test_error));
}

static inline void fill_pool(solid_pool *pool, cn_solid_kind kind, int body, uint64_t *state)
{
    pool->kind = kind;
    for (int k = 0; k < SOLID_POOL; k++) {
        fill_solid(kind, k, state, &pool->solid[k]);
        pool->solid[k].body = body;
    }
}

static inline void empty_pool(solid_pool *pool)
{
    for (int k = 0; k < SOLID_POOL; k++) {
        cn_solid_free(NULL, &pool->solid[k]);
    }
}

// Anyhow, in quarters, or next to that.
static inline cn_mat3 any_axes(uint64_t *state)
{
    double choice = uniform(state);
    cn_quat q = any_turn(state);
    if (choice > 0.4) {
        cn_vec3 axis = on_sphere(state);
        double angle = choice < 0.7 ? 0.0 : pow(10.0, -10.0 * uniform(state));
        bool is_x = uniform(state) < 0.5, is_z = !is_x || uniform(state) < 0.5;
        cn_quat quarter = turn(is_x, 0.0, is_z, 0.5 * PI * floor(4.0 * uniform(state)));
        q = then(quarter, turn(axis.x, axis.y, axis.z, angle));
    }
    return cn_quat_matrix(cn_quat_unit(q));
}

// b against a, or inside, with a gap of any magnitude; straight or aside.
static inline void any_solids(solid_pool *first, solid_pool *second, cn_posed3 *a, cn_posed3 *b,
                              uint64_t *state)
{
    const cn_solid *s = &first->solid[(int)(SOLID_POOL * uniform(state))];
    const cn_solid *r = &second->solid[(int)(SOLID_POOL * uniform(state))];
    *a = (cn_posed3){s, cn_v3(0.1, 3.0, -0.2), any_axes(state)};
    *b = (cn_posed3){r, a->x, any_axes(state)};
    cn_vec3 way = on_sphere(state);
    if (uniform(state) < 0.4) {
        int axis = (int)(3.0 * uniform(state));
        cn_vec3 along = cn_v3(axis == 0, axis == 1, axis == 2);
        way = cn_mat3_mul(&a->R, along);
    }
    double far = is_container(s->kind) || is_container(r->kind) ? 3.0 * uniform(state)
                                                                : 0.6 + 0.6 * uniform(state);
    b->x = cn_add_mul3(a->x, far, way);
    cn_touch3 t[CN_TOUCH3_MAX];
    int count = cn_narrow3(a, b, 1.5, t), least = 0;
    for (int k = 1; k < count; k++) {
        least = t[k].gap < t[least].gap ? k : least;
    }
    double gap = (uniform(state) < 0.5 ? -0.1 : 0.1) * pow(10.0, -8.0 * uniform(state));
    if (count > 0) {
        b->x = cn_add_mul3(b->x, t[least].gap - gap, t[least].normal);
    }
}

static inline double least_gap_of(const cn_touch3 *t, int count)
{
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, t[k].gap);
    }
    return least;
}

// Whether each point of t that touches, within 1e-3 of the size or about as nearly as any, is in u
// with the same name, no farther than 1e-6 of the size.
static inline bool keeps_its_points(const cn_touch3 *t, int count, const cn_touch3 *u, int other,
                                    double size)
{
    double near = fmax(least_gap_of(t, count), 0.0) + 1e-3 * size;
    for (int k = 0; k < count; k++) {
        double least = t[k].gap <= near ? INFINITY : 0.0;
        for (int m = 0; m < other; m++) {
            bool is_same = t[k].feature == u[m].feature;
            least = is_same ? fmin(least, cn_norm3(cn_sub3(t[k].point, u[m].point))) : least;
        }
        if (!(least <= 1e-6 * size)) {
            return false;
        }
    }
    return true;
}

// How far the points of a capsule on a polyhedron that lie where its axis crosses an edge, seen
// along the normal n, move over the angle by which one of both is turned, at most [m]; 0 if none
// does.
//
// Lines x + s u and y + t v, with u and v unit vectors at the angle phi and w = y - x, are nearest
// at s = (w . u - (w . v) (u . v)) / sin2 phi. From the nearest places on, w = d N with N across
// both, and a turn of v by delta, about a centre at the distance l, changes it by
//     ds = (dw . (u - cos phi v) - d (N . dv) cos phi) / sin2 phi,
//     |ds| <= delta (l / sin phi + d / sin2 phi),
// since |u - cos phi v| = sin phi. The other line says the same, and N turns by delta / sin phi,
// which moves a point at the distance d from either line by delta d / sin phi. An end of the part
// of the axis over a face is where it crosses an edge along the normal of the face, which turns by
// delta: there the part in d / sin2 phi is none. No choice of a point can do better: it is where
// the bodies are nearest.
static inline double crossing_moves(const cn_posed3 *a, const cn_posed3 *b, const cn_touch3 *t,
                                    int count)
{
    const cn_hull *h = b->solid->hull;
    if (a->solid->kind != CN_SOLID_CAPSULE || h == NULL) {
        return 0.0;
    }
    cn_vec3 x = cn_posed3_point(a, a->solid->end[0]), u = cn_posed3_point(a, a->solid->end[1]);
    u = cn_sub3(u, x);
    u = cn_mul3(1.0 / cn_norm3(u), u);
    double moves = 0.0;
    for (int k = 0; k < count * h->edge_count; k++) {
        cn_vec3 p = t[k % count].point, n = t[k % count].normal;
        cn_vec3 y = cn_posed3_point(b, h->vertex[h->edge[k / count][0]]);
        cn_vec3 v = cn_sub3(cn_posed3_point(b, h->vertex[h->edge[k / count][1]]), y);
        v = cn_mul3(1.0 / cn_norm3(v), v);
        cn_vec3 beside = cn_cross3(n, v);
        double sine = fabs(cn_dot3(u, beside)), d = t[k % count].gap + a->solid->radius;
        double off = fabs(cn_dot3(cn_sub3(p, y), beside));
        if (off < 1e-9 && sine > 0.0) {
            double far = fmax(cn_norm3(cn_sub3(p, a->x)), cn_norm3(cn_sub3(p, b->x)));
            double bend = count == 1 ? d / (sine * sine) : 0.0;
            moves = fmax(moves, (far + d) / sine + bend);
        }
    }
    return moves;
}

// What counts: points that touch, or all, also far from touching.
typedef enum jump_of { TOUCHING_POINTS, ALL_POINTS } jump_of;

// `moves`: how far points may move whatever is chosen.
static inline bool has_jumped(jump_of which, const cn_touch3 *t, int count, const cn_touch3 *u,
                              int other, double size, double moves)
{
    return which == ALL_POINTS ? !(moved_by(t, count, u, other) <= fmax(1e-6 * size, moves))
                               : !keeps_its_points(t, count, u, other, size) ||
                                     !keeps_its_points(u, other, t, count, size);
}

// Of `count` pairs that overlap by less than 2 %, how many have a point that moves by more than
// 1e-6 of their size, or is there once only, if one is turned by 1e-9. Half-spaces have no size and
// are not turned.
static inline int count_solid_jumps(cn_solid_kind first, cn_solid_kind second, jump_of which,
                                    int count, uint64_t seed)
{
    solid_pool of_a, of_b;
    fill_pool(&of_a, first, 0, &seed);
    fill_pool(&of_b, second, 1, &seed);
    const double angle = 1e-9;
    int jumps = 0, touching = 0;
    for (int k = 0; k < count; k++) {
        cn_posed3 a, b;
        any_solids(&of_a, &of_b, &a, &b, &seed);
        bool is_a_turned =
            second == CN_SOLID_HALF_SPACE || (first != CN_SOLID_HALF_SPACE && uniform(&seed) < 0.5);
        cn_touch3 t[CN_TOUCH3_MAX], u[CN_TOUCH3_MAX];
        int before = cn_narrow3(&a, &b, 0.2, t);
        double size = fmin(a.solid->reach, b.solid->reach); // that of half-spaces is infinite
        double moves = angle * crossing_moves(&a, &b, t, before);
        a = is_a_turned ? turned_by(&a, angle, &seed) : a;
        b = is_a_turned ? b : turned_by(&b, angle, &seed);
        int after = cn_narrow3(&a, &b, 0.2, u);
        touching += before > 0;
        jumps +=
            least_gap_of(t, before) > -0.02 && has_jumped(which, t, before, u, after, size, moves);
    }
    CN_TRUE(touching > 0.5 * count);
    empty_pool(&of_a);
    empty_pool(&of_b);
    return jumps;
}

// Two kinds, which of their points do not jump, and how many of 1e5 pairs do nevertheless.
typedef struct solid_kinds {
    cn_solid_kind first, second;
    jump_of which;
    int most;
} solid_kinds;

static inline void check_kinds(const solid_kinds *pairs, int pair_count, int count, uint64_t seed)
{
    for (int k = 0; k < pair_count; k++) {
        const solid_kinds *p = &pairs[k];
        int jumps = count_solid_jumps(p->first, p->second, p->which, count, seed + (uint64_t)k);
        CN_TRUE(jumps <= (int)ceil(1e-5 * p->most * count));
    }
}

// Kinds of which no point jumps, wherever it is.
static inline void check_solid_turns(int count, uint64_t seed)
{
    static const solid_kinds pairs[] = {
        {CN_SOLID_SPHERE, CN_SOLID_SPHERE, ALL_POINTS, 0},
        {CN_SOLID_SPHERE, CN_SOLID_CAPSULE, ALL_POINTS, 0},
        {CN_SOLID_SPHERE, CN_SOLID_HULL, ALL_POINTS, 0},
        {CN_SOLID_SPHERE, CN_SOLID_HALF_SPACE, ALL_POINTS, 0},
        {CN_SOLID_SPHERE, CN_SOLID_CYLINDER, ALL_POINTS, 0},
        {CN_SOLID_SPHERE, CN_SOLID_HOLLOW_SPHERE, ALL_POINTS, 0},
        {CN_SOLID_SPHERE, CN_SOLID_HOLLOW_CYLINDER, ALL_POINTS, 0},
        {CN_SOLID_CAPSULE, CN_SOLID_HULL, ALL_POINTS, 0},
        {CN_SOLID_CAPSULE, CN_SOLID_HALF_SPACE, ALL_POINTS, 0},
        {CN_SOLID_CAPSULE, CN_SOLID_HOLLOW_SPHERE, ALL_POINTS, 0},
        {CN_SOLID_HULL, CN_SOLID_HALF_SPACE, ALL_POINTS, 0},
        {CN_SOLID_HULL, CN_SOLID_HOLLOW_SPHERE, ALL_POINTS, 0},
        {CN_SOLID_HALF_SPACE, CN_SOLID_CYLINDER, ALL_POINTS, 0},
        {CN_SOLID_HALF_SPACE, CN_SOLID_HOLLOW_SPHERE, ALL_POINTS, 0},
        {CN_SOLID_HALF_SPACE, CN_SOLID_HOLLOW_CYLINDER, ALL_POINTS, 0},
        {CN_SOLID_HOLLOW_SPHERE, CN_SOLID_HOLLOW_SPHERE, ALL_POINTS, 0},
        {CN_SOLID_SPHERE, CN_SOLID_ELLIPSOID, ALL_POINTS, 0},
        {CN_SOLID_CAPSULE, CN_SOLID_ELLIPSOID, ALL_POINTS, 0},
        {CN_SOLID_HALF_SPACE, CN_SOLID_ELLIPSOID, ALL_POINTS, 0},
    };
    check_kinds(pairs, sizeof pairs / sizeof *pairs, count, seed);
}

// Kinds whose points that touch do not jump, but for a few: where rims or corners meet within 1e-5,
// where rods cross by 1 degree, and in tubes that are filled.
static inline void check_round_turns(int count, uint64_t seed)
{
    static const solid_kinds pairs[] = {
        {CN_SOLID_CAPSULE, CN_SOLID_CAPSULE, TOUCHING_POINTS, 2},
        {CN_SOLID_CAPSULE, CN_SOLID_CYLINDER, TOUCHING_POINTS, 4},
        {CN_SOLID_CAPSULE, CN_SOLID_HOLLOW_CYLINDER, TOUCHING_POINTS, 0},
        {CN_SOLID_CAPSULE, CN_SOLID_SURFACE, TOUCHING_POINTS, 2},
        {CN_SOLID_SPHERE, CN_SOLID_SURFACE, TOUCHING_POINTS, 0},
        {CN_SOLID_HULL, CN_SOLID_CYLINDER, TOUCHING_POINTS, 4},
        {CN_SOLID_HULL, CN_SOLID_HOLLOW_CYLINDER, TOUCHING_POINTS, 8},
        {CN_SOLID_HULL, CN_SOLID_SURFACE, TOUCHING_POINTS, 10},
        {CN_SOLID_CYLINDER, CN_SOLID_CYLINDER, TOUCHING_POINTS, 4},
        {CN_SOLID_CYLINDER, CN_SOLID_HOLLOW_SPHERE, TOUCHING_POINTS, 0},
        {CN_SOLID_CYLINDER, CN_SOLID_HOLLOW_CYLINDER, TOUCHING_POINTS, 40},
        {CN_SOLID_CYLINDER, CN_SOLID_SURFACE, TOUCHING_POINTS, 12},
        {CN_SOLID_HOLLOW_SPHERE, CN_SOLID_SURFACE, TOUCHING_POINTS, 0},
        {CN_SOLID_HOLLOW_CYLINDER, CN_SOLID_SURFACE, TOUCHING_POINTS, 22},
        {CN_SOLID_HULL, CN_SOLID_ELLIPSOID, TOUCHING_POINTS, 0},
        {CN_SOLID_CYLINDER, CN_SOLID_ELLIPSOID, TOUCHING_POINTS, 0},
        {CN_SOLID_HOLLOW_SPHERE, CN_SOLID_ELLIPSOID, TOUCHING_POINTS, 0},
        {CN_SOLID_HOLLOW_CYLINDER, CN_SOLID_ELLIPSOID, TOUCHING_POINTS, 0},
        {CN_SOLID_SURFACE, CN_SOLID_ELLIPSOID, TOUCHING_POINTS, 0},
        {CN_SOLID_ELLIPSOID, CN_SOLID_ELLIPSOID, TOUCHING_POINTS, 0},
        {CN_SOLID_HOLLOW_CYLINDER, CN_SOLID_HOLLOW_CYLINDER, TOUCHING_POINTS, 60},
    };
    check_kinds(pairs, sizeof pairs / sizeof *pairs, count, seed);
}
