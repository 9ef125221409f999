// cli/solve.c -- cairn solve: solve stored contact problems and say how well.
//
// What "converged" means is in attempt.h. The clock of the processor is read for --max-seconds
// and for what is printed.
#include "attempt.h"
#include "command.h"
#include "json.h"
#include "methods.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct solve_args {
    cn_operands operands;
    const char *solver, *measure, *order, *output, *start;
    double tol, max_seconds;
    int seed, patience, threads;
    bool is_json;
} solve_args;

static const cn_option options[] = {
    CN_OPTION(0, "solver", "NAME", "auto (default), or another one: see above", solve_args, solver),
    CN_OPTION_FROM('j', "threads", "N", "threads; default: 1, results do not depend on it",
                   solve_args, threads, 1, 1024),
    CN_OPTION_ABOVE(0, "tol", "X", "accepted error; default: 1e-8", solve_args, tol, 0),
    CN_OPTION(0, "measure", "natural|scaled|velocity",
              "error that must be accepted; default: natural", solve_args, measure),
    CN_OPTION_FROM(
        0, "max-seconds", "S",
        "give up on a file after so many CPU seconds, 0: never; the result then depends on the "
        "machine",
        solve_args, max_seconds, 0, INFINITY),
    CN_OPTION(0, "order", "fixed|reversed|alternating|random", "order of visits; default: fixed",
              solve_args, order),
    CN_OPTION_FROM(0, "seed", "N", "seed of the random order; default: 0", solve_args, seed, 0,
                   INFINITY),
    CN_OPTION(0, "start", "zero|guess|solution",
              "impulses to start from; default: zero; the others are of the file", solve_args,
              start),
    CN_OPTION_FROM(
        0, "patience", "N",
        "give up after so many sweeps without halving the error; default: as the solver has it",
        solve_args, patience, 1, INFINITY),
    CN_FLAG(0, "json", "one JSON object per file and line", solve_args, is_json),
    CN_OPTION('o', "output", "FILE", "write the problem in local form with the impulses found",
              solve_args, output),
    {0},
};

static const char *const measure_names[CN_MEASURE_COUNT] = {
    [CN_MEASURE_VELOCITY] = "velocity",
    [CN_MEASURE_NATURAL] = "natural",
    [CN_MEASURE_SCALED] = "scaled",
};

static cn_status write_answer(const char *path, const char *from, cn_problem_file *file,
                              const cn_outcome *o, cn_error *err)
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

// One line of the answer.
typedef struct outcome {
    const char *path;
    int dim, contacts;
    double seconds_setup;
    bool is_start_missing; // asked for, but not in the file
    cn_outcome end;
} outcome;

// Solves one file; with an output, writes it.
static outcome solve_file(const cn_request *request, const char *path, const char *output)
{
    outcome o = {.path = path, .end.ending = CN_ENDING_UNREADABLE};
    o.end.errors.natural = o.end.errors.scaled = o.end.errors.velocity = NAN;
    snprintf(o.end.solver, sizeof o.end.solver, "%s", cn_method_name(request->def.method));
    double start = cn_seconds_now();
    cn_problem_file *file = NULL;
    o.end.status = cn_problem_file_read(path, &file, &o.end.err);
    o.seconds_setup = cn_seconds_now() - start;
    if (o.end.status != CN_OK) {
        return o;
    }
    const cn_problem_info *info = cn_problem_file_info(file);
    o.dim = info->space_dim;
    o.contacts = info->contact_count;
    o.is_start_missing =
        (request->start == CN_START_GUESS && cn_problem_file_guess(file) == NULL) ||
        (request->start == CN_START_SOLUTION && cn_problem_file_solution(file) == NULL);
    cn_attempt(request, file, &o.end);
    cn_error err = {0};
    if (output != NULL && o.end.status == CN_OK &&
        (o.end.status = write_answer(output, path, file, &o.end, &err)) != CN_OK) {
        o.end.err = err;
    }
    cn_problem_file_destroy(file);
    return o;
}

static void print_json(const outcome *o, bool is_velocity)
{
    cn_json json = cn_json_begin(stdout);
    cn_json_text(&json, "file", o->path);
    cn_json_integer(&json, "dim", o->dim);
    cn_json_integer(&json, "contacts", o->contacts);
    cn_json_text(&json, "solver", o->end.solver);
    cn_json_integer(&json, "iterations", o->end.iterations);
    cn_methods_json(&json, o->end.iterations_of, o->end.seconds_of);
    cn_json_number(&json, "err_natural", o->end.errors.natural);
    cn_json_number(&json, "err_scaled", o->end.errors.scaled);
    cn_json_number(&json, "approach_left", o->end.errors.left);
    if (is_velocity) {
        cn_json_number(&json, "err_velocity", o->end.errors.velocity);
    }
    cn_json_number(&json, "seconds_setup", o->seconds_setup);
    cn_json_number(&json, "seconds_solve", o->end.seconds);
    cn_json_text(&json, "status", cn_ending_name(o->end.ending));
    cn_json_end(&json);
}

static void print_line(const outcome *o)
{
    if (o->end.ending == CN_ENDING_UNREADABLE) {
        printf("%3s %8s  %-16s %10s  %9s %9s  %8s %8s  %-11s %s\n", "-", "-", o->end.solver, "-",
               "-", "-", "-", "-", cn_ending_name(o->end.ending), o->path);
        return;
    }
    printf("%3d %8d  %-16s %10" PRId64 "  %9.2e %9.2e  %8.4f %8.4f  %-11s %s\n", o->dim,
           o->contacts, o->end.solver, o->end.iterations, o->end.errors.natural,
           o->end.errors.scaled, o->seconds_setup, o->end.seconds, cn_ending_name(o->end.ending),
           o->path);
    if (strchr(o->end.solver, '>') != NULL) { // else the line has told it
        cn_methods_print(stdout, o->end.iterations_of, o->end.seconds_of);
    }
}

// Exit code of one file, with its sentence on stderr if there is one to say.
static int judge(const outcome *o)
{
    switch (o->end.ending) {
    case CN_ENDING_INFEASIBLE:
    case CN_ENDING_UNSUPPORTED:
    case CN_ENDING_FAILED:
        fflush(stdout);
        fprintf(stderr, "cairn solve: error: %s: %s\n", cn_shown(o->path), o->end.err.text);
        return o->end.ending == CN_ENDING_FAILED ? CN_EXIT_FAILED : CN_EXIT_INPUT;
    case CN_ENDING_STALLED:
    case CN_ENDING_TIME_LIMIT:
        return o->end.status == CN_OK
                   ? CN_EXIT_FAILED
                   : cn_command_fail(&cn_command_solve, o->end.status, &o->end.err);
    case CN_ENDING_CONVERGED:
    case CN_ENDING_UNREADABLE:
        break;
    }
    return cn_command_fail(&cn_command_solve, o->end.status, &o->end.err);
}

static const char *name_of_order(int k)
{
    return cn_order_name((cn_order)k);
}

static const char *name_of_measure(int k)
{
    return measure_names[k];
}

static int make_request(const solve_args *args, cn_request *request)
{
    const cn_command *command = &cn_command_solve;
    int method = cn_method_named(args->solver);
    int order = cn_find_word(args->order, CN_ORDER_COUNT, name_of_order);
    int measure = cn_find_word(args->measure, CN_MEASURE_COUNT, name_of_measure);
    if (method < 0) {
        char names[256];
        return cn_usage_error(command, "--solver is one of %s, not '%s'",
                              cn_method_list(names, sizeof names), args->solver);
    }
    int start = cn_find_word(args->start, CN_START_COUNT, cn_start_name);
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
    if (args->output != NULL && args->operands.count > 1) {
        return cn_usage_error(command, "--output takes the answer of one FILE, got %d",
                              args->operands.count);
    }
    if (args->output != NULL && cn_is_same_file(args->operands.item[0], args->output)) {
        return cn_usage_error(command, "--output is the input '%s': give the answer another name",
                              args->output);
    }
    *request = cn_request_make((cn_method)method, (cn_measure)measure, args->tol);
    request->max_seconds = args->max_seconds;
    request->start = (cn_start)start;
    request->def.patience = args->patience;
    request->def.thread_count = args->threads;
    request->def.order = (cn_order)order;
    request->def.seed = (uint64_t)args->seed;
    return CN_PARSE_GO;
}

static int run(void *given)
{
    const solve_args *args = given;
    cn_request request = {0};
    int code = make_request(args, &request);
    if (code != CN_PARSE_GO) {
        return code;
    }
    if (!args->is_json) {
        printf("dim contacts  solver           iterations    natural    scaled  set-up s  solve s  "
               "status    "
               "  file\n");
    }
    code = CN_EXIT_OK;
    for (int k = 0; k < args->operands.count; k++) {
        outcome o = solve_file(&request, args->operands.item[k], args->output);
        if (args->is_json) {
            print_json(&o, request.def.measure == CN_MEASURE_VELOCITY);
        } else {
            print_line(&o);
        }
        fflush(stdout);
        if (o.is_start_missing) {
            fprintf(stderr, "cairn solve: note: %s: it holds no %s, started from zero\n", o.path,
                    args->start);
        }
        if (o.end.is_factor_refused) {
            fprintf(stderr,
                    "cairn solve: note: %s: a matrix did not fit in memory, solved without\n",
                    o.path);
        }
        if (o.end.is_hidden && o.end.ending != CN_ENDING_CONVERGED) {
            fprintf(stderr,
                    "cairn solve: note: %s: contacts approach at %.2g of the velocities; with so "
                    "much friction the error does not show it\n",
                    o.path, o.end.errors.approach[request.def.measure]);
        }
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
    .args_size = sizeof(solve_args),
    .defaults = &(const solve_args){.solver = "auto",
                                    .measure = "natural",
                                    .order = "fixed",
                                    .start = "zero",
                                    .tol = 1e-8,
                                    .threads = 1},
    .run = run,
};
