// picture/space/space_draw.h -- a shaded picture of solids, from plain data, without any display.
//
// Spheres and capsules are cut by rays (exact silhouettes), faces are scan converted; each sample
// of the picture keeps the nearest surface. Light comes from many lamps, most of them spread over
// the sky and some close together in the upper left: each has its own depth map, so that shadows,
// their soft edges and the dark of narrow gaps all follow from one rule.
// Equal input gives equal pixels.
#pragma once

#include "cairn/solid.h"
#include "cairn/vec.h"
#include "picture/canvas.h"

// Convex faces as loops of vertices, counterclockwise seen from outside.
typedef struct cn_space_faces {
    int vertex_count, face_count;
    const cn_vec3 *vertex;  // in the frame of the part [m]
    const int *face_start;  // face_count + 1
    const int *face_vertex; // loops
    bool is_open;           // a surface without inside: seen from both sides
    // Of triangles only, each may be NULL:
    const int *patch;      // per face: thin lines are drawn between patches, none inside of them
    const cn_vec3 *normal; // per corner of the loops: unit, between which light runs smoothly
    const double *value;   // per vertex: its place on the scale, instead of the colour of the part
    const cn_scale *scale;
} cn_space_faces;

typedef enum cn_part_kind { CN_PART_BALL, CN_PART_ROD, CN_PART_FACES, CN_PART_GROUND } cn_part_kind;

// Something solid. A rod lies along its local z, the ground fills local z <= 0.
typedef struct cn_space_part {
    cn_part_kind kind;
    double radius;               // ball, rod [m]
    double length;               // rod: distance of the two centres [m]
    const cn_space_faces *faces; // of those with faces
    cn_vec3 at;                  // origin of its frame [m]
    cn_mat3 turn;                // axes of the part to axes of the world
    cn_colour colour;
    int body;        // parts of one body have no line between them where they meet smoothly
    bool is_ghost;   // faces only: thin lines along the edges (walls of a container)
    bool is_scenery; // does not count for cameras, haze and the reach of light (a vast slab)
} cn_space_part;

// A force drawn as a rod with round ends. Rods shine through bodies, paler the deeper they lie.
typedef struct cn_space_force {
    cn_vec3 end[2];
    double radius; // [m]
    cn_colour colour;
} cn_space_force;

enum { CN_FILM_CORNER_MAX = 8 };

// A thin sheet, coloured by a field that is affine on it. Shines through bodies as forces do.
typedef struct cn_space_film {
    int corner_count;
    cn_vec3 corner[CN_FILM_CORNER_MAX]; // in order around it
    double value;                       // at the first corner; 0 .. 1 are the ends of the scale
    cn_vec3 gradient;                   // [1/m]
    const cn_scale *scale;
} cn_space_film;

// The point (width/2, height/2) of the picture shows the target.
typedef struct cn_space_camera {
    cn_vec3 eye, target, up;
    double view_angle; // of the height of the picture, 0: parallel rays [rad]
    double height;     // of what is seen at the distance of the target; used with parallel rays [m]
} cn_space_camera;

typedef struct cn_space_def {
    int part_count;
    const cn_space_part *part;
    int force_count;
    const cn_space_force *force;
    int film_count;
    const cn_space_film *film;
    cn_space_camera camera;
    const cn_box3 *frame; // what cameras are fitted to; NULL: everything finite but scenery
    bool is_turning;      // cameras fit from every azimuth: scale and centre stay while they turn
    double area[4];       // of the canvas that shows the scene: x_min y_min x_max y_max [pixel]
    double line_width;    // of outlines; 0: none [pixel]
    int sampling;         // samples per pixel each way, 1 to 4
    bool is_plain;        // colours as given, without light (figures, tests)
} cn_space_def;

// Two samples each way, thin lines, nothing to show yet.
cn_space_def cn_space_def_default(void);

// From where a camera looks, z up, and what it has to fit into.
typedef struct cn_space_gaze {
    double azimuth, elevation; // azimuth 0: from +x, growing towards +y [rad]
    double view_angle;         // 0: parallel rays [rad]
    double aspect;             // width over height of the area
    double margin;             // part of the area
} cn_space_gaze;

// Looks at everything finite so that it just fits.
cn_status cn_space_camera_fit(const cn_space_def *def, const cn_space_gaze *gaze,
                              cn_space_camera *camera, cn_error *err);

// Width over height of what the camera of cn_space_camera_fit would see, without margins.
cn_status cn_space_aspect(const cn_space_def *def, double azimuth, double elevation, double *aspect,
                          cn_error *err);

// Box that holds all that cameras are fitted to, without regard to def->frame.
cn_status cn_space_box(const cn_space_def *def, cn_box3 *box, cn_error *err);

// Pixels per metre at the distance of the target.
double cn_space_scale(const cn_space_def *def);

// Paints def->area of the canvas over what is there. CN_BAD_INPUT: a camera that sees nothing.
// Parts whose position is not finite are left out.
cn_status cn_space_draw(const cn_space_def *def, cn_canvas *canvas, cn_error *err);
