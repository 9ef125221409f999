// detect/narrow_cache.c -- two tables of hints, filled in turn.
#include "detect/narrow_cache.h"

#include <string.h>

#include "base/hash.h"

static const uint64_t EMPTY = UINT64_MAX;

void cn_narrow_cache_free(cn_narrow_cache *h)
{
    cn_release(h->hooks, h->old);
    cn_release(h->hooks, h->now);
    *h = (cn_narrow_cache){.hooks = h->hooks};
}

cn_status cn_narrow_cache_begin(cn_narrow_cache *h, size_t count, cn_error *err)
{
    cn_narrow_cache last = *h;
    h->old = last.now;
    h->old_size = last.now_size;
    h->old_capacity = last.now_capacity;
    h->now = last.old;
    h->now_size = 0;
    h->now_capacity = last.old_capacity;
    if (count == 0) {
        return CN_OK;
    }
    size_t size = 16;
    while (size < 2 * count) {
        size *= 2;
    }
    CN_TRY(cn_reserve(h->hooks, &h->now, &h->now_capacity, size, err));
    memset(h->now, 0xff, size * sizeof *h->now);
    h->now_size = size;
    return CN_OK;
}

static uint64_t key_of(int s, int t)
{
    return s < t ? (uint64_t)(uint32_t)s << 32 | (uint32_t)t
                 : (uint64_t)(uint32_t)t << 32 | (uint32_t)s;
}

// The entry of a pair, or the empty one where it would be.
static const cn_hint_entry *entry_of(const cn_hint_entry *table, size_t size, uint64_t pair)
{
    size_t k = cn_mix(pair) & (size - 1);
    while (table[k].pair != pair && table[k].pair != EMPTY) {
        k = (k + 1) & (size - 1);
    }
    return &table[k];
}

cn_hint cn_narrow_cache_find(const cn_narrow_cache *h, int s, int t)
{
    cn_hint hint = {0};
    uint64_t pair = key_of(s, t);
    if (h->old_size > 0) {
        const cn_hint_entry *entry = entry_of(h->old, h->old_size, pair);
        if (entry->pair == pair) {
            hint = (cn_hint){.kind = entry->kind, .first = entry->first, .second = entry->second};
        }
    }
    return hint;
}

void cn_narrow_cache_keep(cn_narrow_cache *h, int s, int t, const cn_hint *hint)
{
    uint64_t pair = key_of(s, t), held = EMPTY;
    size_t k = cn_mix(pair) & (h->now_size - 1);
    while (!__atomic_compare_exchange_n(&h->now[k].pair, &held, pair, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) &&
           held != pair) {
        k = (k + 1) & (h->now_size - 1);
        held = EMPTY;
    }
    h->now[k].kind = hint->kind;
    h->now[k].first = hint->first;
    h->now[k].second = hint->second;
}
