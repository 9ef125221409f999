// law/hertz.c -- elastic balls that press each other flat, theory 4.39 and 4.40.
//
// The force grows as depth^(3/2). Over a step it is that of the secant at the mean gap, which
// refine finds, so that the scheme is of second order; what the secant differs by from the law
// along its way is told as `theta`.
#include <math.h>

#include "law/law.h"

enum { YOUNG, POISSON, FRICTION, ROLLING, SPINNING, PARAM_COUNT, MODULUS = PARAM_COUNT };

static const cn_param param_table[PARAM_COUNT] = {
    [YOUNG] = {"young", "Pa", "Young's modulus of both balls", 1e-12, 1e30, NAN, NULL},
    [POISSON] = {"poisson", "-", "Poisson's ratio of both", 0, 0.5, 0.3, NULL},
    [FRICTION] = {"friction", "-", "coefficient of friction", 0, 1e6, 0, NULL},
    [ROLLING] = {"rolling", "-", CN_ROLLING_HELP, 0, 1e6, 0, NULL},
    [SPINNING] = {"spinning", "-", CN_SPINNING_HELP, 0, 1e6, 0, NULL},
};

static const char *const state_table[] = {CN_MOMENT_STATES};

// Depth at which a secant is taken while there is none, over the smaller body [-].
static const double LEAST = 1e-12;

// No step resolves how a ball lies in a hollow: rigid there (6.8).
static cn_normal normal(const double *param)
{
    (void)param;
    return (cn_normal){.stiffness = INFINITY};
}

static void derive(double *param)
{
    param[MODULUS] = param[YOUNG] / (1.5 * (1.0 - param[POISSON] * param[POISSON])); // 4/3 E*
}

// Force over depth^(3/2) (4.39). A flat or hollow side has no curvature; points of faces count as
// balls of the size of the smaller body.
static double hardness_of(const double *param, const cn_law_input *in)
{
    double curvature = 0.0;
    for (int side = 0; side < 2; side++) {
        curvature += in->radius[side] > 0.0 ? 1.0 / in->radius[side] : 0.0;
    }
    double R = curvature > 0.0 ? 1.0 / curvature : 0.5 * in->size;
    return param[MODULUS] * sqrt(R);
}

// Mean gap of a step that ends with the normal velocity u.
static double mean_gap(const cn_law_input *in, double u)
{
    double theta = in->theta, travel = (1.0 - theta) * in->u_before[0] + theta * u;
    return cn_law_gap_start(in) + theta * in->h * travel;
}

static void set_core(const double *param, const cn_law_input *in, double gap, cn_core *core)
{
    double h = in->h, theta = in->theta, depth = fmax(-gap, LEAST * in->size);
    double K = hardness_of(param, in) * sqrt(depth);
    core->kind = CN_CORE_CONE;
    core->mu = param[FRICTION];
    core->c[0] = 1.0 / (K * theta * theta * h * h);
    core->b[0] =
        (cn_law_gap_start(in) + theta * (1.0 - theta) * h * in->u_before[0]) / (theta * theta * h);
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    (void)state;
    set_core(param, in, mean_gap(in, in->u_before[0]), core);
}

static void refine(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed)
{
    (void)state;
    (void)assumed;
    set_core(param, in, mean_gap(in, out->u[0]), core);
}

static double stored(double hardness, double gap)
{
    double depth = fmax(-gap, 0.0);
    return 0.4 * hardness * depth * depth * sqrt(depth); // (4.40)
}

static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    (void)state;
    double hardness = hardness_of(param, in), from = cn_law_gap_start(in);
    double to = from + in->h * ((1.0 - in->theta) * in->u_before[0] + in->theta * out->u[0]);
    energy->storage = stored(hardness, to) - stored(hardness, from);
    energy->theta = -0.5 * out->r[0] * (out->u[0] + in->u_before[0]) - energy->storage;
    energy->beside_n = energy->storage + energy->theta;
}

const cn_law cn_law_hertz_type = {
    .type = {"hertz",
             "elastic balls by Hertz: a force that grows as depth^(3/2), with dry friction",
             PARAM_COUNT, param_table, 0, state_table},
    .normal = normal,
    .prepare = prepare,
    .refine = refine,
    .energy = energy,
    .derive = derive,
    .acts_beside = true,
    .needs_radius = true,
};
