// picture/space/space_frame.h -- what a frame in space is drawn from. space_frame.c makes it of
// the bodies, space_view.c places the camera, marks.c adds what is drawn besides.
#pragma once

#include "geometry/space/solid.h"
#include "picture/render.h"
#include "picture/space/space_meshes.h"

// Faces of a solid that is neither a ball nor a rod nor a hull.
typedef struct cn_skin_faces {
    cn_vec3 *vertex;
    int *start, *loop;
    int face_count, vertex_count;
    size_t vertex_room, start_room, loop_room;
} cn_skin_faces;

struct cn_tableau {
    int *start;            // body_count + 1: parts of each body
    cn_space_part *part;   // one per solid
    cn_hull **hull;        // per part, NULL unless a hull
    cn_skin_faces *skin;   // per part, empty unless it needs one
    cn_coat *coat;         // per part, empty unless it is a deformable body
    cn_space_faces *faces; // per part
    cn_space_force *force;
    cn_space_film *film;
    size_t force_room;
    int part_count, body_count; // behind the parts of bodies: rods and cables
    cn_box3 frame;              // asked for
    cn_space_def def;
};
