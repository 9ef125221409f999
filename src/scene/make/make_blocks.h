// scene/make/make_blocks.h -- blocks from files: which files, which surfaces in them, which names.
#pragma once

#include "scene/make/make_bodies.h"

// A file of an entry: as the scene names it, for messages, and its name without folder and ending.
typedef struct cn_block_file {
    cn_place at;
    const char *path;
    const char *stem;
} cn_block_file;

typedef struct cn_block_files {
    int count;
    cn_block_file *file;
    size_t capacity;
} cn_block_files;

// The files that `blocks` names: files, folders, and patterns such as stl/*.stl, whose files are
// taken in the order of their names, numbers in them by value. Problems are reported. False for
// lack of memory only; the list is freed by the caller. (scene/make/block_files.c)
bool cn_block_files_find(cn_making *m, const cn_value *blocks, cn_block_files *files);

// What selectors take: letters, digits, '_', '-', '.', '#' and what is beyond ASCII; anything else
// becomes '_'. At most `most` bytes. NULL: no memory. (scene/make/block_labels.c)
const char *cn_label_make(cn_arena *arena, const char *name, size_t most, cn_error *err);

// Numbers labels that occur more than once: stone, stone#2. How many were changed and the first of
// them are told. False for lack of memory only.
typedef struct cn_label_report {
    int count;
    const char *first;
} cn_label_report;
bool cn_labels_number(cn_reading *r, const char **label, int count, size_t most,
                      cn_label_report *report);
