// result/tables/truncate_result.h -- the part of a result file that a continued run keeps.
#pragma once

#include "result/tables/result_tables.h"

// Rows whose step is not after that of the checkpoint.
typedef struct cn_kept {
    int64_t frames, steps;
    cn_frame_row last; // last frame kept
} cn_kept;

// CN_BAD_INPUT: the file starts after that step, or does not reach it, which would leave a hole in
// its history.
cn_status cn_kept_find(const cn_tables *tables, int64_t step, cn_kept *kept, cn_error *err);

// Fills the empty tables of a new file, and commits them.
cn_status cn_kept_copy(const cn_tables *from, const cn_kept *kept, cn_tables *to, cn_error *err);
