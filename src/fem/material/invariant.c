// fem/material/invariant.c -- stress and tangent of an isotropic energy W(I1, I2, I3) of C: with
// A_k = dI_k/dC, S = 2 sum W_k A_k, and D from the second derivatives (theory 10.18 and after).
#include <string.h>

#include "fem/material/material.h"
#include "math/tensor.h"

// A1 = I, A2 = I1 I - C, A3 = I3 C^-1 in six components; also C^-1. False if I3 <= 0.
static bool differentiate(const double strain[6], double I[3], double A[3][6], double inverse[9])
{
    double C[9], Cv[6], iv[6], square = 0.0;
    cn_tensor_full(strain, 0.5, C);
    for (int k = 0; k < 9; k++) {
        C[k] = 2.0 * C[k] + (k % 4 == 0 ? 1.0 : 0.0);
        square += C[k] * C[k];
    }
    I[0] = C[0] + C[4] + C[8];
    I[1] = 0.5 * (I[0] * I[0] - square);
    I[2] = cn_tensor_inverse(C, inverse);
    cn_tensor_voigt(C, 1.0, Cv);
    cn_tensor_voigt(inverse, 1.0, iv);
    for (int k = 0; k < 6; k++) {
        A[0][k] = k < 3 ? 1.0 : 0.0;
        A[1][k] = I[0] * A[0][k] - Cv[k];
        A[2][k] = I[2] * iv[k];
    }
    return I[2] > 0.0 && I[1] > 0.0 && I[0] > 0.0;
}

bool cn_material_respond_invariant(const cn_material *m, const double strain[6],
                                   void (*energy)(const cn_material *m, const double I[3],
                                                  cn_invariant_energy *e),
                                   cn_response *out)
{
    double I[3], A[3][6], inverse[9];
    if (!differentiate(strain, I, A, inverse)) {
        return false;
    }
    cn_invariant_energy e = {0};
    energy(m, I, &e);
    out->stored = e.W;
    out->plastic = 0.0;
    const double dd[3][3] = {
        {e.dd[0], e.dd[3], e.dd[5]}, {e.dd[3], e.dd[1], e.dd[4]}, {e.dd[5], e.dd[4], e.dd[2]}};
    for (int p = 0; p < 6; p++) {
        int i = cn_voigt_row[p], j = cn_voigt_col[p];
        out->stress[p] = 2.0 * (e.d[0] * A[0][p] + e.d[1] * A[1][p] + e.d[2] * A[2][p]);
        for (int q = 0; q < 6; q++) {
            int k = cn_voigt_row[q], l = cn_voigt_col[q];
            double sum = 0.0;
            for (int a = 0; a < 3; a++) {
                for (int b = 0; b < 3; b++) {
                    sum += dd[a][b] * A[a][p] * A[b][q];
                }
            }
            double unit = p != q ? 0.0 : p < 3 ? 1.0 : 0.5;
            double mixed =
                inverse[3 * i + k] * inverse[3 * j + l] + inverse[3 * i + l] * inverse[3 * j + k];
            sum += e.d[1] * (A[0][p] * A[0][q] - unit);
            sum += e.d[2] * I[2] * (inverse[3 * i + j] * inverse[3 * k + l] - 0.5 * mixed);
            out->tangent[6 * p + q] = 4.0 * sum;
        }
    }
    return true;
}
