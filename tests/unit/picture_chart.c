// unit/picture_chart.c -- axes, charts in three formats, and plots of a history.
#include <math.h>
#include <stdlib.h>

#include "picture/chart/axis.h"
#include "picture/chart/chart.h"
#include "picture/chart/plot.h"
#include "test.h"

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    CN_TRUE(file != NULL);
    if (file == NULL) {
        return calloc(1, 1);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    CN_TRUE(fread(text, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    remove(path);
    return text;
}

// Every element is closed in order, attributes are quoted, no bare ampersand.
static bool is_well_formed(const char *text)
{
    char open[32][32];
    int depth = 0, roots = 0;
    for (const char *at = text; *at != '\0';) {
        if (*at == '&') {
            if (strncmp(at, "&lt;", 4) != 0 && strncmp(at, "&gt;", 4) != 0 &&
                strncmp(at, "&amp;", 5) != 0) {
                return false;
            }
        }
        if (*at != '<') {
            at++;
            continue;
        }
        bool is_end = at[1] == '/';
        char name[32];
        if (sscanf(at + 1 + is_end, "%31[A-Za-z]", name) != 1) {
            return false;
        }
        bool is_quoted = false;
        for (at++; *at != '\0' && (is_quoted || *at != '>'); at++) {
            is_quoted = is_quoted != (*at == '"');
        }
        if (*at == '\0') {
            return false;
        }
        bool is_alone = at[-1] == '/';
        if (is_end) {
            if (depth == 0 || strcmp(open[--depth], name) != 0) {
                return false;
            }
        } else if (!is_alone) {
            roots += depth == 0;
            snprintf(open[depth++], 32, "%s", name);
        }
        at++;
    }
    return depth == 0 && roots == 1;
}

static bool all_finite(const char *svg)
{
    return strstr(svg, "nan") == NULL && strstr(svg, "inf") == NULL;
}

CN_TEST(ticks_are_round)
{
    cn_axis axis;
    cn_axis_fit(&axis, 0.0, 7.3, false, true);
    cn_axis_mark(&axis, 6);
    CN_TRUE(axis.tick_count >= 4 && axis.tick_count <= 9);
    CN_NEAR(axis.tick[1] - axis.tick[0], 1.0, 1e-12, "7.3 in about six steps");
    CN_TRUE(strcmp(axis.label[2], "2") == 0);
    cn_axis_fit(&axis, -2e-7, 5e-7, false, false);
    cn_axis_mark(&axis, 6);
    CN_TRUE(axis.exponent == -9);
    CN_TRUE(strcmp(axis.label[0], "-200") == 0);
    cn_axis_fit(&axis, 3e-9, 0.2, true, false);
    cn_axis_mark(&axis, 6);
    for (int k = 0; k < axis.tick_count; k++) {
        CN_NEAR(log10(axis.tick[k]), round(log10(axis.tick[k])), 1e-9, "powers of ten");
    }
    CN_TRUE(axis.tick_count >= 4 && strncmp(axis.label[0], "1e-", 3) == 0);
    cn_axis_fit(&axis, 1.0, 2000.0, true, true);
    cn_axis_mark(&axis, 5);
    CN_TRUE(strcmp(axis.label[0], "1") == 0 && strcmp(axis.label[3], "1000") == 0);
}

CN_TEST(ranges_survive_odd_data)
{
    const double odd[][2] = {{INFINITY, -INFINITY}, {NAN, NAN},     {0.0, 0.0},      {5.0, 5.0},
                             {-3.0, -3.0},          {1e300, 1e300}, {-1e308, 1e308}, {0.0, 1e-310},
                             {1.0, 1.0 + 1e-15}};
    for (int k = 0; k < 9; k++) {
        for (int is_log = 0; is_log < 2; is_log++) {
            cn_axis axis;
            cn_axis_fit(&axis, odd[k][0], odd[k][1], is_log, false);
            cn_axis_mark(&axis, 6);
            CN_TRUE(axis.min < axis.max && isfinite(axis.max - axis.min));
            CN_TRUE(axis.tick_count > 0);
        }
    }
}

CN_TEST(numbers_read_well)
{
    char text[32];
    cn_number_text(1.5e-6, text, sizeof text);
    CN_TRUE(strcmp(text, "1.5e-6") == 0);
    cn_number_text(0.125, text, sizeof text);
    CN_TRUE(strcmp(text, "0.125") == 0);
    cn_number_text(2e10, text, sizeof text);
    CN_TRUE(strcmp(text, "2e10") == 0);
    cn_number_text(96837.0, text, sizeof text);
    CN_TRUE(strcmp(text, "96800") == 0);
    cn_quantity_text(0.02, "m", text, sizeof text);
    CN_TRUE(strcmp(text, "20 mm") == 0);
    cn_quantity_text(5.0, "m", text, sizeof text);
    CN_TRUE(strcmp(text, "5 m") == 0);
    cn_quantity_text(1190.0, "N", text, sizeof text);
    CN_TRUE(strcmp(text, "1.19 kN") == 0);
    cn_quantity_text(999.99, "N", text, sizeof text);
    CN_TRUE(strcmp(text, "1 kN") == 0);
    CN_NEAR(cn_round_below(0.7), 0.5, 1e-15, "1, 2 or 5");
    CN_NEAR(cn_round_below(1000.0), 1000.0, 1e-9, "exact powers stay");
}

static const double four_x[] = {0.0, 1.0, 2.0, 3.0};
static const double four_y[] = {1.0, 4.0, 2.0, 3.0};

CN_TEST(svg_is_well_formed_and_escaped)
{
    cn_curve curve[] = {{"a < b & c", 4, four_x, four_y, CN_CURVE_LINE},
                        {"dashed", 4, four_x, four_x, CN_CURVE_DASHED},
                        {"dots \xff", 4, four_x, four_y, CN_CURVE_DOTS}};
    cn_chart_def def = {.title = "T < 1 & \"more\"\x01",
                        .x_label = "time [s]",
                        .y_label = "force [N]",
                        .curve_count = 3,
                        .curve = curve};
    CN_DO(cn_chart(&def, "picture_chart_test.svg", &test_error));
    char *svg = read_text("picture_chart_test.svg");
    CN_TRUE(is_well_formed(svg));
    CN_TRUE(strstr(svg, "a &lt; b &amp; c") != NULL);
    CN_TRUE(strstr(svg, "time [s]") != NULL && strstr(svg, "force [N]") != NULL);
    CN_TRUE(strstr(svg, "stroke-dasharray") != NULL);
    free(svg);
}

CN_TEST(long_curves_stay_small_and_keep_their_peak)
{
    enum { COUNT = 200000 };
    double *x = calloc(COUNT, sizeof *x), *y = calloc(COUNT, sizeof *y);
    for (int k = 0; k < COUNT; k++) {
        x[k] = k;
        y[k] = k % 2;
    }
    y[123457] = 10.0; // one point of all: the top of the plot
    cn_curve curve = {"noise", COUNT, x, y, CN_CURVE_LINE};
    cn_chart_def def = {
        .title = "", .x_label = "", .y_label = "", .curve_count = 1, .curve = &curve};
    CN_DO(cn_chart(&def, "picture_chart_test.svg", &test_error));
    char *svg = read_text("picture_chart_test.svg");
    CN_TRUE(strlen(svg) < 120000);
    cn_axis axis;
    cn_axis_fit(&axis, 0.0, 10.0, false, false);
    axis.pixel[0] = CN_CHART_HEIGHT - 58.0 + 0.5;
    axis.pixel[1] = 86.5;
    char peak[32];
    snprintf(peak, sizeof peak, ",%.1f", cn_axis_at(&axis, 10.0));
    CN_TRUE(strstr(svg, peak) != NULL);
    free(svg);
    free(x);
    free(y);
}

CN_TEST(odd_data_leave_gaps)
{
    const double y[] = {1.0, NAN, INFINITY, -2.0, 0.0, 3.0, 4.0};
    const double x[] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    const double zero[7] = {0.0};
    cn_curve cases[] = {{"gaps", 7, x, y, CN_CURVE_LINE},
                        {"constant", 7, x, zero, CN_CURVE_LINE},
                        {"point", 1, x, y, CN_CURVE_LINE},
                        {"empty", 0, NULL, NULL, CN_CURVE_LINE},
                        {"upright", 7, zero, x, CN_CURVE_DASHED}};
    for (int k = 0; k < 5; k++) {
        for (int is_log = 0; is_log < 2; is_log++) {
            cn_chart_def def = {.title = "odd",
                                .x_label = "x",
                                .y_label = "y",
                                .curve_count = 1,
                                .curve = &cases[k],
                                .log_y = is_log,
                                .log_x = is_log};
            CN_DO(cn_chart(&def, "picture_chart_test.svg", &test_error));
            char *svg = read_text("picture_chart_test.svg");
            CN_TRUE(is_well_formed(svg) && all_finite(svg));
            bool is_empty =
                k == 3 || (k == 1 && is_log) || (k == 4 && is_log) || (k == 2 && is_log);
            CN_TRUE((strstr(svg, "no data") != NULL) == is_empty);
            free(svg);
            CN_DO(cn_chart(&def, "picture_chart_test.png", &test_error));
            remove("picture_chart_test.png");
        }
    }
    cn_chart_def nothing = {0};
    CN_DO(cn_chart(&nothing, "picture_chart_test.svg", &test_error));
    free(read_text("picture_chart_test.svg"));
}

// The curve of the canvas is in its colour where the axes say.
CN_TEST(png_and_svg_draw_the_same)
{
    cn_canvas canvas;
    CN_DO(cn_canvas_create(CN_CHART_WIDTH, CN_CHART_HEIGHT, cn_tone_paper(), &canvas, &test_error));
    const double level[] = {5.0, 5.0, 5.0, 5.0};
    cn_curve curve = {"level", 4, four_x, level, CN_CURVE_LINE};
    cn_chart_def def = {
        .title = "", .x_label = "", .y_label = "", .curve_count = 1, .curve = &curve};
    cn_draw on_canvas = cn_draw_on_canvas(&canvas);
    cn_chart_draw(&def, &on_canvas);
    int middle = (int)(0.5 * (86.5 + CN_CHART_HEIGHT - 57.5)); // a constant is in the middle
    double found = 1.0;
    for (int y = middle - 2; y <= middle + 2; y++) {
        const float *p = canvas.pixel + 3 * (y * CN_CHART_WIDTH + 501);
        found =
            fmin(found, fabs(p[0] - cn_palette_stroke(0).r) + fabs(p[2] - cn_palette_stroke(0).b));
    }
    CN_NEAR(found, 0.0, 1e-3, "the line is two pixels thick");
    cn_canvas_destroy(&canvas);
    CN_DO(cn_chart(&def, "picture_chart_test.svg", &test_error));
    char *svg = read_text("picture_chart_test.svg");
    char want[32];
    snprintf(want, sizeof want, ",%.1f", 0.5 * (86.5 + CN_CHART_HEIGHT - 57.5));
    CN_TRUE(strstr(svg, want) != NULL);
    free(svg);
}

CN_TEST(csv_keeps_every_value)
{
    cn_curve curve[] = {{"a,b", 4, four_x, four_y, CN_CURVE_LINE},
                        {"c", 4, four_x, four_x, CN_CURVE_LINE}};
    cn_chart_def def = {
        .title = "", .x_label = "time [s]", .y_label = "", .curve_count = 2, .curve = curve};
    CN_DO(cn_chart(&def, "picture_chart_test.csv", &test_error));
    char *csv = read_text("picture_chart_test.csv");
    CN_TRUE(strcmp(csv, "time [s],\"a,b\",c\n0,1,0\n1,4,1\n2,2,2\n3,3,3\n") == 0);
    free(csv);
    curve[1].count = 2;
    CN_DO(cn_chart(&def, "picture_chart_test.csv", &test_error));
    csv = read_text("picture_chart_test.csv");
    CN_TRUE(strncmp(csv, "curve,x,y\n\"a,b\",0,1\n", 20) == 0 && strstr(csv, "\nc,1,1\n") != NULL);
    free(csv);
}

CN_TEST(bad_charts_are_named)
{
    cn_curve curve = {"a", 4, NULL, four_y, CN_CURVE_LINE};
    cn_chart_def def = {
        .title = "", .x_label = "", .y_label = "", .curve_count = 1, .curve = &curve};
    CN_FAILS(cn_chart(&def, "a.svg", &test_error), CN_BAD_INPUT, "no x");
    curve.x = four_x;
    CN_FAILS(cn_chart(&def, "a.pdf", &test_error), CN_BAD_INPUT, ".svg, .png or .csv");
    CN_FAILS(cn_chart(&def, "no/folder/a.svg", &test_error), CN_IO, "no/folder/a.svg");
    CN_FAILS(cn_chart(&def, "no/folder/a.png", &test_error), CN_IO, "no/folder/a.png");
    CN_FAILS(cn_chart(&def, "no/folder/a.csv", &test_error), CN_IO, "no/folder/a.csv");
}

// A history of four steps.
static const char *const column_name[] = {
    "time",     "residual",      "residual_rms",   "sweeps",      "penetration",
    "contacts", "total_kinetic", "total_friction", "total_joint", "kinetic"};
enum { COLUMN_COUNT = sizeof column_name / sizeof column_name[0] };

static const char *history_name(void *context, int k)
{
    (void)context;
    return column_name[k];
}

static cn_status history_column(void *context, const char *name, cn_column *column, cn_error *err)
{
    static const double zero[4] = {0.0}, minus[] = {-1.0, -4.0, -2.0, -3.0};
    (void)context;
    *column = (cn_column){.name = name, .count = 4, .value = four_y};
    if (strcmp(name, "time") == 0) {
        column->value = four_x;
    } else if (strcmp(name, "total_joint") == 0) {
        column->value = zero;
    } else if (strcmp(name, "total_friction") == 0) {
        column->value = minus;
    } else if (strcmp(name, "missing") == 0) {
        return cn_fail(err, CN_BAD_INPUT, "no column");
    }
    return CN_OK;
}

static const cn_history history = {.title = "four steps",
                                   .column_count = COLUMN_COUNT,
                                   .name = history_name,
                                   .column = history_column,
                                   .from = -INFINITY,
                                   .until = INFINITY};

CN_TEST(energy_lists_used_rows_and_their_sum)
{
    CN_DO(cn_history_plot(&history, "energy", "picture_chart_test.csv", &test_error));
    char *csv = read_text("picture_chart_test.csv");
    CN_TRUE(strcmp(csv,
                   "time [s],kinetic,friction,sum\n0,1,-1,0\n1,4,-4,0\n2,2,-2,0\n3,3,-3,0\n") == 0);
    free(csv);
    CN_DO(cn_history_plot(&history, "energy", "picture_chart_test.svg", &test_error));
    char *svg = read_text("picture_chart_test.svg");
    CN_TRUE(is_well_formed(svg) && strstr(svg, "four steps: energy balance") != NULL);
    CN_TRUE(strstr(svg, "energy [J]") != NULL);
    free(svg);
}

CN_TEST(every_named_plot_is_drawn)
{
    for (const char *const *name = cn_plot_names(); *name != NULL; name++) {
        CN_DO(cn_history_plot(&history, *name, "picture_chart_test.svg", &test_error));
        char *svg = read_text("picture_chart_test.svg");
        CN_TRUE(is_well_formed(svg) && strstr(svg, "no data") == NULL);
        free(svg);
    }
}

// Words for accuracy judge by the mean of all contacts, which may be below what is asked where the
// worst one is far above it: both are shown.
CN_TEST(residuals_show_what_words_judge_by)
{
    CN_DO(cn_history_plot(&history, "residual", "picture_chart_test.csv", &test_error));
    char *csv = read_text("picture_chart_test.csv");
    CN_TRUE(strncmp(csv, "time [s],worst contact,", 23) == 0);
    CN_TRUE(strstr(csv, "mean, which words judge by") != NULL);
    free(csv);
}

CN_TEST(columns_are_plotted_by_name)
{
    CN_DO(cn_history_plot(&history, "kinetic, total_friction", "picture_chart_test.csv",
                          &test_error));
    char *csv = read_text("picture_chart_test.csv");
    CN_TRUE(strncmp(csv, "time [s],kinetic,total_friction\n0,1,-1\n", 38) == 0);
    free(csv);
    CN_DO(
        cn_history_plot(&history, "kinetic,total_friction", "picture_chart_test.svg", &test_error));
    char *svg = read_text("picture_chart_test.svg");
    CN_TRUE(strstr(svg, "[J]") != NULL);
    free(svg);
}

CN_TEST(unknown_plots_list_the_known)
{
    CN_FAILS(cn_history_plot(&history, "enrgy", "a.svg", &test_error), CN_BAD_INPUT,
             "'enrgy' (did you mean 'energy'?)");
    CN_FAILS(cn_history_plot(&history, "residul", "a.svg", &test_error), CN_BAD_INPUT,
             "did you mean 'residual'?");
    CN_FAILS(cn_history_plot(&history, "temperature", "a.svg", &test_error), CN_BAD_INPUT,
             "'temperature'; known are energy, mechanical, residual, sweeps, penetration, "
             "contacts, forces, rose, profile, fraction, reaction, pressure, and the columns");
    CN_FAILS(cn_history_plot(&history, "kinetic,,sweeps", "a.svg", &test_error), CN_BAD_INPUT,
             "''");
    CN_FAILS(cn_history_plot(&history, "", "a.svg", &test_error), CN_BAD_INPUT, "known are");
}

CN_MAIN(CN_RUN(ticks_are_round); CN_RUN(ranges_survive_odd_data); CN_RUN(numbers_read_well);
        CN_RUN(svg_is_well_formed_and_escaped); CN_RUN(long_curves_stay_small_and_keep_their_peak);
        CN_RUN(odd_data_leave_gaps); CN_RUN(png_and_svg_draw_the_same);
        CN_RUN(csv_keeps_every_value); CN_RUN(bad_charts_are_named);
        CN_RUN(energy_lists_used_rows_and_their_sum); CN_RUN(every_named_plot_is_drawn);
        CN_RUN(residuals_show_what_words_judge_by); CN_RUN(columns_are_plotted_by_name);
        CN_RUN(unknown_plots_list_the_known);)
