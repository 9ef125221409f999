// geometry/surface/doctor/repair_steps.h -- the steps of a repair. Each changes lists, never the
// shape, and tells what it did.
#pragma once

#include "geometry/surface/doctor/doctor.h"

typedef struct cn_repair {
    cn_surface *s;
    const cn_surface_fix_def *def;
    cn_error *err;
} cn_repair;

// Faces that something was done to: all counted, the first ones listed.
typedef struct cn_tally {
    int64_t count;
    int64_t face[CN_DEFECT_PLACES];
} cn_tally;

void cn_tally_add(cn_tally *tally, int64_t face);

// Tells "3 triangles <done>: faces 1, 2, 5" unless there are none.
void cn_repair_tell(const cn_repair *r, const cn_tally *tally, const char *thing, const char *done);

// Flat triangles with distinct corners: the middle corner lies on the edge of the two others, which
// is flipped, so that the neighbour is split there.
cn_status cn_repair_flat(const cn_repair *r);

// Turns triangles so that neighbours face the same side, then parts that are inside out.
cn_status cn_repair_orientation(const cn_repair *r);
cn_status cn_repair_inverted(const cn_repair *r);
