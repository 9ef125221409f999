// Nodes that are held or driven are where they were told to be, whatever the material, and the
// certificate says so (theory 9.6, 11.6).
#include "test.h"

#include "grids.h"
#include "scenes.h"
#include "strict.h"
#include "world/world.h"

static const double E = 1e6, NU = 0.3;

// Every law that bodies of elements may have; those of large strains among them.
static cn_material_def material_of(cn_material_model model, cn_kinematics kinematics)
{
    cn_material_def material = grid_elastic(E, NU, 1000.0);
    material.model = model;
    material.kinematics = kinematics;
    material.mooney_c10 = material.mooney_c01 = E / 12.0;
    material.bulk = E;
    material.yield = 2e4;
    material.hardening = 1e5;
    return material;
}

typedef struct pull {
    int dim;
    bool is_static;
    double theta, rate; // of the driven side [m/s]
    double reaction;    // out: of the driven side [N]
} pull;

// A unit block of one or eight elements, its low sides on rollers, is pulled or pressed at one
// side in ten steps.
static void drive_side(cn_material_def material, int cells, pull *p)
{
    cn_world_def def = cn_world_def_default();
    def.dim = p->dim;
    memset(def.gravity, 0, sizeof def.gravity);
    def.theta = p->theta;
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    cn_deform_def deform = cn_deform_def_default();
    deform.is_quasi_static = p->is_static;
    CN_DO(cn_world_set_deform(w, &deform, &test_error));
    grid *g = grid_make(p->dim, p->dim == 2 ? CN_QUAD4 : CN_HEX8, (int[]){cells, cells, cells},
                        (double[]){0, 0, 0}, (double[]){1, 1, 1}, material);
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    static const char *const low[3] = {"x0", "y0", "z0"};
    cn_node_drive_def drive = {.body = id, .kind = CN_DRIVE_VELOCITY, .f = cn_constant(0.0)};
    for (int d = 0; d < p->dim; d++) {
        drive.set = low[d];
        drive.dof = (cn_dof)d;
        CN_DO(cn_node_drive_add(w, &drive, &test_error));
    }
    drive.set = "x1";
    drive.dof = CN_DOF_X;
    drive.f = cn_constant(p->rate);
    CN_DO(cn_node_drive_add(w, &drive, &test_error));
    cn_node_view nodes;
    for (int k = 1; k <= 10; k++) {
        CN_DO(test_step(w, 0.1, &test_error));
        CN_TRUE(cn_world_view(w).certificate->drive_error == 0.0);
        CN_DO(cn_body_nodes(w, id, &nodes, &test_error));
        double first = p->theta * p->rate * 0.1; // the velocity before the first step is zero
        double way = first + (k - 1) * p->rate * 0.1;
        p->reaction = 0.0;
        for (int n = 0; n < nodes.node_count; n++) {
            const double *X = nodes.X + p->dim * n, *x = nodes.x + p->dim * n;
            if (X[0] == 1.0) {
                CN_NEAR(x[0], 1.0 + way, 1e-14, "rounding of ten sums");
                p->reaction += nodes.reaction[p->dim * n] / 0.1;
            }
            for (int d = 0; d < p->dim; d++) {
                CN_TRUE(X[d] != 0.0 || x[d] == 0.0);
            }
        }
    }
    CN_NEAR(cn_world_view(w).ledger->error_max, 0.0, 1e-10, "rounding");
    cn_world_destroy(w);
    grid_free(g);
}

// First Piola stress of neo-Hooke in plane strain at the stretch a, free sideways (theory 10.20):
// mu (b - 1/b) + lambda ln(a b)/b = 0 gives the other stretch b.
static double neo_hooke_pull(double a)
{
    double mu = E / (2.0 * (1.0 + NU)), lambda = E * NU / ((1.0 + NU) * (1.0 - 2.0 * NU));
    double low = 0.5, high = 2.0;
    for (int k = 0; k < 60; k++) {
        double b = 0.5 * (low + high), s = mu * (b - 1.0 / b) + lambda * log(a * b) / b;
        *(s < 0.0 ? &low : &high) = b;
    }
    return mu * (a - 1.0 / a) + lambda * log(a * low) / a;
}

CN_TEST(driven_element_has_the_force_of_its_law)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        pull p = {.dim = 2, .is_static = true, .theta = 1.0, .rate = 0.1 * sign};
        drive_side(material_of(CN_MATERIAL_NEO_HOOKEAN, CN_TOTAL_LAGRANGE), 1, &p);
        double exact = neo_hooke_pull(1.0 + 0.1 * sign);
        CN_NEAR(p.reaction, exact, 1e-7 * fabs(exact), "tolerance of the balance, 1e-8");
    }
}

// 10 % pulled and pressed, static and dynamic, in the plane and in space.
CN_TEST(imposed_motion_is_kept_by_every_material)
{
    static const struct {
        cn_material_model model;
        cn_kinematics kinematics;
    } law[] = {{CN_MATERIAL_LINEAR, CN_SMALL},
               {CN_MATERIAL_LINEAR, CN_COROTATIONAL},
               {CN_MATERIAL_SAINT_VENANT, CN_TOTAL_LAGRANGE},
               {CN_MATERIAL_NEO_HOOKEAN, CN_TOTAL_LAGRANGE},
               {CN_MATERIAL_MOONEY_RIVLIN, CN_TOTAL_LAGRANGE},
               {CN_MATERIAL_BLATZ_KO, CN_TOTAL_LAGRANGE},
               {CN_MATERIAL_J2, CN_SMALL},
               {CN_MATERIAL_J2, CN_TOTAL_LAGRANGE}};
    for (int k = 0; k < (int)(sizeof law / sizeof *law); k++) {
        cn_material_def material = material_of(law[k].model, law[k].kinematics);
        for (int mask = 0; mask < 12; mask++) {
            pull p = {.dim = mask & 1 ? 3 : 2,
                      .is_static = mask < 4,
                      .theta = mask < 8 ? 1.0 : 0.5,
                      .rate = mask & 2 ? 0.1 : -0.1};
            drive_side(material, p.dim == 2 && mask != 1 ? 3 : 2, &p);
        }
    }
}

// A block of one deformation gradient that is driven as a whole, by a displacement.
CN_TEST(imposed_motion_is_kept_by_pseudo_rigid_bodies)
{
    cn_world_def def = cn_world_def_default();
    cn_law_def law = cn_law_coulomb(0.0, 0.0);
    cn_world *w = scene_world_with(&def, &law);
    grid *g = grid_make(2, CN_QUAD4, (int[]){2, 2}, (double[]){0, 0}, (double[]){1, 1},
                        material_of(CN_MATERIAL_NEO_HOOKEAN, CN_TOTAL_LAGRANGE));
    g->def.is_pseudo_rigid = true;
    cn_body_id id = grid_body(w, g, 0.0, 0.0);
    cn_node_drive_def drive = {
        .body = id, .kind = CN_DRIVE_VELOCITY, .dof = CN_DOF_Y, .f = cn_constant(0.3)};
    CN_DO(cn_node_drive_add(w, &drive, &test_error));
    for (int k = 0; k < 10; k++) {
        CN_DO(test_step(w, 0.1, &test_error));
        CN_TRUE(cn_world_view(w).certificate->drive_error == 0.0);
    }
    CN_NEAR(scene_state(w, id).position[1], 0.5 + 0.3 - 0.015, 1e-14, "half a step to start up");
    cn_world_destroy(w);
    grid_free(g);
}

// The certificate sees what a drive does not reach: a node, a side of a rigid body, a turn.
CN_TEST(drive_error_names_who_did_not_follow)
{
    const double h = 0.1;
    cn_world *w = scene_world(1.0, 0.0, 1e-10);
    grid *g = grid_make(2, CN_QUAD4, (int[]){1, 1}, (double[]){0, 0}, (double[]){1, 1},
                        grid_elastic(E, NU, 1000.0));
    scene_ground(w, 0.0, -5.0, 0.0);
    cn_body_id mesh = grid_body(w, g, 0.0, 0.0), disk = scene_disk(w, 9.0, 0.0, 0.5, CN_FIXED_ALL);
    cn_node_drive_def drive = {
        .body = mesh, .set = "x1", .kind = CN_DRIVE_VELOCITY, .f = cn_constant(1.0)};
    CN_DO(cn_node_drive_add(w, &drive, &test_error));
    CN_DO(test_step(w, h, &test_error));
    cn_drive_def whole = {.body = mesh, .kind = CN_DRIVE_VELOCITY, .f = cn_constant(1.0)};
    cn_force_def force = {.body = mesh, .direction = {1.0}, .f = cn_constant(1.0)};
    CN_TRUE(cn_drive_add(w, &whole, NULL) == CN_BAD_INPUT); // they would move nothing
    CN_TRUE(cn_force_add(w, &force, NULL) == CN_BAD_INPUT);
    cn_certificate c;
    cn_audit_drives(&w->bodies, h, &c);
    CN_TRUE(c.drive_error == 0.0 && c.drive_worst == 0);
    w->bodies.deformables->v[2 * 1] += 0.25; // node 1 is on the driven side
    cn_audit_drives(&w->bodies, h, &c);
    CN_NEAR(c.drive_error, 0.025, 1e-15, "h x 0.25 m/s");
    CN_TRUE(c.drive_worst == mesh);
    w->bodies.deformables->v[2 * 0] += 9.0; // node 0 is free
    cn_audit_drives(&w->bodies, h, &c);
    CN_NEAR(c.drive_error, 0.025, 1e-15, "h x 0.25 m/s");
    w->bodies.v[3 * 2 + 2] = 1.0; // the disk turns
    cn_audit_drives(&w->bodies, h, &c);
    CN_NEAR(c.drive_error, h * 0.5, 1e-15, "h x 1 rad/s x radius");
    CN_TRUE(c.drive_worst == disk);
    w->bodies.deformables->v[2 * 1] = NAN;
    cn_audit_drives(&w->bodies, h, &c);
    CN_TRUE(isinf(c.drive_error) && c.drive_worst == mesh);
    cn_world_destroy(w);
    grid_free(g);
}

CN_MAIN(CN_RUN(driven_element_has_the_force_of_its_law);
        CN_RUN(imposed_motion_is_kept_by_every_material);
        CN_RUN(imposed_motion_is_kept_by_pseudo_rigid_bodies);
        CN_RUN(drive_error_names_who_did_not_follow);)
