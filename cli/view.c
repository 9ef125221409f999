// cli/view.c -- cairn view: serves a result to a browser of this machine until it is told to stop.
#include "command.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct view_args {
    cn_operands operands;
    int port, frame;
    bool is_live, no_open;
} view_args;

static const cn_option options[] = {
    CN_FLAG(0, "live", "follow a run that is still going on", view_args, is_live),
    CN_OPTION_FROM(0, "port", "N", "port on this machine; default: any that is free", view_args,
                   port, 0, 65535),
    CN_OPTION_FROM(0, "frame", "N", "frame to begin with, negative from the end; default: 0",
                   view_args, frame, INT_MIN, INT_MAX),
    CN_FLAG(0, "no-open", "print the address, open no browser", view_args, no_open),
    {0},
};

// On a desktop, with somebody at the terminal.
static bool has_desktop(void)
{
    return isatty(STDOUT_FILENO) &&
           (getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL);
}

// Best effort: the address has been printed anyway.
static void open_browser(const char *address)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execlp("xdg-open", "xdg-open", address, (char *)NULL);
        _exit(127);
    }
}

static void serve(const view_args *args, const cn_viewer *viewer, const sigset_t *ends)
{
    char address[128], frame[24] = "";
    if (args->frame != 0) {
        snprintf(frame, sizeof frame, "#f=%d", args->frame);
    }
    snprintf(address, sizeof address, "http://127.0.0.1:%d/?token=%s%s%s", cn_viewer_port(viewer),
             cn_viewer_token(viewer), args->operands.count > 1 ? "&beside=1" : "", frame);
    printf("%s\n", address);
    fflush(stdout);
    if (!args->no_open && has_desktop()) {
        open_browser(address);
    }
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "Press Ctrl-C to stop.\n");
    }
    int which;
    sigwait(ends, &which);
}

static int run(void *given)
{
    view_args *args = given;
    // Blocked before the server has a thread, so that they come to sigwait.
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    cn_viewer_def def = {.port = args->port, .is_live = args->is_live};
    def.beside = args->operands.count > 1 ? args->operands.item[1] : NULL;
    cn_viewer *viewer;
    cn_error err = {0};
    cn_status status = cn_viewer_start(args->operands.item[0], &def, &viewer, &err);
    if (status == CN_OK) {
        serve(args, viewer, &ends);
    }
    cn_viewer_stop(viewer);
    return cn_command_fail(&cn_command_view, status, &err);
}

const cn_command cn_command_view = {
    .name = "view",
    .operands = "RESULT [OTHER]",
    .operand_least = 1,
    .operand_most = 2,
    .help = "look at a result in a browser",
    .details =
        "Prints the address of a page that only this machine can reach, and only those who\n"
        "know the token in it; opens it on a desktop, and serves it until Ctrl-C. 'cairn "
        "export --html' writes the same page\n"
        "with its data as one file. Two results are shown beside each other, at the same time,\n"
        "with one camera and one range of colours.",
    .option = options,
    .args_size = sizeof(view_args),
    .run = run,
};
