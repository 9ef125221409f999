// scene/keys/sections.c
#include "scene/keys/sections.h"

#include <string.h>

#include "base/memory.h"

typedef struct walk {
    cn_arena *arena;
    cn_section_list *list;
    cn_error *err;
} walk;

const cn_key *cn_key_inner(const cn_key *key)
{
    return key->type == CN_TYPE_LIST || key->type == CN_TYPE_NAMED ? key->item : key;
}

// Made sections are new at each use: the same name and help means the same thing.
static bool is_listed(const walk *w, const cn_section *section, bool is_made)
{
    for (size_t k = 0; k < w->list->count; k++) {
        const cn_section_item *item = &w->list->item[k];
        bool is_same = is_made && item->is_made && section->count == item->section->count &&
                       strcmp(section->name, item->section->name) == 0 &&
                       strcmp(section->help, item->section->help) == 0;
        if (item->section == section || is_same) {
            return true;
        }
    }
    return false;
}

static cn_status visit(walk *w, const cn_section *section, const char *path, bool is_one,
                       bool is_made);

static cn_status visit_laws(walk *w)
{
    for (int k = 0; k < cn_law_type_count(); k++) {
        const cn_section *law = cn_section_law(cn_law_type_at(k), w->arena, w->err);
        char *path =
            law == NULL ? NULL : cn_arena_print(w->arena, w->err, "law: type: %s", law->name);
        if (path == NULL) {
            return CN_NO_MEMORY;
        }
        CN_TRY(visit(w, law, path, false, true));
    }
    return CN_OK;
}

static cn_status visit_key(walk *w, const cn_key *key, const char *path, bool is_made)
{
    const cn_key *inner = cn_key_inner(key);
    if (inner->type == CN_TYPE_LAW) {
        return visit_laws(w);
    }
    bool is_table = inner->type == CN_TYPE_GENERATOR || inner->type == CN_TYPE_OBSERVER;
    if (inner->type != CN_TYPE_MAP && inner->type != CN_TYPE_ONE && !is_table) {
        return CN_OK;
    }
    const cn_section *section = cn_key_section(inner, w->arena, w->err);
    const char *name = inner == key ? key->name : inner->name;
    const char *dim = key->dim == 2 ? " (2D)" : key->dim == 3 ? " (3D)" : "";
    const char *below =
        is_made ? cn_arena_print(w->arena, w->err, "%s: %s%s", path, name, dim) : name;
    if (section == NULL || below == NULL) {
        return CN_NO_MEMORY;
    }
    bool is_one = inner->type == CN_TYPE_ONE || inner->type == CN_TYPE_GENERATOR;
    return visit(w, section, below, is_one, is_made || is_table);
}

static cn_status visit(walk *w, const cn_section *section, const char *path, bool is_one,
                       bool is_made)
{
    if (is_listed(w, section, is_made)) {
        return CN_OK;
    }
    cn_section_list *list = w->list;
    CN_TRY(cn_reserve(NULL, &list->item, &list->capacity, list->count + 1, w->err));
    list->item[list->count++] = (cn_section_item){section, path, is_one, is_made};
    for (int k = 0; k < section->count; k++) {
        CN_TRY(visit_key(w, &section->key[k], path, is_made));
    }
    return CN_OK;
}

cn_status cn_sections_collect(cn_arena *arena, cn_section_list *list, cn_error *err)
{
    walk w = {arena, list, err};
    return visit(&w, cn_section_scene(), "scene", false, false);
}
