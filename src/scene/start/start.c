// scene/start/start.c -- starts a scene from the state of another run: a frame of its result, with
// bodies found by name, or its checkpoint, which holds all of it.
#include "scene/start/start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/deformable.h"
#include "cairn/result.h"

// The message says where the scene asks for the state.
static cn_status fail_at(const cn_scene *scene, cn_status status, cn_error *err, const char *why)
{
    const cn_scene_start *start = &scene->start;
    return cn_fail(err, status, "%s:%d: start from '%s': %s", start->at.file, start->at.line,
                   start->path, why);
}

// ---- from a frame of a result

// A body of the frame by its name.
typedef struct named {
    const char *name;
    int place;
} named;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

// Names of the bodies of the frame, sorted.
static cn_status list_names(const cn_starting *s, named *list, cn_error *err)
{
    for (int k = 0; k < s->frame.body_count; k++) {
        list[k] = (named){cn_reader_body_name(s->reader, s->frame.id[k]), k};
        if (list[k].name == NULL) {
            return cn_fail(err, CN_BAD_INPUT,
                           "it does not hold the names of its bodies, as results of older versions "
                           "do not: make it again with this version");
        }
    }
    qsort(list, (size_t)s->frame.body_count, sizeof *list, compare_names);
    return CN_OK;
}

// Whether the result knows a body of that name, which then was removed before the frame.
static bool is_removed(const cn_starting *s, const char *name)
{
    const char *known;
    for (cn_body_id id = 1; (known = cn_reader_body_name(s->reader, id)) != NULL; id++) {
        if (strcmp(known, name) == 0) {
            return true;
        }
    }
    return false;
}

static cn_status fail_missing(const cn_starting *s, const char *name, cn_error *err)
{
    return cn_fail(err, CN_BAD_INPUT,
                   "body '%s' %s frame %d; name the bodies that start from it in 'bodies: [...]', "
                   "or leave '%s' out of this scene",
                   name, is_removed(s, name) ? "was removed before" : "is not in", s->frame.index,
                   name);
}

// What body k is called in the file: the name of its entry there, with what it has after it here.
static void name_there(const cn_scene *scene, int k, char name[200])
{
    char here[96];
    int entry = scene->body[k].entry;
    const char *there = scene->start.name_there[entry];
    cn_scene_body_name(scene, k, here);
    const char *rest = here + strlen(scene->entry[entry].name); // its numbers, or name of a block
    snprintf(name, 200, "%.90s%s", there != NULL ? there : here, there != NULL ? rest : "");
}

static cn_status match_body(cn_starting *s, const named *list, int k, cn_error *err)
{
    char name[200];
    cn_error why = {0};
    name_there(s->scene, k, name);
    const named wanted = {name, 0};
    const named *found =
        bsearch(&wanted, list, (size_t)s->frame.body_count, sizeof *list, compare_names);
    if (found == NULL) {
        return fail_missing(s, name, err);
    }
    cn_status status = cn_start_check_shape(s->w, k, s->reader, s->frame.id[found->place], &why);
    if (status != CN_OK) {
        return cn_fail(err, status,
                       "body '%s' %s: give it the same geometry, or leave it out of "
                       "'bodies: [...]'",
                       name, why.text);
    }
    s->place[k] = found->place;
    s->body_of[found->place] = k;
    return CN_OK;
}

// Plastic strains are in checkpoints alone.
static bool has_history(const cn_scene_body *body)
{
    const cn_mesh_def *mesh = cn_body_mesh_of(&body->def);
    for (int m = 0; mesh != NULL && m < mesh->material_count; m++) {
        if (mesh->material[m].yield > 0.0) {
            return true;
        }
    }
    return false;
}

static cn_status check_history(const cn_starting *s, int k, cn_error *err)
{
    if (!has_history(&s->scene->body[k])) {
        return CN_OK;
    }
    char name[96];
    cn_scene_body_name(s->scene, k, name);
    return cn_fail(err, CN_BAD_INPUT,
                   "body '%s' yields, and frames of results do not hold plastic strains: name the "
                   "checkpoint of that run, *.ckpt.h5",
                   name);
}

static cn_status match_bodies(cn_starting *s, const named *list, cn_error *err)
{
    const cn_pick *chosen = &s->scene->start.bodies;
    bool is_all = chosen->text == NULL;
    for (int n = 0; n < (is_all ? s->scene->body_count : chosen->count); n++) {
        int k = is_all ? n : chosen->body[n];
        CN_TRY(check_history(s, k, err));
        CN_TRY(match_body(s, list, k, err));
    }
    return CN_OK;
}

static cn_status check_frame(const cn_starting *s, cn_error *err)
{
    if (s->frame.dim != s->scene->dim) {
        return cn_fail(err, CN_BAD_INPUT, "it is a result in %d dimensions, this scene has %d",
                       s->frame.dim, s->scene->dim);
    }
    return CN_OK;
}

static cn_status allocate(cn_starting *s, named **list, cn_error *err)
{
    size_t own = (size_t)s->scene->body_count, other = (size_t)s->frame.body_count;
    s->place = malloc(own * sizeof *s->place + 1);
    s->body_of = malloc(other * sizeof *s->body_of + 1);
    *list = malloc(other * sizeof **list + 1);
    if (s->place == NULL || s->body_of == NULL || *list == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for the state to start from");
    }
    memset(s->place, 0xff, own * sizeof *s->place); // -1
    memset(s->body_of, 0xff, other * sizeof *s->body_of);
    return CN_OK;
}

static cn_status take_frame(cn_starting *s, cn_error *err)
{
    named *list = NULL;
    CN_TRY(cn_reader_frame(s->reader, s->scene->start.frame, &s->frame, err));
    CN_TRY(cn_reader_need_contacts(s->reader, &s->frame, err));
    CN_TRY(check_frame(s, err));
    cn_status status = allocate(s, &list, err);
    CN_THEN(status, list_names(s, list, err));
    CN_THEN(status, match_bodies(s, list, err));
    free(list);
    return status == CN_OK ? cn_start_take(s, err) : status;
}

// Tells which parts of the state were taken over and which begin anew.
static void tell_taken(const cn_starting *s, cn_tell *told, void *context)
{
    char line[600];
    int bodies = 0;
    for (int k = 0; k < s->scene->body_count; k++) {
        bodies += s->place[k] >= 0 ? 1 : 0;
    }
    int length = snprintf(
        line, sizeof line,
        "start           %.150s, frame %d at t = %.6g s: %d of %d bodies%s, %d contacts",
        s->scene->start.path, s->frame.index, s->frame.time, bodies, s->scene->body_count,
        s->scene->start.is_at_rest ? " at rest" : " with their velocities", s->contact_count);
    const struct {
        int count;
        const char *what;
    } rest[] = {{s->turned_count, "contacts of bodies in another order begin anew"},
                {s->stateless_count, "contacts of another law than there begin without its states"},
                {s->joint_lost_count, "joints are not in the frame and begin as the scene says"}};
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++) {
        if (rest[k].count > 0 && length > 0 && (size_t)length < sizeof line) {
            length += snprintf(line + length, sizeof line - (size_t)length, "; %d %s",
                               rest[k].count, rest[k].what);
        }
    }
    told(context, line);
}

static cn_status start_from_result(const cn_scene *scene, cn_world *w, cn_reader *reader,
                                   cn_tell *told, void *context, cn_error *err)
{
    cn_starting s = {.scene = scene, .w = w, .reader = reader};
    cn_error why = {0};
    cn_status status = cn_scene_named(scene, take_frame(&s, &why), &why);
    if (status == CN_OK && told != NULL) {
        tell_taken(&s, told, context);
    }
    free(s.place);
    free(s.body_of);
    return status == CN_OK ? CN_OK : fail_at(scene, status, err, why.text);
}

// ---- from a checkpoint

// Its bodies must be those of the scene, in order: the state is taken as a whole.
static cn_status check_names(const cn_scene *scene, const cn_checkpoint *checkpoint, cn_error *err)
{
    const cn_state_part *part = cn_checkpoint_part(checkpoint, "run.body_names");
    if (part == NULL || part->element_size != 1) {
        return cn_fail(err, CN_BAD_INPUT,
                       "this checkpoint does not hold the names of its bodies: "
                       "make it again with this version");
    }
    const char *at = part->data, *end = at + part->count;
    for (int k = 0; k <= scene->body_count; k++) {
        const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        size_t length = stop != NULL ? (size_t)(stop - at) : 0;
        char name[96] = "";
        if (k < scene->body_count) {
            cn_scene_body_name(scene, k, name);
        }
        if (length != strlen(name) || memcmp(at, name, length) != 0) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a checkpoint is taken as a whole, and its body %d is '%.*s' where this "
                           "scene has '%s': start from the result of that run, *.h5, which finds "
                           "bodies by name",
                           k + 1, (int)(length < 90 ? length : 90), length > 0 ? at : "", name);
        }
        at = stop != NULL ? stop + 1 : end;
    }
    return CN_OK;
}

static cn_status take_checkpoint(const cn_scene *scene, cn_world *w,
                                 const cn_checkpoint *checkpoint, cn_error *err)
{
    if (scene->start.bodies.text != NULL || scene->start.frame != -1) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a checkpoint is taken as a whole: leave out 'bodies' and "
                       "'frame', or start from the result of that run");
    }
    CN_TRY(check_names(scene, checkpoint, err));
    CN_TRY(cn_scene_named(scene, cn_checkpoint_restore(checkpoint, w, err), err));
    return scene->start.is_at_rest ? cn_start_stop(w, err) : CN_OK;
}

static cn_status start_from_checkpoint(const cn_scene *scene, cn_world *w,
                                       const cn_checkpoint *checkpoint, cn_tell *told,
                                       void *context, cn_error *err)
{
    cn_error why = {0};
    cn_status status = take_checkpoint(scene, w, checkpoint, &why);
    if (status != CN_OK) {
        return fail_at(scene, status, err, why.text);
    }
    if (told != NULL) {
        char line[400];
        snprintf(line, sizeof line, "start           %.150s, a checkpoint: all of its state%s",
                 scene->start.path, scene->start.is_at_rest ? ", at rest" : "");
        told(context, line);
    }
    return CN_OK;
}

cn_status cn_scene_start_world(const cn_scene *scene, cn_world *w, cn_tell *told, void *context,
                               cn_error *err)
{
    const char *path = scene->start.path;
    if (path == NULL) {
        return CN_OK;
    }
    cn_error why = {0}, why_not = {0};
    cn_reader *reader = NULL;
    cn_checkpoint *checkpoint = NULL;
    cn_status status = cn_reader_open(path, &reader, &why);
    if (status == CN_OK) {
        status = start_from_result(scene, w, reader, told, context, err);
    } else if (cn_checkpoint_open(path, &checkpoint, &why_not) == CN_OK) {
        status = start_from_checkpoint(scene, w, checkpoint, told, context, err);
    } else {
        char both[900];
        snprintf(both, sizeof both, "%.400s; nor is it a checkpoint: %.400s", why.text,
                 why_not.text);
        status = fail_at(scene, status, err, status == CN_IO ? why.text : both);
    }
    cn_reader_close(reader);
    cn_checkpoint_close(checkpoint);
    return status == CN_OK ? cn_world_start_here(w, err) : status;
}
