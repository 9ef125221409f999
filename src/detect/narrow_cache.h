// detect/narrow_cache.h -- what detection remembers of pairs of shapes from one look to the next.
//
// A guess that saves work and changes no result: it is not part of the state, and wrong or lost
// ones do no harm.
#pragma once

#include "base/memory.h"
#include "detect/space/narrow_space.h"

typedef struct cn_hint_entry {
    uint64_t pair; // shapes, the lower one in the upper half; all bits set: empty
    uint16_t kind, first, second;
} cn_hint_entry;

// Tables with open addressing: `old` of the last look, `now` of this one.
typedef struct cn_narrow_cache {
    const cn_hooks *hooks;
    cn_hint_entry *old, *now;
    size_t old_size, now_size; // powers of two, or 0
    size_t old_capacity, now_capacity;
} cn_narrow_cache;

void cn_narrow_cache_free(cn_narrow_cache *h);

// Begins a look at up to `count` pairs: what was kept in the last one can be found from now on.
cn_status cn_narrow_cache_begin(cn_narrow_cache *h, size_t count, cn_error *err);

// What the last look kept of a pair, or nothing.
cn_hint cn_narrow_cache_find(const cn_narrow_cache *h, int s, int t);

// Keeps a hint for the next look. Threads may keep hints of different pairs at the same time.
void cn_narrow_cache_keep(cn_narrow_cache *h, int s, int t, const cn_hint *hint);
