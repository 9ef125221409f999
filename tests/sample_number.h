// tests/sample_number.h -- numbers of quantities of samples by their names.
#pragma once

#include "analyse/analyse.h"
#include "test.h"

// The number of a quantity that has this name.
static inline double number(const cn_sample *s, const char *quantity, const char *name)
{
    const cn_analysis *x = cn_analysis_named(quantity);
    double out[CN_ANALYSIS_MOST];
    x->find(s, out);
    const char *at = s->dim == 2 ? x->plane : x->space;
    for (int k = 0;; k++) {
        size_t length = strcspn(at, " ");
        if (strlen(name) == length && strncmp(at, name, length) == 0) {
            return out[k];
        }
        CN_TRUE(at[length] != '\0');
        at += length + 1;
    }
}
