// law/compliant.c -- joints with a stiffness per area, normal and shear, and dry friction, theory
// 4.34: mortar layers and rock joints as 3DEC has them.
//
// Each point of an interface has a spring that can only push, and one along the surface that slides
// when friction does not hold it. Both are in series with the contact, so that the core is a cone
// with compliances. Closed forms make dissipation by friction never negative.
#include <math.h>

#include "cairn/way.h"
#include "law/law.h"

enum { STIFFNESS, STIFFNESS_T, FRICTION, BOND, BOND_GAP, AREA, PARAM_COUNT };

static const cn_param param_table[PARAM_COUNT] = {
    [STIFFNESS] = {"stiffness", "Pa/m", "normal stiffness per area, kn", 1e-12, 1e30, NAN, NULL},
    [STIFFNESS_T] = {"stiffness_tangential", "Pa/m", "shear stiffness per area, ks; 0: kn", 0, 1e30,
                     0, NULL},
    [FRICTION] = {"friction", "-", "coefficient of friction", 0, 1e6, 0, NULL},
    CN_BOND_PARAMS,
};

enum { ELASTIC = CN_BOND_STATE_COUNT, STATE_COUNT = ELASTIC + 2 };
static const char *const state_table[STATE_COUNT] = {CN_BOND_STATES, "elastic_slip",
                                                     "elastic_slip_2"};

static bool is_alive(const double *state)
{
    return state[CN_BOND_ALIVE] != 0.0 && state[CN_BOND_DAMAGE] < 1.0;
}

static double stiffness_of(const double *param, const double *state, int k)
{
    bool is_normal = k == 0 || param[STIFFNESS_T] == 0.0;
    return param[is_normal ? STIFFNESS : STIFFNESS_T] * state[CN_BOND_AREA];
}

// What the springs are stretched by along the axes of the contact: the opening, and the elastic
// part of the slip.
static void stretch_of(const double *state, const cn_law_input *in, double *stretch)
{
    const double *s = state + ELASTIC;
    stretch[0] = in->opening[0];
    stretch[1] = in->tangent[0][0] * s[0] + in->tangent[1][0] * s[1];
    stretch[2] = in->tangent[0][1] * s[0] + in->tangent[1][1] * s[1];
}

// The spring across the joint over the way of a step that ends with the normal velocity u.
static void set_normal(double stiffness, const cn_law_input *in, double u, cn_core *core)
{
    double travel = (1.0 - in->theta) * in->u_before[0] + in->theta * u;
    cn_way way = {in->opening[0], in->opening[0] + in->h * travel};
    cn_way_end_in_contact(in->size, 0.0, &way);
    cn_way_force force = cn_way_linear(stiffness, 0.0, &way);
    cn_way_core(in, &way, &force, core);
}

static void set_core(const double *param, const double *state, const cn_law_input *in, double u,
                     cn_core *core)
{
    double h = in->h, theta = in->theta, stretch[3];
    core->mu = param[FRICTION];
    if (!is_alive(state)) { // no area is known: rigid
        core->kind = in->is_met ? CN_CORE_CONE : CN_CORE_FREE;
        core->b[0] = in->shift;
        return;
    }
    stretch_of(state, in, stretch);
    set_normal(stiffness_of(param, state, 0), in, u, core);
    for (int k = 1; k < in->rows; k++) {
        core->c[k] = 1.0 / (theta * theta * h * h * stiffness_of(param, state, k));
        core->b[k] =
            (stretch[k] + theta * (1.0 - theta) * h * in->u_before[k]) / (theta * theta * h);
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

// Elastic slip at the end of the step: what it would be without sliding, but not more than what the
// impulse of the step held.
static void slip_to(const double *param, const double *state, const cn_law_input *in,
                    const cn_law_output *out, double *end)
{
    double stretch[3], held = 0.0, size = 0.0;
    stretch_of(state, in, stretch);
    end[1] = end[2] = 0.0;
    for (int k = 1; k < in->rows; k++) {
        double u = (1.0 - in->theta) * in->u_before[k] + in->theta * out->u[k];
        double mean = out->r[k] / (in->h * stiffness_of(param, state, k));
        end[k] = stretch[k] + in->h * u;
        size = hypot(size, end[k]);
        held = hypot(held, mean);
    }
    bool has_slid = out->status != CN_STATUS_STICK && size > held;
    for (int k = 1; k < in->rows && has_slid; k++) {
        end[k] *= held / size;
    }
}

// Whether surfaces are too far from where they were for the area to mean anything.
static bool is_gone(const cn_law_input *in)
{
    return in->is_far;
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    double end[3];
    if (!is_alive(state)) {
        return;
    }
    slip_to(param, state, in, out, end);
    state_new[CN_BOND_DAMAGE] = is_gone(in) ? 1.0 : 0.0;
    state_new[ELASTIC] = in->tangent[0][0] * end[1] + in->tangent[0][1] * end[2];
    state_new[ELASTIC + 1] = in->tangent[1][0] * end[1] + in->tangent[1][1] * end[2];
}

static double stored(const double *param, const double *state)
{
    double sum = cn_spring_energy(stiffness_of(param, state, 0), state[CN_BOND_OPENING]);
    double slip = hypot(state[ELASTIC], state[ELASTIC + 1]);
    return sum + 0.5 * stiffness_of(param, state, 1) * slip * slip;
}

// What is stored; the rest of the work is friction along the surface and shock across it.
static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    double stretch[3], end[3];
    if (!is_alive(state)) {
        return;
    }
    stretch_of(state, in, stretch);
    slip_to(param, state, in, out, end);
    end[0] = in->opening_end[0];
    // Springs between meshes that are dropped keep nothing; those of rigid faces are renewed.
    double left = is_gone(in) && in->is_deformable ? 0.0 : 1.0;
    energy->beside_n = left * cn_spring_energy(stiffness_of(param, state, 0), end[0]) -
                       cn_spring_energy(stiffness_of(param, state, 0), stretch[0]);
    for (int k = 1; k < in->rows; k++) {
        double K = stiffness_of(param, state, k);
        energy->beside_t += 0.5 * K * (left * end[k] * end[k] - stretch[k] * stretch[k]);
    }
    energy->storage = energy->beside_n + energy->beside_t;
}

const cn_law cn_law_compliant_type = {
    .type = {"compliant", "joints with stiffness per area, normal and shear, and dry friction",
             PARAM_COUNT, param_table, STATE_COUNT, state_table},
    .prepare = prepare,
    .refine = refine,
    .commit = commit,
    .energy = energy,
    .is_bonding = true,
    .is_compressible = true,
    .stored = stored,
};
