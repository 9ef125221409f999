// load/faces.h -- water, fill and wind on free faces of polygons and polyhedra. Theory 3.22 to
// 3.25.
#pragma once

#include "base/radix.h"
#include "body/bodies.h"
#include "cairn/load.h"

// A convex polygon in space while it is cut. A side of a polygon in the plane is one too, a
// rectangle that is 1 m deep, so that one geometry serves both.
typedef struct cn_face_polygon {
    cn_vec3 *corner;
    int count;
    size_t capacity;
} cn_face_polygon;

// Convex pieces that are left of a face, one after the other.
typedef struct cn_face_pieces {
    cn_vec3 *corner;
    int *start; // count + 1
    int count;
    size_t corner_capacity, start_capacity;
} cn_face_pieces;

// Integrals over free parts (3.24).
typedef struct cn_face_sum {
    double area;    // [m2]
    cn_vec3 force;  // [N]
    cn_vec3 moment; // about the mass centre [N m]
} cn_face_sum;

typedef struct cn_face_load {
    cn_face_load_def def; // list and table belong to the load
    cn_face_load_state state;
    cn_face_sum *sum;       // of each of its bodies
    cn_body_pose *pose;     // of each body of the world at q + (1-theta) h v
    cn_box3 *box;           // of each shape there
    cn_keyed *order, *room; // narrow shapes by the lower ends of their boxes along x
    int *wide;              // shapes that are looked at for every face
    int order_count, wide_count;
    double width; // largest along x of a narrow shape [m]
    cn_face_polygon part, rest, spare, other;
    cn_face_pieces free, next;
    struct {
        size_t sum, pose, box, order, room, wide;
    } capacity;
} cn_face_load;

cn_status cn_face_load_own(const cn_hooks *hooks, const cn_bodies *b, const cn_face_load_def *def,
                           double t, cn_face_load *a, cn_error *err);
void cn_face_load_free(const cn_hooks *hooks, cn_face_load *a);

// Drops a body that is removed.
void cn_face_load_forget(cn_face_load *a, cn_body_id id);

// Fills the sums and the state with the value of f, bodies at q + dt v.
cn_status cn_face_load_sum(const cn_hooks *hooks, cn_face_load *a, double value, double dt,
                           const cn_bodies *b, cn_error *err);

// Six of body n of the load: force and moment.
void cn_face_load_six(const cn_face_load *a, int n, double six[6]);

// Adds its forces of the step from t to t + h to b->f.
cn_status cn_face_load_eval(const cn_hooks *hooks, cn_face_load *a, double t, double h,
                            double theta, cn_bodies *b, cn_error *err);

// ---- load/face_parts.c: polygons and what is on them

int cn_face_count(const cn_bodies *b, int s);
int cn_face_corners_most(const cn_bodies *b, int s);

// Places face k of shape s, counterclockwise seen from outside, in a polygon that has room;
// `normal` is its outward one.
void cn_face_place(const cn_bodies *b, int s, int k, const cn_body_pose *pose,
                   cn_face_polygon *face, cn_vec3 *normal);

// Cuts `part` to the box of the load and, of fill, to what is below the level.
void cn_face_cut_to_load(cn_face_load *a, int dim, double value);

// `part` is what is free, until something covers it.
cn_status cn_face_begin(const cn_hooks *hooks, cn_face_load *a, cn_error *err);

// Takes off what `other` covers up to a gap (3.23): a face of that outward normal, or with one
// corner alone a plane without end.
cn_status cn_face_cover(const cn_hooks *hooks, cn_face_load *a, cn_vec3 normal, double gap,
                        cn_error *err);

// Adds what acts on the free pieces of a face of that outward normal.
void cn_face_press(const cn_face_load *a, int dim, double value, cn_vec3 normal, cn_vec3 centre,
                   cn_face_sum *sum);
