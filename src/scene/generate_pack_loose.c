// scene/generate_pack_loose.c -- loose packings: random places, or a triangular lattice that is
// shaken.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/generate_fields.h"
#include "scene/generate_pack.h"

#include <stdlib.h>

#define TRIES_EACH 2000 // places tried for one circle before the region counts as full
#define TRIES_MEAN 20   // the same per circle, over all circles

// ---- random places -----------------------------------------------------------------------------

typedef struct rank {
    double radius;
    int k;
} rank;

// Larger circles first, else in the order they were drawn: no two ranks are equal.
static int compare_rank(const void *a, const void *b)
{
    const rank *p = a, *q = b;
    if (p->radius != q->radius) {
        return p->radius > q->radius ? -1 : 1;
    }
    return p->k < q->k ? -1 : 1;
}

static cn_vec2 random_point(const cn_region *region, uint64_t *random)
{
    bool is_box = region->kind == CN_REGION_BOX;
    double width = is_box ? region->box[0] : 2.0 * region->radius;
    double height = is_box ? region->box[1] : 2.0 * region->radius;
    double x = width * (cn_random(random) - 0.5);
    return cn_v2(x, height * (cn_random(random) - 0.5));
}

// Random sequential addition, theory: saturates at a fill of 0.547 for equal disks.
cn_status cn_pack_random(cn_circles *c, uint64_t seed, cn_error *err)
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
            cn_vec2 x = random_point(&c->region, &random);
            if (cn_region_holds(&c->region, x, radius) && cn_circles_is_free(c, x, radius)) {
                cn_circles_put(c, order[n].k, x);
                break;
            }
        }
    }
    cn_release(NULL, order);
    return CN_OK;
}

// ---- lattice -----------------------------------------------------------------------------------

// Calls the nodes of a triangular lattice of this pitch that hold the largest circle; stores them
// in `node` unless it is NULL.
static int lattice_nodes(const cn_circles *c, double pitch, int room, cn_vec2 *node)
{
    bool is_box = c->region.kind == CN_REGION_BOX;
    double half_x = (is_box ? 0.5 * c->region.box[0] : c->region.radius) - c->radius_most;
    double half_y = (is_box ? 0.5 * c->region.box[1] : c->region.radius) - c->radius_most;
    double rise = pitch * sqrt(0.75);
    int rows = (int)(2.0 * half_y / rise * (1.0 + 1e-12)) + 1;
    int columns = (int)(2.0 * half_x / pitch * (1.0 + 1e-12)) + 1;
    int count = 0;
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < columns; i++) {
            cn_vec2 x = cn_v2(-half_x + (i + 0.5 * (j % 2)) * pitch, -half_y + j * rise);
            if (!cn_region_holds(&c->region, x, c->radius_most)) {
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

// The widest pitch whose lattice has a node for every circle, or the tightest there is. Bisection
// between pitches near that of as many nodes in the box around the region.
static double widest_pitch(const cn_circles *c)
{
    bool is_box = c->region.kind == CN_REGION_BOX;
    double width = is_box ? c->region.box[0] : 2.0 * c->region.radius;
    double height = is_box ? c->region.box[1] : 2.0 * c->region.radius;
    double tightest = 2.0 * c->radius_most;
    double tight = fmax(tightest, 0.5 * sqrt(width) * sqrt(height) / sqrt(c->count));
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
static cn_vec2 shake(const cn_circles *c, cn_vec2 node, double room, double radius,
                     uint64_t *random)
{
    double angle = 2.0 * CN_PI * cn_random(random), far = room * sqrt(cn_random(random));
    cn_vec2 x = cn_add_mul2(node, far, cn_v2(cos(angle), sin(angle)));
    return cn_region_holds(&c->region, x, radius) ? x : node;
}

cn_status cn_pack_lattice(cn_circles *c, uint64_t seed, cn_error *err)
{
    double pitch = widest_pitch(c);
    int count = lattice_nodes(c, pitch, 0, NULL);
    cn_vec2 *node = NULL;
    size_t capacity = 0;
    CN_TRY(cn_reserve(NULL, &node, &capacity, (size_t)count, err));
    lattice_nodes(c, pitch, count, node);

    uint64_t random = cn_mix2(seed, UINT64_MAX - 1);
    double room = fmax(0.0, 0.5 * pitch - c->radius_most) * (1.0 - 1e-9);
    for (int k = 0; k < c->count && k < count; k++) {
        int other = k + (int)(cn_random(&random) * (count - k));
        cn_vec2 chosen = node[other];
        node[other] = node[k];
        cn_circles_put(c, k, shake(c, chosen, room, c->radius[k], &random));
    }
    cn_release(NULL, node);
    return CN_OK;
}
