// Sizes of grains by mass: means known on paper (C33 of the catalogue), curves, what is refused.
#include "generate/pack/grain.h"
#include "test.h"

enum { GRAINS = 5000 };

static double radius_of(const cn_size_def *size, int dim, uint64_t seed, int k)
{
    if (dim == 3) {
        cn_grain3_def def = {.kind = CN_GRAIN_SPHERE, .radius = *size};
        cn_grain3 grain;
        CN_DO(cn_grain3_draw(&def, seed, (uint64_t)k, &grain, &test_error));
        return grain.radius;
    }
    cn_grain_def def = {.kind = CN_GRAIN_DISK, .radius = *size};
    cn_grain grain;
    cn_grain_draw(&def, seed, (uint64_t)k, &grain);
    return grain.radius;
}

static double mean_of(const cn_size_def *size, int dim)
{
    double sum = 0.0;
    for (int k = 0; k < GRAINS; k++) {
        sum += radius_of(size, dim, 5, k);
    }
    return sum / GRAINS;
}

// Share of the mass of grains smaller than r.
static double mass_below(const cn_size_def *size, int dim, double r)
{
    double sum = 0.0, below = 0.0;
    for (int k = 0; k < GRAINS; k++) {
        double own = radius_of(size, dim, 9, k), mass = pow(own, dim);
        sum += mass;
        below += own < r ? mass : 0.0;
    }
    return below / sum;
}

// Mean by number of sizes between 1 and 2 whose masses follow beta laws; uniform in the plane:
// 2 ln 2, in space 4/3.
CN_TEST(means_of_beta_laws_by_mass)
{
    static const double a[3] = {1.0, 2.0, 4.0}, b[3] = {1.0, 4.0, 2.0};
    static const double exact[2][3] = {{1.386294, 1.288603, 1.624454},
                                       {1.333333, 1.268065, 1.601399}};
    for (int k = 0; k < 6; k++) {
        cn_size_def size = {.kind = CN_SIZE_BETA,
                            .by = CN_SIZE_BY_MASS,
                            .draw = CN_SIZE_EVEN,
                            .between = {1.0, 2.0},
                            .a = a[k % 3],
                            .b = b[k % 3]};
        CN_DO(cn_size_check(&size, &test_error));
        CN_NEAR(mean_of(&size, 2 + k / 3), exact[k / 3][k % 3], 3e-4,
                "discrepancy of 5000 multiples of the golden ratio is below 2e-4");
        size.draw = CN_SIZE_RANDOM;
        CN_NEAR(mean_of(&size, 2 + k / 3), exact[k / 3][k % 3], 1.2e-2,
                "3 standard errors of 5000 draws, deviation at most 0.29");
    }
}

// The quantiles of a law whose distribution is known in closed form: by number, a = 2, b = 1, x^2.
CN_TEST(even_draws_fill_every_part_of_a_law)
{
    cn_size_def size = {
        .kind = CN_SIZE_BETA, .draw = CN_SIZE_EVEN, .between = {1.0, 2.0}, .a = 2.0, .b = 1.0};
    for (int part = 1; part < 10; part++) {
        int below = 0;
        for (int k = 0; k < 500; k++) {
            below += radius_of(&size, 2, 3, k) < 1.0 + 0.1 * part;
        }
        CN_NEAR(below / 500.0, 0.01 * part * part, 0.006, "500 even draws: at most 3 of them off");
    }
}

// Sieves: what passes each of them is the mass that is asked for.
CN_TEST(masses_follow_a_sieve_curve)
{
    const double d[5] = {1e-3, 2e-3, 4e-3, 5e-3, 8e-3}, p[5] = {0.0, 20.0, 20.0, 70.0, 100.0};
    cn_size_def size = {
        .kind = CN_SIZE_CURVE, .draw = CN_SIZE_EVEN, .diameter = {5, d}, .passing = {5, p}};
    CN_DO(cn_size_check(&size, &test_error));
    for (int dim = 2; dim <= 3; dim++) {
        for (int k = 1; k < 4; k++) {
            CN_NEAR(mass_below(&size, dim, 0.5 * d[k]), 0.01 * p[k], 0.02,
                    "few large grains of 1/4 (2D) and 1/16 (3D) of all numbers carry the rest");
        }
        double middle = sqrt(d[0] * d[1]);
        CN_NEAR(mass_below(&size, dim, 0.5 * middle), 0.1, 0.01, "straight over the logarithm");
        CN_NEAR(mass_below(&size, dim, 0.5 * 3e-3), 0.2, 0.01, "none between 2 and 4 mm");
    }
}

// Two sizes of equal masses: 8 small balls for each ball of twice the size.
CN_TEST(lists_may_count_masses)
{
    const double value[2] = {1.0, 2.0};
    cn_size_def size = {.kind = CN_SIZE_LIST, .by = CN_SIZE_BY_MASS, .value = {2, value}};
    CN_NEAR(mean_of(&size, 3), 10.0 / 9.0, 1.4e-2, "3 standard errors of 5000 draws");
    CN_NEAR(mean_of(&size, 2), 6.0 / 5.0, 1.8e-2, "4 small disks for each large one");
    size.by = CN_SIZE_BY_NUMBER;
    CN_NEAR(mean_of(&size, 3), 1.5, 2.2e-2, "one for one");
}

CN_TEST(bad_laws_are_refused)
{
    const double d[3] = {1.0, 2.0, 4.0}, falls[3] = {0.0, 60.0, 40.0}, ends[3] = {5.0, 60.0, 100.0};
    cn_size_def size = {.kind = CN_SIZE_BETA, .between = {2.0, 1.0}, .a = 1.0, .b = 1.0};
    CN_FAILS(cn_size_check(&size, &test_error), CN_BAD_INPUT, "the smaller radius comes first");
    size.between[1] = 3.0;
    size.a = 0.5;
    CN_FAILS(cn_size_check(&size, &test_error), CN_BAD_INPUT, "from 1 to 100");
    size = (cn_size_def){.kind = CN_SIZE_CURVE, .diameter = {3, d}, .passing = {3, falls}};
    CN_FAILS(cn_size_check(&size, &test_error), CN_BAD_INPUT, "a curve of sizes rises");
    size.passing.value = ends;
    CN_FAILS(cn_size_check(&size, &test_error), CN_BAD_INPUT, "begins where 0 % pass");
    size.passing.count = 2;
    CN_FAILS(cn_size_check(&size, &test_error), CN_BAD_INPUT, "as many values");
}

CN_MAIN(CN_RUN(means_of_beta_laws_by_mass); CN_RUN(even_draws_fill_every_part_of_a_law);
        CN_RUN(masses_follow_a_sieve_curve); CN_RUN(lists_may_count_masses);
        CN_RUN(bad_laws_are_refused);)
