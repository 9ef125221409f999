// detect/ccd.h -- a second look at bodies that turn, where a solve takes them (6.2).
#pragma once

#include "base/slices.h"
#include "base/stop.h"
#include "body/bodies.h"
#include "detect/narrow_cache.h"
#include "law/law.h"

struct cn_point;

// A pair of shapes that may enter each other by turning, or under a law that meets them late: in
// the order of ids.
typedef struct cn_turning {
    int s, t;
    int law;
    signed char shift[3];
    int look;              // the last one that found it entering, from 1; 0: none
    double depth, before;  // of the last one and of the one before [m]
    int vain, vain_before; // looks whose points did not help, likewise
} cn_turning;

typedef struct cn_ccd {
    cn_turning *pair; // kept by the narrow phase until the step is accepted
    int pair_count;
    int look;                // of this step, from 1
    unsigned char *can_turn; // per shape: the step may turn its surface
    struct cn_point *point;  // what the last look found
    int point_count;
    struct cn_point *kept; // what all looks of the step found
    int kept_count;
    double *q;     // the next middle configuration
    cn_stop *stop; // looked at by long loops; NULL: none
    cn_slices parts;
    size_t pair_capacity, point_capacity, kept_capacity, q_capacity, can_turn_capacity;
} cn_ccd;

// What a look needs to know of the step.
typedef struct cn_ccd_step {
    const cn_law_entry *law;
    const cn_narrow_cache *cache; // of pairs of polyhedra
    double h, theta, gamma;
    int thread_count;
    bool (*is_bonded)(const void *context, int i, int j); // whether a contact of both is bilateral
    const void *context;
} cn_ccd_step;

void cn_ccd_free(cn_ccd *a, const cn_hooks *hooks);

// Marks the shapes whose surface the step may turn; *some tells whether there is one.
cn_status cn_ccd_mark(cn_ccd *a, const cn_bodies *b, int shape_count, const cn_hooks *hooks,
                      bool *some, cn_error *err);

// Whether shapes s and t are to be looked at: one of them may turn, or they come closer by `late`
// [m] under a law that would not see it in this step (6.5).
bool cn_ccd_may_enter(const cn_ccd *a, const cn_bodies *b, int s, int t, double late);

// Looks at all pairs at the next middle configuration, with the state at the end of the step in q,
// v and v_solved. Where bodies have entered each other, `point` is filled with points of this step
// whose conditions keep them out.
cn_status cn_ccd_look(cn_ccd *a, const cn_bodies *b, const cn_ccd_step *step, const cn_hooks *hooks,
                      cn_error *err);
