// law/crush.c -- contact that is crushed: stiff when it is let go, less so when it is pressed,
// theory 4.44 and 4.45 (Walton and Braun 1986).
//
// Two springs, of which the weaker one acts: that of loading, and that of unloading from what was
// crushed so far. What they do over the way of the step, refine finds.
#include <math.h>

#include "cairn/way.h"
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

// Depth that loading to a gap leaves behind; it is never given back (4.44).
static double crushed_by(const double *param, const double *state, double gap)
{
    double left = (1.0 - param[LOADING] / param[UNLOADING]) * fmax(-gap, 0.0);
    return fmax(state[CRUSHED], left);
}

// Depth down to which it was loaded.
static double deepest_of(const double *param, double crushed)
{
    double ratio = 1.0 - param[LOADING] / param[UNLOADING];
    return ratio > 0.0 ? crushed / ratio : 0.0;
}

// The spring of unloading, less what it would be stiffer by than that of loading beyond the depth
// down to which this one was loaded.
static void set_core(const double *param, const double *state, const cn_law_input *in, double u,
                     cn_core *core)
{
    double k = param[UNLOADING], crushed = state[CRUSHED];
    cn_way way = cn_way_tangent(in, crushed, u);
    cn_way_force f = cn_way_linear(k, crushed, &way);
    cn_way_force softer = cn_way_linear(k - param[LOADING], deepest_of(param, crushed), &way);
    f.mean -= softer.mean;
    f.slope -= softer.slope;
    f.from -= softer.from;
    f.to -= softer.to;
    f.to_slope -= softer.to_slope;
    core->mu = param[FRICTION];
    cn_way_core(in, &way, &f, core);
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    set_core(param, state, in, in->u_before[0], core);
}

static void refine(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed)
{
    (void)assumed;
    set_core(param, state, in, out->u[0], core);
}

// Energy of the spring of unloading at a gap, and what crushing took so far (4.45).
static double stored(const double *param, double crushed, double gap)
{
    return cn_spring_energy(param[UNLOADING], gap + crushed);
}

static double spent_on(const double *param, double crushed)
{
    return 0.5 * param[LOADING] * deepest_of(param, crushed) * crushed;
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    state_new[CRUSHED] = crushed_by(param, state, cn_way_of(in, out->u[0]).to);
}

static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    cn_way way = cn_way_of(in, out->u[0]);
    double crushed = crushed_by(param, state, way.to);
    energy->storage = stored(param, crushed, way.to) - stored(param, state[CRUSHED], way.from);
    energy->plastic = spent_on(param, crushed) - spent_on(param, state[CRUSHED]);
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
    .check = check,
};
