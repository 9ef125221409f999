// result/reader_meshes.c -- deformable bodies of a result file: their meshes once, their nodes in
// every frame. What is used as a number of a node or element is checked here.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "math/tensor.h"
#include "result/reader.h"

static cn_status damaged(const cn_reader *r, uint64_t id, cn_error *err)
{
    return cn_fail(err, CN_BAD_INPUT, "%s: the mesh of body %llu is damaged", r->tables.hdf->path,
                   (unsigned long long)id);
}

// Copies the elements of a mesh; `start` has element_count + 1 places.
static bool take_elements(const cn_mesh_row *row, const cn_element_row *element, int dim,
                          unsigned char *type, int *start, int *node)
{
    start[0] = 0;
    for (int64_t e = 0; e < row->element_count; e++) {
        const cn_element_row *from = &element[e];
        bool is_known = from->type >= 0 && from->type < CN_ELEMENT_COUNT &&
                        cn_element_dim((cn_element_type)from->type) == dim;
        int count = is_known ? cn_element_node_count((cn_element_type)from->type) : 0;
        type[e] = (unsigned char)from->type;
        start[e + 1] = start[e] + count;
        for (int n = 0; n < count; n++) {
            is_known = is_known && from->node[n] >= 0 && from->node[n] < row->node_count;
            node[start[e] + n] = from->node[n];
        }
        if (!is_known) {
            return false;
        }
    }
    return true;
}

static bool is_part(int64_t start, int64_t count, int64_t known)
{
    return start >= 0 && count >= 1 && count <= known && start <= known - count &&
           count <= INT32_MAX / CN_ELEMENT_NODES;
}

static cn_status place_mesh(cn_reader *r, int64_t k, const cn_frame_row *last,
                            const cn_element_row *element, cn_error *err)
{
    const cn_mesh_row *row = &r->mesh_row[k];
    int dim = r->summary.dim;
    if (!is_part(row->node_start, row->node_count, last->known_mesh_nodes) ||
        !is_part(row->element_start, row->element_count, last->known_elements)) {
        return damaged(r, row->id, err);
    }
    unsigned char *type = r->element_type + row->element_start;
    int *start = r->element_first + row->element_start + k;
    int *node = r->element_node + CN_ELEMENT_NODES * row->element_start;
    if (!take_elements(row, element + row->element_start, dim, type, start, node)) {
        return damaged(r, row->id, err);
    }
    r->mesh[k] = (cn_mesh_def){.dim = dim,
                               .node_count = (int)row->node_count,
                               .node = r->mesh_node + dim * row->node_start,
                               .element_count = (int)row->element_count,
                               .type = type,
                               .element_start = start,
                               .element_node = node};
    return cn_id_map_add(&r->mesh_map, row->id, k, err);
}

static cn_status read_lists(cn_reader *r, const cn_frame_row *last, cn_element_row *element,
                            cn_error *err)
{
    const cn_tables *t = &r->tables;
    CN_TRY(cn_table_read(&t->mesh, 0, last->known_meshes, r->mesh_row, err));
    CN_TRY(cn_table_read(&t->mesh_node, 0, last->known_mesh_nodes, r->mesh_node, err));
    CN_TRY(cn_table_read(&t->element, 0, last->known_elements, element, err));
    for (int64_t k = 0; k < r->summary.dim * last->known_mesh_nodes; k++) {
        if (!isfinite(r->mesh_node[k])) {
            return cn_fail(err, CN_BAD_INPUT, "%s: node %lld of the meshes is not finite",
                           t->hdf->path, (long long)(k / r->summary.dim));
        }
    }
    for (int64_t k = 0; k < last->known_meshes; k++) {
        CN_TRY(place_mesh(r, k, last, element, err));
    }
    cn_id_map_sort(&r->mesh_map);
    return CN_OK;
}

cn_status cn_reader_read_meshes(cn_reader *r, const cn_frame_row *last, cn_error *err)
{
    int64_t meshes = last->known_meshes, elements = last->known_elements;
    if (meshes == 0) {
        return CN_OK;
    }
    CN_TRY(cn_reader_take(r, &r->mesh_row, meshes, err));
    CN_TRY(cn_reader_take(r, &r->mesh, meshes, err));
    CN_TRY(cn_reader_take(r, &r->mesh_node, r->summary.dim * last->known_mesh_nodes, err));
    CN_TRY(cn_reader_take(r, &r->element_type, elements, err));
    CN_TRY(cn_reader_take(r, &r->element_first, elements + meshes, err));
    CN_TRY(cn_reader_take(r, &r->element_node, elements * CN_ELEMENT_NODES, err));
    cn_element_row *element = NULL;
    size_t capacity = 0;
    cn_status status = cn_reserve(NULL, &element, &capacity, (size_t)elements, err);
    CN_THEN(status, read_lists(r, last, element, err));
    cn_release(NULL, element);
    return status;
}

bool cn_reader_mesh(const cn_reader *reader, cn_body_id id, cn_mesh_def *mesh)
{
    if (reader == NULL || mesh == NULL) {
        return false;
    }
    int64_t place = cn_id_map_find(&reader->mesh_map, id);
    if (place >= 0) {
        *mesh = reader->mesh[place];
    }
    return place >= 0;
}

// Positions, velocities and stresses of the frame, each in an array of its own.
static cn_status read_nodes(cn_reader *r, const cn_frame_row *row, cn_error *err)
{
    size_t count = (size_t)row->node_count, dim = (size_t)r->summary.dim;
    bool is_finite = true;
    CN_TRY(cn_reserve(NULL, &r->node_row, &r->node_row_capacity, count, err));
    CN_TRY(cn_reserve(NULL, &r->node_x, &r->node_x_capacity, dim * count, err));
    CN_TRY(cn_reserve(NULL, &r->node_v, &r->node_v_capacity, dim * count, err));
    CN_TRY(cn_reserve(NULL, &r->node_r, &r->node_r_capacity, dim * count, err));
    CN_TRY(cn_reserve(NULL, &r->stress, &r->stress_capacity, (size_t)row->stress_count, err));
    CN_TRY(cn_reserve(NULL, &r->strain, &r->strain_capacity, (size_t)row->strain_count, err));
    CN_TRY(cn_reserve(NULL, &r->mean, &r->mean_capacity, (size_t)row->mean_count, err));
    CN_TRY(cn_table_read(&r->tables.node, row->node_start, row->node_count, r->node_row, err));
    CN_TRY(cn_table_read(&r->tables.stress, row->stress_start, row->stress_count, r->stress, err));
    CN_TRY(cn_table_read(&r->tables.strain, row->strain_start, row->strain_count, r->strain, err));
    CN_TRY(cn_table_read(&r->tables.mean, row->mean_start, row->mean_count, r->mean, err));
    for (size_t n = 0; n < count; n++) {
        for (size_t d = 0; d < dim; d++) {
            r->node_x[dim * n + d] = r->node_row[n].x[d];
            r->node_v[dim * n + d] = r->node_row[n].v[d];
            r->node_r[dim * n + d] = r->node_row[n].r[d];
            is_finite = is_finite && isfinite(r->node_row[n].x[d] + r->node_row[n].v[d]) &&
                        isfinite(r->node_row[n].r[d]);
        }
        for (int k = 0; k < 6 && row->stress_count > 0; k++) {
            is_finite = is_finite && isfinite(r->stress[n].stress[k]);
        }
        for (int k = 0; k < 6 && row->strain_count > 0; k++) {
            is_finite = is_finite && isfinite(r->strain[n].strain[k]);
        }
    }
    return is_finite ? CN_OK
                     : cn_fail(err, CN_BAD_INPUT, "%s: the nodes of step %lld are not finite",
                               r->tables.hdf->path, (long long)row->step);
}

static void set_mean(const cn_mean_row *row, cn_frame_mesh *mesh)
{
    mesh->volume = row != NULL ? row->volume : NAN;
    for (int k = 0; k < 6; k++) {
        mesh->mean[k] = row != NULL ? row->stress[k] : NAN;
    }
}

cn_status cn_reader_frame_meshes(cn_reader *r, const cn_frame_row *row, cn_frame *frame,
                                 cn_error *err)
{
    if (row->node_count == 0) {
        return CN_OK;
    }
    size_t dim = (size_t)r->summary.dim;
    int64_t place = 0;
    CN_TRY(read_nodes(r, row, err));
    CN_TRY(
        cn_reserve(NULL, &r->frame_mesh, &r->frame_mesh_capacity, (size_t)frame->body_count, err));
    for (int i = 0; i < frame->body_count; i++) {
        int64_t k = cn_id_map_find(&r->mesh_map, frame->id[i]);
        if (k < 0) {
            continue;
        }
        int count = r->mesh[k].node_count;
        if (place + count > row->node_count) {
            return damaged(r, frame->id[i], err);
        }
        bool has_stress = row->stress_count > 0, has_strain = row->strain_count > 0;
        bool has_mean = frame->mesh_count < row->mean_count;
        cn_frame_mesh *mesh = &r->frame_mesh[frame->mesh_count];
        *mesh = (cn_frame_mesh){.body = i,
                                .node_count = count,
                                .x = r->node_x + dim * (size_t)place,
                                .v = r->node_v + dim * (size_t)place,
                                .r = r->tables.version < 5 ? NULL : r->node_r + dim * (size_t)place,
                                .stress = has_stress ? r->stress[place].stress : NULL,
                                .strain = has_strain ? r->strain[place].strain : NULL};
        set_mean(has_mean ? &r->mean[frame->mesh_count] : NULL, mesh);
        frame->mesh_count++;
        place += count;
    }
    frame->mesh = r->frame_mesh;
    return CN_OK;
}

double cn_stress_mises(const double s[6])
{
    if (s == NULL) {
        return NAN;
    }
    double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

void cn_stress_principal(const double stress[6], double value[3])
{
    if (stress == NULL || value == NULL) {
        return;
    }
    double A[9], V[9];
    cn_tensor_full(stress, 1.0, A);
    cn_tensor_eigen(A, value, V);
    for (int k = 0; k < 3; k++) { // three exchanges of neighbours sort three
        double *pair = value + k % 2, swap = pair[0];
        if (pair[0] < pair[1]) {
            pair[0] = pair[1];
            pair[1] = swap;
        }
    }
}

static void add_moment(const cn_frame *f, int body, const double x[3], const double r[3],
                       double *moment)
{
    for (int i = 0; i < f->dim; i++) {
        for (int j = 0; j < f->dim; j++) {
            double arm = x[i] - f->q[f->q_size * body + i];
            moment[9 * body + 3 * i + j] += arm * r[j];
        }
    }
}

void cn_frame_moments(const cn_frame *f, double *moment)
{
    if (f == NULL || moment == NULL) {
        return;
    }
    memset(moment, 0, 9 * (size_t)f->body_count * sizeof *moment);
    for (int a = 0; a < f->contact_count && f->h > 0.0; a++) { // (11.31)
        const cn_contact *c = &f->contact[a];
        double r[3], opposite[3];
        cn_contact_impulse(c, f->dim, r);
        for (int d = 0; d < 3; d++) {
            r[d] /= f->h;
            opposite[d] = -r[d];
        }
        add_moment(f, c->i, c->point, r, moment);
        add_moment(f, c->j, c->point, opposite, moment);
    }
    for (int k = 0; k < f->mesh_count; k++) { // with supports, at the nodes
        const cn_frame_mesh *m = &f->mesh[k];
        for (int n = 0; n < 9 && m->r != NULL; n++) {
            moment[9 * m->body + n] = 0.0;
        }
        for (int n = 0; n < m->node_count && m->r != NULL; n++) {
            add_moment(f, m->body, m->x + f->dim * n, m->r + f->dim * n, moment);
        }
    }
}
