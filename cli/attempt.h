// cli/attempt.h -- one attempt at a stored problem: solve it, check the answer, say how it ended.
//
// The solvers stop on the measure that is asked for, by their own account. The word "converged"
// comes from the checker of cairn/problem_file.h, which shares no code with them: where it does not
// agree they are asked for more. Errors are relative to impulses too, which grow without bound
// where no solution exists: an answer that does not even halve what zero impulses miss is none.
#pragma once

#include "cairn/cairn.h"

// How a file ended. Only one of these words may stand for success.
typedef enum cn_ending {
    CN_ENDING_CONVERGED,
    CN_ENDING_STALLED,     // no progress for long
    CN_ENDING_TIME_LIMIT,  // max_seconds
    CN_ENDING_INFEASIBLE,  // contacts that no impulses can close
    CN_ENDING_UNSUPPORTED, // not a problem for this solver
    CN_ENDING_FAILED,      // numbers that are not finite, no memory
    CN_ENDING_UNREADABLE
} cn_ending;
const char *cn_ending_name(cn_ending ending);

// The impulses to start from; zero if the file has none of those asked for.
typedef enum cn_start { CN_START_ZERO, CN_START_GUESS, CN_START_SOLUTION, CN_START_COUNT } cn_start;
const char *cn_start_name(int start);

typedef struct cn_request {
    cn_solver_def def;
    double tol, max_seconds; // max_seconds of the processor, 0: no limit
    cn_start start;
} cn_request;

typedef struct cn_outcome {
    int64_t iterations, sweeps; // sweeps: counted work
    char solver[128]; // the methods that ran, in order: "nncg>admm"; else the one asked for
    int64_t iterations_of[CN_METHOD_NAME_COUNT]; // by method
    double seconds_of[CN_METHOD_NAME_COUNT];     // on the wall, likewise [s]
    bool has_run;
    bool is_factor_refused; // a matrix was wanted and did not fit in memory
    bool is_infeasible;     // the solver knows impulses that grow without end
    bool is_hidden;         // contacts approach, which the error does not show
    cn_problem_errors errors;
    cn_problem_errors zero; // of zero impulses
    double seconds;         // all of the attempt
    double seconds_solver;  // in the solver alone, with its set-up
    cn_ending ending;
    cn_status status; // of the call that failed
    cn_error err;
} cn_outcome;

// Time of the processor, of all threads together [s].
double cn_seconds_now(void);

// A request for a tolerance in one measure, without limits on sweeps.
cn_request cn_request_make(cn_method method, cn_measure measure, double tol);

// Solves the problem of a file that was read; its impulses end in the problem.
void cn_attempt(const cn_request *request, cn_problem_file *file, cn_outcome *o);

// The method of that name, -1 if there is none; all names, separated by blanks.
int cn_method_named(const char *name);
const char *cn_method_list(char *names, size_t size);
