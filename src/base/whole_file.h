// base/whole_file.h -- files that appear complete or not at all, written as a stream of bytes.
#pragma once

#include <stdio.h>

#include "base/file_lock.h"
#include "base/shared.h"

// A file written under another name beside its place, by one writer. Devices and pipes are written
// to directly.
typedef struct cn_whole {
    FILE *file;
    char *path;      // as given, for messages
    cn_claim *claim; // NULL: written directly
} cn_whole;

CN_SHARED cn_status cn_whole_open(const char *path, cn_whole *whole, cn_error *err);

// Closes and puts the file in its place; on failure nothing is left and `path` is as it was.
CN_SHARED cn_status cn_whole_commit(cn_whole *whole, cn_error *err);
CN_SHARED void cn_whole_abandon(cn_whole *whole);

// What could not be written, and why: errno.
cn_status cn_whole_fail(const cn_whole *whole, int code, cn_error *err);
