// The reader never crashes on a damaged file: it says what is wrong or reads what is there.
#include "cairn/cairn.h"
#include "files.h"
#include "test.h"
#include "views.h"

#include "base/hash.h"
#include "result/hdf/hdf_table.h"

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

uint32_t H5_checksum_metadata(const void *data, size_t size, uint32_t start); // of libhdf5

// Length of the block of HDF5 that starts here, without its checksum; 0: there is none.
static size_t block_size(const char *at, const char *end)
{
    for (size_t n = 8; n <= 8192 && at + n + 4 <= end; n++) {
        uint32_t stored;
        memcpy(&stored, at + n, sizeof stored);
        if (H5_checksum_metadata(at, n, 0) == stored) {
            return n;
        }
    }
    return 0;
}

// Reads the file with one byte of a header changed and the checksum of the header made right.
static cn_status read_changed(char *bytes, size_t size, char *header, char *place, int value)
{
    char before = *place;
    size_t length = block_size(header, bytes + size);
    *place = (char)value;
    uint32_t sum = H5_checksum_metadata(header, length, 0), stored;
    memcpy(&stored, header + length, sizeof stored);
    memcpy(header + length, &sum, sizeof sum);
    files_write(files_path("header.h5"), bytes, size);
    *place = before;
    memcpy(header + length, &stored, sizeof stored);
    return read_everything(files_path("header.h5"));
}

static bool is_told_of_header(cn_status status)
{
    return status != CN_OK && strstr(test_error.text, "its header is damaged") != NULL;
}

// HDF5 believes headers with a right checksum. A chunk without length makes it divide by zero, a
// name without end makes it copy what lies behind.
CN_TEST(damaged_headers_never_crash)
{
    enum { LAYOUT = 8, CHUNKED = 2, DATATYPE = 3, COMPOUND = 0x36 };
    write_file(files_path("h.h5"), 5);
    size_t size = 0;
    char *bytes = files_read(files_path("h.h5"), &size), *header = bytes;
    uint64_t random = 3;
    int chunked = 0, compound = 0;
    while ((header = memmem(header, size - (size_t)(header - bytes), "OHDR", 4)) != NULL) {
        size_t length = block_size(header, bytes + size);
        for (char *at = header; at + 10 < header + length; at++) {
            if (chunked < 4 && at[0] == LAYOUT && at[4] == 4 && at[5] == CHUNKED && at[8] == 1) {
                CN_TRUE(is_told_of_header(read_changed(bytes, size, header, at + 9, 0)));
                chunked++;
            }
            if (compound < 4 && at[0] == DATATYPE && at[4] == COMPOUND) {
                CN_TRUE(is_told_of_header(read_changed(bytes, size, header, at + 6, 1)));
                compound++;
            }
        }
        for (int k = 0; k < 2 && length > 0; k++) {
            char *place = header + 4 + cn_random_word(&random) % (length - 4);
            read_changed(bytes, size, header, place, (int)(cn_random_word(&random) % 256));
        }
        header += 4;
    }
    CN_TRUE(chunked == 4 && compound == 4);
    free(bytes);
}

// Gives a row of a plain table the checksum of what is in it.
static void make_check_right(const char *table, int64_t row, void *bytes, size_t row_size)
{
    uint32_t sum = cn_row_check(table, row, bytes, row_size - sizeof sum);
    memcpy((char *)bytes + row_size - sizeof sum, &sum, sizeof sum);
}

// A word of one row of a dataset, and the value that takes its place.
typedef struct wrong_word {
    hsize_t row;
    size_t offset;
    uint64_t value;
} wrong_word;

// Changes one word through HDF5, so that checksums and compression are right.
static void change_word(hid_t set, hid_t type, const char *name, const wrong_word *w)
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
    if (H5Tget_class(type) == H5T_COMPOUND && H5Tget_member_index(type, CN_TABLE_CHECK) >= 0) {
        make_check_right(name, (int64_t)w->row, row, size);
    }
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
        change_word(set, type, name, w);
    }
    cn_hdf_drop(space);
    cn_hdf_drop(type);
    cn_hdf_drop(set);
    CN_TRUE(H5Fclose(file) >= 0);
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
    size_t row_size = 0;
    hsize_t rows = 0;
    visit_dataset(files_path("c.h5"), "frames", NULL, &row_size, &rows);
    for (int field = 3; place != NULL && field < 15; field++) {
        int64_t before, wrong[3] = {-1, INT64_MAX, 1000000};
        memcpy(&before, place + 8 * field, 8);
        for (int k = 0; k < 3; k++) {
            memcpy(place + 8 * field, &wrong[k], 8);
            make_check_right("frames", 1, place, row_size);
            files_write(path, bytes, size);
            CN_TRUE(read_everything(path) == CN_BAD_INPUT);
            CN_TRUE(strstr(test_error.text, "frame 1") != NULL);
        }
        memcpy(place + 8 * field, &before, 8);
    }
    free(bytes);
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
            CN_TRUE(status == CN_OK || status == CN_BAD_INPUT || status == CN_IO);
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
    int32_t version = 7;
    CN_DO(cn_hdf_create(files_path("later.h5"), "later.h5", &hdf, &test_error));
    CN_DO(cn_hdf_put_text(hdf, "format", "cairn result", &test_error));
    CN_DO(cn_hdf_put(hdf, "format_version", CN_FIELD_INT32, 1, &version, &test_error));
    CN_DO(cn_hdf_close(hdf, &test_error));
    cn_reader *r = NULL;
    CN_FAILS(cn_reader_open(files_path("later.h5"), &r, &test_error), CN_BAD_INPUT,
             "of version 7, this program reads versions 1 to 6");
}

// ---- bits

// A number that depends on all that a reader hands out; *is_told: something of it is damaged.
static uint64_t content_of(const char *path, bool *is_told)
{
    cn_reader *r = NULL;
    cn_error err = {0};
    int damaged = 0;
    *is_told = cn_reader_open(path, &r, &err) != CN_OK;
    if (*is_told) {
        return 0;
    }
    *is_told = cn_reader_verify(r, NULL, NULL, &damaged, &err) != CN_OK || damaged > 0;
    uint64_t hash = cn_hash_bytes(1, cn_reader_summary(r), sizeof(cn_summary));
    hash = cn_hash_bytes(hash, cn_reader_scene_text(r), strlen(cn_reader_scene_text(r)));
    for (int k = 0; k < cn_reader_summary(r)->frames; k++) {
        cn_frame f;
        if (cn_reader_frame(r, k, &f, &err) != CN_OK) {
            *is_told = true;
            continue;
        }
        hash = cn_hash_bytes(hash, f.q, (size_t)(f.q_size * f.body_count) * sizeof *f.q);
        hash = cn_hash_bytes(hash, f.v, (size_t)(f.v_size * f.body_count) * sizeof *f.v);
        hash = cn_hash_bytes(hash, f.contact, (size_t)f.contact_count * sizeof *f.contact);
        hash = cn_hash_bytes(hash, f.joint, (size_t)f.joint_count * sizeof *f.joint);
        hash = cn_hash_bytes(hash, &f.state_hash, sizeof f.state_hash);
        for (int i = 0; i < f.body_count; i++) {
            int count;
            const cn_shape_def *shape = cn_reader_shapes(r, f.id[i], &count);
            for (int n = 0; n < count; n++) {
                hash = cn_hash_bytes(hash, &shape[n].radius, sizeof shape[n].radius);
                hash = cn_hash_bytes(hash, shape[n].vertex,
                                     2 * (size_t)shape[n].vertex_count * sizeof(double));
            }
            const char *name = cn_reader_group_name(r, f.group[i]);
            hash = cn_hash_bytes(hash, name, strlen(name));
        }
    }
    for (int k = 0; k < cn_reader_column_count(r); k++) {
        cn_column c;
        if (cn_reader_column(r, cn_reader_column_name(r, k), &c, &err) != CN_OK) {
            *is_told = true;
            continue;
        }
        hash = cn_hash_bytes(hash, c.value, (size_t)c.count * sizeof *c.value);
    }
    cn_reader_close(r);
    return hash;
}

// A file that is changed is told to be damaged, or shows what it did before.
static bool is_honest(const char *path, const char *bytes, size_t size, uint64_t before,
                      int *told_count)
{
    bool is_told;
    files_write(path, bytes, size);
    uint64_t hash = content_of(path, &is_told);
    *told_count += is_told;
    return is_told || hash == before;
}

// Finished, or as a killed run leaves it, with rows in the tails.
static char *make_file(bool is_closed, size_t *size, uint64_t *hash)
{
    const char *path = files_path("bits.h5");
    made_view m = {0};
    cn_writer *writer = NULL;
    bool is_told;
    CN_DO(made_start(path, &m, &writer, &test_error));
    for (int k = 1; k < 34; k++) { // 66 steps: one full chunk of the history
        CN_DO(made_write(writer, &m, k, &test_error));
    }
    if (is_closed) {
        CN_DO(cn_results_close(writer, &m.snapshot, "done", 1.0, 3, &test_error));
    } else {
        cn_writer_abandon(writer);
    }
    *hash = content_of(path, &is_told);
    CN_TRUE(!is_told);
    return files_read(path, size);
}

// 60 flipped bits each: none is shown without a word. The number that is told says that the test
// does not look at unused bytes only.
CN_TEST(flipped_bits_are_told)
{
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        size_t size;
        uint64_t before, random = 7;
        int told = 0, silent = 0;
        char *bytes = make_file(is_closed, &size, &before);
        for (int k = 0; k < 60; k++) {
            size_t place = (size_t)(cn_random(&random) * (double)size);
            char bit = (char)(1 << cn_random_word(&random) % 8);
            bytes[place] ^= bit;
            silent += !is_honest(files_path("flip.h5"), bytes, size, before, &told);
            bytes[place] ^= bit;
        }
        CN_TRUE(silent == 0);
        CN_TRUE(told > 15);
        free(bytes);
    }
}

// Pages that read as zeros, as a disk may leave them after a power cut; and all from a page on.
CN_TEST(zeroed_pages_are_told)
{
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        size_t size;
        uint64_t before;
        int told = 0, silent = 0;
        char *bytes = make_file(is_closed, &size, &before), *copy = malloc(size);
        for (size_t page = 0; page < size; page += 4096) {
            size_t length = size - page < 4096 ? size - page : 4096;
            memcpy(copy, bytes, size);
            memset(copy + page, 0, length);
            silent += !is_honest(files_path("zero.h5"), copy, size, before, &told);
            memset(copy + page, 0, size - page);
            silent += !is_honest(files_path("zero.h5"), copy, size, before, &told);
        }
        CN_TRUE(silent == 0);
        CN_TRUE(told > 20);
        free(copy);
        free(bytes);
    }
}

static void count_line(void *context, const char *line)
{
    *(int *)context += strstr(line, "steps is damaged in row") != NULL;
}

// A damaged history leaves the frames, damaged bodies leave the history; both are named.
CN_TEST(the_rest_can_be_read)
{
    made_view m = {0};
    cn_writer *writer = NULL;
    const char *path = files_path("rest.h5");
    CN_DO(made_start(path, &m, &writer, &test_error));
    for (int k = 1; k < 4; k++) {
        CN_DO(made_write(writer, &m, k, &test_error));
    }
    cn_writer_abandon(writer); // the history is in the tail
    size_t size;
    char *bytes = files_read(path, &size);
    double row[2] = {3.0, 0.1 * 3}; // step and time
    char *place = memmem(bytes, size, row, sizeof row);
    CN_TRUE(place != NULL);
    place[9] ^= 1;
    files_write(path, bytes, size);
    cn_reader *r = NULL;
    int damaged = 0, named = 0;
    cn_frame f;
    cn_column c;
    CN_DO(cn_reader_open(path, &r, &test_error));
    CN_DO(cn_reader_verify(r, count_line, &named, &damaged, &test_error));
    CN_TRUE(damaged == 1 && named == 1);
    CN_DO(cn_reader_frame(r, -1, &f, &test_error));
    CN_FAILS(cn_reader_column(r, "residual", &c, &test_error), CN_IO, "steps_tail is damaged");
    CN_DO(cn_reader_column(r, "series/height", &c, &test_error));
    cn_reader_close(r);
    free(bytes);
}

CN_MAIN(CN_RUN(flipped_bytes_never_crash); CN_RUN(cut_files_never_crash);
        CN_RUN(damaged_headers_never_crash); CN_RUN(wrong_counts_are_found);
        CN_RUN(every_number_may_be_wrong); CN_RUN(every_part_of_a_checkpoint_is_checked);
        CN_RUN(other_files_are_refused); CN_RUN(later_versions_are_refused);
        CN_RUN(flipped_bits_are_told); CN_RUN(zeroed_pages_are_told); CN_RUN(the_rest_can_be_read);
        files_remove();)
