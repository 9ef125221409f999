// scene/keys/keys_faces.c -- the tables of what is on free faces: water, fill and wind.
#include <math.h>

#include "scene/keys/keys_words.h"

#define FUNCTION .type = CN_TYPE_ONE, .section = &cn_section_function

// A table, one key per line where it fits.
// clang-format off

// Where water, fill or wind is, and which joints keep it out.
#define FACE_KEYS                                                                                  \
    {.name = "x", .type = CN_TYPE_PAIR, .unit = "m", OPTIONAL,                                     \
     .help = "[from, to]: it acts on what is there alone"},                                        \
    {.name = "y", .type = CN_TYPE_PAIR, .unit = "m", OPTIONAL, .help = "likewise along y"},        \
    {.name = "z", .type = CN_TYPE_PAIR, .unit = "m", OPTIONAL, IN_SPACE, .instead = "y",           \
     .help = "likewise along z"},                                                                  \
    {.name = "close", .type = CN_TYPE_NUMBER, .unit = "m", POSITIVE, OPTIONAL,                     \
     .help = "joints up to this gap keep it out; 1e-3 of the smaller body if not given"},

static const cn_key water_keys[] = {
    {.name = "level", FUNCTION, .unit = "m", REQUIRED,
     .help = "height of its surface, y in the plane, z in space"},
    {.name = "density", .type = CN_TYPE_NUMBER, .unit = "kg/m3", POSITIVE, .fallback = "1000",
     .help = "times gravity, which points straight down"},
    {.name = "open_joints", .type = CN_TYPE_FLAG, .fallback = "false",
     .help = "it gets into all joints, closed ones too: each body is pressed all around"},
    FACE_KEYS
};
const cn_section cn_section_water = {
    "water", "pressure of still water on free faces of polygons and polyhedra", KEYS(water_keys),
    .short_scalar = "level"};

static const cn_key fill_keys[] = {
    {.name = "level", FUNCTION, .unit = "m", REQUIRED,
     .help = "height of its surface, y in the plane, z in space"},
    {.name = "density", .type = CN_TYPE_NUMBER, .unit = "kg/m3", POSITIVE, REQUIRED,
     .help = "times gravity, which points straight down"},
    {.name = "ratio", .type = CN_TYPE_NUMBER, NOT_NEGATIVE, REQUIRED,
     .help = "horizontal over vertical stress: (1 - sin phi)/(1 + sin phi) is active, its inverse "
             "passive, 0 a weight alone"},
    {.name = "surcharge", .type = CN_TYPE_NUMBER, .unit = "Pa", NOT_NEGATIVE, .fallback = "0",
     .help = "vertical stress on its surface"},
    FACE_KEYS
};
const cn_section cn_section_fill = {
    "fill", "weight and thrust of earth on free faces of polygons and polyhedra", KEYS(fill_keys)};

static const cn_key wind_keys[] = {
    {.name = "pressure", FUNCTION, .unit = "Pa", REQUIRED, .help = "velocity pressure"},
    {.name = "direction", .type = CN_TYPE_POINT, REQUIRED, .help = "to where it blows, of any length"},
    {.name = "windward", .type = CN_TYPE_NUMBER, .fallback = "0.8",
     .help = "pressure on faces against it over `pressure`, times the cosine of wind and normal"},
    {.name = "leeward", .type = CN_TYPE_NUMBER, .fallback = "0.5",
     .help = "suction likewise on faces that look away"},
    FACE_KEYS
};
const cn_section cn_section_wind = {
    "wind", "wind on free faces of polygons and polyhedra; those that look inwards count too",
    KEYS(wind_keys)};
