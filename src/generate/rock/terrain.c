// generate/rock/terrain.c -- clips cells by the ground.
//
// A cell is cut by the upright planes through the sides of each triangle that it meets, and what is
// inside by the plane of the triangle: convex parts, which stay one body where they share a side. A
// cell that no triangle cuts stays whole.
#include "generate/rock/terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { TRIANGLES_MOST = 1000, TAG_SIDE_0 = 32, TAG_GROUND = 16 };

static const double SAME = 1e-6; // of the extent of the grid: places that count as one line

// ---- the grid

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The different values of a column, ascending.
static cn_status find_lines(const cn_numbers *column, double **line, int *count, cn_error *err)
{
    *line = malloc((size_t)column->count * sizeof **line);
    if (*line == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for the %d points of the ground",
                       column->count);
    }
    memcpy(*line, column->value, (size_t)column->count * sizeof **line);
    qsort(*line, (size_t)column->count, sizeof **line, compare_numbers);
    double same = SAME * ((*line)[column->count - 1] - (*line)[0]);
    *count = 1;
    for (int k = 1; k < column->count; k++) {
        if ((*line)[k] - (*line)[*count - 1] > same) {
            (*line)[(*count)++] = (*line)[k];
        }
    }
    return CN_OK;
}

// The line nearest to x.
static int line_at(const cn_terrain *t, int axis, double x)
{
    int lo = 0, hi = t->count[axis] - 1;
    while (hi - lo > 1) {
        int middle = (lo + hi) / 2;
        *(t->line[axis][middle] <= x ? &lo : &hi) = middle;
    }
    return x - t->line[axis][lo] < t->line[axis][hi] - x ? lo : hi;
}

static cn_status place_heights(const cn_heights_def *def, cn_terrain *t, cn_error *err)
{
    size_t points = (size_t)t->count[0] * (size_t)t->count[1];
    t->height = malloc(points * sizeof *t->height);
    if (t->height == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for the heights of the ground");
    }
    for (size_t k = 0; k < points; k++) {
        t->height[k] = NAN;
    }
    t->low = INFINITY;
    t->high = -INFINITY;
    for (int k = 0; k < def->z.count; k++) {
        int i = line_at(t, 0, def->x.value[k]), j = line_at(t, 1, def->y.value[k]);
        t->height[j * t->count[0] + i] = def->z.value[k];
        t->low = fmin(t->low, def->z.value[k]);
        t->high = fmax(t->high, def->z.value[k]);
    }
    for (size_t k = 0; k < points; k++) {
        if (!isfinite(t->height[k])) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "the ground has no height at x = %g m, y = %g m: its points must be those of a "
                "grid, %d along x times %d along y",
                t->line[0][(int)k % t->count[0]], t->line[1][(int)k / t->count[0]], t->count[0],
                t->count[1]);
        }
    }
    return CN_OK;
}

static cn_status make(const cn_heights_def *def, const double lo[2], const double hi[2],
                      cn_terrain *t, cn_error *err)
{
    if (def->x.count != def->z.count || def->y.count != def->z.count || def->z.count < 4) {
        return cn_fail(err, CN_BAD_INPUT,
                       "x, y and z of the ground must be as many, at least 4, got %d, %d and %d",
                       def->x.count, def->y.count, def->z.count);
    }
    CN_TRY(find_lines(&def->x, &t->line[0], &t->count[0], err));
    CN_TRY(find_lines(&def->y, &t->line[1], &t->count[1], err));
    if ((double)t->count[0] * t->count[1] > def->z.count) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "the ground has %d points, but %d places along x and %d along y: they are no "
            "grid",
            def->z.count, t->count[0], t->count[1]);
    }
    for (int d = 0; d < 2; d++) {
        const double *line = t->line[d];
        if (!(line[0] <= lo[d] && line[t->count[d] - 1] >= hi[d])) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "the ground is known from %s = %g to %g m, the rock reaches from %g to %g m",
                d == 0 ? "x" : "y", line[0], line[t->count[d] - 1], lo[d], hi[d]);
        }
    }
    return place_heights(def, t, err);
}

cn_status cn_terrain_make(const cn_heights_def *def, const double lo[2], const double hi[2],
                          cn_terrain *terrain, cn_error *err)
{
    *terrain = (cn_terrain){.low = 0.0};
    cn_status status = make(def, lo, hi, terrain, err);
    if (status != CN_OK) {
        cn_terrain_free(terrain);
    }
    return status;
}

void cn_terrain_free(cn_terrain *t)
{
    CN_RELEASE(t->line[0], t->line[1], t->height);
    *t = (cn_terrain){.low = 0.0};
}

// ---- triangles

// Number n is the lower right (even) or the upper left half of a rectangle; corners
// counterclockwise from above. The diagonal is the second side of the former and the third of the
// latter.
static void corners_of(const cn_terrain *t, int i, int j, int half, cn_vec3 x[3])
{
    const int at[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
    for (int k = 0; k < 3; k++) {
        int a = i + at[half][k][0], b = j + at[half][k][1];
        x[k] = cn_v3(t->line[0][a], t->line[1][b], t->height[b * t->count[0] + a]);
    }
}

// Upright, what is inside is below it.
static cn_plane side_plane(cn_vec3 a, cn_vec3 b)
{
    cn_vec3 n = cn_v3(b.y - a.y, a.x - b.x, 0.0);
    n = cn_mul3(1.0 / cn_norm3(n), n);
    return (cn_plane){n, cn_dot3(n, a)};
}

static cn_plane ground_plane(const cn_vec3 x[3])
{
    cn_vec3 n = cn_cross3(cn_sub3(x[1], x[0]), cn_sub3(x[2], x[0]));
    n = cn_mul3(1.0 / cn_norm3(n), n);
    return (cn_plane){n, cn_dot3(n, x[0])};
}

// Keeps what is below a plane; *is_left: whether anything is. Counts cuts.
static cn_status keep_below(cn_cell *cell, const cn_plane *plane, const double flat_thin[2],
                            uint8_t tag, bool *is_left, int *cuts, cn_error *err)
{
    double span[2];
    cn_cell below, above;
    cn_cell_span(cell, plane, span);
    *is_left = span[0] < -flat_thin[1];
    if (!*is_left || span[1] <= flat_thin[0]) {
        return CN_OK;
    }
    CN_TRY(cn_cell_cut(cell, plane, flat_thin[0], tag, &below, &above, err));
    *cell = below;
    ++*cuts;
    return CN_OK;
}

// Where a part has faces on the sides of its triangle.
typedef struct part_place {
    int i, j, half;
    bool has_side[3];
} part_place;

static bool is_across(const part_place *a, const part_place *b)
{
    if (a->i == b->i && a->j == b->j) { // over the diagonal
        return a->half == 0 && b->half == 1 && a->has_side[2] && b->has_side[0];
    }
    if (a->half == 0 && b->half == 1) {
        bool is_right = b->i == a->i + 1 && b->j == a->j,
             is_below = b->i == a->i && b->j == a->j - 1;
        return (is_right && a->has_side[1] && b->has_side[2]) ||
               (is_below && a->has_side[0] && b->has_side[1]);
    }
    return false;
}

static cn_status add_part(cn_terrain_parts *parts, const cn_cell *cell, cn_error *err)
{
    size_t need = (size_t)parts->count + 1;
    CN_TRY(cn_reserve(NULL, &parts->part, &parts->part_capacity, need, err));
    CN_TRY(cn_reserve(NULL, &parts->body, &parts->body_capacity, need, err));
    parts->body[parts->count] = parts->count;
    parts->part[parts->count++] = *cell;
    return CN_OK;
}

// One part of a cell; *cuts: whether the ground has cut it or left nothing of it.
static cn_status clip_part(const cn_terrain *t, part_place *place, const double flat_thin[2],
                           cn_cell *cell, bool *is_left, int *cuts, cn_error *err)
{
    cn_vec3 x[3];
    int sides = 0;
    corners_of(t, place->i, place->j, place->half, x);
    *is_left = true;
    for (int k = 0; k < 3 && *is_left; k++) {
        const cn_plane side = side_plane(x[k], x[(k + 1) % 3]);
        CN_TRY(
            keep_below(cell, &side, flat_thin, (uint8_t)(TAG_SIDE_0 << k), is_left, &sides, err));
    }
    if (*is_left) {
        const cn_plane ground = ground_plane(x);
        CN_TRY(keep_below(cell, &ground, flat_thin, TAG_GROUND, is_left, cuts, err));
        *cuts += !*is_left;
    }
    for (int f = 0; f < cell->face_count; f++) {
        for (int k = 0; k < 3; k++) {
            place->has_side[k] = place->has_side[k] || cell->tag[f] == TAG_SIDE_0 << k;
        }
    }
    return CN_OK;
}

// Parts that share a side get the least of their numbers; then those that are left are counted.
static void join(const part_place *place, cn_terrain_parts *parts)
{
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (int a = 0; a < parts->count; a++) {
            for (int b = 0; b < parts->count; b++) {
                int least = parts->body[a] < parts->body[b] ? parts->body[a] : parts->body[b];
                if (parts->body[a] != parts->body[b] && is_across(&place[a], &place[b])) {
                    parts->body[a] = parts->body[b] = least;
                    has_changed = true;
                }
            }
        }
    }
    parts->body_count = 0;
    for (int a = 0; a < parts->count; a++) {
        parts->body_count += parts->body[a] == a; // the first of its body
    }
}

// The rectangles of the grid that a cell reaches over.
static void find_reach(const cn_terrain *t, const cn_cell *cell, double flat, int from[2],
                       int to[2])
{
    double lo[2] = {INFINITY, INFINITY}, hi[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < cell->corner_count; k++) {
        const double x[2] = {cell->corner[k].x, cell->corner[k].y};
        for (int d = 0; d < 2; d++) {
            lo[d] = fmin(lo[d], x[d]);
            hi[d] = fmax(hi[d], x[d]);
        }
    }
    for (int d = 0; d < 2; d++) {
        from[d] = 0;
        while (from[d] < t->count[d] - 2 && t->line[d][from[d] + 1] <= lo[d] + flat) {
            from[d]++;
        }
        to[d] = from[d];
        while (to[d] < t->count[d] - 2 && t->line[d][to[d] + 1] < hi[d] - flat) {
            to[d]++;
        }
    }
}

// Least and largest height of the ground above the cell, and of the cell.
static void find_heights(const cn_terrain *t, const cn_cell *cell, const int from[2],
                         const int to[2], double ground[2], double height[2])
{
    ground[0] = height[0] = INFINITY;
    ground[1] = height[1] = -INFINITY;
    for (int j = from[1]; j <= to[1] + 1; j++) {
        for (int i = from[0]; i <= to[0] + 1; i++) {
            ground[0] = fmin(ground[0], t->height[j * t->count[0] + i]);
            ground[1] = fmax(ground[1], t->height[j * t->count[0] + i]);
        }
    }
    for (int k = 0; k < cell->corner_count; k++) {
        height[0] = fmin(height[0], cell->corner[k].z);
        height[1] = fmax(height[1], cell->corner[k].z);
    }
}

static cn_status keep_whole(const cn_cell *cell, cn_terrain_parts *parts, cn_error *err)
{
    parts->count = 0;
    parts->body_count = 1;
    return add_part(parts, cell, err);
}

cn_status cn_terrain_clip(const cn_terrain *t, const cn_cell *cell, double flat, double thin,
                          cn_terrain_parts *parts, cn_error *err)
{
    const double flat_thin[2] = {flat, thin};
    part_place place[TRIANGLES_MOST];
    int from[2], to[2], cuts = 0;
    parts->count = parts->body_count = 0;
    double ground[2], height[2];
    if (t->height == NULL) {
        return keep_whole(cell, parts, err);
    }
    find_reach(t, cell, flat, from, to);
    find_heights(t, cell, from, to, ground, height);
    if (height[1] <= ground[0] || height[0] >= ground[1]) { // all of it below, or above
        return height[1] <= ground[0] ? keep_whole(cell, parts, err) : CN_OK;
    }
    double triangles = 2.0 * (to[0] - from[0] + 1) * (to[1] - from[1] + 1);
    if (triangles > TRIANGLES_MOST) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "a block at the ground lies below %.0f of its triangles, at most %d are cut: give "
            "heights at about the spacing of the joints",
            triangles, TRIANGLES_MOST);
    }
    for (int n = 0; n < (int)triangles; n++) {
        int column = n / 2 % (to[0] - from[0] + 1), row = n / 2 / (to[0] - from[0] + 1);
        place[parts->count] =
            (part_place){.i = from[0] + column, .j = from[1] + row, .half = n % 2};
        cn_cell part = *cell;
        bool is_left;
        CN_TRY(clip_part(t, &place[parts->count], flat_thin, &part, &is_left, &cuts, err));
        CN_TRY(is_left ? add_part(parts, &part, err) : CN_OK);
    }
    if (cuts == 0) {
        return keep_whole(cell, parts, err);
    }
    join(place, parts);
    return CN_OK;
}
