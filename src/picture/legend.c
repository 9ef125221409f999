// picture/legend.c -- title and time above the scene; scale bar, colours and forces below
// it, laid out like words in lines that wrap at the width of the picture.
#include <math.h>
#include <stdio.h>

#include "picture/chart/axis.h"
#include "picture/font.h"
#include "picture/render.h"

typedef enum entry_kind {
    ENTRY_LENGTH,
    ENTRY_GROUP,
    ENTRY_FIELD,
    ENTRY_FORCE,
    ENTRY_STATUS,
    ENTRY_THRUST,
    ENTRY_NOTE,
    ENTRY_LOST
} entry_kind;

typedef struct entry {
    entry_kind kind;
    int which;     // group or status
    double sample; // width of the drawn sample [pixel]
    char text[96];
} entry;

enum { ENTRY_MAX = 20 };

typedef struct legend {
    int count;
    entry entry[ENTRY_MAX];
} legend;

static cn_font label_font(const cn_render_plan *plan)
{
    return (cn_font){.size = 15.0 * plan->ui};
}

static double row_height(const cn_render_plan *plan)
{
    return 30.0 * plan->ui;
}

static entry *add_entry(legend *l, entry_kind kind, double sample)
{
    entry *e = &l->entry[l->count < ENTRY_MAX ? l->count++ : ENTRY_MAX - 1];
    *e = (entry){.kind = kind, .sample = sample};
    return e;
}

static void add_note(legend *l, entry_kind kind, const char *text)
{
    entry *e = add_entry(l, kind, 0.0);
    snprintf(e->text, sizeof e->text, "%s", text);
}

// The bar is a round length of about a tenth of the picture. The scale is not known yet while the
// height of the legend is computed; the reserved sample is then an upper bound.
static double bar_length(const cn_render_plan *plan)
{
    return cn_round_below(fmax(0.14 * plan->width / plan->scale, 1e-300));
}

static void list_groups(const cn_render_plan *plan, legend *l)
{
    for (int k = 0; plan->group_count > 1 && k < plan->group_count && k < CN_PALETTE_COUNT; k++) {
        const cn_picture_frame *frame = plan->frame;
        entry *e = add_entry(l, ENTRY_GROUP, 14.0 * plan->ui);
        e->which = plan->group[k];
        const char *name =
            frame->group_name != NULL ? frame->group_name(frame->context, e->which) : NULL;
        if (name != NULL && name[0] != '\0') {
            snprintf(e->text, sizeof e->text, "%.40s", name);
        } else {
            snprintf(e->text, sizeof e->text, "group %d", e->which);
        }
    }
    if (plan->group_count > CN_PALETTE_COUNT) { // their colours are those of others
        char text[40];
        snprintf(text, sizeof text, "and %d more", plan->group_count - CN_PALETTE_COUNT);
        add_note(l, ENTRY_NOTE, text);
    }
}

static void list_forces(const cn_render_plan *plan, legend *l)
{
    if (!(plan->force_max > 0.0)) {
        add_note(l, ENTRY_NOTE, "no contact forces");
        return;
    }
    char number[32];
    cn_quantity_text(plan->force_max, "N", number, sizeof number);
    entry *e = add_entry(l, ENTRY_FORCE, 40.0 * plan->ui);
    snprintf(e->text, sizeof e->text, "largest %sforce %s",
             plan->frame->spread != NULL ? "mean " : "", number);
    static const struct {
        int status;
        const char *name;
    } shown[] = {
        {CN_STATUS_STICK, "sticking"}, {CN_STATUS_SLIDE, "sliding"}, {CN_STATUS_JOINED, "joined"}};
    for (int k = 0; k < 3 && plan->frame->spread == NULL; k++) {
        if (plan->has_status[shown[k].status]) {
            e = add_entry(l, ENTRY_STATUS, 22.0 * plan->ui);
            e->which = shown[k].status;
            snprintf(e->text, sizeof e->text, "%s", shown[k].name);
        }
    }
}

static void list_thrust(const cn_render_plan *plan, legend *l)
{
    if (plan->thrust_count == 0) {
        add_note(l, ENTRY_NOTE, "no body is pressed on two sides alone");
        return;
    }
    entry *e = add_entry(l, ENTRY_THRUST, 22.0 * plan->ui);
    snprintf(e->text, sizeof e->text, "line of thrust");
}

// Name and unit of the quantity that a colour bar shows.
static const char *field_name(const cn_render_plan *plan)
{
    static const char *const name[CN_PAINT_COUNT] = {[CN_PAINT_VELOCITY] = "speed",
                                                     [CN_PAINT_PRESSURE] = "pressure",
                                                     [CN_PAINT_OPENING] = "opening of joints",
                                                     [CN_PAINT_DAMAGE] = "damage of joints",
                                                     [CN_PAINT_DISPLACEMENT] = "displacement",
                                                     [CN_PAINT_MISES] = "von Mises stress",
                                                     [CN_PAINT_SPREAD] = "range of normal forces"};
    return name[plan->def->paint];
}

static const char *field_unit(const cn_render_plan *plan)
{
    static const char *const unit[CN_PAINT_COUNT] = {
        [CN_PAINT_VELOCITY] = "m/s", [CN_PAINT_PRESSURE] = "Pa",    [CN_PAINT_OPENING] = "m",
        [CN_PAINT_DAMAGE] = "",      [CN_PAINT_DISPLACEMENT] = "m", [CN_PAINT_MISES] = "Pa",
        [CN_PAINT_SPREAD] = "N"};
    bool is_line = plan->def->paint == CN_PAINT_PRESSURE && plan->tableau == NULL; // in the plane
    return is_line ? "N/m" : unit[plan->def->paint];
}

static void list_field(const cn_render_plan *plan, legend *l)
{
    static const char *const none[CN_PAINT_COUNT] = {
        [CN_PAINT_VELOCITY] = "speed 0 everywhere",
        [CN_PAINT_PRESSURE] = "pressure 0 everywhere",
        [CN_PAINT_OPENING] = "no joint has opened",
        [CN_PAINT_DAMAGE] = "no bond is damaged",
        [CN_PAINT_DISPLACEMENT] = "displacement 0 everywhere",
        [CN_PAINT_MISES] = "no stress",
        [CN_PAINT_PRINCIPAL] = "no stress",
        [CN_PAINT_SPREAD] = "the forces are the only ones"};
    if (plan->def->paint == CN_PAINT_PRINCIPAL && plan->value_max > 0.0) {
        char text[96], number[40];
        cn_quantity_text(plan->value_max, "Pa", number, sizeof number);
        snprintf(text, sizeof text, "principal stresses to %s: dark pressed, red pulled", number);
        add_note(l, ENTRY_NOTE, text);
    } else if (plan->value_max > 0.0) {
        entry *e = add_entry(l, ENTRY_FIELD, 200.0 * plan->ui);
        snprintf(e->text, sizeof e->text, "%s", field_name(plan));
    } else {
        add_note(l, ENTRY_NOTE, none[plan->def->paint]);
    }
    if (plan->apart_count > 0) {
        char text[64];
        snprintf(text, sizeof text, "%d joints wider than half a body", plan->apart_count);
        add_note(l, ENTRY_NOTE, text);
    }
}

static void list_entries(const cn_render_plan *plan, legend *l)
{
    l->count = 0;
    entry *e = add_entry(l, ENTRY_LENGTH, 0.0);
    if (plan->scale > 0.0) {
        cn_quantity_text(bar_length(plan), "m", e->text, sizeof e->text);
        e->sample = bar_length(plan) * plan->scale;
    } else {
        e->sample = 0.14 * plan->width;
        snprintf(e->text, sizeof e->text, "1e-99 mm");
    }
    if (plan->def->paint == CN_PAINT_GROUP) {
        list_groups(plan, l);
    } else {
        list_field(plan, l);
    }
    if (cn_plan_has_forces(plan)) {
        list_forces(plan, l);
    }
    if (plan->def->with_thrust) {
        list_thrust(plan, l);
    }
    if (plan->drawn != NULL) {
        char text[64];
        snprintf(text, sizeof text, "motion of nodes x %.4g", plan->def->magnify);
        add_note(l, ENTRY_NOTE, text);
    }
    if (plan->frame->state.body_count == 0) {
        add_note(l, ENTRY_NOTE, "no bodies");
    }
    if (plan->frame->state.lacks_contacts && cn_plan_has_forces(plan)) {
        add_note(l, ENTRY_NOTE, "contacts were not written");
    }
    if (plan->lost_count > 0) {
        char text[64];
        snprintf(text, sizeof text, "%d bodies without a finite position", plan->lost_count);
        add_note(l, ENTRY_LOST, text);
    }
}

static double side_margin(const cn_render_plan *plan)
{
    return 22.0 * plan->ui;
}

// Numbers at the ends of a colour bar.
static void field_ends(const cn_render_plan *plan, char *low, char *high, int size)
{
    cn_number_text(0.0, low, size);
    cn_quantity_text(plan->value_max, field_unit(plan), high, size);
}

static double entry_width(const cn_render_plan *plan, const entry *e)
{
    double gap = e->sample > 0.0 ? 8.0 * plan->ui : 0.0;
    double width = e->sample + gap + cn_text_width(label_font(plan), e->text);
    if (e->kind == ENTRY_FIELD) {
        char low[32], high[32];
        field_ends(plan, low, high, sizeof low);
        width += cn_text_width(label_font(plan), low) + cn_text_width(label_font(plan), high) +
                 2.0 * gap;
    }
    return width;
}

// Place of the next entry: wraps when it does not fit behind the last one.
static void flow(const cn_render_plan *plan, double width, double *x, int *row)
{
    double left = side_margin(plan);
    if (*x > left && *x + width > plan->width - left) {
        *x = left;
        (*row)++;
    }
}

static double entry_gap(const cn_render_plan *plan, const entry *e)
{
    return (e->kind == ENTRY_GROUP || e->kind == ENTRY_STATUS || e->kind == ENTRY_THRUST ? 20.0
                                                                                         : 34.0) *
           plan->ui;
}

double cn_legend_bottom(const cn_render_plan *plan)
{
    legend l;
    list_entries(plan, &l);
    double x = side_margin(plan);
    int row = 0;
    for (int k = 0; k < l.count; k++) {
        double width = entry_width(plan, &l.entry[k]);
        flow(plan, width, &x, &row);
        x += width + entry_gap(plan, &l.entry[k]);
    }
    return floor((row + 1) * row_height(plan) + 22.0 * plan->ui);
}

static void time_text(const cn_render_plan *plan, char *text, size_t size)
{
    char time[48];
    double t = plan->frame->state.time;
    if (t > 0.0 && t < 1e-3) {
        cn_quantity_text(t, "s", time, sizeof time);
    } else {
        snprintf(time, sizeof time, "%.4g s", t);
    }
    snprintf(text, size, "t = %s   frame %d   step %lld", time, plan->frame->state.index,
             (long long)plan->frame->state.step);
}

static cn_font title_font(const cn_render_plan *plan)
{
    return (cn_font){.size = 22.0 * plan->ui, .is_bold = true};
}

// Title and time share a line if they fit.
static bool is_top_one_line(const cn_render_plan *plan)
{
    char text[128];
    time_text(plan, text, sizeof text);
    const char *title = plan->frame->title != NULL ? plan->frame->title : "";
    double width = cn_text_width(title_font(plan), title) + cn_text_width(label_font(plan), text);
    return title[0] == '\0' || width + 4.0 * side_margin(plan) < plan->width;
}

double cn_legend_top(const cn_render_plan *plan)
{
    return floor((is_top_one_line(plan) ? 56.0 : 80.0) * plan->ui);
}

static void paint_top(const cn_render_plan *plan, cn_canvas *canvas)
{
    char text[128];
    time_text(plan, text, sizeof text);
    const char *title = plan->frame->title != NULL ? plan->frame->title : "";
    double left = side_margin(plan), line = 36.0 * plan->ui;
    cn_font font = label_font(plan);
    cn_canvas_text(canvas, left, line, title_font(plan), cn_tone_ink(), title);
    if (!is_top_one_line(plan)) {
        cn_canvas_text(canvas, left, line + 26.0 * plan->ui, font, cn_tone_faint(), text);
        return;
    }
    font.align = title[0] != '\0' ? CN_ALIGN_RIGHT : CN_ALIGN_LEFT;
    double x = title[0] != '\0' ? plan->width - left : left;
    cn_canvas_text(canvas, x, line, font, cn_tone_faint(), text);
}

static void paint_bar(cn_canvas *canvas, double x, double y, double length, double ui)
{
    cn_colour ink = cn_tone_ink();
    double tick = 4.0 * ui, half = 0.75 * ui;
    cn_canvas_box(canvas, x, y - half, x + length, y + half, ink);
    cn_canvas_box(canvas, x, y - tick, x + 2.0 * half, y + tick, ink);
    cn_canvas_box(canvas, x + length - 2.0 * half, y - tick, x + length, y + tick, ink);
}

// Name, then colours from left to right between the numbers at the ends.
static void paint_field(const cn_render_plan *plan, cn_canvas *canvas, double x, double y,
                        const entry *e)
{
    char low[32], high[32];
    field_ends(plan, low, high, sizeof low);
    cn_font font = label_font(plan);
    double base = y + 0.35 * font.size, gap = 8.0 * plan->ui, half = 7.0 * plan->ui;
    cn_canvas_text(canvas, x, base, font, cn_tone_ink(), e->text);
    x += cn_text_width(font, e->text) + gap;
    cn_canvas_text(canvas, x, base, font, cn_tone_ink(), low);
    x = floor(x + cn_text_width(font, low) + gap);
    int columns = (int)e->sample;
    for (int k = 0; k < columns; k++) {
        cn_canvas_box(canvas, x + k, y - half, x + k + 1, y + half,
                      cn_scale_at(&plan->colours, (k + 0.5) / columns));
    }
    cn_canvas_text(canvas, x + columns + gap, base, font, cn_tone_ink(), high);
}

static void paint_swatch(const cn_render_plan *plan, cn_canvas *canvas, double x, double y,
                         const entry *e)
{
    cn_colour fill = cn_plan_group_fill(plan, e->which);
    double r = 0.5 * e->sample;
    cn_canvas_disk(canvas, x + r, y, r, cn_colour_mix(fill, cn_tone_ink(), 0.55));
    cn_canvas_disk(canvas, x + r, y, r - 0.9 * plan->ui, fill);
}

static void paint_entry(const cn_render_plan *plan, cn_canvas *canvas, double x, double y,
                        const entry *e)
{
    double ui = plan->ui, width = plan->force_max * plan->force_scale * plan->scale;
    double x_text = x + e->sample + (e->sample > 0.0 ? 8.0 * ui : 0.0);
    cn_font font = label_font(plan);
    cn_colour ink = cn_tone_ink();
    switch (e->kind) {
    case ENTRY_LENGTH:
        paint_bar(canvas, floor(x), y, e->sample, ui);
        break;
    case ENTRY_GROUP:
        paint_swatch(plan, canvas, x, y, e);
        break;
    case ENTRY_FIELD:
        paint_field(plan, canvas, x, y, e);
        return;
    case ENTRY_FORCE:
        width = fmin(width, row_height(plan) - 4.0 * ui);
        cn_canvas_line(canvas, x + 0.5 * width, y, x + e->sample - 0.5 * width, y, width,
                       cn_tone_faint());
        break;
    case ENTRY_STATUS:
        cn_canvas_line(canvas, x + 2.0 * ui, y, x + e->sample - 2.0 * ui, y, 4.0 * ui,
                       cn_status_colour(e->which));
        break;
    case ENTRY_THRUST:
        cn_canvas_line(canvas, x + 2.0 * ui, y, x + e->sample - 2.0 * ui, y, 4.0 * ui,
                       cn_thrust_colour());
        break;
    case ENTRY_NOTE:
        ink = cn_tone_faint();
        break;
    case ENTRY_LOST:
        ink = cn_tone_alarm();
        break;
    }
    cn_canvas_text(canvas, x_text, y + 0.35 * font.size, font, ink, e->text);
}

void cn_paint_legend(const cn_render_plan *plan, cn_canvas *canvas)
{
    paint_top(plan, canvas);
    legend l;
    list_entries(plan, &l);
    double x = side_margin(plan);
    int row = 0;
    double bottom = cn_legend_bottom(plan);
    for (int k = 0; k < l.count; k++) {
        const entry *e = &l.entry[k];
        double width = entry_width(plan, e);
        flow(plan, width, &x, &row);
        double y = plan->height - bottom + 11.0 * plan->ui + (row + 0.5) * row_height(plan);
        paint_entry(plan, canvas, x, floor(y) + 0.5, e);
        x += width + entry_gap(plan, e);
    }
}
