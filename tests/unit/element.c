// tests/unit/element.c -- every element of the table: shape functions, integration, patch test on a
// distorted mesh, rigid motions, tangent, rate of convergence.
#include "fem_meshes.h"
#include "test.h"

static cn_material_def make_rubber(cn_kinematics kinematics)
{
    cn_material_def m = cn_material_def_default();
    m.density = 1000.0;
    m.young = 1.0;
    m.poisson = 0.3;
    m.kinematics = kinematics;
    return m;
}

// A distorted block of one element type with 2 or 3 cells a side.
static cn_fem *make_patch(int type, const cn_material_def *material, cn_plane plane,
                          cn_integration integration)
{
    const double size[3] = {1.0, 1.2, 0.9};
    test_mesh m = make_block(type, (const int[3]){2, 2, 2}, size, 0.12, material);
    m.def.plane = plane;
    m.def.integration = integration;
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &m.def, &fem, &test_error));
    free_mesh(&m);
    return fem;
}

static double monomial(const double xi[3], const int power[3])
{
    return pow(xi[0], power[0]) * pow(xi[1], power[1]) * pow(xi[2], power[2]);
}

static double factorial(int n)
{
    return n < 2 ? 1.0 : n * factorial(n - 1);
}

// Exact integrals of monomials over the reference cells.
static double line_integral(int p)
{
    return p % 2 == 0 ? 2.0 / (p + 1) : 0.0;
}

static double simplex_integral(int dim, const int power[3])
{
    double top = 1.0;
    int sum = dim;
    for (int k = 0; k < dim; k++) {
        top *= factorial(power[k]);
        sum += power[k];
    }
    return top / factorial(sum);
}

static double cell_integral(int type, const int power[3])
{
    switch (type) {
    case CN_TRI3:
    case CN_TRI6:
        return simplex_integral(2, power);
    case CN_TET4:
    case CN_TET10:
        return simplex_integral(3, power);
    case CN_WEDGE6:
        return simplex_integral(2, power) * line_integral(power[2]);
    default:
        break;
    }
    double product = 1.0;
    for (int k = 0; k < cn_element_of(type)->dim; k++) {
        product *= line_integral(power[k]);
    }
    return product;
}

// The rule of the stiffness is exact for degree 1 (first order) or 2, that of the mass for squares.
CN_TEST(rules_integrate_polynomials)
{
    for (int type = 0; type < CN_CELL_COUNT; type++) {
        const cn_element *e = cn_element_of(type);
        int order = e->node_count > e->corner_count ? 2 : 1;
        for (int which = 0; which < 2; which++) {
            const cn_quadrature *rule = which == 0 ? e->stiffness : e->mass;
            int degree = which == 0 ? 2 * (order - 1) : 2 * order;
            for (int code = 0; code < 125; code++) {
                const int power[3] = {code % 5, code / 5 % 5, code / 25};
                bool fits = power[0] + power[1] + power[2] <= degree;
                fits = fits && (e->dim > 1 || power[1] == 0) && (e->dim > 2 || power[2] == 0);
                double sum = 0.0;
                for (int p = 0; fits && p < rule->count; p++) {
                    sum += rule->weight[p] * monomial(rule->at[p], power);
                }
                CN_NEAR(sum, fits ? cell_integral(type, power) : 0.0, 1e-14, "rounding");
            }
        }
    }
}

CN_TEST(names_are_found)
{
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        const char *name = cn_element_name((cn_element_type)type);
        CN_TRUE(cn_element_find(name) == (cn_element_type)type);
        CN_TRUE(cn_element_node_count((cn_element_type)type) == cn_element_of(type)->node_count);
        CN_TRUE(cn_element_dim((cn_element_type)type) == cn_element_of(type)->dim);
    }
    CN_TRUE(cn_element_find("seg2") == CN_ELEMENT_COUNT &&
            cn_element_name(CN_ELEMENT_COUNT) == NULL);
}

CN_TEST(shape_functions_are_one_at_their_node)
{
    for (int type = 0; type < CN_CELL_COUNT; type++) {
        const cn_element *e = cn_element_of(type);
        double N[CN_ELEMENT_NODES_MAX], dN[CN_ELEMENT_DOFS_MAX], M[CN_ELEMENT_NODES_MAX];
        double other[CN_ELEMENT_DOFS_MAX];
        for (int a = 0; a < e->node_count; a++) {
            e->shape(e->node_at[a], N, dN);
            for (int b = 0; b < e->node_count; b++) {
                CN_NEAR(N[b], a == b, 1e-15, "rounding");
            }
        }
        const double at[3] = {0.21, 0.32, 0.17}, h = 1e-6;
        e->shape(at, N, dN);
        for (int k = 0; k < e->dim; k++) {
            double there[3] = {at[0], at[1], at[2]}, sum = 0.0;
            there[k] += h;
            e->shape(there, M, other);
            there[k] -= 2.0 * h;
            e->shape(there, N, other);
            for (int a = 0; a < e->node_count; a++) {
                sum += dN[e->dim * a + k];
                CN_NEAR((M[a] - N[a]) / (2.0 * h), dN[e->dim * a + k], 1e-9, "central difference");
            }
            CN_NEAR(sum, 0.0, 1e-14, "the sum of the functions is 1");
        }
    }
}

// Faces close the volume: sum of their area vectors is zero, and of X . n dA is dim times volume.
CN_TEST(sides_point_outwards)
{
    cn_material_def rubber = make_rubber(CN_SMALL);
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        cn_fem *fem = make_patch(type, &rubber, CN_PLANE_STRAIN, CN_INTEGRATION_BBAR);
        double sum[3] = {0.0}, volume = 0.0;
        for (int f = 0; f < fem->face_count; f++) {
            double force[3 * CN_SIDE_NODES_MAX];
            int count = cn_fem_face_pressure(fem, f, fem->X, force);
            for (int k = 0; k < count * fem->dim; k++) {
                int node = fem->face_node[fem->face_start[f] + k / fem->dim];
                sum[k % fem->dim] += force[k];
                volume -= force[k] * fem->X[fem->dim * node + k % fem->dim] / fem->dim;
            }
        }
        double exact = fem->dim == 2 ? 1.2 : 1.2 * 0.9;
        CN_NEAR(fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2]), 0.0, 1e-14, "a closed surface");
        CN_NEAR(volume, exact, 1e-14, "theorem of Gauss");
        CN_NEAR(fem->volume, exact, 1e-14, "inner nodes do not change the block");
        CN_NEAR(fem->total_mass, 1000.0 * exact, 1e-10, "density times volume");
        cn_fem_destroy(fem);
    }
}

// A linear displacement field gives the same stress everywhere, hence no force inside: for any
// kinematics, any element, any integration.
static void check_patch(int type, cn_kinematics kinematics, cn_plane plane,
                        cn_integration integration)
{
    cn_material_def rubber = make_rubber(kinematics);
    cn_fem *fem = make_patch(type, &rubber, plane, integration);
    static const double A[3][3] = {
        {0.011, 0.02, -0.013}, {0.004, -0.017, 0.006}, {0.01, 0.003, 0.02}};
    int d = fem->dim, n = fem->dof_count;
    double *x = calloc((size_t)n, sizeof *x), *f = calloc((size_t)n, sizeof *f);
    bool *is_outside = calloc((size_t)fem->node_count, sizeof *is_outside);
    for (int k = 0; k < fem->face_start[fem->face_count]; k++) {
        is_outside[fem->face_node[k]] = true;
    }
    for (int q = 0; q < n; q++) {
        x[q] = fem->X[q];
        for (int k = 0; k < d; k++) {
            x[q] += A[q % d][k] * fem->X[d * (q / d) + k];
        }
    }
    CN_DO(cn_fem_force(fem, x, NULL, f, NULL, NULL, &test_error));
    int inside = 0;
    for (int q = 0; q < n; q++) {
        if (!is_outside[q / d]) {
            inside++;
            CN_NEAR(f[q], 0.0, 1e-15, "rounding of forces of order 1e-2");
        }
    }
    CN_TRUE(inside > 0);
    free(x);
    free(f);
    free(is_outside);
    cn_fem_destroy(fem);
}

CN_TEST(patch_test_on_a_distorted_mesh)
{
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        for (int k = CN_SMALL; k <= CN_TOTAL_LAGRANGE; k++) {
            for (int i = CN_INTEGRATION_BBAR; i <= CN_INTEGRATION_SELECTIVE; i++) {
                check_patch(type, (cn_kinematics)k, CN_PLANE_STRAIN, (cn_integration)i);
                check_patch(type, (cn_kinematics)k, CN_PLANE_STRESS, (cn_integration)i);
            }
        }
    }
}

// Positions after a turn by `angle` about (1, 2, 3) (about z in the plane) and a shift.
static void turn_all(const cn_fem *fem, const double *X, double angle, double *x)
{
    double axis[3] = {1.0 / sqrt(14.0), 2.0 / sqrt(14.0), 3.0 / sqrt(14.0)};
    if (fem->dim == 2) {
        axis[0] = axis[1] = 0.0;
        axis[2] = 1.0;
    }
    double c = cos(angle), s = sin(angle);
    for (int a = 0; a < fem->node_count; a++) {
        double p[3] = {0.0}, dot = 0.0;
        for (int k = 0; k < fem->dim; k++) {
            p[k] = X[fem->dim * a + k];
            dot += p[k] * axis[k];
        }
        for (int k = 0; k < fem->dim; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            double cross = axis[i] * p[j] - axis[j] * p[i];
            x[fem->dim * a + k] = c * p[k] + s * cross + (1.0 - c) * dot * axis[k] + 0.3;
        }
    }
}

CN_TEST(rigid_motion_costs_nothing)
{
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        for (int k = CN_SMALL; k <= CN_TOTAL_LAGRANGE; k++) {
            cn_material_def rubber = make_rubber((cn_kinematics)k);
            cn_fem *fem = make_patch(type, &rubber, CN_PLANE_STRAIN, CN_INTEGRATION_BBAR);
            double *x = calloc((size_t)fem->dof_count, sizeof *x);
            double *f = calloc((size_t)fem->dof_count, sizeof *f), largest = 0.0;
            double angle = k == CN_SMALL ? 1e-9 : 2.0;
            turn_all(fem, fem->X, angle, x);
            cn_fem_energy energy;
            CN_DO(cn_fem_force(fem, x, NULL, f, NULL, &energy, &test_error));
            for (int q = 0; q < fem->dof_count; q++) {
                largest = fmax(largest, fabs(f[q]));
            }
            CN_NEAR(largest, 0.0, 1e-15 + 1e-16 / (k == CN_SMALL ? 1.0 : 0.1),
                    "rounding of strains of order 1");
            CN_NEAR(energy.stored, 0.0, 1e-28, "square of rounding");
            free(x);
            free(f);
            cn_fem_destroy(fem);
        }
    }
}

// Positions somewhere away from rest.
static void shake_all(const cn_fem *fem, double amount, double *x)
{
    for (int q = 0; q < fem->dof_count; q++) {
        x[q] = fem->X[q] + amount * sin(2.3 * q + 0.4);
    }
}

// f is the gradient of the energy and K that of f, by central differences along a direction.
static void check_tangent(int type, cn_kinematics kinematics, cn_plane plane,
                          cn_integration integration)
{
    cn_material_def rubber = make_rubber(kinematics);
    const double size[3] = {1.0, 1.2, 0.9};
    test_mesh m = make_block(type, (const int[3]){1, 2, 1}, size, 0.0, &rubber);
    m.def.plane = plane;
    m.def.integration = integration;
    cn_fem *fem = NULL;
    CN_DO(cn_fem_create(NULL, &m.def, &fem, &test_error));
    size_t n = (size_t)fem->dof_count;
    double *x = calloc(n, sizeof *x), *d = calloc(n, sizeof *d), *Kd = calloc(n, sizeof *d);
    double *f = calloc(n, sizeof *f), *f2 = calloc(n, sizeof *f), *turned = calloc(n, sizeof *f);
    double *K = calloc((size_t)fem->entry_count, sizeof *K), slope = 0.0, scale = 0.0;
    const double h = 1e-6;
    cn_fem_energy before, after;
    shake_all(fem, 0.05, turned);
    memcpy(x, turned, n * sizeof *x);
    if (kinematics != CN_SMALL && plane != CN_AXISYMMETRIC) {
        turn_all(fem, turned, 0.7, x);
    }
    for (size_t q = 0; q < n; q++) {
        d[q] = cos(1.9 * (double)q);
    }
    CN_DO(cn_fem_force(fem, x, NULL, f, K, NULL, &test_error));
    cn_fem_multiply(fem, K, d, Kd);
    for (size_t q = 0; q < n; q++) {
        slope += f[q] * d[q];
        scale = fmax(scale, fabs(Kd[q]));
        x[q] += h * d[q];
    }
    CN_DO(cn_fem_force(fem, x, NULL, f, NULL, &after, &test_error));
    for (size_t q = 0; q < n; q++) {
        x[q] -= 2.0 * h * d[q];
    }
    CN_DO(cn_fem_force(fem, x, NULL, f2, NULL, &before, &test_error));
    CN_NEAR((after.stored - before.stored) / (2.0 * h), slope, 1e-8, "central difference");
    for (size_t q = 0; q < n; q++) {
        CN_NEAR((f[q] - f2[q]) / (2.0 * h), Kd[q], 1e-7 * scale, "central difference");
    }
    free(x), free(d), free(Kd), free(f), free(f2), free(turned), free(K);
    cn_fem_destroy(fem);
    free_mesh(&m);
}

CN_TEST(tangents_agree_with_differences)
{
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        for (int k = CN_SMALL; k <= CN_TOTAL_LAGRANGE; k++) {
            cn_kinematics kinematics = (cn_kinematics)k;
            check_tangent(type, kinematics, CN_PLANE_STRAIN, CN_INTEGRATION_BBAR);
            check_tangent(type, kinematics, CN_PLANE_STRAIN, CN_INTEGRATION_FULL);
            check_tangent(type, kinematics, CN_PLANE_STRAIN, CN_INTEGRATION_SELECTIVE);
            if (cn_element_of(type)->dim == 2) {
                check_tangent(type, kinematics, CN_PLANE_STRESS, CN_INTEGRATION_BBAR);
                if (k != CN_COROTATIONAL) {
                    check_tangent(type, kinematics, CN_AXISYMMETRIC, CN_INTEGRATION_BBAR);
                }
            }
        }
    }
}

// Held at six (three) degrees of freedom so that it cannot move as a whole, a single element
// resists every motion: integration leaves no zero-energy mode.
CN_TEST(no_motion_without_energy)
{
    cn_material_def rubber = make_rubber(CN_SMALL);
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        for (int i = CN_INTEGRATION_BBAR; i <= CN_INTEGRATION_SELECTIVE; i++) {
            const cn_element *e = cn_element_of(type);
            int node[CN_ELEMENT_NODES_MAX], start[2] = {0, e->node_count}, d = e->dim;
            double X[CN_ELEMENT_DOFS_MAX];
            for (int a = 0; a < e->node_count; a++) {
                node[a] = a;
                memcpy(X + d * a, e->node_at[a], (size_t)d * sizeof *X);
            }
            unsigned char kind = (unsigned char)type;
            cn_mesh_def def = {.dim = d,
                               .node_count = e->node_count,
                               .node = X,
                               .element_count = 1,
                               .type = &kind,
                               .element_start = start,
                               .element_node = node,
                               .material_count = 1,
                               .material = &rubber,
                               .integration = (cn_integration)i};
            cn_fem *fem = NULL;
            CN_DO(cn_fem_create(NULL, &def, &fem, &test_error));
            double f[CN_ELEMENT_DOFS_MAX], u[CN_ELEMENT_DOFS_MAX], *K;
            bool is_held[CN_ELEMENT_DOFS_MAX] = {0};
            for (int k = 0; k < d; k++) {
                is_held[k] = true; // node 0
            }
            is_held[d + 1] = true; // node 1 stays on its axis
            if (d == 3) {
                is_held[d + 2] = is_held[2 * d + 2] = true; // node 2 in its plane
            }
            K = calloc((size_t)fem->entry_count, sizeof *K);
            CN_DO(cn_fem_force(fem, X, NULL, f, K, NULL, &test_error));
            for (int q = 0; q < fem->dof_count; q++) {
                f[q] = 1.0;
            }
            CN_DO(solve_held(fem, K, is_held, f, u, &test_error));
            for (int q = 0; q < fem->dof_count; q++) {
                CN_TRUE(fabs(u[q]) < 1e4);
            }
            free(K);
            cn_fem_destroy(fem);
        }
    }
}

CN_MAIN(CN_RUN(names_are_found); CN_RUN(rules_integrate_polynomials);
        CN_RUN(shape_functions_are_one_at_their_node); CN_RUN(sides_point_outwards);
        CN_RUN(patch_test_on_a_distorted_mesh); CN_RUN(rigid_motion_costs_nothing);
        CN_RUN(tangents_agree_with_differences); CN_RUN(no_motion_without_energy);)
