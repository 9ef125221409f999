// scene/observe/observers.h -- what a scene may observe at every step: one file each, table.c lists
// them. A quantity of samples (src/analyse/) is an observer without a file of its own.
#pragma once

#include "cairn/analyse.h"
#include "cairn/world.h"
#include "scene/make/make_loads.h"

// A world after a step.
typedef struct cn_observing {
    const cn_world *world;
    const cn_view *view;
    const int *place;      // of each body of the scene in the view; -1: removed
    const double *q_start; // of each body of the scene when the stage began
    const cn_scene_stage *stage;
    bool shapes_change; // some body wears or grows
    // Numbers to work with, as many as there are bodies in the scene.
    bool *is_in;
    double *content;
    int *room;
    double *start, *way; // dim for each body; NULL: no observer needs them
} cn_observing;

typedef struct cn_observer_type {
    cn_key key; // how the scene asks for it
    // Fills in what the observer needs; problems are reported. False for lack of memory only.
    bool (*make)(cn_making *m, const cn_value *value, cn_scene_observer *observer);
    void (*observe)(const cn_observing *now, const cn_scene_observer *o, double *out);
    const char *plane, *space; // names of its numbers, separated by blanks; NULL: of its analysis
} cn_observer_type;

extern const cn_observer_type cn_observer_resultant, cn_observer_track, cn_observer_moved,
    cn_observer_energy, cn_observer_cell, cn_observer_around, cn_observer_nodes, cn_observer_joint,
    cn_observer_faces, cn_observer_analysis;

// The type of that name; *analysis is the quantity of samples that has it, else NULL.
const cn_observer_type *cn_observer_named(const char *name, const cn_analysis **analysis);

// Way of a body of the scene since the stage began, as if space had no period; false: it has been
// removed.
bool cn_observed_way(const cn_observing *now, int body, double way[3]);

// Selects the bodies of a load as its force selects them; some stage must have it, as `has` finds.
bool cn_observe_load(cn_making *m, const cn_value *value, const char *what,
                     bool (*has)(const cn_scene_stage *stage, const char *bodies),
                     cn_scene_observer *observer);

// Names of the numbers of an observer, separated by blanks.
const char *cn_observer_parts(const cn_scene_observer *o, int dim);

// Numbers of a body in q and v of a view.
static inline int cn_q_size(int dim)
{
    return dim == 2 ? 3 : 7;
}

// Angle between two orientations, in q of a view; in space at most pi.
double cn_turned_by(const double *q, const double *q_start, int dim);

static inline int cn_dof_count(int dim)
{
    return dim == 2 ? 3 : 6;
}
