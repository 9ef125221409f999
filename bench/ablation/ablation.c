// bench/ablation/ablation.c -- what each method is worth to `auto`: every problem again, with one
// method after the other left out (cn_solver_def.left_out).
//
// Usage: cairn-ablation [OPTION]... PATH...
// A path is a problem file (.hdf5), a scene (.yaml) or a folder of problem files; `stress` stands
// for the library of bench/stress, whose files are made once in the folder stress/. Work is counted
// in sweeps, so the table is the same on every machine, but for the seconds. A problem on which a
// method did not run is not solved again without it. With --lines there is a line per problem as
// well, to compare two versions of the program by.
#include "attempt.h"
#include "scene/model.h"
#include "stress.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PROBLEM_MAX = 2000, VARIANT_MAX = 32 };

typedef struct settings {
    double tol, seconds;
    cn_start start;
    int steps, work_max;
    double size; // contacts of the largest problem of the library
    bool has_lines;
    const char *only; // names of the methods to leave out, separated by commas; NULL: all
} settings;

// How one problem ended.
typedef struct outcome {
    bool is_solved;
    uint32_t ran; // bits of the methods that did
    double work, seconds;
    char chain[128];
} outcome;

static uint32_t bits_of(const int64_t *iterations)
{
    uint32_t bits = 0;
    for (int m = 0; m < CN_METHOD_NAME_COUNT; m++) {
        bits |= iterations[m] > 0 ? 1u << m : 0u;
    }
    return bits;
}

typedef struct variant {
    char name[160];
    uint32_t left_out;
} variant;

static const cn_method choice[] = {
    CN_METHOD_ADMM,       CN_METHOD_ALM,         CN_METHOD_IPM,
    CN_METHOD_IPM_LAGGED, CN_METHOD_PROX,        CN_METHOD_PROX_ADAPTIVE,
    CN_METHOD_NLGS,       CN_METHOD_APGD,        CN_METHOD_ACTIVE_SET_NEWTON,
    CN_METHOD_HOMOTOPY,   CN_METHOD_PROX_NEWTON, CN_METHOD_SUBPROBLEM,
};

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static outcome solve_problem(const settings *set, const char *path, uint32_t left_out)
{
    outcome out = {.work = NAN, .seconds = NAN};
    cn_problem_file *file = NULL;
    cn_error err = {0};
    if (cn_problem_file_read(path, &file, &err) != CN_OK) {
        fprintf(stderr, "cairn-ablation: %s\n", err.text);
        return out;
    }
    cn_request request = cn_request_make(CN_METHOD_AUTO, CN_MEASURE_NATURAL, set->tol);
    cn_outcome end;
    request.def.left_out = left_out;
    request.def.sweep_max = set->work_max;
    request.max_seconds = set->seconds;
    request.start = set->start == CN_START_GUESS && cn_problem_file_guess(file) != NULL
                        ? CN_START_GUESS
                        : CN_START_ZERO;
    cn_attempt(&request, file, &end);
    cn_problem_file_destroy(file);
    out.is_solved = end.ending == CN_ENDING_CONVERGED;
    out.ran = bits_of(end.iterations_of);
    out.work = (double)end.sweeps;
    out.seconds = end.seconds;
    snprintf(out.chain, sizeof out.chain, "%.100s %s", end.solver, cn_ending_name(end.ending));
    return out;
}

// Goes on for so many steps.
static bool is_next(void *context, const cn_progress *progress)
{
    const settings *set = context;
    return progress->certificate->step < set->steps;
}

// Solved: no step misses what is asked of it.
static outcome run_scene(settings *set, const char *path, uint32_t left_out)
{
    outcome out = {.work = NAN, .seconds = NAN};
    cn_scene *scene = NULL;
    cn_error err = {0};
    if (cn_scene_read(&(cn_scene_source){.name = path}, NULL, NULL, &scene, &err) != CN_OK) {
        fprintf(stderr, "cairn-ablation: %s\n", err.text);
        return out;
    }
    scene->solver.left_out = left_out;
    cn_run_def def = cn_run_def_default();
    cn_run_report report = {0};
    def.threads = 1;
    def.audit = CN_AUDIT_OFF;
    def.progress = is_next;
    def.context = set;
    double start = cn_seconds_now();
    cn_status status = cn_scene_run(scene, &def, &report, &err);
    out.seconds = cn_seconds_now() - start;
    cn_scene_destroy(scene);
    out.is_solved = (status == CN_OK || status == CN_STOPPED) && report.nonconverged_steps == 0;
    out.ran = bits_of(report.iterations);
    out.work = (double)report.sweeps;
    snprintf(out.chain, sizeof out.chain, "%d steps, %d missed, hash %016llx", (int)report.steps,
             (int)report.nonconverged_steps, (unsigned long long)report.state_hash);
    return out;
}

static outcome solve_one(settings *set, const char *path, uint32_t left_out)
{
    return ends_with(path, ".yaml") ? run_scene(set, path, left_out)
                                    : solve_problem(set, path, left_out);
}

// ---- the list of problems

typedef struct list {
    int count;
    char *path[PROBLEM_MAX];
} list;

static void add_path(const char *path, list *all)
{
    if (all->count < PROBLEM_MAX) {
        all->path[all->count++] = strdup(path);
    }
}

static int is_problem(const struct dirent *entry)
{
    return ends_with(entry->d_name, ".hdf5");
}

static void add_folder(const char *folder, list *all)
{
    struct dirent **entry = NULL;
    int count = scandir(folder, &entry, is_problem, alphasort);
    for (int k = 0; k < count; k++) {
        char path[1200];
        snprintf(path, sizeof path, "%s/%s", folder, entry[k]->d_name);
        add_path(path, all);
        free(entry[k]);
    }
    free(entry);
}

static void add_library(double size, list *all)
{
    int count;
    const cn_stress *stress = cn_stress_table(&count);
    mkdir("stress", 0777);
    for (int k = 0; k < count && stress[k].contacts <= size; k++) {
        char path[256];
        struct stat found;
        cn_error err = {0};
        snprintf(path, sizeof path, "stress/%s.hdf5", stress[k].name);
        if (stat(path, &found) != 0 && cn_stress_write(&stress[k], path, &err) != CN_OK) {
            fprintf(stderr, "cairn-ablation: %s\n", err.text);
            continue;
        }
        add_path(path, all);
    }
}

static void add_named(const settings *set, const char *name, list *all)
{
    struct stat found;
    if (strcmp(name, "stress") == 0) {
        add_library(set->size, all);
    } else if (stat(name, &found) == 0 && S_ISDIR(found.st_mode)) {
        add_folder(name, all);
    } else {
        add_path(name, all);
    }
}

// ---- variants

static bool is_named(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; at != NULL && (at = strstr(at, name)) != NULL; at += length) {
        bool is_begun = at == names || at[-1] == ',';
        if (is_begun && (at[length] == '\0' || at[length] == ',')) {
            return true;
        }
    }
    return false;
}

// Nothing left out, then one method after the other; with several names joined by +, all of them.
static int make_variants(const settings *set, variant *v)
{
    int count = 1;
    v[0] = (variant){.name = "nothing"};
    const char *joined = set->only != NULL && strchr(set->only, '+') != NULL ? set->only : NULL;
    if (joined != NULL) {
        snprintf(v[1].name, sizeof v[1].name, "%.150s", joined);
        char names[200];
        snprintf(names, sizeof names, "%.190s", joined);
        for (char *at = names; *at != '\0'; at++) {
            *at = *at == '+' ? ',' : *at;
        }
        for (size_t k = 0; k < sizeof choice / sizeof *choice; k++) {
            v[1].left_out |= is_named(names, cn_method_name(choice[k])) ? 1u << choice[k] : 0u;
        }
        return 2;
    }
    for (size_t k = 0; k < sizeof choice / sizeof *choice; k++) {
        if (set->only == NULL || is_named(set->only, cn_method_name(choice[k]))) {
            v[count] = (variant){.left_out = 1u << choice[k]};
            snprintf(v[count].name, sizeof v[count].name, "%s", cn_method_name(choice[k]));
            count++;
        }
    }
    return count;
}

// ---- the table

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void print_row(const variant *v, const list *all, const outcome *now, const outcome *whole)
{
    const double little = 100.0; // sweeps: of less no ratio is taken
    int solved = 0, lost = 0, worst = -1;
    double work = 0.0, seconds = 0.0, most = 0.0;
    for (int n = 0; n < all->count; n++) {
        solved += now[n].is_solved;
        work += now[n].work;
        seconds += now[n].seconds;
        bool is_lost = whole[n].is_solved && !now[n].is_solved;
        lost += is_lost;
        double ratio = is_lost ? INFINITY : now[n].work / fmax(whole[n].work, little);
        if (ratio > most && whole[n].is_solved) {
            most = ratio;
            worst = n;
        }
    }
    printf("%-20s %4d of %-4d %10.0f %9.2f  %4d  %7.2f  %s\n", v->name, solved, all->count, work,
           seconds, lost, most, worst >= 0 ? base_name(all->path[worst]) : "");
    fflush(stdout);
}

static void print_line(const variant *v, const char *path, const outcome *o)
{
    printf("# %-20s %-44s %-8s %9.0f %9.3f  %s\n", v->name, base_name(path),
           o->is_solved ? "solved" : "MISSED", o->work, o->seconds, o->chain);
    fflush(stdout);
}

static void run_all(settings *set, const list *all)
{
    variant v[VARIANT_MAX];
    int count = make_variants(set, v);
    outcome *whole = calloc((size_t)all->count + 1, sizeof *whole);
    outcome *now = calloc((size_t)all->count + 1, sizeof *now);
    printf("%-20s %12s %10s %9s  %4s  %7s  %s\n", "left out", "solved", "work", "CPU s", "lost",
           "worst", "where");
    for (int k = 0; k < count && whole != NULL && now != NULL; k++) {
        for (int n = 0; n < all->count; n++) {
            bool is_same = k > 0 && (whole[n].ran & v[k].left_out) == 0; // it did not run at all
            now[n] = is_same ? whole[n] : solve_one(set, all->path[n], v[k].left_out);
            whole[n] = k == 0 ? now[n] : whole[n];
            if (set->has_lines && !is_same) {
                print_line(&v[k], all->path[n], &now[n]);
            }
        }
        print_row(&v[k], all, now, whole);
    }
    free(whole);
    free(now);
}

static int print_usage(void)
{
    printf("usage: cairn-ablation [OPTION]... PATH...\n"
           "  PATH             problem file, scene, folder of problem files, or the word stress\n"
           "  --tol X          accepted natural error of problems; default: 1e-4\n"
           "  --start guess    start from the guess of the file, if it has one\n"
           "  --steps N        of scenes; default: 50\n"
           "  --work N         sweeps that a problem may cost; default: 1000000\n"
           "  --seconds S      after which a problem is missed; default: 20\n"
           "  --size N         contacts of the largest problem of the library; default: 11000\n"
           "  --only A,B       leave out these only, one after the other; A+B: both at once;\n"
           "                   none: nothing\n"
           "  --lines          a line per problem as well\n");
    return 2;
}

int main(int argc, char **argv)
{
    settings set = {
        .tol = 1e-4, .seconds = 20.0, .steps = 50, .work_max = 1000000, .size = 11000.0};
    static list all;
    for (int k = 1; k < argc; k++) {
        const char *value = k + 1 < argc ? argv[k + 1] : "";
        bool is_option = strncmp(argv[k], "--", 2) == 0;
        if (strcmp(argv[k], "--lines") == 0) {
            set.has_lines = true;
            continue;
        }
        if (strcmp(argv[k], "--tol") == 0) {
            set.tol = atof(value);
        } else if (strcmp(argv[k], "--start") == 0) {
            set.start = strcmp(value, "guess") == 0 ? CN_START_GUESS : CN_START_ZERO;
        } else if (strcmp(argv[k], "--steps") == 0) {
            set.steps = atoi(value);
        } else if (strcmp(argv[k], "--work") == 0) {
            set.work_max = atoi(value);
        } else if (strcmp(argv[k], "--seconds") == 0) {
            set.seconds = atof(value);
        } else if (strcmp(argv[k], "--size") == 0) {
            set.size = atof(value);
        } else if (strcmp(argv[k], "--only") == 0) {
            set.only = value;
        } else if (is_option) {
            return print_usage();
        } else {
            add_named(&set, argv[k], &all);
        }
        k += is_option;
    }
    if (all.count == 0) {
        return print_usage();
    }
    run_all(&set, &all);
    for (int n = 0; n < all.count; n++) {
        free(all.path[n]);
    }
    return 0;
}
