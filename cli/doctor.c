// cli/doctor.c -- cairn doctor: is this machine fit to run cairn, and, of a result, what should be
// changed in the next run (doctor_result.c).
#include "doctor.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

typedef struct doctor_args {
    cn_operands operands;
} doctor_args;

static const cn_option options[] = {{0}};

// The value of the first line of a file of the system that begins with `key`; "" if there is none.
static const char *find_line(const char *path, const char *key, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    while (file != NULL && fgets(text, (int)size, file) != NULL) {
        if (strncmp(text, key, strlen(key)) == 0) {
            const char *value = strchr(text, ':');
            memmove(text, value != NULL ? value + 1 + strspn(value + 1, " \t") : text,
                    strlen(value != NULL ? value + 1 + strspn(value + 1, " \t") : text) + 1);
            text[strcspn(text, "\n")] = '\0';
            break;
        }
        text[0] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static int count_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                       : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static void print_machine(void)
{
    char text[256];
    struct utsname name;
    const double kib = 1024.0, gib = 1024.0 * 1024.0 * 1024.0;
    printf("  processor      %s\n", find_line("/proc/cpuinfo", "model name", text, sizeof text));
    printf("  cores          %d for this program, of %ld\n", count_cores(),
           sysconf(_SC_NPROCESSORS_CONF));
    double free_memory = atof(find_line("/proc/meminfo", "MemAvailable", text, sizeof text));
    double memory = atof(find_line("/proc/meminfo", "MemTotal", text, sizeof text));
    printf("  memory         %.1f GiB free of %.1f\n", free_memory * kib / gib, memory * kib / gib);
    if (uname(&name) == 0) {
        printf("  system         %s %s, %s\n", name.sysname, name.release, name.machine);
    }
    struct statvfs disk;
    if (statvfs(".", &disk) == 0) {
        printf("  disk           %.1f GiB free in this folder\n",
               (double)disk.f_bavail * (double)disk.f_frsize / gib);
    }
}

static void print_library(void *context, const char *line)
{
    int *count = context;
    printf("  %-14s %s\n", (*count)++ == 0 ? "libraries" : "", line);
}

// Settings of the environment that cost time or end runs.
static void print_notes(void)
{
    const char *threads = getenv("OMP_NUM_THREADS"), *wait = getenv("OMP_WAIT_POLICY");
    struct rlimit limit;
    if (threads != NULL && atoi(threads) > count_cores()) {
        printf("  note           OMP_NUM_THREADS=%s is more than the cores: threads wait for each "
               "other; unset it\n",
               cn_shown(threads));
    }
    if (wait != NULL && strcasecmp(wait, "active") == 0) {
        printf("  note           OMP_WAIT_POLICY=active keeps cores busy while threads wait\n");
    }
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        printf("  note           files may be at most %.3g GB (ulimit -f): results end there\n",
               (double)limit.rlim_cur / 1e9);
    }
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        printf("  note           memory is limited to %.3g GB (ulimit -v)\n",
               (double)limit.rlim_cur / 1e9);
    }
    if (access(".", W_OK) != 0) {
        printf("  note           this folder cannot be written: give results a place with -o\n");
    }
}

static int examine_machine(void)
{
    int count = 0;
    printf("cairn %s\n", cn_version());
    print_machine();
    cn_libraries_tell(print_library, &count);
    print_notes();
    int missed = cn_doctor_check_all();
    if (missed > 0) {
        printf("%d check%s missed: results of this build on this machine are not to be trusted\n",
               missed, missed > 1 ? "s" : "");
    }
    return missed > 0 ? CN_EXIT_MISMATCH : missed < 0 ? CN_EXIT_IO : CN_EXIT_OK;
}

static int run(void *given)
{
    const doctor_args *args = given;
    if (args->operands.count == 0) {
        return examine_machine();
    }
    cn_reader *reader = NULL;
    int code = cn_command_open(&cn_command_doctor, args->operands.item[0], &reader);
    if (code != CN_PARSE_GO) {
        return code;
    }
    cn_error err = {0};
    int found = 0;
    cn_status status = cn_doctor_examine(reader, &found, &err);
    cn_reader_close(reader);
    code = cn_command_fail(&cn_command_doctor, status, &err);
    return code == CN_EXIT_OK && found > 0 ? CN_EXIT_MISMATCH : code;
}

const cn_command cn_command_doctor = {
    .name = "doctor",
    .operands = "[RESULT]",
    .operand_most = 1,
    .help = "examine this machine and build; of a result, what to change in it",
    .details =
        "Without RESULT: processor, libraries, settings, and runs of a second or less whose "
        "answers\n"
        "are known on paper. With RESULT: what the run missed or was slow at, where, and which "
        "key\n"
        "of the scene helps. Exit code 5 if a check fails or a run missed what was asked of it.",
    .option = options,
    .args_size = sizeof(doctor_args),
    .run = run,
};
