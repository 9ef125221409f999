// geometry/surface/hash_chain.h -- a hash table of numbered things: items 0, 1, 2, ... are added
// with their hash and found again by walking those of equal hash. What equality means is up to the
// caller.
#pragma once

#include "cairn/base.h"

typedef struct cn_chain {
    uint64_t *hash; // of each item
    int *next;      // item with the same slot, -1: none
    int *head;      // slot_count, a power of two
    int count, slot_count;
    size_t hash_capacity, next_capacity;
} cn_chain;

// Adds item `count`.
cn_status cn_chain_add(cn_chain *chain, uint64_t hash, cn_error *err);

// First item of this hash, and the one after `item`; -1: none.
int cn_chain_first(const cn_chain *chain, uint64_t hash);
int cn_chain_next(const cn_chain *chain, int item);

void cn_chain_free(cn_chain *chain);
