// law/law.h -- what a law offers: one file each, one line in table.c.
#pragma once

#include "cairn/law.h"
#include "cairn/solver.h"

// What a law may look at when it prepares or commits a contact.
typedef struct cn_law_input {
    double h, theta, gamma;
    int rows;           // rows of forces, normal first
    double gap;         // at q + gamma h v [m]
    double u_before[3]; // H^T v [m/s]
    bool is_fast;       // the bodies move past their thickness within a step (4.15)
    bool is_ahead;      // found where a solve of this step leads: it closes the gap (4.42)
    bool is_deformable; // one of the bodies is
    // To prepare only:
    bool is_concave;   // one body lies in a hollow of the other (4.17)
    double floor, top; // least gap of its patch, at most 0, and largest [m]
    double size;       // of the smaller body [m]
    double arc;        // depth that a straight step cuts into that hollow (4.46) [m]
    double chord;      // depth that turning may add in a step, at second order (4.44) [m]
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
    // Whether it asks nothing of a gap that the step closes: bodies are in each other when they are
    // met, unless they are looked at again (4.45). NULL: it does not.
    bool (*is_late)(const double *param);
    // Fills the core, which comes zeroed. `state` is that of the last accepted step, zeros for a
    // new contact.
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

// How a contact resists rolling and spinning, for every law with these parameters (4.19): two lines
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
    double rolling, spinning; // [-]
} cn_law_entry;

cn_law_entry cn_law_entry_make(const cn_law *law, const double *param);

// Whether bodies with this law are in each other when it meets them (4.45).
static inline bool cn_law_is_late(const cn_law_entry *entry)
{
    return entry->law->is_late != NULL && entry->law->is_late(entry->param);
}

// Rows of moments of a contact with this law.
static inline int cn_law_moment_rows(const cn_law_entry *entry, int dim)
{
    int roll_rows = entry->rolling > 0.0 ? dim - 1 : 0;
    return dim == 3 && entry->spinning > 0.0 ? roll_rows + 1 : roll_rows;
}

extern const cn_law cn_law_coulomb_type, cn_law_elastic_type, cn_law_viscoelastic_type,
    cn_law_glue_type;

// Gap at the start of the step, from the one at q + gamma h v.
static inline double cn_law_gap_start(const cn_law_input *in)
{
    return in->gap - in->gamma * in->h * in->u_before[0];
}

// Energy in a spring that can only push.
static inline double cn_spring_energy(double stiffness, double gap)
{
    return gap < 0.0 ? 0.5 * stiffness * gap * gap : 0.0;
}
