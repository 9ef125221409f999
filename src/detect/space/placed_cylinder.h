// detect/space/placed_cylinder.h -- a placed cylinder: supports, feet, rims. What the pairs of
// cylinders share.
//
// A cylinder has two flat caps, a side made of straight lines, and two rims. It stands on its rim
// points, 32 of them per cap and fixed to the body, so that what it stands on is right within
// 1 - cos(pi/32) = 0.5 % of the radius in every direction; wherever it leans by more than
// CN_CAN_TILT the lowest point of the rim itself is added, so that rolling on a rim is exact.
#pragma once

#include "detect/space/nearest_space.h"

#define CN_RIM_SIDES 32
#define CN_CAN_TILT 1e-3  // sine of the angle up to which a cap lies flat [-]
#define CN_CAN_OFFER 0.48 // sine of the largest angle at which a cap or a side line is offered [-]
#define CN_CAN_SIDE 1e-6  // sine of the angle up to which a normal is across the axis [-]
#define CN_CAN_GRAZE 5e-3 // sine of the angle up to which a line that crosses a rim grazes it [-]
#define CN_CAN_LOWEST 32u // name of the lowest point of a rim, after those of its fixed points
#define CN_CAN_CAP 64u    // names of the second cap come this much later

typedef struct cn_cylinder {
    cn_vec3 end[2], middle;
    cn_vec3 u;          // unit, from end[0] to end[1]
    cn_vec3 side, left; // fixed to the body, at right angles to u and each other
    double radius, half;
} cn_cylinder;

cn_cylinder cn_cylinder_of(const cn_posed3 *p);

// The same, in the frame of another body.
cn_cylinder cn_cylinder_seen(const cn_posed3 *p, const cn_posed3 *from);

// Fixed point k of the rim of a cap.
cn_vec3 cn_cylinder_rim(const cn_cylinder *can, int cap, int k);

// Part of n across the axis, unit; its length before is *size.
cn_vec3 cn_cylinder_across(const cn_cylinder *can, cn_vec3 n, double *size);

// The point lowest along n; among several the one lowest along `then`.
cn_vec3 cn_cylinder_lowest(const cn_cylinder *can, cn_vec3 n, cn_vec3 then);

// Least n . x of all points.
double cn_cylinder_low(const cn_cylinder *can, cn_vec3 n);

// Distance of a point from the surface, negative inside; *n is the unit vector from the surface to
// a point outside.
double cn_cylinder_foot(const cn_cylinder *can, cn_vec3 p, cn_vec3 *n);

// The cap that looks against n, -1: the axis leans too much; and whether a side line does.
int cn_cylinder_cap(const cn_cylinder *can, cn_vec3 n);
bool cn_cylinder_lies(const cn_cylinder *can, cn_vec3 n);

// The side line that looks against n, from cap 0 to cap 1.
cn_rod cn_cylinder_line(const cn_cylinder *can, cn_vec3 n);

// The same as a rod of the radius of the cylinder: its axis, if that is across n.
cn_rod cn_cylinder_side(const cn_cylinder *can, cn_vec3 n);

// The axis as a rod of the radius of the cylinder.
static inline cn_rod cn_cylinder_rod(const cn_cylinder *can)
{
    return (cn_rod){{can->end[0], can->end[1]}, can->radius};
}

// Place of p along n on the plane of a cap, less its centre.
cn_vec3 cn_cylinder_on_cap(const cn_cylinder *can, int cap, cn_vec3 n, cn_vec3 p);

// Part [0] .. [1] of the segment p to q that lies over a cap, seen along n; false: none.
bool cn_cylinder_cut(const cn_cylinder *can, int cap, cn_vec3 n, cn_vec3 p, cn_vec3 q,
                     double cut[2]);

// Whether a line along `way` that crosses the rim of a cap at x runs almost along the rim there:
// then that place is not known well (5.4).
static inline bool cn_cylinder_grazes(const cn_cylinder *can, int cap, cn_vec3 x, cn_vec3 way)
{
    double across = fabs(cn_dot3(cn_sub3(x, can->end[cap]), way));
    return !(across > CN_CAN_GRAZE * can->radius * cn_norm3(way));
}

// Directions n = cos(angle) from + sin(angle) to, between two angles.
typedef struct cn_arc {
    cn_vec3 from, to; // unit, at right angles
    double low, high; // [rad]
} cn_arc;

// The direction of an arc along which the cylinder is farthest from the point v; false if that is
// at one of its ends. *is_side: it is across the axis.
bool cn_cylinder_arc(const cn_cylinder *can, const cn_arc *arc, cn_vec3 v, cn_vec3 *n,
                     bool *is_side);
