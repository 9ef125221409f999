// cli/import.c -- cairn import: models of LMGC90 become scenes.
#include "command.h"

#include <math.h>
#include <string.h>

typedef struct import_args {
    cn_operands operands;
    const char *output, *script, *state, *accuracy;
    double step, theta, duration, every;
    int steps;
    const char *plane, *period;
    bool is_strict, is_forced;
} import_args;

static const cn_option options[] = {
    CN_OPTION('o', "output", "FILE", "the scene; default: name of the folder, .yaml", import_args,
              output),
    CN_OPTION(0, "script", "FILE",
              "command script (read, never run); default: looked for beside "
              "the folder",
              import_args, script),
    CN_OPTION_ABOVE(0, "step", "SECONDS", "time step; wins over the script", import_args, step,
                    0.0),
    CN_OPTION_FROM(0, "theta", "THETA", "of the scheme", import_args, theta, 0.5, 1.0),
    CN_OPTION_FROM(0, "steps", "N", "number of steps", import_args, steps, 1, 2147483647),
    CN_OPTION_ABOVE(0, "duration", "SECONDS", "in place of --steps", import_args, duration, 0.0),
    CN_OPTION_ABOVE(0, "every", "SECONDS", "time between frames", import_args, every, 0.0),
    CN_OPTION(0, "plane", "strain|stress|axisymmetric", "of meshes", import_args, plane),
    CN_OPTION(0, "period", "X[,Y]", "of a periodic model [m]", import_args, period),
    CN_OPTION(0, "state", "FILE", "DOF.OUT.n or the like, in place of DOF.INI", import_args, state),
    CN_OPTION(0, "accuracy", "WORD", "accuracy of the solver, e.g. flow or masonry", import_args,
              accuracy),
    CN_FLAG(0, "strict", "write nothing if something cannot be taken over: exit code 5",
            import_args, is_strict),
    CN_FLAG('f', "force", "replace the scene if it is there", import_args, is_forced),
    {0},
};

static int read_plane(const import_args *args, cn_import_settings *set)
{
    static const char *const words[] = {"", "strain", "stress", "axisymmetric"};
    for (int k = 1; k < 4 && args->plane != NULL; k++) {
        set->plane = strcmp(args->plane, words[k]) == 0 ? k : set->plane;
    }
    if (args->plane != NULL && set->plane == 0) {
        return cn_usage_error(&cn_command_import, "--plane is strain, stress or axisymmetric");
    }
    return CN_PARSE_GO;
}

static int read_period(const import_args *args, cn_import_settings *set)
{
    char rest;
    if (args->period == NULL) {
        return CN_PARSE_GO;
    }
    int count = sscanf(args->period, "%lf,%lf%c", &set->period[0], &set->period[1], &rest);
    if (count < 1 || count > 2 || !(set->period[0] > 0.0) ||
        (count == 2 && !(set->period[1] > 0.0))) {
        return cn_usage_error(&cn_command_import, "--period wants X or X,Y above 0, got '%s'",
                              cn_shown(args->period));
    }
    return CN_PARSE_GO;
}

static int fill_settings(const import_args *args, cn_import_settings *set)
{
    *set = cn_import_settings_default();
    set->step = args->step;
    set->theta = args->theta;
    set->duration = args->duration;
    set->every = args->every;
    set->steps = args->steps > 0 ? args->steps : NAN;
    if (!isnan(set->duration) && args->steps > 0) {
        return cn_usage_error(&cn_command_import, "--steps and --duration exclude each other");
    }
    int code = read_plane(args, set);
    CN_THEN_GO(code, read_period(args, set));
    return code;
}

static int check_output(const import_args *args, const char *scene)
{
    FILE *file = args->is_forced ? NULL : fopen(scene, "rb");
    if (file != NULL) {
        fclose(file);
        return cn_usage_error(&cn_command_import, "'%s' is there already; --force replaces it",
                              cn_shown(scene));
    }
    return CN_PARSE_GO;
}

static int tell_end(const cn_import_report *report, const char *scene)
{
    if (report->is_written) {
        fprintf(stderr, "wrote %s\n", cn_shown(scene));
    }
    if (report->lost_count > 0 && report->is_written) {
        fprintf(stderr, "cairn import: warning: %d thing%s above %s not in the scene\n",
                report->lost_count, report->lost_count > 1 ? "s" : "",
                report->lost_count > 1 ? "are" : "is");
    } else if (report->lost_count > 0) {
        fprintf(stderr,
                "cairn import: error: %d thing%s cannot be taken over: nothing is written\n",
                report->lost_count, report->lost_count > 1 ? "s" : "");
        return CN_EXIT_MISMATCH;
    }
    return CN_EXIT_OK;
}

// The name of the scene without -o: that of the folder, or of the one above if it is DATBOX.
static const char *scene_name(const import_args *args, char *name, size_t size)
{
    char folder[1024];
    if (args->output != NULL) {
        return args->output;
    }
    snprintf(folder, sizeof folder, "%s", args->operands.item[0]);
    for (size_t end = strlen(folder); end > 1 && folder[end - 1] == '/'; end--) {
        folder[end - 1] = '\0';
    }
    char *slash = strrchr(folder, '/');
    if (slash != NULL && slash > folder && strcmp(slash + 1, "DATBOX") == 0) {
        *slash = '\0';
    }
    const char *base = cn_base_name(folder);
    snprintf(name, size, "%s.yaml", base[0] == '.' || base[0] == '\0' ? "model" : base);
    return name;
}

static int run(void *given)
{
    const import_args *args = given;
    char name[1100];
    cn_error err = {0};
    cn_import_report report;
    cn_import_def def = {.folder = args->operands.item[0],
                         .script = args->script,
                         .state = args->state,
                         .accuracy = args->accuracy,
                         .scene = scene_name(args, name, sizeof name),
                         .is_strict = args->is_strict,
                         .told = cn_tell_file,
                         .context = stderr};
    int code = fill_settings(args, &def.given);
    CN_THEN_GO(code, check_output(args, def.scene));
    if (code != CN_PARSE_GO) {
        return code;
    }
    cn_status status = cn_import_lmgc90(&def, &report, &err);
    return status != CN_OK ? cn_command_fail(&cn_command_import, status, &err)
                           : tell_end(&report, def.scene);
}

const cn_command cn_command_import = {
    .name = "import",
    .operands = "FOLDER",
    .operand_least = 1,
    .operand_most = 1,
    .help = "make a scene of a DATBOX folder of LMGC90",
    .details = "FOLDER is DATBOX or the folder that holds it. Step, theta, duration and the like "
               "are not in\n"
               "it: they are read from the command script, or given. What cannot be taken over is "
               "told with\n"
               "file and line, in the scene, too; with --strict nothing is written then. Files "
               "that\n"
               "cannot be understood give exit code 3. Beside the scene NAME.yaml come "
               "NAME.names.csv, which\n"
               "body is which, and NAME.files/ with tables and meshes.",
    .option = options,
    .args_size = sizeof(import_args),
    .defaults = &(const import_args){.step = NAN, .theta = NAN, .duration = NAN, .every = NAN},
    .run = run,
};
