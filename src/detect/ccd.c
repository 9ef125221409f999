// detect/ccd.c -- bodies that turn, looked at again where a solve takes them, theory 6.2.
//
// Contacts of a step are set up at q_mid, with normals and points as they are there. A body that
// turns by a finite angle until the next q_mid comes down on places that are not listed, with
// normals that have turned. So after a solve the same narrow phase is asked at the next q_mid, and
// on the way to it where the way is long. Where it finds bodies deeper in each other than they
// were, its points become conditions of this step, on the velocities that it is solved for again.
//
// Turning by less than DEPTH of a body enters nothing: all that rests, and most that flows, is not
// looked at.
//
// Blades: near a sharp edge a body is thinner than it is elsewhere, and what enters there by less
// than half of its size is nearer to the other side, if it has not come out there. So a pair with a
// sharp edge is led along its way up to the place where it meets, and if the end of the way does
// not show it on that side, the step is solved again with the points of that place.
#include "detect/ccd.h"

#include <math.h>

#include "base/tasks.h"
#include "body/cell.h"
#include "detect/detect.h"

// Parts of the smaller size [-]. DEPTH: what bodies may enter each other by turning. DEEPER: by how
// much more than at q_mid. STRIDE: way between two looks at a pair.
static const double DEPTH = 5e-3, DEEPER = 1e-3, STRIDE = 0.25;

// Bodies as deep as PASSED, of the smaller size, are on their way through each other: features are
// lost where they are half as deep as that size. Surfaces that move by FAR may be (6.1) [-].
static const double PASSED = 0.25, FAR = 0.5;

static const double SAME_SIDE = 0.5; // cosine between normals on one side of a body [-]

// Gap of bodies that meet on their way, of the smaller size; part of its depth that a pair shows
// which is seen on the right side [-].
static const double MET = 2e-4, SHOWN = 0.25;

enum { LEADS_MAX = 64, STRIDES_MAX = 64, HALVINGS = 5, VAIN_MAX = 2, SHARED_PAIRS = 256 };

void cn_ccd_free(cn_ccd *a, const cn_hooks *hooks)
{
    cn_slices_free(&a->parts, hooks);
    cn_release(hooks, a->pair);
    cn_release(hooks, a->point);
    cn_release(hooks, a->kept);
    cn_release(hooks, a->q);
    cn_release(hooks, a->can_turn);
    *a = (cn_ccd){0};
}

static cn_vec3 speed_of(const cn_bodies *b, const double *velocity, int i)
{
    const double *v = cn_body_v(b, velocity, i);
    return cn_v3(v[0], v[1], b->dim == 3 ? v[2] : 0.0);
}

static cn_vec3 spin_of(const cn_bodies *b, const double *velocity, int i)
{
    const double *v = cn_body_v(b, velocity, i);
    return b->dim == 3 ? cn_v3(v[3], v[4], v[5]) : cn_v3(0.0, 0.0, v[2]);
}

// A round shape turns into nothing, and a body that is held at rest does not turn.
static bool can_turn(const cn_bodies *b, int s)
{
    int i = cn_shape_body(b, s);
    double size = cn_shape_size(b, s);
    bool is_still = cn_body_is_passive(b, i) && cn_norm3(spin_of(b, b->v_free, i)) == 0.0;
    return size < INFINITY && cn_shape_lever(b, s) > DEPTH * size && !is_still;
}

cn_status cn_ccd_mark(cn_ccd *a, const cn_bodies *b, int shape_count, const cn_hooks *hooks,
                      bool *some, cn_error *err)
{
    CN_TRY(cn_reserve(hooks, &a->can_turn, &a->can_turn_capacity, (size_t)shape_count, err));
    *some = false;
    for (int s = 0; s < shape_count; s++) {
        a->can_turn[s] = can_turn(b, s);
        *some = *some || a->can_turn[s] != 0;
    }
    return CN_OK;
}

static double smaller_size(const cn_bodies *b, int s, int t)
{
    return fmin(cn_shape_size(b, s), cn_shape_size(b, t));
}

bool cn_ccd_may_enter(const cn_ccd *a, const cn_bodies *b, int s, int t, double late)
{
    return a->can_turn[s] || a->can_turn[t] || late > DEPTH * smaller_size(b, s, t);
}

// Way of the surface of shape s in the step by turning; half-spaces have no end.
static double turn_of(const cn_bodies *b, int s, double h)
{
    double angle = h * cn_norm3(spin_of(b, b->v, cn_shape_body(b, s)));
    return angle > 0.0 ? angle * cn_shape_lever(b, s) : 0.0;
}

// ---- one pair

// A pair on its way: places of both bodies.
typedef struct places {
    cn_body_pose i, j;
} places;

// `sweep` as that of the narrow phase (5.3).
static int touch_at(const cn_bodies *b, const cn_narrow_cache *cache, const cn_turning *pair,
                    const places *at, double reach, double sweep, cn_touch3 *touch)
{
    if (b->dim == 3) {
        cn_posed3 x = {&b->solid[pair->s], at->i.x, at->i.R};
        cn_posed3 y = {&b->solid[pair->t], at->j.x, at->j.R};
        bool is_image = (pair->shift[0] | pair->shift[1] | pair->shift[2]) != 0;
        cn_hint hint = is_image ? (cn_hint){0} : cn_narrow_cache_find(cache, pair->s, pair->t);
        return cn_narrow3_warm(&x, &y, reach, sweep, &hint, touch);
    }
    cn_posed x = {&b->shape[pair->s], cn_v2(at->i.x.x, at->i.x.y), at->i.R.row[0].x,
                  at->i.R.row[1].x};
    cn_posed y = {&b->shape[pair->t], cn_v2(at->j.x.x, at->j.x.y), at->j.R.row[0].x,
                  at->j.R.row[1].x};
    return cn_narrow_flat(&x, &y, reach, touch);
}

// The bodies of a pair, their sizes and how they move.
typedef struct motion {
    const cn_bodies *b;
    const cn_ccd_step *step;
    const double *q_next;
    cn_turning *pair;
    int i, j;
    double size;                     // of the smaller shape [m]
    double way;                      // of surfaces against each other in the step [m]
    cn_vec3 offset_mid, offset_next; // of the image of j, at q_mid and at the next one [m]
    cn_vec3 by_cell;                 // what the cell adds to the velocity of i against j [m/s]
    bool passes; // they would pass through each other: whatever the law, it holds them apart
} motion;

static cn_body_pose pose_on_way(const motion *m, int i, double part)
{
    const cn_bodies *b = m->b;
    const double *next = cn_body_q(b, m->q_next, i);
    if (part == 1.0) {
        return b->kind->pose(next);
    }
    double q[CN_Q_MAX], back = (1.0 - part) * (m->step->theta + m->step->gamma) * m->step->h;
    b->kind->advance(next, cn_body_v(b, b->v, i), -back, q);
    return b->kind->pose(q);
}

// Places of the pair after a part of the way from q_mid to the next one.
static places places_on_way(const motion *m, double part)
{
    places at = {pose_on_way(m, m->i, part), pose_on_way(m, m->j, part)};
    double back = (1.0 - part) * (m->step->theta + m->step->gamma) * m->step->h;
    at.j.x = cn_add_mul3(cn_add3(at.j.x, m->offset_next), back, m->by_cell);
    return at;
}

static places places_mid(const motion *m)
{
    const cn_bodies *b = m->b;
    places at = {b->kind->pose(cn_body_q(b, b->q_mid, m->i)),
                 b->kind->pose(cn_body_q(b, b->q_mid, m->j))};
    at.j.x = cn_add3(at.j.x, m->offset_mid);
    return at;
}

// Whether balls around the bodies keep them apart.
static bool are_apart(const motion *m, const places *at)
{
    const cn_bodies *b = m->b;
    double reach = b->reach[m->i] + b->reach[m->j];
    return cn_norm3(cn_sub3(at->i.x, at->j.x)) > reach;
}

// Where an impulse at a point of a body has to act at q_mid so that it moves that point as it moves
// on the way: a turn by the Cayley transform moves it along the mean of both arms (6.3).
static cn_vec3 point_of_action(const cn_body_pose *mid, const cn_body_pose *then, cn_vec3 point)
{
    cn_vec3 arm = cn_sub3(point, then->x), local = cn_mat3_mul_transposed(&then->R, arm);
    cn_vec3 before = cn_mat3_mul(&mid->R, local);
    return cn_add_mul3(mid->x, 0.5, cn_add3(arm, before));
}

// The same for both bodies: midway, or that of the one which can move.
static cn_vec3 common_point(const motion *m, const places *mid, const places *then, cn_vec3 point)
{
    cn_vec3 on_i = point_of_action(&mid->i, &then->i, point);
    cn_vec3 on_j = point_of_action(&mid->j, &then->j, point);
    cn_vec3 at = cn_mul3(0.5, cn_add3(on_i, on_j));
    return cn_body_is_held(m->b, m->i) ? on_j : cn_body_is_held(m->b, m->j) ? on_i : at;
}

// Velocity of both bodies against each other at a point.
static cn_vec3 velocity_between(const motion *m, const places *mid, const double *v, cn_vec3 at)
{
    const cn_bodies *b = m->b;
    cn_vec3 of_i =
        cn_add3(speed_of(b, v, m->i), cn_cross3(spin_of(b, v, m->i), cn_sub3(at, mid->i.x)));
    cn_vec3 of_j =
        cn_add3(speed_of(b, v, m->j), cn_cross3(spin_of(b, v, m->j), cn_sub3(at, mid->j.x)));
    return cn_add3(cn_sub3(of_i, of_j), m->by_cell);
}

// A point of this step.
static cn_point point_at(const motion *m, cn_vec3 at, double gap, const cn_touch3 *touch)
{
    const cn_turning *pair = m->pair;
    uint64_t shapes = (uint64_t)(pair->s - m->b->shape_start[m->i]) << 48 |
                      (uint64_t)(pair->t - m->b->shape_start[m->j]) << 32;
    return (cn_point){
        .i = m->i,
        .j = m->j,
        .law = pair->law,
        .shift = {pair->shift[0], pair->shift[1], pair->shift[2]},
        .feature = shapes | touch->feature,
        .point = at,
        .normal = touch->normal,
        .gap = gap,
        .anchor = {-1, -1},
    };
}

// What the step has for a velocity to move along until the next q_mid [s].
static double time_ahead(const motion *m)
{
    return (m->step->theta + m->step->gamma) * m->step->h;
}

// A touch on the way as a point of this step: its gap is the one that the velocities of the solve
// would have closed to what was found (6.2).
static cn_point point_from(const motion *m, const places *mid, const places *then, double part,
                           double floor, const cn_touch3 *touch)
{
    cn_vec3 at = common_point(m, mid, then, touch->point);
    double u = cn_dot3(touch->normal, velocity_between(m, mid, m->b->v_solved, at));
    double time = part * time_ahead(m), deepest = -(1.01 * part * m->way + DEEPER * m->size);
    double closed =
        fmax(touch->gap - floor, deepest); // surfaces have come no closer than they move
    return point_at(m, at, m->step->h * (closed / time - u), touch);
}

// Whether the law holds surfaces apart at such a point. Springs let them enter until they pass
// (6.8), the velocity form until they touch.
static bool holds(const motion *m, const places *mid, const cn_point *x)
{
    const cn_normal *normal = &m->step->law[x->law].normal;
    if (m->passes) {
        return true;
    }
    if (normal->stiffness > 0.0) {
        return false;
    }
    double U_n = cn_dot3(x->normal, velocity_between(m, mid, m->b->v_before, x->point));
    return cn_normal_holds_from_ccd(normal, x->gap, x->gap - m->step->gamma * m->step->h * U_n,
                                    m->size);
}

// Where a pair enters on its way.
typedef struct entry {
    double floor;   // what it may keep of its depth at q_mid [m]
    double outside; // last place before it enters, as a part of the way
    double part;    // the deepest place on the side where it enters first, likewise; 0: it does not
    double depth;   // there [m]
} entry;

// Points of the places `then`, which have to be free of the depth that the pair has after a part of
// the way; is_entry: that is deeper than they are.
static cn_status add_points(const motion *m, const places *then, bool is_entry, const entry *at,
                            cn_slice *points, cn_error *err)
{
    cn_touch3 touch[CN_TOUCH3_MAX];
    int count = touch_at(m->b, m->step->cache, m->pair, then, m->way, 0.0, touch);
    places mid = places_mid(m);
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        least = fmin(least, touch[k].gap);
    }
    double deeper = is_entry ? at->depth + least : 0.0;
    CN_TRY(cn_slice_room(points, (size_t)count, err));
    cn_point *list = points->item;
    for (int k = 0; k < count; k++) {
        touch[k].gap -= deeper;
        cn_point one = point_from(m, &mid, then, at->part, at->floor, &touch[k]);
        if (holds(m, &mid, &one)) {
            list[points->count++] = one;
        }
    }
    return CN_OK;
}

// Points at q_mid whose gap the solve closes, of which a law that is late has asked nothing so far
// (6.5): their normals are those of the approach.
static cn_status add_closing(const motion *m, bool *some, cn_slice *points, cn_error *err)
{
    cn_touch3 touch[CN_TOUCH3_MAX];
    places mid = places_mid(m);
    int count = touch_at(m->b, m->step->cache, m->pair, &mid, m->way, m->way, touch);
    size_t before = points->count;
    CN_TRY(cn_slice_room(points, (size_t)count, err));
    cn_point *list = points->item;
    for (int k = 0; k < count; k++) {
        cn_vec3 v = velocity_between(m, &mid, m->b->v_solved, touch[k].point);
        double left = touch[k].gap + time_ahead(m) * cn_dot3(touch[k].normal, v);
        cn_point one = point_at(m, touch[k].point, touch[k].gap, &touch[k]);
        if (touch[k].gap > 0.0 && left < -DEEPER * m->size && holds(m, &mid, &one)) {
            list[points->count++] = one;
        }
    }
    *some = points->count > before;
    return CN_OK;
}

// The deepest touch of a pair, INFINITY: it does not touch.
static double deepest(const motion *m, const places *at, cn_vec3 *normal)
{
    cn_touch3 touch[CN_TOUCH3_MAX];
    int count = are_apart(m, at) ? 0 : touch_at(m->b, m->step->cache, m->pair, at, 0.0, 0.0, touch);
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        if (touch[k].gap < least) {
            least = touch[k].gap;
            *normal = touch[k].normal;
        }
    }
    return least;
}

// Looks along the way of a pair. Where it enters first says on which side; from there on, as long
// as it stays in and on that side, the deepest place is the one that counts.
static entry find_entry(const motion *m)
{
    int strides = (int)fmin(fmax(ceil(m->way / (STRIDE * m->size)), 1.0), STRIDES_MAX);
    entry at = {.floor = INFINITY};
    cn_vec3 first = {0.0, 0.0, 0.0}, normal;
    for (int k = 1; k <= strides; k++) {
        places then = places_on_way(m, (double)k / strides);
        double least = deepest(m, &then, &normal);
        if (least < -DEPTH * m->size && at.floor == INFINITY) {
            places mid = places_mid(m);
            at.floor = fmin(0.0, deepest(m, &mid, &first));
        }
        bool is_in = least < -DEPTH * m->size && least < at.floor - DEEPER * m->size;
        if (at.part > 0.0 && (!is_in || cn_dot3(first, normal) < SAME_SIDE)) {
            break;
        }
        if (is_in && -least > at.depth) {
            at.outside = at.part > 0.0 ? at.outside : (double)(k - 1) / strides;
            first = at.part > 0.0 ? first : normal;
            at.part = (double)k / strides;
            at.depth = -least;
        }
    }
    return at;
}

// The place where a pair has just entered: there the normal is that of the approach, while deep
// inside it may be that of the shortest way out, sideways.
static double first_part(const motion *m, const entry *at)
{
    double outside = at->outside, inside = at->part;
    cn_vec3 normal;
    for (int k = 0; k < HALVINGS; k++) {
        double part = 0.5 * (outside + inside);
        places then = places_on_way(m, part);
        bool is_in = deepest(m, &then, &normal) < at->floor - DEEPER * m->size;
        inside = is_in ? part : inside;
        outside = is_in ? outside : part;
    }
    return inside;
}

// Counts looks in vain: those that find a pair as deep as the one before. A look may be asked for
// again within itself.
static int count_vain(cn_turning *pair, int look, double depth, double size)
{
    if (pair->look != look) {
        pair->before = pair->look > 0 ? pair->depth : INFINITY;
        pair->vain_before = pair->look > 0 ? pair->vain : 0;
        pair->look = look;
    }
    pair->depth = depth;
    bool is_vain = depth > pair->before - DEEPER * size;
    pair->vain = is_vain ? pair->vain_before + 1 : 0;
    return pair->vain;
}

// Points that keep a pair out: those of the approach where the law is late, else those of the
// deepest place, and where these do not help those of the place where it enters, which have as long
// to be rid of its depth: at once would be a kick. Bonded bodies turn about their bond, beside
// which points would have no arm: what touches there bonds in its turn.
static cn_status look_at(motion *m, int look, cn_slice *points, cn_error *err)
{
    entry at = find_entry(m);
    m->passes = at.depth > PASSED * m->size;
    if (at.part == 0.0 || m->step->is_bonded(m->step->context, m->i, m->j)) {
        return CN_OK;
    }
    int vain = count_vain(m->pair, look, at.depth, m->size);
    if (vain > VAIN_MAX) {
        return CN_OK;
    }
    if (cn_law_needs_ccd(&m->step->law[m->pair->law])) {
        bool some;
        CN_TRY(add_closing(m, &some, points, err));
        if (some) {
            return CN_OK;
        }
    }
    places then = places_on_way(m, vain == 0 ? at.part : first_part(m, &at));
    return add_points(m, &then, vain > 0, &at, points, err);
}

// ---- blades

// A pair after a part of its way, and all of its touches there.
typedef struct stand {
    double part;
    places mid, then;
    cn_touch3 touch[CN_TOUCH3_MAX];
    double speed[CN_TOUCH3_MAX]; // along the normals, < 0: they close [m/s]
    int count, nearest;
    double free; // part of the way from here on until they meet, at least
} stand;

// `turn` is the way of surfaces by turning, which touches do not tell [m].
static void stand_at(const motion *m, double part, double turn, stand *x)
{
    x->part = part;
    x->mid = places_mid(m);
    x->then = places_on_way(m, part);
    x->count = are_apart(m, &x->then)
                   ? 0
                   : touch_at(m->b, m->step->cache, m->pair, &x->then, m->way, 0.0, x->touch);
    x->nearest = 0;
    x->free = STRIDE;
    for (int k = 0; k < x->count; k++) {
        const cn_touch3 *touch = &x->touch[k];
        cn_vec3 at = common_point(m, &x->mid, &x->then, touch->point);
        x->speed[k] = cn_dot3(touch->normal, velocity_between(m, &x->mid, m->b->v_solved, at));
        double closing = fmax(-x->speed[k], 0.0) * time_ahead(m) + turn;
        x->nearest = touch->gap < x->touch[x->nearest].gap ? k : x->nearest;
        double room = fmax(touch->gap - 0.5 * MET * m->size, 0.0);
        x->free = closing > 0.0 ? fmin(x->free, room / closing) : x->free;
    }
}

static double gap_at(const stand *x)
{
    return x->count > 0 ? x->touch[x->nearest].gap : INFINITY;
}

// Leads a pair that is apart at q_mid to the place where it meets; false: there is none.
static bool lead_to_meeting(const motion *m, double turn, stand *x)
{
    stand next;
    stand_at(m, 0.0, turn, x);
    double step = x->free, least = 0.5 * MET * m->size / m->way;
    for (int k = 0; k < LEADS_MAX && gap_at(x) > MET * m->size && x->part < 1.0; k++) {
        stand_at(m, fmin(x->part + fmax(step, least), 1.0), turn, &next);
        bool is_in = gap_at(&next) < 0.0; // by a feature that was not seen before
        if (is_in && !(step > least)) {
            break;
        }
        *x = is_in ? *x : next;
        step = is_in ? 0.5 * step : x->free;
    }
    return gap_at(x) > 0.0 && gap_at(x) <= MET * m->size && x->speed[x->nearest] < 0.0;
}

// Gap of touch k at the end of the way.
static double gap_left(const motion *m, const stand *x, int k)
{
    return x->touch[k].gap + (1.0 - x->part) * time_ahead(m) * x->speed[k];
}

// Whether the end of the way shows the pair on the side where it meets.
static bool is_shown(const motion *m, const stand *x)
{
    cn_touch3 touch[CN_TOUCH3_MAX];
    places then = places_on_way(m, 1.0);
    int count =
        are_apart(m, &then) ? 0 : touch_at(m->b, m->step->cache, m->pair, &then, 0.0, 0.0, touch);
    for (int k = 0; k < count; k++) {
        if (cn_dot3(touch[k].normal, x->touch[x->nearest].normal) > SAME_SIDE &&
            touch[k].gap <= SHOWN * gap_left(m, x, x->nearest)) {
            return true;
        }
    }
    return false;
}

// Points that keep a pair from passing a blade, or from being seen on its other side.
static cn_status look_through(motion *m, double turn, int look, cn_slice *points, cn_error *err)
{
    stand x;
    if (m->step->is_bonded(m->step->context, m->i, m->j) || !lead_to_meeting(m, turn, &x)) {
        return CN_OK;
    }
    double left = gap_left(m, &x, x.nearest);
    if (left > -DEEPER * m->size || is_shown(m, &x) ||
        count_vain(m->pair, look, -left, m->size) > VAIN_MAX) {
        return CN_OK;
    }
    CN_TRY(cn_slice_room(points, (size_t)x.count, err));
    cn_point *list = points->item;
    for (int k = 0; k < x.count; k++) {
        cn_touch3 touch = x.touch[k];
        touch.gap = gap_left(m, &x, k);
        list[points->count++] = point_from(m, &x.mid, &x.then, 1.0, 0.0, &touch);
    }
    return CN_OK;
}

// Whether a sharp edge is thin against the step. Springs let bodies enter as far as they may (6.8),
// whatever is thin there.
static bool may_pass(const motion *m)
{
    const cn_bodies *b = m->b;
    bool is_sharp = b->dim == 3 && (b->solid[m->pair->s].is_sharp || b->solid[m->pair->t].is_sharp);
    return is_sharp && m->way > DEPTH * m->size &&
           m->step->law[m->pair->law].normal.stiffness == 0.0;
}

// ---- all pairs

typedef struct looks {
    const cn_ccd *a;
    const cn_bodies *b;
    const cn_ccd_step *step;
    double C_next[9]; // of the periodic cell, at the next middle configuration [m]
} looks;

// What the periodic cell does to a pair.
static void see_cell(motion *m, const double C_next[9])
{
    const cn_bodies *b = m->b;
    if (!cn_cell_is_there(b)) {
        return;
    }
    m->offset_mid = cn_cell_offset(b->cell->C_mid, m->pair->shift);
    m->offset_next = cn_cell_offset(C_next, m->pair->shift);
    if (!cn_body_is_held(b, m->i) && !cn_body_is_held(b, m->j)) {
        places mid = places_mid(m);
        m->by_cell = cn_cell_mul(b->cell->L, cn_sub3(mid.i.x, mid.j.x));
    }
}

// The next middle configuration, of bodies and of the cell.
static void find_next(cn_ccd *a, const cn_bodies *b, const cn_ccd_step *step, double C_next[9])
{
    double ahead = step->gamma * step->h;
    for (int i = 0; i < b->count; i++) {
        double *q = a->q + b->kind->q_size * i;
        const double *now = cn_body_q(b, b->q, i);
        b->kind->advance(now, cn_body_v(b, b->v, i), ahead, q);
        if (cn_cell_is_there(b) && !cn_body_is_held(b, i)) {
            cn_vec3 x = cn_v3(now[0], now[1], b->dim == 3 ? now[2] : 0.0);
            cn_vec3 by_cell = cn_mul3(ahead, cn_cell_mul(b->cell->L, x));
            q[0] += by_cell.x;
            q[1] += by_cell.y;
            q[2] += b->dim == 3 ? by_cell.z : 0.0;
        }
    }
    for (int k = 0; k < 3 && cn_cell_is_there(b); k++) { // columns
        const double *C = b->cell->C;
        cn_vec3 column = cn_v3(C[k], C[3 + k], C[6 + k]);
        column = cn_add_mul3(column, ahead, cn_cell_mul(b->cell->L, column));
        C_next[k] = column.x;
        C_next[3 + k] = column.y;
        C_next[6 + k] = column.z;
    }
}

static cn_status look_at_part(void *context, int k, int count, cn_slice *points, cn_error *err)
{
    const looks *all = context;
    const cn_bodies *b = all->b;
    double h = all->step->h;
    int first = (int)((int64_t)all->a->pair_count * k / count);
    int end = (int)((int64_t)all->a->pair_count * (k + 1) / count);
    for (int n = first; n < end; n++) {
        if (cn_stop_is_asked(all->a->stop)) {
            return cn_fail(err, CN_STOPPED, "stopped on request while contacts were found");
        }
        cn_turning *pair = &all->a->pair[n];
        motion m = {.b = b,
                    .step = all->step,
                    .q_next = all->a->q,
                    .pair = pair,
                    .i = cn_shape_body(b, pair->s),
                    .j = cn_shape_body(b, pair->t)};
        see_cell(&m, all->C_next);
        m.size = smaller_size(b, pair->s, pair->t);
        double turn = turn_of(b, pair->s, h) + turn_of(b, pair->t, h);
        cn_vec3 apart = cn_sub3(speed_of(b, b->v, m.i), speed_of(b, b->v, m.j));
        m.way = turn + h * cn_norm3(cn_add3(apart, m.by_cell));
        bool needs_ccd = cn_law_needs_ccd(&all->step->law[pair->law]);
        size_t before = points->count;
        if ((needs_ccd ? m.way : turn) > DEPTH * m.size || m.way > FAR * m.size) {
            CN_TRY(look_at(&m, all->a->look, points, err));
        }
        if (points->count == before && may_pass(&m)) {
            CN_TRY(look_through(&m, turn, all->a->look, points, err));
        }
    }
    return CN_OK;
}

cn_status cn_ccd_look(cn_ccd *a, const cn_bodies *b, const cn_ccd_step *step, const cn_hooks *hooks,
                      cn_error *err)
{
    a->point_count = 0;
    a->look++;
    if (a->pair_count == 0) {
        return CN_OK;
    }
    CN_TRY(cn_reserve(hooks, &a->q, &a->q_capacity, (size_t)(b->kind->q_size * b->count), err));
    looks all = {.a = a, .b = b, .step = step};
    find_next(a, b, step, all.C_next);
    size_t found = 0;
    cn_list points = {(void **)&a->point, sizeof *a->point, &found, &a->point_capacity};
    int threads = cn_share(step->thread_count, a->pair_count, SHARED_PAIRS);
    CN_TRY(cn_slices_fill(&a->parts, hooks, threads, look_at_part, &all, points, err));
    a->point_count = (int)found;
    size_t kept = (size_t)a->kept_count;
    CN_TRY(cn_reserve(hooks, &a->kept, &a->kept_capacity, kept + found, err));
    for (size_t n = 0; n < found; n++) {
        a->kept[kept + n] = a->point[n];
    }
    a->kept_count += (int)found;
    return CN_OK;
}
