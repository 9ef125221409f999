// export/export.h -- what all exports share: folders, files that tell when they cannot be written.
#pragma once

#include "base/shared.h"
#include "base/whole_file.h"
#include "cairn/result.h"

// A file being written. The first failure is kept and reported when it is closed.
typedef struct cn_out {
    cn_whole whole;
    char *path;
    int code; // errno of the first failure
} cn_out;

// Opens folder/name, or `name` alone if folder is NULL.
CN_SHARED cn_status cn_out_open(const char *folder, const char *name, cn_out *out, cn_error *err);
CN_SHARED void cn_out_print(cn_out *out, const char *format, ...) CN_PRINTF(2, 3);
CN_SHARED void cn_out_bytes(cn_out *out, const void *bytes, size_t size);

// Puts the file in its place; frees in any case. `told` (may be NULL) is given the path.
cn_status cn_out_close(cn_out *out, cn_tell *told, void *context, cn_error *err);

// Leaves nothing of it.
void cn_out_drop(cn_out *out);

// Closes several files after a job that ended with `status`; the first failure counts.
CN_SHARED cn_status cn_out_close_all(cn_status status, cn_out *out, int count, cn_tell *told,
                                     void *context, cn_error *err);

// Makes the folder, with those above it.
cn_status cn_out_folder(const char *folder, cn_error *err);

const char *cn_contact_status_name(int status);

// The formats (table.c).
extern const cn_export_format cn_export_paraview_format, cn_export_csv_format;
extern const cn_export_format cn_export_obj_format, cn_export_xyz_format, cn_export_compas_format;

// Tables of nodes.csv and moments.csv (export_nodes.c).
cn_status cn_export_nodes(cn_reader *reader, cn_out *out, cn_error *err);
cn_status cn_export_moments(cn_reader *reader, cn_out *out, cn_error *err);
