// scene/observe/observe_around.c -- a pressure around bodies: what it encloses, and its facets.
#include <math.h>
#include <string.h>

#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

static bool has(const cn_scene_stage *stage, const char *bodies)
{
    bool is_there = false;
    for (int k = 0; k < stage->around_count; k++) {
        is_there = is_there || strcmp(stage->around[k].bodies.text, bodies) == 0;
    }
    return is_there;
}

static bool make(cn_making *m, const cn_value *value, cn_scene_observer *observer)
{
    return cn_observe_load(m, value, "'around'", has, observer);
}

// NaN while no pressure is around the bodies.
static void observe(const cn_observing *now, const cn_scene_observer *o, double *out)
{
    const cn_scene_stage *stage = now->stage;
    for (int d = 0; d < 4; d++) {
        out[d] = NAN;
    }
    for (int k = 0; k < stage->around_count; k++) {
        cn_around_state s;
        if (strcmp(stage->around[k].bodies.text, o->a.text) == 0 &&
            cn_around_get(now->world, k, &s, NULL) == CN_OK && s.facet_count > 0) {
            memcpy(out, (double[4]){s.content, s.facet_count, s.pressed_count, s.pressure},
                   4 * sizeof *out);
        }
    }
}

const cn_observer_type cn_observer_around = {
    .key = {.name = "around",
            .type = CN_TYPE_TEXT,
            OPTIONAL,
            .help = "bodies with a pressure around them, as its force selects them: area or volume "
                    "between outermost mass centres, number of facets, of those that are pressed, "
                    "pressure"},
    .make = make,
    .observe = observe,
    .plane = "area facets pressed pressure",
    .space = "volume facets pressed pressure"};
