// base/read_file.c
#include "base/read_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static cn_status read_open_file(FILE *file, const char *path, size_t most, char **text,
                                size_t *length, cn_error *err)
{
    size_t capacity = 0;
    for (;;) {
        CN_TRY(cn_reserve(NULL, text, &capacity, *length + 65536, err));
        size_t got = fread(*text + *length, 1, capacity - *length, file);
        *length += got;
        if (ferror(file)) {
            return cn_fail(err, CN_IO, "cannot read '%s': %s", path, strerror(errno));
        }
        if (*length > most) {
            return cn_fail(err, CN_BAD_INPUT, "'%s' is larger than %zu MiB, the most that is read",
                           path, most >> 20);
        }
        if (got == 0) {
            return CN_OK;
        }
    }
}

cn_status cn_file_bytes(const char *path, size_t most, char **bytes, size_t *length, cn_error *err)
{
    *bytes = NULL;
    *length = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return cn_fail(err, CN_IO, "cannot read '%s': %s", path, strerror(errno));
    }
    cn_status status = read_open_file(file, path, most, bytes, length, err);
    fclose(file);
    if (status != CN_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}
