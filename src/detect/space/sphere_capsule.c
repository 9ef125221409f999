// detect/space/sphere_capsule.c -- the centre of the sphere against the axis of the capsule.
#include "detect/space/nearest_space.h"

int cn_sphere_capsule(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_rod rod = cn_rod_of(b);
    cn_vec3 pa = cn_posed3_point(a, a->solid->end[0]);
    cn_vec3 pb = cn_rod_at(&rod, cn_segment_place(rod.end[0], rod.end[1], pa));
    cn_vec3 apart = cn_sub3(pb, pa);
    double distance = cn_norm3(apart);
    // A centre on the axis leaves sideways.
    cn_vec3 n = distance > 0.0 ? cn_mul3(1.0 / distance, apart)
                               : cn_across(cn_sub3(rod.end[1], rod.end[0]));
    touch[0] = cn_touch3_between(pa, pb, n, distance, a->solid->radius, rod.radius, 0);
    return touch[0].gap <= reach;
}
