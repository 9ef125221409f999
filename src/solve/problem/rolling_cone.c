// solve/problem/rolling_cone.c -- discs of a cone, its shift and its projection, theory 8.12, 8.13
// and 8.16.
#include "solve/problem/rolling_cone.h"

#include <math.h>

static void add_disc(cn_cone_discs *discs, int first, int size, double mu)
{
    if (size > 0) {
        discs->disc[discs->count++] = (cn_cone_disc){first, size, mu};
    }
}

cn_cone_discs cn_core_discs(const cn_core *core, int rows)
{
    cn_cone_discs discs = {0};
    bool has_moments = cn_has_moments(core->dim, rows);
    int tangents = (has_moments ? core->dim : rows) - 1;
    int moments = rows - 1 - tangents;
    int spins = core->dim == 3 ? moments % 2 : 0;
    add_disc(&discs, 1, tangents, core->mu);
    add_disc(&discs, 1 + tangents, moments - spins, core->mu_roll);
    add_disc(&discs, rows - spins, spins, core->mu_spin);
    return discs;
}

static double length_of(const cn_cone_disc *disc, const double *x)
{
    double sum = 0.0;
    for (int k = disc->first; k < disc->first + disc->size; k++) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

double cn_rolling_cone_shift(const cn_cone_discs *discs, const double *u)
{
    double shift = 0.0;
    for (int k = 0; k < discs->count; k++) {
        shift += discs->disc[k].mu * length_of(&discs->disc[k], u);
    }
    return shift;
}

// The squared distance is convex in y_n, with a kink of its slope at |x_k| / mu_k of each disc.
// Discs are taken from the largest kink down: each lifts y_n, never beyond its own kink.
void cn_rolling_cone_project(const cn_cone_discs *discs, const double *x, double *y)
{
    double length[CN_DISC_MAX];
    for (int k = 0; k < discs->count; k++) {
        length[k] = length_of(&discs->disc[k], x);
    }
    bool is_taken[CN_DISC_MAX] = {false};
    double sum = x[0], weight = 1.0; // y_n = sum / weight
    for (int pass = 0; pass < discs->count; pass++) {
        int next = -1;
        for (int k = 0; k < discs->count; k++) {
            double mu = discs->disc[k].mu;
            bool is_cut = !is_taken[k] && length[k] * weight > mu * sum;
            if (is_cut && (next < 0 || length[k] * discs->disc[next].mu > length[next] * mu)) {
                next = k;
            }
        }
        if (next < 0) {
            break;
        }
        is_taken[next] = true;
        sum += discs->disc[next].mu * length[next];
        weight += discs->disc[next].mu * discs->disc[next].mu;
    }
    y[0] = fmax(sum / weight, 0.0);
    for (int k = 0; k < discs->count; k++) {
        const cn_cone_disc *disc = &discs->disc[k];
        double radius = disc->mu * y[0];
        double scale = length[k] > radius ? radius / length[k] : 1.0;
        for (int c = disc->first; c < disc->first + disc->size; c++) {
            y[c] = scale * x[c];
        }
    }
}

double cn_moment_length(int dim, int rows, const double *W)
{
    double force = 0.0, moment = 0.0;
    for (int k = 0; k < rows; k++) {
        *(k < dim ? &force : &moment) += W[rows * k + k];
    }
    double ratio = force / dim / (moment / (rows - dim));
    return ratio > 0.0 && isfinite(ratio) ? sqrt(ratio) : 1.0;
}
