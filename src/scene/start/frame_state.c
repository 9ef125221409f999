// scene/start/frame_state.c -- from a frame of a result to the state of a world.
//
// The state is written as the parts of a checkpoint: those of the world that was just built, in
// which what the frame knows takes the place of what the scene says. In such a world body k of the
// scene has place k.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/deformable.h"
#include "cairn/joint.h"
#include "cairn/vec.h"
#include "scene/start/start.h"

static const double OPEN = 1e-3; // of a joint, over the size of its body [-]
enum { PART_MOST = 32, JOINT_NUMBERS = 5, JOINT_BROKEN = 4 };

// Parts of the state; those that were changed own their data.
typedef struct parts {
    int count;
    cn_state_part part[PART_MOST];
    void *own[PART_MOST];
} parts;

static void free_parts(parts *p)
{
    for (int k = 0; k < p->count; k++) {
        free(p->own[k]);
    }
}

static int find_part(const parts *p, const char *name)
{
    int k = 0;
    while (k < p->count && strcmp(p->part[k].name, name) != 0) {
        k++;
    }
    return k < p->count ? k : -1;
}

// Room for `count` numbers of 8 bytes in a part, which begins as it was.
static void *change_part(parts *p, const char *name, size_t count, cn_error *err)
{
    int k = find_part(p, name);
    void *own = calloc(count > 0 ? count : 1, 8);
    if (k < 0 || own == NULL) {
        free(own);
        cn_fail(err, CN_NO_MEMORY, "out of memory for the state to start from");
        return NULL;
    }
    size_t kept = p->part[k].count < count ? p->part[k].count : count;
    if (kept > 0) {
        memcpy(own, p->part[k].data, 8 * kept);
    }
    p->own[k] = own;
    p->part[k].data = own;
    p->part[k].count = count;
    return own;
}

static cn_status take_bodies(const cn_starting *s, parts *p, cn_error *err)
{
    const cn_frame *f = &s->frame;
    size_t bodies = (size_t)s->scene->body_count;
    size_t q_size = (size_t)f->q_size, v_size = (size_t)f->v_size;
    double *q = change_part(p, "body_q", q_size * bodies, err);
    double *v = q != NULL ? change_part(p, "body_v", v_size * bodies, err) : NULL;
    if (v == NULL) {
        return CN_NO_MEMORY;
    }
    for (size_t k = 0; k < bodies; k++) {
        if (s->place[k] >= 0) {
            size_t from = (size_t)s->place[k];
            memcpy(q + q_size * k, f->q + q_size * from, q_size * sizeof *q);
            memcpy(v + v_size * k, f->v + v_size * from, v_size * sizeof *v);
            if (s->scene->start.is_at_rest) {
                memset(v + v_size * k, 0, v_size * sizeof *v);
            }
        }
    }
    return CN_OK;
}

// How many states of contact a of the frame go on: all, or none if its law is another one here.
static int states_to_take(const cn_starting *s, int a, int i, int j)
{
    const cn_law_info *there = cn_reader_law(s->reader, s->frame.contact[a].law);
    const cn_law_type *here =
        cn_law_type_of(s->w, cn_scene_law_between(s->scene, s->scene->body[i].def.group,
                                                  s->scene->body[j].def.group));
    int count = s->frame.state_start[a + 1] - s->frame.state_start[a];
    bool is_same = there != NULL && here != NULL && strcmp(there->name, here->name) == 0 &&
                   count == here->state_count;
    return is_same ? count : 0;
}

// Contact memory: which contact, its impulse, its law states.
typedef struct memory {
    int64_t *identity;
    double *impulse, *state;
    size_t count, state_count;
} memory;

static void take_contact(cn_starting *s, int a, memory *to)
{
    const cn_contact *x = &s->frame.contact[a];
    int i = s->body_of[x->i], j = s->body_of[x->j];
    if (i < 0 || j < 0) {
        return;
    }
    if (i >= j) { // names of points are those of an ordered pair
        s->turned_count++;
        return;
    }
    int states = states_to_take(s, a, i, j), first = s->frame.state_start[a];
    s->stateless_count += states == 0 && s->frame.state_start[a + 1] > first ? 1 : 0;
    int64_t *identity = to->identity + 3 * to->count;
    identity[0] = (int64_t)((uint64_t)i << 32 | (uint64_t)j);
    memcpy(&identity[1], &x->feature, sizeof identity[1]);
    identity[2] = (int64_t)to->state_count;
    cn_contact_impulse(x, s->scene->dim, to->impulse + 1 + 3 * to->count);
    for (int k = 0; k < states; k++) {
        to->state[to->state_count++] = s->frame.state[first + k];
    }
    to->count++;
}

static cn_status take_contacts(cn_starting *s, parts *p, cn_error *err)
{
    const cn_frame *f = &s->frame;
    size_t most = f->h > 0.0 ? (size_t)f->contact_count : 0; // contacts found without a step: none
    size_t states = most > 0 ? (size_t)f->state_start[f->contact_count] : 0;
    memory to = {.identity = change_part(p, "contact_identity", 3 * most, err)};
    to.impulse = to.identity ? change_part(p, "contact_impulse", 1 + 3 * most, err) : NULL;
    to.state = to.impulse ? change_part(p, "contact_state", states, err) : NULL;
    if (to.state == NULL) {
        return CN_NO_MEMORY;
    }
    for (int a = 0; a < (int)most; a++) {
        take_contact(s, a, &to);
    }
    to.impulse[0] = f->h;
    p->part[find_part(p, "contact_identity")].count = 3 * to.count;
    p->part[find_part(p, "contact_impulse")].count = 1 + 3 * to.count;
    p->part[find_part(p, "contact_state")].count = to.state_count;
    s->contact_count = (int)to.count;
    return CN_OK;
}

static bool is_same_joint(const cn_starting *s, const cn_joint_state *here,
                          const cn_joint_state *there)
{
    int i = s->body_of[there->i], j = there->j < 0 ? -1 : s->body_of[there->j];
    return here->kind == there->kind && here->i == i && (here->j < 0 ? there->j < 0 : here->j == j);
}

// Joints between the same bodies are taken in their order. Broken ones stay broken.
static cn_status take_joints(cn_starting *s, parts *p, cn_error *err)
{
    cn_view view = cn_world_view(s->w);
    if (view.joint_count == 0) {
        return CN_OK;
    }
    size_t count = JOINT_NUMBERS * (size_t)view.joint_count;
    int64_t *identity = change_part(p, "joint_identity", count, err);
    bool *is_used = calloc((size_t)s->frame.joint_count + 1, sizeof *is_used);
    if (identity == NULL || is_used == NULL) {
        free(is_used);
        return CN_NO_MEMORY;
    }
    int next = 0;
    for (int n = 0; n < view.joint_count; n++) {
        int found = -1;
        for (int k = 0; k < s->frame.joint_count && found < 0; k++) {
            int at = (next + k) % s->frame.joint_count; // most often they have the same order
            bool is_same = is_same_joint(s, &view.joint[n], &s->frame.joint[at]);
            found = is_same && !is_used[at] ? at : -1;
        }
        if (found >= 0) {
            is_used[found] = true;
            next = found + 1;
            identity[JOINT_NUMBERS * n + JOINT_BROKEN] = s->frame.joint[found].is_broken;
        } else {
            s->joint_lost_count++;
        }
    }
    free(is_used);
    return CN_OK;
}

// Nodes of deformable bodies.
static cn_status take_nodes(const cn_starting *s, cn_error *err)
{
    const cn_frame *f = &s->frame;
    size_t count = (size_t)f->mesh_count, taken = 0, most = 0;
    for (int n = 0; n < f->mesh_count; n++) {
        size_t numbers = (size_t)f->dim * (size_t)f->mesh[n].node_count;
        most = numbers > most ? numbers : most;
    }
    cn_body_id *id = calloc(count + 1, sizeof *id);
    const double **x = calloc(2 * count + 1, sizeof *x), **v = x + count;
    double *rest = calloc(most + 1, sizeof *rest);
    bool has_memory = id != NULL && x != NULL && rest != NULL;
    for (int n = 0; n < f->mesh_count && has_memory; n++) {
        int body = s->body_of[f->mesh[n].body];
        if (body >= 0) {
            id[taken] = cn_scene_body_id(body);
            x[taken] = f->mesh[n].x;
            v[taken++] = s->scene->start.is_at_rest ? rest : f->mesh[n].v;
        }
    }
    cn_status status = CN_OK;
    if (!has_memory) {
        status = cn_fail(err, CN_NO_MEMORY, "out of memory for the state to start from");
    } else if (taken > 0) {
        status = cn_world_set_nodes(s->w, (int)taken, id, x, v, err);
    }
    free(id);
    free(x);
    free(rest);
    return status;
}

// Joints are where the scene puts them on its bodies: bodies that the file has moved against each
// other since must not tear them. Rods, cables and sliders have lengths and ways of their own.
static cn_status check_joints(const cn_starting *s, cn_error *err)
{
    cn_view view = cn_world_view(s->w);
    for (int n = 0; n < view.joint_count; n++) {
        const cn_joint_state *x = &view.joint[n];
        bool is_point = cn_joint_type_of(x->kind)->is_point;
        bool is_soft = s->scene->body[view.id[x->i] - 1].def.type == CN_BODY_MESH ||
                       (x->j >= 0 && s->scene->body[view.id[x->j] - 1].def.type == CN_BODY_MESH);
        double open = cn_norm3(
            cn_v3(x->point[0] - x->end[0], x->point[1] - x->end[1], x->point[2] - x->end[2]));
        if (is_point && !is_soft && !x->is_broken && open > OPEN * view.size[x->i]) {
            return cn_fail(err, CN_BAD_INPUT,
                           "joint %llu would be open by %.3g m: its bodies stand otherwise to each "
                           "other there than where this scene joins them; give them the places "
                           "that they had in the scene of that run",
                           (unsigned long long)x->id, open);
        }
    }
    return CN_OK;
}

static cn_status take_all(cn_starting *s, parts *p, cn_error *err)
{
    CN_TRY(take_bodies(s, p, err));
    CN_TRY(take_contacts(s, p, err));
    CN_TRY(take_joints(s, p, err));
    CN_TRY(cn_world_restore(s->w, p->part, p->count, err));
    CN_TRY(check_joints(s, err));
    return take_nodes(s, err);
}

// The parts of a world as they are.
static cn_status list_parts(cn_world *w, parts *p, cn_error *err)
{
    const cn_state_part *part;
    int count;
    *p = (parts){0};
    CN_TRY(cn_world_state(w, &part, &count, err));
    if (count > PART_MOST) {
        return cn_fail(err, CN_BAD_INPUT, "a state of %d parts", count);
    }
    memcpy(p->part, part, (size_t)count * sizeof *part);
    p->count = count;
    return CN_OK;
}

cn_status cn_start_take(cn_starting *s, cn_error *err)
{
    parts p;
    CN_TRY(list_parts(s->w, &p, err));
    cn_status status = take_all(s, &p, err);
    free_parts(&p);
    return status;
}

cn_status cn_start_stop(cn_world *w, cn_error *err)
{
    parts p;
    cn_status status = CN_OK;
    CN_TRY(list_parts(w, &p, err));
    static const char *const name[] = {"body_v", "node_v"};
    for (int n = 0; n < 2 && status == CN_OK; n++) {
        int k = find_part(&p, name[n]);
        double *v = k < 0 ? NULL : change_part(&p, name[n], p.part[k].count, err);
        if (v != NULL) {
            memset(v, 0, p.part[k].count * sizeof *v);
        }
        status = k < 0 || v != NULL ? CN_OK : CN_NO_MEMORY;
    }
    CN_THEN(status, cn_world_restore(w, p.part, p.count, err));
    free_parts(&p);
    return status;
}
