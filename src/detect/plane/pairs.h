// detect/plane/pairs.h -- one function per pair of kinds, called with the kinds in the order of
// cn_shape_kind. A new shape is a file here and its lines in table.c.
#pragma once

#include "detect/plane/narrow_plane.h"

typedef int cn_narrow_pair(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch);

cn_narrow_pair cn_narrow_disk_disk;
cn_narrow_pair cn_narrow_convex;        // disk, capsule or polygon against capsule or polygon
cn_narrow_pair cn_narrow_convex_hollow; // disk, capsule or polygon against a hollow disk
cn_narrow_pair cn_narrow_hollow_hollow;
cn_narrow_pair cn_narrow_convex_half_plane; // anything bounded against a half-plane

// The touch of two rounded points: pa and pb are at `distance` along the unit vector n (a to b),
// the surfaces lie ra and rb from them.
static inline cn_touch cn_touch_between(cn_vec2 pa, cn_vec2 pb, cn_vec2 n, double distance,
                                        double ra, double rb, uint32_t feature)
{
    cn_vec2 point = cn_mul2(0.5, cn_add_mul2(cn_add2(pa, pb), ra - rb, n));
    return (cn_touch){point, cn_neg2(n), distance - (ra + rb), feature};
}

// Brings the points of one face onto one line at right angles to `across`, through those that touch
// most (5.5). Midway between two faces that are not parallel they would lie on a line that is
// turned against it, and the tangential velocities of two ends that close at different speeds would
// differ at second order: two sticking ends would contradict each other and no solver would end.
void cn_touch_align(cn_touch *touch, int count, cn_vec2 across, double size);

// Appends a touch; when the list is full the shallowest goes, and order is kept.
void cn_touch_keep(cn_touch *touch, int *count, cn_touch one);
