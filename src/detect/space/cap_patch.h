// detect/space/cap_patch.h -- points where a cap of a cylinder lies on a flat surface.
#pragma once

#include "detect/space/placed_cylinder.h"

// Names: what the point is in bits 29 to 31, then its number.
#define CN_CAP_RIM (1u << 29)      // point of the rim
#define CN_CAP_CORNER (2u << 29)   // corner of the other surface
#define CN_CAP_CROSSING (3u << 29) // rim over an edge of the other surface
#define CN_CAP_LINE (4u << 29)     // end of a side line, of an edge on a cap
#define CN_CAP_OTHER (5u << 29)    // point of the rim of the second of two cylinders

// Touches that are gathered along a common normal n, from body a to body b; gaps are measured along
// it.
typedef struct cn_gather {
    cn_vec3 n;
    double reach;
    cn_touch3 *touch; // points midway, normals still n
    int count;
    double least; // least gap of all points, also of those beyond reach
} cn_gather;

// x on a and the gap above it.
void cn_gather_add(cn_gather *g, cn_vec3 x, double gap, uint32_t name);

// Cap of a cylinder b on a face of a polyhedron a, in the frame of the polyhedron.
void cn_cap_on_face(const cn_hull *h, int face, const cn_cylinder *can, int cap, cn_gather *g);

// Cap of b on a cap of a; the points of `a` count first if is_a_first.
void cn_cap_on_cap(const cn_cylinder *a, int cap_a, const cn_cylinder *b, int cap_b,
                   bool is_a_first, cn_gather *g);
