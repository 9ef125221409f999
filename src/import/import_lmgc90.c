// import/import_lmgc90.c -- a DATBOX folder of LMGC90 becomes a scene: read, place, write, and let
// the reader of scenes judge what was written.
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/whole_file.h"
#include "cairn/scene.h"
#include "import/importing.h"
#include "scene/check/check_overlap.h"

cn_import_settings cn_import_settings_default(void)
{
    return (cn_import_settings){.step = NAN,
                                .theta = NAN,
                                .duration = NAN,
                                .steps = NAN,
                                .every = NAN,
                                .period = {NAN, NAN}};
}

static void say(const cn_importing *m, const char *format, ...) CN_PRINTF(2, 3);
static void say(const cn_importing *m, const char *format, ...)
{
    char line[900];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (m->def->told != NULL) {
        m->def->told(m->def->context, line);
    }
}

// The smallest radius or half edge: of it and gravity a step is proposed.
static double smallest_size(const cn_importing *m)
{
    double least = INFINITY;
    for (size_t k = 0; k < m->box.contactor.count; k++) {
        double size = m->box.contactor.item[k].size[0];
        least = size > 0.0 ? fmin(least, size) : least;
    }
    return least;
}

static cn_status settle_time(cn_importing *m, cn_error *err)
{
    cn_import_settings *s = &m->set;
    double g =
        fmax(fabs(m->box.gravity[0]), fmax(fabs(m->box.gravity[1]), fabs(m->box.gravity[2])));
    double size = smallest_size(m), proposed = 0.1 * sqrt(size / g);
    if (isnan(s->step)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "the time step is in the command script only: give the script, or --step "
                       "(and --steps); by size and gravity --step %.1g may do",
                       isfinite(proposed) && proposed > 0.0 ? proposed : 1e-3);
    }
    if (isnan(s->duration) && isnan(s->steps)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "how long it lasts is in the command script only: give "
                       "the script, --steps or --duration");
    }
    s->duration = isnan(s->duration) ? s->steps * s->step : s->duration;
    if (!(s->step > 0.0) || !(s->duration > 0.0)) {
        return cn_fail(err, CN_BAD_INPUT, "step and duration must be above 0, got %g s and %g s",
                       s->step, s->duration);
    }
    if (isnan(s->theta)) {
        s->theta = 0.5;
        cn_import_changed(m, (cn_place){0}, "theta is not given: 0.5");
    }
    return CN_OK;
}

static void refuse_rest(cn_importing *m)
{
    if (!isnan(m->set.period[0]) && m->meshes.count > 0) {
        cn_import_lost(m, (cn_place){0}, "the period of %g m: cells hold rigid bodies",
                       m->set.period[0]);
        m->set.period[0] = m->set.period[1] = NAN;
    }
    if (m->box.see.count == 0) {
        cn_import_changed(m, (cn_place){0}, "the see table is empty: nothing meets");
    }
    if (m->box.has_contacts) {
        cn_import_changed(m, (cn_place){0},
                          "Vloc_Rloc.INI is not used: impulses of the first step "
                          "are found anew");
    }
    if (m->box.has_stresses) {
        cn_import_lost(m, (cn_place){0}, "stresses of GPV.INI");
    }
}

// ---- files

static cn_status make_folder(const char *path, cn_error *err)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return cn_fail(err, CN_IO, "cannot make the folder '%s': %s", path, strerror(errno));
    }
    return CN_OK;
}

static cn_status save(const char *path, const char *text, size_t length, cn_error *err)
{
    cn_whole whole;
    CN_TRY(cn_whole_open(path, &whole, err));
    fwrite(text, 1, length, whole.file);
    return cn_whole_commit(&whole, err);
}

// The files beside the scene have names that begin with that of the scene.
static cn_status save_files(cn_importing *m, cn_error *err)
{
    const char *base = strrchr(m->def->scene, '/');
    int length = base == NULL ? 0 : (int)(base + 1 - m->def->scene);
    for (size_t k = 0; k < m->files.count; k++) {
        const cn_import_file *file = m->files.item[k];
        char *path = cn_arena_print(&m->arena, err, "%.*s%s", length, m->def->scene, file->path);
        if (path == NULL) {
            return CN_NO_MEMORY;
        }
        char *slash = strrchr(path + length, '/');
        if (slash != NULL) {
            *slash = '\0';
            CN_TRY(make_folder(path, err));
            *slash = '/';
        }
        CN_TRY(save(path, file->text, file->length, err));
    }
    return CN_OK;
}

static void close_files(cn_importing *m)
{
    for (size_t k = 0; k < m->files.count; k++) {
        fclose(m->files.item[k]->file);
        m->files.item[k]->file = NULL;
    }
}

// ---- the judge

static cn_status deepest_overlap(const cn_scene *scene, double *deepest, cn_error *err)
{
    cn_world *w = NULL;
    cn_meeting *meeting = NULL;
    int count = 0;
    CN_TRY(cn_scene_bare_world(scene, 1, &w, err));
    cn_status status = cn_scene_meetings(scene, w, false, &meeting, &count, err);
    *deepest = 0.0;
    for (int k = 0; k < count && status == CN_OK; k++) {
        *deepest = fmax(*deepest, -meeting[k].least / meeting[k].size);
    }
    free(meeting);
    cn_world_destroy(w);
    return status;
}

// Reads the scene as it was written. What the importer wrote must be a scene.
static cn_status judge(cn_importing *m, const char *text, size_t length, cn_error *err)
{
    const cn_scene_source source = {.name = m->def->scene, .text = text, .length = length};
    cn_scene *scene = NULL;
    CN_TRY(cn_scene_read(&source, m->def->told, m->def->context, &scene, err));
    cn_status status = deepest_overlap(scene, &m->overlap, err);
    cn_scene_destroy(scene);
    return status;
}

// Nothing stays of a scene that was not accepted.
static void remove_files(cn_importing *m)
{
    const char *base = strrchr(m->def->scene, '/');
    int length = base == NULL ? 0 : (int)(base + 1 - m->def->scene);
    for (size_t k = 0; k < m->files.count; k++) {
        char *path = cn_arena_print(&m->arena, NULL, "%.*s%s", length, m->def->scene,
                                    m->files.item[k]->path);
        if (path != NULL) {
            remove(path);
        }
    }
}

static cn_status publish(cn_importing *m, char **text, size_t *length, cn_error *err)
{
    close_files(m);
    cn_status status = save_files(m, err);
    cn_import_forget(m); // a hundred thousand bodies are there once only
    CN_THEN(status, judge(m, *text, *length, err));
    if (status != CN_OK) {
        remove_files(m);
        return status;
    }
    if (m->overlap > 0.01) {
        cn_import_changed(m, (cn_place){0},
                          "bodies overlap at the start by up to %.2g of the smaller one; they keep "
                          "that: overlap_max",
                          m->overlap);
        CN_TRY(cn_import_add_overlap(1.01 * m->overlap, text, length, err));
    }
    return save(m->def->scene, *text, *length, err);
}

static void tell_notes(const cn_importing *m, bool is_lost, const char *title)
{
    bool is_open = false;
    for (size_t k = 0; k < m->notes.count; k++) {
        const cn_import_note *n = &m->notes.item[k];
        if (n->is_lost != is_lost) {
            continue;
        }
        if (!is_open) {
            say(m, "%s:", title);
            is_open = true;
        }
        if (n->count > 1) {
            say(m, "  %s (and %d more like it)", n->first, n->count - 1);
        } else {
            say(m, "  %s", n->first);
        }
    }
}

static void tell_all(const cn_importing *m)
{
    say(m,
        "taken over: %d rigid bodies and %d meshes in %d groups, %d laws, %d lines of the see "
        "table, %d driven "
        "or loaded degrees of freedom",
        (int)m->rigid.count, (int)m->meshes.count, (int)m->sets.count, (int)m->box.law.count,
        (int)m->box.see.count, (int)m->box.drive.count);
    say(m, "settings: step %g s, %g steps, theta %g%s%s", m->set.step,
        rint(m->set.duration / m->set.step), m->set.theta, m->script != NULL ? ", by " : "",
        m->script != NULL ? m->script : "");
    tell_notes(m, false, "changed");
    tell_notes(m, true, "not taken over");
}

static void count_notes(const cn_importing *m, cn_import_report *report)
{
    for (size_t k = 0; k < m->notes.count; k++) {
        int *count = m->notes.item[k].is_lost ? &report->lost_count : &report->changed_count;
        *count += m->notes.item[k].count;
    }
    report->body_count = (int)m->box.body.count;
}

static cn_status convert(cn_importing *m, cn_import_report *report, cn_error *err)
{
    char *text = NULL;
    size_t length = 0;
    m->dim = cn_datbox_dim(&m->box);
    CN_TRY(cn_import_read_script(m));
    CN_TRY(settle_time(m, err));
    cn_import_rigid(m);
    cn_import_sort_drives(m);
    cn_import_mesh_drives(m);
    cn_import_sets(m);
    refuse_rest(m);
    CN_TRY(m->status);
    cn_status status = cn_report_status(&m->report, m->box.folder, err);
    CN_THEN(status, cn_import_compose(m, &text, &length, err));
    count_notes(m, report);
    if (status == CN_OK && (report->lost_count == 0 || !m->def->is_strict)) {
        status = publish(m, &text, &length, err);
        *report = (cn_import_report){.is_written = status == CN_OK};
        count_notes(m, report);
    }
    free(text);
    if (status == CN_OK) {
        tell_all(m);
    }
    return status;
}

cn_status cn_import_lmgc90(const cn_import_def *def, cn_import_report *report, cn_error *err)
{
    CN_NEED(err, def, report);
    CN_NEED(err, def->folder, def->scene);
    cn_importing m = {.def = def,
                      .report = {.told = def->told, .context = def->context},
                      .set = def->given,
                      .err = err};
    *report = (cn_import_report){0};
    cn_status status = cn_datbox_read(def->folder, def->state, &m.arena, &m.report, &m.box, err);
    CN_THEN(status, convert(&m, report, err));
    cn_import_free(&m);
    return status;
}
