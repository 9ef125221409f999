// law/coulomb.c -- Signorini and Coulomb between rigid surfaces, theory 4.7 to 4.10, 4.16 and 4.44.
#include <math.h>

#include "law/law.h"

enum {
    FRICTION,
    FRICTION_STATIC,
    RESTITUTION,
    RESTITUTION_T,
    FORM,
    ROLLING,
    SPINNING,
    PARAM_COUNT
};
enum { AUTO, VELOCITY, DISPLACEMENT, DISPLACEMENT_END, QUASI_INELASTIC, CONSERVING, AHEAD };

static const cn_param param_table[PARAM_COUNT] = {
    [FRICTION] = {"friction", "-", "coefficient of friction while sliding", 0, 1e6, 0, NULL},
    [FRICTION_STATIC] = {"friction_static", "-",
                         "coefficient until sliding starts, if larger than friction", 0, 1e6, 0,
                         NULL},
    [RESTITUTION] = {"restitution", "-", "Newton's normal restitution", 0, 1, 0, NULL},
    [RESTITUTION_T] = {"restitution_tangential", "-", "tangential restitution", -1, 1, 0, NULL},
    [FORM] = {"form", "-",
              "unilateral condition; auto: velocity with restitution, else quasi_inelastic, or "
              "displacement if a body is deformable; ahead: velocity, one step early",
              0, 6, AUTO,
              "auto velocity displacement displacement_end quasi_inelastic conserving ahead"},
    [ROLLING] = {"rolling", "-", CN_ROLLING_HELP, 0, 1e6, 0, NULL},
    [SPINNING] = {"spinning", "-", CN_SPINNING_HELP, 0, 1e6, 0, NULL},
};

static const char *const state_table[] = {"slid", CN_MOMENT_STATES};

static int form_of(const double *param, const cn_law_input *in)
{
    if (param[FORM] != AUTO) {
        return (int)param[FORM];
    }
    if (param[RESTITUTION] > 0.0 || param[RESTITUTION_T] != 0.0) {
        return in->is_concave ? AHEAD : VELOCITY; // along a hollow bodies would sink (4.46)
    }
    return in->is_deformable ? DISPLACEMENT : QUASI_INELASTIC;
}

// Shift with which the gap at the end of the step is not negative (4.9).
static double shift_to_end(const cn_law_input *in)
{
    double U_n = in->u_before[0];
    return (in->gap + (1.0 - in->theta - in->gamma) * in->h * U_n) / (in->theta * in->h);
}

// Depths that the points of a patch may share (4.10), and gaps that are rounding, of the size [-].
static const double SHARED = 1e-5;
static const double ROUNDING = 1e-10;

// Depths below this part of the smaller body are left as they are [-].
static const double SPECK = 1e-12;

// Depth that bodies gain by turning is given back (4.44) [m].
static double given_back(const cn_law_input *in)
{
    double depth = fmin(-in->floor, in->chord);
    return depth > SPECK * in->size ? depth : 0.0;
}

// What a point may close (4.10), less what rounding makes of a closed patch: a joint that touches
// must not ask for velocities of 1e-16 L/h, since around a closed ring of joints they contradict
// each other and stall the solver.
static double open_gap(const cn_law_input *in)
{
    double floor = fmax(in->floor, -SHARED * in->size), rounding = ROUNDING * in->size;
    double open = in->top - floor;
    double part = open > rounding ? fmin(1.0, 2.0 * (open - rounding) / open) : 0.0;
    return part * fmax(in->gap - floor, 0.0) - given_back(in);
}

// Newton's law where bodies touch, or are fast and about to pass through each other (4.7), (4.15).
static bool shift_velocity(double e, const cn_law_input *in, double *b_n)
{
    double U_n = in->u_before[0];
    *b_n = e * fmin(U_n, 0.0);
    if (in->is_fast && in->gap < 0.0) {
        *b_n = fmin(*b_n, shift_to_end(in));
    }
    return in->gap <= 1e-9 * in->size || (in->is_fast && in->gap + in->h * U_n < 0.0);
}

// Velocity with which a body in a hollow follows the wall instead of a chord (4.46).
static double follow(const cn_law_input *in)
{
    return fmax(in->arc + fmin(-in->gap, in->arc), 0.0) / in->h;
}

// The same, also ahead of the surface where a solve leads into it. What the velocity before does
// not close is closed and no more: its shock is that of the next step (4.45).
static bool shift_ahead(double e, const cn_law_input *in, double *b_n)
{
    bool is_met = shift_velocity(e, in, b_n) || in->gap < in->arc;
    bool is_closing = in->gap + in->h * in->u_before[0] < 0.0;
    if (!is_met && !is_closing) {
        *b_n = in->gap / in->h;
    } else if (!in->is_fast) {
        *b_n = fmin(*b_n, fmin(-given_back(in) / in->h, -follow(in)));
    }
    return is_met || in->is_ahead;
}

// Shift of the normal row, or false if no contact is forecast in this step. What moves past its
// thickness within a step is met ahead of the surface and never let through it (4.15). Along a
// hollow every chord cuts into the wall, so that depth is given back (4.17).
static bool shift_normal(int form, double e, const cn_law_input *in, double *b_n)
{
    double U_n = in->u_before[0];
    bool has_passed = in->is_fast && in->gap < 0.0;
    switch (form) {
    case VELOCITY:
        return shift_velocity(e, in, b_n);
    case AHEAD:
        return shift_ahead(e, in, b_n);
    case CONSERVING: // (11.9)
        *b_n = U_n;
        return cn_law_gap_start(in) <= 0.0;
    case DISPLACEMENT: // (4.8)
        *b_n = in->gap / in->h;
        if (has_passed) {
            *b_n = fmin(*b_n, shift_to_end(in));
        }
        return true;
    case DISPLACEMENT_END: // (4.9)
        *b_n = shift_to_end(in);
        return true;
    default: // (4.10)
        *b_n = has_passed ? shift_to_end(in) : open_gap(in) / in->h;
        if (in->is_concave && !has_passed) { // (4.17)
            *b_n = (in->gap - in->arc) / in->h;
        }
        return true;
    }
}

static bool is_late(const double *param)
{
    const cn_law_input rigid = {.is_deformable = false};
    return form_of(param, &rigid) == AHEAD;
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    if (!shift_normal(form_of(param, in), param[RESTITUTION], in, &core->b[0])) {
        core->kind = CN_CORE_FREE;
        return;
    }
    bool slid = state[0] != 0.0;
    core->kind = CN_CORE_CONE;
    core->mu = slid ? param[FRICTION] : fmax(param[FRICTION], param[FRICTION_STATIC]); // (4.16)
    for (int k = 1; k < in->rows; k++) {
        bool is_conserving = param[FORM] == CONSERVING;
        core->b[k] = (is_conserving ? 1.0 : param[RESTITUTION_T]) * in->u_before[k];
    }
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    (void)param;
    (void)state;
    (void)in;
    state_new[0] = out->status == CN_STATUS_SLIDE;
}

const cn_law cn_law_coulomb_type = {
    .type = {"coulomb", "unilateral contact with dry friction between rigid surfaces", PARAM_COUNT,
             param_table, 1, state_table},
    .is_late = is_late,
    .prepare = prepare,
    .commit = commit,
};
