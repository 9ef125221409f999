// cli/methods.c -- see methods.h.
#include "methods.h"

#include <inttypes.h>

void cn_methods_print(FILE *out, const int64_t *iterations, const double *seconds)
{
    const char *between = "  methods        ";
    for (int m = 0; m < CN_METHOD_NAME_COUNT; m++) {
        if (iterations[m] > 0) {
            fprintf(out, "%s%s %" PRId64, between, cn_method_name((cn_method)m), iterations[m]);
            if (seconds != NULL) {
                fprintf(out, " (%.2g s)", seconds[m]);
            }
            between = ", ";
        }
    }
    if (between[0] == ',') {
        fprintf(out, " iterations\n");
    }
}

void cn_methods_json(cn_json *json, const int64_t *iterations, const double *seconds)
{
    cn_json_object_begin(json, "iterations_by_method");
    for (int m = 0; m < CN_METHOD_NAME_COUNT; m++) {
        if (iterations[m] > 0) {
            cn_json_integer(json, cn_method_name((cn_method)m), iterations[m]);
        }
    }
    cn_json_object_end(json);
    if (seconds == NULL) {
        return;
    }
    cn_json_object_begin(json, "seconds_by_method");
    for (int m = 0; m < CN_METHOD_NAME_COUNT; m++) {
        if (iterations[m] > 0) {
            cn_json_number(json, cn_method_name((cn_method)m), seconds[m]);
        }
    }
    cn_json_object_end(json);
}
