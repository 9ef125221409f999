// contact/interface_begin.h -- how interfaces begin: faces that touch become points with areas.
#pragma once

#include "contact/interface_place.h"

enum { CN_PATCH_CORNERS = 24 };

// A flat face, or a segment in the plane, that bonds: its corners in order around it (in any order
// if they are still to be sorted), and the points of the interface with their areas.
typedef struct cn_patch {
    int dim, count;
    cn_vec3 normal;
    cn_vec3 corner[CN_PATCH_CORNERS];
    int point_count;
    cn_vec3 point[2 * CN_PATCH_CORNERS + 1];
    double area[2 * CN_PATCH_CORNERS + 1]; // in the plane lengths
} cn_patch;

// Points whose areas are exact for the force and the moments of a stress that is linear over the
// patch; of dim corners at least.
void cn_patch_divide(cn_patch *f);

// Points of an interface are named from here on.
#define CN_BOND_NAME 0xB0000000u

// Points where the faces of two bodies, of which one at least is a mesh, lie on each other.
typedef struct cn_bond_seeds {
    int count;
    cn_bond_seed *seed;
    uint32_t *shapes; // upper half of the name of each
    size_t capacity, shapes_capacity;
} cn_bond_seeds;

// Adds those of bodies i and j that are no further apart than `gap` and share an area. *is_round: a
// rigid body has no flat face.
cn_status cn_interface_overlap(const cn_hooks *hooks, const cn_bodies *b, const int body[2],
                               double gap, cn_bond_seeds *seeds, bool *is_round, cn_error *err);

// Gap up to which a pair counts as touching.
double cn_interface_touching(const cn_bodies *b, const cn_law_entry *entry, int i, int j);

// Whether points live between two shapes, or of a mesh between two bodies: those listed last.
bool cn_interface_lives(const cn_contacts *c, const cn_point *x);

// Makes the interfaces of the step, of pairs that did not touch in the last one: what broke does
// not heal as long as it touches.
cn_status cn_interface_begin(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                             bool is_start, cn_points points, cn_error *err);
