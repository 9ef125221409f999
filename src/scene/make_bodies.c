// scene/make_bodies.c -- entries of `bodies:` become bodies.
#include "scene/make_bodies.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"

bool cn_check_name(cn_making *m, cn_place at, const char *what, const char *name)
{
    bool is_good = isalpha((unsigned char)name[0]) && strlen(name) <= 60;
    for (const char *c = name; *c != '\0' && is_good; c++) {
        is_good = isalnum((unsigned char)*c) || *c == '_' || *c == '-';
    }
    if (!is_good) {
        cn_complain(m->reading.report, at,
                    "'%.60s' cannot be the name of a %s: begin with a letter, use letters, digits, "
                    "'_' and '-'",
                    name, what);
        return false;
    }
    if (strcmp(name, "any") == 0 || strcmp(name, "none") == 0 || strcmp(name, "default") == 0) {
        cn_complain(m->reading.report, at, "'%s' is a word of the language, choose another name",
                    name);
        return false;
    }
    return true;
}

bool cn_bodies_fit(cn_entry_making *e, const cn_body_list *list, cn_place at, double more)
{
    if ((double)list->count + more > e->m->def->body_max) {
        cn_complain(e->m->reading.report, at, "more than %d bodies", e->m->def->body_max);
        return false;
    }
    return true;
}

static bool is_held(const cn_body_def *def)
{
    const unsigned planar = 1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_RZ;
    return (def->fixed & planar) == planar;
}

// Checks the shapes and turns a given mass into a density, or both mass and inertia into
// themselves.
static bool set_mass(cn_entry_making *e, cn_place at, cn_body_def *def)
{
    double area = 0.0;
    cn_error why = {0};
    for (int k = 0; k < def->shape_count; k++) {
        cn_shape_mass measure;
        if (cn_shape_measure(&def->shape[k], &measure, &why) != CN_OK) {
            cn_complain(e->m->reading.report, at, "body '%s': %s", e->name, why.text);
            return false;
        }
        if (def->shape[k].kind == CN_SHAPE_HALF_PLANE && !is_held(def)) {
            cn_complain(
                e->m->reading.report, at,
                "body '%s': a half_plane has no mass; it must be 'fixed: true' (a drive may "
                "still move it)",
                e->name);
            return false;
        }
        area += measure.area;
    }
    if (!isnan(e->inertia)) {
        def->density = 0.0;
        def->mass = e->mass;
        def->inertia = e->inertia;
    } else if (!isnan(e->mass)) {
        def->density = e->mass / area;
    }
    return true;
}

bool cn_bodies_append(cn_entry_making *e, cn_body_list *list, cn_place at,
                      const cn_shape_def *shape, int shape_count, const cn_local *local)
{
    cn_reading *r = &e->m->reading;
    cn_body_def def = e->base;
    double c = cos(def.angle), s = sin(def.angle);
    cn_vec2 moved = cn_turn2(cn_v2(local->at[0], local->at[1]), c, s);
    def.id = cn_scene_body_id((int)list->count);
    def.shape = shape;
    def.shape_count = shape_count;
    def.at[0] += moved.x;
    def.at[1] += moved.y;
    def.angle += local->angle;
    def.fixed |= local->fixed;
    if (!set_mass(e, at, &def)) {
        return true;
    }
    if (cn_reserve(NULL, &list->body, &list->capacity, list->count + 1, r->err) != CN_OK) {
        r->status = CN_NO_MEMORY;
        return false;
    }
    list->body[list->count++] =
        (cn_scene_body){def, e->entry, {local->index[0], local->index[1]}, local->is_support};
    return true;
}

// `cluster`: all parts together.
static cn_shape_def *cluster_shapes(cn_reading *r, const cn_value *cluster, int *count)
{
    cn_shape_def *all = cn_reading_take(r, 4 * (size_t)cluster->count, sizeof *all);
    *count = 0;
    for (int k = 0; k < cluster->count && all != NULL; k++) {
        const cn_value *part = cluster->item[k];
        double at[2] = {0.0, 0.0};
        int part_count = 0;
        cn_value_point(part, "at", at);
        const cn_shape_def *shape = cn_shapes_of(r, cn_value_get(part, "shape"), at,
                                                 cn_value_number(part, "angle"), &part_count);
        if (shape == NULL) {
            return NULL;
        }
        memcpy(all + *count, shape, (size_t)part_count * sizeof *shape);
        *count += part_count;
    }
    return all;
}

static bool add_single(cn_entry_making *e, cn_body_list *list, const cn_value *source)
{
    cn_reading *r = &e->m->reading;
    int count = 0;
    const double origin[2] = {0.0, 0.0};
    const cn_shape_def *shape = source->kind == CN_VALUE_LIST
                                    ? cluster_shapes(r, source, &count)
                                    : cn_shapes_of(r, source, origin, 0.0, &count);
    cn_local local = {.index = {1, 1}};
    return shape != NULL && (!cn_bodies_fit(e, list, e->at, 1) ||
                             cn_bodies_append(e, list, source->at, shape, count, &local));
}

static bool add_bodies(cn_entry_making *e, cn_body_list *list)
{
    const cn_value *shape = cn_value_get(e->value, "shape");
    const cn_value *cluster = cn_value_get(e->value, "cluster");
    const cn_value *generate = cn_value_get(e->value, "generate");
    const cn_value *from = cn_value_get(e->value, "from");
    int given =
        (shape != NULL && from == NULL) + (cluster != NULL) + (generate != NULL) + (from != NULL);
    if (given != 1 || (shape != NULL && generate != NULL)) {
        cn_complain(e->m->reading.report, e->at,
                    "body '%s' needs exactly one of shape, cluster, generate, from", e->name);
        return true;
    }
    if (generate != NULL) {
        return cn_bodies_generate(e, list, generate);
    }
    if (from != NULL) {
        return cn_bodies_from_csv(e, list, from, shape);
    }
    return add_single(e, list, cluster != NULL ? cluster : shape);
}

static void read_fixed(cn_entry_making *e)
{
    static const unsigned bits[] = {1u << CN_DOF_X, 1u << CN_DOF_Y, 1u << CN_DOF_RZ};
    const cn_value *fixed = cn_value_get(e->value, "fixed");
    e->has_fixed = fixed != NULL;
    unsigned given = fixed != NULL ? (unsigned)fixed->number : 0u;
    for (int k = 0; k < 3; k++) {
        e->base.fixed |= (given >> k & 1u) != 0 ? bits[k] : 0u;
    }
    if (given == 7u) {
        e->base.fixed = CN_FIXED_ALL;
    }
    const cn_body_def *base = &e->base;
    bool is_moving = ((base->fixed & bits[0]) != 0 && base->velocity[0] != 0.0) ||
                     ((base->fixed & bits[1]) != 0 && base->velocity[1] != 0.0) ||
                     ((base->fixed & bits[2]) != 0 && base->spin != 0.0);
    if (is_moving) {
        cn_complain(e->m->reading.report, e->at,
                    "body '%s' is fixed where it has a velocity; use a 'drive' to move it",
                    e->name);
    }
}

static void read_density(cn_entry_making *e)
{
    cn_making *m = e->m;
    const cn_value *material = cn_value_get(e->value, "material");
    cn_report *report = m->reading.report;
    e->base.density = 1.0;
    e->mass = cn_value_number(e->value, "mass");
    e->inertia = cn_value_number(e->value, "inertia");
    if (material != NULL && !isnan(e->mass)) {
        cn_complain(report, e->at, "body '%s' has both a material and a mass; give one", e->name);
    }
    if (!isnan(e->inertia) && isnan(e->mass)) {
        cn_complain(report, e->at, "body '%s' has an inertia but no mass", e->name);
    }
    if (material == NULL) {
        return;
    }
    for (int k = 0; k < m->scene->material_count; k++) {
        if (strcmp(m->scene->material[k].name, material->text) == 0) {
            e->base.density = m->scene->material[k].density;
            return;
        }
    }
    const cn_value *all = cn_value_get(m->root, "materials");
    cn_complain_unknown(report, material->at, "material", material->text, NULL, all->name,
                        all->count);
}

// Only what is held in all its degrees of freedom does without a mass.
static void check_density(cn_entry_making *e, const cn_body_list *list, size_t first)
{
    if (cn_value_get(e->value, "material") != NULL || !isnan(e->mass)) {
        return;
    }
    for (size_t k = first; k < list->count; k++) {
        const cn_body_def *def = &list->body[k].def;
        if (!is_held(def)) {
            cn_complain(e->m->reading.report, e->at,
                        "body '%s' moves and needs a material or a mass (or 'fixed: true')",
                        e->name);
            return;
        }
    }
}

static bool make_entry(cn_making *m, int k, const cn_value *bodies, cn_body_list *list,
                       cn_scene_entry *entry)
{
    const cn_value *value = bodies->item[k];
    cn_entry_making e = {.m = m,
                         .value = value,
                         .at = bodies->name_at[k],
                         .name = bodies->name[k],
                         .entry = k,
                         .note = ""};
    cn_value_point(value, "at", e.base.at);
    cn_value_point(value, "velocity", e.base.velocity);
    e.base.angle = cn_value_number(value, "angle");
    e.base.spin = cn_value_number(value, "spin");
    read_fixed(&e);
    read_density(&e);
    *entry = (cn_scene_entry){
        .name = e.name, .tag = cn_value_text(value, "group"), .first = (int)list->count};
    bool is_named = cn_check_name(m, e.at, "body", e.name) &&
                    (entry->tag == NULL ||
                     cn_check_name(m, cn_value_get(value, "group")->at, "group", entry->tag));
    // The entry is known to those after it, for `inside: drum`.
    m->scene->body = list->body;
    m->scene->entry_count = k;
    if (is_named && !add_bodies(&e, list)) {
        return false;
    }
    check_density(&e, list, (size_t)entry->first);
    entry->count = (int)list->count - entry->first;
    entry->note = e.note;
    return true;
}

static bool make_entries(cn_making *m, const cn_value *bodies, cn_body_list *list)
{
    cn_scene_entry *entry = cn_reading_take(&m->reading, (size_t)bodies->count, sizeof *entry);
    if (entry == NULL) {
        return false;
    }
    m->scene->entry = entry;
    for (int k = 0; k < bodies->count; k++) {
        if (!make_entry(m, k, bodies, list, &entry[k])) {
            return false;
        }
    }
    m->scene->entry_count = bodies->count;
    return true;
}

bool cn_make_bodies(cn_making *m)
{
    const cn_value *bodies = cn_value_get(m->root, "bodies");
    cn_scene *scene = m->scene;
    if (bodies->count == 0) {
        cn_complain(m->reading.report, bodies->at, "the scene is empty: 'bodies' names no body");
    }
    cn_body_list list = {0};
    bool is_good = make_entries(m, bodies, &list);
    cn_scene_body *body = is_good ? cn_reading_take(&m->reading, list.count, sizeof *body) : NULL;
    if (body != NULL && list.count > 0) {
        memcpy(body, list.body, list.count * sizeof *body);
    }
    scene->body = body;
    scene->body_count = body != NULL ? (int)list.count : 0;
    free(list.body);
    return body != NULL;
}
