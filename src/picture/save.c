// picture/save.c
#include "picture/save.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <string.h>

#include "base/memory.h"

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
    cn_whole draft;
    cn_status status = cn_whole_open(path, &draft, err);
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
            status = cn_whole_commit(&draft, err);
        } else {
            cn_whole_abandon(&draft);
            status = cn_fail(err, CN_IO, "cannot write '%s': %s", path,
                             number != 0 ? strerror(number) : image.message);
        }
        png_image_free(&image);
    }
    cn_release(NULL, bytes);
    return status;
}
