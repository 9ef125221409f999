// scene/observe/observe_resultant.c -- force between two selections of bodies, by contacts; the
// mean over the step.
#include <string.h>

#include "cairn/vec.h"
#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

// clang-format off
static const cn_key resultant_keys[] = {
    {.name = "between", .type = CN_TYPE_TEXTS, .least = 2.0, .most = 2.0, REQUIRED,
     .help = "force of the second selection on the first"},
    {.name = "about", .type = CN_TYPE_POINT, .unit = "m", .fallback = "0",
     .help = "point of the moment"},
};
static const cn_section resultant = {"resultant", "sum of contact forces and their moment",
                                     KEYS(resultant_keys), .short_list = "between"};
// clang-format on

// Which bodies of the scene are selected; NULL: no memory.
static const unsigned char *mask_of(cn_making *m, const cn_pick *pick)
{
    unsigned char *mask = cn_reading_take(&m->reading, (size_t)m->scene->body_count, 1);
    for (int k = 0; k < pick->count && mask != NULL; k++) {
        mask[pick->body[k]] = 1;
    }
    return mask;
}

static bool make(cn_making *m, const cn_value *value, cn_scene_observer *observer)
{
    const cn_value *between = cn_value_get(value, "between");
    bool is_good = false;
    cn_value_point(value, "about", observer->about);
    const cn_value *const *name = between->item;
    if (!cn_make_pick(m, name[0]->at, name[0]->text, NULL, &observer->a, &is_good) ||
        !cn_make_pick(m, name[1]->at, name[1]->text, NULL, &observer->b, &is_good)) {
        return false;
    }
    observer->in_a = mask_of(m, &observer->a);
    observer->in_b = mask_of(m, &observer->b);
    return observer->in_a != NULL && observer->in_b != NULL;
}

// Sum over contacts between a and b of the force on a, and its moment about a point.
static void observe(const cn_observing *now, const cn_scene_observer *o, double *out)
{
    const cn_view *view = now->view;
    const unsigned char *in_a = o->in_a, *in_b = o->in_b;
    double h = view->certificate->h;
    cn_vec3 about = cn_v3(o->about[0], o->about[1], o->about[2]);
    cn_vec3 sum = {0}, moment = {0};
    for (int a = 0; a < view->contact_count; a++) {
        const cn_contact *c = &view->contact[a];
        int i = (int)(view->id[c->i] - cn_scene_body_id(0));
        int j = (int)(view->id[c->j] - cn_scene_body_id(0));
        int sign = (in_a[i] && in_b[j]) - (in_a[j] && in_b[i]);
        if (sign != 0) {
            double r[3];
            cn_contact_impulse(c, view->dim, r);
            cn_vec3 force = cn_mul3(sign / h, cn_v3(r[0], r[1], r[2]));
            cn_vec3 arm = cn_sub3(cn_v3(c->point[0], c->point[1], c->point[2]), about);
            sum = cn_add3(sum, force);
            moment = cn_add3(moment, cn_cross3(arm, force));
        }
    }
    if (view->dim == 2) {
        memcpy(out, (double[3]){sum.x, sum.y, moment.z}, 3 * sizeof *out);
    } else {
        memcpy(out, (double[6]){sum.x, sum.y, sum.z, moment.x, moment.y, moment.z},
               6 * sizeof *out);
    }
}

const cn_observer_type cn_observer_resultant = {.key = {.name = "resultant",
                                                        .type = CN_TYPE_MAP,
                                                        .section = &resultant,
                                                        OPTIONAL,
                                                        .help = "force between two selections"},
                                                .make = make,
                                                .observe = observe,
                                                .plane = "fx fy moment",
                                                .space = "fx fy fz mx my mz"};
