// world/world.h -- a world owns one of each stage struct. Only this folder knows it.
#pragma once

#include <stdatomic.h>

#include "audit/audit.h"
#include "base/stop.h"
#include "body/cell.h"
#include "body/deformable/deformables.h"
#include "body/stages.h"
#include "cairn/view.h"
#include "cairn/world.h"
#include "contact/contacts.h"
#include "detect/detect.h"
#include "joint/joints.h"
#include "load/load.h"
#include "world/growth.h"
#include "world/wear.h"

#define CN_GROUP_NAME_MAX 64

typedef struct cn_rule {
    int a, b, law;
} cn_rule;

enum { CN_WORKSPACE_BLOCKS = 8 };

// Who has the workspace (workspace.c).
typedef enum cn_workspace_user {
    CN_WORKSPACE_DETECTION = 0, // from the motion of bodies to the match of contacts
    CN_WORKSPACE_SOLVER,        // one call
    CN_WORKSPACE_UPDATE,        // from the correction of velocities to the next step
    CN_WORKSPACE_USER_COUNT,
    CN_WORKSPACE_NOBODY = CN_WORKSPACE_USER_COUNT
} cn_workspace_user;

struct cn_world {
    atomic_bool is_taken;          // inside a call that runs functions of the caller (one_user.c)
    _Atomic(const char *) refused; // a function without a status that was called meanwhile
    cn_hooks hooks;
    double theta, gamma_given; // gamma_given < 0: 1 - theta
    int threads;
    double t;
    int64_t step;
    cn_bodies bodies;
    cn_deformables deformables; // bodies of the kind with nodes; `bodies` points at them
    cn_cell cell;               // likewise
    cn_loads loads;
    cn_detect detect;
    cn_contacts contacts;
    cn_joints joints;
    cn_wear wear;
    cn_growth growth;
    cn_problem problem;
    cn_solver_def solver_def;
    cn_solver *solver;
    cn_scratch_block workspace[CN_WORKSPACE_BLOCKS]; // scratch arrays of the stages (workspace.c)
    cn_workspace_user workspace_user;
    cn_ledger ledger;
    double spring_energy; // part of its storage: in the springs of elastic steps [J]
    cn_certificate certificate;
    bool is_set_up; // contacts and q_mid are those of the bodies there are
    double seconds[CN_STAGE_COUNT];
    bool times_processor; // whether the next two are kept
    double processor_clock, processor_seconds[CN_STAGE_COUNT];
    cn_stop stop;
    cn_beat_hook *beat; // NULL: none
    void *beat_context;
    double beat_every, beat_last, step_begun; // [s]
    double clock;                             // when the stage under way began [s]

    char (*group_name)[CN_GROUP_NAME_MAX];
    int group_count;
    cn_law_entry *law;
    int law_count;
    cn_rule *rule;
    int rule_count;
    int *pair_law; // group_count x group_count, made from the rules
    bool is_pair_law_stale;
    cn_state_part *part; // last answer of cn_world_state
    int64_t *number;     // its integers
    double *real;        // its scalars
    size_t group_capacity, law_capacity, rule_capacity, pair_law_capacity;
    size_t part_capacity, number_capacity, real_capacity;
};

// One call at a time (one_user.c). A call that runs functions of the caller takes the world and
// gives it back; all that change it fail meanwhile. Functions without a status do nothing where it
// refuses, and the step says so.
cn_status cn_world_check_free(const cn_world *w, const char *function, cn_error *err);
cn_status cn_world_take(cn_world *w, const char *function, cn_error *err);
void cn_world_give(cn_world *w);
bool cn_world_refuses(cn_world *w, const char *function);
cn_status cn_world_check_refused(cn_world *w, cn_error *err);

// How functions that change a world begin.
#define CN_CHANGE(w, err) CN_TRY(cn_world_check_free((w), __func__, (err)))

// Gives the workspace to a stage, or to nobody; what the user before wrote there is lost.
void cn_world_use_workspace(cn_world *w, cn_workspace_user user);

// The clock of stages: starts it, and gives a stage the time since the last call. Clocks are read
// for the report only, never for a decision.
void cn_world_start_clock(cn_world *w);
double cn_world_clock(void); // [s]
void cn_world_stamp(cn_world *w, cn_stage stage);

// Whether the step under way is to be dropped; `world` is a cn_world, as solvers ask (interrupt.c).
bool cn_world_is_stopping(void *world);
// The same as a status: CN_STOPPED.
cn_status cn_world_look_for_stop(cn_world *w, cn_error *err);
// After a step that was dropped.
void cn_world_answer_stop(cn_world *w);

// The map of a step (step.c), not committed if it fails. If fast bodies should be met within less
// than *cut, nothing is done and *cut is how long the step should be (6.9); else *cut is h. It is a
// part of a step of h_whole.
cn_status cn_world_try_step(cn_world *w, double h, double h_whole, double *cut, cn_error *err);
// A whole step, in parts if need be (substeps.c). *made, 0 before: how far it came, h or where a
// part failed [s].
cn_status cn_world_step_in_parts(cn_world *w, double h, double *made, cn_error *err);

// Finds the contacts of a step and makes its problem of them (assemble_step.c).
cn_status cn_world_set_up(cn_world *w, const cn_scheme *scheme, cn_error *err);
// The problem of the contacts and joints there are (4.2 to 4.8); the first `known`
// contacts have been in one of this step.
cn_status cn_world_assemble(cn_world *w, const cn_scheme *scheme, int known, cn_error *err);

// Puts bodies back into the periodic cell, before a step or a look at contacts (world_cell.c).
cn_status cn_world_wrap(cn_world *w, cn_error *err);

// Loads and free motion of the step (step.c).
cn_status cn_world_move_freely(cn_world *w, const cn_scheme *scheme, cn_error *err);

// What a step has tried so far.
typedef struct cn_attempt {
    double eps_v;      // that the last solve was asked for [-]
    bool can_be_rough; // a rough solve may tell which contacts there are
    bool is_rough;     // the next solve is one
    cn_repeat reason;  // why the step is to be solved again
} cn_attempt;

// Impulses of the problem; then the velocities and the configuration they lead to (solve_step.c).
cn_status cn_world_solve(cn_world *w, const cn_scheme *scheme, cn_attempt *attempt, cn_error *err);
cn_status cn_world_move(cn_world *w, const cn_scheme *scheme, cn_error *err);
// Whether that is the answer of the step. If not, the reason is counted and the problem made ready
// to be solved again (repeat.c).
cn_status cn_world_find_repeat(cn_world *w, const cn_scheme *scheme, cn_attempt *attempt,
                               cn_error *err);
cn_status cn_world_prepare_repeat(cn_world *w, const cn_scheme *scheme, cn_attempt *attempt,
                                  cn_error *err);
// Velocity with which that is compared (4.41).
double cn_world_law_reference(const cn_world *w);

// How far laws that depend on what the step decides are from the velocities found (4.41), and at
// which contact. If that is above the limit and `may_change`, their cores are made for these
// velocities, and the problem is to be solved again (refine_laws.c).
cn_status cn_world_refine_laws(cn_world *w, double limit, bool may_change, double *residual,
                               int *worst, cn_error *err);
// Statuses of the accepted impulses, for laws, views and pictures.
void cn_world_set_statuses(cn_world *w);

// Points of detection at the present positions, with gaps up to `reach`.
cn_status cn_world_find_points(cn_world *w, double reach, cn_error *err);

// Bodies of constraint a of the problem, 0 where there is none, and the joint it belongs to, if it
// does (interrupt.c).
void cn_world_name(const cn_world *w, int a, cn_body_id body[2], cn_joint_id *joint);

double cn_world_gamma(const cn_world *w);

// The law of every pair of groups, from the rules in order.
cn_status cn_world_rules(cn_world *w, cn_rules *rules, cn_error *err);
