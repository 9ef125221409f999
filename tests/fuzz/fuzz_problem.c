// Fuzz target of the problem reader (tools/fuzz.sh problem). Input that starts like HDF5 is read as
// a file; anything else is a recipe for one, so that mutations reach the numbers and not only the
// container. What is accepted is solved a little, checked, written and read back.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cairn/problem_file.h"
#include "problem_file/fclib_hdf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_BYTES_MAX = 1 << 17, FUZZ_ARRAY_MAX = 40 };

// A file of this process, in memory where the system has such a folder. Valid for two calls.
static const char *scratch_path(const char *name)
{
    static char path[2][80];
    static int last;
    last = 1 - last;
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".";
    snprintf(path[last], sizeof path[last], "%s/cairn-%d-%s.hdf5", folder, (int)getpid(), name);
    return path[last];
}

static void solve_a_little(cn_problem_file *file, cn_method method)
{
    cn_problem *p = cn_problem_file_problem(file);
    cn_solver *solver = NULL;
    cn_solver_report report;
    cn_problem_errors errors;
    cn_solver_def def = cn_solver_def_default();
    def.method = method;
    def.sweep_max = 10;
    memset(p->r, 0, sizeof(double) * (size_t)p->row_start[p->contact_count]);
    if (cn_solver_create(NULL, &solver, NULL) == CN_OK) {
        cn_problem_solve(p, &def, solver, &report, NULL);
        cn_problem_file_check(file, p->r, NULL, &errors, NULL);
    }
    cn_solver_destroy(solver);
}

// What could be written reads back with as many contacts.
static void write_and_read(cn_problem_file *file)
{
    cn_problem_note note = {.title = cn_problem_file_info(file)->title, .with_solution = true};
    const char *target = scratch_path("copy");
    if (cn_problem_write(target, cn_problem_file_problem(file), &note, NULL) == CN_OK) {
        cn_problem_file *again = NULL;
        if (cn_problem_file_read(target, &again, NULL) != CN_OK ||
            cn_problem_file_info(again)->contact_count !=
                cn_problem_file_info(file)->contact_count) {
            abort();
        }
        cn_problem_file_destroy(again);
        unlink(target);
    }
}

static cn_status read_problem(const char *path)
{
    cn_problem_file *file = NULL;
    cn_status status = cn_problem_file_read(path, &file, NULL);
    if (status != CN_OK) {
        return status;
    }
    for (int k = 0; k < CN_METHOD_COUNT && !cn_problem_file_info(file)->is_rolling; k++) {
        solve_a_little(file, (cn_method)k);
    }
    write_and_read(file);
    cn_problem_file_destroy(file);
    return CN_OK;
}

static cn_status read_bytes(const uint8_t *data, size_t size)
{
    const char *path = scratch_path("input");
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        abort();
    }
    cn_status status = read_problem(path);
    unlink(path);
    return status;
}

// A recipe: bytes are taken one by one, zeros when there are no more.
typedef struct recipe {
    const uint8_t *data;
    size_t size, at;
} recipe;

static int take(recipe *r)
{
    return r->at < r->size ? r->data[r->at++] : 0;
}

// Mostly small; 255 announces a number of four bytes.
static int take_integer(recipe *r)
{
    int byte = take(r);
    if (byte != 255) {
        return byte < 250 ? byte : byte - 255;
    }
    uint32_t word = 0;
    for (int k = 0; k < 4; k++) {
        word = word << 8 | (uint32_t)take(r);
    }
    return (int)word;
}

static double take_real(recipe *r)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1.7e308, -1.7e308, 1e-308, 5e-324, -0.0};
    int byte = take(r);
    return byte < 8 ? odd[byte] : (byte - 64) / 16.0;
}

static void put_integers(recipe *r, cn_hdf *hdf, const char *folder, const char *name)
{
    int32_t value[FUZZ_ARRAY_MAX];
    int count = take(r) % (FUZZ_ARRAY_MAX + 1);
    for (int k = 0; k < count; k++) {
        value[k] = take_integer(r);
    }
    cn_fclib_put_integers(hdf, folder, name, count, value, NULL);
}

static void put_reals(recipe *r, cn_hdf *hdf, const char *folder, const char *name)
{
    double value[FUZZ_ARRAY_MAX];
    int count = take(r) % (FUZZ_ARRAY_MAX + 1);
    for (int k = 0; k < count; k++) {
        value[k] = take_real(r);
    }
    cn_fclib_put_reals(hdf, folder, name, count, value, NULL);
}

static void put_matrix(recipe *r, cn_hdf *hdf, const char *group, const char *name)
{
    char folder[64];
    static const char *const size_names[] = {"m", "n", "nz", "nzmax"};
    snprintf(folder, sizeof folder, "%s/%s", group, name);
    for (int k = 0; k < 4; k++) {
        int32_t value = take_integer(r);
        cn_fclib_put_integers(hdf, folder, size_names[k], 1, &value, NULL);
    }
    put_integers(r, hdf, folder, "p");
    put_integers(r, hdf, folder, "i");
    put_reals(r, hdf, folder, "x");
}

static void put_recipe(recipe *r, cn_hdf *hdf)
{
    static const char *const group_names[] = {"fclib_local", "fclib_global", "fclib_local_rolling",
                                              "fclib_global_rolling"};
    const char *matrix_names[2][3] = {{"W", "V", "R"}, {"M", "H", "G"}};
    const char *vector_names[2][4] = {{"q", "mu", "s", "mu_r"}, {"f", "mu", "b", "w"}};
    int form = take(r) % 4, optional = take(r);
    const char *group = group_names[form];
    char vectors[64];
    snprintf(vectors, sizeof vectors, "%s/vectors", group);
    int32_t space_dim = take_integer(r);
    cn_fclib_put_integers(hdf, group, "spacedim", 1, &space_dim, NULL);
    for (int k = 0; k < 3; k++) {
        if (k == 0 || (k == 1 && form % 2 == 1) || optional & (1 << k)) {
            put_matrix(r, hdf, group, matrix_names[form % 2][k]);
        }
    }
    for (int k = 0; k < 4; k++) {
        put_reals(r, hdf, vectors, vector_names[form % 2][k]);
    }
    if (form == 3) {
        put_reals(r, hdf, vectors, "mu_r");
    }
    if (optional & 128) {
        put_reals(r, hdf, "solution", "r");
    }
}

static cn_status read_recipe(const uint8_t *data, size_t size)
{
    const char *path = scratch_path("recipe");
    recipe r = {.data = data, .size = size};
    cn_hdf *hdf = NULL;
    if (cn_hdf_create(path, path, &hdf, NULL) != CN_OK) {
        abort();
    }
    put_recipe(&r, hdf);
    cn_hdf_close(hdf, NULL);
    cn_status status = read_problem(path);
    unlink(path);
    return status;
}

static cn_status fuzz_input(const uint8_t *data, size_t size)
{
    bool is_file = size >= 4 && memcmp(data, "\x89HDF", 4) == 0;
    return is_file ? read_bytes(data, size) : read_recipe(data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= FUZZ_BYTES_MAX) {
        fuzz_input(data, size);
    }
    return 0;
}
