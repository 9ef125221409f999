// cli/bench.c -- cairn bench solve: every solver on every problem, as times and as a profile.
//
// Problems are files: those named, or the stress library (bench/stress), whose files are made once
// in a folder and used again. Times are CPU seconds of one thread from the arrays in memory to the
// answer, set-up and factorizations included, the least of a few calls where they are short.
#include "attempt.h"
#include "command.h"
#include "json.h"
#include "peer.h"
#include "profile.h"
#include "stress.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { REPEAT_MAX = 5, SOLVER_MAX = 64 };
static const double repeat_seconds = 0.1; // calls are repeated until they took so long

typedef struct bench_args {
    cn_operands operands;
    cn_list solver, peer;
    const char *folder, *output, *start;
    double tol, max_seconds, size;
    bool is_list, is_json;
} bench_args;

static const cn_option options[] = {
    CN_OPTION_ABOVE(0, "size", "N",
                    "library problems of up to so many contacts; default: 1e4, the largest has 1e6",
                    bench_args, size, 0),
    CN_OPTION(0, "solver", "NAME", "only this one, may be given several times; default: all",
              bench_args, solver),
    CN_OPTION_ABOVE(0, "tol", "X", "accepted natural error; default: 1e-4", bench_args, tol, 0),
    CN_OPTION_ABOVE(0, "max-seconds", "S",
                    "CPU seconds after which a solver has failed on a problem; default: 1",
                    bench_args, max_seconds, 0),
    CN_OPTION(0, "start", "zero|guess",
              "impulses to start from; default: zero; the guess is of the file, as a run would",
              bench_args, start),
    CN_OPTION(0, "folder", "FOLDER",
              "where files of the library are made and found; default: stress", bench_args, folder),
    CN_OPTION(0, "peer", "PROGRAM",
              "a driver of other solvers, e.g. cairn-peer-siconos (docs/solvers.md)", bench_args,
              peer),
    CN_OPTION('o', "output", "FILE",
              "the profile, ending in .png, .svg or .csv; default: profile.png", bench_args,
              output),
    CN_FLAG(0, "list", "list the problems of the library and stop", bench_args, is_list),
    CN_FLAG(0, "json", "one JSON object per problem, solver and line", bench_args, is_json),
    {0},
};

// The problems and solvers to be measured, and the times that were found.
typedef struct bench {
    const bench_args *args;
    cn_request request;
    int path_count;
    char **path;
    int solver_count; // ours, then those of peers as they turn up
    const char *solver[SOLVER_MAX];
    char peer_name[SOLVER_MAX][64];
    double *seconds; // SOLVER_MAX per problem
} bench;

static int list_library(void)
{
    int count;
    const cn_stress *stress = cn_stress_table(&count);
    printf("%-20s %9s  %s\n", "name", "contacts", "what it is");
    for (int k = 0; k < count; k++) {
        printf("%-20s %9d  %s\n", stress[k].name, stress[k].contacts, stress[k].about);
    }
    return CN_EXIT_OK;
}

static bool add_path(bench *b, const char *path)
{
    char **longer = realloc(b->path, (size_t)(b->path_count + 1) * sizeof *longer);
    if (longer != NULL) {
        b->path = longer;
        b->path[b->path_count] = strdup(path);
    }
    return longer != NULL && b->path[b->path_count++] != NULL;
}

static int no_memory(void)
{
    cn_error err;
    cn_status status = cn_fail(&err, CN_NO_MEMORY, "no memory for the list of problems");
    return cn_command_fail(&cn_command_bench, status, &err);
}

// The file of a library problem, made if it is not there.
static int make_file(bench *b, const cn_stress *stress)
{
    char path[1024];
    cn_error err = {0};
    struct stat found;
    snprintf(path, sizeof path, "%s/%s.hdf5", b->args->folder, stress->name);
    if (stat(path, &found) != 0) {
        fprintf(stderr, "making %s (%s)\n", path, stress->about);
        cn_status status = cn_stress_write(stress, path, &err);
        if (status != CN_OK) {
            return cn_command_fail(&cn_command_bench, status, &err);
        }
    }
    return add_path(b, path) ? CN_PARSE_GO : no_memory();
}

static int make_library(bench *b)
{
    int count, code = CN_PARSE_GO;
    const cn_stress *stress = cn_stress_table(&count);
    if (mkdir(b->args->folder, 0777) != 0 && errno != EEXIST) {
        cn_error err;
        cn_status status = cn_fail(&err, CN_IO, "cannot make the folder '%s': %s", b->args->folder,
                                   strerror(errno));
        return cn_command_fail(&cn_command_bench, status, &err);
    }
    for (int k = 0; k < count && code == CN_PARSE_GO; k++) {
        code = stress[k].contacts <= 1.1 * b->args->size ? make_file(b, &stress[k]) : code;
    }
    return code;
}

// The files after the word `solve`, or the library.
static int find_problems(bench *b)
{
    for (int k = 1; k < b->args->operands.count; k++) {
        if (!add_path(b, b->args->operands.item[k])) {
            return no_memory();
        }
    }
    return b->path_count > 0 ? CN_PARSE_GO : make_library(b);
}

static int find_solvers(bench *b)
{
    const cn_list *named = &b->args->solver;
    for (int k = 0; k < named->count; k++) {
        if (cn_method_named(named->item[k]) < 0) {
            char names[256];
            return cn_usage_error(&cn_command_bench, "--solver is one of %s, not '%s'",
                                  cn_method_list(names, sizeof names), named->item[k]);
        }
        b->solver[b->solver_count++] = named->item[k];
    }
    if (named->count == 0) { // the default first
        b->solver[b->solver_count++] = cn_method_name(CN_METHOD_AUTO);
        for (int k = 0; k < CN_METHOD_COUNT; k++) {
            if (k != CN_METHOD_AUTO) {
                b->solver[b->solver_count++] = cn_method_name((cn_method)k);
            }
        }
    }
    return CN_PARSE_GO;
}

// A problem that was read.
typedef struct subject {
    const char *path;
    int contacts;
} subject;

// How a solver, ours or a peer's, did on a problem.
typedef struct showing {
    const char *solver, *chain; // the methods that ran
    int64_t iterations;
    double seconds, error;
    const char *ending;
} showing;

static void print_showing(const bench *b, const subject *on, const showing *s)
{
    if (b->args->is_json) {
        cn_json json = cn_json_begin(stdout);
        cn_json_text(&json, "file", on->path);
        cn_json_integer(&json, "contacts", on->contacts);
        cn_json_text(&json, "solver", s->solver);
        cn_json_text(&json, "chain", s->chain);
        cn_json_integer(&json, "iterations", s->iterations);
        cn_json_number(&json, "seconds", s->seconds);
        cn_json_number(&json, "err_natural", s->error);
        cn_json_text(&json, "status", s->ending);
        cn_json_end(&json);
    } else {
        printf("%-26s %8d  %-12s %10.4g  %9.2e  %8lld  %-11s %s\n", cn_base_name(on->path),
               on->contacts, s->solver, s->seconds, s->error, (long long)s->iterations, s->ending,
               s->chain);
    }
    fflush(stdout);
}

// One of our solvers on a problem.
static double time_solver(bench *b, const subject *on, cn_problem_file *file, const char *name)
{
    double best = INFINITY, spent = 0.0;
    cn_outcome o = {0};
    b->request.def.method = (cn_method)cn_method_named(name);
    for (int k = 0; k < REPEAT_MAX && spent < repeat_seconds; k++) {
        cn_attempt(&b->request, file, &o);
        spent += o.seconds_solver;
        best = fmin(best, o.seconds_solver);
        if (o.ending != CN_ENDING_CONVERGED) {
            break;
        }
    }
    print_showing(b, on,
                  &(showing){.solver = name,
                             .chain = o.solver,
                             .iterations = o.iterations,
                             .seconds = best,
                             .error = o.errors.natural,
                             .ending = cn_ending_name(o.ending)});
    return o.ending == CN_ENDING_CONVERGED ? best : INFINITY;
}

// Where the times of a peer's solver go; -1: no room.
static int column_of(bench *b, const char *name)
{
    for (int s = 0; s < b->solver_count; s++) {
        if (strcmp(b->solver[s], name) == 0) {
            return s;
        }
    }
    if (b->solver_count == SOLVER_MAX) {
        return -1;
    }
    int s = b->solver_count++;
    snprintf(b->peer_name[s], sizeof b->peer_name[s], "%s", name);
    b->solver[s] = b->peer_name[s];
    return s;
}

// The answers of a peer on a problem.
typedef struct peer_sink {
    bench *b;
    const subject *on;
    double *row;
} peer_sink;

static void take_answer(void *context, const cn_peer_answer *answer)
{
    peer_sink *sink = context;
    int s = column_of(sink->b, answer->solver);
    print_showing(sink->b, sink->on,
                  &(showing){.solver = answer->solver,
                             .chain = answer->solver,
                             .iterations = answer->iterations,
                             .seconds = answer->seconds,
                             .error = answer->error,
                             .ending = answer->is_converged ? "converged" : "failed"});
    if (s >= 0) {
        sink->row[s] = answer->is_converged ? answer->seconds : INFINITY;
    }
}

static int time_problem(bench *b, int n)
{
    const char *path = b->path[n];
    cn_problem_file *file = NULL;
    cn_error err = {0};
    cn_status status = cn_problem_file_read(path, &file, &err);
    double *row = b->seconds + (size_t)SOLVER_MAX * (size_t)n;
    int own = b->solver_count;
    if (status != CN_OK) {
        return cn_command_fail(&cn_command_bench, status, &err);
    }
    for (int s = 0; s < SOLVER_MAX; s++) {
        row[s] = INFINITY;
    }
    const subject on = {path, cn_problem_file_info(file)->contact_count};
    for (int s = 0; s < own && cn_method_named(b->solver[s]) >= 0; s++) {
        row[s] = time_solver(b, &on, file, b->solver[s]);
    }
    cn_problem_file_destroy(file);
    peer_sink sink = {b, &on, row};
    for (int k = 0; k < b->args->peer.count && status == CN_OK; k++) {
        status = cn_peer_run(b->args->peer.item[k], path, b->args->tol, b->args->max_seconds,
                             take_answer, &sink, &err);
    }
    return status == CN_OK ? CN_EXIT_OK : cn_command_fail(&cn_command_bench, status, &err);
}

static void print_summary(const bench *b, const cn_profile *profile)
{
    printf("\n%-12s %7s %8s %14s\n", "solver", "solved", "fastest", "their seconds");
    for (int s = 0; s < b->solver_count; s++) {
        double sum = 0.0;
        for (int p = 0; p < b->path_count; p++) {
            double seconds = profile->seconds[b->solver_count * p + s];
            sum += seconds < INFINITY ? seconds : 0.0;
        }
        printf("%-12s %4d/%-3d %7d %14.4g\n", b->solver[s], cn_profile_solved(profile, s),
               b->path_count, cn_profile_won(profile, s), sum);
    }
}

static int draw_profile(bench *b)
{
    char title[160];
    for (int p = 0; p < b->path_count; p++) { // close up the columns
        memmove(b->seconds + b->solver_count * p, b->seconds + SOLVER_MAX * p,
                sizeof *b->seconds * (size_t)b->solver_count);
    }
    snprintf(title, sizeof title, "%d contact problems to a natural error of %g", b->path_count,
             b->args->tol);
    cn_profile profile = {b->path_count, b->solver_count, b->solver, b->seconds, title};
    if (!b->args->is_json) {
        print_summary(b, &profile);
    }
    cn_error err = {0};
    cn_status status = cn_profile_draw(&profile, b->args->output, &err);
    if (status == CN_OK) {
        fprintf(b->args->is_json ? stderr : stdout, "%s\n", b->args->output);
    }
    return cn_command_fail(&cn_command_bench, status, &err);
}

static int run_bench(bench *b)
{
    int code = find_problems(b);
    if (code != CN_PARSE_GO) {
        return code;
    }
    b->seconds = malloc(sizeof *b->seconds * SOLVER_MAX * (size_t)b->path_count);
    if (b->seconds == NULL) {
        return no_memory();
    }
    if (!b->args->is_json) {
        printf("%-26s %8s  %-12s %10s  %9s  %8s  %-11s %s\n", "problem", "contacts", "solver",
               "CPU s", "error", "iterations", "status", "methods");
    }
    for (int n = 0; n < b->path_count; n++) {
        code = time_problem(b, n);
        if (code != CN_EXIT_OK) {
            return code;
        }
    }
    return draw_profile(b);
}

static int check_args(const bench_args *args, bench *b)
{
    const cn_command *command = &cn_command_bench;
    int start = cn_find_word(args->start, CN_START_COUNT, cn_start_name);
    if (strcmp(args->operands.item[0], "solve") != 0) {
        return cn_usage_error(command, "what there is to measure is 'solve', not '%s'",
                              args->operands.item[0]);
    }
    if (!cn_has_ending(args->output, ".png") && !cn_has_ending(args->output, ".svg") &&
        !cn_has_ending(args->output, ".csv")) { // told before the work, not after it
        return cn_usage_error(command, "--output must end in .png, .svg or .csv, got '%s'",
                              args->output);
    }
    if (start < 0) {
        return cn_usage_error(command, "--start is zero, guess or solution, not '%s'", args->start);
    }
    b->request = cn_request_make(CN_METHOD_AUTO, CN_MEASURE_NATURAL, args->tol);
    b->request.max_seconds = args->max_seconds;
    b->request.start = (cn_start)start;
    return find_solvers(b);
}

static int run(void *given)
{
    const bench_args *args = given;
    bench b = {.args = args};
    int code = check_args(args, &b);
    CN_THEN_GO(code, args->is_list ? list_library() : run_bench(&b));
    for (int k = 0; k < b.path_count; k++) {
        free(b.path[k]);
    }
    free(b.path);
    free(b.seconds);
    return code;
}

const cn_command cn_command_bench = {
    .name = "bench",
    .operands = "solve [FILE]...",
    .operand_least = 1,
    .operand_most = 1 << 20,
    .help = "time every solver on stored problems and draw a performance profile",
    .details =
        "Without FILEs the problems are those of the stress library: walls, towers, arches, loads "
        "on light\n"
        "columns, packings at rest and in flow, a viaduct. Their files are made in --folder and "
        "used again.\n"
        "A problem counts as solved if the independent checker finds a natural error of at most "
        "--tol.\n"
        "Each solver has up to --max-seconds for each problem: the default run takes a while.",
    .option = options,
    .args_size = sizeof(bench_args),
    .defaults = &(const bench_args){.folder = "stress",
                                    .output = "profile.png",
                                    .start = "zero",
                                    .tol = 1e-4,
                                    .max_seconds = 1.0,
                                    .size = 1e4},
    .run = run,
};
