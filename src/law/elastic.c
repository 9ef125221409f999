// law/elastic.c -- contact through a spring that can only push, theory 4.19.
//
// The force is that of the mean gap of the step, g_theta = (1-theta) g + theta g+, so that theta =
// 1/2 conserves the stored energy.
#include <math.h>

#include "law/law.h"

enum { STIFFNESS, FRICTION, FORECAST, ROLLING, SPINNING, PARAM_COUNT };

static const cn_param param_table[PARAM_COUNT] = {
    [STIFFNESS] = {"stiffness", "N/m", "normal stiffness of one contact point", 1e-12, 1e30, NAN,
                   NULL},
    [FRICTION] = {"friction", "-", "coefficient of friction", 0, 1e6, 0, NULL},
    [FORECAST] = {"forecast", "-", "yes: acts only when the gap at mid-step is not positive", 0, 1,
                  0, "no yes"},
    [ROLLING] = {"rolling", "-", CN_ROLLING_HELP, 0, 1e6, 0, NULL},
    [SPINNING] = {"spinning", "-", CN_SPINNING_HELP, 0, 1e6, 0, NULL},
};

static const char *const state_table[] = {CN_MOMENT_STATES};

static cn_normal normal(const double *param)
{
    return (cn_normal){.stiffness = param[STIFFNESS]};
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    (void)state;
    core->mu = param[FRICTION];
    if (param[FORECAST] != 0.0 && in->gap > 0.0) {
        return;
    }
    double h = in->h, theta = in->theta, k = param[STIFFNESS];
    core->kind = CN_CORE_CONE;
    core->c[0] = 1.0 / (k * theta * theta * h * h);
    core->b[0] =
        (cn_law_gap_start(in) + theta * (1.0 - theta) * h * in->u_before[0]) / (theta * theta * h);
}

static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    (void)state;
    double g = cn_law_gap_start(in);
    double g_end = g + in->h * ((1.0 - in->theta) * in->u_before[0] + in->theta * out->u[0]);
    energy->storage =
        cn_spring_energy(param[STIFFNESS], g_end) - cn_spring_energy(param[STIFFNESS], g);
}

const cn_law cn_law_elastic_type = {
    .type = {"elastic", "spring of given stiffness that can only push, with dry friction",
             PARAM_COUNT, param_table, 0, state_table},
    .normal = normal,
    .prepare = prepare,
    .energy = energy,
};
