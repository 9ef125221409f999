// detect/space/hull/hull_patch.h -- the patch of contact of two polyhedra, seen along its normal.
#pragma once

#include "detect/space/hull/hull_pair.h"

#define CN_LOOP_MAX 64
#define CN_OUTLINE_MAX (2 * CN_LOOP_MAX)

// Directions of sight: u, v, n are orthonormal and right-handed, n from a to b.
typedef struct cn_view {
    cn_vec3 n, u, v;
} cn_view;

// A face: corners counterclockwise, and its plane, height + slope . (u, v).
typedef struct cn_loop {
    int count;
    cn_vec2 corner[CN_LOOP_MAX];
    double height;
    cn_vec2 slope;
} cn_loop;

// Overlap of two faces: corners counterclockwise, each with its gap along the normal.
typedef struct cn_outline {
    int count;
    cn_vec2 corner[CN_OUTLINE_MAX];
    double gap[CN_OUTLINE_MAX];
} cn_outline;

// Points of contact in the frame of a, normals from a to b.
typedef struct cn_patch {
    int count;
    bool is_thin; // faces look at each other, but their overlap is empty
    double least; // least gap of all corners, also of those that are not kept
    cn_touch3 touch[4];
} cn_patch;

// What a hull offers along n, both in its own frame: a face, or an edge, or (none) its vertex.
typedef struct cn_offer {
    int face;    // -1: none
    int edge[2]; // vertices, lower first; -1: none
} cn_offer;

// x is where the axis touches; the face must hold it within the slack.
cn_offer cn_hull_offer(const cn_hull *h, cn_vec3 n, cn_vec3 x, double slack);
// The edge alone, if faces do not count.
cn_offer cn_hull_offer_edge(const cn_hull *h, cn_vec3 n);

// Removes corners that lie within `tolerance` of the line between their neighbours.
void cn_outline_simplify(cn_outline *o, double tolerance);

// Removes corners whose place is not known well: edges that cross there are almost parallel (5.6),
// or their distance along the normal is many times `near`, by which that moves as much as the
// bodies. A tip that is lower than what is beside it, by more than `flat`, stays.
void cn_outline_straighten(cn_outline *o, double flat, double near);

// Keeps at most four corners and gives each a slot 0..3. The direction is that of an edge of one of
// the bodies; slots are counted counterclockwise, or clockwise if not is_left.
void cn_outline_select(cn_outline *o, cn_vec2 direction, bool is_left, double flat, int slot[4]);

// Always finds at least the nearest points of the axis, unless the patch is thin.
cn_patch cn_hull_patch(const cn_hull_pair *p, const cn_axis *axis);

// The place where the surfaces are nearest may not be among the points: it is a corner that is not
// kept, or a point lies beside the rim, by as little as a patch is flat or thin. Moves all gaps so
// that the least is right.
void cn_patch_measure_from(cn_patch *patch, double least);

// What a point is named after; 0 is where the surfaces are nearest.
typedef enum cn_hull_feature {
    CN_HULL_FACES = 1,
    CN_HULL_FACE_FIRST, // a face of the body named first and an edge
    CN_HULL_EDGE_FIRST,
    CN_HULL_EDGES,
    CN_HULL_CORNER_FIRST, // a corner of the body named first, on its way
    CN_HULL_CORNER_SECOND,
    CN_HULL_CROSSING, // of two edges, on its way
} cn_hull_feature;

uint32_t cn_hull_name(const cn_hull_pair *p, cn_hull_feature kind, int of_a, int of_b,
                      uint32_t slot);

// Places outside of the patch that may close if points of the bodies move by `distance` against
// each other, along the normal of the axis. Returns their number, at most CN_SWEEP_MAX.
#define CN_SWEEP_MAX 36
int cn_hull_sweep(const cn_hull_pair *p, const cn_patch *patch, const cn_axis *axis,
                  double distance, cn_touch3 *touch);
