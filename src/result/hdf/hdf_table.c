// result/hdf/hdf_table.c
#include "result/hdf/hdf_table.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "result/hdf/chunk.h"
#include "result/hdf/hdf_table_parts.h"

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

static bool is_nameless(const cn_row_type *record)
{
    return record->field_count == 1 && record->field[0].name == NULL;
}

// Compound type of a record; the stored one is packed. A record of one nameless field is that
// field.
static hid_t record_type(const cn_row_type *record, bool is_stored)
{
    if (is_nameless(record)) {
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

// The stored record with its checksum behind.
static hid_t checked_type(const cn_row_type *record)
{
    hid_t plain = record_type(record, true);
    size_t size = H5Tget_size(plain);
    hid_t type = H5Tcopy(plain);
    bool done = H5Tset_size(type, size + CN_CHECKSUM_SIZE) >= 0 &&
                H5Tinsert(type, CN_TABLE_CHECK, size, H5T_STD_U32LE) >= 0;
    cn_hdf_drop(plain);
    if (!done) {
        cn_hdf_drop(type);
    }
    return done ? type : -1;
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
        H5Pset_fletcher32(list);
    }
    return list;
}

static bool create(cn_table *t, const cn_row_type *record)
{
    hsize_t zero = 0;
    hsize_t unlimited = H5S_UNLIMITED;
    hid_t space = H5Screate_simple(1, &zero, &unlimited);
    hid_t stored = t->is_blocked ? record_type(record, true) : checked_type(record);
    hid_t list = creation_list(t->chunk_rows, t->is_blocked);
    t->type = record_type(record, false);
    t->dataset = H5Dcreate2(t->hdf->file, t->name, stored, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool done = cn_hdf_note(t->hdf, t->dataset >= 0 && t->type >= 0);
    cn_hdf_drop(list);
    cn_hdf_drop(stored);
    cn_hdf_drop(space);
    return done;
}

cn_status cn_table_create(cn_hdf *hdf, const char *name, const cn_row_type *record,
                          int64_t chunk_rows, bool is_blocked, cn_table *table, cn_error *err)
{
    size_t bytes = is_blocked ? BLOCKED_CHUNK_BYTES : CHUNK_BYTES;
    int64_t most = (int64_t)(bytes / cn_row_stored_size(record));
    int64_t rows = chunk_rows < most ? chunk_rows : most;
    *table = (cn_table){.hdf = hdf,
                        .name = name,
                        .record = *record,
                        .row_size = record->size,
                        .chunk_rows = rows > 1 ? rows : 1,
                        .is_blocked = is_blocked,
                        .has_sums = true};
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
    if (table->type <= 0 && table->dataset <= 0) {
        return; // HDF5 may not have had the memory to begin
    }
    H5E_BEGIN_TRY
    {
        if (table->type > 0) {
            cn_hdf_drop(table->type);
        }
        if (table->stored > 0) {
            cn_hdf_drop(table->stored);
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

static bool has_fields(hid_t stored, const cn_row_type *record)
{
    if (is_nameless(record)) {
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
    t->has_sums = t->is_blocked && H5Pget_nfilters(list) > 2;
    cn_hdf_drop(list);
    cn_hdf_drop(space);
    return done;
}

static bool open_dataset(cn_table *t)
{
    t->dataset = H5Dopen2(t->hdf->file, t->name, H5P_DEFAULT);
    return cn_hdf_note(t->hdf, t->dataset >= 0);
}

// Rows end with their checksum.
static bool has_check(hid_t stored)
{
    int place =
        H5Tget_class(stored) == H5T_COMPOUND ? H5Tget_member_index(stored, CN_TABLE_CHECK) : -1;
    return place >= 0 && H5Tget_size(stored) > CN_CHECKSUM_SIZE &&
           H5Tget_member_offset(stored, (unsigned)place) == H5Tget_size(stored) - CN_CHECKSUM_SIZE;
}

static bool fits(cn_table *t, const cn_row_type *record)
{
    t->type = record_type(record, false);
    hid_t stored = H5Dget_type(t->dataset);
    bool done = t->type >= 0 && stored >= 0 && has_fields(stored, record) &&
                H5Tget_size(stored) <= (uint64_t)t->hdf->size && measure(t, H5Tget_size(stored));
    cn_hdf_note(t->hdf, done);
    t->has_sums = t->has_sums || has_check(stored);
    cn_hdf_drop(stored);
    return done;
}

cn_status cn_table_open(cn_hdf *hdf, const char *name, const cn_row_type *record, cn_table *table,
                        cn_error *err)
{
    *table = (cn_table){.hdf = hdf, .name = name, .row_size = record->size};
    bool done;
    CN_HDF_QUIET(done, open_dataset(table));
    if (!done) {
        cn_table_close(table);
        return cn_hdf_fail(hdf, CN_IO, "open", name, err);
    }
    CN_HDF_QUIET(done, fits(table, record));
    if (!done) {
        cn_table_close(table);
        return hdf->is_short
                   ? cn_hdf_fail(hdf, CN_NO_MEMORY, "open", name, err)
                   : cn_fail(err, CN_BAD_INPUT, "%s: %s is not the table of a cairn result",
                             hdf->path, name);
    }
    // A table cannot hold more than its file could after the best compression.
    double most = (double)hdf->size * DEFLATE_RATIO_MAX / (double)cn_row_stored_size(record);
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

// Moves rows between memory and the file, as records of the given type:
// from `source`, or into `target` if that is NULL.
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

bool cn_table_extend(cn_table *t, int64_t row_count)
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
        done = H5Dwrite_chunk(t->dataset, H5P_DEFAULT, 0, &row, c->size, c->bytes) >= 0;
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

uint32_t cn_row_check(const char *table, int64_t row, const void *bytes, size_t size)
{
    uint64_t place = (uint64_t)row;
    unsigned long sum = crc32_z(0, (const unsigned char *)table, strlen(table));
    sum = crc32_z(sum, (const unsigned char *)&place, sizeof place);
    return (uint32_t)crc32_z(sum, bytes, size);
}

// The stored members lie in the order of those in memory, whatever that of the record is.
static size_t stored_place(const cn_row_type *record, const cn_field *field)
{
    size_t place = 0;
    for (int k = 0; k < record->field_count; k++) {
        const cn_field *other = &record->field[k];
        if (other->offset < field->offset) {
            place += (size_t)other->count * cn_field_size(other->kind);
        }
    }
    return place;
}

// Rows of a plain table as they are stored.
static void pack_rows(const cn_table *t, const unsigned char *rows, int64_t count, size_t each,
                      unsigned char *bytes)
{
    for (int f = 0; f < t->record.field_count; f++) {
        const cn_field *field = &t->record.field[f];
        size_t place = stored_place(&t->record, field);
        size_t size = (size_t)field->count * cn_field_size(field->kind);
        for (size_t k = 0; k < (size_t)count; k++) {
            memcpy(bytes + k * each + place, rows + k * t->row_size + field->offset, size);
        }
    }
}

static bool write_checked(cn_table *t, const unsigned char *rows, int64_t start, int64_t count)
{
    size_t size = cn_row_stored_size(&t->record), each = size + CN_CHECKSUM_SIZE;
    unsigned char *bytes = NULL;
    size_t capacity = 0;
    if (cn_reserve(NULL, &bytes, &capacity, (size_t)count * each, NULL) != CN_OK) {
        return false;
    }
    pack_rows(t, rows, count, each, bytes);
    for (int64_t k = 0; k < count; k++) {
        unsigned char *row = bytes + (size_t)k * each;
        uint32_t sum = cn_row_check(t->name, start + k, row, size);
        memcpy(row + size, &sum, sizeof sum);
    }
    t->stored = t->stored > 0 ? t->stored : H5Dget_type(t->dataset); // to ask costs a copy
    bool done = transfer(t, t->stored, (hsize_t)start, (hsize_t)count, NULL, bytes);
    cn_release(NULL, bytes);
    return done;
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
    CN_HDF_QUIET(done, cn_table_extend(table, first + count) &&
                           (is_new_chunk || write_checked(table, rows, first, count)));
    if (!done) {
        return cn_hdf_fail(table->hdf, CN_IO, "write", table->name, err);
    }
    if (is_new_chunk) {
        CN_TRY(append_chunks(table, rows, first, count, err));
    }
    table->row_count = first + count;
    return CN_OK;
}

cn_status cn_table_check_range(const cn_table *t, int64_t start, int64_t count, cn_error *err)
{
    if (start < 0 || count < 0 || start > t->row_count || count > t->row_count - start) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %s has %lld rows, not the %lld from %lld on",
                       t->hdf->path, t->name, (long long)t->row_count, (long long)count,
                       (long long)start);
    }
    return CN_OK;
}

cn_status cn_table_put(cn_table *table, const void *rows, int64_t start, int64_t count,
                       cn_error *err)
{
    bool done = true;
    if (start + count > table->row_count) {
        CN_HDF_QUIET(done, cn_table_extend(table, start + count));
        table->row_count = done ? start + count : table->row_count;
    }
    return done ? cn_table_write(table, rows, start, count, err)
                : cn_hdf_fail(table->hdf, CN_IO, "write", table->name, err);
}

cn_status cn_table_write(cn_table *table, const void *rows, int64_t start, int64_t count,
                         cn_error *err)
{
    CN_TRY(cn_table_check_range(table, start, count, err));
    bool done;
    CN_HDF_QUIET(done, write_checked(table, rows, start, count));
    return done ? CN_OK : cn_hdf_fail(table->hdf, CN_IO, "write", table->name, err);
}

// Some rows as they are stored.
typedef struct stored_rows {
    const unsigned char *bytes;
    size_t each; // bytes of a row
    int64_t start, count;
} stored_rows;

// What is done with rows as they are stored.
typedef struct row_visitor {
    void (*visit)(struct row_visitor *v, const cn_table *t, const stored_rows *rows);
    int64_t first, last; // rows that do not have their checksum; -1: none
    size_t offset;       // of the member that is wanted in a row
    double *value;       // where its next value goes
} row_visitor;

// The first and the last row that is wrong, as hdf_table.h says.
static void find_damage(row_visitor *v, const cn_table *t, const stored_rows *rows)
{
    size_t size = rows->each - CN_CHECKSUM_SIZE;
    for (int64_t k = 0; k < rows->count; k++) {
        const unsigned char *row = rows->bytes + (size_t)k * rows->each;
        uint32_t sum;
        memcpy(&sum, row + size, sizeof sum);
        if (sum != cn_row_check(t->name, rows->start + k, row, size)) {
            v->first = v->first < 0 ? rows->start + k : v->first;
            v->last = rows->start + k;
        }
    }
}

// HDF5 checks the chunks of blocked tables by itself.
static bool has_row_sums(const cn_table *t)
{
    return !t->is_blocked && t->has_sums;
}

static void take_member(row_visitor *v, const cn_table *t, const stored_rows *rows)
{
    if (has_row_sums(t)) {
        find_damage(v, t, rows);
    }
    for (int64_t k = 0; k < rows->count; k++) {
        memcpy(v->value++, rows->bytes + (size_t)k * rows->each + v->offset, sizeof *v->value);
    }
}

static cn_status damaged(const cn_table *t, int64_t first, int64_t last, cn_error *err)
{
    return first < 0 ? CN_OK
                     : cn_fail(err, CN_IO,
                               "%s: %s is damaged: rows %lld to %lld do not have their checksum",
                               t->hdf->path, t->name, (long long)first, (long long)last);
}

// Rows of the stored type, some at a time: HDF5 finds no way to convert them and compares no types
// of a hundred members for it.
static cn_status visit_rows(const cn_table *t, hid_t type, int64_t start, int64_t count,
                            row_visitor *v, cn_error *err)
{
    size_t each = H5Tget_size(type), capacity = 0;
    int64_t most = CHUNK_BYTES / (int64_t)each + 1;
    unsigned char *bytes = NULL;
    cn_status status =
        cn_reserve(NULL, &bytes, &capacity, (size_t)(count < most ? count : most) * each, err);
    for (int64_t k = 0; status == CN_OK && k < count; k += most) {
        int64_t now = count - k < most ? count - k : most;
        bool done;
        CN_HDF_QUIET(done, transfer(t, type, (hsize_t)(start + k), (hsize_t)now, bytes, NULL));
        if (done) {
            v->visit(v, t, &(stored_rows){bytes, each, start + k, now});
        } else {
            status = cn_hdf_fail(t->hdf, CN_IO, "read", t->name, err);
        }
    }
    cn_release(NULL, bytes);
    return status;
}

cn_status cn_table_verify_rows(const cn_table *t, int64_t start, int64_t count, int64_t *first,
                               int64_t *last, cn_error *err)
{
    row_visitor v = {.visit = find_damage, .first = *first, .last = *last};
    hid_t type = H5Dget_type(t->dataset);
    cn_status status = visit_rows(t, type, start, count, &v, err);
    cn_hdf_drop(type);
    *first = v.first;
    *last = v.last;
    return status;
}

static cn_status check_rows(const cn_table *t, int64_t start, int64_t count, cn_error *err)
{
    int64_t first = -1, last = -1;
    if (!has_row_sums(t)) {
        return CN_OK;
    }
    CN_TRY(cn_table_verify_rows(t, start, count, &first, &last, err));
    return damaged(t, first, last, err);
}

cn_status cn_table_read(const cn_table *table, int64_t start, int64_t count, void *rows,
                        cn_error *err)
{
    CN_TRY(cn_table_check_range(table, start, count, err));
    if (count == 0) {
        return CN_OK;
    }
    CN_TRY(check_rows(table, start, count, err));
    memset(rows, 0, (size_t)count * table->row_size); // members the file does not have
    bool done;
    CN_HDF_QUIET(done, transfer(table, table->type, (hsize_t)start, (hsize_t)count, rows, NULL));
    return done ? CN_OK : cn_hdf_fail(table->hdf, CN_IO, "read", table->name, err);
}

// Place of a real member in a stored row; -1: there is none of this name.
static int64_t member_place(hid_t stored, const char *member)
{
    int k = H5Tget_class(stored) == H5T_COMPOUND ? H5Tget_member_index(stored, member) : -1;
    hid_t type = k >= 0 ? H5Tget_member_type(stored, (unsigned)k) : -1;
    bool is_real = type >= 0 && H5Tequal(type, H5T_IEEE_F64LE) > 0;
    cn_hdf_drop(type);
    return is_real ? (int64_t)H5Tget_member_offset(stored, (unsigned)k) : -1;
}

cn_status cn_table_read_column(const cn_table *table, const char *member, int64_t start,
                               int64_t count, double *values, cn_error *err)
{
    CN_TRY(cn_table_check_range(table, start, count, err));
    if (count == 0) {
        return CN_OK;
    }
    hid_t stored = H5Dget_type(table->dataset);
    int64_t place;
    CN_HDF_QUIET(place, member_place(stored, member));
    row_visitor v = {.visit = take_member, .first = -1, .offset = (size_t)place, .value = values};
    cn_status status = place >= 0 ? visit_rows(table, stored, start, count, &v, err)
                                  : cn_hdf_fail(table->hdf, CN_IO, "read", table->name, err);
    cn_hdf_drop(stored);
    return status == CN_OK ? damaged(table, v.first, v.last, err) : status;
}

// Counts the real members of the stored record, and keeps their names where there is room for them.
static int walk_columns(const cn_table *t, char **name)
{
    hid_t stored = H5Dget_type(t->dataset);
    int member_count = H5Tget_class(stored) == H5T_COMPOUND ? H5Tget_nmembers(stored) : 0;
    int count = 0;
    for (int m = 0; m < member_count; m++) {
        hid_t type = H5Tget_member_type(stored, (unsigned)m);
        bool is_real = H5Tequal(type, H5T_IEEE_F64LE) > 0;
        cn_hdf_drop(type);
        if (is_real && name != NULL) {
            char *found = H5Tget_member_name(stored, (unsigned)m);
            name[count] = found != NULL ? strdup(found) : NULL;
            H5free_memory(found);
        }
        count += is_real;
    }
    cn_hdf_drop(stored);
    return count;
}

int cn_table_column_names(const cn_table *table, char **name)
{
    int count;
    CN_HDF_QUIET(count, walk_columns(table, name));
    return count;
}
