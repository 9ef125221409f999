// contact/interface_list.h -- the points of interfaces that live, in order, for the files that make
// the points of a step.
#pragma once

#include "contact/interface_place.h"

// A point of an interface, or a contact that touched beside one: its bodies and shapes, the facets
// of both if it is on meshes, and its place in the memory.
typedef struct cn_bonded_pair {
    uint64_t pair, shapes, facets;
    int n;
} cn_bonded_pair;

// The state of point k of the list.
static inline const double *cn_bonded_state(const cn_contacts *c, int k)
{
    return c->memory_state + c->memory_start[c->bonded[k].n];
}

// The end of the points, from n on, that hold and break together: those between the same two
// facets, of rigid bodies the same two shapes.
int cn_bonded_end_of_group(const cn_contacts *c, int n);

// The end of the points, from n on, between the same two shapes; the first one of those of a
// contact between these bodies, -1: none.
int cn_bonded_end_of_interface(const cn_contacts *c, int n);
int cn_bonded_find(const cn_contacts *c, uint64_t pair, uint64_t feature);

// Whether a point has moved so far that its normal tells nothing of where the surfaces touch: along
// the axes from `first` on.
bool cn_bonded_is_far(const cn_bodies *b, const int body[2], const double *opening, int first);

// The node of a mesh that a side of a point is at, -1: between nodes, or rigid.
int cn_bonded_node(const cn_bodies *b, int body, const double *state, int side);

// Corners of meshes that points of interfaces hold on each other, around an edge or a vertex of
// many pieces, form a fan: c->bond_root has one number for all corners of a fan.
cn_status cn_fans_make(cn_contacts *c, const cn_bodies *b, cn_error *err);

// Whether a node that was found on a facet holds to a corner of that facet: it is no contact.
bool cn_fans_join(const cn_contacts *c, const cn_bodies *b, const cn_detect *d, const cn_point *x);

// Marks the nodes and facets of skins that lie inside a bonded body: on facets that fit each other
// corner by corner and hold. Detection leaves them out.
cn_status cn_fans_cover(cn_contacts *c, const cn_bodies *b, cn_error *err);

// ---- rough interfaces: interface_rough.c

// What the points of each face share in this step, written into their states: it follows from the
// last accepted step alone.
void cn_rough_share(cn_contacts *c, const cn_bodies *b, const cn_rules *rules);

// The normal of a point of an interface: of flat ones the mean of both sides.
cn_vec3 cn_rough_normal(const cn_law_entry *entry, const cn_placed *x, const double *state);

// The gap of a point along that normal.
double cn_rough_gap(const cn_law_entry *entry, const cn_placed *x, const double *state);

// Keeps dilation and pressure at the end of a step; the slip of `state` is the new one.
void cn_rough_keep(const cn_contacts *c, int a, const double *old, const cn_placed *now,
                   double *state);
