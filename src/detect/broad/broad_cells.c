// detect/broad/broad_cells.c -- boxes into cells: the unit that suits them, keys, order.
#include "detect/broad/broad_cells.h"

#include <math.h>

#include "base/tasks.h"

enum { UNIT_BITS = 4, UNIT_COUNT = 1 << UNIT_BITS, SAMPLE_COUNT = 1024 };

static const uint64_t UNBOUNDED = UINT64_MAX; // key of a box without a cell, levels end before

static const double SIDE_MAX = 0x1p1020; // from here on a box counts as unbounded [m]

static inline double along(cn_vec3 a, int axis)
{
    return axis == 0 ? a.x : (axis == 1 ? a.y : a.z);
}

static inline bool is_sound(int dim, const cn_box3 *box)
{
    bool sound = true;
    for (int i = 0; i < dim; i++) {
        double lo = along(box->lo, i), hi = along(box->hi, i);
        sound = sound && lo <= hi && lo < INFINITY && hi > -INFINITY;
    }
    return sound;
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

// Longest side, and what rounding may do to the centre.
static inline double side_of(int dim, const cn_box3 *box)
{
    double side = 0.0;
    for (int i = 0; i < dim; i++) {
        double lo = along(box->lo, i), hi = along(box->hi, i);
        side = larger(side, hi - lo + 0x1p-48 * larger(fabs(lo), fabs(hi)));
    }
    return side;
}

// The exponent e with 2^(e - 1) <= side < 2^e, from that of the number.
static int exponent_of(double side)
{
    uint64_t bits;
    memcpy(&bits, &side, sizeof bits);
    int exponent = (int)(bits >> 52) - 1022;
    return exponent < -CN_LEVEL_BIAS ? -CN_LEVEL_BIAS : exponent;
}

static cn_status fail_lost(int dim, int k, const cn_box3 *box, cn_error *err)
{
    if (dim == 2) {
        return cn_fail(err, CN_BROKEN,
                       "box %d of the broad phase is [%g, %g] x [%g, %g]: a position is lost", k,
                       box->lo.x, box->hi.x, box->lo.y, box->hi.y);
    }
    return cn_fail(
        err, CN_BROKEN,
        "box %d of the broad phase is [%g, %g] x [%g, %g] x [%g, %g]: a position is lost", k,
        box->lo.x, box->hi.x, box->lo.y, box->hi.y, box->lo.z, box->hi.z);
}

// Around the origin the numbers of cells pass from 0111.. to 1000..: of the bits that go along with
// the first one, that one is enough to sort by. `bent` are bits of some cells that do not, one word
// for each axis.
static inline uint64_t bits_to_sort_by(int dim, uint64_t differing, const uint64_t *bent)
{
    uint64_t useful = ~(uint64_t)0 << (cn_cell_bits(dim) * dim);
    for (int i = 0; i < dim; i++) {
        uint64_t first = (uint64_t)1 << (cn_cell_bits(dim) - 1);
        useful |= (bent[i] | first) << (cn_cell_bits(dim) * i);
    }
    return differing & useful;
}

// Cells that fit most boxes closely: how many boxes share a cell goes with the volume of the cell,
// so grains of one size just above a power of two would be compared 2^dim times too often. Takes
// the unit with the smallest sum of cell volumes over box volumes for a sample of the boxes.
static inline double choose_unit(int dim, int count, const cn_box3 *box)
{
    int sample[UNIT_COUNT] = {0}; // by leading digits of the side: (1 + n / UNIT_COUNT) 2^e
    int stride = 1 + count / SAMPLE_COUNT;
    for (int k = 0; k < count; k += stride) {
        double side = side_of(dim, &box[k]);
        if (side > 0.0 && side < SIDE_MAX) {
            uint64_t bits;
            memcpy(&bits, &side, sizeof bits);
            sample[bits >> (52 - UNIT_BITS) & (UNIT_COUNT - 1)]++;
        }
    }
    double unit = 1.0, least = INFINITY;
    for (int last = 0; last < UNIT_COUNT; last++) { // digits that fill the cell best
        double cell = UNIT_COUNT + last + 1, volume = 0.0;
        for (int n = 0; n < UNIT_COUNT; n++) {
            double ratio = (n <= last ? cell : 2.0 * cell) / (UNIT_COUNT + n + 0.5);
            volume += sample[n] * (dim == 2 ? ratio * ratio : ratio * ratio * ratio);
        }
        if (volume < least) {
            least = volume;
            unit = 2.0 * UNIT_COUNT / cell;
        }
    }
    return unit;
}

// What the numbers of cells have in common: bits that some and that all keys have, and bits of some
// cells that do not go along with the first one, for each axis.
typedef struct digits {
    uint64_t some, all, bent[3];
} digits;

// Key of the cell of a box, whose longest side is finite.
static inline uint64_t number_box(const cn_cells *s, int dim, const cn_box3 *box, double side,
                                  digits *used)
{
    int exponent = exponent_of(s->unit * side);
    double half = 0.5 * cn_cells_per_metre(s->unit, exponent);
    uint64_t number[3], first = (uint64_t)1 << (cn_cell_bits(dim) - 1);
    for (int i = 0; i < dim; i++) {
        double centre = half * along(box->lo, i) + half * along(box->hi, i);
        number[i] = cn_cell_number(dim, cn_cell_at(centre));
        used->bent[i] |= number[i] & first ? number[i] ^ first : number[i] ^ (first - 1);
    }
    uint64_t key = cn_cell_key(dim, exponent, number);
    used->some |= key;
    used->all &= key;
    return key;
}

// Boxes of a segment, unbounded ones without a key. Returns the first one that is lost, or `count`.
static inline int number_segment(cn_cells *s, int dim, int count, const cn_box3 *box, int k,
                                 int *unbounded, digits *used)
{
    for (int n = cn_segment_start(count, k); n < cn_segment_start(count, k + 1); n++) {
        if (!is_sound(dim, &box[n])) {
            return n;
        }
        double side = side_of(dim, &box[n]);
        bool is_bounded = side < SIDE_MAX;
        *unbounded += !is_bounded;
        s->entry[n] =
            (cn_keyed){is_bounded ? number_box(s, dim, &box[n], side, used) : UNBOUNDED, n};
    }
    return count;
}

// Puts unbounded boxes behind all others, the last one first. `room` is for their numbers.
static void part_unbounded(cn_cells *s, int count, int *room)
{
    int bounded = 0, unbounded = 0;
    for (int n = 0; n < count; n++) {
        if (s->entry[n].key == UNBOUNDED) {
            room[unbounded++] = n;
        } else {
            s->entry[bounded++] = s->entry[n];
        }
    }
    for (int n = 0; n < unbounded; n++) {
        s->entry[count - 1 - n] = (cn_keyed){.item = room[n]};
    }
}

static inline cn_status number_boxes(cn_cells *s, int dim, int count, const cn_box3 *box,
                                     int threads, uint64_t *sort_by, cn_error *err)
{
    uint64_t some = 0, all = ~(uint64_t)0, x = 0, y = 0, z = 0;
    int unbounded = 0, lost = count;
    CN_SHARED_FOR(threads, (schedule(static) reduction(| : some, x, y, z) reduction(& : all) reduction(+ : unbounded) reduction(min : lost)), k, CN_SEGMENTS, {
        digits used = {0, ~(uint64_t)0, {0, 0, 0}};
        int bad = number_segment(s, dim, count, box, k, &unbounded, &used);
        lost = bad < lost ? bad : lost;
        some |= used.some;
        all &= used.all;
        x |= used.bent[0];
        y |= used.bent[1];
        z |= used.bent[2];
    });
    if (lost < count) {
        return fail_lost(dim, lost, &box[lost], err);
    }
    if (unbounded > 0) { // the sides are not filled in yet
        part_unbounded(s, count, (int *)(void *)s->side);
    }
    s->count = count - unbounded;
    s->unbounded_count = unbounded;
    *sort_by = bits_to_sort_by(dim, s->count > 0 ? some ^ all : 0, (uint64_t[3]){x, y, z});
    return CN_OK;
}

static inline void place_boxes(cn_cells *s, int dim, int count, const cn_box3 *box, int threads)
{
    CN_SHARED_FOR(threads, (schedule(static)), k, count, {
        const cn_box3 *from = &box[s->entry[k].item];
        double *side = cn_sides_at(s, dim, k);
        for (int i = 0; i < dim; i++) {
            side[i] = along(from->lo, i);
            side[dim + i] = along(from->hi, i);
        }
    });
}

static inline cn_status sort(cn_cells *s, int dim, int count, const cn_box3 *box, int threads,
                             cn_error *err)
{
    uint64_t differing = 0;
    s->unit = choose_unit(dim, count, box);
    CN_TRY(number_boxes(s, dim, count, box, threads, &differing, err));
    // The sides are filled in after the sort: until then they are room for it.
    cn_radix_sort(s->entry, s->count, differing, (cn_keyed *)(void *)s->side, threads);
    place_boxes(s, dim, count, box, threads);
    return CN_OK;
}

cn_status cn_cells_sort(cn_cells *s, int dim, int count, const cn_box3 *box, int threads,
                        cn_error *err)
{
    return dim == 2 ? sort(s, 2, count, box, threads, err) : sort(s, 3, count, box, threads, err);
}
