// generate/pack/pack_loose.c -- loose packings: random places, or a close-packed lattice that is
// shaken: triangular in the plane, in space triangular layers each over the gaps of the one below.
#include "base/hash.h"
#include "base/memory.h"
#include "generate/fields.h"
#include "generate/pack/pack.h"

#include <stdlib.h>

#define TRIES_EACH 2000 // places tried for one ball before the region counts as full
#define TRIES_MEAN 20   // the same per ball, over all balls

// ---- random places -----------------------------------------------------------------------------

typedef struct rank {
    double radius;
    int k;
} rank;

// Larger balls first, else in the order they were drawn: no two ranks are equal.
static int compare_rank(const void *a, const void *b)
{
    const rank *p = a, *q = b;
    if (p->radius != q->radius) {
        return p->radius > q->radius ? -1 : 1;
    }
    return p->k < q->k ? -1 : 1;
}

static cn_vec3 random_point(const cn_balls *c, uint64_t *random)
{
    cn_vec3 side = cn_region_sides(&c->region, c->dim);
    double x = side.x * (cn_random(random) - 0.5);
    double y = side.y * (cn_random(random) - 0.5);
    return cn_v3(x, y, c->dim == 3 ? side.z * (cn_random(random) - 0.5) : 0.0);
}

// Random sequential addition: saturates at a fill of 0.547 for equal disks, 0.384 for equal balls.
cn_status cn_pack_random(cn_balls *c, uint64_t seed, cn_error *err)
{
    rank *order = NULL;
    size_t capacity = 0;
    CN_TRY(cn_reserve(NULL, &order, &capacity, (size_t)c->count, err));
    for (int k = 0; k < c->count; k++) {
        order[k] = (rank){c->radius[k], k};
    }
    qsort(order, (size_t)c->count, sizeof *order, compare_rank);

    uint64_t random = cn_mix2(seed, UINT64_MAX);
    int64_t tries_left = (int64_t)TRIES_MEAN * c->count + TRIES_EACH;
    for (int n = 0; n < c->count && tries_left > 0 && c->placed_count == n; n++) {
        double radius = order[n].radius;
        for (int t = 0; t < TRIES_EACH && tries_left > 0; t++, tries_left--) {
            cn_vec3 x = random_point(c, &random);
            if (cn_region_holds(&c->region, c->dim, x, radius) && cn_balls_is_free(c, x, radius)) {
                cn_balls_put(c, order[n].k, x);
                break;
            }
        }
    }
    cn_release(NULL, order);
    return CN_OK;
}

// ---- lattice -----------------------------------------------------------------------------------

static int steps_in(double length, double step)
{
    return (int)(length / step * (1.0 + 1e-12)) + 1;
}

// One layer of lattice_nodes: a triangular lattice whose first node is at x.
static int layer_nodes(const cn_balls *c, double pitch, cn_vec3 first, int count, int room,
                       cn_vec3 *node)
{
    double rise = pitch * sqrt(0.75);
    cn_vec3 side = cn_region_sides(&c->region, c->dim);
    int rows = steps_in(side.y - 2.0 * c->radius_most, rise);
    int columns = steps_in(side.x - 2.0 * c->radius_most, pitch);
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < columns; i++) {
            cn_vec3 x = cn_v3(first.x + (i + 0.5 * (j % 2)) * pitch, first.y + j * rise, first.z);
            if (!cn_region_holds(&c->region, c->dim, x, c->radius_most)) {
                continue;
            }
            if (node != NULL && count < room) {
                node[count] = x;
            }
            count++;
        }
    }
    return count;
}

// Calls the nodes of a close-packed lattice of this pitch that hold the largest ball; stores them
// in `node` unless it is NULL. Every second layer is shifted to the gaps of the one below.
static int lattice_nodes(const cn_balls *c, double pitch, int room, cn_vec3 *node)
{
    cn_vec3 half = cn_mul3(0.5, cn_region_sides(&c->region, c->dim));
    cn_vec3 first = cn_v3(c->radius_most - half.x, c->radius_most - half.y, 0.0);
    if (c->dim == 2) {
        return layer_nodes(c, pitch, first, 0, room, node);
    }
    double height = pitch * sqrt(2.0 / 3.0);
    int layers = steps_in(2.0 * (half.z - c->radius_most), height), count = 0;
    for (int k = 0; k < layers; k++) {
        cn_vec3 gap = cn_v3(0.5 * pitch, pitch * sqrt(1.0 / 12.0), 0.0);
        cn_vec3 start = cn_add_mul3(first, k % 2, gap);
        start.z = c->radius_most - half.z + k * height;
        count = layer_nodes(c, pitch, start, count, room, node);
    }
    return count;
}

// The widest pitch whose lattice has a node for every ball, or the tightest there is. Bisection
// between pitches near that of as many nodes in the box around the region.
static double widest_pitch(const cn_balls *c)
{
    cn_vec3 side = cn_region_sides(&c->region, c->dim);
    double tightest = 2.0 * c->radius_most;
    double guess = c->dim == 2 ? sqrt(side.x) * sqrt(side.y) / sqrt(c->count)
                               : cbrt(side.x) * cbrt(side.y) * cbrt(side.z) / cbrt(c->count);
    double tight = fmax(tightest, 0.5 * guess);
    while (tight > tightest && lattice_nodes(c, tight, 0, NULL) < c->count) {
        tight = fmax(tightest, 0.5 * tight);
    }
    double wide = tight;
    while (lattice_nodes(c, wide, 0, NULL) >= c->count) {
        wide *= 2.0;
    }
    for (int k = 0; k < 40 && wide > tight; k++) {
        double middle = 0.5 * (tight + wide);
        if (lattice_nodes(c, middle, 0, NULL) >= c->count) {
            tight = middle;
        } else {
            wide = middle;
        }
    }
    return tight;
}

// Moves a node at random as far as neighbours leave room, if that stays inside.
static cn_vec3 shake(const cn_balls *c, cn_vec3 node, double room, double radius, uint64_t *random)
{
    double angle = 2.0 * CN_PI * cn_random(random), u = cn_random(random);
    double far = room * (c->dim == 2 ? sqrt(u) : cbrt(u));
    double up = c->dim == 2 ? 0.0 : 2.0 * cn_random(random) - 1.0, across = sqrt(1.0 - up * up);
    cn_vec3 x = cn_add_mul3(node, far, cn_v3(across * cos(angle), across * sin(angle), up));
    return cn_region_holds(&c->region, c->dim, x, radius) ? x : node;
}

cn_status cn_pack_lattice(cn_balls *c, uint64_t seed, cn_error *err)
{
    double pitch = widest_pitch(c);
    int count = lattice_nodes(c, pitch, 0, NULL);
    cn_vec3 *node = NULL;
    size_t capacity = 0;
    CN_TRY(cn_reserve(NULL, &node, &capacity, (size_t)count, err));
    lattice_nodes(c, pitch, count, node);

    uint64_t random = cn_mix2(seed, UINT64_MAX - 1);
    double room = fmax(0.0, 0.5 * pitch - c->radius_most) * (1.0 - 1e-9);
    for (int k = 0; k < c->count && k < count; k++) {
        int other = k + (int)(cn_random(&random) * (count - k));
        cn_vec3 chosen = node[other];
        node[other] = node[k];
        cn_balls_put(c, k, shake(c, chosen, room, c->radius[k], &random));
    }
    cn_release(NULL, node);
    return CN_OK;
}
