// picture/chart/pressure_map.c -- pressures on the bodies of a group in space: a map of the points
// where they are pressed, each force over the part of its patch that is nearest to it.
//
// A patch is what two bodies share. Its points are seen along its mean normal there; areas are
// those of the patch, not of the picture, which looks along the axis along which most force acts.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cairn/vec.h"
#include "picture/chart/axis.h"
#include "picture/chart/chart.h"
#include "picture/chart/plot.h"
#include "picture/voronoi.h"

typedef struct touch {
    int own, other; // bodies: the one that is pressed
    int number;     // of the contact
    cn_vec3 x;      // [m]
    cn_vec3 n;      // unit, along the force on the other body
    double force;   // [N]
    double at[2];   // in the axes of the patch [m]
    double area;    // 0: not known [m2]
    int corner;     // of its cell, the first
    int corners;
} touch;

typedef struct map {
    const char *title, *beneath;
    int count;
    touch *touch;
    cn_vec3 *corner; // of cells
    int corner_count;
    size_t touch_capacity, corner_capacity;
    int axis;      // along which one looks
    bool has_area; // pressures; else forces
    double most;
    cn_reader *reader;
    const cn_frame *frame;
} map;

static int compare_patch(const touch *a, const touch *b)
{
    return a->own != b->own ? a->own - b->own : a->other - b->other;
}

static int by_patch(const void *p, const void *q)
{
    const touch *a = p, *b = q;
    int order = compare_patch(a, b);
    return order != 0 ? order : a->number - b->number;
}

// Within a patch, along its first axis.
static int by_place(const void *p, const void *q)
{
    const touch *a = p, *b = q;
    if (a->at[0] != b->at[0]) {
        return a->at[0] < b->at[0] ? -1 : 1;
    }
    int order = (a->at[1] > b->at[1]) - (a->at[1] < b->at[1]);
    return order != 0 ? order : a->number - b->number;
}

static cn_status list_touches(const cn_frame *f, int group, map *m, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &m->touch, &m->touch_capacity, (size_t)f->contact_count + 1, err));
    for (int a = 0; a < f->contact_count; a++) {
        const cn_contact *c = &f->contact[a];
        bool is_i = f->group[c->i] == group;
        if (is_i == (f->group[c->j] == group)) {
            continue;
        }
        cn_vec3 n = cn_v3(c->normal[0], c->normal[1], c->normal[2]);
        m->touch[m->count++] = (touch){.own = is_i ? c->i : c->j,
                                       .other = is_i ? c->j : c->i,
                                       .number = a,
                                       .x = {c->point[0], c->point[1], c->point[2]},
                                       .n = is_i ? cn_neg3(n) : n,
                                       .force = f->h > 0.0 ? c->r[0] / f->h : 0.0};
    }
    return CN_OK;
}

// Points of a patch that fall together become one. Returns how many are left.
static int merge(touch *t, int count, double near)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        int same = -1;
        for (int l = kept - 1; l >= 0 && same < 0 && t[k].at[0] - t[l].at[0] <= near; l--) {
            same = fabs(t[k].at[1] - t[l].at[1]) <= near ? l : -1;
        }
        if (same >= 0) {
            t[same].force += t[k].force;
        } else {
            t[kept++] = t[k];
        }
    }
    return kept;
}

// Axes of a patch: points seen along the mean normal. Returns their largest distance from the
// first.
static double see_patch(touch *t, int count, cn_vec3 axis[2])
{
    cn_vec3 sum = cn_v3(0.0, 0.0, 0.0);
    double reach = 0.0;
    for (int k = 0; k < count; k++) {
        sum = cn_add3(sum, t[k].n);
    }
    double length = cn_norm3(sum);
    cn_tangents3(length > 0.5 ? cn_mul3(1.0 / length, sum) : t[0].n, &axis[0], &axis[1]);
    for (int k = 0; k < count; k++) {
        cn_vec3 from = cn_sub3(t[k].x, t[0].x);
        t[k].at[0] = cn_dot3(from, axis[0]);
        t[k].at[1] = cn_dot3(from, axis[1]);
        reach = fmax(reach, cn_norm3(from));
    }
    return reach;
}

// Cells of a patch, kept as corners in space. A cell much thinner than its patch is long is none.
static cn_status keep_cells(map *m, touch *t, int count, const cn_cells *cells,
                            const cn_vec3 axis[2], double reach, cn_error *err)
{
    CN_TRY(cn_reserve(NULL, &m->corner, &m->corner_capacity,
                      (size_t)(m->corner_count + cells->start[count]), err));
    for (int k = 0; k < count; k++) {
        t[k].area = cn_cells_area(cells, k);
        t[k].area = t[k].area > 1e-9 * reach * reach ? t[k].area : 0.0;
        t[k].corner = m->corner_count;
        t[k].corners = t[k].area > 0.0 ? cells->start[k + 1] - cells->start[k] : 0;
        for (int c = 0; c < t[k].corners; c++) {
            const double *at = cells->corner + 2 * (cells->start[k] + c);
            cn_vec3 across =
                cn_add_mul3(cn_mul3(at[0] - t[k].at[0], axis[0]), at[1] - t[k].at[1], axis[1]);
            m->corner[m->corner_count++] = cn_add3(t[k].x, across);
        }
        m->has_area = m->has_area || t[k].area > 0.0;
    }
    return CN_OK;
}

// One patch; *count becomes the number of its points that differ.
static cn_status spread_patch(map *m, touch *t, int *count, cn_error *err)
{
    cn_vec3 axis[2];
    cn_cells cells = {0};
    double *xy = NULL, reach = see_patch(t, *count, axis);
    size_t capacity = 0;
    qsort(t, (size_t)*count, sizeof *t, by_place);
    *count = merge(t, *count, 1e-6 * reach);
    CN_TRY(cn_reserve(NULL, &xy, &capacity, 2 * (size_t)*count, err));
    for (int k = 0; k < 2 * *count; k++) {
        xy[k] = t[k / 2].at[k % 2];
    }
    cn_status status = cn_cells_find(*count, xy, &cells, err);
    CN_THEN(status, keep_cells(m, t, *count, &cells, axis, reach, err));
    cn_cells_free(&cells);
    cn_release(NULL, xy);
    return status;
}

static double force_of(const touch *t, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        sum += fabs(t[k].force);
    }
    return sum;
}

// All patches; those without any force, of bodies that were only near, are left out.
static cn_status spread(map *m, cn_error *err)
{
    qsort(m->touch, (size_t)m->count, sizeof *m->touch, by_patch);
    int kept = 0;
    for (int k = 0, size; k < m->count; k += size) {
        for (size = 1;
             k + size < m->count && compare_patch(&m->touch[k], &m->touch[k + size]) == 0;) {
            size++;
        }
        int count = force_of(m->touch + k, size) > 0.0 ? size : 0;
        if (count > 0) {
            CN_TRY(spread_patch(m, m->touch + k, &count, err));
        }
        memmove(m->touch + kept, m->touch + k, sizeof *m->touch * (size_t)count);
        kept += count;
    }
    m->count = kept;
    return CN_OK;
}

// What is drawn at a point: its pressure, or its force if no area is known; NaN: nothing.
static double value_of(const map *m, const touch *t)
{
    if (!m->has_area) {
        return t->force;
    }
    return t->area > 0.0 ? t->force / t->area : NAN;
}

static void choose_axis(map *m, int asked)
{
    double along[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < m->count; k++) {
        const touch *t = &m->touch[k];
        for (int d = 0; d < 3; d++) {
            along[d] += fabs(t->force * (&t->n.x)[d]);
        }
        double value = value_of(m, t);
        m->most = value > m->most ? value : m->most;
    }
    int most = along[0] > along[1] ? 0 : 1;
    m->axis = asked >= 0 ? asked : along[2] >= along[most] ? 2 : most;
}

// ---- picture

static const cn_font font_title = {.size = 19.0, .is_bold = true};
static const cn_font font_label = {.size = 14.0};

// Seen along z, y or x: across and up.
static int across(const map *m)
{
    return m->axis == 0 ? 1 : 0;
}

static int upwards(const map *m)
{
    return m->axis == 2 ? 1 : 2;
}

typedef struct view {
    cn_axis x, y;
} view;

static void widen(cn_vec3 p, int d, double range[2])
{
    range[0] = fmin(range[0], (&p.x)[d]);
    range[1] = fmax(range[1], (&p.x)[d]);
}

// Both axes at one scale, in the left part of the sheet.
static view fit_view(const map *m)
{
    const double left = 90.0, right = 690.0, top = 92.0, bottom = 482.0;
    double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
    for (int k = 0; k < m->count; k++) {
        widen(m->touch[k].x, across(m), x);
        widen(m->touch[k].x, upwards(m), y);
    }
    double size = fmax(fmax(x[1] - x[0], (y[1] - y[0]) * (right - left) / (bottom - top)), 1e-9);
    double scale = 0.92 * (right - left) / size;
    double half[2] = {0.5 * (right - left) / scale, 0.5 * (bottom - top) / scale};
    double middle[2] = {0.5 * (x[0] + x[1]), 0.5 * (y[0] + y[1])};
    view v = {
        .x = {.min = middle[0] - half[0], .max = middle[0] + half[0], .pixel = {left, right}},
        .y = {.min = middle[1] - half[1], .max = middle[1] + half[1], .pixel = {bottom, top}}};
    cn_axis_mark(&v.x, 6);
    cn_axis_mark(&v.y, 5);
    return v;
}

static void put(const map *m, const view *v, cn_vec3 p, double *xy)
{
    xy[0] = cn_axis_at(&v->x, (&p.x)[across(m)]);
    xy[1] = cn_axis_at(&v->y, (&p.x)[upwards(m)]);
}

static void draw_axis_label(const cn_draw *draw, double x, double y, cn_align align, char name,
                            const cn_axis *axis)
{
    char text[40];
    cn_font font = font_label;
    font.align = align;
    snprintf(text, sizeof text, axis->exponent != 0 ? "%c [m] (x 1e%d)" : "%c [m]", name,
             axis->exponent);
    draw->text(draw->context, x, y, font, cn_tone_ink(), text);
}

static void draw_axes(const map *m, const view *v, const cn_draw *draw)
{
    cn_font middle = font_label, right = font_label;
    middle.align = CN_ALIGN_MIDDLE;
    right.align = CN_ALIGN_RIGHT;
    double bottom = v->y.pixel[0], left = v->x.pixel[0];
    for (int k = 0; k < v->x.tick_count; k++) {
        double x = cn_axis_at(&v->x, v->x.tick[k]), xy[4] = {x, bottom + 4.0, x, bottom + 9.0};
        draw->polyline(draw->context, 2, xy, (cn_stroke){.width = 1.0, .colour = cn_tone_faint()});
        draw->text(draw->context, x, bottom + 26.0, middle, cn_tone_faint(), v->x.label[k]);
    }
    for (int k = 0; k < v->y.tick_count; k++) {
        double y = cn_axis_at(&v->y, v->y.tick[k]), xy[4] = {left - 9.0, y, left - 4.0, y};
        draw->polyline(draw->context, 2, xy, (cn_stroke){.width = 1.0, .colour = cn_tone_faint()});
        draw->text(draw->context, left - 14.0, y + 5.0, right, cn_tone_faint(), v->y.label[k]);
    }
    draw_axis_label(draw, v->x.pixel[1], bottom + 46.0, CN_ALIGN_RIGHT, "xyz"[across(m)], &v -> x);
    draw_axis_label(draw, 26.0, 66.0, CN_ALIGN_LEFT, "xyz"[upwards(m)], &v -> y);
}

static void draw_cell(const map *m, const view *v, const touch *t, cn_colour colour,
                      const cn_draw *draw)
{
    enum { CORNERS_MAX = 256 };
    double xy[2 * CORNERS_MAX];
    int count = t->corners < CORNERS_MAX ? t->corners : CORNERS_MAX;
    for (int c = 0; c < count; c++) {
        put(m, v, m->corner[t->corner + c], xy + 2 * c);
    }
    draw->polygon(draw->context, count, xy, colour);
}

static void draw_bar(const map *m, const cn_scale *scale, const cn_draw *draw)
{
    const double x = 740.0, top = 130.0, height = 256.0;
    char text[40];
    for (int k = 0; k < 64; k++) {
        double y = top + height * (63 - k) / 64,
               xy[8] = {x, y, x + 22.0, y, x + 22.0, y + 4.2, x, y + 4.2};
        draw->polygon(draw->context, 4, xy, cn_scale_at(scale, (k + 0.5) / 64.0));
    }
    draw->text(draw->context, x, top - 14.0, font_label, cn_tone_ink(),
               m->has_area ? "pressure [Pa]" : "force of each point [N]");
    cn_number_text(m->most, text, sizeof text);
    draw->text(draw->context, x + 32.0, top + 10.0, font_label, cn_tone_ink(), text);
    draw->text(draw->context, x + 32.0, top + height, font_label, cn_tone_ink(), "0");
    draw->text(draw->context, x, top + height + 36.0, font_label, cn_tone_faint(), m->beneath);
}

static void draw_map(const void *context, const cn_draw *draw)
{
    const map *m = context;
    view v = fit_view(m);
    cn_scale scale;
    cn_scale_fill(&scale);
    double most = m->most > 0.0 ? m->most : 1.0;
    draw->text(draw->context, 26.0, 38.0, font_title, cn_tone_ink(), m->title);
    for (int k = 0; k < m->count; k++) {
        if (m->touch[k].corners > 0) {
            double value = fmax(value_of(m, &m->touch[k]), 0.0) / most;
            draw_cell(m, &v, &m->touch[k], cn_scale_at(&scale, value), draw);
        }
    }
    for (int k = 0; k < m->count; k++) {
        double xy[2], value = value_of(m, &m->touch[k]) / most;
        bool is_small = m->touch[k].corners > 0 || isnan(value);
        put(m, &v, m->touch[k].x, xy);
        draw->disk(draw->context, xy[0], xy[1], is_small ? 1.5 : 5.0,
                   is_small ? cn_tone_faint() : cn_scale_at(&scale, fmax(value, 0.0)));
    }
    draw_axes(m, &v, draw);
    draw_bar(m, &scale, draw);
}

static void write_map(const void *context, FILE *file)
{
    const map *m = context;
    fputs("by,x [m],y [m],z [m],force [N],area [m2],pressure [Pa]\n", file);
    for (int k = 0; k < m->count; k++) {
        const touch *t = &m->touch[k];
        fprintf(file, "%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
                cn_reader_group_name(m->reader, m->frame->group[t->other]), t->x.x, t->x.y, t->x.z,
                t->force, t->area, t->area > 0.0 ? t->force / t->area : NAN);
    }
}

static cn_status save(map *m, const cn_plot_def *def, const char *path, cn_error *err)
{
    char title[320], beneath[80];
    const char *run = cn_reader_summary(m->reader)->title;
    choose_axis(m, def->axis);
    snprintf(title, sizeof title, "%.200s%spressure on %.80s", run != NULL ? run : "",
             run != NULL && run[0] != '\0' ? ": " : "", def->body);
    snprintf(beneath, sizeof beneath, "%d points, seen along %c", m->count, "xyz"[m->axis]);
    m->title = title;
    m->beneath = beneath;
    const cn_sheet sheet = {.title = title, .context = m, .draw = draw_map, .table = write_map};
    return cn_sheet_save(&sheet, path, err);
}

cn_status cn_pressure_map(cn_reader *reader, const cn_plot_def *def, const cn_frame *frame,
                          int group, const char *path, cn_error *err)
{
    map m = {.reader = reader, .frame = frame};
    cn_status status = list_touches(frame, group, &m, err);
    CN_THEN(status, spread(&m, err));
    if (status == CN_OK && m.count == 0) {
        status = cn_fail(err, CN_BAD_INPUT, "nothing presses '%.60s' in frame %d", def->body,
                         frame->index);
    }
    CN_THEN(status, save(&m, def, path, err));
    CN_RELEASE(m.touch, m.corner);
    return status;
}
