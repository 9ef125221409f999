// tests/unit/deep_bodies.h -- bodies of every kind about the origin, and their farthest points, for
// overlaps of known depth.
#pragma once

#include <stdint.h>

#include "audit/overlap/overlap.h"
#include "cairn/cairn.h"
#include "test.h"
#include "world/world.h"

// Uniform in [-1, 1), the same on every machine.
static inline double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

// One body: shapes or solids, or a mesh.
typedef struct made {
    const char *name;
    int shape_count, solid_count;
    cn_shape_def shape[2];
    cn_solid_def solid[2];
    double point[3 * 36];
    cn_volume *volume;
    cn_mesh_def mesh;
    bool is_fixed, is_half;
    double size; // smallest extent [m]
} made;

static inline cn_material_def soft(void)
{
    cn_material_def m = cn_material_def_default();
    m.density = 1000.0;
    m.young = 1e6;
    m.poisson = 0.3;
    return m;
}

static inline void make_mesh(made *m, const char *name, cn_element_type element, bool is_pseudo)
{
    static cn_material_def material;
    cn_volume_def def = cn_volume_def_default();
    material = soft();
    *m = (made){.name = name, .size = 0.6};
    def.kind = CN_VOLUME_BOX;
    def.element = element;
    memcpy(def.size, (double[3]){1.0, 0.6, 0.8}, sizeof def.size);
    memcpy(def.cells, (int[3]){3, 2, 2}, sizeof def.cells);
    CN_DO(cn_volume_make(&def, &m->volume, &test_error));
    m->mesh = *cn_volume_mesh(m->volume);
    m->mesh.material_count = 1;
    m->mesh.material = &material;
    m->mesh.is_pseudo_rigid = is_pseudo;
}

static inline void make_shape(made *m, const char *name, cn_shape_def def, double size)
{
    *m = (made){.name = name, .shape_count = 1, .size = size};
    m->shape[0] = def;
    m->is_half = m->is_fixed = def.kind == CN_SHAPE_HALF_PLANE;
}

static inline void make_solid(made *m, const char *name, cn_solid_def def, double size)
{
    *m = (made){.name = name, .solid_count = 1, .size = size};
    m->solid[0] = def;
    m->is_half = def.kind == CN_SOLID_HALF_SPACE;
    m->is_fixed = m->is_half || def.kind == CN_SOLID_SURFACE;
}

// The twelve triangles of a box.
static inline void box_surface(double x, double y, double z, double *point)
{
    static const int corner[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                      {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                      {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double box[24];
    cn_box_corners(x, y, z, box);
    for (int k = 0; k < 36; k++) {
        memcpy(point + 3 * k, box + 3 * corner[k / 3][k % 3], 3 * sizeof *point);
    }
}

enum { FLAT_KINDS = 12, SPACE_KINDS = 22 };

static inline int make_flat(made *m)
{
    static const double odd[10] = {-0.5, -0.3, 0.2, -0.45, 0.6, 0.0, 0.15, 0.55, -0.4, 0.3};
    static double plate[8];
    cn_box_vertices(1.0, 0.05, plate);
    make_shape(&m[0], "disk", (cn_shape_def){.kind = CN_SHAPE_DISK, .radius = 0.5}, 1.0);
    make_shape(&m[1], "capsule",
               (cn_shape_def){.kind = CN_SHAPE_CAPSULE, .radius = 0.2, .length = 0.7}, 0.4);
    make_shape(&m[2], "polygon",
               (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = 5, .vertex = odd}, 0.9);
    make_shape(&m[3], "plate",
               (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = 4, .vertex = plate}, 0.05);
    make_shape(&m[4], "hollow_disk",
               (cn_shape_def){.kind = CN_SHAPE_HOLLOW_DISK, .radius = 0.5, .thickness = 0.1}, 0.1);
    make_shape(&m[5], "half_plane", (cn_shape_def){.kind = CN_SHAPE_HALF_PLANE}, 1.0);
    make_shape(&m[6], "cluster", m[0].shape[0], 0.4);
    m[6].shape[0].at[0] = -0.5;
    m[6].shape[m[6].shape_count++] = (cn_shape_def){
        .kind = CN_SHAPE_CAPSULE, .radius = 0.2, .length = 0.4, .at = {0.4, 0.1}, .angle = 0.5};
    make_mesh(&m[7], "tri3", CN_TRI3, false);
    make_mesh(&m[8], "tri6", CN_TRI6, false);
    make_mesh(&m[9], "quad4", CN_QUAD4, false);
    make_mesh(&m[10], "quad8", CN_QUAD8, false);
    make_mesh(&m[11], "pseudo-rigid", CN_QUAD4, true);
    return FLAT_KINDS;
}

static inline void make_points(made *m, const char *name, int count, const double *point,
                               double size)
{
    make_solid(m, name, (cn_solid_def){.kind = CN_SOLID_HULL, .point_count = count}, size);
    memcpy(m->point, point, 3 * sizeof *point * (size_t)count);
}

static inline int make_space(made *m)
{
    double box[24], odd[3 * 14];
    uint64_t seed = 7;
    for (int k = 0; k < 14; k++) { // on a sphere, so that all are corners
        cn_vec3 d = {draw(&seed), draw(&seed), draw(&seed)};
        d = cn_mul3(0.6 / cn_norm3(d), d);
        memcpy(odd + 3 * k, &d, sizeof d);
    }
    make_solid(&m[0], "sphere", (cn_solid_def){.kind = CN_SOLID_SPHERE, .radius = 0.5}, 1.0);
    make_solid(&m[1], "capsule",
               (cn_solid_def){.kind = CN_SOLID_CAPSULE, .radius = 0.2, .length = 0.7}, 0.4);
    cn_box_corners(1.0, 0.7, 0.5, box);
    make_points(&m[2], "box", 8, box, 0.5);
    make_points(&m[3], "polyhedron", 14, odd, 0.5);
    cn_box_corners(1.0, 0.8, 0.05, box);
    make_points(&m[4], "plate", 8, box, 0.05);
    make_solid(&m[5], "cylinder",
               (cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = 0.4, .length = 0.9}, 0.8);
    make_solid(&m[6], "coin",
               (cn_solid_def){.kind = CN_SOLID_CYLINDER, .radius = 0.5, .length = 0.05}, 0.05);
    make_solid(&m[7], "hollow_sphere",
               (cn_solid_def){.kind = CN_SOLID_HOLLOW_SPHERE, .radius = 0.5, .thickness = 0.1},
               0.1);
    for (unsigned k = 0; k < 2; k++) {
        make_solid(&m[8 + k], k == 0 ? "open tube" : "can",
                   (cn_solid_def){.kind = CN_SOLID_HOLLOW_CYLINDER,
                                  .radius = 0.4,
                                  .length = 0.8,
                                  .thickness = 0.1,
                                  .ends = 3 * k},
                   0.1);
    }
    make_solid(&m[10], "half_space", (cn_solid_def){.kind = CN_SOLID_HALF_SPACE}, 1.0);
    make_solid(&m[11], "surface", (cn_solid_def){.kind = CN_SOLID_SURFACE, .point_count = 36}, 0.5);
    box_surface(1.0, 0.7, 0.5, m[11].point);
    make_solid(&m[12], "cluster", m[1].solid[0], 0.4);
    m[12].solid[m[12].solid_count++] =
        (cn_solid_def){.kind = CN_SOLID_SPHERE, .radius = 0.4, .at = {0.1, 0.7, 0.2}};
    make_mesh(&m[13], "tet4", CN_TET4, false);
    make_mesh(&m[14], "tet10", CN_TET10, false);
    make_mesh(&m[15], "hex8", CN_HEX8, false);
    make_mesh(&m[16], "hex20", CN_HEX20, false);
    make_mesh(&m[17], "wedge6", CN_WEDGE6, false);
    make_mesh(&m[18], "pseudo-rigid", CN_TET4, true);
    m[19] = m[9];
    m[19].name = "cup";
    m[19].solid[0].ends = 1;
    make_solid(&m[20], "ellipsoid",
               (cn_solid_def){.kind = CN_SOLID_ELLIPSOID, .size = {1.0, 0.7, 0.5}}, 0.5);
    make_solid(&m[21], "lens", (cn_solid_def){.kind = CN_SOLID_ELLIPSOID, .size = {1.0, 0.9, 0.1}},
               0.1);
    for (int k = 0; k < SPACE_KINDS; k++) {
        m[k].solid[0].point = m[k].point;
    }
    return SPACE_KINDS;
}

static inline void unmake(made *m, int count)
{
    for (int k = 0; k < count; k++) {
        cn_volume_destroy(m[k].volume);
    }
}

static inline cn_vec3 farther(cn_vec3 a, cn_vec3 b, cn_vec3 d)
{
    return cn_dot3(a, d) >= cn_dot3(b, d) ? a : b;
}

static inline cn_vec3 farthest_of(int dim, int count, const double *x, cn_vec3 d)
{
    cn_vec3 best = cn_v3(x[0], x[1], dim == 3 ? x[2] : 0.0);
    for (int k = 1; k < count; k++) {
        best = farther(best, cn_v3(x[dim * k], x[dim * k + 1], dim == 3 ? x[dim * k + 2] : 0.0), d);
    }
    return best;
}

// Point of a shape in its own frame that is farthest along the unit vector d.
static inline cn_vec3 farthest_shape(const cn_shape_def *s, cn_vec3 d)
{
    double c = cos(s->angle), sn = sin(s->angle);
    cn_vec3 own = {c * d.x + sn * d.y, c * d.y - sn * d.x, 0.0}, p = {0.0, 0.0, 0.0};
    if (s->kind == CN_SHAPE_POLYGON) {
        p = farthest_of(2, s->vertex_count, s->vertex, own);
    } else if (s->kind != CN_SHAPE_HALF_PLANE) {
        p = cn_mul3(s->radius + s->thickness, own);
        p.x += own.x > 0.0 ? 0.5 * s->length : -0.5 * s->length;
    }
    return cn_v3(s->at[0] + c * p.x - sn * p.y, s->at[1] + sn * p.x + c * p.y, 0.0);
}

static inline cn_vec3 farthest_solid(const cn_solid_def *s, cn_vec3 d)
{
    double side = d.z > 0.0 ? 1.0 : -1.0, across = hypot(d.x, d.y);
    cn_vec3 p = {0.0, 0.0, 0.0};
    if (s->point_count > 0) {
        p = farthest_of(3, s->point_count, s->point, d);
    } else if (s->kind == CN_SOLID_CYLINDER || s->kind == CN_SOLID_HOLLOW_CYLINDER) {
        double r = s->radius + s->thickness;
        bool is_closed = (s->ends & (d.z > 0.0 ? 2u : 1u)) != 0;
        p = cn_v3(r * d.x / across, r * d.y / across,
                  side * (0.5 * s->length + (is_closed ? s->thickness : 0.0)));
    } else if (s->kind == CN_SOLID_ELLIPSOID) {
        cn_vec3 reach = {0.5 * s->size[0] * d.x, 0.5 * s->size[1] * d.y, 0.5 * s->size[2] * d.z};
        double scale = 0.5 / cn_norm3(reach);
        p = cn_v3(scale * s->size[0] * reach.x, scale * s->size[1] * reach.y,
                  scale * s->size[2] * reach.z);
    } else if (s->kind != CN_SOLID_HALF_SPACE) {
        p = cn_add3(cn_mul3(s->radius + s->thickness, d), cn_v3(0.0, 0.0, side * 0.5 * s->length));
    }
    return cn_add3(cn_v3(s->at[0], s->at[1], s->at[2]), p);
}

// Point of the body, turned by R about its origin, that is farthest along d.
static inline cn_vec3 farthest(const made *m, const cn_mat3 *R, cn_vec3 d)
{
    cn_vec3 own = cn_mat3_mul_transposed(R, d), best = {0.0, 0.0, 0.0};
    for (int k = 0; k < m->shape_count; k++) {
        cn_vec3 p = farthest_shape(&m->shape[k], own);
        best = k == 0 ? p : farther(best, p, own);
    }
    for (int k = 0; k < m->solid_count; k++) {
        cn_vec3 p = farthest_solid(&m->solid[k], own);
        best = k == 0 ? p : farther(best, p, own);
    }
    if (m->volume != NULL) {
        best = farthest_of(m->mesh.dim, m->mesh.node_count, m->mesh.node, own);
    }
    return cn_mat3_mul(R, best);
}

// A turn of the body: its matrix, angle in the plane and quaternion.
typedef struct turn {
    double angle;
    cn_quat q;
    cn_mat3 R;
} turn;

static inline turn draw_turn(int dim, const made *m, uint64_t *seed)
{
    turn t = {.angle = CN_PI * draw(seed)};
    t.q = (cn_quat){draw(seed), draw(seed), draw(seed), draw(seed)};
    t.q =
        dim == 2 ? (cn_quat){cos(0.5 * t.angle), 0.0, 0.0, sin(0.5 * t.angle)} : cn_quat_unit(t.q);
    if (m->is_half) {
        t = (turn){.q = {1.0, 0.0, 0.0, 0.0}};
    }
    t.R = cn_quat_matrix(t.q);
    return t;
}

static inline void add_made(cn_world *w, const made *m, const turn *t, cn_vec3 at)
{
    cn_body_def def = cn_body_def_default();
    if (m->volume != NULL) {
        def.type = CN_BODY_MESH;
        def.mesh.item = &m->mesh;
    } else if (m->solid_count > 0) {
        def.type = CN_BODY_SOLIDS;
        def.solids = (cn_solid_parts){m->solid_count, m->solid};
    } else {
        def.shapes = (cn_shape_parts){m->shape_count, m->shape};
    }
    def.angle = t->angle;
    memcpy(def.rotation, &t->q, sizeof def.rotation);
    memcpy(def.at, &at, sizeof def.at);
    def.fixed = m->is_fixed ? CN_FIXED_ALL : 0;
    CN_DO(cn_body_add(w, &def, NULL, &test_error));
}

static inline cn_world *empty_world(int dim)
{
    cn_world *w = NULL;
    cn_world_def def = cn_world_def_default();
    cn_law_def law = cn_law_coulomb(0.3, 0.0);
    int number;
    def.dim = dim;
    CN_DO(cn_world_create(&def, &w, &test_error));
    CN_DO(cn_law_add(w, &law, &number, &test_error));
    CN_DO(cn_rule_add(w, CN_GROUP_ANY, CN_GROUP_ANY, number, &test_error));
    return w;
}

static inline bool meet_always(const void *context, int i, int j)
{
    (void)context;
    (void)i;
    (void)j;
    return true;
}

// What the audit finds if there were no contacts at all: detection gives the positions only.
static inline cn_overlap look_alone(cn_world *w)
{
    cn_overlap overlap = {0};
    CN_DO(cn_world_detect(w, 0.0, &test_error));
    cn_deep_input in = {.b = &w->bodies, .may_meet = meet_always};
    CN_DO(cn_deep_look(&in, &overlap, &test_error));
    return overlap;
}
