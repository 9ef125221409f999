// scene/make_bodies.h -- bodies of an entry, whatever they come from: a shape, a cluster, a
// generator or a CSV file.
#pragma once

#include "scene/read.h"

// One line of `bodies:` while it is read.
typedef struct cn_entry_making {
    cn_making *m;
    const cn_value *value;
    cn_place at; // of its name
    const char *name;
    int entry;
    cn_body_def base;     // place, velocity, density and fixed degrees of freedom of all its bodies
    double mass, inertia; // NaN if not given
    bool has_fixed;       // said by the file
    const char *note;
} cn_entry_making;

// Bodies so far; memory moves.
typedef struct cn_body_list {
    cn_scene_body *body;
    size_t count, capacity;
} cn_body_list;

// Appends a body with checked shapes (arena memory), placed by `local` in the frame of the entry.
// Problems are reported at `at`; false for lack of memory only.
typedef struct cn_local {
    double at[2]; // [m]
    double angle; // [rad]
    int index[2];
    unsigned fixed; // besides those of the entry
    bool is_support;
} cn_local;

bool cn_bodies_append(cn_entry_making *e, cn_body_list *list, cn_place at,
                      const cn_shape_def *shape, int shape_count, const cn_local *local);

// True if `more` bodies may be added; else the problem is reported.
bool cn_bodies_fit(cn_entry_making *e, const cn_body_list *list, cn_place at, double more);

// Shapes of a CN_TYPE_ONE value `shape`, moved by at and angle; NULL for lack of memory.
// (scene/make_shapes.c)
cn_shape_def *cn_shapes_of(cn_reading *r, const cn_value *shape, const double at[2], double angle,
                           int *count);

// Sources of many bodies. False for lack of memory only. (scene/make_generated.c,
// scene/make_bulk.c)
bool cn_bodies_generate(cn_entry_making *e, cn_body_list *list, const cn_value *generate);
bool cn_bodies_from_csv(cn_entry_making *e, cn_body_list *list, const cn_value *from,
                        const cn_value *shape);
