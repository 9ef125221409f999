// result/hdf/long_table.h -- a table that grows row by row and is compressed: the history of steps.
//
// Chunks of it are compressed when they are full, and are then never touched again. The rows of the
// chunk in progress are in a plain table beside it, NAME_tail, of two chunks' length: those of
// chunk k in its half k % 2, so that they stay until the one after the next begins, when chunk k
// has long been committed: no more rows than a chunk has may be appended between two commits. A
// finished table has its last chunk compressed as well and needs no tail.
#pragma once

#include "result/hdf/hdf_table.h"

typedef struct cn_long {
    cn_table packed, tail; // tail is closed in files of earlier versions: all rows are in `packed`
    int64_t row_count;
    bool is_packed; // all of it is in `packed`
    void *rows;     // of the chunk in progress
    size_t capacity;
} cn_long;

// `tail_record` is the record with a name for each member; names are not copied.
cn_status cn_long_create(cn_hdf *hdf, const char *name, const char *tail_name,
                         const cn_row_type *record, const cn_row_type *tail_record, cn_long *table,
                         cn_error *err);

// tail_name NULL: a file without tails. The number of rows is known only after cn_long_settle.
cn_status cn_long_open(cn_hdf *hdf, const char *name, const char *tail_name,
                       const cn_row_type *record, const cn_row_type *tail_record, cn_long *table,
                       cn_error *err);

// Says how many rows there are, and whether the table is finished; false: so many cannot be.
bool cn_long_settle(cn_long *table, int64_t row_count, bool is_packed);
void cn_long_close(cn_long *table);

cn_status cn_long_append(cn_long *table, const void *rows, int64_t count, cn_error *err);

// Compresses what is left; nothing can be appended any more.
cn_status cn_long_finish(cn_long *table, cn_error *err);

cn_status cn_long_read(const cn_long *table, int64_t start, int64_t count, void *rows,
                       cn_error *err);
cn_status cn_long_read_column(const cn_long *table, const char *member, int64_t start,
                              int64_t count, double *values, cn_error *err);

// Fills an empty table with the first rows of another.
cn_status cn_long_copy(const cn_long *from, int64_t row_count, cn_long *to, cn_error *err);

// As cn_table_verify; rows are counted over both parts.
cn_status cn_long_verify(const cn_long *table, int64_t *first, int64_t *last, cn_error *err);
