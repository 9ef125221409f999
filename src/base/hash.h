// base/hash.h -- 64-bit mixing for tables, hashes of results and counter-based random numbers.
#pragma once

#include "base/shared.h"

#include <stddef.h>
#include <stdint.h>

// One round of a 64-bit finalizer: every input bit reaches every output bit.
static inline uint64_t cn_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t cn_mix2(uint64_t a, uint64_t b)
{
    return cn_mix(a + 0x9e3779b97f4a7c15u + cn_mix(b + 0x9e3779b97f4a7c15u));
}

// Random stream: state is one word, so that it can be checkpointed.
static inline uint64_t cn_random_word(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    return cn_mix(*state);
}

// Uniform in [0, 1).
static inline double cn_random(uint64_t *state)
{
    return (double)(cn_random_word(state) >> 11) * 0x1p-53;
}

// Hash of bytes, continued from `hash`.
CN_SHARED uint64_t cn_hash_bytes(uint64_t hash, const void *bytes, size_t count);
