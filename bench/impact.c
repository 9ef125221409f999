// bench/impact.c -- impacts of deformable bodies: the plate and the two cylinders of Feng 2006.
//
// Set-ups of cases D08 and D09 of the validation book, on the machine's own clock: CPU seconds of a
// whole run, beside the limit and what Newton's method and the contact solver did for it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

static cn_world *impact_world(double mu, const char *form, bool is_conserving)
{
    cn_world_def def = cn_world_def_default();
    def.gravity[1] = 0.0;
    def.solver.eps_v = def.solver.tol = 1e-10;
    cn_law_def law = cn_law_coulomb(mu, 0.0);
    cn_law_set_word(&law, "form", form, NULL);
    cn_world *w = scene_world_with(&def, &law);
    cn_deform_def deform = cn_deform_def_default();
    deform.is_conserving = is_conserving;
    cn_world_set_deform(w, &deform, NULL);
    return w;
}

static void add_mesh(cn_world *w, const cn_volume_def *def, const cn_material_def *material,
                     cn_plane plane, double x, double y, double vx, double vy)
{
    cn_volume *volume = NULL;
    if (cn_volume_make(def, &volume, NULL) != CN_OK) {
        exit(1);
    }
    cn_mesh_def mesh = *cn_volume_mesh(volume);
    mesh.material = material;
    mesh.material_count = 1;
    mesh.plane = plane;
    cn_body_def body = cn_body_def_default();
    body.type = CN_BODY_MESH;
    body.mesh.item = &mesh;
    body.at[0] = x;
    body.at[1] = y;
    body.velocity[0] = vx;
    body.velocity[1] = vy;
    if (cn_body_add(w, &body, NULL, NULL) != CN_OK) {
        exit(1);
    }
    cn_volume_destroy(volume);
}

static double run(cn_world *w, double h, int steps)
{
    double start = bench_now();
    int unconverged = scene_run(w, h, steps);
    double seconds = bench_now() - start;
    if (unconverged > 0) {
        fprintf(stderr, "bench impact: %d steps did not converge\n", unconverged);
    }
    return seconds;
}

static void bench_plate(void)
{
    cn_material_def material = cn_material_def_default();
    material.model = CN_MATERIAL_SAINT_VENANT;
    material.young = 1e7;
    material.poisson = 0.25;
    material.density = 1000.0;
    cn_volume_def plate = cn_volume_def_default();
    plate.kind = CN_VOLUME_PLATE;
    plate.element = CN_QUAD4;
    plate.size[0] = 0.04;
    plate.size[1] = 0.08;
    plate.radius = 0.101;
    plate.cells[0] = 5;
    plate.cells[1] = 8;
    double best = INFINITY;
    for (int k = 0; k < 3; k++) {
        cn_world *w = impact_world(0.1, "auto", false);
        scene_ground(w, 0.0, 0.0, 0.0);
        add_mesh(w, &plate, &material, CN_PLANE_STRESS, 0.0, 0.0, 3.0, -5.0);
        best = fmin(best, run(w, 1e-5, 300));
        cn_world_destroy(w);
    }
    bench_report("impact", "plate, 54 nodes, 40 quad4, 300 steps", best, "s", "limit 0.2");
}

static void bench_cylinders(void)
{
    cn_material_def material = cn_material_def_default();
    material.model = CN_MATERIAL_SAINT_VENANT;
    material.young = 2700.0;
    material.poisson = 0.33;
    material.density = 1.0;
    cn_volume_def disk = cn_volume_def_default();
    disk.kind = CN_VOLUME_DISK;
    disk.element = CN_QUAD4;
    disk.radius = 1.0;
    disk.cells[0] = 4; // 16 in the core, 4 x 4 x 5 around it
    disk.cells[1] = 5;
    cn_world *w = impact_world(0.0, "conserving", true);
    scene_ground(w, 0.0, 0.0, 0.0);
    scene_ground(w, -1.5, 0.0, -0.5 * CN_PI);
    scene_ground(w, 5.8632, 0.0, 0.5 * CN_PI);
    scene_ground(w, 0.0, 6.0, CN_PI);
    add_mesh(w, &disk, &material, CN_PLANE_STRAIN, 0.0, 4.0, 1.0, -2.0);
    add_mesh(w, &disk, &material, CN_PLANE_STRAIN, 4.3632, 3.4827, 0.0, 0.0);
    double seconds = run(w, 1e-3, 15000);
    const cn_ledger *ledger = cn_world_view(w).ledger;
    char text[96];
    snprintf(text, sizeof text, "limit 60; energy at the end %.9f of the first",
             (ledger->kinetic + ledger->elastic) / (2.5 * CN_PI));
    bench_report("impact", "two cylinders of 96 quad4, 15000 steps", seconds, "s", text);
    cn_world_destroy(w);
}

void bench_impact(void)
{
    bench_plate();
    bench_cylinders();
}
