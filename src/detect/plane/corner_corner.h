// detect/plane/corner_corner.h -- what to do where corners of polygons meet; the rule is told in
// corner_corner.c.
#pragma once

#include "detect/plane/rounded.h"

// Below this part of the smaller size, corners count as meeting and overlaps of edges as empty: far
// above rounding and the drift of settled walls, far below what can be seen.
#define CN_CORNER_TOLERANCE 1e-5

// Right-angled corners within this part of the smaller size of each other's sides are level with
// them: above the penetration that finite accuracy leaves in a body that slides.
#define CN_LEVEL_TOLERANCE 1e-3

// The two corners nearest to each other, and the normals that part them, counterclockwise from lo
// to hi.
typedef struct cn_wedge {
    int corner_a, corner_b;
    cn_vec2 apart;  // from the corner of a to that of b [m]
    cn_vec2 lo, hi; // unit, from a to b
    bool is_empty;  // no direction parts the corners; lo and hi are not set
} cn_wedge;

// Searches the vertices next to the nearest features of two polygons.
cn_wedge cn_corner_wedge(const cn_rounded *a, const cn_rounded *b, const cn_nearest *near);

// True if the corners may pass each other: not a contact.
bool cn_corner_is_passing(const cn_wedge *wedge, double size);

// Normal n of the nearest features, drawn towards the middle of the wedge by corners that meet.
cn_vec2 cn_corner_normal(const cn_wedge *wedge, cn_vec2 n, double tau);
