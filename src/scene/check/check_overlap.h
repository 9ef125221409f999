// scene/check/check_overlap.h -- how the bodies of a scene meet before anything moves: overlaps and
// slits.
#pragma once

#include "cairn/view.h"
#include "scene/model.h"

// The world of a scene as its bodies say; the same at its initial state, which may be that of
// another run (what that gave is told; told may be NULL). Overlaps are not looked at
// (scene/build_world.c).
cn_status cn_scene_bare_world(const cn_scene *scene, int threads, cn_world **w, cn_error *err);
cn_status cn_scene_world(const cn_scene *scene, int threads, cn_tell *told, void *context,
                         cn_world **w, cn_error *err);

// Holds the nodes of a set of a mesh at rest, along the axes of bits 1 << cn_dof.
cn_status cn_scene_hold_set(const cn_scene *scene, cn_world *w, int body, const char *set,
                            unsigned fixed, cn_error *err);

typedef enum cn_flaw {
    CN_FLAW_NONE = 0,
    CN_FLAW_OVERLAP, // deeper than the scene accepts: an error
    CN_FLAW_PRESSED, // accepted, yet more than rounding: a warning
    CN_FLAW_SLIT,    // faces that nearly touch: a warning
} cn_flaw;

// Two shapes that touch or nearly do: the points that share the normal of the nearest one.
typedef struct cn_meeting {
    int body[2];        // of the scene; the normal points from the second to the first
    double normal[3];   // at the nearest point
    double least, most; // gaps [m]
    double size;        // of the smaller body [m]
    int point_count;
    cn_flaw flaw;
} cn_meeting;

// How far faces that nearly touch are looked for: `slit` times the largest body that can be the
// smaller of two, but not so far that grains beside it would meet their neighbours' neighbours [m].
double cn_scene_reach(const cn_view *view, double slit);

// Lists all meetings, by bodies; the caller frees *meeting. Slits are looked for on request.
cn_status cn_scene_meetings(const cn_scene *scene, cn_world *w, bool has_slits,
                            cn_meeting **meeting, int *count, cn_error *err);

// Warns of bodies that can move and whose parts overlap, so that sums over parts are wrong
// (scene/check/check_clusters.c).
cn_status cn_scene_check_parts(const cn_scene *scene, cn_tell *told, void *context, cn_error *err);
