// scene/check/close_gaps.c -- moves entries of `bodies:` until faces meet: `cairn check --fix` of a
// scene.
//
// What can move is a whole entry, by its `at`: nothing else of a scene is a number that one may
// change. Each flaw asks for a gap of zero along its normal, and so does each touch, which must not
// be lost; the shifts follow by visiting them in turn, each sharing what is missing among those of
// its two entries that can move. Gaps of faces are linear in the shifts; the rest takes a few
// rounds of detection.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/check/check_overlap.h"
#include "scene/language/value.h"

static const double DEPTH = 0.1;    // deeper overlaps are no slips, of the smaller body [-]
static const double CLOSED = 1e-15; // gaps that need no shift, of the smaller body [-]
enum { ROUND_MAX = 20, PASS_MAX = 2000 };

typedef struct mover {
    bool can_move;
    double shift[3]; // all of it [m]
    double step[3];  // of this round [m]
    double size;     // of the smallest body it meets [m], 0 if none
} mover;

static const cn_value *entry_value(const cn_scene *scene, int entry)
{
    return cn_value_get(scene->value, "bodies")->item[entry];
}

// Joints name places of the world, and bodies of `inside` follow another entry.
static bool is_joined(const cn_scene *scene, int entry)
{
    for (int k = 0; k < scene->joint_count; k++) {
        const cn_pick *pick[2] = {&scene->joint[k].a, &scene->joint[k].b};
        for (int side = 0; side < 2; side++) {
            for (int n = 0; n < pick[side]->count; n++) {
                if (scene->body[pick[side]->body[n]].entry == entry) {
                    return true;
                }
            }
        }
    }
    return false;
}

static bool is_free(const cn_scene *scene, int entry)
{
    const cn_scene_entry *e = &scene->entry[entry];
    for (int k = e->first; k < e->first + e->count; k++) {
        if (scene->body[k].def.fixed != 0) {
            return false;
        }
    }
    return e->count > 0 && cn_value_get(entry_value(scene, entry), "at") != NULL &&
           !is_joined(scene, entry);
}

static bool takes_part(const cn_scene *scene, const mover *m, const cn_meeting *x)
{
    int i = scene->body[x->body[0]].entry, j = scene->body[x->body[1]].entry;
    bool is_met = fabs(x->least) <= 1e-6 * x->size;
    return i != j && (m[i].can_move || m[j].can_move) && x->least >= -DEPTH * x->size &&
           (x->flaw != CN_FLAW_NONE || is_met);
}

// The part of a gap that remains after the shifts of this round.
static double gap_left(const cn_meeting *x, const mover *a, const mover *b)
{
    double gap = x->least;
    for (int d = 0; d < 3; d++) {
        gap += x->normal[d] * (a->step[d] - b->step[d]);
    }
    return gap;
}

// One visit to every meeting; returns the largest gap found, of the size.
static double visit_all(const cn_scene *scene, const cn_meeting *meeting, int count, mover *m)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++) {
        const cn_meeting *x = &meeting[k];
        if (!takes_part(scene, m, x)) {
            continue;
        }
        mover *a = &m[scene->body[x->body[0]].entry], *b = &m[scene->body[x->body[1]].entry];
        a->size = a->size > 0.0 ? fmin(a->size, x->size) : x->size;
        b->size = b->size > 0.0 ? fmin(b->size, x->size) : x->size;
        double gap = gap_left(x, a, b), share = a->can_move && b->can_move ? 0.5 : 1.0;
        largest = fmax(largest, fabs(gap) / x->size);
        for (int d = 0; d < 3; d++) {
            a->step[d] -= a->can_move ? share * gap * x->normal[d] : 0.0;
            b->step[d] += b->can_move ? share * gap * x->normal[d] : 0.0;
        }
    }
    return largest;
}

// Puts bodies where the shifts of this round lead.
static void move_bodies(cn_scene *scene, mover *m)
{
    cn_scene_body *body = (cn_scene_body *)scene->body; // ours: memory of the arena
    for (int k = 0; k < scene->body_count; k++) {
        for (int d = 0; d < 3; d++) {
            body[k].def.at[d] += m[body[k].entry].step[d];
        }
    }
    for (int e = 0; e < scene->entry_count; e++) {
        for (int d = 0; d < 3; d++) {
            m[e].shift[d] += m[e].step[d];
            m[e].step[d] = 0.0;
        }
    }
}

// Whether something was moved.
static cn_status improve(cn_scene *scene, mover *m, bool *has_moved, cn_error *err)
{
    cn_world *w = NULL;
    cn_meeting *meeting = NULL;
    int count = 0;
    CN_TRY(cn_scene_bare_world(scene, 1, &w, err));
    cn_status status = cn_scene_meetings(scene, w, true, &meeting, &count, err);
    *has_moved = false;
    for (int pass = 0; status == CN_OK && pass < PASS_MAX; pass++) {
        double largest = visit_all(scene, meeting, count, m);
        *has_moved = *has_moved || (pass == 0 && largest > 1e-9);
        if (largest <= CLOSED) {
            break;
        }
    }
    if (status == CN_OK && *has_moved) {
        move_bodies(scene, m);
    }
    free(meeting);
    cn_world_destroy(w);
    return status;
}

// Shifts of the size of rounding are not told.
static bool has_moved_at_all(const mover *m)
{
    double way = fmax(fabs(m->shift[0]), fmax(fabs(m->shift[1]), fabs(m->shift[2])));
    return way > 1e-12 * m->size;
}

// Numbers of its own for a point: those of a default belong to all who left it out.
static cn_status own_numbers(cn_scene *scene, cn_value *at, cn_error *err)
{
    size_t count = (size_t)at->count;
    cn_value *number = cn_arena_take(&scene->arena, count, sizeof *number, err);
    const cn_value **item = cn_arena_take(&scene->arena, count, sizeof *item, err);
    if (number == NULL || item == NULL) {
        return CN_NO_MEMORY;
    }
    for (size_t d = 0; d < count; d++) {
        number[d] = *at->item[d];
        item[d] = &number[d];
    }
    at->item = item;
    at->is_default = false;
    return CN_OK;
}

// The same shift in the values, from which the scene is written; they are ours, in the arena.
static cn_status move_values(cn_scene *scene, const mover *m, cn_error *err)
{
    for (int e = 0; e < scene->entry_count; e++) {
        if (!has_moved_at_all(&m[e])) {
            continue;
        }
        cn_value *at = (cn_value *)cn_value_get(entry_value(scene, e), "at");
        CN_TRY(own_numbers(scene, at, err));
        for (int d = 0; d < at->count; d++) {
            ((cn_value *)at->item[d])->number += m[e].shift[d];
        }
    }
    return CN_OK;
}

static int tell_moves(const cn_scene *scene, const mover *m, cn_tell *told, void *context)
{
    int moved = 0;
    for (int e = 0; e < scene->entry_count; e++) {
        const double *s = m[e].shift;
        if (!has_moved_at_all(&m[e])) {
            continue;
        }
        char line[300], last[40] = "";
        if (scene->dim == 3) {
            snprintf(last, sizeof last, ", %.3g", s[2]);
        }
        snprintf(line, sizeof line, "moved '%.60s'%s by (%.3g, %.3g%s) m", scene->entry[e].name,
                 scene->entry[e].count > 1 ? ", all its bodies," : "", s[0], s[1], last);
        told(context, line);
        moved++;
    }
    return moved;
}

static void ignore_line(void *context, const char *line)
{
    (void)context;
    (void)line;
}

cn_status cn_scene_repair(cn_scene *scene, cn_tell *told, void *context, int *moved_count,
                          cn_error *err)
{
    CN_NEED(err, scene, moved_count);
    if (scene->start.path != NULL) {
        return cn_fail(err, CN_BAD_INPUT,
                       "%s:%d: where bodies are is said by '%s': leave out 'start' to move them",
                       scene->start.at.file, scene->start.at.line, scene->start.path);
    }
    mover *m = NULL;
    size_t capacity = 0, count = (size_t)scene->entry_count;
    *moved_count = 0;
    CN_TRY(cn_reserve(NULL, &m, &capacity, count, err));
    for (int e = 0; e < scene->entry_count; e++) {
        m[e] = (mover){.can_move = is_free(scene, e)};
    }
    cn_status status = CN_OK;
    bool has_moved = true;
    for (int round = 0; round < ROUND_MAX && has_moved && status == CN_OK; round++) {
        status = improve(scene, m, &has_moved, err);
    }
    CN_THEN(status, move_values(scene, m, err));
    if (status == CN_OK) {
        *moved_count = tell_moves(scene, m, told != NULL ? told : ignore_line, context);
    }
    free(m);
    return status;
}
