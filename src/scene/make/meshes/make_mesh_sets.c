// scene/make/meshes/make_mesh_sets.c -- sets of nodes in boxes, beside those that a mesh comes
// with.
#include <string.h>

#include "scene/make/meshes/make_meshes.h"

static bool is_inside(const cn_mesh_def *mesh, int node, const double from[3], const double to[3])
{
    bool is_in = true;
    for (int d = 0; d < mesh->dim; d++) {
        double x = mesh->node[mesh->dim * node + d];
        is_in = is_in && x >= from[d] && x <= to[d];
    }
    return is_in;
}

// The nodes in a box; false without memory.
static bool fill_set(cn_entry_making *e, const cn_value *box, const cn_mesh_def *mesh,
                     cn_mesh_set *set)
{
    double from[3] = {0.0}, to[3] = {0.0};
    int *node = cn_reading_take(&e->m->reading, (size_t)mesh->node_count, sizeof *node);
    cn_value_point(box, "from", from);
    cn_value_point(box, "to", to);
    for (int n = 0; node != NULL && n < mesh->node_count; n++) {
        if (is_inside(mesh, n, from, to)) {
            node[set->node_count++] = n;
        }
    }
    set->node = node;
    if (set->node_count == 0) {
        cn_complain(e->m->reading.report, box->at,
                    "set '%s' of '%s' has no nodes: its box is in the frame of the mesh, before it "
                    "is moved by 'at'",
                    set->name, e->name);
    }
    return node != NULL;
}

static bool has_set(const cn_mesh_def *mesh, int count, const char *name)
{
    bool is_there = false;
    for (int k = 0; k < count; k++) {
        is_there = is_there || strcmp(mesh->set[k].name, name) == 0;
    }
    return is_there;
}

bool cn_mesh_add_sets(cn_entry_making *e, const cn_value *value, cn_mesh_def *mesh)
{
    cn_reading *r = &e->m->reading;
    const cn_value *boxes = cn_value_get(value, "sets"), *bonding = cn_value_get(value, "bond_set");
    int count = boxes != NULL ? boxes->count : 0, known = mesh->set_count;
    cn_mesh_set *set = cn_reading_take(r, (size_t)(known + count), sizeof *set);
    if (set == NULL) {
        return false;
    }
    if (known > 0) {
        memcpy(set, mesh->set, sizeof *set * (size_t)known);
    }
    for (int k = 0; k < count; k++) {
        set[known + k] = (cn_mesh_set){.name = boxes->name[k]};
        if (has_set(mesh, known, boxes->name[k])) {
            cn_complain(r->report, boxes->name_at[k], "the mesh of '%s' already has a set '%s'",
                        e->name, boxes->name[k]);
        }
        if (!fill_set(e, boxes->item[k], mesh, &set[known + k])) {
            return false;
        }
    }
    mesh->set = set;
    mesh->set_count = known + count;
    if (bonding != NULL) {
        cn_check_set(r, bonding->at, bonding->text, e->name, mesh);
    }
    return true;
}
