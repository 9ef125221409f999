// body/deformable/quasi_static.h -- quasi-static bodies that only contacts hold, theory 11.11.
#pragma once

#include "body/deformable/deformable.h"

// Fictitious mass over what resists the softest homogeneous stretch, in the matrix of a loose body.
extern const double CN_LOOSE_SHARE;

// Whether held degrees of freedom leave the body a rigid motion. They and the model decide alone,
// so that bodies which share a factor agree.
bool cn_deformable_is_floating(const cn_model *model, const unsigned char *held);

// Mass in the matrix over the true one, 0 if it has no shift; writes the second half of
// p->work.
double cn_deformable_fictitious_mass(const cn_deformables *m, const cn_deformable_work *p);
