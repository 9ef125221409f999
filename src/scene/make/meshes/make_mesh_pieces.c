// scene/make/meshes/make_mesh_pieces.c -- pieces of generators of bodies, cut into elements.
#include <math.h>

#include "scene/make/meshes/make_meshes.h"

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
    bool has_memory = cn_mesh_make(e, e->mesh, def, made);
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
    bool has_memory = cn_mesh_make(e, e->mesh, def, made);
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
    bool is_turned = solid != NULL && (solid->rotation[1] != 0.0 || solid->rotation[2] != 0.0 ||
                                       solid->rotation[3] != 0.0);
    for (int k = 0; point != NULL && solid != NULL && k < *count; k++) {
        const double *q = solid->rotation, *from = solid->point + 3 * k;
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
        return cn_mesh_make(e, NULL, &def, made);
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
    return status != CN_OK ? cn_mesh_refuse(r, e->at, status, &why)
                           : cn_mesh_adopt(e, NULL, volume, made);
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
    if (!cn_mesh_set_cut(r, NULL, e->mesh, &def)) {
        return true;
    }
    if (parts->count == 1 && parts->solid != NULL) {
        has_memory = cut_solid(e, parts->solid, &def, &mesh);
    } else if (parts->count == 1 && shape->kind == CN_SHAPE_POLYGON && shape->vertex_count == 4) {
        has_memory = cut_quadrilateral(e, shape, &def, &mesh);
    } else if (parts->count == 1 && shape->kind == CN_SHAPE_DISK) {
        def.kind = CN_VOLUME_DISK;
        def.radius = shape->radius;
        has_memory = cn_mesh_make(e, e->mesh, &def, &mesh);
    } else {
        cn_complain(r->report, e->mesh->at,
                    "only pieces of four corners and disks can be cut into elements, '%s' has "
                    "others",
                    e->name);
    }
    *made = mesh;
    return has_memory;
}
