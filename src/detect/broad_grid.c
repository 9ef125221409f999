// detect/broad_grid.c -- broad phase on a hierarchy of grids.
//
// Level l has square cells of side 2^l. A box belongs to the lowest level whose cells are at least
// as large as its longer side, and there to the one cell that holds its centre. Two boxes that
// overlap have centres within half the sum of their sides, so the larger one lies in the 3 x 3
// cells around the centre of the smaller one on the level of the larger one. Each box therefore
// looks at 3 x 3 cells on its own level (half of them: the other half looks back), and on every
// higher level in use at the cells within half a cell of it, most often 2 x 2.
//
// Boxes are sorted by level and, within a level, along the Morton curve of their cells (radix
// sort); cells are ranges of the sorted array, found by hashing. Neighbours along the curve mostly
// share their cells on higher levels, so the last block of each level is remembered. Cell numbers
// are kept modulo 2^26: cells that far apart share a range and their boxes are told apart by
// comparison, so a body that flies off to infinity costs nothing.
//
// Boxes with an infinite side are compared with all others.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "detect/broad.h"

enum {
    CELL_BITS = 26,
    LEVEL_SHIFT = 2 * CELL_BITS,
    LEVEL_COUNT = 2048, // exponents of all finite doubles, after LEVEL_BIAS
    LEVEL_BIAS = 1020,
    DIGIT_BITS = 11,
    DIGIT_COUNT = 1 << DIGIT_BITS,
    PASS_COUNT = 6, // 6 x 11 bits hold a key
};

typedef struct entry {
    uint64_t key; // level, then Morton number of the cell
    int box;
} entry;

// Boxes first .. end - 1 of the sorted array.
typedef struct range {
    int first, end;
} range;

typedef struct slot {
    uint64_t key;
    range cell; // empty: the slot is free
} slot;

// Column and row of a cell.
typedef struct place {
    uint64_t x, y;
} place;

// Cells in use among columns and rows from .. to of one level, at most 3 x 3.
typedef struct block {
    place from, to;
    int cell_count; // -1: nothing remembered
    range cell[9];
} block;

typedef struct cn_broad_scratch {
    entry *entry, *spare; // sorted boxes, and room to sort
    size_t entry_capacity, spare_capacity;
    cn_box2 *box; // in sorted order
    size_t box_capacity;
    int *unbounded; // boxes with infinite sides
    size_t unbounded_capacity;
    slot *slot; // hash table of cells
    size_t slot_capacity, slot_count;
    int count, unbounded_count;
    int level_count;
    int level[LEVEL_COUNT]; // in use, ascending
    block around[LEVEL_COUNT];
    size_t digit_count[PASS_COUNT][DIGIT_COUNT];
} scratch;

static const double SIDE_MAX = 0x1p1020; // from here on a box counts as unbounded [m]

static bool is_sound(const cn_box2 *box)
{
    return box->lo.x <= box->hi.x && box->lo.y <= box->hi.y && box->lo.x < INFINITY &&
           box->lo.y < INFINITY && box->hi.x > -INFINITY && box->hi.y > -INFINITY;
}

static bool overlaps(const cn_box2 *a, const cn_box2 *b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y;
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

// Longer side, and what rounding may do to the centre.
static double side_of(const cn_box2 *box)
{
    double width = box->hi.x - box->lo.x, height = box->hi.y - box->lo.y;
    double far_x = larger(fabs(box->lo.x), fabs(box->hi.x));
    double far_y = larger(fabs(box->lo.y), fabs(box->hi.y));
    return larger(width + 0x1p-48 * far_x, height + 0x1p-48 * far_y);
}

// The level with 2^(level - 1) <= side < 2^level, from the exponent of the number.
static int level_of(double side)
{
    uint64_t bits;
    memcpy(&bits, &side, sizeof bits);
    int level = (int)(bits >> 52) - 1022;
    return level < -LEVEL_BIAS ? -LEVEL_BIAS : level;
}

static double cells_per_metre(int level)
{
    uint64_t bits = (uint64_t)(1023 - level) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

// Bits of x moved to the even places.
static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
}

static const uint64_t CELL_MASK = ((uint64_t)1 << CELL_BITS) - 1;

// Number of the cell that holds a coordinate, zero in the middle of the curve. The side of a cell
// is at least 2^-48 of the coordinate, so the quotient fits into 64 bits.
static uint64_t cell_at(double quotient)
{
    int64_t whole = (int64_t)quotient;
    int64_t cell = whole - (quotient < (double)whole);
    return ((uint64_t)cell + ((uint64_t)1 << (CELL_BITS - 1))) & CELL_MASK;
}

static place place_of(const cn_box2 *box, int level)
{
    double half = 0.5 * cells_per_metre(level);
    return (place){cell_at(half * box->lo.x + half * box->hi.x),
                   cell_at(half * box->lo.y + half * box->hi.y)};
}

static uint64_t key_of(int level, uint64_t x, uint64_t y)
{
    uint64_t number = spread(x & CELL_MASK) | spread(y & CELL_MASK) << 1;
    return (uint64_t)(level + LEVEL_BIAS) << LEVEL_SHIFT | number;
}

static int level_of_key(uint64_t key)
{
    return (int)(key >> LEVEL_SHIFT) - LEVEL_BIAS;
}

static cn_status reserve(cn_broad *broad, int count, cn_error *err)
{
    if (broad->scratch == NULL) {
        broad->scratch = cn_resize(broad->hooks, NULL, sizeof *broad->scratch);
        if (broad->scratch == NULL) {
            return cn_fail(err, CN_NO_MEMORY, "out of memory: %zu bytes were asked for",
                           sizeof *broad->scratch);
        }
        memset(broad->scratch, 0, sizeof *broad->scratch);
    }
    scratch *s = broad->scratch;
    size_t need = (size_t)count;
    CN_TRY(cn_reserve(broad->hooks, &s->entry, &s->entry_capacity, need, err));
    CN_TRY(cn_reserve(broad->hooks, &s->spare, &s->spare_capacity, need, err));
    CN_TRY(cn_reserve(broad->hooks, &s->box, &s->box_capacity, need, err));
    CN_TRY(cn_reserve(broad->hooks, &s->unbounded, &s->unbounded_capacity, need, err));
    s->slot_count = 16;
    while (s->slot_count < 2 * need) {
        s->slot_count *= 2;
    }
    return cn_reserve(broad->hooks, &s->slot, &s->slot_capacity, s->slot_count, err);
}

static cn_status number_boxes(scratch *s, int count, const cn_box2 *box, cn_error *err)
{
    s->count = s->unbounded_count = 0;
    for (int k = 0; k < count; k++) {
        if (!is_sound(&box[k])) {
            return cn_fail(err, CN_BROKEN,
                           "box %d of the broad phase is [%g, %g] x [%g, %g]: a position is lost",
                           k, box[k].lo.x, box[k].hi.x, box[k].lo.y, box[k].hi.y);
        }
        double side = side_of(&box[k]);
        if (!(side < SIDE_MAX)) {
            s->unbounded[s->unbounded_count++] = k;
            continue;
        }
        int level = level_of(side);
        place at = place_of(&box[k], level);
        s->entry[s->count++] = (entry){key_of(level, at.x, at.y), k};
    }
    return CN_OK;
}

static unsigned digit_of(uint64_t key, int pass)
{
    return (unsigned)(key >> (DIGIT_BITS * pass)) & (DIGIT_COUNT - 1);
}

// Stable radix sort by key; passes in which all digits agree are left out.
static void sort_entries(scratch *s)
{
    memset(s->digit_count, 0, sizeof s->digit_count);
    for (int k = 0; k < s->count; k++) {
        for (int pass = 0; pass < PASS_COUNT; pass++) {
            s->digit_count[pass][digit_of(s->entry[k].key, pass)]++;
        }
    }
    for (int pass = 0; pass < PASS_COUNT && s->count > 0; pass++) {
        size_t *start = s->digit_count[pass];
        if (start[digit_of(s->entry[0].key, pass)] == (size_t)s->count) {
            continue;
        }
        size_t sum = 0;
        for (int digit = 0; digit < DIGIT_COUNT; digit++) {
            size_t here = start[digit];
            start[digit] = sum;
            sum += here;
        }
        for (int k = 0; k < s->count; k++) {
            s->spare[start[digit_of(s->entry[k].key, pass)]++] = s->entry[k];
        }
        entry *sorted = s->spare;
        size_t sorted_capacity = s->spare_capacity;
        s->spare = s->entry;
        s->spare_capacity = s->entry_capacity;
        s->entry = sorted;
        s->entry_capacity = sorted_capacity;
    }
}

// The 4 x 4 cells of one stretch of the Morton curve stay together in memory.
static slot *find_slot(scratch *s, uint64_t key)
{
    size_t mask = s->slot_count - 1;
    size_t at = (size_t)((cn_mix(key >> 4) << 4) + (key & 15)) & mask;
    while (s->slot[at].cell.end != s->slot[at].cell.first && s->slot[at].key != key) {
        at = (at + 1) & mask;
    }
    return &s->slot[at];
}

// Puts every range of equal keys into the table, and lists the levels in use.
static void index_cells(scratch *s, const cn_box2 *box)
{
    memset(s->slot, 0, s->slot_count * sizeof *s->slot);
    s->level_count = 0;
    int first = 0;
    for (int k = 0; k < s->count; k++) {
        uint64_t key = s->entry[k].key;
        s->box[k] = box[s->entry[k].box];
        if (k + 1 < s->count && s->entry[k + 1].key == key) {
            continue;
        }
        *find_slot(s, key) = (slot){key, {first, k + 1}};
        if (s->level_count == 0 || s->level[s->level_count - 1] != level_of_key(key)) {
            s->around[s->level_count].cell_count = -1;
            s->level[s->level_count++] = level_of_key(key);
        }
        first = k + 1;
    }
}

static cn_status add_pair(cn_broad *broad, int a, int b, cn_error *err)
{
    if (broad->pair_count == broad->pair_capacity) {
        CN_TRY(cn_reserve(broad->hooks, &broad->pair, &broad->pair_capacity, broad->pair_count + 1,
                          err));
    }
    broad->pair[broad->pair_count++] = (cn_pair){.a = a < b ? a : b, .b = a < b ? b : a};
    return CN_OK;
}

typedef struct filter {
    bool (*may_pair)(const void *context, int a, int b);
    const void *context;
} filter;

// Compares one box with another one by their numbers.
static cn_status test_pair(cn_broad *broad, const cn_box2 *box_a, int a, const cn_box2 *box_b,
                           int b, const filter *accept, cn_error *err)
{
    broad->test_count++;
    if (!overlaps(box_a, box_b)) {
        return CN_OK;
    }
    if (accept->may_pair != NULL &&
        !accept->may_pair(accept->context, a < b ? a : b, a < b ? b : a)) {
        return CN_OK;
    }
    return add_pair(broad, a, b, err);
}

// Compares the k-th sorted box with a range of them.
static cn_status test_range(cn_broad *broad, int k, range with, const filter *accept, cn_error *err)
{
    scratch *s = broad->scratch;
    for (int other = with.first; other < with.end; other++) {
        CN_TRY(test_pair(broad, &s->box[k], s->entry[k].box, &s->box[other], s->entry[other].box,
                         accept, err));
    }
    return CN_OK;
}

// Cells right of, above left, above and above right of a cell: the others see it from their side.
static void look_ahead(scratch *s, int level, place at, block *ahead)
{
    const int step[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    ahead->cell_count = 0;
    for (int n = 0; n < 4; n++) {
        range cell =
            find_slot(s, key_of(level, at.x + (uint64_t)step[n][0], at.y + (uint64_t)step[n][1]))
                ->cell;
        if (cell.end > cell.first) {
            ahead->cell[ahead->cell_count++] = cell;
        }
    }
}

// Cells of a higher level in which the centre of a box may lie that overlaps this one: those within
// half a cell of it, so two or three columns and rows.
static void look_around(scratch *s, int level, const cn_box2 *box, block *around)
{
    double scale = cells_per_metre(level);
    place from = {cell_at(scale * box->lo.x - 0.5), cell_at(scale * box->lo.y - 0.5)};
    place to = {cell_at(scale * box->hi.x + 0.5), cell_at(scale * box->hi.y + 0.5)};
    if (around->cell_count >= 0 && around->from.x == from.x && around->from.y == from.y &&
        around->to.x == to.x && around->to.y == to.y) {
        return;
    }
    *around = (block){.from = from, .to = to};
    for (uint64_t y = from.y;; y = (y + 1) & CELL_MASK) {
        for (uint64_t x = from.x;; x = (x + 1) & CELL_MASK) {
            range cell = find_slot(s, key_of(level, x, y))->cell;
            if (cell.end > cell.first) {
                around->cell[around->cell_count++] = cell;
            }
            if (x == to.x) {
                break;
            }
        }
        if (y == to.y) {
            break;
        }
    }
}

static cn_status test_block(cn_broad *broad, int k, const block *with, const filter *accept,
                            cn_error *err)
{
    for (int n = 0; n < with->cell_count; n++) {
        CN_TRY(test_range(broad, k, with->cell[n], accept, err));
    }
    return CN_OK;
}

// Pairs of boxes of one level: each cell with itself and the cells ahead.
static cn_status test_level(cn_broad *broad, range cell, const filter *accept, cn_error *err)
{
    scratch *s = broad->scratch;
    int level = level_of_key(s->entry[cell.first].key);
    block ahead;
    look_ahead(s, level, place_of(&s->box[cell.first], level), &ahead);
    for (int k = cell.first; k < cell.end; k++) {
        CN_TRY(test_range(broad, k, (range){k + 1, cell.end}, accept, err));
        CN_TRY(test_block(broad, k, &ahead, accept, err));
    }
    return CN_OK;
}

// Pairs of one box with those of higher levels.
static cn_status test_above(cn_broad *broad, int k, int level_from, const filter *accept,
                            cn_error *err)
{
    scratch *s = broad->scratch;
    for (int n = level_from; n < s->level_count; n++) {
        look_around(s, s->level[n], &s->box[k], &s->around[n]);
        CN_TRY(test_block(broad, k, &s->around[n], accept, err));
    }
    return CN_OK;
}

static cn_status find_bounded(cn_broad *broad, const filter *accept, cn_error *err)
{
    scratch *s = broad->scratch;
    int level_above = 0; // place in s->level of the first level above the current one
    for (int first = 0, end; first < s->count; first = end) {
        uint64_t key = s->entry[first].key;
        end = find_slot(s, key)->cell.end;
        while (level_above < s->level_count && s->level[level_above] <= level_of_key(key)) {
            level_above++;
        }
        CN_TRY(test_level(broad, (range){first, end}, accept, err));
        for (int k = first; k < end; k++) {
            CN_TRY(test_above(broad, k, level_above, accept, err));
        }
    }
    return CN_OK;
}

static cn_status find_unbounded(cn_broad *broad, const cn_box2 *box, const filter *accept,
                                cn_error *err)
{
    scratch *s = broad->scratch;
    for (int n = 0; n < s->unbounded_count; n++) {
        int a = s->unbounded[n];
        for (int k = 0; k < s->count; k++) {
            CN_TRY(test_pair(broad, &box[a], a, &s->box[k], s->entry[k].box, accept, err));
        }
        for (int m = n + 1; m < s->unbounded_count; m++) {
            int b = s->unbounded[m];
            CN_TRY(test_pair(broad, &box[a], a, &box[b], b, accept, err));
        }
    }
    return CN_OK;
}

cn_status cn_broad_find(cn_broad *broad, int count, const cn_box2 *box,
                        bool (*may_pair)(const void *context, int a, int b), const void *context,
                        cn_error *err)
{
    broad->pair_count = broad->test_count = 0;
    CN_TRY(reserve(broad, count, err));
    CN_TRY(number_boxes(broad->scratch, count, box, err));
    sort_entries(broad->scratch);
    index_cells(broad->scratch, box);
    filter accept = {may_pair, context};
    CN_TRY(find_unbounded(broad, box, &accept, err));
    return find_bounded(broad, &accept, err);
}

void cn_broad_free(cn_broad *broad)
{
    scratch *s = broad->scratch;
    if (s != NULL) {
        cn_release(broad->hooks, s->entry);
        cn_release(broad->hooks, s->spare);
        cn_release(broad->hooks, s->box);
        cn_release(broad->hooks, s->unbounded);
        cn_release(broad->hooks, s->slot);
        cn_release(broad->hooks, s);
    }
    cn_release(broad->hooks, broad->pair);
    *broad = (cn_broad){.hooks = broad->hooks};
}
