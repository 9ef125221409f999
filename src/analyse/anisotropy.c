// analyse/anisotropy.c -- what makes a stress deviate: directions of contacts, of normal and of
// tangential forces, and of branches (14.7).
//
// All are second harmonics, taken along the deviator of the stress, so that they add up to q/p.
// Means over directions are those over pairs of bodies with the weight 1/(1 + n.A n) of the
// fabric A.
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

typedef double tensor[3][3];

typedef struct harmonics {
    int pairs;
    tensor fabric, normal, tangent, length, moment;
    double mean_force, mean_length;
} harmonics;

static double quadratic(const tensor A, cn_vec3 n)
{
    const double x[3] = {n.x, n.y, n.z};
    double sum = 0.0;
    for (int k = 0; k < 9; k++) {
        sum += A[k / 3][k % 3] * x[k / 3] * x[k % 3];
    }
    return sum;
}

// The tensor A of a density 1 + n.A n of directions whose mean of n (x) n is M.
static void second_harmonic(const tensor M, int dim, tensor A)
{
    cn_deviator_of(M, dim, A);
    for (int k = 0; k < 9; k++) {
        A[k / 3][k % 3] *= dim == 2 ? 4.0 : 7.5;
    }
}

static void add_directions(const cn_sample *s, harmonics *h)
{
    cn_sample_pair p;
    for (int a = 0; cn_sample_next_inner(s, &a, &p); h->pairs++) {
        cn_add_dyad(1.0, p.normal, p.normal, h->fabric);
        cn_add_dyad(1.0, p.force, p.branch, h->moment);
    }
    for (int k = 0; k < 9; k++) {
        h->fabric[k / 3][k % 3] /= h->pairs;
    }
}

// False if there are directions in which the fabric leaves no contacts: nothing is known there.
static bool add_weighted(const cn_sample *s, const tensor A, harmonics *h)
{
    cn_sample_pair p;
    for (int a = 0; cn_sample_next_inner(s, &a, &p);) {
        double density = 1.0 + quadratic(A, p.normal), weight = 1.0 / (h->pairs * density);
        double length = cn_norm3(p.branch);
        if (!(density > 0.0)) {
            return false;
        }
        cn_vec3 tangent = cn_add_mul3(p.force, -p.f_n, p.normal);
        cn_add_dyad(weight * p.f_n, p.normal, p.normal, h->normal);
        cn_add_dyad(weight, tangent, p.normal, h->tangent);
        cn_add_dyad(weight * length, p.normal, p.normal, h->length);
        h->mean_force += weight * p.f_n;
        h->mean_length += weight * length;
    }
    return true;
}

// Amplitude of a deviator along the direction S of unit size, as 2 (F1 - F2) is that of a fabric
// in the plane and 15/2 sqrt(3/2 D:D) in space.
static double along(const tensor D, const tensor S, int dim)
{
    return cn_contract(D, S) * (dim == 2 ? 1.0 / sqrt(2.0) : sqrt(1.5));
}

static void find(const cn_sample *s, double *out)
{
    harmonics h = {0};
    tensor A, S, D;
    int dim = s->dim;
    double a[4] = {NAN, NAN, NAN, NAN};
    add_directions(s, &h);
    second_harmonic(h.fabric, dim, A);
    cn_deviator_of(h.moment, dim, S);
    double size = sqrt(cn_contract(S, S)), trace = h.moment[0][0] + h.moment[1][1] + h.moment[2][2];
    double measured = (dim == 2 ? sqrt(0.5) : sqrt(1.5)) * size / (trace / dim);
    for (int k = 0; k < 9; k++) {
        S[k / 3][k % 3] /= size;
    }
    if (h.pairs > 0 && size > 0.0 && add_weighted(s, A, &h)) {
        a[0] = along(A, S, dim);
        second_harmonic(h.normal, dim, D);
        a[1] = along(D, S, dim) / h.mean_force;
        // (f_t)_i = f0 (A n - (n.A n) n): its dyad with n has A/4 in the plane and A/5 in space.
        cn_deviator_of(h.tangent, dim, D);
        a[2] = along(D, S, dim) * (dim == 2 ? 4.0 : 5.0) / h.mean_force;
        second_harmonic(h.length, dim, D);
        a[3] = along(D, S, dim) / h.mean_length;
    }
    double sum = a[0] + a[1] + a[3], products = a[0] * (a[1] + a[3]) + a[1] * a[3];
    double predicted =
        dim == 2 ? 0.5 * (sum + a[2]) / (1.0 + 0.5 * products) : 0.4 * (sum + 1.5 * a[2]);
    memcpy(out, (double[6]){a[0], a[1], a[2], a[3], predicted, measured}, 6 * sizeof *out);
}

#define NUMBERS "ac an at al predicted measured"

const cn_analysis cn_analysis_anisotropy = {
    .name = "anisotropy",
    .help = "of pairs of bodies that press: second harmonics, along the deviator of the stress, of "
            "the directions of contacts, normal forces, tangential forces and lengths of branches; "
            "q/p that they predict, and q/p as it is",
    .plane = NUMBERS,
    .space = NUMBERS,
    .find = find};
