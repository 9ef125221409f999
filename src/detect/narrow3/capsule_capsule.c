// detect/narrow3/capsule_capsule.c -- two capsules. Points side by side are named along the capsule
// of the lower body, so names do not depend on the order of the pair.
#include "detect/narrow3/near3.h"

int cn_capsule_capsule(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_rod rod_a = cn_rod_of(a), rod_b = cn_rod_of(b);
    int count = cn_rods_touch(&rod_a, &rod_b, reach, touch);
    double same = cn_dot3(cn_sub3(rod_a.end[1], rod_a.end[0]), cn_sub3(rod_b.end[1], rod_b.end[0]));
    bool is_renamed = b->solid->body < a->solid->body && same < 0.0;
    for (int k = 0; is_renamed && k < count; k++) {
        touch[k].feature = touch[k].feature != 0 ? 3 - touch[k].feature : 0;
    }
    return count;
}
