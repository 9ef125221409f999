// import/script_expression.h -- numbers of Python scripts: names bound to them, and expressions.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct cn_script_name {
    char name[48];
    double value; // NaN: bound to something that is no number
} cn_script_name;

typedef struct cn_script_names {
    cn_script_name *item;
    size_t count, capacity;
} cn_script_names;

// The value of an expression at the start of the text, NaN if it is none that we know; *end is
// where it ends. Knows + - * / // % **, brackets, names, and the usual functions of math.
double cn_script_evaluate(const cn_script_names *names, const char *text, const char **end);
