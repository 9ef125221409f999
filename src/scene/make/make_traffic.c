// scene/make/make_traffic.c -- bodies that enter and leave during a stage.
#include <math.h>

#include "scene/make/make_loads.h"

// Two corners; complains unless they span a box.
static void read_box(cn_making *m, const cn_value *value, double low[3], double high[3])
{
    cn_value_point(value, "low", low);
    cn_value_point(value, "high", high);
    for (int d = 0; d < m->scene->dim; d++) {
        if (!(low[d] <= high[d])) {
            cn_complain(m->reading.report, value->at,
                        "the box ends at %g m along %c, before it begins at %g m", high[d],
                        "xyz"[d], low[d]);
        }
    }
}

// Only free rigid bodies without joints may wait.
static void check_waiting(cn_making *m, cn_place at, int body)
{
    const cn_scene *scene = m->scene;
    char name[CN_BODY_NAME_MAX];
    cn_scene_body_name(scene, body, name);
    if (scene->body[body].def.type == CN_BODY_MESH) {
        cn_complain(m->reading.report, at, "%s is deformable: only rigid bodies enter", name);
    } else if (scene->body[body].def.fixed != 0) {
        cn_complain(m->reading.report, at, "%s is held: only bodies that move freely enter", name);
    }
    for (int k = 0; k < scene->joint_count; k++) {
        const cn_scene_joint *joint = &scene->joint[k];
        bool is_in = false;
        for (int n = 0; n < joint->a.count; n++) {
            is_in = is_in || joint->a.body[n] == body;
        }
        for (int n = 0; n < joint->b.count; n++) {
            is_in = is_in || joint->b.body[n] == body;
        }
        if (is_in) {
            cn_complain(m->reading.report, at, "%s has a joint: bodies enter without", name);
            return;
        }
    }
}

static bool mark(cn_making *m, cn_place at, const cn_pick *pick)
{
    if (m->scene->waits == NULL) {
        unsigned char *waits =
            cn_reading_take(&m->reading, (size_t)m->scene->body_count, sizeof *waits);
        m->scene->waits = waits;
    }
    for (int k = 0; k < pick->count && m->scene->waits != NULL; k++) {
        if (m->scene->waits[pick->body[k]] == 0) {
            check_waiting(m, at, pick->body[k]);
        }
        m->scene->waits[pick->body[k]] = 1;
    }
    return m->scene->waits != NULL;
}

static bool make_enter(cn_stage_making *s)
{
    const cn_value *named = cn_value_get(s->value, "enter");
    int count = named == NULL ? 0 : named->count;
    cn_scene_enter *enter = cn_reading_take(&s->m->reading, (size_t)count, sizeof *enter);
    for (int k = 0; k < count && enter != NULL; k++) {
        const cn_value *value = named->item[k], *box = cn_value_get(value, "within");
        bool is_good = false;
        enter[k].rate = cn_value_number(value, "per_second");
        enter[k].has_box = box != NULL;
        if (box != NULL) {
            read_box(s->m, box, enter[k].low, enter[k].high);
        }
        if (!cn_make_pick(s->m, named->name_at[k], named->name[k], s->is_removed, &enter[k].bodies,
                          &is_good) ||
            (is_good && !mark(s->m, named->name_at[k], &enter[k].bodies))) {
            return false;
        }
    }
    s->stage->enter = enter;
    s->stage->enter_count = count;
    return enter != NULL;
}

bool cn_make_traffic(cn_stage_making *s)
{
    const cn_value *named = cn_value_get(s->value, "leave");
    int count = named == NULL ? 0 : named->count;
    cn_scene_leave *leave = cn_reading_take(&s->m->reading, (size_t)count, sizeof *leave);
    bool is_good, has_memory = leave != NULL && make_enter(s);
    for (int k = 0; k < count && has_memory; k++) {
        read_box(s->m, named->item[k], leave[k].low, leave[k].high);
        has_memory = cn_make_pick(s->m, named->name_at[k], named->name[k], s->is_removed,
                                  &leave[k].bodies, &is_good);
    }
    s->stage->leave = leave;
    s->stage->leave_count = count;
    return has_memory;
}

// A load of a stage acts on the bodies that are there when it begins.
static void check_loads(cn_making *m, cn_place at, const cn_pick *pick, const char *what)
{
    for (int k = 0; k < pick->count && m->scene->waits != NULL; k++) {
        if (m->scene->waits[pick->body[k]] != 0) {
            cn_complain(m->reading.report, at,
                        "the %s on '%.60s' would miss bodies that enter after this stage began: "
                        "name others",
                        what, pick->text);
            return;
        }
    }
}

void cn_check_traffic(cn_making *m, const cn_value *stages)
{
    for (int s = 0; s < m->scene->stage_count; s++) {
        const cn_scene_stage *stage = &m->scene->stage[s];
        for (int k = 0; k < stage->drive_count; k++) {
            check_loads(m, stages->item[s]->at, &stage->drive[k].bodies, "drive");
        }
        for (int k = 0; k < stage->force_count; k++) {
            check_loads(m, stages->item[s]->at, &stage->force[k].bodies, "force");
        }
        for (int k = 0; k < stage->around_count; k++) {
            check_loads(m, stages->item[s]->at, &stage->around[k].bodies, "pressure");
        }
        for (int k = 0; k < stage->growth_count; k++) {
            check_loads(m, stages->item[s]->at, &stage->growth[k].bodies, "growth");
        }
        for (int k = 0; k < stage->face_load_count; k++) {
            check_loads(m, stages->item[s]->at, &stage->face_load[k].bodies, "load on free faces");
        }
    }
}
