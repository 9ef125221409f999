// detect/space/placed_cylinder.c
#include "detect/space/placed_cylinder.h"

static const double TIE = 1e-12; // parts of a unit vector that are rounding [-]

// cos(k pi / 16)
static const double COSINE[9] = {1.0,
                                 0.98078528040323044913,
                                 0.92387953251128675613,
                                 0.83146961230254523708,
                                 0.70710678118654752440,
                                 0.55557023301960222474,
                                 0.38268343236508977173,
                                 0.19509032201612826785,
                                 0.0};

static double cosine_of(int k)
{
    int folded = k % CN_RIM_SIDES;
    folded = folded > 16 ? CN_RIM_SIDES - folded : folded;
    return folded > 8 ? -COSINE[16 - folded] : COSINE[folded];
}

cn_cylinder cn_cylinder_of(const cn_posed3 *p)
{
    const cn_solid *s = p->solid;
    cn_cylinder can = {.end = {cn_posed3_point(p, s->end[0]), cn_posed3_point(p, s->end[1])},
                       .middle = cn_posed3_point(p, s->middle),
                       .u = cn_mat3_mul(&p->R, s->axis),
                       .side = cn_mat3_mul(&p->R, s->side),
                       .radius = s->radius,
                       .half = 0.5 * cn_norm3(cn_sub3(s->end[1], s->end[0]))};
    can.left = cn_cross3(can.u, can.side);
    return can;
}

cn_cylinder cn_cylinder_seen(const cn_posed3 *p, const cn_posed3 *from)
{
    cn_cylinder can = cn_cylinder_of(p);
    for (int k = 0; k < 2; k++) {
        can.end[k] = cn_mat3_mul_transposed(&from->R, cn_sub3(can.end[k], from->x));
    }
    can.middle = cn_mat3_mul_transposed(&from->R, cn_sub3(can.middle, from->x));
    can.u = cn_mat3_mul_transposed(&from->R, can.u);
    can.side = cn_mat3_mul_transposed(&from->R, can.side);
    can.left = cn_cross3(can.u, can.side);
    return can;
}

cn_vec3 cn_cylinder_rim(const cn_cylinder *can, int cap, int k)
{
    // sin(k pi / 16) = cos((k - 8) pi / 16)
    cn_vec3 out = cn_add_mul3(cn_mul3(cosine_of(k), can->side), cosine_of(k + 24), can->left);
    return cn_add_mul3(can->end[cap], can->radius, out);
}

cn_vec3 cn_cylinder_across(const cn_cylinder *can, cn_vec3 n, double *size)
{
    cn_vec3 across = cn_add_mul3(n, -cn_dot3(n, can->u), can->u);
    *size = cn_norm3(across);
    if (!(*size > 1e-15 * cn_norm3(n))) {
        return can->side;
    }
    across = cn_mul3(1.0 / *size, across);
    if (*size < 1e-6) { // what rounding leaves along the axis is large beside so small a part
        across = cn_add_mul3(across, -cn_dot3(across, can->u), can->u);
        across = cn_mul3(1.0 / cn_norm3(across), across);
    }
    return across;
}

cn_vec3 cn_cylinder_lowest(const cn_cylinder *can, cn_vec3 n, cn_vec3 then)
{
    double along = cn_dot3(n, can->u), size, then_size;
    along = fabs(along) > TIE ? along : cn_dot3(then, can->u);
    cn_vec3 across = cn_cylinder_across(can, n, &size),
            then_across = cn_cylinder_across(can, then, &then_size);
    cn_vec3 out = size > TIE ? across : then_across;
    return cn_add_mul3(can->end[along > 0.0 ? 0 : 1], -can->radius, out);
}

double cn_cylinder_low(const cn_cylinder *can, cn_vec3 n)
{
    double along = cn_dot3(n, can->u), size;
    cn_cylinder_across(can, n, &size);
    return cn_dot3(n, can->middle) - can->radius * size - can->half * fabs(along);
}

double cn_cylinder_foot(const cn_cylinder *can, cn_vec3 p, cn_vec3 *n)
{
    cn_vec3 d = cn_sub3(p, can->middle);
    double along = cn_dot3(d, can->u), radial;
    cn_vec3 out = cn_cylinder_across(can, d, &radial);
    cn_vec3 up = along < 0.0 ? cn_neg3(can->u) : can->u;
    double beyond = fabs(along) - can->half, beside = radial - can->radius;
    if (beyond > 0.0 && beside > 0.0) {
        double distance = sqrt(beyond * beyond + beside * beside);
        *n = cn_add_mul3(cn_mul3(beyond / distance, up), beside / distance, out);
        return distance;
    }
    *n = beside >= beyond ? out : up;
    return beside >= beyond ? beside : beyond;
}

int cn_cylinder_cap(const cn_cylinder *can, cn_vec3 n)
{
    double size;
    cn_cylinder_across(can, n, &size);
    return size > CN_CAN_OFFER ? -1 : cn_dot3(n, can->u) > 0.0 ? 0 : 1;
}

bool cn_cylinder_lies(const cn_cylinder *can, cn_vec3 n)
{
    return fabs(cn_dot3(n, can->u)) < CN_CAN_OFFER;
}

cn_rod cn_cylinder_line(const cn_cylinder *can, cn_vec3 n)
{
    double size;
    cn_vec3 out = cn_cylinder_across(can, n, &size);
    return (cn_rod){
        {cn_add_mul3(can->end[0], -can->radius, out), cn_add_mul3(can->end[1], -can->radius, out)},
        0.0};
}

cn_rod cn_cylinder_side(const cn_cylinder *can, cn_vec3 n)
{
    cn_rod rod = cn_cylinder_line(can, n);
    rod.end[0] = cn_add_mul3(rod.end[0], can->radius, n);
    rod.end[1] = cn_add_mul3(rod.end[1], can->radius, n);
    rod.radius = can->radius;
    return rod;
}

cn_vec3 cn_cylinder_on_cap(const cn_cylinder *can, int cap, cn_vec3 n, cn_vec3 p)
{
    cn_vec3 x = cn_sub3(p, can->end[cap]);
    return cn_add_mul3(x, -cn_dot3(can->u, x) / cn_dot3(can->u, n), n);
}

bool cn_cylinder_cut(const cn_cylinder *can, int cap, cn_vec3 n, cn_vec3 p, cn_vec3 q,
                     double cut[2])
{
    cn_vec3 x = cn_cylinder_on_cap(can, cap, n, p), y = cn_cylinder_on_cap(can, cap, n, q);
    cn_vec3 way = cn_sub3(y, x);
    // |x + t way| = radius
    double a = cn_dot3(way, way), b = cn_dot3(x, way);
    double c = cn_dot3(x, x) - can->radius * can->radius, square = b * b - a * c;
    if (!(a > 0.0) || !(square > 0.0)) {
        return false;
    }
    cut[0] = fmax(0.0, (-b - sqrt(square)) / a);
    cut[1] = fmin(1.0, (-b + sqrt(square)) / a);
    return cut[0] < cut[1];
}

// ---- arcs

static cn_vec3 arc_at(const cn_arc *arc, double angle)
{
    return cn_add_mul3(cn_mul3(cos(angle), arc->from), sin(angle), arc->to);
}

// Slope of the distance along the arc: the way along it times the lowest point, less v. At angles
// where the lowest point jumps, the slope just before (sign -1) or just after (+1).
static double slope_at(const cn_cylinder *can, const cn_arc *arc, cn_vec3 v, double angle,
                       double sign)
{
    cn_vec3 way = cn_add_mul3(cn_mul3(-sin(angle), arc->from), cos(angle), arc->to);
    cn_vec3 x = cn_cylinder_lowest(can, arc_at(arc, angle), cn_mul3(sign, way));
    return cn_dot3(way, cn_sub3(x, v));
}

// Where the slope falls through zero, by false position that halves the weight of a stale end.
static double find_zero(const cn_cylinder *can, const cn_arc *arc, cn_vec3 v, double low,
                        double high, double at_low, double at_high)
{
    for (int k = 0; k < 80 && high - low > 4e-16; k++) {
        double middle =
            k % 4 == 3 ? 0.5 * (low + high) : (low * at_high - high * at_low) / (at_high - at_low);
        middle = fmin(fmax(middle, low), high);
        double slope = slope_at(can, arc, v, middle, 1.0);
        if (slope == 0.0) {
            return middle;
        }
        if (slope > 0.0) {
            low = middle;
            at_low = slope;
            at_high *= 0.5;
        } else {
            high = middle;
            at_high = slope;
            at_low *= 0.5;
        }
    }
    return 0.5 * (low + high);
}

// Angles inside the arc where the slope jumps (across the axis the lowest point changes from cap to
// cap) or swings round (nearest to the axis), in order between its ends; returns their number.
static int split(const cn_cylinder *can, const cn_arc *arc, double angle[6])
{
    double along = cn_dot3(arc->from, can->u), rise = cn_dot3(arc->to, can->u);
    const double special[2] = {atan(-along / rise), atan(rise / along)};
    int count = 0;
    angle[count++] = arc->low;
    for (int k = 0; k < 4; k++) {
        double at = special[k % 2] + (k < 2 ? 0.0 : CN_PI);
        if (!(at > arc->low && at < arc->high)) {
            continue;
        }
        int place = count++;
        for (; angle[place - 1] > at; place--) {
            angle[place] = angle[place - 1];
        }
        angle[place] = at;
    }
    angle[count++] = arc->high;
    return count;
}

static void keep_farther(const cn_cylinder *can, const cn_arc *arc, cn_vec3 v, double angle,
                         double *most, cn_vec3 *n)
{
    cn_vec3 at = arc_at(arc, angle);
    double distance = cn_cylinder_low(can, at) - cn_dot3(at, v);
    if (distance > *most) {
        *most = distance;
        *n = at;
    }
}

bool cn_cylinder_arc(const cn_cylinder *can, const cn_arc *arc, cn_vec3 v, cn_vec3 *n,
                     bool *is_side)
{
    double angle[6], most = -INFINITY, tie = TIE * (can->radius + can->half);
    int count = split(can, arc, angle);
    for (int k = 0; k + 1 < count; k++) {
        double after = slope_at(can, arc, v, angle[k], 1.0);
        double before = slope_at(can, arc, v, angle[k + 1], -1.0);
        // A zero just there is one whatever the sign that rounding gives it.
        if (k > 0 && after <= tie && slope_at(can, arc, v, angle[k], -1.0) >= -tie) {
            keep_farther(can, arc, v, angle[k], &most, n);
        }
        if (after > tie && before < -tie) {
            double at = find_zero(can, arc, v, angle[k], angle[k + 1], after, before);
            keep_farther(can, arc, v, at, &most, n);
        }
    }
    *is_side = most > -INFINITY && fabs(cn_dot3(*n, can->u)) < TIE;
    return most > -INFINITY;
}
