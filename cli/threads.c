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

static const cn_option *threads_of(const cn_command *command)
{
    const cn_option *o = command->option;
    while (o != NULL && o->name != NULL && strcmp(o->name, "threads") != 0) {
        o++;
    }
    return o != NULL && o->name != NULL ? o : NULL;
}

// Whether a command line may ask for more than the one thread that is there anyway.
static bool may_have_several(const cn_command *command, char **argv)
{
    const cn_option *threads = threads_of(command);
    if (threads == NULL) {
        return false;
    }
    for (char **word = argv; *word != NULL; word++) {
        bool is_short = (*word)[0] == '-' && (*word)[1] != '-' && strchr(*word, 'j') != NULL;
        if (is_short || strncmp(*word, "--t", 3) == 0) {
            return true;
        }
    }
    const char *defaults = command->defaults;
    int usual = 0; // as many as there are cores
    if (defaults != NULL) {
        memcpy(&usual, defaults + threads->offset, sizeof usual);
    }
    return usual != 1;
}

void cn_threads_wait_gently(const cn_command *command, char **argv)
{
    if (!may_have_several(command, argv) || getenv("OMP_WAIT_POLICY") != NULL ||
        getenv("GOMP_SPINCOUNT") != NULL) {
        return;
    }
    if (setenv("OMP_WAIT_POLICY", "passive", 1) == 0 && setenv("GOMP_SPINCOUNT", turns, 1) == 0) {
        execv("/proc/self/exe", argv); // if it cannot, the run goes on as it is
    }
}
