// validation/b17_wedge.c -- B17: a keystone between two fixed faces.
//
// Question: which normal force per face, and is it unique? Reference: mu = 0: N = 1/(2 sin 15);
// mu = 0.3 > tan 15: any N >= 0.911416192, self-locking. Source: Moreau 2006.
#include "builders.h"
#include "table.h"

typedef struct equilibrium {
    double face[2]; // normal force on each face, over the weight
    double speed;   // over g h
    int nullity;
} equilibrium;

static equilibrium settle(cn_book *book, double mu)
{
    const double h = 1e-3, half = cn_degrees(15.0), low = 0.5, high = 1.0, mass = 1.0 / CN_G;
    equilibrium e = {0};
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_body_id side[2];
    side[0] = cn_build_plane(&t, (cn_body_def){.angle = -(0.5 * CN_PI - half)});
    side[1] = cn_build_plane(&t, (cn_body_def){.angle = 0.5 * CN_PI - half});
    double x0 = low * tan(half), x1 = high * tan(half);
    double wedge[8] = {-x0, low, x0, low, x1, high, -x1, high};
    cn_build_polygon(&t, 4, wedge, (cn_body_def){.mass = mass, .inertia = {0.0, 0.0, 0.01 * mass}});
    cn_trial_step(&t, h);
    for (int k = 0; k < 2; k++) {
        cn_vec2 out = {k == 0 ? -cos(half) : cos(half), -sin(half)};
        e.face[k] = cn_dot2(cn_trial_impulse(&t, side[k], NULL), out) / h;
    }
    e.speed = cn_trial_speed(&t) / (CN_G * h);
    cn_error err;
    cn_trial_ok(&t, t.is_broken ? CN_OK : cn_world_indeterminate(t.world, &e.nullity, &err), &err);
    cn_trial_end(&t);
    return e;
}

void cn_case_B17(cn_book *book)
{
    equilibrium e = settle(book, 0.0);
    cn_check(book, "N left, mu 0", e.face[0], 1.931851653, 1e-9);
    cn_check(book, "N right, mu 0", e.face[1], 1.931851653, 1e-9);
    cn_check(book, "speed over g h, mu 0", e.speed, 0.0, 1e-9);
    e = settle(book, 0.3);
    cn_check_least(book, "N left, mu 0.3", e.face[0], 0.911416192 - 1e-9);
    cn_check_least(book, "N right, mu 0.3", e.face[1], 0.911416192 - 1e-9);
    cn_check_true(book, "N is finite, mu 0.3", isfinite(e.face[0]) && isfinite(e.face[1]));
    cn_check(book, "speed over g h, mu 0.3", e.speed, 0.0, 1e-9);
    cn_check_least(book, "free parameters reported, mu 0.3", e.nullity, 1.0);
}
