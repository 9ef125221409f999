// validation/a06_incline.c -- A06, A07: a block slides on a plane.
//
// Question: does Coulomb friction hold up to tan(slope) = mu, and is the sliding distance that of
// the scheme? Reference: a = g (sin - mu cos), s = a t^2/2 for theta = 1/2 and a t (t + h)/2 for
// theta = 1; on the flat a block stops after v0/(mu g). In space the block is
// twisted by 45 degrees and must slide straight down. Source: classical; Jean 1999.
#include "builders.h"
#include "table.h"

#define STEP 1e-3 // [s]

static const double twist = CN_PI / 4.0; // of the block about the normal, in space [rad]

typedef struct way {
    double along, across; // [m]
} way;

// Way down the slope and across it after `duration`.
static way slide(cn_book *book, const cn_place *place, double mu, double slope, double theta,
                 double duration)
{
    cn_world_def def = cn_trial_def();
    def.theta = theta;
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_body_id block = cn_build_box_on_plane(&t, 0.2, 0.1, 2000.0, slope, 0.0, twist);
    cn_body_state start = cn_trial_state(&t, block);
    cn_trial_run(&t, STEP, lround(duration / STEP));
    cn_body_state end = cn_trial_state(&t, block);
    cn_trial_end(&t);
    double x = end.position[0] - start.position[0], y = end.position[1] - start.position[1];
    return (way){hypot(x, y), fabs(end.position[2])};
}

static void check_threshold(cn_book *book, const cn_place *place, double mu)
{
    const double margin = cn_degrees(0.01), duration = 5.0;
    cn_check(book, cn_name(book, "moved, mu %g, 0.01 degrees below%s", mu, place->name),
             slide(book, place, mu, atan(mu) - margin, 0.5, duration).along, 0.0, 1e-9);
    double slope = atan(mu) + margin, a = CN_G * (sin(slope) - mu * cos(slope));
    cn_check_rel(book, cn_name(book, "moved, mu %g, 0.01 degrees above%s", mu, place->name),
                 slide(book, place, mu, slope, 0.5, duration).along, 0.5 * a * duration * duration,
                 1e-6);
}

static void check_distance(cn_book *book, const cn_place *place, double mu, double degrees,
                           double duration, double exact)
{
    double slope = cn_degrees(degrees), a = CN_G * (sin(slope) - mu * cos(slope));
    way w = slide(book, place, mu, slope, 0.5, duration);
    cn_check_rel(
        book, cn_name(book, "distance, mu %g, %g degrees, theta 0.5%s", mu, degrees, place->name),
        w.along, exact, 1e-8);
    if (place->dim == 3) {
        cn_check(book, cn_name(book, "way across over way down, mu %g, in space", mu),
                 w.across / w.along, 0.0, 1e-8);
    }
    w = slide(book, place, mu, slope, 1.0, duration);
    cn_check_rel(book,
                 cn_name(book, "distance, mu %g, %g degrees, theta 1%s", mu, degrees, place->name),
                 w.along, 0.5 * a * duration * (duration + STEP), 1e-8);
}

static void check_slope(cn_book *book, cn_place place)
{
    check_threshold(book, &place, 0.3);
    check_threshold(book, &place, 0.5);
    check_distance(book, &place, 0.3, 20.0, 2.0, 1.179404446);
    check_distance(book, &place, 0.5, 30.0, 1.0, 0.328572697);
}

void cn_case_A06(cn_book *book)
{
    check_slope(book, cn_place_plane());
    check_slope(book, cn_place_space(0.2));
}

static void check_stop(cn_book *book, cn_place place)
{
    const double v0 = 2.0, mu = 0.25, exact = 0.815494393; // both the time [s] and the way [m]
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, &place);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_body_id block = cn_build_box_on_plane(&t, 0.2, 0.1, 2000.0, 0.0, v0, twist);
    double stop = 0.0, later = 0.0;
    for (int n = 1; n <= 1500 && cn_trial_step(&t, STEP); n++) {
        double speed = cn_trial_speed(&t);
        if (speed > 1e-9) {
            stop = (n + 1) * STEP;
        }
        if (n * STEP > exact + 2.0 * STEP) {
            later = fmax(later, speed);
        }
    }
    cn_check(book, cn_name(book, "stop time%s", place.name), stop, exact, STEP);
    cn_check(book, cn_name(book, "stop distance%s", place.name),
             cn_trial_state(&t, block).position[0], exact, STEP * v0);
    cn_check(book, cn_name(book, "speed afterwards%s", place.name), later, 0.0, 1e-12);
    cn_trial_end(&t);
}

void cn_case_A07(cn_book *book)
{
    check_stop(book, cn_place_plane());
    check_stop(book, cn_place_space(0.2));
}
