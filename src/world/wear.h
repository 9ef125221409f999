// world/wear.h -- what slides is worn off, theory "Wear": sides of polygons move inward.
//
// Each side of a body that wears has a depth, which only grows. Corners, mass, mass centre and
// inertia follow from the corners as new and these depths alone, so that rounding does not add up.
// A body that is held keeps its frame, about which it is driven, until it is let go.
#pragma once

#include "base/memory.h"
#include "contact/contacts.h"
#include "joint/joints.h"

typedef struct cn_worn_body {
    cn_body_id id;
    double coefficient;   // K over hardness [1/Pa]
    double density;       // of its area, 1 m thick [kg/m2]
    double inertia_ratio; // of its inertia to that of even density [-]
    cn_vec2 centre;       // mass centre now, in the frame as new [m]
    int first, count;     // its sides; side k goes from corner k to corner k + 1
} cn_worn_body;

typedef struct cn_wear {
    const cn_hooks *hooks;
    int count, side_count;
    cn_worn_body *body;
    cn_vec2 *corner; // of all sides, as new, in the frame as new [m]
    double *depth;   // worn off each side so far [m]
    double *vertex;  // scratch: corners of one body
    int *of_slot;    // scratch: place in `body` of each slot, -1: it does not wear
    size_t body_capacity, corner_capacity, depth_capacity, vertex_capacity, slot_capacity;
} cn_wear;

// Energy that went with what was worn off in a step, and how that of the bodies changed [J].
typedef struct cn_worn_energy {
    double kinetic, potential; // of the bodies, after less before
    double taken;              // by what was worn off
} cn_worn_energy;

void cn_wear_free(cn_wear *wear);

// The body in slot i begins to wear with a coefficient > 0, or goes on with another one. It must be
// one convex polygon whose mass centre is that of its shape.
cn_status cn_wear_add(cn_wear *wear, const cn_bodies *b, int i, double coefficient, cn_error *err);
void cn_wear_forget(cn_wear *wear, cn_body_id id);

// After an accepted step: depths grow by what slid under load, bodies get their new shapes, joints
// keep their places on them. Fails where a side is worn away, or a bonded body wears.
cn_status cn_wear_step(cn_wear *wear, const cn_contacts *c, cn_joints *joints, cn_bodies *b,
                       cn_worn_energy *energy, cn_error *err);

// Numbers that a checkpoint holds: depths of all sides, then the frame of each body.
size_t cn_wear_reals(const cn_wear *wear);
void cn_wear_gather(const cn_wear *wear, double *real);
// Shapes that belong to them; q, v and joints have their own in the checkpoint.
cn_status cn_wear_restore(cn_wear *wear, const double *real, cn_bodies *b, cn_error *err);
