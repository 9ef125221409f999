// run/observe.c -- observed scalars of each step, by the observers of the scene (scene/observe/).
#include "base/memory.h"
#include "run/run.h"
#include "scene/keys/keys.h"

static int count_parts(const cn_scene_observer *o, int dim)
{
    char part[64];
    int count = 0;
    while (cn_choice_at(cn_observer_parts(o, dim), count, part)) {
        count++;
    }
    return count;
}

static cn_status name_series(cn_run *run, cn_error *err)
{
    const cn_scene *scene = run->scene;
    int at = 0;
    for (int o = 0; o < scene->observer_count; o++) {
        const cn_scene_observer *observer = &scene->observer[o];
        char part[64];
        for (int k = 0; cn_choice_at(cn_observer_parts(observer, scene->dim), k, part); k++) {
            char *name = cn_arena_print(&run->arena, err, "%s.%s", observer->name, part);
            if (name == NULL) {
                return CN_NO_MEMORY;
            }
            run->series_name[at++] = name;
        }
    }
    return CN_OK;
}

static bool has_ways(const cn_scene *scene)
{
    bool has = false;
    for (int o = 0; o < scene->observer_count; o++) {
        const cn_analysis *what = scene->observer[o].analysis;
        has = has || (what != NULL && what->takes_way);
    }
    return has;
}

static bool has_change_of_shapes(const cn_scene *scene)
{
    bool has = false;
    for (int s = 0; s < scene->stage_count; s++) {
        has = has || scene->stage[s].growth_count > 0;
    }
    for (int k = 0; k < scene->body_count && !has; k++) {
        has = scene->body[k].def.wear > 0.0;
    }
    return has;
}

cn_status cn_run_observe_prepare(cn_run *run, cn_error *err)
{
    const cn_scene *scene = run->scene;
    cn_observing *now = &run->observing;
    now->shapes_change = has_change_of_shapes(scene);
    run->series_count = 0;
    for (int o = 0; o < scene->observer_count; o++) {
        run->series_count += count_parts(&scene->observer[o], scene->dim);
    }
    size_t series = (size_t)run->series_count, bodies = (size_t)scene->body_count;
    run->series = cn_arena_take(&run->arena, series, sizeof *run->series, err);
    run->series_name = cn_arena_take(&run->arena, series, sizeof *run->series_name, err);
    now->is_in = cn_arena_take(&run->arena, bodies, sizeof *now->is_in, err);
    now->content = cn_arena_take(&run->arena, bodies, sizeof *now->content, err);
    now->room = cn_arena_take(&run->arena, CN_SAMPLE_ROOM * bodies, sizeof *now->room, err);
    if (has_ways(scene)) {
        size_t numbers = bodies * (size_t)scene->dim;
        now->start = cn_arena_take(&run->arena, numbers, sizeof *now->start, err);
        now->way = cn_arena_take(&run->arena, numbers, sizeof *now->way, err);
        if (!now->start || !now->way) {
            return CN_NO_MEMORY;
        }
    }
    if (!run->series || !run->series_name || !now->is_in || !now->content || !now->room) {
        return CN_NO_MEMORY;
    }
    return name_series(run, err);
}

void cn_run_find_places(cn_run *run)
{
    cn_view view = cn_world_view(run->world);
    for (int k = 0; k < run->scene->body_count; k++) {
        run->place[k] = -1;
    }
    for (int i = 0; i < view.body_count; i++) {
        run->place[view.id[i] - cn_scene_body_id(0)] = i;
    }
}

void cn_run_observe(cn_run *run)
{
    const cn_scene *scene = run->scene;
    cn_view view = cn_world_view(run->world);
    cn_observing *now = &run->observing;
    double *out = run->series;
    now->world = run->world;
    now->view = &view;
    now->place = run->place;
    now->q_start = run->q_start;
    now->stage = &scene->stage[run->clock.stage];
    for (int o = 0; o < scene->observer_count; o++) {
        scene->observer[o].type->observe(now, &scene->observer[o], out);
        out += count_parts(&scene->observer[o], scene->dim);
    }
}
