// law/hertz.c -- elastic balls that press each other flat, theory 4.42 and 4.43.
//
// The force grows as depth^(3/2). Over a step it is the mean force over the way, which refine
// finds, so that the scheme is of second order and what the balls take is what they store.
#include <math.h>

#include "cairn/way.h"
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

// Force over depth^(3/2) (4.42). A flat or hollow side has no curvature; points of faces count as
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

// Mean force (4.20) over a way that is in contact at both ends, at the depths s^2 and t^2.
static cn_way_force force_within(double K, double s, double t)
{
    double sum = s + t, s2 = s * s, t2 = t * t;
    cn_way_force force = {.stiffness = K * fmax(s, t)};
    if (sum > 0.0) {
        force.mean = 0.4 * K * (t2 * t2 + t2 * t * s + t2 * s2 + t * s * s2 + s2 * s2) / sum;
        force.slope =
            -0.2 * K * (3.0 * t * t2 + 6.0 * t2 * s + 4.0 * t * s2 + 2.0 * s * s2) / (sum * sum);
    }
    return force;
}

// The same over a way that leaves or meets the surface: on only one side of it there is a depth.
static cn_way_force force_across(double K, double a, double b, double length)
{
    double depth = fmax(a, b), root = sqrt(depth), force = K * depth * root;
    double mean = 0.4 * force * depth / length;
    double slope = (b > 0.0 ? mean - force : -mean) / length;
    return (cn_way_force){.mean = mean, .slope = slope, .stiffness = K * root};
}

static void set_core(const double *param, const cn_law_input *in, double u, cn_core *core)
{
    cn_way way = cn_way_tangent(in, 0.0, u);
    double K = hardness_of(param, in), a = cn_way_depth(way.from), b = cn_way_depth(way.to);
    bool is_within = way.from <= 0.0 && way.to <= 0.0;
    cn_way_force force = is_within ? force_within(K, sqrt(a), sqrt(b))
                                   : force_across(K, a, b, fabs(way.to - way.from));
    force.from = K * a * sqrt(a);
    force.to = K * b * sqrt(b);
    force.to_slope = -1.5 * K * sqrt(b);
    force.stiffness = fmax(force.stiffness, K * sqrt(CN_WAY_LEAST * in->size));
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

static double stored(double K, double gap)
{
    double depth = fmax(-gap, 0.0);
    return 0.4 * K * depth * depth * sqrt(depth); // (4.43)
}

static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    (void)state;
    double K = hardness_of(param, in);
    cn_way way = cn_way_of(in, out->u[0]);
    energy->storage = stored(K, way.to) - stored(K, way.from);
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
    .needs_radius = true,
};
