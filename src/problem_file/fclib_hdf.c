// problem_file/fclib_hdf.c
#include "problem_file/fclib_hdf.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"

enum { NAME_MAX_LENGTH = 128, COMPRESSION_MAX = 1100, ELEMENT_MAX = 16 };

static void join(char *path, const char *folder, const char *name)
{
    snprintf(path, NAME_MAX_LENGTH, "%s/%s", folder, name);
}

// H5Lexists wants every group on the way to exist.
static bool has(cn_hdf *hdf, const char *name)
{
    char part[NAME_MAX_LENGTH];
    for (int k = 0; k < NAME_MAX_LENGTH - 1; k++) {
        part[k] = name[k];
        part[k + 1] = '\0';
        bool is_end = name[k + 1] == '/' || name[k + 1] == '\0';
        if (is_end && H5Lexists(hdf->file, part, H5P_DEFAULT) <= 0) {
            return false;
        }
        if (name[k + 1] == '\0') {
            return H5Oexists_by_name(hdf->file, name, H5P_DEFAULT) > 0;
        }
    }
    return false;
}

bool cn_fclib_has(cn_hdf *hdf, const char *name)
{
    bool found;
    CN_HDF_QUIET(found, has(hdf, name));
    return found;
}

// Type and size of a dataset, found without reading its values.
typedef struct dataset {
    hid_t set;
    H5T_class_t class;
    hssize_t count;
    size_t element; // bytes of one value
    uint64_t bytes; // what its values would fill at most, from what it takes in the file
    bool is_plain;  // neither chunked nor compressed: takes exactly what it holds
} dataset;

// A damaged file may claim any number of values. A plain dataset fits in the file and has all its
// bytes there (HDF5 copies from behind its buffers otherwise); a compressed one cannot be larger
// than the best ratio of deflate allows.
static bool open_dataset(cn_hdf *hdf, const char *path, dataset *d)
{
    d->set = H5Dopen2(hdf->file, path, H5P_DEFAULT);
    hid_t type = d->set >= 0 ? H5Dget_type(d->set) : -1;
    hid_t space = d->set >= 0 ? H5Dget_space(d->set) : -1;
    hid_t creation = d->set >= 0 ? H5Dget_create_plist(d->set) : -1;
    d->class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    d->element = type >= 0 ? H5Tget_size(type) : 0;
    d->count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    bool done = cn_hdf_note(hdf, d->class != H5T_NO_CLASS && d->count >= 0 && creation >= 0);
    if (done) {
        uint64_t stored = H5Dget_storage_size(d->set), size = (uint64_t)hdf->size;
        d->is_plain = H5Pget_layout(creation) != H5D_CHUNKED;
        d->bytes = (stored < size ? stored : size) * (d->is_plain ? 1 : COMPRESSION_MAX);
    }
    cn_hdf_drop(creation);
    cn_hdf_drop(space);
    cn_hdf_drop(type);
    return done;
}

static bool fill(cn_hdf *hdf, const dataset *d, hid_t held, void *values)
{
    return cn_hdf_note(hdf, H5Dread(d->set, held, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

// All values of a dataset as native numbers of one kind.
static cn_status read_values(cn_hdf *hdf, const char *path, cn_field_kind kind, void **value,
                             size_t *count, cn_error *err)
{
    dataset d = {.set = -1};
    bool done;
    CN_HDF_QUIET(done, open_dataset(hdf, path, &d));
    cn_status status = CN_OK;
    if (!done) {
        status = cn_hdf_fail(hdf, CN_BAD_INPUT, "read", path, err);
    } else if ((d.class != H5T_INTEGER && (d.class != H5T_FLOAT || kind != CN_FIELD_REAL)) ||
               d.element == 0 || d.element > ELEMENT_MAX) {
        status = cn_fail(err, CN_BAD_INPUT, "%s: %s does not hold %s numbers", hdf->path, path,
                         kind == CN_FIELD_REAL ? "real" : "whole");
    } else if ((uint64_t)d.count > d.bytes / d.element || d.count > INT32_MAX ||
               (d.is_plain && (uint64_t)d.count * d.element != d.bytes)) {
        status = cn_fail(err, CN_BAD_INPUT, "%s: %s claims %lld values in a file of %lld bytes",
                         hdf->path, path, (long long)d.count, (long long)hdf->size);
    } else {
        *count = (size_t)d.count;
        status = cn_new_bytes(value, *count, cn_field_size(kind), err);
    }
    if (status == CN_OK && *count > 0) {
        CN_HDF_QUIET(done, fill(hdf, &d, cn_hdf_type(kind, false), *value));
        if (!done) {
            status = cn_hdf_fail(hdf, CN_BAD_INPUT, "read", path, err);
            cn_release(NULL, *value);
            *value = NULL;
        }
    }
    cn_hdf_drop(d.set);
    return status;
}

static cn_status read_reals(cn_hdf *hdf, const char *folder, const char *name, double **value,
                            size_t *count, cn_error *err)
{
    char path[NAME_MAX_LENGTH];
    join(path, folder, name);
    return read_values(hdf, path, CN_FIELD_REAL, (void **)value, count, err);
}

static cn_status read_integers(cn_hdf *hdf, const char *folder, const char *name, int32_t **value,
                               size_t *count, cn_error *err)
{
    char path[NAME_MAX_LENGTH];
    join(path, folder, name);
    return read_values(hdf, path, CN_FIELD_INT32, (void **)value, count, err);
}

cn_status cn_fclib_integer(cn_hdf *hdf, const char *folder, const char *name, int *value,
                           cn_error *err)
{
    int32_t *array = NULL;
    size_t count = 0;
    CN_TRY(read_integers(hdf, folder, name, &array, &count, err));
    if (count == 1) {
        *value = array[0];
    }
    cn_release(NULL, array);
    return count == 1 ? CN_OK
                      : cn_fail(err, CN_BAD_INPUT, "%s: %s/%s holds %zu values, not one", hdf->path,
                                folder, name, count);
}

cn_status cn_fclib_vector(cn_hdf *hdf, const char *folder, const char *name, int count,
                          double **value, cn_error *err)
{
    size_t found = 0;
    CN_TRY(read_reals(hdf, folder, name, value, &found, err));
    if (found != (size_t)count) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %s/%s holds %zu values, %d were expected", hdf->path,
                       folder, name, found, count);
    }
    for (int k = 0; k < count; k++) {
        if (!isfinite((*value)[k])) {
            return cn_fail(err, CN_BAD_INPUT, "%s: %s/%s: entry %d is %g; it must be finite",
                           hdf->path, folder, name, k, (*value)[k]);
        }
    }
    return CN_OK;
}

// Bytes of a text of fixed length, 0 if it is none. Its own type is used to read it: HDF5 does not
// convert between character sets, and writers choose either.
static size_t text_size(hid_t type, hid_t space)
{
    bool is_text = type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
                   H5Tis_variable_str(type) == 0 && H5Sget_simple_extent_npoints(space) == 1;
    return is_text ? H5Tget_size(type) : 0;
}

cn_status cn_fclib_text(cn_hdf *hdf, const char *folder, const char *name, char **text,
                        cn_error *err)
{
    char path[NAME_MAX_LENGTH];
    join(path, folder, name);
    hid_t set = -1, type = -1, space = -1;
    if (cn_fclib_has(hdf, path)) {
        CN_HDF_QUIET(set, H5Dopen2(hdf->file, path, H5P_DEFAULT));
    }
    if (set >= 0) {
        CN_HDF_QUIET(type, H5Dget_type(set));
        CN_HDF_QUIET(space, H5Dget_space(set));
    }
    size_t size;
    CN_HDF_QUIET(size, text_size(type, space));
    uint64_t stored;
    CN_HDF_QUIET(stored, set >= 0 ? H5Dget_storage_size(set) : 0);
    size = size <= (uint64_t)hdf->size && size == stored ? size : 0;
    cn_status status = cn_new(text, size + 1, err);
    bool done = true;
    if (status == CN_OK && size > 0) {
        CN_HDF_QUIET(done, H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0);
    }
    if (!done) {
        (*text)[0] = '\0';
    }
    cn_hdf_drop(space);
    cn_hdf_drop(type);
    cn_hdf_drop(set);
    return status;
}

// A matrix as it stands in the file.
typedef struct stored_matrix {
    int m, n, nz, nzmax;
    int32_t *p, *i;
    double *x;
    size_t p_count, i_count, x_count;
} stored_matrix;

static cn_status read_stored(cn_hdf *hdf, const char *folder, stored_matrix *s, cn_error *err)
{
    CN_TRY(cn_fclib_integer(hdf, folder, "m", &s->m, err));
    CN_TRY(cn_fclib_integer(hdf, folder, "n", &s->n, err));
    CN_TRY(cn_fclib_integer(hdf, folder, "nz", &s->nz, err));
    CN_TRY(cn_fclib_integer(hdf, folder, "nzmax", &s->nzmax, err));
    const int most = INT32_MAX / 2; // so that two sizes can be added
    if (s->m < 0 || s->n < 0 || s->m > most || s->n > most || s->nz < -2 || s->nzmax < 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: %s has m %d, n %d, nz %d, nzmax %d: sizes must be >= 0 and the storage "
                       "code nz -1 (columns), -2 (rows) or the number of triplets",
                       hdf->path, folder, s->m, s->n, s->nz, s->nzmax);
    }
    CN_TRY(read_integers(hdf, folder, "p", &s->p, &s->p_count, err));
    CN_TRY(read_integers(hdf, folder, "i", &s->i, &s->i_count, err));
    return read_reals(hdf, folder, "x", &s->x, &s->x_count, err);
}

// Adds one entry after checking it.
static cn_status add_checked(cn_hdf *hdf, const char *folder, int row, int column, double value,
                             cn_sparse *A, cn_error *err)
{
    if (row < 0 || row >= A->row_count || column < 0 || column >= A->column_count) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %s has an entry at (%d, %d), outside of %d x %d",
                       hdf->path, folder, row, column, A->row_count, A->column_count);
    }
    if (!isfinite(value)) {
        return cn_fail(err, CN_BAD_INPUT, "%s: %s: entry (%d, %d) is %g; it must be finite",
                       hdf->path, folder, row, column, value);
    }
    return cn_sparse_add(A, row, column, value, err);
}

// Triplets: i holds rows and p columns, as CSparse has it and as files found in the wild have.
static cn_status take_triplets(cn_hdf *hdf, const char *folder, const stored_matrix *s,
                               cn_sparse *A, cn_error *err)
{
    size_t count = (size_t)s->nz;
    if (s->p_count < count || s->i_count < count || s->x_count < count) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: %s has nz = %d triplets, but p, i, x hold %zu, %zu, %zu values",
                       hdf->path, folder, s->nz, s->p_count, s->i_count, s->x_count);
    }
    CN_TRY(cn_sparse_reserve(A, s->nz, err));
    for (int n = 0; n < s->nz; n++) {
        CN_TRY(add_checked(hdf, folder, s->i[n], s->p[n], s->x[n], A, err));
    }
    return CN_OK;
}

// Compressed columns (nz = -1) or rows (nz = -2); `lines` of them.
static cn_status take_compressed(cn_hdf *hdf, const char *folder, const stored_matrix *s,
                                 cn_sparse *A, cn_error *err)
{
    int lines = s->nz == -1 ? s->n : s->m;
    bool fits = s->p_count >= (size_t)lines + 1 && s->p[0] == 0;
    for (int k = 0; fits && k < lines; k++) {
        fits = s->p[k] <= s->p[k + 1];
    }
    int count = fits ? s->p[lines] : 0;
    if (!fits || s->i_count < (size_t)count || s->x_count < (size_t)count) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: %s: p must start at 0 and grow to the number of entries over %d %s; "
                       "p, i, x hold %zu, %zu, %zu values",
                       hdf->path, folder, lines, s->nz == -1 ? "columns" : "rows", s->p_count,
                       s->i_count, s->x_count);
    }
    CN_TRY(cn_sparse_reserve(A, count, err));
    for (int k = 0; k < lines; k++) {
        for (int n = s->p[k]; n < s->p[k + 1]; n++) {
            int row = s->nz == -1 ? s->i[n] : k;
            int column = s->nz == -1 ? k : s->i[n];
            CN_TRY(add_checked(hdf, folder, row, column, s->x[n], A, err));
        }
    }
    return CN_OK;
}

cn_status cn_fclib_matrix(cn_hdf *hdf, const char *folder, cn_sparse *A, cn_error *err)
{
    stored_matrix s = {0};
    cn_status status = read_stored(hdf, folder, &s, err);
    // Lines without entries cost memory too; a sane matrix has an entry in nearly every one.
    if (status == CN_OK && ((int64_t)s.m > hdf->size || (int64_t)s.n > hdf->size)) {
        status = cn_fail(err, CN_BAD_INPUT, "%s: %s claims to be %d x %d in a file of %lld bytes",
                         hdf->path, folder, s.m, s.n, (long long)hdf->size);
    }
    if (status == CN_OK) {
        *A = (cn_sparse){.row_count = s.m, .column_count = s.n};
        status = s.nz >= 0 ? take_triplets(hdf, folder, &s, A, err)
                           : take_compressed(hdf, folder, &s, A, err);
    }
    CN_THEN(status, cn_sparse_sort(A, err));
    CN_RELEASE(s.p, s.i, s.x);
    return status;
}

static cn_status put_values(cn_hdf *hdf, const char *folder, const char *name, cn_field_kind kind,
                            int count, const void *values, cn_error *err)
{
    char path[NAME_MAX_LENGTH];
    join(path, folder, name);
    return cn_hdf_put_list(hdf, path, kind, (size_t)count, values, err);
}

cn_status cn_fclib_put_text(cn_hdf *hdf, const char *folder, const char *name, const char *text,
                            cn_error *err)
{
    char path[NAME_MAX_LENGTH];
    join(path, folder, name);
    return cn_hdf_put_text(hdf, path, text, err);
}

cn_status cn_fclib_put_reals(cn_hdf *hdf, const char *folder, const char *name, int count,
                             const double *value, cn_error *err)
{
    return put_values(hdf, folder, name, CN_FIELD_REAL, count, value, err);
}

cn_status cn_fclib_put_integers(cn_hdf *hdf, const char *folder, const char *name, int count,
                                const int32_t *value, cn_error *err)
{
    return put_values(hdf, folder, name, CN_FIELD_INT32, count, value, err);
}

cn_status cn_fclib_put_matrix(cn_hdf *hdf, const char *folder, const cn_sparse *A, cn_error *err)
{
    const int32_t m = A->row_count, n = A->column_count, nz = -1, nzmax = A->count;
    CN_TRY(cn_fclib_put_integers(hdf, folder, "m", 1, &m, err));
    CN_TRY(cn_fclib_put_integers(hdf, folder, "n", 1, &n, err));
    CN_TRY(cn_fclib_put_integers(hdf, folder, "nz", 1, &nz, err));
    CN_TRY(cn_fclib_put_integers(hdf, folder, "nzmax", 1, &nzmax, err));
    int32_t *start;
    CN_TRY(cn_new(&start, (size_t)n + 1, err));
    cn_sparse_columns(A, start);
    cn_status status = cn_fclib_put_integers(hdf, folder, "p", n + 1, start, err);
    cn_release(NULL, start);
    CN_TRY(status);
    CN_TRY(cn_fclib_put_integers(hdf, folder, "i", A->count, A->row, err));
    return cn_fclib_put_reals(hdf, folder, "x", A->count, A->value, err);
}
