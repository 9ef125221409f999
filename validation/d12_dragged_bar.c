// validation/d12_dragged_bar.c -- D12: an elastic bar pulled to and fro at its end on a rough bed.
//
// Question: how far does slip reach, and what does a cycle dissipate? Reference: slip length
// F/tau, end displacement F^2/(2 EA tau), half of it left without load, and 2/3 F^3/(EA tau) per
// cycle. Source: classical shear lag.
//
// Rollers press the upper face down by as much as the pressure needs in the first step, so that
// friction at the lower face does not bend the bar. Its waves cross it in a third of a step,
// which theta = 1 damps: the motion is quasi-static although nothing but friction holds the bar.
#include "builders.h"
#include "solids.h"
#include "table.h"

#define EA 1e5    // [N]
#define TAU 200.0 // friction per length [N/m]
#define L 1.0     // [m]
#define F 100.0   // [N]
#define CELLS 100
#define RISE 25 // steps of one second from 0 to F

typedef struct drag {
    cn_trial trial;
    cn_body_id bar;
    int end; // node
} drag;

static drag build(cn_book *book)
{
    const double mu = 0.5, height = 0.01, E = EA / height, crossing = 0.3;
    const double time[] = {0.0, 1.0, 1.0 + RISE, 1.0 + 3.0 * RISE, 1.0 + 5.0 * RISE};
    const double force[] = {0.0, 0.0, F, -F, F}, press[] = {0.0, -TAU / mu / E * height};
    cn_world_def def = cn_trial_def();
    def.gravity[1] = 0.0;
    def.theta = 1.0;
    def.solver.method = CN_METHOD_NEWTON; // sweeps need thousands for a bar in one piece
    drag d = {.trial = cn_trial_begin(book, &def)};
    cn_trial_coulomb(&d.trial, mu, 0.0);
    cn_build_plane(&d.trial, (cn_body_def){0});
    double density = E * crossing * crossing / (L * L);
    cn_soft bar = cn_soft_box(book, CN_QUAD4, (int[]){CELLS, 1}, (double[]){0.0, 0.0},
                              (double[]){L, height}, cn_soft_elastic(E, 0.0, density));
    d.bar = cn_soft_add(&d.trial, &bar, (cn_body_def){0});
    cn_soft_free(&bar);
    cn_soft_drive(
        &d.trial, d.bar, "y1", CN_DOF_Y, CN_DRIVE_DISPLACEMENT,
        (cn_function){.kind = CN_FUNCTION_TABLE, .count = 2, .time = time, .value = press});
    cn_soft_load(
        &d.trial, d.bar, "x1", CN_LOAD_TOTAL, cn_v3(1.0, 0.0, 0.0),
        (cn_function){.kind = CN_FUNCTION_TABLE, .count = 5, .time = time, .value = force});
    cn_node_view nodes = cn_soft_nodes(&d.trial, d.bar);
    d.end = cn_soft_nearest(&nodes, cn_v3(L, 0.5 * height, 0.0));
    return d;
}

static double end_of(const drag *d)
{
    cn_node_view nodes = cn_soft_nodes(&d->trial, d->bar);
    return cn_soft_moved(&nodes, d->end, 0);
}

// Length along which contacts slide: from the end to half way to the first that sticks.
static double slip_length(const cn_trial *t)
{
    cn_view view = t->is_broken ? (cn_view){0} : cn_world_view(t->world);
    double stuck = 0.0;
    for (int a = 0; a < view.contact_count; a++) {
        if (view.contact[a].status == CN_STATUS_STICK) {
            stuck = fmax(stuck, view.contact[a].point[0]);
        }
    }
    return L - stuck - 0.5 * L / CELLS;
}

void cn_case_D12(cn_book *book)
{
    drag d = build(book);
    cn_trial_run(&d.trial, 1.0, 1 + RISE);
    double pulled = end_of(&d), slip = slip_length(&d.trial), area = 0.0, left = NAN;
    double before = pulled, dissipated = 0.0;
    for (int k = 0; k < 4 * RISE && cn_trial_step(&d.trial, 1.0); k++) {
        double now = end_of(&d),
               middle = k < 2 * RISE ? F - (k + 0.5) * F / RISE : (k + 0.5) * F / RISE - 3.0 * F;
        area += middle * (now - before);
        left = k + 1 == RISE ? now : left;
        before = now;
        dissipated += cn_world_view(d.trial.world).ledger->step[CN_ENERGY_FRICTION];
    }
    cn_trial_end(&d.trial);
    cn_check(book, "slip length", slip, 0.5, L / CELLS);
    cn_check_rel(book, "end displacement at 100 N", pulled, 2.5e-4, 0.02);
    cn_check_rel(book, "displacement left at 0 N", left, 1.25e-4, 0.02);
    cn_check_rel(book, "end displacement after a cycle", before, 2.5e-4, 0.02);
    cn_check_rel(book, "area of the loop", area, 0.033333333, 0.02);
    cn_check_rel(book, "friction in the ledger over a cycle", dissipated, 0.033333333, 0.02);
}
