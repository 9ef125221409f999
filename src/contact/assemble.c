// contact/assemble.c -- from contacts to the problem of the step, theory 4.2 to 4.8.
// Back again: accept_impulses.c.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "body/deformable/deformables.h"
#include "contact/frame.h"
#include "contact/interface.h"
#include "contact/unilateral.h"

enum { SHARED_MIN = 512 }; // contacts or bodies per thread

// Moments of the last step about the new axes.
static void guess_moments(const cn_contacts *c, const cn_law_entry *law, int a, double scale,
                          double *r)
{
    cn_vec3 axis[3];
    int moments = cn_contact_moment_axes(&c->contact[a], c->d, cn_contact_row_count(c, a), axis);
    const double *state = cn_contact_remembered(c, a, law->type.state_count);
    for (int k = 0; k < moments && state != NULL; k++) {
        const double *moment = state + law->law->type.state_count;
        r[c->d + k] = scale * cn_dot3(cn_v3(moment[0], moment[1], moment[2]), axis[k]);
    }
}

// Impulse and moment of the last step turned into the new frame and scaled to the new step.
static inline void first_guess(const cn_contacts *c, const cn_law_entry *law, int dim,
                               bool is_plain, int a, const cn_axes *frame, double *r)
{
    for (int k = 0; k < (is_plain ? dim : cn_contact_row_count(c, a)); k++) {
        r[k] = 0.0;
    }
    if (c->memory_of[a] < 0) {
        return;
    }
    const cn_memory *m = &c->memory[c->memory_of[a]];
    double scale = c->h / c->memory_h;
    for (int k = 0; k < dim; k++) {
        r[k] = scale * cn_dot3(cn_v3(m->r[0], m->r[1], m->r[2]), frame->axis[k]);
        r[k] /= c->has_skew ? cn_dot3(frame->axis[k], frame->axis[k]) : 1.0;
    }
    if (!is_plain) {
        guess_moments(c, law, a, scale, r);
    }
}

static size_t row_count(const cn_contacts *c)
{
    return (size_t)c->d * (size_t)c->count + (size_t)(c->moment_row_count + c->guest_rows);
}

cn_status cn_contact_need_compliance(cn_contacts *c, cn_error *err)
{
    if (!c->has_c) {
        CN_TRY(cn_reserve(c->hooks, &c->c, &c->capacity.c, row_count(c), err));
        memset(c->c, 0, sizeof(double) * row_count(c));
        c->has_c = true;
    }
    return CN_OK;
}

cn_status cn_contact_need_offset(cn_contacts *c, cn_error *err)
{
    if (!c->has_r0) {
        CN_TRY(cn_reserve(c->hooks, &c->r0, &c->capacity.r0, row_count(c), err));
        memset(c->r0, 0, sizeof(double) * row_count(c));
        c->has_r0 = true;
    }
    return CN_OK;
}

static cn_status need_parallel(cn_contacts *c, cn_error *err)
{
    if (!c->has_k) {
        CN_TRY(cn_reserve(c->hooks, &c->k, &c->capacity.k, row_count(c), err));
        memset(c->k, 0, sizeof(double) * row_count(c));
        c->has_k = true;
    }
    return CN_OK;
}

cn_status cn_contact_need_assumed(cn_contacts *c, cn_error *err)
{
    return cn_reserve(c->hooks, &c->assumed, &c->capacity.assumed,
                      CN_LAW_ASSUMED_MAX * (size_t)c->count, err);
}

bool cn_contact_can_refine(const cn_contacts *c, const cn_law_entry *entry, int a)
{
    bool is_spring = c->has_c && c->c[c->row_start[a]] > 0.0; // else it gave way (6.8)
    return c->kind[a] == CN_CORE_CONE && entry->law->refine != NULL &&
           (cn_law_is_rigid(entry) || is_spring);
}

const double *cn_contact_assumed(const cn_contacts *c, const cn_law_entry *entry, int a)
{
    bool is_refined = c->has_assumed && cn_contact_can_refine(c, entry, a);
    return is_refined ? c->assumed + CN_LAW_ASSUMED_MAX * a : NULL;
}

cn_core cn_contact_core(const cn_contacts *c, int a)
{
    cn_core core = {.kind = (cn_core_kind)c->kind[a], .dim = c->d, .mu = c->mu[a]};
    for (int k = 0; k < c->d; k++) {
        int row = c->row_start[a] + k;
        core.b[k] = c->b[row];
        core.c[k] = c->has_c ? c->c[row] : 0.0;
        core.r0[k] = c->has_r0 ? c->r0[row] : 0.0;
        core.k[k] = c->has_k ? c->k[row] : 0.0;
    }
    return core;
}

void cn_contact_set_core(cn_contacts *c, int a, const cn_core *core)
{
    c->kind[a] = (unsigned char)core->kind;
    c->mu[a] = core->mu;
    for (int k = 0; k < c->d; k++) {
        int row = c->row_start[a] + k;
        c->b[row] = core->b[k];
        if (c->has_c) {
            c->c[row] = core->c[k];
        }
        if (c->has_r0) {
            c->r0[row] = core->r0[k];
        }
        if (c->has_k) {
            c->k[row] = core->k[k];
        }
    }
}

// What is learnt on the way: members of cores that take memory only if some law uses them, and the
// largest penetration [m], also over the size of the smaller body.
typedef struct finding {
    bool c, r0, k;
    int held_rigid; // springs that gave way to rigid rows (6.8)
    double depth, depth_rel;
    int deepest;        // contact with that depth_rel, -1: none
    double first_touch; // (6.9)
} finding;

#define NOTHING_FOUND ((finding){.deepest = -1, .first_touch = INFINITY})

// Stores a core by member, as far as there is memory for it.
static void store_core(cn_contacts *c, int a, const cn_core *core, finding *some)
{
    c->kind[a] = (unsigned char)core->kind;
    c->mu[a] = core->mu;
    if (c->moment_row_count > 0) {
        c->mu_roll[a] = core->mu_roll;
        c->mu_spin[a] = core->mu_spin;
    }
    for (int k = 0; k < cn_contact_row_count(c, a); k++) {
        int row = c->row_start[a] + k;
        some->c = some->c || core->c[k] != 0.0;
        some->r0 = some->r0 || core->r0[k] != 0.0;
        some->k = some->k || core->k[k] != 0.0;
        c->b[row] = core->b[k];
        if (c->has_c) {
            c->c[row] = core->c[k];
        }
        if (c->has_r0) {
            c->r0[row] = core->r0[k];
        }
        if (c->has_k) {
            c->k[row] = core->k[k];
        }
    }
}

// Moments of a cone, from the coefficients of its law and the surfaces (4.4).
static void add_resistance(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int a,
                           cn_core *core)
{
    if (core->kind == CN_CORE_CONE && cn_contact_row_count(c, a) > c->d) {
        double radius = cn_contact_radius(b, &c->contact[a]);
        core->mu_roll = law->rolling * radius;
        core->mu_spin = c->d == 3 ? law->spinning * radius : 0.0;
    }
}

// Whether contacts a - 1 and a belong to one patch: one pair of shapes, one normal.
static bool is_same_patch(const cn_contacts *c, int a)
{
    const cn_contact *x = &c->contact[a - 1], *y = &c->contact[a];
    if (cn_contact_anchor(c, a, 0) != NULL || cn_contact_anchor(c, a, 1) != NULL) {
        return false; // nodes move apart from each other
    }
    return y->pair == x->pair && y->feature >> 32 == x->feature >> 32 &&
           memcmp(y->shift, x->shift, sizeof x->shift) == 0 &&
           memcmp(y->normal, x->normal, sizeof x->normal) == 0;
}

// The first contact from a on that begins a patch, or the end.
static int patch_from(const cn_contacts *c, int a)
{
    while (a > 0 && a < c->count && is_same_patch(c, a)) {
        a++;
    }
    return a;
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

// A free core of some rows, all zero. By member: cores are large for what laws write.
static inline void clear(cn_core *core, int rows)
{
    core->kind = CN_CORE_FREE;
    core->dim = 0;
    core->mu = core->mu_roll = core->mu_spin = 0.0;
    for (int k = 0; k < rows; k++) {
        core->b[k] = core->c[k] = core->r0[k] = core->k[k] = 0.0;
    }
}

// Whether nothing can move along the normal of a contact of a body with itself.
static bool is_stiff_with_itself(const cn_contacts *c, const cn_bodies *b, int a)
{
    cn_axes frame = cn_contact_axes(&c->contact[a], c->d);
    return cn_cell_is_stiff_along(c, b, a, &frame);
}

// Cores of the contacts of a patch, whose gaps and velocities are known.
static void prepare_patch(cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int first,
                          int end, finding *some)
{
    cn_core core;
    cn_contact_patch patch = cn_contact_patch_make(c, b, first, end);
    for (int a = first; a < end; a++) {
        cn_law_input in = cn_unilateral_input(c, b, entry, &patch, a);
        cn_interface_input(c, b, entry, a, &in);
        if (a < c->found && (in.is_met || !c->is_bond[a])) { // the others lie ahead (6.2)
            double depth = cn_contact_depth(c, a);
            some->depth = larger(depth, some->depth);
            some->deepest = depth / in.size > some->depth_rel ? a : some->deepest;
            some->depth_rel = larger(depth / in.size, some->depth_rel);
        }
        if (a < c->found && !c->is_bond[a]) {
            some->first_touch =
                fmin(cn_unilateral_first_touch(c, b, &entry->normal, a), some->first_touch);
        }
        clear(&core, cn_contact_row_count(c, a));
        if (!cn_interface_is_stuck(c, b, a)) {
            entry->law->prepare(entry->param, cn_contact_old_state(c, entry, a), &in, &core);
        }
        if (c->has_self && c->contact[a].i == c->contact[a].j && is_stiff_with_itself(c, b, a)) {
            clear(&core, cn_contact_row_count(c, a));
        }
        some->held_rigid += cn_unilateral_hold(c, b, entry, a, &in, &core);
        add_resistance(c, b, entry, a, &core);
        store_core(c, a, &core, some);
    }
}

// From lengths, each at the place after its own, to places.
static void add_up(int *start, int count)
{
    start[0] = 0;
    for (int a = 0; a < count; a++) {
        start[a + 1] += start[a];
    }
}

// Places of the rows, forces, then moments of laws that have them, and of the states of laws.
static void lay_out_rows(cn_contacts *c, const cn_law_entry *law)
{
    int threads = cn_share(c->thread_count, c->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), a, c->count, {
        const cn_law_entry *entry = &law[c->contact[a].law];
        bool is_rigid = cn_contact_anchor(c, a, 0) == NULL && cn_contact_anchor(c, a, 1) == NULL;
        c->row_start[a + 1] =
            c->d + (is_rigid ? cn_law_moment_rows(entry, c->d, c->is_beam[a]) : 0);
        c->state_start[a + 1] = entry->type.state_count;
    });
    add_up(c->row_start, c->count);
    add_up(c->state_start, c->count);
}

static cn_status reserve_moments(cn_contacts *c, cn_error *err)
{
    if (c->moment_row_count == 0) {
        return CN_OK;
    }
    size_t count = (size_t)(c->count + c->guest_count);
    CN_TRY(cn_reserve(c->hooks, &c->mu_roll, &c->capacity.mu_roll, count, err));
    CN_TRY(cn_reserve(c->hooks, &c->mu_spin, &c->capacity.mu_spin, count, err));
    memset(c->mu_roll, 0, sizeof(double) * count); // joints have none
    memset(c->mu_spin, 0, sizeof(double) * count);
    return CN_OK;
}

// Whether a side has no part in G: its body is in the stored rows, or a body touches itself and the
// first side has it all.
static bool is_elsewhere(const cn_contacts *c, const cn_bodies *b, int a, int side)
{
    const cn_anchor *anchor = cn_contact_anchor(c, a, side);
    const cn_anchor *other = cn_contact_anchor(c, a, 1 - side);
    bool is_self = other != NULL && anchor != NULL && other->mesh == anchor->mesh;
    return anchor != NULL &&
           (!cn_deformable_is_small(b->deformables, anchor->mesh) || (is_self && side == 1));
}

// Where the blocks of G begin.
static void lay_out_blocks(cn_contacts *c, const cn_bodies *b)
{
    int dof = b->kind->dof;
    c->G_count = c->is_geometry ? CN_GEOMETRY_SIZE * c->count : 2 * dof * c->row_start[c->count];
    if (c->anchors == NULL) {
        return;
    }
    c->G_count = 0;
    for (int s = 0; s < 2 * c->count; s++) {
        const cn_anchor *anchor = cn_contact_anchor(c, s / 2, s % 2);
        int size = anchor == NULL ? dof : cn_deformable_dof(b->deformables, anchor->mesh);
        c->block_start[s] = c->G_count;
        c->G_count += is_elsewhere(c, b, s / 2, s % 2) ? 0 : size * cn_contact_row_count(c, s / 2);
    }
}

// G of one side of contact a on a deformable body, and that in the problem (11.20).
static void factor_mesh(cn_contacts *c, const cn_bodies *b, int a, int side, const cn_axes *frame)
{
    const cn_anchor *anchor = cn_contact_anchor(c, a, side);
    const cn_anchor *other = cn_contact_anchor(c, a, 1 - side);
    if (is_elsewhere(c, b, a, side)) {
        c->body[2 * a + side] = -1;
        return;
    }
    int block = c->block_start[2 * a + side], rows = cn_contact_row_count(c, a);
    int size = cn_deformable_dof(b->deformables, anchor->mesh);
    double sign = side == 0 ? 1.0 : -1.0;
    c->body[2 * a + side] = b->count + anchor->mesh;
    memset(c->G + block, 0, sizeof(double) * (size_t)(size * rows));
    cn_anchor_rows(b->deformables, anchor, rows, frame->axis, sign, c->G + block);
    if (other != NULL && other->mesh == anchor->mesh) {
        cn_anchor_rows(b->deformables, other, rows, frame->axis, -sign, c->G + block);
    }
    cn_iteration_matrix_root(cn_deformable_matrix_of(b->deformables, anchor->mesh), rows,
                             c->G + block);
}

// G of a contact of a body with its own image: the first side has both, the second one nothing.
static void factor_self(cn_contacts *c, const cn_bodies *b, int a, int side,
                        const cn_contact_rows *rows)
{
    int dim = rows->dim, i = c->contact[a].i, count = cn_contact_row_count(c, a);
    double H[CN_ROWS_MAX];
    c->body[2 * a + side] = -1;
    if (side == 0) {
        for (int k = 0; k < cn_rigid_dof(dim) * count; k++) {
            H[k] = rows->H[0][k] - rows->H[1][k];
        }
        c->body[2 * a] = i;
        cn_rigid_scale(dim, b->root + cn_rigid_root_size(dim) * i, count, H, 1.0,
                       c->G + c->block_start[2 * a]);
    }
}

// G of one side of contact a (4.8), and its body in the problem.
static inline void factor_side(cn_contacts *c, const cn_bodies *b, int a, int side,
                               const cn_contact_rows *rows)
{
    if (!rows->is_plain && cn_contact_anchor(c, a, side) != NULL) {
        factor_mesh(c, b, a, side, &rows->frame);
        return;
    }
    const cn_contact *x = &c->contact[a];
    int dim = rows->dim, i = side == 0 ? x->i : x->j;
    int count = rows->is_plain ? dim : cn_contact_row_count(c, a);
    if (c->has_self && x->i == x->j) {
        factor_self(c, b, a, side, rows);
        return;
    }
    c->body[2 * a + side] = cn_body_is_held(b, i) ? -1 : i;
    cn_rigid_scale(dim, b->root + cn_rigid_root_size(dim) * i, count, rows->H[side],
                   side == 0 ? 1.0 : -1.0, c->G + c->block_start[2 * a + side]);
}

// From the centre to the contact. Places are known to their rounding, which far from the origin is
// more than that of an arm: what it makes of one that goes along the normal, as those of balls do,
// is nothing.
static inline cn_vec3 arm_of(const cn_axes *frame, const double *q)
{
    const double roundings = 4.0 * DBL_EPSILON;
    cn_vec3 n = frame->axis[0], arm = cn_sub3(frame->point, cn_v3(q[0], q[1], q[2]));
    cn_vec3 along = cn_mul3(cn_dot3(n, arm), n), across = cn_sub3(arm, along);
    double rounding = roundings * (fabs(q[0]) + fabs(q[1]) + fabs(q[2]));
    return cn_dot3(across, across) <= rounding * rounding ? along : arm;
}

// Axes and arms of contact a, and its bodies in the problem.
static inline void write_geometry(cn_contacts *c, const cn_bodies *b, int a, const cn_axes *frame)
{
    const cn_contact *x = &c->contact[a];
    const double *place = cn_contact_place(c, b, a);
    int at = CN_GEOMETRY_SIZE * a;
    cn_vec3 *to = (cn_vec3 *)(void *)(c->G + at);
    to[0] = frame->axis[0];
    to[1] = frame->axis[1];
    for (int side = 0; side < 2; side++) {
        int i = side == 0 ? x->i : x->j;
        double image[CN_Q_MAX];
        const double *q = place + cn_rigid_q_size(3) * i;
        q = side == 1 ? cn_contact_image_place(c, b, a, q, image) : q;
        to[2 + side] = arm_of(frame, q);
        c->body[2 * a + side] = cn_body_is_held(b, i) ? -1 : i;
        c->block_start[2 * a + side] = ~at;
    }
}

// Rows, velocities and first guess of contact a.
static inline void measure_as(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int dim,
                              bool is_plain, int a)
{
    cn_contact *x = &c->contact[a];
    int row = c->row_start[a], count = is_plain ? dim : cn_contact_row_count(c, a);
    cn_contact_rows rows;
    bool has_cell = cn_cell_is_there(b);
    cn_velocities before = {b->v, b->deformables->v, has_cell ? b->cell->L : NULL};
    cn_velocities free = {b->v_free, b->deformables->v_free, has_cell ? b->cell->L_free : NULL};
    if (!is_plain && c->has_skew) {
        cn_contact_choose_rows(c, b, law, a);
    }
    cn_contact_rows_make(c, b, dim, is_plain, a, &rows);
    if (c->cell_dof > 0) {
        cn_cell_rows_write(c, b, a, &rows.frame); // (15.3)
    }
    cn_contact_velocity(c, b, a, &rows, dim, before, x->u_before);
    cn_contact_velocity_from_rows(c, a, x->u_before);
    cn_contact_velocity(c, b, a, &rows, count, free, c->u_free + row); // (4.6)
    if (c->is_fast[a]) { // set up at q: the gap at q_mid follows from the velocity (6.1)
        x->gap += c->gamma * c->h * x->u_before[0];
        c->is_fast[a] = c->h * fabs(x->u_before[0]) > 0.5 * cn_contact_size(b, x);
    }
    first_guess(c, law, dim, is_plain, a, &rows.frame, c->r + row);
    if (dim == 3 && c->is_geometry) {
        write_geometry(c, b, a, &rows.frame);
        return;
    }
    if (c->anchors == NULL) {
        c->block_start[2 * a] = 2 * cn_rigid_dof(dim) * row;
        c->block_start[2 * a + 1] = c->block_start[2 * a] + cn_rigid_dof(dim) * count;
    }
    factor_side(c, b, a, 0, &rows); // (4.8)
    factor_side(c, b, a, 1, &rows);
}

static void measure(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int a)
{
    if (!cn_contacts_are_plain(c)) {
        measure_as(c, b, law, c->d, false, a);
    } else if (c->d == 2) {
        measure_as(c, b, law, 2, true, a);
    } else {
        measure_as(c, b, law, 3, true, a);
    }
}

void cn_contact_relinearize(cn_contacts *c, const cn_bodies *b)
{
    cn_velocities free = {b->v_free, b->deformables->v_free, NULL}; // a cell takes none of them
    for (int a = 0; a < c->count; a++) {
        if (!cn_contact_is_deformable(b, &c->contact[a])) {
            continue;
        }
        cn_contact_rows rows;
        cn_contact_rows_make(c, b, c->d, false, a, &rows);
        cn_contact_velocity(c, b, a, &rows, c->d, free, c->u_free + c->row_start[a]);
        factor_side(c, b, a, 0, &rows);
        factor_side(c, b, a, 1, &rows);
    }
}

// Degrees of freedom of the problem: those of all slots, then of all meshes.
static cn_status number_dofs(cn_contacts *c, const cn_bodies *b, cn_factors *f, cn_error *err)
{
    const cn_deformables *m = b->deformables;
    const double *root = c->is_geometry ? b->root : NULL;
    if (c->cell_dof > 0) {
        size_t count = (size_t)b->count + 2;
        CN_TRY(cn_reserve(c->hooks, &c->dof_start, &c->capacity.dof_start, count, err));
        memcpy(c->dof_start, b->dof_start, sizeof(int) * (size_t)(b->count + 1));
        c->dof_start[b->count + 1] = c->dof_start[b->count] + c->cell_dof;
        *f = (cn_factors){b->count + 1, c->dof_start, c->body,  c->block_start,
                          c->G,         root,         c->cell_G};
        return CN_OK;
    }
    if (m->count == 0) {
        *f = (cn_factors){b->count, b->dof_start, c->body, c->block_start, c->G, root, NULL};
        return CN_OK;
    }
    int count = b->count + m->count;
    CN_TRY(cn_reserve(c->hooks, &c->dof_start, &c->capacity.dof_start, (size_t)count + 1, err));
    memcpy(c->dof_start, b->dof_start, sizeof(int) * (size_t)(b->count + 1));
    for (int k = 0; k < m->count; k++) {
        int size = cn_deformable_is_small(m, k) ? cn_deformable_dof(m, k) : 0;
        c->dof_start[b->count + k + 1] = c->dof_start[b->count + k] + size;
    }
    *f = (cn_factors){count, c->dof_start, c->body, c->block_start, c->G, root, NULL};
    return CN_OK;
}

// Rows and cores of the patches that begin in segment k; rows are formed once, cores perhaps again.
static finding assemble_segment(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int k,
                                int known)
{
    finding some = NOTHING_FOUND;
    int end = patch_from(c, cn_segment_start(c->count, k + 1));
    for (int first = patch_from(c, cn_segment_start(c->count, k)), next; first < end;
         first = next) {
        const cn_law_entry *entry = &law[c->contact[first].law];
        next = patch_from(c, first + 1);
        for (int a = first > known ? first : known; a < next; a++) {
            measure(c, b, entry, a);
        }
        prepare_patch(c, b, entry, first, next, &some);
    }
    return some;
}

// Adds what another segment found.
static void add_finding(finding *all, const finding *some)
{
    all->c = all->c || some->c;
    all->r0 = all->r0 || some->r0;
    all->k = all->k || some->k;
    all->held_rigid += some->held_rigid;
    all->depth = larger(some->depth, all->depth);
    all->deepest = some->depth_rel > all->depth_rel ? some->deepest : all->deepest;
    all->depth_rel = larger(some->depth_rel, all->depth_rel);
    all->first_touch = -larger(-some->first_touch, -all->first_touch);
}

static void keep_finding(cn_contacts *c, const finding *all)
{
    c->has_c = c->wanted_c = all->c;
    c->has_r0 = c->wanted_r0 = all->r0;
    c->has_k = c->wanted_k = all->k;
    c->depth = all->depth;
    c->depth_rel = all->depth_rel;
    c->deepest = all->deepest;
    c->held_rigid = all->held_rigid;
    c->first_touch = all->first_touch;
}

// All contacts. Memory for compliances, offsets and parallel terms is there if the last step used
// it; if this one is the first, cores are made again.
static cn_status assemble_all(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law,
                              int known, cn_error *err)
{
    int threads = cn_share(c->thread_count, c->count, SHARED_MIN);
    bool needs_c = c->wanted_c, needs_r0 = c->wanted_r0, needs_k = c->wanted_k;
    c->has_c = c->has_r0 = c->has_k = false;
    for (;; known = c->count) {
        finding part[CN_SEGMENTS], all = NOTHING_FOUND;
        if (needs_c) {
            CN_TRY(cn_contact_need_compliance(c, err));
        }
        if (needs_r0) {
            CN_TRY(cn_contact_need_offset(c, err));
        }
        if (needs_k) {
            CN_TRY(need_parallel(c, err));
        }
        CN_SHARED_FOR(threads, (schedule(dynamic, 1)), k, CN_SEGMENTS,
                      { part[k] = assemble_segment(c, b, law, k, known); });
        for (int k = 0; k < CN_SEGMENTS; k++) {
            add_finding(&all, &part[k]);
        }
        if ((c->has_c || !all.c) && (c->has_r0 || !all.r0) && (c->has_k || !all.k)) {
            keep_finding(c, &all);
            return CN_OK;
        }
        needs_c = all.c;
        needs_r0 = all.r0;
        needs_k = all.k;
    }
}

cn_status cn_contact_assemble(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law,
                              const cn_scheme *scheme, int known, cn_problem *p, cn_error *err)
{
    lay_out_rows(c, law);
    size_t states = (size_t)c->state_start[c->count];
    CN_TRY(cn_contact_reserve_memory(c, (size_t)c->count, states, err));
    CN_TRY(reserve_moments(c, err));
    CN_TRY(cn_reserve(c->hooks, &c->skew, &c->capacity.skew, c->has_skew ? 2 * (size_t)c->count : 0,
                      err));
    c->h = scheme->h;
    c->theta = scheme->theta;
    c->gamma = scheme->gamma;
    c->h_whole = scheme->h_whole;
    lay_out_blocks(c, b);
    c->has_assumed = false;
    CN_TRY(cn_cell_rows_room(c, b, err));
    CN_TRY(cn_cell_check_self(c, b, err));
    CN_TRY(assemble_all(c, b, law, known, err));
    if (c->has_k && c->cell_dof > 0) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "a law with a term beside its contact (a bond, or a spring that pulls) acts in a "
            "periodic cell under stress: it is known in cells whose rates are given only");
    }
    cn_factors factors;
    CN_TRY(number_dofs(c, b, &factors, err));
    *p = (cn_problem){
        .dim = b->dim,
        .contact_count = c->count,
        .row_start = c->row_start,
        .W.factors = factors,
        .u_free = c->u_free,
        .kind = c->kind,
        .mu = c->mu,
        .mu_roll = c->moment_row_count > 0 ? c->mu_roll : NULL,
        .mu_spin = c->moment_row_count > 0 ? c->mu_spin : NULL,
        .b = c->b,
        .c = c->has_c ? c->c : NULL,
        .r0 = c->has_r0 ? c->r0 : NULL,
        .k = c->has_k ? c->k : NULL,
        .r = c->r,
    };
    return CN_OK;
}
