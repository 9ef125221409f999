// validation/c09_drum.c -- C09: a drum half filled with disks turns.
//
// Question: is the flow steady, and does the drum give what gravity takes? Reference: in the mean
// the torque of the contacts on the drum is the weight of the bed times the horizontal offset of
// its mass centre; the slope grows with the rate; the grains flow in a layer of nearly constant
// shear rate. Source: Renouf, Bonamy, Dubois and Alart 2005.
//
// The bed starts packed, under a flat surface. Its gaps close without restitution first: otherwise
// grains fall on each other, one layer per step, and overlap by a third of their size. Rigid steps
// of this bed, 70 layers deep, stall near a residual of 1e-2 after 5e3 to 2e4 sweeps, and friction
// 0.4 leaves them several solutions; elastic ones (theory 13.5) reach it in 100 sweeps. Their
// stiffness is 1e6 N/m: under the weight of the bed contacts overlap by 4e-3 diameters.
#include "builders.h"
#include "table.h"

#define RADIUS 0.225 // of the drum [m]
#define GRAIN 0.0033 // mean diameter [m]
#define STEP 1e-3    // [s]
#define START 20.0   // slope of the surface [degrees]
#define CLOSE 100    // steps without restitution
#define SETTLE 1900  // steps until the flow is steady
#define BIN_MAX 20   // of the velocity profile, one diameter each

static const char text[] =
    "cairn: 1\n"
    "dimension: 2\n"
    "materials: {glass: 2700}\n"
    "laws: {dry: {type: coulomb, friction: 0.4}}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "bodies:\n"
    "  drum: {shape: {hollow_disk: {radius: 0.225, thickness: 0.01}}, fixed: true}\n"
    "  grains:\n"
    "    generate:\n"
    "      pack:\n"
    "        inside: drum\n"
    "        shape: {disk: {radius: {uniform: [0.0015, 0.0018]}}}\n"
    "        count: 7000\n"
    "        method: dense\n"
    "        seed: 1\n"
    "    material: glass\n"
    "stages: [{name: turn, step: 1e-3, duration: 1}]\n";

// What a window of time gives.
typedef struct window {
    double torque;   // of the contacts on the drum [N m]
    double moment;   // weight of the bed times the offset of its mass centre [N m]
    double angle[2]; // of the mass centre below the axis, in each half of the window [degrees]
    double overlap;  // of contacts that carry, mean over contacts and time, over the diameter [-]
    double speed[BIN_MAX], count[BIN_MAX]; // along the surface, by depth below it, in the middle
} window;

// The axes of the world are those of the surface at the start.
static cn_vec2 up(void)
{
    double slope = cn_degrees(START);
    return cn_v2(sin(slope), cos(slope));
}

static cn_trial begin(cn_book *book, double rate)
{
    cn_solver_def solver = cn_trial_def().solver;
    solver.method = CN_METHOD_AUTO;
    solver.eps_v = solver.tol = 1e-2;
    solver.elastic_c = 100.0;
    cn_trial t = cn_trial_begin_scene(book, text, &solver);
    cn_trial_gravity(&t, -CN_G * up().x, -CN_G * up().y, 0.0);
    cn_drive_def drive = {.kind = CN_DRIVE_ROTATION, .f = cn_constant(rate)};
    cn_error err;
    if (!t.is_broken) {
        drive.body = cn_world_view(t.world).id[0];
        cn_trial_ok(&t, cn_drive_add(t.world, &drive, &err), &err);
        cn_trial_run(&t, STEP, CLOSE);
        cn_rules_clear(t.world);
        cn_trial_coulomb(&t, 0.4, 0.46);
    }
    return t;
}

// Torque about the axis of the contacts on the drum, in the last step [N m].
static double torque_on_drum(const cn_view *view)
{
    double sum = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        double impulse[3], sign = (c->i == 0) - (c->j == 0);
        cn_contact_impulse(c, 2, impulse);
        sum += sign * (c->point[0] * impulse[1] - c->point[1] * impulse[0]) / STEP;
    }
    return sum;
}

// Place of the mass centre times the mass of the bed, along the horizontal and upwards.
static cn_vec2 first_moment(const cn_view *view)
{
    cn_vec2 sum = {0.0, 0.0}, y = up(), x = cn_v2(y.y, -y.x);
    for (int i = 1; i < view->body_count; i++) {
        sum = cn_add_mul2(sum, view->mass[i], cn_v2(view->q[3 * i], view->q[3 * i + 1]));
    }
    return cn_v2(cn_dot2(sum, x), cn_dot2(sum, y));
}

static double mean_overlap(const cn_view *view)
{
    double sum = 0.0;
    int count = 0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        if (c->r[0] > 0.0) {
            sum += fmax(-c->gap, 0.0) / GRAIN;
            count++;
        }
    }
    return count > 0 ? sum / count : 0.0;
}

// Velocities along the surface of grains near the middle, by depth below the highest of them.
static void add_profile(const cn_view *view, double angle, window *w)
{
    const double slope = angle - cn_degrees(START); // of the surface against the axes of the world
    const cn_vec2 along = {cos(slope), sin(slope)}, out = cn_left2(along);
    double top = -RADIUS;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 1; i < view->body_count; i++) {
            cn_vec2 q = {view->q[3 * i], view->q[3 * i + 1]};
            if (fabs(cn_dot2(q, along)) > 10.0 * GRAIN) {
                continue;
            }
            int bin = (int)((top - cn_dot2(q, out)) / GRAIN);
            if (pass == 0) {
                top = fmax(top, cn_dot2(q, out));
            } else if (bin < BIN_MAX) {
                w->speed[bin] -= cn_dot2(cn_v2(view->v[3 * i], view->v[3 * i + 1]), along);
                w->count[bin] += 1.0;
            }
        }
    }
}

static window run(cn_book *book, double rate, int count)
{
    window w = {0};
    cn_trial t = begin(book, rate);
    cn_trial_run(&t, STEP, SETTLE);
    for (int n = 0; n < count && cn_trial_step(&t, STEP); n++) {
        cn_view view = cn_world_view(t.world);
        cn_vec2 centre = first_moment(&view);
        double angle = atan2(centre.x, -centre.y);
        w.torque -= torque_on_drum(&view) / count;
        w.moment += CN_G * centre.x / count;
        w.angle[2 * n / count] += angle * 180.0 / CN_PI * 2.0 / count;
        w.overlap += mean_overlap(&view) / count;
        if (n % 20 == 0) {
            add_profile(&view, angle, &w);
        }
    }
    cn_trial_end(&t);
    return w;
}

// Correlation of speed and depth over the layer that flows: from the second diameter down to where
// a tenth of the speed is left; *rate is the slope of the line through it [1/s].
static double linearity(const window *w, double *rate)
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    double fastest = w->speed[1] / w->count[1];
    for (int k = 1; k < BIN_MAX && w->speed[k] > 0.1 * fastest * w->count[k]; k++) {
        double depth = (k + 0.5) * GRAIN, speed = w->speed[k] / w->count[k];
        n += 1.0;
        x += depth;
        y += speed;
        xx += depth * depth;
        xy += depth * speed;
        yy += speed * speed;
    }
    double cov = xy - x * y / n, var = xx - x * x / n;
    *rate = -cov / var;
    return -cov / sqrt(var * (yy - y * y / n));
}

void cn_case_C09(cn_book *book)
{
    static const double rpm[3] = {2.0, 5.0, 10.0};
    static const int count[3] = {6000, 3000, 3000}; // at 2 rpm several avalanches, of some 2 s each
    double last = 0.0;
    bool is_growing = true;
    for (int k = 0; k < 3; k++) {
        window w = run(book, rpm[k] * CN_PI / 30.0, count[k]);
        double rate, mean = 0.5 * (w.angle[0] + w.angle[1]), line = linearity(&w, &rate);
        cn_check_rel(book, cn_name(book, "torque on the drum [N m], %g rpm", rpm[k]), w.torque,
                     w.moment, 0.02);
        cn_check(book, cn_name(book, "angle of the second half of time, %g rpm", rpm[k]),
                 w.angle[1], w.angle[0], 1.0);
        cn_check_least(book, cn_name(book, "shear rate over sqrt(g/d), %g rpm", rpm[k]),
                       rate / sqrt(CN_G / GRAIN), 0.0);
        cn_check_least(book, cn_name(book, "speed against depth, correlation, %g rpm", rpm[k]),
                       line, 0.95);
        cn_check(book, cn_name(book, "mean overlap over diameter, %g rpm", rpm[k]), w.overlap, 0.0,
                 0.01);
        is_growing = is_growing && mean > last;
        last = mean;
    }
    cn_check_true(book, "the angle grows with the rate", is_growing);
}
