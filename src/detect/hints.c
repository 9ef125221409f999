// detect/hints.c -- two tables of hints, filled in turn.
#include "detect/hints.h"

#include <string.h>

#include "base/hash.h"

static const uint64_t EMPTY = UINT64_MAX;

void cn_hints_free(cn_hints *h)
{
    cn_release(h->hooks, h->old);
    cn_release(h->hooks, h->now);
    *h = (cn_hints){.hooks = h->hooks};
}

cn_status cn_hints_begin(cn_hints *h, size_t count, cn_error *err)
{
    cn_hints last = *h;
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
static cn_hint_entry *entry_of(cn_hint_entry *table, size_t size, uint64_t pair)
{
    size_t k = cn_mix(pair) & (size - 1);
    while (table[k].pair != pair && table[k].pair != EMPTY) {
        k = (k + 1) & (size - 1);
    }
    return &table[k];
}

cn_hint cn_hints_find(const cn_hints *h, int s, int t)
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

void cn_hints_keep(cn_hints *h, int s, int t, const cn_hint *hint)
{
    uint64_t pair = key_of(s, t);
    *entry_of(h->now, h->now_size, pair) =
        (cn_hint_entry){pair, hint->kind, hint->first, hint->second};
}
