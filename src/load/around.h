// load/around.h -- pressure around several bodies: facets between their mass centres. Theory 3.19
// to 3.21.
#pragma once

#include "body/bodies.h"
#include "cairn/load.h"
#include "geometry/outside.h"

typedef struct cn_around {
    cn_around_def def; // lists and table belong to the load
    double *ball;  // dim + 1 of each body: mass centre, where it acts, and radius with the probe
    double *stiff; // of each body: bound of what its force changes with places of others [N/m]
    cn_outside outside;
    bool *is_pressed; // of each facet: no platen is in the way of the probe
    size_t ball_capacity, stiff_capacity, pressed_capacity;
    int pressed_count;
    double probe;    // radius in use [m]
    double pressure; // of the last step [Pa]
} cn_around;

cn_status cn_around_own(const cn_hooks *hooks, const cn_bodies *b, const cn_around_def *def,
                        double t, cn_around *a, cn_error *err);
void cn_around_free(const cn_hooks *hooks, cn_around *a);

// Drops a body that is removed.
void cn_around_forget(cn_around *a, cn_body_id id);

// Adds its forces of the step from t to t + h to b->f.
cn_status cn_around_eval(const cn_hooks *hooks, cn_around *a, double t, double h, double theta,
                         cn_bodies *b, cn_error *err);

void cn_around_show(cn_around *a, const cn_bodies *b, cn_around_state *state);
