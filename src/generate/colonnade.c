// generate/colonnade.c -- rows of columns that carry an entablature.
//
// The blocks of the architrave reach from axis to axis, so that two of them rest on each capital;
// the frieze has its joints over the middle of the spans. At both ends the entablature is flush
// with what carries it.
#include "base/memory.h"
#include "generate/masonry.h"
#include "generate/wall/wall.h"

static double support_of(const cn_colonnade_def *def)
{
    double top = isnan(def->column.top) ? def->column.radius : def->column.top;
    return isnan(def->capital[0]) ? 2.0 * top : def->capital[0];
}

static cn_status check(const cn_colonnade_def *def, cn_error *err)
{
    double widest = fmax(2.0 * def->column.radius, support_of(def));
    if (!(def->columns >= 2)) {
        return cn_fail(err, CN_BAD_INPUT, "a colonnade has at least 2 columns, got %d",
                       def->columns);
    }
    CN_TRY(cn_check_count("columns of a colonnade", def->columns, err));
    CN_TRY(cn_check_length("spacing", def->spacing, err));
    CN_TRY(cn_check_length("width of the architrave", def->beam[0], err));
    CN_TRY(cn_check_length("height of the architrave", def->beam[1], err));
    if (!(def->spacing > widest)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "columns or capitals %g m wide do not fit at a spacing of %g m", widest,
                       def->spacing);
    }
    if (!isnan(def->capital[0])) {
        CN_TRY(cn_check_length("side of the capitals", def->capital[0], err));
        CN_TRY(cn_check_length("height of the capitals", def->capital[1], err));
    }
    return isnan(def->frieze) ? CN_OK : cn_check_length("frieze", def->frieze, err);
}

static double axis_of(const cn_colonnade_def *def, int k)
{
    return (2 * k - (def->columns - 1)) * (0.5 * def->spacing);
}

static cn_status add_column(const cn_colonnade_def *def, int k, double height, cn_pieces *pieces,
                            cn_error *err)
{
    int first = pieces->count;
    CN_TRY(cn_generate_column(&def->column, pieces, err));
    for (int n = first; n < pieces->count; n++) {
        pieces->piece[n].at[0] += axis_of(def, k);
        pieces->piece[n].index[0] = k + 1;
        pieces->piece[n].index[1] = n - first + 1;
    }
    if (isnan(def->capital[0])) {
        return CN_OK;
    }
    double left = axis_of(def, k) - 0.5 * def->capital[0], right = left + def->capital[0];
    const cn_wall_stone capital = {{left, left}, {right, right}, height, height + def->capital[1],
                                   0.0,          def->capital[0]};
    const int index[2] = {k + 1, pieces->count - first + 1};
    return cn_wall_add_stone(&capital, index, pieces, err);
}

// A course of blocks whose inner joints lie over the axes, or half-way between them.
static cn_status add_course(const cn_colonnade_def *def, bool is_between, const double z[2],
                            cn_pieces *pieces, cn_error *err)
{
    double end = 0.5 * support_of(def), last = axis_of(def, 0) - end;
    int joints = is_between ? def->columns - 1 : def->columns - 2, position = 0;
    for (int k = 0; k <= joints; k++) {
        double next = is_between ? axis_of(def, k) + 0.5 * def->spacing : axis_of(def, k + 1);
        next = k == joints ? axis_of(def, def->columns - 1) + end : next;
        const cn_wall_stone block = {{last, last}, {next, next}, z[0], z[1], 0.0, def->beam[0]};
        const int index[2] = {def->columns + (is_between ? 2 : 1), ++position};
        CN_TRY(cn_wall_add_stone(&block, index, pieces, err));
        last = next;
    }
    return CN_OK;
}

cn_status cn_generate_colonnade(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_colonnade_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    double shaft = def->column.height + (def->column.drums - 1) * def->column.gap;
    for (int k = 0; k < def->columns; k++) {
        CN_TRY(add_column(def, k, shaft, pieces, err));
    }
    double foot = shaft + (isnan(def->capital[0]) ? 0.0 : def->capital[1]);
    const double beam[2] = {foot, foot + def->beam[1]};
    CN_TRY(add_course(def, false, beam, pieces, err));
    const double frieze[2] = {beam[1], beam[1] + def->frieze};
    return isnan(def->frieze) ? CN_OK : add_course(def, true, frieze, pieces, err);
}

static const cn_field fields[] = {
    CN_COLUMN_FIELDS,
    {CN_FIELD(cn_colonnade_def, columns, CN_FIELD_COUNT, "-", "in a row along x, at least 2", 2.0,
              CN_PIECES_MAX, NAN, NULL)},
    {CN_LENGTH_FIELD(cn_colonnade_def, spacing, "of their axes")},
    {CN_FIELD(cn_colonnade_def, capital, CN_FIELD_PAIR, "m",
              "side of a square and height; without it none", CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN,
              NULL),
     .is_optional = true},
    {CN_FIELD(cn_colonnade_def, beam, CN_FIELD_PAIR, "m",
              "width along y and height of the architrave", CN_LENGTH_LEAST, CN_LENGTH_MOST, NAN,
              NULL)},
    {CN_LENGTH_FIELD(cn_colonnade_def, frieze,
                     "height of a second course, jointed between the columns; without it none"),
     .is_optional = true},
};

const cn_generator cn_colonnade_generator = {
    .name = "colonnade",
    .help =
        "columns along x with an entablature, on z = 0; colonnade[column, drum], then the row of "
        "the architrave and that of the frieze",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_colonnade_def),
    .dim = 3,
    .make = cn_generate_colonnade,
};
