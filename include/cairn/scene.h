/// cairn/scene.h -- scene files: read, check, explain, build a world, run it.
#pragma once

#include "cairn/base.h"
#include "cairn/result.h"
#include "cairn/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cn_scene cn_scene;

/// Where a scene comes from: a file, or a text in memory.
typedef struct cn_scene_source {
    const char *name; ///< path of the file; of a text: what stands for it in messages
    const char *text; ///< NULL: the file is read. Includes are relative to `name` in either case
    size_t length;    ///< of the text [byte]; 0: up to its final zero
    const char *const *define; ///< "name=value" each: override declared params
    int define_count;
} cn_scene_source;

/// Reads a scene and checks all of it. Every problem found (up to 20) is told as
/// `file:line:col: error: ...`, the source line and a caret. CN_BAD_INPUT if anything was wrong,
/// CN_IO if a file cannot be read.
CN_API cn_status cn_scene_read(const cn_scene_source *source, cn_tell *told, void *context,
                               cn_scene **scene, cn_error *err);

/// The text of a scene file as one line of JSON, as it is written: numbers, truths and words;
/// expressions, params and includes stay what they are. For programs that change scenes. Problems
/// are told instead, with CN_BAD_INPUT.
CN_API cn_status cn_scene_json(const char *name, const char *text, size_t length, cn_tell *told,
                               void *context, cn_error *err);

CN_API void cn_scene_destroy(cn_scene *scene);

/// Multiplies the time steps of all stages by a factor > 0: for studies of convergence.
CN_API cn_status cn_scene_scale_steps(cn_scene *scene, double factor, cn_error *err);
CN_API const char *cn_scene_title(const cn_scene *scene);

/// Scene text as read, includes resolved.
CN_API const char *cn_scene_text(const cn_scene *scene);

/// 64-bit hash of the text and the overrides: ties checkpoints to scenes.
CN_API uint64_t cn_scene_hash(const cn_scene *scene);

/// Builds the world at its initial state; `fixed_sets` of meshes are held until cn_loads_clear.
CN_API cn_status cn_scene_build(const cn_scene *scene, int threads, cn_world **w, cn_error *err);

/// `cairn check`: bodies, masses, expected contacts; overlaps, and faces that nearly touch as
/// warnings. CN_BAD_INPUT if bodies overlap deeper than the scene allows (key overlap_max, 1 % of
/// the smaller body by default).
CN_API cn_status cn_scene_check(const cn_scene *scene, cn_tell *told, void *context, cn_error *err);

/// `cairn check --joints`: where bodies face each other before anything moves, with gaps up to 1 %
/// of their size. Told: how many joints of faces there are, their area, the smallest, the widest
/// gap, bodies that are connected to nothing that is fixed, and bodies with nothing below them.
/// Each joint is a line of `row`, a table of comma-separated values; row may be NULL.
CN_API cn_status cn_scene_joints(const cn_scene *scene, cn_tell *told, void *context, cn_tell *row,
                                 void *row_context, cn_error *err);

/// `cairn check --fix`: moves the `at` of entries whose bodies can move freely and have no joints,
/// until what overlapped by up to a tenth or nearly touched just touches. Each move is told; those
/// flaws that remain are for cn_scene_check to name.
CN_API cn_status cn_scene_repair(cn_scene *scene, cn_tell *told, void *context, int *moved_count,
                                 cn_error *err);

/// The scene with all defaults filled in, as YAML.
CN_API cn_status cn_scene_explain(const cn_scene *scene, cn_tell *told, void *context,
                                  cn_error *err);

/// JSON Schema of the scene language.
CN_API cn_status cn_scene_schema(cn_tell *told, void *context, cn_error *err);

/// Reference page of the scene language in Markdown, made from the same table of keys.
CN_API cn_status cn_scene_reference(cn_tell *told, void *context, cn_error *err);

/// Commented starter scenes for `cairn new`: names (NULL at the end) and text (NULL if unknown).
CN_API const char *const *cn_starter_names(void);
CN_API const char *cn_starter_text(const char *name);

/// Name of the file that a starter reads from its own folder, and its text; NULL if it reads none.
CN_API const char *cn_starter_data(const char *name, const char **text);

/// What a run tells while it goes.
typedef struct cn_progress {
    const char *stage; ///< name of the stage
    const cn_certificate *certificate;
    const cn_ledger *ledger;
    double time_end; ///< when the run ends at the latest [s]
    double gap_min;  ///< [m]
    int64_t nonconverged_steps;
    bool is_frame;      ///< a frame has just been written
    const char *missed; ///< what the step missed, where, and what may help; NULL: it converged
} cn_progress;

/// When a run looks for overlaps that contacts do not know (cairn/overlap.h).
typedef enum cn_run_audit {
    CN_AUDIT_FRAMES = 0, ///< at each frame that is written, and at the last state
    CN_AUDIT_DEEP,       ///< after every step
    CN_AUDIT_OFF
} cn_run_audit;

typedef struct cn_run_def {
    const char *result_path;     ///< NULL: no result file
    const char *checkpoint_path; ///< NULL: none
    const char *restart_path;    ///< checkpoint to continue from, or NULL
    const char *command_line;
    double until;            ///< stop at this time [s]; infinity: as the scene says
    double step;             ///< length of steps in all stages [s]; 0: as the scene says
    double checkpoint_every; ///< simulated time between checkpoints [s]; NaN (default): as the
                             ///< scene says; 0: at the end only
    bool is_strict;          ///< a step that does not converge ends the run
    cn_run_audit audit;
    int threads;
    const char *dump_folder; ///< contact problems are recorded here (docs/formats.md); NULL: none
    int64_t dump_first, dump_last; ///< steps to record; first after last: none
    int dump_failed_max; ///< how many steps that do not converge to record besides, each of up to
                         ///< 20000 contacts
    /// Called after every step; false stops the run with CN_STOPPED after writing a checkpoint.
    bool (*progress)(void *context, const cn_progress *progress);
    void *context;
    /// Called every few seconds (5) within a step that takes long; `where` names the bodies of the
    /// worst contact, "" if none is known. NULL: never.
    void (*beat)(void *context, const cn_beat *beat, const char *where);
    /// Not 0: the step under way is dropped and the run ends with CN_STOPPED after a checkpoint of
    /// the last step that was made. May be raised by a signal handler or another thread; NULL:
    /// nobody asks.
    const volatile int *stop;
    /// What is told before the first step: where the run starts from, and warnings. May be NULL;
    /// gets the same context.
    cn_tell *told;
    /// > 0: Gauss-Seidel sweeps in a random order of contacts, drawn from this seed for every step,
    /// instead of the solver of the scene; its accuracy stays.
    uint64_t shuffle;
    /// Called at the end of a run that was not interrupted, before the world is destroyed: its
    /// observed series by name and the values of the last step. Its `context` is the one above.
    void (*at_end)(void *context, const cn_world *w, int series_count, const char *const *name,
                   const double *series);
} cn_run_def;

CN_API cn_run_def cn_run_def_default(void);

/// Names of the two bodies of a finding, "'a' and 'b'"; empty: none.
#define CN_PAIR_NAME_SIZE 200

/// What a run found of overlaps: the worst of all looks.
typedef struct cn_run_overlap {
    int64_t look_count;   ///< steps after which overlaps were looked for
    int64_t missed_count; ///< of them those where something was missed: cn_overlap_is_missed
    cn_overlap worst;
    char deepest_name[CN_PAIR_NAME_SIZE], unseen_name[CN_PAIR_NAME_SIZE];
    char phantom_name[CN_PAIR_NAME_SIZE];
} cn_run_overlap;

typedef struct cn_run_report {
    int64_t steps, nonconverged_steps, sweeps;
    /// Of each method of the solver, since the start or the last restart.
    int64_t iterations[CN_METHOD_NAME_COUNT];
    double seconds_by_method[CN_METHOD_NAME_COUNT]; ///< on the wall [s]
    double time, wall_seconds;
    double residual_max, penetration_max, penetration_max_rel, energy_error;
    char deepest[200];   ///< the bodies of that penetration by name; "" without
    double given;        ///< energy that contacts put into the motion (theory 9.7) [J]
    double drive_error;  ///< largest miss of an imposed motion (theory 9.6) [m]
    int64_t rigid_steps; ///< steps with springs that gave way to rigid rows (theory 6.8)
    int64_t cut_steps;   ///< steps that were cut where fast bodies meet (theory 6.9)
    int64_t repeats[CN_REPEAT_COUNT]; ///< how often steps were solved again, by reason
    char missed[256];  ///< what was asked and is not met by more than 1 % of the steps; "": all is
    int problem_count; ///< contact problems recorded
    int waiting_count; ///< bodies of `enter` that have not entered
    char waiting[128]; ///< the first of them; "": none
    cn_run_overlap overlap;
    uint64_t state_hash;
    double seconds_by_stage[CN_STAGE_COUNT];   ///< on the wall [s]
    double processor_by_stage[CN_STAGE_COUNT]; ///< of all threads [s]
    double processor_seconds;                  ///< of all threads, set-up and output, too [s]
    double output_seconds;                     ///< on the wall: rows, frames and checkpoints [s]
    char outcome[256];
} cn_run_report;

/// Builds, runs all stages with their loads and stop conditions, writes results and checkpoints.
CN_API cn_status cn_scene_run(const cn_scene *scene, const cn_run_def *def, cn_run_report *report,
                              cn_error *err);

#ifdef __cplusplus
}
#endif
