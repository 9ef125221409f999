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

// What a law may look at when it prepares or commits a contact.
typedef struct cn_law_input {
    double h, theta, gamma;
    int rows;           // rows of forces, normal first
    double gap;         // at q + gamma h v [m]
    double u_before[3]; // H^T v [m/s]
    bool is_deformable; // one of the bodies is
    // To prepare only:
    double shift; // b_n with which rigid surfaces stay apart, hollows, turns and patches included
    bool is_met;  // contact is forecast; if not, rigid surfaces ask for nothing in this step
    double size;  // of the smaller body [m]
    double arc;   // depth that a straight step cuts into a hollow (6.7): a spring does not see it
} cn_law_input;

// What a step did to the contact.
typedef struct cn_law_output {
    double r[3]; // [N s]
    double u[3]; // H^T v+ [m/s]
    cn_contact_status status;
} cn_law_output;

// Energy that the contact stored and lost to viscosity in a step; the rest of its normal work is
// shock.
typedef struct cn_law_energy {
    double storage, viscous; // [J]
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
    void (*energy)(const double *param, const cn_law_input *in, const cn_law_output *out,
                   cn_law_energy *energy);
} cn_law;

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

// Rows of moments of a contact with this law.
static inline int cn_law_moment_rows(const cn_law_entry *entry, int dim)
{
    int roll_rows = entry->rolling > 0.0 ? dim - 1 : 0;
    return dim == 3 && entry->spinning > 0.0 ? roll_rows + 1 : roll_rows;
}

extern const cn_law cn_law_coulomb_type, cn_law_elastic_type, cn_law_viscoelastic_type,
    cn_law_glue_type;

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
