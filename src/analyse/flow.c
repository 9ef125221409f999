// analyse/flow.c -- how fast a selection deforms, its inertial number and its friction
// (14.11, 14.12).
//
// The velocity gradient is the one that fits the velocities of the bodies best, weighted by their
// masses. Along the axes of a periodic cell it is that of the cell, to which velocities are
// relative. What is left over is the fluctuation.
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

typedef double tensor[3][3];

typedef struct mean {
    int bodies;
    double mass, content; // of all [kg], [m3]
    double diameters;     // of spheres of their volumes, summed [m]
    cn_vec3 x, v;         // of the mass centre
} mean;

static bool is_periodic(const cn_sample *s, int axis)
{
    return s->cell_state != NULL && s->cell_state->is_periodic[axis];
}

// Place relative to the mass centre, along the axes that do not repeat.
static cn_vec3 place_of(const cn_sample *s, const mean *m, int i)
{
    cn_vec3 x = cn_sub3(cn_sample_centre(s, i), m->x);
    return cn_v3(is_periodic(s, 0) ? 0.0 : x.x, is_periodic(s, 1) ? 0.0 : x.y,
                 is_periodic(s, 2) ? 0.0 : x.z);
}

static cn_vec3 velocity_of(const cn_sample *s, int i)
{
    const double *v = s->v + s->v_size * i;
    return cn_v3(v[0], v[1], s->dim == 3 ? v[2] : 0.0);
}

static mean mean_of(const cn_sample *s)
{
    mean m = {0};
    for (int i = 0; i < s->body_count; i++) {
        if (s->is_in[i]) {
            m.bodies++;
            m.mass += s->mass[i];
            m.content += s->content[i];
            m.diameters += cbrt(6.0 * s->content[i] / CN_PI);
            m.x = cn_add_mul3(m.x, s->mass[i], cn_sample_centre(s, i));
            m.v = cn_add_mul3(m.v, s->mass[i], velocity_of(s, i));
        }
    }
    m.x = cn_mul3(1.0 / m.mass, m.x);
    m.v = cn_mul3(1.0 / m.mass, m.v);
    return m;
}

static void fit(const cn_sample *s, const mean *m, tensor L)
{
    tensor B = {{0.0}}, X = {{0.0}};
    for (int i = 0; i < s->body_count; i++) {
        if (s->is_in[i]) {
            cn_vec3 x = place_of(s, m, i);
            cn_add_dyad(s->mass[i], cn_sub3(velocity_of(s, i), m->v), x, B);
            cn_add_dyad(s->mass[i], x, x, X);
        }
    }
    double size = cn_contract(X, X) > 0.0 ? sqrt(cn_contract(X, X)) : 1.0;
    for (int k = 0; k < 3; k++) {
        bool is_left_out = is_periodic(s, k) || k == s->dim;
        X[k][k] = is_left_out ? size : X[k][k];
    }
    cn_quotient(B, X, L);
}

// Mean square of what the fit leaves, in each direction [m2/s2].
static double temperature(const cn_sample *s, const mean *m, const tensor L)
{
    double sum = 0.0;
    for (int i = 0; i < s->body_count; i++) {
        if (s->is_in[i]) {
            cn_vec3 x = place_of(s, m, i);
            cn_vec3 v = cn_sub3(velocity_of(s, i), m->v);
            v = cn_sub3(v, cn_v3(cn_dot3(cn_v3(L[0][0], L[0][1], L[0][2]), x),
                                 cn_dot3(cn_v3(L[1][0], L[1][1], L[1][2]), x),
                                 cn_dot3(cn_v3(L[2][0], L[2][1], L[2][2]), x)));
            sum += s->mass[i] * cn_dot3(v, v);
        }
    }
    return sum / (s->dim * m->mass);
}

static void find(const cn_sample *s, double *out)
{
    tensor L = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}, M = {{0.0}}, D;
    int dim = s->dim;
    mean m = {0};
    double T = NAN;
    if (s->mass != NULL && s->content != NULL) {
        m = mean_of(s);
        fit(s, &m, L);
        T = temperature(s, &m, L);
    }
    for (int k = 0; k < 9 && s->cell != NULL; k++) {
        L[k / 3][k % 3] += s->cell_state != NULL ? s->cell_state->gradient[k] : NAN;
    }
    cn_deviator_of(L, dim, D);
    double rate = sqrt(2.0 * cn_contract(D, D));
    cn_sample_moment(s, M);
    cn_deviator_of(M, dim, D);
    double trace = M[0][0] + M[1][1] + (dim == 3 ? M[2][2] : 0.0);
    double p = trace / (dim * cn_sample_volume(s, s->param[0]));
    double time = dim == 2 ? sqrt(m.mass / m.bodies / p)
                           : m.diameters / m.bodies * sqrt(m.mass / m.content / p);
    for (int k = 0; k < dim * dim; k++) {
        *out++ = L[k / dim][k % dim];
    }
    double mu = sqrt(0.5 * cn_contract(D, D)) / (trace / dim);
    memcpy(out, (double[4]){rate, p > 0.0 ? rate * time : NAN, mu, T}, 4 * sizeof *out);
}

const cn_analysis cn_analysis_flow = {
    .name = "flow",
    .help =
        "velocity gradient that fits the bodies best [1/s], of a periodic cell too; shear rate; "
        "inertial number; friction, shear stress over p; granular temperature [m2/s2]",
    .param_count = 1,
    .param = &cn_param_volume,
    .takes_content = true,
    .plane = "xx xy yx yy rate I mu temperature",
    .space = "xx xy xz yx yy yz zx zy zz rate I mu temperature",
    .find = find};
