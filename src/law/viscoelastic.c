// law/viscoelastic.c -- spring and dashpot in parallel that can only push, theory 4.20.
//
// The force is clipped at zero (no traction) and acts only when the gap at mid-step is not
// positive: a dashpot must not act at a distance.
#include <math.h>

#include "law/law.h"

enum { STIFFNESS, DAMPING, FRICTION, ROLLING, SPINNING, PARAM_COUNT };

static const cn_param param_table[PARAM_COUNT] = {
    [STIFFNESS] = {"stiffness", "N/m", "normal stiffness of one contact point", 1e-12, 1e30, NAN,
                   NULL},
    [DAMPING] = {"damping", "N s/m", "normal viscosity of one contact point", 0, 1e30, NAN, NULL},
    [FRICTION] = {"friction", "-", "coefficient of friction", 0, 1e6, 0, NULL},
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
    if (in->gap > 0.0) {
        return;
    }
    double h = in->h, theta = in->theta, k = param[STIFFNESS], eta = param[DAMPING];
    double U_n = in->u_before[0];
    double D = h * theta * (k * theta * h + eta);
    double mean_gap = cn_law_gap_start(in) + theta * (1.0 - theta) * h * U_n;
    core->kind = CN_CORE_CONE;
    core->c[0] = 1.0 / D;
    core->b[0] = h * (k * mean_gap + eta * (1.0 - theta) * U_n) / D;
}

static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    (void)state;
    double g = cn_law_gap_start(in);
    double u_mean = (1.0 - in->theta) * in->u_before[0] + in->theta * out->u[0];
    energy->storage = cn_spring_energy(param[STIFFNESS], g + in->h * u_mean) -
                      cn_spring_energy(param[STIFFNESS], g);
    if (out->r[0] > 0.0) {
        energy->viscous = in->h * param[DAMPING] * u_mean * u_mean;
    }
}

const cn_law cn_law_viscoelastic_type = {
    .type = {"viscoelastic", "spring and dashpot that can only push, with dry friction",
             PARAM_COUNT, param_table, 0, state_table},
    .normal = normal,
    .prepare = prepare,
    .energy = energy,
};
