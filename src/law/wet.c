// law/wet.c -- capillary attraction beside a dry contact, theory 4.38 to 4.40.
//
// A bridge pulls with a force F(g) that falls with the gap, or that is constant. It forms where
// surfaces touch and breaks at its reach, or acts wherever they are within it. What is pulled out
// of it is stored; what it still stores when it breaks is spent. The contact itself is rigid, or a
// spring and a dashpot as of viscoelastic.
#include <math.h>

#include "cairn/way.h"
#include "law/law.h"

enum {
    FRICTION,
    COHESION,
    DISTANCE,
    TENSION,
    ANGLE,
    VOLUME,
    FORMS,
    STIFFNESS,
    DAMPING,
    RESTITUTION,
    ROLLING,
    SPINNING,
    PARAM_COUNT,
    // What follows from them: reach of the liquid, its force over the root of the radii, its length
    // of decay over that of their sum.
    REACH = PARAM_COUNT,
    FORCE,
    LENGTH
};
enum { ON_TOUCH, WITHIN_REACH };

static const cn_param param_table[PARAM_COUNT] = {
    [FRICTION] = {"friction", "-", "coefficient of friction", 0, 1e6, 0, NULL},
    [COHESION] = {"cohesion", "N", "constant pull of one contact point", 0, 1e30, 0, NULL},
    [DISTANCE] = {"distance", "m", "gap up to which it pulls", 0, 1e30, 0, NULL},
    [TENSION] = {"surface_tension", "N/m", "of the liquid, 0.072 for water; 0: no liquid bridge", 0,
                 1e30, 0, NULL},
    [ANGLE] = {"angle", "rad", "of contact between liquid and grain", 0, 0.5 * CN_PI, 0, NULL},
    [VOLUME] = {"volume", "m3", "of the liquid of one bridge", 0, 1e30, 0, NULL},
    [FORMS] = {"forms", "-", "when a bridge forms: where surfaces touch, or wherever within reach",
               0, 1, ON_TOUCH, "touch reach"},
    [STIFFNESS] = {"stiffness", "N/m", "normal stiffness of one contact point; 0: rigid", 0, 1e30,
                   0, NULL},
    [DAMPING] = {"damping", "N s/m", "normal viscosity of one contact point, with a stiffness", 0,
                 1e30, 0, NULL},
    [RESTITUTION] = {"restitution", "-", "Newton's normal restitution, of what is rigid", 0, 1, 0,
                     NULL},
    [ROLLING] = {"rolling", "-", CN_ROLLING_HELP, 0, 1e6, 0, NULL},
    [SPINNING] = {"spinning", "-", CN_SPINNING_HELP, 0, 1e6, 0, NULL},
};

enum { BRIDGE, STORED, STATE_COUNT };
static const char *const state_table[] = {"bridge", "stored", CN_MOMENT_STATES};

static const double NEAR = 1e-6; // gap that counts as touching, over the smaller body [-]

// Gap at which a liquid bridge breaks; below zero: there is none.
static double reach_of_liquid(const double *param)
{
    return param[TENSION] > 0.0 ? (1.0 + 0.5 * param[ANGLE]) * cbrt(param[VOLUME]) : -INFINITY;
}

static double reach(const double *param)
{
    return fmax(param[COHESION] > 0.0 ? param[DISTANCE] : 0.0, reach_of_liquid(param));
}

static void derive(double *param)
{
    param[REACH] = reach_of_liquid(param);
    param[FORCE] = 2.0 * CN_PI * param[TENSION] * cos(param[ANGLE]);
    param[LENGTH] = 0.9 * sqrt(0.5 * param[VOLUME]);
}

// Force and length of decay of the liquid between two surfaces (4.38). A flat or hollow side counts
// four times the radius of the other, which makes the force that of a ball on a plane, 4 pi gamma R
// cos(angle); two of them are balls of the size of the smaller body.
typedef struct liquid {
    double force, length; // [N], [m]
} liquid;

static liquid liquid_of(const double *param, const cn_law_input *in)
{
    double R[2] = {in->radius[0], in->radius[1]};
    if (param[FORCE] == 0.0) {
        return (liquid){0.0, 1.0};
    }
    if (!(R[0] > 0.0 && R[1] > 0.0 && R[0] <= 4.0 * R[1] && R[1] <= 4.0 * R[0])) {
        double round = R[0] > 0.0 && R[1] > 0.0 ? fmin(R[0], R[1]) : fmax(R[0], R[1]);
        for (int side = 0; side < 2; side++) {
            double flat = round > 0.0 ? 4.0 * round : 0.5 * in->size;
            R[side] = R[side] > 0.0 ? fmin(R[side], 4.0 * round) : flat;
        }
    }
    return (liquid){.force = param[FORCE] * sqrt(R[0] * R[1]),
                    .length = param[LENGTH] * sqrt(R[0] + R[1]) / fmax(R[0], R[1])};
}

// Gap at the start and at the end of a step, seen along its normal.
static double gap_start(const cn_law_input *in)
{
    return in->gap - in->gamma * in->h * in->u_before[0];
}

static double gap_end(const cn_law_input *in, const cn_law_output *out)
{
    return gap_start(in) + in->h * ((1.0 - in->theta) * in->u_before[0] + in->theta * out->u[0]);
}

// Reach of the constant pull: what touches is within it.
static double distance_of(const double *param, const cn_law_input *in)
{
    return fmax(param[DISTANCE], NEAR * in->size);
}

// Pull at a gap, and what it takes to get there from contact (4.39).
static double pull_at(const double *param, const cn_law_input *in, double gap)
{
    double F = gap <= distance_of(param, in) ? param[COHESION] : 0.0;
    if (param[FORCE] > 0.0 && gap <= param[REACH]) {
        liquid x = liquid_of(param, in);
        F += gap > 0.0 ? x.force * exp(-gap / x.length) : x.force;
    }
    return F;
}

static double work_to(const double *param, const cn_law_input *in, double gap)
{
    double work = param[COHESION] * fmin(gap, distance_of(param, in));
    if (param[FORCE] > 0.0) {
        liquid x = liquid_of(param, in);
        double g = fmin(gap, param[REACH]);
        work += g > 0.0 ? -x.force * x.length * expm1(-g / x.length) : x.force * g;
    }
    return work;
}

static bool is_within(const double *param, const cn_law_input *in, double gap)
{
    double constant = param[COHESION] > 0.0 ? param[DISTANCE] : 0.0;
    return gap <= NEAR * in->size || gap <= constant || gap <= param[REACH];
}

// Whether there is a bridge during the step, and after it.
static bool acts(const double *param, const double *state, const cn_law_input *in)
{
    double gap = gap_start(in);
    bool is_formed = param[FORMS] == WITHIN_REACH || gap <= NEAR * in->size || state[BRIDGE] != 0.0;
    return is_formed && is_within(param, in, gap);
}

static bool is_left(const double *param, const double *state, const cn_law_input *in,
                    const cn_law_output *out)
{
    double gap = gap_end(in, out);
    bool is_formed = acts(param, state, in) || out->status != CN_STATUS_OPEN ||
                     gap <= NEAR * in->size || param[FORMS] == WITHIN_REACH;
    return is_formed && is_within(param, in, gap);
}

// Impulse of the pull [N s].
static double pull_of(const double *param, const double *state, const cn_law_input *in)
{
    return acts(param, state, in) ? in->h * pull_at(param, in, in->gap) : 0.0;
}

static cn_normal normal(const double *param)
{
    return (cn_normal){.stiffness = param[STIFFNESS], .restitution = param[RESTITUTION]};
}

// The core of a step that ends with the normal velocity u, which only a spring asks for (4.22).
static void set_core(const double *param, const double *state, const cn_law_input *in, double u,
                     cn_core *core)
{
    core->kind = CN_CORE_CONE;
    core->mu = param[FRICTION];
    core->b[0] = in->is_met ? in->shift : in->size / in->h;
    core->r0[0] = pull_of(param, state, in);
    if (param[STIFFNESS] > 0.0) {
        cn_way way = cn_way_tangent(in, 0.0, u);
        cn_way_force force = cn_way_linear(param[STIFFNESS], 0.0, &way);
        cn_way_damp(param[DAMPING], in->h, &way, &force);
        cn_way_core(in, &way, &force, core);
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

// What pulling the bridge of the step to a gap adds to what it stores.
static double added_at(const double *param, const double *state, const cn_law_input *in, double gap)
{
    bool has_pulled = acts(param, state, in);
    return has_pulled ? work_to(param, in, gap) - work_to(param, in, gap_start(in)) : 0.0;
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    if (is_left(param, state, in, out)) {
        state_new[BRIDGE] = 1.0;
        state_new[STORED] = state[STORED] + added_at(param, state, in, gap_end(in, out));
    }
}

// What the spring of the contact stored and damped, as of viscoelastic; what is left is of the
// scheme.
static void add_spring(const double *param, const double *state, const cn_law_input *in,
                       const cn_law_output *out, cn_law_energy *energy)
{
    double press = out->r[0] + pull_of(param, state, in);
    double taken = -0.5 * press * (out->u[0] + in->u_before[0]);
    cn_way way = cn_way_of(in, out->u[0]);
    double stored =
        cn_spring_energy(param[STIFFNESS], way.to) - cn_spring_energy(param[STIFFNESS], way.from);
    double viscous = press > 0.0 ? cn_way_viscous(param[DAMPING], in->h, &way) : 0.0;
    energy->storage += stored;
    energy->viscous += viscous;
    energy->beside_n += taken;
    energy->theta += taken - stored - viscous;
}

// (4.40): what breaks is spent; `theta` is what the force of the step differs by from that along
// its way.
static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    energy->beside_n = 0.5 * pull_of(param, state, in) * (out->u[0] + in->u_before[0]);
    if (is_left(param, state, in, out)) {
        energy->storage = added_at(param, state, in, gap_end(in, out));
    } else {
        energy->storage = -state[STORED];
        energy->fracture = state[STORED] + added_at(param, state, in, INFINITY);
    }
    energy->theta = energy->beside_n - energy->storage - energy->fracture;
    if (param[STIFFNESS] > 0.0) {
        add_spring(param, state, in, out, energy);
    }
}

static cn_status check(const double *param, cn_error *err)
{
    if (param[TENSION] > 0.0 && !(param[VOLUME] > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law wet: a liquid of surface tension %g N/m has no volume; give the volume "
                       "of one bridge",
                       param[TENSION]);
    }
    if (param[VOLUME] > 0.0 && !(param[TENSION] > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law wet: bridges of %g m3 need a surface_tension, 0.072 N/m for water",
                       param[VOLUME]);
    }
    if (param[STIFFNESS] > 0.0 && param[RESTITUTION] > 0.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law wet: restitution is of rigid contacts; with a stiffness give damping");
    }
    if (param[DAMPING] > 0.0 && param[STIFFNESS] == 0.0) {
        return cn_fail(err, CN_BAD_INPUT, "law wet: damping %g N s/m needs a stiffness",
                       param[DAMPING]);
    }
    return CN_OK;
}

const cn_law cn_law_wet_type = {
    .type = {"wet", "capillary pull beside a dry contact: constant, or a liquid bridge",
             PARAM_COUNT, param_table, STATE_COUNT, state_table},
    .normal = normal,
    .prepare = prepare,
    .refine = refine,
    .commit = commit,
    .energy = energy,
    .reach = reach,
    .derive = derive,
    .acts_beside = true,
    .needs_radius = true,
    .check = check,
};
