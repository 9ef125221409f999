// tests/unit/fem.c -- mesh models: masses, forces, patterns, boundaries, bad meshes.
#include <stdlib.h>

#include "fem/fem.h"
#include "test.h"

// Unit square of two triangles.
static const double square_node[] = {0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0};
static const unsigned char square_type[] = {CN_TRI3, CN_TRI3};
static const int square_start[] = {0, 3, 6};
static const int square_element[] = {0, 1, 2, 0, 2, 3};

static cn_mesh_def make_square(const cn_material_def *material)
{
    return (cn_mesh_def){.dim = 2,
                         .node_count = 4,
                         .node = square_node,
                         .element_count = 2,
                         .type = square_type,
                         .element_start = square_start,
                         .element_node = square_element,
                         .material_count = 1,
                         .material = material};
}

static cn_material_def make_steel(void)
{
    cn_material_def steel = cn_material_def_default();
    steel.density = 7800.0;
    steel.young = 2e11;
    steel.poisson = 0.3;
    return steel;
}

CN_TEST(stretch_gives_the_forces_of_hooke)
{
    cn_material_def steel = make_steel();
    cn_mesh_def def = make_square(&steel);
    def.plane = CN_PLANE_STRESS;
    def.thickness = 0.01;
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &def, &fem, &test_error));
    double x[8], f[8], stretch = 1e-4;
    for (int a = 0; a < 4; a++) {
        x[2 * a] = square_node[2 * a] * (1.0 + stretch);
        x[2 * a + 1] = square_node[2 * a + 1] * (1.0 - 0.3 * stretch);
    }
    cn_fem_energy energy;
    CN_DO(cn_fem_force(fem, x, NULL, NULL, f, NULL, &energy, &test_error));
    double pull = 2e11 * stretch * 0.01;
    CN_NEAR(f[2] + f[4], pull, 1e-8 * pull, "rounding of positions over a strain of 1e-4");
    CN_NEAR(f[5] + f[7], 0.0, 1e-8 * pull, "free side");
    CN_NEAR(energy.stored, 0.5 * pull * stretch, 1e-8 * pull * stretch, "half the work");
    CN_NEAR(fem->total_mass, 78.0, 1e-12, "density times volume");
    CN_TRUE(fem->is_linear && cn_fem_history_size(fem) == 0);
    cn_fem_destroy(fem);
}

CN_TEST(tangent_times_displacement_is_the_force)
{
    cn_material_def steel = make_steel();
    cn_mesh_def def = make_square(&steel);
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &def, &fem, &test_error));
    const double u[8] = {0.1, 0.2, -0.3, 0.1, 0.25, -0.15, 0.4, 0.05};
    double x[8], f[8], Ku[8];
    for (int q = 0; q < 8; q++) {
        x[q] = fem->X[q] + u[q];
    }
    double *K = malloc((size_t)fem->entry_count * sizeof *K);
    CN_DO(cn_fem_force(fem, x, NULL, NULL, f, K, NULL, &test_error));
    cn_fem_multiply(fem, K, u, Ku);
    for (int q = 0; q < 8; q++) {
        CN_NEAR(f[q], Ku[q], 1e-14 * 2e11, "rounding: the model is linear");
    }
    free(K);
    cn_fem_destroy(fem);
}

CN_TEST(boundary_leaves_out_the_diagonal)
{
    cn_material_def steel = make_steel();
    cn_mesh_def def = make_square(&steel);
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &def, &fem, &test_error));
    static const int expected[8] = {0, 1, 1, 2, 2, 3, 3, 0};
    CN_TRUE(fem->face_count == 4);
    for (int k = 0; k < 8; k++) {
        CN_TRUE(fem->face_node[k] == expected[k]);
    }
    cn_fem_destroy(fem);
}

CN_TEST(bad_meshes_are_named)
{
    cn_material_def steel = make_steel();
    cn_mesh_def def = make_square(&steel);
    cn_fem *fem = NULL;
    static const int turned[] = {0, 1, 2, 0, 3, 2}, missing[] = {0, 1, 2, 0, 2, 7};
    static const int twice[] = {0, 1, 2, 0, 2, 2}, loose[] = {0, 1, 2, 1, 2, 0};
    static const double flat[] = {0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.5, 0.5};
    static const unsigned char solid[] = {CN_TRI3, CN_TET4};
    def.element_node = turned;
    CN_FAILS(cn_fem_create(NULL, &def, &fem, &test_error), CN_BAD_INPUT, "element 1 (tri3");
    def.element_node = missing;
    CN_FAILS(cn_fem_create(NULL, &def, &fem, &test_error), CN_BAD_INPUT, "node 7");
    def.element_node = twice;
    CN_FAILS(cn_fem_create(NULL, &def, &fem, &test_error), CN_BAD_INPUT, "twice");
    def.element_node = loose;
    CN_FAILS(cn_fem_create(NULL, &def, &fem, &test_error), CN_BAD_INPUT, "node 3");
    def.element_node = square_element;
    def.node = flat;
    CN_FAILS(cn_fem_create(NULL, &def, &fem, &test_error), CN_BAD_INPUT, "no volume");
    def.node = square_node;
    def.type = solid;
    CN_FAILS(cn_fem_create(NULL, &def, &fem, &test_error), CN_BAD_INPUT, "tet4");
    def.type = square_type;
    steel.poisson = 0.5;
    CN_FAILS(cn_fem_create(NULL, &def, &fem, &test_error), CN_BAD_INPUT, "poisson is 0.5");
    steel.poisson = 0.3;
    steel.density = 0.0;
    CN_FAILS(cn_fem_create(NULL, &def, &fem, &test_error), CN_BAD_INPUT, "density");
    CN_TRUE(fem == NULL);
}

CN_MAIN(CN_RUN(stretch_gives_the_forces_of_hooke); CN_RUN(tangent_times_displacement_is_the_force);
        CN_RUN(boundary_leaves_out_the_diagonal); CN_RUN(bad_meshes_are_named);)
