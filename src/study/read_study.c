// study/read_study.c -- from a study file to a checked study.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/hash.h"
#include "base/memory.h"
#include "scene/language/value.h"
#include "study/study_keys.h"

// Values evenly spaced between two ends, the ends exact.
static const double *spaced(cn_reading *r, double from, double to, int count)
{
    double *value = cn_reading_take(r, (size_t)count, sizeof *value);
    for (int k = 0; value != NULL && k < count; k++) {
        double s = (double)k / (count - 1);
        value[k] = k == count - 1 ? to : (1.0 - s) * from + s * to;
    }
    return value;
}

static const double *listed(cn_reading *r, const cn_value *list)
{
    double *value = cn_reading_take(r, (size_t)list->count, sizeof *value);
    for (int k = 0; value != NULL && k < list->count; k++) {
        value[k] = list->item[k]->number;
    }
    return value;
}

// One param: `given` has exactly one key. False without memory.
static bool read_range(cn_reading *r, const char *name, const cn_value *given,
                       cn_study_range *range)
{
    const char *how = given->name[0];
    const cn_value *what = given->item[0];
    *range = (cn_study_range){.name = name};
    if (strcmp(how, "list") == 0) {
        if (what->count == 0) {
            cn_complain(r->report, what->at, "'%s' needs at least one value", name);
        }
        range->count = what->count;
        range->value = listed(r, what);
        return range->value != NULL;
    }
    double from = cn_value_number(what, "from"), to = cn_value_number(what, "to");
    if (!(from != to)) {
        cn_complain(r->report, what->at, "'%s' goes from %g to %g: choose two different ends", name,
                    from, to);
    }
    bool is_range = strcmp(how, "range") == 0;
    range->kind = is_range                      ? CN_RANGE_LIST
                  : strcmp(how, "uniform") == 0 ? CN_RANGE_UNIFORM
                                                : CN_RANGE_BISECT;
    range->count = is_range ? (int)cn_value_number(what, "count") : 2;
    range->tolerance = range->kind == CN_RANGE_BISECT ? cn_value_number(what, "tolerance") : 0.0;
    range->value = spaced(r, from, to, range->count);
    return range->value != NULL;
}

static bool read_ranges(cn_reading *r, const cn_value *params, cn_study *study)
{
    study->range_count = params->count;
    study->range = cn_reading_take(r, (size_t)params->count, sizeof *study->range);
    study->bisected = -1;
    for (int k = 0; study->range != NULL && k < params->count; k++) {
        if (!read_range(r, params->name[k], params->item[k], &study->range[k])) {
            return false;
        }
        if (study->range[k].kind == CN_RANGE_BISECT) {
            if (study->bisected >= 0) {
                cn_complain(r->report, params->item[k]->at,
                            "'%s' and '%s': only one param can be bisected at a time",
                            study->range[study->bisected].name, params->name[k]);
            }
            study->bisected = k;
        }
    }
    return study->range != NULL;
}

static cn_study_probe read_probe(const char *name, const cn_value *given)
{
    return (cn_study_probe){.name = name,
                            .series = cn_value_text(given, "series"),
                            .take = (cn_take)cn_value_get(given, "take")->number};
}

static bool read_probes(cn_reading *r, const cn_value *report, cn_study *study)
{
    study->probe_count = report->count;
    study->probe = cn_reading_take(r, (size_t)report->count, sizeof *study->probe);
    for (int k = 0; study->probe != NULL && k < report->count; k++) {
        study->probe[k] = read_probe(report->name[k], report->item[k]);
    }
    return study->probe != NULL;
}

static void read_verdict(cn_reading *r, const cn_value *root, cn_study *study)
{
    const cn_value *fails = cn_value_get(root, "fails_when");
    if (fails == NULL) {
        if (study->bisected >= 0) {
            cn_complain(r->report, root->at,
                        "'%s' is bisected, but nothing says what failure is: add fails_when, e.g. "
                        "fails_when: stopped",
                        study->range[study->bisected].name);
        }
        return;
    }
    study->fails_when_stopped = strcmp(fails->name[0], "stopped") == 0;
    if (!study->fails_when_stopped) {
        const cn_value *value = fails->item[0];
        study->fails_by_series = true;
        study->verdict = read_probe("fails_when", value);
        study->below = cn_value_number(value, "below");
        study->above = cn_value_number(value, "above");
        if (isnan(study->below) && isnan(study->above)) {
            cn_complain(r->report, value->at, "give a limit: above, below or both");
        }
    }
}

// Number of lines and of runs per line, within what is sensible.
static void count_runs(cn_reading *r, const cn_value *params, cn_study *study)
{
    double lines = 1.0;
    bool is_drawn = false;
    const cn_study_range *first = NULL; // of the lists that go together
    for (int k = 0; k < study->range_count; k++) {
        const cn_study_range *range = &study->range[k];
        is_drawn = is_drawn || range->kind == CN_RANGE_UNIFORM;
        if (range->kind != CN_RANGE_LIST) {
            continue;
        }
        if (study->is_together && first != NULL && range->count != first->count) {
            cn_complain(
                r->report, params->item[k]->at,
                "combine: together wants lists of equal length, but '%s' has %d and '%s' %d",
                first->name, first->count, range->name, range->count);
        }
        lines *= study->is_together && first != NULL ? 1.0 : (double)range->count;
        first = first == NULL ? range : first;
    }
    lines *= is_drawn ? study->draw_count : 1.0;
    study->run_max = 1;
    if (study->bisected >= 0) {
        const cn_study_range *b = &study->range[study->bisected];
        double halvings = ceil(log2(fabs(b->value[1] - b->value[0]) / b->tolerance));
        study->run_max = 2 + (int)fmin(fmax(halvings, 0.0), 60.0);
    }
    if (lines * study->run_max > CN_STUDY_RUN_MAX) {
        cn_complain(r->report, params->at, "%.0f runs are more than %d: split the study",
                    lines * study->run_max, CN_STUDY_RUN_MAX);
        return;
    }
    study->line_count = (int)lines;
}

// The range over which failure is fitted. Intensities are positive, and if one param is bisected it
// is that one.
static void read_fragility(cn_reading *r, const cn_value *root, cn_study *study)
{
    const cn_value *name = cn_value_get(root, "fragility");
    study->fragility = -1;
    for (int k = 0; name != NULL && k < study->range_count; k++) {
        study->fragility = strcmp(study->range[k].name, name->text) == 0 ? k : study->fragility;
    }
    if (name == NULL) {
        return;
    }
    if (study->fragility < 0) {
        cn_complain(r->report, name->at, "'%.60s' is not a param of this study", name->text);
        return;
    }
    const cn_study_range *range = &study->range[study->fragility];
    bool is_positive = true;
    for (int k = 0; k < range->count; k++) {
        is_positive = is_positive && range->value[k] > 0.0;
    }
    if (!is_positive && range->kind != CN_RANGE_BISECT) {
        cn_complain(r->report, name->at, "an intensity is > 0, '%.60s' has other values",
                    name->text);
    }
    if (study->bisected >= 0 && study->bisected != study->fragility) {
        cn_complain(r->report, name->at, "'%.60s' is bisected: the fragility is over that one",
                    study->range[study->bisected].name);
    }
    if (!study->fails_when_stopped && !study->fails_by_series) {
        cn_complain(r->report, name->at, "a fragility needs 'fails_when'");
    }
}

// Path of the scene from the folder of the study.
static const char *scene_path(cn_reading *r, const char *study, const char *scene)
{
    const char *slash = strrchr(study, '/');
    int folder = scene[0] == '/' || slash == NULL ? 0 : (int)(slash - study + 1);
    return cn_arena_print(r->arena, r->err, "%.*s%s", folder, study, scene);
}

// False without memory; problems of the file are in the report.
static bool make_study(cn_reading *r, const char *path, const cn_value *root, cn_study *study)
{
    const cn_value *params = cn_value_get(root, "params");
    const char *title = cn_value_text(root, "title");
    study->title = title != NULL ? title : "";
    study->scene = scene_path(r, path, cn_value_text(root, "scene"));
    study->is_together = cn_value_get(root, "combine")->number == 1.0;
    study->draw_count = (int)cn_value_number(root, "draws");
    study->seed = (uint64_t)cn_value_number(root, "seed");
    if (params->count == 0) {
        cn_complain(r->report, params->at, "a study varies at least one param");
        return true;
    }
    if (study->scene == NULL || !read_ranges(r, params, study) ||
        !read_probes(r, cn_value_get(root, "report"), study)) {
        return false;
    }
    read_verdict(r, root, study);
    read_fragility(r, root, study);
    if (r->report->count == 0) {
        count_runs(r, params, study);
    }
    return true;
}

static cn_status read_study(const char *path, cn_report *report, cn_study *study, cn_error *err)
{
    cn_reading r = {
        .arena = &study->arena, .tree = &study->arena, .report = report, .err = err, .dim = 2};
    cn_source *source = cn_arena_take(&study->arena, 1, sizeof *source, err);
    if (source == NULL) {
        return CN_NO_MEMORY;
    }
    source->name = path;
    CN_TRY(
        cn_file_read(path, CN_SCENE_BYTES_MAX, &study->arena, &source->text, &source->length, err));
    study->hash = cn_hash_bytes(cn_mix(source->length), source->text, source->length);
    const cn_node *root = NULL;
    CN_TRY(cn_node_parse(source, &study->arena, &study->arena, report, &root, err));
    if (root == NULL && report->count == 0) {
        cn_complain(report, (cn_place){source, 1, 1}, "the file is empty");
    }
    if (root != NULL && report->count == 0) {
        const cn_value *value = cn_value_read_section(&r, root, cn_section_study(), NULL);
        if (value != NULL && report->count == 0 && !make_study(&r, path, value, study)) {
            return CN_NO_MEMORY;
        }
    }
    return r.status != CN_OK ? r.status : cn_report_status(report, path, err);
}

cn_status cn_study_load(const char *path, cn_tell *told, void *context, cn_study **study,
                        cn_error *err)
{
    CN_NEED(err, path, study);
    cn_report report = {.told = told, .context = context};
    cn_study *made = calloc(1, sizeof *made);
    cn_plain_locale locale;
    *study = NULL;
    if (made == NULL || !cn_plain_begin(&locale)) {
        free(made);
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a study");
    }
    cn_status status = read_study(path, &report, made, err);
    cn_plain_end(&locale);
    if (status != CN_OK) {
        cn_study_destroy(made);
        return status;
    }
    *study = made;
    return CN_OK;
}

void cn_study_destroy(cn_study *study)
{
    if (study != NULL) {
        cn_arena_free(&study->arena);
        free(study);
    }
}

const char *cn_study_title(const cn_study *study)
{
    return study != NULL ? study->title : NULL;
}

const char *cn_study_scene(const cn_study *study)
{
    return study != NULL ? study->scene : NULL;
}

uint64_t cn_study_hash(const cn_study *study)
{
    return study != NULL ? study->hash : 0;
}

int cn_study_param_count(const cn_study *study)
{
    return study != NULL ? study->range_count : 0;
}

const char *cn_study_param(const cn_study *study, int k)
{
    return k >= 0 && k < cn_study_param_count(study) ? study->range[k].name : NULL;
}

int cn_study_report_count(const cn_study *study)
{
    return study != NULL ? study->probe_count : 0;
}

const char *cn_study_report(const cn_study *study, int k)
{
    return k >= 0 && k < cn_study_report_count(study) ? study->probe[k].name : NULL;
}
