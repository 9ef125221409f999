// scene/build_world.c -- from a scene to a world, and the checks that need one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/check/check_overlap.h"
#include "scene/check/warn.h"
#include "scene/language/report.h"
#include "scene/start/start.h"

// Contacts closer than this part of the smallest body count as touching in `cairn check`.
static const double TOUCH = 1e-3;

static cn_status add_groups(const cn_scene *scene, cn_world *w, cn_error *err)
{
    for (int g = 1; g < scene->group_count; g++) {
        int made;
        CN_TRY(cn_group_add(w, scene->group[g], &made, err));
    }
    return CN_OK;
}

static cn_status add_rule(const cn_scene_rule *rule, cn_world *w, cn_error *err)
{
    for (int a = 0; a < rule->a_count; a++) {
        for (int b = 0; b < rule->b_count; b++) {
            CN_TRY(cn_rule_add(w, rule->a[a], rule->b[b], rule->law, err));
        }
    }
    return CN_OK;
}

static cn_status add_laws(const cn_scene *scene, cn_world *w, cn_error *err)
{
    for (int k = 0; k < scene->law_count; k++) {
        int made;
        CN_TRY(cn_law_add(w, &scene->law[k].def, &made, err));
    }
    for (int k = 0; k < scene->rule_count; k++) {
        CN_TRY(add_rule(&scene->rule[k], w, err));
    }
    return CN_OK;
}

static cn_status add_bodies(const cn_scene *scene, cn_world *w, cn_error *err)
{
    for (int k = 0; k < scene->body_count; k++) {
        cn_error why = {0};
        // The world counts ids from 1 itself: the same numbers without a search for doubles.
        cn_body_def def = scene->body[k].def;
        def.id = scene->waits != NULL ? cn_scene_body_id(k) : 0;
        if (scene->waits != NULL && scene->waits[k] != 0) {
            continue; // it enters later
        }
        cn_status status = cn_body_add(w, &def, NULL, &why);
        if (status != CN_OK) {
            char name[96];
            cn_scene_body_name(scene, k, name);
            return cn_fail(err, status, "%s: body '%s': %.800s", scene->name, name, why.text);
        }
    }
    return CN_OK;
}

static cn_status mass_centre(const cn_world *w, cn_body_id id, double centre[3], cn_error *err)
{
    cn_body_state state;
    CN_TRY(cn_body_get(w, id, &state, err));
    for (int d = 0; d < 3; d++) {
        centre[d] = state.position[d];
    }
    return CN_OK;
}

static void turn_vector(const cn_mat3 *R, const double from[3], double x[3])
{
    cn_vec3 to = cn_mat3_mul(R, cn_v3(x[0], x[1], x[2]));
    x[0] = from[0] + to.x;
    x[1] = from[1] + to.y;
    x[2] = from[2] + to.z;
}

// A joint that is given in the frame of its body, in that of the world.
static cn_status into_world(const cn_world *w, int dim, cn_joint_def *def, cn_error *err)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    cn_body_state s;
    CN_TRY(cn_body_get(w, def->body, &s, err));
    cn_quat q = dim == 2 ? (cn_quat){cos(0.5 * s.angle), 0.0, 0.0, sin(0.5 * s.angle)}
                         : (cn_quat){s.rotation[0], s.rotation[1], s.rotation[2], s.rotation[3]};
    cn_mat3 R = cn_quat_matrix(q);
    turn_vector(&R, s.position, def->at);
    turn_vector(&R, s.position, def->to);
    turn_vector(&R, none, def->axis);
    turn_vector(&R, none, def->pin);
    return CN_OK;
}

// Joint n of an entry, with the points that follow from mass centres.
static cn_status add_joint(const cn_scene_joint *joint, int n, int dim, cn_world *w, cn_error *err)
{
    cn_joint_def def = joint->def;
    int first = joint->pair != NULL ? joint->pair[2 * n] : joint->a.body[n];
    int next = joint->b.count > 0 ? joint->b.body[0] : -1;
    int last = joint->pair != NULL ? joint->pair[2 * n + 1]
                                   : (joint->is_chain ? joint->a.body[n + 1] : next);
    double centre[2][3] = {{0.0}};
    def.body = cn_scene_body_id(first);
    def.other = last < 0 ? 0 : cn_scene_body_id(last);
    if (joint->is_each) {
        CN_TRY(into_world(w, dim, &def, err));
        return cn_joint_add(w, &def, NULL, err);
    }
    CN_TRY(mass_centre(w, def.body, centre[0], err));
    if (def.other != 0) {
        CN_TRY(mass_centre(w, def.other, centre[1], err));
    }
    for (int side = 0; side < 2 && joint->end != NULL; side++) {
        cn_vec3 end = joint->end[2 * n + side];
        memcpy(centre[side], (double[3]){end.x, end.y, end.z}, sizeof centre[side]);
    }
    bool is_line = cn_joint_type_of(def.kind)->is_line;
    double share = joint->is_chain && !is_line ? 0.5 : 0.0;
    for (int d = 0; d < 3; d++) {
        def.at[d] = joint->has_at ? def.at[d] : (1.0 - share) * centre[0][d] + share * centre[1][d];
        def.to[d] = joint->has_to || !is_line ? def.to[d] : centre[1][d];
    }
    def.body_set = joint->a.set;
    def.other_set = joint->b.set;
    bool is_at_set = def.body_set != NULL || (def.other_set != NULL && !is_line);
    if (is_at_set && !joint->has_at) {
        def.at[0] = NAN; // the mean of the set
    }
    if (def.other_set != NULL && is_line && !joint->has_to) {
        def.to[0] = NAN;
    }
    if (joint->prestrain != 0.0) {
        double way[3] = {def.at[0] - def.to[0], def.at[1] - def.to[1], def.at[2] - def.to[2]};
        def.length = (1.0 - joint->prestrain) * cn_norm3(cn_v3(way[0], way[1], way[2]));
    }
    return cn_joint_add(w, &def, NULL, err);
}

static cn_status add_joints(const cn_scene *scene, cn_world *w, cn_error *err)
{
    for (int k = 0; k < scene->joint_count; k++) {
        for (int n = 0; n < scene->joint[k].count; n++) {
            cn_error why = {0};
            cn_status status = add_joint(&scene->joint[k], n, scene->dim, w, &why);
            status = cn_scene_named(scene, status, &why);
            if (status != CN_OK) {
                return cn_fail(err, status, "%s: joint '%s': %.800s", scene->name,
                               scene->joint[k].name, why.text);
            }
        }
    }
    return CN_OK;
}

cn_status cn_scene_bare_world(const cn_scene *scene, int threads, cn_world **w, cn_error *err)
{
    cn_world_def def = cn_world_def_default();
    def.dim = scene->dim;
    for (int d = 0; d < 3; d++) {
        def.gravity[d] = scene->gravity[d];
    }
    def.theta = scene->theta;
    def.gamma = scene->gamma;
    def.solver = scene->solver;
    def.threads = threads;
    CN_TRY(cn_world_create(&def, w, err));
    cn_status status = cn_world_set_deform(*w, &scene->deform, err);
    if (scene->has_cell) {
        CN_THEN(status, cn_world_set_cell(*w, &scene->cell, err));
    }
    CN_THEN(status, add_groups(scene, *w, err));
    CN_THEN(status, add_laws(scene, *w, err));
    CN_THEN(status, add_bodies(scene, *w, err));
    CN_THEN(status, add_joints(scene, *w, err));
    if (status != CN_OK) {
        cn_world_destroy(*w);
        *w = NULL;
    }
    return status;
}

cn_status cn_scene_world(const cn_scene *scene, int threads, cn_tell *told, void *context,
                         cn_world **w, cn_error *err)
{
    CN_TRY(cn_scene_bare_world(scene, threads, w, err));
    cn_status status = cn_scene_start_world(scene, *w, told, context, err);
    if (status != CN_OK) {
        cn_world_destroy(*w);
        *w = NULL;
    }
    return status;
}

cn_status cn_scene_hold_set(const cn_scene *scene, cn_world *w, int body, const char *set,
                            unsigned fixed, cn_error *err)
{
    cn_node_drive_def def = {.body = cn_scene_body_id(body),
                             .set = set,
                             .kind = CN_DRIVE_VELOCITY,
                             .f = cn_constant(0.0)};
    for (int d = 0; d < scene->dim; d++) {
        def.dof = (cn_dof)d;
        if ((fixed & 1u << d) != 0) {
            CN_TRY(cn_node_drive_add(w, &def, err));
        }
    }
    return CN_OK;
}

// `fixed_sets` belong to the bodies: a world without stages holds them, too.
static cn_status hold_sets(const cn_scene *scene, cn_world *w, cn_error *err)
{
    for (int k = 0; k < scene->body_count; k++) {
        const cn_scene_entry *e = &scene->entry[scene->body[k].entry];
        for (int n = 0; n < e->held_count && scene->body[k].def.type == CN_BODY_MESH; n++) {
            if (!e->is_exploded || cn_scene_body_has_set(scene, k, e->held[n].set)) {
                CN_TRY(cn_scene_hold_set(scene, w, k, e->held[n].set, e->held[n].fixed, err));
            }
        }
    }
    return CN_OK;
}

cn_status cn_scene_build(const cn_scene *scene, int threads, cn_world **w, cn_error *err)
{
    CN_NEED(err, scene, w);
    *w = NULL;
    cn_world *made = NULL;
    CN_TRY(cn_scene_world(scene, threads, NULL, NULL, &made, err));
    cn_status status = cn_scene_check_overlaps(scene, made, NULL, NULL, err);
    CN_THEN(status, hold_sets(scene, made, err));
    if (status != CN_OK) {
        cn_world_destroy(made);
        return status;
    }
    *w = made;
    return CN_OK;
}

// ---- cairn check

typedef struct extent {
    double mass;        // of bodies that can move [kg]
    double least, most; // size [m]
    int least_at, most_at;
    int free_count;
} extent;

static extent measure(const cn_scene *scene, const cn_view *view)
{
    extent e = {.least = INFINITY, .most = 0.0, .least_at = -1, .most_at = -1};
    for (int i = 0; i < view->body_count; i++) {
        const cn_body_def *def = &scene->body[(int)view->id[i] - 1].def;
        if ((def->type == CN_BODY_MESH ? def->fixed : view->fixed[i]) != CN_FIXED_ALL) {
            e.mass += view->mass[i];
            e.free_count++;
        }
        if (view->size[i] < e.least) {
            e.least = view->size[i];
            e.least_at = i;
        }
        if (isfinite(view->size[i]) && view->size[i] > e.most) {
            e.most = view->size[i];
            e.most_at = i;
        }
    }
    return e;
}

static void tell_bodies(const cn_scene *scene, const cn_view *view, const extent *e, cn_tell *told,
                        void *context)
{
    char line[400], least[96] = "-", most[96] = "-";
    if (e->least_at >= 0) {
        cn_scene_body_name(scene, (int)view->id[e->least_at] - 1, least);
    }
    if (e->most_at >= 0) {
        cn_scene_body_name(scene, (int)view->id[e->most_at] - 1, most);
    }
    snprintf(line, sizeof line, "title           %.300s", scene->title);
    told(context, line);
    snprintf(line, sizeof line, "bodies          %d (%d can move) in %d group%s", view->body_count,
             e->free_count, scene->group_count - 1, scene->group_count == 2 ? "" : "s");
    told(context, line);
    if (view->joint_count > 0) {
        snprintf(line, sizeof line, "joints          %d", view->joint_count);
        told(context, line);
    }
    snprintf(line, sizeof line, "mass            %.6g kg of bodies that can move", e->mass);
    told(context, line);
    if (e->most_at >= 0) { // half-planes alone have none
        snprintf(line, sizeof line, "sizes           %.4g m (%s) to %.4g m (%s)", e->least, least,
                 e->most, most);
        told(context, line);
    }
    for (int k = 0; k < scene->entry_count; k++) {
        if (scene->entry[k].note != NULL && scene->entry[k].note[0] != '\0') {
            snprintf(line, sizeof line, "%-15s %.200s", scene->entry[k].name, scene->entry[k].note);
            told(context, line);
        }
    }
}

static void tell_stages(const cn_scene *scene, cn_tell *told, void *context)
{
    char line[300];
    for (int k = 0; k < scene->stage_count; k++) {
        const cn_scene_stage *stage = &scene->stage[k];
        snprintf(line, sizeof line, "stage           %.100s: %s%g s in steps of %g s, %.0f steps",
                 stage->name, stage->until_count > 0 ? "at most " : "", stage->duration, stage->h,
                 ceil(stage->duration / stage->h));
        told(context, line);
    }
}

static bool is_of(int group, int named)
{
    return named == CN_GROUP_ANY || named == group;
}

int cn_scene_law_between(const cn_scene *scene, int group, int other)
{
    for (int k = 0; k < scene->rule_count; k++) {
        const cn_scene_rule *rule = &scene->rule[k];
        for (int m = 0; m < rule->a_count; m++) {
            for (int n = 0; n < rule->b_count; n++) {
                int a = rule->a[m], b = rule->b[n];
                if ((is_of(group, a) && is_of(other, b)) || (is_of(other, a) && is_of(group, b))) {
                    return rule->law;
                }
            }
        }
    }
    return CN_SCENE_NO_RULE;
}

// Bodies of a group, and how many of them can move.
static void count_group(const cn_scene *scene, int group, int *count, int *free_count)
{
    *count = *free_count = 0;
    for (int k = 0; k < scene->body_count; k++) {
        if (scene->body[k].def.group == group) {
            *count += 1;
            *free_count += scene->body[k].def.fixed != CN_FIXED_ALL ? 1 : 0;
        }
    }
}

static bool may_meet(const cn_scene *scene, int a, int b)
{
    int a_count, a_free, b_count, b_free;
    count_group(scene, a, &a_count, &a_free);
    count_group(scene, b, &b_count, &b_free);
    return a_count > 0 && b_count > 0 && a_free + b_free > 0 && (a != b || a_count > 1);
}

// Pairs of groups without a rule: an error only once such bodies meet.
static void tell_missing_rules(const cn_scene *scene, cn_tell *told, void *context)
{
    int told_count = 0;
    for (int a = 0; a < scene->group_count; a++) {
        for (int b = a; b < scene->group_count && told_count < CN_REPORT_MAX; b++) {
            if (cn_scene_law_between(scene, a, b) == CN_SCENE_NO_RULE && may_meet(scene, a, b)) {
                char line[300];
                snprintf(
                    line, sizeof line,
                    "note            no contact rule for '%.60s' and '%.60s': the run will stop "
                    "if they meet",
                    scene->group[a], scene->group[b]);
                told(context, line);
                told_count++;
            }
        }
    }
}

// Drives against joints are seen where a run begins.
static cn_status check_start(const cn_scene *scene, cn_error *err)
{
    cn_run_def def = cn_run_def_default();
    def.until = 0.0;
    return cn_scene_run(scene, &def, NULL, err);
}

static cn_status check_world(const cn_scene *scene, cn_world *w, cn_tell *told, void *context,
                             cn_error *err)
{
    cn_view view = cn_world_view(w);
    extent e = measure(scene, &view);
    double reach = isfinite(e.least) ? TOUCH * e.least : 0.0;
    tell_bodies(scene, &view, &e, told, context);
    CN_TRY(cn_scene_named(scene, cn_world_detect(w, reach, err), err));
    view = cn_world_view(w);
    char line[200];
    snprintf(line, sizeof line, "contacts        %d within %.3g m at the start", view.contact_count,
             reach);
    told(context, line);
    tell_stages(scene, told, context);
    tell_missing_rules(scene, told, context);
    CN_TRY(cn_scene_check_parts(scene, told, context, err));
    CN_TRY(cn_scene_check_overlaps(scene, w, told, context, err));
    CN_TRY(cn_scene_warn(scene, w, told, context, err));
    return scene->joint_count > 0 ? check_start(scene, err) : CN_OK;
}

static void ignore_line(void *context, const char *line)
{
    (void)context;
    (void)line;
}

cn_status cn_scene_check(const cn_scene *scene, cn_tell *told, void *context, cn_error *err)
{
    CN_NEED(err, scene);
    cn_world *w = NULL;
    told = told != NULL ? told : ignore_line;
    CN_TRY(cn_scene_world(scene, 1, told, context, &w, err));
    cn_status status = check_world(scene, w, told, context, err);
    cn_world_destroy(w);
    return status;
}
