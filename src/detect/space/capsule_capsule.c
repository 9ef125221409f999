// detect/space/capsule_capsule.c -- two capsules. Points side by side are named along the capsule
// of the lower body, so names do not depend on the order of the pair.
#include "detect/space/nearest_space.h"

int cn_capsule_capsule(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_rod rod_a = cn_rod_of(a), rod_b = cn_rod_of(b);
    int count = cn_rods_touch(&rod_a, &rod_b, reach, touch);
    if (b->solid->body < a->solid->body) {
        cn_rods_rename(&rod_a, &rod_b, touch, count);
    }
    return count;
}
