// picture/chart/layers.c -- see layers.h.
#include "picture/chart/layers.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/picture.h"
#include "cairn/vec.h"

double cn_ball_below(int dim, double radius, double height)
{
    double t = fmin(1.0, fmax(-1.0, height / radius));
    if (dim == 2) {
        return radius * radius * (0.5 * CN_PI + asin(t) + t * sqrt(1.0 - t * t));
    }
    return CN_PI * radius * radius * radius * (2.0 / 3.0 + t - t * t * t / 3.0);
}

// The part of a disk beyond a chord at a height from its centre.
static double cap(double radius, double height)
{
    return CN_PI * radius * radius - cn_ball_below(2, radius, height);
}

double cn_disk_within(double radius, double distance, double within)
{
    if (within + radius <= distance) {
        return 0.0;
    }
    if (distance + fmin(radius, within) <= fmax(radius, within)) { // one is inside the other
        double small = fmin(radius, within);
        return CN_PI * small * small;
    }
    double chord = (distance * distance + within * within - radius * radius) / (2.0 * distance);
    return cap(within, chord) + cap(radius, distance - chord);
}

cn_status cn_layers_make(int dim, int axis, int bins, double low, double high, cn_layers *l,
                         cn_error *err)
{
    *l = (cn_layers){.dim = dim, .axis = axis, .bins = bins, .low = low, .high = high};
    CN_TRY(cn_reserve(NULL, &l->solid, &l->room, (size_t)bins, err));
    memset(l->solid, 0, sizeof *l->solid * (size_t)bins);
    return CN_OK;
}

void cn_layers_free(cn_layers *l)
{
    cn_release(NULL, l->solid);
    *l = (cn_layers){0};
}

static double radius_of(int dim, double content)
{
    return dim == 2 ? sqrt(content / CN_PI) : cbrt(0.75 * content / CN_PI);
}

// Content of a layer over its thickness: across the axis the cell, or what all bodies span.
static double across(const cn_layers *l, const cn_frame *f, const double *content)
{
    double size = 1.0;
    for (int d = 0; d < l->dim; d++) {
        if (d == l->axis) {
            continue;
        }
        if (f->cell != NULL) {
            size *= f->cell[4 * d];
            continue;
        }
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < f->body_count; i++) {
            if (content[i] > 0.0) {
                double x = f->q[f->q_size * i + d], r = radius_of(l->dim, content[i]);
                low = fmin(low, x - r);
                high = fmax(high, x + r);
            }
        }
        size *= high - low;
    }
    return size;
}

// Adds what one ball at a place fills of every layer or ring.
static void add_ball(cn_layers *l, double radius, double place, double low, double step,
                     double size)
{
    bool is_round = l->axis == CN_PLOT_RADIUS;
    int first = (int)fmax(0.0, floor((place - radius - low) / step));
    int last = (int)fmin(l->bins - 1.0, floor((place + radius - low) / step));
    for (int b = first; b <= last; b++) {
        double from = low + b * step, to = from + step;
        if (is_round) {
            double ring = CN_PI * (to * to - from * from);
            l->solid[b] +=
                (cn_disk_within(radius, place, to) - cn_disk_within(radius, place, from)) / ring;
        } else {
            double part = cn_ball_below(l->dim, radius, to - place) -
                          cn_ball_below(l->dim, radius, from - place);
            l->solid[b] += part / (size * step);
        }
    }
}

void cn_layers_take(cn_layers *l, const cn_frame *f, const double *content)
{
    bool is_round = l->axis == CN_PLOT_RADIUS, is_cell = f->cell != NULL && !is_round;
    double low = is_cell ? 0.0 : l->low, high = is_cell ? f->cell[4 * l->axis] : l->high;
    double size = is_round ? 1.0 : across(l, f, content), step = (high - low) / l->bins;
    for (int i = 0; i < f->body_count; i++) {
        if (!(content[i] > 0.0)) {
            continue;
        }
        const double *q = f->q + f->q_size * i;
        double radius = radius_of(l->dim, content[i]);
        double place = is_round ? hypot(q[0], q[1]) : q[l->axis];
        place -= is_cell ? high * floor(place / high) : 0.0;
        for (int image = is_cell ? -1 : 0; image <= (is_cell ? 1 : 0); image++) {
            add_ball(l, radius, place + image * high, low, step, size);
        }
    }
    l->frames++;
}

double cn_layers_at(const cn_layers *l, int bin)
{
    return l->low + (bin + 0.5) * (l->high - l->low) / l->bins;
}

double cn_layers_mean(const cn_layers *l, int bin)
{
    return l->frames > 0 ? l->solid[bin] / l->frames : NAN;
}
