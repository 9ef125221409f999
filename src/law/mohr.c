// law/mohr.c -- brittle points with cohesion, a tension cut-off, a cap and a pressure of what fills
// the joint, theory 4.33.
//
// As long as a point is whole it obeys Coulomb's cone moved by its cohesion; the first step in
// which it slides or opens breaks it, and dry friction is left. Pressed beyond its cap it closes
// under a force that stays the same.
#include <math.h>

#include "law/law.h"

enum {
    COHESION,
    COHESION_T,
    TENSION,
    CRUSHING,
    PRESSURE,
    FRICTION,
    BOND,
    BOND_GAP,
    AREA,
    PARAM_COUNT
};

static const cn_param param_table[PARAM_COUNT] = {
    [COHESION] = {"cohesion", "Pa", "normal stress at which the cone of a whole point ends", 1e-30,
                  1e30, NAN, NULL},
    [COHESION_T] = {"cohesion_tangential", "Pa", "shear that it bears without normal stress", 0,
                    1e30, NAN, NULL},
    [TENSION] = {"tension", "Pa", "largest tension; 0: the cohesion", 0, 1e30, 0, NULL},
    [CRUSHING] = {"crushing", "Pa", "largest pressure, at which a whole point closes; 0: none", 0,
                  1e30, 0, NULL},
    [PRESSURE] = {"pressure", "Pa",
                  "of water or gas in the joint, which pushes its faces apart as long as a point "
                  "of it holds",
                  0, 1e30, 0, NULL},
    [FRICTION] = {"friction", "-", "coefficient of friction of what is broken", 0, 1e6, 0, NULL},
    CN_BOND_PARAMS,
};

// What a refined core assumes: the branch, how often it left one, and the shift of the step, which
// cores of crushed points do not show.
enum { BRANCH, LEFT, SHIFT };
enum { WHOLE, TORN, CRUSHED };

static const char *const state_table[CN_BOND_STATE_COUNT] = {CN_BOND_STATES};

static bool is_whole(const double *state)
{
    return state[CN_BOND_ALIVE] != 0.0 && state[CN_BOND_DAMAGE] < 1.0;
}

// Impulse with which the pressure in the joint parts its faces.
static double push_of(const double *param, const double *state, const cn_law_input *in)
{
    bool is_filled = state[CN_BOND_ALIVE] != 0.0;
    return is_filled ? in->h * state[CN_BOND_AREA] * param[PRESSURE] : 0.0;
}

// A whole point; one that is torn ends its cone at the cut-off; one that is crushed bears its cap
// and no shear, whatever its faces do (4.33).
static void set_core(const double *param, const double *state, const cn_law_input *in,
                     const double *assumed, cn_core *core)
{
    double hA = in->h * state[CN_BOND_AREA], push = push_of(param, state, in);
    int branch = assumed != NULL ? (int)assumed[BRANCH] : WHOLE;
    core->kind = CN_CORE_CONE;
    core->b[0] = assumed != NULL ? assumed[SHIFT] : in->shift;
    core->mu = param[COHESION_T] / param[COHESION];
    core->r0[0] = hA * param[branch == TORN ? TENSION : COHESION] - push;
    if (branch == CRUSHED) {
        core->b[0] = in->size / in->h; // no contact beside the force
        core->r0[0] = -hA * param[CRUSHING] - push;
    }
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    if (is_whole(state)) {
        set_core(param, state, in, NULL, core);
        return;
    }
    bool is_met = in->is_met || push_of(param, state, in) > 0.0;
    if (is_met) {
        core->kind = CN_CORE_CONE;
        core->b[0] = in->shift;
        core->r0[0] = -push_of(param, state, in);
        core->mu = param[FRICTION];
    }
}

// The branch of a point that was on one in the solve before (4.33). What it bears is what faces
// give each other, the pressure between them left out.
static int branch_of(const double *param, const double *state, const cn_law_input *in,
                     const cn_law_output *out, int before)
{
    const double near = 1e-6; // of what it bears: it is at its end
    double hA = in->h * state[CN_BOND_AREA], borne = out->r[0] - push_of(param, state, in);
    bool has_cut_off = param[TENSION] > 0.0 && param[TENSION] < param[COHESION];
    double pull = (before == TORN ? 1.0 - near : 1.0 + near) * hA * param[TENSION];
    if (has_cut_off && borne < -pull) {
        return TORN;
    }
    bool is_crushed =
        before == CRUSHED ? out->u[0] <= out->v_noise : borne > (1.0 + near) * hA * param[CRUSHING];
    return param[CRUSHING] > 0.0 && is_crushed ? CRUSHED : WHOLE;
}

// Points of one face share a load in many ways, so a point that is pulled or pressed beyond what it
// bears may only have got more than its part. With its force ended there the others take the rest;
// it is whole again if it then bears less, a few times at most.
static void refine(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed)
{
    enum { LEFT_MAX = 4 };
    assumed[BRANCH] = assumed[LEFT] = 0.0;
    assumed[SHIFT] = in->assumed != NULL ? in->assumed[SHIFT] : in->shift;
    if (!is_whole(state)) {
        prepare(param, state, in, core);
        return;
    }
    int before = in->assumed != NULL ? (int)in->assumed[BRANCH] : WHOLE;
    int branch = branch_of(param, state, in, out, before);
    assumed[LEFT] = in->assumed != NULL ? in->assumed[LEFT] : 0.0;
    bool stays = before != WHOLE && branch == WHOLE && assumed[LEFT] >= LEFT_MAX;
    assumed[BRANCH] = stays ? before : branch;
    assumed[LEFT] += before != WHOLE && !stays && branch == WHOLE;
    set_core(param, state, in, assumed, core);
}

static bool is_crushed(const cn_law_input *in)
{
    return in->assumed != NULL && in->assumed[BRANCH] == CRUSHED;
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

// What the cohesion does along the normal is nothing while the point holds, and lost when it does
// not; what a crushed one bears is lost as it closes. The pressure has the potential of a weight
// (4.33).
static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    double way = 0.5 * (out->u[0] + in->u_before[0]), push = push_of(param, state, in);
    double travel = (1.0 - in->theta) * in->u_before[0] + in->theta * out->u[0];
    energy->beside_n = -push * way;
    energy->storage = -push * travel;
    energy->theta = energy->beside_n - energy->storage;
    if (!is_whole(state)) {
        return;
    }
    cn_core core = {0};
    set_core(param, state, in, in->assumed, &core);
    if (is_crushed(in)) {
        energy->plastic = -(out->r[0] - push) * way;
        energy->beside_n += energy->plastic;
    } else {
        energy->fracture = (core.r0[0] + push) * way;
        energy->beside_n += energy->fracture;
    }
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
