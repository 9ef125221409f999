// output/table.c
#include "output/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/chunk.h"

#define CHUNK_BYTES (1 << 20)         // most that is read
#define BLOCKED_CHUNK_BYTES (1 << 18) // most of a compressed one: several, so that threads share
#define CONVERSION_BYTES (1 << 16)
#define DEFLATE_RATIO_MAX 1100 // zlib cannot compress further than 1032:1

static hid_t field_type(const cn_field *field, bool is_stored)
{
    if (field->kind == CN_FIELD_TEXT) {
        hid_t text = H5Tcopy(H5T_C_S1);
        H5Tset_size(text, (size_t)field->count);
        H5Tset_cset(text, H5T_CSET_UTF8);
        return text;
    }
    hid_t base = cn_hdf_type(field->kind, is_stored);
    if (field->count == 1) {
        return H5Tcopy(base);
    }
    hsize_t count = (hsize_t)field->count;
    return H5Tarray_create2(base, 1, &count);
}

// Compound type of a record; the stored one is packed. A record of one nameless field is that
// field.
static hid_t record_type(const cn_record *record, bool is_stored)
{
    if (record->field_count == 1 && record->field[0].name == NULL) {
        return field_type(&record->field[0], is_stored);
    }
    hid_t type = H5Tcreate(H5T_COMPOUND, record->size);
    for (int k = 0; k < record->field_count; k++) {
        hid_t member = field_type(&record->field[k], is_stored);
        H5Tinsert(type, record->field[k].name, record->field[k].offset, member);
        cn_hdf_drop(member);
    }
    if (is_stored) {
        H5Tpack(type);
    }
    return type;
}

// A chunk and the cache that holds it.
static hid_t creation_list(int64_t chunk_rows, bool is_blocked)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t rows = (hsize_t)chunk_rows;
    H5Pset_chunk(list, 1, &rows);
    H5Pset_obj_track_times(list, 0);
    if (is_blocked) {
        H5Pset_shuffle(list);
        H5Pset_deflate(list, 1);
    }
    return list;
}

static bool create(cn_table *t, const cn_record *record)
{
    hsize_t zero = 0;
    hsize_t unlimited = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(1, &zero, &unlimited);
    hid_t stored = record_type(record, true);
    hid_t list = creation_list(t->chunk_rows, t->is_blocked);
    t->type = record_type(record, false);
    t->dataset = H5Dcreate2(t->hdf->file, t->name, stored, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool done = cn_hdf_note(t->hdf, t->dataset >= 0 && t->type >= 0);
    cn_hdf_drop(list);
    cn_hdf_drop(stored);
    cn_hdf_drop(space);
    return done;
}

cn_status cn_table_create(cn_hdf *hdf, const char *name, const cn_record *record,
                          int64_t chunk_rows, bool is_blocked, cn_table *table, cn_error *err)
{
    size_t bytes = is_blocked ? BLOCKED_CHUNK_BYTES : CHUNK_BYTES;
    int64_t most = (int64_t)(bytes / cn_record_stored_size(record));
    int64_t rows = chunk_rows < most ? chunk_rows : most;
    *table = (cn_table){.hdf = hdf,
                        .name = name,
                        .record = *record,
                        .row_size = record->size,
                        .chunk_rows = rows > 1 ? rows : 1,
                        .is_blocked = is_blocked};
    bool done;
    CN_HDF_QUIET(done, create(table, record));
    if (!done) {
        cn_table_close(table);
        return cn_hdf_fail(hdf, CN_IO, "create", name, err);
    }
    return CN_OK;
}

void cn_table_close(cn_table *table)
{
    H5E_BEGIN_TRY
    {
        if (table->type > 0) {
            cn_hdf_drop(table->type);
        }
        if (table->dataset > 0) {
            cn_hdf_drop(table->dataset);
        }
    }
    H5E_END_TRY
    *table = (cn_table){0};
}

// The stored member must have exactly our type, so that nothing is read that we did not write.
static bool has_field(hid_t stored, const cn_field *field)
{
    int place = H5Tget_member_index(stored, field->name);
    if (place < 0) {
        return field->is_optional;
    }
    hid_t found = H5Tget_member_type(stored, (unsigned)place);
    hid_t wanted = field_type(field, true);
    bool is_equal = H5Tequal(found, wanted) > 0;
    cn_hdf_drop(wanted);
    cn_hdf_drop(found);
    return is_equal;
}

static bool has_fields(hid_t stored, const cn_record *record)
{
    if (record->field_count == 1 && record->field[0].name == NULL) {
        hid_t wanted = field_type(&record->field[0], true);
        bool is_equal = H5Tequal(stored, wanted) > 0;
        cn_hdf_drop(wanted);
        return is_equal;
    }
    bool has_all = H5Tget_class(stored) == H5T_COMPOUND;
    for (int k = 0; has_all && k < record->field_count; k++) {
        has_all = has_field(stored, &record->field[k]);
    }
    return has_all;
}

// As cn_table_create makes them: what is read of a chunk costs the memory of all of it.
static bool is_chunk_sound(hsize_t rows, size_t row_size)
{
    return rows == 1 || (rows > 1 && row_size > 0 && rows <= CHUNK_BYTES / row_size);
}

// Length and chunk of the dataset; false if it is not a list in chunks.
static bool measure(cn_table *t, size_t row_size)
{
    hid_t space = H5Dget_space(t->dataset);
    hid_t list = H5Dget_create_plist(t->dataset);
    hsize_t rows = 0;
    hsize_t chunk = 0;
    bool done = H5Sget_simple_extent_ndims(space) == 1 &&
                H5Sget_simple_extent_dims(space, &rows, NULL) == 1 &&
                H5Pget_layout(list) == H5D_CHUNKED && H5Pget_chunk(list, 1, &chunk) == 1 &&
                is_chunk_sound(chunk, row_size) && rows <= INT64_MAX / 4096;
    t->row_count = (int64_t)rows;
    t->chunk_rows = (int64_t)chunk;
    t->is_blocked = H5Pget_nfilters(list) > 0;
    cn_hdf_drop(list);
    cn_hdf_drop(space);
    return done;
}

static bool open_dataset(cn_table *t)
{
    t->dataset = H5Dopen2(t->hdf->file, t->name, H5P_DEFAULT);
    return cn_hdf_note(t->hdf, t->dataset >= 0);
}

static bool fits(cn_table *t, const cn_record *record)
{
    t->type = record_type(record, false);
    hid_t stored = H5Dget_type(t->dataset);
    bool done = t->type >= 0 && stored >= 0 && has_fields(stored, record) &&
                H5Tget_size(stored) <= (uint64_t)t->hdf->size && measure(t, H5Tget_size(stored));
    cn_hdf_drop(stored);
    return done;
}

cn_status cn_table_open(cn_hdf *hdf, const char *name, const cn_record *record, cn_table *table,
                        cn_error *err)
{
    *table = (cn_table){.hdf = hdf, .name = name, .row_size = record->size};
    bool done;
    CN_HDF_QUIET(done, open_dataset(table));
    if (!done) {
        cn_table_close(table);
        return cn_hdf_fail(hdf, CN_BAD_INPUT, "open", name, err);
    }
    CN_HDF_QUIET(done, fits(table, record));
    if (!done) {
        cn_table_close(table);
        return cn_fail(err, CN_BAD_INPUT, "%s: %s is not the table of a cairn result", hdf->path,
                       name);
    }
    // A table cannot hold more than its file could after the best compression.
    double most = (double)hdf->size * DEFLATE_RATIO_MAX / (double)cn_record_stored_size(record);
    if ((double)table->row_count > most + (double)table->chunk_rows) {
        int64_t rows = table->row_count;
        cn_table_close(table);
        return cn_fail(err, CN_BAD_INPUT, "%s: %s claims %lld rows in a file of %lld bytes",
                       hdf->path, name, (long long)rows, (long long)hdf->size);
    }
    return CN_OK;
}

// HDF5 clears its conversion buffers at each call: 1 MiB by default, which is most of the time that
// a small read takes.
static hid_t transfer_list(const cn_table *t)
{
    hid_t list = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_buffer(list, t->row_size > CONVERSION_BYTES ? t->row_size : CONVERSION_BYTES, NULL,
                  NULL);
    return list;
}

// Moves rows between memory and the file, as records of the given type.
static bool transfer(const cn_table *t, hid_t type, hsize_t start, hsize_t count, void *target,
                     const void *source)
{
    hid_t memory = H5Screate_simple(1, &count, NULL);
    hid_t file = H5Dget_space(t->dataset);
    hid_t list = transfer_list(t);
    bool done = H5Sselect_hyperslab(file, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0;
    if (done && source != NULL) {
        done = H5Dwrite(t->dataset, type, memory, file, list, source) >= 0;
    } else if (done) {
        done = H5Dread(t->dataset, type, memory, file, list, target) >= 0;
    }
    cn_hdf_note(t->hdf, done);
    cn_hdf_drop(list);
    cn_hdf_drop(file);
    cn_hdf_drop(memory);
    return done;
}

static bool extend(cn_table *t, int64_t row_count)
{
    hsize_t rows = (hsize_t)row_count;
    return cn_hdf_note(t->hdf, H5Dset_extent(t->dataset, &rows) >= 0);
}

static int64_t next_chunk(const cn_table *t, int64_t row)
{
    return (row + t->chunk_rows - 1) / t->chunk_rows * t->chunk_rows;
}

static bool write_chunks(cn_table *t, const cn_chunk_room *room, int64_t first, int64_t count)
{
    bool done = true;
    for (int64_t k = 0; done && k * t->chunk_rows < count; k++) {
        hsize_t row = (hsize_t)(first + k * t->chunk_rows);
        const cn_chunk *c = &room->chunk[k];
        done = H5Dwrite_chunk(t->dataset, H5P_DEFAULT, c->skipped, &row, c->size, c->bytes) >= 0;
    }
    return cn_hdf_note(t->hdf, done);
}

// Rows of a blocked table, from the start of a chunk on: as many chunks at a time as there is room
// for, made by threads and written in order.
static cn_status append_chunks(cn_table *t, const unsigned char *rows, int64_t first, int64_t count,
                               cn_error *err)
{
    int threads = t->hdf->thread_count;
    cn_chunk_room room;
    cn_status status = cn_chunk_room_make(&t->record, t->chunk_rows, count, threads, &room, err);
    int64_t most = room.capacity * t->chunk_rows;
    for (int64_t n = 0; status == CN_OK && n < count; n += most) {
        int64_t now = count - n < most ? count - n : most;
        bool done;
        if (!cn_chunks_make(&room, &t->record, rows + (size_t)n * t->row_size, now, threads)) {
            status = cn_fail(err, CN_NO_MEMORY, "out of memory to compress %s", t->name);
            break;
        }
        CN_HDF_QUIET(done, write_chunks(t, &room, first + n, now));
        status = done ? CN_OK : cn_hdf_fail(t->hdf, CN_IO, "write", t->name, err);
    }
    cn_chunk_room_free(&room);
    return status;
}

cn_status cn_table_append(cn_table *table, const void *rows, int64_t count, int64_t *start,
                          cn_error *err)
{
    bool is_new_chunk = table->is_blocked && count > 0;
    int64_t first = is_new_chunk ? next_chunk(table, table->row_count) : table->row_count;
    if (start != NULL) {
        *start = first;
    }
    if (count == 0) {
        return CN_OK;
    }
    bool done;
    CN_HDF_QUIET(done, extend(table, first + count) &&
                           (is_new_chunk || transfer(table, table->type, (hsize_t)first,
                                                     (hsize_t)count, NULL, rows)));
    if (!done) {
        return cn_hdf_fail(table->hdf, CN_IO, "write", table->name, err);
    }
    if (is_new_chunk) {
        CN_TRY(append_chunks(table, rows, first, count, err));
    }
    table->row_count = first + count;
    return CN_OK;
}

static cn_status check_range(const cn_table *t, int64_t start, int64_t count, cn_error *err)
{
    if (start < 0 || count < 0 || start > t->row_count || count > t->row_count - start) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %s has %lld rows, not the %lld from %lld on",
                       t->hdf->path, t->name, (long long)t->row_count, (long long)count,
                       (long long)start);
    }
    return CN_OK;
}

cn_status cn_table_write(cn_table *table, const void *rows, int64_t start, int64_t count,
                         cn_error *err)
{
    CN_TRY(check_range(table, start, count, err));
    bool done;
    CN_HDF_QUIET(done, transfer(table, table->type, (hsize_t)start, (hsize_t)count, NULL, rows));
    return done ? CN_OK : cn_hdf_fail(table->hdf, CN_IO, "write", table->name, err);
}

cn_status cn_table_read(const cn_table *table, int64_t start, int64_t count, void *rows,
                        cn_error *err)
{
    CN_TRY(check_range(table, start, count, err));
    if (count == 0) {
        return CN_OK;
    }
    memset(rows, 0, (size_t)count * table->row_size); // members the file does not have
    bool done;
    CN_HDF_QUIET(done, transfer(table, table->type, (hsize_t)start, (hsize_t)count, rows, NULL));
    return done ? CN_OK : cn_hdf_fail(table->hdf, CN_BAD_INPUT, "read", table->name, err);
}

static bool read_column(const cn_table *t, const char *member, int64_t start, int64_t count,
                        double *values)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(double));
    bool done = H5Tinsert(type, member, 0, H5T_NATIVE_DOUBLE) >= 0 &&
                transfer(t, type, (hsize_t)start, (hsize_t)count, values, NULL);
    cn_hdf_drop(type);
    return done;
}

cn_status cn_table_read_column(const cn_table *table, const char *member, int64_t start,
                               int64_t count, double *values, cn_error *err)
{
    CN_TRY(check_range(table, start, count, err));
    if (count == 0) {
        return CN_OK;
    }
    bool done;
    CN_HDF_QUIET(done, read_column(table, member, start, count, values));
    return done ? CN_OK : cn_hdf_fail(table->hdf, CN_BAD_INPUT, "read", member, err);
}

// One stored chunk, still compressed.
static bool copy_chunk(const cn_table *from, hsize_t row, cn_table *to, void **bytes,
                       size_t *capacity)
{
    hsize_t size = 0;
    uint32_t filters = 0;
    bool is_read = H5Dget_chunk_storage_size(from->dataset, &row, &size) >= 0 &&
                   cn_reserve_bytes(NULL, bytes, capacity, (size_t)size, 1, NULL) == CN_OK &&
                   H5Dread_chunk(from->dataset, H5P_DEFAULT, &row, &filters, *bytes) >= 0;
    if (!is_read) {
        return cn_hdf_note(from->hdf, false);
    }
    return cn_hdf_note(to->hdf, H5Dwrite_chunk(to->dataset, H5P_DEFAULT, filters, &row,
                                               (size_t)size, *bytes) >= 0);
}

static bool copy_chunks(const cn_table *from, int64_t row_count, cn_table *to)
{
    void *bytes = NULL;
    size_t capacity = 0;
    bool done = extend(to, row_count);
    for (int64_t row = 0; done && row < row_count; row += from->chunk_rows) {
        done = copy_chunk(from, (hsize_t)row, to, &bytes, &capacity);
    }
    cn_release(NULL, bytes);
    return done;
}

static bool is_stored_alike(const cn_table *a, const cn_table *b)
{
    hid_t type_a = H5Dget_type(a->dataset);
    hid_t type_b = H5Dget_type(b->dataset);
    bool is_equal = H5Tequal(type_a, type_b) > 0;
    cn_hdf_drop(type_b);
    cn_hdf_drop(type_a);
    return is_equal && a->chunk_rows == b->chunk_rows && a->is_blocked == b->is_blocked;
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
        if (status == CN_OK) {
            status = cn_table_append(to, rows, count, NULL, err);
        }
    }
    cn_release(NULL, rows);
    return status;
}

cn_status cn_table_copy(const cn_table *from, int64_t row_count, cn_table *to, cn_error *err)
{
    CN_TRY(check_range(from, 0, row_count, err));
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

// Walks the real members of the stored record; returns their number, and the name of number k.
static int walk_columns(const cn_table *t, int k, char **name)
{
    hid_t stored = H5Dget_type(t->dataset);
    int member_count = H5Tget_class(stored) == H5T_COMPOUND ? H5Tget_nmembers(stored) : 0;
    int count = 0;
    for (int m = 0; m < member_count; m++) {
        hid_t type = H5Tget_member_type(stored, (unsigned)m);
        bool is_real = H5Tequal(type, H5T_IEEE_F64LE) > 0;
        cn_hdf_drop(type);
        if (is_real && count++ == k) {
            char *found = H5Tget_member_name(stored, (unsigned)m);
            *name = found != NULL ? strdup(found) : NULL;
            H5free_memory(found);
        }
    }
    cn_hdf_drop(stored);
    return count;
}

int cn_table_column_count(const cn_table *table)
{
    int count;
    CN_HDF_QUIET(count, walk_columns(table, -1, NULL));
    return count;
}

char *cn_table_column_name(const cn_table *table, int k)
{
    char *name = NULL;
    int count;
    CN_HDF_QUIET(count, walk_columns(table, k, &name));
    return k < count ? name : NULL;
}
