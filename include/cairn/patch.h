/// cairn/patch.h -- what masons read from contact points: the patches on which blocks lie, the
/// resultant on each, where it acts, and how near it is to the edge of the patch or of the friction
/// (theory 16.17 to 16.19).
#pragma once

#include "cairn/base.h"
#include "cairn/result.h"
#include "cairn/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The contact points of two bodies whose normals agree. A point alone is a patch without area.
typedef struct cn_patch_force {
    int i, j;         ///< bodies of the contacts; the force acts on i, the normal points to i
    int first, count; ///< its contacts: places in cn_patch_forces.order
    double normal[3], tangent[2][3]; ///< of its first contact; in the plane one tangent
    int corner_first,
        corner_count;    ///< of the convex hull of its points in cn_patch_forces.corner
    double area;         ///< of the hull [m2], in the plane its length [m]
    double centre[3];    ///< of the hull [m]
    double force[3];     ///< resultant [N s], or [N] if the contacts hold forces
    double push;         ///< its part along the normal
    double shear;        ///< its part along the patch
    double moment[3];    ///< of the contacts about the centre [N m s] or [N m]
    double at[3];        ///< point of action: mean of the points weighted by what presses them [m];
                         ///< the centre where nothing presses
    double eccentricity; ///< from the centre to the point of action over from there to the edge:
                         ///< 0 centred, 1 at the edge; NaN: nothing presses, or there is no edge
    bool in_kernel;      ///< a pressure that varies linearly over the patch presses all of it
} cn_patch_force;

/// Patches in the order of their pairs. Belongs to the caller, who calls cn_patch_forces_free.
typedef struct cn_patch_forces {
    int count;
    cn_patch_force *patch;
    int *order;     ///< contacts, patch after patch
    double *corner; ///< two of each corner: along the tangents, from the centre [m], as they come
                    ///< when the patch is walked round; in the plane the second is zero
} cn_patch_forces;

/// Gathers `count` contacts of a view, a frame or an answer of limit analysis of dimension `dim`.
CN_API cn_status cn_patch_forces_find(const cn_contact *contact, int count, int dim,
                                      cn_patch_forces *patches, cn_error *err);
/// NULL is allowed.
CN_API void cn_patch_forces_free(cn_patch_forces *patches);

/// A piece of the line of thrust (theory 16.17): through a body that is pressed on two sides,
/// from where one resultant acts to where the other does [m]. A side may have several patches.
typedef struct cn_thrust {
    int body;
    double end[2][3];
} cn_thrust;

/// Pieces in the order of the bodies. *pieces belongs to the caller, who frees it.
CN_API cn_status cn_thrust_find(const cn_patch_forces *patches, int body_count, cn_thrust **pieces,
                                int *count, cn_error *err);

/// The patches of a frame (negative: from the end) as text: a header, then comma separated lines
/// with the names of both bodies, forces in N. CN_BAD_INPUT: a frame without forces. *table belongs
/// to the caller, who frees it.
CN_API cn_status cn_patch_force_table(cn_reader *reader, int frame, char **table, cn_error *err);

/// The bonded points of a frame likewise, those that are broken among others that hold included:
/// area, damage, opening and slip [m], tractions along normal and joint (tension above zero) [Pa],
/// mode (0: opens, 1: slips), energy spent on damage [J]. Points of joints that are broken
/// altogether are contacts and not listed.
CN_API cn_status cn_bond_table(cn_reader *reader, int frame, char **table, cn_error *err);

/// How far the joints of frame 0 have opened and slipped in a frame (theory 16.28), likewise: place
/// and normal now, the gap in frame 0, the least and the most opening of its points, which are gaps
/// of its rigid bodies wherever these have gone, and the most slip since frame 0 [m]. NaN: a body
/// is gone or deformable.
CN_API cn_status cn_crack_table(cn_reader *reader, int frame, char **table, cn_error *err);

#ifdef __cplusplus
}
#endif
