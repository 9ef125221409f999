// load/load.h -- forces and imposed motions of a world, evaluated once per step. Theory 3.2
// and 3.4.
#pragma once

#include "body/bodies.h"
#include "cairn/load.h"

typedef struct cn_loads {
    const cn_hooks *hooks;
    cn_drive_def *drive; // tables belong to the loads
    cn_force_def *force;
    int drive_count, force_count;
    size_t drive_capacity, force_capacity;
} cn_loads;

void cn_loads_free(cn_loads *loads);
cn_status cn_loads_add_drive(cn_loads *loads, const cn_bodies *b, const cn_drive_def *def, double t,
                             cn_error *err);
cn_status cn_loads_add_force(cn_loads *loads, const cn_bodies *b, const cn_force_def *def, double t,
                             cn_error *err);
void cn_loads_remove_all(cn_loads *loads);

// Drops what acts on a body that is removed.
void cn_loads_forget(cn_loads *loads, cn_body_id id);

// Writes f, held and v_imposed of the step from t to t+h.
void cn_load_eval(const cn_loads *loads, double t, double h, double theta, cn_bodies *b);
