// detect/space/sphere_hull.c -- the centre of the sphere against the surface of the polyhedron.
#include "detect/space/nearest_space.h"

int cn_sphere_hull(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    double r = a->solid->radius;
    cn_vec3 pa = cn_posed3_point(a, a->solid->end[0]);
    cn_foot foot;
    cn_vec3 local = cn_mat3_mul_transposed(&b->R, cn_sub3(pa, b->x));
    if (!cn_hull_foot(b->solid->hull, local, r + reach, &foot)) {
        return 0;
    }
    cn_vec3 n = cn_neg3(cn_mat3_mul(&b->R, foot.n));
    cn_vec3 pb = cn_add_mul3(pa, foot.distance, n);
    touch[0] = cn_touch3_between(pa, pb, n, foot.distance, r, 0.0, 0);
    return touch[0].gap <= reach;
}
