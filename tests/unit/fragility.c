// Fragility curves: fits known on paper, and what cannot be fitted.
#include "cairn/study.h"
#include "test.h"

#include <math.h>

// The four pulses of case B46: median and sample deviation of the logarithms.
CN_TEST(capacities_give_the_moments_of_their_logarithms)
{
    const double capacity[4] = {0.727886764, 0.438677947, 0.347882706, 0.284114729};
    cn_fragility fit;
    CN_DO(cn_fragility_of_capacities(4, capacity, &fit, &test_error));
    CN_NEAR(fit.theta, 0.421487, 5e-7, "geometric mean, six digits");
    CN_NEAR(fit.beta, 0.405174, 5e-7, "likewise");
    CN_NEAR(fit.theta_error, 0.5 * fit.beta, 1e-15, "four capacities");
    CN_NEAR(cn_fragility_at(&fit, fit.theta), 0.5, 1e-15, "the median");
    CN_NEAR(cn_fragility_at(&fit, fit.theta * exp(-fit.beta)), 0.15865525393145705, 1e-14,
            "one deviation below");
    CN_TRUE(cn_fragility_at(&fit, 0.0) == 0.0);
}

// One of four fails at 1/e, three of four at e: two numbers of the curve meet both shares, beta is
// one over the upper quartile of the normal distribution. The information is that of two groups of
// four with weight phi^2/(P (1 - P)).
CN_TEST(outcomes_give_the_most_likely_curve)
{
    const double low = exp(-1.0) * 3.0, high = exp(1.0) * 3.0, quartile = 0.67448975019608174;
    const double intensity[8] = {low, low, low, low, high, high, high, high};
    const bool has_failed[8] = {false, true, false, false, true, true, false, true};
    cn_fragility fit;
    CN_DO(cn_fragility_of_outcomes(8, intensity, has_failed, &fit, &test_error));
    CN_NEAR(fit.theta, 3.0, 1e-7, "by symmetry; the likelihood is flat to half the digits");
    CN_NEAR(fit.beta, 1.0 / quartile, 1e-7, "likewise");
    double phi = exp(-0.5 * quartile * quartile) / sqrt(2.0 * CN_PI);
    double weight = 8.0 * phi * phi / (0.25 * 0.75);
    CN_NEAR(fit.theta_error, 1.0 / (quartile * sqrt(weight)), 1e-6, "of a over b, a = 0");
    CN_NEAR(fit.beta_error, 1.0 / (quartile * quartile * sqrt(weight)), 1e-6, "of 1/b");
}

CN_TEST(what_cannot_be_fitted_is_told)
{
    cn_fragility fit;
    const double rising[4] = {1.0, 2.0, 3.0, 4.0}, equal[2] = {1.0, 1.0}, bad[2] = {1.0, -1.0};
    const bool apart[4] = {false, false, true, true}, falling[4] = {true, true, false, false};
    const bool none[4] = {false, false, false, false};
    CN_FAILS(cn_fragility_of_capacities(1, rising, &fit, &test_error), CN_BAD_INPUT,
             "at least two intensities, got 1");
    CN_FAILS(cn_fragility_of_capacities(2, equal, &fit, &test_error), CN_BAD_INPUT, "no spread");
    CN_FAILS(cn_fragility_of_capacities(2, bad, &fit, &test_error), CN_BAD_INPUT, "> 0, got -1");
    CN_FAILS(cn_fragility_of_outcomes(4, rising, apart, &fit, &test_error), CN_BAD_INPUT,
             "do not overlap");
    CN_FAILS(cn_fragility_of_outcomes(4, rising, none, &fit, &test_error), CN_BAD_INPUT,
             "do not overlap");
    CN_FAILS(cn_fragility_of_outcomes(4, rising, falling, &fit, &test_error), CN_BAD_INPUT,
             "do not become more likely");
}

CN_MAIN(CN_RUN(capacities_give_the_moments_of_their_logarithms);
        CN_RUN(outcomes_give_the_most_likely_curve); CN_RUN(what_cannot_be_fitted_is_told);)
