// law/bond.c -- cemented grains: an elastic beam beside each contact, theory 4.35 to 4.37.
//
// The beam is as long as the mass centres are apart and has springs along the normal and the
// tangents, in bending and in torsion, with dashpots in parallel. It breaks for good at the end of
// the step in which its largest stress exceeds its strength; what it stored is then spent. Faces
// that touch are bonded by the springs of their points, which bend and twist as their section does.
#include <math.h>

#include "law/law.h"

enum {
    YOUNG,
    RATIO,
    RADIUS,
    LENGTH,
    STRENGTH,
    STRENGTH_T,
    INTERNAL_FRICTION,
    DAMPING,
    FRICTION,
    ROLLING,
    SPINNING,
    BOND,
    BOND_GAP,
    AREA,
    PARAM_COUNT
};

static const cn_param param_table[PARAM_COUNT] = {
    [YOUNG] = {"young", "Pa", "Young's modulus of the cement", 1e-12, 1e30, NAN, NULL},
    [RATIO] = {"ratio", "-", "shear over normal stiffness", 0, 1e3, 0.4, NULL},
    [RADIUS] = {"radius", "-", "of the bond, over that of the smaller grain", 1e-6, 1e3, 1, NULL},
    [LENGTH] = {"length", "m", "of the bond; 0: from one mass centre to the other", 0, 1e30, 0,
                NULL},
    [STRENGTH] = {"strength", "Pa", "largest tension, that of bending included", 1e-30, 1e30, NAN,
                  NULL},
    [STRENGTH_T] = {"strength_tangential", "Pa",
                    "largest shear, that of torsion included; 0: as "
                    "tension",
                    0, 1e30, 0, NULL},
    [INTERNAL_FRICTION] = {"internal_friction", "-", "shear strength that a pressure adds, over it",
                           0, 1e3, 0, NULL},
    [DAMPING] = {"damping", "s", "dashpots over springs", 0, 1e30, 0, NULL},
    [FRICTION] = {"friction", "-", "coefficient of friction of the contact beside it", 0, 1e6, 0,
                  NULL},
    [ROLLING] = {"rolling", "-", CN_ROLLING_HELP, 0, 1e6, 0, NULL},
    [SPINNING] = {"spinning", "-", CN_SPINNING_HELP, 0, 1e6, 0, NULL},
    CN_BOND_PARAMS,
};

static const char *const state_table[] = {CN_BOND_STATES, CN_BEAM_STATES, CN_MOMENT_STATES};

enum { ROWS = 6 };

static bool is_whole(const double *state)
{
    return state[CN_BOND_ALIVE] != 0.0 && state[CN_BOND_DAMAGE] < 1.0;
}

// The section of a bond (4.35).
typedef struct section {
    double A, I, J, R;      // area, moments, half width [m2, m4, m4, m]; in the plane per thickness
    double stiffness[ROWS]; // of its rows: n, t, t, bending, bending, torsion [N/m], [N m]
} section;

static double arm_along_normal(const double *anchor, const double *normal)
{
    return fabs(anchor[0] * normal[0] + anchor[1] * normal[1] + anchor[2] * normal[2]);
}

static section section_of(const double *param, const double *state, const cn_law_input *in)
{
    bool is_plane = in->rows == 2;
    double scale = is_plane ? param[RADIUS] : param[RADIUS] * param[RADIUS];
    section s = {.A = scale * state[CN_BOND_AREA]};
    s.R = is_plane ? 0.5 * s.A : sqrt(s.A / CN_PI);
    s.I = is_plane ? s.R * s.R * s.R / 1.5 : 0.25 * s.A * s.R * s.R;
    s.J = 2.0 * s.I;
    double length = param[LENGTH];
    if (length == 0.0) {
        length = arm_along_normal(state + CN_BOND_PLACE_I, state + CN_BOND_NORMAL_I) +
                 arm_along_normal(state + CN_BOND_PLACE_J, state + CN_BOND_NORMAL_J);
    }
    double E = param[YOUNG] / length, G = param[RATIO] * E;
    const double each[ROWS] = {E * s.A, G * s.A, G * s.A, E * s.I, E * s.I, G * s.J};
    for (int k = 0; k < ROWS; k++) {
        s.stiffness[k] = each[k];
    }
    return s;
}

// The rows of a bond: openings, then rotations, at the start of the step and as the scheme and the
// bodies have them at its end, and the velocities that belong to them.
typedef struct motion {
    int rows;
    int kind[ROWS]; // of the springs of section
    double from[ROWS], before[ROWS];
    double u[ROWS], to[ROWS], kept[ROWS];
} motion;

static void add_row(motion *m, int kind, double from, double before)
{
    m->kind[m->rows] = kind;
    m->from[m->rows] = from;
    m->before[m->rows++] = before;
}

static motion motion_of(const cn_law_input *in)
{
    motion m = {.rows = 0};
    for (int k = 0; k < in->rows; k++) {
        add_row(&m, k, in->opening[k], in->u_before[k]);
    }
    for (int k = 0; k < in->moments; k++) {
        add_row(&m, 3 + k, in->bend[k], in->angular_velocity_before[k]);
    }
    return m;
}

static void move(const cn_law_input *in, const cn_law_output *out, motion *m)
{
    for (int k = 0; k < m->rows; k++) {
        bool turns = k >= in->rows;
        m->u[k] = turns ? out->angular_velocity[k - in->rows] : out->u[k];
        m->kept[k] = turns ? in->bend_end[k - in->rows] : in->opening_end[k];
        m->to[k] = m->from[k] + in->h * ((1.0 - in->theta) * m->before[k] + in->theta * m->u[k]);
    }
}

static void prepare(const double *param, const double *state, const cn_law_input *in, cn_core *core)
{
    if (!is_whole(state) && !in->is_met) {
        return;
    }
    core->kind = CN_CORE_CONE;
    core->b[0] = in->shift;
    core->mu = param[FRICTION];
    if (!is_whole(state)) {
        return;
    }
    section s = section_of(param, state, in);
    motion m = motion_of(in);
    double h = in->h, theta = in->theta;
    for (int k = 0; k < m.rows; k++) { // (4.25)
        double K = s.stiffness[m.kind[k]], eta = param[DAMPING] * K;
        core->k[k] = theta * h * (K * theta * h + eta);
        core->r0[k] = h * (K * (m.from[k] + theta * (1.0 - theta) * h * m.before[k]) +
                           eta * (1.0 - theta) * m.before[k]);
    }
}

// Whether the stress at the end of the step exceeds the strength (4.36).
static bool breaks(const double *param, const cn_law_input *in, const cn_law_output *out,
                   const section *s, const motion *m)
{
    double force[ROWS] = {0.0};
    for (int k = 0; k < m->rows; k++) {
        force[m->kind[k]] = s->stiffness[m->kind[k]] * m->to[k];
    }
    double strength_t = param[STRENGTH_T] > 0.0 ? param[STRENGTH_T] : param[STRENGTH];
    double pressed = fmax(out->r[0] / in->h, 0.0); // by the contact
    double normal = pressed > 0.0 ? -pressed : force[0];
    double tension = normal / s->A + hypot(force[3], force[4]) * s->R / s->I;
    double shear = hypot(force[1], force[2]) / s->A + fabs(force[5]) * s->R / s->J;
    return tension > param[STRENGTH] ||
           shear > strength_t + param[INTERNAL_FRICTION] * pressed / s->A;
}

static double stored(const section *s, const motion *m, const double *stretch)
{
    double sum = 0.0;
    for (int k = 0; k < m->rows; k++) {
        sum += 0.5 * s->stiffness[m->kind[k]] * stretch[k] * stretch[k];
    }
    return sum;
}

static void commit(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new)
{
    if (!is_whole(state)) {
        return;
    }
    section s = section_of(param, state, in);
    motion m = motion_of(in);
    move(in, out, &m);
    if (breaks(param, in, out, &s, &m)) {
        state_new[CN_BOND_DAMAGE] = 1.0;
        state_new[CN_BOND_SPENT] = stored(&s, &m, m.to);
    }
}

// (4.37)
static void energy(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy)
{
    if (!is_whole(state)) {
        return;
    }
    section s = section_of(param, state, in);
    motion m = motion_of(in);
    cn_core core = {0};
    move(in, out, &m);
    prepare(param, state, in, &core);
    for (int k = 0; k < m.rows; k++) {
        double K = s.stiffness[m.kind[k]], jump = m.to[k] - m.from[k];
        double r = -(core.r0[k] + core.k[k] * m.u[k]);
        *(k == 0 ? &energy->beside_n : &energy->beside_t) -= 0.5 * r * (m.u[k] + m.before[k]);
        energy->viscous += param[DAMPING] * K * jump * jump / in->h;
        energy->theta += (in->theta - 0.5) * (K * jump * jump + r * (m.u[k] - m.before[k]));
    }
    double at_end = stored(&s, &m, m.to);
    bool is_broken = breaks(param, in, out, &s, &m);
    double kept = is_broken ? 0.0 : stored(&s, &m, m.kept);
    energy->storage = kept - stored(&s, &m, m.from);
    energy->fracture = is_broken ? at_end : 0.0;
    energy->theta += at_end - kept - energy->fracture;
}

const cn_law cn_law_bond_type = {
    .type = {"bond", "cemented grains: beams that stretch, shear, bend, twist and break",
             PARAM_COUNT, param_table, CN_BEAM_STATE_COUNT, state_table},
    .prepare = prepare,
    .commit = commit,
    .energy = energy,
    .is_bonding = true,
    .has_beams = true,
};
