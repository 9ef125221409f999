// scene/make/make_growth.c -- bodies that grow during a stage.
#include <math.h>

#include "scene/make/make_loads.h"

// One disk or sphere about its mass centre, as the world asks for; others are named here.
static bool is_round(const cn_body_def *def)
{
    return def->type == CN_BODY_SHAPES
               ? def->shapes.count == 1 && def->shapes.item[0].kind == CN_SHAPE_DISK
               : def->type == CN_BODY_SOLIDS && def->solids.count == 1 &&
                     def->solids.item[0].kind == CN_SOLID_SPHERE;
}

static void check_round(cn_making *m, cn_place at, const cn_pick *pick)
{
    for (int k = 0; k < pick->count; k++) {
        if (!is_round(&m->scene->body[pick->body[k]].def)) {
            char name[CN_BODY_NAME_MAX];
            cn_scene_body_name(m->scene, pick->body[k], name);
            cn_complain(m->reading.report, at,
                        "'%.60s' selects %s, which is not one disk or sphere: only these grow",
                        pick->text, name);
            return;
        }
    }
}

bool cn_make_growth(cn_stage_making *s)
{
    const cn_value *named = cn_value_get(s->value, "grow");
    int count = named == NULL ? 0 : named->count;
    cn_scene_growth *growth = cn_reading_take(&s->m->reading, (size_t)count, sizeof *growth);
    for (int k = 0; k < count && growth != NULL; k++) {
        const cn_value *value = named->item[k];
        double over = cn_value_number(value, "over");
        bool is_good = false;
        growth[k].def = (cn_growth_def){.from = cn_value_number(value, "from"),
                                        .to = cn_value_number(value, "to"),
                                        .duration = isnan(over) ? s->stage->duration : over};
        if (!cn_make_pick(s->m, named->name_at[k], named->name[k], s->is_removed, &growth[k].bodies,
                          &is_good)) {
            return false;
        }
        if (is_good) {
            check_round(s->m, named->name_at[k], &growth[k].bodies);
        }
        if (!isfinite(growth[k].def.duration)) {
            cn_complain(s->m->reading.report, named->name_at[k],
                        "'%.60s' grow without end: say 'over' which time", named->name[k]);
        }
    }
    s->stage->growth = growth;
    s->stage->growth_count = count;
    return growth != NULL;
}
