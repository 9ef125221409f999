// picture/chart/chart.c -- clean x-y charts.
//
// Layout: title and y label above the plot, curve names right of it, no box around it. A curve is
// thinned while it is drawn: of the consecutive points that share a column of pixels only the
// first, lowest, highest and last are kept, which gives the same picture.
#include "picture/chart/chart.h"

#include <math.h>
#include <string.h>

#include "picture/chart/axis.h"

typedef struct plot {
    const cn_chart_def *def;
    const cn_draw *draw;
    cn_axis x, y;
    double box[4];     // left top right bottom of the plot [pixel]
    double name_width; // of the widest curve name; 0: no legend
    double width, height;
    bool is_empty;
} plot;

static const cn_font font_title = {.size = 19.0, .is_bold = true};
static const cn_font font_label = {.size = 14.0};
static const double margin = 26.0, sample_width = 26.0;

static cn_font aligned(cn_font font, cn_align align)
{
    font.align = align;
    return font;
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static bool is_shown(double value, bool is_log)
{
    return isfinite(value) && (!is_log || value > 0.0);
}

// The range that was asked for, or what the values need.
static void fit_axis(cn_axis *axis, const double needed[2], const double asked[2], bool is_log,
                     bool is_tight)
{
    cn_axis_fit(axis, needed[0], needed[1], is_log, is_tight);
    if (asked[0] != asked[1]) {
        axis->min = asked[0];
        axis->max = asked[1];
    }
}

static bool is_within(double value, const double asked[2])
{
    return asked[0] == asked[1] || (value >= asked[0] && value <= asked[1]);
}

// The x axis spans all steps, also those whose y cannot be shown.
static void fit_axes(plot *p)
{
    const cn_chart_def *def = p->def;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    bool has_dots = false;
    for (int c = 0; c < def->curve_count; c++) {
        const cn_curve *curve = &def->curve[c];
        has_dots = has_dots || curve->style == CN_CURVE_DOTS;
        for (int k = 0; k < curve->count; k++) {
            if (!is_shown(curve->x[k], def->log_x) || !is_within(curve->x[k], def->x_range)) {
                continue;
            }
            low[0] = fmin(low[0], curve->x[k]);
            high[0] = fmax(high[0], curve->x[k]);
            if (is_shown(curve->y[k], def->log_y) && is_within(curve->y[k], def->y_range)) {
                low[1] = fmin(low[1], curve->y[k]);
                high[1] = fmax(high[1], curve->y[k]);
            }
        }
    }
    p->is_empty = low[1] > high[1];
    fit_axis(&p->x, (double[]){low[0], high[0]}, def->x_range, def->log_x, !has_dots);
    fit_axis(&p->y, (double[]){low[1], high[1]}, def->y_range, def->log_y, false);
    cn_axis_mark(&p->x, (int)fmax(8.0 * p->width / CN_CHART_WIDTH, 2.0));
    cn_axis_mark(&p->y, (int)fmax(6.0 * p->height / CN_CHART_HEIGHT, 2.0));
}

static void place_box(plot *p)
{
    double label_width = 0.0;
    for (int k = 0; k < p->y.tick_count; k++) {
        label_width = fmax(label_width, cn_text_width(font_label, p->y.label[k]));
    }
    p->name_width = 0.0;
    for (int c = 0; p->def->curve_count > 1 && c < p->def->curve_count; c++) {
        double width = cn_text_width(font_label, or_empty(p->def->curve[c].name));
        p->name_width = fmin(fmax(p->name_width, width), 0.4 * p->width);
    }
    double legend = p->name_width > 0.0 ? p->name_width + sample_width + 26.0 : 0.0;
    p->box[0] = margin + fmin(label_width, 0.3 * p->width) + 8.0;
    p->box[1] = 86.0;
    p->box[2] = p->width - margin - legend;
    p->box[3] = p->height - 58.0;
    for (int k = 0; k < 2; k++) {
        p->box[2 * k] = floor(p->box[2 * k]) + 0.5;
        p->box[2 * k + 1] = floor(p->box[2 * k + 1]) + 0.5;
    }
    p->x.pixel[0] = p->box[0];
    p->x.pixel[1] = p->box[2];
    p->y.pixel[0] = p->box[3];
    p->y.pixel[1] = p->box[1];
}

static void draw_segment(const plot *p, double x0, double y0, double x1, double y1,
                         cn_colour colour)
{
    double xy[4] = {x0, y0, x1, y1};
    p->draw->polyline(p->draw->context, 2, xy, (cn_stroke){.width = 1.0, .colour = colour});
}

static void draw_text(const plot *p, double x, double y, cn_font font, cn_colour colour,
                      const char *text)
{
    if (text[0] != '\0') {
        p->draw->text(p->draw->context, x, y, font, colour, text);
    }
}

static double on_pixel_centre(double x)
{
    return floor(x) + 0.5;
}

static void draw_ticks(const plot *p)
{
    for (int k = 0; k < p->y.tick_count; k++) {
        double y = on_pixel_centre(cn_axis_at(&p->y, p->y.tick[k]));
        bool is_zero = p->y.tick[k] == 0.0 && p->y.min < 0.0;
        draw_segment(p, p->box[0], y, p->box[2], y,
                     is_zero ? cn_colour_hex(0xaab2ba) : cn_tone_rule());
        draw_text(p, p->box[0] - 8.0, y + 5.0, aligned(font_label, CN_ALIGN_RIGHT), cn_tone_faint(),
                  p->y.label[k]);
    }
    for (int k = 0; k < p->x.tick_count; k++) {
        double x = on_pixel_centre(cn_axis_at(&p->x, p->x.tick[k]));
        draw_segment(p, x, p->box[3], x, p->box[3] + 5.0, cn_tone_faint());
        draw_text(p, x, p->box[3] + 22.0, aligned(font_label, CN_ALIGN_MIDDLE), cn_tone_faint(),
                  p->x.label[k]);
    }
    draw_segment(p, p->box[0], p->box[3], p->box[2], p->box[3], cn_tone_faint());
}

// "energy [J]" with its power of ten: "energy [J] (x 1e-3)".
static void draw_label(const plot *p, double x, double y, cn_align align, const char *label,
                       const cn_axis *axis)
{
    char text[160];
    if (axis->exponent != 0) {
        snprintf(text, sizeof text, "%.120s (x 1e%d)", or_empty(label), axis->exponent);
    } else {
        snprintf(text, sizeof text, "%.150s", or_empty(label));
    }
    draw_text(p, x, y, aligned(font_label, align), cn_tone_ink(), text);
}

static cn_stroke curve_stroke(const cn_curve *curve, int c)
{
    bool is_second_round = c >= CN_PALETTE_COUNT;
    cn_stroke s = {.width = 2.0, .colour = cn_palette_stroke(c)};
    if (curve->style == CN_CURVE_DASHED) {
        s.width = 1.6;
        s.colour = cn_tone_ink();
        s.dash = 5.0;
    } else if (is_second_round) {
        s.dash = 9.0;
    }
    return s;
}

enum { PIECE_MAX = 2048 };

// The line being drawn, and what is kept of the present column of pixels.
typedef struct thinner {
    const plot *p;
    cn_stroke stroke;
    int count;
    double xy[2 * PIECE_MAX];
    double column;     // of pixels, NaN: none open
    int seen;          // points in the column
    double kept[4][2]; // first, lowest, highest, last
    bool is_low_first;
} thinner;

static void flush_line(thinner *t)
{
    if (t->count > 0) {
        t->p->draw->polyline(t->p->draw->context, t->count, t->xy, t->stroke);
    }
    t->count = 0;
}

static void put_point(thinner *t, const double at[2])
{
    double *last = t->xy + 2 * (t->count - 1);
    if (t->count > 0 && last[0] == at[0] && last[1] == at[1]) {
        return;
    }
    if (t->count == PIECE_MAX) {
        double joint[2] = {last[0], last[1]};
        flush_line(t);
        memcpy(t->xy, joint, sizeof joint);
        t->count = 1;
    }
    memcpy(t->xy + 2 * t->count, at, 2 * sizeof *at);
    t->count++;
}

static void close_column(thinner *t)
{
    if (t->seen > 0) {
        put_point(t, t->kept[0]);
        put_point(t, t->kept[t->is_low_first ? 1 : 2]);
        put_point(t, t->kept[t->is_low_first ? 2 : 1]);
        put_point(t, t->kept[3]);
    }
    t->seen = 0;
}

static void keep(thinner *t, int place, const double at[2])
{
    memcpy(t->kept[place], at, 2 * sizeof *at);
}

static void take_point(thinner *t, double x, double y)
{
    double at[2] = {x, y};
    if (t->seen > 0 && floor(x) != t->column) {
        close_column(t);
    }
    if (t->seen == 0) {
        t->column = floor(x);
        for (int place = 0; place < 4; place++) {
            keep(t, place, at);
        }
        t->is_low_first = true;
    }
    if (y > t->kept[2][1]) {
        keep(t, 2, at);
        t->is_low_first = true;
    }
    if (y < t->kept[1][1]) {
        keep(t, 1, at);
        t->is_low_first = false;
    }
    keep(t, 3, at);
    t->seen++;
}

// Cuts the segment from a to b to the box; false: nothing of it is inside.
static bool cut_segment(const double box[4], double a[2], double b[2])
{
    double from = 0.0, to = 1.0, way[2] = {b[0] - a[0], b[1] - a[1]}, start[2] = {a[0], a[1]};
    for (int k = 0; k < 2; k++) {
        double low = box[k] - start[k], high = box[k + 2] - start[k];
        if (way[k] == 0.0 && (low > 0.0 || high < 0.0)) {
            return false;
        }
        if (way[k] != 0.0) {
            from = fmax(from, fmin(low / way[k], high / way[k]));
            to = fmin(to, fmax(low / way[k], high / way[k]));
        }
    }
    for (int k = 0; k < 2; k++) {
        a[k] = start[k] + from * way[k];
        b[k] = start[k] + to * way[k];
    }
    return from <= to;
}

// A line that leaves the plot where the axes end before it does.
static void draw_cut_line(const plot *p, const cn_curve *curve, cn_stroke stroke)
{
    thinner t = {.p = p, .stroke = stroke};
    for (int k = 0; k + 1 < curve->count; k++) {
        double a[2] = {cn_axis_at(&p->x, curve->x[k]), cn_axis_at(&p->y, curve->y[k])};
        double b[2] = {cn_axis_at(&p->x, curve->x[k + 1]), cn_axis_at(&p->y, curve->y[k + 1])};
        double end[2] = {b[0], b[1]};
        bool is_seen = !isnan(a[0] + a[1] + b[0] + b[1]) && cut_segment(p->box, a, b);
        if (is_seen) {
            take_point(&t, a[0], a[1]);
            take_point(&t, b[0], b[1]);
        }
        if (!is_seen || b[0] != end[0] || b[1] != end[1]) {
            close_column(&t);
            flush_line(&t);
        }
    }
    close_column(&t);
    flush_line(&t);
}

static void draw_line(const plot *p, const cn_curve *curve, cn_stroke stroke)
{
    thinner t = {.p = p, .stroke = stroke};
    for (int k = 0; k < curve->count; k++) {
        double x = cn_axis_at(&p->x, curve->x[k]), y = cn_axis_at(&p->y, curve->y[k]);
        if (isnan(x) || isnan(y)) {
            close_column(&t);
            flush_line(&t);
        } else {
            take_point(&t, x, y);
        }
    }
    close_column(&t);
    flush_line(&t);
}

static void draw_dots(const plot *p, const cn_curve *curve, cn_colour colour)
{
    double last[2] = {NAN, NAN};
    for (int k = 0; k < curve->count; k++) {
        double x = cn_axis_at(&p->x, curve->x[k]), y = cn_axis_at(&p->y, curve->y[k]);
        bool is_same = fabs(x - last[0]) < 0.5 && fabs(y - last[1]) < 0.5;
        if (!isnan(x) && !isnan(y) && !is_same) {
            p->draw->disk(p->draw->context, x, y, 3.5, colour);
            last[0] = x;
            last[1] = y;
        }
    }
}

static void draw_curves(const plot *p)
{
    double room = 4.0; // dots and thick lines at the ends of the axes are not cut
    double box[4] = {p->box[0] - room, p->box[1] - room, p->box[2] + room, p->box[3] + room};
    p->draw->clip(p->draw->context, box);
    for (int c = 0; c < p->def->curve_count; c++) {
        const cn_curve *curve = &p->def->curve[c];
        if (curve->style == CN_CURVE_DOTS) {
            draw_dots(p, curve, cn_palette_stroke(c));
        } else {
            bool is_cut = p->def->x_range[0] != p->def->x_range[1] ||
                          p->def->y_range[0] != p->def->y_range[1];
            (is_cut ? draw_cut_line : draw_line)(p, curve, curve_stroke(curve, c));
        }
    }
    p->draw->clip(p->draw->context, NULL);
}

static void draw_legend(const plot *p)
{
    for (int c = 0; p->name_width > 0.0 && c < p->def->curve_count; c++) {
        const cn_curve *curve = &p->def->curve[c];
        double x = p->box[2] + 18.0, y = on_pixel_centre(p->box[1] + 8.0 + 24.0 * c);
        if (y > p->height - 8.0) {
            break;
        }
        if (curve->style == CN_CURVE_DOTS) {
            p->draw->disk(p->draw->context, x + 0.5 * sample_width, y, 3.5, cn_palette_stroke(c));
        } else {
            double xy[4] = {x, y, x + sample_width, y};
            p->draw->polyline(p->draw->context, 2, xy, curve_stroke(curve, c));
        }
        draw_text(p, x + sample_width + 8.0, y + 5.0, font_label, cn_tone_ink(),
                  or_empty(curve->name));
    }
}

void cn_chart_draw(const cn_chart_def *def, const cn_draw *draw)
{
    plot p = {.def = def,
              .draw = draw,
              .width = def->width > 0 ? def->width : CN_CHART_WIDTH,
              .height = def->height > 0 ? def->height : CN_CHART_HEIGHT};
    fit_axes(&p);
    place_box(&p);
    draw_text(&p, margin, 38.0, font_title, cn_tone_ink(), or_empty(def->title));
    draw_label(&p, margin, 66.0, CN_ALIGN_LEFT, def->y_label, &p.y);
    draw_label(&p, p.box[2], p.box[3] + 44.0, CN_ALIGN_RIGHT, def->x_label, &p.x);
    draw_ticks(&p);
    draw_curves(&p);
    draw_legend(&p);
    if (p.is_empty) {
        draw_text(&p, 0.5 * (p.box[0] + p.box[2]), 0.5 * (p.box[1] + p.box[3]),
                  aligned(font_title, CN_ALIGN_MIDDLE), cn_tone_faint(), "no data");
    }
}

// A name as a field: quoted when it holds a comma, a quote or a line end.
static void put_field(FILE *file, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, file);
    }
    fputc('"', file);
}

static bool shares_x(const cn_chart_def *def)
{
    for (int c = 1; c < def->curve_count; c++) {
        const cn_curve *a = &def->curve[0], *b = &def->curve[c];
        bool is_same =
            a->count == b->count && (a->x == b->x || a->count == 0 ||
                                     memcmp(a->x, b->x, (size_t)a->count * sizeof *a->x) == 0);
        if (!is_same) {
            return false;
        }
    }
    return true;
}

static void write_table(const cn_chart_def *def, FILE *file)
{
    put_field(file, or_empty(def->x_label));
    for (int c = 0; c < def->curve_count; c++) {
        fputc(',', file);
        put_field(file, or_empty(def->curve[c].name));
    }
    fputc('\n', file);
    for (int k = 0; def->curve_count > 0 && k < def->curve[0].count; k++) {
        fprintf(file, "%.17g", def->curve[0].x[k]);
        for (int c = 0; c < def->curve_count; c++) {
            fprintf(file, ",%.17g", def->curve[c].y[k]);
        }
        fputc('\n', file);
    }
}

void cn_chart_write_csv(const cn_chart_def *def, FILE *file)
{
    if (shares_x(def)) {
        write_table(def, file);
        return;
    }
    fputs("curve,x,y\n", file);
    for (int c = 0; c < def->curve_count; c++) {
        for (int k = 0; k < def->curve[c].count; k++) {
            put_field(file, or_empty(def->curve[c].name));
            fprintf(file, ",%.17g,%.17g\n", def->curve[c].x[k], def->curve[c].y[k]);
        }
    }
}
