// cli/main.c -- the program: finds the command, runs it, and makes sure that what it printed
// arrived. Uses the public headers of the library only.
#include "command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// One per line.
// clang-format off
const cn_command *const cn_commands[] = {
    &cn_command_run,
    &cn_command_check,
    &cn_command_info,
    &cn_command_export,
    &cn_command_render,
    &cn_command_plot,
    &cn_command_analyse,
    &cn_command_fields,
    &cn_command_patches,
    &cn_command_report,
    &cn_command_view,
    &cn_command_compare,
    &cn_command_validate,
    &cn_command_solve,
    &cn_command_bench,
    &cn_command_sweep,
    &cn_command_spread,
    &cn_command_limit,
    &cn_command_law,
    &cn_command_record,
    &cn_command_import,
    &cn_command_new,
    &cn_command_schema,
    &cn_command_doctor,
    &cn_command_cite,
    &cn_command_help,
    NULL,
};
// clang-format on

void cn_commands_help(FILE *out)
{
    fprintf(out,
            "Usage: cairn COMMAND [OPTION]... [OPERAND]...\n"
            "Non-smooth contact dynamics: rigid and deformable bodies, unilateral contact, dry\n"
            "friction.\n"
            "\nCommands:\n");
    for (int k = 0; cn_commands[k] != NULL; k++) {
        fprintf(out, "  %-10s %s\n", cn_commands[k]->name, cn_commands[k]->help);
    }
    fprintf(out,
            "\n'cairn COMMAND --help' tells more; 'cairn --version' prints version and features.\n"
            "A first run: cairn new wall && cairn run wall.yaml && cairn render wall.h5\n"
            "\nExit codes: 0 ok, 1 run failed, 2 usage, 3 invalid input, 4 file error,\n"
            "5 mismatch found, 6 steps missed what was asked,\n130 or 143 interrupted "
            "(checkpoint and result are complete).\n");
}

static void print_version(void)
{
    printf("cairn %s\n", cn_version());
    printf("shapes: ");
    for (int k = 0; k < CN_SHAPE_KIND_COUNT; k++) {
        printf("%s%s", k > 0 ? ", " : "", cn_shape_kind_name((cn_shape_kind)k));
    }
    printf("\nsolids: ");
    for (int k = 0; k < CN_SOLID_KIND_COUNT; k++) {
        printf("%s%s", k > 0 ? ", " : "", cn_solid_kind_name((cn_solid_kind)k));
    }
    printf("\nlaws: ");
    for (int k = 0; k < cn_law_type_count(); k++) {
        printf("%s%s", k > 0 ? ", " : "", cn_law_type_at(k)->name);
    }
    printf("\nsolvers: ");
    for (int k = 0; k < CN_METHOD_COUNT; k++) {
        printf("%s%s", k > 0 ? ", " : "", cn_method_name((cn_method)k));
    }
    printf("\nfeatures: rigid and deformable bodies in 2D and 3D, joints, HDF5 results, YAML "
           "scenes, PNG and SVG pictures\n"
           "The source is under Apache-2.0. %s\n",
           cn_libraries_are_gpl() ? "This binary links CHOLMOD's supernodal module and UMFPACK:\n"
                                    "distributed, it falls under the GPL."
                                  : "This binary links no library under the GPL.");
}

static int unknown_command(const char *name)
{
    const char *nearest = cn_command_nearest(name);
    fprintf(stderr, "cairn: unknown command '%s'", cn_shown(name));
    if (nearest != NULL) {
        fprintf(stderr, " (did you mean '%s'?)", nearest);
    }
    fprintf(stderr, "\nTry 'cairn --help'.\n");
    return CN_EXIT_USAGE;
}

// Laws from outside: shared objects that CAIRN_LAWS names, apart by colons.
static int load_laws(void)
{
    char path[4096];
    cn_error err;
    for (const char *at = getenv("CAIRN_LAWS"); at != NULL && *at != '\0';) {
        size_t length = strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s", (int)length, at);
        cn_status status = length > 0 ? cn_law_load(path, &err) : CN_OK;
        if (status != CN_OK) {
            fprintf(stderr, "cairn: error: CAIRN_LAWS: %s\n", err.text);
            return status == CN_IO ? CN_EXIT_IO : CN_EXIT_INPUT;
        }
        at += at[length] == ':' ? length + 1 : length;
    }
    return CN_EXIT_OK;
}

static int dispatch(int argc, char **argv)
{
    int loaded = load_laws();
    if (loaded != CN_EXIT_OK) {
        return loaded;
    }
    if (argc < 2) {
        cn_commands_help(stderr);
        return CN_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cn_commands_help(stdout);
        return CN_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        print_version();
        return CN_EXIT_OK;
    }
    const cn_command *command = cn_command_find(argv[1]);
    if (command == NULL) {
        return unknown_command(argv[1]);
    }
    cn_threads_wait_gently(command, argv);
    return cn_command_execute(command, argc - 1, argv + 1);
}

// Whether nobody reads standard output any more: `cairn info run.h5 | head` has seen what it wants.
static bool is_pipe_left(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

int main(int argc, char **argv)
{
    // A limit on file sizes and a closed pipe shall be failed writes, so that work goes on.
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    int code = dispatch(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == CN_EXIT_OK) {
        if (is_pipe_left()) { // the end that the pipe gives other programs: no word, code 141
            signal(SIGPIPE, SIG_DFL);
            raise(SIGPIPE);
        }
        fprintf(stderr, "cairn: error: cannot write to standard output: %s\n", strerror(errno));
        code = CN_EXIT_IO;
    }
    return code;
}
