// scene/run_observe.c -- observed scalars of each step: resultants of contact forces, tracked
// bodies, energies of selections. Forces are the mean over the step: impulse over h.
#include "base/memory.h"
#include "scene/run.h"

#include "cairn/vec.h"

// Names of the scalars of each kind of observer, in the order in which they are written.
static const char *const resultant_parts[] = {"fx", "fy", "moment", NULL};
static const char *const track_parts[] = {"x", "y", "angle", "vx", "vy", "spin", NULL};
static const char *const energy_parts[] = {"kinetic", "potential", NULL};

static const char *const *parts_of(cn_observer_kind kind)
{
    switch (kind) {
    case CN_OBSERVE_RESULTANT:
        return resultant_parts;
    case CN_OBSERVE_TRACK:
        return track_parts;
    case CN_OBSERVE_ENERGY:
    case CN_OBSERVER_KIND_COUNT:
        break;
    }
    return energy_parts;
}

static int count_parts(cn_observer_kind kind)
{
    int count = 0;
    while (parts_of(kind)[count] != NULL) {
        count++;
    }
    return count;
}

static cn_status name_series(cn_run *run, cn_error *err)
{
    const cn_scene *scene = run->scene;
    int at = 0;
    for (int o = 0; o < scene->observer_count; o++) {
        for (const char *const *part = parts_of(scene->observer[o].kind); *part != NULL; part++) {
            char *name = cn_arena_print(&run->arena, err, "%s.%s", scene->observer[o].name, *part);
            if (name == NULL) {
                return CN_NO_MEMORY;
            }
            run->series_name[at++] = name;
        }
    }
    return CN_OK;
}

static void mark(const cn_pick *pick, unsigned char *mask)
{
    for (int k = 0; k < pick->count; k++) {
        mask[pick->body[k]] = 1;
    }
}

cn_status cn_run_observe_prepare(cn_run *run, cn_error *err)
{
    const cn_scene *scene = run->scene;
    run->series_count = 0;
    for (int o = 0; o < scene->observer_count; o++) {
        run->series_count += count_parts(scene->observer[o].kind);
    }
    size_t series = (size_t)run->series_count;
    size_t masks = (size_t)scene->observer_count * (size_t)scene->body_count;
    run->series = cn_arena_take(&run->arena, series, sizeof *run->series, err);
    run->series_name = cn_arena_take(&run->arena, series, sizeof *run->series_name, err);
    run->in_a = cn_arena_take(&run->arena, masks, 1, err);
    run->in_b = cn_arena_take(&run->arena, masks, 1, err);
    if (!run->series || !run->series_name || !run->in_a || !run->in_b) {
        return CN_NO_MEMORY;
    }
    for (int o = 0; o < scene->observer_count; o++) {
        size_t start = (size_t)o * (size_t)scene->body_count;
        mark(&scene->observer[o].a, run->in_a + start);
        mark(&scene->observer[o].b, run->in_b + start);
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

// Sum over contacts between a and b of the force on a, and its moment about a point.
static void observe_resultant(const cn_view *view, const cn_scene_observer *o,
                              const unsigned char *in_a, const unsigned char *in_b, double *out)
{
    double h = view->certificate->h;
    cn_vec2 about = cn_v2(o->about[0], o->about[1]);
    out[0] = out[1] = out[2] = 0.0;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        int i = (int)(view->id[c->i] - cn_scene_body_id(0));
        int j = (int)(view->id[c->j] - cn_scene_body_id(0));
        int sign = (in_a[i] && in_b[j]) - (in_a[j] && in_b[i]);
        if (sign != 0) {
            cn_vec2 normal = cn_v2(c->normal[0], c->normal[1]);
            cn_vec2 r = cn_add_mul2(cn_mul2(c->r[0], normal), c->r[1], cn_left2(normal));
            cn_vec2 force = cn_mul2(sign / h, r);
            cn_vec2 arm = cn_sub2(cn_v2(c->point[0], c->point[1]), about);
            out[0] += force.x;
            out[1] += force.y;
            out[2] += cn_cross2(arm, force);
        }
    }
}

// A body that has been removed gives NaN: the series shows where it went.
static void observe_track(const cn_view *view, int i, double *out)
{
    for (int d = 0; d < 3; d++) {
        out[d] = i < 0 ? NAN : view->q[3 * i + d];
        out[3 + d] = i < 0 ? NAN : view->v[3 * i + d];
    }
}

static void observe_energy(const cn_run *run, const cn_view *view, const cn_pick *pick, double *out)
{
    const double *g = run->scene->stage[run->clock.stage].gravity;
    out[0] = out[1] = 0.0;
    for (int k = 0; k < pick->count; k++) {
        int i = run->place[pick->body[k]];
        if (i >= 0) {
            const double *q = view->q + 3 * i, *v = view->v + 3 * i;
            double m = view->mass[i];
            out[0] += 0.5 * m * (v[0] * v[0] + v[1] * v[1]) + 0.5 * view->inertia[i] * v[2] * v[2];
            out[1] -= m * (g[0] * q[0] + g[1] * q[1]);
        }
    }
}

void cn_run_observe(cn_run *run)
{
    const cn_scene *scene = run->scene;
    cn_view view = cn_world_view(run->world);
    double *out = run->series;
    for (int o = 0; o < scene->observer_count; o++) {
        const cn_scene_observer *observer = &scene->observer[o];
        size_t start = (size_t)o * (size_t)scene->body_count;
        switch (observer->kind) {
        case CN_OBSERVE_RESULTANT:
            observe_resultant(&view, observer, run->in_a + start, run->in_b + start, out);
            break;
        case CN_OBSERVE_TRACK:
            observe_track(&view, run->place[observer->a.body[0]], out);
            break;
        case CN_OBSERVE_ENERGY:
        case CN_OBSERVER_KIND_COUNT:
            observe_energy(run, &view, &observer->a, out);
            break;
        }
        out += count_parts(observer->kind);
    }
}
