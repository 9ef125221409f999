// detect/space/table.c -- which function finds the points of which pair.
//
// A pair is put in a canonical order before anything is computed: by kind, then by place, then by
// content. So (a, b) and (b, a) run through the same operations and their results are mirror images
// bit for bit, and they do not depend on how bodies are numbered. Places are relative to the first
// body, so nothing is lost far from the origin. Features are names that both orders share.
#include "detect/space/nearest_space.h"

static cn_narrow_pair3 *const PAIR[CN_SOLID_KIND_COUNT][CN_SOLID_KIND_COUNT] = {
    [CN_SOLID_SPHERE] = {[CN_SOLID_SPHERE] = cn_sphere_sphere,
                         [CN_SOLID_CAPSULE] = cn_sphere_capsule,
                         [CN_SOLID_HULL] = cn_sphere_hull,
                         [CN_SOLID_HALF_SPACE] = cn_convex_half_space,
                         [CN_SOLID_CYLINDER] = cn_sphere_cylinder,
                         [CN_SOLID_HOLLOW_SPHERE] = cn_convex_hollow,
                         [CN_SOLID_HOLLOW_CYLINDER] = cn_convex_hollow,
                         [CN_SOLID_SURFACE] = cn_sphere_surface},
    [CN_SOLID_CAPSULE] = {[CN_SOLID_CAPSULE] = cn_capsule_capsule,
                          [CN_SOLID_HULL] = cn_capsule_hull,
                          [CN_SOLID_HALF_SPACE] = cn_convex_half_space,
                          [CN_SOLID_CYLINDER] = cn_capsule_cylinder,
                          [CN_SOLID_HOLLOW_SPHERE] = cn_convex_hollow,
                          [CN_SOLID_HOLLOW_CYLINDER] = cn_convex_hollow,
                          [CN_SOLID_SURFACE] = cn_capsule_surface},
    [CN_SOLID_HULL] = {[CN_SOLID_HULL] = cn_hull_hull,
                       [CN_SOLID_HALF_SPACE] = cn_convex_half_space,
                       [CN_SOLID_CYLINDER] = cn_hull_cylinder,
                       [CN_SOLID_HOLLOW_SPHERE] = cn_convex_hollow,
                       [CN_SOLID_HOLLOW_CYLINDER] = cn_convex_hollow,
                       [CN_SOLID_SURFACE] = cn_hull_surface},
    // Two half-spaces have no point in particular; surfaces do not move.
    [CN_SOLID_HALF_SPACE] = {[CN_SOLID_CYLINDER] = cn_half_space_cylinder,
                             [CN_SOLID_HOLLOW_SPHERE] = cn_convex_hollow,
                             [CN_SOLID_HOLLOW_CYLINDER] = cn_convex_hollow},
    [CN_SOLID_CYLINDER] = {[CN_SOLID_CYLINDER] = cn_cylinder_cylinder,
                           [CN_SOLID_HOLLOW_SPHERE] = cn_convex_hollow,
                           [CN_SOLID_HOLLOW_CYLINDER] = cn_convex_hollow,
                           [CN_SOLID_SURFACE] = cn_cylinder_surface},
    [CN_SOLID_HOLLOW_SPHERE] = {[CN_SOLID_HOLLOW_SPHERE] = cn_hollow_hollow,
                                [CN_SOLID_HOLLOW_CYLINDER] = cn_hollow_hollow,
                                [CN_SOLID_SURFACE] = cn_hollow_surface},
    [CN_SOLID_HOLLOW_CYLINDER] =
        {[CN_SOLID_HOLLOW_CYLINDER] = cn_hollow_hollow, [CN_SOLID_SURFACE] = cn_hollow_surface},
};

extern const cn_narrow_row cn_ellipsoid_row;

static const cn_narrow_row *const ROW[CN_SOLID_KIND_COUNT] = {
    [CN_SOLID_ELLIPSOID] = &cn_ellipsoid_row,
};

static cn_narrow_pair3 *pair_of(cn_solid_kind first, cn_solid_kind second)
{
    return ROW[second] != NULL ? ROW[second]->with[first] : PAIR[first][second];
}

static int compare(double x, double y)
{
    return (x > y) - (x < y);
}

static int compare_vec(cn_vec3 u, cn_vec3 v)
{
    int order = compare(u.x, v.x);
    order = order != 0 ? order : compare(u.y, v.y);
    return order != 0 ? order : compare(u.z, v.z);
}

static int compare_hulls(const cn_hull *h, const cn_hull *g)
{
    int order = h->vertex_count - g->vertex_count;
    for (int k = 0; order == 0 && k < h->vertex_count; k++) {
        order = compare_vec(h->vertex[k], g->vertex[k]);
    }
    return order;
}

static int compare_content(const cn_solid *s, const cn_solid *t)
{
    int order = compare(s->radius, t->radius);
    order = order != 0 ? order : compare(s->thickness, t->thickness);
    order = order != 0 ? order : compare_vec(s->half, t->half);
    for (int k = 0; order == 0 && k < 2; k++) {
        order = compare_vec(s->end[k], t->end[k]);
    }
    if (order == 0 && s->hull != NULL && t->hull != NULL) {
        order = compare_hulls(s->hull, t->hull);
    }
    return order != 0 ? order : s->body - t->body;
}

static int compare_posed(const cn_posed3 *a, const cn_posed3 *b)
{
    int order = (int)a->solid->kind - (int)b->solid->kind;
    order = order != 0 ? order : compare_vec(a->x, b->x);
    for (int k = 0; order == 0 && k < 3; k++) {
        order = compare_vec(a->R.row[k], b->R.row[k]);
    }
    return order != 0 ? order : compare_content(a->solid, b->solid);
}

// Chord between normals that count as one.
static const double SAME_CHORD = 1e-3;

// Whether two points belong to one patch: they have one normal, and are not far apart along it, as
// those of a stair. In between they do in part, so that nothing jumps.
static double part_of_patch(const cn_touch3 *one, const cn_touch3 *mean, double off, double size)
{
    double limit = fabs(one->gap) + mean->gap + 1e-4 * size;
    double turned = cn_norm3(cn_sub3(one->normal, mean->normal)) / SAME_CHORD;
    return fmin(fmax(2.0 - fmax(fabs(off) / limit, turned), 0.0), 1.0);
}

// The mean of the points that touch most, with the least magnitude of all gaps (5.5): where two
// touch equally, rounding must not choose one.
static cn_touch3 mean_touch(const cn_touch3 *touch, int count, double size)
{
    cn_touch3 mean = {.gap = INFINITY};
    double weights = 0.0;
    for (int k = 0; k < count; k++) {
        mean.gap = fmin(mean.gap, fabs(touch[k].gap));
    }
    for (int k = 0; k < count; k++) {
        double weight = cn_touch_weight(touch[k].gap, mean.gap, size);
        mean.point = cn_add_mul3(mean.point, weight, touch[k].point);
        mean.normal = cn_add_mul3(mean.normal, weight, touch[k].normal);
        weights += weight;
    }
    mean.point = cn_mul3(1.0 / weights, mean.point);
    mean.normal = cn_mul3(1.0 / weights, mean.normal);
    return mean;
}

// Brings the points of one patch into one plane across the normal, through those that touch most.
// Midway between two faces that are not parallel they would lie in a plane that is turned
// against it, and sticking points that close at different speeds would contradict each other at
// second order.
static void align(cn_touch3 *touch, int count, double size)
{
    cn_touch3 mean = mean_touch(touch, count, size);
    double off[CN_TOUCH3_MAX], part[CN_TOUCH3_MAX], sum = 0.0, weights = 0.0;
    for (int k = 0; k < count; k++) {
        off[k] = cn_dot3(touch[k].normal, cn_sub3(touch[k].point, mean.point));
        part[k] = part_of_patch(&touch[k], &mean, off[k], size);
        double weight = part[k] * cn_touch_weight(touch[k].gap, mean.gap, size);
        sum += weight * off[k];
        weights += weight;
    }
    for (int k = 0; k < count && weights > 0.0; k++) {
        double by = part[k] * (sum / weights - off[k]);
        touch[k].point = cn_add_mul3(touch[k].point, by, touch[k].normal);
    }
}

int cn_touch_pair(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    bool is_exchanged = a->solid->kind > b->solid->kind;
    const cn_posed3 *first = is_exchanged ? b : a, *second = is_exchanged ? a : b;
    cn_narrow_pair3 *find = pair_of(first->solid->kind, second->solid->kind);
    int count = find != NULL ? find(first, second, reach, touch) : 0;
    for (int k = 0; k < count && is_exchanged; k++) {
        touch[k].normal = cn_neg3(touch[k].normal);
    }
    return count;
}

int cn_narrow3_warm(const cn_posed3 *a, const cn_posed3 *b, double reach, double sweep,
                    cn_hint *hint, cn_touch3 *touch)
{
    bool is_exchanged = compare_posed(a, b) > 0;
    cn_posed3 first = is_exchanged ? *b : *a, second = is_exchanged ? *a : *b;
    cn_vec3 origin = first.x;
    first.x = cn_v3(0.0, 0.0, 0.0);
    second.x = cn_sub3(second.x, origin);
    bool is_warm =
        hint != NULL && first.solid->kind == CN_SOLID_HULL && second.solid->kind == CN_SOLID_HULL;
    int count = is_warm ? cn_hull_hull_warm(&first, &second, reach, sweep, hint, touch)
                        : cn_touch_pair(&first, &second, reach, touch);
    if (!is_warm) { // polyhedra have done that
        align(touch, count, fmin(a->solid->size, b->solid->size));
    }
    for (int k = 0; k < count; k++) {
        touch[k].point = cn_add3(origin, touch[k].point);
        touch[k].normal = is_exchanged ? cn_neg3(touch[k].normal) : touch[k].normal;
    }
    return count;
}

int cn_narrow3(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    return cn_narrow3_warm(a, b, reach, 0.0, NULL, touch);
}
