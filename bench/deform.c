// bench/deform.c -- small deformable bodies: a wall of them, and how its cost grows.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "cairn/scene.h"

// Bricks of eight triangles as in Jean 1999, figure 7, in courses of `bricks` and a half, damped so
// that they come to rest.
static cn_world *wall_world(int bricks, int courses)
{
    char text[1200];
    snprintf(text, sizeof text,
             "cairn: 1\n"
             "scheme: {theta: 1}\n"
             "solver: {accuracy: 1e-6}\n"
             "materials: {stone: {density: 500, young: 1e6, poisson: 0.3, plane: strain, "
             "rayleigh_mass: 40, rayleigh_stiffness: 1e-3}}\n"
             "laws: {dry: {type: coulomb, friction: 0.5}}\n"
             "contacts: [{between: [any, any], law: dry}]\n"
             "bodies:\n"
             "  ground: {shape: half_plane, fixed: true}\n"
             "  wall: {generate: {wall: {length: %g, courses: %d, block: [0.1, 0.05], bond: "
             "running}}, mesh: {elements: tri3, cells: [2, 1], crossed: true}, material: stone}\n"
             "stages: [{step: 1e-3, duration: 1}]\n",
             0.1 * bricks + 0.05, courses);
    cn_scene *scene = NULL;
    cn_world *w = NULL;
    cn_error err = {0};
    cn_status status =
        cn_scene_parse("wall", text, strlen(text), NULL, 0, NULL, NULL, &scene, &err);
    if (status == CN_OK) {
        status = cn_scene_build(scene, 1, &w, &err);
    }
    cn_scene_destroy(scene);
    if (status != CN_OK) {
        fprintf(stderr, "bench: %s\n", err.text);
    }
    return w;
}

// Mean time of settled steps: the least of several rounds [s].
static double time_rest(cn_world *w, double h, int rounds, int steps)
{
    double best = INFINITY;
    for (int k = 0; k < rounds; k++) {
        double start = bench_now();
        scene_run(w, h, steps);
        best = fmin(best, (bench_now() - start) / steps);
    }
    return best;
}

static void report_wall(void)
{
    cn_world *w = wall_world(11, 12);
    if (w == NULL) {
        return;
    }
    scene_run(w, 1e-3, 400);
    double before[CN_STAGE_COUNT];
    memcpy(before, w->seconds, sizeof before);
    long sweeps = 0;
    double step = time_rest(w, 1e-3, 5, 20), worst = 0.0;
    for (int k = 0; k < 20; k++) {
        scene_run(w, 1e-3, 1);
        sweeps += w->certificate.solver.sweep_count;
        worst = fmax(worst, w->certificate.solver.residual.err_v);
    }
    char text[96];
    snprintf(text, sizeof text, "%d contacts, %.1f sweeps, residual %.1e; limit 5",
             w->contacts.count, sweeps / 20.0, worst);
    bench_report("deform", "144 elastic bricks at rest: a step", 1e3 * step, "ms", text);
    static const char *const stage[] = {"load",    "free",  "broad",  "narrow",
                                        "contact", "solve", "update", "audit"};
    for (int s = 0; s < CN_STAGE_COUNT && s < 8; s++) {
        char quantity[64];
        snprintf(quantity, sizeof quantity, "  of it: %s", stage[s]);
        bench_report("deform", quantity, 1e3 * (w->seconds[s] - before[s]) / 120.0, "ms",
                     "time on the wall");
    }
    int factorizations;
    size_t solves;
    cn_world_deform_work(w, &factorizations, &solves);
    bench_report("deform", "factorizations since the start", factorizations, "-",
                 "two kinds of bricks");
    cn_world_destroy(w);
}

// A fixed number of sweeps, walls of growing length.
static void report_growth(void)
{
    double first = 0.0, last = 0.0;
    int bodies = 0, first_bodies = 0;
    for (int bricks = 11; bricks <= 1100; bricks *= 10) {
        cn_world *w = wall_world(bricks, 12);
        if (w == NULL) {
            return;
        }
        cn_solver_def def = w->solver_def;
        def.method = CN_METHOD_NLGS;
        def.sweep_max = 20;
        def.eps_v = def.tol = 1e-15;
        cn_world_set_solver(w, &def, NULL);
        scene_run(w, 1e-3, 5);
        last = time_rest(w, 1e-3, 5, 1);
        bodies = w->bodies.count - 1;
        first = bricks == 11 ? last : first;
        first_bodies = bricks == 11 ? bodies : first_bodies;
        char text[96];
        snprintf(text, sizeof text, "%d bricks, %d contacts, 20 sweeps", bodies, w->contacts.count);
        bench_report("deform", "time of a step per brick", 1e6 * last / bodies, "us", text);
        cn_world_destroy(w);
    }
    bench_report("deform", "exponent of the cost",
                 log(last / first) / log((double)bodies / first_bodies), "-",
                 "1 is linear, limit 1.1");
}

void bench_deform(void)
{
    report_wall();
    report_growth();
}
