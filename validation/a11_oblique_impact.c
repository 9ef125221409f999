// validation/a11_oblique_impact.c -- A11: a disk without spin hits a plane obliquely.
//
// Question: stick or gross slip, and what comes out? Reference: slip iff |v_t| > 3 mu (1+e) |v_n|;
// stick v_t' = R w' = 2 v_t/3, slip v_t' = v_t - mu (1+e) |v_n|, R w' = 2 mu (1+e) |v_n|.
// Source: Kane; Walton and Braun 1986.
#include "builders.h"
#include "table.h"

typedef struct impact {
    double v_t, v_n, R_w; // after [m/s]
} impact;

// Starts where the disk just touches at q + gamma h v, so that the arm is the radius.
static impact hit(cn_book *book, double v_t, double v_n, double mu, double e)
{
    const double R = 0.1, m = 1.0, h = 1e-4;
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.gamma = 0.5;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, mu, e);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id disk = cn_build_disk(&t, R,
                                    (cn_body_def){.mass = m,
                                                  .inertia = 0.5 * m * R * R,
                                                  .at = {0.0, R - def.gamma * h * v_n},
                                                  .velocity = {v_t, v_n}});
    cn_trial_step(&t, h);
    cn_body_state s = cn_trial_state(&t, disk);
    cn_trial_end(&t);
    return (impact){s.velocity[0], s.velocity[1], -R * s.spin};
}

static void check_hit(cn_book *book, int number, impact i, impact exact)
{
    cn_check(book, cn_name(book, "v_t after, case %d", number), i.v_t, exact.v_t, 1e-10);
    cn_check(book, cn_name(book, "v_n after, case %d", number), i.v_n, exact.v_n, 1e-10);
    cn_check(book, cn_name(book, "R w after, case %d", number), i.R_w, exact.R_w, 1e-10);
}

// The two-branch graph of v_t' over v_t, with its kink at v_t = 3 mu (1+e) |v_n| = 1.62.
static double graph_error(cn_book *book, double mu, double e)
{
    double error = 0.0;
    for (int k = -20; k <= 20; k++) {
        double v_t = 1.62 + 0.08 * k, slip = v_t - mu * (1.0 + e);
        double exact = v_t < 3.0 * mu * (1.0 + e) ? 2.0 * v_t / 3.0 : slip;
        error = fmax(error, fabs(hit(book, v_t, -1.0, mu, e).v_t - exact));
    }
    return error;
}

void cn_case_A11(cn_book *book)
{
    check_hit(book, 1, hit(book, 1.0, -2.0, 0.3, 0.8), (impact){2.0 / 3.0, 1.6, 2.0 / 3.0});
    check_hit(book, 2, hit(book, 6.0, -2.0, 0.3, 0.8), (impact){4.92, 1.6, 2.16});
    check_hit(book, 3, hit(book, 6.0, -2.0, 0.1, 0.5), (impact){5.7, 1.0, 0.6});
    cn_check(book, "graph with its kink at 1.62, largest error", graph_error(book, 0.3, 0.8), 0.0,
             1e-10);
}
