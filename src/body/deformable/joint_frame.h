// body/deformable/joint_frame.h -- where something is fastened to a deformable body: a point
// between nodes and, if the nodes span one, a frame that turns with them (theory 11.21 to 11.23).
//
// To what is fastened a mount looks like a rigid body: it has a place, a rotation, a velocity and a
// rate; a force and a moment on it are forces on its nodes that do the same work.
#pragma once

#include "body/deformable/deformables.h"

typedef struct cn_mount {
    int mesh;  // body among the deformables, -1: the side is rigid
    int count; // nodes of the mesh of the body
    int *node;
    double *weight; // of the point, sum 1
    cn_vec3 *lever; // Z: the rotation is that of sum x Z^T, sum 0 [m or 1/m]
    bool has_frame;
    size_t node_capacity, weight_capacity, lever_capacity;
} cn_mount;

// How the frame of a mount follows its nodes in some position.
typedef struct cn_mount_turn {
    cn_mat3 R;       // from the reference position; the unit matrix without a frame
    cn_mat3 inverse; // of tr V - V (11.22), zero without a frame
} cn_mount_turn;

// A place where the nodes are: x, or any other field of positions, moved on by dt v.
typedef struct cn_mount_at {
    const double *x;
    double dt;
} cn_mount_at;

static const cn_mount CN_MOUNT_NONE = {.mesh = -1};

// The point of body k nearest to `at`, which must be on it. Pseudo-rigid bodies have a frame
// everywhere, others at sets only.
cn_status cn_mount_point(const cn_hooks *hooks, const cn_deformables *m, int k, cn_vec3 at,
                         cn_mount *mount, cn_error *err);

// The mean of a named set of body k: over its sides, or over its nodes if it has no sides.
cn_status cn_mount_set(const cn_hooks *hooks, const cn_deformables *m, int k, const char *set,
                       cn_mount *mount, cn_error *err);

cn_status cn_mount_reserve(const cn_hooks *hooks, cn_mount *mount, int count, cn_error *err);
void cn_mount_free(const cn_hooks *hooks, cn_mount *mount);

// Whether an impulse at the mount can move anything.
bool cn_mount_can_move(const cn_deformables *m, const cn_mount *mount);

cn_vec3 cn_mount_place(const cn_deformables *m, const cn_mount *mount, cn_mount_at at);
cn_mount_turn cn_mount_turn_of(const cn_deformables *m, const cn_mount *mount, cn_mount_at at);

// Velocity and rate of a field of velocities; rate is z alone in the plane.
void cn_mount_velocity(const cn_deformables *m, const cn_mount *mount, const cn_mount_turn *turn,
                       const double *v, cn_vec3 *velocity, cn_vec3 *rate);

// Force on node n of the mount when a force and a moment act on it (11.23).
cn_vec3 cn_mount_share(const cn_mount *mount, const cn_mount_turn *turn, int n, cn_vec3 force,
                       cn_vec3 moment);

// Adds such forces to a vector over the degrees of freedom of the body, zero at held ones; or as
// impulses to the body.
void cn_mount_row(const cn_deformables *m, const cn_mount *mount, const cn_mount_turn *turn,
                  cn_vec3 force, cn_vec3 moment, double *own);
void cn_mount_push(cn_deformables *m, const cn_mount *mount, const cn_mount_turn *turn,
                   cn_vec3 force, cn_vec3 moment);
