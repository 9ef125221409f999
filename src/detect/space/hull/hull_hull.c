// detect/space/hull/hull_hull.c -- contact of two convex polyhedra.
//
// First the normal: largest separation over normals of faces and pairs of edges (hull_axis.c). If
// the bodies are apart and no point of the patch is as near as that, vertices or edges are nearest
// to each other, and the normal joins them (hull_edge.c). Then the patch along it (hull_patch.c).
//
// Corners and edges that meet. Every direction in a cone parts two corners that meet, and rounding
// must not pick one. Nearest features closer than CN_HULL_CORNER of the size do not decide the
// normal, faces and pairs of edges do; if then faces look at each other whose overlap is thinner
// than CN_HULL_CORNER, there is no contact. Aligned right-angled blocks (bricks) that are level
// within CN_HULL_LEVEL may pass each other (cn_hull_is_passing), as in the plane.
#include "detect/space/hull/hull_patch.h"
#include "detect/space/nearest_space.h"

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

// A point of a patch may move by this many times the turn of a body, of the size (5.6): 1e-6 over
// 1e-9, and a margin.
static const double MOVE_MAX = 400.0;
// Slope of faces beyond which corners that meet have no patch beside them [-].
static const double STEEP = 5e-3;

// Points of a patch whose normal turns much faster than the bodies move with it, if they are far
// from where these are nearest, at x. Points about as near as that stay.
static void drop_far(const cn_hull_pair *p, const cn_axis *axis, cn_vec3 x, cn_patch *patch)
{
    int count = 0;
    for (int k = 0; k < patch->count; k++) {
        double far = cn_norm3(cn_sub3(patch->touch[k].point, x)), gap = patch->touch[k].gap;
        bool is_near = gap <= 2.0 * fabs(axis->separation);
        if (is_near || axis->lever * (far + gap) <= MOVE_MAX * p->size) {
            patch->touch[count++] = patch->touch[k];
        }
    }
    patch->count = count;
}

// The patch of bodies that are apart where no point of it, along the axis, measures their distance.
static cn_patch patch_of_nearest(const cn_hull_pair *p, const cn_axis *axis, cn_patch patch,
                                 cn_axis *way)
{
    double corner = CN_HULL_CORNER * p->size;
    cn_axis near = cn_hull_near(p, axis);
    cn_vec3 middle = cn_mul3(0.5, cn_add3(near.pa, near.pb));
    if (near.is_measured && near.separation > corner) {
        patch = cn_hull_patch(p, &near);
        cn_patch_measure_from(&patch, near.separation);
        drop_far(p, &near, middle, &patch);
        *way = near.separation < CN_HULL_LEVEL * p->size ? *axis : near;
        return patch;
    }
    // Corners that meet leave the normal to the axis, but the point where they do is not lost.
    if (patch.count > 0 && patch.least > near.separation + corner) {
        patch.count = 1;
        patch.touch[0] = (cn_touch3){middle, axis->n, axis->separation, 0};
    }
    return patch;
}

// Whether all other points of a patch are well above the place where corners meet.
static bool is_steep(const cn_hull_pair *p, const cn_patch *patch, cn_vec3 place)
{
    for (int k = 0; k < patch->count; k++) {
        cn_vec3 away = cn_sub3(patch->touch[k].point, place);
        double far = cn_norm3(away), apart = patch->touch[k].gap - patch->least;
        if (far > 3.0 * CN_HULL_CORNER * p->size && apart < STEEP * far) {
            return false;
        }
    }
    return true;
}

// Where corners meet, or a corner and an edge, and no faces beside them are nearly parallel, that
// place is the contact. If some are and do not overlap, the bodies are about to pass each other.
static void settle_meeting(const cn_hull_pair *p, const cn_axis *axis, const cn_meeting *meeting,
                           cn_patch *patch)
{
    cn_axis level;
    bool is_level = cn_hull_is_level(p, 3.0 * CN_HULL_CORNER * p->size, &level);
    bool is_thin = is_level && cn_hull_patch(p, &level).is_thin;
    if (!is_level || is_thin) {
        *patch = (cn_patch){.count = is_thin ? 0 : 1,
                            .is_thin = is_thin,
                            .least = axis->separation,
                            .touch = {{meeting->place, axis->n, axis->separation, 0}}};
    }
}

// The patch, and the normal along which corners are on their way (hull_sweep.c). That of nearest
// points turns by more than 1e-6 under a turn of 1e-9 if they are near: then it is the axis, which
// parts the bodies as well.
static cn_patch find_patch(const cn_hull_pair *p, const cn_axis *axis, double sweep, cn_axis *way)
{
    cn_patch patch = cn_hull_patch(p, axis);
    bool is_measured = patch.least <= axis->separation + CN_HULL_ROUND * p->size;
    bool is_touching = fabs(axis->separation) <= CN_HULL_CORNER * p->size;
    *way = *axis;
    cn_meeting meeting;
    if (is_touching && cn_hull_meeting(p, axis, &meeting) && is_steep(p, &patch, meeting.place)) {
        settle_meeting(p, axis, &meeting, &patch);
        way->n = sweep > 0.0 ? cn_hull_meeting_normal(p, axis, &meeting) : axis->n;
        way->lever = 1.0;
    } else if (axis->separation > 0.0 && !is_measured) {
        patch = patch_of_nearest(p, axis, patch, way);
    }
    return patch;
}

// Brings places on their way into the plane of the patch, unless they are far from it along the
// normal, as those of a stair; in between they go part of the way, so that nothing jumps.
static void align(const cn_hull_pair *p, const cn_patch *patch, cn_touch3 *touch, int count)
{
    double least = INFINITY;
    for (int k = 0; k < patch->count; k++) {
        least = fmin(least, fabs(patch->touch[k].gap));
    }
    for (int k = 0; k < count; k++) {
        cn_vec3 n = touch[k].normal;
        double off = cn_dot3(n, cn_sub3(touch[k].point, patch->touch[0].point));
        double limit = fabs(touch[k].gap) + least + CN_HULL_FLAT * p->size;
        double part = fmin(fmax(2.0 - fabs(off) / limit, 0.0), 1.0);
        touch[k].point = cn_add_mul3(touch[k].point, -part * off, n);
    }
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
    cn_axis way;
    cn_patch patch = find_patch(&p, &axis, sweep, &way);
    cn_touch3 swept[CN_SWEEP_MAX];
    int more = cn_hull_sweep(&p, &patch, &way, sweep, swept);
    align(&p, &patch, swept, more);
    int count = add_touches(a, patch.touch, patch.count, reach, touch, 0);
    return add_touches(a, swept, more, reach, touch, count);
}

int cn_hull_hull(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_hint none = {0};
    return cn_hull_hull_warm(a, b, reach, 0.0, &none, touch);
}
