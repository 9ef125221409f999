// law/hertz.c -- elastic balls that press each other flat, and give along their surface,
// theory 4.42 and 4.43.
//
// The force grows as depth^(3/2). Over a step it is the mean force over the way, which refine
// finds, so that the scheme is of second order and what the balls take is what they store.
// Along the surface the contact is rigid, or has Mindlin's spring for balls that do not slip yet,
// in series with the friction of the whole contact.
#include <math.h>

#include "cairn/way.h"
#include "law/law.h"

enum {
    YOUNG,
    POISSON,
    FRICTION,
    TANGENTIAL,
    ROLLING,
    SPINNING,
    PARAM_COUNT,
    MODULUS = PARAM_COUNT,
    SHEAR
};
enum { RIGID, MINDLIN };

static const cn_param param_table[PARAM_COUNT] = {
    [YOUNG] = {"young", "Pa", "Young's modulus of both balls", 1e-12, 1e30, NAN, NULL},
    [POISSON] = {"poisson", "-", "Poisson's ratio of both", 0, 0.5, 0.3, NULL},
    [FRICTION] = {"friction", "-", "coefficient of friction", 0, 1e6, 0, NULL},
    [TANGENTIAL] = {"tangential", "-",
                    "what holds the surfaces along each other up to friction: nothing gives, or "
                    "Mindlin's spring",
                    0, 1, RIGID, "rigid mindlin"},
    [ROLLING] = {"rolling", "-", CN_ROLLING_HELP, 0, 1e6, 0, NULL},
    [SPINNING] = {"spinning", "-", CN_SPINNING_HELP, 0, 1e6, 0, NULL},
};

// Elastic slip in the world, and the stiffness that it belongs to.
enum { SLIP, STIFFNESS = 3, STATE_COUNT };
static const char *const state_table[] = {"elastic_slip_x", "elastic_slip_y", "elastic_slip_z",
                                          "stiffness", CN_MOMENT_STATES};

// No step resolves how a ball lies in a hollow: rigid there (6.8).
static cn_normal normal(const double *param)
{
    (void)param;
    return (cn_normal){.stiffness = INFINITY};
}

static void derive(double *param)
{
    param[MODULUS] = param[YOUNG] / (1.5 * (1.0 - param[POISSON] * param[POISSON])); // 4/3 E*
    param[SHEAR] = 2.0 * (1.0 - param[POISSON]) / (2.0 - param[POISSON]);
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

// Stiffness along the surface at the mean depth of a step that ends with the normal velocity u
// (4.42).
static double shear_stiffness(const double *param, const cn_law_input *in, double u)
{
    cn_way way = cn_way_of(in, u);
    double gap = (1.0 - in->theta) * way.from + in->theta * way.to;
    double depth = fmax(-gap, CN_WAY_LEAST * in->size);
    return param[SHEAR] * 1.5 * hardness_of(param, in) * sqrt(depth);
}

// Elastic slip along the tangents of now, with which a step of stiffness K begins: what is pressed
// more keeps its force, what is pressed less its slip, so that neither gives energy.
static void slip_from(const double *state, const cn_law_input *in, double K, double slip[3])
{
    double kept = state[STIFFNESS] < K ? state[STIFFNESS] / K : 1.0;
    slip[0] = 0.0;
    for (int k = 1; k < 3; k++) {
        const double *t = in->axis[k - 1], *s = state + SLIP;
        slip[k] = kept * (t[0] * s[0] + t[1] * s[1] + t[2] * s[2]);
    }
}

static void set_shear(const double *param, const double *state, const cn_law_input *in, double u,
                      cn_core *core)
{
    double h = in->h, theta = in->theta, slip[3], K = shear_stiffness(param, in, u);
    slip_from(state, in, K, slip);
    for (int k = 1; k < in->rows; k++) {
        core->c[k] = 1.0 / (K * theta * theta * h * h);
        core->b[k] = (slip[k] + theta * (1.0 - theta) * h * in->u_before[k]) / (theta * theta * h);
    }
}

static void set_core(const double *param, const double *state, const cn_law_input *in, double u,
                     cn_core *core)
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
    if (param[TANGENTIAL] == MINDLIN) {
        set_shear(param, state, in, u, core);
    }
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

static double stored(double K, double gap)
{
    double depth = fmax(-gap, 0.0);
    return 0.4 * K * depth * depth * sqrt(depth); // (4.43)
}

// Elastic slip at the end of the step: what it would be without sliding, but not more than what the
// impulse of the step held.
static void slip_to(const double *state, const cn_law_input *in, const cn_law_output *out, double K,
                    double end[3])
{
    double size = 0.0, held = 0.0;
    slip_from(state, in, K, end);
    for (int k = 1; k < in->rows; k++) {
        end[k] += in->h * ((1.0 - in->theta) * in->u_before[k] + in->theta * out->u[k]);
        size = hypot(size, end[k]);
        held = hypot(held, out->r[k] / (in->h * K));
    }
    bool has_slid = out->status != CN_STATUS_STICK && size > held;
    for (int k = 1; k < in->rows && has_slid; k++) {
        end[k] *= held / size;
    }
}

static bool gives_along(const double *param, const cn_law_output *out)
{
    return param[TANGENTIAL] == MINDLIN && out->r[0] > 0.0;
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    if (!gives_along(param, out)) {
        return;
    }
    double end[3], K = shear_stiffness(param, in, out->u[0]);
    slip_to(state, in, out, K, end);
    for (int d = 0; d < 3; d++) {
        double second = in->rows == 3 ? end[2] * in->axis[1][d] : 0.0;
        state_new[SLIP + d] = end[1] * in->axis[0][d] + second;
    }
    state_new[STIFFNESS] = K;
}

// What the spring along the surface stores at the end of the step, less what it did.
static double stored_along(const double *param, const double *state, const cn_law_input *in,
                           const cn_law_output *out)
{
    const double *s = state + SLIP;
    double before = 0.5 * state[STIFFNESS] * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    if (!gives_along(param, out)) {
        return -before;
    }
    double end[3], K = shear_stiffness(param, in, out->u[0]);
    slip_to(state, in, out, K, end);
    double second = in->rows == 3 ? end[2] * end[2] : 0.0;
    return 0.5 * K * (end[1] * end[1] + second) - before;
}

static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    double K = hardness_of(param, in);
    cn_way way = cn_way_of(in, out->u[0]);
    energy->beside_t = stored_along(param, state, in, out);
    energy->storage = stored(K, way.to) - stored(K, way.from) + energy->beside_t;
}

const cn_law cn_law_hertz_type = {
    .type = {"hertz",
             "elastic balls by Hertz: a force that grows as depth^(3/2), with dry friction",
             PARAM_COUNT, param_table, STATE_COUNT, state_table},
    .normal = normal,
    .prepare = prepare,
    .commit = commit,
    .refine = refine,
    .energy = energy,
    .derive = derive,
    .needs_radius = true,
    .needs_axes = true,
};
