// detect/narrow3/hull_select.c -- at most four corners of the overlap of two faces, and their
// names.
//
// Which four: the largest quadrilateral. It holds the centroid, where a uniform pressure acts: the
// largest quadrilateral in a convex figure has at least 2/pi of its area, and a line through the
// centroid leaves at least 4/9 on either side (Grünbaum), which does not fit beyond one of its
// sides. If the gap varies over the patch, the corners that touch first must be among the four: the
// body turns about them. Near-equal choices go to the first one counted from a corner that is
// extreme in a direction fixed to a body, so rounding does not choose.
//
// Names: corners take four slots, fixed to four diagonals of the body named first. The assignment
// keeps the cyclic order and fits best. The diagonals are turned against those of the face by an
// angle that drawings do not have, so patches that are parallel to it, or turned by 45 degrees, are
// far from a tie.
#include "detect/narrow3/hull_patch.h"

// More corners than this are thinned first, the flattest going first.
#define CANDIDATE_MAX 12

// From an edge of the face to the first diagonal (45 degrees less 20): cosine and sine.
static const double DIAGONAL_C = 0.9063077870366499, DIAGONAL_S = 0.42261826174069944;
// Corners that count as the first to touch: gap within this part of the range of gaps.
static const double TOUCHING_PART = 0.1;
// A choice must be better by this part to replace an earlier one.
static const double BETTER = 1e-6;

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

// Makes the corner furthest along d the first.
static void start_at(cn_outline *o, cn_vec2 d)
{
    int first = 0;
    for (int k = 1; k < o->count; k++) {
        first = cn_dot2(d, o->corner[k]) > cn_dot2(d, o->corner[first]) ? k : first;
    }
    cn_outline turned = {.count = o->count};
    for (int k = 0; k < o->count; k++) {
        turned.corner[k] = o->corner[(first + k) % o->count];
        turned.gap[k] = o->gap[(first + k) % o->count];
    }
    *o = turned;
}

// The run of corners that touch first, by its two ends and the very first; -1 if the patch is flat.
static void find_hinge(const cn_outline *o, double flat, int hinge[3])
{
    double least = INFINITY, most = -INFINITY;
    int first = -1;
    for (int k = 0; k < o->count; k++) {
        first = o->gap[k] < least ? k : first;
        least = fmin(least, o->gap[k]);
        most = fmax(most, o->gap[k]);
    }
    hinge[0] = hinge[1] = -1;
    hinge[2] = most - least > flat ? first : -1;
    double limit = least + TOUCHING_PART * (most - least);
    for (int k = 0; most - least > flat && k < o->count; k++) {
        bool is_before = o->gap[(k + o->count - 1) % o->count] <= limit;
        bool is_after = o->gap[(k + 1) % o->count] <= limit;
        if (o->gap[k] <= limit) {
            hinge[0] = is_before ? hinge[0] : k;
            hinge[1] = is_after ? hinge[1] : k;
        }
    }
}

static bool holds(const int pick[4], int corner)
{
    return corner < 0 || pick[0] == corner || pick[1] == corner || pick[2] == corner ||
           pick[3] == corner;
}

static double area_of(const cn_outline *o, const int pick[4])
{
    return 0.5 * fabs(cn_cross2(cn_sub2(o->corner[pick[2]], o->corner[pick[0]]),
                                cn_sub2(o->corner[pick[3]], o->corner[pick[1]])));
}

// Largest quadrilateral that holds the hinge.
static void keep_four(cn_outline *o, double flat)
{
    int hinge[3], best[4] = {0, 1, 2, 3};
    find_hinge(o, flat, hinge);
    double most = -INFINITY;
    for (int i = 0; i < o->count; i++) {
        for (int j = i + 1; j < o->count; j++) {
            for (int k = j + 1; k < o->count; k++) {
                for (int l = k + 1; l < o->count; l++) {
                    const int pick[4] = {i, j, k, l};
                    double area = area_of(o, pick);
                    if (area * (1.0 - BETTER) > most && holds(pick, hinge[0]) &&
                        holds(pick, hinge[1]) && holds(pick, hinge[2])) {
                        most = area;
                        best[0] = i, best[1] = j, best[2] = k, best[3] = l;
                    }
                }
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        o->corner[k] = o->corner[best[k]];
        o->gap[k] = o->gap[best[k]];
    }
    o->count = 4;
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
    while (o->count > CANDIDATE_MAX) {
        double least;
        remove_corner(o, flattest(o, &least));
    }
    cn_vec2 centre = cn_v2(0.0, 0.0);
    for (int k = 0; k < o->count; k++) {
        centre = cn_add_mul2(centre, 1.0 / o->count, o->corner[k]);
    }
    start_at(o, diagonal[0]);
    if (o->count > 4) {
        keep_four(o, flat);
    }
    assign_slots(o, centre, diagonal, slot);
}
