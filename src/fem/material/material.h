// fem/material/material.h -- laws at a point: strain in, conjugate stress and tangent out
// (theory 10.15 to 10.30). Kinematics stay outside: a law sees linear strains and stresses (small
// strain, co-rotational) or Green-Lagrange strains and second Piola-Kirchhoff stresses (total
// Lagrange).
//
// A new material is one file, one line in table.c and one in the enum; tests/unit/material.c runs
// over the table.
#pragma once

#include "base/memory.h"
#include "cairn/fem.h"

// Components xx yy zz xy yz zx; shear strains are twice the tensor components.
#define CN_VOIGT 6
#define CN_MATERIAL_STATE_MAX 16

typedef struct cn_response {
    double stress[6];   // [Pa]
    double tangent[36]; // d stress/d strain, symmetric [Pa]
    double stored;      // energy that can be given back, per reference volume [J/m3]
    double plastic;     // dissipated since the old state [J/m3]
} cn_response;

typedef struct cn_material cn_material;

typedef struct cn_material_type {
    const char *name;
    bool is_linear;  // stress is D times strain
    bool is_finite;  // Green-Lagrange strains only
    bool is_log;     // finite strain through logarithmic strains of the elastic part
    int state_count; // doubles of history in small strain; zeros are the virgin state
    // Complains about parameters; density and damping are checked for all.
    cn_status (*check)(const cn_material_def *def, cn_error *err);
    // Fills what respond needs in m (moduli).
    void (*prepare)(cn_material *m);
    // False: no stress exists at this strain (material turned inside out, no convergence).
    bool (*respond)(const cn_material *m, const double strain[6], const double *old, double *new_,
                    cn_response *out);
} cn_material_type;

// A material ready for use: definition and what follows from it.
struct cn_material {
    cn_material_def def;
    const cn_material_type *type;
    cn_kinematics kinematics; // what is used: hyperelastic models have their own
    bool is_plane_stress;
    int state_count;          // with the kinematics in use
    double lambda, shear;     // moduli of Lame [Pa]
    double D[36];             // tangent at rest [Pa]
    bool has_initial;         // initial_strain is not zero
    double initial_strain[6]; // added to every strain: gives the initial stress at rest
    double D_rest[36];        // the same, condensed in plane stress: damping, wave speed [Pa]
};

extern const cn_material_type cn_material_linear, cn_material_orthotropic, cn_material_saint_venant,
    cn_material_neo_hookean, cn_material_mooney_rivlin, cn_material_blatz_ko, cn_material_j2;

// Checks a definition and makes it ready. The message starts with "material %d:".
cn_status cn_material_create(const cn_material_def *def, int index, bool is_plane_stress,
                             cn_material *m, cn_error *err);

// Response at a point, with everything around the law itself: logarithmic strains, plane stress
// (strain[2] is then unknown: it is not read; stress[2] and its tangent come out zero). old and
// new_ hold state_count doubles. False as above.
bool cn_material_respond(const cn_material *m, const double strain[6], const double *old,
                         double *new_, cn_response *out);

// Shared by laws: E and nu in range, and the moduli that follow.
cn_status cn_material_check_isotropic(const cn_material_def *def, cn_error *err);
void cn_material_prepare_isotropic(cn_material *m);
void cn_material_fill_isotropic(cn_material *m); // D of lambda and shear
bool cn_material_respond_linear(const cn_material *m, const double strain[6], const double *old,
                                double *new_, cn_response *out);

// An isotropic energy by the derivatives after the invariants I1 I2 I3 of C.
typedef struct cn_invariant_energy {
    double W;
    double d[3];  // dW/dI1 dW/dI2 dW/dI3
    double dd[6]; // second ones: 11 22 33 12 23 31
} cn_invariant_energy;

// Stress and tangent of such an energy; `energy` fills it for the material and I[3]. False if the
// strain turns the material inside out.
bool cn_material_respond_invariant(const cn_material *m, const double strain[6],
                                   void (*energy)(const cn_material *m, const double I[3],
                                                  cn_invariant_energy *e),
                                   cn_response *out);

// A small-strain law in logarithmic strains (theory 10.27 to 10.30); strain is Green-Lagrange.
#define CN_LOG_STATE 9 // what it adds to the state of the law
bool cn_material_respond_log(const cn_material *m, const double strain[6], const double *old,
                             double *new_, cn_response *out);
