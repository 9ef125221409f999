// detect/space/with_ellipsoid.c -- ellipsoids against everything.
//
// Two convex bodies are apart by the largest value over unit vectors n of v(n) = n . (a - b), a the
// point of the ellipsoid farthest against n and b that of the other one farthest along n; if they
// overlap a little, that is how deep (5.9). The slope of v on the sphere is the part of a - b
// across n, its second derivative -(C_a + C_b + v), C the matrices of the radii of curvature: so
// Newton steps (5.10) find n to rounding, and where they do not rise they are shortened. Of a
// polyhedron a face has one n, an edge a circle of them and a vertex a sphere; likewise of
// cylinders and capsules. From inside a container, a is farthest along n and its radii count
// against v.
#include "detect/space/open_tube.h"
#include "detect/space/surface/surface_near.h"

enum { STEPS = 80, HALVES = 40, RING_SIDES = 24, WALLS_MAX = 8 };

static const double ROUNDING = 4e-16; // of lengths [-]
static const double FLAT = 0.02;      // of the larger curvature below which a step is not trusted
static const double THIN = 0.5;       // ratio of the axes of lenses and needles [-]
static const double SLACK = 1e-9;     // place beside a feature that still counts, of the size [-]
static const double SAME = 1e-3;      // chord between directions that are one [-]
static const double TIP = 0.3;   // cosine to an axis from which a normal is one of its tips [-]
static const double LEVEL = 0.5; // cosine to the axis from which a normal is that of a lip [-]

typedef struct egg {
    cn_vec3 c, axis[3];
    double half[3], least, most;
} egg;

// Part of the other body: within `radius` of p, or of the line through p along u, whose directions
// are those across u; or another ellipsoid around p.
typedef struct part {
    cn_vec3 p, u;
    double radius;
    bool is_line;
    const egg *egg;
} part;

// A direction from the other body to the ellipsoid, the two farthest points and the gap along it.
typedef struct look {
    cn_vec3 n, a, b;
    double gap;
} look;

static egg egg_of(const cn_posed3 *p)
{
    const cn_solid *s = p->solid;
    cn_vec3 left = cn_cross3(s->axis, s->side);
    egg e = {.c = cn_posed3_point(p, s->middle),
             .axis = {cn_mat3_mul(&p->R, s->side), cn_mat3_mul(&p->R, left),
                      cn_mat3_mul(&p->R, s->axis)},
             .half = {s->half.x, s->half.y, s->half.z}};
    e.least = fmin(e.half[0], fmin(e.half[1], e.half[2]));
    e.most = fmax(e.half[0], fmax(e.half[1], e.half[2]));
    return e;
}

// The same in the frame of another body.
static egg egg_seen(const cn_posed3 *p, const cn_posed3 *from)
{
    cn_posed3 seen = {p->solid, cn_mat3_mul_transposed(&from->R, cn_sub3(p->x, from->x)),
                      cn_turn_between(&from->R, &p->R)};
    return egg_of(&seen);
}

static cn_vec3 stretched(const egg *e, cn_vec3 n)
{
    return cn_v3(e->half[0] * cn_dot3(e->axis[0], n), e->half[1] * cn_dot3(e->axis[1], n),
                 e->half[2] * cn_dot3(e->axis[2], n));
}

// The point farthest along n, relative to the centre.
static cn_vec3 farthest(const egg *e, cn_vec3 n)
{
    cn_vec3 s = stretched(e, n);
    double h = cn_norm3(s);
    cn_vec3 x = cn_mul3(e->half[0] * s.x / h, e->axis[0]);
    x = cn_add_mul3(x, e->half[1] * s.y / h, e->axis[1]);
    return cn_add_mul3(x, e->half[2] * s.z / h, e->axis[2]);
}

// Radius of curvature between two tangents where n is normal.
static double bend(const egg *e, cn_vec3 n, cn_vec3 t, cn_vec3 w)
{
    cn_vec3 s = stretched(e, n), x = stretched(e, t), y = stretched(e, w);
    double h = cn_norm3(s);
    return (cn_dot3(x, y) - cn_dot3(x, s) / h * (cn_dot3(y, s) / h)) / h;
}

static cn_vec3 across(cn_vec3 n, cn_vec3 u)
{
    return cn_add_mul3(n, -cn_dot3(n, u), u);
}

// Part of n across u, unit; some unit vector if there is none.
static cn_vec3 unit_across(cn_vec3 n, cn_vec3 u)
{
    cn_vec3 m = across(n, u);
    double size = cn_norm3(m);
    return size > 0.0 ? cn_mul3(1.0 / size, m) : cn_across(u);
}

static look look_along(const egg *e, double side, const part *p, cn_vec3 n)
{
    look x = {.n = n, .a = cn_add_mul3(e->c, side, farthest(e, n))};
    x.b = cn_add_mul3(p->p, p->radius, n);
    x.b = p->egg != NULL ? cn_add3(x.b, farthest(p->egg, n)) : x.b;
    x.gap = cn_dot3(n, cn_sub3(x.a, x.b));
    return x;
}

// Second derivative of the gap between two tangents, but for v itself and the sign.
static double bend_of_both(const egg *e, double side, const part *p, cn_vec3 n, cn_vec3 t,
                           cn_vec3 w)
{
    double sum = -side * bend(e, n, t, w) + p->radius * cn_dot3(t, w);
    sum += p->egg != NULL ? bend(p->egg, n, t, w) : 0.0;
    return sum;
}

// Second derivative of the gap on two tangents, with the sign changed: positive where the gap bends
// as it must.
typedef struct bending {
    double a, b, c; // rows (a, b) and (b, c)
} bending;

// The same with the magnitudes of what it does along its axes, no less than `floor`: a step leaves
// a saddle as fast as it would come to a maximum.
static bending turned_up(bending h, double floor)
{
    double mean = 0.5 * (h.a + h.c), off = hypot(0.5 * (h.a - h.c), h.b);
    double high = fmax(fabs(mean + off), floor), low = fmax(fabs(mean - off), floor);
    double slope = off > 0.0 ? (high - low) / (2.0 * off) : 0.0, rest = high - slope * (mean + off);
    return (bending){rest + slope * h.a, slope * h.b, rest + slope * h.c};
}

static bending bending_at(const egg *e, double side, const part *p, cn_vec3 n, const cn_vec3 t[2])
{
    double along = bend_of_both(e, side, p, n, t[0], t[0]);
    if (p->is_line) {
        return (bending){along, 0.0, along};
    }
    return (bending){along, bend_of_both(e, side, p, n, t[0], t[1]),
                     bend_of_both(e, side, p, n, t[1], t[1])};
}

static double least_bend(const bending *h)
{
    return 0.5 * (h->a + h->c) - hypot(0.5 * (h->a - h->c), h->b);
}

// Two directions across n; the first is the only one of a line.
static void tangents_of(const part *p, cn_vec3 n, cn_vec3 t[2])
{
    cn_tangents3(n, &t[0], &t[1]);
    t[0] = p->is_line ? cn_cross3(p->u, n) : t[0];
}

// The Newton step. Where the gap bends the wrong way, it is the step of a body that is less deep
// (outside), or that of the opposite bend (inside), which rises as well.
static cn_vec3 newton_step(const egg *e, double side, const part *p, const look *x)
{
    cn_vec3 t[2], d = cn_sub3(x->a, x->b);
    tangents_of(p, x->n, t);
    bending h = bending_at(e, side, p, x->n, t);
    double least = least_bend(&h), shift = x->gap;
    bool is_wrong = !(shift + least > FLAT * fabs(least));
    shift = is_wrong && side < 0.0 ? (FLAT - 1.0) * least : shift;
    h.a += shift;
    h.c += shift;
    h = is_wrong && side > 0.0 ? turned_up(h, FLAT * fabs(least)) : h;
    double along = cn_dot3(t[0], d), aside = cn_dot3(t[1], d);
    if (p->is_line) {
        return cn_mul3(along / h.a, t[0]);
    }
    double det = h.a * h.c - h.b * h.b;
    return cn_add_mul3(cn_mul3((h.c * along - h.b * aside) / det, t[0]),
                       (h.a * aside - h.b * along) / det, t[1]);
}

// Climbs from n to where the gap is largest, or a local maximum of it from inside a container.
static look climb(const egg *e, double side, const part *p, cn_vec3 n)
{
    look x = look_along(e, side, p, n);
    double scale = e->most + p->radius + (p->egg != NULL ? p->egg->most : 0.0);
    for (int k = 0; k < STEPS; k++) {
        cn_vec3 step = newton_step(e, side, p, &x);
        double size = cn_norm3(step), part_of = size > 1.0 ? 1.0 / size : 1.0;
        bool is_better = false;
        for (int m = 0; m < HALVES && !is_better; m++, part_of *= 0.5) {
            cn_vec3 to = cn_add_mul3(x.n, part_of, step);
            look next = look_along(e, side, p, cn_mul3(1.0 / cn_norm3(to), to));
            is_better =
                next.gap > x.gap || (m == 0 && size < 1e-6 && next.gap >= x.gap - ROUNDING * scale);
            x = is_better ? next : x;
        }
        if (!is_better || size < 1e-15) {
            break;
        }
    }
    return x;
}

// The best of a few directions, made fit for a line.
static cn_vec3 best_start(const egg *e, const part *p, const cn_vec3 *start, int count)
{
    cn_vec3 best = {0.0, 0.0, 1.0};
    double most = -INFINITY;
    for (int k = 0; k < count; k++) {
        double size = cn_norm3(start[k]);
        cn_vec3 n = p->is_line   ? unit_across(start[k], p->u)
                    : size > 0.0 ? cn_mul3(1.0 / size, start[k])
                                 : e->axis[0];
        double gap = look_along(e, -1.0, p, n).gap;
        if (gap > most) {
            most = gap;
            best = n;
        }
    }
    return best;
}

// Inward normal of the ellipsoid similar to e whose surface goes through x; its centre has that of
// the flattest side.
static cn_vec3 inward_at(const egg *e, cn_vec3 x)
{
    cn_vec3 d = cn_sub3(x, e->c), n = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        double part_of = e->least / e->half[k];
        n = cn_add_mul3(n, -part_of * part_of * cn_dot3(e->axis[k], d), e->axis[k]);
        if (e->half[k] == e->least && cn_norm3(d) == 0.0) {
            return e->axis[k];
        }
    }
    return n;
}

// Where the ellipsoid and a part are nearest.
static look near_part(const egg *e, const part *p, cn_vec3 guess)
{
    cn_vec3 start[3] = {guess, cn_sub3(e->c, p->p), inward_at(e, p->p)};
    if (p->is_line) {
        double along = cn_dot3(p->u, cn_sub3(e->c, p->p));
        start[2] = inward_at(e, cn_add_mul3(p->p, along, p->u));
    }
    return climb(e, -1.0, p, best_start(e, p, start, 3));
}

static look near_point(const egg *e, cn_vec3 p, double radius)
{
    part x = {.p = p, .radius = radius};
    return near_part(e, &x, cn_sub3(e->c, p));
}

// A feature deep in a thin ellipsoid is nearer to its other side, where it does not see the normal;
// it leaves by the side that it entered, unless that is much farther.
static look leave(const egg *e, const part *p, look nearest, cn_vec3 outward, double slack)
{
    double size = cn_norm3(outward);
    if (nearest.gap >= 0.0 || !(size > 0.0)) {
        return nearest;
    }
    cn_vec3 n = p->is_line ? unit_across(outward, p->u) : cn_mul3(1.0 / size, outward);
    look x = climb(e, -1.0, p, n);
    return x.gap >= 3.0 * nearest.gap - slack ? x : nearest;
}

// Adds a touch under a name that no other one has.
static int add(cn_touch3 *touch, int count, cn_touch3 one)
{
    for (int k = 0; k < count; k++) {
        one.feature += touch[k].feature == one.feature ? 4u : 0u;
    }
    cn_touch3_keep(touch, &count, one);
    return count;
}

// The touch midway; n points from the other body, which is the first of the pair.
static int keep(const look *x, uint32_t name, double reach, cn_touch3 *touch, int count)
{
    cn_vec3 point = cn_add_mul3(x->a, -0.5 * x->gap, x->n);
    cn_touch3 one = {point, cn_neg3(x->n), x->gap, name};
    return x->gap <= reach ? add(touch, count, one) : count;
}

// ---- convex bodies

static int with_sphere(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    egg e = egg_of(b);
    look x = near_point(&e, cn_posed3_point(a, a->solid->end[0]), a->solid->radius);
    return keep(&x, 0u, reach, touch, 0);
}

// The lowest point; and of lenses and needles the tips of the axes, which a turn may bring down in
// one step by more than they are thick.
static int with_half_space(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    egg e = egg_of(b);
    part p = {.p = cn_posed3_point(a, a->solid->end[0])};
    look x = look_along(&e, -1.0, &p, cn_mat3_mul(&a->R, a->solid->axis)), low = x;
    int count = keep(&x, 0u, reach, touch, 0);
    for (int k = 0; k < 6 && e.least < THIN * e.most; k++) {
        x.a = cn_add_mul3(e.c, k % 2 == 0 ? e.half[k / 2] : -e.half[k / 2], e.axis[k / 2]);
        x.gap = cn_dot3(x.n, cn_sub3(x.a, x.b));
        bool is_lowest = cn_norm3(cn_sub3(x.a, low.a)) < SAME * e.least;
        count = is_lowest ? count : keep(&x, 16u + 4u * (uint32_t)k, reach, touch, count);
    }
    return count;
}

// A capsule is a ball at either end, from which the distance falls along its axis if the side is
// nearer.
static int with_capsule(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    egg e = egg_of(b);
    cn_rod rod = cn_rod_of(a);
    cn_vec3 way = cn_sub3(rod.end[1], rod.end[0]), u = cn_mul3(1.0 / cn_norm3(way), way);
    look first = near_point(&e, rod.end[0], rod.radius);
    look second = near_point(&e, rod.end[1], rod.radius);
    part line = {.p = rod.end[0], .u = u, .radius = rod.radius, .is_line = true};
    look x = cn_dot3(first.n, u) <= 0.0    ? first
             : cn_dot3(second.n, u) >= 0.0 ? second
                                           : near_part(&e, &line, cn_add3(first.n, second.n));
    return keep(&x, 0u, reach, touch, 0);
}

static int with_ellipsoid(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    egg e = egg_of(b), other = egg_of(a);
    part p = {.p = other.c, .egg = &other};
    look x = near_part(&e, &p, cn_neg3(inward_at(&other, e.c)));
    return keep(&x, 0u, reach, touch, 0);
}

// Whether a place where a feature is nearest is the only one: the normal is one of the body there,
// so that its gap is that of the whole body, and no other normal can be as good.
static bool is_settled(const egg *e, double gap_of_feature, double gap_of_body)
{
    bool is_shallow = gap_of_body > -0.5 * e->least * (e->least / e->most);
    return is_shallow && gap_of_body >= gap_of_feature - SLACK * e->least;
}

// Keeps what has the largest gap for the body as a whole, which reaches `height` along n.
static bool keep_best(const egg *e, const look *x, double height, look *best)
{
    double gap = cn_dot3(x->n, x->a) - height;
    if (gap > best->gap) {
        *best = *x;
        best->gap = gap;
    }
    return is_settled(e, x->gap, gap);
}

// A rim: its middle, the way out of the end it is of, and two directions across it.
typedef struct ring {
    cn_vec3 middle, out, x, y;
    double radius;
} ring;

static cn_vec3 ring_out(const ring *r, double angle)
{
    return cn_add_mul3(cn_mul3(cos(angle), r->x), sin(angle), r->y);
}

static look near_ring(const egg *e, const ring *r, double angle, double *slope)
{
    look x = near_point(e, cn_add_mul3(r->middle, r->radius, ring_out(r, angle)), 0.0);
    *slope = -cn_dot3(x.n, ring_out(r, angle + 0.5 * CN_PI));
    return x;
}

// The place between two angles where the gap is least, by false position; where its slope at them
// does not say that there is one, the first is as good.
static look settle_on_ring(const egg *e, const ring *r, double low, double high)
{
    double below, above, slope;
    look x = near_ring(e, r, low, &below);
    near_ring(e, r, high, &above);
    for (int k = 0; k < STEPS && below < 0.0 && above > 0.0 && high - low > 1e-15; k++) {
        double way = k % 3 == 2 ? 0.5 : below / (below - above), at = low + way * (high - low);
        x = near_ring(e, r, at, &slope);
        if (fabs(slope) <= ROUNDING) {
            break;
        }
        low = slope < 0.0 ? at : low;
        below = slope < 0.0 ? slope : below;
        high = slope < 0.0 ? high : at;
        above = slope < 0.0 ? above : slope;
    }
    return x;
}

// Places of a rim that are nearer to the ellipsoid than those beside them.
static int find_on_ring(const egg *e, const ring *r, look found[WALLS_MAX])
{
    double gap[RING_SIDES], spacing = 2.0 * CN_PI / RING_SIDES, slope;
    int count = 0;
    for (int k = 0; k < RING_SIDES; k++) {
        gap[k] = near_ring(e, r, k * spacing, &slope).gap;
    }
    for (int k = 0; k < RING_SIDES && count < WALLS_MAX; k++) {
        double before = gap[(k + RING_SIDES - 1) % RING_SIDES], after = gap[(k + 1) % RING_SIDES];
        if (gap[k] < after && gap[k] <= before) {
            found[count++] = settle_on_ring(e, r, (k - 1) * spacing, (k + 1) * spacing);
        }
    }
    return count;
}

static double can_height(const cn_cylinder *can, cn_vec3 n)
{
    double high = fmax(cn_dot3(n, can->end[0]), cn_dot3(n, can->end[1]));
    return high + can->radius * cn_norm3(across(n, can->u));
}

static bool near_caps(const egg *e, const cn_cylinder *can, look *best)
{
    for (int k = 0; k < 2; k++) {
        part cap = {.p = can->end[k]};
        look x = look_along(e, -1.0, &cap, cn_mul3(k == 1 ? 1.0 : -1.0, can->u));
        bool is_over = cn_norm3(across(cn_sub3(x.a, can->end[k]), can->u)) <= can->radius;
        if (keep_best(e, &x, can_height(can, x.n), best) && is_over) {
            return true;
        }
    }
    return false;
}

static look near_can(const egg *e, const cn_cylinder *can)
{
    look best = {.gap = -INFINITY};
    if (near_caps(e, can, &best)) {
        return best;
    }
    part line = {.p = can->end[0], .u = can->u, .radius = can->radius, .is_line = true};
    look side = near_part(e, &line, cn_sub3(e->c, can->middle));
    double place = cn_dot3(can->u, cn_sub3(side.a, can->middle));
    if (keep_best(e, &side, can_height(can, side.n), &best) && fabs(place) <= can->half) {
        return best;
    }
    for (int k = 0; k < 2; k++) {
        ring rim = {can->end[k], can->u, can->side, can->left, can->radius};
        look found[WALLS_MAX];
        int count = find_on_ring(e, &rim, found);
        for (int m = 0; m < count; m++) {
            keep_best(e, &found[m], can_height(can, found[m].n), &best);
        }
    }
    return best;
}

static int with_cylinder(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    egg e = egg_of(b);
    cn_cylinder can = cn_cylinder_of(a);
    look x = near_can(&e, &can);
    return keep(&x, 0u, reach, touch, 0);
}

static double hull_height(const cn_hull *hull, cn_vec3 n)
{
    double most = -INFINITY;
    for (int k = 0; k < hull->vertex_count; k++) {
        most = fmax(most, cn_dot3(n, hull->vertex[k]));
    }
    return most;
}

static bool near_faces(const egg *e, const cn_hull *hull, look *best)
{
    look found = {.gap = -INFINITY};
    int face = 0;
    for (int f = 0; f < hull->face_count; f++) {
        look x = look_along(e, -1.0, &(part){.p = hull->vertex[0]}, hull->normal[f]);
        x.gap = cn_dot3(x.n, x.a) - hull->offset[f];
        face = x.gap > found.gap ? f : face;
        found = x.gap > found.gap ? x : found;
    }
    *best = found;
    bool is_over = true;
    for (int k = hull->face_start[face]; k < hull->face_start[face + 1]; k++) {
        int next = k + 1 < hull->face_start[face + 1] ? k + 1 : hull->face_start[face];
        cn_vec3 from = hull->vertex[hull->face_vertex[k]];
        cn_vec3 e_k = cn_sub3(hull->vertex[hull->face_vertex[next]], from);
        is_over = is_over && cn_dot3(cn_cross3(found.n, e_k), cn_sub3(found.a, from)) >= 0.0;
    }
    return is_over && is_settled(e, found.gap, found.gap);
}

// Features farther from the centre than `limit` cannot be nearest.
static bool near_edges(const egg *e, const cn_hull *hull, double limit, look *best)
{
    for (int k = 0; k < hull->edge_count; k++) {
        cn_vec3 p = hull->vertex[hull->edge[k][0]], q = hull->vertex[hull->edge[k][1]];
        cn_vec3 way = cn_sub3(q, p);
        double length = cn_norm3(way), at = cn_segment_place(p, q, e->c);
        if (cn_norm3(cn_sub3(cn_add_mul3(p, at, way), e->c)) > limit) {
            continue;
        }
        part line = {.p = p, .u = cn_mul3(1.0 / length, way), .is_line = true};
        const int *face = hull->edge_face[k];
        look x = near_part(e, &line, cn_add3(hull->normal[face[0]], hull->normal[face[1]]));
        double place = cn_dot3(line.u, cn_sub3(x.a, p));
        if (keep_best(e, &x, hull_height(hull, x.n), best) && place >= 0.0 && place <= length) {
            return true;
        }
    }
    return false;
}

static look near_hull(const egg *e, const cn_hull *hull, double reach)
{
    look best;
    cn_foot foot;
    if (!cn_hull_foot(hull, e->c, e->most + reach, &foot)) {
        return (look){.gap = INFINITY};
    }
    double limit = fmax(foot.distance, 0.0) + (e->most - e->least) + SLACK * e->most;
    limit = foot.distance > 0.0 ? limit : INFINITY;
    if (near_faces(e, hull, &best) || best.gap > reach || near_edges(e, hull, limit, &best)) {
        return best;
    }
    for (int k = 0; k < hull->vertex_count; k++) {
        if (cn_norm3(cn_sub3(hull->vertex[k], e->c)) <= limit) {
            look x = near_point(e, hull->vertex[k], 0.0);
            keep_best(e, &x, hull_height(hull, x.n), &best);
        }
    }
    return best;
}

static int with_hull(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    egg e = egg_seen(b, a);
    look x = near_hull(&e, a->solid->hull, reach);
    int count = keep(&x, 0u, reach, touch, 0);
    for (int k = 0; k < count; k++) {
        touch[k].point = cn_posed3_point(a, touch[k].point);
        touch[k].normal = cn_mat3_mul(&a->R, touch[k].normal);
    }
    return count;
}

// ---- in containers

// Whether a climb has ended on a saddle, from where a hair beside it would have led away.
static bool is_saddle(const egg *e, const part *wall, const look *x)
{
    cn_vec3 t[2];
    tangents_of(wall, x->n, t);
    bending h = bending_at(e, 1.0, wall, x->n, t);
    double least = least_bend(&h);
    return x->gap + least < -SLACK * fabs(least);
}

// Places where an ellipsoid is farthest from the point p of a round wall; from the line through p
// along the axis of a tube if there is one. They come in the order of its axes, the one that it
// stands on last.
static int find_far(const egg *e, const part *wall, look found[WALLS_MAX])
{
    cn_vec3 start[7] = {[6] = cn_sub3(e->c, wall->p)};
    for (int k = 0; k < 3; k++) {
        start[2 * k] = e->axis[k];
        start[2 * k + 1] = cn_neg3(e->axis[k]);
    }
    int count = 0;
    look saddle = {.gap = -INFINITY};
    for (int k = 0; k < 7; k++) {
        cn_vec3 way = wall->is_line ? across(start[k], wall->u) : start[k];
        double size = cn_norm3(way);
        if (!(size > SAME * cn_norm3(start[k]))) {
            continue;
        }
        look x = climb(e, 1.0, wall, cn_mul3(1.0 / size, way));
        bool is_new = !is_saddle(e, wall, &x);
        saddle = !is_new && x.gap > saddle.gap ? x : saddle;
        for (int m = 0; m < count; m++) {
            is_new = is_new && cn_norm3(cn_sub3(found[m].n, x.n)) > SAME;
        }
        if (is_new) {
            found[count++] = x;
        }
    }
    if (count == 0 && saddle.gap > -INFINITY) {
        found[count++] = saddle;
    }
    return count;
}

// Named by the tip of the longest axis that n leaves through, if it is one of them: so that no name
// depends on the sign of what is zero.
static uint32_t name_of(const egg *e, cn_vec3 n)
{
    int longest = 0;
    for (int k = 1; k < 3; k++) {
        longest = e->half[k] > e->half[longest] ? k : longest;
    }
    double along = cn_dot3(e->axis[longest], n);
    return along > TIP ? 1u : along < -TIP ? 2u : 0u;
}

// From inside, n points to the wall of this radius.
static int keep_inside(const egg *e, const look *x, double radius, double reach, cn_touch3 *touch,
                       int count)
{
    double gap = radius - x->gap;
    cn_touch3 one = {cn_add_mul3(x->a, 0.5 * gap, x->n), x->n, gap, name_of(e, x->n)};
    return gap <= reach ? add(touch, count, one) : count;
}

static int with_hollow_sphere(const cn_posed3 *a, const cn_posed3 *b, double reach,
                              cn_touch3 *touch)
{
    egg e = egg_of(b);
    const cn_solid *s = a->solid;
    cn_vec3 middle = cn_posed3_point(a, s->middle);
    double distance = cn_norm3(cn_sub3(e.c, middle));
    if (!(distance < s->radius + 0.5 * s->thickness)) {
        look x = near_point(&e, middle, s->radius + s->thickness);
        return keep(&x, 0u, reach, touch, 0);
    }
    part wall = {.p = middle};
    look found[WALLS_MAX];
    bool is_free = distance + e.most < s->radius - reach;
    int count = 0, far_count = is_free ? 0 : find_far(&e, &wall, found);
    for (int k = 0; k < far_count; k++) {
        count = keep_inside(&e, &found[k], s->radius, reach, touch, count);
    }
    return count;
}

// Whether a normal leaves a rim between the wall and the lip.
static bool ring_sees(const ring *r, cn_vec3 out, cn_vec3 n)
{
    return cn_dot3(n, out) <= SLACK && cn_dot3(n, r->out) >= -SLACK;
}

static int touch_ring(const egg *e, const ring *r, uint32_t name, double reach, cn_touch3 *touch,
                      int count)
{
    look found[WALLS_MAX];
    int places = find_on_ring(e, r, found);
    for (int k = 0; k < places; k++) {
        look x = found[k];
        cn_vec3 out = unit_across(cn_sub3(x.b, r->middle), r->out);
        if (!ring_sees(r, out, x.n)) {
            part corner = {.p = x.b};
            x = leave(e, &corner, x, cn_sub3(r->out, out), 0.0);
        }
        if (ring_sees(r, out, x.n)) {
            count = keep(&x, name + name_of(e, x.n), reach, touch, count);
        }
    }
    return count;
}

static int touch_rings(const egg *e, const cn_posed3 *a, double reach, cn_touch3 *touch, int count)
{
    const cn_solid *s = a->solid;
    cn_tube_place at = cn_tube_at(a, e->c);
    double high = cn_norm3(stretched(e, at.u));
    for (int k = 0; k < 2; k++) {
        double sign = k == 1 ? 1.0 : -1.0;
        bool is_near = fabs(sign * at.along - at.half) <= high + reach;
        if (!cn_tube_is_closed(s, k == 1) && is_near) {
            ring r = {.middle = cn_posed3_point(a, s->end[k]),
                      .out = cn_mul3(sign, at.u),
                      .x = cn_mat3_mul(&a->R, s->side),
                      .radius = s->radius};
            r.y = cn_cross3(r.out, r.x);
            count = touch_ring(e, &r, 32u + 8u * (uint32_t)k, reach, touch, count);
        }
    }
    return count;
}

// The middle of what lies between the open ends; false: nothing does.
static bool find_part(const egg *e, const cn_posed3 *a, cn_vec3 *middle)
{
    cn_tube_place at = cn_tube_at(a, e->c);
    double high = cn_norm3(stretched(e, at.u)), low_end = at.along - high,
           high_end = at.along + high;
    low_end = cn_tube_is_closed(a->solid, false) ? low_end : fmax(low_end, -at.half);
    high_end = cn_tube_is_closed(a->solid, true) ? high_end : fmin(high_end, at.half);
    double place = (0.5 * (low_end + high_end) - at.along) / high;
    *middle = cn_add_mul3(e->c, place, farthest(e, at.u));
    return low_end < high_end;
}

static bool is_in_tube(const cn_posed3 *a, cn_vec3 p)
{
    const cn_solid *s = a->solid;
    cn_tube_place at = cn_tube_at(a, p);
    double half_wall = 0.5 * s->thickness;
    bool is_beyond = fabs(at.along) > at.half + half_wall && cn_tube_is_closed(s, at.along > 0.0);
    return at.radial < s->radius + half_wall && !is_beyond;
}

static int touch_tube_inside(const egg *e, const cn_posed3 *a, double reach, cn_touch3 *touch)
{
    const cn_solid *s = a->solid;
    cn_tube_place at = cn_tube_at(a, e->c);
    part wall = {.p = cn_posed3_point(a, s->middle), .u = at.u, .is_line = true};
    look found[WALLS_MAX];
    int count = 0,
        far_count = at.radial + e->most < s->radius - reach ? 0 : find_far(e, &wall, found);
    for (int k = 0; k < far_count; k++) {
        double along = cn_dot3(at.u, cn_sub3(found[k].a, wall.p));
        bool is_out = fabs(along) > at.half && !cn_tube_is_closed(s, along > 0.0);
        count = is_out ? count : keep_inside(e, &found[k], s->radius, reach, touch, count);
    }
    for (int k = 0; k < 2; k++) {
        part lid = {.p = cn_posed3_point(a, s->end[k])};
        look x = look_along(e, -1.0, &lid, cn_mul3(k == 1 ? -1.0 : 1.0, at.u));
        if (cn_tube_is_closed(s, k == 1)) {
            count = keep(&x, 16u + (uint32_t)k, reach, touch, count);
        }
    }
    return touch_rings(e, a, reach, touch, count);
}

// From outside a tube is a cylinder, but for the mouths of its hole. What is in the hole may sink
// into a lip as well, if nothing holds it there.
static int touch_tube_outside(const egg *e, const cn_posed3 *a, bool is_in_hole, double reach,
                              cn_touch3 *touch)
{
    const cn_solid *s = a->solid;
    cn_cylinder can = cn_cylinder_of(a);
    can.radius += s->thickness;
    for (int k = 0; k < 2; k++) {
        double lid = cn_tube_is_closed(s, k == 1) ? s->thickness : 0.0;
        can.end[k] = cn_add_mul3(can.end[k], k == 1 ? lid : -lid, can.u);
    }
    can.middle = cn_mul3(0.5, cn_add3(can.end[0], can.end[1]));
    can.half = 0.5 * cn_norm3(cn_sub3(can.end[1], can.end[0]));
    look x = near_can(e, &can);
    cn_tube_place at = cn_tube_at(a, x.a);
    bool is_level = fabs(cn_dot3(x.n, at.u)) > LEVEL && !cn_tube_is_closed(s, at.along > 0.0);
    bool is_in_mouth = is_level && at.radial < s->radius;
    if (is_in_hole) {
        return is_level && !is_in_mouth ? keep(&x, 64u, reach, touch, 0) : 0;
    }
    return is_in_mouth ? touch_rings(e, a, reach, touch, 0) : keep(&x, 64u, reach, touch, 0);
}

static int with_hollow_cylinder(const cn_posed3 *a, const cn_posed3 *b, double reach,
                                cn_touch3 *touch)
{
    egg e = egg_of(b);
    cn_vec3 middle;
    bool is_in_hole = find_part(&e, a, &middle) && is_in_tube(a, middle);
    int count = is_in_hole ? touch_tube_inside(&e, a, reach, touch) : 0;
    bool is_done = count > 0 || (is_in_hole && !cn_tube_is_open(a->solid));
    return is_done ? count : touch_tube_outside(&e, a, is_in_hole, reach, touch);
}

// ---- surfaces, in their frame

static void add_to_surface(cn_surface_gather *g, const look *x, uint32_t name)
{
    if (x->gap >= -g->depth) {
        cn_surface_add(g, cn_add_mul3(x->a, -0.5 * x->gap, x->n), x->n, x->gap, name);
    }
}

static void touch_edge(cn_surface_gather *g, const egg *e, int half)
{
    const cn_surface_solid *m = g->m;
    cn_vec3 p = m->vertex[cn_surface_from(m, half)], q = m->vertex[cn_surface_to(m, half)];
    cn_vec3 way = cn_sub3(q, p);
    double length = cn_norm3(way), at = cn_segment_place(p, q, e->c);
    if (cn_norm3(cn_sub3(cn_add_mul3(p, at, way), e->c)) > e->most + g->reach) {
        return;
    }
    part line = {.p = p, .u = cn_mul3(1.0 / length, way), .is_line = true};
    cn_vec3 outward = cn_add3(m->normal[half / 3], m->normal[m->twin[half] / 3]);
    look x = near_part(e, &line, outward);
    if (!cn_surface_edge_sees(m, half, x.n, CN_MESH_BORDER)) {
        x = leave(e, &line, x, outward, CN_HULL_LEVEL * g->size);
    }
    double place = cn_dot3(line.u, cn_sub3(x.a, p)), slack = CN_MESH_BORDER * g->size;
    if (place > -slack && place < length + slack &&
        cn_surface_edge_sees(m, half, x.n, CN_MESH_BORDER)) {
        add_to_surface(g, &x, cn_surface_name(CN_MESH_EDGE, half, 0u));
    }
}

static void touch_corner(cn_surface_gather *g, const egg *e, int vertex)
{
    const cn_surface_solid *m = g->m;
    part corner = {.p = m->vertex[vertex]};
    if (cn_norm3(cn_sub3(corner.p, e->c)) > e->most + g->reach) {
        return;
    }
    look x = near_part(e, &corner, cn_sub3(e->c, corner.p));
    if (!cn_surface_corner_sees(m, vertex, x.n, CN_MESH_BORDER)) {
        cn_vec3 outward = {0.0, 0.0, 0.0};
        for (int k = m->ring_start[vertex]; k < m->ring_start[vertex + 1]; k++) {
            outward = cn_add3(outward, m->normal[m->ring[k] / 3]);
        }
        x = leave(e, &corner, x, outward, CN_HULL_LEVEL * g->size);
    }
    if (cn_surface_corner_sees(m, vertex, x.n, CN_MESH_BORDER)) {
        add_to_surface(g, &x, cn_surface_name(CN_MESH_CORNER, vertex, 0u));
    }
}

static void touch_triangle(cn_surface_gather *g, int t, void *context)
{
    const egg *e = context;
    const cn_surface_solid *m = g->m;
    part plane = {.p = m->vertex[m->triangle[t][0]]};
    look x = look_along(e, -1.0, &plane, m->normal[t]);
    x.gap = cn_dot3(x.n, x.a) - m->offset[t];
    if (x.gap <= g->reach && cn_surface_is_over(g, t, x.a, x.gap)) {
        add_to_surface(g, &x, cn_surface_name(CN_MESH_FACE, m->patch[t], 0u));
    }
    for (int half = 3 * t; half < 3 * t + 3; half++) {
        if (cn_surface_owns_edge(m, half)) {
            touch_edge(g, e, half);
        }
        int v = cn_surface_from(m, half);
        if (m->ring[m->ring_start[v]] == half) {
            touch_corner(g, e, v);
        }
    }
}

static int with_surface(const cn_posed3 *a, const cn_posed3 *b, double reach, cn_touch3 *touch)
{
    egg e = egg_seen(b, a);
    cn_posed3 seen = {b->solid, cn_mat3_mul_transposed(&a->R, cn_sub3(b->x, a->x)),
                      cn_turn_between(&a->R, &b->R)};
    cn_surface_gather g = {.m = a->solid->mesh,
                           .reach = reach,
                           .size = 2.0 * e.least,
                           .depth = 2.0 * e.least,
                           .touch = touch};
    cn_surface_walk(&g, cn_posed3_box(&seen), reach, touch_triangle, &e);
    int count = cn_surface_finish(&g, b, a);
    for (int k = 0; k < count; k++) {
        touch[k].normal = cn_neg3(touch[k].normal);
    }
    return count;
}

const cn_narrow_row cn_ellipsoid_row = {.with = {[CN_SOLID_SPHERE] = with_sphere,
                                                 [CN_SOLID_CAPSULE] = with_capsule,
                                                 [CN_SOLID_HULL] = with_hull,
                                                 [CN_SOLID_HALF_SPACE] = with_half_space,
                                                 [CN_SOLID_CYLINDER] = with_cylinder,
                                                 [CN_SOLID_HOLLOW_SPHERE] = with_hollow_sphere,
                                                 [CN_SOLID_HOLLOW_CYLINDER] = with_hollow_cylinder,
                                                 [CN_SOLID_SURFACE] = with_surface,
                                                 [CN_SOLID_ELLIPSOID] = with_ellipsoid}};
