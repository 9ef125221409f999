// scene/observe/table.c -- the observers, and the keys by which a scene asks for them.
#include <math.h>
#include <string.h>

#include "cairn/vec.h"
#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

static const cn_observer_type *const all[] = {
    &cn_observer_resultant, &cn_observer_track, &cn_observer_moved,
    &cn_observer_energy,    &cn_observer_cell,  &cn_observer_around,
    &cn_observer_nodes,     &cn_observer_joint, &cn_observer_faces};

enum { COUNT = sizeof all / sizeof *all };

// q_start has places as if space had no period, too.
bool cn_observed_way(const cn_observing *now, int body, double way[3])
{
    int i = now->place[body], dim = now->view->dim;
    const double *start = now->q_start + cn_q_size(dim) * body;
    double at[3];
    if (i < 0 || cn_world_unwrapped(now->world, i, at, NULL) != CN_OK) {
        return false;
    }
    for (int d = 0; d < dim; d++) {
        way[d] = at[d] - start[d];
    }
    return true;
}

double cn_turned_by(const double *q, const double *q_start, int dim)
{
    if (dim == 2) {
        return fabs(q[2] - q_start[2]);
    }
    cn_quat back = {q_start[3], -q_start[4], -q_start[5], -q_start[6]};
    cn_quat turn = cn_quat_mul((cn_quat){q[3], q[4], q[5], q[6]}, back);
    return 2.0 * atan2(cn_norm3(cn_v3(turn.x, turn.y, turn.z)), fabs(turn.w));
}

bool cn_observe_load(cn_making *m, const cn_value *value, const char *what,
                     bool (*has)(const cn_scene_stage *stage, const char *bodies),
                     cn_scene_observer *observer)
{
    bool is_good = false, is_there = false;
    if (!cn_make_pick(m, value->at, value->text, NULL, &observer->a, &is_good)) {
        return false;
    }
    for (int s = 0; s < m->scene->stage_count; s++) {
        is_there = is_there || has(&m->scene->stage[s], value->text);
    }
    if (is_good && !is_there) {
        cn_complain(m->reading.report, value->at,
                    "no stage has a force %s on '%.60s' that could be observed", what, value->text);
    }
    return true;
}

// Types by number, then quantities of samples, for which *analysis is set; NULL beyond the last.
static const cn_observer_type *observer_at(int k, const cn_analysis **analysis)
{
    *analysis = k < COUNT ? NULL : cn_analysis_at(k - COUNT);
    return k < COUNT ? all[k] : *analysis != NULL ? &cn_observer_analysis : NULL;
}

static const char *name_of(const cn_observer_type *type, const cn_analysis *analysis)
{
    return analysis != NULL ? analysis->name : type->key.name;
}

const cn_observer_type *cn_observer_named(const char *name, const cn_analysis **analysis)
{
    const cn_observer_type *type;
    for (int k = 0; (type = observer_at(k, analysis)) != NULL; k++) {
        if (strcmp(name, name_of(type, *analysis)) == 0) {
            return type;
        }
    }
    return NULL;
}

const char *cn_observer_parts(const cn_scene_observer *o, int dim)
{
    if (o->analysis != NULL) {
        return dim == 2 ? o->analysis->plane : o->analysis->space;
    }
    return dim == 2 ? o->type->plane : o->type->space;
}

// `of`, and the parameters of the quantity.
static const cn_section *section_of(const cn_analysis *what, cn_arena *arena, cn_error *err)
{
    const cn_key of = {.name = "of",
                       .type = CN_TYPE_TEXT,
                       REQUIRED,
                       .help = "bodies that are looked at, without walls"};
    cn_section *section = cn_section_params(&of, what->param, what->param_count, arena, err);
    if (section != NULL) {
        section->name = what->name;
        section->help = what->help;
        section->short_scalar = "of";
    }
    return section;
}

const cn_key *cn_key_observer(cn_arena *arena, cn_error *err)
{
    const cn_analysis *what;
    int count = 0;
    while (observer_at(count, &what) != NULL) {
        count++;
    }
    cn_key *observer = cn_arena_take(arena, 1, sizeof *observer, err);
    cn_section *section = cn_arena_take(arena, 1, sizeof *section, err);
    cn_key *key = cn_arena_take(arena, (size_t)count + 1, sizeof *key, err);
    if (observer == NULL || section == NULL || key == NULL) {
        return NULL;
    }
    key[0] = (cn_key){.name = "name",
                      .type = CN_TYPE_TEXT,
                      REQUIRED,
                      .help = "name of the series in the results"};
    for (int k = 0; k < count; k++) {
        key[k + 1] = observer_at(k, &what)->key;
        if (what != NULL) {
            key[k + 1].name = what->name;
            key[k + 1].help = what->help;
            key[k + 1].section = section_of(what, arena, err);
            if (key[k + 1].section == NULL) {
                return NULL;
            }
        }
    }
    *section = (cn_section){.name = "observer",
                            .help = "what is written at every step: its name and one kind",
                            .count = count + 1,
                            .key = key};
    *observer = (cn_key){.name = "observer", .type = CN_TYPE_MAP, .section = section};
    return observer;
}
