// law/film.c -- a film of oil or mud between surfaces that resists shear by its viscosity, theory
// 4.51, beside dry friction where they touch.
//
// Within its thickness every point has a dashpot along the surface; across it surfaces are as
// without.
#include <math.h>

#include "law/law.h"

enum { VISCOSITY, THICKNESS, AREA, FRICTION, PARAM_COUNT };

static const cn_param param_table[PARAM_COUNT] = {
    [VISCOSITY] = {"viscosity", "Pa s", "of the film", 0, 1e30, 1e-3, NULL},
    [THICKNESS] = {"thickness", "m", "of the film: surfaces no further apart shear it", 1e-12, 1e30,
                   1e-4, NULL},
    [AREA] = {"area", "m2", "of the film at one contact point", 1e-30, 1e30, 1e-4, NULL},
    [FRICTION] = {"friction", "-", "coefficient of dry friction where surfaces touch", 0, 1e6, 0,
                  NULL},
};

static double reach(const double *param)
{
    return param[THICKNESS];
}

// The dashpot of a point; none where the film has parted [N s/m].
static double drag_of(const double *param, const cn_law_input *in)
{
    bool is_within = cn_law_gap_start(in) <= param[THICKNESS];
    return is_within ? param[VISCOSITY] * param[AREA] / param[THICKNESS] : 0.0;
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    (void)state;
    double drag = in->h * drag_of(param, in);
    core->kind = CN_CORE_CONE;
    core->mu = param[FRICTION];
    core->b[0] = in->shift;
    for (int k = 1; k < in->rows; k++) {
        core->k[k] = in->theta * drag;
        core->r0[k] = (1.0 - in->theta) * drag * in->u_before[k];
    }
}

// What the film takes: (4.34) without a spring.
static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    (void)state;
    double drag = in->h * drag_of(param, in), theta = in->theta;
    for (int k = 1; k < in->rows; k++) {
        double U = in->u_before[k], u = out->u[k], mean = (1.0 - theta) * U + theta * u;
        energy->beside_t += 0.5 * drag * mean * (U + u);
        energy->viscous += drag * mean * mean;
    }
    energy->theta = energy->beside_t - energy->viscous;
}

const cn_law cn_law_film_type = {
    .type = {"film", "a viscous film between surfaces, beside dry friction", PARAM_COUNT,
             param_table, 0, NULL},
    .prepare = prepare,
    .energy = energy,
    .reach = reach,
    .acts_beside = true,
};
