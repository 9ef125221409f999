// validation/scene_rig.c
#include "scene_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool book_step(void *context, const cn_progress *progress)
{
    cn_scene_trial *t = context;
    cn_book_step(t->book, progress->certificate, progress->ledger);
    t->deepest = fmax(t->deepest, progress->certificate->penetration_rel);
    return true;
}

static cn_status run(cn_scene_trial *t, const cn_scene_source *source, cn_error *err)
{
    cn_scene *scene = NULL;
    cn_run_report report = {0};
    cn_run_def def = cn_run_def_default();
    def.result_path = t->path;
    def.progress = book_step;
    def.context = t;
    def.dump_failed_max = 0;
    cn_status status = cn_scene_read(source, NULL, NULL, &scene, err);
    status = status == CN_OK ? cn_scene_run(scene, &def, &report, err) : status;
    cn_scene_destroy(scene);
    t->steps = report.steps;
    t->missed = report.nonconverged_steps;
    t->sweeps = report.sweeps;
    return status == CN_OK ? cn_reader_open(t->path, &t->reader, err) : status;
}

cn_scene_trial cn_scene_trial_run(cn_book *book, const char *text, double accuracy,
                                  const char *const set[CN_SCENE_SET_MAX])
{
    const char *folder = getenv("TMPDIR");
    cn_scene_trial t = {.book = book};
    cn_scene_source source = {.name = "scene of a case", .text = text, .define = set};
    cn_error err = {0};
    while (source.define_count < CN_SCENE_SET_MAX && set[source.define_count] != NULL) {
        source.define_count++;
    }
    snprintf(t.path, sizeof t.path, "%.40s/cairn-XXXXXX", folder != NULL ? folder : "/tmp");
    int file = mkstemp(t.path);
    cn_book_accuracy(book, accuracy);
    if (file < 0 || close(file) != 0) {
        cn_book_failure(book, "no room for the result of a scene");
    } else if (run(&t, &source, &err) != CN_OK) {
        cn_book_failure(book, err.text);
    }
    return t;
}

void cn_scene_trial_end(cn_scene_trial *t)
{
    cn_reader_close(t->reader);
    unlink(t->path);
    *t = (cn_scene_trial){.book = t->book};
}

static cn_column column_of(const cn_scene_trial *t, const char *name)
{
    cn_column column = {.count = 0};
    cn_error err = {0};
    if (t->reader != NULL && cn_reader_column(t->reader, name, &column, &err) != CN_OK) {
        cn_book_failure(t->book, err.text);
        column.count = 0;
    }
    return column;
}

double cn_scene_trial_mean(const cn_scene_trial *t, const char *column, double from, double to)
{
    cn_column time = column_of(t, "time"), what = column_of(t, column);
    double sum = 0.0;
    int64_t count = 0;
    for (int64_t n = 0; n < time.count && n < what.count; n++) {
        if (time.value[n] > from && time.value[n] <= to) {
            sum += what.value[n];
            count++;
        }
    }
    return count > 0 ? sum / (double)count : NAN;
}

double cn_scene_trial_last(const cn_scene_trial *t, const char *column)
{
    cn_column what = column_of(t, column);
    return what.count > 0 ? what.value[what.count - 1] : NAN;
}
