// scene/make/make_observers.c -- what is observed at every step.
#include <stdio.h>
#include <string.h>

#include "scene/observe/observers.h"

// The one kind of an observer, NULL if there are none or several.
static const cn_value *kind_of(const cn_value *value)
{
    const cn_value *given = NULL;
    int count = 0;
    for (int k = 0; k < value->count; k++) {
        if (value->item[k] != NULL && strcmp(value->name[k], "name") != 0) {
            given = value->item[k];
            count++;
        }
    }
    return count == 1 ? given : NULL;
}

static bool make_observer(cn_making *m, const cn_value *value, cn_scene_observer *observer)
{
    const cn_value *given = kind_of(value);
    observer->name = cn_value_text(value, "name");
    cn_check_name(m, cn_value_get(value, "name")->at, "observer", observer->name);
    if (given == NULL) {
        const cn_section *kinds = value->key->section;
        char known[400] = "";
        for (int k = 1; k < kinds->count; k++) {
            size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", k > 1 ? ", " : "",
                     kinds->key[k].name);
        }
        cn_complain(m->reading.report, value->at, "observer '%.60s' takes exactly one of %s",
                    observer->name, known);
        return true;
    }
    observer->type = cn_observer_named(given->key->name, &observer->analysis);
    return observer->type->make(m, given, observer);
}

int cn_series_named(cn_making *m, const char *name, bool *is_named)
{
    const cn_value *all = cn_value_get(m->root, "observe");
    const char *dot = strrchr(name, '.');
    size_t length = dot == NULL ? strlen(name) : (size_t)(dot - name);
    int at = 0;
    *is_named = false;
    for (int k = 0; k < all->count; k++) {
        const cn_value *given = kind_of(all->item[k]);
        const char *own = cn_value_text(all->item[k], "name");
        cn_scene_observer observer = {.name = own};
        if (given == NULL) {
            continue; // told where observers are made
        }
        observer.type = cn_observer_named(given->key->name, &observer.analysis);
        const char *parts = cn_observer_parts(&observer, m->scene->dim);
        bool is_it = strncmp(own, name, length) == 0 && own[length] == '\0';
        int part = is_it && dot != NULL ? cn_choice_find(parts, dot + 1) : -1;
        *is_named = *is_named || is_it;
        if (part >= 0) {
            return at + part;
        }
        char word[64];
        for (int n = 0; cn_choice_at(parts, n, word); n++) {
            at++;
        }
    }
    return -1;
}

bool cn_make_observers(cn_making *m)
{
    const cn_value *all = cn_value_get(m->root, "observe");
    cn_scene_observer *observer =
        cn_reading_take(&m->reading, (size_t)all->count, sizeof *observer);
    bool has_memory = observer != NULL;
    for (int k = 0; k < all->count && has_memory; k++) {
        has_memory = make_observer(m, all->item[k], &observer[k]);
        for (int n = 0; n < k; n++) {
            if (strcmp(observer[n].name, observer[k].name) == 0) {
                cn_complain(m->reading.report, all->item[k]->at, "two observers are called '%.60s'",
                            observer[k].name);
            }
        }
    }
    m->scene->observer = observer;
    m->scene->observer_count = has_memory ? all->count : 0;
    return has_memory;
}
