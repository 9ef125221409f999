// export/export_nodes.c -- tables of text of what bodies carry: nodes of deformable ones with their
// fields, and moment tensors of all beside the mean stress (theory 11.31, 11.32).
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cairn/analyse.h"
#include "export/export.h"
#include "result/id_map.h"

static void print(cn_out *out, const double *value, int count)
{
    for (int k = 0; k < count; k++) {
        cn_out_print(out, ",");
        if (value != NULL && !isnan(value[k])) { // what is not known stays empty
            cn_out_print(out, "%.17g", value[k]);
        }
    }
}

// ---- nodes

static void print_node_header(cn_out *out, int dim)
{
    cn_out_print(out, "frame,step,time,id,node,%s,",
                 dim == 2 ? "X,Y,x,y,ux,uy,vx,vy,fx,fy" : "X,Y,Z,x,y,z,ux,uy,uz,vx,vy,vz,fx,fy,fz");
    cn_out_print(out, "sxx,syy,szz,sxy,syz,szx,s1,s2,s3,mises,exx,eyy,ezz,gxy,gyz,gzx\n");
}

static void print_node(cn_out *out, const cn_frame *f, const cn_frame_mesh *m,
                       const cn_mesh_def *mesh, int n)
{
    int dim = f->dim, at = f->dim * n;
    double u[3], principal[3] = {NAN, NAN, NAN}, mises = NAN;
    for (int d = 0; d < dim; d++) {
        u[d] = m->x[at + d] - mesh->node[at + d];
    }
    if (m->stress != NULL) {
        cn_stress_principal(m->stress + 6 * n, principal);
        mises = cn_stress_mises(m->stress + 6 * n);
    }
    cn_out_print(out, "%d,%lld,%.17g,%llu,%d", f->index, (long long)f->step, f->time,
                 (unsigned long long)f->id[m->body], n);
    print(out, mesh->node + at, dim);
    print(out, m->x + at, dim);
    print(out, u, dim);
    print(out, m->v + at, dim);
    print(out, m->r != NULL ? m->r + at : NULL, dim);
    print(out, m->stress != NULL ? m->stress + 6 * n : NULL, 6);
    print(out, principal, 3);
    print(out, &mises, 1);
    print(out, m->strain != NULL ? m->strain + 6 * n : NULL, 6);
    cn_out_print(out, "\n");
}

cn_status cn_export_nodes(cn_reader *reader, cn_out *out, cn_error *err)
{
    print_node_header(out, cn_reader_summary(reader)->dim);
    for (int k = 0; k < cn_reader_summary(reader)->frames; k++) {
        cn_frame f;
        cn_mesh_def mesh;
        CN_TRY(cn_reader_frame(reader, k, &f, err));
        for (int b = 0; b < f.mesh_count; b++) {
            bool is_known = cn_reader_mesh(reader, f.id[f.mesh[b].body], &mesh);
            for (int n = 0; n < f.mesh[b].node_count && is_known; n++) {
                print_node(out, &f, &f.mesh[b], &mesh, n);
            }
        }
    }
    return CN_OK;
}

// ---- moments

// Volumes of rigid bodies, found when they are first asked for.
typedef struct volumes {
    cn_id_map map;
    double *value;
    size_t count, capacity;
} volumes;

// Makes the volumes of all bodies of a frame known.
static cn_status know_volumes(volumes *v, const cn_reader *reader, const cn_frame *f, cn_error *err)
{
    size_t before = v->count;
    for (int i = 0; i < f->body_count; i++) {
        if (cn_id_map_find(&v->map, f->id[i]) < 0) {
            double volume = cn_reader_content(reader, f->id[i]);
            CN_TRY(cn_reserve(NULL, &v->value, &v->capacity, v->count + 1, err));
            v->value[v->count] = volume;
            CN_TRY(cn_id_map_add(&v->map, f->id[i], (int64_t)v->count++, err));
        }
    }
    if (v->count > before) {
        cn_id_map_sort(&v->map);
    }
    return CN_OK;
}

static void print_moment(cn_out *out, const cn_frame *f, int i, double volume, const double *M,
                         const double *mean)
{
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
    cn_out_print(out, "%d,%lld,%.17g,%llu", f->index, (long long)f->step, f->time,
                 (unsigned long long)f->id[i]);
    print(out, &volume, 1);
    for (int r = 0; r < f->dim; r++) {
        print(out, M + 3 * r, f->dim);
    }
    for (int k = 0; k < 6; k++) {
        int r = pair[k][0], c = pair[k][1];
        double t = 0.5 * (M[3 * r + c] + M[3 * c + r]) / volume;
        if (f->dim == 3 || (r < 2 && c < 2)) {
            print(out, &t, 1);
        }
    }
    print(out, mean, 6);
    cn_out_print(out, "\n");
}

static void print_moments(const volumes *v, const cn_frame *f, const double *M, cn_out *out)
{
    int next = 0; // meshes are in the order of bodies
    for (int i = 0; i < f->body_count; i++) {
        bool is_mesh = next < f->mesh_count && f->mesh[next].body == i;
        const cn_frame_mesh *mesh = is_mesh ? &f->mesh[next++] : NULL;
        double rigid = v->value[cn_id_map_find(&v->map, f->id[i])];
        print_moment(out, f, i, is_mesh ? mesh->volume : rigid, M + 9 * i,
                     is_mesh ? mesh->mean : NULL);
    }
}

cn_status cn_export_moments(cn_reader *reader, cn_out *out, cn_error *err)
{
    volumes v = {0};
    double *M = NULL;
    size_t capacity = 0;
    cn_status status = CN_OK;
    cn_out_print(out, "frame,step,time,id,volume,%s,sxx,syy,szz,sxy,syz,szx\n",
                 cn_reader_summary(reader)->dim == 2
                     ? "mxx,mxy,myx,myy,txx,tyy,txy"
                     : "mxx,mxy,mxz,myx,myy,myz,mzx,mzy,mzz,txx,tyy,tzz,txy,tyz,tzx");
    for (int k = 0; k < cn_reader_summary(reader)->frames && status == CN_OK; k++) {
        cn_frame f;
        status = cn_reader_frame(reader, k, &f, err);
        CN_THEN(status, cn_reserve(NULL, &M, &capacity, 9 * (size_t)f.body_count, err));
        CN_THEN(status, know_volumes(&v, reader, &f, err));
        if (status == CN_OK) {
            cn_frame_moments(&f, M);
            print_moments(&v, &f, M, out);
        }
    }
    CN_RELEASE(M, v.value);
    cn_id_map_free(&v.map);
    return status;
}
