// validation/a13_painleve.c -- A13: the tip of a slender rod slides on a plane.
//
// Question: what happens when |mu W_nt| >= W_nn, where sliding has no solution or several?
// Reference: rod of mass 1 and half length 1 with tan = 2: W_tt = 3.4, |W_nt| = 1.2, W_nn = 1.6;
// sliding P_n = g h/(W_nn -+ mu W_nt); mu = 2 in the + sense: an impact without collision.
// Source: Jean 1999, condition (33); Painleve 1895; Stewart 1997.
#include "builders.h"
#include "table.h"

#define STEP 1e-3 // [s]

typedef struct tip {
    double p_n, p_t, u_t; // impulses along y and x, velocity along x after the step
    int painleve_count, contact_count;
} tip;

// A thin rhombus, so that the tip is one corner; it leans back from +x.
static tip slide(cn_book *book, double mu, double speed)
{
    const double slope = atan(2.0), c = cos(slope), s = sin(slope);
    const double rhombus[8] = {1.0, 0.0, 0.0, 1e-3, -1.0, 0.0, 0.0, -1e-3};
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, mu, 0.0);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id rod = cn_build_polygon(&t, 4, rhombus,
                                      (cn_body_def){.mass = 1.0,
                                                    .inertia = {0.0, 0.0, 1.0 / 3.0},
                                                    .at = {-c, s},
                                                    .angle = -slope,
                                                    .velocity = {speed, 0.0}});
    cn_trial_step(&t, STEP);
    tip end = {0};
    if (!t.is_broken) {
        cn_vec2 p = cn_trial_impulse(&t, rod, &end.contact_count);
        cn_body_state b = cn_trial_state(&t, rod);
        end.p_n = p.y;
        end.p_t = p.x;
        end.u_t =
            b.velocity[0] + b.angular_velocity[2] * s; // the tip is at (c, -s) from the mass centre
        end.painleve_count = cn_world_view(t.world).certificate->solver.painleve_count;
    }
    cn_trial_end(&t);
    return end;
}

void cn_case_A13(cn_book *book)
{
    const double gh = CN_G * STEP, tol = 1e-9;
    tip smooth = slide(book, 0.0, 1.0);
    double W_nn = gh / smooth.p_n, W_nt = (smooth.u_t - 1.0) / smooth.p_n;
    cn_check(book, "W_nn", W_nn, 1.6, tol);
    cn_check(book, "W_nt", W_nt, 1.2, tol);
    tip low = slide(book, 1.2, 1.0);
    cn_check(book, "W_tt", (low.u_t - 1.0 - W_nt * low.p_n) / low.p_t, 3.4, tol);
    cn_check(book, "P_n, mu 1.2, + sense", low.p_n, 6.25 * gh, tol);
    cn_check(book, "P_t, mu 1.2, + sense", low.p_t, -1.2 * 6.25 * gh, tol);
    cn_check(book, "flagged, mu 1.2, + sense", low.painleve_count, 0.0, 0.0);
    tip back = slide(book, 1.2, -1.0);
    cn_check(book, "P_n, mu 1.2, - sense", back.p_n, gh / 3.04, tol);
    cn_check(book, "flagged, mu 1.2, - sense", back.painleve_count, 0.0, 0.0);
    tip high = slide(book, 2.0, 1.0);
    cn_check(book, "P_n, mu 2, + sense", high.p_n, (3.4 * gh + 1.2) / 4.0, tol);
    cn_check(book, "P_t, mu 2, + sense", high.p_t, -(1.2 * gh + 1.6) / 4.0, tol);
    cn_check(book, "tip velocity, mu 2, + sense", high.u_t, 0.0, tol);
    cn_check(book, "flagged, mu 2, + sense", high.painleve_count, 1.0, 0.0);
    tip away = slide(book, 2.0, -1.0);
    cn_check(book, "P_n, mu 2, - sense", away.p_n, gh / 4.0, tol);
    cn_check(book, "flagged, mu 2, - sense", away.painleve_count, 1.0, 0.0);
}
