// unit/picture_render.c -- a frame as a picture: what is where, in which colour, and odd scenes.

#include "picture/render.h"
#include "test.h"

enum { BODY_MAX = 8 };

// A frame made by hand; body k has id k + 1 and one shape.
typedef struct scene {
    int body_count, contact_count;
    cn_body_id id[BODY_MAX];
    int group[BODY_MAX];
    double q[3 * BODY_MAX], v[3 * BODY_MAX];
    cn_shape_def shape[BODY_MAX];
    bool is_fixed[BODY_MAX];
    cn_contact contact[BODY_MAX];
} scene;

static const cn_shape_def *scene_shapes(const void *context, cn_body_id id, int *count)
{
    const scene *s = context;
    *count = 1;
    return &s->shape[id - 1];
}

static bool scene_is_fixed(const void *context, cn_body_id id)
{
    return ((const scene *)context)->is_fixed[id - 1];
}

static int add_body(scene *s, cn_shape_def shape, double x, double y, bool is_fixed)
{
    int k = s->body_count++;
    s->id[k] = (cn_body_id)k + 1;
    s->q[3 * k] = x;
    s->q[3 * k + 1] = y;
    s->shape[k] = shape;
    s->is_fixed[k] = is_fixed;
    return k;
}

static cn_picture_frame frame_of(const scene *s)
{
    return (cn_picture_frame){.state = {.h = 1e-3,
                                        .body_count = s->body_count,
                                        .id = s->id,
                                        .group = s->group,
                                        .q = s->q,
                                        .v = s->v,
                                        .contact_count = s->contact_count,
                                        .contact = s->contact},
                              .title = "by hand",
                              .context = s,
                              .shapes = scene_shapes,
                              .is_fixed = scene_is_fixed};
}

static const cn_shape_def unit_disk = {.kind = CN_SHAPE_DISK, .radius = 1.0};

// 200 x 200 pixels, 10 per metre, the origin in the middle, no text.
static cn_render_def plain_def(void)
{
    cn_render_def def = cn_render_def_default();
    def.width = def.height = 200;
    def.with_legend = false;
    def.with_forces = false;
    def.has_view = true;
    memcpy(def.view, (double[6]){-10.0, -10.0, 10.0, 10.0}, sizeof def.view);
    return def;
}

static cn_canvas draw(const scene *s, const cn_render_def *def)
{
    cn_canvas canvas;
    cn_picture_frame frame = frame_of(s);
    CN_DO(cn_frame_draw(&frame, def, &canvas, &test_error));
    return canvas;
}

static bool has_colour(const cn_canvas *c, int x, int y, cn_colour colour)
{
    const float *p = c->pixel + 3 * ((size_t)y * (size_t)c->width + (size_t)x);
    return fabsf(p[0] - colour.r) + fabsf(p[1] - colour.g) + fabsf(p[2] - colour.b) < 1e-4f;
}

CN_TEST(bodies_are_where_they_should_be)
{
    static const double triangle[] = {0.0, 0.0, 4.0, 0.0, 0.0, 4.0};
    scene s = {0};
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_DISK, .radius = 2.0}, 5.0, 5.0, false);
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_CAPSULE, .radius = 1.0, .length = 6.0}, -5.0, 5.0,
             false);
    s.q[3 * 1 + 2] = 0.5 * CN_PI; // upright
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_POLYGON, .vertex_count = 3, .vertex = triangle},
             -5.0, -8.0, false);
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_HOLLOW_DISK, .radius = 2.0, .thickness = 1.0}, 5.0,
             -5.0, true);
    cn_render_def def = plain_def();
    cn_canvas c = draw(&s, &def);
    cn_colour fill = cn_palette_fill(0);
    CN_TRUE(has_colour(&c, 145, 60, fill));             // inside the disk
    CN_TRUE(has_colour(&c, 150, 25, cn_tone_paper()));  // above it
    CN_TRUE(has_colour(&c, 50, 20, fill));              // upper end of the capsule
    CN_TRUE(has_colour(&c, 35, 50, cn_tone_paper()));   // beside it
    CN_TRUE(has_colour(&c, 60, 170, fill));             // near the right angle of the triangle
    CN_TRUE(has_colour(&c, 85, 145, cn_tone_paper()));  // beyond its long side
    CN_TRUE(has_colour(&c, 150, 150, cn_tone_paper())); // inside the drum
    CN_TRUE(has_colour(&c, 173, 138, cn_colour_hex(0xc6cbd0))); // in its wall
    cn_canvas_destroy(&c);
}

// A rod is a line between its ends, a broken one is not there; the picture reaches to where it
// hangs.
CN_TEST(joints_are_drawn)
{
    scene s = {0};
    add_body(&s, unit_disk, 0.0, 0.0, false);
    cn_joint_state rod[2] = {{.kind = CN_JOINT_ROD, .j = -1, .end = {0.0, 8.0}},
                             {.kind = CN_JOINT_CABLE, .j = -1, .end = {8.0, 0.0}, .is_broken = 1}};
    cn_picture_frame frame = frame_of(&s);
    frame.state.joint_count = 2;
    frame.state.joint = rod;
    cn_render_def def = plain_def();
    cn_canvas c;
    CN_DO(cn_frame_draw(&frame, &def, &c, &test_error));
    CN_TRUE(!has_colour(&c, 100, 50, cn_tone_paper())); // halfway up the rod
    CN_TRUE(has_colour(&c, 110, 50, cn_tone_paper()));  // beside it
    CN_TRUE(has_colour(&c, 150, 100, cn_tone_paper())); // where the cable was
    cn_canvas_destroy(&c);
    def.has_view = false;
    def.height = 0;
    CN_DO(cn_frame_draw(&frame, &def, &c, &test_error));
    CN_TRUE(has_colour(&c, 93, 170, cn_palette_fill(0))); // the disk is at the lower edge
    cn_canvas_destroy(&c);
}

// The mark runs from the centre along the angle of the disk.
CN_TEST(mark_shows_the_turn)
{
    scene s = {0};
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_DISK, .radius = 8.0}, 0.0, 0.0, false);
    s.q[2] = 0.5 * CN_PI;
    cn_render_def def = plain_def();
    cn_canvas c = draw(&s, &def);
    CN_TRUE(!has_colour(&c, 100, 60, cn_palette_fill(0)));
    CN_TRUE(has_colour(&c, 100, 140, cn_palette_fill(0)));
    CN_TRUE(has_colour(&c, 140, 100, cn_palette_fill(0)));
    cn_canvas_destroy(&c);
}

CN_TEST(half_plane_fills_the_ground)
{
    scene s = {0};
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_HALF_PLANE}, 0.0, -2.0, true);
    s.q[2] = 0.1;
    cn_render_def def = plain_def();
    cn_canvas c = draw(&s, &def);
    CN_TRUE(has_colour(&c, 20, 180, cn_colour_hex(0xeceef0)));
    CN_TRUE(has_colour(&c, 195, 180, cn_colour_hex(0xeceef0)));
    CN_TRUE(has_colour(&c, 20, 90, cn_tone_paper()));
    CN_TRUE(!has_colour(&c, 20, 128, cn_tone_paper()));  // y < -2.8 on the left,
    CN_TRUE(!has_colour(&c, 180, 113, cn_tone_paper())); // y < -1.2 on the right
    CN_TRUE(has_colour(&c, 20, 120, cn_tone_paper()));
    cn_canvas_destroy(&c);
}

static scene two_disks(double force, int status)
{
    scene s = {0};
    cn_shape_def disk = {.kind = CN_SHAPE_DISK, .radius = 4.0};
    add_body(&s, disk, -4.0, 0.0, false);
    add_body(&s, disk, 4.0, 0.0, false);
    s.contact[s.contact_count++] = (cn_contact){.i = 0,
                                                .j = 1,
                                                .normal = {-1.0, 0.0, 0.0},
                                                .status = (signed char)status,
                                                .r = {force * 1e-3, 0.0, 0.0}};
    return s;
}

// Thickness of what has the colour of a status in a column of pixels.
static int thickness(const cn_canvas *c, int x, int status)
{
    int count = 0;
    for (int y = 0; y < c->height; y++) {
        count += has_colour(c, x, y, cn_status_colour(status));
    }
    return count;
}

CN_TEST(force_line_joins_centres_with_proportional_thickness)
{
    cn_render_def def = plain_def();
    def.with_forces = true;
    def.force_scale = 0.1; // 1 m for 10 N: 10 pixels
    scene s = two_disks(10.0, CN_STATUS_STICK);
    cn_canvas c = draw(&s, &def);
    CN_TRUE(thickness(&c, 70, CN_STATUS_STICK) == 10);
    CN_TRUE(thickness(&c, 130, CN_STATUS_STICK) == 10);
    CN_TRUE(thickness(&c, 50, CN_STATUS_STICK) == 0);  // beyond the left centre
    CN_TRUE(thickness(&c, 150, CN_STATUS_STICK) == 0); // beyond the right one
    cn_canvas_destroy(&c);
    s = two_disks(20.0, CN_STATUS_SLIDE);
    c = draw(&s, &def);
    CN_TRUE(thickness(&c, 100, CN_STATUS_SLIDE) == 20);
    CN_TRUE(thickness(&c, 100, CN_STATUS_STICK) == 0);
    cn_canvas_destroy(&c);
}

// Without a given scale the thickest line is a third of the mean body: 8 m / 3 = 26.7 pixels.
CN_TEST(largest_force_is_a_third_of_a_body)
{
    cn_render_def def = plain_def();
    def.with_forces = true;
    scene s = two_disks(1e5, CN_STATUS_STICK);
    cn_canvas c = draw(&s, &def);
    CN_NEAR(thickness(&c, 100, CN_STATUS_STICK), 26.7, 1.0, "whole pixels");
    cn_canvas_destroy(&c);
}

CN_TEST(contact_with_ground_ends_at_the_point)
{
    scene s = {0};
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_DISK, .radius = 4.0}, 0.0, 4.0, false);
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_HALF_PLANE}, 0.0, 0.0, true);
    s.contact[s.contact_count++] =
        (cn_contact){.i = 0, .j = 1, .normal = {0.0, 1.0, 0.0}, .status = 1, .r = {0.01, 0.0, 0.0}};
    cn_render_def def = plain_def();
    def.with_forces = true;
    def.force_scale = 0.1;
    cn_canvas c = draw(&s, &def);
    CN_TRUE(has_colour(&c, 100, 80, cn_status_colour(CN_STATUS_STICK)));
    CN_TRUE(!has_colour(&c, 100, 108, cn_status_colour(CN_STATUS_STICK)));
    cn_canvas_destroy(&c);
}

CN_TEST(speed_and_pressure_colour_the_bodies)
{
    cn_scale scale;
    cn_scale_fill(&scale);
    scene s = two_disks(10.0, CN_STATUS_STICK);
    s.v[0] = 3.0;
    s.v[1] = 4.0; // the left one at 5 m/s, the right one at 2.5
    s.v[3] = 2.5;
    cn_render_def def = plain_def();
    def.paint = CN_PAINT_VELOCITY;
    cn_canvas c = draw(&s, &def);
    CN_TRUE(has_colour(&c, 50, 110, cn_scale_at(&scale, 1.0)));
    CN_TRUE(has_colour(&c, 150, 110, cn_scale_at(&scale, 0.5)));
    cn_canvas_destroy(&c);
    s.shape[1].radius = 2.0; // half the perimeter, twice the pressure
    def.paint = CN_PAINT_PRESSURE;
    c = draw(&s, &def);
    CN_TRUE(has_colour(&c, 50, 110, cn_scale_at(&scale, 0.5)));
    CN_TRUE(has_colour(&c, 145, 105, cn_scale_at(&scale, 1.0)));
    cn_canvas_destroy(&c);
}

static cn_render_plan plan_of(const scene *s, const cn_render_def *def, cn_picture_frame *frame,
                              cn_figure *figure)
{
    *frame = frame_of(s);
    cn_render_plan plan = {.frame = frame, .def = def, .figure = figure};
    for (int i = 0; i < s->body_count; i++) {
        figure[i] = (cn_figure){.shape = &s->shape[i],
                                .shape_count = 1,
                                .at = {s->q[3 * i], s->q[3 * i + 1], s->q[3 * i + 2]},
                                .is_drawn = true,
                                .is_fixed = s->is_fixed[i]};
        cn_figure_measure(&figure[i]);
    }
    CN_DO(cn_plan_fit(&plan, &test_error));
    return plan;
}

CN_TEST(view_fits_free_bodies_and_drums)
{
    scene s = {0};
    add_body(&s, unit_disk, 3.0, 0.0, false);
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_HOLLOW_DISK, .radius = 9.0, .thickness = 1.0}, 0.0,
             0.0, true);
    add_body(&s, unit_disk, 1e4, 0.0, true); // far and fixed: not worth showing
    cn_render_def def = cn_render_def_default();
    cn_picture_frame frame;
    cn_figure figure[BODY_MAX];
    cn_render_plan plan = plan_of(&s, &def, &frame, figure);
    CN_TRUE(plan.view[0] < -10.0 && plan.view[0] > -12.0);
    CN_TRUE(plan.view[2] > 10.0 && plan.view[2] < 12.0);
    CN_TRUE(plan.view[1] < -10.0 && plan.view[3] > 10.0);
    double width = plan.area[2] - plan.area[0], height = plan.area[3] - plan.area[1];
    CN_NEAR(height / width, (plan.view[3] - plan.view[1]) / (plan.view[2] - plan.view[0]), 1e-12,
            "equal scale both ways");
}

CN_TEST(view_shows_a_strip_of_ground)
{
    scene s = {0};
    add_body(&s, unit_disk, 0.0, 1.5, false);
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_HALF_PLANE}, 0.0, 0.0, true);
    cn_render_def def = cn_render_def_default();
    cn_picture_frame frame;
    cn_figure figure[BODY_MAX];
    CN_TRUE(plan_of(&s, &def, &frame, figure).view[1] < -0.05);
}

CN_TEST(odd_scenes_make_pictures)
{
    cn_render_def def = cn_render_def_default();
    def.width = 320;
    scene s = {0};
    for (int paint = 0; paint < CN_PAINT_COUNT; paint++) {
        def.paint = (cn_paint)paint;
        s = (scene){0};
        cn_canvas c = draw(&s, &def); // empty
        CN_TRUE(c.width == 320 && c.height > 32);
        cn_canvas_destroy(&c);
        add_body(&s, unit_disk, 1e6, -1e6, false); // one body, far out
        c = draw(&s, &def);
        CN_TRUE(!has_colour(&c, c.width / 2 + 6, c.height / 2 - 4, cn_tone_paper()));
        cn_canvas_destroy(&c);
        add_body(&s, unit_disk, NAN, 0.0, false);
        add_body(&s, (cn_shape_def){.kind = CN_SHAPE_DISK, .radius = 1e3}, 1e6, -1e6 + 1001.0,
                 false); // 1:1000
        add_body(&s, (cn_shape_def){.kind = CN_SHAPE_HALF_PLANE}, 0.0, 0.0, true);
        c = draw(&s, &def);
        CN_TRUE(c.height > 32);
        cn_canvas_destroy(&c);
    }
    s = (scene){0};
    add_body(&s, (cn_shape_def){.kind = CN_SHAPE_HALF_PLANE}, 0.0, 0.0, true);
    cn_canvas c = draw(&s, &def); // nothing but ground
    cn_canvas_destroy(&c);
    def.height = 20; // no room for a legend
    c = draw(&s, &def);
    CN_TRUE(c.height == 20);
    cn_canvas_destroy(&c);
}

// A contact that names bodies which do not exist must not be followed.
CN_TEST(broken_contacts_are_survived)
{
    cn_render_def def = plain_def();
    def.with_forces = true;
    def.paint = CN_PAINT_PRESSURE;
    scene s = two_disks(10.0, CN_STATUS_STICK);
    s.contact[0].i = 77;
    s.contact[0].j = -1;
    s.contact[s.contact_count++] = (cn_contact){.r = {NAN, 0.0, 0.0}, .status = 99};
    cn_canvas c = draw(&s, &def);
    cn_canvas_destroy(&c);
}

CN_TEST(bad_definitions_are_named)
{
    scene s = {0};
    cn_picture_frame frame = frame_of(&s);
    cn_canvas c;
    cn_render_def def = plain_def();
    def.view[2] = -20.0;
    CN_FAILS(cn_frame_draw(&frame, &def, &c, &test_error), CN_BAD_INPUT, "x_min, y_min");
    def = plain_def();
    def.width = 0;
    CN_FAILS(cn_frame_draw(&frame, &def, &c, &test_error), CN_BAD_INPUT, "0 x 200");
    def = plain_def();
    def.paint = (cn_paint)9;
    CN_FAILS(cn_frame_draw(&frame, &def, &c, &test_error), CN_BAD_INPUT, "paint 9");
    def = plain_def();
    def.force_scale = NAN;
    CN_FAILS(cn_frame_draw(&frame, &def, &c, &test_error), CN_BAD_INPUT, "m/N");
}

CN_TEST(same_frame_same_picture)
{
    cn_render_def def = cn_render_def_default();
    def.width = 300;
    scene s = two_disks(10.0, CN_STATUS_STICK);
    cn_canvas a = draw(&s, &def), b = draw(&s, &def);
    size_t bytes = 3 * (size_t)a.width * (size_t)a.height * sizeof *a.pixel;
    CN_TRUE(a.height == b.height && memcmp(a.pixel, b.pixel, bytes) == 0);
    cn_canvas_destroy(&a);
    cn_canvas_destroy(&b);
}

CN_MAIN(CN_RUN(bodies_are_where_they_should_be); CN_RUN(mark_shows_the_turn);
        CN_RUN(joints_are_drawn); CN_RUN(half_plane_fills_the_ground);
        CN_RUN(force_line_joins_centres_with_proportional_thickness);
        CN_RUN(largest_force_is_a_third_of_a_body); CN_RUN(contact_with_ground_ends_at_the_point);
        CN_RUN(speed_and_pressure_colour_the_bodies); CN_RUN(view_fits_free_bodies_and_drums);
        CN_RUN(view_shows_a_strip_of_ground); CN_RUN(odd_scenes_make_pictures);
        CN_RUN(broken_contacts_are_survived); CN_RUN(bad_definitions_are_named);
        CN_RUN(same_frame_same_picture);)
