// cli/check.c -- cairn check: reads a scene, looks at its bodies and contacts, runs nothing. Files
// of geometry are examined by geometry.c.
#include "command.h"

typedef struct check_args {
    cn_operands operands;
    cn_list define;
    bool is_explained;
    cn_geometry_args geometry;
} check_args;

static const cn_option options[] = {
    {'D', "define", CN_OPTION_LIST, "NAME=VALUE", "override a parameter of the scene",
     offsetof(check_args, define)},
    {0, "explain", CN_OPTION_FLAG, NULL, "print the scene with all defaults filled in",
     offsetof(check_args, is_explained)},
    {0, "fix", CN_OPTION_FLAG, NULL, "geometry: write a repaired copy and tell each repair",
     offsetof(check_args, geometry.is_fixed)},
    {'o', "output", CN_OPTION_TEXT, "FILE", "geometry: the repaired copy, .stl or .obj",
     offsetof(check_args, geometry.output)},
    {0, "weld", CN_OPTION_NUMBER, "METRES", "geometry: join vertices at most this far apart",
     offsetof(check_args, geometry.weld)},
    {0, "scale", CN_OPTION_NUMBER, "METRES", "geometry: unit of the file, 0.001 for millimetres",
     offsetof(check_args, geometry.scale)},
    {0, "json", CN_OPTION_FLAG, NULL, "geometry: print the report as JSON",
     offsetof(check_args, geometry.as_json)},
    {0},
};

static int check_scene(check_args *args)
{
    const cn_geometry_args *g = &args->geometry;
    if (g->is_fixed || g->as_json || g->output != NULL || g->weld != 0.0 || g->scale != 1.0) {
        return cn_usage_error(&cn_command_check,
                              "--fix, --output, --weld, --scale and --json are for geometry files "
                              "(.stl .obj .ply .msh), not for the scene '%s'",
                              args->operands.item[0]);
    }
    cn_scene *scene = NULL;
    int code = cn_command_load(&cn_command_check, args->operands.item[0], &args->define, &scene);
    if (code == CN_PARSE_GO) {
        cn_error err = {0};
        cn_status status = args->is_explained ? cn_scene_explain(scene, cn_tell_file, stdout, &err)
                                              : cn_scene_check(scene, cn_tell_file, stdout, &err);
        code = cn_command_fail(&cn_command_check, status, &err);
    }
    cn_scene_destroy(scene);
    return code;
}

static int run(int argc, char **argv)
{
    check_args args = {.geometry.scale = 1.0};
    int code = cn_options_parse(&cn_command_check, argc, argv, &args);
    if (code != CN_PARSE_GO) {
        return code;
    }
    const char *path = args.operands.item[0];
    if (cn_surface_format_of(path) == CN_SURFACE_FORMAT_COUNT) {
        return check_scene(&args);
    }
    if (args.define.count > 0 || args.is_explained) {
        return cn_usage_error(&cn_command_check,
                              "--define and --explain are for scenes, not for '%s'", path);
    }
    return cn_command_geometry(&cn_command_check, path, &args.geometry);
}

const cn_command cn_command_check = {
    .name = "check",
    .operands = "SCENE|GEOMETRY",
    .operand_least = 1,
    .operand_most = 1,
    .help = "check a scene (keys, masses, overlaps) or a geometry file",
    .details =
        "Exit code 3 if the scene cannot be run as it is, or if the surface of a geometry file\n"
        "(.stl .obj .ply .msh) does not bound a solid. With --explain the complete scene is\n"
        "printed as YAML; it runs to the same result.",
    .option = options,
    .run = run,
};
