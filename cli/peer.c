// cli/peer.c -- runs a driver and reads its lines.
#include "peer.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Starts the program with its output in *pipe_end. Returns 0 or the number of the error.
static int start(const char *program, char *const argv[], int *pipe_end, pid_t *child)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe(ends) != 0) {
        return errno;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    int error = posix_spawnp(child, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return error;
    }
    *pipe_end = ends[0];
    return 0;
}

static void read_lines(FILE *from, void (*take)(void *, const cn_peer_answer *), void *context)
{
    char line[512], word[16];
    while (fgets(line, sizeof line, from) != NULL) {
        cn_peer_answer answer;
        if (sscanf(line, "%63s %lf %lf %lld %15s", answer.solver, &answer.seconds, &answer.error,
                   &answer.iterations, word) == 5) {
            answer.is_converged = strcmp(word, "converged") == 0;
            take(context, &answer);
        }
    }
}

cn_status cn_peer_run(const char *program, const char *path, double tol, double max_seconds,
                      void (*take)(void *context, const cn_peer_answer *answer), void *context,
                      cn_error *err)
{
    char tolerance[32], seconds[32], name[512], file[1024];
    snprintf(tolerance, sizeof tolerance, "%.17g", tol);
    snprintf(seconds, sizeof seconds, "%.17g", max_seconds);
    snprintf(name, sizeof name, "%s", program);
    snprintf(file, sizeof file, "%s", path);
    char *argv[] = {name, file, tolerance, seconds, NULL};
    int pipe_end = -1, status = 0;
    pid_t child;
    int error = start(program, argv, &pipe_end, &child);
    if (error != 0) {
        return cn_fail(err, CN_IO, "peer '%s': cannot be run: %s", program, strerror(error));
    }
    FILE *from = fdopen(pipe_end, "r");
    if (from != NULL) {
        read_lines(from, take, context);
        fclose(from);
    } else {
        close(pipe_end);
    }
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return cn_fail(err, CN_IO, "peer '%s': did not end well on: %s", program, path);
    }
    return CN_OK;
}
