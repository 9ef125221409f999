// cli/export.c -- cairn export: results for other programs.
#include "command.h"

#include <string.h>
#include <sys/stat.h>

typedef struct export_args {
    cn_operands operands;
    const char *folder, *formats;
    int frame;
    bool to_paraview, to_csv, to_obj, to_html;
} export_args;

static const cn_option options[] = {
    CN_OPTION(0, "to", "FORMATS", "paraview, csv, obj, xyz, compas, html; several with commas",
              export_args, formats),
    CN_FLAG(0, "paraview", "VTK files and .pvd collections, one per frame", export_args,
            to_paraview),
    CN_FLAG(0, "csv", "tables of steps, bodies and contacts", export_args, to_csv),
    CN_FLAG(0, "obj", "outlines of one frame as Wavefront OBJ", export_args, to_obj),
    CN_FLAG(0, "html", "the viewer and all frames as one page for a browser", export_args, to_html),
    CN_OPTION(0, "frame", "N", "frame for obj and compas, negative from the end; default: last",
              export_args, frame),
    CN_OPTION('o', "output", "FOLDER", "folder to write; default: name of the result", export_args,
              folder),
    {0},
};

static cn_status export_html(cn_reader *reader, const char *folder, cn_error *err)
{
    char path[1200];
    mkdir(folder, 0777); // if it cannot be made, writing the file says why
    snprintf(path, sizeof path, "%s/view.html", folder);
    cn_status status = cn_export_html(reader, path, err);
    if (status == CN_OK) {
        printf("%s\n", path);
    }
    return status;
}

// Whether a name is in a list of names between commas.
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static bool is_asked(const export_args *args, const char *format)
{
    return (args->to_paraview && strcmp(format, "paraview") == 0) ||
           (args->to_csv && strcmp(format, "csv") == 0) ||
           (args->to_obj && strcmp(format, "obj") == 0) ||
           (args->to_html && strcmp(format, "html") == 0) || is_listed(args->formats, format);
}

// Number of formats that are asked for; those of --to must exist.
static int count_asked(const export_args *args, bool *is_known)
{
    int asked = is_asked(args, "html"), listed = is_listed(args->formats, "html"), words = 0;
    for (int k = 0; k < cn_export_format_count(); k++) {
        asked += is_asked(args, cn_export_format_at(k)->name);
        listed += is_listed(args->formats, cn_export_format_at(k)->name);
    }
    for (const char *at = args->formats; at != NULL; at = strchr(at + 1, ',')) {
        words++;
    }
    *is_known = words == listed;
    return asked;
}

static cn_status export_all(cn_reader *reader, const export_args *args, const char *folder,
                            cn_error *err)
{
    const cn_export_def def = {folder, args->frame, cn_tell_file, stdout};
    cn_status status = CN_OK;
    for (int k = 0; k < cn_export_format_count() && status == CN_OK; k++) {
        const cn_export_format *format = cn_export_format_at(k);
        if (is_asked(args, format->name)) {
            status = format->write(reader, &def, err);
        }
    }
    return status == CN_OK && is_asked(args, "html") ? export_html(reader, folder, err) : status;
}

static int run(void *given)
{
    const export_args *args = given;
    bool is_known;
    if (count_asked(args, &is_known) == 0 || !is_known) {
        return cn_usage_error(&cn_command_export,
                              "choose --paraview, --csv, --obj, --html or --to with names of "
                              "paraview, csv, obj, xyz, compas, html");
    }
    cn_reader *reader = NULL;
    int code = cn_command_open(&cn_command_export, args->operands.item[0], &reader);
    if (code != CN_PARSE_GO) {
        return code;
    }
    char name[1024];
    const char *folder = args->folder != NULL
                             ? args->folder
                             : cn_derive_name(args->operands.item[0], "-export", name, sizeof name);
    cn_error err = {0};
    cn_status status = export_all(reader, args, folder, &err);
    cn_reader_close(reader);
    return cn_command_fail(&cn_command_export, status, &err);
}

const cn_command cn_command_export = {
    .name = "export",
    .operands = "RESULT",
    .operand_least = 1,
    .operand_most = 1,
    .help = "convert a result for ParaView, OVITO, spreadsheets, modellers or browsers",
    .details = "Prints the name of every file that a program would open first.",
    .option = options,
    .args_size = sizeof(export_args),
    .defaults = &(const export_args){.frame = -1},
    .run = run,
};
