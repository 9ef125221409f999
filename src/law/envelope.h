// law/envelope.h -- traction against opening of a cohesive zone that opens for the first time,
// theory 4.27 to 4.29.
//
// Per area. The traction rises as C d up to the onset d_i, falls from there to zero, and is S C d
// in between: S is the secant that is left, 1 as new, 0 broken.
#pragma once

#include "cairn/base.h"

typedef enum cn_envelope_shape {
    CN_ENVELOPE_MAC = 0,     // Monerie and Acary: from the energy alone
    CN_ENVELOPE_MP,          // Monerie and Perales: likewise
    CN_ENVELOPE_PARABOLIC,   // from the strength down along a parabola,
    CN_ENVELOPE_LINEAR,      // a line,
    CN_ENVELOPE_TRAPEZOID,   // a plateau and a line,
    CN_ENVELOPE_BILINEAR,    // two lines,
    CN_ENVELOPE_EXPONENTIAL, // an exponential
    CN_ENVELOPE_SHAPE_COUNT
} cn_envelope_shape;

typedef struct cn_envelope {
    cn_envelope_shape shape;
    double C;            // modulus as new [Pa/m]
    double onset;        // d_i [m]
    double G;            // energy of all of it [J/m2]
    double peak;         // traction at the onset [Pa]
    double knee, s_knee; // where a plateau or the first line ends, and the traction there
    double end;          // where it is broken [m]
} cn_envelope;

// What the envelope of a mode is made of.
typedef struct cn_envelope_def {
    cn_envelope_shape shape;
    double C, G, onset; // the onset of shapes with a strength
    double plateau;     // trapezoid: opening where it ends [m]
    double end, share;  // bilinear: opening where it ends, energy of the steep part [m], [-]
    double mp_onset;    // of MP, which no mode changes [m]
} cn_envelope_def;

cn_envelope cn_envelope_make(const cn_envelope_def *def);

// S at an opening d >= 0.
double cn_envelope_secant(const cn_envelope *e, double d);

// Energy that is spent when S is left [J/m2]: G for 0.
double cn_envelope_spent(const cn_envelope *e, double S);
