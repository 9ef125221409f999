// scene/observe/observe_moved.c -- how far a selection has gone since the stage began: sway, drift,
// tilt, and the share of it that is lost.
#include <math.h>

#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

static const cn_key moved_keys[] = {
    {.name = "group", .type = CN_TYPE_TEXT, REQUIRED, .help = "which bodies"},
    {.name = "from",
     .type = CN_TYPE_TEXT,
     OPTIONAL,
     .help =
         "a body, such as the ground: its own way is taken off, so that the difference is sway"},
    {.name = "more_than",
     .type = CN_TYPE_NUMBER,
     .unit = "m",
     POSITIVE,
     OPTIONAL,
     .help = "way from which on a body counts as lost; its own size if not given"},
};
static const cn_section moved = {
    "moved", "mean way since the stage began, largest way and turn of a body, share that is lost",
    KEYS(moved_keys), .short_scalar = "group"};

static bool make(cn_making *m, const cn_value *value, cn_scene_observer *observer)
{
    const cn_value *group = cn_value_get(value, "group"), *from = cn_value_get(value, "from");
    bool is_good = false;
    observer->more_than = cn_value_number(value, "more_than");
    if (!cn_make_pick(m, group->at, group->text, NULL, &observer->a, &is_good) ||
        (from != NULL && !cn_make_pick(m, from->at, from->text, NULL, &observer->b, &is_good))) {
        return false;
    }
    if (is_good && from != NULL && observer->b.count != 1) {
        cn_complain(m->reading.report, from->at,
                    "the way of one body is taken off, '%.60s' selects %d", from->text,
                    observer->b.count);
    }
    return true;
}

// Bodies that were removed are lost, and have no way.
static void observe(const cn_observing *now, const cn_scene_observer *o, double *out)
{
    int dim = now->view->dim, left = 0, lost = 0;
    double base[3] = {0.0, 0.0, 0.0}, sum[3] = {0.0, 0.0, 0.0}, largest = 0.0, turned = 0.0;
    bool has_base = o->b.count == 0 || cn_observed_way(now, o->b.body[0], base);
    for (int k = 0; k < o->a.count; k++) {
        int body = o->a.body[k], i = now->place[body];
        double way[3] = {0.0, 0.0, 0.0}, square = 0.0;
        if (!cn_observed_way(now, body, way)) {
            lost++;
            continue;
        }
        for (int d = 0; d < dim; d++) {
            sum[d] += way[d] - base[d];
            square += (way[d] - base[d]) * (way[d] - base[d]);
        }
        double most = isnan(o->more_than) ? now->view->size[i] : o->more_than;
        largest = fmax(largest, sqrt(square));
        turned = fmax(turned, cn_turned_by(now->view->q + cn_q_size(dim) * i,
                                           now->q_start + cn_q_size(dim) * body, dim));
        lost += sqrt(square) > most;
        left++;
    }
    bool is_known = has_base && left > 0;
    for (int d = 0; d < dim; d++) {
        out[d] = is_known ? sum[d] / left : NAN;
    }
    out[dim] = is_known ? largest : NAN;
    out[dim + 1] = left > 0 ? turned : NAN;
    out[dim + 2] = has_base ? (double)lost / o->a.count : NAN;
}

const cn_observer_type cn_observer_moved = {.key = {.name = "moved",
                                                    .type = CN_TYPE_MAP,
                                                    .section = &moved,
                                                    OPTIONAL,
                                                    .help = "how far bodies have gone"},
                                            .make = make,
                                            .observe = observe,
                                            .plane = "x y largest turned lost",
                                            .space = "x y z largest turned lost"};
