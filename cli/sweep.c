// cli/sweep.c -- cairn sweep: the runs of a study, several at a time, one row of a table each.
//
// Each run is a process of its own, so that one that dies takes nothing with it. Its row is kept in
// a file of its own as soon as it is known, and the table is made anew from all rows in the order
// of the study: an interrupted sweep loses only the runs in progress, and the table does not depend
// on how many ran at a time.
#include "command.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 1024, ROW = 8192, JOBS_MAX = 256 };

typedef struct sweep_args {
    cn_operands operands;
    const char *output;
    int jobs;
    bool resume, is_kept, is_quiet;
} sweep_args;

static const cn_option options[] = {
    CN_OPTION('o', "output", "FILE", "table; default: name of the study with .csv", sweep_args,
              output),
    CN_OPTION_FROM('j', "jobs", "N", "runs at a time; the table does not depend on it", sweep_args,
                   jobs, 1, JOBS_MAX),
    CN_FLAG(0, "resume", "go on with a study that was interrupted", sweep_args, resume),
    CN_FLAG(0, "keep", "keep the result file of each run", sweep_args, is_kept),
    CN_FLAG('q', "quiet", "errors only", sweep_args, is_quiet),
    {0},
};

// One line of runs that follow each other.
typedef struct line {
    int done;         // runs whose row is known
    bool *has_failed; // of these
    bool is_over;     // complete, or broken
    bool is_broken;   // a run could not be carried out
    pid_t child;      // run in progress, 0: none
} line;

typedef struct sweep {
    const cn_study *study;
    const sweep_args *args;
    const char *table;
    char folder[PATH];
    cn_claim *claim; // on the folder
    line *line;
    double *value;  // params of one run
    double *report; // what is noted of one run
    int run_count, failed_count;
} sweep;

static volatile sig_atomic_t caught_signal;

static void catch_signal(int number)
{
    caught_signal = number;
}

// File of run n of a line: 1000000 names at most, so six digits are enough.
static char *run_path(const sweep *s, int l, int n, const char *ending, char *path)
{
    int number = l * cn_study_run_max(s->study) + n + 1;
    snprintf(path, PATH, "%.900s/run-%06d%s", s->folder, number, ending);
    return path;
}

// ---- rows

static void print_header(const sweep *s, FILE *out)
{
    fprintf(out, "run");
    for (int k = 0; k < cn_study_param_count(s->study); k++) {
        fprintf(out, ",%s", cn_study_param(s->study, k));
    }
    fprintf(out, ",status,failed");
    for (int k = 0; k < cn_study_report_count(s->study); k++) {
        fprintf(out, ",%s", cn_study_report(s->study, k));
    }
    fprintf(out, ",time,steps,nonconverged_steps,residual_max,penetration_max_m,energy_error,"
                 "outcome\n");
}

// A field of text: quotes doubled, as spreadsheets want it.
static void print_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', out);
        }
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputc('"', out);
}

// A text in memory, which becomes a file: whole or not there.
typedef struct sheet {
    FILE *out;
    char *text;
    size_t length;
} sheet;

static cn_status sheet_open(sheet *s, cn_error *err)
{
    *s = (sheet){0};
    s->out = open_memstream(&s->text, &s->length);
    return s->out != NULL ? CN_OK : cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
}

static cn_status sheet_save(sheet *s, const char *path, cn_error *err)
{
    cn_status status = fclose(s->out) == 0
                           ? cn_file_save(path, s->text, s->length, err)
                           : cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
    free(s->text);
    return status;
}

static cn_status write_row(sweep *s, int l, int n, const cn_summary *summary, bool has_failed,
                           cn_error *err)
{
    char path[PATH];
    sheet row;
    cn_status status = sheet_open(&row, err);
    if (status != CN_OK) {
        return status;
    }
    FILE *out = row.out;
    fprintf(out, "%016llx %d %d\n", (unsigned long long)cn_study_hash(s->study), has_failed,
            summary == NULL);
    fprintf(out, "%d", l * cn_study_run_max(s->study) + n + 1);
    for (int k = 0; k < cn_study_param_count(s->study); k++) {
        fprintf(out, ",%.17g", s->value[k]);
    }
    fprintf(out, ",%s,%d", summary != NULL ? "done" : "broken", has_failed);
    for (int k = 0; k < cn_study_report_count(s->study); k++) {
        fprintf(out, ",%.17g", summary != NULL ? s->report[k] : NAN);
    }
    if (summary != NULL) {
        fprintf(out, ",%.17g,%lld,%lld,%.6g,%.6g,%.6g,", summary->time, (long long)summary->steps,
                (long long)summary->nonconverged_steps, summary->residual_max,
                summary->penetration_max_m, summary->energy_error);
        print_text(out, summary->outcome);
    } else {
        fprintf(out, ",,,,,,\"see the log of this run\"");
    }
    fputc('\n', out);
    return sheet_save(&row, run_path(s, l, n, ".row", path), err);
}

// Reads the row of a run that is already known. False: there is none, or it is of another study.
static bool read_row(const sweep *s, int l, int n, char row[ROW], bool *has_failed, bool *is_broken)
{
    char path[PATH], head[64];
    FILE *in = fopen(run_path(s, l, n, ".row", path), "r");
    unsigned long long hash;
    int failed, broken;
    bool is_read = in != NULL && fgets(head, sizeof head, in) != NULL &&
                   sscanf(head, "%llx %d %d", &hash, &failed, &broken) == 3 &&
                   hash == cn_study_hash(s->study) && fgets(row, ROW, in) != NULL;
    if (in != NULL) {
        fclose(in);
    }
    if (is_read) {
        *has_failed = failed != 0;
        *is_broken = broken != 0;
    }
    return is_read;
}

// The table from all rows that are known.
static cn_status write_table(const sweep *s, cn_error *err)
{
    char row[ROW];
    sheet table;
    cn_status status = sheet_open(&table, err);
    if (status != CN_OK) {
        return status;
    }
    print_header(s, table.out);
    for (int l = 0; l < cn_study_line_count(s->study); l++) {
        bool has_failed, is_broken;
        for (int n = 0; n < s->line[l].done; n++) {
            if (read_row(s, l, n, row, &has_failed, &is_broken)) {
                fputs(row, table.out);
            }
        }
    }
    return sheet_save(&table, s->table, err);
}

// ---- runs

// The child: its log is a file of its own. Never returns.
static void run_child(const sweep *s, int l, int n)
{
    char path[PATH], result[PATH];
    int params = cn_study_param_count(s->study);
    char(*text)[128] = calloc((size_t)params, sizeof *text);
    const char **define = calloc((size_t)params, sizeof *define);
    if (text == NULL || define == NULL ||
        freopen(run_path(s, l, n, ".log", path), "w", stderr) == NULL) {
        _exit(CN_EXIT_IO);
    }
    for (int k = 0; k < params; k++) {
        snprintf(text[k], sizeof text[k], "%.64s=%.17g", cn_study_param(s->study, k), s->value[k]);
        define[k] = text[k];
    }
    cn_error err = {0};
    cn_scene *scene = NULL;
    cn_status status = cn_scene_read(&(cn_scene_source){.name = cn_study_scene(s->study),
                                                        .define = define,
                                                        .define_count = params},
                                     cn_tell_file, stderr, &scene, &err);
    if (status == CN_OK) {
        cn_run_def def = cn_run_def_default();
        cn_run_report report = {0};
        def.threads = 1;
        def.command_line = "cairn sweep";
        def.result_path = run_path(s, l, n, ".h5", result);
        status = cn_scene_run(scene, &def, &report, &err);
    }
    int code = status == CN_OK ? 0 : cn_command_fail(&cn_command_sweep, status, &err);
    fflush(stderr);
    _exit(code);
}

// Starts the next run of a line, or ends the line. Rows that are known already are taken as they
// are.
static cn_status advance(sweep *s, int l, cn_error *err)
{
    line *at = &s->line[l];
    char row[ROW];
    while (!at->is_over) {
        at->is_over =
            at->is_broken || !cn_study_next(s->study, l, at->done, at->has_failed, s->value);
        if (at->is_over) {
            break;
        }
        if (s->args->resume &&
            read_row(s, l, at->done, row, &at->has_failed[at->done], &at->is_broken)) {
            at->done++;
            continue;
        }
        fflush(NULL);
        at->child = fork();
        if (at->child == 0) {
            run_child(s, l, at->done);
        }
        if (at->child < 0) {
            at->child = 0;
            return cn_fail(err, CN_NO_MEMORY, "cannot start a run: %s", strerror(errno));
        }
        break;
    }
    return CN_OK;
}

static void remove_result(const sweep *s, int l, int n)
{
    char path[PATH];
    if (!s->args->is_kept) {
        unlink(run_path(s, l, n, ".h5", path));
    }
}

// A run has ended with this code: notes what it gave.
static cn_status note(sweep *s, int l, int code, cn_error *err)
{
    line *at = &s->line[l];
    char path[PATH];
    bool has_failed = false;
    cn_reader *reader = NULL;
    cn_status status = CN_OK;
    at->child = 0;
    cn_study_next(s->study, l, at->done, at->has_failed, s->value); // the values it ran with
    at->is_broken = code != 0;
    if (code == 0) {
        status = cn_reader_open(run_path(s, l, at->done, ".h5", path), &reader, err);
        if (status == CN_OK) {
            status = cn_study_measure(s->study, reader, s->report, &has_failed, err);
        }
    }
    if (status == CN_OK) {
        status = write_row(s, l, at->done, reader != NULL ? cn_reader_summary(reader) : NULL,
                           has_failed, err);
    }
    cn_reader_close(reader);
    if (status != CN_OK) {
        return status;
    }
    remove_result(s, l, at->done);
    s->run_count++;
    s->failed_count += at->is_broken;
    if (!s->args->is_quiet) {
        fprintf(stderr, "cairn sweep: run %d: %s\n", l * cn_study_run_max(s->study) + at->done + 1,
                at->is_broken ? "broken, see its log" : (has_failed ? "failed" : "done"));
    }
    at->has_failed[at->done++] = has_failed;
    return write_table(s, err);
}

// Line whose run is this process, -1 if none.
static int line_of(const sweep *s, pid_t child)
{
    for (int l = 0; l < cn_study_line_count(s->study); l++) {
        if (s->line[l].child == child) {
            return l;
        }
    }
    return -1;
}

static void stop_children(const sweep *s)
{
    for (int l = 0; l < cn_study_line_count(s->study); l++) {
        if (s->line[l].child > 0) {
            kill(s->line[l].child, SIGKILL);
            waitpid(s->line[l].child, NULL, 0);
            s->line[l].child = 0;
            char path[PATH];
            unlink(run_path(s, l, s->line[l].done, ".h5", path));
        }
    }
}

// Keeps up to `jobs` lines going until all are over.
static cn_status go(sweep *s, cn_error *err)
{
    int lines = cn_study_line_count(s->study), running = 0, next = 0;
    cn_status status = CN_OK;
    while (status == CN_OK && caught_signal == 0 && (running > 0 || next < lines)) {
        while (status == CN_OK && running < s->args->jobs && next < lines) {
            status = advance(s, next, err);
            running += s->line[next++].child > 0;
        }
        if (status != CN_OK || running == 0) {
            continue;
        }
        int how;
        pid_t child = waitpid(-1, &how, 0);
        int l = child > 0 ? line_of(s, child) : -1;
        if (l >= 0 && caught_signal == 0) {
            status = note(s, l, WIFEXITED(how) ? WEXITSTATUS(how) : CN_EXIT_FAILED, err);
            if (status == CN_OK) {
                status = advance(s, l, err);
            }
            running -= s->line[l].child == 0;
        }
    }
    stop_children(s);
    return status == CN_OK ? write_table(s, err) : status;
}

// ---- what a bisection found

static void print_bracket(const sweep *s, int l)
{
    const line *at = &s->line[l];
    int b = cn_study_bisected(s->study);
    double end[2];
    cn_study_next(s->study, l, at->done, at->has_failed, s->value);
    for (int k = 0; k < cn_study_param_count(s->study); k++) {
        if (k != b) {
            printf("%s = %g: ", cn_study_param(s->study, k), s->value[k]);
        }
    }
    if (at->is_broken) {
        printf("a run broke; see its log in %s\n", s->folder);
    } else if (cn_study_bracket(s->study, l, at->done, at->has_failed, end)) {
        printf("%s %s between %.9g and %.9g%s\n", cn_study_param(s->study, b),
               at->has_failed[0] ? "stops failing" : "begins to fail", end[0], end[1],
               at->is_over ? "" : " so far");
    } else if (at->done >= 2) {
        printf("%s %s at both ends, %.9g and %.9g: widen the interval\n",
               cn_study_param(s->study, b), at->has_failed[0] ? "fails" : "does not fail", end[0],
               end[1]);
    } else {
        printf("not run yet\n");
    }
}

// ---- fragility

// Intensities, and what each gave: capacities of bisections, or outcomes of runs.
typedef struct trials {
    int count;
    double *intensity;
    bool *has_failed; // of runs; NULL: intensities are capacities
} trials;

static void collect_capacities(const sweep *s, trials *t)
{
    for (int l = 0; l < cn_study_line_count(s->study); l++) {
        const line *at = &s->line[l];
        double end[2];
        if (!at->is_broken && cn_study_bracket(s->study, l, at->done, at->has_failed, end)) {
            t->intensity[t->count++] = 0.5 * (end[0] + end[1]);
        }
    }
}

static void collect_outcomes(const sweep *s, trials *t)
{
    int over = cn_study_fragility(s->study);
    for (int l = 0; l < cn_study_line_count(s->study); l++) {
        const line *at = &s->line[l];
        for (int n = 0; n < at->done - (at->is_broken ? 1 : 0); n++) {
            cn_study_next(s->study, l, n, at->has_failed, s->value);
            t->intensity[t->count] = s->value[over];
            t->has_failed[t->count++] = at->has_failed[n];
        }
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

enum { CURVE_POINTS = 200, SPREAD_SHOWN = 3 };

// The curve, and capacities as the shares of those that are not larger; as .svg and as .csv.
static cn_status draw_fragility(const sweep *s, trials *t, const cn_fragility *fit, cn_error *err)
{
    double x[CURVE_POINTS], y[CURVE_POINTS], *share = calloc((size_t)t->count + 1, sizeof *share);
    if (share == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for a curve of %d intensities", t->count);
    }
    for (int k = 0; k < CURVE_POINTS; k++) {
        double way = (2.0 * k / (CURVE_POINTS - 1) - 1.0) * SPREAD_SHOWN;
        x[k] = fit->theta * exp(way * fit->beta);
        y[k] = cn_fragility_at(fit, x[k]);
    }
    if (t->has_failed == NULL) {
        qsort(t->intensity, (size_t)t->count, sizeof *t->intensity, compare_numbers);
    }
    for (int k = 0; k < t->count; k++) {
        share[k] = t->has_failed == NULL ? (k + 0.5) / t->count : t->has_failed[k];
    }
    const char *over = cn_study_param(s->study, cn_study_fragility(s->study));
    const cn_curve curve[2] = {{"lognormal", CURVE_POINTS, x, y, CN_CURVE_LINE},
                               {t->has_failed == NULL ? "capacities" : "runs", t->count,
                                t->intensity, share, CN_CURVE_DOTS}};
    const cn_chart_def chart = {.title = "Fragility",
                                .x_label = over,
                                .y_label = "probability of failure",
                                .curve_count = 2,
                                .curve = curve};
    char path[PATH];
    cn_status status =
        cn_chart(&chart, cn_change_ending(s->table, ".fragility.svg", path, sizeof path), err);
    if (status == CN_OK) {
        status =
            cn_chart(&chart, cn_change_ending(s->table, ".fragility.csv", path, sizeof path), err);
    }
    free(share);
    return status;
}

static cn_status fit_fragility(const sweep *s, cn_error *err)
{
    bool is_bisected = cn_study_bisected(s->study) >= 0;
    size_t most = (size_t)cn_study_line_count(s->study) * (size_t)cn_study_run_max(s->study);
    trials t = {.intensity = calloc(most + 1, sizeof(double)),
                .has_failed = is_bisected ? NULL : calloc(most + 1, sizeof(bool))};
    cn_fragility fit;
    cn_status status =
        t.intensity != NULL && (is_bisected || t.has_failed != NULL)
            ? CN_OK
            : cn_fail(err, CN_NO_MEMORY, "no memory for a fragility of %zu runs", most);
    if (status == CN_OK && is_bisected) {
        collect_capacities(s, &t);
        status = cn_fragility_of_capacities(t.count, t.intensity, &fit, err);
    } else if (status == CN_OK) {
        collect_outcomes(s, &t);
        status = cn_fragility_of_outcomes(t.count, t.intensity, t.has_failed, &fit, err);
    }
    if (status == CN_OK) {
        printf("fragility: median %.6g, error of its logarithm %.2g; beta %.6g, error %.2g; of %d "
               "%s\n",
               fit.theta, fit.theta_error, fit.beta, fit.beta_error, fit.count,
               is_bisected ? "capacities" : "runs");
        status = draw_fragility(s, &t, &fit, err);
    }
    free(t.intensity);
    free(t.has_failed);
    return status;
}

static int report_end(const sweep *s)
{
    if (cn_study_bisected(s->study) >= 0) {
        for (int l = 0; l < cn_study_line_count(s->study); l++) {
            print_bracket(s, l);
        }
    }
    if (!s->args->is_quiet) {
        fprintf(stderr, "cairn sweep: %d runs, %d broken; table in %s\n", s->run_count,
                s->failed_count, s->table);
    }
    if (cn_study_fragility(s->study) >= 0 && caught_signal == 0) {
        cn_error err = {0};
        cn_status status = fit_fragility(s, &err);
        if (status != CN_OK) {
            return cn_command_fail(&cn_command_sweep, status, &err);
        }
    }
    return s->failed_count > 0 ? CN_EXIT_FAILED : CN_EXIT_OK;
}

// ---- set up

// One sweep at a time in a folder. The table, which is written often, is tried here.
static cn_status claim_folder(sweep *s, cn_error *err)
{
    char name[PATH];
    cn_claim *table;
    cn_status status = cn_claim_take(s->table, &table, err);
    if (status != CN_OK) {
        return status;
    }
    cn_claim_release(table);
    if (mkdir(s->folder, 0777) != 0 && errno != EEXIST) {
        return cn_fail(err, CN_IO, "cannot make the folder '%s': %s", s->folder, strerror(errno));
    }
    snprintf(name, sizeof name, "%.1000s/sweep", s->folder);
    return cn_claim_take(name, &s->claim, err);
}

static cn_status prepare(sweep *s, cn_error *err)
{
    size_t lines = (size_t)cn_study_line_count(s->study), runs = (size_t)cn_study_run_max(s->study);
    s->line = calloc(lines, sizeof *s->line);
    s->value = calloc((size_t)cn_study_param_count(s->study), sizeof *s->value);
    s->report = calloc((size_t)cn_study_report_count(s->study) + 1, sizeof *s->report);
    bool *has_failed = calloc(lines * (runs + 1), sizeof *has_failed);
    if (!s->line || !s->value || !s->report || !has_failed) {
        free(has_failed);
        return cn_fail(err, CN_NO_MEMORY, "out of memory for %zu lines of runs", lines);
    }
    for (size_t l = 0; l < lines; l++) {
        s->line[l].has_failed = has_failed + l * (runs + 1);
    }
    return claim_folder(s, err);
}

// The first run of the study must make sense before any is started.
static int check_scene(sweep *s)
{
    int params = cn_study_param_count(s->study);
    cn_list define = {0};
    static char text[CN_LIST_MAX][128];
    if (params > CN_LIST_MAX) {
        return cn_usage_error(&cn_command_sweep, "a study varies at most %d params", CN_LIST_MAX);
    }
    cn_study_next(s->study, 0, 0, NULL, s->value);
    for (int k = 0; k < params; k++) {
        snprintf(text[k], sizeof text[k], "%.64s=%.17g", cn_study_param(s->study, k), s->value[k]);
        define.item[define.count++] = text[k];
    }
    cn_scene *scene = NULL;
    int code = cn_command_load(&cn_command_sweep, cn_study_scene(s->study), &define, &scene);
    cn_scene_destroy(scene);
    return code;
}

static int sweep_study(const cn_study *study, const sweep_args *args, const char *table)
{
    sweep s = {.study = study, .args = args, .table = table};
    cn_error err = {0};
    cn_change_ending(table, ".runs", s.folder, sizeof s.folder);
    if (!args->resume && (access(table, F_OK) == 0 || access(s.folder, F_OK) == 0)) {
        return cn_usage_error(&cn_command_sweep,
                              "'%s' or '%s' exists: --resume goes on with it, -o chooses another",
                              table, s.folder);
    }
    struct sigaction action = {.sa_handler = catch_signal};
    int code = CN_PARSE_GO;
    cn_status status = prepare(&s, &err);
    if (status == CN_OK) {
        code = check_scene(&s);
        if (code != CN_PARSE_GO) {
            cn_claim_release(s.claim);
            s.claim = NULL;
            rmdir(s.folder);
        }
    }
    if (status == CN_OK && code == CN_PARSE_GO) {
        sigaction(SIGINT, &action, NULL);
        sigaction(SIGTERM, &action, NULL);
        status = go(&s, &err);
        code = status == CN_OK ? report_end(&s) : CN_PARSE_GO;
    }
    if (caught_signal != 0) {
        fprintf(stderr, "cairn sweep: interrupted; 'cairn sweep %s --resume' goes on\n",
                args->operands.item[0]);
        code = CN_EXIT_SIGNAL + caught_signal;
    }
    cn_claim_release(s.claim);
    free(s.line != NULL ? s.line[0].has_failed : NULL);
    free(s.line);
    free(s.value);
    free(s.report);
    return code != CN_PARSE_GO ? code : cn_command_fail(&cn_command_sweep, status, &err);
}

static int run(void *given)
{
    sweep_args *args = given;
    char table[PATH];
    cn_study *study = NULL;
    int code = cn_command_study(&cn_command_sweep, args->operands.item[0], &study);
    if (code != CN_PARSE_GO) {
        return code;
    }
    if (args->output == NULL) {
        args->output = cn_derive_name(args->operands.item[0], ".csv", table, sizeof table);
    }
    code = sweep_study(study, args, args->output);
    cn_study_destroy(study);
    return code;
}

const cn_command cn_command_sweep = {
    .name = "sweep",
    .operands = "STUDY",
    .operand_least = 1,
    .operand_most = 1,
    .help = "run a scene for many values of its params",
    .details =
        "A study names a scene, the values of its params (list, range, uniform, bisect) and\n"
        "what to note of each run; one row of the table per run. Logs of the runs are in\n"
        "the folder of the same name that ends with .runs.",
    .option = options,
    .args_size = sizeof(sweep_args),
    .defaults = &(const sweep_args){.jobs = 1},
    .run = run,
};
