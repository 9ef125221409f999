// solve/sweep/zones.c -- see zones.h.
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "solve/sweep/zones.h"

// Contacts of a block: enough to be worth the way, so many blocks that threads have something to
// share. Fewer contacts than ALONE are swept before another thread is awake. More and larger blocks
// than this bring nothing: within a block contacts follow each other in space as they do.
enum { BLOCK_LEAST = 2048, ALONE = 8192 };

static int block_count_of(int count)
{
    int blocks = count / BLOCK_LEAST < CN_BLOCK_MAX ? count / BLOCK_LEAST : CN_BLOCK_MAX;
    return count < ALONE ? 1 : blocks;
}

static cn_status reserve(cn_zones *s, const cn_hooks *hooks, int count, int body_count,
                         cn_error *err)
{
    CN_TRY(cn_reserve(hooks, &s->item, &s->item_capacity, (size_t)count, err));
    return cn_reserve(hooks, &s->owner, &s->owner_capacity, (size_t)body_count, err);
}

// open[k]: bodies that contacts up to k and contacts behind k name.
static void count_open(cn_zones *s, int count, const int *body, int body_count, int *open)
{
    enum { NEW = -1, MET, LEFT };
    memset(open, 0, sizeof *open * (size_t)count);
    for (int i = 0; i < body_count; i++) {
        s->owner[i] = NEW;
    }
    for (int k = 0; k < 2 * count; k++) {
        if (body[k] >= 0 && s->owner[body[k]] == NEW) {
            s->owner[body[k]] = MET;
            open[k / 2]++;
        }
    }
    for (int k = 2 * count - 1; k >= 0; k--) {
        if (body[k] >= 0 && s->owner[body[k]] == MET) {
            s->owner[body[k]] = LEFT;
            open[k / 2]--;
        }
    }
    for (int k = 1; k < count; k++) {
        open[k] += open[k - 1];
    }
}

// Ends of blocks of about the same size, where they share the fewest bodies.
static void cut(int count, int blocks, const int *open, int *end)
{
    int span = 2 * (count / blocks) / 5;
    for (int n = 0; n < blocks - 1; n++) {
        int middle = (int)((int64_t)count * (n + 1) / blocks), best = middle;
        for (int k = middle - span; k < middle + span; k++) {
            best = open[k] < open[best] ? k : best;
        }
        end[n] = best + 1;
    }
    end[blocks - 1] = count;
}

// The block that first names each body.
static void own_bodies(cn_zones *s, int count, const int *body, int body_count, const int *end)
{
    for (int i = 0; i < body_count; i++) {
        s->owner[i] = -1;
    }
    for (int k = 0, block = 0; k < count; k++) {
        block += k == end[block];
        for (int side = 0; side < 2; side++) {
            int i = body[2 * k + side];
            if (i >= 0 && s->owner[i] < 0) {
                s->owner[i] = block;
            }
        }
    }
}

// Two blocks a <= b with contacts between them.
typedef struct pair {
    int a, b, size, number; // in the order in which they were met
    int colour;
} pair;

// Pairs of blocks in the order in which contacts name them, interiors first.
static int assign(const cn_zones *s, int count, const int *body, int blocks, int *zone_of,
                  pair list[CN_ZONE_MAX])
{
    int found[CN_BLOCK_MAX][CN_BLOCK_MAX], pairs = blocks;
    memset(found, 0xff, sizeof found);
    for (int n = 0; n < blocks; n++) {
        found[n][n] = n;
        list[n] = (pair){n, n, 0, n, 0};
    }
    for (int k = 0; k < count; k++) {
        int i = body[2 * k], j = body[2 * k + 1];
        int x = s->owner[i < 0 ? j : i], y = s->owner[j < 0 ? i : j];
        int a = x < y ? x : y, b = x < y ? y : x;
        if (found[a][b] < 0) {
            list[pairs] = (pair){a, b, 0, pairs, 0};
            found[a][b] = pairs++;
        }
        zone_of[k] = found[a][b];
        list[zone_of[k]].size++;
    }
    return pairs;
}

static int compare_sizes(const void *x, const void *y)
{
    const pair *p = x, *q = y;
    return p->size != q->size ? (p->size > q->size ? -1 : 1) : p->number - q->number;
}

static int compare_colours(const void *x, const void *y)
{
    const pair *p = x, *q = y;
    return p->colour != q->colour ? p->colour - q->colour : compare_sizes(x, y);
}

// First free colour of each pair, from those that its blocks have used: pairs of one colour share
// no block. Large ones first, so that neighbours in the order are alike. Interiors keep colour 0.
static void colour_pairs(pair *list, int count)
{
    uint64_t used[CN_BLOCK_MAX] = {0}; // a block has at most 31 pairs: 61 colours suffice
    qsort(list, (size_t)count, sizeof *list, compare_sizes);
    for (int n = 0; n < count; n++) {
        uint64_t *used_a = &used[list[n].a], *used_b = &used[list[n].b];
        int colour = __builtin_ctzll(~(*used_a | *used_b));
        *used_a |= UINT64_C(1) << colour;
        *used_b |= UINT64_C(1) << colour;
        list[n].colour = colour;
    }
    qsort(list, (size_t)count, sizeof *list, compare_colours);
}

// Zones in the order of the list.
static void number_zones(cn_zones *s, int count, const pair *list, int *zone_of)
{
    int number[CN_ZONE_MAX];
    memset(s->turn_count, 0, sizeof s->turn_count);
    for (int n = 0; n < s->zone_count; n++) {
        const pair *x = &list[n];
        number[x->number] = n;
        s->zone[n] = (cn_zone){{x->a, x->b}, {s->turn_count[x->a], s->turn_count[x->b]}};
        s->turn_count[x->a]++;
        s->turn_count[x->b] += x->a != x->b;
    }
    for (int k = 0; k < count; k++) {
        zone_of[k] = number[zone_of[k]];
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
    pair list[CN_ZONE_MAX] = {{0}};
    int blocks = s->block_count = block_count_of(count), end[CN_BLOCK_MAX] = {0};
    CN_TRY(reserve(s, hooks, count, body_count, err));
    if (blocks == 1) {
        s->zone_count = 1;
        memset(zone_of, 0, sizeof(int) * (size_t)count);
    } else {
        count_open(s, count, body, body_count, zone_of);
        cut(count, blocks, zone_of, end);
        own_bodies(s, count, body, body_count, end);
        s->zone_count = assign(s, count, body, blocks, zone_of, list);
        colour_pairs(list + blocks, s->zone_count - blocks);
    }
    number_zones(s, count, list, zone_of);
    sort_by_zone(s, count, zone_of);
    return CN_OK;
}

// What threads share: the next zone that nobody has taken, and the zones done at each block.
typedef struct progress {
    int next, done[CN_BLOCK_MAX];
} progress;

// Waits until a block has seen the zones before this one.
static void wait_for(const int *done, int turn)
{
    enum { PATIENCE = 4096 };
    for (int k = 0; __atomic_load_n(done, __ATOMIC_ACQUIRE) != turn; k++) {
        if (k >= PATIENCE) {
            sched_yield();
        }
    }
}

// Zones are taken in their order, so the first that is not done never waits for one not taken.
static void work(const cn_zones *s, progress *shared, bool is_backward,
                 void (*visit)(void *context, int zone), void *context)
{
    int n;
    while ((n = __atomic_fetch_add(&shared->next, 1, __ATOMIC_RELAXED)) < s->zone_count) {
        int number = is_backward ? s->zone_count - 1 - n : n;
        const cn_zone *zone = &s->zone[number];
        int sides = zone->block[0] != zone->block[1] ? 2 : 1;
        for (int k = 0; k < sides; k++) {
            int last = s->turn_count[zone->block[k]] - 1;
            wait_for(&shared->done[zone->block[k]],
                     is_backward ? last - zone->turn[k] : zone->turn[k]);
        }
        visit(context, number);
        for (int k = 0; k < sides; k++) {
            __atomic_fetch_add(&shared->done[zone->block[k]], 1, __ATOMIC_RELEASE);
        }
    }
}

void cn_zones_run(const cn_zones *s, int thread_count, bool is_backward,
                  void (*visit)(void *context, int zone), void *context)
{
    progress shared = {0};
    if (thread_count == 1 || s->zone_count <= 1) { // parallel regions call the system even alone
        work(s, &shared, is_backward, visit, context);
        return;
    }
#pragma omp parallel num_threads(thread_count)
    work(s, &shared, is_backward, visit, context);
}

void cn_zones_release(cn_zones *s, const cn_hooks *hooks)
{
    cn_release(hooks, s->item);
    cn_release(hooks, s->owner);
}
