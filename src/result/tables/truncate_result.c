// result/tables/truncate_result.c
#include "result/tables/truncate_result.h"

#include "base/memory.h"

static cn_status frame_step(const cn_tables *t, int64_t row, int64_t *step, cn_error *err)
{
    cn_frame_row frame;
    CN_TRY(cn_table_read(&t->frame, row, 1, &frame, err));
    *step = frame.step;
    return CN_OK;
}

static cn_status history_step(const cn_tables *t, int64_t row, int64_t *step, cn_error *err)
{
    double value;
    CN_TRY(cn_long_read_column(&t->step, "step", row, 1, &value, err));
    if (!(value >= 0.0 && value < 0x1p53)) {
        return cn_fail(err, CN_BAD_INPUT, "%s: row %lld of the history has step number %g",
                       t->hdf->path, (long long)row, value);
    }
    *step = (int64_t)value;
    return CN_OK;
}

// Number of the first `count` rows whose step is not after `step`; steps never decrease.
static cn_status count_until(const cn_tables *t,
                             cn_status (*step_at)(const cn_tables *, int64_t, int64_t *,
                                                  cn_error *),
                             int64_t count, int64_t step, int64_t *kept, cn_error *err)
{
    int64_t low = 0;
    int64_t high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int64_t found = 0;
        CN_TRY(step_at(t, middle, &found, err));
        if (found <= step) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *kept = low;
    return CN_OK;
}

cn_status cn_kept_find(const cn_tables *t, int64_t step, cn_kept *kept, cn_error *err)
{
    CN_TRY(count_until(t, frame_step, t->frames_committed, step, &kept->frames, err));
    CN_TRY(count_until(t, history_step, t->steps_committed, step, &kept->steps, err));
    if (kept->frames == 0) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: these results start after step %lld, where the run is to continue",
                       t->hdf->path, (long long)step);
    }
    CN_TRY(cn_tables_frame_row(t, kept->frames - 1, &kept->last, err));
    int64_t reached = kept->last.step;
    if (kept->steps > 0) {
        int64_t history = 0;
        CN_TRY(history_step(t, kept->steps - 1, &history, err));
        reached = history > reached ? history : reached;
    }
    if (reached < step) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s: these results end at step %lld, before step %lld where the run is to "
                       "continue; give the continued run another result file",
                       t->hdf->path, (long long)reached, (long long)step);
    }
    return CN_OK;
}

// Written anew: as the present version stores it.
static cn_status copy_about(cn_hdf *from, cn_hdf *to, cn_error *err)
{
    static const char *const text[] = {
        "about/cairn_version", "about/title",     "about/scene_path", "about/scene_text",
        "about/command_line",  "about/body_names"}; // older files have no names
    static const struct {
        const char *name;
        cn_field_kind kind;
    } number[] = {{"about/seed", CN_FIELD_UINT64},
                  {"about/history", CN_FIELD_INT64},        // older files have a row for each step
                  {"about/contacts_every", CN_FIELD_INT64}, // and all contacts
                  {"about/is_reduced", CN_FIELD_INT32},
                  {"about/first_step", CN_FIELD_REAL},
                  {"about/dim", CN_FIELD_INT32}};
    for (size_t k = 0; k < sizeof text / sizeof text[0]; k++) {
        char *found;
        if (!cn_hdf_has(from, text[k])) {
            continue;
        }
        CN_TRY(cn_hdf_get_text(from, text[k], &found, err));
        cn_status status = cn_hdf_put_text(to, text[k], found, err);
        cn_release(NULL, found);
        CN_TRY(status);
    }
    for (size_t k = 0; k < sizeof number / sizeof number[0]; k++) {
        uint64_t value = 1;
        if (cn_hdf_has(from, number[k].name)) {
            CN_TRY(cn_hdf_get(from, number[k].name, number[k].kind, 1, &value, err));
        }
        CN_TRY(cn_hdf_put(to, number[k].name, number[k].kind, 1, &value, err));
    }
    return CN_OK;
}

cn_status cn_kept_copy(const cn_tables *from, const cn_kept *kept, cn_tables *to, cn_error *err)
{
    CN_TRY(copy_about(from->hdf, to->hdf, err));
    int32_t axes = 0;
    if (cn_hdf_has(from->hdf, "about/cell_axes")) {
        CN_TRY(cn_hdf_get(from->hdf, "about/cell_axes", CN_FIELD_INT32, 1, &axes, err));
        CN_TRY(cn_hdf_put(to->hdf, "about/cell_axes", CN_FIELD_INT32, 1, &axes, err));
    }
    for (int k = 0; k < cn_tables_count(); k++) {
        CN_TRY(cn_table_copy(cn_tables_at(from, k), cn_tables_rows(k, &kept->last, kept->frames),
                             cn_tables_at(to, k), err));
    }
    CN_TRY(cn_long_copy(&from->step, kept->steps, &to->step, err));
    CN_TRY(cn_table_copy(&from->series_name, from->series_count, &to->series_name, err));
    if (from->series_count > 0) {
        CN_TRY(cn_long_copy(&from->series, kept->steps, &to->series, err));
    }
    return cn_tables_commit(to, kept->frames, kept->steps, err);
}
