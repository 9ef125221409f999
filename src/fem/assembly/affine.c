// fem/assembly/affine.c -- a body that deforms homogeneously as one simplex, theory 11.27 to 11.29.
//
// Three nodes in the plane and four in space carry every affine motion. Placed so that equal
// masses at them have the mass centre and the second moments of the body, their kinetic energy is
// that of the body, whatever the motion; and one point with the volume of the body gives its
// internal force. So the simplex is a mesh of one element to all who step it.
#include <math.h>

#include "fem/assembly/element_work.h"

// Corners of a regular simplex with mean 0 and mean square 1 along every axis.
static const double REGULAR2[3][3] = {
    {1.4142135623730951, 0.0, 0.0},
    {-0.70710678118654757, 1.2247448713915890, 0.0},
    {-0.70710678118654757, -1.2247448713915890, 0.0},
};
static const double REGULAR3[4][3] = {
    {1.0, 1.0, 1.0}, {1.0, -1.0, -1.0}, {-1.0, -1.0, 1.0}, {-1.0, 1.0, -1.0}};

// Mass centre, and S with S S^T = mean of (X - centre)(X - centre)^T over the mass; lower triangle.
typedef struct shape {
    double centre[3], S[9];
} shape;

static cn_status check(const cn_fem *mesh, cn_error *err)
{
    if (mesh->plane == CN_AXISYMMETRIC) {
        return cn_fail(err, CN_BAD_INPUT, "a pseudo-rigid body cannot be axisymmetric");
    }
    for (int e = 1; e < mesh->element_count; e++) {
        if (mesh->element_material[e] != mesh->element_material[0]) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a pseudo-rigid body has one material, but elements 0 and %d have "
                           "materials %d and %d",
                           e, mesh->element_material[0], mesh->element_material[e]);
        }
    }
    return CN_OK;
}

// Adds the mean over the mass of (X - from)_i (X - from)_j, or of X_i, by the shape functions.
static cn_status add_moments(const cn_fem *mesh, const double from[3], double *first,
                             double *second, cn_error *err)
{
    int dim = mesh->dim;
    for (int e = 0; e < mesh->element_count; e++) {
        double m[CN_ELEMENT_NODES_MAX * CN_ELEMENT_NODES_MAX];
        const int *node = mesh->element_node + mesh->element_start[e];
        int n = mesh->element_start[e + 1] - mesh->element_start[e];
        CN_TRY(cn_fem_element_mass(mesh, e, m, err));
        for (int ab = 0; ab < n * n; ab++) {
            const double *a = mesh->X + dim * node[ab / n], *b = mesh->X + dim * node[ab % n];
            double share = m[ab] / mesh->total_mass;
            for (int i = 0; i < dim; i++) {
                first[i] += share * a[i];
                for (int j = 0; j < dim && second != NULL; j++) {
                    second[3 * i + j] += share * (a[i] - from[i]) * (b[j] - from[j]);
                }
            }
        }
    }
    return CN_OK;
}

static cn_status measure(const cn_fem *mesh, shape *s, cn_error *err)
{
    double second[9] = {0.0}, again[3] = {0.0};
    CN_TRY(add_moments(mesh, s->centre, s->centre, NULL, err));
    CN_TRY(add_moments(mesh, s->centre, again, second, err));
    for (int i = 0; i < mesh->dim; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = second[3 * i + j];
            for (int k = 0; k < j; k++) {
                sum -= s->S[3 * i + k] * s->S[3 * j + k];
            }
            s->S[3 * i + j] = i == j ? sqrt(sum) : sum / s->S[3 * j + j];
        }
    }
    return CN_OK;
}

static const double *corner(int dim, int a)
{
    return dim == 2 ? REGULAR2[a] : REGULAR3[a];
}

// (11.27)
static void place_nodes(int dim, const shape *s, double *X)
{
    for (int a = 0; a <= dim; a++) {
        for (int i = 0; i < dim; i++) {
            X[dim * a + i] = s->centre[i];
            for (int j = 0; j <= i; j++) {
                X[dim * a + i] += s->S[3 * i + j] * corner(dim, a)[j];
            }
        }
    }
}

// (11.28)
static void weigh_nodes(const cn_fem *mesh, const shape *s, double *weight)
{
    int dim = mesh->dim;
    for (int n = 0; n < mesh->node_count; n++) {
        double y[3]; // S^-1 (X - centre)
        for (int i = 0; i < dim; i++) {
            y[i] = mesh->X[dim * n + i] - s->centre[i];
            for (int j = 0; j < i; j++) {
                y[i] -= s->S[3 * i + j] * y[j];
            }
            y[i] /= s->S[3 * i + i];
        }
        for (int a = 0; a <= dim; a++) {
            double along = 1.0;
            for (int i = 0; i < dim; i++) {
                along += corner(dim, a)[i] * y[i];
            }
            weight[(dim + 1) * n + a] = along / (dim + 1);
        }
    }
}

// Volume of the simplex.
static double simplex_volume(int dim, const shape *s)
{
    double scale = dim == 2 ? 0.5 * 5.196152422706632 : 16.0 / 6.0; // of the regular one
    return scale * s->S[0] * s->S[4] * (dim == 3 ? s->S[8] : 1.0);
}

static cn_status make_simplex(const cn_fem *mesh, const shape *s, cn_fem **fem, cn_error *err)
{
    static const int node[4] = {0, 1, 2, 3};
    double X[12];
    int dim = mesh->dim, start[2] = {0, dim + 1};
    const unsigned char type = dim == 2 ? CN_TRI3 : CN_TET4;
    cn_material_def material = mesh->material[mesh->element_material[0]].def;
    material.density = mesh->total_mass / simplex_volume(dim, s); // it has the mass of the body
    place_nodes(dim, s, X);
    cn_mesh_def def = {.dim = dim,
                       .node_count = dim + 1,
                       .node = X,
                       .element_count = 1,
                       .type = &type,
                       .element_start = start,
                       .element_node = node,
                       .material_count = 1,
                       .material = &material,
                       .plane = mesh->plane,
                       .thickness = 1.0};
    CN_TRY(cn_fem_create(&mesh->hooks, &def, fem, err));
    (*fem)->volume = (*fem)->weight[0] = mesh->volume;
    return CN_OK;
}

cn_status cn_fem_create_affine(const cn_fem *mesh, cn_fem **fem, double **weight, cn_error *err)
{
    shape s = {0};
    *weight = NULL;
    CN_TRY(check(mesh, err));
    CN_TRY(measure(mesh, &s, err));
    CN_TRY(make_simplex(mesh, &s, fem, err));
    CN_TRY(cn_fem_new(mesh, weight, (size_t)((mesh->dim + 1) * mesh->node_count), err));
    weigh_nodes(mesh, &s, *weight);
    return CN_OK;
}
