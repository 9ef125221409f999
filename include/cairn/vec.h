/// cairn/vec.h -- small vectors, plain and inline.
#pragma once

#include <math.h>

typedef struct cn_vec2 {
    double x, y;
} cn_vec2;

typedef struct cn_vec3 {
    double x, y, z;
} cn_vec3;

/// Box with sides along the axes; in the plane z is 0.
typedef struct cn_box3 {
    cn_vec3 lo, hi;
} cn_box3;

/// Unit quaternion, scalar first.
typedef struct cn_quat {
    double w, x, y, z;
} cn_quat;

static inline cn_vec2 cn_v2(double x, double y)
{
    return (cn_vec2){x, y};
}

static inline cn_vec2 cn_add2(cn_vec2 a, cn_vec2 b)
{
    return cn_v2(a.x + b.x, a.y + b.y);
}

static inline cn_vec2 cn_sub2(cn_vec2 a, cn_vec2 b)
{
    return cn_v2(a.x - b.x, a.y - b.y);
}

static inline cn_vec2 cn_mul2(double s, cn_vec2 a)
{
    return cn_v2(s * a.x, s * a.y);
}

/// a + s b
static inline cn_vec2 cn_add_mul2(cn_vec2 a, double s, cn_vec2 b)
{
    return cn_v2(a.x + s * b.x, a.y + s * b.y);
}

static inline cn_vec2 cn_neg2(cn_vec2 a)
{
    return cn_v2(-a.x, -a.y);
}

static inline double cn_dot2(cn_vec2 a, cn_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

/// z component of a x b
static inline double cn_cross2(cn_vec2 a, cn_vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

/// a turned by +90 degrees
static inline cn_vec2 cn_left2(cn_vec2 a)
{
    return cn_v2(-a.y, a.x);
}

static inline double cn_norm2(cn_vec2 a)
{
    return sqrt(a.x * a.x + a.y * a.y);
}

/// a turned by the angle whose cosine and sine are given
static inline cn_vec2 cn_turn2(cn_vec2 a, double cosine, double sine)
{
    return cn_v2(cosine * a.x - sine * a.y, sine * a.x + cosine * a.y);
}

static inline cn_vec3 cn_v3(double x, double y, double z)
{
    return (cn_vec3){x, y, z};
}

static inline cn_vec3 cn_add3(cn_vec3 a, cn_vec3 b)
{
    return cn_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline cn_vec3 cn_sub3(cn_vec3 a, cn_vec3 b)
{
    return cn_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline cn_vec3 cn_mul3(double s, cn_vec3 a)
{
    return cn_v3(s * a.x, s * a.y, s * a.z);
}

/// a + s b
static inline cn_vec3 cn_add_mul3(cn_vec3 a, double s, cn_vec3 b)
{
    return cn_v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline cn_vec3 cn_neg3(cn_vec3 a)
{
    return cn_v3(-a.x, -a.y, -a.z);
}

static inline double cn_dot3(cn_vec3 a, cn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline cn_vec3 cn_cross3(cn_vec3 a, cn_vec3 b)
{
    return cn_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double cn_norm3(cn_vec3 a)
{
    return sqrt(cn_dot3(a, a));
}

/// Two unit vectors that complete the unit vector n to a right-handed frame: t1 from the world axis
/// that n is least along, t2 = n x t1.
static inline void cn_tangents3(cn_vec3 n, cn_vec3 *t1, cn_vec3 *t2)
{
    double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
    cn_vec3 axis = ax <= ay && ax <= az ? cn_v3(1.0, 0.0, 0.0)
                                        : (ay <= az ? cn_v3(0.0, 1.0, 0.0) : cn_v3(0.0, 0.0, 1.0));
    cn_vec3 t = cn_cross3(n, axis);
    *t1 = cn_mul3(1.0 / cn_norm3(t), t);
    *t2 = cn_cross3(n, *t1);
}

/// Rows of a 3x3 matrix.
typedef struct cn_mat3 {
    cn_vec3 row[3];
} cn_mat3;

static inline cn_vec3 cn_mat3_mul(const cn_mat3 *M, cn_vec3 a)
{
    return cn_v3(cn_dot3(M->row[0], a), cn_dot3(M->row[1], a), cn_dot3(M->row[2], a));
}

/// Transpose of M times a: the inverse turn if M is a rotation.
static inline cn_vec3 cn_mat3_mul_transposed(const cn_mat3 *M, cn_vec3 a)
{
    return cn_add_mul3(cn_add_mul3(cn_mul3(a.x, M->row[0]), a.y, M->row[1]), a.z, M->row[2]);
}

static inline cn_quat cn_quat_mul(cn_quat p, cn_quat q)
{
    return (cn_quat){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                     p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                     p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                     p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

static inline cn_quat cn_quat_unit(cn_quat q)
{
    double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (cn_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

/// Rotation matrix of a unit quaternion: body axes to world axes.
static inline cn_mat3 cn_quat_matrix(cn_quat q)
{
    return (cn_mat3){{{1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z),
                       2.0 * (q.x * q.z + q.w * q.y)},
                      {2.0 * (q.x * q.y + q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z),
                       2.0 * (q.y * q.z - q.w * q.x)},
                      {2.0 * (q.x * q.z - q.w * q.y), 2.0 * (q.y * q.z + q.w * q.x),
                       1.0 - 2.0 * (q.x * q.x + q.y * q.y)}}};
}
