// unit/picture_canvas.c -- coverage is the exact area; text, colours and PNG files.
#include <png.h>
#include <stdlib.h>
#include <unistd.h>

#include "picture/font.h"
#include "picture/save.h"
#include "test.h"

static const cn_colour black = {0.0f, 0.0f, 0.0f, 1.0f};
static const cn_colour white = {1.0f, 1.0f, 1.0f, 1.0f};

static cn_canvas make_canvas(int width, int height)
{
    cn_canvas canvas;
    CN_DO(cn_canvas_create(width, height, white, &canvas, &test_error));
    return canvas;
}

// Area painted black on white [pixel].
static double painted(const cn_canvas *c)
{
    double sum = 0.0;
    for (int k = 0; k < c->width * c->height; k++) {
        sum += 1.0 - c->pixel[3 * k];
    }
    return sum;
}

static double red_at(const cn_canvas *c, int x, int y)
{
    return c->pixel[3 * (y * c->width + x)];
}

CN_TEST(disk_has_its_area)
{
    const double radius[] = {0.3, 1.0, 2.7, 11.0, 47.3};
    for (int k = 0; k < 5; k++) {
        cn_canvas c = make_canvas(100, 100);
        double r = radius[k], area = CN_PI * r * r;
        cn_canvas_disk(&c, 50.21, 49.83, r, black);
        CN_NEAR(painted(&c), area, 1e-4 * area + 1e-4, "single precision sums of exact areas");
        cn_canvas_destroy(&c);
    }
}

CN_TEST(disk_colours_inside_and_spares_outside)
{
    cn_canvas c = make_canvas(60, 60);
    cn_canvas_disk(&c, 30.0, 30.0, 20.0, cn_colour_hex(0x336699));
    const float *inside = c.pixel + 3 * (30 * 60 + 30);
    CN_NEAR(inside[0], 0x33 / 255.0, 1e-6, "full coverage gives the colour itself");
    CN_NEAR(inside[1], 0x66 / 255.0, 1e-6, "full coverage gives the colour itself");
    CN_NEAR(inside[2], 0x99 / 255.0, 1e-6, "full coverage gives the colour itself");
    CN_NEAR(red_at(&c, 30, 8), 1.0, 0.0, "outside stays paper");
    CN_NEAR(red_at(&c, 12, 12), 1.0, 0.0, "the corner of its box is outside");
    cn_canvas_destroy(&c);
}

CN_TEST(ring_is_the_difference_of_two_disks)
{
    cn_canvas c = make_canvas(100, 100);
    cn_cover_disk(&c, 50.0, 50.0, 40.0);
    cn_cover_hole(&c, 50.0, 50.0, 30.0);
    cn_canvas_paint(&c, black);
    CN_NEAR(painted(&c), CN_PI * 700.0, 0.2, "single precision");
    CN_NEAR(red_at(&c, 50, 50), 1.0, 1e-6, "the middle is empty");
    cn_canvas_destroy(&c);
}

CN_TEST(polygon_area_whatever_its_orientation)
{
    double forth[] = {10.3, 5.2, 70.1, 20.9, 40.6, 33.3, 60.0, 80.7, 12.5, 60.2}; // not convex
    double back[10], area = 0.0;
    for (int k = 0; k < 5; k++) {
        const double *a = forth + 2 * k, *b = forth + 2 * ((k + 1) % 5);
        area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
        back[2 * k] = forth[2 * (4 - k)];
        back[2 * k + 1] = forth[2 * (4 - k) + 1];
    }
    cn_canvas c = make_canvas(90, 90), d = make_canvas(90, 90);
    cn_canvas_polygon(&c, 5, forth, black);
    cn_canvas_polygon(&d, 5, back, black);
    CN_NEAR(painted(&c), fabs(area), 1e-2, "single precision");
    CN_NEAR(painted(&d), fabs(area), 1e-2, "single precision");
    cn_canvas_destroy(&c);
    cn_canvas_destroy(&d);
}

CN_TEST(line_is_as_thick_as_asked)
{
    const double width[] = {0.4, 1.0, 3.3, 9.0};
    for (int k = 0; k < 4; k++) {
        cn_canvas c = make_canvas(120, 90);
        double w = width[k], length = hypot(80.0, 50.0);
        cn_canvas_line(&c, 20.0, 20.0, 100.0, 70.0, w, black);
        double area = length * w + 0.25 * CN_PI * w * w;
        CN_NEAR(painted(&c), area, 2e-3 * area, "round caps are drawn as chords");
        cn_canvas_destroy(&c);
    }
    cn_canvas c = make_canvas(40, 40);
    cn_canvas_line(&c, -10.0, 20.0, 50.0, 20.0, 3.0, black);
    double column = 0.0;
    for (int y = 0; y < 40; y++) {
        column += 1.0 - red_at(&c, 20, y);
    }
    CN_NEAR(column, 3.0, 1e-5, "a horizontal line crosses the column exactly");
    cn_canvas_destroy(&c);
}

// A curve of many short pieces covers no more than one of few: joints do not pile up.
CN_TEST(short_pieces_do_not_thicken_a_line)
{
    enum { PIECES = 200 };
    double xy[2 * (PIECES + 1)];
    for (int k = 0; k <= PIECES; k++) {
        double angle = CN_PI * k / PIECES;
        xy[2 * k] = 50.0 + 30.0 * cos(angle);
        xy[2 * k + 1] = 60.0 - 30.0 * sin(angle);
    }
    cn_canvas c = make_canvas(100, 100);
    cn_cover_polyline(&c, PIECES + 1, xy, 2.0, false);
    cn_canvas_paint(&c, black);
    double area = 2.0 * 30.0 * CN_PI + CN_PI;
    CN_NEAR(painted(&c), area, 0.005 * area, "inner sides overlap a little at each corner");
    cn_canvas_destroy(&c);
}

CN_TEST(clipping_keeps_the_part_inside)
{
    cn_canvas c = make_canvas(50, 50);
    double box[4] = {10.0, 5.0, 30.0, 25.0};
    cn_canvas_clip(&c, box);
    double huge[6] = {-1e9, -1e9, 1e9, -1e9, 0.0, 2e9};
    cn_canvas_polygon(&c, 3, huge, black);
    CN_NEAR(painted(&c), 400.0, 1e-3, "the whole box");
    CN_NEAR(red_at(&c, 9, 10), 1.0, 0.0, "left of the box");
    CN_NEAR(red_at(&c, 30, 10), 1.0, 0.0, "right of the box");
    cn_canvas_clip(&c, NULL);
    cn_canvas_disk(&c, 0.0, 50.0, 4.0, black);
    CN_NEAR(painted(&c), 400.0 + 4.0 * CN_PI, 1e-2, "a quarter of a disk over the corner");
    cn_canvas_destroy(&c);
}

CN_TEST(not_finite_draws_nothing)
{
    cn_canvas c = make_canvas(20, 20);
    double bad[6] = {1.0, 1.0, NAN, 5.0, 9.0, 9.0};
    cn_canvas_polygon(&c, 3, bad, black);
    cn_canvas_disk(&c, 5.0, INFINITY, 3.0, black);
    cn_canvas_disk(&c, 5.0, 5.0, NAN, black);
    cn_canvas_line(&c, NAN, 0.0, 5.0, 5.0, 1.0, black);
    CN_NEAR(painted(&c), 0.0, 0.0, "dropped");
    cn_canvas_box(&c, 2.0, 2.0, 4.0, 4.0, black);
    CN_NEAR(painted(&c), 4.0, 1e-6, "the canvas still works");
    cn_canvas_destroy(&c);
}

CN_TEST(every_letter_draws_within_its_width)
{
    cn_font font = {.size = 16.0};
    for (char letter = 33; letter < 127; letter++) {
        char text[2] = {letter, '\0'};
        cn_canvas c = make_canvas(60, 40);
        cn_canvas_text(&c, 20.0, 25.0, font, black, text);
        CN_TRUE(painted(&c) > 1.0);
        double width = cn_text_width(font, text), outside = 0.0;
        for (int y = 0; y < 40; y++) {
            for (int x = 0; x < 60; x++) {
                bool is_out = x < 19 || x > 21 + width;
                outside += is_out ? 1.0 - red_at(&c, x, y) : 0.0;
            }
        }
        CN_NEAR(outside, 0.0, 1e-5, letter == '@' ? "@" : "ink stays between the bearings");
        cn_canvas_destroy(&c);
    }
}

CN_TEST(alignment_and_utf8)
{
    cn_font left = {.size = 20.0}, right = {.size = 20.0, .align = CN_ALIGN_RIGHT};
    double width = cn_text_width(left, "time");
    cn_canvas a = make_canvas(200, 40), b = make_canvas(200, 40);
    cn_canvas_text(&a, 10.0, 30.0, left, black, "time");
    cn_canvas_text(&b, 10.0 + width, 30.0, right, black, "time");
    CN_TRUE(memcmp(a.pixel, b.pixel, 3 * 200 * 40 * sizeof *a.pixel) == 0);
    CN_NEAR(cn_text_width(left, "\xc3\xa9"), cn_text_width(left, "e"), 0.0, "accents are dropped");
    CN_NEAR(cn_text_width(left, "\xc3"), cn_text_width(left, "?"), 0.0, "broken UTF-8");
    cn_canvas_destroy(&a);
    cn_canvas_destroy(&b);
}

CN_TEST(scale_is_uniform_and_darkens)
{
    cn_scale scale;
    cn_scale_fill(&scale);
    double last[3], step_min = INFINITY, step_max = 0.0;
    cn_colour_to_lab(cn_scale_at(&scale, 0.0), last);
    for (int k = 1; k <= 32; k++) {
        double lab[3];
        cn_colour_to_lab(cn_scale_at(&scale, k / 32.0), lab);
        double step =
            sqrt(pow(lab[0] - last[0], 2) + pow(lab[1] - last[1], 2) + pow(lab[2] - last[2], 2));
        step_min = fmin(step_min, step);
        step_max = fmax(step_max, step);
        CN_TRUE(lab[0] < last[0]);
        memcpy(last, lab, sizeof last);
    }
    CN_NEAR(step_max / step_min, 1.0, 0.05, "chords of equal arcs; all colours within sRGB");
    CN_TRUE(cn_scale_at(&scale, NAN).r == cn_scale_at(&scale, NAN).g);
}

CN_TEST(png_reads_back)
{
    const char *path = "picture_canvas_test.png";
    cn_canvas c = make_canvas(37, 23);
    cn_canvas_box(&c, 5.0, 6.0, 9.0, 9.0, cn_colour_hex(0x102030));
    CN_DO(cn_canvas_save(&c, path, &test_error));
    png_image image = {.version = PNG_IMAGE_VERSION};
    CN_TRUE(png_image_begin_read_from_file(&image, path) != 0);
    CN_TRUE(image.width == 37 && image.height == 23);
    image.format = PNG_FORMAT_RGB;
    unsigned char bytes[37 * 23 * 3];
    CN_TRUE(png_image_finish_read(&image, NULL, bytes, 0, NULL) != 0);
    const unsigned char *at = bytes + 3 * (7 * 37 + 6);
    CN_TRUE(at[0] == 0x10 && at[1] == 0x20 && at[2] == 0x30);
    CN_TRUE(bytes[0] == 255 && bytes[1] == 255 && bytes[2] == 255);
    remove(path);
    cn_canvas_destroy(&c);
}

CN_TEST(unwritable_paths_are_named_and_leave_nothing)
{
    cn_canvas c = make_canvas(8, 8);
    CN_FAILS(cn_canvas_save(&c, "no/such/folder/a.png", &test_error), CN_IO,
             "no/such/folder/a.png': No such file");
    CN_FAILS(cn_canvas_save(&c, "/dev/full", &test_error), CN_IO, "No space left");
    char folder[] = "picture_test_XXXXXX", path[64];
    CN_TRUE(mkdtemp(folder) != NULL);
    CN_FAILS(cn_canvas_save(&c, folder, &test_error), CN_IO, "directory");
    snprintf(path, sizeof path, "%s/a.png", folder);
    CN_DO(cn_canvas_save(&c, path, &test_error));
    CN_DO(cn_canvas_save(&c, path, &test_error)); // replaces
    CN_TRUE(remove(path) == 0);
    CN_TRUE(rmdir(folder) == 0); // empty: no temporary file is left
    cn_canvas_destroy(&c);
}

CN_TEST(sizes_are_checked)
{
    cn_canvas c;
    CN_FAILS(cn_canvas_create(0, 10, white, &c, &test_error), CN_BAD_INPUT, "0 x 10");
    CN_FAILS(cn_canvas_create(10, 20000, white, &c, &test_error), CN_BAD_INPUT, "10 x 20000");
}

CN_MAIN(CN_RUN(disk_has_its_area); CN_RUN(disk_colours_inside_and_spares_outside);
        CN_RUN(ring_is_the_difference_of_two_disks); CN_RUN(polygon_area_whatever_its_orientation);
        CN_RUN(line_is_as_thick_as_asked); CN_RUN(short_pieces_do_not_thicken_a_line);
        CN_RUN(clipping_keeps_the_part_inside); CN_RUN(not_finite_draws_nothing);
        CN_RUN(every_letter_draws_within_its_width); CN_RUN(alignment_and_utf8);
        CN_RUN(scale_is_uniform_and_darkens); CN_RUN(png_reads_back);
        CN_RUN(unwritable_paths_are_named_and_leave_nothing); CN_RUN(sizes_are_checked);)
