// geometry/surface/read/msh.h -- what the two versions of the gmsh format share.
#pragma once

#include "geometry/surface/read/surface_draft.h"

// Numbers that a file gives to things, and what they stand for here.
typedef struct cn_tags {
    cn_chain chain;
    int64_t *tag;
    int *value;
    size_t tag_capacity, value_capacity;
} cn_tags;

typedef struct cn_msh_type cn_msh_type;
typedef struct cn_msh cn_msh;
struct cn_msh {
    cn_mesher *m;
    cn_cursor *c;
    bool is_text;
    cn_tags node;                      // to vertices
    cn_tags physical;                  // physical groups by cn_msh_key, to groups
    cn_tags entity;                    // 4.1: parts of the model by cn_msh_key, to groups
    int64_t solid_count, curved_count; // elements left out, and simplified
    bool has_nodes, has_elements;
    bool is_by_volume;
    // Takes elements of all dimensions, their nodes in m->corner; NULL: faces of a surface only.
    cn_status (*element)(cn_msh *f, const cn_msh_type *type, int64_t element, int group);
    void *context;
};

// An element type: its dimension, nodes, and corners if it is a face; its number in the format.
struct cn_msh_type {
    int dimension, node_count, corner_count, number;
};

// Groups and entities are numbered apart in each dimension.
static inline int64_t cn_msh_key(int64_t dimension, int64_t tag)
{
    return tag + (dimension << 40);
}

// Groups of this dimension are wanted.
static inline bool cn_msh_takes(const cn_msh *f, int64_t dimension)
{
    return dimension == 2 || f->element != NULL;
}

// Reads a file for its elements: `element` takes each, `done` all of them. By volume: what is in no
// physical group has one of its volume, called volume_N.
cn_status cn_msh_read_elements(cn_mesher *m,
                               cn_status (*element)(cn_msh *f, const cn_msh_type *type,
                                                    int64_t element, int group),
                               cn_status (*done)(cn_msh *f), void *context, bool is_by_volume);

// Value of a tag, -1 if it is not known; adding one that is known is up to the caller to prevent.
int cn_tags_find(const cn_tags *tags, int64_t tag);
cn_status cn_tags_add(cn_tags *tags, int64_t tag, int value, cn_error *err);

// One value: text, or binary of 4 bytes (int), 8 bytes (size) or 8 bytes (real).
cn_status cn_msh_int(cn_msh *f, const char *what, int64_t *value);
cn_status cn_msh_size(cn_msh *f, const char *what, int64_t *value);
cn_status cn_msh_real(cn_msh *f, const char *what, double *value);

// A count that the rest of the file can hold, if each thing takes `size` bytes in binary.
cn_status cn_msh_count_ok(cn_msh *f, const char *what, int64_t count, size_t size);

cn_status cn_msh_type_of(cn_msh *f, int64_t number, cn_msh_type *type);

// Group of a physical group, made if it has no name; -1 for tag 0.
cn_status cn_msh_group(cn_msh *f, int64_t dimension, int64_t physical, int *group);

// Group of an element that is in no physical group: of its volume if these are asked for, else -1.
cn_status cn_msh_volume_group(cn_msh *f, int64_t dimension, int64_t entity, int *group);

// A node, and an element whose nodes are in m->corner as tags are read: cn_msh_corner for each of
// them, then cn_msh_element.
cn_status cn_msh_node(cn_msh *f, int64_t tag, int vertex);
cn_status cn_msh_corner(cn_msh *f, int k, int64_t tag, int64_t element);
cn_status cn_msh_element(cn_msh *f, const cn_msh_type *type, int64_t element, int group);

// The sections, from behind the line that opens them to before the one that closes them.
cn_status cn_msh2_nodes(cn_msh *f);
cn_status cn_msh2_elements(cn_msh *f);
cn_status cn_msh4_entities(cn_msh *f);
cn_status cn_msh4_nodes(cn_msh *f);
cn_status cn_msh4_elements(cn_msh *f);
