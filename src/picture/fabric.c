// picture/fabric.c -- see fabric.h.
#include "picture/fabric.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"

// Normal force of a contact; 0 if one of its bodies is left out.
static double normal_force(const cn_frame *f, int a, const bool *is_left_out)
{
    const cn_contact *c = &f->contact[a];
    bool counts = f->h > 0.0 && (is_left_out == NULL || !(is_left_out[c->i] || is_left_out[c->j]));
    return counts ? c->r[0] / f->h : 0.0;
}

cn_status cn_forces_take(cn_numbers *forces, const cn_frame *f, const bool *is_left_out,
                         cn_error *err)
{
    size_t first = forces->count;
    double sum = 0.0;
    CN_TRY(
        cn_reserve(NULL, &forces->value, &forces->capacity, first + (size_t)f->contact_count, err));
    for (int a = 0; a < f->contact_count; a++) {
        double force = normal_force(f, a, is_left_out);
        if (force > 0.0) {
            forces->value[forces->count++] = force;
            sum += force;
        }
    }
    double mean = sum / (double)(forces->count - first);
    for (size_t k = first; k < forces->count; k++) {
        forces->value[k] /= mean;
    }
    return CN_OK;
}

// Beyond the mean the excess over it has the mean 1/b.
static double tail_rate(const cn_numbers *forces)
{
    double excess = 0.0;
    size_t count = 0;
    for (size_t k = 0; k < forces->count; k++) {
        if (forces->value[k] > 1.0) {
            excess += forces->value[k] - 1.0;
            count++;
        }
    }
    return excess > 0.0 ? (double)count / excess : NAN;
}

double cn_forces_spread(const cn_numbers *forces, int bins, double *x, double *density)
{
    double high = 0.0;
    for (size_t k = 0; k < forces->count; k++) {
        high = fmax(high, forces->value[k]);
    }
    double width = high > 0.0 ? high / bins : 1.0;
    for (int b = 0; b < bins; b++) {
        x[b] = (b + 0.5) * width;
        density[b] = 0.0;
    }
    for (size_t k = 0; k < forces->count; k++) {
        int b = (int)(forces->value[k] / width);
        density[b < bins ? b : bins - 1] += 1.0 / ((double)forces->count * width);
    }
    return tail_rate(forces);
}

static cn_status make_zeros(double **array, size_t *room, size_t count, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, array, room, count, err));
    memset(*array, 0, count * sizeof **array);
    return CN_OK;
}

cn_status cn_rose_make(int dim, int rings, int sectors, cn_rose *rose, cn_error *err)
{
    *rose = (cn_rose){.dim = dim, .rings = rings, .sectors = sectors};
    size_t bins = (size_t)rings * (size_t)sectors;
    CN_TRY(make_zeros(&rose->count, &rose->count_room, bins, err));
    return make_zeros(&rose->force, &rose->force_room, bins, err);
}

void cn_rose_free(cn_rose *rose)
{
    CN_RELEASE(rose->count, rose->force);
    *rose = (cn_rose){0};
}

static int sector_of(const cn_rose *rose, double x, double y)
{
    double turn = atan2(y, x) / (2.0 * CN_PI) * rose->sectors;
    return ((int)floor(turn + 0.5) + rose->sectors) % rose->sectors;
}

// Rings of equal area are equal steps of the height of the direction.
static int bin_of(const cn_rose *rose, const double n[3])
{
    int sector = sector_of(rose, n[0], n[1]);
    int ring = rose->dim == 2 ? 0 : (int)((1.0 - n[2]) * rose->rings);
    return sector + rose->sectors * (ring < rose->rings ? ring : rose->rings - 1);
}

static void count_direction(cn_rose *rose, const double n[3], double sign, double force)
{
    const double way[3] = {sign * n[0], sign * n[1], sign * n[2]};
    double share = 0.5;
    if (rose->dim == 3) {
        share = way[2] > 0.0 ? 1.0 : way[2] == 0.0 ? 0.5 : 0.0; // the hemisphere above only
    }
    if (share > 0.0) {
        int bin = bin_of(rose, way);
        rose->count[bin] += share;
        rose->force[bin] += share * force;
    }
}

void cn_rose_take(cn_rose *rose, const cn_frame *f, const bool *is_left_out)
{
    for (int a = 0; a < f->contact_count; a++) {
        double force = normal_force(f, a, is_left_out);
        if (force > 0.0) {
            count_direction(rose, f->contact[a].normal, 1.0, force);
            count_direction(rose, f->contact[a].normal, -1.0, force);
            rose->total += 1.0;
            rose->force_total += force;
        }
    }
}

double cn_rose_density(const cn_rose *rose, int bin, bool is_force)
{
    double total = is_force ? rose->force_total : rose->total;
    double value = is_force ? rose->force[bin] : rose->count[bin];
    return total > 0.0 ? value / total * rose->rings * rose->sectors : 0.0;
}

cn_status cn_profile_make(int dim, int axis, int bins, double low, double high, cn_profile *p,
                          cn_error *err)
{
    *p = (cn_profile){.dim = dim, .axis = axis, .bins = bins, .low = low, .high = high};
    CN_TRY(make_zeros(&p->mass, &p->mass_room, (size_t)bins, err));
    return make_zeros(&p->speed, &p->speed_room, (size_t)(dim * bins), err);
}

void cn_profile_free(cn_profile *p)
{
    CN_RELEASE(p->mass, p->speed);
    *p = (cn_profile){0};
}

double cn_profile_place(const cn_frame *f, int axis, int i)
{
    const double *q = f->q + f->q_size * i;
    return axis == CN_PLOT_RADIUS ? hypot(q[0], q[1]) : q[axis];
}

// Component k of the velocity of body i; about the z axis along the radius, across it, along z.
static double speed_of(const cn_profile *p, const cn_frame *f, int i, int k)
{
    const double *q = f->q + f->q_size * i, *v = f->v + f->v_size * i;
    double radius = hypot(q[0], q[1]);
    if (p->axis != CN_PLOT_RADIUS || k == 2 || !(radius > 0.0)) {
        return v[k];
    }
    return (k == 0 ? q[0] * v[0] + q[1] * v[1] : q[0] * v[1] - q[1] * v[0]) / radius;
}

void cn_profile_take(cn_profile *p, const cn_frame *f, const double *mass)
{
    for (int i = 0; i < f->body_count; i++) {
        double at = cn_profile_place(f, p->axis, i);
        double place = (at - p->low) / (p->high - p->low) * p->bins;
        if (!(mass[i] > 0.0) || !(place >= 0.0) || !(place <= p->bins)) {
            continue;
        }
        int bin = place < p->bins ? (int)place : p->bins - 1;
        p->mass[bin] += mass[i];
        for (int k = 0; k < p->dim; k++) {
            p->speed[p->dim * bin + k] += mass[i] * speed_of(p, f, i, k);
        }
    }
}

double cn_profile_at(const cn_profile *p, int bin)
{
    return p->low + (bin + 0.5) * (p->high - p->low) / p->bins;
}

double cn_profile_mean(const cn_profile *p, int bin, int component)
{
    return p->mass[bin] > 0.0 ? p->speed[p->dim * bin + component] / p->mass[bin] : NAN;
}

double cn_reaction_of(const cn_frame *f, const bool *of, int axis)
{
    double sum = 0.0;
    for (int a = 0; a < f->contact_count; a++) {
        const cn_contact *c = &f->contact[a];
        double impulse[3];
        cn_contact_impulse(c, f->dim, impulse);
        sum += of[c->i] && !of[c->j] ? impulse[axis] : of[c->j] && !of[c->i] ? -impulse[axis] : 0.0;
    }
    for (int k = 0; k < f->joint_count; k++) {
        const cn_joint_state *s = &f->joint[k];
        bool is_i = of[s->i], is_j = s->j >= 0 && of[s->j];
        sum += is_i && !is_j ? s->impulse[axis] : is_j && !is_i ? -s->impulse[axis] : 0.0;
    }
    return f->h > 0.0 ? sum / f->h : 0.0;
}
