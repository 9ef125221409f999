// scene/language/expr.h -- numbers of scene files: plain ones and expressions such as
// "=2*R*(1+eps)".
//
// Grammar, loosest first: sum of products with + -, products with * /, unary sign, power ^ (binds
// to the right and tighter than a sign: -2^2 = -4), parentheses, pi, functions, names of params,
// and units that are factors: 30*deg, 2*mm (a param of that name comes first).
#pragma once

#include "base/shared.h"

// A name and its value.
typedef struct cn_symbol {
    const char *name;
    double value;
} cn_symbol;

// Reads a plain number written in full: 12, -0.5, 1e3, .5. Not numbers: 0755, 12:30, 0x1f, nan,
// 1e999. Says why in err.
cn_status cn_number_read(const char *text, double *number, cn_error *err);

// Letters of the plain number at the start of text, 0 if there is none.
CN_SHARED size_t cn_number_length(const char *text);

// True for text that was meant as a number, good or not: it begins with a digit, a sign or a dot.
bool cn_number_is_meant(const char *text);

// Evaluates an expression (without the leading '='). The sentence of an error names the character
// at which it went wrong. A result that is not finite is an error.
CN_SHARED cn_status cn_expr_eval(const char *text, const cn_symbol *symbol, int symbol_count,
                                 double *value, cn_error *err);

// Names of functions and constants, which params may not take, NULL at the end.
CN_SHARED const char *const *cn_expr_names(void);
