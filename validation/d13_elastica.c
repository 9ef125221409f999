// validation/d13_elastica.c -- D13: a slender cantilever under a dead load bends far.
//
// Question: do elements bend without locking while they turn by a right angle? Reference: the
// inextensible elastica, shortening u/L, deflection w/L and slope at the tip for P L2/EI = 1,
// 2, 10. Source: Mattiasson 1981.
#include "solids.h"
#include "table.h"

#define LENGTH 1.0 // [m]
#define HEIGHT 0.01
#define YOUNG 1.2e9 // [Pa]: with thickness 1 m EI = 100 N m2

typedef struct elements {
    const char *name;
    cn_element_type type;
    int along;
    cn_kinematics kinematics;
    cn_integration integration;
    double poisson;
} elements;

static const double load_at[3] = {1.0, 2.0, 10.0};
static const double exact[3][3] = {{0.056433236, 0.301720774, 0.461351950},
                                   {0.160641721, 0.493457480, 0.781749832},
                                   {0.554995598, 0.810609025, 1.430285539}};

// Shortening, deflection and slope of the tip.
static void read_tip(const cn_trial *t, cn_body_id beam, double tip[3])
{
    cn_node_view n = cn_soft_nodes(t, beam);
    int low = cn_soft_nearest(&n, cn_v3(LENGTH, 0.0, 0.0));
    int high = cn_soft_nearest(&n, cn_v3(LENGTH, HEIGHT, 0.0));
    for (int d = 0; d < 2; d++) {
        tip[d] = 0.5 * (cn_soft_moved(&n, low, d) + cn_soft_moved(&n, high, d)) / LENGTH;
    }
    tip[2] = atan2(cn_soft_moved(&n, low, 0) - cn_soft_moved(&n, high, 0),
                   HEIGHT + cn_soft_moved(&n, high, 1) - cn_soft_moved(&n, low, 1));
    tip[0] = -tip[0];
}

// The time is P L2/EI.
static void bend(cn_book *book, const elements *e)
{
    static const char *const what[3] = {"shortening", "deflection", "slope"};
    const double EI = YOUNG * HEIGHT * HEIGHT * HEIGHT / 12.0, most = 10.0, step = 0.125;
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    cn_trial t = cn_trial_begin(book, &def);
    cn_soft_quasi_static(&t);
    cn_material_def material = cn_soft_elastic(YOUNG, e->poisson, 1000.0);
    material.kinematics = e->kinematics;
    cn_soft soft = cn_soft_box(book, e->type, (int[]){e->along, 1}, (double[]){0.0, 0.0},
                               (double[]){LENGTH, HEIGHT}, material);
    soft.mesh.plane = CN_PLANE_STRESS;
    soft.mesh.integration = e->integration;
    cn_body_id beam = cn_soft_add(&t, &soft, (cn_body_def){0});
    cn_soft_hold(&t, beam, "x0", CN_DOF_X);
    cn_soft_hold(&t, beam, "x0", CN_DOF_Y);
    cn_function ramp = {.kind = CN_FUNCTION_TABLE,
                        .count = 2,
                        .time = (double[]){0.0, most},
                        .value = (double[]){0.0, most * EI / (LENGTH * LENGTH) / HEIGHT}};
    cn_soft_load(&t, beam, "x1", CN_LOAD_TRACTION, cn_v3(0.0, 1.0, 0.0), ramp);
    double load = 0.0;
    for (int k = 0; k < 3; k++) {
        cn_trial_run(&t, step, lround((load_at[k] - load) / step));
        load = load_at[k];
        double tip[3];
        read_tip(&t, beam, tip);
        for (int d = 0; d < 3; d++) {
            cn_check_rel(book, cn_name(book, "%s, load %g, %s", what[d], load, e->name), tip[d],
                         exact[k][d], 0.005);
        }
    }
    cn_trial_end(&t);
    cn_soft_free(&soft);
}

void cn_case_D13(cn_book *book)
{
    const elements quadratic = {"quad8", CN_QUAD8, 40, CN_TOTAL_LAGRANGE, CN_INTEGRATION_BBAR, 0.3};
    // One layer of quad4 cannot curve across its height, which poisson 0 does not ask for.
    const elements linear = {"selective quad4",        CN_QUAD4, 100, CN_COROTATIONAL,
                             CN_INTEGRATION_SELECTIVE, 0.0};
    bend(book, &quadratic);
    bend(book, &linear);
}
