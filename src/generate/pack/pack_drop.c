// generate/pack/pack_drop.c -- dense packing in space: balls dropped one by one.
//
// Each ball falls straight down at several random places, keeps the lowest one, and from there
// creeps aside as long as that leads down: it ends in a hollow, touching what is below. The sample
// is close to one that was poured, so little is left to settle; fills of 0.5 to 0.55 for balls of
// similar size in regions many balls wide.
#include <math.h>

#include "base/hash.h"
#include "generate/pack/pack.h"

#define DROPS 24   // places tried for one ball
#define CREEPS 150 // steps aside tried from the lowest of them

// Where a ball at x, y rests on the bottom of the region; NaN: it does not fit in there.
static double rest_on_bottom(const cn_region *region, double x, double y, double radius)
{
    cn_vec3 half = cn_mul3(0.5, cn_region_sides(region, 3));
    double z = radius - half.z;
    if (region->kind == CN_REGION_DISK && region->axis != CN_REGION_AXIS_Z) { // lying cylinder
        double aside = region->axis == CN_REGION_AXIS_X ? y : x;
        double square = (region->radius - radius) * (region->radius - radius) - aside * aside;
        z = square >= 0.0 ? -sqrt(square) : NAN;
    }
    return cn_region_holds(region, 3, cn_v3(x, y, z), radius) ? z : NAN;
}

// Highest touch with the balls of one cell for a ball that falls at x, y.
static double rest_on_cell(const cn_balls *c, int first, double x, double y, double radius)
{
    double best = -INFINITY;
    for (int k = first; k >= 0; k = c->next[k]) {
        double dx = x - c->centre[k].x, dy = y - c->centre[k].y, reach = radius + c->radius[k];
        double square = reach * reach - dx * dx - dy * dy;
        if (square > 0.0) {
            best = fmax(best, c->centre[k].z + sqrt(square));
        }
    }
    return best;
}

static int limit(int k, int count)
{
    return k < 0 ? 0 : k >= count ? count - 1 : k;
}

// Where a ball that falls at x, y comes to rest; NaN: nowhere in the region. `top` is the highest
// layer of cells that holds a ball.
static double drop(const cn_balls *c, int top, double x, double y, double radius)
{
    double rest = rest_on_bottom(&c->region, x, y, radius);
    int i = limit((int)floor((x - c->corner.x) / c->cell), c->columns);
    int j = limit((int)floor((y - c->corner.y) / c->cell), c->rows);
    for (int l = top; l >= 0 && !isnan(rest); l--) {
        double highest = c->corner.z + (l + 1) * c->cell + radius + c->radius_most;
        if (rest >= highest) {
            break; // nothing from here down can stop it earlier
        }
        for (int n = 0; n < 9; n++) {
            int column = i + n % 3 - 1, row = j + n / 3 - 1;
            if (column >= 0 && column < c->columns && row >= 0 && row < c->rows) {
                size_t cell = ((size_t)l * (size_t)c->rows + (size_t)row) * (size_t)c->columns +
                              (size_t)column;
                rest = fmax(rest, rest_on_cell(c, c->first[cell], x, y, radius));
            }
        }
    }
    return cn_region_holds(&c->region, 3, cn_v3(x, y, rest), radius) ? rest : NAN;
}

// Moves to x, y if a ball dropped there comes to rest lower.
static bool try_place(const cn_balls *c, int top, double x, double y, double radius, cn_vec3 *best)
{
    double z = drop(c, top, x, y, radius);
    if (!(z < best->z)) {
        return false;
    }
    *best = cn_v3(x, y, z);
    return true;
}

static cn_vec3 find_hollow(const cn_balls *c, int top, double radius, uint64_t *random)
{
    cn_vec3 side = cn_region_sides(&c->region, 3), best = cn_v3(0.0, 0.0, INFINITY);
    for (int t = 0; t < DROPS; t++) {
        double x = (side.x - 2.0 * radius) * (cn_random(random) - 0.5);
        double y = (side.y - 2.0 * radius) * (cn_random(random) - 0.5);
        try_place(c, top, x, y, radius, &best);
    }
    double step = 0.5 * radius; // longer after a success, shorter after a failure
    for (int t = 0; t < CREEPS && isfinite(best.z); t++) {
        double angle = 2.0 * CN_PI * cn_random(random);
        double x = best.x + step * cos(angle), y = best.y + step * sin(angle);
        step *= try_place(c, top, x, y, radius, &best) ? 1.5 : 0.85;
    }
    return best;
}

void cn_pack_drop(cn_balls *c, uint64_t seed)
{
    uint64_t random = cn_mix2(seed, UINT64_MAX - 2);
    int top = -1;
    for (int k = 0; k < c->count; k++) {
        cn_vec3 x = find_hollow(c, top, c->radius[k], &random);
        if (!isfinite(x.z)) {
            return; // full: what is missing is told
        }
        cn_balls_put(c, k, x);
        int layer = limit((int)floor((x.z - c->corner.z) / c->cell), c->layers);
        top = layer > top ? layer : top;
    }
}
