// contact/interface_faces.c -- see interface_faces.h.
#include "contact/interface_faces.h"

#include <math.h>
#include <string.h>

#include "body/deformable/deformables.h"

void cn_faces_release(cn_faces *f)
{
    cn_release(f->hooks, f->face);
    cn_release(f->hooks, f->corner);
}

// ---- faces of a body

static cn_status add_face(cn_faces *f, const cn_face *like, const cn_vec3 *corner, int count,
                          cn_error *err)
{
    CN_TRY(cn_reserve(f->hooks, &f->face, &f->face_capacity, (size_t)f->count + 1, err));
    CN_TRY(cn_reserve(f->hooks, &f->corner, &f->corner_capacity, (size_t)(f->corner_count + count),
                      err));
    cn_face *to = &f->face[f->count++];
    *to = *like;
    to->first = f->corner_count;
    to->count = count;
    memcpy(f->corner + f->corner_count, corner, sizeof *corner * (size_t)count);
    f->corner_count += count;
    return CN_OK;
}

// Halves of a four-sided face stand together; the first one has it all.
static bool is_second_half(const cn_facet *half, const cn_facet *before)
{
    int shared = 0;
    for (int k = 0; k < 4 && half->count == 4 && before->count == 4; k++) {
        for (int l = 0; l < 4; l++) {
            shared += half->node[k] == before->node[l] ? 1 : 0;
        }
    }
    return shared == 4;
}

// Whether all corners of a facet are in the set of nodes between which its body bonds.
static bool may_bond(const cn_bodies *b, int body, const cn_facet *facet)
{
    const cn_fem *mesh = cn_deformable_model(b->deformables, b->deformable[body])->mesh;
    int set = b->deformables->body[b->deformable[body]].bond_set, found = 0;
    for (int k = 0; k < facet->count && set >= 0; k++) {
        bool is_in = false;
        for (int n = mesh->set_node_start[set]; n < mesh->set_node_start[set + 1] && !is_in; n++) {
            is_in = mesh->set_node[n] == facet->node[k];
        }
        found += is_in ? 1 : 0;
    }
    return set < 0 || found == facet->count;
}

static cn_status add_facets(cn_faces *f, const cn_bodies *b, int body, cn_error *err)
{
    const cn_skin *skin = &cn_deformable_model(b->deformables, b->deformable[body])->skin;
    cn_facet before = {0};
    for (int n = 0; n < skin->facet_count; n++) {
        cn_facet facet = cn_interface_facet(b, body, n);
        cn_vec3 corner[CN_ANCHOR_NODES];
        cn_mat3 R = cn_interface_frame(b, CN_WHEN_START, body, n);
        cn_face like = {.facet = n};
        bool is_half = is_second_half(&facet, &before);
        before = is_half ? (cn_facet){0} : facet;
        for (int k = 0; k < facet.count; k++) {
            corner[k] = cn_interface_node(b, CN_WHEN_START, body, facet.node[k]);
        }
        like.normal = b->dim == 2 ? cn_v3(-R.row[0].y, -R.row[1].y, 0.0)
                                  : cn_v3(R.row[0].z, R.row[1].z, R.row[2].z);
        if (!is_half && may_bond(b, body, &facet)) {
            CN_TRY(add_face(f, &like, corner, facet.count, err));
        }
    }
    return CN_OK;
}

// A flat of infinite extent through a point.
typedef struct half {
    int dim, shape;
    cn_vec3 on, normal;
} half;

// As far as a ball around `middle` needs it.
static cn_status add_half(cn_faces *f, const half *flat, cn_vec3 middle, double reach,
                          cn_error *err)
{
    cn_vec3 normal = flat->normal;
    cn_vec3 t1 = cn_v3(normal.y, -normal.x, 0.0), t2;
    double off = cn_dot3(cn_sub3(middle, flat->on), normal), r = 4.0 * reach;
    cn_vec3 foot = cn_sub3(middle, cn_mul3(off, normal));
    cn_face like = {.facet = -1, .shape = flat->shape, .normal = normal};
    if (flat->dim == 2) {
        cn_vec3 two[2] = {cn_add_mul3(foot, r, t1), cn_add_mul3(foot, -r, t1)};
        return add_face(f, &like, two, 2, err);
    }
    cn_tangents3(normal, &t1, &t2);
    cn_vec3 four[4];
    for (int k = 0; k < 4; k++) {
        double s = k == 0 || k == 3 ? r : -r, t = k < 2 ? r : -r;
        four[k] = cn_add_mul3(cn_add_mul3(foot, s, t1), t, t2);
    }
    return add_face(f, &like, four, 4, err);
}

static cn_vec3 flat(cn_vec2 x)
{
    return cn_v3(x.x, x.y, 0.0);
}

static cn_status add_shape(cn_faces *f, const cn_bodies *b, int body, int s, cn_vec3 middle,
                           double reach, cn_error *err)
{
    const cn_shape *shape = &b->shape[s];
    cn_posed posed = cn_body_posed(b, s, b->q_before);
    int local = s - b->shape_start[body];
    if (shape->kind == CN_SHAPE_HALF_PLANE) {
        cn_vec2 n = cn_turn2(shape->normal[0], posed.c, posed.s);
        half line = {2, local, flat(cn_posed_vertex(&posed, 0)), flat(n)};
        return add_half(f, &line, middle, reach, err);
    }
    bool has_edges = shape->kind == CN_SHAPE_POLYGON || shape->kind == CN_SHAPE_CAPSULE;
    for (int k = 0; has_edges && k < shape->vertex_count; k++) {
        cn_vec3 n = flat(cn_turn2(shape->normal[k], posed.c, posed.s));
        cn_vec3 two[2] = {flat(cn_posed_vertex(&posed, k)),
                          flat(cn_posed_vertex(&posed, (k + 1) % shape->vertex_count))};
        cn_face like = {.facet = -1, .shape = local, .normal = n};
        for (int l = 0; l < 2; l++) {
            two[l] = cn_add_mul3(two[l], shape->radius, n);
        }
        CN_TRY(add_face(f, &like, two, 2, err));
    }
    return CN_OK;
}

static cn_status add_hull(cn_faces *f, const cn_posed3 *posed, int local, cn_error *err)
{
    const cn_hull *hull = posed->solid->hull;
    for (int n = 0; n < hull->face_count; n++) {
        cn_vec3 corner[CN_PATCH_CORNERS], normal = cn_mat3_mul(&posed->R, hull->normal[n]);
        int count = hull->face_start[n + 1] - hull->face_start[n];
        cn_face like = {.facet = -1, .shape = local, .normal = normal};
        for (int k = 0; k < count && count <= CN_PATCH_CORNERS; k++) {
            cn_vec3 at = hull->vertex[hull->face_vertex[hull->face_start[n] + k]];
            corner[k] = cn_add_mul3(cn_posed3_point(posed, at), posed->solid->radius, normal);
        }
        if (count <= CN_PATCH_CORNERS) { // finer ones are round
            CN_TRY(add_face(f, &like, corner, count, err));
        }
    }
    return CN_OK;
}

static cn_status add_solid(cn_faces *f, const cn_bodies *b, int body, int s, cn_vec3 middle,
                           double reach, cn_error *err)
{
    const cn_solid *solid = &b->solid[s];
    cn_posed3 posed = cn_body_posed3(b, s, b->q_before);
    int local = s - b->shape_start[body];
    if (solid->kind == CN_SOLID_HALF_SPACE) {
        half ground = {3, local, cn_posed3_point(&posed, solid->end[0]),
                       cn_mat3_mul(&posed.R, solid->axis)};
        return add_half(f, &ground, middle, reach, err);
    }
    if (solid->hull != NULL) {
        return add_hull(f, &posed, local, err);
    }
    for (int t = 0; solid->mesh != NULL && t < solid->mesh->triangle_count; t++) {
        cn_vec3 corner[3];
        cn_face like = {
            .facet = -1, .shape = local, .normal = cn_mat3_mul(&posed.R, solid->mesh->normal[t])};
        for (int k = 0; k < 3; k++) {
            corner[k] = cn_posed3_point(&posed, solid->mesh->corner[3 * t + k]);
        }
        CN_TRY(add_face(f, &like, corner, 3, err));
    }
    return CN_OK;
}

// Somewhere on a mesh, and how far it is around it.
static cn_vec3 middle_of(const cn_faces *f, double *reach)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    for (int k = 0; k < f->corner_count; k++) {
        sum = cn_add_mul3(sum, 1.0 / f->corner_count, f->corner[k]);
    }
    *reach = 0.0;
    for (int k = 0; k < f->corner_count; k++) {
        *reach = fmax(*reach, cn_norm3(cn_sub3(f->corner[k], sum)));
    }
    return sum;
}

cn_status cn_faces_list(cn_faces *f, const cn_bodies *b, int body, const cn_faces *other,
                        cn_error *err)
{
    double reach = 0.0;
    if (b->deformable[body] >= 0) {
        return add_facets(f, b, body, err);
    }
    cn_vec3 middle = middle_of(other, &reach);
    for (int s = b->shape_start[body]; s < b->shape_start[body + 1]; s++) {
        CN_TRY(b->dim == 2 ? add_shape(f, b, body, s, middle, reach, err)
                           : add_solid(f, b, body, s, middle, reach, err));
    }
    return CN_OK;
}
