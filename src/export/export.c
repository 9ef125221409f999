// export/export.c
#include "export/export.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

static void note(cn_out *out, bool is_done)
{
    if (!is_done && out->code == 0) {
        out->code = errno != 0 ? errno : EIO;
    }
}

cn_status cn_out_open(const char *folder, const char *name, cn_out *out, cn_error *err)
{
    size_t size = (folder != NULL ? strlen(folder) + 1 : 0) + strlen(name) + 1;
    *out = (cn_out){.path = malloc(size)};
    if (out->path == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for the name of %s", name);
    }
    snprintf(out->path, size, "%s%s%s", folder != NULL ? folder : "", folder != NULL ? "/" : "",
             name);
    cn_status status = cn_whole_open(out->path, &out->whole, err);
    if (status != CN_OK) {
        free(out->path);
        *out = (cn_out){0};
    }
    return status;
}

void cn_out_print(cn_out *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(out, vfprintf(out->whole.file, format, args) >= 0);
    va_end(args);
}

void cn_out_bytes(cn_out *out, const void *bytes, size_t size)
{
    note(out, size == 0 || fwrite(bytes, 1, size, out->whole.file) == size);
}

cn_status cn_out_close(cn_out *out, cn_tell *told, void *context, cn_error *err)
{
    if (out->whole.file == NULL) {
        return CN_OK;
    }
    cn_status status = CN_OK;
    if (out->code != 0) {
        status = cn_whole_fail(&out->whole, out->code, err);
        cn_whole_abandon(&out->whole);
    } else {
        status = cn_whole_commit(&out->whole, err);
    }
    if (status == CN_OK && told != NULL) {
        told(context, out->path);
    }
    free(out->path);
    *out = (cn_out){0};
    return status;
}

void cn_out_drop(cn_out *out)
{
    cn_whole_abandon(&out->whole);
    free(out->path);
    *out = (cn_out){0};
}

cn_status cn_out_close_all(cn_status status, cn_out *out, int count, cn_tell *told, void *context,
                           cn_error *err)
{
    for (int k = 0; k < count; k++) {
        if (status == CN_OK) {
            status = cn_out_close(&out[k], told, context, err);
        } else {
            cn_out_drop(&out[k]);
        }
    }
    return status;
}

static cn_status make_folder(const char *path, cn_error *err)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return cn_fail(err, CN_IO, "%s: cannot make this folder: %s", path, strerror(errno));
    }
    return CN_OK;
}

cn_status cn_out_folder(const char *folder, cn_error *err)
{
    char *path = strdup(folder);
    if (path == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for the name of %s", folder);
    }
    cn_status status = CN_OK;
    for (char *at = path + 1; path[0] != '\0' && *at != '\0' && status == CN_OK; at++) {
        if (*at == '/') {
            *at = '\0';
            status = make_folder(path, err);
            *at = '/';
        }
    }
    CN_THEN(status, make_folder(path, err));
    struct stat state;
    if (status == CN_OK && (stat(path, &state) != 0 || !S_ISDIR(state.st_mode))) {
        status = cn_fail(err, CN_IO, "%s: there is a file of this name, a folder is needed", path);
    }
    free(path);
    return status;
}

const char *cn_contact_status_name(int status)
{
    static const char *const name[] = {"open", "stick", "slide", "joined"};
    return status >= 0 && status < 4 ? name[status] : "unknown";
}
