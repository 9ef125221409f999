// generate/wall/wall_openings.c -- courses of a wall that doors and windows interrupt.
//
// An opening begins and ends at beds. Above it lies a lintel, one course high, which bears on the
// stones at both sides. What is left of a course is laid with the joints of the whole one; those
// nearer to a jamb than a quarter of a block are left out, so that no stone is a splinter.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "generate/wall/wall.h"

static const double BED_TOLERANCE = 1e-6; // of a course: heights that count as those of beds
static const double SPLINTER = 0.25;      // of a block

// What is no plain stretch of a course: an opening, or the lintel above one.
typedef struct gap {
    double from, to;
    bool is_lintel;
} gap;

// The bed at this height; -1: there is none.
static int bed_at(const cn_wall_def *def, double course, double height)
{
    double whole = round(height / course);
    bool is_bed = fabs(height / course - whole) <= BED_TOLERANCE && whole <= def->courses;
    return is_bed ? (int)whole : -1;
}

static double bearing_of(const cn_wall_def *def, const cn_opening_def *o)
{
    return isnan(o->bearing) ? 0.5 * def->block[0] : o->bearing;
}

static cn_status check_opening(const cn_wall_def *def, double course, double half, int k,
                               cn_error *err)
{
    const cn_opening_def *o = (const cn_opening_def *)def->openings.row + k;
    int sill = bed_at(def, course, o->at[1]), top = bed_at(def, course, o->at[1] + o->size[1]);
    if (!(o->size[0] > 0.0 && o->size[1] > 0.0) || sill < 0 || top <= sill) {
        return cn_fail(err, CN_BAD_INPUT,
                       "opening %d reaches from %g to %g m, not from bed to bed: beds are %g m "
                       "apart, the wall is %g m high",
                       k + 1, o->at[1], o->at[1] + o->size[1], course, def->courses * course);
    }
    double reach = 0.5 * o->size[0] + (top < def->courses ? bearing_of(def, o) : 0.0);
    if (!(fabs(o->at[0]) + reach <= half)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "opening %d with its lintel, from x = %g to %g m, reaches beyond the wall, "
                       "which ends at %g m",
                       k + 1, o->at[0] - reach, o->at[0] + reach, half);
    }
    return CN_OK;
}

cn_status cn_wall_check_openings(const cn_wall_def *def, int dim, int units, cn_error *err)
{
    double course = def->block[dim - 1], half = 0.25 * units * def->block[0];
    if (def->openings.count > 0 && (def->head_gap > 0.0 || def->bed_gap > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a wall with openings has no gaps: leave out head_gap and bed_gap");
    }
    if (def->openings.count > 0 && dim == 3 && def->through > 0) {
        return cn_fail(err, CN_BAD_INPUT, "a wall with openings has no through-stones");
    }
    for (int k = 0; k < def->openings.count; k++) {
        CN_TRY(check_opening(def, course, half, k, err));
    }
    return CN_OK;
}

static int compare_gaps(const void *a, const void *b)
{
    const gap *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

// What interrupts a course, from the left.
static cn_status find_gaps(const cn_wall_def *def, double height, int course, gap *found,
                           int *count, cn_error *err)
{
    *count = 0;
    for (int k = 0; k < def->openings.count; k++) {
        const cn_opening_def *o = (const cn_opening_def *)def->openings.row + k;
        int sill = bed_at(def, height, o->at[1]), top = bed_at(def, height, o->at[1] + o->size[1]);
        if (course >= sill && course <= top) {
            double half = 0.5 * o->size[0] + (course == top ? bearing_of(def, o) : 0.0);
            found[(*count)++] = (gap){o->at[0] - half, o->at[0] + half, course == top};
        }
    }
    qsort(found, (size_t)*count, sizeof *found, compare_gaps);
    for (int k = 1; k < *count; k++) {
        if (found[k].from < found[k - 1].to) {
            return cn_fail(err, CN_BAD_INPUT,
                           "openings or lintels overlap in course %d, from x = %g to %g m",
                           course + 1, found[k].from, found[k - 1].to);
        }
    }
    return CN_OK;
}

static cn_status add_stone(const cn_wall_course *c, double from, double to, int *position,
                           cn_pieces *pieces, cn_error *err)
{
    cn_piece piece = {.kind = CN_SHAPE_POLYGON,
                      .solid = CN_SOLID_HULL,
                      .vertex_count = cn_pieces_dim(pieces) == 2 ? 4 : 8,
                      .at = {0.5 * (from + to), c->y, c->z},
                      .index = {c->number + 1, ++*position}};
    CN_TRY(cn_wall_outline(to - from, c->def->block[1], c->def->block[cn_pieces_dim(pieces) - 1],
                           pieces, &piece.vertex_start, err));
    return cn_pieces_add(pieces, &piece, err);
}

// The joints of the whole course that lie between two ends.
static cn_status lay(const cn_wall_course *c, double from, double to, int *position,
                     cn_pieces *pieces, cn_error *err)
{
    double unit = 0.5 * c->def->block[0], start = -0.5 * c->units * unit, last = from;
    if (!(to > from)) {
        return CN_OK;
    }
    for (int j = c->is_shifted ? 1 : 2; j < c->units; j += 2) {
        double joint = start + j * unit, least = SPLINTER * c->def->block[0];
        if (joint >= from + least && joint <= to - least) {
            CN_TRY(add_stone(c, last, joint, position, pieces, err));
            last = joint;
        }
    }
    return add_stone(c, last, to, position, pieces, err);
}

cn_status cn_wall_add_open_course(const cn_wall_course *c, int *position, cn_pieces *pieces,
                                  cn_error *err)
{
    int count = 0;
    double half = 0.25 * c->units * c->def->block[0], last = -half;
    gap *found = calloc((size_t)c->def->openings.count + 1, sizeof *found);
    if (found == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d openings", c->def->openings.count);
    }
    double height = c->def->block[cn_pieces_dim(pieces) - 1];
    cn_status status = find_gaps(c->def, height, c->number, found, &count, err);
    for (int k = 0; k < count && status == CN_OK; k++) {
        status = lay(c, last, found[k].from, position, pieces, err);
        if (status == CN_OK && found[k].is_lintel) {
            status = add_stone(c, found[k].from, found[k].to, position, pieces, err);
        }
        last = found[k].to;
    }
    CN_THEN(status, lay(c, last, half, position, pieces, err));
    free(found);
    return status;
}
