// cli/record.c -- cairn record: what a file of ground acceleration holds, and a plot of it.
#include "command.h"
#include "json.h"

#include <math.h>
#include <string.h>

typedef struct record_args {
    cn_operands operands;
    const char *unit, *baseline, *output, *band, *spectrum;
    double dt, scale, taper, damping;
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
    CN_OPTION(0, "band", "LOW,HIGH", "frequencies that are kept [Hz]; 0: no end there", record_args,
              band),
    CN_OPTION(0, "spectrum", "FILE", "draws the response spectrum: .svg, .png or .csv", record_args,
              spectrum),
    CN_OPTION_FROM(0, "damping", "SHARE", "of the critical, of the spectrum; default: 0.05",
                   record_args, damping, 0.0, 0.99),
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
    double band[2] = {0.0, 0.0};
    char rest;
    if (args->band != NULL && sscanf(args->band, "%lf,%lf%c", &band[0], &band[1], &rest) != 2) {
        return cn_usage_error(&cn_command_record, "--band is LOW,HIGH in Hz, got '%s'", args->band);
    }
    *def = (cn_record_def){.unit = (cn_record_unit)unit,
                           .dt = args->dt,
                           .column = args->column,
                           .scale = args->scale,
                           .taper = args->taper,
                           .baseline = (cn_record_baseline)baseline,
                           .band = {band[0], band[1]},
                           .told = cn_tell_file,
                           .context = stderr};
    return CN_PARSE_GO;
}

// Response spectrum at periods that are even over their logarithm.
enum { PERIODS = 201 };
static const double SHORTEST = 0.02, LONGEST = 10.0; // [s]

typedef struct response_spectrum {
    double period[PERIODS], acceleration[PERIODS]; // [s, m/s2]
    double most, most_at;
} response_spectrum;

static cn_status find_spectrum(const cn_record *record, double damping, response_spectrum *s,
                               cn_error *err)
{
    for (int k = 0; k < PERIODS; k++) {
        s->period[k] = SHORTEST * pow(LONGEST / SHORTEST, k / (PERIODS - 1.0));
    }
    cn_status status =
        cn_record_spectrum(record, damping, PERIODS, s->period, s->acceleration, err);
    for (int k = 0; k < PERIODS && status == CN_OK; k++) {
        double w = 2.0 * CN_PI / s->period[k];
        s->acceleration[k] *= w * w;
        if (s->acceleration[k] > s->most) {
            s->most = s->acceleration[k];
            s->most_at = s->period[k];
        }
    }
    return status;
}

static cn_status draw_spectrum(const response_spectrum *s, const record_args *args, cn_error *err)
{
    const cn_curve curve = {"pseudo acceleration [m/s2]", PERIODS, s->period, s->acceleration,
                            CN_CURVE_LINE};
    const cn_chart_def chart = {.title = args->operands.item[0],
                                .x_label = "period [s]",
                                .y_label = "pseudo acceleration [m/s2]",
                                .log_x = true,
                                .curve_count = 1,
                                .curve = &curve};
    return cn_chart(&chart, args->spectrum, err);
}

// Key of JSON, words, value and unit of each line.
typedef struct quantity {
    const char *key, *name, *unit;
    double value;
} quantity;

static void print_measures(const cn_record *record, const response_spectrum *spectrum, bool is_json)
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
        {"spectrum_most_m_s2", "largest in spectrum", "m/s2", spectrum->most},
        {"spectrum_most_at_s", "at the period", "s", spectrum->most_at},
    };
    size_t count = sizeof list / sizeof *list - (spectrum->most > 0.0 ? 0 : 2);
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
    response_spectrum spectrum = {.most = 0.0};
    cn_error err = {0};
    int code = fill_def(args, &def);
    if (code != CN_PARSE_GO) {
        return code;
    }
    cn_status status = cn_record_load(args->operands.item[0], &def, &record, &err);
    if (status == CN_OK) {
        status =
            args->spectrum != NULL ? find_spectrum(&record, args->damping, &spectrum, &err) : CN_OK;
    }
    if (status == CN_OK) {
        print_measures(&record, &spectrum, args->is_json);
        status = args->output != NULL ? draw(&record, args, &err) : CN_OK;
    }
    if (status == CN_OK && args->spectrum != NULL) {
        status = draw_spectrum(&spectrum, args, &err);
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
        "--dt. Corrections are made in this order: unit, taper, baseline, band, scale. A table "
        "with\n"
        "times, such as a column of a run, has a spectrum as well.",
    .option = options,
    .args_size = sizeof(record_args),
    .defaults = &(const record_args){.scale = 1.0, .damping = 0.05},
    .run = run,
};
