// result/compare.c -- how far two results are from each other.
//
// A difference is measured against the range of all values of the same unit: a potential energy
// that is zero up to rounding in one run and in the other is compared with the energies of the run,
// not with itself. Errors that are already relative (residuals, closing error) are compared as they
// are.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/result.h"
#include "result/id_map.h"
#include "result/tables/step_row.h"

// Range of a quantity in both results, and where they differ most.
typedef struct quantity {
    char name[160];
    cn_unit unit;
    double low, high;
    double worst, a, b;
    char place[64];
} quantity;

enum {
    FRAME_TIME,
    FRAME_Q, // x, y, angle; in space x, y, z and a quaternion
    FRAME_V = FRAME_Q + 7,
    FRAME_GAP = FRAME_V + 6,
    FRAME_R, // normal, tangential
    FRAME_STATE = FRAME_R + 3,
    FRAME_JOINT_R,
    FRAME_JOINT_MOMENT,
    FRAME_JOINT_GAP,
    FRAME_NODE_X, // of meshes: largest of the axes
    FRAME_NODE_V,
    FRAME_NODE_R,
    FRAME_NODE_STRESS,
    FRAME_NODE_STRAIN,
    FRAME_MEAN,
    FRAME_QUANTITIES
};

typedef struct contact_key {
    uint64_t pair, feature;
    int place;
} contact_key;

typedef struct comparison {
    cn_reader *a, *b;
    double rtol;
    cn_tell *told;
    void *context;
    int differences;
    quantity *quantity; // of frames, then one per column of the history
    int count;
    cn_id_map map;
    contact_key *key[2];
    size_t key_capacity[2];
} comparison;

static void CN_PRINTF(2, 3) differ(comparison *c, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    c->differences++;
    if (c->told != NULL) {
        c->told(c->context, line);
    }
}

static void start_quantity(quantity *q, const char *name, cn_unit kind)
{
    *q = (quantity){.unit = kind, .low = INFINITY, .high = -INFINITY};
    snprintf(q->name, sizeof q->name, "%s", name);
}

// A NaN on one side only is an infinite difference.
static double distance(double a, double b)
{
    if (isnan(a) || isnan(b)) {
        return isnan(a) && isnan(b) ? 0.0 : INFINITY;
    }
    return a == b ? 0.0 : fabs(a - b);
}

// Returns whether this is the largest difference so far, so that its place is worth writing down.
static bool observe(quantity *q, double a, double b)
{
    q->low = fmin(q->low, fmin(a, b));
    q->high = fmax(q->high, fmax(a, b));
    double d = distance(a, b);
    if (!(d > q->worst)) {
        return false;
    }
    q->worst = d;
    q->a = a;
    q->b = b;
    return true;
}

// q and -q are the same orientation: the one nearer to `a` is compared, unless bits are.
static double sign_of_turn(const comparison *c, const double *a, const double *b)
{
    double dot = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
    return c->rtol > 0.0 && dot < 0.0 ? -1.0 : 1.0;
}

static void observe_body(quantity *q, double a, double b, int frame, cn_body_id id)
{
    if (observe(q, a, b)) {
        snprintf(q->place, sizeof q->place, "frame %d, body %llu", frame, (unsigned long long)id);
    }
}

static void compare_state(comparison *c, const cn_frame *a, int k, const cn_frame *b, int m)
{
    const double *q_a = a->q + (size_t)a->q_size * (size_t)k;
    const double *q_b = b->q + (size_t)b->q_size * (size_t)m;
    const double *v_a = a->v + (size_t)a->v_size * (size_t)k;
    const double *v_b = b->v + (size_t)b->v_size * (size_t)m;
    double sign = a->dim == 3 ? sign_of_turn(c, q_a, q_b) : 1.0;
    for (int d = 0; d < a->q_size; d++) {
        observe_body(&c->quantity[FRAME_Q + d], q_a[d], d < 3 ? q_b[d] : sign * q_b[d], a->index,
                     a->id[k]);
    }
    for (int d = 0; d < a->v_size; d++) {
        observe_body(&c->quantity[FRAME_V + d], v_a[d], v_b[d], a->index, a->id[k]);
    }
}

static cn_status compare_bodies(comparison *c, const cn_frame *a, const cn_frame *b, cn_error *err)
{
    c->map.count = 0;
    for (int k = 0; k < b->body_count; k++) {
        CN_TRY(cn_id_map_add(&c->map, b->id[k], k, err));
    }
    cn_id_map_sort(&c->map);
    int missing = 0;
    for (int k = 0; k < a->body_count; k++) {
        int64_t m = cn_id_map_find(&c->map, a->id[k]);
        if (m < 0) {
            missing++;
            continue;
        }
        compare_state(c, a, k, b, (int)m);
    }
    if (missing > 0 || a->body_count != b->body_count) {
        differ(c, "frame %d: %d bodies against %d, %d of the first not in the second", a->index,
               a->body_count, b->body_count, missing);
    }
    return CN_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const contact_key *x = a;
    const contact_key *y = b;
    if (x->pair != y->pair) {
        return x->pair < y->pair ? -1 : 1;
    }
    if (x->feature != y->feature) {
        return x->feature < y->feature ? -1 : 1;
    }
    return (x->place > y->place) - (x->place < y->place);
}

static cn_status sort_contacts(comparison *c, int side, const cn_frame *f, cn_error *err)
{
    size_t count = (size_t)f->contact_count;
    CN_TRY(cn_reserve(NULL, &c->key[side], &c->key_capacity[side], count + 1, err));
    for (int k = 0; k < f->contact_count; k++) {
        c->key[side][k] = (contact_key){f->contact[k].pair, f->contact[k].feature, k};
    }
    qsort(c->key[side], count, sizeof c->key[side][0], compare_keys);
    return CN_OK;
}

static void observe_contact(quantity *q, double a, double b, const cn_frame *f,
                            const cn_contact *contact)
{
    if (observe(q, a, b)) {
        const double *at = contact->point;
        char height[24] = "";
        if (f->dim == 3) {
            snprintf(height, sizeof height, ", %.4g", at[2]);
        }
        snprintf(q->place, sizeof q->place, "frame %d, contact at (%.4g, %.4g%s)", f->index, at[0],
                 at[1], height);
    }
}

// x or y is NULL where a contact exists in one result only: then its impulse is compared with zero.
static void compare_contact(comparison *c, const cn_frame *f, const cn_contact *x,
                            const cn_contact *y)
{
    const cn_contact *any = x != NULL ? x : y;
    if (x != NULL && y != NULL) {
        observe_contact(&c->quantity[FRAME_GAP], x->gap, y->gap, f, any);
    }
    for (int d = 0; d < f->dim; d++) {
        observe_contact(&c->quantity[FRAME_R + d], x != NULL ? x->r[d] : 0.0,
                        y != NULL ? y->r[d] : 0.0, f, any);
    }
}

// Law states of one contact, where both results have them. Some are switches, which rounding may
// turn: they count only when equal bits are asked for.
static void compare_states(comparison *c, const cn_frame *a, int x, const cn_frame *b, int y)
{
    int count_a = a->state_start[x + 1] - a->state_start[x];
    int count_b = b->state_start[y + 1] - b->state_start[y];
    for (int k = 0; c->rtol == 0.0 && k < count_a && k < count_b; k++) {
        observe_contact(&c->quantity[FRAME_STATE], a->state[a->state_start[x] + k],
                        b->state[b->state_start[y] + k], a, &a->contact[x]);
    }
}

static bool is_same(const contact_key *x, const contact_key *y)
{
    return x->pair == y->pair && x->feature == y->feature;
}

// Contacts are matched by their persistent identity.
static cn_status compare_contacts(comparison *c, const cn_frame *a, const cn_frame *b,
                                  cn_error *err)
{
    if (a->lacks_contacts != b->lacks_contacts) {
        differ(c, "frame %d: only one result has the contacts", a->index);
        return CN_OK;
    }
    CN_TRY(sort_contacts(c, 0, a, err));
    CN_TRY(sort_contacts(c, 1, b, err));
    int m = 0, n = 0;
    while (m < a->contact_count || n < b->contact_count) {
        const contact_key *x = m < a->contact_count ? &c->key[0][m] : NULL;
        const contact_key *y = n < b->contact_count ? &c->key[1][n] : NULL;
        bool is_match = x != NULL && y != NULL && is_same(x, y);
        bool takes_x = is_match || y == NULL || (x != NULL && compare_keys(x, y) < 0);
        bool takes_y = is_match || !takes_x;
        compare_contact(c, a, takes_x ? &a->contact[x->place] : NULL,
                        takes_y ? &b->contact[y->place] : NULL);
        if (is_match) {
            compare_states(c, a, x->place, b, y->place);
        }
        m += takes_x;
        n += takes_y;
    }
    return CN_OK;
}

static void observe_joint(quantity *q, double a, double b, int frame, cn_joint_id id)
{
    if (observe(q, a, b)) {
        snprintf(q->place, sizeof q->place, "frame %d, joint %llu", frame, (unsigned long long)id);
    }
}

// Joints are in the order of creation.
static void compare_joints(comparison *c, const cn_frame *a, const cn_frame *b)
{
    bool is_same = a->joint_count == b->joint_count;
    for (int n = 0; n < a->joint_count && is_same; n++) {
        const cn_joint_state *x = &a->joint[n], *y = &b->joint[n];
        is_same = x->id == y->id && x->kind == y->kind && x->is_broken == y->is_broken;
        for (int d = 0; d < 3 && is_same; d++) {
            observe_joint(&c->quantity[FRAME_JOINT_R], x->impulse[d], y->impulse[d], a->index,
                          x->id);
            observe_joint(&c->quantity[FRAME_JOINT_MOMENT], x->moment[d], y->moment[d], a->index,
                          x->id);
        }
        observe_joint(&c->quantity[FRAME_JOINT_GAP], x->gap, y->gap, a->index, x->id);
    }
    if (!is_same) {
        differ(c, "frame %d: other joints, or broken ones (%d against %d)", a->index,
               a->joint_count, b->joint_count);
    }
}

// `width` numbers per node; an array that only one side has is a difference.
static void compare_nodes(comparison *c, int which, const cn_frame *f, const cn_frame_mesh *m,
                          const double *a, const double *b, int width)
{
    quantity *q = &c->quantity[which];
    if ((a == NULL) != (b == NULL)) {
        differ(c, "frame %d: only one result has the %s of body %llu", f->index, q->name,
               (unsigned long long)f->id[m->body]);
        return;
    }
    for (int k = 0; a != NULL && k < width * m->node_count; k++) {
        if (observe(q, a[k], b[k])) {
            snprintf(q->place, sizeof q->place, "frame %d, body %llu, node %d", f->index,
                     (unsigned long long)f->id[m->body], k / width);
        }
    }
}

static void compare_meshes(comparison *c, const cn_frame *a, const cn_frame *b)
{
    if (a->mesh_count != b->mesh_count) {
        differ(c, "frame %d: %d deformable bodies against %d", a->index, a->mesh_count,
               b->mesh_count);
    }
    for (int k = 0; k < a->mesh_count && k < b->mesh_count; k++) {
        const cn_frame_mesh *x = &a->mesh[k], *y = &b->mesh[k];
        if (a->id[x->body] != b->id[y->body] || x->node_count != y->node_count) {
            differ(c, "frame %d: body %llu with %d nodes against body %llu with %d", a->index,
                   (unsigned long long)a->id[x->body], x->node_count,
                   (unsigned long long)b->id[y->body], y->node_count);
            continue;
        }
        compare_nodes(c, FRAME_NODE_X, a, x, x->x, y->x, a->dim);
        compare_nodes(c, FRAME_NODE_V, a, x, x->v, y->v, a->dim);
        compare_nodes(c, FRAME_NODE_R, a, x, x->r, y->r, a->dim);
        compare_nodes(c, FRAME_NODE_STRESS, a, x, x->stress, y->stress, 6);
        compare_nodes(c, FRAME_NODE_STRAIN, a, x, x->strain, y->strain, 6);
        for (int d = 0; d < 6; d++) {
            observe_body(&c->quantity[FRAME_MEAN], x->mean[d], y->mean[d], a->index,
                         a->id[x->body]);
        }
    }
}

static cn_status compare_frames(comparison *c, cn_error *err)
{
    int count_a = cn_reader_summary(c->a)->frames;
    int count_b = cn_reader_summary(c->b)->frames;
    if (count_a != count_b) {
        differ(c, "%d frames against %d", count_a, count_b);
    }
    for (int k = 0; k < count_a && k < count_b; k++) {
        cn_frame a, b;
        CN_TRY(cn_reader_frame(c->a, k, &a, err));
        CN_TRY(cn_reader_frame(c->b, k, &b, err));
        if (observe(&c->quantity[FRAME_TIME], a.time, b.time)) {
            snprintf(c->quantity[FRAME_TIME].place, sizeof c->quantity[0].place, "frame %d", k);
        }
        CN_TRY(compare_bodies(c, &a, &b, err));
        CN_TRY(compare_contacts(c, &a, &b, err));
        compare_joints(c, &a, &b);
        compare_meshes(c, &a, &b);
    }
    return CN_OK;
}

// Columns that are not ours are observed series, or of another version: energies, most of them.
static cn_step_column column_named(const char *name)
{
    cn_step_column other = {.unit = CN_UNIT_ENERGY};
    if (strncmp(name, "series/", 7) == 0) {
        other.unit = CN_UNIT_OWN;
        return other;
    }
    for (int k = 0; k < CN_STEP_COLUMN_COUNT; k++) {
        cn_step_column column = cn_step_column_at(k);
        if (strcmp(column.name, name) == 0) {
            return column;
        }
    }
    return other;
}

static cn_status compare_column(comparison *c, quantity *q, const char *name, cn_error *err)
{
    cn_column a, b;
    const cn_step_column column = column_named(name);
    start_quantity(q, name, column.unit);
    if (c->rtol > 0.0 && column.is_exact) {
        return CN_OK;
    }
    CN_TRY(cn_reader_column(c->a, name, &a, err));
    if (cn_reader_column(c->b, name, &b, NULL) != CN_OK) {
        differ(c, "the second history has no column %s", name);
        return CN_OK;
    }
    for (int64_t k = 0; k < a.count && k < b.count; k++) {
        if (observe(q, a.value[k], b.value[k])) {
            snprintf(q->place, sizeof q->place, "row %lld of the history", (long long)k);
        }
    }
    return CN_OK;
}

static cn_status compare_history(comparison *c, cn_error *err)
{
    cn_column a, b;
    CN_TRY(cn_reader_column(c->a, "time", &a, err));
    CN_TRY(cn_reader_column(c->b, "time", &b, err));
    if (a.count != b.count) {
        differ(c, "%lld steps against %lld", (long long)a.count, (long long)b.count);
    }
    int columns = cn_reader_column_count(c->a);
    for (int k = 0; k < columns; k++) {
        const char *name = cn_reader_column_name(c->a, k);
        CN_TRY(compare_column(c, &c->quantity[FRAME_QUANTITIES + k], name, err));
    }
    if (cn_reader_column_count(c->b) != columns) {
        differ(c, "%d columns of history against %d", columns, cn_reader_column_count(c->b));
    }
    return CN_OK;
}

static double range_of(const quantity *q)
{
    return q->high > q->low ? q->high - q->low : 0.0;
}

static void report(comparison *c)
{
    double scale[CN_UNIT_COUNT] = {[CN_UNIT_ONE] = 1.0};
    for (int k = 0; k < c->count; k++) {
        const quantity *q = &c->quantity[k];
        if (q->unit > CN_UNIT_ONE) {
            scale[q->unit] = fmax(scale[q->unit], range_of(q));
        }
    }
    for (int k = 0; k < c->count; k++) {
        const quantity *q = &c->quantity[k];
        double range = q->unit == CN_UNIT_OWN ? range_of(q) : scale[q->unit];
        if (!(q->worst <= c->rtol * range)) {
            differ(c, "%s differs by %.3g of the range %.6g at %s: %.15g against %.15g", q->name,
                   range > 0.0 ? q->worst / range : INFINITY, range, q->place, q->a, q->b);
        }
    }
}

typedef struct named_unit {
    const char *name; // NULL: not in this dimension
    cn_unit unit;
} named_unit;

#define NODE_QUANTITIES                                                                            \
    [FRAME_NODE_X] = {"node position", CN_UNIT_LENGTH},                                            \
    [FRAME_NODE_V] = {"node velocity", CN_UNIT_VELOCITY},                                          \
    [FRAME_NODE_R] = {"node force", CN_UNIT_FORCE},                                                \
    [FRAME_NODE_STRESS] = {"node stress", CN_UNIT_STRESS},                                         \
    [FRAME_NODE_STRAIN] = {"node strain", CN_UNIT_OWN},                                            \
    [FRAME_MEAN] = {"mean stress", CN_UNIT_STRESS}

static void start_frame_quantities(comparison *c, int dim)
{
    static const named_unit plane[FRAME_QUANTITIES] = {
        [FRAME_TIME] = {"time of frames", CN_UNIT_TIME},
        [FRAME_Q] = {"position x", CN_UNIT_LENGTH},
        [FRAME_Q + 1] = {"position y", CN_UNIT_LENGTH},
        [FRAME_Q + 2] = {"angle", CN_UNIT_ANGLE},
        [FRAME_V] = {"velocity x", CN_UNIT_VELOCITY},
        [FRAME_V + 1] = {"velocity y", CN_UNIT_VELOCITY},
        [FRAME_V + 2] = {"spin", CN_UNIT_SPIN},
        [FRAME_GAP] = {"gap", CN_UNIT_LENGTH},
        [FRAME_R] = {"normal impulse", CN_UNIT_IMPULSE},
        [FRAME_R + 1] = {"tangential impulse", CN_UNIT_IMPULSE},
        [FRAME_STATE] = {"law state", CN_UNIT_OWN},
        [FRAME_JOINT_R] = {"joint impulse", CN_UNIT_IMPULSE},
        [FRAME_JOINT_MOMENT] = {"joint moment", CN_UNIT_OWN},
        [FRAME_JOINT_GAP] = {"joint gap", CN_UNIT_LENGTH},
        NODE_QUANTITIES,
    };
    static const named_unit space[FRAME_QUANTITIES] = {
        [FRAME_TIME] = {"time of frames", CN_UNIT_TIME},
        [FRAME_Q] = {"position x", CN_UNIT_LENGTH},
        [FRAME_Q + 1] = {"position y", CN_UNIT_LENGTH},
        [FRAME_Q + 2] = {"position z", CN_UNIT_LENGTH},
        [FRAME_Q + 3] = {"orientation w", CN_UNIT_ONE},
        [FRAME_Q + 4] = {"orientation x", CN_UNIT_ONE},
        [FRAME_Q + 5] = {"orientation y", CN_UNIT_ONE},
        [FRAME_Q + 6] = {"orientation z", CN_UNIT_ONE},
        [FRAME_V] = {"velocity x", CN_UNIT_VELOCITY},
        [FRAME_V + 1] = {"velocity y", CN_UNIT_VELOCITY},
        [FRAME_V + 2] = {"velocity z", CN_UNIT_VELOCITY},
        [FRAME_V + 3] = {"spin x", CN_UNIT_SPIN},
        [FRAME_V + 4] = {"spin y", CN_UNIT_SPIN},
        [FRAME_V + 5] = {"spin z", CN_UNIT_SPIN},
        [FRAME_GAP] = {"gap", CN_UNIT_LENGTH},
        [FRAME_R] = {"normal impulse", CN_UNIT_IMPULSE},
        [FRAME_R + 1] = {"tangential impulse 1", CN_UNIT_IMPULSE},
        [FRAME_R + 2] = {"tangential impulse 2", CN_UNIT_IMPULSE},
        [FRAME_STATE] = {"law state", CN_UNIT_OWN},
        [FRAME_JOINT_R] = {"joint impulse", CN_UNIT_IMPULSE},
        [FRAME_JOINT_MOMENT] = {"joint moment", CN_UNIT_OWN},
        [FRAME_JOINT_GAP] = {"joint gap", CN_UNIT_LENGTH},
        NODE_QUANTITIES,
    };
    const named_unit *list = dim == 2 ? plane : space;
    for (int k = 0; k < FRAME_QUANTITIES; k++) {
        start_quantity(&c->quantity[k], list[k].name != NULL ? list[k].name : "", list[k].unit);
    }
}

static cn_status compare(comparison *c, cn_error *err)
{
    int dim_a = cn_reader_summary(c->a)->dim;
    int dim_b = cn_reader_summary(c->b)->dim;
    start_frame_quantities(c, dim_a);
    if (dim_a == dim_b) {
        CN_TRY(compare_frames(c, err));
    } else {
        differ(c, "results in %d dimensions against %d", dim_a, dim_b);
    }
    CN_TRY(compare_history(c, err));
    report(c);
    return CN_OK;
}

cn_status cn_result_compare(cn_reader *a, cn_reader *b, double rtol, cn_tell *told, void *context,
                            int *differences, cn_error *err)
{
    if (!(rtol >= 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "the tolerance must be 0 or more, got %g", rtol);
    }
    CN_NEED(err, a, b, differences);
    comparison c = {.a = a, .b = b, .rtol = rtol, .told = told, .context = context};
    c.count = FRAME_QUANTITIES + cn_reader_column_count(a);
    c.quantity = calloc((size_t)c.count, sizeof *c.quantity);
    cn_status status =
        c.quantity != NULL ? compare(&c, err) : cn_fail(err, CN_NO_MEMORY, "out of memory");
    *differences = c.differences;
    free(c.quantity);
    cn_id_map_free(&c.map);
    CN_RELEASE(c.key[0], c.key[1]);
    return status;
}
