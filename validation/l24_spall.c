// validation/l24_spall.c -- L24: a bar is cut by the tension of two waves that meet.
//
// Question: where does a plate that hits a bar cut it, what leaves, and what stays? Reference:
// waves along a bar. A flyer of 0.1 m at 20 m/s sends rho c v/2 = 135 MPa into the bar; the wave
// from the free end and the end of the pulse meet 0.1 m before it. What is cut off leaves with the
// momentum of the pulse, 20 m/s on the mean, and the flyer stays behind, at rest. Source: derived.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "builders.h"
#include "table.h"

enum { FLYER = 20, BAR = 60, PIECES = FLYER + BAR };
static const double CELL = 5e-3, SPEED = 20.0;

typedef struct spall {
    cn_trial trial;
    int first; // place of the first piece of the bar among the bodies
} spall;

static spall build(cn_book *book, double strength)
{
    char text[2048];
    snprintf(text, sizeof text,
             "cairn: 1\ndimension: 2\ngravity: none\n"
             "materials: {metal: {density: 2700, young: 67.5e9, poisson: 0, kinematics: small}}\n"
             "laws:\n  dry: {type: coulomb, friction: 0}\n"
             "  bond: {type: cohesive, shape: linear, stiffness: 3e15, strength: %g, energy: 10}\n"
             "contacts: [{between: [flyer, any], law: dry}, {between: [any, any], law: bond}]\n"
             "bodies:\n"
             "  flyer: {mesh: {box: [0.1, 5e-3], elements: quad4, cells: [20, 1]}, material: metal,"
             " at: [-0.05, 0], velocity: [20, 0]}\n"
             "  bar: {mesh: {box: [0.3, 5e-3], elements: quad4, cells: [60, 1],"
             " explode: elements}, material: metal, at: [0.15, 0]}\n"
             "stages: [{step: 2e-7, duration: 1.6e-4}]\n",
             strength);
    cn_solver_def solver = cn_trial_def().solver;
    solver.method = CN_METHOD_AUTO;
    return (spall){.trial = cn_trial_begin_scene(book, text, &solver), .first = 1};
}

// Facet k lies between pieces k and k + 1 of the bar; whether a point of it holds.
static void find_facets(const spall *s, bool holds[BAR - 1])
{
    cn_view view = s->trial.is_broken ? (cn_view){0} : cn_world_view(s->trial.world);
    memset(holds, 0, sizeof(bool) * (BAR - 1));
    for (int a = 0; a < view.contact_count; a++) {
        const cn_contact *x = &view.contact[a];
        const double *state = view.state + view.state_start[a];
        int low = x->i < x->j ? x->i : x->j;
        bool is_bond = view.state_start[a + 1] - view.state_start[a] > 1 && state[0] != 0.0;
        if (low >= s->first && abs(x->i - x->j) == 1 && is_bond && state[1] < 1.0) {
            holds[low - s->first] = true;
        }
    }
}

// Momentum along the bar of bodies from one to before another, and their mass.
static double momentum(const spall *s, int from, int to, double *mass)
{
    double sum = 0.0;
    *mass = 0.0;
    for (int i = from; i < to && !s->trial.is_broken; i++) {
        cn_view view = cn_world_view(s->trial.world);
        cn_node_view nodes;
        cn_error err;
        if (cn_body_nodes(s->trial.world, view.id[i], &nodes, &err) != CN_OK) {
            return NAN;
        }
        for (int n = 0; n < nodes.node_count; n++) {
            sum += nodes.mass[2 * n] * nodes.v[2 * n];
            *mass += nodes.mass[2 * n];
        }
    }
    return sum;
}

void cn_case_L24(cn_book *book)
{
    static const double strength[2] = {90e6, 200e6};
    cn_open_steps(book, "where the third facet fails, 100 solves of a step leave the law 1e-9 off");
    for (int k = 0; k < 2; k++) {
        spall s = build(book, strength[k]);
        int count = s.trial.is_broken ? 0 : cn_world_view(s.trial.world).body_count;
        double mass, start = momentum(&s, 0, count, &mass), change = 0.0;
        for (int n = 0; n < 600 && cn_trial_step(&s.trial, 2e-7); n++) {
            change = fmax(change, fabs(momentum(&s, 0, count, &mass) - start));
        }
        bool holds[BAR - 1];
        int cuts = 0, main_cut = -1;
        find_facets(&s, holds);
        for (int f = 0; f < BAR - 1; f++) {
            cuts += !holds[f];
            bool is_nearer = abs(f + 1 - (BAR - FLYER)) < abs(main_cut + 1 - (BAR - FLYER));
            main_cut = !holds[f] && (main_cut < 0 || is_nearer) ? f : main_cut;
            if (!holds[f]) {
                cn_say(book, "strength %g MPa: cut %.3f m before the end", 1e-6 * strength[k],
                       CELL * (BAR - 1 - f));
            }
        }
        const char *name = k == 0 ? "90 MPa" : "200 MPa";
        cn_check(book, cn_name(book, "%s: bodies", name), count, 1 + BAR, 0.0);
        cn_check(book, cn_name(book, "%s: change of momentum", name), change / start, 0.0, 1e-12);
        cn_check(book, cn_name(book, "%s: speed of the flyer over that before", name),
                 momentum(&s, 0, 1, &mass) / mass / SPEED, 0.0, 0.05);
        if (k == 0) {
            cn_check_true(book, "90 MPa: it is cut", cuts > 0);
            cn_check(book, "90 MPa: cut before the end [m]", CELL * (BAR - 1 - main_cut), 0.1,
                     2.0 * CELL + 1e-9);
            double p = momentum(&s, s.first + main_cut + 1, count, &mass);
            cn_check_rel(book, "90 MPa: mean speed of what leaves [m/s]", p / mass, SPEED, 0.05);
        } else {
            cn_check(book, "200 MPa: cuts", cuts, 0.0, 0.0);
        }
        cn_trial_end(&s.trial);
    }
}
