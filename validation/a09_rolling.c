// validation/a09_rolling.c -- A09, A10: a disk slides, then rolls.
//
// Question: when does sliding turn into rolling, and at which slope does a disk stop rolling?
// Reference: v = 2 v0/3 at t = v0/(3 mu g) after 5 v0^2/(18 mu g); on a slope rolling iff
// mu >= tan(slope)/3, a = 2 g sin/3, else a = g (sin - mu cos), R spin' = 2 mu g cos.
// Source: classical.
#include "builders.h"
#include "table.h"

#define RADIUS 0.1 // [m]

static cn_trial begin(cn_book *book, double mu)
{
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, mu, 0.0);
    return t;
}

void cn_case_A09(cn_book *book)
{
    const double v0 = 3.0, mu = 0.2, h = 1e-4, time_exact = 0.509683996, way_exact = 1.274209990;
    cn_trial t = begin(book, mu);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id disk = cn_build_disk(
        &t, RADIUS, (cn_body_def){.density = 1000.0, .at = {0.0, RADIUS}, .velocity = {v0, 0.0}});
    double rolling = 0.0, way = 0.0, friction = 0.0;
    for (int n = 1; n <= 8000 && cn_trial_step(&t, h); n++) {
        cn_body_state s = cn_trial_state(&t, disk);
        bool is_slipping = fabs(s.velocity[0] + RADIUS * s.spin) > 1e-9;
        if (is_slipping) {
            rolling = (n + 1) * h;
            way = s.position[0] + h * s.velocity[0];
        } else if (n * h > rolling + h) {
            cn_vec2 impulse = cn_trial_impulse(&t, disk, NULL);
            friction = fmax(friction, fabs(impulse.x) / (s.mass * CN_G * h));
        }
    }
    cn_body_state s = cn_trial_state(&t, disk);
    cn_check_rel(book, "speed of rolling", s.velocity[0], 2.0 * v0 / 3.0, 1e-6);
    cn_check(book, "time of rolling", rolling, time_exact, h);
    cn_check(book, "way slid", way, way_exact, h * v0);
    cn_check(book, "friction over weight while rolling", friction, 0.0, 1e-12);
    cn_trial_end(&t);
}

typedef struct motion {
    double a, a_spin; // along the slope, R times angular [m/s2]
    double slip;      // of the contact point [m/s]
} motion;

static motion descend(cn_book *book, double mu)
{
    const double slope = cn_degrees(30.0), h = 1e-3, duration = 0.5;
    cn_trial t = begin(book, mu);
    cn_build_plane(&t, (cn_body_def){.angle = slope});
    cn_body_id disk = cn_build_disk(
        &t, RADIUS,
        (cn_body_def){.density = 1000.0, .at = {-RADIUS * sin(slope), RADIUS * cos(slope)}});
    cn_trial_run(&t, h, lround(duration / h));
    cn_body_state s = cn_trial_state(&t, disk);
    double down = -(s.velocity[0] * cos(slope) + s.velocity[1] * sin(slope));
    cn_trial_end(&t);
    return (motion){down / duration, RADIUS * s.spin / duration, down - RADIUS * s.spin};
}

void cn_case_A10(cn_book *book)
{
    const double threshold = 0.192450090, g_cos = CN_G * cos(cn_degrees(30.0));
    motion m = descend(book, 1.02 * threshold);
    cn_check_rel(book, "acceleration, 1.02 of the threshold", m.a, 3.27, 1e-6);
    cn_check(book, "slip velocity, 1.02 of the threshold", m.slip, 0.0, 1e-9);
    double mu = 0.98 * threshold;
    m = descend(book, mu);
    cn_check_rel(book, "acceleration, 0.98 of the threshold", m.a, 0.5 * CN_G - mu * g_cos, 1e-6);
    cn_check_least(book, "slip velocity, 0.98 of the threshold", m.slip, 1e-3);
    m = descend(book, 0.1);
    cn_check_rel(book, "acceleration, mu 0.1", m.a, 4.055429079, 1e-6);
    cn_check_rel(book, "R times angular acceleration, mu 0.1", m.a_spin, 1.699141842, 1e-6);
}
