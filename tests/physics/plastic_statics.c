// tests/physics/plastic_statics.c -- plastic flow of meshes: a thick tube that yields from inside,
// a billet upset to 60 % of its height.
#include "fem_meshes.h"
#include "test.h"

typedef struct flow {
    cn_fem *fem;
    double *x, *f, *K, *u, *old, *new_;
    bool *is_held;
} flow;

static flow make_flow(const cn_mesh_def *def)
{
    flow s = {0};
    CN_DO(cn_fem_create(NULL, def, &s.fem, &test_error));
    size_t n = (size_t)s.fem->dof_count, size = cn_fem_history_size(s.fem);
    s.x = calloc(n, sizeof *s.x);
    s.f = calloc(n, sizeof *s.f);
    s.u = calloc(n, sizeof *s.u);
    s.is_held = calloc(n, sizeof *s.is_held);
    s.K = calloc((size_t)s.fem->entry_count, sizeof *s.K);
    s.old = calloc(size, sizeof *s.old);
    s.new_ = calloc(size, sizeof *s.new_);
    memcpy(s.x, s.fem->X, n * sizeof *s.x);
    return s;
}

static void drop(flow *s)
{
    free(s->x), free(s->f), free(s->u), free(s->is_held), free(s->K), free(s->old), free(s->new_);
    cn_fem_destroy(s->fem);
}

// Equilibrium with the load from the old history, to the given change; returns the iterations.
static int settle(flow *s, const double *load, double tiny, double *plastic)
{
    cn_fem_energy energy;
    for (int k = 1; k <= 40; k++) {
        CN_DO(cn_fem_force(s->fem, s->x, &(cn_fem_history){s->old, s->new_}, s->f, s->K, &energy,
                           &test_error));
        double largest = 0.0;
        for (int q = 0; q < s->fem->dof_count; q++) {
            s->f[q] = (load != NULL ? load[q] : 0.0) - s->f[q];
        }
        CN_DO(solve_held(s->fem, s->K, s->is_held, s->f, s->u, &test_error));
        for (int q = 0; q < s->fem->dof_count; q++) {
            s->x[q] += s->u[q];
            largest = fmax(largest, fabs(s->u[q]));
        }
        if (largest < tiny) {
            memcpy(s->old, s->new_, cn_fem_history_size(s->fem) * sizeof *s->old);
            *plastic += energy.plastic;
            return k;
        }
    }
    return 1000;
}

static cn_material_def make_metal(double young, double yield, double hardening, int kinematics)
{
    cn_material_def m = cn_material_def_default();
    m.model = CN_MATERIAL_J2;
    m.kinematics = (cn_kinematics)kinematics;
    m.density = 1.0;
    m.young = young;
    m.poisson = 0.3;
    m.yield = yield;
    m.hardening = hardening;
    return m;
}

// Tube of radii 1 and 2, ideal plasticity, ends held: the last pressure it bears is 2/sqrt(3) yield
// ln 2 (limit of the elastic-plastic solution, von Mises, plane strain).
CN_TEST(tube_bears_the_limit_pressure)
{
    cn_material_def m = make_metal(1000.0, 1.0, 0.0, CN_SMALL);
    test_mesh mesh = make_block(CN_QUAD4, (int[3]){20, 1, 1}, (double[3]){1.0, 0.1, 1.0}, 0.0, &m);
    for (int a = 0; a < mesh.def.node_count; a++) {
        mesh.node[2 * a] += 1.0;
    }
    mesh.def.plane = CN_AXISYMMETRIC;
    flow s = make_flow(&mesh.def);
    double plastic = 0.0;
    for (int a = 0; a < s.fem->node_count; a++) {
        s.is_held[2 * a + 1] = true;
        s.is_held[2 * a] = s.fem->X[2 * a] < 1.0 + 1e-9; // bore driven
    }
    double pressure = 0.0;
    for (int k = 1; k <= 10; k++) {
        for (int a = 0; a < s.fem->node_count; a++) {
            s.x[2 * a] += s.is_held[2 * a] ? 0.001 : 0.0;
        }
        CN_TRUE(settle(&s, NULL, 1e-12, &plastic) < 12);
    }
    CN_DO(cn_fem_force(s.fem, s.x, &(cn_fem_history){s.old, s.new_}, s.f, NULL, NULL, &test_error));
    for (int a = 0; a < s.fem->node_count; a++) {
        pressure += s.is_held[2 * a] ? s.f[2 * a] / (2.0 * CN_PI * 0.1) : 0.0;
    }
    double limit = 2.0 / sqrt(3.0) * log(2.0);
    CN_NEAR(pressure, limit, 0.005 * limit, "20 elements; limit from above and below");
    CN_TRUE(plastic > 0.0);
    drop(&s);
    free_mesh(&mesh);
}

static double volume_of(const cn_fem *fem, const double *x)
{
    double sum = 0.0; // of 2 pi r dA: Gauss over the faces, pressure forces push inwards
    for (int f = 0; f < fem->face_count; f++) {
        double force[3 * CN_SIDE_NODES_MAX];
        int count = cn_fem_face_pressure(fem, f, x, force);
        for (int a = 0; a < count; a++) {
            sum -= force[2 * a + 1] * x[2 * fem->face_node[fem->face_start[f] + a] + 1];
        }
    }
    return sum;
}

// A quarter of a billet, radius 10, height 30, sticking to its platens, shortened by 40 %.
CN_TEST(billet_is_upset)
{
    cn_material_def m = make_metal(200.0, 0.7, 0.3, CN_TOTAL_LAGRANGE);
    test_mesh mesh = make_block(CN_QUAD4, (int[3]){6, 9, 1}, (double[3]){10.0, 15.0, 1.0}, 0.0, &m);
    mesh.def.plane = CN_AXISYMMETRIC;
    flow s = make_flow(&mesh.def);
    for (int a = 0; a < s.fem->node_count; a++) {
        bool is_top = s.fem->X[2 * a + 1] > 15.0 - 1e-9, is_bottom = s.fem->X[2 * a + 1] < 1e-9;
        s.is_held[2 * a] = s.fem->X[2 * a] < 1e-9 || is_top;
        s.is_held[2 * a + 1] = is_top || is_bottom;
    }
    double plastic = 0.0, work = 0.0;
    cn_fem_energy energy = {0};
    for (int k = 1; k <= 30; k++) {
        for (int a = 0; a < s.fem->node_count; a++) {
            s.x[2 * a + 1] *= (1.0 - 0.4 * k / 30.0) / (1.0 - 0.4 * (k - 1) / 30.0);
        }
        CN_TRUE(settle(&s, NULL, 1e-9, &plastic) <= 8);
        CN_DO(cn_fem_force(s.fem, s.x, &(cn_fem_history){s.old, s.new_}, s.f, NULL, &energy,
                           &test_error));
        for (int a = 0; a < s.fem->node_count; a++) {
            work -= s.fem->X[2 * a + 1] > 15.0 - 1e-9 ? 0.2 * s.f[2 * a + 1] : 0.0;
        }
    }
    double bulge = 0.0;
    for (int a = 0; a < s.fem->node_count; a++) {
        bulge = fmax(bulge, s.x[2 * a]);
    }
    CN_TRUE(bulge > 10.0 / sqrt(0.6) && bulge < 14.0);
    CN_NEAR(volume_of(s.fem, s.x) / s.fem->volume, 1.0, 0.005, "only elastic strains compress");
    double spent = plastic + energy.stored;
    CN_NEAR(work, spent, 0.02 * spent, "implicit steps: forces of the end of each of 30");
    drop(&s);
    free_mesh(&mesh);
}

CN_MAIN(CN_RUN(tube_bears_the_limit_pressure); CN_RUN(billet_is_upset);)
