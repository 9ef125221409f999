// picture/draw.c -- the two back ends of the drawing interface.
#include "picture/draw.h"

#include <math.h>

// Walks along the line and covers the odd-numbered stretches of length `dash`.
static void cover_dashes(cn_canvas *canvas, int count, const double *xy, double width, double dash)
{
    double walked = 0.0;
    for (int k = 0; k + 1 < count; k++) {
        const double *a = xy + 2 * k, *b = a + 2;
        double length = hypot(b[0] - a[0], b[1] - a[1]);
        if (!(length < 1e6)) {
            canvas->is_bad = true;
            return;
        }
        for (double s = 0.0; s < length;) {
            double left = dash - fmod(walked + s, dash);
            double end = fmin(length, s + fmax(left, 1e-3));
            if (fmod(floor((walked + s) / dash + 1e-9), 2.0) == 0.0) {
                double t = s / length, u = end / length;
                cn_cover_capsule(canvas, a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]),
                                 a[0] + u * (b[0] - a[0]), a[1] + u * (b[1] - a[1]), 0.5 * width);
            }
            s = end;
        }
        walked += length;
    }
}

static void canvas_polyline(void *context, int count, const double *xy, cn_stroke stroke)
{
    cn_canvas *canvas = context;
    if (stroke.dash > 0.0) {
        cover_dashes(canvas, count, xy, stroke.width, stroke.dash);
    } else {
        cn_cover_polyline(canvas, count, xy, stroke.width, false);
    }
    cn_canvas_paint(canvas, stroke.colour);
}

static void canvas_polygon(void *context, int count, const double *xy, cn_colour colour)
{
    cn_canvas_polygon(context, count, xy, colour);
}

static void canvas_disk(void *context, double x, double y, double radius, cn_colour colour)
{
    cn_canvas_disk(context, x, y, radius, colour);
}

static void canvas_text(void *context, double x, double y, cn_font font, cn_colour colour,
                        const char *text)
{
    cn_canvas_text(context, x, y, font, colour, text);
}

static void canvas_clip(void *context, const double box[4])
{
    cn_canvas_clip(context, box);
}

cn_draw cn_draw_on_canvas(cn_canvas *canvas)
{
    return (cn_draw){.context = canvas,
                     .polyline = canvas_polyline,
                     .polygon = canvas_polygon,
                     .disk = canvas_disk,
                     .text = canvas_text,
                     .clip = canvas_clip};
}

static unsigned to_byte(float x)
{
    return (unsigned)(fminf(fmaxf(x, 0.0f), 1.0f) * 255.0f + 0.5f);
}

static void put_colour(FILE *file, const char *what, cn_colour c)
{
    fprintf(file, " %s=\"#%02x%02x%02x\"", what, to_byte(c.r), to_byte(c.g), to_byte(c.b));
    if (c.a < 1.0f) {
        fprintf(file, " %s-opacity=\"%.3g\"", what, (double)c.a);
    }
}

// Text with markup escaped; control characters become blanks, broken UTF-8 a question mark.
static void put_text(FILE *file, const char *text)
{
    for (const char *at = text; *at != '\0';) {
        const char *start = at;
        unsigned code = cn_text_next(&at);
        if (code == '<') {
            fputs("&lt;", file);
        } else if (code == '>') {
            fputs("&gt;", file);
        } else if (code == '&') {
            fputs("&amp;", file);
        } else if (code < 32 || code == 0xfffe || code == 0xffff) {
            fputc(' ', file);
        } else if (code == '?') {
            fputc('?', file);
        } else {
            fwrite(start, 1, (size_t)(at - start), file);
        }
    }
}

static void put_points(FILE *file, int count, const double *xy)
{
    fputs(" points=\"", file);
    for (int k = 0; k < count; k++) {
        fprintf(file, "%s%.1f,%.1f", k > 0 ? " " : "", xy[2 * k], xy[2 * k + 1]);
    }
    fputs("\"/>\n", file);
}

static void svg_polyline(void *context, int count, const double *xy, cn_stroke stroke)
{
    cn_svg *svg = context;
    if (count == 1) {
        fprintf(svg->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2g\"", xy[0], xy[1],
                0.5 * stroke.width);
        put_colour(svg->file, "fill", stroke.colour);
        fputs("/>\n", svg->file);
        return;
    }
    fputs("<polyline fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"", svg->file);
    fprintf(svg->file, " stroke-width=\"%.3g\"", stroke.width);
    put_colour(svg->file, "stroke", stroke.colour);
    if (stroke.dash > 0.0) {
        fprintf(svg->file, " stroke-dasharray=\"%.3g\"", stroke.dash);
    }
    put_points(svg->file, count, xy);
}

static void svg_polygon(void *context, int count, const double *xy, cn_colour colour)
{
    cn_svg *svg = context;
    fputs("<polygon", svg->file);
    put_colour(svg->file, "fill", colour);
    put_points(svg->file, count, xy);
}

static void svg_disk(void *context, double x, double y, double radius, cn_colour colour)
{
    cn_svg *svg = context;
    fprintf(svg->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.3g\"", x, y, radius);
    put_colour(svg->file, "fill", colour);
    fputs("/>\n", svg->file);
}

static void svg_text(void *context, double x, double y, cn_font font, cn_colour colour,
                     const char *text)
{
    static const char *const anchor[] = {
        [CN_ALIGN_LEFT] = "start", [CN_ALIGN_MIDDLE] = "middle", [CN_ALIGN_RIGHT] = "end"};
    cn_svg *svg = context;
    fprintf(svg->file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.3g\" text-anchor=\"%s\"", x, y,
            font.size, anchor[font.align]);
    if (font.is_bold) {
        fputs(" font-weight=\"600\"", svg->file);
    }
    put_colour(svg->file, "fill", colour);
    fputc('>', svg->file);
    put_text(svg->file, text);
    fputs("</text>\n", svg->file);
}

static void svg_clip(void *context, const double box[4])
{
    cn_svg *svg = context;
    if (box == NULL) {
        fputs("</g>\n", svg->file);
        return;
    }
    svg->clip_count++;
    fprintf(svg->file,
            "<clipPath id=\"c%d\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
            "</clipPath>\n<g clip-path=\"url(#c%d)\">\n",
            svg->clip_count, box[0], box[1], box[2] - box[0], box[3] - box[1], svg->clip_count);
}

void cn_svg_begin(cn_svg *svg, FILE *file, int width, int height, const char *title)
{
    *svg = (cn_svg){.file = file};
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
            "<title>",
            width, height, width, height);
    put_text(file, title);
    fprintf(file, "</title>\n<rect width=\"%d\" height=\"%d\"", width, height);
    put_colour(file, "fill", cn_tone_paper());
    fputs("/>\n", file);
}

void cn_svg_end(cn_svg *svg)
{
    fputs("</svg>\n", svg->file);
}

cn_draw cn_draw_on_svg(cn_svg *svg)
{
    return (cn_draw){.context = svg,
                     .polyline = svg_polyline,
                     .polygon = svg_polygon,
                     .disk = svg_disk,
                     .text = svg_text,
                     .clip = svg_clip};
}
