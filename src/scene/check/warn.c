// scene/check/warn.c -- warnings before a run. Thresholds are such that what they name changes
// results visibly; a scene without warnings may still be wrong.
#include "scene/check/warn.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "cairn/view.h"

static const double FALL = 0.25;    // step over sqrt(size/g): falls 3 % of the size in a step [-]
static const double MOVE = 0.5;     // way in a step over the size [-]
static const double JOLT = 0.02;    // change of a driven velocity over sqrt(g size) [-]
static const double TOUCH = 1e-6;   // gaps that count as none, over the size [-]
static const double APART = 1e6;    // ratio of masses [-]
enum { TOLD_MAX = 5 };              // warnings of a kind
enum { FEW = 200, SIZES_FEW = 20 }; // where bodies are few, looks go as far as so many sizes

typedef struct warning {
    const cn_scene *scene;
    cn_view view;
    cn_tell *told;
    void *context;
} warning;

static void warn(const warning *w, cn_line at, const char *format, ...) CN_PRINTF(3, 4);

static void warn(const warning *w, cn_line at, const char *format, ...)
{
    char line[900];
    va_list args;
    int length = snprintf(line, sizeof line, "%.200s:%d: warning: ", at.file, at.line);
    va_start(args, format);
    vsnprintf(line + length, sizeof line - (size_t)length, format, args);
    va_end(args);
    w->told(w->context, line);
}

static cn_line line_of(const warning *w, int body)
{
    return w->scene->entry[w->scene->body[body].entry].at;
}

static double norm(const double x[3])
{
    return cn_norm3(cn_v3(x[0], x[1], x[2]));
}

static unsigned all_dofs(const cn_scene *scene)
{
    unsigned plane = 1u << CN_DOF_X | 1u << CN_DOF_Y | 1u << CN_DOF_RZ;
    return scene->dim == 2 ? plane : CN_FIXED_ALL;
}

// Degrees of freedom of body k that are held in stage s, as bits.
static unsigned fixed_in(const cn_scene *scene, int k, int s)
{
    unsigned fixed = scene->body[k].def.fixed;
    for (int n = 0; n <= s; n++) {
        const cn_scene_stage *stage = &scene->stage[n];
        for (int f = 0; f < stage->fix_count; f++) {
            for (int b = 0; b < stage->fix[f].bodies.count && stage->fix[f].bodies.set == NULL;
                 b++) {
                fixed = stage->fix[f].bodies.body[b] == k ? stage->fix[f].fixed : fixed;
            }
        }
    }
    return fixed & all_dofs(scene);
}

static bool can_move(const cn_scene *scene, int k)
{
    return (scene->body[k].def.fixed & all_dofs(scene)) != all_dofs(scene);
}

// ---- gravity and what moves

static void warn_gravity(const warning *w)
{
    int up = w->scene->dim - 1;
    for (int s = 0; s < w->scene->stage_count; s++) {
        const cn_scene_stage *stage = &w->scene->stage[s];
        bool is_new = s == 0 || memcmp(stage->gravity, stage[-1].gravity, sizeof stage->gravity);
        if (is_new && stage->gravity[up] > 0.5 * norm(stage->gravity)) {
            warn(w, stage->gravity_at,
                 "gravity points up, %g m/s2 along +%c: things fall to the sky; write a minus",
                 stage->gravity[up], "xyz"[up]);
        }
    }
}

static void warn_still(const warning *w)
{
    const cn_scene *scene = w->scene;
    bool has_free = false, has_load = false;
    for (int k = 0; k < scene->body_count; k++) {
        has_free = has_free || can_move(scene, k);
    }
    for (int s = 0; s < scene->stage_count; s++) {
        has_load = has_load || scene->stage[s].drive_count > 0 || scene->stage[s].fix_count > 0;
    }
    if (!has_free && !has_load) {
        warn(w, scene->entry[0].at,
             "nothing can move: all bodies are fixed and none is driven; leave out 'fixed'");
    }
}

static void warn_masses(const warning *w)
{
    int light = -1, heavy = -1;
    for (int i = 0; i < w->view.body_count; i++) {
        if (can_move(w->scene, (int)w->view.id[i] - 1) && w->view.mass[i] > 0.0) {
            light = light < 0 || w->view.mass[i] < w->view.mass[light] ? i : light;
            heavy = heavy < 0 || w->view.mass[i] > w->view.mass[heavy] ? i : heavy;
        }
    }
    if (light >= 0 && w->view.mass[heavy] > APART * w->view.mass[light]) {
        char a[96], b[96];
        int body = (int)w->view.id[light] - 1;
        cn_scene_body_name(w->scene, body, a);
        cn_scene_body_name(w->scene, (int)w->view.id[heavy] - 1, b);
        warn(w, line_of(w, body),
             "'%s' has %.3g kg and '%s' %.3g kg: forces between bodies so unequal are found slowly "
             "and to fewer digits; fix the heavy one if it does not move",
             a, w->view.mass[light], b, w->view.mass[heavy]);
    }
}

// ---- steps

static double speed_of(const warning *w, int i)
{
    int dim = w->view.dim, dofs = dim == 2 ? 3 : 6;
    const double *v = w->view.v + dofs * i;
    double along = cn_norm3(cn_v3(v[0], v[1], dim == 3 ? v[2] : 0.0));
    double spin = dim == 2 ? fabs(v[2]) : cn_norm3(cn_v3(v[3], v[4], v[5]));
    return along + 0.5 * w->view.size[i] * spin;
}

// The smallest body that can move, and the one that moves fastest for its size; -1: none.
static void find_extremes(const warning *w, int *smallest, int *fastest)
{
    *smallest = *fastest = -1;
    double worst = 0.0;
    for (int i = 0; i < w->view.body_count; i++) {
        double size = w->view.size[i], share = speed_of(w, i) / size;
        if (!can_move(w->scene, (int)w->view.id[i] - 1) || !isfinite(size) || !(size > 0.0)) {
            continue;
        }
        *smallest = *smallest < 0 || size < w->view.size[*smallest] ? i : *smallest;
        if (share > worst) {
            worst = share;
            *fastest = i;
        }
    }
}

static void warn_fall(const warning *w, int i)
{
    int body = (int)w->view.id[i] - 1;
    char name[96];
    cn_scene_body_name(w->scene, body, name);
    for (int s = 0; s < w->scene->stage_count; s++) {
        const cn_scene_stage *stage = &w->scene->stage[s];
        double g = norm(stage->gravity), size = w->view.size[i], time = sqrt(size / g);
        if (g > 0.0 && !stage->deform.is_quasi_static && stage->h > FALL * time) {
            warn(w, stage->at,
                 "steps of %g s are long for '%s', %.3g m: what falls freely passes %.0f %% of its "
                 "size in a step once it has fallen its size; take %.1g s (0.1 sqrt(size/g)) or "
                 "less",
                 stage->h, name, size, 100.0 * stage->h * sqrt(2.0) / time, 0.1 * time);
            return;
        }
    }
}

static void warn_move(const warning *w, int i)
{
    const cn_scene_stage *stage = &w->scene->stage[0];
    double way = stage->h * speed_of(w, i), size = w->view.size[i];
    int body = (int)w->view.id[i] - 1;
    if (way > MOVE * size) {
        char name[96];
        cn_scene_body_name(w->scene, body, name);
        warn(w, line_of(w, body),
             "'%s' (%.3g m) moves %.3g m in the first step of %g s: it meets others somewhere in a "
             "step; take steps of %.1g s or less",
             name, size, way, stage->h, 0.1 * size / speed_of(w, i));
    }
}

static void warn_steps(const warning *w)
{
    int smallest, fastest;
    find_extremes(w, &smallest, &fastest);
    if (smallest >= 0) {
        warn_fall(w, smallest);
    }
    if (fastest >= 0) {
        warn_move(w, fastest);
    }
}

// ---- drives

double cn_drive_start_rate(const cn_function *f, double h)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        x[k] = cn_function_at(f, 0.5 * k * h);
    }
    return (4.0 * x[1] - 3.0 * x[0] - x[2]) / h;
}

// A change of velocity that shakes what touches the driven body [m/s].
static double jolt(const warning *w, const cn_scene_stage *stage)
{
    double least = INFINITY, g = norm(stage->gravity);
    for (int i = 0; i < w->view.body_count; i++) {
        bool is_free = can_move(w->scene, (int)w->view.id[i] - 1);
        least = is_free && w->view.size[i] > 0.0 ? fmin(least, w->view.size[i]) : least;
    }
    return !isfinite(least) ? 0.0 : g > 0.0 ? JOLT * sqrt(g * least) : JOLT * least / stage->h;
}

static const char *unit_of(const cn_drive_def *def)
{
    bool is_turn = def->kind == CN_DRIVE_ROTATION || def->dof >= CN_DOF_RX;
    return is_turn ? "rad/s" : "m/s";
}

// A displacement with a corner, where its velocity jumps. The first one is told.
static void warn_corner(const warning *w, const cn_scene_stage *stage, const cn_scene_drive *drive)
{
    const cn_function *f = &drive->def.f;
    double least = jolt(w, stage);
    bool is_table = drive->def.kind == CN_DRIVE_DISPLACEMENT && f->kind == CN_FUNCTION_TABLE;
    for (int k = 1; is_table && k + 1 < f->count && f->time[k] < stage->duration; k++) {
        double before = (f->value[k] - f->value[k - 1]) / (f->time[k] - f->time[k - 1]);
        double after = (f->value[k + 1] - f->value[k]) / (f->time[k + 1] - f->time[k]);
        if (fabs(after - before) > least && !stage->deform.is_quasi_static) {
            warn(w, drive->at,
                 "the displacement of '%.60s' turns a corner at t = %g s: its velocity jumps from "
                 "%.3g to %.3g %s in one step, which hits what touches it; round the corner with "
                 "more points",
                 drive->bodies.text, f->time[k], before, after, unit_of(&drive->def));
            return;
        }
    }
}

static void warn_jump(const warning *w, const cn_scene_stage *stage, const cn_scene_drive *drive)
{
    double rate = cn_drive_start_rate(&drive->def.f, stage->h);
    if (drive->def.kind == CN_DRIVE_DISPLACEMENT && !stage->deform.is_quasi_static &&
        fabs(rate) > jolt(w, stage)) {
        warn(w, drive->at,
             "the displacement of '%.60s' starts with %.3g %s at once, which hits what touches it; "
             "let it start with a slope of zero",
             drive->bodies.text, rate, unit_of(&drive->def));
    }
}

// Velocity that a drive has given when its stage ends; NaN: not known.
static double end_rate(const cn_scene_stage *stage, const cn_drive_def *def)
{
    double t = stage->duration, h = stage->h;
    if (def->kind == CN_DRIVE_VELOCITY || def->kind == CN_DRIVE_ROTATION) {
        return cn_function_at(&def->f, t);
    }
    if (def->kind == CN_DRIVE_DISPLACEMENT) {
        return (cn_function_at(&def->f, t) - cn_function_at(&def->f, t - h)) / h;
    }
    return NAN;
}

static bool is_driven(const cn_scene_stage *stage, int body, const cn_drive_def *def)
{
    for (int d = 0; d < stage->drive_count; d++) {
        const cn_scene_drive *drive = &stage->drive[d];
        bool is_same = drive->def.kind == CN_DRIVE_ROTATION || drive->def.dof == def->dof;
        for (int k = 0; k < drive->bodies.count && is_same; k++) {
            if (drive->bodies.body[k] == body) {
                return true;
            }
        }
    }
    return false;
}

static bool is_gone(const cn_scene_stage *stage, int body)
{
    for (int k = 0; k < stage->removed.count; k++) {
        if (stage->removed.body[k] == body) {
            return true;
        }
    }
    return false;
}

// A fixed body whose drive ends with stage s stands in the first step of the next one.
static void warn_end(const warning *w, int s, const cn_scene_drive *drive)
{
    const cn_scene *scene = w->scene;
    const cn_scene_stage *stage = &scene->stage[s];
    double rate = end_rate(stage, &drive->def);
    int body = drive->bodies.body[0];
    unsigned bit = drive->def.kind == CN_DRIVE_ROTATION ? all_dofs(scene) : 1u << drive->def.dof;
    if (s + 1 < scene->stage_count && fabs(rate) > jolt(w, stage) && drive->bodies.set == NULL &&
        (fixed_in(scene, body, s + 1) & bit) != 0 && !is_gone(&stage[1], body) &&
        !is_driven(&stage[1], body, &drive->def)) {
        warn(w, drive->at,
             "the drive of '%.60s' ends with stage '%.60s' at %.3g %s: it is fixed and stops dead "
             "in "
             "one step; let the drive run down to zero, or repeat it in stage '%.60s'",
             drive->bodies.text, stage->name, rate, unit_of(&drive->def), stage[1].name);
    }
}

static void warn_drives(const warning *w)
{
    int told = 0;
    for (int s = 0; s < w->scene->stage_count; s++) {
        const cn_scene_stage *stage = &w->scene->stage[s];
        for (int d = 0; d < stage->drive_count && told < TOLD_MAX; d++) {
            warn_jump(w, stage, &stage->drive[d]);
            warn_corner(w, stage, &stage->drive[d]);
            warn_end(w, s, &stage->drive[d]);
        }
    }
}

// ---- bodies that meet at once

// Velocity of a point of a rigid body.
static cn_vec3 velocity_at(const cn_view *view, int i, const double point[3])
{
    int q_size = view->dim == 2 ? 3 : 7, dofs = view->dim == 2 ? 3 : 6;
    const double *q = view->q + q_size * i, *v = view->v + dofs * i;
    cn_vec3 arm = cn_v3(point[0] - q[0], point[1] - q[1], view->dim == 3 ? point[2] - q[2] : 0.0);
    cn_vec3 spin = view->dim == 2 ? cn_v3(0.0, 0.0, v[2]) : cn_v3(v[3], v[4], v[5]);
    cn_vec3 turning = cn_cross3(spin, arm);
    return cn_add3(cn_v3(v[0], v[1], view->dim == 3 ? v[2] : 0.0), turning);
}

// Contacts of meshes close their gap, however short the way.
static bool is_deformable(const warning *w, const cn_contact *x)
{
    return w->scene->body[w->view.id[x->i] - 1].def.type == CN_BODY_MESH ||
           w->scene->body[w->view.id[x->j] - 1].def.type == CN_BODY_MESH;
}

static bool meets_at_once(const cn_view *view, const cn_contact *x, double h, double *speed)
{
    cn_vec3 u = cn_sub3(velocity_at(view, x->i, x->point), velocity_at(view, x->j, x->point));
    double size = fmin(view->size[x->i], view->size[x->j]);
    *speed = -cn_dot3(u, cn_v3(x->normal[0], x->normal[1], x->normal[2]));
    return x->gap > TOUCH * size && x->gap < 0.5 * h * *speed && h * *speed > 1e-3 * size;
}

static void warn_near(const warning *w, const cn_view *view)
{
    int told = 0;
    uint64_t last = UINT64_MAX;
    double h = w->scene->stage[0].h;
    for (int a = 0; a < view->contact_count && told < TOLD_MAX; a++) {
        const cn_contact *x = &view->contact[a];
        double speed;
        if (x->pair != last && !is_deformable(w, x) && meets_at_once(view, x, h, &speed)) {
            char i[96], j[96];
            int body = (int)view->id[x->i] - 1, other = (int)view->id[x->j] - 1;
            cn_scene_body_name(w->scene, body, i);
            cn_scene_body_name(w->scene, other, j);
            warn(w, line_of(w, speed_of(w, x->i) > speed_of(w, x->j) ? body : other),
                 "'%s' starts %.3g m from '%s' and closes in with %.3g m/s: they meet within half "
                 "of "
                 "the first step; start farther off, or take steps below %.1g s",
                 i, x->gap, j, speed, x->gap / speed);
            last = x->pair;
            told++;
        }
    }
}

// How far the fastest body comes in half a step; not so far that all bodies would meet all [m].
static double reach_of(const warning *w)
{
    double fastest = 0.0, size = 0.0;
    for (int i = 0; i < w->view.body_count; i++) {
        double speed = speed_of(w, i);
        if (isfinite(w->view.size[i]) && speed > fastest) {
            fastest = speed;
            size = w->view.size[i];
        }
    }
    double most = w->view.body_count < FEW ? SIZES_FEW * size : size;
    return fmin(0.5 * w->scene->stage[0].h * fastest, most);
}

cn_status cn_scene_warn(const cn_scene *scene, cn_world *world, cn_tell *told, void *context,
                        cn_error *err)
{
    warning w = {.scene = scene, .view = cn_world_view(world), .told = told, .context = context};
    if (scene->stage_count == 0 || scene->body_count == 0) {
        return CN_OK;
    }
    warn_gravity(&w);
    warn_still(&w);
    warn_masses(&w);
    warn_steps(&w);
    warn_drives(&w);
    double reach = reach_of(&w);
    if (reach > 0.0) {
        CN_TRY(cn_scene_named(scene, cn_world_detect(world, reach, err), err));
        cn_view view = cn_world_view(world);
        warn_near(&w, &view);
    }
    return CN_OK;
}
