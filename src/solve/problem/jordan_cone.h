// solve/problem/jordan_cone.h -- algebra of the cone |x_t| <= x_n with its Nesterov-Todd scaling,
// theory 13.14.
//
// Rows 1 to 3, normal first; with one row the cone is the half-line. J = diag(1, -1, -1).
#pragma once

#include <math.h>
#include <stdbool.h>

static inline double cn_soc_dot(int rows, const double *x, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < rows; k++) {
        sum += x[k] * y[k];
    }
    return sum;
}

// x . J y
static inline double cn_soc_hyperbolic(int rows, const double *x, const double *y)
{
    double sum = x[0] * y[0];
    for (int k = 1; k < rows; k++) {
        sum -= x[k] * y[k];
    }
    return sum;
}

// det x = x_n^2 - |x_t|^2, positive inside.
static inline double cn_soc_det(int rows, const double *x)
{
    double t = 0.0;
    for (int k = 1; k < rows; k++) {
        t += x[k] * x[k];
    }
    t = sqrt(t);
    return (x[0] - t) * (x[0] + t);
}

// The map T with T z = T^-1 q: y with det y = 1, and eta.
typedef struct cn_scaling {
    double y[3], eta;
} cn_scaling;

static inline cn_scaling cn_soc_scale(int rows, const double *q, const double *z)
{
    double root_q = sqrt(cn_soc_det(rows, q)), root_z = sqrt(cn_soc_det(rows, z));
    double half = sqrt(0.5 * (1.0 + cn_soc_dot(rows, q, z) / (root_q * root_z)));
    cn_scaling s = {.eta = sqrt(root_q / root_z)};
    for (int k = 0; k < rows; k++) {
        double sign = k == 0 ? 1.0 : -1.0;
        s.y[k] = (q[k] / root_q + sign * z[k] / root_z) / (2.0 * half);
    }
    return s;
}

// y = T x, or T^-1 x when is_inverse.
static inline void cn_soc_map(int rows, const cn_scaling *s, bool is_inverse, const double *x,
                              double *y)
{
    double sign = is_inverse ? -1.0 : 1.0, factor = is_inverse ? 1.0 / s->eta : s->eta;
    double along = 0.0;
    for (int k = 1; k < rows; k++) {
        along += sign * s->y[k] * x[k];
    }
    double x_n = x[0], share = x_n + along / (1.0 + s->y[0]);
    y[0] = factor * (s->y[0] * x_n + along);
    for (int k = 1; k < rows; k++) {
        y[k] = factor * (x[k] + sign * s->y[k] * share);
    }
}

// T^2 = eta^2 (2 y y^T - J), or T^-2 = (2 Jy (Jy)^T - J) / eta^2 when is_inverse; rows x rows.
static inline void cn_soc_square(int rows, const cn_scaling *s, bool is_inverse, double *block)
{
    double factor = is_inverse ? 1.0 / (s->eta * s->eta) : s->eta * s->eta;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double sign = is_inverse && (i == 0) != (j == 0) ? -1.0 : 1.0;
            double diagonal = i != j ? 0.0 : (i == 0 ? 1.0 : -1.0);
            block[rows * i + j] = factor * (2.0 * sign * s->y[i] * s->y[j] - diagonal);
        }
    }
}

// x o y = (x . y, x_n y_t + y_n x_t).
static inline void cn_soc_product(int rows, const double *x, const double *y, double *xy)
{
    xy[0] = cn_soc_dot(rows, x, y);
    for (int k = 1; k < rows; k++) {
        xy[k] = x[0] * y[k] + y[0] * x[k];
    }
}

// The x with l o x = d.
static inline void cn_soc_divide(int rows, const double *l, const double *d, double *x)
{
    x[0] = cn_soc_hyperbolic(rows, l, d) / cn_soc_det(rows, l);
    for (int k = 1; k < rows; k++) {
        x[k] = (d[k] - x[0] * l[k]) / l[0];
    }
}

// Largest a with x + a d in the cone, for x inside.
static inline double cn_soc_step(int rows, const double *x, const double *d)
{
    double A = cn_soc_hyperbolic(rows, d, d), B = cn_soc_hyperbolic(rows, x, d);
    double C = cn_soc_det(rows, x), disc = B * B - A * C, a = INFINITY;
    if (disc >= 0.0) {
        double sum = -(B + (B >= 0.0 ? sqrt(disc) : -sqrt(disc)));
        double first = A != 0.0 ? sum / A : INFINITY, second = sum != 0.0 ? C / sum : INFINITY;
        a = first > 0.0 ? first : a;
        a = second > 0.0 && second < a ? second : a;
    }
    return d[0] < 0.0 ? fmin(a, -x[0] / d[0]) : a;
}
