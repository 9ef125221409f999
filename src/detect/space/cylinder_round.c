// detect/space/cylinder_round.c -- a cylinder against a half-space, a sphere and a capsule.
#include "detect/space/placed_cylinder.h"

static const double LEVEL = 1e-6;   // sine up to which a capsule lies flat on a cap [-]
static const double OVERLAP = 1e-3; // shortest overlap with two ends, of the radius [-]

// The plane through `on` below the cylinder.
typedef struct plane {
    cn_vec3 n, on;
    double reach;
} plane;

static void touch_plane(const plane *p, cn_vec3 x, uint32_t name, cn_touch3 *touch, int *count)
{
    double height = cn_dot3(p->n, cn_sub3(x, p->on));
    if (height <= p->reach) {
        cn_vec3 foot = cn_add_mul3(x, -height, p->n);
        cn_touch3_keep(touch, count,
                       cn_touch3_between(x, foot, cn_neg3(p->n), height, 0.0, 0.0, name));
    }
}

int cn_half_space_cylinder(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    plane p = {cn_mat3_mul(&a->R, a->solid->axis), cn_posed3_point(a, a->solid->end[0]), reach};
    cn_cylinder can = cn_cylinder_of(b);
    if (!(cn_cylinder_low(&can, p.n) - cn_dot3(p.n, p.on) <= reach)) {
        return 0;
    }
    int count = 0, cap = cn_cylinder_cap(&can, p.n);
    double tilt;
    cn_vec3 across = cn_cylinder_across(&can, p.n, &tilt);
    for (int c = 0; c < 2; c++) {
        uint32_t first = CN_CAN_CAP * (uint32_t)c;
        if (tilt > CN_CAN_TILT) {
            cn_vec3 lowest = cn_add_mul3(can.end[c], -can.radius, across);
            touch_plane(&p, lowest, first + CN_CAN_LOWEST, touch, &count);
        }
        for (int k = 0; k < CN_RIM_SIDES && c == cap; k++) {
            touch_plane(&p, cn_cylinder_rim(&can, c, k), first + (uint32_t)k, touch, &count);
        }
    }
    for (int k = 0; k < count; k++) { // from the cylinder to the half-space
        touch[k].normal = cn_neg3(touch[k].normal);
    }
    return count;
}

int cn_sphere_cylinder(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_cylinder can = cn_cylinder_of(b);
    cn_vec3 p = cn_posed3_point(a, a->solid->end[0]), n;
    double r = a->solid->radius, distance = cn_cylinder_foot(&can, p, &n);
    if (!(distance - r <= reach)) {
        return 0;
    }
    cn_vec3 on = cn_add_mul3(p, -distance, n);
    touch[0] = cn_touch3_between(p, on, cn_neg3(n), distance, r, 0.0, 0);
    return 1;
}

// Place of the point of the rod nearest to the cylinder: the distance from a convex body is convex,
// so its slope along the rod is bisected.
static double nearest_place(const cn_cylinder *can, const cn_rod *rod)
{
    cn_vec3 way = cn_sub3(rod->end[1], rod->end[0]), n;
    double low = 0.0, high = 1.0;
    cn_cylinder_foot(can, rod->end[0], &n);
    if (cn_dot3(way, n) >= 0.0) {
        return 0.0;
    }
    cn_cylinder_foot(can, rod->end[1], &n);
    if (cn_dot3(way, n) <= 0.0) {
        return 1.0;
    }
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        cn_cylinder_foot(can, cn_rod_at(rod, middle), &n);
        if (cn_dot3(way, n) < 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

// Two points where the rod lies over a cap; 0 if it does not.
static int touch_cap(const cn_cylinder *can, const cn_rod *rod, cn_vec3 n, cn_touch3 *touch)
{
    int cap = cn_dot3(n, can->u) > 0.0 ? 1 : 0;
    double length = cn_norm3(cn_sub3(rod->end[1], rod->end[0])), cut[2];
    if (!cn_cylinder_cut(can, cap, can->u, rod->end[0], rod->end[1], cut) ||
        !((cut[1] - cut[0]) * length > OVERLAP * rod->radius)) {
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        cn_vec3 x = cn_rod_at(rod, cut[k]);
        double height = cn_dot3(n, cn_sub3(x, can->end[cap]));
        touch[k] = cn_touch3_between(x, cn_add_mul3(x, -height, n), cn_neg3(n), height, rod->radius,
                                     0.0, (uint32_t)k + 1);
    }
    return 2;
}

int cn_capsule_cylinder(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_cylinder can = cn_cylinder_of(b);
    cn_rod rod = cn_rod_of(a), axis = cn_cylinder_rod(&can);
    cn_vec3 x = cn_rod_at(&rod, nearest_place(&can, &rod)), n, across;
    double distance = cn_cylinder_foot(&can, x, &n), tilt;
    if (!(distance - rod.radius <= reach)) {
        return 0;
    }
    across = cn_cylinder_across(&can, n, &tilt);
    bool is_side = cn_dot3(across, n) > 1.0 - LEVEL * LEVEL;
    if (is_side) {
        return cn_rods_touch(&rod, &axis, reach, touch);
    }
    cn_vec3 way = cn_sub3(rod.end[1], rod.end[0]);
    bool is_flat = fabs(cn_dot3(n, way)) < CN_CAN_OFFER * cn_norm3(way);
    int count = tilt < LEVEL && is_flat ? touch_cap(&can, &rod, n, touch) : 0, kept = 0;
    for (int k = 0; k < count; k++) {
        if (touch[k].gap <= reach) {
            touch[kept++] = touch[k];
        }
    }
    if (kept == 0) {
        cn_vec3 on = cn_add_mul3(x, -distance, n);
        touch[kept++] = cn_touch3_between(x, on, cn_neg3(n), distance, rod.radius, 0.0, 0);
    }
    return kept;
}
