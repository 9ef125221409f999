// analyse/stress.c -- mean stress of the volume that bodies fill, pressure positive (14.1 to 14.3).
//
// Moreau's internal moments: every contact force times its arm from the mass centre of the body
// that it acts on. Walls are not selected, so their forces count once. Nothing is symmetrized:
// bodies whose spin changes show it as xy that is not yx.
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

void cn_sample_moment(const cn_sample *s, double M[3][3])
{
    memset(M, 0, 9 * sizeof(double));
    for (int a = 0; a < s->contact_count; a++) {
        const cn_contact *c = &s->contact[a];
        cn_vec3 f = cn_sample_force(s, c);
        cn_vec3 at = cn_v3(c->point[0], c->point[1], s->dim == 3 ? c->point[2] : 0.0);
        if (s->is_in[c->i]) {
            cn_add_dyad(-1.0, f, cn_sub3(at, cn_sample_centre(s, c->i)), M);
        }
        if (s->is_in[c->j]) {
            cn_vec3 centre = cn_add3(cn_sample_centre(s, c->j), cn_sample_image(s, c));
            cn_add_dyad(1.0, f, cn_sub3(at, centre), M);
        }
    }
}

// Mass times squares of velocities about the mean one, over the dimension [J].
static double fluctuation(const cn_sample *s)
{
    double mass = 0.0, momentum[3] = {0.0}, square = 0.0;
    for (int i = 0; s->mass != NULL && i < s->body_count; i++) {
        mass += s->is_in[i] ? s->mass[i] : 0.0;
        for (int d = 0; d < s->dim && s->is_in[i]; d++) {
            momentum[d] += s->mass[i] * s->v[s->v_size * i + d];
        }
    }
    for (int i = 0; s->mass != NULL && i < s->body_count; i++) {
        for (int d = 0; d < s->dim && s->is_in[i]; d++) {
            double v = s->v[s->v_size * i + d] - momentum[d] / mass;
            square += s->mass[i] * v * v;
        }
    }
    return s->mass != NULL ? square / s->dim : NAN;
}

const cn_param cn_param_volume = {
    .name = "volume",
    .unit = "m3",
    .help =
        "that they fill, in the plane an area; 0: that of the periodic cell, else of the box along "
        "the axes whose sides other bodies press, and no numbers while one is open",
    .most = INFINITY};

static void find(const cn_sample *s, double *out)
{
    double M[3][3];
    int dim = s->dim;
    double V = cn_sample_volume(s, s->param[0]);
    cn_sample_moment(s, M);
    for (int k = 0; k < dim * dim; k++) {
        *out++ = M[k / dim][k % dim] / V;
    }
    double p = (M[0][0] + M[1][1] + M[2][2]) / (dim * V), q;
    if (dim == 2) {
        q = hypot(0.5 * (M[0][0] - M[1][1]), 0.5 * (M[0][1] + M[1][0])) / V;
    } else {
        const double t[6] = {M[0][0] / V,
                             M[1][1] / V,
                             M[2][2] / V,
                             0.5 * (M[1][2] + M[2][1]) / V,
                             0.5 * (M[2][0] + M[0][2]) / V,
                             0.5 * (M[0][1] + M[1][0]) / V};
        q = cn_deviator(t);
    }
    memcpy(out, (double[4]){p, q, fluctuation(s) / V, V}, 4 * sizeof *out);
}

const cn_analysis cn_analysis_stress = {
    .name = "stress",
    .help = "stress of contacts [Pa], pressure positive; p, q; kinetic pressure; the volume [m3]",
    .param_count = 1,
    .param = &cn_param_volume,
    .plane = "xx xy yx yy p q kinetic volume",
    .space = "xx xy xz yx yy yz zx zy zz p q kinetic volume",
    .find = find};
