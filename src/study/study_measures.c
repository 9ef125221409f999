// study/study_measures.c -- what a study notes of a finished run.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/study.h"

static double reduce(const cn_column *column, cn_take take)
{
    if (column->count == 0) {
        return NAN;
    }
    double least = INFINITY, most = -INFINITY, sum = 0.0;
    for (int64_t k = 0; k < column->count; k++) {
        least = fmin(least, column->value[k]);
        most = fmax(most, column->value[k]);
        sum += column->value[k];
    }
    switch (take) {
    case CN_TAKE_FIRST:
        return column->value[0];
    case CN_TAKE_LEAST:
        return least;
    case CN_TAKE_MOST:
        return most;
    case CN_TAKE_MEAN:
        return sum / (double)column->count;
    case CN_TAKE_LAST:
        break;
    }
    return column->value[column->count - 1];
}

// An observed series of that name, else a column of the history.
static cn_status probe(const cn_study_probe *p, cn_reader *reader, double *value, cn_error *err)
{
    char name[256];
    cn_column column;
    snprintf(name, sizeof name, "series/%s", p->series);
    if (cn_reader_column(reader, name, &column, NULL) != CN_OK &&
        cn_reader_column(reader, p->series, &column, NULL) != CN_OK) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "'%s': the run has no series '%s'; observe it in the scene, or name a column "
            "that 'cairn export --csv' writes",
            p->name, p->series);
    }
    *value = reduce(&column, p->take);
    return CN_OK;
}

cn_status cn_study_measure(const cn_study *study, cn_reader *reader, double *value,
                           bool *has_failed, cn_error *err)
{
    CN_NEED(err, study, reader, value, has_failed);
    for (int k = 0; k < study->probe_count; k++) {
        CN_TRY(probe(&study->probe[k], reader, &value[k], err));
    }
    *has_failed = false;
    if (study->fails_when_stopped) {
        const char *outcome = cn_reader_summary(reader)->outcome;
        *has_failed = strncmp(outcome, "stopped:", 8) == 0;
    }
    if (study->fails_by_series) {
        double x;
        CN_TRY(probe(&study->verdict, reader, &x, err));
        *has_failed = isnan(x) || x < study->below || x > study->above;
    }
    return CN_OK;
}
