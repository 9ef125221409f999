// cli/export.c -- cairn export: results for other programs.
#include "command.h"

#include <sys/stat.h>

typedef struct export_args {
    cn_operands operands;
    const char *folder;
    int frame;
    bool to_paraview, to_csv, to_obj, to_html;
} export_args;

static const cn_option options[] = {
    {0, "paraview", CN_OPTION_FLAG, NULL, "VTK files and .pvd collections, one per frame",
     offsetof(export_args, to_paraview)},
    {0, "csv", CN_OPTION_FLAG, NULL, "tables of steps, bodies and contacts",
     offsetof(export_args, to_csv)},
    {0, "obj", CN_OPTION_FLAG, NULL, "outlines of one frame as Wavefront OBJ",
     offsetof(export_args, to_obj)},
    {0, "html", CN_OPTION_FLAG, NULL, "the viewer and all frames as one page for a browser",
     offsetof(export_args, to_html)},
    {0, "frame", CN_OPTION_INTEGER, "N", "frame for --obj, negative from the end; default: last",
     offsetof(export_args, frame)},
    {'o', "output", CN_OPTION_TEXT, "FOLDER", "folder to write; default: name of the result",
     offsetof(export_args, folder)},
    {0},
};

static cn_status export_obj(cn_reader *reader, const export_args *args, const char *folder,
                            cn_error *err)
{
    char path[1200];
    mkdir(folder, 0777); // if it cannot be made, writing the file says why
    snprintf(path, sizeof path, "%s/frame.obj", folder);
    cn_status status = cn_export_obj(reader, args->frame, path, err);
    if (status == CN_OK) {
        printf("%s\n", path);
    }
    return status;
}

static cn_status export_html(cn_reader *reader, const char *folder, cn_error *err)
{
    char path[1200];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/view.html", folder);
    cn_status status = cn_export_html(reader, path, err);
    if (status == CN_OK) {
        printf("%s\n", path);
    }
    return status;
}

static cn_status export_all(cn_reader *reader, const export_args *args, const char *folder,
                            cn_error *err)
{
    cn_status status = CN_OK;
    if (args->to_paraview) {
        status = cn_export_paraview(reader, folder, cn_tell_file, stdout, err);
    }
    if (status == CN_OK && args->to_csv) {
        status = cn_export_csv(reader, folder, cn_tell_file, stdout, err);
    }
    if (status == CN_OK && args->to_obj) {
        status = export_obj(reader, args, folder, err);
    }
    if (status == CN_OK && args->to_html) {
        status = export_html(reader, folder, err);
    }
    return status;
}

static int run(int argc, char **argv)
{
    export_args args = {.frame = -1};
    int code = cn_options_parse(&cn_command_export, argc, argv, &args);
    if (code == CN_PARSE_GO && !args.to_paraview && !args.to_csv && !args.to_obj && !args.to_html) {
        code = cn_usage_error(&cn_command_export, "choose --paraview, --csv, --obj or --html");
    }
    cn_reader *reader = NULL;
    if (code == CN_PARSE_GO) {
        code = cn_command_open(&cn_command_export, args.operands.item[0], &reader);
    }
    if (code != CN_PARSE_GO) {
        return code;
    }
    char name[1024];
    const char *folder = args.folder != NULL
                             ? args.folder
                             : cn_derive_name(args.operands.item[0], "-export", name, sizeof name);
    cn_error err = {0};
    cn_status status = export_all(reader, &args, folder, &err);
    cn_reader_close(reader);
    return cn_command_fail(&cn_command_export, status, &err);
}

const cn_command cn_command_export = {
    .name = "export",
    .operands = "RESULT",
    .operand_least = 1,
    .operand_most = 1,
    .help = "convert a result for ParaView, spreadsheets, modellers or browsers",
    .details = "Prints the name of every file that a program would open first.",
    .option = options,
    .run = run,
};
