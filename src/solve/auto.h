// solve/auto.h -- what the files of the policy `auto` share: its constants, its state, and the
// conditions and starts that its table (auto.c) names.
//
//     auto.c       the table of methods, the constants, the loop over the table
//     auto_when.c  the conditions of the table
//     auto_run.c   how each method is started, and what is learned from it
#pragma once

#include "solve/direct/linear_system.h"

// Constants of the policy; values and what set them stand in auto.c. Work is counted in sweeps,
// speeds are over the reference velocity, errors over what is accepted unless said.
typedef struct cn_auto_constants {
    int first, look;      // iterations of NNCG before a regime is decided; between looks for rest
    int slice;            // iterations of NNCG between decisions
    int patience;         // sweeps of NNCG without halving the error: stalled
    int patience_convex;  // the same without friction, where nothing cycles
    int promise;          // iterations that sweeps may promise to need and go on
    int promise_rest;     // the same near rest, where early promises are not kept
    double hyperstatic;   // rows held over degrees of freedom
    double all_held;      // rows held over all rows, where W is stored
    double factor_most;   // work of one factorization that is too much for any method
    double factor_warm;   // of one that goes on from the step before (alm)
    double newton_energy; // energy error at which statuses may be right, while sweeps help
    double newton_late;   // the same when they do not
    int newton_steps;     // factorizations that active-set Newton takes
    int newton_analysis;  // work to know what those cost, of many bodies
    int ipm_steps;        // factorizations of an interior point without friction
    double near;       // error that is nearly accepted: sweeps are exact, soft proximal terms end
    double near_plain; // the same of plain sweeps, where another step does not follow
    double soft;       // their hardness, over the usual one

    double still;    // speed: nothing moves but by errors
    double rounding; // errors of no meaning
    double changed;  // speed of bodies that do not rest; error of a guess that is of other loads,
                     // over the velocity before impulses
    int burst;       // iterations of ADMM that a cold start by it is reckoned with
} cn_auto_constants;
extern const cn_auto_constants cn_auto_c;

// Where little more than the motion is asked for, structures at rest and structures that move are
// one: what sweeps promise decides. Where impulses are asked for to many digits matrices are worth
// their work, and which it is to be depends on the motion.
typedef enum cn_regime {
    CN_REGIME_FLOW,
    CN_REGIME_STRUCTURE, // hyperstatic, solved to the accuracy of motions
    CN_REGIME_REST,      // deep, near rest and hyperstatic: walls, arches, settled boxes
    CN_REGIME_MECHANISM  // deep, hyperstatic and moving: an arch on spreading supports
} cn_regime;

// Where a run of NNCG stood.
typedef struct cn_auto_mark {
    int iterations;
    double error;
} cn_auto_mark;

// What flows take turns with.
typedef enum cn_turn { CN_TURN_USUAL, CN_TURN_PLAIN, CN_TURN_SOFT, CN_TURN_OVER } cn_turn;

enum { CN_AUTO_ROWS = 12 };

typedef struct cn_auto_state {
    cn_solver *s;
    const cn_problem *p;
    cn_solve_progress *progress;
    // facts, known at the start
    bool is_stored;        // W is stored in rows: nothing is known of the bodies
    bool is_step;          // a time step of rigid bodies, after which another follows
    bool is_large;         // many rigid bodies
    bool has_guess;        // that of the step before
    bool is_deep;          // so little is accepted that linear rates are too slow
    bool is_motion;        // a structure counts as one, at rest or not
    bool is_warm;          // the guess is that of a step with nearly the same loads
    bool is_cold;          // there is none, or bodies near rest meet other loads
    double first_distance; // how far that is from what is accepted
    // what the first sweeps told
    cn_regime regime;
    bool is_convex; // a flow without friction
    // where the solve stands
    bool is_begun;                      // the first sweeps are made
    bool is_swept;                      // NNCG has stalled, or promises too much
    bool can_factor;                    // the matrix fits in memory and in time
    bool is_chain;                      // sweeps go forward and back
    double left;                        // iterations that the present method promises to need
    double rest_after;                  // sweeps after which ADMM is worth a try on what moves
    double newton_failed;               // error when active-set Newton last failed
    int swept_after_admm;               // iterations of NNCG since ADMM ended
    cn_turn turn;                       // of proximal terms and plain sweeps
    double turn_start;                  // error when the first of these began
    bool is_rest_tried;                 // ADMM was
    bool is_handed_on;                  // p->r is to be gone on with, not the best iterate
    cn_auto_mark mark, half, next_half; // of the present run of NNCG: now, and about when half done
    cn_method last;                     // the method that ran last
    int runs[CN_AUTO_ROWS];             // of each row of the table
    cn_momentum momentum;
    cn_status status; // of a condition that could not be asked
    cn_error *err;
} cn_auto_state;

// One row of the table: the first whose condition holds runs, again and again until the problem is
// solved or none holds.
typedef struct cn_auto_row {
    bool (*when)(cn_auto_state *a);
    cn_method method;
    cn_status (*run)(cn_auto_state *a, const struct cn_auto_row *row, cn_error *err);
    int most;     // times that it may run; 0: any number
    int patience; // sweeps without halving the error; 0: as the method has it
    bool is_last; // what is far from accepted after it stays so: give up
} cn_auto_row;

// How often a method of the table has run.
int cn_auto_runs(const cn_auto_state *a, cn_method method);

// Conditions (auto_when.c).

bool cn_when_deformable(cn_auto_state *a);
bool cn_when_newton(cn_auto_state *a);
bool cn_when_rest(cn_auto_state *a);
bool cn_when_warm(cn_auto_state *a);
bool cn_when_ipm(cn_auto_state *a);
bool cn_when_sweeps(cn_auto_state *a);
bool cn_when_held(cn_auto_state *a);
bool cn_when_homotopy(cn_auto_state *a);
bool cn_when_flow_large(cn_auto_state *a);
bool cn_when_flow(cn_auto_state *a);
bool cn_when_prox_newton(cn_auto_state *a);
bool cn_when_cycling(cn_auto_state *a);

// Asks whether sweeps are done: they stall, or promise too much.
void cn_auto_judge_sweeps(cn_auto_state *a);

// Finds out what the problem is like, at the present iterate.
void cn_auto_find_regime(cn_auto_state *a);

// Work of one factorization, in sweeps; too much of it, or too much memory, rules matrices out.
double cn_auto_factor_cost(cn_auto_state *a, cn_factor_kind kind);

// Starts (auto_run.c). Each begins with the best iterate unless said.
void cn_auto_take_best(cn_auto_state *a);
cn_status cn_run_method(cn_auto_state *a, const cn_auto_row *row, cn_error *err);
cn_status cn_run_homotopy(cn_auto_state *a, const cn_auto_row *row, cn_error *err);
cn_status cn_run_sweeps(cn_auto_state *a, const cn_auto_row *row, cn_error *err);
cn_status cn_run_newton(cn_auto_state *a, const cn_auto_row *row, cn_error *err);
cn_status cn_run_rest(cn_auto_state *a, const cn_auto_row *row, cn_error *err);
cn_status cn_run_warm(cn_auto_state *a, const cn_auto_row *row, cn_error *err);
cn_status cn_run_prox(cn_auto_state *a, const cn_auto_row *row, cn_error *err);
cn_status cn_run_adaptive(cn_auto_state *a, const cn_auto_row *row, cn_error *err);
cn_status cn_run_plain(cn_auto_state *a, const cn_auto_row *row, cn_error *err);
