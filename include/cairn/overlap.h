/// cairn/overlap.h -- where bodies overlap, found without anything that contact detection uses.
///
/// Points of every body are held against the true shape of every neighbour (theory 9.11 to 9.14),
/// at the positions at which the contacts of the last step were set up, and compared with these;
/// then at the positions at its end, where bodies without any contact must not be in each other.
#pragma once

#include "cairn/base.h"
#include "cairn/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The worst of one kind of finding; both ids are 0 if there is none.
typedef struct cn_overlap_pair {
    cn_body_id i, j;
    double depth;    ///< [m]
    double rel;      ///< over the size of the smaller shape, or the thickness of a thin one [-]
    double point[3]; ///< where [m]
} cn_overlap_pair;

typedef struct cn_overlap {
    cn_overlap_pair deepest; ///< deepest overlap of two bodies, the largest depth
    cn_overlap_pair unseen;  ///< depth beyond what any contact of the pair knows; the largest rel
    cn_overlap_pair phantom; ///< distance of two bodies at a contact that pushes; the largest rel
    int64_t pair_count;      ///< pairs of shapes whose boxes overlap
    int64_t point_count;     ///< points that were tried
} cn_overlap;

/// From this `rel` on an overlap that is unseen or a contact that is a phantom is an error of the
/// program, and runs tell it as such.
#define CN_OVERLAP_MISSED 1e-3

/// Looks for overlaps and phantom contacts of the last step (or of cn_world_detect) and keeps the
/// answer in the certificate. Bodies that ignore each other by a rule or a joint, bodies that both
/// cannot move and parts of one body are left out. CN_BAD_INPUT: no contacts were looked for since
/// the world was made or changed.
CN_API cn_status cn_world_overlap(cn_world *w, cn_overlap *overlap, cn_error *err);

/// Whether a finding is an error of the program, see CN_OVERLAP_MISSED.
CN_API bool cn_overlap_is_missed(const cn_overlap *overlap);

#ifdef __cplusplus
}
#endif
