// scene/make_meshes.c -- meshes of deformable bodies: by the generators of cairn/volume.h, from a
// file, or a piece of a generator of bodies cut into elements.
#include <math.h>
#include <string.h>

#include "cairn/volume.h"
#include "scene/make_bodies.h"

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

// elements, size, cells and crossed. False after a problem, which is reported.
static bool set_cut(cn_reading *r, const cn_value *part, const cn_value *mesh, cn_volume_def *def)
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

static bool refuse(cn_reading *r, cn_place at, cn_status status, const cn_error *why)
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
static bool set_groups(cn_reading *r, const cn_scene *scene, const cn_volume *volume,
                       const cn_scene_material *first, cn_mesh_def *mesh, bool *is_covered)
{
    int groups = cn_volume_group_count(volume), count = 1;
    const int *group = cn_volume_element_group(volume);
    cn_material_def *material = cn_reading_take(r, (size_t)groups + 1, sizeof *material);
    int *place = cn_reading_take(r, (size_t)groups + 1, sizeof *place);
    int *of_element = cn_reading_take(r, (size_t)mesh->element_count, sizeof *of_element);
    if (material == NULL || place == NULL || of_element == NULL) {
        return false;
    }
    for (int g = 0; g < groups; g++) {
        const cn_scene_material *named = cn_material_named(scene, cn_volume_group_name(volume, g));
        if (named != NULL && named->is_deformable) {
            first = first != NULL ? first : named;
            place[g] = count;
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
    if (!set_groups(&e->m->reading, e->m->scene, volume, material, mesh, &is_covered)) {
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

// Takes over a mesh; it is destroyed.
static bool adopt(cn_entry_making *e, const cn_value *value, cn_volume *volume, cn_mesh_def **made)
{
    bool is_good = false;
    bool has_memory = keep_mesh(&e->m->reading, cn_volume_mesh(volume), made) &&
                      set_options(e, value, volume, *made, &is_good);
    cn_volume_destroy(volume);
    *made = is_good ? *made : NULL;
    return has_memory;
}

static bool make(cn_entry_making *e, const cn_value *value, const cn_volume_def *def,
                 cn_mesh_def **made)
{
    cn_reading *r = &e->m->reading;
    cn_volume *volume = NULL;
    cn_error why = {0};
    cn_status status = cn_volume_make(def, &volume, &why);
    if (status != CN_OK) {
        return refuse(r, value != NULL ? value->at : e->at, status, &why);
    }
    return adopt(e, value, volume, made);
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
    return status != CN_OK ? refuse(r, file->at, status, &why) : adopt(e, value, volume, made);
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
    if (!set_cut(r, part, value, &def)) {
        return true;
    }
    cn_value_point(part, "size", def.size);
    double radius = cn_value_number(part, "radius"), inner = cn_value_number(part, "inner");
    double length = cn_value_number(part, "length");
    def.radius = isnan(radius) ? 0.0 : radius;
    def.inner_radius = isnan(inner) ? 0.0 : inner;
    def.length = isnan(length) ? 0.0 : length;
    bool has_memory = make(e, value, &def, &mesh);
    *made = mesh;
    return has_memory;
}

// ---- pieces of generators

static double side(const double *a, const double *b)
{
    return hypot(b[0] - a[0], b[1] - a[1]);
}

// Moves the nodes of a rectangle of that size, centred on the origin, onto a quadrilateral.
static void map_corners(const double size[3], const double *const corner[4], cn_mesh_def *mesh)
{
    double *node = (double *)mesh->node;
    for (int n = 0; n < mesh->node_count; n++) {
        double s = 0.5 + node[2 * n] / size[0], t = 0.5 + node[2 * n + 1] / size[1];
        double weight[4] = {(1.0 - s) * (1.0 - t), s * (1.0 - t), s * t, (1.0 - s) * t};
        for (int d = 0; d < 2; d++) {
            node[2 * n + d] = weight[0] * corner[0][d] + weight[1] * corner[1][d] +
                              weight[2] * corner[2][d] + weight[3] * corner[3][d];
        }
    }
}

// A quadrilateral: its bottom begins with the corner that is lowest and farthest left.
static bool cut_quadrilateral(cn_entry_making *e, const cn_shape_def *shape, cn_volume_def *def,
                              cn_mesh_def **made)
{
    const double *vertex = shape->vertex;
    int first = 0;
    for (int k = 1; k < 4; k++) {
        double here = vertex[2 * k] + vertex[2 * k + 1];
        first = here < vertex[2 * first] + vertex[2 * first + 1] ? k : first;
    }
    const double *corner[4];
    for (int k = 0; k < 4; k++) {
        corner[k] = vertex + 2 * ((first + k) % 4);
    }
    def->kind = CN_VOLUME_BOX;
    def->size[0] = 0.5 * (side(corner[0], corner[1]) + side(corner[3], corner[2]));
    def->size[1] = 0.5 * (side(corner[0], corner[3]) + side(corner[1], corner[2]));
    bool has_memory = make(e, e->mesh, def, made);
    if (has_memory && *made != NULL) {
        map_corners(def->size, corner, *made);
    }
    return has_memory;
}

// Extents of a hull that is a block along the axes of its frame; false if it is something else.
static bool block_of(const cn_solid_def *solid, double size[3], double middle[3])
{
    if (solid->kind != CN_SOLID_HULL || solid->point_count != 8) {
        return false;
    }
    bool is_block = true;
    for (int d = 0; d < 3; d++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 8; k++) {
            low = fmin(low, solid->point[3 * k + d]);
            high = fmax(high, solid->point[3 * k + d]);
        }
        size[d] = high - low;
        middle[d] = 0.5 * (low + high);
        for (int k = 0; k < 8; k++) {
            double off = fabs(fabs(solid->point[3 * k + d] - middle[d]) - 0.5 * size[d]);
            is_block = is_block && off <= 1e-9 * size[d];
        }
    }
    return is_block;
}

static bool cut_solid(cn_entry_making *e, const cn_solid_def *solid, cn_volume_def *def,
                      cn_mesh_def **made)
{
    double middle[3] = {0.0};
    def->kind = CN_VOLUME_SPHERE;
    def->radius = solid->radius;
    if (solid->kind != CN_SOLID_SPHERE) {
        def->kind = CN_VOLUME_BOX;
        if (!block_of(solid, def->size, middle)) {
            cn_complain(e->m->reading.report, e->mesh->at,
                        "only blocks and balls can be cut into elements, '%s' has others", e->name);
            return true;
        }
    }
    bool has_memory = make(e, e->mesh, def, made);
    double *node = has_memory && *made != NULL ? (double *)(*made)->node : NULL;
    for (int n = 0; node != NULL && n < 3 * (*made)->node_count; n++) {
        node[n] += middle[n % 3];
    }
    return has_memory;
}

// Corners of a convex piece in the frame of the body.
static double *corners_of(cn_reading *r, const cn_parts *parts, int *count)
{
    const cn_shape_def *shape = parts->shape;
    const cn_solid_def *solid = parts->solid;
    *count = solid != NULL ? solid->point_count : shape->vertex_count;
    double *point = cn_reading_take(r, 3 * (size_t)*count, sizeof *point);
    for (int k = 0; point != NULL && solid == NULL && k < *count; k++) {
        cn_vec2 at = cn_turn2(cn_v2(shape->vertex[2 * k], shape->vertex[2 * k + 1]),
                              cos(shape->angle), sin(shape->angle));
        point[2 * k] = shape->at[0] + at.x;
        point[2 * k + 1] = shape->at[1] + at.y;
    }
    bool is_turned =
        solid != NULL && (solid->turn[1] != 0.0 || solid->turn[2] != 0.0 || solid->turn[3] != 0.0);
    for (int k = 0; point != NULL && solid != NULL && k < *count; k++) {
        const double *q = solid->turn, *from = solid->point + 3 * k;
        cn_mat3 R = cn_quat_matrix(is_turned ? (cn_quat){q[0], q[1], q[2], q[3]}
                                             : (cn_quat){1.0, 0.0, 0.0, 0.0});
        cn_vec3 at = cn_mat3_mul(&R, cn_v3(from[0], from[1], from[2]));
        for (int d = 0; d < 3; d++) {
            point[3 * k + d] = solid->at[d] + (&at.x)[d];
        }
    }
    return point;
}

// A pseudo-rigid piece: no more elements than its corners ask for.
static bool fill_piece(cn_entry_making *e, const cn_parts *parts, cn_mesh_def **made)
{
    cn_reading *r = &e->m->reading;
    const cn_shape_def *shape = parts->shape;
    const cn_solid_def *solid = parts->solid;
    bool is_one = parts->count == 1;
    bool is_round =
        is_one && (solid != NULL ? solid->kind == CN_SOLID_SPHERE : shape->kind == CN_SHAPE_DISK);
    if (is_round) {
        cn_volume_def def = cn_volume_def_default();
        def.kind = solid != NULL ? CN_VOLUME_SPHERE : CN_VOLUME_DISK;
        def.element = solid != NULL ? CN_HEX8 : CN_QUAD4;
        def.radius = solid != NULL ? solid->radius : shape->radius;
        def.cells[0] = solid != NULL ? 4 : 8;
        def.cells[1] = 1;
        return make(e, NULL, &def, made);
    }
    if (!is_one ||
        (solid != NULL ? solid->kind != CN_SOLID_HULL : shape->kind != CN_SHAPE_POLYGON)) {
        cn_complain(r->report, e->at, "'%s' is pseudo-rigid and must be one %s, or have a mesh",
                    e->name,
                    r->dim == 3 ? "box, convex polyhedron or sphere" : "box, polygon or disk");
        return true;
    }
    int count;
    double *point = corners_of(r, parts, &count);
    cn_volume *volume = NULL;
    cn_error why = {0};
    if (point == NULL) {
        return false;
    }
    cn_status status = cn_volume_fill(r->dim, count, point, &volume, &why);
    return status != CN_OK ? refuse(r, e->at, status, &why) : adopt(e, NULL, volume, made);
}

bool cn_mesh_of_piece(cn_entry_making *e, const cn_parts *parts, const cn_mesh_def **made)
{
    cn_reading *r = &e->m->reading;
    cn_volume_def def = cn_volume_def_default();
    cn_mesh_def *mesh = NULL;
    bool has_memory = true;
    const cn_shape_def *shape = parts->shape;
    *made = NULL;
    if (e->mesh == NULL) {
        has_memory = fill_piece(e, parts, &mesh);
        *made = mesh;
        return has_memory;
    }
    for (int k = 0; k < CN_VOLUME_KIND_COUNT; k++) {
        const cn_value *part = cn_value_get(e->mesh, cn_volume_kind_name((cn_volume_kind)k));
        if (part != NULL) {
            cn_complain(r->report, part->at,
                        "the pieces of '%s' are cut into elements: give only elements, size or "
                        "cells, and crossed",
                        e->name);
            return true;
        }
    }
    if (!set_cut(r, NULL, e->mesh, &def)) {
        return true;
    }
    if (parts->count == 1 && parts->solid != NULL) {
        has_memory = cut_solid(e, parts->solid, &def, &mesh);
    } else if (parts->count == 1 && shape->kind == CN_SHAPE_POLYGON && shape->vertex_count == 4) {
        has_memory = cut_quadrilateral(e, shape, &def, &mesh);
    } else if (parts->count == 1 && shape->kind == CN_SHAPE_DISK) {
        def.kind = CN_VOLUME_DISK;
        def.radius = shape->radius;
        has_memory = make(e, e->mesh, &def, &mesh);
    } else {
        cn_complain(r->report, e->mesh->at,
                    "only pieces of four corners and disks can be cut into elements, '%s' has "
                    "others",
                    e->name);
    }
    *made = mesh;
    return has_memory;
}

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
        if (strcmp(name, known[k]) == 0) {
            return true;
        }
    }
    if (known != NULL) {
        cn_complain_unknown(r->report, at, "set", name, body, known, mesh->set_count);
    }
    return false;
}
