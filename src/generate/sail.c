// generate/sail.c -- sail vaults: shallow vaults over a rectangle, held along its sides or at its
// corners.
//
// The surface is one of translation: an arch along y carried along an arch along x. A facet between
// four corners x_i + y_j is a parallelogram. Intrados and extrados are such surfaces of concentric
// arches, so that their edges are parallel and what lies between them has six plane faces, which
// neighbours share. In running bond a stone is two facets, as in a dome, and every second row is
// shifted by one.
#include "base/memory.h"
#include "cairn/vec.h"
#include "generate/masonry.h"

#define STEEPEST                                                                                   \
    0.25 // rise over the side, at most: beyond, facets near the corners turn to needles

// Points of the two arches: facet i is between points i and i + 1; points -1 and count + 1 end the
// supports.
typedef struct arc {
    double radius, angle; // of the intrados; half of what it spans [rad]
    double half;          // half the thickness [m]
    int count;            // facets
} arc;

static cn_status check(const cn_sail_def *def, cn_error *err)
{
    static const char *const along[2] = {"x", "y"};
    for (int d = 0; d < 2; d++) {
        CN_TRY(cn_check_length("size of a sail vault", def->size[d], err));
        if (!(def->rise[d] > 0.0 && def->rise[d] <= STEEPEST * def->size[d])) {
            return cn_fail(err, CN_BAD_INPUT,
                           "rise of a sail vault along %s must be between 0 and a quarter of its "
                           "size, %g m, got %g",
                           along[d], STEEPEST * def->size[d], def->rise[d]);
        }
    }
    CN_TRY(cn_check_length("thickness of a sail vault", def->thickness, err));
    CN_TRY(cn_check_count("rows of a sail vault", def->rows, err));
    CN_TRY(cn_check_count("stones of a row", def->stones, err));
    return cn_check_count("stones of a sail vault", 2.0 * def->rows * def->stones, err);
}

static arc arc_of(const cn_sail_def *def, int d, int count)
{
    double half = 0.5 * def->size[d], rise = def->rise[d];
    return (arc){.radius = 0.5 * (half * half / rise + rise),
                 .angle = 2.0 * atan(rise / half),
                 .half = 0.5 * def->thickness,
                 .count = count};
}

// Point i from the springing: along the arch, and up. The right half mirrors the left one.
static cn_vec2 arc_point(const arc *a, bool is_outer, int i)
{
    if (2 * i > a->count) {
        cn_vec2 left = arc_point(a, is_outer, a->count - i);
        return cn_v2(-left.x, left.y);
    }
    double angle =
        i >= 0 ? a->angle * (a->count - 2 * i) / a->count : a->angle + 2.0 * a->half / a->radius;
    double r = is_outer ? a->radius + a->half : a->radius;
    return cn_v2(-r * sin(angle), r * cos(angle) - a->radius * cos(a->angle));
}

// The facet between points i, i + 1 along x and j, j + 1 along y.
static cn_status add_facet(const arc arcs[2], int i, int j, const cn_piece *piece,
                           cn_pieces *pieces, cn_error *err)
{
    double point[24];
    for (int n = 0; n < 8; n++) {
        cn_vec2 x = arc_point(&arcs[0], n >= 4, i + n % 2);
        cn_vec2 y = arc_point(&arcs[1], n >= 4, j + n / 2 % 2);
        point[3 * n] = x.x;
        point[3 * n + 1] = y.x;
        point[3 * n + 2] = x.y + y.y;
    }
    return cn_pieces_add_hull(pieces, 8, point, piece, err);
}

static cn_status add_row(const arc arcs[2], int per_stone, int j, cn_pieces *pieces, cn_error *err)
{
    int shift = per_stone == 2 ? j % 2 : 0, position = 0;
    for (int i = 0; i < arcs[0].count; i++) {
        bool is_part = i > 0 && (i + shift) % per_stone != 0;
        position += is_part ? 0 : 1;
        cn_piece piece = {.index = {j + 1, position}, .is_part = is_part};
        CN_TRY(add_facet(arcs, i, j, &piece, pieces, err));
    }
    return CN_OK;
}

// Fixed facets beyond the four sides: below the first and last `reach` facets of each.
static cn_status add_supports(const arc arcs[2], const int reach[2], cn_pieces *pieces,
                              cn_error *err)
{
    cn_piece piece = {.index = {arcs[1].count + 1, 0}, .is_support = true};
    for (int side = 0; side < 4; side++) {
        int d = side % 2, n = arcs[d].count; // along x: front and back
        int beyond = side < 2 ? -1 : arcs[1 - d].count;
        for (int k = 0; k < n; k++) {
            if (k < reach[d] || k >= n - reach[d]) {
                piece.index[1]++;
                CN_TRY(
                    add_facet(arcs, d == 0 ? k : beyond, d == 0 ? beyond : k, &piece, pieces, err));
            }
        }
    }
    return CN_OK;
}

cn_status cn_generate_sail(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_sail_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    int per_stone = def->bond == CN_BOND_RUNNING ? 2 : 1;
    const arc arcs[2] = {arc_of(def, 0, per_stone * def->stones), arc_of(def, 1, def->rows)};
    for (int j = 0; j < arcs[1].count; j++) {
        CN_TRY(add_row(arcs, per_stone, j, pieces, err));
    }
    const int corners[2] = {per_stone, 1}, sides[2] = {arcs[0].count, arcs[1].count};
    return def->held == CN_SAIL_FREE
               ? CN_OK
               : add_supports(arcs, def->held == CN_SAIL_SIDES ? sides : corners, pieces, err);
}

static const cn_field fields[] = {
    {CN_FIELD(cn_sail_def, size, CN_FIELD_PAIR, "m", "clear spans along x and y", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_sail_def, rise, CN_FIELD_PAIR, "m",
              "of the arches along x and y, each at most a quarter of its span; the vault rises by "
              "both",
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL)},
    {CN_LENGTH_FIELD(cn_sail_def, thickness, "at the crown")},
    {CN_COUNT_FIELD(cn_sail_def, rows, "rows of stones, along y")},
    {CN_COUNT_FIELD(cn_sail_def, stones, "stones of each row, along x")},
    {CN_FIELD(cn_sail_def, bond, CN_FIELD_WORD, "-",
              "running: every second row is shifted by half a stone along x; stack: none is", 0.0,
              1.0, CN_BOND_RUNNING, "running stack")},
    {CN_FIELD(cn_sail_def, held, CN_FIELD_WORD, "-",
              "where fixed blocks are added beyond the edge, sail.supports. sides: all around; "
              "corners: beside the four stones at the corners; free: nowhere",
              0.0, 2.0, CN_SAIL_SIDES, "sides corners free")},
};

const cn_generator cn_sail_generator = {
    .name = "sail",
    .help = "sail vault: a shallow vault over a rectangle, an arch carried along another one, its "
            "corners on z = 0; sail[row, stone], rows along y",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_sail_def),
    .dim = 3,
    .make = cn_generate_sail,
};
