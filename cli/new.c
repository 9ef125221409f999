// cli/new.c -- cairn new: writes a commented starter scene, never over an existing file.
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

typedef struct new_args {
    cn_operands operands;
    const char *output;
    bool is_listed;
} new_args;

static const cn_option options[] = {
    CN_OPTION('o', "output", "FILE", "file to write; default: NAME.yaml; - for stdout", new_args,
              output),
    CN_FLAG(0, "list", "print the names that exist and what each scene asks", new_args, is_listed),
    {0},
};

// Whom scenes are for, in the order of their names; each group begins with the scene that is named.
static const struct {
    const char *first, *heading;
} groups[] = {
    {"wall", "Masonry"},
    {"house", "Earthquakes"},
    {"piers", "Limit analysis (cairn limit)"},
    {"bridge", "Shapes and meshes from files (CAD, gmsh)"},
    {"mortar_wall", "Joints that break: mortar, glue, cement"},
    {"rock_slope", "Rock"},
    {"pile", "Grains"},
    {"oedometer", "Tests on samples of grains"},
    {"elastic_wall", "Deformable bodies"},
    {"tensegrity", "Bars, cables, joints"},
    {"balls", "What laws and schemes do"},
};

// The last character of what is asked is the question mark, or the end of the line without one.
int cn_starter_question(const char *name, const char **question)
{
    const char *text = cn_starter_text(name);
    *question = text == NULL ? "" : text + strspn(text, "# ");
    size_t line = strcspn(*question, "\n"), asked = strcspn(*question, "?") + 1;
    return (int)(asked < line ? asked : line);
}

static void print_names(FILE *out)
{
    const char *const *name = cn_starter_names();
    for (int k = 0; name[k] != NULL; k++) {
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
            if (strcmp(groups[g].first, name[k]) == 0) {
                fprintf(out, "%s%s:\n", g > 0 ? "\n" : "", groups[g].heading);
            }
        }
        const char *question;
        int length = cn_starter_question(name[k], &question);
        fprintf(out, "  %-13s %.*s\n", name[k], length, question);
    }
}

static const char *nearest_name(const char *word)
{
    const char *const *name = cn_starter_names(), *nearest = NULL;
    int least = 3;
    for (int k = 0; name[k] != NULL; k++) {
        int distance = cn_typo_distance(word, name[k]);
        if (distance < least) {
            least = distance;
            nearest = name[k];
        }
    }
    return nearest;
}

static int refuse_name(const char *name)
{
    const char *nearest = name != NULL ? nearest_name(name) : NULL;
    if (nearest != NULL) {
        return cn_usage_error(&cn_command_new, "unknown scene '%s' (did you mean '%s'?)", name,
                              nearest);
    }
    fprintf(stderr, "cairn new: %s%s%s one of:\n", name != NULL ? "unknown scene '" : "choose",
            name != NULL ? cn_shown(name) : "", name != NULL ? "'," : "");
    print_names(stderr);
    return CN_EXIT_USAGE;
}

static int write_failed(const char *path, int code)
{
    fprintf(stderr, "cairn new: error: cannot write '%s': %s%s\n", path, strerror(code),
            code == EEXIST ? "; choose another name with -o" : "");
    return CN_EXIT_IO;
}

// The line that tells editors which keys there are: the schema that is installed beside the
// program, else the file that 'cairn schema' is to be written to.
static void find_schema(char path[PATH_MAX])
{
    static const char installed[] = "share/cairn/scene.schema.json";
    char program[PATH_MAX - sizeof installed];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    for (int k = 0; k < 2; k++) { // the name of the program and of its folder
        char *slash = strrchr(program, '/');
        *(slash != NULL ? slash : program) = '\0';
    }
    snprintf(path, PATH_MAX, "%s/%s", program, installed);
    if (access(path, R_OK) != 0) {
        snprintf(path, PATH_MAX, "scene.schema.json");
    }
}

static bool put_scene(FILE *file, const char *text)
{
    char schema[PATH_MAX];
    find_schema(schema);
    return fprintf(file, "# yaml-language-server: $schema=%s\n%s", schema, text) > 0;
}

// A scene gets the line for editors, data are as they are.
static int write_file(const char *path, const char *text, bool is_scene)
{
    FILE *file = fopen(path, "wx");
    if (file == NULL) {
        return write_failed(path, errno);
    }
    bool is_written = is_scene ? put_scene(file, text) : fputs(text, file) >= 0;
    is_written = fclose(file) == 0 && is_written;
    if (!is_written) {
        int code = errno;
        remove(path);
        return write_failed(path, code);
    }
    printf("%s\n", path);
    return CN_EXIT_OK;
}

// The file of data that goes with a scene, into its folder; one that is there already stays.
static int write_data(const char *name, const char *scene_path)
{
    const char *text = NULL, *file = cn_starter_data(name, &text);
    if (file == NULL) {
        return CN_EXIT_OK;
    }
    const char *slash = strrchr(scene_path, '/');
    int folder = slash == NULL ? 0 : (int)(slash - scene_path) + 1;
    char path[1024];
    snprintf(path, sizeof path, "%.*s%s", folder, scene_path, file);
    FILE *there = fopen(path, "r");
    if (there != NULL) {
        fclose(there);
        fprintf(stderr, "%s is there already and stays as it is\n", path);
        return CN_EXIT_OK;
    }
    return write_file(path, text, false);
}

static int run(void *given)
{
    const new_args *args = given;
    if (args->is_listed) {
        print_names(stdout);
        return CN_EXIT_OK;
    }
    const char *name = args->operands.count > 0 ? args->operands.item[0] : NULL;
    const char *text = name != NULL ? cn_starter_text(name) : NULL;
    if (text == NULL) {
        return refuse_name(name);
    }
    if (args->output != NULL && strcmp(args->output, "-") == 0) {
        put_scene(stdout, text);
        return CN_EXIT_OK;
    }
    char usual[512];
    snprintf(usual, sizeof usual, "%s.yaml", name);
    const char *path = args->output != NULL ? args->output : usual;
    int code = write_file(path, text, true);
    code = code == CN_EXIT_OK ? write_data(name, path) : code;
    if (code == CN_EXIT_OK) {
        fprintf(stderr, "next: cairn run %s\n", path);
    }
    return code;
}

const cn_command cn_command_new = {
    .name = "new",
    .operands = "NAME",
    .operand_least = 0,
    .operand_most = 1,
    .help = "write a commented starter scene",
    .option = options,
    .args_size = sizeof(new_args),
    .run = run,
};
