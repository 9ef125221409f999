// validation/d05_hertz.c -- D05, D06: Hertz contact of a cylinder and of a ball.
//
// Question: width and pressure of the contact? Reference: Hertz 1882. In the plane
// a = sqrt(4 F R/(pi E*)), p0 = sqrt(F E*/(pi R)); of a ball a = (3 F R/(4 E*))^(1/3),
// p0 = 3 F/(2 pi a^2). Linear elasticity, halves with a plane or an axis of symmetry, pushed by a
// uniform body force. Source: Hertz 1882; Konter 2006 (NAFEMS).
//
// Bodies sink into each other from first touch; steps are longer than their vibrations, which theta
// = 1 damps.
#include "builders.h"
#include "solids.h"
#include "table.h"

#include <stdlib.h>

enum { NODES_MAX = 400 };

// Nodes of the round surface that touch, outwards from the middle, and the first that does not, at
// their places without deformation: strains are small.
typedef struct footprint {
    int count; // that touch
    double x[NODES_MAX], force[NODES_MAX], pressure[NODES_MAX];
    double approach; // of the mass centre [m]
} footprint;

static int compare_x(const void *a, const void *b)
{
    double x = ((const double *)a)[0], y = ((const double *)b)[0];
    return (x > y) - (x < y);
}

// Integral of the hat function of a node over the surface between its neighbours (two for the half
// of a plane, the full circle about an axis).
static double share_of(double before, double x, double after, bool is_round)
{
    double in = x - before, out = after - x;
    return is_round ? 2.0 * CN_PI * (x * (in + out) / 2.0 + (out * out - in * in) / 6.0)
                    : 0.5 * (in + out);
}

static footprint look(const cn_trial *t, cn_body_id id, double R, double h, bool is_round)
{
    footprint f = {0};
    double at[NODES_MAX][2];
    cn_node_view n = cn_soft_nodes(t, id);
    int count = 0;
    for (int a = 0; a < n.node_count && count < NODES_MAX; a++) {
        const double *X = n.X + 2 * a;
        if (fabs(hypot(X[0], X[1] - R) - R) < 1e-9 * R && X[1] < 0.5 * R) {
            at[count][0] = X[0];
            at[count++][1] = fabs(n.impulse[2 * a + 1]) / h;
        }
    }
    qsort(at, (size_t)count, sizeof *at, compare_x);
    while (f.count + 1 < count && at[f.count][1] > 0.0) {
        int k = f.count++;
        f.x[k] = at[k][0];
        f.x[k + 1] = at[k + 1][0];
        f.force[k] = at[k][1];
        f.pressure[k] =
            f.force[k] / share_of(k > 0 ? at[k - 1][0] : f.x[k], f.x[k], f.x[k + 1], is_round);
    }
    return f;
}

// Largest difference to the elliptic profile, over p0, up to two elements from the rim.
static double profile_error(const footprint *f, double a, double p0)
{
    double worst = 0.0;
    for (int k = 0; k + 2 < f->count; k++) {
        double s = f->x[k] / a;
        worst = fmax(worst, fabs(f->pressure[k] / p0 - sqrt(fmax(0.0, 1.0 - s * s))));
    }
    return worst;
}

static void check(cn_book *book, const char *name, const footprint *f, double a, double p0,
                  double elements)
{
    int k = f->count > 0 ? f->count - 1 : 0;
    double size = f->x[k + 1] - f->x[k], half = 0.5 * (f->x[k] + f->x[k + 1]);
    cn_check_least(book, cn_name(book, "elements across a, %s", name), f->count - 0.5, elements);
    cn_check(book, cn_name(book, "a, %s", name), half, a, elements < 9.0 ? 0.03 * a : size);
    cn_check_rel(book, cn_name(book, "p0, %s", name), f->pressure[0], p0, 0.03);
    cn_check(book, cn_name(book, "profile over p0, %s", name), profile_error(f, a, p0), 0.0, 0.03);
}

static cn_trial begin(cn_book *book)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, 0.0);
    return t;
}

// Half a cylinder or a ball with sound speed sqrt(E/rho) = R, pushed down by F in all.
static cn_body_id add_round(cn_trial *t, cn_plane plane, double R, const int cells[2], double finer,
                            double E, double F)
{
    cn_soft half =
        cn_soft_half_disk(t->book, R, cells, finer, cn_soft_elastic(E, 0.3, E / (R * R)));
    half.mesh.plane = plane;
    cn_body_id id = cn_soft_add(t, &half, (cn_body_def){0});
    cn_soft_free(&half);
    cn_soft_hold(t, id, "axis", CN_DOF_X);
    cn_soft_load(t, id, NULL, CN_LOAD_BODY, cn_v3(0.0, -1.0, 0.0),
                 cn_constant(F / cn_trial_state(t, id).mass));
    return id;
}

static footprint press(cn_book *book, cn_plane plane, double R, const int cells[2], double finer,
                       double E, double F)
{
    const double h = 10.0;
    cn_trial t = begin(book);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id id = add_round(&t, plane, R, cells, finer, E, F);
    double start = cn_trial_state(&t, id).position[1];
    cn_trial_run(&t, h, 40);
    footprint f = look(&t, id, R, h, plane == CN_AXISYMMETRIC);
    f.approach = start - cn_trial_state(&t, id).position[1];
    cn_trial_end(&t);
    return f;
}

#define ARC 64      // cells of a quarter of the rim
#define FINER 5.0   // of the half disk
#define COLUMNS 48  // of the block
#define MATCHING 32 // columns under the nodes of the cylinder

// Columns of half a block of width 4 R: under the nodes of the cylinder near the contact, where
// pressures of meshes that do not match would ripple by 10 %, then ever wider. Rows likewise.
static double column(double k, double R)
{
    double near = fmin(k, MATCHING), t = tan(0.25 * CN_PI * near / ARC) / FINER;
    double x = R * 2.0 * t / (1.0 + t * t); // R sin(2 atan t)
    return k > near ? x * pow(4.0 * R / x, (k - near) / (COLUMNS - MATCHING)) : x;
}

static void grade(double *X, const void *context)
{
    double R = *(const double *)context;
    X[0] = column(X[0], R);
    X[1] = -column(-X[1], R);
}

// The block is two diameters wide and one deep [m, Pa, N/m].
static footprint press_on_block(cn_book *book, double R, double E_round, double E_block, double F)
{
    const double h = 10.0, size = 4.0 * R;
    cn_trial t = begin(book);
    cn_soft half = cn_soft_box(book, CN_QUAD4, (int[]){COLUMNS, COLUMNS}, (double[]){0.0, -COLUMNS},
                               (double[]){COLUMNS, COLUMNS},
                               cn_soft_elastic(E_block, 0.3, E_block / (size * size)));
    cn_soft_map(&half, grade, &R);
    cn_body_id block = cn_soft_add(&t, &half, (cn_body_def){0});
    cn_soft_free(&half);
    cn_soft_hold(&t, block, "x0", CN_DOF_X);
    cn_soft_hold(&t, block, "y0", CN_DOF_Y);
    cn_body_id id = add_round(&t, CN_PLANE_STRAIN, R, (int[]){ARC, 20}, FINER, E_round, F);
    cn_trial_run(&t, h, 40);
    footprint f = look(&t, id, R, h, false);
    cn_trial_end(&t);
    return f;
}

void cn_case_D05(cn_book *book)
{
    footprint f = press_on_block(book, 0.05, 210e9, 70e9, 0.5 * 35e6);
    check(book, "on a block", &f, 6.214628e-3, 3585.362e6, 10.0);
    f = press(book, CN_PLANE_STRAIN, 1.0, (int[]){ARC, 20}, FINER, 1000.0, 0.5 * 10.0);
    check(book, "on a rigid plane", &f, 0.107640512, 59.143139, 10.0);
}

void cn_case_D06(cn_book *book)
{
    footprint f = press(book, CN_AXISYMMETRIC, 0.1, (int[]){ARC, 20}, FINER, 1e6, 50.0);
    check(book, "ball", &f, 0.015055351, 105324.55, 8.0);
    cn_check(book, "approach of the mass centre (reported)", f.approach, 2.060e-3, INFINITY);
}
