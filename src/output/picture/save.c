// output/picture/save.c
#include "output/picture/save.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static bool is_direct(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

static cn_status fail_errno(cn_error *err, const char *what, const char *path, int number)
{
    return cn_fail(err, CN_IO, "cannot %s '%s': %s", what, path, strerror(number));
}

cn_status cn_draft_open(const char *path, cn_draft *draft, cn_error *err)
{
    *draft = (cn_draft){0};
    size_t room = strlen(path) + 32;
    draft->path = cn_resize(NULL, NULL, room);
    draft->temporary = is_direct(path) ? NULL : cn_resize(NULL, NULL, room);
    if (draft->path == NULL || (draft->temporary == NULL && !is_direct(path))) {
        cn_draft_abandon(draft);
        return cn_fail(err, CN_NO_MEMORY, "out of memory while writing '%s'", path);
    }
    memcpy(draft->path, path, strlen(path) + 1);
    const char *name = path;
    if (draft->temporary != NULL) {
        snprintf(draft->temporary, room, "%s.%ld.tmp", path, (long)getpid());
        name = draft->temporary;
    }
    draft->file = fopen(name, "wb");
    if (draft->file == NULL) {
        int number = errno;
        cn_release(NULL, draft->temporary);
        draft->temporary = NULL; // not ours: nothing to remove
        cn_draft_abandon(draft);
        return fail_errno(err, "write", path, number);
    }
    return CN_OK;
}

cn_status cn_draft_commit(cn_draft *draft, cn_error *err)
{
    errno = 0;
    bool is_written = fflush(draft->file) == 0 && !ferror(draft->file);
    int number = errno;
    is_written = fclose(draft->file) == 0 && is_written;
    number = number != 0 ? number : errno;
    draft->file = NULL;
    if (is_written && draft->temporary != NULL && rename(draft->temporary, draft->path) != 0) {
        is_written = false;
        number = errno;
    }
    cn_status status = CN_OK;
    if (!is_written) {
        status = fail_errno(err, "write", draft->path, number != 0 ? number : EIO);
    } else {
        cn_release(NULL, draft->temporary);
        draft->temporary = NULL;
    }
    cn_draft_abandon(draft);
    return status;
}

void cn_draft_abandon(cn_draft *draft)
{
    if (draft->file != NULL) {
        fclose(draft->file);
    }
    if (draft->temporary != NULL) {
        remove(draft->temporary);
    }
    cn_release(NULL, draft->temporary);
    cn_release(NULL, draft->path);
    *draft = (cn_draft){0};
}

static unsigned char *to_bytes(const cn_canvas *canvas)
{
    size_t count = 3 * (size_t)canvas->width * (size_t)canvas->height;
    unsigned char *bytes = cn_resize(NULL, NULL, count);
    for (size_t k = 0; bytes != NULL && k < count; k++) {
        float value = canvas->pixel[k] * 255.0f + 0.5f;
        bytes[k] = value <= 0.0f ? 0 : value >= 255.0f ? 255 : (unsigned char)value;
    }
    return bytes;
}

cn_status cn_canvas_save(const cn_canvas *canvas, const char *path, cn_error *err)
{
    unsigned char *bytes = to_bytes(canvas);
    if (bytes == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory while writing '%s'", path);
    }
    cn_draft draft;
    cn_status status = cn_draft_open(path, &draft, err);
    if (status == CN_OK) {
        png_image image = {.version = PNG_IMAGE_VERSION,
                           .width = (png_uint_32)canvas->width,
                           .height = (png_uint_32)canvas->height,
                           .format = PNG_FORMAT_RGB};
        int number = 0;
        errno = 0;
        bool is_encoded = png_image_write_to_stdio(&image, draft.file, 0, bytes, 0, NULL) != 0;
        number = errno;
        if (is_encoded) {
            status = cn_draft_commit(&draft, err);
        } else {
            cn_draft_abandon(&draft);
            status = cn_fail(err, CN_IO, "cannot write '%s': %s", path,
                             number != 0 ? strerror(number) : image.message);
        }
        png_image_free(&image);
    }
    cn_release(NULL, bytes);
    return status;
}
