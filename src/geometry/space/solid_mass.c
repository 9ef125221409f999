// geometry/space/solid_mass.c -- checks definitions; volume, centre and inertia of solids and
// clusters.
//
// A polyhedron is a sum of tetrahedra, one per triangle of each face, whose common corner is first
// a vertex (volume, centre) and then the centre (inertia), so that a polyhedron drawn far from the
// origin keeps its digits. Clusters add up by parallel axes between centres.
#include "geometry/space/solid_parts.h"

static const double UNIT = 1e-6; // accepted error of the norm of a quaternion [-]

static const char *const NAME[CN_SOLID_KIND_COUNT] = {
    [CN_SOLID_SPHERE] = "sphere",
    [CN_SOLID_CAPSULE] = "capsule",
    [CN_SOLID_HULL] = "polyhedron",
    [CN_SOLID_HALF_SPACE] = "half_space",
    [CN_SOLID_CYLINDER] = "cylinder",
    [CN_SOLID_HOLLOW_SPHERE] = "hollow_sphere",
    [CN_SOLID_HOLLOW_CYLINDER] = "hollow_cylinder",
    [CN_SOLID_SURFACE] = "surface",
};

static bool is_kind(cn_solid_kind kind)
{
    return (int)kind >= 0 && kind < CN_SOLID_KIND_COUNT;
}

const char *cn_solid_kind_name(cn_solid_kind kind)
{
    return is_kind(kind) ? NAME[kind] : "unknown solid";
}

void cn_box_corners(double x, double y, double z, double point[24])
{
    if (point == NULL) {
        return;
    }
    for (int k = 0; k < 8; k++) {
        point[3 * k] = k & 1 ? 0.5 * x : -0.5 * x;
        point[3 * k + 1] = k & 2 ? 0.5 * y : -0.5 * y;
        point[3 * k + 2] = k & 4 ? 0.5 * z : -0.5 * z;
    }
}

static bool is_turned(const double turn[4])
{
    return turn[0] != 0.0 || turn[1] != 0.0 || turn[2] != 0.0 || turn[3] != 0.0;
}

cn_mat3 cn_solid_turn(const cn_solid_def *def)
{
    const double *t = def->turn;
    cn_quat none = {1.0, 0.0, 0.0, 0.0};
    return cn_quat_matrix(is_turned(t) ? cn_quat_unit((cn_quat){t[0], t[1], t[2], t[3]}) : none);
}

static cn_status check_length(cn_solid_kind kind, const char *what, double length, cn_error *err)
{
    if (!(length > 0.0) || !isfinite(length)) {
        return cn_fail(err, CN_BAD_INPUT, "the %s of a %s must be > 0 m and finite, got %g", what,
                       NAME[kind], length);
    }
    return CN_OK;
}

static cn_status check_place(const cn_solid_def *def, cn_error *err)
{
    if (!is_kind(def->kind)) {
        return cn_fail(err, CN_BAD_INPUT, "there is no solid of kind %d", (int)def->kind);
    }
    const double *x = def->at, *t = def->turn;
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) {
        return cn_fail(err, CN_BAD_INPUT, "a %s is placed at (%g, %g, %g): not finite",
                       NAME[def->kind], x[0], x[1], x[2]);
    }
    double norm = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] + t[3] * t[3]);
    if (is_turned(t) && !(fabs(norm - 1.0) <= UNIT)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s is turned by the quaternion (%g, %g, %g, %g) of norm %g: divide by it",
                       NAME[def->kind], t[0], t[1], t[2], t[3], norm);
    }
    return CN_OK;
}

// Mass properties in the frame of the solid.
typedef struct moments {
    double volume, size;
    cn_vec3 centre;
    double inertia[6]; // about the centre
} moments;

static moments measure_sphere(double r)
{
    double volume = 4.0 / 3.0 * CN_PI * r * r * r, i = 0.4 * volume * r * r;
    return (moments){.volume = volume, .size = 2.0 * r, .inertia = {i, i, i, 0.0, 0.0, 0.0}};
}

static moments measure_capsule(double r, double l)
{
    double bar = CN_PI * r * r * l, ends = 4.0 / 3.0 * CN_PI * r * r * r;
    double along = bar * 0.5 * r * r + ends * 0.4 * r * r;
    // Two half-balls moved out by l/2; their centroids lie 3 r / 8 beyond.
    double across =
        bar * (l * l / 12.0 + 0.25 * r * r) + ends * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    return (moments){
        .volume = bar + ends, .size = 2.0 * r, .inertia = {across, across, along, 0.0, 0.0, 0.0}};
}

static moments measure_cylinder(double r, double l)
{
    double volume = CN_PI * r * r * l, across = volume * (0.25 * r * r + l * l / 12.0);
    return (moments){.volume = volume,
                     .size = fmin(2.0 * r, l),
                     .inertia = {across, across, 0.5 * volume * r * r, 0.0, 0.0, 0.0}};
}

// Differences of powers of the two radii, without cancellation in thin walls.
static moments measure_hollow_sphere(double r, double t)
{
    double cubes = t * (3.0 * r * (r + t) + t * t);
    double fifths =
        t * (5.0 * r * r * r * r + t * (10.0 * r * r * r + t * (10.0 * r * r + t * (5.0 * r + t))));
    double i = 8.0 / 15.0 * CN_PI * fifths;
    return (moments){
        .volume = 4.0 / 3.0 * CN_PI * cubes, .size = t, .inertia = {i, i, i, 0.0, 0.0, 0.0}};
}

// A tube, and up to two disks of its outer radius at its ends.
static moments measure_hollow_cylinder(const cn_solid_def *def)
{
    double r = def->radius, l = def->length, t = def->thickness, outer = r + t;
    double squares = r * r + outer * outer, at = 0.5 * (l + t);
    double wall = CN_PI * t * (r + outer) * l, disk = CN_PI * outer * outer * t;
    double along = 0.5 * wall * squares, across = wall * (0.25 * squares + l * l / 12.0);
    double volume = wall, first = 0.0; // first: moment of volume along the axis
    for (int k = 0; k < 2; k++) {
        if (def->ends >> k & 1u) {
            volume += disk;
            first += k == 0 ? -disk * at : disk * at;
            along += 0.5 * disk * outer * outer;
            across += disk * (0.25 * outer * outer + t * t / 12.0 + at * at);
        }
    }
    double centre = first / volume;
    across -= volume * centre * centre;
    return (moments){.volume = volume,
                     .size = t,
                     .centre = {0.0, 0.0, centre},
                     .inertia = {across, across, along, 0.0, 0.0, 0.0}};
}

// Calls add with every triangle of the surface, relative to `origin`.
typedef void add_triangle(cn_vec3 a, cn_vec3 b, cn_vec3 c, moments *sum);

static void for_triangles(const cn_hull *hull, cn_vec3 origin, add_triangle *add, moments *sum)
{
    for (int f = 0; f < hull->face_count; f++) {
        int start = hull->face_start[f], end = hull->face_start[f + 1];
        cn_vec3 a = cn_sub3(hull->vertex[hull->face_vertex[start]], origin);
        for (int k = start + 1; k + 1 < end; k++) {
            cn_vec3 b = cn_sub3(hull->vertex[hull->face_vertex[k]], origin);
            cn_vec3 c = cn_sub3(hull->vertex[hull->face_vertex[k + 1]], origin);
            add(a, b, c, sum);
        }
    }
}

static void add_volume(cn_vec3 a, cn_vec3 b, cn_vec3 c, moments *sum)
{
    double volume = cn_dot3(a, cn_cross3(b, c)) / 6.0;
    sum->volume += volume;
    sum->centre = cn_add_mul3(sum->centre, 0.25 * volume, cn_add3(a, cn_add3(b, c)));
}

// Integral of x y over a tetrahedron with a corner at the origin, divided by its volume.
static double product(double ax, double bx, double cx, double ay, double by, double cy)
{
    return (ax * ay + bx * by + cx * cy + (ax + bx + cx) * (ay + by + cy)) / 20.0;
}

static void add_inertia(cn_vec3 a, cn_vec3 b, cn_vec3 c, moments *sum)
{
    double volume = cn_dot3(a, cn_cross3(b, c)) / 6.0;
    double xx = product(a.x, b.x, c.x, a.x, b.x, c.x);
    double yy = product(a.y, b.y, c.y, a.y, b.y, c.y);
    double zz = product(a.z, b.z, c.z, a.z, b.z, c.z);
    sum->inertia[0] += volume * (yy + zz);
    sum->inertia[1] += volume * (zz + xx);
    sum->inertia[2] += volume * (xx + yy);
    sum->inertia[3] -= volume * product(a.y, b.y, c.y, a.z, b.z, c.z);
    sum->inertia[4] -= volume * product(a.z, b.z, c.z, a.x, b.x, c.x);
    sum->inertia[5] -= volume * product(a.x, b.x, c.x, a.y, b.y, c.y);
}

int cn_hull_climb(const cn_hull *hull, cn_vec3 direction, int at)
{
    double height = cn_dot3(direction, hull->vertex[at]);
    for (int before = -1; before != at;) {
        before = at;
        for (int k = hull->neighbour_start[before]; k < hull->neighbour_start[before + 1]; k++) {
            double next = cn_dot3(direction, hull->vertex[hull->neighbour[k]]);
            if (next > height) {
                height = next;
                at = hull->neighbour[k];
            }
        }
    }
    return at;
}

double cn_hull_width(const cn_hull *hull)
{
    double least = INFINITY;
    int opposite = 0;
    for (int f = 0; f < hull->face_count; f++) {
        cn_vec3 n = hull->normal[f];
        opposite = cn_hull_climb(hull, cn_neg3(n), opposite);
        least = fmin(least, hull->offset[f] - cn_dot3(n, hull->vertex[opposite]));
    }
    return least;
}

static cn_status measure_hull(const cn_solid_def *def, moments *sum, cn_error *err)
{
    cn_hull *hull = NULL;
    CN_TRY(cn_hull_create(NULL, def->point, def->point_count, &hull, err));
    cn_vec3 base = hull->vertex[0];
    *sum = (moments){.size = cn_hull_width(hull)};
    for_triangles(hull, base, add_volume, sum);
    sum->centre = cn_add_mul3(base, 1.0 / sum->volume, sum->centre);
    for_triangles(hull, sum->centre, add_inertia, sum);
    cn_hull_destroy(NULL, hull);
    return CN_OK;
}

double cn_surface_thickness(const cn_solid_def *def)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int k = 0; k < def->point_count; k++) {
            lo = fmin(lo, def->point[3 * k + i]);
            hi = fmax(hi, def->point[3 * k + i]);
        }
        least = fmin(least, hi - lo);
    }
    return least;
}

static cn_vec3 corner_of(const cn_solid_def *def, int k, cn_vec3 origin)
{
    const double *p = def->point + 3 * k;
    return cn_sub3(cn_v3(p[0], p[1], p[2]), origin);
}

static cn_status check_surface(const cn_solid_def *def, cn_error *err)
{
    if (def->point == NULL || def->point_count < 12 || def->point_count % 3 != 0) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "a surface needs three points for each of at least 4 triangles, got %d points",
            def->point_count);
    }
    for (int k = 0; k < 3 * def->point_count; k++) {
        if (!isfinite(def->point[k])) {
            return cn_fail(err, CN_BAD_INPUT, "triangle %d of the surface is not finite",
                           k / 9 + 1);
        }
    }
    return CN_OK;
}

// Sums of tetrahedra as for a polyhedron; whether it is closed is seen when it is placed.
static cn_status measure_surface(const cn_solid_def *def, moments *sum, cn_error *err)
{
    CN_TRY(check_surface(def, err));
    cn_vec3 base = corner_of(def, 0, cn_v3(0.0, 0.0, 0.0));
    *sum = (moments){.size = cn_surface_thickness(def)};
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < def->point_count; k += 3) {
            (pass == 0 ? add_volume : add_inertia)(corner_of(def, k, base),
                                                   corner_of(def, k + 1, base),
                                                   corner_of(def, k + 2, base), sum);
        }
        if (pass == 0 && !(sum->volume > 0.0)) {
            return cn_fail(err, CN_BAD_INPUT,
                           "a surface encloses %g m3: its normals point inwards, or it is not "
                           "closed; `cairn check --fix` turns them round",
                           sum->volume);
        }
        base = pass == 0 ? cn_add_mul3(base, 1.0 / sum->volume, sum->centre) : base;
    }
    sum->centre = base;
    return CN_OK;
}

static cn_status measure_one(const cn_solid_def *def, moments *found, cn_error *err)
{
    CN_TRY(check_place(def, err));
    switch (def->kind) {
    case CN_SOLID_SPHERE:
        CN_TRY(check_length(def->kind, "radius", def->radius, err));
        *found = measure_sphere(def->radius);
        break;
    case CN_SOLID_CAPSULE:
        CN_TRY(check_length(def->kind, "radius", def->radius, err));
        CN_TRY(check_length(def->kind, "length", def->length, err));
        *found = measure_capsule(def->radius, def->length);
        break;
    case CN_SOLID_HULL:
        CN_TRY(measure_hull(def, found, err));
        break;
    case CN_SOLID_SURFACE:
        CN_TRY(measure_surface(def, found, err));
        break;
    case CN_SOLID_CYLINDER:
        CN_TRY(check_length(def->kind, "radius", def->radius, err));
        CN_TRY(check_length(def->kind, "length", def->length, err));
        *found = measure_cylinder(def->radius, def->length);
        break;
    case CN_SOLID_HOLLOW_SPHERE:
        CN_TRY(check_length(def->kind, "inner radius", def->radius, err));
        CN_TRY(check_length(def->kind, "wall thickness", def->thickness, err));
        *found = measure_hollow_sphere(def->radius, def->thickness);
        break;
    case CN_SOLID_HOLLOW_CYLINDER:
        CN_TRY(check_length(def->kind, "inner radius", def->radius, err));
        CN_TRY(check_length(def->kind, "inner length", def->length, err));
        CN_TRY(check_length(def->kind, "wall thickness", def->thickness, err));
        *found = measure_hollow_cylinder(def);
        break;
    default:
        *found = (moments){.size = INFINITY};
        return CN_OK;
    }
    const double *inertia = found->inertia;
    double least = fmin(inertia[0], fmin(inertia[1], inertia[2]));
    double sum = inertia[0] + inertia[1] + inertia[2];
    if (!(found->volume > 0.0) || !(least > 0.0) || !isfinite(sum)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s of volume %g m3 has inertia %g m5: too small or too large to compute",
                       NAME[def->kind], found->volume, least);
    }
    return CN_OK;
}

// I <- R I R^T
static void turn_inertia(const cn_mat3 *R, const double inertia[6], double turned[6])
{
    const cn_mat3 I = {{{inertia[0], inertia[5], inertia[4]},
                        {inertia[5], inertia[1], inertia[3]},
                        {inertia[4], inertia[3], inertia[2]}}};
    static const int ROW[6] = {0, 1, 2, 1, 2, 0}, COLUMN[6] = {0, 1, 2, 2, 0, 1};
    for (int k = 0; k < 6; k++) {
        turned[k] = cn_dot3(R->row[ROW[k]], cn_mat3_mul(&I, R->row[COLUMN[k]]));
    }
}

// Inertia of a point of mass m at d.
static void add_point(double m, cn_vec3 d, double inertia[6])
{
    inertia[0] += m * (d.y * d.y + d.z * d.z);
    inertia[1] += m * (d.z * d.z + d.x * d.x);
    inertia[2] += m * (d.x * d.x + d.y * d.y);
    inertia[3] -= m * d.y * d.z;
    inertia[4] -= m * d.z * d.x;
    inertia[5] -= m * d.x * d.y;
}

static void add_solid(const cn_solid_def *def, const moments *one, moments *total)
{
    total->size = fmin(total->size, one->size);
    if (!(one->volume > 0.0)) {
        return;
    }
    cn_mat3 R = cn_solid_turn(def);
    cn_vec3 at = cn_v3(def->at[0], def->at[1], def->at[2]);
    cn_vec3 apart = cn_sub3(cn_add3(at, cn_mat3_mul(&R, one->centre)), total->centre);
    double turned[6];
    turn_inertia(&R, one->inertia, turned);
    for (int k = 0; k < 6; k++) {
        total->inertia[k] += turned[k];
    }
    // Parallel axes between the two centres: the volume that counts is the reduced one.
    double volume = total->volume + one->volume;
    add_point(total->volume * (one->volume / volume), apart, total->inertia);
    total->centre = cn_add_mul3(total->centre, one->volume / volume, apart);
    total->volume = volume;
}

cn_status cn_solids_measure(const cn_solid_def *def, int count, cn_solid_mass *mass, cn_error *err)
{
    CN_NEED(err, def, mass);
    moments total = {.size = INFINITY};
    for (int k = 0; k < count; k++) {
        moments one = {0};
        cn_error inner = {0};
        cn_status status = measure_one(&def[k], &one, &inner);
        if (status != CN_OK) {
            return count == 1 ? cn_fail(err, status, "%s", inner.text)
                              : cn_fail(err, status, "solid %d: %s", k, inner.text);
        }
        add_solid(&def[k], &one, &total);
    }
    *mass = (cn_solid_mass){.volume = total.volume,
                            .centre = {total.centre.x, total.centre.y, total.centre.z},
                            .size = total.size};
    for (int k = 0; k < 6; k++) {
        mass->inertia[k] = total.inertia[k];
    }
    return CN_OK;
}
