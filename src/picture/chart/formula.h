// picture/chart/formula.h -- curves that are formulas of columns, "axial.fy / width", in the
// grammar of scenes (scene/language/expr.h).
#pragma once

#include "picture/chart/plot.h"

// The column of this name, with or without "series/" before it; NULL: there is none.
const char *cn_history_find(const cn_history *history, const char *name);

// One value per row, to be released; NaN where the formula has no finite value. A formula that has
// none anywhere, or that does not follow the grammar, is refused.
cn_status cn_formula_eval(const cn_history *history, const char *text, double **value, int *count,
                          cn_error *err);
