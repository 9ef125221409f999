// analyse/analyse.h -- quantities of samples, one file each; table.c lists them.
#pragma once

#include "cairn/analyse.h"
#include "cairn/vec.h"

extern const cn_analysis cn_analysis_stress, cn_analysis_fabric, cn_analysis_coordination;

// Mass centre of a body.
static inline cn_vec3 cn_sample_centre(const cn_sample *s, int i)
{
    const double *q = s->q + s->q_size * i;
    return cn_v3(q[0], q[1], s->dim == 3 ? q[2] : 0.0);
}

// A contact through which bodies press each other.
static inline bool cn_is_pressed(const cn_contact *c)
{
    return c->r[0] > 0.0;
}

// sqrt(3/2 D : D) of the deviator D of a symmetric tensor of space, xx yy zz yz zx xy.
double cn_deviator(const double t[6]);
