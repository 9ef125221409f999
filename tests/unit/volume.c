// Meshes made of blocks: every element the right way round, volumes right, sets cover the surface.
#include <math.h>

#include "cairn/mesh.h"
#include "fem/assembly/fem.h"
#include "test.h"

static cn_fem *model(const cn_volume_def *def)
{
    cn_volume *volume = NULL;
    CN_DO(cn_volume_make(def, &volume, &test_error));
    cn_material_def material = cn_material_def_default();
    material.density = 1.0;
    material.young = 1.0;
    cn_mesh_def mesh = *cn_volume_mesh(volume);
    mesh.material_count = 1;
    mesh.material = &material;
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &mesh, &fem, &test_error));
    cn_volume_destroy(volume);
    return fem;
}

// Volume of the mesh; its sets must hold each face of the boundary once.
static double volume_of(const cn_volume_def *def)
{
    cn_fem *fem = model(def);
    double volume = fem->volume;
    CN_TRUE(fem->set_face_start[fem->set_count] == fem->face_count);
    cn_fem_destroy(fem);
    return volume;
}

static const cn_element_type plane[] = {CN_TRI3, CN_TRI6, CN_QUAD4, CN_QUAD8};
static const cn_element_type space[] = {CN_TET4, CN_TET10, CN_HEX8, CN_HEX20, CN_WEDGE6};

static bool is_quadratic(cn_element_type type)
{
    return type == CN_TRI6 || type == CN_QUAD8 || type == CN_TET10 || type == CN_HEX20;
}

CN_TEST(boxes_are_filled_exactly)
{
    cn_volume_def def = {.size = {2.0, 1.0, 0.5}, .cells = {4, 3, 2}};
    for (int k = 0; k < 4; k++) {
        def.element = plane[k];
        CN_NEAR(volume_of(&def), 2.0, 1e-12, "sums of roundings");
    }
    for (int k = 0; k < 5; k++) {
        def.element = space[k];
        CN_NEAR(volume_of(&def), 1.0, 1e-12, "sums of roundings");
    }
}

CN_TEST(brick_of_eight_triangles)
{
    cn_volume_def def = {
        .element = CN_TRI3, .size = {0.4, 0.2}, .cells = {2, 1}, .is_crossed = true};
    cn_fem *fem = model(&def);
    CN_TRUE(fem->element_count == 8 && fem->node_count == 8 && fem->face_count == 6);
    CN_NEAR(fem->volume, 0.08, 1e-15, "rounding");
    cn_fem_destroy(fem);
}

// Straight edges leave out an error of second order, those with middle nodes one of fourth.
static void check_round(cn_volume_def def, const cn_element_type *type, int count, double exact)
{
    for (int k = 0; k < count; k++) {
        def.element = type[k];
        def.cells[0] = def.cells[1] = def.cells[2] = 3;
        double coarse = fabs(volume_of(&def) / exact - 1.0);
        def.cells[0] = def.cells[1] = def.cells[2] = 6;
        double fine = fabs(volume_of(&def) / exact - 1.0);
        double order = log2(coarse / fine);
        // Chords of 30 degrees miss 1 - sin(a)/a = 4.5 % of a disk, three times as much of a ball.
        CN_TRUE(coarse < (is_quadratic(type[k]) ? 5e-3 : 0.14));
        CN_TRUE(order > (is_quadratic(type[k]) ? 3.3 : 1.8));
    }
}

CN_TEST(round_volumes_converge)
{
    const double pi = 3.14159265358979323846;
    cn_volume_def def = {.kind = CN_VOLUME_DISK, .radius = 2.0};
    check_round(def, plane, 4, pi * 4.0);
    def = (cn_volume_def){.kind = CN_VOLUME_CYLINDER, .radius = 0.5, .length = 3.0};
    check_round(def, space, 5, pi * 0.25 * 3.0);
    def = (cn_volume_def){.kind = CN_VOLUME_SPHERE, .radius = 0.1};
    check_round(def, space, 4, pi * 4.0 / 3.0 * 1e-3);
}

CN_TEST(annulus_closes_on_itself)
{
    cn_volume_def def = {
        .kind = CN_VOLUME_ANNULUS, .element = CN_QUAD4, .radius = 2.0, .inner_radius = 1.0};
    def.cells[0] = 12;
    def.cells[1] = 2;
    cn_fem *fem = model(&def);
    CN_TRUE(fem->node_count == 36 && fem->element_count == 24 && fem->face_count == 24);
    // A polygon of 12 sides instead of a circle.
    CN_NEAR(fem->volume, 0.5 * 12 * sin(2.0 * 3.14159265358979 / 12) * 3.0, 1e-12, "rounding");
    cn_fem_destroy(fem);
}

// The plate of Feng et al. 2006: 54 nodes; its lower edge is an arc of radius 0.101 m.
CN_TEST(plate_has_a_round_edge)
{
    cn_volume_def def = {.kind = CN_VOLUME_PLATE,
                         .element = CN_QUAD4,
                         .size = {0.04, 0.08},
                         .radius = 0.101,
                         .cells = {5, 8}};
    cn_fem *fem = model(&def);
    CN_TRUE(fem->node_count == 54 && fem->element_count == 40);
    int bottom = cn_fem_set_find(fem, "bottom");
    CN_TRUE(bottom >= 0 && fem->set_node_start[bottom + 1] - fem->set_node_start[bottom] == 6);
    for (int k = fem->set_node_start[bottom]; k < fem->set_node_start[bottom + 1]; k++) {
        const double *x = fem->X + 2 * fem->set_node[k];
        CN_NEAR(hypot(x[0], x[1] - 0.101), 0.101, 1e-15, "on the arc");
    }
    cn_fem_destroy(fem);
}

CN_TEST(cells_of_a_given_size)
{
    cn_volume_def def = {.element = CN_QUAD4, .size = {1.0, 0.5}, .cell_size = 0.1};
    cn_fem *fem = model(&def);
    CN_TRUE(fem->element_count == 50);
    cn_fem_destroy(fem);
}

CN_TEST(impossible_meshes_are_refused)
{
    cn_volume *v;
    cn_volume_def def = {.element = CN_HEX8, .kind = CN_VOLUME_DISK, .radius = 1.0};
    CN_FAILS(cn_volume_make(&def, &v, &test_error), CN_BAD_INPUT, "hex8");
    def = (cn_volume_def){.element = CN_QUAD4, .size = {1.0, 0.0}, .cells = {1, 1}};
    CN_FAILS(cn_volume_make(&def, &v, &test_error), CN_BAD_INPUT, "size must be > 0");
    def = (cn_volume_def){.element = CN_QUAD4, .size = {1.0, 1.0}};
    CN_FAILS(cn_volume_make(&def, &v, &test_error), CN_BAD_INPUT, "at least one cell");
    def = (cn_volume_def){.element = CN_HEX8, .size = {1.0, 1.0, 1.0}, .cell_size = 1e-4};
    CN_FAILS(cn_volume_make(&def, &v, &test_error), CN_BAD_INPUT, "cells larger");
    def = (cn_volume_def){.kind = CN_VOLUME_ANNULUS,
                          .element = CN_QUAD4,
                          .radius = 1.0,
                          .inner_radius = 1.0,
                          .cells = {8, 1}};
    CN_FAILS(cn_volume_make(&def, &v, &test_error), CN_BAD_INPUT, "inner radius");
    def = (cn_volume_def){.kind = CN_VOLUME_PLATE,
                          .element = CN_QUAD4,
                          .size = {1.0, 1.0},
                          .radius = 0.4,
                          .cells = {2, 2}};
    CN_FAILS(cn_volume_make(&def, &v, &test_error), CN_BAD_INPUT, "larger radius");
    def = (cn_volume_def){
        .element = CN_QUAD4, .size = {1.0, 1.0}, .cells = {1, 1}, .is_crossed = true};
    CN_FAILS(cn_volume_make(&def, &v, &test_error), CN_BAD_INPUT, "only tri3");
    def = (cn_volume_def){.kind = CN_VOLUME_SPHERE, .element = CN_WEDGE6, .radius = 1.0};
    CN_FAILS(cn_volume_make(&def, &v, &test_error), CN_BAD_INPUT, "wedge6");
}

CN_MAIN(CN_RUN(boxes_are_filled_exactly); CN_RUN(brick_of_eight_triangles);
        CN_RUN(round_volumes_converge); CN_RUN(annulus_closes_on_itself);
        CN_RUN(plate_has_a_round_edge); CN_RUN(cells_of_a_given_size);
        CN_RUN(impossible_meshes_are_refused);)
