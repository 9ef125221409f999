// A run killed at any time leaves a readable file with all committed frames, and a full disk ends
// in a message. The system calls that write are replaced by our own, which can count, tear, die or
// fail: so the kill is tried at every single write, not only at random times.
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "files.h"
#include "test.h"
#include "views.h"

#define DEFAULT __attribute__((visibility("default")))

typedef enum fate { FATE_NONE = 0, FATE_DIE, FATE_TEAR, FATE_FULL } fate;

static fate planned;
static long writes, planned_write;

// What happens at the planned write: death before it, death after its first page, or no space.
static bool is_now(void)
{
    return planned != FATE_NONE && ++writes >= planned_write;
}

static void die(void)
{
    syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

static size_t to_page_end(off_t offset, size_t size)
{
    size_t left = 4096 - (size_t)(offset % 4096);
    return left < size ? left : size;
}

DEFAULT ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset);
DEFAULT ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset);
DEFAULT int ftruncate64(int file, off_t size);
DEFAULT int ftruncate(int file, off_t size);

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset)
{
    if (is_now()) {
        if (planned == FATE_FULL) {
            errno = ENOSPC;
            return -1;
        }
        if (planned == FATE_TEAR) {
            syscall(SYS_pwrite64, file, bytes, to_page_end(offset, size), offset);
        }
        die();
    }
    return syscall(SYS_pwrite64, file, bytes, size, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    return pwrite64(file, bytes, size, offset);
}

int ftruncate64(int file, off_t size)
{
    if (planned != FATE_FULL && is_now()) {
        die();
    }
    return (int)syscall(SYS_ftruncate, file, size);
}

int ftruncate(int file, off_t size)
{
    return ftruncate64(file, size);
}

// Shared with the child: frames that it knows to be committed, and whether it came to its end.
typedef struct progress {
    int committed, is_done;
} progress;

static void run_child(const char *path, int frames, progress *p)
{
    made_view m = {0};
    cn_writer *writer = NULL;
    if (made_start(path, &m, &writer, NULL) != CN_OK) {
        _exit(1);
    }
    p->committed = 1;
    for (int k = 1; k < frames; k++) {
        if (made_write(writer, &m, k, NULL) != CN_OK) {
            _exit(1);
        }
        p->committed = k + 1;
    }
    if (cn_results_close(writer, &m.snapshot, "done", 1.0, 3, NULL) != CN_OK) {
        _exit(1);
    }
    p->is_done = 1;
    _exit(0);
}

// Checks the file of a child; returns false if anything committed is lost.
static bool survives(const char *path, const progress *p)
{
    cn_reader *r = NULL;
    test_error.text[0] = '\0';
    if (p->committed == 0 && access(path, F_OK) != 0) {
        return true; // killed before the file got its name
    }
    if (cn_reader_open(path, &r, &test_error) != CN_OK) {
        return false;
    }
    const cn_summary *s = cn_reader_summary(r);
    bool is_whole = s->frames >= p->committed && s->frames <= p->committed + 1 &&
                    s->steps >= 2 * (s->frames - 1) && s->is_complete >= p->is_done;
    for (int k = 0; is_whole && k < s->frames; k++) {
        is_whole = made_equals(r, k, &test_error);
    }
    cn_column height;
    is_whole = is_whole && cn_reader_column(r, "series/height", &height, &test_error) == CN_OK;
    for (int64_t k = 0; is_whole && k < height.count; k++) {
        is_whole = height.value[k] == 0.5 * (double)(k + 1);
    }
    cn_reader_close(r);
    return is_whole;
}

// The run goes on from the last committed frame, as after a restart; returns false if it cannot.
static bool goes_on(const char *path, progress *p)
{
    cn_reader *r = NULL;
    cn_writer *writer = NULL;
    made_view m = {0};
    if (cn_reader_open(path, &r, &test_error) != CN_OK) {
        return false;
    }
    int frames = cn_reader_summary(r)->frames;
    cn_reader_close(r);
    bool is_done = cn_writer_reopen(path, 2 * (frames - 1), &writer, &test_error) == CN_OK &&
                   made_write(writer, &m, frames, &test_error) == CN_OK &&
                   cn_results_close(writer, &m.snapshot, "done", 1.0, 3, &test_error) == CN_OK;
    *p = (progress){.committed = frames + 1, .is_done = 1};
    return is_done && survives(path, p);
}

// One child with its fate at one write. Returns whether the child came to its end.
static bool try_fate(fate f, long at, int frames, progress *p)
{
    const char *path = files_path("killed.h5");
    unlink(path);
    *p = (progress){0};
    pid_t child = fork();
    if (child == 0) {
        planned = f;
        planned_write = at;
        writes = 0;
        run_child(path, frames, p);
    }
    int status;
    waitpid(child, &status, 0);
    bool is_at_end = p->is_done != 0;
    bool is_file = access(path, F_OK) == 0;
    if (!survives(path, p) || (is_file && !goes_on(path, p))) {
        printf("killed at write %ld: %s\n", at, test_error.text);
        test_failures++;
    }
    test_count++;
    return is_at_end;
}

static progress *shared_progress(void)
{
    return mmap(NULL, sizeof(progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

CN_TEST(every_write_may_be_the_last)
{
    progress *p = shared_progress();
    long at = 1;
    while (!try_fate(FATE_DIE, at, 4, p) && at < 1000) {
        at++;
    }
    CN_TRUE(at > 50 && at < 1000);
}

CN_TEST(every_write_may_be_torn_at_a_page)
{
    progress *p = shared_progress();
    long at = 1;
    while (!try_fate(FATE_TEAR, at, 4, p) && at < 1000) {
        at++;
    }
    CN_TRUE(at > 50 && at < 1000);
}

// Long runs, when the indices of HDF5 have grown: every 97th write.
CN_TEST(long_runs_survive_as_well)
{
    progress *p = shared_progress();
    long at = 13;
    while (!try_fate(FATE_TEAR, at, 150, p) && at < 10000) {
        at += 97;
    }
    CN_TRUE(at < 10000);
}

// Real signals at random times.
CN_TEST(sigkill_at_random_times)
{
    progress *p = shared_progress();
    const char *path = files_path("killed.h5");
    for (int round = 0; round < 8; round++) {
        unlink(path);
        *p = (progress){0};
        pid_t child = fork();
        if (child == 0) {
            run_child(path, 100000, p);
        }
        usleep((useconds_t)(3000 + 7919 * round % 23000));
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        CN_TRUE(survives(path, p));
    }
}

// A disk that fills up: a message with file and reason, and what is committed stays.
CN_TEST(a_full_disk_ends_in_a_message)
{
    const char *path = files_path("full.h5");
    for (long at = 1; at <= 90; at += 3) {
        made_view m = {0};
        cn_writer *writer = NULL;
        CN_DO(made_start(path, &m, &writer, &test_error));
        CN_DO(made_write(writer, &m, 1, &test_error));
        planned = FATE_FULL;
        planned_write = at;
        writes = 0;
        cn_status status = CN_OK;
        int k = 1;
        while (status == CN_OK && k < 100) {
            status = made_write(writer, &m, ++k, &test_error);
        }
        CN_TRUE(status == CN_IO && strstr(test_error.text, "full.h5") != NULL);
        CN_TRUE(strstr(test_error.text, "No space left on device (disk full?)") != NULL);
        CN_FAILS(cn_results_step(writer, &m.snapshot.view, m.q, &test_error), CN_IO, "earlier");
        planned = FATE_NONE;
        CN_FAILS(cn_results_close(writer, &m.snapshot, "", 0.0, -1, &test_error), CN_IO, "earlier");
        progress p = {.committed = k};
        CN_TRUE(survives(path, &p));
    }
}

CN_TEST(a_full_disk_at_the_start_keeps_the_old_file)
{
    const char *path = files_path("start.h5");
    files_write(path, "old", 3);
    for (long at = 1; at <= 20; at++) {
        made_view m = {0};
        cn_writer *writer = NULL;
        planned = FATE_FULL;
        planned_write = at;
        writes = 0;
        CN_FAILS(made_start(path, &m, &writer, &test_error), CN_IO, "disk full?");
        planned = FATE_NONE;
        size_t size = 0;
        char *bytes = files_read(path, &size);
        CN_TRUE(size == 3 && writer == NULL && access(files_path("start.h5.part"), F_OK) != 0);
        free(bytes);
    }
}

CN_TEST(a_full_disk_keeps_the_old_checkpoint)
{
    const char *path = files_path("full.ckpt.h5");
    double numbers[2000] = {1.0};
    cn_state_part part = {
        .name = "q", .element_size = 8, .is_real = true, .count = 2000, .data = numbers};
    CN_DO(cn_checkpoint_save(path, &part, 1, NULL, 0, &test_error));
    numbers[0] = 2.0;
    for (long at = 1; at <= 4; at++) {
        planned = FATE_FULL;
        planned_write = at;
        writes = 0;
        CN_FAILS(cn_checkpoint_save(path, &part, 1, NULL, 0, &test_error), CN_IO, "disk full?");
        planned = FATE_NONE;
        cn_checkpoint *c = NULL;
        CN_DO(cn_checkpoint_open(path, &c, &test_error));
        int count;
        CN_TRUE(((const double *)cn_checkpoint_state(c, &count)->data)[0] == 1.0);
        cn_checkpoint_close(c);
    }
}

CN_MAIN(CN_RUN(every_write_may_be_the_last); CN_RUN(every_write_may_be_torn_at_a_page);
        CN_RUN(long_runs_survive_as_well); CN_RUN(sigkill_at_random_times);
        CN_RUN(a_full_disk_ends_in_a_message); CN_RUN(a_full_disk_at_the_start_keeps_the_old_file);
        CN_RUN(a_full_disk_keeps_the_old_checkpoint); files_remove();)
