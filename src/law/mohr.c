// law/mohr.c -- brittle points with cohesion and a tension cut-off, theory 4.33.
//
// As long as a point is whole it obeys Coulomb's cone moved by its cohesion; the first step in
// which it slides or opens breaks it, and dry friction is left.
#include <math.h>

#include "law/law.h"

enum { COHESION, COHESION_T, TENSION, FRICTION, BOND, BOND_GAP, AREA, PARAM_COUNT };

static const cn_param param_table[PARAM_COUNT] = {
    [COHESION] = {"cohesion", "Pa", "normal stress at which the cone of a whole point ends", 1e-30,
                  1e30, NAN, NULL},
    [COHESION_T] = {"cohesion_tangential", "Pa", "shear that it bears without normal stress", 0,
                    1e30, NAN, NULL},
    [TENSION] = {"tension", "Pa", "largest tension; 0: the cohesion", 0, 1e30, 0, NULL},
    [FRICTION] = {"friction", "-", "coefficient of friction of what is broken", 0, 1e6, 0, NULL},
    CN_BOND_PARAMS,
};

enum {
    TORN,
    MENDED
}; // what a refined core assumes: ended at the cut-off; how often it was not
   // any more

static const char *const state_table[CN_BOND_STATE_COUNT] = {CN_BOND_STATES};

static bool is_whole(const double *state)
{
    return state[CN_BOND_ALIVE] != 0.0 && state[CN_BOND_DAMAGE] < 1.0;
}

// A whole point; one that is torn ends its cone at the cut-off.
static void set_core(const double *param, const double *state, const cn_law_input *in, bool is_torn,
                     cn_core *core)
{
    double A = state[CN_BOND_AREA];
    core->kind = CN_CORE_CONE;
    core->b[0] = in->shift;
    core->mu = param[COHESION_T] / param[COHESION];
    core->r0[0] = in->h * A * (is_torn ? param[TENSION] : param[COHESION]);
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    if (is_whole(state)) {
        set_core(param, state, in, false, core);
    } else if (in->is_met) {
        core->kind = CN_CORE_CONE;
        core->b[0] = in->shift;
        core->mu = param[FRICTION];
    }
}

// Points of one face share a load in many ways, so a point that is pulled beyond the cut-off may
// only have got more than its part. With its cone ended there the others take the rest; it is whole
// again if it is then pressed or pulled less, a few times at most.
static void refine(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed)
{
    enum { MENDED_MAX = 4 };
    const double near = 1e-6; // of the cut-off: it is at the tip of its cone
    assumed[TORN] = assumed[MENDED] = 0.0;
    if (!is_whole(state)) {
        prepare(param, state, in, core);
        return;
    }
    bool was_torn = in->assumed != NULL && in->assumed[TORN] != 0.0;
    double most = in->h * state[CN_BOND_AREA] * param[TENSION];
    bool is_pulled = out->r[0] < -(was_torn ? 1.0 - near : 1.0 + near) * most;
    bool has_cut_off = param[TENSION] > 0.0 && param[TENSION] < param[COHESION];
    assumed[MENDED] = in->assumed != NULL ? in->assumed[MENDED] : 0.0;
    bool is_torn = has_cut_off && (is_pulled || (was_torn && assumed[MENDED] >= MENDED_MAX));
    assumed[MENDED] += was_torn && !is_torn;
    assumed[TORN] = is_torn;
    set_core(param, state, in, is_torn, core);
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    (void)param;
    if (!is_whole(state)) {
        return;
    }
    // At its limit it may still stand: points of one face share a load in many ways, and the face
    // breaks when it moves.
    double slip = hypot(out->u[1], in->rows == 3 ? out->u[2] : 0.0);
    double speed = hypot(fmax(out->u[0], 0.0), slip);
    bool is_broken = out->status != CN_STATUS_STICK && speed > 2.0 * out->v_noise;
    state_new[CN_BOND_DAMAGE] = is_broken ? 1.0 : 0.0;
}

// What the cohesion does along the normal: nothing while the point holds, and all of it is lost
// when it does not.
static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    if (!is_whole(state)) {
        return;
    }
    bool is_torn = in->assumed != NULL && in->assumed[TORN] != 0.0;
    cn_core core = {0};
    set_core(param, state, in, is_torn, &core);
    energy->beside_n = 0.5 * core.r0[0] * (out->u[0] + in->u_before[0]);
    energy->fracture = energy->beside_n;
}

const cn_law cn_law_mohr_type = {
    .type = {"mohr", "bonded points with cohesion that break at once, then dry friction",
             PARAM_COUNT, param_table, CN_BOND_STATE_COUNT, state_table},
    .prepare = prepare,
    .commit = commit,
    .energy = energy,
    .refine = refine,
    .is_bonding = true,
};
