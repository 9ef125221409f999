// validation/d10_taylor.c -- D10: a copper rod hits a rigid wall at 227 m/s.
//
// Question: does a bar flow as plasticity of large strains asks? Reference: length 21.4 to 21.5 mm
// and radius of the foot 6.9 to 7.2 mm after 80 microseconds, from many programs. Source: Wilkins
// and Guinan 1973; Kamoulakos 1990.
#include "builders.h"
#include "solids.h"
#include "table.h"
#include <stdlib.h>

#define LENGTH 32.4e-3 // [m]
#define RADIUS 3.2e-3
#define SPEED 227.0    // [m/s]
#define DURATION 80e-6 // [s]

typedef struct rod {
    double length, radius; // at the end [m]
    double speed;          // of its mass centre [m/s]
    double plastic;        // dissipated over the kinetic energy at the start [-]
    double peak;           // of the equivalent plastic strain at integration points [-]
} rod;

static double peak_of(cn_trial *t, cn_body_id id)
{
    int count = cn_body_point_count(t->world, id);
    double *plastic = calloc((size_t)count + 1, sizeof *plastic), peak = 0.0;
    cn_error err;
    if (plastic != NULL &&
        cn_trial_ok(t, cn_body_point_stress(t->world, id, NULL, NULL, plastic, &err), &err)) {
        for (int k = 0; k < count; k++) {
            peak = fmax(peak, plastic[k]);
        }
    }
    free(plastic);
    return peak;
}

static rod strike(cn_book *book, int across, int along, double h)
{
    rod r = {NAN, NAN, NAN, NAN, NAN};
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, 0.0);
    cn_build_plane(&t, (cn_body_def){0});
    cn_material_def copper = cn_soft_elastic(117e9, 0.35, 8930.0);
    copper.model = CN_MATERIAL_J2;
    copper.kinematics = CN_TOTAL_LAGRANGE;
    copper.yield = 400e6;
    copper.hardening = 100e6;
    cn_soft soft = cn_soft_box(book, CN_QUAD4, (int[]){across, along}, (double[]){0.0, 0.0},
                               (double[]){RADIUS, LENGTH}, copper);
    soft.mesh.plane = CN_AXISYMMETRIC;
    cn_body_id id = cn_soft_add(&t, &soft, (cn_body_def){.velocity = {0.0, -SPEED}});
    cn_soft_hold(&t, id, "x0", CN_DOF_X);
    double mass = cn_trial_state(&t, id).mass;
    cn_trial_run(&t, h, lround(DURATION / h));
    if (!t.is_broken) {
        cn_node_view n = cn_soft_nodes(&t, id);
        r = (rod){.speed = cn_trial_state(&t, id).velocity[1]};
        for (int a = 0; a < n.node_count; a++) {
            r.radius = fmax(r.radius, n.x[2 * a]);
            r.length = fmax(r.length, n.x[2 * a + 1]);
        }
        r.peak = peak_of(&t, id);
        r.plastic =
            cn_world_view(t.world).ledger->total[CN_ENERGY_PLASTIC] / (0.5 * mass * SPEED * SPEED);
    }
    cn_trial_end(&t);
    cn_soft_free(&soft);
    return r;
}

void cn_case_D10(cn_book *book)
{
    rod r = strike(book, 6, 60, 5e-8);
    cn_check_rel(book, "length [m]", r.length, 21.45e-3, 0.015);
    cn_check_rel(book, "radius of the foot [m]", r.radius, 7.05e-3, 0.04);
    cn_check(book, "peak plastic strain", r.peak, 2.85, 0.35);
    cn_check(book, "energy dissipated by plastic strain", r.plastic, 1.0, 0.05);
    cn_check(book, "speed over that of the impact", r.speed / SPEED, 0.0, 0.1);
}
