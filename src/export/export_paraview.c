// export/export_paraview.c -- three collections for ParaView: bodies.pvd (disks and spheres as
// points), blocks.pvd (shapes as polygons, in space all but spheres) and contacts.pvd, one file per
// frame each; and meshes.pvd (elements as cells) if there are deformable bodies.
//
// One frame is in memory at a time. Vectors have three components, as VTK wants them. Corners of
// polygons and cells are stored in 32 bits: they are most of the bytes, and made to be looked at.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "export/polygons.h"
#include "export/state_columns.h"
#include "export/vtk.h"

// Scratch of one file: columns of numbers that grow with the frame.
typedef struct column {
    double *value;
    size_t count, capacity;
} column;

typedef struct float_column {
    float *value;
    size_t count, capacity;
} float_column;

typedef struct cell_column {
    int32_t *value;
    size_t count, capacity;
} cell_column;

typedef struct int_column {
    int64_t *value;
    size_t count, capacity;
} int_column;

typedef struct text_column {
    char *byte; // a zero after each text
    size_t count, capacity, size;
} text_column;

enum { REAL_COLUMNS = 9, INT_COLUMNS = 4 };

typedef struct exporter {
    cn_reader *reader;
    const char *folder;
    cn_vtk vtk;
    cn_polygons polygons;
    column real[REAL_COLUMNS];
    int_column integer[INT_COLUMNS];
    cn_state_columns states;
    column *state; // one per column of states
    float_column corner;
    cell_column connectivity, offset, type;
    text_column name;
    int collection_count; // meshes only if there are any
    cn_out collection[4];
} exporter;

static const char *const collection_name[4] = {"bodies", "blocks", "contacts", "meshes"};

static void clear(exporter *x)
{
    cn_vtk_clear(&x->vtk);
    for (int k = 0; k < REAL_COLUMNS; k++) {
        x->real[k].count = 0;
    }
    for (int k = 0; k < INT_COLUMNS; k++) {
        x->integer[k].count = 0;
    }
    for (int k = 0; k < x->states.count; k++) {
        x->state[k].count = 0;
    }
    x->corner.count = 0;
    x->connectivity.count = 0;
    x->offset.count = 0;
    x->type.count = 0;
    x->name.count = 0;
    x->name.size = 0;
}

static cn_status push(column *c, double value, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &c->value, &c->capacity, c->count + 1, err));
    c->value[c->count++] = value;
    return CN_OK;
}

static cn_status push3(column *c, double x, double y, double z, cn_error *err)
{
    CN_TRY(push(c, x, err));
    CN_TRY(push(c, y, err));
    return push(c, z, err);
}

static cn_status push_int(int_column *c, int64_t value, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &c->value, &c->capacity, c->count + 1, err));
    c->value[c->count++] = value;
    return CN_OK;
}

static cn_status push_corner(float_column *c, const double *point, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &c->value, &c->capacity, c->count + 3, err));
    c->value[c->count++] = (float)point[0];
    c->value[c->count++] = (float)point[1];
    c->value[c->count++] = (float)point[2];
    return CN_OK;
}

static cn_status push_cell(cell_column *c, int value, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &c->value, &c->capacity, c->count + 1, err));
    c->value[c->count++] = value;
    return CN_OK;
}

static cn_status push_text(text_column *c, const char *text, cn_error *err)
{
    size_t length = strlen(text) + 1;
    CN_TRY(cn_reserve(NULL, &c->byte, &c->capacity, c->size + length, err));
    memcpy(c->byte + c->size, text, length);
    c->size += length;
    c->count++;
    return CN_OK;
}

static cn_status add_indices(exporter *x, cn_vtk_place place, const char *name,
                             const cell_column *c, cn_error *err)
{
    const cn_vtk_array array = {place, CN_VTK_INT32, name, 1, c->count, 0};
    return cn_vtk_add(&x->vtk, array, c->value, err);
}

static cn_status add_cells(exporter *x, cn_vtk_place place, cn_error *err)
{
    CN_TRY(add_indices(x, place, "connectivity", &x->connectivity, err));
    return add_indices(x, place, "offsets", &x->offset, err);
}

static cn_status add_real(exporter *x, cn_vtk_place place, const char *name, int components,
                          const column *c, cn_error *err)
{
    size_t tuples = c->count / (size_t)components;
    const cn_vtk_array array = {place, CN_VTK_FLOAT64, name, components, tuples, 0};
    return cn_vtk_add(&x->vtk, array, c->value, err);
}

static cn_status add_int(exporter *x, cn_vtk_place place, const char *name, const int_column *c,
                         cn_error *err)
{
    const cn_vtk_array array = {place, CN_VTK_INT64, name, 1, c->count, 0};
    return cn_vtk_add(&x->vtk, array, c->value, err);
}

// Every point is a vertex cell of its own, so that it is drawn.
static cn_status add_vertex_cells(exporter *x, size_t count, cn_error *err)
{
    for (size_t k = 0; k < count; k++) {
        CN_TRY(push_cell(&x->connectivity, (int)k, err));
        CN_TRY(push_cell(&x->offset, (int)k + 1, err));
    }
    return add_cells(x, CN_VTK_VERTS, err);
}

// Fields of a body that bodies and blocks share.
typedef struct body_columns {
    column *velocity, *spin, *turn, *mass; // turn: an angle, in space a quaternion
    int_column *id, *group, *fixed;
    text_column *name; // stays empty where the file has no names
} body_columns;

static body_columns body_columns_of(exporter *x)
{
    return (body_columns){&x->real[1],    &x->real[2],    &x->real[3],    &x->real[4],
                          &x->integer[0], &x->integer[1], &x->integer[2], &x->name};
}

static cn_status push_body(const exporter *x, const cn_frame *f, int i, const body_columns *b,
                           cn_error *err)
{
    const double *q = f->q + (size_t)f->q_size * (size_t)i;
    const double *v = f->v + (size_t)f->v_size * (size_t)i;
    CN_TRY(push3(b->velocity, v[0], v[1], f->dim == 3 ? v[2] : 0.0, err));
    for (int d = f->dim; d < f->v_size; d++) {
        CN_TRY(push(b->spin, v[d], err));
    }
    for (int d = f->dim; d < f->q_size; d++) {
        CN_TRY(push(b->turn, q[d], err));
    }
    CN_TRY(push(b->mass, cn_reader_mass(x->reader, f->id[i]), err));
    CN_TRY(push_int(b->id, (int64_t)f->id[i], err));
    CN_TRY(push_int(b->group, f->group[i], err));
    const char *name = cn_reader_body_name(x->reader, f->id[i]);
    if (cn_reader_body_name(x->reader, 1) != NULL) {
        CN_TRY(push_text(b->name, name != NULL ? name : "", err));
    }
    return push_int(b->fixed, f->fixed[i], err);
}

static cn_status add_body_fields(exporter *x, const cn_frame *f, cn_vtk_place place,
                                 const body_columns *b, cn_error *err)
{
    const char *turn = f->dim == 2 ? "angle" : "quaternion";
    CN_TRY(add_real(x, place, "velocity", 3, b->velocity, err));
    CN_TRY(add_real(x, place, "spin", f->v_size - f->dim, b->spin, err));
    CN_TRY(add_real(x, place, turn, f->q_size - f->dim, b->turn, err));
    CN_TRY(add_real(x, place, "mass", 1, b->mass, err));
    CN_TRY(add_int(x, place, "id", b->id, err));
    CN_TRY(add_int(x, place, "group", b->group, err));
    if (b->name->count > 0) {
        const cn_vtk_array name = {place, CN_VTK_STRING, "name", 1, b->name->count, 0};
        CN_TRY(cn_vtk_add_texts(&x->vtk, name, b->name->byte, b->name->size, err));
    }
    return add_int(x, place, "fixed", b->fixed, err);
}

// One point per disk; its orientation is the x axis of the body.
static cn_status push_disk(exporter *x, const cn_frame *f, int i, const cn_shape_def *disk,
                           const body_columns *b, cn_error *err)
{
    const double *q = f->q + 3 * (size_t)i;
    double c = cos(q[2]);
    double s = sin(q[2]);
    CN_TRY(push3(&x->real[0], q[0] + c * disk->at[0] - s * disk->at[1],
                 q[1] + s * disk->at[0] + c * disk->at[1], 0.0, err));
    CN_TRY(push(&x->real[5], disk->radius, err));
    CN_TRY(push3(&x->real[6], c, s, 0.0, err));
    return push_body(x, f, i, b, err);
}

// Likewise for a sphere.
static cn_status push_sphere(exporter *x, const cn_frame *f, int i, const cn_solid_def *sphere,
                             const body_columns *b, cn_error *err)
{
    const double *q = f->q + 7 * (size_t)i;
    cn_mat3 R = cn_quat_matrix((cn_quat){q[3], q[4], q[5], q[6]});
    cn_vec3 at = cn_mat3_mul(&R, cn_v3(sphere->at[0], sphere->at[1], sphere->at[2]));
    CN_TRY(push3(&x->real[0], q[0] + at.x, q[1] + at.y, q[2] + at.z, err));
    CN_TRY(push(&x->real[5], sphere->radius, err));
    CN_TRY(push3(&x->real[6], R.row[0].x, R.row[1].x, R.row[2].x, err));
    return push_body(x, f, i, b, err);
}

// The disks or spheres of body i.
static cn_status push_points(exporter *x, const cn_frame *f, int i, const body_columns *b,
                             cn_error *err)
{
    int count;
    const cn_shape_def *shape = cn_reader_shapes(x->reader, f->id[i], &count);
    for (int n = 0; n < count; n++) {
        if (shape[n].kind == CN_SHAPE_DISK) {
            CN_TRY(push_disk(x, f, i, &shape[n], b, err));
        }
    }
    const cn_solid_def *solid = cn_reader_solids(x->reader, f->id[i], &count);
    for (int n = 0; n < count; n++) {
        if (solid[n].kind == CN_SOLID_SPHERE) {
            CN_TRY(push_sphere(x, f, i, &solid[n], b, err));
        }
    }
    return CN_OK;
}

static cn_status fill_bodies(exporter *x, const cn_frame *f, size_t *points, cn_error *err)
{
    body_columns b = body_columns_of(x);
    for (int i = 0; i < f->body_count; i++) {
        CN_TRY(push_points(x, f, i, &b, err));
    }
    *points = x->real[0].count / 3;
    CN_TRY(add_real(x, CN_VTK_POINTS, "Points", 3, &x->real[0], err));
    CN_TRY(add_real(x, CN_VTK_POINT_DATA, "radius", 1, &x->real[5], err));
    CN_TRY(add_real(x, CN_VTK_POINT_DATA, "orientation", 3, &x->real[6], err));
    CN_TRY(add_body_fields(x, f, CN_VTK_POINT_DATA, &b, err));
    return add_vertex_cells(x, *points, err);
}

static cn_status fill_blocks(exporter *x, const cn_frame *f, size_t *points, cn_error *err)
{
    const cn_polygons *o = &x->polygons;
    body_columns b = body_columns_of(x);
    CN_TRY(cn_polygons_make(x->reader, f, false, &x->polygons, err));
    for (int k = 0; k < o->point_count; k++) {
        CN_TRY(push_corner(&x->corner, o->point + 3 * (size_t)k, err));
        CN_TRY(push_cell(&x->connectivity, k, err));
    }
    for (int n = 0; n < o->count; n++) {
        CN_TRY(push_cell(&x->offset, o->start[n + 1], err));
        CN_TRY(push_body(x, f, o->body[n], &b, err));
    }
    *points = (size_t)o->point_count;
    const cn_vtk_array corners = {CN_VTK_POINTS, CN_VTK_FLOAT32, "Points", 3, *points, 0};
    CN_TRY(cn_vtk_add(&x->vtk, corners, x->corner.value, err));
    CN_TRY(add_body_fields(x, f, CN_VTK_CELL_DATA, &b, err));
    return add_cells(x, CN_VTK_POLYS, err);
}

// A tangential component: signed in the plane, its size in space.
static double tangential(const cn_frame *f, const double *value)
{
    return f->dim == 2 ? value[1] : hypot(value[1], value[2]);
}

// Impulse and force on body i in world axes.
static cn_status push_contact(exporter *x, const cn_frame *f, const cn_contact *c, cn_error *err)
{
    const double *n = c->normal;
    double t1[3], t2[3];
    double per_h = f->h > 0.0 ? 1.0 / f->h : 0.0;
    cn_contact_tangents(c, f->dim, t1, t2);
    for (int d = 0; d < 3; d++) {
        double r = c->r[0] * n[d] + c->r[1] * t1[d] + c->r[2] * t2[d];
        CN_TRY(push(&x->real[0], c->point[d], err));
        CN_TRY(push(&x->real[1], n[d], err));
        CN_TRY(push(&x->real[2], r, err));
        CN_TRY(push(&x->real[3], per_h * r, err));
    }
    CN_TRY(push(&x->real[4], c->r[0], err));
    CN_TRY(push(&x->real[5], tangential(f, c->r), err));
    CN_TRY(push(&x->real[6], c->gap, err));
    CN_TRY(push(&x->real[7], c->u[0], err));
    CN_TRY(push(&x->real[8], tangential(f, c->u), err));
    CN_TRY(push_int(&x->integer[0], (int64_t)f->id[c->i], err));
    CN_TRY(push_int(&x->integer[1], (int64_t)f->id[c->j], err));
    CN_TRY(push_int(&x->integer[2], c->status, err));
    return push_int(&x->integer[3], c->law, err);
}

static cn_status push_states(exporter *x, const cn_frame *f, int a, cn_error *err)
{
    const double *value = cn_state_columns_of(&x->states, f, a);
    for (int k = 0; k < x->states.count; k++) {
        CN_TRY(push(&x->state[k], value[k], err));
    }
    return CN_OK;
}

static cn_status fill_contacts(exporter *x, const cn_frame *f, size_t *points, cn_error *err)
{
    static const struct {
        const char *name;
        int place, components;
    } real[] = {{"normal", 1, 3},
                {"impulse", 2, 3},
                {"force", 3, 3},
                {"impulse_normal", 4, 1},
                {"impulse_tangential", 5, 1},
                {"gap", 6, 1},
                {"u_normal", 7, 1},
                {"u_tangential", 8, 1}};
    static const struct {
        const char *name;
        int place;
    } integer[] = {{"id_i", 0}, {"id_j", 1}, {"status", 2}, {"law", 3}};
    for (int a = 0; a < f->contact_count; a++) {
        CN_TRY(push_contact(x, f, &f->contact[a], err));
        CN_TRY(push_states(x, f, a, err));
    }
    *points = (size_t)f->contact_count;
    CN_TRY(add_real(x, CN_VTK_POINTS, "Points", 3, &x->real[0], err));
    for (size_t k = 0; k < sizeof real / sizeof real[0]; k++) {
        CN_TRY(add_real(x, CN_VTK_POINT_DATA, real[k].name, real[k].components,
                        &x->real[real[k].place], err));
    }
    for (size_t k = 0; k < sizeof integer / sizeof integer[0]; k++) {
        CN_TRY(add_int(x, CN_VTK_POINT_DATA, integer[k].name, &x->integer[integer[k].place], err));
    }
    for (int k = 0; k < x->states.count; k++) {
        CN_TRY(add_real(x, CN_VTK_POINT_DATA, x->states.name[k], 1, &x->state[k], err));
    }
    return add_vertex_cells(x, *points, err);
}

// Nodes of a mesh with their fields.
static cn_status push_nodes(exporter *x, const cn_frame *f, const cn_frame_mesh *m,
                            const cn_mesh_def *mesh, cn_error *err)
{
    for (int n = 0; n < m->node_count; n++) {
        double at[3] = {0.0}, moved[3] = {0.0}, speed[3] = {0.0};
        for (int d = 0; d < f->dim; d++) {
            at[d] = m->x[f->dim * n + d];
            moved[d] = at[d] - mesh->node[f->dim * n + d];
            speed[d] = m->v[f->dim * n + d];
        }
        CN_TRY(push3(&x->real[0], at[0], at[1], at[2], err));
        CN_TRY(push3(&x->real[1], moved[0], moved[1], moved[2], err));
        CN_TRY(push3(&x->real[2], speed[0], speed[1], speed[2], err));
        for (int k = 0; k < 6 && m->stress != NULL; k++) {
            CN_TRY(push(&x->real[3], m->stress[6 * n + k], err));
        }
        if (m->stress != NULL) {
            CN_TRY(push(&x->real[4], cn_stress_mises(m->stress + 6 * n), err));
        }
    }
    return CN_OK;
}

static cn_status push_elements(exporter *x, const cn_frame *f, int body, int first_node,
                               const cn_mesh_def *mesh, cn_error *err)
{
    static const int vtk_type[CN_ELEMENT_COUNT] = {
        [CN_TRI3] = 5,   [CN_TRI6] = 22, [CN_QUAD4] = 9,  [CN_QUAD8] = 23, [CN_TET4] = 10,
        [CN_TET10] = 24, [CN_HEX8] = 12, [CN_HEX20] = 25, [CN_WEDGE6] = 13};
    for (int e = 0; e < mesh->element_count; e++) {
        for (int k = mesh->element_start[e]; k < mesh->element_start[e + 1]; k++) {
            CN_TRY(push_cell(&x->connectivity, first_node + mesh->element_node[k], err));
        }
        CN_TRY(push_cell(&x->offset, (int)x->connectivity.count, err));
        CN_TRY(push_cell(&x->type, vtk_type[mesh->type[e]], err));
        CN_TRY(push_int(&x->integer[0], (int64_t)f->id[body], err));
        CN_TRY(push_int(&x->integer[1], f->group[body], err));
    }
    return CN_OK;
}

// Elements of deformable bodies as cells.
static cn_status fill_meshes(exporter *x, const cn_frame *f, size_t *points, cn_error *err)
{
    for (int k = 0; k < f->mesh_count; k++) {
        cn_mesh_def mesh;
        int body = f->mesh[k].body, first_node = (int)(x->real[0].count / 3);
        if (cn_reader_mesh(x->reader, f->id[body], &mesh)) {
            CN_TRY(push_nodes(x, f, &f->mesh[k], &mesh, err));
            CN_TRY(push_elements(x, f, body, first_node, &mesh, err));
        }
    }
    *points = x->real[0].count / 3;
    CN_TRY(add_real(x, CN_VTK_POINTS, "Points", 3, &x->real[0], err));
    CN_TRY(add_real(x, CN_VTK_POINT_DATA, "displacement", 3, &x->real[1], err));
    CN_TRY(add_real(x, CN_VTK_POINT_DATA, "velocity", 3, &x->real[2], err));
    if (x->real[4].count > 0) {
        CN_TRY(add_real(x, CN_VTK_POINT_DATA, "stress", 6, &x->real[3], err));
        CN_TRY(add_real(x, CN_VTK_POINT_DATA, "mises", 1, &x->real[4], err));
    }
    CN_TRY(add_int(x, CN_VTK_CELL_DATA, "id", &x->integer[0], err));
    CN_TRY(add_int(x, CN_VTK_CELL_DATA, "group", &x->integer[1], err));
    CN_TRY(add_indices(x, CN_VTK_CELLS, "types", &x->type, err));
    return add_cells(x, CN_VTK_CELLS, err);
}

typedef cn_status fill(exporter *x, const cn_frame *f, size_t *points, cn_error *err);

// One file of one collection, and its line in the collection.
static cn_status write_piece(exporter *x, const cn_frame *f, int k, fill *fill_piece, cn_error *err)
{
    char name[64];
    size_t points;
    snprintf(name, sizeof name, "%s_%04d.%s", collection_name[k], f->index,
             fill_piece == fill_meshes ? "vtu" : "vtp");
    clear(x);
    const cn_vtk_array time = {CN_VTK_FIELD, CN_VTK_FLOAT64, "TimeValue", 1, 1, 0};
    CN_TRY(cn_vtk_add(&x->vtk, time, &f->time, err));
    CN_TRY(fill_piece(x, f, &points, err));
    CN_TRY(cn_vtk_write(&x->vtk, x->folder, name, points, err));
    cn_out_print(&x->collection[k], "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n",
                 f->time, name);
    return CN_OK;
}

static cn_status start_collections(exporter *x, cn_error *err)
{
    for (int k = 0; k < x->collection_count; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s.pvd", collection_name[k]);
        CN_TRY(cn_out_open(x->folder, name, &x->collection[k], err));
        cn_out_print(&x->collection[k], "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" "
                                        "version=\"0.1\">\n<Collection>\n");
    }
    return CN_OK;
}

static cn_status make_state_columns(exporter *x, cn_error *err)
{
    CN_TRY(cn_state_columns_make(x->reader, &x->states, err));
    x->state = calloc((size_t)x->states.count + 1, sizeof *x->state);
    return x->state != NULL ? CN_OK : cn_fail(err, CN_NO_MEMORY, "out of memory for law states");
}

static cn_status write_frames(exporter *x, cn_error *err)
{
    CN_TRY(make_state_columns(x, err));
    CN_TRY(cn_out_folder(x->folder, err));
    cn_frame first;
    CN_TRY(cn_reader_frame(x->reader, 0, &first, err)); // bodies only vanish later
    x->collection_count = first.mesh_count > 0 ? 4 : 3;
    CN_TRY(start_collections(x, err));
    for (int k = 0; k < cn_reader_summary(x->reader)->frames; k++) {
        cn_frame f;
        CN_TRY(cn_reader_frame(x->reader, k, &f, err));
        CN_TRY(write_piece(x, &f, 0, fill_bodies, err));
        CN_TRY(write_piece(x, &f, 1, fill_blocks, err));
        CN_TRY(write_piece(x, &f, 2, fill_contacts, err));
        if (f.mesh_count > 0) {
            CN_TRY(write_piece(x, &f, 3, fill_meshes, err));
        }
    }
    for (int k = 0; k < x->collection_count; k++) {
        cn_out_print(&x->collection[k], "</Collection>\n</VTKFile>\n");
    }
    return CN_OK;
}

static void release(exporter *x)
{
    for (int k = 0; k < REAL_COLUMNS; k++) {
        cn_release(NULL, x->real[k].value);
    }
    for (int k = 0; k < INT_COLUMNS; k++) {
        cn_release(NULL, x->integer[k].value);
    }
    for (int k = 0; x->state != NULL && k < x->states.count; k++) {
        cn_release(NULL, x->state[k].value);
    }
    free(x->state);
    cn_state_columns_free(&x->states);
    CN_RELEASE(x->corner.value, x->connectivity.value, x->offset.value, x->type.value,
               x->name.byte);
    cn_polygons_free(&x->polygons);
    cn_vtk_free(&x->vtk);
}

cn_status cn_export_paraview(cn_reader *reader, const char *folder, cn_tell *told, void *context,
                             cn_error *err)
{
    CN_NEED(err, reader, folder);
    exporter *x = calloc(1, sizeof *x);
    if (x == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "out of memory for an export");
    }
    x->reader = reader;
    x->folder = folder;
    cn_status status = write_frames(x, err);
    status = cn_out_close_all(status, x->collection, x->collection_count, told, context, err);
    release(x);
    free(x);
    return status;
}

static cn_status write_paraview(cn_reader *reader, const cn_export_def *def, cn_error *err)
{
    return cn_export_paraview(reader, def->folder, def->told, def->context, err);
}

const cn_export_format cn_export_paraview_format = {
    "paraview", "VTK files and .pvd collections, one per frame", write_paraview};
