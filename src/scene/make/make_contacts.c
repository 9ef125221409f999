// scene/make/make_contacts.c -- laws, groups and the rules between them.
//
// A body has one group in the world. It is called after its entry, or after the extra group of the
// entry when no rule speaks of the entry itself: many entries that share a group stay one group.
// The world keeps a table of pairs of groups, so names that no rule needs stop making groups at
// GROUP_MAX.
#include <string.h>

#include "scene/read_scene.h"

enum { GROUP_MAX = 100 };

// Every key of a law but `type` is one of its parameters.
static void set_law(cn_making *m, const cn_value *value, cn_law_def *def)
{
    *def = cn_law_default(cn_value_text(value, "type"));
    for (int k = 0; k < value->count; k++) {
        const cn_value *param = value->item[k];
        cn_error why = {0};
        cn_status status = CN_OK;
        if (strcmp(value->name[k], "type") == 0) {
            continue;
        }
        if (param->kind == CN_VALUE_TEXT) {
            status = cn_law_set_word(def, value->name[k], param->text, &why);
        } else {
            status = cn_law_set(def, value->name[k], param->number, &why);
        }
        if (status != CN_OK) {
            cn_complain(m->reading.report, param->at, "%s", why.text);
        } else if (m->scene->dim == 2 && strcmp(value->name[k], "spinning") == 0 &&
                   param->number > 0.0) {
            cn_complain(m->reading.report, param->at,
                        "in the plane bodies do not spin about normals; give rolling instead");
        }
    }
}

bool cn_make_laws(cn_making *m)
{
    const cn_value *all = cn_value_get(m->root, "laws");
    cn_scene_law *law = cn_reading_take(&m->reading, (size_t)all->count, sizeof *law);
    for (int k = 0; law != NULL && k < all->count; k++) {
        cn_check_name(m, all->name_at[k], "law", all->name[k]);
        law[k].name = all->name[k];
        set_law(m, all->item[k], &law[k].def);
    }
    m->scene->law = law;
    m->scene->law_count = law == NULL ? 0 : all->count;
    return law != NULL;
}

static bool is_in_lines(const cn_value *contacts, const char *name)
{
    for (int k = 0; contacts != NULL && k < contacts->count; k++) {
        const cn_value *between = cn_value_get(contacts->item[k], "between");
        if (strcmp(between->item[0]->text, name) == 0 ||
            strcmp(between->item[1]->text, name) == 0) {
            return true;
        }
    }
    return false;
}

// By those of the scene or of a stage.
static bool is_named_by_rules(const cn_value *root, const char *name)
{
    const cn_value *stages = cn_value_get(root, "stages");
    bool is_named = is_in_lines(cn_value_get(root, "contacts"), name);
    for (int k = 0; stages != NULL && k < stages->count && !is_named; k++) {
        is_named = is_in_lines(cn_value_get(stages->item[k], "contacts"), name);
    }
    return is_named;
}

static int find_group(const char *const *group, int count, const char *label)
{
    for (int g = 1; g < count; g++) {
        if (strcmp(group[g], label) == 0) {
            return g;
        }
    }
    return count;
}

// Name of the group of an entry, NULL for the group that all others share.
static const char *label_of(const cn_scene_entry *entry, const cn_value *root, int group_count)
{
    if (is_named_by_rules(root, entry->name)) {
        return entry->name;
    }
    if (entry->tag != NULL && (group_count <= GROUP_MAX || is_named_by_rules(root, entry->tag))) {
        return entry->tag;
    }
    return entry->tag == NULL && group_count <= GROUP_MAX ? entry->name : NULL;
}

static bool make_groups(cn_making *m)
{
    cn_scene *scene = m->scene;
    cn_scene_entry *entry = (cn_scene_entry *)scene->entry;
    cn_scene_body *body = (cn_scene_body *)scene->body;
    const char **group = cn_reading_take(
        &m->reading, (size_t)(scene->entry_count + scene->material_count) + 1, sizeof *group);
    if (group == NULL) {
        return false;
    }
    int count = 1;
    group[0] = "default";
    for (int e = 0; e < scene->entry_count; e++) {
        const char *label = label_of(&entry[e], m->root, count);
        entry[e].group = label == NULL ? 0 : find_group(group, count, label);
        if (entry[e].group == count) {
            group[count++] = label;
        }
        for (int k = entry[e].first; k < entry[e].first + entry[e].count; k++) {
            body[k].def.group = entry[e].group;
            const char *material = body[k].material;
            if (material != NULL && is_named_by_rules(m->root, material)) {
                int found = find_group(group, count, material);
                body[k].def.group = found;
                if (found == count) {
                    group[count++] = material;
                }
            }
        }
    }
    scene->group = group;
    scene->group_count = count;
    return true;
}

static void complain_group(cn_making *m, const cn_value *name)
{
    const cn_scene *scene = m->scene;
    if (strpbrk(name->text, ".[,") != NULL) {
        cn_complain(m->reading.report, name->at,
                    "'%.60s': contacts are between bodies or groups by name, not between parts",
                    name->text);
        return;
    }
    const char **known =
        cn_reading_take(&m->reading, 2 * (size_t)scene->entry_count + 1, sizeof *known);
    int count = 0;
    for (int e = 0; known != NULL && e < scene->entry_count; e++) {
        known[count++] = scene->entry[e].name;
        if (scene->entry[e].tag != NULL) {
            known[count++] = scene->entry[e].tag;
        }
    }
    if (known != NULL) {
        known[count++] = "any";
        cn_complain_unknown(m->reading.report, name->at, "body or group", name->text, NULL, known,
                            count);
    }
}

static void add_group(int *group, int *count, int added)
{
    bool is_known = false;
    for (int k = 0; k < *count && !is_known; k++) {
        is_known = group[k] == added;
    }
    if (!is_known) {
        group[(*count)++] = added;
    }
}

// Groups of the world that a name of a rule stands for; pieces of exploded meshes are called by
// their material, too.
static bool make_side(cn_making *m, const cn_value *name, const int **side, int *count)
{
    const cn_scene *scene = m->scene;
    int *group = cn_reading_take(&m->reading, (size_t)scene->group_count + 1, sizeof *group);
    *side = group;
    *count = 0;
    if (group == NULL) {
        return false;
    }
    if (strcmp(name->text, "any") == 0) {
        group[(*count)++] = CN_GROUP_ANY;
        return true;
    }
    for (int e = 0; e < scene->entry_count; e++) {
        const cn_scene_entry *entry = &scene->entry[e];
        bool is_meant = strcmp(entry->name, name->text) == 0 ||
                        (entry->tag != NULL && strcmp(entry->tag, name->text) == 0);
        if (is_meant) {
            add_group(group, count, entry->group);
        }
        for (int k = entry->first; k < entry->first + entry->count && entry->is_exploded; k++) {
            const char *material = scene->body[k].material;
            if (is_meant || (material != NULL && strcmp(material, name->text) == 0)) {
                add_group(group, count, scene->body[k].def.group);
            }
        }
    }
    if (*count == 0) {
        complain_group(m, name);
    }
    return true;
}

static int find_law(cn_making *m, const cn_value *name)
{
    const cn_scene *scene = m->scene;
    if (strcmp(name->text, "none") == 0) {
        return CN_LAW_NO_CONTACT;
    }
    for (int k = 0; k < scene->law_count; k++) {
        if (strcmp(scene->law[k].name, name->text) == 0) {
            return k;
        }
    }
    const cn_value *laws = cn_value_get(m->root, "laws");
    cn_complain_unknown(m->reading.report, name->at, "law", name->text, NULL, laws->name,
                        laws->count);
    return CN_LAW_NO_CONTACT;
}

// NULL: no memory.
static const cn_scene_rule *make_lines(cn_making *m, const cn_value *contacts)
{
    cn_scene_rule *rule = cn_reading_take(&m->reading, (size_t)contacts->count + 1, sizeof *rule);
    for (int k = 0; rule != NULL && k < contacts->count; k++) {
        const cn_value *between = cn_value_get(contacts->item[k], "between");
        if (!make_side(m, between->item[0], &rule[k].a, &rule[k].a_count) ||
            !make_side(m, between->item[1], &rule[k].b, &rule[k].b_count)) {
            return NULL;
        }
        rule[k].law = find_law(m, cn_value_get(contacts->item[k], "law"));
    }
    return rule;
}

bool cn_make_rules(cn_making *m)
{
    const cn_value *contacts = cn_value_get(m->root, "contacts");
    m->scene->rule_count = contacts->count;
    m->scene->rule = make_groups(m) ? make_lines(m, contacts) : NULL;
    return m->scene->rule != NULL;
}

static int pair_count(const cn_scene_rule *rule, int count)
{
    int pairs = 0;
    for (int k = 0; k < count; k++) {
        pairs += rule[k].a_count * rule[k].b_count;
    }
    return pairs;
}

static void add_pairs(const cn_scene_rule *rule, int count, cn_rule_def *to, int *pairs)
{
    for (int k = 0; k < count; k++) {
        for (int a = 0; a < rule[k].a_count; a++) {
            for (int b = 0; b < rule[k].b_count; b++) {
                to[(*pairs)++] = (cn_rule_def){rule[k].a[a], rule[k].b[b], rule[k].law};
            }
        }
    }
}

bool cn_make_stage_rules(cn_making *m, const cn_value *stage, cn_scene_stage *to)
{
    const cn_scene *scene = m->scene;
    const cn_value *contacts = cn_value_get(stage, "contacts");
    int own_count = contacts != NULL ? contacts->count : 0;
    const cn_scene_rule *own = contacts != NULL ? make_lines(m, contacts) : scene->rule;
    if (own == NULL) {
        return false;
    }
    int count = pair_count(own, own_count) + pair_count(scene->rule, scene->rule_count);
    cn_rule_def *rule = cn_reading_take(&m->reading, (size_t)count + 1, sizeof *rule);
    to->rule = rule;
    if (rule != NULL) {
        add_pairs(own, own_count, rule, &to->rule_count);
        add_pairs(scene->rule, scene->rule_count, rule, &to->rule_count);
    }
    return rule != NULL;
}
