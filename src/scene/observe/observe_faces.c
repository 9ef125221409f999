// scene/observe/observe_faces.c -- water, fill and wind on free faces: area and force.
#include <math.h>
#include <string.h>

#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

static bool has(const cn_scene_stage *stage, const char *bodies)
{
    bool is_there = false;
    for (int k = 0; k < stage->face_load_count; k++) {
        is_there = is_there || strcmp(stage->face_load[k].bodies.text, bodies) == 0;
    }
    return is_there;
}

static bool make(cn_making *m, const cn_value *value, cn_scene_observer *observer)
{
    return cn_observe_load(m, value, "'water', 'fill' or 'wind'", has, observer);
}

// Of all that is on the faces of these bodies; nothing while nothing is.
static void observe(const cn_observing *now, const cn_scene_observer *o, double *out)
{
    const cn_scene_stage *stage = now->stage;
    int dim = now->view->dim;
    memset(out, 0, sizeof *out * (size_t)(dim + 1));
    for (int k = 0; k < stage->face_load_count; k++) {
        cn_face_load_state s;
        if (strcmp(stage->face_load[k].bodies.text, o->a.text) == 0 &&
            cn_face_load_get(now->world, k, &s, NULL) == CN_OK) {
            out[0] += s.area;
            for (int d = 0; d < dim; d++) {
                out[1 + d] += s.force[d];
            }
        }
    }
}

const cn_observer_type cn_observer_faces = {
    .key = {.name = "faces",
            .type = CN_TYPE_TEXT,
            OPTIONAL,
            .help = "bodies with water, fill or wind on them, as its force selects them: area that "
                    "is pressed [m2], in the plane [m], and the force on all of them together"},
    .make = make,
    .observe = observe,
    .plane = "area fx fy",
    .space = "area fx fy fz"};
