// picture/joint_opening.c -- joints and how far they have opened, or how much they are damaged.
//
// A joint is a patch where two bodies touched in frame 0. Its points are kept on both bodies; how
// far the two copies of a point have parted along the normal is the opening there. Bodies are
// rigid, so the opening is affine over the patch: corners tell all of it. This does not depend on
// how far contacts are searched, unlike the gaps of the contacts of a frame.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "picture/render.h"
#include "result/id_map.h"
#include "result/reader.h"

// Openings below this part of the body are rounding and the accuracy of contacts. [-]
#define SHUT 1e-6

// Joints that have parted by more than this part of the smaller body are no joints any more. [-]
#define APART 0.5

// Joints that have opened by less than this part of the largest one would hide the others. [-]
#define FAINT 0.02

typedef struct place {
    cn_vec3 at;
    cn_mat3 turn;
} place;

static place place_of(const cn_frame *frame, int i)
{
    const double *q = frame->q + (size_t)frame->q_size * (size_t)i;
    if (frame->dim == 3) {
        return (place){cn_v3(q[0], q[1], q[2]),
                       cn_quat_matrix(cn_quat_unit((cn_quat){q[3], q[4], q[5], q[6]}))};
    }
    double c = cos(q[2]), s = sin(q[2]);
    return (place){cn_v3(q[0], q[1], 0.0), {{{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}}};
}

static cn_vec3 vector(const double a[3])
{
    return cn_v3(a[0], a[1], a[2]);
}

static cn_seam_point seam_point(const cn_frame *frame, const cn_contact *c, int seam)
{
    cn_seam_point p = {.body = {frame->id[c->i], frame->id[c->j]}, .seam = seam, .law = c->law};
    for (int k = 0; k < 2; k++) {
        place body = place_of(frame, k == 0 ? c->i : c->j);
        double half = k == 0 ? 0.5 * c->gap : -0.5 * c->gap;
        cn_vec3 surface = cn_add_mul3(vector(c->point), half, vector(c->normal));
        p.at[k] = cn_mat3_mul_transposed(&body.turn, cn_sub3(surface, body.at));
        p.normal[k] = cn_mat3_mul_transposed(&body.turn, vector(c->normal));
    }
    return p;
}

// Frames hold contacts in the order of the solver; identities are unique.
static int compare_identity(const void *a, const void *b)
{
    const cn_contact *x = *(const cn_contact *const *)a, *y = *(const cn_contact *const *)b;
    if (x->pair != y->pair) {
        return x->pair < y->pair ? -1 : 1;
    }
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static void list_points(const cn_frame *first, const cn_contact **sorted, cn_seam_point *point,
                        int *count)
{
    int kept = 0, seam = -1;
    for (int a = 0; a < first->contact_count; a++) {
        const cn_contact *c = &first->contact[a];
        bool is_beyond = c->shift[0] != 0 || c->shift[1] != 0 || c->shift[2] != 0;
        if (!is_beyond) { // across the border of a periodic cell
            sorted[kept++] = c;
        }
    }
    if (kept > 0) {
        qsort(sorted, (size_t)kept, sizeof *sorted, compare_identity);
    }
    for (int a = 0; a < kept; a++) {
        seam += a == 0 || !cn_is_same_patch(sorted[a - 1], sorted[a]);
        point[a] = seam_point(first, sorted[a], seam);
    }
    *count = kept;
}

cn_status cn_seams_take(const cn_frame *first, cn_seam_point **point, int *count, cn_error *err)
{
    size_t room[2] = {0, 0}, contacts = (size_t)first->contact_count;
    const cn_contact **sorted = NULL;
    CN_TRY(cn_reserve(NULL, point, &room[0], contacts, err));
    CN_TRY(cn_reserve(NULL, &sorted, &room[1], contacts, err));
    list_points(first, sorted, *point, count);
    cn_release(NULL, sorted);
    return CN_OK;
}

// Corners in the order of their angle about the normal.
static void sort_corners(cn_seam *seam, cn_vec3 normal)
{
    cn_vec3 middle = {0.0, 0.0, 0.0};
    for (int k = 0; k < seam->corner_count; k++) {
        middle = cn_add_mul3(middle, 1.0 / seam->corner_count, seam->corner[k]);
    }
    cn_vec3 u = cn_sub3(seam->corner[0], middle), v = cn_cross3(normal, u);
    double angle[CN_SEAM_CORNER_MAX];
    for (int k = 0; k < seam->corner_count; k++) {
        cn_vec3 at = seam->corner[k], arm = cn_sub3(at, middle);
        double opening = seam->opening[k], a = atan2(cn_dot3(v, arm), cn_dot3(u, arm));
        int n = k;
        for (; n > 0 && angle[n - 1] > a; n--) {
            angle[n] = angle[n - 1];
            seam->corner[n] = seam->corner[n - 1];
            seam->opening[n] = seam->opening[n - 1];
        }
        angle[n] = a;
        seam->corner[n] = at;
        seam->opening[n] = opening;
    }
}

// ---- damage

// A point of a bond in the frame: the ids of its bodies in order.
typedef struct bond_point {
    cn_body_id low, high;
    int contact;
    double damage;
} bond_point;

static int compare_bonds(const void *a, const void *b)
{
    const bond_point *x = a, *y = b;
    if (x->low != y->low || x->high != y->high) {
        bool is_less = x->low < y->low || (x->low == y->low && x->high < y->high);
        return is_less ? -1 : 1;
    }
    return x->contact - y->contact;
}

static void order_ids(cn_body_id a, cn_body_id b, bond_point *p)
{
    p->low = a < b ? a : b;
    p->high = a < b ? b : a;
}

// Points of bonds of a frame, by the ids of their bodies; the caller releases them.
static cn_status list_bonds(const cn_render_plan *plan, bond_point **bond, int *count,
                            cn_error *err)
{
    const cn_picture_frame *frame = plan->frame;
    const cn_frame *state = &frame->state;
    size_t room = 0;
    *count = 0;
    CN_TRY(cn_reserve(NULL, bond, &room, (size_t)state->contact_count + 1, err));
    for (int a = 0; a < state->contact_count; a++) {
        const cn_contact *c = &state->contact[a];
        int at = frame->damage_of != NULL ? frame->damage_of(frame->context, c->law) : -1;
        int kept = state->state_start[a + 1] - state->state_start[a];
        const double *own = state->state + state->state_start[a];
        if (at > 0 && kept > at && own[at - 1] != 0.0) { // it comes after `bond`
            bond_point *p = &(*bond)[(*count)++];
            *p = (bond_point){.contact = a, .damage = own[at]};
            order_ids(state->id[c->i], state->id[c->j], p);
        }
    }
    qsort(*bond, (size_t)*count, sizeof **bond, compare_bonds);
    return CN_OK;
}

// The first point of a pair of bodies, or where it would be.
static int first_bond(const bond_point *bond, int count, const bond_point *key)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        bool is_less = bond[middle].low < key->low ||
                       (bond[middle].low == key->low && bond[middle].high < key->high);
        low = is_less ? middle + 1 : low;
        high = is_less ? high : middle;
    }
    return low;
}

// Each corner has the damage of the nearest point of its bond, 1 if there is none any more.
static void damage_seam(const cn_render_plan *plan, const bond_point *bond, int count,
                        const cn_seam_point *point, cn_seam *seam)
{
    const cn_frame *state = &plan->frame->state;
    bond_point key;
    order_ids(point->body[0], point->body[1], &key);
    int first = first_bond(bond, count, &key);
    seam->most = 0.0;
    for (int k = 0; k < seam->corner_count; k++) {
        double nearest = INFINITY;
        seam->opening[k] = state->index > 0 ? 1.0 : 0.0;
        for (int n = first; n < count && bond[n].low == key.low && bond[n].high == key.high; n++) {
            cn_vec3 at = vector(state->contact[bond[n].contact].point);
            double apart = cn_norm3(cn_sub3(at, seam->corner[k]));
            seam->opening[k] = apart < nearest ? bond[n].damage : seam->opening[k];
            nearest = fmin(nearest, apart);
        }
        seam->most = fmax(seam->most, seam->opening[k]);
    }
}

// ---- joints of the frame

// Where the points of one joint are now. False: a body is lost, or the joint is no joint any more.
static bool place_seam(cn_render_plan *plan, const cn_seam_point *point, int count,
                       const int body[2], cn_seam *seam)
{
    const cn_frame *state = &plan->frame->state;
    place at[2] = {place_of(state, body[0]), place_of(state, body[1])};
    double size = INFINITY;
    for (int k = 0; k < 2; k++) {
        const cn_figure *f = &plan->figure[body[k]];
        if (!f->is_drawn) {
            return false;
        }
        size = f->size > 0.0 ? fmin(size, f->size) : size;
    }
    cn_vec3 normal = cn_add3(cn_mat3_mul(&at[0].turn, point->normal[0]),
                             cn_mat3_mul(&at[1].turn, point->normal[1]));
    normal = cn_mul3(1.0 / fmax(cn_norm3(normal), 1e-12), normal);
    cn_vec3 parted = {0.0, 0.0, 0.0};
    *seam = (cn_seam){.corner_count = count, .size = size};
    for (int k = 0; k < count; k++) {
        cn_vec3 a = cn_add3(at[0].at, cn_mat3_mul(&at[0].turn, point[k].at[0]));
        cn_vec3 b = cn_add3(at[1].at, cn_mat3_mul(&at[1].turn, point[k].at[1]));
        seam->corner[k] = cn_mul3(0.5, cn_add3(a, b));
        seam->opening[k] = cn_dot3(normal, cn_sub3(a, b));
        seam->most = fmax(seam->most, seam->opening[k]);
        parted = cn_add_mul3(parted, 1.0 / count, cn_sub3(a, b));
    }
    sort_corners(seam, normal);
    bool is_near = cn_norm3(parted) <= APART * size;
    plan->apart_count += !is_near;
    return is_near;
}

static cn_status map_bodies(const cn_frame *state, cn_id_map *map, cn_error *err)
{
    for (int i = 0; i < state->body_count; i++) {
        CN_TRY(cn_id_map_add(map, state->id[i], i, err));
    }
    cn_id_map_sort(map);
    return CN_OK;
}

static void place_seams(cn_render_plan *plan, const cn_id_map *map, const bond_point *bond,
                        int bond_count)
{
    const cn_picture_frame *frame = plan->frame;
    bool is_damage = plan->def->paint == CN_PAINT_DAMAGE;
    for (int a = 0, next; a < frame->seam_point_count; a = next) {
        const cn_seam_point *point = &frame->seam_point[a];
        next = a + 1;
        while (next < frame->seam_point_count && frame->seam_point[next].seam == point->seam) {
            next++;
        }
        int count = next - a < CN_SEAM_CORNER_MAX ? next - a : CN_SEAM_CORNER_MAX;
        int body[2] = {(int)cn_id_map_find(map, point->body[0]),
                       (int)cn_id_map_find(map, point->body[1])};
        cn_seam *seam = &plan->seam[plan->seam_count];
        if (body[0] < 0 || body[1] < 0 || !place_seam(plan, point, count, body, seam)) {
            continue;
        }
        if (is_damage) {
            bool bonds =
                frame->damage_of != NULL && frame->damage_of(frame->context, point->law) > 0;
            damage_seam(plan, bond, bond_count, point, seam);
            seam->most = bonds ? seam->most : 0.0;
        }
        if (seam->most > (is_damage ? SHUT : SHUT * seam->size)) {
            plan->seam_count++;
            plan->value_max = fmax(plan->value_max, seam->most);
        }
    }
}

cn_status cn_plan_seams(cn_render_plan *plan, cn_error *err)
{
    size_t room = 0;
    CN_TRY(cn_reserve(NULL, &plan->seam, &room, (size_t)plan->frame->seam_point_count + 1, err));
    cn_id_map map = {0};
    bond_point *bond = NULL;
    int bond_count = 0;
    cn_status status = map_bodies(&plan->frame->state, &map, err);
    if (status == CN_OK && plan->def->paint == CN_PAINT_DAMAGE) {
        status = list_bonds(plan, &bond, &bond_count, err);
    }
    if (status == CN_OK) {
        place_seams(plan, &map, bond, bond_count);
    }
    cn_release(NULL, bond);
    cn_id_map_free(&map);
    return status;
}

bool cn_seam_is_shown(const cn_render_plan *plan, const cn_seam *seam)
{
    return seam->most > FAINT * plan->value_max;
}

// In the plane: a stroke along the joint, its colour changing from end to end.
static void paint_seam(const cn_render_plan *plan, const cn_seam *seam, cn_canvas *canvas)
{
    enum { PIECES = 24 };
    double a[2], b[2], width = 6.0 * plan->ui;
    int last = seam->corner_count - 1;
    cn_plan_pixel(plan, seam->corner[0].x, seam->corner[0].y, a);
    cn_plan_pixel(plan, seam->corner[last].x, seam->corner[last].y, b);
    for (int k = 0; k < PIECES; k++) {
        double s = (double)k / PIECES, t = (k + 1.0) / PIECES, middle = 0.5 * (s + t);
        double opening = (1.0 - middle) * seam->opening[0] + middle * seam->opening[last];
        cn_canvas_line(canvas, a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]),
                       a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), width,
                       cn_scale_at(&plan->colours, opening / plan->value_max));
    }
}

void cn_paint_seams(const cn_render_plan *plan, cn_canvas *canvas)
{
    for (int k = 0; k < plan->seam_count; k++) {
        if (cn_seam_is_shown(plan, &plan->seam[k])) {
            paint_seam(plan, &plan->seam[k], canvas);
        }
    }
}
