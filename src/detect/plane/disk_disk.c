// detect/plane/disk_disk.c -- two disks: one point on the line of centres.
#include "detect/plane/pairs.h"

int cn_narrow_disk_disk(const cn_posed *a, const cn_posed *b, double reach, cn_touch *touch)
{
    cn_vec2 pa = cn_posed_vertex(a, 0), pb = cn_posed_vertex(b, 0);
    cn_vec2 apart = cn_sub2(pb, pa);
    double ra = a->shape->radius, rb = b->shape->radius, limit = ra + rb + reach;
    double squared = cn_dot2(apart, apart);
    if (!(squared <= limit * limit)) {
        return 0;
    }
    double distance = sqrt(squared);
    // Disks on the same spot have no line of centres: any direction parts them.
    cn_vec2 n = distance > 0.0 ? cn_mul2(1.0 / distance, apart) : cn_v2(0.0, 1.0);
    touch[0] = cn_touch_between(pa, pb, n, distance, ra, rb, 0);
    return touch[0].gap <= reach;
}
