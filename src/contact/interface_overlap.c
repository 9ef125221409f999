// contact/interface_overlap.c -- where the faces of two bodies lie on each other: areas that they
// share, as points of an interface. One of the two at least is a mesh.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/deformable/deformables.h"
#include "contact/interface_faces.h"

static const double FACING = -0.7; // cosine of outward normals that look at each other, at most
static const double SLIVER = 1e-9; // of the smaller face: what is less is not shared
static const double SNAP = 1e-9;   // of a facet: a place this near to a node is that node
static const double MERGE = 1e-7;  // of an edge: corners of neighbours that are one point

// ---- two faces

// Both faces in their mean plane, along its axes from an origin.
typedef struct plane {
    cn_vec3 origin, n, t1, t2; // n leads to the first face
} plane;

typedef struct outline {
    int count;
    double x[2 * CN_PATCH_CORNERS][2];
} outline;

static void project(const plane *p, cn_vec3 at, double x[2])
{
    cn_vec3 d = cn_sub3(at, p->origin);
    x[0] = cn_dot3(d, p->t1);
    x[1] = cn_dot3(d, p->t2);
}

static outline outline_of(const plane *p, const cn_faces *f, const cn_face *own)
{
    outline o = {.count = own->count};
    double turn = 0.0;
    for (int k = 0; k < own->count; k++) {
        project(p, f->corner[own->first + k], o.x[k]);
    }
    for (int k = 0; k < o.count; k++) {
        const double *a = o.x[k], *b = o.x[(k + 1) % o.count];
        turn += a[0] * b[1] - a[1] * b[0];
    }
    for (int k = 0; k < o.count / 2 && turn < 0.0; k++) { // counterclockwise
        double *a = o.x[k], *b = o.x[o.count - 1 - k], kept[2] = {a[0], a[1]};
        a[0] = b[0];
        a[1] = b[1];
        b[0] = kept[0];
        b[1] = kept[1];
    }
    return o;
}

// The part of a polygon to the left of the way from a to b.
static outline cut(const outline *o, const double a[2], const double b[2])
{
    outline left = {0};
    for (int k = 0; k < o->count; k++) {
        const double *p = o->x[k], *q = o->x[(k + 1) % o->count];
        double at_p = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
        double at_q = (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]);
        if (at_p >= 0.0) {
            memcpy(left.x[left.count++], p, sizeof left.x[0]);
        }
        if ((at_p > 0.0 && at_q < 0.0) || (at_p < 0.0 && at_q > 0.0)) {
            double s = at_p / (at_p - at_q);
            for (int d = 0; d < 2; d++) {
                left.x[left.count][d] = p[d] + s * (q[d] - p[d]);
            }
            left.count++;
        }
    }
    return left;
}

static double area_of(const outline *o)
{
    double sum = 0.0;
    for (int k = 0; k < o->count; k++) {
        const double *a = o->x[k], *b = o->x[(k + 1) % o->count], *c = o->x[0];
        sum += 0.5 * ((a[0] - c[0]) * (b[1] - c[1]) - (a[1] - c[1]) * (b[0] - c[0]));
    }
    return sum;
}

static outline share_segments(const outline *one, const outline *other)
{
    double lo = fmax(fmin(one->x[0][0], one->x[1][0]), fmin(other->x[0][0], other->x[1][0]));
    double hi = fmin(fmax(one->x[0][0], one->x[1][0]), fmax(other->x[0][0], other->x[1][0]));
    double least = fmin(fabs(one->x[1][0] - one->x[0][0]), fabs(other->x[1][0] - other->x[0][0]));
    outline o = {.count = hi - lo > SLIVER * least ? 2 : 0};
    o.x[0][0] = lo;
    o.x[1][0] = hi;
    return o;
}

// Corners that stand on each other count once.
static void weld_corners(outline *o, double near)
{
    int kept = 0;
    for (int k = 0; k < o->count; k++) {
        const double *next = o->x[(k + 1) % o->count];
        if (hypot(next[0] - o->x[k][0], next[1] - o->x[k][1]) > near) {
            memmove(o->x[kept++], o->x[k], sizeof o->x[0]);
        }
    }
    o->count = kept;
}

// What two faces share.
static outline share(int dim, const outline *one, const outline *other)
{
    if (dim == 2) {
        return share_segments(one, other);
    }
    outline o = *one;
    for (int k = 0; k < other->count && o.count > 0; k++) {
        o = cut(&o, other->x[k], other->x[(k + 1) % other->count]);
    }
    double least = fmin(area_of(one), area_of(other));
    weld_corners(&o, MERGE * sqrt(least));
    if (o.count < 3 || !(area_of(&o) > SLIVER * least)) {
        o.count = 0;
    }
    return o;
}

// Height of a face over a place of the plane, along its normal.
static double height_of(const plane *p, const cn_faces *f, const cn_face *own, cn_vec3 at)
{
    return cn_dot3(own->normal, cn_sub3(f->corner[own->first], at)) / cn_dot3(own->normal, p->n);
}

// ---- places on facets

// Coordinates of a place in a four-sided face: Newton's method from its middle.
static void find_bilinear(const outline *o, const double x[2], double at[2])
{
    at[0] = at[1] = 0.5;
    for (int n = 0; n < 8; n++) {
        double s = at[0], t = at[1], rest[2], ds[2], dt[2];
        for (int d = 0; d < 2; d++) {
            double a = o->x[0][d], b = o->x[1][d], c = o->x[2][d], e = o->x[3][d];
            rest[d] = x[d] - ((1.0 - s) * ((1.0 - t) * a + t * e) + s * ((1.0 - t) * b + t * c));
            ds[d] = (1.0 - t) * (b - a) + t * (c - e);
            dt[d] = (1.0 - s) * (e - a) + s * (c - b);
        }
        double det = ds[0] * dt[1] - ds[1] * dt[0];
        at[0] += (rest[0] * dt[1] - rest[1] * dt[0]) / det;
        at[1] += (ds[0] * rest[1] - ds[1] * rest[0]) / det;
    }
}

static double snapped(double s)
{
    return fabs(s) < SNAP ? 0.0 : (fabs(s - 1.0) < SNAP ? 1.0 : s);
}

// Where a place of the plane is on a facet, as states keep it.
static void put_on_facet(const plane *p, const cn_faces *f, const cn_face *own, cn_vec3 place,
                         double *kept)
{
    double x[2], at[2] = {0.0, 0.0};
    outline o = {.count = own->count};
    project(p, place, x);
    for (int k = 0; k < own->count; k++) {
        project(p, f->corner[own->first + k], o.x[k]);
    }
    if (own->count == 2) {
        at[0] = (x[0] - o.x[0][0]) / (o.x[1][0] - o.x[0][0]);
    } else if (own->count == 4) {
        find_bilinear(&o, x, at);
    } else {
        double e1[2] = {o.x[1][0] - o.x[0][0], o.x[1][1] - o.x[0][1]};
        double e2[2] = {o.x[2][0] - o.x[0][0], o.x[2][1] - o.x[0][1]};
        double det = e1[0] * e2[1] - e1[1] * e2[0];
        double dx = x[0] - o.x[0][0], dy = x[1] - o.x[0][1];
        at[0] = (dx * e2[1] - dy * e2[0]) / det;
        at[1] = (e1[0] * dy - e1[1] * dx) / det;
    }
    kept[0] = own->facet;
    kept[1] = snapped(at[0]);
    kept[2] = snapped(at[1]);
}

// ---- all pairs of faces

// A search over the faces of two bodies.
typedef struct search {
    const cn_bodies *b;
    int body[2];
    double gap, width; // that counts as touching; across the plane [m]
    cn_faces of[2];
    cn_bond_seeds *seeds;
} search;

// A point of a patch: on both sides it is where the plane's normal leads.
static cn_status add_seed(search *s, const plane *p, const cn_face *const own[2], cn_vec3 place,
                          double area, cn_error *err)
{
    cn_bond_seeds *to = s->seeds;
    CN_TRY(cn_reserve(s->of[0].hooks, &to->seed, &to->capacity, (size_t)to->count + 1, err));
    CN_TRY(
        cn_reserve(s->of[0].hooks, &to->shapes, &to->shapes_capacity, (size_t)to->count + 1, err));
    cn_bond_seed seed = {.body = {s->body[0], s->body[1]},
                         .area = area * s->width,
                         .normal = p->n,
                         .tangent = p->t1};
    int mesh = s->b->deformable[s->body[0]] >= 0 ? 0 : 1; // where a rigid body is led to
    cn_vec3 on_mesh = cn_add_mul3(place, height_of(p, &s->of[mesh], own[mesh], place), p->n);
    for (int side = 0; side < 2; side++) {
        if (own[side]->facet >= 0) {
            put_on_facet(p, &s->of[side], own[side], place, seed.anchor[side]);
        } else {
            cn_interface_put_on_body(s->b, s->body[side], on_mesh, seed.anchor[side]);
        }
    }
    to->shapes[to->count] = (uint32_t)own[0]->shape << 16 | (uint32_t)own[1]->shape;
    to->seed[to->count++] = seed;
    return CN_OK;
}

static plane plane_between(int dim, const cn_faces *f, const cn_face *i, const cn_face *j)
{
    cn_vec3 n = cn_sub3(j->normal, i->normal);
    plane p = {.origin = f->corner[i->first], .n = cn_mul3(1.0 / cn_norm3(n), n)};
    p.t1 = cn_v3(-p.n.y, p.n.x, 0.0);
    p.t2 = cn_v3(0.0, 0.0, 0.0);
    if (dim == 3) {
        cn_tangents3(p.n, &p.t1, &p.t2);
    }
    return p;
}

static cn_status meet(search *s, const cn_face *i, const cn_face *j, cn_error *err)
{
    const cn_face *const own[2] = {i, j};
    if (!(cn_dot3(i->normal, j->normal) < FACING)) {
        return CN_OK;
    }
    int dim = s->b->dim;
    plane p = plane_between(dim, &s->of[0], i, j);
    outline one = outline_of(&p, &s->of[0], i), other = outline_of(&p, &s->of[1], j);
    outline both = share(dim, &one, &other);
    if (both.count == 0) {
        return CN_OK;
    }
    if (both.count > CN_PATCH_CORNERS) {
        return cn_fail(err, CN_BAD_INPUT,
                       "faces of bodies %llu and %llu share an outline of %d corners, at most %d "
                       "can bond: use coarser faces",
                       (unsigned long long)s->b->id[s->body[0]],
                       (unsigned long long)s->b->id[s->body[1]], both.count, CN_PATCH_CORNERS);
    }
    cn_patch patch = {.dim = dim, .count = both.count, .normal = p.n};
    double apart = 0.0;
    for (int k = 0; k < both.count; k++) {
        cn_vec3 at = cn_add_mul3(p.origin, both.x[k][0], p.t1);
        patch.corner[k] = cn_add_mul3(at, both.x[k][1], p.t2);
        double h = height_of(&p, &s->of[0], i, patch.corner[k]) -
                   height_of(&p, &s->of[1], j, patch.corner[k]);
        apart = fmax(apart, fabs(h));
    }
    if (!(apart <= s->gap)) {
        return CN_OK;
    }
    cn_patch_divide(&patch);
    for (int k = 0; k < patch.point_count; k++) {
        CN_TRY(add_seed(s, &p, own, patch.point[k], patch.area[k], err));
    }
    return CN_OK;
}

static int compare_faces(const void *a, const void *b)
{
    const cn_face *x = a, *y = b;
    int order = (x->lo > y->lo) - (x->lo < y->lo);
    return order != 0 ? order : (x->first > y->first) - (x->first < y->first);
}

static double along(cn_vec3 a, int axis)
{
    return (&a.x)[axis];
}

// The axis along which the faces of a mesh are spread most.
static int widest_axis(const cn_faces *f)
{
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    int widest = 0;
    for (int k = 0; k < f->corner_count; k++) {
        for (int d = 0; d < 3; d++) {
            lo[d] = fmin(lo[d], along(f->corner[k], d));
            hi[d] = fmax(hi[d], along(f->corner[k], d));
        }
    }
    for (int d = 1; d < 3; d++) {
        widest = hi[d] - lo[d] > hi[widest] - lo[widest] ? d : widest;
    }
    return widest;
}

// Ranges of all faces along an axis; returns the longest.
static double spread_along(cn_faces *f, int axis)
{
    double longest = 0.0;
    for (int n = 0; n < f->count; n++) {
        cn_face *own = &f->face[n];
        own->lo = INFINITY;
        own->hi = -INFINITY;
        for (int k = 0; k < own->count; k++) {
            own->lo = fmin(own->lo, along(f->corner[own->first + k], axis));
            own->hi = fmax(own->hi, along(f->corner[own->first + k], axis));
        }
        longest = fmax(longest, own->hi - own->lo);
    }
    return longest;
}

static cn_status meet_all(search *s, cn_error *err)
{
    int axis = widest_axis(&s->of[s->b->deformable[s->body[0]] >= 0 ? 0 : 1]), first = 0;
    cn_faces *one = &s->of[0], *other = &s->of[1];
    spread_along(one, axis);
    double longest = spread_along(other, axis) + s->gap;
    qsort(one->face, (size_t)one->count, sizeof *one->face, compare_faces);
    qsort(other->face, (size_t)other->count, sizeof *other->face, compare_faces);
    for (int i = 0; i < one->count; i++) {
        const cn_face *own = &one->face[i];
        while (first < other->count && other->face[first].lo < own->lo - longest) {
            first++;
        }
        for (int j = first; j < other->count && other->face[j].lo <= own->hi + s->gap; j++) {
            if (other->face[j].hi >= own->lo - s->gap) {
                CN_TRY(meet(s, own, &other->face[j], err));
            }
        }
    }
    return CN_OK;
}

// ---- corners that neighbours share

typedef struct seat {
    double x;
    int n;
    cn_vec3 at;
} seat;

static int compare_seats(const void *a, const void *b)
{
    const seat *x = a, *y = b;
    int order = (x->x > y->x) - (x->x < y->x);
    return order != 0 ? order : x->n - y->n;
}

// Adds the areas of points on the same spot, of the same normal and shapes, to the first of them.
static void merge_seats(const seat *at, int count, double near, cn_bond_seeds *to)
{
    for (int k = 0; k < count; k++) {
        cn_bond_seed *own = &to->seed[at[k].n];
        for (int l = k + 1; l < count && at[l].x - at[k].x <= near && own->area > 0.0; l++) {
            cn_bond_seed *other = &to->seed[at[l].n];
            bool is_same = cn_norm3(cn_sub3(at[k].at, at[l].at)) <= near &&
                           cn_dot3(own->normal, other->normal) > 1.0 - 1e-6 &&
                           to->shapes[at[k].n] == to->shapes[at[l].n];
            own->area += is_same ? other->area : 0.0;
            other->area = is_same ? 0.0 : other->area;
        }
    }
}

static cn_status merge(const search *s, cn_bond_seeds *to, int from, cn_error *err)
{
    seat *at = NULL;
    size_t capacity = 0;
    int count = to->count - from, kept = from, mesh = s->b->deformable[s->body[0]] >= 0 ? 0 : 1;
    int axis = widest_axis(&s->of[mesh]), body = s->body[mesh];
    double edge = cn_deformable_model(s->b->deformables, s->b->deformable[body])->skin.edge;
    CN_TRY(cn_reserve(s->of[0].hooks, &at, &capacity, (size_t)count, err));
    for (int k = 0; k < count; k++) {
        double state[CN_LAW_STATE_MAX] = {0.0};
        cn_interface_sow(s->b, &to->seed[from + k], state);
        cn_vec3 place = cn_interface_place(s->b, CN_WHEN_START, s->body, state).at[mesh];
        at[k] = (seat){along(place, axis), from + k, place};
    }
    if (count > 1) {
        qsort(at, (size_t)count, sizeof *at, compare_seats);
    }
    merge_seats(at, count, MERGE * edge, to);
    for (int k = from; k < to->count; k++) {
        if (to->seed[k].area > 0.0) {
            to->seed[kept] = to->seed[k];
            to->shapes[kept++] = to->shapes[k];
        }
    }
    to->count = kept;
    cn_release(s->of[0].hooks, at);
    return CN_OK;
}

// Width across the plane that two bodies share; a rigid one is as wide as the other.
static cn_status find_width(const search *s, double *width, cn_error *err)
{
    *width = INFINITY;
    for (int side = 0; side < 2; side++) {
        int k = s->b->deformable[s->body[side]];
        const cn_fem *mesh = k >= 0 ? cn_deformable_model(s->b->deformables, k)->mesh : NULL;
        if (mesh != NULL && mesh->plane == CN_AXISYMMETRIC && s->b->dim == 2) {
            return cn_fail(
                err, CN_BAD_INPUT,
                "body %llu touches another one under a law that bonds and is "
                "axisymmetric, where points are rings: give it another law, or bond: off",
                (unsigned long long)s->b->id[s->body[side]]);
        }
        *width = fmin(*width, mesh != NULL && s->b->dim == 2 ? mesh->thickness : INFINITY);
    }
    *width = isinf(*width) ? 1.0 : *width;
    return CN_OK;
}

static cn_status overlap(search *s, bool *is_round, cn_error *err)
{
    int mesh = s->b->deformable[s->body[0]] >= 0 ? 0 : 1, from = s->seeds->count;
    CN_TRY(find_width(s, &s->width, err));
    CN_TRY(cn_faces_list(&s->of[mesh], s->b, s->body[mesh], NULL, err));
    CN_TRY(cn_faces_list(&s->of[1 - mesh], s->b, s->body[1 - mesh], &s->of[mesh], err));
    *is_round = s->of[1 - mesh].count == 0;
    if (s->of[0].count == 0 || s->of[1].count == 0) {
        return CN_OK;
    }
    CN_TRY(meet_all(s, err));
    return merge(s, s->seeds, from, err);
}

cn_status cn_interface_overlap(const cn_hooks *hooks, const cn_bodies *b, const int body[2],
                               double gap, cn_bond_seeds *seeds, bool *is_round, cn_error *err)
{
    search s = {.b = b,
                .body = {body[0], body[1]},
                .gap = gap,
                .of = {{.hooks = hooks}, {.hooks = hooks}},
                .seeds = seeds};
    cn_status status = overlap(&s, is_round, err);
    cn_faces_release(&s.of[0]);
    cn_faces_release(&s.of[1]);
    return status;
}
