// result/hdf/long_table.c
#include "result/hdf/long_table.h"

#include <string.h>

#include "base/memory.h"
#include "result/hdf/hdf_table_parts.h"

#define CHUNK_ROWS 64
#define TAIL_CHUNK 16 // small: the last chunk of the tail is rewritten with each frame

// Rows that are compressed; the others are in the tail.
static int64_t packed_count(const cn_long *t)
{
    bool has_tail = t->tail.dataset > 0;
    return t->is_packed || !has_tail ? t->row_count
                                     : t->row_count / t->packed.chunk_rows * t->packed.chunk_rows;
}

// Place of a row in the tail.
static int64_t tail_place(const cn_long *t, int64_t row)
{
    return row % (2 * t->packed.chunk_rows);
}

cn_status cn_long_create(cn_hdf *hdf, const char *name, const char *tail_name,
                         const cn_row_type *record, const cn_row_type *tail_record, cn_long *table,
                         cn_error *err)
{
    CN_TRY(cn_table_create(hdf, name, record, CHUNK_ROWS, true, &table->packed, err));
    CN_TRY(cn_table_create(hdf, tail_name, tail_record, TAIL_CHUNK, false, &table->tail, err));
    size_t rows = (size_t)table->packed.chunk_rows;
    return cn_reserve_bytes(NULL, &table->rows, &table->capacity, rows, record->size, err);
}

cn_status cn_long_open(cn_hdf *hdf, const char *name, const char *tail_name,
                       const cn_row_type *record, const cn_row_type *tail_record, cn_long *table,
                       cn_error *err)
{
    CN_TRY(cn_table_open(hdf, name, record, &table->packed, err));
    return tail_name != NULL ? cn_table_open(hdf, tail_name, tail_record, &table->tail, err)
                             : CN_OK;
}

bool cn_long_settle(cn_long *table, int64_t row_count, bool is_packed)
{
    table->row_count = row_count;
    table->is_packed = is_packed;
    int64_t packed = packed_count(table), last = tail_place(table, row_count - 1);
    return row_count >= 0 && packed <= table->packed.row_count &&
           (packed == row_count || last < table->tail.row_count);
}

void cn_long_close(cn_long *table)
{
    cn_table_close(&table->packed);
    cn_table_close(&table->tail);
    cn_release(NULL, table->rows);
    *table = (cn_long){0};
}

// Rows of the chunk in progress, as many as it takes. Those that fill it need no tail.
static cn_status append_some(cn_long *t, const void *rows, int64_t count, cn_error *err)
{
    int64_t filled = t->row_count % t->packed.chunk_rows, place = tail_place(t, t->row_count);
    size_t size = t->packed.row_size;
    memcpy((char *)t->rows + (size_t)filled * size, rows, (size_t)count * size);
    t->row_count += count;
    return filled + count == t->packed.chunk_rows
               ? cn_table_append(&t->packed, t->rows, t->packed.chunk_rows, NULL, err)
               : cn_table_put(&t->tail, rows, place, count, err);
}

cn_status cn_long_append(cn_long *table, const void *rows, int64_t count, cn_error *err)
{
    int64_t chunk = table->packed.chunk_rows;
    for (int64_t k = 0, now; k < count; k += now) {
        int64_t room = chunk - table->row_count % chunk;
        now = count - k < room ? count - k : room;
        CN_TRY(
            append_some(table, (const char *)rows + (size_t)k * table->packed.row_size, now, err));
    }
    return CN_OK;
}

cn_status cn_long_finish(cn_long *table, cn_error *err)
{
    int64_t left = table->row_count - packed_count(table);
    CN_TRY(cn_table_append(&table->packed, table->rows, left, NULL, err));
    table->is_packed = true;
    return CN_OK;
}

// The rows from start on that lie together: in which table, where, and how many.
static const cn_table *find_rows(const cn_long *t, int64_t start, int64_t *place, int64_t *count)
{
    int64_t packed = packed_count(t);
    if (start < packed) {
        *place = start;
        *count = *count < packed - start ? *count : packed - start;
        return &t->packed;
    }
    *place = tail_place(t, start);
    return &t->tail;
}

cn_status cn_long_read(const cn_long *table, int64_t start, int64_t count, void *rows,
                       cn_error *err)
{
    for (int64_t k = 0, now; k < count; k += now) {
        int64_t place;
        now = count - k;
        const cn_table *t = find_rows(table, start + k, &place, &now);
        char *to = (char *)rows + (size_t)k * table->packed.row_size;
        CN_TRY(cn_table_read(t, place, now, to, err));
    }
    return CN_OK;
}

cn_status cn_long_read_column(const cn_long *table, const char *member, int64_t start,
                              int64_t count, double *values, cn_error *err)
{
    for (int64_t k = 0, now; k < count; k += now) {
        int64_t place;
        now = count - k;
        const cn_table *t = find_rows(table, start + k, &place, &now);
        CN_TRY(cn_table_read_column(t, member, place, now, values + k, err));
    }
    return CN_OK;
}

// Whole chunks as they are stored, if they are stored alike; the rest through memory.
cn_status cn_long_copy(const cn_long *from, int64_t row_count, cn_long *to, cn_error *err)
{
    int64_t chunk = to->packed.chunk_rows, packed = packed_count(from);
    int64_t whole = (packed < row_count ? packed : row_count) / chunk * chunk;
    CN_TRY(cn_table_copy(&from->packed, whole, &to->packed, err));
    to->row_count = whole;
    void *rows = NULL;
    size_t capacity = 0;
    CN_TRY(cn_reserve_bytes(NULL, &rows, &capacity, (size_t)chunk, to->packed.row_size, err));
    cn_status status = CN_OK;
    for (int64_t k = whole; status == CN_OK && k < row_count; k += chunk) {
        int64_t now = row_count - k < chunk ? row_count - k : chunk;
        status = cn_long_read(from, k, now, rows, err);
        CN_THEN(status, cn_long_append(to, rows, now, err));
    }
    cn_release(NULL, rows);
    return status;
}

cn_status cn_long_verify(const cn_long *table, int64_t *first, int64_t *last, cn_error *err)
{
    int64_t packed = packed_count(table), in_tail[2] = {-1, -1};
    CN_TRY(cn_table_verify(&table->packed, packed, first, last, err));
    if (packed < table->row_count && table->tail.has_sums) {
        int64_t place = tail_place(table, packed), count = table->row_count - packed;
        CN_TRY(cn_table_verify_rows(&table->tail, place, count, &in_tail[0], &in_tail[1], err));
    }
    if (in_tail[0] >= 0) {
        int64_t shift = packed - tail_place(table, packed);
        *first = *first < 0 ? in_tail[0] + shift : *first;
        *last = in_tail[1] + shift;
    }
    return CN_OK;
}
