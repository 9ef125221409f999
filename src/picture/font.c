// picture/font.c -- glyphs as strokes on a grid: baseline 0, x-height 20, capitals 28,
// descenders -8, 40 units to the size. A glyph is a width and a list of commands, each a letter and
// integers:
//     M x y  start a stroke          L x y  straight line
//     H x y  quarter turn that leaves horizontally and arrives vertically
//     V x y  quarter turn that leaves vertically and arrives horizontally
//     C a b c d x y  cubic Bezier    D x y  dot
#include "picture/font.h"

#include <math.h>
#include <stddef.h>

typedef struct glyph {
    int width; // of the skeleton, between the outermost stroke centres [unit]
    const char *path;
} glyph;

enum {
    GLYPH_FIRST = 32,
    GLYPH_LAST = 126,
    X_HEIGHT = 20,
    CAP_HEIGHT = 28,
    EM = 40,
    BEARING = 8, // space between the skeletons of neighbours [unit]
    BOLD_BEARING = 9
};

static const glyph glyphs[GLYPH_LAST - GLYPH_FIRST + 1] = {
    {4, ""},
    {0, "M0 28L0 9D0 0"},
    {7, "M0 28L0 20M7 28L7 20"},
    {20, "M5 2L8 26M13 2L16 26M1 18L20 18M0 10L19 10"},
    {17, "M16 23C15 26 12 28 8 28C4 28 1 26 1 21C1 12 17 18 17 8C17 3 13 0 9 0C4 0 1 2 0 6"
         "M9 32L9 -4"},
    {24, "M0 22V5 28H10 22V5 16H0 22M14 6V19 12H24 6V19 0H14 6M3 0L21 28"},
    {20, "M20 0L5 18C2 22 4 28 9 28C15 28 15 21 10 18L6 15C-2 10 0 0 8 0C14 0 18 5 19 12"},
    {0, "M0 28L0 20"},
    {6, "M6 31C-2 22 -2 5 6 -4"},
    {6, "M0 31C8 22 8 5 0 -4"},
    {12, "M6 28L6 16M1 25L11 19M11 25L1 19"},
    {16, "M8 20L8 4M0 12L16 12"},
    {2, "M2 1L0 -5"},
    {10, "M0 11L10 11"},
    {0, "D0 0"},
    {11, "M0 -3L11 30"},
    {16, "M0 18V8 28H16 18L16 10V8 0H0 10L0 18"},
    {16, "M3 23L10 28L10 0"},
    {16, "M0 21V8 28H16 20C16 13 4 8 0 0L16 0"},
    {16, "M1 24C3 27 5 28 8 28C13 28 15 25 15 21C15 17 12 15 8 15L6 15M8 15C13 15 16 12 16 8"
         "C16 3 13 0 8 0C4 0 1 2 0 5"},
    {16, "M12 0L12 28L0 9L16 9"},
    {16, "M14 28L3 28L2 16C4 18 6 18 8 18H16 9V8 0C4 0 1 2 0 5"},
    {16, "M14 28C5 25 0 18 0 9V8 0H16 9V8 18H0 9"},
    {16, "M0 28L16 28L6 0"},
    {16, "M1 22V8 28H15 22V8 15H1 22M0 8V8 15H16 8V8 0H0 8"},
    {16, "M2 0C11 3 16 10 16 19V8 28H0 19V8 10H16 19"},
    {0, "D0 0D0 16"},
    {2, "D1 16M2 1L0 -5"},
    {15, "M15 21L0 12L15 3"},
    {16, "M0 16L16 16M0 8L16 8"},
    {15, "M0 21L15 12L0 3"},
    {14, "M0 23C1 26 3 28 7 28C11 28 14 25 14 21C14 15 7 15 7 8D7 0"},
    {28, "M19 18C18 20 16 21 14 21C10 21 8 17 8 13C8 9 10 6 13 6C16 6 19 9 19 14L20 21"
         "M19 14C18 9 20 6 23 6C26 6 28 10 28 14C28 22 22 28 14 28C6 28 0 21 0 12"
         "C0 3 6 -4 14 -4C18 -4 21 -3 23 -2"},
    {20, "M0 0L10 28L20 0M4 10L16 10"},
    {17, "M0 15L9 15H17 8V9 0L0 0L0 28L9 28H16 21V9 15"},
    {19, "M19 22C17 26 14 28 10 28H0 14V10 0C14 0 17 2 19 6"},
    {19, "M0 0L0 28L8 28H19 14V8 0L0 0"},
    {15, "M15 28L0 28L0 0L15 0M0 15L13 15"},
    {15, "M15 28L0 28L0 0M0 14L13 14"},
    {20, "M19 22C17 26 14 28 10 28H0 14V10 0C16 0 20 4 20 10L20 13L11 13"},
    {18, "M0 0L0 28M18 0L18 28M0 15L18 15"},
    {0, "M0 0L0 28"},
    {11, "M11 28L11 8C11 3 9 0 5 0C3 0 1 1 0 3"},
    {17, "M0 0L0 28M16 28L0 11M6 17L17 0"},
    {14, "M0 28L0 0L14 0"},
    {22, "M0 0L0 28L11 8L22 28L22 0"},
    {18, "M0 0L0 28L18 0L18 28"},
    {20, "M0 14V10 28H20 14V10 0H0 14"},
    {16, "M0 0L0 28L9 28H16 20V9 13L0 13"},
    {20, "M0 14V10 28H20 14V10 0H0 14M12 7L20 -2"},
    {17, "M0 0L0 28L9 28H16 20V9 13L0 13M8 13L17 0"},
    {17, "M16 23C15 26 12 28 8 28C4 28 1 26 1 21C1 12 17 18 17 8C17 3 13 0 9 0C4 0 1 2 0 6"},
    {18, "M0 28L18 28M9 28L9 0"},
    {18, "M0 28L0 10V9 0H18 10L18 28"},
    {20, "M0 28L10 0L20 28"},
    {28, "M0 28L7 0L14 24L21 0L28 28"},
    {18, "M0 28L18 0M18 28L0 0"},
    {18, "M0 28L9 14L18 28M9 14L9 0"},
    {17, "M0 28L17 28L0 0L17 0"},
    {6, "M6 31L0 31L0 -4L6 -4"},
    {11, "M0 30L11 -3"},
    {6, "M0 31L6 31L6 -4L0 -4"},
    {14, "M0 16L7 28L14 16"},
    {18, "M0 -5L18 -5"},
    {5, "M0 29L5 24"},
    {15, "M1 17C2 19 4 20 7 20C12 20 15 18 15 13L15 0M15 12L8 12C3 12 0 10 0 6C0 2 2 0 6 0"
         "C10 0 15 3 15 8"},
    {16, "M0 28L0 0M0 10V8 20H16 10V8 0H0 10"},
    {14, "M14 16C13 18 11 20 8 20H0 10V8 0C11 0 13 2 14 4"},
    {16, "M16 28L16 0M16 10V8 20H0 10V8 0H16 10"},
    {16, "M0 11L16 11V8 20H0 10V8 0C11 0 14 1 15 4"},
    {10, "M10 28C6 28 4 26 4 22L4 0M0 20L9 20"},
    {16, "M16 20L16 0C16 -5 13 -8 8 -8C5 -8 2 -7 1 -5M16 10V8 20H0 10V8 0H16 10"},
    {15, "M0 28L0 0M0 12C0 17 3 20 8 20C13 20 15 17 15 12L15 0"},
    {0, "M0 20L0 0D0 27"},
    {4, "M4 20L4 -3C4 -6 3 -8 0 -8D4 27"},
    {14, "M0 28L0 0M13 20L0 8M5 12L14 0"},
    {4, "M0 28L0 4C0 1 1 0 4 0"},
    {24, "M0 20L0 0M0 13C0 17 2 20 6 20C10 20 12 17 12 13L12 0"
         "M12 13C12 17 14 20 18 20C22 20 24 17 24 13L24 0"},
    {15, "M0 20L0 0M0 12C0 17 3 20 8 20C13 20 15 17 15 12L15 0"},
    {18, "M0 10V9 20H18 10V9 0H0 10"},
    {16, "M0 20L0 -8M0 10V8 20H16 10V8 0H0 10"},
    {16, "M16 20L16 -8M16 10V8 20H0 10V8 0H16 10"},
    {9, "M0 20L0 0M0 11C0 17 3 20 9 20"},
    {13, "M12 16C11 19 9 20 6 20C3 20 1 18 1 15C1 9 13 13 13 6C13 2 10 0 7 0C3 0 1 1 0 4"},
    {10, "M4 26L4 6C4 2 5 0 10 0M0 20L10 20"},
    {15, "M15 20L15 0M0 20L0 8C0 3 2 0 7 0C12 0 15 3 15 8"},
    {16, "M0 20L8 0L16 20"},
    {24, "M0 20L6 0L12 18L18 0L24 20"},
    {14, "M0 20L14 0M14 20L0 0"},
    {16, "M0 20L8 0M16 20L7 -3C5 -7 4 -8 0 -8"},
    {14, "M0 20L14 20L0 0L14 0"},
    {8, "M8 31C4 31 4 29 4 26L4 19C4 15 3 14 0 14C3 14 4 12 4 9L4 1C4 -3 4 -4 8 -4"},
    {0, "M0 32L0 -6"},
    {8, "M0 31C4 31 4 29 4 26L4 19C4 15 5 14 8 14C5 14 4 12 4 9L4 1C4 -3 4 -4 0 -4"},
    {18, "M0 10C1 14 4 15 9 12C14 9 17 10 18 14"},
};

unsigned cn_text_next(const char **at)
{
    const unsigned char *c = (const unsigned char *)*at;
    static const unsigned least[5] = {0, 0, 0x80, 0x800, 0x10000};
    int length = c[0] < 0x80 ? 1 : c[0] >= 0xf0 && c[0] < 0xf5 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] == 0 || length == 1) {
        *at += c[0] != 0;
        return c[0];
    }
    bool is_good = c[0] >= 0xc2 && c[0] < 0xf5;
    unsigned code = c[0] & (0x7fu >> length);
    for (int k = 1; k < length && is_good; k++) {
        is_good = (c[k] & 0xc0) == 0x80;
        code = (code << 6) | (c[k] & 0x3fu);
    }
    is_good =
        is_good && code >= least[length] && code < 0x110000 && (code < 0xd800 || code > 0xdfff);
    *at += is_good ? length : 1;
    return is_good ? code : '?';
}

static const glyph *find_glyph(unsigned code)
{
    static const char latin[] = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty";
    if (code >= 0xc0 && code <= 0xff) {
        code = (unsigned char)latin[code - 0xc0];
    } else if (code < GLYPH_FIRST) {
        code = ' ';
    } else if (code > GLYPH_LAST) {
        code = '?';
    }
    return &glyphs[code - GLYPH_FIRST];
}

// From the grid of a glyph to pixels.
typedef struct pose {
    double x, y;          // of the grid origin [pixel]
    double unit;          // [pixel]
    double x_unit;        // horizontally, after moving the right stem
    double x_height, cap; // [pixel]
    double stroke;        // width [pixel]
} pose;

static bool is_small(cn_font font)
{
    return font.size <= 40.0;
}

static double bearing(cn_font font)
{
    return (font.is_bold ? BOLD_BEARING : BEARING) * font.size / EM;
}

static double advance(const glyph *g, cn_font font)
{
    double x = g->width * font.size / EM + bearing(font);
    return is_small(font) ? floor(x + 0.5) : x;
}

static pose place_glyph(const glyph *g, double x, double y, cn_font font)
{
    double unit = font.size / EM;
    pose p = {.x = x, .y = y, .unit = unit, .x_unit = unit, .x_height = X_HEIGHT * unit};
    p.cap = CAP_HEIGHT * unit;
    p.stroke = fmax(1.0, unit * (font.is_bold ? 5.0 : 3.4));
    if (is_small(font)) {
        p.x = floor(x + 0.5) + 0.5;
        p.y = floor(y + 0.5) - 0.5;
        p.x_unit = g->width > 0 ? floor(g->width * unit + 0.5) / g->width : unit;
        p.x_height = floor(p.x_height + 0.5);
        p.cap = floor(p.cap + 0.5);
    }
    return p;
}

static void to_pixels(const pose *p, double x, double y, double out[2])
{
    double rise = p->unit * y;
    if (y > X_HEIGHT) {
        rise = p->x_height + (y - X_HEIGHT) * (p->cap - p->x_height) / (CAP_HEIGHT - X_HEIGHT);
    } else if (y > 0.0) {
        rise = y * p->x_height / X_HEIGHT;
    }
    out[0] = p->x + p->x_unit * x;
    out[1] = p->y - rise;
}

// Integers are read by hand: strtol and friends obey the locale.
static int read_number(const char **at)
{
    while (**at == ' ') {
        (*at)++;
    }
    int sign = **at == '-' ? -1 : 1;
    *at += **at == '-';
    int value = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        value = 10 * value + (**at - '0');
    }
    return sign * value;
}

// A stroke under way, in pixels.
typedef struct stroke {
    int count;
    double xy[2 * 128];
} stroke;

static void add_point(const pose *p, double x, double y, stroke *s)
{
    if (s->count < 128) {
        to_pixels(p, x, y, s->xy + 2 * s->count);
        s->count++;
    }
}

static void finish_stroke(cn_canvas *canvas, const pose *p, stroke *s)
{
    const double *first = s->xy, *last = s->xy + 2 * (s->count - 1);
    if (s->count > 1) {
        bool is_closed = hypot(last[0] - first[0], last[1] - first[1]) < 1e-9;
        cn_cover_polyline(canvas, s->count - is_closed, s->xy, p->stroke, is_closed);
    }
    s->count = 0;
}

static void add_bezier(const pose *p, const double b[8], stroke *s)
{
    enum { PIECES = 12 };
    for (int k = 1; k <= PIECES; k++) {
        double t = (double)k / PIECES, r = 1.0 - t;
        double w[4] = {r * r * r, 3.0 * r * r * t, 3.0 * r * t * t, t * t * t};
        add_point(p, w[0] * b[0] + w[1] * b[2] + w[2] * b[4] + w[3] * b[6],
                  w[0] * b[1] + w[1] * b[3] + w[2] * b[5] + w[3] * b[7], s);
    }
}

// Carries out one command from `pen` and moves it.
static void follow(cn_canvas *canvas, const pose *p, char command, const char **at, double pen[2],
                   stroke *s)
{
    const double round = 0.58; // a circle has 0.55; a little squarer reads better
    double b[8] = {pen[0], pen[1]};
    for (int k = command == 'C' ? 2 : 6; k < 8; k++) {
        b[k] = read_number(at);
    }
    double width = b[6] - b[0], height = b[7] - b[1];
    if (command == 'H') {
        b[2] = b[0] + round * width;
        b[3] = b[1];
        b[4] = b[6];
        b[5] = b[7] - round * height;
    } else if (command == 'V') {
        b[2] = b[0];
        b[3] = b[1] + round * height;
        b[4] = b[6] - round * width;
        b[5] = b[7];
    }
    if (command == 'D') {
        double dot[2];
        to_pixels(p, b[6], b[7], dot);
        cn_cover_disk(canvas, dot[0], dot[1], 0.62 * p->stroke);
    } else if (command == 'M') {
        finish_stroke(canvas, p, s);
        add_point(p, b[6], b[7], s);
    } else if (command == 'L') {
        add_point(p, b[6], b[7], s);
    } else {
        add_bezier(p, b, s);
    }
    pen[0] = b[6];
    pen[1] = b[7];
}

static void cover_glyph(cn_canvas *canvas, const glyph *g, const pose *p)
{
    double pen[2] = {0.0, 0.0};
    stroke s = {.count = 0};
    for (const char *at = g->path; *at != '\0';) {
        char command = *at++;
        follow(canvas, p, command, &at, pen, &s);
    }
    finish_stroke(canvas, p, &s);
}

double cn_text_width(cn_font font, const char *text)
{
    double width = 0.0;
    for (unsigned code = cn_text_next(&text); code != 0; code = cn_text_next(&text)) {
        width += advance(find_glyph(code), font);
    }
    return width;
}

void cn_canvas_text(cn_canvas *canvas, double x, double y, cn_font font, cn_colour colour,
                    const char *text)
{
    static const double share[] = {
        [CN_ALIGN_LEFT] = 0.0, [CN_ALIGN_MIDDLE] = 0.5, [CN_ALIGN_RIGHT] = 1.0};
    x += 0.5 * bearing(font) - share[font.align] * cn_text_width(font, text);
    for (unsigned code = cn_text_next(&text); code != 0; code = cn_text_next(&text)) {
        const glyph *g = find_glyph(code);
        pose p = place_glyph(g, x, y, font);
        cover_glyph(canvas, g, &p);
        x += advance(g, font);
        cn_canvas_paint(canvas, colour);
    }
}
