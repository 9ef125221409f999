// law/viscoelastic.c -- spring and dashpot in parallel that can only push, theory 4.22.
//
// The force is clipped at zero (no traction). The dashpot acts on the depth, not on the gap: it
// must not act at a distance.
#include <math.h>

#include "cairn/way.h"
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

static void set_core(const double *param, const cn_law_input *in, double u, cn_core *core)
{
    cn_way way = cn_way_tangent(in, 0.0, u);
    cn_way_force force = cn_way_linear(param[STIFFNESS], 0.0, &way);
    cn_way_damp(param[DAMPING], in->h, &way, &force);
    core->mu = param[FRICTION];
    cn_way_core(in, &way, &force, core);
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    (void)state;
    set_core(param, in, in->u_before[0], core);
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
    if (out->r[0] > 0.0) {
        energy->viscous = cn_way_viscous(param[DAMPING], in->h, &way);
    }
}

const cn_law cn_law_viscoelastic_type = {
    .type = {"viscoelastic", "spring and dashpot that can only push, with dry friction",
             PARAM_COUNT, param_table, 0, state_table},
    .normal = normal,
    .prepare = prepare,
    .refine = refine,
    .energy = energy,
};
