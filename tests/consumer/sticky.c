// A law from outside the library: contact that pulls with up to a given force while surfaces touch,
// until it was torn off for the first time. As part of a program: own_law.c. As a shared object:
// CAIRN_LAWS=./libsticky.so cairn run scene.yaml.
#include <cairn/own_law.h>

#include <math.h>

enum { FRICTION, COHESION, PARAM_COUNT };
static const cn_param param_table[PARAM_COUNT] = {
    [FRICTION] = {"friction", "-", "coefficient of friction", 0, 1e6, 0, NULL},
    [COHESION] = {"cohesion", "N", "largest pull of one contact point", 0, 1e30, NAN, NULL},
};

enum { TORN, SPENT, STATE_COUNT };
static const char *const state_table[STATE_COUNT] = {"torn", "spent"};

static bool pulls(const double *state, const cn_law_input *in)
{
    return state[TORN] == 0.0 && in->gap <= 1e-6 * in->size;
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    core->kind = CN_CORE_CONE;
    core->mu = param[FRICTION];
    core->b[0] = in->shift;
    core->r0[0] = pulls(state, in) ? in->h * param[COHESION] : 0.0; // r >= -h C
}

// Work that it takes to pull it off.
static double work_of(const double *param, const double *state, const cn_law_input *in,
                      const cn_law_output *out)
{
    double mean = 0.5 * (out->u[0] + in->u_before[0]);
    return pulls(state, in) ? in->h * param[COHESION] * mean : 0.0;
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    bool is_torn = pulls(state, in) && out->status == CN_STATUS_OPEN;
    state_new[TORN] = is_torn ? 1.0 : state[TORN];
    state_new[SPENT] = state[SPENT] + work_of(param, state, in, out);
}

static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    energy->beside_n = energy->fracture = work_of(param, state, in, out);
}

const cn_law sticky_law = {
    .interface = CN_LAW_INTERFACE,
    .type = {"sticky", "contact that pulls while it touches, until it is torn off", PARAM_COUNT,
             param_table, STATE_COUNT, state_table},
    .prepare = prepare,
    .commit = commit,
    .energy = energy,
    .acts_beside = true,
    .needs_radius = true, // for in->size when the step is over
};

// What cn_law_load and CAIRN_LAWS look for in a shared object.
const cn_law *const cn_own_laws[] = {&sticky_law, NULL};
