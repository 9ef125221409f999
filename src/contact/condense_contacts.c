// contact/condense_contacts.c -- the stored part of W: contacts on large deformable bodies,
// theory 11.20.
//
// W_ab = sum over the bodies that a and b share of H_a^T A^-1 H_b, from responses of single nodes
// that are kept as long as A is. Contacts on no such body have a zero block on the diagonal.
#include <string.h>

#include "base/tasks.h"
#include "body/deformable/deformables.h"
#include "contact/contacts.h"

static bool is_large(const cn_bodies *b, const cn_anchor *anchor)
{
    return anchor != NULL && !cn_deformable_is_small(b->deformables, anchor->mesh);
}

// Sides of contacts on each large mesh, 2 a + side, in order.
static cn_status list_sides(cn_contacts *c, const cn_bodies *b, cn_error *err)
{
    int meshes = b->deformables->count;
    CN_TRY(cn_reserve(c->hooks, &c->mesh_start, &c->capacity.mesh_start, (size_t)meshes + 2, err));
    CN_TRY(cn_reserve(c->hooks, &c->mesh_side, &c->capacity.mesh_side, 2 * (size_t)c->count, err));
    memset(c->mesh_start, 0, sizeof(int) * ((size_t)meshes + 2));
    int *next = c->mesh_start + 1;
    for (int pass = 0; pass < 2; pass++) {
        for (int s = 0; s < 2 * c->count; s++) {
            const cn_anchor *anchor = cn_contact_anchor(c, s / 2, s % 2);
            if (!is_large(b, anchor)) {
                continue;
            }
            if (pass == 0) {
                next[anchor->mesh + 1]++;
            } else {
                c->mesh_side[next[anchor->mesh]++] = s;
            }
        }
        for (int k = 0; k < meshes && pass == 0; k++) {
            next[k + 1] += next[k];
        }
    }
    return CN_OK;
}

// Responses of all nodes that contacts act on.
static cn_status ask_responses(cn_contacts *c, cn_bodies *b, cn_error *err)
{
    cn_deformables *m = b->deformables;
    for (int k = 0; k < m->count; k++) {
        int first = c->mesh_start[k], end = c->mesh_start[k + 1], count = 0;
        CN_TRY(cn_reserve(c->hooks, &c->touched, &c->capacity.touched,
                          CN_ANCHOR_NODES * (size_t)(end - first), err));
        for (int n = first; n < end; n++) {
            const cn_anchor *anchor =
                cn_contact_anchor(c, c->mesh_side[n] / 2, c->mesh_side[n] % 2);
            for (int l = 0; l < anchor->count; l++) {
                c->touched[count++] = anchor->node[l];
            }
        }
        if (count > 0) {
            CN_TRY(cn_iteration_matrix_activate(m->hooks, &m->factors, m->body[k].factor,
                                                c->touched, count, err));
        }
    }
    return CN_OK;
}

// The same with room that is not in use: blocks are written after responses are found.
static cn_status find_responses(cn_contacts *c, cn_bodies *b, cn_error *err)
{
    cn_factors_list *factors = &b->deformables->factors;
    cn_scratch_user blocks = {(void **)&c->W_block, &c->capacity.W_block, sizeof *c->W_block};
    factors->thread_count = c->thread_count;
    cn_scratch_take(&factors->room, blocks);
    cn_status status = ask_responses(c, b, err);
    cn_scratch_give(&factors->room, blocks);
    return status;
}

// The next constraint after `last` that shares a large mesh with contact a, or a itself; `at` are
// the places in the lists of both sides.
static int next_column(const cn_contacts *c, const cn_bodies *b, int a, int last, int at[2])
{
    int found = a > last ? a : -1;
    for (int side = 0; side < 2 && a < c->count; side++) {
        const cn_anchor *anchor = cn_contact_anchor(c, a, side);
        if (!is_large(b, anchor)) {
            continue;
        }
        int end = c->mesh_start[anchor->mesh + 1];
        while (at[side] < end && c->mesh_side[at[side]] / 2 <= last) {
            at[side]++;
        }
        int other = at[side] < end ? c->mesh_side[at[side]] / 2 : -1;
        found = other >= 0 && (found < 0 || other < found) ? other : found;
    }
    return found;
}

static void start_lists(const cn_contacts *c, int a, int at[2])
{
    for (int side = 0; side < 2; side++) {
        const cn_anchor *anchor = a < c->count ? cn_contact_anchor(c, a, side) : NULL;
        at[side] = anchor != NULL ? c->mesh_start[anchor->mesh] : 0;
    }
}

// Pattern of the stored part, two passes.
static cn_status link_rows(cn_contacts *c, const cn_bodies *b, const cn_problem *p, cn_error *err)
{
    size_t constraints = (size_t)p->contact_count;
    CN_TRY(cn_reserve(c->hooks, &c->W_row, &c->capacity.W_row, constraints + 1, err));
    for (int pass = 0; pass < 2; pass++) {
        size_t block = 0, count = 0;
        for (int a = 0; a < p->contact_count; a++) {
            int at[2], rows = p->row_start[a + 1] - p->row_start[a];
            start_lists(c, a, at);
            c->W_row[a] = (int)count;
            for (int col = -1; (col = next_column(c, b, a, col, at)) >= 0; count++) {
                if (pass == 1) {
                    c->W_col[count] = col;
                    c->W_start[count] = (int)block;
                }
                block += (size_t)(rows * (p->row_start[col + 1] - p->row_start[col]));
            }
        }
        c->W_row[p->contact_count] = (int)count;
        c->W_size = block;
        if (block > INT32_MAX) {
            return cn_fail(err, CN_NO_MEMORY,
                           "%d contacts on deformable bodies are more than can be condensed",
                           c->count);
        }
        CN_TRY(cn_reserve(c->hooks, &c->W_col, &c->capacity.W_col, count, err));
        CN_TRY(cn_reserve(c->hooks, &c->W_start, &c->capacity.W_start, count, err));
    }
    return CN_OK;
}

// W_ab of one block.
static void fill_block(const cn_contacts *c, const cn_bodies *b, int a, const cn_axes *frame_a,
                       int other, const cn_axes *frame_b, double *block)
{
    for (int s = 0; s < 2; s++) {
        const cn_anchor *own = cn_contact_anchor(c, a, s);
        for (int t = 0; t < 2 && is_large(b, own); t++) {
            const cn_anchor *theirs = cn_contact_anchor(c, other, t);
            if (theirs != NULL && theirs->mesh == own->mesh) {
                cn_anchor_couple(b->deformables, own, frame_a->axis, theirs, frame_b->axis,
                                 s == t ? 1.0 : -1.0, block);
            }
        }
    }
}

// All that the rows of one contact are made of.
typedef struct cn_seat {
    cn_anchor anchor[2];
    int factorization[2];
    double normal[3];
    int row;
} cn_seat;

// What is still right of the stored part.
typedef enum kept { NOTHING, PATTERN, BLOCKS } kept;

static kept compare_seats(const cn_seat *x, const cn_seat *y)
{
    bool is_same = memcmp(x->normal, y->normal, sizeof x->normal) == 0 &&
                   memcmp(x->factorization, y->factorization, sizeof x->factorization) == 0;
    bool has_pattern = x->row == y->row;
    for (int side = 0; side < 2; side++) {
        const cn_anchor *a = &x->anchor[side], *b = &y->anchor[side];
        has_pattern = has_pattern && a->mesh == b->mesh && (a->count > 0) == (b->count > 0);
        is_same = is_same && a->count == b->count &&
                  memcmp(a->node, b->node, sizeof a->node) == 0 &&
                  memcmp(a->weight, b->weight, sizeof a->weight) == 0;
    }
    return has_pattern ? (is_same ? BLOCKS : PATTERN) : NOTHING;
}

static cn_seat seat_of(const cn_contacts *c, const cn_bodies *b, int a)
{
    cn_seat seat = {.row = c->row_start[a]};
    for (int side = 0; side < 2; side++) {
        const cn_anchor *anchor = cn_contact_anchor(c, a, side);
        if (is_large(b, anchor)) {
            seat.anchor[side] = *anchor;
            seat.factorization[side] =
                cn_deformable_matrix_of(b->deformables, anchor->mesh)->number;
        }
    }
    memcpy(seat.normal, c->contact[a].normal, sizeof seat.normal);
    return seat;
}

// What the last call left: contacts that stay at their nodes, on flat ground for instance, keep
// their rows while they stick and slide; those that stay on their bodies keep the pattern.
static cn_status take_seats(cn_contacts *c, const cn_bodies *b, const cn_problem *p, kept *rest,
                            cn_error *err)
{
    size_t constraints = (size_t)p->contact_count;
    CN_TRY(cn_reserve(c->hooks, &c->seat, &c->capacity.seat, constraints, err));
    *rest = c->seat_count == p->contact_count ? BLOCKS : NOTHING;
    for (int a = 0; a < p->contact_count; a++) {
        cn_seat seat = a < c->count ? seat_of(c, b, a) : (cn_seat){.row = p->row_start[a]};
        kept still = *rest > NOTHING ? compare_seats(&seat, &c->seat[a]) : NOTHING;
        *rest = still < *rest ? still : *rest;
        c->seat[a] = seat;
    }
    c->seat_count = 0; // until the blocks are there
    return CN_OK;
}

// Place of block (a, b) among those of row a.
static int find_block(const cn_contacts *c, int a, int b)
{
    int low = c->W_row[a], high = c->W_row[a + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (c->W_col[middle] < b) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Rows and columns that are filled together: blocks of a row are neighbours in W, those of a column
// among the responses.
enum { TILE_ROWS = 16, TILE_COLUMNS = 64 };

// Columns of a tile: their frames, and where the transposed blocks go.
typedef struct tile {
    int first, end;
    cn_axes frame[TILE_COLUMNS];
    int below[TILE_COLUMNS]; // place of the last block that was written, -1: none yet
} tile;

static void open_tile(const cn_contacts *c, int first, tile *t)
{
    t->first = first;
    t->end = first + TILE_COLUMNS < c->count ? first + TILE_COLUMNS : c->count;
    for (int k = first; k < t->end; k++) {
        t->frame[k - first] = cn_contact_row_axes(c, k);
        t->below[k - first] = -1;
    }
}

// The place of block (column, a), for ascending a.
static int find_below(const cn_contacts *c, tile *t, int column, int a)
{
    int *at = &t->below[column - t->first];
    *at = *at < 0 ? find_block(c, column, a) : *at;
    while (c->W_col[*at] < a) {
        *at += 1;
    }
    return *at;
}

// Blocks of row a from place `at` up to the end of the tile, and their transposes. Returns the next
// place.
static inline int fill_row(cn_contacts *c, const cn_bodies *b, int d, int a, int at, tile *t)
{
    cn_axes frame = cn_contact_row_axes(c, a);
    for (; at < c->W_row[a + 1] && c->W_col[at] < t->end; at++) {
        int column = c->W_col[at];
        double *block = c->W_block + c->W_start[at];
        fill_block(c, b, a, &frame, column, &t->frame[column - t->first], block);
        if (column == a) {
            continue;
        }
        double *turned = c->W_block + c->W_start[find_below(c, t, column, a)];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                turned[d * j + i] = block[d * i + j];
            }
        }
    }
    return at;
}

// The upper blocks of some rows, and the lower ones as their transposes.
static void fill_some(cn_contacts *c, const cn_bodies *b, int first, int end)
{
    int at[TILE_ROWS];
    tile t;
    for (int a = first; a < end; a++) {
        at[a - first] = find_block(c, a, a);
    }
    for (int column = first; column < c->count; column = t.end) {
        open_tile(c, column, &t);
        for (int a = first; a < end; a++) {
            at[a - first] = c->d == 2 ? fill_row(c, b, 2, a, at[a - first], &t)
                                      : fill_row(c, b, 3, a, at[a - first], &t);
        }
    }
}

static cn_status fill_rows(cn_contacts *c, const cn_bodies *b, cn_error *err)
{
    CN_TRY(cn_reserve(c->hooks, &c->W_block, &c->capacity.W_block, c->W_size, err));
    memset(c->W_block, 0, sizeof *c->W_block * c->W_size);
    int parts = (c->count + TILE_ROWS - 1) / TILE_ROWS;
    int threads = cn_share(c->thread_count, parts, 4);
    CN_SHARED_FOR(threads, (schedule(dynamic, 1)), k, parts, {
        int end = TILE_ROWS * (k + 1);
        fill_some(c, b, TILE_ROWS * k, end < c->count ? end : c->count);
    });
    return CN_OK;
}

cn_status cn_contact_condense(cn_contacts *c, cn_bodies *b, cn_problem *p, cn_error *err)
{
    if (c->anchors == NULL) {
        return CN_OK;
    }
    CN_TRY(list_sides(c, b, err));
    if (c->mesh_start[b->deformables->count] == 0) {
        return CN_OK;
    }
    kept rest;
    CN_TRY(take_seats(c, b, p, &rest, err));
    if (rest < BLOCKS) {
        CN_TRY(find_responses(c, b, err));
    }
    if (rest < PATTERN) {
        CN_TRY(link_rows(c, b, p, err));
    }
    if (rest < BLOCKS) {
        CN_TRY(fill_rows(c, b, err));
    }
    c->seat_count = p->contact_count;
    p->W.rows = (cn_rows){c->W_row, c->W_col, c->W_start, c->W_block};
    return CN_OK;
}
