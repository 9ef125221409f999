// scene/keys/sections.h -- all sections of the scene language in the order in which a reader meets
// them.
#pragma once

#include "scene/keys/keys.h"

typedef struct cn_section_item {
    const cn_section *section;
    const char *path; // how to get there, e.g. "generate: pack: shape"
    bool is_one;      // exactly one key
    bool is_made;     // from the table of a law or generator
} cn_section_item;

typedef struct cn_section_list {
    cn_section_item *item;
    size_t count, capacity;
} cn_section_list;

// Strings come from the arena; free list->item.
cn_status cn_sections_collect(cn_arena *arena, cn_section_list *list, cn_error *err);

// The key that says what the items of a list or map of names are, else the key itself.
const cn_key *cn_key_inner(const cn_key *key);
