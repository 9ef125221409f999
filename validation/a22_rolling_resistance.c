// validation/a22_rolling_resistance.c -- A22: rolling resistance of a disk and of a sphere.
//
// Question: does the resistance hold up to tan(slope) = mu_r, and how far does a body roll on the
// flat? Reference for inertia k m R^2, k = 1/2 in the plane and 2/5 in space, moment at most mu_r R
// N: at rest iff tan(slope) <= mu_r, else a = g (sin - mu_r cos)/(1+k); on the flat a = mu_r
// g/(1+k), distance v0^2/(2 a).
// Source: classical; Estrada et al. 2008 for use in contact dynamics.
#include "builders.h"
#include "table.h"

#define RADIUS 0.1 // [m]
#define ROLLING 0.05

static cn_trial begin(cn_book *book, const cn_place *place)
{
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    cn_error err = {0};
    cn_trial_ok(&t, cn_law_set(&law, "rolling", ROLLING, &err), &err);
    cn_trial_law(&t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    return t;
}

// Way down a slope within a second, from rest [m].
static double descend(cn_book *book, const cn_place *place, double slope)
{
    const double h = 1e-3;
    cn_trial t = begin(book, place);
    cn_build_plane(&t, (cn_body_def){.angle = slope});
    cn_body_id disk = cn_build_disk(
        &t, RADIUS,
        (cn_body_def){.density = 1000.0, .at = {-RADIUS * sin(slope), RADIUS * cos(slope)}});
    cn_body_state start = cn_trial_state(&t, disk);
    cn_trial_run(&t, h, 1000);
    cn_body_state end = cn_trial_state(&t, disk);
    cn_trial_end(&t);
    return hypot(end.position[0] - start.position[0], end.position[1] - start.position[1]);
}

// The largest slope that holds, by bisection between 2 and 4 degrees [degrees].
static double find_threshold(cn_book *book, const cn_place *place)
{
    cn_bracket slope = {2.0, 4.0};
    while (slope.high - slope.low > 0.005) {
        slope = cn_halve(slope, descend(book, place, cn_degrees(cn_middle(slope))) >= 1e-9);
    }
    return cn_middle(slope);
}

static void check_place(cn_book *book, cn_place place, double k, double rate, double distance)
{
    const double v0 = 1.0, h = 1e-3, duration = 2.0;
    const char *name = place.name;
    cn_check(book, cn_name(book, "steepest slope that holds, degrees%s", name),
             find_threshold(book, &place), 2.862405, 0.01);
    double slope = cn_degrees(5.0), a = CN_G * (sin(slope) - ROLLING * cos(slope)) / (1.0 + k);
    cn_check_rel(book, cn_name(book, "way down 5 degrees in 1 s%s", name),
                 descend(book, &place, slope), 0.5 * a, 1e-4);

    cn_trial t = begin(book, &place);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id disk = cn_build_disk(&t, RADIUS,
                                    (cn_body_def){.density = 1000.0,
                                                  .at = {0.0, RADIUS},
                                                  .velocity = {v0, 0.0},
                                                  .angular_velocity[2] = -v0 / RADIUS});
    cn_trial_run(&t, h, lround(duration / h));
    cn_body_state s = cn_trial_state(&t, disk);
    cn_check_rel(book, cn_name(book, "deceleration on the flat%s", name),
                 (v0 - s.velocity[0]) / duration, rate, 1e-4);
    cn_check(book, cn_name(book, "slip velocity on the flat%s", name),
             s.velocity[0] + RADIUS * s.angular_velocity[2], 0.0, 1e-9);
    cn_trial_run(&t, h, lround(1.5 / h));
    s = cn_trial_state(&t, disk);
    cn_check_rel(book, cn_name(book, "rolling distance from 1 m/s%s", name), s.position[0],
                 distance, 1e-4);
    cn_check(book, cn_name(book, "speed after the stop%s", name), cn_trial_speed(&t), 0.0, 1e-9);
    cn_trial_end(&t);
}

void cn_case_A22(cn_book *book)
{
    check_place(book, cn_place_plane(), 0.5, 0.327, 1.529052);
    check_place(book, cn_place_space(0.0), 0.4, 0.350357143, 1.427115);
}
