// picture/canvas.h -- an opaque raster picture with exact edges.
//
// Shapes are first added to the coverage of the canvas (cn_cover_...), then painted together in one
// colour (cn_canvas_paint). Coverage is the exact area of the shapes inside each pixel: shapes
// added together unite, holes subtract. After creation nothing allocates and nothing can fail.
// Coordinates are pixels, x to the right, y down, pixel (0, 0) covers the square 0..1 x 0..1.
#pragma once

#include "cairn/base.h"
#include "picture/colour.h"

enum { CN_CANVAS_MAX = 16384 }; // largest width or height [pixel]

typedef struct cn_canvas {
    int width, height;
    float *pixel; // 3 per pixel: red green blue in 0 .. 1, rows from the top
    int clip[4];  // x_min, y_min, x_max, y_max: nothing is drawn outside
    float *cover; // (width + 2) per row: change of coverage from pixel to pixel; zero between
                  // paints
    int *touched; // 2 per row: first and last cover entry in use, first > last: none
    int row_min, row_max;
    bool is_bad; // a coordinate was not finite: the shapes since the last paint are dropped
} cn_canvas;

// CN_BAD_INPUT unless both sizes are in 1 .. CN_CANVAS_MAX. The canvas starts in `paper`.
cn_status cn_canvas_create(int width, int height, cn_colour paper, cn_canvas *canvas,
                           cn_error *err);
void cn_canvas_destroy(cn_canvas *canvas);

// Limits drawing to a box given in pixels (rounded to whole ones); NULL: the whole canvas.
void cn_canvas_clip(cn_canvas *canvas, const double box[4]);

// Any simple polygon in either orientation.
void cn_cover_polygon(cn_canvas *canvas, int count, const double *xy);
void cn_cover_disk(cn_canvas *canvas, double x, double y, double radius);
// Takes a disk out of what was added before.
void cn_cover_hole(cn_canvas *canvas, double x, double y, double radius);
// All points within `radius` of the segment: a line with round ends.
void cn_cover_capsule(cn_canvas *canvas, double x0, double y0, double x1, double y1, double radius);
// Round-capped, round-joined line through the points, closed if asked.
void cn_cover_polyline(cn_canvas *canvas, int count, const double *xy, double width,
                       bool is_closed);

// Paints what was added since the last paint.
void cn_canvas_paint(cn_canvas *canvas, cn_colour colour);

// One shape, one colour.
void cn_canvas_polygon(cn_canvas *canvas, int count, const double *xy, cn_colour colour);
void cn_canvas_disk(cn_canvas *canvas, double x, double y, double radius, cn_colour colour);
void cn_canvas_line(cn_canvas *canvas, double x0, double y0, double x1, double y1, double width,
                    cn_colour colour);
void cn_canvas_box(cn_canvas *canvas, double x0, double y0, double x1, double y1, cn_colour colour);
