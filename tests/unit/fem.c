// tests/unit/fem.c -- mesh models: masses, forces, patterns, boundaries, bad meshes.
#include <stdlib.h>

#include "cairn/result.h"
#include "fem/assembly/fem.h"
#include "fem_meshes.h"
#include "math/dense.h"
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
    CN_DO(cn_fem_force(fem, x, NULL, f, NULL, &energy, &test_error));
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
    CN_DO(cn_fem_force(fem, x, NULL, f, K, NULL, &test_error));
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

// A block of one element type in a state of uniform deformation F.
static cn_fem *make_uniform(int type, cn_kinematics kinematics, const double F[9], double **x)
{
    cn_material_def m = make_steel();
    m.young = 1.0;
    m.kinematics = kinematics;
    test_mesh mesh = make_block(type, (int[3]){2, 2, 2}, (double[3]){1.0, 1.0, 1.0}, 0.1, &m);
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &mesh.def, &fem, &test_error));
    free_mesh(&mesh);
    *x = calloc((size_t)fem->dof_count, sizeof **x);
    for (int q = 0; q < fem->dof_count; q++) {
        for (int k = 0; k < fem->dim; k++) {
            (*x)[q] += F[3 * (q % fem->dim) + k] * fem->X[q - q % fem->dim + k];
        }
    }
    return fem;
}

// A stretch by 1.1 along x in plane strain (uniaxial strain), turned by 30 degrees: the stress
// turns with it, at points and nodes, for every element.
CN_TEST(stress_turns_with_the_body)
{
    const double c = cos(CN_PI / 6.0), s = 0.5, stretch = 1.1;
    const double F[9] = {c * stretch, -s, 0.0, s * stretch, c, 0.0, 0.0, 0.0, 1.0};
    double lambda = 0.3 / (1.3 * 0.4), mu = 0.5 / 1.3, E = 0.5 * (stretch * stretch - 1.0);
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        for (int k = CN_COROTATIONAL; k <= CN_TOTAL_LAGRANGE; k++) {
            // Linear strain 0.1; or S = D E pushed forward: stretch^2/J along x, 1/J across.
            bool is_finite = k == CN_TOTAL_LAGRANGE;
            double strain = is_finite ? E : stretch - 1.0;
            double along = (lambda + 2.0 * mu) * strain * (is_finite ? stretch : 1.0);
            double across = lambda * strain / (is_finite ? stretch : 1.0);
            double *x, value[3], axes[9];
            cn_fem *fem = make_uniform(type, (cn_kinematics)k, F, &x);
            int points = fem->point_start[fem->element_count];
            double *point = calloc((size_t)points * 6, sizeof *point);
            double *node = calloc((size_t)fem->node_count * 6, sizeof *node);
            double *work = calloc((size_t)fem->node_count, sizeof *work);
            CN_DO(cn_fem_stress_points(fem, x, NULL, point, NULL, NULL, &test_error));
            cn_fem_extrapolate(fem, 6, point, node, work);
            for (int a = 0; a < fem->node_count; a++) {
                cn_fem_principal(node + 6 * a, value, axes);
                CN_NEAR(value[0], along, 1e-13, "uniform");
                CN_NEAR(value[2], across, 1e-13, "uniform");
                CN_NEAR(fabs(axes[0]), c, 1e-13, "turned by 30 degrees");
                CN_NEAR(cn_stress_mises(node + 6 * a), along - across, 1e-13, "two equal ones");
            }
            free(point), free(node), free(work), free(x);
            cn_fem_destroy(fem);
        }
    }
}

// Linear: C = alpha M + (beta + time) K. Turned: C does not resist spinning.
CN_TEST(damping_spares_rotation)
{
    for (int k = CN_SMALL; k <= CN_TOTAL_LAGRANGE; k++) {
        cn_material_def m = make_steel();
        m.kinematics = (cn_kinematics)k;
        m.young = 1.0;
        m.viscous_time = 0.1;
        m.rayleigh_stiffness = 0.2;
        m.rayleigh_mass = k == CN_SMALL ? 0.5 : 0.0;
        test_mesh mesh =
            make_block(CN_HEX8, (int[3]){2, 2, 2}, (double[3]){1.0, 1.0, 1.0}, 0.1, &m);
        cn_fem *fem = NULL;
        CN_DO(cn_fem_create(NULL, &mesh.def, &fem, &test_error));
        size_t n = (size_t)fem->dof_count;
        double *x = calloc(n, sizeof *x), *v = calloc(n, sizeof *v), *y = calloc(n, sizeof *y);
        double *C = calloc((size_t)fem->entry_count, sizeof *C);
        double *K = calloc((size_t)fem->entry_count, sizeof *K);
        for (int a = 0; a < fem->node_count;
             a++) { // turned by 90 degrees about z, spinning about x
            x[3 * a] = k == CN_SMALL ? fem->X[3 * a] : -fem->X[3 * a + 1];
            x[3 * a + 1] = k == CN_SMALL ? fem->X[3 * a + 1] : fem->X[3 * a];
            x[3 * a + 2] = fem->X[3 * a + 2];
            v[3 * a + 1] = -x[3 * a + 2];
            v[3 * a + 2] = x[3 * a + 1];
        }
        CN_DO(cn_fem_damping(fem, x, C, &test_error));
        cn_fem_multiply(fem, C, v, y);
        for (size_t q = 0; q < n; q++) {
            double drag = k == CN_SMALL ? 0.5 * fem->mass[q] * v[q] : 0.0;
            CN_NEAR(y[q], drag, 1e-14 + 1e-15 * fabs(drag), "only the mass part resists");
        }
        if (k == CN_SMALL) {
            CN_DO(cn_fem_force(fem, x, NULL, y, K, NULL, &test_error));
            for (int c = 0; c < fem->dof_count; c++) {
                int last = fem->col_start[c + 1] - 1;
                double exact = 0.3 * K[last] + 0.5 * fem->mass[c];
                CN_NEAR(C[last], exact, 1e-12 * exact, "alpha M + (beta + time) K");
            }
        }
        free(x), free(v), free(y), free(C), free(K);
        cn_fem_destroy(fem);
        free_mesh(&mesh);
    }
}

// Pure shear of a plastic block: sqrt(3) G (gamma - g) = yield + H g/sqrt(3) gives the plastic
// shear g; unloading by what is elastic leaves no force. The energies add up to the work for H = 0
// paths.
CN_TEST(plastic_history_is_carried)
{
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        cn_material_def m = make_steel();
        m.model = CN_MATERIAL_J2;
        m.young = 2.6;
        m.yield = 0.01;
        m.hardening = 0.3;
        test_mesh mesh = make_block(type, (int[3]){2, 2, 2}, (double[3]){1.0, 1.0, 1.0}, 0.1, &m);
        cn_fem *fem = NULL;
        CN_DO(cn_fem_create(NULL, &mesh.def, &fem, &test_error));
        size_t n = (size_t)fem->dof_count, size = cn_fem_history_size(fem);
        double *x = calloc(n, sizeof *x), *f = calloc(n, sizeof *f);
        double *virgin = calloc(size, sizeof *virgin), *state = calloc(size, sizeof *state);
        double *next = calloc(size, sizeof *next), gamma = 0.05, top = 0.0, G = 1.0;
        double g = (sqrt(3.0) * G * gamma - 0.01) / (sqrt(3.0) * G + 0.3 / sqrt(3.0));
        for (int q = 0; q < (int)n; q++) {
            x[q] = fem->X[q] + (q % fem->dim == 0 ? gamma * fem->X[q + 1] : 0.0);
        }
        cn_fem_energy energy;
        CN_DO(
            cn_fem_force(fem, x, &(cn_fem_history){virgin, state}, f, NULL, &energy, &test_error));
        for (int a = 0; a < fem->node_count; a++) {
            top += fem->X[fem->dim * a + 1] > 0.999 ? f[fem->dim * a] : 0.0;
        }
        double tau = G * (gamma - g);
        CN_NEAR(top, tau, 1e-14, "stress times area");
        CN_NEAR(energy.stored, 0.5 * tau * (gamma - g), 1e-15, "elastic energy");
        CN_NEAR(energy.plastic, tau * g, 1e-15, "yield stress x plastic strain");
        for (int q = 0; q < (int)n; q++) {
            x[q] = fem->X[q] + (q % fem->dim == 0 ? g * fem->X[q + 1] : 0.0);
        }
        CN_DO(cn_fem_force(fem, x, &(cn_fem_history){state, next}, f, NULL, &energy, &test_error));
        for (int q = 0; q < (int)n; q++) {
            CN_NEAR(f[q], 0.0, 1e-14, "unloaded");
        }
        CN_NEAR(energy.plastic, 0.0, 1e-15, "elastic way back");
        free(x), free(f), free(virgin), free(state), free(next);
        cn_fem_destroy(fem);
        free_mesh(&mesh);
    }
}

// Every law is under its initial stress at rest; a stress beyond yield is refused.
CN_TEST(initial_stress_is_there_at_rest)
{
    const double stress[6] = {0.03, -0.02, 0.01, 0.015, 0.0, 0.0};
    for (int model = 0; model < CN_MATERIAL_COUNT; model++) {
        for (int plane = CN_PLANE_STRAIN; plane <= CN_PLANE_STRESS; plane++) {
            cn_material_def m = make_steel();
            m.model = (cn_material_model)model;
            m.kinematics = CN_TOTAL_LAGRANGE;
            m.young = m.bulk = m.yield = 1.0;
            m.mooney_c10 = 0.2;
            for (int k = 0; k < 3; k++) {
                m.young_axis[k] = m.shear_axis[k] = 1.0;
            }
            memcpy(m.initial_stress, stress, sizeof stress);
            m.initial_stress[2] = plane == CN_PLANE_STRESS ? 0.0 : stress[2];
            cn_mesh_def def = make_square(&m);
            def.plane = (cn_plane)plane;
            cn_fem *fem = NULL;
            CN_DO(cn_fem_create(NULL, &def, &fem, &test_error));
            double at[2 * 6], virgin[32] = {0.0};
            CN_DO(cn_fem_stress_points(fem, fem->X, virgin, at, NULL, NULL, &test_error));
            for (int k = 0; k < 6; k++) {
                CN_NEAR(at[k], m.initial_stress[k], 1e-15, "asked for");
            }
            CN_TRUE(!fem->is_linear);
            cn_fem_destroy(fem);
            m.yield = 0.01;
            if (model == CN_MATERIAL_J2) {
                CN_FAILS(cn_fem_create(NULL, &def, &fem, &test_error), CN_BAD_INPUT,
                         "initial_stress");
            }
        }
    }
}

// An element turned inside out, or a position that is not a number, is told with its number.
CN_TEST(broken_positions_are_named)
{
    for (int k = CN_SMALL; k <= CN_TOTAL_LAGRANGE; k++) {
        cn_material_def steel = make_steel();
        steel.kinematics = (cn_kinematics)k;
        cn_mesh_def def = make_square(&steel);
        cn_fem *fem = NULL;
        CN_DO(cn_fem_create(NULL, &def, &fem, &test_error));
        double x[8], f[8];
        memcpy(x, square_node, sizeof x);
        x[6] = 2.0; // node 3 beyond the diagonal
        if (k != CN_SMALL) {
            CN_FAILS(cn_fem_force(fem, x, NULL, f, NULL, NULL, &test_error), CN_BROKEN,
                     "element 1 (tri3");
        }
        x[6] = NAN;
        CN_FAILS(cn_fem_force(fem, x, NULL, f, NULL, NULL, &test_error), CN_BROKEN,
                 "element 1 (tri3");
        cn_fem_destroy(fem);
    }
}

// Names find their nodes and boundary faces; a side inside the mesh is refused.
CN_TEST(sets_are_found_by_name)
{
    cn_material_def steel = make_steel();
    cn_mesh_def def = make_square(&steel);
    static const int left[] = {0, 3}, left_side[] = {1, 2}, inner[] = {1, 0};
    cn_mesh_set set = {.name = "left", .node_count = 2, .node = left, .side_count = 1};
    set.side = left_side;
    def.set_count = 1;
    def.set = &set;
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &def, &fem, &test_error));
    CN_TRUE(cn_fem_set_find(fem, "left") == 0 && cn_fem_set_find(fem, "right") == -1);
    CN_TRUE(fem->set_node[1] == 3 && fem->set_face[0] == 3);
    cn_fem_destroy(fem);
    set.side = inner;
    CN_FAILS(cn_fem_create(NULL, &def, &fem, &test_error), CN_BAD_INPUT, "not on the boundary");
}

// Every allocation of the build may fail; nothing leaks (the sanitizer build sees that).
static void *fail_at(void *context, void *memory, size_t size)
{
    int *left = context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(memory, size) : NULL;
}

CN_TEST(memory_may_run_out_anywhere)
{
    cn_material_def steel = make_steel();
    cn_mesh_def def = make_square(&steel);
    cn_status status = CN_NO_MEMORY;
    int start = 0;
    for (; status == CN_NO_MEMORY && start < 1000; start++) {
        int left = start;
        cn_hooks hooks = {fail_at, &left};
        cn_fem *fem = NULL;
        status = cn_fem_create(&hooks, &def, &fem, &test_error);
        CN_TRUE((status == CN_OK) == (fem != NULL));
        cn_fem_destroy(fem);
    }
    CN_TRUE(status == CN_OK && start > 10);
}

// u.K u
static double bend(const cn_fem *fem, const double *K, const double *u)
{
    double Ku[8], sum = 0.0;
    cn_fem_multiply(fem, K, u, Ku);
    for (int q = 0; q < 8; q++) {
        sum += u[q] * Ku[q];
    }
    return sum;
}

// Pressed from all sides a body gives energy as it turns, since forces keep their direction. Left
// out, by half or all of it, stretching is as stiff as before.
CN_TEST(convex_tangent_gives_no_energy)
{
    cn_material_def rubber = make_steel();
    rubber.model = CN_MATERIAL_NEO_HOOKEAN;
    cn_mesh_def def = make_square(&rubber);
    def.element_count = 1;
    def.type = (unsigned char[]){CN_QUAD4};
    def.element_start = (int[]){0, 4};
    def.element_node = (int[]){0, 1, 2, 3};
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &def, &fem, &test_error));
    CN_DO(cn_dense_start(&test_error));
    double x[8], f[8], turn[8], *K = malloc((size_t)fem->entry_count * sizeof *K);
    for (int q = 0; q < 8; q++) {
        x[q] = 0.8 * (square_node[q] - 0.5);
        turn[q] = q % 2 == 0 ? 0.5 - square_node[q + 1] : square_node[q - 1] - 0.5;
    }
    CN_DO(cn_fem_force(fem, x, NULL, f, K, NULL, &test_error));
    double turned = bend(fem, K, turn), stretched = bend(fem, K, x);
    CN_TRUE(turned < -1e-2 * stretched);
    for (int k = 1; k <= 2; k++) {
        CN_DO(cn_fem_convexify(fem, x, NULL, 0.5, K, &test_error));
        CN_NEAR(bend(fem, K, turn), (1.0 - 0.5 * k) * turned, 1e-12 * stretched, "what is left");
        CN_NEAR(bend(fem, K, x), stretched, 1e-12 * stretched, "by symmetry another eigenvector");
    }
    free(K);
    cn_fem_destroy(fem);
}

CN_MAIN(CN_RUN(convex_tangent_gives_no_energy); CN_RUN(stretch_gives_the_forces_of_hooke);
        CN_RUN(tangent_times_displacement_is_the_force); CN_RUN(boundary_leaves_out_the_diagonal);
        CN_RUN(bad_meshes_are_named); CN_RUN(stress_turns_with_the_body);
        CN_RUN(damping_spares_rotation); CN_RUN(plastic_history_is_carried);
        CN_RUN(sets_are_found_by_name); CN_RUN(memory_may_run_out_anywhere);
        CN_RUN(initial_stress_is_there_at_rest); CN_RUN(broken_positions_are_named);)
