// analyse/stress.c -- mean stress of the volume that bodies fill, pressure positive (14.1 to 14.3).
//
// Moreau's internal moments: every contact force times its arm from the mass centre of the body
// that it acts on. Walls are not selected, so their forces count once. Nothing is symmetrized:
// bodies whose spin changes show it as xy that is not yx.
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

typedef double tensor[3][3];

// M -= f (x) arm.
static void subtract_moment(cn_vec3 f, cn_vec3 arm, tensor M)
{
    const double force[3] = {f.x, f.y, f.z}, lever[3] = {arm.x, arm.y, arm.z};
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            M[a][b] -= force[a] * lever[b];
        }
    }
}

// From body j to its image that the contact is with.
static cn_vec3 image_of(const cn_sample *s, const cn_contact *c)
{
    cn_vec3 image = cn_v3(0.0, 0.0, 0.0);
    for (int k = 0; k < 3 && s->cell != NULL; k++) {
        const double *C = s->cell;
        image = cn_add_mul3(image, c->shift[k], cn_v3(C[k], C[3 + k], C[6 + k]));
    }
    return image;
}

static void add_contacts(const cn_sample *s, tensor M)
{
    for (int a = 0; a < s->contact_count; a++) {
        const cn_contact *c = &s->contact[a];
        double r[3];
        cn_contact_impulse(c, s->dim, r);
        cn_vec3 f = cn_mul3(1.0 / s->h, cn_v3(r[0], r[1], r[2]));
        cn_vec3 at = cn_v3(c->point[0], c->point[1], s->dim == 3 ? c->point[2] : 0.0);
        if (s->is_in[c->i]) {
            subtract_moment(f, cn_sub3(at, cn_sample_centre(s, c->i)), M);
        }
        if (s->is_in[c->j]) {
            cn_vec3 centre = cn_add3(cn_sample_centre(s, c->j), image_of(s, c));
            subtract_moment(cn_mul3(-1.0, f), cn_sub3(at, centre), M);
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

static void find(const cn_sample *s, double *out)
{
    tensor M = {{0.0}};
    int dim = s->dim;
    double V = cn_sample_volume(s);
    add_contacts(s, M);
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
    .plane = "xx xy yx yy p q kinetic volume",
    .space = "xx xy xz yx yy yz zx zy zz p q kinetic volume",
    .find = find};
