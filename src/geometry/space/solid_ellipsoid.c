// geometry/space/solid_ellipsoid.c -- an ellipsoid of the diameters `size` along x, y and z.
#include "geometry/space/solid_kind.h"

enum { TIPS = 6, OCTANTS = 8, ROUNDS = 200 };

static cn_vec3 half_of(const cn_solid_def *def)
{
    return cn_v3(0.5 * def->size[0], 0.5 * def->size[1], 0.5 * def->size[2]);
}

static double least_of(cn_vec3 v)
{
    return fmin(v.x, fmin(v.y, v.z));
}

static double most_of(cn_vec3 v)
{
    return fmax(v.x, fmax(v.y, v.z));
}

static cn_vec3 times(cn_vec3 u, cn_vec3 v)
{
    return cn_v3(u.x * v.x, u.y * v.y, u.z * v.z);
}

static cn_status measure(const cn_solid_def *def, cn_solid_moments *found, cn_error *err)
{
    CN_TRY(cn_solid_check_sides(def, err));
    cn_vec3 a = half_of(def), square = times(a, a);
    double volume = 4.0 / 3.0 * CN_PI * a.x * a.y * a.z, part = 0.2 * volume;
    *found =
        (cn_solid_moments){.volume = volume,
                           .size = 2.0 * least_of(a),
                           .inertia = {part * (square.y + square.z), part * (square.z + square.x),
                                       part * (square.x + square.y), 0.0, 0.0, 0.0}};
    return CN_OK;
}

static cn_status place(const cn_solid_def *def, const cn_solid_way *way, const cn_hooks *hooks,
                       cn_solid *solid, cn_error *err)
{
    (void)hooks, (void)err;
    solid->half = half_of(def);
    solid->middle = solid->end[0] = solid->end[1] = cn_solid_moved(way, cn_v3(0.0, 0.0, 0.0));
    solid->reach = cn_norm3(solid->middle) + most_of(solid->half);
    solid->size = 2.0 * least_of(solid->half);
    return CN_OK;
}

// A vector of the body in the axes of the ellipsoid.
static cn_vec3 in_axes(const cn_solid *s, cn_vec3 v)
{
    return cn_v3(cn_dot3(s->side, v), cn_dot3(cn_cross3(s->axis, s->side), v), cn_dot3(s->axis, v));
}

// Along a direction n it reaches |A n|, A = diag(half).
static cn_vec3 margin(const cn_posed3 *p)
{
    cn_vec3 reach[3];
    for (int k = 0; k < 3; k++) {
        reach[k] = times(p->solid->half, in_axes(p->solid, p->R.row[k]));
    }
    return cn_v3(cn_norm3(reach[0]), cn_norm3(reach[1]), cn_norm3(reach[2]));
}

// The radii of curvature are the eigenvalues of C = (A^2 - (A^2 n)(A^2 n)^T / h^2) / h across n,
// h = |A n|; their sum is its trace and their product (a b c)^2 / h^4.
static double curvature(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward)
{
    (void)point;
    cn_vec3 a = p->solid->half, square = times(a, a);
    cn_vec3 n = in_axes(p->solid, cn_mat3_mul_transposed(&p->R, outward));
    double h = cn_norm3(times(a, n)), reach = cn_norm3(times(square, n)) / h;
    double sum = (square.x + square.y + square.z - reach * reach) / h;
    double product = a.x * a.y * a.z / (h * h);
    return 0.5 * sum / (product * product);
}

// The height of the centre above a plane changes with the tilt at second order by the radius of
// curvature less the height, at most a^2/c - c; farther than its reach nothing of it moves.
static double lever(const cn_solid *solid)
{
    double most = most_of(solid->half), least = least_of(solid->half);
    return cn_norm3(solid->middle) + fmin(most, most * (most / least) - least);
}

// A ball whose corners are stretched on the way to the one who asked.
typedef struct stretched {
    cn_vec3 half;
    cn_face_visit *visit;
    void *context;
} stretched;

static cn_status stretch(void *context, const cn_vec3 *corner, int count, cn_error *err)
{
    const stretched *s = context;
    cn_vec3 moved[CN_PROFILE_SIDES_MAX];
    for (int k = 0; k < count; k++) {
        moved[k] = times(s->half, corner[k]);
    }
    return s->visit(s->context, moved, count, err);
}

static cn_status faces(const cn_solid_def *def, const cn_fineness *fine, cn_face_visit *visit,
                       void *context, cn_error *err)
{
    cn_profile p = {0};
    cn_profile_add_capsule(&p, 1.0, 0.0, fine->rings);
    stretched s = {half_of(def), visit, context};
    return cn_profile_revolve(&p, fine->sides, stretch, &s, err);
}

// F(t) = sum (a_i y_i / (t + a_i^2))^2 is 1 where y - x = t n of the foot x of y, x_i = a_i^2 y_i /
// (t + a_i^2); it falls for t > -min a_i^2. *slope is its derivative.
static double foot_sum(const double a[3], const double y[3], double t, double *slope)
{
    double sum = 0.0;
    *slope = 0.0;
    for (int k = 0; k < 3; k++) {
        double below = t + a[k] * a[k], part = y[k] > 0.0 ? a[k] * y[k] / below : 0.0;
        sum += part * part;
        *slope -= y[k] > 0.0 ? 2.0 * part * part / below : 0.0;
    }
    return sum;
}

// The root by Newton steps on 1/sqrt(F), which is nearly straight, kept in a bracket.
static double find_foot(const double a[3], const double y[3], double least)
{
    double low = -least * least, reach = 0.0;
    for (int k = 0; k < 3; k++) {
        low = fmax(low, a[k] * (y[k] - a[k]));
        reach = hypot(reach, a[k] * y[k]);
    }
    double high = fmax(low, reach - least * least), t = high;
    for (int k = 0; k < ROUNDS && high > low; k++) {
        double slope, sum = foot_sum(a, y, t, &slope);
        low = sum >= 1.0 ? t : low;
        high = sum < 1.0 ? t : high;
        double step = slope < 0.0 ? 2.0 * sum * (1.0 - sqrt(sum)) / slope : 0.0;
        double next = t + step;
        next = next > low && next < high ? next : 0.5 * (low + high);
        if (next == t || !(sum != 1.0)) {
            break;
        }
        t = next;
    }
    return t;
}

static double depth(const cn_solid_def *def, cn_vec3 local)
{
    cn_vec3 half = half_of(def);
    const double a[3] = {half.x, half.y, half.z};
    const double y[3] = {fabs(local.x), fabs(local.y), fabs(local.z)};
    double least = least_of(half), t = find_foot(a, y, least), away = 0.0, left = 1.0;
    for (int k = 0; k < 3; k++) {
        double below = t + a[k] * a[k], x = below > 0.0 ? a[k] * a[k] * y[k] / below : 0.0;
        away = hypot(away, x - y[k]);
        left -= x / a[k] * (x / a[k]);
    }
    // Where the least axis has no part in y, the foot leaves the plane of the others by its own.
    if (t <= -least * least * (1.0 - 1e-14) && left > 0.0) {
        away = hypot(away, least * sqrt(left));
    }
    return t < 0.0 ? away : -away;
}

static cn_vec3 farthest(const cn_solid_def *def, cn_vec3 n)
{
    cn_vec3 half = half_of(def), reach = times(half, n);
    return cn_mul3(1.0 / cn_norm3(reach), times(half, reach));
}

static cn_vec3 surface(const cn_solid_def *def, cn_vec3 direction)
{
    return times(half_of(def), direction);
}

// Tips, points between them, and the largest ball inside.
static cn_vec3 sample(const cn_solid *solid, int k, double *radius)
{
    *radius = k == TIPS + OCTANTS ? least_of(solid->half) : 0.0;
    cn_vec3 on = {0.0, 0.0, 0.0};
    if (k < TIPS) {
        (&on.x)[k / 2] = k % 2 == 0 ? 1.0 : -1.0;
    } else if (k < TIPS + OCTANTS) {
        double part = 1.0 / sqrt(3.0);
        on = cn_v3(k & 1 ? part : -part, k & 2 ? part : -part, k & 4 ? part : -part);
    }
    on = times(solid->half, on);
    cn_vec3 p = cn_add_mul3(solid->middle, on.x, solid->side);
    p = cn_add_mul3(p, on.y, cn_cross3(solid->axis, solid->side));
    return cn_add_mul3(p, on.z, solid->axis);
}

const cn_solid_ops cn_solid_ellipsoid = {.name = "ellipsoid",
                                         .is_convex = true,
                                         .measure = measure,
                                         .place = place,
                                         .margin = margin,
                                         .curvature = curvature,
                                         .lever = lever,
                                         .faces = faces,
                                         .depth = depth,
                                         .farthest = farthest,
                                         .surface = surface,
                                         .sample_count = TIPS + OCTANTS + 1,
                                         .sample = sample};
