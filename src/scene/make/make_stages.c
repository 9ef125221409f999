// scene/make/make_stages.c -- stages with their conditions, and observers.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/vec.h"
#include "scene/make/make_bodies.h"
#include "scene/make/make_loads.h"

// At rest by default: slower than this part of sqrt(|g| L), for this part of sqrt(L/|g|) on end and
// at least so many steps.
static const double REST_SPEED = 1e-3, REST_HOLD = 0.1;
enum { REST_STEPS = 10 };

// Leaves out pieces of exploded meshes that have nothing of the set that was named, if some has.
static bool keep_pieces(cn_making *m, cn_pick *pick)
{
    int *kept = cn_reading_take(&m->reading, (size_t)pick->count + 1, sizeof *kept), count = 0;
    for (int k = 0; kept != NULL && k < pick->count; k++) {
        const cn_scene_entry *entry = &m->scene->entry[m->scene->body[pick->body[k]].entry];
        if (!entry->is_exploded || cn_scene_body_has_set(m->scene, pick->body[k], pick->set)) {
            kept[count++] = pick->body[k];
        }
    }
    if (count > 0) {
        pick->body = kept;
        pick->count = count;
    }
    return kept != NULL;
}

// True if each of the bodies has a mesh with the set that was named.
static bool check_sets(cn_making *m, cn_place at, const char *text, const cn_pick *pick)
{
    for (int k = 0; pick->set != NULL && k < pick->count; k++) {
        char name[96];
        const cn_mesh_def *mesh = cn_body_mesh_of(&m->scene->body[pick->body[k]].def);
        cn_scene_body_name(m->scene, pick->body[k], name);
        if (mesh == NULL) {
            cn_complain(m->reading.report, at,
                        "'%.80s': body '%s' is rigid and has no sets of nodes", text, name);
            return false;
        }
        if (!cn_check_set(&m->reading, at, pick->set, name, mesh)) {
            return false;
        }
    }
    return true;
}

bool cn_make_pick(cn_making *m, cn_place at, const char *text, const char *is_removed,
                  cn_pick *pick, bool *is_good)
{
    bool has_memory = cn_make_pick_set(m, at, text, is_removed, pick, is_good);
    if (*is_good && pick->set != NULL) {
        cn_complain(m->reading.report, at,
                    "'%.80s' selects nodes of a mesh; here bodies are selected: leave out '.%s'",
                    text, pick->set);
        *is_good = false;
    }
    return has_memory;
}

bool cn_make_pick_set(cn_making *m, cn_place at, const char *text, const char *is_removed,
                      cn_pick *pick, bool *is_good)
{
    cn_reading *r = &m->reading;
    cn_error why = {0};
    *is_good = false;
    cn_status status = cn_scene_select(m->scene, text, r->arena, pick, &why);
    if (status == CN_NO_MEMORY) {
        r->status = cn_fail(r->err, status, "%s", why.text);
        return false;
    }
    if (status != CN_OK) {
        cn_complain(r->report, at, "%s", why.text);
        return true;
    }
    int *body = (int *)pick->body;
    int kept = 0;
    for (int k = 0; k < pick->count; k++) {
        if (is_removed == NULL || !is_removed[body[k]]) {
            body[kept++] = body[k];
        }
    }
    pick->count = kept;
    if (pick->set != NULL && !keep_pieces(m, pick)) {
        return false;
    }
    *is_good = kept > 0 && check_sets(m, at, text, pick);
    if (kept == 0) {
        cn_complain(r->report, at, "all bodies of '%.80s' have been removed", text);
    }
    return true;
}

// Mean size of the bodies that can move, 0 if none can [m].
static double mean_size(const cn_scene *scene)
{
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < scene->body_count; k++) {
        const cn_scene_body *body = &scene->body[k];
        if (body->def.fixed != CN_FIXED_ALL && isfinite(body->size)) {
            sum += body->size;
            count++;
        }
    }
    return count > 0 ? sum / count : 0.0;
}

static void set_rest(cn_stage_making *s, const cn_value *value, cn_scene_condition *condition)
{
    double L = mean_size(s->m->scene);
    const double *gravity = s->stage->gravity;
    double g = cn_norm3(cn_v3(gravity[0], gravity[1], gravity[2]));
    double speed = cn_value_number(value, "speed"), hold = cn_value_number(value, "hold");
    if (isnan(speed) && !(g * L > 0.0)) {
        cn_complain(s->m->reading.report, value->at,
                    "at_rest needs 'speed' here: without gravity there is no default");
    }
    condition->limit = speed;
    if (isnan(speed)) {
        condition->limit = REST_SPEED * sqrt(g * L);
        cn_value_put(&s->m->reading, value, "speed", condition->limit);
    }
    condition->hold = hold;
    if (isnan(hold)) {
        condition->hold = fmax(g > 0.0 ? REST_HOLD * sqrt(L / g) : 0.0, REST_STEPS * s->stage->h);
        cn_value_put(&s->m->reading, value, "hold", condition->hold);
    }
}

static char *describe(cn_stage_making *s, const cn_scene_condition *c, const char *name)
{
    cn_reading *r = &s->m->reading;
    static const char *const units[] = {"m/s", "m/s", "m", "rad"};
    static const char *const words[] = {"slower than", "faster than", "moved more than",
                                        "turned more than"};
    if (strcmp(name, "at_rest") == 0) {
        return cn_arena_print(r->arena, r->err, "%s at rest", c->bodies.text);
    }
    return cn_arena_print(r->arena, r->err, "%s %s %g %s", c->bodies.text, words[c->kind], c->limit,
                          units[c->kind]);
}

// A condition on a number that is observed.
static bool make_series(cn_stage_making *s, const cn_value *value, cn_scene_condition *condition)
{
    cn_reading *r = &s->m->reading;
    const cn_value *of = cn_value_get(value, "of");
    double above = cn_value_number(value, "above"), below = cn_value_number(value, "below");
    bool is_named, is_above = !isnan(above);
    *condition = (cn_scene_condition){.kind = is_above ? CN_CONDITION_ABOVE : CN_CONDITION_BELOW,
                                      .series = cn_series_named(s->m, of->text, &is_named),
                                      .limit = is_above ? above : below,
                                      .hold = cn_value_number(value, "hold")};
    if (condition->series < 0) {
        cn_complain(r->report, of->at, "no %s '%.60s' is observed: name one of `observe`, as %s",
                    is_named ? "number" : "observer", of->text,
                    is_named ? "observer.number" : "s.p of {name: s, stress: grains}");
    }
    if (isnan(above) == isnan(below)) {
        cn_complain(r->report, value->at, "'%.60s' is to be either above or below something",
                    of->text);
    }
    condition->text = cn_arena_print(r->arena, r->err, "%s %s %g", of->text,
                                     is_above ? "above" : "below", condition->limit);
    r->status = condition->text == NULL ? CN_NO_MEMORY : r->status;
    return r->status == CN_OK;
}

static bool make_condition(cn_stage_making *s, const char *name, const cn_value *value,
                           cn_scene_condition *condition)
{
    const cn_value *group = cn_value_get(value, "group");
    bool is_good = false;
    if (strcmp(name, "series") == 0) {
        return make_series(s, value, condition);
    }
    *condition = (cn_scene_condition){0};
    if (!cn_make_pick(s->m, group->at, group->text, s->is_removed, &condition->bodies, &is_good)) {
        return false;
    }
    if (!is_good) {
        return true;
    }
    if (strcmp(name, "at_rest") == 0) {
        set_rest(s, value, condition);
    } else if (strcmp(name, "speed_below") == 0) {
        condition->limit = cn_value_number(value, "speed");
        condition->hold = cn_value_number(value, "hold");
    } else if (strcmp(name, "speed_above") == 0) {
        condition->kind = CN_CONDITION_SPEED_ABOVE;
        condition->limit = cn_value_number(value, "speed");
    } else {
        bool is_moved = strcmp(name, "moved") == 0;
        condition->kind = is_moved ? CN_CONDITION_MOVED : CN_CONDITION_TURNED;
        condition->limit = cn_value_number(value, "more_than");
    }
    condition->text = describe(s, condition, name);
    s->m->reading.status = condition->text == NULL ? CN_NO_MEMORY : s->m->reading.status;
    return s->m->reading.status == CN_OK;
}

static bool make_conditions(cn_stage_making *s, const char *key, const cn_scene_condition **made,
                            int *count)
{
    const cn_value *value = cn_value_get(s->value, key);
    if (value == NULL) {
        return true;
    }
    if (value->count == 0) {
        cn_complain(s->m->reading.report, value->at, "%s names no condition", key);
    }
    cn_scene_condition *condition =
        cn_reading_take(&s->m->reading, (size_t)value->count, sizeof *condition);
    bool has_memory = condition != NULL;
    for (int k = 0; k < value->count && has_memory; k++) {
        has_memory = make_condition(s, value->name[k], value->item[k], &condition[k]);
    }
    *made = condition;
    *count = value->count;
    return has_memory;
}

static bool make_fixes(cn_stage_making *s)
{
    const cn_value *named = cn_value_get(s->value, "fix");
    if (named == NULL) {
        return true;
    }
    cn_scene_fix *fix = cn_reading_take(&s->m->reading, (size_t)named->count, sizeof *fix);
    bool has_memory = fix != NULL;
    for (int k = 0; k < named->count && has_memory; k++) {
        bool is_good = false;
        fix[k].fixed = cn_fixed_of(named->item[k], s->m->scene->dim);
        has_memory = cn_make_pick_set(s->m, named->name_at[k], named->name[k], s->is_removed,
                                      &fix[k].bodies, &is_good);
    }
    s->stage->fix = fix;
    s->stage->fix_count = named->count;
    return has_memory;
}

// Marks the bodies that this stage takes away.
static bool make_removed(cn_stage_making *s, char *is_removed)
{
    const cn_value *names = cn_value_get(s->value, "remove");
    if (names == NULL) {
        return true;
    }
    cn_reading *r = &s->m->reading;
    int *body = cn_reading_take(r, (size_t)s->m->scene->body_count, sizeof *body);
    int count = 0;
    for (int k = 0; k < names->count && body != NULL; k++) {
        cn_pick pick;
        bool is_good = false;
        const cn_value *name = names->item[k];
        if (!cn_make_pick(s->m, name->at, name->text, is_removed, &pick, &is_good)) {
            return false;
        }
        for (int n = 0; is_good && n < pick.count; n++) {
            is_removed[pick.body[n]] = 1;
            body[count++] = pick.body[n];
        }
        s->stage->removed.text = name->text;
    }
    s->stage->removed.body = body;
    s->stage->removed.count = count;
    return body != NULL;
}

// A stage lasts `duration`, or `until` something but `at_most` so long.
static bool make_released(cn_stage_making *s)
{
    const cn_value *names = cn_value_get(s->value, "release");
    int count = names == NULL ? 0 : names->count;
    int *released = cn_reading_take(&s->m->reading, (size_t)count, sizeof *released);
    for (int k = 0; k < count && released != NULL; k++) {
        released[k] = cn_joint_named(s->m, names->item[k]->at, names->item[k]->text);
    }
    s->stage->released = released;
    s->stage->released_count = count;
    return released != NULL;
}

static bool make_motors(cn_stage_making *s)
{
    const cn_value *named = cn_value_get(s->value, "motor");
    int count = named == NULL ? 0 : named->count;
    cn_scene_motor *motor = cn_reading_take(&s->m->reading, (size_t)count, sizeof *motor);
    for (int k = 0; k < count && motor != NULL; k++) {
        const cn_value *value = named->item[k];
        int joint = cn_joint_named(s->m, named->name_at[k], named->name[k]);
        motor[k] = (cn_scene_motor){joint, cn_value_number(value, "speed"),
                                    cn_value_number(value, "limit")};
        cn_joint_kind kind = joint < 0 ? CN_JOINT_HINGE : s->m->scene->joint[joint].def.kind;
        if (!cn_joint_type_of(kind)->has_motor) {
            cn_complain(s->m->reading.report, named->name_at[k],
                        "joint '%.60s' is a %s: a hinge or a slider has a motor", named->name[k],
                        cn_joint_kind_name(kind));
        }
    }
    s->stage->motor = motor;
    s->stage->motor_count = count;
    return motor != NULL;
}

static void set_duration(cn_stage_making *s)
{
    cn_report *report = s->m->reading.report;
    const cn_value *until = cn_value_get(s->value, "until");
    double duration = cn_value_number(s->value, "duration");
    double at_most = cn_value_number(s->value, "at_most");
    if (until == NULL && isnan(duration)) {
        cn_complain(report, s->value->at, "a stage needs 'duration', or 'until' with 'at_most'");
    } else if (until != NULL && (isnan(at_most) || !isnan(duration))) {
        cn_complain(report, until->at, "'until' goes with 'at_most' (not with 'duration')");
    } else if (until == NULL && !isnan(at_most)) {
        cn_complain(report, s->value->at, "'at_most' goes with 'until'");
    }
    s->stage->duration = until == NULL ? duration : at_most;
    if (s->stage->h > s->stage->duration) {
        cn_complain(report, cn_value_get(s->value, "step")->at,
                    "step %g s is longer than the stage, %g s", s->stage->h, s->stage->duration);
    }
}

static bool set_stage(cn_stage_making *s, int k)
{
    cn_reading *r = &s->m->reading;
    const cn_value *root = s->m->root, *value = s->value;
    const cn_value *scheme = cn_value_get(value, "scheme");
    scheme = scheme != NULL ? scheme : cn_value_get(root, "scheme");
    cn_scene_stage *stage = s->stage;
    stage->name = cn_value_text(value, "name");
    if (stage->name == NULL) {
        stage->name = cn_arena_print(r->arena, r->err, "stage %d", k + 1);
    }
    stage->h = cn_value_number(value, "step");
    stage->theta = cn_value_number(scheme, "theta");
    double gamma = cn_value_number(scheme, "gamma");
    stage->gamma = isnan(gamma) ? 1.0 - stage->theta : gamma;
    stage->deform = cn_deform_of(s->m, scheme);
    stage->at = cn_making_line(s->m, value->at);
    cn_value_point(root, "gravity", stage->gravity);
    bool has_own = cn_value_point(value, "gravity", stage->gravity);
    stage->gravity_at = cn_making_line(s->m, cn_value_get(has_own ? value : root, "gravity")->at);
    set_duration(s);
    r->status = stage->name == NULL ? CN_NO_MEMORY : r->status;
    return stage->name != NULL;
}

static bool make_stage(cn_making *m, int k, const cn_value *value, char *is_removed,
                       unsigned char *is_driven, cn_scene_stage *stage)
{
    cn_stage_making s = {
        .m = m, .value = value, .stage = stage, .is_removed = is_removed, .is_driven = is_driven};
    for (int i = 0; i < m->scene->body_count; i++) {
        is_driven[i] = 0;
    }
    return set_stage(&s, k) && make_removed(&s, is_removed) && make_fixes(&s) &&
           make_released(&s) && make_motors(&s) && cn_make_stage_rules(m, value, stage) &&
           cn_make_cell_control(&s) && cn_make_traffic(&s) && cn_make_growth(&s) &&
           cn_make_drives(&s) && cn_make_forces(&s) &&
           make_conditions(&s, "until", &stage->until, &stage->until_count) &&
           make_conditions(&s, "stop_when", &stage->stop_when, &stage->stop_count);
}

bool cn_make_stages(cn_making *m)
{
    const cn_value *stages = cn_value_get(m->root, "stages");
    if (stages == NULL) {
        if (cn_value_get(m->root, "limit") == NULL) {
            cn_complain(m->reading.report, m->root->at,
                        "missing key 'stages' in scene: what happens, one after the other (only "
                        "scenes with 'limit' can do without)");
        }
        return true;
    }
    size_t body_count = (size_t)m->scene->body_count;
    cn_scene_stage *stage = cn_reading_take(&m->reading, (size_t)stages->count, sizeof *stage);
    char *is_removed = cn_reading_take(&m->reading, body_count, 1);
    unsigned char *is_driven = cn_reading_take(&m->reading, body_count, 1);
    bool has_memory = stage != NULL && is_removed != NULL && is_driven != NULL;
    for (int k = 0; k < stages->count && has_memory; k++) {
        has_memory = make_stage(m, k, stages->item[k], is_removed, is_driven, &stage[k]);
    }
    m->scene->stage = stage;
    m->scene->stage_count = has_memory ? stages->count : 0;
    cn_check_traffic(m, stages);
    return has_memory;
}
