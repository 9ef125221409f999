// validation/e07_order.c -- E07: order of convergence in time.
//
// Question: does the error of the velocity fall as it should? Reference: order 1 across impacts and
// changes of status, 2 in smooth phases for theta = 1/2; the L1 error is averaged over 8 first
// steps of a fraction of h, because single runs scatter with the phase of the impact. Source: Acary
// and Brogliato 2008.
#include "builders.h"
#include "solids.h"
#include "table.h"
#include <stdlib.h>

#define LEVEL_COUNT 4
#define OFFSET_COUNT 8

typedef struct motion {
    const char *name;
    double h, duration; // coarsest step [s]
    double least_order;
    int fine; // steps of the reference run per step h
    cn_body_id (*build)(cn_book *book, cn_trial *t);
    double (*observe)(const cn_body_state *s);
    double (*exact)(double t); // NULL: a run with steps of h/fine
} motion;

static double vertical(const cn_body_state *s)
{
    return s->velocity[1];
}

static double horizontal(const cn_body_state *s)
{
    return s->velocity[0];
}

static double spin(const cn_body_state *s)
{
    return s->angular_velocity[2];
}

#define STIFFNESS 1962.0 // of the ball of 1 kg [N/m]

static cn_body_id build_elastic(cn_book *book, cn_trial *t, double z)
{
    cn_world_def def = cn_trial_def();
    cn_law_def law = cn_law_default("elastic");
    cn_law_set(&law, "stiffness", STIFFNESS, NULL);
    cn_ball ball = cn_build_ball(book, &def, &law, z, 0.0);
    *t = ball.trial;
    return ball.id;
}

static cn_body_id build_bounce(cn_book *book, cn_trial *t)
{
    return build_elastic(book, t, 1.0);
}

static double exact_bounce(double t)
{
    double w = sqrt(STIFFNESS), v0 = sqrt(2.0 * CN_G), s = t - sqrt(2.0 / CN_G);
    double contact = 2.0 / w * (CN_PI - atan(v0 * w / CN_G));
    if (s < 0.0) {
        return -CN_G * t;
    }
    return s < contact ? -CN_G / w * sin(w * s) - v0 * cos(w * s) : v0 - CN_G * (s - contact);
}

// Released above the static sag: stays in contact and swings about the static sag.
static cn_body_id build_swing(cn_book *book, cn_trial *t)
{
    return build_elastic(book, t, -1e-3);
}

static double exact_swing(double t)
{
    double w = sqrt(STIFFNESS), sag = CN_G / STIFFNESS;
    return -w * (sag - 1e-3) * sin(w * t);
}

static cn_body_id build_rolling(cn_book *book, cn_trial *t)
{
    cn_world_def def = cn_trial_def();
    *t = cn_trial_begin(book, &def);
    cn_trial_coulomb(t, 0.2, 0.0);
    cn_build_plane(t, (cn_body_def){0});
    return cn_build_disk(
        t, 0.1, (cn_body_def){.density = 1000.0, .at = {0.0, 0.1}, .velocity = {3.0, 0.0}});
}

static double exact_rolling(double t)
{
    return fmax(3.0 - 0.2 * CN_G * t, 2.0);
}

static cn_body_id build_rocking(cn_book *book, cn_trial *t)
{
    const double tilt = 0.5 * atan(0.25);
    cn_vec2 centre = cn_turn2(cn_v2(-0.1, 0.4), cos(tilt), -sin(tilt));
    cn_world_def def = cn_trial_def();
    *t = cn_trial_begin(book, &def);
    cn_trial_coulomb(t, 1.0, 0.0);
    cn_build_plane(t, (cn_body_def){0});
    return cn_build_box(
        t, 0.2, 0.8, (cn_body_def){.density = 2000.0, .at = {centre.x, centre.y}, .angle = -tilt});
}

// A bar of D03 with the number of elements of the trial's book: fewer in a fast one.
static cn_body_id add_bar(cn_trial *t, double at, double speed)
{
    cn_soft bar =
        cn_soft_box(t->book, CN_QUAD4, (int[]){cn_book_is_fast(t->book) ? 10 : 100, 1},
                    (double[]){at, 0.0}, (double[]){10.0, 2.0}, cn_soft_elastic(1.0, 0.0, 1.0));
    bar.mesh.thickness = 2.0;
    cn_body_id id = cn_soft_add(t, &bar, (cn_body_def){.velocity = {speed}});
    cn_soft_free(&bar);
    return id;
}

static cn_trial begin_weightless(cn_book *book)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, 0.0);
    return t;
}

static cn_body_id build_bars(cn_book *book, cn_trial *t)
{
    *t = begin_weightless(book);
    cn_body_id front = add_bar(t, -10.0, 0.1);
    add_bar(t, 0.0, -0.1);
    return front;
}

// One bar that swings in its first mode, held at an end.
static cn_body_id build_vibration(cn_book *book, cn_trial *t)
{
    *t = begin_weightless(book);
    cn_body_id id = add_bar(t, 0.0, 0.0);
    cn_soft_hold(t, id, "x0", CN_DOF_X);
    cn_node_view n = cn_soft_nodes(t, id);
    double *v = calloc(2 * (size_t)n.node_count + 1, sizeof *v);
    cn_error err = {0};
    for (int a = 0; v != NULL && a < n.node_count; a++) {
        v[2 * a] = 0.1 * sin(0.05 * CN_PI * n.X[2 * a]);
    }
    if (!t->is_broken) {
        cn_trial_ok(t, cn_body_set_nodes(t->world, id, NULL, v, &err), &err);
    }
    free(v);
    return id;
}

static int fine_count(const motion *m)
{
    return (int)lround(m->duration / m->h) * m->fine;
}

// The reference at multiples of h/fine: exact, or of a run.
static double *make_reference(cn_book *book, const motion *m)
{
    double h = m->h / m->fine;
    double *fine = calloc((size_t)fine_count(m), sizeof *fine);
    cn_trial t = {0};
    cn_body_id id = m->build(book, &t);
    for (int n = 0; fine && n < fine_count(m); n++) {
        if (m->exact) {
            fine[n] = m->exact(n * h);
        } else {
            cn_body_state s = cn_trial_state(&t, id);
            fine[n] = m->observe(&s);
            cn_trial_step(&t, h);
        }
    }
    cn_trial_end(&t);
    return fine;
}

// Mean |v - v_reference| over the run with steps h/2^level, the first one shortened; v is linear
// within a step.
static double run_error(cn_book *book, const motion *m, const double *fine, int level, int offset)
{
    int stride = m->fine >> level, step = stride * (offset + 1) / OFFSET_COUNT;
    double unit = m->h / m->fine, sum = 0.0, v = fine[0];
    int n = 0;
    cn_trial t = {0};
    cn_body_id id = m->build(book, &t);
    while (n + step < fine_count(m) && cn_trial_step(&t, step * unit)) {
        cn_body_state s = cn_trial_state(&t, id);
        double v_new = m->observe(&s);
        for (int k = 1; k <= step; k++) {
            sum += fabs(v + (v_new - v) * k / step - fine[n + k]);
        }
        v = v_new;
        n += step;
        step = stride;
    }
    cn_trial_end(&t);
    return sum / n;
}

// Slope of log(error) over log(h), by least squares over the levels.
static double observed_order(cn_book *book, const motion *m, const double *fine)
{
    double sum_xy = 0.0, sum_xx = 0.0;
    for (int level = 0; level < LEVEL_COUNT; level++) {
        double error = 0.0, x = 0.5 * (LEVEL_COUNT - 1) - level;
        for (int offset = 0; offset < OFFSET_COUNT; offset++) {
            error += run_error(book, m, fine, level, offset) / OFFSET_COUNT;
        }
        sum_xy += x * log2(error);
        sum_xx += x * x;
    }
    return sum_xy / sum_xx;
}

void cn_case_E07(cn_book *book)
{
    const double unit = cn_book_is_fast(book) ? 1.0 : 0.1; // length of an element of the bars [m]
    const motion motions[] = {
        {"elastic bounce (A05)", 2.8e-3, 0.7, 0.8, 512, build_bounce, vertical, exact_bounce},
        {"elastic swing, smooth", 2.8e-3, 0.28, 1.8, 512, build_swing, vertical, exact_swing},
        {"sliding to rolling (A09)", 4e-3, 0.8, 0.8, 512, build_rolling, horizontal, exact_rolling},
        {"rocking (B01)", 2e-3, 0.6, 0.8, 512, build_rocking, spin, NULL},
        {"two elastic bars (D03)", 0.5 * unit, 25.0, 0.8, 128, build_bars, horizontal, NULL},
        {"elastic bar, smooth", 0.5, 40.0, 1.8, 128, build_vibration, horizontal, NULL},
    };
    for (size_t k = 0; k < sizeof motions / sizeof motions[0]; k++) {
        double *fine = make_reference(book, &motions[k]);
        double order = fine ? observed_order(book, &motions[k], fine) : NAN;
        cn_check_least(book, cn_name(book, "order, %s", motions[k].name), order,
                       motions[k].least_order);
        free(fine);
    }
}
