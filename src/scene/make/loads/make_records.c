// scene/make/loads/make_records.c -- a record of ground acceleration becomes the velocity of a
// drive.
//
// The velocity of the record is a quadratic between samples. The table that a drive takes is linear
// between its points, so that it has one at each end of a step too: there the velocity is exact
// whatever the step is (3.12).
#include <math.h>
#include <string.h>

#include "cairn/record.h"
#include "scene/make/make_loads.h"

static const double POINTS_MAX = 1e8; // of a table

typedef struct telling {
    cn_report *report;
    cn_place at;
} telling;

static void keep_remark(void *context, const char *line)
{
    telling *t = context;
    const char *note = strstr(line, ": note: ");
    cn_remark(t->report, t->at, "%s", note != NULL ? note + strlen(": note: ") : line);
}

static int word_of(const cn_value *map, const char *name)
{
    return (int)cn_value_number(map, name);
}

static cn_record_def def_of(const cn_value *value, telling *t)
{
    cn_record_def def = cn_record_def_default();
    double dt = cn_value_number(value, "dt"), column = cn_value_number(value, "column");
    def.unit = (cn_record_unit)word_of(value, "unit"); // the words are in the order of the units
    def.dt = isnan(dt) ? 0.0 : dt;
    def.column = isnan(column) ? 0 : (int)column;
    def.scale = cn_value_number(value, "scale");
    def.taper = cn_value_number(value, "taper");
    def.baseline = (cn_record_baseline)word_of(value, "baseline");
    const cn_value *band = cn_value_get(value, "band");
    for (int k = 0; k < 2 && band != NULL; k++) {
        def.band[k] = band->item[k]->number;
    }
    def.told = keep_remark;
    def.context = t;
    return def;
}

static void compare_with_stage(const cn_stage_making *s, const cn_record *record, telling *t)
{
    double end = record->time[record->count - 1], dt = end / (record->count - 1);
    if (s->stage->h > 1.001 * dt) {
        cn_remark(t->report, t->at,
                  "the step of %g s is longer than the interval of the record, %g s", s->stage->h,
                  dt);
    }
    if (s->stage->duration < 0.999 * end) {
        cn_remark(t->report, t->at, "the stage lasts %g s, the record %g s: its end is not used",
                  s->stage->duration, end);
    }
}

// Samples and ends of steps in order, none twice.
static bool fill_table(cn_stage_making *s, const cn_record *record, cn_function *f)
{
    cn_reading *r = &s->m->reading;
    double end = record->time[record->count - 1], h = s->stage->h;
    double most = record->count + floor(fmin(end, s->stage->duration) / h) + 2.0;
    if (!(most <= POINTS_MAX)) {
        cn_complain(r->report, s->drive_at, "a record of %g s in steps of %g s is too long", end,
                    h);
        return true;
    }
    double *time = cn_reading_take(r, (size_t)most, sizeof *time);
    double *value = cn_reading_take(r, (size_t)most, sizeof *value);
    int count = 0, k = 0, step = 1;
    while (time != NULL && value != NULL && k < record->count && count < (int)most) {
        double at = h * step;
        bool is_step = at < record->time[k] && at <= s->stage->duration;
        double t = is_step ? at : record->time[k];
        step += at <= t;
        k += !is_step;
        time[count] = t;
        value[count++] = cn_record_velocity_at(record, t);
    }
    *f = (cn_function){.kind = CN_FUNCTION_TABLE, .count = count, .time = time, .value = value};
    return time != NULL && value != NULL;
}

// The file that `number` takes; NULL: there are not so many, which is told.
static const cn_value *chosen_file(cn_making *m, const cn_value *value)
{
    const cn_value *files = cn_value_get(value, "file");
    int number = (int)cn_value_number(value, "number");
    if (number > files->count) {
        cn_complain(m->reading.report, value->at, "number %d of a record that has %d file%s",
                    number, files->count, files->count == 1 ? "" : "s");
        return NULL;
    }
    return files->item[number - 1];
}

bool cn_make_record(cn_stage_making *s, const cn_value *value, cn_function *f)
{
    cn_making *m = s->m;
    const cn_value *file = chosen_file(m, value);
    *f = cn_constant(0.0);
    if (file == NULL) {
        return true;
    }
    telling t = {m->reading.report, file->at};
    cn_record_def def = def_of(value, &t);
    cn_source source;
    cn_record record;
    cn_error why = {0};
    if (!cn_making_open(m, file->at, file->text, CN_RECORD_BYTES_MAX, &source)) {
        return m->reading.status == CN_OK;
    }
    cn_status status =
        cn_record_parse(source.name, source.text, source.length, &def, &record, &why);
    if (status == CN_NO_MEMORY) {
        m->reading.status = cn_fail(m->reading.err, CN_NO_MEMORY, "%s", why.text);
        return false;
    }
    if (status != CN_OK) {
        cn_complain(m->reading.report, file->at, "%s", why.text);
        return true;
    }
    compare_with_stage(s, &record, &t);
    bool has_memory = fill_table(s, &record, f);
    cn_record_free(&record);
    return has_memory;
}
