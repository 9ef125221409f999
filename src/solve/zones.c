// solve/zones.c -- see zones.h.
#include <string.h>

#include "solve/zones.h"

// Contacts of a block: with their bodies they fit in the cache of a core. Small systems are cut
// into smaller blocks, so that threads have something to share; below, a sweep is over before
// another thread is awake.
enum { BLOCK = 8192, BLOCK_SMALL = 4096, SMALL_COUNT = 16 };

enum { COLOUR_WORDS = 4, COLOUR_MAX = 64 * COLOUR_WORDS };

enum { PAIR_A = 0, PAIR_B, PAIR_NEXT, PAIR_COLOUR, PAIR_SIZE };

static int block_count_of(int count)
{
    int small = count / BLOCK_SMALL < SMALL_COUNT ? count / BLOCK_SMALL : SMALL_COUNT;
    int blocks = small > count / BLOCK ? small : count / BLOCK;
    return blocks > 1 ? blocks : 1;
}

static cn_status reserve(cn_zones *s, const cn_hooks *hooks, int count, int body_count,
                         cn_error *err)
{
    size_t n = (size_t)count, blocks = (size_t)block_count_of(count);
    CN_TRY(cn_reserve(hooks, &s->item, &s->item_capacity, n, err));
    CN_TRY(cn_reserve(hooks, &s->owner, &s->owner_capacity, (size_t)body_count, err));
    CN_TRY(cn_reserve(hooks, &s->first, &s->first_capacity, blocks, err));
    CN_TRY(cn_reserve(hooks, &s->used, &s->used_capacity, COLOUR_WORDS * blocks, err));
    return cn_reserve(hooks, &s->phase_start, &s->phase_start_capacity, COLOUR_MAX + 2, err);
}

// The block that first names each body.
static void own_bodies(cn_zones *s, int count, const int *body, int body_count)
{
    int blocks = block_count_of(count);
    for (int i = 0; i < body_count; i++) {
        s->owner[i] = -1;
    }
    for (int k = 0; k < count; k++) {
        int block = (int)((int64_t)k * blocks / count);
        for (int side = 0; side < 2; side++) {
            int i = body[2 * k + side];
            if (i >= 0 && s->owner[i] < 0) {
                s->owner[i] = block;
            }
        }
    }
}

// The zone of the pair of blocks a < b, made when it is first met. Zones of pairs are numbered
// after the interiors.
static cn_status find_pair(cn_zones *s, const cn_hooks *hooks, int a, int b, int blocks, int *zone,
                           cn_error *err)
{
    for (int n = s->first[a]; n >= 0; n = s->pair[PAIR_SIZE * n + PAIR_NEXT]) {
        if (s->pair[PAIR_SIZE * n + PAIR_B] == b) {
            *zone = blocks + n;
            return CN_OK;
        }
    }
    int n = s->zone_count - blocks;
    CN_TRY(cn_reserve(hooks, &s->pair, &s->pair_capacity, (size_t)(PAIR_SIZE * (n + 1)), err));
    int *pair = s->pair + PAIR_SIZE * n;
    pair[PAIR_A] = a;
    pair[PAIR_B] = b;
    pair[PAIR_NEXT] = s->first[a];
    s->first[a] = n;
    *zone = s->zone_count++;
    return CN_OK;
}

static cn_status assign(cn_zones *s, const cn_hooks *hooks, int count, const int *body,
                        int *zone_of, cn_error *err)
{
    int blocks = block_count_of(count);
    s->zone_count = blocks;
    for (int k = 0; k < blocks; k++) {
        s->first[k] = -1;
    }
    for (int k = 0; k < count; k++) {
        int i = body[2 * k], j = body[2 * k + 1];
        int a = s->owner[i < 0 ? j : i], b = s->owner[j < 0 ? i : j];
        zone_of[k] = a;
        if (a != b) {
            CN_TRY(find_pair(s, hooks, a < b ? a : b, a < b ? b : a, blocks, &zone_of[k], err));
        }
    }
    return CN_OK;
}

// First free colour of each pair, from the colours that its blocks have used (one word per block
// and 64 colours): two zones of one colour share no block. Returns the number of colours, 0 if they
// do not suffice.
static int colour_pairs(cn_zones *s, int blocks)
{
    int pairs = s->zone_count - blocks, colours = 0;
    memset(s->used, 0, sizeof *s->used * COLOUR_WORDS * (size_t)blocks);
    for (int n = 0; n < pairs; n++) {
        int *pair = s->pair + PAIR_SIZE * n;
        uint64_t *used_a = s->used + COLOUR_WORDS * pair[PAIR_A];
        uint64_t *used_b = s->used + COLOUR_WORDS * pair[PAIR_B];
        int word = 0;
        while (word < COLOUR_WORDS && (used_a[word] | used_b[word]) == UINT64_MAX) {
            word++;
        }
        if (word == COLOUR_WORDS) {
            return 0;
        }
        int bit = __builtin_ctzll(~(used_a[word] | used_b[word]));
        used_a[word] |= UINT64_C(1) << bit;
        used_b[word] |= UINT64_C(1) << bit;
        pair[PAIR_COLOUR] = 64 * word + bit;
        colours = pair[PAIR_COLOUR] + 1 > colours ? pair[PAIR_COLOUR] + 1 : colours;
    }
    return colours;
}

// Everything in one zone.
static void keep_whole(cn_zones *s, int count, int *zone_of)
{
    s->zone_count = s->phase_count = 1;
    memset(zone_of, 0, sizeof(int) * (size_t)count);
    s->phase_start[0] = 0;
    s->phase_start[1] = 1;
}

// Numbers the zones phase by phase: interiors, then the pairs of each colour.
static void number_by_phase(cn_zones *s, int count, int blocks, int colours, int *zone_of)
{
    int pairs = s->zone_count - blocks;
    s->phase_count = 1 + colours;
    memset(s->phase_start, 0, sizeof(int) * (size_t)(s->phase_count + 1));
    s->phase_start[1] = blocks;
    for (int n = 0; n < pairs; n++) {
        s->phase_start[2 + s->pair[PAIR_SIZE * n + PAIR_COLOUR]]++;
    }
    for (int k = 0; k < s->phase_count; k++) {
        s->phase_start[k + 1] += s->phase_start[k];
    }
    for (int n = 0; n < pairs; n++) { // PAIR_NEXT becomes the new number
        int *pair = s->pair + PAIR_SIZE * n;
        pair[PAIR_NEXT] = s->phase_start[1 + pair[PAIR_COLOUR]]++;
    }
    for (int k = s->phase_count; k > 1; k--) {
        s->phase_start[k] = s->phase_start[k - 1];
    }
    s->phase_start[1] = blocks;
    for (int k = 0; k < count; k++) {
        int zone = zone_of[k];
        zone_of[k] = zone < blocks ? zone : s->pair[PAIR_SIZE * (zone - blocks) + PAIR_NEXT];
    }
}

// Stable counting sort of the contacts by zone.
static void sort_by_zone(cn_zones *s, int count, const int *zone_of)
{
    memset(s->start, 0, sizeof(int) * (size_t)(s->zone_count + 1));
    for (int k = 0; k < count; k++) {
        s->start[zone_of[k] + 1]++;
    }
    for (int n = 0; n < s->zone_count; n++) {
        s->start[n + 1] += s->start[n];
    }
    for (int k = 0; k < count; k++) {
        s->item[s->start[zone_of[k]]++] = k;
    }
    for (int n = s->zone_count; n > 0; n--) {
        s->start[n] = s->start[n - 1];
    }
    s->start[0] = 0;
}

cn_status cn_zones_build(cn_zones *s, const cn_hooks *hooks, int count, const int *body,
                         int body_count, int *zone_of, cn_error *err)
{
    int blocks = block_count_of(count);
    CN_TRY(reserve(s, hooks, count, body_count, err));
    if (blocks == 1) {
        keep_whole(s, count, zone_of);
    } else {
        own_bodies(s, count, body, body_count);
        CN_TRY(assign(s, hooks, count, body, zone_of, err));
        int colours = colour_pairs(s, blocks);
        if (colours == 0 && s->zone_count > blocks) {
            keep_whole(s, count, zone_of);
        } else {
            number_by_phase(s, count, blocks, colours, zone_of);
        }
    }
    CN_TRY(cn_reserve(hooks, &s->start, &s->start_capacity, (size_t)s->zone_count + 1, err));
    sort_by_zone(s, count, zone_of);
    return CN_OK;
}

void cn_zones_release(cn_zones *s, const cn_hooks *hooks)
{
    void *owned[] = {s->item, s->start, s->phase_start, s->owner, s->pair, s->first, s->used};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(hooks, owned[k]);
    }
}
