// law/law.h -- what a law offers: one file each, one line in table.c.
#pragma once

#include "cairn/law.h"
#include "cairn/solver.h"

// How a law asks rigid surfaces to stay apart (theory chapter 4, "The unilateral forms").
// CN_FORM_AUTO: the velocity form with restitution, else the quasi-inelastic one, or displacement
// if a body is deformable.
typedef enum cn_form {
    CN_FORM_AUTO = 0,
    CN_FORM_VELOCITY,
    CN_FORM_DISPLACEMENT,
    CN_FORM_DISPLACEMENT_END,
    CN_FORM_QUASI_INELASTIC,
    CN_FORM_CONSERVING,
    CN_FORM_AHEAD,
    CN_FORM_COUNT
} cn_form;

// What a law declares of the normal row; geometry does the rest (contact/unilateral.c).
typedef struct cn_normal {
    cn_form form;
    double restitution, restitution_t; // normal, tangential [-]
    double stiffness;                  // of one point; 0: rigid [N/m]
} cn_normal;

// Depth over the smaller body beyond which a spring gives way to a rigid row (6.8): with more
// bodies come out on the other side [-].
#define CN_SPRING_DEPTH 0.5

// Gap at which the velocity form meets a surface, over the smaller body [-].
#define CN_TOUCH 1e-9

// Whether rigid surfaces ask for something at a point found where a step leads (6.2): with its
// gap, and that at the start of the step.
static inline bool cn_normal_holds_from_ccd(const cn_normal *normal, double gap, double gap_start,
                                            double size)
{
    bool is_bouncing = normal->restitution > 0.0 || normal->restitution_t != 0.0;
    switch (normal->form) {
    case CN_FORM_AUTO:
        return !is_bouncing || gap <= CN_TOUCH * size;
    case CN_FORM_VELOCITY:
        return gap <= CN_TOUCH * size;
    case CN_FORM_CONSERVING:
        return gap_start <= 0.0;
    default:
        return true;
    }
}

// When points of two surfaces become bonded (contact/interface.c).
typedef enum cn_bond {
    CN_BOND_OFF = 0, // never
    CN_BOND_START,   // where they touch when the world begins to move
    CN_BOND_TOUCH    // whenever they touch
} cn_bond;

// The states of a law that bonds, in this order; zeros are those of an ordinary contact. Names of
// them, and the parameters that say when (last three of the table of the law).
enum {
    CN_BOND_ALIVE,   // 1: a point of an interface
    CN_BOND_DAMAGE,  // 0: as new, 1: broken
    CN_BOND_AREA,    // [m2], in the plane [m]
    CN_BOND_OPENING, // along the normal [m]
    CN_BOND_SLIP,    // along the tangent, of which there are two in space [m]
    CN_BOND_SLIP_2,
    CN_BOND_SPENT,    // energy spent on damage [J]
    CN_BOND_MET,      // 1: an ordinary contact that touched: it does not bond before it was apart
    CN_BOND_ANCHOR_I, // where the point is on both bodies, 3 numbers each: in the frame of a rigid
                      // one [m], on a mesh the facet of its skin and the place on it
    CN_BOND_ANCHOR_J = CN_BOND_ANCHOR_I + 3,
    CN_BOND_NORMAL_I = CN_BOND_ANCHOR_J + 3, // the normal, likewise
    CN_BOND_NORMAL_J = CN_BOND_NORMAL_I + 3,
    CN_BOND_TANGENT_I = CN_BOND_NORMAL_J + 3, // direction of `slip` on body i
    CN_BOND_APART = CN_BOND_TANGENT_I + 3,    // of meshes: how far they stood apart when bonded [m]
    CN_BOND_STATE_COUNT
};
#define CN_BOND_STATES                                                                             \
    "bond", "damage", "area", "opening", "slip", "slip_2", "spent", "met", "anchor_i_x",           \
        "anchor_i_y", "anchor_i_z", "anchor_j_x", "anchor_j_y", "anchor_j_z", "normal_i_x",        \
        "normal_i_y", "normal_i_z", "normal_j_x", "normal_j_y", "normal_j_z", "tangent_i_x",       \
        "tangent_i_y", "tangent_i_z", "apart"

// Further states of a law whose bonds are beams: points that no face has, as between grains, also
// transmit moments. Relative rotations of body i against body j since bonding: bending about both
// tangents of the material, twist about the normal; in the plane the first is that about z.
enum {
    CN_BEAM_ALIVE = CN_BOND_STATE_COUNT,   // 1: a point that transmits moments
    CN_BEAM_TANGENT_J = CN_BEAM_ALIVE + 1, // the tangent of i when they were bonded, on body j
    CN_BEAM_TURN = CN_BEAM_TANGENT_J + 3,  // [rad]
    CN_BEAM_STATE_COUNT = CN_BEAM_TURN + 3
};
#define CN_BEAM_STATES                                                                             \
    "beam", "tangent_j_x", "tangent_j_y", "tangent_j_z", "bending", "bending_2", "twist"
#define CN_BOND_PARAMS                                                                             \
    {"bond",                                                                                       \
     "-",                                                                                          \
     "when points that touch are bonded: never, at the start, or whenever they touch",             \
     0,                                                                                            \
     2,                                                                                            \
     CN_BOND_START,                                                                                \
     "off start touch"},                                                                           \
        {"bond_gap", "m",  "gap up to which they count as touching; 0: 1e-4 of the smaller body",  \
         0,          1e30, 0,                                                                      \
         NULL},                                                                                    \
    {                                                                                              \
        "area", "m2", "of a point that no face tells, as between grains; 0: by their radius", 0,   \
            1e30, 0, NULL                                                                          \
    }

// What a law may look at when it prepares or commits a contact.
typedef struct cn_law_input {
    double h, theta, gamma;
    int rows;           // rows of forces, normal first
    double gap;         // at q + gamma h v [m]
    double u_before[3]; // H^T v [m/s]
    bool is_deformable; // one of the bodies is
    // Points of interfaces: state[CN_BOND_ALIVE] is 1.
    double opening[3];     // along the normal and the tangents of now, at the start of the step [m]
    double opening_end[3]; // at its end, where the bodies are: for the energy only [m]
    double turn[2][2];     // tangents of the material along those of now, a row each
    double radius[2];      // of both surfaces, 0: flat or hollow; if the law needs them [m]
    bool is_far;           // it has moved so far that surfaces touch elsewhere
    // Beams, by rows of moments: rolling about the tangents of now, then spinning.
    int moments;                 // rows of them; 0: no beam
    double bend[3], bend_end[3]; // relative rotations, as the openings [rad]
    double spin_before[3];       // relative angular velocities before the step [rad/s]
    const double *assumed;       // end state that the core is made for: what refine kept
    // To prepare only:
    double shift; // b_n with which rigid surfaces stay apart, hollows, turns and patches included
    bool is_met;  // contact is forecast; if not, rigid surfaces ask for nothing in this step
    double size;  // of the smaller body; afterwards, too, if the law needs radii [m]
    double arc;   // depth that a straight step cuts into a hollow (6.7): a spring does not see it
} cn_law_input;

// What a step did to the contact.
typedef struct cn_law_output {
    double r[3];    // [N s]
    double u[3];    // H^T v+ [m/s]
    double spin[3]; // the same of the rows of moments of beams [rad/s]
    cn_contact_status status;
    double v_noise; // velocity below which the solver was not asked to tell motion from rest [m/s]
} cn_law_output;

// Energy that the contact stored and lost to viscosity in a step; the rest of its normal work is
// shock. What acts beside the contact is told apart: the work that it took, normal and tangential,
// and what became of it beside storage and viscosity.
typedef struct cn_law_energy {
    double storage, viscous;   // [J]
    double fracture, theta;    // spent on damage; taken by the scheme [J]
    double beside_n, beside_t; // work that a bond took [J]
} cn_law_energy;

typedef struct cn_law {
    cn_law_type type;
    // How it asks surfaces to stay apart. NULL: rigid, CN_FORM_AUTO, no restitution.
    cn_normal (*normal)(const double *param);
    // Fills the core, which comes zeroed. `state` is that of the last accepted step, zeros for a
    // new contact. A rigid cone may ask for less room than in->shift gives, never for more: b_n is
    // at most in->shift whatever is written.
    void (*prepare)(const double *param, const double *state, const cn_law_input *in,
                    cn_core *core);
    // State after an accepted step; NULL: the law has none.
    void (*commit)(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, double *state_new);
    // NULL: the law neither stores nor damps.
    void (*energy)(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_law_energy *energy);
    // For laws that depend on what the step decides: the core for the velocities that were found,
    // made as prepare makes it, and the state at the end that it assumes. It depends on the state
    // before the step and on these velocities, never on the core before. NULL: the core stands.
    void (*refine)(const double *param, const double *state, const cn_law_input *in,
                   const cn_law_output *out, cn_core *core, double *assumed);
    bool is_compressible; // openings of its points below zero are seen
    bool is_bonding;      // states and parameters are those of interfaces
    bool acts_beside;     // all that it stores and loses is that of something beside the contact
    bool needs_radius;    // of the surfaces
    bool has_beams;       // and its points without a face have moments: CN_BEAM_STATES follow
    // Gap up to which it acts at a distance [m]; NULL: it does not.
    double (*reach)(const double *param);
    // Whether the parameters fit each other; NULL: always.
    cn_status (*check)(const double *param, cn_error *err);
} cn_law;

// States that a refined core assumes, at most.
enum { CN_LAW_ASSUMED_MAX = 6 };

// The law behind a type.
const cn_law *cn_law_of(const cn_law_type *type);

// How a contact resists rolling and spinning, for every law with these parameters (4.4): two lines
// in its table of parameters, and the names of the states in which the moment is kept after those
// of its own. A contact has them, and rows of moments, only if a coefficient is not zero.
#define CN_ROLLING_HELP "rolling resistance: largest moment over normal force and radius"
#define CN_SPINNING_HELP "spinning resistance about the normal, likewise; in space"
#define CN_MOMENT_STATES "moment_x", "moment_y", "moment_z"
enum { CN_MOMENT_STATE_COUNT = 3 };

// A law with its parameters, as contacts use it.
typedef struct cn_law_entry {
    const cn_law *law;
    cn_law_type type; // that of the law, with the states of moments if it has any
    double param[CN_LAW_PARAM_MAX];
    cn_normal normal;
    double rolling, spinning; // [-]
    cn_bond bond;             // of a law that bonds
    double bond_gap, area;    // [m], [m2]
} cn_law_entry;

cn_law_entry cn_law_entry_make(const cn_law *law, const double *param);

// Whether a law asks nothing of a gap that the step closes: bodies are in each other when they are
// met, unless they are looked at again (6.5).
static inline bool cn_law_needs_ccd(const cn_law_entry *entry)
{
    return entry->normal.form == CN_FORM_AHEAD;
}

static inline bool cn_law_is_rigid(const cn_law_entry *entry)
{
    return entry->normal.stiffness == 0.0;
}

// Rows of moments of a contact with this law, or of a beam of it.
static inline int cn_law_moment_rows(const cn_law_entry *entry, int dim, bool is_beam)
{
    if (is_beam) {
        return dim == 2 ? 1 : 3;
    }
    int roll_rows = entry->rolling > 0.0 ? dim - 1 : 0;
    return dim == 3 && entry->spinning > 0.0 ? roll_rows + 1 : roll_rows;
}

extern const cn_law cn_law_coulomb_type, cn_law_elastic_type, cn_law_viscoelastic_type,
    cn_law_glue_type, cn_law_cohesive_type, cn_law_mohr_type, cn_law_compliant_type,
    cn_law_bond_type, cn_law_wet_type, cn_law_sliding_type;

// Gap at the start of the step, from the one at q + gamma h v, less what a hollow curves away.
static inline double cn_law_gap_start(const cn_law_input *in)
{
    return in->gap - in->arc - in->gamma * in->h * in->u_before[0];
}

// Energy in a spring that can only push.
static inline double cn_spring_energy(double stiffness, double gap)
{
    return gap < 0.0 ? 0.5 * stiffness * gap * gap : 0.0;
}
