// bench/hulls.c -- detection in a settled heap of random polyhedra of twelve corners.
#include <math.h>
#include <stdio.h>

#include "bench.h"

#define BODY_COUNT 2000

// Pairs of bodies with at least one point within reach; points of a pair follow each other.
static int touching_pairs(const cn_detect *d)
{
    int count = 0;
    for (int n = 0; n < d->point_count; n++) {
        const cn_point *x = &d->point[n];
        count += n == 0 || x[-1].i != x->i || x[-1].j != x->j;
    }
    return count;
}

// Detection of a step as world/step.c does it; adds its parts to seconds[].
static void detect(cn_world *w, double h, double seconds[2])
{
    cn_rules rules;
    double start = bench_now();
    if (cn_world_rules(w, &rules, NULL) != CN_OK ||
        cn_detect_motion(&w->detect, &w->bodies, h, cn_contact_touching(&w->contacts), NULL,
                         NULL) != CN_OK ||
        cn_detect_broad(&w->detect, &w->bodies, &rules, NULL) != CN_OK) {
        return;
    }
    double middle = bench_now();
    if (cn_detect_narrow(&w->detect, &w->bodies, &rules, NULL) != CN_OK) {
        return;
    }
    seconds[0] = fmin(seconds[0], middle - start);
    seconds[1] = fmin(seconds[1], bench_now() - middle);
}

void bench_hulls(void)
{
    const double h = 1e-3;
    cn_world *w = scene_space(0.5, 0.0, 1e-2);
    cn_solver_def def = w->solver_def;
    def.sweep_max = 30;
    cn_world_set_solver(w, &def, NULL);
    scene_polyhedra(w, BODY_COUNT, 12, 0.01);
    scene_run(w, h, 800);
    double seconds[2] = {INFINITY, INFINITY}, fastest = 0.0;
    for (int k = 0; k < 15; k++) {
        scene_run(w, h, 1);
        detect(w, h, seconds);
    }
    for (int i = 0; i < w->bodies.count; i++) {
        const double *v = w->bodies.v + 6 * i;
        fastest = fmax(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    size_t warm[2] = {w->detect.corner_tests, w->detect.edge_tests};
    double cold[2] = {INFINITY, INFINITY};
    cn_narrow_cache_free(&w->detect.cache);
    detect(w, h, cold);
    int touching = touching_pairs(&w->detect);
    size_t tested = w->detect.broad.pair_count;
    double all = 1e6 * (seconds[0] + seconds[1]);
    char text[128];
    snprintf(text, sizeof text, "%zu pairs of %d bodies, fastest %.2g m/s; limit 4", tested,
             BODY_COUNT, fastest);
    bench_report("hulls", "detection per tested pair", all / (double)tested, "us", text);
    snprintf(text, sizeof text, "%d pairs, %d points, broad phase %.2g of the time; limit 25",
             touching, w->detect.point_count, 1e6 * seconds[0] / all);
    bench_report("hulls", "detection per touching pair", all / touching, "us", text);
    snprintf(text, sizeof text, "%.3g without hints from the last step",
             (double)w->detect.corner_tests / (double)tested);
    bench_report("hulls", "corners compared with faces per tested pair",
                 (double)warm[0] / (double)tested, "-", text);
    snprintf(text, sizeof text, "%.3g without hints",
             (double)w->detect.edge_tests / (double)tested);
    bench_report("hulls", "pairs of edges looked at per tested pair",
                 (double)warm[1] / (double)tested, "-", text);
    snprintf(text, sizeof text, "hints %.2g us less of %.2g us per tested pair",
             1e6 * (cold[1] - seconds[1]) / (double)tested, 1e6 * cold[1] / (double)tested);
    bench_report("hulls", "narrow phase, warm over cold", seconds[1] / cold[1], "-", text);
    cn_world_destroy(w);
}
