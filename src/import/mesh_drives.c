// import/mesh_drives.c -- driven nodes of meshes, those with equal drives together.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/importing.h"

static bool is_same_drive(const cn_dat_drive *a, const cn_dat_drive *b)
{
    return a->dof == b->dof && a->is_force == b->is_force && a->ct == b->ct && a->amp == b->amp &&
           a->omega == b->omega && a->phi == b->phi && a->rampi == b->rampi && a->ramp == b->ramp &&
           strcmp(a->file, b->file) == 0;
}

static int compare_drives(const void *a, const void *b)
{
    const cn_dat_drive *x = *(const cn_dat_drive *const *)a, *y = *(const cn_dat_drive *const *)b;
    int by[4] = {x->body - y->body, x->node - y->node, x->is_force - y->is_force, x->dof - y->dof};
    for (int k = 0; k < 4; k++) {
        if (by[k] != 0) {
            return by[k];
        }
    }
    return x < y ? -1 : 1;
}

// The drives of all nodes of meshes in order; *count of them.
static const cn_dat_drive **sorted_drives(cn_importing *m, int *count)
{
    const cn_dat_drive **list = cn_arena_take(&m->arena, m->box.drive.count, sizeof *list, m->err);
    *count = 0;
    for (size_t k = 0; list != NULL && k < m->box.drive.count; k++) {
        const cn_dat_drive *d = &m->box.drive.item[k];
        if (d->kind == CN_DAT_MESH && !d->is_other) {
            list[(*count)++] = d;
        }
    }
    if (list == NULL) {
        m->status = CN_NO_MEMORY;
    } else {
        qsort(list, (size_t)*count, sizeof *list, compare_drives);
    }
    return list;
}

static cn_node_set *find_set(cn_importing *m, const cn_dat_drive *const *drive, int count)
{
    for (size_t k = m->node_sets.count; k > 0; k--) {
        cn_node_set *set = &m->node_sets.item[k - 1];
        if (set->body != drive[0]->body) {
            return NULL; // sets of a body follow each other
        }
        bool is_same = set->drive_count == count;
        for (int n = 0; n < count && is_same; n++) {
            is_same = is_same_drive(set->drive[n], drive[n]);
        }
        if (is_same) {
            return set;
        }
    }
    return NULL;
}

// The node joins the set of its body with equal drives.
static void take_node(cn_importing *m, const cn_dat_drive *const *drive, int count)
{
    cn_node_set *set = find_set(m, drive, count);
    if (set == NULL) {
        cn_node_set fresh = {.body = drive[0]->body, .drive = drive, .drive_count = count};
        int before = 0;
        for (size_t k = 0; k < m->node_sets.count; k++) {
            before += m->node_sets.item[k].body == fresh.body ? 1 : 0;
        }
        snprintf(fresh.name, sizeof fresh.name, "driven%d", before + 1);
        CN_THEN(m->status, CN_DAT_ADD(m->node_sets, fresh, m->err));
        if (m->status != CN_OK) {
            return;
        }
        set = &m->node_sets.item[m->node_sets.count - 1];
    }
    cn_set_node node = {(int)(set - m->node_sets.item), drive[0]->node};
    CN_THEN(m->status, CN_DAT_ADD(m->set_nodes, node, m->err));
}

void cn_import_mesh_drives(cn_importing *m)
{
    int count;
    const cn_dat_drive **list = sorted_drives(m, &count);
    for (int k = 0, end; k < count && m->status == CN_OK; k = end) {
        for (end = k + 1;
             end < count && list[end]->body == list[k]->body && list[end]->node == list[k]->node;
             end++) {
        }
        take_node(m, list + k, end - k);
    }
    for (size_t k = 0; k < m->box.state.count; k++) {
        const cn_dat_state *s = &m->box.state.item[k];
        bool is_moved = false;
        for (int n = 0; n < 6; n++) {
            is_moved = is_moved || s->moved[n] != 0.0 || s->rate[n] != 0.0;
        }
        if (s->kind == CN_DAT_MESH && is_moved) {
            cn_import_lost(m, s->at, "displacements and velocities of nodes at the start");
            return;
        }
    }
}

// Whether the set moves: some of its velocities is not zero.
static bool is_driven(const cn_node_set *set)
{
    for (int k = 0; k < set->drive_count; k++) {
        if (!set->drive[k]->is_force && !cn_dat_is_zero(set->drive[k])) {
            return true;
        }
    }
    return false;
}

void cn_import_write_held_sets(cn_importing *m, int body)
{
    static const char *const word[] = {"x", "y", "z"};
    bool is_open = false;
    for (size_t k = 0; k < m->node_sets.count; k++) {
        const cn_node_set *set = &m->node_sets.item[k];
        int held = 0;
        for (int n = 0; n < set->drive_count; n++) {
            held += set->drive[n]->is_force ? 0 : 1;
        }
        if (set->body != body || held == 0 || is_driven(set)) {
            continue;
        }
        fprintf(m->scene, "%s%s: [", is_open ? ", " : ", fixed_sets: {", set->name);
        for (int n = 0, shown = 0; n < set->drive_count; n++) {
            if (!set->drive[n]->is_force) {
                fprintf(m->scene, "%s%s", shown++ > 0 ? ", " : "", word[set->drive[n]->dof - 1]);
            }
        }
        fputc(']', m->scene);
        is_open = true;
    }
    fputs(is_open ? "}" : "", m->scene);
}

static void write_functions(cn_importing *m, const cn_node_set *set, bool is_force)
{
    static const char *const word[] = {"x", "y", "z"};
    for (int n = 0, shown = 0; n < set->drive_count; n++) {
        const cn_dat_drive *d = set->drive[n];
        if (d->is_force != is_force) {
            continue;
        }
        fprintf(m->scene, "%s%s: ", shown++ > 0 ? ", " : "", word[d->dof - 1]);
        if (cn_dat_is_zero(d)) {
            fputc('0', m->scene);
        } else {
            cn_import_write_function(m, d);
        }
    }
}

void cn_import_write_set_drives(cn_importing *m, bool is_force, bool *is_open)
{
    for (size_t k = 0; k < m->node_sets.count; k++) {
        const cn_node_set *set = &m->node_sets.item[k];
        bool is_loaded = false;
        for (int n = 0; n < set->drive_count; n++) {
            is_loaded = is_loaded || (set->drive[n]->is_force && !cn_dat_is_zero(set->drive[n]));
        }
        if (is_force ? !is_loaded : !is_driven(set)) {
            continue;
        }
        fputs(*is_open ? "" : is_force ? "    force:\n" : "    drive:\n", m->scene);
        *is_open = true;
        fprintf(m->scene, "      m%d.%s: {%s", set->body, set->name, is_force ? "" : "velocity: {");
        write_functions(m, set, is_force);
        fputs(is_force ? ", per: node}\n" : "}}\n", m->scene);
    }
}
