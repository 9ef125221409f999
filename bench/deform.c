// bench/deform.c -- small deformable bodies: a wall of them, and how its cost grows.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "cairn/mesh.h"
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
        cn_scene_read(&(cn_scene_source){.name = "wall", .text = text}, NULL, NULL, &scene, &err);
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

// A fixed number of sweeps, walls of growing length: 36, 144, 576 and 2304 bricks.
static void report_growth(void)
{
    static const int length[] = {2, 11, 47, 191};
    enum { WALLS = sizeof length / sizeof *length };
    double step[WALLS], bodies[WALLS];
    for (int k = 0; k < WALLS; k++) {
        cn_world *w = wall_world(length[k], 12);
        if (w == NULL) {
            return;
        }
        cn_solver_def def = w->solver_def;
        def.method = CN_METHOD_NLGS;
        def.sweep_max = 20;
        def.eps_v = def.tol = 1e-15;
        cn_world_set_solver(w, &def, NULL);
        scene_run(w, 1e-3, 5);
        step[k] = time_rest(w, 1e-3, 5, 1);
        bodies[k] = w->bodies.count - 1;
        char text[96];
        snprintf(text, sizeof text, "%g bricks, %d contacts, 20 sweeps", bodies[k],
                 w->contacts.count);
        bench_report("deform", "time of a step per brick", 1e6 * step[k] / bodies[k], "us", text);
        cn_world_destroy(w);
    }
    int last = WALLS - 1;
    bench_report("deform", "exponent of the cost, 36 to 2304 bricks",
                 log(step[last] / step[0]) / log(bodies[last] / bodies[0]), "-",
                 "1 is linear, limit 1.1");
    bench_report("deform", "the same, 144 to 2304",
                 log(step[last] / step[1]) / log(bodies[last] / bodies[1]), "-", "beyond cache");
}

// Equal bricks of 182 degrees of freedom side by side: time until the first step is done.
static double time_copies(int count, int *factorizations, size_t *rows)
{
    cn_volume_def made = cn_volume_def_default();
    made.element = CN_QUAD4;
    made.cells[0] = 12;
    made.cells[1] = 6;
    made.size[0] = 0.2;
    made.size[1] = 0.1;
    cn_volume *volume = NULL;
    if (cn_volume_make(&made, &volume, NULL) != CN_OK) {
        return 0.0;
    }
    cn_material_def material = bench_brick();
    cn_mesh_def mesh = *cn_volume_mesh(volume);
    mesh.material = &material;
    mesh.material_count = 1;
    cn_world *w = scene_world(0.5, 0.0, 1e-6);
    scene_ground(w, 0.0, 0.0, 0.0);
    double start = bench_now();
    for (int k = 0; k < count; k++) {
        cn_body_def body = cn_body_def_default();
        body.type = CN_BODY_MESH;
        body.mesh.item = &mesh;
        body.at[0] = 0.3 * k;
        body.at[1] = 0.05;
        cn_body_add(w, &body, NULL, NULL);
    }
    scene_run(w, 1e-3, 1);
    double seconds = bench_now() - start;
    cn_world_deform_work(w, factorizations, rows);
    cn_volume_destroy(volume);
    cn_world_destroy(w);
    return seconds;
}

static void report_copies(void)
{
    int factorizations;
    size_t rows;
    char text[96];
    double one = time_copies(1, &factorizations, &rows);
    double all = time_copies(1000, &factorizations, &rows);
    snprintf(text, sizeof text, "%zu condensed rows; made and stepped in %.3g s, one in %.2g s",
             rows, all, one);
    bench_report("deform", "factorizations of 1000 equal bricks", factorizations, "-", text);
}

void bench_deform(void)
{
    report_wall();
    report_growth();
    report_copies();
}
