// validation/table.c -- the cases in the order in which they run.
#include "table.h"

enum { slow, fast };

#define CN_CASE_LINE(id, speed, title) {#id, title, speed, cn_case_##id},
const cn_case cn_case_table[] = {CN_CASES(CN_CASE_LINE){NULL, NULL, false, NULL}};
_Static_assert(sizeof cn_case_table / sizeof *cn_case_table <= CN_CASE_MAX + 1, "too many cases");
