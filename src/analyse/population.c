// analyse/population.c -- how many bodies are there, their mass, and where it is (14.11).
#include <math.h>

#include "analyse/analyse.h"

static void find(const cn_sample *s, double *out)
{
    cn_vec3 x = cn_v3(0.0, 0.0, 0.0), v = x;
    double count = 0.0, mass = 0.0;
    for (int i = 0; i < s->body_count; i++) {
        if (s->is_in[i]) {
            const double *own = s->v + s->v_size * i;
            double m = s->mass != NULL ? s->mass[i] : NAN;
            count += 1.0;
            mass += m;
            x = cn_add_mul3(x, m, cn_sample_centre(s, i));
            v = cn_add_mul3(v, m, cn_v3(own[0], own[1], s->dim == 3 ? own[2] : 0.0));
        }
    }
    const double place[3] = {x.x, x.y, x.z}, speed[3] = {v.x, v.y, v.z};
    *out++ = count;
    *out++ = mass;
    for (int d = 0; d < 2 * s->dim; d++) {
        *out++ = (d < s->dim ? place[d] : speed[d - s->dim]) / mass;
    }
}

const cn_analysis cn_analysis_bodies = {
    .name = "bodies",
    .help = "number of bodies, which may enter and leave, their mass [kg], the mass centre [m] and "
            "its velocity [m/s]",
    .plane = "count mass x y vx vy",
    .space = "count mass x y z vx vy vz",
    .find = find};
