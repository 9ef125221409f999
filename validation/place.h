// validation/place.h -- where a case told in the x-y plane takes place: in the plane or in space.
//
// In space disks are spheres, polygons are prisms and half-planes half-spaces. The axes of the case
// may be turned against those of the world, so that no direction is a special one.
#pragma once

#include "cairn/cairn.h"

typedef struct cn_place {
    int dim;
    cn_quat turn;     // vectors of the case -> vectors of the world; about z in the plane
    double depth;     // of prisms, along z of the case [m]
    const char *name; // ends the names of quantities: "" or ", in space"
} cn_place;

cn_place cn_place_plane(void);
cn_place cn_place_space(double depth);
cn_place cn_place_along_axes(double depth); // in space, not turned
cn_place cn_place_turned(double angle);     // in the plane, turned

cn_vec3 cn_place_out(const cn_place *place, cn_vec3 a);  // axes of the case to those of the world
cn_vec3 cn_place_back(const cn_place *place, cn_vec3 a); // and back

#define CN_PLACED_SHAPE_MAX 8
#define CN_PLACED_VERTEX_MAX 16

// Room for the solids of one body.
typedef struct cn_placed {
    cn_solid_def solid[CN_PLACED_SHAPE_MAX];
    double point[CN_PLACED_SHAPE_MAX][6 * CN_PLACED_VERTEX_MAX];
} cn_placed;

// The definition in the world: shapes become solids, all else is turned. Solids, `turn`, `rate`
// and `tensor` of a case told in space are kept; an inertia is that of a sphere.
cn_body_def cn_place_body(const cn_place *place, const cn_body_def *def, cn_placed *room);

// The state in the axes of the case; angle and spin are those about z.
cn_body_state cn_place_state(const cn_place *place, cn_body_state state);
