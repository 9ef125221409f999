// validation/a19_viscoelastic.c -- A19: restitution from the damping of a viscoelastic contact.
//
// Question: what restitution and contact time does a spring and dashpot give? The force is clipped
// at zero: a repel law never pulls. Reference: zeta = c/(2 sqrt(k m)) = 0, 0.0178, 0.178 gives e =
// 1, 0.946085740, 0.603752929 and contact times 8.804300, 8.705680, 7.926085 ms. Source: Schwager
// and Poschel 2007; parameters of an LMGC90 example.
#include "builders.h"
#include "table.h"

typedef struct rebound {
    double v;       // velocity at the loss of force [m/s]
    double time;    // with a force [s]
    double deepest; // [m]
} rebound;

static rebound drop(cn_book *book, double damping, double g, double h)
{
    const double R = 0.05, v0 = 2.169976958;
    rebound r = {0};
    cn_world_def def = cn_trial_def();
    def.gravity[1] = -g;
    cn_law_def law = cn_law_default("viscoelastic");
    cn_law_set(&law, "stiffness", 1e5, NULL);
    cn_law_set(&law, "damping", damping, NULL);
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_law(&t, CN_GROUP_ANY, CN_GROUP_ANY, &law);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id disk = cn_build_disk(
        &t, R, (cn_body_def){.density = 100.0, .at = {0.0, R}, .velocity = {0.0, -v0}});
    int active_count = 1;
    for (int n = 0; n < (int)lround(0.02 / h) && active_count > 0; n++) {
        cn_body_state s = cn_trial_state(&t, disk);
        r.v = s.velocity[1];
        r.deepest = fmax(r.deepest, R - s.position[1]);
        r.time = n * h;
        cn_trial_step(&t, h);
        cn_trial_impulse(&t, disk, &active_count);
    }
    cn_trial_end(&t);
    return r;
}

void cn_case_A19(cn_book *book)
{
    static const double damping[3] = {0.0, 10.0, 100.0};
    static const double restitution[3] = {1.0, 0.946085740, 0.603752929};
    static const double time[3] = {8.804300e-3, 8.705680e-3, 7.926085e-3};
    for (int fine = 0; fine < 2; fine++) {
        double h = fine ? 1e-6 : 1e-5, fraction = fine ? 1e-3 : 1e-2;
        for (int k = 0; k < 3; k++) {
            rebound r = drop(book, damping[k], 0.0, h);
            cn_check_rel(book, cn_name(book, "restitution, c %g, h %g", damping[k], h),
                         r.v / 2.169976958, restitution[k], fraction);
            cn_check_rel(book, cn_name(book, "contact time, c %g, h %g", damping[k], h), r.time,
                         time[k], fraction);
        }
    }
    rebound r = drop(book, 10.0, CN_G, 1e-6);
    cn_check_rel(book, "rebound with gravity, c 10, h 1e-6", r.v, 2.05204, 1e-3);
    cn_check_rel(book, "deepest with gravity, c 10, h 1e-6", r.deepest, 5.98999e-3, 1e-3);
}
