// detect/space/sphere_sphere.c -- two spheres: one point on the line of centres.
#include "detect/space/nearest_space.h"

int cn_sphere_sphere(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_vec3 pa = cn_posed3_point(a, a->solid->end[0]), pb = cn_posed3_point(b, b->solid->end[0]);
    cn_vec3 apart = cn_sub3(pb, pa);
    double ra = a->solid->radius, rb = b->solid->radius, limit = ra + rb + reach;
    double squared = cn_dot3(apart, apart);
    if (!(squared <= limit * limit)) {
        return 0;
    }
    double distance = sqrt(squared);
    // Spheres on the same spot have no line of centres: any direction parts them.
    cn_vec3 n = distance > 0.0 ? cn_mul3(1.0 / distance, apart) : cn_v3(0.0, 0.0, 1.0);
    touch[0] = cn_touch3_between(pa, pb, n, distance, ra, rb, 0);
    return touch[0].gap <= reach;
}
