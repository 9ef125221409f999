// validation/a16_pendula.c -- A16: pendula through joints.
//
// Question: does a pendulum on a joint swing with the right period and speed, without drift of the
// joint and without loss of amplitude? Reference: 4 sqrt(L/g) K(1/2) = 2.367841948 s for a point
// mass on a link of 1 m released at 90 degrees; 1.933334854 s and sqrt(3 g/L) at the bottom for a
// uniform rod pinned at its end. Source: classical; McLean and Nelson.
#include "builders.h"
#include "table.h"

#define PERIODS 20

typedef struct swing {
    double period, bottom; // [s], largest angular speed [rad/s]
    double gap_mid, gap;   // largest distance from the circle, at q_mid and at q [m]
    double amplitude;      // of the last period [rad]
} swing;

// Follows the mass centre at `radius` from the pivot.
static swing follow(cn_trial *t, cn_body_id body, cn_joint_id joint, double radius, double period)
{
    const double h = 1e-3;
    swing o = {0};
    double last = radius, first = 0.0;
    int count = 0;
    for (int n = 1; n <= (int)lround(PERIODS * period / h) && cn_trial_step(t, h); n++) {
        cn_body_state s = cn_trial_state(t, body);
        double x = s.position[0], y = s.position[1], distance = hypot(x, y);
        if (last < 0.0 && x >= 0.0) {
            double time = h * (n - x / (x - last));
            first = count == 0 ? time : first;
            o.period = (time - first) / count;
            count++;
        }
        last = x;
        double spin = (x * s.velocity[1] - y * s.velocity[0]) / (distance * distance);
        o.bottom = fmax(o.bottom, fabs(spin));
        o.gap = fmax(o.gap, fabs(distance - radius));
        o.gap_mid = fmax(o.gap_mid, fabs(cn_trial_joint(t, joint).gap));
        if (n * h > (PERIODS - 1) * period) {
            o.amplitude = fmax(o.amplitude, atan2(fabs(x), -y));
        }
    }
    return o;
}

static void check(cn_book *book, const char *what, const char *name, swing o, double period,
                  double bottom)
{
    cn_check_rel(book, cn_name(book, "period, %s%s", what, name), o.period, period, 5e-4);
    cn_check_rel(book, cn_name(book, "speed at the bottom, %s%s", what, name), o.bottom, bottom,
                 1e-3);
    cn_check(book, cn_name(book, "joint gap at q over 20 periods, %s%s", what, name), o.gap, 0.0,
             4e-5);
    cn_check(book, cn_name(book, "joint gap at q_mid over 20 periods, %s%s", what, name), o.gap_mid,
             0.0, 1e-12);
    cn_check_rel(book, cn_name(book, "amplitude after 20 periods, %s%s", what, name), o.amplitude,
                 0.5 * CN_PI, 1e-3);
}

static void check_point(cn_book *book, cn_place place)
{
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, &place);
    cn_body_id ball = cn_build_disk(
        &t, 0.05, (cn_body_def){.mass = 1.0, .inertia = {0.0, 0.0, 1e-3}, .at = {1.0, 0.0}});
    cn_joint_def link = {.kind = CN_JOINT_ROD, .body = ball, .at = {1.0, 0.0}};
    swing o = follow(&t, ball, cn_trial_join(&t, &link), 1.0, 2.367841948);
    cn_trial_end(&t);
    check(book, "point mass", place.name, o, 2.367841948, sqrt(2.0 * CN_G));
}

static void check_rod(cn_book *book, cn_place place, cn_joint_kind kind, const char *what)
{
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, &place);
    cn_body_id rod = cn_build_box(
        &t, 1.0, 0.02,
        (cn_body_def){.mass = 1.0, .inertia = {0.0, 0.0, 1.0 / 12.0}, .at = {0.5, 0.0}});
    cn_joint_def pin = {.kind = kind, .body = rod, .axis = {0.0, 0.0, 1.0}};
    swing o = follow(&t, rod, cn_trial_join(&t, &pin), 0.5, 1.933334854);
    cn_trial_end(&t);
    check(book, what, place.name, o, 1.933334854, 5.424942396);
}

void cn_case_A16(cn_book *book)
{
    check_point(book, cn_place_plane());
    check_rod(book, cn_place_plane(), CN_JOINT_HINGE, "rod on a hinge");
    check_point(book, cn_place_space(0.02));
    check_rod(book, cn_place_space(0.02), CN_JOINT_HINGE, "rod on a hinge");
    check_rod(book, cn_place_space(0.02), CN_JOINT_BALL, "rod on a ball");
}
