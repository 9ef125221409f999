// generate/stack.c -- blocks or tapered drums on top of each other.
#include "base/memory.h"
#include "generate/fields.h"
#include "generate/generate.h"

static cn_status check_offsets(const cn_stack_def *def, cn_error *err)
{
    if (def->offsets.count > 0 && def->offsets.count != def->blocks - 1) {
        return cn_fail(err, CN_BAD_INPUT,
                       "offsets of a stack of %d blocks needs %d numbers, one for each block above "
                       "the lowest, got %d",
                       def->blocks, def->blocks - 1, def->offsets.count);
    }
    if (!isfinite(def->offset) || !(def->harmonic >= 0.0 && def->harmonic <= 1e6)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "stack offset must be finite and harmonic at least 0, got %g m and %g",
                       def->offset, def->harmonic);
    }
    int ways = (def->offset != 0.0) + (def->offsets.count > 0) + (def->harmonic > 0.0);
    if (ways > 1) {
        return cn_fail(err, CN_BAD_INPUT,
                       "give one of offset, offsets and harmonic, got %d of them", ways);
    }
    return CN_OK;
}

static cn_status check(const cn_stack_def *def, int dim, cn_error *err)
{
    CN_TRY(cn_check_count("blocks of a stack", def->blocks, err));
    CN_TRY(cn_check_length("block width", def->block[0], err));
    CN_TRY(cn_check_length(dim == 2 ? "block height" : "block depth", def->block[1], err));
    if (dim == 3) {
        CN_TRY(cn_check_length("block height", def->block[2], err));
    }
    if (!isnan(def->top)) {
        CN_TRY(cn_check_length("top width of a stack", def->top, err));
    }
    if (!(def->gap >= 0.0 && def->gap <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "stack gap must be at least 0 m, got %g", def->gap);
    }
    return check_offsets(def, err);
}

// Shift of block k (0 is the lowest) from the one below; of the lowest from x = 0.
static double shift(const cn_stack_def *def, int k)
{
    if (def->harmonic > 0.0) {
        double overhang = def->harmonic * def->block[0] / (2.0 * (def->blocks - k));
        return k == 0 ? overhang - 0.5 * def->block[0] : overhang;
    }
    if (k == 0) {
        return 0.0;
    }
    return def->offsets.count > 0 ? def->offsets.value[k - 1] : def->offset;
}

// Width of joint k, 0 below the lowest block.
static double joint_width(const cn_stack_def *def, int k)
{
    double top = isnan(def->top) ? def->block[0] : def->top;
    return def->block[0] + (top - def->block[0]) * k / def->blocks;
}

static cn_status add_plane(const cn_stack_def *def, int k, double x, cn_pieces *pieces,
                           cn_error *err)
{
    double height = def->block[1], y = k * height + k * def->gap;
    double below = 0.5 * joint_width(def, k), above = 0.5 * joint_width(def, k + 1);
    double vertex[8] = {x - below, y, x + below, y, x + above, y + height, x - above, y + height};
    cn_piece piece = {.index = {k + 1, 1}};
    return cn_pieces_add_polygon(pieces, 4, vertex, &piece, err);
}

// Block k in space: a box whose upper face is scaled, about the middle of its height.
static cn_status add_space(const cn_stack_def *def, int k, double x, cn_pieces *pieces,
                           cn_error *err)
{
    double height = def->block[2], point[24];
    double below = joint_width(def, k) / def->block[0];
    double above = joint_width(def, k + 1) / def->block[0];
    cn_box_corners(def->block[0], def->block[1], height, point);
    for (int n = 0; n < 8; n++) {
        double scale = point[3 * n + 2] < 0.0 ? below : above;
        point[3 * n] *= scale;
        point[3 * n + 1] *= scale;
    }
    cn_piece piece = {.solid = CN_SOLID_HULL,
                      .vertex_count = 8,
                      .at = {x, 0.0, (k + 0.5) * height + k * def->gap},
                      .index = {k + 1, 1}};
    CN_TRY(cn_pieces_add_vertices(pieces, 8, point, &piece.vertex_start, err));
    return cn_pieces_add(pieces, &piece, err);
}

cn_status cn_generate_stack(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_stack_def *def = params;
    int dim = cn_pieces_dim(pieces);
    pieces->note[0] = '\0';
    CN_TRY(check(def, dim, err));
    double x = 0.0;
    for (int k = 0; k < def->blocks; k++) {
        x += shift(def, k);
        CN_TRY(dim == 3 ? add_space(def, k, x, pieces, err) : add_plane(def, k, x, pieces, err));
    }
    return CN_OK;
}

static const cn_field fields[] = {
    {CN_COUNT_FIELD(cn_stack_def, blocks, "number of blocks")},
    {CN_FIELD(cn_stack_def, block, CN_FIELD_POINT, "m",
              "width and height of a block; in space along x, y and z", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL)},
    {CN_LENGTH_FIELD(cn_stack_def, top,
                     "width of the uppermost face: drums taper from the block width to it, in "
                     "space along y alike"),
     .is_optional = true},
    {CN_GAP_FIELD(cn_stack_def, gap, "gap below each block but the lowest")},
    {CN_FIELD(cn_stack_def, offset, CN_FIELD_NUMBER, "m",
              "shift along x of each block from the one below", -CN_LENGTH_MOST, CN_LENGTH_MOST,
              0.0, NULL)},
    {CN_FIELD(cn_stack_def, offsets, CN_FIELD_NUMBERS, "m",
              "the same one by one, from the second block up", -CN_LENGTH_MOST, CN_LENGTH_MOST, NAN,
              NULL),
     .is_optional = true},
    {CN_FIELD(cn_stack_def, harmonic, CN_FIELD_NUMBER, "-",
              "leaning stack: block k from the top overhangs by harmonic x width/(2k), the lowest "
              "one an edge at x = 0; 1 is the limit of balance",
              0.0, 1e6, 0.0, NULL)},
};

const cn_generator cn_stack_generator = {
    .name = "stack",
    .help = "blocks or tapered drums on top of each other from y = 0 (in space z = 0) up; stack[k] "
            "from below",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_stack_def),
    .make = cn_generate_stack,
};
