// audit/overlap/overlap.c -- overlaps that contacts do not know, and contacts of bodies that are
// apart: theory 9.11 to 9.14.
#include <stdlib.h>
#include <string.h>

#include "audit/overlap/overlap.h"
#include "body/cell.h"

static const double LITTLE = 1e-6; // depth that is not looked for, of the size of the smaller [-]

// How far bodies of a pair without a contact may enter each other within a step, of the size of the
// smaller: each moves past the ball that detection knows by 5e-3 of its own at most (5.2).
static const double UNLISTED = 1e-2; // [-]

// Contacts that are apart by DOUBTFUL of the size are looked at once more, within NEAR of it.
static const double DOUBTFUL = 1e-4, NEAR = 1e-2; // [-]

// Rods side by side have two points, whose gaps are less than they are by so much of the radius of
// the thinner one where it sags between them (5.8) [-].
static const double ROUND = 2e-5;

enum { STEPS_MAX = 1024 }; // from one body to the other; between blades they are short

// What the contacts of a pair of slots know of its depth.
typedef struct known {
    uint64_t pair;
    double depth; // [m]
} known;

typedef struct looking {
    const cn_deep_input *in;
    const cn_hooks *hooks;
    cn_region *region;
    int region_count;
    int *region_start; // of slot i: region[region_start[i]] .. region[region_start[i+1]-1]
    cn_deep_tree tree; // of bounded regions; boxes of others are empty
    known *known;
    int known_count;
    size_t region_capacity, start_capacity, known_capacity;
    cn_overlap *overlap;
} looking;

static uint64_t pair_of(int i, int j)
{
    return i < j ? (uint64_t)i << 32 | (uint32_t)j : (uint64_t)j << 32 | (uint32_t)i;
}

static int compare_known(const void *p, const void *q)
{
    const known *a = p, *b = q;
    return (a->pair > b->pair) - (a->pair < b->pair);
}

// Contacts that are not seen where they are at q_mid: on the way of a fast pair, or after a solve.
static bool is_elsewhere(const cn_deep_input *in, int a)
{
    return in->is_fast[a] || in->is_at_start[a] || a >= in->found;
}

static double speed(const double u[3])
{
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

// The deepest contact of each pair, one entry each, sorted.
static cn_status find_known(looking *x, cn_error *err)
{
    const cn_deep_input *in = x->in;
    int count = 0;
    CN_TRY(cn_reserve(x->hooks, &x->known, &x->known_capacity, (size_t)in->contact_count, err));
    for (int a = 0; a < in->contact_count; a++) {
        const cn_contact *c = &in->contact[a];
        double motion = is_elsewhere(in, a) ? in->h * speed(c->u_before) : 0.0;
        x->known[a] = (known){pair_of(c->i, c->j), fmax(motion - c->gap, 0.0)};
    }
    qsort(x->known, (size_t)in->contact_count, sizeof *x->known, compare_known);
    for (int a = 0; a < in->contact_count; a++) {
        if (count > 0 && x->known[count - 1].pair == x->known[a].pair) {
            x->known[count - 1].depth = fmax(x->known[count - 1].depth, x->known[a].depth);
        } else {
            x->known[count++] = x->known[a];
        }
    }
    x->known_count = count;
    return CN_OK;
}

// Depth of a pair that its contacts account for. At the end of the step, of which contacts know
// nothing, those that have one are left to the next.
static double known_depth(const looking *x, const cn_region *r, const cn_region *s)
{
    known key = {pair_of(r->slot, s->slot), 0.0};
    const known *found =
        bsearch(&key, x->known, (size_t)x->known_count, sizeof *x->known, compare_known);
    if (x->in->is_end) {
        return found != NULL ? INFINITY : UNLISTED * fmin(r->size, s->size);
    }
    return found != NULL ? found->depth : 0.0;
}

// ---- regions

static cn_status place_mesh(const looking *x, int k, cn_region *r, cn_error *err)
{
    const cn_deformables *m = x->in->b->deformables;
    const double *mid = cn_deformable_mid(m, k);
    return cn_region_place_mesh(x->in->b, x->in->is_end ? cn_deformable_now(m, k) : mid, k, r, err);
}

static cn_status place_body(looking *x, int i, cn_error *err)
{
    const cn_bodies *b = x->in->b;
    int shapes = b->shape_start[i + 1] - b->shape_start[i];
    int count = b->deformable[i] >= 0 ? 1 : shapes;
    CN_TRY(cn_reserve(x->hooks, &x->region, &x->region_capacity, (size_t)(x->region_count + count),
                      err));
    for (int k = 0; k < count; k++) {
        cn_region *r = &x->region[x->region_count];
        *r = (cn_region){0};
        x->region_count++; // freed whatever happens
        const double *q = x->in->is_end ? b->q : b->q_mid;
        CN_TRY(b->deformable[i] >= 0 ? place_mesh(x, b->deformable[i], r, err)
                                     : cn_region_place(b, q, b->shape_start[i] + k, r, err));
    }
    return CN_OK;
}

static cn_status place_all(looking *x, cn_error *err)
{
    const cn_bodies *b = x->in->b;
    CN_TRY(cn_reserve(x->hooks, &x->region_start, &x->start_capacity, (size_t)b->count + 1, err));
    for (int i = 0; i < b->count; i++) {
        x->region_start[i] = x->region_count;
        CN_TRY(place_body(x, i, err));
    }
    x->region_start[b->count] = x->region_count;
    return CN_OK;
}

static cn_status build_tree(looking *x, cn_error *err)
{
    cn_box3 *box = NULL;
    size_t room = 0;
    CN_TRY(cn_reserve(x->hooks, &box, &room, (size_t)x->region_count, err));
    for (int k = 0; k < x->region_count; k++) { // one that is not bounded stands aside, as a point
        const cn_region *r = &x->region[k];
        box[k] = cn_region_is_bounded(r) ? r->box : (cn_box3){r->end[0], r->end[0]};
    }
    cn_status status = cn_deep_tree_build(x->hooks, box, x->region_count, &x->tree, err);
    cn_release(x->hooks, box);
    return status;
}

// ---- overlaps

static cn_overlap_pair finding(const looking *x, const cn_region *r, const cn_region *s,
                               double depth, cn_vec3 at)
{
    const cn_body_id *id = x->in->b->id;
    cn_body_id i = id[r->slot], j = id[s->slot];
    return (cn_overlap_pair){.i = i < j ? i : j,
                             .j = i < j ? j : i,
                             .depth = depth,
                             .rel = depth / fmin(r->size, s->size),
                             .point = {at.x, at.y, at.z}};
}

static void compare_regions(looking *x, const cn_region *r, const cn_region *s)
{
    cn_deep_find find = {.depth = 0.0, .excess = 0.0};
    double slack = LITTLE * fmin(r->size, s->size);
    if (!cn_deep_bound(r, s, slack, &find)) {
        cn_deep_search(r, s, slack, &find);
        cn_deep_search(s, r, slack, &find);
    }
    x->overlap->pair_count++;
    x->overlap->point_count += find.point_count;
    if (find.depth > x->overlap->deepest.depth) {
        x->overlap->deepest = finding(x, r, s, find.depth, find.point);
    }
    double unseen = find.excess - known_depth(x, r, s);
    if (unseen > 0.0) {
        cn_overlap_pair pair = finding(x, r, s, unseen, find.excess_point);
        x->overlap->unseen = pair.rel > x->overlap->unseen.rel ? pair : x->overlap->unseen;
    }
}

static void meet(looking *x, int a, int c)
{
    const cn_region *r = &x->region[a], *s = &x->region[c];
    if (r->slot != s->slot && x->in->may_meet(x->in->context, r->slot, s->slot)) {
        compare_regions(x, r, s);
    }
}

// Pairs of regions whose boxes overlap, each once, in the order of bodies.
static void meet_all(looking *x)
{
    for (int a = 0; a < x->region_count; a++) {
        const cn_region *r = &x->region[a];
        if (!cn_region_is_bounded(r)) {
            for (int c = 0; c < x->region_count; c++) {
                if (cn_region_is_bounded(&x->region[c])) {
                    meet(x, a, c);
                }
            }
            continue;
        }
        cn_deep_walk walk = cn_deep_walk_in(&x->tree, r->box);
        for (int c = cn_deep_walk_next(&walk); c >= 0; c = cn_deep_walk_next(&walk)) {
            const cn_region *s = &x->region[c];
            if (c > a && cn_region_is_bounded(s) && cn_deep_boxes_meet(&r->box, &s->box)) {
                meet(x, a, c);
            }
        }
    }
}

// ---- phantoms

// Where a point of body i at the start of the step is at q_mid.
static cn_vec3 carried(const cn_bodies *b, int i, cn_vec3 p)
{
    cn_body_pose from = b->kind->pose(cn_body_q(b, b->q_before, i));
    cn_body_pose to = b->kind->pose(cn_body_q(b, b->q_mid, i));
    cn_vec3 local = cn_mat3_mul_transposed(&from.R, cn_sub3(p, from.x));
    return cn_add3(to.x, cn_mat3_mul(&to.R, local));
}

// Distance of a point from body i, negative inside, and the region that is nearest.
static double distance_from(const looking *x, int i, cn_vec3 p, const cn_region **nearest)
{
    double least = INFINITY;
    for (int k = x->region_start[i]; k < x->region_start[i + 1]; k++) {
        cn_deep_sag sag;
        double depth = cn_region_depth(&x->region[k], p, -INFINITY, &sag);
        double apart = -depth - sag.height - x->region[k].skin.beside;
        if (apart < least) {
            least = apart;
            *nearest = &x->region[k];
        }
    }
    return least;
}

// Where the bodies of a contact are looked at: a point of each, the same unless they were carried.
typedef struct contact_place {
    int i, j;
    cn_vec3 at_i, at_j;
    const cn_region *r, *s; // nearest ones
} contact_place;

static double apart_at(const looking *x, contact_place *c, cn_vec3 moved)
{
    return distance_from(x, c->i, cn_add3(c->at_i, moved), &c->r) +
           distance_from(x, c->j, cn_add3(c->at_j, moved), &c->s);
}

// Where a place between two bodies is sought: across the normal as far as gaps differ, and along it
// as far as the body is thick, since points of a patch are moved along it (5.5).
typedef struct near_region {
    cn_vec3 n;
    double across, along; // [m]
} near_region;

static cn_vec3 kept_near(const near_region *near, cn_vec3 moved)
{
    double along = cn_dot3(moved, near->n);
    cn_vec3 across = cn_add_mul3(moved, -along, near->n);
    double size = cn_norm3(across);
    across = size > near->across ? cn_mul3(near->across / size, across) : across;
    return cn_add_mul3(across, fmin(fmax(along, -near->along), near->along), near->n);
}

// The step from a point to the nearest one of body i, none from a point inside.
static cn_vec3 step_to(const looking *x, int i, cn_vec3 p, double fine)
{
    static const cn_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const cn_region *nearest;
    double distance = distance_from(x, i, p, &nearest), slope[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < x->in->b->dim && distance > 0.0; k++) {
        slope[k] = distance_from(x, i, cn_add_mul3(p, fine, axis[k]), &nearest) -
                   distance_from(x, i, cn_add_mul3(p, -fine, axis[k]), &nearest);
    }
    cn_vec3 back = cn_v3(-slope[0], -slope[1], -slope[2]);
    double size = cn_norm3(back);
    return size > 0.0 ? cn_mul3(distance / size, back) : cn_v3(0.0, 0.0, 0.0);
}

// Least sum of the distances in the region, by steps to either body in turn: they lead to a point
// of both if there is one.
static double apart_near(const looking *x, contact_place *c, const near_region *near, double fine)
{
    cn_vec3 moved = {0.0, 0.0, 0.0};
    double least = INFINITY;
    for (int k = 0; k < STEPS_MAX && least > 0.0; k++) {
        int i = k % 2 == 0 ? c->i : c->j;
        cn_vec3 at = cn_add3(k % 2 == 0 ? c->at_i : c->at_j, moved);
        moved = kept_near(near, cn_add3(moved, step_to(x, i, at, fine)));
        least = fmin(least, apart_at(x, c, moved));
    }
    return least;
}

// Least gap of all contacts of the bodies of contact a, of either sign. Points of a patch are in
// one plane, that of the points which touch (5.5): they may lie as far off as gaps differ.
static double touching_gap(const cn_deep_input *in, int a)
{
    double least = INFINITY;
    const cn_contact *c = in->contact;
    for (int k = a; k >= 0 && c[k].i == c[a].i && c[k].j == c[a].j; k--) {
        least = fmin(least, fabs(c[k].gap));
    }
    for (int k = a; k < in->contact_count && c[k].i == c[a].i && c[k].j == c[a].j; k++) {
        least = fmin(least, fabs(c[k].gap));
    }
    return least;
}

// How far in from its rim a polyhedron is as thick as a contact at p is deep. Where the rims of
// blades have crossed, their overlap begins so far beside that place.
static double blade_width(const cn_region *r, cn_vec3 p, double deep)
{
    double cosine = 0.0; // of the sharpest angle between planes at p, inside
    const cn_deep_plane *plane = r->hull.plane;
    for (int k = 0; k < r->hull.plane_count; k++) {
        bool is_at_p = fabs(cn_dot3(plane[k].normal, p) - plane[k].offset) <= deep;
        for (int m = 0; m < k && is_at_p; m++) {
            bool is_edge = fabs(cn_dot3(plane[m].normal, p) - plane[m].offset) <= deep;
            double of_edge = -cn_dot3(plane[k].normal, plane[m].normal);
            cosine = is_edge ? fmax(cosine, of_edge) : cosine;
        }
    }
    double sine = sqrt(fmax(1.0 - cosine * cosine, 0.0));
    return cosine * deep < sine * r->size ? deep * cosine / sine : r->size;
}

// How far the point at which a contact acts that was found after a solve is off its body at q_mid:
// half of what a turn moves its arm, of either body (6.3); the sum of the distances from both is
// larger by twice that.
static double turned_arm(const cn_deep_input *in, int i, cn_vec3 p)
{
    const cn_bodies *b = in->b;
    if (b->deformable[i] >= 0) {
        return 0.0;
    }
    const double *v = cn_body_v(b, b->v, i);
    cn_vec3 spin = b->dim == 3 ? cn_v3(v[3], v[4], v[5]) : cn_v3(0.0, 0.0, v[2]);
    cn_body_pose mid = b->kind->pose(cn_body_q(b, b->q_mid, i));
    return in->h * cn_norm3(cn_cross3(spin, cn_sub3(p, mid.x)));
}

// A contact that pushes must lie between bodies that are as near as its gap says (9.14).
static void judge_contact(looking *x, int a)
{
    const cn_contact *c = &x->in->contact[a];
    const cn_bodies *b = x->in->b;
    cn_vec3 p = cn_v3(c->point[0], c->point[1], c->point[2]);
    bool is_carried = x->in->is_at_start[a];
    if (!(c->r[0] > 0.0) ||
        (is_carried && (b->deformable[c->i] >= 0 || b->deformable[c->j] >= 0))) {
        return;
    }
    cn_vec3 on_j = cn_sub3(p, cn_cell_image(b, c->shift, is_carried)); // of its image
    contact_place place = {.i = c->i, .j = c->j, .at_i = p, .at_j = on_j};
    if (is_carried) {
        place.at_i = carried(b, c->i, p);
        place.at_j = carried(b, c->j, on_j);
    }
    double held = x->in->held_apart != NULL ? x->in->held_apart(x->in->context, a) : 0.0;
    bool is_led = a >= x->in->found || is_carried || held > 0.0; // met where the motion leads
    double motion = is_led ? x->in->h * (speed(c->u) + speed(c->u_before)) : 0.0;
    motion += a >= x->in->found ? turned_arm(x->in, c->i, p) + turned_arm(x->in, c->j, p) : 0.0;
    double allowed = fmax(c->gap, 0.0) + held + motion;
    double apart = apart_at(x, &place, cn_v3(0.0, 0.0, 0.0)) - allowed;
    if (!(apart > 0.0) || place.r == NULL || place.s == NULL) {
        return;
    }
    double size = fmin(place.r->size, place.s->size);
    if (apart > DOUBTFUL * size) {
        double blades =
            blade_width(place.r, place.at_i, -c->gap) + blade_width(place.s, place.at_j, -c->gap);
        double off =
            c->gap > 0.0 ? c->gap : fmin(touching_gap(x->in, a) - c->gap + blades, 0.5 * size);
        near_region near = {cn_v3(c->normal[0], c->normal[1], c->normal[2]), off + NEAR * size,
                            size};
        apart = apart_near(x, &place, &near, 0.1 * DOUBTFUL * size) - allowed;
    }
    if (apart > ROUND * fmin(place.r->radius, place.s->radius)) {
        cn_overlap_pair pair = finding(x, place.r, place.s, apart, p);
        x->overlap->phantom = pair.rel > x->overlap->phantom.rel ? pair : x->overlap->phantom;
    }
}

static cn_status look(looking *x, cn_error *err)
{
    CN_TRY(find_known(x, err));
    CN_TRY(place_all(x, err));
    CN_TRY(build_tree(x, err));
    meet_all(x);
    for (int a = 0; a < x->in->contact_count && !x->in->is_end; a++) {
        judge_contact(x, a);
    }
    return CN_OK;
}

cn_status cn_deep_look(const cn_deep_input *in, cn_overlap *overlap, cn_error *err)
{
    looking x = {.in = in, .hooks = in->b->hooks, .overlap = overlap};
    memset(overlap, 0, sizeof *overlap);
    cn_status status = look(&x, err);
    for (int k = 0; k < x.region_count; k++) {
        cn_region_free(x.hooks, &x.region[k]);
    }
    cn_deep_tree_free(x.hooks, &x.tree);
    cn_release(x.hooks, x.region);
    cn_release(x.hooks, x.region_start);
    cn_release(x.hooks, x.known);
    return status;
}
