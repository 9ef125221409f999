// Random pairs of convex shapes against an oracle that shares nothing with the library: distances
// of all vertices to all edges in long double. Separated shapes: distance and normal. Overlapping
// shapes: the normal is one of least penetration. All: finite results and bitwise mirror images.
#include "narrow_bodies.h"

typedef struct point {
    long double x, y;
} point;

typedef struct outline {
    int count;
    point vertex[BODY_VERTEX_MAX];
    long double radius, extent;
} outline;

static point sub(point a, point b)
{
    return (point){a.x - b.x, a.y - b.y};
}

static long double dot(point a, point b)
{
    return a.x * b.x + a.y * b.y;
}

static long double cross(point a, point b)
{
    return a.x * b.y - a.y * b.x;
}

// Relative to the first body of the pair, so that the oracle does not round far from the origin.
static outline outline_of(const body *b, const body *origin)
{
    outline o = {.count = b->shape.vertex_count, .radius = b->shape.radius};
    point at = {(long double)b->posed.x.x - origin->posed.x.x,
                (long double)b->posed.x.y - origin->posed.x.y};
    for (int k = 0; k < o.count; k++) {
        long double x = b->shape.vertex[k].x, y = b->shape.vertex[k].y;
        long double c = b->posed.c, s = b->posed.s;
        o.vertex[k] = (point){at.x + (c * x - s * y), at.y + (s * x + c * y)};
        o.extent = fmaxl(o.extent, hypotl(x, y));
    }
    return o;
}

typedef struct gap {
    long double distance;
    point n; // from a to b
} gap;

// True if c sees w beyond both edges that meet at c: nothing else of this outline is nearer to w.
static bool is_beyond(const outline *o, int c, point w)
{
    point apart = sub(w, o->vertex[c]);
    point after = sub(o->vertex[(c + 1) % o->count], o->vertex[c]);
    point before = sub(o->vertex[(c + o->count - 1) % o->count], o->vertex[c]);
    long double rounding =
        1e-18L * (hypotl(after.x, after.y) + hypotl(before.x, before.y)) * o->extent;
    return dot(apart, after) <= rounding && dot(apart, before) <= rounding;
}

// Distances alone cannot tell the direction: those of a vertex and of a point 1e-10 beside it agree
// to 1e-20. So pairs of features count only if they see each other.
static void scan_vertices(const outline *a, const outline *b, gap *best)
{
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < b->count; k++) {
            point apart = sub(b->vertex[k], a->vertex[i]);
            long double distance = hypotl(apart.x, apart.y);
            if (distance < best->distance && is_beyond(a, i, b->vertex[k]) &&
                is_beyond(b, k, a->vertex[i])) {
                *best = (gap){distance, {apart.x / distance, apart.y / distance}};
            }
        }
    }
}

// Vertices of q over the inside of edges of p.
static void scan_edges(const outline *p, const outline *q, long double sign, gap *best)
{
    for (int i = 0; i < q->count; i++) {
        for (int k = 0; k < p->count && p->count > 1; k++) {
            point from = p->vertex[k], edge = sub(p->vertex[(k + 1) % p->count], from);
            point apart = sub(q->vertex[i], from);
            long double length = hypotl(edge.x, edge.y), along = dot(apart, edge) / length;
            long double distance = cross(apart, edge) / length;
            if (along > 0 && along < length && fabsl(distance) < best->distance) {
                long double side = distance > 0 ? sign : -sign;
                *best = (gap){fabsl(distance), {side * edge.y / length, -side * edge.x / length}};
            }
        }
    }
}

static gap find_gap(const outline *a, const outline *b)
{
    gap best = {INFINITY, {1, 0}};
    scan_edges(a, b, 1, &best);
    scan_edges(b, a, -1, &best);
    scan_vertices(a, b, &best);
    return best;
}

// Separation along the normals of the edges of p; the largest one so far stays in *widest, and the
// smallest magnitude in *level.
static void scan_axes(const outline *p, const outline *q, long double *widest, long double *level)
{
    for (int k = 0; k < p->count && p->count > 1; k++) {
        point edge = sub(p->vertex[(k + 1) % p->count], p->vertex[k]);
        long double length = hypotl(edge.x, edge.y), least = INFINITY;
        for (int i = 0; i < q->count; i++) {
            least = fminl(least, cross(sub(q->vertex[i], p->vertex[k]), edge) / length);
        }
        *widest = fmaxl(*widest, least);
        *level = fminl(*level, fabsl(least));
    }
}

// Separation along a direction from a to b.
static long double separation_along(const outline *a, const outline *b, cn_vec2 n)
{
    long double top = -INFINITY, bottom = INFINITY;
    point d = {n.x, n.y};
    for (int k = 0; k < a->count; k++) {
        top = fmaxl(top, dot(d, sub(a->vertex[k], a->vertex[0])));
    }
    for (int k = 0; k < b->count; k++) {
        bottom = fminl(bottom, dot(d, sub(b->vertex[k], a->vertex[0])));
    }
    return bottom - top;
}

static long double nearest_vertices(const outline *a, const outline *b)
{
    long double least = INFINITY;
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < b->count; k++) {
            point apart = sub(a->vertex[i], b->vertex[k]);
            least = fminl(least, hypotl(apart.x, apart.y));
        }
    }
    return least;
}

typedef struct tally {
    int separated, overlapping, faces, corners, passing;
    double worst_distance, worst_normal, worst_depth;
} tally;

// Corners closer than TAU of the size follow their own rule; so do right angles within LEVEL.
static const double TAU = 1.01e-5, LEVEL = 1.01e-3;

static void check_separated(const body *a, const body *b, gap exact, double scale, tally *t)
{
    cn_touch touch[CN_TOUCH_MAX];
    double radius = a->shape.radius + b->shape.radius;
    int count =
        cn_narrow(&a->posed, &b->posed, (double)exact.distance - radius + 0.1 * scale, touch);
    CN_TRUE(count > 0);
    if (count == 0) {
        return;
    }
    int nearest = 0;
    for (int k = 1; k < count; k++) {
        nearest = touch[k].gap < touch[nearest].gap ? k : nearest;
    }
    double distance = fabs(touch[nearest].gap + radius - (double)exact.distance) / scale;
    double normal = hypot(touch[nearest].normal.x + (double)exact.n.x,
                          touch[nearest].normal.y + (double)exact.n.y);
    t->worst_distance = fmax(t->worst_distance, distance);
    // Two vertices at distance d: rounding turns the line between them by scale / d.
    t->worst_normal = fmax(t->worst_normal, normal * fmin(1.0, (double)exact.distance / scale));
    t->separated++;
    t->faces += count == 2;
}

static void check_overlapping(const body *a, const body *b, long double widest, double scale,
                              tally *t)
{
    cn_touch touch[CN_TOUCH_MAX];
    int count = cn_narrow(&a->posed, &b->posed, 0.1 * scale, touch);
    CN_TRUE(count > 0);
    outline oa = outline_of(a, a), ob = outline_of(b, a);
    for (int k = 0; k < count; k++) {
        CN_TRUE(isfinite(touch[k].gap) && isfinite(touch[k].point.x + touch[k].point.y));
        CN_TRUE(fabs(cn_norm2(touch[k].normal) - 1.0) < 1e-14);
        double depth = (double)separation_along(&oa, &ob, cn_neg2(touch[k].normal));
        t->worst_depth = fmax(t->worst_depth, fabs(depth - (double)widest) / scale);
    }
    t->overlapping++;
}

static bool is_found(const body *a, const body *b, double reach)
{
    cn_touch touch[CN_TOUCH_MAX];
    return cn_narrow(&a->posed, &b->posed, reach, touch) > 0;
}

static void check_pair(const body *a, const body *b, tally *t)
{
    outline oa = outline_of(a, a), ob = outline_of(b, a);
    gap exact = find_gap(&oa, &ob);
    long double widest = -INFINITY, level = INFINITY;
    scan_axes(&oa, &ob, &widest, &level);
    scan_axes(&ob, &oa, &widest, &level);
    double scale = (double)(oa.extent + ob.extent + oa.radius + ob.radius + exact.distance);
    double size = fmin(a->shape.size, b->shape.size);
    CN_TRUE(is_mirrored(a, b, 0.1 * scale));
    CN_TRUE(is_mirrored(a, b, 10.0 * scale));
    bool is_sharp = oa.radius + ob.radius == 0;
    long double corners = nearest_vertices(&oa, &ob);
    if (is_sharp && corners < TAU * size) {
        t->corners++; // they meet: see the tests of faces and corners
    } else if (is_sharp && level < LEVEL * size && !is_found(a, b, 10.0 * scale)) {
        t->passing++; // level with an edge: only corners may pass
        CN_TRUE(corners <= (widest > 0 ? 1.01L * exact.distance : 0) + 3 * LEVEL * size);
    } else if (widest > 0) {
        check_separated(a, b, exact, scale, t);
    } else {
        check_overlapping(a, b, widest, scale, t);
    }
}

static void check_tally(const tally *t, double normal)
{

    CN_NEAR(t->worst_distance, 0.0, 1e-14, "rounding, relative to the extent of both shapes");
    CN_NEAR(t->worst_normal, 0.0, normal, "rounding, relative to the extent of both shapes");
    CN_NEAR(t->worst_depth, 0.0, 1e-14, "rounding, relative to the extent of both shapes");
}

// Vertices on an ellipse: always convex.
static void make_random_polygon(body *b, double size, double aspect, uint64_t *random)
{
    int n = 3 + (int)(10 * cn_random(random));
    double turn = random_between(random, 0.0, 2 * CN_PI);
    for (int k = 0; k < n; k++) {
        double angle = 2 * CN_PI * (k + random_between(random, 0.0, 0.8)) / n + turn;
        b->local[2 * k] = size * cos(angle);
        b->local[2 * k + 1] = size * aspect * sin(angle);
    }
    make_polygon(b, n);
}

static void make_random(body *b, double size, double aspect, uint64_t *random)
{
    switch ((int)(4 * cn_random(random))) {
    case 0:
        make_disk(b, size);
        break;
    case 1:
        make_capsule(b, size, size * aspect);
        break;
    case 2:
        make_box(b, size, size * aspect);
        break;
    default:
        make_random_polygon(b, size, aspect, random);
    }
}

// Puts b beside a so that the gap is a given number (roughly if they have to turn into each other).
static void put_beside(const body *a, body *b, double distance, uint64_t *random)
{
    double direction = random_between(random, 0.0, 2 * CN_PI);
    double apart = a->shape.reach + b->shape.reach;
    move_body(b, a->posed.x.x + apart * cos(direction), a->posed.x.y + apart * sin(direction),
              random_between(random, -10.0, 10.0));
    const double wanted[3] = {0.0, 0.0, distance};
    for (int k = 0; k < 3; k++) {
        outline oa = outline_of(a, a), ob = outline_of(b, a);
        gap exact = find_gap(&oa, &ob);
        long double by = wanted[k] + oa.radius + ob.radius - exact.distance;
        if (exact.distance > 1e-15L) { // shapes that touch stay where they are
            move_body(b, (double)(b->posed.x.x + by * exact.n.x),
                      (double)(b->posed.x.y + by * exact.n.y), b->angle);
        }
    }
}

static void check_random(int pairs, double ratio, double aspect, double far, uint64_t seed)
{
    uint64_t random = seed;
    tally t = {0};
    for (int n = 0; n < pairs; n++) {
        body a, b;
        make_random(&a, 1.0, random_between(&random, aspect, 1.0), &random);
        make_random(&b, ratio, random_between(&random, aspect, 1.0), &random);
        if (a.shape.vertex_count + b.shape.vertex_count == 2) {
            continue;
        }
        move_body(&a, far * cn_random(&random), far * cn_random(&random),
                  random_between(&random, -10.0, 10.0));
        double small = fmin(a.shape.size, b.shape.size);
        const double distance[4] = {random_between(&random, 0.0, small),
                                    small * pow(10.0, random_between(&random, -12.0, 0.0)),
                                    -small * pow(10.0, random_between(&random, -12.0, 0.0)), 0.0};
        put_beside(&a, &b, distance[n % 4], &random);
        check_pair(&a, &b, &t);
    }
    check_tally(&t, 1e-14);
    CN_TRUE(t.separated > pairs / 2 && t.overlapping > pairs / 20);
}

CN_TEST(equal_sizes)
{
    check_random(40000, 1.0, 0.2, 10.0, 1);
}

CN_TEST(size_ratio_of_1000)
{
    check_random(20000, 1e-3, 0.2, 10.0, 2);
}

CN_TEST(needles)
{
    check_random(20000, 1.0, 1e-3, 10.0, 3);
}

CN_TEST(far_from_the_origin)
{
    check_random(20000, 1.0, 0.2, 1e6, 4);
}

// Middles near each other: everything overlaps deeply.
CN_TEST(deep_penetration)
{
    uint64_t random = 5;
    tally t = {0};
    for (int n = 0; n < 20000; n++) {
        body a, b;
        make_random(&a, 1.0, random_between(&random, 0.05, 1.0), &random);
        make_random(&b, random_between(&random, 0.05, 1.0), 0.5, &random);
        if (a.shape.vertex_count + b.shape.vertex_count == 2) {
            continue;
        }
        move_body(&b, random_between(&random, -0.3, 0.3), random_between(&random, -0.3, 0.3),
                  random_between(&random, -10.0, 10.0));
        check_pair(&a, &b, &t);
    }
    check_tally(&t, 1e-14);
    CN_TRUE(t.overlapping > 8000);
}

// Boxes face to face, with gaps, offsets and tilts of every magnitude and of exactly zero.
CN_TEST(parallel_faces)
{
    uint64_t random = 6;
    tally t = {0};
    for (int n = 0; n < 40000; n++) {
        body a, b;
        make_box(&a, 0.4, 0.2);
        make_box(&b, n % 3 == 0 ? 0.4 : 0.3, 0.2);
        double turn = n % 5 == 0 ? 0.0 : random_between(&random, -4.0, 4.0);
        double tilt = n % 7 < 3 ? 0.0 : 0.2 * pow(10.0, random_between(&random, -16.0, 0.0));
        double height =
            0.2 + (n % 2 == 0 ? 1 : -1) * 0.1 * pow(10.0, random_between(&random, -9.0, 0.0));
        double along = n % 4 == 0 ? 0.0 : random_between(&random, -0.4, 0.4);
        cn_vec2 at = cn_turn2(cn_v2(along, height), cos(turn), sin(turn));
        move_body(&a, 0.0, 0.0, turn);
        move_body(&b, at.x, at.y, turn + (n % 11 < 5 ? tilt : -tilt));
        check_pair(&a, &b, &t);
    }
    check_tally(&t, 1e-11); // tilts below this cannot decide which edge is nearest
    CN_TRUE(t.separated > 10000 && t.overlapping > 5000 && t.faces > 8000);
}

CN_MAIN(CN_RUN(equal_sizes); CN_RUN(size_ratio_of_1000); CN_RUN(needles);
        CN_RUN(far_from_the_origin); CN_RUN(deep_penetration); CN_RUN(parallel_faces);)
