// fem/material/log_strain.c -- a law of small strain between the logarithmic elastic strain and its
// stress, F = F_e F_p (theory 10.27 to 10.30). Adds to the state of the law F_p^-1 - I.
#include <math.h>
#include <string.h>

#include "fem/material/material.h"
#include "math/tensor.h"

// First divided difference of ln/2.
static double difference1(double a, double b)
{
    double ratio = (a - b) / b;
    return ratio == 0.0 ? 0.5 / b : 0.5 * log1p(ratio) / (b * ratio);
}

// Second one of close values: series about their mean; the sums h of products of the distances
// follow from those of one and two of them.
static double difference2_close(const double x[3], double mean)
{
    double d[3], one = 1.0, two = 1.0, three = 1.0, power = mean * mean, sum = -0.25 / power;
    for (int k = 0; k < 3; k++) {
        d[k] = x[k] - mean;
    }
    for (int n = 3; n < 16; n++) {
        one *= d[0];
        two = one + d[1] * two;
        three = two + d[2] * three;
        power *= mean;
        sum += (n % 2 == 0 ? -0.5 : 0.5) / (n * power) * three;
    }
    return sum;
}

static double difference2(double a, double b, double c)
{
    double x[3] = {a, b, c}; // sorted: the outer ones are the farthest apart
    for (int k = 0; k < 3; k++) {
        int p = k % 2;
        if (x[p] > x[p + 1]) {
            double swap = x[p];
            x[p] = x[p + 1];
            x[p + 1] = swap;
        }
    }
    double mean = (x[0] + x[1] + x[2]) / 3.0;
    if (x[2] - x[0] < 0.05 * mean) {
        return difference2_close(x, mean);
    }
    return (difference1(x[2], x[1]) - difference1(x[1], x[0])) / (x[2] - x[0]);
}

// f(A) of a symmetric matrix by its axes.
static void spectral(const double value[3], const double V[9], double A[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[3 * i + j] = V[3 * i] * V[3 * j] * value[0] + V[3 * i + 1] * V[3 * j + 1] * value[1] +
                           V[3 * i + 2] * V[3 * j + 2] * value[2];
        }
    }
}

// F_p^-1 <- F_p^-1 exp(-change) of (10.28).
static void move_plastic(const double Fpi[9], const double old[6], const double new_[6],
                         double *state)
{
    double change[6], A[9], value[3], V[9], exponential[9], moved[9];
    for (int k = 0; k < 6; k++) {
        change[k] = old[k] - new_[k];
    }
    cn_tensor_full(change, 0.5, A);
    cn_tensor_eigen(A, value, V);
    for (int k = 0; k < 3; k++) {
        value[k] = exp(value[k]);
    }
    spectral(value, V, exponential);
    cn_tensor_mul(Fpi, exponential, moved);
    for (int k = 0; k < 9; k++) {
        state[k] = moved[k] - (k % 4 == 0 ? 1.0 : 0.0);
    }
}

// Second variation of the strain times the stress, in principal axes: (10.30) with A, B = 2 dE. A
// and B have two entries at most, and both terms give the same.
static void add_curvature(const double lambda[3], const double T[9], double D[36])
{
    double phi[27];
    for (int k = 0; k < 27; k++) {
        int a = k / 9, b = k / 3 % 3, c = k % 3;
        bool is_first = a <= b && b <= c;
        int low = a < b ? (a < c ? a : c) : (b < c ? b : c);
        int high = a > b ? (a > c ? a : c) : (b > c ? b : c);
        phi[k] = is_first ? difference2(lambda[a], lambda[b], lambda[c])
                          : phi[9 * low + 3 * (a + b + c - low - high) + high];
    }
    for (int p = 0; p < 6; p++) {
        for (int q = 0; q < 6; q++) {
            double sum = 0.0;
            for (int n = 0; n < 4; n++) { // A_ik B_kj with both orders of their indices
                const int *first = n < 2 ? cn_voigt_row : cn_voigt_col;
                const int *second = n < 2 ? cn_voigt_col : cn_voigt_row;
                int i = first[p], k = second[p];
                int k_too = (n % 2 == 0 ? cn_voigt_row : cn_voigt_col)[q];
                int j = (n % 2 == 0 ? cn_voigt_col : cn_voigt_row)[q];
                sum += k == k_too ? T[3 * i + j] * phi[9 * i + 3 * k + j] : 0.0;
            }
            D[6 * p + q] += 2.0 * sum; // 4 of A, B = 2 dE, 2 terms, 1/2 for each order twice
        }
    }
}

// Stress and tangent in principal axes, then to the reference position by Q = F_p^-1 V (10.29).
static void pull_back(const double lambda[3], const double V[9], const double Fpi[9],
                      cn_response *r)
{
    double Vt[9], T[9], own[9], Q[9], S[9], slope[6], map[36], D[36];
    cn_tensor_transpose(V, Vt);
    cn_tensor_full(r->stress, 1.0, T);
    cn_tensor_turn(Vt, T, own);
    cn_tensor_strain_map(Vt, map);
    cn_tensor_tangent_turn(map, r->tangent, D);
    for (int p = 0; p < 6; p++) {
        slope[p] = 2.0 * difference1(lambda[cn_voigt_row[p]], lambda[cn_voigt_col[p]]);
    }
    for (int p = 0; p < 6; p++) {
        for (int q = 0; q < 6; q++) {
            D[6 * p + q] *= slope[p] * slope[q];
        }
    }
    add_curvature(lambda, own, D);
    for (int p = 0; p < 6; p++) {
        int i = cn_voigt_row[p], j = cn_voigt_col[p];
        S[3 * i + j] = S[3 * j + i] = slope[p] * own[3 * i + j];
    }
    cn_tensor_mul(Fpi, V, Q);
    cn_tensor_turn(Q, S, T);
    cn_tensor_voigt(T, 1.0, r->stress);
    cn_tensor_strain_map(Q, map);
    cn_tensor_tangent_turn(map, D, r->tangent);
}

bool cn_material_respond_log(const cn_material *m, const double strain[6], const double *old,
                             double *new_, cn_response *out)
{
    int at = m->type->state_count;
    double C[9], Fpi[9], Fpit[9], Ce[9], lambda[3], V[9], half[3], log_strain[9], trial[6];
    cn_tensor_full(strain, 0.5, C);
    for (int k = 0; k < 9; k++) {
        double unit = k % 4 == 0 ? 1.0 : 0.0;
        C[k] = 2.0 * C[k] + unit;
        Fpi[k] = old[at + k] + unit;
    }
    cn_tensor_transpose(Fpi, Fpit);
    cn_tensor_turn(Fpit, C, Ce);
    cn_tensor_eigen(Ce, lambda, V);
    for (int k = 0; k < 3; k++) {
        if (!(lambda[k] > 0.0)) {
            return false;
        }
        half[k] = 0.5 * log(lambda[k]);
    }
    spectral(half, V, log_strain);
    cn_tensor_voigt(log_strain, 2.0, trial);
    for (int k = 0; k < 6; k++) {
        trial[k] += old[k]; // the law takes its old plastic strain off again
    }
    if (!m->type->respond(m, trial, old, new_, out)) {
        return false;
    }
    move_plastic(Fpi, old, new_, new_ + at);
    pull_back(lambda, V, Fpi, out);
    return true;
}
