// scene/observe/observe_nodes.c -- motion of nodes of meshes, and the forces on them.
#include <math.h>
#include <string.h>

#include "scene/keys/keys_words.h"
#include "scene/observe/observers.h"

static bool make(cn_making *m, const cn_value *nodes, cn_scene_observer *observer)
{
    bool is_good = false;
    if (!cn_make_pick_set(m, nodes->at, nodes->text, NULL, &observer->a, &is_good)) {
        return false;
    }
    for (int k = 0; is_good && k < observer->a.count; k++) {
        if (m->scene->body[observer->a.body[k]].def.type != CN_BODY_MESH) {
            cn_complain(m->reading.report, nodes->at,
                        "'%.60s' selects bodies without a mesh: they have no nodes", nodes->text);
            return true;
        }
    }
    return true;
}

// Mean displacement of the nodes and sums of the forces on them; bodies that are gone count no
// more.
static void observe(const cn_observing *now, const cn_scene_observer *o, double *out)
{
    const cn_view *view = now->view;
    const cn_pick *pick = &o->a;
    int dim = view->dim, total = 0;
    double h = view->certificate->h;
    memset(out, 0, sizeof *out * 3 * (size_t)dim);
    for (int k = 0; k < pick->count; k++) {
        cn_node_view nodes;
        const int *list = NULL;
        cn_body_id id = cn_scene_body_id(pick->body[k]);
        if (now->place[pick->body[k]] < 0 || cn_body_nodes(now->world, id, &nodes, NULL) != CN_OK) {
            continue;
        }
        int count = nodes.node_count;
        if (pick->set != NULL) {
            cn_body_node_set(now->world, id, pick->set, &count, &list, NULL);
        }
        for (int n = 0; n < dim * count; n++) {
            int d = n % dim, at = dim * (list != NULL ? list[n / dim] : n / dim) + d;
            out[d] += nodes.x[at] - nodes.X[at] - nodes.at[d];
            out[dim + d] += h > 0.0 ? nodes.reaction[at] / h : 0.0;
            out[2 * dim + d] += h > 0.0 ? nodes.impulse[at] / h : 0.0;
        }
        total += count;
    }
    for (int d = 0; d < dim; d++) {
        out[d] = total > 0 ? out[d] / total : NAN;
    }
}

const cn_observer_type cn_observer_nodes = {
    .key = {.name = "nodes",
            .type = CN_TYPE_TEXT,
            OPTIONAL,
            .help = "a set of meshes, e.g. block.top, or bodies with all their nodes: mean "
                    "displacement u, sums of the forces r of what holds or drives them and c of "
                    "contacts and joints"},
    .make = make,
    .observe = observe,
    .plane = "ux uy rx ry cx cy",
    .space = "ux uy uz rx ry rz cx cy cz"};
