// base/radix.h -- stable sort of things by a 64-bit key.
#pragma once

#include <stdint.h>

// A thing, by its number, and what it is sorted by.
typedef struct cn_keyed {
    uint64_t key;
    int item;
} cn_keyed;

// Sorts by the bits of the key that are set in `by`; what has equal bits keeps its order. `room`
// holds as many entries. The result does not depend on the number of threads.
void cn_radix_sort(cn_keyed *entry, int count, uint64_t by, cn_keyed *room, int thread_count);
