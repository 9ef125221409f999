// run/stage.c -- what happens when a stage begins, and how long it lasts.
#include "base/memory.h"
#include "run/run.h"
#include "scene/check/check_overlap.h"

#include <math.h>
#include <string.h>

// Share of a step below which two times are the same: sums of steps carry rounding.
static const double same_time = 1e-6;

static bool has_joint(const cn_run *run, cn_joint_id id)
{
    cn_joint_state state;
    return cn_joint_get(run->world, id, &state, NULL) == CN_OK;
}

// Joints that went with a body are no longer there.
static cn_status change_joints(cn_run *run, const cn_scene_stage *stage, cn_error *err)
{
    for (int k = 0; k < stage->released_count; k++) {
        const cn_scene_joint *joint = &run->scene->joint[stage->released[k]];
        for (int n = 1; n <= joint->count; n++) {
            cn_joint_id id = (cn_joint_id)(joint->first + n);
            if (has_joint(run, id)) {
                CN_TRY(cn_joint_remove(run->world, id, err));
            }
        }
    }
    for (int k = 0; k < stage->motor_count; k++) {
        const cn_scene_motor *motor = &stage->motor[k];
        const cn_scene_joint *joint = &run->scene->joint[motor->joint];
        for (int n = 1; n <= joint->count; n++) {
            cn_joint_id id = (cn_joint_id)(joint->first + n);
            if (has_joint(run, id)) {
                CN_TRY(cn_joint_set_motor(run->world, id, motor->speed, motor->limit, err));
            }
        }
    }
    return CN_OK;
}

// Bodies, joints and held degrees of freedom: what a stage changes for good.
static cn_status change_bodies(cn_run *run, int s, cn_error *err)
{
    const cn_scene_stage *stage = &run->scene->stage[s];
    cn_run_find_places(run);
    for (int k = 0; k < stage->removed.count; k++) {
        int body = stage->removed.body[k];
        if (run->place[body] >= 0) {
            CN_TRY(cn_body_remove(run->world, cn_scene_body_id(body), err));
        }
    }
    cn_run_find_places(run);
    for (int f = 0; f < stage->fix_count; f++) {
        const cn_scene_fix *fix = &stage->fix[f];
        for (int k = 0; k < fix->bodies.count && fix->bodies.set == NULL; k++) {
            int body = fix->bodies.body[k];
            if (run->place[body] >= 0) {
                CN_TRY(cn_body_fix(run->world, cn_scene_body_id(body), fix->fixed, err));
            }
        }
    }
    return change_joints(run, stage, err);
}

// Does stage `from` or a later one up to `last` say anew what is held of a set of a body?
static bool is_said_later(const cn_run *run, int from, int last, int body, const char *set)
{
    for (int s = from; s <= last; s++) {
        const cn_scene_stage *stage = &run->scene->stage[s];
        for (int f = 0; f < stage->fix_count; f++) {
            const cn_pick *pick = &stage->fix[f].bodies;
            for (int k = 0; pick->set != NULL && strcmp(pick->set, set) == 0 && k < pick->count;
                 k++) {
                if (pick->body[k] == body) {
                    return true;
                }
            }
        }
    }
    return false;
}

static cn_status hold_set(cn_run *run, int body, const char *set, unsigned fixed, cn_error *err)
{
    return run->place[body] >= 0 ? cn_scene_hold_set(run->scene, run->world, body, set, fixed, err)
                                 : CN_OK;
}

// Sets held by the definition of their body or by a stage so far, whichever spoke last.
static cn_status hold_sets(cn_run *run, int last, cn_error *err)
{
    const cn_scene *scene = run->scene;
    for (int k = 0; k < scene->body_count; k++) {
        const cn_scene_entry *entry = &scene->entry[scene->body[k].entry];
        for (int n = 0; n < entry->held_count && scene->body[k].def.type == CN_BODY_MESH; n++) {
            bool has_set =
                !entry->is_exploded || cn_scene_body_has_set(scene, k, entry->held[n].set);
            if (has_set && !is_said_later(run, 0, last, k, entry->held[n].set)) {
                CN_TRY(hold_set(run, k, entry->held[n].set, entry->held[n].fixed, err));
            }
        }
    }
    for (int s = 0; s <= last; s++) {
        const cn_scene_stage *stage = &scene->stage[s];
        for (int f = 0; f < stage->fix_count; f++) {
            const cn_pick *pick = &stage->fix[f].bodies;
            for (int k = 0; pick->set != NULL && k < pick->count; k++) {
                if (!is_said_later(run, s + 1, last, pick->body[k], pick->set)) {
                    CN_TRY(hold_set(run, pick->body[k], pick->set, stage->fix[f].fixed, err));
                }
            }
        }
    }
    return CN_OK;
}

// The same motion for a rigid body, or for nodes of a mesh.
static cn_status add_drive(cn_run *run, const cn_scene_drive *drive, int body, cn_error *err)
{
    cn_drive_def def = drive->def;
    def.t0 = run->clock.stage_start;
    def.body = cn_scene_body_id(body);
    if (run->scene->body[body].def.type != CN_BODY_MESH) {
        return cn_drive_add(run->world, &def, err);
    }
    const cn_node_drive_def nodes = {.body = def.body,
                                     .set = drive->bodies.set,
                                     .dof = def.dof,
                                     .kind = def.kind,
                                     .f = def.f,
                                     .t0 = def.t0};
    return cn_node_drive_add(run->world, &nodes, err);
}

static cn_status add_force(cn_run *run, const cn_scene_force *force, int body, cn_error *err)
{
    cn_force_def def = force->def;
    def.t0 = run->clock.stage_start;
    def.body = cn_scene_body_id(body);
    if (run->scene->body[body].def.type != CN_BODY_MESH) {
        return cn_scene_named(run->scene, cn_force_add(run->world, &def, err), err);
    }
    const cn_node_load_def nodes = {
        .body = def.body,
        .set = force->bodies.set,
        .kind = force->kind,
        .direction = {def.direction[0], def.direction[1], def.direction[2]},
        .point = {def.point[0], def.point[1], def.point[2]},
        .f = def.f,
        .t0 = def.t0};
    return cn_node_load_add(run->world, &nodes, err);
}

// Ids of the bodies of a selection that are still there.
static cn_status list_ids(cn_run *run, const cn_pick *pick, const cn_body_id **list, int *count,
                          cn_error *err)
{
    cn_body_id *id = cn_arena_take(&run->arena, (size_t)pick->count + 1, sizeof *id, err);
    if (id == NULL) {
        return CN_NO_MEMORY;
    }
    *count = 0;
    for (int k = 0; k < pick->count; k++) {
        if (run->place[pick->body[k]] >= 0) {
            id[(*count)++] = cn_scene_body_id(pick->body[k]);
        }
    }
    *list = id;
    return CN_OK;
}

static cn_status add_around(cn_run *run, const cn_scene_around *around, cn_error *err)
{
    cn_around_def def = around->def;
    def.t0 = run->clock.stage_start;
    CN_TRY(list_ids(run, &around->bodies, &def.body, &def.body_count, err));
    CN_TRY(list_ids(run, &around->platens, &def.platen, &def.platen_count, err));
    return cn_scene_named(run->scene, cn_around_add(run->world, &def, err), err);
}

static cn_status add_growth(cn_run *run, const cn_scene_growth *growth, cn_error *err)
{
    cn_growth_def def = growth->def;
    def.t0 = run->clock.stage_start;
    def.from = run->is_replaying ? NAN : def.from; // the checkpoint knows
    CN_TRY(list_ids(run, &growth->bodies, &def.body, &def.body_count, err));
    return cn_scene_named(run->scene, cn_growth_add(run->world, &def, err), err);
}

static cn_status add_face_load(cn_run *run, const cn_scene_face_load *load, cn_error *err)
{
    cn_face_load_def def = load->def;
    def.t0 = run->clock.stage_start;
    CN_TRY(list_ids(run, &load->bodies, &def.body, &def.body_count, err));
    return cn_scene_named(run->scene, cn_face_load_add(run->world, &def, err), err);
}

static cn_status add_loads(cn_run *run, int s, cn_error *err)
{
    const cn_scene_stage *stage = &run->scene->stage[s];
    CN_TRY(hold_sets(run, s, err));
    for (int d = 0; d < stage->drive_count; d++) {
        for (int k = 0; k < stage->drive[d].bodies.count; k++) {
            int body = stage->drive[d].bodies.body[k];
            if (run->place[body] >= 0) {
                CN_TRY(add_drive(run, &stage->drive[d], body, err));
            }
        }
    }
    for (int k = 0; k < stage->around_count; k++) {
        CN_TRY(add_around(run, &stage->around[k], err));
    }
    for (int k = 0; k < stage->growth_count; k++) {
        CN_TRY(add_growth(run, &stage->growth[k], err));
    }
    for (int k = 0; k < stage->face_load_count; k++) {
        CN_TRY(add_face_load(run, &stage->face_load[k], err));
    }
    for (int f = 0; f < stage->force_count; f++) {
        for (int k = 0; k < stage->force[f].bodies.count; k++) {
            int body = stage->force[f].bodies.body[k];
            if (run->place[body] >= 0) {
                CN_TRY(add_force(run, &stage->force[f], body, err));
            }
        }
    }
    return CN_OK;
}

static bool is_same_deform(const cn_deform_def *a, const cn_deform_def *b)
{
    return a->tangent == b->tangent && a->is_conserving == b->is_conserving &&
           a->is_quasi_static == b->is_quasi_static && a->tolerance == b->tolerance &&
           a->iteration_max == b->iteration_max;
}

// Gravity, scheme and loads, which the next stage replaces.
static cn_status set_stage(cn_run *run, int s, cn_error *err)
{
    const cn_scene_stage *stage = &run->scene->stage[s];
    CN_TRY(cn_world_set_gravity(run->world, stage->gravity, err));
    CN_TRY(cn_world_set_scheme(run->world, stage->theta, stage->gamma, err));
    CN_TRY(cn_rules_set(run->world, stage->rule_count, stage->rule, err));
    if (run->scene->has_cell) {
        cn_cell_control control[CN_CELL_COMPONENT_COUNT];
        memcpy(control, stage->cell, sizeof control);
        for (int k = 0; k < CN_CELL_COMPONENT_COUNT; k++) {
            control[k].t0 = run->clock.stage_start;
        }
        CN_TRY(cn_world_control_cell(run->world, control, err));
    }
    if (!is_same_deform(&run->deform, &stage->deform)) {
        CN_TRY(cn_world_set_deform(run->world, &stage->deform, err));
        run->deform = stage->deform;
    }
    return add_loads(run, s, err);
}

// Where a body of the scene begins its way.
static void keep_start(cn_run *run, int body)
{
    cn_view view = cn_world_view(run->world);
    int n = cn_run_q_size(run), i = run->place[body];
    double *start = run->q_start + n * body, at[3];
    memset(start, 0, sizeof *start * (size_t)n);
    if (i >= 0 && cn_world_unwrapped(run->world, i, at, NULL) == CN_OK) {
        memcpy(start, view.q + n * i, sizeof *start * (size_t)n);
        memcpy(start, at, sizeof *start * (size_t)run->scene->dim);
    }
}

cn_status cn_run_enter_stage(cn_run *run, int stage, cn_error *err)
{
    run->clock.stage = stage;
    run->clock.stage_is_over = false;
    run->clock.stage_start = cn_world_view(run->world).time;
    cn_run_start_leg(run);
    for (int k = 0; k < cn_run_condition_max(run->scene); k++) {
        run->held[k] = 0.0;
    }
    cn_run_traffic_begin_stage(run);
    cn_loads_clear(run->world);
    CN_TRY(change_bodies(run, stage, err));
    CN_TRY(set_stage(run, stage, err));
    for (int k = 0; k < run->scene->body_count; k++) {
        keep_start(run, k);
    }
    return CN_OK;
}

cn_status cn_run_replay_stages(cn_run *run, cn_error *err)
{
    int stage = (int)run->clock.stage;
    for (int s = 0; s <= stage; s++) {
        CN_TRY(change_bodies(run, s, err));
    }
    CN_TRY(cn_run_recall_bodies(run, err));
    run->is_replaying = true;
    cn_status status = set_stage(run, stage, err);
    run->is_replaying = false;
    return status;
}

double cn_run_full_step(const cn_run *run)
{
    return run->def->step > 0.0 ? run->def->step : run->scene->stage[run->clock.stage].h;
}

void cn_run_start_leg(cn_run *run)
{
    run->clock.leg_step = 0;
    run->clock.leg_start = cn_world_view(run->world).time;
    run->clock.leg_h = cn_run_full_step(run);
}

// The longest duration of a leg [s]. The first leg of a stage lasts as long as the scene says, to
// the bit.
static double leg_duration(const cn_run *run)
{
    const cn_run_clock *c = &run->clock;
    double spent = c->leg_start - c->stage_start;
    return fmax(run->scene->stage[c->stage].duration - spent, 0.0);
}

// Steps of full length in a leg.
static double full_steps(const cn_run *run)
{
    return floor(leg_duration(run) / run->clock.leg_h + same_time);
}

// The time that remains after the full steps; 0 if h divides the duration [s].
static double rest(const cn_run *run)
{
    double h = run->clock.leg_h;
    if (!isfinite(leg_duration(run))) {
        return 0.0;
    }
    double left = leg_duration(run) - full_steps(run) * h;
    return left > same_time * h ? left : 0.0;
}

double cn_run_step_length(const cn_run *run)
{
    return (double)run->clock.leg_step < full_steps(run) ? run->clock.leg_h : rest(run);
}

bool cn_run_stage_has_ended(const cn_run *run)
{
    double steps = full_steps(run) + (rest(run) > 0.0 ? 1.0 : 0.0);
    return (double)run->clock.leg_step >= steps;
}

double cn_run_time_end(const cn_run *run)
{
    double end = run->clock.stage_start + run->scene->stage[run->clock.stage].duration;
    for (int s = (int)run->clock.stage + 1; s < run->scene->stage_count; s++) {
        end += run->scene->stage[s].duration;
    }
    return fmin(end, run->def->until);
}
