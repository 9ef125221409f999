// detect/broad/broad_grid.c -- broad phase on a hierarchy of grids, in the plane and in space.
//
// Level l has cells of side 2^l, in a unit that suits the boxes. A box belongs to the lowest level
// whose cells are at least as large as its longest side, and there to the one cell that holds its
// centre. Two boxes that overlap have centres within half the sum of their sides, so the larger one
// lies in the 3^dim cells around the centre of the smaller one on the level of the larger one. Each
// box therefore looks at 3^dim cells on its own level (half of them: the other half looks back),
// and on every higher level in use at the cells within half a cell of it, most often 2^dim.
//
// Boxes are sorted by level and, within a level, row after row of cells (radix sort). Cells that
// follow each other in a row are then one range of the sorted array, so a box has few ranges to
// look at: in its own row and in the 1 or 4 rows ahead, and in 2 or 3 rows per axis of a higher
// level. The walk through the boxes takes these ranges along, and a range is found by searching
// from where it was for the cell before: no table of cells, and memory is read in order.
//
// Cell numbers are kept modulo 2^26 (2^17 in space): cells that far apart share a range and their
// boxes are told apart by comparison, so a body that flies off to infinity costs nothing.
//
// Boxes with an infinite side are compared with all others.
//
// The dimension is a literal at the top, so that all loops over axes unroll. Keys, numbers and
// order of cells: broad_cells.c.
//
// Threads walk through parts of the sorted boxes; what they find, part after part, is what one
// thread finds.
#include <math.h>
#include <string.h>

#include "base/slices.h"
#include "base/tasks.h"
#include "detect/broad/broad_cells.h"

enum {
    LEVEL_ROOM = 64, // room for levels from the start: sizes from 1 to 10^19
    ROW_MAX = 9,
    STEP_MAX = 60,     // a cell so many levels up is as good as infinite: numbers have 50 bits
    SHARED_MIN = 2048, // boxes per thread
};

// Boxes first .. end - 1 of the sorted array.
typedef struct range {
    int first, end;
} range;

// Cells of one level that a box looks at, in rows.
typedef struct block {
    int64_t from[3], to[3]; // cells at the corners, at most 3 per axis
    int row_count;          // 0: nothing remembered
    int row[ROW_MAX];       // first box of each, or the one after it: the next search begins here
    int full_count;
    range full[ROW_MAX]; // those that hold boxes
} block;

typedef struct level {
    int exponent; // of the cell side
    block around; // what the last box of a lower level looked at
} level;

typedef struct cn_broad_scratch {
    cn_cells cells;
    level *level; // in use, ascending: one row for each part
    size_t level_capacity;
    int level_count;
    cn_slices parts; // of the list of pairs
} scratch;

static cn_status reserve(cn_broad *broad, int dim, int count, cn_error *err)
{
    if (broad->scratch == NULL) {
        broad->scratch = cn_resize(broad->hooks, NULL, sizeof *broad->scratch);
        if (broad->scratch == NULL) {
            return cn_fail(err, CN_NO_MEMORY, "out of memory: %zu bytes were asked for",
                           sizeof *broad->scratch);
        }
        memset(broad->scratch, 0, sizeof *broad->scratch);
    }
    size_t need = 2 * (size_t)dim * (size_t)count;
    CN_TRY(cn_reserve(broad->hooks, &broad->entry, &broad->entry_capacity, (size_t)count, err));
    return cn_reserve(broad->hooks, &broad->side, &broad->side_capacity, need, err);
}

static cn_status list_levels(cn_broad *broad, cn_error *err)
{
    scratch *s = broad->scratch;
    const cn_cells *cells = &s->cells;
    s->level_count = 0;
    for (int k = 0; k < cells->count;) {
        int exponent = cn_key_exponent(cells->entry[k].key);
        size_t need = s->level_count < LEVEL_ROOM ? LEVEL_ROOM : (size_t)s->level_count + 1;
        CN_TRY(cn_reserve(broad->hooks, &s->level, &s->level_capacity, need, err));
        s->level[s->level_count++] = (level){.exponent = exponent};
        k = cn_cell_seek(cells, k, (uint64_t)(exponent + 1 + CN_LEVEL_BIAS) << CN_LEVEL_SHIFT);
    }
    return CN_OK;
}

// Adds the boxes of cells from .. to of the next row to a block. `row` is the key of its cell zero.
// Where numbers start again from zero the whole row is taken.
static inline void add_row(const cn_cells *s, int dim, uint64_t row, uint64_t from, uint64_t to,
                           block *with)
{
    if (from > to) {
        from = 0;
        to = cn_cell_mask(dim);
    }
    int first = cn_cell_seek(s, with->row[with->row_count], row | from), end = first;
    while (end < s->count && s->entry[end].key <= (row | to)) {
        end++;
    }
    with->row[with->row_count++] = first;
    if (end > first) {
        with->full[with->full_count++] = (range){first, end};
    }
}

typedef struct filter {
    bool (*may_pair)(const void *context, int a, int b);
    const void *context;
} filter;

// What is carried along through a part of the boxes.
typedef struct walk {
    const cn_cells *s;
    level *level; // of the part
    int level_count;
    const filter *accept;
    cn_slice *pairs;
    size_t test_count;
} walk;

// Lists the boxes of a range that overlap one box, by their places in the sorted array. Written
// without branches: what is not an overlap is overwritten by the next one.
static inline cn_status test_range(walk *w, int dim, int k, range with, cn_error *err)
{
    size_t room = (size_t)(with.end - with.first);
    if (w->pairs->capacity - w->pairs->count < room) {
        CN_TRY(cn_slice_room(w->pairs, room, err));
    }
    w->test_count += room;
    const double *side = cn_sides_at(w->s, dim, k);
    const double *other = cn_sides_at(w->s, dim, with.first);
    cn_pair *start = w->pairs->item, *found = start + w->pairs->count;
    for (int n = with.first; n < with.end; n++, other += 2 * dim) {
        bool overlap = true;
        for (int i = 0; i < dim; i++) {
            overlap &= (side[i] <= other[dim + i]) & (other[i] <= side[dim + i]);
        }
        *found = (cn_pair){.a = k, .b = n};
        found += overlap;
    }
    w->pairs->count = room > 0 ? (size_t)(found - start) : w->pairs->count;
    return CN_OK;
}

static inline cn_status test_block(walk *w, int dim, int k, const block *with, cn_error *err)
{
    for (int n = 0; n < with->full_count; n++) {
        CN_TRY(test_range(w, dim, k, with->full[n], err));
    }
    return CN_OK;
}

// The cell right of a cell, and three cells of each row ahead: the others see it from their side.
static inline void look_ahead(const cn_cells *s, int dim, int exponent, uint64_t key, block *ahead)
{
    static const int step[5][2] = {{0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    uint64_t x = cn_key_number(dim, key, 0), y = cn_key_number(dim, key, 1);
    uint64_t z = dim == 3 ? cn_key_number(dim, key, 2) : 0;
    uint64_t left = (x - 1) & cn_cell_mask(dim), right = (x + 1) & cn_cell_mask(dim);
    ahead->row_count = ahead->full_count = 0;
    for (int n = 0; n < (dim == 2 ? 2 : 5); n++) {
        uint64_t row = cn_cell_key(
            dim, exponent, (uint64_t[3]){0, y + (uint64_t)step[n][0], z + (uint64_t)step[n][1]});
        add_row(s, dim, row, n == 0 ? right : left, right, ahead);
    }
}

// Finds the boxes of a block of a higher level.
static inline void fill_block(const cn_cells *s, int dim, int exponent, block *around)
{
    uint64_t number[3] = {0, 0, 0};
    uint64_t row_count[3] = {0, 1, 1};
    for (int i = 1; i < dim; i++) {
        number[i] = cn_cell_number(dim, around->from[i]);
        row_count[i] = (uint64_t)(around->to[i] - around->from[i]) + 1;
    }
    uint64_t left = cn_cell_number(dim, around->from[0]),
             right = cn_cell_number(dim, around->to[0]);
    around->row_count = around->full_count = 0;
    for (uint64_t z = number[2]; z < number[2] + row_count[2]; z++) {
        for (uint64_t y = number[1]; y < number[1] + row_count[1]; y++) {
            uint64_t row = cn_cell_key(dim, exponent, (uint64_t[3]){0, y, z});
            add_row(s, dim, row, left, right, around);
        }
    }
}

// Cells of its own level that hold the lower and the upper sides of a box.
typedef struct corners {
    int exponent;
    int64_t lo[3], hi[3];
} corners;

static inline corners corners_of(const cn_cells *s, int dim, int exponent, const double *side)
{
    double scale = cn_cells_per_metre(s->unit, exponent);
    corners at = {.exponent = exponent};
    for (int i = 0; i < dim; i++) {
        at.lo[i] = cn_cell_at(scale * side[i]);
        at.hi[i] = cn_cell_at(scale * side[dim + i]);
    }
    return at;
}

// Cells of a higher level in which the centre of a box may lie that overlaps this one: those within
// half a cell of it, so two or three along each axis. Shifts to the right round down.
static inline void look_around(const cn_cells *s, int dim, const corners *at, level *above)
{
    block *around = &above->around;
    int step = above->exponent - at->exponent;
    step = step < STEP_MAX ? step : STEP_MAX;
    int64_t half = (int64_t)1 << (step - 1), change = around->row_count == 0;
    for (int i = 0; i < dim; i++) {
        int64_t from = (at->lo[i] - half) >> step, to = (at->hi[i] + half) >> step;
        change |= (from ^ around->from[i]) | (to ^ around->to[i]);
        around->from[i] = from;
        around->to[i] = to;
    }
    if (change != 0) {
        fill_block(s, dim, above->exponent, around);
    }
}

// Replaces places in the sorted array by boxes, and drops pairs that are refused.
static void name_pairs(walk *w, size_t from)
{
    const cn_keyed *sorted = w->s->entry;
    cn_pair *list = w->pairs->item;
    size_t kept = from;
    for (size_t n = from; n < w->pairs->count; n++) {
        int a = sorted[list[n].a].item, b = sorted[list[n].b].item;
        cn_pair pair = {.a = a < b ? a : b, .b = a < b ? b : a};
        list[kept] = pair;
        kept +=
            w->accept->may_pair == NULL || w->accept->may_pair(w->accept->context, pair.a, pair.b);
    }
    w->pairs->count = kept;
}

// Pairs of boxes of one cell with those of the cell, the cells ahead and the higher levels.
static inline cn_status test_cell(walk *w, int dim, range cell, const block *ahead, int level_above,
                                  cn_error *err)
{
    const cn_cells *s = w->s;
    int exponent = cn_key_exponent(s->entry[cell.first].key);
    for (int k = cell.first; k < cell.end; k++) {
        CN_TRY(test_range(w, dim, k, (range){k + 1, cell.end}, err));
        CN_TRY(test_block(w, dim, k, ahead, err));
        corners at = corners_of(s, dim, exponent, cn_sides_at(s, dim, k));
        for (int n = level_above; n < w->level_count; n++) {
            look_around(s, dim, &at, &w->level[n]);
            CN_TRY(test_block(w, dim, k, &w->level[n].around, err));
        }
    }
    return CN_OK;
}

// Pairs of the boxes of a range, which ends with a cell.
static inline cn_status find_bounded(walk *w, int dim, range part, cn_error *err)
{
    const cn_cells *s = w->s;
    block ahead = {.row_count = 0};
    int level_above = 0; // place in w->level of the first level above the current one
    for (int first = part.first, end; first < part.end; first = end) {
        uint64_t key = s->entry[first].key;
        int exponent = cn_key_exponent(key);
        for (end = first + 1; end < s->count && s->entry[end].key == key;) {
            end++;
        }
        while (level_above < w->level_count && w->level[level_above].exponent <= exponent) {
            level_above++;
        }
        look_ahead(s, dim, exponent, key, &ahead);
        size_t known = w->pairs->count;
        CN_TRY(test_cell(w, dim, (range){first, end}, &ahead, level_above, err));
        name_pairs(w, known);
    }
    return CN_OK;
}

// Unbounded boxes stand behind all others.
static inline cn_status find_unbounded(walk *w, int dim, cn_error *err)
{
    const cn_cells *s = w->s;
    int end = s->count + s->unbounded_count;
    for (int k = s->count; k < end; k++) {
        size_t known = w->pairs->count;
        CN_TRY(test_range(w, dim, k, (range){0, s->count}, err));
        CN_TRY(test_range(w, dim, k, (range){k + 1, end}, err));
        name_pairs(w, known);
    }
    return CN_OK;
}

// The search as a whole, for the parts of it.
typedef struct search {
    scratch *s;
    filter accept;
    size_t test_count[CN_SLICE_MAX];
} search;

// First box of part k: that of a cell.
static int part_start(const cn_cells *s, int k, int count)
{
    int first = (int)((int64_t)s->count * k / count);
    while (first > 0 && first < s->count && s->entry[first].key == s->entry[first - 1].key) {
        first++;
    }
    return first;
}

static inline cn_status find_part(search *all, int dim, int k, int count, cn_slice *part,
                                  cn_error *err)
{
    const scratch *s = all->s;
    walk w = {.s = &s->cells,
              .level = s->level + (ptrdiff_t)s->level_count * k,
              .level_count = s->level_count,
              .accept = &all->accept,
              .pairs = part};
    cn_status status = k == 0 ? find_unbounded(&w, dim, err) : CN_OK;
    if (status == CN_OK) {
        range boxes = {part_start(w.s, k, count), part_start(w.s, k + 1, count)};
        status = find_bounded(&w, dim, boxes, err);
    }
    all->test_count[k] = w.test_count;
    return status;
}

static cn_status find_part2(void *context, int k, int count, cn_slice *part, cn_error *err)
{
    return find_part(context, 2, k, count, part, err);
}

static cn_status find_part3(void *context, int k, int count, cn_slice *part, cn_error *err)
{
    return find_part(context, 3, k, count, part, err);
}

// A row of levels for each part.
static cn_status copy_levels(cn_broad *broad, int part_count, cn_error *err)
{
    scratch *s = broad->scratch;
    size_t count = (size_t)s->level_count;
    CN_TRY(
        cn_reserve(broad->hooks, &s->level, &s->level_capacity, count * (size_t)part_count, err));
    for (int k = 1; k < part_count; k++) {
        memcpy(s->level + count * (size_t)k, s->level, count * sizeof *s->level);
    }
    return CN_OK;
}

static inline cn_status find(cn_broad *broad, int dim, int count, const cn_box3 *box,
                             const filter *accept, cn_error *err)
{
    CN_TRY(reserve(broad, dim, count, err));
    scratch *s = broad->scratch;
    int threads = cn_share(broad->thread_count, count, SHARED_MIN);
    s->cells.entry = broad->entry;
    s->cells.side = broad->side;
    CN_TRY(cn_cells_sort(&s->cells, dim, count, box, threads, err));
    CN_TRY(list_levels(broad, err));
    CN_TRY(copy_levels(broad, cn_slices_count(threads), err));
    search all = {.s = s, .accept = *accept};
    cn_list pairs = {(void **)&broad->pair, sizeof *broad->pair, &broad->pair_count,
                     &broad->pair_capacity};
    CN_TRY(cn_slices_fill(&s->parts, broad->hooks, threads, dim == 2 ? find_part2 : find_part3,
                          &all, pairs, err));
    for (int k = 0; k < cn_slices_count(threads); k++) {
        broad->test_count += all.test_count[k];
    }
    return CN_OK;
}

cn_status cn_broad_find(cn_broad *broad, int dim, int count, const cn_box3 *box,
                        bool (*may_pair)(const void *context, int a, int b), const void *context,
                        cn_error *err)
{
    broad->pair_count = broad->test_count = 0;
    filter accept = {may_pair, context};
    return dim == 2 ? find(broad, 2, count, box, &accept, err)
                    : find(broad, 3, count, box, &accept, err);
}

void cn_broad_free(cn_broad *broad)
{
    scratch *s = broad->scratch;
    if (s != NULL) {
        cn_release(broad->hooks, s->level);
        cn_slices_free(&s->parts, broad->hooks);
        cn_release(broad->hooks, s);
    }
    cn_release(broad->hooks, broad->side);
    cn_release(broad->hooks, broad->entry);
    cn_release(broad->hooks, broad->pair);
    *broad = (cn_broad){.hooks = broad->hooks};
}
