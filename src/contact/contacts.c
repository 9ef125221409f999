// contact/contacts.c -- storage, order and identity of contacts.
//
// Order. Where contact forces are not unique the order of sweeps chooses, so it is one of identity:
// by pair, lighter bodies first and equal ones in the order of their creation, then by name of the
// point. It does not depend on where the scene stands and how it is turned, and on the numbers of
// bodies only where these have equal masses. Where there are more contacts than a cache holds,
// space is cut into cells, one after the other along a space-filling curve, so that sweeps meet a
// body again while it is near.
#include "contact/contacts.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/morton.h"
#include "base/radix.h"
#include "base/tasks.h"
#include "body/cell.h"
#include "body/deformable/deformables.h"

enum { CELL_COUNT = 4096 };   // contacts in a cell, about
enum { SHARED_MIN = 1024 };   // contacts per thread
enum { GUESS_COUNT = 4 };     // entries of the memory that are tried before the table
enum { AHEAD = 8 };           // contacts whose points are fetched ahead
enum { ASIDE_MAX = 1 << 11 }; // contacts that are kept while the next step is made: 0.4 MB

void cn_contacts_init(cn_contacts *c, const cn_hooks *hooks)
{
    *c = (cn_contacts){.hooks = hooks};
}

// Arrays that every step needs, with their length for `count` contacts and the constraints of
// others: `all` constraints with `rows` rows.
#define FOR_EACH_ARRAY(X)                                                                          \
    X(contact, count)                                                                              \
    X(is_fast, count)                                                                              \
    X(memory_of, count)                                                                            \
    X(state_start, count + 1)                                                                      \
    X(row_start, all + 1)                                                                          \
    X(body, 2 * all)                                                                               \
    X(block_start, 2 * all)                                                                        \
    X(G, entries)                                                                                  \
    X(u_free, rows)                                                                                \
    X(kind, all)                                                                                   \
    X(mu, all)                                                                                     \
    X(b, rows)                                                                                     \
    X(r, rows)                                                                                     \
    X(creep, 3 * count)                                                                            \
    X(is_at_start, count)                                                                          \
    X(is_bond, count)                                                                              \
    X(is_beam, count)

void cn_contacts_free(cn_contacts *c)
{
#define X(name, length) cn_release(c->hooks, c->name);
    FOR_EACH_ARRAY(X)
#undef X
    void *owned[] = {c->state,      c->memory,    c->memory_state, c->memory_start, c->c,
                     c->skew,       c->r0,        c->mu_roll,      c->mu_spin,      c->anchor,
                     c->dof_start,  c->W_row,     c->W_col,        c->W_start,      c->W_block,
                     c->mesh_start, c->mesh_side, c->seat,         c->touched,      c->accepted,
                     c->k,          c->fed,       c->bonded,       c->assumed,      c->bond_mark,
                     c->bond_root,  c->covered,   c->cell_G};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        cn_release(c->hooks, owned[k]);
    }
    cn_incidence_free(&c->of_body, c->hooks);
    cn_contacts_init(c, c->hooks);
}

// More entries of G than rigid bodies need: those of contacts with small deformable bodies.
static size_t wide_rows(const cn_bodies *b, const cn_point *point, int count)
{
    size_t wide = 0;
    for (int n = 0; n < count; n++) {
        for (int side = 0; side < 2; side++) {
            int k = b->deformable[side == 0 ? point[n].i : point[n].j];
            if (k >= 0 && cn_deformable_is_small(b->deformables, k)) {
                wide += (size_t)(b->dim * cn_deformable_dof(b->deformables, k));
            }
        }
    }
    return wide;
}

static cn_status reserve(cn_contacts *c, const cn_bodies *bodies, size_t count, cn_error *err)
{
    size_t dof = (size_t)bodies->kind->dof, all = count + (size_t)c->guest_count;
    size_t rows = (size_t)bodies->dim * count + (size_t)(c->moment_row_count + c->guest_rows);
    size_t own = 2 * dof * ((size_t)bodies->dim * count + (size_t)c->moment_row_count);
    own += c->wide_entries;
    size_t entries = (c->is_geometry ? CN_GEOMETRY_SIZE * count : own) + c->guest_entries;
#define X(name, length) CN_TRY(cn_reserve(c->hooks, &c->name, &c->capacity.name, (length), err));
    FOR_EACH_ARRAY(X)
#undef X
    return CN_OK;
}

typedef struct cube {
    double lo[3], scale; // corner [m], codes per metre
} cube;

static inline cn_vec3 least(cn_vec3 a, cn_vec3 b)
{
    return cn_v3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

// The cube that holds all points, cut into 2^bits parts along each side.
static cube cube_of(const cn_point *point, int count, int dim, int bits, int threads)
{
    cn_vec3 none = {INFINITY, INFINITY, INFINITY}, lo[CN_SEGMENTS], up[CN_SEGMENTS];
    CN_SHARED_FOR(threads, (schedule(static)), k, CN_SEGMENTS, {
        lo[k] = up[k] = none;
        for (int n = cn_segment_start(count, k); n < cn_segment_start(count, k + 1); n++) {
            lo[k] = least(point[n].point, lo[k]);
            up[k] = least(cn_neg3(point[n].point), up[k]); // upper corner, negative
        }
    });
    for (int k = 1; k < CN_SEGMENTS; k++) {
        lo[0] = least(lo[k], lo[0]);
        up[0] = least(up[k], up[0]);
    }
    cube all = {.lo = {lo[0].x, lo[0].y, lo[0].z}};
    double hi[3] = {-up[0].x, -up[0].y, -up[0].z}, side = 0.0;
    for (int d = 0; d < dim; d++) {
        side = fmax(side, hi[d] - all.lo[d]);
    }
    double most = ldexp(1.0, bits) * (1.0 - 0x1p-40); // the last code is 2^bits - 1
    all.scale = side > 0.0 ? most / side : 0.0;
    return all;
}

// Morton code of a place.
static uint64_t code_of(const cube *all, int dim, cn_vec3 at)
{
    uint64_t x = (uint64_t)((at.x - all->lo[0]) * all->scale);
    uint64_t y = (uint64_t)((at.y - all->lo[1]) * all->scale);
    if (dim == 2) {
        return cn_spread_by_two(x) | cn_spread_by_two(y) << 1;
    }
    uint64_t z = (uint64_t)((at.z - all->lo[2]) * all->scale);
    return cn_spread_by_three(x) | cn_spread_by_three(y) << 1 | cn_spread_by_three(z) << 2;
}

static uint64_t pair_of(int i, int j)
{
    return (uint64_t)(uint32_t)i << 32 | (uint32_t)j;
}

// The leading digits of a mass, which no numbering of bodies changes; what is held has none.
static uint64_t weight_of(const cn_bodies *b, int i)
{
    uint64_t bits;
    memcpy(&bits, &b->mass[i], sizeof bits);
    return cn_body_is_passive(b, i) ? 0 : bits >> 32;
}

static uint64_t weights_of(const cn_bodies *b, const cn_point *x)
{
    uint64_t i = weight_of(b, x->i), j = weight_of(b, x->j);
    return i < j ? i << 32 | j : j << 32 | i;
}

// Sorts by the lighter and the heavier body of each pair, and pairs of equal ones by their bodies
// in order of creation.
static void sort_by_pair(const cn_bodies *b, const cn_point *point, int count, cn_keyed *order,
                         cn_keyed *room, int threads)
{
    uint64_t differing = 0, first = count > 0 ? pair_of(point[0].i, point[0].j) : 0;
    CN_SHARED_FOR(threads,
                  (schedule(static) reduction(|
                                              : differing)),
                  n, count, {
                      order[n] = (cn_keyed){pair_of(point[n].i, point[n].j), n};
                      differing |= order[n].key ^ first;
                  });
    cn_radix_sort(order, count, differing, room, threads);
    differing = 0;
    first = count > 0 ? weights_of(b, &point[order[0].item]) : 0;
    CN_SHARED_FOR(threads,
                  (schedule(static) reduction(|
                                              : differing)),
                  n, count, {
                      order[n].key = weights_of(b, &point[order[n].item]);
                      differing |= order[n].key ^ first;
                  });
    cn_radix_sort(order, count, differing, room, threads);
}

static bool is_same_pair(const cn_point *point, const cn_keyed *x, const cn_keyed *y)
{
    return point[x->item].i == point[y->item].i && point[x->item].j == point[y->item].j;
}

// The first of the sorted points from n on that begins a pair of bodies, or the end.
static int pair_from(const cn_point *point, const cn_keyed *order, int count, int n)
{
    while (n > 0 && n < count && is_same_pair(point, &order[n - 1], &order[n])) {
        n++;
    }
    return n;
}

// Whether a point comes before another one of the same bodies: by image, then by name.
static bool is_before(const cn_point *x, const cn_point *y)
{
    for (int k = 0; k < 3; k++) {
        if (x->shift[k] != y->shift[k]) {
            return x->shift[k] < y->shift[k];
        }
    }
    return x->feature < y->feature;
}

// Points of one pair of bodies are put in that order.
static void sort_by_feature(const cn_point *point, int first, int end, cn_keyed *order)
{
    for (int n = first + 1; n < end; n++) {
        cn_keyed moved = order[n];
        int k = n;
        while (k > first && is_same_pair(point, &order[k - 1], &moved) &&
               is_before(&point[moved.item], &point[order[k - 1].item])) {
            order[k] = order[k - 1];
            k--;
        }
        order[k] = moved;
    }
}

// End of the run of points, from n on, of one pair of shapes.
static int patch_end(const cn_point *point, const cn_keyed *order, int count, int n)
{
    int end = n + 1;
    while (end < count && is_same_pair(point, &order[end], &order[n]) &&
           point[order[end].item].feature >> 32 == point[order[n].item].feature >> 32 &&
           memcmp(point[order[end].item].shift, point[order[n].item].shift, 3) == 0) {
        end++;
    }
    return end;
}

// Keys of cells and what they have in common: bits that some have and bits that all have.
typedef struct digits {
    uint64_t some, all;
} digits;

// Pairs of shapes get the number of the cell that holds the middle of their points.
static digits find_cells(const cn_point *point, int first, int end, int dim, const cube *all,
                         cn_keyed *order)
{
    digits used = {0, ~(uint64_t)0};
    for (int next; first < end; first = next) {
        next = patch_end(point, order, end, first);
        cn_vec3 start = point[order[first].item].point, middle = start;
        for (int n = first + 1; n < next; n++) {
            cn_vec3 aside = cn_sub3(point[order[n].item].point, start);
            middle = cn_add_mul3(middle, 1.0 / (next - first), aside);
        }
        uint64_t code = code_of(all, dim, middle);
        for (int n = first; n < next; n++) {
            order[n].key = code;
        }
        used = (digits){used.some | code, used.all & code};
    }
    return used;
}

// Bits per axis of cells that hold about CELL_COUNT points each.
static int cell_bits(int count, int dim)
{
    int bits = 0;
    for (double rest = count; rest > CELL_COUNT; rest /= dim == 2 ? 4.0 : 8.0) {
        bits++;
    }
    return bits;
}

// Sorts the points of each pair of bodies, which stand together, by their names, then all pairs of
// shapes by cells along a space-filling curve if there are many.
static void sort_by_place(const cn_point *point, int count, int dim, cn_keyed *order,
                          cn_keyed *room, int threads)
{
    int bits = cell_bits(count, dim), start[CN_SEGMENTS + 1];
    cube all = bits > 0 ? cube_of(point, count, dim, bits, threads) : (cube){.scale = 0.0};
    for (int k = 0; k <= CN_SEGMENTS; k++) {
        start[k] = pair_from(point, order, count, cn_segment_start(count, k));
    }
    uint64_t some = 0, each = ~(uint64_t)0;
    CN_SHARED_FOR(threads, (schedule(dynamic, 1) reduction(| : some) reduction(& : each)), k,
                  CN_SEGMENTS, {
                      sort_by_feature(point, start[k], start[k + 1], order);
                      if (bits > 0) {
                          digits used =
                              find_cells(point, start[k], start[k + 1], dim, &all, order);
                          some |= used.some;
                          each &= used.all;
                      }
                  });
    if (bits > 0) {
        cn_radix_sort(order, count, some ^ each, room, threads);
    }
}

// Where the entries of the memory are by name: open addressing. It lives while contacts are
// matched.
typedef struct lookup {
    int32_t *place; // -1: none
    size_t size;
} lookup;

static bool is_named(const cn_memory *m, const cn_contact *x)
{
    return m->pair == x->pair && m->feature == x->feature &&
           memcmp(m->shift, x->shift, sizeof m->shift) == 0;
}

// The first entry of a name; the table does not say which came first, since threads fill it.
static int find_memory(const cn_contacts *c, const lookup *table, const cn_contact *x)
{
    int found = -1;
    size_t mask = table->size - 1;
    for (size_t k = cn_mix2(x->pair, x->feature) & mask; table->place[k] >= 0; k = (k + 1) & mask) {
        const cn_memory *m = &c->memory[table->place[k]];
        if (is_named(m, x) && (found < 0 || table->place[k] < found)) {
            found = table->place[k];
        }
    }
    return found;
}

static size_t table_size_for(int count)
{
    size_t size = 16;
    while (size < 2 * (size_t)count) {
        size *= 2;
    }
    return size;
}

cn_status cn_contact_reserve_memory(cn_contacts *c, size_t count, size_t state_count, cn_error *err)
{
    CN_TRY(cn_reserve(c->hooks, &c->memory, &c->capacity.memory, count, err));
    CN_TRY(cn_reserve(c->hooks, &c->memory_start, &c->capacity.memory_start, count, err));
    return cn_reserve(c->hooks, &c->memory_state, &c->capacity.memory_state, state_count, err);
}

static void fill_table(const cn_contacts *c, const lookup *table)
{
    size_t size = table->size;
    int threads = cn_share(c->thread_count, c->memory_count, SHARED_MIN);
    memset(table->place, 0xff, sizeof *table->place * size);
    CN_SHARED_FOR(threads, (schedule(static)), n, c->memory_count, {
        size_t k = cn_mix2(c->memory[n].pair, c->memory[n].feature) & (size - 1);
        int32_t empty = -1;
        while (!__atomic_compare_exchange_n(&table->place[k], &empty, n, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED)) {
            k = (k + 1) & (size - 1);
            empty = -1;
        }
    });
}

// The same as find_memory. Contacts keep their order from step to step, so the entry is most often
// one of the next after that of the contact before; entries of one name are next to each other.
static int guess_memory(const cn_contacts *c, const lookup *table, const cn_contact *x, int last)
{
    for (int n = last + 1; n < c->memory_count && n <= last + GUESS_COUNT; n++) {
        if (is_named(&c->memory[n], x)) {
            bool is_first = n == 0 || !is_named(&c->memory[n - 1], x);
            return is_first ? n : find_memory(c, table, x);
        }
    }
    return find_memory(c, table, x);
}

// Contact a from its point.
static void enter_contact(cn_contacts *c, const cn_point *x, int a)
{
    c->contact[a] = (cn_contact){
        // all members by name: none is cleared first
        .pair = pair_of(x->i, x->j),
        .feature = x->feature,
        .i = x->i,
        .j = x->j,
        .law = x->law,
        .shift = {x->shift[0], x->shift[1], x->shift[2]},
        .point = {x->point.x, x->point.y, x->point.z},
        .normal = {x->normal.x, x->normal.y, x->normal.z},
        .gap = x->gap,
        .status = 0,
        .r = {0.0, 0.0, 0.0},
        .u = {0.0, 0.0, 0.0},
        .u_before = {0.0, 0.0, 0.0},
    };
    c->is_fast[a] = c->is_at_start[a] = x->is_fast;
    c->is_bond[a] = x->is_bond;
    c->is_beam[a] = x->is_beam;
    for (int side = 0; side < 2 && c->anchors != NULL; side++) {
        c->anchor[2 * a + side] = x->anchor[side];
    }
}

// The contacts of segment k, with what the last step left of them. Points come in the order of the
// search, so those of the next contacts are fetched ahead.
static void enter_segment(cn_contacts *c, const cn_point *point, const cn_keyed *order,
                          const lookup *table, int k)
{
    int last = -1, end = cn_segment_start(c->count, k + 1);
    for (int a = cn_segment_start(c->count, k); a < end; a++) {
        if (a + AHEAD < c->count) {
            const char *next = (const char *)&point[order[a + AHEAD].item];
            __builtin_prefetch(next);
            __builtin_prefetch(next + sizeof *point - 1);
        }
        enter_contact(c, &point[order[a].item], a);
        const cn_contact *x = &c->contact[a];
        c->memory_of[a] = guess_memory(c, table, x, last);
        last = c->memory_of[a] >= 0 ? c->memory_of[a] : last;
    }
}

cn_status cn_contact_match(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law,
                           const cn_point *point, int point_count, const cn_anchor *anchors,
                           cn_error *err)
{
    int moments = 0, threads = cn_share(c->thread_count, point_count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static) reduction(+ : moments)), n, point_count, {
        bool is_rigid = point[n].anchor[0] < 0 && point[n].anchor[1] < 0;
        moments +=
            is_rigid ? cn_law_moment_rows(&law[point[n].law], b->dim, point[n].is_beam) : 0;
    });
    c->moment_row_count = moments;
    c->anchors = anchors;
    c->has_of_body = c->is_of_memory = false;
    c->wide_entries = anchors != NULL ? wide_rows(b, point, point_count) : 0;
    c->has_self = false;
    for (int n = 0; cn_cell_is_there(b) && n < point_count; n++) {
        c->has_self = c->has_self || point[n].i == point[n].j;
    }
    c->is_geometry = b->dim == 3 && anchors == NULL && c->moment_row_count == 0 && !c->has_self &&
                     !c->has_skew && !(cn_cell_is_there(b) && b->cell->free != 0);
    CN_TRY(reserve(c, b, (size_t)point_count, err));
    if (anchors != NULL) {
        CN_TRY(cn_reserve(c->hooks, &c->anchor, &c->capacity.anchor, 2 * (size_t)point_count, err));
    }
    c->d = b->dim;
    // G is written after the match: until then it is room for two entries per contact and for the
    // table of the memory.
    lookup table = {.size = table_size_for(c->memory_count)};
    size_t room = 2 * sizeof(cn_keyed) * (size_t)point_count + sizeof *table.place * table.size;
    CN_TRY(cn_reserve(c->hooks, &c->G, &c->capacity.G, (room + 7) / sizeof(double), err));
    cn_keyed *order = (cn_keyed *)(void *)c->G;
    table.place = (int32_t *)(order + 2 * (ptrdiff_t)point_count);
    fill_table(c, &table);
    sort_by_pair(b, point, point_count, order, order + point_count, threads);
    sort_by_place(point, point_count, b->dim, order, order + point_count, threads);
    c->count = c->found = point_count;
    CN_SHARED_FOR(threads, (schedule(static)), k, CN_SEGMENTS,
                  { enter_segment(c, point, order, &table, k); });
    const uint64_t *pair = (const uint64_t *)c->contact; // its first member
    c->has_of_body = c->thread_count > 1;
    return c->has_of_body ? cn_incidence_build(&c->of_body, c->hooks, b->count,
                                               (cn_links){pair, sizeof *c->contact, c->count},
                                               c->thread_count, err)
                          : CN_OK;
}

// A name of its own: the point may be one of those of q_mid, seen elsewhere.
static void rename_contact(cn_contacts *c, int a)
{
    uint64_t *feature = &c->contact[a].feature, shapes = *feature >> 32 << 32;
    *feature = shapes | cn_mix2(*feature, (uint64_t)c->count) >> 32;
    c->memory_of[a] = -1;
}

cn_status cn_contact_append(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law,
                            const cn_point *point, int point_count, cn_error *err)
{
    for (int n = 0; n < point_count; n++) {
        c->moment_row_count += cn_law_moment_rows(&law[point[n].law], b->dim, false);
    }
    size_t count = (size_t)(c->count + point_count);
    CN_TRY(reserve(c, b, count, err));
    if (c->anchors != NULL) {
        CN_TRY(cn_reserve(c->hooks, &c->anchor, &c->capacity.anchor, 2 * count, err));
    }
    for (int n = 0; n < point_count; n++) {
        enter_contact(c, &point[n], c->count + n);
        rename_contact(c, c->count + n);
    }
    c->count += point_count;
    const uint64_t *pair = (const uint64_t *)c->contact; // its first member
    return c->has_of_body ? cn_incidence_build(&c->of_body, c->hooks, b->count,
                                               (cn_links){pair, sizeof *c->contact, c->count},
                                               c->thread_count, err)
                          : CN_OK;
}

static void exchange(cn_contacts *c)
{
    cn_contact *contact = c->contact;
    size_t capacity = c->capacity.contact;
    c->contact = c->accepted;
    c->capacity.contact = c->capacity.accepted;
    c->accepted = contact;
    c->capacity.accepted = capacity;
}

void cn_contact_set_aside(cn_contacts *c)
{
    c->is_aside = c->count <= ASIDE_MAX || c->has_failed;
    if (c->is_aside) {
        exchange(c);
        c->accepted_count = c->count;
        c->accepted_found = c->found;
        c->count = c->found = 0;
    }
}

void cn_contact_take_back(cn_contacts *c)
{
    c->has_failed = true;
    if (!c->is_aside || c->accepted_count != c->memory_count) { // or they were hidden
        cn_contact_hide(c);
        return;
    }
    exchange(c);
    c->is_of_memory = false;
    c->count = c->accepted_count;
    c->found = c->accepted_found;
    if (c->count > 0) {
        memcpy(c->state_start, c->memory_start, sizeof *c->state_start * (size_t)c->count);
        c->state_start[c->count] = c->memory_state_count;
    }
}

void cn_contact_hide(cn_contacts *c)
{
    c->count = 0;
    c->is_of_memory = false;
}

void cn_contact_forget_body(cn_contacts *c, int removed)
{
    cn_contact_hide(c);
    int kept = 0;
    for (int n = 0; n < c->memory_count; n++) {
        cn_memory m = c->memory[n];
        int i = cn_pair_i(m.pair), j = cn_pair_j(m.pair);
        if (i != removed && j != removed) {
            m.pair = pair_of(i - (i > removed), j - (j > removed));
            c->memory[kept] = m;
            c->memory_start[kept++] = c->memory_start[n];
        }
    }
    c->memory_count = kept;
}
