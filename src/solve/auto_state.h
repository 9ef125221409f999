// solve/auto_state.h -- what the parts of the policy `auto` share: its state, and steps of all of
// them.
#pragma once

#include "solve/direct/linear_system.h"

typedef struct cn_policy {
    cn_solver *s;
    const cn_problem *p;
    cn_watch *watch;
    bool can_factor;       // the matrix fits in memory and in time
    double tried_finish;   // err_best when Newton last failed
    double tried_springs;  // the same of Newton with springs: from there it would fail again
    double err_start;      // err_v of the first guess
    double first_distance; // how far that is from what is accepted
    double left;           // iterations that the present method promises to need
    double rest_after;     // sweeps after which ADMM for bodies at rest is tried
    bool is_rest_planned;
    bool is_convex; // without friction, and the interior point is not tried yet
    bool is_chain;  // bodies may be at rest: sweeps go forward and back
    bool has_guess; // that of a step before, from which no path was followed yet
    bool is_again;  // the guess is that of a step before, and was not gone on from with a matrix
    cn_momentum momentum;
} cn_policy;

// Nothing is left to do, or no more may be done.
bool cn_policy_is_over(const cn_policy *a);

// The next method starts from the best iterate.
void cn_policy_take_best(cn_policy *a);

// What a method or a factor that cannot be had comes to: no memory for the matrix, or constraints
// that the method does not know, are no failure; the next one does without.
cn_status cn_policy_go_on(cn_policy *a, cn_status status, const cn_error *why, cn_error *err);

// Work of the matrix for the given kind of factor, in sweeps; too much of it, or too much memory,
// rules matrices out.
cn_status cn_policy_matrix_cost(cn_policy *a, cn_factor_kind kind, double *sweeps, cn_error *err);

// A method from the best iterate, if anything is left to do.
cn_status cn_policy_run(cn_policy *a, cn_method method, cn_error *err);

// Many rigid bodies, of which the most that a matrix does is to take long.
bool cn_policy_is_large(const cn_policy *a);

// A time step of rigid bodies, after which another follows.
bool cn_policy_is_step(const cn_policy *a);

// A step of a large flow with no end in sight: statuses still change, and Newton steps do not help.
bool cn_policy_is_wandering(const cn_policy *a);

// Work that the present method promises to need.
double cn_policy_sweeps_left(const cn_policy *a);

// Newton steps where what is left of the present method would cost more, and the energy error is
// small enough: late, when sweeps no longer help, it may be larger. To ask what they cost is work
// as well. *is_tried: steps were made.
cn_status cn_policy_finish(cn_policy *a, bool is_late, bool *is_tried, cn_error *err);

// A path (path.h) from the guess. That solves the problem of the step before, and loads change
// little from step to step: so a wall is met where it starts to move.
cn_status cn_policy_follow_guess(cn_policy *a, cn_error *err);

// What NNCG leaves of flows (turns.c), and soft springs for long if what is left is near.
cn_status cn_policy_flow(cn_policy *a, cn_error *err);
cn_status cn_policy_creep(cn_policy *a, cn_error *err);
