/// cairn/world.h -- a world: bodies, laws, loads and the clock; one call makes one step.
#pragma once

#include "cairn/base.h"
#include "cairn/body.h"
#include "cairn/law.h"
#include "cairn/load.h"
#include "cairn/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CN_GROUP_ANY (-1)
#define CN_LAW_NO_CONTACT (-1)

typedef struct cn_world_def {
    int dim;           ///< 2
    double gravity[3]; ///< [m/s2]
    double theta;      ///< 0.5 .. 1 (theory 3.1)
    double gamma;      ///< contacts are set up at q + gamma h v; negative: 1 - theta
    cn_solver_def solver;
    int threads;           ///< results do not depend on it
    const cn_hooks *hooks; ///< NULL: the C library
} cn_world_def;

CN_API cn_world_def cn_world_def_default(void);
CN_API cn_status cn_world_create(const cn_world_def *def, cn_world **w, cn_error *err);
/// Frees a world, not from inside its own step (cairn/base.h).
CN_API void cn_world_destroy(cn_world *w);
CN_API int cn_world_threads(const cn_world *w);

/// One step of Moreau-Jean time stepping (theory chapter 3). CN_OK: the step was made; whether
/// it reached the accuracy asked for is in its certificate (solver.is_converged, cn_solver_missed).
/// On any failure the state is that before the step; a step that is cut where bodies meet
/// (theory 6.9) may have made its first parts, which then count as one.
CN_API cn_status cn_world_step(cn_world *w, double h, cn_error *err);

/// Asks for the step under way, or else the next one, to be dropped: cn_world_step returns
/// CN_STOPPED soon, the state is that before the step, no contacts are shown, and the request is
/// answered. A factorization under way is waited for. This is the only call that may come from a
/// signal handler, or from another thread while the world makes a step.
CN_API void cn_world_request_stop(cn_world *w);

/// The same by a flag of the caller, such as one that a signal handler sets (sig_atomic_t is int
/// wherever cairn runs): a step that sees it other than 0 is dropped. The flag must
/// live as long as the world, or until another one or NULL takes its place; the world never lowers
/// it.
CN_API void cn_world_watch_flag(cn_world *w, const volatile int *stop);

/// CN_BROKEN: the next step of length h would tear joints open, since what is held or driven
/// contradicts one of them, or several together. Nothing moves: for checks before a run.
CN_API cn_status cn_world_check_drives(cn_world *w, double h, cn_error *err);

/// Finds the contacts at the present positions without moving anything: for checks before a run.
/// Gaps up to `reach` are listed; they are seen through cn_world_view.
CN_API cn_status cn_world_detect(cn_world *w, double reach, cn_error *err);

/// Changes settings between steps. gamma as in the definition.
CN_API cn_status cn_world_set_scheme(cn_world *w, double theta, double gamma, cn_error *err);
CN_API cn_status cn_world_set_gravity(cn_world *w, const double gravity[3], cn_error *err);
CN_API cn_status cn_world_set_solver(cn_world *w, const cn_solver_def *solver, cn_error *err);

/// Groups select bodies for laws. Group 0 exists from the start and is called "default".
CN_API cn_status cn_group_add(cn_world *w, const char *name, int *group, cn_error *err);
CN_API int cn_group_count(const cn_world *w);
CN_API const char *cn_group_name(const cn_world *w, int group);

/// Registers a law; *law is its number.
CN_API cn_status cn_law_add(cn_world *w, const cn_law_def *def, int *law, cn_error *err);

/// How many laws are registered, and the type of one; NULL if there is no such number.
CN_API int cn_law_count(const cn_world *w);
CN_API const cn_law_type *cn_law_type_of(const cn_world *w, int law);

/// Bodies of group_a against bodies of group_b obey `law` (CN_LAW_NO_CONTACT: they pass through
/// each other). The first rule that matches a pair wins; a pair in reach that no rule matches makes
/// the step fail with CN_BAD_INPUT.
CN_API cn_status cn_rule_add(cn_world *w, int group_a, int group_b, int law, cn_error *err);

/// Removes all rules. Contact states are kept.
CN_API void cn_rules_clear(cn_world *w);

typedef struct cn_rule_def {
    int group_a, group_b, law; ///< as of cn_rule_add
} cn_rule_def;

/// Replaces all rules, for stages that change them. States of contacts whose law is then of another
/// type are dropped; under a law of the same type they go on. Changes nothing if it fails.
CN_API cn_status cn_rules_set(cn_world *w, int count, const cn_rule_def *rule, cn_error *err);

/// One named array of the state that a checkpoint must hold; see cn_world_state.
typedef struct cn_state_part {
    char name[40];
    size_t element_size; ///< 1, 4 or 8 bytes; 8 with is_real: double, else signed integer
    bool is_real;
    size_t count;
    const void *data; ///< valid until the next call that changes the world
} cn_state_part;

/// All that the next step depends on besides the definition of the scene. *part points to an array
/// of *count parts owned by the world.
CN_API cn_status cn_world_state(cn_world *w, const cn_state_part **part, int *count, cn_error *err);

/// Restores a state into a world with the same bodies, laws, rules and loads. Parts are found by
/// name. Continues bit for bit. A missing, short or contradictory part is CN_BAD_INPUT and leaves
/// the world as it was.
CN_API cn_status cn_world_restore(cn_world *w, const cn_state_part *part, int count, cn_error *err);

/// Takes the present state as the start: time, step number and sums of the ledger are zero,
/// energies those of now. For worlds that have been brought to the state of another run.
CN_API cn_status cn_world_start_here(cn_world *w, cn_error *err);

/// 64-bit hash over q, v and r in id and key order.
CN_API uint64_t cn_world_state_hash(const cn_world *w);

#ifdef __cplusplus
}
#endif
