// analyse/strain.c -- how a selection has deformed since a reference, and what of its motion is not
// affine (14.17).
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

typedef struct mean {
    double mass;  // [kg]
    cn_vec3 X, u; // of the mass centre in the reference, and its way since [m]
} mean;

static cn_vec3 vector_of(const double *x, int dim)
{
    return cn_v3(x[0], x[1], dim == 3 ? x[2] : 0.0);
}

static cn_vec3 start_of(const cn_sample *s, int i)
{
    return vector_of(s->start + s->dim * i, s->dim);
}

static cn_vec3 way_of(const cn_sample *s, int i)
{
    return vector_of(s->way + s->dim * i, s->dim);
}

// Bodies that were not there in the reference have no way.
static bool counts(const cn_sample *s, int i)
{
    return s->is_in[i] && isfinite(s->way[s->dim * i]);
}

static mean mean_of(const cn_sample *s)
{
    mean m = {0};
    for (int i = 0; i < s->body_count; i++) {
        if (counts(s, i)) {
            m.mass += s->mass[i];
            m.X = cn_add_mul3(m.X, s->mass[i], start_of(s, i));
            m.u = cn_add_mul3(m.u, s->mass[i], way_of(s, i));
        }
    }
    m.X = cn_mul3(1.0 / m.mass, m.X);
    m.u = cn_mul3(1.0 / m.mass, m.u);
    return m;
}

static void fit(const cn_sample *s, const mean *m, double H[3][3])
{
    double B[3][3] = {{0.0}}, A[3][3] = {{0.0}};
    for (int i = 0; i < s->body_count; i++) {
        if (counts(s, i)) {
            cn_vec3 X = cn_sub3(start_of(s, i), m->X);
            cn_add_dyad(s->mass[i], cn_sub3(way_of(s, i), m->u), X, B);
            cn_add_dyad(s->mass[i], X, X, A);
        }
    }
    double size = cn_contract(A, A) > 0.0 ? sqrt(cn_contract(A, A)) : 1.0;
    A[2][2] = s->dim == 2 ? size : A[2][2];
    cn_quotient(B, A, H);
}

// Root of the mean square of what the fit leaves [m].
static double left_over(const cn_sample *s, const mean *m, const double H[3][3])
{
    double sum = 0.0;
    for (int i = 0; i < s->body_count; i++) {
        if (counts(s, i)) {
            cn_vec3 X = cn_sub3(start_of(s, i), m->X), u = cn_sub3(way_of(s, i), m->u);
            u = cn_sub3(u, cn_v3(cn_dot3(cn_v3(H[0][0], H[0][1], H[0][2]), X),
                                 cn_dot3(cn_v3(H[1][0], H[1][1], H[1][2]), X),
                                 cn_dot3(cn_v3(H[2][0], H[2][1], H[2][2]), X)));
            sum += s->mass[i] * cn_dot3(u, u);
        }
    }
    return sqrt(sum / m->mass);
}

// det(1 + H) - 1.
static double growth_of(const double H[3][3])
{
    cn_vec3 a = cn_v3(1.0 + H[0][0], H[0][1], H[0][2]), b = cn_v3(H[1][0], 1.0 + H[1][1], H[1][2]);
    return cn_dot3(cn_cross3(a, b), cn_v3(H[2][0], H[2][1], 1.0 + H[2][2])) - 1.0;
}

static void find(const cn_sample *s, double *out)
{
    double H[3][3] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}, D[3][3], rest = NAN;
    if (s->way != NULL && s->mass != NULL) {
        mean m = mean_of(s);
        fit(s, &m, H);
        rest = left_over(s, &m, H);
    }
    for (int k = 0; k < s->dim * s->dim; k++) {
        *out++ = H[k / s->dim][k % s->dim];
    }
    cn_deviator_of(H, s->dim, D);
    memcpy(out, (double[3]){growth_of(H), sqrt(2.0 * cn_contract(D, D)), rest}, 3 * sizeof *out);
}

const cn_analysis cn_analysis_strain = {
    .name = "strain",
    .help =
        "gradient of displacements since the stage began, of a result since frame --from, that "
        "fits the ways of the bodies best; change of volume over volume; shear strain; root mean "
        "square of what is not affine [m]",
    .takes_way = true,
    .plane = "xx xy yx yy volume shear non_affine",
    .space = "xx xy xz yx yy yz zx zy zz volume shear non_affine",
    .find = find};
