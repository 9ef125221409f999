// export/polygons.h -- bodies as polygons in the world, for exports: outlines of shapes in the
// plane (polygons.c), surfaces of solids in space (polygons_space.c).
#pragma once

#include "cairn/result.h"

#define CN_POLYGON_SIDES 24       // of a disk, sphere or capsule
#define CN_POLYGON_RING_SIDES 128 // of what is hollow: grains inside must not seem to stick out

// Convex polygons one after the other: counterclockwise, in space seen from outside.
typedef struct cn_polygons {
    double *point; // x y z [m], z = 0 in the plane
    int *start;    // count + 1 places in `point`
    int *body;     // place of the body of each polygon in the frame
    int point_count, count;
    size_t point_capacity, start_capacity, body_capacity;
} cn_polygons;

// Replaces the contents by the shapes of all bodies of a frame. Half-planes and half-spaces are
// drawn as slabs that reach beyond everything else; hollow disks as rings of quadrangles. Spheres
// may be left out: they are many, and better drawn as points with a radius.
cn_status cn_polygons_make(cn_reader *reader, const cn_frame *frame, bool with_spheres,
                           cn_polygons *polygons, cn_error *err);
void cn_polygons_free(cn_polygons *polygons);

// Parts of the above. Adds a corner; closes the polygon that was begun after the last one.
cn_status cn_polygons_corner(cn_polygons *p, double x, double y, double z, cn_error *err);
cn_status cn_polygons_close(cn_polygons *p, int body, cn_error *err);

// Polygons in the making: first all that is bounded, last what has no end.
typedef struct cn_polygons_job {
    cn_reader *reader;
    const cn_frame *frame;
    bool with_spheres;
    bool is_last;
    double middle[3], reach; // of all that is bounded, known when what has no end is added [m]
    cn_polygons *polygons;
} cn_polygons_job;

// A solid of a body of the frame (polygons_space.c).
cn_status cn_polygons_add_solid(const cn_polygons_job *job, int body, const cn_solid_def *s,
                                cn_error *err);
