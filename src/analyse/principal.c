// analyse/principal.c -- principal stresses, their directions and the friction that they mobilise
// (14.1); of the symmetric part, pressure positive, the largest first.
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

static void find_plane(const double M[3][3], double V, double *out)
{
    double p = 0.5 * (M[0][0] + M[1][1]);
    double half = 0.5 * (M[0][0] - M[1][1]), shear = 0.5 * (M[0][1] + M[1][0]);
    double q = hypot(half, shear);
    memcpy(out,
           (double[4]){(p + q) / V, (p - q) / V, q / p, q > 0.0 ? 0.5 * atan2(shear, half) : NAN},
           4 * sizeof *out);
}

static double determinant(const double A[3][3])
{
    return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
           A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
           A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

// Unit vector of the eigenvalue `value` of a symmetric A: across the rows of A - value. NaN where a
// whole plane has that eigenvalue.
static cn_vec3 direction(const double A[3][3], double value, double size)
{
    cn_vec3 row[3], best = cn_v3(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) {
        row[k] = cn_v3(A[k][0] - (k == 0 ? value : 0.0), A[k][1] - (k == 1 ? value : 0.0),
                       A[k][2] - (k == 2 ? value : 0.0));
    }
    for (int k = 0; k < 3; k++) {
        cn_vec3 across = cn_cross3(row[k], row[(k + 1) % 3]);
        best = cn_norm3(across) > cn_norm3(best) ? across : best;
    }
    double length = cn_norm3(best);
    return cn_mul3(length > 1e-9 * size * size ? 1.0 / length : NAN, best);
}

// By the angle of Lode: 0 where two smaller ones are equal (triaxial compression), 60 degrees where
// two larger ones are (extension).
static void find_space(const double M[3][3], double V, double *out)
{
    double D[3][3], p = (M[0][0] + M[1][1] + M[2][2]) / 3.0, value[3];
    cn_deviator_of(M, 3, D);
    double size = sqrt(0.5 * cn_contract(D, D));
    double cosine = 1.5 * sqrt(3.0) * determinant(D) / (size * size * size);
    double lode = size > 0.0 ? acos(fmax(-1.0, fmin(1.0, cosine))) / 3.0 : NAN;
    for (int k = 0; k < 3; k++) {
        double turn = size > 0.0 ? cos(lode - 2.0 * CN_PI * k / 3.0) : 0.0;
        value[k] = 2.0 / sqrt(3.0) * size * turn;
    }
    cn_vec3 e = direction(D, value[0], size);
    double least = value[2], middle = value[1]; // cos(lode + 2 pi / 3) is that of k = 2
    memcpy(out,
           (double[8]){(p + value[0]) / V, (p + middle) / V, (p + least) / V,
                       (value[0] - least) / (2.0 * p + value[0] + least), lode, e.x, e.y, e.z},
           8 * sizeof *out);
}

static void find(const cn_sample *s, double *out)
{
    double M[3][3], V = cn_sample_volume(s, s->param[0]);
    cn_sample_moment(s, M);
    if (s->dim == 2) {
        find_plane(M, V, out);
    } else {
        find_space(M, V, out);
    }
}

const cn_analysis cn_analysis_principal = {
    .name = "principal",
    .help =
        "principal stresses [Pa], the largest first, pressure positive; the sine of the friction "
        "angle that they mobilise, (s1 - s3)/(s1 + s3), in the plane s2 for s3; the angle of "
        "the axis of s1 [rad], in space the angle of Lode and that axis",
    .param_count = 1,
    .param = &cn_param_volume,
    .plane = "s1 s2 sin_phi angle",
    .space = "s1 s2 s3 sin_phi lode x y z",
    .find = find};
