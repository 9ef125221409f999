// base/file_lock.c
#include "base/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

#define LINKS_MAX 40 // as many as Linux follows

static cn_status no_memory(const char *name, cn_error *err)
{
    return cn_fail(err, CN_NO_MEMORY, "out of memory for the name of '%s'", name);
}

static cn_status cannot(const char *name, int code, cn_error *err)
{
    return cn_fail(err, CN_IO, "cannot write '%s': %s%s", name, strerror(code),
                   code == ENOSPC || code == EDQUOT ? " (disk full?)" : "");
}

// The path that a link leads to, which may start in the folder of the link. False: no memory.
static bool follow(char **path, const char *to)
{
    const char *slash = to[0] == '/' ? NULL : strrchr(*path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - *path) + 1 : 0;
    char *next = malloc(folder + strlen(to) + 1);
    if (next == NULL) {
        return false;
    }
    memcpy(next, *path, folder);
    strcpy(next + folder, to);
    free(*path);
    *path = next;
    return true;
}

// Links of /proc (as /dev/stdout is one) are open files, not names.
static bool is_open_file(const char *to)
{
    return strncmp(to, "/proc/", 6) == 0;
}

// Follows links, also to a file that is not there yet.
static cn_status follow_links(const char *name, cn_place_kind *kind, char **path, cn_error *err)
{
    struct stat state;
    char to[PATH_MAX];
    for (int k = 0; k < LINKS_MAX; k++) {
        if (lstat(*path, &state) != 0 || !S_ISLNK(state.st_mode)) {
            return CN_OK;
        }
        ssize_t length = readlink(*path, to, sizeof to - 1);
        if (length < 0) {
            return cannot(name, errno, err);
        }
        to[length] = '\0';
        if (is_open_file(to)) {
            *kind = CN_PLACE_STREAM;
            return CN_OK;
        }
        if (!follow(path, to)) {
            return no_memory(name, err);
        }
    }
    return cannot(name, ELOOP, err);
}

cn_status cn_place_find(const char *name, cn_place_kind *kind, char **path, cn_error *err)
{
    struct stat state;
    *kind = CN_PLACE_FILE;
    *path = NULL;
    if (name == NULL || name[0] == '\0') {
        return cn_fail(err, CN_BAD_INPUT, "a file that is to be written needs a name");
    }
    bool is_there = stat(name, &state) == 0;
    if (is_there && S_ISDIR(state.st_mode)) {
        return cannot(name, EISDIR, err);
    }
    if ((*path = strdup(name)) == NULL) {
        return no_memory(name, err);
    }
    if (is_there && !S_ISREG(state.st_mode)) {
        *kind = CN_PLACE_STREAM;
        return CN_OK;
    }
    cn_status status = follow_links(name, kind, path, err);
    if (status != CN_OK) {
        free(*path);
        *path = NULL;
    }
    return status;
}

// ---- locks

// False: somebody else has it. File systems without locks give it to everybody.
static bool try_lock(int file, short sort)
{
    struct flock lock = {.l_type = sort, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool cn_claim_is_held(const char *path)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool is_held = file >= 0 && fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (file >= 0) {
        close(file);
    }
    return is_held;
}

static cn_status in_use(const char *shown, cn_error *err)
{
    return cn_fail(err, CN_IO,
                   "cannot write '%s': the file is in use, another run or program is writing it; "
                   "wait for its end or choose another name",
                   shown);
}

cn_status cn_claim_check(const char *path, cn_error *err)
{
    return cn_claim_is_held(path) ? in_use(path, err) : CN_OK;
}

static bool is_at(int file, const char *path)
{
    struct stat held, named;
    return fstat(file, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

// Opens and locks NAME.part once. CN_STOPPED: somebody else has just moved or removed it.
static cn_status try_part(cn_claim *c, cn_error *err)
{
    int file =
        open(c->part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
    struct stat state;
    if (file < 0 || fstat(file, &state) != 0) {
        int code = errno;
        return code == ELOOP || code == ENXIO || code == EISDIR
                   ? cn_fail(err, CN_IO, "cannot write '%s': '%s' is in the way", c->shown, c->part)
                   : cannot(c->shown, code, err);
    }
    cn_status status = CN_OK;
    if (!S_ISREG(state.st_mode)) {
        status = cn_fail(err, CN_IO, "cannot write '%s': '%s' is in the way", c->shown, c->part);
    } else if (!try_lock(file, F_WRLCK)) {
        status = in_use(c->shown, err);
    } else if (!is_at(file, c->part)) {
        status = CN_STOPPED;
    }
    if (status != CN_OK) {
        close(file);
        return status;
    }
    c->part_lock = file;
    return CN_OK;
}

static cn_status lock_part(cn_claim *c, cn_error *err)
{
    enum { TRIES = 1000 };
    cn_status status = CN_STOPPED;
    for (int k = 0; k < TRIES && status == CN_STOPPED; k++) {
        status = try_part(c, err);
    }
    return status == CN_STOPPED ? in_use(c->shown, err) : status;
}

// Locks NAME, if it is there. One that cannot even be read is left to the rename.
static cn_status lock_path(cn_claim *c, cn_error *err)
{
    short sort = F_WRLCK;
    int file = open(c->path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        sort = F_RDLCK;
        file = open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    }
    if (file < 0) {
        return CN_OK;
    }
    if (!try_lock(file, sort)) {
        close(file);
        return in_use(c->shown, err);
    }
    c->path_lock = file;
    return CN_OK;
}

static void unlock(int *file)
{
    if (*file >= 0) {
        close(*file);
    }
    *file = -1;
}

// ---- claims

static cn_status make(const char *name, cn_claim **claim, cn_error *err)
{
    cn_claim *c = calloc(1, sizeof *c);
    *claim = c;
    if (c == NULL) {
        return no_memory(name, err);
    }
    cn_place_kind kind;
    c->part_lock = c->path_lock = -1;
    CN_TRY(cn_place_find(name, &kind, &c->path, err));
    if (kind == CN_PLACE_STREAM) {
        return cn_fail(err, CN_IO,
                       "cannot write '%s': it is a device or a pipe, and this needs a file", name);
    }
    size_t size = strlen(c->path) + sizeof ".part";
    c->shown = strdup(name);
    c->part = malloc(size);
    if (c->shown == NULL || c->part == NULL) {
        return no_memory(name, err);
    }
    snprintf(c->part, size, "%s.part", c->path);
    return CN_OK;
}

cn_status cn_claim_take(const char *path, cn_claim **claim, cn_error *err)
{
    CN_NEED(err, path, claim);
    cn_status status = make(path, claim, err);
    if (status == CN_OK) {
        status = lock_part(*claim, err);
    }
    if (status == CN_OK) {
        status = lock_path(*claim, err);
    }
    if (status != CN_OK) {
        cn_claim_release(*claim);
        *claim = NULL;
    } else {
        cn_claim_drop(*claim);
    }
    return status;
}

void cn_claim_drop(cn_claim *claim)
{
    if (claim->part_lock >= 0 && claim->path_lock >= 0) {
        unlink(claim->part);
        unlock(&claim->part_lock);
    } else if (claim->part_lock >= 0) {
        (void)!ftruncate(claim->part_lock, 0);
    }
}

void cn_claim_release(cn_claim *claim)
{
    if (claim == NULL) {
        return;
    }
    if (claim->part_lock >= 0) {
        unlink(claim->part);
    }
    unlock(&claim->part_lock);
    unlock(&claim->path_lock);
    free(claim->shown);
    free(claim->path);
    free(claim->part);
    free(claim);
}

// A newcomer holds NAME.part for the moment that it takes to find NAME locked.
cn_status cn_claim_begin(cn_claim *claim, cn_error *err)
{
    enum { TRIES = 200, PAUSE = 5000 }; // [us]
    for (int k = 0; claim->part_lock < 0; k++) {
        cn_status status = lock_part(claim, err);
        if (status == CN_OK || k == TRIES) {
            CN_TRY(status);
            break;
        }
        usleep(PAUSE);
    }
    return ftruncate(claim->part_lock, 0) == 0 ? CN_OK : cannot(claim->shown, errno, err);
}

cn_status cn_claim_publish(cn_claim *claim, cn_error *err)
{
    if (rename(claim->part, claim->path) != 0) {
        return cannot(claim->shown, errno, err);
    }
    unlock(&claim->path_lock);
    claim->path_lock = claim->part_lock;
    claim->part_lock = -1;
    return CN_OK;
}
