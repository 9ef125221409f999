// law/rock_joint.c -- rough joints of rock by Barton and Bandis, or by Patton, theory 4.46 to 4.52.
//
// The law tells the angle at which the faces ride up on their teeth and that of the whole
// resistance; interfaces lean by the first, and what is left is Coulomb friction on the flank.
#include <math.h>

#include "law/law.h"

enum {
    MODEL,
    PHI,
    JRC,
    JCS,
    LENGTH,
    PEAK_SLIP,
    ANGLE,
    SHEAR_OFF,
    BOND,
    BOND_GAP,
    AREA,
    PARAM_COUNT,
    JRC_N = PARAM_COUNT, // of the length of the joint
    JCS_N
};

enum { BARTON, PATTON };

static const cn_param param_table[PARAM_COUNT] = {
    [MODEL] = {"model", "-", "barton: JRC and JCS; patton: teeth of one angle", 0, 1, BARTON,
               "barton patton"},
    [PHI] = {"phi_r", "rad", "angle of friction without roughness", 0, 1.22, NAN, NULL},
    [JRC] = {"JRC", "-", "barton: joint roughness, 0 smooth, 20 very rough", 0, 30, 0, NULL},
    [JCS] = {"JCS", "Pa", "barton: strength of the walls", 0, 1e30, 0, NULL},
    [LENGTH] = {"length", "m", "barton: length of the joint, if JRC and JCS are those of 0.1 m", 0,
                1e30, 0, NULL},
    [PEAK_SLIP] = {"peak_slip", "m",
                   "barton: slip at the peak, less roughness before and after it; 0: it stays", 0,
                   1e30, 0, NULL},
    [ANGLE] = {"asperity_angle", "rad", "patton: of the teeth", 0, 1.22, 0, NULL},
    [SHEAR_OFF] = {"shear_off", "Pa", "patton: pressure that shears them off; 0: none", 0, 1e30, 0,
                   NULL},
    CN_BOND_PARAMS,
};

static const char *const state_table[CN_ROUGH_STATE_COUNT] = {CN_BOND_STATES, CN_ROUGH_STATES};

static const double STEEPEST = 70.0 * CN_PI / 180.0; // Barton's limit of the whole angle

// Roughness of a long joint is less than that of a sample of 0.1 m (4.50).
static void derive(double *param)
{
    double scale = param[LENGTH] > 0.0 ? param[LENGTH] / 0.1 : 1.0;
    param[JRC_N] = param[JRC] * pow(scale, -0.02 * param[JRC]);
    param[JCS_N] = param[JCS] * pow(scale, -0.03 * param[JRC]);
}

// Share of the roughness that acts at a slip, over that at the peak (4.51); below zero not even
// phi_r has been reached.
static double mobilised(double ratio, double start)
{
    enum { COUNT = 9 };
    static const double at[COUNT] = {0, 0.3, 0.6, 1, 2, 4, 10, 25, 100};
    const double share[COUNT] = {start, 0, 0.75, 1, 0.85, 0.7, 0.5, 0.4, 0};
    int k = 1;
    while (k < COUNT - 1 && ratio > at[k]) {
        k++;
    }
    double s = fmin((ratio - at[k - 1]) / (at[k] - at[k - 1]), 1.0);
    return share[k - 1] + s * (share[k] - share[k - 1]);
}

static void barton(const double *param, const cn_rough *now, cn_teeth *teeth)
{
    const double degree = CN_PI / 180.0;
    double most = STEEPEST - param[PHI], share = 1.0, peak = 0.0;
    if (param[JRC_N] > 0.0) { // (4.49)
        double level = now->pressure > 0.0 ? log10(param[JCS_N] / now->pressure) : INFINITY;
        peak = fmin(fmax(param[JRC_N] * degree * level, 0.0), most);
    }
    if (param[PEAK_SLIP] > 0.0 && peak > 0.0) {
        share = mobilised(now->slip / param[PEAK_SLIP], -param[PHI] / peak);
    }
    teeth->friction = param[PHI] + share * peak;
    teeth->dilation = 0.5 * fmax(share, 0.0) * peak;
}

// (4.52)
static void patton(const double *param, const cn_rough *now, cn_teeth *teeth)
{
    bool is_over = param[SHEAR_OFF] > 0.0 && now->pressure > param[SHEAR_OFF];
    bool is_sheared = now->worn > 0.0 || is_over;
    teeth->dilation = is_sheared ? 0.0 : param[ANGLE];
    teeth->friction = param[PHI] + teeth->dilation;
    teeth->worn = is_sheared ? 1.0 : 0.0;
}

static void find_teeth(const double *param, const cn_rough *now, cn_teeth *teeth)
{
    if (param[MODEL] == BARTON) {
        barton(param, now, teeth);
    } else {
        patton(param, now, teeth);
    }
}

static bool is_alive(const double *state)
{
    return state[CN_BOND_ALIVE] != 0.0 && state[CN_BOND_DAMAGE] < 1.0;
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    core->kind = in->is_met ? CN_CORE_CONE : CN_CORE_FREE;
    core->b[0] = in->shift;
    core->mu = is_alive(state) ? state[CN_ROUGH_FRICTION] : tan(param[PHI]);
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    (void)param;
    (void)out;
    if (is_alive(state)) {
        state_new[CN_BOND_DAMAGE] = in->is_far ? 1.0 : 0.0;
    }
}

static cn_status check_barton(const double *param, cn_error *err)
{
    if (param[JRC] > 0.0 && !(param[JCS] > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law rock_joint: JRC %g needs JCS > 0, the strength of the walls; that of "
                       "sound limestone is 50e6",
                       param[JRC]);
    }
    if (param[ANGLE] > 0.0 || param[SHEAR_OFF] > 0.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law rock_joint: asperity_angle and shear_off belong to model: patton");
    }
    return CN_OK;
}

static cn_status check(const double *param, cn_error *err)
{
    if (param[MODEL] == BARTON) {
        return check_barton(param, err);
    }
    if (param[JRC] > 0.0 || param[JCS] > 0.0 || param[LENGTH] > 0.0 || param[PEAK_SLIP] > 0.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law rock_joint: JRC, JCS, length and peak_slip belong to model: barton");
    }
    if (!(param[ANGLE] > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law rock_joint: model patton needs an asperity_angle > 0");
    }
    if (param[PHI] + param[ANGLE] > STEEPEST) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law rock_joint: phi_r and asperity_angle are %.3g rad together, at most "
                       "1.22 (70 degrees)",
                       param[PHI] + param[ANGLE]);
    }
    return CN_OK;
}

const cn_law cn_law_rock_joint_type = {
    .type = {"rock_joint", "rough joints of rock that ride up on their teeth as they slip",
             PARAM_COUNT, param_table, CN_ROUGH_STATE_COUNT, state_table},
    .prepare = prepare,
    .commit = commit,
    .derive = derive,
    .check = check,
    .teeth = find_teeth,
    .is_bonding = true,
    .is_compressible = true,
};
