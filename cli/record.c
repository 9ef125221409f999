// cli/record.c -- cairn record: what a file of ground acceleration holds, and a plot of it.
#include "command.h"
#include "json.h"

#include <string.h>

typedef struct record_args {
    cn_operands operands;
    const char *unit, *baseline, *output;
    double dt, scale, taper;
    int column;
    bool is_json;
} record_args;

static const cn_option options[] = {
    CN_OPTION(0, "unit", "m/s2|g|cm/s2|mm/s2", "of the values; default: what the file says",
              record_args, unit),
    CN_OPTION_ABOVE(0, "dt", "SECONDS", "interval of values that have no times", record_args, dt,
                    0.0),
    CN_OPTION_FROM(0, "column", "N", "of the values, from 1; default: the second, or the only one",
                   record_args, column, 1, 1000000),
    CN_OPTION(0, "scale", "FACTOR", "factor on the values", record_args, scale),
    CN_OPTION_FROM(0, "taper", "SHARE", "share of the duration that is faded at each end",
                   record_args, taper, 0.0, 0.5),
    CN_OPTION(0, "baseline", "none|constant|linear|quadratic", "what is taken off", record_args,
              baseline),
    CN_OPTION('o', "output", "FILE", "draws acceleration and velocity: .svg, .png or .csv",
              record_args, output),
    CN_FLAG(0, "json", "one object for programs", record_args, is_json),
    {0},
};

static const char *const units[CN_RECORD_UNIT_COUNT] = {"file", "m/s2", "g", "cm/s2", "mm/s2"};
static const char *const baselines[CN_BASELINE_COUNT] = {"none", "constant", "linear", "quadratic"};

// Place of a word, 0 if it was not given, -1 if it is not there.
static int place_of(const char *word, const char *const *list, int count)
{
    for (int k = 0; word != NULL && k < count; k++) {
        if (strcmp(word, list[k]) == 0) {
            return k;
        }
    }
    return word == NULL ? 0 : -1;
}

static int fill_def(const record_args *args, cn_record_def *def)
{
    int unit = place_of(args->unit, units, CN_RECORD_UNIT_COUNT);
    int baseline = place_of(args->baseline, baselines, CN_BASELINE_COUNT);
    if (unit < 0) {
        return cn_usage_error(&cn_command_record, "--unit is m/s2, g, cm/s2 or mm/s2, got '%s'",
                              args->unit);
    }
    if (baseline < 0) {
        return cn_usage_error(&cn_command_record,
                              "--baseline is none, constant, linear or quadratic, got '%s'",
                              args->baseline);
    }
    *def = (cn_record_def){.unit = (cn_record_unit)unit,
                           .dt = args->dt,
                           .column = args->column,
                           .scale = args->scale,
                           .taper = args->taper,
                           .baseline = (cn_record_baseline)baseline,
                           .told = cn_tell_file,
                           .context = stderr};
    return CN_PARSE_GO;
}

// Key of JSON, words, value and unit of each line.
typedef struct quantity {
    const char *key, *name, *unit;
    double value;
} quantity;

static void print_measures(const cn_record *record, bool is_json)
{
    cn_record_measure m = cn_record_measured(record);
    const quantity list[] = {
        {"dt_s", "interval", "s", m.dt},
        {"dt_deviation_s", "its deviation", "s", m.dt_deviation},
        {"duration_s", "duration", "s", m.duration},
        {"pga_m_s2", "peak acceleration", "m/s2", m.pga},
        {"pga_g", "", "g", m.pga / CN_RECORD_G},
        {"pgv_m_s", "peak velocity", "m/s", m.pgv},
        {"pgd_m", "peak displacement", "m", m.pgd},
        {"arias_m_s", "Arias intensity", "m/s", m.arias},
        {"d5_95_s", "duration 5 to 95 %", "s", m.d5_95},
        {"velocity_end_m_s", "velocity at the end", "m/s", m.velocity_end},
        {"displacement_end_m", "displacement there", "m", m.displacement_end},
    };
    size_t count = sizeof list / sizeof *list;
    if (!is_json) {
        printf("%-21s %d\n", "samples", record->count);
    } else {
        printf("{\"samples\": %d", record->count);
    }
    for (size_t k = 0; k < count; k++) {
        if (is_json) {
            printf(", \"%s\": %.9g", list[k].key, list[k].value);
        } else {
            printf("%-21s %.6g %s\n", list[k].name, list[k].value, list[k].unit);
        }
    }
    if (is_json) {
        printf("}\n");
    }
}

static cn_status draw(const cn_record *record, const record_args *args, cn_error *err)
{
    const cn_curve curves[] = {
        {"acceleration [m/s2]", record->count, record->time, record->acceleration, CN_CURVE_LINE},
        {"velocity [m/s]", record->count, record->time, record->velocity, CN_CURVE_LINE}};
    const cn_chart_def chart = {.title = args->operands.item[0],
                                .x_label = "time [s]",
                                .y_label = "acceleration, velocity",
                                .curve_count = 2,
                                .curve = curves};
    return cn_chart(&chart, args->output, err);
}

static int run(void *given)
{
    const record_args *args = given;
    cn_record_def def;
    cn_record record;
    cn_error err = {0};
    int code = fill_def(args, &def);
    if (code != CN_PARSE_GO) {
        return code;
    }
    cn_status status = cn_record_load(args->operands.item[0], &def, &record, &err);
    if (status == CN_OK) {
        print_measures(&record, args->is_json);
        status = args->output != NULL ? draw(&record, args, &err) : CN_OK;
    }
    cn_record_free(&record);
    return cn_command_fail(&cn_command_record, status, &err);
}

const cn_command cn_command_record = {
    .name = "record",
    .operands = "FILE",
    .operand_least = 1,
    .operand_most = 1,
    .help = "measure and plot a record of ground acceleration",
    .details =
        "Reads PEER (.AT2), ESM and ITACA files, columns of time and value, and one column with\n"
        "--dt. Corrections are made in this order: unit, taper, baseline, scale.",
    .option = options,
    .args_size = sizeof(record_args),
    .defaults = &(const record_args){.scale = 1.0},
    .run = run,
};
