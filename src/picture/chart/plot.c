// picture/chart/plot.c -- which columns make which plot, and with which words.
#include "picture/chart/plot.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "picture/chart/formula.h"

enum { CURVE_MAX = 24, NAME_SIZE = 128 };

// Curves as they are gathered; all share the times.
typedef struct gathering {
    const cn_history *history;
    int count;      // points
    double *time;   // NULL: the table has none
    double *across; // values of the horizontal axis if it is not the time
    int curve_count;
    cn_curve curve[CURVE_MAX];
    double *value[CURVE_MAX];
    char name[CURVE_MAX][NAME_SIZE];
} gathering;

static void release(gathering *g)
{
    CN_RELEASE(g->time, g->across);
    for (int c = 0; c < g->curve_count; c++) {
        cn_release(NULL, g->value[c]);
    }
}

static bool has_column(const cn_history *history, const char *name)
{
    for (int k = 0; k < history->column_count; k++) {
        if (strcmp(history->name(history->context, k), name) == 0) {
            return true;
        }
    }
    return false;
}

// A copy of one column.
static cn_status copy_column(const cn_history *history, const char *name, double **value,
                             int *count, cn_error *err)
{
    cn_column column;
    CN_TRY(history->column(history->context, name, &column, err));
    if (column.count > INT_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "column '%s' has %lld values, too many to draw", name,
                       (long long)column.count);
    }
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, value, &room, (size_t)column.count, err));
    for (int64_t k = 0; k < column.count; k++) {
        (*value)[k] = column.value[k];
    }
    *count = (int)column.count;
    return CN_OK;
}

// Room for one more curve, its values unset.
static cn_status add_curve(gathering *g, const char *name, cn_curve_style style, cn_error *err)
{
    if (g->curve_count == CURVE_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "a plot shows at most %d columns", (int)CURVE_MAX);
    }
    int c = g->curve_count++;
    snprintf(g->name[c], NAME_SIZE, "%s", name);
    g->curve[c] = (cn_curve){.name = g->name[c],
                             .x = g->across != NULL ? g->across : g->time,
                             .style = g->history->is_points ? CN_CURVE_DOTS : style};
    return CN_OK;
}

static cn_status add_column(gathering *g, const char *column, const char *name,
                            cn_curve_style style, cn_error *err)
{
    CN_TRY(add_curve(g, name, style, err));
    int c = g->curve_count - 1, count = 0;
    CN_TRY(copy_column(g->history, column, &g->value[c], &count, err));
    g->curve[c].y = g->value[c];
    g->curve[c].count = count < g->count ? count : g->count;
    return CN_OK;
}

static bool is_zero(const double *value, int count)
{
    for (int k = 0; k < count; k++) {
        if (value[k] != 0.0) {
            return false;
        }
    }
    return true;
}

static void drop_zero_curve(gathering *g)
{
    int last = g->curve_count - 1;
    if (is_zero(g->value[last], g->curve[last].count)) {
        cn_release(NULL, g->value[last]);
        g->value[last] = NULL;
        g->curve_count--;
    }
}

// Adds the sum of all curves.
static cn_status add_sum(gathering *g, const char *name, cn_error *err)
{
    int rows = g->curve_count;
    CN_TRY(add_curve(g, name, CN_CURVE_DASHED, err));
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, &g->value[rows], &room, (size_t)g->count, err));
    for (int n = 0; n < g->count; n++) {
        double sum = 0.0;
        for (int c = 0; c < rows; c++) {
            sum += n < g->curve[c].count ? g->value[c][n] : NAN;
        }
        g->value[rows][n] = sum;
    }
    g->curve[rows].y = g->value[rows];
    g->curve[rows].count = g->count;
    return CN_OK;
}

// The rows of the ledger that are used in this run, and their sum, which a closed ledger keeps at
// 0.
static cn_status gather_energy(gathering *g, cn_error *err)
{
    static const char prefix[] = "total_";
    for (int k = 0; k < g->history->column_count; k++) {
        const char *column = g->history->name(g->history->context, k);
        if (strncmp(column, prefix, sizeof prefix - 1) == 0) {
            CN_TRY(add_column(g, column, column + sizeof prefix - 1, CN_CURVE_LINE, err));
            drop_zero_curve(g);
        }
    }
    return add_sum(g, "sum", err);
}

// A plot that has a name of its own. A column that a file does not have is left out if optional.
typedef struct named_plot {
    const char *name, *title, *y_label;
    bool log_y;
    const char *sum; // name of the sum of all curves, which then leave out those that are 0
    struct {
        const char *column, *name;
        cn_curve_style style;
        bool is_optional;
    } curve[4];
} named_plot;

// Energy has no columns here: gather_energy lists the rows of the ledger.
static const named_plot named_plots[] = {
    {.name = "energy", .title = "energy balance since the start", .y_label = "energy [J]"},
    {.name = "mechanical",
     .title = "mechanical energy",
     .y_label = "energy [J]",
     .sum = "total",
     .curve = {{"kinetic", "kinetic", CN_CURVE_LINE, false},
               {"total_elastic", "elastic", CN_CURVE_LINE, true},
               {"total_potential", "potential", CN_CURVE_LINE, true},
               {"total_storage", "of contacts", CN_CURVE_LINE, true}}},
    {.name = "residual",
     .title = "residuals of each step",
     .y_label = "residual [-]",
     .log_y = true,
     .curve = {{"residual", "worst contact", CN_CURVE_LINE, false},
               {"residual_rms", "mean, which words judge by", CN_CURVE_LINE, true},
               {"err_e", "energy", CN_CURVE_LINE, true},
               {"eps_v", "accepted", CN_CURVE_DASHED, true}}},
    {.name = "sweeps",
     .title = "sweeps of the solver in each step",
     .y_label = "sweeps [-]",
     .curve = {{"sweeps", "sweeps", CN_CURVE_LINE, false}}},
    {.name = "penetration",
     .title = "largest penetration in each step",
     .y_label = "penetration [m]",
     .curve = {{"penetration", "penetration", CN_CURVE_LINE, false}}},
    {.name = "contacts",
     .title = "contacts in each step",
     .y_label = "contacts [-]",
     .curve = {{"contacts", "within alert distance", CN_CURVE_LINE, false},
               {"active", "with an impulse", CN_CURVE_LINE, true}}},
};

enum { NAMED_COUNT = sizeof named_plots / sizeof named_plots[0] };

const char *const *cn_plot_names(void)
{
    static const char *const names[NAMED_COUNT + 1] = {
        "energy", "mechanical", "residual", "sweeps", "penetration", "contacts", NULL};
    return names;
}

static const named_plot *find_named(const char *what)
{
    for (int k = 0; k < NAMED_COUNT; k++) {
        if (strcmp(named_plots[k].name, what) == 0) {
            return &named_plots[k];
        }
    }
    return NULL;
}

static cn_status gather_named(gathering *g, const named_plot *plot, cn_error *err)
{
    for (int k = 0; k < 4 && plot->curve[k].column != NULL; k++) {
        if (plot->curve[k].is_optional && !has_column(g->history, plot->curve[k].column)) {
            continue;
        }
        CN_TRY(
            add_column(g, plot->curve[k].column, plot->curve[k].name, plot->curve[k].style, err));
        if (plot->sum != NULL) {
            drop_zero_curve(g);
        }
    }
    if (plot->sum != NULL) {
        return add_sum(g, plot->sum, err);
    }
    return plot->curve[0].column == NULL ? gather_energy(g, err) : CN_OK;
}

// Values of a column or a formula, to be released.
static cn_status copy_values(const cn_history *history, const char *text, double **value,
                             int *count, cn_error *err)
{
    const char *column = cn_history_find(history, text);
    if (column != NULL) {
        return copy_column(history, column, value, count, err);
    }
    bool is_formula = strpbrk(text, "+-*/^(") != NULL && strncmp(text, "series/", 7) != 0;
    return is_formula ? cn_formula_eval(history, text, value, count, err)
                      : cn_plot_unknown(history, text, err);
}

static cn_status add_values(gathering *g, const char *text, cn_error *err)
{
    const char *column = cn_history_find(g->history, text);
    CN_TRY(add_curve(g, column != NULL ? column : text, CN_CURVE_LINE, err));
    int c = g->curve_count - 1, count = 0;
    CN_TRY(copy_values(g->history, text, &g->value[c], &count, err));
    g->curve[c].y = g->value[c];
    g->curve[c].count = count < g->count ? count : g->count;
    return CN_OK;
}

// The comma that ends an item of a list, or the end: commas of functions do not count.
static const char *item_end(const char *at)
{
    for (int depth = 0; *at != '\0' && (*at != ',' || depth > 0); at++) {
        depth += (*at == '(') - (*at == ')');
    }
    return at;
}

// Adds each item of a list "a, b / 2, c".
static cn_status gather_list(gathering *g, const char *list, cn_error *err)
{
    for (const char *at = list; at != NULL;) {
        const char *end = item_end(at), *comma = *end == ',' ? end : NULL;
        while (*at == ' ') {
            at++;
        }
        while (end > at && end[-1] == ' ') {
            end--;
        }
        if (end - at >= NAME_SIZE) {
            return cn_fail(err, CN_BAD_INPUT, "a formula has at most %d letters: '%.*s'",
                           NAME_SIZE - 1, (int)(end - at), at);
        }
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
        CN_TRY(add_values(g, name, err));
        at = comma != NULL ? comma + 1 : NULL;
    }
    return CN_OK;
}

// What stands behind the last dot of "series/foot.fy"; NULL: not an observer.
static const char *series_part(const char *name)
{
    static const char prefix[] = "series/";
    const char *dot = strrchr(name, '.');
    return dot != NULL && strncmp(name, prefix, sizeof prefix - 1) == 0 ? dot + 1 : NULL;
}

// Units of what observers write; those of drives of joints depend on the joint.
static const char *series_unit(const char *part)
{
    static const struct {
        const char *parts, *unit; // parts between spaces
    } units[] = {{" fx fy fz rx ry rz cx cy cz ", "N"},
                 {" moment mx my mz ", "N m"},
                 {" x y z ux uy uz gap ", "m"},
                 {" vx vy vz ", "m/s"},
                 {" angle ", "rad"},
                 {" spin wx wy wz ", "rad/s"},
                 {" kinetic potential ", "J"}};
    char word[NAME_SIZE];
    snprintf(word, sizeof word, " %.60s ", part);
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        if (strstr(units[k].parts, word) != NULL) {
            return units[k].unit;
        }
    }
    return NULL;
}

static const char *column_unit(const char *name)
{
    static const char *const joule[] = {"kinetic", "potential", "storage", "total_", "step_"};
    if (series_part(name) != NULL) {
        return series_unit(series_part(name));
    }
    for (int k = 0; k < 5; k++) {
        if (strncmp(name, joule[k], strlen(joule[k])) == 0) {
            return "J";
        }
    }
    if (strcmp(name, "penetration") == 0 || strcmp(name, "added_penetration") == 0) {
        return "m";
    }
    return strcmp(name, "time") == 0 || strcmp(name, "h") == 0 ? "s" : NULL;
}

// Formulas have no unit that is known.
static const char *unit_of(const cn_history *history, const char *name)
{
    const char *column = cn_history_find(history, name);
    return column != NULL ? column_unit(column) : NULL;
}

static const char *part_of(const gathering *g, int c)
{
    return has_column(g->history, g->name[c]) ? series_part(g->name[c]) : NULL;
}

// The part that all curves show of their observers, "fy"; NULL: not the same.
static const char *common_part(const gathering *g)
{
    const char *part = part_of(g, 0);
    for (int c = 1; c < g->curve_count && part != NULL; c++) {
        const char *other = part_of(g, c);
        part = other != NULL && strcmp(part, other) == 0 ? part : NULL;
    }
    return part;
}

// "kinetic [J]" for one column, "fy [N]" for one part of several observers; the common unit of
// other lists.
static void label_list(const gathering *g, char *label, size_t size)
{
    const char *unit = unit_of(g->history, g->name[0]), *part = common_part(g);
    for (int c = 1; c < g->curve_count; c++) {
        const char *other = unit_of(g->history, g->name[c]);
        unit = unit != NULL && other != NULL && strcmp(unit, other) == 0 ? unit : NULL;
    }
    const char *first = part_of(g, 0) != NULL ? g->name[0] + strlen("series/") : g->name[0];
    const char *what = g->curve_count == 1 ? first
                       : part != NULL      ? part
                       : unit != NULL      ? ""
                                           : "value";
    snprintf(label, size, unit != NULL ? "%s%s[%s]" : "%s", what, what[0] != '\0' ? " " : "", unit);
}

// Legends leave out what the label says: "foot" of series/foot.fy beside others of their fy.
static void shorten_names(gathering *g)
{
    const char *part = common_part(g);
    size_t tail = part != NULL && g->curve_count > 1 ? strlen(part) + 1 : 0;
    for (int c = 0; c < g->curve_count; c++) {
        if (part_of(g, c) != NULL) {
            size_t head = strlen("series/"), length = strlen(g->name[c]) - head - tail;
            memmove(g->name[c], g->name[c] + head, length);
            g->name[c][length] = '\0';
        }
    }
}

bool cn_look_is_set(const cn_chart_look *look)
{
    bool has_words = look->title != NULL || look->x_label != NULL || look->y_label != NULL;
    bool has_range = look->x_range[0] != look->x_range[1] || look->y_range[0] != look->y_range[1];
    return has_words || has_range || look->log_x || look->log_y || look->width || look->height;
}

static void apply_look(cn_chart_def *def, const cn_chart_look *look)
{
    def->title = look->title != NULL ? look->title : def->title;
    def->x_label = look->x_label != NULL ? look->x_label : def->x_label;
    def->y_label = look->y_label != NULL ? look->y_label : def->y_label;
    def->log_x = def->log_x || look->log_x;
    def->log_y = def->log_y || look->log_y;
    memcpy(def->x_range, look->x_range, sizeof def->x_range);
    memcpy(def->y_range, look->y_range, sizeof def->y_range);
    def->width = look->width;
    def->height = look->height;
}

cn_status cn_chart_beside(const cn_chart_def *def, const cn_beside *beside, const char *path,
                          cn_error *err)
{
    if (beside == NULL) {
        return cn_chart(def, path, err);
    }
    cn_chart_def both = *def;
    if (beside->look != NULL) {
        apply_look(&both, beside->look);
    }
    cn_curve *curve = NULL;
    size_t room = 0, own = (size_t)def->curve_count;
    CN_TRY(cn_reserve(NULL, &curve, &room, own + (size_t)beside->count, err));
    memcpy(curve, def->curve, own * sizeof *curve);
    for (int c = 0; c < beside->count; c++) {
        curve[both.curve_count++] = beside->curve[c];
    }
    both.curve = curve;
    cn_status status = CN_OK;
    if (beside->take != NULL) {
        beside->take(beside->take_context, &both);
    } else {
        status = cn_chart(&both, path, err);
    }
    cn_release(NULL, curve);
    return status;
}

// Curves of all runs; those of several carry the names of their runs.
typedef struct merged {
    int count;
    cn_curve *curve;
    char (*name)[2 * NAME_SIZE];
    size_t curve_capacity, name_capacity;
} merged;

static cn_status merge(const gathering *g, int runs, merged *m, cn_error *err)
{
    size_t most = (size_t)runs * CURVE_MAX;
    CN_TRY(cn_reserve(NULL, &m->curve, &m->curve_capacity, most, err));
    CN_TRY(cn_reserve(NULL, &m->name, &m->name_capacity, most, err));
    for (int k = 0; k < runs; k++) {
        const char *run = g[k].history->run_name;
        for (int c = 0; c < g[k].curve_count; c++) {
            char *name = m->name[m->count];
            bool is_alone = runs > 1 && g[k].curve_count == 1;
            snprintf(name, 2 * NAME_SIZE, "%.100s%s%s", runs > 1 ? run : "",
                     runs > 1 && !is_alone ? ": " : "", is_alone ? "" : g[k].name[c]);
            m->curve[m->count] = g[k].curve[c];
            m->curve[m->count++].name = name;
        }
    }
    return CN_OK;
}

static cn_status draw(gathering *g, int runs, const named_plot *plot, const char *path,
                      cn_error *err)
{
    const cn_history *history = g->history;
    char title[320], label[2 * NAME_SIZE], across[2 * NAME_SIZE];
    const char *against = history->against;
    const char *unit = against != NULL ? unit_of(history, against) : "s";
    snprintf(across, sizeof across, unit != NULL ? "%.120s [%s]" : "%.120s",
             against != NULL ? against : "time", unit);
    const char *run = history->title != NULL && runs == 1 ? history->title : "";
    const char *topic = plot != NULL         ? plot->title
                        : history->is_points ? "runs of a study"
                                             : "history";
    snprintf(title, sizeof title, "%.250s%s%s", run, run[0] != '\0' ? ": " : "", topic);
    label_list(g, label, sizeof label);
    size_t end = path != NULL ? strlen(path) : 0;
    bool is_table = end >= 4 && strcmp(path + end - 4, ".csv") == 0;
    for (int k = 0; k < runs && !is_table; k++) { // tables keep the names of columns
        shorten_names(&g[k]);
    }
    merged m = {0};
    cn_status status = merge(g, runs, &m, err);
    cn_chart_def def = {.title = title,
                        .x_label = across,
                        .y_label = plot != NULL ? plot->y_label : label,
                        .curve_count = m.count,
                        .curve = m.curve,
                        .log_y = plot != NULL && plot->log_y};
    CN_THEN(status, cn_chart_beside(&def, history->beside, path, err));
    CN_RELEASE(m.curve, m.name);
    return status;
}

static cn_status gather(gathering *g, const named_plot *plot, const char *what, cn_error *err)
{
    const char *against = g->history->against;
    if (against == NULL || has_column(g->history, "time")) {
        CN_TRY(copy_column(g->history, "time", &g->time, &g->count, err));
    }
    if (against != NULL) {
        CN_TRY(copy_values(g->history, against, &g->across, &g->count, err));
    }
    return plot != NULL ? gather_named(g, plot, err) : gather_list(g, what, err);
}

// Leaves out what lies before or behind the times that were asked for.
static cn_status cut(gathering *g, cn_error *err)
{
    double from = g->history->from, until = g->history->until;
    int first = 0, count = 0;
    while (first < g->count && !(g->time[first] >= from)) {
        first++;
    }
    while (first + count < g->count && g->time[first + count] <= until) {
        count++;
    }
    if (count == 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "no step lies between %g and %g s; the history runs from %g to %g s", from,
                       until, g->count > 0 ? g->time[0] : 0.0,
                       g->count > 0 ? g->time[g->count - 1] : 0.0);
    }
    for (int k = 0; k < g->curve_count; k++) {
        int left = g->curve[k].count > first ? g->curve[k].count - first : 0;
        g->curve[k].x += left > 0 ? first : 0;
        g->curve[k].y += left > 0 ? first : 0;
        g->curve[k].count = left < count ? left : count;
    }
    return CN_OK;
}

static cn_status gather_run(gathering *g, const cn_history *run, const named_plot *plot,
                            const char *what, cn_error *err)
{
    g->history = run;
    CN_TRY(gather(g, plot, what, err));
    return isfinite(run->from) || isfinite(run->until) ? cut(g, err) : CN_OK;
}

cn_status cn_history_plot(const cn_history *history, const char *what, const char *path,
                          cn_error *err)
{
    const named_plot *plot = history->is_points ? NULL : find_named(what);
    gathering *g = NULL;
    size_t room = 0;
    int runs = 0, gathered = 0;
    for (const cn_history *run = history; run != NULL; run = run->next) {
        runs++;
    }
    CN_TRY(cn_reserve(NULL, &g, &room, (size_t)runs, err));
    memset(g, 0, (size_t)runs * sizeof *g);
    cn_status status = CN_OK;
    for (const cn_history *run = history; run != NULL && status == CN_OK; run = run->next) {
        status = gather_run(&g[gathered++], run, plot, what, err);
    }
    CN_THEN(status, draw(g, runs, plot, path, err));
    for (int k = 0; k < gathered; k++) {
        release(&g[k]);
    }
    cn_release(NULL, g);
    return status;
}
