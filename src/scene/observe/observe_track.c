// scene/observe/observe_track.c -- where one body is and how it moves.
#include <math.h>
#include <string.h>

#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

static const cn_key track_keys[] = {
    {.name = "body", .type = CN_TYPE_TEXT, REQUIRED, .help = "selects one body"},
};
static const cn_section track = {"track", "position, orientation and velocities of one body",
                                 KEYS(track_keys), .short_scalar = "body"};

static bool make(cn_making *m, const cn_value *value, cn_scene_observer *observer)
{
    const cn_value *body = cn_value_get(value, "body");
    bool is_good = false;
    if (!cn_make_pick(m, body->at, body->text, NULL, &observer->a, &is_good)) {
        return false;
    }
    if (is_good && observer->a.count != 1) {
        cn_complain(m->reading.report, body->at,
                    "track follows one body, '%.60s' selects %d; write e.g. %.60s.last", body->text,
                    observer->a.count, body->text);
    }
    return true;
}

// A body that has been removed gives NaN: the series shows where it went.
static void observe(const cn_observing *now, const cn_scene_observer *o, double *out)
{
    const cn_view *view = now->view;
    int i = now->place[o->a.body[0]];
    int q_size = cn_q_size(view->dim), dof = cn_dof_count(view->dim);
    for (int d = 0; d < q_size; d++) {
        out[d] = i < 0 ? NAN : view->q[q_size * i + d];
    }
    for (int d = 0; d < dof; d++) {
        out[q_size + d] = i < 0 ? NAN : view->v[dof * i + d];
    }
    cn_body_state state;
    // The orientation of the frame in which the scene gives the shapes, not of the principal axes.
    if (view->dim == 3 && i >= 0 && cn_body_get(now->world, view->id[i], &state, NULL) == CN_OK) {
        memcpy(out + 3, state.rotation, sizeof state.rotation);
    }
}

const cn_observer_type cn_observer_track = {.key = {.name = "track",
                                                    .type = CN_TYPE_MAP,
                                                    .section = &track,
                                                    OPTIONAL,
                                                    .help = "motion of one body"},
                                            .make = make,
                                            .observe = observe,
                                            .plane = "x y angle vx vy spin",
                                            .space = "x y z qw qx qy qz vx vy vz wx wy wz"};
