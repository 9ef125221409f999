// unit/picture_space.c -- pictures of solids: colours, outlines, hiding, light, cameras.
#include <stdlib.h>

#include "picture/render.h"
#include "picture/space/space_draw.h"
#include "test.h"

static const cn_mat3 upright = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
static const cn_vec3 box_vertex[8] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const int box_start[7] = {0, 4, 8, 12, 16, 20, 24};
static const int box_loop[24] = {3, 2, 1, 0, 4, 5, 6, 7, 0, 1, 5, 4,
                                 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};
static const cn_space_faces box_faces = {.vertex_count = 8,
                                         .face_count = 6,
                                         .vertex = box_vertex,
                                         .face_start = box_start,
                                         .face_vertex = box_loop};

enum { SIZE = 200 };

static cn_space_part sphere(double x, double y, double z, double radius, unsigned hex)
{
    return (cn_space_part){.kind = CN_PART_BALL,
                           .radius = radius,
                           .at = {x, y, z},
                           .turn = upright,
                           .body = (int)hex,
                           .colour = cn_colour_hex(hex)};
}

static cn_space_part box(double x, double y, double z, unsigned hex)
{
    return (cn_space_part){.kind = CN_PART_FACES,
                           .faces = &box_faces,
                           .at = {x, y, z},
                           .turn = upright,
                           .body = (int)hex,
                           .colour = cn_colour_hex(hex)};
}

// Plain colours, parallel rays along +y, 4 m by 4 m around the origin.
static cn_space_def plain(const cn_space_part *part, int count)
{
    cn_space_def def = cn_space_def_default();
    def.part = part;
    def.part_count = count;
    def.camera = (cn_space_camera){.eye = {0.0, -10.0, 0.0}, .up = {0.0, 0.0, 1.0}, .height = 4.0};
    def.area[2] = def.area[3] = SIZE;
    def.line_width = 0.0;
    def.is_plain = true;
    return def;
}

static cn_canvas draw(const cn_space_def *def)
{
    cn_canvas canvas;
    CN_DO(cn_canvas_create(SIZE, SIZE, cn_tone_paper(), &canvas, &test_error));
    CN_DO(cn_space_draw(def, &canvas, &test_error));
    return canvas;
}

static const float *pixel_at(const cn_canvas *c, int x, int y)
{
    return c->pixel + 3 * (y * c->width + x);
}

// Area that is not paper, for black parts [pixel].
static double painted(const cn_canvas *c)
{
    double sum = 0.0;
    for (int k = 0; k < c->width * c->height; k++) {
        sum += 1.0 - c->pixel[3 * k];
    }
    return sum;
}

static bool is_colour(const float *pixel, unsigned hex)
{
    cn_colour c = cn_colour_hex(hex);
    return fabsf(pixel[0] - c.r) + fabsf(pixel[1] - c.g) + fabsf(pixel[2] - c.b) < 1e-5f;
}

CN_TEST(sphere_has_its_colour_and_area)
{
    cn_space_part part = sphere(0.1, 0.0, -0.2, 1.5, 0x336699);
    cn_space_def def = plain(&part, 1);
    cn_canvas c = draw(&def);
    CN_TRUE(is_colour(pixel_at(&c, SIZE / 2, SIZE / 2), 0x336699));
    CN_TRUE(is_colour(pixel_at(&c, 5, 5), 0xffffff));
    cn_canvas_destroy(&c);
    part.colour = cn_colour_hex(0);
    c = draw(&def);
    double area = CN_PI * 75.0 * 75.0; // 50 pixels per metre
    CN_NEAR(painted(&c), area, 0.005 * area, "2 x 2 samples: random errors along the outline");
    cn_canvas_destroy(&c);
}

// A ball at distance d is seen under the half angle asin(r / d): its outline is a circle of radius
// tan of that, and the picture is tan(view / 2) high.
CN_TEST(perspective_outline_of_a_sphere)
{
    cn_space_part part = sphere(0.0, 0.0, 0.0, 1.0, 0);
    cn_space_def def = plain(&part, 1);
    def.camera.eye.y = -4.0;
    def.camera.view_angle = 1.0;
    cn_canvas c = draw(&def);
    double radius = 0.5 * SIZE * tan(asin(0.25)) / tan(0.5), area = CN_PI * radius * radius;
    CN_NEAR(painted(&c), area, 0.008 * area, "2 x 2 samples: random errors along the outline");
    cn_canvas_destroy(&c);
}

CN_TEST(capsule_and_box_have_their_area)
{
    cn_space_part part = {.kind = CN_PART_ROD,
                          .radius = 0.4,
                          .length = 2.0,
                          .turn = upright,
                          .colour = cn_colour_hex(0)};
    cn_space_def def = plain(&part, 1);
    cn_canvas c = draw(&def);
    double area = 2500.0 * (CN_PI * 0.16 + 0.8 * 2.0);
    CN_NEAR(painted(&c), area, 0.005 * area, "2 x 2 samples: random errors along the outline");
    cn_canvas_destroy(&c);
    part = box(0.013, 0.0, 0.007, 0);
    c = draw(&def);
    CN_NEAR(painted(&c), 1e4, 0.02 * 1e4, "half a sample along each side");
    cn_canvas_destroy(&c);
}

CN_TEST(nearer_hides_farther)
{
    cn_space_part part[3] = {sphere(0.0, -3.0, 0.0, 0.5, 0x112233), box(0.0, 0.0, 0.0, 0x445566),
                             sphere(0.0, 3.0, 0.0, 1.9, 0x778899)};
    const int order[3][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
    for (int k = 0; k < 3; k++) {
        cn_space_part sorted[3] = {part[order[k][0]], part[order[k][1]], part[order[k][2]]};
        cn_space_def def = plain(sorted, 3);
        cn_canvas c = draw(&def);
        CN_TRUE(is_colour(pixel_at(&c, 100, 100), 0x112233));
        CN_TRUE(is_colour(pixel_at(&c, 140, 100), 0x445566));
        CN_TRUE(is_colour(pixel_at(&c, 170, 100), 0x778899));
        cn_canvas_destroy(&c);
    }
}

// A box crossing a plane that leans: the line where they meet is where the depths agree.
CN_TEST(faces_have_the_depth_of_their_plane)
{
    cn_space_part part[2] = {box(0.0, 0.0, 0.0, 0x112233),
                             {.kind = CN_PART_GROUND,
                              .at = {0.0, -1.0, 0.3},
                              .turn = cn_quat_matrix((cn_quat){cos(0.2), sin(0.2), 0.0, 0.0}),
                              .colour = cn_colour_hex(0x445566)}};
    cn_space_def def = plain(part, 2);
    def.camera.view_angle = 0.4;
    def.camera.target.y = 1.0;
    cn_canvas c = draw(&def);
    // the front face y = -1 is 9 m away and meets the plane at z = 0.3
    int row = (int)(0.5 * SIZE - 0.5 * SIZE / tan(0.2) * 0.3 / 9.0);
    CN_TRUE(is_colour(pixel_at(&c, 100, row - 2), 0x112233));
    CN_TRUE(is_colour(pixel_at(&c, 100, row + 2), 0x445566));
    cn_canvas_destroy(&c);
}

static double lightness(const float *pixel)
{
    double lab[3];
    cn_colour_to_lab((cn_colour){pixel[0], pixel[1], pixel[2], 1.0f}, lab);
    return lab[0];
}

// Seen from the front right above, the light comes from the upper left: top, then front, then the
// right side.
CN_TEST(box_faces_have_different_shades)
{
    cn_space_part part = box(0.0, 0.0, 0.0, 0x7fa8cc);
    cn_space_def def = plain(&part, 1);
    def.is_plain = false;
    CN_DO(cn_space_camera_fit(&def, &(cn_space_gaze){-0.25 * CN_PI, 0.6, 0.0, 1.0, 0.1},
                              &def.camera, &test_error));
    cn_canvas c = draw(&def);
    double top = lightness(pixel_at(&c, 100, 60)), front = lightness(pixel_at(&c, 65, 120)),
           side = lightness(pixel_at(&c, 135, 120));
    CN_TRUE(top > front + 0.03);
    CN_TRUE(front > side + 0.03);
    CN_TRUE(side > 0.3); // never black
    cn_canvas_destroy(&c);
}

// Light changes lightness, hardly hue.
CN_TEST(lit_sphere_keeps_its_hue)
{
    cn_space_part part = sphere(0.0, 0.0, 0.0, 1.0, 0x336699);
    cn_space_def def = plain(&part, 1);
    def.is_plain = false;
    cn_canvas c = draw(&def);
    const float *pixel = pixel_at(&c, SIZE / 2, SIZE / 2);
    double seen[3], given[3];
    cn_colour_to_lab((cn_colour){pixel[0], pixel[1], pixel[2], 1.0f}, seen);
    cn_colour_to_lab(part.colour, given);
    CN_NEAR(atan2(seen[2], seen[1]), atan2(given[2], given[1]), 0.08, "white gloss and haze");
    CN_NEAR(seen[0], given[0], 0.12, "about half of full light falls on what faces the camera");
    cn_canvas_destroy(&c);
}

// The ground is darker under a ball than away from it.
CN_TEST(ball_shades_the_ground)
{
    cn_space_part part[2] = {{.kind = CN_PART_GROUND, .turn = upright},
                             sphere(0.0, 0.0, 1.0, 1.0, 0xe8b76b)};
    cn_space_def def = plain(part, 2);
    def.is_plain = false;
    def.camera = (cn_space_camera){
        .eye = {0.0, -10.0, 5.0}, .target = {0.0, 0.0, 0.5}, .up = {0.0, 0.0, 1.0}, .height = 5.0};
    cn_canvas c = draw(&def);
    double right = lightness(pixel_at(&c, 150, 118)), left = lightness(pixel_at(&c, 20, 125));
    CN_TRUE(right < left - 0.05); // the light comes from the left
    cn_canvas_destroy(&c);
}

// Light passes where no lamp's map can tell: open ground far behind the scene is as light as near.
CN_TEST(ground_beyond_the_maps_is_lit)
{
    cn_space_part part[2] = {{.kind = CN_PART_GROUND, .turn = upright},
                             sphere(0.0, 0.0, 3.9, 0.1, 0xe8b76b)};
    part[1].at.x = -4.0;
    cn_space_part both[3] = {part[0], part[1], part[1]};
    both[2].at = cn_v3(4.0, 0.0, 0.1);
    cn_space_def def = plain(both, 3);
    def.is_plain = false;
    def.camera = (cn_space_camera){
        .eye = {0.0, 0.0, 50.0}, .target = {0.0, 0.0, 0.0}, .up = {0.0, 1.0, 0.0}, .height = 30.0};
    cn_canvas c = draw(&def);
    for (int k = 0; k < SIZE / 2; k++) { // away from the light on the right, near it on the left
        CN_NEAR(lightness(pixel_at(&c, SIZE - 1 - k, 70)), lightness(pixel_at(&c, k, 70)), 0.02,
                "both sides are open; a few lamps close to the horizon meet the balls");
    }
    cn_canvas_destroy(&c);
}

CN_TEST(outlines_and_joints_are_dark_lines)
{
    cn_space_part part[2] = {box(-1.0, 0.0, 0.0, 0xe0e0e0), box(1.0, 0.0, 0.0, 0xe0e0e1)};
    cn_space_def def = plain(part, 2);
    def.line_width = 1.0;
    cn_canvas c = draw(&def);
    double face = lightness(pixel_at(&c, 60, 100));
    double joint = fmin(lightness(pixel_at(&c, 99, 100)), lightness(pixel_at(&c, 100, 100)));
    CN_TRUE(joint < face - 0.1);
    cn_canvas_destroy(&c);
    part[1].body = part[0].body; // pieces of one body, in one plane
    c = draw(&def);
    CN_NEAR(lightness(pixel_at(&c, 100, 100)), face, 1e-3, "no line inside a flat face");
    cn_canvas_destroy(&c);
}

CN_TEST(forces_shine_through_bodies)
{
    cn_space_part part = box(0.0, 0.0, 0.0, 0xffffff);
    cn_space_force force[2] = {{{{-0.5, 0.0, -0.8}, {-0.5, 0.0, 0.8}}, 0.1, {0, 0, 0, 1}},
                               {{{0.5, -2.0, -0.8}, {0.5, -2.0, 0.8}}, 0.1, {0, 0, 0, 1}}};
    cn_space_def def = plain(&part, 1);
    def.force = force;
    def.force_count = 2;
    cn_canvas c = draw(&def);
    CN_NEAR(pixel_at(&c, 125, 100)[0], 0.0, 1e-6, "in front of the box");
    float inside = pixel_at(&c, 75, 100)[0];
    CN_TRUE(inside > 0.1f && inside < 0.8f);
    cn_canvas_destroy(&c);
}

// Everything is inside the picture and touches its margins.
CN_TEST(camera_fits_the_scene)
{
    cn_space_part part[3] = {sphere(2.0, 1.0, 0.5, 0.5, 0), box(-3.0, 0.0, 1.0, 0),
                             sphere(NAN, 0.0, 0.0, 1.0, 0)};
    for (int k = 0; k < 4; k++) {
        cn_space_def def = plain(part, 3);
        double angle = k < 2 ? 0.0 : 0.7;
        CN_DO(cn_space_camera_fit(&def, &(cn_space_gaze){1.7 * k, 0.5, angle, 1.0, 0.1},
                                  &def.camera, &test_error));
        cn_canvas c = draw(&def);
        int box_min = SIZE, box_max = 0;
        for (int n = 0; n < SIZE * SIZE; n++) {
            if (c.pixel[3 * n] < 0.9f) {
                int x = n % SIZE, y = n / SIZE;
                box_min = x < box_min ? x : box_min;
                box_max = x > box_max ? x : box_max;
                box_min = y < box_min ? y : box_min;
                box_max = y > box_max ? y : box_max;
            }
        }
        CN_TRUE(box_min >= 19 && box_max <= 180); // margin 20 pixels
        CN_TRUE(box_min <= 21 || box_max >= 178);
        cn_canvas_destroy(&c);
    }
}

// A camera that turns keeps its distance, so that nothing changes size, and nothing leaves the
// picture.
CN_TEST(turning_camera_keeps_scale_and_centre)
{
    cn_space_part part[2] = {sphere(2.0, 1.0, 0.5, 0.5, 0), box(-3.0, 0.0, 1.0, 0)};
    for (int parallel = 0; parallel < 2; parallel++) {
        cn_space_def def = plain(part, 2);
        def.is_turning = true;
        double aspect[2], angle = parallel ? 0.0 : 0.7;
        cn_space_camera first, c;
        CN_DO(cn_space_camera_fit(&def, &(cn_space_gaze){0.0, 0.5, angle, 1.0, 0.1}, &first,
                                  &test_error));
        CN_DO(cn_space_aspect(&def, 0.0, 0.5, &aspect[0], &test_error));
        for (int k = 1; k < 8; k++) {
            double azimuth = 0.25 * CN_PI * k;
            CN_DO(cn_space_camera_fit(&def, &(cn_space_gaze){azimuth, 0.5, angle, 1.0, 0.1}, &c,
                                      &test_error));
            CN_DO(cn_space_aspect(&def, azimuth, 0.5, &aspect[1], &test_error));
            CN_NEAR(c.height, first.height, 1e-12, "the same circles about the axis, rounding");
            CN_NEAR(aspect[1], aspect[0], 1e-12, "rounding");
            cn_vec3 moved = cn_sub3(c.target, first.target);
            CN_NEAR(hypot(moved.x, moved.y), 0.0, 2.0 * fabs(first.target.z - 1.0) + 1e-12,
                    "the target may lie off the middle height, along the picture's up");
            def.camera = c;
            cn_canvas canvas = draw(&def);
            CN_TRUE(is_colour(pixel_at(&canvas, 10, 100), 0xffffff));
            CN_TRUE(is_colour(pixel_at(&canvas, SIZE - 10, 100), 0xffffff));
            CN_TRUE(painted(&canvas) > 1000.0);
            cn_canvas_destroy(&canvas);
        }
    }
}

// Looking at a box of 2 m that is given sees it with its margins, whatever else is there.
CN_TEST(camera_fits_the_box_it_is_given)
{
    cn_space_part part[2] = {box(0.0, 0.0, 0.0, 0), sphere(50.0, 0.0, 0.0, 1.0, 0)};
    cn_space_def def = plain(part, 2);
    cn_box3 frame = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
    def.frame = &frame;
    CN_DO(cn_space_camera_fit(&def, &(cn_space_gaze){-0.5 * CN_PI, 0.0, 0.0, 1.0, 0.1}, &def.camera,
                              &test_error));
    CN_NEAR(def.camera.height, 2.0 / 0.8, 1e-12, "2 m and a margin of a tenth on both sides");
    CN_NEAR(cn_norm3(def.camera.target), 0.0, 1e-12, "its middle");
    cn_box3 all;
    CN_DO(cn_space_box(&def, &all, &test_error));
    CN_NEAR(all.hi.x, 51.0, 0.0, "all that is there");
}

// A ball of 1 m on the ground, pressed by 100 N, in front of a fixed plate or behind it.
typedef struct scene {
    cn_solid_def solid[3];
    double point[24], q[21], v[18];
    cn_body_id id[3];
    int group[3];
    cn_contact contact;
    cn_picture_frame frame;
} scene;

static int body_of(const scene *s, cn_body_id id)
{
    int k = 0;
    while (k < 2 && memcmp(&s->id[k], &id, sizeof id) != 0) {
        k++;
    }
    return k;
}

static const cn_solid_def *solids_of(const void *context, cn_body_id id, int *count)
{
    const scene *s = context;
    *count = 1;
    return &s->solid[body_of(s, id)];
}

static bool is_fixed(const void *context, cn_body_id id)
{
    return body_of(context, id) != 1;
}

static void make_scene(scene *s, double plate_y)
{
    *s = (scene){0};
    cn_box_corners(3.0, 0.1, 3.0, s->point);
    s->solid[0].kind = CN_SOLID_HALF_SPACE;
    s->solid[1] = (cn_solid_def){.kind = CN_SOLID_SPHERE, .radius = 0.5};
    s->solid[2] = (cn_solid_def){.kind = CN_SOLID_HULL, .point_count = 8, .point = s->point};
    for (int k = 0; k < 3; k++) {
        memcpy(&s->id[k], &(int){k + 1}, sizeof(int));
        s->q[7 * k + 3] = 1.0;
    }
    s->q[7 + 2] = 0.5;
    s->q[14 + 1] = plate_y;
    s->q[14 + 2] = 1.5;
    s->v[6 + 2] = 3.0;
    s->contact = (cn_contact){.i = 1, .normal = {0.0, 0.0, 1.0}, .r = {0.1}, .status = 1};
    s->frame = (cn_picture_frame){.context = s, .solids = solids_of, .is_fixed = is_fixed};
    s->frame.state = (cn_frame){.h = 1e-3,
                                .body_count = 3,
                                .id = s->id,
                                .group = s->group,
                                .q = s->q,
                                .v = s->v,
                                .contact_count = 1,
                                .contact = &s->contact};
}

static cn_canvas draw_scene(const scene *s, bool with_forces)
{
    cn_render_def def = cn_render_def_default();
    def.width = def.height = SIZE;
    def.with_legend = false;
    def.with_forces = with_forces;
    def.azimuth = -0.5 * CN_PI;
    cn_canvas c = {0};
    CN_DO(cn_frame_draw(&s->frame, &def, &c, &test_error));
    return c;
}

static int count_blue(const cn_canvas *c)
{
    int count = 0;
    for (int k = 0; k < c->width * c->height; k++) {
        count += c->pixel[3 * k + 2] > c->pixel[3 * k] + 0.1f;
    }
    return count;
}

CN_TEST(fixed_plate_does_not_hide_the_ball)
{
    scene s;
    make_scene(&s, 1.0);
    cn_canvas behind = draw_scene(&s, false);
    make_scene(&s, -1.0);
    cn_canvas before = draw_scene(&s, false);
    CN_TRUE(count_blue(&behind) > 300);
    CN_TRUE(count_blue(&before) > 300);
    cn_canvas_destroy(&behind);
    cn_canvas_destroy(&before);
}

CN_TEST(frame_shows_forces_and_survives_lost_bodies)
{
    scene s;
    make_scene(&s, 1.0);
    cn_canvas with = draw_scene(&s, true);
    s.contact.point[0] = 50.0; // out of sight; paler bodies in both
    cn_canvas without = draw_scene(&s, true);
    int darker = 0;
    for (int k = 0; k < SIZE * SIZE; k++) {
        darker += with.pixel[3 * k] < without.pixel[3 * k] - 0.15f;
    }
    CN_TRUE(darker > 20); // the rod from the ground to the centre of the ball
    cn_canvas_destroy(&without);
    cn_canvas_destroy(&with);
    s.q[7] = NAN;
    cn_canvas lost = draw_scene(&s, true);
    CN_NEAR(count_blue(&lost), 0.0, 0.0, "the ball has no place");
    cn_canvas_destroy(&lost);
    s.frame.state.body_count = s.frame.state.contact_count = 0;
    cn_canvas empty = draw_scene(&s, true);
    CN_NEAR(painted(&empty), 0.0, 0.0, "nothing is there");
    cn_canvas_destroy(&empty);
}

// Pixels that one joint of the ball makes darker than a joint that is broken.
static int joint_pixels(cn_joint_kind kind)
{
    scene s;
    make_scene(&s, 1.0);
    cn_joint_state joint = {
        .kind = kind, .i = 1, .j = -1, .point = {0.0, 0.0, 0.5}, .axis = {0.0, 0.0, 1.0}};
    joint.end[2] = kind == CN_JOINT_CABLE ? 2.5 : 0.5;
    s.frame.state.joint_count = 1;
    s.frame.state.joint = &joint;
    cn_canvas with = draw_scene(&s, false);
    joint.is_broken = 1;
    cn_canvas without = draw_scene(&s, false);
    int darker = 0;
    for (int k = 0; k < SIZE * SIZE; k++) {
        darker += with.pixel[3 * k] < without.pixel[3 * k] - 0.03f;
    }
    cn_canvas_destroy(&with);
    cn_canvas_destroy(&without);
    return darker;
}

CN_TEST(joints_are_drawn)
{
    CN_TRUE(joint_pixels(CN_JOINT_CABLE) > 20); // from the ball upwards
    CN_TRUE(joint_pixels(CN_JOINT_BALL) > 20);  // in the middle of the ball, shining through
    CN_TRUE(joint_pixels(CN_JOINT_HINGE) > 20);
}

CN_TEST(equal_input_gives_equal_pixels)
{
    cn_space_part part[3] = {{.kind = CN_PART_GROUND, .turn = upright},
                             sphere(0.3, 0.2, 1.0, 1.0, 0xe8b76b),
                             box(-1.5, 0.0, 1.0, 0x7fa8cc)};
    cn_space_def def = plain(part, 3);
    def.is_plain = false;
    def.line_width = 1.0;
    CN_DO(cn_space_camera_fit(&def, &(cn_space_gaze){-1.0, 0.4, 0.5, 1.0, 0.1}, &def.camera,
                              &test_error));
    cn_canvas a = draw(&def), b = draw(&def);
    CN_TRUE(memcmp(a.pixel, b.pixel, 3 * SIZE * SIZE * sizeof *a.pixel) == 0);
    cn_canvas_destroy(&a);
    cn_canvas_destroy(&b);
}

CN_TEST(bad_cameras_are_refused)
{
    cn_space_part part = sphere(0.0, 0.0, 0.0, 1.0, 0);
    cn_space_def def = plain(&part, 1);
    cn_canvas c = draw(&def);
    def.camera.eye = def.camera.target;
    CN_FAILS(cn_space_draw(&def, &c, &test_error), CN_BAD_INPUT, "sees nothing");
    def = plain(&part, 1);
    def.camera.eye.x = NAN;
    CN_FAILS(cn_space_draw(&def, &c, &test_error), CN_BAD_INPUT, "sees nothing");
    def = plain(&part, 1);
    def.sampling = 0;
    CN_FAILS(cn_space_draw(&def, &c, &test_error), CN_BAD_INPUT, "samples");
    CN_FAILS(cn_space_camera_fit(&def, &(cn_space_gaze){NAN, 0.0, 0.0, 1.0, 0.1}, &def.camera,
                                 &test_error),
             CN_BAD_INPUT, "azimuth");
    cn_canvas_destroy(&c);
}

CN_MAIN(CN_RUN(sphere_has_its_colour_and_area); CN_RUN(perspective_outline_of_a_sphere);
        CN_RUN(capsule_and_box_have_their_area); CN_RUN(nearer_hides_farther);
        CN_RUN(faces_have_the_depth_of_their_plane); CN_RUN(box_faces_have_different_shades);
        CN_RUN(lit_sphere_keeps_its_hue); CN_RUN(ball_shades_the_ground);
        CN_RUN(ground_beyond_the_maps_is_lit); CN_RUN(fixed_plate_does_not_hide_the_ball);
        CN_RUN(frame_shows_forces_and_survives_lost_bodies); CN_RUN(joints_are_drawn);
        CN_RUN(outlines_and_joints_are_dark_lines); CN_RUN(forces_shine_through_bodies);
        CN_RUN(camera_fits_the_scene); CN_RUN(turning_camera_keeps_scale_and_centre);
        CN_RUN(camera_fits_the_box_it_is_given); CN_RUN(equal_input_gives_equal_pixels);
        CN_RUN(bad_cameras_are_refused);)
