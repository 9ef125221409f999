// solve/solver.h -- what the files of solve/ share: packed constraints and the iterate.
#pragma once

#include "base/memory.h"
#include "cairn/solver.h"
#include "solve/problem/fold.h"
#include "solve/problem/rolling_cone.h"
#include "solve/sweep/batch.h"

// One constraint that is not free. Contacts of rigid bodies are visited in batches (batch.h), the
// rest one by one: G is read from the problem, the other numbers stand in the stream,
//     W' (rows x rows), shift (rows), roots of the last visit (CN_DISC_MAX; cones with moments)
// with shift = u_free + b - W_aa r0, so that u'_rest = shift + G^T w - W_aa r (8.4). Where a term
// acts beside the core, (I + W_aa k)^-1 follows (8.22). A side without a body has no degrees of
// freedom.
typedef struct cn_packed {
    int a;   // constraint in the problem
    int row; // first row
    signed char kind, rows, dof_i, dof_j;
    bool is_painleve; // (8.19)
    bool has_moments; // a cone over several discs (8.12)
    bool is_ball;     // between balls, and given by its geometry
    double mu;
} cn_packed;

struct cn_solve_progress;

// Memory of a solver, kept from call to call. Groups by who writes them; arrays with their shape
// (rows: of the problem, bodies and constraints likewise) and unit, capacities in entries.
struct cn_solver {
    cn_hooks hooks;
    int thread_count;

    // solve.c: the call under way
    const struct cn_solve_progress *progress; // NULL: none
    double *r_guess;                          // rows: impulses that the call started from [N s]
    double *r_best;                           // rows: of the best iterate so far [N s]
    double *soft; // 2 rows: shifts [m/s], then compliances [1/kg] of the elastic step
    bool is_soft; // the last call was an elastic step
    size_t r_guess_capacity, r_best_capacity, soft_capacity;

    // problem/scale_moments.c: the problem in variables of one kind
    bool has_moment_rows; // there are moments
    double *length;       // constraints: l_a, 1 without moments (8.16) [m]
    double *scaled;       // the problem, as far as it differs
    double *u_scaled;     // rows, a part of `scaled` [m/s]
    size_t length_capacity, scaled_capacity;

    // problem/problem.c: constraints that are not free, and the state of the iterate
    cn_packed *packed;  // packed_count: in the order of visits
    double *stream;     // their numbers (cn_packed)
    double *W_diag;     // constraints: trace(W_aa + c) / rows [1/kg]
    double *u;          // rows: velocities of the last measurement [m/s]
    double *w;          // dof_count: A^1/2 (v - v_free) of all bodies [kg^1/2 m/s]
    int packed_count;   // constraints that are not free
    int batched_count;  // the first of them, sorted into batches; the others are listed only
    int dof_count;      // of all bodies
    int sweep_number;   // sweeps since the problem was packed
    bool is_start_good; // the impulses are nearly right: no sweep is to spoil them
    int sweeps_on_w;    // sweeps since w was built from r
    size_t packed_capacity, stream_capacity, W_diag_capacity, u_capacity, w_capacity;

    // sweep/body_order.c: bodies in the order of visits
    bool has_body_order; // else in that of the problem
    int *body_start;     // bodies: first entry in w
    double *root;        // CN_ROOT_SIZE bodies: of cn_factors, twice as far as their place in w
    size_t body_start_capacity, root_capacity;

    // sweep/batch.c, sweep/open_contacts.c: records of the SIMD kernels, what they may skip
    cn_batches batches;
    unsigned char *is_open; // constraints: open at first
    bool is_open_known;
    size_t is_open_capacity;

    // sweep/nncg.c: the iterate before and the momentum, of r (rows) [N s] and of w (dof_count)
    double *r_old, *r_momentum;
    double *w_old, *w_momentum;
    size_t r_old_capacity, r_momentum_capacity, w_old_capacity, w_momentum_capacity;

    // sleep/islands.c: what is at rest
    unsigned char *kind_awake; // constraints: kinds of the problem without islands at rest
    int *island;               // bodies + 1: tree of each island, towards its first body
    bool *is_awake;            // bodies + 1: of islands, by their first bodies
    size_t kind_awake_capacity, island_capacity, is_awake_capacity;

    // sleep/locked.c: bodies tied to what cannot move
    unsigned char *is_locked; // bodies
    bool has_locked;          // there are such bodies
    size_t is_locked_capacity;

    // sleep/subproblem.c: what is disturbed, made when first asked for
    struct cn_subproblem *subproblem;
    bool is_inner; // this solver solves such a subproblem
    bool is_whole; // no body is locked, no subproblems are tried

    // problem/fold.c, problem/fold_rows.c: terms beside cores
    cn_fold fold;

    // the method that runs
    double *work;                    // cn_solver_work
    struct cn_linear_system *system; // matrices and factors, made when first asked for
    size_t work_capacity;
};

// First entry in w of a body.
static inline int cn_solver_body_start(const cn_solver *s, const cn_factors *f, int body)
{
    return s->has_body_order ? s->body_start[body] : f->dof_start[body];
}

// First entry in w of the body of a side that has one.
static inline int cn_packed_w(const cn_solver *s, const cn_factors *f, const cn_packed *c, int side)
{
    int dof = side == 0 ? c->dof_i : c->dof_j;
    return dof > 0 ? cn_solver_body_start(s, f, f->body[2 * c->a + side]) : 0;
}

enum { CN_MANY = 65536 }; // constraints whose records and bodies no cache holds

// Whether constraints first .. end - 1 have as many rows as there are dimensions.
static inline bool cn_is_even(const cn_problem *p, int first, int end)
{
    const int *row = p->row_start, dim = p->dim;
    int other = 0;
    for (int a = first; a < end; a++) {
        other |= row[a + 1] - row[a] - dim;
    }
    return other == 0;
}

// Numbers bodies in w as the constraints name them, if there are more than a cache holds; w stays
// valid as long as constraints keep their bodies. The roots of bodies in that order.
cn_status cn_body_order_find(cn_solver *s, const cn_problem *p, cn_error *err);
cn_status cn_body_order_copy_roots(cn_solver *s, const cn_problem *p, cn_error *err);

// CN_BAD_INPUT if the problem has a periodic cell that is under stress: what links all constraints
// is for methods of sweeps and products.
cn_status cn_cell_refuse(const cn_problem *p, cn_error *err);

// Memory that the solver holds for sweeps, residuals and iterates; matrices are not counted
// [bytes].
size_t cn_solver_bytes(const cn_solver *s);

// Checks the problem for NaN, bad indices and rows.
cn_status cn_problem_check(const cn_problem *p, int thread_count, cn_error *err);

// W' (rows x rows) and the shift of a packed constraint, and the shift alone.
void cn_packed_numbers(const cn_problem *p, const cn_packed *c, double *W, double *shift);
void cn_packed_shift(const cn_problem *p, const cn_packed *c, double *shift);

// Packed shifts after a change of b or u_free alone.
void cn_solver_reshift(cn_solver *s, const cn_problem *p);

// All packed numbers after a change of c, b or u_free alone.
void cn_solver_renumber(cn_solver *s, const cn_problem *p);

// The problem with moments and angular velocities as impulses and velocities (8.16); without
// moments it is p itself. Velocities likewise, and the way back: impulses into p->r, s->u in place.
cn_status cn_scale_moments(cn_solver *s, const cn_problem *p, cn_problem *scaled, cn_error *err);
const double *cn_scale_moments_velocity(cn_solver *s, const cn_problem *p, const double *u);
void cn_scale_moments_return(const cn_solver *s, const cn_problem *scaled, cn_problem *p);

// Lists the constraints that are not free, in the order of visits: enough for cn_solver_apply,
// cn_solver_velocity and cn_solver_residual.
cn_status cn_solver_list(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                         cn_error *err);

// Lists again the constraints that stand behind the packed ones, `count` in all.
void cn_solver_widen(cn_solver *s, const cn_problem *p, int count);

// After cn_solver_list: the packed form that sweeps read.
cn_status cn_solver_build(cn_solver *s, const cn_problem *p, cn_error *err);

// Both.
cn_status cn_solver_pack(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                         cn_error *err);

// Room for `count` numbers, not initialised, until the next method asks.
cn_status cn_solver_work(cn_solver *s, size_t count, double **work, cn_error *err);

// Room for what takes `size` for the packed constraints, if all of the problem come to be packed:
// islands at rest may wake (islands.h), and a warm step allocates nothing.
size_t cn_room_for_all(const cn_solver *s, const cn_problem *p, size_t size);

// The elastic step (13.5): whether it is asked for, and its problem, which shares all but shifts
// and compliances with p. *c_least is the smallest hardness.
bool cn_is_elastic(const cn_solver_def *def);
cn_status cn_elastic_check(const cn_solver_def *def, cn_error *err);
cn_status cn_elastic_make(cn_solver *s, const cn_problem *p, const cn_solver_def *def,
                          cn_problem *soft, double *c_least, cn_error *err);

// Local solutions: r' (in: the last one, out: the new one) for the block W' and u'_rest; x are the
// roots of the last visit, to be used and kept as the solver likes.
typedef void cn_local_solver(const cn_core *core, int rows, const double *W, const double *u,
                             double *x, double *r);

// Visits one constraint with all others frozen (8.3); `numbers` are those of the stream
// (cn_packed).
void cn_visit(cn_solver *s, const cn_problem *p, const cn_packed *c, double *numbers,
              cn_local_solver *solve);

// One sweep over packed constraints, forward or backward (8.3): updates p->r and s->w.
void cn_sweep(cn_solver *s, const cn_problem *p, bool is_backward);

// The same without idle batches (open_contacts.h).
void cn_sweep_closed(cn_solver *s, const cn_problem *p, bool is_backward);

// w = G r, from scratch (8.4).
void cn_solver_apply(cn_solver *s, const cn_problem *p, const double *r);

// p->r = r' - r0 of packed constraints, for impulses r' in the terms of their cores, and w of it.
void cn_solver_apply_core(cn_solver *s, const cn_problem *p, const double *r_core);

// The same of the bodies of constraints that are in no batch; they must share none with the others.
void cn_solver_apply_listed(cn_solver *s, const cn_problem *p, const double *r);

// u = u_free + G^T w + stored rows times r, of packed constraints.
void cn_solver_velocity(const cn_solver *s, const cn_problem *p, const double *r, double *u);

// Problems of fewer constraints are small to prox: its springs grow harder.
enum { CN_PROX_SMALL = 1000 };

// Progress of an iteration: when to measure, what is best, when to give up.
typedef struct cn_solve_progress {
    const cn_solver_def *def;
    int sweep_count, sweep_next; // measure when sweep_count reaches sweep_next
    int sweep_soonest;           // or from here on, when the change promises that all is done
    double change;               // of the last iteration, an energy; 0: the method does not say
    double change_measured, err_measured; // when last measured
    int sweeps_in_vain; // of the whole, that parts cost which did not help (subproblem.h)
    int iteration_count, factorization_count;
    int sweep_halved;     // when that was
    double miss_most;     // more than this is no answer, however small its error [m/s]
    double e_most;        // likewise of what a constraint may miss its law by; 0: anything [m/s]
    double approach_most; // likewise of what contacts approach with [m/s]
    double err_best;      // of all methods, times the accepted errors
    double err_run, err_halved; // best of the present run, and when it last halved
    int patience;               // stalled when err_run has not halved in so many sweeps
    bool is_converged, is_stalled;
    bool is_over;           // the sweeps that were allowed are used up, or the caller interrupts
    bool is_interrupted;    // the latter
    bool is_factor_refused; // a matrix did not fit in memory
    double hardness_factor; // of the springs of prox
    double stop_at;         // stop also at this distance; 0: no
    double accept_factor;   // at most 1: iterate on to this share of what is accepted
    double best_energy;     // err_e of the best iterate
    int chain_count;
    cn_method chain[CN_CHAIN_MAX];             // the methods that ran
    cn_method_work work[CN_METHOD_NAME_COUNT]; // what each of them did, but for the present one
    cn_method running;                         // the present one; CN_METHOD_AUTO: none
    cn_method_work mark;                       // all work done when it began
    cn_residual
        residual; // of the last measured iterate; if converged, free of what rounding left in w
} cn_solve_progress;

// Whether a method may run (cn_solver_def.left_out).
static inline bool cn_progress_allows(const cn_solve_progress *progress, cn_method method)
{
    return (progress->def->left_out >> method & 1u) == 0;
}

// Enters a method in the chain, with the sweeps that it may take without halving the residual.
void cn_progress_begin(cn_solve_progress *progress, cn_method method, int patience);

// Charges the work since the last call to the method that was running, and what follows to this
// one, which is entered in the chain. Returns the one before, to go back to. CN_METHOD_AUTO: none.
cn_method cn_progress_charge(cn_solve_progress *progress, cn_method method);

// Enters a method in the chain, unless it is the last one there.
void cn_progress_enter(cn_solve_progress *progress, cn_method method);

// Adds what methods have done, each to itself (CN_METHOD_NAME_COUNT of them).
void cn_work_add(const cn_method_work *from, cn_method_work *to);

// Forgets how far the present run has come: for methods that start anew, worse than the best.
void cn_progress_renew(cn_solve_progress *progress);

// Asks whether the work is over: sweeps used up, or the caller interrupts.
void cn_progress_poll(cn_solve_progress *progress);

// Measures if it is time to, keeps the best iterate in s->r_best; true: stop.
bool cn_progress_check(cn_solve_progress *progress, cn_solver *s, const cn_problem *p);

// The same after a plain sweep, which is counted; w is formed anew from r now and then.
bool cn_progress_sweep(cn_solve_progress *progress, cn_solver *s, const cn_problem *p);

// How many times the accepted errors: what the iterations bring down to 1.
double cn_progress_distance(const cn_solve_progress *progress, const cn_residual *residual);

// The iterations: from the impulses in p->r and the matching s->w to the best iterate in s->r_best.
// Work is counted in sweeps: one visit to every constraint, or one product with W. An error is for
// what stops the call (no memory); not converging is none.
cn_status cn_nlgs(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_nncg(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_apgd(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_prox(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_prox_adaptive(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                           cn_error *err);
cn_status cn_newton(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_cpg(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_bipotential(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                         cn_error *err);
cn_status cn_uzawa(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_lemke(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_admm(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_ipm(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_ipm_lagged(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                        cn_error *err);
cn_status cn_alm(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);
cn_status cn_prox_newton(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                         cn_error *err);
cn_status cn_auto(cn_solver *s, const cn_problem *p, cn_solve_progress *progress, cn_error *err);

// The parts of an iteration of NNCG (13.1), for methods built on it: a sweep, then the momentum.
// The iterate to be measured is the one between them; p->r and s->w are not to be changed by others
// until the next reset.
typedef struct cn_momentum {
    double g, g_old;   // size of the change in this sweep and the one before, an energy
    int iteration;     // since the reset
    bool is_fresh;     // there is no direction yet
    bool is_symmetric; // each sweep forward and back: loads reach both ends of a chain at once, at
                       // twice the work; flows need as many iterations one way
} cn_momentum;
void cn_momentum_reset(cn_solver *s, const cn_problem *p, bool is_symmetric, cn_momentum *m);
int cn_momentum_sweep(cn_solver *s, const cn_problem *p, cn_momentum *m); // returns the work
void cn_momentum_push(cn_solver *s, const cn_problem *p, cn_momentum *m);

// One line of the table of methods (table.c).
typedef struct cn_method_row {
    const char *name;
    cn_status (*iterate)(cn_solver *s, const cn_problem *p, cn_solve_progress *progress,
                         cn_error *err);
    int patience;   // give up when the best residual has not halved in so many sweeps
    bool is_folded; // it looks at all constraints at once, and sees terms beside cores folded
} cn_method_row;
const cn_method_row *cn_method_find(cn_method method);

// Runs a method from the impulses in p->r and adds it to the chain: what chains of methods call.
cn_status cn_progress_run(cn_solve_progress *progress, cn_method method, cn_solver *s,
                          const cn_problem *p, cn_error *err);

// The residual of p->r and u, with the diagonal blocks of the packed form.
void cn_solver_residual(const cn_solver *s, const cn_problem *p, const double *u, cn_residual *out);

// e_a of constraint a (8.8) [m/s].
double cn_solver_miss(const cn_solver *s, const cn_problem *p, const double *u, int a);

// How many constraints have e_a above `limit` [m/s].
int cn_solver_count_above(const cn_solver *s, const cn_problem *p, const double *u, double limit);

// W_aa of constraint a, without compliance.
void cn_problem_block(const cn_problem *p, int a, double *W_aa);
