// cli/law.c -- cairn law: the laws there are, and one joint driven along a path.
#include "command.h"
#include "law_rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct law_args {
    cn_operands operands;
    cn_list define;
    const char *path, *csv, *plot, *lmgc90;
    double pressure, rate;
    int steps;
} law_args;

static const cn_option options[] = {
    CN_OPTION('D', "define", "KEY=VALUE", "parameter of the law; may be given several times",
              law_args, define),
    CN_OPTION(0, "path", "WAY", "where the joint is led, e.g. open:20e-6,open:0,shear:40e-6 [m]",
              law_args, path),
    CN_OPTION(0, "press", "PRESSURE",
              "constant pressure on the joint; it is then sheared only [Pa]", law_args, pressure),
    CN_OPTION(0, "rate", "SPEED", "speed along the path [m/s]", law_args, rate),
    CN_OPTION(0, "steps", "N", "steps of each part of the path", law_args, steps),
    CN_OPTION(0, "csv", "FILE", "table of the path; default: standard output", law_args, csv),
    CN_OPTION(0, "plot", "FILE", "curves of the tractions, .svg or .png", law_args, plot),
    CN_OPTION(0, "lmgc90", "NAME", "what a law of LMGC90 is here, its parameters in place; or all",
              law_args, lmgc90),
    {0},
};

static void print_default(const cn_param *p)
{
    if (isnan(p->fallback)) {
        printf("required");
    } else if (p->choices == NULL) {
        printf("%g", p->fallback);
    } else {
        const char *word = p->choices;
        for (int k = 0; k < (int)p->fallback; k++) {
            word = strchr(word, ' ') + 1;
        }
        printf("%.*s", (int)strcspn(word, " "), word);
    }
}

static void print_laws(void)
{
    for (int k = 0; k < cn_law_type_count(); k++) {
        const cn_law_type *type = cn_law_type_at(k);
        printf("%s: %s\n", type->name, type->help);
        for (int p = 0; p < type->param_count; p++) {
            const cn_param *param = &type->param[p];
            printf("  %-24s %-7s ", param->name, param->unit);
            print_default(param);
            printf("; %s%s%s\n", param->help, param->choices != NULL ? ": " : "",
                   param->choices != NULL ? param->choices : "");
        }
    }
}

static bool has_choices(const cn_law_type *type, const char *name)
{
    for (int k = 0; k < type->param_count; k++) {
        if (strcmp(type->param[k].name, name) == 0) {
            return type->param[k].choices != NULL;
        }
    }
    return false;
}

// The law with its parameters. Returns CN_PARSE_GO or an exit code.
static int read_law(const cn_command *command, const law_args *args, cn_law_def *law)
{
    cn_error err;
    *law = cn_law_default(args->operands.item[0]);
    if (law->type == NULL) {
        return cn_usage_error(command, "there is no law '%s'; 'cairn law' lists them",
                              cn_shown(args->operands.item[0]));
    }
    for (int k = 0; k < args->define.count; k++) {
        char name[64], *end;
        const char *text = args->define.item[k], *equals = strchr(text, '=');
        if (equals == NULL || equals == text || equals - text >= (int)sizeof name) {
            return cn_usage_error(command, "-D takes KEY=VALUE, not '%s'", cn_shown(text));
        }
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        double value = strtod(equals + 1, &end);
        bool is_number = end != equals + 1 && *end == '\0';
        if (!is_number && !has_choices(law->type, name)) {
            return cn_usage_error(command, "'%s' is no number", cn_shown(text));
        }
        cn_status status = is_number ? cn_law_set(law, name, value, &err)
                                     : cn_law_set_word(law, name, equals + 1, &err);
        if (status != CN_OK) {
            return cn_command_fail(command, status, &err);
        }
    }
    return CN_PARSE_GO;
}

enum { PART_MAX = 64 };

typedef struct part {
    int axis;  // 0: shear, 1: open
    double to; // [m]
} part;

// Returns how many parts the path has, or -1.
static int read_path(const char *text, bool is_pressed, part *parts)
{
    int count = 0;
    while (*text != '\0' && count < PART_MAX) {
        char *end;
        bool is_open = strncmp(text, "open:", 5) == 0, is_shear = strncmp(text, "shear:", 6) == 0;
        if ((!is_open || is_pressed) && !is_shear) {
            return -1;
        }
        const char *number = text + (is_open ? 5 : 6);
        parts[count] = (part){.axis = is_open, .to = strtod(number, &end)};
        if (end == number || !isfinite(parts[count].to) || (*end != ',' && *end != '\0')) {
            return -1;
        }
        count++;
        text = *end == ',' ? end + 1 : end;
    }
    return *text == '\0' ? count : -1;
}

// What is kept of a step: means over it where they are of impulses.
enum { SLIP, OPENING, SHEAR, TENSION, DAMAGE, STORED, FRACTURE, FRICTION, ERROR, COLUMNS };
static const char *const column_name[COLUMNS] = {"slip",          "opening",  "shear_stress",
                                                 "normal_stress", "damage",   "stored",
                                                 "fracture",      "friction", "ledger_error"};

typedef struct drive {
    cn_law_rig rig;
    double *row;
    int count;
    double place[2]; // where the path has led to [m]
} drive;

static void keep_row(drive *d, const double before[2], double h)
{
    double *row = d->row + COLUMNS * d->count++, stress[2];
    const cn_ledger *ledger = cn_world_view(d->rig.world).ledger;
    double damage = cn_law_rig_state(&d->rig, "damage");
    cn_law_rig_traction(&d->rig, h, stress);
    cn_law_rig_place(&d->rig, d->place);
    row[SLIP] = 0.5 * (before[0] + d->place[0]);
    row[OPENING] = 0.5 * (before[1] + d->place[1]);
    row[SHEAR] = -stress[0]; // what the path has to overcome
    row[TENSION] = stress[1];
    row[DAMAGE] = isnan(damage) ? 0.0 : damage;
    row[STORED] = ledger->storage;
    row[FRACTURE] = ledger->total[CN_ENERGY_FRACTURE];
    row[FRICTION] = ledger->total[CN_ENERGY_FRICTION];
    row[ERROR] = ledger->error_max;
}

// A curve of a law has no place for steps that missed it.
static cn_status make_step(cn_world *w, double h, cn_error *err)
{
    cn_status status = cn_world_step(w, h, err);
    const cn_solver_report *report = &cn_world_view(w).certificate->solver;
    if (status != CN_OK || report->is_converged) {
        return status;
    }
    char missed[256];
    return cn_fail(err, CN_MISSED, "%s", cn_solver_missed(report, missed, sizeof missed));
}

static cn_status drive_part(drive *d, const part *p, const law_args *args, cn_error *err)
{
    double way = p->to - d->place[p->axis], h = fabs(way) / (args->rate * args->steps), v[2] = {0};
    if (!(h > 0.0)) {
        return CN_OK; // it is there
    }
    v[p->axis] = copysign(args->rate, way);
    cn_status status = cn_law_rig_lead(&d->rig, v, err);
    for (int n = 0; n < args->steps && status == CN_OK; n++) {
        double before[2] = {d->place[0], d->place[1]};
        status = make_step(d->rig.world, h, err);
        if (status == CN_OK) {
            keep_row(d, before, h);
        }
    }
    return status;
}

static cn_status drive_all(const law_args *args, const cn_law_def *law, const part *parts,
                           int count, drive *d, cn_error *err)
{
    cn_world_def def = cn_world_def_default();
    const double still[2] = {0.0, 0.0};
    int number;
    def.gravity[1] = 0.0;
    def.solver.eps_v = 1e-9;
    cn_status status = cn_world_create(&def, &d->rig.world, err);
    cn_world *world = d->rig.world;
    status = status == CN_OK ? cn_law_add(world, law, &number, err) : status;
    status = status == CN_OK ? cn_rule_add(world, CN_GROUP_ANY, CN_GROUP_ANY, number, err) : status;
    status = status == CN_OK ? cn_law_rig_add(world, args->pressure, still, &d->rig, err) : status;
    d->rig.world = world; // to be destroyed whatever happens
    for (int k = 0; k < count && status == CN_OK; k++) {
        status = drive_part(d, &parts[k], args, err);
    }
    return status;
}

static int write_table(const drive *d, const char *path)
{
    FILE *file = path != NULL ? fopen(path, "w") : stdout;
    if (file == NULL) {
        fprintf(stderr, "cairn law: error: cannot write '%s'\n", cn_shown(path));
        return CN_EXIT_IO;
    }
    for (int k = 0; k < COLUMNS; k++) {
        fprintf(file, "%s%s", column_name[k], k + 1 < COLUMNS ? "," : "\n");
    }
    for (int n = 0; n < COLUMNS * d->count; n++) {
        fprintf(file, "%.9g%s", d->row[n], (n + 1) % COLUMNS != 0 ? "," : "\n");
    }
    bool is_written = ferror(file) == 0;
    is_written = (path == NULL ? fflush(file) : fclose(file)) == 0 && is_written;
    return is_written ? CN_PARSE_GO : CN_EXIT_IO;
}

static int draw(const cn_command *command, const drive *d, const char *title, const char *path)
{
    cn_error err;
    double *x = malloc(sizeof *x * 3 * (size_t)(d->count + 1));
    if (x == NULL) {
        return CN_EXIT_FAILED;
    }
    double *shear = x + d->count, *tension = shear + d->count;
    for (int n = 0; n < d->count; n++) {
        const double *row = d->row + COLUMNS * n;
        x[n] = fabs(row[SLIP]) + row[OPENING];
        shear[n] = fabs(row[SHEAR]);
        tension[n] = row[TENSION];
    }
    const cn_curve curve[2] = {
        {.name = "normal, tension above zero", .count = d->count, .x = x, .y = tension},
        {.name = "shear", .count = d->count, .x = x, .y = shear}};
    cn_chart_def chart = {.title = title,
                          .x_label = "opening and slip [m]",
                          .y_label = "traction [Pa]",
                          .curve_count = 2,
                          .curve = curve};
    cn_status status = cn_chart(&chart, path, &err);
    free(x);
    return status == CN_OK ? CN_PARSE_GO : cn_command_fail(command, status, &err);
}

// The ledger of the path.
static int judge(const drive *d)
{
    double error = d->count > 0 ? d->row[COLUMNS * d->count - 1] : 0.0;
    fprintf(stderr, "%d steps, ledger closes to %.1e\n", d->count, error);
    return error <= 1e-10 ? CN_EXIT_OK : CN_EXIT_MISMATCH;
}

static int drive_law(const cn_command *command, const law_args *args)
{
    cn_law_def law;
    cn_error err;
    part parts[PART_MAX];
    int count = read_path(args->path, args->pressure > 0.0, parts);
    int code = read_law(command, args, &law);
    if (code != CN_PARSE_GO) {
        return code;
    }
    if (count <= 0) {
        return cn_usage_error(command, "--path takes %s, not '%s'",
                              args->pressure > 0.0 ? "shear:M under a pressure"
                                                   : "open:M and shear:M",
                              cn_shown(args->path));
    }
    if (!(args->rate > 0.0) || args->steps < 1 || !(args->pressure >= 0.0)) {
        return cn_usage_error(command, "--rate and --steps must be above 0, --press at least 0");
    }
    drive d = {.row = malloc(sizeof(double) * COLUMNS * (size_t)count * (size_t)args->steps)};
    cn_status status = d.row == NULL ? CN_NO_MEMORY : drive_all(args, &law, parts, count, &d, &err);
    code = status == CN_OK ? CN_PARSE_GO : cn_command_fail(command, status, &err);
    if (args->csv != NULL || args->plot == NULL) {
        CN_THEN_GO(code, write_table(&d, args->csv));
    }
    if (args->plot != NULL) {
        CN_THEN_GO(code, draw(command, &d, law.type->name, args->plot));
    }
    CN_THEN_GO(code, judge(&d));
    cn_world_destroy(d.rig.world);
    free(d.row);
    return code;
}

static int run(void *given)
{
    const law_args *args = given;
    if (args->lmgc90 != NULL && !cn_lmgc90_law_told(args->lmgc90, cn_tell_file, stdout)) {
        return cn_usage_error(&cn_command_law,
                              "no law of LMGC90 is known as '%s'; 'all' lists them",
                              cn_shown(args->lmgc90));
    }
    if (args->lmgc90 != NULL) {
        return CN_EXIT_OK;
    }
    if (args->operands.count == 0) {
        print_laws();
        return CN_EXIT_OK;
    }
    return drive_law(&cn_command_law, args);
}

const cn_command cn_command_law = {
    .name = "law",
    .operands = "[NAME]",
    .operand_most = 1,
    .help = "list the contact laws, or drive one joint along a path",
    .details = "Without NAME: all laws with their parameters, units and defaults.\n"
               "With NAME: two blocks whose joint has 1 m2 are led along the path by the ordinary\n"
               "step; a table or curves of tractions, damage and energy come out. Exit code 5 if\n"
               "the energy ledger does not close.",
    .option = options,
    .args_size = sizeof(law_args),
    .defaults = &(const law_args){.path = "open:50e-6", .rate = 1e-3, .steps = 400},
    .run = run,
};
