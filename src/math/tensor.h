// math/tensor.h -- matrices of 3 x 3 by rows, and symmetric tensors in six components
// (xx yy zz xy yz zx).
#pragma once

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Row and column of each component.
static const int cn_voigt_row[6] = {0, 1, 2, 0, 1, 2};
static const int cn_voigt_col[6] = {0, 1, 2, 1, 2, 0};

// Full matrix of six components; shear is 1 for stresses, 1/2 for strains with doubled shears.
static inline void cn_tensor_full(const double v[6], double shear, double A[9])
{
    A[0] = v[0];
    A[4] = v[1];
    A[8] = v[2];
    A[1] = A[3] = shear * v[3];
    A[5] = A[7] = shear * v[4];
    A[2] = A[6] = shear * v[5];
}

// The other way; shear is 1 for stresses, 2 for strains.
static inline void cn_tensor_voigt(const double A[9], double shear, double v[6])
{
    v[0] = A[0];
    v[1] = A[4];
    v[2] = A[8];
    v[3] = 0.5 * shear * (A[1] + A[3]);
    v[4] = 0.5 * shear * (A[5] + A[7]);
    v[5] = 0.5 * shear * (A[2] + A[6]);
}

static inline void cn_tensor_identity(double A[9])
{
    memset(A, 0, 9 * sizeof *A);
    A[0] = A[4] = A[8] = 1.0;
}

static inline double cn_tensor_det(const double A[9])
{
    return A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
           A[2] * (A[3] * A[7] - A[4] * A[6]);
}

// Returns the determinant; the inverse is not finite if that is zero.
static inline double cn_tensor_inverse(const double A[9], double inverse[9])
{
    double det = cn_tensor_det(A);
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            inverse[3 * j + i] =
                (A[3 * i1 + j1] * A[3 * i2 + j2] - A[3 * i1 + j2] * A[3 * i2 + j1]) / det;
        }
    }
    return det;
}

// C = A B
static inline void cn_tensor_mul(const double A[9], const double B[9], double C[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
        }
    }
}

static inline void cn_tensor_transpose(const double A[9], double T[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            T[3 * j + i] = A[3 * i + j];
        }
    }
}

// C = Q A Q^T
static inline void cn_tensor_turn(const double Q[9], const double A[9], double C[9])
{
    double QA[9], Qt[9];
    cn_tensor_mul(Q, A, QA);
    cn_tensor_transpose(Q, Qt);
    cn_tensor_mul(QA, Qt, C);
}

static inline void cn_tensor_apply(const double A[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = A[3 * i] * v[0] + A[3 * i + 1] * v[1] + A[3 * i + 2] * v[2];
    }
}

// out = a x b
static inline void cn_tensor_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Eigenvalues of a symmetric matrix and its eigenvectors as columns of V, by Jacobi's rotations,
// always in the same order. The values are not sorted.
static inline void cn_tensor_eigen(const double A[9], double value[3], double V[9])
{
    double S[9];
    memcpy(S, A, sizeof S);
    cn_tensor_identity(V);
    for (int sweep = 0; sweep < 30; sweep++) {
        double off = S[1] * S[1] + S[2] * S[2] + S[5] * S[5];
        double all = off + S[0] * S[0] + S[4] * S[4] + S[8] * S[8];
        if (!(off > 1e-34 * all)) {
            break;
        }
        for (int p = 0; p < 2; p++) {
            for (int q = p + 1; q < 3; q++) {
                if (S[3 * p + q] == 0.0) {
                    continue;
                }
                double ratio = 0.5 * (S[3 * q + q] - S[3 * p + p]) / S[3 * p + q];
                double t = (ratio < 0.0 ? -1.0 : 1.0) / (fabs(ratio) + sqrt(ratio * ratio + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < 3; k++) { // columns of S and V
                    double a = S[3 * k + p], b = S[3 * k + q];
                    S[3 * k + p] = c * a - s * b;
                    S[3 * k + q] = s * a + c * b;
                    a = V[3 * k + p], b = V[3 * k + q];
                    V[3 * k + p] = c * a - s * b;
                    V[3 * k + q] = s * a + c * b;
                }
                for (int k = 0; k < 3; k++) { // rows of S
                    double a = S[3 * p + k], b = S[3 * q + k];
                    S[3 * p + k] = c * a - s * b;
                    S[3 * q + k] = s * a + c * b;
                }
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        value[k] = S[4 * k];
    }
}

// Rotation R of F = R U by Newton's iteration R <- (R + R^-T)/2, scaled while far away. False if
// det F is not positive.
static inline bool cn_tensor_polar(const double F[9], double R[9])
{
    memcpy(R, F, 9 * sizeof *R);
    if (!(cn_tensor_det(F) > 0.0)) {
        return false;
    }
    for (int k = 0; k < 60; k++) {
        double inverse[9], change = 0.0;
        double det = cn_tensor_inverse(R, inverse);
        double scale = k < 4 ? 1.0 / cbrt(det) : 1.0;
        for (int i = 0; i < 3; i++) {
            for (int j = i; j < 3; j++) {
                double a = R[3 * i + j], b = R[3 * j + i];
                double new_a = 0.5 * (scale * a + inverse[3 * j + i] / scale);
                double new_b = 0.5 * (scale * b + inverse[3 * i + j] / scale);
                change = fmax(change, fmax(fabs(new_a - a), fabs(new_b - b)));
                R[3 * i + j] = new_a;
                R[3 * j + i] = new_b;
            }
        }
        if (change < 1e-15) {
            return true;
        }
    }
    return isfinite(R[0]);
}

// Strain components of Q^T E Q as T times those of E (shears doubled).
static inline void cn_tensor_strain_map(const double Q[9], double T[36])
{
    for (int p = 0; p < 6; p++) {
        int i = cn_voigt_row[p], j = cn_voigt_col[p];
        for (int q = 0; q < 6; q++) {
            int k = cn_voigt_row[q], l = cn_voigt_col[q];
            double value = Q[3 * k + i] * Q[3 * l + j] + Q[3 * l + i] * Q[3 * k + j];
            T[6 * p + q] = (p < 3 ? 0.5 : 1.0) * value;
        }
    }
}

// T^T D T: a tangent in the strains that T takes.
static inline void cn_tensor_tangent_turn(const double T[36], const double D[36], double out[36])
{
    double DT[36];
    for (int p = 0; p < 6; p++) {
        for (int q = 0; q < 6; q++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) {
                sum += D[6 * p + k] * T[6 * k + q];
            }
            DT[6 * p + q] = sum;
        }
    }
    for (int p = 0; p < 6; p++) {
        for (int q = 0; q < 6; q++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) {
                sum += T[6 * k + p] * DT[6 * k + q];
            }
            out[6 * p + q] = sum;
        }
    }
}
