// generate/pack/pack_dense.c -- dense packing: each circle goes to the lowest pocket that takes
// it.
//
// A pocket is a place where a circle touches two things: circles already there, walls of a box, the
// rim or the hub of a ring. Centres of circles of radius r that touch a thing lie on a line or a
// circle (its locus); a pocket is an intersection of two loci. Pockets wait in a heap by the height
// they would have for a circle of mean size, the lowest is tried first with the next circle, and a
// circle that finds its place adds the pockets it makes with everything near. Cost n log n.
#include "base/memory.h"
#include "generate/fields.h"
#include "generate/pack/pack.h"

#define SPREAD 1e-9 // circles are grown by this fraction, so that touching never means overlapping

// Things that are not circles, by negative numbers.
enum { FLOOR = -1, LEFT = -2, RIGHT = -3, RIM = -4, HUB = -5, THING_LEAST = -5 };

typedef struct pocket {
    double height; // y for a circle of mean size [m]
    int serial;    // breaks ties: the older first
    int a, b;      // things that are touched
    signed char side;
} pocket;

typedef struct front {
    cn_balls *c;
    double radius_mean;
    pocket *heap;
    int heap_count;
    size_t heap_capacity;
    int serial;
} front;

// Locus of centres: a circle, or a line through `at` along x or y (radius < 0).
typedef struct locus {
    cn_vec2 at;
    double radius;
    bool is_horizontal;
} locus;

static double grown(double radius)
{
    return radius * (1.0 + SPREAD);
}

static locus locus_of(const cn_balls *c, int thing, double r)
{
    const cn_region *region = &c->region;
    switch (thing) {
    case FLOOR:
        return (locus){cn_v2(0.0, r - 0.5 * region->box[1]), -1.0, true};
    case LEFT:
        return (locus){cn_v2(r - 0.5 * region->box[0], 0.0), -1.0, false};
    case RIGHT:
        return (locus){cn_v2(0.5 * region->box[0] - r, 0.0), -1.0, false};
    case RIM:
        return (locus){cn_v2(0.0, 0.0), region->radius - r, false};
    case HUB:
        return (locus){cn_v2(0.0, 0.0), region->inner + r, false};
    default:
        return (locus){cn_v2(c->centre[thing].x, c->centre[thing].y), grown(c->radius[thing]) + r,
                       false};
    }
}

// Circle and line: the two points of the line at distance `radius` from the centre.
static bool meet_line(locus circle, locus line, int side, cn_vec2 *x)
{
    double away = line.is_horizontal ? line.at.y - circle.at.y : line.at.x - circle.at.x;
    double square = circle.radius * circle.radius - away * away;
    if (!(square >= 0.0)) {
        return false;
    }
    double along = side * sqrt(square);
    *x = line.is_horizontal ? cn_v2(circle.at.x + along, line.at.y)
                            : cn_v2(line.at.x, circle.at.y + along);
    return true;
}

static bool meet_circles(locus a, locus b, int side, cn_vec2 *x)
{
    cn_vec2 d = cn_sub2(b.at, a.at);
    double square = cn_dot2(d, d);
    if (!(square > 0.0)) {
        return false;
    }
    // a.at + s d is the foot of the common chord.
    double s = 0.5 * (1.0 + (a.radius * a.radius - b.radius * b.radius) / square);
    double height = a.radius * a.radius / square - s * s;
    if (!(height >= 0.0)) {
        return false;
    }
    *x = cn_add_mul2(cn_add_mul2(a.at, s, d), side * sqrt(height), cn_left2(d));
    return true;
}

// Where a circle of radius r touches both things, if it can.
static bool pocket_point(const cn_balls *c, int a, int b, int side, double r, cn_vec2 *x)
{
    locus p = locus_of(c, a, r), q = locus_of(c, b, r);
    if (p.radius < 0.0 && q.radius < 0.0) {
        *x = p.is_horizontal ? cn_v2(q.at.x, p.at.y) : cn_v2(p.at.x, q.at.y);
        return side > 0 && p.is_horizontal != q.is_horizontal;
    }
    if (p.radius < 0.0) {
        return meet_line(q, p, side, x);
    }
    return q.radius < 0.0 ? meet_line(p, q, side, x) : meet_circles(p, q, side, x);
}

static cn_vec3 in_plane(cn_vec2 x)
{
    return cn_v3(x.x, x.y, 0.0);
}

static bool is_open(const cn_balls *c, cn_vec2 x, double r)
{
    return cn_region_holds(&c->region, 2, in_plane(x), r) && cn_balls_is_free(c, in_plane(x), r);
}

static bool is_before(const pocket *a, const pocket *b)
{
    return a->height < b->height || (a->height == b->height && a->serial < b->serial);
}

static cn_status push(front *f, pocket p, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &f->heap, &f->heap_capacity, (size_t)f->heap_count + 1, err));
    int k = f->heap_count++;
    for (; k > 0 && is_before(&p, &f->heap[(k - 1) / 2]); k = (k - 1) / 2) {
        f->heap[k] = f->heap[(k - 1) / 2];
    }
    f->heap[k] = p;
    return CN_OK;
}

static pocket pop(front *f)
{
    pocket top = f->heap[0], last = f->heap[--f->heap_count];
    int k = 0;
    for (int child = 1; child < f->heap_count; child = 2 * k + 1) {
        if (child + 1 < f->heap_count && is_before(&f->heap[child + 1], &f->heap[child])) {
            child++;
        }
        if (!is_before(&f->heap[child], &last)) {
            break;
        }
        f->heap[k] = f->heap[child];
        k = child;
    }
    f->heap[k] = last;
    return top;
}

// Adds the pockets of two things that a circle of mean size would find open.
static cn_status add_pockets(front *f, int a, int b, cn_error *err)
{
    for (int side = -1; side <= 1; side += 2) {
        cn_vec2 x;
        if (pocket_point(f->c, a, b, side, f->radius_mean, &x) &&
            is_open(f->c, x, f->radius_mean)) {
            CN_TRY(push(f, (pocket){x.y, f->serial++, a, b, (signed char)side}, err));
        }
    }
    return CN_OK;
}

static bool has_thing(const cn_region *region, int thing)
{
    bool is_box = region->kind == CN_REGION_BOX;
    return thing == HUB ? region->kind == CN_REGION_ANNULUS : thing == RIM ? !is_box : is_box;
}

// Pockets of the circle just placed with everything a largest circle could touch at the same time.
static cn_status add_pockets_of(front *f, int k, cn_error *err)
{
    const cn_balls *c = f->c;
    for (int thing = -1; thing >= THING_LEAST; thing--) {
        if (has_thing(&c->region, thing)) {
            CN_TRY(add_pockets(f, k, thing, err));
        }
    }
    cn_vec3 x = c->centre[k];
    int reach = 2; // cells: at least the sum of two largest diameters
    int column = (int)((x.x - c->corner.x) / c->cell), row = (int)((x.y - c->corner.y) / c->cell);
    for (int j = row - reach; j <= row + reach; j++) {
        for (int i = column - reach; i <= column + reach; i++) {
            if (i < 0 || j < 0 || i >= c->columns || j >= c->rows) {
                continue;
            }
            for (int n = c->first[j * c->columns + i]; n >= 0; n = c->next[n]) {
                if (n != k) {
                    CN_TRY(add_pockets(f, k, n, err));
                }
            }
        }
    }
    return CN_OK;
}

// The first circle lies in the lower left corner of a box or at the lowest point of a rim.
static void put_first(front *f)
{
    cn_balls *c = f->c;
    double r = grown(c->radius[0]);
    cn_vec2 x = c->region.kind == CN_REGION_BOX
                    ? cn_v2(r - 0.5 * c->region.box[0], r - 0.5 * c->region.box[1])
                    : cn_v2(0.0, r - c->region.radius);
    if (cn_region_holds(&c->region, 2, in_plane(x), r)) {
        cn_balls_put(c, 0, in_plane(x));
    }
}

static cn_status fill(front *f, cn_error *err)
{
    cn_balls *c = f->c;
    put_first(f);
    if (c->placed_count == 0) {
        return CN_OK;
    }
    CN_TRY(add_pockets_of(f, 0, err));
    for (int k = 1; k < c->count && f->heap_count > 0;) {
        pocket p = pop(f);
        double r = grown(c->radius[k]);
        cn_vec2 x;
        if (pocket_point(c, p.a, p.b, p.side, r, &x) && is_open(c, x, r)) {
            cn_balls_put(c, k, in_plane(x));
            CN_TRY(add_pockets_of(f, k, err));
            k++;
        }
    }
    return CN_OK;
}

cn_status cn_pack_dense(cn_balls *c, cn_error *err)
{
    front f = {.c = c};
    for (int k = 0; k < c->count; k++) {
        f.radius_mean += grown(c->radius[k]) / c->count;
    }
    cn_status status = fill(&f, err);
    cn_release(NULL, f.heap);
    return status;
}
