// validation/a03_accumulation.c -- A03: infinitely many impacts in a finite time.
//
// Question: does a ball with 0 < e < 1 come to rest when it should, and stay there?
// Reference: t_inf = sqrt(2 z0/g) (1+e)/(1-e); apex n at z0 e^(2n).
// Source: classical; Moreau 1999.
#include "builders.h"
#include "table.h"

#define APEX_COUNT 5

typedef struct outcome {
    double apex[APEX_COUNT + 1]; // apex[n] after n impacts [m]
    double rest;                 // time after which the speed stays below 2 g h [s]
    double later;                // largest speed after 1.02 t_inf, over g h
} outcome;

static outcome bounce(cn_book *book, double e, double h, double t_inf)
{
    outcome o = {0};
    cn_world_def def = cn_trial_def();
    cn_law_def law = cn_law_coulomb(0.0, e);
    cn_ball ball = cn_build_ball(book, &def, &law, 1.0, 0.0);
    int impact_count = 0;
    for (double t = h, before = 0.0; t < 1.1 * t_inf; t += h) {
        if (!cn_trial_step(&ball.trial, h)) {
            break;
        }
        double v = cn_ball_velocity(&ball);
        impact_count += before < 0.0 && v > 0.0;
        if (impact_count <= APEX_COUNT) {
            o.apex[impact_count] = fmax(o.apex[impact_count], cn_ball_height(&ball));
        }
        if (fabs(v) >= 2.0 * CN_G * h) {
            o.rest = t;
        }
        if (t > 1.02 * t_inf) {
            o.later = fmax(o.later, fabs(v) / (CN_G * h));
        }
        before = v;
    }
    cn_trial_end(&ball.trial);
    return o;
}

static void check_apex(cn_book *book, const outcome *o, double e, double h, int n, double fraction)
{
    cn_check_rel(book, cn_name(book, "apex %d, e %g, h %g", n, e, h), o->apex[n], pow(e, 2 * n),
                 fraction);
}

static void check_rest(cn_book *book, const outcome *o, double e, double h, double t_inf)
{
    cn_check_rel(book, cn_name(book, "time of rest, e %g, h %g", e, h), o->rest, t_inf, 0.005);
    cn_check(book, cn_name(book, "speed afterwards over g h, e %g, h %g", e, h), o->later, 0.0,
             2.0);
}

void cn_case_A03(cn_book *book)
{
    const double soft = 1.354570923, hard = 8.578949179; // [s]
    outcome o = bounce(book, 0.5, 1e-4, soft);
    check_rest(book, &o, 0.5, 1e-4, soft);
    check_apex(book, &o, 0.5, 1e-4, 1, 0.005);
    check_apex(book, &o, 0.5, 1e-4, 2, 0.005);
    check_apex(book, &o, 0.5, 1e-4, 5, 0.04);
    o = bounce(book, 0.5, 1e-5, soft);
    check_rest(book, &o, 0.5, 1e-5, soft);
    check_apex(book, &o, 0.5, 1e-5, 5, 0.005);
    o = bounce(book, 0.9, 1e-4, hard);
    check_rest(book, &o, 0.9, 1e-4, hard);
    for (int n = 1; n <= APEX_COUNT; n++) {
        check_apex(book, &o, 0.9, 1e-4, n, 0.005);
    }
}
