// result/hdf/hdf_table_parts.h -- what hdf_table.c and hdf_table_stored.c share.
#pragma once

#include "result/hdf/hdf_table.h"

bool cn_table_extend(cn_table *t, int64_t row_count);
cn_status cn_table_check_range(const cn_table *t, int64_t start, int64_t count, cn_error *err);

// Plain rows against their checksums, some at a time: the first and the last that are wrong.
cn_status cn_table_verify_rows(const cn_table *t, int64_t start, int64_t count, int64_t *first,
                               int64_t *last, cn_error *err);
