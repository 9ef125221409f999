// cli/run.c -- cairn run: from a scene to a result file.
#include "command.h"
#include "log.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run_args {
    cn_operands operands;
    cn_list define;
    const char *output, *restart, *checkpoint, *dump, *audit;
    double until, step, checkpoint_every;
    int threads, refine;
    bool is_strict, is_quiet, is_verbose, is_json, is_forced;
} run_args;

static const cn_option options[] = {
    CN_OPTION('o', "output", "FILE", "result file; default: name of the scene with .h5", run_args,
              output),
    CN_FLAG('f', "force", "replace a result that is there already without asking", run_args,
            is_forced),
    CN_OPTION('D', "define", "NAME=VALUE", "override a parameter of the scene", run_args, define),
    CN_OPTION_FROM('j', "threads", "N", "threads; results do not depend on it", run_args, threads,
                   1, 1024),
    CN_OPTION(0, "restart", "FILE", "continue from a checkpoint, bit for bit", run_args, restart),
    CN_OPTION_FROM(0, "until", "TIME", "stop at this simulated time [s]", run_args, until, 0,
                   INFINITY),
    CN_OPTION_ABOVE(
        0, "step", "TIME",
        "length of steps in place of the scene's [s]; also of what a restart goes on with",
        run_args, step, 0),
    CN_OPTION(0, "checkpoint", "FILE", "checkpoint file; default: result with .ckpt.h5", run_args,
              checkpoint),
    CN_OPTION_FROM(0, "checkpoint-every", "TIME",
                   "simulated time between checkpoints [s]; default: as the scene says", run_args,
                   checkpoint_every, 0, INFINITY),
    CN_OPTION_FROM(0, "refine", "K",
                   "run at h, h/2, ... K halvings, and tell the order of convergence of\n"
                   "                             the observed series; writes no result",
                   run_args, refine, 2, 20),
    CN_FLAG(0, "strict", "a step that does not converge ends the run", run_args, is_strict),
    CN_OPTION_OR_NOT(
        0, "dump-problems", "WHICH",
        "record contact problems beside the result: all, none, a STEP or FIRST-LAST;\n"
        "                             without this option up to 10 steps that do not converge",
        run_args, dump),
    CN_OPTION(0, "audit", "frames|deep|off",
              "look for overlaps that contacts do not know: in frames (default), after every\n"
              "                             step (deep), or never",
              run_args, audit),
    CN_FLAG('q', "quiet", "errors only", run_args, is_quiet),
    CN_FLAG('v', "verbose", "one line per frame", run_args, is_verbose),
    CN_FLAG(0, "log-json", "log as one JSON object per line", run_args, is_json),
    {0},
};

// Set by the handler, read within every step. A signal has no other way in.
static volatile sig_atomic_t caught_signal;

static void catch_signal(int number)
{
    caught_signal = number;
}

// A second signal of the same kind ends the program at once.
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = catch_signal,
                               .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static bool after_step(void *context, const cn_progress *progress)
{
    cn_log_step(context, progress);
    return caught_signal == 0;
}

static void within_step(void *context, const cn_beat *beat, const char *where)
{
    cn_log_beat(context, beat, where);
}

static int check_args(const run_args *args)
{
    if (args->refine > 0 && (args->output != NULL || args->restart != NULL)) {
        return cn_usage_error(&cn_command_run, "--refine writes no result and starts afresh");
    }
    if (args->is_quiet && args->is_verbose) {
        return cn_usage_error(&cn_command_run, "--quiet and --verbose exclude each other");
    }
    return CN_PARSE_GO;
}

// The words of the command line with blanks between, for the provenance of the result; NULL
// without memory.
static char *join_words(const cn_operands *operands)
{
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL) {
        return NULL;
    }
    fputs("cairn", out);
    for (int k = 0; k < operands->word_count; k++) {
        fprintf(out, " %s", operands->word[k]);
    }
    fclose(out);
    return line;
}

// Which steps --dump-problems names. False: none that can be understood.
static bool parse_dump(const char *which, cn_run_def *def)
{
    long first, last;
    int end = 0;
    if (strcmp(which, "none") == 0) {
        def->dump_folder = NULL;
        return true;
    }
    if (which[0] == '\0' || strcmp(which, "all") == 0) {
        def->dump_last = INT64_MAX;
        return true;
    }
    if (sscanf(which, "%ld%n", &first, &end) == 1 && which[end] == '\0') {
        last = first;
    } else if (sscanf(which, "%ld-%ld%n", &first, &last, &end) != 2 || which[end] != '\0') {
        return false;
    }
    def->dump_first = first;
    def->dump_last = last;
    return first >= 1 && last >= first;
}

static const char *name_of_audit(int k)
{
    static const char *const name[] = {"frames", "deep", "off"};
    return name[k];
}

// When --audit looks for overlaps. False: no such word.
static bool parse_audit(const char *when, cn_run_def *def)
{
    int k = cn_find_word(when, 3, name_of_audit);
    def->audit = k >= 0 ? (cn_run_audit)k : def->audit;
    return k >= 0;
}

// `cairn run out.yaml -o out.yaml` would replace the scene by its result.
static int check_paths(const cn_log_names *names)
{
    const char *made[] = {names->result_path, names->checkpoint_path};
    for (int k = 0; k < 2; k++) {
        if (strcmp(made[k], names->scene_path) == 0 ||
            cn_is_same_file(made[k], names->scene_path)) {
            return cn_usage_error(&cn_command_run,
                                  "'%s' is the scene: choose another file to write", made[k]);
        }
    }
    if (strcmp(made[0], made[1]) == 0) {
        return cn_usage_error(&cn_command_run, "result and checkpoint are the same file '%s'",
                              made[0]);
    }
    return CN_PARSE_GO;
}

// Whether somebody at a terminal says yes. A run without a terminal has nobody to ask, and whoever
// wrote the script knows what it replaces.
static bool may_replace(const char *path)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) {
        return true;
    }
    char answer[16];
    fprintf(stderr, "%s is there already. Replace it? [y/N] ", cn_shown(path));
    return fgets(answer, sizeof answer, stdin) != NULL && (answer[0] == 'y' || answer[0] == 'Y');
}

// A result of another run is not replaced unasked; a restart goes on with its own.
static int ask_to_replace(const run_args *args, const char *path)
{
    if (args->is_forced || args->restart != NULL || access(path, F_OK) != 0 || may_replace(path)) {
        return CN_PARSE_GO;
    }
    fprintf(stderr,
            "cairn run: nothing was done; -o FILE writes another result, -f replaces this\n");
    return CN_EXIT_USAGE;
}

static int run_scene(const cn_scene *scene, const run_args *args, const cn_log_names *names)
{
    cn_run_def def = cn_run_def_default();
    def.result_path = names->result_path;
    def.checkpoint_path = names->checkpoint_path;
    def.restart_path = args->restart;
    def.until = args->until;
    def.step = args->step;
    def.checkpoint_every = args->checkpoint_every;
    def.is_strict = args->is_strict;
    def.dump_folder = names->problem_folder;
    if (args->dump != NULL && !parse_dump(args->dump, &def)) {
        return cn_usage_error(&cn_command_run,
                              "--dump-problems is all, none, a STEP from 1 on or FIRST-LAST, not "
                              "'%s'",
                              args->dump);
    }
    if (args->audit != NULL && !parse_audit(args->audit, &def)) {
        return cn_usage_error(&cn_command_run, "--audit is frames, deep or off, not '%s'",
                              args->audit);
    }
    cn_log log = cn_log_open(stderr, args->is_quiet, args->is_verbose, args->is_json);
    cn_log_header(&log, names);
    def.threads = args->threads;
    def.progress = after_step;
    def.told = cn_log_told;
    def.context = &log;
    def.stop = &caught_signal;
    def.beat = within_step;
    cn_run_report report = {0};
    cn_error err = {0};
    char *command_line = join_words(&args->operands);
    def.command_line = command_line;
    catch_signals();
    cn_status status = cn_scene_run(scene, &def, &report, &err);
    free(command_line);
    if (report.steps > 0 || status == CN_OK) {
        cn_log_summary(&log, names, &report, status);
    }
    if (status == CN_STOPPED && caught_signal != 0) {
        if (!args->is_quiet && !args->is_json) {
            fprintf(stderr, "cairn run: interrupted; %s and %s are complete\n", names->result_path,
                    names->checkpoint_path);
        }
        return CN_EXIT_SIGNAL + caught_signal;
    }
    bool is_missed = report.missed[0] != '\0' || report.overlap.missed_count > 0;
    return status == CN_OK && is_missed ? CN_EXIT_MISSED
                                        : cn_command_fail(&cn_command_run, status, &err);
}

// Chooses the names that were not given, and runs.
static int run_loaded(const cn_scene *scene, const run_args *args)
{
    char result[1024], checkpoint[1024], problems[1024];
    cn_log_names names = {
        .scene_path = args->operands.item[0],
        .title = cn_scene_title(scene),
        .scene_hash = cn_scene_hash(scene),
        .restart_path = args->restart,
        .threads = args->threads,
        .result_path = args->output,
        .checkpoint_path = args->checkpoint,
    };
    if (names.result_path == NULL) {
        names.result_path = cn_derive_name(names.scene_path, ".h5", result, sizeof result);
    }
    if (names.checkpoint_path == NULL) {
        names.checkpoint_path =
            cn_change_ending(names.result_path, ".ckpt.h5", checkpoint, sizeof checkpoint);
    }
    names.problem_folder =
        cn_change_ending(names.result_path, ".problems", problems, sizeof problems);
    names.has_asked_for_problems = args->dump != NULL && strcmp(args->dump, "none") != 0;
    int code = check_paths(&names);
    CN_THEN_GO(code, ask_to_replace(args, names.result_path));
    CN_THEN_GO(code, run_scene(scene, args, &names));
    return code;
}

static int run(void *given)
{
    run_args *args = given;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (args->threads == 0) {
        args->threads = cores < 1 ? 1 : cores > 64 ? 64 : (int)cores;
    }
    int code = check_args(args);
    if (code == CN_PARSE_GO && args->refine != 0) {
        code = cn_command_refine(&cn_command_run, args->operands.item[0], &args->define,
                                 args->refine, args->threads, args->is_quiet);
    }
    cn_scene *scene = NULL;
    CN_THEN_GO(code,
               cn_command_load(&cn_command_run, args->operands.item[0], &args->define, &scene));
    CN_THEN_GO(code, run_loaded(scene, args));
    cn_scene_destroy(scene);
    return code;
}

const cn_command cn_command_run = {
    .name = "run",
    .operands = "SCENE",
    .operand_least = 1,
    .operand_most = 1,
    .help = "run a scene and write a result file",
    .details = "The log goes to stderr. Ctrl-C drops the step in progress, writes a checkpoint of\n"
               "the one before and leaves a complete result; continue with --restart. A second\n"
               "Ctrl-C leaves at once. At a terminal a result that is there already is replaced\n"
               "only if you say so.",
    .option = options,
    .args_size = sizeof(run_args),
    .defaults = &(const run_args){.until = INFINITY, .checkpoint_every = NAN},
    .run = run,
};
