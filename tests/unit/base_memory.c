// Memory: arrays that are offered to the system as large pages, arrays that grow, loans.
#include "test.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

static uint64_t sum_of(const unsigned char *byte, size_t count)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < count; k++) {
        sum = 31 * sum + byte[k];
    }
    return sum;
}

// A hint: no byte changes, in use, in the rest of the room and next to it.
CN_TEST(large_pages_keep_what_is_there)
{
    const size_t size = (size_t)20 << 20, room = size + 12345, all = room + 8192;
    unsigned char *byte = malloc(all);
    CN_TRUE(byte != NULL);
    for (size_t k = 0; byte != NULL && k < all; k++) {
        byte[k] = (unsigned char)(k * 7 + (k >> 12));
    }
    if (byte != NULL) {
        uint64_t before = sum_of(byte, all);
        cn_large known = {0};
        cn_large_ask(&known, byte + 100, size, room);
        CN_TRUE(known.at == byte + 100 && known.size == size);
        CN_TRUE(sum_of(byte, all) == before);
    }
    free(byte);
}

// Small arrays are not worth it; the same one is asked for once, one that has grown or moved again.
CN_TEST(large_pages_are_asked_for_once)
{
    const size_t size = (size_t)17 << 20;
    char *byte = calloc(2 * size, 1);
    CN_TRUE(byte != NULL);
    if (byte != NULL) {
        cn_large known = {0};
        cn_large_ask(&known, byte, 1000, 2 * size);
        CN_TRUE(known.at == NULL);
        cn_large_ask(&known, byte, size, 2 * size);
        CN_TRUE(known.at == byte && known.size == size);
        cn_large_ask(&known, byte, size - 4096, 2 * size);
        CN_TRUE(known.at == byte && known.size == size);
        cn_large_ask(&known, byte, size + 4096, 2 * size);
        CN_TRUE(known.at == byte && known.size == size + 4096);
        cn_large_ask(&known, byte + 4096, size, size);
        CN_TRUE(known.at == byte + 4096 && known.size == size);
    }
    free(byte);
}

// Arrays grow by an eighth, keep what they hold and say what they could not have.
CN_TEST(arrays_grow)
{
    double *x = NULL;
    size_t capacity = 0;
    CN_DO(cn_reserve(NULL, &x, &capacity, 0, &test_error));
    CN_TRUE(x != NULL && capacity == 16);
    x[15] = 5.0;
    CN_DO(cn_reserve(NULL, &x, &capacity, 17, &test_error));
    CN_TRUE(capacity == 18 && x[15] == 5.0);
    CN_FAILS(cn_reserve(NULL, &x, &capacity, SIZE_MAX / 4, &test_error), CN_NO_MEMORY,
             "does not fit in memory");
    CN_TRUE(capacity == 18 && x[15] == 5.0);
    free(x);
}

// Memory goes from one borrower to the next, and whoever has its own keeps it.
CN_TEST(loans_go_round)
{
    cn_scratch_block loan = {0};
    double *x = malloc(100 * sizeof *x), *kept = x;
    int *n = NULL, own = 0, *mine = &own;
    size_t x_room = 100, n_room = 0, mine_room = 1;
    cn_scratch_take(&loan, (cn_scratch_user){(void **)&x, &x_room, sizeof *x});
    CN_TRUE(x == NULL && x_room == 0 && loan.memory == kept);
    cn_scratch_give(&loan, (cn_scratch_user){(void **)&mine, &mine_room, sizeof *mine});
    CN_TRUE(mine == &own && loan.memory == kept);
    cn_scratch_give(&loan, (cn_scratch_user){(void **)&n, &n_room, sizeof *n});
    CN_TRUE((void *)n == kept && n_room == 100 * sizeof *x / sizeof *n && loan.memory == NULL);
    free(n);
}

CN_MAIN(CN_RUN(large_pages_keep_what_is_there); CN_RUN(large_pages_are_asked_for_once);
        CN_RUN(arrays_grow); CN_RUN(loans_go_round);)
