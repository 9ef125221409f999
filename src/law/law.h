// law/law.h -- what the library does with laws: one file each, one line in table.c. What a law
// offers is public, since those from outside are made of the same: cairn/own_law.h.
#pragma once

#include "cairn/own_law.h"

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

// The law behind a type.
const cn_law *cn_law_of(const cn_law_type *type);

// A law with its parameters, as contacts use it.
typedef struct cn_law_entry {
    const cn_law *law;
    cn_law_type type; // that of the law, with the states of moments if it has any
    double param[CN_LAW_PARAM_MAX];
    cn_normal normal;
    double rolling, spinning; // [-]
    double ratio, axis[3];    // of friction across an axis to that along it: 1 of most laws (4.53)
    cn_bond bond;             // of a law that bonds
    bool is_compressible;     // openings of its points below zero are seen
    double bond_gap, area;    // [m], [m2]
} cn_law_entry;

cn_law_entry cn_law_entry_make(const cn_law *law, const double *param);

// Whether a law asks nothing of a gap that the step closes: bodies are in each other when they are
// met, unless they are looked at again (6.5).
static inline bool cn_law_needs_ccd(const cn_law_entry *entry)
{
    return entry->normal.form == CN_FORM_AHEAD;
}

// Whether friction depends on the direction.
static inline bool cn_law_is_skew(const cn_law_entry *entry)
{
    return entry->ratio != 1.0;
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

// States that interfaces write, of a law that bonds.
static inline int cn_law_bond_states(const cn_law *law)
{
    int rough = law->teeth != NULL ? (int)CN_ROUGH_STATE_COUNT : (int)CN_BOND_STATE_COUNT;
    return !law->is_bonding ? 0 : law->has_beams ? (int)CN_BEAM_STATE_COUNT : rough;
}

extern const cn_law cn_law_coulomb_type, cn_law_elastic_type, cn_law_viscoelastic_type,
    cn_law_glue_type, cn_law_cohesive_type, cn_law_mohr_type, cn_law_compliant_type,
    cn_law_bond_type, cn_law_wet_type, cn_law_sliding_type, cn_law_hertz_type, cn_law_crush_type,
    cn_law_rock_joint_type, cn_law_film_type;

// Energy in a spring that can only push.
static inline double cn_spring_energy(double stiffness, double gap)
{
    return gap < 0.0 ? 0.5 * stiffness * gap * gap : 0.0;
}
