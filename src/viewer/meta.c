// viewer/meta.c -- what the frames of a run have in common, as JSON.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "result/reader.h"
#include "viewer/viewer_scene.h"

#define SCENE_TEXT_MAX 200000 // bytes shown in the viewer

// Bytes that are no UTF-8 become question marks, so that any file gives valid JSON.
static int utf8_length(const unsigned char *c)
{
    int length = c[0] < 0x80                   ? 1
                 : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                 : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                 : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                               : 0;
    for (int k = 1; k < length; k++) {
        if ((c[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    bool is_surrogate = c[0] == 0xed && length == 3 && c[1] >= 0xa0;
    bool is_overlong = (c[0] == 0xe0 && length == 3 && c[1] < 0xa0) ||
                       (c[0] == 0xf0 && length == 4 && c[1] < 0x90);
    bool is_beyond = c[0] == 0xf4 && length == 4 && c[1] >= 0x90;
    return is_surrogate || is_overlong || is_beyond ? 0 : length;
}

static void print_text(FILE *out, const char *text, size_t most)
{
    const unsigned char *c = (const unsigned char *)text;
    fputc('"', out);
    for (size_t done = 0; c[done] != '\0' && done < most;) {
        int length = utf8_length(c + done);
        if (length == 0) {
            fputc('?', out);
            length = 1;
        } else if (c[done] == '"' || c[done] == '\\') {
            fprintf(out, "\\%c", c[done]);
        } else if (c[done] < 0x20) {
            fprintf(out, "\\u%04x", c[done]);
        } else {
            fwrite(c + done, 1, (size_t)length, out);
        }
        done += (size_t)length;
    }
    fputc('"', out);
}

static void print_member(FILE *out, const char *key, const char *text)
{
    fprintf(out, ",\"%s\":", key);
    print_text(out, text, SCENE_TEXT_MAX);
}

static void print_number(FILE *out, double value)
{
    fprintf(out, isfinite(value) ? "%.17g" : "null", value);
}

static void print_groups(FILE *out, const cn_reader *r)
{
    fprintf(out, ",\"groups\":[");
    for (int k = 0; k < r->group_count; k++) {
        fputs(k > 0 ? "," : "", out);
        print_text(out, r->group[k].name, CN_NAME_SIZE);
    }
    fputc(']', out);
}

static void print_laws(FILE *out, const cn_reader *r)
{
    fprintf(out, ",\"laws\":[");
    for (int k = 0; k < r->law_count; k++) {
        fprintf(out, "%s{\"name\":", k > 0 ? "," : "");
        print_text(out, r->law[k].name, CN_NAME_SIZE);
        fprintf(out, ",\"states\":[");
        for (int n = 0; n < r->law[k].state_count; n++) {
            fputs(n > 0 ? "," : "", out);
            print_text(out, r->law[k].state_name[n], CN_NAME_SIZE);
        }
        fprintf(out, "]}");
    }
    fputc(']', out);
}

static void print_series(FILE *out, const cn_reader *r)
{
    fprintf(out, ",\"series\":[");
    for (int k = 0; k < r->column_count; k++) {
        fputs(k > 0 ? "," : "", out);
        print_text(out, r->column[k].name, 2 * CN_NAME_SIZE);
    }
    fputc(']', out);
}

// Times of the frames, and whether any has stresses at the nodes of meshes or a periodic cell.
static cn_status print_times(FILE *out, const cn_reader *r, cn_error *err)
{
    bool has_stress = false, has_cell = false;
    fprintf(out, ",\"times\":[");
    for (int k = 0; k < r->summary.frames; k++) {
        cn_frame_row row;
        CN_TRY(cn_tables_frame_row(&r->tables, k, &row, err));
        fputs(k > 0 ? "," : "", out);
        print_number(out, row.time);
        has_stress = has_stress || row.stress_count > 0;
        has_cell = has_cell || row.cell[0] > 0.0;
    }
    // Axes along which the cell repeats, as bits; all of them in files that do not tell.
    int32_t axes = 7;
    if (cn_hdf_has(r->tables.hdf, "about/cell_axes")) {
        CN_TRY(cn_hdf_get(r->tables.hdf, "about/cell_axes", CN_FIELD_INT32, 1, &axes, err));
    }
    fprintf(out, "],\"meshes\":%zu,\"stress\":%s,\"cell\":%d", r->mesh_map.count,
            has_stress ? "true" : "false", has_cell ? (int)axes : 0);
    return CN_OK;
}

static void print_summary(FILE *out, const cn_reader *r, bool is_live, const double origin[3])
{
    const cn_summary *s = &r->summary;
    fprintf(out, "{\"version\":%d,\"dim\":%d,\"frames\":%d,\"steps\":%lld,\"complete\":%s",
            CN_VIEWER_VERSION, s->dim, s->frames, (long long)s->steps,
            s->is_complete ? "true" : "false");
    fprintf(out, ",\"live\":%s", is_live ? "true" : "false");
    const char *slash = strrchr(r->tables.hdf->path, '/');
    print_member(out, "file", slash != NULL ? slash + 1 : r->tables.hdf->path);
    print_member(out, "title", s->title);
    print_member(out, "outcome", s->outcome);
    print_member(out, "scene_path", s->scene_path);
    print_member(out, "program", s->version);
    print_member(out, "scene", r->scene_text);
    fprintf(out, ",\"residual_max\":");
    print_number(out, s->residual_max);
    fprintf(out, ",\"penetration_max\":");
    print_number(out, s->penetration_max_m);
    fprintf(out, ",\"energy_error\":");
    print_number(out, s->energy_error);
    fprintf(out, ",\"nonconverged_steps\":%lld,\"state_hash\":\"%016llx\"",
            (long long)s->nonconverged_steps, (unsigned long long)s->state_hash);
    fprintf(out, ",\"origin\":[%.17g,%.17g,%.17g]", origin[0], origin[1], origin[2]);
}

cn_status cn_viewer_origin(cn_reader *reader, double origin[3], cn_error *err)
{
    cn_frame f;
    CN_TRY(cn_reader_frame(reader, 0, &f, err));
    double extent = 0.0, far = 0.0, middle[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < f.dim; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < f.body_count; i++) {
            double x = f.q[(size_t)f.q_size * (size_t)i + (size_t)k];
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (low <= high) {
            middle[k] = 0.5 * (low + high);
            extent = fmax(extent, high - low);
            far = fmax(far, fabs(middle[k]));
        }
    }
    for (int k = 0; k < 3; k++) {
        origin[k] = far > 100.0 * extent ? middle[k] : 0.0;
    }
    return CN_OK;
}

static cn_status print_all(FILE *out, cn_reader *r, bool is_live, cn_error *err)
{
    double origin[3];
    CN_TRY(cn_viewer_origin(r, origin, err));
    print_summary(out, r, is_live, origin);
    print_groups(out, r);
    print_laws(out, r);
    print_series(out, r);
    CN_TRY(print_times(out, r, err));
    fputc('}', out);
    return CN_OK;
}

cn_status cn_viewer_meta(cn_reader *reader, bool is_live, char **json, size_t *size, cn_error *err)
{
    *json = NULL;
    FILE *out = open_memstream(json, size);
    if (out == NULL) {
        return cn_reader_no_memory(reader, err);
    }
    cn_status status = print_all(out, reader, is_live, err);
    bool is_whole = ferror(out) == 0;
    is_whole = fclose(out) == 0 && is_whole;
    if (status == CN_OK && !is_whole) {
        status = cn_reader_no_memory(reader, err);
    }
    if (status != CN_OK) {
        free(*json);
        *json = NULL;
    }
    return status;
}
