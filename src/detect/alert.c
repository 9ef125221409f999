// detect/alert.c -- alert distances: how far bodies may move in a step, theory 5.1 and 6.1.
#include "detect/alert.h"

#include "base/tasks.h"
#include "body/cell.h"
#include "body/deformable/deformables.h"
#include "body/rigid.h"

enum { SHARED_BODIES = 1024 }; // per thread

static cn_status reserve(cn_detect *d, const cn_bodies *b, cn_error *err)
{
    size_t count = (size_t)b->count;
    size_t shapes = b->count > 0 ? (size_t)b->shape_start[b->count] : 0;
    CN_TRY(cn_reserve(d->hooks, &d->motion, &d->motion_capacity, count, err));
    CN_TRY(cn_reserve(d->hooks, &d->drift, &d->drift_capacity, count, err));
    CN_TRY(cn_reserve(d->hooks, &d->ball, &d->ball_capacity, count, err));
    // Boxes are written after the motion: until then they are room for the paces of bodies.
    return cn_reserve(d->hooks, &d->box, &d->box_capacity, shapes > count ? shapes : count, err);
}

static inline cn_vec3 translation_as(int dim, const double *velocity, int i)
{
    const double *v = velocity + cn_rigid_dof(dim) * i;
    return cn_v3(v[0], v[1], dim == 3 ? v[2] : 0.0);
}

static cn_vec3 translation(const cn_bodies *b, const double *velocity, int i)
{
    return translation_as(b->dim, velocity, i);
}

// Speed of the points of a body relative to its mass centre.
static double turning(const cn_bodies *b, const double *velocity, int i)
{
    double grown = b->growth == NULL ? 0.0 : fabs(b->growth[i]);
    const double *v = cn_body_v(b, velocity, i);
    double spin = 0.0;
    for (int d = b->dim; d < b->kind->dof; d++) {
        spin += v[d] * v[d];
    }
    return spin == 0.0 ? grown : grown + sqrt(spin) * b->reach[i]; // the reach may be infinite
}

// Largest difference between `centre` and velocities of points of body i, before the step and free.
static double range_of(const cn_bodies *b, int i, cn_vec3 centre)
{
    if (b->deformable[i] >= 0) {
        return cn_norm3(cn_sub3(translation(b, b->v, i), centre)) + b->spread[i];
    }
    double before = cn_norm3(cn_sub3(translation(b, b->v, i), centre)) + turning(b, b->v, i);
    double after = cn_norm3(cn_sub3(translation(b, b->v_free, i), centre));
    return fmax(before, after + turning(b, b->v_free, i));
}

// Two numbers side by side, for choices without branches: which neighbour is the fastest cannot be
// foretold.
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

static inline two choose(two_masks mask, two yes, two no)
{
    return (two)((mask & (two_masks)yes) | (~mask & (two_masks)no));
}

// Leans the ball of body i, whose radius is the square of the largest difference so far, towards
// neighbour k: its centre is halfway to the neighbour whose velocity differs most.
static inline void lean(cn_detect *d, const cn_bodies *b, int dim, int i, int k)
{
    cn_drift *ball = &d->drift[i];
    cn_vec3 own = translation_as(dim, b->v, i), other = translation_as(dim, b->v, k);
    cn_vec3 apart = cn_sub3(other, own), middle = cn_mul3(0.5, cn_add3(own, other));
    double apart2 = cn_dot3(apart, apart);
    two radius = {ball->radius, ball->radius};
    two_masks is_more = (two){apart2, apart2} > radius;
    two xy = choose(is_more, (two){middle.x, middle.y}, (two){ball->centre.x, ball->centre.y});
    two zr = choose(is_more, (two){middle.z, apart2}, (two){ball->centre.z, ball->radius});
    *ball = (cn_drift){{xy[0], xy[1], zr[0]}, zr[1]};
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

// Speed of the points of a body relative to its mass centre, before the step and free [m/s].
typedef struct pace {
    double before, free;
} pace;

// The radius of a ball that holds the velocities of body k as well; as range_of.
static inline double widen(const cn_bodies *b, int dim, const pace *turn, int k,
                           const cn_drift *ball)
{
    if (b->deformable[k] >= 0) {
        return larger(range_of(b, k, ball->centre), ball->radius);
    }
    double before = cn_norm3(cn_sub3(translation_as(dim, b->v, k), ball->centre));
    double free = cn_norm3(cn_sub3(translation_as(dim, b->v_free, k), ball->centre));
    before += turn[k].before;
    free += turn[k].free;
    return larger(free, larger(before, ball->radius));
}

// In a cell that deforms centres that far apart come closer as well; those that touch are apart by
// their reaches and what they move.
static double motion_of(const cn_detect *d, const cn_bodies *b, int i)
{
    double own = d->h * (cn_norm3(d->drift[i].centre) + d->drift[i].radius) + 0.5 * d->reach +
                 cn_rest_reach(b, i);
    return d->strain > 0.0 && isfinite(b->reach[i])
               ? (own + d->strain * b->reach[i]) / (1.0 - fmin(d->strain, 0.5))
               : own;
}

// Keeps the ball of body i until the solve is done: that memory is lent to it. Where a solve of
// this step has made it wider it stays so.
static void keep_ball(cn_detect *d, int i)
{
    cn_drift *x = &d->drift[i];
    if (d->needs_redetect) {
        x->radius = larger(x->radius, d->ball[i].radius);
    }
    d->ball[i] =
        (cn_ball){{(float)x->centre.x, (float)x->centre.y, (float)x->centre.z}, (float)x->radius};
}

// Makes the ball of body i hold the velocities of body k.
static void hold(cn_detect *d, const cn_bodies *b, int i, int k)
{
    cn_drift *ball = &d->drift[i];
    ball->radius = fmax(ball->radius, range_of(b, k, ball->centre));
    keep_ball(d, i);
    d->motion[i] = motion_of(d, b, i);
}

void cn_detect_share(cn_detect *d, const cn_bodies *b, int i, int j)
{
    if (!cn_body_is_passive(b, i)) {
        hold(d, b, i, j);
    }
    if (!cn_body_is_passive(b, j)) {
        hold(d, b, j, i);
    }
}

// Names a body whose own motion is lost, not one that it may push.
static cn_status check_motion(cn_detect *d, const cn_bodies *b, int i, cn_error *err)
{
    d->drift[i] = (cn_drift){translation(b, b->v, i), 0.0};
    hold(d, b, i, i);
    if (!isfinite(d->motion[i])) {
        return cn_fail(err, CN_BROKEN, "body %llu moves at %g m/s", (unsigned long long)b->id[i],
                       d->motion[i] / d->h);
    }
    return CN_OK;
}

// The balls of velocities of all bodies: of what touched in the last step, what hits one may push
// the other. The dimension is a literal.
static inline void find_balls(cn_detect *d, const cn_bodies *b, int dim, const cn_links *touching,
                              const cn_incidence *of, int threads)
{
    pace *turn = (pace *)(void *)d->box;
    CN_SHARED_FOR(threads, (schedule(static)), i, b->count, {
        turn[i] = (pace){turning(b, b->v, i), turning(b, b->v_free, i)};
        double most = cn_body_is_passive(b, i) ? INFINITY : 0.0; // what is held does not lean
        d->drift[i] = (cn_drift){translation(b, b->v, i), most};
    });
    CN_SHARED_ENDS(threads, of, touching->count, end, {
        int pair[2];
        cn_link_nodes(touching, end / 2, pair);
        lean(d, b, dim, pair[end % 2], pair[1 - end % 2]);
    });
    CN_SHARED_FOR(threads, (schedule(static)), i, b->count, {
        d->drift[i].radius = 0.0;
        d->drift[i].radius = widen(b, dim, turn, i, &d->drift[i]);
    });
    CN_SHARED_ENDS(threads, of, touching->count, end, {
        int pair[2];
        cn_link_nodes(touching, end / 2, pair);
        int i = pair[end % 2];
        if (!cn_body_is_held(b, i)) {
            d->drift[i].radius = widen(b, dim, turn, pair[1 - end % 2], &d->drift[i]);
        }
    });
}

cn_status cn_detect_motion(cn_detect *d, const cn_bodies *b, double h, cn_links touching,
                           const cn_incidence *of, cn_error *err)
{
    CN_TRY(reserve(d, b, err));
    d->h = h;
    d->reach = d->law_reach;
    double strain = cn_cell_is_there(b) ? h * cn_cell_speed(b->cell) : 0.0;
    d->strain = d->needs_redetect ? fmax(strain, d->strain) : strain;
    int threads = cn_share(d->thread_count, b->count, SHARED_BODIES);
    if (threads > 1 && of == NULL) {
        CN_TRY(cn_incidence_build(&d->touching, d->hooks, b->count, touching, threads, err));
        of = &d->touching;
    }
    if (b->dim == 2) {
        find_balls(d, b, 2, &touching, of, threads);
    } else {
        find_balls(d, b, 3, &touching, of, threads);
    }
    bool is_lost = false;
    CN_SHARED_FOR(threads,
                  (schedule(static) reduction(||
                                              : is_lost)),
                  i, b->count, {
                      keep_ball(d, i);
                      d->motion[i] = motion_of(d, b, i);
                      is_lost = is_lost || !isfinite(d->motion[i]);
                  });
    for (int i = 0; i < b->count && is_lost; i++) {
        if (!isfinite(d->motion[i])) {
            CN_TRY(check_motion(d, b, i, err));
        }
    }
    return CN_OK;
}

void cn_detect_needs_redetect(cn_detect *d, const cn_bodies *b)
{
    const double MISSED = 5e-3; // way past the ball that counts, of the size [-]
    d->needs_redetect = false;
    double strain = cn_cell_is_there(b) ? d->h * cn_cell_speed(b->cell) : 0.0;
    if (strain > d->strain + MISSED) {
        d->strain = strain;
        d->needs_redetect = true;
    }
    for (int i = 0; i < b->count; i++) {
        if (cn_body_is_passive(b, i)) {
            continue;
        }
        cn_ball *ball = &d->ball[i];
        cn_vec3 centre = cn_v3(ball->centre[0], ball->centre[1], ball->centre[2]);
        double apart = cn_norm3(cn_sub3(translation(b, b->v, i), centre));
        double radius =
            b->deformable[i] >= 0
                ? cn_deformable_range(b->deformables, b->deformable[i], centre, b->deformables->v)
                : apart + turning(b, b->v, i);
        if (d->h * (radius - ball->radius) > MISSED * b->size[i]) {
            ball->radius = (float)radius;
            d->needs_redetect = true;
        }
    }
}

cn_status cn_detect_reach(cn_detect *d, const cn_bodies *b, double reach, cn_error *err)
{
    CN_TRY(reserve(d, b, err));
    d->h = d->strain = 0.0;
    d->reach = reach;
    for (int i = 0; i < b->count; i++) {
        d->motion[i] = 0.5 * reach + cn_rest_reach(b, i);
        d->drift[i] = (cn_drift){.radius = 0.0};
    }
    return CN_OK;
}

// How far points of i and j may move against each other in the step.
double cn_detect_between(const cn_detect *d, const cn_bodies *b, int i, int j)
{
    cn_vec3 v_j = translation(b, b->v, j);
    return d->h * (range_of(b, i, v_j) + range_of(b, j, v_j));
}

// How far points of i and j move against each other in a step with the velocities it begins with
// (5.3); deformable bodies have no part in it.
double cn_detect_sweep(const cn_detect *d, const cn_bodies *b, int i, int j)
{
    double apart = cn_norm3(cn_sub3(translation(b, b->v, i), translation(b, b->v, j)));
    return d->h * (apart + turning(b, b->v, i) + turning(b, b->v, j));
}

double cn_detect_way(const cn_detect *d, const cn_bodies *b, int i, int j)
{
    double before = cn_norm3(cn_sub3(translation(b, b->v, i), translation(b, b->v, j)));
    double free = cn_norm3(cn_sub3(translation(b, b->v_free, i), translation(b, b->v_free, j)));
    return d->h * fmax(before, free);
}
