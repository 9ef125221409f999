// scene/observe/observe_joint.c -- load and motion of a joint, means over the step.
#include <math.h>
#include <string.h>

#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

enum { PLANE_COUNT = 8, SPACE_COUNT = 11 };

static bool make(cn_making *m, const cn_value *joint, cn_scene_observer *observer)
{
    int found = cn_joint_named(m, joint->at, joint->text);
    observer->joint = found >= 0 ? (cn_joint_id)(m->scene->joint[found].first + 1) : 0;
    return true;
}

// A joint that is gone gives NaN, one that is broken no force.
static void observe(const cn_observing *now, const cn_scene_observer *o, double *out)
{
    const cn_view *view = now->view;
    cn_joint_state s;
    int count = view->dim == 2 ? PLANE_COUNT : SPACE_COUNT;
    for (int k = 0; k < count; k++) {
        out[k] = NAN;
    }
    if (cn_joint_get(now->world, o->joint, &s, NULL) != CN_OK) {
        return;
    }
    double h = view->certificate->h;
    for (int d = 0; d < view->dim; d++) {
        *out++ = s.impulse[d] / h;
    }
    for (int d = view->dim == 2 ? 2 : 0; d < 3; d++) {
        *out++ = s.moment[d] / h;
    }
    memcpy(out, (double[5]){s.motor / h, s.gap, s.position, s.speed, s.stop / h}, 5 * sizeof *out);
}

const cn_observer_type cn_observer_joint = {
    .key = {.name = "joint",
            .type = CN_TYPE_TEXT,
            OPTIONAL,
            .help = "name of a joint (of a chain its first): force and moment on the first body, "
                    "motor, gap, position, speed"},
    .make = make,
    .observe = observe,
    .plane = "fx fy moment motor gap position speed stop",
    .space = "fx fy fz mx my mz motor gap position speed stop"};
