// tests/test.h -- our test macros. A program holds cases; each runs alone by name:
//     test-physics-slope                 all cases
//     test-physics-slope block_slides    cases whose name contains the word
// Silent when right. A failure prints value, exact, difference and the reason of the tolerance.
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CN_TEST(name) static void name(void)

#define CN_TRUE(condition)                                                                         \
    do {                                                                                           \
        test_count++;                                                                              \
        if (!(condition)) {                                                                        \
            test_failures++;                                                                       \
            printf("%s:%d: %s: not true: %s\n", __FILE__, __LINE__, test_name, #condition);        \
        }                                                                                          \
    } while (0)

#define CN_NEAR(value, exact, tolerance, reason)                                                   \
    test_near(__FILE__, __LINE__, #value, (value), (exact), (tolerance), (reason))

// A call that must succeed; prints the library's sentence if it does not.
#define CN_DO(call)                                                                                \
    do {                                                                                           \
        test_count++;                                                                              \
        test_error.text[0] = '\0';                                                                 \
        cn_status test_status = (call);                                                            \
        if (test_status != CN_OK) {                                                                \
            test_failures++;                                                                       \
            printf("%s:%d: %s: %s: %s\n", __FILE__, __LINE__, test_name,                           \
                   cn_status_name(test_status), test_error.text);                                  \
        }                                                                                          \
    } while (0)

// A call that must fail with this status and a sentence that contains the word.
#define CN_FAILS(call, status, word)                                                               \
    do {                                                                                           \
        test_count++;                                                                              \
        test_error.text[0] = '\0';                                                                 \
        cn_status test_status = (call);                                                            \
        if (test_status != (status) || !strstr(test_error.text, (word))) {                         \
            test_failures++;                                                                       \
            printf("%s:%d: %s: got %s \"%s\", wanted %s with \"%s\"\n", __FILE__, __LINE__,        \
                   test_name, cn_status_name(test_status), test_error.text,                        \
                   cn_status_name(status), (word));                                                \
        }                                                                                          \
    } while (0)

#define CN_RUN(name)                                                                               \
    do {                                                                                           \
        if (test_filter == NULL || strstr(#name, test_filter)) {                                   \
            test_name = #name;                                                                     \
            name();                                                                                \
        }                                                                                          \
    } while (0)

// main() of a test program: CN_MAIN(CN_RUN(case_one); CN_RUN(case_two);)
#define CN_MAIN(cases)                                                                             \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        test_filter = argc > 1 ? argv[1] : NULL;                                                   \
        cases return test_failures > 0 || test_count == 0;                                         \
    }

#include "cairn/base.h"

static const char *test_filter;
static const char *test_name = "";
static int test_failures;
static int test_count;
static cn_error test_error; // pass &test_error to calls inside CN_DO and CN_FAILS

static inline void test_near(const char *file, int line, const char *what, double value,
                             double exact, double tolerance, const char *reason)
{
    (void)test_error;
    test_count++;
    double difference = fabs(value - exact);
    if (!(difference <= tolerance)) {
        test_failures++;
        printf("%s:%d: %s: %s = %.15g, exact %.15g, difference %.3g > %.3g (%s)\n", file, line,
               test_name, what, value, exact, difference, tolerance, reason);
    }
}
