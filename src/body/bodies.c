// body/bodies.c -- storage of bodies: add, remove, find.
#include "body/bodies.h"

#include <math.h>
#include <string.h>

#include "base/tasks.h"
#include "body/cell.h"
#include "body/deformable/deformables.h"
#include "body/stages.h"
#include "geometry/plane/shape_kind.h"
#include "geometry/space/solid_kind.h"

enum { SHARED_MIN = 1024 }; // bodies per thread

void cn_bodies_init(cn_bodies *b, int dim, cn_deformables *deformables, const cn_hooks *hooks)
{
    *b = (cn_bodies){.hooks = hooks,
                     .dim = dim,
                     .kind = dim == 2 ? &cn_rigid2 : &cn_rigid3,
                     .id_next = 1,
                     .deformables = deformables};
}

// Every array with its length for `count` bodies, `shapes` shapes and `vertices` vertices. One list
// serves growing and freeing.
#define FOR_EACH_ARRAY(X)                                                                          \
    X(id, count)                                                                                   \
    X(group, count)                                                                                \
    X(fixed, count)                                                                                \
    X(held, count)                                                                                 \
    X(mass, count)                                                                                 \
    X(inertia, kind->inertia_size *count)                                                          \
    X(size, count)                                                                                 \
    X(reach, count)                                                                                \
    X(shape_start, count + 1)                                                                      \
    X(dof_start, count + 1)                                                                        \
    X(q, kind->q_size *count)                                                                      \
    X(v, kind->dof *count)                                                                         \
    X(image, 3 * count)                                                                            \
    X(f, kind->dof *count)                                                                         \
    X(q_mid, kind->q_size *count)                                                                  \
    X(v_free, kind->dof *count)                                                                    \
    X(root, kind->root_size *count)                                                                \
    X(turn_mid, kind->turn_size *count)                                                            \
    X(shape, planar *shapes)                                                                       \
    X(shape_def, planar *shapes)                                                                   \
    X(vertex, vertices)                                                                            \
    X(normal, vertices)                                                                            \
    X(vertex_flat, 2 * vertices)                                                                   \
    X(solid, (1 - planar) * shapes)                                                                \
    X(frame, (1 - planar) * 4 * count)                                                             \
    X(solid_def, (1 - planar) * shapes)                                                            \
    X(deformable, count)                                                                           \
    X(spread, count)

void cn_bodies_free(cn_bodies *b)
{
    for (int s = 0; b->dim == 3 && b->count > 0 && s < b->shape_start[b->count]; s++) {
        cn_solid_free(b->hooks, &b->solid[s]);
    }
#define X(name, length) cn_release(b->hooks, b->name);
    FOR_EACH_ARRAY(X)
#undef X
    cn_release(b->hooks, b->v_solved);
    cn_release(b->hooks, b->impulse);
    cn_release(b->hooks, b->v_kept);
    cn_release(b->hooks, b->q_kept);
    cn_bodies_init(b, b->dim, b->deformables, b->hooks);
}

cn_status cn_bodies_reserve_update(cn_bodies *b, cn_error *err)
{
    size_t dofs = (size_t)b->kind->dof * (size_t)b->count;
    CN_TRY(cn_reserve(b->hooks, &b->v_solved, &b->capacity.v_solved, dofs, err));
    return cn_reserve(b->hooks, &b->impulse, &b->capacity.impulse, dofs, err);
}

// Copies a state: configurations and velocities.
static void copy_state(const cn_bodies *b, const double *q_from, const double *v_from, double *q_to,
                       double *v_to)
{
    int threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static)), k, b->kind->q_size * b->count,
                  { q_to[k] = q_from[k]; });
    CN_SHARED_FOR(threads, (schedule(static)), k, b->kind->dof * b->count,
                  { v_to[k] = v_from[k]; });
}

static void begin(cn_bodies *b)
{
    b->q_before = b->q;
    b->v_before = b->v;
}

cn_status cn_bodies_keep(cn_bodies *b, cn_error *err)
{
    size_t dofs = (size_t)b->kind->dof * (size_t)b->count;
    size_t qs = (size_t)b->kind->q_size * (size_t)b->count;
    CN_TRY(cn_reserve(b->hooks, &b->v_kept, &b->capacity.v_kept, dofs, err));
    CN_TRY(cn_reserve(b->hooks, &b->q_kept, &b->capacity.q_kept, qs, err));
    copy_state(b, b->q, b->v, b->q_kept, b->v_kept);
    b->q_before = b->q_kept;
    b->v_before = b->v_kept;
    return CN_OK;
}

static void rewind_rigid(cn_bodies *b)
{
    if (b->q_before != b->q) {
        copy_state(b, b->q_before, b->v_before, b->q, b->v);
    }
    begin(b);
}

static cn_status free_motion(cn_bodies *b, const cn_scheme *scheme, cn_error *err)
{
    (void)err;
    b->kind->free_motion(b, scheme->h, scheme->theta, scheme->gamma);
    return CN_OK;
}

static void place(cn_bodies *b, const cn_scheme *scheme)
{
    b->kind->free_motion(b, scheme->h, scheme->theta, scheme->gamma);
}

static void move(cn_bodies *b, const cn_scheme *scheme)
{
    b->kind->update(b, scheme->h, scheme->theta);
}

// Whether all numbers of the state of body i are finite.
static bool is_finite(const cn_bodies *b, int i)
{
    double sum = 0.0;
    for (int k = 0; k < b->kind->q_size; k++) {
        sum += b->q[b->kind->q_size * i + k];
    }
    for (int k = 0; k < b->kind->dof; k++) {
        sum += b->v[b->kind->dof * i + k];
    }
    return isfinite(sum);
}

// Names the first body whose state is not made of numbers.
static cn_status check_finite(const cn_bodies *b, cn_error *err)
{
    int lost = b->count, threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads,
                  (schedule(static) reduction(min
                                              : lost)),
                  i, b->count, {
                      if (i < lost && !is_finite(b, i)) {
                          lost = i;
                      }
                  });
    if (lost < b->count) {
        const double *v = cn_body_v(b, b->v, lost), *q = cn_body_q(b, b->q, lost);
        return cn_fail(err, CN_BROKEN, "body %llu: velocity (%g, %g), position (%g, %g)",
                       (unsigned long long)b->id[lost], v[0], v[1], q[0], q[1]);
    }
    return CN_OK;
}

const cn_body_stages cn_rigid_stages = {.name = "rigid",
                                        .begin = begin,
                                        .free_motion = free_motion,
                                        .place = place,
                                        .move = move,
                                        .check = check_finite,
                                        .rewind = rewind_rigid,
                                        .restore = rewind_rigid};

bool cn_bodies_are_driven(const cn_bodies *b)
{
    bool found = cn_cell_is_there(b) && cn_cell_moves(b->cell);
    for (int i = 0; i < b->count && !found; i++) {
        const double *v = cn_body_v(b, b->v_free, i);
        for (int d = 0; d < b->kind->dof && b->held[i] != 0; d++) {
            found = found || (cn_dof_is_held(b, i, d) && v[d] != 0.0);
        }
    }
    return found;
}

// Square of the velocity of a body, of its centre and of what its spin adds at its rim, if it ends.
static double square_velocity(const cn_bodies *b, int i)
{
    const double *v = cn_body_v(b, b->v, i);
    double rim = isfinite(b->size[i]) ? 0.5 * b->size[i] : 0.0, sum = 0.0;
    for (int d = 0; d < b->kind->dof; d++) {
        double v_d = d < b->dim ? v[d] : rim * v[d];
        sum += v_d * v_d;
    }
    return sum;
}

double cn_bodies_rms_velocity(const cn_bodies *b)
{
    double part[CN_SEGMENTS] = {0.0}, sum = 0.0;
    int count = 0, threads = cn_share(b->thread_count, b->count, SHARED_MIN);
    CN_SHARED_FOR(threads, (schedule(static) reduction(+ : count)), k, CN_SEGMENTS, {
        for (int i = cn_segment_start(b->count, k); i < cn_segment_start(b->count, k + 1); i++) {
            bool is_held = cn_body_is_held(b, i);
            part[k] += is_held ? 0.0 : square_velocity(b, i);
            count += !is_held;
        }
    });
    for (int k = 0; k < CN_SEGMENTS; k++) {
        sum += part[k];
    }
    return count > 0 ? sqrt(sum / count) : 0.0;
}

void cn_bodies_lock(cn_bodies *b, const unsigned char *is_locked)
{
    int dof = b->kind->dof;
    b->is_locked = is_locked;
    if (is_locked == NULL) {
        return;
    }
    for (int k = 0; k < dof * b->count; k++) {
        if (is_locked[k / dof]) {
            b->v[k] = b->v_solved[k] = 0.0;
        }
    }
}

cn_status cn_bodies_reserve(cn_bodies *b, int shapes, int vertices, cn_error *err)
{
    const cn_body_kind *kind = b->kind;
    int count = b->count + 1, planar = b->dim == 2;
#define X(name, length)                                                                            \
    CN_TRY(cn_reserve(b->hooks, &b->name, &b->capacity.name, (size_t)(length), err));
    FOR_EACH_ARRAY(X)
#undef X
    return CN_OK;
}

int cn_bodies_find(const cn_bodies *b, cn_body_id id)
{
    // Ids given by the world are their slot plus one until a body is removed or an id is given.
    if (id >= 1 && id <= (uint64_t)b->count && b->id[id - 1] == id) {
        return (int)(id - 1);
    }
    for (int i = 0; i < b->count; i++) {
        if (b->id[i] == id) {
            return i;
        }
    }
    return -1;
}

static cn_status check_parts(const cn_bodies *b, const cn_body_def *def, cn_error *err)
{
    bool is_there = false, fits = true;
    switch (def->type) {
    case CN_BODY_SHAPES:
        is_there = def->shapes.count > 0 && def->shapes.item != NULL;
        fits = b->dim == 2;
        break;
    case CN_BODY_SOLIDS:
        is_there = def->solids.count > 0 && def->solids.item != NULL;
        fits = b->dim == 3;
        break;
    case CN_BODY_MESH:
        is_there = def->mesh.item != NULL;
        break;
    }
    if (!is_there) {
        return cn_fail(err, CN_BAD_INPUT, "a body needs at least one shape or solid, or a mesh");
    }
    return fits ? CN_OK
                : cn_fail(err, CN_BAD_INPUT,
                          "a body of %s is added to a world of %d dimensions: it takes %s",
                          b->dim == 2 ? "solids" : "shapes", b->dim,
                          b->dim == 2 ? "shapes" : "solids");
}

static cn_status check_def(const cn_bodies *b, const cn_body_def *def, cn_error *err)
{
    CN_TRY(check_parts(b, def, err));
    if (def->id != 0 && cn_bodies_find(b, def->id) >= 0) {
        return cn_fail(err, CN_BAD_INPUT, "body id %llu is in use", (unsigned long long)def->id);
    }
    double sum = def->angle;
    for (int d = 0; d < 3; d++) {
        sum += def->at[d] + def->velocity[d] + def->angular_velocity[d];
    }
    if (!isfinite(sum)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a body has position (%g, %g, %g), angle %g, velocity (%g, %g, %g), "
                       "angular velocity (%g, %g, %g): all must be finite",
                       def->at[0], def->at[1], def->at[2], def->angle, def->velocity[0],
                       def->velocity[1], def->velocity[2], def->angular_velocity[0],
                       def->angular_velocity[1], def->angular_velocity[2]);
    }
    return CN_OK;
}

cn_status cn_bodies_check_mass(const cn_bodies *b, const cn_body_def *def, double mass,
                               double least_inertia, cn_error *err)
{
    bool needs_mass = false, needs_inertia = false;
    for (int d = 0; d < b->kind->dof; d++) {
        bool is_free = (def->fixed & 1u << b->kind->dof_name[d]) == 0;
        needs_mass = needs_mass || (d < b->dim && is_free);
        needs_inertia = needs_inertia || (d >= b->dim && is_free);
    }
    if ((needs_mass && !(mass > 0.0)) || !(mass >= 0.0) || !isfinite(mass)) {
        return cn_fail(err, CN_BAD_INPUT, "a free body has mass %g kg (density %g): it must be > 0",
                       mass, def->density);
    }
    if ((needs_inertia && !(least_inertia > 0.0)) || !(least_inertia >= 0.0) ||
        !isfinite(least_inertia)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a body that can turn has inertia %g kg m2: it must be > 0", least_inertia);
    }
    return CN_OK;
}

void cn_bodies_enter(cn_bodies *b, const cn_body_def *def, double mass, double size)
{
    int i = b->count, dof = b->kind->dof;
    b->dof_start[i] = dof * i;
    b->dof_start[i + 1] = dof * (i + 1);
    b->id[i] = def->id != 0 ? def->id : b->id_next;
    b->id_next = b->id[i] >= b->id_next ? b->id[i] + 1 : b->id_next;
    b->group[i] = def->group;
    b->fixed[i] = b->held[i] = def->fixed;
    b->mass[i] = mass;
    b->size[i] = size;
    b->deformable[i] = -1;
    b->spread[i] = 0.0;
    memset(b->image + 3 * i, 0, 3 * sizeof *b->image);
    for (int d = 0; d < dof; d++) {
        if (def->fixed & 1u << b->kind->dof_name[d]) {
            b->v[dof * i + d] = 0.0;
        }
    }
    b->count++;
}

cn_status cn_bodies_add(cn_bodies *b, const cn_body_def *def, cn_error *err)
{
    CN_TRY(check_def(b, def, err));
    if (def->type == CN_BODY_MESH) {
        return cn_bodies_add_mesh(b, def, err);
    }
    return b->dim == 2 ? cn_bodies_add_shapes(b, def, err) : cn_bodies_add_solids(b, def, err);
}

void cn_close_gap(void *array, size_t element, int from, int gap, int end)
{
    char *bytes = array;
    memmove(bytes + element * (size_t)from, bytes + element * (size_t)(from + gap),
            element * (size_t)(end - from - gap));
}

void cn_bodies_remove(cn_bodies *b, int i)
{
    int first = b->shape_start[i], shapes = b->shape_start[i + 1] - first;
    if (b->deformable[i] >= 0) {
        int gone = b->deformable[i];
        cn_deformables_remove(b->deformables, gone);
        for (int k = 0; k < b->count; k++) {
            b->deformable[k] -= b->deformable[k] > gone;
        }
    } else if (b->dim == 2) {
        cn_bodies_remove_shapes(b, first, shapes);
    } else {
        cn_bodies_remove_solids(b, first, shapes);
    }
    for (int k = i; k < b->count; k++) {
        b->shape_start[k] = b->shape_start[k + 1] - shapes;
    }
    const size_t word = sizeof(double);
    void *scalar[] = {b->mass, b->size, b->reach, b->spread};
    for (size_t k = 0; k < sizeof scalar / sizeof *scalar; k++) {
        cn_close_gap(scalar[k], word, i, 1, b->count);
    }
    cn_close_gap(b->id, sizeof *b->id, i, 1, b->count);
    cn_close_gap(b->group, sizeof *b->group, i, 1, b->count);
    cn_close_gap(b->fixed, sizeof *b->fixed, i, 1, b->count);
    cn_close_gap(b->held, sizeof *b->held, i, 1, b->count);
    cn_close_gap(b->deformable, sizeof *b->deformable, i, 1, b->count);
    cn_close_gap(b->image, 3 * sizeof *b->image, i, 1, b->count);
    cn_deformables_renumber(b->deformables, i);
    cn_close_gap(b->inertia, word * (size_t)b->kind->inertia_size, i, 1, b->count);
    cn_close_gap(b->q, word * (size_t)b->kind->q_size, i, 1, b->count);
    cn_close_gap(b->v, word * (size_t)b->kind->dof, i, 1, b->count);
    if (b->dim == 3) {
        cn_close_gap(b->frame, 4 * word, i, 1, b->count);
    }
    b->count--;
    for (int k = i; k < b->count; k++) {
        for (int s = b->shape_start[k]; s < b->shape_start[k + 1]; s++) {
            *(b->dim == 2 ? &b->shape[s].body : &b->solid[s].body) = k;
        }
    }
}

void cn_bodies_set_radius(cn_bodies *b, int i, double radius)
{
    int s = b->shape_start[i];
    double size = 2.0 * radius, reach;
    if (b->dim == 2) {
        reach = radius + cn_norm2(b->shape[s].vertex[0]);
        b->shape[s].radius = b->shape_def[s].radius = radius;
        b->shape[s].reach = reach;
        b->shape[s].size = size;
    } else {
        reach = radius + cn_norm3(b->solid[s].end[0]);
        b->solid[s].radius = b->solid_def[s].radius = radius;
        b->solid[s].reach = reach;
        b->solid[s].size = size;
    }
    b->reach[i] = reach;
    b->size[i] = size;
}

double cn_shape_lever(const cn_bodies *b, int s)
{
    if (b->dim == 2) {
        const cn_shape *x = &b->shape[s];
        bool is_round = cn_shape_ops_of(x->kind)->is_round;
        bool is_centred = x->reach == x->radius; // its centre need not be looked up
        return is_round ? (is_centred ? 0.0 : cn_norm2(x->vertex[0])) : x->reach;
    }
    return cn_solid_lever(&b->solid[s]);
}

bool cn_shape_is_unbounded(const cn_bodies *b, int s)
{
    return b->dim == 2 ? cn_shape_ops_of(b->shape[s].kind)->is_unbounded
                       : cn_solid_ops_of(b->solid[s].kind)->is_unbounded;
}

bool cn_shape_is_hollow(const cn_bodies *b, int s)
{
    return b->dim == 2 ? cn_shape_ops_of(b->shape[s].kind)->is_hollow
                       : cn_solid_is_hollow(&b->solid[s]);
}

bool cn_shape_surrounds(const cn_bodies *b, int s, cn_vec3 point, cn_vec3 outward)
{
    if (!cn_shape_is_hollow(b, s)) {
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
