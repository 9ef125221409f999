// world/world_state.c -- what a checkpoint holds, restoring it, and the hash of a state.
//
// A step depends on the definition of the scene and on: clock, bodies, what the last step left at
// each contact, and the sums of the ledger. Nothing else survives a step.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "world/world.h"

enum { PART_COUNT = 23 };
enum { CELL_REALS = 27 }; // C, L and strain of a cell
enum { CLOCK_STEP, CLOCK_ID_NEXT, CLOCK_COUNT };
enum { JOINT_ID, JOINT_BODY, JOINT_OTHER, JOINT_KIND, JOINT_BROKEN, JOINT_COUNT };

// Places of the integers and reals that are gathered for the parts.
typedef struct layout {
    size_t id, clock, contact, joint, image, shift, law,
        number_count;                                // contact: pair, feature, place of law state
    size_t time, ledger, impulse, joint_real, mount; // impulse: h of the step, then r of each
    size_t cell, creep, wear, growth,
        real_count; // contact; joint_real: h of the step, then numbers of each joint; mount:
} layout;           // where they are fastened to meshes

static layout lay_out(size_t bodies, size_t contacts, size_t joints, size_t mounts, size_t laws,
                      size_t wear, size_t growth)
{
    layout at;
    at.clock = 0;
    at.id = CLOCK_COUNT;
    at.contact = at.id + bodies;
    at.joint = at.contact + 3 * contacts;
    at.image = at.joint + JOINT_COUNT * joints;
    at.shift = at.image + 3 * bodies;
    at.law = at.shift + 3 * contacts;
    at.number_count = at.law + laws;
    at.time = 0;
    at.ledger = 1;
    at.impulse = at.ledger + sizeof(cn_ledger) / sizeof(double);
    at.joint_real = at.impulse + 1 + 3 * contacts;
    at.mount = at.joint_real + 1 + CN_JOINT_REALS * joints;
    at.cell = at.mount + mounts;
    at.creep = at.cell + CELL_REALS;
    at.wear = at.creep + 3 * contacts;
    at.growth = at.wear + wear;
    at.real_count = at.growth + growth;
    return at;
}

// The ledger is doubles but for its last member, which is not carried over.
static void gather(const cn_world *w, const layout *at, int64_t *number, double *real)
{
    number[at->clock + CLOCK_STEP] = w->step;
    number[at->clock + CLOCK_ID_NEXT] = (int64_t)w->bodies.id_next;
    for (int i = 0; i < w->bodies.count; i++) {
        number[at->id + (size_t)i] = (int64_t)w->bodies.id[i];
    }
    real[at->time] = w->t;
    cn_ledger ledger = w->ledger;
    ledger.worst_body = 0;
    memcpy(real + at->ledger, &ledger, sizeof ledger);
    for (int n = 0; n < w->contacts.memory_count; n++) {
        const cn_memory *m = &w->contacts.memory[n];
        int64_t *to = number + at->contact + 3 * (size_t)n;
        to[0] = (int64_t)m->pair;
        to[1] = (int64_t)m->feature;
        to[2] = w->contacts.memory_start[n];
        memcpy(real + at->impulse + 1 + 3 * (size_t)n, m->r, sizeof m->r);
        memcpy(real + at->creep + 3 * (size_t)n, m->creep, sizeof m->creep);
    }
    real[at->impulse] = w->contacts.memory_h;
}

// What a joint connects: equal in the world and in the state it is restored from.
static void identify_joint(const cn_world *w, int n, int64_t id[JOINT_BROKEN])
{
    const cn_link *link = &w->joints.link[n];
    id[JOINT_ID] = (int64_t)link->id;
    id[JOINT_BODY] = (int64_t)w->bodies.id[link->i];
    id[JOINT_OTHER] = link->j < 0 ? 0 : (int64_t)w->bodies.id[link->j];
    id[JOINT_KIND] = link->kind;
}

static void gather_joints(const cn_world *w, int64_t *number, double *real)
{
    real[0] = w->joints.memory_h;
    for (int n = 0; n < w->joints.count; n++) {
        int64_t *to = number + JOINT_COUNT * (size_t)n;
        identify_joint(w, n, to);
        to[JOINT_BROKEN] = w->joints.link[n].is_broken;
        cn_joint_gather(&w->joints, n, real + 1 + CN_JOINT_REALS * (size_t)n);
    }
}

static cn_state_part part_of(const char *name, bool is_real, size_t count, const void *data)
{
    cn_state_part part = {.element_size = 8, .is_real = is_real, .count = count, .data = data};
    strncpy(part.name, name, sizeof part.name - 1);
    return part;
}

// Nodes of deformable bodies, if there are any: positions, velocities, histories, and what computed
// from these anew would differ by rounding, internal forces and energies.
static cn_state_part *list_nodes(const cn_deformables *m, cn_state_part *to)
{
    if (m->count == 0) {
        return to;
    }
    size_t dofs = (size_t)m->dof_start[m->count], history = (size_t)m->history_start[m->count];
    *to++ = part_of("node_x", true, dofs, m->x);
    *to++ = part_of("node_v", true, dofs, m->v);
    *to++ = part_of("node_force", true, dofs, m->force_before);
    *to++ = part_of("node_history", true, history, m->history);
    *to++ = part_of("node_energy", true, (size_t)m->count, m->energy);
    return to;
}

// A periodic cell, how often bodies were put back into it, and the shifts of contacts.
static cn_state_part *list_cell(cn_world *w, const layout *at, cn_state_part *to)
{
    if (!w->cell.is_there) {
        return to;
    }
    size_t images = 3 * (size_t)w->bodies.count, shifts = 3 * (size_t)w->contacts.memory_count;
    double *cell = w->real + at->cell;
    memcpy(cell, w->cell.C, sizeof w->cell.C);
    memcpy(cell + 9, w->cell.L, sizeof w->cell.L);
    memcpy(cell + 18, w->cell.strain, sizeof w->cell.strain);
    for (size_t k = 0; k < images; k++) {
        w->number[at->image + k] = w->bodies.image[k];
    }
    for (size_t k = 0; k < shifts; k++) {
        w->number[at->shift + k] = w->contacts.memory[k / 3].shift[k % 3];
    }
    *to++ = part_of("cell", true, CELL_REALS, cell);
    *to++ = part_of("cell_image", false, images, w->number + at->image);
    *to++ = part_of("contact_shift", false, shifts, w->number + at->shift);
    return to;
}

// What tells whether a law still keeps the same states: its name and theirs.
static int64_t law_identity(const cn_law_type *type)
{
    uint64_t hash = cn_hash_bytes((uint64_t)type->state_count, type->name, strlen(type->name));
    for (int k = 0; k < type->state_count; k++) {
        hash = cn_hash_bytes(hash, type->state_name[k], strlen(type->state_name[k]));
    }
    return (int64_t)hash;
}

// The laws, so that states go on under the one that kept them.
static cn_state_part *list_laws(cn_world *w, const layout *at, cn_state_part *to)
{
    int64_t *law = w->number + at->law;
    for (int k = 0; k < w->law_count; k++) {
        law[k] = law_identity(&w->law[k].type);
    }
    *to = part_of("law_identity", false, (size_t)w->law_count, law);
    return w->law_count > 0 ? to + 1 : to;
}

cn_status cn_world_state(cn_world *w, const cn_state_part **part, int *count, cn_error *err)
{
    CN_NEED(err, w, part, count);
    CN_CHANGE(w, err);
    const cn_bodies *b = &w->bodies;
    size_t contacts = (size_t)w->contacts.memory_count;
    size_t joints = (size_t)w->joints.count;
    size_t mounts = cn_joint_mount_reals(&w->joints);
    size_t wear = cn_wear_reals(&w->wear);
    size_t growth = cn_growth_reals(&w->growth, b);
    layout at =
        lay_out((size_t)b->count, contacts, joints, mounts, (size_t)w->law_count, wear, growth);
    CN_TRY(cn_reserve(&w->hooks, &w->number, &w->number_capacity, at.number_count, err));
    CN_TRY(cn_reserve(&w->hooks, &w->real, &w->real_capacity, at.real_count, err));
    CN_TRY(cn_reserve(&w->hooks, &w->part, &w->part_capacity, PART_COUNT, err));
    gather(w, &at, w->number, w->real);
    gather_joints(w, w->number + at.joint, w->real + at.joint_real);
    cn_joint_gather_mounts(&w->joints, w->real + at.mount);
    cn_wear_gather(&w->wear, w->real + at.wear);
    cn_growth_gather(&w->growth, b, w->real + at.growth);
    size_t dofs = (size_t)(b->kind->dof * b->count), q_count = (size_t)(b->kind->q_size * b->count);
    cn_state_part *to = w->part;
    *to++ = part_of("clock", false, CLOCK_COUNT, w->number + at.clock);
    *to++ = part_of("body_id", false, (size_t)b->count, w->number + at.id);
    to = list_laws(w, &at, to);
    *to++ = part_of("time_and_ledger", true, at.impulse, w->real);
    *to++ = part_of("body_q", true, q_count, b->q);
    *to++ = part_of("body_v", true, dofs, b->v);
    *to++ = part_of("contact_identity", false, 3 * contacts, w->number + at.contact);
    *to++ = part_of("contact_impulse", true, 1 + 3 * contacts, w->real + at.impulse);
    *to++ = part_of("contact_creep", true, 3 * contacts, w->real + at.creep);
    *to++ = part_of("contact_state", true, (size_t)w->contacts.memory_state_count,
                    w->contacts.memory_state);
    if (joints > 0) {
        *to++ = part_of("joint_identity", false, JOINT_COUNT * joints, w->number + at.joint);
        *to++ = part_of("joint_state", true, 1 + CN_JOINT_REALS * joints, w->real + at.joint_real);
    }
    if (mounts > 0) {
        *to++ = part_of("joint_mount", true, mounts, w->real + at.mount);
    }
    if (w->spring_energy > 0.0) {
        *to++ = part_of("spring_energy", true, 1, &w->spring_energy);
    }
    if (wear > 0) {
        *to++ = part_of("wear", true, wear, w->real + at.wear);
    }
    if (growth > 0) {
        *to++ = part_of("growth", true, growth, w->real + at.growth);
    }
    to = list_cell(w, &at, to);
    to = list_nodes(w->bodies.deformables, to);
    *part = w->part;
    *count = (int)(to - w->part);
    return CN_OK;
}

// The part of that name and type; count < 0 accepts any.
static cn_status find_part(const cn_state_part *part, int part_count, const char *name,
                           bool is_real, int64_t count, const cn_state_part **found, cn_error *err)
{
    for (int k = 0; k < part_count; k++) {
        if (strcmp(part[k].name, name) != 0) {
            continue;
        }
        if (part[k].is_real != is_real || part[k].element_size != 8) {
            return cn_fail(err, CN_BAD_INPUT, "part '%s' of the state has the wrong type", name);
        }
        if (count >= 0 && part[k].count != (size_t)count) {
            return cn_fail(err, CN_BAD_INPUT,
                           "part '%s' of the state has %zu entries, expected %lld", name,
                           part[k].count, (long long)count);
        }
        *found = &part[k];
        return CN_OK;
    }
    return cn_fail(err, CN_BAD_INPUT, "the state has no part '%s'", name);
}

static cn_status check_ids(const cn_world *w, const int64_t *id, cn_error *err)
{
    for (int i = 0; i < w->bodies.count; i++) {
        if ((uint64_t)id[i] != w->bodies.id[i]) {
            return cn_fail(err, CN_BAD_INPUT,
                           "the state holds body %lld where this world has body %llu",
                           (long long)id[i], (unsigned long long)w->bodies.id[i]);
        }
    }
    return CN_OK;
}

static cn_status check_contacts(const cn_world *w, const int64_t *identity, size_t count,
                                size_t state_count, cn_error *err)
{
    for (size_t n = 0; n < count; n++) {
        uint64_t pair = (uint64_t)identity[3 * n];
        int64_t state = identity[3 * n + 2];
        if (pair >> 32 >= (uint64_t)w->bodies.count ||
            (pair & 0xffffffffu) >= (uint64_t)w->bodies.count || state < 0 ||
            (size_t)state > state_count) {
            return cn_fail(err, CN_BAD_INPUT,
                           "contact %zu of the state names a body or law state that "
                           "does not exist",
                           n);
        }
    }
    return CN_OK;
}

// States go on under the law that kept them; older states do not tell.
static cn_status check_laws(const cn_world *w, const cn_state_part *part, int count, cn_error *err)
{
    const cn_state_part *laws = NULL;
    if (find_part(part, count, "law_identity", false, -1, &laws, NULL) != CN_OK) {
        return CN_OK;
    }
    if (laws->count != (size_t)w->law_count) {
        return cn_fail(err, CN_BAD_INPUT, "the state is one of %zu laws, this world has %d",
                       laws->count, w->law_count);
    }
    for (int k = 0; k < w->law_count; k++) {
        if (((const int64_t *)laws->data)[k] != law_identity(&w->law[k].type)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "law %d (%s) is not the one that the state was made with, or keeps "
                           "other states now: use the law as it was, or begin anew",
                           k, w->law[k].type.name);
        }
    }
    return CN_OK;
}

static cn_status check_finite(const char *what, const cn_state_part *part, cn_error *err)
{
    const double *x = part->data;
    for (size_t k = 0; k < part->count; k++) {
        if (!isfinite(x[k])) {
            return cn_fail(err, CN_BAD_INPUT, "%s: entry %zu of the state is %g", what, k, x[k]);
        }
    }
    return CN_OK;
}

static cn_status check_joints(const cn_world *w, const int64_t *id, cn_error *err)
{
    for (int n = 0; n < w->joints.count; n++) {
        int64_t own[JOINT_BROKEN];
        identify_joint(w, n, own);
        if (memcmp(own, id + JOINT_COUNT * (size_t)n, sizeof own) != 0) {
            return cn_fail(err, CN_BAD_INPUT, "the state holds another joint than joint %lld here",
                           (long long)own[JOINT_ID]);
        }
    }
    return CN_OK;
}

// The joints of the state are those of the world, in order.
static cn_status find_joints(cn_world *w, const cn_state_part *part, int count,
                             const cn_state_part **identity, const cn_state_part **state,
                             const cn_state_part **mount, cn_error *err)
{
    int64_t joints = w->joints.count;
    for (int k = 0; k < count && joints == 0; k++) {
        if (strcmp(part[k].name, "joint_identity") == 0) {
            return cn_fail(err, CN_BAD_INPUT, "the state holds %zu joints, this world has none",
                           part[k].count / JOINT_COUNT);
        }
    }
    if (joints == 0) {
        return CN_OK;
    }
    CN_TRY(find_part(part, count, "joint_identity", false, JOINT_COUNT * joints, identity, err));
    CN_TRY(find_part(part, count, "joint_state", true, 1 + CN_JOINT_REALS * joints, state, err));
    CN_TRY(check_joints(w, (*identity)->data, err));
    CN_TRY(check_finite("joint_state", *state, err));
    if (cn_joint_mount_reals(&w->joints) == 0) {
        return CN_OK;
    }
    CN_TRY(find_part(part, count, "joint_mount", true, -1, mount, err));
    CN_TRY(check_finite("joint_mount", *mount, err));
    return cn_joint_check_mounts(&w->joints, &w->bodies, (*mount)->data, (*mount)->count, err);
}

// The same parts of a state, checked.
typedef struct node_parts {
    const cn_state_part *x, *v, *force, *history, *energy;
} node_parts;

static cn_status find_nodes(const cn_world *w, const cn_state_part *part, int count,
                            node_parts *found, cn_error *err)
{
    const cn_deformables *m = w->bodies.deformables;
    *found = (node_parts){NULL, NULL, NULL, NULL, NULL};
    if (m->count == 0) {
        return CN_OK;
    }
    int64_t dofs = m->dof_start[m->count], history = m->history_start[m->count];
    CN_TRY(find_part(part, count, "node_x", true, dofs, &found->x, err));
    CN_TRY(find_part(part, count, "node_v", true, dofs, &found->v, err));
    CN_TRY(find_part(part, count, "node_force", true, dofs, &found->force, err));
    CN_TRY(find_part(part, count, "node_history", true, history, &found->history, err));
    CN_TRY(find_part(part, count, "node_energy", true, m->count, &found->energy, err));
    CN_TRY(check_finite("node_energy", found->energy, err));
    CN_TRY(check_finite("node_x", found->x, err));
    CN_TRY(check_finite("node_v", found->v, err));
    CN_TRY(check_finite("node_force", found->force, err));
    return check_finite("node_history", found->history, err);
}

static void restore_nodes(cn_deformables *m, const node_parts *from)
{
    if (m->count == 0) {
        return;
    }
    size_t dofs = sizeof(double) * (size_t)m->dof_start[m->count];
    memcpy(m->x, from->x->data, dofs);
    memcpy(m->v, from->v->data, dofs);
    memcpy(m->force_before, from->force->data, dofs);
    memcpy(m->energy, from->energy->data, sizeof(double) * (size_t)m->count);
    memcpy(m->history, from->history->data, sizeof(double) * (size_t)m->history_start[m->count]);
    for (int k = 0; k < m->count; k++) {
        cn_deformable_show_points(m, k);
    }
}

static void restore_joints(cn_world *w, const int64_t *id, const double *state)
{
    w->joints.memory_h = state[0];
    for (int n = 0; n < w->joints.count; n++) {
        cn_joint_restore(&w->joints, &w->bodies, n, id[JOINT_COUNT * n + JOINT_BROKEN] != 0,
                         state + 1 + CN_JOINT_REALS * n);
    }
}

static void restore_contacts(cn_contacts *c, const int64_t *identity, const double *impulse,
                             size_t count)
{
    for (size_t n = 0; n < count; n++) {
        cn_memory *m = &c->memory[n];
        *m = (cn_memory){.pair = (uint64_t)identity[3 * n],
                         .feature = (uint64_t)identity[3 * n + 1]};
        c->memory_start[n] = (int)identity[3 * n + 2];
        memcpy(m->r, impulse + 1 + 3 * n, sizeof m->r);
    }
    c->memory_h = impulse[0];
    c->memory_count = (int)count;
    c->is_of_memory = false;
    c->count = 0;
}

// What older checkpoints do not hold: contacts have not crept then.
static void restore_creep(cn_contacts *c, const cn_state_part *part, int count)
{
    const cn_state_part *creep = NULL;
    int64_t reals = 3 * (int64_t)c->memory_count;
    bool is_there = find_part(part, count, "contact_creep", true, reals, &creep, NULL) == CN_OK &&
                    check_finite("contact_creep", creep, NULL) == CN_OK;
    for (int n = 0; n < c->memory_count && is_there; n++) {
        memcpy(c->memory[n].creep, (const double *)creep->data + 3 * n, sizeof c->memory[n].creep);
    }
}

// The parts of a cell, of a state of so many contacts; NULL: the world has none.
typedef struct cell_parts {
    const cn_state_part *cell, *image, *shift;
} cell_parts;

static cn_status find_cell(const cn_world *w, const cn_state_part *part, int count, size_t contacts,
                           cell_parts *found, cn_error *err)
{
    *found = (cell_parts){NULL};
    if (!w->cell.is_there) {
        return CN_OK;
    }
    int64_t images = 3 * (int64_t)w->bodies.count, shifts = 3 * (int64_t)contacts;
    CN_TRY(find_part(part, count, "cell", true, CELL_REALS, &found->cell, err));
    CN_TRY(find_part(part, count, "cell_image", false, images, &found->image, err));
    CN_TRY(find_part(part, count, "contact_shift", false, shifts, &found->shift, err));
    CN_TRY(check_finite("cell", found->cell, err));
    const double *C = found->cell->data;
    for (int d = 0; d < w->bodies.dim; d++) {
        if (!(C[4 * d] > 0.0)) {
            return cn_fail(err, CN_BAD_INPUT, "cell: entry %d of the state is %g", 4 * d, C[4 * d]);
        }
    }
    return CN_OK;
}

static void restore_cell(cn_world *w, const cell_parts *from)
{
    if (from->cell == NULL) {
        return;
    }
    const double *cell = from->cell->data;
    const int64_t *image = from->image->data, *shift = from->shift->data;
    memcpy(w->cell.C, cell, sizeof w->cell.C);
    memcpy(w->cell.L, cell + 9, sizeof w->cell.L);
    memcpy(w->cell.strain, cell + 18, sizeof w->cell.strain);
    for (size_t k = 0; k < from->image->count; k++) {
        w->bodies.image[k] = (int)image[k];
    }
    for (size_t k = 0; k < from->shift->count; k++) {
        w->contacts.memory[k / 3].shift[k % 3] = (signed char)shift[k];
    }
}

// Numbers of time and ledger in a checkpoint with so many rows.
static int64_t sums_of(int rows)
{
    return 1 + (int64_t)(sizeof(cn_ledger) / sizeof(double)) - 2 * (CN_ENERGY_ROW_COUNT - rows);
}

// Rows of the ledger in a state: checkpoints of 0.1 end before CN_ENERGY_GIVEN, those of 0.2 before
// CN_ENERGY_FRACTURE, and later ones before CN_ENERGY_CELL, CN_ENERGY_WEAR, CN_ENERGY_INFLOW or
// CN_ENERGY_GROWTH.
static int rows_of_ledger(const cn_state_part *part, int count)
{
    const cn_state_part *sums = NULL;
    int rows = CN_ENERGY_ROW_COUNT;
    for (int k = CN_ENERGY_GIVEN; k <= CN_ENERGY_GROWTH; k++) {
        if (find_part(part, count, "time_and_ledger", true, sums_of(k), &sums, NULL) == CN_OK) {
            rows = k;
        }
    }
    return rows;
}

static void restore_ledger(const double *sums, int rows, cn_ledger *ledger)
{
    memset(ledger, 0, sizeof *ledger);
    memcpy(ledger->step, sums, sizeof(double) * (size_t)rows);
    memcpy(ledger->total, sums + rows, sizeof(double) * (size_t)rows);
    memcpy(&ledger->kinetic, sums + 2 * rows, sizeof *ledger - offsetof(cn_ledger, kinetic));
}

cn_status cn_world_restore(cn_world *w, const cn_state_part *part, int count, cn_error *err)
{
    CN_NEED(err, w, part);
    CN_CHANGE(w, err);
    cn_bodies *b = &w->bodies;
    const cn_state_part *clock = NULL, *id = NULL, *sums = NULL, *q = NULL, *v = NULL;
    const cn_state_part *identity = NULL, *impulse = NULL, *state = NULL;
    const cn_state_part *joint_identity = NULL, *joint_state = NULL, *joint_mount = NULL;
    int64_t dofs = b->kind->dof * (int64_t)b->count, q_count = b->kind->q_size * (int64_t)b->count;
    layout at = lay_out(0, 0, 0, 0, 0, 0, 0);
    CN_TRY(find_part(part, count, "clock", false, CLOCK_COUNT, &clock, err));
    CN_TRY(find_part(part, count, "body_id", false, b->count, &id, err));
    int ledger_rows = rows_of_ledger(part, count);
    CN_TRY(find_part(part, count, "time_and_ledger", true, sums_of(ledger_rows), &sums, err));
    CN_TRY(find_part(part, count, "body_q", true, q_count, &q, err));
    CN_TRY(find_part(part, count, "body_v", true, dofs, &v, err));
    CN_TRY(find_part(part, count, "contact_identity", false, -1, &identity, err));
    size_t contacts = identity->count / 3;
    CN_TRY(
        find_part(part, count, "contact_impulse", true, 1 + 3 * (int64_t)contacts, &impulse, err));
    CN_TRY(find_part(part, count, "contact_state", true, -1, &state, err));
    CN_TRY(check_ids(w, id->data, err));
    CN_TRY(check_laws(w, part, count, err));
    CN_TRY(check_contacts(w, identity->data, contacts, state->count, err));
    CN_TRY(check_finite("body_q", q, err));
    CN_TRY(check_finite("body_v", v, err));
    CN_TRY(check_finite("contact_impulse", impulse, err));
    CN_TRY(find_joints(w, part, count, &joint_identity, &joint_state, &joint_mount, err));
    node_parts nodes;
    CN_TRY(find_nodes(w, part, count, &nodes, err));
    cell_parts cell;
    CN_TRY(find_cell(w, part, count, contacts, &cell, err));
    const cn_state_part *wear = NULL;
    if (w->wear.count > 0) {
        int64_t reals = (int64_t)cn_wear_reals(&w->wear);
        CN_TRY(find_part(part, count, "wear", true, reals, &wear, err));
        CN_TRY(check_finite("wear", wear, err));
    }
    const cn_state_part *growth = NULL; // there in runs with growth only
    bool has_growth =
        find_part(part, count, "growth", true, 2 * (int64_t)b->count, &growth, NULL) == CN_OK;
    if (has_growth) {
        CN_TRY(check_finite("growth", growth, err));
    }
    CN_TRY(cn_contact_reserve_memory(&w->contacts, contacts, state->count, err));

    w->is_set_up = false;
    if (wear != NULL) {
        CN_TRY(cn_wear_restore(&w->wear, wear->data, b, err));
    }
    CN_TRY(cn_growth_restore(&w->growth, has_growth ? growth->data : NULL, b, err));
    const cn_state_part *springs = NULL; // there in elastic runs only
    bool has_springs = find_part(part, count, "spring_energy", true, 1, &springs, NULL) == CN_OK;

    w->spring_energy = has_springs ? ((const double *)springs->data)[0] : 0.0;
    w->step = ((const int64_t *)clock->data)[CLOCK_STEP];
    b->id_next = (uint64_t)((const int64_t *)clock->data)[CLOCK_ID_NEXT];
    w->t = ((const double *)sums->data)[at.time];
    restore_ledger((const double *)sums->data + at.ledger, ledger_rows, &w->ledger);
    for (int64_t k = 0; k < q_count; k++) {
        b->q[k] = ((const double *)q->data)[k];
    }
    for (int64_t k = 0; k < dofs; k++) {
        b->v[k] = ((const double *)v->data)[k];
    }
    for (size_t k = 0; k < state->count; k++) {
        w->contacts.memory_state[k] = ((const double *)state->data)[k];
    }
    w->contacts.memory_state_count = (int)state->count;
    restore_nodes(b->deformables, &nodes);
    restore_contacts(&w->contacts, identity->data, impulse->data, contacts);
    restore_creep(&w->contacts, part, count);
    restore_cell(w, &cell);
    if (joint_mount != NULL) {
        cn_joint_restore_mounts(&w->joints, joint_mount->data);
    }
    if (joint_identity != NULL) {
        restore_joints(w, joint_identity->data, joint_state->data);
    }
    return CN_OK;
}

cn_status cn_world_start_here(cn_world *w, cn_error *err)
{
    CN_NEED(err, w);
    CN_CHANGE(w, err);
    w->t = 0.0;
    w->step = 0;
    w->ledger = (cn_ledger){.storage = w->spring_energy + cn_joints_energy(&w->joints, &w->bodies)};
    cn_audit_start(&w->bodies, &w->ledger);
    return CN_OK;
}

// (9.10): order of ids and keys, so that neither slots nor the curve matter. Contacts are combined
// by a sum, which does not depend on their order.
uint64_t cn_world_state_hash(const cn_world *w)
{
    if (w == NULL) {
        return 0;
    }
    const cn_bodies *b = &w->bodies;
    uint64_t sum = 0;
    for (int i = 0; i < b->count; i++) {
        uint64_t hash = cn_mix(b->id[i]);
        const size_t q_bytes = (size_t)b->kind->q_size * sizeof(double);
        hash = cn_hash_bytes(hash, cn_body_q(b, b->q, i), q_bytes);
        sum += cn_hash_bytes(hash, cn_body_v(b, b->v, i), (size_t)b->kind->dof * sizeof(double));
    }
    for (int n = 0; n < w->contacts.memory_count; n++) {
        const cn_memory *m = &w->contacts.memory[n];
        uint64_t hash = cn_mix2(b->id[cn_pair_i(m->pair)], b->id[cn_pair_j(m->pair)]);
        hash = cn_mix2(hash, m->feature);
        sum += cn_hash_bytes(hash, m->r, sizeof m->r);
    }
    for (int k = 0; k < b->deformables->count; k++) {
        const cn_deformables *m = b->deformables;
        size_t bytes = sizeof(double) * (size_t)cn_deformable_dof(m, k);
        uint64_t hash =
            cn_hash_bytes(cn_mix2(b->id[m->body[k].slot], 1), m->x + m->dof_start[k], bytes);
        sum += cn_hash_bytes(hash, m->v + m->dof_start[k], bytes);
    }
    for (int n = 0; n < w->joints.count; n++) {
        const cn_link *link = &w->joints.link[n];
        sum += cn_hash_bytes(cn_mix(~link->id), link->r, sizeof link->r);
    }
    for (int k = 0; w->cell.is_there && k < 9; k++) {
        sum += cn_hash_bytes(cn_mix((uint64_t)k), &w->cell.C[k], sizeof(double));
        sum += cn_hash_bytes(cn_mix((uint64_t)k + 9), &w->cell.L[k], sizeof(double));
    }
    return cn_mix(sum);
}
