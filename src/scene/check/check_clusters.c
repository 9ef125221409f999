// scene/check/check_clusters.c -- parts of one body that overlap.
//
// Mass, centre and inertia of a cluster are sums over its parts: what two parts share counts twice.
// A run never lets parts of one body meet, so that here each is a body of its own, in a world of
// its own that only detects.
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "scene/check/check_overlap.h"

static const double SHARED = 1e-6; // overlaps of parts that are more than rounding, of the size [-]

static int part_count(const cn_body_def *def)
{
    switch (def->type) {
    case CN_BODY_SHAPES:
        return def->shapes.count;
    case CN_BODY_SOLIDS:
        return def->solids.count;
    default:
        return 0;
    }
}

// Mass and inertia are summed over parts only where the scene gives neither.
static bool is_summed(const cn_body_def *def)
{
    return part_count(def) > 1 && def->fixed != CN_FIXED_ALL && def->density > 0.0;
}

static cn_status add_parts(const cn_body_def *def, cn_world *w, cn_error *err)
{
    int law;
    cn_law_def touching = cn_law_default("coulomb");
    CN_TRY(cn_law_add(w, &touching, &law, err));
    CN_TRY(cn_rule_add(w, CN_GROUP_ANY, CN_GROUP_ANY, law, err));
    for (int k = 0; k < part_count(def); k++) {
        cn_body_def part = cn_body_def_default();
        part.type = def->type;
        if (def->type == CN_BODY_SHAPES) {
            part.shapes = (cn_shape_parts){1, &def->shapes.item[k]};
        } else {
            part.solids = (cn_solid_parts){1, &def->solids.item[k]};
        }
        CN_TRY(cn_body_add(w, &part, NULL, err));
    }
    return cn_world_detect(w, 0.0, err);
}

// The deepest overlap of two parts; NULL if there is none.
static const cn_contact *deepest(const cn_view *view)
{
    const cn_contact *worst = NULL;
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        double size = fmin(view->size[c->i], view->size[c->j]);
        if (c->gap < -SHARED * size && (worst == NULL || c->gap < worst->gap)) {
            worst = c;
        }
    }
    return worst;
}

static void tell_overlap(const cn_scene *scene, int body, const cn_view *view, const cn_contact *c,
                         cn_tell *told, void *context)
{
    char line[600], name[96];
    int first = (int)view->id[c->i], second = (int)view->id[c->j];
    cn_scene_body_name(scene, body, name);
    snprintf(line, sizeof line,
             "%.150s: warning: parts %d and %d of '%s' overlap by %.3g m: what they share counts "
             "twice in its mass, centre and inertia; cut them so that they only touch, or give "
             "'mass' and 'inertia'",
             scene->name, first < second ? first : second, first < second ? second : first, name,
             -c->gap);
    told(context, line);
}

static cn_status check_body(const cn_scene *scene, int body, cn_tell *told, void *context,
                            cn_error *err)
{
    cn_world *w = NULL;
    cn_world_def def = cn_world_def_default();
    def.dim = scene->dim;
    CN_TRY(cn_world_create(&def, &w, err));
    cn_status status = add_parts(&scene->body[body].def, w, err);
    if (status == CN_OK) {
        cn_view view = cn_world_view(w);
        const cn_contact *worst = deepest(&view);
        if (worst != NULL) {
            tell_overlap(scene, body, &view, worst, told, context);
        }
    }
    cn_world_destroy(w);
    return status;
}

cn_status cn_scene_check_parts(const cn_scene *scene, cn_tell *told, void *context, cn_error *err)
{
    for (int e = 0; e < scene->entry_count; e++) { // bodies of one entry have the same parts
        const cn_scene_entry *entry = &scene->entry[e];
        if (entry->count > 0 && is_summed(&scene->body[entry->first].def)) {
            CN_TRY(check_body(scene, entry->first, told, context, err));
        }
    }
    return CN_OK;
}
