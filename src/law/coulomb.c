// law/coulomb.c -- Coulomb's friction between rigid surfaces, theory 4.9 and 4.13. What keeps the
// surfaces apart: contact/unilateral.c.
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
    FRICTION_2,
    AXIS,
    RESTORE = AXIS + 3,
    TOLERANCE,
    PARAM_COUNT
};

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
              0, CN_FORM_COUNT - 1, CN_FORM_AUTO,
              "auto velocity displacement displacement_end quasi_inelastic conserving ahead"},
    [ROLLING] = {"rolling", "-", CN_ROLLING_HELP, 0, 1e6, 0, NULL},
    [SPINNING] = {"spinning", "-", CN_SPINNING_HELP, 0, 1e6, 0, NULL},
    [FRICTION_2] = {"friction_2", "-",
                    "coefficient across the axis, in space; 0: the same in all directions", 0, 1e6,
                    0, NULL},
    [AXIS] = {"axis_x", "-",
              "direction in which `friction` acts, fixed in the body that is held, "
              "else in the first of both",
              -1e6, 1e6, 1, NULL},
    [AXIS + 1] = {"axis_y", "-", "likewise", -1e6, 1e6, 0, NULL},
    [AXIS + 2] = {"axis_z", "-", "likewise", -1e6, 1e6, 0, NULL},
    [RESTORE] = {"restore", "-",
                 "overlap is given back as by a spring whose period is so many steps, at least 10; "
                 "0: it is left",
                 0, 1e9, 0, NULL},
    [TOLERANCE] = {"tolerance", "m", "overlap that is left then", 0, 1e30, 0, NULL},
};

static const char *const state_table[] = {"slid", CN_MOMENT_STATES};

static cn_normal normal(const double *param)
{
    return (cn_normal){.form = (cn_form)param[FORM],
                       .restitution = param[RESTITUTION],
                       .restitution_t = param[RESTITUTION_T]};
}

// Velocity at which overlap is given back: what a spring of that period adds in a step (4.12).
static double restored(const double *param, const cn_law_input *in)
{
    double turn = param[RESTORE] > 0.0 ? 2.0 * CN_PI / param[RESTORE] : 0.0;
    return turn * turn * fmax(-in->gap - param[TOLERANCE], 0.0) / in->h;
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    if (!in->is_met) {
        return;
    }
    bool slid = state[0] != 0.0;
    core->kind = CN_CORE_CONE;
    core->b[0] = param[RESTORE] > 0.0 ? fmin(in->shift, -restored(param, in)) : in->shift;
    core->mu = slid ? param[FRICTION] : fmax(param[FRICTION], param[FRICTION_STATIC]); // (4.13)
    for (int k = 1; k < in->rows; k++) {
        bool is_conserving = param[FORM] == CN_FORM_CONSERVING;
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

static cn_status check(const double *param, cn_error *err)
{
    if (param[RESTORE] > 0.0 && param[RESTORE] < 10.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law coulomb: restore is a period of %g steps; take 10 at least, or overlap "
                       "would be thrown out",
                       param[RESTORE]);
    }
    if (param[TOLERANCE] > 0.0 && param[RESTORE] == 0.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law coulomb: tolerance %g m is that of `restore`, which is not given",
                       param[TOLERANCE]);
    }
    if (param[FRICTION_2] == 0.0) {
        return CN_OK;
    }
    if (!(param[FRICTION] > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law coulomb: friction_2 is %g, the coefficient across the axis; the one "
                       "along it, friction, must be above 0, too",
                       param[FRICTION_2]);
    }
    if (param[AXIS] == 0.0 && param[AXIS + 1] == 0.0 && param[AXIS + 2] == 0.0) {
        return cn_fail(err, CN_BAD_INPUT, "law coulomb: friction_2 needs an axis, not (0, 0, 0)");
    }
    if (param[RESTITUTION_T] != 0.0 || param[FORM] == CN_FORM_CONSERVING) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law coulomb: friction_2 goes with neither restitution_tangential nor form: "
                       "conserving");
    }
    return CN_OK;
}

const cn_law cn_law_coulomb_type = {
    .type = {"coulomb", "unilateral contact with dry friction between rigid surfaces", PARAM_COUNT,
             param_table, 1, state_table},
    .normal = normal,
    .prepare = prepare,
    .commit = commit,
    .check = check,
};
