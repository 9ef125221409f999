// import/write_meshes.c -- meshes become gmsh files, with sides and driven nodes as sets, and
// entries of `bodies` and `materials`.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "import/importing.h"

// Elements whose order of nodes is that of gmsh, and their number there.
static int gmsh_type(const cn_dat_element *e)
{
    static const struct {
        const char *kind;
        int type, nodes;
    } known[] = {{"T3xxx", 2, 3},  {"Q4xxx", 3, 4}, {"Q4P0x", 3, 4}, {"T6xxx", 9, 6},
                 {"Q8xxx", 16, 8}, {"TE4xx", 4, 4}, {"H8xxx", 5, 8}, {"PRI6x", 6, 6}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(e->kind, known[k].kind) == 0 && e->node_count == known[k].nodes) {
            return known[k].type;
        }
    }
    return 0;
}

static const cn_dat_element *element_of(const cn_importing *m, const cn_dat_body *body, int k)
{
    return &m->box.element.item[body->element.first + k];
}

// Which nodes belong to elements; NULL without memory or after problems.
static bool *used_nodes(cn_importing *m, const cn_dat_body *body)
{
    bool *used = cn_arena_take(&m->arena, (size_t)body->node.count + 1, sizeof *used, m->err);
    m->status = used == NULL ? CN_NO_MEMORY : m->status;
    for (int k = 0; k < body->element.count && used != NULL; k++) {
        const cn_dat_element *e = element_of(m, body, k);
        for (int n = 0; n < e->node_count; n++) {
            if (e->node[n] < 1 || e->node[n] > body->node.count) {
                cn_complain(&m->report, e->at, "there is no node %d: the body has %d", e->node[n],
                            body->node.count);
                return NULL;
            }
            used[e->node[n]] = true;
        }
        if (gmsh_type(e) == 0) {
            cn_import_lost(m, e->at, "element %s with %d nodes", e->kind, e->node_count);
            return NULL;
        }
    }
    return used;
}

static void write_nodes(cn_importing *m, const cn_dat_body *body, const bool *used, FILE *out)
{
    const double *x = m->box.node.item + 3 * (size_t)body->node.first;
    int count = 0;
    char text[32];
    for (int k = 1; k <= body->node.count; k++) {
        count += used[k] ? 1 : 0;
    }
    fprintf(out, "$Nodes\n%d\n", count);
    for (int k = 1; k <= body->node.count; k++) {
        if (used[k]) {
            fprintf(out, "%d", k);
            for (int n = 0; n < 3; n++) {
                fprintf(out, " %s", cn_import_number(x[3 * (size_t)(k - 1) + n], text));
            }
            fputc('\n', out);
        }
    }
    fputs("$EndNodes\n", out);
}

// Groups of the file: the material first, then one for each side, then driven nodes.
typedef struct groups {
    const cn_dat_body *body;
    const bool *used;
    FILE *out; // elements
    int count; // of elements so far
} groups;

static void write_element(groups *g, int type, int group, const int *node, int count)
{
    fprintf(g->out, "%d %d 2 %d %d", ++g->count, type, group, group);
    for (int k = 0; k < count; k++) {
        fprintf(g->out, " %d", node[k]);
    }
    fputc('\n', g->out);
}

static bool is_facet_before(const cn_importing *m, const cn_dat_contactor *c, int k)
{
    const cn_dat_facet *f = &m->box.facet.item[c->facet.first + k];
    for (int n = k > 8 ? k - 8 : 0; n < k; n++) { // candidates of one side follow each other
        if (memcmp(f, &m->box.facet.item[c->facet.first + n], sizeof *f) == 0) {
            return true;
        }
    }
    return false;
}

static void write_side(cn_importing *m, groups *g, const cn_dat_contactor *c, int group)
{
    for (int k = 0; k < c->facet.count; k++) {
        const cn_dat_facet *f = &m->box.facet.item[c->facet.first + k];
        int count = f->count > 3 && f->node[3] == 0 ? 3 : f->count;
        if (count != 2 && count != 3 && count != 4) {
            cn_complain(&m->report, c->at, "a facet of this %s has %d nodes", c->kind, count);
            return;
        }
        for (int n = 0; n < count; n++) {
            if (f->node[n] < 1 || f->node[n] > g->body->node.count || !g->used[f->node[n]]) {
                cn_complain(&m->report, c->at,
                            "a facet of this %s has node %d, which is in no element", c->kind,
                            f->node[n]);
                return;
            }
        }
        if (!is_facet_before(m, c, k)) {
            write_element(g, count == 2 ? 1 : count == 3 ? 2 : 3, group, f->node, count);
        }
    }
}

static void write_points(cn_importing *m, groups *g, size_t set, int group)
{
    for (size_t k = 0; k < m->set_nodes.count; k++) {
        const cn_set_node *n = &m->set_nodes.item[k];
        if (n->set == (int)set && g->used[n->node]) {
            write_element(g, 15, group, &n->node, 1);
        }
    }
}

static const cn_dat_contactor *side_of(const cn_importing *m, const cn_dat_body *body, int k)
{
    return &m->box.contactor.item[body->contactor.first + k];
}

// The name of a side in the mesh, with a number since one colour may be on several.
static void write_names(cn_importing *m, const cn_dat_body *body, int dim, FILE *out)
{
    int sets = 0, group = 1;
    char kind[16], colour[16];
    for (size_t k = 0; k < m->node_sets.count; k++) {
        sets += m->node_sets.item[k].body == body->number ? 1 : 0;
    }
    fprintf(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n%d 1 \"all\"\n",
            1 + body->contactor.count + sets, dim);
    for (int k = 0; k < body->contactor.count; k++) {
        const cn_dat_contactor *c = side_of(m, body, k);
        cn_import_word(c->kind, kind, sizeof kind);
        cn_import_word(c->colour, colour, sizeof colour);
        fprintf(out, "%d %d \"%s_%s_%d\"\n", dim - 1, ++group, kind, colour, k + 1);
    }
    for (size_t k = 0; k < m->node_sets.count; k++) {
        if (m->node_sets.item[k].body == body->number) {
            fprintf(out, "0 %d \"%s\"\n", ++group, m->node_sets.item[k].name);
        }
    }
    fputs("$EndPhysicalNames\n", out);
}

// The elements are counted before they are written, so they go to memory of their own first.
static void write_elements(cn_importing *m, const cn_dat_body *body, const bool *used, FILE *out)
{
    char *text = NULL;
    size_t length = 0;
    groups g = {.body = body, .used = used, .out = open_memstream(&text, &length)};
    int group = 1;
    if (g.out == NULL) {
        m->status = CN_NO_MEMORY;
        return;
    }
    for (int k = 0; k < body->element.count; k++) {
        const cn_dat_element *e = element_of(m, body, k);
        write_element(&g, gmsh_type(e), 1, e->node, e->node_count);
    }
    for (int k = 0; k < body->contactor.count; k++) {
        write_side(m, &g, side_of(m, body, k), ++group);
    }
    for (size_t k = 0; k < m->node_sets.count; k++) {
        if (m->node_sets.item[k].body == body->number) {
            write_points(m, &g, k, ++group);
        }
    }
    fclose(g.out);
    fprintf(out, "$Elements\n%d\n%s$EndElements\n", g.count, text);
    free(text);
}

// ---- material and model

static const cn_dat_law *find_bulk(const cn_importing *m, const char *name)
{
    for (size_t k = 0; k < m->box.bulk.count; k++) {
        if (strcmp(m->box.bulk.item[k].name, name) == 0) {
            return &m->box.bulk.item[k];
        }
    }
    return NULL;
}

static const char *option_of(const cn_importing *m, const cn_dat_element *e, const char *name)
{
    for (size_t k = 0; k < m->box.model.count; k++) {
        const cn_dat_model *model = &m->box.model.item[k];
        for (int n = 0; n < model->option.count && strcmp(model->name, e->model) == 0; n++) {
            const cn_dat_option *option = &m->box.option.item[model->option.first + n];
            if (strcmp(option->name, name) == 0) {
                return option->value;
            }
        }
    }
    return "";
}

static double value_of(const cn_dat_law *bulk, const char *label)
{
    for (int k = 0; k < bulk->count; k++) {
        if (strcasecmp(bulk->param[k].label, label) == 0 && bulk->param[k].is_given) {
            return bulk->param[k].value;
        }
    }
    return NAN;
}

static void write_material(cn_importing *m, const cn_dat_law *bulk, const cn_dat_element *e)
{
    static const char *const plane[] = {"", "strain", "stress", "axisymmetric"};
    char name[16], a[32], b[32], c[32];
    double density = value_of(bulk, "Umas"), young = value_of(bulk, "EYng"),
           poisson = value_of(bulk, "Epss");
    const char *kind = option_of(m, e, "mater");
    bool is_linear = strcmp(bulk->type, "ELAS") == 0 &&
                     (strcmp(kind, "elas_") == 0 || kind[0] == '\0') &&
                     (bulk->anisotropy[0] == '\0' || strcmp(bulk->anisotropy, "isotropic") == 0);
    if (!is_linear || isnan(young) || isnan(poisson)) {
        cn_import_lost(m, bulk->at, "behaviour %s of a mesh (model %s)", bulk->type, kind);
        return;
    }
    if (!(density > 0.0)) {
        cn_complain(&m->report, bulk->at, "behaviour '%s' needs a density Umas above 0",
                    bulk->name);
        return;
    }
    cn_import_word(bulk->name, name, sizeof name);
    fprintf(m->scene, "  %s: {density: %s, young: %s, poisson: %s", name,
            cn_import_number(density, a), cn_import_number(young, b), cn_import_number(poisson, c));
    fputs(strcmp(option_of(m, e, "kine_"), "large") == 0 ? ", kinematics: total" : "", m->scene);
    if (m->dim == 2) {
        fprintf(m->scene, ", plane: %s", plane[m->set.plane > 0 ? m->set.plane : 1]);
    }
    fputs("}\n", m->scene);
}

// Each material that meshes use, with the model of its first element.
void cn_import_write_materials(cn_importing *m)
{
    bool is_open = false;
    for (size_t k = 0; k < m->box.bulk.count; k++) {
        for (size_t n = 0; n < m->box.element.count; n++) {
            const cn_dat_element *e = &m->box.element.item[n];
            if (strcmp(e->material, m->box.bulk.item[k].name) == 0) {
                fputs(is_open ? "" : "materials:\n", m->scene);
                is_open = true;
                write_material(m, &m->box.bulk.item[k], e);
                break;
            }
        }
    }
    if (is_open && m->dim == 2 && m->set.plane == 0) {
        cn_import_changed(m, (cn_place){0}, "the plane of meshes is not given: plane strain");
    }
}

// ---- bodies

// Candidates and antagonists on one body meet others both ways.
static bool is_two_pass(const cn_importing *m, const cn_dat_body *body)
{
    bool is_candidate = false, is_antagonist = false;
    for (int k = 0; k < body->contactor.count; k++) {
        const char *kind = side_of(m, body, k)->kind;
        is_candidate = is_candidate || strncmp(kind, "CL", 2) == 0 || strncmp(kind, "CS", 2) == 0;
        is_antagonist = is_antagonist || strncmp(kind, "AL", 2) == 0 || strncmp(kind, "AS", 2) == 0;
    }
    return is_candidate && is_antagonist;
}

static bool is_one_material(cn_importing *m, const cn_dat_body *body)
{
    const cn_dat_element *first = element_of(m, body, 0);
    for (int k = 0; k < body->element.count; k++) {
        const cn_dat_element *e = element_of(m, body, k);
        if (strcmp(e->material, first->material) != 0 || strcmp(e->model, first->model) != 0) {
            cn_import_lost(m, e->at, "a mesh of several materials or models");
            return false;
        }
    }
    if (find_bulk(m, first->material) == NULL) {
        cn_complain(&m->report, first->at, "behaviour '%s' is not in BULK_BEHAV.DAT",
                    first->material);
        return false;
    }
    return true;
}

static void write_mesh(cn_importing *m, const cn_mesh_entry *entry)
{
    const cn_dat_body *body = entry->body;
    const char *path;
    char name[32], material[16];
    const bool *used = used_nodes(m, body);
    if (used == NULL || !is_one_material(m, body)) {
        return;
    }
    snprintf(name, sizeof name, ".files/m%d.msh", body->number);
    FILE *out = cn_import_open(m, name, &path);
    if (out == NULL) {
        return;
    }
    write_names(m, body, m->dim, out);
    write_nodes(m, body, used, out);
    write_elements(m, body, used, out);
    const cn_dat_element *e = element_of(m, body, 0);
    const char *mass = option_of(m, e, "mstrg");
    cn_import_word(e->material, material, sizeof material);
    fprintf(m->scene, "  m%d: {mesh: {file: \"%s\"", body->number, path);
    fputs(strncmp(mass, "cohe", 4) == 0 ? ", mass: consistent" : "", m->scene);
    fputs(is_two_pass(m, body) ? ", two_pass: true}" : "}", m->scene);
    fprintf(m->scene, ", material: %s", material);
    if (entry->set >= 0) {
        fprintf(m->scene, ", group: %s", m->sets.item[entry->set].name);
    }
    cn_import_write_held_sets(m, body->number);
    fputs("}\n", m->scene);
}

void cn_import_write_meshes(cn_importing *m)
{
    for (size_t k = 0; k < m->meshes.count && m->status == CN_OK; k++) {
        write_mesh(m, &m->meshes.item[k]);
    }
    if (m->meshes.count > 0) {
        cn_import_changed(m, m->meshes.item[0].body->at,
                          "the whole skin of a mesh may touch, not only the sides that are "
                          "contactors in LMGC90");
    }
}
