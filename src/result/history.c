// result/history.c -- the step history of a result file: columns by name, and its summary.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "result/reader.h"

#define ROWS_AT_ONCE 64 // when all of the history is visited: a chunk

// Names of the history's own columns.
static cn_status take_names(cn_reader *r, cn_error *err)
{
    char **name = calloc((size_t)r->history_count + 1, sizeof *name);
    if (name == NULL) {
        return cn_reader_no_memory(r, err);
    }
    cn_table_column_names(&r->tables.step.packed, name);
    bool has_all = true;
    for (int k = 0; k < r->history_count; k++) {
        r->column[k].name = name[k];
        has_all = has_all && name[k] != NULL;
    }
    free(name);
    return has_all ? CN_OK : cn_reader_no_memory(r, err);
}

// They, then "series/NAME".
cn_status cn_reader_list_columns(cn_reader *r, cn_error *err)
{
    const cn_tables *t = &r->tables;
    r->history_count = cn_table_column_names(&t->step.packed, NULL);
    CN_TRY(cn_reader_take(r, &r->column, r->history_count + (int64_t)t->series_count, err));
    r->column_count = r->history_count + t->series_count;
    CN_TRY(take_names(r, err));
    for (int k = 0; k < t->series_count; k++) {
        cn_name_row row;
        cn_status status = cn_table_read(&t->series_name, k, 1, &row, err);
        if (status == CN_IO) {
            row = (cn_name_row){"(damaged)"};
        } else {
            CN_TRY(status);
        }
        row.name[CN_NAME_SIZE - 1] = '\0';
        char *name = malloc(CN_NAME_SIZE + 8);
        if (name == NULL) {
            return cn_reader_no_memory(r, err);
        }
        snprintf(name, CN_NAME_SIZE + 8, "series/%s", row.name);
        r->column[r->history_count + k].name = name;
    }
    return CN_OK;
}

// A count that was stored as a real number; 0 if it is none.
static int64_t as_count(double value)
{
    return value >= 0.0 && value < 0x1p53 ? (int64_t)value : 0;
}

static cn_overlap_pair pair_of(const cn_pair_columns *c)
{
    return (cn_overlap_pair){.depth = c->depth,
                             .rel = c->rel,
                             .i = (cn_body_id)as_count(c->i),
                             .j = (cn_body_id)as_count(c->j)};
}

static void add_overlap(const cn_step_row *row, cn_summary *s)
{
    if (!(row->overlap_looked > 0.0)) {
        return;
    }
    cn_overlap one = {.deepest = pair_of(&row->overlap_max),
                      .unseen = pair_of(&row->overlap_unseen),
                      .phantom = pair_of(&row->overlap_phantom)};
    cn_overlap *most = &s->overlap;
    most->deepest = one.deepest.depth > most->deepest.depth ? one.deepest : most->deepest;
    most->unseen = one.unseen.rel > most->unseen.rel ? one.unseen : most->unseen;
    most->phantom = one.phantom.rel > most->phantom.rel ? one.phantom : most->phantom;
    s->overlap_looks++;
    s->overlap_missed += cn_overlap_is_missed(&one);
}

// Keeps what is missed by most.
static void add_missed(const cn_step_row *row, cn_summary *s)
{
    double by = cn_step_missed_by(row->missed_criterion, row->missed_value, row->missed_asked);
    if (by > cn_step_missed_by(s->missed_criterion, s->missed_value, s->missed_asked)) {
        int64_t criterion = as_count(row->missed_criterion);
        s->missed_criterion =
            criterion < CN_CRITERION_COUNT ? (cn_criterion)criterion : CN_CRITERION_COUNT;
        s->missed_value = row->missed_value;
        s->missed_asked = row->missed_asked;
        s->missed_step = as_count(row->step);
        s->missed[0] = (cn_body_id)as_count(row->missed_i);
        s->missed[1] = (cn_body_id)as_count(row->missed_j);
    }
}

// Steps of a row of which something is true; older files have one step in each row and no count.
static int64_t count_steps(double count, bool is_true)
{
    int64_t known = as_count(count);
    return known > 0 ? known : is_true;
}

// What the word of the run allows in metres and newtons, and what was missed.
static void add_promise(const cn_step_row *row, cn_summary *s)
{
    int64_t k = as_count(row->accuracy);
    s->accuracy = k < CN_ACCURACY_COUNT ? (cn_accuracy)k : CN_ACCURACY_NUMBER;
    const cn_accepted *word = cn_accuracy_row(s->accuracy);
    double step = row->v_ref * row->h, eps = row->eps_v * step;
    cn_promise *asked = &s->asked, *reached = &s->reached;
    asked->mean_m = fmax(asked->mean_m, word->is_bulk ? eps : 0.0);
    asked->worst_m = fmax(asked->worst_m, word->is_bulk ? word->worst * eps : eps);
    asked->force_mean_N = fmax(asked->force_mean_N, row->force_asked);
    asked->outlier_share = word->is_bulk ? word->outlier_share : 0.0;
    reached->mean_m = cn_larger(row->residual_rms * step, reached->mean_m);
    reached->worst_m = cn_larger(row->residual * step, reached->worst_m);
    reached->force_mean_N = cn_larger(row->force_error, reached->force_mean_N);
    reached->outlier_share = cn_larger(row->outliers, reached->outlier_share);
}

static void add_step(const cn_step_row *row, cn_summary *s)
{
    int64_t contacts = as_count(row->contacts);
    s->contacts_max = contacts > s->contacts_max ? contacts : s->contacts_max;
    if (row->residual > s->residual_max) {
        s->worst[0] = (cn_body_id)as_count(row->worst_i);
        s->worst[1] = (cn_body_id)as_count(row->worst_j);
    }
    s->residual_max = cn_larger(row->residual, s->residual_max);
    s->residual_rms_max = cn_larger(row->residual_rms, s->residual_rms_max);
    add_promise(row, s);
    s->penetration_max_m = cn_larger(row->penetration, s->penetration_max_m);
    if (row->penetration_rel > s->penetration_max_rel) {
        s->deepest[0] = (cn_body_id)as_count(row->deepest_i);
        s->deepest[1] = (cn_body_id)as_count(row->deepest_j);
    }
    s->penetration_max_rel = cn_larger(row->penetration_rel, s->penetration_max_rel);
    if (row->creep > s->creep_max_m) {
        s->creep_max_m = row->creep;
        s->creep[0] = (cn_body_id)as_count(row->creep_i);
        s->creep[1] = (cn_body_id)as_count(row->creep_j);
    }
    add_missed(row, s);
    s->energy_error = cn_larger(row->energy_error, s->energy_error);
    s->sweeps_total += as_count(row->sweeps);
    for (int k = 0; k < CN_STEP_METHODS; k++) {
        s->iterations[k < CN_METHOD_AUTO ? k : k + 1] += as_count(row->iterations[k]);
    }
    s->nonconverged_steps += count_steps(row->nonconverged, row->status != CN_OK);
    int64_t joints = as_count(row->joints);
    s->joints_max = joints > s->joints_max ? joints : s->joints_max;
    s->joint_gap_max_m = cn_larger(row->joint_gap, s->joint_gap_max_m);
    s->drive_error_max_m = cn_larger(row->drive_error, s->drive_error_max_m);
    s->rigid_steps += count_steps(row->rigid, row->held_rigid > 0.0);
    s->cut_steps += count_steps(row->cut, row->parts > 1.0);
    for (int k = 0; k < CN_REPEAT_COUNT; k++) {
        s->repeats[k] += as_count(row->repeats[k]);
    }
    s->painleve_steps += count_steps(row->nonunique, row->painleve > 0.0);
    add_overlap(row, s);
    s->steps = as_count(row->step);
    s->time = row->time;
    memcpy(s->energy_total, row->energy_total, sizeof s->energy_total);
}

// Hands over the committed rows of a table of `width` columns one after the other; with is_lenient
// those that are not damaged.
typedef void take_row(void *context, int64_t k, const double *row);

static cn_status each_row(const cn_reader *r, const cn_long *table, bool is_lenient, take_row *take,
                          void *context, cn_error *err)
{
    size_t width = table->packed.row_size / sizeof(double);
    double *rows = NULL;
    size_t capacity = 0;
    cn_status status = cn_reserve(NULL, &rows, &capacity, ROWS_AT_ONCE * width, err);
    int64_t end = r->tables.steps_committed;
    for (int64_t k = 0; status == CN_OK && k < end; k += ROWS_AT_ONCE) {
        int64_t count = end - k < ROWS_AT_ONCE ? end - k : ROWS_AT_ONCE;
        status = cn_long_read(table, k, count, rows, err);
        for (int64_t n = 0; status == CN_OK && n < count; n++) {
            take(context, k + n, rows + (size_t)n * width);
        }
        status = is_lenient && status == CN_IO ? CN_OK : status;
    }
    cn_release(NULL, rows);
    return status;
}

static void sum_row(void *context, int64_t k, const double *row)
{
    (void)k;
    add_step((const cn_step_row *)row, context);
}

// The history is summed up each time a file is opened, so that killed runs have a summary as well.
cn_status cn_reader_sum_history(cn_reader *r, cn_error *err)
{
    return each_row(r, &r->tables.step, true, sum_row, &r->summary, err);
}

int cn_reader_column_count(const cn_reader *reader)
{
    return reader != NULL ? reader->column_count : 0;
}

const char *cn_reader_column_name(const cn_reader *reader, int k)
{
    return reader != NULL && k >= 0 && k < reader->column_count ? reader->column[k].name : NULL;
}

typedef struct picking {
    int series;
    double *values;
} picking;

static void pick_value(void *context, int64_t k, const double *row)
{
    const picking *p = context;
    p->values[k] = row[p->series];
}

// Series are stored side by side: one of them is picked out of the rows.
static cn_status read_series(const cn_reader *r, int series, double *values, cn_error *err)
{
    const cn_tables *t = &r->tables;
    picking p = {series, values};
    return each_row(r, &t->series, false, pick_value, &p, err);
}

static cn_status load_column(cn_reader *r, int k, cn_error *err)
{
    double *values;
    CN_TRY(cn_reader_take(r, &values, r->tables.steps_committed, err));
    cn_status status = k < r->history_count
                           ? cn_long_read_column(&r->tables.step, r->column[k].name, 0,
                                                 r->tables.steps_committed, values, err)
                           : read_series(r, k - r->history_count, values, err);
    r->column[k].value = status == CN_OK ? values : NULL;
    return status;
}

cn_status cn_reader_column(cn_reader *reader, const char *name, cn_column *column, cn_error *err)
{
    CN_NEED(err, reader, name, column);
    for (int k = 0; k < reader->column_count; k++) {
        cn_column_cache *found = &reader->column[k];
        if (strcmp(found->name, name) == 0) {
            if (found->value == NULL) {
                CN_TRY(load_column(reader, k, err));
            }
            *column = (cn_column){found->name, reader->tables.steps_committed, found->value};
            return CN_OK;
        }
    }
    return cn_fail(
        err, CN_BAD_INPUT,
        "%s: the history has no column '%s'; it has residual, sweeps, kinetic and so on, "
        "and %d observed series",
        reader->tables.hdf->path, name, reader->tables.series_count);
}
