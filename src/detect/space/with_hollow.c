// detect/space/with_hollow.c -- containers: hollow spheres and hollow cylinders, from inside and
// from outside.
//
// A body whose middle is nearer to the centre (the axis) than the middle of the wall is inside.
// There its corners touch the wall, each a point of its own named by the corner, for a wall seen
// from inside bends away from every edge; closed ends are planes. Corners of a cylinder are the
// points of its rims, and on either rim the one that is nearest to each wall. Any other body is
// outside and meets a solid of the outer radius. Of an open tube it is what lies between its open
// ends that is inside or outside; the rest of the body may lie across a lip, which the solid has as
// well, while its hole has nothing that it could touch.
#include "detect/space/open_tube.h"
#include "detect/space/placed_cylinder.h"
#include "detect/space/surface/surface_near.h"

enum { WALL_MAX = 3 };

static const double BORDER = 1e-7; // how far beyond an open end is still inside, of the radius [-]
static const double SAME = 1e-6;   // distance of touches that are one, of the radius [-]
static const double EDGE = 1e-2;   // the same of touches of one lip, of the wall or what is thinner
static const double LEVEL = 0.5;   // cosine to the axis from which a normal is that of a lip [-]

// A surface of the container that a point may touch from inside.
typedef struct wall {
    cn_vec3 n; // unit, from the point to the surface
    double distance;
} wall;

// In front of an open end the lip can be met, and by round bodies only.
static int find_lip(const cn_solid *s, const cn_tube_place *at, wall *found)
{
    double beyond = fabs(at->along) - at->half, inwards = fmax(0.0, s->radius - at->radial);
    if (at->radial > s->radius + s->thickness) {
        return 0; // beside the lip
    }
    cn_vec3 back = cn_mul3(at->along > 0.0 ? -1.0 : 1.0, at->u);
    cn_vec3 way = cn_add_mul3(cn_mul3(beyond, back), inwards, at->out);
    double distance = cn_norm3(way);
    if (!(distance > 0.0)) {
        return 0;
    }
    *found = (wall){cn_mul3(1.0 / distance, way), distance};
    return 1;
}

// Through an open end a round body can meet the other end of a shallow cup.
static int find_bottom(const cn_solid *s, const cn_tube_place *at, wall *found, int *number)
{
    bool is_upper = at->along < 0.0;
    if (!cn_tube_is_closed(s, is_upper) || at->radial > s->radius) {
        return 0;
    }
    *number = is_upper ? 2 : 1;
    *found = (wall){cn_mul3(is_upper ? 1.0 : -1.0, at->u), at->half + fabs(at->along)};
    return 1;
}

// Walls of a tube: side, lower end, upper end. Numbers of walls are part of names.
static int find_tube(const cn_posed3 *b, cn_vec3 p, bool is_round, wall found[WALL_MAX],
                     int number[WALL_MAX])
{
    const cn_solid *s = b->solid;
    cn_tube_place at = cn_tube_at(b, p);
    number[0] = 0;
    if (fabs(at.along) > at.half + BORDER * s->radius && !cn_tube_is_closed(s, at.along > 0.0)) {
        int lips = is_round ? find_lip(s, &at, found) : 0;
        return is_round ? lips + find_bottom(s, &at, &found[lips], &number[lips]) : 0;
    }
    int count = 0;
    double below_lip = cn_tube_is_closed(s, at.along > 0.0) ? INFINITY : at.half - fabs(at.along);
    // What is deeper in the wall than below the lip is on the lip, or beside the tube: from the
    // wall it would be thrown out sideways.
    if (at.radial - s->radius <= fmax(below_lip, BORDER * s->radius)) {
        found[count++] = (wall){at.out, s->radius - at.radial};
    }
    bool is_beside = at.radial > s->radius + s->thickness; // of a body that comes through the mouth
    for (int k = 0; k < 2 && !is_beside; k++) {
        if (cn_tube_is_closed(s, k == 1)) {
            double sign = k == 1 ? 1.0 : -1.0;
            number[count] = k + 1;
            found[count++] = (wall){cn_mul3(sign, at.u), at.half - sign * at.along};
        }
    }
    return count;
}

static int find_walls(const cn_posed3 *b, cn_vec3 p, bool is_round, wall found[WALL_MAX],
                      int number[WALL_MAX])
{
    const cn_solid *s = b->solid;
    if (s->kind == CN_SOLID_HOLLOW_CYLINDER) {
        return find_tube(b, p, is_round, found, number);
    }
    cn_vec3 outward = cn_sub3(p, cn_posed3_point(b, s->middle));
    double distance = cn_norm3(outward);
    cn_vec3 n = distance > 0.0 ? cn_mul3(1.0 / distance, outward) : cn_v3(0.0, 0.0, -1.0);
    found[0] = (wall){n, s->radius - distance};
    number[0] = 0;
    return 1;
}

// Number of a touch of a corner with a wall.
static uint32_t name_at(uint32_t corner, int number)
{
    return 4u * corner + (uint32_t)number;
}

static void touch_wall(const wall *found, cn_vec3 p, double radius, uint32_t name, double reach,
                       cn_touch3 *touch, int *count)
{
    if (found->distance - radius <= reach) {
        cn_vec3 on = cn_add_mul3(p, found->distance, found->n);
        cn_touch3_keep(touch, count,
                       cn_touch3_between(p, on, found->n, found->distance, radius, 0.0, name));
    }
}

// A corner, rounded by the radius, against all walls.
static void touch_corner(const cn_posed3 *b, cn_vec3 p, double radius, uint32_t name, double reach,
                         cn_touch3 *touch, int *count)
{
    wall found[WALL_MAX];
    int number[WALL_MAX];
    int walls = find_walls(b, p, radius > 0.0, found, number);
    for (int k = 0; k < walls; k++) {
        touch_wall(&found[k], p, radius, name_at(name, number[k]), reach, touch, count);
    }
}

// ---- cylinders inside

// The wall of this number as seen from p; its distance is infinite if there is none.
static wall wall_at(const cn_posed3 *b, cn_vec3 p, int wanted)
{
    wall found[WALL_MAX];
    int number[WALL_MAX];
    int count = find_walls(b, p, false, found, number);
    for (int k = 0; k < count; k++) {
        if (number[k] == wanted) {
            return found[k];
        }
    }
    return (wall){cn_v3(0.0, 0.0, 1.0), INFINITY};
}

// Distance of p from that wall, as if it went on beyond the ends.
static double wall_distance(const cn_posed3 *b, cn_vec3 p, int number)
{
    const cn_solid *s = b->solid;
    if (s->kind == CN_SOLID_HOLLOW_SPHERE) {
        return s->radius - cn_norm3(cn_sub3(p, cn_posed3_point(b, s->middle)));
    }
    cn_tube_place at = cn_tube_at(b, p);
    return number == 0 ? s->radius - at.radial : at.half - (number == 2 ? at.along : -at.along);
}

static cn_vec3 rim_at(const cn_cylinder *can, int cap, double angle)
{
    cn_vec3 out = cn_add_mul3(cn_mul3(cos(angle), can->side), sin(angle), can->left);
    return cn_add_mul3(can->end[cap], can->radius, out);
}

// The point of a rim nearest to a wall, by golden section between the neighbours of a fixed one
// that is nearer than they are.
static cn_vec3 nearest_on_rim(const cn_cylinder *can, int cap, const cn_posed3 *b, int number,
                              int from)
{
    const double part = 0.6180339887498949, spacing = 2.0 * CN_PI / CN_RIM_SIDES;
    double low = (from - 1) * spacing, high = (from + 1) * spacing;
    double x = high - part * (high - low), y = low + part * (high - low);
    double at_x = wall_distance(b, rim_at(can, cap, x), number);
    double at_y = wall_distance(b, rim_at(can, cap, y), number);
    for (int k = 0; k < 40; k++) {
        if (at_x < at_y) {
            high = y;
            y = x;
            at_y = at_x;
            x = high - part * (high - low);
            at_x = wall_distance(b, rim_at(can, cap, x), number);
        } else {
            low = x;
            x = y;
            at_x = at_y;
            y = low + part * (high - low);
            at_y = wall_distance(b, rim_at(can, cap, y), number);
        }
    }
    return rim_at(can, cap, 0.5 * (low + high));
}

static void touch_at(const cn_posed3 *b, int number, cn_vec3 p, uint32_t name, double reach,
                     cn_touch3 *touch, int *count)
{
    wall at = wall_at(b, p, number);
    touch_wall(&at, p, 0.0, name_at(name, number), reach, touch, count);
}

// Fixed points of a rim that are nearer to a wall than those beside them: one, or two of a rim that
// leans.
static int find_nearest(const double distance[CN_RIM_SIDES], int found[2])
{
    int count = 0;
    for (int k = 0; k < CN_RIM_SIDES && count < 2; k++) {
        if (distance[k] < distance[(k + 1) % CN_RIM_SIDES] &&
            distance[k] <= distance[(k + CN_RIM_SIDES - 1) % CN_RIM_SIDES]) {
            found[count++] = k;
        }
    }
    return count;
}

// The rim of a cap.
typedef struct rim {
    const cn_cylinder *can;
    int cap;
} rim;

// The nearest points of a rim that leans. Both of two count, for they may be equally near; the one
// on the second half has the second name.
static void touch_leaning(rim of, const cn_posed3 *b, int number,
                          const double distance[CN_RIM_SIDES], double reach, cn_touch3 *touch,
                          int *count)
{
    int found[2], nearest_count = find_nearest(distance, found);
    uint32_t first = CN_CAN_CAP * (uint32_t)of.cap + CN_CAN_LOWEST;
    bool is_second = nearest_count == 2 && found[0] >= CN_RIM_SIDES / 2;
    for (int k = 0; k < nearest_count; k++) {
        uint32_t name = first + ((k == 1) != is_second ? 1u : 0u);
        touch_at(b, number, nearest_on_rim(of.can, of.cap, b, number, found[k]), name, reach, touch,
                 count);
    }
}

// A rim against one wall. If it lies flat on the wall its fixed points say all, along a tube every
// other one: those of both rims must find room.
static void touch_rim(const cn_cylinder *can, int cap, const cn_posed3 *b, int number, double reach,
                      cn_touch3 *touch, int *count)
{
    double distance[CN_RIM_SIDES], least = INFINITY, most = -INFINITY;
    for (int k = 0; k < CN_RIM_SIDES; k++) {
        distance[k] = wall_distance(b, cn_cylinder_rim(can, cap, k), number);
        least = fmin(least, distance[k]);
        most = fmax(most, distance[k]);
    }
    bool is_flat = !(most - least > CN_CAN_TILT * can->radius);
    if (!(least <= reach + 0.01 * can->radius)) {
        return;
    }
    for (int k = 0; k < CN_RIM_SIDES; k += is_flat && number == 0 ? 2 : 1) {
        uint32_t name = CN_CAN_CAP * (uint32_t)cap + (uint32_t)k;
        touch_at(b, number, cn_cylinder_rim(can, cap, k), name, reach, touch, count);
    }
    if (!is_flat) {
        touch_leaning((rim){can, cap}, b, number, distance, reach, touch, count);
    }
}

// How far a body reaches from its middle, at most.
static double own_reach(const cn_posed3 *a)
{
    return a->solid->reach + cn_norm3(a->solid->middle);
}

// Whether no wall is near enough to be touched.
static bool is_free(const cn_posed3 *a, const cn_posed3 *b, double reach)
{
    wall found[WALL_MAX];
    int number[WALL_MAX];
    int count = find_walls(b, cn_posed3_point(a, a->solid->middle), true, found, number);
    double least = count > 0 ? INFINITY : 0.0;
    for (int k = 0; k < count; k++) {
        least = fmin(least, found[k].distance);
    }
    return least > own_reach(a) + reach;
}

static int touch_can(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_cylinder can = cn_cylinder_of(a);
    bool is_tube = b->solid->kind == CN_SOLID_HOLLOW_CYLINDER;
    int count = 0;
    for (int number = 0; number < (is_tube ? WALL_MAX : 1); number++) {
        bool is_end = number > 0;
        if (is_end && (!cn_tube_is_closed(b->solid, number == 2) ||
                       wall_distance(b, can.middle, number) > own_reach(a) + reach)) {
            continue;
        }
        touch_rim(&can, 0, b, number, reach, touch, &count);
        touch_rim(&can, 1, b, number, reach, touch, &count);
    }
    if (is_tube) {
        cn_rod side = cn_cylinder_rod(&can);
        cn_tube_rod(b, &side, reach, touch, &count);
        cn_tube_rims(b, &can, reach, touch, &count);
    }
    return count;
}

static int touch_inside(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    const cn_solid *s = a->solid;
    const cn_hull *hull = s->hull;
    if (is_free(a, b, reach)) {
        return 0;
    }
    if (s->kind == CN_SOLID_CYLINDER) {
        return touch_can(a, b, reach, touch);
    }
    bool is_tube = b->solid->kind == CN_SOLID_HOLLOW_CYLINDER;
    int count = 0, corners = hull != NULL                  ? hull->vertex_count
                             : s->kind == CN_SOLID_CAPSULE ? 2
                                                           : 1;
    for (int k = 0; k < corners; k++) {
        cn_vec3 p = cn_posed3_point(a, hull != NULL ? hull->vertex[k] : s->end[k]);
        touch_corner(b, p, s->radius, (uint32_t)k, reach, touch, &count);
    }
    for (int e = 0; is_tube && hull != NULL && e < hull->edge_count; e++) {
        cn_tube_edge(b, cn_posed3_point(a, hull->vertex[hull->edge[e][0]]),
                     cn_posed3_point(a, hull->vertex[hull->edge[e][1]]), (uint32_t)e, reach, touch,
                     &count);
    }
    if (is_tube && s->kind == CN_SOLID_CAPSULE) {
        cn_rod side = cn_rod_of(a);
        cn_tube_rod(b, &side, reach, touch, &count);
    }
    return count;
}

// How far a point is inside, from the middle of the wall on [m].
static double inside_by(const cn_posed3 *b, cn_vec3 p)
{
    const cn_solid *s = b->solid;
    double half_wall = 0.5 * s->thickness, within = s->radius + half_wall;
    if (s->kind == CN_SOLID_HOLLOW_SPHERE) {
        return within - cn_norm3(cn_sub3(p, cn_posed3_point(b, s->middle)));
    }
    cn_tube_place at = cn_tube_at(b, p);
    double below = at.half + half_wall - fabs(at.along);
    return fmin(within - at.radial, cn_tube_is_closed(s, at.along > 0.0) ? below : INFINITY);
}

static bool holds(const cn_posed3 *b, cn_vec3 p)
{
    return inside_by(b, p) > 0.0;
}

// Whether an open tube is inside. Its middle is not a part of it: what is outside may come through
// its mouth so far. Of points of its rims the one that is farthest from the wall knows best.
static bool holds_tube(const cn_posed3 *b, const cn_posed3 *tube)
{
    const cn_solid *s = tube->solid;
    cn_vec3 left = cn_cross3(s->axis, s->side);
    double most = 0.0;
    for (int k = 0; k < 8; k++) {
        cn_vec3 out = cn_mul3(k % 2 == 0 ? s->radius : -s->radius, k / 2 % 2 == 0 ? s->side : left);
        double inside = inside_by(b, cn_posed3_point(tube, cn_add3(s->end[k / 4], out)));
        most = fabs(inside) > fabs(most) ? inside : most;
    }
    return most > 0.0;
}

// The solid that the container is from outside.
static cn_solid outer_solid(const cn_solid *s)
{
    cn_solid outer = *s;
    outer.radius = s->radius + s->thickness;
    outer.thickness = 0.0;
    outer.size = 2.0 * outer.radius;
    outer.kind = CN_SOLID_SPHERE;
    if (s->kind == CN_SOLID_HOLLOW_CYLINDER) {
        outer.kind = CN_SOLID_CYLINDER;
        for (int k = 0; k < 2; k++) {
            double lid = cn_tube_is_closed(s, k == 1) ? s->thickness : 0.0;
            outer.end[k] = cn_add_mul3(s->end[k], k == 1 ? lid : -lid, s->axis);
        }
        outer.middle = cn_mul3(0.5, cn_add3(outer.end[0], outer.end[1]));
        outer.size = fmin(outer.size, cn_norm3(cn_sub3(outer.end[1], outer.end[0])));
    }
    return outer;
}

// Names on a lip are others than those inside, whose kinds are 0 and 4.
static uint32_t lip_name(uint32_t name)
{
    uint32_t kind = name >> 29;
    return name + ((kind < 3u ? 1u : 2u) << 29);
}

// Where a body is with respect to an open tube.
typedef enum tube_side { BEFORE_LIPS, IN_HOLE, BESIDE_WALL } tube_side;

// Whether a touch of the solid that an open tube is from outside is one of the tube: not in the
// mouth of its hole, and on the lip if the body is in the hole, too. What is deeper than the wall
// has cut through it, and is to be seen wherever it is.
static bool is_on_tube(const cn_posed3 *a, const cn_posed3 *b, tube_side side,
                       const cn_touch3 *touch)
{
    const cn_solid *s = b->solid;
    cn_tube_place at = cn_tube_at(b, touch->point);
    double out = cn_dot3(touch->normal, at.u); // the end, wherever half of a deep gap is
    bool is_lip = !cn_tube_is_closed(s, out > 0.0) && fabs(out) > LEVEL;
    bool is_in_mouth = is_lip && at.radial < s->radius * (1.0 - SAME);
    double rounding = a->solid->kind == CN_SOLID_CAPSULE ? a->solid->radius : 0.0;
    bool is_shallow = touch->gap + rounding > -s->thickness;
    return side == BESIDE_WALL ? !(is_in_mouth && is_shallow)
                               : !is_in_mouth && (side == BEFORE_LIPS || (is_lip && is_shallow));
}

// Touches of the solid that are those of an open tube.
static int touch_outside(const cn_posed3 *a, const cn_posed3 *b, tube_side side, double reach,
                         cn_touch3 *touch, int count)
{
    cn_solid solid = outer_solid(b->solid);
    cn_posed3 outer = {&solid, b->x, b->R};
    cn_touch3 found[CN_TOUCH3_MAX];
    int found_count = cn_touch_pair(a, &outer, reach, found), inside = count;
    double same = EDGE * fmin(b->solid->thickness, a->solid->size);
    for (int k = 0; k < found_count; k++) {
        if (is_on_tube(a, b, side, &found[k]) &&
            !cn_touch3_is_at(touch, inside, found[k].point, same)) {
            found[k].feature = lip_name(found[k].feature);
            cn_touch3_keep(touch, &count, found[k]);
        }
    }
    return count;
}

// What lies between the open ends is in the hole or beside the tube. What does not, or is in the
// hole, may lie across a lip as well.
static int touch_open(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_vec3 middle;
    bool has_part = cn_tube_part(a, b, &middle);
    tube_side side = !has_part ? BEFORE_LIPS : holds(b, middle) ? IN_HOLE : BESIDE_WALL;
    int count = side != BESIDE_WALL ? touch_inside(a, b, reach, touch) : 0;
    return touch_outside(a, b, side, reach, touch, count);
}

int cn_convex_hollow(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    cn_solid_kind kind = a->solid->kind;
    if (cn_tube_is_open(b->solid) && kind != CN_SOLID_HALF_SPACE && kind != CN_SOLID_SPHERE) {
        return touch_open(a, b, reach, touch);
    }
    if (kind != CN_SOLID_HALF_SPACE && holds(b, cn_posed3_point(a, a->solid->middle))) {
        return touch_inside(a, b, reach, touch);
    }
    cn_solid solid = outer_solid(b->solid);
    cn_posed3 outer = {&solid, b->x, b->R};
    return cn_touch_pair(a, &outer, reach, touch);
}

// Distance of a place (rho, z) from the rectangle of rho in [from, to], z in [low, high].
static double from_rectangle(double rho, double z, double from, double to, double low, double high)
{
    double across = fmax(fmax(from - rho, rho - to), 0.0);
    return hypot(across, fmax(fmax(low - z, z - high), 0.0));
}

// Distance of a point from the wall and the closed ends of a tube, 0 in them.
static double from_tube(const cn_posed3 *b, cn_vec3 p)
{
    const cn_solid *s = b->solid;
    cn_tube_place at = cn_tube_at(b, p);
    double outer = s->radius + s->thickness, least = INFINITY, end[2];
    for (int k = 0; k < 2; k++) {
        double side = k == 1 ? 1.0 : -1.0, lid = cn_tube_is_closed(s, k == 1) ? s->thickness : 0.0;
        end[k] = side * (at.half + lid);
        least = lid > 0.0 ? fmin(least, from_rectangle(at.radial, side * at.along, 0.0, outer,
                                                       at.half, at.half + lid))
                          : least;
    }
    return fmin(least, from_rectangle(at.radial, at.along, s->radius, outer, end[0], end[1]));
}

// Touches of the solid that open tube a is from outside with tube b, but for those in its mouth.
// Returns whether there were such.
static bool touch_between(const cn_posed3 *a, const cn_posed3 *b, double sign, uint32_t names,
                          double reach, cn_touch3 *touch, int *count)
{
    cn_solid solid = outer_solid(a->solid);
    cn_posed3 filled = {&solid, a->x, a->R};
    cn_touch3 found[CN_TOUCH3_MAX];
    int found_count = cn_touch_pair(&filled, b, reach, found), before = *count;
    double thin = fmin(a->solid->thickness, b->solid->thickness);
    bool has_mouth = false;
    for (int k = 0; k < found_count; k++) {
        bool is_there = from_tube(a, found[k].point) <= fabs(found[k].gap) + EDGE * thin;
        has_mouth = has_mouth || !is_there;
        if (is_there && !cn_touch3_is_at(touch, before, found[k].point, EDGE * thin)) {
            found[k].normal = cn_mul3(sign, found[k].normal);
            found[k].feature ^= names;
            cn_touch3_keep(touch, count, found[k]);
        }
    }
    return has_mouth;
}

// The one of smaller outer radius is a solid to the other, but for an open tube beside a larger
// one that is closed, which cannot go into it: then the larger one is. Of two open tubes the larger
// one may come into the mouth of the smaller one: there it is a solid as well.
int cn_hollow_hollow(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    bool is_a_inner =
        a->solid->radius + a->solid->thickness <= b->solid->radius + b->solid->thickness;
    const cn_posed3 *inner = is_a_inner ? a : b, *around = is_a_inner ? b : a;
    double sign = is_a_inner ? 1.0 : -1.0;
    int count = 0;
    if (cn_tube_is_open(inner->solid) && cn_tube_is_open(around->solid)) {
        if (touch_between(inner, around, sign, 0u, reach, touch, &count)) {
            touch_between(around, inner, -sign, 1u << 28, reach, touch, &count);
        }
        return count;
    }
    bool is_beside = cn_tube_is_open(inner->solid) && !holds_tube(around, inner);
    const cn_posed3 *first = is_beside ? around : inner, *second = is_beside ? inner : around;
    cn_solid solid = outer_solid(first->solid);
    cn_posed3 filled = {&solid, first->x, first->R};
    count = cn_touch_pair(&filled, second, reach, touch);
    for (int k = 0; k < count && first != a; k++) {
        touch[k].normal = cn_neg3(touch[k].normal);
    }
    return count;
}

// ---- surfaces

// A container and a surface, whose triangles near it are visited.
typedef struct surroundings {
    const cn_posed3 *around, *surface;
    bool is_inside;  // nothing that was visited lies beside the container
    bool is_between; // some of it lies between the ends,
    bool is_in_hole; // and some in the hollow
    double reach;
    cn_touch3 *touch;
    int count;
} surroundings;

static void see_edge(const surroundings *x, int half, cn_vec3 *p, cn_vec3 *q)
{
    const cn_surface_solid *m = x->surface->solid->mesh;
    *p = cn_posed3_point(x->surface, m->vertex[cn_surface_from(m, half)]);
    *q = cn_posed3_point(x->surface, m->vertex[cn_surface_to(m, half)]);
}

// What leans on an inner rim, or has entered the wall a little, is on neither side there: the rest
// of it decides.
static bool judge_triangle(void *context, int t)
{
    surroundings *x = context;
    double half_wall = 0.5 * x->around->solid->thickness;
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        cn_vec3 p, q;
        see_edge(x, half, &p, &q);
        if (cn_tube_is_open(x->around->solid) && !cn_tube_clip(x->around, &p, &q)) {
            continue;
        }
        double by_p = inside_by(x->around, p), by_q = inside_by(x->around, q);
        x->is_between = true;
        x->is_in_hole = x->is_in_hole || fmax(by_p, by_q) > 0.0;
        x->is_inside = x->is_inside && fmin(by_p, by_q) > -half_wall;
    }
    return x->is_inside;
}

static bool touch_triangle(void *context, int t)
{
    surroundings *x = context;
    const cn_surface_solid *m = x->surface->solid->mesh;
    bool is_open = cn_tube_is_open(x->around->solid);
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        cn_vec3 p, q;
        see_edge(x, half, &p, &q);
        if (cn_surface_owns_corner(m, half)) {
            touch_corner(x->around, p, 0.0, (uint32_t)cn_surface_from(m, half), x->reach, x->touch,
                         &x->count);
        }
        if (is_open && cn_surface_owns_edge(m, half)) {
            cn_tube_edge(x->around, p, q, (uint32_t)half, x->reach, x->touch, &x->count);
        }
    }
    return true;
}

// Visits the triangles near the container.
static void visit_near(surroundings *x, bool (*visit)(void *context, int triangle))
{
    const cn_posed3 *a = x->around, *b = x->surface;
    cn_posed3 seen = {a->solid, cn_mat3_mul_transposed(&b->R, cn_sub3(a->x, b->x)),
                      cn_turn_between(&b->R, &a->R)};
    cn_box3 box = cn_posed3_box(&seen);
    double by = x->reach;
    cn_box wide = {{box.lo.x - by, box.lo.y - by, box.lo.z - by},
                   {box.hi.x + by, box.hi.y + by, box.hi.z + by}};
    cn_tree_visit(&b->solid->mesh->tree, &wide, visit, x);
}

// A surface may be in a container, or come into an open tube; else a container is to a surface what
// it is from outside.
int cn_hollow_surface(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    surroundings x = {.around = a, .surface = b, .is_inside = true, .reach = reach, .touch = touch};
    visit_near(&x, judge_triangle);
    bool is_open = cn_tube_is_open(a->solid), is_in = x.is_in_hole && x.is_inside;
    if (!is_open && !is_in) {
        cn_solid solid = outer_solid(a->solid);
        cn_posed3 filled = {&solid, a->x, a->R};
        return cn_touch_pair(&filled, b, reach, touch);
    }
    if (is_in || !x.is_between) {
        visit_near(&x, touch_triangle);
    }
    tube_side side = is_in ? IN_HOLE : x.is_between ? BESIDE_WALL : BEFORE_LIPS;
    int count = is_open ? touch_outside(b, a, side, reach, touch, x.count) : x.count;
    for (int k = 0; k < count; k++) {
        touch[k].normal = cn_neg3(touch[k].normal);
    }
    return count;
}
