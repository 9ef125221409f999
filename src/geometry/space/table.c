// geometry/space/table.c -- the kinds of solids, and what is the same for all of them: checks,
// clusters, placement in the principal frame of the body, boxes in the world.
//
// Clusters add up by parallel axes between centres.
#include "geometry/space/solid_kind.h"

extern const cn_solid_ops cn_solid_sphere, cn_solid_capsule, cn_solid_hull, cn_solid_half_space,
    cn_solid_cylinder, cn_solid_hollow_sphere, cn_solid_hollow_cylinder, cn_solid_surface,
    cn_solid_ellipsoid, cn_solid_box;

static const cn_solid_ops *const OPS[CN_SOLID_KIND_COUNT] = {
    [CN_SOLID_SPHERE] = &cn_solid_sphere,
    [CN_SOLID_CAPSULE] = &cn_solid_capsule,
    [CN_SOLID_HULL] = &cn_solid_hull,
    [CN_SOLID_HALF_SPACE] = &cn_solid_half_space,
    [CN_SOLID_CYLINDER] = &cn_solid_cylinder,
    [CN_SOLID_HOLLOW_SPHERE] = &cn_solid_hollow_sphere,
    [CN_SOLID_HOLLOW_CYLINDER] = &cn_solid_hollow_cylinder,
    [CN_SOLID_SURFACE] = &cn_solid_surface,
    [CN_SOLID_ELLIPSOID] = &cn_solid_ellipsoid,
    [CN_SOLID_BOX] = &cn_solid_box,
};

static const double UNIT = 1e-6; // accepted error of the norm of a quaternion [-]

static bool is_kind(cn_solid_kind kind)
{
    return (int)kind >= 0 && kind < CN_SOLID_KIND_COUNT;
}

const cn_solid_ops *cn_solid_ops_of(cn_solid_kind kind)
{
    return OPS[kind];
}

const char *cn_solid_kind_name(cn_solid_kind kind)
{
    return is_kind(kind) ? OPS[kind]->name : "unknown solid";
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

// Axes of the solid to axes of the body, of a checked definition.
static cn_mat3 rotation_of(const cn_solid_def *def)
{
    const double *t = def->rotation;
    cn_quat none = {1.0, 0.0, 0.0, 0.0};
    return cn_quat_matrix(is_turned(t) ? cn_quat_unit((cn_quat){t[0], t[1], t[2], t[3]}) : none);
}

// ---- mass

cn_status cn_solid_check_length(const cn_solid_def *def, const char *what, double length,
                                cn_error *err)
{
    if (!(length > 0.0) || !isfinite(length)) {
        return cn_fail(err, CN_BAD_INPUT, "the %s of a %s must be > 0 m and finite, got %g", what,
                       OPS[def->kind]->name, length);
    }
    return CN_OK;
}

cn_status cn_solid_check_sides(const cn_solid_def *def, cn_error *err)
{
    static const char *const side[3] = {"size along x", "size along y", "size along z"};
    for (int k = 0; k < 3; k++) {
        CN_TRY(cn_solid_check_length(def, side[k], def->size[k], err));
    }
    return CN_OK;
}

static cn_status check_place(const cn_solid_def *def, cn_error *err)
{
    if (!is_kind(def->kind)) {
        return cn_fail(err, CN_BAD_INPUT, "there is no solid of kind %d", (int)def->kind);
    }
    const double *x = def->at, *t = def->rotation;
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) {
        return cn_fail(err, CN_BAD_INPUT, "a %s is placed at (%g, %g, %g): not finite",
                       OPS[def->kind]->name, x[0], x[1], x[2]);
    }
    double norm = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] + t[3] * t[3]);
    if (is_turned(t) && !(fabs(norm - 1.0) <= UNIT)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s is turned by the quaternion (%g, %g, %g, %g) of norm %g: divide by it",
                       OPS[def->kind]->name, t[0], t[1], t[2], t[3], norm);
    }
    return CN_OK;
}

void cn_solid_add_volume(cn_vec3 a, cn_vec3 b, cn_vec3 c, cn_solid_moments *sum)
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

void cn_solid_add_inertia(cn_vec3 a, cn_vec3 b, cn_vec3 c, cn_solid_moments *sum)
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

static cn_status measure_one(const cn_solid_def *def, cn_solid_moments *found, cn_error *err)
{
    CN_TRY(check_place(def, err));
    if (OPS[def->kind]->measure == NULL) {
        *found = (cn_solid_moments){.size = INFINITY};
        return CN_OK;
    }
    CN_TRY(OPS[def->kind]->measure(def, found, err));
    const double *inertia = found->inertia;
    double least = fmin(inertia[0], fmin(inertia[1], inertia[2]));
    double sum = inertia[0] + inertia[1] + inertia[2];
    if (!(found->volume > 0.0) || !(least > 0.0) || !isfinite(sum)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a %s of volume %g m3 has inertia %g m5: too small or too large to compute",
                       OPS[def->kind]->name, found->volume, least);
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

static void add_solid(const cn_solid_def *def, const cn_solid_moments *one, cn_solid_moments *total)
{
    total->size = fmin(total->size, one->size);
    if (!(one->volume > 0.0)) {
        return;
    }
    cn_mat3 R = rotation_of(def);
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
    cn_solid_moments total = {.size = INFINITY};
    for (int k = 0; k < count; k++) {
        cn_solid_moments one = {0};
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

// ---- place

static cn_vec3 turned_by(const cn_solid_way *way, cn_vec3 local)
{
    return cn_mat3_mul(&way->principal, cn_mat3_mul(&way->turn, local));
}

cn_vec3 cn_solid_moved(const cn_solid_way *way, cn_vec3 local)
{
    return cn_mat3_mul(&way->principal, cn_add3(way->at, cn_mat3_mul(&way->turn, local)));
}

void cn_solid_place_round(const cn_solid_def *def, const cn_solid_way *way, double half_length,
                          cn_solid *solid)
{
    solid->radius = def->radius;
    solid->end[0] = cn_solid_moved(way, cn_v3(0.0, 0.0, -half_length));
    solid->end[1] = cn_solid_moved(way, cn_v3(0.0, 0.0, half_length));
    solid->middle = cn_mul3(0.5, cn_add3(solid->end[0], solid->end[1]));
    solid->reach = fmax(cn_norm3(solid->end[0]), cn_norm3(solid->end[1])) + def->radius;
    solid->size = 2.0 * def->radius;
}

// What passes through the wall has gone past the wall: that is the size.
void cn_solid_place_hollow(const cn_solid_def *def, const cn_solid_way *way, double half_length,
                           cn_solid *solid)
{
    cn_solid_place_round(def, way, half_length, solid);
    solid->thickness = solid->size = def->thickness;
    solid->ends = def->ends;
    solid->reach += 2.0 * def->thickness; // a corner is at most sqrt(2) walls away
}

cn_status cn_solid_place(const cn_solid_def *def, cn_vec3 centre, const cn_mat3 *B,
                         const cn_hooks *hooks, cn_solid *solid, cn_error *err)
{
    cn_solid_way way = {.turn = rotation_of(def), .principal = *B};
    way.at = cn_sub3(cn_v3(def->at[0], def->at[1], def->at[2]), centre);
    cn_solid placed = {.kind = def->kind, .body = solid->body};
    placed.axis = turned_by(&way, cn_v3(0.0, 0.0, 1.0));
    placed.side = turned_by(&way, cn_v3(1.0, 0.0, 0.0));
    CN_TRY(OPS[def->kind]->place(def, &way, hooks, &placed, err));
    *solid = placed;
    return CN_OK;
}

void cn_solid_free(const cn_hooks *hooks, cn_solid *solid)
{
    cn_hull_destroy(hooks, solid->hull);
    cn_surface_solid_destroy(hooks, solid->mesh);
    solid->hull = NULL;
    solid->mesh = NULL;
}

double cn_solid_lever(const cn_solid *solid)
{
    const cn_solid_ops *ops = OPS[solid->kind];
    return ops->lever != NULL ? ops->lever(solid) : solid->reach;
}

bool cn_solid_is_hollow(const cn_solid *solid)
{
    return OPS[solid->kind]->is_hollow;
}

bool cn_solid_is_convex(const cn_solid *solid)
{
    return OPS[solid->kind]->is_convex;
}

int cn_solid_corner_count(const cn_solid *solid)
{
    return solid->hull != NULL ? solid->hull->vertex_count : OPS[solid->kind]->end_count;
}

int cn_solid_sample_count(const cn_solid *solid)
{
    return OPS[solid->kind]->sample_count;
}

cn_vec3 cn_solid_sample(const cn_solid *solid, int k, double *radius)
{
    return OPS[solid->kind]->sample(solid, k, radius);
}

cn_status cn_solid_faces(const cn_solid_def *def, const cn_fineness *fine, cn_face_visit *visit,
                         void *context, cn_error *err)
{
    return OPS[def->kind]->faces != NULL ? OPS[def->kind]->faces(def, fine, visit, context, err)
                                         : CN_OK;
}

// ---- in the world

static void widen(cn_box3 *box, cn_vec3 v)
{
    box->lo = cn_v3(v.x < box->lo.x ? v.x : box->lo.x, v.y < box->lo.y ? v.y : box->lo.y,
                    v.z < box->lo.z ? v.z : box->lo.z);
    box->hi = cn_v3(v.x > box->hi.x ? v.x : box->hi.x, v.y > box->hi.y ? v.y : box->hi.y,
                    v.z > box->hi.z ? v.z : box->hi.z);
}

cn_vec3 cn_posed3_disk_margin(const cn_posed3 *p)
{
    const cn_solid *s = p->solid;
    double round = s->radius + s->thickness;
    // A disk across u reaches sqrt(1 - u_x^2) of its radius along x.
    cn_vec3 u = cn_mat3_mul(&p->R, s->axis);
    return cn_v3(round * sqrt(fmax(0.0, 1.0 - u.x * u.x)) + s->thickness * fabs(u.x),
                 round * sqrt(fmax(0.0, 1.0 - u.y * u.y)) + s->thickness * fabs(u.y),
                 round * sqrt(fmax(0.0, 1.0 - u.z * u.z)) + s->thickness * fabs(u.z));
}

// How far the solid reaches beyond its ends or vertices along the axes of the world.
static cn_vec3 margin_of(const cn_posed3 *p)
{
    if (OPS[p->solid->kind]->margin != NULL) {
        return OPS[p->solid->kind]->margin(p);
    }
    double round = p->solid->radius + p->solid->thickness;
    return cn_v3(round, round, round);
}

cn_box3 cn_posed3_box(const cn_posed3 *p)
{
    const cn_solid *s = p->solid;
    if (OPS[s->kind]->is_unbounded) {
        return (cn_box3){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    }
    int count = 2;
    const cn_vec3 *vertex = s->end;
    if (s->hull != NULL || s->mesh != NULL) {
        count = s->hull != NULL ? s->hull->vertex_count : s->mesh->vertex_count;
        vertex = s->hull != NULL ? s->hull->vertex : s->mesh->vertex;
    }
    cn_vec3 first = cn_posed3_point(p, vertex[0]);
    cn_box3 box = {first, first};
    for (int k = 1; k < count; k++) {
        widen(&box, cn_posed3_point(p, vertex[k]));
    }
    cn_vec3 margin = margin_of(p);
    return (cn_box3){cn_sub3(box.lo, margin), cn_add3(box.hi, margin)};
}

bool cn_posed3_surrounds(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward)
{
    const cn_solid_ops *ops = OPS[p->solid->kind];
    return ops->surrounds != NULL && ops->surrounds(p, point, outward);
}

bool cn_solid_is_even(const cn_solid *solid)
{
    return OPS[solid->kind]->curvature == NULL;
}

double cn_posed3_curvature(const cn_posed3 *p, cn_vec3 point, cn_vec3 outward)
{
    const cn_solid *s = p->solid;
    return cn_solid_is_even(s) ? (s->radius > 0.0 ? 1.0 / s->radius : 0.0)
                               : OPS[s->kind]->curvature(p, point, outward);
}

bool cn_posed3_is_end(const cn_posed3 *p, cn_vec3 outward)
{
    return fabs(cn_dot3(outward, cn_mat3_mul(&p->R, p->solid->axis))) > 0.9;
}
