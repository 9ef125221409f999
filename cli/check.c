// cli/check.c -- cairn check: reads a scene, looks at its bodies and contacts, runs nothing; writes
// a repaired copy on request. Files of geometry are examined by geometry.c.
#include <stdlib.h>
#include <string.h>

#include "command.h"

typedef struct check_args {
    cn_operands operands;
    cn_list define;
    bool is_explained, has_joints;
    cn_geometry_args geometry;
} check_args;

static const cn_option options[] = {
    CN_OPTION('D', "define", "NAME=VALUE", "override a parameter of the scene", check_args, define),
    CN_FLAG(0, "explain", "print the scene with all defaults filled in", check_args, is_explained),
    CN_FLAG(0, "joints", "list where bodies touch or nearly do; -o FILE: all of them as CSV",
            check_args, has_joints),
    CN_FLAG(0, "fix", "write a repaired copy, and its log to FILE.log", check_args,
            geometry.is_fixed),
    CN_OPTION('o', "output", "FILE", "the repaired copy: a scene, or .stl or .obj; or the joints",
              check_args, geometry.output),
    CN_OPTION_FROM(0, "weld", "METRES", "geometry: join vertices at most this far apart",
                   check_args, geometry.weld, 0, INFINITY),
    CN_OPTION_ABOVE(0, "scale", "METRES", "geometry: unit of the file, 0.001 for millimetres",
                    check_args, geometry.scale, 0),
    CN_FLAG(0, "json", "geometry: print the report as JSON", check_args, geometry.as_json),
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

// The copy is looked at as if it had been read, and saved if it can be read at all.
static int save_copy(const char *text, size_t length, int moved, const char *output,
                     cn_repair_log *log)
{
    cn_error err = {0};
    cn_scene *copy = NULL;
    cn_status status =
        cn_scene_read(&(cn_scene_source){.name = output, .text = text, .length = length},
                      cn_tell_file, stderr, &copy, &err);
    if (status != CN_OK) {
        return cn_command_fail(&cn_command_check, status, &err);
    }
    status = cn_scene_check(copy, cn_repair_log_tell, log, &err);
    int code = cn_command_fail(&cn_command_check, status, &err);
    cn_scene_destroy(copy);
    cn_error unsaved = {0};
    cn_status saved = cn_file_save(output, text, length, &unsaved);
    if (saved != CN_OK) {
        return cn_command_fail(&cn_command_check, saved, &unsaved);
    }
    if (status != CN_OK) {
        fprintf(log->kept, "%s\n", err.text);
        cn_repair_log_tell(log,
                           "not repaired: overlaps deeper than a tenth of a body, and bodies that "
                           "are held, joined or placed by others");
    }
    char count[64];
    snprintf(count, sizeof count, ", %d %s moved", moved, moved == 1 ? "entry" : "entries");
    cn_repair_log_wrote(log, output, count);
    return code;
}

static int fix_scene(cn_scene *scene, const char *output)
{
    cn_error err = {0};
    cn_repair_log log;
    if (!cn_repair_log_begin(&log, stdout)) {
        return cn_command_fail(&cn_command_check, CN_NO_MEMORY, &err);
    }
    size_t length = 0;
    int moved = 0;
    cn_status status = cn_scene_repair(scene, cn_repair_log_tell, &log, &moved, &err);
    char *text = status == CN_OK ? text_of(scene, &length, &err) : NULL;
    status = status == CN_OK && text == NULL ? CN_NO_MEMORY : status;
    int code = status == CN_OK ? save_copy(text, length, moved, output, &log)
                               : cn_command_fail(&cn_command_check, status, &err);
    free(text);
    status = cn_repair_log_end(&log, output, &err);
    return status == CN_OK ? code : cn_command_fail(&cn_command_check, status, &err);
}

static int check_scene_args(const check_args *args)
{
    const cn_geometry_args *g = &args->geometry;
    const char *path = args->operands.item[0];
    if (g->as_json || g->weld != 0.0 || g->scale != 1.0) {
        return cn_usage_error(&cn_command_check,
                              "--weld, --scale and --json are for geometry files "
                              "(.stl .obj .ply .msh .dxf), not for the scene '%s'",
                              path);
    }
    if (args->has_joints && (g->is_fixed || args->is_explained)) {
        return cn_usage_error(&cn_command_check, "--joints goes with neither --fix nor --explain");
    }
    if (!args->has_joints && g->is_fixed != (g->output != NULL)) {
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

static cn_status list_joints(const cn_scene *scene, const char *output, cn_error *err)
{
    page p = {0};
    if (output == NULL) {
        return cn_scene_joints(scene, cn_tell_file, stdout, NULL, NULL, err);
    }
    p.out = open_memstream(&p.text, &p.length);
    if (p.out == NULL) {
        return CN_NO_MEMORY;
    }
    cn_status status = cn_scene_joints(scene, cn_tell_file, stdout, keep_line, &p, err);
    if (fclose(p.out) != 0) {
        status = CN_NO_MEMORY;
    }
    if (status == CN_OK) {
        status = cn_file_save(output, p.text, p.length, err);
    }
    free(p.text);
    return status;
}

static int check_scene(check_args *args)
{
    const cn_geometry_args *g = &args->geometry;
    cn_scene *scene = NULL;
    int code = check_scene_args(args);
    CN_THEN_GO(code,
               cn_command_load(&cn_command_check, args->operands.item[0], &args->define, &scene));
    if (code == CN_PARSE_GO && g->is_fixed) {
        code = fix_scene(scene, g->output);
    } else if (code == CN_PARSE_GO) {
        cn_error err = {0};
        cn_status status = args->has_joints ? list_joints(scene, g->output, &err)
                           : args->is_explained
                               ? cn_scene_explain(scene, cn_tell_file, stdout, &err)
                               : cn_scene_check(scene, cn_tell_file, stdout, &err);
        code = cn_command_fail(&cn_command_check, status, &err);
    }
    cn_scene_destroy(scene);
    return code;
}

static int run(void *given)
{
    check_args *args = given;
    const char *path = args->operands.item[0];
    if (cn_surface_format_of(path) == CN_SURFACE_FORMAT_COUNT) {
        return check_scene(args);
    }
    if (args->define.count > 0 || args->is_explained || args->has_joints) {
        return cn_usage_error(&cn_command_check,
                              "--define, --explain and --joints are for scenes, not for '%s'",
                              path);
    }
    return cn_command_geometry(&cn_command_check, path, &args->geometry);
}

const cn_command cn_command_check = {
    .name = "check",
    .operands = "SCENE|GEOMETRY",
    .operand_least = 1,
    .operand_most = 1,
    .help = "check a scene (keys, masses, overlaps) or a geometry file",
    .details =
        "Exit code 3 if the scene cannot be run as it is, or if the surface of a geometry file\n"
        "(.stl .obj .ply .msh .dxf) does not bound a solid. With --explain the complete scene is\n"
        "printed as YAML; it runs to the same result. With --fix -o FILE that complete scene is\n"
        "written with bodies moved until faces that overlap or nearly touch just touch; or the\n"
        "surface without its defects. What was done is printed and kept in FILE.log; the input\n"
        "stays as it is. Exit code 3 if errors remain. With --joints nothing but the joints is\n"
        "told: how many, their area, the smallest, the widest gap, bodies that nothing connects\n"
        "to what is fixed, and bodies with nothing below them.",
    .option = options,
    .args_size = sizeof(check_args),
    .defaults = &(const check_args){.geometry.scale = 1.0},
    .run = run,
};
