// run/condition.c -- when a stage is done and when a run shall stop.
#include "cairn/cell.h"
#include "cairn/vec.h"
#include "run/run.h"

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

// Velocity component d of body i, 0 if it is among those held.
static double free_part(const cn_view *view, int i, unsigned held, int d)
{
    static const cn_dof plane[] = {CN_DOF_X, CN_DOF_Y, CN_DOF_RZ};
    cn_dof dof = view->dim == 2 ? plane[d] : (cn_dof)d;
    return (held & (1u << dof)) != 0 ? 0.0 : view->v[cn_dof_count(view->dim) * i + d];
}

// |v| + |spin| size / 2 over the degrees of freedom that are free: turning counts, drives do not.
// A mesh counts by its mean motion. What has no end does not turn.
static double speed_of(const cn_view *view, int i, bool is_mesh)
{
    unsigned held = is_mesh ? 0u : view->fixed[i];
    double part[6], rim = isfinite(view->size[i]) ? 0.5 * view->size[i] : 0.0;
    for (int d = 0; d < cn_dof_count(view->dim); d++) {
        part[d] = free_part(view, i, held, d);
    }
    if (view->dim == 2) {
        return hypot(part[0], part[1]) + fabs(part[2]) * rim;
    }
    cn_vec3 v = cn_v3(part[0], part[1], part[2]);
    cn_vec3 rate = cn_v3(part[3], part[4], part[5]);
    return cn_norm3(v) + cn_norm3(rate) * rim;
}

static double distance(const double *a, const double *b, int dim)
{
    return dim == 2 ? hypot(a[0] - b[0], a[1] - b[1])
                    : cn_norm3(cn_v3(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
}

// The quantity of one body that a condition compares with its limit.
static double measure(const cn_run *run, const cn_view *view, cn_condition_kind kind, int body)
{
    int i = run->place[body];
    const double *q = view->q + cn_run_q_size(run) * i;
    const double *q_start = run->q_start + cn_run_q_size(run) * body;
    double at[3];
    switch (kind) {
    case CN_CONDITION_MOVED:
        return cn_world_unwrapped(run->world, i, at, NULL) == CN_OK
                   ? distance(at, q_start, view->dim)
                   : 0.0;
    case CN_CONDITION_TURNED:
        return cn_turned_by(q, q_start, view->dim);
    case CN_CONDITION_SPEED_BELOW:
    case CN_CONDITION_SPEED_ABOVE:
    case CN_CONDITION_ABOVE:
    case CN_CONDITION_BELOW:
    case CN_CONDITION_KIND_COUNT:
        break;
    }
    return speed_of(view, i, run->scene->body[body].def.type == CN_BODY_MESH);
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

static bool is_of_series(const cn_scene_condition *c)
{
    return c->kind == CN_CONDITION_ABOVE || c->kind == CN_CONDITION_BELOW;
}

static bool has_series(int count, const cn_scene_condition *c)
{
    bool has = false;
    for (int k = 0; k < count; k++) {
        has = has || is_of_series(&c[k]);
    }
    return has;
}

// Counts for how long the condition has held on end; true once that is long enough.
static bool update(const cn_run *run, const cn_view *view, const cn_scene_condition *c, double h,
                   double *held)
{
    double value = is_of_series(c) ? run->series[c->series] : largest(run, view, c);
    bool is_below = c->kind == CN_CONDITION_SPEED_BELOW || c->kind == CN_CONDITION_BELOW;
    bool holds = is_below ? value < c->limit : value > c->limit;
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
    if (has_series(stage->until_count, stage->until) ||
        has_series(stage->stop_count, stage->stop_when)) {
        cn_run_observe(run);
    }
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
