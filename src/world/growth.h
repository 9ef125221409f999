// world/growth.h -- round bodies whose radii grow or shrink, theory "Growth".
//
// The radius of a body is its factor times the one it was defined with, and the factor a linear
// function of time, so that rounding does not add up and a step that is given up leaves nothing.
// Mass and inertia stay those of the definition. Between steps radii are those of the time, within
// a step those where its contacts are set up.
#pragma once

#include "base/memory.h"
#include "body/stages.h"
#include "cairn/load.h"
#include "detect/detect.h"

typedef struct cn_grown_body {
    cn_body_id id;
    double radius;       // as defined [m]
    double factor;       // radius now over that [-]
    double from, to;     // factor at t0 and from t0 + duration on [-]
    double t0, duration; // [s]; duration 0: it stays as it is
} cn_grown_body;

typedef struct cn_growth {
    const cn_hooks *hooks;
    int count;
    cn_grown_body *body;
    double *speed; // of the surface of each slot, outward, in the step [m/s]
    int *of_slot;  // scratch: place in `body` of each slot, -1: it has the radius of its definition
    size_t body_capacity, speed_capacity, slot_capacity;
} cn_growth;

void cn_growth_free(cn_growth *growth);

// Bodies begin to grow, as of now at `t`; changes nothing if it fails.
cn_status cn_growth_define(cn_growth *growth, const cn_bodies *b, const cn_growth_def *def,
                           double t, cn_error *err);
// No body grows any more; radii stay.
void cn_growth_stop(cn_growth *growth);
void cn_growth_forget(cn_growth *growth, cn_body_id id);

// Before a step at time t: radii are those at q_mid, and b->growth tells their speeds. Fails where
// a body grows by too much, or meets others by a law that does not know growth.
cn_status cn_growth_begin(cn_growth *growth, cn_bodies *b, const cn_rules *rules, double t,
                          const cn_scheme *scheme, cn_error *err);
// Radii of time t, at the end of a step or back before one that is given up.
void cn_growth_end(cn_growth *growth, cn_bodies *b, double t);

// Numbers that a checkpoint holds: the factor of each slot, then that at t0.
size_t cn_growth_reals(const cn_growth *growth, const cn_bodies *b);
void cn_growth_gather(const cn_growth *growth, const cn_bodies *b, double *real);
// Radii that belong to them, NULL: those of the definitions. Who grows is said by those who make
// the world.
cn_status cn_growth_restore(cn_growth *growth, const double *real, cn_bodies *b, cn_error *err);
