// scene/language/text_lines.h -- text told line by line.
#pragma once

#include "base/decimal.h"
#include "cairn/base.h"
#include "cairn/result.h"
#include "scene/language/node.h"

// A line under way. A failure to get memory is kept and returned at the end.
typedef struct cn_writing {
    cn_tell *told; // may be NULL
    void *context;
    char *line;
    size_t length, capacity;
    cn_status status;
} cn_writing;

// Appends; every line end tells the line.
void cn_write(cn_writing *w, const char *format, ...) CN_PRINTF(2, 3);

// A YAML scalar: plain if it may be, else in double quotes. `is_plain` false keeps it text.
void cn_write_scalar(cn_writing *w, const char *text, bool is_plain);

// A number in the fewest digits that read back as the same bits.
void cn_write_number(cn_writing *w, double number);

// A JSON string.
void cn_write_json(cn_writing *w, const char *text);

// A tree of nodes in flow style, as YAML and JSON share it; `write` writes scalars and keys.
void cn_write_tree(cn_writing *w, const cn_node *node,
                   void (*write)(cn_writing *, const cn_node *));

// A tree of nodes as YAML in flow style, one line per key of the root.
void cn_write_nodes(cn_writing *w, const cn_node *root);

// Tells what is left and frees.
cn_status cn_write_end(cn_writing *w, cn_error *err);
