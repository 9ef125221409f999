// law/elastic.c -- contact through a spring that can only push, theory 4.19 to 4.21.
//
// The impulse is that of the mean force over the way of the step, so that theta = 1/2 conserves the
// stored energy; where the way leaves or meets the surface, refine finds it.
#include <math.h>

#include "cairn/way.h"
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

static bool is_forecast_open(const double *param, const cn_law_input *in)
{
    return param[FORECAST] != 0.0 && in->gap > 0.0;
}

static void set_core(const double *param, const cn_law_input *in, double u, cn_core *core)
{
    double k = param[STIFFNESS];
    cn_way way = cn_way_tangent(in, 0.0, u);
    cn_way_force force =
        param[FORECAST] != 0.0 ? cn_way_straight(k, &way) : cn_way_linear(k, 0.0, &way);
    core->mu = param[FRICTION];
    cn_way_core(in, &way, &force, core);
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    (void)state;
    if (!is_forecast_open(param, in)) {
        set_core(param, in, in->u_before[0], core);
    }
    core->mu = param[FRICTION];
}

static void refine(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed)
{
    (void)state;
    (void)assumed;
    set_core(param, in, out->u[0], core);
}

static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    (void)state;
    cn_way way = cn_way_of(in, out->u[0]);
    energy->storage =
        cn_spring_energy(param[STIFFNESS], way.to) - cn_spring_energy(param[STIFFNESS], way.from);
}

const cn_law cn_law_elastic_type = {
    .type = {"elastic", "spring of given stiffness that can only push, with dry friction",
             PARAM_COUNT, param_table, 0, state_table},
    .normal = normal,
    .prepare = prepare,
    .refine = refine,
    .energy = energy,
};
