// law/film.c -- a film of oil or mud between surfaces that resists shear by its viscosity, theory
// 4.54 and 4.55, beside dry friction where they touch.
//
// Within its thickness every point has a dashpot along the surface; across it surfaces are as
// without. A viscosity that falls with the rate of shear is that of the speed of the step, which
// refine finds.
#include <math.h>

#include "law/law.h"

enum { VISCOSITY, THICKNESS, AREA, FRICTION, FAST, TIME, EXPONENT, PARAM_COUNT };

static const cn_param param_table[PARAM_COUNT] = {
    [VISCOSITY] = {"viscosity", "Pa s", "of the film, at rest if it depends on the rate of shear",
                   0, 1e30, 1e-3, NULL},
    [THICKNESS] = {"thickness", "m", "of the film: surfaces no further apart shear it", 1e-12, 1e30,
                   1e-4, NULL},
    [AREA] = {"area", "m2", "of the film at one contact point", 1e-30, 1e30, 1e-4, NULL},
    [FRICTION] = {"friction", "-", "coefficient of dry friction where surfaces touch", 0, 1e6, 0,
                  NULL},
    [FAST] = {"viscosity_fast", "Pa s", "of the film that is sheared fast, with `exponent`", 0,
              1e30, 0, NULL},
    [TIME] = {"relaxation_time", "s", "one over the rate of shear at which it begins to thin", 0,
              1e30, 0, NULL},
    [EXPONENT] = {"exponent", "-", "of Carreau: stress grows as rate to this power; 1: Newton", 0,
                  1, 1, NULL},
};

static double reach(const double *param)
{
    return param[THICKNESS];
}

// Carreau's viscosity (4.55) at the mean speed of a step [Pa s].
static double viscosity_at(const double *param, const cn_law_input *in, const double *u)
{
    double theta = in->theta, speed = 0.0;
    for (int k = 1; k < in->rows; k++) {
        speed = hypot(speed, (1.0 - theta) * in->u_before[k] + theta * u[k]);
    }
    double rate = param[TIME] * speed / param[THICKNESS];
    double thinning = pow(1.0 + rate * rate, 0.5 * (param[EXPONENT] - 1.0));
    return param[FAST] + (param[VISCOSITY] - param[FAST]) * thinning;
}

static bool is_newtonian(const double *param)
{
    return param[EXPONENT] == 1.0 || param[TIME] == 0.0;
}

// The dashpot of a point; none where the film has parted [N s/m].
static double drag_of(const double *param, const cn_law_input *in, double viscosity)
{
    bool is_within = cn_law_gap_start(in) <= param[THICKNESS];
    return is_within ? viscosity * param[AREA] / param[THICKNESS] : 0.0;
}

static void set_core(const double *param, const cn_law_input *in, double viscosity, cn_core *core)
{
    double drag = in->h * drag_of(param, in, viscosity);
    core->kind = CN_CORE_CONE;
    core->mu = param[FRICTION];
    core->b[0] = in->shift;
    for (int k = 1; k < in->rows; k++) {
        core->k[k] = in->theta * drag;
        core->r0[k] = (1.0 - in->theta) * drag * in->u_before[k];
    }
}

static double viscosity_before(const double *param, const cn_law_input *in)
{
    return is_newtonian(param) ? param[VISCOSITY] : viscosity_at(param, in, in->u_before);
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    (void)state;
    set_core(param, in, viscosity_before(param, in), core);
}

static void refine(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed)
{
    (void)state;
    assumed[0] = is_newtonian(param) ? param[VISCOSITY] : viscosity_at(param, in, out->u);
    set_core(param, in, assumed[0], core);
}

// What the film takes: (4.37) without a spring.
static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    (void)state;
    double viscosity = in->assumed != NULL ? in->assumed[0] : viscosity_before(param, in);
    double drag = in->h * drag_of(param, in, viscosity), theta = in->theta;
    for (int k = 1; k < in->rows; k++) {
        double U = in->u_before[k], u = out->u[k], mean = (1.0 - theta) * U + theta * u;
        energy->beside_t += 0.5 * drag * mean * (U + u);
        energy->viscous += drag * mean * mean;
    }
    energy->theta = energy->beside_t - energy->viscous;
}

static cn_status check(const double *param, cn_error *err)
{
    if (param[TIME] > 0.0 && param[FAST] > param[VISCOSITY]) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law film: viscosity_fast %g Pa s is more than viscosity %g: it thins where "
                       "it is sheared, so that it is less",
                       param[FAST], param[VISCOSITY]);
    }
    if (param[EXPONENT] < 1.0 && param[TIME] == 0.0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law film: exponent %g needs a relaxation_time > 0 s: one over the rate of "
                       "shear at which it begins to thin",
                       param[EXPONENT]);
    }
    return CN_OK;
}

const cn_law cn_law_film_type = {
    .type = {"film", "a viscous film between surfaces, beside dry friction", PARAM_COUNT,
             param_table, 0, NULL},
    .prepare = prepare,
    .energy = energy,
    .refine = refine,
    .check = check,
    .reach = reach,
    .acts_beside = true,
};
