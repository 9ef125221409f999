// validation/limit_rig.h -- scenes written as text and their limits, for cases of limit analysis.
#pragma once

#include "validation.h"

// A scene under way. After a failure, which the book records, all calls do nothing.
typedef struct cn_limits {
    cn_book *book;
    char *text;
    size_t length;
    cn_scene *scene;
    cn_limit_model *model;
    bool is_broken;
} cn_limits;

// Begins with the keys that all have: dimension, material m of this density, friction `mu`.
cn_limits cn_limits_begin(cn_book *book, int dim, double density, double mu);
// The same with another law, as the text of its entry.
cn_limits cn_limits_begin_law(cn_book *book, int dim, double density, const char *law);
void cn_limits_add(cn_limits *l, const char *format, ...) CN_PRINTF(2, 3);
void cn_limits_end(cn_limits *l);

// Case k of the scene (-1: its dead load) to this gap; NULL after a failure. The scene takes no
// more text once it was asked. To be destroyed by cn_limit_answer_destroy.
cn_limit_answer *cn_limits_find(cn_limits *l, int k, double gap);

// Multipliers without dilatancy, from no shift; false after a failure.
bool cn_limits_coulomb(cn_limits *l, int k, cn_limit_coulomb *found);

// Shares of joints or friction at which the dead load comes down, to this gap; false after a
// failure.
bool cn_limits_least(cn_limits *l, cn_limit_less what, double gap, cn_limit_share *share);

// The domain of case k and its other load; false after a failure. To be freed by
// cn_limit_domain_free in any case.
bool cn_limits_domain(cn_limits *l, int k, cn_limit_domain *domain);

// Its two bounds, over `unit`, against a reference; the gap likewise.
void cn_limits_check(cn_limits *l, int k, const char *name, double unit, double reference,
                     double tolerance);
