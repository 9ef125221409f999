/// cairn/vec.h -- small vectors, plain and inline.
#pragma once

#include <math.h>

typedef struct cn_vec2 {
    double x, y;
} cn_vec2;

typedef struct cn_vec3 {
    double x, y, z;
} cn_vec3;

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
