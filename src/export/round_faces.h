// export/round_faces.h -- round solids as faces: a profile turned about the local z axis.
#pragma once

#include "base/shared.h"
#include "cairn/solid.h"
#include "cairn/vec.h"

#define CN_PROFILE_MAX 80
#define CN_PROFILE_SIDES_MAX 128
#define CN_PROFILE_RINGS_MAX 32

// Points (distance from the axis, z) in the frame of the solid, the outside on their right.
// Profiles of hollow solids run along the outside and back along the inside.
typedef struct cn_profile {
    int count;
    cn_vec2 point[CN_PROFILE_MAX]; // [m]
    bool is_closed;                // the last point is joined to the first
} cn_profile;

// The profile of a round solid (none for others), half a circle as `rings` pieces, an even number
// of at most CN_PROFILE_RINGS_MAX. Of a hollow one only the inside, if wanted.
CN_SHARED cn_profile cn_profile_of(const cn_solid_def *solid, int rings, bool is_inside_only);

// Visits every face: a loop of corners counterclockwise seen from outside, in the frame of the
// solid. Flat ends are one face of `sides` corners.
typedef cn_status cn_face_visit(void *context, const cn_vec3 *corner, int count, cn_error *err);
CN_SHARED cn_status cn_profile_revolve(const cn_profile *profile, int sides, cn_face_visit *visit,
                                       void *context, cn_error *err);
