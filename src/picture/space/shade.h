// picture/space/shade.h -- colours of what the samples show.
#pragma once

#include "picture/space/space_scene.h"

// A picture in the making: everything that is found before its first pixel.
typedef struct cn_shade {
    const cn_space_def *def;
    cn_space_view view;
    cn_items items, forces;
    cn_lamps lamps;  // unless the picture is plain
    double depth[2]; // of the nearest and farthest finite item [m]
    double grid;     // spacing of the lines on planes [m]
} cn_shade;

// Samples of one pixel that show one item.
typedef struct cn_fragment {
    int item;
    double s, t, depth; // their mean on the raster and along the gaze
    double weight;      // part of the pixel
    double line;        // 0 none .. 1 as dark as lines get
} cn_fragment;

cn_status cn_shade_create(const cn_space_def *def, cn_shade **shade, cn_error *err);
void cn_shade_destroy(cn_shade *shade);

// `back` is the colour of the canvas there; planes fade into it.
cn_colour cn_shade_body(const cn_shade *shade, const cn_fragment *fragment, cn_colour back);
cn_colour cn_shade_force(const cn_shade *shade, const cn_fragment *fragment);

// Opacity of a force at this depth with a body's surface at that depth.
double cn_shade_through(const cn_shade *shade, double depth, double surface);
