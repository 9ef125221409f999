// Compressed tables: what threads pack beside HDF5, HDF5 reads back, and no byte tells their
// number.
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "result/hdf/hdf_table.h"
#include "test.h"

enum { ROWS = 40000 }; // of 21 bytes: four chunks of 256 KiB, the last one not full

// With holes in memory that the file does not have.
typedef struct row {
    int8_t flag;
    double x;
    int32_t n;
    double y;
} row;

static const cn_field row_field[] = {{"flag", CN_FIELD_INT8, offsetof(row, flag), 1, false},
                                     {"x", CN_FIELD_REAL, offsetof(row, x), 1, false},
                                     {"n", CN_FIELD_INT32, offsetof(row, n), 1, false},
                                     {"y", CN_FIELD_REAL, offsetof(row, y), 1, false}};
static const cn_row_type record = {sizeof(row), 4, row_field};

static row *make_rows(bool is_noise)
{
    row *rows = calloc(ROWS, sizeof *rows);
    uint64_t bits = 1;
    for (int k = 0; rows != NULL && k < ROWS; k++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        rows[k] = (row){.flag = (int8_t)(k % 100), .x = 0.5 * k, .n = -k, .y = 1.0 / (1 + k)};
        if (is_noise) {
            memcpy(&rows[k].x, &bits, sizeof bits);
            bits ^= bits >> 29;
            memcpy(&rows[k].y, &bits, sizeof bits);
            rows[k].n = (int32_t)(bits >> 13);
            rows[k].flag = (int8_t)(bits >> 50);
        }
    }
    return rows;
}

// Two blocks, so that the second one starts a new chunk.
static void write_file(const char *path, const row *rows, int threads)
{
    cn_hdf *hdf;
    cn_table table;
    int64_t start[2];
    CN_DO(cn_hdf_create(path, path, &hdf, &test_error));
    hdf->thread_count = threads;
    CN_DO(cn_table_create(hdf, "rows", &record, ROWS, true, &table, &test_error));
    CN_DO(cn_table_append(&table, rows, ROWS, &start[0], &test_error));
    CN_DO(cn_table_append(&table, rows, 7, &start[1], &test_error));
    CN_TRUE(start[0] == 0 && start[1] > ROWS && start[1] % table.chunk_rows == 0);
    cn_table_close(&table);
    CN_DO(cn_hdf_close(hdf, &test_error));
}

static void check_file(const char *path, const row *rows)
{
    cn_hdf *hdf;
    cn_table table;
    row *found = calloc(ROWS, sizeof *found);
    CN_DO(cn_hdf_open(path, &hdf, &test_error));
    CN_DO(cn_table_open(hdf, "rows", &record, &table, &test_error));
    CN_TRUE(table.chunk_rows * 3 < ROWS); // else there is nothing to share
    CN_DO(cn_table_read(&table, 0, ROWS, found, &test_error));
    CN_TRUE(memcmp(found, rows, ROWS * sizeof *rows) == 0);
    CN_DO(cn_table_read(&table, table.row_count - 7, 7, found, &test_error));
    CN_TRUE(memcmp(found, rows, 7 * sizeof *rows) == 0);
    free(found);
    cn_table_close(&table);
    CN_DO(cn_hdf_close(hdf, &test_error));
}

// Headers of the file and of its root group: HDF5 notes the time of day there whatever it is told.
enum { ROOT_END = 259 };

static void check_equal(const char *path_a, const char *path_b)
{
    size_t size_a, size_b;
    char *a = files_read(path_a, &size_a), *b = files_read(path_b, &size_b);
    CN_TRUE(size_a == size_b && memcmp(a + ROOT_END, b + ROOT_END, size_a - ROOT_END) == 0);
    free(a);
    free(b);
}

static void check_rows(bool is_noise)
{
    row *rows = make_rows(is_noise);
    write_file(files_path("one.h5"), rows, 1);
    write_file(files_path("three.h5"), rows, 3);
    check_file(files_path("three.h5"), rows);
    check_equal(files_path("one.h5"), files_path("three.h5"));
    free(rows);
}

CN_TEST(threads_pack_what_hdf5_reads)
{
    check_rows(false);
}

// Noise does not deflate; the chunk says that it was left as it is.
CN_TEST(noise_is_stored_as_it_is)
{
    check_rows(true);
}

static void put_some(const char *path)
{
    cn_hdf *hdf;
    int32_t number = 3;
    CN_DO(cn_hdf_create(path, path, &hdf, &test_error));
    CN_DO(cn_hdf_put(hdf, "a/b/number", CN_FIELD_INT32, 1, &number, &test_error));
    CN_DO(cn_hdf_put_text(hdf, "a/text", "stone", &test_error));
    CN_DO(cn_hdf_close(hdf, &test_error));
}

// HDF5 would note it, to the second, in every group.
CN_TEST(groups_do_not_tell_the_time_of_day)
{
    put_some(files_path("now.h5"));
    sleep(1);
    put_some(files_path("later.h5"));
    check_equal(files_path("now.h5"), files_path("later.h5"));
}

CN_MAIN(CN_RUN(threads_pack_what_hdf5_reads); CN_RUN(noise_is_stored_as_it_is);
        CN_RUN(groups_do_not_tell_the_time_of_day); files_remove();)
