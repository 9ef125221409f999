// body/deformable/contact_node.h -- a point of a deformable body that a contact acts on.
#pragma once

#include <stdbool.h>

#include "cairn/vec.h"

typedef struct cn_deformables cn_deformables;

enum { CN_ANCHOR_NODES = 4 };

// A point of a body that a contact acts on: nodes with weights (11.4).
typedef struct cn_anchor {
    int mesh; // body among the deformables
    int count;
    int node[CN_ANCHOR_NODES]; // of the mesh of the body
    double weight[CN_ANCHOR_NODES];
} cn_anchor;

// Contact sides (11.4). Velocity of the point, or the value there of another field, like x.
cn_vec3 cn_anchor_velocity(const cn_deformables *m, const cn_anchor *anchor, const double *v);

// Adds the impulse of a contact.
void cn_anchor_push(cn_deformables *m, const cn_anchor *anchor, cn_vec3 r);

// Whether an impulse along n at the point can move the body.
bool cn_anchor_can_move(const cn_deformables *m, const cn_anchor *anchor, cn_vec3 n);

// H^T of `count` axes as a full vector of the body: adds sign x weight x axis to H,
// cn_deformable_dof numbers per axis; zero at held degrees of freedom.
void cn_anchor_rows(const cn_deformables *m, const cn_anchor *anchor, int count,
                    const cn_vec3 *axis, double sign, double *H);

// Condensed rows of large bodies: adds sign x axis_a . A^-1 . axis_b of two anchors on one body to
// a dim x dim block, rows first. The responses of their nodes must be known.
void cn_anchor_couple(const cn_deformables *m, const cn_anchor *a, const cn_vec3 *axis_a,
                      const cn_anchor *b, const cn_vec3 *axis_b, double sign, double *block);
