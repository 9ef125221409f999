// scene/read_scene.c -- the public way in: files or memory to a checked scene.
//
// Order of work: one tree of all files, params, values by the table of keys, then the parts of the
// scene. Each stage goes on after a problem where it can, and the next one starts only without any.
#include "scene/read_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "scene/language/text_lines.h"

// What the keys mean depends on the dimension: it is read before all others. False after a problem.
static bool read_dimension(cn_making *m, const cn_node *root)
{
    cn_reading *r = &m->reading;
    const cn_node *node = cn_node_find(root, "dimension");
    const cn_key *key = cn_section_find(cn_section_scene(), "dimension", 0);
    const cn_value *value = node == NULL ? NULL : cn_value_read(r, node, key);
    r->dim = value == NULL ? 2 : (int)value->number;
    m->scene->dim = r->dim;
    return r->report->count == 0 && r->status == CN_OK;
}

// Grows a text by one line.
typedef struct gathered {
    char *text;
    size_t length, capacity;
    cn_status status;
} gathered;

static void gather_line(void *context, const char *line)
{
    gathered *g = context;
    size_t length = strlen(line);
    if (g->status == CN_OK) {
        g->status = cn_reserve(NULL, &g->text, &g->capacity, g->length + length + 2, NULL);
    }
    if (g->status == CN_OK) {
        memcpy(g->text + g->length, line, length);
        g->text[g->length + length] = '\n';
        g->length += length + 1;
    }
}

// The text of the scene: as it is, or all files as one.
static bool keep_text(cn_making *m, const cn_source *source, const cn_node *root)
{
    cn_scene *scene = m->scene;
    cn_reading *r = &m->reading;
    gathered g = {0};
    const char *text = source->text;
    size_t length = source->length;
    if (m->has_include) {
        cn_writing w = {.told = gather_line, .context = &g};
        cn_write_nodes(&w, root);
        cn_status status = cn_write_end(&w, r->err);
        r->status = status != CN_OK ? status : g.status;
        text = g.text;
        length = g.length;
    }
    if (r->status == CN_OK && text == source->text && m->def->source.text == NULL) {
        scene->text = text; // read from a file into the memory of the scene
        scene->text_length = length;
    } else if (r->status == CN_OK) {
        scene->text = cn_arena_text(&scene->arena, text, length, r->err);
        scene->text_length = length;
        r->status = scene->text == NULL ? CN_NO_MEMORY : CN_OK;
    }
    free(g.text);
    return r->status == CN_OK;
}

static bool open_source(cn_making *m, cn_source *source, cn_status *status)
{
    const cn_scene_source *given = &m->def->source;
    cn_reading *r = &m->reading;
    source->name = given->name;
    source->text = given->text;
    source->length = given->length;
    *status = CN_OK;
    if (given->text == NULL) {
        *status = cn_file_read(given->name, CN_SCENE_BYTES_MAX, r->arena, &source->text,
                               &source->length, r->err);
    } else if (given->length == 0) {
        source->length = strlen(given->text);
    }
    if (*status == CN_OK) {
        m->hash = cn_hash_bytes(cn_mix(source->length), source->text, source->length);
    }
    return *status == CN_OK;
}

// False when problems were found or memory ran out: nothing more to do.
static bool make_parts(cn_making *m)
{
    const cn_report *report = m->reading.report;
    return cn_make_materials(m) && cn_make_laws(m) && cn_make_bodies(m) && cn_make_rules(m) &&
           report->count == 0 && cn_make_joints(m) && cn_make_cell(m) && cn_make_stages(m) &&
           cn_make_observers(m) && cn_make_limits(m) && cn_make_start(m) && cn_make_settings(m);
}

// All values of the files. The tree of nodes is needed no longer than that.
static void read_values(cn_making *m, const cn_source *source)
{
    cn_reading *r = &m->reading;
    const cn_node *root = cn_compose(m, source);
    if (root == NULL || r->report->count > 0 || !keep_text(m, source, root)) {
        return;
    }
    root = cn_params_apply(m, root);
    if (root == NULL || r->report->count > 0 || !read_dimension(m, root)) {
        return;
    }
    m->root = cn_value_read_section(r, root, cn_section_scene(), NULL);
}

static void make_scene(cn_making *m, const cn_source *source)
{
    cn_arena tree = {0};
    m->reading.tree = &tree;
    read_values(m, source);
    m->reading.tree = m->reading.arena;
    cn_arena_free(&tree);
    if (m->root == NULL || m->reading.report->count > 0) {
        return;
    }
    m->scene->value = m->root;
    if (make_parts(m)) {
        m->scene->hash = m->hash;
    }
}

static cn_status read_scene(const cn_read_def *def, cn_scene *scene, cn_error *err)
{
    const char *name = def->source.name;
    cn_report report = {.told = def->told, .context = def->context};
    cn_making m = {
        .def = def,
        .scene = scene,
        .reading = {.arena = &scene->arena, .tree = &scene->arena, .report = &report, .err = err}};
    m.reading.making = &m;
    // Sources are referred to by places in values as long as the scene lives.
    cn_source *source = cn_arena_take(&scene->arena, 1, sizeof *source, err);
    cn_status status = CN_NO_MEMORY;
    if (source == NULL || !open_source(&m, source, &status)) {
        return status;
    }
    source->name = cn_arena_text(&scene->arena, name, strlen(name), err);
    scene->name = source->name;
    if (source->name == NULL) {
        return CN_NO_MEMORY;
    }
    make_scene(&m, source);
    return m.reading.status != CN_OK ? m.reading.status : cn_report_status(&report, name, err);
}

cn_status cn_scene_read_within(const cn_read_def *def, cn_scene **scene, cn_error *err)
{
    cn_scene *made = calloc(1, sizeof *made);
    cn_plain_locale locale;
    *scene = NULL;
    if (made == NULL || !cn_plain_begin(&locale)) {
        free(made);
        return cn_fail(err, CN_NO_MEMORY, "out of memory for a scene");
    }
    cn_status status = read_scene(def, made, err);
    cn_plain_end(&locale);
    if (status != CN_OK) {
        cn_scene_destroy(made);
        return status;
    }
    *scene = made;
    return CN_OK;
}

cn_status cn_scene_read(const cn_scene_source *source, cn_tell *told, void *context,
                        cn_scene **scene, cn_error *err)
{
    CN_NEED(err, source, scene);
    CN_NEED(err, source->name);
    if (source->define_count > 0) {
        CN_NEED(err, source->define);
    }
    const cn_read_def def = {
        .source = *source, .told = told, .context = context, .body_max = CN_BODY_MAX};
    return cn_scene_read_within(&def, scene, err);
}

void cn_scene_destroy(cn_scene *scene)
{
    if (scene != NULL) {
        cn_arena_free(&scene->arena);
        free(scene);
    }
}

cn_status cn_scene_scale_steps(cn_scene *scene, double factor, cn_error *err)
{
    CN_NEED(err, scene);
    if (!(factor > 0.0) || !isfinite(factor)) {
        return cn_fail(err, CN_BAD_INPUT, "steps are scaled by a factor > 0, got %g", factor);
    }
    size_t count = (size_t)scene->stage_count;
    cn_scene_stage *stage = cn_arena_take(&scene->arena, count, sizeof *stage, err);
    if (stage == NULL) {
        return CN_NO_MEMORY;
    }
    memcpy(stage, scene->stage, count * sizeof *stage);
    for (size_t s = 0; s < count; s++) {
        stage[s].h *= factor;
    }
    scene->stage = stage;
    scene->hash = cn_hash_bytes(scene->hash, &factor, sizeof factor); // another run
    return CN_OK;
}

const char *cn_scene_title(const cn_scene *scene)
{
    return scene != NULL ? scene->title : NULL;
}

const char *cn_scene_text(const cn_scene *scene)
{
    return scene != NULL ? scene->text : NULL;
}

uint64_t cn_scene_hash(const cn_scene *scene)
{
    return scene != NULL ? scene->hash : 0;
}
