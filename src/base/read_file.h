// base/read_file.h -- a whole file in memory.
#pragma once

#include "base/shared.h"
#include "cairn/base.h"

// Reads the file into memory of malloc, which the caller frees. CN_IO says why it cannot be read,
// CN_BAD_INPUT that it is larger than `most` bytes; *bytes is NULL then.
CN_SHARED cn_status cn_file_bytes(const char *path, size_t most, char **bytes, size_t *length,
                                  cn_error *err);
