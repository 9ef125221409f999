// contact/assemble.c -- from contacts to the problem of the step and back, theory 4.2 to 4.6.
#include <math.h>
#include <string.h>

#include "base/share.h"
#include "contact/contacts.h"

enum { SHARED_MIN = 256 }; // contacts or bodies per thread

cn_axes cn_contact_axes(const cn_contact *x, int dim)
{
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_axes frame = {.point = {x->point[0], x->point[1], x->point[2]}, .axis = {n}};
    if (dim == 2) {
        frame.axis[1] = cn_v3(-n.y, n.x, 0.0);
        return frame;
    }
    cn_tangents3(n, &frame.axis[1], &frame.axis[2]);
    return frame;
}

void cn_contact_tangents(const cn_contact *x, int dim, double t1[3], double t2[3])
{
    cn_axes frame = cn_contact_axes(x, dim);
    memcpy(t1, &frame.axis[1], 3 * sizeof *t1);
    memcpy(t2, &frame.axis[2], 3 * sizeof *t2);
}

enum { ROWS_MAX = CN_ROW_MAX * 6 }; // entries of H of one body

// Axes of the rows of moments (4.19): tangents for rolling, normal for spinning; in the plane z.
static int moment_axes(const cn_contact *x, int dim, int rows, cn_vec3 axis[3])
{
    int count = rows - dim;
    if (count == 0) {
        return 0;
    }
    cn_axes frame = cn_contact_axes(x, dim);
    axis[0] = dim == 2 ? cn_v3(0.0, 0.0, 1.0) : frame.axis[1];
    axis[1] = frame.axis[2];
    if (dim == 3 && count != 2) {
        axis[count - 1] = frame.axis[0];
    }
    return count;
}

// H of both bodies of contact a.
static void rows_of(const cn_contacts *c, const cn_bodies *b, int a, double H_i[ROWS_MAX],
                    double H_j[ROWS_MAX])
{
    const cn_contact *x = &c->contact[a];
    const double *q = cn_contact_place(c, b, a);
    cn_axes frame = cn_contact_axes(x, b->dim);
    b->kind->rows(cn_body_q(b, q, x->i), &frame, H_i);
    b->kind->rows(cn_body_q(b, q, x->j), &frame, H_j);
    cn_vec3 axis[3];
    int moments = moment_axes(x, b->dim, cn_contact_row_count(c, a), axis);
    if (moments > 0) {
        int first = b->dim * b->kind->dof;
        b->kind->spin_rows(moments, axis, H_i + first);
        b->kind->spin_rows(moments, axis, H_j + first);
    }
}

// u = H^T v of a contact (2.4).
static void relative_velocity(const cn_bodies *b, const cn_contact *x, int rows, const double *H_i,
                              const double *H_j, const double *velocity, double *u)
{
    const double *v_i = cn_body_v(b, velocity, x->i), *v_j = cn_body_v(b, velocity, x->j);
    int dof = b->kind->dof;
    for (int k = 0; k < rows; k++) {
        double along_i = 0.0, along_j = 0.0;
        for (int d = 0; d < dof; d++) {
            along_i += H_i[dof * k + d] * v_i[d];
            along_j += H_j[dof * k + d] * v_j[d];
        }
        u[k] = along_i - along_j;
    }
}

cn_vec3 cn_contact_moment(const cn_contacts *c, int a)
{
    cn_vec3 axis[3], moment = {0.0, 0.0, 0.0};
    int count = moment_axes(&c->contact[a], c->d, cn_contact_row_count(c, a), axis);
    for (int k = 0; k < count && c->kind[a] != CN_CORE_FREE; k++) {
        moment = cn_add_mul3(moment, c->r[c->row_start[a] + c->d + k], axis[k]);
    }
    return moment;
}

// States that the law of contact a keeps, moments apart.
static int law_state_count(const cn_law_entry *law)
{
    return law->law->type.state_count;
}

// State that the last step left for a law that keeps `count` numbers, NULL for a new contact. Where
// rules have changed there may be fewer: then it is as good as new.
static const double *remembered_state(const cn_contacts *c, int a, int count)
{
    int memory = c->memory_of[a];
    if (memory < 0) {
        return NULL;
    }
    int start = c->memory[memory].state;
    int end = memory + 1 < c->memory_count ? c->memory[memory + 1].state : c->memory_state_count;
    return end - start >= count ? c->memory_state + start : NULL;
}

// Impulse and moment of the last step turned into the new frame and scaled to the new step.
static void first_guess(const cn_contacts *c, const cn_law_entry *law, int a, double h, double *r)
{
    int rows = cn_contact_row_count(c, a);
    for (int k = 0; k < rows; k++) {
        r[k] = 0.0;
    }
    if (c->memory_of[a] < 0) {
        return;
    }
    const cn_memory *m = &c->memory[c->memory_of[a]];
    cn_axes frame = cn_contact_axes(&c->contact[a], c->d);
    double scale = h / c->memory_h;
    for (int k = 0; k < c->d; k++) {
        r[k] = scale * cn_dot3(cn_v3(m->r[0], m->r[1], m->r[2]), frame.axis[k]);
    }
    cn_vec3 axis[3];
    int moments = moment_axes(&c->contact[a], c->d, rows, axis);
    const double *state = remembered_state(c, a, law->type.state_count);
    for (int k = 0; k < moments && state != NULL; k++) {
        const double *moment = state + law_state_count(law);
        r[c->d + k] = scale * cn_dot3(cn_v3(moment[0], moment[1], moment[2]), axis[k]);
    }
}

double cn_contact_size(const cn_bodies *b, const cn_contact *x)
{
    return fmin(cn_shape_size(b, cn_feature_shape_i(b, x->i, x->feature)),
                cn_shape_size(b, cn_feature_shape_j(b, x->j, x->feature)));
}

// Whether shape s, on the side of the contact that the normal leaves, surrounds the point: the
// inside of a hollow disk, sphere or cylinder.
static bool surrounds(const cn_bodies *b, int s, cn_vec3 point, cn_vec3 outward)
{
    bool is_hollow =
        b->dim == 3 ? cn_solid_is_hollow(&b->solid[s]) : b->shape[s].kind == CN_SHAPE_HOLLOW_DISK;
    if (!is_hollow) {
        return false;
    }
    if (b->dim == 3) {
        cn_posed3 posed = cn_body_posed3_mid(b, s);
        return cn_posed3_surrounds(&posed, point, outward);
    }
    cn_posed posed = cn_body_posed_mid(b, s);
    cn_vec2 inward = cn_sub2(cn_posed_vertex(&posed, 0), cn_v2(point.x, point.y));
    return cn_dot2(cn_v2(outward.x, outward.y), inward) > 0.0;
}

static bool is_concave(const cn_bodies *b, const cn_contact *x)
{
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_vec3 point = cn_v3(x->point[0], x->point[1], x->point[2]);
    return surrounds(b, cn_feature_shape_j(b, x->j, x->feature), point, n) ||
           surrounds(b, cn_feature_shape_i(b, x->i, x->feature), point, cn_neg3(n));
}

// Whether the normal leaves a cylinder through one of its flat ends.
static bool is_end(const cn_bodies *b, int s, cn_vec3 outward)
{
    if (b->dim == 2 ||
        (b->solid[s].kind != CN_SOLID_CYLINDER && b->solid[s].kind != CN_SOLID_HOLLOW_CYLINDER)) {
        return false;
    }
    cn_posed3 posed = cn_body_posed3_mid(b, s);
    return fabs(cn_dot3(outward, cn_mat3_mul(&posed.R, b->solid[s].axis))) > 0.9;
}

// Curvature of shape s where the other one touches it: 0 for what is flat, negative inside a
// container [1/m].
static double curvature(const cn_bodies *b, int s, cn_vec3 point, cn_vec3 outward)
{
    double radius = b->dim == 2 ? b->shape[s].radius : b->solid[s].radius;
    double wall = b->dim == 2 ? b->shape[s].thickness : b->solid[s].thickness;
    if (!(radius > 0.0) || is_end(b, s, outward)) {
        return 0.0;
    }
    return surrounds(b, s, point, outward) ? -1.0 / radius : 1.0 / (radius + wall);
}

double cn_contact_radius(const cn_bodies *b, const cn_contact *x)
{
    cn_vec3 n = cn_v3(x->normal[0], x->normal[1], x->normal[2]);
    cn_vec3 point = cn_v3(x->point[0], x->point[1], x->point[2]);
    double sum = curvature(b, cn_feature_shape_i(b, x->i, x->feature), point, cn_neg3(n)) +
                 curvature(b, cn_feature_shape_j(b, x->j, x->feature), point, n);
    return sum > 0.0 ? 1.0 / sum : 0.5 * cn_contact_size(b, x);
}

cn_law_input cn_contact_law_input(const cn_contacts *c, const cn_bodies *b, int a)
{
    const cn_contact *x = &c->contact[a];
    return (cn_law_input){.h = c->h,
                          .theta = c->theta,
                          .gamma = c->gamma,
                          .rows = c->d,
                          .gap = x->gap,
                          .u_before = {x->u_before[0], x->u_before[1], x->u_before[2]},
                          .size = cn_contact_size(b, x),
                          .is_fast = c->is_fast[a],
                          .is_concave = is_concave(b, x)};
}

// Law state that the last step left, zeros for a new contact.
static const double *old_state(const cn_contacts *c, const cn_law_entry *law, int a)
{
    static const double none[CN_LAW_STATE_MAX] = {0};
    const double *state = remembered_state(c, a, law_state_count(law));
    return state != NULL ? state : none;
}

static size_t row_count(const cn_contacts *c)
{
    return (size_t)c->d * (size_t)c->count + (size_t)(c->moment_row_count + c->guest_rows);
}

cn_status cn_contact_need_compliance(cn_contacts *c, cn_error *err)
{
    if (!c->has_c) {
        CN_TRY(cn_reserve(c->hooks, &c->c, &c->c_capacity, row_count(c), err));
        memset(c->c, 0, sizeof(double) * row_count(c));
        c->has_c = true;
    }
    return CN_OK;
}

static cn_status need_offset(cn_contacts *c, cn_error *err)
{
    if (!c->has_r0) {
        CN_TRY(cn_reserve(c->hooks, &c->r0, &c->r0_capacity, row_count(c), err));
        memset(c->r0, 0, sizeof(double) * row_count(c));
        c->has_r0 = true;
    }
    return CN_OK;
}

// Members of cores that take memory only if some law uses them.
typedef struct wants {
    bool c, r0;
} wants;

// Stores a core by member, as far as there is memory for it.
static void store_core(cn_contacts *c, int a, const cn_core *core, wants *some)
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
        c->b[row] = core->b[k];
        if (c->has_c) {
            c->c[row] = core->c[k];
        }
        if (c->has_r0) {
            c->r0[row] = core->r0[k];
        }
    }
}

// Moments of a cone, from the coefficients of its law and the surfaces (4.19).
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
    return y->pair == x->pair && y->feature >> 32 == x->feature >> 32 &&
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

// Cores of the contacts of a patch, whose gaps and velocities are known. The targets of up to three
// points never contradict each other: each is a patch of its own.
static void prepare_patch(cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int first,
                          int end, wants *some)
{
    bool is_shared = end - first > 3;
    double floor = 0.0, top = -INFINITY;
    for (int a = first; a < end; a++) {
        floor = fmin(floor, c->contact[a].gap);
        top = fmax(top, c->contact[a].gap);
    }
    for (int a = first; a < end; a++) {
        cn_law_input in = cn_contact_law_input(c, b, a);
        in.floor = is_shared ? floor : fmin(in.gap, 0.0);
        in.top = is_shared ? top : in.gap;
        cn_core core = {.kind = CN_CORE_FREE};
        entry->law->prepare(entry->param, old_state(c, entry, a), &in, &core);
        add_resistance(c, b, entry, a, &core);
        store_core(c, a, &core, some);
    }
}

// Places of the rows: forces, then moments of laws that have them.
static cn_status lay_out_rows(cn_contacts *c, const cn_law_entry *law, cn_error *err)
{
    c->row_start[0] = 0;
    for (int a = 0; a < c->count; a++) {
        int moments = cn_law_moment_rows(&law[c->contact[a].law], c->d);
        c->row_start[a + 1] = c->row_start[a] + c->d + moments;
    }
    if (c->moment_row_count == 0) {
        return CN_OK;
    }
    size_t count = (size_t)(c->count + c->guest_count);
    CN_TRY(cn_reserve(c->hooks, &c->mu_roll, &c->mu_roll_capacity, count, err));
    CN_TRY(cn_reserve(c->hooks, &c->mu_spin, &c->mu_spin_capacity, count, err));
    memset(c->mu_roll, 0, sizeof(double) * count); // joints have none
    memset(c->mu_spin, 0, sizeof(double) * count);
    return CN_OK;
}

static cn_status reserve_state(cn_contacts *c, const cn_law_entry *law, cn_error *err)
{
    int count = 0;
    for (int a = 0; a < c->count; a++) {
        c->state_start[a] = count;
        count += law[c->contact[a].law].type.state_count;
    }
    c->state_start[c->count] = count;
    CN_TRY(cn_reserve(c->hooks, &c->state, &c->state_capacity, (size_t)count, err));
    return cn_contact_reserve_memory(c, (size_t)c->count, (size_t)count, err);
}

// Rows, velocities and first guess of contact a.
static void measure(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int a)
{
    cn_contact *x = &c->contact[a];
    int row = c->row_start[a], rows = cn_contact_row_count(c, a), dof = b->kind->dof;
    int root_size = b->kind->root_size;
    double H_i[ROWS_MAX], H_j[ROWS_MAX];
    rows_of(c, b, a, H_i, H_j);
    relative_velocity(b, x, c->d, H_i, H_j, b->v, x->u_before);
    relative_velocity(b, x, rows, H_i, H_j, b->v_free, c->u_free + row); // (4.4)
    if (c->is_fast[a]) { // set up at q: the gap at q_mid follows from the velocity (4.15)
        x->gap += c->gamma * c->h * x->u_before[0];
        c->is_fast[a] = c->h * fabs(x->u_before[0]) > 0.5 * cn_contact_size(b, x);
    }
    first_guess(c, law, a, c->h, c->r + row);
    c->body[2 * a] = cn_body_is_held(b, x->i) ? -1 : x->i;
    c->body[2 * a + 1] = cn_body_is_held(b, x->j) ? -1 : x->j;
    int block = c->block_start[2 * a] = 2 * dof * row;
    c->block_start[2 * a + 1] = block + dof * rows;
    b->kind->scale(b->root + root_size * x->i, rows, H_i, 1.0, c->G + block); // (4.6)
    b->kind->scale(b->root + root_size * x->j, rows, H_j, -1.0, c->G + block + dof * rows);
}

// Rows and cores of the patches that begin in segment k; rows are formed once, cores perhaps again.
static wants assemble_segment(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, int k,
                              bool is_again)
{
    wants some = {false, false};
    int end = patch_from(c, cn_segment_start(c->count, k + 1));
    for (int first = patch_from(c, cn_segment_start(c->count, k)), next; first < end;
         first = next) {
        const cn_law_entry *entry = &law[c->contact[first].law];
        next = patch_from(c, first + 1);
        for (int a = first; a < next && !is_again; a++) {
            measure(c, b, entry, a);
        }
        prepare_patch(c, b, entry, first, next, &some);
    }
    return some;
}

// All contacts. Memory for compliances and offsets is there if the last step used it; if this one
// is the first, cores are made again.
static cn_status assemble_all(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law,
                              cn_error *err)
{
    int threads = cn_share(c->thread_count, c->count, SHARED_MIN);
    wants last = {c->wanted_c, c->wanted_r0};
    c->has_c = c->has_r0 = false;
    for (bool is_again = false;; is_again = true) {
        bool some_c = false, some_r0 = false;
        if (last.c) {
            CN_TRY(cn_contact_need_compliance(c, err));
        }
        if (last.r0) {
            CN_TRY(need_offset(c, err));
        }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)                \
    reduction(||                                                                                   \
              : some_c, some_r0)
        for (int k = 0; k < CN_SEGMENTS; k++) {
            wants some = assemble_segment(c, b, law, k, is_again);
            some_c = some_c || some.c;
            some_r0 = some_r0 || some.r0;
        }
        if ((c->has_c || !some_c) && (c->has_r0 || !some_r0)) {
            c->has_c = c->wanted_c = some_c;
            c->has_r0 = c->wanted_r0 = some_r0;
            return CN_OK;
        }
        last = (wants){some_c, some_r0};
    }
}

cn_status cn_contact_assemble(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law, double h,
                              double theta, double gamma, cn_problem *p, cn_error *err)
{
    CN_TRY(reserve_state(c, law, err));
    CN_TRY(lay_out_rows(c, law, err));
    c->h = h;
    c->theta = theta;
    c->gamma = gamma;
    CN_TRY(assemble_all(c, b, law, err));
    *p = (cn_problem){
        .dim = b->dim,
        .contact_count = c->count,
        .row_start = c->row_start,
        .W.factors = {b->count, b->dof_start, c->body, c->block_start, c->G},
        .u_free = c->u_free,
        .kind = c->kind,
        .mu = c->mu,
        .mu_roll = c->moment_row_count > 0 ? c->mu_roll : NULL,
        .mu_spin = c->moment_row_count > 0 ? c->mu_spin : NULL,
        .b = c->b,
        .c = c->has_c ? c->c : NULL,
        .r0 = c->has_r0 ? c->r0 : NULL,
        .r = c->r,
    };
    return CN_OK;
}

// v += A^-1 H_a r_a of one side of constraint a.
static void push(const cn_contacts *c, const cn_problem *p, cn_bodies *b, int a, int side)
{
    int row = p->row_start[a], rows = p->row_start[a + 1] - row;
    int body = p->W.factors.body[2 * a + side];
    if (body >= 0 && c->kind[a] != CN_CORE_FREE) {
        b->kind->apply(b->root + b->kind->root_size * body, rows,
                       c->G + c->block_start[2 * a + side], c->r + row, b->v + b->kind->dof * body);
    }
}

// Relative velocity and impulse of contact a.
static void read_back(cn_contacts *c, const cn_bodies *b, int a)
{
    cn_contact *x = &c->contact[a];
    double H_i[ROWS_MAX], H_j[ROWS_MAX];
    rows_of(c, b, a, H_i, H_j);
    relative_velocity(b, x, c->d, H_i, H_j, b->v, x->u);
    for (int k = 0; k < c->d; k++) {
        x->r[k] = c->r[c->row_start[a] + k];
    }
}

void cn_contact_correct(cn_contacts *c, const cn_problem *p, cn_bodies *b)
{
    int dof = b->kind->dof, threads = cn_share(c->thread_count, b->count, SHARED_MIN);
    const cn_incidence *of = &c->of_body;
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads) if (threads > 1)
    for (int i = 0; i < b->count; i++) {
        for (int k = dof * i; k < dof * (i + 1); k++) {
            b->v[k] = b->v_free[k];
        }
        for (int n = of->start[i]; n < of->start[i + 1]; n++) {
            push(c, p, b, of->end[n] / 2, of->end[n] % 2);
        }
    }
    for (int a = c->count; a < p->contact_count; a++) { // joints
        push(c, p, b, a, 0);
        push(c, p, b, a, 1);
    }
    memcpy(b->v_solved, b->v, sizeof *b->v * (size_t)(dof * b->count));
    threads = cn_share(c->thread_count, c->count, SHARED_MIN);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int a = 0; a < c->count; a++) {
        read_back(c, b, a);
    }
}

// State of the law of contact a after the step.
static void commit_state(cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a)
{
    const cn_contact *x = &c->contact[a];
    cn_law_input in = cn_contact_law_input(c, b, a);
    cn_law_output out = {.status = (cn_contact_status)x->status};
    memcpy(out.r, x->r, sizeof out.r);
    memcpy(out.u, x->u, sizeof out.u);
    for (int k = c->state_start[a]; k < c->state_start[a + 1]; k++) {
        c->state[k] = 0.0;
    }
    if (entry->law->commit != NULL) {
        entry->law->commit(entry->param, old_state(c, entry, a), &in, &out,
                           c->state + c->state_start[a]);
    }
    if (entry->type.state_count > law_state_count(entry)) {
        cn_vec3 moment = cn_contact_moment(c, a);
        double *to = c->state + c->state_start[a] + law_state_count(entry);
        memcpy(to, (double[3]){moment.x, moment.y, moment.z}, 3 * sizeof *to);
    }
}

// What is remembered of contact a.
static void remember(cn_contacts *c, int a)
{
    const cn_contact *x = &c->contact[a];
    cn_axes frame = cn_contact_axes(x, c->d);
    cn_vec3 r = cn_mul3(x->r[0], frame.axis[0]);
    for (int k = 1; k < c->d; k++) {
        r = cn_add_mul3(r, x->r[k], frame.axis[k]);
    }
    c->memory[a] = (cn_memory){
        .pair = x->pair, .feature = x->feature, .r = {r.x, r.y, r.z}, .state = c->state_start[a]};
}

void cn_contact_commit(cn_contacts *c, const cn_bodies *b, const cn_law_entry *law)
{
    int threads = cn_share(c->thread_count, c->count, SHARED_MIN);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp for schedule(static)
        for (int a = 0; a < c->count; a++) {
            commit_state(c, b, &law[c->contact[a].law], a);
        }
#pragma omp for schedule(static)
        for (int a = 0; a < c->count; a++) {
            remember(c, a);
        }
    }
    c->memory_h = c->h;
    c->memory_count = c->count;
    c->memory_state_count = c->count > 0 ? c->state_start[c->count] : 0;
    if (c->memory_state_count > 0) {
        memcpy(c->memory_state, c->state, sizeof *c->state * (size_t)c->memory_state_count);
    }
    cn_contact_index(c);
}
