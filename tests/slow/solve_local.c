// The exact local solution in space: 10^6 random problems of many kinds, cold and from the roots of
// other problems, none unsolved. CAIRN_LOCAL_COUNT sets another number.
#include <stdlib.h>

#include "base/hash.h"
#include "solve/sweep/local.h"
#include "test.h"

typedef struct local {
    double W[9], u[3], mu;
} local;

static double between(uint64_t *random, double low, double high)
{
    return low + (high - low) * cn_random(random);
}

// A power of ten with an exponent drawn between two.
static double decade(uint64_t *random, double low, double high)
{
    return pow(10.0, between(random, low, high));
}

// W = B B^T + floor, with rows of B of different lengths: bodies of any shape and mass ratio. Every
// fourth block is nearly singular, every fourth friction is huge or tiny, and units are any.
static local draw(uint64_t *random)
{
    local x;
    double B[9], unit = decade(random, -6.0, 6.0), speed = decade(random, -12.0, 3.0);
    double floor = decade(random, cn_random(random) < 0.25 ? -9.0 : -3.0, 0.0);
    for (int i = 0; i < 3; i++) {
        double length = decade(random, -1.0, 1.0);
        for (int k = 0; k < 3; k++) {
            B[3 * i + k] = length * between(random, -1.0, 1.0);
        }
        x.u[i] = speed * (i == 0 ? between(random, -1.0, 0.3) : between(random, -1.0, 1.0)) *
                 decade(random, -2.0, 2.0);
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double sum = i == k ? floor : 0.0;
            for (int m = 0; m < 3; m++) {
                sum += B[3 * i + m] * B[3 * k + m];
            }
            x.W[3 * i + k] = unit * sum;
        }
    }
    x.mu = cn_random(random) < 0.25 ? decade(random, -4.0, 3.0) : between(random, 0.0, 1.5);
    return x;
}

// How far (u, r) is from the law, over the velocities that the sum u = u_rest + W r is made of.
static double miss(const local *x, const double r[3])
{
    double u[3], scale = 0.0;
    for (int i = 0; i < 3; i++) {
        u[i] = x->u[i];
        scale += fabs(x->u[i]);
        for (int k = 0; k < 3; k++) {
            u[i] += x->W[3 * i + k] * r[k];
            scale += fabs(x->W[3 * i + k] * r[k]);
        }
    }
    double r_t = hypot(r[1], r[2]), u_t = hypot(u[1], u[2]);
    double worst = fmax(-u[0], 0.0) + x->W[0] * fmax(r_t - x->mu * r[0], 0.0);
    if (r[0] > 0.0) {
        worst = fmax(worst, fabs(u[0]));
    }
    if (r_t < x->mu * r[0] * (1.0 - 1e-12)) {
        worst = fmax(worst, u_t);
    } else if (r_t > 0.0) {
        double along = (u[1] * r[1] + u[2] * r[2]) / r_t;
        double across = (u[1] * r[2] - u[2] * r[1]) / r_t;
        worst = fmax(worst, fmax(along, fabs(across)));
    }
    return scale > 0.0 ? worst / scale : worst;
}

CN_TEST(no_local_problem_stays_unsolved)
{
    const char *asked = getenv("CAIRN_LOCAL_COUNT");
    long count = asked != NULL ? atol(asked) : 1000000, failed = 0, kinds[3] = {0};
    uint64_t random = 17;
    double worst = 0.0, root = 0.0;
    for (long n = 0; n < count; n++) {
        local x = draw(&random);
        double cold = 0.0, r[3], r_warm[3];
        cn_cone3_solve(x.W, x.mu, x.u, &cold, r);
        double e = miss(&x, r);
        cn_cone3_solve(x.W, x.mu, x.u, &root, r_warm); // from whatever the last problem left
        e = fmax(e, miss(&x, r_warm));
        failed += !(e <= 1e-9);
        worst = fmax(worst, e);
        double r_t = hypot(r[1], r[2]);
        kinds[r[0] > 0.0 ? 1 + (r_t >= x.mu * r[0] * (1.0 - 1e-12)) : 0]++;
    }
    if (asked != NULL) {
        printf("%ld problems, worst miss %.3g, open %ld, stick %ld, slide %ld\n", count, worst,
               kinds[0], kinds[1], kinds[2]);
    }
    CN_TRUE(failed == 0);
    CN_NEAR(worst, 0.0, 1e-9, "roots to 1e-14 times a condition of 1e5 of sums of all sizes");
    CN_TRUE(kinds[0] > count / 10 && kinds[1] > count / 10 && kinds[2] > count / 10);
}

CN_MAIN(CN_RUN(no_local_problem_stays_unsolved);)
