// result/hdf/hdf.h -- the little of HDF5 that we use, with every failure turned into one sentence.
//
// A file may be killed between any two writes, so that it is laid out to stay readable whatever
// subset of later writes has reached the disk (docs/formats.md, "Why a killed run stays readable"):
//   - all objects exist before the file gets its final name; later only rows are appended;
//   - metadata never crosses a page of 4096 bytes, is checksummed, and old entries never move;
//   - compressed chunks are written once; chunks that grow are not compressed.
// HDF5 prints nothing: its messages are collected and returned through cn_error.
#pragma once

#include <hdf5.h>

#include "base/shared.h"
#include "cairn/base.h"
#include "result/hdf/hdf_driver.h"

typedef struct cn_hdf {
    hid_t file;
    cn_disk disk;
    int thread_count; // that compress what is written
    char *path;       // as shown in messages
    int64_t size;     // when opened [byte]: bounds what a damaged file can make us allocate
    int reason_code;  // errno of the last failure, 0 if it did not come from the system
    bool is_short;    // of memory, at the last failure
    char reason[256]; // most specific message of the last failure
} cn_hdf;

typedef enum cn_field_kind {
    CN_FIELD_REAL = 0,
    CN_FIELD_INT64,
    CN_FIELD_UINT64,
    CN_FIELD_INT32,
    CN_FIELD_UINT32,
    CN_FIELD_INT8,
    CN_FIELD_TEXT // `count` bytes, zero-terminated
} cn_field_kind;

// One member of a record: `count` values (1: a scalar) at `offset` of the C structure.
typedef struct cn_field {
    const char *name;
    cn_field_kind kind;
    size_t offset;
    int count;
    bool is_optional; // a file without it reads as zero
} cn_field;

typedef struct cn_row_type {
    size_t size;
    int field_count;
    const cn_field *field;
} cn_row_type;

// Creates (replacing) the file `path`; messages name it `shown`.
cn_status cn_hdf_create(const char *path, const char *shown, cn_hdf **hdf, cn_error *err);

// CN_IO: missing or unreadable; CN_BAD_INPUT: not HDF5, or not to be opened as such.
cn_status cn_hdf_open(const char *path, cn_hdf **hdf, cn_error *err);

// Closes and frees in any case; tells if the last bytes could not be written.
cn_status cn_hdf_close(cn_hdf *hdf, cn_error *err);

// Cuts the file off: whatever HDF5 still holds in memory will not reach it any more. For files on
// which something has failed; cn_hdf_close must still be called.
void cn_hdf_cut_off(cn_hdf *hdf);

// Hands all that was written to the operating system: safe against a kill, not against power loss.
// Only this call and cn_hdf_close tell of writes that failed (hdf_driver.h).
cn_status cn_hdf_flush(cn_hdf *hdf, cn_error *err);

// Small datasets. `put` creates, with the groups above it, one value as a scalar; `put_list` makes
// a list of it; `set` overwrites in place; `get` wants exactly `count` values.
cn_status cn_hdf_put(cn_hdf *hdf, const char *name, cn_field_kind kind, size_t count,
                     const void *values, cn_error *err);
cn_status cn_hdf_put_list(cn_hdf *hdf, const char *name, cn_field_kind kind, size_t count,
                          const void *values, cn_error *err);
cn_status cn_hdf_set(cn_hdf *hdf, const char *name, cn_field_kind kind, size_t count,
                     const void *values, cn_error *err);
CN_SHARED cn_status cn_hdf_get(cn_hdf *hdf, const char *name, cn_field_kind kind, size_t count,
                               void *values, cn_error *err);
cn_status cn_hdf_put_text(cn_hdf *hdf, const char *name, const char *text, cn_error *err);

// Whether there is an object of that name in a group that is there.
CN_SHARED bool cn_hdf_has(const cn_hdf *hdf, const char *name);

// *text belongs to the caller (cn_release).
cn_status cn_hdf_get_text(cn_hdf *hdf, const char *name, char **text, cn_error *err);

// Checks that the file calls itself `format` in a version from 1 to `newest`; gives the version.
cn_status cn_hdf_check_format(cn_hdf *hdf, const char *format, int newest, int *version,
                              cn_error *err);

// Kind and number of values of a dataset; CN_BAD_INPUT if it is of another type or too large to be
// true.
cn_status cn_hdf_look(cn_hdf *hdf, const char *name, cn_field_kind *kind, size_t *count,
                      cn_error *err);

size_t cn_field_size(cn_field_kind kind);

// For table.c and checkpoint.c: types by kind, and the end of a failed call. cn_hdf_note must be
// called before any other HDF5 call, which would clear the messages; it returns `done`.
hid_t cn_hdf_type(cn_field_kind kind, bool is_stored);
bool cn_hdf_note(cn_hdf *hdf, bool done);
cn_status cn_hdf_fail(const cn_hdf *hdf, cn_status status, const char *verb, const char *object,
                      cn_error *err);

// Releases an id of any sort; negative ids are skipped.
void cn_hdf_drop(hid_t id);

// Runs `call`, which says whether it succeeded, with the messages of HDF5 off.
#define CN_HDF_QUIET(done, call)                                                                   \
    do {                                                                                           \
        H5E_BEGIN_TRY                                                                              \
        {                                                                                          \
            (done) = (call);                                                                       \
        }                                                                                          \
        H5E_END_TRY                                                                                \
    } while (0)
