// body/bodies.c -- storage of bodies: add, remove, find.
#include "body/bodies.h"

#include <math.h>
#include <string.h>

void cn_bodies_init(cn_bodies *b, int dim, const cn_hooks *hooks)
{
    *b = (cn_bodies){
        .hooks = hooks, .dim = dim, .kind = dim == 2 ? &cn_rigid2 : &cn_rigid3, .id_next = 1};
}

// Every array with its length for `count` bodies, `shapes` shapes and `vertices` vertices. One list
// serves growing and freeing.
#define FOR_EACH_ARRAY(X)                                                                          \
    X(0, id, count)                                                                                \
    X(1, group, count)                                                                             \
    X(2, fixed, count)                                                                             \
    X(3, held, count)                                                                              \
    X(4, mass, count)                                                                              \
    X(5, inertia, kind->inertia_size *count)                                                       \
    X(6, size, count)                                                                              \
    X(7, reach, count)                                                                             \
    X(8, shape_start, count + 1)                                                                   \
    X(9, q_start, count + 1)                                                                       \
    X(10, dof_start, count + 1)                                                                    \
    X(11, q, kind->q_size *count)                                                                  \
    X(12, v, kind->dof *count)                                                                     \
    X(13, f, kind->dof *count)                                                                     \
    X(14, v_imposed, kind->dof *count)                                                             \
    X(15, q_mid, kind->q_size *count)                                                              \
    X(16, v_free, kind->dof *count)                                                                \
    X(17, root, kind->root_size *count)                                                            \
    X(18, v_before, kind->dof *count)                                                              \
    X(19, q_before, kind->q_size *count)                                                           \
    X(20, turn_mid, kind->turn_size *count)                                                        \
    X(21, shape, shapes)                                                                           \
    X(22, shape_def, shapes)                                                                       \
    X(23, vertex, vertices)                                                                        \
    X(24, normal, vertices)                                                                        \
    X(25, vertex_flat, 2 * vertices)                                                               \
    X(26, impulse, kind->dof *count)                                                               \
    X(27, v_solved, kind->dof *count)

void cn_bodies_free(cn_bodies *b)
{
#define X(place, name, length) cn_release(b->hooks, b->name);
    FOR_EACH_ARRAY(X)
#undef X
    cn_bodies_init(b, b->dim, b->hooks);
}

static cn_status reserve(cn_bodies *b, int bodies, size_t shapes, size_t vertices, cn_error *err)
{
    const cn_body_kind *kind = b->kind;
    int count = bodies;
#define X(place, name, length)                                                                     \
    CN_TRY(cn_reserve(b->hooks, &b->name, &b->capacity[place], (size_t)(length), err));
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

static cn_status check_def(const cn_bodies *b, const cn_body_def *def, cn_error *err)
{
    if (def->shape_count < 1 || def->shape == NULL) {
        return cn_fail(err, CN_BAD_INPUT, "a body needs at least one shape");
    }
    if (def->id != 0 && cn_bodies_find(b, def->id) >= 0) {
        return cn_fail(err, CN_BAD_INPUT, "body id %llu is in use", (unsigned long long)def->id);
    }
    double sum =
        def->at[0] + def->at[1] + def->angle + def->velocity[0] + def->velocity[1] + def->spin;
    if (!isfinite(sum)) {
        return cn_fail(
            err, CN_BAD_INPUT,
            "a body has position (%g, %g), angle %g, velocity (%g, %g), spin %g: all must "
            "be finite",
            def->at[0], def->at[1], def->angle, def->velocity[0], def->velocity[1], def->spin);
    }
    return CN_OK;
}

// Mass and inertia from density or as given. Bodies that are held need none.
static cn_status find_mass(const cn_body_def *def, const cn_shape_mass *shape, double *mass,
                           double *inertia, cn_error *err)
{
    bool from_density = def->density != 0.0;
    *mass = from_density ? def->density * shape->area : def->mass;
    *inertia = from_density ? def->density * shape->inertia : def->inertia;
    unsigned free_dofs = ~def->fixed;
    bool needs_mass = (free_dofs & (1u << CN_DOF_X | 1u << CN_DOF_Y)) != 0;
    bool needs_inertia = (free_dofs & 1u << CN_DOF_RZ) != 0;
    if ((needs_mass && !(*mass > 0.0)) || !(*mass >= 0.0) || !isfinite(*mass)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a free body has mass %g kg (density %g, area %g): it must be > 0", *mass,
                       def->density, shape->area);
    }
    if ((needs_inertia && !(*inertia > 0.0)) || !(*inertia >= 0.0) || !isfinite(*inertia)) {
        return cn_fail(err, CN_BAD_INPUT,
                       "a body that can turn has inertia %g kg m2: it must be > 0", *inertia);
    }
    return CN_OK;
}

// Vertices moved when the arrays grew: shapes point to them again.
static void relink_vertices(cn_bodies *b)
{
    int at = 0;
    for (int s = 0; s < b->shape_start[b->count]; s++) {
        b->shape[s].vertex = b->vertex + at;
        b->shape[s].normal = b->normal + at;
        b->shape_def[s].vertex = b->vertex_flat + 2 * at;
        at += b->shape[s].vertex_count;
    }
}

// The placed shape as a definition in the frame of the body: what views and results show.
static void describe(const cn_shape_def *def, const cn_shape *shape, cn_vec2 centre,
                     double *vertex_flat, cn_shape_def *out)
{
    *out = *def;
    out->vertex = vertex_flat;
    out->vertex_count = shape->vertex_count;
    out->at[0] = def->at[0] - centre.x;
    out->at[1] = def->at[1] - centre.y;
    if (def->kind == CN_SHAPE_POLYGON) { // vertices are stored placed
        out->at[0] = out->at[1] = out->angle = 0.0;
    }
    for (int k = 0; k < shape->vertex_count; k++) {
        vertex_flat[2 * k] = shape->vertex[k].x;
        vertex_flat[2 * k + 1] = shape->vertex[k].y;
    }
}

static void place_shapes(cn_bodies *b, const cn_body_def *def, cn_vec2 centre)
{
    int i = b->count;
    int s = b->shape_start[i];
    b->reach[i] = 0.0;
    for (int k = 0; k < def->shape_count; k++, s++) {
        cn_vec2 *vertex = b->vertex + b->vertex_count;
        cn_vec2 *normal = b->normal + b->vertex_count;
        cn_shape_place(&def->shape[k], centre, vertex, normal, &b->shape[s]);
        b->shape[s].body = i;
        describe(&def->shape[k], &b->shape[s], centre, b->vertex_flat + 2 * b->vertex_count,
                 &b->shape_def[s]);
        b->reach[i] = fmax(b->reach[i], b->shape[s].reach);
        b->vertex_count += b->shape[s].vertex_count;
    }
    b->shape_start[i + 1] = s;
}

static void set_state(cn_bodies *b, const cn_body_def *def, cn_vec2 centre)
{
    int i = b->count;
    cn_vec2 turned = cn_turn2(centre, cos(def->angle), sin(def->angle));
    double *q = b->q + 3 * i, *v = b->v + 3 * i;
    q[0] = def->at[0] + turned.x;
    q[1] = def->at[1] + turned.y;
    q[2] = def->angle;
    v[0] = def->velocity[0];
    v[1] = def->velocity[1];
    v[2] = def->spin;
    for (int d = 0; d < b->kind->dof; d++) {
        if (def->fixed & 1u << b->kind->dof_name[d]) {
            v[d] = 0.0;
        }
    }
}

cn_status cn_bodies_add(cn_bodies *b, const cn_body_def *def, cn_error *err)
{
    CN_TRY(check_def(b, def, err));
    cn_shape_mass shape;
    CN_TRY(cn_shapes_measure(def->shape, def->shape_count, &shape, err));
    double mass, inertia;
    CN_TRY(find_mass(def, &shape, &mass, &inertia, err));
    size_t vertices = (size_t)b->vertex_count;
    for (int k = 0; k < def->shape_count; k++) {
        vertices += (size_t)cn_shape_vertex_count(&def->shape[k]);
    }
    int i = b->count;
    int first_shape = i > 0 ? b->shape_start[i] : 0;
    const void *old[] = {b->vertex, b->normal, b->vertex_flat};
    CN_TRY(reserve(b, i + 1, (size_t)(first_shape + def->shape_count), vertices, err));
    b->shape_start[i] = first_shape;
    int q_size = b->kind->q_size, dof = b->kind->dof;
    b->q_start[i] = q_size * i;
    b->q_start[i + 1] = q_size * (i + 1);
    b->dof_start[i] = dof * i;
    b->dof_start[i + 1] = dof * (i + 1);
    if (old[0] != b->vertex || old[1] != b->normal || old[2] != b->vertex_flat) {
        relink_vertices(b);
    }
    cn_vec2 centre = cn_v2(shape.centre[0], shape.centre[1]);
    place_shapes(b, def, centre);
    b->id[i] = def->id != 0 ? def->id : b->id_next;
    b->id_next = b->id[i] >= b->id_next ? b->id[i] + 1 : b->id_next;
    b->group[i] = def->group;
    b->fixed[i] = b->held[i] = def->fixed;
    b->mass[i] = mass;
    b->inertia[i] = inertia;
    b->size[i] = shape.size;
    set_state(b, def, centre);
    memcpy(b->v_before + dof * i, b->v + dof * i, sizeof(double) * (size_t)dof);
    memcpy(b->q_before + q_size * i, b->q + q_size * i, sizeof(double) * (size_t)q_size);
    b->count++;
    return CN_OK;
}

// Moves the tail of an array down over `gap` elements.
static void close_gap(void *array, size_t element, int from, int gap, int end)
{
    char *bytes = array;
    memmove(bytes + element * (size_t)from, bytes + element * (size_t)(from + gap),
            element * (size_t)(end - from - gap));
}

void cn_bodies_remove(cn_bodies *b, int i)
{
    int shapes = b->shape_start[i + 1] - b->shape_start[i];
    int first = b->shape_start[i], shape_count = b->shape_start[b->count];
    int vertex_first = (int)(b->shape[first].vertex - b->vertex), vertices = 0;
    for (int s = first; s < first + shapes; s++) {
        vertices += b->shape[s].vertex_count;
    }
    close_gap(b->vertex, sizeof *b->vertex, vertex_first, vertices, b->vertex_count);
    close_gap(b->normal, sizeof *b->normal, vertex_first, vertices, b->vertex_count);
    close_gap(b->vertex_flat, 2 * sizeof(double), vertex_first, vertices, b->vertex_count);
    close_gap(b->shape, sizeof *b->shape, first, shapes, shape_count);
    close_gap(b->shape_def, sizeof *b->shape_def, first, shapes, shape_count);
    b->vertex_count -= vertices;
    for (int k = i; k < b->count; k++) {
        b->shape_start[k] = k < b->count ? b->shape_start[k + 1] - shapes : 0;
    }
    void *scalar[] = {b->mass, b->size, b->reach};
    for (size_t k = 0; k < sizeof scalar / sizeof *scalar; k++) {
        close_gap(scalar[k], sizeof(double), i, 1, b->count);
    }
    close_gap(b->id, sizeof *b->id, i, 1, b->count);
    close_gap(b->group, sizeof *b->group, i, 1, b->count);
    close_gap(b->fixed, sizeof *b->fixed, i, 1, b->count);
    close_gap(b->held, sizeof *b->held, i, 1, b->count);
    const size_t word = sizeof(double);
    close_gap(b->inertia, word * (size_t)b->kind->inertia_size, i, 1, b->count);
    close_gap(b->q, word * (size_t)b->kind->q_size, i, 1, b->count);
    close_gap(b->q_before, word * (size_t)b->kind->q_size, i, 1, b->count);
    close_gap(b->v, word * (size_t)b->kind->dof, i, 1, b->count);
    close_gap(b->v_before, word * (size_t)b->kind->dof, i, 1, b->count);
    b->count--;
    relink_vertices(b);
    for (int k = i; k < b->count; k++) {
        for (int s = b->shape_start[k]; s < b->shape_start[k + 1]; s++) {
            b->shape[s].body = k;
        }
    }
}
