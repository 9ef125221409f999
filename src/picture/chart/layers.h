// picture/chart/layers.h -- how much of the layers across an axis, or of rings, bodies fill.
//
// Bodies count as disks or balls of their own content around their mass centres, cut exactly.
#pragma once

#include "cairn/result.h"

// Area of a disk, in space volume of a ball, of a radius on the lower side of a line or plane at a
// height over its centre [m2, m3].
double cn_ball_below(int dim, double radius, double height);

// Area of a disk within a distance from a point that is so far from its centre [m2].
double cn_disk_within(double radius, double distance, double within);

typedef struct cn_layers {
    int dim, axis, bins; // axis: 0 x, 1 y, 2 z, CN_PLOT_RADIUS
    double low, high;    // [m]; in a cell 0 and its size
    double *solid;       // per bin: sum of shares of content over that of the layer
    int frames;
    size_t room;
} cn_layers;

cn_status cn_layers_make(int dim, int axis, int bins, double low, double high, cn_layers *l,
                         cn_error *err);
void cn_layers_free(cn_layers *l);

// Adds a frame; `content` of each body [m2, m3], 0: it does not count. Layers reach as far as the
// cell does, else as the bodies.
void cn_layers_take(cn_layers *l, const cn_frame *frame, const double *content);

// Middle of a bin, and the mean of its solid fraction over the frames.
double cn_layers_at(const cn_layers *l, int bin);
double cn_layers_mean(const cn_layers *l, int bin);
