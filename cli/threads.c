// cli/threads.c -- how threads wait for each other.
//
// The OpenMP runtime lets a thread that waits turn in circles for milliseconds, on a core that
// others want: on a busy machine two threads then take ten times the processor time of one. How
// long it does so is read from the environment before main() begins, so the program sets it and
// starts itself once more. Whoever sets one of the two variables decides.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

// Turns before a waiting thread goes to sleep: some 15 us, what waking it costs.
static const char turns[] = "1000";

static bool has_threads(const cn_command *command)
{
    for (const cn_option *o = command->option; o != NULL && o->name != NULL; o++) {
        if (strcmp(o->name, "threads") == 0) {
            return true;
        }
    }
    return false;
}

void cn_threads_wait_gently(const cn_command *command, char **argv)
{
    if (!has_threads(command) || getenv("OMP_WAIT_POLICY") != NULL ||
        getenv("GOMP_SPINCOUNT") != NULL) {
        return;
    }
    if (setenv("OMP_WAIT_POLICY", "passive", 1) == 0 && setenv("GOMP_SPINCOUNT", turns, 1) == 0) {
        execv("/proc/self/exe", argv); // if it cannot, the run goes on as it is
    }
}
