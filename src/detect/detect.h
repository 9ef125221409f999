// detect/detect.h -- from bodies to contact points: alert distance, broad phase, narrow phase.
#pragma once

#include "base/incidence.h"
#include "base/slices.h"
#include "base/stop.h"
#include "body/bodies.h"
#include "body/deformable/contact_node.h"
#include "body/deformable/skin.h"
#include "detect/broad/broad.h"
#include "detect/ccd.h"
#include "detect/narrow_cache.h"
#include "detect/plane/narrow_plane.h"
#include "detect/space/narrow_space.h"

// One point found between two bodies.
typedef struct cn_point {
    int i, j; // slots, id of i below id of j
    int law;
    signed char shift[3];
    bool is_bond;     // of an interface (contact/interface.c)
    bool is_beam;     // and one with moments
    bool is_fast;     // set up at q because the pair moves past its thickness in a step (6.1)
    uint64_t feature; // shapes within both bodies (16 bits each), then feature of the point
    cn_vec3 point, normal;
    double gap;    // at q_mid, or at q if is_fast [m]
    int anchor[2]; // of sides i and j on deformable bodies, -1: rigid
} cn_point;

typedef struct cn_points {
    const cn_point *point;
    int count;
} cn_points;

// The two shapes of a feature.
static inline int cn_feature_shape_i(const cn_bodies *b, int i, uint64_t feature)
{
    return b->shape_start[i] + (int)(feature >> 48);
}

static inline int cn_feature_shape_j(const cn_bodies *b, int j, uint64_t feature)
{
    return b->shape_start[j] + (int)(feature >> 32 & 0xffff);
}

// Which law two bodies obey: CN_LAW_NO_CONTACT, CN_LAW_UNKNOWN or its number.
#define CN_LAW_UNKNOWN (-2)
typedef struct cn_rules {
    int group_count;
    const int *law; // group_count x group_count
    int apart_count;
    const uint64_t *apart; // sorted pairs of slots that never touch: cn_pair_apart
    int entry_count;
    const cn_law_entry *entry; // laws by their numbers
} cn_rules;

// A pair of slots whatever their order.
static inline uint64_t cn_pair_apart(int i, int j)
{
    return i < j ? (uint64_t)i << 32 | (uint32_t)j : (uint64_t)j << 32 | (uint32_t)i;
}

// Velocities that the points of a body may have at the end of a step: its own and those of bodies
// that push it, in a ball (5.1).
typedef struct cn_drift {
    cn_vec3 centre; // [m/s]
    double radius;  // [m/s]
} cn_drift;

// The same to seven digits, kept while the step is solved.
typedef struct cn_ball {
    float centre[3], radius; // [m/s]
} cn_ball;

// A point near a facet, one of those from which the nearest is taken.
typedef struct cn_hit {
    uint64_t probe; // node or corner of a rigid shape
    int mesh;       // whose skin it meets
    int facet;
    double gap;
    cn_spot spot;
    cn_vec3 point; // of the probe, on its surface
    bool is_fast;  // found where both start
    bool is_far;   // beyond reach: it only tells that the probe stands before the body
} cn_hit;

// A pseudo-rigid polyhedron where it is at q_mid and where it starts.
typedef struct cn_soft_hull {
    cn_hull hull[2];
    cn_solid solid[2];
    cn_vec3 centre[2];
} cn_soft_hull;

// A shape again, by whole vectors of the periodic cell.
typedef struct cn_image {
    int shape;
    signed char shift[3];
} cn_image;

// A half-plane or half-space at q_mid: points up to `height` along the normal may be in it within
// the step [m].
typedef struct cn_half {
    int shape;
    cn_vec3 normal;
    double height;
} cn_half;

// Detection in groups by who writes them. A box belongs to a shape; deformable bodies add those of
// nodes of skins, of facets and of pseudo-rigid polyhedra, in this order. Capacities are in
// entries.
typedef struct cn_detect {
    const cn_hooks *hooks;
    int thread_count;             // results do not depend on it; 0 or 1: one
    cn_stop *stop;                // looked at by long loops; NULL: none
    const unsigned char *covered; // of nodes of skins, then facets: not looked at; NULL: none is

    // alert.c: how far bodies may move
    double h;              // step; 0 in checks without motion [s]
    double reach;          // gap that counts as closing whatever the motion [m]
    double law_reach;      // of laws that act at a distance [m]
    cn_incidence touching; // pairs of the last step at each body, if threads need them
    cn_drift *drift;       // bodies
    cn_ball *ball;         // bodies
    bool needs_redetect;   // balls hold velocities of a solve of this step
    double strain;         // |L| h of the cell that is reckoned with [-]
    double *motion;        // bodies: how far each may move in the step, its neighbours too [m]

    // cn_detect_broad: pairs of boxes
    cn_broad broad;
    cn_box3 *box;  // shape_count + node_count + facet_count + hull_count
    cn_half *half; // half_count: in the order of the shapes
    int half_count;
    cn_image *image; // image_count: their boxes follow those of the shapes
    int image_count;
    int shape_count, node_count, facet_count, hull_count;
    int *owner;                         // mesh of each node, facet and polyhedron
    cn_soft_hull *hull;                 // hull_count, and their vertices and planes:
    cn_vec3 *hull_vertex, *hull_normal; // two states each
    double *hull_offset;

    // cn_detect_narrow: points
    cn_narrow_cache cache;           // of pairs of polyhedra
    size_t corner_tests, edge_tests; // work of the last look at them, for tests and reports
    cn_point *point;                 // point_count
    int point_count;
    cn_hit *hit; // hit_count: points near facets, before the nearest facet is known
    int hit_count;
    cn_anchor *anchor; // anchor_count: where points act on deformable bodies
    int anchor_count;
    cn_slices parts; // of the list of points

    // ccd.c: pairs to be looked at once more after a solve
    cn_ccd ccd;

    size_t drift_capacity, ball_capacity, motion_capacity, box_capacity, half_capacity;
    size_t image_capacity;
    size_t owner_capacity, hull_capacity, hull_vertex_capacity, hull_normal_capacity;
    size_t hull_offset_capacity, point_capacity, hit_capacity, anchor_capacity;
} cn_detect;

void cn_detect_init(cn_detect *d, const cn_hooks *hooks);
void cn_detect_free(cn_detect *d);

// Alert distances from the motion (5.1). `touching` are pairs of slots of bodies that touched in
// the last step: what hits one may push the other within this step. `of` are the pairs of each
// body, for several threads; NULL: found if need be.
cn_status cn_detect_motion(cn_detect *d, const cn_bodies *b, double h, cn_links touching,
                           const cn_incidence *of, cn_error *err);

// Likewise two bodies that are joined, after cn_detect_motion.
void cn_detect_share(cn_detect *d, const cn_bodies *b, int i, int j);

// A step begins: no solve has told yet where it leads.
static inline void cn_detect_begin(cn_detect *d)
{
    d->needs_redetect = false;
    d->ccd.kept_count = 0;
}

// Makes the balls of bodies hold the velocities of a solve, and tells in needs_redetect whether one
// was too small: contacts may be missing, and cn_detect_motion is to be called again (5.2).
void cn_detect_needs_redetect(cn_detect *d, const cn_bodies *b);

// Motion of two bodies against each other within the step, at most [m].
double cn_detect_between(const cn_detect *d, const cn_bodies *b, int i, int j);

// Adds the same reach to all bodies: for checks without motion.
cn_status cn_detect_reach(cn_detect *d, const cn_bodies *b, double reach, cn_error *err);

// Boxes of all shapes, then pairs of boxes that overlap.
cn_status cn_detect_broad(cn_detect *d, const cn_bodies *b, const cn_rules *rules, cn_error *err);

// Points of all pairs, in the order of the pairs.
cn_status cn_detect_narrow(cn_detect *d, const cn_bodies *b, const cn_rules *rules, cn_error *err);

// Points of two shapes in the plane, in three coordinates.
int cn_narrow_flat(const cn_posed *x, const cn_posed *y, double reach, cn_touch3 *touch);

// detect/skin/pseudo_rigid_points.c: pseudo-rigid polyhedra (11.30), and their boxes; the points of
// such a one with another one or with a rigid shape.
bool cn_hulls_has(const cn_bodies *b, int mesh);
cn_status cn_hulls_place(cn_detect *d, const cn_bodies *b, cn_error *err);
cn_status cn_hulls_meet(cn_detect *d, const cn_bodies *b, int a, int c, int law, double reach,
                        cn_error *err);

// detect/skin/: parts of the above for deformable bodies. Boxes of nodes and facets
// after those of the shapes; whether two boxes may meet if one of them is such; the points of such
// a pair, of which those on facets are held back until the nearest facet is known.
cn_status cn_skins_boxes(cn_detect *d, const cn_bodies *b, cn_error *err);
bool cn_skins_may_pair(const cn_detect *d, const cn_bodies *b, int a, int c);
int cn_skins_slot(const cn_detect *d, const cn_bodies *b, int box);
cn_status cn_skins_meet(cn_detect *d, const cn_bodies *b, int a, int c, int law, double reach,
                        cn_error *err);
cn_status cn_skins_choose(cn_detect *d, const cn_bodies *b, const cn_rules *rules, cn_error *err);

// Names of points: the shape of a rigid side, then the node, the corner or what narrow3 says.
uint64_t cn_skins_feature(const cn_bodies *b, int slot_i, int shape_i, int slot_j, int shape_j,
                          uint32_t name);

// Adds an anchor; and a point, unless both sides are held along its normal.
cn_status cn_skins_add_anchor(cn_detect *d, cn_anchor anchor, int *place, cn_error *err);
cn_status cn_skins_add_point(cn_detect *d, const cn_bodies *b, const cn_point *point,
                             cn_error *err);
