// tests/flights_bodies.h -- bodies of random flights: every shape, solid, cluster and mesh that the
// public headers list, of about unit size, thick and thin.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cairn/cairn.h"
#include "fem_meshes.h"

// ---- numbers

static inline uint64_t fly_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Uniform in [low, high).
static inline double fly_real(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(fly_next(state) >> 11) * 0x1p-53;
}

static inline int fly_int(uint64_t *state, int count)
{
    return (int)(fly_next(state) % (uint64_t)count);
}

static inline cn_vec3 fly_direction(uint64_t *state, int dim)
{
    for (;;) {
        cn_vec3 d = {fly_real(state, -1.0, 1.0), fly_real(state, -1.0, 1.0),
                     dim == 3 ? fly_real(state, -1.0, 1.0) : 0.0};
        double size = cn_norm3(d);
        if (size > 0.1 && size < 1.0) {
            return cn_mul3(1.0 / size, d);
        }
    }
}

// ---- kinds: those of shapes or solids, then clusters, pseudo-rigid bodies, meshes of each
// element. Ellipsoids came later and have the last number, so that flights keep theirs.

static inline int fly_simple_count(int dim)
{
    return dim == 2 ? (int)CN_SHAPE_KIND_COUNT : (int)CN_SOLID_ELLIPSOID;
}

static inline int fly_element(int dim, int number)
{
    for (int type = 0; type < CN_ELEMENT_COUNT; type++) {
        if (cn_element_dim((cn_element_type)type) == dim && number-- == 0) {
            return type;
        }
    }
    return -1;
}

static inline int fly_kind_count(int dim)
{
    int count = fly_simple_count(dim) + 2;
    for (int number = 0; fly_element(dim, number) >= 0; number++) {
        count++;
    }
    return count;
}

static inline bool fly_is_cluster(int dim, int kind)
{
    return kind == fly_simple_count(dim);
}

static inline bool fly_is_ellipsoid(int dim, int kind)
{
    return dim == 3 && kind == fly_kind_count(3);
}

static inline bool fly_is_mesh(int dim, int kind)
{
    return kind > fly_simple_count(dim) && !fly_is_ellipsoid(dim, kind);
}

static inline bool fly_is_pseudo_rigid(int dim, int kind)
{
    return kind == fly_simple_count(dim) + 1;
}

static inline const char *fly_kind_name(int dim, int kind)
{
    int simple = fly_simple_count(dim);
    if (fly_is_ellipsoid(dim, kind)) {
        return "ellipsoid";
    }
    if (kind >= simple) {
        return kind == simple ? "cluster"
               : kind == simple + 1
                   ? "pseudo-rigid"
                   : cn_element_name((cn_element_type)fly_element(dim, kind - simple - 2));
    }
    return dim == 2 ? cn_shape_kind_name((cn_shape_kind)kind)
                    : cn_solid_kind_name((cn_solid_kind)kind);
}

// What the headers allow for fixed bodies only.
static inline bool fly_is_wall(int dim, int kind)
{
    return dim == 2 ? kind == CN_SHAPE_HALF_PLANE
                    : kind == CN_SOLID_HALF_SPACE || kind == CN_SOLID_SURFACE;
}

// ---- one body

enum { FLY_PARTS = 3, FLY_POINTS = 64 };

typedef struct flyer {
    int dim, kind, part_count;
    cn_shape_def shape[FLY_PARTS];
    cn_solid_def solid[FLY_PARTS];
    double point[FLY_PARTS][3 * FLY_POINTS];
    test_mesh mesh;
    cn_material_def material;
    double reach;  // no point is farther from the origin of its frame [m]
    double inside; // a ball of this radius about the origin is free, 0: it is not hollow [m]
} flyer;

static inline void flyer_free(flyer *f)
{
    if (fly_is_mesh(f->dim, f->kind)) {
        free_mesh(&f->mesh);
    }
}

// A convex polygon on an ellipse: y is thin.
static inline void fly_polygon(flyer *f, int part, double size, double thin, uint64_t *state)
{
    int count = 3 + fly_int(state, 6);
    double start = fly_real(state, 0.0, 6.0);
    for (int k = 0; k < count; k++) {
        double angle = start + 2.0 * CN_PI * (k + fly_real(state, 0.0, 0.5)) / count;
        f->point[part][2 * k] = 0.5 * size * cos(angle);
        f->point[part][2 * k + 1] = 0.5 * size * thin * sin(angle);
    }
    f->shape[part].vertex_count = count;
    f->shape[part].vertex = f->point[part];
}

static inline void fly_shape(flyer *f, int part, int kind, double size, uint64_t *state)
{
    static const double thinness[] = {1.0, 0.5, 0.1, 0.02};
    double thin = thinness[fly_int(state, 4)];
    cn_shape_def *s = &f->shape[part];
    *s = (cn_shape_def){.kind = (cn_shape_kind)kind, .radius = 0.5 * size};
    double reach = 0.5 * size;
    if (kind == CN_SHAPE_POLYGON) {
        s->radius = 0.0;
        fly_polygon(f, part, size, thin, state);
    } else if (kind == CN_SHAPE_CAPSULE) {
        s->radius = 0.25 * thin * size;
        s->length = size - 2.0 * s->radius;
    } else if (kind == CN_SHAPE_HOLLOW_DISK) {
        s->radius = 0.5 * size / (1.0 + 0.3 * thin);
        s->thickness = 0.5 * size - s->radius;
        f->inside = s->radius;
    }
    f->reach = kind == CN_SHAPE_HALF_PLANE ? INFINITY : reach;
}

// A box, or corners in a ball; z is thin.
static inline void fly_hull(flyer *f, int part, double size, double thin, uint64_t *state)
{
    double *p = f->point[part];
    int count = 8;
    if (fly_int(state, 2) == 0) {
        double side = size / sqrt(2.0 + thin * thin);
        cn_box_corners(side, side, thin * side, p);
    } else {
        count = 5 + fly_int(state, 12);
        for (int k = 0; k < count; k++) {
            cn_vec3 d = fly_direction(state, 3);
            p[3 * k] = 0.5 * size * d.x;
            p[3 * k + 1] = 0.5 * size * d.y;
            p[3 * k + 2] = 0.5 * size * thin * d.z;
        }
    }
    f->solid[part].point_count = count;
    f->solid[part].point = p;
}

// Triangles of a tetrahedron or of a box, outwards.
static inline void fly_surface(flyer *f, double size, double thin, uint64_t *state)
{
    static const int faces[2][12][3] = {{{0, 2, 1}, {0, 1, 4}, {0, 4, 2}, {1, 2, 4}},
                                        {{0, 2, 1},
                                         {1, 2, 3},
                                         {4, 5, 6},
                                         {5, 7, 6},
                                         {0, 1, 4},
                                         {1, 5, 4},
                                         {2, 6, 3},
                                         {3, 6, 7},
                                         {0, 4, 2},
                                         {2, 4, 6},
                                         {1, 3, 5},
                                         {3, 7, 5}}};
    int is_box = fly_int(state, 2), count = is_box ? 12 : 4;
    double side = size / sqrt(2.0 + thin * thin);
    for (int k = 0; k < 3 * count; k++) {
        int c = faces[is_box][k / 3][k % 3];
        double *p = &f->point[0][3 * k];
        p[0] = side * ((c & 1) - 0.5);
        p[1] = side * ((c >> 1 & 1) - 0.5);
        p[2] = side * thin * ((c >> 2) - 0.5);
    }
    f->solid[0].point_count = 3 * count;
    f->solid[0].point = f->point[0];
}

static inline void fly_hollow(flyer *f, cn_solid_def *s, double size, double thin, uint64_t *state)
{
    double length = s->kind == CN_SOLID_HOLLOW_CYLINDER ? fly_real(state, 0.2, 2.0) : 0.0;
    s->radius = 0.5 * size / sqrt(1.0 + 0.25 * length * length) / (1.0 + 0.3 * thin);
    s->thickness = 0.3 * thin * s->radius;
    s->length = length * s->radius;
    s->ends = length > 0.0 ? (unsigned)fly_int(state, 4) : 0u;
    f->inside = length > 0.0 ? fmin(s->radius, 0.5 * s->length) : s->radius;
    f->reach =
        hypot(s->radius + s->thickness, 0.5 * s->length + (length > 0.0 ? s->thickness : 0.0));
}

static inline void fly_solid(flyer *f, int part, int kind, double size, uint64_t *state)
{
    static const double thinness[] = {1.0, 0.5, 0.1, 0.02};
    double thin = thinness[fly_int(state, 4)];
    cn_solid_def *s = &f->solid[part];
    *s = (cn_solid_def){.kind = (cn_solid_kind)kind, .rotation = {1.0, 0.0, 0.0, 0.0}};
    f->reach = 0.5 * size;
    switch (kind) {
    case CN_SOLID_SPHERE:
        s->radius = 0.5 * size;
        break;
    case CN_SOLID_CAPSULE:
        s->radius = 0.25 * thin * size;
        s->length = size - 2.0 * s->radius;
        break;
    case CN_SOLID_CYLINDER: {
        bool is_coin = fly_int(state, 2) == 0;
        double length = is_coin ? thin : 1.0, radius = is_coin ? 0.5 : 0.5 * thin;
        double scale = 0.5 * size / hypot(radius, 0.5 * length);
        s->radius = scale * radius;
        s->length = scale * length;
        break;
    }
    case CN_SOLID_ELLIPSOID: // a needle or a lens
        s->size[0] = size;
        s->size[1] = fly_int(state, 2) == 0 ? size : fmax(thin, 0.05) * size;
        s->size[2] = fmax(thin, 0.05) * size;
        break;
    case CN_SOLID_HOLLOW_SPHERE:
    case CN_SOLID_HOLLOW_CYLINDER:
        fly_hollow(f, s, size, thin, state);
        break;
    case CN_SOLID_SURFACE:
        fly_surface(f, size, thin, state);
        break;
    case CN_SOLID_HALF_SPACE:
        f->reach = INFINITY;
        break;
    default:
        fly_hull(f, part, size, thin, state);
    }
}

// Two or three parts side by side along x.
static inline void fly_cluster(flyer *f, double size, uint64_t *state)
{
    f->part_count = 2 + fly_int(state, 2);
    double each = size / f->part_count;
    for (int k = 0; k < f->part_count; k++) {
        double at = (k - 0.5 * (f->part_count - 1)) * each;
        if (f->dim == 2) {
            static const int kinds[] = {CN_SHAPE_DISK, CN_SHAPE_CAPSULE, CN_SHAPE_POLYGON};
            fly_shape(f, k, kinds[fly_int(state, 3)], each, state);
            f->shape[k].at[0] = at;
            f->shape[k].angle = fly_real(state, 0.0, 6.0);
        } else {
            static const int kinds[] = {CN_SOLID_SPHERE, CN_SOLID_CAPSULE, CN_SOLID_HULL,
                                        CN_SOLID_CYLINDER};
            fly_solid(f, k, kinds[fly_int(state, 4)], each, state);
            f->solid[k].at[0] = at;
            double angle = fly_real(state, 0.0, 3.0);
            f->solid[k].rotation[0] = cos(angle);
            f->solid[k].rotation[2] = sin(angle);
        }
    }
    f->reach = 0.5 * size;
}

// A block of few cells.
static inline void fly_mesh(flyer *f, double size, uint64_t *state)
{
    static const double thinness[] = {1.0, 0.5, 0.1};
    bool is_pseudo = fly_is_pseudo_rigid(f->dim, f->kind);
    int type = is_pseudo ? (f->dim == 2 ? CN_QUAD4 : CN_HEX8)
                         : fly_element(f->dim, f->kind - fly_simple_count(f->dim) - 2);
    int count[3] = {2, 1, 1};
    double thin = thinness[fly_int(state, 3)], side = size / sqrt(f->dim == 2 ? 2.0 : 3.0);
    double sides[3] = {side, f->dim == 2 ? thin * side : side, thin * side};
    f->material = cn_material_def_default();
    f->material.kinematics = CN_COROTATIONAL;
    f->material.density = 1000.0;
    f->material.young = 1000.0 * pow(10.0, fly_real(state, 5.5, 7.0)); // waves of 600 to 3000 m/s
    f->material.poisson = 0.3;
    f->mesh = make_block(type, count, sides, 0.0, &f->material);
    f->mesh.def.is_pseudo_rigid = is_pseudo;
    for (int k = 0; k < f->dim * f->mesh.def.node_count; k++) {
        f->mesh.node[k] -= 0.5 * sides[k % f->dim];
    }
    f->reach = 0.5 * size;
}

static inline void flyer_make(flyer *f, int dim, int kind, double size, uint64_t seed)
{
    *f = (flyer){.dim = dim, .kind = kind, .part_count = 1};
    uint64_t state = seed;
    if (fly_is_mesh(dim, kind)) {
        fly_mesh(f, size, &state);
    } else if (fly_is_cluster(dim, kind)) {
        fly_cluster(f, size, &state);
    } else if (dim == 2) {
        fly_shape(f, 0, kind, size, &state);
    } else {
        fly_solid(f, 0, fly_is_ellipsoid(dim, kind) ? CN_SOLID_ELLIPSOID : kind, size, &state);
    }
}

// ---- the mirror image at x = 0

static inline void mirror_turn(double turn[4])
{
    turn[2] = -turn[2];
    turn[3] = -turn[3];
}

static inline void mirror_elements(test_mesh *m)
{
    static const int order[CN_ELEMENT_COUNT][20] = {
        [CN_TRI3] = {0, 2, 1},
        [CN_TRI6] = {0, 2, 1, 5, 4, 3},
        [CN_QUAD4] = {0, 3, 2, 1},
        [CN_QUAD8] = {0, 3, 2, 1, 7, 6, 5, 4},
        [CN_TET4] = {0, 2, 1, 3},
        [CN_TET10] = {0, 2, 1, 3, 6, 5, 4, 7, 9, 8},
        [CN_HEX8] = {0, 3, 2, 1, 4, 7, 6, 5},
        [CN_HEX20] = {0, 3, 2, 1, 4, 7, 6, 5, 11, 10, 9, 8, 15, 14, 13, 12, 16, 19, 18, 17},
        [CN_WEDGE6] = {0, 2, 1, 3, 5, 4},
    };
    for (int e = 0; e < m->def.element_count; e++) {
        int node[20], first = m->start[e], count = m->start[e + 1] - first;
        for (int k = 0; k < count; k++) {
            node[k] = m->element[first + order[m->type[e]][k]];
        }
        memcpy(m->element + first, node, (size_t)count * sizeof *node);
    }
    for (int n = 0; n < m->def.node_count; n++) {
        m->node[m->def.dim * n] = -m->node[m->def.dim * n];
    }
}

static inline void mirror_points(flyer *f, int part)
{
    int stride = f->dim,
        count = f->dim == 2 ? f->shape[part].vertex_count : f->solid[part].point_count;
    double *p = f->point[part];
    for (int k = 0; k < count; k++) {
        p[stride * k] = -p[stride * k];
    }
    int group = f->dim == 2 ? count : f->solid[part].kind == CN_SOLID_SURFACE ? 3 : 1;
    for (int first = 0; group > 1 && first < count; first += group) { // the other way round
        for (int k = 0; k < group / 2; k++) {
            for (int d = 0; d < stride; d++) {
                double *x = &p[stride * (first + k) + d],
                       *y = &p[stride * (first + group - 1 - k) + d];
                double kept = *x;
                *x = *y;
                *y = kept;
            }
        }
    }
}

static inline void flyer_mirror(flyer *f)
{
    if (fly_is_mesh(f->dim, f->kind)) {
        mirror_elements(&f->mesh);
        return;
    }
    for (int k = 0; k < f->part_count; k++) {
        mirror_points(f, k);
        f->shape[k].at[0] = -f->shape[k].at[0];
        f->shape[k].angle = -f->shape[k].angle;
        f->solid[k].at[0] = -f->solid[k].at[0];
        mirror_turn(f->solid[k].rotation);
    }
}
