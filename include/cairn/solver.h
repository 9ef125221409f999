/// cairn/solver.h -- solve one frictional contact problem.
///
/// Find impulses r and relative velocities u such that
///     u = W r + u_free,   (u_a, r_a) obeys core_a for every constraint a          (theory 8.1)
/// The problem is plain data: no bodies, no time. It can be saved, compared and timed alone.
#pragma once

#include "cairn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CN_ROW_MAX 6
#define CN_CHAIN_MAX 24

typedef enum cn_core_kind {
    CN_CORE_FREE = 0,  ///< r = 0
    CN_CORE_CONE,      ///< Signorini and Coulomb: u'_n >= 0, |r'_t| <= mu r'_n, exact sliding;
                       ///< likewise moments of rolling and spinning, if it has such rows
    CN_CORE_BILATERAL, ///< u' = 0
    CN_CORE_BOUNDED    ///< each row: r' in [-mu, mu], u' of opposite sign at a bound
} cn_core_kind;

/// What every solver knows of a law (theory 4.1): u' = u + b + c r' and r' = r + r0 + k u obey the
/// kind. r' is the impulse of the contact alone, -(r0 + k u) that of what acts beside it.
typedef struct cn_core {
    cn_core_kind kind;
    int dim;               ///< 2 or 3: rows of a cone beyond it are moments (theory 4.4); 0: none
    double mu;             ///< friction coefficient, or bound of CN_CORE_BOUNDED [N s]
    double mu_roll;        ///< rolling resistance: moment over normal impulse [m]
    double mu_spin;        ///< spinning resistance, likewise [m]
    double b[CN_ROW_MAX];  ///< shift from restitution and gap [m/s]
    double c[CN_ROW_MAX];  ///< compliance, >= 0 [1/kg]
    double r0[CN_ROW_MAX]; ///< impulse offset [N s]
    double k[CN_ROW_MAX];  ///< parallel term, >= 0; 0 if the kind is free [kg]
} cn_core;

/// Part of W that comes from bodies with few degrees of freedom, never formed: W = G^T G with
/// G = A^-1/2 H (theory 4.8). Constraint a acts on body[2a] and body[2a+1] (-1: none); its block of
/// body[2a+s] starts at block_start[2a+s], one row of dof entries per row of the constraint.
///
/// A contact of rigid bodies in space may be given by its geometry instead, a third of the size:
/// both of its block_start are ~at < 0, and G + at holds CN_GEOMETRY_SIZE numbers, the axes n and
/// t1 and the arms of both sides [m]. Row k of a side is then +-(S a_k, F (arm x a_k)) with t2 = n
/// x t1 and the CN_ROOT_SIZE numbers of its body in `root`: the diagonal S, and F row by row (4.8).
/// cn_problem_factor gives a block whatever its form.
typedef struct cn_factors {
    int body_count;
    const int *dof_start; ///< body_count + 1
    const int *body;
    const int *block_start;
    const double *G;    ///< [kg^-1/2], geometry apart
    const double *root; ///< A^-1/2 of each body; NULL: no contact is given by its geometry
    const double *cell; ///< blocks of the last body, a periodic cell that all constraints act on
                        ///< besides (theory 15.5): one row of its degrees of freedom per row of the
                        ///< problem [kg^-1/2]; NULL: there is none
} cn_factors;

#define CN_GEOMETRY_SIZE 12
#define CN_ROOT_SIZE 12
#define CN_BLOCK_ROOM 18 ///< entries of a block made from geometry: 3 rows of 6

/// Part of W that is stored: blocks of imported problems and of condensed deformable bodies, by
/// rows of constraints. Block n of row a holds the rows of a times the rows of col[n]. The diagonal
/// block must be present.
typedef struct cn_rows {
    const int *row;         ///< contact_count + 1, or NULL: this part is empty
    const int *col;         ///< column constraint of each block
    const int *block_start; ///< place of each block in `block`
    const double *block;    ///< row-major [1/kg]
} cn_rows;

/// W = factors + rows; either may be empty, so bodies of all kinds mix freely.
typedef struct cn_operator {
    cn_factors factors;
    cn_rows rows;
} cn_operator;

/// The caller owns all arrays. Constraint a occupies entries row_start[a] .. row_start[a+1]-1,
/// normal first (1 to 6 rows: contacts, rolling, joints). A cone with more rows than dimensions has
/// moments: in the plane n t roll, in space n t t spin, n t t roll roll or n t t roll roll spin.
/// Cores are stored by member, so that what is zero everywhere takes no memory.
typedef struct cn_problem {
    int dim; ///< 2 or 3
    int contact_count;
    const int *row_start;      ///< contact_count + 1 entries
    cn_operator W;             ///< Delassus operator [1/kg]
    const double *u_free;      ///< H^T v_free, without the shift of the core [m/s]
    const unsigned char *kind; ///< cn_core_kind of each constraint
    const double *mu;          ///< of each constraint
    const double *mu_roll;     ///< of each constraint; NULL: no rolling resistance
    const double *mu_spin;     ///< of each constraint; NULL: no spinning resistance
    const double *b;           ///< shift of each row; NULL: zero [m/s]
    const double *c;           ///< compliance of each row; NULL: zero [1/kg]
    const double *r0;          ///< offset of each row; NULL: zero [N s]
    const double *k;           ///< parallel term of each row; NULL: zero [kg]
    double v_floor;     ///< least reference velocity: max(h |g|, 1e-12 L/h) (theory 8.9) [m/s]
    double force_share; ///< of rms w_a |r_a|, what the reference velocity is at least: for samples
                        ///< that forces load and nothing else (theory 8.9) [-]
    double length;      ///< smallest body, which misfits are compared with (theory 8.26); 0: not
                        ///< known [m]
    double v_before; ///< rms velocity of the bodies before the step; tells rest from flow; NaN: not
                     ///< known [m/s]
    bool is_grounded; ///< what has no degrees of freedom stands still, and so does what contacts
                      ///< tie to it (theory chapter 13, "Sleeping")
    double *r;        ///< in: first guess, out: impulses [N s]
} cn_problem;

typedef enum cn_method {
    CN_METHOD_NNCG = 0,    ///< nonsmooth nonlinear conjugate gradients (theory 13.1)
    CN_METHOD_NLGS,        ///< nonlinear block Gauss-Seidel (theory 8.3)
    CN_METHOD_APGD,        ///< accelerated projected gradient (theory 13.3)
    CN_METHOD_PROX,        ///< NNCG inside a proximal loop, for packings (theory 13.4)
    CN_METHOD_ADMM,        ///< alternating directions, one factorization (theory 13.10)
    CN_METHOD_IPM,         ///< interior point, exact shift (theory 13.16)
    CN_METHOD_IPM_LAGGED,  ///< the same with the shift of the last iterate
    CN_METHOD_ALM,         ///< augmented Lagrangian with a Newton method inside (theory 13.20)
    CN_METHOD_PROX_NEWTON, ///< Newton steps inside a proximal loop (theory 13.22)
    CN_METHOD_NEWTON,      ///< generalized Newton of Alart and Curnier (theory 13.29)
    CN_METHOD_CPG,         ///< conjugate projected gradient of Renouf and Alart (theory 13.31)
    CN_METHOD_BIPOTENTIAL, ///< predictor-corrector of de Saxce and Feng, by contact (theory 13.32)
    CN_METHOD_UZAWA,       ///< the same at all contacts at once
    CN_METHOD_LEMKE,       ///< pivoting on a faceted cone, for small problems (theory 13.33)
    CN_METHOD_AUTO,        ///< chooses among the others by counted work
    CN_METHOD_COUNT,       ///< methods that may be asked for
    /// What methods run within themselves, reported by its own name.
    CN_METHOD_PROX_ADAPTIVE = CN_METHOD_COUNT, ///< prox, each contact with its own spring (13.6)
    CN_METHOD_ACTIVE_SET_NEWTON,               ///< Newton steps on frozen statuses (theory 13.21)
    CN_METHOD_HOMOTOPY,                        ///< along a path of exact solutions (theory 13.24)
    CN_METHOD_SUBPROBLEM,                      ///< what is disturbed, by itself (theory 5, "Rest")
    CN_METHOD_NAME_COUNT
} cn_method;

/// How constraints are visited.
typedef enum cn_order {
    CN_ORDER_FIXED = 0,
    CN_ORDER_REVERSED,
    CN_ORDER_ALTERNATING, ///< forward, backward, forward, ...
    CN_ORDER_RANDOM,      ///< one permutation per call, from the seed
    CN_ORDER_COUNT
} cn_order;

/// What must fall below its tolerance for an iterate to be accepted.
typedef enum cn_measure {
    CN_MEASURE_VELOCITY = 0, ///< err_v <= eps_v and err_e <= tol: the default
    CN_MEASURE_NATURAL,      ///< err_natural <= tol, for comparison with stored problems
    CN_MEASURE_SCALED,       ///< err_scaled <= tol, likewise
    CN_MEASURE_COUNT
} cn_measure;

/// What a run is to be good for (theory 8.24 to 8.26): what its steps are accepted by.
typedef enum cn_accuracy {
    CN_ACCURACY_NUMBER = 0, ///< no word: the worst constraint, by eps_v and tol
    CN_ACCURACY_FLOW,       ///< flows: most contacts are right, few may go on cycling
    CN_ACCURACY_QUAKE,      ///< masonry that is shaken: no contact is far off
    CN_ACCURACY_PACKING,    ///< samples under pressure: forces are right to a share of themselves
    CN_ACCURACY_MASONRY,    ///< what stands: the worst contact, by 1e-3
    CN_ACCURACY_COUNT
} cn_accuracy;

/// What is asked of a step (theory 8.24 to 8.26). Without a word `eps_v` and `tol` ask for it.
typedef struct cn_accepted {
    const char *name;     ///< in scenes; "number" without a word
    double eps_v;         ///< of rms e_a, or of the largest e_a, over v_ref
    double tol;           ///< of err_e
    bool is_bulk;         ///< eps_v is asked of rms e_a
    double worst;         ///< then of the largest e_a, in eps_v
    double outlier;       ///< beyond so many eps_v a constraint is an outlier
    double outlier_share; ///< of all constraints that may be outliers; 1: any number
    double length;        ///< of the smallest body, what a step may add to a misfit
    double force_share;   ///< of cn_problem, for bodies without gravity
    double approach;      ///< of the approach before impulses, what may be left (theory 8.28)
    const char *use;      ///< what it is for, in some words
} cn_accepted;

/// The row of a word; NULL for a word that does not exist.
CN_API const cn_accepted *cn_accuracy_row(cn_accuracy accuracy);

typedef struct cn_solver_def {
    cn_method method;
    cn_order order;
    cn_measure measure;
    cn_accuracy accuracy; ///< with CN_MEASURE_VELOCITY: what eps_v and tol are asked of, and what
                          ///< they are where they are 0
    double eps_v;  ///< accepted velocity error over the reference velocity (theory 8.9); 0: by the
                   ///< number of constraints (theory 8.11) [-]
    double tol;    ///< accepted energy error (theory 8.10); 0: eps_v^2, not below 1e-10 [-]
    int sweep_max; ///< a sweep forward and back counts as two
    double factor_memory; ///< most that a factor may take [bytes]
    int patience;  ///< sweeps without halving the error before giving up; 0: as the method has it
    uint64_t seed; ///< of CN_ORDER_RANDOM
    int thread_count;     ///< the result does not depend on it; 0 or 1: one
    double elastic_c;     ///< > 0: the elastic step of this hardness, about the first guess (theory
                          ///< 13.5), e.g. 100; 0: rigid [-]
    bool is_elastic_auto; ///< the elastic step with 25/mu^2 of each contact, at most 100 (13.5)
    double contact_stiffness; ///< > 0: the same with the stiffness of a contact; needs h [N/m]
    double h;                 ///< time step, for contact_stiffness; a world sets it [s]
    bool (*is_interrupted)(void *context); ///< asked every sweep or so, true stops, and drops
                                           ///< the step of a world; NULL: never
    void *context;
    uint32_t left_out; ///< bits 1 << cn_method of what CN_METHOD_AUTO does without, to measure what
                       ///< each method is worth (bench/ablation.c)
} cn_solver_def;

typedef enum cn_contact_status {
    CN_STATUS_OPEN = 0,
    CN_STATUS_STICK,
    CN_STATUS_SLIDE,
    CN_STATUS_JOINED ///< bilateral
} cn_contact_status;

/// What an answer may miss.
typedef enum cn_criterion {
    CN_CRITERION_NONE = 0, ///< nothing: converged
    CN_CRITERION_VELOCITY, ///< err_v <= eps_v
    CN_CRITERION_ENERGY,   ///< err_e <= tol
    CN_CRITERION_NATURAL,  ///< err_natural <= tol
    CN_CRITERION_SCALED,   ///< err_scaled <= tol
    CN_CRITERION_APPROACH, ///< contacts approach, which an error over impulses does not show (8.17)
    CN_CRITERION_INFEASIBLE, ///< contacts approach and no impulses stop them (8.18): no solution
    CN_CRITERION_JOINT,      ///< joints of a world, whose gaps do not close as far as rounding goes
    CN_CRITERION_LAW,        ///< laws of a world that depend on what the step decides (theory 4.41)
    CN_CRITERION_BULK,       ///< rms e_a over v_ref <= eps_v, of accuracy by a word (8.24)
    CN_CRITERION_OUTLIERS,   ///< share of constraints that are outliers, likewise (8.25)
    CN_CRITERION_LENGTH,     ///< what the step may add to a misfit, likewise [m] (8.26)
    CN_CRITERION_COUNT
} cn_criterion;

/// Short name of a criterion, e.g. "residual".
CN_API const char *cn_criterion_name(cn_criterion criterion);

/// The residuals of an iterate (theory 8.8 to 8.10).
typedef struct cn_residual {
    double err_v;          ///< max_a e_a / v_ref: the residual [-]
    double err_v_rms;      ///< rms_a e_a / v_ref [-]
    int outlier_count;     ///< constraints with e_a far above that, where a word asks (theory 8.25)
    int count;             ///< constraints that were measured
    double err_e;          ///< energy norm [-]
    double err_natural;    ///< unscaled natural map over max(|u_free|, |r|, |u|) [-]
    double err_scaled;     ///< the same with velocities times m_a, over max(|m u_free|, |r|, |m u|)
    double miss;           ///< norm of all e_a, not divided [m/s]
    double rounding;       ///< about what of it may be rounding [m/s]
    double e_max;          ///< max_a e_a [m/s]
    double m_max;          ///< largest m_a, where a word asks [kg]
    double z_rms;          ///< rms_a |z_a|: impulses by which constraints miss their laws [N s]
    double v_ref;          ///< [m/s]
    double v_motion;       ///< the same without the share of impulses [m/s]
    double cone_violation; ///< max_a (|r_t| - mu r_n)+ [N s]
    double approach;       ///< max_a (-u_n)+ beyond rounding, where errors are divided by impulses
                           ///< (theory 8.17); else 0 [m/s]
    int worst;             ///< constraint with the largest e_a, -1 if there is none
} cn_residual;

/// What one method has done in a solve, or in all solves of a step.
typedef struct cn_method_work {
    int run_count;       ///< times that it was begun
    int iteration_count; ///< in its own count: sweeps, Newton steps, tries
    int sweep_count;     ///< counted work
    double seconds;      ///< on the wall [s]
} cn_method_work;

typedef struct cn_solver_report {
    cn_residual residual;    ///< of the law that was solved
    cn_residual rigid;       ///< of the law without the springs of the elastic step, else the same
    double elastic_c;        ///< least hardness c_a of the elastic step; infinite: rigid [-]
    int sweep_count;         ///< counted work: visits to every constraint, or products with W
    int iteration_count;     ///< of the methods that ran
    int factorization_count; ///< of sparse matrices
    int chain_count;
    cn_method chain[CN_CHAIN_MAX];             ///< the methods that ran, in order
    cn_method_work work[CN_METHOD_NAME_COUNT]; ///< what each of them did
    int open_count, stick_count, slide_count, joined_count;
    int visited_count;  ///< constraints that methods visited: all but those certified at rest as
                        ///< they were
    int painleve_count; ///< constraints with |mu W_nt| >= W_nn: the local solution is not unique
    bool is_factor_refused; ///< a matrix was wanted and did not fit: solved without
    bool is_infeasible;     ///< contacts approach, no impulses stop them: no solution
    bool is_work_limited;   ///< sweep_max ended it
    bool is_converged;      ///< the measure is met, checked at the returned impulses
    cn_criterion criterion; ///< what is missed by most, if it is not converged
    double value, asked;    ///< of the criterion, in its unit; infeasible: the approach [m/s] and 0
    int at;                 ///< the constraint where that is, -1: none in particular
} cn_solver_report;

/// CN_METHOD_AUTO, fixed order, eps_v and tol by the number of constraints, at most 20000 sweeps.
CN_API cn_solver_def cn_solver_def_default(void);

/// Names used in scenes and reports: "nncg", "nlgs", ...; "fixed", "reversed", "alternating",
/// "random".
CN_API const char *cn_method_name(cn_method method);
CN_API const char *cn_order_name(cn_order order);

/// Scratch memory of a solver, kept between calls so that a warm call allocates nothing.
typedef struct cn_solver cn_solver;
CN_API cn_status cn_solver_create(const cn_hooks *hooks, cn_solver **solver, cn_error *err);
CN_API void cn_solver_destroy(cn_solver *solver);

/// Solves by the method of the definition, from the impulses in r. The result depends on the order
/// of constraints, never on threads. It ends after sweep_max sweeps' worth of work. CN_OK: r
/// holds the best iterate; the report tells whether the measure is met, and else what is missed,
/// where and by how much.
CN_API cn_status cn_problem_solve(cn_problem *p, const cn_solver_def *def, cn_solver *solver,
                                  cn_solver_report *report, cn_error *err);

/// One sentence on what a solve missed, "" if its report is converged. Returns `text`.
CN_API char *cn_solver_missed(const cn_solver_report *report, char *text, size_t size);

/// Of the last problem solved: the impulses it started from (one per row), and p as it was solved,
/// with the springs of an elastic step. Valid until the next call.
CN_API const double *cn_solver_guess(const cn_solver *solver);
CN_API cn_problem cn_solver_problem(const cn_solver *solver, const cn_problem *p);

/// The block of G of one side of constraint a, 2 being that of the cell, where it is stored or made
/// in `room`; it has the rows of the constraint and the degrees of freedom of the body. A side
/// without a body has none.
CN_API const double *cn_problem_factor(const cn_problem *p, int a, int side,
                                       double room[CN_BLOCK_ROOM]);

/// The same problem without parallel terms: of the contacts alone, with stored rows, impulses r'
/// and velocities as before. Its arrays belong to the solver and are valid until its next use; r is
/// a first guess. W must be symmetric. Room for a matrix of all rows that are linked is needed.
CN_API cn_status cn_problem_fold(const cn_problem *p, cn_solver *solver, cn_problem *folded,
                                 cn_error *err);

/// The core of constraint a.
CN_API cn_core cn_problem_core(const cn_problem *p, int a);

/// u = u_free + W r for the impulses in p->r; u has row_start[contact_count] entries.
CN_API cn_status cn_problem_velocity(const cn_problem *p, cn_solver *solver, double *u,
                                     cn_error *err);

/// The one residual (theory 8.8): of impulses p->r with velocities u as above.
CN_API cn_status cn_problem_residual(const cn_problem *p, const double *u, cn_solver *solver,
                                     cn_residual *residual, cn_error *err);

/// Status of one constraint at (u, r), and the exact local solution (8.5, 8.6) for a rows x rows
/// block W_aa and the velocity u_rest left by all others; r is written. Cones without moments have
/// 1 to 3 rows.
CN_API cn_contact_status cn_core_solve(const cn_core *core, int rows, const double *W_aa,
                                       const double *u_rest, double *r);

#ifdef __cplusplus
}
#endif
