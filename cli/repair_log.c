// cli/repair_log.c -- what cairn check --fix did: told at once, and kept beside the copy.
#include "command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int cn_save_text(const char *path, const char *text, size_t length)
{
    char part[4096];
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part) {
        return ENAMETOOLONG;
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

bool cn_repair_log_begin(cn_repair_log *log, FILE *screen)
{
    *log = (cn_repair_log){.screen = screen};
    log->kept = open_memstream(&log->text, &log->length);
    return log->kept != NULL;
}

void cn_repair_log_tell(void *context, const char *line)
{
    cn_repair_log *log = context;
    fprintf(log->screen, "%s\n", line);
    fprintf(log->kept, "%s\n", line);
}

int cn_repair_log_end(cn_repair_log *log, const char *copy)
{
    int why = fclose(log->kept) == 0 ? 0 : errno;
    if (why == 0 && log->is_worth_keeping) {
        char path[4096];
        bool fits = snprintf(path, sizeof path, "%s.log", copy) < (int)sizeof path;
        why = fits ? cn_save_text(path, log->text, log->length) : ENAMETOOLONG;
    }
    free(log->text);
    return why;
}

int cn_repair_unsaved(const cn_command *command, const char *copy, const char *ending, int why)
{
    fprintf(stderr, "cairn %s: error: cannot write '%s%s': %s\n", command->name, copy, ending,
            strerror(why));
    return CN_EXIT_IO;
}
