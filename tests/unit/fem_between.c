// tests/unit/fem_between.c -- forces between two positions: energy and moments to rounding, for
// every element, law and integration (theory 10.33 to 10.35).
#include "fem_meshes.h"
#include "test.h"

static cn_material_def make_material(cn_material_model model)
{
    cn_material_def m = cn_material_def_default();
    m.model = model;
    m.kinematics = CN_TOTAL_LAGRANGE;
    m.density = 1.0;
    m.young = 1.0;
    m.poisson = 0.3;
    m.mooney_c10 = 0.2;
    m.mooney_c01 = 0.1;
    m.bulk = 1.0;
    for (int k = 0; k < 3; k++) {
        m.young_axis[k] = 1.0 + k;
        m.shear_axis[k] = 0.5;
    }
    return m;
}

// Two positions far apart: both shaken, the second turned by about 0.5 rad as well.
static void make_ends(const cn_fem *fem, double *x0, double *x1)
{
    bool is_turned = fem->plane != CN_AXISYMMETRIC;
    double c = is_turned ? cos(0.5) : 1.0, s = is_turned ? sin(0.5) : 0.0;
    for (int a = 0; a < fem->node_count; a++) {
        for (int k = 0; k < fem->dim; k++) {
            int q = fem->dim * a + k;
            x0[q] = fem->X[q] + 0.04 * sin(1.7 * q + 0.3);
            x1[q] = fem->X[q] + 0.05 * cos(2.9 * q);
        }
        double X = x1[fem->dim * a], Y = x1[fem->dim * a + 1];
        x1[fem->dim * a] = c * X - s * Y;
        x1[fem->dim * a + 1] = s * X + c * Y;
    }
}

static void check_balance(int type, cn_material_model model, cn_plane plane,
                          cn_integration integration)
{
    cn_material_def m = make_material(model);
    test_mesh mesh = make_block(type, (int[3]){2, 2, 1}, (double[3]){1.0, 1.0, 1.0}, 0.1, &m);
    mesh.def.plane = plane;
    mesh.def.integration = integration;
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &mesh.def, &fem, &test_error));
    int n = fem->dof_count, d = fem->dim;
    double *x0 = calloc((size_t)n, sizeof *x0), *x1 = calloc((size_t)n, sizeof *x1);
    double *f = calloc((size_t)n, sizeof *f), *f0 = calloc((size_t)n, sizeof *f0);
    make_ends(fem, x0, x1);
    cn_fem_energy before, after, told;
    CN_DO(cn_fem_force(fem, x0, NULL, f0, NULL, &before, &test_error));
    CN_DO(cn_fem_force(fem, x1, NULL, f, NULL, &after, &test_error));
    CN_DO(cn_fem_force_between(fem, x0, x1, f, NULL, &told, &test_error));
    double work = 0.0, moment[3] = {0.0}, sum[3] = {0.0}, scale = 0.0;
    for (int q = 0; q < n; q++) {
        int a = q / d, i = (q % d + 1) % 3, j = (q % d + 2) % 3;
        work += f[q] * (x1[q] - x0[q]);
        scale += fabs(f[q] * (x1[q] - x0[q]));
        sum[q % d] += f[q];
        // force along k gives moments about the two other axes
        moment[j] += i < d ? -f[q] * 0.5 * (x0[d * a + i] + x1[d * a + i]) : 0.0;
        moment[i] += j < d ? f[q] * 0.5 * (x0[d * a + j] + x1[d * a + j]) : 0.0;
    }
    CN_NEAR(told.stored, after.stored, 1e-14, "energy at the end");
    CN_NEAR(work, after.stored - before.stored, 1e-14 + 1e-14 * scale, "work is energy");
    for (int k = 0; k < 3 && plane != CN_AXISYMMETRIC; k++) {
        CN_NEAR(moment[k], 0.0, 1e-14, "moments balance");
        CN_NEAR(sum[k], 0.0, 1e-14, "forces balance");
    }
    CN_DO(cn_fem_force_between(fem, x0, x0, f, NULL, NULL, &test_error));
    for (int q = 0; q < n; q++) {
        CN_NEAR(f[q], f0[q], 1e-14, "a step of length zero");
    }
    free(x0), free(x1), free(f), free(f0);
    cn_fem_destroy(fem);
    free_mesh(&mesh);
}

CN_TEST(work_is_energy)
{
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        check_balance(type, CN_MATERIAL_SAINT_VENANT, CN_PLANE_STRAIN, CN_INTEGRATION_FULL);
        check_balance(type, CN_MATERIAL_SAINT_VENANT, CN_PLANE_STRAIN, CN_INTEGRATION_BBAR);
        check_balance(type, CN_MATERIAL_NEO_HOOKEAN, CN_PLANE_STRAIN, CN_INTEGRATION_BBAR);
        if (cn_element_of(type)->dim == 2) {
            check_balance(type, CN_MATERIAL_NEO_HOOKEAN, CN_PLANE_STRESS, CN_INTEGRATION_BBAR);
            check_balance(type, CN_MATERIAL_NEO_HOOKEAN, CN_AXISYMMETRIC, CN_INTEGRATION_BBAR);
        }
    }
    for (int model = 0; model < CN_MATERIAL_J2; model++) {
        check_balance(CN_HEX8, (cn_material_model)model, CN_PLANE_STRAIN, CN_INTEGRATION_BBAR);
    }
}

// K at x0 = x1 is twice the change of f with x1.
CN_TEST(tangent_is_twice_the_slope)
{
    cn_material_def m = make_material(CN_MATERIAL_NEO_HOOKEAN);
    test_mesh mesh = make_block(CN_QUAD4, (int[3]){2, 2, 1}, (double[3]){1.0, 1.0, 1.0}, 0.1, &m);
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &mesh.def, &fem, &test_error));
    size_t n = (size_t)fem->dof_count;
    double *x0 = calloc(n, sizeof *x0), *x1 = calloc(n, sizeof *x1), *d = calloc(n, sizeof *d);
    double *f = calloc(n, sizeof *f), *f2 = calloc(n, sizeof *f), *Kd = calloc(n, sizeof *f);
    double *K = calloc((size_t)fem->entry_count, sizeof *K);
    make_ends(fem, x1, x0);
    CN_DO(cn_fem_force_between(fem, x0, x0, f, K, NULL, &test_error));
    for (size_t q = 0; q < n; q++) {
        d[q] = sin(1.1 * (double)q);
    }
    cn_fem_multiply(fem, K, d, Kd);
    const double h = 1e-5;
    for (size_t q = 0; q < n; q++) {
        x1[q] = x0[q] + h * d[q];
    }
    CN_DO(cn_fem_force_between(fem, x0, x1, f, NULL, NULL, &test_error));
    for (size_t q = 0; q < n; q++) {
        x1[q] = x0[q] - h * d[q];
    }
    CN_DO(cn_fem_force_between(fem, x0, x1, f2, NULL, NULL, &test_error));
    for (size_t q = 0; q < n; q++) {
        CN_NEAR((f[q] - f2[q]) / h, Kd[q], 1e-7, "central difference, times two");
    }
    free(x0), free(x1), free(d), free(f), free(f2), free(Kd), free(K);
    cn_fem_destroy(fem);
    free_mesh(&mesh);
}

CN_TEST(others_are_refused)
{
    cn_material_def m = make_material(CN_MATERIAL_LINEAR);
    m.kinematics = CN_COROTATIONAL;
    test_mesh mesh = make_block(CN_TRI3, (int[3]){1, 1, 1}, (double[3]){1.0, 1.0, 1.0}, 0.0, &m);
    cn_fem *fem = NULL;
    double f[8];
    CN_DO(cn_fem_create(NULL, &mesh.def, &fem, &test_error));
    CN_FAILS(cn_fem_force_between(fem, fem->X, fem->X, f, NULL, NULL, &test_error), CN_BAD_INPUT,
             "co-rotational");
    cn_fem_destroy(fem);
    free_mesh(&mesh);
}

CN_MAIN(CN_RUN(work_is_energy); CN_RUN(tangent_is_twice_the_slope); CN_RUN(others_are_refused);)
