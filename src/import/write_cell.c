// import/write_cell.c -- the periods of a model as a cell of the scene.
#include <math.h>

#include "import/importing.h"

// Lengths of the box around the corners of a contactor [m].
static double diagonal(const cn_importing *m, const cn_dat_contactor *c)
{
    double square = 0.0;
    for (int d = 0; d < m->dim; d++) {
        double least = INFINITY, most = -INFINITY;
        for (int k = 0; k < c->vertex.count; k++) {
            double x = m->box.vertex.item[3 * (c->vertex.first + k) + d];
            least = fmin(least, x);
            most = fmax(most, x);
        }
        square += most > least ? (most - least) * (most - least) : 0.0;
    }
    return sqrt(square);
}

// How far a point of a body may be from its centre: more than it is for boxes and bars.
static double reach_of(const cn_importing *m, const cn_dat_contactor *c)
{
    const double *s = c->size, *o = c->shift;
    return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + diagonal(m, c) +
           sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
}

// The cell of a scene without `allow_self` is twice as wide as its largest body.
static bool has_large_bodies(const cn_importing *m, double period)
{
    double most = 0.0;
    for (size_t k = 0; k < m->box.contactor.count; k++) {
        most = fmax(most, reach_of(m, &m->box.contactor.item[k]));
    }
    return 4.0 * most > period;
}

// Along an axis without period the length only counts for the volume: what lies between the bodies.
static double extent_of(const cn_importing *m, int d)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t k = 0; k < m->rigid.count; k++) {
        least = fmin(least, m->rigid.item[k].at[d]);
        most = fmax(most, m->rigid.item[k].at[d]);
    }
    return most - least > 0.0 ? most - least : 1.0;
}

void cn_import_write_cell(cn_importing *m)
{
    const double *period = m->set.period;
    bool is_periodic[3] = {!isnan(period[0]), !isnan(period[1]), false};
    if (!is_periodic[0] && !is_periodic[1]) {
        return;
    }
    double size[3], least = INFINITY;
    for (int d = 0; d < m->dim; d++) {
        size[d] = is_periodic[d] ? period[d] : extent_of(m, d);
        least = is_periodic[d] ? fmin(least, period[d]) : least;
    }
    fputs("cell: {size: ", m->scene);
    cn_import_vector(m->scene, size, m->dim);
    fprintf(m->scene, ", periodic: [%s%s%s]%s}   # of the script\n", is_periodic[0] ? "x" : "",
            is_periodic[0] && is_periodic[1] ? ", " : "", is_periodic[1] ? "y" : "",
            has_large_bodies(m, least) ? ", allow_self: true" : "");
}
