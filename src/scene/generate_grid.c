// scene/generate_grid.c -- rows of copies of a shape, regular or shaken a little.
#include "base/hash.h"
#include "base/memory.h"
#include "scene/generate.h"
#include "scene/generate_fields.h"
#include "scene/generate_grain.h"

static cn_status check(const cn_grid_def *def, cn_error *err)
{
    CN_TRY(cn_check_count("columns of a grid", def->columns, err));
    CN_TRY(cn_check_count("rows of a grid", def->rows, err));
    CN_TRY(cn_check_count("pieces of a grid", (double)def->columns * def->rows, err));
    CN_TRY(cn_check_length("grid spacing in x", def->spacing[0], err));
    CN_TRY(cn_check_length("grid spacing in y", def->spacing[1], err));
    if (!(def->jitter >= 0.0 && def->jitter <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "grid jitter must be at least 0 m, got %g", def->jitter);
    }
    if (!(fabs(def->stagger) <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "grid stagger must be between -1 and 1, got %g",
                       def->stagger);
    }
    CN_TRY(cn_check_seed(def->seed, err));
    return cn_grain_check(&def->shape, err);
}

// Node of row j and column i, from 0; the middle of the unstaggered grid is the origin.
static void node(const cn_grid_def *def, int j, int i, double at[2])
{
    double shift = j % 2 == 1 ? def->stagger : 0.0;
    at[0] = (i - 0.5 * (def->columns - 1) + shift) * def->spacing[0];
    at[1] = (j - 0.5 * (def->rows - 1)) * def->spacing[1];
}

cn_status cn_generate_grid(const cn_grid_def *def, cn_pieces *pieces, cn_error *err)
{
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    uint64_t seed = (uint64_t)def->seed;
    uint64_t shake = cn_mix2(seed, UINT64_MAX);
    for (int j = 0; j < def->rows; j++) {
        for (int i = 0; i < def->columns; i++) {
            double at[2];
            cn_grain grain;
            cn_grain_draw(&def->shape, seed, (uint64_t)j * (uint64_t)def->columns + (uint64_t)i,
                          &grain);
            node(def, j, i, at);
            at[0] += def->jitter * (2.0 * cn_random(&shake) - 1.0);
            at[1] += def->jitter * (2.0 * cn_random(&shake) - 1.0);
            int index[2] = {j + 1, i + 1};
            CN_TRY(cn_grain_add(&grain, at[0], at[1], def->turned ? grain.turn : 0.0, index, pieces,
                                err));
        }
    }
    return CN_OK;
}

static cn_status make(const void *def, cn_pieces *pieces, cn_error *err)
{
    return cn_generate_grid(def, pieces, err);
}

static const cn_field fields[] = {
    {CN_COUNT_FIELD(cn_grid_def, columns, "copies in a row")},
    {CN_FIELD(cn_grid_def, rows, CN_FIELD_COUNT, "-", "number of rows", 1.0, CN_PIECES_MAX, 1.0,
              NULL)},
    {CN_FIELD(cn_grid_def, spacing, CN_FIELD_PAIR, "m", "distance of columns and of rows",
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_grid_def, shape, CN_FIELD_ONE_OF, "-", "what is copied", 0.0, 0.0, NAN, NULL),
     .variant_count = CN_GRAIN_VARIANT_COUNT, .variant = cn_grain_variants},
    {CN_FIELD(cn_grid_def, stagger, CN_FIELD_NUMBER, "-",
              "shift of every second row over the spacing of columns", -1.0, 1.0, 0.0, NULL)},
    {CN_GAP_FIELD(cn_grid_def, jitter, "largest random displacement in x and in y")},
    {CN_FIELD(cn_grid_def, turned, CN_FIELD_FLAG, "-", "turn each copy by a random angle", 0.0, 1.0,
              0.0, NULL)},
    {CN_SEED_FIELD(cn_grid_def)},
};

const cn_generator cn_grid_generator = {
    .name = "grid",
    .help = "rows of copies about the origin; grid[row, column] from the lower left",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_grid_def),
    .make = make,
};
