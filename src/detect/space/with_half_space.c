// detect/space/with_half_space.c -- anything bounded against a half-space: every vertex within
// reach is a point of its own, named by the vertex.
//
// A polyhedron may have more of them than a pair may keep, all of one face perhaps. Then the
// deepest stays, and those farthest out in the other directions of a star fixed to the polyhedron,
// where a metre out counts like a metre down: what it stands on keeps its extent.
#include "detect/space/nearest_space.h"

enum { KEPT = 8 }; // vertices of a polyhedron that a pair keeps

static const double FIRST_RAY = 0.3; // no vertices of a regular prism tie along this angle [rad]

// Vertices of the solid, and the height of the place v (frame of the body) above the boundary:
// base + n . v.
typedef struct above {
    const cn_vec3 *vertex;
    int count;
    cn_vec3 n; // frame of the body
    double base;
} above;

static above above_of(const cn_posed3 *a, cn_vec3 n, cn_vec3 boundary)
{
    const cn_solid *s = a->solid;
    const cn_hull *hull = s->hull;
    return (above){.vertex = hull != NULL ? hull->vertex : s->end,
                   .count = cn_solid_corner_count(s),
                   .n = cn_mat3_mul_transposed(&a->R, n),
                   .base = cn_dot3(n, cn_sub3(a->x, boundary))};
}

static double height_of(const above *s, int k)
{
    return s->base + cn_dot3(s->n, s->vertex[k]);
}

// Vertices within reach in order; -1 if there are more than a pair may keep.
static int list_all(const above *s, double limit, int *list)
{
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        if (height_of(s, k) <= limit) {
            if (count == KEPT) {
                return -1;
            }
            list[count++] = k;
        }
    }
    return count;
}

// Lowest vertex, seen with the half-space tilted so that it rises along `ray`.
static int lowest_along(const above *s, double limit, cn_vec3 ray)
{
    int best = -1;
    double least = INFINITY;
    for (int k = 0; k < s->count; k++) {
        double height = height_of(s, k), score = height - cn_dot3(ray, s->vertex[k]);
        if (height <= limit && score < least) {
            least = score;
            best = k;
        }
    }
    return best;
}

// Inserts in order, once.
static int insert(int *list, int count, int k)
{
    int at = count;
    while (at > 0 && list[at - 1] > k) {
        at--;
    }
    if (at > 0 && list[at - 1] == k) {
        return count;
    }
    for (int i = count; i > at; i--) {
        list[i] = list[i - 1];
    }
    list[at] = k;
    return count + 1;
}

static int list_spread(const above *s, double limit, int *list)
{
    cn_vec3 t = cn_across(s->n), u = cn_cross3(s->n, t);
    int count = insert(list, 0, lowest_along(s, limit, cn_v3(0.0, 0.0, 0.0)));
    for (int k = 0; k < KEPT - 1; k++) {
        double angle = FIRST_RAY + 2.0 * CN_PI * k / (KEPT - 1);
        cn_vec3 ray = cn_add_mul3(cn_mul3(cos(angle), t), sin(angle), u);
        count = insert(list, count, lowest_along(s, limit, ray));
    }
    return count;
}

int cn_convex_half_space(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_vec3 n = cn_mat3_mul(&b->R, b->solid->axis);
    above s = above_of(a, n, cn_posed3_point(b, b->solid->end[0]));
    double radius = a->solid->radius, limit = radius + reach;
    int list[KEPT];
    int count = list_all(&s, limit, list);
    if (count < 0) {
        count = list_spread(&s, limit, list);
    }
    for (int k = 0; k < count; k++) {
        cn_vec3 v = cn_posed3_point(a, s.vertex[list[k]]);
        double height = height_of(&s, list[k]);
        cn_vec3 foot = cn_add_mul3(v, -height, n);
        touch[k] = cn_touch3_between(v, foot, cn_neg3(n), height, radius, 0.0, (uint32_t)list[k]);
    }
    return count;
}
