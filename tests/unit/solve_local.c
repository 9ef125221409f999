// The exact local solution in 2D: all statuses, random problems, Painleve, compliance and offset.
#include <stdlib.h>

#include "base/hash.h"
#include "cairn/solver.h"
#include "solve/sweep/local.h"
#include "test.h"

static const double W_of_jean[4] = {1.0, 0.5, 0.5, 2.0}; // nn nt tn tt

static void solve(double mu, double u_t, double u_n, double r[2], cn_contact_status *status)
{
    cn_core core = {.kind = CN_CORE_CONE, .mu = mu};
    double u[2] = {u_n, u_t};
    *status = cn_core_solve(&core, 2, W_of_jean, u, r);
}

CN_TEST(four_statuses_have_their_values_on_paper)
{
    double r[2];
    cn_contact_status status;
    const char *why = "closed form, a few roundings";
    solve(0.5, 0.3, -1.0, r, &status);
    CN_TRUE(status == CN_STATUS_STICK);
    CN_NEAR(r[0], 43.0 / 35.0, 1e-14, why);
    CN_NEAR(r[1], -16.0 / 35.0, 1e-14, why);
    solve(0.5, 3.0, -1.0, r, &status);
    CN_TRUE(status == CN_STATUS_SLIDE);
    CN_NEAR(r[0], 4.0 / 3.0, 1e-14, why);
    CN_NEAR(r[1], -2.0 / 3.0, 1e-14, why);
    solve(0.5, -3.0, -1.0, r, &status);
    CN_TRUE(status == CN_STATUS_SLIDE);
    CN_NEAR(r[0], 0.8, 1e-14, why);
    CN_NEAR(r[1], 0.4, 1e-14, why);
    solve(0.5, 1.0, 0.2, r, &status);
    CN_TRUE(status == CN_STATUS_OPEN);
    CN_TRUE(r[0] == 0.0 && r[1] == 0.0);
}

// r solves the law if u_n >= 0, |r_t| <= mu r_n, u_n r_n = 0 and friction opposes sliding.
static double violation(double mu, const double W[4], const double u_rest[2], const double r[2])
{
    double u_n = u_rest[0] + W[0] * r[0] + W[1] * r[1];
    double u_t = u_rest[1] + W[2] * r[0] + W[3] * r[1];
    double scale = fabs(u_rest[0]) + fabs(u_rest[1]);
    double worst = fmax(-u_n, 0.0) + fmax(fabs(r[1]) - mu * r[0], 0.0) * W[0];
    if (r[0] > 0.0) {
        worst = fmax(worst, fabs(u_n));
    }
    if (fabs(r[1]) < mu * r[0] * (1.0 - 1e-12)) {
        worst = fmax(worst, fabs(u_t));
    } else if (u_t * r[1] > 0.0) {
        worst = fmax(worst, fabs(u_t));
    }
    return worst / scale;
}

CN_TEST(random_problems_obey_the_law)
{
    uint64_t random = 1;
    double worst = 0.0;
    for (int k = 0; k < 200000; k++) {
        double a = cn_random(&random) * 2 - 1, b = cn_random(&random) * 2 - 1;
        double c = cn_random(&random) * 2 - 1, d = cn_random(&random) * 2 - 1;
        double W[4] = {a * a + b * b + 1e-3, a * c + b * d, a * c + b * d, c * c + d * d + 1e-3};
        double mu = 2.0 * cn_random(&random);
        double u[2] = {cn_random(&random) * 2 - 1.5, cn_random(&random) * 2 - 1};
        cn_core core = {.kind = CN_CORE_CONE, .mu = mu};
        double r[2];
        cn_core_solve(&core, 2, W, u, r);
        worst = fmax(worst, violation(mu, W, u, r));
    }
    CN_NEAR(worst, 0.0, 1e-11, "round-off times a condition of 1e3 or, for Painleve blocks, more");
}

CN_TEST(compliance_and_offset_are_changes_of_variable)
{
    // u' = u + b + c r', r' = r + r0 with r0 = (-1, 0): a cohesive offset lets the contact pull.
    cn_core core = {.kind = CN_CORE_CONE, .mu = 0.0, .b = {0.25}, .c = {0.5}, .r0 = {2.0}};
    double W[4] = {1.5, 0.0, 0.0, 1.0}, u[2] = {1.0, 0.0}, r[2];
    cn_core_solve(&core, 2, W, u, r);
    // u' = 1.5 (r' - 2) + 1 + 0.25 + 0.5 r' = 0 gives r' = 0.875, r = -1.125.
    CN_NEAR(r[0], -1.125, 1e-15, "exact in binary");
}

CN_TEST(bilateral_block_brings_the_velocity_to_zero)
{
    cn_core core = {.kind = CN_CORE_BILATERAL};
    double u[2] = {0.7, -0.4}, r[2];
    CN_TRUE(cn_core_solve(&core, 2, W_of_jean, u, r) == CN_STATUS_JOINED);
    CN_NEAR(u[0] + r[0] + 0.5 * r[1], 0.0, 1e-15, "2x2 solve");
    CN_NEAR(u[1] + 0.5 * r[0] + 2.0 * r[1], 0.0, 1e-15, "2x2 solve");
}

// The law in space: u_n >= 0, r in the cone, complementary, friction opposite to sliding. Relative
// to u.
static double violation3(double mu, const double W[9], const double u_rest[3], const double r[3])
{
    double u[3], scale = 0.0;
    for (int i = 0; i < 3; i++) {
        u[i] = u_rest[i] + W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2];
        scale += fabs(u_rest[i]);
    }
    double r_t = hypot(r[1], r[2]), u_t = hypot(u[1], u[2]);
    double worst = fmax(-u[0], 0.0) + fmax(r_t - mu * r[0], 0.0) * W[0];
    if (r[0] > 0.0) {
        worst = fmax(worst, fabs(u[0]));
    }
    if (r_t < mu * r[0] * (1.0 - 1e-12)) {
        worst = fmax(worst, u_t);
    } else if (r_t > 0.0) { // |u_t r_t + u_t . r_t direction| vanishes when they are opposite
        double along = (u[1] * r[1] + u[2] * r[2]) / r_t;
        worst = fmax(worst, u_t + along);
    }
    return worst / scale;
}

CN_TEST(random_problems_in_space_obey_the_law)
{
    uint64_t random = 5;
    double worst = 0.0;
    for (int n = 0; n < 300000; n++) {
        double B[9], W[9], u[3], r[3];
        for (int k = 0; k < 9; k++) {
            B[k] = 2.0 * cn_random(&random) - 1.0;
        }
        for (int i = 0; i < 3; i++) {
            u[i] = 2.0 * cn_random(&random) - (i == 0 ? 1.5 : 1.0);
            for (int k = 0; k < 3; k++) {
                W[3 * i + k] = i == k ? 1e-3 : 0.0;
                for (int m = 0; m < 3; m++) {
                    W[3 * i + k] += B[3 * i + m] * B[3 * k + m];
                }
            }
        }
        cn_core core = {.kind = CN_CORE_CONE, .mu = 3.0 * cn_random(&random)};
        cn_core_solve(&core, 3, W, u, r);
        worst = fmax(worst, violation3(core.mu, W, u, r));
    }
    CN_NEAR(worst, 0.0, 1e-9, "root to 1e-14 times a condition of 1e3 and Painleve blocks");
}

// Thousands of sweeps bring idle contacts to speeds like 1e-300; the root, kept from visit to
// visit, must not run away.
CN_TEST(vanishing_speeds_give_finite_impulses)
{
    const double W[9] = {1.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.2};
    const double speed[4][3] = {{-1e-200, 1e-200, 1e-201},
                                {-1e-310, 0.1, 0.0},
                                {-1e-170, 1e-5, -1e-5},
                                {-0.1, 1e-320, 0.0}};
    for (int k = 0; k < 4; k++) {
        double x = 0.0, r[3];
        for (int visit = 0; visit < 10; visit++) {
            cn_cone3_solve(W, 0.5, speed[k], &x, r);
            CN_TRUE(isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]) && x < 1e150);
            CN_NEAR(r[0], -speed[k][0], 1e-17, "a head-on blow on a unit mass");
        }
    }
}

// A friction like 1e-300 is none: impulses whose squares vanish have no direction.
CN_TEST(vanishing_friction_is_none)
{
    const double W[25] = {1.0, 0.1, 0.2, 0.0, 0.0, 0.1, 1.5, 0.0, 0.0, 0.0, 0.2, 0.0, 1.2,
                          0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    const double W3[9] = {1.0, 0.1, 0.2, 0.1, 1.5, 0.0, 0.2, 0.0, 1.2};
    const double u[5] = {-1.0, 2.0, -3.0, 1.0, 1.0}, mu[4] = {1e-31, 1e-160, 1e-300, 5e-324};
    for (int k = 0; k < 4; k++) {
        double r[5];
        cn_core core = {.kind = CN_CORE_CONE, .dim = 3, .mu = mu[k], .mu_roll = mu[k]};
        for (int rows = 3; rows <= 5; rows += 2) {
            cn_core_solve(&core, rows, rows == 3 ? W3 : W, u, r);
            CN_NEAR(r[0], 1.0, 1e-15, "a head-on blow on a unit mass");
            CN_NEAR(fabs(r[1]) + fabs(r[rows - 1]), 0.0, 1e-30, "no more than friction allows");
        }
    }
}

// Bodies that cannot move along a tangent: friction sticks or slides along the other one, and where
// neither can move the imposed slip has its friction.
CN_TEST(held_tangents_leave_the_law_to_the_others)
{
    const double W[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0};
    const double W_none[9] = {1.0};
    const double u[3][3] = {{-1.0, 0.1, 0.0}, {-1.0, 2.0, 0.0}, {-1.0, 0.3, -0.4}};
    const double exact[3][3] = {{1.0, -0.1, 0.0}, {1.0, -0.5, 0.0}, {1.0, -0.3, 0.4}};
    for (int k = 0; k < 3; k++) {
        double x = 0.0, r[3];
        for (int visit = 0; visit < 3; visit++) {
            cn_cone3_solve(k < 2 ? W : W_none, 0.5, u[k], &x, r);
            for (int d = 0; d < 3; d++) {
                CN_NEAR(r[d], exact[k][d], 1e-11, "the x of the held tangent is 1e-12");
            }
        }
    }
}

// In the plane of a symmetric block the contact in space is the one in the plane.
CN_TEST(space_contains_the_plane)
{
    uint64_t random = 9;
    for (int n = 0; n < 1000; n++) {
        double c = cn_random(&random) - 0.5, u[3] = {-1.0, 4.0 * cn_random(&random) - 2.0, 0.0};
        double W2[4] = {1.0, c, c, 1.5}, W3[9] = {1.0, c, 0.0, c, 1.5, 0.0, 0.0, 0.0, 1.2};
        double r2[2], r3[3];
        cn_core core = {.kind = CN_CORE_CONE, .mu = cn_random(&random)};
        cn_core_solve(&core, 2, W2, u, r2);
        cn_core_solve(&core, 3, W3, u, r3);
        CN_NEAR(r3[0], r2[0], 1e-12, "same equations, root to 1e-14");
        CN_NEAR(r3[1], r2[1], 1e-12, "same equations, root to 1e-14");
        CN_NEAR(r3[2], 0.0, 1e-15, "nothing out of the plane");
    }
}

CN_MAIN(CN_RUN(random_problems_in_space_obey_the_law);
        CN_RUN(vanishing_speeds_give_finite_impulses); CN_RUN(vanishing_friction_is_none);
        CN_RUN(held_tangents_leave_the_law_to_the_others); CN_RUN(space_contains_the_plane);
        CN_RUN(four_statuses_have_their_values_on_paper); CN_RUN(random_problems_obey_the_law);
        CN_RUN(compliance_and_offset_are_changes_of_variable);
        CN_RUN(bilateral_block_brings_the_velocity_to_zero);)
