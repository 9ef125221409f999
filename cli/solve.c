// cli/solve.c -- cairn solve: solve stored contact problems and say how well.
//
// The solvers stop on the measure that is asked for, by their own account. The word "converged"
// comes from the checker of cairn/problem_file.h, which shares no code with them: where it does not
// agree they are asked for more. The clock is read for --max-seconds and for what is printed.
#include "command.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct solve_args {
    cn_operands operands;
    const char *solver, *measure, *order, *output, *start;
    double tol, max_seconds;
    int seed, patience, threads;
    bool is_json;
} solve_args;

static const cn_option options[] = {
    {0, "solver", CN_OPTION_TEXT, "NAME", "auto (default), or another one: see above",
     offsetof(solve_args, solver)},
    {'j', "threads", CN_OPTION_INTEGER, "N", "threads; default: 1, results do not depend on it",
     offsetof(solve_args, threads)},
    {0, "tol", CN_OPTION_NUMBER, "X", "accepted error; default: 1e-8", offsetof(solve_args, tol)},
    {0, "measure", CN_OPTION_TEXT, "NAME",
     "error that must be accepted: natural (default), scaled or velocity",
     offsetof(solve_args, measure)},
    {0, "max-seconds", CN_OPTION_NUMBER, "S",
     "give up on a file after so long; the result then depends on the machine",
     offsetof(solve_args, max_seconds)},
    {0, "order", CN_OPTION_TEXT, "NAME",
     "order of visits: fixed (default), reversed, alternating or random",
     offsetof(solve_args, order)},
    {0, "seed", CN_OPTION_INTEGER, "N", "seed of the random order; default: 0",
     offsetof(solve_args, seed)},
    {0, "start", CN_OPTION_TEXT, "NAME",
     "impulses to start from: zero (default), or the guess or solution of the file",
     offsetof(solve_args, start)},
    {0, "patience", CN_OPTION_INTEGER, "N",
     "give up after so many sweeps without halving the error; default: as the solver has it",
     offsetof(solve_args, patience)},
    {0, "json", CN_OPTION_FLAG, NULL, "one JSON object per file and line",
     offsetof(solve_args, is_json)},
    {'o', "output", CN_OPTION_TEXT, "FILE",
     "write the problem in local form with the impulses found", offsetof(solve_args, output)},
    {0},
};

static const char *const measure_names[CN_MEASURE_COUNT] = {
    [CN_MEASURE_VELOCITY] = "velocity",
    [CN_MEASURE_NATURAL] = "natural",
    [CN_MEASURE_SCALED] = "scaled",
};

enum { START_ZERO, START_GUESS, START_SOLUTION, START_COUNT };
static const char *const start_names[START_COUNT] = {"zero", "guess", "solution"};

// How a file ended. Only one of these words may stand for success.
typedef enum ending {
    ENDING_CONVERGED,
    ENDING_STALLED,     // no progress for long
    ENDING_TIME_LIMIT,  // --max-seconds
    ENDING_INFEASIBLE,  // a contact that no impulse can close
    ENDING_UNSUPPORTED, // not a problem for this solver
    ENDING_FAILED,      // numbers that are not finite, no memory
    ENDING_UNREADABLE
} ending;

static const char *const ending_names[] = {"converged",   "stalled", "time_limit", "infeasible",
                                           "unsupported", "failed",  "unreadable"};

// What the command line asks for.
typedef struct solve_request {
    cn_solver_def def;
    double tol, max_seconds; // max_seconds 0: no limit
    int start;               // place in start_names
} solve_request;

typedef struct outcome {
    const char *path;
    int dim, contacts;
    int64_t iterations;
    char solver[128]; // the methods that ran, in order: "nncg>admm"; else the one asked for
    bool has_run;
    cn_problem_errors errors;
    double seconds_setup, seconds_solve;
    ending ending;
    cn_status status; // of the call that failed
    cn_error err;
} outcome;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double error_of(const cn_problem_errors *errors, cn_measure measure)
{
    const double error[CN_MEASURE_COUNT] = {[CN_MEASURE_VELOCITY] = errors->velocity,
                                            [CN_MEASURE_NATURAL] = errors->natural,
                                            [CN_MEASURE_SCALED] = errors->scaled};
    return error[measure];
}

// When to stop a file; asked by the solver.
typedef struct deadline {
    double seconds; // on the clock; infinite: never
    bool is_over;
} deadline;

static bool is_over(void *context)
{
    deadline *d = context;
    d->is_over = d->is_over || (d->seconds < INFINITY && seconds_now() >= d->seconds);
    return d->is_over;
}

// Adds the methods that ran, each name once in a row.
static void add_chain(const cn_solver_report *report, outcome *o)
{
    if (!o->has_run && report->chain_count > 0) {
        o->has_run = true;
        o->solver[0] = '\0';
    }
    for (int k = 0; k < report->chain_count; k++) {
        const char *name = cn_method_name(report->chain[k]);
        const char *last = strrchr(o->solver, '>');
        last = last != NULL ? last + 1 : o->solver;
        size_t length = strlen(o->solver);
        if (strcmp(last, name) != 0) {
            snprintf(o->solver + length, sizeof o->solver - length, "%s%s", length > 0 ? ">" : "",
                     name);
        }
    }
}

// One call of the solver and its check. False: the file is done, o->ending says how.
static bool go_on(const solve_request *request, cn_solver_def *def, cn_problem_file *file,
                  cn_solver *solver, outcome *o)
{
    cn_problem *problem = cn_problem_file_problem(file);
    cn_solver_report report = {0};
    cn_status solved = cn_problem_solve(problem, def, solver, &report, &o->err);
    o->iterations += report.iteration_count;
    add_chain(&report, o);
    o->ending = solved == CN_BAD_INPUT ? ENDING_UNSUPPORTED : ENDING_FAILED;
    o->status = solved;
    if (solved == CN_OK || solved == CN_NOT_CONVERGED) {
        o->status = cn_problem_file_check(file, problem->r, NULL, &o->errors, &o->err);
    }
    if (o->status != CN_OK) {
        return false;
    }
    const deadline *limit = def->context;
    if (error_of(&o->errors, def->measure) <= request->tol) {
        o->ending = ENDING_CONVERGED;
    } else {
        o->ending = limit->is_over ? ENDING_TIME_LIMIT : ENDING_STALLED;
    }
    // The two do not agree: rounding, or a global problem, whose error has one term more.
    def->eps_v = 0.1 * def->eps_v;
    def->tol = 0.1 * def->tol;
    return solved == CN_OK && o->ending == ENDING_STALLED && def->tol > 1e-30;
}

// The impulses to start from; zero if the file has none of those asked for.
static void set_start(const solve_request *request, cn_problem_file *file)
{
    cn_problem *p = cn_problem_file_problem(file);
    const double *r = request->start == START_GUESS      ? cn_problem_file_guess(file)
                      : request->start == START_SOLUTION ? cn_problem_file_solution(file)
                                                         : NULL;
    if (r != NULL) {
        memcpy(p->r, r, sizeof *r * (size_t)p->row_start[p->contact_count]);
    }
}

// What can be said before the first sweep. False: the file is done.
static bool check_start(cn_problem_file *file, outcome *o)
{
    const double *r = cn_problem_file_problem(file)->r;
    o->status = cn_problem_file_check(file, r, NULL, &o->errors, &o->err);
    if (o->status != CN_OK) {
        o->ending = ENDING_FAILED;
        return false;
    }
    if (o->errors.infeasible >= 0) {
        cn_fail(&o->err, CN_BAD_INPUT, "contact %d approaches, but its normal row of W is zero",
                o->errors.infeasible);
        o->ending = ENDING_INFEASIBLE;
        return false;
    }
    return true;
}

static void solve(const solve_request *request, cn_problem_file *file, outcome *o)
{
    double start = seconds_now();
    set_start(request, file);
    if (!check_start(file, o)) {
        return;
    }
    deadline limit = {request->max_seconds > 0.0 ? start + request->max_seconds : INFINITY, false};
    cn_solver_def def = request->def;
    def.is_interrupted = is_over;
    def.context = &limit;
    cn_solver *solver = NULL;
    o->status = cn_solver_create(NULL, &solver, &o->err);
    o->ending = ENDING_FAILED;
    while (o->status == CN_OK && go_on(request, &def, file, solver, o)) {
    }
    cn_solver_destroy(solver);
    o->seconds_solve = seconds_now() - start;
}

static cn_status write_answer(const char *path, const char *from, cn_problem_file *file,
                              const outcome *o, cn_error *err)
{
    char text[512];
    const cn_problem_info *info = cn_problem_file_info(file);
    snprintf(text, sizeof text, "%s; errors of /solution: natural %.3g, scaled %.3g", from,
             o->errors.natural, o->errors.scaled);
    cn_problem_note note = {.title = info->title,
                            .description = info->description,
                            .math_info = text,
                            .with_solution = true};
    return cn_problem_write(path, cn_problem_file_problem(file), &note, err);
}

// Solves one file; with an output, writes it.
static outcome solve_file(const solve_request *request, const char *path, const char *output)
{
    outcome o = {.path = path, .ending = ENDING_UNREADABLE};
    o.errors.natural = o.errors.scaled = o.errors.velocity = NAN;
    snprintf(o.solver, sizeof o.solver, "%s", cn_method_name(request->def.method));
    double start = seconds_now();
    cn_problem_file *file = NULL;
    o.status = cn_problem_file_read(path, &file, &o.err);
    o.seconds_setup = seconds_now() - start;
    if (o.status != CN_OK) {
        return o;
    }
    const cn_problem_info *info = cn_problem_file_info(file);
    o.dim = info->space_dim;
    o.contacts = info->contact_count;
    solve(request, file, &o);
    cn_error err = {0};
    if (output != NULL && o.status == CN_OK &&
        (o.status = write_answer(output, path, file, &o, &err)) != CN_OK) {
        o.err = err;
    }
    cn_problem_file_destroy(file);
    return o;
}

static void print_json(const outcome *o)
{
    cn_json json = cn_json_begin(stdout);
    cn_json_text(&json, "file", o->path);
    cn_json_integer(&json, "dim", o->dim);
    cn_json_integer(&json, "contacts", o->contacts);
    cn_json_text(&json, "solver", o->solver);
    cn_json_integer(&json, "iterations", o->iterations);
    cn_json_number(&json, "err_natural", o->errors.natural);
    cn_json_number(&json, "err_scaled", o->errors.scaled);
    cn_json_number(&json, "err_velocity", o->errors.velocity);
    cn_json_number(&json, "seconds_setup", o->seconds_setup);
    cn_json_number(&json, "seconds_solve", o->seconds_solve);
    cn_json_text(&json, "status", ending_names[o->ending]);
    cn_json_end(&json);
}

static void print_line(const outcome *o)
{
    printf("%3d %8d  %-16s %10" PRId64 "  %9.2e %9.2e  %8.4f %8.4f  %-11s %s\n", o->dim,
           o->contacts, o->solver, o->iterations, o->errors.natural, o->errors.scaled,
           o->seconds_setup, o->seconds_solve, ending_names[o->ending], o->path);
}

// Exit code of one file, with its sentence on stderr if there is one to say.
static int judge(const outcome *o)
{
    switch (o->ending) {
    case ENDING_INFEASIBLE:
    case ENDING_UNSUPPORTED:
    case ENDING_FAILED:
        fflush(stdout);
        fprintf(stderr, "cairn solve: error: %s: %s\n", o->path, o->err.text);
        return o->ending == ENDING_FAILED ? CN_EXIT_FAILED : CN_EXIT_INPUT;
    case ENDING_STALLED:
    case ENDING_TIME_LIMIT:
        return o->status == CN_OK ? CN_EXIT_FAILED
                                  : cn_command_fail(&cn_command_solve, o->status, &o->err);
    case ENDING_CONVERGED:
    case ENDING_UNREADABLE:
        break;
    }
    return cn_command_fail(&cn_command_solve, o->status, &o->err);
}

// Place of a word in a list, -1 if it is not there.
static int find_word(const char *word, int count, const char *(*name)(int))
{
    for (int k = 0; k < count; k++) {
        if (strcmp(word, name(k)) == 0) {
            return k;
        }
    }
    return -1;
}

static const char *name_of_method(int k)
{
    return cn_method_name((cn_method)k);
}

// All names, separated by blanks.
static const char *list_methods(char *names, size_t size)
{
    size_t length = 0;
    names[0] = '\0';
    for (int k = 0; k < CN_METHOD_COUNT && length < size; k++) {
        length += (size_t)snprintf(names + length, size - length, "%s%s", k > 0 ? " " : "",
                                   name_of_method(k));
    }
    return names;
}

static const char *name_of_order(int k)
{
    return cn_order_name((cn_order)k);
}

static const char *name_of_measure(int k)
{
    return measure_names[k];
}

static const char *name_of_start(int k)
{
    return start_names[k];
}

static int make_request(const solve_args *args, solve_request *request)
{
    const cn_command *command = &cn_command_solve;
    int method = find_word(args->solver, CN_METHOD_COUNT, name_of_method);
    int order = find_word(args->order, CN_ORDER_COUNT, name_of_order);
    int measure = find_word(args->measure, CN_MEASURE_COUNT, name_of_measure);
    if (method < 0) {
        char names[256];
        return cn_usage_error(command, "--solver is one of %s, not '%s'",
                              list_methods(names, sizeof names), args->solver);
    }
    int start = find_word(args->start, START_COUNT, name_of_start);
    if (start < 0) {
        return cn_usage_error(command, "--start is zero, guess or solution, not '%s'", args->start);
    }
    if (order < 0) {
        return cn_usage_error(
            command, "--order is fixed, reversed, alternating or random, not '%s'", args->order);
    }
    if (measure < 0) {
        return cn_usage_error(command, "--measure is natural, scaled or velocity, not '%s'",
                              args->measure);
    }
    if (args->threads < 1 || args->threads > 1024) {
        return cn_usage_error(command, "--threads must be 1 to 1024, got %d", args->threads);
    }
    if (!(args->tol > 0.0) || !(args->max_seconds >= 0.0) || args->patience < 0) {
        return cn_usage_error(command, "--tol %g, --max-seconds %g and --patience %d must be > 0",
                              args->tol, args->max_seconds, args->patience);
    }
    if (args->output != NULL && args->operands.count > 1) {
        return cn_usage_error(command, "--output takes the answer of one FILE, got %d",
                              args->operands.count);
    }
    *request = (solve_request){.def = cn_solver_def_default(),
                               .tol = args->tol,
                               .max_seconds = args->max_seconds,
                               .start = start};
    request->def.measure = (cn_measure)measure;
    request->def.eps_v = args->tol;
    request->def.tol = measure == CN_MEASURE_VELOCITY ? 1e300 : args->tol; // err_e is not asked for
    request->def.sweep_max = INT32_MAX / 2; // time and patience limit the work here
    request->def.patience = args->patience;
    request->def.thread_count = args->threads;
    request->def.method = (cn_method)method;
    request->def.order = (cn_order)order;
    request->def.seed = (uint64_t)args->seed;
    return CN_PARSE_GO;
}

static int run(int argc, char **argv)
{
    solve_args args = {.solver = "auto",
                       .measure = "natural",
                       .order = "fixed",
                       .start = "zero",
                       .tol = 1e-8,
                       .threads = 1};
    solve_request request = {0};
    int code = cn_options_parse(&cn_command_solve, argc, argv, &args);
    if (code == CN_PARSE_GO) {
        code = make_request(&args, &request);
    }
    if (code != CN_PARSE_GO) {
        return code;
    }
    if (!args.is_json) {
        printf("dim contacts  solver           iterations    natural    scaled  set-up s  solve s  "
               "status    "
               "  file\n");
    }
    code = CN_EXIT_OK;
    for (int k = 0; k < args.operands.count; k++) {
        outcome o = solve_file(&request, args.operands.item[k], args.output);
        if (args.is_json) {
            print_json(&o);
        } else {
            print_line(&o);
        }
        fflush(stdout);
        int own = judge(&o);
        code = own > code ? own : code;
    }
    return code;
}

const cn_command cn_command_solve = {
    .name = "solve",
    .operands = "FILE...",
    .operand_least = 1,
    .operand_most = 1 << 20,
    .help = "solve stored contact problems (FCLIB files) and certify the answer",
    .details =
        "Reads local and global problems of the FCLIB layout (docs/formats.md). The errors are "
        "those of\n"
        "an independent checker; status converged means that the chosen one is at most --tol. "
        "Solvers:\n"
        "auto (chooses), nncg nlgs prox (sweeps), apgd (gradient), admm ipm ipm-lagged alm "
        "prox-newton\n"
        "(factors); for comparison newton cpg bipotential uzawa, and lemke for small problems:\n"
        "docs/solvers.md. Exit code 0 only if every file converged, 1 if one did not, 3 or 4 if "
        "one cannot\n"
        "be used.",
    .option = options,
    .run = run,
};
