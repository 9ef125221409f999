// generate/tensegrity.c -- bars of a tensegrity prism, or of a tower of such prisms.
//
// The bottom ends of n bars are on a circle, their top ends on the same circle higher up, turned by
// pi/2 + pi/n: then cables around both circles and from every top end to the bottom end behind it
// hold the bars in equilibrium under prestress (Connelly and Back 1998). In a tower the top ends of
// a level are the bottom ends of the next, which turns the other way.
#include "base/memory.h"
#include "generate/fields.h"
#include "generate/generate.h"

#include <stdio.h>

static cn_status check(const cn_tensegrity_def *def, cn_error *err)
{
    CN_TRY(cn_check_length("radius of a tensegrity", def->radius, err));
    CN_TRY(cn_check_length("height of a tensegrity", def->height, err));
    CN_TRY(cn_check_length("bar of a tensegrity", def->bar, err));
    if (def->bars < 3) {
        return cn_fail(err, CN_BAD_INPUT, "a tensegrity prism has at least 3 bars, got %d",
                       def->bars);
    }
    return cn_check_count("bars of a tensegrity", (double)def->bars * def->levels, err);
}

// The rotation that takes z to the direction of a bar.
static void turn_to(const double d[3], double turn[4])
{
    double w = 1.0 + d[2], size = sqrt(w * w + d[0] * d[0] + d[1] * d[1]);
    turn[0] = w / size;
    turn[1] = -d[1] / size;
    turn[2] = d[0] / size;
    turn[3] = 0.0;
}

cn_status cn_generate_tensegrity(const void *params, cn_pieces *pieces, cn_error *err)
{
    const cn_tensegrity_def *def = params;
    pieces->note[0] = '\0';
    CN_TRY(check(def, err));
    double equilibrium = 0.5 * CN_PI + CN_PI / def->bars, start = 0.0, length = 0.0;
    double twist = isnan(def->twist) ? equilibrium : def->twist;
    for (int level = 0; level < def->levels; level++) {
        double way = level % 2 == 0 ? twist : -twist, z = level * def->height + def->bar;
        for (int n = 0; n < def->bars; n++) {
            double from = start + 2.0 * CN_PI * n / def->bars, to = from + way;
            double dx = def->radius * (cos(to) - cos(from)),
                   dy = def->radius * (sin(to) - sin(from));
            length = sqrt(dx * dx + dy * dy + def->height * def->height);
            double direction[3] = {dx / length, dy / length, def->height / length};
            cn_piece bar = {.solid = CN_SOLID_CAPSULE,
                            .radius = def->bar,
                            .length = length,
                            .at = {def->radius * cos(from) + 0.5 * dx,
                                   def->radius * sin(from) + 0.5 * dy, z + 0.5 * def->height},
                            .index = {level + 1, n + 1}};
            turn_to(direction, bar.turn);
            CN_TRY(cn_pieces_add(pieces, &bar, err));
        }
        start += way;
    }
    double around = 2.0 * def->radius * sin(CN_PI / def->bars);
    double chord = 2.0 * def->radius * fabs(sin(0.5 * twist - CN_PI / def->bars));
    snprintf(pieces->note, sizeof pieces->note,
             "bars of %.6g m, cables of %.6g m around and %.6g m up", length, around,
             hypot(chord, def->height));
    return CN_OK;
}

static const cn_field fields[] = {
    {CN_FIELD(cn_tensegrity_def, bars, CN_FIELD_COUNT, "-", "bars of a prism", 3.0, CN_PIECES_MAX,
              3.0, NULL)},
    {CN_FIELD(cn_tensegrity_def, levels, CN_FIELD_COUNT, "-",
              "prisms on top of each other: the ends of one are those of the next", 1.0,
              CN_PIECES_MAX, 1.0, NULL)},
    {CN_LENGTH_FIELD(cn_tensegrity_def, radius, "of the circles on which the ends are")},
    {CN_LENGTH_FIELD(cn_tensegrity_def, height, "of a prism, between its ends")},
    {CN_FIELD(
         cn_tensegrity_def, twist, CN_FIELD_NUMBER, "rad",
         "of the top ends against the bottom ends, counterclockwise in the lowest level; without "
         "it pi/2 + pi/bars, where cables hold them",
         -CN_PI, CN_PI, NAN, NULL),
     .is_optional = true},
    {CN_LENGTH_FIELD(cn_tensegrity_def, bar, "radius of the bars, which are capsules")},
};

const cn_generator cn_tensegrity_generator = {
    .name = "tensegrity",
    .help =
        "bars of a tensegrity prism, or of a tower of them, that stands on z = 0; its cables are "
        "a joint `net` of their ends; tensegrity[level, bar]",
    .field_count = CN_COUNT_OF(fields),
    .field = fields,
    .def_size = sizeof(cn_tensegrity_def),
    .dim = 3,
    .make = cn_generate_tensegrity,
};
