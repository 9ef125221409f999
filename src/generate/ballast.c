// generate/ballast.c -- stones that settle to a layer of ballast, and a sleeper on them.
//
// How many stones a layer takes follows from its volume and the fill it settles to. They start
// loose, each in its ball, in a heap that is as much higher as it is looser, with the same outline
// seen from above: settling presses it down without moving it aside. Of a layer with slopes the
// stones outside the slopes of the heap are left out.
#include <stdio.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "generate/ground.h"
#include "generate/masonry.h"
#include "generate/pack/grain.h"

#define DROPPED 0.54    // fill of balls between walls that is tried first
#define LOOSE_STEP 0.94 // and how much looser the next one is
#define LOOSE_TRIES 40

static cn_status check(const cn_ballast_def *def, cn_error *err)
{
    CN_TRY(cn_check_length("length of the layer", def->size[0], err));
    CN_TRY(cn_check_length("width of the layer", def->size[1], err));
    CN_TRY(cn_check_length("depth of the layer", def->depth, err));
    CN_TRY(cn_grain3_check(&def->solid, err));
    CN_TRY(cn_check_seed(def->seed, err));
    if (!(def->slope >= 0.0 && def->slope <= 100.0)) {
        return cn_fail(err, CN_BAD_INPUT, "slope is run over rise, between 0 and 100, got %g",
                       def->slope);
    }
    if (!(def->fill >= 0.01 && def->fill <= 0.74)) {
        return cn_fail(err, CN_BAD_INPUT, "fill of the settled layer is 0.01 to 0.74, got %g",
                       def->fill);
    }
    static const char *const side[] = {"sleeper along x", "sleeper along y", "sleeper along z"};
    for (int d = 0; d < 3 && !isnan(def->sleeper[0]); d++) {
        CN_TRY(cn_check_length(side[d], def->sleeper[d], err));
    }
    return CN_OK;
}

// Fill of a heap in which the balls that hold the stones fill DROPPED of it.
static cn_status guess_fill(const cn_ballast_def *def, double *fill, cn_error *err)
{
    enum { SAMPLE = 32 };
    double balls = 0.0, volume = 0.0;
    for (int k = 0; k < SAMPLE; k++) {
        cn_grain3 stone;
        CN_TRY(cn_grain3_draw(&def->solid, (uint64_t)def->seed, (uint64_t)k, &stone, err));
        balls += 4.0 / 3.0 * CN_PI * stone.bound * stone.bound * stone.bound;
        volume += stone.volume;
    }
    *fill = fmin(DROPPED * volume / balls, def->fill);
    return CN_OK;
}

// Stones in a box over the base, as close as they fit; *height is that of the heap.
static cn_status pour(const cn_ballast_def *def, double base, double *height, cn_pieces *stones,
                      cn_error *err)
{
    cn_status status = CN_OK;
    double fill = 0.0;
    CN_TRY(guess_fill(def, &fill, err));
    for (int k = 0; k < LOOSE_TRIES; k++, fill *= LOOSE_STEP) {
        *height = def->depth * def->fill / fill;
        cn_pack_def pack = {.inside = {.kind = CN_REGION_BOX,
                                       .box = {def->size[0], base, *height},
                                       .at = {0.0, 0.0, 0.5 * *height}},
                            .solid = def->solid,
                            .fill = fill,
                            .method = CN_PACK_DENSE,
                            .seed = def->seed};
        stones->count = stones->vertex_count = 0;
        status = cn_generate_pack(&pack, stones, err);
        if (status != CN_BAD_INPUT) {
            break;
        }
    }
    return status;
}

// Radius of a ball around its place that holds the stone.
static double bound_of(const cn_pieces *stones, int k)
{
    cn_solid_def solid = cn_piece_solid(stones, k);
    double bound = solid.radius + 0.5 * solid.length;
    for (int n = 0; n < solid.point_count; n++) {
        const double *x = solid.point + 3 * n;
        bound = fmax(bound, cn_norm3(cn_v3(x[0], x[1], x[2])));
    }
    return bound;
}

// Whether the stone lies between the slopes of the heap.
static bool is_inside(const cn_ballast_def *def, double height, const cn_piece *stone, double bound)
{
    double run = def->slope * def->depth / height; // the heap is steeper
    double room = 0.5 * def->size[1] + run * (height - stone->at[2]) - fabs(stone->at[1]);
    return room >= bound * sqrt(1.0 + run * run) * (1.0 - 1e-12);
}

static cn_status add_stone(const cn_pieces *stones, int k, int number, cn_pieces *pieces,
                           cn_error *err)
{
    cn_piece piece = stones->piece[k];
    cn_solid_def solid = cn_piece_solid(stones, k);
    piece.index[0] = 1;
    piece.index[1] = number;
    if (solid.point_count > 0) {
        CN_TRY(cn_pieces_add_vertices(pieces, solid.point_count, solid.point, &piece.vertex_start,
                                      err));
    }
    return cn_pieces_add(pieces, &piece, err);
}

// Adds the stones of the heap; *top is how high those under the sleeper may reach.
static cn_status add_stones(const cn_ballast_def *def, double height, const cn_pieces *stones,
                            double *top, cn_pieces *pieces, cn_error *err)
{
    int count = 0;
    *top = 0.0;
    for (int k = 0; k < stones->count; k++) {
        const cn_piece *stone = &stones->piece[k];
        double bound = bound_of(stones, k);
        if (!is_inside(def, height, stone, bound)) {
            continue;
        }
        CN_TRY(add_stone(stones, k, ++count, pieces, err));
        bool is_below = fabs(stone->at[0]) < 0.5 * def->sleeper[0] + bound &&
                        fabs(stone->at[1]) < 0.5 * def->sleeper[1] + bound;
        *top = is_below ? fmax(*top, stone->at[2] + bound) : *top;
    }
    if (count == 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "no stone fits between the slopes of a layer %g m wide and %g m deep",
                       def->size[1], def->depth);
    }
    snprintf(pieces->note, sizeof pieces->note, "%d stones in a heap %.3g m high", count, height);
    return CN_OK;
}

static cn_status add_sleeper(const cn_ballast_def *def, double top, cn_pieces *pieces,
                             cn_error *err)
{
    double corner[24];
    cn_piece piece = {.solid = CN_SOLID_HULL,
                      .vertex_count = 8,
                      .at = {0.0, 0.0, top + 0.5 * def->sleeper[2]},
                      .index = {2, 1}};
    cn_box_corners(def->sleeper[0], def->sleeper[1], def->sleeper[2], corner);
    CN_TRY(cn_pieces_add_vertices(pieces, 8, corner, &piece.vertex_start, err));
    return cn_pieces_add(pieces, &piece, err);
}

cn_status cn_generate_ballast(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_ballast_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    cn_pieces stones = {.dim = 3};
    double height = 0.0, top = 0.0;
    double base = def->size[1] + 2.0 * def->slope * def->depth;
    cn_status status = pour(def, base, &height, &stones, err);
    CN_THEN(status, add_stones(def, height, &stones, &top, pieces, err));
    cn_pieces_free(&stones);
    return status == CN_OK && !isnan(def->sleeper[0]) ? add_sleeper(def, top, pieces, err) : status;
}

static const cn_field fields[] = {
    {CN_FIELD(cn_ballast_def, size, CN_FIELD_PAIR, "m", "of the layer along x and y, at its top",
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL)},
    {CN_LENGTH_FIELD(cn_ballast_def, depth, "of the layer once it has settled")},
    {CN_FIELD(cn_ballast_def, slope, CN_FIELD_NUMBER, "-",
              "of the sides along y, run over rise; 0: upright, for a box with walls", 0.0, 100.0,
              0.0, NULL)},
    {CN_FIELD(cn_ballast_def, fill, CN_FIELD_NUMBER, "-",
              "volume of the stones over that of the settled layer, to find their number", 0.01,
              0.74, 0.55, NULL)},
    {CN_SOLID_FIELD(cn_ballast_def, "solid and sizes of the stones")},
    {CN_FIELD(cn_ballast_def, sleeper, CN_FIELD_POINT, "m",
              "a block above the middle, along x, y and z; without it none", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL),
     .is_optional = true},
    {CN_SEED_FIELD(cn_ballast_def)},
};

const cn_generator cn_ballast_generator = {
    .name = "ballast",
    .help = "loose stones on z = 0 that settle to a layer, and a sleeper above them; stones "
            "ballast[1, k], sleeper ballast[2]",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_ballast_def),
    .dim = 3,
    .make = cn_generate_ballast,
};
