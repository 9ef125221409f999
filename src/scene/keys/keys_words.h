// scene/keys/keys_words.h -- short forms in which the tables of keys are written.
#pragma once

#include "scene/keys/keys.h"

#define REQUIRED .fallback = NULL
#define OPTIONAL .fallback = ""
#define POSITIVE .least = 0.0, .most = INFINITY, .is_open = true
#define NOT_NEGATIVE .least = 0.0, .most = INFINITY
#define IN_PLANE .dim = 2
#define IN_SPACE .dim = 3
#define KEYS(list) .count = sizeof(list) / sizeof *(list), .key = (list)

// Tables of their own: shapes (keys_shapes.c), joints (keys_joints.c), what deformable bodies are
// made of (keys_deformable.c).
extern const cn_section cn_section_shape, cn_section_orientation, cn_section_part;
extern const cn_section cn_section_joint, cn_section_motor;
extern const cn_section cn_section_volume, cn_section_material;
// Periodic cells (keys_cell.c), and functions of time (keys.c).
extern const cn_section cn_section_cell, cn_section_cell_control, cn_section_function;
extern const cn_section cn_section_limit;                                   // keys_limit.c
extern const cn_section cn_section_water, cn_section_fill, cn_section_wind; // keys_faces.c

// What may be on the free faces of the bodies of a force.
#define FACES                                                                                      \
    {.name = "water",                                                                              \
     .type = CN_TYPE_MAP,                                                                          \
     .section = &cn_section_water,                                                                 \
     OPTIONAL,                                                                                     \
     .help = "still water on the free faces of the bodies, with uplift where joints are open"},    \
        {.name = "fill",                                                                           \
         .type = CN_TYPE_MAP,                                                                      \
         .section = &cn_section_fill,                                                              \
         OPTIONAL,                                                                                 \
         .help = "earth that lies on and against them"},                                           \
        {.name = "wind",                                                                           \
         .type = CN_TYPE_MAP,                                                                      \
         .section = &cn_section_wind,                                                              \
         OPTIONAL,                                                                                 \
         .help = "pressure and suction on them"},
