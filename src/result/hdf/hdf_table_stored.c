// result/hdf/hdf_table_stored.c -- tables as they are stored: copied and checked chunk by chunk.
#include "base/memory.h"
#include "result/hdf/chunk.h"
#include "result/hdf/hdf_table_parts.h"

// One stored chunk, still compressed, in memory that grows.
typedef struct stored_chunk {
    unsigned char *bytes;
    size_t capacity;
    hsize_t size;
    uint32_t skipped; // filters
} stored_chunk;

static bool read_chunk(const cn_table *t, hsize_t row, stored_chunk *c)
{
    bool has_size = H5Dget_chunk_storage_size(t->dataset, &row, &c->size) >= 0;
    bool has_room =
        has_size && cn_reserve(NULL, &c->bytes, &c->capacity, (size_t)c->size, NULL) == CN_OK;
    bool done = cn_hdf_note(t->hdf, has_room && H5Dread_chunk(t->dataset, H5P_DEFAULT, &row,
                                                              &c->skipped, c->bytes) >= 0);
    t->hdf->is_short = !done && (t->hdf->is_short || (has_size && !has_room));
    return done;
}

// A deflated chunk never has the checksum of zeros.
static bool is_chunk_whole(const stored_chunk *c)
{
    size_t size = (size_t)c->size - CN_CHECKSUM_SIZE;
    uint32_t sum = 0;
    if (c->size <= CN_CHECKSUM_SIZE) {
        return false;
    }
    for (int k = 0; k < CN_CHECKSUM_SIZE; k++) {
        sum |= (uint32_t)c->bytes[size + (size_t)k] << 8 * k;
    }
    return sum != 0 && sum == cn_chunk_checksum(c->bytes, size);
}

static bool copy_chunk(const cn_table *from, hsize_t row, cn_table *to, stored_chunk *c)
{
    if (!read_chunk(from, row, c)) {
        return false;
    }
    return cn_hdf_note(to->hdf, H5Dwrite_chunk(to->dataset, H5P_DEFAULT, c->skipped, &row,
                                               (size_t)c->size, c->bytes) >= 0);
}

static bool copy_chunks(const cn_table *from, int64_t row_count, cn_table *to)
{
    stored_chunk chunk = {0};
    bool done = cn_table_extend(to, row_count);
    for (int64_t row = 0; done && row < row_count; row += from->chunk_rows) {
        done = copy_chunk(from, (hsize_t)row, to, &chunk);
    }
    cn_release(NULL, chunk.bytes);
    return done;
}

// Compressed chunks need not be inflated for it.
static cn_status verify_chunks(const cn_table *t, int64_t row_count, int64_t *first, int64_t *last,
                               cn_error *err)
{
    cn_status status = CN_OK;
    stored_chunk chunk = {0};
    for (int64_t row = 0; row < row_count; row += t->chunk_rows) {
        bool is_read;
        CN_HDF_QUIET(is_read, read_chunk(t, (hsize_t)row, &chunk));
        if (!is_read && t->hdf->is_short) {
            status = cn_hdf_fail(t->hdf, CN_NO_MEMORY, "read", t->name, err);
            break;
        }
        if (!is_read || !is_chunk_whole(&chunk)) {
            int64_t end = row + t->chunk_rows < row_count ? row + t->chunk_rows : row_count;
            *first = *first < 0 ? row : *first;
            *last = end - 1;
        }
    }
    cn_release(NULL, chunk.bytes);
    return status;
}

cn_status cn_table_verify(const cn_table *table, int64_t row_count, int64_t *first, int64_t *last,
                          cn_error *err)
{
    *first = *last = -1;
    CN_TRY(cn_table_check_range(table, 0, row_count, err));
    if (!table->has_sums || row_count == 0) {
        return CN_OK;
    }
    return table->is_blocked ? verify_chunks(table, row_count, first, last, err)
                             : cn_table_verify_rows(table, 0, row_count, first, last, err);
}

static bool is_stored_alike(const cn_table *a, const cn_table *b)
{
    hid_t type_a = H5Dget_type(a->dataset);
    hid_t type_b = H5Dget_type(b->dataset);
    bool is_equal = H5Tequal(type_a, type_b) > 0;
    cn_hdf_drop(type_b);
    cn_hdf_drop(type_a);
    return is_equal && a->chunk_rows == b->chunk_rows && a->is_blocked == b->is_blocked &&
           a->has_sums == b->has_sums;
}

// Through memory, which gives members that the other table lacks the value zero.
static cn_status copy_rows(const cn_table *from, int64_t row_count, cn_table *to, cn_error *err)
{
    void *rows = NULL;
    size_t capacity = 0;
    CN_TRY(cn_reserve_bytes(NULL, &rows, &capacity, (size_t)to->chunk_rows, to->row_size, err));
    cn_status status = CN_OK;
    for (int64_t row = 0; status == CN_OK && row < row_count; row += to->chunk_rows) {
        int64_t left = row_count - row;
        int64_t count = left < to->chunk_rows ? left : to->chunk_rows;
        status = cn_table_read(from, row, count, rows, err);
        CN_THEN(status, cn_table_append(to, rows, count, NULL, err));
    }
    cn_release(NULL, rows);
    return status;
}

cn_status cn_table_copy(const cn_table *from, int64_t row_count, cn_table *to, cn_error *err)
{
    CN_TRY(cn_table_check_range(from, 0, row_count, err));
    if (row_count == 0) {
        return CN_OK;
    }
    bool done;
    CN_HDF_QUIET(done, is_stored_alike(from, to));
    if (!done) {
        return copy_rows(from, row_count, to, err);
    }
    CN_HDF_QUIET(done, copy_chunks(from, row_count, to));
    if (!done) {
        return cn_hdf_fail(to->hdf, CN_IO, "copy", to->name, err);
    }
    to->row_count = row_count;
    return CN_OK;
}
