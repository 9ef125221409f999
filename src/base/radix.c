// base/radix.c -- sort by digits, the least significant first.
#include "base/radix.h"

#include <string.h>

// Few things are sorted by small digits: a large one costs a pass over all its values.
enum { DIGIT_BITS = 11, DIGIT_COUNT = 1 << DIGIT_BITS, SMALL_BITS = 8, FEW = 1024 };

static void sort_by_digit(int count, const cn_keyed *from, int shift, int bits, cn_keyed *to)
{
    int start[DIGIT_COUNT];
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    memset(start, 0, sizeof *start << bits);
    for (int k = 0; k < count; k++) {
        start[from[k].key >> shift & mask]++;
    }
    for (int digit = 0, sum = 0; digit < 1 << bits; digit++) {
        int here = start[digit];
        start[digit] = sum;
        sum += here;
    }
    for (int k = 0; k < count; k++) {
        to[start[from[k].key >> shift & mask]++] = from[k];
    }
}

void cn_radix_sort(cn_keyed *entry, int count, uint64_t by, cn_keyed *room)
{
    const int bits = count < FEW ? SMALL_BITS : DIGIT_BITS;
    cn_keyed *from = entry, *to = room;
    for (int bit = 0; bit < 64; bit++) {
        if (by >> bit & 1) {
            sort_by_digit(count, from, bit, bits, to);
            bit += bits - 1;
            cn_keyed *sorted = to;
            to = from;
            from = sorted;
        }
    }
    if (from != entry) {
        memcpy(entry, from, (size_t)count * sizeof *from);
    }
}
