// bench/masonry.c -- standing masonry in space: an arch at tight residuals, dry walls for 10 s.
//
// The arch is that of case B05 with depth; the walls are bricks of 0.4 x 0.2 x 0.2 m in running
// bond, at the accuracy that scenes call `masonry`.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define RESIDUAL_MASONRY 1e-3

// What a run cost and how far it went.
typedef struct tally {
    double seconds, residual, drift; // CPU time, largest of all steps, largest way of a body [m]
    long sweeps, factorizations;
    int steps, unconverged, contacts;
} tally;

static cn_world *masonry_world(double mu, double eps_v)
{
    cn_world_def def = cn_world_def_default();
    def.dim = 3;
    def.gravity[1] = 0.0;
    def.gravity[2] = -9.81;
    def.solver.eps_v = eps_v;
    def.solver.tol = 1e-3 * eps_v;
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    return scene_world_with(&def, &law);
}

// A stone between two radial joints, at the angles `from` and `to` from the crown.
static void add_voussoir(cn_world *w, double R, double t, double depth, double from, double to,
                         unsigned fixed)
{
    double point[24];
    for (int n = 0; n < 8; n++) {
        double angle = n & 1 ? from : to, r = n & 2 ? R + 0.5 * t : R - 0.5 * t;
        point[3 * n] = r * sin(angle);
        point[3 * n + 1] = n & 4 ? 0.5 * depth : -0.5 * depth;
        point[3 * n + 2] = r * cos(angle);
    }
    cn_solid_def solid = {.kind = CN_SOLID_HULL, .point_count = 8, .point = point};
    cn_body_def def = {
        .type = CN_BODY_SOLIDS, .solids = {1, &solid}, .density = 2000.0, .fixed = fixed};
    if (cn_body_add(w, &def, NULL, NULL) != CN_OK) {
        exit(1);
    }
}

static void add_arch(cn_world *w, int count, double R, double t, double depth)
{
    const double share = CN_PI / count;
    for (int k = -1; k <= count; k++) {
        bool is_support = k < 0 || k == count;
        double from = share * k - 0.5 * CN_PI;
        add_voussoir(w, R, is_support ? 1.5 * t : t, is_support ? 1.5 * depth : depth, from,
                     from + share, is_support ? CN_FIXED_ALL : 0);
    }
}

static tally run(cn_world *w, double h, int steps)
{
    tally all = {.steps = steps};
    int count = w->bodies.count, size = w->bodies.kind->q_size;
    double *start = malloc((size_t)(count * size) * sizeof *start);
    for (int k = 0; start != NULL && k < count * size; k++) {
        start[k] = w->bodies.q[k];
    }
    double began = bench_now();
    for (int k = 0; k < steps; k++) {
        all.unconverged += scene_run(w, h, 1);
        all.sweeps += w->certificate.solver.sweep_count;
        all.factorizations += w->certificate.solver.factorization_count;
        all.residual = fmax(all.residual, w->certificate.solver.residual.err_v);
    }
    all.seconds = bench_now() - began;
    all.contacts = w->contacts.count;
    for (int i = 0; start != NULL && i < count; i++) {
        const double *a = start + size * i, *b = w->bodies.q + size * i;
        all.drift = fmax(all.drift, cn_norm3(cn_v3(b[0] - a[0], b[1] - a[1], b[2] - a[2])));
    }
    free(start);
    return all;
}

static const char *work_of(const tally *t, const char *aim)
{
    static char text[160];
    snprintf(text, sizeof text,
             "%s; %d contacts, %.1f sweeps and %.2f factors per step, %d not converged, "
             "residual %.1e",
             aim, t->contacts, (double)t->sweeps / t->steps, (double)t->factorizations / t->steps,
             t->unconverged, t->residual);
    return text;
}

static void bench_arch(double residual, const char *aim)
{
    char quantity[64];
    cn_world *w = masonry_world(0.7, residual);
    add_arch(w, 27, 10.0, 1.078, 1.0);
    tally t = run(w, 1e-3, 750);
    snprintf(quantity, sizeof quantity, "arch of 27 stones, 750 steps to %.0e", residual);
    bench_report("masonry", quantity, t.seconds, "s", work_of(&t, aim));
    cn_world_destroy(w);
}

static void bench_wall(int courses, int width, const char *aim)
{
    char quantity[64];
    cn_world *w = masonry_world(0.5, RESIDUAL_MASONRY);
    scene_brick_wall(w, courses, width);
    int bricks = w->bodies.count - 1;
    tally t = run(w, 0.01, 1000);
    snprintf(quantity, sizeof quantity, "%d courses, %d bricks, time of a step", courses, bricks);
    bench_report("masonry", quantity, 1e3 * t.seconds / t.steps, "ms", work_of(&t, aim));
    snprintf(quantity, sizeof quantity, "%d courses, largest way of a brick in 10 s", courses);
    bench_report("masonry", quantity, 1e3 * t.drift, "mm", "aim 0.1");
    cn_world_destroy(w);
}

void bench_masonry(void)
{
    bench_arch(1e-6, "aim 5");
    bench_arch(1e-8, "aim 2");
    bench_wall(10, 19, "aim 10");
    bench_wall(40, 39, "stands");
}
