// body/deformable/pseudo_rigid_hull.c -- a pseudo-rigid body in space as the convex polyhedron that
// it is, theory 11.30.
//
// An affine motion keeps a polyhedron one, with the same faces, edges and corners: the model knows
// these once, and a body only moves its corners. Every point of the body is a mean of four of them.
#include <math.h>

#include "body/deformable/deformables.h"
#include "math/small_systems.h"

static cn_vec3 node_at(const double *X, int n)
{
    return cn_v3(X[3 * n], X[3 * n + 1], X[3 * n + 2]);
}

static double hull_volume(const cn_hull *hull)
{
    double sum = 0.0;
    for (int f = 0; f < hull->face_count; f++) {
        const int *loop = hull->face_vertex + hull->face_start[f];
        cn_vec3 a = hull->vertex[loop[0]];
        for (int k = 1; k + 1 < hull->face_start[f + 1] - hull->face_start[f]; k++) {
            cn_vec3 b = hull->vertex[loop[k]], c = hull->vertex[loop[k + 1]];
            sum += cn_dot3(a, cn_cross3(b, c)) / 6.0;
        }
    }
    return sum;
}

// Nodes at the vertices, which keep the order of the points; false if one is not found.
static bool find_nodes(const cn_model *model)
{
    const cn_skin *skin = &model->skin;
    int n = 0;
    for (int v = 0; v < model->hull->vertex_count; v++, n++) {
        cn_vec3 at = model->hull->vertex[v];
        for (; n < skin->node_count; n++) {
            cn_vec3 X = node_at(model->mesh->X, skin->node[n]);
            if (X.x == at.x && X.y == at.y && X.z == at.z) {
                break;
            }
        }
        if (n == skin->node_count) {
            return false;
        }
        model->hull_node[v] = skin->node[n];
    }
    return true;
}

// Six times the volume of four points, or twice the area of three, or the distance of two.
static double spread_of(int count, const cn_vec3 *p)
{
    cn_vec3 a = cn_sub3(p[1], p[0]);
    if (count == 2) {
        return cn_norm3(a);
    }
    cn_vec3 normal = cn_cross3(a, cn_sub3(p[2], p[0]));
    return count == 3 ? cn_norm3(normal) : fabs(cn_dot3(normal, cn_sub3(p[3], p[0])));
}

// Four vertices, each as far as can be from those before.
static void choose_frame(cn_model *model)
{
    cn_vec3 p[4] = {model->hull->vertex[0]};
    model->frame[0] = 0;
    for (int count = 2; count <= 4; count++) {
        double most = -1.0;
        for (int v = 0; v < model->hull->vertex_count; v++) {
            p[count - 1] = model->hull->vertex[v];
            double spread = spread_of(count, p);
            if (spread > most) {
                most = spread;
                model->frame[count - 1] = v;
            }
        }
        p[count - 1] = model->hull->vertex[model->frame[count - 1]];
    }
}

static void drop_hull(const cn_hooks *hooks, cn_model *model)
{
    cn_hull_destroy(hooks, model->hull);
    cn_release(hooks, model->hull_node);
    model->hull = NULL;
    model->hull_node = NULL;
}

cn_status cn_model_find_hull(const cn_hooks *hooks, cn_model *model, cn_error *err)
{
    const cn_skin *skin = &model->skin;
    if (model->weight == NULL || skin->dim != 3) {
        return CN_OK;
    }
    double *point = NULL;
    size_t capacity = 0, node_capacity = 0;
    CN_TRY(cn_reserve(hooks, &point, &capacity, 3 * (size_t)skin->node_count, err));
    for (int n = 0; n < 3 * skin->node_count; n++) {
        point[n] = model->mesh->X[3 * skin->node[n / 3] + n % 3];
    }
    cn_error own = {0};
    cn_status status = cn_hull_create(hooks, point, skin->node_count, &model->hull, &own);
    cn_release(hooks, point);
    if (status != CN_OK) { // more corners than a polyhedron may have: its skin is met instead
        model->hull = NULL;
        return status == CN_BAD_INPUT ? CN_OK : cn_fail(err, status, "%s", own.text);
    }
    status = cn_reserve(hooks, &model->hull_node, &node_capacity, (size_t)model->hull->vertex_count,
                        err);
    double volume = model->mesh->volume;
    if (status != CN_OK || !find_nodes(model) ||
        fabs(hull_volume(model->hull) - volume) > 1e-9 * volume) {
        drop_hull(hooks, model);
        return status;
    }
    choose_frame(model);
    model->width = cn_hull_width(model->hull);
    return CN_OK;
}

void cn_deformable_hull_vertices(const cn_deformables *m, int k, const double *field,
                                 cn_vec3 *vertex)
{
    const cn_model *model = cn_deformable_model(m, k);
    for (int v = 0; v < model->hull->vertex_count; v++) {
        vertex[v] = cn_deformable_at(m, k, model->hull_node[v], field);
    }
}

cn_anchor cn_deformable_hull_anchor(const cn_deformables *m, int k, const double *field,
                                    cn_vec3 point)
{
    const cn_model *model = cn_deformable_model(m, k);
    cn_anchor anchor = {.mesh = k, .count = 4};
    cn_vec3 p[4];
    for (int n = 0; n < 4; n++) {
        anchor.node[n] = model->hull_node[model->frame[n]];
        p[n] = cn_deformable_at(m, k, anchor.node[n], field);
    }
    double A[9], b[3];
    for (int i = 0; i < 3; i++) {
        for (int n = 0; n < 3; n++) {
            A[3 * i + n] = (&p[n + 1].x)[i] - (&p[0].x)[i];
        }
        b[i] = (&point.x)[i] - (&p[0].x)[i];
    }
    cn_small_solve(3, 1, A, b);
    anchor.weight[0] = 1.0 - b[0] - b[1] - b[2];
    for (int n = 0; n < 3; n++) {
        anchor.weight[n + 1] = b[n];
    }
    return anchor;
}
