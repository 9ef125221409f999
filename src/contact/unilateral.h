// contact/unilateral.h -- the normal row: what keeps bodies out of each other, whatever their law,
// theory 4.9 to 4.12, 6.1, 6.4 to 6.8.
//
// A law declares a form, a restitution and a stiffness (cn_normal). Here they meet the geometry of
// the contact: hollows, turning bodies, patches, fast bodies and points found ahead.
#pragma once

#include "contact/contacts.h"

// What the points of one pair of shapes with one normal share. The targets of up to three points
// never contradict each other: each is a patch of its own.
typedef struct cn_contact_patch {
    bool is_shared;
    double floor, top; // least gap, at most 0, and largest [m]
    double chord;      // depth that turning may add in a step, at second order (6.4) [m]
} cn_contact_patch;

// The patch of contacts first .. end - 1, whose gaps and velocities are known.
cn_contact_patch cn_contact_patch_make(const cn_contacts *c, const cn_bodies *b, int first,
                                       int end);

// How a contact closes.
typedef struct cn_approach {
    double h, theta, gamma;
    double h_whole;         // of the step that h is a part of (6.9); 0: it is the whole [s]
    double gap, U_n;        // at q_mid [m], before the step [m/s]
    double size;            // of the smaller body [m]
    cn_contact_patch patch; // its own if it shares none
    double arc;             // depth that a straight step cuts into a hollow (6.7) [m]
    bool is_concave;        // one body lies in a hollow of the other (6.6)
    bool is_fast;           // the bodies move past their thickness within a step (6.1)
    bool is_from_ccd;       // found where a solve of this step leads: it closes the gap (6.2)
    bool is_deformable;
} cn_approach;

// Shift b_n of a law between rigid surfaces; false if no contact is forecast in this step.
bool cn_unilateral_shift(const cn_normal *normal, const cn_approach *x, double *b_n);

// What the law of contact a sees when it prepares, its shift included.
cn_law_input cn_unilateral_input(const cn_contacts *c, const cn_bodies *b,
                                 const cn_law_entry *entry, const cn_contact_patch *patch, int a);

// Length of a step in the middle of which contact a touches if it is a fast one that has passed the
// surface there (6.9), or an impact in a small world (6.10), else INFINITY [s].
double cn_unilateral_first_touch(const cn_contacts *c, const cn_bodies *b, const cn_normal *normal,
                                 int a);

// What a law made of contact a, held to the geometry: a rigid cone asks for the shift at least, and
// a spring that a step cannot resolve gives way to a rigid row (6.8). True if one did.
bool cn_unilateral_hold(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                        const cn_law_input *in, cn_core *core);
