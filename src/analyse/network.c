// analyse/network.c -- weak and strong forces between selected bodies (14.9).
//
// A pair of bodies is strong if it presses more than the mean pair. What the weak ones carry of the
// deviator of the moments is their projection on it: negative if they work against the load.
#include <math.h>
#include <string.h>

#include "analyse/analyse.h"

typedef struct sums {
    int pairs, weak, sliding, weak_sliding, moving;
    double above;     // sum of f/mean - 1 of strong pairs
    double mobilized; // sum of f_t/f_n
    double all[3][3]; // moments of all pairs
    double of_weak[3][3];
} sums;

static void add_pairs(const cn_sample *s, double mean, sums *t)
{
    cn_sample_pair p;
    for (int a = 0; cn_sample_next_inner(s, &a, &p);) {
        bool is_weak = !(p.f_n > mean);
        cn_add_dyad(1.0, p.force, p.branch, t->all);
        if (is_weak) {
            cn_add_dyad(1.0, p.force, p.branch, t->of_weak);
        }
        t->pairs++;
        t->weak += is_weak;
        t->sliding += p.is_sliding;
        t->weak_sliding += is_weak && p.is_sliding;
        t->above += is_weak ? 0.0 : p.f_n / mean - 1.0;
        t->mobilized += p.f_t / p.f_n;
    }
}

static void find(const cn_sample *s, double *out)
{
    sums t = {0};
    double mean = cn_sample_mean_force(s), D[3][3], D_weak[3][3];
    add_pairs(s, mean, &t);
    cn_deviator_of(t.all, s->dim, D);
    cn_deviator_of(t.of_weak, s->dim, D_weak);
    double trace = t.all[0][0] + t.all[1][1] + t.all[2][2], square = cn_contract(D, D);
    double weak_trace = t.of_weak[0][0] + t.of_weak[1][1] + t.of_weak[2][2];
    double pairs = t.pairs > 0 ? t.pairs : NAN, sliding = t.sliding > 0 ? t.sliding : NAN;
    memcpy(out,
           (double[7]){mean, t.weak / pairs, weak_trace / trace,
                       square > 0.0 ? cn_contract(D_weak, D) / square : NAN,
                       t.weak_sliding / sliding, t.above > 0.0 ? (t.pairs - t.weak) / t.above : NAN,
                       t.mobilized / pairs},
           7 * sizeof *out);
}

#define NUMBERS "mean weak weak_p weak_q weak_sliding tail mobilized"

const cn_analysis cn_analysis_network = {
    .name = "network",
    .help =
        "mean normal force of pairs of bodies [N]; shares of the weak ones (below the mean), of "
        "what they carry of p and of q, and of them among sliding pairs; rate b of exp(-b f) "
        "that fits forces over the mean beyond it; mean of tangential over normal force",
    .plane = NUMBERS,
    .space = NUMBERS,
    .find = find};
