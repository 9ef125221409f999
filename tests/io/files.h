// tests/io/files.h -- a scratch folder and small files for the tests of this folder.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char files_folder[64];

// Path of a file in the scratch folder, which is made at first use. Valid for the next 7 calls.
static inline const char *files_path(const char *name)
{
    static char path[8][256];
    static int next;
    if (files_folder[0] == '\0') {
        snprintf(files_folder, sizeof files_folder, "cairn-io-XXXXXX");
        if (mkdtemp(files_folder) == NULL) {
            abort();
        }
    }
    next = (next + 1) % 8;
    snprintf(path[next], sizeof path[next], "%s/%s", files_folder, name);
    return path[next];
}

static inline void files_remove(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", files_folder);
    if (files_folder[0] != '\0' && system(command) != 0) {
        printf("cannot remove %s\n", files_folder);
    }
}

// The whole file, with a zero behind it; the caller frees it.
static inline char *files_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    struct stat state;
    fstat(fileno(file), &state);
    char *bytes = malloc((size_t)state.st_size + 1);
    *size = fread(bytes, 1, (size_t)state.st_size, file);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

static inline void files_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        abort();
    }
}
