// detect/narrow_cache.c -- two tables of hints, filled in turn, and points that are found again.
#include "detect/narrow_cache.h"

#include <string.h>

#include "base/hash.h"

static const uint64_t EMPTY = UINT64_MAX;

void cn_narrow_cache_free(cn_narrow_cache *h)
{
    cn_release(h->hooks, h->old);
    cn_release(h->hooks, h->now);
    cn_release(h->hooks, h->q);
    cn_release(h->hooks, h->id);
    cn_release(h->hooks, h->is_unmoved);
    cn_release(h->hooks, h->kept);
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

cn_status cn_narrow_cache_see(cn_narrow_cache *h, const cn_bodies *b, cn_error *err)
{
    size_t count = (size_t)b->count, width = (size_t)b->kind->q_size;
    size_t known = count < (size_t)h->body_count ? count : (size_t)h->body_count;
    h->body_count = 0;
    CN_TRY(cn_reserve(h->hooks, &h->q, &h->q_capacity, width * count, err));
    CN_TRY(cn_reserve(h->hooks, &h->id, &h->id_capacity, count, err));
    CN_TRY(cn_reserve(h->hooks, &h->is_unmoved, &h->unmoved_capacity, count, err));
    for (size_t i = 0; i < count; i++) {
        const double *q = b->q_mid + width * i;
        double *last = h->q + width * i;
        h->is_unmoved[i] =
            i < known && h->id[i] == b->id[i] && memcmp(last, q, width * sizeof *q) == 0;
        memcpy(last, q, width * sizeof *q);
        h->id[i] = b->id[i];
    }
    h->body_count = b->count;
    return CN_OK;
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

// The entry of a pair in the table of now, which is made if there is none.
static cn_hint_entry *make_entry(cn_narrow_cache *h, uint64_t pair)
{
    uint64_t held = EMPTY;
    size_t k = cn_mix(pair) & (h->now_size - 1);
    while (!__atomic_compare_exchange_n(&h->now[k].pair, &held, pair, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED) &&
           held != pair) {
        k = (k + 1) & (h->now_size - 1);
        held = EMPTY;
    }
    return &h->now[k];
}

void cn_narrow_cache_keep(cn_narrow_cache *h, const cn_asked *asked, const cn_hint *hint)
{
    cn_hint_entry *entry = make_entry(h, key_of(asked->s, asked->t));
    entry->kind = hint->kind;
    entry->first = hint->first;
    entry->second = hint->second;
    entry->reach = asked->reach;
    entry->sweep = asked->sweep;
    entry->start = SIZE_MAX;
    entry->count = 0;
}

int cn_narrow_cache_again(cn_narrow_cache *h, const cn_asked *asked, cn_touch3 *touch)
{
    uint64_t pair = key_of(asked->s, asked->t);
    const cn_hint_entry *entry = h->old_size > 0 ? entry_of(h->old, h->old_size, pair) : NULL;
    if (entry == NULL || entry->pair != pair || entry->start == SIZE_MAX ||
        entry->reach != asked->reach || entry->sweep != asked->sweep) {
        return -1;
    }
    memcpy(touch, h->kept + entry->start, entry->count * sizeof *touch);
    cn_hint hint = {.kind = entry->kind, .first = entry->first, .second = entry->second};
    cn_narrow_cache_keep(h, asked, &hint);
    return entry->count;
}

void cn_narrow_cache_begin_points(cn_narrow_cache *h)
{
    h->kept_count = 0;
}

cn_status cn_narrow_cache_keep_points(cn_narrow_cache *h, int s, int t, const cn_touch3 *touch,
                                      int count, cn_error *err)
{
    CN_TRY(cn_reserve(h->hooks, &h->kept, &h->kept_capacity, h->kept_count + (size_t)count, err));
    uint64_t pair = key_of(s, t);
    cn_hint_entry *entry = h->now + (entry_of(h->now, h->now_size, pair) - h->now);
    if (entry->pair != pair) {
        return CN_OK;
    }
    memcpy(h->kept + h->kept_count, touch, sizeof *touch * (size_t)count);
    entry->start = h->kept_count;
    entry->count = (uint16_t)count;
    h->kept_count += (size_t)count;
    return CN_OK;
}
