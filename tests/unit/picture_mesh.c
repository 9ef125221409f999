// unit/picture_mesh.c -- pictures of deformable bodies in space: their surface, the lines of their
// mesh, fields as colours, principal stresses as crosses, magnified motion.
#include <stdlib.h>

#include "base/memory.h"
#include "fem/assembly/fem.h"
#include "picture/render.h"
#include "picture/space/space_draw.h"
#include "test.h"

enum { SIZE = 200 };

// Two cubes of edge 1 side by side along x, from the origin.
static const double node[36] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0,
                                0, 0, 1, 1, 0, 1, 2, 0, 1, 0, 1, 1, 1, 1, 1, 2, 1, 1};
static const unsigned char type[2] = {CN_HEX8, CN_HEX8};
static const int start[3] = {0, 8, 16};
static const int element_node[16] = {0, 1, 4, 3, 6, 7, 10, 9, 1, 2, 5, 4, 7, 8, 11, 10};
static const cn_mesh_def mesh_def = {.dim = 3,
                                     .node_count = 12,
                                     .node = node,
                                     .element_count = 2,
                                     .type = type,
                                     .element_start = start,
                                     .element_node = element_node};

// The inner side is left out; the rest is a closed surface around the volume.
CN_TEST(surface_of_a_mesh_is_closed_and_outward)
{
    int *facet, *face, count;
    CN_DO(cn_fem_facets(&mesh_def, &facet, &face, &count, &test_error));
    CN_TRUE(count == 20 && face[0] == 0 && face[1] == 0 && face[19] == 9);
    double volume = 0.0;
    for (int t = 0; t < count; t++) {
        const double *a = node + 3 * facet[3 * t], *b = node + 3 * facet[3 * t + 1],
                     *c = node + 3 * facet[3 * t + 2];
        cn_vec3 area = cn_cross3(cn_v3(b[0], b[1], b[2]), cn_v3(c[0], c[1], c[2]));
        volume += cn_dot3(cn_v3(a[0], a[1], a[2]), area) / 6.0;
    }
    CN_NEAR(volume, 2.0, 1e-14, "of tetrahedra to the origin");
    cn_release(NULL, facet);
    cn_release(NULL, face);
}

// A square of two triangles in the plane y = 0, 2 m wide, seen along +y.
static const cn_vec3 vertex[4] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
static const int loop_start[3] = {0, 3, 6};
static const int loop[6] = {0, 1, 2, 0, 2, 3};

static cn_canvas draw_square(const cn_space_faces *faces, double line_width)
{
    cn_space_part part = {.kind = CN_PART_FACES,
                          .faces = faces,
                          .turn = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                          .colour = cn_colour_hex(0xc0c0c0)};
    cn_space_def def = cn_space_def_default();
    def.part = &part;
    def.part_count = 1;
    def.camera = (cn_space_camera){.eye = {0.0, -10.0, 0.0}, .up = {0.0, 0.0, 1.0}, .height = 4.0};
    def.area[2] = def.area[3] = SIZE;
    def.line_width = line_width;
    def.is_plain = true;
    cn_canvas canvas;
    CN_DO(cn_canvas_create(SIZE, SIZE, cn_tone_paper(), &canvas, &test_error));
    CN_DO(cn_space_draw(&def, &canvas, &test_error));
    return canvas;
}

static double red_at(const cn_canvas *c, int x, int y)
{
    return c->pixel[3 * (y * c->width + x)];
}

static const cn_space_faces square = {.vertex_count = 4,
                                      .face_count = 2,
                                      .vertex = vertex,
                                      .face_start = loop_start,
                                      .face_vertex = loop};

// The value grows along x on both triangles; pixel x shows x/50 - 2 m.
CN_TEST(fields_run_linearly_over_faces)
{
    const double value[4] = {0.0, 1.0, 1.0, 0.0};
    cn_scale scale;
    cn_scale_fill(&scale);
    cn_space_faces faces = square;
    faces.value = value;
    faces.scale = &scale;
    cn_canvas c = draw_square(&faces, 0.0);
    for (int x = 60; x < 150; x += 20) {
        double expected = cn_scale_at(&scale, (x + 0.5 - 50.0) / 100.0).r;
        CN_NEAR(red_at(&c, x, 60), expected, 1e-3, "single precision and its own rounding");
        CN_NEAR(red_at(&c, x, 140), expected, 1e-3, "on the other triangle");
    }
    cn_canvas_destroy(&c);
}

// The diagonal is a line only if the triangles belong to different patches.
CN_TEST(lines_are_drawn_between_patches)
{
    const int one[2] = {0, 0}, two[2] = {0, 1};
    cn_space_faces faces = square;
    faces.patch = one;
    cn_canvas whole = draw_square(&faces, 1.0);
    faces.patch = two;
    cn_canvas parted = draw_square(&faces, 1.0);
    CN_NEAR(red_at(&whole, 100, 99), red_at(&whole, 70, 99), 1e-6, "inside of one patch");
    CN_TRUE(red_at(&parted, 100, 99) < red_at(&parted, 70, 99) - 0.1);
    cn_canvas_destroy(&whole);
    cn_canvas_destroy(&parted);
}

// The mesh of two cubes as a body of a frame, stretched by 1 % along x and pulled there.
typedef struct scene {
    double x[36], v[36], stress[72], q[7], qv[6];
    cn_body_id id;
    int group;
    cn_frame_mesh mesh;
    cn_picture_frame frame;
} scene;

static const cn_solid_def *no_solids(const void *context, cn_body_id id, int *count)
{
    (void)context;
    (void)id;
    *count = 0;
    return NULL;
}

static bool is_fixed(const void *context, cn_body_id id)
{
    (void)context;
    (void)id;
    return false;
}

static bool find_mesh(const void *context, cn_body_id id, cn_mesh_def *mesh)
{
    (void)context;
    (void)id;
    *mesh = mesh_def;
    return true;
}

static void make_scene(scene *s)
{
    *s = (scene){.q = {1.0, 0.5, 0.5, 1.0}, .id = 1};
    for (int n = 0; n < 12; n++) {
        s->x[3 * n] = 1.01 * node[3 * n];
        s->x[3 * n + 1] = node[3 * n + 1];
        s->x[3 * n + 2] = node[3 * n + 2];
        s->stress[6 * n] = 1e3;
    }
    s->mesh = (cn_frame_mesh){.node_count = 12, .x = s->x, .v = s->v, .stress = s->stress};
    s->frame = (cn_picture_frame){
        .context = s, .solids = no_solids, .is_fixed = is_fixed, .mesh = find_mesh};
    s->frame.state = (cn_frame){.h = 1e-3,
                                .body_count = 1,
                                .id = &s->id,
                                .group = &s->group,
                                .q = s->q,
                                .v = s->qv,
                                .mesh_count = 1,
                                .mesh = &s->mesh};
}

static cn_render_def view_of(cn_paint paint)
{
    cn_render_def def = cn_render_def_default();
    def.width = def.height = SIZE;
    def.with_legend = false;
    def.paint = paint;
    def.azimuth = -0.5 * CN_PI;
    return def;
}

static cn_canvas draw(const scene *s, const cn_render_def *def)
{
    cn_canvas c = {0};
    CN_DO(cn_frame_draw(&s->frame, def, &c, &test_error));
    return c;
}

static int count_red(const cn_canvas *c)
{
    int count = 0;
    for (int k = 0; k < c->width * c->height; k++) {
        count += c->pixel[3 * k] > c->pixel[3 * k + 2] + 0.25f;
    }
    return count;
}

CN_TEST(tension_is_a_red_bar_on_every_face)
{
    scene s;
    make_scene(&s);
    cn_render_def def = view_of(CN_PAINT_PRINCIPAL);
    cn_canvas pulled = draw(&s, &def);
    for (int n = 0; n < 12; n++) {
        s.stress[6 * n] = -1e3;
    }
    cn_canvas pressed = draw(&s, &def);
    CN_TRUE(count_red(&pulled) > 60);
    CN_TRUE(count_red(&pressed) == 0);
    cn_canvas_destroy(&pulled);
    cn_canvas_destroy(&pressed);
}

// Largest displacement 20 mm; ten times as much ends at 2.2 m.
CN_TEST(motion_is_measured_and_magnified)
{
    scene s;
    make_scene(&s);
    cn_render_def def = view_of(CN_PAINT_DISPLACEMENT);
    cn_render_range as_is = {0}, magnified = {0};
    CN_DO(cn_frame_measure(&s.frame, &def, &as_is, &test_error));
    CN_NEAR(as_is.value_max, 0.02, 1e-14, "of the nodes at the end");
    CN_NEAR(as_is.view[3], 2.02, 1e-12, "where they are");
    def.magnify = 10.0;
    CN_DO(cn_frame_measure(&s.frame, &def, &magnified, &test_error));
    CN_NEAR(magnified.value_max, 0.02, 1e-14, "the field is not magnified");
    CN_NEAR(magnified.view[3], 2.2, 1e-12, "2 + 10 x 0.02");
    def.magnify = 0.0;
    CN_FAILS(cn_frame_measure(&s.frame, &def, &magnified, &test_error), CN_BAD_INPUT, "magnified");
}

CN_MAIN(CN_RUN(surface_of_a_mesh_is_closed_and_outward); CN_RUN(fields_run_linearly_over_faces);
        CN_RUN(lines_are_drawn_between_patches); CN_RUN(tension_is_a_red_bar_on_every_face);
        CN_RUN(motion_is_measured_and_magnified);)
