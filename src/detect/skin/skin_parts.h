// detect/skin/skin_parts.h -- what the files of this folder share: which box is what, where nodes
// and facets are, and which shapes look for facets with what.
#pragma once

#include "body/deformable/deformables.h"
#include "detect/detect.h"

// Of a probe: it belongs to a rigid shape, whose number is in bits 32 to 62, and is named by bits 0
// to 31: a corner, or the crossing of an edge with a crease. Else the probe is the box of a node.
#define CN_SKIN_CORNER (UINT64_C(1) << 63)
#define CN_SKIN_CROSSING UINT32_C(0x10000000) // and 28 bits
// The name of a crossing of creases of two meshes: no node has it.
#define CN_SKIN_CREASES UINT32_C(0x80000000) // and 31 bits

static inline uint64_t cn_skin_probe(int shape, uint32_t name)
{
    return CN_SKIN_CORNER | (uint64_t)shape << 32 | (name & 0x7fffffffu);
}

typedef enum cn_skin_box { CN_BOX_SHAPE, CN_BOX_NODE, CN_BOX_FACET, CN_BOX_HULL } cn_skin_box;

cn_skin_box cn_skin_box_kind(const cn_detect *d, int box);

// The mesh behind a box of a node or facet; the node of its skin (or the facet whose middle stands
// for one); its facet.
int cn_skin_mesh(const cn_detect *d, int box);
int cn_skin_node(const cn_detect *d, const cn_deformables *m, int box);
int cn_skin_facet(const cn_detect *d, const cn_deformables *m, int box);

// Where a node of a mesh is at q_mid.
cn_vec3 cn_skin_place(const cn_deformables *m, int k, int node);

// Where a node of a skin acts: there, or all over the facet whose middle it is; where that is, and
// its name: the node of the mesh, or the facet.
cn_anchor cn_skin_anchor(const cn_deformables *m, int k, int node);
cn_vec3 cn_skin_anchor_place(const cn_deformables *m, const cn_anchor *anchor);
uint32_t cn_skin_name(const cn_deformables *m, int k, int node);

// Whether all nodes of body k look for facets of body l: those of the finer skin, or of both
// (11.17).
bool cn_skin_is_searching(const cn_deformables *m, int k, int l);

// Radius of what rounds the corners of a shape; none for polygons, polyhedra and what has no
// corner.
double cn_skin_rounding(const cn_bodies *b, int s);

// Shapes whose corners and roundings look for facets; solids without corners, of which the points
// that are lowest over a facet look for it. Others surround a skin: nodes find them.
bool cn_skin_has_corners(const cn_bodies *b, int s);
bool cn_skin_is_round(const cn_bodies *b, int s);

// Outward normal of a facet at q_mid.
cn_vec3 cn_skin_facet_normal(const cn_deformables *m, int k, int f);

// Whether some facet around a node, or their mean, looks against the normal; or the facet whose
// middle it is.
bool cn_skin_is_facing(const cn_deformables *m, int k, int node, cn_vec3 n, double cosine);

// Corners of facet f of body k and the normals there. Where the body starts the facet is flat,
// unless that is where contacts are set up anyway: a hit does not snag on a node.
void cn_skin_see_facet(const cn_deformables *m, int k, int f, bool is_at_start, cn_vec3 *corner,
                       cn_vec3 *normal);

// Keeps a hit that tells something of its probe.
cn_status cn_skin_add_hit(cn_detect *d, const cn_deformables *m, cn_hit *hit, double reach,
                          cn_error *err);

// Whether a body moves past the depth that counts behind the facets of body l within a step: they
// then meet where they start (6.1).
bool cn_skin_is_fast(const cn_detect *d, const cn_bodies *b, int slot, int l);

// Two looks at a place of a fast pair, where the step starts and at q_mid: whether it only slides
// there, since the gap changes in between as a step of up to `most` across the surface changes it.
// Such a place is met at q_mid like any other (6.1) [m].
typedef struct cn_skin_look {
    cn_vec3 normal;
    double gap;
} cn_skin_look;

cn_skin_look cn_skin_deepest(const cn_touch3 *touch, int count);
bool cn_skin_slides(const cn_deformables *m, cn_skin_look start, cn_skin_look mid, double most);

// The same of a point over the plane of facet f of body k.
bool cn_skin_slides_over(const cn_deformables *m, int k, int f, cn_vec3 start, cn_vec3 mid);

// Where a point stands over a sharp edge of the facet of a hit, between nodes: fills its spot.
bool cn_skin_find_crease(const cn_deformables *m, cn_vec3 point, bool is_at_start, cn_hit *hit);

// Edges of a polyhedron, or the rod of a capsule, that cross sharp edges of a facet.
cn_status cn_skin_meet_creases(cn_detect *d, const cn_bodies *b, int s, int other, double reach,
                               cn_error *err);

// Sharp edges of two facets of different meshes that cross between their nodes; whether a facet has
// any that is named with it.
bool cn_skin_has_crease(const cn_deformables *m, int k, int f);
cn_status cn_skin_cross_creases(cn_detect *d, const cn_bodies *b, int box, int other, int law,
                                double reach, cn_error *err);

// The boxes of a pair of which the second is of a facet.
cn_status cn_skin_meet_facet(cn_detect *d, const cn_bodies *b, int box, int other, double reach,
                             cn_error *err);
