// solve/solver.h -- what the files of solve/ share: packed constraints and the iterate.
#pragma once

#include "base/memory.h"
#include "cairn/solver.h"
#include "solve/problem/rolling_cone.h"
#include "solve/sweep/batch.h"

// One constraint that is not free. Contacts of rigid bodies are visited in batches (batch.h), the
// rest one by one: G is read from the problem, the other numbers stand in the stream,
//     W' (rows x rows), shift (rows), roots of the last visit (CN_DISC_MAX; cones with moments)
// with shift = u_free + b - W_aa r0, so that u'_rest = shift + G^T w - W_aa r (8.4). A side without
// a body has no degrees of freedom.
typedef struct cn_packed {
    int a;   // constraint in the problem
    int row; // first row
    signed char kind, rows, dof_i, dof_j;
    bool is_painleve; // (8.19)
    bool has_moments; // a cone over several discs (8.12)
    bool is_ball;     // between balls, and given by its geometry
    double mu;
} cn_packed;

struct cn_watch;

struct cn_solver {
    cn_hooks hooks;
    const struct cn_watch *watch; // of the solve under way; NULL: none
    cn_packed *packed;
    double *stream;
    cn_batches batches;
    double *w;    // A^1/2 (v - v_free) of all bodies
    int *place;   // first entry in w of each body, in the order of visits (places.c)
    double *root; // roots of bodies (cn_factors), twice as far as their place in w
    bool is_placed;
    size_t place_capacity, root_capacity;
    double *w_old, *w_momentum;
    double *r_old, *r_momentum, *r_best;
    double *u;
    double *W_diag;  // trace(W_aa + c) / rows of each constraint
    double *work;    // of the method that runs (cn_solver_work)
    double *soft;    // shifts, then compliances of the elastic step
    double *r_guess; // impulses that the last call started from
    double *length;  // l_a of each constraint, 1 without moments (8.16) [m]
    double *scaled;  // the problem in variables of one kind (lengths.c)
    double *u_scaled;
    bool has_lengths; // the last problem has moments
    size_t work_capacity, soft_capacity, r_guess_capacity, length_capacity, scaled_capacity;
    bool is_soft; // the last call was an elastic step
    size_t packed_capacity, stream_capacity, w_capacity, w_old_capacity, w_momentum_capacity;
    size_t r_old_capacity, r_momentum_capacity, r_best_capacity, u_capacity, W_diag_capacity;
    unsigned char *kind_awake; // kinds of the problem without islands at rest (rest.h)
    int *island;               // tree of the bodies of each island: towards its first body
    bool *is_awake;            // of islands, by their first bodies
    size_t kind_awake_capacity, island_capacity, is_awake_capacity;
    unsigned char *is_open; // by constraint: open at first, for the batches (idle.h)
    size_t is_open_capacity;
    bool is_open_known;
    unsigned char *is_still; // of bodies: tied to what cannot move (still.h)
    size_t is_still_capacity;
    bool has_still;    // there are such bodies
    int packed_count;  // constraints that are not free
    int batched_count; // the first of them that are sorted into batches; the others are listed only
    int dof_count;
    int sweep_number; // sweeps since the problem was packed
    int sweeps_on_w;  // sweeps since w was built from r
    int thread_count;
    struct cn_part *part;     // what is disturbed (part.h), made when first asked for
    bool is_inner;            // this solver solves such a part
    bool is_whole;            // nothing stands still (still.h), no parts are tried
    struct cn_kernel *kernel; // matrices and factors (kernel.h), made when first asked for
};

// First entry in w of a body.
static inline int cn_solver_place(const cn_solver *s, const cn_factors *f, int body)
{
    return s->is_placed ? s->place[body] : f->dof_start[body];
}

// First entry in w of the body of a side that has one.
static inline int cn_packed_w(const cn_solver *s, const cn_factors *f, const cn_packed *c, int side)
{
    int dof = side == 0 ? c->dof_i : c->dof_j;
    return dof > 0 ? cn_solver_place(s, f, f->body[2 * c->a + side]) : 0;
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
cn_status cn_places_find(cn_solver *s, const cn_problem *p, cn_error *err);
cn_status cn_places_copy_roots(cn_solver *s, const cn_problem *p, cn_error *err);

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
cn_status cn_lengths_scale(cn_solver *s, const cn_problem *p, cn_problem *scaled, cn_error *err);
const double *cn_lengths_velocity(cn_solver *s, const cn_problem *p, const double *u);
void cn_lengths_return(const cn_solver *s, const cn_problem *scaled, cn_problem *p);

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
// islands at rest may wake (rest.h), and a warm step allocates nothing.
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

// The same without idle batches (idle.h).
void cn_sweep_busy(cn_solver *s, const cn_problem *p, bool is_backward);

// w = G r, from scratch (8.4).
void cn_solver_apply(cn_solver *s, const cn_problem *p, const double *r);

// The same of the bodies of constraints that are in no batch; they must share none with the others.
void cn_solver_apply_listed(cn_solver *s, const cn_problem *p, const double *r);

// u = u_free + G^T w + stored rows times r, of packed constraints.
void cn_solver_velocity(const cn_solver *s, const cn_problem *p, const double *r, double *u);

// Problems of fewer constraints are small to prox: its springs grow harder.
enum { CN_PROX_SMALL = 1000 };

// Progress of an iteration: when to measure, what is best, when to give up.
typedef struct cn_watch {
    const cn_solver_def *def;
    int sweep_count, sweep_next; // measure when sweep_count reaches sweep_next
    int sweep_soonest;           // or from here on, when the change promises that all is done
    double change;               // of the last iteration, an energy; 0: the method does not say
    double change_measured, err_measured; // when last measured
    int sweeps_in_vain; // of the whole, that parts cost which did not help (part.h)
    int iteration_count, factorization_count;
    int sweep_halved;           // when that was
    double miss_most;           // more than this is no answer, however small its error [m/s]
    double approach_most;       // likewise of what contacts approach with [m/s]
    double err_best;            // of all methods, times the accepted errors
    double err_run, err_halved; // best of the present run, and when it last halved
    int patience;               // stalled when err_run has not halved in so many sweeps
    bool is_converged, is_stalled;
    bool is_over;           // the sweeps that were allowed are used up, or the caller interrupts
    bool is_interrupted;    // the latter
    bool is_factor_refused; // a matrix did not fit in memory
    double hardness_factor; // of the springs of prox
    double goal;            // stop also at this distance; 0: no
    double depth;           // what is accepted is left at this distance, 1 or less
    double best_energy;     // err_e of the best iterate
    int chain_count;
    cn_method chain[CN_CHAIN_MAX]; // the methods that ran
    cn_residual
        residual; // of the last measured iterate; if converged, free of what rounding left in w
} cn_watch;

// Enters a method in the chain, with the sweeps that it may take without halving the residual.
void cn_watch_begin(cn_watch *watch, cn_method method, int patience);

// Forgets how far the present run has come: for methods that start anew, worse than the best.
void cn_watch_renew(cn_watch *watch);

// Asks whether the work is over: sweeps used up, or the caller interrupts.
void cn_watch_look(cn_watch *watch);

// Measures if it is time to, keeps the best iterate in s->r_best; true: stop.
bool cn_watch_check(cn_watch *watch, cn_solver *s, const cn_problem *p);

// The same after a plain sweep, which is counted; w is formed anew from r now and then.
bool cn_watch_sweep(cn_watch *watch, cn_solver *s, const cn_problem *p);

// How many times the accepted errors: what the iterations bring down to 1.
double cn_watch_distance(const cn_watch *watch, const cn_residual *residual);

// The iterations: from the impulses in p->r and the matching s->w to the best iterate in s->r_best.
// Work is counted in sweeps: one visit to every constraint, or one product with W. An error is for
// what stops the call (no memory); not converging is none.
cn_status cn_nlgs(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_nncg(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_apgd(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_prox(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_even(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_newton(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_cpg(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_bipotential(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_uzawa(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_lemke(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_admm(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_ipm(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_ipm_lagged(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_alm(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_prox_newton(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
cn_status cn_auto(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);

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
    cn_status (*iterate)(cn_solver *s, const cn_problem *p, cn_watch *watch, cn_error *err);
    int patience; // give up when the best residual has not halved in so many sweeps
} cn_method_row;
const cn_method_row *cn_method_find(cn_method method);

// Runs a method from the impulses in p->r and adds it to the chain: what chains of methods call.
cn_status cn_watch_run(cn_watch *watch, cn_method method, cn_solver *s, const cn_problem *p,
                       cn_error *err);

// The residual of p->r and u, with the diagonal blocks of the packed form.
void cn_solver_residual(const cn_solver *s, const cn_problem *p, const double *u, cn_residual *out);

// e_a of constraint a (8.8) [m/s].
double cn_solver_miss(const cn_solver *s, const cn_problem *p, const double *u, int a);

// W_aa of constraint a, without compliance.
void cn_problem_block(const cn_problem *p, int a, double *W_aa);
