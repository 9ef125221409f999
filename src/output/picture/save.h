// output/picture/save.h -- files that appear complete or not at all, and PNG.
#pragma once

#include <stdio.h>

#include "output/picture/canvas.h"

// A file written under a temporary name beside its place. A path that exists and is no regular file
// (a terminal, a pipe) is written directly.
typedef struct cn_draft {
    FILE *file;
    char *path, *temporary; // temporary NULL: written directly
} cn_draft;

cn_status cn_draft_open(const char *path, cn_draft *draft, cn_error *err);

// Closes and puts the file in its place; on failure nothing is left and `path` is as it was.
cn_status cn_draft_commit(cn_draft *draft, cn_error *err);
void cn_draft_abandon(cn_draft *draft);

cn_status cn_canvas_save(const cn_canvas *canvas, const char *path, cn_error *err);
