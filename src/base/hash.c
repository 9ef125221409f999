// base/hash.c
#include "base/hash.h"

#include <string.h>

uint64_t cn_hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    while (count >= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = cn_mix2(hash, word);
        at += 8;
        count -= 8;
    }
    uint64_t tail = count;
    for (size_t k = 0; k < count; k++) {
        tail = (tail << 8) | at[k];
    }
    return count > 0 ? cn_mix2(hash, tail) : hash;
}
