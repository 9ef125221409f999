// load/load.h -- forces and imposed motions of a world, evaluated once per step. Theory 3.2
// and 3.5.
#pragma once

#include "body/bodies.h"
#include "cairn/deformable.h"
#include "cairn/load.h"
#include "load/around.h"
#include "load/faces.h"

// Loads of nodes with their set resolved: its number in the mesh, -1 for all of it.
typedef struct cn_node_drive {
    cn_node_drive_def def;
    int set;
} cn_node_drive;

typedef struct cn_node_load {
    cn_node_load_def def;
    int set;
} cn_node_load;

typedef struct cn_loads {
    const cn_hooks *hooks;
    cn_drive_def *drive; // tables belong to the loads
    cn_force_def *force;
    int drive_count, force_count;
    cn_node_drive *node_drive; // of deformable bodies
    cn_node_load *node_load;
    int node_drive_count, node_load_count;
    cn_around *around; // of several bodies
    int around_count;
    cn_face_load *face; // on free faces
    int face_count;
    size_t drive_capacity, force_capacity, node_drive_capacity, node_load_capacity;
    size_t around_capacity, face_capacity;
} cn_loads;

void cn_loads_free(cn_loads *loads);
cn_status cn_loads_add_drive(cn_loads *loads, const cn_bodies *b, const cn_drive_def *def, double t,
                             cn_error *err);
cn_status cn_loads_add_force(cn_loads *loads, const cn_bodies *b, const cn_force_def *def, double t,
                             cn_error *err);
cn_status cn_loads_add_around(cn_loads *loads, const cn_bodies *b, const cn_around_def *def,
                              double t, cn_error *err);
cn_status cn_loads_add_face_load(cn_loads *loads, const cn_bodies *b, const cn_face_load_def *def,
                                 double t, cn_error *err);
void cn_loads_remove_all(cn_loads *loads);

// Drops what acts on a body that is removed.
void cn_loads_forget(cn_loads *loads, cn_body_id id);

// Writes f, held and, of held degrees of freedom, v_free of the step from t to t+h. A function of
// time that has no finite value then is CN_BAD_INPUT.
cn_status cn_load_eval(const cn_loads *loads, double t, double h, double theta, cn_bodies *b,
                       cn_error *err);

// Adds to f what acts around several bodies and on free faces, which looks for their outside: after
// cn_load_eval, where forces are needed and not held degrees of freedom alone.
cn_status cn_load_outside(cn_loads *loads, double t, double h, double theta, cn_bodies *b,
                          cn_error *err);

// load/cell_load.c: how the components of a cell are found from now on; the targets of the step
// from t to t+h; and the end of their tables.
struct cn_cell;
struct cn_cell_control;
cn_status cn_cell_set_control(struct cn_cell *c, const struct cn_cell_control *control, double t,
                              cn_error *err);
cn_status cn_load_cell(struct cn_cell *c, double t, double h, double theta, cn_error *err);
void cn_cell_release_control(struct cn_cell *c);

// load/span.c: whether the spans of a force are there; their length or area at q + dt v, 1 without.
cn_status cn_span_check(const cn_force_def *def, const cn_bodies *b, cn_error *err);
cn_status cn_span_measure(const cn_force_def *def, double dt, const cn_bodies *b, double *size,
                          cn_error *err);

// load/node_loads.c: the same for nodes of deformable bodies.
cn_status cn_loads_add_node_drive(cn_loads *loads, const cn_bodies *b, const cn_node_drive_def *def,
                                  double t, cn_error *err);
cn_status cn_loads_add_node_load(cn_loads *loads, const cn_bodies *b, const cn_node_load_def *def,
                                 double t, cn_error *err);
void cn_loads_remove_nodes(cn_loads *loads);
void cn_loads_forget_nodes(cn_loads *loads, cn_body_id id);
cn_status cn_load_nodes(const cn_loads *loads, double t, double h, double theta, cn_bodies *b,
                        cn_error *err);

// The function of a load of a body at both ends of the step from t to t+h; its clock starts at t0.
typedef struct cn_load_value {
    double f_0, f_1;
} cn_load_value;
cn_status cn_load_value_of(const cn_function *f, cn_body_id body, double t, double h, double t0,
                           cn_load_value *value, cn_error *err);

// Checks a function and gives a table its own memory: times, then values; and frees it.
cn_status cn_function_own(const cn_hooks *hooks, cn_function *f, cn_error *err);
void cn_function_free(const cn_hooks *hooks, cn_function *f);
