// validation/d21_pressed_pulled.c -- D21: an elastic block pressed on a rough plane and pulled.
//
// Question: where along its base is it open, slips, sticks? Reference: no closed form; in this
// order from the loaded side, reactions equal loads, and two solvers agree on the lengths. Loads
// rise together: the answer is proportional to them. Source: Raous, Chabrand and Lebon 1988.
//
// What is asked (equilibrium, the cone, equal lengths of two solvers) holds whether the side is
// pulled outwards or pushed inwards. The order open, slip, stick is that of a pushed side only: the
// load acts half way up and friction below it, so that a push lifts the lower corner and a pull
// presses it down. Pulled, nothing opens: the corner bears many times the mean pressure (12 on this
// mesh) and sticks, and what slips lies between it and the middle.
#include "builders.h"
#include "solids.h"
#include "table.h"

#define SIDE 0.04      // half of the block is a square [m]
#define PRESSURE 50e6  // [Pa]
#define TRACTION 100e6 // outwards on the side [Pa]
#define MU 1.0
#define STEPS 20 // while the loads rise

typedef struct zones {
    double open, slip;     // lengths along the base [m]
    double corner;         // pressure of the node at the loaded side over the mean
    bool is_ordered;       // from the pulled side: open, slip, stick
    double excess;         // largest |r_t| - mu r_n over the mean r_n
    double miss_x, miss_y; // of equilibrium, over the loads
} zones;

// Each node stands for a cell, those at the ends for half of one.
static void find_zones(const cn_trial *t, double h, int cells, zones *z)
{
    const double mean = PRESSURE * SIDE * h / cells;
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    double stuck = 0.0, closed = 0.0, sliding = INFINITY, open = INFINITY, dx = SIDE / cells;
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *c = &view.contact[a];
        double x = c->point[0], r_t = fabs(c->r[1]);
        bool is_open = c->status == CN_STATUS_OPEN, is_sliding = c->status == CN_STATUS_SLIDE;
        z->excess = fmax(z->excess, (r_t - MU * c->r[0]) / mean);
        double share = x > dx / 2.0 && x < SIDE - dx / 2.0 ? dx : dx / 2.0;
        z->corner = x > SIDE - dx / 2.0 ? c->r[0] / (0.5 * mean) : z->corner;
        z->open += is_open ? share : 0.0;
        z->slip += is_sliding ? share : 0.0;
        open = is_open ? fmin(open, x) : open;
        sliding = is_sliding ? fmin(sliding, x) : sliding;
        closed = is_open ? closed : fmax(closed, x);
        stuck = is_open || is_sliding ? stuck : fmax(stuck, x);
    }
    z->is_ordered = stuck < sliding && stuck < closed && closed < open;
}

// Reactions of the ground and of the plane of symmetry against the loads.
static void weigh(const cn_trial *t, cn_body_id ground, cn_body_id block, double sign, double h,
                  zones *z)
{
    cn_node_view n = cn_soft_nodes(t, block);
    cn_vec3 sum = cn_trial_push(t, ground, block);
    for (int a = 0; a < n.node_count; a++) {
        sum.x += n.reaction[2 * a];
    }
    z->miss_x = fabs(sign * sum.x / (TRACTION * SIDE * h) + 1.0);
    z->miss_y = fabs(sum.y / (PRESSURE * SIDE * h) - 1.0);
}

// `sign` 1: pulled, -1: pushed.
static zones pull(cn_book *book, double sign, int cells, cn_method method)
{
    const double E = 130e9, h = 10.0; // waves cross the block in a second
    const double time[] = {0.0, STEPS * h}, press[] = {0.0, PRESSURE}, pulls[] = {0.0, TRACTION};
    zones z = {0};
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    def.solver.method = method;
    cn_trial t = cn_trial_begin(book, &def);
    cn_trial_coulomb(&t, MU, 0.0);
    cn_body_id ground = cn_build_plane(&t, (cn_body_def){0});
    cn_soft half = cn_soft_box(book, CN_QUAD4, (int[]){cells, cells}, (double[]){0.0, 0.0},
                               (double[]){SIDE, SIDE}, cn_soft_elastic(E, 0.2, E / (SIDE * SIDE)));
    cn_body_id block = cn_soft_add(&t, &half, (cn_body_def){0});
    cn_soft_free(&half);
    cn_soft_hold(&t, block, "x0", CN_DOF_X);
    cn_function f = {.kind = CN_FUNCTION_TABLE, .count = 2, .time = time, .value = press};
    cn_soft_load(&t, block, "y1", CN_LOAD_TRACTION, cn_v3(0.0, -1.0, 0.0), f);
    f.value = pulls;
    cn_soft_load(&t, block, "x1", CN_LOAD_TRACTION, cn_v3(sign, 0.0, 0.0), f);
    cn_trial_run(&t, h, STEPS);
    find_zones(&t, h, cells, &z);
    weigh(&t, ground, block, sign, h, &z);
    cn_trial_end(&t);
    return z;
}

static void check(cn_book *book, const char *side, const char *solver, const zones *z)
{
    cn_check(book, cn_name(book, "equilibrium along x, %s, %s", side, solver), z->miss_x, 0.0,
             1e-8);
    cn_check(book, cn_name(book, "equilibrium along y, %s, %s", side, solver), z->miss_y, 0.0,
             1e-8);
    cn_check(book, cn_name(book, "|t| - mu n over mean n, %s, %s", side, solver), z->excess, 0.0,
             1e-8);
}

// Returns the zones of one of the solvers.
static zones check_side(cn_book *book, const char *side, double sign)
{
    const int cells = 64;
    zones a = pull(book, sign, cells, CN_METHOD_NNCG);
    zones b = pull(book, sign, cells, CN_METHOD_NEWTON);
    zones coarse = pull(book, sign, cells / 2, CN_METHOD_NEWTON);
    check(book, side, "sweeps", &a);
    check(book, side, "Newton", &b);
    cn_check(book, cn_name(book, "open length, sweeps, %s", side), a.open, b.open, SIDE / cells);
    cn_check(book, cn_name(book, "slip length, sweeps, %s", side), a.slip, b.slip, SIDE / cells);
    // Reported: the lengths that half the cells would make of none.
    cn_check(book, cn_name(book, "open length, extrapolated, %s", side), 2.0 * b.open - coarse.open,
             b.open, INFINITY);
    cn_check(book, cn_name(book, "slip length, extrapolated, %s", side), 2.0 * b.slip - coarse.slip,
             b.slip, INFINITY);
    a.is_ordered = a.is_ordered && b.is_ordered;
    return a;
}

void cn_case_D21(cn_book *book)
{
    zones pushed = check_side(book, "pushed", -1.0);
    cn_check_true(book, "from the side: open, slip, stick, pushed", pushed.is_ordered);
    zones pulled = check_side(book, "pulled", 1.0);
    cn_check(book, "open length, pulled", pulled.open, 0.0, 0.0);
    cn_check_least(book, "pressure at the corner over the mean, pulled", pulled.corner, 1.0);
    cn_check(book, "from the side: open, slip, stick, pulled (reported)", pulled.is_ordered, 0.0,
             INFINITY);
}
