// cli/refine.c -- cairn run --refine: how the observed series of a scene converge with the step.
//
// Three values of a quantity at h, h/2 and h/4 give the observed order p = log2 of the ratio of
// their differences and, if p > 0, Richardson's extrapolation to h = 0.
#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct refinement {
    int level, level_count;
    int series_count;
    char (*name)[128];
    double *value; // series_count per level
    bool has_memory;
} refinement;

// Keeps the last values of the series of a run; the first run tells how many there are.
static void keep(void *context, const cn_world *w, int count, const char *const *name,
                 const double *series)
{
    (void)w;
    refinement *r = context;
    if (r->level == 0) {
        r->series_count = count;
        r->name = calloc((size_t)count + 1, sizeof *r->name);
        r->value = calloc((size_t)count * (size_t)r->level_count + 1, sizeof *r->value);
        r->has_memory = r->name != NULL && r->value != NULL;
        for (int k = 0; r->has_memory && k < count; k++) {
            snprintf(r->name[k], sizeof r->name[k], "%s", name[k]);
        }
    }
    if (r->has_memory && count == r->series_count) {
        memcpy(r->value + (size_t)r->level * (size_t)count, series, sizeof *series * (size_t)count);
    }
}

// Order and limit from the last three levels; NaN where the differences tell none.
static void extrapolate(const refinement *r, int k, double *order, double *limit)
{
    int n = r->level_count, stride = r->series_count;
    double a = r->value[(n - 3) * stride + k], b = r->value[(n - 2) * stride + k];
    double c = r->value[(n - 1) * stride + k];
    *order = log2((a - b) / (b - c)); // NaN if the differences have different signs
    *limit = *order > 0.0 ? c + (c - b) / (exp2(*order) - 1.0) : NAN;
    if (a == b && b == c) {
        *limit = c;
    }
}

static void print_table(const refinement *r)
{
    printf("series");
    for (int level = 0; level < r->level_count; level++) {
        printf(",h/%d", 1 << level);
    }
    printf(",order,extrapolated\n");
    for (int k = 0; k < r->series_count; k++) {
        double order, limit;
        printf("%s", cn_shown(r->name[k]));
        for (int level = 0; level < r->level_count; level++) {
            printf(",%.12g", r->value[level * r->series_count + k]);
        }
        extrapolate(r, k, &order, &limit);
        printf(isfinite(order) ? ",%.3f" : ",", order);
        printf(isfinite(limit) ? ",%.12g\n" : ",\n", limit);
    }
}

// One run at h over 2^level. Returns CN_PARSE_GO or an exit code.
static int run_level(const cn_command *command, const char *path, const cn_list *define,
                     int threads, bool is_quiet, refinement *r)
{
    cn_scene *scene = NULL;
    int code = cn_command_load(command, path, define, &scene);
    if (code != CN_PARSE_GO) {
        return code;
    }
    cn_error err = {0};
    cn_run_report report = {0};
    cn_run_def def = cn_run_def_default();
    def.threads = threads;
    def.at_end = keep;
    def.context = r;
    cn_status status = cn_scene_scale_steps(scene, ldexp(1.0, -r->level), &err);
    status = status == CN_OK ? cn_scene_run(scene, &def, &report, &err) : status;
    cn_scene_destroy(scene);
    if (status != CN_OK) {
        return cn_command_fail(command, status, &err);
    }
    if (!is_quiet) {
        fprintf(stderr, "cairn run: h/%d: %lld steps, %lld not converged, residual %.2g, %s\n",
                1 << r->level, (long long)report.steps, (long long)report.nonconverged_steps,
                report.residual_max, report.outcome);
    }
    return CN_PARSE_GO;
}

int cn_command_refine(const cn_command *command, const char *path, const cn_list *define,
                      int halvings, int threads, bool is_quiet)
{
    refinement r = {.level_count = halvings + 1};
    int code = CN_PARSE_GO;
    for (r.level = 0; code == CN_PARSE_GO && r.level < r.level_count; r.level++) {
        code = run_level(command, path, define, threads, is_quiet, &r);
        if (code == CN_PARSE_GO && !r.has_memory) {
            cn_error err = {0};
            cn_fail(&err, CN_NO_MEMORY, "out of memory for the observed series");
            code = cn_command_fail(command, CN_NO_MEMORY, &err);
        } else if (code == CN_PARSE_GO && r.series_count == 0) {
            cn_error err = {0};
            cn_fail(&err, CN_BAD_INPUT,
                    "'%s' observes nothing that could converge: add a line to 'observe'", path);
            code = cn_command_fail(command, CN_BAD_INPUT, &err);
        }
    }
    if (code == CN_PARSE_GO) {
        print_table(&r);
        code = CN_EXIT_OK;
    }
    free(r.name);
    free(r.value);
    return code;
}
