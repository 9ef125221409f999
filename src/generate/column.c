// generate/column.c -- columns of drums: prisms of many sides, or square, that may taper.
//
// Sides are numbered so that one of them faces +x and one -x: a column that rocks along x turns
// about an edge. Drum k lies between joints k and k + 1, whose corners neighbours have in common.
#include "base/memory.h"
#include "cairn/vec.h"
#include "generate/masonry.h"

static cn_status check(const cn_column_def *def, cn_error *err)
{
    CN_TRY(cn_check_count("drums of a column", def->drums, err));
    CN_TRY(cn_check_length("column radius", def->radius, err));
    CN_TRY(cn_check_length("column height", def->height, err));
    if (!isnan(def->top)) {
        CN_TRY(cn_check_length("radius at the top of a column", def->top, err));
    }
    if (!(def->sides >= 3 && def->sides <= CN_COLUMN_SIDES_MAX)) {
        return cn_fail(err, CN_BAD_INPUT, "a round column has 3 to %d sides, got %d",
                       (int)CN_COLUMN_SIDES_MAX, def->sides);
    }
    if (!(def->gap >= 0.0 && def->gap <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "column gap must be at least 0 m, got %g", def->gap);
    }
    return CN_OK;
}

// Corner j of a joint of the given radius: of a polygon in a circle, or of a square around it.
static cn_vec2 corner(const cn_column_def *def, double radius, int j)
{
    if (def->section == CN_SECTION_SQUARE) {
        return cn_v2(j == 0 || j == 3 ? radius : -radius, j < 2 ? radius : -radius);
    }
    double turn = (2 * j - 1) * CN_PI / def->sides;
    return cn_v2(radius * cos(turn), radius * sin(turn));
}

// Radius of joint k, 0 below the lowest drum.
static double joint_radius(const cn_column_def *def, int k)
{
    double top = isnan(def->top) ? def->radius : def->top;
    return def->radius + (top - def->radius) * k / def->drums;
}

static cn_status add_drum(const cn_column_def *def, int k, cn_pieces *pieces, cn_error *err)
{
    int sides = def->section == CN_SECTION_SQUARE ? 4 : def->sides;
    double height = def->height / def->drums;
    cn_piece piece = {.solid = CN_SOLID_HULL,
                      .vertex_count = 2 * sides,
                      .at = {0.0, 0.0, (k + 0.5) * height + k * def->gap},
                      .index = {k + 1, 1}};
    double point[6 * CN_COLUMN_SIDES_MAX];
    for (int n = 0; n < 2 * sides; n++) {
        cn_vec2 x = corner(def, joint_radius(def, k + n % 2), n / 2);
        point[3 * n] = x.x;
        point[3 * n + 1] = x.y;
        point[3 * n + 2] = n % 2 == 0 ? -0.5 * height : 0.5 * height;
    }
    CN_TRY(cn_pieces_add_vertices(pieces, 2 * sides, point, &piece.vertex_start, err));
    return cn_pieces_add(pieces, &piece, err);
}

cn_status cn_generate_column(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_column_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    for (int k = 0; k < def->drums; k++) {
        CN_TRY(add_drum(def, k, pieces, err));
    }
    return CN_OK;
}

static const cn_field fields[] = {CN_COLUMN_FIELDS};

const cn_generator cn_column_generator = {
    .name = "column",
    .help = "drums on top of each other from z = 0 up, about the z axis; column[k] from below",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_column_def),
    .dim = 3,
    .make = cn_generate_column,
};
