// base/whole_file.c
#include "base/whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

cn_status cn_whole_fail(const cn_whole *whole, int code, cn_error *err)
{
    return cn_fail(err, CN_IO, "cannot write '%s': %s%s", whole->path, strerror(code),
                   code == ENOSPC ? " (disk full?)" : "");
}

// The name under which the bytes go, once they may.
static cn_status find_name(cn_whole *w, const char **name, cn_error *err)
{
    cn_place_kind kind;
    char *place;
    CN_TRY(cn_place_find(w->path, &kind, &place, err));
    free(place);
    *name = w->path;
    if (kind == CN_PLACE_FILE) {
        CN_TRY(cn_claim_take(w->path, &w->claim, err));
        CN_TRY(cn_claim_begin(w->claim, err));
        *name = w->claim->part;
    }
    return CN_OK;
}

cn_status cn_whole_open(const char *path, cn_whole *whole, cn_error *err)
{
    const char *name = NULL;
    *whole = (cn_whole){.path = strdup(path)};
    cn_status status = whole->path != NULL
                           ? find_name(whole, &name, err)
                           : cn_fail(err, CN_NO_MEMORY, "out of memory while writing '%s'", path);
    if (status == CN_OK && (whole->file = fopen(name, "wb")) == NULL) {
        status = cn_whole_fail(whole, errno, err);
    }
    if (status != CN_OK) {
        cn_whole_abandon(whole);
    }
    return status;
}

cn_status cn_whole_commit(cn_whole *whole, cn_error *err)
{
    errno = 0;
    bool is_written = fflush(whole->file) == 0 && !ferror(whole->file);
    int code = errno;
    is_written = fclose(whole->file) == 0 && is_written;
    code = code != 0 ? code : errno;
    whole->file = NULL;
    cn_status status = is_written ? CN_OK : cn_whole_fail(whole, code != 0 ? code : EIO, err);
    if (status == CN_OK && whole->claim != NULL) {
        status = cn_claim_publish(whole->claim, err);
    }
    cn_whole_abandon(whole);
    return status;
}

void cn_whole_abandon(cn_whole *whole)
{
    if (whole->file != NULL) {
        fclose(whole->file);
    }
    cn_claim_release(whole->claim);
    free(whole->path);
    *whole = (cn_whole){0};
}

cn_status cn_file_save(const char *path, const void *bytes, size_t size, cn_error *err)
{
    CN_NEED(err, path);
    if (size > 0) {
        CN_NEED(err, bytes);
    }
    cn_whole whole;
    CN_TRY(cn_whole_open(path, &whole, err));
    errno = 0;
    bool is_written = fwrite(bytes, 1, size, whole.file) == size && fflush(whole.file) == 0;
    // A pipe has no disk to go to.
    if (is_written && whole.claim != NULL && fsync(fileno(whole.file)) != 0 && errno != EINVAL) {
        is_written = false;
    }
    if (!is_written) {
        cn_status status = cn_whole_fail(&whole, errno != 0 ? errno : EIO, err);
        cn_whole_abandon(&whole);
        return status;
    }
    return cn_whole_commit(&whole, err);
}
