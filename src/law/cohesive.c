// law/cohesive.c -- a cohesive zone beside a contact, theory 4.27 to 4.32.
//
// Each point of an interface has springs along normal and tangent, both softened by one damage. The
// step is made with the weighted secant of its start and its end (4.30), found by refine, so that
// dissipation is never negative whatever the step; friction takes over as damage grows.
#include <math.h>

#include "base/memory.h"
#include "law/envelope.h"
#include "law/law.h"

enum {
    SHAPE,
    STIFFNESS,
    STIFFNESS_T,
    STRENGTH,
    STRENGTH_T,
    ENERGY,
    ENERGY_T,
    MIXITY,
    EXPONENT,
    PLATEAU,
    END,
    SHARE,
    VISCOSITY,
    FRICTION,
    ONSET,
    POWER,
    PRESSED,
    BOND,
    BOND_GAP,
    AREA,
    PARAM_COUNT
};

enum { ONSET_BROKEN, ONSET_GRADUAL, ONSET_ALWAYS };
enum { MIXITY_POWER, MIXITY_BK };
enum { PRESSED_RIGID, PRESSED_ELASTIC };

// What a refined core assumes: the secant at the end, and whether the point is closed.
enum { SECANT, CLOSED };

static const cn_param param_table[PARAM_COUNT] = {
    [SHAPE] = {"shape", "-", "how traction falls with opening", 0, CN_ENVELOPE_SHAPE_COUNT - 1,
               CN_ENVELOPE_MAC, "mac mp parabolic linear trapezoid bilinear exponential"},
    [STIFFNESS] = {"stiffness", "Pa/m", "normal stiffness per area, as new", 1e-12, 1e30, NAN,
                   NULL},
    [STIFFNESS_T] = {"stiffness_tangential", "Pa/m", "the same along the joint; 0: as normal", 0,
                     1e30, 0, NULL},
    [STRENGTH] = {"strength", "Pa", "largest tension (not of mac and mp)", 0, 1e30, 0, NULL},
    [STRENGTH_T] = {"strength_tangential", "Pa", "largest shear; 0: as tension", 0, 1e30, 0, NULL},
    [ENERGY] = {"energy", "J/m2", "energy to break it in tension", 1e-30, 1e30, NAN, NULL},
    [ENERGY_T] = {"energy_tangential", "J/m2", "the same in shear; 0: as in tension", 0, 1e30, 0,
                  NULL},
    [MIXITY] = {"mixity", "-", "energy of mixed modes: power law or Benzeggagh-Kenane", 0, 1,
                MIXITY_POWER, "power bk"},
    [EXPONENT] = {"mixity_exponent", "-", "its exponent", 1e-3, 1e3, 1, NULL},
    [PLATEAU] = {"plateau", "m", "trapezoid: opening where the plateau ends", 0, 1e30, 0, NULL},
    [END] = {"end", "m", "bilinear: opening where it is broken", 0, 1e30, 0, NULL},
    [SHARE] = {"share", "-", "bilinear: part of the energy in the steep branch", 0, 1, 0.75, NULL},
    [VISCOSITY] = {"viscosity", "J s/m2", "mac: resistance to the growth of damage", 0, 1e30, 0,
                   NULL},
    [FRICTION] = {"friction", "-", "coefficient of friction of what is broken", 0, 1e6, 0, NULL},
    [ONSET] = {"friction_onset", "-",
               "when friction acts: broken, gradual (with damage to friction_power), always", 0, 2,
               ONSET_BROKEN, "broken gradual always"},
    [POWER] = {"friction_power", "-", "exponent of damage in gradual friction", 0, 1e3, 1, NULL},
    [PRESSED] =
        {"pressed", "-",
         "what a whole point does where it is closed: nothing, or it gives by its stiffness", 0, 1,
         PRESSED_RIGID, "rigid elastic"},
    CN_BOND_PARAMS,
};

static const char *const state_table[CN_BOND_STATE_COUNT] = {CN_BOND_STATES};

// The mode of an opening: how much of it is shear, and its length [m].
typedef struct mode {
    double n, t, length; // opening, closed ones count as none; slip
} mode;

static mode mode_of(const double *opening, int rows)
{
    mode m = {.n = fmax(opening[0], 0.0)};
    for (int k = 1; k < rows; k++) {
        m.t += opening[k] * opening[k];
    }
    m.t = sqrt(m.t);
    m.length = hypot(m.n, m.t);
    return m;
}

static double or_else(double value, double other)
{
    return value > 0.0 ? value : other;
}

// Energy of a mode with the share B of shear (4.29).
static double energy_of(const double *param, double B)
{
    double G1 = param[ENERGY], G2 = or_else(param[ENERGY_T], G1), x = param[EXPONENT];
    if (param[MIXITY] == MIXITY_BK) {
        return G1 + (G2 - G1) * pow(B, x);
    }
    return pow(pow((1.0 - B) / G1, x) + pow(B / G2, x), -1.0 / x);
}

// The envelope of a mode; no opening is one of tension.
static cn_envelope envelope_of(const double *param, const mode *m)
{
    double c_n = param[STIFFNESS], c_t = or_else(param[STIFFNESS_T], c_n);
    double s1 = param[STRENGTH], s2 = or_else(param[STRENGTH_T], s1);
    double cosine = m->length > 0.0 ? m->n / m->length : 1.0;
    double sine = m->length > 0.0 ? m->t / m->length : 0.0;
    double n2 = c_n * cosine * cosine, t2 = c_t * sine * sine, C = n2 + t2;
    const double mp = 9.0 - 4.0 * log(4.0);
    cn_envelope_def def = {.shape = (cn_envelope_shape)param[SHAPE],
                           .C = C,
                           .G = energy_of(param, t2 / C),
                           .onset =
                               s1 > 0.0 ? 1.0 / hypot(c_n * cosine / s1, c_t * sine / s2) : 0.0,
                           .plateau = param[PLATEAU],
                           .end = param[END],
                           .share = param[SHARE],
                           .mp_onset = sqrt(param[ENERGY] / mp * (1.0 / c_n + 1.0 / c_t))};
    return cn_envelope_make(&def);
}

static double damage_friction(const double *param, double damage)
{
    double power = param[ONSET] == ONSET_ALWAYS ? 0.0 : param[POWER];
    if (param[ONSET] == ONSET_BROKEN) {
        return damage >= 1.0 ? param[FRICTION] : 0.0;
    }
    return power == 0.0 ? param[FRICTION] : param[FRICTION] * pow(fmax(damage, 0.0), power);
}

// Stiffness of row k as new [N/m].
static double stiffness_of(const double *param, const double *state, int k)
{
    double c = k == 0 ? param[STIFFNESS] : or_else(param[STIFFNESS_T], param[STIFFNESS]);
    return c * state[CN_BOND_AREA];
}

// Whether the layer is pressed in the mean of a step that ends with the normal velocity u: it then
// gives by its stiffness as new.
static bool is_closed(const double *param, const cn_law_input *in, double u)
{
    double travel = (1.0 - in->theta) * in->u_before[0] + in->theta * u;
    return param[PRESSED] == PRESSED_ELASTIC && in->opening[0] + in->theta * in->h * travel < 0.0;
}

// The core of a point whose secant is S at the start and S_end at the end of the step (4.30). A
// layer that gives holds its faces apart by itself.
static void set_core(const double *param, const double *state, const cn_law_input *in,
                     const double *assumed, cn_core *core)
{
    double S_end = assumed[SECANT];
    double h = in->h, theta = in->theta, S = 1.0 - state[CN_BOND_DAMAGE];
    double secant = (1.0 - theta) * S + theta * S_end;
    core->kind = CN_CORE_CONE;
    core->b[0] = in->shift;
    core->mu = damage_friction(param, 1.0 - secant);
    if (param[PRESSED] == PRESSED_ELASTIC) {
        core->b[0] = in->size / in->h;
    }
    for (int k = 0; k < in->rows; k++) {
        bool is_whole = k == 0 && assumed[CLOSED] != 0.0;
        double K = (is_whole ? 1.0 : secant) * stiffness_of(param, state, k);
        core->k[k] = theta * theta * h * h * K;
        core->r0[k] = h * K * (in->opening[k] + theta * (1.0 - theta) * h * in->u_before[k]);
    }
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    if (state[CN_BOND_ALIVE] != 0.0 && state[CN_BOND_DAMAGE] < 1.0) {
        const double assumed[2] = {1.0 - state[CN_BOND_DAMAGE],
                                   is_closed(param, in, in->u_before[0])};
        set_core(param, state, in, assumed, core);
    } else if (in->is_met) {
        core->kind = CN_CORE_CONE;
        core->b[0] = in->shift;
        core->mu = param[FRICTION];
    }
}

// Openings at the end of the step.
static void open_to(const cn_law_input *in, const cn_law_output *out, double *end)
{
    for (int k = 0; k < 3; k++) {
        double u = (1.0 - in->theta) * in->u_before[k] + in->theta * out->u[k];
        end[k] = k < in->rows ? in->opening[k] + in->h * u : 0.0;
    }
}

// Intensity of mac at the end of a step, beta at its start, that damage takes time to follow
// (4.31).
static double slow_intensity(const double *param, const cn_law_input *in, const cn_envelope *e,
                             double length, double beta)
{
    mode m = mode_of(in->opening, in->rows);
    double c_n = param[STIFFNESS], c_t = or_else(param[STIFFNESS_T], c_n);
    double rate = 0.5 * in->h / param[VISCOSITY];
    double from = rate * (c_n * m.n * m.n + c_t * m.t * m.t), to = rate * e->C * length * length;
    double slow = (beta + 2.0 * rate * e->G * (1.0 + from)) / (1.0 + from + to + 2.0 * from * to);
    return fmin(beta, slow);
}

// Secant at an opening, never more than there was.
static double secant_at(const double *param, const double *state, const cn_law_input *in,
                        const double *end)
{
    double S = 1.0 - state[CN_BOND_DAMAGE];
    mode m = mode_of(end, in->rows);
    cn_envelope e = envelope_of(param, &m);
    if (param[SHAPE] == CN_ENVELOPE_MAC && param[VISCOSITY] > 0.0) {
        double beta = slow_intensity(param, in, &e, m.length, sqrt(S));
        return beta * beta;
    }
    return fmin(S, cn_envelope_secant(&e, m.length));
}

static void refine(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed)
{
    double end[3];
    if (state[CN_BOND_ALIVE] == 0.0 || state[CN_BOND_DAMAGE] >= 1.0) {
        prepare(param, state, in, core);
        return;
    }
    open_to(in, out, end);
    assumed[SECANT] = secant_at(param, state, in, end);
    assumed[CLOSED] = is_closed(param, in, out->u[0]);
    set_core(param, state, in, assumed, core);
}

// Energy that is spent between two secants, at the mode of an opening [J].
static double spent_between(const double *param, const double *state, const cn_law_input *in,
                            const double *end, double S_end)
{
    double S = 1.0 - state[CN_BOND_DAMAGE];
    mode m = mode_of(end, in->rows);
    cn_envelope e = envelope_of(param, &m);
    return S_end < S
               ? state[CN_BOND_AREA] * (cn_envelope_spent(&e, S_end) - cn_envelope_spent(&e, S))
               : 0.0;
}

// What the solved core was made for.
static void assumed_end(const double *param, const double *state, const cn_law_input *in,
                        double assumed[2])
{
    bool is_refined = in->assumed != NULL;
    assumed[SECANT] = is_refined ? in->assumed[SECANT] : 1.0 - state[CN_BOND_DAMAGE];
    assumed[CLOSED] = is_refined ? in->assumed[CLOSED] : is_closed(param, in, in->u_before[0]);
}

// Energy of the normal spring of a layer that gives, at an opening with the secant S: none once it
// is broken.
static double stored_across(const double *param, const double *state, double S, double opening)
{
    double K = stiffness_of(param, state, 0) * (opening < 0.0 && S > 0.0 ? 1.0 : S);
    return 0.5 * K * opening * opening;
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    double end[3];
    if (state[CN_BOND_ALIVE] == 0.0 || state[CN_BOND_DAMAGE] >= 1.0) {
        return;
    }
    open_to(in, out, end);
    double S_end = secant_at(param, state, in, end);
    state_new[CN_BOND_SPENT] = state[CN_BOND_SPENT] + spent_between(param, state, in, end, S_end);
    state_new[CN_BOND_DAMAGE] = 1.0 - S_end;
}

// (4.32), summed over the rows. Damage is that of the opening found, however near the solved core
// was to it: what the two differ in is of the scheme.
static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    if (state[CN_BOND_ALIVE] == 0.0 || state[CN_BOND_DAMAGE] >= 1.0) {
        return;
    }
    double end[3], S = 1.0 - state[CN_BOND_DAMAGE], theta = in->theta, lost = 0.0;
    cn_core core = {0}, found = {0};
    double solved[2];
    open_to(in, out, end);
    double S_end = secant_at(param, state, in, end);
    const double now[2] = {S_end, is_closed(param, in, out->u[0])};
    assumed_end(param, state, in, solved);
    set_core(param, state, in, solved, &core);
    set_core(param, state, in, now, &found);
    for (int k = 0; k < in->rows; k++) {
        double K0 = stiffness_of(param, state, k), K = S * K0, K_end = S_end * K0;
        bool gives = k == 0 && param[PRESSED] == PRESSED_ELASTIC;
        double from = in->opening[k], to = end[k], kept = in->opening_end[k];
        double given = -(core.r0[k] + core.k[k] * out->u[k]), jump = to - from;
        double r = -(found.r0[k] + found.k[k] * out->u[k]), sum = out->u[k] + in->u_before[k];
        double secant = (1.0 - theta) * K + theta * K_end;
        *(k == 0 ? &energy->beside_n : &energy->beside_t) -= 0.5 * given * sum;
        if (gives) {
            double change =
                stored_across(param, state, S_end, kept) - stored_across(param, state, S, from);
            energy->storage += change;
            energy->theta -= 0.5 * given * sum + change;
            continue;
        }
        energy->theta -= 0.5 * (given - r) * sum;
        energy->storage += 0.5 * K_end * kept * kept - 0.5 * K * from * from;
        lost += 0.5 * (K - K_end) * ((1.0 - theta) * to * to + theta * from * from);
        energy->theta +=
            (theta - 0.5) * (secant * jump * jump + r * (out->u[k] - in->u_before[k])) +
            0.5 * K_end * (to * to - kept * kept);
    }
    energy->fracture = spent_between(param, state, in, end, S_end);
    if (param[SHAPE] == CN_ENVELOPE_MAC) {
        double change = sqrt(S) - sqrt(S_end);
        energy->viscous = state[CN_BOND_AREA] * param[VISCOSITY] * change * change / in->h;
    }
    energy->theta += lost - energy->fracture - energy->viscous;
}

static cn_status check_mode(double c, double s, double G, const char *what, cn_error *err)
{
    if (!(s > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "law cohesive: this shape needs a strength > 0");
    }
    if (!(G > s * s / (2.0 * c))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law cohesive: %s of %g Pa is reached with %g J/m2 at this stiffness, which "
                       "leaves nothing of the energy %g J/m2 to soften; take an energy above that, "
                       "or a stiffness above %g Pa/m",
                       what, s, s * s / (2.0 * c), G, s * s / (2.0 * G));
    }
    return CN_OK;
}

static cn_status check(const double *param, cn_error *err)
{
    if (param[PRESSED] == PRESSED_ELASTIC && param[FRICTION] > 0.0 &&
        param[ONSET] != ONSET_BROKEN) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law cohesive: a layer that gives (pressed: elastic) has no contact beside "
                       "it whose friction could act; take friction_onset: broken");
    }
    double c_n = param[STIFFNESS], c_t = or_else(param[STIFFNESS_T], c_n);
    double s1 = param[STRENGTH], s2 = or_else(param[STRENGTH_T], s1);
    double G1 = param[ENERGY], G2 = or_else(param[ENERGY_T], G1);
    if (param[SHAPE] == CN_ENVELOPE_MAC || param[SHAPE] == CN_ENVELOPE_MP) {
        return CN_OK;
    }
    CN_TRY(check_mode(c_n, s1, G1, "a strength", err));
    CN_TRY(check_mode(c_t, s2, G2, "a tangential strength", err));
    const mode tension = {.n = 1.0, .length = 1.0};
    cn_envelope e = envelope_of(param, &tension);
    bool has_knee = param[SHAPE] == CN_ENVELOPE_TRAPEZOID || param[SHAPE] == CN_ENVELOPE_BILINEAR;
    if (has_knee && !(e.knee >= e.onset && e.knee < e.end)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "law cohesive: its knee at %g m is not between the onset at %g m and the "
                       "end at %g m",
                       e.knee, e.onset, e.end);
    }
    return CN_OK;
}

const cn_law cn_law_cohesive_type = {
    .type = {"cohesive",
             "bonded points that soften and break, beside a contact whose friction takes over",
             PARAM_COUNT, param_table, CN_BOND_STATE_COUNT, state_table},
    .prepare = prepare,
    .commit = commit,
    .energy = energy,
    .refine = refine,
    .is_bonding = true,
    .check = check,
};
