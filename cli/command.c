// cli/command.c -- what the commands share: exit codes, messages, loading and opening files.
#include "command.h"

#include <stdlib.h>
#include <string.h>

static int exit_code(cn_status status)
{
    switch (status) {
    case CN_OK:
        return CN_EXIT_OK;
    case CN_BAD_INPUT:
        return CN_EXIT_INPUT;
    case CN_IO:
        return CN_EXIT_IO;
    case CN_MISSED:
    case CN_NO_MEMORY:
    case CN_BROKEN:
    case CN_STOPPED:
        return CN_EXIT_FAILED;
    }
    return CN_EXIT_FAILED;
}

int cn_command_fail(const cn_command *command, cn_status status, const cn_error *err)
{
    if (status != CN_OK) {
        fflush(stdout);
        fprintf(stderr, "cairn %s: error: %s\n", command->name,
                err->text[0] != '\0' ? err->text : cn_status_name(status));
    }
    return exit_code(status);
}

const char *cn_shown(const char *text)
{
    enum { COUNT = 8 };
    static char shown[COUNT][2048];
    static int next;
    next = (next + 1) % COUNT;
    return cn_text_shown(text, shown[next], sizeof shown[next]);
}

void cn_tell_file(void *context, const char *line)
{
    size_t size = 4 * strlen(line) + 1;
    char *shown = malloc(size);
    fprintf((FILE *)context, "%s\n",
            shown != NULL ? cn_text_shown(line, shown, size) : cn_shown(line));
    free(shown);
}

// Passes the problems of a scene on and counts them.
static void tell_problem(void *context, const char *line)
{
    ++*(int *)context;
    cn_tell_file(stderr, line);
}

int cn_command_load(const cn_command *command, const char *path, const cn_list *define,
                    cn_scene **scene)
{
    for (int k = 0; k < define->count; k++) {
        const char *equals = strchr(define->item[k], '=');
        if (equals == NULL || equals == define->item[k] || equals[1] == '\0') {
            return cn_usage_error(command, "--define wants name=value, got '%s'", define->item[k]);
        }
    }
    cn_error err = {0};
    int told = 0;
    cn_status status = cn_scene_read(
        &(cn_scene_source){.name = path, .define = define->item, .define_count = define->count},
        tell_problem, &told, scene, &err);
    if (status == CN_OK) {
        return CN_PARSE_GO;
    }
    return told > 0 ? exit_code(status) : cn_command_fail(command, status, &err);
}

int cn_command_study(const cn_command *command, const char *path, cn_study **study)
{
    cn_error err = {0};
    int told = 0;
    cn_status status = cn_study_load(path, tell_problem, &told, study, &err);
    if (status == CN_OK) {
        return CN_PARSE_GO;
    }
    return told > 0 ? exit_code(status) : cn_command_fail(command, status, &err);
}

int cn_command_open(const cn_command *command, const char *path, cn_reader **reader)
{
    cn_error err = {0};
    cn_status status = cn_reader_open(path, reader, &err);
    return status == CN_OK ? CN_PARSE_GO : cn_command_fail(command, status, &err);
}

const char *cn_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool cn_has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), own = strlen(ending);
    return length > own && strcmp(path + length - own, ending) == 0;
}

char *cn_change_ending(const char *path, const char *ending, char *name, size_t size)
{
    const char *base = cn_base_name(path);
    const char *dot = strrchr(base, '.');
    int length = (int)(dot != NULL && dot != base ? (size_t)(dot - path) : strlen(path));
    snprintf(name, size, "%.*s%s", length, path, ending);
    return name;
}

char *cn_derive_name(const char *path, const char *ending, char *name, size_t size)
{
    return cn_change_ending(cn_base_name(path), ending, name, size);
}
