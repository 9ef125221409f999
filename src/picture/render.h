// picture/render.h -- one frame as a picture, from plain data.
//
// cn_frame_draw lists the parts in the order they are painted; each part is a file that reads the
// plan and paints on the canvas: fit.c (what is seen), paint_bodies.c, paint_forces.c,
// joint_opening.c, legend.c.
#pragma once

#include "cairn/picture.h"
#include "cairn/vec.h"
#include "picture/canvas.h"

// A point where two bodies touched in frame 0, on each of them. Points of one patch come one after
// the other and have the same number `seam`.
typedef struct cn_seam_point {
    cn_body_id body[2];
    cn_vec3 at[2], normal[2]; // in the frames of the bodies; normals from body[1] to body[0] [m]
    int seam, law;
} cn_seam_point;

// What is drawn. The functions are asked with `context`; names may be NULL.
// A frame in space has `solids` instead of `shapes`: the solids of a body in the frame whose place
// is its q (x y z and a quaternion w x y z; v has six entries).
typedef struct cn_picture_frame {
    cn_frame state;
    const char *title;
    const void *context;
    const cn_shape_def *(*shapes)(const void *context, cn_body_id id, int *count);
    const cn_solid_def *(*solids)(const void *context, cn_body_id id, int *count);
    bool (*is_fixed)(const void *context, cn_body_id id);
    bool (*mesh)(const void *context, cn_body_id id, cn_mesh_def *mesh); // NULL: all are rigid
    const char *(*group_name)(const void *context, int group);
    const cn_force_spread *spread;                  // for CN_PAINT_SPREAD
    int (*damage_of)(const void *context, int law); // its place among the states, -1: none
    int seam_point_count;                           // if joints are coloured
    const cn_seam_point *seam_point;
} cn_picture_frame;

// One body as seen by the picture.
typedef struct cn_figure {
    const cn_shape_def *shape;
    int shape_count;
    double at[3];     // x y angle, in space x y z [m, m, rad]
    double box[4];    // x_min y_min x_max y_max of its finite shapes; x_min > x_max: none [m]
    double size;      // 4 area / perimeter: the diameter of a disk, the side of a square [m]
    double perimeter; // in space the surface [m, m2]
    double value;     // of the field that gives its colour, NaN: none
    int group;
    const cn_frame_mesh *nodes; // of a deformable body, NULL: rigid
    const double *x;            // where its nodes are drawn [m]
    cn_mesh_def mesh;           // its elements
    bool is_drawn;              // position is finite
    bool is_fixed;
    bool has_ring, has_plane;
} cn_figure;

enum { CN_GROUP_SHOWN_MAX = 64, CN_SEAM_CORNER_MAX = 8 };

// A joint that has opened: corners midway between the two bodies, in order around it.
typedef struct cn_seam {
    int corner_count;
    cn_vec3 corner[CN_SEAM_CORNER_MAX];
    double opening[CN_SEAM_CORNER_MAX]; // or damage [m, -]
    double most;                        // largest of them [m]
    double size;                        // of the smaller body [m]
} cn_seam;

// Solids of a frame in space, as the picture sees them.
typedef struct cn_tableau cn_tableau;

// All that is decided before the first pixel is painted.
typedef struct cn_render_plan {
    const cn_picture_frame *frame;
    const cn_render_def *def;
    cn_tableau *tableau; // in space only
    cn_figure *figure;   // body_count
    double *drawn;       // places of all nodes if their motion is magnified, else NULL [m]
    int *drawn_start;    // mesh_count: first of them for each mesh
    int lost_count;      // bodies whose position is not finite
    double ui;           // size of text and thin lines: 1 for a picture 1280 pixels wide
    int width, height;   // [pixel]
    double area[4];      // of the picture that shows the scene [pixel]
    double view[4];      // what it shows [m]
    double scale;        // [pixel/m]
    double size_mean;    // of free bodies [m]
    double force_size;   // the same, of deformable bodies that of their elements [m]
    cn_scale colours;
    double value_max;              // of the field that gives colours
    int seam_count;                // joints that have opened,
    cn_seam *seam;                 // if joints are coloured
    int thrust_count;              // pieces of the line of thrust,
    struct cn_thrust *thrust;      // if it is shown
    int apart_count;               // joints whose bodies have parted for good
    double force_max;              // normal force [N]
    double force_scale;            // thickness per force [m/N]
    bool has_status[4];            // cn_contact_status met among contacts with a force
    int group_count;               // groups that have free bodies,
    int group[CN_GROUP_SHOWN_MAX]; // in increasing order
} cn_render_plan;

// Whether joints are coloured, not bodies.
static inline bool cn_paint_is_of_joints(cn_paint paint)
{
    return paint == CN_PAINT_OPENING || paint == CN_PAINT_DAMAGE;
}

// Pixel position of a point of the world.
void cn_plan_pixel(const cn_render_plan *plan, double x, double y, double out[2]);

// Fill of a body by paint and group; lighter under force lines, so that these stand out.
cn_colour cn_plan_fill(const cn_render_plan *plan, const cn_figure *figure);
cn_colour cn_plan_group_fill(const cn_render_plan *plan, int group);
cn_colour cn_status_colour(int status);

// Colour of the force of a contact: its status, or its range over several solutions.
cn_colour cn_plan_force_colour(const cn_render_plan *plan, const cn_contact *contact);

// Whether the picture shows forces: not together with joints or fields of elements.
bool cn_plan_has_forces(const cn_render_plan *plan);

// Normal force of a contact of the frame [N], its mean if there are several solutions; 0 where none
// can be told (frame 0 has no step).
double cn_contact_force(const cn_picture_frame *frame, const cn_contact *contact);

// fit.c: box, size and perimeter of a body; the view; the size of the picture.
void cn_figure_measure(cn_figure *figure);
void cn_plan_view(cn_render_plan *plan);
cn_status cn_plan_fit(cn_render_plan *plan, cn_error *err);

// space_frame.c: the same steps in space.
cn_status cn_tableau_create(const cn_render_plan *plan, cn_tableau **tableau, cn_error *err);
void cn_tableau_destroy(cn_tableau *tableau);
void cn_tableau_measure(const cn_tableau *tableau, int body, cn_figure *figure);
double cn_tableau_stress_max(const cn_render_plan *plan, int body);
cn_status cn_tableau_box(cn_render_plan *plan, double view[6], cn_error *err);
cn_status cn_tableau_view(cn_render_plan *plan, cn_error *err);
cn_status cn_tableau_aim(cn_render_plan *plan, cn_error *err);
cn_status cn_tableau_paint(const cn_render_plan *plan, cn_canvas *canvas, cn_error *err);

// space_joints.c: rods and cables as parts, whose radius is told once bodies are measured, and what
// is inside bodies.
bool cn_joint_is_line(const cn_joint_state *s);
struct cn_space_part cn_joint_line(const cn_joint_state *s);
double cn_joint_radius(const cn_render_plan *plan, const cn_joint_state *s);
struct cn_space_force cn_joint_pin(const cn_render_plan *plan, const cn_joint_state *s);

// magnify.c: nodes of body i as they are drawn, if it is deformable; places of all nodes if motion
// is magnified.
void cn_figure_take_mesh(const cn_render_plan *plan, int i, cn_figure *figure);
cn_status cn_plan_magnify(cn_render_plan *plan, cn_error *err);

// paint_meshes.c: a deformable body in the plane: its box, a field at a node and its mean over an
// element, the largest principal stress, and painting it.
void cn_figure_measure_mesh(cn_figure *figure);
double cn_figure_node_value(cn_paint paint, const cn_figure *figure, int node);
double cn_figure_element_value(cn_paint paint, const cn_figure *figure, int element);
double cn_figure_stress_max(const cn_figure *figure);
void cn_paint_mesh(const cn_render_plan *plan, const cn_figure *figure, cn_canvas *canvas);

void cn_paint_bodies(const cn_render_plan *plan, cn_canvas *canvas);

// The line of thrust (paint_forces.c).
cn_status cn_plan_thrust(cn_render_plan *plan, cn_error *err);
cn_colour cn_thrust_colour(void);
void cn_paint_thrust(const cn_render_plan *plan, cn_canvas *canvas);

void cn_paint_cell(const cn_render_plan *plan, cn_canvas *canvas);
void cn_paint_joints(const cn_render_plan *plan, cn_canvas *canvas);
cn_status cn_paint_forces(const cn_render_plan *plan, cn_canvas *canvas, cn_error *err);

// joint_opening.c: the joints of frame 0, what has become of them, and how they are painted in the
// plane.
cn_status cn_seams_take(const cn_frame *first, cn_seam_point **point, int *count, cn_error *err);
cn_status cn_plan_seams(cn_render_plan *plan, cn_error *err);
bool cn_seam_is_shown(const cn_render_plan *plan, const cn_seam *seam);
void cn_paint_seams(const cn_render_plan *plan, cn_canvas *canvas);

// legend.c: rows it needs at the bottom and at the top [pixel], and painting it.
double cn_legend_bottom(const cn_render_plan *plan);
double cn_legend_top(const cn_render_plan *plan);
void cn_paint_legend(const cn_render_plan *plan, cn_canvas *canvas);

// Creates the canvas and paints the frame on it; the caller destroys it.
cn_status cn_frame_draw(const cn_picture_frame *frame, const cn_render_def *def, cn_canvas *canvas,
                        cn_error *err);

// Widens the range by what a picture of the frame would show.
cn_status cn_frame_measure(const cn_picture_frame *frame, const cn_render_def *def,
                           cn_render_range *range, cn_error *err);
