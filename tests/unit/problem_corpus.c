// Replays the corpus of the fuzz target, and damages good files in many places: nothing may crash,
// whatever the file; good ones are good.
#include "../fuzz/fuzz_problem.c"
#include "../io/files.h"
#include "base/hash.h"
#include "corpus.h"

static cn_status read_one(const char *name, bool is_good, const uint8_t *bytes, size_t size,
                          void *context, cn_error *err)
{
    (void)name, (void)is_good, (void)context, (void)err;
    return fuzz_input(bytes, size);
}

CN_TEST(corpus_is_read)
{
    corpus_replay("problem", 20, 12, read_one, NULL);
}

// Flips bytes of a file one at a time, then cuts it.
static void damage(const char *name, int flips)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/data/fclib/%s", CAIRN_SOURCE_DIR, name);
    size_t size = 0;
    char *bytes = files_read(path, &size);
    CN_TRUE(bytes != NULL);
    uint64_t random = 7;
    for (int k = 0; bytes != NULL && k < flips; k++) {
        size_t place = (size_t)(cn_random(&random) * (double)size);
        char before = bytes[place];
        bytes[place] = (char)(before ^ (char)(1 + cn_random_word(&random) % 255));
        cn_status status = read_bytes((const uint8_t *)bytes, size);
        bytes[place] = before;
        CN_TRUE(status == CN_OK || status == CN_IO || status == CN_BAD_INPUT);
    }
    for (int k = 0; bytes != NULL && k < 40; k++) {
        cn_status status = read_bytes((const uint8_t *)bytes, (size_t)k * size / 40);
        CN_TRUE(status == CN_IO || status == CN_BAD_INPUT);
    }
    free(bytes);
}

CN_TEST(damaged_local_files_never_crash)
{
    damage("fc3d_one_contact.hdf5", 150);
}

CN_TEST(damaged_global_files_never_crash)
{
    damage("gfc3d_example0.hdf5", 150);
}

CN_MAIN(CN_RUN(corpus_is_read); CN_RUN(damaged_local_files_never_crash);
        CN_RUN(damaged_global_files_never_crash);)
