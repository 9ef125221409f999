// solve/sweep/batch.c -- see batch.h. Contacts go into up to 64 open batches by the first free slot
// that names neither body: one word per body holds the slots that do. Where a contact finds none,
// full ones are closed; at the end of a zone contacts that are left move together.
#include <string.h>

#include "base/tasks.h"
#include "solve/sweep/simd/record.h"

// What is known of the contacts before their records are written; it lies where these will be.
typedef struct draft {
    int *wide;         // packed constraints that the kernels take
    int *body;         // both bodies of each
    int *zone_of;      // room for cn_zones_build
    signed char *kind; // cn_simd_kind of each
} draft;

enum { SLOTS = 64, MERGED_MIN = 1024 };

// The slots of a window; each becomes a batch.
typedef struct window {
    int member[SLOTS][4], count[SLOTS];
    uint64_t used, full, of_class[2 * CN_SIMD_KIND_COUNT];
} window;

// Contacts share batches with those of their kind, and open ones with open ones.
static int class_of(const cn_solver *s, const draft *d, int k)
{
    bool is_open = s->is_open_known && s->is_open[s->packed[d->wide[k]].a];
    return d->kind[k] + (is_open ? CN_SIMD_KIND_COUNT : 0);
}

// Slots that name a body of contact k.
static uint64_t named_slots(const cn_batches *b, const draft *d, int k)
{
    uint64_t named = 0;
    for (int side = 0; side < 2; side++) {
        int body = d->body[2 * k + side];
        named |= body >= 0 ? b->taken[body] : 0;
    }
    return named;
}

// The bodies of contact k leave some slots and enter others.
static void name_bodies(cn_batches *b, const draft *d, int k, uint64_t left, uint64_t entered)
{
    for (int side = 0; side < 2; side++) {
        int body = d->body[2 * k + side];
        if (body >= 0) {
            b->taken[body] = (b->taken[body] & ~left) | entered;
        }
    }
}

// Turns some slots into batches and empties them. Their contacts follow each other in the list of
// the zone, which has been read at least that far.
static cn_status close_slots(cn_solver *s, const draft *d, uint64_t slots, window *w, int *listed,
                             cn_error *err)
{
    cn_batches *b = &s->batches;
    for (; slots != 0; slots &= slots - 1) {
        int slot = __builtin_ctzll(slots), count = w->count[slot];
        uint64_t bit = UINT64_C(1) << slot;
        CN_TRY(
            cn_reserve(&s->hooks, &b->batch, &b->batch_capacity, (size_t)b->batch_count + 1, err));
        int kind = d->kind[w->member[slot][0]];
        b->batch[b->batch_count++] = (cn_batch){.at = b->stream_count,
                                                .first = *listed,
                                                .kind = (signed char)kind,
                                                .count = (signed char)count};
        b->stream_count += (int64_t)(cn_record_size(kind) / sizeof(double));
        for (int lane = 0; lane < count; lane++) {
            int k = w->member[slot][lane];
            b->zones.item[(*listed)++] = d->wide[k];
            name_bodies(b, d, k, bit, 0);
        }
        w->used &= ~bit;
        w->full &= ~bit;
        w->of_class[class_of(s, d, w->member[slot][0])] &= ~bit;
    }
    return CN_OK;
}

// Slots that may take contact k: of its kind or empty, not full, naming neither body, nor do their
// neighbours on both sides if that can be had: then two may be visited at once, and need not wait
// for what those before them store.
static uint64_t free_slots(const cn_batches *b, const draft *d, const window *w, int class, int k)
{
    uint64_t named = named_slots(b, d, k);
    uint64_t free = (w->of_class[class] | ~w->used) & ~(w->full | named);
    uint64_t near = named << 1 | named >> 1, wide = near | named << 2 | named >> 2;
    uint64_t calm = free & ~near, still = free & ~wide;
    return still != 0 ? still : calm != 0 ? calm : free;
}

// Puts contact k into a slot. If none is free, those that are full make room, or else all.
static cn_status place(cn_solver *s, const draft *d, int k, window *w, int *listed, cn_error *err)
{
    cn_batches *b = &s->batches;
    uint64_t free;
    int class = class_of(s, d, k);
    while ((free = free_slots(b, d, w, class, k)) == 0) {
        CN_TRY(close_slots(s, d, w->full != 0 ? w->full : w->used, w, listed, err));
    }
    int slot = __builtin_ctzll(free);
    uint64_t bit = UINT64_C(1) << slot;
    if ((w->used & bit) == 0) {
        w->used |= bit;
        w->count[slot] = 0;
        w->of_class[class] |= bit;
    }
    w->member[slot][w->count[slot]++] = k;
    w->full |= w->count[slot] == 4 ? bit : 0;
    name_bodies(b, d, k, 0, bit);
    return CN_OK;
}

// The fullest of some slots, the first of those that are equal.
static int fullest(const window *w, uint64_t slots)
{
    int best = __builtin_ctzll(slots);
    for (; slots != 0; slots &= slots - 1) {
        int slot = __builtin_ctzll(slots);
        best = w->count[slot] > w->count[best] ? slot : best;
    }
    return best;
}

// Moves the contacts of a slot to others that have begun, where one names neither body.
static void move_out(cn_solver *s, const draft *d, int slot, window *w)
{
    cn_batches *b = &s->batches;
    int class = class_of(s, d, w->member[slot][0]), left = 0;
    for (int lane = 0; lane < w->count[slot]; lane++) {
        int k = w->member[slot][lane];
        uint64_t named = named_slots(b, d, k), open = w->of_class[class] & ~(w->full | named);
        if (open == 0) {
            w->member[slot][left++] = k;
            continue;
        }
        int to = fullest(w, open);
        name_bodies(b, d, k, UINT64_C(1) << slot, UINT64_C(1) << to);
        w->member[to][w->count[to]++] = k;
        w->full |= w->count[to] == 4 ? UINT64_C(1) << to : 0;
    }
    w->count[slot] = left;
    if (left == 0) {
        w->used &= ~(UINT64_C(1) << slot);
        w->of_class[class] &= ~(UINT64_C(1) << slot);
    }
}

// At the end of a zone, where nothing more comes to fill the slots: contacts move together, those
// with the least company first. Few contacts stay: room does not matter, and whom they move to
// depends on contacts of other islands, which may be at rest or not by a rounding.
static void merge_slots(cn_solver *s, const draft *d, window *w)
{
    for (int count = 1; count < 4; count++) {
        for (uint64_t slots = w->used; slots != 0; slots &= slots - 1) {
            int slot = __builtin_ctzll(slots);
            if (w->count[slot] == count) {
                move_out(s, d, slot, w);
            }
        }
    }
}

// Batches of all zones. The lists of the zones, contacts before, hold packed constraints after, in
// the order of the batches.
static cn_status make_batches(cn_solver *s, const draft *d, cn_error *err)
{
    cn_batches *b = &s->batches;
    window w = {.used = 0};
    int listed = 0;
    b->batch_count = 0;
    b->stream_count = 0;
    for (int zone = 0; zone < b->zones.zone_count; zone++) {
        b->zone_start[zone] = b->batch_count;
        for (int n = b->zones.start[zone]; n < b->zones.start[zone + 1]; n++) {
            CN_TRY(place(s, d, b->zones.item[n], &w, &listed, err));
        }
        if (b->zones.start[b->zones.zone_count] >= MERGED_MIN) {
            merge_slots(s, d, &w);
        }
        CN_TRY(close_slots(s, d, w.used, &w, &listed, err));
        b->zone_closed[zone] = b->batch_count;
    }
    b->zone_start[b->zones.zone_count] = b->batch_count;
    return CN_OK;
}

// The kernel that takes each packed constraint. Returns the number of those that none takes.
static int find_kinds(cn_solver *s, const cn_problem *p, const draft *d)
{
    int rest = 0;
    CN_SHARED_FOR(s->thread_count, (schedule(static) reduction(+ : rest)), n, s->packed_count, {
        d->kind[n] =
            p->W.rows.row == NULL ? (signed char)cn_record_kind(s, p, &s->packed[n]) : -1;
        rest += d->kind[n] < 0;
    });
    return rest;
}

// Splits the packed constraints into those that kernels take and the rest.
static int sort_out(cn_solver *s, const cn_problem *p, const draft *d)
{
    cn_batches *b = &s->batches;
    const cn_factors *f = &p->W.factors;
    int count = 0;
    b->rest_count = 0;
    for (int n = 0; n < s->packed_count; n++) {
        if (d->kind[n] < 0) {
            b->rest[b->rest_count++] = (cn_lone){.packed = n};
            continue;
        }
        d->wide[count] = n;
        d->kind[count] = d->kind[n];
        for (int side = 0; side < 2; side++) {
            d->body[2 * count + side] = f->body[2 * s->packed[n].a + side];
        }
        count++;
    }
    return count;
}

cn_status cn_batches_room(cn_solver *s, size_t bytes, void **room, cn_error *err)
{
    cn_batches *b = &s->batches;
    size_t doubles = (bytes + sizeof(double) - 1) / sizeof(double);
    CN_TRY(cn_reserve(&s->hooks, &b->stream, &b->stream_capacity, doubles, err));
    *room = b->stream;
    return CN_OK;
}

static cn_status make_draft(cn_solver *s, const cn_problem *p, draft *d, cn_error *err)
{
    void *room;
    size_t count = (size_t)p->contact_count;
    CN_TRY(cn_batches_room(s, count * (4 * sizeof(int) + 1), &room, err));
    d->wide = room;
    d->body = d->wide + count;
    d->zone_of = d->body + 2 * count;
    d->kind = (signed char *)(d->zone_of + count);
    return CN_OK;
}

// Doubles for the records, also when islands wake that are left out now: what is packed is taken as
// typical of the rest, but for a few records.
static size_t room_for(const cn_solver *s, const cn_problem *p)
{
    enum { SPARE = 32 };
    const cn_batches *b = &s->batches;
    bool is_partial = s->packed_count < p->contact_count;
    size_t spare = is_partial ? SPARE * sizeof(cn_simd_space) / sizeof(double) : 0;
    return cn_room_for_all(s, p, (size_t)b->stream_count) + spare;
}

typedef int four_int __attribute__((vector_size(16), aligned(4), may_alias));

static four_int lanes_of(const int lane[4])
{
    return *(const four_int *)(const void *)lane;
}

// Whether two records of the same kind share no body. Kinds with moments are left alone.
static bool are_apart(const cn_batches *b, const cn_batch *x, const cn_batch *y)
{
    const cn_simd_head *p = (const void *)(b->stream + x->at);
    const cn_simd_head *q = (const void *)(b->stream + y->at);
    four_int p_i = lanes_of(p->w_i), p_j = lanes_of(p->w_j), shared = {0};
    four_int q_i = lanes_of(q->w_i), q_j = lanes_of(q->w_j);
    if (x->kind != y->kind || x->kind == CN_SIMD_ROLL || x->kind == CN_SIMD_ROLL_SPIN) {
        return false;
    }
    for (int k = 0; k < 4; k++) {
        shared |= (p_i == q_i) | (p_j == q_j) | (p_i == q_j) | (p_j == q_i);
        q_i = __builtin_shufflevector(q_i, q_i, 1, 2, 3, 0);
        q_j = __builtin_shufflevector(q_j, q_j, 1, 2, 3, 0);
    }
    return (shared[0] | shared[1] | shared[2] | shared[3]) == 0;
}

void cn_batches_part(cn_batches *b, int zone)
{
    int first = b->zone_start[zone];
    for (int n = first; n < b->zone_start[zone + 1]; n++) {
        b->batch[n].is_apart = n > first && are_apart(b, &b->batch[n - 1], &b->batch[n]);
    }
}

cn_status cn_batches_build(cn_solver *s, const cn_problem *p, cn_error *err)
{
    cn_batches *b = &s->batches;
    size_t bodies = (size_t)p->W.factors.body_count;
    draft d;
    CN_TRY(make_draft(s, p, &d, err));
    CN_TRY(cn_reserve(&s->hooks, &b->taken, &b->taken_capacity, bodies, err));
    memset(b->taken, 0, bodies * sizeof *b->taken);
    size_t rest = (size_t)find_kinds(s, p, &d);
    CN_TRY(cn_reserve(&s->hooks, &b->rest, &b->rest_capacity, cn_room_for_all(s, p, rest), err));
    int count = sort_out(s, p, &d);
    bool has_arms = count > 0 && memchr(d.kind, CN_SIMD_ARM, (size_t)count) != NULL;
    if (s->has_body_order && has_arms) {
        CN_TRY(cn_body_order_copy_roots(s, p, err));
    }
    CN_TRY(cn_zones_build(&b->zones, &s->hooks, count, d.body, p->W.factors.body_count, d.zone_of,
                          err));
    CN_TRY(cn_reserve(&s->hooks, &b->zone_start, &b->zone_start_capacity,
                      (size_t)b->zones.zone_count + 1, err));
    CN_TRY(cn_reserve(&s->hooks, &b->zone_closed, &b->zone_closed_capacity,
                      (size_t)b->zones.zone_count, err));
    CN_TRY(make_batches(s, &d, err));
    CN_TRY(cn_reserve(&s->hooks, &b->batch, &b->batch_capacity,
                      cn_room_for_all(s, p, (size_t)b->batch_count), err));
    CN_TRY(cn_reserve(&s->hooks, &b->stream, &b->stream_capacity, room_for(s, p), err));
    CN_SHARED_FOR(s->thread_count, (schedule(static)), n, b->batch_count,
                  { cn_record_write(s, p, &b->batch[n]); });
    CN_SHARED_FOR(s->thread_count, (schedule(static)), zone, b->zones.zone_count,
                  { cn_batches_part(b, zone); });
    size_t size = sizeof *b->stream;
    cn_large_ask(&b->large_stream, b->stream, size * (size_t)b->stream_count,
                 size * b->stream_capacity);
    return CN_OK;
}

const cn_packed *cn_batch_member(const cn_solver *s, const cn_batch *batch, int lane)
{
    return &s->packed[s->batches.zones.item[batch->first + lane]];
}

cn_four *cn_batch_shift(const cn_batches *b, const cn_batch *batch)
{
    void *record = b->stream + batch->at;
    switch (batch->kind) {
    case CN_SIMD_PLANE:
        return ((cn_simd_plane *)record)->shift;
    case CN_SIMD_BALL:
        return ((cn_simd_ball *)record)->shift;
    case CN_SIMD_ARM:
        return ((cn_simd_arm *)record)->shift;
    case CN_SIMD_ROLL:
    case CN_SIMD_ROLL_SPIN:
        return ((cn_simd_roll *)record)->shift;
    default:
        return ((cn_simd_space *)record)->shift;
    }
}

void cn_batches_release(cn_batches *b, const cn_hooks *hooks)
{
    cn_zones_release(&b->zones, hooks);
    void *owned[] = {b->batch, b->stream, b->zone_start, b->rest, b->taken, b->zone_closed};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(hooks, owned[k]);
    }
}
