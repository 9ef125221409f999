// contact/interface_begin.c -- see interface_begin.h.
#include "contact/interface_begin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/deformable/deformables.h"
#include "contact/interface_beam.h"
#include "contact/interface_list.h"

// ---- points of a face

static void add_point(cn_patch *f, cn_vec3 at, double area)
{
    f->point[f->point_count] = at;
    f->area[f->point_count++] = area;
}

// Ends and middle of a segment, with the weights of Simpson: exact for moments of a stress that is
// linear along it.
static void divide_segment(cn_patch *f)
{
    cn_vec3 p = f->corner[0], q = f->corner[1];
    double length = cn_norm3(cn_sub3(q, p));
    add_point(f, p, length / 6.0);
    add_point(f, cn_mul3(0.5, cn_add3(p, q)), 4.0 * length / 6.0);
    add_point(f, q, length / 6.0);
}

static cn_vec3 middle_of(const cn_patch *f)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    for (int k = 0; k < f->count; k++) {
        sum = cn_add3(sum, f->corner[k]);
    }
    return cn_mul3(1.0 / f->count, sum);
}

// Puts the corners in order around the middle.
static void sort_corners(cn_patch *f, cn_vec3 middle)
{
    cn_vec3 t1, t2;
    double angle[CN_PATCH_CORNERS];
    cn_tangents3(f->normal, &t1, &t2);
    for (int k = 0; k < f->count; k++) {
        cn_vec3 corner = f->corner[k], d = cn_sub3(corner, middle);
        double a = atan2(cn_dot3(d, t2), cn_dot3(d, t1));
        int n = k;
        for (; n > 0 && angle[n - 1] > a; n--) {
            angle[n] = angle[n - 1];
            f->corner[n] = f->corner[n - 1];
        }
        angle[n] = a;
        f->corner[n] = corner;
    }
}

static double area_of(cn_vec3 middle, cn_vec3 p, cn_vec3 q)
{
    return 0.5 * cn_norm3(cn_cross3(cn_sub3(p, middle), cn_sub3(q, middle)));
}

// Twelfths of a triangle at its corners and three quarters in its centre.
static void divide_triangle(cn_patch *f)
{
    double area = area_of(f->corner[0], f->corner[1], f->corner[2]);
    for (int k = 0; k < 3; k++) {
        add_point(f, f->corner[k], area / 12.0);
    }
    add_point(f, middle_of(f), 0.75 * area);
}

// Corners, middle, and the centres of the triangles around it.
static void divide_polygon(cn_patch *f)
{
    cn_vec3 middle = middle_of(f);
    double all = 0.0, corner[CN_PATCH_CORNERS] = {0.0};
    sort_corners(f, middle);
    for (int k = 0; k < f->count; k++) {
        int next = (k + 1) % f->count;
        cn_vec3 p = f->corner[k], q = f->corner[next];
        double area = area_of(middle, p, q);
        add_point(f, cn_mul3(1.0 / 3.0, cn_add3(middle, cn_add3(p, q))), 0.75 * area);
        corner[k] += area / 12.0;
        corner[next] += area / 12.0;
        all += area;
    }
    for (int k = 0; k < f->count; k++) {
        add_point(f, f->corner[k], corner[k]);
    }
    add_point(f, middle, all / 12.0);
}

void cn_patch_divide(cn_patch *f)
{
    f->point_count = 0;
    if (f->dim == 2) {
        divide_segment(f);
    } else if (f->count == 3) {
        divide_triangle(f);
    } else {
        divide_polygon(f);
    }
}

// ---- rigid bodies: what detection found of a face

// Grains and edges have no area: the law says, or the radius of the smaller body.
static void divide_found(const cn_bodies *b, const cn_law_entry *entry, const cn_point *x,
                         cn_patch *f)
{
    if (f->count >= b->dim) {
        cn_patch_divide(f);
        return;
    }
    double R = 0.5 * fmin(b->size[x->i], b->size[x->j]);
    double area = entry->area > 0.0 ? entry->area : (b->dim == 2 ? 2.0 * R : CN_PI * R * R);
    for (int k = 0; k < f->count; k++) {
        add_point(f, f->corner[k], area / f->count);
    }
}

// A place of a rigid body at q_mid, where it was at the start of the step.
static cn_vec3 at_start(const cn_bodies *b, int body, cn_vec3 place)
{
    cn_mat3 R_mid = cn_interface_frame(b, CN_WHEN_MID, body, -1);
    cn_mat3 R = cn_interface_frame(b, CN_WHEN_START, body, -1);
    cn_vec3 arm = cn_sub3(place, cn_interface_centre(b, CN_WHEN_MID, body));
    return cn_add3(cn_interface_centre(b, CN_WHEN_START, body),
                   cn_mat3_mul(&R, cn_mat3_mul_transposed(&R_mid, arm)));
}

// The same of a direction.
static cn_vec3 along_at_start(const cn_bodies *b, int body, cn_vec3 axis)
{
    cn_mat3 R_mid = cn_interface_frame(b, CN_WHEN_MID, body, -1);
    cn_mat3 R = cn_interface_frame(b, CN_WHEN_START, body, -1);
    return cn_mat3_mul(&R, cn_mat3_mul_transposed(&R_mid, axis));
}

// A point that was found at q_mid, closed at the start of the step.
static cn_bond_seed seed_of(const cn_bodies *b, const cn_point *x, cn_vec3 at, double area)
{
    cn_bond_seed seed = {.body = {x->i, x->j}, .area = area};
    cn_vec3 t1 = cn_v3(-x->normal.y, x->normal.x, 0.0), t2, place = at_start(b, x->i, at);
    if (b->dim == 3) {
        cn_tangents3(x->normal, &t1, &t2);
    }
    cn_interface_put_on_body(b, x->i, place, seed.anchor[0]);
    cn_interface_put_on_body(b, x->j, place, seed.anchor[1]);
    seed.normal = along_at_start(b, x->i, x->normal);
    seed.tangent = along_at_start(b, x->i, t1);
    return seed;
}

// ---- into the memory

// Room for some more points of a law.
static cn_status reserve_points(cn_contacts *c, const cn_law_entry *entry, int count, cn_error *err)
{
    size_t states = (size_t)(entry->type.state_count * count);
    return cn_contact_reserve_memory(c, (size_t)(c->memory_count + count),
                                     (size_t)c->memory_state_count + states, err);
}

static void enter_point(cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry,
                        const cn_bond_seed *seed, uint64_t name)
{
    int states = entry->type.state_count;
    double *state = c->memory_state + c->memory_state_count;
    memset(state, 0, sizeof *state * (size_t)states);
    cn_interface_sow(b, seed, state);
    if (seed->is_beam) {
        cn_interface_sow_beam(b, seed->body, seed->tangent, state);
    }
    uint64_t pair = (uint64_t)(uint32_t)seed->body[0] << 32 | (uint32_t)seed->body[1];
    c->memory_start[c->memory_count] = c->memory_state_count;
    c->memory[c->memory_count++] = (cn_memory){.pair = pair, .feature = name};
    c->memory_state_count += states;
    c->memory_h = c->memory_h > 0.0 ? c->memory_h : 1.0; // of impulses that are all zero
    c->is_of_memory = false;
}

static uint64_t name_of(uint32_t shapes, int k)
{
    return (uint64_t)shapes << 32 | (uint64_t)(CN_BOND_NAME + (unsigned)k);
}

static bool bonds(const cn_law_entry *entry, bool is_start)
{
    return entry->law->is_bonding &&
           (entry->bond == CN_BOND_TOUCH || (entry->bond == CN_BOND_START && is_start));
}

// ---- pairs

// The end of the points, from n on, that detection found between two shapes.
static int end_of_shapes(const cn_point *point, int count, int n)
{
    int end = n + 1;
    while (end < count && point[end].i == point[n].i && point[end].j == point[n].j &&
           point[end].feature >> 32 == point[n].feature >> 32) {
        end++;
    }
    return end;
}

// Gap at the start of the step of a point of rigid bodies that was found at q_mid.
static double gap_at_start(const cn_bodies *b, const cn_point *x)
{
    cn_vec3 apart = cn_sub3(at_start(b, x->i, x->point), at_start(b, x->j, x->point));
    return x->gap + cn_dot3(along_at_start(b, x->i, x->normal), apart);
}

// ---- renewal: joints with a stiffness that have slid away from where their points were bonded get
// points where the faces lie on each other now. Closure and elastic slip carry over.

// The old points of two rigid shapes, and how far their faces are apart at the start of the step.
typedef struct renewal {
    bool is_due;
    int first, end; // places among the points of interfaces
    unsigned name;  // from which new points are named: not as the old ones
    cn_vec3 middle; // where the gap is `gap`; it grows by `slope` per length
    cn_vec3 slope;  // along the face [-]
    double gap;     // [m]
} renewal;

enum { NEXT = 0x1000 }; // names of new points are this far from those of old ones

// Plane through gaps at places, by least squares.
static void fit_gaps(const cn_bodies *b, const cn_point *x, int count, const double *gap,
                     renewal *r)
{
    cn_vec3 t1 = cn_v3(-x->normal.y, x->normal.x, 0.0), t2 = cn_v3(0.0, 0.0, 0.0);
    double uu = 0.0, uv = 0.0, vv = 0.0, ug = 0.0, vg = 0.0;
    if (b->dim == 3) {
        cn_tangents3(x->normal, &t1, &t2);
    }
    for (int k = 0; k < count; k++) {
        r->middle = cn_add_mul3(r->middle, 1.0 / count, x[k].point);
        r->gap += gap[k] / count;
    }
    for (int k = 0; k < count; k++) {
        cn_vec3 way = cn_sub3(x[k].point, r->middle);
        double u = cn_dot3(way, t1), v = cn_dot3(way, t2), g = gap[k] - r->gap;
        uu += u * u;
        uv += u * v;
        vv += v * v;
        ug += u * g;
        vg += v * g;
    }
    double whole = uu + vv, area = uu * vv - uv * uv;
    if (b->dim == 2 && uu > 0.0) {
        r->slope = cn_mul3(ug / uu, t1);
    } else if (area > 1e-12 * whole * whole) {
        r->slope =
            cn_add_mul3(cn_mul3((vv * ug - uv * vg) / area, t1), (uu * vg - uv * ug) / area, t2);
    }
}

// Whether that is a point, not a contact that touched beside them.
static bool is_old(const cn_contacts *c, int k)
{
    return cn_bonded_state(c, k)[CN_BOND_ALIVE] != 0.0;
}

// Whether the interface that `count` points from x on lie on is to be renewed, and its gaps from
// those of these points at the start of the step.
static renewal make_renewal(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry,
                            const cn_point *x, int count, const double *gap)
{
    renewal r = {0};
    uint64_t pair = (uint64_t)(uint32_t)x->i << 32 | (uint32_t)x->j;
    bool is_renewed = entry->law->stored != NULL;
    r.first = is_renewed ? cn_bonded_find(c, pair, x->feature) : -1;
    if (r.first < 0) {
        return r;
    }
    r.end = cn_bonded_end_of_interface(c, r.first);
    for (int k = r.first; k < r.end; k++) {
        if (is_old(c, k)) {
            uint32_t name = (uint32_t)c->memory[c->bonded[k].n].feature - CN_BOND_NAME;
            r.name = (name & NEXT) != 0 ? 0 : NEXT;
            r.is_due = r.is_due || cn_bonded_state(c, k)[CN_BOND_DAMAGE] >= 1.0;
        }
    }
    if (r.is_due) {
        fit_gaps(b, x, count, gap, &r);
    }
    return r;
}

static double gap_at(const renewal *r, cn_vec3 place)
{
    return r->gap + cn_dot3(r->slope, cn_sub3(place, r->middle));
}

// The old point next to a place.
static int nearest_to(const renewal *r, const cn_contacts *c, const cn_bodies *b, const int body[2],
                      cn_vec3 place)
{
    int nearest = r->first;
    double least = INFINITY;
    for (int k = r->first; k < r->end; k++) {
        if (!is_old(c, k)) {
            continue;
        }
        cn_placed old = cn_interface_place(b, CN_WHEN_START, body, cn_bonded_state(c, k));
        double far = cn_norm3(cn_sub3(old.at[0], place));
        if (far < least) {
            least = far;
            nearest = k;
        }
    }
    return nearest;
}

// Puts a new point on both faces as far apart as they are.
static void place_renewed(const renewal *r, const cn_contacts *c, const cn_bodies *b, cn_vec3 place,
                          cn_bond_seed *seed)
{
    double half = 0.5 * gap_at(r, place);
    int k = nearest_to(r, c, b, seed->body, place);
    cn_placed old = cn_interface_place(b, CN_WHEN_START, seed->body, cn_bonded_state(c, k));
    for (int side = 0; side < 2; side++) {
        cn_vec3 at = cn_add_mul3(place, side == 0 ? half : -half, seed->normal);
        cn_interface_put_on_body(b, seed->body[side], at, seed->anchor[side]);
    }
    double lean = cn_dot3(old.axis[1], seed->normal);
    cn_vec3 along = cn_add_mul3(old.axis[1], -lean, seed->normal);
    seed->tangent = cn_mul3(1.0 / cn_norm3(along), along);
}

// What the nearest old point keeps beside its place goes to the new one with that state.
static void hand_over(const renewal *r, cn_contacts *c, const cn_bodies *b,
                      const cn_law_entry *entry, const cn_bond_seed *seed, cn_vec3 place,
                      double *state)
{
    const double *old = cn_bonded_state(c, nearest_to(r, c, b, seed->body, place));
    int own = entry->law->type.state_count - CN_BOND_STATE_COUNT;
    memcpy(state + CN_BOND_STATE_COUNT, old + CN_BOND_STATE_COUNT,
           sizeof *state * (size_t)(own > 0 ? own : 0));
    state[CN_BOND_OPENING] = gap_at(r, place);
    c->renewed += entry->law->stored(entry->param, state);
}

// The old points are no more. What the new ones store more than they did is in c->renewed.
static void end_old_points(const renewal *r, const cn_law_entry *entry, cn_contacts *c)
{
    for (int k = r->first; k < r->end; k++) {
        if (is_old(c, k)) {
            c->renewed -= entry->law->stored(entry->param, cn_bonded_state(c, k));
            c->memory_state[c->memory_start[c->bonded[k].n] + CN_BOND_ALIVE] = 0.0;
        }
    }
}

// Points of a face, in place of those that have slid away.
static cn_status renew_points(cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry,
                              const cn_point *x, const cn_patch *f, const renewal *r, cn_error *err)
{
    CN_TRY(reserve_points(c, entry, f->point_count, err));
    for (int k = 0; k < f->point_count; k++) {
        cn_bond_seed seed = seed_of(b, x, f->point[k], f->area[k]);
        cn_vec3 place = at_start(b, x->i, f->point[k]);
        int name = k + (int)r->name;
        place_renewed(r, c, b, place, &seed);
        enter_point(c, b, entry, &seed, name_of((uint32_t)(x->feature >> 32), name));
        hand_over(r, c, b, entry, &seed, place,
                  c->memory_state + c->memory_start[c->memory_count - 1]);
    }
    end_old_points(r, entry, c);
    return CN_OK;
}

// Of a face that detection found between two rigid bodies.
static cn_status bond_rigid(cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry,
                            const cn_point *x, int count, cn_error *err)
{
    cn_patch f = {.dim = b->dim, .normal = x->normal};
    double gap = cn_interface_touching(b, entry, x->i, x->j), start[CN_PATCH_CORNERS] = {0.0};
    int seen = count < CN_PATCH_CORNERS ? count : CN_PATCH_CORNERS;
    for (int k = 0; k < seen; k++) {
        start[k] = gap_at_start(b, &x[k]);
        if (x[k].gap <= gap && start[k] <= gap) {
            f.corner[f.count++] = x[k].point;
        }
    }
    renewal r = make_renewal(c, b, entry, x, seen, start);
    if (f.count == 0 || (r.is_due && f.count < b->dim)) {
        return CN_OK;
    }
    divide_found(b, entry, x, &f);
    if (r.is_due) {
        return renew_points(c, b, entry, x, &f, &r, err);
    }
    CN_TRY(reserve_points(c, entry, f.point_count, err));
    for (int k = 0; k < f.point_count; k++) {
        cn_bond_seed seed = seed_of(b, x, f.point[k], f.area[k]);
        seed.is_beam = entry->law->has_beams && f.count < b->dim;
        enter_point(c, b, entry, &seed, name_of((uint32_t)(x->feature >> 32), k));
    }
    return CN_OK;
}

static cn_status refuse_round(const cn_bodies *b, const cn_point *x, cn_error *err)
{
    return cn_fail(err, CN_BAD_INPUT,
                   "bodies %llu and %llu touch under a law that bonds, and one is a mesh and the "
                   "other round: where they touch has no area; give that pair another law, or "
                   "bond: off",
                   (unsigned long long)b->id[x->i], (unsigned long long)b->id[x->j]);
}

static cn_status refuse_mesh(const cn_bodies *b, const cn_law_entry *entry, const cn_point *x,
                             cn_error *err)
{
    return cn_fail(err, CN_BAD_INPUT,
                   "bodies %llu and %llu touch under law %s, and one of them is a mesh: its beams "
                   "are between rigid bodies; take cohesive or mohr for meshes, or bond: off",
                   (unsigned long long)b->id[x->i], (unsigned long long)b->id[x->j],
                   entry->type.name);
}

// Of all faces of two bodies, one of which is a mesh.
static cn_status bond_mesh(cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry,
                           const cn_point *x, cn_bond_seeds *seeds, cn_error *err)
{
    double gap = cn_interface_touching(b, entry, x->i, x->j);
    bool is_round = false;
    seeds->count = 0;
    if (entry->law->has_beams) {
        return x->gap <= gap ? refuse_mesh(b, entry, x, err) : CN_OK;
    }
    CN_TRY(cn_interface_overlap(c->hooks, b, (int[2]){x->i, x->j}, gap, seeds, &is_round, err));
    if (is_round && x->gap <= gap) {
        return refuse_round(b, x, err);
    }
    CN_TRY(reserve_points(c, entry, seeds->count, err));
    for (int k = 0; k < seeds->count; k++) {
        enter_point(c, b, entry, &seeds->seed[k], name_of(seeds->shapes[k], k));
    }
    return CN_OK;
}

// A detected point of a pair with a mesh.
typedef struct candidate {
    uint64_t pair;
    int n;
} candidate;

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    int order = (x->pair > y->pair) - (x->pair < y->pair);
    return order != 0 ? order : x->n - y->n;
}

// Pairs with a mesh, whose points come in any order, in that of their bodies: the first point of
// each.
static cn_status bond_meshes(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                             const cn_point *point, candidate *list, int count, cn_error *err)
{
    cn_bond_seeds seeds = {0};
    cn_status status = CN_OK;
    if (count > 1) {
        qsort(list, (size_t)count, sizeof *list, compare_candidates);
    }
    for (int k = 0; k < count && status == CN_OK; k++) {
        if (k == 0 || list[k].pair != list[k - 1].pair) {
            const cn_point *x = &point[list[k].n];
            status = bond_mesh(c, b, &rules->entry[x->law], x, &seeds, err);
        }
    }
    cn_release(c->hooks, seeds.seed);
    cn_release(c->hooks, seeds.shapes);
    return status;
}

// Whether a point may begin an interface.
static bool may_begin(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry,
                      bool is_start, const cn_point *x)
{
    bool is_near = is_start || x->gap <= cn_interface_touching(b, entry, x->i, x->j);
    return bonds(entry, is_start) && is_near && !cn_interface_lives(c, x);
}

// Whether the points of a joint with a stiffness have slid away from their places.
static bool is_slid(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry,
                    const cn_point *x, int count)
{
    double gap[CN_PATCH_CORNERS] = {0.0};
    int seen = count < CN_PATCH_CORNERS ? count : CN_PATCH_CORNERS;
    return make_renewal(c, b, entry, x, seen, gap).is_due;
}

static cn_status begin_all(cn_contacts *c, const cn_bodies *b, const cn_rules *rules, bool is_start,
                           cn_points points, candidate *list, cn_error *err)
{
    int listed = 0;
    for (int n = 0, end; n < points.count; n = end) {
        const cn_point *x = &points.point[n];
        const cn_law_entry *entry = &rules->entry[x->law];
        bool is_rigid = b->deformable[x->i] < 0 && b->deformable[x->j] < 0;
        end = is_rigid ? end_of_shapes(points.point, points.count, n) : n + 1;
        if (is_rigid && (cn_interface_lives(c, x) ? is_slid(c, b, entry, x, end - n)
                                                  : bonds(entry, is_start))) {
            CN_TRY(bond_rigid(c, b, entry, x, end - n, err));
        } else if (!is_rigid && may_begin(c, b, entry, is_start, x)) {
            list[listed++] = (candidate){(uint64_t)(uint32_t)x->i << 32 | (uint32_t)x->j, n};
        }
    }
    return bond_meshes(c, b, rules, points.point, list, listed, err);
}

cn_status cn_interface_begin(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                             bool is_start, cn_points points, cn_error *err)
{
    candidate *list = NULL;
    size_t capacity = 0;
    bool has_mesh = b->deformables->count > 0;
    CN_TRY(cn_reserve(c->hooks, &list, &capacity, has_mesh ? (size_t)points.count : 0, err));
    cn_status status = begin_all(c, b, rules, is_start, points, list, err);
    cn_release(c->hooks, list);
    return status;
}
