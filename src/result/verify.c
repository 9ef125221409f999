// result/verify.c -- a result file against its checksums: which datasets are damaged.
#include <stdio.h>

#include "base/memory.h"
#include "result/reader.h"

typedef struct verifying {
    cn_tell *told;
    void *context;
    int damaged;
} verifying;

static void tell(verifying *v, const char *name, const char *where)
{
    char line[256];
    snprintf(line, sizeof line, "%.60s is damaged%.160s", name, where);
    v->damaged++;
    if (v->told != NULL) {
        v->told(v->context, line);
    }
}

// Damage, or what else went wrong; only memory ends the work.
static cn_status note(verifying *v, const char *name, cn_status status, int64_t first, int64_t last)
{
    char where[100] = "";
    if (status == CN_NO_MEMORY) {
        return status;
    }
    if (first >= 0 && first == last) {
        snprintf(where, sizeof where, " in row %lld", (long long)first);
    } else if (first >= 0) {
        snprintf(where, sizeof where, " in rows %lld to %lld", (long long)first, (long long)last);
    }
    if (status != CN_OK || first >= 0) {
        tell(v, name, where);
    }
    return CN_OK;
}

static cn_status verify_table(verifying *v, const cn_table *t, int64_t rows, cn_error *err)
{
    int64_t first = -1, last = -1;
    if (t->dataset <= 0) {
        return CN_OK;
    }
    cn_status status = cn_table_verify(t, rows, &first, &last, err);
    return note(v, t->name, status, first, last);
}

static cn_status verify_long(verifying *v, const cn_long *t, cn_error *err)
{
    int64_t first = -1, last = -1;
    if (t->packed.dataset <= 0) {
        return CN_OK;
    }
    cn_status status = cn_long_verify(t, &first, &last, err);
    return note(v, t->packed.name, status, first, last);
}

// A number that older files do not have.
static cn_status verify_option(verifying *v, cn_hdf *hdf, const char *name, cn_field_kind kind,
                               cn_error *err)
{
    uint64_t word;
    return cn_hdf_has(hdf, name) ? note(v, name, cn_hdf_get(hdf, name, kind, 1, &word, err), -1, -1)
                                 : CN_OK;
}

static cn_status verify_about(verifying *v, cn_hdf *hdf, cn_error *err)
{
    static const char *const text[] = {
        "about/cairn_version", "about/title",     "about/scene_path", "about/scene_text",
        "about/command_line",  "about/body_names"}; // older files have no names
    uint64_t word;
    for (size_t k = 0; k < sizeof text / sizeof text[0]; k++) {
        char *found = NULL;
        if (!cn_hdf_has(hdf, text[k])) {
            continue;
        }
        cn_status status = cn_hdf_get_text(hdf, text[k], &found, err);
        cn_release(NULL, found);
        CN_TRY(note(v, text[k], status, -1, -1));
    }
    CN_TRY(note(v, "about/seed", cn_hdf_get(hdf, "about/seed", CN_FIELD_UINT64, 1, &word, err), -1,
                -1));
    CN_TRY(verify_option(v, hdf, "about/history", CN_FIELD_INT64, err));
    CN_TRY(verify_option(v, hdf, "about/contacts_every", CN_FIELD_INT64, err));
    CN_TRY(verify_option(v, hdf, "about/is_reduced", CN_FIELD_INT32, err));
    CN_TRY(verify_option(v, hdf, "about/cell_axes", CN_FIELD_INT32, err));
    return note(v, "about/first_step",
                cn_hdf_get(hdf, "about/first_step", CN_FIELD_REAL, 1, &word, err), -1, -1);
}

cn_status cn_reader_verify(cn_reader *reader, cn_tell *told, void *context, int *damaged,
                           cn_error *err)
{
    CN_NEED(err, reader, damaged);
    const cn_tables *t = &reader->tables;
    verifying v = {told, context, 0};
    cn_frame_row last;
    CN_TRY(verify_about(&v, t->hdf, err));
    bool has_last = cn_tables_frame_row(t, t->frames_committed - 1, &last, NULL) == CN_OK;
    for (int k = 0; k < cn_tables_count(); k++) {
        const cn_table *table = cn_tables_at(t, k);
        if (has_last || table == &t->frame) { // without it nobody knows which rows are used
            int64_t rows = cn_tables_rows(k, &last, t->frames_committed);
            CN_TRY(verify_table(&v, table, rows, err));
        }
    }
    CN_TRY(verify_long(&v, &t->step, err));
    CN_TRY(verify_long(&v, &t->series, err));
    CN_TRY(verify_table(&v, &t->series_name, t->series_count, err));
    CN_TRY(verify_table(&v, &t->end, 1, err));
    *damaged = v.damaged;
    return CN_OK;
}
