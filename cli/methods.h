// cli/methods.h -- what each method of the solver did, as run, info and solve tell it.
#pragma once

#include "cairn/cairn.h"
#include "json.h"

// One line: iterations of the methods that ran, with their time if it is known (not
// NULL) [s]; both arrays have CN_METHOD_NAME_COUNT entries.
void cn_methods_print(FILE *out, const int64_t *iterations, const double *seconds);

// The same as objects "iterations_by_method" and "seconds_by_method".
void cn_methods_json(cn_json *json, const int64_t *iterations, const double *seconds);
