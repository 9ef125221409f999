// contact/interface.c -- see interface.h.
#include "contact/interface.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/deformable/deformables.h"
#include "contact/frame.h"
#include "contact/interface_beam.h"
#include "contact/interface_begin.h"
#include "contact/interface_list.h"

static const double NEAR = 1e-4; // of the smaller body: gap that counts as touching
static const double FAR = 0.01;  // likewise: slip beyond which surfaces touch elsewhere

// ---- openings

// How far the two places are apart along the axes; normals that are closed count as none, unless
// the law has springs there.
static void open_along(const cn_placed *x, const cn_law_entry *entry, double opening[3])
{
    cn_vec3 apart = cn_sub3(x->at[0], x->at[1]);
    for (int k = 0; k < 3; k++) {
        opening[k] = cn_dot3(x->axis[k], apart);
    }
    opening[0] = entry->is_compressible ? opening[0] : fmax(opening[0], 0.0);
}

// The tangents of the material along those of contact a.
static void turn_of(const cn_contacts *c, const cn_bodies *b, int a, const double *state,
                    double turn[2][2])
{
    const cn_contact *x = &c->contact[a];
    turn[0][0] = turn[1][1] = 1.0;
    turn[0][1] = turn[1][0] = 0.0;
    if (c->d == 3) {
        cn_axes axes = cn_contact_axes(x, c->d);
        cn_placed now = cn_interface_place(b, CN_WHEN_MID, (int[2]){x->i, x->j}, state);
        for (int k = 0; k < 4; k++) {
            turn[k / 2][k % 2] = cn_dot3(now.axis[1 + k / 2], axes.axis[1 + k % 2]);
        }
    }
}

// An opening along the axes of the material, along those of a contact.
static void turn_to_contact(double turn[2][2], const double along[3], double opening[3])
{
    opening[0] = along[0];
    opening[1] = turn[0][0] * along[1] + turn[1][0] * along[2];
    opening[2] = turn[0][1] * along[1] + turn[1][1] * along[2];
}

// Rotations about the axes of the material, about those of a contact.
static void bend_to_contact(double turn[2][2], const double along[3], double bend[3])
{
    const double swapped[3] = {along[2], along[0], along[1]};
    double turned[3];
    turn_to_contact(turn, swapped, turned);
    bend[0] = turned[1];
    bend[1] = turned[2];
    bend[2] = turned[0];
}

bool cn_bonded_is_far(const cn_bodies *b, const int body[2], const double *opening, int first)
{
    double sum = 0.0;
    for (int k = first; k < 3; k++) {
        sum += opening[k] * opening[k];
    }
    return sqrt(sum) > FAR * fmin(b->size[body[0]], b->size[body[1]]);
}

// Shift of the normal row (4.26). What turns moves along chords: velocities that are seen from
// q_mid open before it and close after it, by the acceleration with which the two places go around.
static double shift_of(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                       const double *state)
{
    const cn_contact *x = &c->contact[a];
    const int body[2] = {x->i, x->j};
    cn_placed now = cn_interface_place(b, CN_WHEN_START, body, state);
    cn_vec3 n = cn_rough_normal(entry, &now, state), v[2], around[2], omega[2];
    for (int side = 0; side < 2; side++) {
        const double *own = cn_body_v(b, b->v_before, body[side]);
        cn_vec3 arm = cn_sub3(now.at[side], cn_interface_centre(b, CN_WHEN_START, body[side]));
        omega[side] = cn_contact_body_spin(b, b->v_before, body[side]);
        cn_vec3 turning = cn_cross3(omega[side], arm);
        v[side] = cn_add3(cn_v3(own[0], own[1], b->dim == 3 ? own[2] : 0.0), turning);
        around[side] = cn_cross3(omega[side], turning);
    }
    cn_vec3 apart = cn_sub3(v[0], v[1]), mean = cn_mul3(0.5, cn_add3(omega[0], omega[1]));
    double rate = cn_dot3(n, cn_sub3(around[0], around[1])) + cn_dot3(cn_cross3(mean, n), apart);
    double gap = cn_rough_gap(entry, &now, state) + c->gamma * c->h * cn_dot3(n, apart);
    return fmax(gap, 0.0) / c->h + (1.0 - c->gamma) * c->h * rate;
}

void cn_interface_input(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                        cn_law_input *in)
{
    if (!c->is_bond[a]) {
        return;
    }
    const double *state = cn_contact_old_state(c, entry, a);
    bool is_refined = c->has_assumed && !cn_interface_is_stuck(c, b, a);
    in->assumed = is_refined ? c->assumed + CN_LAW_ASSUMED_MAX * a : NULL;
    const cn_contact *x = &c->contact[a];
    const int body[2] = {x->i, x->j};
    bool has_contact =
        !cn_bonded_is_far(b, body, state + CN_BOND_OPENING, 1); // else detection has it
    in->is_met = in->is_met && has_contact;
    if (!has_contact) {
        in->shift = cn_contact_size(b, x) / c->h;
    } else if (!in->is_deformable) { // of nodes it is that of their form (4.9)
        in->shift = shift_of(c, b, entry, a, state);
    }
    in->is_far = cn_bonded_is_far(b, body, state + CN_BOND_OPENING, 0);
    turn_of(c, b, a, state, in->tangent);
    turn_to_contact(in->tangent, state + CN_BOND_OPENING, in->opening);
    if (c->is_beam[a]) {
        in->moments = cn_contact_row_count(c, a) - c->d;
        bend_to_contact(in->tangent, state + CN_BEAM_BENDING, in->bend);
        cn_contact_spin(c, b, a, b->v_before, in->angular_velocity_before);
    }
}

bool cn_interface_is_stuck(const cn_contacts *c, const cn_bodies *b, int a)
{
    const cn_contact *x = &c->contact[a];
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    bool is_stuck = c->is_bond[a] && c->anchors != NULL;
    for (int side = 0; side < 2 && is_stuck; side++) {
        const cn_anchor *anchor = cn_contact_anchor(c, a, side);
        is_stuck = anchor != NULL ? !cn_anchor_can_move(b->deformables, anchor, n)
                                  : cn_body_is_held(b, side == 0 ? x->i : x->j);
    }
    return is_stuck;
}

void cn_interface_end(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                      cn_law_input *in)
{
    if (c->is_bond[a]) {
        const cn_contact *x = &c->contact[a];
        const double *state = cn_contact_old_state(c, entry, a);
        cn_placed now = cn_interface_place(b, CN_WHEN_NOW, (int[2]){x->i, x->j}, state);
        double along[3];
        open_along(&now, entry, along);
        turn_to_contact(in->tangent, along, in->opening_end);
        if (c->is_beam[a]) {
            cn_interface_bend(b, CN_WHEN_NOW, (int[2]){x->i, x->j}, state, along);
            bend_to_contact(in->tangent, along, in->bend_end);
        }
    }
}

double cn_interface_apart(const cn_contacts *c, const cn_law_entry *entry, int a)
{
    const double *state = cn_contact_old_state(c, entry, a);
    const double *opening = state + CN_BOND_OPENING;
    double across = entry->law->teeth != NULL ? fmax(opening[0], 0.0) : 0.0;
    return c->is_bond[a] ? across + hypot(opening[1], opening[2]) : 0.0;
}

void cn_interface_keep(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                       double *state)
{
    if (c->is_bond[a]) {
        const cn_contact *x = &c->contact[a];
        cn_placed now = cn_interface_place(b, CN_WHEN_NOW, (int[2]){x->i, x->j}, state);
        open_along(&now, entry, state + CN_BOND_OPENING);
        if (entry->law->teeth != NULL) {
            cn_rough_keep(c, a, cn_contact_old_state(c, entry, a), &now, state);
        }
        if (c->is_beam[a]) {
            cn_interface_bend(b, CN_WHEN_NOW, (int[2]){x->i, x->j}, state, state + CN_BEAM_BENDING);
        }
    }
}

// ---- what lives

static int law_of(const cn_bodies *b, const cn_rules *rules, int i, int j)
{
    return rules->law[rules->group_count * b->group[i] + b->group[j]];
}

double cn_interface_touching(const cn_bodies *b, const cn_law_entry *entry, int i, int j)
{
    return entry->bond_gap > 0.0 ? entry->bond_gap : NEAR * fmin(b->size[i], b->size[j]);
}

bool cn_interface_is_met(const cn_bodies *b, const cn_law_entry *entry, const cn_contact *x)
{
    return x->gap <= cn_interface_touching(b, entry, x->i, x->j);
}

// State of an entry of the memory if it is a point of an interface, or of a pair that touched
// without one, else NULL.
static const double *bond_state(const cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                                int n)
{
    int i = cn_pair_i(c->memory[n].pair), j = cn_pair_j(c->memory[n].pair);
    int law = law_of(b, rules, i, j);
    int end = n + 1 < c->memory_count ? c->memory_start[n + 1] : c->memory_state_count;
    if (law < 0 || !rules->entry[law].law->is_bonding ||
        end - c->memory_start[n] < CN_BOND_STATE_COUNT) {
        return NULL;
    }
    const double *state = c->memory_state + c->memory_start[n];
    return state[CN_BOND_ALIVE] != 0.0 || state[CN_BOND_MET] != 0.0 ? state : NULL;
}

static int compare_shapes(const cn_bonded_pair *x, const cn_bonded_pair *y)
{
    if (x->pair != y->pair) {
        return x->pair < y->pair ? -1 : 1;
    }
    return (x->shapes > y->shapes) - (x->shapes < y->shapes);
}

static int compare_points(const void *a, const void *b)
{
    const cn_bonded_pair *x = a, *y = b;
    int order = compare_shapes(x, y);
    if (order == 0 && x->facets != y->facets) {
        return x->facets < y->facets ? -1 : 1;
    }
    return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

int cn_bonded_end_of_group(const cn_contacts *c, int n)
{
    int end = n + 1;
    while (end < c->bonded_count && compare_shapes(&c->bonded[end], &c->bonded[n]) == 0 &&
           c->bonded[end].facets == c->bonded[n].facets) {
        end++;
    }
    return end;
}

// The end of the points, from n on, between the same two shapes.
int cn_bonded_end_of_interface(const cn_contacts *c, int n)
{
    int end = n + 1;
    while (end < c->bonded_count && compare_shapes(&c->bonded[end], &c->bonded[n]) == 0) {
        end++;
    }
    return end;
}

// The first living point between two shapes, -1: none.
int cn_bonded_find(const cn_contacts *c, uint64_t pair, uint64_t feature)
{
    const cn_bonded_pair key = {.pair = pair, .shapes = feature >> 32};
    int low = 0, high = c->bonded_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare_shapes(&c->bonded[middle], &key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < c->bonded_count && compare_shapes(&c->bonded[low], &key) == 0 ? low : -1;
}

// Leaves out interfaces of which no point holds, and what is not of an interface.
static void drop_broken(cn_contacts *c)
{
    int kept = 0;
    for (int n = 0, end; n < c->bonded_count; n = end) {
        bool holds = false;
        end = cn_bonded_end_of_group(c, n);
        for (int k = n; k < end; k++) {
            const double *state = c->memory_state + c->memory_start[c->bonded[k].n];
            holds = holds || (state[CN_BOND_ALIVE] != 0.0 && state[CN_BOND_DAMAGE] < 1.0);
        }
        for (int k = n; k < end && holds; k++) {
            if (c->memory_state[c->memory_start[c->bonded[k].n] + CN_BOND_ALIVE] != 0.0) {
                c->bonded[kept++] = c->bonded[k];
            }
        }
    }
    c->bonded_count = kept;
}

// The facets of a point; none of rigid bodies and of contacts without a bond.
static uint64_t facets_of(const cn_bodies *b, uint64_t pair, const double *state)
{
    uint64_t of_i = 0, of_j = 0;
    if (state[CN_BOND_ALIVE] != 0.0) {
        of_i = (uint64_t)(cn_interface_facet_of(b, cn_pair_i(pair), state, 0) + 1);
        of_j = (uint64_t)(cn_interface_facet_of(b, cn_pair_j(pair), state, 1) + 1);
    }
    return of_i << 32 | of_j;
}

// The points of interfaces and pairs that touched, by pairs of shapes.
static cn_status list_points(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                             cn_error *err)
{
    bool is_sorted = true;
    c->bonded_count = 0;
    for (int n = 0; n < c->memory_count; n++) {
        const double *state = bond_state(c, b, rules, n);
        if (state == NULL) {
            continue;
        }
        CN_TRY(cn_reserve(c->hooks, &c->bonded, &c->capacity.bonded, (size_t)c->bonded_count + 1,
                          err));
        cn_bonded_pair *x = &c->bonded[c->bonded_count++];
        uint64_t pair = c->memory[n].pair;
        *x = (cn_bonded_pair){pair, c->memory[n].feature >> 32, facets_of(b, pair, state), n};
        is_sorted = is_sorted && (c->bonded_count == 1 || compare_points(x - 1, x) < 0);
    }
    if (!is_sorted) {
        qsort(c->bonded, (size_t)c->bonded_count, sizeof *c->bonded, compare_points);
    }
    return CN_OK;
}

bool cn_interface_lives(const cn_contacts *c, const cn_point *x)
{
    return cn_bonded_find(c, (uint64_t)(uint32_t)x->i << 32 | (uint32_t)x->j, x->feature) >= 0;
}

// ---- the points of a step

// Its gap at q_mid: on the flank of a tooth the one at q and what the way there adds.
static double gap_of(const cn_bodies *b, const cn_law_entry *entry, const cn_placed *x,
                     const int body[2], const double *state)
{
    cn_vec3 apart = cn_sub3(x->at[0], x->at[1]);
    if (entry->law->teeth == NULL) {
        return cn_dot3(x->axis[0], apart);
    }
    cn_placed start = cn_interface_place(b, CN_WHEN_START, body, state);
    cn_vec3 way = cn_sub3(apart, cn_sub3(start.at[0], start.at[1]));
    return cn_rough_gap(entry, &start, state) + cn_dot3(cn_rough_normal(entry, x, state), way);
}

// A living point where its bodies are now.
static cn_point place_point(const cn_contacts *c, const cn_bodies *b, const cn_rules *rules, int n,
                            const double *state)
{
    const cn_memory *m = &c->memory[n];
    int i = cn_pair_i(m->pair), j = cn_pair_j(m->pair);
    cn_placed x = cn_interface_place(b, CN_WHEN_MID, (int[2]){i, j}, state);
    int law = law_of(b, rules, i, j);
    const cn_law_entry *entry = &rules->entry[law];
    return (cn_point){.i = i,
                      .j = j,
                      .law = law,
                      .feature = m->feature,
                      .point = cn_mul3(0.5, cn_add3(x.at[0], x.at[1])),
                      .normal = cn_rough_normal(entry, &x, state),
                      .gap = gap_of(b, entry, &x, (int[2]){i, j}, state),
                      .anchor = {-1, -1},
                      .is_bond = true,
                      .is_beam = entry->law->has_beams && state[CN_BEAM_ALIVE] != 0.0};
}

static cn_status put_point(cn_contacts *c, int *count, const cn_point *x, cn_error *err)
{
    CN_TRY(cn_reserve(c->hooks, &c->fed, &c->capacity.fed, (size_t)*count + 1, err));
    c->fed[(*count)++] = *x;
    return CN_OK;
}

// A living point, with the nodes that it acts on.
static cn_status put_living(cn_contacts *c, const cn_bodies *b, const cn_rules *rules, cn_detect *d,
                            int n, int *count, cn_error *err)
{
    const double *state = c->memory_state + c->memory_start[n];
    cn_point x = place_point(c, b, rules, n, state);
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? x.i : x.j;
        if (b->deformable[body] >= 0) {
            cn_anchor anchor = cn_interface_anchor(b, body, state, side);
            CN_TRY(cn_skins_add_anchor(d, anchor, &x.anchor[side], err));
        }
    }
    return put_point(c, count, &x, err);
}

// ---- points that an interface has in place of detection

// Points of interfaces between two shapes, and which nodes of their meshes such a point is at.
typedef struct taking {
    int first, end;
    uint64_t pair, shapes;
    bool is_taken; // what was asked of the last point
} taking;

int cn_bonded_node(const cn_bodies *b, int body, const double *state, int side)
{
    int node = -1;
    if (b->deformable[body] >= 0) {
        cn_anchor anchor = cn_interface_anchor(b, body, state, side);
        for (int k = 0; k < anchor.count; k++) {
            node = anchor.weight[k] > 1.0 - 1e-9 ? anchor.node[k] : node;
        }
    }
    return node;
}

static int nodes_of(const cn_bodies *b, int body)
{
    int k = b->deformable[body];
    return k >= 0 ? cn_deformable_model(b->deformables, k)->mesh->node_count : 0;
}

// Looks up the interface of the shapes of a point and marks the nodes that it has.
static cn_status turn_to(cn_contacts *c, const cn_bodies *b, const cn_point *x, taking *t,
                         cn_error *err)
{
    uint64_t pair = (uint64_t)(uint32_t)x->i << 32 | (uint32_t)x->j;
    const int body[2] = {x->i, x->j};
    if (pair == t->pair && x->feature >> 32 == t->shapes && t->first != INT_MIN) {
        return CN_OK;
    }
    int first = cn_bonded_find(c, pair, x->feature), of_i = nodes_of(b, x->i);
    int count = of_i + nodes_of(b, x->j);
    *t = (taking){.first = first,
                  .end = first < 0 ? first : cn_bonded_end_of_interface(c, first),
                  .pair = pair,
                  .shapes = x->feature >> 32};
    if (first < 0 || count == 0) {
        return CN_OK;
    }
    CN_TRY(cn_reserve(c->hooks, &c->bond_mark, &c->capacity.bond_mark, (size_t)count, err));
    memset(c->bond_mark, 0, sizeof *c->bond_mark * (size_t)count);
    for (int k = t->first; k < t->end; k++) {
        const double *state = cn_bonded_state(c, k);
        bool is_away = cn_bonded_is_far(b, body, state + CN_BOND_OPENING, 0);
        for (int side = 0; side < 2 && !is_away; side++) {
            int node = cn_bonded_node(b, body[side], state, side);
            if (node >= 0) {
                c->bond_mark[side == 0 ? node : of_i + node] = 1;
            }
        }
    }
    return CN_OK;
}

// Whether a facet of the interface that has moved little holds all nodes of an anchor.
static bool has_facet(const cn_contacts *c, const cn_bodies *b, const taking *t, const int body[2],
                      int side, const cn_anchor *anchor)
{
    bool has_all = false;
    for (int k = t->first; k < t->end && !has_all; k++) {
        const double *state = cn_bonded_state(c, k);
        int held = 0;
        cn_facet facet =
            cn_interface_facet(b, body[side], cn_interface_facet_of(b, body[side], state, side));
        for (int n = 0; n < anchor->count; n++) {
            bool is_there = anchor->weight[n] == 0.0;
            for (int l = 0; l < facet.count; l++) {
                is_there = is_there || facet.node[l] == anchor->node[n];
            }
            held += is_there ? 1 : 0;
        }
        has_all = held == anchor->count && !cn_bonded_is_far(b, body, state + CN_BOND_OPENING, 0);
    }
    return has_all;
}

// Of a mesh: a node is that of a point of the interface; a corner of the other body stands on one
// of its facets.
static bool is_taken_on_mesh(const cn_contacts *c, const cn_bodies *b, const cn_detect *d,
                             const taking *t, const cn_point *x)
{
    const int body[2] = {x->i, x->j};
    const cn_anchor *wide = NULL;
    int of_i = nodes_of(b, x->i), wide_side = 0;
    for (int side = 0; side < 2; side++) {
        const cn_anchor *anchor = x->anchor[side] >= 0 ? &d->anchor[x->anchor[side]] : NULL;
        if (anchor != NULL && anchor->count == 1) {
            int node = anchor->node[0];
            return c->bond_mark[side == 0 ? node : of_i + node] != 0;
        }
        wide = anchor != NULL ? anchor : wide;
        wide_side = anchor != NULL ? side : wide_side;
    }
    return wide != NULL && has_facet(c, b, t, body, wide_side, wide);
}

// Of rigid bodies: it is no further away than half the smaller one from a place where the bond has
// moved little.
static bool is_taken_on_rigid(const cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                              const taking *t, const cn_point *x)
{
    double reach = 0.5 * fmin(b->size[x->i], b->size[x->j]);
    bool is_near = false;
    for (int k = t->first; k < t->end && !is_near; k++) {
        const double *state = cn_bonded_state(c, k);
        cn_point own = place_point(c, b, rules, c->bonded[k].n, state);
        is_near = !cn_bonded_is_far(b, (int[2]){x->i, x->j}, state + CN_BOND_OPENING, 0) &&
                  cn_norm3(cn_sub3(own.point, x->point)) <= reach;
    }
    return is_near;
}

// Whether a point that detection found is one that an interface has: t->is_taken.
static cn_status find_taken(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                            const cn_detect *d, const cn_point *x, taking *t, cn_error *err)
{
    t->is_taken = cn_fans_join(c, b, d, x);
    if (t->is_taken) {
        return CN_OK;
    }
    CN_TRY(turn_to(c, b, x, t, err));
    bool is_rigid = b->deformable[x->i] < 0 && b->deformable[x->j] < 0;
    t->is_taken = t->first >= 0 && (is_rigid ? is_taken_on_rigid(c, b, rules, t, x)
                                             : is_taken_on_mesh(c, b, d, t, x));
    return CN_OK;
}

static bool has_bonding(const cn_rules *rules)
{
    bool found = false;
    for (int k = 0; k < rules->entry_count; k++) {
        found = found || rules->entry[k].law->is_bonding;
    }
    return found;
}

cn_status cn_interface_cover(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                             cn_detect *d, cn_error *err)
{
    d->covered = NULL;
    if (b->deformables->count == 0 || !has_bonding(rules)) {
        return CN_OK;
    }
    CN_TRY(list_points(c, b, rules, err));
    drop_broken(c);
    CN_TRY(cn_fans_cover(c, b, err));
    d->covered = c->covered;
    return CN_OK;
}

cn_status cn_interface_feed(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                            bool is_start, cn_detect *d, cn_points *fed, cn_error *err)
{
    int found = d->point_count, kept = 0, before = c->memory_count;
    taking t = {.first = INT_MIN};
    *fed = (cn_points){d->point, found};
    if (!has_bonding(rules)) {
        return CN_OK;
    }
    CN_TRY(list_points(c, b, rules, err));
    CN_TRY(cn_interface_begin(c, b, rules, is_start, *fed, err));
    if (c->memory_count > before) {
        CN_TRY(list_points(c, b, rules, err));
    }
    drop_broken(c);
    cn_rough_share(c, b, rules);
    CN_TRY(cn_fans_make(c, b, err));
    for (int n = 0; n < found; n++) {
        CN_TRY(find_taken(c, b, rules, d, &d->point[n], &t, err));
        if (!t.is_taken) {
            CN_TRY(put_point(c, &kept, &d->point[n], err));
        }
    }
    for (int k = 0; k < c->bonded_count; k++) {
        CN_TRY(put_living(c, b, rules, d, c->bonded[k].n, &kept, err));
    }
    *fed = (cn_points){c->fed, kept};
    return CN_OK;
}
