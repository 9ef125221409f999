// bench/large.c -- one large deformable body with many contacts: steps, the first of them, memory,
// and what it costs when contacts move on to new nodes.
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "cairn/mesh.h"

static const double EDGE = 0.01; // of an element [m]
static const double STEP = 1e-4; // [s]

typedef struct large {
    int dim;
    cn_bench_bytes bytes;
    cn_hooks hooks;
    cn_world *world;
    double size[3]; // of the body [m]
} large;

// Pressed into the middle of the top, as deep as a fifth of an element, and driven along it.
static void add_roller(large *l, double speed)
{
    const double radius = 20.0 * EDGE;
    double x = -0.3 * l->size[0], top = l->size[l->dim - 1] + radius - 0.2 * EDGE;
    cn_body_id id = l->dim == 2 ? scene_disk(l->world, x, top, radius, 0)
                                : scene_sphere(l->world, x, 0.0, top, radius);
    for (int k = 0; k < l->dim; k++) {
        cn_drive_def drive = {.body = id,
                              .kind = CN_DRIVE_VELOCITY,
                              .dof = CN_DOF_X + k,
                              .f = cn_constant(k == 0 ? speed : 0.0)};
        cn_drive_add(l->world, &drive, NULL);
    }
}

// A block on the ground under its weight: about 10^5 degrees of freedom, 2000 contact nodes.
static bool make_large(int dim, large *l)
{
    const int cells[2][3] = {{1999, 24, 1}, {43, 43, 16}};
    *l = (large){.dim = dim};
    l->hooks = bench_hooks(&l->bytes);
    cn_volume_def made = cn_volume_def_default();
    made.element = dim == 2 ? CN_QUAD4 : CN_HEX8;
    for (int k = 0; k < 3; k++) {
        made.cells[k] = cells[dim - 2][k];
        l->size[k] = made.size[k] = EDGE * made.cells[k];
    }
    cn_error err = {0};
    cn_volume *volume = NULL;
    if (cn_volume_make(&made, &volume, &err) != CN_OK) {
        fprintf(stderr, "bench: %s\n", err.text);
        return false;
    }
    cn_material_def material = bench_brick();
    cn_mesh_def mesh = *cn_volume_mesh(volume);
    mesh.material = &material;
    mesh.material_count = 1;
    cn_world_def def = cn_world_def_default();
    def.dim = dim;
    def.gravity[1] = dim == 2 ? -9.81 : 0.0;
    def.gravity[2] = dim == 3 ? -9.81 : 0.0;
    def.theta = 1.0;
    def.hooks = &l->hooks;
    cn_law_def law = cn_law_coulomb(0.5, 0.0);
    l->world = scene_world_with(&def, &law);
    if (dim == 2) {
        scene_ground(l->world, 0.0, 0.0, 0.0);
    } else {
        scene_floor(l->world, 0.0);
    }
    cn_body_def body = cn_body_def_default();
    body.type = CN_BODY_MESH;
    body.mesh.item = &mesh;
    body.at[dim - 1] = 0.5 * l->size[dim - 1];
    cn_status status = cn_body_add(l->world, &body, NULL, &err);
    cn_volume_destroy(volume);
    if (status != CN_OK) {
        fprintf(stderr, "bench: %s\n", err.text);
        cn_world_destroy(l->world);
    }
    return status == CN_OK;
}

static double time_steps(cn_world *w, int steps)
{
    double start = bench_now();
    scene_run(w, STEP, steps);
    return (bench_now() - start) / steps;
}

static void report(int dim, const char *quantity, double value, const char *unit, const char *text)
{
    char name[64];
    snprintf(name, sizeof name, "%dD: %s", dim, quantity);
    bench_report("deform-large", name, value, unit, text);
}

// All that is held besides condensed rows, over the factor as it is stored; CHOLMOD has memory of
// its own.
static void report_memory(const large *l)
{
    const cn_contacts *c = &l->world->contacts;
    const cn_iteration_matrix *f = &l->world->bodies.deformables->factors.item[0];
    double factor = cn_factor_stored(f->sparse), all = cn_factor_held(f->sparse);
    double condensed = 8.0 * (double)(f->response_capacity + c->capacity.W_block) +
                       4.0 * (double)(c->capacity.W_col + c->capacity.W_start);
    double roots = 8.0 * (double)f->roots.Z_capacity;
    char text[128];
    all += (double)l->bytes.most - condensed;
    snprintf(text, sizeof text, "condensed %.0f MB, factor %.0f MB (entries %.0f), roots %.0f MB",
             1e-6 * condensed, 1e-6 * factor, 1e-6 * cn_factor_bytes(f->sparse), 1e-6 * roots);
    report(l->dim, "memory but condensed rows, limit 2", all / factor, "factors", text);
}

// Responses of nodes of the top, one after the other, asked for while those of the ground are
// known.
static void report_rows(const large *l)
{
    enum { NODES = 20 };
    cn_deformables *m = l->world->bodies.deformables;
    cn_iteration_matrix *f = &m->factors.item[0];
    const cn_fem *fem = m->model[0].fem;
    int found = 0, before = f->active_count;
    double start = bench_now();
    for (int n = fem->node_count - 1; n >= 0 && found < NODES; n--) {
        if (f->active_place[n] < 0 &&
            fem->X[l->dim * n + l->dim - 1] > 0.499 * l->size[l->dim - 1]) {
            cn_iteration_matrix_activate(m->hooks, &m->factors, 0, &n, 1, NULL);
            found++;
        }
    }
    char text[96];
    snprintf(text, sizeof text, "one node at a time, beside %d", before);
    report(l->dim, "time of a new row", 1e6 * (bench_now() - start) / (l->dim * found), "us", text);
}

static void report_rest(int dim)
{
    large l;
    if (!make_large(dim, &l)) {
        return;
    }
    char text[96];
    double first = time_steps(l.world, 1), step = INFINITY;
    const cn_iteration_matrix *f = &l.world->bodies.deformables->factors.item[0];
    time_steps(l.world, 2);
    for (int k = 0; k < 5; k++) {
        step = fmin(step, time_steps(l.world, 1));
    }
    snprintf(text, sizeof text, "%d dofs, %d contacts, %d sweeps; limit %g", f->size,
             l.world->contacts.count, l.world->certificate.solver.sweep_count,
             dim == 2 ? 0.5 : 3.0);
    report(dim, "a step", step, "s", text);
    snprintf(text, sizeof text, "factor and condensed rows; %zu rows",
             l.world->bodies.deformables->factors.solve_count);
    report(dim, "the first step", first, "s", text);
    report_memory(&l);
    report_rows(&l);
    cn_world_destroy(l.world);
}

// A roller meets new nodes in every step.
static void report_rolling(int dim)
{
    enum { STEPS = 10 };
    large l;
    if (!make_large(dim, &l)) {
        return;
    }
    add_roller(&l, EDGE / STEP);
    time_steps(l.world, 3);
    size_t before = l.world->bodies.deformables->factors.solve_count;
    double step = time_steps(l.world, STEPS);
    char text[96];
    snprintf(text, sizeof text, "%.1f new rows per step, %d contacts; limit %g",
             (double)(l.world->bodies.deformables->factors.solve_count - before) / STEPS,
             l.world->contacts.count, dim == 2 ? 0.5 : 3.0);
    report(dim, "a step under a roller", step, "s", text);
    cn_world_destroy(l.world);
}

void bench_large(void)
{
    for (int dim = 2; dim <= 3; dim++) {
        report_rest(dim);
        report_rolling(dim);
    }
}
