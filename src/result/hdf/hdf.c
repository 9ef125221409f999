// result/hdf/hdf.c
#include "result/hdf/hdf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"

#define PAGE_SIZE 4096    // the unit in which a killed write may be cut
#define NAME_SIZE 128     // longest path of a dataset, with its final zero
#define COMPACT_MAX 32768 // a header of HDF5 holds 64 KiB
#define CHECKSUM "crc32"  // attribute of larger datasets

size_t cn_field_size(cn_field_kind kind)
{
    switch (kind) {
    case CN_FIELD_INT32:
    case CN_FIELD_UINT32:
        return 4;
    case CN_FIELD_INT8:
    case CN_FIELD_TEXT:
        return 1;
    default:
        return 8;
    }
}

hid_t cn_hdf_type(cn_field_kind kind, bool is_stored)
{
    switch (kind) {
    case CN_FIELD_REAL:
        return is_stored ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE;
    case CN_FIELD_INT64:
        return is_stored ? H5T_STD_I64LE : H5T_NATIVE_INT64;
    case CN_FIELD_UINT64:
        return is_stored ? H5T_STD_U64LE : H5T_NATIVE_UINT64;
    case CN_FIELD_INT32:
        return is_stored ? H5T_STD_I32LE : H5T_NATIVE_INT32;
    case CN_FIELD_UINT32:
        return is_stored ? H5T_STD_U32LE : H5T_NATIVE_UINT32;
    default:
        return is_stored ? H5T_STD_I8LE : H5T_NATIVE_INT8;
    }
}

void cn_hdf_drop(hid_t id)
{
    if (id >= 0) {
        H5Idec_ref(id);
    }
}

// Is there less left than opening a small file takes? HDF5 then crashes, and neither it nor zlib
// always says so.
static bool is_memory_short(void)
{
    void *volatile room = malloc((size_t)8 << 20);
    free(room);
    return room == NULL;
}

// Keeps the most specific message and the errno that HDF5 quotes inside its messages.
static herr_t collect(unsigned n, const H5E_error2_t *entry, void *context)
{
    cn_hdf *hdf = context;
    const char *text = entry->desc != NULL ? entry->desc : "";
    if (n == 0) {
        snprintf(hdf->reason, sizeof hdf->reason, "%s", text);
    }
    hdf->is_short = hdf->is_short || entry->maj_num == H5E_RESOURCE ||
                    entry->min_num == H5E_NOSPACE || entry->min_num == H5E_CANTALLOC;
    const char *code = strstr(text, "errno = ");
    if (code != NULL && hdf->reason_code == 0) {
        hdf->reason_code = atoi(code + strlen("errno = "));
    }
    return 0;
}

bool cn_hdf_note(cn_hdf *hdf, bool done)
{
    if (!done) {
        hdf->reason_code = 0;
        hdf->is_short = is_memory_short();
        hdf->reason[0] = '\0';
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, hdf);
        if (hdf->disk.is_refused) {
            snprintf(hdf->reason, sizeof hdf->reason, "its header is damaged");
        }
    }
    return done;
}

cn_status cn_hdf_fail(const cn_hdf *hdf, cn_status status, const char *verb, const char *object,
                      cn_error *err)
{
    int code = hdf->reason_code;
    if (hdf->is_short || code == ENOMEM) {
        return cn_fail(err, CN_NO_MEMORY, "%s: out of memory to %s %s", hdf->path, verb, object);
    }
    if (code == ENOSPC || code == EFBIG || code == EDQUOT) {
        return cn_fail(err, CN_IO, "%s: cannot %s %s: %s (disk full?)", hdf->path, verb, object,
                       strerror(code));
    }
    const char *reason = hdf->reason[0] != '\0' ? hdf->reason : "it is damaged";
    return cn_fail(err, code != 0 ? CN_IO : status, "%s: cannot %s %s: %s", hdf->path, verb, object,
                   code != 0 ? strerror(code) : reason);
}

// A call of HDF5 has succeeded and so have all writes.
static bool is_written(cn_hdf *hdf, bool done)
{
    cn_hdf_note(hdf, done);
    if (hdf->disk.code != 0) {
        hdf->reason_code = hdf->disk.code;
        return false;
    }
    return done;
}

// New files: superblock version 2, because version 3 carries a flag that makes the file of a killed
// run unreadable until repaired by hand; pages, so that no metadata entry crosses a page boundary.
static hid_t open_new(cn_hdf *hdf, const char *path)
{
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, 0, 1) >= 0 &&
        H5Pset_file_space_page_size(creation, PAGE_SIZE) >= 0 &&
        H5Pset_link_phase_change(creation, 64, 32) >= 0 && H5Pset_file_locking(access, 0, 1) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0 &&
        cn_disk_use(access, &hdf->disk)) {
        file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    }
    is_written(hdf, file >= 0);
    // From here on the append-only chunk index of version 1.10 for the datasets.
    if (file >= 0 && H5Fset_libver_bounds(file, H5F_LIBVER_V110, H5F_LIBVER_LATEST) < 0) {
        H5Fclose(file);
        file = -1;
    }
    cn_hdf_drop(access);
    cn_hdf_drop(creation);
    return file;
}

static hid_t open_old(cn_hdf *hdf, const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (H5Pset_file_locking(access, 0, 1) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 && cn_disk_use(access, &hdf->disk)) {
        file = H5Fopen(path, H5F_ACC_RDONLY, access);
    }
    cn_hdf_note(hdf, file >= 0);
    cn_hdf_drop(access);
    return file;
}

static cn_status make(const char *shown, cn_hdf **hdf, cn_error *err)
{
    *hdf = calloc(1, sizeof **hdf);
    char *path = strdup(shown);
    if (*hdf == NULL || path == NULL || is_memory_short()) {
        free(*hdf);
        free(path);
        *hdf = NULL;
        return cn_fail(err, CN_NO_MEMORY, "out of memory while opening %s", shown);
    }
    (*hdf)->path = path;
    (*hdf)->file = -1;
    (*hdf)->thread_count = 1;
    return CN_OK;
}

static void destroy(cn_hdf *hdf)
{
    cn_disk_done(&hdf->disk);
    free(hdf->path);
    free(hdf);
}

// On failure frees *hdf and returns the sentence.
static cn_status settle(cn_hdf **hdf, cn_status status, const char *verb, const char *object,
                        cn_error *err)
{
    if ((*hdf)->file >= 0) {
        return CN_OK;
    }
    cn_status failed = cn_hdf_fail(*hdf, status, verb, object, err);
    destroy(*hdf);
    *hdf = NULL;
    return failed;
}

// First call to HDF5. It loses memory when it meets damaged files and complains about that on
// stderr when the program ends, so its exit handler is not installed; we need nothing of it.
static void prepare(void)
{
    (void)H5dont_atexit();
}

cn_status cn_hdf_create(const char *path, const char *shown, cn_hdf **hdf, cn_error *err)
{
    prepare();
    CN_TRY(make(shown, hdf, err));
    CN_HDF_QUIET((*hdf)->file, open_new(*hdf, path));
    return settle(hdf, CN_IO, "create", "this file", err);
}

// At the start of the file, or of its block 512, 1024, 2048 and so on.
static bool has_signature(const char *path, int64_t size)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    char found[8];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool has = false;
    for (int64_t at = 0; file >= 0 && !has && at + 8 <= size; at = at == 0 ? 512 : 2 * at) {
        has = pread(file, found, sizeof found, (off_t)at) == (ssize_t)sizeof found &&
              memcmp(found, signature, sizeof found) == 0;
    }
    if (file >= 0) {
        close(file);
    }
    return has;
}

// Checks that need no HDF5, whose own messages on missing files and folders mislead.
static cn_status look_at_file(const char *path, int64_t *size, cn_error *err)
{
    struct stat state;
    if (stat(path, &state) != 0) {
        return cn_fail(err, CN_IO, "%s: cannot open this file: %s", path, strerror(errno));
    }
    if (!S_ISREG(state.st_mode)) {
        return cn_fail(err, CN_IO, "%s: this is not a file", path);
    }
    if (access(path, R_OK) != 0) {
        return cn_fail(err, CN_IO, "%s: cannot read this file: %s", path, strerror(errno));
    }
    *size = (int64_t)state.st_size;
    if (!has_signature(path, (int64_t)state.st_size)) {
        return cn_fail(err, CN_BAD_INPUT, "%s: this is not an HDF5 file (%lld bytes)", path,
                       (long long)*size);
    }
    return CN_OK;
}

cn_status cn_hdf_open(const char *path, cn_hdf **hdf, cn_error *err)
{
    int64_t size = 0;
    prepare();
    CN_TRY(look_at_file(path, &size, err));
    CN_TRY(make(path, hdf, err));
    (*hdf)->size = size;
    CN_HDF_QUIET((*hdf)->file, open_old(*hdf, path));
    return settle(hdf, CN_BAD_INPUT, "open", "this file", err);
}

void cn_hdf_cut_off(cn_hdf *hdf)
{
    hdf->disk.is_cut = true;
}

cn_status cn_hdf_close(cn_hdf *hdf, cn_error *err)
{
    if (hdf == NULL) {
        return CN_OK;
    }
    bool done;
    CN_HDF_QUIET(done, is_written(hdf, H5Fclose(hdf->file) >= 0));
    cn_status status = done ? CN_OK : cn_hdf_fail(hdf, CN_IO, "close", "this file", err);
    destroy(hdf);
    return status;
}

cn_status cn_hdf_flush(cn_hdf *hdf, cn_error *err)
{
    bool done;
    CN_HDF_QUIET(done, is_written(hdf, H5Fflush(hdf->file, H5F_SCOPE_GLOBAL) >= 0));
    return done ? CN_OK : cn_hdf_fail(hdf, CN_IO, "write", "this file", err);
}

// Creates the groups on the way to `name` that are not there yet. HDF5 would do so by itself, but
// with the time of day in each.
static bool make_groups(cn_hdf *hdf, const char *name)
{
    char part[NAME_SIZE] = "";
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    bool done = creation >= 0 && H5Pset_obj_track_times(creation, 0) >= 0;
    for (int k = 0; done && k < NAME_SIZE - 1 && name[k] != '\0'; k++) {
        if (k > 0 && name[k] == '/' && H5Lexists(hdf->file, part, H5P_DEFAULT) <= 0) {
            hid_t group = H5Gcreate2(hdf->file, part, H5P_DEFAULT, creation, H5P_DEFAULT);
            done = cn_hdf_note(hdf, group >= 0);
            cn_hdf_drop(group);
        }
        part[k] = name[k];
    }
    cn_hdf_drop(creation);
    return done;
}

// The checksum of a dataset, as an attribute: those are part of its header.
static bool put_checksum(hid_t set, const void *values, size_t size)
{
    uint32_t sum = (uint32_t)crc32_z(0, values, size);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(set, CHECKSUM, H5T_STD_U32LE, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_UINT32, &sum) >= 0;
    cn_hdf_drop(attribute);
    cn_hdf_drop(space);
    return done;
}

// Whether the values are those that were written. Files of earlier versions do not know.
static bool has_checksum(hid_t set, const void *values, size_t size)
{
    uint32_t sum = 0;
    if (H5Aexists(set, CHECKSUM) <= 0) {
        return true;
    }
    hid_t attribute = H5Aopen(set, CHECKSUM, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Aread(attribute, H5T_NATIVE_UINT32, &sum) >= 0;
    cn_hdf_drop(attribute);
    return done && sum == (uint32_t)crc32_z(0, values, size);
}

// Creates a dataset of a type, and the groups above it, and fills it. Small ones lie in their
// header, which HDF5 checksums. No times are stored, so that equal runs give equal files, but for
// the root group, where HDF5 cannot be kept from it.
static bool put(cn_hdf *hdf, const char *name, hid_t stored, hid_t held, hid_t space,
                const void *values)
{
    if (!make_groups(hdf, name)) {
        return false;
    }
    size_t size = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(held);
    bool is_small = size <= COMPACT_MAX;
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, 0);
    if (is_small && size > 0) {
        H5Pset_layout(creation, H5D_COMPACT);
    }
    hid_t set = H5Dcreate2(hdf->file, name, stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    bool done =
        set >= 0 && (size == 0 || H5Dwrite(set, held, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    done = done && (is_small || put_checksum(set, values, size));
    cn_hdf_note(hdf, done);
    cn_hdf_drop(set);
    cn_hdf_drop(creation);
    return done;
}

static cn_status put_values(cn_hdf *hdf, const char *name, cn_field_kind kind, hid_t space,
                            const void *values, cn_error *err)
{
    bool done;
    CN_HDF_QUIET(done,
                 put(hdf, name, cn_hdf_type(kind, true), cn_hdf_type(kind, false), space, values));
    cn_hdf_drop(space);
    return done ? CN_OK : cn_hdf_fail(hdf, CN_IO, "write", name, err);
}

cn_status cn_hdf_put_list(cn_hdf *hdf, const char *name, cn_field_kind kind, size_t count,
                          const void *values, cn_error *err)
{
    hsize_t length = count;
    return put_values(hdf, name, kind, H5Screate_simple(1, &length, NULL), values, err);
}

cn_status cn_hdf_put(cn_hdf *hdf, const char *name, cn_field_kind kind, size_t count,
                     const void *values, cn_error *err)
{
    if (count != 1) {
        return cn_hdf_put_list(hdf, name, kind, count, values, err);
    }
    return put_values(hdf, name, kind, H5Screate(H5S_SCALAR), values, err);
}

static bool overwrite(cn_hdf *hdf, const char *name, hid_t held, const void *values)
{
    hid_t set = H5Dopen2(hdf->file, name, H5P_DEFAULT);
    bool done = set >= 0 && H5Dwrite(set, held, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    cn_hdf_note(hdf, done);
    cn_hdf_drop(set);
    return done;
}

cn_status cn_hdf_set(cn_hdf *hdf, const char *name, cn_field_kind kind, size_t count,
                     const void *values, cn_error *err)
{
    cn_field_kind stored_kind;
    size_t stored_count;
    CN_TRY(cn_hdf_look(hdf, name, &stored_kind, &stored_count, err));
    if (stored_kind != kind || stored_count != count) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %s has %zu values, not the %zu to be written",
                       hdf->path, name, stored_count, count);
    }
    bool done;
    CN_HDF_QUIET(done, overwrite(hdf, name, cn_hdf_type(kind, false), values));
    return done ? CN_OK : cn_hdf_fail(hdf, CN_IO, "write", name, err);
}

// Kind of a stored type, -1 if it is none of ours.
static int kind_of(hid_t type)
{
    for (int kind = 0; kind < CN_FIELD_TEXT; kind++) {
        if (H5Tequal(type, cn_hdf_type((cn_field_kind)kind, true)) > 0) {
            return kind;
        }
    }
    return -1;
}

static bool look(cn_hdf *hdf, const char *name, int *kind, hssize_t *count)
{
    hid_t set = H5Dopen2(hdf->file, name, H5P_DEFAULT);
    hid_t type = set >= 0 ? H5Dget_type(set) : -1;
    hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    *count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    bool done = cn_hdf_note(hdf, type >= 0 && *count >= 0);
    *kind = done ? kind_of(type) : -1;
    cn_hdf_drop(space);
    cn_hdf_drop(type);
    cn_hdf_drop(set);
    return done;
}

cn_status cn_hdf_look(cn_hdf *hdf, const char *name, cn_field_kind *kind, size_t *count,
                      cn_error *err)
{
    int found_kind;
    hssize_t found_count;
    bool done;
    CN_HDF_QUIET(done, look(hdf, name, &found_kind, &found_count));
    if (!done) {
        return cn_hdf_fail(hdf, CN_IO, "read", name, err);
    }
    if (found_kind < 0) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %s is of an unexpected type", hdf->path, name);
    }
    // Datasets read through here are stored plainly, so they cannot be larger than the file.
    size_t element = cn_field_size((cn_field_kind)found_kind);
    if (hdf->size > 0 && (uint64_t)found_count > (uint64_t)hdf->size / element) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %s claims %lld values in a file of %lld bytes",
                       hdf->path, name, (long long)found_count, (long long)hdf->size);
    }
    *kind = (cn_field_kind)found_kind;
    *count = (size_t)found_count;
    return CN_OK;
}

static bool get(cn_hdf *hdf, const char *name, hid_t held, size_t size, void *values)
{
    hid_t set = H5Dopen2(hdf->file, name, H5P_DEFAULT);
    // All bytes must be there: HDF5 copies from behind its buffers otherwise.
    bool is_stored = set >= 0 && H5Dget_storage_size(set) == size;
    bool done = is_stored && H5Dread(set, held, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    cn_hdf_note(hdf, done);
    if (done && !has_checksum(set, values, size)) {
        done = cn_hdf_note(hdf, false);
        snprintf(hdf->reason, sizeof hdf->reason, "its checksum is wrong");
    }
    cn_hdf_drop(set);
    return done;
}

cn_status cn_hdf_get(cn_hdf *hdf, const char *name, cn_field_kind kind, size_t count, void *values,
                     cn_error *err)
{
    cn_field_kind stored_kind;
    size_t stored_count;
    CN_TRY(cn_hdf_look(hdf, name, &stored_kind, &stored_count, err));
    if (stored_kind != kind || stored_count != count) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: %s holds %zu values of another sort or number than the %zu expected",
                       hdf->path, name, stored_count, count);
    }
    bool done;
    CN_HDF_QUIET(done,
                 get(hdf, name, cn_hdf_type(kind, false), count * cn_field_size(kind), values));
    return done ? CN_OK : cn_hdf_fail(hdf, CN_IO, "read", name, err);
}

static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, size) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        cn_hdf_drop(type);
        return -1;
    }
    return type;
}

static bool put_text(cn_hdf *hdf, const char *name, const char *text)
{
    hid_t type = text_type(strlen(text) + 1);
    hid_t space = H5Screate(H5S_SCALAR);
    bool done = put(hdf, name, type, type, space, text);
    cn_hdf_drop(space);
    cn_hdf_drop(type);
    return done;
}

cn_status cn_hdf_put_text(cn_hdf *hdf, const char *name, const char *text, cn_error *err)
{
    bool done;
    CN_HDF_QUIET(done, put_text(hdf, name, text != NULL ? text : ""));
    return done ? CN_OK : cn_hdf_fail(hdf, CN_IO, "write", name, err);
}

// Length of a text dataset with its final zero; 0 if it is not one.
static size_t text_size(cn_hdf *hdf, const char *name)
{
    hid_t set = H5Dopen2(hdf->file, name, H5P_DEFAULT);
    hid_t type = set >= 0 ? H5Dget_type(set) : -1;
    hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    bool is_text = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
                   H5Tis_variable_str(type) == 0 && H5Sget_simple_extent_npoints(space) == 1;
    size_t size = is_text ? H5Tget_size(type) : 0;
    cn_hdf_drop(space);
    cn_hdf_drop(type);
    cn_hdf_drop(set);
    return size;
}

static bool get_text(cn_hdf *hdf, const char *name, size_t size, char *text)
{
    hid_t type = text_type(size);
    bool done = get(hdf, name, type, size, text);
    cn_hdf_drop(type);
    return done;
}

cn_status cn_hdf_get_text(cn_hdf *hdf, const char *name, char **text, cn_error *err)
{
    size_t size;
    CN_HDF_QUIET(size, text_size(hdf, name));
    if (size == 0 || (hdf->size > 0 && size > (uint64_t)hdf->size)) {
        return cn_fail(err, CN_IO, "%s: the text %s is missing or damaged", hdf->path, name);
    }
    *text = NULL;
    size_t capacity = 0;
    CN_TRY(cn_reserve(NULL, text, &capacity, size + 1, err));
    bool done;
    CN_HDF_QUIET(done, get_text(hdf, name, size, *text));
    if (!done) {
        cn_release(NULL, *text);
        *text = NULL;
        return cn_hdf_fail(hdf, CN_IO, "read", name, err);
    }
    (*text)[size] = '\0';
    return CN_OK;
}

// An object that HDF5 cannot even look for counts as there: reading it then tells the damage.
bool cn_hdf_has(const cn_hdf *hdf, const char *name)
{
    htri_t has;
    CN_HDF_QUIET(has, H5Lexists(hdf->file, name, H5P_DEFAULT));
    return has != 0;
}

cn_status cn_hdf_check_format(cn_hdf *hdf, const char *format, int newest, int *version,
                              cn_error *err)
{
    char *found = NULL;
    bool is_ours = false;
    if (cn_hdf_has(hdf, "format")) {
        CN_TRY(cn_hdf_get_text(hdf, "format", &found, err));
        is_ours = strcmp(found, format) == 0;
        cn_release(NULL, found);
    }
    if (!is_ours) {
        return cn_fail(err, CN_BAD_INPUT, "%s: this is an HDF5 file, but not a %s", hdf->path,
                       format);
    }
    int32_t found_version = 0;
    CN_TRY(cn_hdf_get(hdf, "format_version", CN_FIELD_INT32, 1, &found_version, err));
    if (found_version < 1 || found_version > newest) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: this %s is of version %d, this program reads versions 1 to %d; use a "
                       "newer cairn",
                       hdf->path, format, (int)found_version, newest);
    }
    *version = found_version;
    return CN_OK;
}
