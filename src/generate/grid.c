// generate/grid.c -- rows of copies of a shape, regular or shaken a little.
#include "base/hash.h"
#include "base/memory.h"
#include "generate/fields.h"
#include "generate/generate.h"
#include "generate/pack/grain.h"

static cn_status check(const cn_grid_def *def, int dim, cn_error *err)
{
    static const char *const spacing[] = {"grid spacing in x", "grid spacing in y",
                                          "grid spacing in z"};
    int layers = dim == 3 ? def->layers : 1;
    CN_TRY(cn_check_count("columns of a grid", def->columns, err));
    CN_TRY(cn_check_count("rows of a grid", def->rows, err));
    CN_TRY(cn_check_count("layers of a grid", layers, err));
    CN_TRY(cn_check_count("pieces of a grid", (double)def->columns * def->rows * layers, err));
    for (int d = 0; d < dim; d++) {
        CN_TRY(cn_check_length(spacing[d], def->spacing[d], err));
    }
    if (!(def->jitter >= 0.0 && def->jitter <= CN_LENGTH_MOST)) {
        return cn_fail(err, CN_BAD_INPUT, "grid jitter must be at least 0 m, got %g", def->jitter);
    }
    if (!(fabs(def->stagger) <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "grid stagger must be between -1 and 1, got %g",
                       def->stagger);
    }
    CN_TRY(cn_check_seed(def->seed, err));
    return dim == 3 ? cn_grain3_check(&def->solid, err) : cn_grain_check(&def->shape, err);
}

// Copy number n at a place.
static cn_status add_copy(const cn_grid_def *def, uint64_t n, const double at[3],
                          const int index[2], cn_pieces *pieces, cn_error *err)
{
    uint64_t seed = (uint64_t)def->seed;
    if (cn_pieces_dim(pieces) == 3) {
        cn_grain3 grain;
        CN_TRY(cn_grain3_draw(&def->solid, seed, n, &grain, err));
        return cn_grain3_add(&grain, at, def->turned, index, pieces, err);
    }
    cn_grain grain;
    cn_grain_draw(&def->shape, seed, n, &grain);
    return cn_grain_add(&grain, at[0], at[1], def->turned ? grain.turn : 0.0, index, pieces, err);
}

// Layer k, which is the only one in the plane. The middle of the unstaggered grid is the origin.
static cn_status add_layer(const cn_grid_def *def, int k, uint64_t *shake, cn_pieces *pieces,
                           cn_error *err)
{
    int dim = cn_pieces_dim(pieces);
    for (int j = 0; j < def->rows; j++) {
        for (int i = 0; i < def->columns; i++) {
            uint64_t in_layer = (uint64_t)j * (uint64_t)def->columns + (uint64_t)i;
            uint64_t before = (uint64_t)k * (uint64_t)def->rows * (uint64_t)def->columns;
            double shift = (dim == 3 ? k : j) % 2 == 1 ? def->stagger : 0.0;
            double at[3] = {(i - 0.5 * (def->columns - 1) + shift) * def->spacing[0],
                            (j - 0.5 * (def->rows - 1)) * def->spacing[1], 0.0};
            if (dim == 3) {
                at[2] = (k - 0.5 * (def->layers - 1)) * def->spacing[2];
            }
            for (int d = 0; d < dim; d++) {
                at[d] += def->jitter * (2.0 * cn_random(shake) - 1.0);
            }
            const int plane[2] = {j + 1, i + 1}, space[2] = {k + 1, (int)in_layer + 1};
            CN_TRY(add_copy(def, before + in_layer, at, dim == 3 ? space : plane, pieces, err));
        }
    }
    return CN_OK;
}

cn_status cn_generate_grid(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_grid_def *def = params;
    int dim = cn_pieces_dim(pieces);
    pieces->note[0] = '\0';
    CN_TRY(check(def, dim, err));
    uint64_t shake = cn_mix2((uint64_t)def->seed, UINT64_MAX);
    for (int k = 0; k < (dim == 3 ? def->layers : 1); k++) {
        CN_TRY(add_layer(def, k, &shake, pieces, err));
    }
    return CN_OK;
}

static const cn_field fields[] = {
    {CN_COUNT_FIELD(cn_grid_def, columns, "copies in a row")},
    {CN_FIELD(cn_grid_def, rows, CN_FIELD_COUNT, "-", "number of rows", 1.0, CN_PIECES_MAX, 1.0,
              NULL)},
    {CN_FIELD(cn_grid_def, layers, CN_FIELD_COUNT, "-", "number of layers, along z", 1.0,
              CN_PIECES_MAX, 1.0, NULL),
     .dim = 3},
    {CN_FIELD(cn_grid_def, spacing, CN_FIELD_POINT, "m", "distance of columns, rows and layers",
              CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN, NULL)},
    {CN_FIELD(cn_grid_def, shape, CN_FIELD_ONE_OF, "-", "what is copied", 0.0, 0.0, NAN, NULL),
     .dim = 2, .variant_count = CN_GRAIN_VARIANT_COUNT, .variant = cn_grain_variants},
    {CN_SOLID_FIELD(cn_grid_def, "solid that is copied")},
    {CN_FIELD(cn_grid_def, stagger, CN_FIELD_NUMBER, "-",
              "shift of every second row (in space layer) over the spacing of columns", -1.0, 1.0,
              0.0, NULL)},
    {CN_GAP_FIELD(cn_grid_def, jitter, "largest random displacement in each direction")},
    {CN_FIELD(cn_grid_def, turned, CN_FIELD_FLAG, "-", "turn each copy at random", 0.0, 1.0, 0.0,
              NULL)},
    {CN_SEED_FIELD(cn_grid_def)},
};

const cn_generator cn_grid_generator = {
    .name = "grid",
    .help = "rows of copies about the origin; grid[row, column] from the lower left, in space "
            "grid[layer, position]",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_grid_def),
    .make = cn_generate_grid,
};
