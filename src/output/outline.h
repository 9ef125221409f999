// output/outline.h -- bodies as polygons in the plane, for exports.
#pragma once

#include "cairn/result.h"

#define CN_OUTLINE_SIDES 24       // of a disk or capsule
#define CN_OUTLINE_RING_SIDES 128 // of a hollow disk: grains inside must not seem to stick out

// Convex polygons, counterclockwise, one after the other.
typedef struct cn_outline {
    double *point; // x y [m]
    int *start;    // polygon_count + 1 places in `point`
    int *body;     // place of the body of each polygon in the frame
    int point_count, polygon_count;
    size_t point_capacity, start_capacity, body_capacity;
} cn_outline;

// Replaces the contents by the shapes of all bodies of a frame. Half-planes are drawn as slabs that
// reach beyond everything else; hollow disks as rings of quadrangles.
cn_status cn_outline_make(const cn_reader *reader, const cn_frame *frame, cn_outline *outline,
                          cn_error *err);
void cn_outline_free(cn_outline *outline);
