// analyse/contact_fabric.c -- directions of contacts that press, between selected bodies (14.4).
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

// F = <n (x) n>: xx yy zz yz zx xy; returns over how many contacts.
static int mean_directions(const cn_sample *s, double F[6])
{
    static const int row[6] = {0, 1, 2, 1, 2, 0}, column[6] = {0, 1, 2, 2, 0, 1};
    int count = 0;
    memset(F, 0, 6 * sizeof *F);
    for (int a = 0; a < s->contact_count; a++) {
        const cn_contact *c = &s->contact[a];
        if (s->is_in[c->i] && s->is_in[c->j] && cn_is_pressed(c)) {
            for (int k = 0; k < 6; k++) {
                F[k] += c->normal[row[k]] * c->normal[column[k]];
            }
            count++;
        }
    }
    for (int k = 0; k < 6; k++) {
        F[k] = count > 0 ? F[k] / count : NAN;
    }
    return count;
}

static void find(const cn_sample *s, double *out)
{
    double F[6];
    int count = mean_directions(s, F);
    if (s->dim == 2) {
        double half = 0.5 * (F[0] - F[1]);
        double a = 4.0 * hypot(half, F[5]), angle = 0.5 * atan2(F[5], half);
        memcpy(out, (double[6]){F[0], F[5], F[1], a, angle, count}, 6 * sizeof *out);
    } else {
        memcpy(out, F, sizeof F);
        out[6] = 7.5 * cn_deviator(F);
        out[7] = count;
    }
}

const cn_analysis cn_analysis_fabric = {
    .name = "fabric",
    .help = "mean of n (x) n over contacts that press; its anisotropy a, in the plane the angle of "
            "most contacts [rad]; how many there are",
    .plane = "xx xy yy a angle contacts",
    .space = "xx yy zz yz zx xy a contacts",
    .find = find};
