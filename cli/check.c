// cli/check.c -- cairn check: reads a scene, looks at its bodies and contacts, runs nothing; writes
// a repaired copy on request. Files of geometry are examined by geometry.c.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    {0, "fix", CN_OPTION_FLAG, NULL, "write a repaired copy and tell each repair",
     offsetof(check_args, geometry.is_fixed)},
    {'o', "output", CN_OPTION_TEXT, "FILE", "the repaired copy: a scene, or .stl or .obj",
     offsetof(check_args, geometry.output)},
    {0, "weld", CN_OPTION_NUMBER, "METRES", "geometry: join vertices at most this far apart",
     offsetof(check_args, geometry.weld)},
    {0, "scale", CN_OPTION_NUMBER, "METRES", "geometry: unit of the file, 0.001 for millimetres",
     offsetof(check_args, geometry.scale)},
    {0, "json", CN_OPTION_FLAG, NULL, "geometry: print the report as JSON",
     offsetof(check_args, geometry.as_json)},
    {0},
};

// Lines of a text that grows.
typedef struct page {
    char *text;
    size_t length;
    FILE *out;
} page;

static void keep_line(void *context, const char *line)
{
    fprintf(((page *)context)->out, "%s\n", line);
}

// The scene as text, NULL without memory.
static char *text_of(const cn_scene *scene, size_t *length, cn_error *err)
{
    page p = {0};
    p.out = open_memstream(&p.text, &p.length);
    if (p.out == NULL) {
        return NULL;
    }
    cn_status status = cn_scene_explain(scene, keep_line, &p, err);
    if (fclose(p.out) != 0 || status != CN_OK) {
        free(p.text);
        return NULL;
    }
    *length = p.length;
    return p.text;
}

// All or nothing: the copy gets its name once it is complete.
static int save(const char *path, const char *text, size_t length)
{
    char part[4096];
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part) {
        errno = ENAMETOOLONG;
        return errno;
    }
    FILE *out = fopen(part, "w");
    if (out == NULL) {
        return errno;
    }
    bool is_whole = fwrite(text, 1, length, out) == length;
    is_whole = fclose(out) == 0 && is_whole;
    if (!is_whole || rename(part, path) != 0) {
        int why = errno;
        remove(part);
        return why;
    }
    return 0;
}

// Repairs, looks at the copy as if it had been read, and saves it if it can be read at all.
static int fix_scene(cn_scene *scene, const char *output)
{
    cn_error err = {0};
    cn_scene *copy = NULL;
    size_t length = 0;
    int moved = 0;
    cn_status status = cn_scene_repair(scene, cn_tell_file, stdout, &moved, &err);
    char *text = status == CN_OK ? text_of(scene, &length, &err) : NULL;
    status = status == CN_OK && text == NULL ? CN_NO_MEMORY : status;
    if (status == CN_OK) {
        status = cn_scene_parse(output, text, length, NULL, 0, cn_tell_file, stderr, &copy, &err);
    }
    int code = cn_command_fail(&cn_command_check, status, &err);
    if (status == CN_OK) {
        status = cn_scene_check(copy, cn_tell_file, stdout, &err);
        code = cn_command_fail(&cn_command_check, status, &err);
        int why = save(output, text, length);
        if (why != 0) {
            fprintf(stderr, "cairn check: error: cannot write '%s': %s\n", output, strerror(why));
            code = CN_EXIT_IO;
        } else {
            printf("wrote %s, %d %s moved\n", output, moved, moved == 1 ? "entry" : "entries");
        }
        if (status != CN_OK) {
            printf(
                "not repaired: overlaps deeper than a tenth of a body, and bodies that are held, "
                "joined or placed by others\n");
        }
    }
    cn_scene_destroy(copy);
    free(text);
    return code;
}

static int check_scene_args(const check_args *args)
{
    const cn_geometry_args *g = &args->geometry;
    const char *path = args->operands.item[0];
    if (g->as_json || g->weld != 0.0 || g->scale != 1.0) {
        return cn_usage_error(&cn_command_check,
                              "--weld, --scale and --json are for geometry files "
                              "(.stl .obj .ply .msh), not for the scene '%s'",
                              path);
    }
    if (g->is_fixed != (g->output != NULL)) {
        return cn_usage_error(&cn_command_check,
                              "--fix and -o FILE go together: the copy needs a name");
    }
    if (g->is_fixed && cn_surface_format_of(g->output) != CN_SURFACE_FORMAT_COUNT) {
        return cn_usage_error(&cn_command_check,
                              "the repaired copy of a scene is a scene, it cannot be '%s'",
                              g->output);
    }
    if (g->is_fixed && args->is_explained) {
        return cn_usage_error(&cn_command_check, "--fix and --explain do not go together");
    }
    if (g->is_fixed && cn_is_same_file(path, g->output)) {
        return cn_usage_error(&cn_command_check,
                              "--output is the input '%s': give the copy another name", path);
    }
    return CN_PARSE_GO;
}

static int check_scene(check_args *args)
{
    const cn_geometry_args *g = &args->geometry;
    cn_scene *scene = NULL;
    int code = check_scene_args(args);
    if (code == CN_PARSE_GO) {
        code = cn_command_load(&cn_command_check, args->operands.item[0], &args->define, &scene);
    }
    if (code == CN_PARSE_GO && g->is_fixed) {
        code = fix_scene(scene, g->output);
    } else if (code == CN_PARSE_GO) {
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
        "printed as YAML; it runs to the same result. With --fix -o FILE that complete scene is\n"
        "written with bodies moved until faces that overlap or nearly touch just touch; or the\n"
        "surface without its defects. Exit code 3 if errors remain.",
    .option = options,
    .run = run,
};
