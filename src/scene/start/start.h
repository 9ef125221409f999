// scene/start/start.h -- a scene that starts from the state of another run (key `start`).
#pragma once

#include "scene/model.h"

// Brings a world that has just been built to the state that scene->start names, clock and energies
// at zero; nothing without one. What was taken over is told in one line (told may be NULL).
// CN_BAD_INPUT says what of the file does not fit, CN_IO that it cannot be read.
cn_status cn_scene_start_world(const cn_scene *scene, cn_world *w, cn_tell *told, void *context,
                               cn_error *err);

// same_shapes.c: whether body k of the scene has in the result the shapes, or the mesh, that it
// has here; CN_BAD_INPUT says what differs, without the name of the body.
cn_status cn_start_check_shape(const cn_world *w, int k, cn_reader *reader, cn_body_id id,
                               cn_error *err);

// frame_state.c: what a frame of a result holds of the bodies of the scene.
typedef struct cn_starting {
    const cn_scene *scene;
    cn_world *w;
    cn_reader *reader;
    cn_frame frame;
    int *place;   // of each body of the scene in the frame; -1: it is not taken over
    int *body_of; // of each body of the frame in the scene; -1: none
    // Counts of contacts and joints, for the line that tells what was taken over.
    int contact_count;    // taken over
    int turned_count;     // contacts that were left out, their bodies being in another order
    int stateless_count;  // contacts whose law is another one here
    int joint_lost_count; // joints that the frame does not know
} cn_starting;

cn_status cn_start_take(cn_starting *s, cn_error *err);

// All velocities of a world are zero.
cn_status cn_start_stop(cn_world *w, cn_error *err);
