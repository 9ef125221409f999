// validation/validation.h -- the validation book: cases over the public API, one table, one report.
//
// A case is one function in one file, named in table.h. It builds worlds through a cn_trial, runs
// them and hands measured and reference values to cn_check. It holds no integrator, law or solver.
// Whatever the case, the book adds what every run must report: the largest residual, the largest
// penetration over the size of the smaller body, the steps that did not converge and the closing
// error of the energy ledger (E06).
#pragma once

#include "cairn/cairn.h"
#include "place.h"
#include <stdio.h>

typedef struct cn_validate_def {
    int id_count; // cases to run; none: all
    const char *const *id;
    bool is_json, is_fast; // one object per line; only the cases marked fast
    const char *problems; // folder of stored contact problems (case E03); NULL: that of the sources
} cn_validate_def;

// Runs the cases and writes one line per quantity to `out`. Returns 0, or 5 if anything fails, or 2
// if an id is not in the table, or not among the fast cases where only those are run.
int cn_validate(const cn_validate_def *def, FILE *out);

typedef struct cn_book cn_book;

typedef struct cn_case {
    const char *id, *title;
    bool is_fast; // part of `make test`
    void (*run)(cn_book *book);
} cn_case;

#define CN_CASE_MAX 192
extern const cn_case cn_case_table[]; // ends with an id of NULL

// A quantity passes if |measured - reference| <= tolerance. Returns whether it does.
bool cn_check(cn_book *book, const char *quantity, double measured, double reference,
              double tolerance);

// The same with tolerance = fraction of |reference|.
bool cn_check_rel(cn_book *book, const char *quantity, double measured, double reference,
                  double fraction);

// The quantity must be at least `bound`: the error is what is missing, the tolerance 0.
bool cn_check_least(cn_book *book, const char *quantity, double measured, double bound);

// A statement that must hold, written as 1 or 0.
bool cn_check_true(cn_book *book, const char *quantity, bool holds);

// Marks the next quantity as one that cannot pass yet. It is printed as OPEN with its number and
// does not fail the book; once it passes, the mark itself is the failure.
void cn_open(cn_book *book, const char *reason);

// The same for the steps that did not converge, which the book counts at the end of a case.
void cn_open_steps(cn_book *book, const char *reason);

// The same for the energy ledger of a case, which closes to more than 1e-10.
void cn_open_ledger(cn_book *book, const char *reason);

// What a trial tells the book: the accuracy asked for, each step, a call that failed.
void cn_book_accuracy(cn_book *book, double eps_v);
void cn_book_step(cn_book *book, const cn_certificate *certificate, const cn_ledger *ledger);
void cn_book_failure(cn_book *book, const char *text);

// Where a long case is: a line of the report that is no quantity, so that it can be followed and
// its parts are on record. Nothing in JSON.
void cn_say(cn_book *book, const char *format, ...) CN_PRINTF(2, 3);

// Whether only fast cases are run: a case may then be smaller than it is told to be.
bool cn_book_is_fast(const cn_book *book);

// Folder of stored contact problems.
const char *cn_book_problems(const cn_book *book);

// A quantity's name from a format; valid until the next call.
const char *cn_name(cn_book *book, const char *format, ...) CN_PRINTF(2, 3);

// One world under test. After a failure, which the book records, all calls do nothing and queries
// return zeros, so cases need no error branches.
typedef struct cn_trial {
    cn_book *book;
    cn_world *world;
    cn_place place;
    bool is_broken;
} cn_trial;

// theta = 1/2, gamma = 1 - theta, gravity 9.81 m/s2 along -y, NNCG to 1e-10.
cn_world_def cn_trial_def(void);

// In the plane, or at a place: what a trial is told and what it answers is in the axes of the case.
cn_trial cn_trial_begin(cn_book *book, const cn_world_def *def);
cn_trial cn_trial_begin_at(cn_book *book, const cn_world_def *def, const cn_place *place);
void cn_trial_end(cn_trial *t);

// The world of a scene at its start, with another solver; its axes are those of the world.
cn_trial cn_trial_begin_scene(cn_book *book, const char *text, const cn_solver_def *solver);

// Records a failure of a library call (status other than CN_OK).
bool cn_trial_ok(cn_trial *t, cn_status status, const cn_error *err);

// Law between two groups; CN_GROUP_ANY for all. The first rule that matches wins.
void cn_trial_law(cn_trial *t, int group_a, int group_b, const cn_law_def *law);
void cn_trial_coulomb(cn_trial *t, double mu, double e); // between all bodies

int cn_trial_group(cn_trial *t, const char *name);
cn_body_id cn_trial_add(cn_trial *t, const cn_body_def *def);
cn_body_state cn_trial_state(const cn_trial *t, cn_body_id id);

// A joint, told in the axes of the case. Points and directions of its state are those of the world.
cn_joint_id cn_trial_join(cn_trial *t, const cn_joint_def *def);
cn_joint_state cn_trial_joint(const cn_trial *t, cn_joint_id id);

void cn_trial_gravity(cn_trial *t, double x, double y, double z); // [m/s2]

// Moves a held body along a direction by a function; the shares of the axes of the world must live
// as long as the trial, for functions of the caller see cn_share.
typedef struct cn_share {
    cn_function f;
    double part;
} cn_share;

double cn_share_at(double time, void *share); // as a function of the caller takes it

void cn_trial_drive(cn_trial *t, cn_body_id id, cn_drive_kind kind, cn_vec3 direction,
                    cn_function f, cn_share share[3]);

// Makes one step and books its certificate and ledger. False once the trial is broken.
bool cn_trial_step(cn_trial *t, double h);
bool cn_trial_run(cn_trial *t, double h, int64_t step_count);

// Largest speed of the mass centres of bodies that are not held [m/s].
double cn_trial_speed(const cn_trial *t);

// In the plane: impulse of the last step on a body, and the number of its contacts that carry one
// [N s].
cn_vec2 cn_trial_impulse(const cn_trial *t, cn_body_id id, int *active_count);

// Impulse of the last step that body `by` gives to body `on`, in the axes of the case [N s].
cn_vec3 cn_trial_push(const cn_trial *t, cn_body_id by, cn_body_id on);
