// generate/rock/rock_joints.c -- sets of joints, single planes and networks, as planes and discs.
#include "generate/rock/rock_joints.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

enum { JOINTS_MAX = 10000 }; // of one set, or of a network
enum { SPACING_STREAM = 0x5bac, TRACE_STREAM = 0x7ace };

static const double FISHER_LEAST = 1.0;

// ---- what is refused

// How a plane lies: where it dips to from +x, if it is known.
static cn_status check_attitude(double dip, double direction, double dip_direction, cn_error *err)
{
    if (!(dip >= 0.0 && dip <= 0.5 * CN_PI)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "dip between 0 and pi/2 is wanted, got %g rad; degrees are written 35deg",
                       dip);
    }
    if (!isnan(direction) && !isnan(dip_direction)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "give either direction, from the x axis, or dip_direction, from north");
    }
    if (isinf(direction) || isinf(dip_direction)) {
        return cn_fail(err, CN_BAD_INPUT, "a direction must be finite");
    }
    return CN_OK;
}

static cn_status check_spacing(const cn_spacing_def *s, cn_error *err)
{
    switch (s->kind) {
    case CN_SPACING_EXPONENTIAL:
        return cn_check_length("mean spacing", s->mean, err);
    case CN_SPACING_LOGNORMAL:
        CN_TRY(cn_check_length("deviation of the spacing", s->pair[1], err));
        return cn_check_length("mean spacing", s->pair[0], err);
    case CN_SPACING_UNIFORM:
        CN_TRY(cn_check_length("least spacing", s->pair[0], err));
        return s->pair[1] >= s->pair[0]
                   ? cn_check_length("largest spacing", s->pair[1], err)
                   : cn_fail(err, CN_BAD_INPUT,
                             "least and largest spacing are wanted, got %g and %g", s->pair[0],
                             s->pair[1]);
    default:
        return cn_check_length("spacing", s->constant, err);
    }
}

static cn_status check_scatter(const cn_scatter_def *s, cn_error *err)
{
    if (s->kind == CN_SCATTER_FISHER) {
        return s->fisher >= FISHER_LEAST && isfinite(s->fisher)
                   ? CN_OK
                   : cn_fail(
                         err, CN_BAD_INPUT,
                         "a concentration of Fisher's distribution from %g up is wanted, got %g",
                         FISHER_LEAST, s->fisher);
    }
    return s->cone >= 0.0 && s->cone <= 0.5
               ? CN_OK
               : cn_fail(err, CN_BAD_INPUT, "scatter between 0 and 0.5 rad is wanted, got %g",
                         s->cone);
}

static cn_status check_set(const cn_joint_set *set, cn_error *err)
{
    CN_TRY(check_attitude(set->dip, set->direction, set->dip_direction, err));
    CN_TRY(check_scatter(&set->scatter, err));
    CN_TRY(check_spacing(&set->spacing, err));
    if (!(set->uneven >= 0.0 && set->uneven <= 1.0 && isfinite(set->offset))) {
        return cn_fail(err, CN_BAD_INPUT,
                       "uneven between 0 and 1 and a finite offset are wanted, got %g and %g",
                       set->uneven, set->offset);
    }
    if (set->uneven > 0.0 && set->spacing.kind != CN_SPACING_CONSTANT) {
        return cn_fail(err, CN_BAD_INPUT, "a spacing that is drawn cannot be uneven besides");
    }
    if (!(set->persistence >= 0.0 && set->persistence <= 1.0)) {
        return cn_fail(err, CN_BAD_INPUT, "persistence between 0 and 1 is wanted, got %g",
                       set->persistence);
    }
    bool is_plane = isnan(set->trace) || set->trace == 0.0;
    return is_plane ? CN_OK : cn_check_length("trace", set->trace, err);
}

static cn_status check_plane(const cn_joint_plane *plane, cn_error *err)
{
    CN_TRY(check_attitude(plane->dip, plane->direction, plane->dip_direction, err));
    if (!isfinite(plane->at[0] + plane->at[1] + plane->at[2])) {
        return cn_fail(err, CN_BAD_INPUT, "its point must be finite");
    }
    return isnan(plane->radius) ? CN_OK : cn_check_length("radius", plane->radius, err);
}

static cn_status check_network(const cn_network_def *net, cn_error *err)
{
    const cn_numbers *column[] = {&net->x,     &net->y, &net->z, &net->dip, &net->dip_direction,
                                  &net->radius};
    int count = net->x.count;
    for (int k = 0; k < CN_COUNT_OF(column); k++) {
        if (column[k]->count != count) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "x, y, z, dip, dip_direction and radius of a network must be as many, got "
                "%d and %d",
                count, column[k]->count);
        }
    }
    if (count > JOINTS_MAX) {
        return cn_fail(err, CN_BAD_INPUT, "a network has at most %d joints, got %d", JOINTS_MAX,
                       count);
    }
    for (int k = 0; k < count; k++) {
        double dip = net->dip.value[k], direction = net->dip_direction.value[k];
        bool is_placed = isfinite(net->x.value[k] + net->y.value[k] + net->z.value[k]);
        if (!(is_placed && dip >= 0.0 && dip <= 90.0 && fabs(direction) <= 360.0 &&
              net->radius.value[k] > 0.0)) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "joint %d of the network needs a finite place, a dip from 0 to 90 degrees, "
                "a dip direction up to 360 degrees and a radius above 0 m, got %g, %g and %g",
                k + 1, dip, direction, net->radius.value[k]);
        }
    }
    return CN_OK;
}

cn_status cn_joints_check(const cn_slope_def *def, cn_error *err)
{
    const cn_joint_set *set = def->joints.row;
    const cn_joint_plane *plane = def->planes.row;
    cn_error why = {0};
    for (int k = 0; k < def->joints.count; k++) {
        if (check_set(&set[k], &why) != CN_OK) {
            return cn_fail(err, CN_BAD_INPUT, "joint set %d: %s", k + 1, why.text);
        }
    }
    for (int k = 0; k < def->planes.count; k++) {
        if (check_plane(&plane[k], &why) != CN_OK) {
            return cn_fail(err, CN_BAD_INPUT, "plane %d: %s", k + 1, why.text);
        }
    }
    return check_network(&def->network, err);
}

// ---- planes

double cn_spacing_mean(const cn_spacing_def *s)
{
    switch (s->kind) {
    case CN_SPACING_EXPONENTIAL:
        return s->mean;
    case CN_SPACING_LOGNORMAL:
        return s->pair[0];
    case CN_SPACING_UNIFORM:
        return 0.5 * (s->pair[0] + s->pair[1]);
    default:
        return s->constant;
    }
}

static cn_status add_joint(cn_joints *joints, const cn_joint *joint, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &joints->joint, &joints->capacity, (size_t)joints->count + 1, err));
    joints->joint[joints->count] = *joint;
    joints->joint[joints->count].order = joints->count;
    joints->count++;
    return CN_OK;
}

// Where planes dip to, from +x towards +y.
static double direction_of(const cn_joint_domain *domain, double direction, double dip_direction)
{
    return !isnan(dip_direction) ? domain->azimuth - dip_direction
           : isnan(direction)    ? 0.0
                                 : direction;
}

static cn_vec3 upward_normal(double dip, double direction)
{
    double s = sin(dip);
    return cn_v3(s * cos(direction), s * sin(direction), cos(dip));
}

// A normal about that of the set, which lies in the plane of u and its own.
static cn_vec3 draw_normal(const cn_joint_set *set, double direction, uint64_t *random)
{
    double share = cn_random(random), around = 2.0 * CN_PI * cn_random(random);
    cn_vec3 mean = upward_normal(set->dip, direction);
    cn_vec3 u = cn_v3(-sin(direction), cos(direction), 0.0), v = cn_cross3(mean, u);
    double along = 1.0, across = tan(set->scatter.cone * sqrt(share));
    if (set->scatter.kind == CN_SCATTER_FISHER) {
        // cos(angle) has the density K exp(K cos) / (exp K - exp -K) from -1 to 1.
        double K = set->scatter.fisher;
        along = fmax(-1.0, 1.0 + log(share + (1.0 - share) * exp(-2.0 * K)) / K);
        across = sqrt(fmax(0.0, 1.0 - along * along));
    }
    cn_vec3 normal = cn_add_mul3(cn_add_mul3(cn_mul3(along, mean), across * cos(around), u),
                                 across * sin(around), v);
    return cn_mul3(1.0 / cn_norm3(normal), normal);
}

static uint64_t stream_of(const cn_joint_domain *domain, int set, int64_t k)
{
    return cn_mix2(cn_mix2(domain->seed, (uint64_t)set), (uint64_t)k);
}

// Plane k of a set, so far from the middle along the mean normal.
static cn_joint plane_at(const cn_slope_def *def, const cn_joint_domain *domain, int number, int k,
                         double place)
{
    const cn_joint_set *set = (const cn_joint_set *)def->joints.row + number;
    uint64_t random = stream_of(domain, number, k);
    double uneven = set->uneven * (cn_random(&random) - 0.5);
    double direction = direction_of(domain, set->direction, set->dip_direction);
    cn_vec3 normal = draw_normal(set, direction, &random);
    double way = set->offset + place + uneven * cn_spacing_mean(&set->spacing);
    cn_vec3 point = cn_add_mul3(domain->centre, way, upward_normal(set->dip, direction));
    return (cn_joint){{normal, cn_dot3(normal, point)}, point, INFINITY, k};
}

// Between planes k - 1 and k.
static double draw_spacing(const cn_joint_set *set, const cn_joint_domain *domain, int number,
                           int k)
{
    const cn_spacing_def *s = &set->spacing;
    uint64_t random = cn_mix2(stream_of(domain, number, k), SPACING_STREAM);
    double x = cn_random(&random), y = cn_random(&random);
    switch (s->kind) {
    case CN_SPACING_EXPONENTIAL:
        return -s->mean * log(1.0 - x);
    case CN_SPACING_LOGNORMAL: {
        double square = log(1.0 + pow(s->pair[1] / s->pair[0], 2.0));
        double normal = sqrt(-2.0 * log(1.0 - x)) * cos(2.0 * CN_PI * y);
        return s->pair[0] * exp(sqrt(square) * normal - 0.5 * square);
    }
    case CN_SPACING_UNIFORM:
        return s->pair[0] + x * (s->pair[1] - s->pair[0]);
    default:
        return s->constant;
    }
}

static cn_status too_many(const cn_joint_set *set, int number, cn_error *err)
{
    return cn_fail(err, CN_BAD_INPUT,
                   "joint set %d: spacing %g m and offset %g m give more than %d planes",
                   number + 1, cn_spacing_mean(&set->spacing), set->offset, JOINTS_MAX);
}

// Equal distances: planes k at (k + 1/2) times the spacing, all that can reach the domain.
static cn_status add_even_set(const cn_slope_def *def, const cn_joint_domain *domain, int number,
                              cn_joints *joints, cn_error *err)
{
    const cn_joint_set *set = (const cn_joint_set *)def->joints.row + number;
    double spacing = set->spacing.constant, reach = cn_norm3(domain->extent) / spacing;
    double shift = set->offset / spacing;
    if (!(reach <= JOINTS_MAX && fabs(shift) <= JOINTS_MAX)) {
        return too_many(set, number, err);
    }
    int most = (int)ceil(0.5 * reach + fabs(shift)) + 1;
    for (int k = -most; k < most; k++) {
        const cn_joint joint = plane_at(def, domain, number, k, (k + 0.5) * spacing);
        CN_TRY(add_joint(joints, &joint, err));
    }
    return CN_OK;
}

// Distances that are drawn: from the middle up, then from there down.
static cn_status add_drawn_set(const cn_slope_def *def, const cn_joint_domain *domain, int number,
                               cn_joints *joints, cn_error *err)
{
    const cn_joint_set *set = (const cn_joint_set *)def->joints.row + number;
    double reach = 0.5 * cn_norm3(domain->extent) + fabs(set->offset), first = 0.0;
    for (int up = 1; up >= 0; up--) {
        int k = up ? 0 : -1;
        double place = up ? 0.5 * draw_spacing(set, domain, number, 0)
                          : first - draw_spacing(set, domain, number, 0);
        first = up ? place : first;
        while (fabs(place) <= reach) {
            if (abs(k) > JOINTS_MAX) {
                return too_many(set, number, err);
            }
            const cn_joint joint = plane_at(def, domain, number, k, place);
            CN_TRY(add_joint(joints, &joint, err));
            place += up ? draw_spacing(set, domain, number, k + 1)
                        : -draw_spacing(set, domain, number, k);
            k += up ? 1 : -1;
        }
    }
    return CN_OK;
}

// ---- discs

static int compare_joints(const void *a, const void *b)
{
    const cn_joint *p = a, *q = b;
    int larger = (p->radius < q->radius) - (p->radius > q->radius);
    return larger != 0 ? larger : (p->order > q->order) - (p->order < q->order);
}

static void sort_from(cn_joints *joints, int first)
{
    if (joints->count > first) {
        qsort(joints->joint + first, (size_t)(joints->count - first), sizeof *joints->joint,
              compare_joints);
    }
}

// Discs at random places, of exponential radii r about m: with n discs in a volume V their area is
// n pi mean(r^2) = 2 n pi m^2, as that of planes, V over the spacing.
static cn_status add_traces(const cn_slope_def *def, const cn_joint_domain *domain, int number,
                            cn_joints *joints, cn_error *err)
{
    const cn_joint_set *set = (const cn_joint_set *)def->joints.row + number;
    double mean = 0.5 * set->trace, first = joints->count;
    cn_vec3 box = cn_add3(domain->extent, cn_v3(2.0 * mean, 2.0 * mean, 2.0 * mean));
    double count =
        box.x * box.y * box.z / (cn_spacing_mean(&set->spacing) * 2.0 * CN_PI * mean * mean);
    if (!(count <= JOINTS_MAX)) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "joint set %d: traces of %g m at a spacing of %g m are %.0f discs, at most %d "
            "are drawn",
            number + 1, set->trace, cn_spacing_mean(&set->spacing), count, JOINTS_MAX);
    }
    for (int k = 0; k < (int)round(count); k++) {
        cn_joint joint = plane_at(def, domain, number, k, 0.0);
        uint64_t random = cn_mix2(stream_of(domain, number, k), TRACE_STREAM);
        double x = cn_random(&random) - 0.5, y = cn_random(&random) - 0.5;
        double z = cn_random(&random) - 0.5;
        joint.radius = -mean * log(1.0 - cn_random(&random));
        joint.centre = cn_add3(domain->centre, cn_v3(x * box.x, y * box.y, z * box.z));
        joint.plane.offset = cn_dot3(joint.plane.normal, joint.centre);
        CN_TRY(add_joint(joints, &joint, err));
    }
    sort_from(joints, (int)first);
    return CN_OK;
}

cn_status cn_joints_add_set(const cn_slope_def *def, const cn_joint_domain *domain, int number,
                            cn_joints *joints, cn_error *err)
{
    const cn_joint_set *set = (const cn_joint_set *)def->joints.row + number;
    if (set->trace > 0.0) {
        return add_traces(def, domain, number, joints, err);
    }
    return set->spacing.kind == CN_SPACING_CONSTANT
               ? add_even_set(def, domain, number, joints, err)
               : add_drawn_set(def, domain, number, joints, err);
}

cn_status cn_joints_add_mapped(const cn_slope_def *def, const cn_joint_domain *domain,
                               cn_joints *joints, cn_error *err)
{
    const cn_joint_plane *plane = def->planes.row;
    const cn_network_def *net = &def->network;
    for (int k = 0; k < def->planes.count; k++) {
        const cn_joint_plane *p = &plane[k];
        cn_vec3 n = upward_normal(p->dip, direction_of(domain, p->direction, p->dip_direction));
        cn_vec3 at = cn_v3(p->at[0], p->at[1], p->at[2]);
        const cn_joint by = {{n, cn_dot3(n, at)}, at, isnan(p->radius) ? INFINITY : p->radius, k};
        CN_TRY(add_joint(joints, &by, err));
    }
    int first = joints->count;
    const double degree = CN_PI / 180.0;
    for (int k = 0; k < net->x.count; k++) {
        double direction = direction_of(domain, NAN, net->dip_direction.value[k] * degree);
        cn_vec3 n = upward_normal(net->dip.value[k] * degree, direction);
        cn_vec3 at = cn_v3(net->x.value[k], net->y.value[k], net->z.value[k]);
        const cn_joint by = {{n, cn_dot3(n, at)}, at, net->radius.value[k], k};
        CN_TRY(add_joint(joints, &by, err));
    }
    sort_from(joints, first);
    return CN_OK;
}
