// generate/rock/rock_joints.h -- joints of a rock mass as planes and discs: what sets, single
// planes and mapped networks mean, apart from what they cut.
#pragma once

#include "generate/ground.h"
#include "generate/rock/cut_polyhedron.h"

// A plane that cuts, and the disc of it that exists.
typedef struct cn_joint {
    cn_plane plane;
    cn_vec3 centre;
    double radius; // [m], INFINITY: the whole plane
    int order;     // in which it was added
} cn_joint;

typedef struct cn_joints {
    int count;
    size_t capacity;
    cn_joint *joint;
} cn_joints;

// The box that the joints are to cross.
typedef struct cn_joint_domain {
    cn_vec3 centre, extent; // [m]
    double azimuth;         // clockwise from north: where +x points to [rad]
    uint64_t seed;
} cn_joint_domain;

cn_status cn_joints_check(const cn_slope_def *def, cn_error *err);

// Mean distance of the planes of a set [m].
double cn_spacing_mean(const cn_spacing_def *spacing);

// Appends the single planes and the discs of the network, the largest first.
cn_status cn_joints_add_mapped(const cn_slope_def *def, const cn_joint_domain *domain,
                               cn_joints *joints, cn_error *err);

// Appends those of a set; each is a pure function of the seed, the set and its number in it.
cn_status cn_joints_add_set(const cn_slope_def *def, const cn_joint_domain *domain, int set,
                            cn_joints *joints, cn_error *err);
