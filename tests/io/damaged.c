// The reader never crashes on a damaged file: it says what is wrong or reads what is there.
#include "cairn/cairn.h"
#include "files.h"
#include "test.h"
#include "views.h"

#include "base/hash.h"
#include "output/hdf.h"

static void write_file(const char *path, int frames)
{
    made_view m = {0};
    cn_writer *writer = NULL;
    CN_DO(made_start(path, &m, &writer, &test_error));
    for (int k = 1; k < frames; k++) {
        CN_DO(made_write(writer, &m, k, &test_error));
    }
    CN_DO(cn_results_close(writer, &m.snapshot, "done", 1.0, 3, &test_error));
}

// Reads everything there is; the numbers may be wrong, the arrays must be sound.
static cn_status read_everything(const char *path)
{
    cn_reader *r = NULL;
    cn_status status = cn_reader_open(path, &r, &test_error);
    if (status != CN_OK) {
        return status;
    }
    double sum = 0.0;
    for (int k = 0; k < cn_reader_summary(r)->frames; k++) {
        cn_frame f;
        if (cn_reader_frame(r, k, &f, &test_error) != CN_OK) {
            status = CN_BAD_INPUT;
            continue;
        }
        for (int a = 0; a < f.contact_count; a++) {
            sum += f.q[3 * f.contact[a].i] + f.q[3 * f.contact[a].j];
            sum += cn_reader_state(r, &f, a, "hot") > 0.0;
        }
        for (int n = 0; n < f.joint_count; n++) {
            sum += f.q[3 * f.joint[n].i] + (f.joint[n].j < 0 ? 0.0 : f.q[3 * f.joint[n].j]);
        }
        for (int i = 0; i < f.body_count; i++) {
            int count;
            const cn_shape_def *shape = cn_reader_shapes(r, f.id[i], &count);
            for (int n = 0; n < count; n++) {
                sum += shape[n].vertex_count > 0 ? shape[n].vertex[2 * shape[n].vertex_count - 1]
                                                 : shape[n].radius;
            }
            sum += strlen(cn_reader_group_name(r, f.group[i])) > 0;
        }
    }
    for (int k = 0; k < cn_reader_column_count(r); k++) {
        cn_column column;
        if (cn_reader_column(r, cn_reader_column_name(r, k), &column, &test_error) == CN_OK) {
            sum += column.count > 0 ? column.value[column.count - 1] : 0.0;
        }
    }
    CN_TRUE(isfinite(sum) || status == CN_OK);
    cn_reader_close(r);
    return status;
}

CN_TEST(flipped_bytes_never_crash)
{
    write_file(files_path("a.h5"), 12);
    size_t size = 0;
    char *bytes = files_read(files_path("a.h5"), &size);
    const char *path = files_path("flipped.h5");
    uint64_t random = 1;
    int found = 0;
    for (int k = 0; k < 200; k++) {
        // Half of the places in the first pages, where the structure is.
        size_t limit = k % 2 == 0 && size > 16384 ? 16384 : size;
        size_t place = (size_t)(cn_random(&random) * (double)limit);
        char before = bytes[place];
        bytes[place] = (char)(before ^ (char)(1 + cn_random_word(&random) % 255));
        files_write(path, bytes, size);
        bytes[place] = before;
        cn_status status = read_everything(path);
        CN_TRUE(status == CN_OK || status == CN_IO || status == CN_BAD_INPUT);
        found += status != CN_OK;
    }
    CN_TRUE(found > 20);
    free(bytes);
}

CN_TEST(cut_files_never_crash)
{
    write_file(files_path("b.h5"), 12);
    size_t size = 0;
    char *bytes = files_read(files_path("b.h5"), &size);
    const char *path = files_path("cut.h5");
    for (int k = 0; k < 200; k++) {
        files_write(path, bytes, (size_t)k * size / 200);
        cn_status status = read_everything(path);
        CN_TRUE(status == CN_IO || status == CN_BAD_INPUT);
        CN_TRUE(strstr(test_error.text, "cut.h5") != NULL);
    }
    free(bytes);
}

// Wrong counts, in the very places where the reader takes counts from.
CN_TEST(wrong_counts_are_found)
{
    write_file(files_path("c.h5"), 5);
    size_t size = 0;
    char *bytes = files_read(files_path("c.h5"), &size);
    const char *path = files_path("counts.h5");
    // The row of frame 1: its step, time, h, places of bodies and contacts (docs/formats.md).
    struct {
        int64_t step;
        double time, h;
    } row = {2, 0.2 * 1, 0.1};
    char *place = memmem(bytes, size, &row, sizeof row);
    CN_TRUE(place != NULL);
    for (int field = 3; place != NULL && field < 15; field++) {
        int64_t before, wrong[3] = {-1, INT64_MAX, 1000000};
        memcpy(&before, place + 8 * field, 8);
        for (int k = 0; k < 3; k++) {
            memcpy(place + 8 * field, &wrong[k], 8);
            files_write(path, bytes, size);
            CN_TRUE(read_everything(path) == CN_BAD_INPUT);
            CN_TRUE(strstr(test_error.text, "frame 1") != NULL);
        }
        memcpy(place + 8 * field, &before, 8);
    }
    free(bytes);
}

// A word of one row of a dataset, and the value that takes its place.
typedef struct wrong_word {
    hsize_t row;
    size_t offset;
    uint64_t value;
} wrong_word;

// Changes one word through HDF5, so that checksums and compression are right.
static void change_word(hid_t set, hid_t type, const wrong_word *w)
{
    hid_t space = H5Dget_space(set);
    hsize_t one = 1;
    hid_t memory = H5Screate_simple(1, &one, NULL);
    if (H5Sget_simple_extent_ndims(space) == 1) {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &w->row, NULL, &one, NULL);
    }
    size_t size = H5Tget_size(type);
    unsigned char *row = calloc(1, size + sizeof w->value);
    CN_TRUE(H5Dread(set, type, memory, space, H5P_DEFAULT, row) >= 0);
    memcpy(row + w->offset, &w->value, sizeof w->value);
    CN_TRUE(H5Dwrite(set, type, memory, space, H5P_DEFAULT, row) >= 0);
    free(row);
    cn_hdf_drop(memory);
    cn_hdf_drop(space);
}

// Size of a row and number of rows of a dataset; with a word, changes it as well.
static void visit_dataset(const char *path, const char *name, const wrong_word *w, size_t *row_size,
                          hsize_t *rows)
{
    hid_t file = H5Fopen(path, w != NULL ? H5F_ACC_RDWR : H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t type = H5Dget_type(set);
    hid_t space = H5Dget_space(set);
    *row_size = H5Tget_size(type);
    *rows = (hsize_t)H5Sget_simple_extent_npoints(space);
    if (w != NULL) {
        change_word(set, type, w);
    }
    cn_hdf_drop(space);
    cn_hdf_drop(type);
    cn_hdf_drop(set);
    CN_TRUE(H5Fclose(file) >= 0);
}

// Every word of the last row of a dataset is wrong in turn, up to `most` of them; returns how often
// that was found.
static int damage_dataset(const char *name, size_t most, const char *bytes, size_t size,
                          cn_status (*read_file)(const char *))
{
    const char *path = files_path("word.h5");
    const uint64_t value[2] = {UINT64_MAX, 1000000}; // -1 or not a number; much
    size_t row_size = 0;
    hsize_t rows = 0;
    int found = 0;
    files_write(path, bytes, size);
    visit_dataset(path, name, NULL, &row_size, &rows);
    for (size_t n = 0; n < most && 8 * n < row_size; n++) {
        for (int k = 0; k < 2; k++) {
            wrong_word word = {rows - 1, 8 * n, value[k]};
            files_write(path, bytes, size);
            visit_dataset(path, name, &word, &row_size, &rows);
            cn_status status = read_file(path);
            CN_TRUE(status == CN_OK || status == CN_BAD_INPUT);
            found += status != CN_OK;
        }
    }
    return found;
}

// Behind right checksums every number may be wrong. What is used as a count, a place or a
// coordinate must be found; what is only handed on (a residual, a text) need not.
CN_TEST(every_number_may_be_wrong)
{
    static const struct {
        const char *name;
        bool is_found;
    } set[] = {{"frames_committed", true},
               {"steps_committed", true},
               {"format_version", true},
               {"format", true},
               {"about/dim", true},
               {"about/seed", false},
               {"groups", false},
               {"laws", true},
               {"law_states", false},
               {"bodies", true},
               {"shapes", true},
               {"vertices", true},
               {"frames", true},
               {"frame_bodies", true},
               {"frame_contacts", true},
               {"frame_contact_states", true},
               {"frame_joints", true},
               {"steps", false},
               {"series", false},
               {"series_names", false},
               {"end", false}};
    write_file(files_path("e.h5"), 4);
    size_t size = 0;
    char *bytes = files_read(files_path("e.h5"), &size);
    for (size_t k = 0; k < sizeof set / sizeof set[0]; k++) {
        int found =
            damage_dataset(set[k].name, set[k].is_found ? 30 : 2, bytes, size, read_everything);
        CN_TRUE(found > 0 || !set[k].is_found);
    }
    free(bytes);
}

static cn_status read_checkpoint(const char *path)
{
    cn_checkpoint *c = NULL;
    cn_status status = cn_checkpoint_open(path, &c, &test_error);
    cn_checkpoint_close(c);
    return status;
}

// Checksums of parts are our own.
CN_TEST(every_part_of_a_checkpoint_is_checked)
{
    double number[2] = {1.0, 2.0};
    cn_state_part part = {
        .name = "q", .element_size = 8, .is_real = true, .count = 2, .data = number};
    CN_DO(cn_checkpoint_save(files_path("y.ckpt.h5"), &part, 1, &part, 1, &test_error));
    size_t size = 0;
    char *bytes = files_read(files_path("y.ckpt.h5"), &size);
    CN_TRUE(damage_dataset("state/q", 1, bytes, size, read_checkpoint) == 2);
    CN_TRUE(damage_dataset("extra/q", 1, bytes, size, read_checkpoint) == 2);
    CN_TRUE(damage_dataset("parts", 7, bytes, size, read_checkpoint) >= 4);
    free(bytes);
}

CN_TEST(other_files_are_refused)
{
    cn_reader *r = NULL;
    CN_FAILS(cn_reader_open(files_path("none.h5"), &r, &test_error), CN_IO, "No such file");
    CN_FAILS(cn_reader_open(".", &r, &test_error), CN_IO, "not a file");
    files_write(files_path("empty.h5"), "", 0);
    CN_FAILS(cn_reader_open(files_path("empty.h5"), &r, &test_error), CN_BAD_INPUT,
             "not an HDF5 file");
    double number = 1.0;
    cn_state_part part = {
        .name = "q", .element_size = 8, .is_real = true, .count = 1, .data = &number};
    CN_DO(cn_checkpoint_save(files_path("x.ckpt.h5"), &part, 1, NULL, 0, &test_error));
    CN_FAILS(cn_reader_open(files_path("x.ckpt.h5"), &r, &test_error), CN_BAD_INPUT,
             "not a cairn result");
}

// A file of a later version is refused by its number, not by what is missing in it.
CN_TEST(later_versions_are_refused)
{
    write_file(files_path("d.h5"), 2);
    cn_hdf *hdf = NULL;
    int32_t version = 6;
    CN_DO(cn_hdf_create(files_path("later.h5"), "later.h5", &hdf, &test_error));
    CN_DO(cn_hdf_put_text(hdf, "format", "cairn result", &test_error));
    CN_DO(cn_hdf_put(hdf, "format_version", CN_FIELD_INT32, 1, &version, &test_error));
    CN_DO(cn_hdf_close(hdf, &test_error));
    cn_reader *r = NULL;
    CN_FAILS(cn_reader_open(files_path("later.h5"), &r, &test_error), CN_BAD_INPUT,
             "of version 6, this program reads versions 1 to 5");
}

CN_MAIN(CN_RUN(flipped_bytes_never_crash); CN_RUN(cut_files_never_crash);
        CN_RUN(wrong_counts_are_found); CN_RUN(every_number_may_be_wrong);
        CN_RUN(every_part_of_a_checkpoint_is_checked); CN_RUN(other_files_are_refused);
        CN_RUN(later_versions_are_refused); files_remove();)
