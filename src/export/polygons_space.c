// export/polygons_space.c -- surfaces of solids in space.
//
// Polyhedra are exact; round solids are turned polygons with their corners on the surface.
#include <math.h>

#include "cairn/vec.h"
#include "export/polygons.h"
#include "geometry/space/solid_kind.h"
#include "result/reader.h"

#include "base/memory.h"

enum { SIDES = CN_POLYGON_SIDES };

// A solid placed in the world: a turn and the origin of its frame.
typedef struct placed {
    cn_mat3 R;
    cn_vec3 at;
} placed;

static cn_quat quat_at(const double *q)
{
    return (cn_quat){q[0], q[1], q[2], q[3]};
}

static placed place(const double *q, const cn_solid_def *s)
{
    cn_mat3 body = cn_quat_matrix(quat_at(q + 3));
    cn_vec3 offset = cn_mat3_mul(&body, cn_v3(s->at[0], s->at[1], s->at[2]));
    return (placed){cn_quat_matrix(cn_quat_unit(cn_quat_mul(quat_at(q + 3), quat_at(s->rotation)))),
                    cn_add3(cn_v3(q[0], q[1], q[2]), offset)};
}

static cn_status add_corner(cn_polygons *o, const placed *p, cn_vec3 local, cn_error *err)
{
    cn_vec3 x = cn_add3(p->at, cn_mat3_mul(&p->R, local));
    return cn_polygons_corner(o, x.x, x.y, x.z, err);
}

typedef struct target {
    cn_polygons *polygons;
    const placed *p;
    int body;
} target;

static cn_status add_face(void *context, const cn_vec3 *corner, int count, cn_error *err)
{
    const target *to = context;
    for (int k = 0; k < count; k++) {
        CN_TRY(add_corner(to->polygons, to->p, corner[k], err));
    }
    return cn_polygons_close(to->polygons, to->body, err);
}

// Walls of containers are seen from near.
static cn_status add_faces(cn_polygons *o, const placed *p, const cn_solid_def *s, int body,
                           cn_error *err)
{
    bool is_hollow = s->thickness > 0.0;
    cn_fineness fine = {.rings = is_hollow ? CN_PROFILE_RINGS_MAX : SIDES / 2,
                        .sides = is_hollow ? CN_POLYGON_RING_SIDES : SIDES};
    target to = {o, p, body};
    return cn_solid_faces(s, &fine, add_face, &to, err);
}

static cn_status add_hull(cn_reader *reader, cn_polygons *o, const placed *p, const cn_solid_def *s,
                          int body, cn_error *err)
{
    const cn_hull *hull;
    CN_TRY(cn_reader_hull(reader, s, &hull, err));
    for (int face = 0; face < hull->face_count; face++) {
        for (int k = hull->face_start[face]; k < hull->face_start[face + 1]; k++) {
            CN_TRY(add_corner(o, p, hull->vertex[hull->face_vertex[k]], err));
        }
        CN_TRY(cn_polygons_close(o, body, err));
    }
    return CN_OK;
}

// The part of a half-space that lies beside the middle of everything else, as a flat box.
static cn_status add_slab(cn_polygons *o, const placed *p, const double middle[3], double reach,
                          int body, cn_error *err)
{
    static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    cn_vec3 away = cn_sub3(cn_v3(middle[0], middle[1], middle[2]), p->at);
    cn_vec3 beside = cn_mat3_mul_transposed(&p->R, away);
    for (int n = 0; n < 6; n++) {
        for (int k = 0; k < 4; k++) {
            int bits = face[n][k]; // x, y, z of the corner
            cn_vec3 corner =
                cn_v3(beside.x + (bits & 1 ? reach : -reach),
                      beside.y + (bits & 2 ? reach : -reach), bits & 4 ? 0.0 : -0.1 * reach);
            CN_TRY(add_corner(o, p, corner, err));
        }
        CN_TRY(cn_polygons_close(o, body, err));
    }
    return CN_OK;
}

// Half-spaces come last, when the size of the rest is known.
cn_status cn_polygons_add_solid(const cn_polygons_job *job, int body, const cn_solid_def *s,
                                cn_error *err)
{
    cn_polygons *o = job->polygons;
    placed p = place(job->frame->q + 7 * (size_t)body, s);
    const cn_solid_ops *ops = cn_solid_ops_of(s->kind);
    if (ops->is_unbounded != job->is_last || (ops->end_count == 1 && !job->with_spheres)) {
        return CN_OK;
    }
    if (ops->is_unbounded) {
        return add_slab(o, &p, job->middle, job->reach, body, err);
    }
    return ops->faces != NULL ? add_faces(o, &p, s, body, err)
                              : add_hull(job->reader, o, &p, s, body, err);
}
