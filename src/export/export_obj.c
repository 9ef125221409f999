// export/export_obj.c -- one frame as a Wavefront OBJ file, one object per body, called as the
// body is; results in the
// plane have z = 0.
#include "base/memory.h"
#include "export/export.h"
#include "export/polygons.h"

static void print_polygon(cn_out *out, const cn_polygons *o, int n)
{
    for (int k = o->start[n]; k < o->start[n + 1]; k++) {
        const double *x = o->point + 3 * (size_t)k;
        cn_out_print(out, "v %.9g %.9g %.9g\n", x[0], x[1], x[2]);
    }
    cn_out_print(out, "f");
    for (int k = o->start[n]; k < o->start[n + 1]; k++) {
        cn_out_print(out, " %d", k + 1); // OBJ counts from 1
    }
    cn_out_print(out, "\n");
}

// By its name, so that the blocks of a file that are exported keep theirs.
static void print_object(cn_out *out, const cn_reader *reader, cn_body_id id)
{
    const char *name = cn_reader_body_name(reader, id);
    if (name != NULL) {
        cn_out_print(out, "o %s\n", name);
    } else {
        cn_out_print(out, "o body_%llu\n", (unsigned long long)id);
    }
}

static void print_polygons(cn_out *out, const cn_reader *reader, const cn_frame *f,
                           const cn_polygons *o)
{
    cn_out_print(out, "# cairn %s, frame %d, time %.9g s\n", cn_version(), f->index, f->time);
    int body = -1;
    for (int n = 0; n < o->count; n++) {
        if (o->body[n] != body) {
            body = o->body[n];
            print_object(out, reader, f->id[body]);
            cn_out_print(out, "g %s\n", cn_reader_group_name(reader, f->group[body]));
        }
        print_polygon(out, o, n);
    }
}

// Writes folder/name, or `name` alone if the folder is NULL.
static cn_status write_frame(cn_reader *reader, const cn_export_def *def, const char *name,
                             cn_error *err)
{
    cn_frame f;
    cn_polygons polygons = {0};
    cn_out out = {0};
    CN_TRY(cn_reader_frame(reader, def->frame, &f, err));
    cn_status status = cn_polygons_make(reader, &f, true, &polygons, err);
    CN_THEN(status, cn_out_open(def->folder, name, &out, err));
    if (status == CN_OK) {
        print_polygons(&out, reader, &f, &polygons);
        status = cn_out_close(&out, def->told, def->context, err);
    }
    cn_polygons_free(&polygons);
    return status;
}

cn_status cn_export_obj(cn_reader *reader, int frame, const char *path, cn_error *err)
{
    CN_NEED(err, reader, path);
    return write_frame(reader, &(cn_export_def){.frame = frame}, path, err);
}

static cn_status write_obj(cn_reader *reader, const cn_export_def *def, cn_error *err)
{
    CN_TRY(cn_out_folder(def->folder, err));
    return write_frame(reader, def, "frame.obj", err);
}

const cn_export_format cn_export_obj_format = {"obj", "outlines of one frame as Wavefront OBJ",
                                               write_obj};
