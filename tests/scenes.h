// tests/scenes.h -- worlds that several tests and benchmarks share.
#pragma once

#include "cairn/cairn.h"

// A world with gravity 9.81 along -y and one law between all bodies; aborts the program on failure,
// which a test could not survive anyway.
cn_world *scene_world(double mu, double e, double tolerance);

// The same with settings and law of the caller.
cn_world *scene_world_with(const cn_world_def *def, const cn_law_def *law);

// A fixed half-plane through (x, y) whose outward normal makes the angle with the y axis.
cn_body_id scene_ground(cn_world *w, double x, double y, double angle);

cn_body_id scene_disk(cn_world *w, double x, double y, double radius, unsigned fixed);
cn_body_id scene_box(cn_world *w, double x, double y, double width, double height, double angle,
                     unsigned fixed);

// The one part of a body: the shape in the plane, the solid in space.
void scene_part(cn_body_def *def, int dim, const cn_shape_def *shape, const cn_solid_def *solid);

cn_body_state scene_state(const cn_world *w, cn_body_id id);
void scene_set_velocity(cn_world *w, cn_body_id id, double vx, double vy, double spin);

// Steps of length h; returns how many did not converge. The program ends if a ledger does not
// close.
int scene_run(cn_world *w, double h, int steps);

// Running-bond wall of bricks on a ground at y = 0; returns the number of bricks, ids from *first
// on.
int scene_wall(cn_world *w, int courses, int bricks, double width, double height,
               cn_body_id *first);

// Dense heap of n disks in a box of half-planes, radii within 20 %, loosely stacked above each
// other.
void scene_packing(cn_world *w, int n, double radius);

// In space: gravity 9.81 along -z, one law between all bodies.
cn_world *scene_space(double mu, double e, double tolerance);

// Bodies meet before they enter each other, also with restitution e (6.5); dim 2 or 3.
cn_world *scene_ahead(int dim, double mu, double e, double tolerance);

// A fixed half-space through the origin whose outward normal is z turned about y by the angle.
cn_body_id scene_floor(cn_world *w, double angle);

cn_body_id scene_sphere(cn_world *w, double x, double y, double z, double radius);

// A box with its centre at (x, y, z), turned by the unit quaternion (NULL: not).
cn_body_id scene_block(cn_world *w, const double at[3], const double size[3], const double turn[4],
                       unsigned fixed);

// Wall in running bond along x on a floor, bricks of 0.4 x 0.2 x 0.2 m: courses of `bricks` and of
// one more with halves at both ends.
void scene_brick_wall(cn_world *w, int courses, int bricks);

// n random polyhedra of twelve corners in layers of columns x columns, loosely stacked in a box.
void scene_polyhedra(cn_world *w, int n, int columns, double radius);
