// law/sliding.c -- rigid surfaces whose friction changes as they slide, theory 4.14 to 4.18.
//
// The coefficient of a step belongs to the speed that it leads to: refine finds it. What it is
// made of stands in law/friction.c; surfaces are kept apart as under coulomb.
#include <math.h>
#include <string.h>

#include "law/friction.h"
#include "law/law.h"

enum {
    FRICTION,
    FRICTION_STATIC,
    SLIP_DISTANCE,
    AGEING,
    AGEING_TIME,
    FRICTION_FAST,
    VELOCITY_SCALE,
    RATE,
    STATE,
    STATE_DISTANCE,
    REFERENCE,
    HOLD,
    ROLLING,
    SPINNING,
    PARAM_COUNT
};

static const cn_param param_table[PARAM_COUNT] = {
    [FRICTION] = {"friction", "-", "coefficient once it slides; with `rate` at the reference speed",
                  0, 1e6, 0, NULL},
    [FRICTION_STATIC] = {"friction_static", "-", "coefficient at rest, if larger", 0, 1e6, 0, NULL},
    [SLIP_DISTANCE] = {"slip_distance", "m",
                       "slip over which it falls from that at rest; 0: at once", 0, 1e30, 0, NULL},
    [AGEING] = {"ageing", "-", "what a tenfold time at rest adds to the coefficient at rest", 0,
                1e6, 0, NULL},
    [AGEING_TIME] = {"ageing_time", "s", "time at rest from which it counts", 1e-30, 1e30, 1, NULL},
    [FRICTION_FAST] = {"friction_fast", "-", "coefficient at high speed", 0, 1e6, 0, NULL},
    [VELOCITY_SCALE] = {"velocity_scale", "m/s",
                        "speed at which 63 % of the way to friction_fast is done; 0: none", 0, 1e30,
                        0, NULL},
    [RATE] = {"rate", "-", "rate and state: a, direct effect of speed; 0: none", 0, 1e3, 0, NULL},
    [STATE] = {"state", "-", "rate and state: b, effect of the state", 0, 1e3, 0, NULL},
    [STATE_DISTANCE] = {"state_distance", "m", "rate and state: slip that renews the state", 1e-30,
                        1e30, 1e-5, NULL},
    [REFERENCE] = {"reference_speed", "m/s", "rate and state: where friction is `friction`", 1e-30,
                   1e30, 1e-6, NULL},
    [HOLD] = {"hold_time", "s", "time for which a new contact sticks whatever it bears", 0, 1e30, 0,
              NULL},
    [ROLLING] = {"rolling", "-", CN_ROLLING_HELP, 0, 1e6, 0, NULL},
    [SPINNING] = {"spinning", "-", CN_SPINNING_HELP, 0, 1e6, 0, NULL},
};

enum { SLIP, AGE, PEAK, FILM, HELD, STATE_COUNT };
static const char *const state_table[] = {"slip", "age", "peak", "film", "held", CN_MOMENT_STATES};

static cn_friction friction_of(const double *param)
{
    return (cn_friction){.sliding = param[FRICTION],
                         .at_rest = param[FRICTION_STATIC],
                         .slip_distance = param[SLIP_DISTANCE],
                         .ageing = param[AGEING],
                         .ageing_time = param[AGEING_TIME],
                         .fast = param[FRICTION_FAST],
                         .velocity_scale = param[VELOCITY_SCALE],
                         .rate = param[RATE],
                         .state = param[STATE],
                         .state_distance = param[STATE_DISTANCE],
                         .speed = param[REFERENCE],
                         .hold = param[HOLD]};
}

static cn_friction_memory memory_of(const double *state)
{
    return (cn_friction_memory){.slip = state[SLIP],
                                .age = state[AGE],
                                .peak = state[PEAK],
                                .film = state[FILM],
                                .held = state[HELD]};
}

static double speed_of(const double *u, int rows)
{
    return rows == 3 ? sqrt(u[1] * u[1] + u[2] * u[2]) : fabs(u[1]);
}

// Coefficient at a speed.
static double mu_at(const double *param, const double *state, const cn_law_input *in, double speed)
{
    cn_friction f = friction_of(param);
    cn_friction_memory m = memory_of(state);
    return cn_friction_at(&f, &m, speed, in->h);
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    core->kind = CN_CORE_CONE;
    core->b[0] = in->shift;
    core->mu = mu_at(param, state, in, speed_of(in->u_before, in->rows));
}

static void refine(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed)
{
    cn_friction_search search = {.count = 0.0}, next;
    _Static_assert(sizeof search == CN_LAW_ASSUMED_MAX * sizeof *assumed, "it is kept as numbers");
    prepare(param, state, in, core);
    search.used = core->mu;
    if (in->assumed != NULL) {
        memcpy(&search, in->assumed, sizeof search);
    }
    cn_friction f = friction_of(param);
    cn_friction_memory m = memory_of(state);
    cn_friction_search_on(&f, &m, in->h, &search, speed_of(out->u, in->rows), &next);
    core->mu = next.used;
    memcpy(assumed, &next, sizeof next);
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    cn_friction f = friction_of(param);
    cn_friction_memory m = memory_of(state);
    bool is_open = out->status == CN_STATUS_OPEN, has_slid = out->status == CN_STATUS_SLIDE;
    if (is_open) {
        return; // what touches again is new
    }
    m = cn_friction_after(&f, &m, has_slid, speed_of(out->u, in->rows), in->h);
    state_new[SLIP] = m.slip;
    state_new[AGE] = m.age;
    state_new[PEAK] = m.peak;
    state_new[FILM] = m.film;
    state_new[HELD] = m.held;
}

static cn_status check(const double *param, cn_error *err)
{
    bool is_other = param[FRICTION_STATIC] > 0.0 || param[SLIP_DISTANCE] > 0.0 ||
                    param[AGEING] > 0.0 || param[VELOCITY_SCALE] > 0.0;
    if (param[RATE] > 0.0 && is_other) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law sliding: rate and state is a friction of its own; leave out "
                       "friction_static, slip_distance, ageing and velocity_scale, or rate");
    }
    if (param[STATE] > 0.0 && !(param[RATE] > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law sliding: state %g needs a rate > 0, as rocks have it: 0.01",
                       param[STATE]);
    }
    return CN_OK;
}

const cn_law cn_law_sliding_type = {
    .type = {"sliding",
             "rigid contact whose friction depends on speed, slip, time at rest, or "
             "rate and state",
             PARAM_COUNT, param_table, STATE_COUNT, state_table},
    .prepare = prepare,
    .commit = commit,
    .refine = refine,
    .check = check,
};
