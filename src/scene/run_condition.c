// scene/run_condition.c -- when a stage is done and when a run shall stop.
#include "scene/run.h"

#include <math.h>

int cn_run_condition_max(const cn_scene *scene)
{
    int most = 0;
    for (int s = 0; s < scene->stage_count; s++) {
        int count = scene->stage[s].until_count + scene->stage[s].stop_count;
        most = count > most ? count : most;
    }
    return most;
}

// |v| + |spin| size / 2 over the degrees of freedom that are free: turning counts, drives do not.
static double speed_of(const cn_view *view, int i)
{
    const double *v = view->v + 3 * i;
    double x = (view->fixed[i] & (1u << CN_DOF_X)) != 0 ? 0.0 : v[0];
    double y = (view->fixed[i] & (1u << CN_DOF_Y)) != 0 ? 0.0 : v[1];
    double spin = (view->fixed[i] & (1u << CN_DOF_RZ)) != 0 ? 0.0 : v[2];
    return hypot(x, y) + 0.5 * fabs(spin) * view->size[i];
}

// What a condition measures on one body.
static double measure(const cn_run *run, const cn_view *view, cn_condition_kind kind, int body)
{
    int i = run->place[body];
    const double *q = view->q + 3 * i;
    const double *q_start = run->q_start + 3 * body;
    switch (kind) {
    case CN_CONDITION_MOVED:
        return hypot(q[0] - q_start[0], q[1] - q_start[1]);
    case CN_CONDITION_TURNED:
        return fabs(q[2] - q_start[2]);
    case CN_CONDITION_SPEED_BELOW:
    case CN_CONDITION_SPEED_ABOVE:
    case CN_CONDITION_KIND_COUNT:
        break;
    }
    return speed_of(view, i);
}

// Largest over the bodies that still exist.
static double largest(const cn_run *run, const cn_view *view, const cn_scene_condition *c)
{
    double most = 0.0;
    for (int k = 0; k < c->bodies.count; k++) {
        if (run->place[c->bodies.body[k]] >= 0) {
            most = fmax(most, measure(run, view, c->kind, c->bodies.body[k]));
        }
    }
    return most;
}

// Counts for how long the condition has held on end; true once that is long enough.
static bool update(const cn_run *run, const cn_view *view, const cn_scene_condition *c, double h,
                   double *held)
{
    double value = largest(run, view, c);
    bool holds = c->kind == CN_CONDITION_SPEED_BELOW ? value < c->limit : value > c->limit;
    *held = holds ? *held + h : 0.0;
    return holds && *held >= c->hold * (1.0 - 1e-9);
}

void cn_run_conditions(cn_run *run, double h, const cn_scene_condition **until,
                       const cn_scene_condition **stop)
{
    const cn_scene_stage *stage = &run->scene->stage[run->clock.stage];
    cn_view view = cn_world_view(run->world);
    *until = NULL;
    *stop = NULL;
    for (int k = 0; k < stage->until_count; k++) {
        if (update(run, &view, &stage->until[k], h, &run->held[k]) && *until == NULL) {
            *until = &stage->until[k];
        }
    }
    for (int k = 0; k < stage->stop_count; k++) {
        double *held = &run->held[stage->until_count + k];
        if (update(run, &view, &stage->stop_when[k], h, held) && *stop == NULL) {
            *stop = &stage->stop_when[k];
        }
    }
}
