// scene/observe/observe_analysis.c -- quantities of samples (src/analyse/), each an observer.
#include <string.h>

#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

// Volumes of the bodies that are picked; NULL: no memory.
static const double *list_contents(cn_making *m, const cn_value *of, const cn_pick *pick)
{
    double *content = cn_reading_take(&m->reading, (size_t)pick->count, sizeof *content);
    for (int k = 0; k < pick->count && content != NULL; k++) {
        const cn_body_def *def = &m->scene->body[pick->body[k]].def;
        bool is_plane = def->type == CN_BODY_SHAPES,
             is_rigid = is_plane || def->type == CN_BODY_SOLIDS;
        content[k] = is_plane   ? cn_content(def->shapes.item, NULL, def->shapes.count)
                     : is_rigid ? cn_content(NULL, def->solids.item, def->solids.count)
                                : NAN;
        if (!(content[k] > 0.0)) {
            char name[96];
            cn_scene_body_name(m->scene, pick->body[k], name);
            cn_complain(m->reading.report, of->at,
                        "'%.60s' selects %s, which has no volume that is known: only rigid bodies "
                        "with an end have one; select others",
                        of->text, name);
            return content;
        }
    }
    return content;
}

static bool make(cn_making *m, const cn_value *value, cn_scene_observer *observer)
{
    const cn_analysis *what = observer->analysis;
    const cn_value *of = cn_value_get(value, "of");
    double *param = cn_reading_take(&m->reading, CN_ANALYSIS_PARAM_MOST, sizeof *param);
    bool is_good = false;
    if (param == NULL || !cn_make_pick(m, of->at, of->text, NULL, &observer->a, &is_good)) {
        return false;
    }
    for (int k = 0; k < what->param_count; k++) {
        param[k] = cn_value_number(value, what->param[k].name);
    }
    observer->param = param;
    if (is_good && what->takes_content) {
        observer->content = list_contents(m, of, &observer->a);
        return observer->content != NULL;
    }
    return true;
}

// Volume of a body now: its shapes are those of the scene, unless bodies wear or grow.
static double content_of(const cn_observing *now, const cn_scene_observer *o, int k, int i)
{
    if (o->content == NULL || !now->shapes_change) {
        return o->content != NULL ? o->content[k] : 0.0;
    }
    const cn_view *view = now->view;
    int first = view->shape_start[i], count = view->shape_start[i + 1] - first;
    return view->dim == 2 ? cn_content(view->shape + first, NULL, count)
                          : cn_content(NULL, view->solid + first, count);
}

// Where the body in slot i was when the stage began, and its way since.
static void find_way(const cn_observing *now, int body, int i)
{
    int dim = now->view->dim;
    double way[3];
    if (cn_observed_way(now, body, way)) {
        memcpy(now->start + dim * i, now->q_start + cn_q_size(dim) * body,
               sizeof *way * (size_t)dim);
        memcpy(now->way + dim * i, way, sizeof *way * (size_t)dim);
    }
}

// Bodies that are gone count no more.
static void observe(const cn_observing *now, const cn_scene_observer *o, double *out)
{
    cn_cell_state cell = {.is_there = false};
    cn_sample sample = cn_sample_of_view(now->view);
    memset(now->is_in, 0, sizeof *now->is_in * (size_t)sample.body_count);
    for (int k = 0; k < o->a.count; k++) {
        int i = now->place[o->a.body[k]];
        if (i >= 0) {
            now->is_in[i] = true;
            now->content[i] = content_of(now, o, k, i);
            if (o->analysis->takes_way) {
                find_way(now, o->a.body[k], i);
            }
        }
    }
    if (sample.cell != NULL && cn_world_cell(now->world, &cell, NULL) == CN_OK) {
        sample.cell_state = &cell;
    }
    sample.is_in = now->is_in;
    sample.content = o->content != NULL ? now->content : NULL;
    sample.start = now->start;
    sample.way = now->way;
    sample.param = o->param;
    sample.room = now->room;
    o->analysis->find(&sample, out);
}

const cn_observer_type cn_observer_analysis = {
    .key = {.type = CN_TYPE_MAP, OPTIONAL}, .make = make, .observe = observe};
