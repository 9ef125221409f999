// picture/draw.h -- one small drawing interface, two ways to put it on paper: a canvas (PNG)
// and SVG text. Charts are written once against it. Coordinates as on the canvas: pixels, y down.
#pragma once

#include "picture/font.h"
#include "picture/save.h"

typedef struct cn_stroke {
    double width;
    double dash; // length of dashes and of the gaps between them; 0: solid
    cn_colour colour;
} cn_stroke;

typedef struct cn_draw {
    void *context;
    void (*polyline)(void *context, int count, const double *xy, cn_stroke stroke);
    void (*polygon)(void *context, int count, const double *xy, cn_colour colour);
    void (*disk)(void *context, double x, double y, double radius, cn_colour colour);
    void (*text)(void *context, double x, double y, cn_font font, cn_colour colour,
                 const char *text);
    // Between two calls drawing is limited to the box; NULL ends it.
    void (*clip)(void *context, const double box[4]);
} cn_draw;

cn_draw cn_draw_on_canvas(cn_canvas *canvas);

// SVG written to an open file; the caller checks the file for errors when closing.
typedef struct cn_svg {
    FILE *file;
    int clip_count;
} cn_svg;

void cn_svg_begin(cn_svg *svg, FILE *file, int width, int height, const char *title);
void cn_svg_end(cn_svg *svg);
cn_draw cn_draw_on_svg(cn_svg *svg);
