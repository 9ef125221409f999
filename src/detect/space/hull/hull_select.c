// detect/space/hull/hull_select.c -- at most four corners of the overlap of two faces, and their
// names.
//
// Which four: the largest quadrilateral. It holds the centroid, where a uniform pressure acts: the
// largest quadrilateral in a convex figure has at least 2/pi of its area, and a line through the
// centroid leaves at least 4/9 on either side (Grünbaum), which does not fit beyond one of its
// sides. If the gap varies over the patch, the corner that touches first and the next along the
// lower edge are among the four, and the one on its other side if it is near to touching: the body
// turns about these edges, and rolls from one to the other. Near-equal choices go to the first one
// counted from a corner that is extreme in a direction fixed to a body, and corners whose place is
// not known well are not chosen at all, so rounding and small turns do not choose (5.4). All
// corners are looked at, at linear cost; of many corners of a flat patch those that are extreme in
// one of sixteen directions are enough.
//
// Names: corners take four slots, fixed to four diagonals of the body named first. The assignment
// keeps the cyclic order and fits best. The diagonals are turned against those of the face by an
// angle that drawings do not have, so patches that are parallel to it, or turned by 45 degrees, are
// far from a tie.
#include "detect/space/hull/hull_patch.h"

// Directions whose extreme corners stand for all corners of a flat patch.
#define DIRECTION_COUNT 16

// From an edge of the face to the first diagonal (45 degrees less 20): cosine and sine.
static const double DIAGONAL_C = 0.9063077870366499, DIAGONAL_S = 0.42261826174069944;
// Corners that are near to touching, and that touch together: by the range of gaps.
static const double TOUCHING_PART = 0.1, TOGETHER_PART = 1e-2;
// A choice must be better by this part to replace an earlier one (5.4).
static const double BETTER = 1e-3;
// Sine of the angle at a corner below which its place is not known well (5.4).
static const double FLAT_SINE = 2e-3;

static void remove_corner(cn_outline *o, int at)
{
    o->count--;
    for (int k = at; k < o->count; k++) {
        o->corner[k] = o->corner[k + 1];
        o->gap[k] = o->gap[k + 1];
    }
}

// How far corner k is from the line between its neighbours.
static double bulge(const cn_outline *o, int k)
{
    cn_vec2 before = o->corner[(k + o->count - 1) % o->count];
    cn_vec2 after = o->corner[(k + 1) % o->count];
    cn_vec2 along = cn_sub2(after, before), x = cn_sub2(o->corner[k], before);
    double length = cn_norm2(along);
    return length > 0.0 ? fabs(cn_cross2(along, x)) / length : cn_norm2(x);
}

static int flattest(const cn_outline *o, double *least)
{
    int at = 0;
    *least = INFINITY;
    for (int k = 0; k < o->count; k++) {
        double of_k = bulge(o, k);
        if (of_k < *least) {
            *least = of_k;
            at = k;
        }
    }
    return at;
}

void cn_outline_simplify(cn_outline *o, double tolerance)
{
    while (o->count > 2) {
        double least;
        int at = flattest(o, &least);
        if (least > tolerance) {
            break;
        }
        remove_corner(o, at);
    }
}

// Sine of the angle between the edges at corner k.
static double sine_at(const cn_outline *o, int k)
{
    cn_vec2 in = cn_sub2(o->corner[k], o->corner[(k + o->count - 1) % o->count]);
    cn_vec2 out = cn_sub2(o->corner[(k + 1) % o->count], o->corner[k]);
    return fabs(cn_cross2(in, out)) / (cn_norm2(in) * cn_norm2(out));
}

// Whether corner k is lower than both its neighbours.
static bool is_low(const cn_outline *o, int k, double by)
{
    double last = o->gap[(k + o->count - 1) % o->count], next = o->gap[(k + 1) % o->count];
    return o->gap[k] < fmin(last, next) - by;
}

void cn_outline_straighten(cn_outline *o, double flat, double near)
{
    while (o->count > 2) {
        int at = -1;
        double least = FLAT_SINE;
        for (int k = 0; k < o->count; k++) {
            double sine = sine_at(o, k) / (1.0 + fmax(o->gap[k], 0.0) / near);
            if (sine < least && !is_low(o, k, flat)) {
                least = sine;
                at = k;
            }
        }
        if (at < 0) {
            break;
        }
        remove_corner(o, at);
    }
}

static void reverse(cn_outline *o)
{
    for (int k = 0; k < o->count / 2; k++) {
        int m = o->count - 1 - k;
        cn_vec2 corner = o->corner[k];
        double gap = o->gap[k];
        o->corner[k] = o->corner[m];
        o->gap[k] = o->gap[m];
        o->corner[m] = corner;
        o->gap[m] = gap;
    }
}

static int last_of(const cn_outline *o, int k)
{
    return (k + o->count - 1) % o->count;
}

// The corner furthest along d; of several that nearly are, the first counted counterclockwise.
static int furthest_along(const cn_outline *o, cn_vec2 d)
{
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < o->count; k++) {
        double along = cn_dot2(d, o->corner[k]);
        least = fmin(least, along);
        best = along > cn_dot2(d, o->corner[best]) ? k : best;
    }
    double most = cn_dot2(d, o->corner[best]), near = most - BETTER * (most - least);
    while (cn_dot2(d, o->corner[last_of(o, best)]) > near) {
        best = last_of(o, best);
    }
    return best;
}

// Makes the corner furthest along d the first.
static void start_at(cn_outline *o, cn_vec2 d)
{
    int first = furthest_along(o, d);
    cn_outline turned = {.count = o->count};
    for (int k = 0; k < o->count; k++) {
        turned.corner[k] = o->corner[(first + k) % o->count];
        turned.gap[k] = o->gap[(first + k) % o->count];
    }
    *o = turned;
}

// The corners that touch first, up to three: *a and those after it. Where two or more nearly do,
// rounding does not choose.
static int first_to_touch(const cn_outline *o, double limit, int *a)
{
    int first = 0, count = 1;
    for (int k = 1; k < o->count; k++) {
        first = o->gap[k] < o->gap[first] ? k : first;
    }
    while (count < o->count && o->gap[last_of(o, first)] <= limit) {
        first = last_of(o, first);
        count++;
    }
    while (count < o->count && o->gap[(first + count) % o->count] <= limit) {
        count++;
    }
    *a = count <= 3 ? first : (first + (count - 3) / 2) % o->count;
    return count <= 3 ? count : 3;
}

// The corners of the edges that the body turns about, *a and those after it; returns how many there
// are, none if the patch is flat.
static int find_hinge(const cn_outline *o, double flat, int *a)
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < o->count; k++) {
        least = fmin(least, o->gap[k]);
        most = fmax(most, o->gap[k]);
    }
    double range = most - least, near = least + TOUCHING_PART * range;
    double together = TOGETHER_PART * range;
    if (!(range > flat)) {
        return 0;
    }
    int count = first_to_touch(o, least + together, a);
    double before = o->gap[last_of(o, *a)], after = o->gap[(*a + count) % o->count];
    bool has_before = count == 1 && before < after - together;
    bool has_after = count == 1 && !has_before;
    has_before = has_before || (count < 3 && before <= near);
    has_after = has_after || (count + has_before < 3 && after <= near);
    *a = has_before ? last_of(o, *a) : *a;
    return count + has_before + has_after;
}

// Twice the area of a triangle of corners, which are counted on beyond the last one.
static double triangle(const cn_outline *o, int i, int j, int k)
{
    cn_vec2 x = o->corner[i % o->count];
    return fabs(
        cn_cross2(cn_sub2(o->corner[j % o->count], x), cn_sub2(o->corner[k % o->count], x)));
}

// The corner of [from, end) furthest from the line of i and k: distances rise to it, then fall.
static int furthest(const cn_outline *o, int i, int k, int from, int end)
{
    int best = from;
    double most = triangle(o, i, from, k);
    for (int j = from + 1; j < end; j++) {
        double area = triangle(o, i, j, k);
        if (area < (1.0 - BETTER) * most) {
            break;
        }
        if ((1.0 - BETTER) * area > most) {
            most = area;
            best = j;
        }
    }
    return best;
}

static void keep(cn_outline *o, const int *pick, int count)
{
    cn_outline kept = {.count = count};
    for (int k = 0; k < count; k++) {
        kept.corner[k] = o->corner[pick[k] % o->count];
        kept.gap[k] = o->gap[pick[k] % o->count];
    }
    *o = kept;
}

// The corners that are extreme in one of the directions, in their order.
static void keep_extremes(cn_outline *o, cn_vec2 direction)
{
    int pick[DIRECTION_COUNT], count = 0;
    bool is_kept[CN_OUTLINE_MAX] = {false};
    for (int n = 0; n < DIRECTION_COUNT; n++) {
        double angle = 2.0 * CN_PI * n / DIRECTION_COUNT;
        cn_vec2 d = cn_turn2(direction, cos(angle), sin(angle));
        is_kept[furthest_along(o, d)] = true;
    }
    for (int k = 0; k < o->count; k++) {
        if (is_kept[k]) {
            pick[count++] = k;
        }
    }
    keep(o, pick, count);
}

// Largest quadrilateral: on both sides of each diagonal the corner furthest from it, which moves on
// as the end of the diagonal does.
static void keep_largest(cn_outline *o)
{
    int n = o->count, best[4] = {0, 1, 2, 3};
    double most = -INFINITY;
    for (int i = 0; i < n; i++) {
        int j = i + 1, l = i + 3;
        for (int k = i + 2; k < n && k <= i + n - 2; k++) {
            j = furthest(o, i, k, j, k);
            l = furthest(o, i, k, l > k ? l : k + 1, i + n);
            double area = triangle(o, i, j, k) + triangle(o, i, k, l);
            if (area * (1.0 - BETTER) > most) {
                most = area;
                best[0] = i, best[1] = j, best[2] = k, best[3] = l;
            }
        }
    }
    keep(o, best, 4);
}

// Largest quadrilateral that holds two neighbours a and b, or three.
static void keep_about(cn_outline *o, int a, int hinge_count)
{
    int b = a + hinge_count - 1, end = a + o->count, l = b + 2;
    int best[4] = {a, a + 1, a + 2, a + 3};
    double most = -INFINITY;
    for (int k = b + 1; k < end && hinge_count == 3; k++) {
        double area = triangle(o, a, b, k);
        if (area * (1.0 - BETTER) > most) {
            most = area;
            best[3] = k;
        }
    }
    for (int k = b + 1; k + 1 < end && hinge_count == 2; k++) {
        l = furthest(o, a, k, l > k ? l : k + 1, end);
        double area = triangle(o, a, b, k) + triangle(o, a, k, l);
        if (area * (1.0 - BETTER) > most) {
            most = area;
            best[2] = k;
            best[3] = l;
        }
    }
    keep(o, best, 4);
}

static void keep_four(cn_outline *o, cn_vec2 direction, double flat)
{
    int a, hinge_count = find_hinge(o, flat, &a);
    if (hinge_count > 0) {
        keep_about(o, a, hinge_count);
        return;
    }
    if (o->count > DIRECTION_COUNT) {
        keep_extremes(o, direction);
    }
    keep_largest(o);
}

// Gives the slots whose bits are set in `used` to the corners, in their cyclic order; corner 0
// takes the one `shift` after the first.
static void fill_slots(unsigned used, int shift, int count, int slot[4])
{
    int list[4], length = 0;
    for (int k = 0; k < 4; k++) {
        if (used >> k & 1u) {
            list[length++] = k;
        }
    }
    for (int k = 0; k < count; k++) {
        slot[k] = list[(k + shift) % count];
    }
}

static int bit_count(unsigned used)
{
    return (int)((used & 1u) + (used >> 1 & 1u) + (used >> 2 & 1u) + (used >> 3 & 1u));
}

static void assign_slots(const cn_outline *o, cn_vec2 centre, const cn_vec2 diagonal[4],
                         int slot[4])
{
    double most = -INFINITY;
    for (unsigned used = 1; used < 16; used++) {
        for (int shift = 0; bit_count(used) == o->count && shift < o->count; shift++) {
            int trial[4];
            fill_slots(used, shift, o->count, trial);
            double fit = 0.0;
            for (int k = 0; k < o->count; k++) {
                fit += cn_dot2(diagonal[trial[k]], cn_sub2(o->corner[k], centre));
            }
            if (fit > most) {
                most = fit;
                for (int k = 0; k < o->count; k++) {
                    slot[k] = trial[k];
                }
            }
        }
    }
}

void cn_outline_select(cn_outline *o, cn_vec2 direction, bool is_left, double flat, int slot[4])
{
    // The outline runs counterclockwise seen from the body named first.
    if (!is_left) {
        reverse(o);
    }
    cn_vec2 diagonal[4] = {cn_turn2(direction, DIAGONAL_C, is_left ? DIAGONAL_S : -DIAGONAL_S)};
    for (int k = 1; k < 4; k++) {
        diagonal[k] = is_left ? cn_left2(diagonal[k - 1]) : cn_neg2(cn_left2(diagonal[k - 1]));
    }
    cn_vec2 centre = cn_v2(0.0, 0.0);
    for (int k = 0; k < o->count; k++) {
        centre = cn_add_mul2(centre, 1.0 / o->count, o->corner[k]);
    }
    start_at(o, diagonal[0]);
    if (o->count > 4) {
        keep_four(o, diagonal[0], flat);
    }
    assign_slots(o, centre, diagonal, slot);
}
