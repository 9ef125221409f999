// validation/d19_disk.c -- D19: a disk squeezed between two platens.
//
// Question: what is the stress in its middle? Reference: 2 P/(pi D) tension across, 6 P/(pi D)
// compression along the load, in plane stress and for a contact that is thin against the disk.
// Source: Hertz 1883; Frocht.
#include "builders.h"
#include "solids.h"
#include "table.h"
#include <stdlib.h>

#define DIAMETER 0.1 // [m]
#define LOAD 1000.0  // per metre of thickness [N/m]

// Two platens that move along y only, each under the load. With theta = 1 long steps take them to
// rest.
static void add_platens(cn_trial *t)
{
    for (int side = -1; side <= 1; side += 2) {
        cn_body_def rest = {.density = 1.0,
                            .at = {0.0, side * (0.5 * DIAMETER + 0.005)},
                            .fixed = 1u << CN_DOF_X | 1u << CN_DOF_RZ};
        cn_force_def force = {.body = cn_build_box(t, 0.05, 0.01, rest),
                              .direction = {0.0, -side, 0.0},
                              .f = cn_constant(LOAD)};
        cn_error err;
        if (!t->is_broken) {
            cn_trial_ok(t, cn_force_add(t->world, &force, &err), &err);
        }
    }
}

void cn_case_D19(cn_book *book)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, 0.0);
    cn_soft_quasi_static(&t);
    cn_volume_def volume = cn_volume_def_default();
    volume.kind = CN_VOLUME_DISK;
    volume.element = CN_QUAD8;
    volume.radius = 0.5 * DIAMETER;
    volume.cells[0] = 16;
    volume.cells[1] = 12;
    cn_soft soft = cn_soft_make(book, &volume, cn_soft_elastic(1e9, 0.3, 1000.0));
    soft.mesh.plane = CN_PLANE_STRESS;
    cn_soft_pick(&soft, "upright", 0, 0.0);
    cn_soft_pick(&soft, "level", 1, 0.0);
    cn_body_id disk = cn_soft_add(&t, &soft, (cn_body_def){0});
    cn_soft_hold(&t, disk, "upright", CN_DOF_X);
    cn_soft_hold(&t, disk, "level", CN_DOF_Y);
    add_platens(&t);
    cn_trial_run(&t, 0.01, 40);
    double push = cn_trial_impulse(&t, disk, NULL).y; // of both: none
    cn_node_view n = cn_soft_nodes(&t, disk);
    double *stress = cn_soft_stress(&t, disk), across = NAN, along = NAN;
    if (stress != NULL) {
        int centre = cn_soft_nearest(&n, cn_v3(0.0, 0.0, 0.0));
        across = stress[6 * centre];
        along = stress[6 * centre + 1];
    }
    cn_check(book, "resultant of both platens over the load", push / (0.01 * LOAD), 0.0, 1e-6);
    cn_check_rel(book, "stress across [Pa]", across, 6366.198, 0.01);
    cn_check_rel(book, "stress along the load [Pa]", along, -19098.593, 0.01);
    free(stress);
    cn_trial_end(&t);
    cn_soft_free(&soft);
}
