// generate/drum.c -- a drum in space: plates around an axis along y, ends and lifters, all
// one body.
//
// The inner faces of the plates touch the circle of the radius, so that what fits into that
// cylinder fits into the drum. Neighbouring plates share the corners of their joint bit for bit.
#include "base/memory.h"
#include "generate/ground.h"
#include "generate/masonry.h"

#define PLATES_MAX 60

static cn_status check(const cn_drum_def *def, cn_error *err)
{
    CN_TRY(cn_check_length("radius of the drum", def->radius, err));
    CN_TRY(cn_check_length("length of the drum", def->length, err));
    CN_TRY(cn_check_length("thickness of the drum", def->thickness, err));
    if (def->plates < 6 || def->plates > PLATES_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "a drum has 6 to %d plates around, got %d", PLATES_MAX,
                       def->plates);
    }
    if (def->lifters == 0) {
        return CN_OK;
    }
    if (def->lifters < 0 || def->plates % def->lifters != 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "lifters stand on the middle of plates: %d plates cannot carry %d of them "
                       "evenly; take a multiple of %d plates",
                       def->plates, def->lifters, def->lifters);
    }
    CN_TRY(cn_check_length("height of a lifter", def->lifter[0], err));
    CN_TRY(cn_check_length("width of a lifter", def->lifter[1], err));
    double room = 2.0 * (def->radius - def->lifter[0]) * tan(CN_PI / def->lifters);
    bool is_free = def->lifter[0] < def->radius && (def->lifters < 3 || def->lifter[1] < room);
    if (!is_free) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%d lifters %g m high and %g m wide meet in a drum of radius %g m: take "
                       "fewer or smaller ones",
                       def->lifters, def->lifter[0], def->lifter[1], def->radius);
    }
    return CN_OK;
}

// Point at a distance from the axis, `angle` from the bottom towards +x.
static void put(double distance, double angle, double y, double *point)
{
    point[0] = distance * sin(angle);
    point[1] = y;
    point[2] = -distance * cos(angle);
}

// Corner k of the polygon with this inner radius; the polygon rests on a plate, symmetric in x.
static void put_corner(const cn_drum_def *def, double radius, int k, double y, double *point)
{
    double step = CN_PI / def->plates;
    put(radius / cos(step), (2 * (k % def->plates) - 1) * step, y, point);
}

static cn_status add_part(cn_pieces *pieces, int count, const double *point, bool is_first,
                          cn_error *err)
{
    cn_piece piece = {.index = {1, 1}, .is_support = true, .is_part = !is_first};
    return cn_pieces_add_hull(pieces, count, point, &piece, err);
}

static cn_status add_plate(const cn_drum_def *def, int k, cn_pieces *pieces, cn_error *err)
{
    double point[24], half = 0.5 * def->length;
    for (int n = 0; n < 8; n++) {
        double radius = n & 4 ? def->radius + def->thickness : def->radius;
        put_corner(def, radius, k + (n & 1), n & 2 ? half : -half, point + 3 * n);
    }
    return add_part(pieces, 8, point, k == 0, err);
}

static cn_status add_end(const cn_drum_def *def, double side, cn_pieces *pieces, cn_error *err)
{
    double point[6 * PLATES_MAX], inner = 0.5 * side * def->length;
    for (int k = 0; k < def->plates; k++) {
        double radius = def->radius + def->thickness;
        put_corner(def, radius, k, inner, point + 6 * k);
        put_corner(def, radius, k, inner + side * def->thickness, point + 6 * k + 3);
    }
    return add_part(pieces, 2 * def->plates, point, false, err);
}

// A bar from end to end on the middle of a plate.
static cn_status add_lifter(const cn_drum_def *def, int k, cn_pieces *pieces, cn_error *err)
{
    double point[24], angle = 2.0 * CN_PI * k / def->lifters;
    double c = cos(angle), s = sin(angle);
    for (int n = 0; n < 8; n++) {
        double across = n & 1 ? 0.5 * def->lifter[1] : -0.5 * def->lifter[1];
        double out = n & 4 ? def->radius : def->radius - def->lifter[0];
        point[3 * n] = out * s + across * c;
        point[3 * n + 1] = n & 2 ? 0.5 * def->length : -0.5 * def->length;
        point[3 * n + 2] = -out * c + across * s;
    }
    return add_part(pieces, 8, point, false, err);
}

cn_status cn_generate_drum(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_drum_def *given = params;
    cn_drum_def def = *given;
    def.thickness = isnan(def.thickness) ? 0.05 * def.radius : def.thickness;
    for (int d = 0; d < 2; d++) {
        def.lifter[d] = isnan(def.lifter[d]) ? 0.1 * def.radius : def.lifter[d];
    }
    pieces->note[0] = '\0';
    CN_TRY(check(&def, err));
    for (int k = 0; k < def.plates; k++) {
        CN_TRY(add_plate(&def, k, pieces, err));
    }
    for (int k = 0; k < 2 && def.ends; k++) {
        CN_TRY(add_end(&def, k == 0 ? -1.0 : 1.0, pieces, err));
    }
    for (int k = 0; k < def.lifters; k++) {
        CN_TRY(add_lifter(&def, k, pieces, err));
    }
    return CN_OK;
}

static const cn_field fields[] = {
    {CN_LENGTH_FIELD(cn_drum_def, radius, "of the circle that touches the plates from inside")},
    {CN_LENGTH_FIELD(cn_drum_def, length, "inside, along the axis, which is y")},
    {CN_LENGTH_FIELD(cn_drum_def, thickness, "of the plates; without it a twentieth of the radius"),
     .is_optional = true},
    {CN_FIELD(cn_drum_def, plates, CN_FIELD_COUNT, "-", "number of plates around", 6.0, PLATES_MAX,
              32.0, NULL)},
    {CN_FIELD(cn_drum_def, ends, CN_FIELD_FLAG, "-", "closed by two end plates", 0.0, 1.0, 1.0,
              NULL)},
    {CN_FIELD(cn_drum_def, lifters, CN_FIELD_COUNT, "-", "bars along the axis that lift the grains",
              0.0, PLATES_MAX, 0.0, NULL)},
    {CN_FIELD(cn_drum_def, lifter, CN_FIELD_PAIR, "m",
              "height and width of a lifter; without it a tenth of the radius", CN_LENGTH_LEAST,
              CN_LENGTH_MOST, NAN, NULL),
     .is_optional = true},
};

const cn_generator cn_drum_generator = {
    .name = "drum",
    .help = "a drum of flat plates about an axis along y, centred on the origin: one body, fixed "
            "unless it is driven; spin it with {spin: {axis: [0, 1, 0], angular_velocity: w}}",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_drum_def),
    .dim = 3,
    .make = cn_generate_drum,
};
