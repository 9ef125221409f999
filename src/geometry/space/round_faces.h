// geometry/space/round_faces.h -- round solids as faces: a profile turned about the local z axis.
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

// How finely round solids are cut into faces: half a circle as `rings` pieces, an even number of at
// most CN_PROFILE_RINGS_MAX, a circle as `sides`.
typedef struct cn_fineness {
    int rings, sides;
    bool is_inside_only; // of a hollow one only the inside
} cn_fineness;

// A sphere cut in two halves that stand `length` apart, from the lower pole to the upper.
void cn_profile_add_capsule(cn_profile *p, double radius, double length, int rings);
// From the lower end to the upper; an open end leaves the axis out, a closed one is `lid` thick.
void cn_profile_add_tube(cn_profile *p, double radius, double length, unsigned ends, double lid);
// Turns the points from `first` on round.
void cn_profile_reverse(cn_profile *p, int first);

// Visits every face: a loop of corners counterclockwise seen from outside, in the frame of the
// solid. Flat ends are one face of `sides` corners.
typedef cn_status cn_face_visit(void *context, const cn_vec3 *corner, int count, cn_error *err);
cn_status cn_profile_revolve(const cn_profile *profile, int sides, cn_face_visit *visit,
                             void *context, cn_error *err);

// Visits the faces of a solid but for hulls and half-spaces, which have none here.
CN_SHARED cn_status cn_solid_faces(const cn_solid_def *def, const cn_fineness *fine,
                                   cn_face_visit *visit, void *context, cn_error *err);
