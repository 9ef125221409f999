// generate/wall/wall_openings.c -- courses of a wall that doors and windows interrupt.
//
// An opening begins and ends at beds. Above it lies a lintel, one course high, which bears on the
// stones at both sides, or a flat arch of voussoirs whose joints all aim at one point below it,
// between skewbacks that are cut from the stones beside it. What is left of a course is laid with
// the joints of the whole one; those nearer to a jamb than a quarter of a block are left out, so
// that no stone is a splinter.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "generate/wall/wall.h"

static const double BED_TOLERANCE = 1e-6; // of a course: heights that count as those of beds
static const double SPLINTER = 0.25;      // of a block

// What is no plain stretch of a course: an opening, or the lintel or arch above one.
typedef struct gap {
    cn_wall_joint from, to;
    bool is_lintel;
    int voussoirs;
} gap;

static double least(cn_wall_joint joint)
{
    return fmin(joint.below, joint.above);
}

static double most(cn_wall_joint joint)
{
    return fmax(joint.below, joint.above);
}

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

// How far what spans an opening reaches beyond it on each side, at its lower and upper bed.
static cn_wall_joint reach_of(const cn_wall_def *def, double course, const cn_opening_def *o)
{
    double bearing = bearing_of(def, o);
    return o->voussoirs > 0 ? (cn_wall_joint){0.0, course * tan(o->skew)}
                            : (cn_wall_joint){bearing, bearing};
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
    if (o->voussoirs > 0 && !(o->skew > 0.0 && o->skew < 0.5 * CN_PI && isnan(o->bearing))) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "opening %d has a flat arch: it needs a skew above 0 and below pi/2, got %g, "
            "and no bearing",
            k + 1, o->skew);
    }
    double reach = 0.5 * o->size[0] + (top < def->courses ? most(reach_of(def, course, o)) : 0.0);
    reach += o->voussoirs > 0 ? SPLINTER * def->block[0] : 0.0;
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
    return (x->from.below > y->from.below) - (x->from.below < y->from.below);
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
            cn_wall_joint half = {0.5 * o->size[0], 0.5 * o->size[0]};
            if (course == top) {
                cn_wall_joint reach = reach_of(def, height, o);
                half = (cn_wall_joint){half.below + reach.below, half.above + reach.above};
            }
            found[(*count)++] = (gap){{o->at[0] - half.below, o->at[0] - half.above},
                                      {o->at[0] + half.below, o->at[0] + half.above},
                                      course == top,
                                      course == top ? o->voussoirs : 0};
        }
    }
    qsort(found, (size_t)*count, sizeof *found, compare_gaps);
    for (int k = 1; k < *count; k++) {
        bool has_skew = found[k].voussoirs + found[k - 1].voussoirs > 0;
        double between = has_skew ? SPLINTER * def->block[0] : 0.0;
        if (least(found[k].from) < most(found[k - 1].to) + between) {
            return cn_fail(err, CN_BAD_INPUT,
                           "openings or lintels overlap in course %d, from x = %g to %g m",
                           course + 1, least(found[k].from), most(found[k - 1].to));
        }
    }
    return CN_OK;
}

static cn_wall_joint upright(double x)
{
    return (cn_wall_joint){x, x};
}

// A stone between upright joints is about its middle, so that equal ones have equal vertices.
static cn_status add_stone(const cn_wall_course *c, cn_wall_joint from, cn_wall_joint to,
                           int *position, cn_pieces *pieces, cn_error *err)
{
    int up = cn_pieces_dim(pieces) - 1;
    const int index[2] = {c->number + 1, ++*position};
    double height = c->def->block[up];
    if (from.below != from.above || to.below != to.above) {
        const cn_wall_stone stone = {
            from, to, c->number * height, (c->number + 1) * height, c->y, c->def->block[1]};
        return cn_wall_add_stone(&stone, index, pieces, err);
    }
    cn_piece piece = {.kind = CN_SHAPE_POLYGON,
                      .solid = CN_SOLID_HULL,
                      .vertex_count = up == 1 ? 4 : 8,
                      .at = {0.5 * (from.below + to.below), c->y, c->z},
                      .index = {index[0], index[1]}};
    CN_TRY(cn_wall_outline(to.below - from.below, c->def->block[1], height, pieces,
                           &piece.vertex_start, err));
    return cn_pieces_add(pieces, &piece, err);
}

// The joints of the whole course that lie between two ends.
static cn_status lay(const cn_wall_course *c, cn_wall_joint from, cn_wall_joint to, int *position,
                     cn_pieces *pieces, cn_error *err)
{
    double unit = 0.5 * c->def->block[0], start = -0.5 * c->units * unit;
    double splinter = SPLINTER * c->def->block[0];
    cn_wall_joint last = from;
    if (!(least(to) > most(from))) {
        return CN_OK;
    }
    for (int j = c->is_shifted ? 1 : 2; j < c->units; j += 2) {
        double joint = start + j * unit;
        if (joint >= most(from) + splinter && joint <= least(to) - splinter) {
            CN_TRY(add_stone(c, last, upright(joint), position, pieces, err));
            last = upright(joint);
        }
    }
    return add_stone(c, last, to, position, pieces, err);
}

// A lintel, or voussoirs between joints that part the lower and the upper bed alike.
static cn_status span_opening(const cn_wall_course *c, const gap *g, int *position,
                              cn_pieces *pieces, cn_error *err)
{
    int parts = g->voussoirs > 0 ? g->voussoirs : 1;
    cn_wall_joint last = g->from;
    for (int k = 1; k <= parts; k++) {
        double share = (double)k / parts;
        cn_wall_joint next = {g->from.below + share * (g->to.below - g->from.below),
                              g->from.above + share * (g->to.above - g->from.above)};
        next = k == parts ? g->to : next;
        CN_TRY(add_stone(c, last, next, position, pieces, err));
        last = next;
    }
    return CN_OK;
}

cn_status cn_wall_add_open_course(const cn_wall_course *c, int *position, cn_pieces *pieces,
                                  cn_error *err)
{
    int count = 0;
    double half = 0.25 * c->units * c->def->block[0];
    cn_wall_joint last = upright(-half);
    gap *found = calloc((size_t)c->def->openings.count + 1, sizeof *found);
    if (found == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d openings", c->def->openings.count);
    }
    double height = c->def->block[cn_pieces_dim(pieces) - 1];
    cn_status status = find_gaps(c->def, height, c->number, found, &count, err);
    for (int k = 0; k < count && status == CN_OK; k++) {
        status = lay(c, last, found[k].from, position, pieces, err);
        if (status == CN_OK && found[k].is_lintel) {
            status = span_opening(c, &found[k], position, pieces, err);
        }
        last = found[k].to;
    }
    CN_THEN(status, lay(c, last, upright(half), position, pieces, err));
    free(found);
    return status;
}
