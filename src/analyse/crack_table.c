// analyse/crack_table.c -- how far joints have opened and slipped since frame 0, as a table of
// text.
//
// A joint is a patch where two bodies touched in frame 0. Its points are kept on both bodies, which
// carry them wherever they go: what the table says does not depend on how far contacts are looked
// for (theory 16.28).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/patch_table.h"
#include "base/memory.h"
#include "cairn/vec.h"

// A point of a joint on both of its bodies, in their frames.
typedef struct joint_point {
    int patch;
    cn_vec3 at[2], normal[2];
} joint_point;

// A body of the frame that is looked at.
typedef struct carried {
    cn_body_id id;
    int body; // its place in the frame
} carried;

// Joints as they were, and where their bodies are now.
typedef struct cracks {
    int dim, point_count, body_count;
    cn_patch_forces patches;
    cn_body_id *of; // two of each patch
    double *gap;    // least of each patch in frame 0 [m]
    joint_point *point;
    carried *now; // by id
    bool *is_mesh;
} cracks;

typedef struct pose {
    cn_vec3 x;
    cn_mat3 R;
} pose;

static pose pose_of(const cn_frame *f, int i)
{
    const double *q = f->q + (size_t)f->q_size * (size_t)i;
    if (f->dim == 3) {
        return (pose){cn_v3(q[0], q[1], q[2]),
                      cn_quat_matrix(cn_quat_unit((cn_quat){q[3], q[4], q[5], q[6]}))};
    }
    double c = cos(q[2]), s = sin(q[2]);
    return (pose){cn_v3(q[0], q[1], 0.0), {{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}}};
}

// ---- frame 0

static void keep_point(const cn_frame *f, const cn_contact *x, int patch, joint_point *p)
{
    cn_vec3 normal = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    p->patch = patch;
    for (int k = 0; k < 2; k++) {
        pose body = pose_of(f, k == 0 ? x->i : x->j);
        double half = k == 0 ? 0.5 * x->gap : -0.5 * x->gap;
        cn_vec3 side = cn_add_mul3(cn_v3(x->point[0], x->point[1], x->point[2]), half, normal);
        p->at[k] = cn_mat3_mul_transposed(&body.R, cn_sub3(side, body.x));
        p->normal[k] = cn_mat3_mul_transposed(&body.R, normal);
    }
}

static cn_status keep_first(cn_reader *reader, cracks *c, cn_error *err)
{
    cn_frame f;
    CN_TRY(cn_reader_frame(reader, 0, &f, err));
    CN_TRY(cn_reader_need_contacts(reader, &f, err));
    CN_TRY(cn_patch_forces_find(f.contact, f.contact_count, f.dim, &c->patches, err));
    c->dim = f.dim;
    c->point = calloc((size_t)f.contact_count + 1, sizeof *c->point);
    c->of = calloc(2 * (size_t)c->patches.count + 1, sizeof *c->of);
    c->gap = calloc((size_t)c->patches.count + 1, sizeof *c->gap);
    if (c->point == NULL || c->of == NULL || c->gap == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d joints", c->patches.count);
    }
    for (int k = 0; k < c->patches.count; k++) {
        const cn_patch_force *patch = &c->patches.patch[k];
        c->of[2 * k] = f.id[patch->i];
        c->of[2 * k + 1] = f.id[patch->j];
        c->gap[k] = INFINITY;
        for (int n = patch->first; n < patch->first + patch->count; n++) {
            const cn_contact *x = &f.contact[c->patches.order[n]];
            c->gap[k] = fmin(c->gap[k], x->gap);
            keep_point(&f, x, k, &c->point[c->point_count++]);
        }
    }
    return CN_OK;
}

// ---- the frame that is looked at

static int compare_ids(const void *a, const void *b)
{
    cn_body_id x = ((const carried *)a)->id, y = ((const carried *)b)->id;
    return (x > y) - (x < y);
}

static cn_status find_bodies(cracks *c, const cn_frame *f, cn_error *err)
{
    c->body_count = f->body_count;
    c->now = calloc((size_t)f->body_count + 1, sizeof *c->now);
    c->is_mesh = calloc((size_t)f->body_count + 1, sizeof *c->is_mesh);
    if (c->now == NULL || c->is_mesh == NULL) {
        return cn_fail(err, CN_NO_MEMORY, "no memory for %d bodies", f->body_count);
    }
    for (int i = 0; i < f->body_count; i++) {
        c->now[i] = (carried){f->id[i], i};
    }
    for (int k = 0; k < f->mesh_count; k++) {
        c->is_mesh[f->mesh[k].body] = true;
    }
    qsort(c->now, (size_t)f->body_count, sizeof *c->now, compare_ids);
    return CN_OK;
}

// Place of a rigid body in the frame, -1 if it is gone or deformable.
static int rigid_place(const cracks *c, cn_body_id id)
{
    const carried key = {.id = id};
    const carried *found =
        bsearch(&key, c->now, (size_t)c->body_count, sizeof *c->now, compare_ids);
    return found != NULL && !c->is_mesh[found->body] ? found->body : -1;
}

// Writes place, normal, openings and slip of a joint (16.28); `first` is the first of its points.
static void print_joint(FILE *out, const cracks *c, const cn_frame *f, const joint_point *first,
                        int count)
{
    int k = first->patch,
        body[2] = {rigid_place(c, c->of[2 * k]), rigid_place(c, c->of[2 * k + 1])};
    double least = INFINITY, most = -INFINITY, slip = 0.0;
    cn_vec3 middle = cn_v3(0.0, 0.0, 0.0), normal = middle;
    bool is_there = body[0] >= 0 && body[1] >= 0;
    for (int n = 0; n < count && is_there; n++) {
        cn_vec3 x[2], both = cn_v3(0.0, 0.0, 0.0);
        for (int s = 0; s < 2; s++) {
            pose at = pose_of(f, body[s]);
            x[s] = cn_add3(at.x, cn_mat3_mul(&at.R, first[n].at[s]));
            both = cn_add3(both, cn_mat3_mul(&at.R, first[n].normal[s]));
        }
        normal = cn_mul3(1.0 / fmax(cn_norm3(both), 1e-300), both);
        cn_vec3 apart = cn_sub3(x[0], x[1]);
        double opening = cn_dot3(normal, apart);
        least = fmin(least, opening);
        most = fmax(most, opening);
        slip = fmax(slip, cn_norm3(cn_add_mul3(apart, -opening, normal)));
        middle = cn_add_mul3(middle, 0.5 / count, cn_add3(x[0], x[1]));
    }
    const double place[3] = {is_there ? middle.x : NAN, is_there ? middle.y : NAN,
                             is_there ? middle.z : NAN};
    const double out_of[3] = {is_there ? normal.x : NAN, is_there ? normal.y : NAN,
                              is_there ? normal.z : NAN};
    cn_print_vector(out, place, f->dim);
    cn_print_vector(out, out_of, f->dim);
    fprintf(out, "%.9g,%.9g,%.9g,%.9g,%.9g,%d\n", c->patches.patch[k].area, c->gap[k],
            is_there ? least : NAN, is_there ? most : NAN, is_there ? slip : NAN, count);
}

static cn_status print_cracks(FILE *out, cn_reader *reader, int frame, cracks *c, cn_error *err)
{
    cn_frame f;
    CN_TRY(cn_reader_frame(reader, frame, &f, err));
    CN_TRY(find_bodies(c, &f, err));
    fputs(c->dim == 2 ? "body,other,x,y,nx,ny,length" : "body,other,x,y,z,nx,ny,nz,area", out);
    fputs(",gap_0,opening_least,opening_most,slip,points\n", out);
    for (int a = 0; a < c->point_count;) {
        int k = c->point[a].patch, count = c->patches.patch[k].count;
        cn_print_body(out, reader, c->of[2 * k]);
        cn_print_body(out, reader, c->of[2 * k + 1]);
        print_joint(out, c, &f, &c->point[a], count);
        a += count;
    }
    return CN_OK;
}

cn_status cn_crack_table(cn_reader *reader, int frame, char **table, cn_error *err)
{
    CN_NEED(err, reader, table);
    size_t size = 0;
    cracks c = {0};
    *table = NULL;
    FILE *out = open_memstream(table, &size);
    cn_status status =
        out != NULL ? CN_OK : cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
    CN_THEN(status, keep_first(reader, &c, err));
    CN_THEN(status, print_cracks(out, reader, frame, &c, err));
    if (out != NULL && fclose(out) != 0 && status == CN_OK) {
        status = cn_fail(err, CN_NO_MEMORY, "out of memory for a table");
    }
    cn_patch_forces_free(&c.patches);
    CN_RELEASE(c.of, c.gap, c.point, c.now, c.is_mesh);
    if (status != CN_OK) {
        free(*table);
        *table = NULL;
    }
    return status;
}
