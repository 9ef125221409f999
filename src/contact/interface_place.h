// contact/interface_place.h -- where a point of an interface is on its two bodies, and the axes
// they carry there.
//
// What a state keeps of a side is material. On a rigid body it is a place in its frame; on a mesh
// it is a facet of its skin and the place on it, and the frame is one that turns with the facet.
#pragma once

#include "contact/contacts.h"

// Configurations in which a point may be placed: at the start of the step, where contacts are set
// up, and as bodies are now.
typedef enum cn_when { CN_WHEN_START, CN_WHEN_MID, CN_WHEN_NOW } cn_when;

// Both places, and the axes: mean of both normals, then tangents, the first one that of side i.
typedef struct cn_placed {
    cn_vec3 at[2], axis[3];
} cn_placed;

// The corners of a facet of a skin: 2, 3, or 4 of a four-sided face.
typedef struct cn_facet {
    int count, node[CN_ANCHOR_NODES];
} cn_facet;
cn_facet cn_interface_facet(const cn_bodies *b, int body, int facet);

// A node of the mesh of a deformable body.
cn_vec3 cn_interface_node(const cn_bodies *b, cn_when when, int body, int node);

// Frame of a side; a rigid body has one, whatever the facet. Its last axis is the outward normal of
// a facet in space, its second one points inward in the plane.
cn_mat3 cn_interface_frame(const cn_bodies *b, cn_when when, int body, int facet);

// Mass centre of a rigid body.
cn_vec3 cn_interface_centre(const cn_bodies *b, cn_when when, int body);

// A place at the start of the step, in the frame of a rigid body.
void cn_interface_put_on_body(const cn_bodies *b, int body, cn_vec3 place, double *kept);

// Where side 0 or 1 of a point acts if its body is deformable.
cn_anchor cn_interface_anchor(const cn_bodies *b, int body, const double *state, int side);

// The facet of a side, -1 if it is rigid.
int cn_interface_facet_of(const cn_bodies *b, int body, const double *state, int side);

cn_placed cn_interface_place(const cn_bodies *b, cn_when when, const int body[2],
                             const double *state);

// What a new point is made of, at the start of the step: its area, where it is on both bodies as
// the state keeps it, the normal from body j to body i and a tangent.
typedef struct cn_bond_seed {
    int body[2];
    double area;
    double anchor[2][3];
    cn_vec3 normal, tangent;
    bool is_beam; // it transmits moments, too (interface_beam.h)
} cn_bond_seed;

// Writes the state of a point as if the last step had left it closed.
void cn_interface_sow(const cn_bodies *b, const cn_bond_seed *seed, double *state);
