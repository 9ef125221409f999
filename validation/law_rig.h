// validation/law_rig.h -- one joint of a law, driven: what `cairn law` and the cases on laws share.
//
// Two blocks of 1 m lie on each other in the plane, without weight; the lower one is fixed, the
// upper one is led by a grip. Their joint has 1 m2 per metre of thickness, so that its force is its
// traction. Under a pressure the grip leads the block along the joint only, and a force presses it.
#pragma once

#include "cairn/cairn.h"

typedef struct cn_law_rig {
    cn_world *world;
    cn_body_id block, grip;
    double pressure; // [Pa]
} cn_law_rig;

// Adds the bodies to a world of the plane whose only law is the one of interest. `velocity` is that
// of the grip along and across the joint [m/s].
cn_status cn_law_rig_add(cn_world *world, double pressure, const double velocity[2],
                         cn_law_rig *rig, cn_error *err);

// Leads the grip on with another velocity, at once.
cn_status cn_law_rig_lead(cn_law_rig *rig, const double velocity[2], cn_error *err);

// A state of the point in the middle of the joint, by name; NaN if there is none.
double cn_law_rig_state(const cn_law_rig *rig, const char *name);

// Mean traction on the upper block in the last step of length h: along and across the joint,
// tension above zero [Pa].
void cn_law_rig_traction(const cn_law_rig *rig, double h, double traction[2]);

// Slip and opening of the blocks [m].
void cn_law_rig_place(const cn_law_rig *rig, double place[2]);
