// cli/repair_log.c -- what cairn check --fix did: told at once, and kept beside the copy.
#include "command.h"

#include <stdlib.h>
#include <sys/stat.h>

bool cn_repair_log_begin(cn_repair_log *log, FILE *screen)
{
    *log = (cn_repair_log){.screen = screen};
    log->kept = open_memstream(&log->text, &log->length);
    return log->kept != NULL;
}

void cn_repair_log_tell(void *context, const char *line)
{
    cn_repair_log *log = context;
    cn_tell_file(log->screen, line);
    fprintf(log->kept, "%s\n", line);
}

// A device or a pipe has no place beside it.
void cn_repair_log_wrote(cn_repair_log *log, const char *copy, const char *more)
{
    struct stat state;
    char line[4200];
    log->is_worth_keeping = stat(copy, &state) != 0 || S_ISREG(state.st_mode);
    snprintf(line, sizeof line, "wrote %.2000s%s%s%.2000s%s", copy, more,
             log->is_worth_keeping ? "; log in " : "", log->is_worth_keeping ? copy : "",
             log->is_worth_keeping ? ".log" : "");
    cn_repair_log_tell(log, line);
}

cn_status cn_repair_log_end(cn_repair_log *log, const char *copy, cn_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%.4090s.log", copy != NULL ? copy : "");
    cn_status status = fclose(log->kept) == 0
                           ? CN_OK
                           : cn_fail(err, CN_NO_MEMORY, "out of memory for the log of a repair");
    if (status == CN_OK && log->is_worth_keeping) {
        status = cn_file_save(path, log->text, log->length, err);
    }
    free(log->text);
    return status;
}
