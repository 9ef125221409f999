// scene/make/meshes/make_meshes.c -- meshes of deformable bodies: by the generators of
// cairn/mesh.h, or from a file.
#include <math.h>
#include <string.h>

#include "fem/mesh/mesh_blocks.h"
#include "scene/make/meshes/make_meshes.h"

// ---- what a mesh is made of

// A key of the part of the mesh or, if it is not there, beside it.
static const cn_value *cut_key(const cn_value *part, const cn_value *mesh, const char *name)
{
    const cn_value *inside = part != NULL ? cn_value_get(part, name) : NULL;
    bool is_cell_size = inside != NULL && inside->kind == CN_VALUE_NUMBER;
    if (strcmp(name, "size") == 0 && !is_cell_size) {
        inside = NULL; // the extents of a box
    }
    return inside != NULL ? inside : cn_value_get(mesh, name);
}

static void set_cells(cn_reading *r, const cn_value *cells, cn_volume_def *def)
{
    for (int d = 0; d < 3; d++) {
        def->cells[d] = d < cells->count ? 0 : def->cells[d];
    }
    for (int d = 0; d < cells->count && d < 3; d++) {
        double n = cells->item[d]->number;
        if (!(n >= 1.0 && n <= 1e6) || n != floor(n)) {
            cn_complain(r->report, cells->item[d]->at, "cells takes whole numbers >= 1, got %g", n);
            return;
        }
        def->cells[d] = (int)n;
    }
    if (cells->count > 3) {
        cn_complain(r->report, cells->at, "cells takes at most 3 numbers, got %d", cells->count);
    }
}

bool cn_mesh_set_cut(cn_reading *r, const cn_value *part, const cn_value *mesh, cn_volume_def *def)
{
    int before = r->report->count;
    const cn_value *elements = cut_key(part, mesh, "elements");
    const cn_value *size = cut_key(part, mesh, "size"), *cells = cut_key(part, mesh, "cells");
    const cn_value *crossed = cut_key(part, mesh, "crossed");
    def->element = r->dim == 3 ? CN_HEX8 : CN_QUAD4;
    if (elements != NULL) {
        def->element = cn_element_find(elements->text);
        if (cn_element_dim(def->element) != r->dim) {
            cn_complain(r->report, elements->at, "elements %s are for scenes of dimension %d",
                        elements->text, cn_element_dim(def->element));
        }
    }
    if ((size == NULL) == (cells == NULL)) {
        cn_complain(r->report, mesh->at, "a mesh takes either 'size' of its cells or 'cells'");
    } else if (cells != NULL) {
        set_cells(r, cells, def);
    } else {
        def->cell_size = size->number;
    }
    def->is_crossed = crossed != NULL && crossed->number == 1.0;
    return r->report->count == before;
}

bool cn_mesh_refuse(cn_reading *r, cn_place at, cn_status status, const cn_error *why)
{
    if (status == CN_NO_MEMORY) {
        r->status = cn_fail(r->err, CN_NO_MEMORY, "%s", why->text);
        return false;
    }
    cn_complain(r->report, at, "%s", why->text);
    return true;
}

// ---- a mesh in memory of the scene

static void *keep(cn_reading *r, const void *from, size_t count, size_t size)
{
    void *to = from != NULL ? cn_reading_take(r, count, size) : NULL;
    if (to != NULL && count > 0) {
        memcpy(to, from, count * size);
    }
    return to;
}

static bool keep_sets(cn_reading *r, cn_mesh_def *mesh)
{
    cn_mesh_set *set = cn_reading_take(r, (size_t)mesh->set_count, sizeof *set);
    for (int k = 0; set != NULL && k < mesh->set_count; k++) {
        set[k] = mesh->set[k];
        set[k].name = cn_arena_text(r->arena, set[k].name, strlen(set[k].name), r->err);
        set[k].node = keep(r, set[k].node, (size_t)set[k].node_count, sizeof(int));
        set[k].side = keep(r, set[k].side, 2 * (size_t)set[k].side_count, sizeof(int));
        if (set[k].name == NULL) {
            r->status = CN_NO_MEMORY;
        }
    }
    mesh->set = set;
    return set != NULL && r->status == CN_OK;
}

static bool keep_mesh(cn_reading *r, const cn_mesh_def *from, cn_mesh_def **made)
{
    cn_mesh_def *mesh = cn_reading_take(r, 1, sizeof *mesh);
    if (mesh == NULL) {
        return false;
    }
    *mesh = *from;
    size_t elements = (size_t)from->element_count;
    mesh->node = keep(r, from->node, (size_t)(from->dim * from->node_count), sizeof(double));
    mesh->type = keep(r, from->type, elements, 1);
    mesh->element_start = keep(r, from->element_start, elements + 1, sizeof(int));
    mesh->element_node =
        keep(r, from->element_node, (size_t)from->element_start[elements], sizeof(int));
    mesh->element_material = keep(r, from->element_material, elements, sizeof(int));
    *made = mesh;
    return r->status == CN_OK && keep_sets(r, mesh);
}

// Elements of a group that is called like a material are made of it; the others of material 0.
// False without memory. *is_covered: no element is left to material 0.
static bool set_groups(cn_entry_making *entry, const cn_volume *volume,
                       const cn_scene_material *first, cn_mesh_def *mesh, bool *is_covered)
{
    cn_reading *r = &entry->m->reading;
    const cn_scene *scene = entry->m->scene;
    int groups = cn_volume_group_count(volume), count = 1;
    const int *group = cn_volume_element_group(volume);
    cn_material_def *material = cn_reading_take(r, (size_t)groups + 1, sizeof *material);
    int *place = cn_reading_take(r, (size_t)groups + 1, sizeof *place);
    int *of_element = cn_reading_take(r, (size_t)mesh->element_count, sizeof *of_element);
    const char **name = cn_reading_take(r, (size_t)groups + 1, sizeof *name);
    if (material == NULL || place == NULL || of_element == NULL || name == NULL) {
        return false;
    }
    name[0] = first != NULL ? first->name : NULL;
    entry->material_name = name;
    for (int g = 0; g < groups; g++) {
        const cn_scene_material *named = cn_material_named(scene, cn_volume_group_name(volume, g));
        if (named != NULL && named->is_deformable) {
            first = first != NULL ? first : named;
            place[g] = count;
            name[count] = named->name;
            material[count++] = named->def;
        }
    }
    *is_covered = group != NULL && count > 1;
    for (int e = 0; e < mesh->element_count; e++) {
        of_element[e] = group != NULL && group[e] >= 0 ? place[group[e]] : 0;
        *is_covered = *is_covered && of_element[e] > 0;
    }
    if (first != NULL) {
        material[0] = first->def;
        mesh->plane = first->plane;
        mesh->thickness = first->thickness;
    }
    mesh->material = material;
    mesh->material_count = count;
    mesh->element_material = of_element;
    return true;
}

// The materials and the options of the mesh. *is_good is false after a problem, which is reported.
static bool set_options(cn_entry_making *e, const cn_value *value, const cn_volume *volume,
                        cn_mesh_def *mesh, bool *is_good)
{
    bool is_covered = false;
    cn_report *report = e->m->reading.report;
    const cn_value *name = cn_value_get(e->value, "material");
    const cn_scene_material *material =
        name != NULL ? cn_material_named(e->m->scene, name->text) : NULL;
    *is_good = false;
    if (!set_groups(e, volume, material, mesh, &is_covered)) {
        return false;
    }
    if (name == NULL && !is_covered) {
        cn_complain(report, e->at, "body '%s' %s and needs a material%s", e->name,
                    e->is_pseudo_rigid ? "is pseudo-rigid" : "has a mesh",
                    cn_volume_group_count(volume) > 0
                        ? "; not all its elements are in a group called like one"
                        : "");
        return true;
    }
    if (material != NULL && !material->is_deformable) {
        cn_complain(report, name->at,
                    "material '%s' has a density only; %s'%s' needs a law, e.g. young and poisson",
                    name->text, e->is_pseudo_rigid ? "" : "the mesh of ", e->name);
    }
    // An unknown name is reported where the density is read.
    *is_good = name == NULL || (material != NULL && material->is_deformable);
    if (value != NULL) {
        mesh->mass = (cn_mass_kind)cn_value_number(value, "mass");
        mesh->integration = (cn_integration)cn_value_number(value, "integration");
    }
    mesh->is_pseudo_rigid = e->is_pseudo_rigid;
    return true;
}

bool cn_mesh_adopt(cn_entry_making *e, const cn_value *value, cn_volume *volume, cn_mesh_def **made)
{
    bool is_good = false;
    bool has_memory = keep_mesh(&e->m->reading, cn_volume_mesh(volume), made) &&
                      set_options(e, value, volume, *made, &is_good) &&
                      (value == NULL || cn_mesh_add_sets(e, value, *made));
    cn_volume_destroy(volume);
    *made = is_good ? *made : NULL;
    return has_memory;
}

// The reader may have been told to refuse meshes of too many cells.
static cn_status check_cell_max(const cn_volume_def *def, int cell_max, cn_error *err)
{
    cn_volume_plan plan;
    double total = 0.0;
    CN_TRY(cn_volume_plan_make(def, &plan, err));
    for (int n = 0; n < plan.block_count; n++) {
        const int *cells = plan.block[n].cells;
        total += (double)cells[0] * cells[1] * (plan.dim == 3 ? cells[2] : 1);
    }
    return cell_max == 0 || total <= cell_max
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT, "%.3g cells are more than %d", total, cell_max);
}

bool cn_mesh_make(cn_entry_making *e, const cn_value *value, const cn_volume_def *def,
                  cn_mesh_def **made)
{
    cn_reading *r = &e->m->reading;
    cn_volume *volume = NULL;
    cn_error why = {0};
    cn_status status = check_cell_max(def, e->m->def->cell_max, &why);
    CN_THEN(status, cn_volume_make(def, &volume, &why));
    if (status != CN_OK) {
        return cn_mesh_refuse(r, value != NULL ? value->at : e->at, status, &why);
    }
    return cn_mesh_adopt(e, value, volume, made);
}

// `file`: of gmsh or VTK.
static bool load(cn_entry_making *e, const cn_value *value, const cn_value *file,
                 cn_mesh_def **made)
{
    cn_reading *r = &e->m->reading;
    cn_source source;
    cn_volume *volume = NULL;
    cn_error why = {0};
    const char *ending = strrchr(file->text, '.');
    if (ending == NULL || (strcmp(ending, ".msh") != 0 && strcmp(ending, ".vtu") != 0)) {
        cn_complain(r->report, file->at,
                    "'%.200s' is neither a .msh file of gmsh nor a .vtu file of VTK", file->text);
        return true;
    }
    if (!cn_making_open(e->m, file->at, file->text, CN_SURFACE_BYTES_MAX, &source)) {
        return r->status == CN_OK;
    }
    double scale = cn_value_number(value, "scale");
    cn_status status = cn_volume_parse(source.name, source.text, source.length, r->dim,
                                       isnan(scale) ? 1.0 : scale, &volume, &why);
    return status != CN_OK ? cn_mesh_refuse(r, file->at, status, &why)
                           : cn_mesh_adopt(e, value, volume, made);
}

bool cn_mesh_of(cn_entry_making *e, const cn_value *value, const cn_mesh_def **made)
{
    cn_reading *r = &e->m->reading;
    cn_volume_def def = cn_volume_def_default();
    const cn_value *part = NULL;
    int given = 0;
    *made = NULL;
    for (int k = 0; k < CN_VOLUME_KIND_COUNT; k++) {
        const cn_value *one = cn_value_get(value, cn_volume_kind_name((cn_volume_kind)k));
        if (one != NULL) {
            def.kind = (cn_volume_kind)k;
            part = one;
            given++;
        }
    }
    const cn_value *file = cn_value_get(value, "file");
    cn_mesh_def *mesh = NULL;
    if (given + (file != NULL) != 1) {
        cn_complain(r->report, value->at, "a mesh takes exactly one of %s",
                    r->dim == 3 ? "box, cylinder, sphere, file"
                                : "box, disk, annulus, plate, file");
        return true;
    }
    if (file != NULL) {
        bool has_room = load(e, value, file, &mesh);
        *made = mesh;
        return has_room;
    }
    const cn_value *cells = cut_key(part, value, "cells");
    if (def.kind == CN_VOLUME_BOX && cells != NULL && cells->count != r->dim) {
        cn_complain(r->report, cells->at, "cells takes a number for each of %d axes, got %d",
                    r->dim, cells->count);
    }
    if (!cn_mesh_set_cut(r, part, value, &def)) {
        return true;
    }
    cn_value_point(part, "size", def.size);
    double radius = cn_value_number(part, "radius"), inner = cn_value_number(part, "inner");
    double length = cn_value_number(part, "length");
    def.radius = isnan(radius) ? 0.0 : radius;
    def.inner_radius = isnan(inner) ? 0.0 : inner;
    def.length = isnan(length) ? 0.0 : length;
    bool has_memory = cn_mesh_make(e, value, &def, &mesh);
    *made = mesh;
    return has_memory;
}

// ---- what others ask of meshes

double cn_mesh_extent(const cn_mesh_def *mesh)
{
    double least = INFINITY;
    for (int d = 0; d < mesh->dim; d++) {
        double low = INFINITY, high = -INFINITY;
        for (int n = 0; n < mesh->node_count; n++) {
            low = fmin(low, mesh->node[mesh->dim * n + d]);
            high = fmax(high, mesh->node[mesh->dim * n + d]);
        }
        least = fmin(least, high - low);
    }
    return least;
}

// `fixed_sets` of an entry, checked against the sets of its meshes.
bool cn_make_held(cn_entry_making *e, const cn_mesh_def *mesh, cn_scene_entry *entry)
{
    cn_reading *r = &e->m->reading;
    const cn_value *named = cn_value_get(e->value, "fixed_sets");
    int count = named != NULL ? named->count : 0;
    cn_scene_held *held = cn_reading_take(r, (size_t)count, sizeof *held);
    if (count > 0 && mesh == NULL) {
        cn_complain(r->report, named->at, "'fixed_sets' is for bodies with a mesh");
        return true;
    }
    if (count > 0 && mesh->is_pseudo_rigid) {
        cn_complain(r->report, named->at, "'%s' is pseudo-rigid: it is held as a whole, by 'fixed'",
                    e->name);
        return true;
    }
    for (int k = 0; held != NULL && k < count; k++) {
        held[k] = (cn_scene_held){named->name[k], (unsigned)named->item[k]->number};
        cn_check_set(r, named->name_at[k], named->name[k], e->name, mesh);
    }
    entry->held = held;
    entry->held_count = count;
    return held != NULL;
}

bool cn_check_set(cn_reading *r, cn_place at, const char *name, const char *body,
                  const cn_mesh_def *mesh)
{
    const char **known = cn_reading_take(r, (size_t)mesh->set_count, sizeof *known);
    for (int k = 0; known != NULL && k < mesh->set_count; k++) {
        known[k] = mesh->set[k].name;
        if (strcmp(name, known[k]) != 0) {
            continue;
        }
        if (mesh->set[k].node_count == 0) {
            cn_complain(r->report, at,
                        "set '%s' of '%s' has no nodes: nothing in the mesh of the body belongs to "
                        "that group",
                        name, body);
        }
        return mesh->set[k].node_count > 0;
    }
    if (known != NULL) {
        cn_complain_unknown(r->report, at, "set", name, body, known, mesh->set_count);
    }
    return false;
}
