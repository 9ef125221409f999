// scene/make/make_nets.c -- joints among many bodies at once: nets of neighbours, and threads that
// wander from one to the next.
//
// Both work on points, mass centres or ends of capsules, that are looked up in cells as wide as the
// reach. Pairs come in the order of the bodies, whatever the walk.
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "scene/make/make_bodies.h"
#include "scene/make/make_loads.h"

static const double SAME = 1e-9; // over the reach: two ends at one place are one node of a net

typedef struct net_point {
    int body;
    cn_vec3 at;
} net_point;

// Points in cells, chained: `next` of each, `first` of each bucket, -1: none.
typedef struct net {
    int count, buckets;
    net_point *point;
    int *first, *next;
    double reach, beyond; // [m]
} net;

static int bucket_of(const net *n, double x, double y, double z)
{
    uint64_t key =
        cn_mix2(cn_mix2((uint64_t)(int64_t)x, (uint64_t)(int64_t)y), (uint64_t)(int64_t)z);
    return (int)(key & (uint64_t)(n->buckets - 1));
}

static double cell_of(const net *n, double x)
{
    return floor(x / n->reach);
}

static bool fill_cells(cn_making *m, net *n)
{
    n->buckets = 16;
    while (n->buckets < n->count) {
        n->buckets *= 2;
    }
    n->first = cn_reading_take(&m->reading, (size_t)n->buckets, sizeof *n->first);
    n->next = cn_reading_take(&m->reading, (size_t)n->count, sizeof *n->next);
    if (n->first == NULL || n->next == NULL) {
        return false;
    }
    for (int k = 0; k < n->buckets; k++) {
        n->first[k] = -1;
    }
    for (int k = 0; k < n->count; k++) {
        cn_vec3 p = n->point[k].at;
        int to = bucket_of(n, cell_of(n, p.x), cell_of(n, p.y), cell_of(n, p.z));
        n->next[k] = n->first[to];
        n->first[to] = k;
    }
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Points of other bodies within reach of point k, in order; `list` has room for all points. Returns
// how many.
static int neighbours(const net *n, int k, int *list)
{
    cn_vec3 p = n->point[k].at;
    int found = 0, unique = 0;
    for (int c = 0; c < 27; c++) {
        double x = cell_of(n, p.x) + c % 3 - 1, y = cell_of(n, p.y) + c / 3 % 3 - 1;
        int bucket = bucket_of(n, x, y, cell_of(n, p.z) + c / 9 - 1);
        for (int l = n->first[bucket]; l >= 0; l = n->next[l]) {
            cn_vec3 q = n->point[l].at;
            bool is_there =
                cell_of(n, q.x) == x && cell_of(n, q.y) == y; // and no other of the bucket
            is_there = is_there && cell_of(n, q.z) == cell_of(n, p.z) + c / 9 - 1;
            double apart = cn_norm3(cn_sub3(q, p));
            if (is_there && n->point[l].body != n->point[k].body && apart <= n->reach &&
                apart >= n->beyond) {
                list[found++] = l;
            }
        }
    }
    qsort(list, (size_t)found, sizeof *list, compare_ints);
    for (int l = 0; l < found; l++) {
        if (unique == 0 || list[unique - 1] != list[l]) {
            list[unique++] = list[l];
        }
    }
    return unique;
}

// ---- points

static void add_point(net *n, const cn_scene *scene, int body, double along)
{
    const cn_body_def *def = &scene->body[body].def;
    bool has_turn = scene->dim == 3 && def->rotation[0] * def->rotation[0] +
                                               def->rotation[1] * def->rotation[1] +
                                               def->rotation[2] * def->rotation[2] +
                                               def->rotation[3] * def->rotation[3] >
                                           0.0;
    cn_quat turn =
        has_turn ? (cn_quat){def->rotation[0], def->rotation[1], def->rotation[2], def->rotation[3]}
                 : (cn_quat){1.0, 0.0, 0.0, 0.0};
    cn_mat3 R = cn_quat_matrix(turn);
    cn_vec3 axis = scene->dim == 2 ? cn_v3(cos(def->angle), sin(def->angle), 0.0)
                                   : cn_mat3_mul(&R, cn_v3(0.0, 0.0, 1.0));
    cn_vec3 at = cn_v3(def->at[0], def->at[1], def->at[2]);
    n->point[n->count++] = (net_point){body, cn_add_mul3(at, along, axis)};
}

// Length of a body that is one capsule in the middle of its frame; -1: it is none [m].
static double capsule_length(const cn_scene *scene, int body)
{
    const cn_body_def *def = &scene->body[body].def;
    if (scene->dim == 2) {
        bool is_one = def->type != CN_BODY_MESH && def->shapes.count == 1;
        return is_one && def->shapes.item[0].kind == CN_SHAPE_CAPSULE ? def->shapes.item[0].length
                                                                      : -1.0;
    }
    bool is_one = def->type != CN_BODY_MESH && def->solids.count == 1;
    return is_one && def->solids.item[0].kind == CN_SOLID_CAPSULE ? def->solids.item[0].length
                                                                  : -1.0;
}

// The points of all bodies; false for lack of memory, *is_good says whether they have such points.
static bool list_points(cn_making *m, const cn_value *value, const cn_pick *pick, bool has_ends,
                        net *n, bool *is_good)
{
    n->point = cn_reading_take(&m->reading, 2 * (size_t)pick->count + 1, sizeof *n->point);
    for (int k = 0; k < pick->count && n->point != NULL && *is_good; k++) {
        double length = has_ends ? capsule_length(m->scene, pick->body[k]) : 0.0;
        *is_good = length >= 0.0 && m->scene->body[pick->body[k]].def.type != CN_BODY_MESH;
        if (!*is_good) {
            cn_complain(m->reading.report, value->at,
                        has_ends ? "'ends' are those of capsules, and one of these bodies is none"
                                 : "nets and threads join rigid bodies, and one of these deforms");
        } else if (has_ends) {
            add_point(n, m->scene, pick->body[k], -0.5 * length);
            add_point(n, m->scene, pick->body[k], 0.5 * length);
        } else {
            add_point(n, m->scene, pick->body[k], 0.0);
        }
    }
    return n->point != NULL;
}

// ---- pairs

static void put_pair(cn_scene_joint *joint, const net *n, int k, int l, bool has_ends)
{
    int *pair = joint->pair + 2 * joint->count;
    pair[0] = n->point[k].body;
    pair[1] = n->point[l].body;
    if (has_ends) {
        cn_vec3 *end = joint->end + 2 * (size_t)joint->count;
        end[0] = n->point[k].at;
        end[1] = n->point[l].at;
    }
    joint->count++;
}

// Whether point k stands for all points at its place: of those it is the first.
static bool is_first_at(const net *n, int k)
{
    cn_vec3 p = n->point[k].at;
    int bucket = bucket_of(n, cell_of(n, p.x), cell_of(n, p.y), cell_of(n, p.z));
    for (int l = n->first[bucket]; l >= 0; l = n->next[l]) {
        if (l < k && cn_norm3(cn_sub3(n->point[l].at, p)) <= SAME * n->reach) {
            return false;
        }
    }
    return true;
}

// Every pair of neighbours, counted first and then written.
static bool join_neighbours(cn_making *m, const net *n, bool has_ends, cn_scene_joint *joint)
{
    int *list = cn_reading_take(&m->reading, (size_t)n->count, sizeof *list);
    size_t pairs = 0;
    for (int pass = 0; pass < 2 && list != NULL; pass++) {
        if (pass == 1) {
            joint->pair = cn_reading_take(&m->reading, 2 * pairs + 1, sizeof *joint->pair);
            joint->end =
                has_ends ? cn_reading_take(&m->reading, 2 * pairs + 1, sizeof *joint->end) : NULL;
            if (joint->pair == NULL || (has_ends && joint->end == NULL)) {
                return false;
            }
        }
        for (int k = 0; k < n->count; k++) {
            int count = n->beyond > 0.0 && !is_first_at(n, k) ? 0 : neighbours(n, k, list);
            for (int l = 0; l < count; l++) {
                bool is_counted = list[l] > k && (n->beyond == 0.0 || is_first_at(n, list[l]));
                pairs += is_counted && pass == 0 ? 1 : 0;
                if (is_counted && pass == 1) {
                    put_pair(joint, n, k, list[l], has_ends);
                }
            }
        }
    }
    return list != NULL;
}

static int compare_pairs(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1];
}

// What threads have done so far: the last one that met each point, steps, and scratch.
typedef struct walker {
    uint64_t random;
    int *met, *list;
    int (*step)[2], count;
} walker;

// One thread from a random body to a random neighbour that it has not met, until it is long enough
// or caught.
static void walk(const net *n, int steps, int thread, walker *w)
{
    int at = (int)(cn_random(&w->random) * n->count);
    w->met[at] = thread;
    for (int s = 0; s < steps; s++) {
        int found = neighbours(n, at, w->list), free = 0;
        for (int l = 0; l < found; l++) {
            if (w->met[w->list[l]] != thread) {
                w->list[free++] = w->list[l];
            }
        }
        if (free == 0) {
            return;
        }
        int next = w->list[(int)(cn_random(&w->random) * free)];
        w->step[w->count][0] = at < next ? at : next;
        w->step[w->count++][1] = at < next ? next : at;
        w->met[next] = thread;
        at = next;
    }
}

// Where two threads take the same step there is one joint.
static bool walk_all(cn_making *m, const net *n, const cn_value *value, cn_scene_joint *joint)
{
    int threads = (int)cn_value_number(value, "count");
    int steps = (int)cn_value_number(value, "steps");
    size_t most = (size_t)threads * (size_t)steps;
    walker w = {.random = cn_mix2((uint64_t)cn_value_number(value, "seed"), 0x746872656164u),
                .met = cn_reading_take(&m->reading, (size_t)n->count, sizeof(int)),
                .list = cn_reading_take(&m->reading, (size_t)n->count, sizeof(int)),
                .step = cn_reading_take(&m->reading, most + 1, sizeof *w.step)};
    joint->pair = cn_reading_take(&m->reading, 2 * most + 1, sizeof *joint->pair);
    if (w.met == NULL || w.list == NULL || w.step == NULL || joint->pair == NULL) {
        return false;
    }
    for (int k = 0; k < n->count; k++) {
        w.met[k] = 0;
    }
    for (int k = 1; k <= threads; k++) {
        walk(n, steps, k, &w);
    }
    qsort(w.step, (size_t)w.count, sizeof *w.step, compare_pairs);
    for (int k = 0; k < w.count; k++) {
        if (k == 0 || compare_pairs(w.step[k], w.step[k - 1]) != 0) {
            put_pair(joint, n, w.step[k][0], w.step[k][1], false);
        }
    }
    return true;
}

// ---- in a scene

// Says how far the nearest two points are, for a reach that finds none.
static void complain_none(cn_making *m, const cn_value *value, const net *n)
{
    double least = INFINITY;
    for (int k = 1; k < n->count; k++) { // from the first one: enough to choose a reach
        bool is_other = n->point[k].body != n->point[0].body;
        double apart = cn_norm3(cn_sub3(n->point[k].at, n->point[0].at));
        least = is_other && apart >= n->beyond && apart < least ? apart : least;
    }
    cn_complain(
        m->reading.report, value->at,
        "no two of these bodies are between %g and %g m apart: the nearest one to the first "
        "is %g m from it; take a larger reach",
        n->beyond, n->reach, least);
}

bool cn_make_net(cn_making *m, const cn_value *value, bool is_thread, cn_scene_joint *joint)
{
    bool is_good, has_ends = !is_thread && cn_value_number(value, "ends") == 1.0;
    const cn_value *of = cn_value_get(value, "of");
    net n = {.reach = cn_value_number(value, "reach"),
             .beyond = is_thread ? 0.0 : cn_value_number(value, "beyond")};
    joint->is_chain = true;
    if (!cn_make_pick(m, of->at, of->text, NULL, &joint->a, &is_good)) {
        return false;
    }
    if (is_good && !list_points(m, of, &joint->a, has_ends, &n, &is_good)) {
        return false;
    }
    if (!is_good || n.count == 0) {
        return true; // said
    }
    if (n.beyond >= n.reach) {
        cn_complain(m->reading.report, value->at, "beyond is %g m, not below the reach of %g m",
                    n.beyond, n.reach);
        return true;
    }
    if (!fill_cells(m, &n)) {
        return false;
    }
    bool has_memory =
        is_thread ? walk_all(m, &n, value, joint) : join_neighbours(m, &n, has_ends, joint);
    if (has_memory && joint->count == 0) {
        complain_none(m, value, &n);
    }
    return has_memory;
}
