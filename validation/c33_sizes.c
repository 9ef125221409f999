// validation/c33_sizes.c -- C33: grains whose masses follow a curve.
//
// Question: do the grains of a sample have the mean diameter that a curve of masses gives them? The
// density of numbers is that of mass over d^dim, so that the mean by number is the ratio of two
// moments of the curve. Diameters from 1 to 2, uniform and beta laws by mass. Reference: quadrature
// of the moments; derived.
#include <math.h>

#include "table.h"

enum { GRAINS = 5000, SEEDS = 4 };

static const char text[] =
    "cairn: 1\n"
    "dimension: %d\n"
    "gravity: none\n"
    "materials: {grain: {density: 1}}\n"
    "laws: {dry: {type: coulomb, friction: 0}}\n"
    "contacts: [{between: [any, any], law: dry}]\n"
    "bodies:\n"
    "  grains:\n"
    "    generate: {pack: {inside: {box: %s}, method: lattice, count: %d, seed: %d,\n"
    "                      shape: {%s: {radius: {beta: {between: [0.5, 1], a: %g, b: %g%s}}}}}}\n"
    "    material: grain\n"
    "stages: [{step: 1e-3, duration: 1e-3}]\n";

static double mean_diameter(cn_book *book, int dim, double a, double b, const char *draw, int seed)
{
    char scene[1000];
    snprintf(scene, sizeof scene, text, dim, dim == 2 ? "[200, 200]" : "[50, 50, 50]", GRAINS, seed,
             dim == 2 ? "disk" : "sphere", a, b, draw);
    cn_solver_def solver = cn_trial_def().solver;
    cn_trial t = cn_trial_begin_scene(book, scene, &solver);
    cn_view view = t.is_broken ? (cn_view){0} : cn_world_view(t.world);
    double sum = 0.0;
    for (int i = 0; i < view.body_count; i++) {
        sum += dim == 2 ? 2.0 * sqrt(view.mass[i] / CN_PI) : cbrt(6.0 * view.mass[i] / CN_PI);
    }
    double mean = view.body_count == GRAINS ? sum / GRAINS : NAN;
    cn_trial_end(&t);
    return mean;
}

void cn_case_C33(cn_book *book)
{
    static const struct {
        double a, b, mean[2];
    } curve[3] = {{1.0, 1.0, {1.386294, 1.333333}},
                  {2.0, 4.0, {1.288603, 1.268065}},
                  {4.0, 2.0, {1.624454, 1.601399}}};
    for (int k = 0; k < 6; k++) {
        int dim = 2 + k / 3;
        double a = curve[k % 3].a, b = curve[k % 3].b, exact = curve[k % 3].mean[dim - 2];
        cn_check(book, cn_name(book, "mean diameter, %dD, beta %g %g, even draw", dim, a, b),
                 mean_diameter(book, dim, a, b, ", draw: even", 1), exact, 2e-3);
        double at_random = 0.0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            at_random += mean_diameter(book, dim, a, b, "", seed) / SEEDS;
        }
        cn_check(book, cn_name(book, "mean diameter, %dD, beta %g %g, at random", dim, a, b),
                 at_random, exact, 1e-2);
    }
}
