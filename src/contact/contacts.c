// contact/contacts.c -- storage, order and identity of contacts.
#include "contact/contacts.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"

void cn_contacts_init(cn_contacts *c, const cn_hooks *hooks)
{
    *c = (cn_contacts){.hooks = hooks};
}

// Arrays that every step needs, with their length for `count` contacts and the constraints of
// others: `all` constraints with `rows` rows.
#define FOR_EACH_ARRAY(X)                                                                          \
    X(0, contact, count)                                                                           \
    X(1, is_fast, count)                                                                           \
    X(2, memory_of, count)                                                                         \
    X(3, state_start, count + 1)                                                                   \
    X(4, row_start, all + 1)                                                                       \
    X(5, body, 2 * all)                                                                            \
    X(6, block_start, 2 * all)                                                                     \
    X(7, G, 2 * dof * rows)                                                                        \
    X(8, u_free, rows)                                                                             \
    X(9, kind, all)                                                                                \
    X(10, mu, all)                                                                                 \
    X(11, b, rows)                                                                                 \
    X(12, r, rows)                                                                                 \
    X(13, is_at_start, count)

void cn_contacts_free(cn_contacts *c)
{
#define X(place, name, length) cn_release(c->hooks, c->name);
    FOR_EACH_ARRAY(X)
#undef X
    void *owned[] = {c->state, c->memory, c->memory_state, c->table, c->c, c->r0};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(c->hooks, owned[k]);
    }
    cn_contacts_init(c, c->hooks);
}

static cn_status reserve(cn_contacts *c, const cn_bodies *bodies, size_t count, cn_error *err)
{
    size_t dof = (size_t)bodies->kind->dof, all = count + (size_t)c->guest_count;
    size_t rows = (size_t)bodies->dim * count + (size_t)c->guest_rows;
#define X(place, name, length)                                                                     \
    CN_TRY(cn_reserve(c->hooks, &c->name, &c->capacity[place], (length), err));
    FOR_EACH_ARRAY(X)
#undef X
    return CN_OK;
}

// Bits of a 32-bit number with a zero after each.
static uint64_t spread_by_two(uint64_t x)
{
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
}

// Bits of a 21-bit number with two zeros after each.
static uint64_t spread_by_three(uint64_t x)
{
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

// Morton code of each point in the box of all points.
static void find_codes(const cn_point *point, int count, int dim, uint64_t *code)
{
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    double side = 0.0;
    for (int n = 0; n < count; n++) {
        const double x[3] = {point[n].point.x, point[n].point.y, point[n].point.z};
        for (int d = 0; d < dim; d++) {
            lo[d] = fmin(lo[d], x[d]);
            hi[d] = fmax(hi[d], x[d]);
        }
    }
    for (int d = 0; d < dim; d++) {
        side = fmax(side, hi[d] - lo[d]);
    }
    double parts = dim == 2 ? 0x1p24 : 0x1p21 - 1.0; // of the largest side
    double scale = side > 0.0 ? parts / side : 0.0;
    for (int n = 0; n < count; n++) {
        uint64_t x = (uint64_t)((point[n].point.x - lo[0]) * scale);
        uint64_t y = (uint64_t)((point[n].point.y - lo[1]) * scale);
        if (dim == 2) {
            code[n] = spread_by_two(x) | spread_by_two(y) << 1;
        } else {
            uint64_t z = (uint64_t)((point[n].point.z - lo[2]) * scale);
            code[n] = spread_by_three(x) | spread_by_three(y) << 1 | spread_by_three(z) << 2;
        }
    }
}

// Sorts order[] by code, least significant byte first; code and order have twice the room.
static void radix_sort(int count, uint64_t *code, int *order)
{
    uint64_t *code_to = code + count;
    int *order_to = order + count;
    for (int shift = 0; shift < 64; shift += 8) {
        size_t start[257] = {0};
        for (int n = 0; n < count; n++) {
            start[(code[n] >> shift & 255) + 1]++;
        }
        if (start[(code[0] >> shift & 255) + 1] == (size_t)count) {
            continue; // all alike in this byte
        }
        for (int k = 0; k < 256; k++) {
            start[k + 1] += start[k];
        }
        for (int n = 0; n < count; n++) {
            size_t to = start[code[n] >> shift & 255]++;
            code_to[to] = code[n];
            order_to[to] = order[n];
        }
        memcpy(code, code_to, sizeof *code * (size_t)count);
        memcpy(order, order_to, sizeof *order * (size_t)count);
    }
}

static bool comes_before(const cn_bodies *b, const cn_point *x, const cn_point *y)
{
    if (b->id[x->i] != b->id[y->i]) {
        return b->id[x->i] < b->id[y->i];
    }
    if (b->id[x->j] != b->id[y->j]) {
        return b->id[x->j] < b->id[y->j];
    }
    return x->feature < y->feature;
}

// Points with equal codes are put in the order of their identity, so that the order of contacts is
// a function of the state alone.
static void break_ties(const cn_bodies *b, const cn_point *point, int count, const uint64_t *code,
                       int *order)
{
    for (int n = 1; n < count; n++) {
        int moved = order[n];
        int k = n;
        while (k > 0 && code[k - 1] == code[n] &&
               comes_before(b, &point[moved], &point[order[k - 1]])) {
            order[k] = order[k - 1];
            k--;
        }
        order[k] = moved;
    }
}

static uint64_t pair_of(int i, int j)
{
    return (uint64_t)(uint32_t)i << 32 | (uint32_t)j;
}

static int find_memory(const cn_contacts *c, uint64_t pair, uint64_t feature)
{
    if (c->memory_count == 0) {
        return -1;
    }
    size_t mask = c->table_size - 1;
    for (size_t k = cn_mix2(pair, feature) & mask; c->table[k] >= 0; k = (k + 1) & mask) {
        const cn_memory *m = &c->memory[c->table[k]];
        if (m->pair == pair && m->feature == feature) {
            return c->table[k];
        }
    }
    return -1;
}

static size_t table_size_for(size_t count)
{
    size_t size = 16;
    while (size < 2 * count) {
        size *= 2;
    }
    return size;
}

cn_status cn_contact_reserve_memory(cn_contacts *c, size_t count, size_t state_count, cn_error *err)
{
    CN_TRY(cn_reserve(c->hooks, &c->memory, &c->memory_capacity, count, err));
    CN_TRY(cn_reserve(c->hooks, &c->memory_state, &c->memory_state_capacity, state_count, err));
    return cn_reserve(c->hooks, &c->table, &c->table_capacity, table_size_for(count), err);
}

void cn_contact_index(cn_contacts *c)
{
    size_t size = table_size_for((size_t)c->memory_count);
    c->table_size = size;
    memset(c->table, 0xff, sizeof *c->table * size);
    for (int n = 0; n < c->memory_count; n++) {
        size_t k = cn_mix2(c->memory[n].pair, c->memory[n].feature) & (size - 1);
        while (c->table[k] >= 0) {
            k = (k + 1) & (size - 1);
        }
        c->table[k] = n;
    }
}

cn_status cn_contact_match(cn_contacts *c, const cn_bodies *b, const cn_point *point,
                           int point_count, cn_error *err)
{
    CN_TRY(reserve(c, b, (size_t)point_count, err));
    c->d = b->dim;
    // G is written after the sort: its words hold two codes and two places per contact meanwhile.
    uint64_t *code = (uint64_t *)c->G;
    int *order = (int *)(code + 2 * point_count);
    find_codes(point, point_count, b->dim, code);
    for (int n = 0; n < point_count; n++) {
        order[n] = n;
    }
    if (point_count > 0) {
        radix_sort(point_count, code, order);
        break_ties(b, point, point_count, code, order);
    }
    c->count = point_count;
    for (int a = 0; a < point_count; a++) {
        const cn_point *x = &point[order[a]];
        c->contact[a] = (cn_contact){
            .pair = pair_of(x->i, x->j),
            .feature = x->feature,
            .i = x->i,
            .j = x->j,
            .law = x->law,
            .shift = {x->shift[0], x->shift[1], x->shift[2]},
            .point = {x->point.x, x->point.y, x->point.z},
            .normal = {x->normal.x, x->normal.y, x->normal.z},
            .gap = x->gap,
        };
        c->is_fast[a] = c->is_at_start[a] = x->is_fast;
        c->memory_of[a] = find_memory(c, c->contact[a].pair, x->feature);
    }
    return CN_OK;
}

void cn_contact_forget_body(cn_contacts *c, int removed)
{
    c->count = 0; // the contacts of the last step are no longer shown
    int kept = 0;
    for (int n = 0; n < c->memory_count; n++) {
        cn_memory m = c->memory[n];
        int i = cn_pair_i(m.pair), j = cn_pair_j(m.pair);
        if (i != removed && j != removed) {
            m.pair = pair_of(i - (i > removed), j - (j > removed));
            c->memory[kept++] = m;
        }
    }
    c->memory_count = kept;
    if (c->table != NULL) {
        cn_contact_index(c);
    }
}
