// validation/c01_pyramid.c -- C01: a disk on two disks on a plane.
//
// Question: which friction does it need? Reference: stands iff mu between disks >= tan 15 and mu on
// the floor >= tan(15)/3; then each upper contact carries W/2 and 0.133974596 W, the floor 1.5 W
// per disk. Source: classical.
#include "builders.h"
#include "table.h"

#define RADIUS 0.1 // [m]
#define STEP 1e-3  // [s]

typedef struct pyramid {
    cn_trial trial;
    cn_body_id floor, base[2], top;
} pyramid;

static pyramid build(cn_book *book, double mu_disks, double mu_floor, bool base_touches)
{
    cn_world_def def = cn_trial_def();
    pyramid p = {.trial = cn_trial_begin(book, &def)};
    cn_trial *t = &p.trial;
    int ground = cn_trial_group(t, "floor"), base = cn_trial_group(t, "base");
    cn_law_def floor_law = cn_law_coulomb(mu_floor, 0.0), disks = cn_law_coulomb(mu_disks, 0.0);
    cn_trial_law(t, ground, CN_GROUP_ANY, &floor_law);
    if (!base_touches) {
        cn_trial_law(t, base, base, NULL);
    }
    cn_trial_law(t, CN_GROUP_ANY, CN_GROUP_ANY, &disks);
    p.floor = cn_build_plane(t, (cn_body_def){.group = ground});
    for (int k = 0; k < 2; k++) {
        p.base[k] = cn_build_disk(
            t, RADIUS,
            (cn_body_def){.density = 1000.0, .group = base, .at = {(2 * k - 1) * RADIUS, RADIUS}});
    }
    p.top = cn_build_disk(
        t, RADIUS, (cn_body_def){.density = 1000.0, .at = {0.0, RADIUS * (1.0 + sqrt(3.0))}});
    return p;
}

static double drop(cn_book *book, double mu_disks, double mu_floor)
{
    pyramid p = build(book, mu_disks, mu_floor, true);
    double start = cn_trial_state(&p.trial, p.top).position[1];
    cn_trial_run(&p.trial, STEP, 1000);
    double end = cn_trial_state(&p.trial, p.top).position[1];
    cn_trial_end(&p.trial);
    return (start - end) / RADIUS;
}

static void check_forces(cn_book *book, double mu_disks, double mu_floor)
{
    pyramid p = build(book, mu_disks, mu_floor, false);
    cn_trial_step(&p.trial, STEP);
    double weight = CN_G * cn_trial_state(&p.trial, p.top).mass * STEP;
    cn_view view = p.trial.is_broken ? (cn_view){0} : cn_world_view(p.trial.world);
    double upper[2] = {NAN, NAN}, lower = NAN; // N, |T| of an upper contact, N of a lower one
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        bool is_upper = view.id[c->i] == p.top || view.id[c->j] == p.top;
        if (is_upper) {
            upper[0] = c->r[0] / weight;
            upper[1] = fabs(c->r[1]) / weight;
        } else {
            lower = c->r[0] / weight;
        }
    }
    cn_check(book, "N between disks over W", upper[0], 0.5, 1e-8);
    cn_check(book, "T between disks over W", upper[1], 0.133974596, 1e-8);
    cn_check(book, "N on the floor over W", lower, 1.5, 1e-8);
    cn_trial_end(&p.trial);
}

void cn_case_C01(cn_book *book)
{
    const double disks = tan(cn_degrees(15.0)), floor = disks / 3.0;
    cn_check(book, "drop/R, mu of disks 1.01 of the limit", drop(book, 1.01 * disks, 0.5), 0.0,
             1e-8);
    cn_check_least(book, "drop/R, mu of disks 0.99 of the limit", drop(book, 0.99 * disks, 0.5),
                   1e-3);
    cn_check(book, "drop/R, mu of floor 1.01 of the limit", drop(book, 0.5, 1.01 * floor), 0.0,
             1e-8);
    cn_check_least(book, "drop/R, mu of floor 0.99 of the limit", drop(book, 0.5, 0.99 * floor),
                   1e-3);
    check_forces(book, 1.01 * disks, 1.01 * floor);
}
