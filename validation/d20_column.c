// validation/d20_column.c -- D20: a column under sudden gravity, and a block between smooth walls.
//
// Question: how does the ground come to carry an elastic column, and how does pressure turn
// sideways? Reference: reaction rho g c t up to 2 H/c, twice the weight there, period 4 H/c;
// lateral pressure nu/(1 - nu) in plane strain, nu in plane stress. Explains B16 (Jean 1999).
#include "builders.h"
#include "solids.h"
#include "table.h"

#define WEIGHT 2943.0 // of the column per area [Pa]

// The column stands on the ground, so that the contact carries it.
static void check_column(cn_book *book)
{
    const double H = 0.6, E = 1e6, rho = 500.0, c = sqrt(E / rho), width = 0.01;
    const int cells = 60;
    const double h = 0.25 * H / cells / c, period = 4.0 * H / c;
    cn_world_def def = cn_trial_def();
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, 0.0);
    cn_body_id ground = cn_build_plane(&t, (cn_body_def){0});
    cn_soft column = cn_soft_box(book, CN_QUAD4, (int[]){1, cells}, (double[]){0.0, 0.0},
                                 (double[]){width, H}, cn_soft_elastic(E, 0.0, rho));
    cn_body_id id = cn_soft_add(&t, &column, (cn_body_def){0});
    cn_soft_free(&column);
    cn_node_view nodes = cn_soft_nodes(&t, id);
    int top = cn_soft_nearest(&nodes, cn_v3(0.0, H, 0.0));
    double peak = 0.0, when = 0.0, sag = 0.0, ramp = 0.0, before = 0.0, crossing[2] = {NAN, NAN};
    int passed = 0;
    int steps = (int)lround(period / h);
    for (int k = 0; k < steps && cn_trial_step(&t, h); k++) {
        double R = cn_trial_push(&t, ground, id).y / h / width, time = (k + 0.5) * h;
        if ((before < WEIGHT) != (R < WEIGHT) && passed < 2) {
            crossing[passed++] = time - h * (R - WEIGHT) / (R - before);
        }
        if (time < 2.0 * H / c) {
            ramp = fmax(ramp, fabs(R - rho * CN_G * c * time));
        }
        when = R > peak ? time : when;
        peak = fmax(peak, R);
        before = R;
        nodes = cn_soft_nodes(&t, id);
        sag -= cn_soft_moved(&nodes, top, 1) / steps;
    }
    cn_trial_end(&t);
    cn_check(book, "largest error of R up to 2 H/c, over its peak", ramp / 5886.0, 0.0, 0.02);
    cn_check_rel(book, "time when R is the weight", crossing[0], 0.013416408, 0.02);
    cn_check_rel(book, "period", 2.0 * (crossing[1] - crossing[0]), 0.053665631, 0.02);
    cn_check_rel(book, "peak of R", peak, 5886.0, 0.02);
    cn_check_rel(book, "time of the peak", when, 0.026832816, 0.02);
    cn_check_rel(book, "mean sag of the top", sag, 8.829e-4, 0.02);
}

static double lateral_pressure(cn_book *book, cn_plane plane)
{
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    def.solver.eps_v = def.solver.tol = 1e-12;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, 0.0, 0.0);
    cn_build_plane(&t, (cn_body_def){0});
    cn_body_id left = cn_build_plane(&t, (cn_body_def){.angle = -0.5 * CN_PI});
    cn_build_plane(&t, (cn_body_def){.at = {1.0, 0.0}, .angle = 0.5 * CN_PI});
    cn_soft block = cn_soft_box(book, CN_QUAD4, (int[]){4, 4}, (double[]){0.0, 0.0},
                                (double[]){1.0, 1.0}, cn_soft_elastic(1000.0, 0.3, 1.0));
    block.mesh.plane = plane;
    cn_body_id id = cn_soft_add(&t, &block, (cn_body_def){0});
    cn_soft_free(&block);
    cn_soft_load(&t, id, "y1", CN_LOAD_TRACTION, cn_v3(0.0, -1.0, 0.0), cn_constant(1.0));
    const double h = 0.1; // long against the vibrations, which theta = 1 damps
    cn_trial_run(&t, h, 80);
    double pressure = cn_trial_push(&t, left, id).x / h;
    cn_trial_end(&t);
    return pressure;
}

void cn_case_D20(cn_book *book)
{
    check_column(book);
    cn_check(book, "lateral pressure, plane strain", lateral_pressure(book, CN_PLANE_STRAIN),
             0.3 / 0.7, 1e-8);
    cn_check(book, "lateral pressure, plane stress", lateral_pressure(book, CN_PLANE_STRESS), 0.3,
             1e-8);
}
