// analyse/analyse.h -- quantities of samples, one file each; table.c lists them.
#pragma once

#include "cairn/analyse.h"
#include "cairn/vec.h"

extern const cn_analysis cn_analysis_stress, cn_analysis_fabric, cn_analysis_anisotropy,
    cn_analysis_coordination, cn_analysis_network, cn_analysis_fraction, cn_analysis_flow,
    cn_analysis_percolation, cn_analysis_bodies, cn_analysis_principal, cn_analysis_strain;

// What is given to quantities that are per volume, as their first parameter.
extern const cn_param cn_param_volume;

// Mass centre of a body.
static inline cn_vec3 cn_sample_centre(const cn_sample *s, int i)
{
    const double *q = s->q + s->q_size * i;
    return cn_v3(q[0], q[1], s->dim == 3 ? q[2] : 0.0);
}

// A contact through which bodies press each other.
static inline bool cn_is_pressed(const cn_contact *c)
{
    return c->r[0] > 0.0;
}

// From body j of a contact to that image of it which the contact is with [m].
cn_vec3 cn_sample_image(const cn_sample *s, const cn_contact *c);

// Mean force of a contact on its body i over the step [N].
cn_vec3 cn_sample_force(const cn_sample *s, const cn_contact *c);

// All points through which a body i touches one image of a body j.
typedef struct cn_sample_pair {
    int i, j;
    signed char shift[3]; // cell of the image of j relative to i
    bool is_pressed;      // by one of its points at least
    bool is_sliding;      // at all points that press
    cn_vec3 force;        // on i, of all points [N]
    cn_vec3 normal;  // unit, towards i: mean of those of the points that press, by their forces
    double f_n, f_t; // of `force`: along the normal, and what is left across it [N]
    cn_vec3 branch;  // from the mass centre of the image of j to that of i [m]
} cn_sample_pair;

// The pair whose points begin with contact *a, which becomes the first of the next one. False
// beyond the last.
bool cn_sample_next_pair(const cn_sample *s, int *a, cn_sample_pair *pair);

// Next pair that presses and of which both bodies are selected.
bool cn_sample_next_inner(const cn_sample *s, int *a, cn_sample_pair *pair);

// Mean normal force of these pairs, NaN if there are none [N].
double cn_sample_mean_force(const cn_sample *s);

// Moments of contact forces about the mass centres of selected bodies, pressure positive [N m].
void cn_sample_moment(const cn_sample *s, double M[3][3]);

// M += k a (x) b.
void cn_add_dyad(double k, cn_vec3 a, cn_vec3 b, double M[3][3]);

// Deviator of the symmetric part of a tensor; in the plane that of its first two rows and columns.
void cn_deviator_of(const double M[3][3], int dim, double D[3][3]);

// L = B X^-1 of a symmetric X; NaN where X is flat: bodies in one line or plane.
void cn_quotient(const double B[3][3], const double X[3][3], double L[3][3]);

// A : B.
double cn_contract(const double A[3][3], const double B[3][3]);

// sqrt(3/2 D : D) of the deviator D of a symmetric tensor of space, xx yy zz yz zx xy.
double cn_deviator(const double t[6]);
