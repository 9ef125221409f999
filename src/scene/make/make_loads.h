// scene/make/make_loads.h -- functions of time, drives and forces of a stage.
#pragma once

#include "scene/read_scene.h"

// A stage while it is read.
typedef struct cn_stage_making {
    cn_making *m;
    const cn_value *value;
    cn_scene_stage *stage;
    const char *is_removed;   // by body: taken away in this stage or before
    unsigned char *is_driven; // by body: bits 1 << cn_dof, to find contradictions
    cn_place drive_at;        // of the drive that is being read
} cn_stage_making;

// Bodies of a selector that are still there. *is_good is false after a problem, which is reported;
// false is returned for lack of memory only.
bool cn_make_pick(cn_making *m, cn_place at, const char *text, const char *is_removed,
                  cn_pick *pick, bool *is_good);

// Joints of a net of neighbours, or of threads that wander through bodies: fills the pairs of
// *joint. False for lack of memory only.
bool cn_make_net(cn_making *m, const cn_value *value, bool is_thread, cn_scene_joint *joint);

// The same, where the selector may also name a set of nodes of their meshes.
bool cn_make_pick_set(cn_making *m, cn_place at, const char *text, const char *is_removed,
                      cn_pick *pick, bool *is_good);

// The velocity of a record of acceleration, in points that this stage needs; problems are reported.
// (scene/make/loads/make_records.c)
bool cn_make_record(cn_stage_making *s, const cn_value *value, cn_function *f);

// A value of the section `function`; false for lack of memory.
bool cn_make_function(cn_making *m, const cn_value *value, cn_function *f);

// Water, fill and wind of a force on a selection, at most so many, added to a list that has room;
// false for lack of memory only (scene/make/loads/make_faces.c).
#define CN_FACE_LOADS_MOST 3
bool cn_make_face_loads(cn_making *m, const cn_value *value, const cn_pick *pick,
                        const double gravity[3], cn_scene_face_load *list, int *count);

// How the cell deforms (scene/make/make_cell.c).
bool cn_make_cell_control(cn_stage_making *s);

// Bodies that enter and leave (scene/make/make_traffic.c); false for lack of memory. The check
// comes after all stages.
bool cn_make_traffic(cn_stage_making *s);
void cn_check_traffic(cn_making *m, const cn_value *stages);

// Bodies that grow (scene/make/make_growth.c); false for lack of memory.
bool cn_make_growth(cn_stage_making *s);

// Place of an observed number by its name, as "grains.fraction", among those of a step; -1: there
// is none, and *is_named tells whether there is such an observer. (scene/make/make_observers.c)
int cn_series_named(cn_making *m, const char *name, bool *is_named);

bool cn_make_drives(cn_stage_making *s);
bool cn_make_forces(cn_stage_making *s);
