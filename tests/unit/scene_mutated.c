// Scenes of the corpus changed by values, keys and nesting (tests/fuzz/scene_mutator.c), and of
// examples on request: nothing may crash, and what is accepted reads back and makes steps with
// finite energies. A word as argument, or the number of inputs: test-unit-scene_mutated 100000
// [first seed].
#include "../fuzz/fuzz_scene.c"
#include "../fuzz/scene_mutator.c"
#include "corpus.h"

// Plain bytes are for the fuzzer proper.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)data, (void)max_size;
    return size;
}

enum { SEED_MAX = 400, INPUT_BYTES_MAX = 8192, INPUT_COUNT = 10000 };

typedef struct seeds {
    int count;
    char *bytes[SEED_MAX];
    size_t size[SEED_MAX];
} seeds;

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_seeds(const char *folder, seeds *s)
{
    char path[2048];
    struct dirent **entry;
    snprintf(path, sizeof path, "%s/%s", CAIRN_SOURCE_DIR, folder);
    int count = scandir(path, &entry, NULL, by_name);
    CN_TRUE(count > 0);
    for (int k = 0; k < count; k++) {
        const char *end = strrchr(entry[k]->d_name, '.');
        if (s->count < SEED_MAX && end != NULL && strcmp(end, ".yaml") == 0) {
            snprintf(path, sizeof path, "%s/%s/%s", CAIRN_SOURCE_DIR, folder, entry[k]->d_name);
            CN_DO(cn_file_bytes(path, CORPUS_BYTES_MAX, &s->bytes[s->count], &s->size[s->count],
                                &test_error));
            s->count += s->size[s->count] <= INPUT_BYTES_MAX;
        }
        free(entry[k]);
    }
    free(entry);
}

// Input `number`: a seed with a few rounds of changes, now and then with a block of another one.
// The input is left in a file while it is read, so that one that crashes is found there.
static void try_one(const seeds *s, uint64_t number, const char *trace)
{
    static uint8_t input[INPUT_BYTES_MAX], other[INPUT_BYTES_MAX];
    uint64_t random = number;
    int from = (int)(cn_random_word(&random) % (uint64_t)s->count);
    size_t size = s->size[from];
    memcpy(input, s->bytes[from], size);
    if (cn_random_word(&random) % 4 == 0) {
        int mate = (int)(cn_random_word(&random) % (uint64_t)s->count);
        memcpy(other, input, size);
        size =
            LLVMFuzzerCustomCrossOver(other, size, (const uint8_t *)s->bytes[mate], s->size[mate],
                                      input, sizeof input, (unsigned)cn_random_word(&random));
    }
    for (uint64_t rounds = 1 + cn_random_word(&random) % 3; rounds > 0; rounds--) {
        size =
            LLVMFuzzerCustomMutator(input, size, sizeof input, (unsigned)cn_random_word(&random));
    }
    if (trace != NULL) {
        FILE *file = fopen(trace, "wb");
        CN_TRUE(file != NULL && fwrite(input, 1, size, file) == size && fclose(file) == 0);
    }
    LLVMFuzzerTestOneInput(input, size);
}

int main(int argc, char **argv)
{
    static seeds s;
    char *end = NULL;
    test_filter = NULL;
    uint64_t count = argc > 1 ? strtoull(argv[1], &end, 10) : INPUT_COUNT;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    count = end != NULL && *end != '\0' ? INPUT_COUNT : count; // a word that chooses cases
    read_seeds("tests/fuzz/corpus/scene", &s); // small, and the same from year to year
    if (argc > 1) {
        read_seeds("examples", &s); // some ask for a million grains when they are changed
    }
    for (uint64_t k = first; k < first + count; k++) {
        try_one(&s, k, argc > 1 ? "scene_mutated.yaml" : NULL);
        test_count++;
    }
    for (int k = 0; k < s.count; k++) {
        free(s.bytes[k]);
    }
    return test_failures > 0 || test_count == 0;
}
