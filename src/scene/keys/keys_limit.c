// scene/keys/keys_limit.c -- the table of `limit`: load patterns of limit analysis.
#include <math.h>

#include "scene/keys/keys_words.h"

// A table, one key per line where it fits.
// clang-format off

static const cn_key force_keys[] = {
    {.name = "force", .type = CN_TYPE_POINT, .unit = "N", .fallback = "0",
     .help = "on each of the bodies"},
    {.name = "torque", .type = CN_TYPE_NUMBER, .unit = "N m", .fallback = "0", IN_PLANE,
     .help = "likewise, counterclockwise"},
    {.name = "torque", .type = CN_TYPE_POINT, .unit = "N m", .fallback = "0", IN_SPACE,
     .help = "likewise, about the axes of the world"},
    {.name = "at", .type = CN_TYPE_POINT, .unit = "m", .fallback = "0",
     .help = "where the force acts, in the frame of the body, from its mass centre"},
    FACES
};
static const cn_section force = {"limit_force", "force and torque on each of the bodies",
                                 KEYS(force_keys), .short_list = "force"};
static const cn_key force_item = {.name = "limit_force", .type = CN_TYPE_MAP, .section = &force};

static const cn_key load_keys[] = {
    {.name = "acceleration", .type = CN_TYPE_POINT, .fallback = "0",
     .help = "mass times this, over the size of gravity (9.81 m/s2 without gravity): [1, 0] is "
             "the push of an earthquake, its multiplier the acceleration in g"},
    {.name = "pattern", .type = CN_TYPE_WORD, .choices = "mass height", .fallback = "mass",
     .help = "mass: the acceleration is the same everywhere; height: it grows with the height of mass "
             "centres above `base`, the whole push being the same"},
    {.name = "base", .type = CN_TYPE_NUMBER, .unit = "m", .fallback = "0",
     .help = "height, y in the plane, z in space, where that pattern begins"},
    {.name = "force", .type = CN_TYPE_NAMED, .item = &force_item, OPTIONAL,
     .help = "forces by selection of bodies: {\"arch[1,6]\": [0, -1e3]}"},
};
static const cn_section load = {"limit_load", "a pattern of loads", KEYS(load_keys)};

static const cn_key curve_keys[] = {
    {.name = "control", .type = CN_TYPE_TEXT, REQUIRED, .help = "body whose way is measured"},
    {.name = "at", .type = CN_TYPE_POINT, .unit = "m", .fallback = "0",
     .help = "point of it, in its frame, from its mass centre"},
    {.name = "until", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, REQUIRED,
     .help = "way of that point; the curve ends before where nothing is carried any more"},
    {.name = "steps", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1e6, .fallback = "50",
     .help = "of equal length; twice as many make a quarter of the error"},
};
static const cn_section curve = {
    "limit_curve", "the multiplier while the mechanism goes on", KEYS(curve_keys)};

static const cn_key axles_keys[] = {
    {.name = "loads", .type = CN_TYPE_PAIRS, REQUIRED,
     .help = "[[x, force], ...]: place from the first axle [m] and load downwards [N], in the plane "
             "per metre of width"},
    {.name = "on", .type = CN_TYPE_TEXT, REQUIRED,
     .help = "blocks that carry them where they are uppermost"},
    {.name = "from", .type = CN_TYPE_NUMBER, .unit = "m", REQUIRED,
     .help = "first x of the first axle"},
    {.name = "to", .type = CN_TYPE_NUMBER, .unit = "m", REQUIRED, .help = "last x of it"},
    {.name = "steps", .type = CN_TYPE_INTEGER, .least = 1.0, .most = 1e5, .fallback = "40",
     .help = "of equal length from place to place"},
    {.name = "spread", .type = CN_TYPE_NUMBER, .unit = "m", NOT_NEGATIVE, .fallback = "0",
     .help = "length on the surface over which each load is even, as fill spreads it"},
};
static const cn_section axles = {
    "limit_axles", "a vehicle that crosses, in the plane", KEYS(axles_keys)};

static const cn_key domain_keys[] = {
    {.name = "load", .type = CN_TYPE_MAP, .section = &load, REQUIRED,
     .help = "the other load"},
    {.name = "directions", .type = CN_TYPE_INTEGER, .least = 4.0, .most = 1e4, .fallback = "32",
     .help = "all around, each with both bounds"},
};
static const cn_section domain = {
    "limit_domain", "multiples of two loads that are carried together", KEYS(domain_keys)};

static const cn_key limit_keys[] = {
    {.name = "name", .type = CN_TYPE_TEXT, REQUIRED, .help = "for the report and file names"},
    {.name = "load", .type = CN_TYPE_MAP, .section = &load, OPTIONAL,
     .help = "live load, which the multiplier multiplies; or give `support`"},
    {.name = "axles", .type = CN_TYPE_MAP, .section = &axles, OPTIONAL, IN_PLANE,
     .help = "in place of `load`: axle loads, the multiplier at each of their places and the least"},
    {.name = "dead", .type = CN_TYPE_MAP, .section = &load, OPTIONAL,
     .help = "acts in full, beside gravity"},
    {.name = "support", .type = CN_TYPE_TEXT, OPTIONAL,
     .help = "a fixed body instead of a load: the multiplier is the most with which it can push "
             "the structure along `along`, such as the thrust of an arch"},
    {.name = "along", .type = CN_TYPE_POINT, OPTIONAL,
     .help = "direction of the reaction of `support`, of any length; the opposite direction gives "
             "the least, with a minus sign"},
    {.name = "gap", .type = CN_TYPE_NUMBER, POSITIVE, .fallback = "1e-6",
     .help = "accepted distance of the two bounds over the multiplier"},
    {.name = "close", .type = CN_TYPE_NUMBER, .unit = "m", NOT_NEGATIVE, OPTIONAL,
     .help = "gaps up to this count as closed; 1e-4 of the smallest body that can move if not "
             "given"},
    {.name = "above", .type = CN_TYPE_NUMBER, OPTIONAL,
     .help = "multiplier that must be carried: exit code 5 where it is not"},
    {.name = "domain", .type = CN_TYPE_MAP, .section = &domain, OPTIONAL,
     .help = "beside `load`: another load, and which multiples of both are carried together"},
    {.name = "curve", .type = CN_TYPE_MAP, .section = &curve, OPTIONAL,
     .help = "capacity curve: what is still carried while the mechanism of the load goes on"},
};
const cn_section cn_section_limit = {
    "limit", "a load of limit analysis (cairn limit)", KEYS(limit_keys)};
