// analyse/patch.c -- contact points gathered into patches, and the resultant on each.
#include "cairn/patch.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"

// Points of two bodies are of one patch if the cosine between their normals is at least this: 0.06
// degrees, far above rounding and far below an edge of a block.
static const double SAME_NORMAL = 1.0 - 5e-7;

// Hulls whose area is less than this share of the square of their length are lines.
static const double LINE = 1e-9;

// A point of a patch.
typedef struct member {
    uint64_t pair, feature;
    int contact, patch;
    double x, y; // along the tangents, from the first point of the patch
} member;

// Work in progress. `hull` has room for the corners of one patch while they are looked for.
typedef struct gathering {
    const cn_contact *contact;
    int dim;
    member *of, *hull;
    cn_patch_forces *patches;
} gathering;

static cn_vec3 vec_of(const double a[3])
{
    return cn_v3(a[0], a[1], a[2]);
}

static void put(cn_vec3 a, double out[3])
{
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

// ---- which points are of one patch

static int compare_pairs(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->pair != y->pair) {
        return x->pair < y->pair ? -1 : 1;
    }
    if (x->feature != y->feature) {
        return x->feature < y->feature ? -1 : 1;
    }
    return (x->contact > y->contact) - (x->contact < y->contact);
}

static int compare_places(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->patch != y->patch) {
        return x->patch < y->patch ? -1 : 1;
    }
    if (x->x != y->x) {
        return x->x < y->x ? -1 : 1;
    }
    return x->y != y->y ? (x->y < y->y ? -1 : 1)
                        : (x->contact > y->contact) - (x->contact < y->contact);
}

static void begin_patch(gathering *g, const cn_contact *x)
{
    cn_patch_force *f = &g->patches->patch[g->patches->count++];
    *f = (cn_patch_force){.i = x->i, .j = x->j};
    memcpy(f->normal, x->normal, sizeof f->normal);
    cn_contact_tangents(x, g->dim, f->tangent[0], f->tangent[1]);
    memcpy(f->centre, x->point, sizeof f->centre); // the origin until the centre is known
}

// The patch of point k among those of its pair, which begin with patch `from`.
static int patch_of(gathering *g, int k, int from)
{
    const cn_contact *x = &g->contact[g->of[k].contact];
    for (int n = from; n < g->patches->count; n++) {
        if (cn_dot3(vec_of(g->patches->patch[n].normal), vec_of(x->normal)) >= SAME_NORMAL) {
            return n;
        }
    }
    begin_patch(g, x);
    return g->patches->count - 1;
}

static void gather(gathering *g, int count)
{
    int from = 0;
    for (int k = 0; k < count; k++) {
        const cn_contact *x = &g->contact[k];
        g->of[k] = (member){.pair = x->pair, .feature = x->feature, .contact = k};
    }
    qsort(g->of, (size_t)count, sizeof *g->of, compare_pairs);
    for (int k = 0; k < count; k++) {
        from = k > 0 && g->of[k].pair != g->of[k - 1].pair ? g->patches->count : from;
        member *m = &g->of[k];
        m->patch = patch_of(g, k, from);
        cn_patch_force *f = &g->patches->patch[m->patch];
        cn_vec3 arm = cn_sub3(vec_of(g->contact[m->contact].point), vec_of(f->centre));
        m->x = cn_dot3(arm, vec_of(f->tangent[0]));
        m->y = cn_dot3(arm, vec_of(f->tangent[1])); // in the plane that tangent is zero
        f->count++;
    }
    qsort(g->of, (size_t)count, sizeof *g->of, compare_places);
    for (int k = 0; k < count; k++) {
        g->patches->order[k] = g->of[k].contact;
    }
}

// ---- the hull of a patch

static double turn(const member *a, const member *b, const member *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

// Adds points from, from + step, ... before `to` to a hull that turns left; its first `kept`
// corners stay (Andrew 1979).
static int add_chain(const member *p, int from, int to, int step, member *hull, int kept)
{
    int count = kept;
    for (int k = from; k != to; k += step) {
        while (count > kept && count > 1 &&
               turn(&hull[count - 2], &hull[count - 1], &p[k]) <= 0.0) {
            count--;
        }
        hull[count++] = p[k];
    }
    return count;
}

static double distance(const member *a, const member *b)
{
    return hypot(b->x - a->x, b->y - a->y);
}

static const member *farthest(const member *p, int count, const member *from)
{
    const member *found = p;
    for (int k = 1; k < count; k++) {
        found = distance(from, &p[k]) > distance(from, found) ? &p[k] : found;
    }
    return found;
}

// Corners of sorted points, counterclockwise; a line has its two ends, a point is one.
static int find_hull(const member *p, int count, member *hull)
{
    const member *one = farthest(p, count, &p[0]), *other = farthest(p, count, one);
    double length = distance(one, other), area = 0.0;
    if (!(length > 0.0)) {
        hull[0] = p[0];
        return 1;
    }
    int corners = add_chain(p, 0, count, 1, hull, 0);
    corners = add_chain(p, count - 2, -1, -1, hull, corners) - 1; // the first point came again
    for (int k = 1; k + 1 < corners; k++) {
        area += 0.5 * turn(&hull[0], &hull[k], &hull[k + 1]);
    }
    if (area > LINE * length * length) {
        return corners;
    }
    hull[0] = *one;
    hull[1] = *other;
    return 2;
}

// Area, or length of a line, and centre in the coordinates of the points.
static double measure(const member *hull, int corners, double middle[2])
{
    const member *last = &hull[corners - 1];
    middle[0] = 0.5 * (hull[0].x + last->x);
    middle[1] = 0.5 * (hull[0].y + last->y);
    if (corners < 3) {
        return hypot(last->x - hull[0].x, last->y - hull[0].y);
    }
    double area = 0.0, x = 0.0, y = 0.0;
    for (int k = 1; k + 1 < corners; k++) {
        double a = 0.5 * turn(&hull[0], &hull[k], &hull[k + 1]);
        area += a;
        x += a * (hull[k].x + hull[k + 1].x - 2.0 * hull[0].x) / 3.0;
        y += a * (hull[k].y + hull[k + 1].y - 2.0 * hull[0].y) / 3.0;
    }
    middle[0] = hull[0].x + x / area;
    middle[1] = hull[0].y + y / area;
    return area;
}

static void find_corners(gathering *g, cn_patch_force *f)
{
    double middle[2];
    f->corner_count = find_hull(g->of + f->first, f->count, g->hull);
    f->area = measure(g->hull, f->corner_count, middle);
    double *corner = g->patches->corner + 2 * (size_t)f->corner_first;
    for (int k = 0; k < f->corner_count; k++) {
        corner[2 * k] = g->hull[k].x - middle[0];
        corner[2 * k + 1] = g->hull[k].y - middle[1];
    }
    f->area = f->corner_count == 1 || (g->dim == 3 && f->corner_count == 2) ? 0.0 : f->area;
    cn_vec3 at = cn_add_mul3(vec_of(f->centre), middle[0], vec_of(f->tangent[0]));
    put(cn_add_mul3(at, middle[1], vec_of(f->tangent[1])), f->centre);
}

// ---- the resultant and where it acts

// The point of action over the distance of the edge in its direction: 0 at the centre, 1 at the
// edge. Along a line what is across it does not count.
static double find_eccentricity(const double *corner, int corners, double x, double y)
{
    if (corners == 2) {
        double a = corner[2] - corner[0], b = corner[3] - corner[1];
        return 2.0 * fabs(x * a + y * b) / (a * a + b * b);
    }
    double most = 0.0;
    for (int k = 0; k < corners; k++) {
        const double *p = corner + 2 * k, *q = corner + 2 * ((k + 1) % corners);
        double nx = q[1] - p[1], ny = p[0] - q[0]; // outwards
        double edge = nx * p[0] + ny * p[1];
        most = edge > 0.0 ? fmax(most, (nx * x + ny * y) / edge) : most;
    }
    return most;
}

// Second moments over the area, about the centre: xx, xy, yy (16.18).
static void find_second_moments(const double *corner, int corners, double I[3])
{
    double area = 0.0;
    I[0] = I[1] = I[2] = 0.0;
    for (int k = 0; k < corners; k++) {
        const double *p = corner + 2 * k, *q = corner + 2 * ((k + 1) % corners);
        double a = 0.5 * (p[0] * q[1] - p[1] * q[0]);
        double x = p[0] + q[0], y = p[1] + q[1];
        area += a;
        I[0] += a * (p[0] * p[0] + q[0] * q[0] + x * x) / 12.0;
        I[1] += a * (p[0] * p[1] + q[0] * q[1] + x * y) / 12.0;
        I[2] += a * (p[1] * p[1] + q[1] * q[1] + y * y) / 12.0;
    }
    for (int k = 0; k < 3; k++) {
        I[k] /= area;
    }
}

// Whether the pressure N/A (1 + e . I^-1 x) is positive at all corners x (16.19).
static bool is_in_kernel(const double *corner, int corners, double x, double y)
{
    double I[3];
    find_second_moments(corner, corners, I);
    double det = I[0] * I[2] - I[1] * I[1];
    double gx = (I[2] * x - I[1] * y) / det, gy = (I[0] * y - I[1] * x) / det;
    for (int k = 0; k < corners; k++) {
        if (1.0 + gx * corner[2 * k] + gy * corner[2 * k + 1] < -1e-9) {
            return false;
        }
    }
    return true;
}

static void find_action(const cn_patch_forces *patches, double pressed, cn_vec3 sum,
                        cn_patch_force *f)
{
    memcpy(f->at, f->centre, sizeof f->at);
    f->eccentricity = NAN;
    if (!(pressed > 0.0)) {
        return;
    }
    cn_vec3 e = cn_mul3(1.0 / pressed, sum);
    put(cn_add3(vec_of(f->centre), e), f->at);
    if (f->corner_count > 1) {
        const double *corner = patches->corner + 2 * (size_t)f->corner_first;
        double x = cn_dot3(e, vec_of(f->tangent[0])), y = cn_dot3(e, vec_of(f->tangent[1]));
        f->eccentricity = find_eccentricity(corner, f->corner_count, x, y);
        f->in_kernel = f->corner_count == 2 ? f->eccentricity <= (1.0 + 1e-9) / 3.0
                                            : is_in_kernel(corner, f->corner_count, x, y);
    }
}

static void find_resultant(gathering *g, cn_patch_force *f)
{
    cn_vec3 force = {0}, moment = {0}, sum = {0}, n = vec_of(f->normal);
    double pressed = 0.0;
    for (int k = 0; k < f->count; k++) {
        const cn_contact *x = &g->contact[g->patches->order[f->first + k]];
        double r[3];
        cn_contact_impulse(x, g->dim, r);
        cn_vec3 arm = cn_sub3(vec_of(x->point), vec_of(f->centre));
        force = cn_add3(force, vec_of(r));
        moment = cn_add3(moment, cn_cross3(arm, vec_of(r)));
        double push = fmax(x->r[0], 0.0);
        pressed += push;
        sum = cn_add_mul3(sum, push, arm);
    }
    put(force, f->force);
    put(moment, f->moment);
    f->push = cn_dot3(force, n);
    f->shear = cn_norm3(cn_add_mul3(force, -f->push, n));
    find_action(g->patches, pressed, sum, f);
}

cn_status cn_patch_forces_find(const cn_contact *contact, int count, int dim,
                               cn_patch_forces *patches, cn_error *err)
{
    CN_NEED(err, patches);
    *patches = (cn_patch_forces){0};
    if (count > 0) {
        CN_NEED(err, contact);
    }
    size_t room = (size_t)count + 1;
    *patches = (cn_patch_forces){.patch = malloc(room * sizeof *patches->patch),
                                 .order = malloc(room * sizeof *patches->order),
                                 .corner = malloc(2 * room * sizeof *patches->corner)};
    gathering g = {.contact = contact,
                   .dim = dim,
                   .of = malloc(room * sizeof *g.of),
                   .hull = malloc(2 * room * sizeof *g.hull),
                   .patches = patches};
    cn_status status = CN_OK;
    if (patches->patch == NULL || patches->order == NULL || patches->corner == NULL ||
        g.of == NULL || g.hull == NULL) {
        cn_patch_forces_free(patches);
        status = cn_fail(err, CN_NO_MEMORY, "no memory for the patches of %d contacts", count);
    }
    if (status == CN_OK) {
        gather(&g, count);
    }
    for (int k = 0, first = 0, corner = 0; k < patches->count; k++) {
        cn_patch_force *f = &patches->patch[k];
        f->first = first;
        f->corner_first = corner;
        first += f->count;
        find_corners(&g, f);
        corner += f->corner_count;
        find_resultant(&g, f);
    }
    CN_RELEASE(g.of, g.hull);
    return status;
}

void cn_patch_forces_free(cn_patch_forces *patches)
{
    if (patches != NULL) {
        CN_RELEASE(patches->patch, patches->order, patches->corner);
        *patches = (cn_patch_forces){0};
    }
}
