// body/rigid3.c -- rigid bodies in space: theory 3.7 to 3.10.
//
// The frame of a body is its principal frame, so the inertia is three numbers J. Free rotation is
// the implicit midpoint rule in body axes with a Cayley step, which keeps the spatial angular
// momentum L exactly and, with theta = 1/2, the energy. Impulses change L; the velocity that
// solvers see uses the inertia at q_mid.
#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "body/gravity.h"
#include "body/rigid.h"

enum { SHARED_MIN = 1024 }; // bodies per thread

static cn_vec3 vec_at(const double *x)
{
    return cn_v3(x[0], x[1], x[2]);
}

static void put(cn_vec3 a, double *x)
{
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

static cn_quat quat_at(const double *q)
{
    return (cn_quat){q[3], q[4], q[5], q[6]};
}

// Turn by the Cayley transform of the body rate times h: q (1, h Omega / 2), made unit. What does
// not turn keeps its bits: made unit again and again, a quaternion may swing by its last bit for
// ever, and contacts where two points are equally near would jump with it.
static cn_quat cayley(cn_quat q, cn_vec3 Omega, double h)
{
    cn_quat turn = {1.0, 0.5 * h * Omega.x, 0.5 * h * Omega.y, 0.5 * h * Omega.z};
    if (turn.x == 0.0 && turn.y == 0.0 && turn.z == 0.0) {
        return q;
    }
    return cn_quat_unit(cn_quat_mul(q, turn));
}

// Spatial angular momentum of a body turned by R that rotates at omega (world axes).
static cn_vec3 angular_momentum(const double *J, const cn_mat3 *R, cn_vec3 omega)
{
    cn_vec3 Omega = cn_mat3_mul_transposed(R, omega);
    return cn_mat3_mul(R, cn_v3(J[0] * Omega.x, J[1] * Omega.y, J[2] * Omega.z));
}

// A body that turns, in its axes at the beginning of the step.
typedef struct turning {
    const double *J;
    cn_vec3 Omega; // at the beginning
    cn_vec3 l;     // angular momentum that it ends with
    double h, theta;
} turning;

static cn_vec3 times(const double *J, cn_vec3 a)
{
    return cn_v3(J[0] * a.x, J[1] * a.y, J[2] * a.z);
}

static cn_vec3 mean_rate(const turning *t, cn_vec3 end)
{
    return cn_add_mul3(cn_mul3(1.0 - t->theta, t->Omega), t->theta, end);
}

// (3.9): J Omega+ - l + h/2 Omega_theta x (J Omega+ + l) is zero.
static cn_vec3 imbalance(const turning *t, cn_vec3 end)
{
    cn_vec3 m = times(t->J, end);
    return cn_add_mul3(cn_sub3(m, t->l), 0.5 * t->h,
                       cn_cross3(mean_rate(t, end), cn_add3(m, t->l)));
}

// What Newton's method adds to Omega+: the columns of its matrix are the changes of the imbalance
// with each axis, and the system is solved by triple products.
static cn_vec3 correction(const turning *t, cn_vec3 end, cn_vec3 F)
{
    cn_vec3 sum = cn_add3(times(t->J, end), t->l), mean = mean_rate(t, end), column[3];
    for (int k = 0; k < 3; k++) {
        cn_vec3 axis = cn_v3(k == 0, k == 1, k == 2);
        cn_vec3 change =
            cn_add_mul3(cn_mul3(t->theta, cn_cross3(axis, sum)), t->J[k], cn_cross3(mean, axis));
        column[k] = cn_add_mul3(cn_mul3(t->J[k], axis), 0.5 * t->h, change);
    }
    cn_vec3 yz = cn_cross3(column[1], column[2]), zx = cn_cross3(column[2], column[0]);
    cn_vec3 xy = cn_cross3(column[0], column[1]);
    double part = -1.0 / cn_dot3(column[0], yz);
    return cn_v3(part * cn_dot3(F, yz), part * cn_dot3(F, zx), part * cn_dot3(F, xy));
}

// Newton's method on Omega+, each correction shortened until it helps. A fixed point would contract
// at h |Omega| J_max / J_min only, which a slender body exceeds at any speed. False: it stalls.
static bool balance(const turning *t, cn_vec3 *end)
{
    enum { TRIES = 60 };
    cn_vec3 F = imbalance(t, *end);
    double rounding = 1e-16 * cn_norm3(t->l), size = cn_norm3(F), part = 1.0;
    for (int k = 0; k < TRIES && size > rounding && part > 1e-3; k++) {
        cn_vec3 next = cn_add_mul3(*end, part, correction(t, *end, F)), left = imbalance(t, next);
        bool is_better = cn_norm3(left) < size;
        *end = is_better ? next : *end;
        F = is_better ? left : F;
        size = cn_norm3(F);
        part = is_better ? 1.0 : 0.5 * part;
    }
    return size <= 1e4 * rounding;
}

// (3.8): orientation and body rate at the end of a step that ends with the momentum L. Where a step
// turns by radians, the solution is followed from that of a short one.
static cn_quat turn_with_momentum(const double *J, cn_quat q, cn_vec3 Omega, cn_vec3 L, double h,
                                  double theta, cn_vec3 *Omega_end)
{
    enum { STRIDES = 64 };
    cn_mat3 R = cn_quat_matrix(q);
    turning t = {J, Omega, cn_mat3_mul_transposed(&R, L), h, theta};
    cn_vec3 end = Omega;
    if (!balance(&t, &end)) {
        end = cn_v3(t.l.x / J[0], t.l.y / J[1], t.l.z / J[2]);
        for (int k = 1; k <= STRIDES; k++) {
            t.h = h * k / STRIDES;
            balance(&t, &end);
        }
    }
    cn_quat q_end = cayley(q, mean_rate(&t, end), h);
    R = cn_quat_matrix(q_end);
    cn_vec3 body = cn_mat3_mul_transposed(&R, L);
    *Omega_end = cn_v3(body.x / J[0], body.y / J[1], body.z / J[2]);
    return q_end;
}

// Rotation of A^-1/2 with held axes left out: F with F^T F = P (P^T I P)^-1 P^T, by Cholesky of the
// free block of I = R J R^T and substitution. F has nine entries, rows first.
static void root_of_held(const double *J, const cn_mat3 *R, const bool is_held[3], double *F)
{
    double I[3][3], L[3][3] = {{0}};
    for (int r = 0; r < 3; r++) {
        const double *row = &R->row[r].x;
        for (int c = 0; c < 3; c++) {
            const double *other = &R->row[c].x;
            I[r][c] =
                row[0] * J[0] * other[0] + row[1] * J[1] * other[1] + row[2] * J[2] * other[2];
        }
    }
    memset(F, 0, 9 * sizeof *F);
    for (int r = 0; r < 3; r++) {
        if (is_held[r]) {
            continue;
        }
        for (int c = 0; c <= r; c++) {
            double sum = I[r][c];
            for (int k = 0; k < c; k++) {
                sum -= L[r][k] * L[c][k];
            }
            L[r][c] = is_held[c] ? 0.0 : (r == c ? sqrt(sum) : sum / L[c][c]);
        }
        // Row r of F = L^-1 by forward substitution.
        for (int c = 0; c <= r; c++) {
            double sum = r == c ? 1.0 : 0.0;
            for (int k = c; k < r; k++) {
                sum -= L[r][k] * F[3 * k + c];
            }
            F[3 * r + c] = is_held[c] ? 0.0 : sum / L[r][r];
        }
    }
}

// A^-1/2: one number per axis of translation, then F of the rotation.
static void set_root(cn_bodies *b, int i, const cn_mat3 *R_mid)
{
    double *root = b->root + 12 * i, *F = root + 3;
    const double *J = b->inertia + 3 * i;
    bool is_held[3];
    for (int d = 0; d < 3; d++) {
        root[d] = cn_dof_is_held(b, i, d) ? 0.0 : 1.0 / sqrt(b->mass[i]);
        is_held[d] = cn_dof_is_held(b, i, 3 + d);
    }
    if (is_held[0] || is_held[1] || is_held[2]) {
        root_of_held(J, R_mid, is_held, F);
        return;
    }
    bool is_ball = J[0] == J[1] && J[1] == J[2]; // any turn will do, none keeps balls simple
    for (int r = 0; r < 3; r++) {                // F = J^-1/2 R^T
        double s = 1.0 / sqrt(J[r]);
        if (is_ball) {
            memset(F + 3 * r, 0, 3 * sizeof *F);
            F[4 * r] = s;
            continue;
        }
        for (int c = 0; c < 3; c++) {
            F[3 * r + c] = s * (&R_mid->row[c].x)[r];
        }
    }
}

// Rotation without contacts. A body with held axes turns with the imposed rates about those and
// keeps its rate about the free ones, changed by torques.
static void free_rotation(cn_bodies *b, int i, double h, double theta, const cn_mat3 *R)
{
    const double *J = b->inertia + 3 * i, *q = b->q + 7 * i;
    cn_vec3 omega = vec_at(b->v + 6 * i + 3), torque = vec_at(b->f + 6 * i + 3);
    double *free_rate = b->v_free + 6 * i + 3;
    bool any_held = cn_dof_is_held(b, i, 3) || cn_dof_is_held(b, i, 4) || cn_dof_is_held(b, i, 5);
    if (!any_held) {
        cn_vec3 L = cn_add_mul3(angular_momentum(J, R, omega), h, torque), Omega_end;
        cn_quat end = turn_with_momentum(J, quat_at(q), cn_mat3_mul_transposed(R, omega), L, h,
                                         theta, &Omega_end);
        cn_mat3 R_end = cn_quat_matrix(end);
        put(cn_mat3_mul(&R_end, Omega_end), free_rate);
        return;
    }
    const double *F = b->root + 12 * i + 3;
    double w[3] = {0};
    for (int r = 0; r < 3; r++) {
        w[r] = F[3 * r] * torque.x + F[3 * r + 1] * torque.y + F[3 * r + 2] * torque.z;
    }
    for (int d = 0; d < 3; d++) {
        double change = F[d] * w[0] + F[3 + d] * w[1] + F[6 + d] * w[2];
        if (!cn_dof_is_held(b, i, 3 + d)) {
            free_rate[d] = (&omega.x)[d] + h * change;
        }
    }
}

static void put_quat(cn_quat turn, double *q)
{
    q[3] = turn.w;
    q[4] = turn.x;
    q[5] = turn.y;
    q[6] = turn.z;
}

static void advance(const double *q, const double *v, double dt, double *q_after)
{
    for (int d = 0; d < 3; d++) {
        q_after[d] = q[d] + dt * v[d];
    }
    cn_mat3 R = cn_quat_matrix(quat_at(q));
    put_quat(cayley(quat_at(q), cn_mat3_mul_transposed(&R, vec_at(v + 3)), dt), q_after);
}

static cn_body_pose pose(const double *q)
{
    return (cn_body_pose){vec_at(q), cn_quat_matrix(quat_at(q))};
}

static void free_motion(cn_bodies *b, double h, double theta, double gamma)
{
    int threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), i, b->count, {
        const double *q = b->q + 7 * i, *v = b->v + 6 * i;
        double *q_mid = b->q_mid + 7 * i;
        for (int d = 0; d < 3; d++) {
            double weight = cn_body_weight(b, i, d);
            if (!cn_dof_is_held(b, i, d)) {
                b->v_free[6 * i + d] = v[d] + h * (weight + b->f[6 * i + d]) / b->mass[i];
            }
        }
        advance(q, v, gamma * h, q_mid);
        cn_mat3 R = cn_quat_matrix(quat_at(q)), R_mid = cn_quat_matrix(quat_at(q_mid));
        set_root(b, i, &R_mid);
        free_rotation(b, i, h, theta, &R);
    });
}

static void rows(const double *q, const cn_axes *frame, double *H)
{
    cn_rigid_rows(3, q, frame, H);
}

static void spin_rows(int count, const cn_vec3 *axis, double *H)
{
    for (int k = 0; k < count; k++) {
        put(cn_v3(0.0, 0.0, 0.0), H + 6 * k);
        put(axis[k], H + 6 * k + 3);
    }
}

static void scale(const double *root, int count, const double *H, double sign, double *G)
{
    cn_rigid_scale(3, root, count, H, sign, G);
}

static void apply(const double *root, int count, const double *G, const double *r, double *v)
{
    cn_rigid_apply(3, root, count, G, r, v);
}

// L+ = L + h torque + I_mid (omega solved - omega free): what impulses add is known exactly (3.10).
static cn_vec3 momentum_after(const cn_bodies *b, int i, double h, const cn_mat3 *R)
{
    const double *J = b->inertia + 3 * i;
    cn_mat3 R_mid = cn_quat_matrix(quat_at(b->q_mid + 7 * i));
    cn_vec3 gained = cn_sub3(vec_at(b->v + 6 * i + 3), vec_at(b->v_free + 6 * i + 3));
    cn_vec3 L = angular_momentum(J, R, vec_at(b->v_before + 6 * i + 3));
    L = cn_add_mul3(L, h, vec_at(b->f + 6 * i + 3));
    return cn_add3(L, angular_momentum(J, &R_mid, gained));
}

static void update(cn_bodies *b, double h, double theta)
{
    int threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), i, b->count, {
        double *q = b->q + 7 * i, *v = b->v + 6 * i;
        const double *v_before = b->v_before + 6 * i;
        for (int d = 0; d < 3; d++) {
            q[d] += h * ((1.0 - theta) * v_before[d] + theta * v[d]);
        }
        cn_mat3 R = cn_quat_matrix(quat_at(q));
        cn_vec3 Omega = cn_mat3_mul_transposed(&R, vec_at(v_before + 3));
        bool any_held =
            cn_dof_is_held(b, i, 3) || cn_dof_is_held(b, i, 4) || cn_dof_is_held(b, i, 5);
        cn_quat end;
        if (any_held) { // rates are imposed in world axes
            cn_vec3 mean =
                cn_add_mul3(cn_mul3(1.0 - theta, vec_at(v_before + 3)), theta, vec_at(v + 3));
            end = cayley(quat_at(q), cn_mat3_mul_transposed(&R, mean), h);
        } else {
            cn_vec3 Omega_end;
            end = turn_with_momentum(b->inertia + 3 * i, quat_at(q), Omega,
                                     momentum_after(b, i, h, &R), h, theta, &Omega_end);
            cn_mat3 R_end = cn_quat_matrix(end);
            put(cn_mat3_mul(&R_end, Omega_end), v + 3);
        }
        put_quat(end, q);
    });
}

static double momentum(const cn_bodies *b, int i, const double *q, const double *v, double *p)
{
    cn_mat3 R = cn_quat_matrix(quat_at(q));
    put(cn_mul3(b->mass[i], vec_at(v)), p);
    put(angular_momentum(b->inertia + 3 * i, &R, vec_at(v + 3)), p + 3);
    double T = 0.0;
    for (int d = 0; d < 6; d++) {
        T += 0.5 * p[d] * v[d];
    }
    return T;
}

static const cn_dof dof_name[6] = {CN_DOF_X, CN_DOF_Y, CN_DOF_Z, CN_DOF_RX, CN_DOF_RY, CN_DOF_RZ};

const cn_body_kind cn_rigid3 = {
    .q_size = 7,
    .dof = 6,
    .inertia_size = 3,
    .root_size = 12,
    .turn_size = 0,
    .dof_name = dof_name,
    .advance = advance,
    .pose = pose,
    .free_motion = free_motion,
    .rows = rows,
    .spin_rows = spin_rows,
    .scale = scale,
    .apply = apply,
    .update = update,
    .momentum = momentum,
};
