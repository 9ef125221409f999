// scene/keys/keys_cell.c -- keys of periodic cells (theory chapter 15).
#include <math.h>

#include "scene/keys/keys_words.h"

// A table, one key per line where it fits.
// clang-format off

static const cn_key cell_keys[] = {
    {.name = "size", .type = CN_TYPE_POINT, .unit = "m", REQUIRED,
     .help = "lengths of the cell along the axes; along one without period it only counts for the volume"},
    {.name = "periodic", .type = CN_TYPE_WORDS, .choices = "x y", .fallback = "true", IN_PLANE,
     .help = "axes along which space repeats: true for all, or a list"},
    {.name = "periodic", .type = CN_TYPE_WORDS, .choices = "x y z", .fallback = "true", IN_SPACE,
     .help = "axes along which space repeats: true for all, or a list"},
    {.name = "tilt", .type = CN_TYPE_NUMBERS, .unit = "m", OPTIONAL,
     .help = "entries xy, in space [xy, xz, yz], of the cell: how far its second vector leans along "
             "x, its third along x and y"},
    {.name = "inertia", .type = CN_TYPE_NUMBER, POSITIVE, OPTIONAL,
     .help = "of the cell under stress, over that of what it holds; if not given 4 over the number "
             "of bodies, at least 1e-3"},
    {.name = "allow_self", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "bodies may be so large that they touch their own images: cells of one or a few"},
};
const cn_section cn_section_cell = {
    "cell", "a periodic cell, the corner of which is the origin: space repeats, and it may deform",
    KEYS(cell_keys), .short_list = "size"};

#define RATE(axes) .type = CN_TYPE_ONE, .section = &cn_section_function, OPTIONAL, .help = axes

#define COMPONENTS(in)                                                                             \
    {.name = "xx", .unit = in, RATE("along x")},                                                   \
    {.name = "yy", .unit = in, RATE("along y")},                                                   \
    {.name = "zz", .unit = in, IN_SPACE, .instead = "yy", RATE("along z")},                        \
    {.name = "xy", .unit = in, RATE("shear along x of what lies along y")},                        \
    {.name = "xz", .unit = in, IN_SPACE, .instead = "xy", RATE("shear along x of what lies along z")}, \
    {.name = "yz", .unit = in, IN_SPACE, .instead = "xy", RATE("shear along y of what lies along z")},

static const cn_key rate_keys[] = {COMPONENTS("1/s")};
static const cn_section rate = {
    "strain_rate", "velocity gradient of the cell; components that are not named stand still",
    KEYS(rate_keys)};

static const cn_key cell_stress_keys[] = {COMPONENTS("Pa")};
static const cn_section cell_stress = {
    "cell_stress", "stress on the cell, tension positive; in the plane N/m", KEYS(cell_stress_keys)};

static const cn_key control_keys[] = {
    {.name = "strain_rate", .type = CN_TYPE_MAP, .section = &rate, OPTIONAL,
     .help = "components whose rate is given"},
    {.name = "stress", .type = CN_TYPE_MAP, .section = &cell_stress, OPTIONAL,
     .help = "components that follow a stress"},
    {.name = "pressure", .type = CN_TYPE_ONE, .section = &cn_section_function, .unit = "Pa", OPTIONAL,
     .help = "compression of all axes with a period whose components are not named"},
};
const cn_section cn_section_cell_control = {
    "cell_control", "how the cell deforms in a stage: each component by a rate or a stress",
    KEYS(control_keys)};

// clang-format on
