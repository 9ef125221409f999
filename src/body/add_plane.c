// body/add_plane.c -- bodies in the plane get their shapes, mass and state.
#include <math.h>
#include <string.h>

#include "body/bodies.h"
#include "geometry/plane/shape_kind.h"

// Vertices moved when the arrays grew: shapes point to them again.
static void link_vertices(cn_bodies *b, int shape_count)
{
    int at = 0;
    for (int s = 0; s < shape_count; s++) {
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
    out->vertex_count = 0;
    out->at[0] = def->at[0] - centre.x;
    out->at[1] = def->at[1] - centre.y;
    if (cn_shape_ops_of(def->kind)->has_vertices) { // they are stored placed
        out->vertex_count = shape->vertex_count;
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
    for (int k = 0; k < def->shapes.count; k++, s++) {
        cn_vec2 *vertex = b->vertex + b->vertex_count;
        cn_vec2 *normal = b->normal + b->vertex_count;
        cn_shape_place(&def->shapes.item[k], centre, vertex, normal, &b->shape[s]);
        b->shape[s].body = i;
        describe(&def->shapes.item[k], &b->shape[s], centre, b->vertex_flat + 2 * b->vertex_count,
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
    v[2] = def->angular_velocity[2];
}

cn_status cn_bodies_add_shapes(cn_bodies *b, const cn_body_def *def, cn_error *err)
{
    cn_shape_mass shape;
    CN_TRY(cn_shapes_measure(def->shapes.item, def->shapes.count, &shape, err));
    bool from_density = def->density != 0.0;
    double mass = from_density ? def->density * shape.area : def->mass;
    double inertia = from_density ? def->density * shape.inertia : def->inertia[2];
    inertia = isfinite(shape.size) ? inertia : 0.0; // what has no end cannot turn
    CN_TRY(cn_bodies_check_mass(b, def, mass, inertia, err));
    int vertices = b->vertex_count;
    for (int k = 0; k < def->shapes.count; k++) {
        vertices += cn_shape_vertex_count(&def->shapes.item[k]);
    }
    int i = b->count, first = i > 0 ? b->shape_start[i] : 0;
    const void *old[] = {b->vertex, b->normal, b->vertex_flat};
    CN_TRY(cn_bodies_reserve(b, first + def->shapes.count, vertices, err));
    b->shape_start[i] = first;
    if (old[0] != b->vertex || old[1] != b->normal || old[2] != b->vertex_flat) {
        link_vertices(b, first);
    }
    const double *c = def->has_centre ? def->centre : shape.centre;
    cn_vec2 centre = cn_v2(c[0], c[1]);
    place_shapes(b, def, centre);
    b->inertia[i] = inertia;
    set_state(b, def, centre);
    cn_bodies_enter(b, def, mass, shape.size);
    return CN_OK;
}

void cn_bodies_reshape(cn_bodies *b, int i, const cn_shape_def *def, cn_vec2 centre, double size)
{
    int s = b->shape_start[i];
    cn_vec2 *vertex = b->vertex + (b->shape[s].vertex - b->vertex);
    cn_vec2 *normal = b->normal + (b->shape[s].normal - b->normal);
    cn_shape_place(def, centre, vertex, normal, &b->shape[s]);
    describe(def, &b->shape[s], centre, b->vertex_flat + 2 * (vertex - b->vertex),
             &b->shape_def[s]);
    b->reach[i] = b->shape[s].reach;
    b->size[i] = size;
}

void cn_bodies_remove_shapes(cn_bodies *b, int first, int shapes)
{
    int shape_count = b->shape_start[b->count];
    int vertex_first = (int)(b->shape[first].vertex - b->vertex), vertices = 0;
    for (int s = first; s < first + shapes; s++) {
        vertices += b->shape[s].vertex_count;
    }
    cn_close_gap(b->vertex, sizeof *b->vertex, vertex_first, vertices, b->vertex_count);
    cn_close_gap(b->normal, sizeof *b->normal, vertex_first, vertices, b->vertex_count);
    cn_close_gap(b->vertex_flat, 2 * sizeof(double), vertex_first, vertices, b->vertex_count);
    cn_close_gap(b->shape, sizeof *b->shape, first, shapes, shape_count);
    cn_close_gap(b->shape_def, sizeof *b->shape_def, first, shapes, shape_count);
    b->vertex_count -= vertices;
    link_vertices(b, shape_count - shapes);
}
