// limit/hinges.h -- points where bodies of a mechanism turn about each other, and how finite
// motions keep them together (theory 16.22).
#pragma once

#include "limit/limit_model.h"

// Places of bodies are x y angle, in space x y z and a unit quaternion w x y z, seven each.
enum { CN_PLACE = 7 };

typedef struct cn_hinge {
    int body[2];
    double arm[2][3]; // of the point, in the frames of the bodies [m]
    bool is_used;     // in the step that is made
} cn_hinge;

typedef struct cn_hinges {
    int count;
    size_t capacity;
    cn_hinge *hinge;
    double *room; // of the corrections: 4 times six of each body
    int body_count;
} cn_hinges;

// The closed points of an answer that do not move apart; bodies are at q.
cn_status cn_hinges_find(const cn_limit_model *model, const cn_limit_answer *answer, double close,
                         double speed, const double *q, cn_hinges *hinges, cn_error *err);

// Moves bodies by the least motion after which the points of hinges meet again. Hinges whose points
// are further apart than `most` have opened and are left alone.
void cn_hinges_close(const cn_limit_model *model, double most, cn_hinges *hinges, double *q);

void cn_hinges_free(cn_hinges *hinges);
