// contact/interface_faces.h -- flat faces of bodies at the start of a step, to be bonded.
#pragma once

#include "contact/interface_begin.h"

// A flat face of a body at the start of the step, in the order of its corners around it.
typedef struct cn_face {
    int first, count; // corners
    int facet;        // of a skin, -1: rigid
    int shape;        // within its body
    cn_vec3 normal;   // outward, unit
    double lo, hi;    // along the axis of the search
} cn_face;

typedef struct cn_faces {
    const cn_hooks *hooks;
    int count, corner_count;
    cn_face *face;
    cn_vec3 *corner;
    size_t face_capacity, corner_capacity;
} cn_faces;

void cn_faces_release(cn_faces *f);

// Faces of a body: facets of a mesh, where it bonds; of a rigid one as far as `other`, a mesh,
// needs them.
cn_status cn_faces_list(cn_faces *f, const cn_bodies *b, int body, const cn_faces *other,
                        cn_error *err);
