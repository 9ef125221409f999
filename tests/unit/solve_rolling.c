// tests/unit/solve_rolling.c -- cones with moments: projection, local solution, residual; theory
// 2.4 and 8.12 to 8.16.
#include "base/hash.h"
#include "cairn/vec.h"
#include "solve/problem/rolling_cone.h"
#include "strict.h"
#include "test.h"

// Rows and dimension of every cone with moments.
static const struct {
    int dim, rows;
} layout[] = {{2, 3}, {3, 4}, {3, 5}, {3, 6}};
enum { LAYOUT_COUNT = 4 };

static double between(uint64_t *random, double least, double most)
{
    return least + (most - least) * cn_random(random);
}

static cn_core random_core(uint64_t *random, int n, double mu_max)
{
    return (cn_core){.kind = CN_CORE_CONE,
                     .dim = layout[n].dim,
                     .mu = between(random, 0.0, mu_max),
                     .mu_roll = between(random, 0.0, mu_max),
                     .mu_spin = between(random, 0.0, mu_max)};
}

static double length_of(const cn_cone_disc *disc, const double *x)
{
    double sum = 0.0;
    for (int k = disc->first; k < disc->first + disc->size; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

static double distance2(int rows, const double *x, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < rows; k++) {
        sum += (x[k] - y[k]) * (x[k] - y[k]);
    }
    return sum;
}

// A point of the cone near y.
static void random_member(uint64_t *random, const cn_cone_discs *discs, const double *y, double *z)
{
    z[0] = fmax(y[0] + between(random, -0.1, 0.1), 0.0);
    for (int k = 0; k < discs->count; k++) {
        const cn_cone_disc *disc = &discs->disc[k];
        for (int c = disc->first; c < disc->first + disc->size; c++) {
            z[c] = y[c] + between(random, -0.1, 0.1);
        }
        double length = length_of(disc, z), radius = disc->mu * z[0];
        for (int c = disc->first; c < disc->first + disc->size; c++) {
            z[c] *= length > radius ? radius / length : 1.0;
        }
    }
}

// y is the projection of x on K if y is in K, x - y in the polar cone, and both orthogonal; and no
// other point of K is nearer.
CN_TEST(projection_is_the_nearest_point_of_the_cone)
{
    uint64_t random = 3;
    double outside = 0.0, polar = 0.0, oblique = 0.0, nearer = 0.0;
    for (int n = 0; n < 40000; n++) {
        int rows = layout[n % LAYOUT_COUNT].rows;
        cn_core core = random_core(&random, n % LAYOUT_COUNT, 3.0);
        core.mu_roll *= n % 7 == 0 ? 0.0 : 1.0;
        cn_cone_discs discs = cn_core_discs(&core, rows);
        double x[6], y[6], z[6], rest[6], dot = 0.0;
        for (int k = 0; k < rows; k++) {
            x[k] = between(&random, -1.0, 1.0);
        }
        cn_rolling_cone_project(&discs, x, y);
        for (int k = 0; k < rows; k++) {
            rest[k] = x[k] - y[k];
            dot += rest[k] * y[k];
        }
        for (int k = 0; k < discs.count; k++) {
            outside = fmax(outside, length_of(&discs.disc[k], y) - discs.disc[k].mu * y[0]);
        }
        polar = fmax(polar, rest[0] + cn_rolling_cone_shift(&discs, rest));
        oblique = fmax(oblique, fabs(dot));
        for (int k = 0; k < 20; k++) {
            random_member(&random, &discs, y, z);
            nearer = fmax(nearer, distance2(rows, x, y) - distance2(rows, x, z));
        }
    }
    CN_NEAR(outside, 0.0, 1e-14, "rounding");
    CN_NEAR(polar, 0.0, 1e-14, "rounding");
    CN_NEAR(oblique, 0.0, 1e-14, "rounding");
    CN_NEAR(nearer, 0.0, 1e-14, "rounding");
}

// How far r is from the law (2.4), over the size of u_rest: u_n = 0 where r_n > 0, r in the cone,
// each disc sticks or opposes its velocity from its rim.
static double violation(const cn_core *core, int rows, const double *W, const double *u_rest,
                        const double *r)
{
    double u[6], scale = 0.0;
    for (int i = 0; i < rows; i++) {
        u[i] = u_rest[i];
        scale += fabs(u_rest[i]);
        for (int k = 0; k < rows; k++) {
            u[i] += W[rows * i + k] * r[k];
        }
    }
    double worst = r[0] > 0.0 ? fabs(u[0]) : fmax(-u[0], 0.0);
    cn_cone_discs discs = cn_core_discs(core, rows);
    for (int k = 0; k < discs.count; k++) {
        const cn_cone_disc *disc = &discs.disc[k];
        double length = length_of(disc, r), speed = length_of(disc, u), along = 0.0;
        for (int c = disc->first; c < disc->first + disc->size; c++) {
            along += length > 0.0 ? u[c] * r[c] / length : 0.0;
        }
        worst = fmax(worst, (length - disc->mu * r[0]) * W[0]);
        bool is_at_rim = length >= disc->mu * r[0] * (1.0 - 1e-12);
        worst = fmax(worst, r[0] > 0.0 ? (is_at_rim ? speed + along : speed) : 0.0);
    }
    return worst / scale;
}

// Full blocks B B^T + least: condition up to 1e3 and beyond, every coupling.
static void random_block(uint64_t *random, int rows, double least, double *W)
{
    double B[36];
    for (int k = 0; k < rows * rows; k++) {
        B[k] = between(random, -1.0, 1.0);
    }
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < rows; k++) {
            W[rows * i + k] = i == k ? least : 0.0;
            for (int m = 0; m < rows; m++) {
                W[rows * i + k] += B[rows * i + m] * B[rows * k + m];
            }
        }
    }
}

static double worst_of_random(uint64_t seed, int count, double least, double mu_max, double skew)
{
    double worst = 0.0;
    for (int n = 0; n < count; n++) {
        int rows = layout[n % LAYOUT_COUNT].rows;
        double W[36], u[6], r[6];
        random_block(&seed, rows, least, W);
        for (int k = 1; k < rows; k++) { // gyroscopic terms make stored blocks unsymmetric
            W[k] *= 1.0 + skew;
        }
        for (int k = 0; k < rows; k++) {
            u[k] = between(&seed, k == 0 ? -1.5 : -1.0, k == 0 ? 0.5 : 1.0);
        }
        cn_core core = random_core(&seed, n % LAYOUT_COUNT, mu_max);
        cn_core_solve(&core, rows, W, u, r);
        worst = fmax(worst, violation(&core, rows, W, u, r));
    }
    return worst;
}

CN_TEST(random_problems_obey_the_law)
{
    CN_NEAR(worst_of_random(11, 100000, 1e-3, 3.0, 0.0), 0.0, 1e-9,
            "roots to 1e-14 times a condition of 1e3 or, for Painleve blocks, more");
    CN_NEAR(worst_of_random(12, 20000, 1e-3, 100.0, 0.0), 0.0, 1e-8,
            "rounding times the condition times impulses of 100 r_n");
    CN_NEAR(worst_of_random(13, 20000, 1e-3, 3.0, 1e-4), 0.0, 1e-9, "not quite symmetric");
}

CN_TEST(singular_blocks_obey_the_law)
{
    // A body that cannot turn: its moment opposes the imposed rate from the rim of the disc.
    double W[25] = {0};
    W[0] = W[6] = W[12] = 2.0;
    const double u[5] = {-1.0, 3.0, 4.0, 0.6, -0.8};
    cn_core core = {.kind = CN_CORE_CONE, .dim = 3, .mu = 0.5, .mu_roll = 0.1};
    double r[5];
    cn_core_solve(&core, 5, W, u, r);
    const double exact[5] = {0.5, -0.15, -0.2, -0.03, 0.04};
    for (int k = 0; k < 5; k++) {
        CN_NEAR(r[k], exact[k], 1e-13, "uncoupled rows: by hand");
    }
    const double at_rest[5] = {-1.0, 3.0, 4.0, 0.0, 0.0};
    cn_core_solve(&core, 5, W, at_rest, r);
    CN_TRUE(r[3] == 0.0 && r[4] == 0.0);
}

// A ball of mass 1 and radius R that rolls without sliding: along t at speed v, turning at v/R. The
// moment of rolling brakes by mu_roll r_n R / (I + R^2), and friction makes the ball follow.
CN_TEST(rolling_ball_is_braked_by_the_moment)
{
    const double R = 0.1, I = 0.4 * R * R, h = 0.01, g = 9.81, v = 1.0, mu_roll = 0.05 * R;
    // Rows n = z, t = x, roll about y: u_t = v - R omega, W from m = 1 and I.
    const double W[9] = {1.0, 0.0, 0.0, 0.0, 1.0 + R * R / I, -R / I, 0.0, -R / I, 1.0 / I};
    const double u[3] = {-h * g, 0.0, v / R};
    cn_core core = {.kind = CN_CORE_CONE, .dim = 2, .mu = 0.5, .mu_roll = mu_roll};
    double r[3];
    CN_TRUE(cn_core_solve(&core, 3, W, u, r) == CN_STATUS_STICK);
    CN_NEAR(r[0], h * g, 1e-15, "the weight");
    CN_NEAR(r[2], -mu_roll * h * g, 1e-15, "the moment is on its rim");
    CN_NEAR(v + r[1], v - mu_roll * h * g * R / (I + R * R), 1e-14, "one step of braking");
}

// Units of length do not change the residual.
CN_TEST(residual_does_not_depend_on_units)
{
    double err[2], e_max[2];
    for (int n = 0; n < 2; n++) {
        const double metre = n == 0 ? 1.0 : 1e3; // in units: moments and rates change, ...
        double W[25] = {0}, u[5] = {-1.0, 0.3, 0.1, 2.0, -1.0}, r[5] = {1.0, 0.2, -0.1, 0.01, 0.03};
        W[0] = 1.0;
        W[6] = W[12] = 3.5;
        W[18] = W[24] = 250.0;
        W[9] = W[21] = 10.0;
        W[13] = W[17] = -10.0;
        for (int k = 0; k < 5; k++) { // ... masses and impulses per velocity do not
            u[k] *= k < 3 ? metre : 1.0;
            r[k] *= k < 3 ? metre : metre * metre;
            for (int i = 0; i < 5; i++) {
                W[5 * k + i] /= (k < 3 ? 1.0 : metre) * (i < 3 ? 1.0 : metre);
            }
        }
        const int row_start[2] = {0, 5}, row[2] = {0, 1}, first[1] = {0};
        const unsigned char kind = CN_CORE_CONE;
        const double mu = 0.5, mu_roll = 0.02 * metre;
        cn_problem p = {.dim = 3,
                        .contact_count = 1,
                        .row_start = row_start,
                        .W.rows = {row, first, first, W},
                        .u_free = u,
                        .kind = &kind,
                        .mu = &mu,
                        .mu_roll = &mu_roll,
                        .r = r};
        cn_solver *solver;
        cn_residual residual;
        double u_end[5];
        CN_DO(cn_solver_create(NULL, &solver, &test_error));
        CN_DO(cn_problem_velocity(&p, solver, u_end, &test_error));
        CN_DO(cn_problem_residual(&p, u_end, solver, &residual, &test_error));
        err[n] = residual.err_v;
        e_max[n] = residual.e_max / metre;
        cn_solver_destroy(solver);
    }
    CN_TRUE(err[0] > 0.1);
    CN_NEAR(err[1] / err[0], 1.0, 1e-12, "rounding");
    CN_NEAR(e_max[1] / e_max[0], 1.0, 1e-12, "rounding");
}

// In the plane a cone of three rows is not that of space: every method solves it, or says that it
// does not.
CN_TEST(methods_know_the_plane_from_space)
{
    const double W[9] = {1.0, 0.2, 0.1, 0.2, 3.0, -1.0, 0.1, -1.0, 4.0}, u[3] = {-1.0, 2.0, 3.0};
    const int row_start[2] = {0, 3}, row[2] = {0, 1}, first[1] = {0};
    const unsigned char kind = CN_CORE_CONE;
    const double mu = 0.3, mu_roll = 0.1;
    cn_core core = {.kind = CN_CORE_CONE, .dim = 2, .mu = mu, .mu_roll = mu_roll};
    double exact[3];
    cn_core_solve(&core, 3, W, u, exact);
    CN_NEAR(exact[2], -mu_roll * exact[0], 1e-14, "it rolls");
    for (int method = 0; method < CN_METHOD_COUNT; method++) {
        double r[3] = {0.0};
        cn_problem p = {.dim = 2,
                        .contact_count = 1,
                        .row_start = row_start,
                        .W.rows = {row, first, first, W},
                        .u_free = u,
                        .kind = &kind,
                        .mu = &mu,
                        .mu_roll = &mu_roll,
                        .r = r};
        cn_solver_def def = cn_solver_def_default();
        cn_solver_report report;
        cn_solver *solver;
        def.method = (cn_method)method;
        def.eps_v = def.tol = 1e-10;
        CN_DO(cn_solver_create(NULL, &solver, &test_error));
        cn_status status = test_solve(&p, &def, solver, &report, &test_error);
        bool is_refused = status == CN_BAD_INPUT && strstr(test_error.text, "rolling") != NULL;
        CN_TRUE(status == CN_OK || is_refused);
        for (int k = 0; k < 3 && status == CN_OK; k++) {
            CN_NEAR(r[k], exact[k], 1e-8, "residual 1e-10");
        }
        cn_solver_destroy(solver);
    }
}

CN_MAIN(CN_RUN(projection_is_the_nearest_point_of_the_cone); CN_RUN(random_problems_obey_the_law);
        CN_RUN(singular_blocks_obey_the_law); CN_RUN(rolling_ball_is_braked_by_the_moment);
        CN_RUN(residual_does_not_depend_on_units); CN_RUN(methods_know_the_plane_from_space);)
