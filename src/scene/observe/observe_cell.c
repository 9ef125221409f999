// scene/observe/observe_cell.c -- the periodic cell: its shape, and the stress that it carries.
#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

static bool make(cn_making *m, const cn_value *value, cn_scene_observer *observer)
{
    (void)observer;
    if (!m->scene->has_cell) {
        cn_complain(m->reading.report, value->at, "the scene has no cell that could be observed");
    }
    return true;
}

// Vectors, strain, volume, and the stress that is carried, pressure positive as in other series.
static void observe(const cn_observing *now, const cn_scene_observer *o, double *out)
{
    const cn_view *view = now->view;
    static const int place[2][6] = {{0, 4, 1}, {0, 4, 8, 1, 2, 5}}; // xx yy zz xy xz yz
    (void)o;
    cn_cell_state s = {.is_there = false};
    cn_world_cell(now->world, &s, NULL);
    int count = view->dim == 2 ? 3 : 6;
    const int *at = place[view->dim - 2];
    for (int k = 0; k < count; k++) {
        out[k] = s.vectors[at[k]];
        out[count + k] = s.strain[at[k]];
        out[2 * count + 1 + k] = -s.carried[at[k]];
    }
    out[2 * count] = s.volume;
}

const cn_observer_type cn_observer_cell = {
    .key = {.name = "cell",
            .type = CN_TYPE_FLAG,
            OPTIONAL,
            .help = "true: the periodic cell: its vectors, strain, volume, and the stress it "
                    "carries, pressure positive"},
    .make = make,
    .observe = observe,
    .plane = "cxx cyy cxy exx eyy exy volume sxx syy sxy",
    .space = "cxx cyy czz cxy cxz cyz exx eyy ezz exy exz eyz volume sxx syy szz sxy sxz syz"};
