// detect/space/gjk.c -- see gjk.h.
//
// A corral is a simplex whose point nearest to the origin is inside it. The point x of the set that
// is lowest along that one joins it; as long as the nearest point of all their span is outside of
// the simplex, corners that it leaves behind go. The distance falls in each round.
#include "detect/space/gjk.h"

static const double KNOWN = 1e-3;  // how well the distance is known, of itself [-]
static const double INSIDE = 1e-9; // distance that counts as none, of the farthest point [-]

enum { ROUNDS = 64, CORNERS = 4 };

typedef struct corral {
    cn_vec3 corner[CORNERS];
    double weight[CORNERS];
    int count;
} corral;

static cn_vec3 point_of(const corral *c)
{
    cn_vec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < c->count; k++) {
        sum = cn_add_mul3(sum, c->weight[k], c->corner[k]);
    }
    return sum;
}

// Weights of the point nearest to the origin of all that the corners span: edges from the first
// one, made orthogonal in turn. False if they do not span that much.
static bool weights_of_span(const corral *c, double weight[CORNERS])
{
    cn_vec3 axis[CORNERS - 1];
    double part[CORNERS - 1][CORNERS - 1] = {{0.0}}, along[CORNERS - 1];
    int count = c->count - 1;
    for (int k = 0; k < count; k++) {
        cn_vec3 edge = cn_sub3(c->corner[k + 1], c->corner[0]);
        double length2 = cn_dot3(edge, edge);
        for (int m = 0; m < k; m++) {
            part[k][m] = cn_dot3(edge, axis[m]) / cn_dot3(axis[m], axis[m]);
            edge = cn_add_mul3(edge, -part[k][m], axis[m]);
        }
        axis[k] = edge;
        if (!(cn_dot3(edge, edge) > INSIDE * INSIDE * length2)) {
            return false;
        }
        along[k] = -cn_dot3(c->corner[0], edge) / cn_dot3(edge, edge);
    }
    weight[0] = 1.0;
    for (int k = count - 1; k >= 0; k--) { // along the edges themselves
        weight[k + 1] = along[k];
        for (int m = 0; m < k; m++) {
            along[m] -= part[k][m] * along[k];
        }
        weight[0] -= weight[k + 1];
    }
    return true;
}

static void drop(corral *c, int k)
{
    c->count--;
    for (int m = k; m < c->count; m++) {
        c->corner[m] = c->corner[m + 1];
        c->weight[m] = c->weight[m + 1];
    }
}

// Goes to the nearest point of the span, as often as a corner is in the way.
static void shrink(corral *c)
{
    double wanted[CORNERS];
    while (c->count > 1) {
        if (!weights_of_span(c, wanted)) {
            drop(c, c->count - 1);
            continue;
        }
        double share = 1.0;
        int first = -1;
        for (int k = 0; k < c->count; k++) {
            double way = c->weight[k] - wanted[k];
            if (wanted[k] < 0.0 && c->weight[k] < share * way) {
                share = c->weight[k] / way;
                first = k;
            }
        }
        for (int k = 0; k < c->count; k++) {
            c->weight[k] += share * (wanted[k] - c->weight[k]);
        }
        if (first < 0) {
            return;
        }
        drop(c, first);
    }
    c->weight[0] = 1.0;
}

bool cn_gjk(const cn_convex *set, cn_vec3 start, cn_vec3 *x)
{
    corral c = {.corner = {set->lowest(set->context, start)}, .weight = {1.0}, .count = 1};
    double farthest2 = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        *x = point_of(&c);
        double distance2 = cn_dot3(*x, *x);
        cn_vec3 next = set->lowest(set->context, *x);
        farthest2 = fmax(farthest2, cn_dot3(next, next));
        if (!(distance2 > INSIDE * INSIDE * farthest2) || c.count == CORNERS) {
            return false;
        }
        double left = distance2 - cn_dot3(*x, next); // at most so much nearer, times the distance
        if (!(left > KNOWN * distance2)) {
            return true;
        }
        c.weight[c.count] = 0.0;
        c.corner[c.count++] = next;
        shrink(&c);
    }
    return cn_dot3(*x, set->lowest(set->context, *x)) > 0.0;
}
