// export/table.c -- the formats that exist: a new one is its file and a line here.
#include <string.h>

#include "base/memory.h"
#include "export/export.h"

static const cn_export_format *const format_table[] = {
    &cn_export_paraview_format, &cn_export_csv_format,    &cn_export_obj_format,
    &cn_export_xyz_format,      &cn_export_compas_format,
};

int cn_export_format_count(void)
{
    return (int)(sizeof format_table / sizeof *format_table);
}

const cn_export_format *cn_export_format_at(int k)
{
    return k >= 0 && k < cn_export_format_count() ? format_table[k] : NULL;
}

cn_status cn_export(cn_reader *reader, const char *format, const cn_export_def *def, cn_error *err)
{
    CN_NEED(err, reader, format, def);
    CN_NEED(err, def->folder);
    for (int k = 0; k < cn_export_format_count(); k++) {
        if (strcmp(format_table[k]->name, format) == 0) {
            return format_table[k]->write(reader, def, err);
        }
    }
    return cn_fail(err, CN_BAD_INPUT, "there is no export format '%s'", format);
}
