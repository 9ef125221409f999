// generate/wall/wall_bonds.c -- walls one block thick of stretchers, which lie along the wall, two
// side by side, and headers, which lie across it.
//
// A course is laid out in quarters of a block with its joint: a stretcher takes four, a header two,
// a queen closer one. The closer next to the end of a course shifts its joints against those of the
// next course, so that no head joint lies above another:
//
//      english    |  |.|  |  |  |  |.|  |     header, closer, headers, closer, header
//                 |    |    |    |    |       stretchers
//
//      flemish    |  |.|    |  |    |.|  |    header, closer, stretcher and header by turns, ...
//                 |    |  |    |  |    |      stretcher and header by turns
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "generate/wall/wall.h"

enum { CLOSER = 1, HEADER = 2, STRETCHER = 4 }; // quarters of a block

static const double SAME = 1e-6; // of a length: lengths that count as equal

// A course under way.
typedef struct course {
    const cn_wall_def *def;
    const int *outline; // first vertex of closers, headers and stretchers, by their quarters
    int units, number;  // units of half a block
    int position, at;   // at: quarters that are laid
    cn_pieces *pieces;
} course;

bool cn_wall_is_across(const cn_wall_def *def)
{
    return def->bond == CN_BOND_ENGLISH || def->bond == CN_BOND_FLEMISH ||
           def->bond == CN_BOND_HEADER;
}

// Whole blocks for english bond, three halves and two for flemish bond.
static cn_status check_units(const cn_wall_def *def, int units, cn_error *err)
{
    double unit = 0.5 * (def->block[0] + def->head_gap);
    int step = def->bond == CN_BOND_ENGLISH ? 2 : def->bond == CN_BOND_FLEMISH ? 3 : 1;
    int first = def->bond == CN_BOND_ENGLISH ? 4 : def->bond == CN_BOND_FLEMISH ? 5 : 2;
    if (units >= first && (units - first) % step == 0) {
        return CN_OK;
    }
    int below = units < first ? first : units - (units - first) % step;
    int above = units < first ? first + step : below + step;
    return cn_fail(err, CN_BAD_INPUT,
                   "a wall in %s bond cannot be %g blocks long: use %g or %g blocks, which are "
                   "%.9g or %.9g m",
                   def->bond == CN_BOND_ENGLISH ? "english" : "flemish", 0.5 * units, 0.5 * below,
                   0.5 * above, below * unit - def->head_gap, above * unit - def->head_gap);
}

cn_status cn_wall_check_bond(const cn_wall_def *def, int dim, int units, cn_error *err)
{
    if (!cn_wall_is_across(def)) {
        return CN_OK;
    }
    if (dim != 3) {
        return cn_fail(err, CN_BAD_INPUT, "bonds with headers are laid in space only");
    }
    if (def->openings.count > 0 || def->through > 0 || def->leaves > 1) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a bond with headers is one block thick: leave out leaves, through and "
                       "openings, or take the running bond");
    }
    double half = 2.0 * def->block[1] + def->head_gap;
    if (!(fabs(half - def->block[0]) <= SAME * def->block[0])) {
        return cn_fail(err, CN_BAD_INPUT,
                       "two stretchers of thickness %g m side by side, with a joint of %g m, are "
                       "%.9g m thick, a header is %g m long: make them equal",
                       def->block[1], def->head_gap, half, def->block[0]);
    }
    return check_units(def, units, err);
}

static cn_status add_piece(course *c, int quarters, double y, cn_error *err)
{
    const cn_wall_def *def = c->def;
    double quarter = 0.25 * (def->block[0] + def->head_gap);
    const cn_piece piece = {
        .solid = CN_SOLID_HULL,
        .vertex_start = c->outline[quarters],
        .vertex_count = 8,
        // Whole numbers, multiplied once: left and right are mirror images bit for bit.
        .at = {(2 * c->at + quarters - 2 * c->units) * (0.5 * quarter), y,
               (c->number + 0.5) * def->block[2] + c->number * def->bed_gap},
        .index = {c->number + 1, ++c->position},
    };
    return cn_pieces_add(c->pieces, &piece, err);
}

static cn_status lay(course *c, int quarters, cn_error *err)
{
    double side = 0.5 * (c->def->block[1] + c->def->head_gap);
    if (quarters == STRETCHER) {
        CN_TRY(add_piece(c, quarters, -side, err));
        CN_TRY(add_piece(c, quarters, side, err));
    } else {
        CN_TRY(add_piece(c, quarters, 0.0, err));
    }
    c->at += quarters;
    return CN_OK;
}

// `first` and `second` by turns until so many quarters are laid.
static cn_status lay_turns(course *c, int first, int second, int until, cn_error *err)
{
    for (int k = 0; c->at < until; k++) {
        CN_TRY(lay(c, k % 2 == 0 ? first : second, err));
    }
    return CN_OK;
}

static cn_status add_course(course *c, bool is_plain, cn_error *err)
{
    int bond = c->def->bond, whole = 2 * c->units;
    int first = bond == CN_BOND_HEADER ? HEADER : STRETCHER;
    int second = bond == CN_BOND_ENGLISH ? STRETCHER : HEADER;
    if (is_plain) {
        return lay_turns(c, first, second, whole, err);
    }
    if (bond == CN_BOND_HEADER) {
        CN_TRY(lay(c, CLOSER, err));
        CN_TRY(lay_turns(c, HEADER, HEADER, whole - CLOSER, err));
        return lay(c, CLOSER, err);
    }
    int middle = bond == CN_BOND_ENGLISH ? HEADER : STRETCHER;
    CN_TRY(lay(c, HEADER, err));
    CN_TRY(lay(c, CLOSER, err));
    CN_TRY(lay_turns(c, middle, HEADER, whole - CLOSER - HEADER, err));
    CN_TRY(lay(c, CLOSER, err));
    return lay(c, HEADER, err);
}

cn_status cn_wall_add_bonded(const cn_wall_def *def, int units, cn_pieces *pieces, cn_error *err)
{
    int outline[STRETCHER + 1] = {0};
    double quarter = 0.25 * (def->block[0] + def->head_gap), thick = def->block[0];
    CN_TRY(cn_wall_outline(quarter - def->head_gap, thick, def->block[2], pieces, &outline[CLOSER],
                           err));
    CN_TRY(cn_wall_outline(2.0 * quarter - def->head_gap, thick, def->block[2], pieces,
                           &outline[HEADER], err));
    CN_TRY(cn_wall_outline(def->block[0], def->block[1], def->block[2], pieces, &outline[STRETCHER],
                           err));
    for (int k = 0; k < def->courses; k++) {
        course c = {def, outline, units, k, 0, 0, pieces};
        CN_TRY(add_course(&c, (k % 2 == 0) == (def->start == CN_WALL_START_FULL), err));
    }
    return CN_OK;
}
