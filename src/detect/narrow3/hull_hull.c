// detect/narrow3/hull_hull.c -- contact of two convex polyhedra.
//
// First the normal: largest separation over normals of faces and pairs of edges (hull_axis.c). If
// the bodies are apart and no point of the patch is as near as that, vertices or edges are nearest
// to each other, and the normal joins them (hull_near.c). Then the patch along it (hull_patch.c).
//
// Corners and edges that meet. Every direction in a cone parts two corners that meet, and rounding
// must not pick one. Nearest features closer than CN_HULL_CORNER of the size do not decide the
// normal, faces and pairs of edges do; if then faces look at each other whose overlap is thinner
// than CN_HULL_CORNER, there is no contact. Aligned right-angled blocks (bricks) that are level
// within CN_HULL_LEVEL may pass each other (cn_hull_is_passing), as in the plane.
#include "detect/narrow3/hull_patch.h"
#include "detect/narrow3/near3.h"

// Points are named after the smaller body first, of equal ones after the lower slot.
static bool is_named_first(const cn_solid *a, const cn_solid *b)
{
    if (a->reach != b->reach) {
        return a->reach < b->reach;
    }
    return a->size != b->size ? a->size < b->size : a->body <= b->body;
}

static cn_hull_pair pair_of(const cn_posed3 *a, const cn_posed3 *b)
{
    cn_hull_pair p = {.a = a->solid->hull, .b = b->solid->hull, .R = cn_turn_between(&a->R, &b->R)};
    p.t = cn_mat3_mul_transposed(&a->R, cn_sub3(b->x, a->x));
    p.size = fmin(a->solid->size, b->solid->size);
    p.reach = fmax(a->solid->reach, b->solid->reach);
    p.is_a_named_first = is_named_first(a->solid, b->solid);
    return p;
}

// The patch of bodies that are apart where no point of it, along the axis, measures their distance.
static cn_patch patch_of_nearest(const cn_hull_pair *p, const cn_axis *axis, cn_patch patch)
{
    double corner = CN_HULL_CORNER * p->size;
    cn_axis near = cn_hull_near(p, axis);
    if (near.is_measured && near.separation > corner) {
        patch = cn_hull_patch(p, &near);
        cn_patch_measure_from(&patch, near.separation);
        return patch;
    }
    // Corners that meet leave the normal to the axis, but the point where they do is not lost.
    if (patch.count > 0 && patch.least > near.separation + corner) {
        cn_vec3 middle = cn_mul3(0.5, cn_add3(near.pa, near.pb));
        patch.count = 1;
        patch.touch[0] = (cn_touch3){middle, axis->n, axis->separation, 0};
    }
    return patch;
}

static cn_patch find_patch(const cn_hull_pair *p, const cn_axis *axis)
{
    cn_patch patch = cn_hull_patch(p, axis);
    bool is_measured = patch.least <= axis->separation + CN_HULL_ROUND * p->size;
    return axis->separation > 0.0 && !is_measured ? patch_of_nearest(p, axis, patch) : patch;
}

// Along which normal corners are on their way. That of nearest points turns by more than 1e-6 under
// a turn of 1e-9 if they are near: then along the axis, which parts the bodies as well.
static cn_vec3 sweep_normal(const cn_hull_pair *p, const cn_axis *axis, const cn_patch *patch)
{
    bool is_near = axis->separation < CN_HULL_LEVEL * p->size;
    return patch->count == 0 || is_near ? axis->n : patch->touch[0].normal;
}

// Touches of the frame of a within reach, in the world.
static int add_touches(const cn_posed3 *a, const cn_touch3 *found, int found_count, double reach,
                       cn_touch3 *touch, int count)
{
    for (int k = 0; k < found_count; k++) {
        cn_touch3 one = found[k];
        if (one.gap <= reach) {
            one.point = cn_posed3_point(a, one.point);
            one.normal = cn_neg3(cn_mat3_mul(&a->R, one.normal));
            touch[count++] = one;
        }
    }
    return count;
}

int cn_hull_hull_warm(const cn_posed3 *a, const cn_posed3 *b, double reach, double sweep,
                      cn_hint *hint, cn_touch3 *touch)
{
    cn_hull_pair p = pair_of(a, b);
    cn_axis axis;
    if (!cn_hull_axis(&p, reach, hint, &axis)) {
        return 0;
    }
    bool may_pass = axis.separation >= -CN_HULL_LEVEL * p.size;
    if (may_pass && cn_hull_is_passing(&p)) {
        return 0;
    }
    cn_patch patch = find_patch(&p, &axis);
    cn_touch3 swept[CN_SWEEP_MAX];
    int more = cn_hull_sweep(&p, &patch, sweep_normal(&p, &axis, &patch), sweep, swept);
    int count = add_touches(a, patch.touch, patch.count, reach, touch, 0);
    return add_touches(a, swept, more, reach, touch, count);
}

int cn_hull_hull(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_hint none = {0};
    return cn_hull_hull_warm(a, b, reach, 0.0, &none, touch);
}
