// Mutations for fuzz_result.c (tools/fuzz.sh result): places are changed in files of HDF5 without
// moving anything, and the checksums of the blocks around them are made right again. Otherwise HDF5
// refuses nearly every change at once and our readers see none.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
uint32_t H5_checksum_metadata(const void *data, size_t size, uint32_t start); // of libhdf5

// HDF5 loses memory and asks for absurd amounts of it when it meets damaged files: not ours to fix.
const char *__lsan_default_suppressions(void);
const char *__asan_default_options(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=256";
}

enum { BLOCK_MAX = 4096, BLOCK_BYTES_MAX = 8192 };

// A block of `size` bytes followed by its checksum.
typedef struct block {
    size_t start, size;
} block;

// Blocks seen so far. Mutations keep their places, so that one search per place is enough.
static block known[BLOCK_MAX];
static int known_count;

static bool is_whole(const uint8_t *data, size_t size, block b)
{
    uint32_t stored;
    if (b.size == 0 || b.start + b.size + sizeof stored > size) {
        return false;
    }
    memcpy(&stored, data + b.start + b.size, sizeof stored);
    return H5_checksum_metadata(data + b.start, b.size, 0) == stored;
}

static bool has_signature(const uint8_t *data)
{
    static const char *const signature[] = {"\x89HDF", "OHDR", "OCHK", "EAHD", "EAIB", "EASB",
                                            "EADB",    "BTHD", "BTLF", "BTIN", "FRHP", "FHDB",
                                            "FHIB",    "FSHD", "FSSE", "SMTB", "SMLI"};
    bool is_likely = data[0] == 0x89 || (data[0] >= 'B' && data[0] <= 'S' && data[1] >= 'A');
    for (size_t k = 0; is_likely && k < sizeof signature / sizeof signature[0]; k++) {
        if (memcmp(data, signature[k], 4) == 0) {
            return true;
        }
    }
    return false;
}

static size_t search_size(const uint8_t *data, size_t size, size_t start)
{
    for (size_t n = 8; n <= BLOCK_BYTES_MAX && start + n + 4 <= size; n++) {
        if (is_whole(data, size, (block){start, n})) {
            return n;
        }
    }
    return 0;
}

// Finds the blocks whose checksums are right; places that were searched in vain have size 0.
static int find_blocks(const uint8_t *data, size_t size, block *found)
{
    int count = 0;
    for (size_t at = 0; at + 4 <= size; at++) {
        if (!has_signature(data + at)) {
            continue;
        }
        bool is_known = false;
        for (int k = 0; k < known_count && count < BLOCK_MAX; k++) {
            is_known = is_known || known[k].start == at;
            if (known[k].start == at && is_whole(data, size, known[k])) {
                found[count++] = known[k];
            }
        }
        if (!is_known && known_count < BLOCK_MAX && count < BLOCK_MAX) {
            known[known_count] = (block){at, search_size(data, size, at)};
            if (known[known_count].size > 0) {
                found[count++] = known[known_count];
            }
            known_count++;
        }
    }
    return count;
}

// A place where something is: most of a file is zero.
static size_t choose_place(const uint8_t *data, size_t size, const block *found, int count,
                           uint64_t *random)
{
    if (count > 0 && cn_random_word(random) % 2 == 0) {
        const block *b = &found[cn_random_word(random) % (uint64_t)count];
        return b->start + cn_random_word(random) % b->size;
    }
    size_t place = 0;
    for (int k = 0; k < 16; k++) {
        place = cn_random_word(random) % size;
        size_t low = place < 8 ? 0 : place - 8;
        size_t high = place + 8 < size ? place + 8 : size;
        for (size_t n = low; n < high; n++) {
            if (data[n] != 0) {
                return place;
            }
        }
    }
    return place;
}

static void put_number(uint8_t *at, size_t room, uint64_t *random)
{
    static const int64_t numbers[] = {
        0,         1,         2,         -1,   3,       INT8_MAX, INT16_MAX,         INT32_MAX,
        INT64_MAX, INT32_MIN, INT64_MIN, 4096, 1 << 20, 10000,    0x7ff0000000000000};
    int64_t value = numbers[cn_random_word(random) % (sizeof numbers / sizeof numbers[0])];
    size_t width = (size_t)1 << cn_random_word(random) % 4;
    if (cn_random_word(random) % 3 == 0) { // near what is there
        int64_t before = 0;
        memcpy(&before, at, width < room ? width : room);
        value = (int64_t)((uint64_t)before + cn_random_word(random) % 17 - 8);
    }
    memcpy(at, &value, width < room ? width : room);
}

static void change(uint8_t *data, size_t size, size_t place, uint64_t *random)
{
    size_t room = size - place;
    size_t few = room < 16 ? room : 16;
    uint8_t window[16];
    switch (cn_random_word(random) % 4) {
    case 0:
        data[place] ^= (uint8_t)(1u << cn_random_word(random) % 8);
        break;
    case 1:
        put_number(data + place, room, random);
        break;
    case 2:
        memmove(data + place, data + cn_random_word(random) % (size - few + 1), few);
        break;
    default:
        memcpy(window, data + place, few);
        LLVMFuzzerMutate(window, few, few);
        memcpy(data + place, window, few);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    static block found[BLOCK_MAX];
    uint64_t random = seed;
    if (size < 64 || cn_random_word(&random) % 64 == 0) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    int count = find_blocks(data, size, found);
    int changes = 1 + (int)(cn_random_word(&random) % 4);
    for (int k = 0; k < changes; k++) {
        change(data, size, choose_place(data, size, found, count, &random), &random);
    }
    for (int k = 0; k < count; k++) {
        uint32_t sum = H5_checksum_metadata(data + found[k].start, found[k].size, 0);
        memcpy(data + found[k].start + found[k].size, &sum, sizeof sum);
    }
    return size;
}
