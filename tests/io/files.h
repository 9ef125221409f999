// tests/io/files.h -- a scratch folder and small files for the tests of this folder.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// HDF5 itself loses memory when it refuses a damaged file; that is not ours to fix.
const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

static char files_folder[64];

// Path of a file in the scratch folder, which is made at first use. Valid to the end.
static inline const char *files_path(const char *name)
{
    static char path[64][128];
    if (files_folder[0] == '\0') {
        snprintf(files_folder, sizeof files_folder, "cairn-io-XXXXXX");
        if (mkdtemp(files_folder) == NULL) {
            abort();
        }
    }
    for (int k = 0; k < 64; k++) {
        if (path[k][0] == '\0') {
            snprintf(path[k], sizeof path[k], "%s/%s", files_folder, name);
        }
        if (strcmp(path[k] + strlen(files_folder) + 1, name) == 0) {
            return path[k];
        }
    }
    abort();
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
