// detect/space/narrow_space.h -- points, normals and gaps of a pair of placed solids. Pure
// functions.
#pragma once

#include <stdint.h>

#include "geometry/space/solid.h"

#define CN_TOUCH3_MAX 40

// One contact point. The normal points from b to a; the point lies midway between both surfaces,
// and the points of one patch lie in one plane.
typedef struct cn_touch3 {
    cn_vec3 point, normal;
    double gap;       // negative: penetration [m]
    uint32_t feature; // persistent name of the point among those of the pair
} cn_touch3;

// Finds the contact points of a and b with gap <= reach; returns their number, at most
// CN_TOUCH3_MAX. Exchanging a and b gives bitwise mirror images: same points and gaps, opposite
// normals.
int cn_narrow3(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch);

// Where two polyhedra were nearest when they were last looked at, and the work of the last look.
// Any content is allowed: it is a guess.
typedef struct cn_hint {
    uint16_t kind;          // 0: none, else 1 + kind of the axis, as seen by the body named first
    uint16_t first, second; // face, edge or vertex of that body and of the other
    int corner_tests;       // corners of one body compared with faces of the other
    int edge_tests;         // pairs of edges looked at
} cn_hint;

// The same with a hint, which saves work and changes nothing else (NULL: none), and besides what
// points of polyhedra may touch if they move by `sweep` against each other (5.3) [m]; 0: none.
int cn_narrow3_warm(const cn_posed3 *a, const cn_posed3 *b, double reach, double sweep,
                    cn_hint *hint, cn_touch3 *touch);

// Whether a convex solid and a closed surface lie in each other, however deep, by more than about
// 2 % of the solid; *touch is then the deepest place found, and its gap at least that deep.
bool cn_surface_sunk(const cn_posed3 *a, const cn_posed3 *b, cn_touch3 *touch);

// The same without the care for order and origin: for pairs that stand in for others.
int cn_touch_pair(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch);

// Pairs, each in the order of the table (cn_narrow3 exchanges as needed).
typedef int cn_narrow_pair3(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch);
cn_narrow_pair3 cn_sphere_sphere, cn_sphere_capsule, cn_sphere_hull, cn_sphere_cylinder,
    cn_sphere_surface, cn_capsule_capsule, cn_capsule_hull, cn_capsule_cylinder, cn_capsule_surface,
    cn_hull_hull, cn_hull_cylinder, cn_hull_surface, cn_half_space_cylinder, cn_cylinder_cylinder,
    cn_cylinder_surface, cn_convex_half_space, cn_convex_hollow, cn_hollow_hollow,
    cn_hollow_surface;
int cn_hull_hull_warm(const cn_posed3 *a, const cn_posed3 *b, double reach, double sweep,
                      cn_hint *hint, cn_touch3 *touch);

// The pairs of a solid that touches all others in its own way, as second of the pair.
typedef struct cn_narrow_row {
    cn_narrow_pair3 *with[CN_SOLID_KIND_COUNT];
} cn_narrow_row;
