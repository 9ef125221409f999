// bench/stress/masonry.h -- contact problems of walls, towers, arches and bridges, built without a
// world: what tests and benchmarks of the solvers share. Unit gravity impulse: every body falls at
// 1 m/s.
#pragma once

#include "cairn/solver.h"

typedef struct made {
    int dim;
    int body_count, body_capacity;
    double *position; // 3 per body, the plane is x and z [m]
    double *mass;     // [kg]
    double *inertia;  // 3 per body, about the axes x, y, z [kg m2]
    double *v_free;   // 6 per body, 3 in the plane [m/s]
    int contact_count, contact_capacity;
    int *body; // 2 per contact, -1: the ground
    double *point, *normal, *mu;
    int *row_start, *dof_start, *block_start;
    double *G, *u_free;
    unsigned char *kind;
    cn_problem problem;
} made;

made *made_create(int dim);
void made_destroy(made *m);

// A box with its centre at x, y, z; in the plane y plays no part. Returns the body.
int made_box(made *m, const double center[3], const double size[3], double density);

// A point where body i is pushed along the normal and body j (or the ground) against it.
void made_contact(made *m, int i, int j, const double point[3], const double normal[3], double mu);

// A plane face of contact between two corners: four points, two in the plane. It is parallel to y.
void made_face(made *m, int i, int j, const double from[3], const double to[3],
               const double normal[3], double mu);

// Free velocities, then the arrays of m->problem: every body falls at 1 m/s and is pushed along x,
// plus noise in all components.
void made_finish(made *m, double push, double noise);

// A wall in running bond of bricks 2 x 1 x 1, `columns` x `courses`, half bricks at the ends;
// optional contacts in the head joints, and a lintel of that mass on top (0: none).
typedef struct wall_def {
    int dim, columns, courses;
    double mu, push, noise, lintel;
    bool has_heads;
} wall_def;
made *made_wall(const wall_def *def);

// n unit cubes on top of each other and one of `top` times their mass.
made *made_tower(int dim, int n, double top, double mu);

// A half circle of n stones on two abutments.
made *made_arch(int dim, int n, double radius, double thickness, double mu);

// A tower of planks 15 x 3 x 1, three per level, crosswise, disturbed a little.
made *made_kapla(int levels, double mu);

// A slab of `top` times the mass of a cube on n x n columns of cubes, pushed by 0.1 g.
made *made_table(int n, int height, double top, double mu);

// A viaduct: half circles of `stones` rows in bond across the width, on piers of as many courses;
// abutments at both ends.
typedef struct bridge_def {
    int spans, stones, courses;
    int width; // stones across [1 m each]
    double radius, thickness, mu;
} bridge_def;
made *made_bridge(const bridge_def *def);
