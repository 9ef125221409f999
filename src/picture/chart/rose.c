// picture/chart/rose.c -- see rose.h.
//
// In the plane a petal is as long as its directions are frequent, and the line is the same weighted
// by the normal force. In space one looks down on the hemisphere of directions in the equal-area
// projection of Lambert: the vertical in the middle, the horizon at the edge. 1 is what every
// direction would have if all were alike.
#include "picture/chart/rose.h"

#include <math.h>
#include <stdio.h>

#include "picture/chart/axis.h"
#include "picture/chart/chart.h"

enum { ARC = 8 }; // points of the edge of a bin

typedef struct rose_sheet {
    const cn_rose *rose;
    const char *title;
} rose_sheet;

static const double middle_x = 330.0, middle_y = 304.0, radius = 205.0; // [pixel]
static const cn_font font_title = {.size = 19.0, .is_bold = true};
static const cn_font font_label = {.size = 14.0};

static int bin_count(const cn_rose *rose)
{
    return rose->rings * rose->sectors;
}

static double largest(const cn_rose *rose, bool is_force)
{
    double most = 0.0;
    for (int b = 0; b < bin_count(rose); b++) {
        most = fmax(most, cn_rose_density(rose, b, is_force));
    }
    return most;
}

static void put_polar(double *xy, double r, double angle)
{
    xy[0] = middle_x + r * cos(angle);
    xy[1] = middle_y - r * sin(angle);
}

static void draw_circle(const cn_draw *draw, double r, cn_stroke stroke)
{
    double xy[2 * 97];
    for (int k = 0; k <= 96; k++) {
        put_polar(xy + 2 * k, r, 2.0 * CN_PI * k / 96.0);
    }
    draw->polyline(draw->context, 97, xy, stroke);
}

static void draw_directions(const cn_draw *draw, bool is_plane)
{
    static const char *const name[2][4] = {{"0 deg", "90", "180", "270"}, {"x", "y", "-x", "-y"}};
    for (int k = 0; k < 4; k++) {
        double at[2];
        cn_font font = font_label;
        font.align = k == 0 ? CN_ALIGN_LEFT : k == 2 ? CN_ALIGN_RIGHT : CN_ALIGN_MIDDLE;
        put_polar(at, radius + (k % 2 == 0 ? 10.0 : 16.0), 0.5 * CN_PI * k);
        draw->text(draw->context, at[0], at[1] + 5.0, font, cn_tone_faint(),
                   name[is_plane ? 0 : 1][k]);
    }
}

// The part of a ring from r0 to r1 around the middle of a sector.
static void draw_bin(const cn_draw *draw, const cn_rose *rose, int sector, double r0, double r1,
                     cn_colour colour)
{
    double xy[4 * (ARC + 1)], width = 2.0 * CN_PI / rose->sectors;
    for (int k = 0; k <= ARC; k++) {
        double angle = width * (sector - 0.5 + (double)k / ARC);
        put_polar(xy + 2 * k, r1, angle);
        put_polar(xy + 2 * (2 * ARC + 1 - k), r0, angle);
    }
    draw->polygon(draw->context, 2 * (ARC + 1), xy, colour);
}

static void draw_key(const cn_draw *draw, double y, const char *text)
{
    draw->text(draw->context, 640.0, y, font_label, cn_tone_ink(), text);
}

static void draw_petals(const cn_draw *draw, const cn_rose *rose)
{
    double most = fmax(1.0, fmax(largest(rose, false), largest(rose, true)));
    double scale = radius / most, step = cn_round_below(most / 2.0);
    char text[40];
    for (double value = step; value <= most; value += step) {
        draw_circle(draw, scale * value, (cn_stroke){.width = 1.0, .colour = cn_tone_rule()});
    }
    for (int b = 0; b < rose->sectors; b++) {
        draw_bin(draw, rose, b, 0.0, scale * cn_rose_density(rose, b, false), cn_palette_fill(0));
    }
    double line[2 * 722];
    int count = rose->sectors < 721 ? rose->sectors : 721;
    for (int k = 0; k <= count; k++) {
        int b = k % count;
        put_polar(line + 2 * k, scale * cn_rose_density(rose, b, true), 2.0 * CN_PI * b / count);
    }
    draw->polyline(draw->context, count + 1, line,
                   (cn_stroke){.width = 2.0, .colour = cn_palette_stroke(1)});
    draw_circle(draw, scale, (cn_stroke){.width = 1.2, .dash = 5.0, .colour = cn_tone_ink()});
    for (double value = step; value <= most; value += step) {
        double at[2];
        cn_number_text(value, text, sizeof text);
        put_polar(at, scale * value, 0.27 * CN_PI);
        draw->text(draw->context, at[0], at[1], font_label, cn_tone_faint(), text);
    }
    double sample[8] = {596.0, 150.0, 626.0, 150.0, 626.0, 164.0, 596.0, 164.0};
    draw->polygon(draw->context, 4, sample, cn_palette_fill(0));
    draw_key(draw, 162.0, "contacts");
    double lines[2][4] = {{596.0, 185.0, 626.0, 185.0}, {596.0, 213.0, 626.0, 213.0}};
    draw->polyline(draw->context, 2, lines[0],
                   (cn_stroke){.width = 2.0, .colour = cn_palette_stroke(1)});
    draw_key(draw, 190.0, "weighted by normal force");
    draw->polyline(draw->context, 2, lines[1],
                   (cn_stroke){.width = 1.2, .dash = 5.0, .colour = cn_tone_ink()});
    draw_key(draw, 218.0, "all directions alike");
}

static void draw_scale_bar(const cn_draw *draw, const cn_scale *scale, double most)
{
    char text[40];
    for (int k = 0; k < 64; k++) {
        double x = 600.0 + 3.0 * k;
        double xy[8] = {x, 150.0, x + 3.2, 150.0, x + 3.2, 166.0, x, 166.0};
        draw->polygon(draw->context, 4, xy, cn_scale_at(scale, (k + 0.5) / 64.0));
    }
    draw->text(draw->context, 600.0, 138.0, font_label, cn_tone_ink(),
               "contacts, all directions alike: 1");
    draw->text(draw->context, 600.0, 186.0, font_label, cn_tone_faint(), "0");
    cn_number_text(most, text, sizeof text);
    cn_font right = font_label;
    right.align = CN_ALIGN_RIGHT;
    draw->text(draw->context, 792.0, 186.0, right, cn_tone_faint(), text);
    draw->text(draw->context, 600.0, 222.0, font_label, cn_tone_faint(),
               "middle: vertical normals, edge: horizontal");
}

static void draw_hemisphere(const cn_draw *draw, const cn_rose *rose)
{
    cn_scale scale;
    cn_scale_fill(&scale);
    double most = fmax(1.0, largest(rose, false));
    for (int ring = 0; ring < rose->rings; ring++) {
        double r0 = radius * sqrt((double)ring / rose->rings);
        double r1 = radius * sqrt((ring + 1.0) / rose->rings);
        for (int s = 0; s < rose->sectors; s++) {
            double value = cn_rose_density(rose, s + rose->sectors * ring, false);
            draw_bin(draw, rose, s, r0, r1, cn_scale_at(&scale, value / most));
        }
    }
    for (int k = 1; k < 4; k++) { // inclinations of 30, 60 and 90 degrees
        double r = radius * sqrt(1.0 - cos(CN_PI * k / 6.0));
        draw_circle(draw, r, (cn_stroke){.width = 1.0, .colour = cn_tone_faint()});
    }
    draw_scale_bar(draw, &scale, most);
}

static void draw_sheet(const void *context, const cn_draw *draw)
{
    const rose_sheet *sheet = context;
    const cn_rose *rose = sheet->rose;
    char text[80];
    draw->text(draw->context, 26.0, 38.0, font_title, cn_tone_ink(), sheet->title);
    snprintf(text, sizeof text, "%.0f contacts that press", rose->total);
    draw->text(draw->context, 26.0, 66.0, font_label, cn_tone_ink(), text);
    if (rose->dim == 2) {
        draw_petals(draw, rose);
    } else {
        draw_hemisphere(draw, rose);
    }
    draw_directions(draw, rose->dim == 2);
}

static double degrees(double angle)
{
    return 180.0 / CN_PI * angle;
}

static void write_table(const void *context, FILE *file)
{
    const cn_rose *rose = ((const rose_sheet *)context)->rose;
    bool is_plane = rose->dim == 2;
    fputs(is_plane ? "angle [deg]" : "azimuth [deg],inclination [deg]", file);
    fputs(",contacts [-],contacts over isotropic [-],force over isotropic [-]\n", file);
    for (int b = 0; b < bin_count(rose); b++) {
        fprintf(file, "%.10g", 360.0 * (b % rose->sectors) / rose->sectors);
        if (!is_plane) {
            double height = 1.0 - (b / rose->sectors + 0.5) / rose->rings;
            fprintf(file, ",%.10g", degrees(acos(height)));
        }
        fprintf(file, ",%.17g,%.17g,%.17g\n", rose->count[b], cn_rose_density(rose, b, false),
                cn_rose_density(rose, b, true));
    }
}

cn_status cn_rose_save(const cn_rose *rose, const char *title, const char *path, cn_error *err)
{
    const rose_sheet context = {.rose = rose, .title = title};
    const cn_sheet sheet = {
        .title = title, .context = &context, .draw = draw_sheet, .table = write_table};
    return cn_sheet_save(&sheet, path, err);
}
