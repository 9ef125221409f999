// law/crush.c -- contact that is crushed: stiff when it is let go, less so when it is pressed,
// theory 4.41 and 4.42 (Walton and Braun 1986).
//
// Two springs, of which the weaker one acts: that of loading, and that of unloading from what was
// crushed so far. Which one it is at the mean gap of the step, refine finds.
#include <math.h>

#include "law/law.h"

enum { LOADING, UNLOADING, FRICTION, ROLLING, SPINNING, PARAM_COUNT };

static const cn_param param_table[PARAM_COUNT] = {
    [LOADING] = {"stiffness", "N/m", "of one contact point while it is crushed", 1e-12, 1e30, NAN,
                 NULL},
    [UNLOADING] = {"stiffness_unloading", "N/m", "while it is let go; at least `stiffness`", 1e-12,
                   1e30, NAN, NULL},
    [FRICTION] = {"friction", "-", "coefficient of friction", 0, 1e6, 0, NULL},
    [ROLLING] = {"rolling", "-", CN_ROLLING_HELP, 0, 1e6, 0, NULL},
    [SPINNING] = {"spinning", "-", CN_SPINNING_HELP, 0, 1e6, 0, NULL},
};

enum { CRUSHED, STATE_COUNT };
static const char *const state_table[] = {"crushed", CN_MOMENT_STATES};

static cn_normal normal(const double *param)
{
    return (cn_normal){.stiffness = param[UNLOADING]};
}

static double mean_gap(const cn_law_input *in, double u)
{
    double theta = in->theta, travel = (1.0 - theta) * in->u_before[0] + theta * u;
    return cn_law_gap_start(in) + theta * in->h * travel;
}

static double end_gap(const cn_law_input *in, double u)
{
    return cn_law_gap_start(in) + in->h * ((1.0 - in->theta) * in->u_before[0] + in->theta * u);
}

// Depth that loading to a gap leaves behind; it is never given back (4.41).
static double crushed_by(const double *param, const double *state, double gap)
{
    double left = (1.0 - param[LOADING] / param[UNLOADING]) * fmax(-gap, 0.0);
    return fmax(state[CRUSHED], left);
}

// The spring that acts at a mean gap.
static void set_core(const double *param, const double *state, const cn_law_input *in, double gap,
                     cn_core *core)
{
    double h = in->h, theta = in->theta;
    bool is_loading = crushed_by(param, state, gap) > state[CRUSHED];
    double K = param[is_loading ? LOADING : UNLOADING], rest = is_loading ? 0.0 : state[CRUSHED];
    core->kind = CN_CORE_CONE;
    core->mu = param[FRICTION];
    core->c[0] = 1.0 / (K * theta * theta * h * h);
    core->b[0] = (cn_law_gap_start(in) + rest + theta * (1.0 - theta) * h * in->u_before[0]) /
                 (theta * theta * h);
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    set_core(param, state, in, mean_gap(in, in->u_before[0]), core);
}

static void refine(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed)
{
    (void)assumed;
    set_core(param, state, in, mean_gap(in, out->u[0]), core);
}

// Energy of the spring of unloading at a gap, and what crushing took so far (4.42).
static double stored(const double *param, double crushed, double gap)
{
    return cn_spring_energy(param[UNLOADING], gap + crushed);
}

static double spent_on(const double *param, double crushed)
{
    double ratio = 1.0 - param[LOADING] / param[UNLOADING];
    double deepest = ratio > 0.0 ? crushed / ratio : 0.0;
    return 0.5 * param[LOADING] * deepest * crushed;
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    state_new[CRUSHED] = crushed_by(param, state, end_gap(in, out->u[0]));
}

static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    double from = cn_law_gap_start(in), to = end_gap(in, out->u[0]);
    double crushed = crushed_by(param, state, to);
    energy->storage = stored(param, crushed, to) - stored(param, state[CRUSHED], from);
    energy->plastic = spent_on(param, crushed) - spent_on(param, state[CRUSHED]);
    energy->beside_n = -0.5 * out->r[0] * (out->u[0] + in->u_before[0]);
    energy->theta = energy->beside_n - energy->storage - energy->plastic;
}

static cn_status check(const double *param, cn_error *err)
{
    return param[UNLOADING] >= param[LOADING]
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT,
                         "law crush: stiffness_unloading %g N/m is less than stiffness %g: it "
                         "would give back more than it took",
                         param[UNLOADING], param[LOADING]);
}

const cn_law cn_law_crush_type = {
    .type = {"crush", "contact that is crushed when pressed and stiffer when let go", PARAM_COUNT,
             param_table, STATE_COUNT, state_table},
    .normal = normal,
    .prepare = prepare,
    .commit = commit,
    .refine = refine,
    .energy = energy,
    .acts_beside = true,
    .check = check,
};
