// validation/c25_cells.c -- C07, C25, C26: samples in periodic cells, pressed and sheared.
//
// Question: how dense does a gas pack that a stress presses on all sides, and which friction and
// density has a homogeneous shear flow at a given inertial number? References: random close packing
// of disks 0.842 (O'Hern et al. 2003) and an independent program (0.8345 to 0.8441 in 8 runs
// without friction, 0.805 to 0.809 with 0.5); da Cruz et al. 2005: mu* = 0.25 + 1.1 I, fraction
// 0.81 - 0.3 I, between rough walls. The means scatter: a miss is a question before it is a defect.
#include <math.h>
#include <stdio.h>

#include "scene_rig.h"
#include "table.h"

#define PRESSURE 1000.0 // [Pa]

// ---- C25

static const char pressed[] =
    "cairn: 1\n"
    "dimension: 2\n"
    "gravity: none\n"
    "params: {mu: 0, seed: 1}\n"
    "cell: {size: [0.5, 0.5], inertia: 1e-2}\n"
    "materials: {grain: {density: 2600}}\n"
    "laws: {dry: {type: coulomb, friction: \"=mu\"}}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "solver: {accuracy: 1e-2}\n"
    "bodies:\n"
    "  grains:\n"
    "    generate: {pack: {inside: cell, fill: 0.5, seed: \"=seed\",\n"
    "                      shape: {disk: {radius: {uniform: [0.0072, 0.0108]}}}}}\n"
    "    material: grain\n"
    "stages: [{step: 1e-3, duration: 1.5, cell: {pressure: 1e3}}]\n"
    "observe: [{name: cell, cell: true}, {name: grains, fraction: grains}]\n"
    "output: {every: 1.5}\n";

// Mean of eight samples; what the worst of them is off, in fraction and in stress over pressure.
typedef struct samples {
    double fraction, least, most, stress;
} samples;

static samples press(cn_book *book, const char *mu)
{
    enum { SEEDS = 8 };
    samples s = {.least = INFINITY, .most = -INFINITY};
    for (int seed = 1; seed <= SEEDS; seed++) {
        char number[16];
        snprintf(number, sizeof number, "seed=%d", seed);
        cn_scene_trial t =
            cn_scene_trial_run(book, pressed, 1e-2, (const char *[CN_SCENE_SET_MAX]){mu, number});
        double fraction = cn_scene_trial_last(&t, "series/grains.fraction");
        double xx = cn_scene_trial_mean(&t, "series/cell.sxx", 1.4, 1.5001) / PRESSURE - 1.0;
        double yy = cn_scene_trial_mean(&t, "series/cell.syy", 1.4, 1.5001) / PRESSURE - 1.0;
        cn_say(book, "%s, seed %d: fraction %.4f, stress off by %.1e and %.1e", mu, seed, fraction,
               xx, yy);
        s.fraction += fraction / SEEDS;
        s.least = fmin(s.least, fraction);
        s.most = fmax(s.most, fraction);
        s.stress = fmax(s.stress, fmax(fabs(xx), fabs(yy)));
        cn_scene_trial_end(&t);
    }
    return s;
}

void cn_case_C25(cn_book *book)
{
    samples smooth = press(book, "mu=0"), rough = press(book, "mu=0.5");
    cn_check(book, "solid fraction, mean of 8, mu 0", smooth.fraction, 0.840, 0.006);
    cn_check(book, "least of them", smooth.least, 0.840, 0.012);
    cn_check(book, "largest of them", smooth.most, 0.840, 0.012);
    cn_check(book, "stress over pressure - 1, worst of them", smooth.stress, 0.0, 1e-3);
    cn_check(book, "solid fraction, mean of 8, mu 0.5", rough.fraction, 0.807, 0.008);
    cn_check(book, "stress over pressure - 1, worst of them, mu 0.5", rough.stress, 0.0, 1e-3);
}

// ---- C07, C26: 500 disks, as the starter mu_I has them

static const char sheared[] =
    "cairn: 1\n"
    "dimension: 2\n"
    "gravity: none\n"
    "params: {I: 0.1, e: 0, seed: 1, fine: 0.02, p: 1e3, d: 0.02, side: 0.561,\n"
    "         time: \"=sqrt(2600*pi/4*1.0133/p)*d\"}\n"
    "cell: {size: [\"=side\", \"=side\"]}\n"
    "materials: {grain: {density: 2600}}\n"
    "laws:\n"
    "  dry: {type: coulomb, friction: 0.4, restitution: \"=e\"}\n"
    "  smooth: {type: coulomb, friction: 0}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "solver: {accuracy: 1e-2}\n"
    "bodies:\n"
    "  grains:\n"
    "    generate: {pack: {inside: cell, fill: 0.5, seed: \"=seed\",\n"
    "                      shape: {disk: {radius: {uniform: [\"=0.4*d\", \"=0.6*d\"]}}}}}\n"
    "    material: grain\n"
    "stages:\n"
    "  - {step: \"=0.02*time\", duration: \"=15*time\",\n"
    "     contacts: [{between: [any, any], law: smooth}], cell: {pressure: \"=p\"}}\n"
    "  - {step: \"=fine*time\", duration: \"=4*time/I\",\n"
    "     cell: {strain_rate: {xx: 0, xy: \"=I/time\"}, stress: {yy: \"=-p\"}}}\n"
    "observe: [{name: cell, cell: true}, {name: grains, fraction: grains}]\n"
    "output: {every: \"=time/I\"}\n";

typedef struct flow {
    double friction, fraction, pressure;
} flow;

// Means of a run over strains from 1.3 to 4, in steps over sqrt(m/p).
static flow shear(cn_book *book, double I, double e, int seed, double step)
{
    const double time = sqrt(2600.0 * CN_PI / 4.0 * 1.0133 / PRESSURE) * 0.02;
    char set[4][40];
    snprintf(set[0], sizeof set[0], "I=%g", I);
    snprintf(set[1], sizeof set[1], "e=%g", e);
    snprintf(set[2], sizeof set[2], "seed=%d", seed);
    snprintf(set[3], sizeof set[3], "fine=%g", step);
    cn_scene_trial t = cn_scene_trial_run(
        book, sheared, 1e-2, (const char *[CN_SCENE_SET_MAX]){set[0], set[1], set[2], set[3]});
    double from = (15.0 + 1.3 / I) * time;
    double yy = cn_scene_trial_mean(&t, "series/cell.syy", from, INFINITY);
    flow f = {.friction = -cn_scene_trial_mean(&t, "series/cell.sxy", from, INFINITY) / yy,
              .fraction = cn_scene_trial_mean(&t, "series/grains.fraction", from, INFINITY),
              .pressure = yy / PRESSURE};
    cn_say(book,
           "I %g, e %g, seed %d: mu* %.4f, fraction %.4f, syy/p %.5f; %lld steps, %lld sweeps", I,
           e, seed, f.friction, f.fraction, f.pressure, (long long)t.steps, (long long)t.sweeps);
    cn_scene_trial_end(&t);
    return f;
}

static flow mean_flow(cn_book *book, double I, double e, double step)
{
    enum { SEEDS = 3 };
    flow sum = {0};
    for (int seed = 1; seed <= SEEDS; seed++) {
        flow f = shear(book, I, e, seed, step);
        sum.friction += f.friction / SEEDS;
        sum.fraction += f.fraction / SEEDS;
        sum.pressure += f.pressure / SEEDS;
    }
    return sum;
}

// At I of 0.01 one sample of 20 000 steps stands for all. Steps of collisions are shorter than
// those of the others: what bounces enters by up to h u first.
void cn_case_C07(cn_book *book)
{
    const double I[2] = {0.05, 0.1}, step = 0.02, short_step = 0.005;
    flow slow = shear(book, 0.01, 0.0, 1, step);
    cn_open(book,
            "cells without walls shear at 0.02 to 0.04 more friction than between rough walls, "
            "which is also told of I = 0.05 and 0.1 (C26), and not of smaller I");
    cn_check(book, "mu*, I 0.01", slow.friction, 0.25 + 1.1 * 0.01, 0.02);
    cn_check(book, "solid fraction, I 0.01", slow.fraction, 0.81 - 0.3 * 0.01, 0.01);
    for (int k = 0; k < 2; k++) {
        flow f = mean_flow(book, I[k], 0.0, step);
        cn_check(book, cn_name(book, "mu*, I %g", I[k]), f.friction, 0.25 + 1.1 * I[k], 0.04);
        cn_check(book, cn_name(book, "solid fraction, I %g", I[k]), f.fraction, 0.81 - 0.3 * I[k],
                 0.01);
    }
    flow soft = mean_flow(book, 0.1, 0.1, short_step), hard = mean_flow(book, 0.1, 0.9, short_step);
    cn_check(book, "mu*, e 0.9 against 0.1", hard.friction, soft.friction, 0.025);
    cn_check(book, "solid fraction, e 0.9 against 0.1", hard.fraction, soft.fraction, 0.008);
}

void cn_case_C26(cn_book *book)
{
    const double I[2] = {0.02, 0.1}, friction[2] = {0.29, 0.390}, fraction[2] = {0.8055, 0.781};
    for (int k = 0; k < 2; k++) {
        flow f = mean_flow(book, I[k], 0.0, 0.02);
        cn_check(book, cn_name(book, "mu*, mean of 3, I %g", I[k]), f.friction, friction[k], 0.025);
        cn_check(book, cn_name(book, "solid fraction, mean of 3, I %g", I[k]), f.fraction,
                 fraction[k], 0.008);
        cn_check(book, cn_name(book, "syy over the stress asked for, I %g", I[k]), f.pressure, 1.0,
                 2e-3);
    }
}
