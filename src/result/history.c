// result/history.c -- the step history of a result file: columns by name, and its summary.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "result/reader.h"

#define ROWS_AT_ONCE 64 // when all of the history is visited: a chunk

// Names of the history's own columns, then "series/NAME".
cn_status cn_reader_list_columns(cn_reader *r, cn_error *err)
{
    const cn_tables *t = &r->tables;
    r->history_count = cn_table_column_count(&t->step.packed);
    r->column = cn_reader_array(r->history_count + (int64_t)t->series_count, sizeof *r->column);
    if (r->column == NULL) {
        return cn_reader_no_memory(r, err);
    }
    r->column_count = r->history_count + t->series_count;
    for (int k = 0; k < r->history_count; k++) {
        r->column[k].name = cn_table_column_name(&t->step.packed, k);
        if (r->column[k].name == NULL) {
            return cn_reader_no_memory(r, err);
        }
    }
    for (int k = 0; k < t->series_count; k++) {
        cn_name_row row;
        cn_status status = cn_table_read(&t->series_name, k, 1, &row, err);
        if (status == CN_IO) {
            row = (cn_name_row){"(damaged)"};
        } else {
            CN_TRY(status);
        }
        row.name[CN_NAME_SIZE - 1] = '\0';
        char *name = cn_reader_array(CN_NAME_SIZE + 8, 1);
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

// Places of the columns that the summary needs, in rows of our own layout.
typedef struct summary_columns {
    int iterations; // the first of CN_METHOD_NAME_COUNT - 1, all but that of auto
    int step, time, residual, sweeps, contacts, penetration, penetration_rel, status, painleve,
        energy_error, total, joints, joint_gap, drive_error, held_rigid, parts, nonconverged,
        nonunique, rigid, cut, repeat, looked, deepest, unseen, phantom, deepest_i, deepest_j,
        criterion, value, asked, missed_i, missed_j;
} summary_columns;

static int place_of(const cn_layout *l, const char *name)
{
    for (int k = 0; k < l->step.field_count; k++) {
        if (strcmp(l->column_name[k], name) == 0) {
            return k;
        }
    }
    return 0;
}

static summary_columns find_columns(const cn_layout *l)
{
    char total[40], first[40], iterations[40];
    snprintf(iterations, sizeof iterations, "iterations_%s", cn_method_name((cn_method)0));
    snprintf(total, sizeof total, "total_%s", cn_energy_row_name((cn_energy_row)0));
    snprintf(first, sizeof first, "repeat_%s", cn_repeat_name((cn_repeat)0));
    return (summary_columns){
        .step = place_of(l, "step"),
        .time = place_of(l, "time"),
        .residual = place_of(l, "residual"),
        .sweeps = place_of(l, "sweeps"),
        .iterations = place_of(l, iterations),
        .contacts = place_of(l, "contacts"),
        .penetration = place_of(l, "penetration"),
        .penetration_rel = place_of(l, "penetration_rel"),
        .status = place_of(l, "status"),
        .painleve = place_of(l, "painleve"),
        .nonconverged = place_of(l, "nonconverged"),
        .nonunique = place_of(l, "nonunique"),
        .rigid = place_of(l, "rigid"),
        .cut = place_of(l, "cut"),
        .repeat = place_of(l, first),
        .joints = place_of(l, "joints"),
        .joint_gap = place_of(l, "joint_gap"),
        .drive_error = place_of(l, "drive_error"),
        .held_rigid = place_of(l, "held_rigid"),
        .parts = place_of(l, "parts"),
        .energy_error = place_of(l, "energy_error"),
        .total = place_of(l, total),
        .looked = place_of(l, "overlap_looked"),
        .deepest = place_of(l, "overlap_max"),
        .unseen = place_of(l, "overlap_unseen"),
        .phantom = place_of(l, "overlap_phantom"),
        .deepest_i = place_of(l, "deepest_i"),
        .deepest_j = place_of(l, "deepest_j"),
        .criterion = place_of(l, "missed_criterion"),
        .value = place_of(l, "missed_value"),
        .asked = place_of(l, "missed_asked"),
        .missed_i = place_of(l, "missed_i"),
        .missed_j = place_of(l, "missed_j"),
    };
}

// Four columns: depth, relative depth, two ids.
static cn_overlap_pair pair_at(const double *row)
{
    return (cn_overlap_pair){.depth = row[0],
                             .rel = row[1],
                             .i = (cn_body_id)as_count(row[2]),
                             .j = (cn_body_id)as_count(row[3])};
}

static void add_overlap(const summary_columns *c, const double *row, cn_summary *s)
{
    if (!(row[c->looked] > 0.0)) {
        return;
    }
    cn_overlap one = {.deepest = pair_at(row + c->deepest),
                      .unseen = pair_at(row + c->unseen),
                      .phantom = pair_at(row + c->phantom)};
    cn_overlap *most = &s->overlap;
    most->deepest = one.deepest.depth > most->deepest.depth ? one.deepest : most->deepest;
    most->unseen = one.unseen.rel > most->unseen.rel ? one.unseen : most->unseen;
    most->phantom = one.phantom.rel > most->phantom.rel ? one.phantom : most->phantom;
    s->overlap_looks++;
    s->overlap_missed += cn_overlap_is_missed(&one);
}

// Keeps what is missed by most.
static void add_missed(const summary_columns *c, const double *row, cn_summary *s)
{
    double by = cn_step_missed_by(row[c->criterion], row[c->value], row[c->asked]);
    if (by > cn_step_missed_by(s->missed_criterion, s->missed_value, s->missed_asked)) {
        int64_t criterion = as_count(row[c->criterion]);
        s->missed_criterion =
            criterion < CN_CRITERION_COUNT ? (cn_criterion)criterion : CN_CRITERION_COUNT;
        s->missed_value = row[c->value];
        s->missed_asked = row[c->asked];
        s->missed_step = as_count(row[c->step]);
        s->missed[0] = (cn_body_id)as_count(row[c->missed_i]);
        s->missed[1] = (cn_body_id)as_count(row[c->missed_j]);
    }
}

// Steps of a row of which something is true; older files have one step in each row and no count.
static int64_t count_steps(double count, bool is_true)
{
    int64_t known = as_count(count);
    return known > 0 ? known : is_true;
}

static void add_step(const summary_columns *c, const double *row, cn_summary *s)
{
    int64_t contacts = as_count(row[c->contacts]);
    s->contacts_max = contacts > s->contacts_max ? contacts : s->contacts_max;
    s->residual_max = cn_larger(row[c->residual], s->residual_max);
    s->penetration_max_m = cn_larger(row[c->penetration], s->penetration_max_m);
    if (row[c->penetration_rel] > s->penetration_max_rel) {
        s->deepest[0] = (cn_body_id)as_count(row[c->deepest_i]);
        s->deepest[1] = (cn_body_id)as_count(row[c->deepest_j]);
    }
    s->penetration_max_rel = cn_larger(row[c->penetration_rel], s->penetration_max_rel);
    add_missed(c, row, s);
    s->energy_error = cn_larger(row[c->energy_error], s->energy_error);
    s->sweeps_total += as_count(row[c->sweeps]);
    for (int m = 0, at = c->iterations; m < CN_METHOD_NAME_COUNT; m++) {
        s->iterations[m] += m != CN_METHOD_AUTO ? as_count(row[at++]) : 0;
    }
    s->nonconverged_steps += count_steps(row[c->nonconverged], row[c->status] != CN_OK);
    int64_t joints = as_count(row[c->joints]);
    s->joints_max = joints > s->joints_max ? joints : s->joints_max;
    s->joint_gap_max_m = cn_larger(row[c->joint_gap], s->joint_gap_max_m);
    s->drive_error_max_m = cn_larger(row[c->drive_error], s->drive_error_max_m);
    s->rigid_steps += count_steps(row[c->rigid], row[c->held_rigid] > 0.0);
    s->cut_steps += count_steps(row[c->cut], row[c->parts] > 1.0);
    for (int k = 0; k < CN_REPEAT_COUNT; k++) {
        s->repeats[k] += as_count(row[c->repeat + k]);
    }
    s->painleve_steps += count_steps(row[c->nonunique], row[c->painleve] > 0.0);
    add_overlap(c, row, s);
    s->steps = as_count(row[c->step]);
    s->time = row[c->time];
    memcpy(s->energy_total, row + c->total, sizeof s->energy_total);
}

// Hands over the committed rows of a table of `width` columns one after the other; with is_lenient
// those that are not damaged.
typedef void take_row(void *context, int64_t k, const double *row);

static cn_status each_row(const cn_reader *r, const cn_long *table, bool is_lenient, take_row *take,
                          void *context, cn_error *err)
{
    size_t width = table->packed.row_size / sizeof(double);
    double *rows = cn_reader_array(ROWS_AT_ONCE, width * sizeof *rows);
    if (rows == NULL) {
        return cn_reader_no_memory(r, err);
    }
    cn_status status = CN_OK;
    int64_t end = r->tables.steps_committed;
    for (int64_t k = 0; status == CN_OK && k < end; k += ROWS_AT_ONCE) {
        int64_t count = end - k < ROWS_AT_ONCE ? end - k : ROWS_AT_ONCE;
        status = cn_long_read(table, k, count, rows, err);
        for (int64_t n = 0; status == CN_OK && n < count; n++) {
            take(context, k + n, rows + (size_t)n * width);
        }
        status = is_lenient && status == CN_IO ? CN_OK : status;
    }
    free(rows);
    return status;
}

typedef struct summing {
    summary_columns place;
    cn_summary *summary;
} summing;

static void sum_row(void *context, int64_t k, const double *row)
{
    const summing *s = context;
    (void)k;
    add_step(&s->place, row, s->summary);
}

// The history is summed up each time a file is opened, so that killed runs have a summary as well.
cn_status cn_reader_sum_history(cn_reader *r, cn_error *err)
{
    const cn_tables *t = &r->tables;
    summing s = {find_columns(&t->layout), &r->summary};
    return each_row(r, &t->step, true, sum_row, &s, err);
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
    double *values = cn_reader_array(r->tables.steps_committed, sizeof *values);
    if (values == NULL) {
        return cn_reader_no_memory(r, err);
    }
    cn_status status = k < r->history_count
                           ? cn_long_read_column(&r->tables.step, r->column[k].name, 0,
                                                 r->tables.steps_committed, values, err)
                           : read_series(r, k - r->history_count, values, err);
    if (status != CN_OK) {
        free(values);
        return status;
    }
    r->column[k].value = values;
    return CN_OK;
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
