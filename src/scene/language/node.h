// scene/language/node.h -- a YAML file as a tree whose every node knows its file, line and column.
//
// The tree is built from libyaml's events so that limits hold while reading: nesting, number of
// aliases and what they expand to. Keys are scalars and occur once. Scalars stay text here; what
// they mean depends on the key (scene/language/value.h).
#pragma once

#include "scene/language/arena.h"
#include "scene/language/report.h"

#define CN_NODE_DEPTH_MAX 64
#define CN_NODE_ALIAS_MAX 1000
#define CN_NODE_ALIAS_WEIGHT_MAX 1000000
#define CN_SCENE_BYTES_MAX ((size_t)64 << 20)

typedef enum cn_node_kind { CN_NODE_SCALAR = 0, CN_NODE_LIST, CN_NODE_MAP } cn_node_kind;

typedef struct cn_node cn_node;
struct cn_node {
    cn_node_kind kind;
    bool is_plain; // scalar without quotes
    cn_place at;
    const char *text;           // scalar
    int count;                  // list, map
    const cn_node *const *key;  // map
    const cn_node *const *item; // list, map
    size_t weight;              // nodes in it, aliases expanded
};

// Name of the kind with its article, for messages: "a map".
const char *cn_node_kind_name(const cn_node *node);

// The item under a key of a map, or NULL.
const cn_node *cn_node_find(const cn_node *map, const char *key);

// Parses a source. Nodes are memory of `tree`, their texts of `words`, which may be the same: texts
// are kept by values, nodes are not. *root is NULL when the file is empty or when something was
// wrong, which is then in the report. The status is only about memory.
cn_status cn_node_parse(const cn_source *source, cn_arena *tree, cn_arena *words, cn_report *report,
                        const cn_node **root, cn_error *err);
