// cli/limit_tables.h -- what cairn limit finds besides one multiplier: curves, lines of influence,
// domains. Each is told in a line or two and written as a table.
#pragma once

#include "command.h"

typedef struct cn_limit_telling {
    cn_limit_model *model;
    int k; // load of the model
    cn_limit_def def;
    const char *result; // name of the result of the load, from which tables have theirs; NULL: none
    bool is_json, is_quiet;
    bool is_missed; // out: something was not found to the gap
} cn_limit_telling;

typedef cn_status (*cn_limit_table_maker)(cn_limit_telling *t, cn_error *err);

cn_status cn_limit_tell_curve(cn_limit_telling *t, cn_error *err);
cn_status cn_limit_tell_axles(cn_limit_telling *t, cn_error *err);
cn_status cn_limit_tell_domain(cn_limit_telling *t, cn_error *err);
