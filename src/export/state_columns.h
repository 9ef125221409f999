// export/state_columns.h -- law states of contacts as columns named LAW.STATE, for the exports.
//
// Laws of one type share their columns, whatever their parameters.
#pragma once

#include "cairn/result.h"

typedef struct cn_state_columns {
    const cn_reader *reader;
    int count;
    char (*name)[264]; // two names of at most 127 bytes and a point
    int *law_start;    // of each law in column_of
    int *column_of;    // column of each state of each law
    double *value;     // of one contact
} cn_state_columns;

// Fills zeroed columns; after a failure cn_state_columns_free is due as after success.
cn_status cn_state_columns_make(const cn_reader *reader, cn_state_columns *columns, cn_error *err);
void cn_state_columns_free(cn_state_columns *columns);

// Values of contact a, one per column, NaN where its law has no such state.
const double *cn_state_columns_of(cn_state_columns *columns, const cn_frame *frame, int a);
