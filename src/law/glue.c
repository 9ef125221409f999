// law/glue.c -- surfaces that bond for good when they touch, theory 4.24.
//
// A bonded point is a bilateral constraint in displacement form: the gap and the slip since bonding
// are brought back to zero each step, so that glued bodies do not drift. Two bonded points of an
// edge also couple the rotations. With a strength a point that bears more at the end of a step is
// broken, and dry friction is left.
#include <math.h>

#include "law/law.h"

enum { FRICTION, STRENGTH, STRENGTH_T, PARAM_COUNT };
enum { BONDED, GAP, SLIP_1, SLIP_2, STATE_COUNT };

static const double BROKEN = -1.0; // state of a bond that was

static const cn_param param_table[PARAM_COUNT] = {
    [FRICTION] = {"friction", "-",
                  "coefficient of friction during the step that brings contact, and of what broke",
                  0, 1e6, 0, NULL},
    [STRENGTH] = {"strength", "N",
                  "largest pull of one contact point, which then breaks; 0: any. What comes apart "
                  "and touches again bonds again",
                  0, 1e30, 0, NULL},
    [STRENGTH_T] = {"strength_tangential", "N", "largest shear of one contact point; 0: as pull", 0,
                    1e30, 0, NULL},
};

static const char *const state_table[STATE_COUNT] = {"bonded", "gap_at_bonding", "slip", "slip_2"};

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    if (state[BONDED] == BROKEN || (state[BONDED] == 0.0 && in->gap > 1e-6 * in->size)) {
        core->kind = CN_CORE_CONE; // approach as (4.12)
        core->mu = param[FRICTION];
        core->b[0] = in->shift;
        return;
    }
    core->kind = CN_CORE_BILATERAL;
    core->b[0] = state[BONDED] != 0.0 ? (in->gap - state[GAP]) / in->h : 0.0;
    for (int k = 1; k < in->rows; k++) {
        core->b[k] = state[BONDED + 1 + k] / in->h;
    }
}

static bool is_overloaded(const double *param, const cn_law_input *in, const cn_law_output *out)
{
    double most = param[STRENGTH], most_t = param[STRENGTH_T] > 0.0 ? param[STRENGTH_T] : most;
    double shear = hypot(out->r[1], in->rows == 3 ? out->r[2] : 0.0);
    bool is_pulled = most > 0.0 && -out->r[0] > in->h * most;
    return is_pulled || (most_t > 0.0 && shear > in->h * most_t);
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    bool is_joined = out->status == CN_STATUS_JOINED;
    if (state[BONDED] == BROKEN || (is_joined && is_overloaded(param, in, out))) {
        state_new[BONDED] = BROKEN;
        return;
    }
    if (!is_joined) {
        return;
    }
    state_new[BONDED] = 1.0;
    state_new[GAP] = state[BONDED] != 0.0 ? state[GAP] : in->gap;
    for (int k = 1; k < in->rows; k++) {
        state_new[BONDED + 1 + k] = state[BONDED + 1 + k] + in->h * out->u[k];
    }
}

const cn_law cn_law_glue_type = {
    .type = {"glue", "bonds for good on touching: both bodies share the motion of the point",
             PARAM_COUNT, param_table, STATE_COUNT, state_table},
    .prepare = prepare,
    .commit = commit,
};
