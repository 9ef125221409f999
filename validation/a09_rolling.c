// validation/a09_rolling.c -- A09, A10: a disk or a sphere slides, then rolls.
//
// Question: when does sliding turn into rolling, and at which slope does it stop rolling?
// Reference for inertia k m R^2, k = 1/2 in the plane and 2/5 in space: v = v0/(1+k) at
// t = k v0/((1+k) mu g); on a slope rolling iff mu >= tan(slope) k/(1+k), a = g sin/(1+k), else
// a = g (sin - mu cos), R spin' = mu g cos/k.
// Source: classical.
#include "builders.h"
#include "table.h"

#define RADIUS 0.1 // [m]

static cn_trial begin(cn_book *book, const cn_place *place, double mu)
{
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin_at(book, &def, place);
    cn_trial_coulomb(&t, mu, 0.0);
    return t;
}

// Tangential impulse of all contacts together [N s].
static double friction_of(const cn_trial *t)
{
    double sum = 0.0;
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    for (int a = 0; a < view.contact_count; a++) {
        const double *r = view.contact[a].r;
        sum += hypot(r[1], view.dim == 2 ? 0.0 : r[2]);
    }
    return sum;
}

static void check_rolling(cn_book *book, cn_place place, double speed, double time_exact,
                          double way_exact)
{
    const double v0 = 3.0, mu = 0.2, h = 1e-4;
    cn_trial t = begin(book, &place, mu);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id disk = cn_build_disk(
        &t, RADIUS, (cn_body_def){.density = 1000.0, .at = {0.0, RADIUS}, .velocity = {v0, 0.0}});
    double rolling = 0.0, way = 0.0, friction = 0.0;
    for (int n = 1; n <= 8000 && cn_trial_step(&t, h); n++) {
        cn_body_state s = cn_trial_state(&t, disk);
        bool is_slipping = fabs(s.velocity[0] + RADIUS * s.angular_velocity[2]) > 1e-9;
        if (is_slipping) {
            rolling = (n + 1) * h;
            way = s.position[0] + h * s.velocity[0];
        } else if (n * h > rolling + h) {
            friction = fmax(friction, friction_of(&t) / (s.mass * CN_G * h));
        }
    }
    cn_body_state s = cn_trial_state(&t, disk);
    cn_check_rel(book, cn_name(book, "speed of rolling%s", place.name), s.velocity[0], speed, 1e-6);
    cn_check(book, cn_name(book, "time of rolling%s", place.name), rolling, time_exact, h);
    cn_check(book, cn_name(book, "way slid%s", place.name), way, way_exact, h * v0);
    cn_check(book, cn_name(book, "friction over weight while rolling%s", place.name), friction, 0.0,
             1e-12);
    cn_trial_end(&t);
}

void cn_case_A09(cn_book *book)
{
    check_rolling(book, cn_place_plane(), 2.0, 0.509683996, 1.274209990);
    // Turned axes would round velocities by eps v0/(g h), about 1e-12 of the weight per step.
    check_rolling(book, cn_place_along_axes(0.0), 15.0 / 7.0, 0.436871997, 1.123385134);
}

typedef struct motion {
    double a, a_spin; // along the slope, R times angular [m/s2]
    double slip;      // of the contact point [m/s]
} motion;

static motion descend(cn_book *book, const cn_place *place, double mu)
{
    const double slope = cn_degrees(30.0), h = 1e-3, duration = 0.5;
    cn_trial t = begin(book, place, mu);
    cn_build_plane(&t, (cn_body_def){.angle = slope});
    cn_body_id disk = cn_build_disk(
        &t, RADIUS,
        (cn_body_def){.density = 1000.0, .at = {-RADIUS * sin(slope), RADIUS * cos(slope)}});
    cn_trial_run(&t, h, lround(duration / h));
    cn_body_state s = cn_trial_state(&t, disk);
    double down = -(s.velocity[0] * cos(slope) + s.velocity[1] * sin(slope));
    cn_trial_end(&t);
    return (motion){down / duration, RADIUS * s.angular_velocity[2] / duration,
                    down - RADIUS * s.angular_velocity[2]};
}

static void check_slope(cn_book *book, cn_place place, double threshold, double rolling,
                        double spinning)
{
    const double g_cos = CN_G * cos(cn_degrees(30.0));
    const char *name = place.name;
    motion m = descend(book, &place, 1.02 * threshold);
    cn_check_rel(book, cn_name(book, "acceleration, 1.02 of the threshold%s", name), m.a, rolling,
                 1e-6);
    cn_check(book, cn_name(book, "slip velocity, 1.02 of the threshold%s", name), m.slip, 0.0,
             1e-9);
    double mu = 0.98 * threshold;
    m = descend(book, &place, mu);
    cn_check_rel(book, cn_name(book, "acceleration, 0.98 of the threshold%s", name), m.a,
                 0.5 * CN_G - mu * g_cos, 1e-6);
    cn_check_least(book, cn_name(book, "slip velocity, 0.98 of the threshold%s", name), m.slip,
                   1e-3);
    m = descend(book, &place, 0.1);
    cn_check_rel(book, cn_name(book, "acceleration, mu 0.1%s", name), m.a, 4.055429079, 1e-6);
    cn_check_rel(book, cn_name(book, "R times angular acceleration, mu 0.1%s", name), m.a_spin,
                 spinning, 1e-6);
}

void cn_case_A10(cn_book *book)
{
    check_slope(book, cn_place_plane(), 0.192450090, 3.27, 1.699141842);
    check_slope(book, cn_place_space(0.0), 0.164957220, 3.503571429, 2.123927303);
}
