// study/plan.c -- which runs a study has, as a function of the file and of outcomes: nothing here
// depends on when or where runs take place.
#include <math.h>

#include "base/hash.h"
#include "study/study.h"

int cn_study_line_count(const cn_study *study)
{
    return study != NULL ? study->line_count : 0;
}

int cn_study_run_max(const cn_study *study)
{
    return study != NULL ? study->run_max : 0;
}

int cn_study_bisected(const cn_study *study)
{
    return study != NULL ? study->bisected : -1;
}

int cn_study_fragility(const cn_study *study)
{
    return study != NULL ? study->fragility : -1;
}

// A number in [from, to) that belongs to this draw of this param.
static double drawn(const cn_study *study, int draw, int k)
{
    const double *end = study->range[k].value;
    uint64_t state = cn_mix2(cn_mix2(study->seed, (uint64_t)draw), (uint64_t)k);
    return end[0] + (end[1] - end[0]) * cn_random(&state);
}

// Values of a line; that of a bisected param is left alone. Lists turn like an odometer: the last
// one fastest; draws are innermost.
static void line_values(const cn_study *study, int line, double *value)
{
    bool is_drawn = false;
    for (int k = 0; k < study->range_count; k++) {
        is_drawn = is_drawn || study->range[k].kind == CN_RANGE_UNIFORM;
    }
    int combination = is_drawn ? line / study->draw_count : line;
    for (int k = study->range_count - 1; k >= 0; k--) {
        const cn_study_range *range = &study->range[k];
        if (range->kind == CN_RANGE_UNIFORM) {
            value[k] = drawn(study, line, k);
        } else if (range->kind == CN_RANGE_LIST) {
            value[k] = range->value[combination % range->count];
            combination = study->is_together ? combination : combination / range->count;
        }
    }
}

bool cn_study_bracket(const cn_study *study, int line, int done, const bool *has_failed,
                      double value[2])
{
    if (study == NULL || study->bisected < 0 || value == NULL || (done > 0 && has_failed == NULL)) {
        return false;
    }
    (void)line; // every line bisects the same interval
    const cn_study_range *range = &study->range[study->bisected];
    value[0] = range->value[0];
    value[1] = range->value[1];
    if (done < 2 || has_failed[0] == has_failed[1]) {
        return false;
    }
    for (int n = 2; n < done; n++) {
        double middle = 0.5 * (value[0] + value[1]);
        value[has_failed[n] == has_failed[0] ? 0 : 1] = middle;
    }
    return true;
}

bool cn_study_next(const cn_study *study, int line, int done, const bool *has_failed, double *value)
{
    if (study == NULL || value == NULL || (done > 0 && has_failed == NULL)) {
        return false;
    }
    line_values(study, line, value);
    if (study->bisected < 0) {
        return done == 0;
    }
    const cn_study_range *range = &study->range[study->bisected];
    if (done < 2) { // both ends first
        value[study->bisected] = range->value[done];
        return true;
    }
    double end[2];
    if (!cn_study_bracket(study, line, done, has_failed, end)) {
        return false;
    }
    value[study->bisected] = 0.5 * (end[0] + end[1]);
    return done < study->run_max && fabs(end[1] - end[0]) > range->tolerance;
}
