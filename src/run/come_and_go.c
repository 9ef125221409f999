// run/come_and_go.c -- bodies that enter the world and leave it during a run, between two steps.
//
// A body that waits enters once its turn has come and nothing is where its box is; those behind it
// wait, too. Places within a box are random, but a function of the body, the step and the attempt,
// so that runs, restarts and threads agree. Who is there, in which order, goes into checkpoints:
// the arrays of the world are in the order of entry.
#include "base/hash.h"
#include "base/memory.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRY_MOST = 20 }; // places that are tried for a body in a step

static bool has_traffic(const cn_scene *scene)
{
    bool has = scene->waits != NULL;
    for (int s = 0; s < scene->stage_count && !has; s++) {
        has = scene->stage[s].leave_count > 0;
    }
    return has;
}

cn_status cn_run_traffic_prepare(cn_run *run, cn_error *err)
{
    const cn_scene *scene = run->scene;
    size_t bodies = has_traffic(scene) ? (size_t)scene->body_count : 0, sources = 0;
    for (int s = 0; s < scene->stage_count; s++) {
        sources = sources > (size_t)scene->stage[s].enter_count
                      ? sources
                      : (size_t)scene->stage[s].enter_count;
    }
    cn_run_traffic *t = &run->traffic;
    t->body_count = bodies;
    t->source_count = sources;
    t->waits = cn_arena_take(&run->arena, bodies, sizeof *t->waits, err);
    t->order = cn_arena_take(&run->arena, bodies, sizeof *t->order, err);
    t->came = cn_arena_take(&run->arena, sources, sizeof *t->came, err);
    if (t->waits == NULL || t->order == NULL || t->came == NULL) {
        return CN_NO_MEMORY;
    }
    if (bodies > 0 && scene->waits != NULL) {
        memcpy(t->waits, scene->waits, bodies);
    }
    return CN_OK;
}

void cn_run_traffic_begin_stage(cn_run *run)
{
    for (size_t k = 0; k < run->traffic.source_count; k++) {
        run->traffic.came[k] = 0;
    }
}

// ---- leave

static bool is_outside(const cn_scene_leave *leave, int dim, const double *at)
{
    bool is_in = true;
    for (int d = 0; d < dim; d++) {
        is_in = is_in && at[d] >= leave->low[d] && at[d] <= leave->high[d];
    }
    return !is_in;
}

static cn_status let_go(cn_run *run, const cn_scene_leave *leave, bool *some, cn_error *err)
{
    int dim = run->scene->dim, q_size = cn_run_q_size(run);
    cn_view view = cn_world_view(run->world);
    for (int k = 0; k < leave->bodies.count; k++) {
        int body = leave->bodies.body[k], i = run->place[body];
        if (i >= 0 && is_outside(leave, dim, view.q + q_size * i)) {
            CN_TRY(cn_body_remove(run->world, cn_scene_body_id(body), err));
            cn_run_find_places(run);
            view = cn_world_view(run->world);
            *some = true;
        }
    }
    return CN_OK;
}

// ---- enter

// Moves the body to a random place in the box of the source.
static void draw_place(const cn_run *run, const cn_scene_enter *enter, int body, int attempt,
                       cn_body_def *def)
{
    uint64_t step = (uint64_t)cn_world_view(run->world).step;
    uint64_t state = cn_mix2(cn_mix2((uint64_t)body, step), (uint64_t)attempt);
    for (int d = 0; d < run->scene->dim; d++) {
        def->at[d] = enter->low[d] + (enter->high[d] - enter->low[d]) * cn_random(&state);
    }
}

static void keep_start(cn_run *run, int body)
{
    int n = cn_run_q_size(run);
    cn_view view = cn_world_view(run->world);
    memcpy(run->q_start + n * body, view.q + n * (view.body_count - 1),
           (size_t)n * sizeof *run->q_start);
}

static cn_status try_body(cn_run *run, const cn_scene_enter *enter, int body, bool *entered,
                          cn_error *err)
{
    cn_body_def def = run->scene->body[body].def;
    def.id = cn_scene_body_id(body);
    *entered = false;
    for (int n = 0; n < (enter->has_box ? TRY_MOST : 1) && !*entered; n++) {
        if (enter->has_box) {
            draw_place(run, enter, body, n, &def);
        }
        CN_TRY(cn_body_has_room(run->world, &def, entered, err));
    }
    if (*entered) {
        CN_TRY(cn_body_add(run->world, &def, NULL, err));
        run->traffic.waits[body] = 0;
        keep_start(run, body);
    }
    return CN_OK;
}

// Bodies that should have come since the stage began.
static int64_t due_count(const cn_run *run, const cn_scene_enter *enter)
{
    double since = cn_world_view(run->world).time - run->clock.stage_start;
    return 1 + (int64_t)floor(enter->rate * since * (1.0 + 1e-12));
}

static cn_status let_in(cn_run *run, int source, bool *some, cn_error *err)
{
    const cn_scene_enter *enter = &run->scene->stage[run->clock.stage].enter[source];
    int64_t *came = &run->traffic.came[source], due = due_count(run, enter);
    for (int k = 0; k < enter->bodies.count && *came < due; k++) {
        int body = enter->bodies.body[k];
        bool entered = false;
        if (run->traffic.waits[body] == 0) {
            continue;
        }
        CN_TRY(try_body(run, enter, body, &entered, err));
        if (!entered) {
            return CN_OK; // the others wait behind it
        }
        ++*came;
        *some = true;
    }
    return CN_OK;
}

cn_status cn_run_come_and_go(cn_run *run, cn_error *err)
{
    const cn_scene_stage *stage = &run->scene->stage[run->clock.stage];
    bool some = false;
    for (int k = 0; k < stage->leave_count; k++) {
        CN_TRY(let_go(run, &stage->leave[k], &some, err));
    }
    for (int k = 0; k < stage->enter_count; k++) {
        CN_TRY(cn_scene_named(run->scene, let_in(run, k, &some, err), err));
    }
    if (some) {
        cn_run_find_places(run);
    }
    return CN_OK;
}

void cn_run_tell_waiting(cn_run *run)
{
    cn_run_report *report = &run->report;
    report->waiting_count = 0;
    for (size_t k = 0; k < run->traffic.body_count; k++) {
        if (run->traffic.waits[k] != 0 && report->waiting_count++ == 0) {
            char name[96];
            cn_scene_body_name(run->scene, (int)k, name);
            snprintf(report->waiting, sizeof report->waiting, "%s", name);
        }
    }
}

// ---- restarts

void cn_run_list_order(cn_run *run)
{
    cn_view view = cn_world_view(run->world);
    memset(run->traffic.order, 0, run->traffic.body_count * sizeof *run->traffic.order);
    for (int i = 0; i < view.body_count && run->traffic.body_count > 0; i++) {
        run->traffic.order[i] = (int64_t)view.id[i];
    }
}

cn_status cn_run_recall_bodies(cn_run *run, cn_error *err)
{
    const cn_run_traffic *t = &run->traffic;
    if (t->body_count == 0) {
        return CN_OK;
    }
    bool *is_there = cn_arena_take(&run->arena, t->body_count, sizeof *is_there, err);
    if (is_there == NULL) {
        return CN_NO_MEMORY;
    }
    size_t count = 0;
    for (; count < t->body_count && t->order[count] != 0; count++) {
        if (t->order[count] < 1 || (size_t)t->order[count] > t->body_count) {
            return cn_fail(err, CN_BAD_INPUT, "checkpoint '%s' is damaged: body %lld",
                           run->def->restart_path, (long long)t->order[count]);
        }
        is_there[t->order[count] - 1] = true;
    }
    cn_run_find_places(run);
    for (size_t k = 0; k < t->body_count; k++) {
        if (run->place[k] >= 0 && !is_there[k]) {
            CN_TRY(cn_body_remove(run->world, cn_scene_body_id((int)k), err));
        }
    }
    for (size_t n = 0; n < count; n++) {
        int body = (int)t->order[n] - 1;
        if (run->place[body] < 0) {
            cn_body_def def = run->scene->body[body].def;
            def.id = cn_scene_body_id(body);
            CN_TRY(cn_body_add(run->world, &def, NULL, err));
        }
    }
    cn_run_find_places(run);
    return CN_OK;
}
