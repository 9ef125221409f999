// body/deformable/joint_frame.c -- points and frames on deformable bodies, theory 11.21 to 11.23.
#include "body/deformable/joint_frame.h"

#include <math.h>
#include <string.h>

#include "math/small_systems.h"

cn_status cn_mount_reserve(const cn_hooks *hooks, cn_mount *mount, int count, cn_error *err)
{
    size_t nodes = (size_t)count;
    CN_TRY(cn_reserve(hooks, &mount->node, &mount->node_capacity, nodes, err));
    CN_TRY(cn_reserve(hooks, &mount->weight, &mount->weight_capacity, nodes, err));
    return cn_reserve(hooks, &mount->lever, &mount->lever_capacity, nodes, err);
}

void cn_mount_free(const cn_hooks *hooks, cn_mount *mount)
{
    cn_release(hooks, mount->node);
    cn_release(hooks, mount->weight);
    cn_release(hooks, mount->lever);
    *mount = CN_MOUNT_NONE;
}

static cn_vec3 reference(const cn_deformables *m, const cn_mount *mount, int n)
{
    const double *X = cn_deformable_model(m, mount->mesh)->mesh->X + m->dim * mount->node[n];
    return cn_v3(X[0], X[1], m->dim == 3 ? X[2] : 0.0);
}

// Z = w (X - mean of X) (11.21).
static void set_levers(const cn_deformables *m, cn_mount *mount)
{
    cn_vec3 mean = {0.0, 0.0, 0.0};
    for (int n = 0; n < mount->count; n++) {
        mean = cn_add_mul3(mean, mount->weight[n], reference(m, mount, n));
    }
    for (int n = 0; n < mount->count; n++) {
        mount->lever[n] = cn_mul3(mount->weight[n], cn_sub3(reference(m, mount, n), mean));
    }
}

// Levers with sum x Z^T = F whatever the homogeneous deformation F: X - mean of X, times the
// inverse of their second moment.
static void set_affine_levers(const cn_deformables *m, cn_mount *mount)
{
    int dim = m->dim;
    cn_vec3 mean = {0.0, 0.0, 0.0};
    double S[9] = {0.0};
    for (int n = 0; n < mount->count; n++) {
        mean = cn_add_mul3(mean, 1.0 / mount->count, reference(m, mount, n));
    }
    for (int n = 0; n < mount->count; n++) {
        cn_vec3 Y = mount->lever[n] = cn_sub3(reference(m, mount, n), mean);
        for (int k = 0; k < dim * dim; k++) {
            S[k] += (&Y.x)[k / dim] * (&Y.x)[k % dim];
        }
    }
    for (int n = 0; n < mount->count; n++) {
        double A[9];
        memcpy(A, S, sizeof A);
        cn_small_solve(dim, 1, A, &mount->lever[n].x);
    }
}

// A field over the nodes of the mesh of the body: positions or velocities.
static cn_vec3 value(const cn_deformables *m, const cn_mount *mount, int n, cn_mount_at at)
{
    cn_vec3 x = cn_deformable_at(m, mount->mesh, mount->node[n], at.x);
    if (at.dt == 0.0) {
        return x;
    }
    return cn_add_mul3(x, at.dt, cn_deformable_at(m, mount->mesh, mount->node[n], m->v));
}

cn_vec3 cn_mount_place(const cn_deformables *m, const cn_mount *mount, cn_mount_at at)
{
    cn_vec3 sum = {0.0, 0.0, 0.0};
    for (int n = 0; n < mount->count; n++) {
        sum = cn_add_mul3(sum, mount->weight[n], value(m, mount, n, at));
    }
    return sum;
}

// B = sum x Z^T (11.21) over its size, with x from the point so that rounding stays small far from
// the origin.
static cn_mat3 spread(const cn_deformables *m, const cn_mount *mount, cn_mount_at at, double *size)
{
    cn_mat3 B = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    cn_vec3 centre = cn_mount_place(m, mount, at);
    for (int n = 0; n < mount->count; n++) {
        cn_vec3 y = cn_sub3(value(m, mount, n, at), centre);
        for (int i = 0; i < 3; i++) {
            B.row[i] = cn_add_mul3(B.row[i], (&y.x)[i], mount->lever[n]);
        }
    }
    *size = sqrt(cn_dot3(B.row[0], B.row[0]) + cn_dot3(B.row[1], B.row[1]) +
                 cn_dot3(B.row[2], B.row[2]));
    for (int i = 0; i < 3 && *size > 0.0; i++) {
        B.row[i] = cn_mul3(1.0 / *size, B.row[i]);
    }
    return B;
}

static cn_mat3 inverse_of(const cn_mat3 *T)
{
    const cn_vec3 *r = T->row;
    cn_vec3 a = cn_cross3(r[1], r[2]), b = cn_cross3(r[2], r[0]), c = cn_cross3(r[0], r[1]);
    double det = cn_dot3(r[0], a);
    return (cn_mat3){{cn_mul3(1.0 / det, cn_v3(a.x, b.x, c.x)),
                      cn_mul3(1.0 / det, cn_v3(a.y, b.y, c.y)),
                      cn_mul3(1.0 / det, cn_v3(a.z, b.z, c.z))}};
}

// R of B, which may have a null vector: B and its cofactors, R cof U, have the same rotation, and
// their sum has an inverse unless all nodes lie on a line.
static cn_mat3 rotation(int dim, cn_mat3 B)
{
    if (dim == 2) {
        double c = B.row[0].x + B.row[1].y, s = B.row[1].x - B.row[0].y, r = hypot(c, s);
        c = r > 0.0 ? c / r : 1.0;
        s = r > 0.0 ? s / r : 0.0;
        return (cn_mat3){{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
    }
    const cn_vec3 *r = B.row;
    return cn_mat3_rotation(
        (cn_mat3){{cn_add3(r[0], cn_cross3(r[1], r[2])), cn_add3(r[1], cn_cross3(r[2], r[0])),
                   cn_add3(r[2], cn_cross3(r[0], r[1]))}});
}

// tr V - V with V = B R^T (11.22); of the plane its last entry alone counts.
static cn_mat3 stretch(const cn_mat3 *B, const cn_mat3 *R)
{
    cn_mat3 T;
    double trace = 0.0;
    for (int i = 0; i < 3; i++) {
        T.row[i] = cn_mul3(-1.0, cn_mat3_mul(R, B->row[i]));
        trace -= (&T.row[i].x)[i];
    }
    for (int i = 0; i < 3; i++) {
        (&T.row[i].x)[i] += trace;
    }
    return T;
}

cn_mount_turn cn_mount_turn_of(const cn_deformables *m, const cn_mount *mount, cn_mount_at at)
{
    cn_mount_turn turn = {.R = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    if (!mount->has_frame) {
        return turn;
    }
    double size;
    cn_mat3 B = spread(m, mount, at, &size);
    turn.R = rotation(m->dim, B);
    cn_mat3 T = stretch(&B, &turn.R);
    if (m->dim == 2) {
        turn.inverse.row[2].z = 1.0 / (size * T.row[2].z);
        return turn;
    }
    turn.inverse = inverse_of(&T);
    for (int i = 0; i < 3; i++) {
        turn.inverse.row[i] = cn_mul3(1.0 / size, turn.inverse.row[i]);
    }
    return turn;
}

// Whether the nodes span a frame: in space they must not lie on a line, in the plane not at a
// point.
static bool spans_frame(const cn_deformables *m, const cn_mount *mount)
{
    const double LEAST = 1e-8; // of det(tr V - V), V of size 1: 1e-4 of the length across the line
    double length = 0.0, size;
    for (int n = 0; n < mount->count; n++) {
        length += cn_norm3(mount->lever[n]);
    }
    if (!(length > 1e-9 * cn_deformable_model(m, mount->mesh)->size)) {
        return false;
    }
    cn_mat3 B = spread(m, mount, (cn_mount_at){m->x, 0.0}, &size);
    cn_mat3 R = rotation(m->dim, B), T = stretch(&B, &R);
    double det = cn_dot3(T.row[0], cn_cross3(T.row[1], T.row[2]));
    return m->dim == 2 ? T.row[2].z > LEAST : det > LEAST;
}

static cn_status refuse_axisymmetric(const cn_fem *mesh, cn_error *err)
{
    return mesh->plane != CN_AXISYMMETRIC
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT,
                         "is axisymmetric, where a point is a ring: hold or drive a set of its "
                         "nodes instead");
}

cn_status cn_mount_point(const cn_hooks *hooks, const cn_deformables *m, int k, cn_vec3 at,
                         cn_mount *mount, cn_error *err)
{
    const double NEAR = 0.05; // of the smallest extent: chords of round bodies
    const cn_fem *mesh = cn_deformable_model(m, k)->mesh;
    bool is_pseudo_rigid = cn_deformable_is_pseudo_rigid(m, k);
    CN_TRY(refuse_axisymmetric(mesh, err));
    const double *x = is_pseudo_rigid ? m->point_x + m->point_start[k] : m->x + m->dof_start[k];
    double N[CN_ELEMENT_NODES_MAX], distance;
    int e = cn_fem_locate(mesh, x, &at.x, N, &distance);
    if (e < 0 || !(distance <= NEAR * cn_deformable_model(m, k)->size)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "is %.3g m away from (%g, %g, %g): name a point of its mesh, or a set of it",
                       distance, at.x, at.y, at.z);
    }
    int first = mesh->element_start[e], count = mesh->element_start[e + 1] - first;
    CN_TRY(cn_mount_reserve(hooks, mount, count, err));
    mount->mesh = k;
    mount->count = count;
    memcpy(mount->node, mesh->element_node + first, sizeof(int) * (size_t)count);
    memcpy(mount->weight, N, sizeof(double) * (size_t)count);
    memset(mount->lever, 0, sizeof *mount->lever * (size_t)count);
    mount->has_frame = is_pseudo_rigid;
    if (is_pseudo_rigid) {
        set_affine_levers(m, mount);
    }
    return CN_OK;
}

// Adds the integrals of shape functions over the sides of a set to all nodes; returns the area.
static double weigh_sides(const cn_fem *mesh, int set, double *of_node)
{
    double area = 0.0;
    for (int n = mesh->set_face_start[set]; n < mesh->set_face_start[set + 1]; n++) {
        double weight[CN_SIDE_NODES_MAX];
        int face = mesh->set_face[n], count = cn_fem_face_weights(mesh, face, weight);
        for (int a = 0; a < count; a++) {
            of_node[mesh->face_node[mesh->face_start[face] + a]] += weight[a];
            area += weight[a];
        }
    }
    return area;
}

// Weights of all nodes of the mesh; returns their sum.
static double weigh_set(const cn_fem *mesh, int set, double *of_node)
{
    memset(of_node, 0, sizeof *of_node * (size_t)mesh->node_count);
    double area = weigh_sides(mesh, set, of_node);
    for (int n = mesh->set_node_start[set]; n < mesh->set_node_start[set + 1] && area == 0.0; n++) {
        of_node[mesh->set_node[n]] = 1.0;
    }
    double sum = 0.0;
    for (int n = 0; n < mesh->node_count; n++) {
        sum += of_node[n];
    }
    return sum;
}

cn_status cn_mount_set(const cn_hooks *hooks, const cn_deformables *m, int k, const char *set,
                       cn_mount *mount, cn_error *err)
{
    const cn_fem *mesh = cn_deformable_model(m, k)->mesh;
    CN_TRY(refuse_axisymmetric(mesh, err));
    int s = cn_fem_set_find(mesh, set);
    if (s < 0) {
        return cn_fail(err, CN_BAD_INPUT, "has no set '%.60s'", set);
    }
    CN_TRY(cn_mount_reserve(hooks, mount, mesh->node_count, err)); // weights of all nodes first
    double sum = weigh_set(mesh, s, mount->weight);
    mount->mesh = k;
    mount->count = 0;
    for (int n = 0; n < mesh->node_count; n++) {
        if (mount->weight[n] != 0.0) {
            mount->node[mount->count] = n;
            mount->weight[mount->count++] = mount->weight[n] / sum;
        }
    }
    if (mount->count == 0) {
        return cn_fail(err, CN_BAD_INPUT, "has nothing in its set '%.60s'", set);
    }
    set_levers(m, mount);
    mount->has_frame = spans_frame(m, mount);
    return CN_OK;
}

bool cn_mount_can_move(const cn_deformables *m, const cn_mount *mount)
{
    const unsigned char *held = m->held + m->dof_start[mount->mesh];
    if (cn_deformable_is_pseudo_rigid(m, mount->mesh)) {
        for (int d = 0; d < cn_deformable_dof(m, mount->mesh); d++) {
            if (!held[d]) {
                return true;
            }
        }
        return false;
    }
    for (int n = 0; n < m->dim * mount->count; n++) {
        if (mount->weight[n / m->dim] != 0.0 &&
            !held[m->dim * mount->node[n / m->dim] + n % m->dim]) {
            return true;
        }
    }
    return false;
}

void cn_mount_velocity(const cn_deformables *m, const cn_mount *mount, const cn_mount_turn *turn,
                       const double *v, cn_vec3 *velocity, cn_vec3 *rate)
{
    cn_vec3 sum = {0.0, 0.0, 0.0};
    *velocity = cn_mount_place(m, mount, (cn_mount_at){v, 0.0});
    for (int n = 0; n < mount->count && mount->has_frame; n++) {
        cn_vec3 own = cn_sub3(cn_deformable_at(m, mount->mesh, mount->node[n], v), *velocity);
        sum = cn_add3(sum, cn_cross3(cn_mat3_mul(&turn->R, mount->lever[n]), own));
    }
    *rate = cn_mat3_mul(&turn->inverse, sum); // (11.22)
}

cn_vec3 cn_mount_share(const cn_mount *mount, const cn_mount_turn *turn, int n, cn_vec3 force,
                       cn_vec3 moment)
{
    cn_vec3 share = cn_mul3(mount->weight[n], force);
    if (!mount->has_frame) {
        return share;
    }
    cn_vec3 c = cn_mat3_mul(&turn->inverse, moment); // symmetric
    return cn_add3(share, cn_cross3(c, cn_mat3_mul(&turn->R, mount->lever[n])));
}

void cn_mount_row(const cn_deformables *m, const cn_mount *mount, const cn_mount_turn *turn,
                  cn_vec3 force, cn_vec3 moment, double *own)
{
    const unsigned char *held = m->held + m->dof_start[mount->mesh];
    for (int n = 0; n < mount->count; n++) {
        cn_deformable_push_own(m, mount->mesh, mount->node[n],
                               cn_mount_share(mount, turn, n, force, moment), own);
    }
    for (int d = 0; d < cn_deformable_dof(m, mount->mesh); d++) {
        own[d] = held[d] ? 0.0 : own[d];
    }
}

void cn_mount_push(cn_deformables *m, const cn_mount *mount, const cn_mount_turn *turn,
                   cn_vec3 force, cn_vec3 moment)
{
    bool is_shown = cn_deformable_is_pseudo_rigid(m, mount->mesh);
    double *shown = m->point_impulse + m->point_start[mount->mesh];
    m->body[mount->mesh].is_pushed = true;
    for (int n = 0; n < mount->count; n++) {
        cn_vec3 share = cn_mount_share(mount, turn, n, force, moment);
        cn_deformable_push(m, mount->mesh, mount->node[n], share, m->impulse);
        for (int d = 0; d < m->dim && is_shown; d++) {
            shown[m->dim * mount->node[n] + d] += (&share.x)[d];
        }
    }
}
