// contact/interface.c -- see interface.h.
#include "contact/interface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/frame.h"

// A point of an interface, or a contact that touched beside one: its bodies and shapes, and its
// place in the memory.
typedef struct cn_bonded_pair {
    uint64_t pair, shapes;
    int n;
} cn_bonded_pair;

enum { NAME = 0xB0000000 };      // points of an interface are named from here on
enum { CORNER_MAX = 16 };        // points of a patch that detection finds, at most
static const double NEAR = 1e-4; // of the smaller body: gap that counts as touching
static const double FAR = 0.01;  // likewise: slip beyond which surfaces touch elsewhere

// ---- places on bodies

static cn_mat3 frame_of(const cn_bodies *b, const double *q, int i)
{
    const double *x = cn_body_q(b, q, i);
    if (b->dim == 3) {
        return cn_quat_matrix((cn_quat){x[3], x[4], x[5], x[6]});
    }
    double c = cos(x[2]), s = sin(x[2]);
    return (cn_mat3){{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
}

static cn_vec3 centre_of(const cn_bodies *b, const double *q, int i)
{
    const double *x = cn_body_q(b, q, i);
    return cn_v3(x[0], x[1], b->dim == 3 ? x[2] : 0.0);
}

static cn_vec3 three_of(const double *x)
{
    return cn_v3(x[0], x[1], x[2]);
}

static void put_three(cn_vec3 v, double *to)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

// Where a point of an interface is on both of its bodies, and the axes that they carry: the mean of
// both normals, and the tangent of body i.
typedef struct placed {
    cn_vec3 at[2], axis[3];
} placed;

static placed place_at(const cn_bodies *b, const double *q, const int body[2], const double *state)
{
    placed x;
    cn_mat3 R[2];
    for (int side = 0; side < 2; side++) {
        const double *anchor = state + (side == 0 ? CN_BOND_ANCHOR_I : CN_BOND_ANCHOR_J);
        R[side] = frame_of(b, q, body[side]);
        x.at[side] = cn_add3(centre_of(b, q, body[side]), cn_mat3_mul(&R[side], three_of(anchor)));
    }
    cn_vec3 n_i = cn_mat3_mul(&R[0], three_of(state + CN_BOND_NORMAL_I));
    cn_vec3 n = cn_add3(n_i, cn_mat3_mul(&R[1], three_of(state + CN_BOND_NORMAL_J)));
    double length = cn_norm3(n);
    x.axis[0] = length > 0.0 ? cn_mul3(1.0 / length, n) : n_i;
    x.axis[1] = cn_v3(-x.axis[0].y, x.axis[0].x, 0.0);
    x.axis[2] = cn_v3(0.0, 0.0, 0.0);
    if (b->dim == 3) {
        cn_vec3 t = cn_mat3_mul(&R[0], three_of(state + CN_BOND_TANGENT_I));
        t = cn_sub3(t, cn_mul3(cn_dot3(t, x.axis[0]), x.axis[0]));
        length = cn_norm3(t);
        cn_tangents3(x.axis[0], &x.axis[1], &x.axis[2]);
        x.axis[1] = length > 0.0 ? cn_mul3(1.0 / length, t) : x.axis[1];
        x.axis[2] = cn_cross3(x.axis[0], x.axis[1]);
    }
    return x;
}

// How far the two places are apart along the axes; normals that are closed count as none, unless
// the law has springs there.
static void open_along(const placed *x, const cn_law_entry *entry, double opening[3])
{
    cn_vec3 apart = cn_sub3(x->at[0], x->at[1]);
    for (int k = 0; k < 3; k++) {
        opening[k] = cn_dot3(x->axis[k], apart);
    }
    opening[0] = entry->law->is_compressible ? opening[0] : fmax(opening[0], 0.0);
}

// The tangents of the material along those of contact a.
static void turn_of(const cn_contacts *c, const cn_bodies *b, int a, const double *state,
                    double turn[2][2])
{
    const cn_contact *x = &c->contact[a];
    turn[0][0] = turn[1][1] = 1.0;
    turn[0][1] = turn[1][0] = 0.0;
    if (c->d == 3) {
        cn_axes axes = cn_contact_axes(x, c->d);
        placed now = place_at(b, b->q_mid, (int[2]){x->i, x->j}, state);
        for (int k = 0; k < 4; k++) {
            turn[k / 2][k % 2] = cn_dot3(now.axis[1 + k / 2], axes.axis[1 + k % 2]);
        }
    }
}

// An opening along the axes of the material, along those of a contact.
static void turn_to_contact(double turn[2][2], const double along[3], double opening[3])
{
    opening[0] = along[0];
    opening[1] = turn[0][0] * along[1] + turn[1][0] * along[2];
    opening[2] = turn[0][1] * along[1] + turn[1][1] * along[2];
}

// Whether a point has slid so far that its normal tells nothing of where the surfaces touch.
static bool is_far(const cn_bodies *b, const int body[2], const double *opening, int first)
{
    double sum = 0.0;
    for (int k = first; k < 3; k++) {
        sum += opening[k] * opening[k];
    }
    return sqrt(sum) > FAR * fmin(b->size[body[0]], b->size[body[1]]);
}

static cn_vec3 rotation_of(const cn_bodies *b, int i)
{
    const double *v = cn_body_v(b, b->v_before, i);
    return b->dim == 2 ? cn_v3(0.0, 0.0, v[2]) : cn_v3(v[3], v[4], v[5]);
}

// Shift of the normal row (4.18). What turns moves along chords: velocities that are seen from
// q_mid open before it and close after it, by the acceleration with which the two places go around.
static double shift_of(const cn_contacts *c, const cn_bodies *b, int a, const double *state)
{
    const cn_contact *x = &c->contact[a];
    const int body[2] = {x->i, x->j};
    placed now = place_at(b, b->q_before, body, state);
    cn_vec3 n = now.axis[0], v[2], around[2], omega[2];
    for (int side = 0; side < 2; side++) {
        const double *own = cn_body_v(b, b->v_before, body[side]);
        cn_vec3 arm = cn_sub3(now.at[side], centre_of(b, b->q_before, body[side]));
        omega[side] = rotation_of(b, body[side]);
        cn_vec3 turning = cn_cross3(omega[side], arm);
        v[side] = cn_add3(cn_v3(own[0], own[1], b->dim == 3 ? own[2] : 0.0), turning);
        around[side] = cn_cross3(omega[side], turning);
    }
    cn_vec3 apart = cn_sub3(v[0], v[1]), mean = cn_mul3(0.5, cn_add3(omega[0], omega[1]));
    double rate = cn_dot3(n, cn_sub3(around[0], around[1])) + cn_dot3(cn_cross3(mean, n), apart);
    double gap = cn_dot3(n, cn_sub3(now.at[0], now.at[1])) + c->gamma * c->h * cn_dot3(n, apart);
    return fmax(gap, 0.0) / c->h + (1.0 - c->gamma) * c->h * rate;
}

void cn_interface_input(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                        cn_law_input *in)
{
    if (!c->is_bond[a]) {
        return;
    }
    const double *state = cn_contact_old_state(c, entry, a);
    in->assumed = c->has_assumed ? c->assumed + CN_LAW_ASSUMED_MAX * a : NULL;
    const cn_contact *x = &c->contact[a];
    const int body[2] = {x->i, x->j};
    bool has_contact = !is_far(b, body, state + CN_BOND_OPENING, 1); // else detection has it
    in->is_met = in->is_met && has_contact;
    in->shift = has_contact ? shift_of(c, b, a, state) : cn_contact_size(b, x) / c->h;
    in->is_far = is_far(b, body, state + CN_BOND_OPENING, 0);
    turn_of(c, b, a, state, in->turn);
    turn_to_contact(in->turn, state + CN_BOND_OPENING, in->opening);
}

void cn_interface_end(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                      cn_law_input *in)
{
    if (c->is_bond[a]) {
        const cn_contact *x = &c->contact[a];
        const double *state = cn_contact_old_state(c, entry, a);
        placed now = place_at(b, b->q, (int[2]){x->i, x->j}, state);
        double along[3];
        open_along(&now, entry, along);
        turn_to_contact(in->turn, along, in->opening_end);
    }
}

void cn_interface_keep(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                       double *state)
{
    if (c->is_bond[a]) {
        const cn_contact *x = &c->contact[a];
        placed now = place_at(b, b->q, (int[2]){x->i, x->j}, state);
        open_along(&now, entry, state + CN_BOND_OPENING);
    }
}

// ---- what lives

static int law_of(const cn_bodies *b, const cn_rules *rules, int i, int j)
{
    return rules->law[rules->group_count * b->group[i] + b->group[j]];
}

// Gap up to which a pair counts as touching.
static double touching_gap(const cn_bodies *b, const cn_law_entry *entry, int i, int j)
{
    return entry->bond_gap > 0.0 ? entry->bond_gap : NEAR * fmin(b->size[i], b->size[j]);
}

bool cn_interface_is_met(const cn_bodies *b, const cn_law_entry *entry, const cn_contact *x)
{
    return x->gap <= touching_gap(b, entry, x->i, x->j);
}

// State of an entry of the memory if it is a point of an interface, or of a pair that touched
// without one, else NULL.
static const double *bond_state(const cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                                int n)
{
    int i = cn_pair_i(c->memory[n].pair), j = cn_pair_j(c->memory[n].pair);
    int law = law_of(b, rules, i, j);
    int end = n + 1 < c->memory_count ? c->memory_start[n + 1] : c->memory_state_count;
    if (law < 0 || !rules->entry[law].law->is_bonding ||
        end - c->memory_start[n] < CN_BOND_STATE_COUNT) {
        return NULL;
    }
    const double *state = c->memory_state + c->memory_start[n];
    return state[CN_BOND_ALIVE] != 0.0 || state[CN_BOND_MET] != 0.0 ? state : NULL;
}

static int compare_shapes(const cn_bonded_pair *x, const cn_bonded_pair *y)
{
    if (x->pair != y->pair) {
        return x->pair < y->pair ? -1 : 1;
    }
    return (x->shapes > y->shapes) - (x->shapes < y->shapes);
}

static int compare_points(const void *a, const void *b)
{
    const cn_bonded_pair *x = a, *y = b;
    int order = compare_shapes(x, y);
    return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

// The end of the points, from n on, between the same two shapes.
static int end_of_interface(const cn_contacts *c, int n)
{
    int end = n + 1;
    while (end < c->bonded_count && compare_shapes(&c->bonded[end], &c->bonded[n]) == 0) {
        end++;
    }
    return end;
}

// The first living point between two shapes, -1: none.
static int find_interface(const cn_contacts *c, uint64_t pair, uint64_t feature)
{
    const cn_bonded_pair key = {pair, feature >> 32, 0};
    int low = 0, high = c->bonded_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare_shapes(&c->bonded[middle], &key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < c->bonded_count && compare_shapes(&c->bonded[low], &key) == 0 ? low : -1;
}

// Leaves out interfaces of which no point holds, and what is not of an interface.
static void drop_broken(cn_contacts *c)
{
    int kept = 0;
    for (int n = 0, end; n < c->bonded_count; n = end) {
        bool holds = false;
        end = end_of_interface(c, n);
        for (int k = n; k < end; k++) {
            const double *state = c->memory_state + c->memory_start[c->bonded[k].n];
            holds = holds || (state[CN_BOND_ALIVE] != 0.0 && state[CN_BOND_DAMAGE] < 1.0);
        }
        for (int k = n; k < end && holds; k++) {
            if (c->memory_state[c->memory_start[c->bonded[k].n] + CN_BOND_ALIVE] != 0.0) {
                c->bonded[kept++] = c->bonded[k];
            }
        }
    }
    c->bonded_count = kept;
}

// The points of interfaces and pairs that touched, by pairs of shapes.
static cn_status list_points(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                             cn_error *err)
{
    c->bonded_count = 0;
    for (int n = 0; n < c->memory_count; n++) {
        if (bond_state(c, b, rules, n) != NULL) {
            CN_TRY(cn_reserve(c->hooks, &c->bonded, &c->capacity.bonded,
                              (size_t)c->bonded_count + 1, err));
            c->bonded[c->bonded_count++] =
                (cn_bonded_pair){c->memory[n].pair, c->memory[n].feature >> 32, n};
        }
    }
    if (c->bonded_count > 1) {
        qsort(c->bonded, (size_t)c->bonded_count, sizeof *c->bonded, compare_points);
    }
    return CN_OK;
}

// ---- how it begins

// A face that bonds: its points in order around it, and those of the interface with their areas.
typedef struct face {
    const cn_point *first; // one that detection found
    int count;
    cn_vec3 corner[CORNER_MAX];
    int point_count;
    cn_vec3 point[2 * CORNER_MAX + 1];
    double area[2 * CORNER_MAX + 1];
} face;

static void add_point(face *f, cn_vec3 at, double area)
{
    f->point[f->point_count] = at;
    f->area[f->point_count++] = area;
}

// Ends and middle of a segment, with the weights of Simpson: exact for moments of a stress that is
// linear along it.
static void divide_segment(face *f)
{
    cn_vec3 p = f->corner[0], q = f->corner[1];
    double length = cn_norm3(cn_sub3(q, p));
    add_point(f, p, length / 6.0);
    add_point(f, cn_mul3(0.5, cn_add3(p, q)), 4.0 * length / 6.0);
    add_point(f, q, length / 6.0);
}

static cn_vec3 middle_of(const face *f)
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    for (int k = 0; k < f->count; k++) {
        sum = cn_add3(sum, f->corner[k]);
    }
    return cn_mul3(1.0 / f->count, sum);
}

// Puts the corners in order around the middle.
static void sort_corners(face *f, cn_vec3 middle)
{
    cn_vec3 t1, t2;
    double angle[CORNER_MAX];
    cn_tangents3(f->first->normal, &t1, &t2);
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

// Corners, middle, and the centres of the triangles around it: twelfths of each triangle at its
// corners and three quarters in its centre are exact for moments of a stress that is linear.
static void divide_polygon(face *f)
{
    cn_vec3 middle = middle_of(f);
    double all = 0.0, corner[CORNER_MAX] = {0.0};
    sort_corners(f, middle);
    for (int k = 0; k < f->count; k++) {
        int next = (k + 1) % f->count;
        cn_vec3 p = f->corner[k], q = f->corner[next];
        double area = 0.5 * cn_norm3(cn_cross3(cn_sub3(p, middle), cn_sub3(q, middle)));
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

// What detection found of a face as points with areas. Grains and edges have none: the law says, or
// the radius of the smaller body.
static void divide_face(const cn_bodies *b, const cn_law_entry *entry, face *f)
{
    bool is_face = f->count >= b->dim;
    if (is_face && b->dim == 2) {
        divide_segment(f);
        return;
    }
    if (is_face) {
        divide_polygon(f);
        return;
    }
    int i = f->first->i, j = f->first->j;
    double R = 0.5 * fmin(b->size[i], b->size[j]);
    double area = entry->area > 0.0 ? entry->area : (b->dim == 2 ? 2.0 * R : CN_PI * R * R);
    for (int k = 0; k < f->count; k++) {
        add_point(f, f->corner[k], area / f->count);
    }
}

// The state of a new point, as if the last step had left it: what was found at q_mid is closed at
// q.
static void fill_state(const cn_bodies *b, const cn_point *x, cn_vec3 at, double area,
                       double *state)
{
    cn_mat3 R_mid = frame_of(b, b->q_mid, x->i), R_i = frame_of(b, b->q_before, x->i),
            R_j = frame_of(b, b->q_before, x->j);
    cn_vec3 t1 = cn_v3(-x->normal.y, x->normal.x, 0.0), t2;
    if (b->dim == 3) {
        cn_tangents3(x->normal, &t1, &t2);
    }
    cn_vec3 anchor = cn_mat3_mul_transposed(&R_mid, cn_sub3(at, centre_of(b, b->q_mid, x->i)));
    cn_vec3 normal = cn_mat3_mul_transposed(&R_mid, x->normal);
    cn_vec3 place = cn_add3(centre_of(b, b->q_before, x->i), cn_mat3_mul(&R_i, anchor));
    state[CN_BOND_ALIVE] = 1.0;
    state[CN_BOND_AREA] = area;
    put_three(anchor, state + CN_BOND_ANCHOR_I);
    put_three(cn_mat3_mul_transposed(&R_j, cn_sub3(place, centre_of(b, b->q_before, x->j))),
              state + CN_BOND_ANCHOR_J);
    put_three(normal, state + CN_BOND_NORMAL_I);
    put_three(cn_mat3_mul_transposed(&R_j, cn_mat3_mul(&R_i, normal)), state + CN_BOND_NORMAL_J);
    put_three(cn_mat3_mul_transposed(&R_mid, t1), state + CN_BOND_TANGENT_I);
}

// Enters the points of a face in the memory.
static cn_status make_interface(cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry,
                                face *f, cn_error *err)
{
    int states = entry->type.state_count;
    divide_face(b, entry, f);
    CN_TRY(cn_contact_reserve_memory(c, (size_t)(c->memory_count + f->point_count),
                                     (size_t)(c->memory_state_count + states * f->point_count),
                                     err));
    for (int k = 0; k < f->point_count; k++) {
        double *state = c->memory_state + c->memory_state_count;
        memset(state, 0, sizeof *state * (size_t)states);
        fill_state(b, f->first, f->point[k], f->area[k], state);
        uint64_t pair = (uint64_t)(uint32_t)f->first->i << 32 | (uint32_t)f->first->j;
        uint64_t name = f->first->feature >> 32 << 32 | (uint64_t)(NAME + (unsigned)k);
        c->memory_start[c->memory_count] = c->memory_state_count;
        c->memory[c->memory_count++] = (cn_memory){.pair = pair, .feature = name};
        c->memory_state_count += states;
    }
    c->memory_h = c->memory_h > 0.0 ? c->memory_h : 1.0; // of impulses that are all zero
    c->is_of_memory = false;
    return CN_OK;
}

static bool bonds(const cn_law_entry *entry, bool is_start)
{
    return entry->law->is_bonding &&
           (entry->bond == CN_BOND_TOUCH || (entry->bond == CN_BOND_START && is_start));
}

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

// Gap at the start of the step of a point that was found at q_mid.
static double gap_at_start(const cn_bodies *b, const cn_point *x)
{
    cn_vec3 at[2], normal = x->normal;
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? x->i : x->j;
        cn_mat3 R_mid = frame_of(b, b->q_mid, body), R = frame_of(b, b->q_before, body);
        cn_vec3 arm = cn_sub3(x->point, centre_of(b, b->q_mid, body));
        at[side] = cn_add3(centre_of(b, b->q_before, body),
                           cn_mat3_mul(&R, cn_mat3_mul_transposed(&R_mid, arm)));
        if (side == 0) {
            normal = cn_mat3_mul(&R, cn_mat3_mul_transposed(&R_mid, x->normal));
        }
    }
    return x->gap + cn_dot3(normal, cn_sub3(at[0], at[1]));
}

static cn_status refuse_deformable(const cn_bodies *b, const cn_point *x, cn_error *err)
{
    return cn_fail(err, CN_BAD_INPUT,
                   "bodies %llu and %llu touch under a law that bonds, and one of them is "
                   "deformable: bonds are between rigid bodies; give that pair another law, or "
                   "bond: off",
                   (unsigned long long)b->id[x->i], (unsigned long long)b->id[x->j]);
}

// Makes the interfaces of the step, of pairs that did not touch in the last one: what broke does
// not heal as long as it touches.
static cn_status begin_interfaces(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                                  bool is_start, const cn_point *point, int count, cn_error *err)
{
    for (int n = 0, end; n < count; n = end) {
        const cn_point *x = &point[n];
        const cn_law_entry *entry = &rules->entry[x->law];
        uint64_t pair = (uint64_t)(uint32_t)x->i << 32 | (uint32_t)x->j;
        end = end_of_shapes(point, count, n);
        bool is_rigid = b->deformable[x->i] < 0 && b->deformable[x->j] < 0;
        if (!bonds(entry, is_start) || find_interface(c, pair, x->feature) >= 0) {
            continue;
        }
        double gap = touching_gap(b, entry, x->i, x->j);
        face f = {.first = x};
        for (int k = n; k < end && f.count < CORNER_MAX; k++) {
            if (point[k].gap <= gap && gap_at_start(b, &point[k]) <= gap) {
                f.corner[f.count++] = point[k].point;
            }
        }
        if (f.count > 0 && !is_rigid) {
            return refuse_deformable(b, x, err);
        }
        if (f.count > 0) {
            CN_TRY(make_interface(c, b, entry, &f, err));
        }
    }
    return CN_OK;
}

// ---- the points of a step

// A living point where its bodies are now.
static cn_point place_point(const cn_contacts *c, const cn_bodies *b, const cn_rules *rules, int n,
                            const double *state)
{
    const cn_memory *m = &c->memory[n];
    int i = cn_pair_i(m->pair), j = cn_pair_j(m->pair);
    placed x = place_at(b, b->q_mid, (int[2]){i, j}, state);
    return (cn_point){.i = i,
                      .j = j,
                      .law = law_of(b, rules, i, j),
                      .feature = m->feature,
                      .point = cn_mul3(0.5, cn_add3(x.at[0], x.at[1])),
                      .normal = x.axis[0],
                      .gap = cn_dot3(x.axis[0], cn_sub3(x.at[0], x.at[1])),
                      .anchor = {-1, -1},
                      .is_bond = true};
}

static cn_status put_point(cn_contacts *c, int *count, const cn_point *x, cn_error *err)
{
    CN_TRY(cn_reserve(c->hooks, &c->fed, &c->capacity.fed, (size_t)*count + 1, err));
    c->fed[(*count)++] = *x;
    return CN_OK;
}

// Whether a point that detection found is one that an interface has: its shapes are bonded, and it
// is no further away than half the smaller body from a place where the bond has moved little.
static bool is_taken(const cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                     const cn_point *x)
{
    uint64_t pair = (uint64_t)(uint32_t)x->i << 32 | (uint32_t)x->j;
    int first = find_interface(c, pair, x->feature);
    double reach = 0.5 * fmin(b->size[x->i], b->size[x->j]);
    for (int k = first, end = first < 0 ? first : end_of_interface(c, first); k < end; k++) {
        int n = c->bonded[k].n;
        const double *state = c->memory_state + c->memory_start[n];
        cn_point own = place_point(c, b, rules, n, state);
        if (!is_far(b, (int[2]){x->i, x->j}, state + CN_BOND_OPENING, 0) &&
            cn_norm3(cn_sub3(own.point, x->point)) <= reach) {
            return true;
        }
    }
    return false;
}

static bool has_bonding(const cn_rules *rules)
{
    bool found = false;
    for (int k = 0; k < rules->entry_count; k++) {
        found = found || rules->entry[k].law->is_bonding;
    }
    return found;
}

cn_status cn_interface_feed(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                            bool is_start, const cn_point **fed, int *count, cn_error *err)
{
    const cn_point *point = *fed;
    int found = *count, kept = 0;
    if (!has_bonding(rules)) {
        return CN_OK;
    }
    CN_TRY(list_points(c, b, rules, err));
    CN_TRY(begin_interfaces(c, b, rules, is_start, point, found, err));
    CN_TRY(list_points(c, b, rules, err));
    drop_broken(c);
    for (int n = 0; n < found; n++) {
        if (!is_taken(c, b, rules, &point[n])) {
            CN_TRY(put_point(c, &kept, &point[n], err));
        }
    }
    for (int k = 0; k < c->bonded_count; k++) {
        int n = c->bonded[k].n;
        cn_point x = place_point(c, b, rules, n, c->memory_state + c->memory_start[n]);
        CN_TRY(put_point(c, &kept, &x, err));
    }
    *fed = c->fed;
    *count = kept;
    return CN_OK;
}
